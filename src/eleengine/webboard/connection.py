"""The requests of one page, in their order.

A request is a JSON object with a ``type``, and an ``id`` if the page wants an answer: ``{"re": id, ...}``, or
``{"type": "error", "re": id, "code", "message"}``. An event has no ``re``. What can be asked for stands by
subject in `eleengine.webboard.handlers`.

What one request causes, its answer included, goes to the page as one list, and the page applies it at once.
"""

from __future__ import annotations

import asyncio
import traceback

from .._internal.message import message_of
from ..engines.types import EngineError
from .board_page import BoardPage
from .errors import RequestError
from .handlers import HANDLERS
from .request import Request

MAX_CONCURRENT = 16  # requests of a page that wait for engines


class Connection(BoardPage):
    """A page whose requests are answered."""

    async def handle(self, message: object) -> None:
        """Do what the page asks for, and answer."""
        answer_to = message.get("id") if isinstance(message, dict) else None
        if not (answer_to is None or type(answer_to) is int):
            answer_to = None
        try:
            if not isinstance(message, dict) or not isinstance(message.get("type"), str):
                raise RequestError("bad-message", "a message is an object with a type")
            handler = HANDLERS.get(message["type"])
            if handler is None:
                raise RequestError("bad-message", f"unknown type {message['type']!r:.40}")
            with self.workspace.working_on(self.document):
                answer = await handler(self, Request(message))
        except RequestError as error:
            self.send_error(answer_to, error.code, str(error), **error.details)
        except EngineError as error:
            self.send_error(answer_to, "engine", str(error))
        except (ValueError, MemoryError) as error:
            said = message_of(error)
            self.send_error(answer_to, "refused", said, reason=said.data())
        except Exception as error:  # a fault of ours: the page must not wait without end
            traceback.print_exception(error)
            self.send_error(answer_to, "internal", f"{type(error).__name__}: {error}")
        else:
            if answer_to is not None:
                self.send({"re": answer_to, **(answer or {})})


async def handle_requests(connection: Connection, requests: asyncio.Queue[object]) -> None:
    """Handle requests in their order; those that wait for an engine do not hold up the others."""
    running: set[asyncio.Task[None]] = set()
    try:
        while True:
            if len(running) >= MAX_CONCURRENT:
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            task = asyncio.create_task(connection.handle(await requests.get()))
            running.add(task)
            task.add_done_callback(running.discard)
            await asyncio.sleep(0)  # it runs until it waits for something
    finally:
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
