"""How many threads of this process can run at once."""

import sys

from .._core import cpu_count


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
    from .system.posix import control_groups

    quotas = map(_quota_of, control_groups("cpu"))
    return min((quota for quota in quotas if quota is not None), default=None)


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
