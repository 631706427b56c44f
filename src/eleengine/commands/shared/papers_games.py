"""Games of the theses' programs: table 4-3 of the engine thesis, and what a part of a program is worth."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from ...engines import EngineError, Limit
from ...lab.match.adjudication import Adjudication
from ...lab.match.openings import read_openings
from ...lab.match.plan import MatchPlan
from ...lab.match.play import play_match
from ...lab.match.results import MatchResults
from ...lab.match.spec import PlayerSpec
from ...lab.match.stats import estimate
from ...papers.published import GAMES_POINTS, PARTS
from ...papers.report import table
from .. import CommandError
from .progress import Progress


def play(
    first: PlayerSpec, second: PlayerSpec, limit: Limit | None, pairs: int, args: argparse.Namespace
) -> MatchResults:
    """A match of two, each opening with both colours; CommandError tells what cannot be played."""
    plan = MatchPlan(
        (first, second),
        tuple(read_openings("openings")),
        limit,
        pairs,
        adjudication=Adjudication(max_plies=args.max_plies),
        seed=args.seed,
    )
    try:
        with Progress(f"{first.name} - {second.name}") as progress:
            return play_match(
                plan,
                concurrency=args.concurrency,
                report=lambda results, _: progress.show(len(results.games()), plan.games, 0),
            )
    except (EngineError, OSError) as error:
        raise CommandError(str(error)) from None


def games(args: argparse.Namespace) -> Iterator[str]:
    """Table 4-3: the program with a time for each move against an engine limited by depth."""
    program = PlayerSpec.from_words([f"name={args.program}", f"time={args.time}"])
    rows = []
    for depth in args.depths:
        opponent = read_player([*args.opponent, f"depth={depth}"])
        results = play(program, opponent, None, args.pairs, args)
        wins, draws, losses = results.wins((0, 1))
        known = GAMES_POINTS.get(depth)
        rows.append([str(depth), str(wins), str(draws), str(losses), score(wins, draws, losses)])
        rows[-1].append(f"{known[0]}:{known[1]}" if known else "")
    yield f"table 4-3: {args.program}, {args.time:g} s a move, against {opponent.name} by depth"
    yield from table(["depth", "won", "drawn", "lost", "score", "published, against ElephantEye"], rows)


def parts(args: argparse.Namespace) -> Iterator[str]:
    """What each part of a program is worth: games of the program without it against the whole."""
    limit = Limit(depth=args.depth) if args.depth else Limit(nodes=args.nodes)
    whole = PlayerSpec.from_words([f"name={args.program}"])
    rows = []
    for name, options in PARTS[args.program].items():
        words = [f"option.{option}={value}" for option, value in options.items()]
        version = PlayerSpec.from_words([f"program={args.program}", f"name={name}", *words])
        results = play(version, whole, limit, args.pairs, args)
        wins, draws, losses = results.wins((0, 1))
        found = estimate(results.counts[0, 1])
        rows.append([name, str(wins), str(draws), str(losses), f"{found.score:.1%}"])
        rows[-1].append(f"{found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}]")
        yield f"{name}: {rows[-1][-1]}"
    yield ""
    yield f"{args.program} changed, against the whole; {limit}, {2 * args.pairs} games each"
    yield from table(["", "won", "drawn", "lost", "score", "Elo"], rows)


def read_player(words: Sequence[str]) -> PlayerSpec:
    """The player of some words; CommandError."""
    try:
        return PlayerSpec.from_words(words)
    except ValueError as error:
        raise CommandError(str(error)) from None


def score(wins: int, draws: int, losses: int) -> str:
    """Points of both sides."""
    return f"{wins + draws / 2:g}:{losses + draws / 2:g}"
