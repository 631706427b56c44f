"""Play the engine against itself and write the games with their scores to a file, for tuning."""

from __future__ import annotations

import argparse
import time
from contextlib import ExitStack

from .._core import SELFPLAY_LIMITS, STARTING_FEN
from .._internal.files import named
from .._internal.live import Progress
from .._internal.processors import usable_processors
from ..jobs.executor import ClusterError, open_executor
from ..lab.data.datagen import MAX_GAMES, MAX_SEED, DatagenCount, DatagenPlan, generate
from ..lab.match.openings import read_openings
from ..position_text import read_position
from . import add_number, input_errors, warn
from .shared.arguments import add_network, read_context, seconds
from .shared.outputs import named_file

HELP = {
    "nodes": "of each search, at most",
    "soft_nodes": "of a search, after which it begins no iteration; 0: no such limit",
    "random_min": "fewest random plies at the start",
    "random_max": "most random plies at the start",
    "balance": "centipawns; openings with a greater score are given up",
    "win_score": "a win when both sides see at least so many centipawns ...",
    "win_plies": "... for so many plies",
    "draw_score": "a draw when both sides see at most so many centipawns ...",
    "draw_plies": "... for so many plies ...",
    "draw_after": "... from this ply on",
    "max_plies": "a draw",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=named_file, metavar="FILE", help="made, or gone on with if it exists")
    add_number(parser, "--games", 1, MAX_GAMES, help="in the file (default: until Ctrl-C)")
    parser.add_argument("--time", type=seconds, metavar="S", help="seconds, then end")
    add_number(parser, "--threads", 1, 256, metavar="T", help="default: one for each processor")
    parser.add_argument(
        "--cluster", metavar="ADDRESS", help="play on a Dask cluster: address or file of its scheduler"
    )
    add_number(parser, "--seed", 0, MAX_SEED - 1, default=0, help="default: %(default)s")
    parser.add_argument(
        "--openings", metavar="FILE", help="to begin from, as for match (default: the start position)"
    )
    add_network(parser)
    limits = parser.add_argument_group("the games", "equal games have equal numbers here")
    for name, (default, low, high) in SELFPLAY_LIMITS.items():
        add_number(limits, f"--{name.replace('_', '-')}", low, high, default=default, help=HELP[name])


def run(args: argparse.Namespace) -> int:
    with input_errors():
        openings = read_openings(args.openings) if args.openings else [STARTING_FEN]
    threads = args.threads or usable_processors()
    games = args.games or MAX_GAMES
    start = time.monotonic()
    count = DatagenCount(0, 0, 0, 0)

    def show(found: DatagenCount) -> bool:
        nonlocal count
        count = found
        progress.tell(lambda spent: progress_line(count, games, spent, threads))
        return args.time is None or time.monotonic() - start < args.time

    try:
        with input_errors(ClusterError, ValueError), ExitStack() as stack:
            plan = DatagenPlan(
                args.seed,
                tuple(read_position(text).fen() for text in openings),
                {name: getattr(args, name) for name in SELFPLAY_LIMITS},
                read_context(args),
            )
            executor = stack.enter_context(open_executor(args.cluster, tell=warn)) if args.cluster else None
            if executor is not None:
                threads = max(1, executor.workers())
            progress = stack.enter_context(Progress())
            stack.enter_context(named(args.file))
            count = generate(args.file, plan, games, threads=threads, executor=executor, show=show)
    finally:
        if count.played:
            print(progress_line(count, games, time.monotonic() - start, threads))
    if not count.played:
        print(f"{count.games} games: nothing to do")
    return 0


def progress_line(count: DatagenCount, games: int, spent: float, threads: int) -> str:
    of = f"/{games}" if games < MAX_GAMES else ""
    rate = count.settled / max(spent, 1e-9)
    text = (
        f"{count.games}{of} games, {count.positions:,} positions searched, {count.settled:,} of them usable"
    )
    return f"{text}, {rate:.0f} usable/s, {rate / threads:.0f} for each of {threads} threads, {spent:.0f} s"
