"""Measure the ladder of levels: games between neighbours, against a greedy player, with the other evaluation.

    PYTHONPATH=src python tools/ladder.py --pairs 20
    PYTHONPATH=src python tools/ladder.py greedy --to 3
    PYTHONPATH=src python tools/ladder.py classical --to 11

Each line: the levels, the five counts of pairs for the first one, Elo with its interval of 95 %, the mean
length in plies. Level 20 gets --top-nodes for a move. Equal arguments give equal games. The results are in
docs/levels.md.
"""

from __future__ import annotations

import argparse
import random

from eleengine import Board, Engine, Limit, Move
from eleengine.engines import PlayResult
from eleengine.engines.strength import TOP_SKILL
from eleengine.lab.match.adjudication import Adjudication
from eleengine.lab.match.game import play_game
from eleengine.lab.match.openings import read_openings
from eleengine.lab.match.player import Player
from eleengine.lab.match.spec import EngineSpec
from eleengine.lab.match.stats import estimate

WORTH = {"r": 9.0, "c": 4.5, "n": 4.0, "a": 2.0, "b": 2.0, "p": 1.0}
WEAK = Adjudication(resign_score=1200, draw_score=10, draw_ply=100, max_plies=300)
STRONG = Adjudication(resign_score=600, draw_score=15, draw_moves=6, draw_ply=60, max_plies=200)


class Greedy(Player):
    """Mates if it can, takes the most valuable piece that it can, and moves at random otherwise."""

    def __init__(self) -> None:
        super().__init__("greedy", Engine)
        self._random = random.Random(0)

    def new_game(self, seed: int) -> None:
        """As `Player.new_game`."""
        self._random.seed(seed)

    def play(self, board: Board, limit: Limit) -> PlayResult:
        """As `Player.play`."""
        moves = board.legal_moves
        move = max(moves, key=lambda move: (self._worth(board, move), self._random.random()))
        return PlayResult(move, None)

    def _worth(self, board: Board, move: Move) -> float:
        taken = board.piece_at(move.to_square)
        if board.gives_check(move):
            after = board.copy()
            after.push(move)
            if not any(after.legal_moves):
                return 100.0
        return WORTH[taken.symbol().lower()] if taken else 0.0


def level(number: int, network: str | None = None) -> Player:
    """The engine at a level."""
    options = {"skill": str(number)} | ({"network": network} if network else {})
    return EngineSpec(f"level {number}", hash_mib=8, options=options).open()


def match(
    one: Player, other: Player, pairs: int, nodes: int, rules: Adjudication, seed: int = 1
) -> tuple[list[int], float]:
    """Pairs of games: five counts for the first player, and the mean length in plies."""
    openings = read_openings("openings")
    random.Random(seed).shuffle(openings)
    counts, plies = [0] * 5, 0
    for pair in range(pairs):
        points = 0.0
        for swap in (False, True):
            red, black = (other, one) if swap else (one, other)
            game = play_game(
                red, black, openings[pair % len(openings)], limit=Limit(nodes=nodes), adjudication=rules,
                seed=2 * (1000 * seed + pair) + swap,
            )  # fmt: skip
            points += 1 - game.points if swap else game.points
            plies += game.plies
        counts[round(2 * points)] += 1
    return counts, plies / (2 * pairs)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "against", nargs="?", choices=("neighbours", "greedy", "classical"), default="neighbours"
    )
    parser.add_argument("--from", dest="first", type=int, default=0, metavar="LEVEL")
    parser.add_argument("--to", type=int, default=TOP_SKILL, metavar="LEVEL")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--top-nodes", type=int, default=100_000)
    parser.add_argument(
        "--strong", type=int, default=16, metavar="LEVEL", help="games end earlier from there"
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for number in range(args.first, args.to + (args.against != "neighbours")):
        if args.against == "neighbours":
            one, other, text = level(number + 1), level(number), f"{number + 1} - {number}"
        elif args.against == "greedy":
            one, other, text = level(number), Greedy(), f"{number} - greedy"
        else:
            one, other, text = level(number), level(number, "classical"), f"{number} - classical"
        rules = STRONG if number >= args.strong else WEAK
        counts, plies = match(one, other, args.pairs, args.top_nodes, rules, args.seed)
        found = estimate(counts)
        print(
            f"{text:<16} {counts} {found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}] {plies:.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
