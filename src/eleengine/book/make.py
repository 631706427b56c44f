"""Making a book: count what was played in games, then let the engine look at it.

>>> from eleengine import Board, Move
>>> counter = Counter()
>>> counter.add([Move.from_iccs("h2e2"), Move.from_iccs("h9g7")], "1-0")
>>> table = counter.table(min_games=1)
>>> [(entry.move.iccs(), entry.wins, entry.weight) for entry in table.find_all(Board())]
[('b2e2', 1, 2), ('h2e2', 1, 2)]
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from contextlib import closing
from itertools import islice, takewhile
from typing import NamedTuple

from .._core import MATE, STARTING_FEN, BaseBoard, Move, Searcher
from .._internal.threads import in_threads
from ..pieces import RED
from .base import Entry
from .keys import MIRROR, mirror_move, obk_keys
from .tools import BookTable, walk

PLIES = 40  # of each game that are counted
MIN_GAMES = 3
MARGIN = 30  # centipawns below the best move from which a move is not played
_FIELD = 32  # bits of each count


class Counter:
    """Counts the first moves of games, a position and its mirror image as one.

    plies: of each game. games: counted so far. Memory grows with the number of moves that differ, about
    250 bytes for each. Where a position is its own mirror image, a move is counted for its image as well.
    """

    def __init__(self, plies: int = PLIES) -> None:
        self.plies = plies
        self.games: int = 0
        self._counts: dict[int, int] = {}  # key, origin and destination -> wins, draws, losses

    def add(self, moves: Iterable[Move], result: str, start: str = STARTING_FEN) -> None:
        """Count a game of legal moves with the result 1-0, 0-1 or 1/2-1/2; KeyError for another."""
        points = {"1-0": (1, -1), "0-1": (-1, 1), "1/2-1/2": (0, 0)}[result]
        board = BaseBoard(start)
        red = board.turn == RED
        # When somebody passes, no position of the rules follows.
        played = list(takewhile(bool, islice(moves, self.plies)))
        for move, (own, mirror) in zip(played, obk_keys().along(board, played), strict=False):
            origin, end = move.from_square, move.to_square
            outcome = 1 << _FIELD * (1 - points[not red])
            if own <= mirror:
                self._count(own, origin, end, outcome)
            if mirror <= own:
                self._count(mirror, MIRROR[origin], MIRROR[end], outcome)
            red = not red
        self.games += 1

    def _count(self, key: int, origin: int, end: int, outcome: int) -> None:
        code = key << 14 | origin << 7 | end
        self._counts[code] = self._counts.get(code, 0) + outcome

    def table(self, *, min_games: int = MIN_GAMES) -> BookTable:
        """The moves that at least `min_games` games have; the weight is twice the points that they won."""
        table = BookTable()
        mask = (1 << _FIELD) - 1
        for code, counts in self._counts.items():
            wins, draws, losses = counts & mask, counts >> _FIELD & mask, counts >> 2 * _FIELD
            if wins + draws + losses >= min_games:
                move = Move(code >> 7 & 127, code & 127)
                table.add(code >> 14, Entry(move, 2 * wins + draws, wins, draws, losses))
        return table


# The engine's opinion


class Question(NamedTuple):
    """A position that the engine is asked about."""

    key: int  #: of the position or its mirror image, the smaller
    fen: str


def questions(table: BookTable) -> list[Question]:
    """The positions of a book and those at its end, each once, in a fixed order."""
    keys = obk_keys()
    found: dict[int, Question] = {}
    for _, board, entries in walk(table):
        for entry in (None, *entries):
            later = board.copy()
            if entry is not None:
                later.push(entry.move)
            key = min(keys.of(later))
            if key not in found:
                found[key] = Question(key, later.fen())
    return list(found.values())


def answer(searcher: Searcher, fen: str, nodes: int) -> int:
    """The score of the position in centipawns for the side to move, by a search of its own."""
    board = BaseBoard(fen)
    if not board.legal_moves:
        return -MATE
    searcher.clear()
    return searcher.search(board, nodes=nodes)[0].score


def verify(table: BookTable, scores: Mapping[int, int], *, margin: int = MARGIN) -> int:
    """Give each move the score of the position that it leads to, and those that lose the weight 0.

    scores: the `answer` to each of `questions`, by its key. A move loses that is margin centipawns or more
    below the best that is known of its position: what the position itself was found to be worth, or the best
    book move. The weights of the others shrink in proportion to what they lose, to nothing at the margin.
    The moves that lose stay in the book, so that their answers do. The number of moves that lose.
    """
    keys = obk_keys()
    lost = 0
    for _, board, entries in list(walk(table)):
        own, mirror = keys.of(board)
        found = []
        for entry in entries:
            board.push(entry.move)
            found.append(-scores[min(keys.of(board))])
            board.pop()
        best = max(scores[min(own, mirror)], *found)
        for entry, score in zip(entries, found, strict=True):
            kept = max(0, margin - (best - score))
            lost += not kept
            scored = entry._replace(score=score, weight=-(-entry.weight * kept // margin))
            if entry.move in table.entries.get(own, {}):
                table.entries[own][entry.move] = scored
            else:
                table.entries[mirror][mirror_move(entry.move)] = scored.mirrored()
    return lost


def ask(
    found: list[Question], nodes: int, *, threads: int = 1, hash_mib: int = 4
) -> Generator[tuple[Question, int]]:
    """Each question with the engine's answer, as they come, with a limited number of searches at a time.

    Each search starts afresh, so that the answers do not depend on threads or order. Closing the generator
    stops the searches.
    """
    searchers = [Searcher(hash_mib=hash_mib) for _ in range(threads)]
    scores = in_threads(
        searchers,
        lambda searcher, question: answer(searcher, question.fen, nodes),
        found,
        stop=Searcher.stop,
    )
    with closing(scores):
        yield from zip(found, scores, strict=True)
