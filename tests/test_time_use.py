"""When a search with a clock ends: by how sure it is of its move, and how the score has changed.

The reports of a search are pauses here: time passes in them as a test wants it, on any machine. What
the search knew after an iteration is found out by searches to that depth, which one thread repeats exactly.
"""

import time
from itertools import pairwise
from typing import NamedTuple

import pytest
from support import classical

from eleengine import Board
from eleengine._core import MATE
from eleengine.commands.bench import POSITIONS

OPTIMUM = 300  # ms
FORCED = "4k4/9/9/9/9/9/9/4r4/9/3K5 w"  # d0d1 is the only move


class Moment(NamedTuple):
    """What is known after an iteration."""

    fen: str
    depth: int
    stable: int  # iterations for which the best move has been the best
    drop: int  # centipawns that the score has fallen
    effort: float  # the part of all nodes that the best move took


def aim(stable, drop, effort):
    """The part of the optimum after which no other iteration begins, as docs/search-algorithm.md has it."""
    return 0.65 * (1.3 - 0.09 * min(stable, 6)) * (1 + max(-40, min(80, drop)) / 120) * (1.9 - 1.3 * effort)


@pytest.fixture(scope="module")
def moments():
    """Of quick searches of the bench positions, from depth 6 on."""
    searcher, found = classical(hash_mib=4), []
    for fen in POSITIONS:
        seen = {}
        searcher.clear()
        searcher.search(Board(fen), depth=10, report=lambda info, seen=seen: seen.update({info.depth: info}))
        stable = 0
        for last, info in pairwise(seen.values()):
            stable = stable + 1 if info.pv[0] == last.pv[0] else 0
            if (
                6 <= info.depth < 10
                and info.nodes < 15_000
                and max(abs(info.score), abs(last.score)) < MATE // 2
            ):
                searcher.clear()
                [line] = searcher.search(Board(fen), depth=info.depth)
                assert (line.nodes, line.pv[0]) == (info.nodes, info.pv[0])
                nodes = searcher.root_nodes()
                effort = nodes[line.pv[0]] / sum(nodes.values())
                if effort < 0.999:  # there is a choice
                    found.append(Moment(fen, info.depth, stable, last.score - info.score, effort))
    return found


def goes_on(fen, depth, spent, optimum=OPTIMUM, maximum=10 * OPTIMUM):
    """Does another iteration begin when that part of the optimum is spent after this depth?"""
    searcher, start, told = classical(hash_mib=4), time.monotonic(), 0

    def report(info):
        nonlocal told
        if info.depth == depth and not told:
            told = info.nodes
            time.sleep(max(0, start + spent * optimum / 1000 - time.monotonic()))
        elif told:
            searcher.stop()

    searcher.search(Board(fen), optimum_ms=optimum, maximum_ms=maximum, depth=depth + 1, report=report)
    assert told
    return sum(searcher.worker_nodes()) > told  # it need not end in time


def decisions(moments, other):
    """Moments at which ignoring something matters: (moment, part of the optimum between both decisions)."""
    found = []
    for moment in moments:
        mine, theirs = aim(*moment[2:]), aim(*other(moment)[2:])
        found.append((max(mine, theirs) / min(mine, theirs), moment, (mine * theirs) ** 0.5))
    return sorted(found, key=lambda entry: entry[0])


@pytest.mark.system
@pytest.mark.parametrize(
    ("case", "ends", "condition", "other"),
    [
        ("a move that has long been the best", True, lambda m: m.stable >= 6, lambda m: m._replace(stable=0)),
        ("a new best move", False, lambda m: m.stable == 0, lambda m: m._replace(stable=6)),
        ("a score that has fallen", False, lambda m: m.drop >= 50, lambda m: m._replace(drop=0)),
        ("a score that has risen", True, lambda m: m.drop <= -40, lambda m: m._replace(drop=0)),
        ("a move that takes all nodes", True, lambda m: m.effort > 0.85, lambda m: m._replace(effort=0.4)),
        ("many moves alike", False, lambda m: m.effort < 0.3, lambda m: m._replace(effort=0.8)),
    ],
    ids=lambda value: value.replace(" ", "-") if isinstance(value, str) else None,
)
def test_what_makes_a_search_end_or_go_on(moments, case, ends, condition, other):
    """At a time at which it would decide the other way if it did not know that."""
    found = decisions([m for m in moments if condition(m)], other)
    assert found, "none of the positions has such a moment"
    factor, moment, spent = found[-1]
    assert factor > 1.3
    # A machine that is busy may let more time pass than it was told to: three attempts.
    assert any(goes_on(moment.fen, moment.depth, spent) != ends for _ in range(3)), moment


@pytest.mark.system
def test_a_move_with_a_time_of_its_own_uses_it(moments):
    """Where nothing can be saved for later, being sure is no reason to end."""
    moment = min(moments, key=lambda m: aim(*m[2:]))
    assert aim(*moment[2:]) < 0.5
    assert any(goes_on(moment.fen, moment.depth, 0.8, maximum=OPTIMUM * 10 // 9) for _ in range(3))
    assert not goes_on(moment.fen, moment.depth, 1.05, maximum=OPTIMUM * 10 // 9)
    assert not goes_on(moment.fen, moment.depth, 0.8)


def test_a_forced_move_takes_no_time():
    assert Board(FORCED).legal_moves.count() == 1
    [line] = classical(hash_mib=1).search(Board(FORCED), optimum_ms=5000, maximum_ms=20_000)
    assert line.depth == 1


@pytest.mark.system
def test_pondering_takes_no_time_into_account():
    """A moment at which the clock would end the search, but it does not run."""
    searcher, deepest = classical(hash_mib=1), 0

    def report(info):
        nonlocal deepest
        deepest = info.depth
        if info.depth == 2:
            time.sleep(0.05)

    searcher.search(Board(), optimum_ms=1, maximum_ms=1, depth=5, ponder=True, report=report)
    assert deepest == 5
