"""The transposition table: what it keeps, for how long, and what must never be in it."""

import json

import pytest
from support import MIDDLEGAMES, POSITIONS, classical, full_width

from eleengine import Board
from eleengine._core import MATE

MATE_IN_3 = "4k4/9/9/9/9/9/9/8R/9/3K4R w"
LONGEST_MATE = 1000  # plies


def children(board):
    """The board after each legal move."""
    for move in list(board.legal_moves):
        board.push(move)
        yield board
        board.pop()


def test_only_what_the_search_under_way_has_written_counts_as_full():
    searcher = classical(hash_mib=1)
    searcher.search(Board(), nodes=100_000)
    assert searcher.hashfull > 300
    [line] = searcher.search(Board(MATE_IN_3), depth=1)
    assert line.hashfull == searcher.hashfull < 10


def test_entries_of_searches_long_ago_make_room():
    """Deep entries of earlier searches do not keep a small table to themselves."""
    searcher = classical(hash_mib=1)
    full = []
    for fen in MIDDLEGAMES * 3:
        searcher.search(Board(fen), nodes=100_000)
        full.append(searcher.hashfull)
    assert sum(full[-3:]) > 0.85 * sum(full[:3]), full  # about a half if depth alone counted


def test_what_is_in_the_way_of_a_search_is_replaced_the_oldest_first():
    """After 32 searches ages begin anew: an entry must not become young again."""
    searcher, other = classical(hash_mib=1), Board(MIDDLEGAMES[0])
    searcher.search(Board(), depth=9)
    for _ in range(40):
        searcher.search(other, depth=2)
    assert searcher.probe(Board()) is not None  # nothing has pushed it out
    searcher.search(other, nodes=400_000)
    assert searcher.probe(Board()) is None


def test_mates_are_remembered_by_their_distance_from_the_position():
    """Each position of the winning line says how far it is from the mate, not how far the root was."""
    board = Board("4k4/9/9/9/9/9/9/9/3R5/R2K5 w")
    searcher = full_width(network=None, hash_mib=1)  # else the mate is known before the table has seen it
    [line] = searcher.search(board, depth=8)
    plies = MATE - line.score
    assert plies == 3
    seen = 0
    for done, move in enumerate(line.pv):
        _, score, _, _ = searcher.probe(board)
        assert score == (MATE - plies + done) * (1 if done % 2 == 0 else -1)
        seen += 1
        board.push(move)
    assert seen == 3


def lost_by_the_rules():
    """Games whose next move may complete a loss by the rules of repetition."""
    for line in (POSITIONS / "repetition.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["tier"] == "core" and case["reason"] in ("perpetual_check", "perpetual_chase"):
            yield case


def test_verdicts_of_the_rules_are_not_remembered():
    """They hold on one path only: the table knows positions."""
    wins = 0
    for case in lost_by_the_rules():
        board = Board(case["fen"])
        for text in case["moves"][:-1]:
            board.push_iccs(text)
        searcher = classical(hash_mib=1)
        lines = searcher.search(board, depth=5)
        wins += bool(lines) and 20_000 < abs(lines[0].score) < MATE - LONGEST_MATE
        for position in (board, *children(board)):
            entry = searcher.probe(position)
            assert entry is None or abs(entry[1]) <= MATE, (case["id"], position.fen(), entry)
            for below in children(position) if position is not board else ():
                entry = searcher.probe(below)
                assert entry is None or abs(entry[1]) <= MATE, (case["id"], below.fen(), entry)
    assert wins > 3


@pytest.mark.parametrize(("name", "value", "same"), [("rule_set", 3, 0), ("no_capture_limit", 100, 120)])
def test_other_rules_begin_with_an_empty_table(name, value, same):
    """What is a draw under one set of rules may be a loss under another."""
    searcher, board = classical(hash_mib=1), Board()
    searcher.search(board, depth=5)
    setattr(searcher, name, same)
    assert searcher.probe(board) is not None  # no change, nothing lost
    setattr(searcher, name, value)
    assert searcher.probe(board) is None
    searcher.search(board, depth=5)
    assert searcher.probe(board) is not None


def test_a_new_size_begins_with_an_empty_table():
    searcher, board = classical(hash_mib=1), Board()
    searcher.search(board, depth=5)
    searcher.resize(2)
    assert searcher.probe(board) is None


def test_the_entry_of_the_root_is_the_result():
    searcher, board = classical(hash_mib=4), Board(MIDDLEGAMES[1])
    [line] = searcher.search(board, depth=8)
    move, score, depth, bound = searcher.probe(board)
    assert (move, score, bound) == (line.pv[0], line.score, "exact")
    assert 5 <= depth <= 8  # a last attempt of the aspiration window may be shallower
