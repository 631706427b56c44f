"""The tunable constants of the search: one table, checked, in force at once."""

import pytest

from eleengine._core import BaseBoard, Searcher, search_parameters, set_search_parameters


@pytest.fixture
def shipped():
    values = {name: value for name, (value, _, _) in search_parameters().items()}
    yield values
    set_search_parameters(values)


def nodes():
    board = BaseBoard("4kab2/4a4/b1n1c3n/4p1p1p/p1pr1c3/1RP1PNP2/P7P/2N1C4/4A4/2BCKAB2 w - - 0 1")
    [line] = Searcher(hash_mib=1).search(board, depth=10)
    return line.nodes


def test_every_shipped_value_is_inside_its_range():
    for name, (value, least, most) in search_parameters().items():
        assert least < value < most, name


def test_every_parameter_changes_the_search_and_can_be_put_back(shipped):
    before = nodes()
    indifferent = []
    for name, (value, least, most) in search_parameters().items():
        changed = False
        for extreme in (least, most):
            set_search_parameters({name: extreme})
            changed |= nodes() != before
        set_search_parameters({name: value})
        if not changed:
            indifferent.append(name)
    assert nodes() == before
    assert indifferent == []


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        ("lmr_bass", 1, ValueError, "no search parameter is called 'lmr_bass'"),
        ("lmr_base", -1, ValueError, "lmr_base: -1 is not in 0 to 2400"),
        ("lmr_base", 800.0, TypeError, "lmr_base: 800.0 is no integer"),
    ],
)
def test_wrong_values_are_refused_and_change_nothing(shipped, name, value, error, message):
    with pytest.raises(error, match=message):
        set_search_parameters({"lmr_divisor": 900, name: value})
    assert search_parameters()["lmr_divisor"][0] == shipped["lmr_divisor"]
