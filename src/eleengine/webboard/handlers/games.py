"""The index of games."""

from __future__ import annotations

import asyncio

from ...games import GameFilter
from ...records import RESULTS
from .. import explorer, files
from ..board_page import BoardPage
from ..page_data import Data
from ..request import Request
from ..summaries import INDEXED
from .files import open_game
from .registry import handles


@handles("games")
async def games(page: BoardPage, request: Request) -> Data:
    """The moves, results and games of a position in the index."""
    board = request.board(page.document)
    where = GameFilter(
        player=request.text("player", 100, ""),
        since=_year(request, "since"),
        until=_year(request, "until"),
        result=request.choice("result", RESULTS) if request.get("result") is not None else None,
    )
    limit = request.number("limit", 0, explorer.MAX_GAMES, 20)
    await asyncio.to_thread(page.workspace.index_kept)
    return await asyncio.to_thread(explorer.explore, page.workspace.options.games, board, where, limit)


def _year(request: Request, name: str) -> int | None:
    return request.number(name, 1, 9999) if request.get(name) is not None else None


@handles("indexed")
async def indexed(page: BoardPage, request: Request) -> Data:
    """Open a game of the index at a position of its main line."""
    number, ply = request.number("game", 1, 1 << 62), request.number("ply", 0, 1 << 20)
    game = await asyncio.to_thread(explorer.indexed_game, page.workspace.options.games, number)
    answer = open_game(page, files.packed(game), source=INDEXED)
    nodes = [page.document.game, *page.document.game.mainline()]
    page.show_node(page.document.node_id(nodes[min(ply, len(nodes) - 1)]))
    return answer


@handles("index")
async def index(page: BoardPage, request: Request) -> Data:
    """Add the games of the file that was opened last to the index; kept ones are there by themselves."""
    found = [opened.game() for opened in page.opened]
    added = await asyncio.to_thread(
        explorer.add, page.workspace.options.games, found, page.opened_name or "text"
    )
    return added | files.said_of(page.opened)
