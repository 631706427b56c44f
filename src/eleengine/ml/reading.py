"""Positions out of files: all of them at once, or batches in an order by chance."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from ..lab.data.gamefile import PackedGame, is_game_file, read_blocks
from ..lab.data.gametools import packed
from ..records import scan_games
from .positions import Array, Positions, headers_of, several

#: What a batch may hold: names of methods of `Positions`.
FIELDS: Final = (
    "planes", "features", "legal_moves", "moves", "scores", "results", "turns", "plies", "games", "evaluate",
)  # fmt: skip
FILE: Final = 1 << 32  # how far the numbers of the games of two files are apart


class NumberedGame(NamedTuple):
    """A game with its number in a file, and the headers of a record."""

    number: int
    game: PackedGame
    headers: Mapping[str, str] | None = None


def read_positions(*paths: str | os.PathLike[str], first_ply: int = 0, searched: bool = False) -> Positions:
    """All positions in which a move was played, of files of games or of records.

    paths: files that `eleengine datagen` has written, or game records that `records` reads, such as PGN.
    first_ply: leave out the plies before. searched: leave out moves without a score, such as random
    openings. Games are numbered through, in the order of the files; the headers of records are kept, with an
    Opening by `Game.opening` if they have none. Games of records with a fault or without a result are left
    out, with a UserWarning for each file. OSError, GameFileError, RecordError.
    """
    positions = Positions()
    for path in paths:
        for games in _blocks(os.fspath(path)):
            for one in games:
                _add(positions, one, first_ply)
    return _searched(positions) if searched else positions


class GameBatches:
    """The positions of files of games as batches of arrays, in an order that chance and the seed decide.

    An iterable of dicts of the fields: arrays of `batch` positions, the last one fewer. It reads the files
    in an order by chance, holds `window` positions in memory, and mixes those.

    paths: files as for `read_positions`; those of `eleengine datagen` are read much faster than records.
    fields: of `FIELDS`. headers: of records, such as "Red" or "Date", as arrays of str. first_ply, searched:
    as for `read_positions`. seed, epoch: decide the order; set epoch before each pass for a different order.
    shard: (i, n), the ith part of n of the data, for readers that share it; their orders differ. Of records
    only the games of the part are read. threads: that fill arrays. The field games has the number of the
    game in its file plus `FILE` times the index of the file in paths. TypeError for one path, field or
    header in place of several, ValueError for none, for an unknown field, or for what is out of range.
    """

    def __init__(
        self,
        paths: Iterable[str | os.PathLike[str]],
        *,
        batch: int = 1024,
        fields: Iterable[str] = ("planes", "moves", "results"),
        headers: Iterable[str] = (),
        window: int = 1 << 17,
        first_ply: int = 0,
        searched: bool = False,
        seed: int = 0,
        epoch: int = 0,
        shard: tuple[int, int] = (0, 1),
        threads: int = 1,
    ) -> None:
        self.paths: list[str] = list(several("paths", paths))
        self.batch = batch
        self.fields: tuple[str, ...] = field_names(fields)
        self.headers: tuple[str, ...] = several("headers", headers)
        self.window = window
        self.first_ply = first_ply
        self.searched = searched
        self.seed = seed
        self.epoch = epoch
        self.shard = shard
        self.threads = threads
        if not self.paths:
            raise ValueError("no paths: there is nothing to read")
        if not 1 <= batch <= window:
            raise ValueError(f"batch must be 1 to window ({window}), not {batch}")
        if not 0 <= shard[0] < shard[1]:
            raise ValueError(f"shard must be (i, n) with 0 <= i < n, not {shard}")

    def __iter__(self) -> Iterator[dict[str, Array]]:
        random = np.random.default_rng([self.seed, self.epoch, *self.shard])
        files = np.random.default_rng([self.seed, self.epoch])
        waiting = Positions()
        for games in self._shard(files):
            for one in games:
                _add(waiting, one, self.first_ply, number=one.number)
            if len(waiting) >= self.window:
                mixed = self._mixed(waiting, random)
                whole = len(mixed) - len(mixed) % self.batch
                yield from self._batches(mixed[:whole])
                waiting = mixed[whole:]
        yield from self._batches(self._mixed(waiting, random))

    def _shard(self, random: np.random.Generator) -> Iterator[list[NumberedGame]]:
        """The games of this shard: file after file in an order by chance."""
        first = 0  # blocks of the files before, so that small files are shared out as well
        for index in random.permutation(len(self.paths)).tolist():
            for games in _blocks(self.paths[index], self.shard, first):
                first += 1
                yield [one._replace(number=one.number + index * FILE) for one in games]

    def _mixed(self, positions: Positions, random: np.random.Generator) -> Positions:
        if self.searched:
            positions = _searched(positions)
        return positions[random.permutation(len(positions))]

    def _batches(self, positions: Positions) -> Iterator[dict[str, Array]]:
        for start in range(0, len(positions), self.batch):
            some = positions[start : start + self.batch]
            yield arrays(some, self.fields, threads=self.threads) | {
                name: some.header(name) for name in self.headers
            }


def field_names(fields: Iterable[str]) -> tuple[str, ...]:
    """The names of fields; ValueError for one that is none, TypeError for one in place of several."""
    names = several("fields", fields)
    if unknown := set(names) - set(FIELDS):
        raise ValueError(f"unknown field {min(unknown)!r}: there are {', '.join(FIELDS)}")
    return names


def arrays(positions: Positions, fields: Iterable[str], *, threads: int = 1) -> dict[str, Array]:
    """The fields of positions by name."""
    filled = ("planes", "features", "legal_moves", "evaluate")
    return {
        name: getattr(positions, name)(**({"threads": threads} if name in filled else {})) for name in fields
    }


def _blocks(path: str, shard: tuple[int, int] = (0, 1), first: int = 0) -> Iterator[list[NumberedGame]]:
    """The games of a file, some at a time; [] for those of other shards, which are not read.

    first: the number of the first block for the shards.
    """
    part, parts = shard
    if is_game_file(path):
        number = 0
        for block, read in enumerate(read_blocks(path), first):
            mine = block % parts == part
            yield [NumberedGame(number + i, game) for i, game in enumerate(read.games)] if mine else []
            number += len(read.games)
        return
    left_out, why = 0, ""
    for number, entry in enumerate(scan_games(path)):
        if (first + number) % parts != part or entry.deleted:
            yield []
            continue
        game = entry.game()
        try:
            yield [NumberedGame(number, packed(game), headers_of(game))]
        except ValueError as error:
            left_out, why = left_out + 1, why or f"game {number + 1}: {error}"
            yield []
    if left_out:
        warnings.warn(f"{path}: {left_out} games are left out; {why}", stacklevel=3)


def _add(positions: Positions, one: NumberedGame, first_ply: int, *, number: int | None = None) -> None:
    """number: of the game; None: the next."""
    positions._add_packed(*one.game.in_bytes(), first_ply=first_ply, headers=one.headers, game=number)


def _searched(positions: Positions) -> Positions:
    return positions[~np.isnan(positions.scores())]
