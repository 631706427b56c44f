"""Files that gzip, xz, bzip2 or zstd has packed, unpacked on the way."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from typing import TYPE_CHECKING, BinaryIO, Final, cast

from .._internal import files
from .errors import RecordError, of_source
from .limits import limits

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BUFFER: Final = 1 << 16  # bytes that can be looked at before they are read
_PART: Final = 1 << 20  # bytes that are read at once


def _open_zstd(file: BinaryIO, mode: str) -> BinaryIO:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise RecordError(
            "the file is packed by zstd, which Python reads from 3.14 on: unpack it first"
        ) from None
    return cast(BinaryIO, zstd.open(file, mode))


_PACKED: Final = (
    (b"\x1f\x8b", gzip.open),
    (b"\xfd7zXZ\0", lzma.open),
    (b"BZh", bz2.open),
    (b"\x28\xb5\x2f\xfd", _open_zstd),
)


def is_packed(head: bytes) -> bool:
    """Do the first bytes of a file say that it is packed?"""
    return head.startswith(tuple(magic for magic, _ in _PACKED))


def unpacked(file: io.BufferedReader, name: str) -> tuple[io.BufferedReader, str]:
    """The file and its name, or the contents of a packed one and their name, which lacks a suffix.

    RecordError: it is packed by zstd, which this Python cannot read; from reading: it is damaged or cut.
    """
    head = file.peek(8)
    for magic, opener in _PACKED:
        if head.startswith(magic):
            contents = _Contents(cast(BinaryIO, opener(cast(BinaryIO, file), "rb")))
            return io.BufferedReader(contents, BUFFER), name.rpartition(".")[0]
    return file, name


class _Contents(io.RawIOBase):
    """What is in a packed file, with one kind of error for all that may be wrong with it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        try:
            data = self._file.read(len(view))
        except MemoryError:
            raise
        except Exception as error:  # each module has its own
            if isinstance(error, OSError) and error.errno is not None:  # of the disk
                raise
            raise RecordError("the packed file is damaged: {}", error) from None
        view[: len(data)] = data
        return len(data)


@contextmanager
def opened(path: str | PathLike[str]) -> Iterator[tuple[io.BufferedReader, str]]:
    """A file by its path, as `unpacked`; OSError as for `files.plain_file`, a RecordError names the path."""
    with open(files.plain_file(path), "rb") as file, of_source(str(path)):
        yield unpacked(file, str(path))


def unpack(data: bytes, most: int, name: str = "") -> tuple[bytes, str]:
    """As `unpacked`, for bytes: of the contents of packed ones at most one more than `most`."""
    if not is_packed(data):
        return data, name
    contents, name = unpacked(io.BufferedReader(cast(io.RawIOBase, io.BytesIO(data))), name)
    return read_up_to(cast(BinaryIO, contents), most + 1), name


def read_up_to(file: BinaryIO, most: int) -> bytes:
    """The bytes of a file, at most `most`.

    `read` reserves the memory that is asked for, even if the file is small.
    """
    parts = []
    while most > 0 and (part := file.read(min(most, _PART))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def read_bytes(path: str | PathLike[str]) -> bytes:
    """The bytes of a file or of what is packed in it, "-" is stdin; OSError as for `files.plain_file`.

    RecordError, which names the path, if a packed file is damaged, or larger than `limits.file`.
    """
    data = files.read_bytes(path)
    with of_source(str(path)):
        contents, _ = unpack(data, limits.file)
        if contents is not data and len(contents) > limits.file:
            raise RecordError("a packed file of more than {} MiB is not read", limits.file >> 20)
    return contents
