"""What a coach says during a game: what a move costs before it is answered, and why a piece cannot move."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from .._core import Move
from ..board import Board
from ..book import Book
from ..engines.types import InfoDict, Limit
from ..motifs import explain
from ..records import GameNode
from ..review import LINE, MoveReview, evaluate_move, is_book_move
from ..tables.folder import known_result
from .page_data import Data, line_data, why_data
from .pool import Pool, PoolJob

LIMIT = Limit(nodes=200_000, time=2)  # for each of two positions: as deep on a busy machine as on a quiet one
_MISTAKES = ("blunder", "mistake", "missed_mate")
#: For each choice of the player the marks of moves that the engine does not answer at once.
HELD: dict[str, tuple[str, ...]] = {
    "off": (),
    "blunders": ("blunder",),
    "mistakes": _MISTAKES,
    "each": (*_MISTAKES, "inaccuracy"),
}


def searching(pool: Pool, limit: Limit) -> Callable[[Board], Coroutine[Any, Any, InfoDict]]:
    """How a review has a position searched."""

    async def search(board: Board) -> InfoDict:
        return (await pool.search(PoolJob(board.copy(), limit))).info

    return search


async def judge_move(board: Board, move: Move, pool: Pool, limit: Limit) -> MoveReview:
    """Judge one move of a game that has come to a position."""
    return await evaluate_move(board, move, searching(pool, limit), result_at=known_result)


async def judge(node: GameNode, choice: str, pool: Pool, book: Book | None) -> Data | None:
    """Judge the move of a node as the player has chosen; None if there is nothing to say.

    "each" has something to say of every move, the other choices of those only that are held.
    """
    if node.parent is None or node.move is None or choice == "off":
        return None
    before, after = node.parent.board(), node.board()
    if book is not None and is_book_move(book, before, node.move):
        return {"book": True, "held": False} if choice == "each" else None
    found = await judge_move(before, node.move, pool, LIMIT)
    held = found.mark in HELD[choice]
    if not held and choice != "each":
        return None
    why = explain(before, node.move, found.refutation, found.better) if found.mark else None
    return {
        "held": held,
        "mark": found.mark,
        "loss": round(100 * found.loss),
        "why": why_data(why),
        "better": line_data(before, found.better, LINE),
        "refutation": line_data(after, found.refutation, LINE),
    }


def why_immovable(board: Board, square: int) -> str | None:
    """Return why a piece of the mover is fixed: "check", "shields" or "blocked"; None if it has a move."""
    if any(move.from_square == square for move in board.legal_moves):
        return None
    if not any(move.from_square == square for move in board.pseudo_legal_moves):
        return "blocked"
    return "check" if board.is_check() else "shields"
