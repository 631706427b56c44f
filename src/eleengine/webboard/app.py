"""The web application: a fixed table of files, one socket, and what keeps strangers out.

Any web site that the user visits may try to reach this server. It listens on the loopback address only,
unless the user wants the local network, too. A page needs the token, 128 random bits that stand in the
fragment of the address and so in no log. The Host must be a name or address of this machine, and the Origin
of a socket must be the page's own.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from .connection import Connection, handle_requests
from .lan import qr_text
from .page_data import Data
from .server import MAX_HELLO, ONE_REQUEST, Server, listen
from .store import Store
from .workspace import MAX_FILE, BoardOptions, Workspace

MAX_MESSAGE = MAX_FILE * 4 // 3 + 4096
MAX_SOCKETS = 64
MAX_WATCHERS = 64  # pages that only look on, beside the others
MAX_REQUESTS = 256  # of one page that wait: the socket is read no further
IDLE_SECONDS = 60.0  # without a page until the server ends
FIRST_SECONDS = 300.0  # until the first page

NOT_AUTHENTICATED, WRONG_TOKEN, VIEW_ONLY, TOO_MANY = 4401, 4403, 4405, 4429

ONLY_TYPES = "/state.js"  # for tsc, which developers run

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
    **ONE_REQUEST,
}
TYPES = {
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
    ".json": "application/json", ".webmanifest": "application/manifest+json",
}  # fmt: skip


def make_app(workspace: Workspace) -> Starlette:
    """Make the web application of a workspace."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        workspace.start()
        try:
            yield
        finally:
            await workspace.stop()

    async def socket_endpoint(socket: WebSocket) -> None:
        await _serve_socket(socket, workspace)

    socket_route = WebSocketRoute("/socket", socket_endpoint)
    return guarded_app(_page_files(), [socket_route], lan=workspace.options.lan, lifespan=lifespan)


def guarded_app(
    files: dict[str, bytes], routes: list[BaseRoute], *, lan: Iterable[str] = (), lifespan: Any = None
) -> Starlette:
    """An application of files by their paths and of routes, under the security headers.

    lan: names of this machine beside those of the loopback address.
    """
    hosts = ["127.0.0.1", "localhost", *lan]
    application = Starlette(
        routes=[*(Route(path, file_route(path, data)) for path, data in files.items()), *routes],
        lifespan=lifespan,
        middleware=[
            Middleware(SecurityHeaders),
            Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False),
        ],
    )
    application.router.redirect_slashes = False
    return application


def _page_files() -> dict[str, bytes]:
    """The paths that are served and what they hold: files of the package, no folder of the disk."""
    found, glyphs = folder_files("page"), resources.files("eleengine.glyphs")
    del found[ONLY_TYPES]
    for name in ("characters.json", "symbols.json"):
        found[f"/{name}"] = (glyphs / name).read_bytes()
    found["/files.json"] = json.dumps(sorted(found)).encode()  # what an installed page keeps
    return found


def folder_files(name: str) -> dict[str, bytes]:
    """What a folder of this package has for browsers, by the paths that are served."""
    items = (resources.files(__package__) / name).iterdir()
    found = {f"/{item.name}": item.read_bytes() for item in items if Path(item.name).suffix in TYPES}
    found["/"] = found.pop("/index.html")
    return found


def file_route(path: str, data: bytes) -> Callable[[Request], Awaitable[Response]]:
    """Serve a file of the package under its path."""
    kind = TYPES[Path(path).suffix or ".html"]
    packed = gzip.compress(data, 9, mtime=0)

    async def serve(request: Request) -> Response:  # no thread, for which a guest would wait in a queue
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(packed, media_type=kind, headers={"content-encoding": "gzip"})
        return Response(data, media_type=kind)

    return serve


class SecurityHeaders:
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
    """The messages that wait for a page, in order; of reports only the newest waits.

    They go out as one list: a page never sees a half of what one change has caused.
    """

    def __init__(self) -> None:
        self._messages: list[Data] = []
        self._newest: dict[str, Data] = {}
        self._changed = asyncio.Event()

    def put(self, message: Data) -> None:
        self._messages.append(message)
        self._changed.set()

    def put_newest(self, kind: str, message: Data | None) -> None:
        if message is None:
            self._newest.pop(kind, None)
        else:
            self._newest[kind] = message
            self._changed.set()

    async def pump(self, socket: WebSocket) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            messages, self._messages = self._messages, []
            newest, self._newest = self._newest, {}
            if waiting := [*messages, *newest.values()]:
                await socket.send_text(json.dumps(waiting, ensure_ascii=False, separators=(",", ":")))


