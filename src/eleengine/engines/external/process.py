"""The process of an engine: it is started, gets and gives lines, and ends when nobody needs it any more.

It runs in a process group or job of its own, which is ended with the engine or with Python, even if Python
is killed.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress
from queue import SimpleQueue
from time import perf_counter
from typing import IO

from ..._internal import system
from ..types import EngineError, EngineTerminatedError

MAX_WAITING = 2_000  # lines that nobody has read yet: then the engine must wait
MAX_LINE = 1 << 20  # bytes; longer ones come in parts
MAX_WAITING_SIZE = 1 << 24  # characters of these lines
MAX_ERRORS = 20  # lines of stderr that are kept, for the message when the program ends
MAX_ERROR = 1000  # characters of each
CHUNK = 1 << 16  # bytes read at once
EXIT_SECONDS = 0.2  # for the exit status of a program that has closed its pipes
WAIT_SECONDS = 1.0  # waiting longer at once could not be interrupted on Windows

_CONTROL = re.compile("[\x00-\x1f\x7f\x85\u2028\u2029]")

logger: logging.Logger = logging.getLogger(__package__)


class EngineProcess:
    """A running program. Reading is for one thread at a time, `write` and `kill` are for any.

    Writing waits for nothing, not even for a program that does not read: who reads its answer gives it up.
    command: the program and its arguments. cwd, env: its folder and environment.
    EngineError: it cannot be started.
    """

    def __init__(
        self, command: list[str], *, cwd: str | os.PathLike[str] | None, env: Mapping[str, str]
    ) -> None:
        self.program: str = command[0]
        try:
            process = system.start_program(command, cwd=cwd, env=env)
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot start {command[0]}: {error}") from None
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._process = process
        self._lines = _Lines()
        self._commands: SimpleQueue[bytes | None] = SimpleQueue()
        self._errors: deque[str] = deque(maxlen=MAX_ERRORS)
        self._errors_read = threading.Thread(
            target=_read_errors, args=(process.stderr, self._errors, process.pid), daemon=True
        )
        self._errors_read.start()
        threading.Thread(target=_read, args=(process.stdout, self._lines), daemon=True).start()
        threading.Thread(
            target=_write, args=(process.stdin, self._commands, self._lines), daemon=True
        ).start()
        self._owner = os.getpid()
        self._end = weakref.finalize(self, _end, process, self._lines, self._commands, self._owner)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Does the program run?"""
        return self._process.poll() is None

    def write(self, line: str) -> None:
        """Send a line; ValueError if it would be more than one line.

        EngineTerminatedError if the program is known to have ended; else who reads its answer gets that.
        """
        self._need_owner()
        if _CONTROL.search(line):
            raise ValueError(f"a control character cannot be sent to {self.program}: {line[:80]!r}")
        if self._lines.broken or not self._end.alive:
            raise self._ended()
        logger.debug("%d %s", self._process.pid, line)
        self._commands.put(line.encode() + b"\n")

    def read(self, deadline: float) -> str | None:
        """The next line if it comes by the deadline (of `perf_counter`), else None; EngineTerminatedError."""
        return next(iter(self.read_lines(deadline, ("",))), None)

    def read_lines(self, deadline: float, ends: tuple[str, ...]) -> list[str]:
        """Lines that have come by the deadline, up to the first that begins with one of the words `ends`.

        Empty if none came; errors as for `read`.
        """
        self._need_owner()
        try:
            lines = self._lines.get(deadline, ends)
        except EOFError:
            raise self._ended() from None
        if logger.isEnabledFor(logging.DEBUG):
            for line in lines:
                logger.debug("%d << %s", self._process.pid, line)
        return lines

    def _need_owner(self) -> None:
        """A forked process has no thread that reads, and would take the answers from its parent."""
        if os.getpid() != self._owner:
            raise EngineTerminatedError(f"{self.program} belongs to the process that was forked")

    def _ended(self) -> EngineTerminatedError:
        status = self.wait(EXIT_SECONDS)
        how = "closed its pipe" if status is None else f"ended with status {status}"
        self._errors_read.join(EXIT_SECONDS)
        said = "; its last words: " + " | ".join(self._errors) if self._errors else ""
        return EngineTerminatedError(f"{self.program} {how}{said}")

    def wait(self, seconds: float) -> int | None:
        """The exit status, None if the program runs longer."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self._process.returncode

    def kill(self) -> None:
        """End the program at once, and all that it has started in its group."""
        self._end()


class _Lines:
    """Lines on their way from the reading thread, with the times when they came; bounded."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[tuple[float, deque[str]]] = deque()  # what was read at once; none is empty
        self._count = 0  # lines that wait
        self._size = 0  # characters of them
        self._closed = False  # nobody will read
        self.broken = False  # the program takes no more commands
        self.over = False  # no more will come

    def put(self, lines: Iterable[str]) -> None:
        added = deque(lines)
        if not added:
            return
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._has_room())
            if not self._closed:
                self._waiting.append((perf_counter(), added))
                self._count += len(added)
                self._size += sum(map(len, added))
            self._changed.notify_all()

    def _has_room(self) -> bool:
        return self._count < MAX_WAITING and self._size < MAX_WAITING_SIZE

    def end(self) -> None:
        with self._changed:
            self.over = True
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def lose(self) -> None:
        """The program takes no more commands: what it has said already is still read."""
        with self._changed:
            self._changed.wait_for(lambda: self.over or self._closed, EXIT_SECONDS)
            self.broken = True
            self._changed.notify_all()

    def get(self, deadline: float, ends: tuple[str, ...]) -> list[str]:
        """Lines that came at once by the deadline, up to one that begins with one of `ends`; EOFError."""
        with self._changed:
            while not (self._waiting or self.over or self.broken or self._closed):
                left = deadline - perf_counter()
                if left <= 0:
                    return []
                self._changed.wait(min(left, WAIT_SECONDS))
            if not self._waiting or self._closed:
                raise EOFError
            came, lines = self._waiting[0]
            if came > deadline:
                return []
            taken = []
            while lines:
                taken.append(line := lines.popleft())
                if line.lstrip().startswith(ends):
                    break
            if not lines:
                self._waiting.popleft()
            self._count -= len(taken)
            self._size -= sum(map(len, taken))
            self._changed.notify_all()
            return taken


