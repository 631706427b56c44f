"""A cloud database of positions as a book, over the network: off unless you make one.

The protocol is that of the Xiangqi Cloud Database, whose documentation is at
https://www.chessdb.cn/cloudbook_api_en.html (``action=queryall``).
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Final
from urllib.error import URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from .._core import BaseBoard, InvalidMoveError, Move
from .base import BookError, Entry, Lookup, by_weight

URL: Final = "https://www.chessdb.cn/chessdb.php"
WEIGHTS: Final = {2: 100, 1: 10, 0: 0}  # by rank: best, good, bad
KEPT: Final = 10_000  # answers in memory
MOST_BYTES: Final = 1 << 20  # of an answer

_NOTHING = ("unknown", "checkmate", "stalemate", "nobestmove")


class CloudBook(Lookup):
    """The moves that a server knows in a position; used like a `Book`, a context manager.

    url: of the server. timeout: seconds for an answer. learn: let the server analyse positions that it does
    not know. Answers are kept in memory, 10,000 at most. Each position that is looked up is sent to the
    server.

    BookError when the server cannot be reached in time or answers something else. ValueError for a URL that
    is not of http or https.
    """

    def __init__(self, url: str = URL, *, timeout: float = 5.0, learn: bool = False) -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError(f"the URL of a cloud database begins with http:// or https://, not {url!r}")
        self.url: str = url
        self.timeout: float = timeout
        self.learn: bool = learn
        self._kept: OrderedDict[str, list[Entry]] = OrderedDict()

    def find_all(self, board: BaseBoard) -> list[Entry]:
        """The legal moves that the server knows, the heaviest first.

        Best moves have the weight 100, good ones 10, bad ones 0; scores are the server's centipawns.
        """
        position = " ".join(board.fen().split()[:2])
        entries = self._kept.get(position)
        if entries is None:
            entries = self._read(self._ask(position))
            self._kept[position] = entries
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return sorted((entry for entry in entries if board.is_legal(entry.move)), key=by_weight)

    def _ask(self, position: str) -> str:
        query = urlencode(
            {"action": "queryall", "board": position, "learn": int(self.learn)}, quote_via=quote
        )
        request = Request(f"{self.url}?{query}", headers={"User-Agent": "eleengine"})
        try:
            with urlopen(request, timeout=self.timeout) as answer:
                data: bytes = answer.read(MOST_BYTES)
        except (URLError, OSError, ValueError) as error:
            raise BookError(f"{self.url}: {getattr(error, 'reason', error)}") from None
        return data.rstrip(b"\0").decode("utf-8", "replace").strip()

    def _read(self, answer: str) -> list[Entry]:
        """The entries of an answer, such as ``move:b2e2,score:1,rank:2,note:! (44-02),winrate:50.08|...``."""
        if answer in _NOTHING:
            return []
        found = []
        for part in answer.split("|"):
            fields = dict(re.findall(r"(\w+):([^,|]*)", part))
            try:
                move = Move.from_iccs(fields["move"])
            except (KeyError, InvalidMoveError):
                raise BookError(f"{self.url}: not the answer of a cloud database: {answer[:80]!r}") from None
            score = fields.get("score", "")
            rank = fields.get("rank", "")
            found.append(
                Entry(
                    move,
                    WEIGHTS.get(int(rank), 0) if rank.isdecimal() else 0,
                    score=int(score) if re.fullmatch(r"-?\d{1,6}", score) else None,
                    note=fields.get("note", "").strip(),
                )
            )
        return found

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.url!r}>"