async def _serve_socket(socket: WebSocket, workspace: Workspace) -> None:
    """Serve one page, from its first message to its end."""
    host, origin = socket.headers.get("host"), socket.headers.get("origin")
    if origin != f"http://{host}":
        await socket.close(WRONG_TOKEN)  # before accept: HTTP 403
        return
    await socket.accept()
    try:
        hello = await _authenticate(socket, workspace)
        if hello is None:
            return
        if not _is_same(hello["token"], workspace.options.token):
            await _show_only(socket, workspace)
            return
        if workspace.sockets >= MAX_SOCKETS:
            await socket.close(TOO_MANY)
            return
        workspace.sockets += 1
        try:
            await _serve(socket, workspace, hello)
        finally:
            workspace.sockets -= 1
    except WebSocketDisconnect:
        pass


async def _authenticate(socket: WebSocket, workspace: Workspace) -> Data | None:
    """Return the first message if it has the token, or the one for looking on."""
    message = await _receive(socket, MAX_HELLO)
    if not isinstance(message, dict) or message.get("type") != "hello":
        await socket.close(NOT_AUTHENTICATED)
        return None
    token, options = message.get("token"), workspace.options
    is_owner = _is_same(token, options.token)
    if not is_owner and not _is_same(token, options.watch_token):
        await socket.close(WRONG_TOKEN)
        return None
    if (admit := socket.scope.get("admit")) is not None:  # of `GuestSocket`
        admit(speaks=is_owner)
    return message


def _is_same(token: object, wanted: str) -> bool:
    return isinstance(token, str) and secrets.compare_digest(token.encode(errors="replace"), wanted.encode())


async def _serve(socket: WebSocket, workspace: Workspace, hello: Data) -> None:
    outbox = _Outbox()
    connection = Connection(workspace, outbox.put, outbox.put_newest)
    requests: asyncio.Queue[object] = asyncio.Queue(MAX_REQUESTS)
    connection.start(hello)
    try:
        await _until_one_ends(
            _read(socket, requests), outbox.pump(socket), handle_requests(connection, requests)
        )
    finally:
        connection.close()


async def _show_only(socket: WebSocket, workspace: Workspace) -> None:
    """Serve a page that looks on: nothing that it could ask for is done, whatever it says ends it."""
    if len(workspace.watchers) >= MAX_WATCHERS:
        await socket.close(TOO_MANY)
        return
    outbox = _Outbox()
    with workspace.watching(outbox.put):
        await _until_one_ends(_refuse(socket), outbox.pump(socket))


async def _refuse(socket: WebSocket) -> None:
    if (await socket.receive())["type"] == "websocket.receive":
        await socket.close(VIEW_ONLY)


async def _until_one_ends(*parts: Coroutine[Any, Any, None]) -> None:
    """Run the parts of a page's service until one of them ends, or the page goes."""
    work = [asyncio.create_task(part) for part in parts]
    try:
        await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in work:
            task.cancel()
        await asyncio.wait(work)
    for task in work:
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, (WebSocketDisconnect, RuntimeError)):
            raise error


async def _read(socket: WebSocket, requests: asyncio.Queue[object]) -> None:
    while True:
        await requests.put(await _receive(socket, MAX_MESSAGE))


async def _receive(socket: WebSocket, most: int) -> object:
    """The next message of a page; None for one that is binary, no JSON or not shorter than `most`."""
    try:
        text = await socket.receive_text()
        return json.loads(text) if len(text) < most else None
    except (ValueError, KeyError, RecursionError):
        return None


# The server


def _print_lan(urls: list[str]) -> None:
    for number, url in enumerate(urls):
        print(f"{'or' if number else 'on the phone:'} {url}", flush=True)
        if sys.stdout.isatty():
            print(qr_text(url))
    print(
        "Whoever is in this network can read along, and who has the address can use the board: "
        "plain HTTP is not encrypted. Use it at home, not in a public network.",
        file=sys.stderr,
    )


def _listen(host: str, port: int, store: Store) -> socket.socket:
    """Listen at a port; for 0 at that of an installed page if it is free, else at any. OSError."""
    known = store.port()
    if not port and known is not None:
        with suppress(OSError):
            return listen(host, known)
    return listen(host, port)


def serve(options: BoardOptions, *, port: int = 0, keep: bool = False, browser: bool = True) -> None:
    """Serve until interrupted, or until no page has been open for a minute.

    OSError if the port is taken.
    """
    workspace = Workspace(options)
    listener = _listen("0.0.0.0" if options.lan else "127.0.0.1", port, workspace.store)
    workspace.port = port = listener.getsockname()[1]
    url = f"http://127.0.0.1:{port}/#{options.token}"
    print(url, flush=True)
    if options.lan:
        workspace.lan_origins = [f"http://{address}:{port}" for address in options.lan]
        _print_lan([f"{origin}/#{options.token}" for origin in workspace.lan_origins])
    _make_server(workspace, keep=keep).serve_page(listener, url, options.folder, browser=browser)


def _make_server(workspace: Workspace, *, keep: bool) -> Server:
    def is_used() -> bool:
        return keep or workspace.sockets > 0 or workspace.is_unsaved

    return Server(
        make_app(workspace), is_used, first_seconds=FIRST_SECONDS, idle_seconds=IDLE_SECONDS,
        max_message=MAX_MESSAGE,
    )  # fmt: skip
