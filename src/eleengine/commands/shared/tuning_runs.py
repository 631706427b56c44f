"""What the commands that tune by games share: workers, journals, openings, files of values."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ..._internal.figures import save
from ..._internal.files import read_file, write_whole
from ..._internal.json_text import read_object
from ...engines import EngineError
from ...jobs.executor import ClusterError, open_executor
from ...jobs.series import JobSeries, SeriesJournal
from ...lab.tune.games import OPENINGS, MatchSettings, Openings, Values
from .. import CommandError, add_number, input_errors, need, warn
from .outputs import add_file, check_output

PAUSE = 10.0  # seconds between two lines of news


def add_workers(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("where the games are played")
    add_processes(group)
    group.add_argument(
        "--cluster", metavar="ADDRESS", help="a Dask cluster: address or file of its scheduler"
    )


def add_processes(parser: argparse._ActionsContainer) -> None:
    add_number(parser, "--workers", 1, 4096, default=1, help="processes of this machine; more need Dask")


def add_journal(parser: argparse._ActionsContainer) -> None:
    add_file(parser, "--journal", help="JSON lines: all results; a run that was interrupted goes on")


def add_match_settings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("games")
    add_number(group, "--nodes", 1, 10**9, default=2000, help="a move")
    group.add_argument(
        "--openings",
        metavar="FILE",
        help=f"EPD or game records (default: {OPENINGS} positions of 8 random moves, level for a search)",
    )
    add_number(group, "--max-plies", 1, 10**6, default=300, help="then drawn")
    add_number(group, "--seed", 0, 2**31, default=1, help="of all chance")
    add_journal(group)


def read_match_settings(args: argparse.Namespace) -> MatchSettings:
    return MatchSettings(nodes=args.nodes, max_plies=args.max_plies)


def read_endless(args: argparse.Namespace, purpose: str) -> Openings:
    """The openings of the arguments; CommandError says what is wrong with the file."""
    with input_errors():
        return Openings(args.openings, seed=args.seed, purpose=purpose)


@contextmanager
def open_run(args: argparse.Namespace, plan: dict[str, Any]) -> Iterator[JobSeries]:
    """The run of the arguments. CommandError: the journal does not fit, or the cluster fails."""
    with input_errors(ClusterError, EngineError, ValueError), ExitStack() as stack:
        journal = stack.enter_context(SeriesJournal(args.journal, plan)) if args.journal else None
        executor = stack.enter_context(open_executor(args.cluster, args.workers, tell=warn))
        yield JobSeries(executor, journal)


class ProgressLog:
    """Lines on stderr now and then: how far a long run is."""

    def __init__(self) -> None:
        self._next = time.monotonic() + PAUSE

    def show(self, line: Callable[[], str]) -> None:
        """Show the line if it is time to."""
        if time.monotonic() >= self._next:
            print(line(), file=sys.stderr, flush=True)
            self._next = time.monotonic() + PAUSE


def read_values(path: str, check: Callable[[Values], None]) -> dict[str, int]:
    """The numbers of a file that `write_values` wrote; CommandError. check: ValueError for bad ones."""
    with input_errors(where=f"{path}: "):
        values = read_object(read_file(path).decode("utf-8-sig"))
        check(values)
    return values


def check_outputs(args: argparse.Namespace) -> None:
    """CommandError for an --out or --plot that must not be written, before the games are played.

    Those of an earlier run may be: a run that was interrupted writes what it has, and goes on.
    """
    for path, is_ours in ((args.out, _has_values), (args.plot, _is_plot)):
        if path:
            check_output(path, force=args.force or is_ours(path))
    if args.plot:
        need("matplotlib", extra="lab", what="--plot")
        from matplotlib.backend_bases import FigureCanvasBase

        kinds = FigureCanvasBase.get_supported_filetypes()
        if os.path.splitext(args.plot)[1][1:].lower() not in kinds:
            raise CommandError(f"--plot {args.plot}: its ending must be one of {', '.join(sorted(kinds))}")


def _has_values(path: str) -> bool:
    def check(values: Values) -> None:
        if not all(type(value) is int for value in values.values()):
            raise ValueError("other things than whole numbers")

    try:
        read_values(path, check)
    except (CommandError, OSError):
        return False
    return True


def _is_plot(path: str) -> bool:
    """Has Matplotlib drawn it? It says so in the file."""
    try:
        return b"matplotlib" in read_file(path).lower()
    except OSError:
        return False


def save_plot(drawn: Any, path: str) -> None:
    """Write the figure; CommandError if that fails."""
    with input_errors(OSError, ValueError, where=f"{path}: "):
        save(drawn, path)


def write_values(path: str, values: Values) -> None:
    write_whole(path, (json.dumps(dict(values), indent=1) + "\n").encode())
