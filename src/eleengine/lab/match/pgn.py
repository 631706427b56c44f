"""The PGN file of a match: a game each, with the headers of the plan."""

from __future__ import annotations

import contextlib
from pathlib import Path

from ...records import Game, pgn_writer, read_games
from .results import MatchResults


class PgnFile:
    """The file: it begins with the games that the results have already, each other one is added.

    style: of the moves, as for `pgn_writer.text_of`. pawns: as for `PlayedGame.game`.
    ValueError: the file is there already, and may hold anything else. OSError.
    """

    def __init__(self, path: str, results: MatchResults, *, style: str = "iccs", pawns: bool = False) -> None:
        self._results = results
        self._style = style
        self._pawns = pawns
        if Path(path).is_file() and Path(path).stat().st_size:
            _check(path, results)
        self._file = open(path, "w", encoding="utf-8")  # noqa: SIM115 - closed by close()
        for number in sorted(results.records):
            self.write(number)

    def write(self, number: int) -> None:
        """Add a game, to the disk."""
        text = pgn_writer.text_of(match_game(self._results, number, pawns=self._pawns), style=self._style)
        try:
            self._file.write(f"{text}\n")
            self._file.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, self._file.name) from None

    def close(self) -> None:
        """Each game was flushed: an error was reported by then."""
        with contextlib.suppress(OSError):
            self._file.close()


def match_game(results: MatchResults, number: int, *, pawns: bool = False) -> Game:
    """A game of the match as a record, with the headers of the plan; KeyError."""
    game = results.records[number].game(pawns=pawns)
    game.headers = {**results.plan.headers(number), **game.headers}
    return game


def _check(path: str, results: MatchResults) -> None:
    """ValueError unless the file has games of the results alone, which may be written again."""
    if not results.records:
        raise ValueError(f"{path}: is there already, and no journal of its games was given")
    games = list(read_games(path, format="pgn"))
    if games and (games[-1].warnings or not games[-1].children):  # cut off when the match was
        games.pop()
    names = {player.name for player in results.plan.players}
    ours = all({game.headers.get("Red"), game.headers.get("Black")} <= names for game in games)
    sound = not any(game.warnings for game in games)
    if not (games and ours and sound and len(games) <= len(results.records)):
        raise ValueError(f"{path}: is there already, and holds more than the games of the journal")
