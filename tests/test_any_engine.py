"""One vocabulary for the engine in this process, other programs, and both under asyncio."""

import asyncio
import copy
import pickle
import threading
import time

import pytest
from support import COMMAND, raises

from eleengine import Board, Engine, Limit
from eleengine.book import SHIPPED, open_book
from eleengine.engines import (
    AnyEngine,
    AsyncEngine,
    EngineTerminatedError,
    EngineTimeoutError,
    ExternalEngine,
    popen_ucci,
    popen_uci,
)
from eleengine.games import GameIndex
from eleengine.score import Cp, Mate, PovScore, PovWdl, Wdl
from eleengine.tables import open_tables

MAKERS = {
    "local": Engine,
    "uci": lambda: ExternalEngine.popen_uci(COMMAND),
    "ucci": lambda: ExternalEngine.popen_ucci(COMMAND, timeout=60),
}


KINDS = [pytest.param(kind, marks=() if kind == "local" else pytest.mark.system) for kind in MAKERS]


@pytest.fixture(params=KINDS)
def engine(request):
    with MAKERS[request.param]() as engine:
        engine.configure({"Hash": 4, "Threads": 1})
        if "usebook" in engine.options:
            engine.configure({"usebook": False})
        yield engine


def test_every_engine_is_one(engine):
    assert isinstance(engine, AnyEngine)
    assert engine.id["name"].startswith("eleengine") and engine.id["author"] == "the eleengine authors"
    assert engine.options["multipv"].type == "spin" and engine.ping() >= 0


def test_options_have_the_names_of_uci_of_ucci_and_of_the_attributes(engine):
    for options in ({"Hash": 8}, {"hashsize": 4}, {"hash_mib": 2}, {"skill": 19}, {"Skill Level": "20"}):
        engine.configure(options)
    for options in ({"hash_mib": 10**9}, {"Skill_Level": 21}, {"multipv": 0}):
        raises(ValueError, "must be", engine.configure, options)
    raises(ValueError, "'Contempt'", engine.configure, {"Contempt": 1})


def test_the_number_of_lines_can_be_an_option(engine):
    engine.configure({"MultiPV": 3})
    with engine.analysis(Board(), Limit(depth=3)) as analysis:
        analysis.wait()
        assert len(analysis.multipv) == 3
    assert len(engine.analyse(Board(), Limit(depth=3), multipv=2)) == 2
    assert "pv" in engine.analyse(Board(), Limit(depth=3))  # of the best of three lines again
    with engine.analysis(Board(), Limit(depth=3)) as analysis:
        analysis.wait()
        assert len(analysis.multipv) == 3


def test_a_new_game_forgets_what_the_game_before_has_taught(engine):
    def nodes(**options):
        return engine.analyse(Board(), Limit(depth=7), **options)["nodes"]

    first = nodes(game="a")
    assert nodes(game="a") != first  # mostly fewer
    assert nodes(game="b") == first
    engine.new_game()
    assert nodes(game="b") == first


def test_an_engine_ponders_until_it_is_asked_again(engine):
    board = Board()
    result = engine.play(board, Limit(depth=6), ponder=True)
    engine.configure({"Hash": 2})  # would wait for ever for the end of the thought
    result = engine.play(board, Limit(depth=6), ponder=True)
    board.push(result.move)
    board.push(result.ponder)
    assert engine.play(board, Limit(depth=4), ponder=True).move in board.legal_moves
    engine.quit()
    raises(EngineTerminatedError, "", engine.ping)


def test_a_listener_that_fails_ends_its_own_search_alone(engine):
    def fail():
        if threading.current_thread() is not threading.main_thread():
            raise ZeroDivisionError

    with engine.analysis(Board()) as analysis:
        analysis.listen(fail)
        raises(ZeroDivisionError, "", analysis.wait)
    assert engine.play(Board(), Limit(depth=1), timeout=60).move in Board().legal_moves


