"""Files that make long work go on after an interruption: a plan, then a result a line, as JSON."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import IO, Any, ClassVar, Self

from ...system import lock_file


class Journal(ABC):
    """A journal: what is written survives the process.

    plan: JSON data, all that the work depends on. A file that is there is continued: each of its results is
    given to `_take`. A last line that was cut off by the end of the process is dropped. ValueError: the file
    is of another plan, is no journal, or somebody else is writing it.
    """

    #: What it is the journal of.
    work: ClassVar[str]

    def __init__(self, path: str | os.PathLike[str], plan: dict[str, Any]) -> None:
        self.path = os.fspath(path)
        self._file: IO[bytes] = open(path, "a+b")  # noqa: SIM115 - closed by close()
        try:
            self._lock()
            self._read(json.loads(json.dumps(plan)))
        except BaseException:
            self._file.close()
            raise

    @abstractmethod
    def _take(self, found: Any) -> None:
        """Take a line that was found; ValueError, KeyError, TypeError or IndexError if it is no result."""

    def _lock(self) -> None:
        """Two that write one journal would count results twice."""
        if not lock_file(self._file):
            raise ValueError(f"{self.path}: another {self.work} is writing it")

    def _read(self, plan: dict[str, Any]) -> None:
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                found = json.loads(line)
                if number == 1:
                    self._compare(found, plan)
                else:
                    self._take(found)
            except (ValueError, KeyError, TypeError, IndexError) as error:
                kind = "" if type(error) is ValueError else "not a line of a journal: "
                raise ValueError(f"{self.path}:{number}: {kind}{error}") from None
        if not whole and not _line(plan).startswith(data):
            raise ValueError(f"{self.path}: not a journal of a {self.work}")
        self._file.truncate(len(whole))
        if not whole:
            self._write(plan)

    def _compare(self, found: Any, plan: dict[str, Any]) -> None:
        if not isinstance(found, dict) or found.get("format") != plan.get("format"):
            raise ValueError(f"not a journal of a {self.work}")
        if names := [name for name in {**plan, **found} if found.get(name) != plan.get(name)]:
            raise ValueError(f"the journal is of a {self.work} with other {', '.join(names)}")

    def _write(self, *data: Any) -> None:
        """Add lines, to the disk."""
        try:
            self._file.write(b"".join(map(_line, data)))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.path) from None

    def close(self) -> None:
        """Close the file; what cannot be written now has been told by the write."""
        with suppress(OSError):
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _line(data: Any) -> bytes:
    return json.dumps(data).encode() + b"\n"
