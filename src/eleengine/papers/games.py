"""Games of the theses' programs: table 4-3 of the engine thesis, and what a part of a program is worth."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from io import StringIO

from .. import notation
from .._core import Move
from .._internal.files import replaced
from .._internal.live import Progress
from ..board import Board
from ..commands import input_errors
from ..engines import EngineError, Limit
from ..lab.match.adjudication import Adjudication
from ..lab.match.game import play_game
from ..lab.match.openings import read_openings
from ..lab.match.plan import MatchPlan
from ..lab.match.play import play_match
from ..lab.match.results import MatchResults
from ..lab.match.spec import PlayerSpec
from ..lab.match.stats import estimate
from ..score import to_core
from . import PROGRAMS, ThesisEngine, experiments
from .language import LANGUAGE, tr
from .published import ENDINGS, GAMES_POINTS, MIDDLEGAME_MOVES, PARTS
from .report import table

_RESULTS = {"experiment", "csv", "language", "force"}  # options that say where they go
MARGIN = 3600.0  # seconds that a move may be late: a busy machine takes no game away


def play(
    first: PlayerSpec, second: PlayerSpec, limit: Limit | None, pairs: int, args: argparse.Namespace
) -> MatchResults:
    """Play a match of two, each opening with both colours; CommandError names a player that fails."""
    plan = MatchPlan(
        (first, second),
        tuple(read_openings("openings")),
        limit,
        pairs,
        adjudication=Adjudication(max_plies=args.max_plies),
        margin=MARGIN,
        seed=args.seed,
    )
    with input_errors(EngineError, OSError), Progress(f"{first.name} - {second.name}") as progress:
        return play_match(
            plan,
            concurrency=args.concurrency,
            reports=[lambda results, _: progress.show(len(results.games()), plan.games, 0)],
        )


def games(args: argparse.Namespace) -> Iterator[str]:
    """Table 4-3: the program with a time for each move against an engine limited by depth."""
    given = f"nodes={args.nodes}" if args.nodes else f"time={args.time}"
    program = PlayerSpec.from_words([f"name={args.program}", given])
    rows = []
    for depth in args.depths:
        opponent = read_player([*args.opponent, f"depth={depth}"])
        results = play(program, opponent, None, args.pairs, args)
        wins, draws, losses = results.wins((0, 1))
        known = GAMES_POINTS.get(depth)
        rows.append([str(depth), str(wins), str(draws), str(losses), score(wins, draws, losses)])
        rows[-1].append(f"{known[0]}:{known[1]}" if known else "")
    yield tr("table 4-3: {program}, {limit}, against {opponent} by depth").format(
        program=title(args.program), limit=limit_text(program.limit or Limit()), opponent=opponent.name
    )
    yield from shown(args, ["depth", "won", "drawn", "lost", "score", "published, against ElephantEye"], rows)


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
        yield f"{tr(name)}{tr(': ')}{rows[-1][-1]}"
    yield ""
    yield tr("{program} changed, against the whole; {limit}, {n} games each").format(
        program=title(args.program), limit=limit_text(limit), n=2 * args.pairs
    )
    yield from shown(args, ["part", "won", "drawn", "lost", "score", "Elo"], rows)


def shown(args: argparse.Namespace, header: list[str], rows: list[list[str]]) -> list[str]:
    """The table as lines, and in the file of --csv; there a second column of a name is the published one.

    How the table was made stands in the last columns of the file.
    """
    if args.csv:
        text = StringIO()
        names = [f"published {name}" if name in header[:n] else name for n, name in enumerate(header)]
        options = {name: value for name, value in vars(args).items() if name not in _RESULTS}
        if options.get("nodes") or options.get("depth"):
            options.pop("time", None)  # the default, in whose place it is
        origin = asdict(experiments.origin_of(options))
        csv.writer(text).writerows([[*names, *origin], *([*row, *origin.values()] for row in rows)])
        with replaced(args.csv) as file:
            file.write(text.getvalue().encode())
    return list(table(header, rows))


def read_player(words: Sequence[str]) -> PlayerSpec:
    """The player of some words; CommandError."""
    with input_errors():
        return PlayerSpec.from_words(words)


def title(program: str) -> str:
    """Whose program it is, in the language of the tables."""
    found = PROGRAMS[program]
    return found.title_zh if LANGUAGE.get() == "zh" else found.title


def limit_text(limit: Limit) -> str:
    """What ends a search.

    >>> limit_text(Limit(time=20)), limit_text(Limit(nodes=5000))
    ('20 s a move', '5,000 nodes a move')
    """
    if limit.depth:
        return tr("depth {n}").format(n=limit.depth)
    if limit.nodes:
        return tr("{n:,} nodes a move").format(n=limit.nodes)
    return tr("{n:g} s a move").format(n=limit.time)


def move_text(board: Board, move: Move) -> str:
    """The move in the language of the tables."""
    return notation.chinese(board, move) if LANGUAGE.get() == "zh" else move.iccs()


def score(wins: int, draws: int, losses: int) -> str:
    """Points of both sides."""
    return f"{wins + draws / 2:g}:{losses + draws / 2:g}"


def middlegames(args: argparse.Namespace) -> Iterator[str]:
    """Table 3-1: what the program plays, and what the expected move is worth at the same depth."""
    limit = Limit(depth=args.depth) if args.depth else Limit(time=args.time)
    rows = []
    same = 0
    with ThesisEngine(args.program) as engine:
        for number, board in (item for item in experiments.middlegames().items()):
            depth, move, expected, difference = MIDDLEGAME_MOVES[number]
            position = Board(board.fen())
            engine.clear()
            result = engine.play(position, limit)
            assert result.move is not None
            found, wanted = result.info, Move.from_iccs(expected)
            again = engine.play(position, Limit(depth=found["depth"]), root_moves=[wanted]).info
            between = to_core(again["score"].relative) - to_core(found["score"].relative)
            same += result.move == wanted
            played, wished, known = (
                move_text(position, one) for one in (result.move, wanted, Move.from_iccs(move))
            )
            rows.append([number, str(found["depth"]), played, wished])
            rows[-1] += ["0" if result.move == wanted else str(between), str(depth), known, str(difference)]
    yield tr("table 3-1: {program}, {limit}").format(program=title(args.program), limit=limit_text(limit))
    header = ["position", "depth", "move", "expected", "difference", "published depth", "move", "difference"]
    yield from shown(args, header, rows)
    yield tr("the expected move in {same} of 10 (published: 3)").format(same=same)


def endings(args: argparse.Namespace) -> Iterator[str]:
    """Tables 4-1 and 4-2: the program plays red, another engine black."""
    limit = Limit(depth=args.depth) if args.depth else Limit(time=args.time)
    program, opponent = read_player([f"program={args.program}"]), read_player(args.opponent)
    rows = []
    words = {"1-0": "win", "1/2-1/2": "draw", "0-1": "loss"}
    with (
        input_errors(EngineError, OSError),
        closing(program.open()) as red,
        closing(opponent.open()) as black,
    ):
        for number, name, fen, result, plies in ENDINGS:
            record = play_game(
                red,
                black,
                fen,
                limit=(limit, opponent.limit or limit),
                adjudication=Adjudication(max_plies=args.max_plies),
                margin=MARGIN,
            )
            row = [str(number), name, tr(words[record.result]), str(record.plies)]
            rows.append([*row, tr(result), str(plies)])
    yield tr("tables 4-1 and 4-2: {program} plays red, {limit}, {opponent} black").format(
        program=title(args.program), limit=limit_text(limit), opponent=opponent.name
    )
    yield from shown(args, ["number", "name", "result", "plies", "published", "plies"], rows)
    won = sum(row[2] == tr("win") for row in rows)
    yield tr("won {won} of {n} (published: {known})").format(
        won=won, n=len(rows), known=sum(one[3] == "win" for one in ENDINGS)
    )
