"""Standard input and output as pipes to another program: lines of bytes, until a signal or its end."""

import errno
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from time import sleep


def read_lines(chunks: Iterable[bytes], longest: int) -> Iterator[bytes]:
    """The lines that come in pieces, the last one with or without its end.

    A line of more than `longest` bytes is cut, though not to that length: so the cut shows.
    """
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield b"".join((*parts, line))
            parts, size = [], 0
        if size <= longest:
            parts.append(rest)
            size += len(rest)
    if size:
        yield b"".join(parts)


if sys.platform == "win32":

    def read_chunks(fd: int) -> Iterator[bytes]:
        """What comes through the file descriptor, until its end."""
        import msvcrt

        for number in (fd, 1):
            msvcrt.setmode(number, os.O_BINARY)
        while chunk := os.read(fd, 1 << 16):
            yield chunk

    def await_room(fd: int) -> None:
        """Wait for a pipe that takes nothing at the moment; there is none here that says so."""
        sleep(0.01)

else:
    import select

    def await_room(fd: int) -> None:
        """Wait until the file descriptor takes something, or has ended."""
        select.select([], [fd], [])

    def read_chunks(fd: int) -> Iterator[bytes]:
        """What comes through the file descriptor, until its end; KeyboardInterrupt after a signal.

        The signal comes through a pipe of its own: so it is not missed in the moment before the
        read begins.
        """
        wake, alarm = os.pipe()
        os.set_blocking(alarm, False)
        signal.set_wakeup_fd(alarm, warn_on_full_buffer=False)
        while True:
            ready, _, _ = select.select([fd, wake], [], [])
            if wake in ready:
                raise KeyboardInterrupt
            chunk = os.read(fd, 1 << 16)
            if not chunk:
                return
            yield chunk


def end_process() -> None:
    """End the process now, from any thread; all replies have been written."""
    os._exit(0)


def write_stdout(reply: bytes) -> None:
    """Write a whole line at once. When nobody listens any more, the process ends quietly.

    On a full disk it ends with a line on stderr and status 2.
    """
    try:
        while reply:
            try:
                reply = reply[os.write(1, reply) :]
            except BlockingIOError:  # who started us has made the pipe so, for itself
                await_room(1)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            with suppress(OSError):
                os.write(2, f"eleengine: output: {error.strerror}\n".encode())
            os._exit(2)
        end_process()
