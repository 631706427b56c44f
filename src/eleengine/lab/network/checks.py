"""What any network must hold, found out on positions: symmetries, and that pieces are worth something."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from ..._core import Context, Network, Searcher
from ...board import Board
from ...pieces import ADVISOR, BISHOP, CANNON, KNIGHT, PAWN, ROOK

KINDS = (ROOK, CANNON, KNIGHT, PAWN)


class CheckResult(NamedTuple):
    """What was found on some positions; scores are centipawns for the side to move."""

    positions: int
    asymmetric: int  #: where colours exchanged, or files mirrored, give another score
    useless: int  #: where the score does not fall without a rook, cannon or knight of the side to move
    worths: dict[int, float]  #: by kind: how much it falls on average without one piece of that side
    rms: float  #: root mean square of the scores
    classical_rms: float  #: of the classical evaluation on the same positions

    @property
    def fault(self) -> str | None:
        """Why the network should not be used, or None."""
        if self.asymmetric:
            return f"in {self.asymmetric} of {self.positions} positions colours or files change the score"
        if self.useless > self.positions // 20:
            return f"in {self.useless} of {self.positions} positions a piece less is no loss"
        order = [self.worths[kind] for kind in KINDS]
        if not order[0] > order[1] > order[3] > 0 or not order[2] > order[3]:
            return f"rook, cannon, knight and pawn are worth {', '.join(f'{worth:.0f}' for worth in order)}"
        return None


def positions(count: int, seed: int = 1) -> Iterator[Board]:
    """Positions of games in which moves are chosen at random among few good ones."""
    rng = random.Random(seed)
    searcher = Searcher(hash_mib=1, context=Context(network=None))
    board = Board()
    for _ in range(count):
        lines = searcher.search(board, nodes=200, multipv=4)
        if not lines or board.outcome() is not None or board.ply > 120:
            board = Board()
            lines = searcher.search(board, nodes=200, multipv=4)
        board.push(rng.choice(lines).pv[0])
        yield board


def check(network: Network, count: int = 500, seed: int = 1) -> CheckResult:
    """Evaluate positions with the network, mirrored, colour-flipped, and without pieces."""
    classical = Searcher(hash_mib=1, context=Context(network=None))
    asymmetric = useless = 0
    squares = classical_squares = 0
    falls: dict[int, list[int]] = {kind: [] for kind in (ADVISOR, BISHOP, *KINDS)}
    for board in positions(count, seed):
        score = network.evaluate(board)
        squares += score**2
        classical_squares += classical.evaluate(board) ** 2
        images = board.swap_colors(), board.mirror_files()
        asymmetric += any(network.evaluate(image) != score for image in images)
        smallest = 1
        for square, without in network.without_each(board).items():
            piece = board.piece_at(square)
            if piece and piece.color == board.turn:
                falls[piece.piece_type].append(score - without)
                if piece.piece_type in (ROOK, CANNON, KNIGHT):
                    smallest = min(smallest, score - without)
        useless += smallest <= 0
    worths = {kind: sum(found) / max(1, len(found)) for kind, found in falls.items()}
    rms, classical_rms = ((total / count) ** 0.5 for total in (squares, classical_squares))
    return CheckResult(count, asymmetric, useless, worths, rms, classical_rms)
