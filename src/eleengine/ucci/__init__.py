"""The engine as a program: UCCI 3.0 and UCI on stdin and stdout.

`main` is what a GUI starts; `eleengine.ucci.loop.Loop` holds the same conversation over any pair of
pipes.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from time import sleep
from warnings import simplefilter

from .._internal.system import when_orphaned
from .._version import __version__

# Who double-clicks the program sees this.
INTRODUCTION = f"""\
eleengine {__version__}: a xiangqi engine for a GUI, whose commands it waits for (UCCI or UCI); quit ends it.
Without a GUI type play to play here, board for a board in the browser, help for all commands.
这是象棋引擎，请在象棋界面中加载（UCCI 或 UCI）；输入 quit 退出。
没有界面时，输入 play 就在这里下棋，board 打开浏览器里的棋盘，help 列出所有命令。"""

# What Ctrl-C does. On Windows it interrupts no read from a pipe: there the system ends the process.
INTERRUPT = signal.SIG_DFL if sys.platform == "win32" else signal.default_int_handler


def main(argv: Sequence[str] | None = None, *, obey: Callable[[str], bool] | None = None) -> int:
    """Talk to the GUI until `quit`, the end of stdin, a signal or, on Windows, the end of the GUI.

    argv: the arguments, none of which is known (default: none). obey: runs what a person types before the
    first word of a protocol, and says whether to go on. Returns the exit status. Nothing is written on
    stderr, unless a person types, who gets a line about what this is, or the engine cannot start.
    """
    if argv:
        print(f"eleengine: the UCCI engine takes no arguments, not {argv[0]!r}", file=sys.stderr)
        return 2
    if sys.stdin is None:  # closed from the start
        return 0
    from .loop import LONGEST, Loop

    simplefilter("ignore")  # of fewer threads than wanted the GUI is told
    if sys.stdin.isatty():
        print(INTRODUCTION, file=sys.stderr)
    elif os.environ.get("ELEENGINE_WATCH_PARENT") != "0":
        when_orphaned(end_process)
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) != signal.SIG_IGN:  # as in the background of a shell
                signal.signal(number, INTERRUPT)
        lines: Iterable[bytes] = read_lines(read_chunks(0), LONGEST)
        if obey is not None and sys.stdin.isatty():
            lines = after_commands(iter(lines), obey)
        Loop(write_stdout, newline=os.linesep, end_process=end_process).run(lines)
    except KeyboardInterrupt:
        pass
    except RuntimeError as error:  # the system gives no thread
        print(f"eleengine: {error}", file=sys.stderr)
        return 2
    return 0


def after_commands(lines: Iterator[bytes], obey: Callable[[str], bool]) -> Iterable[bytes]:
    """The lines from the first word of a protocol on; none if obey, for those before, returns False."""
    for line in lines:
        text = line.decode(errors="replace").strip()
        if text.lower() in ("ucci", "uci", "isready", "quit"):
            return chain((line,), lines)
        if text and not obey(text):
            break
    return ()


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
