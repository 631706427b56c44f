"""Make puzzles out of games: positions in which one move wins clearly and the second best does not.

``python puzzles.py games.pgn > puzzles.epd``; `eleengine solve puzzles.epd` lets the engine solve them.
The games may be of any format that `eleengine.records` reads.
"""

import argparse
import sys
from collections.abc import Iterator

from eleengine import Board, Engine, Limit, records

WINS = 400  # centipawns: enough to win
EVEN = 150  # centipawns: not enough


def candidates(path: str, first_ply: int) -> Iterator[Board]:
    """The positions of all games from a ply on."""
    for game in records.read_games(path):
        for node in game.mainline():
            if node.ply >= first_ply:
                yield node.board()


def is_puzzle(board: Board, engine: Engine, limit: Limit) -> bool:
    """Does one quiet move win, and no other?"""
    if board.is_check() or board.legal_moves.count() < 2:
        return False
    best, second = engine.analyse(board, limit, multipv=2)
    values = [info["score"].relative.score(mate_score=10_000) for info in (best, second)]
    return values[0] >= WINS and values[1] <= EVEN and not board.is_capture(best["pv"][0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games")
    parser.add_argument("--nodes", type=int, default=50_000, help="of each search")
    parser.add_argument("--first-ply", type=int, default=20)
    parser.add_argument("--most", type=int, default=100, help="puzzles")
    args = parser.parse_args()
    found = 0
    seen: set[int] = set()
    with Engine() as engine:
        for board in candidates(args.games, args.first_ply):
            if found == args.most:
                break
            if board.key in seen or board.is_game_over():
                continue
            seen.add(board.key)
            if is_puzzle(board, engine, Limit(nodes=args.nodes)):
                info = engine.analyse(board, Limit(nodes=4 * args.nodes))
                found += 1
                print(board.epd(bm=[info["pv"][0]], id=f"puzzle {found}"), flush=True)
    print(f"{found} puzzles in {len(seen)} positions", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
