"""The file of the index: an SQLite database of games and of the positions that they reach.

A position and its mirror image are one, under the smaller of their keys (`eleengine.book.keys`). A game
counts once in each position of its main line, with the move that it made there first. What crowded positions
add up to by move, year and result is kept, so that the start position is looked up as fast as any.
"""

from __future__ import annotations

import errno
import operator
import os
import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

from .._core import STARTING_FEN, BaseBoard
from .._internal.closing import Closing
from .._internal.copying import NotCopied
from .._internal.files import plain_file
from .._internal.folders import data_folder
from .._internal.sqlite import Database, file_uri
from ..book.keys import mirror_move, obk_keys
from ..book.sqlite import signed
from ..records import RESULTS, Game
from .found import Added, FoundGame, FoundGames, GameFilter, MoveCount, ResultCount
from .reading import PlayedGame, UnreadableFileError, read_played
from .rows import ABOUT, MAX_TEXT, clean, code_move, game_row, move_code, played, unpack_moves

APPLICATION: Final = 0x656C6567  # SQLite's mark of the file: "eleg"
VERSION: Final = 2
BATCH = 1_000  # games that are read between two commits
PORTION = 100_000  # games whose positions are sorted at once: 200 MB of temporary file
CROWDED = 1_000  # games of a position from which their sums are kept
WRITING_SECONDS = 3600.0  # that a step of writing may take
MAX_MOVES = 200  # of a position, which has 119 at most, and "none"
_POSITION = "key INTEGER, year INTEGER, game INTEGER, move INTEGER, ply INTEGER"
_SCHEMA = {
    "files": "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, changed INTEGER, "
    "games INTEGER, complete INTEGER)",
    "names": "CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT UNIQUE, folded TEXT)",
    "games": "CREATE TABLE games(id INTEGER PRIMARY KEY, digest BLOB UNIQUE, file INTEGER, number INTEGER, "
    "red INTEGER, black INTEGER, year INTEGER, date TEXT, event TEXT, site TEXT, round TEXT, "
    "result INTEGER, plies INTEGER, start TEXT, moves BLOB)",
    "games_red": "CREATE INDEX games_red ON games(red)",
    "games_black": "CREATE INDEX games_black ON games(black)",
    "games_year": "CREATE INDEX games_year ON games(year)",
    "positions": f"CREATE TABLE positions({_POSITION}, PRIMARY KEY(key, year, game)) WITHOUT ROWID",
    "totals": "CREATE TABLE totals(key INTEGER, move INTEGER, year INTEGER, result INTEGER, games INTEGER, "
    "PRIMARY KEY(key, move, year, result)) WITHOUT ROWID",
    "state": "CREATE TABLE state(indexed INTEGER)",
}
_DAMAGE = (TypeError, LookupError, ValueError, struct.error)  # by values that are not ours
_ALL: Final = (1 << 63) - 1  # the largest number that SQLite takes


class GameIndexError(ValueError):
    """An index of games that cannot be read or written: names the file and what is wrong.

    Such as: it is damaged, closed, open for looking up only, written to by another program, or a look-up
    takes more than 10 seconds.
    """


def default_path() -> Path:
    """Where the index of the user lies: games.sqlite in the data folder."""
    return data_folder() / "games.sqlite"


