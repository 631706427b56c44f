"""The tables of a folder: looked up, opened when they are needed, made."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from .._core import (
    BaseBoard,
    EndgameTable,
    EndgameTables,
    Move,
    normal_table_name,
    smaller_tables,
    table_name,
)
from .._internal.closing import Closing
from .._internal.copying import NotCopied
from .._internal.folders import data_folder
from .file import SUFFIX, TableError, TableFile, write_table
from .sets import size_of

VARIABLE = "ELEENGINE_TABLES"
SHIPPED = Path(__file__).parent / "shipped"  #: the folder of the tables that come with the package
MAX_ATTACKERS = 4  # of both sides, in a position near tables
T = TypeVar("T")


class MissingTableError(KeyError):
    """There is no table for a position. The message has its file and how to make it, `name` its name."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name)
        self.name = name
        self.folder = folder

    def __str__(self) -> str:
        missing = f"no {self.name}{SUFFIX} in {self.folder}"
        if not _is_small(self.name):
            return f"{missing}: with more than {MAX_ATTACKERS} pieces that can attack it is too large to make"
        return f"{missing}: make it with: eleengine tables make {self.name}"


def default_folder() -> Path:
    """Return the folder of tables: that of the environment variable ELEENGINE_TABLES, else the user's own."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else data_folder() / "tables"


def open_tables(folder: str | os.PathLike[str] | None = None) -> Tables:
    """Open the tables of a folder; a folder that is missing has none.

    Without a folder those of `default_folder()` and those that come with the package: one attacker against
    guards, the cannon with at most two own guards of one kind.
    """
    return Tables(folder)


class Tables(Closing, NotCopied):
    """The tables of a folder. Any thread may ask; no file stays open between two questions.

    A file is read when a position needs it: OSError, or TableError if it is damaged. ValueError for a
    position that cannot be played. All values leave repetitions and the no-capture limit aside.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder: Path = default_folder() if folder is None else Path(folder)
        self._folders = [self.folder, SHIPPED] if folder is None else [self.folder]
        self._files: dict[str, TableFile] = {}
        self._lock = Lock()

    def close(self) -> None:
        """Forget what was read."""
        with self._lock:
            self._files.clear()

    def path(self, name: str) -> Path:
        """Return where the file of a table is or would be."""
        paths = [folder / f"{name}{SUFFIX}" for folder in self._folders]
        return next((path for path in paths if path.is_file()), paths[0])

    def names(self) -> list[str]:
        """Return the names of the tables that have a file, shorter ones first."""
        found = set()
        for folder in self._folders:
            for path in folder.glob(f"*{SUFFIX}"):
                with suppress(ValueError):
                    if normal_table_name(path.stem) == path.stem:
                        found.add(path.stem)
        return sorted(found, key=lambda name: (len(name), name))

    def file(self, name: str) -> TableFile:
        """Return the file of a table; MissingTableError, OSError, TableError."""
        with self._lock:
            known = self._files.get(name)
            if known is None:
                try:
                    known = TableFile(self.path(name))
                except (FileNotFoundError, NotADirectoryError):
                    raise MissingTableError(name, self.folder) from None
                if known.name != name:
                    raise known.error(f"it holds the table {known.name}")
                self._files[name] = known
            return known

    def _value(self, board: BaseBoard) -> int:
        name = table_name(board)
        if not name.strip("AB-"):
            return 0  # nobody can attack
        return self.file(name).value(board)

    def probe_dtm(self, board: BaseBoard) -> int:
        """Return the plies to the end with best play: above 0 if the side to move wins, below if it loses.

        0 is a draw, or the side to move is mated: `probe_wdl` distinguishes them. MissingTableError.
        """
        value = self._value(board)
        return 0 if value == 0 else (value - 1 if value % 2 == 0 else 1 - value)

    def probe_wdl(self, board: BaseBoard) -> int:
        """Return 1 if the side to move wins, 0 for a draw, -1 if it loses. MissingTableError."""
        value = self._value(board)
        return 0 if value == 0 else (1 if value % 2 == 0 else -1)

    def get_dtm(self, board: BaseBoard, default: T | None = None) -> int | T | None:
        """Return what `probe_dtm` does, or the default without a table."""
        try:
            return self.probe_dtm(board)
        except MissingTableError:
            return default

    def get_wdl(self, board: BaseBoard, default: T | None = None) -> int | T | None:
        """Return what `probe_wdl` does, or the default without a table."""
        try:
            return self.probe_wdl(board)
        except MissingTableError:
            return default

    def probe_moves(self, board: BaseBoard) -> list[tuple[Move, int, int]]:
        """Return each legal move with its result (1, 0, -1) and plies for the side that makes it, best first.

        The plies count the move itself. MissingTableError if a capture leads to a table that is not there.
        """
        found = []
        board = board.copy(stack=False)
        for move in board.legal_moves:
            board.push(move)
            value = self._value(board)
            board.pop()
            found.append((move, 0 if value == 0 else (1 if value % 2 else -1), value))
        return sorted(found, key=lambda entry: (-entry[1], entry[2] * entry[1], str(entry[0])))

    def line(self, board: BaseBoard, max_plies: int = 300) -> list[Move]:
        """Return the moves of best play, at most `max_plies`; empty for a draw. MissingTableError."""
        board = board.copy(stack=False)
        moves: list[Move] = []
        while len(moves) < max_plies and self._value(board) > 1:
            move = self.probe_moves(board)[0][0]
            moves.append(move)
            board.push(move)
        return moves

    def load(self, names: Iterable[str]) -> EndgameTables:
        """Read tables into memory; errors as for `file`."""
        loaded = EndgameTables()
        for name in names:
            loaded.add(self.file(name).load())
        return loaded

    def load_for(self, board: BaseBoard, mib: int = 256) -> EndgameTables:
        """Read the tables that a position can lead to, smaller ones first, as many as fit into `mib` MiB.

        With more than MAX_ATTACKERS pieces that can attack none is read: errors as for `file`.
        """
        if not is_near_tables(board):
            return EndgameTables()
        pieces = [Counter(side) for side in table_name(board).split("-")]
        names = []
        for name in self.names():
            red, black = (Counter(side) for side in name.split("-"))
            if (red <= pieces[0] and black <= pieces[1]) or (red <= pieces[1] and black <= pieces[0]):
                names.append(name)
        return self.load(self._within(names, mib))

    def load_within(self, mib: int) -> EndgameTables:
        """Read tables into memory, smaller ones first, as many as fit into `mib` MiB."""
        return self.load(self._within(self.names(), mib))

    def _within(self, names: list[str], mib: int) -> list[str]:
        left = mib << 20
        found = []
        for name in sorted(names, key=lambda name: size_of(name).values):
            left -= size_of(name).values
            if left < 0:
                break
            found.append(name)
        return found

    def make(
        self, name: str, *, threads: int = 1, progress: Callable[[int, int], None] | None = None
    ) -> dict[str, Any]:
        """Solve a table, write its file and return the facts of its header.

        What captures lead to must be there: MissingTableError. progress(plies, positions found) is called
        after each ply. OSError; OverflowError if a win takes more than 253 plies; MemoryError.
        """
        table = EndgameTable(name)
        table.solve(self.load(smaller_tables(name)), threads=threads, progress=progress)
        facts = facts_of(table)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_table(str(self.folder / f"{name}{SUFFIX}"), table, facts, threads)
        return facts


