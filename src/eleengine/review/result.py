"""What a review says: losses, marks, better lines, accuracy; and the game annotated with it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from .._core import BaseBoard, Move, check_color
from .._internal.traditional import by_language
from ..board import Board
from ..marks import BY_NAME, SIGNS
from ..motifs import Explanation, explain
from ..pieces import BLACK, COLOR_NAMES, COLORS, RED, Color
from ..records import Eval, Game, GameNode
from ..records.tree import as_game
from ..rules import Verdict
from ..score import score_data
from ..tables.words import describe_change
from .accuracy import side_accuracy
from .chances import winning_chances
from .judging import GLYPHS, MoveReview, judge_move
from .page import LANGUAGES, line_text, move_names, opening_data, page, played
from .position import PositionEval

_WORDS: Final = by_language(
    {
        "mate": " (mate in {})", "loss": ", {}% of the winning chances lost", "better": "{}; better {}.",
        "then": "Then {}", "book": "The opening book ends here.",
    },
    {
        "mate": "（{} 步杀）", "loss": "，胜率损失 {}%", "better": "{}，应走{}。", "then": "后续 {}",
        "book": "开局库至此",
    },
)  # fmt: skip


class Review(NamedTuple):
    """A reviewed game.

    moves: of the main line, each side's. judged: the sides whose moves were judged.
    accuracy: by side, 0 to 100, see `eleengine.review.accuracy`; None without moves to judge.
    book_plies: moves from the start that are in the opening book. end: the verdict of the rules at the end.
    """

    game: Game
    moves: tuple[MoveReview, ...]
    judged: frozenset[Color]
    accuracy: dict[Color, float | None]
    book_plies: int
    end: Verdict | None

    def marked(self, side: Color, mark: str) -> int:
        """How many moves of a side have a mark."""
        side = check_color(side)
        return sum(move.side == side and move.mark == mark for move in self.moves)

    def annotated(self, *, language: str = "en") -> Game:
        """A copy of the game with scores, glyphs, comments and lines.

        language: of the comments, "en", "zh" or "zh-Hant".
        """
        game = Game(self.game.start, headers=self.game.headers)
        game.merge(self.game)
        annotators = game.headers.get("Annotator", "")
        if "eleengine" not in annotators:
            game.headers["Annotator"] = f"{annotators}; eleengine" if annotators else "eleengine"
        for side in (RED, BLACK):
            if (accuracy := self.accuracy[side]) is not None:
                game.headers[f"{COLOR_NAMES[side].title()}Accuracy"] = f"{accuracy:.1f}"
        node: GameNode = game
        for found in self.moves:
            parent, child = node, node.child(found.move)
            if child is None:  # deleted since the review
                break
            node = child
            node.eval = Eval(found.after, found.depth or None)
            if found.mark is not None and not any(nag in SIGNS for nag in node.nags):
                node.nags.add(GLYPHS[found.mark])  # one that a person has given stays alone
            if text := self.comment(found, language):
                node.comment = f"{text}\n{node.comment}" if node.comment else text
            if found.mark is not None:
                _add_line(parent, found.better)
                _add_line(node, found.refutation)
        return game

    def comment(self, found: MoveReview, language: str = "en") -> str:
        """What is said of a move, in words; empty if there is nothing to say.

        language: "en", "zh" or "zh-Hant".
        """
        parts = []
        words = _WORDS[language]
        if found.in_book and found.ply == self.book_plies:
            parts.append(words["book"])
        if found.mark is not None:
            board = self.board(found.ply - 1)
            better = move_names(board, found.better[0])[language]
            if found.mate is not None:
                cost = words["mate"].format(found.mate)
            else:
                cost = words["loss"].format(round(100 * found.loss))
            name = BY_NAME[found.mark].words[language].capitalize()
            parts.append(words["better"].format(name + cost, better))
            if why := self.explanation(found):
                parts.append(why.sentence(language))
            if change := describe_change(found.ending, board, self.board(found.ply), language):
                parts.append(change)
            if found.ply == len(self.moves) and found.refutation:
                line = line_text(self.board(found.ply), found.refutation, language)
                parts.append(words["then"].format(line))
        if found.verdict is not None:
            parts.append(found.verdict.text(language))
        return " ".join(parts)

    def explanation(self, found: MoveReview) -> Explanation | None:
        """Why a marked move was a mistake: what it allows or lets go; None if that has no words."""
        if found.mark is None:
            return None
        return explain(self.board(found.ply - 1), found.move, found.refutation, found.better)

    def board(self, ply: int) -> Board:
        """Return the position of the main line after `ply` plies."""
        board = Board(self.game.start)
        for found in self.moves[:ply]:
            board.push(found.move)
        return board

    def to_dict(self) -> dict[str, Any]:
        """Return the review as data for JSON: scores and winning chances are Red's."""
        moves = []
        board = Board(self.game.start)
        first = self.moves[0].before
        for found in self.moves:
            better = _line_data(board, found.better)
            moves.append(
                {
                    "ply": found.ply,
                    "side": COLOR_NAMES[found.side],
                    **played(board, found.move),
                    "score": score_data(found.after.red(), given=0),
                    "chances": round(winning_chances(found.after.red()), 4),
                    "depth": found.depth,
                    "loss": round(found.loss, 4),
                    "mark": found.mark,
                    "missed_mate": found.mate,
                    "better": better,
                    "refutation": _line_data(board, found.refutation),
                    "book": found.in_book,
                    "verdict": found.verdict.text() if found.verdict else None,
                    "ending": found.ending,
                    "comment": {language: self.comment(found, language) for language in LANGUAGES},
                }
            )
        return {
            "headers": dict(self.game.headers),
            "fen": self.game.start,
            "opening": opening_data(self.game),
            "score": score_data(first.red(), given=0),
            "chances": round(winning_chances(first.red()), 4),
            "moves": moves,
            "accuracy": {COLOR_NAMES[side]: self.accuracy[side] for side in (RED, BLACK)},
            "marks": {
                COLOR_NAMES[side]: {mark: self.marked(side, mark) for mark in GLYPHS} for side in (RED, BLACK)
            },
            "book_plies": self.book_plies,
            "end": self.end.text() if self.end else None,
        }

    def html(self, *, language: str = "zh") -> str:
        """Return the review as one HTML page that loads nothing else.

        language: what the page begins in, "zh", "zh-Hant" or "en"; ValueError otherwise.
        """
        return page(self.to_dict(), language)


