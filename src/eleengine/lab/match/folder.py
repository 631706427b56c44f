"""A folder of journals as a list: how each match stands, and which ones wait in a queue file."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ..._internal.message import naming
from ...records.encoding import split_lines
from .journal import ReadMatch, is_journal, read_match
from .outputs import elo_text, interval_text, llr_text, verdict_text
from .report import GrowingFile, JournalView, MatchReport, ReportTable, Section

HEAD = ("journal", "engines", "state", "games", "Elo", "95 %", "LLR", "games an hour", "last game")
BLANK = [""] * (len(HEAD) - 3)  # behind a row's state
RATED = 200  # games, the last ones, by which those of an hour are counted


class QueueLine(NamedTuple):
    """A match that a queue file asks for."""

    place: str  #: file and line, for messages
    words: list[str]  #: of its command line, from `match` or `tournament` on

    @property
    def journal(self) -> str | None:
        """The path of its journal; without one it could not go on."""
        words = [part for word in self.words for part in re.split("(?<=^--journal)=", word)]
        return dict(pairwise(words)).get("--journal")

    @property
    def without_journal(self) -> str:
        """What is said of a line that has none."""
        return f"{self.place}: a match of a queue needs --journal FILE"


def read_queue(path: str | os.PathLike[str]) -> Iterator[QueueLine]:
    """The lines of a queue file: command lines, without those that are empty or begin with #.

    `eleengine match` before the options may be left out. OSError; ValueError names a line that is wrong.
    """
    for number, line in enumerate(split_lines(Path(path).read_bytes(), path), 1):
        place = f"{os.fspath(path)}:{number}"
        with naming(place):
            words = shlex.split(line, comments=True)
        words = words[words[:1] == ["eleengine"] :]
        if words:
            yield QueueLine(place, words if words[0] in ("match", "tournament") else ["match", *words])


class FolderView:
    """What is shown of a folder of journals and queue files (*.queue) that may grow; threads may call it."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._rows: dict[str, GrowingFile[tuple[str, ...]]] = {}
        self._open: tuple[str, JournalView] | None = None

    def journals(self) -> list[str]:
        """Names of the journals of matches in the folder. OSError."""
        return [entry.name for entry in sorted(os.scandir(self.folder), key=lambda entry: entry.name)
                if entry.is_file() and is_journal(entry.path)]  # fmt: skip

    def open(self, name: str) -> JournalView:
        """One of them; ValueError if there is none of that name."""
        if name not in self.journals():
            raise ValueError(f"{name}: no journal of {self.folder}")
        if self._open is None or self._open[0] != name:
            self._open = name, JournalView(os.path.join(self.folder, name))
        return self._open[1]

    def document(self) -> MatchReport:
        """The list. OSError."""
        names = self.journals()
        rows = [*map(self._row, names), *self._waiting(set(names))]
        return MatchReport(f"Matches in {self.folder}", [Section("Matches", [ReportTable(HEAD, rows)])])

    def _row(self, name: str) -> tuple[str, ...]:
        """How a match stands."""
        if name not in self._rows:
            self._rows[name] = GrowingFile(os.path.join(self.folder, name), _journal_row)
        return (name, *self._rows[name].get())

    def _waiting(self, names: set[str]) -> Iterator[tuple[str, ...]]:
        """What the queue files ask for and has no journal yet."""
        for path in sorted(Path(self.folder).glob("*.queue")):
            try:
                for line in read_queue(path):
                    name = os.path.basename(line.journal or "")
                    if not name:
                        yield (path.name, "", line.without_journal, *BLANK)
                    elif name not in names:
                        names.add(name)
                        yield (name, "", f"waits in {path.name}", *BLANK)
            except ValueError as error:
                yield (path.name, "", str(error), *BLANK)


def _journal_row(path: str) -> tuple[str, ...]:
    """The cells of a journal behind its name, also of one that cannot be read."""
    try:
        return journal_row(read_match(path))
    except ValueError as error:
        return ("", f"cannot be read: {error}", *BLANK)


def journal_row(match: ReadMatch) -> tuple[str, ...]:
    """The cells of a match behind its name."""
    results, found = match.results, match.results.summary(brief=True)
    planned = match.planned
    state = "ended" if planned and found.games >= planned else "open"
    elo = interval = llr = ""
    if len(found.players) == 2 and found.games:
        diff = found.pairings[0].estimate
        elo, interval = elo_text(diff.elo), interval_text(diff.low, diff.high)
    if found.test is not None:
        llr = llr_text(found.test.sprt, found.test.llr)
        state = verdict_text(found.test) if found.test.verdict else state
    ends = sorted(record.ended for record in results.records.values() if record.ended)
    span = ends[-1] - ends[-RATED:][0] if ends else 0
    rate = f"{3600 * (len(ends[-RATED:]) - 1) / span:,.0f}" if span else ""
    last = datetime.fromtimestamp(ends[-1]).isoformat(" ", "seconds") if ends else ""
    games = f"{found.games:,} of {planned:,}" if planned else f"{found.games:,}"
    return " v ".join(found.players), state, games, elo, interval, llr, rate, last
