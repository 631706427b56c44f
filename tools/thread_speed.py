"""Measure how much sooner several threads reach a depth than one.

    python tools/thread_speed.py positions/middlegames.epd --skip 598 --nodes 20_000_000
    python tools/thread_speed.py positions/middlegames.epd --skip 684 --virtual --threads 2 4 8 16

The depth of a position is the one that the classical evaluation, which favours neither side, reaches
with --nodes on one thread. Then one thread and all combinations of --threads and --parallel search it
to that depth, each with an empty table of --hash MiB. The table has the speed-up as a geometric mean
with its interval of 95 %, by the sums of all times, and nodes and nodes a second as ratios to one
thread. Nothing else should run meanwhile.

With --virtual the time is virtual (search/virtual_time.pxi): workers take turns as if each had a
processor of its own, and time is counted in nodes. So there may be more threads than processors, other
programs do not matter, and each run gives the same. What a machine loses by its memory and caches is
not in it. "Waiting" is the share of all workers' time that they wait for the last one of a team,
"alone" that in which worker 0 has opened no team. docs/parallel.md has the results.
"""

import argparse
import math
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from statistics import fmean, stdev
from time import perf_counter
from typing import NamedTuple

from eleengine import Board, Engine, Limit
from eleengine._core import PARALLEL, Searcher
from eleengine.lab.match.openings import read_openings


class Run(NamedTuple):
    time: float  # seconds, or nodes in virtual time
    nodes: int
    waiting: float = 0.0  # shares of the time of all workers, in virtual time
    alone: float = 0.0


def search(fen, depth, threads, parallel, hash_mib, virtual):
    """A search that knows nothing beforehand."""
    searcher = Searcher(hash_mib=hash_mib, threads=threads)
    searcher.parallel = parallel
    searcher.virtual_time = virtual
    start = perf_counter()
    searcher.search(Board(fen), depth=depth)
    seconds, nodes = perf_counter() - start, sum(searcher.worker_nodes())
    if not virtual:
        return Run(seconds, nodes)
    time, waited = searcher.virtual_nodes
    everything = time * threads
    return Run(time, nodes, waited / everything, 1 - (nodes + waited) / everything)


def measure(args, fen):
    """Depth, the run of one thread and those of all combinations for one position."""
    with Engine(hash_mib=args.hash, network="classical") as reference:
        depth = reference.analyse(Board(fen), Limit(nodes=args.nodes))["depth"]
    runs = [
        search(fen, depth, threads, parallel, args.hash, args.virtual)
        for threads, parallel in [(1, "hybrid"), *product(args.threads, args.parallel)]
    ]
    return depth, runs[0], runs[1:]


def row(threads, parallel, pairs, virtual):
    """A line of the table: what several threads did in place of one, over all positions."""
    gains = [math.log(one.time / several.time) for one, several in pairs]
    mean, margin = fmean(gains), 1.96 * stdev(gains) / math.sqrt(len(gains))
    low, gain, high = (math.exp(x) for x in (mean - margin, mean, mean + margin))
    sums = sum(one.time for one, _ in pairs) / sum(several.time for _, several in pairs)
    nodes = math.exp(fmean(math.log(several.nodes / one.nodes) for one, several in pairs))
    cells = [f"{threads}", f"`{parallel}`", f"{gain:.2f} [{low:.2f}, {high:.2f}]", f"{sums:.2f}"]
    cells += [f"{nodes:.2f}", f"{nodes * gain:.2f}"]
    if virtual:
        cells += [f"{100 * fmean(share):.0f} %" for share in zip(*(run[2:] for _, run in pairs), strict=True)]
    return f"| {' | '.join(cells)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("positions", help="a file of FENs or EPD")
    parser.add_argument("--skip", type=int, default=0, help="positions to leave out at the beginning (0)")
    parser.add_argument("--first", type=int, help="positions to search (all)")
    parser.add_argument("--nodes", type=int, default=2_000_000, help="for the depth (2 million)")
    parser.add_argument("--threads", type=int, nargs="+", default=[2])
    parser.add_argument("--parallel", nargs="+", choices=PARALLEL, default=["hybrid"])
    parser.add_argument("--hash", type=int, default=64, help="MiB (64)")
    parser.add_argument("--virtual", action="store_true", help="time in nodes, a processor for each")
    parser.add_argument("--jobs", type=int, default=1, help="positions at once, with --virtual (1)")
    args = parser.parse_args()
    fens = read_openings(args.positions)[args.skip :][: args.first]
    if len(fens) < 2:
        parser.error("two positions at least are needed for an interval")
    if args.jobs > 1 and not args.virtual:
        parser.error("--jobs needs --virtual: searches at once would disturb each other")
    done = []
    with ProcessPoolExecutor(args.jobs) as pool:
        for fen, (depth, one, several) in zip(fens, pool.map(partial(measure, args), fens), strict=True):
            done.append((one, several))
            gains = " ".join(f"{one.time / run.time:5.2f}" for run in several)
            print(f"{len(done):4} depth {depth:2} {one.time:10,.2f} {gains}  {fen}", flush=True)
    print(f"{len(done)} positions, one thread {fmean(one.time for one, _ in done):,.2f}")
    heads = ["Threads", "`parallel`", "Speed-up", "By the sums", "Nodes", "Nodes/s"]
    heads += ["Waiting", "Alone"] * args.virtual
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    for i, (threads, parallel) in enumerate(product(args.threads, args.parallel)):
        print(row(threads, parallel, [(one, several[i]) for one, several in done], args.virtual))


if __name__ == "__main__":
    main()
