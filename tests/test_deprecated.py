"""Old names of the library still work, and say what they are called now."""

import importlib

import pytest

NAMES = [
    ("eleengine.records", "Entry", "RecordEntry"),
    ("eleengine.records", "Options", "WriteOptions"),
    ("eleengine.review", "Journal", "ReviewJournal"),
    ("eleengine.review", "Seen", "PositionEval"),
    ("eleengine.weights", "Table", "WeightTable"),
]


@pytest.mark.parametrize(("module", "old", "new"), NAMES)
def test_an_old_name_warns_and_is_the_new_one(module, old, new):
    owner = importlib.import_module(module)
    with pytest.warns(DeprecationWarning, match=f"^{module}.{old} is now {new}$"):
        assert getattr(owner, old) is getattr(owner, new)
    assert old not in owner.__all__


def test_other_names_are_unknown():
    with pytest.raises(AttributeError, match=r"'eleengine.records' has no attribute 'Record'"):
        importlib.import_module("eleengine.records").Record  # noqa: B018
