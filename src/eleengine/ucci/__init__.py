"""The engine as a program: UCCI 3.0 and UCI on stdin and stdout.

`main` is what a GUI starts; `eleengine.ucci.loop.Loop` holds the same conversation over any pair of
pipes.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from warnings import simplefilter

from .._internal.pipes import end_process, read_chunks, read_lines, write_stdout
from .._internal.system import when_orphaned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .loop import Loop

# What Ctrl-C does. On Windows it interrupts no read from a pipe: there the system ends the process.
INTERRUPT = signal.SIG_DFL if sys.platform == "win32" else signal.default_int_handler


def main(argv: Sequence[str] | None = None) -> int:
    """Talk to the GUI until `quit`, the end of stdin, a signal or, on Windows, the end of the GUI.

    argv: the arguments, none of which is known (default: none). Returns the exit status. Nothing is written
    on stderr, unless the engine cannot start.
    """
    if argv:
        print(f"eleengine: the UCCI engine takes no arguments, not {argv[0]!r}", file=sys.stderr)
        return 2
    from .loop import Loop

    return serve(Loop)


def serve(
    make: "Callable[..., Loop]", *, begin: "Callable[[Iterator[bytes]], Iterable[bytes]]" = iter
) -> int:
    """Hold a conversation on stdin and stdout, as `main` does.

    make: `Loop`, or what is called like it. begin: takes the lines of stdin, and returns those that it gets.
    """
    if sys.stdin is None:  # closed from the start
        return 0
    from .loop import LONGEST

    simplefilter("ignore")  # the GUI reads of fewer threads than wanted
    if not sys.stdin.isatty() and os.environ.get("ELEENGINE_WATCH_PARENT") != "0":
        when_orphaned(end_process)
    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) != signal.SIG_IGN:  # as in the background of a shell
                signal.signal(number, INTERRUPT)
        lines = begin(iter(read_lines(read_chunks(0), LONGEST)))
        make(write_stdout, newline=os.linesep, end_process=end_process).run(lines)
    except KeyboardInterrupt:
        pass
    except RuntimeError as error:  # the system gives no thread
        print(f"eleengine: {error}", file=sys.stderr)
        return 2
    return 0
