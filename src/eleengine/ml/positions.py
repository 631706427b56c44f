"""Many positions, and the arrays that are made of them without a loop in Python."""

from __future__ import annotations

import json
import operator
import os
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final, SupportsIndex, TypeAlias, overload

try:
    import numpy as np
except ImportError:
    raise ModuleNotFoundError('eleengine.ml needs numpy: pip install "eleengine[ml]"', name="numpy") from None

from .._core import (
    MATE,
    BaseBoard,
    Context,
    Move,
    Network,
    PositionArray,
    as_board,
    as_move,
    check_color,
    default_context,
    policy_moves,
)
from .._internal.files import new_file, plain_file
from ..board import Board
from ..pieces import BLACK, PIECE_NAMES, RED, Color
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
_UNKNOWN_PLY: Final = 0xFFFF
_UNKNOWN_GAME: Final = -1


def _seen(move: Move, turn: Color, mirror: bool) -> Move:
    """The move as its side sees it, or back again."""
    squares = [as_move(move).from_square, move.to_square]
    if check_color(turn) != RED:
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


def legal_indices(board: BaseBoard, *, mirror: bool = False) -> Array:
    """The numbers of the legal moves of a board in ascending order, as `policy_index` counts them: int64.

    mirror: with files a to i exchanged for i to a. ValueError for a board that cannot be played.

    >>> len(legal_indices(Board()))
    44
    """
    return np.flatnonzero(Positions([board]).legal_moves(mirror=mirror)[0])


