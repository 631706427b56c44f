"""Samples out of files of games: those to fit a network to, and those of other games to judge it by."""

from __future__ import annotations

import hashlib
import os
import zlib
from array import array
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ..._core import BaseBoard, Samples
from ..data.gamefile import read_games, read_header

HELD_OUT = 20  # one game of so many


class Split(NamedTuple):
    """Samples of games, divided by whole games."""

    train: Samples
    held_out: Samples


class Source(NamedTuple):
    """A file of games as the maker of a network tells of it."""

    file: str  #: its name without folders
    sha256: str
    header: dict[str, Any]


def read_source(path: str) -> Source:
    """Name, checksum and header of a file of games; OSError or GameFileError if it cannot be read."""
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Source(os.path.basename(path), digest, read_header(path))


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
