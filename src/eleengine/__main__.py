"""The command line: `eleengine` alone speaks UCCI, `eleengine COMMAND ...` does one job and ends.

Exit status: 0 done, 1 the job found something wrong, 2 bad input (stderr says what), 130 interrupted,
141 nobody reads the output any more, 129, 131 and 143 ended by SIGHUP, SIGQUIT and SIGTERM.
"""

import argparse
import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain
from types import FrameType

from ._internal.system import split_command
from ._internal.terminal import printable_output
from ._version import __version__
from .commands import (
    ALIASES,
    COMMANDS,
    GROUPS,
    CommandError,
    check_given,
    check_words,
    import_command,
    reason,
    warn,
    warn_of_repeated_files,
)
from .commands.shared.outputs import check_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

# Who double-clicks the program sees this.
INTRODUCTION = f"""\
eleengine {__version__}: a xiangqi engine for a GUI, whose commands it waits for (UCCI or UCI); quit ends it.
Without a GUI type play to play here, board for a board in the browser, help for all commands.
这是象棋引擎，请在象棋界面中加载（UCCI 或 UCI）；输入 quit 退出。
没有界面时，输入 play 就在这里下棋，board 打开浏览器里的棋盘，help 列出所有命令。"""

NO_THREAD = "can't start new thread"  # Python's words


def program() -> int:
    """`eleengine` as the shell starts it: `main` for the command line of the process."""
    _open_standard_files()
    warnings.showwarning = lambda message, *_, **__: warn(str(message))  # not with lines of our sources
    return main()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line argv (default: that of the process) and return the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names may hold what the encoding has not
    with printable_output():
        return _main(argv)


def _main(argv: Sequence[str] | None) -> int:
    try:
        try:
            return run(sys.argv[1:] if argv is None else argv)
        finally:
            print(end="", flush=True)
    except CommandError as error:
        _print_error(str(error))
        return error.status
    except KeyboardInterrupt:
        return 130
    except MemoryError as error:
        _print_error(str(error) or "out of memory")
        return 2
    except RuntimeError as error:
        if str(error) != NO_THREAD:
            raise
        _print_error(f"{error}: the system gives no more")
        return 2
    except BrokenPipeError:
        _drop_output(sys.stdout)
        return 141
    except OSError as error:
        _drop_output(sys.stdout)
        _print_error(reason(error))
        return 2


def _print_error(text: str) -> None:
    try:
        print(f"eleengine: {text}", file=sys.stderr)
    except OSError:  # nobody can read it
        _drop_output(sys.stderr)


def _drop_output(stream: "TextIO") -> None:
    """Discard what is still buffered and has nowhere to go: the interpreter would fail at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open_standard_files() -> None:
    """Instead of those that are closed: else the next file that is opened would be taken for one of them.

    Nothing can be read from stdin then, what is written to stdout is an error, and what to stderr is lost.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def run(argv: Sequence[str]) -> int:
    chosen = top_parser().parse_args(argv)
    if chosen.version:
        print(f"eleengine {__version__}")
        if not chosen.verbose:
            return 0
        chosen.command, chosen.arguments = "doctor", []
    if chosen.command is None:
        return _talk()
    name = ALIASES.get(chosen.command, chosen.command)
    command = import_command(name)
    parser = argparse.ArgumentParser(prog=f"eleengine {name}", description=command.__doc__)
    command.add_arguments(parser)
    # Not chosen.arguments, which lack a "--" before names that begin with a dash.
    rest = argv[argv.index(chosen.command) + 1 :] if chosen.arguments else []
    check_words(rest)
    # Options may stand between the words of a position. Parsers with commands of their own cannot do that,
    # nor can any with "--".
    is_plain = parser._subparsers or "--" in rest
    arguments = parser.parse_args(rest) if is_plain else parser.parse_intermixed_args(rest)
    check_given(arguments)
    check_files(arguments)
    warn_of_repeated_files(arguments)
    with _signals_unwind():
        status: int = command.run(arguments)
    return status


def _talk() -> int:
    """The engine for a GUI; a person who types reads what this is, and may give commands before."""
    from .ucci import serve
    from .ucci.loop import Loop

    if sys.stdin is None or not sys.stdin.isatty():
        return serve(Loop)
    print(INTRODUCTION, file=sys.stderr)
    return serve(Loop, begin=_after_commands)


def _after_commands(lines: Iterator[bytes]) -> Iterable[bytes]:
    """Obey the lines before the first word of a protocol; the rest, or none if one asks for the end."""
    for line in lines:
        text = line.decode(errors="replace").strip()
        if text.lower() in ("ucci", "uci", "isready", "quit"):
            return chain((line,), lines)
        if text and not _obey(text):
            break
    return ()


def _obey(line: str) -> bool:
    """Run a command that a person types where a GUI was expected, with or without eleengine before it.

    False if it asks for the end.
    """
    try:
        words = split_command(line)
    except ValueError:  # a quotation mark is not closed
        words = line.split()
    if words[:1] == ["eleengine"]:
        del words[0]
    if words[:1] in (["exit"], ["bye"]):
        return False
    if not words or words[0] in ("help", "?"):
        words = ["--help"]
    if words[0].startswith("-") or words[0] in COMMANDS or words[0] in ALIASES:
        try:
            with _signals_reach_the_command():
                main(words)
        except SystemExit as end:
            if end.code not in (0, 2):  # of --help and of wrong arguments
                raise
    else:
        _print_error(f"{words[0]!r} is no command; help lists them 没有这个命令，输入 help 查看")
    return True


@contextmanager
def _signals_reach_the_command() -> Iterator[None]:
    """Ctrl-C ends the command, not the conversation, which would hear of it afterwards; SIGTERM ends both."""
    alarm, waiting = signal.set_wakeup_fd(-1), signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, waiting)
        signal.set_wakeup_fd(alarm, warn_on_full_buffer=False)


@contextmanager
def _signals_unwind() -> Iterator[None]:
    """Signals that end a process let a command end the programs that it has started; Ctrl-C interrupts it."""

    def unwind(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():  # others may not set handlers
        yield
        return
    handlers: dict[int, Callable[[int, FrameType | None], object]] = {
        getattr(signal, name): unwind for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
    }
    handlers[signal.SIGINT] = signal.default_int_handler
    # Not what the parent ignores, as under nohup, and not what another program that calls `main` has set.
    ours = [number for number in handlers if signal.getsignal(number) == signal.SIG_DFL]
    try:
        for number in ours:
            signal.signal(number, handlers[number])
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


def _command_list() -> str:
    """The commands in groups, in English and, where the output has its characters, in Chinese."""
    lines = ["commands:"]
    for (title, chinese), group in GROUPS.items():
        rows = [f"  {name:<10} {english:<53} {hanzi}" for name, (english, hanzi) in group.items()]
        lines += ["", f"{title} {chinese}", *rows]
    text = "\n".join(lines)
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        text = "\n".join("".join(filter(str.isascii, line)).rstrip() for line in lines)
    return text


def top_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="eleengine",
        description="Xiangqi engine. Without a command it speaks UCCI on stdin and stdout.",
        epilog=_command_list(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="with --verbose as doctor")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    names = [*COMMANDS, *ALIASES]
    parser.add_argument("command", nargs="?", choices=names, metavar="COMMAND", help="see below")
    parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="...", help="of the command; try --help"
    )
    return parser


if __name__ == "__main__":
    sys.exit(program())
