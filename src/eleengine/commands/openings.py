"""Make openings for matches: positions after random moves, level for a search, each once.

The moves lose nothing at once, by exchanges. A position and its mirror image count as one. With one build of
the engine equal arguments make equal files.
"""

from __future__ import annotations

import argparse
import sys

from .._core import STARTING_FEN
from .._internal.files import replaced
from .._internal.live import Progress
from ..lab.match.openings import level_openings, read_openings
from . import add_number, input_errors
from .shared.outputs import OutputFile, add_force, check_output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "out",
        type=OutputFile,
        metavar="FILE",
        help="EPD to write: positions with their scores (ce); - is stdout",
    )
    add_number(parser, "--count", 1, 10**7, default=1000, help="positions")
    add_number(parser, "--plies", 1, 100, default=8, help="random moves")
    add_number(parser, "--balance", 0, 30_000, default=50, metavar="CP", help="highest score of a side")
    add_number(parser, "--nodes", 1, 10**9, default=10_000, help="a search")
    parser.add_argument(
        "--start", metavar="FILE", help="positions or records to begin from (default: the initial position)"
    )
    add_number(parser, "--seed", 0, 2**31, default=1, help="of all chance")
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    check_output(args.out, force=args.force)
    with input_errors():
        starts = read_openings(args.start) if args.start else [STARTING_FEN]
        with Progress() as progress, replaced(args.out) as file:
            found = level_openings(
                args.count,
                seed=args.seed,
                starts=starts,
                plies=args.plies,
                balance=args.balance,
                nodes=args.nodes,
                report=lambda number, tries: progress.tell(
                    lambda _: f"{number:,} of {args.count:,}, {tries:,} tries"
                ),
            )
            for board, score in found:
                file.write(f"{board.epd(ce=score)}\n".encode())
    print(f"{args.count:,} openings", file=sys.stderr if args.out == "-" else sys.stdout)
    return 0
