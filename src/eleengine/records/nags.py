"""The numeric annotation glyphs of PGN, by the names that python-chess gives them, Red for White.

>>> from eleengine.records import NAG_BLUNDER, Game
>>> node = Game().play("h2h9")
>>> node.nags = (NAG_BLUNDER,)
"""

from typing import Final

MAX_NAG: Final = 9999  # that readers read
NAG_NULL: Final = 0
NAG_GOOD_MOVE: Final = 1  #: !
NAG_MISTAKE: Final = 2  #: ?
NAG_BRILLIANT_MOVE: Final = 3  #: !!
NAG_BLUNDER: Final = 4  #: ??
NAG_SPECULATIVE_MOVE: Final = 5  #: !?
NAG_DUBIOUS_MOVE: Final = 6  #: ?!
NAG_FORCED_MOVE: Final = 7
NAG_SINGULAR_MOVE: Final = 8
NAG_WORST_MOVE: Final = 9
NAG_DRAWISH_POSITION: Final = 10
NAG_QUIET_POSITION: Final = 11
NAG_ACTIVE_POSITION: Final = 12
NAG_UNCLEAR_POSITION: Final = 13
NAG_RED_SLIGHT_ADVANTAGE: Final = 14
NAG_BLACK_SLIGHT_ADVANTAGE: Final = 15
NAG_RED_MODERATE_ADVANTAGE: Final = 16
NAG_BLACK_MODERATE_ADVANTAGE: Final = 17
NAG_RED_DECISIVE_ADVANTAGE: Final = 18
NAG_BLACK_DECISIVE_ADVANTAGE: Final = 19
NAG_RED_ZUGZWANG: Final = 22
NAG_BLACK_ZUGZWANG: Final = 23
NAG_RED_MODERATE_COUNTERPLAY: Final = 132
NAG_BLACK_MODERATE_COUNTERPLAY: Final = 133
NAG_RED_DECISIVE_COUNTERPLAY: Final = 134
NAG_BLACK_DECISIVE_COUNTERPLAY: Final = 135
NAG_RED_MODERATE_TIME_PRESSURE: Final = 136
NAG_BLACK_MODERATE_TIME_PRESSURE: Final = 137
NAG_RED_SEVERE_TIME_PRESSURE: Final = 138
NAG_BLACK_SEVERE_TIME_PRESSURE: Final = 139
NAG_NOVELTY: Final = 146

#: The glyphs that are written behind a move.
SIGNS: Final = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
