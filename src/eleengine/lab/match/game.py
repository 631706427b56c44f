"""One game between two players, judged after each ply by the rules of this library.

>>> from eleengine import Engine, Limit
>>> from eleengine.lab.match.player import Player
>>> a, b = Player("a", Engine), Player("b", lambda: Engine(skill=0))
>>> record = play_game(a, b, limit=Limit(nodes=500))
>>> record.result in POINTS, record.plies == len(record.notes)
(True, True)
>>> record == play_game(a, b, limit=Limit(nodes=500))
True
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from platform import node
from time import perf_counter, time
from typing import Any, NamedTuple, Self

from ..._core import STARTING_FEN, Move
from ...board import Board, Outcome
from ...engines import Limit, PlayResult
from ...jobs.identity import build_name
from ...pieces import BLACK, RED, Color
from ...position_text import read_position
from ...records import Game
from ...records.tree import GameNode
from ...rules import NO_CAPTURE_LIMIT
from ...score import score_text, to_core
from .adjudication import Adjudication, Adjudicator
from .player import Player, PlayerError

#: Reasons that are a player's own fault, and say nothing of how well it plays.
FAULTS = ("illegal_move", "time_forfeit", "crash", "no_answer", "no_move")
#: Reasons by which the rules of repetition take a game away.
RULE_LOSSES = ("perpetual_check", "perpetual_chase")

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}  #: of Red


PV_PLIES = 10  # of a line are written down: enough to see what a player has missed
#: What the comments of a PGN file may hold beside score, depth and time.
COMMENTS = ("nodes", "nps", "tbhits", "pv")


OWN_COMMENT = re.compile(r"\S+/\d+ \d+\.\d{3}s(, .*)?$")  # as `MoveRecord.comment` makes it
#: Of a game as JSON data: what there always is, with its type, and what there may be, beside the moves.
_NEEDED = {"red": str, "black": str, "fen": str, "book": int, "result": str, "reason": str}
_ABOUT = ("detail", "date", "host", "build", "ended")


class MoveRecord(NamedTuple):
    """What a player said of its move, and the seconds that it took.

    score: centipawns for its own side, MATE - n or n - MATE for a mate in n plies (`_core.MATE`); None if it
    said none. depth, nodes, tbhits: 0 if it said none. pv: the first moves of its line, as ICCS.
    """

    score: int | None
    depth: int
    nodes: int
    seconds: float
    pv: str = ""
    tbhits: int = 0

    @classmethod
    def of(cls, result: PlayResult, seconds: float) -> Self:
        """Take what the result of a search has."""
        info = result.info
        score = to_core(info["score"].relative) if "score" in info else None
        pv = " ".join(move.iccs() for move in info.get("pv", ())[:PV_PLIES])
        return cls(score, info.get("depth", 0), info.get("nodes", 0), seconds, pv, info.get("tbhits", 0))

    @property
    def nps(self) -> int:
        """Positions a second; 0 if it took no time, or said no nodes."""
        return round(self.nodes / self.seconds) if self.seconds else 0

    def comment(self, more: Collection[str] = (), *, pawns: bool = False) -> str:
        """Score, depth and time, then those of `COMMENTS` that are asked for, as match programs write them.

        What is not known is left out, but for the depth, which is 0 as those programs write it.

        >>> MoveRecord(-34, 8, 500, 0.25, "h2e2 h9g7").comment(["pv", "nodes", "nps"])
        '-34/8 0.250s, n=500, nps=2000, pv="h2e2 h9g7"'
        >>> MoveRecord(-34, 0, 0, 0.25).comment(["nodes", "nps", "tbhits"])
        '-34/0 0.250s, tbhits=0'
        """
        score = "?" if self.score is None else score_text(self.score, "pawns" if pawns else "centipawns")
        texts = (
            self.nodes and f"n={self.nodes}", self.nps and f"nps={self.nps}",
            f"tbhits={self.tbhits}", f'pv="{self.pv}"',
        )  # fmt: skip
        found = [text for name, text in zip(COMMENTS, texts, strict=True) if text and name in more]
        return ", ".join([f"{score}/{self.depth} {self.seconds:.3f}s", *found])


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game.

    fen, moves: the start position and all moves from there, those of the opening included.
    book: how many moves of the opening there are.
    result: 1-0 (Red has won), 0-1 or 1/2-1/2. reason: why: a termination of `Board.outcome` in small
        letters, "resignation", "max_plies", "win_adjudication", "draw_adjudication", "table_adjudication" or
        one of FAULTS.
    detail: more of it, in words. notes: one for each move after the opening. date: of its end, as 2026-11-22;
        ended: the same in seconds of the epoch, 0 if it is not known.
    host, build: the machine that played it, and the build of eleengine there, which has judged it.
    Records are equal if the same moves had the same end; times and dates may differ.
    """

    red: str
    black: str
    fen: str
    moves: tuple[Move, ...]
    book: int
    result: str
    reason: str
    detail: str = field(default="", compare=False)
    notes: tuple[MoveRecord, ...] = field(default=(), compare=False, repr=False)
    date: str = field(default="", compare=False)
    host: str = field(default="", compare=False)
    build: str = field(default="", compare=False)
    ended: int = field(default=0, compare=False)

    @property
    def points(self) -> float:
        """Red's points: 1, 1/2 or 0."""
        return POINTS[self.result]

    @property
    def plies(self) -> int:
        """Moves played, without those of the opening."""
        return len(self.moves) - self.book

    @property
    def loser(self) -> str | None:
        """The name of the player who has lost, None after a draw."""
        return {"1-0": self.black, "0-1": self.red}.get(self.result)

    def board(self, plies: int | None = None) -> Board:
        """The last position, with all moves; or that after the first plies."""
        board = Board(self.fen)
        for move in self.moves[:plies]:
            board.push(move)
        return board

    def note(self, ply: int) -> MoveRecord | None:
        """What was said of the move at that index of `moves`; None for one of the opening."""
        index = ply - self.book
        return self.notes[index] if 0 <= index < len(self.notes) else None

    def game(self, *, more: Collection[str] = (), pawns: bool = False) -> Game:
        """The record for PGN files, with comments of the moves (`MoveRecord.comment`).

        pawns: scores as chess programs write them (`score_text`).
        """
        game = Game(self.fen)
        game.headers = {
            "Date": self.date.replace("-", ".") or "????.??.??",
            "Red": self.red,
            "White": self.red,  # for programs that read the PGN of chess
            "Black": self.black,
            "Result": self.result,
            "Termination": self.reason,
        }
        if self.detail:
            game.headers["Detail"] = " ".join(self.detail.split())  # it may quote anything
        node: GameNode = game
        for move in self.moves:
            node = node.add(move)
        for played, note in zip(node.path()[self.book :], self.notes, strict=False):
            played.comment = note.comment(more, pawns=pawns)
        return game

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON data: notes are [score, depth, nodes, milliseconds, pv, tbhits]."""
        data = {name: getattr(self, name) for name in _NEEDED}
        data |= {name: value for name in _ABOUT if (value := getattr(self, name))}
        data["moves"] = " ".join(move.iccs() for move in self.moves)
        data["notes"] = [
            [n.score, n.depth, n.nodes, round(n.seconds * 1000, 1), n.pv, n.tbhits] for n in self.notes
        ]
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The record of `to_dict`; ValueError, KeyError, TypeError or AttributeError if that is not one."""
        if data["result"] not in POINTS:
            raise ValueError(f"unknown result {data['result']!r}")
        for name, kind in _NEEDED.items():
            if type(data[name]) is not kind:
                raise TypeError(f"{name} is {data[name]!r}")
        return cls(
            **{name: data[name] for name in _NEEDED},
            **{name: data[name] for name in _ABOUT if name in data},
            moves=tuple(map(Move.from_iccs, data["moves"].split())),
            notes=tuple(MoveRecord(n[0], n[1], n[2], n[3] / 1000, *n[4:6]) for n in data["notes"]),
        )


