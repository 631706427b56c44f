"""Engines under asyncio: ours and another program, cancelled and interleaved."""

import asyncio
import sys
import threading
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest
from support import COMMAND, DEAF

from eleengine import Board, Engine, Limit
from eleengine.engines import AsyncAnalysis, AsyncEngine, EnginePool, PlayResult
from eleengine.engines.pool import PoolJob
from eleengine.engines.types import EngineTerminatedError


async def make(kind):
    if kind == "local":
        return AsyncEngine(Engine())
    engine = await AsyncEngine.start(COMMAND, protocol=kind)
    await engine.configure({"hash" if kind == "uci" else "hashsize": 4, "threads": 1})
    return engine


@pytest.fixture(params=["local", *(pytest.param(name, marks=pytest.mark.system) for name in ("uci", "ucci"))])
def kind(request):
    return request.param


async def test_the_loop_goes_on_while_an_engine_thinks(kind):
    async with await make(kind) as engine:
        thinking = asyncio.create_task(engine.play(Board(), Limit(time=60)))
        for _ in range(6):
            await asyncio.sleep(0.01)
        assert not thinking.done()
        thinking.cancel()


async def test_a_cancelled_search_stops_and_the_engine_goes_on(kind):
    async with await make(kind) as engine:
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(engine.play(Board(), Limit(time=600)), 0.3)
        assert time.monotonic() - begun < 60
        assert (await engine.play(Board(), Limit(depth=2))).move in Board().legal_moves


async def test_an_analysis_is_an_asynchronous_iterator(kind):
    async with await make(kind) as engine:
        async with await engine.analysis(Board(), multipv=2) as analysis:
            async for info in analysis:
                if info.get("depth", 0) >= 4:
                    break
        assert len(analysis.multipv) == 2 and analysis.info["pv"]
        assert (await analysis.wait()).move in Board().legal_moves
        finite = await engine.analysis(Board(), Limit(depth=3))
        assert [info["depth"] async for info in finite if "depth" in info][-1] == 3


async def test_errors_arrive_where_they_are_awaited(kind):
    async with await make(kind) as engine:
        with pytest.raises(ValueError, match="never ends"):
            await engine.play(Board(), Limit())
        with pytest.raises(ValueError, match="cannot be played"):
            await engine.analysis(Board("4k4/9/9/9/9/9/9/9/9/4K4 w", validate=False))


async def test_two_engines_play_at_once():
    async with AsyncEngine(Engine()) as one, AsyncEngine(Engine()) as other:
        results = await asyncio.gather(*(engine.play(Board(), Limit(time=0.2)) for engine in (one, other)))
    assert all(result.move for result in results)


async def cancel(task):
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.mark.system
async def test_a_search_that_is_cancelled_at_any_moment_ends_at_once(kind):
    async with await make(kind) as engine:
        await engine.play(Board(), Limit(depth=1))
        for pause in (None, 0, 0, 0, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.05):
            begun = time.monotonic()
            task = asyncio.create_task(engine.play(Board(), Limit(time=60)))
            if pause is not None:
                await asyncio.sleep(pause)
            await cancel(task)
            assert time.monotonic() - begun < 20
        assert (await engine.play(Board(), Limit(depth=3))).move in Board().legal_moves


@pytest.mark.system
async def test_cancelling_a_search_that_waits_leaves_the_other_alone(kind):
    async with await make(kind) as engine:
        first = asyncio.create_task(engine.play(Board(), Limit(time=60)))
        await asyncio.sleep(0.2)
        second = asyncio.create_task(engine.play(Board(), Limit(time=60)))
        await asyncio.sleep(0.1)
        await cancel(second)
        await asyncio.sleep(0.2)
        assert not first.done()
        engine.stop()
        assert (await first).move in Board().legal_moves


async def test_a_group_of_tasks_that_fails_stops_its_search(kind):
    async def fail():
        await asyncio.sleep(0.1)
        raise RuntimeError("elsewhere")

    begun = time.monotonic()
    async with await make(kind) as engine:
        with pytest.raises(ExceptionGroup):
            async with asyncio.TaskGroup() as group:
                group.create_task(engine.play(Board(), Limit(time=60)))
                group.create_task(fail())
        assert (await engine.play(Board(), Limit(depth=2))).move in Board().legal_moves
    assert time.monotonic() - begun < 30