class GameIndex(Closing, NotCopied):
    """An index of games, open for looking up: a context manager. Several threads may use it in turn.

    path: the file (default: the user's own, see `default_path`).
    writable: open it to add games, too; it is made if it is missing, readable by the user alone.

    FileNotFoundError, IsADirectoryError; GameIndexError if it is no such file.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, writable: bool = False) -> None:
        self.path: str = os.fspath(default_path() if path is None else path)
        self._writable = writable
        if os.path.isdir(self.path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), self.path)
        if writable:
            _make_private(self.path)
        elif not os.path.exists(self.path):
            raise FileNotFoundError(2, "no index of games", self.path)
        uri = file_uri(plain_file(self.path), "mode=rw" if writable else "mode=ro")
        self._database = Database(uri, self.path, "an index of games", GameIndexError, writable=writable)
        self._ids: dict[str, int] = {}
        try:
            if writable:
                self._prepare()
            self._check()
        except BaseException:
            self._database.close()
            raise

    def _ask(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        if self._writable:
            return self._database.ask(query, values, seconds=WRITING_SECONDS)
        return self._database.ask(query, values)

    def _one(self, query: str, *values: object) -> Any:
        """The first column of the first row; None without one."""
        for value, *_ in list(self._ask(query, *values)):
            return value
        return None

    def _prepare(self) -> None:
        """Make the tables of a new file; a program that reads is not held up by one that writes."""
        self._one("PRAGMA busy_timeout = 60000")
        self._one("PRAGMA cache_size = -65536")
        if self._one("SELECT count(*) FROM sqlite_master") == 0:
            with self._transaction():
                for statement in _SCHEMA.values():
                    self._one(statement)
                self._one("INSERT INTO state VALUES(0)")
                self._one(f"PRAGMA application_id = {APPLICATION}")
                self._one(f"PRAGMA user_version = {VERSION}")
        self._check()
        self._one("PRAGMA journal_mode = WAL")
        self._one("PRAGMA synchronous = NORMAL")

    def _check(self) -> None:
        """GameIndexError unless the file is an index, with our tables and nothing else."""
        if self._one("PRAGMA application_id") != APPLICATION:
            raise GameIndexError(f"{self.path}: an SQLite file, but no index of games")
        if self._one("PRAGMA user_version") != VERSION:
            raise GameIndexError(
                f"{self.path}: an index of another version of eleengine: delete it, and index the games again"
            )
        found = {name: sql for name, sql in self._ask("SELECT name, sql FROM sqlite_master") if sql}
        if found != _SCHEMA:
            raise GameIndexError(f"{self.path}: tables that an index of games does not have")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """A block whose changes are made together or not at all."""
        self._one("BEGIN IMMEDIATE")
        try:
            yield
            self._one("COMMIT")
        except BaseException:
            if self._database.connection.in_transaction:
                self._database.connection.rollback()
            self._ids.clear()  # names of the block are gone, and others may get their numbers
            raise

    def unfinished(self) -> tuple[int, int]:
        """What another program is making, or has left undone.

        Files that are not read to their end, and games whose positions are not found yet.
        """
        files = self._one("SELECT count(*) FROM files WHERE complete = 0 AND changed > 0")
        games = self._one("SELECT count(*) FROM games WHERE id > (SELECT indexed FROM state)")
        return files, games

    # Adding

    def add_files(
        self,
        paths: Iterable[str | os.PathLike[str]],
        *,
        fault: Callable[[str], None] = lambda _: None,
        progress: Callable[[str, int], object] = lambda _, __: None,
    ) -> Added:
        """Add the games of files of any format that eleengine reads; a game that is there adds nothing.

        A file that was read before is read again only if it has changed. What was interrupted goes on with
        the next call. fault: called with what is wrong, and where. progress: called with what is being done
        and the number of games. Games without a move are left out. OSError; GameIndexError unless the index
        is open for writing.
        """
        self._need_writable()
        added = Added()
        names = [os.fspath(path) for path in paths]
        for name in names:
            os.stat(name)  # before the work
        try:
            for name in names:
                try:
                    more = self._add_file(name, fault, progress)
                except UnreadableFileError as error:
                    fault(str(error))
                    more = Added(faults=1)
                added = Added(*map(sum, zip(added, more, strict=True)))
        finally:
            self._index_positions(progress)
        return added

    def add_games(self, games: Iterable[Game], *, source: str = "") -> Added:
        """Add the main lines of games, with the name of a source in place of a file.

        GameIndexError unless the index is open for writing.
        """
        self._need_writable()
        source = clean(source)
        known = self._one("SELECT games FROM files WHERE path = ?", source) or 0
        count, new = 0, 0
        games = iter(games)
        while batch := [played(game) for game in islice(games, BATCH)]:
            new += self._store(batch, source, known + count)
            count += len(batch)
        self._index_positions(lambda _, __: None)
        return Added(count, new)

    def mirror_games(self, games: Mapping[bytes, Callable[[], Game]], *, source: str) -> Added:
        """Make the games of a source these: add those that are missing, remove those that are gone.

        games: by their `game_digest`, what reads them; of those that are there, from any source, none is
        read. GameIndexError unless the index is open for writing.
        """
        self._need_writable()
        file = self._one("SELECT id FROM files WHERE path = ?", clean(source))
        rows = self._ask("SELECT digest, id FROM games WHERE file = ?", file)
        self._remove([id for digest, id in list(rows) if digest not in games])
        known = "SELECT 1 FROM games WHERE digest = ?"
        missing = (read for digest, read in games.items() if self._one(known, digest) is None)
        return self.add_games((read() for read in missing), source=source)

    def _remove(self, ids: Sequence[int]) -> None:
        """Take games out, with their positions."""
        if not ids:
            return
        self._one(f"CREATE TEMP TABLE fresh({_POSITION})")
        try:
            for id in ids:
                self._fill_fresh(id - 1, id)
            with self._transaction():
                self._one(
                    "DELETE FROM positions WHERE (key, year, game) IN (SELECT key, year, game FROM fresh)"
                )
                for id in ids:
                    self._one("DELETE FROM games WHERE id = ?", id)
                self._add_up("SELECT DISTINCT key FROM totals WHERE key IN (SELECT key FROM fresh)")
                # The number of the last game is given again.
                self._one("UPDATE state SET indexed = min(indexed, (SELECT coalesce(max(id), 0) FROM games))")
        finally:
            self._one("DROP TABLE fresh")

    def _need_writable(self) -> None:
        if not self._writable:
            raise GameIndexError(f"{self.path}: open for looking up only: GameIndex(path, writable=True)")

    def _add_file(
        self, path: str, fault: Callable[[str], None], progress: Callable[[str, int], object]
    ) -> Added:
        status, name = os.stat(path), clean(os.path.realpath(path))
        stamp = status.st_size, status.st_mtime_ns
        known = list(self._ask("SELECT size, changed, games, complete FROM files WHERE path = ?", name))
        is_same = bool(known) and known[0][:2] == stamp
        if is_same and known[0][3]:
            return Added(unchanged=1)
        done = known[0][2] if is_same else 0
        faults = 0

        def count_fault(text: str) -> None:
            nonlocal faults
            faults += 1
            fault(text)

        games = read_played(path, count_fault, skip=done)
        read, new = 0, 0
        while batch := list(islice(games, BATCH)):
            new += self._store(batch, name, done + read, stamp)
            read += len(batch)
            progress(f"{path}: reading", done + read)
        self._mark(name, stamp, done + read, complete=True)
        return Added(read, new, faults)

    def _mark(self, name: str, stamp: tuple[int, int], games: int, *, complete: bool) -> None:
        self._one(
            "INSERT INTO files(path, size, changed, games, complete) VALUES(?, ?, ?, ?, ?) "
            "ON CONFLICT(path) DO UPDATE SET size = excluded.size, changed = excluded.changed, "
            "games = excluded.games, complete = excluded.complete",
            name, *stamp, games, int(complete),
        )  # fmt: skip

    def _store(
        self, batch: Sequence[PlayedGame | None], name: str, done: int, stamp: tuple[int, int] = (0, 0)
    ) -> int:
        """Add games that follow the first ones of a file; return how many are new."""
        found = ((*game_row(game), done + n) for n, game in enumerate(batch, 1) if game is not None)
        rows = [row for row in found if row[-2]]  # without moves there is nothing to find
        with self._transaction():
            self._mark(name, stamp, done + len(batch), complete=False)
            file = self._one("SELECT id FROM files WHERE path = ?", name)
            names = {text for row in rows for text in row[1:3]} - self._ids.keys()
            for text in names:
                self._one("INSERT OR IGNORE INTO names(name, folded) VALUES(?, ?)", text, text.casefold())
            for text in names:
                self._ids[text] = self._one("SELECT id FROM names WHERE name = ?", text)
            before = self._one("SELECT count(*) FROM games")
            self._database.ask_each(
                "INSERT OR IGNORE INTO games(digest, red, black, year, date, event, site, round, result, "
                f"plies, start, moves, number, file) VALUES({'?, ' * 13}{file})",
                ((digest, self._ids[red], self._ids[black], *rest) for digest, red, black, *rest in rows),
                seconds=WRITING_SECONDS,
            )
            return int(self._one("SELECT count(*) FROM games") - before)

    def _index_positions(self, progress: Callable[[str, int], object]) -> None:
        """Put the positions of games that are new under their keys, sorted, which SQLite does best."""
        last = self._one("SELECT max(id) FROM games") or 0
        indexed = self._one("SELECT indexed FROM state")
        while indexed < last:
            until = min(indexed + PORTION, last)
            self._one(f"CREATE TEMP TABLE fresh({_POSITION})")
            try:
                self._fill_fresh(indexed, until, progress)
                progress("sorting", until)
                self._merge(indexed, until)
            finally:
                self._one("DROP TABLE fresh")
            indexed = until
        self._one("PRAGMA wal_checkpoint(TRUNCATE)")

    def _fill_fresh(
        self, low: int, high: int, progress: Callable[[str, int], object] = lambda _, __: None
    ) -> None:
        """Put the positions of games into the table of those that are fresh."""
        rows = self._position_rows(low, high, progress)
        self._database.ask_each("INSERT INTO fresh VALUES(?, ?, ?, ?, ?)", rows, seconds=WRITING_SECONDS)

    def _position_rows(
        self, low: int, high: int, progress: Callable[[str, int], object]
    ) -> Iterator[tuple[int, int, int, int, int]]:
        keys = obk_keys()
        query = "SELECT id, year, start, moves FROM games WHERE id > ? AND id <= ?"
        for count, (game, year, start, packed) in enumerate(self._ask(query, low, high)):
            with self._damage_told():
                moves = unpack_moves(packed)
                codes = iter(moves)
                for ply, (own, mirror) in enumerate(keys.along(BaseBoard(start or STARTING_FEN), moves)):
                    yield signed(min(own, mirror)), year, game, move_code(next(codes, None), own, mirror), ply
            if count % BATCH == 0:
                progress("positions of game", low + count)

    def _merge(self, low: int, high: int) -> None:
        """Take over what is fresh, and add up the positions that are crowded."""
        with self._transaction():
            self._one("INSERT OR IGNORE INTO positions SELECT * FROM fresh ORDER BY key, year, game, ply")
            # Positions that few of many fresh games have become crowded at another time.
            minimum = max(1, (high - low) // 100)
            self._add_up(
                "SELECT key FROM fresh GROUP BY key HAVING count(*) >= ? "
                "UNION SELECT key FROM totals WHERE key IN (SELECT key FROM fresh)",
                minimum,
            )
            self._one("UPDATE state SET indexed = ?", high)

    def _add_up(self, keys: str, *values: object) -> None:
        """Make the sums of the positions anew whose keys a query finds, as far as they are crowded."""
        self._one(f"CREATE TEMP TABLE crowded AS {keys}", *values)
        self._one("DELETE FROM totals WHERE key IN (SELECT key FROM crowded)")
        self._one(
            "INSERT INTO totals SELECT p.key, p.move, p.year, g.result, count(*) FROM crowded c "
            "CROSS JOIN positions p ON p.key = c.key CROSS JOIN games g ON g.id = p.game "
            "WHERE (SELECT count(*) FROM positions WHERE key = c.key) >= ? GROUP BY 1, 2, 3, 4",
            CROWDED,
        )
        self._one("DROP TABLE crowded")

    # Looking up

    def __len__(self) -> int:
        return int(self._one("SELECT count(*) FROM games"))

    def files(self) -> list[tuple[str, int]]:
        """The files that were read, and how many games of the index came from each."""
        rows = self._ask(
            "SELECT path, count(g.id) FROM files f LEFT JOIN games g ON g.file = f.id GROUP BY f.id"
        )
        return [(str(path), int(games)) for path, games in rows]

    def size(self) -> int:
        """Bytes of the file."""
        return os.path.getsize(self.path)

    def find(
        self, board: BaseBoard | None = None, where: GameFilter | None = None, *, limit: int | None = 20
    ) -> FoundGames:
        """The moves, results and games of a position, or without one the games of a filter.

        limit: most games that are listed, None for all; all are counted. ValueError for a limit below 0 and
        for a result that is none; GameIndexError.
        """
        where = where or GameFilter()
        conditions, values = _conditions(where)
        most = _ALL if limit is None else operator.index(limit)
        if most < 0:
            raise ValueError(f"the limit must be 0 or more, or None for all games, not {limit}")
        most = min(most, _ALL)
        if board is None:
            with self._damage_told():
                return self._by_filter(conditions, values, most)
        keys = obk_keys().of(board)
        with self._damage_told():
            return self._by_position(board, keys, where, conditions, values, most)

    @contextmanager
    def _damage_told(self) -> Iterator[None]:
        """A block that takes values of the file for what we wrote; errors of SQLite pass."""
        try:
            yield
        except GameIndexError:
            raise
        except _DAMAGE as error:
            text = f"{self.path}: damaged, delete it and index the games again: {error}"
            raise GameIndexError(text) from None

    def _by_filter(self, conditions: list[str], values: list[object], limit: int) -> FoundGames:
        source = f"FROM games g WHERE {' AND '.join(conditions) or '1'}"
        counts = [0] * len(RESULTS)
        for result, number in self._ask(f"SELECT g.result, count(*) {source} GROUP BY 1", *values):
            counts[result] += number
        games = self._listed(source, "0", "g.year DESC, g.id DESC", values, limit)
        return FoundGames(_results(counts), [], games)

    def _by_position(
        self,
        board: BaseBoard,
        keys: tuple[int, int],
        where: GameFilter,
        conditions: list[str],
        values: list[object],
        limit: int,
    ) -> FoundGames:
        own, mirror = keys
        key = signed(min(own, mirror))
        crowd = self._one("SELECT sum(games) FROM totals WHERE key = ?", key) or 0
        has_names = bool(where.player or where.red or where.black)
        # The smaller side is gone through: the games of the position, or those of the players.
        by_player = False
        if crowd and has_names:
            players, of_players = _conditions(where._replace(since=None, until=None, result=None))
            count = self._one(f"SELECT count(*) FROM games g WHERE {' AND '.join(players)}", *of_players)
            by_player = count < crowd
        also = "".join(f" AND {condition}" for condition in conditions)
        if by_player:
            source = (
                "FROM games g CROSS JOIN positions p ON p.key = ? AND p.year = g.year AND p.game = g.id "
                f"WHERE 1{also}"
            )
        else:
            also = also.replace("g.year", "p.year")  # which the key of positions has
            source = f"FROM positions p CROSS JOIN games g ON g.id = p.game WHERE p.key = ?{also}"
        if crowd and not has_names:
            plain = [condition.replace("g.", "") for condition in conditions]
            counts = self._ask(
                "SELECT move, result, sum(games) FROM totals WHERE key = ?"
                f"{''.join(f' AND {condition}' for condition in plain)} GROUP BY 1, 2",
                key, *values,
            )  # fmt: skip
        else:
            counts = self._ask(f"SELECT p.move, g.result, count(*) {source} GROUP BY 1, 2", key, *values)
        found: dict[int, list[int]] = {}
        for code, result, number in counts:
            found.setdefault(code, [0] * len(RESULTS))[result] += number
            if len(found) > MAX_MOVES:
                raise ValueError(f"more than {MAX_MOVES} moves of one position")
        total = [sum(column) for column in zip(*found.values(), strict=True)] or [0] * len(RESULTS)
        moves = []
        for code, results in found.items():
            move = code_move(code)
            if move is not None and own > mirror:
                move = mirror_move(move)
            if move is None or board.is_legal(move):
                moves.append(MoveCount(move, *_results(results)))
        moves.sort(key=lambda count: (count.move is None, -count.games, str(count.move)))
        games = self._listed(source, "p.ply", "p.year DESC, p.game DESC", [key, *values], limit)
        return FoundGames(_results(total), moves, games)

    def _listed(self, source: str, ply: str, order: str, values: list[object], limit: int) -> list[FoundGame]:
        rows = self._ask(
            "SELECT g.id, (SELECT name FROM names WHERE id = g.red), "
            "(SELECT name FROM names WHERE id = g.black), nullif(g.year, 0), g.date, g.event, g.result, "
            f"g.plies, (SELECT path FROM files WHERE id = g.file), g.number, {ply}, g.site, g.round {source} "
            f"ORDER BY {order} LIMIT ?",
            *values, limit,
        )  # fmt: skip
        return [_found_game(row) for row in rows]

    def game(self, id: int) -> Game:
        """A game of the index: headers and main line. KeyError if there is none; GameIndexError."""
        if not 0 < operator.index(id) <= _ALL:  # which SQLite cannot ask for
            raise KeyError(id)
        for row in list(
            self._ask(
                "SELECT (SELECT name FROM names WHERE id = red), (SELECT name FROM names WHERE id = black), "
                "date, event, site, round, result, start, moves FROM games WHERE id = ?",
                operator.index(id),
            )
        ):
            *texts, result, start, packed = row
            with self._damage_told():
                headers = zip(("Red", "Black", *ABOUT), map(str, texts), strict=True)
                game = Game(start or STARTING_FEN, headers={name: text for name, text in headers if text})
                game.headers["Result"] = RESULTS[result]
                board, node = BaseBoard(game.start), None
                for move in unpack_moves(packed):
                    board.push(move)
                    node = (node or game).add(move)
            return game
        raise KeyError(id)

    # Closing

    def close(self) -> None:
        """Close the file; what was written is in it alone, with nothing beside it."""
        if self._writable:
            with suppress(sqlite3.Error):  # another program has it open, and does it
                self._database.connection.execute("PRAGMA journal_mode = DELETE")
        self._database.close()


def _make_private(path: str) -> None:
    """Make an empty file that only the user can read, unless there is one."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), mode=0o700, exist_ok=True)
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _results(counts: list[int]) -> ResultCount:
    """The counts in the order of RESULTS as those of Red's wins, draws, Black's wins and the rest."""
    red, black, draws, unknown = counts
    return ResultCount(red, draws, black, unknown)


