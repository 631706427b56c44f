"""Arguments that several commands have: positions, limits, threads and memory."""

from __future__ import annotations

import argparse
import codecs
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ..._core import Context, EndgameTables, shipped_tables
from ..._internal import digits
from ...board import Board
from ...book import SHIPPED, Book, BookError, open_book
from ...engines import Limit
from ...engines.engine_options import HASH, THREADS, EngineOption
from ...network import CLASSICAL, INTERNAL, NetworkError, choose
from ...position_text import position_notes, read_position
from ...records import Game, GameNode, RecordError, position, scan_games
from ...records.encoding import check_encoding
from ...records.writing import is_writable
from ...tables import TableError, Tables, open_tables
from .. import CommandError, add_number, argument_type, input_errors, warn, whole_number

NO_TABLES = "{}: no endgame tables: make some with: eleengine tables make --set 1"


seconds = argument_type(digits.seconds)  # a time above 0


def add_seconds(parser: argparse._ActionsContainer, name: str, **more: Any) -> None:
    """Add an option for a time above 0; more: as for `add_argument`."""
    parser.add_argument(name, type=seconds, metavar="S", **more)


def add_engine_option(parser: argparse._ActionsContainer, option: EngineOption, **more: Any) -> None:
    """Add a number of our engine, of which 0 stands for `option.zero`; more: as for `add_argument`."""
    convert = whole_number(option.min, option.max)
    parser.add_argument(
        option.argument,
        type=lambda text: convert(text) or option.zero,
        metavar="MIB" if option is HASH else "T",
        **more,
    )


def add_threads(parser: argparse._ActionsContainer) -> None:
    """Add the threads of an engine."""
    text = "(%(default)s; 0: one for each processor, at most 8)"
    add_engine_option(parser, THREADS, default=THREADS.library, help=text)


def add_position(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        nargs="*",
        metavar="FEN [moves ...] | FILE",
        help="a FEN or startpos (the default), and moves in any notation; or a file of records, - for stdin",
    )
    add_record_position(parser)


def add_record_position(parser: argparse.ArgumentParser) -> None:
    """Options that choose a position of a file of records."""
    group = parser.add_argument_group("of a file of records")
    add_number(group, "--game", 1, 10**9, dest="number", default=1, help="which game (1)")
    add_number(group, "--ply", 0, 10**6, help="the position after N plies (default: the last)")


def add_encoding(parser: argparse.ArgumentParser) -> None:
    """The option for the encoding of a file of records."""
    parser.add_argument(
        "--encoding",
        metavar="NAME",
        type=argument_type(_encoding),
        help="of the texts in the file, such as gb18030, big5 or latin-1 (default: a guess)",
    )


def _encoding(text: str) -> str:
    try:
        check_encoding(text)
        return codecs.lookup(text).name
    except ValueError:
        raise ValueError(f"no encoding that Python knows: {text[:40]!r}") from None


def is_file(text: str) -> bool:
    """Does the text name a file, and is it no position? `-` is stdin."""
    return text == "-" or (not position.is_position(text) and Path(text).exists())


def read_record(path: str, number: int, encoding: str | None = None, *, diagrams: bool = False) -> Game:
    """Game number N (from 1) of a file; CommandError says what is wrong, warnings go to stderr.

    diagrams: as for `checked_game`.
    """
    with input_errors(RecordError, BookError):
        entry = next(islice(scan_games(path, encoding=encoding), number - 1, None), None)
        if entry is None:
            raise CommandError(f"{path}: there is no game {number}")
        if entry.deleted:  # it counts, too: `show` lists it
            warn(f"{path}: game {number} is marked as deleted")
        return checked_game(entry.game(), path, number, diagrams=diagrams)


def show_warnings(game: Game, path: str) -> None:
    """Print on stderr what was found wrong with a game of a file."""
    for warning in game.warnings:
        warning.source = path
        warn(str(warning))


def checked_game(game: Game, path: str, number: int, *, diagrams: bool = False) -> Game:
    """Return game number N of a file, its warnings on stderr; CommandError if it cannot be read.

    diagrams: also one from a position that cannot be played, if there is a text or a board.
    """
    show_warnings(game, path)
    if game.error is not None and not (diagrams and is_writable(game, "pgn")):
        raise CommandError(f"{path}: game {number} cannot be read", status=1)
    return game


