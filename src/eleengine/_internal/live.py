"""Lines of a terminal that are rewritten in place, and text measured in columns."""

from __future__ import annotations

import os
import sys
import time
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self, TextIO

from .system import is_terminal
from .terminal import printable, write_controls

FIRST_AFTER = 0.5  # seconds: shorter jobs show no progress
PAUSE = 0.2
HIDE, SHOW, ERASE_BELOW = "\x1b[?25l", "\x1b[?25h", "\x1b[J"


def width(text: str) -> int:
    """Columns that the text takes.

    >>> width("h2e2"), width("炮二平五")
    (4, 8)
    """
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def pad(text: str, columns: int) -> str:
    """The text with blanks up to that many columns."""
    return text + " " * (columns - width(text))


def cut(text: str, columns: int) -> str:
    """As much of the text as fits into that many columns."""
    used = 0
    for index, char in enumerate(text):
        used += width(char)
        if used > columns:
            return text[:index]
    return text


def has_colors() -> bool:
    """Is stdout a terminal that shows colors?"""
    return is_terminal(sys.stdout) and "NO_COLOR" not in os.environ


class LiveLines:
    """Lines that stay at the bottom of a terminal while the block runs.

    stream: where they go; nothing is written to it if it is no terminal that can move its cursor.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines = 0  # on the screen now
        self.on: bool = is_terminal(stream)

    def show(self, lines: list[str]) -> None:
        """Put these lines, cut to the size of the terminal, in the place of the ones before."""
        if not self.on:
            return
        rows = os.get_terminal_size(self._stream.fileno()).lines or 24  # 0: unknown
        lines = [cut(printable(line), self.columns()) for line in lines[: rows - 1]]
        self._write(self._back() + "".join(f"{line}\n" for line in lines))
        self._lines = len(lines)

    def columns(self) -> int:
        """How wide a line may be."""
        return (os.get_terminal_size(self._stream.fileno()).columns or 80) - 1 if self.on else 79

    def clear(self) -> None:
        """Take the lines away, for something else to be written."""
        if self._lines:
            self._write(self._back())
            self._lines = 0

    def _back(self) -> str:
        """To the first of the lines, and erase them."""
        return f"\x1b[{self._lines}A{ERASE_BELOW}" if self._lines else ""

    def _write(self, text: str) -> None:
        write_controls(self._stream, text)

    def __enter__(self) -> Self:
        if self.on:
            self._write(HIDE)
        return self

    def __exit__(self, *error: object) -> None:
        if self.on:
            self._write(SHOW)


class Progress:
    """A line on stderr, if that is a terminal, rewritten in place while the block runs, gone after it.

    with Progress("perft-001") as progress:
        board.perft(6, progress=progress.show)
    """

    def __init__(self, name: str = "") -> None:
        self._name = name
        self._on = is_terminal(sys.stderr)
        self._start = time.monotonic()
        self._next = self._start + FIRST_AFTER
        self._width = 0

    def show(self, done: int, total: int, leaves: int) -> None:
        """Show that `done` of `total` jobs are finished, and the leaves so far."""
        self.tell(
            lambda seconds: (
                f"{done}/{total} jobs, {leaves:,} leaves, {leaves / seconds / 1e6:.1f} million leaves/s, "
                f"{seconds * (total - done) / max(done, 1):.0f} s left"
            )
        )

    def tell(self, text: Callable[[float], str]) -> None:
        """Show what text makes of the seconds since the start, unless the last line is too fresh."""
        now = time.monotonic()
        if not self._on or now < self._next:
            return
        self._next = now + PAUSE
        self._write(f"{self._name} {text(now - self._start)}".lstrip())

    def _write(self, text: str) -> None:
        columns = 0
        with suppress(OSError):
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
        text = cut(printable(text), (columns or 80) - 1)  # 0: unknown
        write_controls(sys.stderr, f"\r{text:<{self._width}}\r")  # blanks over the rest of a longer line
        self._width = len(text)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._width:
            self._write("")
