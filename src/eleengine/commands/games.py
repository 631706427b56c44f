"""Index game records, and find the games of a position or of a player."""

from __future__ import annotations

import argparse
import json

from .._internal.files import write_whole
from .._internal.live import Progress, cut, pad
from ..board import Board
from ..games import FoundGame, FoundGames, GameFilter, GameIndex, GameIndexError
from ..records import RESULTS, position
from ..records.formats import has_suffix
from . import CommandError, FaultCount, add_number, check_order, input_errors, warn, whole_number
from .shared.arguments import add_record_position, is_file, read_board, refuse_record_position
from .shared.writing import MoveWriter, add_notation

YEAR = whole_number(1, 9999)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    jobs = parser.add_subparsers(dest="job", required=True, metavar="JOB")
    job = jobs.add_parser("index", help="read the games of files into the index; what is there adds nothing")
    job.add_argument("files", nargs="+", metavar="FILE", help="records of any format, or files of games")
    add_index(job)

    job = jobs.add_parser("find", help="moves and games of a position, or the games of a player")
    job.add_argument(
        "game", nargs="*", metavar="FEN [moves ...] | FILE | PLAYER", help="a position, or a part of a name"
    )
    add_record_position(job)
    chosen = job.add_argument_group("games to count (all of these must hold)")
    chosen.add_argument("--player", default="", metavar="TEXT", help="in the name of Red or Black")
    chosen.add_argument("--red", default="", metavar="TEXT", help="in the name of Red")
    chosen.add_argument("--black", default="", metavar="TEXT", help="in the name of Black")
    chosen.add_argument("--since", type=YEAR, metavar="YEAR", help="played in this year or later")
    chosen.add_argument("--until", type=YEAR, metavar="YEAR", help="played in this year or earlier")
    chosen.add_argument("--result", choices=RESULTS)
    add_number(job, "--limit", 0, 10**6, default=20, help="games to list")
    add_notation(job)
    job.add_argument("--json", action="store_true", help="as one JSON object")
    add_index(job)

    job = jobs.add_parser("show", help="write headers and main line of a game as PGN to stdout")
    add_number(job, "number", 1, 1 << 62, metavar="ID", help="as find lists it")
    add_index(job)

    job = jobs.add_parser("info", help="the files of the index, games and sizes")
    job.add_argument("--json", action="store_true", help="as one JSON object")
    add_index(job)


def add_index(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--index", metavar="FILE", help="the file of the index (default: your own, in the data folder)"
    )


def run(args: argparse.Namespace) -> int:
    with input_errors(GameIndexError):
        return {"index": run_index, "find": run_find, "show": run_show, "info": run_info}[args.job](args)


def open_index(args: argparse.Namespace) -> GameIndex:
    """The index of the arguments for looking up; CommandError without one."""
    try:
        return GameIndex(args.index)
    except FileNotFoundError as error:
        raise CommandError(
            f"{error.filename}: no games are indexed yet: eleengine games index FILE..."
        ) from None


# index


def run_index(args: argparse.Namespace) -> int:
    faults = FaultCount()
    with GameIndex(args.index, writable=True) as index, Progress() as progress:
        added = index.add_files(
            args.files,
            fault=faults.add,
            progress=lambda doing, games: progress.tell(lambda _: f"{doing}: {games:,} games"),
        )
    faults.end("more things cannot be read")
    unchanged = f"; {added.unchanged:,} files are as they were" if added.unchanged else ""
    print(f"{added.games:,} games read, {added.new:,} of them new{unchanged}")
    with GameIndex(args.index) as index:
        print(f"{index.path}: {len(index):,} games, {index.size():,} bytes")
    return 1 if faults.count else 0


# find


def run_find(args: argparse.Namespace) -> int:
    text = " ".join(args.game)
    board: Board | None = None
    if not text and (args.player or args.red or args.black) and args.ply is None:
        pass
    elif not text or position.is_position(text) or is_file(args.game[0]):
        board = read_board(args)
    elif args.player:
        raise CommandError(f"{text}: not a position, and --player names a player")
    elif len(args.game) == 1 and has_suffix(text):
        raise CommandError(f"{text}: there is no such file")
    else:
        args.player = text
    check_order(args, "since", "until")
    if board is None:
        refuse_record_position(args)
    where = GameFilter(args.player, args.red, args.black, args.since, args.until, args.result)
    with open_index(args) as index:
        found = index.find(board, where, limit=args.limit)
        files, games = index.unfinished()
    if files or games:
        warn(
            f"{index.path} is still being made, or was interrupted (eleengine games index goes on): "
            f"{files:,} files are not read to their end, the positions of {games:,} games not found yet"
        )
    if args.json:
        print(json.dumps(found_data(board, found), ensure_ascii=False))
        return 0
    if board is not None:
        print(board.fen())
        print(moves_text(board, found, MoveWriter(args)))
    else:
        print(results_text(found))
    if found.games:
        print()
        print("\n".join(game_line(game, ply=board is not None) for game in found.games))
    if 0 < len(found.games) < found.results.games:
        print(f"... {found.results.games - len(found.games):,} more: --limit")
    return 0


def results_text(found: FoundGames) -> str:
    results = found.results
    if not results.games:
        return "no games"
    counts = f"{results.red_wins:,} won by Red, {results.draws:,} drawn, {results.black_wins:,} won by Black"
    return f"{results.games:,} games: {counts}"


def moves_text(board: Board, found: FoundGames, writer: MoveWriter) -> str:
    """The moves of a position, a line each; points are those of the side to move."""
    if not found.results.games:
        return "no games"
    lines = ["share   games  red won  drawn  black won  points  move"]
    for count in found.moves:
        text = "end of the game" if count.move is None else writer.both(board, count.move)
        results = f"{count.red_wins:>8,} {count.draws:>6,} {count.black_wins:>10,}"
        share = count.games / found.results.games
        points = f"{count.points(board.turn):.0%}" if count.games > count.unknown else "-"
        lines.append(f"{share:>5.1%} {count.games:>7,} {results}  {points:>6}  {text}")
    return "\n".join(lines)


def game_line(game: FoundGame, *, ply: bool) -> str:
    """A game: its id for `games show`, players, result, year, ply of the position, event."""
    players = pad(cut(f"{game.red or '?'} - {game.black or '?'}", 32), 32)
    place = f"  ply {game.ply:<4}" if ply else ""
    return f"{game.id:>7}  {players}  {game.result:<7}  {game.year or '':>4}{place}  {game.event}".rstrip()


def found_data(board: Board | None, found: FoundGames) -> dict[str, object]:
    return {
        "fen": board and board.fen(),
        "results": found.results._asdict(),
        "moves": [
            {**count._asdict(), "move": count.move and count.move.iccs(), "games": count.games}
            for count in found.moves
        ],
        "games": [game._asdict() for game in found.games],
    }


# show, info


def run_show(args: argparse.Namespace) -> int:
    with open_index(args) as index:
        try:
            game = index.game(args.number)
        except KeyError:
            raise CommandError(f"{index.path}: there is no game {args.number}") from None
    write_whole("-", f"{game}\n".encode("utf-8", "surrogateescape"))
    return 0


def run_info(args: argparse.Namespace) -> int:
    with open_index(args) as index:
        files, games, size = index.files(), len(index), index.size()
    if args.json:
        data = {"path": index.path, "games": games, "bytes": size, "files": dict(files)}
        print(json.dumps(data, ensure_ascii=False))
        return 0
    print(f"{index.path}: {games:,} games, {size:,} bytes")
    for path, count in files:
        print(f"{count:>9,}  {path}")
    return 0
