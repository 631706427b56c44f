"""A round robin between levels of the engine: ``python tournament.py 2 5 8 --rounds 2 --pgn games.pgn``.

The command `eleengine tournament` does this for any engines, with openings and ratings; this is how
little it takes with the library.
"""

import argparse
import itertools
import sys

from eleengine import RED, Board, Engine, Limit, records

POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}


def play(red: Engine, black: Engine, limit: Limit, most_plies: int) -> records.Game:
    """A game; one that is too long is a draw."""
    board = Board()
    while not board.is_game_over() and board.ply < most_plies:
        engine = red if board.turn == RED else black
        move = engine.play(board, limit).move
        assert move is not None  # the game is not over
        board.push(move)
    headers = {"Red": f"level {red.skill}", "Black": f"level {black.skill}"}
    if not board.is_game_over():
        headers["Result"] = "1/2-1/2"
    return records.Game.from_board(board, headers)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("levels", type=int, nargs="+", help="0 (a beginner) to 20")
    parser.add_argument("--rounds", type=int, default=1, help="of two games for each pair")
    parser.add_argument("--nodes", type=int, default=2000, help="of each search at most")
    parser.add_argument("--most-plies", type=int, default=300)
    parser.add_argument("--pgn", help="where to keep the games")
    args = parser.parse_args()
    levels: list[int] = args.levels
    engines = {level: Engine(skill=level) for level in levels}
    games: list[records.Game] = []
    points = dict.fromkeys(levels, 0.0)
    for red, black in itertools.permutations(levels, 2):
        for _ in range(args.rounds):
            game = play(engines[red], engines[black], Limit(nodes=args.nodes), args.most_plies)
            games.append(game)
            for level, gained in zip((red, black), POINTS[game.result], strict=True):
                points[level] += gained
            print(f"level {red} - level {black}: {game.result} in {game.plies()} plies", flush=True)
    for engine in engines.values():
        engine.close()
    for level, total in sorted(points.items(), key=lambda item: -item[1]):
        print(f"level {level:>2}: {total:g} points")
    if args.pgn:
        records.write_games(args.pgn, games)
    return 0


if __name__ == "__main__":
    sys.exit(main())
