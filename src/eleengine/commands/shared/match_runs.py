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
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from ..._internal.processors import usable_processors
from ..._internal.system import cpu_name
from ...engines import EngineError, Limit, external
from ...jobs.executor import ClusterError, open_executor
from ...jobs.identity import VARIES, Identity
from ...lab.match.journal import MatchJournal
from ...lab.match.plan import MatchPlan
from ...lab.match.play import play_match
from ...lab.match.summary import summary_of
from ...records import read_games
from .. import CommandError, input_errors, warn
from .match_display import MatchDisplay


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
    with contextlib.ExitStack() as stack:
        with input_errors(ClusterError, EngineError, ValueError):
            if args.engine_log:
                stack.enter_context(_logged(args.engine_log))
            engines = [player.identity() for player in plan.players]
            journal = None
            if args.journal:
                journal = stack.enter_context(MatchJournal(args.journal, plan, engines, _start()))
            show = MatchDisplay(
                plan,
                journal.records if journal else {},
                quiet=args.json,
                fastchess=args.output == "fastchess",
                interval=args.rating_interval,
                book=args.openings or "",
            )
            stack.enter_context(show)
            if args.pgn:
                show.pgn = _open_pgn(args.pgn, plan, journal)
                stack.callback(_close, show.pgn)
                show.style, show.pawns = args.style, args.pgn_scores == "pawns"
                for number, record in sorted(journal.records.items()) if journal else []:
                    show.write(number, record)
            _warn(args, plan)
            if args.journal or args.cluster:
                _warn_of_variation(plan, engines)
            interrupted = False
            try:
                executor = None
                if args.cluster:
                    executor = stack.enter_context(open_executor(args.cluster, tell=warn))
                results = play_match(
                    plan,
                    journal=journal,
                    concurrency=args.concurrency,
                    executor=executor,
                    report=show.take,
                    most_faults=args.max_faults,
                    own_processors=args.own_processors,
                    engines=engines,
                )
            except KeyboardInterrupt:
                results, interrupted = show.results, True
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


def _open_pgn(path: str, plan: MatchPlan, journal: MatchJournal | None) -> TextIO:
    """The file, emptied if the journal has all that was in it; ValueError if it may hold anything else."""
    if Path(path).is_file() and Path(path).stat().st_size:
        if not (journal and journal.records):
            raise ValueError(f"{path}: is there already, and no journal of its games was given")
        games = list(read_games(path, format="pgn"))
        if games and (games[-1].warnings or not games[-1].children):  # cut off when the match was
            games.pop()
        names = {player.name for player in plan.players}
        ours = all({game.headers.get("Red"), game.headers.get("Black")} <= names for game in games)
        sound = not any(game.warnings for game in games)
        if not (games and ours and sound and len(games) <= len(journal.records)):
            raise ValueError(f"{path}: is there already, and holds more than the games of {journal.path}")
    return open(path, "w", encoding="utf-8")


def _close(file: TextIO) -> None:
    """Each game was flushed: an error was reported by then."""
    with contextlib.suppress(OSError):
        file.close()


def _warn_of_variation(plan: MatchPlan, engines: list[Identity]) -> None:
    """Name the engines of which another build may go unnoticed."""
    for player, engine in zip(plan.players, engines, strict=True):
        if names := [name for name, value in engine.items() if value == VARIES]:
            warn(f"{player.name}: its {', '.join(names)} vary from search to search and are not compared")


def _warn(args: argparse.Namespace, plan: MatchPlan) -> None:
    """Of times that will not be fair."""
    # While one thinks, the other one ponders or waits.
    threads = max((player.threads or 1) * (1 + player.ponder) for player in plan.players)
    timed = any(
        (p.limit or plan.limit or Limit())._replace(nodes=None, depth=None) != Limit() for p in plan.players
    )
    if timed and threads * args.concurrency > usable_processors():
        print(
            f"eleengine: {args.concurrency} games of {threads} threads on {usable_processors()} processors: "
            "the engines will not have the time that they are given",
            file=sys.stderr,
        )
