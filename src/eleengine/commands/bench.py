"""Search fixed positions to a fixed depth: nodes, speed, and a signature of the search.

The signature is the number of nodes with one thread. It is the same on every machine, and changes
with every change of what the search does.
"""

from __future__ import annotations

import argparse
import time

from .._core import PARALLEL, BaseBoard, Searcher
from .._internal.benchmark import DEPTH, HASH_MIB, POSITIONS
from ..engines.engine_options import HASH
from . import CommandError, add_number
from .shared.arguments import add_engine_option, add_network, add_threads, read_context


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--depth", 1, 100, default=DEPTH, help="plies (default: %(default)s)")
    add_engine_option(parser, HASH, default=HASH_MIB, help=f"default: %(default)s; 0: {HASH.zero}")
    add_threads(parser)
    parser.add_argument(
        "--parallel", choices=PARALLEL, default="auto", help="how threads share the work (%(default)s)"
    )
    add_number(
        parser, "--expect", 1, 10**18, metavar="NODES", help="exit status 1 if the signature is different"
    )
    add_network(parser)
    parser.add_argument("--verbose", action="store_true", help="a line for each position")


def run(args: argparse.Namespace) -> int:
    if args.expect is not None and args.threads > 1:
        raise CommandError("--expect needs one thread: the nodes of several differ from run to run")
    searcher = Searcher(hash_mib=args.hash, threads=args.threads, context=read_context(args))
    searcher.parallel = args.parallel
    total = 0
    start = time.perf_counter()
    for number, fen in enumerate(POSITIONS, 1):
        searcher.clear()
        [line] = searcher.search(BaseBoard(fen), depth=args.depth)
        total += line.nodes
        if args.verbose:
            print(f"{number:>2} {fen:<76} {line.pv[0]} {line.nodes:>10}", flush=True)
    seconds = time.perf_counter() - start
    print(f"positions {len(POSITIONS)}")
    print(f"nodes {total}")
    print(f"seconds {seconds:.2f}")
    print(f"nodes/s {total / seconds:.0f}")
    if args.threads == 1:
        print(f"signature {total}")
    if args.expect is not None and args.expect != total:
        print(f"wrong: expected {args.expect}")
        return 1
    return 0
