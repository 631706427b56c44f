"""The journal of a match, by which it goes on after an interruption."""

from __future__ import annotations

import os
from typing import Any

from ..jobs.journal import Journal
from .game import PlayedGame
from .plan import MatchPlan

FORMAT = "eleengine match 1"  # and version, in the first line


class MatchJournal(Journal):
    """The journal of a match: after the plan a game a line. Those that were found are in `records`."""

    work = "match"

    def __init__(self, path: str | os.PathLike[str], plan: MatchPlan) -> None:
        self.records: dict[int, PlayedGame] = {}
        super().__init__(path, {"format": FORMAT, **plan.to_dict()})

    def _take(self, found: Any) -> None:
        self.records[found["game"]] = PlayedGame.from_dict(found)

    def append(self, number: int, record: PlayedGame) -> None:
        """Write a game, to the disk."""
        self._write({"game": number, **record.to_dict()})
