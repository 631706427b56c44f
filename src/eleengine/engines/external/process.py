"""The process of an engine: it is started, gets and gives lines, and ends when nobody needs it any more.

It runs in a process group of its own, which is ended with the engine or with Python; on Linux the system ends
it, too, if Python is killed.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from time import monotonic
from typing import IO, Any

from ..types import EngineError, EngineTerminatedError

MAX_WAITING = 10_000  # lines that nobody has read yet: then the engine must wait
MAX_LINE = 1 << 20  # bytes; longer ones come in parts
CHUNK = 1 << 16  # bytes read at once
EXIT_SECONDS = 0.2  # for the exit status of a program that has closed its pipes
WAIT_SECONDS = 1.0  # waiting longer at once could not be interrupted on Windows

logger = logging.getLogger(__package__)


class EngineProcess:
    """A running program. Reading is for one thread at a time, `write` and `kill` are for any.

    command: the program and its arguments. cwd, env: its folder and environment.
    EngineError: it cannot be started.
    """

    def __init__(
        self, command: list[str], *, cwd: str | os.PathLike[str] | None, env: Mapping[str, str]
    ) -> None:
        self.program = command[0]
        try:
            process = _start(
                {
                    "args": command,
                    "cwd": cwd,
                    "env": env,
                    "stdin": subprocess.PIPE,
                    "stdout": subprocess.PIPE,
                    "stderr": subprocess.DEVNULL,
                    "bufsize": 0,
                    "start_new_session": True,
                }
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot start {command[0]}: {error}") from None
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._stdin = process.stdin
        self._lines = _Lines()
        threading.Thread(target=_read, args=(process.stdout, self._lines), daemon=True).start()
        self._end = weakref.finalize(self, _end, process, self._lines)

    @property
    def alive(self) -> bool:
        """Does the program run?"""
        return self._process.poll() is None

    def write(self, line: str) -> None:
        """Send a line; EngineTerminatedError."""
        logger.debug("%d %s", self._process.pid, line)
        rest = line.encode() + b"\n"
        try:
            while rest:
                rest = rest[self._stdin.write(rest) or 0 :]
        except (OSError, ValueError):
            raise self._ended() from None

    def read(self, deadline: float) -> str | None:
        """The next line if it has come by the deadline (of `monotonic`), else None; EngineTerminatedError."""
        try:
            line = self._lines.get(deadline)
        except EOFError:
            raise self._ended() from None
        if line is not None:
            logger.debug("%d << %s", self._process.pid, line)
        return line

    def _ended(self) -> EngineTerminatedError:
        status = self.wait(EXIT_SECONDS)
        how = "closed its pipe" if status is None else f"ended with status {status}"
        return EngineTerminatedError(f"{self.program} {how}")

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
        self._waiting: deque[tuple[float, str]] = deque()
        self._closed = False  # nobody will read
        self.over = False  # no more will come

    def put(self, line: str) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._waiting) < MAX_WAITING)
            self._waiting.append((monotonic(), line))
            self._changed.notify_all()

    def end(self) -> None:
        with self._changed:
            self.over = True
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def get(self, deadline: float) -> str | None:
        """The first line, None if none came by the deadline; EOFError at the end."""
        with self._changed:
            while not (self._waiting or self.over or self._closed):
                left = deadline - monotonic()
                if left <= 0:
                    return None
                self._changed.wait(min(left, WAIT_SECONDS))
            if not self._waiting or self._closed:
                raise EOFError
            if self._waiting[0][0] > deadline:
                return None
            _, line = self._waiting.popleft()
            self._changed.notify_all()
            return line


def _read(stream: IO[bytes], lines: _Lines) -> None:
    """Hand on what the program writes, until its end, or until that of the last who holds its pipe."""
    rest = b""
    with suppress(OSError, ValueError), stream:
        while chunk := os.read(stream.fileno(), CHUNK):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                lines.put(line.decode("utf-8", "replace").rstrip())
            if len(rest) > MAX_LINE:
                lines.put(rest.decode("utf-8", "replace"))
                rest = b""
    if rest:
        lines.put(rest.decode("utf-8", "replace").rstrip())
    lines.end()


def _end(process: subprocess.Popen[bytes], lines: _Lines) -> None:
    """End the program; its output is closed by who reads it, which may take as long as others hold it."""
    lines.close()
    runs = process.poll() is None
    if not hasattr(os, "killpg"):
        if runs:
            process.kill()
    elif runs or not lines.over:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert process.stdin is not None
    with suppress(OSError):
        process.stdin.close()


# Starting


_starter: SimpleQueue[tuple[Future[subprocess.Popen[bytes]], dict[str, Any]]] | None = None
_starter_process = 0
_starter_lock = threading.Lock()


def _start(arguments: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start a program. On Linux a thread that never ends does it: the program ends with the thread."""
    if sys.platform != "linux":
        return subprocess.Popen(**arguments)
    global _starter, _starter_process
    with _starter_lock:
        if _starter is None or _starter_process != os.getpid():  # after a fork the thread is not there
            _starter, _starter_process = SimpleQueue(), os.getpid()
            arguments_of_thread = (_starter, _parent_death_signal())
            threading.Thread(target=_start_all, args=arguments_of_thread, name="starter", daemon=True).start()
    started: Future[subprocess.Popen[bytes]] = Future()
    _starter.put((started, arguments))
    try:
        return started.result()
    except KeyboardInterrupt:
        started.add_done_callback(_give_up)
        raise


def _give_up(started: Future[subprocess.Popen[bytes]]) -> None:
    if started.exception() is None:
        started.result().kill()


def _start_all(
    asked: SimpleQueue[tuple[Future[subprocess.Popen[bytes]], dict[str, Any]]], prepare: Callable[[], object]
) -> None:
    while True:
        started, arguments = asked.get()
        try:
            started.set_result(subprocess.Popen(preexec_fn=prepare, **arguments))
        except BaseException as error:
            started.set_exception(error)
        del started, arguments


def _parent_death_signal() -> Callable[[], object]:
    """What a new process calls to be killed when the thread that started it ends: see prctl(2)."""
    try:
        import ctypes

        prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return lambda: None
    return lambda: prctl(1, int(signal.SIGKILL))  # PR_SET_PDEATHSIG
