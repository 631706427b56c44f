"""The tunable constants of the search: one table, checked."""

import pytest

from eleengine._core import BaseBoard, Context, Searcher, search_parameters


def nodes(**parameters):
    board = BaseBoard("4kab2/4a4/b1n1c3n/4p1p1p/p1pr1c3/1RP1PNP2/P7P/2N1C4/4A4/2BCKAB2 w - - 0 1")
    [line] = Searcher(hash_mib=1, context=Context(parameters=parameters)).search(board, depth=10)
    return line.nodes


def test_every_shipped_value_is_inside_its_range():
    for name, (value, least, most) in search_parameters().items():
        assert least < value < most, name


def test_every_parameter_changes_the_search():
    before = nodes()
    indifferent = []
    for name, (_, least, most) in search_parameters().items():
        changed = False
        for extreme in (least, most):
            changed |= nodes(**{name: extreme}) != before
        if not changed:
            indifferent.append(name)
    assert nodes() == before
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