def build_review(
    game: Game,
    evals: Sequence[PositionEval],
    sides: Collection[Color] = COLORS,
    book_plies: int = 0,
    rule_set: str = "axf",
    endings: Sequence[int | None] = (),
) -> Review:
    """Build the review of a game from the evaluations of all positions of its main line.

    evals: of the start and of the position after each move. sides: whose moves are judged.
    book_plies: moves from the start that are not judged. rule_set: of repetition.
    endings: results of all positions by endgame tables for the side to move, None where there is no table.
    """
    sides = frozenset(map(check_color, sides))
    board = Board(as_game(game).start)
    moves = []
    for ply, move in enumerate(game.mainline_moves(), 1):
        side = board.turn
        board.push(move)
        moves.append(
            judge_move(
                ply, side, move, evals[ply - 1], evals[ply],
                is_judged=side in sides, in_book=ply <= book_plies, verdict=board.repetition(rule_set),
                ending=ending_of(endings[ply - 1 : ply + 1]),
            )
        )  # fmt: skip
    accuracy: dict[Color, float | None] = {}
    for side in (RED, BLACK):
        found = side_accuracy(moves, side) if side in sides else None
        accuracy[side] = None if found is None else round(found, 1)
    return Review(game, tuple(moves), sides, accuracy, book_plies, moves[-1].verdict)


def ending_of(results: Sequence[int | None]) -> tuple[int, int] | None:
    """The results before and after a move for the side that made it, if both are known."""
    if len(results) < 2 or results[0] is None or results[1] is None:
        return None
    return results[0], -results[1]


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


def _line_data(board: BaseBoard, moves: Sequence[Move]) -> list[dict[str, str]]:
    """The moves of a line with the positions after them."""
    board = BaseBoard.copy(board, stack=False)
    line = []
    for move in moves:
        if not move or not board.is_legal(move):
            break
        line.append(played(board, move))
    return line
