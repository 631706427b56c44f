"""Files that make long work go on after an interruption: a plan, then a result a line, as JSON objects.

The last value of a line is a checksum, "crc": of the line without it and of the lines before. So a bit that
has changed is noticed, and a line that is missing or there twice.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, ClassVar

from .._internal.closing import Closing
from .._internal.files import named
from .._internal.system import lock_file
from .identity import Identity, differences

SEAL = re.compile(rb'(?:, )?"crc": "([0-9a-f]{8})"}$')
# What data of a wrong kind leads to.
WRONG = (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError)


class Chain:
    r"""The checksums of a journal, line after line.

    >>> line = Chain().sealed({"game": 1})
    >>> line
    b'{"game": 1, "crc": "b4ee951d"}\n'
    >>> Chain().check(line.rstrip())
    """

    def __init__(self, crc: int = 0) -> None:
        self.crc: int = crc  # of all lines so far

    def sealed(self, data: dict[str, Any]) -> bytes:
        """The next line."""
        body = json.dumps(data).encode().removesuffix(b"}")
        self.crc = zlib.crc32(body, self.crc)
        return body + b'%s"crc": "%08x"}\n' % (b", " if data else b"", self.crc)

    def check(self, line: bytes) -> None:
        """ValueError if this is not the next line; without its end."""
        seal = SEAL.search(line)
        self.crc = zlib.crc32(line[: seal.start()] if seal else line, self.crc)
        if seal is None or int(seal[1], 16) != self.crc:
            raise ValueError("damaged: its checksum is another one")


class Journal(Closing, ABC):
    """A journal: what is written survives the process.

    plan: JSON data, all that the work depends on; "engines" are identities, of which what varies is not
    compared. A file that is there is continued: each of its results is given to `_take`. A last line that was
    cut off by the end of the process is dropped. ValueError: the file is of another plan, is damaged, is no
    journal, or somebody else is writing it.
    """

    #: What it is the journal of.
    work: ClassVar[str]

    def __init__(self, path: str | os.PathLike[str], plan: dict[str, Any]) -> None:
        self.path: str = os.fspath(path)
        self._chain = Chain()
        self._end = 0  # of the lines that are whole
        self._waiting: list[dict[str, Any]] = []  # to be written behind them
        if os.path.exists(path) and not os.path.isfile(path):
            raise ValueError(f"{self.path}: a journal must be a plain file")
        self._file: IO[bytes] = open(path, "a+b")  # noqa: SIM115 - closed by close()
        try:
            self._lock()
            self._read(json.loads(json.dumps(plan)))
        except BaseException:
            with suppress(OSError):  # the full disk, which is reported already
                self._file.close()
            raise

    @abstractmethod
    def _take(self, found: dict[str, Any]) -> None:
        """Take a line that was found; one of `WRONG` if it is no result."""

    def _lock(self) -> None:
        """Two that write one journal would count results twice."""
        if not lock_file(self._file):
            raise ValueError(f"{self.path}: another {self.work} is writing it")

    def _read(self, plan: dict[str, Any]) -> None:
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), 1):
            with line_errors(self.path, number):
                if number == 1:
                    self._compare(parsed(line), plan)
                self._chain.check(line)
                if number > 1:
                    self._take(parsed(line))
        if not whole and not Chain().sealed(plan).startswith(data):
            raise ValueError(f"{self.path}: not a journal of a {self.work}")
        self._end = len(whole)
        if not whole:
            self._write(plan)

    def _compare(self, found: dict[str, Any], plan: dict[str, Any]) -> None:
        if found.get("format") != plan.get("format"):
            raise ValueError(f"not a journal of a {self.work}")
        names = [name for name in {**plan, **found} if found.get(name) != plan.get(name)]
        if "engines" in plan and len(found.get("engines", ())) == len(plan["engines"]):
            names = [name for name in names if name != "engines"]
            names += self._other_engines(found["engines"], plan)
        if names:
            raise ValueError(f"the journal is of a {self.work} with other {', '.join(names)}")

    def _other_engines(self, found: list[Identity], plan: dict[str, Any]) -> list[str]:
        """Which engines of the plan had another what."""
        pairs = enumerate(zip(found, plan["engines"], strict=True))
        others = [(self._engine_name(plan, number), differences(*pair)) for number, pair in pairs]
        return [f"engines: {name} had another {other}" for name, other in others if other]

    def _engine_name(self, plan: dict[str, Any], number: int) -> str:
        return str(plan["engines"][number].get("name", "eleengine"))

    def _write(self, *data: dict[str, Any]) -> None:
        """Add lines, to the disk."""
        self._waiting += data
        self._flush()

    def _flush(self) -> None:
        """Write what waits; after a Ctrl-C before the end of it, the next time does it again in its place."""
        chain = Chain(self._chain.crc)
        lines = b"".join(map(chain.sealed, self._waiting))
        end = self._end + len(lines)
        with named(self.path):
            self._file.truncate(self._end)
            self._file.write(lines)
            self._file.flush()
            os.fsync(self._file.fileno())
        self._chain, self._end, self._waiting = chain, end, []

    def close(self) -> None:
        """Close the file; an error has been raised by the write."""
        with suppress(OSError):
            if self._waiting and not self._file.closed:
                self._flush()
        with suppress(OSError):
            self._file.close()


@contextmanager
def line_errors(path: str | os.PathLike[str], number: int) -> Iterator[None]:
    """ValueError names the line of which something is wrong."""
    try:
        yield
    except WRONG as error:
        kind = "" if type(error) is ValueError else "not a line of a journal: "
        raise ValueError(f"{os.fspath(path)}:{number}: {kind}{error}") from None


def parsed(line: bytes) -> dict[str, Any]:
    """The data of a line; ValueError, RecursionError."""
    found = json.loads(line)
    if not isinstance(found, dict):
        raise ValueError("not a line of a journal")
    found.pop("crc", None)
    return found


def counted(number: object) -> int:
    """The number of a job or game; ValueError if it cannot be one."""
    if type(number) is not int or number < 0:
        raise ValueError(f"no number of a result: {str(number)[:40]}")
    return number
