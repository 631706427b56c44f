"""The error that pages show."""

from __future__ import annotations

from typing import Any


class RequestError(ValueError):
    """What a page asked for cannot be done: a code for the page to word, and a sentence.

    details: the parts of what the page says: of a `Message` its data, as `reason`; a move, defects.
    """

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.details = details
