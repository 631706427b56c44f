"""What is written to terminals: nothing from a file or a program may command one."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO, cast

# Control characters but tab and newline, marks that turn the direction of text, separators of lines.
_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    r"""Return the text with escapes as in JSON for what a terminal would obey.

    >>> print(printable("\x1b[2J\u202e"))
    \u001b[2J\u202e
    """
    return _COMMANDS.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


class _Printable:
    """A stream that writes only printable text, except what `write_controls` gives it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(printable(text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.stream, name)


class PrintableBytes:
    """A binary stream for data that goes to a terminal after all, shown as text."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: bytes) -> int:
        """Show the data."""
        self._stream.write(printable(self._decoder.decode(data)))
        return len(data)

    def writelines(self, lines: list[bytes]) -> None:
        """Show each piece of data."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Show it now."""
        self._stream.flush()


@contextmanager
def printable_output() -> Iterator[None]:
    """Let stdout and stderr show what is not printable as escapes while the block runs."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (
        stream if stream is None or isinstance(stream, _Printable) else cast(TextIO, _Printable(stream))
        for stream in before
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def write_controls(stream: TextIO, text: str) -> None:
    """Write our own commands for the terminal; text of others in it must have been made `printable`."""
    (stream.stream if isinstance(stream, _Printable) else stream).write(text)
    stream.flush()
