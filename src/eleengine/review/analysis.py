"""Review a game with an engine of its own: each position of the main line is searched in turn."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection
from typing import Any

from ..board import Board
from ..book import Book
from ..engines import Engine, Limit
from ..jobs.identity import engine_identity
from ..jobs.journal import Journal
from ..pieces import COLORS, Color
from ..records import Game
from ..tables.folder import result_of
from .judging import is_book_move
from .position import PositionEval
from .result import Review, build_review


class ReviewJournal(Journal):
    """Saves the evaluations of a review, so that the same call resumes it after an interruption.

    ValueError if the file is the journal of another game, limit or engine.
    """

    work = "review"

    def __init__(self, path: str | os.PathLike[str], game: Game, limit: Limit, engine: Engine) -> None:
        self.found: dict[int, PositionEval] = {}
        moves = " ".join(move.iccs() for move in game.mainline_moves())
        plan = {
            "format": "eleengine review 3",
            "game": hashlib.sha256(f"{game.start} {moves}".encode()).hexdigest(),
            "limit": repr(limit),
            "rules": engine.rule_set,
            "engine": engine_identity(engine.context),
            **({"tables": sorted(engine.tables)} if engine.tables is not None else {}),
        }
        super().__init__(path, plan)

    def _take(self, found: dict[str, Any]) -> None:
        self.found[int(found["ply"])] = PositionEval.from_dict(found)

    def add(self, ply: int, found: PositionEval) -> None:
        """Keep the evaluation of the position after a number of plies."""
        self.found[ply] = found
        self._write({"ply": ply, **found.to_dict()})


def review_game(
    game: Game,
    engine: Engine,
    limit: Limit,
    *,
    sides: Collection[Color] = COLORS,
    book: Book | None = None,
    journal: ReviewJournal | None = None,
    report: Callable[[int, int], object] | None = None,
) -> Review:
    """Search every position of a game's main line and judge its moves.

    limit: of each search. sides: whose moves are judged. book: its moves are not judged while the game
        follows it, unless it takes one for an inaccuracy itself. journal: positions in it are not searched
        again. report: called after each position with the number done and the number of all. The engine's
        endgame tables say what a move did to an ending.
    ValueError if the game has no moves or one of them is not legal, or the limit has no end.
    """
    if not game.children:
        raise ValueError("a game without moves cannot be reviewed")
    nodes = [game, *game.mainline()]
    found: list[PositionEval] = []
    endings: list[int | None] = []
    in_book = 0
    board = Board(game.start)
    token = object()  # one game for the engine: it keeps what it has learnt
    for ply, node in enumerate(nodes):
        if node.move is not None:
            if book is not None and in_book == ply - 1:
                in_book += is_book_move(book, board, node.move)
            board.push(node.move)
        found.append(_evaluate(board, ply, engine, limit, token, journal))
        endings.append(result_of(engine.tables.probe(board)) if engine.tables is not None else None)
        if report is not None:
            report(ply + 1, len(nodes))
    return build_review(game, found, sides, in_book, engine.rule_set, endings)


def _evaluate(
    board: Board, ply: int, engine: Engine, limit: Limit, token: object, journal: ReviewJournal | None
) -> PositionEval:
    """The evaluation of a position: from the journal, the rules or a search."""
    if journal is not None and ply in journal.found:
        return journal.found[ply]
    if verdict := board.repetition(engine.rule_set):
        found = PositionEval.from_verdict(verdict)
    else:
        found = PositionEval.from_info(engine.analyse(board, limit, game=token))
    if journal is not None:
        journal.add(ply, found)
    return found
