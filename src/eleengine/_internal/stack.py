"""Room for deep searches: some systems give threads little stack."""

import threading
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

STACK_BYTES = 16 << 20  # of a thread that searches
_CHANGED = threading.RLock()  # two at once would put back each other's size


@contextmanager
def deep_stacks() -> "Iterator[None]":
    """Threads that are started meanwhile can search."""
    with _CHANGED:
        old = threading.stack_size(STACK_BYTES)
        try:
            yield
        finally:
            threading.stack_size(old)
