"""Count the leaves of the legal move tree, below one position or against a file of known counts."""

import argparse
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from .._core import BaseBoard
from .._internal.live import Progress
from .._internal.processors import usable_processors
from . import CommandError, add_number, goes_with
from .shared.arguments import add_position, read_board, refuse_record_position
from .shared.suite import read_fen, read_suite

MAX_DEPTH = 60
MAX_THREADS = 1024


class PerftCase(NamedTuple):
    """One line of a suite."""

    name: str
    board: BaseBoard
    counts: list[int]  # leaves after 1, 2, ... plies


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add_number(parser, "--depth", 0, MAX_DEPTH, help="plies")
    parser.add_argument("--divide", action="store_true", help="count below each legal move")
    parser.add_argument(
        "--suite",
        metavar="FILE",
        help='compare with a file of JSON lines (- is stdin): {"id": .., "fen": .., "perft": [44, 1920, ..]}',
    )
    add_number(parser, "--max-leaves", 1, 10**18, default=10**18, help="only counts up to N (default: all)")
    goes_with(parser, "--suite", "--max-leaves")
    add_number(parser, "--threads", 1, MAX_THREADS, metavar="T", help="default: one for each processor")


def run(args: argparse.Namespace) -> int:
    threads = args.threads or usable_processors()
    if args.suite is not None:
        if args.game or args.divide or args.depth is not None:
            raise CommandError("--suite goes without FEN, --depth and --divide")
        refuse_record_position(args)
        bad: list[str] = []
        status = run_suite(read_suite(args.suite, read_case, bad=bad), args.max_leaves, threads)
        return 1 if bad else status
    if args.depth is None:
        raise CommandError("perft needs --depth N or --suite FILE")
    if args.divide and args.depth == 0:
        raise CommandError("--divide needs a depth of at least 1")
    return run_position(read_board(args), args.depth, args.divide, threads)


def run_position(board: BaseBoard, depth: int, divide: bool, threads: int) -> int:
    start = time.perf_counter()
    with Progress() as progress:
        if divide:
            counts = board.divide(depth, threads=threads, progress=progress.show)
            leaves = sum(counts.values())
        else:
            counts = {}
            leaves = board.perft(depth, threads=threads, progress=progress.show)
    seconds = time.perf_counter() - start
    for move, count in counts.items():
        print(f"{move} {count}")
    print_totals(leaves, seconds)
    return 0


def run_suite(cases: list[PerftCase], max_leaves: int, threads: int) -> int:
    """Print a line for each case; 1 when one of them is wrong."""
    start = time.perf_counter()
    leaves = wrong = 0
    for case in cases:
        with Progress(case.name) as progress:
            text, counted = check(case, max_leaves, threads, progress.show)
        print(f"{case.name:<12} {text}", flush=True)
        leaves += counted
        wrong += text.startswith("wrong")
    print(f"positions {len(cases)}, wrong {wrong}")
    print_totals(leaves, time.perf_counter() - start)
    return 1 if wrong else 0


def check(
    case: PerftCase, max_leaves: int, threads: int, progress: Callable[[int, int, int], None]
) -> tuple[str, int]:
    """What to say about a case, and the leaves counted: every depth, up to the first that is wrong."""
    counted = depth = 0
    for expected in case.counts:
        if expected > max_leaves:
            break
        depth += 1
        found = case.board.perft(depth, threads=threads, progress=progress)
        counted += found
        if found != expected:
            return f"wrong  depth {depth}: expected {expected}, found {found}", counted
    if depth == 0:
        return "skip   all counts are over the limit", 0
    return f"ok     depth {depth}: {case.counts[depth - 1]}", counted


def print_totals(leaves: int, seconds: float) -> None:
    print(f"leaves {leaves}")
    print(f"seconds {seconds:.3f}")
    print(f"million leaves/s {leaves / max(seconds, 1e-9) / 1e6:.1f}")


def read_case(data: dict[str, Any], number: int) -> PerftCase:
    counts = data.get("perft")
    if (
        not isinstance(counts, list)
        or not 1 <= len(counts) <= MAX_DEPTH
        or not all(type(count) is int and count >= 0 for count in counts)
    ):
        raise ValueError(f'"perft" must be a list of 1 to {MAX_DEPTH} whole numbers, for depth 1 and on')
    return PerftCase(str(data.get("id", f"line {number}")), read_fen(data), counts)
