"""The review of a game, and what is learnt from it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ...engines.types import EngineError, Limit
from ...review import game_page
from .. import review as running
from ..errors import RequestError
from ..page_data import Data, move_texts
from ..request import Request
from .registry import download, handles, refuse_during_game

if TYPE_CHECKING:
    from ..board_page import BoardPage
    from ..document import Document

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
            await running.review(document, page.own_pool, limit, page.workspace.options.book)
        except RequestError as error:
            page.send_error(None, error.code, str(error))
            document.broadcast({"type": "review", "summary": document.review_data()})
        except (EngineError, ValueError) as error:
            page.send_error(None, "engine", str(error))
            document.broadcast({"type": "review", "summary": document.review_data()})
        except asyncio.CancelledError:
            document.broadcast({"type": "review", "summary": document.review_data()})


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
    node = request.node(page.document)
    board = node.board()
    move = board.parse_iccs(request.text("move", 8))
    good = await running.is_good(node, move, page.own_pool, GUESS)
    return {"good": good, "move": [move.iccs(), *move_texts(board, move)]}


@handles("game_page")
async def page_of_game(page: BoardPage, request: Request) -> Data:
    """The game as one HTML page, with its review if there is one."""
    document, language = page.document, request.language()
    found = document.review
    text = found.html(language=language) if found else game_page(document.game, language=language)
    return download("game.html", "text/html", text.encode())


@handles("report_page")
async def report_page(page: BoardPage, request: Request) -> Data:
    """The last review as one HTML page."""
    found = page.document.review
    if found is None:
        raise RequestError("nothing-to-review", "there is no review yet")
    return download("review.html", "text/html", found.html(language=request.language()).encode())
