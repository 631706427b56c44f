"""Files: what may be read by its name, and files that are never half there."""

from __future__ import annotations

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

_Path = TypeVar("_Path", bound=str | PathLike[str])

#: What a shell has opened for us, such as the pipe of `eleengine show <(xzcat games.pgn.xz)`: it does end.
_OPENED = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")


def plain_file(path: _Path) -> _Path:
    """Return the path of a file that is to be read; OSError if it is missing, or a pipe or device.

    Opening a pipe by its name waits until somebody writes to it, and a device may have no end.
    """
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode) and not str(path).startswith(_OPENED):
        kind = "pipe" if stat.S_ISFIFO(mode) else "device"
        raise OSError(errno.EINVAL, f"a {kind}, not a file", str(path))
    return path


def read_bytes(path: str | PathLike[str]) -> bytes:
    """The bytes of a file, "-" is stdin; OSError as for `plain_file`."""
    return sys.stdin.buffer.read() if path == "-" else Path(plain_file(path)).read_bytes()


@contextmanager
def replaced(path: str | PathLike[str], *, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of that at the path when the block ends without an error.

    Others see the old one or the new one, whatever happens. "-" is stdout; what is no plain file, such as a
    pipe, is written to as it is. private: readable by the user alone (mode 0600), and a symbolic link at the
    path is replaced instead of followed. OSError.
    """
    target = os.fspath(path)
    if target == "-":
        yield cast(BinaryIO, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    if os.path.exists(target) and not os.path.isfile(target) and not private:
        with open(target, "wb") as special:
            yield special
        return
    folder, name = os.path.split(os.path.abspath(target) if private else os.path.realpath(target))
    try:
        handle, part = tempfile.mkstemp(prefix=f".{name}.", suffix=".part", dir=folder)
    except OSError as error:
        raise OSError(error.errno, error.strerror, target) from None
    try:
        with _named(target), open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not private:  # as which it was made
            mode = os.stat(target).st_mode if os.path.exists(target) else 0o666 & ~_umask()
            os.chmod(part, mode & 0o777)
        os.replace(part, os.path.join(folder, name))
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def write_whole(path: str | PathLike[str], data: bytes, *, private: bool = False) -> None:
    """Write a file at once: see `replaced`; OSError."""
    with replaced(path, private=private) as file:
        file.write(data)


@contextmanager
def new_file(path: str | PathLike[str]) -> Iterator[str]:
    """The name to write to, PATH.part, which becomes PATH when the block ends without an error.

    FileExistsError if there is such a file, before anything is written.
    """
    path = os.fspath(path)
    if os.path.exists(path):
        raise FileExistsError(errno.EEXIST, "exists already", path)
    part = f"{path}.part"
    with suppress(FileNotFoundError):
        os.remove(part)
    try:
        with _named(path):
            yield part
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            os.remove(part)
        raise


@contextmanager
def _named(path: str) -> Iterator[None]:
    """Give an OSError without a file name, as a full disk raises it, that of the file that is written."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno is None or isinstance(error, BrokenPipeError):
            raise
        raise OSError(error.errno, error.strerror, path) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
