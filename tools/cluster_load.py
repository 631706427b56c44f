"""How busy does a match keep the workers of a large cluster? A simulation with the real code on this side.

    PYTHONPATH=src python tools/cluster_load.py --workers 1000 --pair-seconds 5

Workers and scheduler are simulated: a game takes as long as chance says, the scheduler a fixed time for
each job, one job after the other. What this process has to do is done: making the jobs, unpickling results,
journal, counting, the sequential test, the line for each game. Its processor time counts as simulated time,
and so does a write to the disk for each job.
"""

from __future__ import annotations

import argparse
import heapq
import io
import pickle
import random
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from time import process_time
from typing import Any

from eleengine import Engine, Limit
from eleengine.jobs.executor import AHEAD
from eleengine.lab.match.game import PlayedGame
from eleengine.lab.match.journal import MatchJournal
from eleengine.lab.match.openings import read_openings
from eleengine.lab.match.outputs import MatchDisplay
from eleengine.lab.match.plan import MatchPlan
from eleengine.lab.match.play import GamesJob, play_games, play_match
from eleengine.lab.match.player import Player
from eleengine.lab.match.results import MatchResults
from eleengine.lab.match.spec import EngineSpec
from eleengine.lab.match.stats import Sprt

RESULTS = {"1-0": 0.375, "1/2-1/2": 0.25, "0-1": 0.375}
MIDDLE = (0.2, 0.8)  # of the pairs: neither the beginning nor the end of the match
SPREAD = 0.5  # of the logarithm of a game's length


class SimulatedCluster:
    """An executor whose time is simulated.

    clock: the time of this process. spans: when each job has begun and ended on its worker. returned: when a
    job has come back, and how many pairs had come back then.
    """

    def __init__(
        self, workers: int, game_seconds: float, *, job_ms: float, write_ms: float, sample: PlayedGame
    ) -> None:
        self.clock = 0.0
        self.spans: list[tuple[float, float]] = []
        self.returned: list[tuple[float, int]] = [(0.0, 0)]
        self._workers = workers
        self._game_seconds = game_seconds
        self._job = job_ms / 1000
        self._write = write_ms / 1000
        self._sample = sample
        self._random = random.Random(1)

    def run(
        self,
        function: Callable[[Any], Any],
        jobs: Iterable[Any],
        *,
        ahead: int | None = None,
        repeats: bool = False,
    ) -> Generator[tuple[int, Any]]:
        """As `Executor.run`."""
        assert function is play_games
        free = [0.0] * self._workers  # when each worker will have nothing to do
        ended: list[tuple[float, int, bytes]] = []
        todo, places = iter(jobs), count()
        while True:
            while len(ended) < AHEAD * self._workers:
                begun = process_time()
                job = next(todo, None)
                self.clock += process_time() - begun
                if job is None:
                    break
                self.clock += self._job
                seconds, result = self._played(job)
                start = max(self.clock, heapq.heappop(free))
                heapq.heappush(free, start + seconds)
                heapq.heappush(ended, (start + seconds, next(places), result))
                self.spans.append((start, start + seconds))
            if not ended:
                return
            end, place, result = heapq.heappop(ended)
            self.clock = max(self.clock, end)
            begun = process_time()
            found = pickle.loads(result)
            yield place, found
            self.clock += process_time() - begun + self._write
            self.returned.append((self.clock, self.returned[-1][1] + len(found) // 2))

    def _played(self, job: GamesJob) -> tuple[float, bytes]:
        """How long the games of a job take, and what comes back from them."""
        total, found = 0.0, []
        for number, _ in job.games:
            seconds = self._game_seconds * self._random.lognormvariate(-(SPREAD**2) / 2, SPREAD)
            [result] = self._random.choices(list(RESULTS), list(RESULTS.values()))
            task = job.plan.task(number)
            names = [job.plan.players[index].name for index in (task.red, task.black)]
            per_move = seconds / len(self._sample.notes)
            notes = tuple(note._replace(seconds=per_move) for note in self._sample.notes)
            found.append(
                (number, replace(self._sample, red=names[0], black=names[1], result=result, notes=notes))
            )
            total += seconds
        return total, pickle.dumps(found)

    def busy(self, begin: float, end: float) -> float:
        """The share of the time from begin to end in which workers have worked."""
        worked = sum(max(0.0, min(stop, end) - max(start, begin)) for start, stop in self.spans)
        return worked / (self._workers * (end - begin))

    def workers(self) -> int:
        """As `Executor.workers`."""
        return self._workers

    def close(self) -> None:
        """Nothing to end."""

    def __enter__(self) -> SimulatedCluster:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def simulate(
    workers: int, pairs: int, pair_seconds: float, job_ms: float, write_ms: float
) -> dict[str, float]:
    """Play a simulated match: the share of time in which workers are busy, jobs a second, and so on."""
    openings = tuple(read_openings("openings"))
    players = (EngineSpec("new"), EngineSpec("old"))
    plan = MatchPlan(players, openings, Limit(nodes=20_000), pairs, sprt=Sprt(-1, 1, 1e-9, 1e-9))
    sample = _sample(plan)
    cluster = SimulatedCluster(workers, pair_seconds / 2, job_ms=job_ms, write_ms=write_ms, sample=sample)
    with (
        tempfile.TemporaryDirectory() as folder,
        redirect_stdout(io.StringIO()),
        MatchJournal(Path(folder) / "match.jsonl", plan) as journal,
        MatchDisplay(MatchResults(plan), quiet=False) as show,
    ):
        results = play_match(plan, journal=journal, executor=cluster, reports=[show.take])
    assert results.counted == plan.games
    begin, end = (min(t for t, n in cluster.returned if n >= part * pairs) for part in MIDDLE)
    return {
        "workers busy": cluster.busy(0.0, cluster.clock),
        "the same in the middle": cluster.busy(begin, end),
        "pairs a second there": (MIDDLE[1] - MIDDLE[0]) * pairs / (end - begin),
        "jobs a second": len(cluster.spans) / cluster.clock,
        "pairs a job": pairs / len(cluster.spans),
        "seconds": cluster.clock,
    }


def _sample(plan: MatchPlan) -> PlayedGame:
    """A game of usual length."""
    players = [Player(name, partial(Engine, hash_mib=1)) for name in "ab"]
    short = replace(plan, limit=Limit(nodes=200))
    games = [short.play(number, dict(enumerate(players))) for number in range(0, 20, 2)]
    return sorted(games, key=lambda game: game.plies)[len(games) // 2]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--pair-seconds", type=float, default=10.0, help="mean, of both games (%(default)s)")
    parser.add_argument("--job-ms", type=float, default=3.5, help="of the scheduler, a job (%(default)s)")
    parser.add_argument("--write-ms", type=float, default=5.0, help="of the disk, a write (%(default)s)")
    args = parser.parse_args()
    found = simulate(args.workers, args.pairs, args.pair_seconds, args.job_ms, args.write_ms)
    for name, value in found.items():
        print(f"{name:<22} {value:10.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