async def test_closing_refuses_what_waits(kind):
    begun = time.monotonic()
    engine = await make(kind)
    tasks = [asyncio.create_task(engine.play(Board(), Limit(time=60))) for _ in range(3)]
    await asyncio.sleep(0.3)
    await engine.close()
    _, *others = await asyncio.gather(*tasks, return_exceptions=True)
    assert time.monotonic() - begun < 30
    assert all(isinstance(other, EngineTerminatedError) for other in others)


async def test_analyses_leave_the_threads_of_the_loop_to_others():
    """The loop has few threads for what blocks, and looks names up in them."""

    async def read(analysis):
        return len([info async for info in analysis])

    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
    engines = [AsyncEngine(Engine(hash_mib=1)) for _ in range(8)]
    analyses = [await engine.analysis(Board()) for engine in engines]
    readers = [asyncio.create_task(read(analysis)) for analysis in analyses]
    await asyncio.sleep(0.2)
    await asyncio.wait_for(asyncio.to_thread(lambda: None), 20)
    for analysis in analyses:
        analysis.stop()
    assert min(await asyncio.gather(*readers)) > 0
    for engine in engines:
        await engine.close()


@pytest.mark.parametrize("delay", [0, 0.001, 0.02])
async def test_closing_ends_a_search_that_just_begins(kind, delay):
    engine = await make(kind)
    search = asyncio.ensure_future(engine.analyse(Board(), Limit(depth=60)))
    await asyncio.sleep(delay)
    await asyncio.wait_for(engine.close(), 60)
    with suppress(EngineTerminatedError):
        await search
    assert not getattr(engine.engine, "alive", False)


async def close_deaf(wait):
    """An engine that does not stop, which was to be closed within a time, and its search."""
    engine = await AsyncEngine.start([sys.executable, "-c", DEAF], protocol="uci")
    search = asyncio.ensure_future(engine.analyse(Board(), Limit()))
    await asyncio.sleep(0.05)
    with suppress(asyncio.TimeoutError):
        await asyncio.wait_for(engine.close(), wait)
    return engine, search


@pytest.mark.system
@pytest.mark.parametrize("wait", [0.1, 60], ids=["cancelled", "in the end"])
async def test_closing_ends_a_program_that_does_not_stop(monkeypatch, wait):
    monkeypatch.setattr("eleengine.engines.aio.CLOSE_SECONDS", 0.5)
    engine, search = await close_deaf(wait)
    await asyncio.wait_for(engine.close(), 60)
    assert not engine.engine.alive
    with pytest.raises(EngineTerminatedError):
        await search


@pytest.mark.system
def test_the_end_of_the_loop_ends_a_program_that_is_being_closed():
    async def main():
        engine, search = await close_deaf(0.1)
        search.add_done_callback(lambda task: task.exception())
        return engine.engine

    assert not asyncio.run(main()).alive


def no_threads(*_):
    raise AssertionError("the threads of the loop are for others")


def forbid_threads(monkeypatch):
    """Those of the running loop; executors that are given stay."""
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(loop, "set_default_executor", no_threads)
    work = loop.run_in_executor
    monkeypatch.setattr(
        loop, "run_in_executor", lambda pool, *call: work(pool, *call) if pool else no_threads()
    )


async def test_engines_need_no_threads_of_the_loop(kind, monkeypatch):
    forbid_threads(monkeypatch)
    async with await make(kind) as engine:
        async with await engine.analysis(Board()) as analysis:
            await analysis.get()
        assert (await engine.play(Board(), Limit(depth=2))).move in Board().legal_moves


async def test_what_is_asked_after_an_analysis_waits_for_its_end(kind):
    """`with` and stop() only ask for the end, as in python-chess."""
    async with await make(kind) as engine:
        for ask in (
            partial(engine.configure, {"multipv": 1}), partial(engine.play, Board(), Limit(depth=1)),
            engine.ping, engine.new_game, partial(engine.analyse, Board(), Limit(depth=1)),
        ):  # fmt: skip
            with await engine.analysis(Board()) as analysis:
                await analysis.get()
            await ask()
            analysis = await engine.analysis(Board())
            engine.stop()
            await ask()
            assert await analysis.wait()
        analysis = await engine.analysis(Board())
        analysis.stop()
        endless = asyncio.create_task(engine.play(Board(), Limit(time=100)))
        await asyncio.sleep(0)
        engine.stop()  # also what waits for that end
        assert (await asyncio.wait_for(endless, 20)).move


