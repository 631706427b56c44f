"""What a review says: losses, marks, better lines, accuracy; and the game annotated with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .. import notation
from .._core import BaseBoard, Move
from ..board import Board
from ..pieces import BLACK, COLOR_NAMES, RED, Color
from ..records import Eval, Game, GameNode
from ..score import Cp, PovScore
from .chances import winning_chances

if TYPE_CHECKING:
    from .analysis import Seen

#: Marks by the least loss of winning chances: name and glyph of PGN (??, ?, ?!).
LOSSES: Final = ((0.20, "blunder", 4), (0.10, "mistake", 2), (0.05, "inaccuracy", 6))
LINE: Final = 8  # plies of lines that are shown

_GLYPHS: Final = {"blunder": 4, "mistake": 2, "inaccuracy": 6, "missed_mate": 2}
_WORDS: Final = {
    "zh": {"blunder": "漏着", "mistake": "失着", "inaccuracy": "缓着", "missed_mate": "错失杀着"},
    "en": {
        "blunder": "Blunder", "mistake": "Mistake", "inaccuracy": "Inaccuracy", "missed_mate": "Missed mate",
    },
}  # fmt: skip


class MoveReview(NamedTuple):
    """A move and what it cost.

    ply: from 1. side: who moved. before, after: the score of the position before and after it.
    better: the line that the engine would have played; empty if the move was its choice.
    refutation: the best answers to the move. loss: of winning chances, 0 to 1.
    mark: "blunder", "mistake", "inaccuracy", "missed_mate" or None. mate: moves to the mate that was missed.
    in_book: is it a move of the opening book? verdict: what the rules say after it, if anything.
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
    verdict: str | None


class Review(NamedTuple):
    """A reviewed game.

    moves: of the main line, each side's. judged: the sides whose moves were judged.
    accuracy: by side, 100 less the mean loss of winning chances in per cent; None without moves to judge.
    book_plies: moves from the start that are in the opening book. end: the verdict of the rules at the end.
    """

    game: Game
    moves: tuple[MoveReview, ...]
    judged: frozenset[Color]
    accuracy: dict[Color, float | None]
    book_plies: int
    end: str | None

    def marked(self, side: Color, mark: str) -> int:
        """How many moves of a side have a mark."""
        return sum(move.side == side and move.mark == mark for move in self.moves)

    def annotated(self, *, language: str = "en") -> Game:
        """A copy of the game with scores, glyphs, comments and lines; language: "en" or "zh"."""
        game = Game(self.game.start, headers=self.game.headers)
        game.merge(self.game)
        game.headers["Annotator"] = "eleengine"
        for side in (RED, BLACK):
            if (accuracy := self.accuracy[side]) is not None:
                game.headers[f"{COLOR_NAMES[side].title()}Accuracy"] = f"{accuracy:.1f}"
        node: GameNode = game
        for found in self.moves:
            parent, node = node, node.children[0]
            node.eval = Eval(found.after, found.depth or None)
            if found.mark is not None:
                node.nags = (*(nag for nag in node.nags if nag not in (2, 4, 6)), _GLYPHS[found.mark])
            if text := self.comment(found, language):
                node.comment = f"{text}\n{node.comment}" if node.comment else text
            if found.mark is not None:
                _add_line(parent, found.better)
                _add_line(node, found.refutation)
        return game

    def comment(self, found: MoveReview, language: str = "en") -> str:
        """What is said of a move, in words; empty if there is nothing to say."""
        parts = []
        chinese = language == "zh"
        if found.in_book and found.ply == self.book_plies:
            parts.append("开局库至此" if chinese else "The opening book ends here.")
        if found.mark is not None:
            board = self.board(found.ply - 1)
            move = found.better[0]
            better = notation.chinese(board, move) if chinese else notation.wxf(board, move)
            word, loss = _WORDS[language][found.mark], round(100 * found.loss)
            if found.mate is not None:
                mate = f"（{found.mate} 步杀）" if chinese else f" (mate in {found.mate})"
            else:
                mate = f"，胜率损失 {loss}%" if chinese else f", {loss}% of the winning chances lost"
            parts.append(f"{word}{mate}，应走{better}。" if chinese else f"{word}{mate}; better {better}.")
            if found.ply == len(self.moves) and found.refutation:
                line = self.board(found.ply)
                write = line.variation_chinese if chinese else line.variation_wxf
                parts.append(f"{'后续' if chinese else 'Then'} {write(found.refutation)}")
        if found.verdict is not None:
            parts.append(found.verdict)
        return " ".join(parts)

    def board(self, ply: int) -> Board:
        """The position of the main line after so many plies."""
        board = Board(self.game.start)
        for found in self.moves[:ply]:
            board.push(found.move)
        return board

    def to_data(self) -> dict[str, Any]:
        """The review as data for JSON: scores and winning chances are Red's."""
        moves = []
        board = Board(self.game.start)
        first = self.moves[0].before
        for found in self.moves:
            moves.append(
                {
                    "ply": found.ply,
                    "side": COLOR_NAMES[found.side],
                    **_names(board, found.move),
                    "score": _score_data(found.after),
                    "chances": round(winning_chances(found.after.red()), 4),
                    "depth": found.depth,
                    "loss": round(found.loss, 4),
                    "mark": found.mark,
                    "missed_mate": found.mate,
                    "better": _line_data(board, found.better),
                    "book": found.in_book,
                    "verdict": found.verdict,
                    "comment": {language: self.comment(found, language) for language in ("zh", "en")},
                }
            )
            board.push(found.move)
            moves[-1]["fen"] = board.fen()
            moves[-1]["refutation"] = _line_data(board, found.refutation)
        return {
            "headers": dict(self.game.headers),
            "fen": self.game.start,
            "score": _score_data(first),
            "chances": round(winning_chances(first.red()), 4),
            "moves": moves,
            "accuracy": {COLOR_NAMES[side]: self.accuracy[side] for side in (RED, BLACK)},
            "marks": {
                COLOR_NAMES[side]: {mark: self.marked(side, mark) for mark in _GLYPHS}
                for side in (RED, BLACK)
            },
            "book_plies": self.book_plies,
            "end": self.end,
        }

    def html(self, *, language: str = "zh") -> str:
        """The review as one HTML page that needs nothing else; language: what it begins in, "zh" or "en"."""
        from .page import page

        return page(self, language)


