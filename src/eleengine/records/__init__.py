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
from .annotations import Eval
from .entry import RecordEntry
from .errors import RecordError
from .formats import (
    FORMATS,
    Format,
    WriteOptions,
    encode_game,
    read_game,
    read_games,
    read_headers,
    scan_games,
    skip_game,
    write_games,
)
from .nags import (
    NAG_ACTIVE_POSITION,
    NAG_BLACK_DECISIVE_ADVANTAGE,
    NAG_BLACK_DECISIVE_COUNTERPLAY,
    NAG_BLACK_MODERATE_ADVANTAGE,
    NAG_BLACK_MODERATE_COUNTERPLAY,
    NAG_BLACK_MODERATE_TIME_PRESSURE,
    NAG_BLACK_SEVERE_TIME_PRESSURE,
    NAG_BLACK_SLIGHT_ADVANTAGE,
    NAG_BLACK_ZUGZWANG,
    NAG_BLUNDER,
    NAG_BRILLIANT_MOVE,
    NAG_DRAWISH_POSITION,
    NAG_DUBIOUS_MOVE,
    NAG_FORCED_MOVE,
    NAG_GOOD_MOVE,
    NAG_MISTAKE,
    NAG_NOVELTY,
    NAG_NULL,
    NAG_QUIET_POSITION,
    NAG_RED_DECISIVE_ADVANTAGE,
    NAG_RED_DECISIVE_COUNTERPLAY,
    NAG_RED_MODERATE_ADVANTAGE,
    NAG_RED_MODERATE_COUNTERPLAY,
    NAG_RED_MODERATE_TIME_PRESSURE,
    NAG_RED_SEVERE_TIME_PRESSURE,
    NAG_RED_SLIGHT_ADVANTAGE,
    NAG_RED_ZUGZWANG,
    NAG_SINGULAR_MOVE,
    NAG_SPECULATIVE_MOVE,
    NAG_UNCLEAR_POSITION,
    NAG_WORST_MOVE,
)
from .time_control import TimeControl, TimeControlPart, TimeControlType, parse_time_control
from .tree import Game, GameNode, Mainline
from .words import RESULTS

__all__ = [
    "FORMATS",
    "NAG_ACTIVE_POSITION",
    "NAG_BLACK_DECISIVE_ADVANTAGE",
    "NAG_BLACK_DECISIVE_COUNTERPLAY",
    "NAG_BLACK_MODERATE_ADVANTAGE",
    "NAG_BLACK_MODERATE_COUNTERPLAY",
    "NAG_BLACK_MODERATE_TIME_PRESSURE",
    "NAG_BLACK_SEVERE_TIME_PRESSURE",
    "NAG_BLACK_SLIGHT_ADVANTAGE",
    "NAG_BLACK_ZUGZWANG",
    "NAG_BLUNDER",
    "NAG_BRILLIANT_MOVE",
    "NAG_DRAWISH_POSITION",
    "NAG_DUBIOUS_MOVE",
    "NAG_FORCED_MOVE",
    "NAG_GOOD_MOVE",
    "NAG_MISTAKE",
    "NAG_NOVELTY",
    "NAG_NULL",
    "NAG_QUIET_POSITION",
    "NAG_RED_DECISIVE_ADVANTAGE",
    "NAG_RED_DECISIVE_COUNTERPLAY",
    "NAG_RED_MODERATE_ADVANTAGE",
    "NAG_RED_MODERATE_COUNTERPLAY",
    "NAG_RED_MODERATE_TIME_PRESSURE",
    "NAG_RED_SEVERE_TIME_PRESSURE",
    "NAG_RED_SLIGHT_ADVANTAGE",
    "NAG_RED_ZUGZWANG",
    "NAG_SINGULAR_MOVE",
    "NAG_SPECULATIVE_MOVE",
    "NAG_UNCLEAR_POSITION",
    "NAG_WORST_MOVE",
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
