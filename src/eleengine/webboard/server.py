"""The server of a page, and its limits for whoever has not shown the token.

Another user of the machine can connect, and with `--lan` the local network, too. A connection without the
token is a guest: there are few, for few seconds, and they hold few bytes each. So they neither shut the owner
out nor fill the memory.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from .._internal.system import max_open_files
from .browser import open_page

GUEST_SECONDS = 10.0  # for a request to come and its answer to be read, or for the token to come
MAX_GUESTS = min(128, max_open_files() // 4)  # the oldest is ended for a new one
MAX_HELLO = 4096  # bytes of a socket's guest, in all
BUFFER = 32 << 10  # bytes of a guest that wait in the system or here, each way
ONE_REQUEST = {"connection": "close"}  # a header of every answer
BACKLOG = 512  # connections that wait to be accepted
LINGER = 2.0  # seconds in which what a page still sends is read away, after a message that was too long
ACCEPTED = 8  # at most at a time: few new ones come before an older one is heard

_log = logging.getLogger("uvicorn.error")


class _Guests:
    """The connections without the token, in the order in which they came."""

    def __init__(self) -> None:
        self._timers: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def let_in(self, transport: asyncio.Transport) -> None:
        """Let a guest in, for a time."""
        if len(self._timers) >= MAX_GUESTS:
            self._end(self._oldest())
        loop = asyncio.get_running_loop()
        self._timers[transport] = loop.call_later(GUEST_SECONDS, self._end, transport)

    def leave(self, transport: asyncio.Transport) -> None:
        """The guest has shown the token, or is gone."""
        if (timer := self._timers.pop(transport, None)) is not None:
            timer.cancel()

    def _oldest(self) -> asyncio.Transport:
        """The oldest of the address with most guests: one machine of the network cannot shut out another."""
        hosts = {transport: _host(transport) for transport in self._timers}
        crowded = Counter(hosts.values()).most_common(1)[0][0]
        return next(transport for transport in self._timers if hosts[transport] == crowded)

    def _end(self, transport: asyncio.Transport) -> None:
        self.leave(transport)
        if transport.get_write_buffer_size():
            transport.abort()  # `close` would wait until all is read
        else:
            transport.close()


def _host(transport: asyncio.Transport) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""


_guests = _Guests()


class GuestHttp(H11Protocol):
    """HTTP, whose connections stay guests: each has one request, as `ONE_REQUEST` closes it."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(BUFFER)
        _guests.let_in(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        _guests.leave(self.transport)
        super().connection_lost(exc)


class _Lingering:
    """A transport that is closed by its peer or by a timer, not by the application, which ends before."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def close(self) -> None:
        """Not yet."""

    def is_closing(self) -> bool:
        return True


class GuestSocket(WebSocketsSansIOProtocol):
    """A WebSocket, whose connection is a guest until the application calls "admit" of its scope."""

    _is_guest = True
    _received = 0
    _is_over = False

    def data_received(self, data: bytes) -> None:
        if self._is_over:
            return
        if self._is_guest and self.handshake_initiated:
            self._received += len(data)
            if self._received > MAX_HELLO:
                self.transport.abort()
                return
        super().data_received(data)

    async def run_asgi(self) -> None:
        self.scope["admit"] = self._admit  # type: ignore[typeddict-unknown-key]
        await super().run_asgi()

    def _admit(self, *, speaks: bool) -> None:
        """Let a page stay; one that only looks on goes on sending little."""
        self._is_guest = False
        if not speaks:
            self.conn.max_message_size = MAX_HELLO
        _guests.leave(self.transport)

    def handle_parser_exception(self) -> None:
        """Say what is wrong, and read on for a moment: to close with bytes unread would take the reason
        back.
        """
        transport = self.transport
        if self._is_guest or transport.is_closing():
            super().handle_parser_exception()
            return
        close = self.conn.close_sent
        assert close is not None
        self.queue.put_nowait({"type": "websocket.disconnect", "code": close.code, "reason": close.reason})
        transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self._is_over = True
        transport.resume_reading()
        transport.write_eof()
        asyncio.get_running_loop().call_later(LINGER, transport.abort)
        self.transport = _Lingering(transport)  # type: ignore[assignment]

    def handle_ping(self) -> None:
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()  # who reads nothing gets no pong

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        _guests.leave(self.transport)
        super().connection_lost(exc)


class _NoGuestFaults(logging.Filter):
    """Leaves out what a guest can have written to the terminal as often as it likes."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


def listen(host: str, port: int) -> socket.socket:
    """Listen at a port, 0 for any, for connections with small buffers; OSError."""
    listener = socket.create_server((host, port), backlog=BACKLOG)
    for option in (socket.SO_RCVBUF, socket.SO_SNDBUF):  # what is accepted inherits them
        listener.setsockopt(socket.SOL_SOCKET, option, BUFFER)
    return listener


class Server(uvicorn.Server):
    """Ends by itself when no page has looked for a while.

    is_used: asked ten times a second. first_seconds: without a page at the start. idle_seconds: later.
    """

    def __init__(
        self, app: ASGIApp, is_used: Callable[[], bool], *, first_seconds: float, idle_seconds: float,
        max_message: int | None = None,
    ) -> None:  # fmt: skip
        config = uvicorn.Config(
            app, http=GuestHttp, ws="none" if max_message is None else GuestSocket,
            ws_max_size=max_message or 0, ws_per_message_deflate=False,
            h11_max_incomplete_event_size=BUFFER, backlog=ACCEPTED, log_level="error", access_log=False,
            server_header=False, date_header=False, timeout_graceful_shutdown=2,
        )  # fmt: skip
        super().__init__(config)
        _log.addFilter(_NoGuestFaults())
        self._is_used = is_used
        self._idle_seconds = idle_seconds
        self._idle = idle_seconds - first_seconds
        self._accepts = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As in uvicorn."""
        asyncio.get_running_loop().set_exception_handler(self._on_error)
        await super().startup(sockets)
        for listener in sockets or []:
            listener.listen(BACKLOG)  # asyncio has one number for both

    def _on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Say once that nothing can be accepted; asyncio says it 64 times a second."""
        error = context.get("exception")
        if getattr(error, "errno", None) not in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
            loop.default_exception_handler(context)
        elif self._accepts:
            self._accepts = False
            _log.error("no connection can be accepted for now: %s", error)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let every signal that ends a program end the server in order; uvicorn knows only two of them."""
        with super().capture_signals():
            ours = {}
            if threading.current_thread() is threading.main_thread():  # others may not set handlers
                for name in ("SIGHUP", "SIGQUIT"):
                    number = getattr(signal, name, None)
                    if number is not None and signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores it
                        ours[number] = signal.signal(number, self.handle_exit)
            try:
                yield
            finally:
                for number, handler in ours.items():
                    signal.signal(number, handler)

    async def on_tick(self, counter: int) -> bool:
        """As in uvicorn, ten times a second: is it time to end?"""
        self._idle = 0.0 if self._is_used() else self._idle + 0.1
        return await super().on_tick(counter) or self._idle > self._idle_seconds

    def serve_page(self, listener: socket.socket, url: str, folder: Path, *, browser: bool) -> None:
        """Serve until interrupted or idle. folder: for the file that leads the browser to the page."""
        forward = None
        if browser:
            with suppress(OSError):
                forward = open_page(url, folder)
        try:
            with suppress(KeyboardInterrupt):
                self.run(sockets=[listener])
        finally:
            if forward is not None:
                forward.unlink(missing_ok=True)
