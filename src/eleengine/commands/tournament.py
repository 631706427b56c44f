"""Let several engines play each against each, and make a table of ratings.

Engines are described as for `match`; --gauntlet lets only the first one meet each other, --swiss those
of like points, --knockout those that have not lost yet. The journal makes a tournament that was interrupted
go on: give the same command again.
"""

from __future__ import annotations

import argparse

from . import CommandError, whole_number
from .shared.match_arguments import add_plan, add_run, read_plan
from .shared.match_runs import run_plan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser, tournament=True)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--gauntlet", action="store_true", help="the first engine against each other one")
    kind.add_argument(
        "--swiss",
        type=whole_number(1, 1000),
        default=0,
        metavar="ROUNDS",
        help="pairs of games between engines of like points, in ROUNDS rounds",
    )
    kind.add_argument(
        "--knockout",
        type=whole_number(1, 1000),
        default=0,
        metavar="N",
        help="who loses a meeting of N pairs of games is out; seeds are the order of the engines",
    )
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    if len(args.engine) < 2:
        raise CommandError("a tournament is between two engines or more: use -e several times")
    if args.swiss and args.pairs:
        raise CommandError("--swiss has one pair of games for each two engines in a round: leave out --pairs")
    if args.knockout and args.pairs:
        raise CommandError("--knockout N says how many pairs of games a meeting has: leave out --pairs")
    kind = {"gauntlet": args.gauntlet, "swiss": args.swiss, "knockout": args.knockout}
    return run_plan(args, read_plan(args, **kind))
