"""Checks and threats of mate as the search finds them, compared with trying every move."""

import json
from pathlib import Path

import pytest
from support import KINDS, Board, random_positions

from eleengine._core import MATE, Searcher

POSITIONS = Path(__file__).parent.parent / "positions"


def mates_at_once(board):
    for move in board.legal_moves:
        board.push(move)
        mate = not board.legal_moves
        board.pop()
        if mate and board.gives_check(move):
            return True
    return False


def passed(board):
    pieces, turn = board.fen().split()[:2]
    return Board(f"{pieces} {'b' if turn == 'w' else 'w'} - - 0 1")


def has_flight(board):
    """Could the king step on a square that nobody attacks?"""
    king = board.king(board.turn)
    return any(move.from_square == king for move in board.legal_moves)


@pytest.mark.parametrize("kind", KINDS)
def test_checking_moves_are_the_legal_moves_that_give_check(kind):
    found = 0
    for board in random_positions(21, 1_500, kind):
        expected = [move for move in board.legal_moves if board.gives_check(move)]
        assert sorted(map(str, board._checking_moves())) == sorted(map(str, expected)), board.fen()
        found += len(expected)
    assert found > 300


@pytest.mark.parametrize("kind", KINDS)
def test_a_threat_is_a_mate_after_a_pass(kind):
    found = 0
    for board in random_positions(22, 1_500, kind):
        if board.is_check():
            assert not board._is_threatened()
            continue
        expected = not has_flight(board) and mates_at_once(passed(board))
        assert board._is_threatened() == expected, board.fen()
        found += expected
    assert found > 0


@pytest.mark.parametrize(
    ("fen", "nodes"),
    [
        ("2ba1k3/2N1a3P/4c4/7c1/9/4R4/9/9/4A4/3AK4 b - - 0 1", 1_000),
        ("4k1b2/9/4b4/6N1P/9/9/P8/2pA5/1r7/c2K1A3 b - - 0 1", 4_000),
    ],
)
def test_a_quiet_move_that_threatens_mate_is_found_at_once(fen, nodes):
    [line] = Searcher(hash_mib=1).search(Board(fen), nodes=nodes)
    assert line.score == MATE - 3


@pytest.mark.parametrize(("nodes", "share"), [(1_500, 0.5), (8_000, 0.9)])
def test_quiet_mates_are_seen_early(nodes, share):
    searcher, rows, seen = Searcher(hash_mib=1), 0, 0
    for line in (POSITIONS / "quiet-mates.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        searcher.clear()
        [found] = searcher.search(Board(row["fen"]), nodes=nodes)
        rows += 1
        seen += found.score > MATE - 100 if "win_in_plies" in row else found.pv[0].iccs() in row["best"]
    assert rows == 200
    assert seen >= share * rows
