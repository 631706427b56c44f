"""Reading suites: files of positions, one a line, mostly as JSON objects."""

from collections.abc import Callable
from typing import Any, TypeVar

from ..._internal.folders import named_file
from ..._internal.json_text import read_object
from ...board import Board
from ...position_text import read_exactly
from ...records import RecordError, encoding
from ...records.packing import read_bytes
from .. import CommandError, input_errors, warn

Case = TypeVar("Case")


def read_suite(
    path: str, read_case: Callable[[dict[str, Any], int], Case], *, bad: list[str] | None = None
) -> list[Case]:
    """What read_case makes of the object of each line and its number; CommandError names the first bad line.

    path: a file, "-" for stdin, or the name of a file that comes with the package (`folders.named_file`).
    bad: gets what is wrong with each bad line, which is also reported on stderr; the others are read.
    """
    path = named_file(path)
    with input_errors(RecordError):
        data = read_bytes(path)
    return read_cases(data, path, lambda line, number: read_case(read_object(line), number), bad)


def read_cases(
    data: bytes, path: str, read_line: Callable[[str, int], Case], bad: list[str] | None
) -> list[Case]:
    """What read_line makes of each line and its number, of the bytes of a file; bad: as for `read_suite`."""
    with input_errors():
        lines = encoding.split_lines(data, path)
    cases = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                cases.append(read_line(line, number))
            except ValueError as error:
                leave_out(f"{path}:{number}: {error}", bad)
    if not cases:
        raise CommandError(f"{path}: no positions")
    return cases


def leave_out(message: str, bad: list[str] | None) -> None:
    """Report what is wrong with a part of a file, and note it in bad; CommandError without that."""
    if bad is None:
        raise CommandError(message)
    warn(message)
    bad.append(message)


def read_fen(data: dict[str, Any]) -> Board:
    """The position of an object; ValueError also for what reading it would guess or leave out."""
    fen = data.get("fen")
    if not isinstance(fen, str):
        raise ValueError('"fen" must be a text')
    return read_exactly(fen)
