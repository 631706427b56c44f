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

from .analysis import Journal, Seen, review_game
from .chances import winning_chances
from .result import LOSSES, MoveReview, Review

__all__ = ["LOSSES", "Journal", "MoveReview", "Review", "Seen", "review_game", "winning_chances"]
