"""Evaluate a game position by position, for whoever searches: an engine of its own, or those of the board."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Self, TypeVar, cast

from .._core import Move, check_color
from ..board import Board
from ..book import Book
from ..engines import AnyEngine, Engine, InfoDict, Limit
from ..jobs.identity import engine_identity
from ..jobs.journal import Journal
from ..pieces import COLORS, Color
from ..records import Game
from ..records.tree import as_game
from .judging import MoveReview, is_book_move, judge_move
from .position import PositionEval
from .result import Review, build_review, ending_of

T = TypeVar("T")
Search = Callable[[Board], Awaitable[InfoDict]]
ResultAt = Callable[[Board], int | None]


class ReviewJournal(Journal):
    """Saves the evaluations of a review, so that the same call resumes it after an interruption.

    ValueError if the file is the journal of another game, limit or engine.
    """

    work = "review"

    def __init__(self, path: str | os.PathLike[str], game: Game, limit: Limit, engine: Engine) -> None:
        self.found: dict[int, PositionEval] = {}
        moves = " ".join(move.iccs() for move in as_game(game).mainline_moves())
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


class Evaluations(NamedTuple):
    """What a review is built from.

    moves: of the main line. evals: of the start and of the position after each move.
    book_plies: moves from the start that are in the opening book.
    results: of all positions by endgame tables for the side to move, None where there is no table.
    """

    moves: list[Move]
    evals: list[PositionEval]
    book_plies: int
    results: list[int | None]

    def to_dict(self) -> dict[str, Any]:
        """Return data for JSON."""
        return {
            "moves": [move.iccs() for move in self.moves],
            "evals": [found.to_dict() for found in self.evals],
            "book_plies": self.book_plies,
            "results": self.results,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Read what `to_dict` returned; KeyError, TypeError or ValueError for anything else."""
        moves = [Move.from_iccs(text) for text in data["moves"]]
        evals = [PositionEval.from_dict(found) for found in data["evals"]]
        results = [found if found in (1, 0, -1) else None for found in data.get("results", ())]
        return cls(moves, evals, int(data["book_plies"]), results)


async def evaluate_game(
    game: Game,
    search: Search,
    *,
    rule_set: str = "axf",
    book: Book | None = None,
    result_at: ResultAt | None = None,
    known: Mapping[int, PositionEval] = MappingProxyType({}),
    report: Callable[[int, PositionEval], object] | None = None,
) -> Evaluations:
    """Evaluate every position of a game's main line, as it is now: by the rules, or by a search.

    search: the info of a finished search of a position. result_at: what endgame tables say of one.
    known: evaluations by plies, which are not asked for again. report: called after each position.
    """
    board = Board(game.start)
    found = Evaluations(list(game.mainline_moves()), [], 0, [])
    book_plies = 0
    for ply, move in enumerate((None, *found.moves)):
        if move is not None:
            if book is not None and book_plies == ply - 1:
                book_plies += is_book_move(book, board, move)
            board.push(move)
        found.evals.append(known[ply] if ply in known else await evaluate(board, search, rule_set))
        found.results.append(result_at(board) if result_at is not None else None)
        if report is not None:
            report(ply, found.evals[-1])
    return found._replace(book_plies=book_plies)


async def evaluate(board: Board, search: Search, rule_set: str = "axf") -> PositionEval:
    """The evaluation of a position: by the rules if a repetition has ended the game, or else by a search."""
    if verdict := board.repetition(rule_set):
        return PositionEval.from_verdict(verdict)
    return PositionEval.from_info(await search(board))


async def evaluate_move(
    board: Board, move: Move, search: Search, *, rule_set: str = "axf", result_at: ResultAt | None = None
) -> MoveReview:
    """Judge one move of a game that has come to a position."""
    after = board.copy()
    after.push(move)
    evals = [await evaluate(each, search, rule_set) for each in (board, after)]
    results = [result_at(each) for each in (board, after)] if result_at is not None else []
    return judge_move(
        board.ply + 1, board.turn, move, *evals,
        verdict=after.repetition(rule_set), ending=ending_of(results),
    )  # fmt: skip


def review_game(
    game: Game,
    engine: AnyEngine,
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
        again. report: called after each position with the number done and the number of all.
    The rules of repetition and the endgame tables, which say what a move did to an ending, are those of an
    `Engine`; with another program they are "axf" and none.
    ValueError if the game has no moves or one of them is not legal, or the limit has no end.
    """
    sides = frozenset(map(check_color, sides))  # before the search, which may take long
    if not as_game(game).children:
        raise ValueError("a game without moves cannot be reviewed")
    token = object()  # one game for the engine: it keeps what it has learnt
    positions = game.plies() + 1
    rule_set, tables = (engine.rule_set, engine.tables) if isinstance(engine, Engine) else ("axf", None)

    async def search(board: Board) -> InfoDict:
        return engine.analyse(board, limit, game=token)

    def note(ply: int, found: PositionEval) -> None:
        if journal is not None and ply not in journal.found:
            journal.add(ply, found)
        if report is not None:
            report(ply + 1, positions)

    found = _finished(
        evaluate_game(
            game,
            search,
            rule_set=rule_set,
            book=book,
            result_at=None if tables is None else tables.probe,
            known=journal.found if journal is not None else {},
            report=note,
        )
    )
    return build_review(game, found.evals, sides, found.book_plies, rule_set, found.results)


def _finished(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as end:
        return cast(T, end.value)
    raise RuntimeError("a search that is asked at once has waited")
