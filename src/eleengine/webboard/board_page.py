"""One page and the document that it looks at."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from .analysis import Analysis
from .document import Document
from .files import OpenedGame
from .page_data import Data
from .pool import Pool
from .store import is_key
from .workspace import Workspace


class BoardPage:
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
        self.analysis = Analysis(send_newest, lambda said: self.send_error(None, "engine", said))
        self.reviewing: asyncio.Task[None] | None = None
        self.opened: list[OpenedGame] = []
        self.opened_name = ""
        self.is_opening = False  # is the file wanted that is being read?
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
        self.is_opening = False
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
        self.workspace.follow(document)
        self.send(document.data())
        document.add_page(self.send)

    def show_node(self, node_id: int) -> None:
        """Look at another node of the document."""
        self.workspace.follow(self.document)
        self.document.show(node_id, self.send)

    @property
    def document(self) -> Document:
        assert self._document is not None
        return self._document

    @property
    def own_pool(self) -> Pool:
        """The pool of our own engine."""
        return self.workspace.pools[0]

    def send_error(self, answer_to: int | None, code: str, message: str, **details: Any) -> None:
        """Report to the page what has failed: as the answer to a request, or without."""
        data: Data = {"type": "error", "code": code, "message": message[:500], **details}
        if answer_to is not None:
            data["re"] = answer_to
        self.send(data)
