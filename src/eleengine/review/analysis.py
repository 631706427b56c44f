"""The engine's part of a review: each position of the main line searched, one after the other."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from .._core import Move
from ..board import Board
from ..book import Book
from ..engines import Engine, Limit
from ..lab.jobs.identity import engine_identity
from ..lab.jobs.journal import Journal as LinesOfWork
from ..pieces import COLORS, RED, Color
from ..records import Game
from ..score import Cp, Mate, MateGiven, PovScore
from .chances import winning_chances
from .result import LOSSES, Review, judged


class Seen(NamedTuple):
    """What the engine found in a position.

    score: from either side's point of view. line: the best moves; empty where the game is over.
    depth: in plies.
    """

    score: PovScore
    line: tuple[Move, ...]
    depth: int

    def to_data(self) -> dict[str, Any]:
        """As data for JSON, the score for Red."""
        score = self.score.red()
        told: object = "given" if score == MateGiven else score.mate()
        return {
            "cp": score.score(),
            "mate": told,
            "line": [move.iccs() for move in self.line],
            "depth": self.depth,
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Seen:
        """What `to_data` gave; KeyError, TypeError or ValueError for anything else."""
        mate = data["mate"]
        score = Cp(int(data["cp"])) if mate is None else MateGiven if mate == "given" else Mate(int(mate))
        line = tuple(map(Move.from_iccs, data["line"]))
        return cls(PovScore(score, RED), line, int(data["depth"]))


class Journal(LinesOfWork):
    """Keeps what was found, so that an interrupted review goes on where it was.

    ValueError if the file is the journal of another game, limit or engine.
    """

    work = "review"

    def __init__(self, path: str | os.PathLike[str], game: Game, limit: Limit, engine: Engine) -> None:
        self.found: dict[int, Seen] = {}
        moves = " ".join(move.iccs() for move in game.mainline_moves())
        plan = {
            "format": "eleengine review 3",
            "game": hashlib.sha256(f"{game.start} {moves}".encode()).hexdigest(),
            "limit": repr(limit),
            "rules": engine.rule_set,
            "engine": engine_identity(engine.context),
        }
        super().__init__(path, plan)

    def _take(self, found: dict[str, Any]) -> None:
        self.found[int(found["ply"])] = Seen.from_data(found)

    def add(self, ply: int, seen: Seen) -> None:
        """Keep what was found after so many plies."""
        self.found[ply] = seen
        self._write({"ply": ply, **seen.to_data()})


def review_game(
    game: Game,
    engine: Engine,
    limit: Limit,
    *,
    sides: Collection[Color] = COLORS,
    book: Book | None = None,
    journal: Journal | None = None,
    report: Callable[[int, int], object] | None = None,
) -> Review:
    """Search every position of a game's main line and judge its moves.

    limit: of each search. sides: whose moves are judged. book: moves of it are not judged, but for those
        that it takes for inaccuracies. journal: what it has is not searched again.
    report: called with the positions done, and their number.
    ValueError if the game has no moves or one of them is not legal, or the limit has no end.
    """
    if not game.children:
        raise ValueError("a game without moves cannot be reviewed")
    nodes = [game, *game.mainline()]
    found: list[Seen] = []
    in_book = 0
    board = Board(game.start)
    token = object()  # one game for the engine: it keeps what it has learnt
    for ply, node in enumerate(nodes):
        if node.move is not None:
            if book is not None and in_book == ply - 1:
                in_book += _is_book_move(book, board, node.move)
            board.push(node.move)
        found.append(_look(board, ply, engine, limit, token, journal))
        if report is not None:
            report(ply + 1, len(nodes))
    return judged(game, found, sides, in_book, engine.rule_set)


def _is_book_move(book: Book, board: Board, move: Move) -> bool:
    """Does the book know the move, and does it not think it an inaccuracy? Without scores weights tell."""
    entries = {entry.move: entry for entry in book.find_all(board)}
    entry = entries.get(move)
    if entry is None or entry.score is None:
        return entry is not None and entry.weight > 0
    best = max(other.score for other in entries.values() if other.score is not None)
    return winning_chances(Cp(best)) - winning_chances(Cp(entry.score)) < LOSSES[-1][0]


def _look(
    board: Board, ply: int, engine: Engine, limit: Limit, token: object, journal: Journal | None
) -> Seen:
    """What is to be said of a position."""
    if journal is not None and ply in journal.found:
        return journal.found[ply]
    verdict = board.repetition(engine.rule_set)
    if verdict:
        winner = verdict.winner
        score = PovScore(Cp(0), RED) if winner is None else PovScore(MateGiven, winner)
        seen = Seen(score, (), 0)
    else:
        info = engine.analyse(board, limit, game=token)
        seen = Seen(info.get("score", PovScore(Cp(0), RED)), tuple(info.get("pv", ())), info.get("depth", 0))
    if journal is not None:
        journal.add(ply, seen)
    return seen
