"""Time management: the budgets of the protocol reference, on any clock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eleengine import Board
from eleengine.ucci.go import DEFAULT_MS, Go, GoJob
from eleengine.ucci.options import UcciOptions


def limits(words, *, red=True, usemillisec=True, overhead_ms=50, ponder=False):
    limit = Go(words.split()).limit(red, unit_ms=1 if usemillisec else 1000, overhead_ms=overhead_ms)
    found = limit.arguments(red, overhead_ms=overhead_ms, ponder=ponder)
    return found["optimum_ms"], found["maximum_ms"]


@pytest.mark.parametrize("words, optimum, maximum", [
    ("time 1050", 900, 1000),
    ("time 1050 movestogo 1", 900, 1000),
    ("time 1050 movestogo 0", 900, 1000),
    ("time 10050 movestogo 10", 1000, 4000),
    ("time 10050 movestogo 2", 5000, 8000),
    ("time 30050 increment 0", 1000, 5000),
    ("time 30050 opptime 1", 1000, 5000),
    ("time 25050 increment 1000", 1750, 25000 // 3 + 1000),
    ("time 1050 increment 60000", 800, 800),
    ("wtime 30050 btime 9", 1000, 5000),
    ("wtime 30050 btime 9 movestogo 0", 1000, 5000),
    ("wtime 25050 btime 9 winc 1000 movestogo -1", 1750, 25000 // 3 + 1000),
    ("time 30050 increment x", 1000, 5000),
    ("time 30050 movestogo x", 1000, 5000),
    ("movetime 1000", 0, 995),
    ("movetime 100", 0, 95),
    ("movetime 100 time 60050", 95, 95),
    ("time 0", 1, 1),
    ("time -5 increment 3000", 1, 1),
    ("depth 5 nodes 3", 0, 0),
    ("increment 3000 opptime 5", 0, 0),
    ("time 99999999999999999999 increment 0", (2**31 - 51) // 30, (2**31 - 51) // 6),
])  # fmt: skip
def test_budgets(words, optimum, maximum):
    assert limits(words) == (optimum, maximum)


@pytest.mark.parametrize("dialect, words", [
    ("ucci", ""),
    ("ucci", "draw"),
    ("ucci", "depth abc"),
    ("ucci", "depth -3 mate"),
    ("ucci", "movestogo 10"),
    ("uci", "depth abc"),
    ("uci", "nodes -1"),
    ("uci", "movestogo 10"),
    ("uci", "btime 1000 binc 0"),  # Red is to move
])  # fmt: skip
def test_a_go_that_tells_nothing_of_use_ends(dialect, words):
    job = GoJob(Go(words.split()), Board(), 0.0, UcciOptions(), dialect, must_end=False)
    assert (job.limits(0)["maximum_ms"], job.must_hold_answer) == (DEFAULT_MS, False)
    assert not any(job.limits(0)[name] for name in ("depth", "nodes", "mate", "optimum_ms"))


@pytest.mark.parametrize("words", ["mate 9", "mate 100 draw"])
def test_a_mate_that_is_not_found_need_not_end_unless_it_must(words):
    found = [
        GoJob(Go(words.split()), Board(), 0.0, UcciOptions(), "ucci", must_end=must_end).limits(0)[
            "maximum_ms"
        ]
        for must_end in (False, True)
    ]
    assert found == [0, DEFAULT_MS]


@pytest.mark.parametrize("words, gone_ms, optimum, maximum", [
    ("time 30050 increment 0", 100, 900, 4900),
    ("time 30050 increment 0", 700, 500, 4300),
    ("time 30050 increment 0", 9000, 500, 500),
    ("time 1050", 100, 800, 900),
    ("time 1050", 2000, 1, 1),
    ("movetime 550", 100, 0, 445),
    ("movetime 550", 2000, 0, 1),
    ("depth 8", 2000, 0, 0),
])  # fmt: skip
def test_time_that_is_gone_before_the_search(words, gone_ms, optimum, maximum):
    options = UcciOptions()
    options.values["usemillisec"] = True
    found = GoJob(Go(words.split()), Board(), 0.0, options, "ucci", must_end=False).limits(gone_ms)
    assert (found["optimum_ms"], found["maximum_ms"]) == (optimum, maximum)


def test_the_movers_clock():
    assert limits("wtime 30050 btime 15050", red=True) == (1000, 5000)
    assert limits("wtime 30050 btime 15050", red=False) == (500, 2500)
    words = "wtime 25050 btime 12550 winc 1000 binc 400"
    assert limits(words, red=True) == (1750, 25000 // 3 + 1000)
    assert limits(words, red=False) == (800, 12500 // 3 + 400)


def test_seconds():
    words = "time 30 increment 0"
    assert limits(words, usemillisec=False, overhead_ms=0) == limits("time 30000 increment 0", overhead_ms=0)
    options = UcciOptions()
    options.values["usemillisec"] = False
    found = GoJob(Go(words.split()), Board(), 0.0, options, "ucci", must_end=False).limits(0)
    assert (found["optimum_ms"], found["maximum_ms"]) == limits("time 30000 increment 0")
    assert limits("movetime 500", usemillisec=False) == limits("movetime 500")


def test_pondering_allows_more():
    assert limits("time 30050 increment 0", ponder=True) == (1250, 5000)
    assert limits("time 1050", ponder=True) == (1000, 1000)


@given(
    time=st.integers(-10, 10**7), increment=st.none() | st.integers(-10, 10**5),
    moves=st.none() | st.integers(-2, 100), overhead=st.integers(0, 5000), ponder=st.booleans(),
)  # fmt: skip
def test_never_more_than_there_is(time, increment, moves, overhead, ponder):
    words = f"time {time}"
    words += f" increment {increment}" * (increment is not None) + f" movestogo {moves}" * (moves is not None)
    optimum, maximum = limits(words, overhead_ms=overhead, ponder=ponder)
    assert 1 <= optimum <= maximum <= max(1, time)
    if time > 4 * overhead:
        assert maximum <= time - overhead or maximum == 1
