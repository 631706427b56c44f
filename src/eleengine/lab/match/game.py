"""One game between two players, judged ply by ply by the rules of this library.

>>> from eleengine import Limit
>>> from eleengine.lab.match.player import EnginePlayer
>>> a, b = EnginePlayer("a"), EnginePlayer("b", skill=0)
>>> record = play_game(a, b, limit=Limit(nodes=500))
>>> record.result in POINTS, record.plies == len(record.notes)
(True, True)
>>> record == play_game(a, b, limit=Limit(nodes=500))
True
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import date
from platform import node
from time import perf_counter
from typing import Any, NamedTuple, Self

from ..._core import STARTING_FEN, Move
from ...board import Board
from ...engines import Limit
from ...pieces import BLACK, RED, Color
from ...position_text import read_position
from ...records import Game
from ...records.tree import GameNode
from ...rules import NO_CAPTURE_LIMIT
from .player import Player, PlayerError

#: Reasons that are a player's own fault, and say nothing of how well it plays.
FAULTS = ("illegal_move", "time_forfeit", "crash", "no_answer", "no_move")
#: Reasons by which the rules of repetition take a game away.
RULE_LOSSES = ("perpetual_check", "perpetual_chase")

POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}  #: of Red


class MoveRecord(NamedTuple):
    """What a player told of its move; as in `player.Reply`, and the seconds that it took."""

    score: int | None
    depth: int
    nodes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game ends before the rules end it. A score of None switches that rule off.

    resign_score: centipawns: lost for a side that sees itself that far behind while the other sees
        itself that far ahead, both in resign_moves moves in a row; resign_alone: what the other one sees
        does not matter.
    draw_score: drawn if, from draw_ply plies on, both see no more than this for either side, in
        draw_moves moves in a row.
    max_plies: drawn after so many plies from the opening.
    """

    resign_score: int | None = None
    resign_moves: int = 3
    resign_alone: bool = False
    draw_score: int | None = None
    draw_moves: int = 8
    draw_ply: int = 80
    max_plies: int = 400

    def check(self) -> None:
        """ValueError names what is out of range."""
        for name, value in asdict(self).items():
            least = 0 if name in ("draw_score", "draw_ply", "resign_alone") else 1
            if value is not None and value < least:
                raise ValueError(f"{name} must be at least {least}, not {value}")


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game.

    fen, moves: the start position and all moves from there, those of the opening included.
    book: how many moves of the opening there are.
    result: 1-0 (Red has won), 0-1 or 1/2-1/2. reason: why: a termination of `Board.outcome` in small
        letters, "resignation", "win_adjudication", "draw_adjudication", "max_plies" or one of FAULTS.
    detail: more of it, in words. notes: one for each move after the opening. date: of its end, as 2026-11-22.
    host: the machine that played it.
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

    def board(self) -> Board:
        """The last position, with all moves."""
        board = Board(self.fen)
        for move in self.moves:
            board.push(move)
        return board

    def game(self) -> Game:
        """The record for PGN files, with score, depth and seconds as comments of the moves."""
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
            score = "?" if note.score is None else f"{note.score:+}"
            played.comment = f"{score}/{note.depth} {note.seconds:.3f}s"
        return game

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON data: notes are [score, depth, nodes, milliseconds]."""
        data = {name: getattr(self, name) for name in ("red", "black", "fen", "book", "result", "reason")}
        data.update({name: value for name in ("detail", "date", "host") if (value := getattr(self, name))})
        data["moves"] = " ".join(move.iccs() for move in self.moves)
        data["notes"] = [[n.score, n.depth, n.nodes, round(n.seconds * 1000, 1)] for n in self.notes]
        return data

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """The record of `to_dict`; ValueError, KeyError, TypeError or AttributeError if that is not one."""
        if data["result"] not in POINTS:
            raise ValueError(f"unknown result {data['result']!r}")
        for name, kind in (("red", str), ("black", str), ("fen", str), ("book", int), ("reason", str)):
            if type(data[name]) is not kind:
                raise TypeError(f"{name} is {data[name]!r}")
        return cls(
            **{name: data[name] for name in ("red", "black", "fen", "book", "result", "reason")},
            detail=data.get("detail", ""),
            date=data.get("date", ""),
            host=data.get("host", ""),
            moves=tuple(map(Move.from_iccs, data["moves"].split())),
            notes=tuple(MoveRecord(n[0], n[1], n[2], n[3] / 1000) for n in data["notes"]),
        )


class _Side:
    """One player in one game: clock, and for how many moves it has thought so of the game."""

    def __init__(self, player: Player, limit: Limit, color: Color) -> None:
        self.player = player
        self.limit = limit
        self.clock = limit.red_clock if color == RED else limit.black_clock
        self.inc = (limit.red_inc if color == RED else limit.black_inc) or 0.0
        self.base, self.moves_left = self.clock, limit.remaining_moves
        self.behind = self.ahead = self.level = 0

    def move_limit(self, other: _Side, color: Color) -> Limit:
        """The limit of the next move: the clocks as they stand now."""
        if self.clock is None:
            return self.limit
        red, black = (self, other) if color == RED else (other, self)
        return self.limit._replace(
            red_clock=red.clock, black_clock=black.clock, red_inc=red.inc, black_inc=black.inc,
            remaining_moves=self.moves_left,
        )  # fmt: skip

    def late(self, seconds: float, margin: float) -> str:
        """Count the time of a move; what is wrong with it, or nothing."""
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

    def note(self, score: int | None, rules: Adjudication) -> None:
        """Count for how many moves in a row the player has seen the game as lost, won or drawn."""
        resign, draw = rules.resign_score, rules.draw_score
        self.behind = self.behind + 1 if resign and score is not None and score <= -resign else 0
        self.ahead = self.ahead + 1 if resign and score is not None and score >= resign else 0
        self.level = self.level + 1 if draw is not None and score is not None and abs(score) <= draw else 0


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
    """Play a game and tell how it went; whatever the players do, there is a result.

    opening: a position that the rules let go on: a FEN, perhaps with "moves ..." as in `read_position`.
    limit: of each move, for both, or one for Red and one for Black. Clocks in it (red_clock, ...) are
        those at the start of the game and run; with remaining_moves they get the same time once more after
        so many moves. The limit of a player without a clock holds for each move.
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
    judged = {"rule_set": rule_set, "no_capture_limit": no_capture_limit}
    if outcome := board.outcome(**judged):  # type: ignore[arg-type]
        raise ValueError(f"the game is over in the opening ({outcome.termination.name.lower()}): {opening}")

    book = board.ply
    notes: list[MoveRecord] = []
    sides = {RED: _Side(red, limits[0], RED), BLACK: _Side(black, limits[1], BLACK)}

    def end(result: str, reason: str, detail: str = "") -> PlayedGame:
        moves = tuple(board.move_stack)
        fen = board.root().fen()
        today = date.today().isoformat()
        names = (red.name, black.name)
        return PlayedGame(*names, fen, moves, book, result, reason, detail, tuple(notes), today, node())

    for color in (RED, BLACK):
        try:
            sides[color].player.new_game(2 * seed + (color == BLACK))
        except PlayerError as error:
            return end(_lost(color), error.reason, str(error))
    while True:
        color = board.turn
        me, other = sides[color], sides[not color]
        start = perf_counter()
        try:
            reply = me.player.play(board, me.move_limit(other, color))
        except PlayerError as error:
            timed = me.clock is not None or me.limit.time is not None
            reason = "time_forfeit" if timed and error.reason == "no_answer" else error.reason
            return end(_lost(color), reason, str(error))
        seconds = perf_counter() - start
        if late := me.late(seconds, margin):
            return end(_lost(color), "time_forfeit", late)
        if reply.resigns:
            return end(_lost(color), "resignation")
        if reply.move is None:
            return end(_lost(color), "no_move", f"{me.player.name}: no move in {board.fen()}")
        if not board.is_legal(reply.move):
            return end(_lost(color), "illegal_move", f"{me.player.name}: {reply.move} in {board.fen()}")
        board.push(reply.move)
        notes.append(MoveRecord(reply.score, reply.depth, reply.nodes, seconds))
        if outcome := board.outcome(**judged):  # type: ignore[arg-type]
            return end(outcome.result(), outcome.termination.name.lower())
        me.note(reply.score, rules)
        for loser, winner, lost in ((me, other, color), (other, me, not color)):
            sure = rules.resign_alone or winner.ahead >= rules.resign_moves
            if loser.behind >= rules.resign_moves and sure:
                return end(_lost(lost), "win_adjudication")
        if len(notes) >= rules.draw_ply and min(me.level, other.level) >= rules.draw_moves:
            return end("1/2-1/2", "draw_adjudication")
        if len(notes) >= rules.max_plies:
            return end("1/2-1/2", "max_plies")


def _lost(color: Color) -> str:
    """The result when this side has lost."""
    return "0-1" if color == RED else "1-0"
