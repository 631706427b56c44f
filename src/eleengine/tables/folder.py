"""The tables of a folder: looked up, opened when they are needed, made."""

from __future__ import annotations

import os
import warnings
from collections import Counter, OrderedDict
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
from .file import BLOCK, DTC, DTM, LAYERS, WDL, TableError, TableFile, write_table

VARIABLE = "ELEENGINE_TABLES"
SHIPPED = Path(__file__).parent / "shipped"  #: the folder of the tables that come with the package
MAX_ATTACKERS = 4  # of both sides, in a position near tables
CACHE_MIB = 64  # of blocks that were read, for all files of a `Tables`
T = TypeVar("T")


class MissingTableError(KeyError):
    """There is no table for a position. The message has its file and how to make it, `name` its name."""

    def __init__(self, name: str, folder: Path, layer: int = WDL) -> None:
        super().__init__(name)
        self.name = name
        self.folder = folder
        self.layer = layer

    def __str__(self) -> str:
        missing = f"no {self.name}{LAYERS[self.layer]} in {self.folder}"
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

    A block of a file is read when a position needs it; CACHE_MIB of blocks stay in memory. OSError, or
    TableError if it is damaged; ValueError for a position that cannot be played. All values leave repetitions
    and the no-capture limit aside.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        self.folder: Path = default_folder() if folder is None else Path(folder)
        self._folders = [self.folder, SHIPPED] if folder is None else [self.folder]
        self._files: dict[tuple[str, int], TableFile] = {}
        self._cache: OrderedDict[tuple[str, int, int, int], bytes] = OrderedDict()
        self._cached = 0  # bytes
        self._lock = Lock()

    def close(self) -> None:
        """Forget what was read."""
        with self._lock:
            self._files.clear()
            self._cache.clear()
            self._cached = 0

    def path(self, name: str, layer: int = WDL) -> Path:
        """Return where the file of a table is or would be; layer: 0 results, 1 to mate, 2 to conversion."""
        paths = [folder / f"{name}{LAYERS[layer]}" for folder in self._folders]
        return next((path for path in paths if path.is_file()), paths[0])

    def names(self) -> list[str]:
        """Return the names of the tables that have a file, shorter ones first."""
        found = set()
        for folder in self._folders:
            for path in folder.glob(f"*{LAYERS[WDL]}"):
                with suppress(ValueError):
                    if normal_table_name(path.stem) == path.stem:
                        found.add(path.stem)
        return sorted(found, key=lambda name: (len(name), name))

    def file(self, name: str, layer: int = WDL) -> TableFile:
        """Return the file of a table; MissingTableError, OSError, TableError."""
        with self._lock:
            known = self._files.get((name, layer))
            if known is None:
                try:
                    known = TableFile(self.path(name, layer))
                except (FileNotFoundError, NotADirectoryError):
                    raise MissingTableError(name, self.folder, layer) from None
                if (known.name, known.layer) != (name, layer):
                    raise known.error(f"it holds {known.name}{LAYERS[known.layer]}")
                self._files[name, layer] = known
            return known

    def _block(self, name: str, layer: int, side: int, block: int) -> bytes:
        key = name, layer, side, block
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                return self._cache[key]
        found = self.file(name, layer).block(side, block)
        with self._lock:
            if key not in self._cache:
                self._cache[key] = found
                self._cached += len(found)
            while self._cached > CACHE_MIB << 20:
                self._cached -= len(self._cache.popitem(last=False)[1])
        return found

    def _distances(self, name: str, layer: int, side: int, block: int) -> bytes | None:
        """What a search asks `EndgameTables` for: a block, or None, since results are enough to play on."""
        try:
            return self._block(name, layer, side, block)
        except MissingTableError:
            return None
        except (OSError, TableError) as error:
            warnings.warn(f"{error}: the search knows results alone", RuntimeWarning, stacklevel=2)
            return None

    def _value(self, board: BaseBoard, layer: int) -> int:
        """0 drawn, else 1 + plies: even for a win. By the results alone, 1 and 2."""
        board._need_playable()
        name = table_name(board)
        if not name.strip("AB-"):
            return 0  # nobody can attack
        file = self.file(name)
        side, index = file.table.index(board)
        place = side, index // (90 * BLOCK)
        blocks: list[bytes] = []
        value = 1
        for each in range(layer + 1):
            if value and each in (WDL, layer):
                blocks.append(self._block(name, each, *place))
                try:
                    value = file.table.value(index, *blocks)
                except ValueError:
                    raise self.file(name, each).error(f"block {place[1] + 1} is damaged") from None
        return value

    def probe_dtm(self, board: BaseBoard) -> int:
        """Return the plies to the end with best play: above 0 if the side to move wins, below if it loses.

        0 is a draw, or the side to move is mated: `probe_wdl` distinguishes them. MissingTableError.
        """
        return _signed(self._value(board, DTM))

    def probe_dtc(self, board: BaseBoard) -> int:
        """Return the plies to the conversion: the end, or the first capture if it is forced soonest.

        The sign is that of `probe_dtm`. A capture by the losing side counts as two plies. MissingTableError.
        """
        return _signed(self._value(board, DTC))

    def probe_wdl(self, board: BaseBoard) -> int:
        """Return 1 if the side to move wins, 0 for a draw, -1 if it loses. MissingTableError."""
        return _result(self._value(board, WDL))

    def is_within_limit(self, board: BaseBoard, limit: int) -> bool:
        """Whether a win of either side is sure to come before `limit` plies without a capture.

        The plies that the board has made without one count. False for a draw. MissingTableError.
        """
        if not self.probe_wdl(board):
            return False
        if board.halfmove_clock + abs(self.probe_dtm(board)) < limit:
            return True
        hardest = self.file(table_name(board)).table.bounds[3]
        return max(board.halfmove_clock + abs(self.probe_dtc(board)), hardest) < limit

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
            value = self._value(board, DTM)
            board.pop()
            found.append((move, -_result(value), value))
        return sorted(found, key=lambda entry: (-entry[1], entry[2] * entry[1], str(entry[0])))

    def line(self, board: BaseBoard, max_plies: int = 300) -> list[Move]:
        """Return the moves of best play, at most `max_plies`; empty for a draw. MissingTableError."""
        board = board.copy(stack=False)
        moves: list[Move] = []
        while len(moves) < max_plies and self._value(board, DTM) > 1:
            move = self.probe_moves(board)[0][0]
            moves.append(move)
            board.push(move)
        return moves

    def load(self, names: Iterable[str]) -> EndgameTables:
        """Read tables into memory; errors as for `file`."""
        return self._load(list(names), None)

    def load_for(self, board: BaseBoard, mib: int = 256) -> EndgameTables:
        """Read the tables that a position can lead to as `load_within` does.

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
        return self._load(names, mib)

    def load_within(self, mib: int) -> EndgameTables:
        """Read tables into memory, at most `mib` MiB, smaller ones first.

        First the results of all, then distances. A search reads the distances that are not in memory for the
        moves of its position alone.
        """
        return self._load(self.names(), mib)

    def _load(self, names: list[str], mib: int | None) -> EndgameTables:
        tables: dict[str, EndgameTable] = {}
        left = float("inf") if mib is None else mib << 20
        for layer in range(len(LAYERS)):
            files = [
                self.file(name, layer) for name in names if mib is None or self.path(name, layer).is_file()
            ]
            for file in sorted(files, key=lambda file: file.memory):
                left -= file.memory
                if left < 0:
                    break
                if layer == WDL:
                    tables[file.name] = EndgameTable(file.name)
                    tables[file.name].bounds = file.table.bounds
                if file.name in tables:
                    file.load(tables[file.name])
        loaded = EndgameTables(self._distances)
        for table in tables.values():
            loaded.add(table)
        return loaded

    def make(
        self, name: str, *, threads: int = 1, progress: Callable[[int, int], None] | None = None
    ) -> dict[str, Any]:
        """Solve a table, write its file and return the facts of its header.

        What captures lead to must be there: MissingTableError. progress(plies, positions found) is called
        after each ply. OSError; OverflowError if a win takes more than 507 plies; MemoryError.
        """
        table = EndgameTable(name)
        table.solve(self.load(smaller_tables(name)), threads=threads, progress=progress)
        facts = facts_of(table)
        self.folder.mkdir(parents=True, exist_ok=True)
        for layer in (DTC, DTM, WDL):  # without the last one there is no table
            write_table(str(self.folder / f"{name}{LAYERS[layer]}"), table, layer, facts, threads)
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


def _result(value: int) -> int:
    """Whether a value is a win (1), a draw (0) or a loss (-1)."""
    return 0 if value == 0 else 1 if value % 2 == 0 else -1


def _signed(value: int) -> int:
    """The plies of a value: above 0 for a win."""
    return _result(value) * (value - 1)


def facts_of(table: EndgameTable) -> dict[str, Any]:
    """Return the positions by result for red and black to move, and the longest win of each with its FEN."""
    facts: dict[str, Any] = {"bounds": table.bounds}
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
]
