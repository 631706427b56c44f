"""What OpenMP reads from the environment while the extension is loaded; what the user has set stays.

OMP_STACKSIZE   some systems give threads little.
GOMP_SPINCOUNT  how often GCC's OpenMP looks for work before a thread sleeps. Its own 300,000 times are some
                milliseconds, which use up the time that other programs leave to a search.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

STACK_SIZE = "16M"
SPIN_COUNT = "5000"


@contextmanager
def defaults() -> Iterator[None]:
    """For the import of the extension: set what is not set.

    The size of stacks stays set, because it is read again when a search gets its threads. The other does not:
    programs that this process starts shall not inherit it.
    """
    os.environ.setdefault("OMP_STACKSIZE", STACK_SIZE)
    waits_as_usual = "GOMP_SPINCOUNT" not in os.environ and "OMP_WAIT_POLICY" not in os.environ
    if waits_as_usual:
        os.environ["GOMP_SPINCOUNT"] = SPIN_COUNT
    try:
        yield
    finally:
        if waits_as_usual:
            del os.environ["GOMP_SPINCOUNT"]
