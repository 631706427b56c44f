"""Play two engines against each other, and say what the result proves.

An engine is described by the words after -e, KEY=VALUE each: the engine of this program without a cmd=,
or any program that speaks UCCI or UCI. Every opening is played twice, with changed colours. The journal
makes a match that was interrupted go on: give the same command again.
"""

from __future__ import annotations

import argparse

from ..lab.match.stats import Sprt
from . import CommandError, real_number
from .shared.match_arguments import add_plan, add_run, read_plan
from .shared.match_runs import run_plan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    test = parser.add_argument_group("sequential test", "ends the match as soon as the result is clear")
    test.add_argument(
        "--sprt",
        nargs=2,
        type=real_number,
        metavar=("ELO0", "ELO1"),
        help="is the first engine ELO1 stronger (H1), or only ELO0 (H0)?",
    )
    test.add_argument(
        "--alpha", type=real_number, default=0.05, help="chance to accept a false H1 (%(default)s)"
    )
    test.add_argument(
        "--beta", type=real_number, default=0.05, help="chance to accept a false H0 (%(default)s)"
    )
    test.add_argument(
        "--model", choices=("logistic", "normalized"), default="logistic", help="what Elo means there"
    )
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    if len(args.engine) != 2:
        raise CommandError(f"a match is between two engines, not {len(args.engine)}: use -e twice")
    sprt = None
    if args.sprt:
        elo0, elo1 = args.sprt
        sprt = Sprt(elo0, elo1, args.alpha, args.beta, args.model)
    return run_plan(args, read_plan(args, sprt=sprt))
