"""Small endings: what exhaustive solving says, and what the evaluation makes of it."""

import importlib.util
from pathlib import Path

import pytest
from network_reference import WON
from support import Board, classical

from eleengine._core import Searcher

pytest.importorskip("numpy")
SPEC = importlib.util.spec_from_file_location(
    "endings", Path(__file__).parent.parent / "tools" / "endings.py"
)
endings = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(endings)


@pytest.mark.parametrize("name", ["r", "n", "p", "c", "ca"])
def test_the_table_is_what_solving_finds(name):
    attacker, own = name[0].upper(), name[1:].upper()
    _, share = endings.solved(attacker, own, "")
    assert round(100 * share) == WON[name][""]


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("name", WON)
def test_the_whole_table_is_what_solving_finds(name):
    for guards, expected in WON[name].items():
        _, share = endings.solved(name[0].upper(), name[1:].upper(), guards.upper())
        assert round(100 * share) == expected, guards


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
    ],
)
def test_dead_draws_are_worth_little_and_won_endings_much(searcher, fen, least, most):
    assert least <= searcher.evaluate(Board(fen)) <= most