def all_records(path: str) -> Iterator[tuple[int, Game]]:
    """The games of a file with their numbers; CommandError for a file that is wrong or has none.

    Those that a library marks as deleted are left out.
    """
    found = False
    with input_errors(RecordError, BookError):
        for number, entry in enumerate(scan_games(path), 1):
            if not entry.deleted:
                found = True
                yield number, entry.game()
    if not found:
        raise CommandError(f"{path}: no game")


def node_at(game: Game, ply: int | None, path: str) -> GameNode:
    """Return the node of the main line after `ply` plies, the last one for None; CommandError."""
    if ply is None:
        return game.end()
    line: list[GameNode] = [game, *game.mainline()]
    if ply >= len(line):
        raise CommandError(f"{path}: the game has {len(line) - 1} plies, not {ply}")
    return line[ply]


def read_board(args: argparse.Namespace) -> Board:
    """The position of the arguments, with the moves that led to it; CommandError says what is wrong."""
    if len(args.game) == 1 and is_file(args.game[0]):
        return node_at(read_record(args.game[0], args.number or 1), args.ply, args.game[0]).board()
    text = " ".join(args.game)
    if len(args.game) > 1 and not position.is_position(text) and Path(args.game[0]).is_file():
        raise CommandError(f"{args.game[0]}: a file of records stands alone; --game and --ply choose in it")
    refuse_record_position(args)
    try:
        return parse_position(text)
    except CommandError as error:
        if len(args.game) == 1 and not position.is_position(text):
            raise CommandError(f"{error}; and there is no such file") from None
        raise


def refuse_record_position(args: argparse.Namespace) -> None:
    """CommandError for options that choose in a file of records, where there is none."""
    if args.ply is not None or args.number not in (None, 1):
        raise CommandError("--game and --ply go with a file of records")


def parse_position(text: str, name: str = "") -> Board:
    """Read a position as `read_position` does, and say on stderr what was guessed in its FEN.

    name: of the argument, for messages. CommandError says what is wrong.
    """
    with input_errors(where=name):
        board = read_position(text)
    for note in position_notes(text):
        warn(f"{name}{note}")
    return board


def add_limits(parser: argparse.ArgumentParser, *, default: str) -> None:
    limits = parser.add_argument_group("limits", f"the first reached ends a search; default: {default}")
    add_seconds(limits, "--time", help="seconds")
    add_number(limits, "--depth", 1, 100, help="plies")
    add_number(limits, "--nodes", 1, 10**15, help="positions")


def read_limit(args: argparse.Namespace, default: Limit) -> Limit:
    limit = Limit(time=args.time, depth=args.depth, nodes=args.nodes)
    return default if limit == Limit() else limit


def add_network(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--network",
        default=INTERNAL,
        metavar="FILE",
        help=f"network that evaluates, or {CLASSICAL} for the evaluation without one (%(default)s)",
    )


def read_context(args: argparse.Namespace) -> Context:
    """The numbers of a search by the network of the arguments; CommandError says why it cannot be used."""
    with input_errors(NetworkError):
        return Context(network=choose(args.network))


def add_book(parser: argparse.ArgumentParser, *, use: str) -> None:
    """An opening book, or none. use: what the command does with it."""
    books = parser.add_mutually_exclusive_group()
    books.add_argument("--book", metavar="FILE", help=f"{use} (default: the shipped one)")
    books.add_argument("--no-book", action="store_true", help="use none")


def read_book(args: argparse.Namespace) -> Book | None:
    """The opening book of the arguments; CommandError says why it cannot be used."""
    if args.no_book:
        return None
    path = args.book or SHIPPED
    with input_errors(RecordError, BookError):
        return open_book(path)


def add_tables(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tables", metavar="DIR", help="folder of endgame tables, none for none (default: your own)"
    )


def read_tables(args: argparse.Namespace) -> Tables | None:
    """The folder of endgame tables of the arguments, or None; CommandError if the one named has none."""
    if args.tables == "none":
        return None
    tables = open_tables(args.tables)
    if args.tables is not None and not tables.names():
        raise CommandError(NO_TABLES.format(args.tables))
    return tables


def load_tables(tables: Tables | None, board: Board) -> EndgameTables | None:
    """The tables that a position can lead to, or if there are none those that come with eleengine, in memory.

    None without tables; CommandError for a damaged file.
    """
    if tables is None:
        return None
    with input_errors(TableError):
        return tables.load_for(board) or shipped_tables()


def add_resources(parser: argparse.ArgumentParser) -> None:
    """Threads, memory and network of an engine."""
    add_network(parser)
    add_threads(parser)
    text = f"of the transposition table (%(default)s; 0: {HASH.zero})"
    add_engine_option(parser, HASH, default=HASH.default, help=text)