class Positions:
    """A sequence of playable positions, each with what is known about it: move, score, result, game and ply.

    boards: the first of them. Each position takes 112 bytes. Filling arrays lets go of the GIL, and threads
    share the work. Positions cannot be added meanwhile (RuntimeError). They can be pickled, copied, joined by
    ``+`` and kept in files by `save`, always with all that belongs to them; `split` parts them by games.

    >>> positions = Positions()
    >>> positions.add(Board(), move=Move.from_iccs("h2e2"), score=30, result="1-0")
    >>> positions.results(), positions.scores(), positions[0] == Board()
    (array([1.], dtype=float32), array([30.], dtype=float32), True)
    """

    def __init__(self, boards: Iterable[BaseBoard] = ()) -> None:
        self._array = PositionArray()
        #: The headers of the games by number, of those that have some; see `games`.
        self.headers: dict[int, dict[str, str]] = {}
        self._next_game: int = 0
        self.extend(boards)

    @classmethod
    def _of_array(cls, array: PositionArray) -> Positions:
        positions = cls()
        positions._array = array
        return positions

    def __len__(self) -> int:
        return len(self._array)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} positions>"

    def __copy__(self) -> Positions:
        return Positions(self)

    def __add__(self, other: Positions) -> Positions:
        """The positions of both, in new memory; games of the other get new numbers."""
        if not isinstance(other, Positions):
            return NotImplemented
        both = Positions(self)
        both.extend(other)
        return both

    def add(
        self,
        board: BaseBoard,
        *,
        move: Move | None = None,
        score: int | None = None,
        result: str | None = None,
        game: int | None = None,
        ply: int | None = None,
    ) -> None:
        """Append a board.

        move: played or chosen there; IllegalMoveError unless it is legal. score: centipawns for the side to
        move. result: of the game, "1-0" if Red won, or None. game: its number, from 0 on. ply: since the
        start of the game, 0 to 65534. TypeError for what is no board, ValueError for one that cannot be
        played.
        """
        number = _UNKNOWN_GAME if game is None else operator.index(game)
        if game is not None and number < 0:
            raise ValueError(f"the number of a game must not be negative, but is {game}")
        self._array.add(as_board(board), move, score, _result_code(result), ply, number)
        self._next_game = max(self._next_game, number + 1)

    def extend(self, boards: Iterable[BaseBoard] | Positions) -> None:
        """Append boards about which nothing else is known, or other positions with all that belongs to them.

        The games of other positions get numbers behind those that are here.
        """
        if isinstance(boards, Positions):
            first = self._next_game
            self._array.extend(boards._array, first)
            self.headers |= {first + number: dict(of) for number, of in boards.headers.items()}
            self._next_game = first + boards._next_game
            return
        add = self._array.add
        for board in boards:
            add(as_board(board))

    def add_game(self, game: Game, *, first_ply: int = 0) -> int:
        """Append the positions of a game's main line in which a move was played; return their number.

        first_ply: leave out the plies before. The result is that of the game, scores are not known. The game
        gets the next number, under which its headers are kept, with an Opening (see `headers_of`).
        """
        moves = np.array([m.from_square | m.to_square << 7 for m in game.mainline_moves()], np.uint16)
        result = _RESULTS.get(game.result, 3)
        return self._add_packed(
            Board(game.start), moves.tobytes(), None, result, first_ply=first_ply, headers=headers_of(game)
        )

    def _add_packed(
        self,
        start: BaseBoard,
        moves: bytes,
        scores: bytes | None,
        result: int,
        *,
        first_ply: int = 0,
        headers: Mapping[str, str] | None = None,
        game: int | None = None,
    ) -> int:
        """Append a game as `PositionArray.add_game` takes it, under the next number if it has none."""
        number = self._next_game if game is None else game
        added = self._array.add_game(start, moves, scores, result, first_ply=first_ply, game=number)
        self._next_game = max(self._next_game, number + 1)
        if headers:
            self.headers[number] = dict(headers)
        return added

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all positions and headers to a file for `load`; FileExistsError if there is one."""
        rows = np.frombuffer(self._array.tobytes(), np.uint8)
        headers = np.frombuffer(json.dumps(list(self.headers.items())).encode(), np.uint8)
        with new_file(os.fspath(path)) as part, open(part, "wb") as file:
            np.savez_compressed(file, positions=rows, headers=headers, games=np.int64(self._next_game))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Positions:
        """The positions of a file that `save` has written; OSError, ValueError for another file."""
        try:
            with np.load(plain_file(os.fspath(path)), allow_pickle=False) as file:
                rows, headers, games = file["positions"], file["headers"], int(file["games"])
            loaded = cls()
            loaded._array.frombytes(rows.tobytes())
            loaded.headers = {int(number): dict(of) for number, of in json.loads(headers.tobytes())}
        except (KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise ValueError(f"{os.fspath(path)}: no file of positions: {error}") from None
        loaded._next_game = games
        return loaded

    def split(self, share: float, *, seed: int = 0) -> tuple[Positions, Positions]:
        """Part the positions by games: those of a share of the games, chosen by the seed, and all others.

        So no game is in both, as training and validation need it. share: 0 to 1 of the games. ValueError if
        it is not, or if there are positions of which no game is known.

        >>> positions = Positions()
        >>> for game in range(10):
        ...     positions.add(Board(), game=game)
        >>> [len(part) for part in positions.split(0.2)]
        [2, 8]
        """
        if not 0 <= share <= 1:
            raise ValueError(f"share must be 0 to 1, not {share}")
        games = self.games()
        numbers = np.unique(games)
        if len(numbers) and numbers[0] == _UNKNOWN_GAME:
            raise ValueError("not every position has a game to be parted by")
        chosen = np.random.default_rng(seed).permutation(numbers)[: round(share * len(numbers))]
        here = np.isin(games, chosen)
        return self[here], self[~here]

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
        taken._next_game = self._next_game
        if self.headers:
            numbers = set(np.unique(taken.games()).tolist())
            taken.headers = {number: of for number, of in self.headers.items() if number in numbers}
        return taken

    def __iter__(self) -> Iterator[Board]:
        return (self[i] for i in range(len(self)))

    def fens(self) -> list[str]:
        """The positions as FENs, whose moves count from 1."""
        return self._array.fens()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The positions as a table of Arrow for other libraries, `polars.DataFrame(positions)` for one."""
        names = dict.fromkeys(name for headers in self.headers.values() for name in headers)
        return to_arrow(self, names).__arrow_c_stream__(requested_schema)

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
        _, _, results, turns, _, _ = self._columns(False)
        return results_for(turns, results)

    def turns(self) -> Array:
        """Who is to move: n of bool, True for Red."""
        return self._columns(False)[3]

    def plies(self) -> Array:
        """Plies since the start of the game: n of int32, -1 where none are known."""
        plies = self._columns(False)[4].astype(np.int32)
        return np.where(plies == _UNKNOWN_PLY, np.int32(-1), plies)

    def games(self) -> Array:
        """Which game each position is from: n of int64, the numbers of `headers`, -1 where none is known."""
        return self._columns(False)[5]

    def header(self, name: str) -> Array:
        """A header of each position's game, such as "Red", "Date" or "Opening": n of str, "" where none is
        known.
        """
        numbers, places = np.unique(self.games(), return_inverse=True)
        texts = [self.headers.get(number, {}).get(name, "") for number in numbers.tolist()]
        return np.array(texts, np.str_)[places] if texts else np.empty(0, np.str_)

    def _columns(self, mirror: bool) -> tuple[Array, Array, Array, Array, Array, Array]:
        n = len(self)
        columns = (
            np.empty(n, np.int16), np.empty(n, np.int16), np.empty(n, np.uint8), np.empty(n, bool),
            np.empty(n, np.uint16), np.empty(n, np.int64),
        )  # fmt: skip
        self._array.columns(*columns, mirror=mirror)
        return columns


