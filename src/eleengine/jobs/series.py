"""A long run of jobs that survives interruptions: each result is written down once, and never computed again.

A run asks for jobs in an order that depends on nothing but its plan and the results before. Begun again with
the same plan it asks for the same jobs, and the journal answers those that were done: so it goes on where it
ended, and ends as if it had never been interrupted. The lines of a journal are JSON: the plan, then `job`
(its number) and `result`.

>>> series = JobSeries()
>>> series.results(abs, [3, -4]), series.results(abs, [-5]), series.jobs
([3, 4], [5], 3)
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .executor import Executor
from .journal import Journal, counted

J = TypeVar("J")


class SeriesJournal(Journal):
    """The journal of a run: after the plan `job` (its number) and `result` a line; `results`: those found."""

    work = "run"

    def __init__(self, path: str | os.PathLike[str], plan: dict[str, Any]) -> None:
        self.results: dict[int, Any] = {}
        super().__init__(path, plan)

    def _take(self, found: dict[str, Any]) -> None:
        number, result = counted(found["job"]), found["result"]
        if number in self.results:
            raise ValueError(f"job {number} is there twice")
        self.results[number] = result

    def append(self, number: int, result: Any) -> None:
        """Write a result, to the disk."""
        self._write({"job": number, "result": result})


class JobSeries:
    """Numbers the jobs of a run and does those that the journal does not know.

    jobs: asked for so far. known: how many of them the journal answered.
    """

    def __init__(self, executor: Executor | None = None, journal: SeriesJournal | None = None) -> None:
        self.jobs: int = 0
        self.known: int = 0
        self._executor = executor or Executor()
        self._journal = journal

    def results(self, function: Callable[[J], Any], jobs: Sequence[J]) -> list[Any]:
        """The result of each job, in order: JSON data (lists, not tuples, with a journal)."""
        first = self.jobs
        self.jobs += len(jobs)
        known = self._journal.results if self._journal is not None else {}
        found = {index: known[first + index] for index in range(len(jobs)) if first + index in known}
        self.known += len(found)
        missing = [index for index in range(len(jobs)) if index not in found]
        for done, result in self._executor.run(function, [jobs[index] for index in missing]):
            found[missing[done]] = result
            if self._journal is not None:
                self._journal.append(first + missing[done], result)
        return [found[index] for index in range(len(jobs))]
