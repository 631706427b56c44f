"""What UCI and UCCI say differently: options, limits, scores, moves."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator
from typing import Any, Literal

from ..._core import BaseBoard, InvalidMoveError, Move
from ..._internal.digits import whole
from ...board import Board
from ...pieces import RED, Color
from ...position_text import write_position
from ...score import Cp, Mate, PovScore, PovWdl, Score, Wdl, read_ucci_score
from ..options import Option, option_key
from ..types import InfoDict, Limit
from .infos import News

Protocol = Literal["uci", "ucci"]

NO_MOVES = ("(none)", "null", "0000", "a0a0")  # what engines write behind bestmove when there is none
_COUNTS = frozenset(("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"))
_TEXTS = frozenset(("message", "popup", "currmove"))  # what follows is no news


class Dialect(ABC):
    """The words of a protocol.

    first_rank: the number of Red's back rank: 1 for Fairy-Stockfish, which plays many games, in UCI.
    """

    name: Protocol
    first_rank = 0

    def read_greeting(self, line: str, ids: dict[str, str], options: dict[str, Option]) -> None:
        """Take up what a line of the greeting says: of the engine, by words such as name, or an option."""
        words = line.split()
        if words[:1] == ["id"] and len(words) > 2:
            ids[words[1]] = " ".join(words[2:])
        elif option := Option.read(line):
            options[option_key(option.name)] = option

    @abstractmethod
    def first_options(self, options: Container[str]) -> dict[str, str]:
        """What to set after the greeting of an engine with these options."""

    @abstractmethod
    def set_option(self, option: Option, text: str) -> str:
        """The command that sets an option."""

    @abstractmethod
    def new_game(self, options: Container[str]) -> str | None:
        """The command that announces a new game, None if there is none."""

    def ending(self, limit: Limit) -> Limit:
        """What of the limit this protocol knows to end a search with."""
        return limit

    @abstractmethod
    def go(self, limit: Limit, turn: Color, options: Container[str]) -> tuple[str, float]:
        """The go command, and after how many seconds to send stop."""

    @abstractmethod
    def restrict(self, board: BaseBoard, root_moves: list[Move]) -> tuple[str | None, str]:
        """What makes the engine consider these moves only: a command before go, and words behind it."""

    def sent(self, limit: Limit, turn: Color) -> Limit:
        """What of depth and nodes `go` sends, beside the rest of the limit."""
        return limit

    def is_reached(self, limit: Limit, turn: Color, info: InfoDict) -> bool:
        """Has the search come to a limit that `go` does not send? A depth counts from its first line."""
        # What was sent, the engine ends itself: its last iteration may have several lines.
        sent = self.sent(limit, turn)
        depth = limit.depth if sent.depth is None else None
        nodes = limit.nodes if sent.nodes is None else None
        return (depth is not None and info.get("depth", 0) >= depth) or (
            nodes is not None and info.get("nodes", 0) >= nodes
        )

    @abstractmethod
    def read_score(self, words: Iterator[str]) -> Score:
        """The score whose words come next; ValueError, StopIteration."""

    # Moves and news, alike in both

    def position(self, board: Board) -> str:
        """The command that sets up the board with its moves."""
        if not all(board.move_stack):  # no protocol knows passes
            board = board.copy(stack=False)
        return f"position fen {write_position(board, self.move_text)}"

    def move_text(self, move: Move) -> str:
        """The move as the engine writes it."""
        return move.uci(first_rank=self.first_rank)

    def read_move(self, text: str) -> Move | None:
        """The move of the engine's text, None if it is none."""
        try:
            return Move.from_uci(text, first_rank=self.first_rank)
        except InvalidMoveError:
            return None

    def read_line(self, texts: Iterable[str], board: BaseBoard) -> list[Move]:
        """The moves of texts, up to one that is none or not legal."""
        board = BaseBoard.copy(board, stack=False)
        line: list[Move] = []
        for text in texts:
            move = self.read_move(text)
            if move is None or not board.is_legal(move):
                break
            board.push(move)
            line.append(move)
        return line

    def read_info(self, words: list[str], board: BaseBoard) -> News:
        """Read an info line of a search of the board; words that are not understood are skipped.

        Of a count that it says twice the first holds.
        """
        info: News = {}
        rest = iter(words[1:])
        score = None
        for word in rest:
            try:
                if word in _COUNTS:
                    count = whole(next(rest))
                    if count >= 0:  # -1 is nothing that was counted
                        info.setdefault(word, count / 1000 if word == "time" else count)
                elif word == "score":
                    score = self.read_score(rest)
                elif word in ("lowerbound", "upperbound"):
                    score = None
                elif word == "pv":
                    info["pv"] = self.read_line(rest, board)
                    break
                elif word == "wdl":
                    info["wdl"] = PovWdl(Wdl(*(whole(next(rest)) for _ in range(3))), board.turn)
                elif word == "string":
                    info["string"] = " ".join(rest)
                elif word in _TEXTS:
                    break
            except (ValueError, StopIteration):
                break
        if score is not None:
            info["score"] = PovScore(score, board.turn)
        return info

    def read_best(self, words: list[str], board: BaseBoard) -> tuple[Move | None, Move | None, str | None]:
        """Move and legal expected answer of a terminal line, and the move's text if it is not legal."""
        if len(words) < 2 or words[0] == "nobestmove" or words[1] in NO_MOVES:
            return None, None, None
        answer = words[3:4] if words[2:3] == ["ponder"] else []
        move, ponder, *_ = [*self.read_line([words[1], *answer], board), None, None]
        return move, ponder, None if move else words[1]


