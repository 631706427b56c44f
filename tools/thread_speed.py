"""Measure how much sooner several threads reach a depth than one.

    python tools/thread_speed.py positions/middlegames.epd --first 598
    python tools/thread_speed.py positions/middlegames.epd --skip 598 --nodes 20_000_000

The depth of a position is the one that the classical evaluation, which favours neither side, reaches with
--nodes on one thread. Then one thread and --threads search it to that depth, each with an empty table of
--hash MiB. The result: the speed-up as a geometric mean with its interval of 95 %, by the sums of all times,
and nodes and nodes a second as ratios to one thread. Nothing else should run meanwhile. docs/parallel.md
has the results.
"""

import argparse
import math
from statistics import fmean, stdev
from time import perf_counter

from eleengine import Board, Engine, Limit
from eleengine.lab.match.openings import read_openings


def search(engine, fen, **limit):
    """Seconds, nodes and depth of a search that knows nothing beforehand."""
    engine.clear()
    start = perf_counter()
    info = engine.analyse(Board(fen), Limit(**limit))
    return perf_counter() - start, info["nodes"], info["depth"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("positions", help="a file of FENs or EPD")
    parser.add_argument("--skip", type=int, default=0, help="positions to leave out at the beginning (0)")
    parser.add_argument("--first", type=int, help="positions to search (all)")
    parser.add_argument("--nodes", type=int, default=2_000_000, help="for the depth (2 million)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--parallel", default="hybrid", help="lazy, abdada, split or hybrid (hybrid)")
    parser.add_argument("--hash", type=int, default=64, help="MiB (64)")
    args = parser.parse_args()
    fens = read_openings(args.positions)[args.skip :][: args.first]
    if len(fens) < 2:
        parser.error("two positions at least are needed for an interval")
    reference = Engine(hash_mib=args.hash, network="classical")
    one = Engine(hash_mib=args.hash)
    several = Engine(hash_mib=args.hash, threads=args.threads, parallel=args.parallel)
    pairs = []
    for i, fen in enumerate(fens, 1):
        depth = search(reference, fen, nodes=args.nodes)[2]
        pairs.append((search(one, fen, depth=depth), search(several, fen, depth=depth)))
        (alone, nodes, _), (together, nodes_together, _) = pairs[-1]
        times = f"{alone:7.2f} s {together:7.2f} s nodes {nodes_together / nodes:.2f}"
        print(f"{i:4} depth {depth:2} {times}  {fen}", flush=True)
    gains = [math.log(a[0] / b[0]) for a, b in pairs]
    mean, margin = fmean(gains), 1.96 * stdev(gains) / math.sqrt(len(gains))
    sums = sum(a[0] for a, _ in pairs) / sum(b[0] for _, b in pairs)
    nodes = math.exp(fmean(math.log(b[1] / a[1]) for a, b in pairs))
    low, gain, high = (math.exp(x) for x in (mean - margin, mean, mean + margin))
    print(f"{len(pairs)} positions, one thread {fmean(a[0] for a, _ in pairs):.2f} s")
    print(f"speed-up {gain:.3f} [{low:.2f}, {high:.2f}], by the sums {sums:.3f}")
    print(f"nodes {nodes:.3f}, nodes/s {nodes * gain:.3f}")


if __name__ == "__main__":
    main()
