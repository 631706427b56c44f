"""Files: what may be read by its name, and files that are never half there."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from typing import BinaryIO, TypeVar, cast

from .system import has_room
from .terminal import PrintableBytes

LEFT_OVER = 86_400.0  # seconds without a change after which a part is of a writer that was killed
_PART = re.compile("[0-9a-f]{12}\\.part")
_Path = TypeVar("_Path", bound=str | PathLike[str])

#: What a shell has opened for us, such as the pipe of `eleengine show <(xzcat games.pgn.xz)`: it does end.
_OPENED = ("/dev/fd/", "/dev/stdin", "/proc/self/fd/")


def plain_file(path: _Path) -> _Path:
    """Return the path of a file that is to be read; OSError if it is missing, or a pipe or device.

    Opening a pipe by its name waits until somebody writes to it, and a device may have no end.
    """
    named: str | PathLike[str] = path
    mode = os.stat(os.fspath(named)).st_mode  # a number would be a file that is open
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode) and not str(path).startswith(_OPENED):
        kind = "pipe" if stat.S_ISFIFO(mode) else "device"
        raise OSError(errno.EINVAL, f"a {kind}, not a file", str(path))
    return path


def read_bytes(path: str | PathLike[str]) -> bytes:
    """The bytes of a file, "-" is stdin; OSError as for `read_file`."""
    return sys.stdin.buffer.read() if path == "-" else read_file(path)


def read_file(path: str | PathLike[str]) -> bytes:
    """The bytes of a file; OSError as for `plain_file`, and if they need more memory than is free."""
    with open(plain_file(path), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if not has_room(size):
            raise OSError(errno.ENOMEM, f"{size >> 20} MiB, more memory than is free", os.fspath(path))
        return file.read()


@contextmanager
def replaced(path: str | PathLike[str], *, private: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of that at the path when the block ends without an error.

    Others see the old one or the new one, whatever happens. "-" is stdout; what is no plain file, such as a
    pipe, is written to as it is. private: readable by the user alone (mode 0600), and a symbolic link at the
    path is replaced instead of followed. OSError.
    """
    target = os.fspath(path)
    if target == "-":
        shown = PrintableBytes(sys.stdout) if sys.stdout.isatty() else sys.stdout.buffer
        yield cast(BinaryIO, shown)
        shown.flush()
        return
    if os.path.exists(target) and not os.path.isfile(target) and not private:
        with named(target), open(target, "wb") as special:
            yield special
        return
    place = os.path.abspath(target) if private else os.path.realpath(target)
    before = os.stat(target).st_mode & 0o777 if os.path.exists(target) and not private else None
    mode = 0o600 if private else 0o666 if before is None else before
    part = _part_of(place)
    with named(target, part):
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    try:
        with named(target), open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if before is not None:  # of which the system may have taken some
            os.chmod(part, before)
        os.replace(part, place)
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
    """The name of a file to make beside PATH, which becomes PATH when the block ends without an error.

    FileExistsError if there is such a file, before anything is written.
    """
    path = os.fspath(path)
    if os.path.exists(path):
        raise FileExistsError(errno.EEXIST, "exists already", path)
    part = _part_of(path)
    try:
        with named(path, part):
            yield part
            with open(part, "rb+") as file:
                os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            os.remove(part)
        raise


@contextmanager
def named(path: str, part: str | None = None) -> Iterator[None]:
    """Give an OSError without a file name, as a full disk raises it, or of the part, that of the file."""
    try:
        yield
    except OSError as error:
        if error.filename not in (None, part) or error.errno is None or isinstance(error, BrokenPipeError):
            raise
        raise OSError(error.errno, error.strerror, path) from None


def _part_of(path: str) -> str:
    """A name beside a file for what is not whole yet: no other file's, and no longer than names may be.

    What writers of the same file have left who were killed a day ago or longer is removed.
    """
    folder, name = os.path.split(path)
    start = f".{name[:30]}."
    with suppress(OSError), os.scandir(folder or ".") as entries:
        for entry in entries:
            if _PART.fullmatch(entry.name.removeprefix(start)) and entry.name.startswith(start):
                with suppress(OSError):  # another has removed it, or may not
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > LEFT_OVER:
                        os.unlink(entry.path)
    return os.path.join(folder, f"{start}{os.urandom(6).hex()}.part")
