"""What several commands share: positions, limits, notations, and how scores are written."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from .. import notation
from .._core import Move
from ..board import Board
from ..engines import Limit
from ..score import Score
from . import CommandError, whole_number

NOTATIONS = ("chinese", "traditional", "wxf", "iccs")
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
    position, _, moves = f" {' '.join(args.game)} ".partition(" moves ")
    fen = position.strip().removeprefix("fen ")
    try:
        board = Board() if fen in ("", "startpos") else Board(fen)
        for text in moves.split():
            board.push(notation.parse(board, text))
    except ValueError as error:
        raise CommandError(str(error)) from None
    return board


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


def add_notation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--notation",
        choices=NOTATIONS,
        help="of moves, beside ICCS (default: chinese if the output can show it, otherwise wxf)",
    )


def can_show(letters: str) -> bool:
    """Has the encoding of stdout the characters, "chinese" (simplified) or "traditional"?"""
    text = "帥將車馬後進" if letters == "traditional" else "帅将车马后进"
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


class MoveWriter:
    """Writes moves in the notation of the arguments."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.name: str = args.notation or ("chinese" if can_show("chinese") else "wxf")
        if self.name in ("chinese", "traditional") and not can_show(self.name):
            raise CommandError(f"--notation {self.name}: the output is {sys.stdout.encoding} text")

    def text(self, board: Board, move: Move) -> str:
        """The legal move in the notation alone."""
        if self.name == "iccs":
            return move.iccs()
        if self.name == "wxf":
            return notation.wxf(board, move)
        return notation.chinese(board, move, traditional=self.name == "traditional")

    def both(self, board: Board, move: Move) -> str:
        """The legal move in the notation and in ICCS."""
        return move.iccs() if self.name == "iccs" else f"{self.text(board, move)} {move.iccs()}"

    def line(self, board: Board, moves: Iterable[Move]) -> list[str]:
        """A line of legal moves in the notation."""
        board = board.copy(stack=False)
        words = []
        for move in moves:
            words.append(self.text(board, move))
            board.push(move)
        return words


def score_text(score: Score) -> str:
    """Centipawns with a sign, or the moves to a mate.

    >>> from eleengine.score import Cp, Mate
    >>> score_text(Cp(31)), score_text(Mate(5)), score_text(Mate(-3))
    ('+31', 'mate 5', 'mate -3')
    """
    moves = score.mate()
    if moves is not None:
        return f"mate {moves}"
    cp = score.score()
    return f"{cp:+}" if cp else "0"


def score_data(score: Score) -> dict[str, int | None]:
    """The same for JSON."""
    return {"mate": score.mate()} if score.is_mate() else {"cp": score.score()}
