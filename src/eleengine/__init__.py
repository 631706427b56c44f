# ruff: noqa: F405
"""A xiangqi (Chinese chess) engine and library.

>>> import eleengine
>>> board = eleengine.Board()
>>> board.push_wxf("C2.5")
Move.from_iccs('h2e2')
>>> board.chinese(eleengine.Move.from_iccs("h9g7"))
'马8进7'
"""

from ._internal import start

start.let_ctrl_c_end()

from ._internal import openmp, variants

variants.select()
with openmp.defaults():
    from ._core import STARTING_FEN, BaseBoard, FenError, IllegalMoveError, InvalidMoveError, Move, Piece

from . import notation, rules
from ._internal.lazy import import_name
from ._version import __version__ as __version__
from .board import Board, Outcome, Status, Termination
from .chess_names import MODULE_HINTS
from .notation import AmbiguousMoveError
from .pieces import *  # noqa: F403
from .rules import NO_CAPTURE_LIMIT, Verdict
from .square_set import SquareSet
from .squares import *  # noqa: F403

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import book, svg
    from .engines import Engine, Limit

# Imported when first asked for: name and submodule.
_LAZY = {"book": "book", "svg": "svg", "Engine": "engines", "Limit": "engines"}

__all__ = [
    "NO_CAPTURE_LIMIT",
    "STARTING_FEN",
    "AmbiguousMoveError",
    "BaseBoard",
    "Board",
    "Engine",
    "FenError",
    "IllegalMoveError",
    "InvalidMoveError",
    "Limit",
    "Move",
    "Outcome",
    "Piece",
    "SquareSet",
    "Status",
    "Termination",
    "Verdict",
    "book",
    "notation",
    "rules",
    "svg",
]
# Those of pieces and squares, one by one: type checkers do not follow their __all__.
__all__ += [  # noqa: RUF022
    "Color", "PieceType", "Square", "RED", "BLACK", "COLORS", "COLOR_NAMES", "KING", "ADVISOR",
    "BISHOP", "KNIGHT", "ROOK", "CANNON", "PAWN", "PIECE_TYPES", "PIECE_SYMBOLS", "PIECE_NAMES",
    "A0", "B0", "C0", "D0", "E0", "F0", "G0", "H0", "I0",
    "A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1", "I1",
    "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "I2",
    "A3", "B3", "C3", "D3", "E3", "F3", "G3", "H3", "I3",
    "A4", "B4", "C4", "D4", "E4", "F4", "G4", "H4", "I4",
    "A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5", "I5",
    "A6", "B6", "C6", "D6", "E6", "F6", "G6", "H6", "I6",
    "A7", "B7", "C7", "D7", "E7", "F7", "G7", "H7", "I7",
    "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8", "I8",
    "A9", "B9", "C9", "D9", "E9", "F9", "G9", "H9", "I9",
    "FILE_NAMES", "RANK_NAMES", "SQUARES", "SQUARE_NAMES", "square", "square_file", "square_rank",
    "square_name", "parse_square", "square_distance", "square_mirror", "square_mirror_files",
    "piece_name", "piece_symbol"
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name == "popcount":  # of a mask, as python-chess calls it
        return int.bit_count
    if hint := MODULE_HINTS.get(name):
        raise AttributeError(f"eleengine has no {name!r}, which is python-chess's: use {hint}")
    return import_name(__name__, _LAZY, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
