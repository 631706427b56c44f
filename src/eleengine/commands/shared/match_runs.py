"""Playing the plan of `match` and `tournament`, with its journal, PGN file and display."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import platform
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from time import monotonic

from ..._internal.processors import usable_processors
from ..._internal.system import cpu_name
from ...engines import EngineError, Limit, external
from ...jobs.executor import ClusterError, open_executor
from ...jobs.identity import Identity, varies
from ...lab.match.fastchess import MatchOutput
from ...lab.match.journal import MatchJournal
from ...lab.match.pgn import PgnFile
from ...lab.match.plan import MatchPlan
from ...lab.match.play import play_match
from ...lab.match.results import MatchResults
from ...lab.match.summary import MatchSummary, pairing_of, summary_of, test_of
from ...lab.match.words import game_line, player_lines, standing, summary_lines, table
from .. import CommandError, input_errors, warn
from .live import LiveLines

REFRESH = 1.0  # seconds between two pictures of the table
LAST = 5  # games shown below it


def run_plan(args: argparse.Namespace, plan: MatchPlan) -> int:
    """Play what is left of the plan and show the results: 0, or 1 if an engine has lost by a fault."""
    if args.cluster and args.own_processors:
        raise CommandError("--own-processors is for games of this process, not for those of a cluster")
    if args.cluster and args.engine_log:
        raise CommandError("--engine-log is for games of this process, not for those of a cluster")
    named = (args.journal, args.engine_log, args.pgn)
    outputs = [path for path in named if path and (os.path.isfile(path) or not os.path.exists(path))]
    if len(set(map(os.path.realpath, outputs))) < len(outputs):
        raise CommandError("two outputs are one file: --journal, --engine-log and --pgn")
    interrupted = False
    with contextlib.ExitStack() as stack:
        with input_errors(ClusterError, EngineError, ValueError):
            if args.engine_log:
                stack.enter_context(_logged(args.engine_log))
            engines = [player.identity() for player in plan.players]
            journal = None
            if args.journal:
                journal = stack.enter_context(MatchJournal(args.journal, plan, engines, _start()))
            results = MatchResults(plan, journal.records if journal else {})
            show = stack.enter_context(
                MatchDisplay(
                    results,
                    quiet=args.json,
                    fastchess=args.output == "fastchess",
                    interval=args.rating_interval,
                    book=args.openings or "",
                )
            )
            pgn = None
            if args.pgn:
                pgn = PgnFile(args.pgn, results, style=args.style, pawns=args.pgn_scores == "pawns")
                stack.callback(pgn.close)
            show.begin(plan, engines)
            _warn(args, plan)
            if args.journal or args.cluster:
                _warn_of_variation(plan, engines)

            def report(results: MatchResults, number: int) -> None:
                if pgn is not None:
                    pgn.write(number)
                show.take(results, number)

            try:
                executor = None
                if args.cluster:
                    executor = stack.enter_context(open_executor(args.cluster, tell=warn))
                play_match(
                    plan,
                    results=results,
                    journal=journal,
                    concurrency=args.concurrency,
                    executor=executor,
                    report=report,
                    most_faults=args.max_faults,
                    own_processors=args.own_processors,
                    engines=engines,
                )
            except KeyboardInterrupt:
                interrupted = True
        show.end()
    found = summary_of(results)
    show.show_result(found)
    if args.json:
        print(json.dumps(found.to_dict()))
    if interrupted:
        return 130
    if not found.is_done:
        warn(f"broken off after {args.max_faults} games lost by faults")
    return 1 if found.faults else 0


class MatchDisplay:
    """The games as they end: a table on a terminal, otherwise a line for each.

    quiet: show nothing. fastchess: its layout in place of ours; interval, book: as for `MatchOutput`.
    """

    def __init__(
        self,
        results: MatchResults,
        *,
        quiet: bool,
        fastchess: bool = False,
        interval: int = 10,
        book: str = "",
    ) -> None:
        self._planned = results.plan.games
        self._output: MatchOutput | None = (
            MatchOutput(results, interval=interval, book=book) if fastchess else None
        )
        self._live = LiveLines(sys.stdout)
        self._quiet = quiet
        self._before = len(results.records)
        self._began = monotonic()
        self._next = 0.0
        self._last: list[str] = []
        self._counts: tuple[tuple[int, int], list[int]] | None = None  # of the standing written last
        self._standing = ""

    def begin(self, plan: MatchPlan, engines: Sequence[Identity]) -> None:
        """Say who plays."""
        if not self._quiet and self._output is None:
            _print(player_lines(plan, engines))

    def take(self, results: MatchResults, number: int) -> None:
        """Show a game that has ended."""
        record = results.records[number]
        if self._quiet:
            return
        if self._output is not None:
            _print(self._output.game(results, number))
            return
        line = game_line(number, record)
        if not self._live.on:
            pairing = results.plan.task(number).pairing
            # Games come from a cluster by the dozen, and the interval takes longer than all else here.
            if self._counts != (pairing, results.counts[pairing]):
                self._counts = pairing, list(results.counts[pairing])
                self._standing = ", ".join(standing(pairing_of(results, pairing), test_of(results)))
            _print([f"{line} | {self._standing}"])
            return
        self._last = [*self._last, line][-LAST:]
        start = monotonic()
        if start >= self._next:
            rows = table(summary_of(results, brief=True), brief=True)
            self._live.show([self._progress(len(results.records)), *rows, *self._last])
            # A table of many players takes time, which the engines shall have.
            self._next = monotonic() + max(REFRESH, 30 * (monotonic() - start))

    def _progress(self, done: int) -> str:
        spent = monotonic() - self._began
        rest = spent / max(1, done - self._before) * (self._planned - done)
        return f"{done} of {self._planned} games, {spent / 60:.1f} min, at most {rest / 60:.1f} min left"

    def end(self) -> None:
        """Make room for the result."""
        self._live.clear()

    def show_result(self, found: MatchSummary) -> None:
        """Print the result, when the terminal is left as it was."""
        if not self._quiet:
            _print(self._output.end(found) if self._output is not None else summary_lines(found))

    def __enter__(self) -> MatchDisplay:
        self._live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.__exit__(*error)


def _print(lines: Iterable[str]) -> None:
    """Write lines in one piece: an interruption does not fall between a line and its end."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _start() -> dict[str, str]:
    """What reports say of the start: command line and machine."""
    system = f"{platform.system()} {platform.release()}"
    machine = f"{platform.node()}, {cpu_name()}, {usable_processors()} processors, {system}"
    return {"command": shlex.join(["eleengine", *sys.argv[1:]]), "machine": machine}


@contextlib.contextmanager
def _logged(path: str) -> Iterator[None]:
    """Let a file take up all lines to and from other programs; OSError."""
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logger = logging.getLogger(external.__name__)
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
        handler.close()


def _warn_of_variation(plan: MatchPlan, engines: list[Identity]) -> None:
    """Name the engines of which another build may go unnoticed."""
    for player, engine in zip(plan.players, engines, strict=True):
        if found := [f"{name} {value}" for name, value in engine.items() if varies(engine, name)]:
            warn(f"{player.name}: not compared: {', '.join(found)}")


def _warn(args: argparse.Namespace, plan: MatchPlan) -> None:
    """Of times that will not be fair."""
    # While one thinks, the other one ponders or waits.
    threads = max((player.threads or 1) * (1 + player.ponder) for player in plan.players)
    timed = any(plan.limit_of(p).replace(nodes=None, depth=None) != Limit() for p in plan.players)
    if timed and threads * args.concurrency > usable_processors():
        print(
            f"eleengine: {args.concurrency} games of {threads} threads on {usable_processors()} processors: "
            "the engines will not have the time that they are given",
            file=sys.stderr,
        )
