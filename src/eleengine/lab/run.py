"""A long run of jobs that survives interruptions: each result is written down once, and never computed again.

A run asks for jobs in an order that depends on nothing but its plan and the results before. Begun again with
the same plan it asks for the same jobs, and the journal answers those that were done: so it goes on where it
ended, and ends as if it had never been interrupted. The lines of a journal are JSON: the plan, then
`[number of the job, result]`.

>>> run = Run()
>>> run.results(abs, [3, -4]), run.results(abs, [-5]), run.jobs
([3, 4], [5], 3)
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any, Self, TypeVar

from .cluster import Executor, Here

J = TypeVar("J")


class Journal:
    """The results of a run in a file; results: those that were found there, by number of the job.

    plan: JSON data, all that the run depends on. A file that is there is continued; a last line that was
    cut off is dropped. ValueError: it is of another plan, is no journal, or another run is writing it.
    """

    def __init__(self, path: str | os.PathLike[str], plan: dict[str, Any]) -> None:
        self.results: dict[int, Any] = {}
        self._path = os.fspath(path)
        self._file: IO[bytes] = open(path, "a+b")  # noqa: SIM115 - closed by close()
        try:
            self._lock()
            self._read(json.loads(json.dumps(plan)))
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        with suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise ValueError(f"{self._path}: another run is writing it") from None

    def _read(self, plan: dict[str, Any]) -> None:
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                found = json.loads(line)
                if number == 1:
                    self._compare(found, plan)
                elif isinstance(found, list) and len(found) == 2 and isinstance(found[0], int):
                    self.results.setdefault(*found)
                else:
                    raise ValueError("not a line of a journal")
            except ValueError as error:
                raise ValueError(f"{self._path}:{number}: {error}") from None
        if not whole:
            if data and not _line(plan).startswith(data):
                raise ValueError(f"{self._path}: not the journal of a run")
            self._file.truncate(0)
            self._write(plan)
        else:
            self._file.truncate(len(whole))

    @staticmethod
    def _compare(found: Any, plan: dict[str, Any]) -> None:
        if not isinstance(found, dict):
            raise ValueError("not the journal of a run")
        if names := [name for name in {**plan, **found} if found.get(name) != plan.get(name)]:
            raise ValueError(f"the journal is of a run with other {', '.join(names)}")

    def append(self, number: int, result: Any) -> None:
        """Write a result, to the disk."""
        self._write([number, result])

    def _write(self, data: Any) -> None:
        self._file.write(_line(data))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _line(data: Any) -> bytes:
    return json.dumps(data).encode() + b"\n"


class Run:
    """Numbers the jobs of a run and does those that the journal does not know.

    jobs: asked for so far. known: how many of them the journal answered.
    report: called after each job that was done.
    """

    def __init__(
        self,
        executor: Executor | None = None,
        journal: Journal | None = None,
        report: Callable[[], object] | None = None,
    ) -> None:
        self.jobs = self.known = 0
        self._executor = executor or Here()
        self._journal = journal
        self._report = report

    def results(self, function: Callable[[J], Any], jobs: Sequence[J]) -> list[Any]:
        """The result of each job, in order: JSON data (lists, not tuples, with a journal)."""
        first = self.jobs
        self.jobs += len(jobs)
        found: dict[int, Any] = {}
        if self._journal is not None:
            for place in range(len(jobs)):
                if first + place in self._journal.results:
                    found[place] = self._journal.results[first + place]
            self.known += len(found)
        places = [place for place in range(len(jobs)) if place not in found]
        for index, result in self._executor.run(function, [jobs[place] for place in places]):
            found[places[index]] = result
            if self._journal is not None:
                self._journal.append(first + places[index], result)
            if self._report is not None:
                self._report()
        return [found[place] for place in range(len(jobs))]