class Uci(Dialect):
    """UCI: limits may be combined, a score says whether it is centipawns or a mate in moves."""

    name: Protocol = "uci"

    def first_options(self, options: Container[str]) -> dict[str, str]:
        """As `Dialect.first_options`: xiangqi, of an engine that plays many games; it counts ranks from 1."""
        if "uci variant" not in options:
            return {}
        self.first_rank = 1
        return {"UCI_Variant": "xiangqi"}

    def set_option(self, option: Option, text: str) -> str:
        return f"setoption name {option.name}" + (f" value {text}" if option.type != "button" else "")

    def new_game(self, options: Container[str]) -> str | None:
        """`ucinewgame`, always."""
        return "ucinewgame"

    def go(self, limit: Limit, turn: Color, options: Container[str]) -> tuple[str, float]:
        times = {"wtime": limit.red_clock, "btime": limit.black_clock, "movetime": limit.time}
        gains = {"winc": limit.red_inc, "binc": limit.black_inc}
        counts = {
            "movestogo": limit.remaining_moves,
            "nodes": limit.nodes,
            "depth": limit.depth,
            "mate": limit.mate,
        }
        words = [f"{name} {_clock(value * 1000)}" for name, value in times.items() if value is not None]
        words += [f"{name} {int(value * 1000)}" for name, value in gains.items() if value is not None]
        words += [f"{name} {int(value)}" for name, value in counts.items() if value is not None]
        return f"go {' '.join(words) or 'infinite'}", math.inf

    def restrict(self, board: BaseBoard, root_moves: list[Move]) -> tuple[str | None, str]:
        return None, f" searchmoves {' '.join(map(self.move_text, root_moves))}"

    def read_score(self, words: Iterator[str]) -> Score:
        value = next(words)
        if value == "mate":
            return Mate(whole(next(words)))
        return Cp(whole(next(words) if value == "cp" else value))


class Ucci(Dialect):
    """UCCI: one limit a search, none of a time for the move, and scores of which 100 are a knight."""

    name: Protocol = "ucci"

    def first_options(self, options: Container[str]) -> dict[str, str]:
        """As `Dialect.first_options`: clocks in milliseconds."""
        return {"usemillisec": "true"} if "usemillisec" in options else {}

    def set_option(self, option: Option, text: str) -> str:
        return f"setoption {option.name} {text}".rstrip()

    def new_game(self, options: Container[str]) -> str | None:
        """`setoption newgame`, or None for an engine without that option."""
        return "setoption newgame" if "newgame" in options else None

    def ending(self, limit: Limit) -> Limit:
        """All but a mate."""
        return limit.replace(mate=None)

    def sent(self, limit: Limit, turn: Color) -> Limit:
        """None of both beside a clock, no depth beside nodes."""
        if limit.clock_of(turn)[0] is not None:
            return limit.replace(depth=None, nodes=None)
        return limit if limit.nodes is None else limit.replace(depth=None)

    def go(self, limit: Limit, turn: Color, options: Container[str]) -> tuple[str, float]:
        sent = self.sent(limit, turn)
        (clock, increment), (other_clock, other_increment) = limit.clock_of(turn), limit.clock_of(not turn)
        if clock is not None:
            unit = 1000 if "usemillisec" in options else 1
            words = f"go time {_clock(clock * unit)}"
            if limit.remaining_moves is not None:
                words += f" movestogo {int(limit.remaining_moves)}"
            else:
                words += f" increment {int((increment or 0) * unit)}"
            if other_clock is not None:
                words += f" opptime {_clock(other_clock * unit)}"
                if limit.remaining_moves is None:
                    words += f" oppincrement {int((other_increment or 0) * unit)}"
        elif sent.nodes is not None:
            words = f"go nodes {int(sent.nodes)}"
        elif sent.depth is not None:
            words = f"go depth {int(sent.depth)}"
        else:
            words = "go infinite"
        return words, math.inf if limit.time is None else limit.time

    def restrict(self, board: BaseBoard, root_moves: list[Move]) -> tuple[str | None, str]:
        """All other moves are banned."""
        banned = [move for move in board.legal_moves if move not in root_moves]
        return f"banmoves {' '.join(map(self.move_text, banned))}" if banned else None, ""

    def read_score(self, words: Iterator[str]) -> Score:
        """As `Dialect.read_score`; cp and mate are understood, too, because some engines write them."""
        value = next(words)
        if value in ("cp", "mate"):
            number = whole(next(words))
            return Mate(number) if value == "mate" else Cp(number)
        return read_ucci_score(whole(value))


def _clock(value: float) -> int:
    """A clock as a whole number; engines take 0 for no clock."""
    return max(1, int(value))


def longest(limit: Limit, turn: Color) -> float:
    """How many seconds a search may take at most."""
    clock, _ = limit.clock_of(turn)
    return min((value for value in (limit.time, clock) if value is not None), default=math.inf)


def after_move(limit: Limit, turn: Color, spent: float) -> Limit:
    """The limit of the next move of a side that has spent these seconds on one, as far as it is known."""
    left, inc = limit.clock_of(turn)
    if left is None:
        return limit
    name = "red_clock" if turn == RED else "black_clock"
    changed: dict[str, Any] = {name: max(0.0, left - spent) + (inc or 0)}
    if limit.remaining_moves is not None:
        changed["remaining_moves"] = max(1, limit.remaining_moves - 1)
    return limit.replace(**changed)