async def test_a_pool_replaces_what_has_ended_and_needs_no_threads_of_the_loop(monkeypatch):
    made, prepared = [], []

    def engine():
        made.append(Engine(hash_mib=1))
        return made[-1]

    forbid_threads(monkeypatch)
    async with EnginePool([engine], prepare=lambda *given: prepared.append(given)) as pool:
        found = await asyncio.gather(*(pool.play(Board(), Limit(depth=2)) for _ in range(3)))
        lines = await pool.analyse(Board(), Limit(depth=3), multipv=2)
        assert [line["multipv"] for line in lines] == [1, 2] and len(made) == 1
        # Killed before its first report it would be replaced before the search, not during it.
        job = PoolJob(Board(), Limit(time=60), report=lambda lines: made[0].kill())
        with suppress(EngineTerminatedError):
            await pool.search(job)
        found.append(await pool.play(Board(), Limit(depth=2), options={"skilllevel": 0}))
        assert made[1].skill == 0 and made[1].multipv == 1
        with pytest.raises(ValueError, match="never end"):
            await pool.play(Board(), Limit())
        with pytest.raises(TypeError, match="a limit is a Limit"):
            await pool.play(Board(), 5)
    assert not made[1].alive
    assert {result.move for result in found} <= set(Board().legal_moves)
    assert len(made) == 2 and {engine for engine, _ in prepared} == set(made)


async def test_a_search_that_no_engine_of_a_pool_will_take_is_refused():
    pool = EnginePool([partial(Engine, hash_mib=1)])
    await pool.play(Board(), Limit(depth=1))
    for refused in (0, -1, 1.5):
        with pytest.raises((ValueError, TypeError), match=r"must be at least 1|float"):
            await pool.analyse(Board(), Limit(depth=1), multipv=refused)
        with pytest.raises((ValueError, TypeError), match=r"must be at least 1|float"):
            EnginePool([partial(Engine, hash_mib=1)], threads=refused)
    await pool.close()
    for closed in (pool, EnginePool([])):
        async with asyncio.timeout(60):
            with pytest.raises(EngineTerminatedError, match="closed, or has no engines"):
                await closed.play(Board(), Limit(depth=1))


async def test_a_pool_sets_an_option_anew_whatever_its_letters_are():
    sizes = []
    async with EnginePool([Engine], prepare=lambda engine, _: sizes.append(engine.hash_mib)) as pool:
        for options in ({"Hash": 2}, {"hash": 3}, {"Hash": 2}):
            await pool.play(Board(), Limit(depth=1), options=options)
    assert sizes == [2, 3, 2]


async def test_an_engine_that_nobody_waits_for_any_more_is_ended():
    begin, made = threading.Event(), asyncio.Queue()

    def engine():
        begin.wait()
        made.put_nowait(Engine())
        return made._queue[0]

    task = asyncio.create_task(AsyncEngine.open(engine))
    await asyncio.sleep(0)
    await cancel(task)
    begin.set()
    while made.empty() or made._queue[0].alive:
        await asyncio.sleep(0.01)


class Flood:
    """An analysis that has all its infos at once."""

    def __init__(self, n):
        self.infos = deque({"depth": depth} for depth in range(n))

    def listen(self, callback):
        for _ in self.infos:
            callback()

    def is_done(self):
        return True

    def empty(self):
        return not self.infos

    def get(self, *, timeout):
        return self.infos.popleft()

    def wait(self):
        return PlayResult(None, None)


async def test_a_flood_of_infos_holds_up_nothing_else(monkeypatch):
    async def collect(analysis):
        return [info["depth"] async for info in analysis]

    n = 20_000
    calls = []
    loop = asyncio.get_running_loop()
    wake = loop.call_soon_threadsafe
    monkeypatch.setattr(loop, "call_soon_threadsafe", lambda *call: (calls.append(call), wake(*call)))
    analysis = AsyncAnalysis(Flood(n))
    assert await analysis.wait() == PlayResult(None, None) and not analysis.empty()
    read = asyncio.create_task(collect(analysis))
    turns = 0
    while not read.done():
        await asyncio.sleep(0)
        turns += 1
    assert await analysis.get() is None
    assert read.result() == list(range(n)) and turns > 50 and len(calls) == 1


async def test_an_error_inside_an_analysis_is_not_replaced_by_one_of_the_engine():
    class Broken(Flood):
        def stop(self):
            pass

        def wait(self):
            raise EngineTerminatedError("it does not stop")

    with pytest.raises(KeyError):
        async with AsyncAnalysis(Broken(1)):
            raise KeyError("ours")
