"""Learn what the pieces are worth by self-play: no numbers are given but the rules.

A position is worth the tanh of a sum over pieces, of which the weights of the seven kinds are learnt. The
player looks one move ahead. After each game every position is drawn towards its result, the later the more.

    python examples/learn.py --games 3000

Needs numpy: pip install "eleengine[ml]".
"""

import argparse
import random
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from eleengine import PIECE_NAMES, Board, Move
from eleengine.ml import Positions

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
Seen: TypeAlias = list[tuple[int, Array]]  # who saw what after each move: 1 or -1, differences of pieces


def differences(boards: Iterable[Board]) -> Array:
    """Pieces of the side to move less those of the other, by kind: n x 7."""
    counts = Positions(boards).planes().sum(axis=(2, 3), dtype=np.int64)
    return counts[:, :7] - counts[:, 7:]


def choose(board: Board, weights: Array, chance: float, rng: random.Random) -> tuple[Move, Array]:
    """A move, and the differences after it as its player sees them; by chance any move."""
    moves = list(board.legal_moves)
    rng.shuffle(moves)
    if rng.random() < chance:
        moves = moves[:1]
    after: list[Board] = []
    for move in moves:
        board.push(move)
        after.append(board.copy(stack=False))
        board.pop()
    seen = -differences(after)
    best = int(np.argmax(seen @ weights + [100.0 * board.is_checkmate() for board in after]))
    return moves[best], seen[best]


def play(
    red: Array, black: Array, chance: float, rng: random.Random, max_plies: int = 160
) -> tuple[int, Seen]:
    """A game: 1 if Red wins, -1 if Black does, 0 else; and what was seen."""
    board = Board()
    seen: Seen = []
    while board.ply < max_plies and not board.is_game_over():
        move, difference = choose(board, red if board.turn else black, chance, rng)
        seen.append((1 if board.turn else -1, difference))
        board.push(move)
    outcome = board.outcome()
    if outcome is None or outcome.winner is None:
        return 0, seen
    return (1 if outcome.winner else -1), seen


def learn(games: int, rng: random.Random, rate: float = 0.02, decay: float = 0.97) -> Array:
    weights = np.full(7, 0.01)
    for game in range(games):
        result, seen = play(weights, weights, max(0.1, 1 - 2 * game / games), rng)
        for age, (side, difference) in enumerate(reversed(seen)):
            value = np.tanh(difference @ weights)
            weights += rate * decay**age * (side * result - value) * (1 - value**2) * difference
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn what the pieces are worth by self-play.")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--test-games", type=int, default=100, help="against a player that moves by chance")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    weights = learn(args.games, rng)
    for name, weight in sorted(zip(PIECE_NAMES[2:], weights[1:], strict=True), key=lambda pair: -pair[1]):
        print(f"{name:8} {weight:6.2f}")
    blind = np.zeros(7)
    results: list[int] = [play(weights, blind, 0, rng)[0] for _ in range(args.test_games)]
    print(f"against chance: {results.count(1)} won, {results.count(0)} drawn, {results.count(-1)} lost")


if __name__ == "__main__":
    main()
