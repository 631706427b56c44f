"""The engine as a program: UCCI 3.0 and UCI on stdin and stdout.

`main` is what a GUI starts; `eleengine.ucci.loop.Loop` holds the same conversation over any pair of
pipes.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from warnings import simplefilter

from .._internal.pipes import end_process, read_chunks, read_lines, write_stdout
from .._internal.system import when_orphaned
from .._version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .loop import Loop

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
    from .loop import Loop

    if sys.stdin is not None and sys.stdin.isatty():
        print(INTRODUCTION, file=sys.stderr)
    return serve(Loop, obey=obey)


def serve(make: "Callable[..., Loop]", *, obey: Callable[[str], bool] | None = None) -> int:
    """Hold a conversation on stdin and stdout, as `main` does. make: `Loop`, or what is called like it."""
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
        lines: Iterable[bytes] = read_lines(read_chunks(0), LONGEST)
        if obey is not None and sys.stdin.isatty():
            lines = after_commands(iter(lines), obey)
        make(write_stdout, newline=os.linesep, end_process=end_process).run(lines)
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
