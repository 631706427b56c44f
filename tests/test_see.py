"""see() is the value of the exchange that both sides would play out with legal captures."""

import random

import pytest
from support import ADVISOR, BISHOP, CANNON, KINDS, KING, KNIGHT, PAWN, ROOK, Board, Move, random_positions

VALUE = {ADVISOR: 160, BISHOP: 150, KNIGHT: 480, ROOK: 1000, CANNON: 520, PAWN: 110, KING: 5000}
ORDER = (PAWN, BISHOP, ADVISOR, KNIGHT, CANNON, ROOK, KING)  # the least valuable piece captures first


def exchange(board, target):
    """What the side to move wins on target by legal captures, each with the least valuable piece, or none."""
    captures = [move for move in board.legal_moves if move.to_square == target]
    if not captures:
        return 0
    move = min(captures, key=lambda m: (ORDER.index(board.piece_type_at(m.from_square)), m.from_square))
    return max(0, worth(board, move))


def worth(board, move):
    """What the move wins on its destination if both sides exchange well there."""
    victim = VALUE.get(board.piece_type_at(move.to_square), 0)
    board.push(move)
    answer = exchange(board, move.to_square)
    board.pop()
    return victim - answer


@pytest.mark.parametrize("kind", KINDS)
def test_see_is_the_exchange_played_out(kind):
    rng = random.Random(1)
    captures = quiet = losing = 0
    for board in random_positions(11, 1_000, kind):
        moves = list(board.legal_moves)
        taking = [move for move in moves if board.is_capture(move)]
        for move in {*taking, *rng.sample(moves, min(3, len(moves)))}:
            expected = worth(board, move)
            assert board.see(move) == expected, (board.fen(), move)
            captures += move in taking
            quiet += move not in taking
            losing += expected < 0
    assert captures > 300
    assert quiet > 1000
    assert losing > 100


@pytest.mark.parametrize("kind", KINDS)
def test_see_ge_compares_see_with_any_threshold(kind):
    rng = random.Random(2)
    for board in random_positions(12, 600, kind):
        for move in board.legal_moves:
            value = board.see(move)
            steps = {-6000, 0, 1, value - 1, value, value + 1, 6000, rng.randint(-1200, 1200)}
            for threshold in steps | {VALUE[rng.choice(ORDER)] * rng.choice((-1, 1))}:
                assert board.see_ge(move, threshold) == (value >= threshold), (board.fen(), move, threshold)


def see(fen, move):
    return Board(fen).see(Move.from_iccs(move))


@pytest.mark.parametrize(
    ("fen", "move", "value", "why"),
    [
        ("3k5/9/9/9/9/p8/9/9/9/R3K4 w", "a0a4", 110, "nobody takes back"),
        ("3k5/9/9/9/p8/p8/9/9/9/R3K4 w", "a0a4", -890, "a pawn protects a pawn"),
        ("3k5/9/9/9/r8/p8/9/9/R8/R3K4 w", "a1a4", 110, "rooks behind each other"),
        ("3k5/9/9/c8/9/p8/9/9/9/R3K4 w", "a0a4", 110, "a cannon without a screen protects nothing"),
        ("3k5/9/c8/9/r8/p8/9/9/9/R3K4 w", "a0a4", -890, "a cannon is second in line"),
        ("3k5/9/9/9/1n7/9/p8/9/9/R3K4 w", "a0a3", -890, "the knight protects the pawn"),
        ("3k5/9/9/9/1n7/1N7/p8/9/9/R3K4 w", "a0a3", 110, "its leg is blocked"),
        ("3k5/9/9/9/3n5/9/2p6/9/9/2RK5 w", "c0c3", 110, "pinned: it may not take back"),
        ("3k5/9/9/9/9/9/9/9/R8/4K4 w", "a1a9", 0, "a quiet move to a safe square"),
    ],
)
def test_exchanges_known_by_hand(fen, move, value, why):
    assert see(fen, move) == value, why


def test_thresholds_beyond_any_exchange_are_fine():
    move = next(iter(Board().legal_moves))
    assert Board().see_ge(move, -(10**30))
    assert not Board().see_ge(move, 10**30)
