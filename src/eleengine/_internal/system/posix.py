"""Linux, macOS and their like."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

assert sys.platform != "win32"

MOUNT, MEMBERSHIP = "/sys/fs/cgroup", "/proc/self/cgroup"  # of control groups
# Waits for a line, and ends the group if there comes none: whoever should write it has ended.
_GUARD = 'read -r line || kill -s KILL -- "-$1"'

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    import threading
    from collections.abc import Callable, Iterator, Mapping
    from typing import IO, TextIO

_guards: dict[int, subprocess.Popen[bytes]] = {}  # by the process that each watches over


def split_command(text: str) -> list[str]:
    """The words of a command line as a shell takes it apart; ValueError."""
    import shlex

    return shlex.split(text)


def start_program(
    command: list[str], *, cwd: str | os.PathLike[str] | None, env: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    """Start a program with unbuffered pipes, in a process group of its own; OSError, ValueError.

    The group ends with this process at the latest.
    """
    import subprocess

    process = subprocess.Popen(
        command, cwd=cwd, env=env, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
    )  # fmt: skip
    with suppress(OSError):  # without a shell it ends with its input, as engines do
        _guards[process.pid] = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "eleengine-guard", str(process.pid)], start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, bufsize=0, env={},
        )  # fmt: skip
    return process


def kill_program(process: subprocess.Popen[bytes], *, with_group: bool) -> None:
    """End a program that start_program has started, and all in its group.

    with_group: is there somebody in its group even if it has ended?
    """
    if process.poll() is None or with_group:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    guard = _guards.pop(process.pid, None)
    process.wait()
    if guard:
        guard.communicate(b"\n")


def share_processors(groups: int, each: int) -> list[set[int]]:
    """Return `groups` sets of processors, `each` in a set; ValueError if there are not enough."""
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


def start_without_signals(thread: threading.Thread) -> None:
    """Start a thread that gets no signals, nor do those it starts: only the main one's read ends by them."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        thread.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def lock_file(file: IO[bytes]) -> bool:
    """Keep other processes from locking the file until it is closed; False if one has locked it."""
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def max_open_files() -> int:
    """How many files, sockets and pipes this process may have open."""
    import resource

    limit: int = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return limit if limit != resource.RLIM_INFINITY else 1 << 20


def memory_mib() -> int:
    """How much memory this process can have at best: the machine's, or what its control groups allow."""
    here = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([here, *(limit for limit, _ in memory_groups())]) >> 20


def free_memory_mib() -> int:
    """How much of that memory nobody uses; all of it where the system does not say."""
    free = [memory_mib() << 20, *(limit - used for limit, used in memory_groups())]
    with suppress(OSError, ValueError), open("/proc/meminfo") as file:
        free += [int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable:")]
    return max(0, min(free)) >> 20


def control_groups(controller: str) -> set[str]:
    """Folders of the control groups of Linux that this process is in: its own and those around them.

    controller: in version 1, such as "memory".
    """
    found = {MOUNT, f"{MOUNT}/{controller}"}  # in a container the own group is the root of what can be seen
    with suppress(OSError), open(MEMBERSHIP) as file:
        for line in file:
            _, controllers, path = line.rstrip("\n").split(":", 2)
            if not controllers or controller in controllers.split(","):  # version 2 or 1
                # Where several are mounted together there is a link for each.
                for name in (controllers, controller) if controllers else ("",):
                    folder = os.path.join(MOUNT, name)
                    for part in path.strip("/").split("/"):
                        found.add(folder := os.path.join(folder, part))
    return found


def memory_groups() -> Iterator[tuple[int, int]]:
    """(limit, used) of memory, in bytes, of this process's control groups and of those around them.

    What is used for copies of files that the system can drop is not counted.
    """
    for folder in control_groups("memory"):
        for limit, used in (("max", "current"), ("limit_in_bytes", "usage_in_bytes")):  # version 2, 1
            with suppress(OSError, ValueError):
                yield int(_read(folder, limit)), _used(folder, used)  # "max" is none


def _used(folder: str, name: str) -> int:
    """Bytes that a control group uses, if it says so, but for those of files that nobody has used lately."""
    with suppress(OSError, ValueError):
        found = dict(line.split() for line in _read(folder, "stat").splitlines())
        droppable = found.get("total_inactive_file", found.get("inactive_file", 0))
        return int(_read(folder, name)) - int(droppable)
    return 0


def _read(folder: str, name: str) -> str:
    with open(os.path.join(folder, f"memory.{name}")) as file:
        return file.read()


def cpu_name() -> str:
    """The name that the maker gives the processor, or its architecture where that is not known."""
    import platform

    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def system_language() -> str:
    """The language and country of the user, such as zh_CN; empty if nobody knows."""
    import locale

    return locale.getlocale()[0] or ""


def is_terminal(stream: TextIO) -> bool:
    """Is the stream a terminal that obeys escape sequences?"""
    return stream.isatty() and os.environ.get("TERM") != "dumb"
