"""Small endings: what the evaluation makes of what the endgame tables know."""

import random

import pytest
from support import Board, classical
from test_tables import random_board

from eleengine._core import Searcher, eval_trace, shipped_tables


@pytest.mark.parametrize("searcher", [Searcher(hash_mib=1), classical(hash_mib=1)])
@pytest.mark.parametrize(
    ("fen", "least", "most"),
    [
        ("3k5/9/9/9/9/2C6/9/9/9/4K4 w", 0, 30),  # a cannon needs a screen of its own
        ("3k5/4a4/9/9/9/2C6/9/9/9/4K4 w", 0, 30),
        ("3k5/9/4b4/9/9/2C6/9/9/9/4K4 w", 0, 30),
        ("3k1a3/9/3a5/9/9/9/9/9/2N6/4K4 w", 0, 40),
        ("3k5/4a4/9/9/9/2C6/9/9/4A4/4K4 w", 200, 5000),
        ("3k5/4a4/9/9/9/2N6/9/9/9/4K4 w", 200, 5000),
        ("2b1k1b2/9/9/9/9/2R6/9/9/9/3K5 w", 400, 5000),
        ("3akab2/9/4b4/9/9/9/9/9/9/3K1R3 w", 0, 40),  # all guards at home hold a rook
    ],
)
def test_dead_draws_are_worth_little_and_won_endings_much(searcher, fen, least, most):
    assert least <= searcher.evaluate(Board(fen)) <= most


@pytest.mark.parametrize("name", ["R-AABB", "N-AA", "P-A", "C-AA", "CA-AB"])
def test_an_advantage_counts_if_the_table_says_that_it_wins(name):
    chance, results = random.Random(name), set()
    for _ in range(200):
        board = random_board(name, chance)
        trace = eval_trace(board)
        attacker = any(letter in "RNCP" for letter in board.fen().split()[0])
        if attacker == (trace["mg"] + trace["eg"] > 0):
            won = bool(shipped_tables().probe(board))
            assert trace["scale"] == (64 if won else 2), board.fen()
            results.add(won)
    assert results == {True, False}
