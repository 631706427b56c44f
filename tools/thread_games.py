"""Play games between engines of several threads and one with a single thread, in virtual time.

    python tools/thread_games.py games.jsonl --virtual --threads 16 --parallel abdada hybrid
    python tools/thread_games.py games.jsonl --virtual --threads 16 --parallel abdada hybrid --pairs 500

Each combination of --threads and --parallel meets the one thread; the last lines have its Elo. In virtual
time (search/virtual_time.pxi) each thread has a processor of its own, and a move takes the time of --nodes.
With --times 10 the one thread has ten times as much. If the games come out even, the threads are worth ten.
The journal has the games: the same command goes on where it was ended, and more --pairs make it longer.
`eleengine report games.jsonl` shows how it stands, Elo from the view of the one thread.

Without --virtual a move takes --seconds, and as many processors as there are threads must be idle.
"""

import argparse
from itertools import product

from eleengine import Limit
from eleengine._core import PARALLEL
from eleengine.lab.match.adjudication import Adjudication
from eleengine.lab.match.journal import MatchJournal
from eleengine.lab.match.openings import read_openings
from eleengine.lab.match.plan import MatchPlan
from eleengine.lab.match.play import play_match
from eleengine.lab.match.spec import EngineSpec

RULES = Adjudication(resign_score=600, draw_score=15, draw_moves=6, draw_ply=60, max_plies=200)


class VirtualSpec(EngineSpec):
    """Our engine in virtual time."""

    __slots__ = ()

    def start(self):
        """As `EngineSpec.start`."""
        engine = super().start()
        engine.searcher.virtual_time = True
        return engine


def show(results):
    """A line for each player of several threads."""
    for pairing in results.summary().pairings:
        found = pairing.estimate
        elo = f"{-found.elo:+.0f} [{-found.high:+.0f}, {-found.low:+.0f}]"
        print(f"{pairing.players[1]:20} +{pairing.losses} ={pairing.draws} -{pairing.wins}  Elo {elo}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("journal", help="of the games: made, or gone on with")
    parser.add_argument("--openings", default="openings", help="a file of FENs or EPD, or a set (openings)")
    parser.add_argument("--threads", type=int, nargs="+", default=[2])
    parser.add_argument("--parallel", nargs="+", choices=PARALLEL, default=["auto"])
    parser.add_argument("--pairs", type=int, default=100, help="of games for each player (100)")
    parser.add_argument("--virtual", action="store_true", help="time in nodes, a processor for each thread")
    parser.add_argument("--nodes", type=int, default=20_000, help="of virtual time a move (20,000)")
    parser.add_argument("--seconds", type=float, default=0.1, help="a move, without --virtual (0.1)")
    parser.add_argument("--times", type=float, default=1, help="as much for the one thread (1)")
    parser.add_argument("--hash", type=int, default=16, help="MiB (16)")
    args = parser.parse_args()
    kind = VirtualSpec if args.virtual else EngineSpec

    def limit(times):
        return Limit(nodes=round(times * args.nodes)) if args.virtual else Limit(time=times * args.seconds)

    several = (
        kind(f"{threads} {parallel}", threads=threads, hash_mib=args.hash, options={"parallel": parallel})
        for threads, parallel in product(args.threads, args.parallel)
    )
    plan = MatchPlan(
        (kind("one thread", hash_mib=args.hash, limit=limit(args.times)), *several),
        openings=tuple(read_openings(args.openings)),
        limit=limit(1),
        pairs=args.pairs,
        gauntlet=True,
        adjudication=RULES,
    )
    with MatchJournal(args.journal, plan) as journal:
        try:
            results = play_match(plan, journal=journal)
        except KeyboardInterrupt:
            raise SystemExit("ended: the same command goes on") from None
    show(results)


if __name__ == "__main__":
    main()
