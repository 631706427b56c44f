"""Why a move is not legal."""

import random

import pytest

from eleengine import Board, Move
from eleengine.legality import REASONS, why_illegal
from eleengine.squares import SQUARES


def test_a_move_without_a_reason_is_legal():
    """All pairs of squares in positions of random games: there is a reason where the core refuses."""
    rng = random.Random(40)
    found = set()
    for _ in range(3):
        board = Board()
        while not board.is_game_over() and board.ply < 160:
            board.push(rng.choice(list(board.legal_moves)))
            if board.ply % 20 and not board.is_check():
                continue
            legal = set(board.legal_moves)
            for start in SQUARES:
                for end in SQUARES:
                    if start != end:
                        reason = why_illegal(board, move := Move(start, end))
                        assert (reason is None) == (move in legal), (board.fen(), move)
                        found.add(reason)
    assert found <= {None, *REASONS} and len(found) >= 12


@pytest.mark.parametrize(
    ("fen", "move", "reason"),
    [
        (Board().fen(), "a4a5", "no_piece"),
        (Board().fen(), "a9a8", "no_piece"),
        (Board().fen(), "a0a3", "own_piece"),
        (Board().fen(), "b0b3", "shape"),
        (Board().fen(), "b0d1", "leg"),
        (Board().fen(), "a0a4", "way"),
        (Board().fen(), "h2h8", "way"),
        (Board().fen(), "h2h7", "screen"),
        (Board().fen(), "a3a2", "backward"),
        (Board().fen(), "a3b3", "sideways"),
        ("3k5/9/9/9/9/9/9/9/3P5/2B1K4 w - - 0 1", "c0e2", "eye"),
        ("4k4/9/9/9/4p4/2B6/9/9/9/3K5 w - - 0 1", "c4e6", "river"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "d0c0", "palace"),
        ("4k4/9/9/9/9/9/9/9/9/3KA4 w - - 0 1", "e0f1", None),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "d0e0", "facing"),
        ("3rk4/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1", "f0e1", "in_check"),
        ("3rk4/9/9/9/9/9/9/9/3A5/3K5 w - - 0 1", "d1e2", "into_check"),
        ("3rk4/9/9/9/9/9/9/9/9/3K1A3 w - - 0 1", "0000", "in_check"),
    ],
)
def test_each_reason(fen, move, reason):
    assert why_illegal(Board(fen), Move.from_iccs(move)) == reason
