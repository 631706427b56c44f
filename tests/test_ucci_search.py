"""Search commands: items 68 to 91 of the conformance checklist."""

import time
from itertools import pairwise

import pytest
from ucci_client import (
    DEAD,
    M2,
    MIDDLE,
    PROMPT,
    STALEMATE,
    START,
    board_after,
    field,
    is_legal,
    pv_lines,
    within,
)

from eleengine._core import Move, checks_enabled

# Builds with checks or sanitizers are slow: their times tell nothing.
wall_clock = pytest.mark.skipif(checks_enabled(), reason="an instrumented build is too slow for its clock")


def duration(engine, *commands):
    """Seconds from the commands to their answer, which must be a move."""
    sent = engine.send(*commands)
    came, _ = engine.expect_timed("bestmove")
    return came - sent


def test_068_069_070_depth(engine):
    answer = engine.answer("go depth 6").split()
    last = pv_lines(engine.texts())[-1]
    assert field(last, "depth") == "6"
    moves = last.split(" pv ")[1].split()
    assert answer == ["bestmove", moves[0], "ponder", moves[1]]
    assert engine.answer("go depth 0") == "nobestmove"
    before = engine.texts()[-2].split()
    assert before[:4] == ["info", "depth", "0", "score"] and abs(int(before[4])) < 100
    assert engine.answer(M2, "go depth 100") == "bestmove a0a8 ponder e9f9"
    assert field(pv_lines(engine.texts())[-1], "score") == "9997"