class _PlayerClock:
    """The time of one player in one game: a clock that runs, or the same limit for each move."""

    def __init__(self, player: Player, limit: Limit, color: Color) -> None:
        self.player = player
        self.limit = limit
        self.clock, inc = limit.clock_of(color)
        self.inc = inc or 0.0
        self.base, self.moves_left = self.clock, limit.remaining_moves

    @property
    def is_timed(self) -> bool:
        """Has a move a limit of time?"""
        return self.clock is not None or self.limit.time is not None

    def move_limit(self, other: _PlayerClock, color: Color) -> Limit:
        """Return the limit of the next move: the clocks as they stand now."""
        if self.clock is None:
            return self.limit
        red, black = (self, other) if color == RED else (other, self)
        return self.limit.replace(
            red_clock=red.clock, black_clock=black.clock, red_inc=red.inc, black_inc=black.inc,
            remaining_moves=self.moves_left,
        )  # fmt: skip

    def push(self, seconds: float, margin: float) -> str:
        """Count the time of a move; return how it was exceeded, or ""."""
        if self.limit.time is not None and seconds > self.limit.time + margin:
            return f"{self.player.name}: {seconds:.3f} s for a move, {self.limit.time:g} s allowed"
        if self.clock is None:
            return ""
        self.clock -= seconds
        if self.clock < -margin:
            left = self.clock + seconds
            return f"{self.player.name}: {seconds:.3f} s for a move, {left:.3f} s on the clock"
        self.clock = max(self.clock, 0.0) + self.inc
        if self.moves_left is not None:
            self.moves_left -= 1
            if not self.moves_left:  # the next period begins
                self.moves_left = self.limit.remaining_moves
                self.clock += self.base or 0.0
        return ""