def load_shipped(mib: int) -> EndgameTables:
    """Read the tables that come with the package, smaller ones first, as many as fit into `mib` MiB.

    `_core.shipped_tables()` keeps them for all searches of the process.
    """
    return Tables(SHIPPED).load_within(mib)


def is_near_tables(board: BaseBoard) -> bool:
    """Whether both sides together have at most MAX_ATTACKERS pieces that can attack."""
    return _is_small(table_name(board))


def known_result(board: BaseBoard) -> int | None:
    """The result for the side to move, 1, 0 or -1, by the tables of the package and the user, or without."""
    if not is_near_tables(board):
        return None
    try:
        return open_tables().get_wdl(board)
    except (TableError, OSError):
        return None


def _is_small(name: str) -> bool:
    return sum(letter in "RNCP" for letter in name) <= MAX_ATTACKERS


def result_of(value: int | None) -> int | None:
    """Return the result of an entry of `EndgameTables`: 1, 0, -1 for the side to move; None for None."""
    return None if value is None else 0 if value == 0 else 1 if value % 2 == 0 else -1


def facts_of(table: EndgameTable) -> dict[str, Any]:
    """Return the positions by result for red and black to move, and the longest win of each with its FEN."""
    facts: dict[str, Any] = {}
    for side, counts in zip(("red", "black"), table.count(), strict=True):
        wins = {value: entry for value, entry in counts.items() if value and value % 2 == 0}
        facts[side] = {
            "won": sum(entry[0] for entry in wins.values()),
            "drawn": counts.get(0, (0, ""))[0],
            "lost": sum(entry[0] for value, entry in counts.items() if value % 2),
        }
        if wins:
            facts[side] |= {"longest": max(wins) - 1, "fen": wins[max(wins)][1]}
    return facts


__all__ = [
    "SHIPPED",
    "MissingTableError",
    "TableError",
    "Tables",
    "default_folder",
    "facts_of",
    "is_near_tables",
    "load_shipped",
    "open_tables",
    "result_of",
]
