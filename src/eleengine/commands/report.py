"""Write a report of a match or tournament from its journal.

It says what was found, with the curve of the sequential test, under which conditions, by which engines, and
how the games ended. The match may still be under way: --serve shows it in the browser, with its games on
the board (extra eleengine[board]). --game shows what the players said of each move, --ply how one came about.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from .._internal.files import replaced
from .._internal.folders import state_folder
from ..lab.match.folder import FolderView
from ..lab.match.journal import read_match
from ..lab.match.moves import move_lines, ply_lines
from ..lab.match.outputs import game_lines
from ..lab.match.report import JournalView, as_html, as_markdown
from . import CommandError, add_number, goes_with, input_errors, need
from .shared.outputs import OutputFile, add_force, check_output

FORMS = {".md": as_markdown, ".html": as_html}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "journal", metavar="JOURNAL", help="of eleengine match or tournament, or a folder of journals: a list"
    )
    parser.add_argument(
        "--out", type=OutputFile, metavar="FILE", help="FILE.md or FILE.html (default: Markdown on stdout)"
    )
    add_force(parser)
    add_number(parser, "--game", 1, 10**9, help="the moves of game N, with score and line")
    add_number(parser, "--ply", 1, 10**9, metavar="M", help="with --game: what both saw around move M")
    page = parser.add_argument_group("in the browser")
    page.add_argument("--serve", action="store_true", help="serve a page of the match, and open it")
    add_number(page, "--port", 0, 65535, default=0, help="default: any that is free")
    page.add_argument("--no-browser", action="store_true", help="print the address only")
    goes_with(parser, "--game", "--ply")
    goes_with(parser, "--serve", "--port", "--no-browser")


def serve(args: argparse.Namespace) -> int:
    """Serve the page of the journal until Ctrl-C."""
    need("starlette", "uvicorn", "websockets", extra="board", what="--serve")
    from ..webboard.match_page import serve_match

    view = view_of(args.journal)
    with input_errors():
        view.document()
    try:
        serve_match(view, state_folder() / "board", port=args.port, browser=not args.no_browser)
    except OSError as error:
        raise CommandError(error.strerror or str(error)) from None
    return 0


def view_of(path: str) -> JournalView | FolderView:
    """What is shown of a journal, or of a folder of them."""
    return FolderView(path) if os.path.isdir(path) else JournalView(path)


def show_game(args: argparse.Namespace) -> int:
    """Print the moves of a game, or how one of them came about."""
    with input_errors():
        records = read_match(args.journal).results.records
        if args.game - 1 not in records:
            raise CommandError(f"{args.journal}: there is no game {args.game}: {len(records)} have ended")
        record = records[args.game - 1]
        lines = move_lines(record) if args.ply is None else ply_lines(record, args.ply)
    print("\n".join([*game_lines(args.game - 1, record), *lines]))
    return 0


def run(args: argparse.Namespace) -> int:
    if args.game is not None:
        if args.serve or args.out:
            raise CommandError("--game shows one game: leave out --serve and --out")
        return show_game(args)
    if args.serve:
        if args.out:
            raise CommandError("--serve shows the report: leave out --out")
        return serve(args)
    suffix = ".md" if args.out is None else Path(args.out).suffix.lower()
    if suffix not in FORMS:
        raise CommandError(f"{args.out}: a report is a file .md or .html")
    with input_errors():
        if args.out:
            check_output(args.out, force=args.force)
        text = FORMS[suffix](view_of(args.journal).document())
        with replaced(args.out or "-") as file:
            file.write(text.encode())
    return 0
