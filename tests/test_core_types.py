"""The classes of the core: a wrong `self` or a wrong argument is a TypeError, never a crash."""

import functools

import pytest

from eleengine import Board, Move, _core, notation

CLASSES = [
    value for value in vars(_core).values() if isinstance(value, type) and value.__module__ == _core.__name__
]
STATIC = {"from_iccs", "from_uci", "from_symbol", "null"}


@pytest.mark.parametrize(
    "cls", [cls for cls in CLASSES if not issubclass(cls, Exception)], ids=lambda cls: cls.__name__
)
def test_methods_refuse_what_is_not_theirs(cls):
    names = [name for name in dir(cls) if not name.startswith("__") and name not in STATIC]
    for name in names:
        method = getattr(cls, name)
        if not callable(method):
            assert raises(method.__get__, "h2e2"), name
            continue
        for wrong in (None, "h2e2", object()):
            for arguments in ((), (Move.null(),), (1,)):
                assert raises(method, wrong, *arguments), (name, wrong, arguments)


def raises(function, *arguments):
    try:
        function(*arguments)
    except TypeError:
        return True
    return False


def test_what_used_to_crash():
    moves = [Move.from_iccs("h2e2"), Move.from_iccs("h9g7")]
    for attempt in (
        lambda: list(map(Board.fen, [Board(), None])),
        lambda: functools.reduce(Board.push, moves, Board()),
        lambda: Board.pop("x"),
        lambda: notation.variation_wxf(None, []),
        lambda: Move.iccs("h2e2"),
    ):
        with pytest.raises((TypeError, AttributeError)):
            attempt()
