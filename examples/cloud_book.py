"""Ask a cloud database of positions, such as https://www.chessdb.cn/cloudbook_api_en.html, as a book.

    python examples/cloud_book.py                  what the server knows of the start position
    python examples/cloud_book.py FEN --url URL

Anything with `find_all` is a book for `Engine(book=...)`. Each position looked up is sent to the server.
"""

import argparse
import re
from collections.abc import Collection
from functools import lru_cache
from urllib.parse import quote, urlencode
from urllib.request import urlopen

from eleengine import BaseBoard, Board, Engine, Limit, Move
from eleengine.book import BookError, Entry, Lookup

WEIGHTS = {"2": 100, "1": 10}  # by rank: best, good
NOTHING = ("unknown", "checkmate", "stalemate", "nobestmove")


class CloudBook(Lookup):
    """The moves that a server knows in a position; BookError when it does not answer."""

    def __init__(self, url: str = "https://www.chessdb.cn/chessdb.php", timeout: float = 5.0) -> None:
        self.url, self.timeout = url, timeout
        self._answer = lru_cache(10_000)(self._ask)

    def find_all(
        self, board: BaseBoard, *, minimum_weight: int = 0, exclude_moves: Collection[Move] = ()
    ) -> list[Entry]:
        answer = self._answer(" ".join(board.fen().split()[:2]))
        entries = [] if answer in NOTHING else [self._entry(part) for part in answer.split("|")]
        wanted = [entry for entry in entries if entry.weight >= minimum_weight]
        legal = [e for e in wanted if board.is_legal(e.move) and e.move not in exclude_moves]
        return sorted(legal, key=lambda entry: -entry.weight)

    def _ask(self, position: str) -> str:
        query = urlencode({"action": "queryall", "board": position}, quote_via=quote)
        try:
            with urlopen(f"{self.url}?{query}", timeout=self.timeout) as answer:
                data: bytes = answer.read(1 << 20)
        except (OSError, ValueError) as error:
            raise BookError(f"{self.url}: {error}") from None
        return data.rstrip(b"\0").decode("utf-8", "replace").strip()

    def _entry(self, part: str) -> Entry:
        """Read a move of an answer, such as ``move:b2e2,score:1,rank:2,note:! (44-02),winrate:50.08``."""
        fields: dict[str, str] = dict(re.findall(r"(\w+):([^,]*)", part))
        try:
            move = Move.from_iccs(fields["move"])
        except (KeyError, ValueError):
            raise BookError(f"{self.url}: not the answer of a cloud database: {part[:80]!r}") from None
        told = fields.get("score", "")
        score = int(told) if re.fullmatch(r"-?\d{1,6}", told) else None
        weight = WEIGHTS.get(fields.get("rank", ""), 0)
        return Entry(move, weight, score=score, note=fields.get("note", "").strip())


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask a cloud database of positions.")
    parser.add_argument("fen", nargs="*")
    parser.add_argument("--url", default="https://www.chessdb.cn/chessdb.php")
    args = parser.parse_args()
    board = Board(" ".join(args.fen)) if args.fen else Board()
    cloud = CloudBook(args.url)
    for entry in cloud.find_all(board):
        print(entry.move, entry.weight, "?" if entry.score is None else f"{entry.score:+}", entry.note)
    with Engine(book=cloud) as engine:
        print("the engine plays", engine.play(board, Limit(nodes=10_000)).move)


if __name__ == "__main__":
    main()
