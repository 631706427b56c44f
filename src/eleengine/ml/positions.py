"""Many positions, and the arrays that are made of them without a loop in Python."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, TypeAlias, overload

try:
    import numpy as np
except ImportError:
    raise ModuleNotFoundError('eleengine.ml needs numpy: pip install "eleengine[ml]"', name="numpy") from None

from .._core import (
    MATE,
    NO_SCORE,
    BaseBoard,
    Context,
    Move,
    Network,
    PositionArray,
    default_context,
    policy_moves,
)
from ..board import Board
from ..pieces import PIECE_NAMES, RED, Color
from ..squares import square_mirror, square_mirror_files

if TYPE_CHECKING:
    from ..records import Game

Array: TypeAlias = "np.ndarray[Any, Any]"

#: What stands on each plane: seven own kinds, then the same of the enemy.
PLANES: Final = tuple(f"{owner} {name}" for owner in ("own", "enemy") for name in PIECE_NAMES[1:])

_MOVES: Final = tuple(policy_moves())
_INDEX: Final = {move: index for index, move in enumerate(_MOVES)}
#: Moves that a policy numbers, as the side to move sees them: every legal move of any board is one of them.
POLICY_SIZE: Final = len(_MOVES)

_RESULTS: Final = {"0-1": 0, "1/2-1/2": 1, "1-0": 2, "*": 3}


def _seen(move: Move, turn: Color, mirror: bool) -> Move:
    """The move as its side sees it, or back again."""
    squares = [move.from_square, move.to_square]
    if turn != RED:
        squares = [square_mirror(square) for square in squares]
    if mirror:
        squares = [square_mirror_files(square) for square in squares]
    return Move(*squares)


def policy_index(move: Move, turn: Color, *, mirror: bool = False) -> int:
    """The number of a move of the side `turn`, 0 to POLICY_SIZE - 1; ValueError if no piece moves so.

    mirror: with files a to i exchanged for i to a, as in mirrored planes.

    >>> policy_index(Move.from_iccs("h2e2"), RED) == policy_index(Move.from_iccs("h7e7"), False)
    True
    """
    try:
        return _INDEX[_seen(move, turn, mirror)]
    except KeyError:
        raise ValueError(f"no piece moves like {move}") from None


def policy_move(index: int, turn: Color, *, mirror: bool = False) -> Move:
    """The move of a number for the side `turn`; IndexError if there is none.

    >>> policy_move(policy_index(Move.from_iccs("h9g7"), False, mirror=True), False, mirror=True)
    Move.from_iccs('h9g7')
    """
    if not 0 <= index < POLICY_SIZE:
        raise IndexError(f"a policy has the moves 0 to {POLICY_SIZE - 1}, not {index}")
    return _seen(_MOVES[index], turn, mirror)


class Positions:
    """A sequence of playable positions, each with a move, a score and a result if they are known.

    boards: the first of them. Each position takes 98 bytes. Filling arrays lets go of the GIL, and threads
    share the work. Positions cannot be added meanwhile (RuntimeError).

    >>> positions = Positions()
    >>> positions.add(Board(), move=Move.from_iccs("h2e2"), score=30, result="1-0")
    >>> positions.results(), positions.scores(), positions[0] == Board()
    (array([1.], dtype=float32), array([30.], dtype=float32), True)
    """

    def __init__(self, boards: Iterable[BaseBoard] = ()) -> None:
        self._array = PositionArray()
        self.extend(boards)

    def __len__(self) -> int:
        return len(self._array)

    def add(
        self,
        board: BaseBoard,
        *,
        move: Move | None = None,
        score: int | None = None,
        result: str | None = None,
    ) -> None:
        """Append a board.

        move: played or chosen there; IllegalMoveError unless it is legal. score: centipawns for the side to
        move. result: of the game, "1-0" if Red won, or None. ValueError for a board that cannot be played.
        """
        self._array.add(board, move, NO_SCORE if score is None else score, _result_code(result))

    def extend(self, boards: Iterable[BaseBoard]) -> None:
        """Append boards about which nothing else is known."""
        add = self._array.add
        for board in boards:
            add(board)

    def add_game(self, game: Game, *, first_ply: int = 0) -> int:
        """Append the positions of a game's main line in which a move was played; return their number.

        first_ply: leave out the plies before. The result is that of the game, scores are not known.
        """
        moves = np.array([m.from_square | m.to_square << 7 for m in game.mainline_moves()], np.uint16)
        result = _RESULTS.get(game.result, 3)
        return self._array.add_game(Board(game.start), moves.tobytes(), None, result, first_ply=first_ply)

    @overload  # an array supports __index__, too, but only without dimensions
    def __getitem__(self, index: slice | Array) -> Positions: ...  # type: ignore[overload-overlap]
    @overload
    def __getitem__(self, index: SupportsIndex) -> Board: ...
    def __getitem__(self, index: Any) -> Board | Positions:
        """One position as a board without moves, or those of a slice or an array, by the rules of numpy.

        The array holds indices, which count from the end if they are negative, or a bool for each position.
        IndexError for a position that is not there, and for an array of another shape or kind.
        """
        n = len(self)
        if not isinstance(index, slice) and np.ndim(index) == 0:
            at = operator.index(index)
            if not -n <= at < n:
                raise IndexError(f"position {at} of {n}")
            return self._array.board(at % n, Board)
        taken = Positions()
        taken._array = self._array.take(_chosen(index, n))
        return taken

    def __iter__(self) -> Iterator[Board]:
        return (self[i] for i in range(len(self)))

    def planes(self, *, mirror: bool = False, threads: int = 1) -> Array:
        """What stands where: n x 14 x 10 x 9 of uint8, 1 for a piece.

        By kind (see `PLANES`), rank from the own back rank, and file from a. mirror: from i to a instead.
        """
        planes = np.empty((len(self), len(PLANES), 10, 9), np.uint8)
        self._array.planes(planes, mirror=mirror, threads=threads)
        return planes

    def features(self, *, threads: int = 1) -> Array:
        """Rows of the pieces in the network's first layer: n x 2 x 32 of int16, 0 to 691, or -1 for none.

        First what the side to move sees, then what the other sees; see docs/nnue.md.
        """
        rows = np.empty((len(self), 2, 32), np.int16)
        self._array.features(rows, threads=threads)
        return rows

    def legal_moves(self, *, mirror: bool = False, threads: int = 1) -> Array:
        """Which moves are legal: n x POLICY_SIZE of bool, by the numbers of `policy_index`."""
        legal = np.empty((len(self), POLICY_SIZE), bool)
        self._array.legal_moves(legal, mirror=mirror, threads=threads)
        return legal

    def evaluate(self, *, network: Network | None = None, threads: int = 1) -> Array:
        """Static evaluations in centipawns for the side to move: n of int16.

        network: instead of the one that comes with eleengine.
        """
        values = np.empty(len(self), np.int16)
        context = default_context() if network is None else Context(network=network)
        self._array.evaluate(values, context=context, threads=threads)
        return values

    def moves(self, *, mirror: bool = False) -> Array:
        """The moves played: n of int16, numbers of `policy_index`, or -1 where none is known."""
        return self._columns(mirror)[0]

    def scores(self) -> Array:
        """Scores in centipawns for the side to move: n of float32, nan where none is known.

        A mate in n plies is 30,000 - n.
        """
        scores = self._columns(False)[1]
        return np.where(np.abs(scores.astype(np.int32)) > MATE, np.nan, scores).astype(np.float32)

    def results(self) -> Array:
        """Results for the side to move: n of float32, 1 won, 0 drawn, -1 lost, nan where none is known."""
        _, _, results, turns = self._columns(False)
        values = np.array([-1, 0, 1, np.nan], np.float32)[results]
        return np.where(turns, values, -values)

    def turns(self) -> Array:
        """Who is to move: n of bool, True for Red."""
        return self._columns(False)[3]

    def _columns(self, mirror: bool) -> tuple[Array, Array, Array, Array]:
        n = len(self)
        columns = np.empty(n, np.int16), np.empty(n, np.int16), np.empty(n, np.uint8), np.empty(n, bool)
        self._array.columns(*columns, mirror=mirror)
        return columns


def _chosen(index: slice | Array, n: int) -> Array:
    """The indices from 0 on, as int64, of what a slice or an array chooses from n; IndexError."""
    if isinstance(index, slice):
        return np.arange(*index.indices(n), dtype=np.int64)
    index = np.asarray(index)
    if index.dtype == bool:
        if index.shape != (n,):
            raise IndexError(f"a mask of {n} positions needs {n} bools, not the shape {index.shape}")
        return np.flatnonzero(index).astype(np.int64)
    if index.ndim != 1 or (index.size and index.dtype.kind not in "iu"):
        raise IndexError("positions are chosen by one row of integers or bools")
    outside = (index < -n) | (index >= n)
    if outside.any():
        raise IndexError(f"position {index[outside][0]} of {n}")
    index = index.astype(np.int64)
    return np.where(index < 0, index + n, index)


def _result_code(result: str | None) -> int:
    try:
        return 3 if result is None else _RESULTS[result]
    except KeyError:
        raise ValueError(f"a result is one of {', '.join(_RESULTS)} or None, not {result!r}") from None
