"""What an engine says while it searches, kept as the newest infos of its lines.

An engine may say far more than anybody reads. So infos are read as late as can be: of many lines that come
together only those that say something that no later one says anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..types import InfoDict, shown

News = dict[str, Any]  # entries of an InfoDict: what one line says

#: The words of an info line that `Dialect.read_info` makes entries of.
WORDS = frozenset((
    "depth", "hashfull", "multipv", "nodes", "nps", "pv", "score", "seldepth", "string", "tbhits", "time",
    "wdl",
))  # fmt: skip


def _rank(text: str) -> str:
    """The rank that an info line names, as it is written; "1" if it names none before its moves."""
    at = text.find(" multipv ", 0, text.find(" pv "))
    return "1" if at < 0 else text[at + 9 : at + 19].partition(" ")[0]


class Infos:
    """The newest info of each line of a search.

    read: makes news of the words of an info line.
    """

    def __init__(self, read: Callable[[list[str]], News]) -> None:
        self._read = read
        self._lines: dict[int, InfoDict] = {}

    def take(self, text: str) -> InfoDict:
        """Take up one info line, and return all that is known of its rank now."""
        news = self._read(text.split())
        return self._add(news.get("multipv", 1), news)

    def take_all(self, texts: Iterable[str]) -> None:
        """Take up info lines that came one after the other: the same as `take` of each, but faster."""
        found: dict[int, News] = {}
        unknown: dict[str, set[str] | frozenset[str]] = {}  # words of each rank that no later line has
        for text in reversed(list(texts)):
            # Words in texts of the engine's may be any: those are always read.
            rank = _rank(text)
            if "string" in text or any(map(text.__contains__, unknown.get(rank, WORDS))):
                news = self._read(text.split())
                known = found.setdefault(news.get("multipv", 1), {})
                for name, value in news.items():
                    known.setdefault(name, value)
                if rank == str(news.get("multipv", 1)):
                    unknown[rank] = WORDS - known.keys()
        for number, news in found.items():
            self._add(number, news)

    def _add(self, rank: int, news: News) -> InfoDict:
        # New dicts each time: other threads read them without a lock.
        info = shown(self._lines.get(rank, {}))
        if news:
            info.update(news)  # type: ignore[typeddict-item]  # entries of one
            self._lines = {**self._lines, rank: info}
        return info

    def all(self) -> list[InfoDict]:
        """The newest info of each rank, best first."""
        lines = self._lines
        return [lines[rank] for rank in sorted(lines)]

    def best(self) -> InfoDict:
        """The newest info of the best line; empty if nothing has been said."""
        return self._lines.get(1) or shown({})
