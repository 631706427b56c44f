"""The page of a match under way, its report and its games on the board, or of a folder of matches.

It is served like the board: on the loopback address, to whoever has the token of the address, under the same
headers. The page asks for what has changed; what it may ask for is read from the journal, which nobody writes
here.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from .. import svg
from ..lab.match.folder import FolderView
from ..lab.match.report import JournalView, html_body
from ..records import Game
from .app import folder_files, guarded_app
from .server import Server, listen

IDLE_SECONDS = 300.0  # without a page; a browser wakes hidden pages once a minute


class MatchPage:
    """The web application of a match."""

    def __init__(self, source: JournalView | FolderView, token: str) -> None:
        self.source = source
        self.token = token
        self._is_asked = False
        icon = "/icon.svg"
        files = folder_files("match") | {icon: folder_files("page")[icon]}
        answers = {
            "/match": self._match,
            "/games/{number:int}": self._game,
            "/games/{number:int}/{ply:int}": self._board,
        }
        routes: list[BaseRoute] = [Route(path, self._guarded(answer)) for path, answer in answers.items()]
        self.app = guarded_app(files, routes)

    def was_asked(self) -> bool:
        """Has a page with the token asked since this was called last?"""
        asked, self._is_asked = self._is_asked, False
        return asked

    def _guarded(
        self, answer: Callable[[Request], dict[str, Any] | None]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Answer those who have the token; others cannot have a browser send this header for them."""

        async def serve(request: Request) -> Response:
            given = request.headers.get("authorization", "")
            if not secrets.compare_digest(given.encode(errors="replace"), f"Bearer {self.token}".encode()):
                return Response(status_code=403)
            self._is_asked = True
            try:
                found = await run_in_threadpool(answer, request)
            except (OSError, ValueError) as error:
                return JSONResponse({"error": str(error)}, status_code=500)
            return Response(status_code=404) if found is None else JSONResponse(found)

        return serve

    def _journal(self, request: Request) -> JournalView | None:
        """The journal that is asked about; None: the list of a folder."""
        if isinstance(self.source, JournalView):
            return self.source
        name = request.query_params.get("journal")
        return self.source.open(name) if name else None

    def _match(self, request: Request) -> dict[str, Any]:
        shown = self._journal(request) or self.source
        return {
            "report": html_body(shown.document()),
            "games": shown.games() if isinstance(shown, JournalView) else [],
            "journals": shown.journals() if isinstance(shown, FolderView) else [],
        }

    def _record(self, request: Request) -> Game | None:
        journal = self._journal(request)
        return None if journal is None else journal.game(request.path_params["number"])

    def _game(self, request: Request) -> dict[str, Any] | None:
        game = self._record(request)
        if game is None:
            return None
        headers = game.headers
        title = f"{headers.get('Red', '?')} - {headers.get('Black', '?')} {headers.get('Result', '*')}"
        moves = [(node.move.iccs() if node.move else "", node.comment) for node in game.mainline()]
        return {"title": title, "end": headers.get("Termination", ""), "moves": moves}

    def _board(self, request: Request) -> dict[str, Any] | None:
        game = self._record(request)
        nodes = [] if game is None else [game, *game.mainline()]
        ply = request.path_params["ply"]
        if ply >= len(nodes):
            return None
        return {"svg": str(svg.board(nodes[ply].board(), last_move=nodes[ply].move))}


def serve_match(
    source: JournalView | FolderView, folder: Path, *, port: int = 0, browser: bool = True
) -> None:
    """Serve until interrupted, or until no page has asked for five minutes.

    folder: for the file that leads the browser to the page. OSError if the port is taken.
    """
    page = MatchPage(source, secrets.token_urlsafe(16))
    listener = listen("127.0.0.1", port)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/#{page.token}"
    print(url, flush=True)
    server = Server(page.app, page.was_asked, first_seconds=IDLE_SECONDS, idle_seconds=IDLE_SECONDS)
    server.serve_page(listener, url, folder, browser=browser)
