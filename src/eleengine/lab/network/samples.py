"""Samples out of files of games: those to fit a network to, and those of other games to judge it by.

Some sixteen million samples are kept in memory. More are dealt at random to temporary files, and come back in
parts that fit: each pass over them has other parts. What is trained does not depend on the machine's memory.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from itertools import count
from typing import IO, Any, NamedTuple

from ..._core import BaseBoard, Samples
from ..._internal.closing import Closing
from ..._internal.message import naming
from ..data.gamefile import GameFileError, read_contents, read_games, read_header

__all__ = ["GameSource", "SampleSet", "Split", "collect", "read_source"]

HELD_OUT = 20  # one game of this number
# These decide the order of samples, so a network could not be made again with others.
IN_MEMORY = 1 << 24  # samples; with more, about the size of a part
CHUNK = 1 << 20  # samples that are dealt to the files at once
FILES = 64


class SampleSet(Closing):
    """Samples of games, as many as the disk holds; a context manager.

    folder: for temporary files of 40 bytes a sample, if there are more than fit in memory; None: that of the
    system. They are gone when the set is closed or the process ends.
    """

    def __init__(
        self, folder: str | None = None, *, in_memory: int = IN_MEMORY, chunk: int = CHUNK, files: int = FILES
    ) -> None:
        self._folder = folder
        self._in_memory = in_memory
        self._chunk = chunk
        self._n_files = files
        self._stack = ExitStack()
        self._files: list[IO[bytes]] = []
        self._dealt = 0  # samples in the files
        self._seeds = count()
        self._samples = Samples()  # in memory: all, the next chunk, or the part that was read last

    def __len__(self) -> int:
        return self._dealt or len(self._samples)

    def add(self, start: BaseBoard, moves: bytes, scores: bytes, result: int, *, first_ply: int = 0) -> int:
        """Append the quiet positions of a game and return how many; the rest as for `Samples.add`."""
        found = self._samples.add(start, moves, scores, result, first_ply=first_ply)
        if self._files:
            self._dealt += found
        if len(self._samples) >= (self._chunk if self._files else self._in_memory):
            self._deal()
        return found

    def _deal(self) -> None:
        if not self._files:
            self._dealt = len(self._samples)
            self._files = [
                self._stack.enter_context(tempfile.TemporaryFile(dir=self._folder))  # noqa: SIM115
                for _ in range(self._n_files)
            ]
        for file, data in zip(self._files, self._samples.deal(self._n_files, next(self._seeds)), strict=True):
            file.write(data)
        self._samples = Samples()  # so that the memory of millions is free again

    def finish(self) -> None:
        """Write what waits: no samples are added after that, and parts can be read."""
        if self._files:
            self._deal()

    @property
    def parts(self) -> int:
        """How many parts make a pass over all samples."""
        return min(self._n_files, -(-self._dealt // self._in_memory)) if self._files else 1

    def part(self, number: int) -> Samples:
        """Return part number of all passes, from 0: each pass takes the files in an order of its own.

        The object is the same each time: a part takes the place of the last part.
        """
        if self._files:
            lap, part = divmod(number, self.parts)
            order = random.Random(lap).sample(range(self._n_files), self._n_files)
            self._samples.clear()
            for index in order[part :: self.parts]:
                self._files[index].seek(0)
                self._samples.frombytes(self._files[index].read())
        return self._samples

    def one_pass(self) -> Iterator[Samples]:
        """All parts of the first pass in turn."""
        return map(self.part, range(self.parts))

    def close(self) -> None:
        """Remove the temporary files and the samples."""
        self._stack.close()
        self._files.clear()
        self._samples = Samples()


class Split(NamedTuple):
    """Samples of games, divided by whole games."""

    train: SampleSet
    held_out: SampleSet

    def close(self) -> None:
        """Close both."""
        self.train.close()
        self.held_out.close()


class GameSource(NamedTuple):
    """The games of a file as the file of a network names them: equal games make equal networks."""

    header: dict[str, Any]
    games: int
    games_sha256: str  #: as of `gamefile.read_contents`
    file: str | None = None  #: its name without folders, in older networks

    def is_file(self, path: str) -> bool:
        """Does the file hold these games? OSError if it cannot be read."""
        try:
            return read_contents(path) == (self.games, self.games_sha256)
        except GameFileError:
            return False

    def to_dict(self) -> dict[str, Any]:
        """What is known of it, as JSON data."""
        return {name: value for name, value in self._asdict().items() if value is not None}


def read_source(path: str) -> GameSource:
    """Header and contents of a file of games; OSError or GameFileError if it cannot be read."""
    return GameSource(_without_names(read_header(path)), *read_contents(path))


def _without_names(header: dict[str, Any]) -> dict[str, Any]:
    """A header without the names of the files that its games were taken from."""
    parts = header.get("of")
    if not isinstance(parts, list):
        return header
    plain = [
        _without_names({name: value for name, value in part.items() if name != "file"})
        if isinstance(part, dict)
        else part
        for part in parts
    ]
    return {**header, "of": plain}


def collect(
    paths: Iterable[str],
    *,
    first_ply: int = 0,
    folder: str | None = None,
    show: Callable[[int, int], None] = lambda games, samples: None,
) -> Split:
    """The samples of all games in turn; which games are held out depends on their moves alone.

    first_ply: leave out the plies before. Games without scores are left out. folder: as of `SampleSet`. show:
    called with games and samples. ValueError for an illegal move, GameFileError for damage, OSError.
    """
    sets = Split(SampleSet(folder), SampleSet(folder))
    number = 0
    for path in paths:
        for game in read_games(path):
            number += 1
            if game.scores is None:
                continue
            part = sets.held_out if game.is_held_out(HELD_OUT) else sets.train
            with naming(f"{path}: game {number}"):
                start, moves, scores, result = game.in_bytes()
                assert scores is not None
                part.add(start, moves, scores, result, first_ply=first_ply)
            if number % 256 == 0:
                show(number, len(sets.train) + len(sets.held_out))
    for part in sets:
        part.finish()
    return sets
