"""What a search says while it runs, on a clock of the test's own: neither a flood nor silence."""

from types import SimpleNamespace

import pytest

from eleengine import RED, Move
from eleengine.score import Cp, PovScore
from eleengine.ucci import report
from eleengine.ucci.report import BURST, CURRMOVE_AFTER_MS, HEARTBEAT_S, LINES_PER_SECOND, InfoWriter

MOVES = [Move.from_iccs(text) for text in ("h2e2", "b2e2", "b0c2")]


@pytest.fixture
def now(monkeypatch):
    """A clock; its `value` are the seconds."""
    clock = SimpleNamespace(value=100.0)
    monkeypatch.setattr(report, "perf_counter", lambda: clock.value)
    return clock


def line(depth, *, rank=1, move=MOVES[0], score=12):
    return {
        "depth": depth,
        "seldepth": depth,
        "multipv": rank,
        "score": PovScore(Cp(score), RED),
        "nodes": 100 * depth,
        "time": depth / 1000,
        "hashfull": 3,
        "tbhits": 0,
        "pv": [move],
    }


def voice(dialect="ucci", multipv=1):
    said = []
    return said, InfoWriter(said.append, dialect, multipv, 0, False)


def tick(told, ms, number=1):
    told.tick({"nodes": 500, "hashfull": 7, "currmove": MOVES[0], "currmovenumber": number}, ms)


def test_a_second_of_silence_ends_with_a_heartbeat(now):
    said, told = voice()
    now.value += HEARTBEAT_S - 0.01
    tick(told, 990)
    assert said == []
    now.value += 0.01
    tick(told, 1000)
    assert said == ["info depth 1 time 1000 nodes 500 nps 500 hashfull 7"]
    now.value += HEARTBEAT_S / 2
    told.take(line(5))
    now.value += HEARTBEAT_S * 0.6
    tick(told, 2100)
    assert len(said) == 2  # the line was a sign of life, too


def test_the_move_being_searched_is_told_late_and_once(now):
    said, told = voice()
    tick(told, CURRMOVE_AFTER_MS - 1)
    assert said == []
    for number in (1, 1, 2, 2):
        tick(told, CURRMOVE_AFTER_MS, number)
    assert said == [f"info currmove h2e2 currmovenumber {number}" for number in (1, 2)]
    said, told = voice("uci")
    told.take(line(9))
    tick(told, CURRMOVE_AFTER_MS)
    assert said[-1] == "info depth 9 currmove h2e2 currmovenumber 1"


def test_a_flood_is_dammed_and_the_newest_line_waits(now):
    said, told = voice()
    for depth in range(1, 2 * BURST):
        told.take(line(depth))
    assert len(said) == BURST
    now.value += 3.5 / LINES_PER_SECOND
    tick(told, 100)
    assert len(said) == BURST + 1 and f"depth {2 * BURST - 1} " in said[-1]
    now.value += HEARTBEAT_S / 2
    tick(told, 200)
    assert len(said) == BURST + 1  # nothing waits any more


def test_lines_that_waited_are_shown_at_the_end(now):
    said, told = voice(multipv=2)
    for depth in range(1, BURST):
        for rank in (1, 2):
            told.take(line(depth, rank=rank, move=MOVES[rank]))
    last = [line(BURST, rank=rank, move=MOVES[rank]) for rank in (1, 2)]
    told.close(last, last[0])
    assert [
        (f"depth {BURST} " in text, f"multipv {rank} " in text) for rank, text in enumerate(said[-2:], 1)
    ] == [(True, True)] * 2


def test_the_line_of_a_move_that_is_chosen_otherwise_comes_last(now):
    said, told = voice()
    lines = [line(6, rank=rank, move=move) for rank, move in enumerate(MOVES, 1)]
    told.take(lines[0])
    told.close(lines, lines[2])
    assert said[-1].endswith(" pv b0c2") and "multipv" not in said[-1]


def test_depths_never_go_back(now):
    said, told = voice()
    for depth in (4, 6, 5):
        told.take(line(depth))
    assert [text.split()[2] for text in said] == ["4", "6", "6"]
