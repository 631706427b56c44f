"""A xiangqi (Chinese chess) engine and library.

>>> import eleengine
>>> board = eleengine.Board()
>>> board.push_wxf("C2.5")
Move.from_iccs('h2e2')
>>> board.chinese(eleengine.Move.from_iccs("h9g7"))
'马8进7'
"""

__version__ = "0.1.0"

import os

from . import _variants

# OpenMP reads this once, when the extension is loaded; some systems give its threads very little.
os.environ.setdefault("OMP_STACKSIZE", "16M")
_variants.select()

from . import notation, rules, squares
from ._core import STARTING_FEN, IllegalMoveError, InvalidMoveError, Move, Piece
from .board import Board, Outcome, Status, Termination
from .notation import AmbiguousMoveError
from .rules import NO_CAPTURE_LIMIT, Verdict
from .squares import *  # noqa: F403

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import svg
    from .engine import Engine, Limit

# Imported when first asked for: name and submodule.
_LAZY = {"svg": "svg", "Engine": "engine", "Limit": "engine"}

__all__ = [
    "NO_CAPTURE_LIMIT",
    "STARTING_FEN",
    "AmbiguousMoveError",
    "Board",
    "Engine",
    "IllegalMoveError",
    "InvalidMoveError",
    "Limit",
    "Move",
    "Outcome",
    "Piece",
    "Status",
    "Termination",
    "Verdict",
    "notation",
    "rules",
    "svg",
]
__all__ += squares.__all__


def __getattr__(name: str) -> object:
    if name in _LAZY:
        import importlib

        module = importlib.import_module(f".{_LAZY[name]}", __name__)
        return module if name == _LAZY[name] else getattr(module, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
