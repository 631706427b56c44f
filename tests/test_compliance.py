"""`eleengine compliance`: our engine passes, and each broken rule is found by its check."""

import sys
from itertools import pairwise

import pytest
from support import CHECKOUT, call

from eleengine.lab.match import compliance
from eleengine.lab.match.compliance import check_engine

pytestmark = pytest.mark.system

NAMES = list(compliance.CHECKS)


def program(protocol, fault):
    return [sys.executable, str(CHECKOUT / "tests/bad_engine.py"), fault, "0", protocol]


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_an_engine_without_faults_passes(protocol):
    seen = []
    found = check_engine(program(protocol, "good"), protocol, report=seen.append)
    assert [check.name for check in found] == NAMES and seen == found
    skipped = {"forgets the game before", "answers probe"}
    if protocol == "ucci":
        skipped = {"keeps to the time for a move"}
    assert {check.name for check in found if check.verdict == "skipped"} == skipped
    assert not [check for check in found if check.verdict == "fault"]


@pytest.mark.parametrize(
    ("fault", "name", "detail"),
    [
        ("stillborn", "greets", "ended with status 1"),
        ("nameless", "says who it is", "no id name"),
        ("range", "announces options well", "default is between them"),
        ("options", "takes its own defaults", "ended with status 1"),
        ("unknown", "passes over unknown commands", "ended with status 1"),
        ("stop", "passes over stop without a search", "without a search"),
        ("silent", "searches to a depth, from startpos", "no info with a score"),
        ("number", "searches to a depth, from startpos", "depth is no whole number"),
        ("pv", "searches to a depth, from startpos", "a0a0 is no legal move"),
        ("illegal", "plays both sides", "'bestmove a0a9' is no legal move"),
        ("answer", "searches some nodes", "the move to ponder on is not legal"),
        ("tardy", "keeps to the time for a move", "s for go movetime 300"),
        ("hasty", "searches until stop, and answers isready meanwhile", "in go infinite, before stop"),
        ("ponder", "ponders", "in go ponder, before ponderhit"),
        ("roots", "heeds the moves that it may play", "of searchmoves that leave"),
        ("long", "follows a long game", "ended with status 1"),
        ("memory", "forgets the game before", "7 nodes after 'setoption newgame', 700 in the game before"),
        ("ponderhit", "ponders", "within 2 s after ponderhit"),
        ("refused", "plays no move of the position before a refused one", "a5a0' after 'position fen bad"),
        ("probe", "answers probe", "no pophash within 2 s after probe fen r1"),
        ("probed", "answers probe", "'pophash bestmove a0a9' is no legal move"),
        ("quit", "ends with quit", "it ends with status 2"),
    ],
)
def test_a_broken_rule_is_found_by_its_check(monkeypatch, fault, name, detail):
    checks = {key: step for key, step in compliance.CHECKS.items() if key in ("greets", name)}
    monkeypatch.setattr(compliance, "CHECKS", checks)
    monkeypatch.setattr(compliance, "ANSWER_SECONDS", 2.0)
    protocol = "ucci" if fault in ("memory", "ponderhit", "probe", "probed") else "uci"
    found = check_engine(program(protocol, fault), protocol)
    assert (found[-1].name, found[-1].verdict) == (name, "fault")
    assert detail in found[-1].detail
    assert all(check.verdict == "ok" for check in found[:-1])
    assert all(one.name != other.name for one, other in pairwise(found))


def test_the_long_game_is_one_that_no_rule_ends():
    """ElephantEye says nobestmove after 100 plies without a capture, and after repetitions."""
    board = compliance.long_game(compliance.LONG_GAME)
    assert board.ply == compliance.LONG_GAME and board.outcome() is None
    while board.move_stack:
        assert board.halfmove_clock < 100 and not board.is_repetition(2)
        board.pop()


def test_the_command_goes_on_after_a_fault():
    done = call("compliance", f"cmd={' '.join(program('uci', 'nameless'))}", "proto=uci")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert len(lines) == len(NAMES) + 2 and lines[-1] == f"{len(NAMES)} checks, 1 fault"
    assert "fault   says who it is: no id name" in lines
    refused = call("compliance", "hash=1")
    assert refused.returncode == 2 and "cmd=COMMAND" in refused.stderr


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["uci", "ucci"])
@pytest.mark.parametrize("program", ["", " papers engine", " papers engine --program engine-thesis"])
def test_our_programs_pass(protocol, program):
    done = call("compliance", f"cmd={sys.executable} -m eleengine{program}", f"proto={protocol}")
    assert done.returncode == 0, done.stdout
