"""One page: its requests, their answers and the events that it is sent.

A request is a JSON object with a ``type``, and an ``id`` if the page wants an answer: ``{"re": id, ...}``, or
``{"type": "error", "re": id, "code", "message"}``. An event has no ``re``. What can be asked for stands by
subject in `eleengine.webboard.handlers`.

What one request causes, its answer included, goes to the page as one list, and the page applies it at once.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable
from typing import Any

from .._internal.message import message_of
from ..engines.types import EngineError
from .analysis import Analysis
from .document import Document
from .errors import RequestError
from .files import OpenedGame
from .handlers import HANDLERS
from .page_data import Data
from .pool import Pool
from .request import Request
from .store import is_key
from .workspace import Workspace

MAX_CONCURRENT = 16  # requests of a page that wait for engines


class Connection:
    """A page and the document that it looks at.

    send: puts a message into the queue of the socket; send_newest keeps only the last one of its kind.
    opened, opened_name: the games of the file that was opened last, to choose from.
    """

    def __init__(
        self,
        workspace: Workspace,
        send: Callable[[Data], None],
        send_newest: Callable[[str, Data | None], None],
    ) -> None:
        self.workspace = workspace
        self.send = send
        self.send_newest = send_newest
        self.analysis = Analysis(send, send_newest, lambda said: self.send_error(None, "engine", said))
        self.reviewing: asyncio.Task[None] | None = None
        self.opened: list[OpenedGame] = []
        self.opened_name = ""
        self._document: Document | None = None
        self._closed = False

    # Coming and going

    def start(self, message: Data) -> None:
        """Show a document: the one that the page had, else the last one, else a new one."""
        workspace = self.workspace
        wanted = message.get("doc")
        document = workspace.find(wanted) if is_key(wanted) else None
        if document is None and message.get("new") is not True:
            document = workspace.last_changed()
        self.send({"type": "welcome", **workspace.server_info()})
        self.show(document or workspace.create())

    def close(self) -> None:
        """The page has gone."""
        self._closed = True
        self._leave()

    def _leave(self) -> None:
        self.analysis.stop()
        if self.reviewing is not None:
            self.reviewing.cancel()
        if self._document is not None:
            self._document.remove_page(self.send)
            self.workspace.release(self._document)

    def show(self, document: Document) -> None:
        """Look at another document, unless the page went while a request was under way."""
        if self._closed:
            return
        if self._document is not document:
            self._leave()
            self._document = document
        self.send(document.data())
        document.add_page(self.send)

    def show_node(self, node_id: int) -> None:
        """Look at another node of the document."""
        self.document.show(node_id, self.send)

    @property
    def document(self) -> Document:
        assert self._document is not None
        return self._document

    @property
    def own_pool(self) -> Pool:
        """The pool of our own engine."""
        return self.workspace.pools[0]

    # Requests

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

    def send_error(self, answer_to: int | None, code: str, message: str, **details: Any) -> None:
        """Tell the page what has failed: as the answer to a request, or without."""
        data: Data = {"type": "error", "code": code, "message": message[:500], **details}
        if answer_to is not None:
            data["re"] = answer_to
        self.send(data)


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
