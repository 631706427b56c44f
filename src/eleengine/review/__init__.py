"""A game reviewed: what each move cost, what was better, and how well each side played.

>>> from eleengine import Engine, Limit
>>> from eleengine.records import Game
>>> from eleengine.review import review_game
>>> game = Game(headers={"Red": "Hu", "Black": "Xu"})
>>> last = game.play_line(["炮二平五", "马8进7", "炮五进四", "马7进5", "马二进三"])
>>> with Engine() as engine:
...     review = review_game(game, engine, Limit(nodes=3000))
>>> len(review.moves), review.moves[0].side, 0 <= review.accuracy[True] <= 100
(5, True, True)
>>> review.annotated().plies()
5
"""

from .analysis import Evaluations, ReviewJournal, evaluate_game, evaluate_move, review_game
from .chances import winning_chances
from .judging import GLYPHS, LINE, LOSSES, MoveReview, chances_lost, is_book_move, judge_move, mark_of_loss
from .page import game_page
from .position import PositionEval, verdict_score
from .result import Review, build_review

__all__ = [
    "GLYPHS",
    "LINE",
    "LOSSES",
    "Evaluations",
    "MoveReview",
    "PositionEval",
    "Review",
    "ReviewJournal",
    "build_review",
    "chances_lost",
    "evaluate_game",
    "evaluate_move",
    "game_page",
    "is_book_move",
    "judge_move",
    "mark_of_loss",
    "review_game",
    "verdict_score",
    "winning_chances",
]  # fmt: skip
