"""Running the searches of an experiment, and keeping what they found."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TextIO, TypeVar

from .._core import BaseBoard, Move, ThesisInfo, ThesisSearch
from .._internal.processors import usable_processors
from .._internal.system import cpu_name
from .._version import __version__
from .published import MIDDLEGAMES, OPENINGS


@dataclass(frozen=True)
class Iteration:
    """One iteration of one search; counts and seconds include those before it; last: its own leaves."""

    config: str
    threads: int
    position: str
    repeat: int
    depth: int
    score: int
    move: str
    leaves: int
    last: int
    nodes: int
    probes: int
    hits: int
    cuts: int
    first_cuts: int
    seconds: float
    cpu_seconds: float
    idle: float


#: What an iteration has under the name that it has in `ThesisInfo`.
_COUNTS = ("depth", "score", "leaves", "nodes", "probes", "hits", "cuts", "first_cuts", "idle")


@dataclass(frozen=True)
class Origin:
    """How results were made, as files of them say; options: those of the command that change them."""

    version: str
    options: str
    processor: str
    processors: int
    date: str

    def difference(self, other: Origin) -> str:
        """What of the other's makes it no part of the same experiment; empty if nothing: days may pass."""
        for field in fields(Origin):
            ours, theirs = getattr(self, field.name), getattr(other, field.name)
            if field.name != "date" and ours != theirs:
                return f"{field.name} {theirs}, not {ours}"
        return ""


def origin_of(options: Mapping[str, object]) -> Origin:
    """That of what is searched now with the options of a command; those that are not given are left out."""
    given = {name: value for name, value in options.items() if value is not None and value is not False}
    return Origin(
        version=__version__,
        options=" ".join(f"{name}={option_text(value)}" for name, value in sorted(given.items())),
        processor=cpu_name(),
        processors=usable_processors(),
        date=datetime.now(UTC).date().isoformat(),
    )


def option_text(value: object) -> str:
    """A value of an option without blanks."""
    return "+".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def openings() -> dict[str, BaseBoard]:
    """The ten opening positions by name."""
    boards = {}
    for name, _, moves in OPENINGS:
        boards[name] = board = BaseBoard()
        for text in moves.split():
            board.push(Move.from_iccs(text))
    return boards


def middlegames() -> dict[str, BaseBoard]:
    """The ten middlegame positions by number."""
    return {name: BaseBoard(fen) for name, fen in MIDDLEGAMES}


def search_all(
    configs: dict[str, dict[str, Any]],
    boards: dict[str, BaseBoard],
    depth: int,
    *,
    repeats: int = 1,
    depths: Mapping[str, int] = MappingProxyType({}),
    tell: Callable[[int, int, int], object] = lambda done, total, leaves: None,
) -> Iterator[Iteration]:
    """Search every board with every configuration, from depth 1 to depth, with nothing learnt before.

    depths: of the configurations that go no further than that.
    The configurations take turns on each board, so that a slow moment of the machine hits all of them.
    tell(done, total, leaves): after each iteration, with the searches done and the leaves so far.
    """
    total = len(configs) * len(boards) * repeats
    done = leaves = 0

    def iteration_done(info: ThesisInfo) -> None:
        tell(done, total, leaves + info.leaves)

    for position, board in boards.items():
        for repeat in range(repeats):
            for name, options in configs.items():
                search = ThesisSearch(**options)
                search.clear()  # touches the table's memory before the clock starts
                infos = search.search(board, depth=min(depth, depths.get(name, depth)), report=iteration_done)
                done += 1
                leaves += infos[-1].leaves
                before = 0
                for info in infos:
                    yield Iteration(
                        config=name,
                        threads=options.get("threads", 1),
                        position=position,
                        repeat=repeat,
                        move=info.move.iccs(),
                        last=info.leaves - before,
                        seconds=max(info.seconds, 1e-6),  # of the clock's resolution
                        cpu_seconds=max(info.cpu_seconds, 1e-6),
                        **{count: getattr(info, count) for count in _COUNTS},
                    )
                    before = info.leaves