def test_a_timeout_ends_the_wait(engine):
    raises(EngineTimeoutError, r"0\.3 s", engine.play, Board(), Limit(time=600), timeout=0.3)


@pytest.mark.parametrize("forever", [10**30, float("inf")])
def test_a_timeout_may_be_longer_than_threads_can_wait(engine, forever):
    assert engine.play(Board(), Limit(depth=1), timeout=forever).move
    with engine.analysis(Board(), Limit(depth=1)) as analysis:
        assert analysis.get(timeout=forever) is not None
        assert analysis.wait(timeout=forever).move


@pytest.mark.parametrize("kind", KINDS)
def test_asyncio_has_the_same_names(kind):
    async def main():
        transport, made = None, AsyncEngine(Engine())
        if kind != "local":
            transport, made = await (popen_uci if kind == "uci" else popen_ucci)(COMMAND, timeout=60)
            assert transport.get_pid() == made.engine.pid and transport.get_returncode() is None
        async with made as engine:
            assert engine.id["author"] == "the eleengine authors" and "multipv" in engine.options
            await engine.configure({"hash_mib": 4, "MultiPV": 2})
            await engine.new_game()
            assert await engine.ping() >= 0
            played = await engine.play(Board(), Limit(depth=3), game=1, ponder=True, timeout=60)
            info = await engine.analyse(Board(), Limit(depth=3), game=1, timeout=60)
            async with await engine.analysis(Board(), Limit(depth=3), game=2) as analysis:
                await analysis.wait()
                assert len(analysis.multipv) == 2
            await engine.quit()
            return played.move, info["pv"][0]

    assert set(asyncio.run(main())) <= set(Board().legal_moves)


def test_chances_of_a_score():
    score = PovScore(Cp(150), False)
    wdl = score.wdl()
    assert wdl == PovWdl(Cp(150).wdl(), False) and wdl.red() == -wdl.black() == wdl.pov(True)
    assert wdl.black().expectation() > 0.5 and sum(wdl.relative) == wdl.relative.total() == 1000
    assert Mate(3).wdl() == Wdl(1000, 0, 0) and Cp(0).wdl().expectation() == 0.5
    assert [Cp(n).wdl().expectation() for n in (-300, 0, 300)] == sorted(
        Cp(n).wdl().expectation() for n in (300, -300, 0)
    )


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_holds_an_engine_or_file_is_not_copied(engine, copied, tmp_path):
    """A shallow copy shared it: who closed one closed both."""
    with (
        open_book(SHIPPED) as book,
        GameIndex(tmp_path / "games.sqlite", writable=True) as games,
        open_tables() as tables,
        engine.analysis(Board(), Limit(nodes=10)) as analysis,
    ):
        for thing in (engine, AsyncEngine(engine), book, games, tables, analysis):
            raises(TypeError, f"^{type(thing).__name__} cannot be copied", copied, thing)


def test_a_search_can_be_stopped_from_another_thread(engine):
    threading.Timer(0.3, engine.stop).start()
    start = time.monotonic()
    assert engine.play(Board(), Limit(time=600)).move in Board().legal_moves
    assert 0.2 < time.monotonic() - start < 30


def test_an_analysis_runs_beside_the_program(engine):
    with engine.analysis(Board(), multipv=2) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
        assert not analysis.is_done()
    assert analysis.is_done() and analysis.wait().move in Board().legal_moves
    assert [line["multipv"] for line in analysis.multipv] == [1, 2]
    for _ in range(20):  # a stop that comes at once is not lost
        with engine.analysis(Board()) as analysis:
            pass
        assert analysis.wait().move
    assert list(engine.analysis(Board(), Limit(depth=3)))[-1]["depth"] == 3
    with pytest.raises(ValueError, match="cannot be played"):
        engine.analysis(Board("4k4/9/9/9/9/9/9/9/9/4K4 w", validate=False))
