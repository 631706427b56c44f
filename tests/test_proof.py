"""Mates by proof numbers: those with quiet moves are found, and they hold against every reply."""

import random

import pytest

from eleengine import Board
from eleengine._core import Context, Searcher

# Kills in four to seven moves that the search alone does not see in 4,000 nodes, with their number of moves.
# From the exercises of zfdang/chinese-chess-fish-android.
KILLS = (
    ("4ka3/3Na4/9/9/2C6/9/9/2nA2p1B/2p5c/4KAB2 w", 4),
    ("5a3/2r1ak3/4b4/3R5/4P1b2/2B6/5C1c1/4BA3/4K4/9 w", 4),
    ("6rN1/3P1k3/3aba3/9/5N3/5R3/2C6/B2Ap4/1p3p3/rnBK1A3 w", 6),
    ("1P1k5/9/b2P5/9/9/9/9/9/5p3/1CB1K1p2 w", 6),
    ("C3kab1r/4a1P2/NcC1b4/9/9/6B2/9/5A2B/2p3pp1/4K4 w", 4),
)
# Others that an ordinary search sees in 40,000 nodes, as a mate seems near; without proofs it does not.
NEAR = (
    "5a1r1/3k2c2/2CabN2n/p1p3p1p/4R4/5p3/P1P3P1P/4C4/c8/2BAKAB2 w",
    "4kar2/2R1a4/b3N4/4R3p/3cp4/4r4/P2C5/4B4/4A4/4KAB1c w",
    "4kab2/4ac3/4b4/pN2R1p2/4C3p/6r2/P5n1P/B5N2/4A4/1c2KAB2 w",
    "2bak2r1/4aP2R/2R1b4/2N6/9/2C6/4r4/2p2A3/2p1A4/2c2KB2 w",
    "2bk2b2/1n2P4/1N7/8p/4C4/9/4p4/2pA5/1p2A1n2/3K5 w",
    "5abr1/3k2c2/2Ca4n/p1pN2p1p/4R4/5p3/P1P3P1P/4C4/9/c1BAKAB2 w",
)
MATE = 29_000  # scores beyond it are mates


@pytest.fixture(scope="module")
def searcher():
    return Searcher()


@pytest.mark.parametrize(("fen", "moves"), KILLS)
def test_a_mate_that_is_asked_for_is_proven(searcher, fen, moves):
    board = Board(fen)
    assert searcher.search(board, nodes=4_000, new_game=True)[0].score < MATE
    line = searcher.search(board, nodes=20_000, mate=moves, new_game=True)[0]
    assert line.score > MATE and len(line.pv) <= 2 * moves - 1
    for move in line.pv:
        board.push(move)
    assert board.is_checkmate() or board.is_stalemate()


def test_mates_that_seem_near_are_proven_unasked(searcher):
    without = Searcher(context=Context(parameters={"proof_parts": 1_000_000_000}))
    proven, seen = (
        [one.search(Board(fen), nodes=40_000, new_game=True)[0].score > MATE for fen in NEAR]
        for one in (searcher, without)
    )
    assert sum(proven) >= sum(seen) + 3


@pytest.mark.parametrize(("fen", "moves"), KILLS)
def test_a_proven_mate_holds_whatever_is_replied(searcher, fen, moves):
    board, number = Board(fen), random.Random(fen)
    line = searcher.search(board, nodes=20_000, mate=moves, new_game=True)[0]
    for _ in range(40):
        board.push(line.pv[0])
        replies = list(board.legal_moves)
        if not replies:
            break
        board.push(number.choice(replies))
        line = searcher.search(board, nodes=100_000, mate=1, new_game=True)[0]
        assert line.score > MATE, board.fen()
    assert not any(board.legal_moves)


def test_checks_that_only_repeat_are_no_mate():
    """A rook checks a king with a rook for ever; each repetition saves the defender."""
    board = Board("4k4/9/9/9/9/9/9/R8/8r/3K5 w")
    line = Searcher(tables=None).search(board, nodes=100_000, mate=1)[0]
    assert line.score < MATE
