"""An index of games: which moves were played in a position, with what results, and in which games.

>>> import tempfile
>>> from eleengine import Board
>>> from eleengine.records import Game
>>> game = Game(headers={"Red": "Hu", "Black": "Xu", "Date": "1960.04.01", "Result": "1-0"})
>>> end = game.play_line(["h2e2", "h9g7", "h0g2"])
>>> with tempfile.TemporaryDirectory() as folder:
...     with GameIndex(f"{folder}/games.sqlite", writable=True) as index:
...         added = index.add_games([game])
...         found = index.find(Board(), GameFilter(player="hu", since=1950))
>>> [(count.move.iccs(), count.red_wins) for count in found.moves], found.games[0].black
([('h2e2', 1)], 'Xu')
"""

from .found import Added, FoundGame, FoundGames, GameFilter, MoveCount, ResultCount
from .index import GameIndex, GameIndexError, default_path
from .reading import PlayedGame, UnreadableFileError, read_played
from .rows import game_digest

__all__ = [
    "Added",
    "FoundGame",
    "FoundGames",
    "GameFilter",
    "GameIndex",
    "GameIndexError",
    "MoveCount",
    "PlayedGame",
    "ResultCount",
    "UnreadableFileError",
    "default_path",
    "game_digest",
    "read_played",
]