@pytest.mark.parametrize("nodes", [0, 1, 216, 1296, 46656])
def test_071_nodes(engine, nodes):
    for position in ("position startpos", MIDDLE):
        assert len(engine.best(position, f"go nodes {nodes}")) == 4
    for line in pv_lines(engine.texts()):
        assert int(field(line, "nodes")) <= nodes + max(64, nodes // 100)
    assert not any("error" in text for text in engine.texts())


@pytest.mark.system
@wall_clock
def test_072_never_late(engine):
    assert all(duration(engine, MIDDLE, "go time 1000 movestogo 1") < within(1.0) for _ in range(3))


@pytest.mark.slow
def test_072_never_late_fifty_times(engine):
    assert all(duration(engine, MIDDLE, "go time 1000 movestogo 1") < within(1.0) for _ in range(50))


@pytest.mark.system
@wall_clock
@pytest.mark.parametrize("go", [
    "go time 15000 increment 0 opptime 60000 oppincrement 0",
    "go opptime 60000 oppincrement 0 increment 0 time 15000",
])  # fmt: skip
def test_073_074_a_whole_game(engine, go):
    # The budget for 15 s is 0.5 s, at most 2.5 s; for one move it would be 13.5 s, for a game of 60 s 2 s.
    assert 0.05 < duration(engine, go) < within(1.8)


@pytest.mark.system
def test_075_opptime_means_a_whole_game(engine):
    # The budget for 300 s is 10 s, at most 50 s: tests/test_ucci_clock.py. Here a thirtieth of it.
    assert duration(engine, "go time 10000 opptime 10000") < within(4)


@pytest.mark.system
@wall_clock
def test_076_077_time_for_this_move(engine):
    assert 0.2 < duration(engine, MIDDLE, "go time 800") < within(0.8)
    assert 0.35 < duration(engine, MIDDLE, "go movetime 500") < within(0.5)


@pytest.mark.system
@wall_clock
@pytest.mark.parametrize("position, go", [
    ("position startpos", "go wtime 1000 btime 60000"),
    ("position startpos moves h2e2", "go wtime 60000 btime 1000"),
    ("position startpos moves h2e2", "go btime 1000 wtime 60000 winc 9000 binc 100"),
])  # fmt: skip
def test_078_the_movers_clock(engine, position, go):
    assert duration(engine, position, go) < within(1)


@pytest.mark.system
@pytest.mark.parametrize("go", [
    "go time 0", "go time 1", "go time -50", "go time abc", "go time", "go movetime 0",
    "go wtime 0 btime 1000", "go time 99999999999999999999x", "go movetime soon",
])  # fmt: skip
def test_079_no_time(engine, go):
    engine.sync()
    assert duration(engine, MIDDLE, go) < within(PROMPT)


@pytest.mark.system
@wall_clock
def test_080_the_first_limit_counts(engine):
    assert duration(engine, "go time 5000 depth 3") < within(2)
    assert field(pv_lines(engine.texts())[-1], "depth") == "3"
    assert duration(engine, MIDDLE, "go depth 50 time 300") < within(0.3)


@pytest.mark.system
@pytest.mark.parametrize("go, errors", [
    ("go depth -3 mate", ["depth", "mate"]),
    pytest.param("go", [], marks=pytest.mark.slow),
    pytest.param("go draw", [], marks=pytest.mark.slow),
    pytest.param("go depth abc", ["depth"], marks=pytest.mark.slow),
])  # fmt: skip
def test_081_nothing_usable(engine, go, errors):
    """Five seconds; tests/test_ucci_clock.py has more of them."""
    began = engine.send(MIDDLE, go)
    came, _ = engine.expect_timed("bestmove")
    assert 3 < came - began < 6
    told = [line for line in engine.texts() if "error" in line]
    assert told == [f"info message error go {word}: bad value" for word in errors]


def test_082_draw_and_ponder_are_parsed(engine):
    engine.best("go draw depth 4")
    engine.send("go ponder depth 4")
    engine.expect("info depth 4")
    assert engine.terminals()[1:] == []
    engine.send("stop")
    engine.expect("bestmove")


def test_083_085_no_answer_of_an_infinite_search(engine):
    engine.send("go depth infinite")
    assert not any(line.startswith("bestmove") for line in engine.quiet(1))
    engine.send("stop")
    engine.expect("bestmove")
    engine.send(DEAD, "go infinite")
    assert engine.quiet(0.3) == ["info depth 0 score -10000"]
    engine.send("stop")
    engine.expect("nobestmove")


@pytest.mark.system
def test_084_infinite_with_a_mate(engine):
    engine.send(M2, "go infinite")
    engine.expect("info depth 1")
    time.sleep(0.5)
    before = engine.cpu()
    time.sleep(1)
    assert engine.cpu() - before < 0.03
    assert engine.terminals() == []
    assert len(pv_lines(engine.texts())) < 50
    assert field(pv_lines(engine.texts())[-1], "score") == "9997"
    sent = engine.send("stop")
    assert engine.expect_timed("bestmove")[0] - sent < within(PROMPT)


@pytest.mark.parametrize("position", [DEAD, STALEMATE])
def test_085_no_move(engine, position):
    start = engine.mark()
    engine.answer(position, "go depth 3")
    assert engine.texts(start) == ["info depth 0 score -10000", "nobestmove"]


@pytest.mark.parametrize("position", [
    "position fen 3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "position fen 3k1a3/9/9/9/9/9/9/9/9/4K4 w - - 0 1",
    "position startpos moves" + " h2h3 h7h6 h3h2 h6h7" * 4,
    "position startpos moves" + " h2h3 h7h6 h3h2 h6h7" * 50,
    "position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 200 1",
])  # fmt: skip
def test_086_drawn_is_not_lost(engine, position):
    assert len(engine.best(position, "go depth 3")) == 4


@pytest.mark.system
def test_087_never_long_silent(engine):
    engine.send(MIDDLE, "go infinite")
    engine.expect("info")
    time.sleep(4.5)  # currmove begins after 3 s
    start = engine.mark()
    engine.send("stop")
    engine.expect("bestmove")
    times = [when for when, text in engine.lines[:start] if text.startswith("info")]
    assert max(b - a for a, b in pairwise(times)) < within(1.5)
    moving = [line for line in engine.texts() if "currmove" in line]
    assert all(line.split()[1::2] == ["currmove", "currmovenumber"] for line in moving)
    assert 1 <= len(moving) <= 40


def test_088_089_lines_are_sound(engine):
    engine.send("setoption multipv 2", MIDDLE)
    engine.best("go time 1500")
    root = board_after(fen=MIDDLE.removeprefix("position fen "))
    for line in engine.texts():
        assert not any(f" {word} " in f" {line} " for word in ("cp", "mate", "wdl", "tbhits"))
        assert " score " not in line or " depth " in line
        assert not (" currmove " in line and " depth " in line)
        if line.startswith("info"):
            names = line.split(" pv ")[0].split()[1::2]
            assert len(names) == len(set(names))
    for line in pv_lines(engine.texts()):
        board = root.copy()
        moves = line.split(" pv ")[1].split(" ")
        for move in moves:
            assert len(move) == 4
            board.push(Move.from_iccs(move))
    depths = [int(field(line, "depth")) for line in pv_lines(engine.texts())]
    assert depths == sorted(depths)


def test_090_mate_scores(engine):
    engine.best(M2, "go depth 6")
    assert field(pv_lines(engine.texts())[-1], "score") == "9997"
    engine.best(f"{M2} moves a0a8 e9f9", "go depth 6")
    assert field(pv_lines(engine.texts())[-1], "score") == "9999"
    assert engine.best(M2, "go mate 2") in ("a0a8", "d1d8", "d1e1")


def test_091_colours_mirrored(engine):
    scores = []
    for fen in (
        "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w",
        "rnbakabr1/9/1c2c1n2/p3p1p1p/2p6/9/P1P1P1P1P/1CN2CN2/9/R1BAKAB1R b",
    ):
        engine.answer(f"position fen {fen}", "go depth 0")
        scores.append(field(engine.texts()[-2], "score"))
    assert scores[0] == scores[1] != "0"
    for fen in ("4k4/9/9/9/9/9/9/9/3R5/R2K5 w", "r2k5/3r5/9/9/9/9/9/9/9/4K4 b"):
        engine.best(f"position fen {fen}", "go depth 6")
        assert field(pv_lines(engine.texts())[-1], "score") == "9997"


def test_searchmoves_restrict_the_root(engine):
    assert engine.best(START, "go searchmoves a0a1 i0i1 depth 4") in ("a0a1", "i0i1")
    assert field(pv_lines(engine.texts())[-1], "depth") == "4"  # what follows the moves is read, too
    assert is_legal(engine.best("go searchmoves zz99 a0a9 depth 2"))
    warnings = [f"info message warning searchmoves {text} ignored" for text in ("zz99", "a0a9")]
    assert [line for line in engine.texts() if "warning" in line] == warnings


def test_a_flood_of_lines_is_dammed(engine):
    engine.best("setoption multipv 40", "position fen 3k5/9/9/9/9/9/9/9/9/4K1R2 w", "go depth 14")
    lines = [(when, text) for when, text in engine.lines if " pv " in text]
    assert len(lines) <= 20 + 20 * (lines[-1][0] - lines[0][0] + 0.1) + 40
    assert field(lines[-1][1], "depth") == "14"


def test_equal_commands_give_equal_answers(engine):
    engine.send("setoption threads 1")
    answers = []
    for command in ("", "setoption newgame", "newgame", "ucinewgame", "uccinewgame", "# another thought"):
        engine.send(command)
        start = engine.mark()
        engine.best(MIDDLE, "go nodes 20000")
        # The last line of each depth: news within an iteration comes only if it takes long.
        finished = {field(line, "depth"): line.split(" nps ")[0] for line in pv_lines(engine.texts(start))}
        answers.append([*finished.values()][:-1])  # the last iteration is not finished
    assert len(answers[0]) > 4 and all(answer == answers[0] for answer in answers[1:-1])
    assert answers[-1] != answers[0]  # it remembers, unless it is told of a new game
