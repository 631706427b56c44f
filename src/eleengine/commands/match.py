"""Play two engines against each other, and say what the result proves.

An engine is described by the words after -e, KEY=VALUE each: the engine of this program without a cmd=,
or any program that speaks UCCI or UCI. Every opening is played twice, with changed colours. The journal
makes a match that was interrupted go on: give the same command again.
"""

from __future__ import annotations

import argparse

from . import CommandError
from .shared.match_arguments import add_plan, add_run, add_test, read_plan, read_test
from .shared.match_runs import run_plan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_plan(parser)
    test = parser.add_argument_group("sequential test", "ends the match as soon as the result is clear")
    add_test(test, use="is the first engine ELO1 stronger (H1), or only ELO0 (H0)?")
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    if len(args.engine) != 2:
        raise CommandError(f"a match is between two engines, not {len(args.engine)}: use -e twice")
    return run_plan(args, read_plan(args, sprt=read_test(args)))
