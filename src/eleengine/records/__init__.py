"""Game records: games with variations and comments, and the files that players keep them in.

>>> from eleengine.records import Game
>>> game = Game()
>>> node = game.play("炮二平五").play("马8进7", comment="the usual answer")
>>> node.parent.play("炮8平5", comment="against the threat at the centre").move
Move.from_iccs('h7e7')
>>> [str(move) for move in game.mainline_moves()]
['h2e2', 'h9g7']
>>> data = encode_game(game, "xqf")
>>> read_game(data).children[0].children[1].comment
'against the threat at the centre'
"""

from ..svg import Arrow
from .entry import Entry
from .errors import RecordError
from .formats import (
    FORMATS,
    Format,
    Options,
    encode_game,
    read_game,
    read_games,
    scan_games,
    write_games,
)
from .tree import RESULTS, Eval, Game, GameNode

__all__ = [
    "FORMATS",
    "RESULTS",
    "Arrow",
    "Entry",
    "Eval",
    "Format",
    "Game",
    "GameNode",
    "Options",
    "RecordError",
    "encode_game",
    "read_game",
    "read_games",
    "scan_games",
    "write_games",
]
