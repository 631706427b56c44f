"""How one move is judged: book moves, the winning chances that it lost, and the mark for that."""

from __future__ import annotations

from typing import Final, NamedTuple

from .._core import Move
from ..board import Board
from ..book import Book
from ..marks import GIVEN
from ..pieces import Color
from ..rules import Verdict
from ..score import Cp, PovScore, Score
from .chances import points_lost, winning_chances
from .position import PositionEval

#: The numeric glyph of PGN for each mark (?? ? ?!).
GLYPHS: Final = {mark.name: mark.nag for mark in GIVEN}
#: Marks by the smallest loss of winning chances that gets them.
LOSSES: Final = tuple(
    (loss, mark, GLYPHS[mark]) for loss, mark in ((0.20, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
)
#: The least that a missed mate counts for the accuracy.
MISSED_MATE: Final = 0.10
#: A mate within these moves is missed, too, if a mate stays that is not nearer.
SHORT: Final = 3
#: Plies of the better line and of the refutation that a review keeps.
LINE: Final = 8


class MoveReview(NamedTuple):
    """A move and what it cost.

    ply: from 1. side: who moved. before, after: the score of the position before and after it.
    better: the line that the engine would have played; empty if the move was its choice.
    refutation: the best answers to the move. loss: of winning chances, 0 to 1.
    mark: "blunder", "mistake", "inaccuracy", "missed_mate" or None. mate: moves to the mate that was missed.
    in_book: is it a move of the opening book? verdict: what the rules say after it, if anything.
    ending: the results before and after the move by endgame tables, 1, 0 or -1 for the side that moved.
    lost: what counts for the accuracy, 0 to 1: the loss, material in a decided position, or a missed mate.
    """

    ply: int
    side: Color
    move: Move
    before: PovScore
    after: PovScore
    depth: int
    better: tuple[Move, ...]
    refutation: tuple[Move, ...]
    loss: float
    mark: str | None
    mate: int | None
    in_book: bool
    verdict: Verdict | None
    ending: tuple[int, int] | None = None
    lost: float = 0.0


def chances_lost(before: PovScore, after: PovScore, side: Color) -> float:
    """Return the winning chances that a move of a side lost, 0 to 1."""
    return max(0.0, winning_chances(before.pov(side)) - winning_chances(after.pov(side)))


def mark_of_loss(loss: float) -> str | None:
    """Return the mark for a loss of winning chances: "blunder", "mistake", "inaccuracy" or None.

    >>> mark_of_loss(0.12), mark_of_loss(0.01)
    ('mistake', None)
    """
    return next((mark for threshold, mark, _ in LOSSES if loss >= threshold), None)


def is_book_move(book: Book, board: Board, move: Move) -> bool:
    """Return whether a book has a move and does not take it for an inaccuracy.

    The book's own scores decide; a move without a score counts if its weight is above 0.
    """
    entries = {entry.move: entry for entry in book.find_all(board)}
    entry = entries.get(move)
    if entry is None or entry.score is None:
        return entry is not None and entry.weight > 0
    best = max(other.score for other in entries.values() if other.score is not None)
    return mark_of_loss(winning_chances(Cp(best)) - winning_chances(Cp(entry.score))) is None


def judge_move(
    ply: int,
    side: Color,
    move: Move,
    before: PositionEval,
    after: PositionEval,
    *,
    is_judged: bool = True,
    in_book: bool = False,
    verdict: Verdict | None = None,
    ending: tuple[int, int] | None = None,
) -> MoveReview:
    """Judge a move by the evaluations of the positions before and after it.

    is_judged: False for a side whose moves get no marks. verdict: of the rules after the move.
    ending: as in `MoveReview`.
    """
    loss, lost, mark, mate = 0.0, 0.0, None, None
    is_best = before.line[:1] == (move,)
    if is_judged and not in_book and not is_best and before.line:
        loss = chances_lost(before.score, after.score, side)
        lost = points_lost(before.score, after.score, side)
        mark = mark_of_loss(loss)
        mate = _missed_mate(before.score.pov(side), after.score.pov(side))
        if mate is not None:
            mark = mark if mark in ("blunder", "mistake") else "missed_mate"
            lost = max(lost, MISSED_MATE)
    return MoveReview(
        ply, side, move, before.score, after.score, after.depth,
        () if is_best else before.line[:LINE], after.line[:LINE], loss, mark, mate, in_book,
        verdict or None, ending, lost,
    )  # fmt: skip


def _missed_mate(had: Score, has: Score) -> int | None:
    """Moves to the mate that a side had and let go; a SHORT one also if it is no nearer than before."""
    moves = had.mate() if had.is_mate() and had > Cp(0) else None
    if moves is None:
        return None
    left = has.mate() if has.is_mate() and has > Cp(0) else None
    return moves if left is None or (moves <= SHORT and left >= moves) else None