def play_game(
    red: Player,
    black: Player,
    opening: str | Board = STARTING_FEN,
    *,
    limit: Limit | tuple[Limit, Limit],
    adjudication: Adjudication | None = None,
    rule_set: str = "axf",
    no_capture_limit: int | None = NO_CAPTURE_LIMIT,
    margin: float = 0.1,
    seed: int = 0,
) -> PlayedGame:
    """Play a game and return its record; whatever the players do, there is a result.

    opening: a position that the rules let go on: a FEN, perhaps with "moves ..." as in `read_position`.
    limit: of each move, for both, or one for Red and one for Black. Clocks in it (red_clock, ...) are
        those at the start of the game and run; with remaining_moves they get the same time once more after
        each remaining_moves. The limit of a player without a clock holds for each move.
    margin: seconds that a move may take beyond its time or clock.
    seed: of all chance in the game; the players get seeds made of it.

    ValueError: the opening is bad or already over, a limit or adjudication is out of range. Errors of a
    player other than PlayerError are the caller's.
    """
    board = opening.copy() if isinstance(opening, Board) else read_position(opening)
    rules = adjudication or Adjudication()
    rules.check()
    limits = (limit, limit) if isinstance(limit, Limit) else limit
    for given, color in zip(limits, (RED, BLACK), strict=True):
        if given.is_infinite(color):
            raise ValueError(f"{given} never ends a search: it needs a time, depth, nodes, mate or clock")
    rules_end = partial(board.outcome, rule_set=rule_set, no_capture_limit=no_capture_limit)
    if outcome := rules_end():
        raise ValueError(f"the game is over in the opening ({outcome.termination.name.lower()}): {opening}")
    clocks = {RED: _PlayerClock(red, limits[0], RED), BLACK: _PlayerClock(black, limits[1], BLACK)}
    game = _RunningGame(board, board.ply, clocks, Adjudicator(rules, no_capture_limit), rules_end, margin)
    return game.start(seed) or game.play()


@dataclass
class _RunningGame:
    """A game under way: each step returns the record when the game has ended by it."""

    board: Board
    book: int  # moves of the opening
    clocks: dict[Color, _PlayerClock]
    adjudicator: Adjudicator
    rules_end: Callable[[], Outcome | None]  # how the rules end the game in this position, if they do
    margin: float
    notes: list[MoveRecord] = field(default_factory=list)

    def start(self, seed: int) -> PlayedGame | None:
        """Announce the new game to both players."""
        for color, clock in self.clocks.items():
            try:
                clock.player.new_game(2 * seed + (color == BLACK))
            except PlayerError as error:
                return self._lost(color, error.reason, str(error))
        return None

    def play(self) -> PlayedGame:
        """Let the players move in turn until the game has ended."""
        while not (record := self._move()):
            pass
        return record

    def _move(self) -> PlayedGame | None:
        color = self.board.turn
        clock, name = self.clocks[color], self.clocks[color].player.name
        start = perf_counter()
        try:
            result = clock.player.play(self.board, clock.move_limit(self.clocks[not color], color))
        except PlayerError as error:
            reason = "time_forfeit" if clock.is_timed and error.reason == "no_answer" else error.reason
            return self._lost(color, reason, str(error))
        seconds = perf_counter() - start
        if exceeded := clock.push(seconds, self.margin):
            return self._lost(color, "time_forfeit", exceeded)
        if result.resigned:
            return self._lost(color, "resignation")
        if result.move is None:
            return self._lost(color, "no_move", f"{name}: no move in {self.board.fen()}")
        if not self.board.is_legal(result.move):
            return self._lost(color, "illegal_move", f"{name}: {result.move} in {self.board.fen()}")
        self.board.push(result.move)
        self.notes.append(note := MoveRecord.of(result, seconds))
        if outcome := self.rules_end():
            return self._end(outcome.result(), outcome.termination.name.lower())
        if end := self.adjudicator.update(self.board, note.score):
            return self._end(*end)
        return None

    def _lost(self, color: Color, reason: str, detail: str = "") -> PlayedGame:
        return self._end("0-1" if color == RED else "1-0", reason, detail)

    def _end(self, result: str, reason: str, detail: str = "") -> PlayedGame:
        return PlayedGame(
            self.clocks[RED].player.name, self.clocks[BLACK].player.name,
            self.board.root().fen(), tuple(self.board.move_stack), self.book, result, reason, detail,
            tuple(self.notes), date.today().isoformat(), node(), build_name(), round(time()),
        )  # fmt: skip
