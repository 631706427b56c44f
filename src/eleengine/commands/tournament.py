"""Let several engines play each against each, and make a table of ratings.

Engines are described as for `match`; --gauntlet lets only the first one meet each other. The journal makes a
tournament that was interrupted go on: give the same command again.
"""

from __future__ import annotations

import argparse

from . import CommandError
from .match import add_plan, add_run, run_match


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser, tournament=True)
    parser.add_argument("--gauntlet", action="store_true", help="the first engine against each other one")
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    if len(args.engine) < 2:
        raise CommandError("a tournament is between two engines or more: use -e several times")
    return run_match(args, gauntlet=args.gauntlet)
