"""The error that pages show."""

from __future__ import annotations

import re
from typing import Any

_FEN = re.compile(
    r"(?:^|(?<=: ))invalid FEN '.*?': | in [rnbakcpRNBAKCP1-9]+(/[rnbakcpRNBAKCP1-9]+){9} [wb]\S*( [^;]*)?"
)


class RequestError(ValueError):
    """What a page asked for cannot be done: a code for the page to translate, and a sentence."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.details = details


def without_fen(message: str) -> str:
    """Return what the library says is wrong, without the position in which: the page shows that.

    >>> without_fen("illegal move 'h2e9' in 9/9/9/9/9/9/9/9/9/9 w - - 0 1; the rest is not read")
    "illegal move 'h2e9'; the rest is not read"
    >>> without_fen("header FEN: invalid FEN '9 w': the board has 1 ranks")
    'header FEN: the board has 1 ranks'
    """
    return _FEN.sub("", message)
