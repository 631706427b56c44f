"""What a person has won and lost against the levels, and which level to try next.

Games that were played alone count: without a hint, a move that was taken back, or the coach's warning.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ..engines.strength import TOP_SKILL
from .page_data import Data
from .store import Store

MAX_GAMES = 2000
LAST = 3  # games at a level that its advice rests on

Entry = dict[str, Any]  # {"level": 0 to 20, "points": 1, 0.5 or 0}


class Record:
    """The games of the person at this board, in a file beside the documents; the oldest first."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def games(self) -> dict[str, Entry]:
        """Each counted game by its key; damaged entries are left out."""
        return {key: entry for key, entry in self.store.kept("record").items() if _is_entry(entry)}

    def add(self, key: str, level: int, points: float) -> None:
        """Count a game, in place of what it had before."""
        games = self.games()
        games.pop(key, None)
        games[key] = {"level": level, "points": points}
        with suppress(OSError):
            self.store.keep("record", dict(list(games.items())[-MAX_GAMES:]))

    def remove(self, key: str) -> None:
        """Count a game no longer: its last move was taken back."""
        games = self.games()
        if games.pop(key, None) is not None:
            with suppress(OSError):
                self.store.keep("record", games)

    def levels(self) -> dict[int, list[int]]:
        """By level how many games were won, drawn and lost."""
        found: dict[int, list[int]] = {}
        for entry in self.games().values():
            sums = found.setdefault(entry["level"], [0, 0, 0])
            sums[_PLACES[entry["points"]]] += 1
        return dict(sorted(found.items()))

    def data(self, level: int) -> Data:
        """For the page, after a game at a level: its sums, and the level to try next."""
        played = [entry["points"] for entry in self.games().values() if entry["level"] == level]
        return {
            "level": level,
            "sums": self.levels().get(level, [0, 0, 0]),
            "next": next_level(level, played),
        }


_PLACES = {1: 0, 0.5: 1, 0: 2}


def _is_entry(entry: object) -> bool:
    return (
        isinstance(entry, dict)
        and type(entry.get("level")) is int
        and 0 <= entry["level"] <= TOP_SKILL
        and entry.get("points") in tuple(_PLACES)  # a damaged one may have no hash
    )


def next_level(level: int, played: list[float]) -> int:
    """The level to try after games at a level: one up after two wins of three, one down after three losses.

    >>> next_level(5, [1]), next_level(5, [0, 1, 1]), next_level(5, [0, 0, 0]), next_level(0, [0, 0, 0])
    (5, 6, 4, 0)
    """
    last = played[-LAST:]
    if last.count(1) >= 2 and last[-1] == 1:
        return min(TOP_SKILL, level + 1)
    if len(last) == LAST and not any(last):
        return max(0, level - 1)
    return level
