"""A search of an external engine that runs beside the program which asked for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

from ..._internal.copying import NotCopied
from ..types import AnyAnalysis, InfoDict, PlayResult, shown
from .infos import Infos


class ExternalAnalysis(NotCopied, AnyAnalysis):
    """A search under way, made by `ExternalEngine.analysis`, and used like `Analysis`.

    It is an iterator of infos and a context manager, for any thread.
    """

    def __init__(
        self,
        search: Callable[[Callable[[list[str]], object]], PlayResult],
        stop: Callable[[], None],
        infos: Callable[[], Infos],
    ) -> None:
        self._news: SimpleQueue[str | None] = SimpleQueue()  # lines, which are read when they are asked for
        self._newest = infos()
        self._read = infos()  # as far as `get` has come
        self._done = threading.Event()
        # `_done` and the mark of the end come at once, and no stop comes later; a signal's handler may stop.
        self._end = threading.RLock()
        self._stop = stop
        self._callback: Callable[[], object] = lambda: None
        self._result: PlayResult | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(search,), daemon=True)
        self._thread.start()

    def _run(self, search: Callable[[Callable[[list[str]], object]], PlayResult]) -> None:
        try:
            self._result = search(self._take)
        except BaseException as error:  # raised in the thread that waits
            self._error = error
        finally:
            with self._end:
                self._news.put(None)
                self._done.set()
            self._callback()

    def _take(self, lines: list[str]) -> None:
        self._newest.take_all(lines)
        for line in lines:
            self._news.put(line)
        self._callback()

    def listen(self, callback: Callable[[], object]) -> None:
        """Call this when there is news to get, and at the end: at once if so, later from another thread."""
        self._callback = callback
        if not self.empty() or self.is_done():
            callback()

    @property
    def multipv(self) -> list[InfoDict]:
        """The last info of each line, best first."""
        return self._newest.all() or [shown({})]

    def stop(self) -> None:
        """End the search soon; the infos so far remain."""
        with self._end:
            if not self._done.is_set():
                self._stop()

    def wait(self) -> PlayResult:
        """Wait for the end of the search; raises what it raised."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        assert self._result is not None  # or there was an error
        return self._result

    def is_done(self) -> bool:
        """Has the search ended?"""
        return self._done.is_set()

    def get(self, *, timeout: float | None = None) -> InfoDict | None:
        """The next info, waiting for it if need be; None at the end of the search.

        It has what the engine has said of its line until then. timeout: seconds; queue.Empty if nothing
        comes in time.
        """
        line = self._news.get(timeout=timeout)
        if line is not None:
            return self._read.take(line)
        self._news.put(None)  # for the next one who asks
        if self._error is not None:
            raise self._error
        return None

    def empty(self) -> bool:
        """Is there nothing to get at this moment?"""
        with self._end:
            return self._news.qsize() <= self.is_done()  # the mark of the end is no news

    def __exit__(self, *error: object) -> None:
        self.stop()
        self._done.wait()
