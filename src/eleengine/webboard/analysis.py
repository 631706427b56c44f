"""The analysis that one page asks for: reports while it runs, and the score that stays with its node."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from ..engines.types import InfoDict
from ..records import Eval
from .document import Document
from .endings import known_data
from .page_data import Data, infos_data, is_complete, true_lines
from .pool import Pool, PoolJob

KEPT_DEPTH = 8  # plies that an analysis must have seen for its score to stay


class Analysis:
    """At most one search for a page.

    send_newest: as in `BoardPage`; report_error: shows on the page that the engine has failed.
    """

    def __init__(
        self,
        send_newest: Callable[[str, Data | None], None],
        report_error: Callable[[str], None],
    ) -> None:
        self.send_newest = send_newest
        self.report_error = report_error
        self._document: Document | None = None
        self._job: PoolJob | None = None
        self._node_id = 0
        self._found: InfoDict | None = None  # the best line so far
        self._last_lines: list[InfoDict] = []  # of the last depth that was complete

    def start(self, document: Document, node_id: int, job: PoolJob, pool: Pool) -> None:
        """Search a position of a document until `stop`; what ran before is stopped."""
        self.stop()
        known = known_data(job.board)
        job.report = lambda infos: self._report(job, known, infos)
        self._document, self._node_id = document, node_id
        self._found, self._last_lines = None, []
        self._job = pool.submit(job)
        task = asyncio.ensure_future(job.result)
        task.add_done_callback(lambda done: self._ended(job, done))

    def _report(self, job: PoolJob, known: Data | None, infos: list[InfoDict]) -> None:
        if self._job is not job or not infos:
            return
        self._found = best = infos[0]
        lines = true_lines(infos, self._last_lines, job.lines)
        if is_complete(lines):
            self._last_lines = lines
        self.send_newest(
            "info",
            {
                "type": "info",
                "node": self._node_id,
                "depth": best.get("depth", 0),
                "seldepth": best.get("seldepth", 0),
                "nodes": best.get("nodes", 0),
                "nps": best.get("nps", 0),
                "lines": infos_data(job.board, lines),
                "known": known,
            },
        )

    def _ended(self, job: PoolJob, done: asyncio.Future[Any]) -> None:
        if self._job is not job or done.cancelled():
            return
        self._job = None
        if error := done.exception():
            self.report_error(str(error))
        self._keep_score()

    def stop(self) -> None:
        """End the search, if there is one."""
        if self._job is not None:
            self._job.stop()
            self._job = None
            self._keep_score()
        self.send_newest("info", None)

    def _keep_score(self) -> None:
        """What an analysis has found stays with its node, unless a deeper one has said more."""
        document, found = self._document, self._found
        self._found = None
        if document is None or found is None or self._node_id not in document.nodes:
            return
        node, depth = document.nodes[self._node_id], found.get("depth", 0)
        known = node.eval.depth or 0 if node.eval is not None else 0
        if "score" in found and depth >= max(KEPT_DEPTH, known):
            node.eval = Eval(found["score"], depth)
            document.broadcast_node(node)
