"""Moving in the tree of a document, and changing it."""

from __future__ import annotations

from .. import endings, puzzles
from ..board_page import BoardPage
from ..document import parse_move
from ..errors import RequestError
from ..live_game import LiveGame
from ..page_data import Data
from ..request import Request
from .registry import handles, refuse_during_game

MAX_LINE = 64  # moves of a line that is played at once


@handles("go")
async def go(page: BoardPage, request: Request) -> None:
    page.show_node(request.node_id())


@handles("move")
async def move(page: BoardPage, request: Request) -> Data:
    """Play a move: of a puzzle, of a game, or in the analysis."""
    document, live_game = page.document, page.document.live_game
    node_id, text = request.node_id(), request.text("move", 20)
    if document.puzzle is not None and document.puzzle["state"] == "open":
        if "ending" in document.puzzle:
            answer = endings.attempt(document, node_id, text)
        else:
            answer = await puzzles.attempt(document, node_id, text, page.own_pool)
        document.show(answer["node"], page.send)
        return answer
    if live_game is not None and not live_game.over:
        return {"node": _move_in_game(page, live_game, node_id, text)}
    page.show_node(document.node_id(document.move(node_id, text)))
    return {"node": document.at}


def _move_in_game(page: BoardPage, live_game: LiveGame, node_id: int, text: str) -> int:
    if page.document.node(node_id) is not live_game.node:
        raise RequestError("game-running", "the game goes on at its last move")
    if not live_game.is_person(live_game.turn):
        raise RequestError("not-your-turn", "it is the engine's turn")
    move = parse_move(live_game.node.board(), text)
    page.workspace.follow(page.document)
    live_game.resume(by_hand=True)
    return node_id if live_game.over else page.document.node_id(live_game.push(move))


@handles("line")
async def line(page: BoardPage, request: Request) -> Data:
    """Play several moves: a line of the engine."""
    refuse_during_game(page)
    moves, node_id = request.texts("moves", MAX_LINE), request.node_id()
    for text in moves:
        node_id = page.document.node_id(page.document.move(node_id, text))
    page.show_node(node_id)
    return {"node": node_id}


@handles("promote")
async def promote(page: BoardPage, request: Request) -> None:
    how = request.choice("how", ("main", "promote", "demote"))
    page.document.reorder(request.node_id(), how)


@handles("delete")
async def delete(page: BoardPage, request: Request) -> Data:
    """Delete a move with all that follows: where the page is then, and how many moves these were."""
    node_id = request.node_id()
    count = len(list(page.document.node(node_id).nodes()))
    return {"node": page.document.delete(node_id), "count": count}


@handles("annotate")
async def annotate(page: BoardPage, request: Request) -> None:
    _check_document(page, request)
    page.document.annotate(request.node_id(), request.data)


@handles("header")
async def header(page: BoardPage, request: Request) -> None:
    _check_document(page, request)
    page.document.set_header(request.get("name"), request.get("value"))


@handles("undo")
async def undo(page: BoardPage, request: Request) -> Data:
    """Take the last change of the document back, or redo it."""
    refuse_during_game(page)
    return page.document.undo(redo=request.get("redo") is True)


def _check_document(page: BoardPage, request: Request) -> None:
    """A text that somebody has written about one game does not go to another."""
    if "doc" in request and request.get("doc") != page.document.key:
        raise RequestError("unknown-document", "this was written about another game")
