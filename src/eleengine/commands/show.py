"""Show game records: the games of a file as a list, or one: headers, moves and a board, HTML, or GIF."""

from __future__ import annotations

import argparse
import json

from .._internal.files import write_whole
from .._internal.live import cut, pad
from ..pieces import BLACK, RED
from ..records import Game, RecordEntry, RecordError, pgn_writer, scan_games
from ..review.page import game_page
from ..svg import LETTERS
from . import CommandError, add_number, add_real, goes_with, input_errors
from .shared.arguments import add_encoding, add_record_position, checked_game, node_at, read_record
from .shared.outputs import OutputFile, add_force, check_output
from .shared.play_words import add_language, language_of_player
from .shared.writing import MoveWriter, add_notation, can_show


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file of records; - is stdin")
    add_record_position(parser)
    add_encoding(parser)
    add_notation(parser)
    parser.add_argument(
        "--json", action="store_true", help="JSON: a line for each game of a list, or the tree"
    )
    parser.add_argument(
        "--html", type=OutputFile, metavar="OUT", help="write the game as one page for browsers"
    )
    add_language(parser, "of the page at first (default: yours)")
    add_force(parser)
    pictures = parser.add_argument_group("as an animated GIF: the moves, from --ply N on")
    pictures.add_argument(
        "--gif", type=OutputFile, metavar="OUT", help="write the game to this file (extra gif)"
    )
    add_real(pictures, "--seconds", 0.02, 60, default=1, metavar="S", help="for each position")
    add_number(pictures, "--size", 50, 4000, default=400, help="width in pixels")
    pictures.add_argument("--letters", choices=LETTERS, default="chinese", help="on the pieces (%(default)s)")
    pictures.add_argument("--flip", action="store_true", help="Black at the bottom")
    goes_with(parser, "--gif", "--seconds", "--size", "--letters", "--flip")
    goes_with(parser, "--html", "--language")
    parser.set_defaults(number=None)


def run(args: argparse.Namespace) -> int:
    if args.json and (args.html or args.gif):
        raise CommandError("--json is for stdout: leave out --html and --gif")
    if args.html and args.ply is not None and not args.gif:
        raise CommandError("--ply: a page has the whole game")
    if args.number is None and args.ply is None and not (args.gif or args.html):
        only = listed(args)
        if only is None:
            return 0
        with input_errors(RecordError):
            game = checked_game(only.game(), args.file, 1, diagrams=True)
    else:
        diagrams = not (args.gif or args.html)
        game = read_record(args.file, args.number or 1, args.encoding, diagrams=diagrams)
    if args.gif or args.html:
        write_files(game, args)
    elif args.json:
        print(json.dumps(game.to_dict(), ensure_ascii=False))
    else:
        print(game_text(game, args))
    return 0


def write_files(game: Game, args: argparse.Namespace) -> None:
    """Write the game as a page, and from the position of the arguments on as a GIF; CommandError."""
    for out in filter(None, (args.html, args.gif)):
        if out != "-":
            check_output(out, force=args.force)
    with input_errors(ImportError, ValueError):
        if args.html:
            page = game_page(game, language=args.language or language_of_player())
            write_whole(args.html, page.encode())
        if args.gif:
            node = game if args.ply is None else node_at(game, args.ply, args.file)
            side = BLACK if args.flip else RED
            data = node.gif(seconds=args.seconds, size=args.size, letters=args.letters, orientation=side)
            write_whole(args.gif, data)


def listed(args: argparse.Namespace) -> RecordEntry | None:
    """Show the list of games, or return the only one: stdin is not read twice."""
    first: RecordEntry | None = None
    count = 0
    with input_errors(RecordError):
        for count, entry in enumerate(scan_games(args.file, encoding=args.encoding), 1):
            if first is None:
                first = entry
                continue
            if count == 2:
                show_entry(1, first, args.json)
            show_entry(count, entry, args.json)
    if not count:
        raise CommandError(f"{args.file}: no game")
    return first if count == 1 else None


def show_entry(number: int, entry: RecordEntry, as_json: bool) -> None:
    headers = entry.headers
    if as_json:
        data: dict[str, object] = {"game": number, "headers": dict(headers)}
        if entry.deleted:
            data["deleted"] = True
        print(json.dumps(data, ensure_ascii=False))
        return
    players = " - ".join(headers.get(side, "?") for side in ("Red", "Black"))
    if players == "? - ?":
        players = headers.get("Title", players)
    where = " ".join(filter(None, (headers.get(name) for name in ("Date", "Event", "Round"))))
    mark = "deleted  " if entry.deleted else ""
    print(
        f"{number:>6}  {pad(cut(players, 32), 32)}  {headers.get('Result', '*'):<7}  {mark}{where}".rstrip()
    )


def game_text(game: Game, args: argparse.Namespace) -> str:
    writer = MoveWriter(args)
    node = node_at(game, args.ply, args.file)
    board = game.diagram() if game.error else node.board()
    letters = writer.name if writer.name in ("chinese", "traditional") else "latin"
    if letters == "chinese" and not can_show("chinese"):
        letters = "latin"
    lines = [f"{name}: {value}" for name, value in game.headers.items()]
    lines += ["", pgn_writer.moves_of(game, writer.name)]
    if board is not None:
        place = "cannot be played" if game.error else f"after {node.ply} of {game.plies()} plies"
        lines += ["", board.text(letters=letters, last_move=node.move), "", f"{place}: {board.fen()}"]
    return "\n".join(lines)
