"""Running the searches of an experiment, and keeping what they found."""

from __future__ import annotations

import csv
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, TextIO

from .._core import BaseBoard, Move, ThesisInfo, ThesisSearch
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
    tell: Callable[[int, int, int], object] = lambda done, total, leaves: None,
) -> Iterator[Iteration]:
    """Search every board with every configuration, from depth 1 to depth, with nothing learnt before.

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
                infos = search.search(board, depth=depth, report=iteration_done)
                done += 1
                leaves += infos[-1].leaves
                before = 0
                for info in infos:
                    yield Iteration(
                        config=name,
                        threads=options.get("threads", 1),
                        position=position,
                        repeat=repeat,
                        depth=info.depth,
                        score=info.score,
                        move=info.move.iccs(),
                        leaves=info.leaves,
                        last=info.leaves - before,
                        nodes=info.nodes,
                        probes=info.probes,
                        hits=info.hits,
                        cuts=info.cuts,
                        first_cuts=info.first_cuts,
                        seconds=max(info.seconds, 1e-6),  # of the clock's resolution
                        cpu_seconds=max(info.cpu_seconds, 1e-6),
                        idle=info.idle,
                    )
                    before = info.leaves


class IterationWriter:
    """Writes runs as CSV, each as soon as it is there."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._writer = csv.DictWriter(file, [field.name for field in fields(Iteration)], lineterminator="\n")
        self._writer.writeheader()

    def write(self, run: Iteration) -> None:
        self._writer.writerow(asdict(run))
        self._file.flush()


def read_iterations(file: Iterable[str]) -> list[Iteration]:
    """The runs of a CSV file; ValueError names the bad line."""
    reader = csv.DictReader(file)
    kinds = {"str": str, "int": int, "float": float}
    names = [field.name for field in fields(Iteration)]
    runs = []
    try:
        fits = reader.fieldnames == names
        for row in reader if fits else ():
            values = {field.name: kinds[str(field.type)](row[field.name]) for field in fields(Iteration)}
            runs.append(Iteration(**values))
    except (TypeError, ValueError, csv.Error):
        raise ValueError(f"{max(1, reader.line_num)}: not a line of such a file") from None
    if not fits:
        raise ValueError(f"1: the first line must be {','.join(names)}")
    if not runs:
        raise ValueError("1: nothing below the first line")
    return runs


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
        return (config, depth) in self._runs and bool(self.positions(depth))

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
        return statistics.fmean(self.values(config, depth, name))