def judged(
    game: Game, seen: Sequence[Seen], sides: Collection[Color], book_plies: int, rule_set: str
) -> Review:
    """The review of a game, of which each position of the main line was looked at."""
    board = Board(game.start)
    moves = []
    for ply, move in enumerate(game.mainline_moves(), 1):
        side, before, after = board.turn, seen[ply - 1], seen[ply]
        board.push(move)
        verdict = board.repetition(rule_set)
        told = f"{verdict.reason.replace('_', ' ')}: {verdict.explanation}" if verdict else None
        loss, mark, mate = 0.0, None, None
        in_book = ply <= book_plies
        own = before.line[:1] == (move,)
        if side in sides and not in_book and not own and before.line:
            had, has = before.score.pov(side), after.score.pov(side)
            loss = max(0.0, winning_chances(had) - winning_chances(has))
            mark = next((name for least, name, _ in LOSSES if loss >= least), None)
            if had.is_mate() and had > Cp(0) and not (has.is_mate() and has > Cp(0)):
                mate = had.mate()
                mark = mark if mark in ("blunder", "mistake") else "missed_mate"
        moves.append(
            MoveReview(
                ply, side, move, before.score, after.score, after.depth,
                () if own else before.line[:LINE], after.line[:LINE], loss, mark, mate, in_book, told,
            )
        )  # fmt: skip
    accuracy: dict[Color, float | None] = {}
    for side in (RED, BLACK):
        losses = [one.loss for one in moves if one.side == side and side in sides and not one.in_book]
        accuracy[side] = round(100 * (1 - sum(losses) / len(losses)), 1) if losses else None
    return Review(game, tuple(moves), frozenset(sides), accuracy, book_plies, moves[-1].verdict)


def _add_line(node: GameNode, moves: Sequence[Move]) -> None:
    """Add a line as a variation, from where it leaves what is there; the game itself gets no longer."""
    board = node.board()
    leaves = False
    for move in moves:
        if not move or not board.is_legal(move):
            return
        child = node.child(move)
        if child is None:
            if not node.children and not leaves:
                return
            child = node.add(move)
            leaves = True
        board.push(move)
        node = child


def _names(board: BaseBoard, move: Move) -> dict[str, str]:
    return {"move": move.iccs(), "zh": notation.chinese(board, move), "en": notation.wxf(board, move)}


def _line_data(board: BaseBoard, moves: Sequence[Move]) -> list[dict[str, str]]:
    """The moves of a line with the positions after them."""
    board = BaseBoard.copy(board, stack=False)
    line = []
    for move in moves:
        if not move or not board.is_legal(move):
            break
        names = _names(board, move)
        board.push(move)
        line.append({**names, "fen": board.fen()})
    return line


def _score_data(score: PovScore) -> dict[str, int | None]:
    red = score.red()
    return {"mate": red.mate()} if red.is_mate() else {"cp": red.score()}
