"""Positions out of files: all of them at once, or batches in an order by chance."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator
from typing import Final

import numpy as np

from .._internal.files import plain_file
from ..board import Board
from ..lab.data.gamefile import MAGIC, PackedGame, read_blocks
from ..lab.data.gametools import read_records
from .positions import Array, Positions

#: What a batch may hold: names of methods of `Positions`.
FIELDS: Final = ("planes", "features", "legal_moves", "moves", "scores", "results", "turns", "evaluate")


def read_positions(*paths: str | os.PathLike[str], first_ply: int = 0, searched: bool = False) -> Positions:
    """All positions in which a move was played, of files of games or of records.

    paths: files that `eleengine datagen` has written, or game records that `records` reads, such as PGN.
    first_ply: leave out the plies before. searched: leave out moves without a score, such as random openings.
    Games of records with a fault or without a result are left out. OSError, GameFileError, RecordError.
    """
    positions = Positions()
    for path in paths:
        for games in _blocks(os.fspath(path)):
            _add(positions, games, first_ply)
    return _searched(positions) if searched else positions


class GameBatches:
    """The positions of files of games as batches of arrays, in an order that chance and the seed decide.

    An iterable of dicts of the fields: arrays of `batch` positions, the last one fewer. It reads the files
    in an order by chance, holds `window` positions in memory, and mixes those.

    paths: files of games as `eleengine datagen` writes them. fields: of `FIELDS`. first_ply, searched: as for
    `read_positions`. seed, epoch: decide the order; set epoch before each pass for a different order.
    shard: (i, n), the ith part of n of the data, for readers that share it; their orders differ.
    threads: that fill arrays. ValueError for an unknown field or what is out of range.
    """

    def __init__(
        self,
        paths: Iterable[str | os.PathLike[str]],
        *,
        batch: int = 1024,
        fields: Iterable[str] = ("planes", "moves", "results"),
        window: int = 1 << 17,
        first_ply: int = 0,
        searched: bool = False,
        seed: int = 0,
        epoch: int = 0,
        shard: tuple[int, int] = (0, 1),
        threads: int = 1,
    ) -> None:
        self.paths: list[str] = [os.fspath(path) for path in paths]
        self.batch = batch
        self.fields: tuple[str, ...] = tuple(fields)
        self.window = window
        self.first_ply = first_ply
        self.searched = searched
        self.seed = seed
        self.epoch = epoch
        self.shard = shard
        self.threads = threads
        if unknown := set(self.fields) - set(FIELDS):
            raise ValueError(f"unknown field {min(unknown)!r}: there are {', '.join(FIELDS)}")
        if not 1 <= batch <= window:
            raise ValueError(f"batch must be 1 to window ({window}), not {batch}")
        if not 0 <= shard[0] < shard[1]:
            raise ValueError(f"shard must be (i, n) with 0 <= i < n, not {shard}")

    def __iter__(self) -> Iterator[dict[str, Array]]:
        random = np.random.default_rng([self.seed, self.epoch, *self.shard])
        waiting = Positions()
        for games in self._shard(np.random.default_rng([self.seed, self.epoch])):
            _add(waiting, games, self.first_ply)
            if len(waiting) >= self.window:
                mixed = self._mixed(waiting, random)
                whole = len(mixed) - len(mixed) % self.batch
                yield from self._batches(mixed[:whole])
                waiting = mixed[whole:]
        yield from self._batches(self._mixed(waiting, random))

    def _shard(self, random: np.random.Generator) -> Iterator[list[PackedGame]]:
        """The blocks of this shard: file after file in an order by chance."""
        number = 0
        for path in random.permutation(self.paths):
            for games in _blocks(str(path)):
                if number % self.shard[1] == self.shard[0]:
                    yield games
                number += 1

    def _mixed(self, positions: Positions, random: np.random.Generator) -> Positions:
        if self.searched:
            positions = _searched(positions)
        return positions[random.permutation(len(positions))]

    def _batches(self, positions: Positions) -> Iterator[dict[str, Array]]:
        for start in range(0, len(positions), self.batch):
            yield arrays(positions[start : start + self.batch], self.fields, threads=self.threads)


def arrays(positions: Positions, fields: Iterable[str], *, threads: int = 1) -> dict[str, Array]:
    """The fields of positions by name."""
    filled = ("planes", "features", "legal_moves", "evaluate")
    return {
        name: getattr(positions, name)(**({"threads": threads} if name in filled else {})) for name in fields
    }


def _blocks(path: str) -> Iterator[list[PackedGame]]:
    """The games of a file, some at a time."""
    with open(plain_file(path), "rb") as file:
        is_gamefile = file.read(len(MAGIC)) == MAGIC
    if is_gamefile:
        for block in read_blocks(path):
            yield list(block.games)
    else:
        for game in read_records(path, lambda number, why: None):
            yield [game]


def _add(positions: Positions, games: Iterable[PackedGame], first_ply: int) -> None:
    for game in games:
        scores = None if game.scores is None else array("h", game.scores).tobytes()
        positions._array.add_game(
            Board(game.start), array("H", game.moves).tobytes(), scores, game.result, first_ply=first_ply
        )


def _searched(positions: Positions) -> Positions:
    return positions[~np.isnan(positions.scores())]
