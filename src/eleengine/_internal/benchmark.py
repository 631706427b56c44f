"""Searches of fixed positions to a fixed depth, whose number of nodes identifies a build.

With one thread it is the same on every machine, and changes with every change of what the search does.

>>> signature(1) == signature(1)
True
"""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter

from .._core import BaseBoard, Context, Searcher
from .folders import shipped_positions

HASH_MIB = 16
DEPTH = 11  # plies of `eleengine bench`

#: Those of positions/bench.epd, without their counters.
POSITIONS = tuple(
    " ".join(line.split()[:2]) for line in shipped_positions("bench").read_text(encoding="utf-8").splitlines()
)


def signature(depth: int, context: Context | None = None) -> int:
    """The nodes of all searches with one thread; at DEPTH that of `eleengine bench`.

    context: the numbers that they go by; None: the default ones.
    """
    searcher = Searcher(hash_mib=HASH_MIB, context=context)
    nodes = 0
    for fen in POSITIONS:
        searcher.clear()
        nodes += searcher.search(BaseBoard(fen), depth=depth)[0].nodes
    return nodes


@lru_cache(maxsize=1)
def speed() -> int:
    """Nodes per second of one thread here, as `eleengine bench` prints them; measured once, for a second."""
    start = perf_counter()
    return max(1, int(signature(DEPTH) / (perf_counter() - start)))
