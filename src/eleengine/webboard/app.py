"""The web application: a fixed table of files, one socket, and what keeps strangers out.

Any web site that the user visits may try to reach this server. It listens on the loopback address
only; a page needs the token, 128 random bits that stand in the fragment of the address and so in no log; the
Host must be a name of this machine, and the Origin of a socket must be the page's own.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import secrets
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib import resources
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from .. import __version__
from .._core import cpu_count
from ..board import Board
from ..book import Book
from ..engines.strength import TOP_SKILL
from ..records import Game
from . import files
from .connection import LETTERS, MAX_FILE, MOST_LINES, Connection, converse
from .describe import Data, move_texts
from .document import Document, stored_summary
from .play import Play
from .pool import Pool, make_pools
from .store import Store

MAX_MESSAGE = MAX_FILE * 4 // 3 + 4096
MAX_SOCKETS = 64
MAX_REQUESTS = 256  # of one page that wait: the socket is read no further
HELLO = 10.0  # seconds for a page to say who it is
DOCUMENTS = 200  # in the list

CLOSED_BY_PAGE = 4000
NO_HELLO, WRONG_TOKEN, TOO_MANY = 4401, 4403, 4429

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
    ".json": "application/json",
}  # fmt: skip


class Options:
    """What the command line says.

    token: that pages must know. folder: where documents are kept. engines: commands of other programs.
    hash_mib, threads: the most that a page may ask for. book: of openings, for games and to look at.
    """

    def __init__(
        self,
        *,
        token: str | None = None,
        folder: Path,
        engines: list[str] | None = None,
        hash_mib: int = 256,
        threads: int | None = None,
        book: Book | None = None,
    ) -> None:
        self.token = token or secrets.token_urlsafe(16)
        self.folder = folder
        self.engines = engines or []
        self.hash_mib = hash_mib
        self.threads = threads or cpu_count()
        self.book = book


class House:
    """What all pages share: documents, engines, limits."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.store = Store(options.folder)
        self.pools: list[Pool] = []
        self.documents: dict[str, Document] = {}  # those that are looked at
        self.sockets = 0

    def start(self) -> None:
        self.pools = make_pools(self.options.engines, hash_mib=min(64, self.options.hash_mib))

    async def stop(self) -> None:
        for document in list(self.documents.values()):
            if document.play is not None:
                document.play.close()
            document.save()
        for pool in self.pools:
            await pool.close()

    def about(self) -> Data:
        return {
            "version": __version__,
            "engines": [pool.name for pool in self.pools],
            "levels": TOP_SKILL,
            "limits": self.limits(),
            "letters": list(LETTERS),
            "formats": files.formats(),
            "book": self.options.book is not None,
            "settings": self.store.settings(),
        }

    def limits(self) -> dict[str, int]:
        return {
            "threads": self.options.threads,
            "hash": self.options.hash_mib,
            "lines": MOST_LINES,
            "file": MAX_FILE,
        }

    # Documents

    def new(self, game: Game | None = None) -> Document:
        document = Document(self.store, game)
        self.adopt(document)
        return document

    def adopt(self, document: Document) -> None:
        """A document that pages are going to look at."""
        self.documents[document.key] = document

    def find(self, key: object) -> Document | None:
        """The document of a key, from memory or from its file."""
        for document in self.documents.values():
            if document.key == key:
                return document
        try:
            document = Document.load(self.store, str(key))
        except (OSError, ValueError, KeyError):
            return None
        if document.play is not None:
            self.lend(document.play)
        self.adopt(document)
        return document

    def lend(self, play: Play) -> None:
        """Give a game what its engines play with."""
        play.pools, play.book = self.pools, self.options.book

    def last(self) -> Document | None:
        """The document that was changed last, if no page looks at any."""
        if any(document.watched for document in self.documents.values()):
            return None
        for key in self.store.keys()[:5]:
            if (found := self.find(key)) is not None:
                return found
        return None

    def release(self, document: Document) -> None:
        """A page has gone: what nobody looks at is in its file."""
        if not document.watched:
            self.documents = {key: other for key, other in self.documents.items() if other is not document}

    def summaries(self) -> list[Data]:
        """The documents that are kept, last changed first."""
        found = []
        for key in self.store.keys()[:DOCUMENTS]:
            try:
                found.append(stored_summary(key, self.store.peek(key)))
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return found

    def forget(self, key: str) -> None:
        """Delete a document that nobody looks at."""
        if not any(document.key == key and document.watched for document in self.documents.values()):
            self.store.delete(key)

    def book_entries(self, board: Board) -> list[Data]:
        """What the opening book says of a position: moves, games, and the mover's share of the points."""
        book = self.options.book
        if book is None:
            return []
        return [
            {
                "move": [entry.move.iccs(), *move_texts(board, entry.move)],
                "weight": entry.weight,
                "games": entry.games,
                "points": round(entry.points, 3) if entry.games else None,
            }
            for entry in book.find_all(board)[:20]
        ]


