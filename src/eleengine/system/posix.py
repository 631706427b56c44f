"""Linux, macOS and their like."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress

assert sys.platform != "win32"

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future
    from queue import SimpleQueue
    from typing import IO, Any, TextIO


def split_command(text: str) -> list[str]:
    """The words of a command line as a shell takes it apart; ValueError."""
    import shlex

    return shlex.split(text)


def start_program(
    command: list[str], *, cwd: str | os.PathLike[str] | None, env: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Start a program with unbuffered pipes, in a process group of its own; OSError, ValueError.

    On Linux it ends with this process at the latest.
    """
    import subprocess

    return _start(
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


def kill_program(process: subprocess.Popen[bytes], *, with_group: bool) -> None:
    """End a program that start_program has started, and all in its group.

    with_group: is there somebody in its group even if it has ended?
    """
    if process.poll() is None or with_group:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


_starter: SimpleQueue[tuple[Future[subprocess.Popen[bytes]], dict[str, Any]]] | None = None
_starter_process = 0
_starter_lock = threading.Lock()


def _start(arguments: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start a program, on the processors of this thread.

    On Linux a thread that never ends does it: the program ends with the thread.
    """
    import subprocess

    if sys.platform != "linux":
        return subprocess.Popen(**arguments)
    from concurrent.futures import Future
    from queue import SimpleQueue

    global _starter, _starter_process
    with _starter_lock:
        if _starter is None or _starter_process != os.getpid():  # after a fork the thread is not there
            _starter, _starter_process = SimpleQueue(), os.getpid()
            arguments_of_thread = (_starter, _parent_death_signal())
            threading.Thread(target=_start_all, args=arguments_of_thread, name="starter", daemon=True).start()
    started: Future[subprocess.Popen[bytes]] = Future()
    _starter.put((started, arguments | {"processors": os.sched_getaffinity(0)}))
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
    import subprocess

    assert sys.platform == "linux"

    def begin() -> None:
        prepare()
        os.sched_setaffinity(0, processors)

    while True:
        started, arguments = asked.get()
        processors: set[int] = arguments.pop("processors")
        try:
            started.set_result(subprocess.Popen(preexec_fn=begin, **arguments))
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


def share_processors(groups: int, each: int) -> list[set[int]]:
    """Processors for so many groups of threads, so many for each; ValueError if there are not enough."""
    if sys.platform != "linux":
        raise ValueError("threads can be kept on processors of their own on Linux only")
    there = sorted(os.sched_getaffinity(0))
    if groups * each > len(there):
        raise ValueError(f"{groups * each} processors are needed, and there are {len(there)}")
    return [set(there[i * each : (i + 1) * each]) for i in range(groups)]


def keep_on(processors: set[int]) -> None:
    """Keep this thread, and threads and programs that it starts from now on, on these processors."""
    if sys.platform == "linux":
        os.sched_setaffinity(0, processors)


def when_orphaned(act: Callable[[], object]) -> None:
    """Nothing to do: here pipes end with the process at their other end."""


def lock_file(file: IO[bytes]) -> bool:
    """Keep other processes from locking the file until it is closed; False if one has locked it."""
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def memory_mib() -> int:
    """How much memory this process can have at best."""
    limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(path) as file:
                limits.append(int(file.read()))
        except (OSError, ValueError):
            continue  # no such limit here
    return min(limits) >> 20


def is_terminal(stream: TextIO) -> bool:
    """Is the stream a terminal that obeys escape sequences?"""
    return stream.isatty() and os.environ.get("TERM") != "dumb"
