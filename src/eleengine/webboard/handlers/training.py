"""Puzzles and endings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import endings, puzzles
from ..errors import RequestError
from ..page_data import Data
from ..request import Request
from .registry import handles

if TYPE_CHECKING:
    from ..board_page import BoardPage


@handles("puzzles")
async def puzzle_list(page: BoardPage, request: Request) -> Data:
    return {"puzzles": puzzles.puzzle_list(page.workspace.store), "endings": endings.ending_list()}


@handles("puzzle")
async def puzzle(page: BoardPage, request: Request) -> Data:
    """Open a puzzle by its number or by a choice, or an ending."""
    store = page.workspace.store
    if "ending" in request:
        document = endings.open_ending(store, request.get("ending"))
    else:
        number = request.get("number")
        if "choose" in request:
            how = request.choice("choose", ("next", "random"))
            number = puzzles.choose_puzzle(store, how, request.number("after", -1, 1 << 20, -1))
        document = puzzles.open_puzzle(store, number)
    page.workspace.register(document)
    page.show(document)
    return {}


@handles("solution")
async def solution(page: BoardPage, request: Request) -> Data:
    document = page.document
    if document.puzzle is None:
        raise RequestError("bad-message", "this is not a puzzle")
    node_id = endings.solution(document) if "ending" in document.puzzle else puzzles.solution(document)
    page.show_node(node_id)
    return {"node": node_id}
