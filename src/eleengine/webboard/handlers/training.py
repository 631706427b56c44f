"""Puzzles and endings."""

from __future__ import annotations

from ... import svg
from .. import endings, puzzles
from ..board_page import BoardPage
from ..errors import RequestError
from ..files import NOTATIONS, download
from ..page_data import Data
from ..puzzle_sheet import puzzle_sheet
from ..request import Request
from .registry import handles

MAX_SHEET = 48  # puzzles


@handles("puzzles")
async def puzzle_list(page: BoardPage, request: Request) -> Data:
    return {
        "puzzles": puzzles.puzzle_list(page.workspace.store),
        "themes": puzzles.theme_names(),
        "endings": endings.ending_list(),
    }


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
            level = request.number("level", 1, 6) if "level" in request else None
            number = puzzles.choose_puzzle(store, how, request.number("after", -1, 1 << 20, -1), level)
        document = puzzles.open_puzzle(store, number)
    page.workspace.documents.append(document)
    page.show(document)
    return {}


@handles("sheet")
async def sheet(page: BoardPage, request: Request) -> Data:
    """Puzzles to print, chosen by their numbers, with the solutions on a page of their own."""
    numbers = request.get("numbers")
    last = len(puzzles.puzzles()) - 1
    if not isinstance(numbers, list) or not 0 < len(numbers) <= MAX_SHEET:
        raise RequestError("bad-message", f"numbers are 1 to {MAX_SHEET} puzzles")
    if not all(type(number) is int and 0 <= number <= last for number in numbers):
        raise RequestError("no-puzzle", f"there are puzzles 0 to {last}")
    text = puzzle_sheet(
        [puzzles.puzzles()[number] for number in numbers],
        language=request.language(),
        letters=request.choice("letters", svg.LETTERS),
        notation=request.choice("notation", NOTATIONS),
    )
    return download("puzzles.html", "text/html", text.encode())


@handles("solution")
async def solution(page: BoardPage, request: Request) -> Data:
    document = page.document
    if document.puzzle is None:
        raise RequestError("bad-message", "this is not a puzzle")
    node_id = endings.solution(document) if "ending" in document.puzzle else puzzles.solution(document)
    page.show_node(node_id)
    return {"node": node_id}
