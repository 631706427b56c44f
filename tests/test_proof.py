"""Mates by proof numbers: those with quiet moves are found, and they hold against every reply."""

import random

import pytest

from eleengine import Board
from eleengine._core import Context, Searcher

# Kills in four to seven moves that the search alone does not see in 8,000 nodes, with their first moves.
# From the exercises of zfdang/chinese-chess-fish-android.
KILLS = (
    ("4ka3/3Na4/9/9/2C6/9/9/2nA2p1B/2p5c/4KAB2 w", "c5h5"),
    ("5a3/2r1ak3/4b4/3R5/4P1b2/2B6/5C1c1/4BA3/4K4/9 w", "d6h6"),
    ("6rN1/3P1k3/3aba3/9/5N3/5R3/2C6/B2Ap4/1p3p3/rnBK1A3 w", "f5d6"),
    ("1P1k5/9/b2P5/9/9/9/9/9/5p3/1CB1K1p2 w", "c0a2"),
    ("C3kab1r/4a1P2/NcC1b4/9/9/6B2/9/5A2B/2p3pp1/4K4 w", "c7c9"),
)
# Others that an ordinary search sees in 40,000 nodes, as a mate seems near; without proofs it does not.
NEAR = (
    "5abr1/3k2c2/2Ca4n/p1pN2p1p/4R4/5p3/P1P3P1P/4C4/9/c1BAKAB2 w",
    "2P1k2C1/4aP3/5a1N1/6r2/9/6B2/9/4B4/2p1A1p2/4K4 w",
    "5ab2/2P6/4ka3/C4P3/9/1N7/P8/4B4/1np1A2p1/2BA1K2c w",
    "2b2a3/3k2c2/2Pab4/R6CC/4c4/3R5/9/4B1p2/nr2Anr2/2B1KA3 w",
    "2baka3/3P3N1/bN7/7nc/9/4C1P2/P5n1P/B3R3B/4Apr2/2RAK3c w",
    "2b1kaR2/4aP3/3nbP3/3Np4/9/9/4P4/4C4/4A1p1r/4KAB1n w",
)
MATE = 29_000  # scores beyond it are mates


@pytest.fixture(scope="module")
def searcher():
    return Searcher()


@pytest.mark.parametrize(("fen", "best"), KILLS)
def test_a_mate_that_is_asked_for_is_proven(searcher, fen, best):
    board = Board(fen)
    assert searcher.search(board, nodes=8_000, new_game=True)[0].score < MATE
    line = searcher.search(board, nodes=20_000, mate=1, new_game=True)[0]
    assert line.score > MATE and line.pv[0].iccs() == best
    for move in line.pv:
        board.push(move)
    assert board.is_checkmate() or board.is_stalemate()


@pytest.mark.parametrize(("kill", "moves"), list(zip(KILLS, (4, 4, 6, 6, 4), strict=True)))
def test_a_mate_that_is_asked_for_takes_no_more_moves(searcher, kill, moves):
    fen, _ = kill
    line = searcher.search(Board(fen), nodes=20_000, mate=moves, new_game=True)[0]
    assert line.score > MATE and len(line.pv) <= 2 * moves - 1


def test_mates_that_seem_near_are_proven_unasked(searcher):
    without = Searcher(context=Context(parameters={"proof_parts": 1_000_000_000}))
    proven, seen = (
        [one.search(Board(fen), nodes=40_000, new_game=True)[0].score > MATE for fen in NEAR]
        for one in (searcher, without)
    )
    assert sum(proven) >= sum(seen) + 3


@pytest.mark.parametrize(("fen", "best"), KILLS)
def test_a_proven_mate_holds_whatever_is_replied(searcher, fen, best):
    board, number = Board(fen), random.Random(best)
    line = searcher.search(board, nodes=20_000, mate=1, new_game=True)[0]
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
