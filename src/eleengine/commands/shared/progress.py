"""A progress line for jobs of more than a moment: on stderr, and only if that is a terminal."""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

from ..._internal.system import is_terminal
from ..._internal.terminal import printable, write_controls
from .live import cut

FIRST_AFTER = 0.5  # seconds: shorter jobs show nothing
PAUSE = 0.2


class Progress:
    """A line rewritten in place while the block runs, gone after it.

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

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._width:
            self._write("")