Row = TypeVar("Row", Iteration, Origin)
COLUMNS = [field.name for kind in (Iteration, Origin) for field in fields(kind)]


class IterationWriter:
    """Writes runs as CSV, each as soon as it is there, and with each how it was made."""

    def __init__(self, file: TextIO, origin: Origin) -> None:
        self._file = file
        self._origin = asdict(origin)
        self._writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        self._writer.writeheader()

    def write(self, run: Iteration) -> None:
        """Append a run, and force it out of the buffer."""
        self._writer.writerow(asdict(run) | self._origin)
        self._file.flush()


def read_iterations(file: Iterable[str], origin: Origin | None = None) -> tuple[list[Iteration], Origin]:
    """The runs of a CSV file and how they were made; ValueError names the bad line.

    origin: of other runs; a line that was not made as they were is a bad one.
    """
    reader = csv.DictReader(file)
    rows: list[tuple[int, Iteration, Origin]] = []
    try:
        fits = reader.fieldnames == COLUMNS
        for row in reader if fits else ():
            rows.append((reader.line_num, _fields(Iteration, row), _fields(Origin, row)))
    except (TypeError, ValueError, csv.Error):
        raise ValueError(f"{max(1, reader.line_num)}: not a line of such a file") from None
    if not fits:
        raise ValueError(f"1: the first line must be {','.join(COLUMNS)}")
    if not rows:
        raise ValueError("1: nothing below the first line")
    origin = origin or rows[0][2]
    for line, _, made in rows:
        if difference := origin.difference(made):
            raise ValueError(f"{line}: not made as the lines before: {difference}")
    return [run for _, run, _ in rows], origin


def _fields(kind: type[Row], row: Mapping[str, str]) -> Row:
    """The fields of a row; ValueError, TypeError."""
    kinds: dict[str, Callable[[str], object]] = {"str": str, "int": int, "float": float}
    values: dict[str, Any] = {field.name: kinds[str(field.type)](row[field.name]) for field in fields(kind)}
    return kind(**values)


class ExperimentSummary:
    """Means over the positions, by configuration and depth; of repeats the median."""

    def __init__(self, runs: Sequence[Iteration]) -> None:
        self._runs: dict[tuple[str, int], dict[str, list[Iteration]]] = {}
        for run in runs:
            by_position = self._runs.setdefault((run.config, run.depth), {})
            by_position.setdefault(run.position, []).append(run)
        self.depths: list[int] = sorted({run.depth for run in runs})
        self.configs: list[str] = list(dict.fromkeys(run.config for run in runs))
        self.threads: set[int] = {run.threads for run in runs}

    def positions(self, depth: int) -> list[str]:
        """The positions that have reached the depth with every configuration that has reached it at all."""
        found = [self._runs[config, depth] for config in self.configs if (config, depth) in self._runs]
        return [position for position in found[0] if all(position in one for one in found)] if found else []

    def has(self, config: str, depth: int) -> bool:
        """Return whether there are runs of a configuration that `positions` counts."""
        return (config, depth) in self._runs and bool(self.positions(depth))

    def depths_of(self, *configs: str) -> list[int]:
        """The depths that all of these configurations have runs of."""
        return [depth for depth in self.depths if all(self.has(config, depth) for config in configs)]

    def values(self, config: str, depth: int, name: str) -> list[float]:
        """The value of a field for each position."""
        by_position = self._runs[config, depth]
        return [
            statistics.median(getattr(run, name) for run in by_position[position])
            for position in self.positions(depth)
        ]

    def pairs(self, config: str, other: str, depth: int) -> list[tuple[Iteration, Iteration]]:
        """The first runs of two configurations for each position."""
        runs, others = self._runs[config, depth], self._runs[other, depth]
        return [(runs[position][0], others[position][0]) for position in self.positions(depth)]

    def mean(self, config: str, depth: int, name: str) -> float:
        """Return the mean of these values; see `Iteration` for units."""
        return statistics.fmean(self.values(config, depth, name))