def _found_game(row: tuple[Any, ...]) -> FoundGame:
    id, red, black, year, date, event, result, *rest = row
    if any(isinstance(value, str | bytes) and len(value) > MAX_TEXT for value in row):
        raise ValueError(f"a text of more than {MAX_TEXT} characters")
    return FoundGame(id, red or "", black or "", year, date or "", event or "", RESULTS[result], *rest)


def _conditions(where: GameFilter) -> tuple[list[str], list[object]]:
    """The conditions on games `g`, and their values."""
    named = "IN (SELECT id FROM names WHERE instr(folded, ?))"
    conditions: list[str] = []
    values: list[object] = []
    if where.player:
        conditions.append(f"(g.red {named} OR g.black {named})")
        values += [clean(where.player).casefold()] * 2
    for side in ("red", "black"):
        if text := getattr(where, side):
            conditions.append(f"g.{side} {named}")
            values.append(clean(text).casefold())
    if where.since is not None or where.until is not None:
        conditions.append("g.year BETWEEN ? AND ?")
        years = where.since or 1, 9999 if where.until is None else where.until
        values += [max(1, min(years[0], 10_000)), max(0, min(years[1], 9999))]
    if where.result is not None:
        if where.result not in RESULTS:
            raise ValueError(f"a result is one of {', '.join(RESULTS)}, not {where.result!r}")
        conditions.append("g.result = ?")
        values.append(RESULTS.index(where.result))
    return conditions, values
