"""Compute what counts of results prove, and how long a sequential test takes.

Counts are losses, draws and wins of games, or pairs of games by their points: 0-2 first, 2-0 last.
"""

from __future__ import annotations

import argparse

from ..lab.match.outputs import corrected_text, estimate_text, games_text, llr_text
from ..lab.match.stats import Sprt, estimate
from . import CommandError, add_number, goes_with, input_errors
from .match import add_test, read_test


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "counts", 0, 10**9, nargs="*", help="three or five counts, worst first")
    add_test(parser, use="the test: what has it found, how long is it")
    goes_with(parser, "--sprt", "--alpha", "--beta", "--model")


def run(args: argparse.Namespace) -> int:
    test = read_test(args)
    if not args.counts and not test:
        raise CommandError("give counts, --sprt or both")
    with input_errors():
        if args.counts:
            found = estimate(args.counts)
            print(games_text(found))
            print(estimate_text(found))
        if test:
            show_test(test, args.counts)
    return 0


def show_test(test: Sprt, counts: list[int]) -> None:
    """What the test says of the counts, and how long it takes with results scattered like these."""
    if counts:
        said = {"H0": "H0 accepted", "H1": "H1 accepted", None: "open"}[test.verdict(counts)]
        print(f"LLR {llr_text(test, test.llr(counts))}: {said}")
        print(corrected_text(test, counts))
    width = test.elo1 - test.elo0
    print(f"{'true Elo':>9}  {'H1 accepted':>11}  {'pairs':>8}")
    for elo in (
        test.elo0 - width / 2,
        test.elo0,
        (test.elo0 + test.elo1) / 2,
        test.elo1,
        test.elo1 + width / 2,
    ):
        chance, pairs = test.course(elo, counts if len(counts) == 5 else None)
        print(f"{elo:>+9.1f}  {100 * chance:>10.1f}%  {pairs:>8,.0f}")
