"""A search of an external engine that runs beside the program which asked for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

from ..session import Feed, FeedAnalysis
from ..types import InfoDict, PlayResult, shown
from .infos import Infos


class ExternalAnalysis(FeedAnalysis[str]):
    """A search under way, made by `ExternalEngine.analysis`, and used like `Analysis`.

    It is an iterator of infos and a context manager, for any thread. An info has what the engine has said of
    its line until then.
    """

    def __init__(
        self,
        search: Callable[[Infos, Callable[[list[str]], object]], PlayResult],
        stop: Callable[[], None],
        infos: Callable[[], Infos],
    ) -> None:
        self._feed = Feed()  # lines, which are read when they are asked for
        self._newest = infos()
        self._infos = infos()  # as far as `get` has come
        self._stop = stop
        run = partial(self._feed.run, partial(search, self._newest, self._take))
        threading.Thread(target=run, daemon=True).start()

    def _take(self, lines: list[str]) -> None:
        self._newest.take_all(lines)
        self._feed.put(lines)

    def _read(self, line: str) -> InfoDict:
        """What the engine has said of the line's rank until then."""
        return self._infos.take(line)

    @property
    def multipv(self) -> list[InfoDict]:
        """The last info of each line, best first."""
        return self._newest.all() or [shown({})]

    def stop(self) -> None:
        """End the search soon; the infos so far remain."""
        with self._feed.lock:
            if not self._feed.done.is_set():
                self._stop()
