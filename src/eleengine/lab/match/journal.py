"""The journal of a match, by which it goes on after an interruption."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..jobs.identity import Identity
from ..jobs.journal import Journal
from .game import PlayedGame
from .plan import MatchPlan

FORMAT = "eleengine match 2"  # and version, in the first line


class MatchJournal(Journal):
    """The journal of a match: after the plan a game a line. Those that were found are in `records`.

    engines: what tells the players' engines from other versions of them (default: made once to find out): a
        match cannot go on with others.
    """

    work = "match"

    def __init__(
        self, path: str | os.PathLike[str], plan: MatchPlan, engines: Sequence[Identity] | None = None
    ) -> None:
        self.records: dict[int, PlayedGame] = {}
        if engines is None:
            engines = [player.identity() for player in plan.players]
        super().__init__(path, {"format": FORMAT, **plan.to_dict(), "engines": list(engines)})

    def _take(self, found: Any) -> None:
        self.records[found["game"]] = PlayedGame.from_dict(found)

    def append(self, number: int, record: PlayedGame) -> None:
        """Write a game, to the disk."""
        self._write({"game": number, **record.to_dict()})
