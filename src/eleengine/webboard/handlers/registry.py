"""The handlers of requests by their types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ..board_page import BoardPage
from ..errors import RequestError
from ..page_data import Data
from ..request import Request

Handler = Callable[[BoardPage, Request], Awaitable[Data | None]]
HANDLERS: dict[str, Handler] = {}


def handles(kind: str) -> Callable[[Handler], Handler]:
    """Register a function as the handler of a type of request."""

    def register(handler: Handler) -> Handler:
        HANDLERS[kind] = handler
        return handler

    return register


def refuse_during_game(page: BoardPage) -> None:
    """RequestError while a game is played on the document that a page shows."""
    live_game = page.document.live_game
    if live_game is not None and not live_game.over:
        raise RequestError("game-running", "a game is being played here")
