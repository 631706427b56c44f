"""Compare several threads with one thread beside busy processes.

    python tools/thread_load.py
    python tools/thread_load.py --loads 0 2 --modes hybrid abdada --time 2.5 --first 20
    python tools/thread_load.py --command "python -m eleengine" --command "/other/bin/eleengine"

For each number of busy loops (--loads), one thread and each mode search the same positions in turns for
--time seconds, each engine in a process of its own and with an empty table. The table shows nodes (mean),
their ratio to one thread (geometric mean), the depth minus that of one thread, and by how many milliseconds
the latest move exceeded the limit. Two commands are two builds, measured in turns; one thread is the first
one's. docs/parallel.md has results.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import fmean, geometric_mean
from time import perf_counter

from eleengine import Board
from eleengine.engines import ExternalEngine, Limit
from eleengine.lab.match.openings import read_openings

MODES = ("hybrid", "abdada")
ONE = "one"  # thread


@contextmanager
def busy_loops(n: int) -> Iterator[None]:
    """That many processes that never rest."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def start(command: str, mode: str, args: argparse.Namespace) -> ExternalEngine:
    """An engine with one thread, or with several that share a search in that way."""
    engine = ExternalEngine(command, protocol="ucci")
    engine.configure({"hashsize": args.hash, "usebook": False, "threads": 1})
    if mode != ONE:
        engine.configure({"threads": args.threads, "parallel": mode})
    return engine


def search(engine: ExternalEngine, fen: str, seconds: float) -> tuple[int, int, float]:
    """Nodes and depth of a search that knows nothing beforehand, and the milliseconds that it was late."""
    engine.new_game()
    begin = perf_counter()
    info = engine.play(Board(fen), Limit(time=seconds)).info
    return info.get("nodes", 0), info.get("depth", 0), 1000 * (perf_counter() - begin - seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--command", action="append", help="of the engine (this checkout's); also twice")
    parser.add_argument("--positions", default="positions/middlegames.epd", help="a file of FENs or EPD")
    parser.add_argument("--skip", type=int, default=0, help="positions to leave out at the beginning (0)")
    parser.add_argument("--first", type=int, default=12, help="positions to search (12)")
    parser.add_argument("--loads", type=int, nargs="+", default=[0, 1, 2, 4, 8], help="(0 1 2 4 8)")
    parser.add_argument("--modes", nargs="+", default=MODES, choices=MODES, help="(all)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--time", type=float, default=1.0, help="seconds a search (1)")
    parser.add_argument("--hash", type=int, default=64, help="MiB (64)")
    args = parser.parse_args()
    commands = args.command or [f"{sys.executable} -m eleengine"]
    kinds = [(0, ONE), *((i, mode) for i in range(len(commands)) for mode in args.modes)]
    fens = read_openings(args.positions)[args.skip :][: args.first]
    print(f"{'busy':>4} {'command':>7} {'mode':<7} {'nodes':>9} {'ratio':>6} {'depth':>6} {'late ms':>8}")
    for load in args.loads:
        with ExitStack() as stack:
            engines = [stack.enter_context(start(commands[i], mode, args)) for i, mode in kinds]
            stack.enter_context(busy_loops(load))
            rounds = [[search(engine, fen, args.time) for engine in engines] for fen in fens]
        alone, *_ = found = list(zip(*rounds, strict=True))
        for (i, mode), mine in zip(kinds, found, strict=True):
            nodes = fmean(a[0] for a in mine)
            ratio = geometric_mean(a[0] / b[0] for a, b in zip(mine, alone, strict=True))
            depth = fmean(a[1] - b[1] for a, b in zip(mine, alone, strict=True))
            late = max(a[2] for a in mine)
            row = f"{load:4} {i + 1:7} {mode:<7} {nodes:9.0f} {ratio:6.2f} {depth:+6.2f} {late:8.0f}"
            print(row, flush=True)


if __name__ == "__main__":
    main()
