"""Engines under asyncio: ours and another program, cancelled and interleaved."""

import asyncio
import sys
import time

import pytest

from eleengine import Board, Engine, Limit
from eleengine.engines import AsyncEngine

OURS = [sys.executable, "-m", "eleengine"]


async def make(kind):
    if kind == "local":
        return AsyncEngine(Engine())
    engine = await AsyncEngine.start(OURS, protocol=kind)
    await engine.configure({"hash" if kind == "uci" else "hashsize": 4, "threads": 1})
    return engine


@pytest.fixture(params=["local", "uci", "ucci"])
def kind(request):
    return request.param


def test_searches_are_awaited(kind):
    async def main():
        async with await make(kind) as engine:
            board = Board()
            result = await engine.play(board, Limit(depth=4))
            info = await engine.analyse(board, Limit(depth=4))
            lines = await engine.analyse(board, Limit(depth=4), multipv=2)
            return result.move, info["pv"][0], len(lines)

    move, best, lines = asyncio.run(main())
    assert {move, best} <= set(Board().legal_moves) and lines == 2


def test_the_loop_goes_on_while_an_engine_thinks(kind):
    async def main():
        async with await make(kind) as engine:
            thinking = asyncio.create_task(engine.play(Board(), Limit(time=0.5)))
            ticks = 0
            while not thinking.done():
                await asyncio.sleep(0.01)
                ticks += 1
            return ticks

    assert asyncio.run(main()) > 5


def test_a_cancelled_search_stops_and_the_engine_goes_on(kind):
    async def main():
        async with await make(kind) as engine:
            begun = time.monotonic()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(engine.play(Board(), Limit(time=600)), 0.3)
            assert time.monotonic() - begun < 60
            return await engine.play(Board(), Limit(depth=2))

    assert asyncio.run(main()).move in Board().legal_moves


def test_an_analysis_is_an_asynchronous_iterator(kind):
    async def main():
        async with await make(kind) as engine:
            async with await engine.analysis(Board(), multipv=2) as analysis:
                async for info in analysis:
                    if info.get("depth", 0) >= 4:
                        break
            assert len(analysis.multipv) == 2 and analysis.info["pv"]
            assert (await analysis.wait()).move in Board().legal_moves
            finite = await engine.analysis(Board(), Limit(depth=3))
            return [info["depth"] async for info in finite if "depth" in info][-1]

    assert asyncio.run(main()) == 3


def test_errors_arrive_where_they_are_awaited(kind):
    async def main():
        async with await make(kind) as engine:
            with pytest.raises(ValueError, match="never ends"):
                await engine.play(Board(), Limit())
            with pytest.raises(ValueError, match="cannot be played"):
                await engine.analysis(Board("4k4/9/9/9/9/9/9/9/9/4K4 w", validate=False))

    asyncio.run(main())


def test_two_engines_play_at_once():
    async def main():
        async with AsyncEngine(Engine()) as one, AsyncEngine(Engine()) as other:
            return await asyncio.gather(*(engine.play(Board(), Limit(time=0.2)) for engine in (one, other)))

    assert all(result.move for result in asyncio.run(main()))
