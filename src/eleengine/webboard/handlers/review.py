"""The review of a game, and what is learnt from it."""

from __future__ import annotations

import asyncio

from ...book import Book
from ...engines.types import EngineError, Limit
from ...records import GameNode
from ...review import PositionEval, evaluate_game, game_page
from ...tables.folder import known_result
from ..board_page import BoardPage
from ..coach import judge_move, searching
from ..document import Document
from ..errors import RequestError
from ..files import download
from ..page_data import Data, score_and_chances
from ..pool import Pool
from ..request import Request
from .registry import handles, refuse_during_game

GUESS = Limit(time=0.5)


@handles("review")
async def review(page: BoardPage, request: Request) -> None:
    """Judge the main line; goes on until it is done, cancelled, or the page shows something else."""
    document = page.document
    refuse_during_game(page)
    if not document.game.children:
        raise RequestError("nothing-to-review", "there are no moves to review")
    if document.reviewing is not None and not document.reviewing.done():  # by another page, perhaps
        raise RequestError("busy", "a review is running")
    limit = Limit(time=request.real("seconds", 0.01, 60, 0.5))
    page.analysis.stop()
    page.reviewing = document.reviewing = asyncio.create_task(_run_review(page, document, limit))


async def _run_review(page: BoardPage, document: Document, limit: Limit) -> None:
    with page.workspace.working_on(document):
        try:
            await review_document(document, page.own_pool, limit, page.workspace.options.book)
        except (EngineError, ValueError, asyncio.CancelledError) as error:
            if not isinstance(error, asyncio.CancelledError):
                page.send_error(None, getattr(error, "code", "engine"), str(error))
            document.broadcast({"type": "review", "summary": document.review_data()})


async def review_document(document: Document, pool: Pool, limit: Limit, book: Book | None = None) -> None:
    """Review the main line of a document; what people wrote into its tree stays as it is.

    Broadcasts "reviewed" after each position. A review that is cancelled or fails changes nothing.
    """
    nodes: list[GameNode] = [document.game, *document.game.mainline()]

    def report(ply: int, found: PositionEval) -> None:
        if id(nodes[ply]) not in document.node_ids:
            raise RequestError("review-ended", "a move was deleted during the review")
        document.broadcast(
            {
                "type": "reviewed",
                "node": document.node_id(nodes[ply]),
                "done": ply,
                "of": len(nodes) - 1,
                "score": score_and_chances(found.score),
            }
        )

    found = await evaluate_game(
        document.game, searching(pool, limit), book=book, result_at=known_result, report=report
    )
    document.keep_review(found)


@handles("cancel")
async def cancel(page: BoardPage, request: Request) -> None:
    if page.reviewing is not None:
        page.reviewing.cancel()


@handles("drop_review")
async def drop_review(page: BoardPage, request: Request) -> None:
    page.document.drop_review()


@handles("guess")
async def guess(page: BoardPage, request: Request) -> Data:
    """Is a move as good as the best one? For "find the better move"."""
    board = request.node(page.document).board()
    move = board.parse_iccs(request.text("move", 8))
    return {"good": (await judge_move(board, move, page.own_pool, GUESS)).mark is None}


@handles("game_page")
async def page_of_game(page: BoardPage, request: Request) -> Data:
    """The game as one HTML page, with what the review says of it."""
    language = request.language()
    text = game_page(page.document.reviewed_game(language), language=language)
    return download("game.html", "text/html", text.encode())


@handles("report_page")
async def report_page(page: BoardPage, request: Request) -> Data:
    """The last review as one HTML page."""
    document = page.document
    if document.review is None:
        raise RequestError("nothing-to-review", "there is no review yet")
    found = document.review._replace(game=document.game)  # for its headers
    return download("review.html", "text/html", found.html(language=request.language()).encode())