@cache
def _texts(turn: Color) -> Array:
    """The moves of a policy in ICCS, then None for -1."""
    return np.array([*(policy_move(i, turn).iccs() for i in range(POLICY_SIZE)), None], object)


def several(what: str, given: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Paths or names as texts; TypeError for a single one, whose letters would be taken for names."""
    if isinstance(given, (str, bytes, os.PathLike)):
        raise TypeError(f"{what} must be several, as in [{os.fspath(given)!r}]")
    return tuple(os.fspath(one) for one in given)


def to_arrow(positions: Positions, headers: Iterable[str] = ()) -> Any:
    """Positions as a table of Arrow: game, ply, turn, fen, move, score, result, and headers; needs pyarrow.

    turn is "red" or "black", move is in ICCS; score (centipawns) and result (1, 0, -1) are those of the side
    to move; what is not known is null. Positions are such a stream themselves,
    with all headers: `polars.DataFrame(positions)`, `pyarrow.table(positions)`.
    """
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise ModuleNotFoundError("Arrow needs pyarrow: pip install pyarrow", name="pyarrow") from None
    text, real = pyarrow.string(), pyarrow.float32()
    kinds = {"game": pyarrow.int64(), "ply": pyarrow.int32(), "turn": text, "fen": text, "move": text,
             "score": real, "result": real}  # fmt: skip
    games, plies, turns = positions.games(), positions.plies(), positions.turns()
    scores, results = positions.scores(), positions.results()
    moves = positions.moves()
    columns: dict[str, Any] = {
        "game": pyarrow.array(games, mask=games < 0),
        "ply": pyarrow.array(plies, mask=plies < 0),
        "turn": np.where(turns, "red", "black").astype(object),
        "fen": positions.fens(),
        "move": np.where(turns, _texts(RED)[moves], _texts(BLACK)[moves]),
        "score": pyarrow.array(scores, mask=np.isnan(scores)),
        "result": pyarrow.array(results, mask=np.isnan(results)),
    }
    for name in several("headers", headers):
        if name in kinds:
            raise ValueError(f"{name!r} is a column already")
        kinds[name] = text
        columns[name] = [value or None for value in positions.header(name).tolist()]
    return pyarrow.table(columns, schema=pyarrow.schema(kinds.items()))


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


def headers_of(game: Game) -> Mapping[str, str]:
    """The headers of a game; if they name no Opening, with the English name that `Game.opening` finds."""
    if game.headers.get("Opening", "?") not in ("", "?") or (opening := game.opening()) is None:
        return game.headers
    return game.headers | {"Opening": opening.text()}


def results_for(turns: Array, results: Array) -> Array:
    """Results of games, as the core numbers them, for the sides `turns`, as `Positions.results` has them."""
    sides = np.where(turns, results, np.array([2, 1, 0, 3], np.uint8)[results])
    return np.array([-1, 0, 1, np.nan], np.float32)[sides]


def _result_code(result: str | None) -> int:
    try:
        return 3 if result is None else _RESULTS[result]
    except KeyError:
        raise ValueError(f"a result is one of {', '.join(_RESULTS)} or None, not {result!r}") from None
