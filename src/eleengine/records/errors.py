"""What can be wrong with a record, and where."""

from __future__ import annotations


class RecordError(ValueError):
    """What is wrong with a record, and where: raised by strict readers and writers, collected by the others.

    message: what is wrong. line: of a text, from 1. offset: of a binary file, in bytes from 0.
    source: the name of the file. The last three are None where they are not known.
    """

    def __init__(
        self, message: str, *, line: int | None = None, offset: int | None = None, source: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
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
