"""The journal of a match, by which it goes on after an interruption."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..._internal.files import plain_file
from ...jobs.identity import Identity
from ...jobs.journal import Chain, Journal, counted, line_errors, parsed
from .game import PlayedGame
from .plan import MatchPlan
from .results import MatchResults

FORMAT = "eleengine match 4"  # and version, in the first line
_FIRST_BYTES = b'{"format": "eleengine match '  # of a journal
READABLE = ("eleengine match 3", FORMAT)  # 3 had neither hosts nor searches of the programs


class MatchJournal(Journal):
    """The journal of a match: after the plan a game a line. Those that were found are in `records`.

    engines: identities of the players' engines (default: made once to find out): a
        match cannot go on with others. began: what else a report says of the start, such as the machine.
    """

    work = "match"

    def __init__(
        self,
        path: str | os.PathLike[str],
        plan: MatchPlan,
        engines: Sequence[Identity] | None = None,
        began: dict[str, str] | None = None,
    ) -> None:
        self.records: dict[int, PlayedGame] = {}
        self._planned: dict[str, int] = {}  # of a match that goes on: written with its next game
        self._games = plan.games
        if engines is None:
            engines = [player.identity() for player in plan.players]
        super().__init__(
            path, {"format": FORMAT, **plan.to_dict(), "engines": list(engines), "began": began or {}}
        )

    def _compare(self, found: dict[str, Any], plan: dict[str, Any]) -> None:
        super()._compare({**found, "began": plan["began"]}, plan)
        self._planned = {"planned": self._games}

    def _engine_name(self, plan: dict[str, Any], number: int) -> str:
        return str(plan["players"][number]["name"])

    def _take(self, found: dict[str, Any]) -> None:
        number = counted(found.pop("game"))
        if number in self.records:
            raise ValueError(f"game {number} is there twice")
        self.records[number] = PlayedGame.from_dict(found)

    def append(self, games: Iterable[tuple[int, PlayedGame]]) -> None:
        """Write games, to the disk."""
        lines = [{"game": number, **record.to_dict()} for number, record in games]
        if lines:
            lines[0] |= self._planned
            self._planned = {}
        self._write(*lines)


def is_journal(path: str) -> bool:
    """Does a file begin as the journal of a match? OSError."""
    with open(plain_file(path), "rb") as file:
        return file.read(len(_FIRST_BYTES)) == _FIRST_BYTES


class ReadMatch(NamedTuple):
    """What a journal holds of a match."""

    plan: MatchPlan
    engines: list[Identity]
    results: MatchResults
    began: dict[str, str]  #: "command" and "machine" of the start; empty in older journals
    planned: int = 0  #: games, by the plan with which it went on last; 0: not known


def read_match(path: str | os.PathLike[str]) -> ReadMatch:
    """The match of a journal, which may still be under way: it is only read.

    The plan has as many pairs as have been begun. OSError; ValueError names the line that is wrong.
    """
    with open(plain_file(path), "rb") as file:
        lines = [line for line in file if line.endswith(b"\n")]
    records, chain = {}, Chain()
    with line_errors(path, 1):
        if not lines or parsed(lines[0]).get("format") not in READABLE:
            raise ValueError("not a journal of a match")
        data = parsed(lines[0])
        began = data.get("began", {})
        planned = int(began.get("games", 0))
        chain.check(lines[0].removesuffix(b"\n"))
        plan = MatchPlan.from_dict(data, 1)
        if unknown := data.keys() - {"format", "engines", "began"} - plan.to_dict().keys():
            kind = ", ".join(sorted(unknown))
            raise ValueError(f"of a kind of match that this version does not have: {kind}")
    for number, line in enumerate(lines[1:], 2):
        with line_errors(path, number):
            chain.check(line.removesuffix(b"\n"))
            found = parsed(line)
            records[counted(found["game"])] = PlayedGame.from_dict(found)
            planned = counted(found.get("planned", planned))
    games = 1 + max(records, default=0)
    plan = replace(plan, pairs=max(1, -(-games // plan.games)))
    if plan.games > planned:  # it went on with more, which older journals do not record
        planned = 0
    return ReadMatch(plan, data["engines"], MatchResults(plan, records), began, planned)
