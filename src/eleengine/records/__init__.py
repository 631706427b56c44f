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
from . import nags
from .annotations import Eval
from .entry import RecordEntry
from .errors import RecordError
from .formats import FORMATS, Format, WriteOptions, read_game, read_games, read_headers, scan_games, skip_game
from .nags import *  # noqa: F403
from .time_control import TimeControl, TimeControlPart, TimeControlType, parse_time_control
from .tree import Game, GameNode, Mainline
from .words import RESULTS
from .writing import encode_game, write_games

__all__ = [
    "FORMATS",
    "RESULTS",
    "Arrow",
    "Eval",
    "Format",
    "Game",
    "GameNode",
    "Mainline",
    "RecordEntry",
    "RecordError",
    "TimeControl",
    "TimeControlPart",
    "TimeControlType",
    "WriteOptions",
    "encode_game",
    "parse_time_control",
    "read_game",
    "read_games",
    "read_headers",
    "scan_games",
    "skip_game",
    "write_games",
]
__all__ += nags.__all__
