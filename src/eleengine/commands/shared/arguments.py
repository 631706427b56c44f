"""Arguments that several commands have: positions, limits, threads and memory."""

from __future__ import annotations

import argparse

from ...board import Board
from ...engines import Limit
from ...position_text import read_position
from .. import CommandError, whole_number

MAX_HASH_MIB = 1 << 20


def seconds(text: str) -> float:
    """A type for argparse: a time above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value <= 10**6:
        raise argparse.ArgumentTypeError(f"must be seconds, above 0 and at most 1000000, not {text[:40]!r}")
    return value


def add_position(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        nargs="*",
        metavar="FEN [moves ...]",
        help="a FEN or startpos (the default), and moves in any notation",
    )


def read_board(args: argparse.Namespace) -> Board:
    """The position of the arguments; CommandError tells what is wrong with it."""
    try:
        return read_position(" ".join(args.game))
    except ValueError as error:
        raise CommandError(str(error)) from None


def add_limits(parser: argparse.ArgumentParser, *, default: str) -> None:
    limits = parser.add_argument_group("limits", f"the first reached ends a search; default: {default}")
    limits.add_argument("--time", type=seconds, metavar="S", help="seconds")
    limits.add_argument("--depth", type=whole_number(1, 100), metavar="N", help="plies")
    limits.add_argument("--nodes", type=whole_number(1, 10**15), metavar="N", help="positions")


def read_limit(args: argparse.Namespace, default: Limit) -> Limit:
    limit = Limit(time=args.time, depth=args.depth, nodes=args.nodes)
    return default if limit == Limit() else limit


def add_resources(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--threads", type=whole_number(1, 256), default=1, metavar="T", help="default: %(default)s"
    )
    parser.add_argument(
        "--hash",
        type=whole_number(1, MAX_HASH_MIB),
        default=64,
        metavar="MIB",
        help="size of the transposition table (default: %(default)s)",
    )
