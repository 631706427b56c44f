"""State machine: items 23 to 37 of the conformance checklist."""

import random
import time

import pytest
from ucci_client import PROMPT, TERMINAL, is_legal, within


def stop_searching(engine):
    """Stop and return the terminal line, which must come at once."""
    sent = engine.send("stop")
    came, line = engine.expect_timed(*TERMINAL)
    assert came - sent < within(PROMPT)
    return line


@pytest.mark.system
def test_023_isready_in_search(engine):
    engine.send("go infinite")
    engine.expect("info")
    sent = engine.send("isready")
    came, _ = engine.expect_timed("readyok")
    assert came - sent < within(PROMPT)
    assert engine.terminals() == []
    engine.expect("info")
    stop_searching(engine)


@pytest.mark.system
def test_024_025_stop_is_answered_once_also_right_after_go(engine):
    engine.send("go infinite")
    time.sleep(1)
    line = stop_searching(engine)
    assert is_legal(line.split()[1])
    assert engine.quiet(0.5) == []
    engine.send("go infinite")
    time.sleep(0.005)
    assert is_legal(stop_searching(engine).split()[1])


def test_026_a_hundred_early_stops(engine):
    delays = random.Random(26)
    for _ in range(100):
        engine.send("go infinite")
        time.sleep(delays.uniform(0, 0.05))
        engine.send("stop")
        assert is_legal(engine.expect("bestmove").split()[1])
    engine.sync()
    assert len(engine.terminals()) == 100


def test_027_028_stops_that_cross_the_answer_are_swallowed(engine):
    engine.send("go infinite")
    engine.expect("info")
    engine.send("stop", "stop")
    engine.expect("bestmove")
    assert engine.quiet(0.4) == []
    engine.best("go depth 1")
    engine.send("stop")
    assert engine.quiet(0.5) == []


@pytest.mark.system
def test_029_idle_stop(engine):
    engine.best("go depth 1")
    time.sleep(0.5)
    engine.send("stop")
    assert engine.quiet(0.5) == ["nobestmove"]


def test_030_idle_ponderhit(engine):
    engine.send("ponderhit", "ponderhit draw")
    assert engine.sync() == []


def test_031_second_go_is_refused(engine):
    engine.send("go infinite", "go depth 3", "ucci", "perft 1")
    refused = [engine.expect("info message") for _ in range(3)]
    assert refused == [f"info message error busy {word} refused" for word in ("go", "ucci", "perft")]
    assert engine.terminals() == []
    stop_searching(engine)
    assert len(engine.terminals()) == 1


def test_032_position_in_search_is_put_off(engine):
    engine.send("go infinite", "position startpos moves h2e2")
    engine.expect("info")
    first = stop_searching(engine).split()[1]
    second = engine.best("go depth 1")
    assert is_legal(first) and is_legal(second, "h2e2") and not is_legal(second)


def test_033_stop_position_go_in_one_write(engine):
    engine.send("go infinite")
    engine.expect("info")
    engine.send("stop", "position startpos moves h2e2", "go depth 2")
    first, second = (engine.expect("bestmove").split()[1] for _ in range(2))
    assert is_legal(first) and is_legal(second, "h2e2")


def test_033_stop_meant_for_a_go_that_waits(engine):
    engine.send("go infinite")
    engine.expect("info")
    engine.send("stop", "position startpos moves h2e2", "go infinite")
    engine.send("stop", "position startpos", "go depth 1")
    moves = [engine.expect("bestmove").split()[1] for _ in range(3)]
    assert is_legal(moves[0]) and is_legal(moves[1], "h2e2") and is_legal(moves[2])


def test_034_036_hash_and_junk_in_search(engine):
    engine.send("go infinite", "setoption hashsize 32", "isready")
    engine.expect("readyok")
    stop_searching(engine)
    assert engine.sync() == []
    engine.send("go infinite", "hello")
    assert engine.expect("info message") == "info message error unknown command hello"
    engine.expect("info depth 8")
    stop_searching(engine)


def test_035_bans_in_search_are_put_off(engine):
    favourite = engine.best("go depth 4")
    engine.send("setoption newgame", "go infinite", f"banmoves {favourite}")
    engine.expect("info depth 5")
    stop_searching(engine)
    assert engine.best("go depth 4") != favourite


@pytest.mark.system
def test_037_idle_after_a_search(engine):
    engine.best("go depth 6")
    before = engine.cpu()
    time.sleep(1)
    assert engine.cpu() - before < 0.03
