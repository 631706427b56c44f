"""The documents that are kept."""

from __future__ import annotations

import asyncio

from ..._core import STARTING_FEN
from ...board import Board
from ...records import Game
from ..board_page import BoardPage
from ..errors import RequestError
from ..page_data import Data
from ..request import Request, playable_board
from ..store import is_key
from .playing import make_live_game
from .registry import handles


@handles("documents")
async def documents(page: BoardPage, request: Request) -> Data:
    page.workspace.save()
    return await asyncio.to_thread(page.workspace.listed)


@handles("show")
async def show(page: BoardPage, request: Request) -> None:
    document = page.workspace.find(_key(request))
    if document is None:
        raise RequestError("unknown-document", "there is no such game")
    page.show(document)
    if "node" in request:
        page.show_node(request.node_id())


@handles("forget")
async def forget(page: BoardPage, request: Request) -> Data:
    page.workspace.delete(_key(request))
    return page.workspace.listed()


@handles("rename")
async def rename(page: BoardPage, request: Request) -> Data:
    page.workspace.rename(_key(request), request.get("title"))
    return await asyncio.to_thread(page.workspace.listed)


def _key(request: Request) -> str:
    key: str = request.get("doc")
    if not is_key(key):
        raise RequestError("unknown-document", "there is no such game")
    return key


@handles("new")
async def new(page: BoardPage, request: Request) -> Data:
    """A new document: analysis, or a game when players are given."""
    board = playable_board(request.text("fen", 200) if request.get("fen") else STARTING_FEN)
    document = page.workspace.create(Game(STARTING_FEN if board == Board() else board.fen()))
    if "players" in request:
        document.live_game = make_live_game(page.workspace, document, 0, request)
    if not document.is_empty:
        document.changed()
    page.show(document)
    return {"doc": document.key}
