"""Games on the board: between persons and engines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

from ...engines.strength import TOP_SKILL
from ...pieces import BLACK, COLOR_NAMES, RED, Color
from ..board_page import BoardPage
from ..coach import HELD
from ..document import Document
from ..errors import RequestError
from ..live_game import MOVE_TIME, Clock, LiveGame
from ..page_data import Data
from ..request import Request
from ..workspace import Workspace
from .registry import handles, refuse_during_game

ACTIONS: dict[str, Callable[[LiveGame], Any]] = {
    "takeback": LiveGame.take_back,
    "resign": LiveGame.resign,
    "draw": LiveGame.offer_draw,
    "accept": LiveGame.accept,
    "pause": partial(LiveGame.pause, by_hand=True),
    "resume": partial(LiveGame.resume, by_hand=True),
    "stop": partial(LiveGame.end, result={"winner": None, "reason": "stopped"}),
}


@handles("play")
async def play(page: BoardPage, request: Request) -> None:
    """A game from a position of this document."""
    document = page.document
    refuse_during_game(page)
    node_id = request.node_id()
    if document.board(node_id).is_game_over():
        raise RequestError("game-over", "the game is over here")
    page.analysis.stop()
    document.puzzle = None
    document.live_game = live_game = make_live_game(page.workspace, document, node_id, request)
    page.show_node(node_id)
    live_game.resume()
    document.changed()


def make_live_game(workspace: Workspace, document: Document, node_id: int, request: Request) -> LiveGame:
    """A game with the players, levels and clock of a request."""
    players, levels = request.part("players"), request.part("levels", {})
    engines: dict[Color, int | None] = {}
    strengths: dict[Color, int] = {}
    for side in (RED, BLACK):
        color, last = COLOR_NAMES[side], len(workspace.pools) - 1
        engines[side] = None if players.get(color) is None else players.number(color, 0, last)
        strengths[side] = levels.number(color, 0, TOP_SKILL, TOP_SKILL)
    clock = None
    if request.get("clock"):
        times = request.part("clock")
        clock = Clock(times.real("base", 1, 24 * 3600), times.real("increment", 0, 3600))
    move_time = request.real("moveTime", 0.05, 600, MOVE_TIME)
    live_game = LiveGame(document, document.node(node_id), engines, strengths, clock, move_time)
    live_game.warn = request.choice("warn", HELD, "off")
    workspace.equip(live_game)
    game, before = document.game, document.live_game
    goes_on = before is not None and before.is_own and game.headers.get("Result", "*") == "*"
    live_game.is_own = goes_on or not (game.headers and game.children)
    if live_game.is_own and node_id == 0:
        document.game.headers.setdefault("Date", date.today().strftime("%Y.%m.%d"))
        names = workspace.engine_names()
        for side, number in engines.items():
            if number is not None:
                level = f", level {strengths[side]}" if workspace.pools[number].weak else ""
                document.game.headers[COLOR_NAMES[side].title()] = names[number] + level
    return live_game


@handles("game")
async def game(page: BoardPage, request: Request) -> Data:
    live_game = page.document.live_game
    if live_game is None:
        raise RequestError("no-game", "no game is being played here")
    action = request.choice("action", ACTIONS)
    if live_game.over and action != "takeback":
        raise RequestError("game-over", "the game is over")
    done = ACTIONS[action](live_game)
    return {"accepted": await done} if action == "draw" else {}
