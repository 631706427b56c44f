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


class TableTracker:
    """Ends a game when endgame tables know its result for sure.

    That is after a capture: no position before it can come again, and the count to the limit begins. A win
    must come within that limit, and a draw must be one under every rule of repetition.
    """

    def __init__(self, rules: Adjudication, no_capture_limit: int | None) -> None:
        self._tables = open_folder(rules.tables) if rules.tables else None
        self._limit = no_capture_limit

    def update(self, board: Board) -> str | None:
        """The result if the tables know it; TableError for a damaged file."""
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


class ResignTracker:
    """Counts for how many moves in a row each side has seen itself as losing and as winning.

    >>> tracker = ResignTracker(Adjudication(resign_score=500, resign_moves=1))
    >>> tracker.update(True, -600), tracker.update(False, 700)  # Red is lost, and Black agrees
    (None, True)
    """

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._losing = [0, 0]  # by color
        self._winning = [0, 0]

    def update(self, color: Color, score: int | None) -> Color | None:
        """Count a move and the mover's score; return the side that has lost by it, if one has."""
        limit = self._rules.resign_score
        if limit is None:
            return None
        self._losing[color] = self._losing[color] + 1 if score is not None and score <= -limit else 0
        self._winning[color] = self._winning[color] + 1 if score is not None and score >= limit else 0
        for loser in (color, not color):
            if self._losing[loser] >= self._rules.resign_moves and self._is_agreed(not loser):
                return loser
        return None

    def _is_agreed(self, winner: Color) -> bool:
        return self._rules.resign_alone or self._winning[winner] >= self._rules.resign_moves


class DrawTracker:
    """Counts for how many moves in a row each side has seen the game as even.

    >>> tracker = DrawTracker(Adjudication(draw_score=10, draw_moves=1, draw_ply=0))
    >>> tracker.update(True, 3), tracker.update(False, -10)
    (False, True)
    """

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._even = [0, 0]  # by color
        self._plies = 0

    def update(self, color: Color, score: int | None) -> bool:
        """Count a move and the mover's score; return whether the game is drawn by it."""
        limit = self._rules.draw_score
        is_even = limit is not None and score is not None and abs(score) <= limit
        self._even[color] = self._even[color] + 1 if is_even else 0
        self._plies += 1
        return self._plies >= self._rules.draw_ply and min(self._even) >= self._rules.draw_moves


class Adjudicator:
    """Decides after each move whether a game ends by `Adjudication`."""

    def __init__(self, rules: Adjudication, no_capture_limit: int | None = None) -> None:
        self._tables = TableTracker(rules, no_capture_limit)
        self._resign = ResignTracker(rules)
        self._draw = DrawTracker(rules)
        self._max_plies = rules.max_plies
        self._plies = 0

    def update(self, board: Board, score: int | None) -> tuple[str, str] | None:
        """Count the move that led to this position and the mover's score in centipawns.

        Returns result and reason if the game ends.
        """
        color = not board.turn
        if result := self._tables.update(board):
            return result, "table_adjudication"
        loser = self._resign.update(color, score)
        is_drawn = self._draw.update(color, score)
        self._plies += 1
        if loser is not None:
            return ("0-1" if loser == RED else "1-0"), "win_adjudication"
        if is_drawn:
            return "1/2-1/2", "draw_adjudication"
        return ("1/2-1/2", "max_plies") if self._plies >= self._max_plies else None
