"""What a page asks for: one message, read field by field.

Whatever is missing, of another kind or out of range is a `RequestError` that names the field.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .._internal.message import Message, message_of
from ..board import Board
from ..records import GameNode
from .document import Document
from .errors import RequestError
from .page_data import LANGUAGES, Data

MAX_NODE_ID = 1 << 30


class Request:
    """A message of a page with a type. A field without a default must be there: no reader takes None."""

    def __init__(self, message: Data) -> None:
        self.data = message

    def __contains__(self, name: str) -> bool:
        return name in self.data

    def get(self, name: str) -> Any:
        """A field as it came, None if it is missing."""
        return self.data.get(name)

    def number(self, name: str, low: int, high: int, default: Any = None) -> int:
        """A whole number from low to high."""
        return self._number(name, low, high, default, (int,))  # type: ignore[no-any-return]

    def real(self, name: str, low: float, high: float, default: Any = None) -> float:
        """A number from low to high."""
        return self._number(name, low, high, default, (int, float))  # type: ignore[no-any-return]

    def _number(self, name: str, low: float, high: float, default: Any, kinds: tuple[type, ...]) -> Any:
        value = self.data.get(name, default)
        if type(value) not in kinds or not low <= value <= high:
            raise RequestError("bad-message", f"{name} must be a number from {low} to {high}")
        return value

    def text(self, name: str, max_length: int, default: Any = None) -> str:
        """A text of at most max_length characters."""
        value = self.data.get(name, default)
        if not isinstance(value, str) or len(value) > max_length:
            raise RequestError("bad-message", f"{name} must be text of at most {max_length} characters")
        return value

    def choice(self, name: str, choices: Collection[str], default: Any = None) -> str:
        """One of some words."""
        value = self.data.get(name, default)
        if not isinstance(value, str) or value not in choices:
            raise RequestError("bad-message", f"{name} must be one of {', '.join(choices)}")
        return value

    def part(self, name: str, default: Any = None) -> Request:
        """A message within the message."""
        value = self.data.get(name, default)
        if not isinstance(value, dict):
            raise RequestError("bad-message", f"{name} must be an object")
        return Request(value)

    def texts(self, name: str, most: int) -> list[str]:
        """A list of texts, `most` at most."""
        value = self.data.get(name)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value) or len(value) > most:
            raise RequestError("bad-message", f"{name} are a list of at most {most} texts")
        return value

    # What many requests have

    def node_id(self) -> int:
        return self.number("node", 0, MAX_NODE_ID)

    def node(self, document: Document) -> GameNode:
        return document.node(self.node_id())

    def board(self, document: Document) -> Board:
        return document.board(self.node_id())

    def language(self) -> str:
        """What the library calls the language of the page."""
        return LANGUAGES[self.choice("language", LANGUAGES)]


def playable_board(fen: str) -> Board:
    """The position of a FEN; RequestError names all that is wrong with one that cannot be played."""
    try:
        board = Board(fen, validate=False)
    except ValueError as error:
        defects = [[0, message_of(error).data()]]
        raise RequestError("bad-position", str(error), defects=defects) from None
    if not board.is_playable():
        found = board.defects()
        raise RequestError("bad-position", found[0][1], defects=defects_data(found))
    return board


def defects_data(defects: list[tuple[int, str]]) -> list[list[Any]]:
    return [[flag, Message(text).data()] for flag, text in defects]
