"""A review while it runs: the engines of the board search each position, and the page sees each move at once.

`eleengine.review` decides how moves are judged.
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol

from .._core import Move
from ..book import Book
from ..engines.types import Limit, PlayResult
from ..records import GameNode
from ..review import PositionEval, chances_lost, is_book_move, mark_of_loss
from .document import Document, StoredReview
from .endings import result_at
from .errors import RequestError
from .page_data import score_and_chances
from .pool import PoolJob


class SearchPool(Protocol):
    """Engines that search positions."""

    def search(self, job: PoolJob) -> Awaitable[PlayResult]: ...


async def review(document: Document, pool: SearchPool, limit: Limit, book: Book | None = None) -> None:
    """Review the main line of a document; what people wrote into its tree stays as it is.

    Broadcasts "reviewed" after each position. A review that is cancelled or fails changes nothing.
    """
    nodes: list[GameNode] = [document.game, *document.game.mainline()]
    evals: list[PositionEval] = []
    results: list[int | None] = []
    book_plies = 0
    for ply, node in enumerate(nodes):
        evals.append(await _evaluate(node, pool, limit))
        results.append(result_at(node.board()))
        if id(node) not in document.node_ids:
            raise RequestError("unknown-node", "a move was deleted during the review")
        if node.parent is not None and node.move is not None and book is not None and book_plies == ply - 1:
            book_plies += is_book_move(book, node.parent.board(), node.move)
        document.broadcast(
            {
                "type": "reviewed",
                "node": document.node_id(node),
                "done": ply,
                "of": len(nodes) - 1,
                "score": score_and_chances(evals[-1].score),
            }
        )
    played = [node.move for node in nodes[1:] if node.move is not None]
    document.keep_review(StoredReview(played, evals, book_plies, results))


async def _evaluate(node: GameNode, pool: SearchPool, limit: Limit) -> PositionEval:
    board = node.board()
    if verdict := board.repetition():
        return PositionEval.from_verdict(verdict)
    return PositionEval.from_info((await pool.search(PoolJob(board, limit))).info)


async def is_good(node: GameNode, move: Move, pool: SearchPool, limit: Limit) -> bool:
    """Return whether a move is the engine's choice, or loses too little for a mark."""
    before = await _evaluate(node, pool, limit)
    if before.line[:1] == (move,):
        return True
    board = node.board()
    board.push(move)
    verdict = board.repetition()
    if verdict:
        after = PositionEval.from_verdict(verdict)
    else:
        after = PositionEval.from_info((await pool.search(PoolJob(board, limit))).info)
    return mark_of_loss(chances_lost(before.score, after.score, node.turn)) is None
