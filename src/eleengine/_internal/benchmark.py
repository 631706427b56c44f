"""Searches of fixed positions to a fixed depth, whose number of nodes identifies a build.

With one thread it is the same on every machine, and changes with every change of what the search does.

>>> signature(1) == signature(1)
True
"""

from __future__ import annotations

from functools import lru_cache
from time import perf_counter

from .._core import BaseBoard, Context, Searcher

HASH_MIB = 16
DEPTH = 11  # plies of `eleengine bench`

# The positions of positions/bench.epd, which names their sources.
POSITIONS = (
    "3nka3/4a4/4b3R/p1p1p4/5r3/2P5P/P2N5/4B4/4A4/3AK1B2 w",
    "1rbakab2/9/n1c1c1n2/p1p1pR2p/6p2/2PN3r1/P3P1P1P/1C2B2C1/4A4/2BAK2NR w",
    "5a1C1/4k4/3a5/pr6p/6R2/9/P3c3P/2r1B4/4A4/1RB1KA3 w",
    "r1b1kab1r/4a4/6nc1/p3p1p1p/1cR2n3/9/P5P1P/1CN1B2CN/4A4/R3KAB2 b",
    "1n1akab2/9/1r4n2/1CP5p/6b2/2RN5/c3P1r1P/C3B1N2/9/3AKAB2 b",
    "r1baka2r/5n3/c3b2c1/p3p1p1p/2p6/5NP2/P3P3P/N3BC3/R8/3AKABR1 b",
    "2bak4/4aP3/2n6/p2Rp1C1p/9/2p6/P3r3P/4B4/4A4/4KAB2 b",
    "C1baka1r1/2c1n4/c7b/4p1P1p/2p6/9/P3PR2P/Nr2B1N2/5R3/2BAKA3 w",
    "2bak4/4a4/n3b4/pC3C3/9/3N2p1c/P3P4/9/4K1n2/2BA1AB2 w",
    "2bak2r1/4a4/c1n1b1n2/p5NCp/4CP3/9/P1c1P3P/2N6/4A4/4KA1R1 b",
    "2ba1aR2/2c1k4/2n4r1/p4P2p/9/2P1C4/P3P2rc/4C3B/4A4/2BAKR3 w",
    "1rbakab2/c2r5/2n3n1c/p3p1p1p/2R6/6P2/P1P1P3P/C1N3N1C/9/2BAKAB1R w",
    "3k1a3/4a4/b8/p1n4N1/4p1n2/2P6/P3P1c2/2N1B4/8C/2BA1K3 w",
    "1rb1kabr1/4a3c/1cn3n2/p1p1p1R1p/6p2/2P6/P3P1P1P/C1N1C1N2/9/R1BAKAB2 w",
    "3ak4/4a4/b3b4/6n1p/P3n1p2/3rN3P/4R1P2/4BA3/5C3/3AK1B2 w",
    "1rbaka2r/9/1c2b1n2/p3p2cp/3n2p2/2R6/P3P1P1P/2N1C1NC1/3R5/2BAKAB2 b",
    "5ab2/4k4/1RNr1a2n/8p/C5b2/4C4/P3P3P/9/4K1c2/2BA1A1c1 b",
    "r2akabn1/9/b1n2c2c/p3p1p1p/2p6/C5P2/P1P1P3P/2N1C1N2/9/1RBAKAB2 b",
    "5kb2/4R4/n7r/p5P1p/1r5c1/2p6/P7P/4B4/4AN3/2BAK2R1 b",
    "4kab2/4a4/b1n1c3n/4p1p1p/p1pr1c3/1RP1PNP2/P7P/2N1C4/4A4/2BCKAB2 w",
    "2bakabnr/9/n2c3c1/p1p1p1p1p/1r7/6P2/P1P1P3P/C1N1B2C1/9/1RBAKA1NR b",
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w",
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w",
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w",
    "4ka3/4a4/9/9/4N4/p8/9/4C3c/7n1/2BK5 w",
    "3k5/9/9/3N5/9/9/4p4/9/9/3K5 w",
    "4k4/9/9/P1P1P1P1P/9/9/p1p1p1p1p/9/9/4K4 w",
    "1c2k2c1/9/9/9/p1p1p1p1p/P1P1P1P1P/9/9/9/1C2K2C1 w",
    "4k4/9/4C4/9/4C4/9/9/9/r8/3K5 b",
    "r1bk1abnr/9/9/p1p1p1p1p/9/2P3P2/P3c3P/N3B2C1/9/R2AKABR1 w",
    "4ka2R/9/4b4/3R5/2b1C4/6P2/1r2Pp3/3K5/4r4/2Bc2B1n b",
    "2baka3/5r2n/n8/p1p1C4/6b2/9/4P4/2R6/3NA4/5K3 w",
    "1Rbaka3/9/6n1b/p8/4p1r2/9/4P3P/3C5/1R7/2BcKAB2 w",
    "2n6/6N2/3k5/2P6/9/9/2p6/1C6C/4p1r2/5K3 w",
    "3ak4/4a4/9/9/4R4/9/9/3AKA3/4C4/4r4 w",
    "4k4/4a4/3r1a3/9/4R4/9/9/3A1A3/4K4/4C4 w",
    "3k5/4P4/5c3/c8/9/9/9/B8/3C5/5KC2 w",
    "3a2b2/3k4C/3a4b/6P2/9/9/9/9/9/4K4 w",
    "3ak1b2/4a4/4b4/1r7/4R3R/9/9/4B4/4A4/4K4 w",
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
