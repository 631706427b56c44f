"""Rate players by their games: records in any format, and journals of matches.

Records need the names of both sides and a result. The pairs of games that a journal knows make narrower
intervals than the same games in a record.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter

from .._internal.digits import real_between
from .._internal.live import Progress
from ..lab.match.journal import is_journal, read_match
from ..lab.match.outputs import rating_lines
from ..lab.match.ratings import Counts, ratings
from ..records import RecordError, scan_games
from . import CommandError, add_real, argument_type, input_errors, warn

RESULTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}  # half points of Red


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="records (PGN ...) or journals of matches")
    parser.add_argument(
        "--anchor",
        type=argument_type(read_anchor),
        action="append",
        default=[],
        metavar="NAME=ELO",
        help="a player of known rating; repeatable",
    )
    add_real(parser, "--confidence", 0.5, 0.9999, default=0.95, metavar="P", help="")
    parser.add_argument("--json", action="store_true", help="the ratings as a JSON array")


def run(args: argparse.Namespace) -> int:
    anchors = dict(args.anchor)
    if len(anchors) < len(args.anchor):
        raise CommandError("--anchor: a player is named twice")
    with input_errors(RecordError, ValueError):
        found = read_results(args.files)
        rows = ratings(found, confidence=args.confidence, anchors=anchors)
    if args.json:
        print(json.dumps([row._asdict() for row in rows]))
    else:
        print("\n".join(rating_lines(rows, confidence=args.confidence)))
    return 0


def read_anchor(text: str) -> tuple[str, float]:
    """NAME=ELO; ValueError."""
    name, _, elo = text.rpartition("=")
    if not name:
        raise ValueError(f"must be NAME=ELO, not {text[:40]!r}")
    return name, real_between(elo, -10_000, 10_000)


def read_results(paths: list[str]) -> list[Counts]:
    """Counts of all pairings; games without names or result are left out, with a warning."""
    found: list[Counts] = []
    games: Counter[tuple[str, str, int]] = Counter()
    left_out = uncounted = 0
    with Progress() as progress:
        for path in paths:
            if is_journal(path):
                results = read_match(path).results
                found += results.summary(brief=True).counts().items()
                uncounted += len(results.records) - results.counted
                continue
            for entry in scan_games(path):
                if entry.deleted:
                    continue
                headers = entry.headers
                if headers.get("Result") not in RESULTS:  # it may stand behind the moves
                    headers = entry.game().headers
                red, black = (headers.get(name, "").strip("? ") for name in ("Red", "Black"))
                result = headers.get("Result")
                if result in RESULTS and red and black and red != black:
                    games[red, black, RESULTS[result]] += 1
                else:
                    left_out += 1
                progress.tell(lambda _: f"{games.total():,} games")
    if left_out:
        warn(f"{left_out:,} games without two names or a result are left out")
    if uncounted:
        warn(f"{uncounted:,} games of journals are left out: no whole pair yet, or after the end of the test")
    for red, black in sorted({(red, black) for red, black, _ in games}):
        found.append(((red, black), [games[red, black, points] for points in range(3)]))
    return found
