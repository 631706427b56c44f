"""Look at, check, import, export, merge, filter and shuffle files of games."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from os.path import basename, getsize

from .._core import NO_SCORE, STARTING_FEN
from .._internal.live import Progress
from ..lab.data.gamefile import RESULT_NAMES, GameFileError, PackedGame, Reason, read_games, read_header
from ..lab.data.gametools import (
    GamesSummary,
    NoGamesError,
    check,
    is_text,
    merged,
    read_journal,
    read_records,
    read_text,
    save,
    shuffled,
)
from ..lab.match.journal import is_journal
from . import CommandError, check_order, input_errors, need, whole_number
from .shared.outputs import named_file

RESULTS = ("black", "draw", "red")  # by the number of a game's result
MANY = whole_number(0, 1 << 60)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    jobs = parser.add_subparsers(dest="job", required=True, metavar="JOB")
    show = jobs.add_parser("show", help="say what a file holds, or show one game")
    show.add_argument("file", metavar="FILE")
    show.add_argument("--game", type=MANY, metavar="N", help="show game N (from 0), its moves and scores")
    show.add_argument("--json", action="store_true", help="as one JSON object")
    some = jobs.add_parser("check", help="read files, compare checksums, replay all games by the rules")
    some.add_argument("files", nargs="+", metavar="FILE")
    some = jobs.add_parser("import", help="make a file of games out of records, journals, text")
    some.add_argument(
        "text",
        metavar="TEXT",
        help="game records or the journal of a match, with scores; or lines of 1 (Red won), 0 or = and moves",
    )
    some.add_argument("out", type=named_file, metavar="OUT")
    some.add_argument(
        "--source", help="kept in the file: who made these games, which licence (default: the name of TEXT)"
    )
    some = jobs.add_parser("export", help="write positions as arrays (.npz) or a table (.parquet)")
    some.add_argument("files", nargs="+", metavar="FILE", help="files of games, or game records")
    some.add_argument("out", type=named_file, metavar="OUT")
    some.add_argument(
        "--fields",
        default="planes,moves,scores,results,games,plies",
        metavar="NAME,...",
        help="arrays of an npz, see docs/ml.md (%(default)s)",
    )
    some.add_argument(
        "--headers", default="", metavar="NAME,...", help="further columns: headers such as Red,Black,Date"
    )
    some.add_argument("--first-ply", type=MANY, default=0, metavar="N", help="leave out the plies before")
    some.add_argument("--searched", action="store_true", help="leave out moves without a score")
    some = jobs.add_parser("merge", help="put the games of several files into one")
    some.add_argument("files", nargs="+", metavar="FILE")
    some.add_argument("out", type=named_file, metavar="OUT")
    some.add_argument("--unique", action="store_true", help="leave out games that are there already")
    some = jobs.add_parser("filter", help="keep some games")
    some.add_argument("file", metavar="FILE")
    some.add_argument("out", type=named_file, metavar="OUT")
    some.add_argument("--result", choices=RESULTS, help="who won")
    some.add_argument(
        "--reason", choices=[reason.name.lower() for reason in Reason], help="why the game ended"
    )
    some.add_argument("--min-plies", type=MANY, default=0, metavar="N")
    some.add_argument("--max-plies", type=MANY, default=1 << 60, metavar="N")
    some.add_argument("--skip", type=MANY, default=0, metavar="N", help="leave out the first N of these")
    some.add_argument("--limit", type=MANY, default=1 << 60, metavar="N", help="take no more than N of these")
    some = jobs.add_parser("shuffle", help="put the games into an order by chance")
    some.add_argument("file", metavar="FILE")
    some.add_argument("out", type=named_file, metavar="OUT")
    some.add_argument("--seed", type=MANY, default=0, metavar="N", help="default: %(default)s")


def run(args: argparse.Namespace) -> int:
    jobs = {"show": run_show, "check": run_check, "import": run_import, "export": run_export}
    with input_errors():
        if args.job in jobs:
            return jobs[args.job](args)
        if args.job == "merge":
            games = save(args.out, "merge", merged(args.files, unique=args.unique), args.files)
        elif args.job == "filter":
            check_order(args, "min-plies", "max-plies")
            games = save(args.out, "filter", chosen(args), [args.file])
        else:
            mixed = shuffled(args.file, args.seed)
            games = save(args.out, "shuffle", mixed, [args.file], seed=args.seed)
        return print_count(games)


def print_count(games: int) -> int:
    print(f"{games} games")
    return 0


def run_show(args: argparse.Namespace) -> int:
    if args.game is not None:
        for number, game in enumerate(read_games(args.file)):
            if number == args.game:
                print(json.dumps(game_data(game)) if args.json else game_text(game))
                return 0
        raise CommandError(f"{args.file}: no game {args.game}")
    summary = GamesSummary()
    with Progress() as progress:
        for game in read_games(args.file):
            summary.add(game)
            progress.tell(lambda _: f"{summary.games:,} games")
    header = read_header(args.file)
    size = getsize(args.file)
    if args.json:
        print(json.dumps({"header": header, "bytes": size, **summary_data(summary)}))
        return 0
    for name, value in header.items():
        print(f"{name}: {value if isinstance(value, str | int) else json.dumps(value)}")
    print(f"{summary.games:,} games, {summary.plies:,} plies, {summary.scored:,} of them with a score")
    print(f"{size:,} bytes, {size / max(summary.plies, 1):.2f} for each ply")
    print(f"{summary.plies / max(summary.games, 1):.1f} plies in a game, {summary.longest} in the longest")
    print(", ".join(f"{name} {summary.results[i]:,}" for i, name in enumerate(RESULT_NAMES)))
    print("ended by " + ", ".join(f"{r.name.lower()} {n:,}" for r, n in sorted(summary.reasons.items())))
    return 0


def summary_data(summary: GamesSummary) -> dict[str, object]:
    return {
        "games": summary.games,
        "plies": summary.plies,
        "scored": summary.scored,
        "longest": summary.longest,
        "results": {name: summary.results[i] for i, name in enumerate(RESULT_NAMES)},
        "reasons": {reason.name.lower(): n for reason, n in sorted(summary.reasons.items())},
    }


def game_data(game: PackedGame) -> dict[str, object]:
    return {
        "start": game.start,
        "moves": [move.iccs() for move in game.move_list()],
        "scores": [None if score == NO_SCORE else score for score in game.scores or ()],
        "result": RESULT_NAMES[game.result],
        "reason": Reason(game.reason).name.lower(),
    }


def game_text(game: PackedGame) -> str:
    """Moves and scores, ten to a line.

    >>> from eleengine.lab.data.gamefile import pack
    >>> print(game_text(PackedGame(2, Reason.MATE, pack(["h2e2", "h9g7"]), (NO_SCORE, -15))))
    2 plies, red won by mate
      1. h2e2        h9g7   -15
    """
    scores = game.scores or [NO_SCORE] * len(game.moves)
    pairs = [
        f"{move.iccs()} {'' if score == NO_SCORE else f'{score:+}':>5}"
        for move, score in zip(game.move_list(), scores, strict=True)
    ]
    lines = [] if game.start == STARTING_FEN else [game.start]
    lines.append(f"{len(pairs)} plies, {RESULT_NAMES[game.result]} by {Reason(game.reason).name.lower()}")
    lines += [f"{i + 1:>3}. {'  '.join(pairs[i : i + 10])}".rstrip() for i in range(0, len(pairs), 10)]
    return "\n".join(lines)


def run_check(args: argparse.Namespace) -> int:
    """A line for each file; 1 when one is damaged."""
    damaged = 0
    for path in args.files:
        try:
            with Progress(path) as progress:
                summary = check(path, lambda found: progress.tell(lambda _: f"{found.games:,} games"))
        except GameFileError as error:
            print(error, flush=True)
            damaged += 1
        else:
            print(f"{path}: {summary.games} games, {summary.plies} plies, no fault", flush=True)
    return 1 if damaged else 0


def run_import(args: argparse.Namespace) -> int:
    """The number of games; 1 when some were left out."""
    faults = 0

    def fault(line: int, what: str) -> None:
        nonlocal faults
        if faults == 0:
            print(f"{args.text}:{line}: {what}", file=sys.stderr)
        faults += 1

    read = read_journal if is_journal(args.text) else read_text if is_text(args.text) else read_records
    source = args.source or basename(args.text)
    with input_errors(NoGamesError, where=f"{args.text}: "):
        games = save(args.out, "import", read(args.text, fault), [], source=source)
    print_count(games)
    if faults:
        print(f"{faults} games are faulty and left out; the first is named above", file=sys.stderr)
    return 1 if faults else 0


def run_export(args: argparse.Namespace) -> int:
    need("numpy", extra="ml", what="data export")
    from ..ml.export import export

    with input_errors(ModuleNotFoundError):  # pyarrow
        count = export(
            args.files,
            args.out,
            fields=args.fields.split(","),
            headers=[name for name in args.headers.split(",") if name],
            first_ply=args.first_ply,
            searched=args.searched,
        )
    print(f"{count} positions")
    return 0


def chosen(args: argparse.Namespace) -> Iterator[PackedGame]:
    """The games of the file that the arguments of filter let pass."""

    def passes(game: PackedGame) -> bool:
        return (
            args.result in (None, RESULTS[game.result])
            and args.reason in (None, Reason(game.reason).name.lower())
            and args.min_plies <= len(game.moves) <= args.max_plies
        )

    return islice(filter(passes, read_games(args.file)), args.skip, args.skip + args.limit)
