"""Limits of connections that have not proven to be a page: another user of the machine cannot use them up."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_TIMEOUT = 10.0  # seconds for a request to arrive whole, and between two requests
MAX_IDLE = 64  # connections without a request; the oldest is closed for a new one

_idle: dict[LimitedHttp, None] = {}  # in the order in which they became idle


class LimitedHttp(H11Protocol):
    """HTTP whose connections end when no whole request arrives in time."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._end_wait()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle is None or self.cycle.response_complete:
            self._wait()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._end_wait()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_wait()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._end_wait()
        if self.transport.is_closing():
            return
        self._timer = self.loop.call_later(REQUEST_TIMEOUT, self._close)
        if len(_idle) >= MAX_IDLE:
            next(iter(_idle))._close()
        _idle[self] = None

    def _end_wait(self) -> None:
        _idle.pop(self, None)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        self._end_wait()
        self.transport.close()
