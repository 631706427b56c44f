"""How commands write moves and scores: notation and letters that the output can show."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from ... import notation
from ..._core import Move
from ...board import Board
from .. import CommandError

NOTATIONS = ("chinese", "traditional", "wxf", "iccs")


def add_notation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--notation", choices=NOTATIONS, help="of moves beside ICCS (default: chinese if possible, or wxf)"
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
        return notation.WRITERS["uci" if self.name == "iccs" else self.name](board, move)

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