def _read(stream: IO[bytes], lines: _Lines) -> None:
    """Hand on what the program writes, until its end, or until that of the last who holds its pipe."""
    rest = b""
    with suppress(OSError, ValueError), stream:
        while chunk := os.read(stream.fileno(), CHUNK):
            whole, end, rest = (rest + chunk).rpartition(b"\n")
            if end:
                lines.put(_texts(whole))
            if len(rest) > MAX_LINE:
                lines.put([_text(rest)])
                rest = b""
    if rest:
        lines.put([_text(rest).rstrip()])
    lines.end()


def _write(stream: IO[bytes], commands: SimpleQueue[bytes | None], lines: _Lines) -> None:
    """Hand the commands to the program, one after the other, however long it takes to read them."""
    try:
        with stream:
            while rest := commands.get():
                while rest:
                    rest = rest[stream.write(rest) or 0 :]
    except (OSError, ValueError):
        lines.lose()


def _read_errors(stream: IO[bytes], errors: deque[str], number: int) -> None:
    """Keep the last lines that the program writes to stderr, and log all."""
    with suppress(OSError, ValueError), stream:
        rest = b""
        while chunk := os.read(stream.fileno(), CHUNK):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                text = _text(line[:MAX_ERROR]).rstrip()
                logger.warning("%d stderr %s", number, text)
                if text:
                    errors.append(text)
            rest = rest[:MAX_ERROR]


def _texts(lines: bytes) -> list[str]:
    """Whole lines as texts, without blanks at their ends."""
    try:
        texts = lines.decode().split("\n")  # at once: there may be thousands
    except UnicodeDecodeError:
        texts = list(map(_text, lines.split(b"\n")))
    return list(map(str.rstrip, texts))


def _text(line: bytes) -> str:
    """A line as text: UTF-8, else GB 18030 as Chinese programs write it, else Windows-1252."""
    for encoding in ("utf-8", "gb18030"):
        with suppress(UnicodeDecodeError):
            return line.decode(encoding)
    return line.decode("cp1252", "replace")


def _end(
    process: subprocess.Popen[bytes], lines: _Lines, commands: SimpleQueue[bytes | None], owner: int
) -> None:
    """End the program; its pipes are closed by who reads and writes, as late as others hold them.

    In a forked process nothing is done: the program is the parent's.
    """
    if os.getpid() != owner:
        return
    lines.close()
    system.kill_program(process, with_group=not lines.over)
    commands.put(None)
