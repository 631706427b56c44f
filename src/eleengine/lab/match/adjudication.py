"""When a game ends before the rules end it: tables or the players see it as decided, or it takes too long."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache

from ..._core import draws_are_certain, table_name
from ...board import Board
from ...jobs.identity import digest
from ...pieces import RED, Color
from ...tables import SHIPPED, MissingTableError, Tables
from ...tables.file import LAYERS
from ...tables.folder import is_near_tables

#: In place of a folder: the tables that come with eleengine, which every worker has.
OWN_TABLES = "shipped"
HEAD_BYTES = 1 << 16  # of a table, which distinguish it: its head has checksums of its blocks


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game ends before the rules end it. A score of None switches that rule off.

    resign_score: centipawns: lost for a side that sees itself that far behind while the other sees
        itself that far ahead, both resign_moves times in a row; resign_alone: what the other one sees
        does not matter.
    draw_score: drawn if, from draw_ply plies on, both see no more than this for either side, in
        draw_moves times in a row.
    max_plies: plies from the opening after which the game is drawn.
    tables: a folder of endgame tables, or OWN_TABLES: after a capture the game ends if they know the result
        for sure. tables_digest: of what is in it (`tables_digest`), so that a match goes on with the same.
    """

    resign_score: int | None = None
    resign_moves: int = 3
    resign_alone: bool = False
    draw_score: int | None = None
    draw_moves: int = 8
    draw_ply: int = 80
    max_plies: int = 400
    tables: str | None = None
    tables_digest: str = ""

    def check(self) -> None:
        """ValueError names what is out of range."""
        for name, value in asdict(self).items():
            minimum = 0 if name in ("draw_score", "draw_ply", "resign_alone") else 1
            if isinstance(value, int) and value < minimum:
                raise ValueError(f"{name} must be at least {minimum}, not {value}")

    def to_dict(self) -> dict[str, int | bool | str | None]:
        """The rules as JSON data; without tables as versions before wrote them."""
        data = asdict(self)
        return data if self.tables else {k: v for k, v in data.items() if not k.startswith("tables")}


@lru_cache
def open_folder(folder: str) -> Tables:
    """The tables of `Adjudication.tables`; threads may share them."""
    return Tables(SHIPPED if folder == OWN_TABLES else folder)


@lru_cache
def tables_digest(folder: str) -> str:
    """A checksum of the tables in a folder; ValueError if there are none. OSError."""
    tables = open_folder(folder)
    if not (names := tables.names()):
        raise ValueError(f"{folder}: no endgame tables: make some with: eleengine tables make --set 1")
    parts = []
    for name in names:
        for layer in range(len(LAYERS)):
            if (path := tables.path(name, layer)).is_file():
                with open(path, "rb") as file:
                    parts += [path.name.encode(), file.read(HEAD_BYTES)]
    return digest(parts)


class Adjudicator:
    """Decides after each move whether a game ends by `Adjudication`.

    >>> from eleengine import Move
    >>> adjudicator, board = Adjudicator(Adjudication(resign_score=500, resign_moves=1)), Board()
    >>> for iccs, score in (("h2e2", -600), ("h9g7", 700)):  # Red is lost, and Black agrees
    ...     board.push(Move.from_iccs(iccs))
    ...     print(adjudicator.update(board, score))
    None
    ('0-1', 'win_adjudication')
    """

    def __init__(self, rules: Adjudication, no_capture_limit: int | None = None) -> None:
        self._rules = rules
        self._tables = open_folder(rules.tables) if rules.tables else None
        self._limit = no_capture_limit
        self._plies = 0
        # By color: for how many moves in a row a side has seen itself losing or winning, or the game as even.
        self._losing, self._winning, self._even = [0, 0], [0, 0], [0, 0]

    def update(self, board: Board, score: int | None) -> tuple[str, str] | None:
        """Count the move that led to this position and the mover's score in centipawns.

        Returns result and reason if the game ends; TableError for a damaged file.
        """
        color, rules = not board.turn, self._rules
        self._plies += 1
        if result := self._known_result(board):
            return result, "table_adjudication"
        resign, draw = rules.resign_score, rules.draw_score
        for counts, is_seen in (
            (self._losing, resign is not None and score is not None and score <= -resign),
            (self._winning, resign is not None and score is not None and score >= resign),
            (self._even, draw is not None and score is not None and abs(score) <= draw),
        ):
            counts[color] = counts[color] + 1 if is_seen else 0
        for loser in (color, not color):
            if self._is_lost(loser):
                return ("0-1" if loser == RED else "1-0"), "win_adjudication"
        if self._plies >= rules.draw_ply and min(self._even) >= rules.draw_moves:
            return "1/2-1/2", "draw_adjudication"
        return ("1/2-1/2", "max_plies") if self._plies >= rules.max_plies else None

    def _known_result(self, board: Board) -> str | None:
        """The result if endgame tables know it for sure.

        That is after a capture: no position before it can come again, and the count to the limit begins. A
        win must come within that limit, and a draw must be one under every rule of repetition.
        """
        if self._tables is None or board.halfmove_clock or not is_near_tables(board):
            return None
        try:
            result = self._tables.probe_wdl(board)
            in_time = self._limit is None or self._tables.is_within_limit(board, self._limit + 1)
        except MissingTableError:
            return None
        if not result:
            return "1/2-1/2" if draws_are_certain(table_name(board)) else None
        if not in_time:
            return None
        return "1-0" if (board.turn == RED) == (result > 0) else "0-1"

    def _is_lost(self, loser: Color) -> bool:
        """Has a side seen itself losing for long enough, and the other one agreed?"""
        moves = self._rules.resign_moves
        is_agreed = self._rules.resign_alone or self._winning[not loser] >= moves
        return self._losing[loser] >= moves and is_agreed
