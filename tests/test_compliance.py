"""`eleengine compliance`: our engine passes, and each broken rule is found by its check."""

import sys
from itertools import pairwise

import pytest
from support import call

from eleengine.lab.match import compliance
from eleengine.lab.match.compliance import check_engine

pytestmark = pytest.mark.system

ENGINE = r"""
import sys, time
from eleengine._core import BaseBoard, Move
protocol, fault = sys.argv[1:]
board, endless, allowed, learnt = BaseBoard(), False, None, False
def say(text):
    print(text, flush=True)
def best():
    global learnt
    if board is None:
        return say("nobestmove" if protocol == "ucci" else "bestmove (none)")
    moves = sorted(map(Move.iccs, board.legal_moves))
    if allowed is not None and fault != "roots":
        moves = [move for move in moves if move in allowed]
    if not moves:
        return say("nobestmove" if protocol == "ucci" else "bestmove (none)")
    score = "cp 5" if protocol == "uci" else "5"
    if fault == "number":
        say(f"info depth one score {score}")
    if fault != "silent":
        pv = moves[0] + (" a0a0" if fault == "pv" else "")
        say(f"info depth 1 score {score} nodes {7 if learnt else 700} pv {pv}")
    learnt = True
    move = "a0a9" if fault == "illegal" else moves[0]
    say(f"bestmove {move}" + (" ponder a0a9" if fault == "answer" else ""))
if fault == "stillborn":
    sys.exit(3)
for line in sys.stdin:
    words = line.split()
    if words == [protocol]:
        say("id author nobody" if fault == "nameless" else "id name Good\nid author nobody")
        name = "option name" if protocol == "uci" else "option"
        say(f"{name} Hash type spin default {0 if fault == 'range' else 16} min 1 max 64")
        if protocol == "ucci":
            say("option newgame type button")
        if fault != "ponderhit":
            say(f"{name} Ponder type check default false")
        say(f"{protocol}ok")
    elif words[0] == "isready":
        say("readyok")
    elif words[0] == "setoption" and fault == "options" and "Hash" in words:
        sys.exit(1)
    elif words == ["setoption", "newgame"] and fault != "memory":
        learnt = False
    elif words[0] == "xyzzy" and fault == "unknown":
        sys.exit(1)
    elif words[0] == "position":
        moves = words[words.index("moves") + 1:] if "moves" in words else []
        before, allowed = board, None
        try:
            board = BaseBoard() if words[1] == "startpos" else BaseBoard(" ".join(words[2:8]))
            for move in moves:
                board.push(Move.from_iccs(move))
        except ValueError:
            board = before if fault == "refused" else None
        if fault == "long" and len(moves) > 100:
            sys.exit(1)
    elif words[0] == "banmoves":
        allowed = [move.iccs() for move in board.legal_moves if move.iccs() not in words]
    elif words[0] == "go":
        if "searchmoves" in words:
            allowed = words[words.index("searchmoves") + 1:]
        endless = "infinite" in words or "ponder" in words
        if "movetime" in words and fault == "late":
            time.sleep(1.5)
        if not endless or (fault == "hasty" and "infinite" in words) or fault in words:
            best()
            endless = False
    elif words[0] == "stop" and fault == "stop":
        best()
    elif words[0] == "probe" and protocol == "ucci" and fault != "probe":
        say("pophash bestmove " + ("a0a9" if fault == "probed" else "a9a8" if words[1] == "fen" else "h2e2"))
    elif words[0] == "stop" and endless or words[0] == "ponderhit" and endless and fault != "ponderhit":
        endless = False
        best()
    elif words[0] == "quit":
        if fault == "quit":
            sys.exit(2)
        if protocol == "ucci":
            say("bye")
        break
"""
NAMES = list(compliance.CHECKS)


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = tmp_path_factory.mktemp("engine") / "engine.py"
    path.write_text(ENGINE)
    return lambda protocol, fault: [sys.executable, str(path), protocol, fault]


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_an_engine_without_faults_passes(program, protocol):
    seen = []
    found = check_engine(program(protocol, "none"), protocol, report=seen.append)
    assert [check.name for check in found] == NAMES and seen == found
    skipped = {"forgets the game before", "answers probe"}
    if protocol == "ucci":
        skipped = {"keeps to the time for a move"}
    assert {check.name for check in found if check.verdict == "skipped"} == skipped
    assert not [check for check in found if check.verdict == "fault"]


@pytest.mark.parametrize(
    ("fault", "name", "detail"),
    [
        ("stillborn", "greets", "ended with status 3"),
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
        ("late", "keeps to the time for a move", "s for go movetime 300"),
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
def test_a_broken_rule_is_found_by_its_check(program, monkeypatch, fault, name, detail):
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


def test_the_command_goes_on_after_a_fault(program):
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
