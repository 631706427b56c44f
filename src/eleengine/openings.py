"""Names of openings, by position: the same name whatever the order of moves, and for the mirror image.

>>> from eleengine import Board
>>> board = Board()
>>> for text in ("h2e2", "h9g7", "h0g2", "b9c7"):
...     move = board.push_iccs(text)
>>> opening_of(board).text()
'Central Cannon against Screen Horses'
>>> opening_of(board.mirror_files()).text("zh")
'中炮对屏风马'
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Final, NamedTuple

from . import notation
from ._core import BaseBoard, Move, as_board
from ._internal.traditional import traditional
from .board import Board

__all__ = ["Opening", "all_openings", "find_opening", "opening_of"]

_NAMED: Final = 40  # plies in which an opening has got its name


class Opening(NamedTuple):
    """An opening by its names, and the moves of one way into it as Chinese texts.

    names: English, simplified and traditional Chinese.
    """

    names: tuple[str, str, str]
    moves: tuple[str, ...]

    def text(self, language: str = "en") -> str:
        """Return the name; language: "en", "zh" or "zh-Hant", ValueError for a different one."""
        if language not in _LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(_LANGUAGES)}, not {language!r}")
        return self.names[_LANGUAGES.index(language)]


_LANGUAGES: Final = ("en", "zh", "zh-Hant")


@cache
def all_openings() -> tuple[Opening, ...]:
    """Return every way into an opening that has a name; several may lead to openings of the same name."""
    found = []
    names = ("", "", "")
    text = files(__package__).joinpath("openings.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith(" "):
            found.append(Opening(names, tuple(line.split())))
        elif line and not line.startswith("#"):
            english, name = line.split(" | ")
            names = (english, name, traditional(name))
    return tuple(found)


@cache
def _by_key() -> dict[int, Opening]:
    """The openings by the keys of their positions and of the mirror images."""
    found: dict[int, Opening] = {}
    for opening in all_openings():
        board = Board()
        for text in opening.moves:
            board.push(notation.parse_chinese(board, text))
        found[board.key] = found[board.mirror_files().key] = opening
    return found


def opening_of(board: BaseBoard) -> Opening | None:
    """Return the opening whose position this is; None if it has no name of its own."""
    return _by_key().get(as_board(board).key)


def find_opening(start: BaseBoard, moves: Iterable[Move]) -> Opening | None:
    """Return the opening of a game: that of the last position with a name; None if none has one.

    Only the first 40 plies are looked at. ValueError for a move among them that is not legal.
    """
    board = BaseBoard.copy(start, stack=False)
    found = opening_of(board)
    for move in islice(moves, _NAMED):
        board.push(move)
        found = opening_of(board) or found
    return found
