"""Samples out of files of games: those to fit a network to, and those of other games to judge it by."""

from __future__ import annotations

import hashlib
import os
import zlib
from array import array
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..._core import BaseBoard, Samples
from ..data.gamefile import read_contents, read_games, read_header

HELD_OUT = 20  # one game of so many


class Split(NamedTuple):
    """Samples of games, divided by whole games."""

    train: Samples
    held_out: Samples


class Source(NamedTuple):
    """A file of games as the file of a network names it."""

    file: str  #: its name without folders
    header: dict[str, Any]
    games: int | None = None
    games_sha256: str | None = None  #: as of `gamefile.read_contents`
    sha256: str | None = None  #: of the bytes of the file, in place of the two, in older networks

    def is_file(self, path: str) -> bool:
        """Does the file hold these games? OSError or GameFileError if it cannot be read."""
        if self.games_sha256 is not None:
            return read_contents(path) == (self.games, self.games_sha256)
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == self.sha256

    def to_dict(self) -> dict[str, Any]:
        """What is known of it, as JSON data."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def read_source(path: str) -> Source:
    """Name, header and contents of a file of games; OSError or GameFileError if it cannot be read."""
    contents = read_contents(path)
    return Source(os.path.basename(path), read_header(path), contents.games, contents.sha256)


def collect(
    paths: Iterable[str],
    *,
    first_ply: int = 0,
    show: Callable[[int, int], None] = lambda games, samples: None,
) -> Split:
    """The samples of all games in turn; which games are held out depends on their moves alone.

    first_ply: leave out the plies before. Games without scores are left out. show: told games and samples now
    and then. ValueError for an illegal move, GameFileError for damage.
    """
    sets = Split(Samples(), Samples())
    number = 0
    for path in paths:
        for game in read_games(path):
            number += 1
            if game.scores is None:
                continue
            moves = array("H", game.moves).tobytes()
            part = sets.held_out if zlib.crc32(moves) % HELD_OUT == 0 else sets.train
            try:
                part.add(
                    BaseBoard(game.start),
                    moves,
                    array("h", game.scores).tobytes(),
                    game.result,
                    first_ply=first_ply,
                )
            except ValueError as error:
                raise ValueError(f"{path}: game {number}: {error}") from None
            if number % 256 == 0:
                show(number, len(sets.train) + len(sets.held_out))
    return sets
