"""Game records: a game with its variations and comments, whatever file it comes from.

>>> from eleengine.records import Game
>>> game = Game()
>>> node = game.play("炮二平五").play("马8进7", comment="the usual answer")
>>> node.parent.play("炮8平5", comment="against the threat at the centre").move
Move.from_iccs('h7e7')
>>> [str(move) for move in game.mainline_moves()]
['h2e2', 'h9g7']
>>> node.board().fen()
'rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2'
"""

from ..svg import Arrow
from .errors import RecordError
from .tree import RESULTS, Eval, Game, GameNode

__all__ = ["RESULTS", "Arrow", "Eval", "Game", "GameNode", "RecordError"]