def make_app(house: House) -> Starlette:
    """The application of a house."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        house.start()
        try:
            yield
        finally:
            await house.stop()

    async def talk(socket: WebSocket) -> None:
        await _talk(socket, house)

    routes = [Route(path, _file_route(path, data)) for path, data in _page_files().items()]
    application = Starlette(
        routes=[*routes, WebSocketRoute("/socket", talk)],
        lifespan=lifespan,
        middleware=[
            Middleware(_Headers),
            Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"], www_redirect=False),
        ],
    )
    application.router.redirect_slashes = False
    return application


def _page_files() -> dict[str, bytes]:
    """The paths that are served and what they hold: files of the package, no folder of the disk."""
    page, glyphs = resources.files(__package__) / "page", resources.files("eleengine.glyphs")
    found = {f"/{item.name}": item.read_bytes() for item in page.iterdir() if Path(item.name).suffix in TYPES}
    for name in ("characters.json", "symbols.json"):
        found[f"/{name}"] = (glyphs / name).read_bytes()
    found["/"] = found.pop("/index.html")
    return found


def _file_route(path: str, data: bytes) -> Callable[[Request], Response]:
    kind = TYPES[Path(path).suffix or ".html"]
    packed = gzip.compress(data, 9, mtime=0)

    def serve(request: Request) -> Response:
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(packed, media_type=kind, headers={"content-encoding": "gzip"})
        return Response(data, media_type=kind)

    return serve


class _Headers:
    """Puts the security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *extra]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


# The socket


class _Outbox:
    """What a page is to be told, in order; of reports only the newest waits: a slow page queues none."""

    def __init__(self) -> None:
        self._messages: list[Data] = []
        self._newest: dict[str, Data] = {}
        self._news = asyncio.Event()

    def put(self, message: Data) -> None:
        self._messages.append(message)
        self._news.set()

    def put_newest(self, kind: str, message: Data | None) -> None:
        if message is None:
            self._newest.pop(kind, None)
        else:
            self._newest[kind] = message
            self._news.set()

    async def pump(self, socket: WebSocket) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            messages, self._messages = self._messages, []
            newest, self._newest = self._newest, {}
            for message in [*messages, *newest.values()]:
                await socket.send_text(json.dumps(message, ensure_ascii=False, separators=(",", ":")))


async def _talk(socket: WebSocket, house: House) -> None:
    """One page, from its hello to its end."""
    host, origin = socket.headers.get("host"), socket.headers.get("origin")
    if origin != f"http://{host}":
        await socket.close(WRONG_TOKEN)  # before accept: HTTP 403
        return
    await socket.accept()
    if house.sockets >= MAX_SOCKETS:
        await socket.close(TOO_MANY)
        return
    house.sockets += 1
    try:
        hello = await _hello(socket, house)
        if hello is not None:
            await _serve(socket, house, hello)
    except WebSocketDisconnect:
        pass
    finally:
        house.sockets -= 1


async def _hello(socket: WebSocket, house: House) -> Data | None:
    """The first message, if it has the token."""
    try:
        text = await asyncio.wait_for(socket.receive_text(), HELLO)
        message = json.loads(text) if len(text) < 4096 else None
    except (TimeoutError, ValueError, KeyError):
        message = None
    if not isinstance(message, dict) or message.get("type") != "hello":
        await socket.close(NO_HELLO)
        return None
    token = message.get("token")
    if not isinstance(token, str) or not secrets.compare_digest(token.encode(), house.options.token.encode()):
        await socket.close(WRONG_TOKEN)
        return None
    return message


async def _serve(socket: WebSocket, house: House, hello: Data) -> None:
    outbox = _Outbox()
    connection = Connection(house, outbox.put, outbox.put_newest)
    requests: asyncio.Queue[object] = asyncio.Queue(MAX_REQUESTS)
    connection.hello(hello)
    work = [
        asyncio.create_task(_read(socket, requests)),
        asyncio.create_task(outbox.pump(socket)),
        asyncio.create_task(converse(connection, requests)),
    ]
    try:
        await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    finally:
        connection.close()
        for task in work:
            task.cancel()
        await asyncio.wait(work)
    for task in work:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, (WebSocketDisconnect, RuntimeError)):
            raise error


async def _read(socket: WebSocket, requests: asyncio.Queue[object]) -> None:
    while True:
        try:
            text = await socket.receive_text()
        except KeyError:  # a binary message
            await requests.put(None)
            continue
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            message = None
        await requests.put(message)


# The server


class Server(uvicorn.Server):
    """Ends by itself when no page has looked for a while."""

    patience = 60.0  # seconds without a page
    first_patience = 300.0  # until the first one

    def __init__(self, config: uvicorn.Config, house: House, *, keep: bool) -> None:
        super().__init__(config)
        self.house = house
        self.keep = keep
        self._lonely = -(self.first_patience - self.patience)

    async def on_tick(self, counter: int) -> bool:
        if self.house.sockets:
            self._lonely = 0.0
        else:
            self._lonely += 0.1  # uvicorn ticks ten times a second
        return await super().on_tick(counter) or (not self.keep and self._lonely > self.patience)


def serve(
    options: Options, *, host: str = "127.0.0.1", port: int = 0, keep: bool = False, browser: bool = True
) -> None:
    """Serve until interrupted, or until no page has looked for a minute. OSError if the port is taken."""
    house = House(options)
    listener = socket.create_server((host, port))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/#{options.token}"
    print(url, flush=True)
    config = uvicorn.Config(
        make_app(house), ws="websockets-sansio", ws_max_size=MAX_MESSAGE, log_level="warning",
        access_log=False, server_header=False, date_header=False, timeout_graceful_shutdown=2, lifespan="on",
    )  # fmt: skip
    if browser:
        with suppress(webbrowser.Error):
            webbrowser.open(url)
    with suppress(KeyboardInterrupt):
        Server(config, house, keep=keep).run(sockets=[listener])
