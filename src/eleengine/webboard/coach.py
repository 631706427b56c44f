"""What a coach says during a game: a warning before a mistake is answered, and why a piece cannot move."""

from __future__ import annotations

from ..board import Board
from ..book import Book
from ..engines.types import Limit
from ..records import GameNode
from ..review import LINE, PositionEval, is_book_move, judge_move
from .page_data import Data, line_data
from .pool import Pool, PoolJob

LIMIT = Limit(nodes=200_000, time=2)  # for each of two positions: as deep on a busy machine as on a quiet one
#: For each choice of the player the marks of moves that it warns of.
WARNINGS = {"off": (), "blunders": ("blunder",), "mistakes": ("blunder", "mistake", "missed_mate")}


async def find_warning(node: GameNode, choice: str, pool: Pool, book: Book | None) -> Data | None:
    """Judge the move of a node; return what it costs and its refutation if that deserves a warning."""
    if node.parent is None or node.move is None or not WARNINGS[choice]:
        return None
    before, after = node.parent.board(), node.board()
    if book is not None and is_book_move(book, before, node.move):
        return None
    evals = [
        PositionEval.from_info((await pool.search(PoolJob(board, LIMIT))).info) for board in (before, after)
    ]
    found = judge_move(node.ply, before.turn, node.move, *evals)
    if found.mark not in WARNINGS[choice]:
        return None
    return {
        "mark": found.mark,
        "loss": round(100 * found.loss),
        "refutation": line_data(after, found.refutation, LINE),
    }


def why_immovable(board: Board, square: int) -> str | None:
    """Return why a piece of the mover is fixed: "check", "shields" or "blocked"; None if it has a move."""
    if any(move.from_square == square for move in board.legal_moves):
        return None
    if not any(move.from_square == square for move in board.pseudo_legal_moves):
        return "blocked"
    return "check" if board.is_check() else "shields"
