"""What can be wrong with a record, and where."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .._internal.message import Message


class RecordError(ValueError):
    """What is wrong with a record, and where: raised by strict readers and writers, collected by the others.

    message: what is wrong; parts fill its places, as in `str.format`. line: of a text, from 1. offset: of a
    binary file, in bytes from 0. source: the name of the file. These three are None where they are not known.
    """

    def __init__(
        self,
        message: str,
        *parts: object,
        line: int | None = None,
        offset: int | None = None,
        source: str | None = None,
    ) -> None:
        self.message = Message(message, *parts) if parts else message
        super().__init__(self.message)
        self.line = line
        self.offset = offset
        self.source = source

    def __str__(self) -> str:
        parts = [self.source] if self.source else []
        if self.line is not None:
            parts.append(f"line {self.line}")
        if self.offset is not None:
            parts.append(f"byte {self.offset}")
        return ": ".join([*parts, self.message])


@contextmanager
def of_source(name: str | None) -> Iterator[None]:
    """A RecordError in this block that knows no source has this one."""
    try:
        yield
    except RecordError as error:
        error.source = error.source or name
        raise
