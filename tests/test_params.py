"""The tunable constants of the search: one table, checked."""

from functools import cache

import pytest

from eleengine._core import BaseBoard, Context, Searcher, search_parameters

MIDDLEGAME = "4kab2/4a4/b1n1c3n/4p1p1p/p1pr1c3/1RP1PNP2/P7P/2N1C4/4A4/2BCKAB2 w - - 0 1"
MATE_BY_CHECKS = "6b2/2Nkn2P1/2Pab2r1/2R6/2Cn3c1/9/9/3p5/4r4/3K1p3 w - - 0 1"
DRAWN_ENDING = "2bak4/4a4/4b4/9/2R6/9/9/4B4/4A4/2r1KAB2 w - - 0 1"
SEARCHES = [(MIDDLEGAME, 10), (MATE_BY_CHECKS, 3), (DRAWN_ENDING, 10)]


@cache
def nodes(fen, depth, **parameters):
    board = BaseBoard(fen)
    [line] = Searcher(hash_mib=1, context=Context(parameters=parameters)).search(board, depth=depth)
    return line.nodes


def test_every_shipped_value_is_inside_its_range():
    for name, (value, least, most) in search_parameters().items():
        assert least < value < most, name


def test_every_parameter_changes_the_search():
    indifferent = [
        name
        for name, (_, least, most) in search_parameters().items()
        if not any(
            nodes(fen, depth, **{name: extreme}) != nodes(fen, depth)
            for fen, depth in SEARCHES
            for extreme in (least, most)
        )
    ]
    assert indifferent == []


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        ("lmr_bass", 1, ValueError, "no search parameter is called 'lmr_bass'"),
        ("lmr_base", -1, ValueError, "lmr_base must be 0..2400, not -1"),
        ("lmr_base", 800.0, TypeError, "lmr_base must be an integer, not float"),
    ],
)
def test_wrong_values_are_refused(name, value, error, message):
    with pytest.raises(error, match=message):
        Context(parameters={"lmr_divisor": 900, name: value})
