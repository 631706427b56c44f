"""The error that pages are told."""

from __future__ import annotations

from typing import Any


class RequestError(ValueError):
    """What a page asked for cannot be done: a code for the page to translate, and a sentence."""

    def __init__(self, code: str, message: str, **details: Any) -> None:
        super().__init__(message)
        self.code = code
        self.details = details
