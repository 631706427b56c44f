"""Jobs that the workers of test_cluster import."""

import os
import time
from pathlib import Path


def square(x):
    return x * x


def process(x):
    return os.getpid()


def fail(x):
    raise ValueError(f"no result for {x}")


def leave_mark(job):
    """Note the process and the attempt, wait until told to go on if it is a slow one, return the square."""
    folder, x, slow = job
    with open(Path(folder) / f"job-{x}", "a", encoding="utf-8") as file:
        file.write(f"{os.getpid()}\n")
    deadline = time.monotonic() + 60
    while slow and not (Path(folder) / "go").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return x * x


def die(job):
    os._exit(1)
