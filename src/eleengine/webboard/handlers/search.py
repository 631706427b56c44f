"""What engines, books and rules say of a position."""

from __future__ import annotations

from ..._core import Move
from ..._internal.message import message_of
from ...board import Board
from ...engines.types import Limit
from ...legality import why_illegal
from ...squares import parse_square
from .. import coach, endings, puzzles
from ..board_page import BoardPage
from ..errors import RequestError
from ..page_data import Data, line_data, score_and_chances
from ..pool import PoolJob
from ..request import Request, defects_data
from ..workspace import MAX_LINES
from .registry import handles, refuse_during_game
from .tree import MAX_LINE

HINT = Limit(time=1.5)
MATE = Limit(time=5, mate=30)


@handles("analyse")
async def analyse(page: BoardPage, request: Request) -> None:
    """Analyse a node until the next request; the page drops reports on nodes that it no longer shows."""
    page.analysis.stop()
    node_id = request.node_id()
    pools, limits = page.workspace.pools, page.workspace.limits()
    pool = pools[request.number("engine", 0, len(pools) - 1, 0)]
    board = page.document.board(node_id)
    if board.is_game_over():
        page.send_newest("info", {"type": "info", "node": node_id, "over": True, "lines": []})
        return
    job = PoolJob(
        board,
        None,
        lines=request.number("lines", 1, MAX_LINES, 1),
        threads=request.number("threads", 1, limits["threads"], 1),
        hash_mib=request.number("hash", 1, limits["hash"], min(64, limits["hash"])),
    )
    page.analysis.start(page.document, node_id, job, pool)


@handles("stop")
async def stop(page: BoardPage, request: Request) -> None:
    page.analysis.stop()


@handles("hint")
async def hint(page: BoardPage, request: Request) -> Data:
    document = page.document
    if document.puzzle is not None and document.puzzle["state"] == "open":
        return endings.hint(document) if "ending" in document.puzzle else puzzles.hint(document)
    board = request.board(document)
    if document.live_game is not None:
        document.live_game.note_help()
    info = (await page.own_pool.search(PoolJob(board, HINT))).info
    if not info.get("pv"):
        raise RequestError("game-over", "there is no move")
    score = score_and_chances(info["score"]) if "score" in info else {}
    return {"line": line_data(board, info["pv"][:1]), **score}


@handles("mate")
async def mate(page: BoardPage, request: Request) -> Data:
    """Moves to a mate by the side to move and in how many of its moves; none if five seconds show none."""
    refuse_during_game(page)
    board = request.board(page.document)
    info = (await page.own_pool.search(PoolJob(board, MATE))).info
    moves = info["score"].relative.mate() if "score" in info else None
    if not moves or moves < 0:
        return {"line": [], "mate": 0}
    return {"line": line_data(board, info["pv"], MAX_LINE), "mate": moves}


@handles("book")
async def book(page: BoardPage, request: Request) -> Data:
    """The moves of the opening book."""
    return {"entries": page.workspace.book_entries(request.board(page.document))}


@handles("why")
async def why(page: BoardPage, request: Request) -> Data:
    """Why a piece of the side to move cannot move, or not to a square."""
    board = request.board(page.document)
    square = parse_square(request.text("square", 2))
    if "to" in request:
        return {"reason": why_illegal(board, Move(square, parse_square(request.text("to", 2))))}
    piece = board.piece_at(square)
    if piece is None or piece.color != board.turn:
        return {"reason": None}
    return {"reason": coach.why_immovable(board, square)}


@handles("position")
async def position(page: BoardPage, request: Request) -> Data:
    """What is wrong with a position of the editor, and whether it can be played nevertheless."""
    fen = request.text("fen", 200)
    try:
        board = Board(fen, validate=False)
    except ValueError as error:
        return {"defects": [[0, message_of(error).data()]], "playable": False}
    defects = defects_data(board.defects())
    return {"fen": board.fen(), "defects": defects, "playable": board.is_playable()}
