"""Play, analyse and review in the browser: serves a page on this machine and opens it.

Needs the extra eleengine[board]; the Windows folder has it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .._internal.folders import state_folder
from .._internal.processors import usable_processors
from ..engines.engine_options import HASH, THREADS
from . import CommandError, add_number, input_errors, need
from .shared.arguments import add_book, add_engine_option, read_book


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="COMMAND",
        help="a UCCI or UCI engine to choose; repeatable",
    )
    add_book(parser, use="the opening book of the page")
    parser.add_argument(
        "--index", type=Path, metavar="FILE", help="index of games (default: your own, see eleengine games)"
    )
    text = "the largest table that the page may ask for (default: %(default)s)"
    add_engine_option(parser, HASH, default=256, help=text)
    text = "the most that the page may ask for (default: those of the machine)"
    add_engine_option(parser, THREADS, help=text)
    add_number(parser, "--port", 0, 65535, default=0, help="default: any that is free")
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="where games are kept (default: your state folder)"
    )
    parser.add_argument(
        "--lan",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="listen to the local network, too, for phones (plain HTTP): shows this machine's addresses "
        "there, or the one named, with QR codes",
    )
    parser.add_argument("--keep", action="store_true", help="go on when no page has been open for a minute")
    parser.add_argument("--no-browser", action="store_true", help="print the address only")


def run(args: argparse.Namespace) -> int:
    need("starlette", "uvicorn", "websockets", "segno", extra="board", what="board")
    from ..games import default_path
    from ..webboard import app, lan, pool, workspace

    for command in args.engine:
        with input_errors(where=f"--engine {command!r}: "):
            pool.program_name(command)
    addresses = []
    if args.lan:
        if not lan.is_own_address(args.lan):
            raise CommandError(f"--lan {args.lan}: this machine has no such address")
        addresses = [args.lan]
    elif args.lan is not None and not (addresses := lan.lan_addresses()):
        raise CommandError("--lan: this machine is in no local network")
    options = workspace.BoardOptions(
        folder=args.folder or state_folder() / "board",
        engines=args.engine,
        hash_mib=args.hash,
        threads=args.threads or usable_processors(),
        book=read_book(args),
        games=args.index or default_path(),
        lan=addresses,
    )
    try:
        app.serve(options, port=args.port, keep=args.keep, browser=not args.no_browser)
    except OSError as error:
        raise CommandError(error.strerror or str(error)) from None
    return 0
