"""The engine as a program: UCCI 3.0 and UCI on stdin and stdout.

`main` is what a GUI starts; `eleengine.ucci.loop.Loop` holds the same conversation over any pair of
pipes.
"""

import os
import signal
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Talk to the GUI until `quit` or the end of stdin; return the exit status.

    argv: the arguments, none of which is known (default: none). Nothing is written on stderr.
    """
    if argv:
        print(f"eleengine: the UCCI engine takes no arguments, not {argv[0]!r}", file=sys.stderr)
        return 2
    try:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        from .loop import Loop

        Loop(write_stdout, newline=os.linesep, leave=leave).run(sys.stdin.buffer)
    except KeyboardInterrupt:
        pass
    return 0


def leave() -> None:
    """End the process now, from any thread; all replies have been written."""
    os._exit(0)


def write_stdout(reply: bytes) -> None:
    """Write a whole line at once. When nobody listens any more, the process ends quietly."""
    try:
        while reply:
            reply = reply[os.write(1, reply) :]
    except OSError:
        leave()
