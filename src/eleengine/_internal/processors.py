"""How many threads of this process can run at once."""

import os
import sys

from .._core import cpu_count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CGROUPS = "/sys/fs/cgroup"
MEMBERSHIP = "/proc/self/cgroup"


def usable_processors() -> int:
    """Return how many threads of this process can run at once, 1 or more.

    It is the smallest of: the processors that it may use (affinity), OMP_NUM_THREADS, OMP_THREAD_LIMIT, and
    on Linux the whole processors within the CPU quota of its control group, as containers have one. A process
    that exceeds its quota stands still until the next period begins.
    """
    quota = cpu_quota() if sys.platform == "linux" else None
    return cpu_count() if quota is None else max(1, min(cpu_count(), int(quota)))


def cpu_quota() -> float | None:
    """Return how many processors' time the control groups allow this process on Linux, or None if any."""
    return min((quota for folder in _cpu_groups() if (quota := _quota_of(folder)) is not None), default=None)


def _cpu_groups() -> "Iterator[str]":
    """Folders of the control groups that this process is in: its own and all above."""
    try:
        with open(MEMBERSHIP) as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        root = f"{CGROUPS}/{controllers}" if controllers else CGROUPS
        while path != "/":
            yield root + path
            path = os.path.dirname(path)
        yield root


def _quota_of(folder: str) -> float | None:
    """The quota of one control group, of version 2 or 1."""
    try:
        with open(f"{folder}/cpu.max") as file:
            quota, period = file.read().split()
    except OSError:
        try:
            with open(f"{folder}/cpu.cfs_quota_us") as file, open(f"{folder}/cpu.cfs_period_us") as other:
                quota, period = file.read(), other.read()
        except OSError:
            return None
    try:
        return int(quota) / int(period) if int(quota) > 0 else None
    except (ValueError, ZeroDivisionError):
        return None  # "max"
