"""Engines that are other programs: anything that speaks UCCI or UCI, driven like `eleengine.Engine`.

>>> import sys
>>> from eleengine import Board, Limit
>>> with ExternalEngine([sys.executable, "-m", "eleengine"], protocol="uci") as engine:
...     engine.configure({"hash": 4})
...     result = engine.play(Board(), Limit(nodes=500))
>>> engine.id["author"], result.move in Board().legal_moves
('the eleengine authors', True)

The program runs in a process group of its own, which is ended with the engine or with Python. What is said
goes to the logger of this module at the level DEBUG, after << what came from the engine.
"""

from __future__ import annotations

import logging
import math
import os
import queue
import re
import shlex
import signal
import subprocess
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Literal, NamedTuple, Self

from .._core import InvalidMoveError, Move
from ..board import Board
from ..score import Cp, Mate, PovScore
from ..squares import RED, Color
from .types import EngineError, EngineTerminatedError, InfoDict, Limit, PlayResult

__all__ = ["EngineTimeoutError", "ExternalEngine", "IllegalReplyError", "Option"]

Protocol = Literal["uci", "ucci"]

ANSWER = 60.0  # seconds for an answer that takes an engine no thinking
GUESS = 5.0  # seconds for an engine of unknown protocol to answer in that of our first guess
LEAVE = 1.0  # seconds to end after quit
GRACE = 5.0  # seconds to end a search that nobody waits for any more

logger = logging.getLogger(__name__)


class EngineTimeoutError(EngineError):
    """No answer in time. The program has been ended: it cannot be known what it would do next."""


class IllegalReplyError(EngineError):
    """The engine's move is not legal."""


class Option(NamedTuple):
    """What an engine says of one of its options."""

    name: str
    type: str  #: check, spin, combo, button, string or, in UCCI, label
    default: str | None = None
    min: int | None = None
    max: int | None = None
    var: tuple[str, ...] = ()  #: choices of a combo


class ExternalEngine:
    """A running engine; used by one thread at a time, but `stop` and `kill` are for any.

    command: the program and its arguments, as a list or as one text quoted as for a shell.
    protocol: "uci", "ucci", or None to try UCI and then UCCI, which takes a UCCI engine 5 seconds longer.
    cwd, env: its folder, and variables to add to the environment.
    timeout: seconds for answers that take no thinking, and grace beyond the time of a search.

    EngineError: the program cannot be started, or speaks neither protocol in time.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        protocol: Protocol | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = ANSWER,
    ) -> None:
        self._command = shlex.split(command) if isinstance(command, str) else list(command)
        if not self._command:
            raise EngineError("the command of the engine is empty")
        self._cwd = cwd
        self._env = {**os.environ, **(env or {})}
        self.timeout = timeout
        #: What it says of itself: name, author, version, ...
        self.id: dict[str, str] = {}
        #: Its options by name, in small letters and with blanks for underscores.
        self.options: dict[str, Option] = {}
        self.protocol: Protocol = self._shake_hands(protocol)
        # Fairy-Stockfish plays many games, and counts ranks from 1 in UCI.
        self._first_rank = 1 if self.protocol == "uci" and "uci variant" in self.options else 0
        if self._first_rank:
            self.configure({"UCI_Variant": "xiangqi"})
        if "usemillisec" in self.options:
            self.configure({"usemillisec": "true"})

    @property
    def name(self) -> str:
        """Its name, with the version if that is told apart."""
        name = self.id.get("name", os.path.basename(self._command[0]))
        return " ".join(filter(None, [name, self.id.get("version")]))

    @property
    def alive(self) -> bool:
        """Does the program run?"""
        return self._process.poll() is None

    # The process and its lines

    def _shake_hands(self, protocol: Protocol | None) -> Protocol:
        tried: list[Protocol] = ["uci", "ucci"] if protocol is None else [protocol]
        for guess in tried:
            self._start()
            try:
                self._send(guess)
                lines = self._await(
                    f"{guess}ok", GUESS if len(tried) > 1 and guess == "uci" else self.timeout
                )
            except EngineError:
                self.kill()
                if guess == tried[-1]:
                    raise
                continue
            for line in lines:
                self._introduce(line)
            break
        return guess

    def _start(self) -> None:
        try:
            process = subprocess.Popen(
                self._command,
                cwd=self._cwd,
                env=self._env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot start {self._command[0]}: {error}") from None
        self._process = process
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=_read, args=(process, self._lines), daemon=True).start()
        self._finish = weakref.finalize(self, _kill, process)

    def _send(self, line: str) -> None:
        logger.debug("%d %s", self._process.pid, line)
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def _ended(self) -> EngineTerminatedError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.2)
        status = self._process.returncode
        how = "closed its pipe" if status is None else f"ended with status {status}"
        return EngineTerminatedError(f"{self._command[0]} {how}")

    def _receive(self, deadline: float) -> str | None:
        """The next line, or None at the deadline."""
        try:
            left = deadline - monotonic()
            line = self._lines.get(timeout=None if math.isinf(left) else max(0.0, left))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)  # whoever asks again gets the same answer
            raise self._ended()
        logger.debug("%d << %s", self._process.pid, line)
        return line

    def _await(self, word: str, timeout: float) -> list[str]:
        """The lines up to the one that starts with the word."""
        deadline = monotonic() + timeout
        lines = []
        while (line := self._receive(deadline)) is not None:
            lines.append(line)
            if line.split(maxsplit=1)[:1] == [word]:
                return lines
        self.kill()
        raise EngineTimeoutError(f"{self._command[0]} gave no {word} within {timeout:g} s")

    def _introduce(self, line: str) -> None:
        """Take up an id or option line."""
        words = line.split()
        if words[:1] == ["id"] and len(words) > 2:
            self.id[words[1]] = " ".join(words[2:])
        elif found := re.match(r"option (?:name )?(.+?) type (\S+)(.*)", line):
            name, kind, rest = found.groups()
            default = re.search(r" default (.*?)(?= (?:min|max|var) |$)", rest)
            bounds = {key: int(value) for key, value in re.findall(r" (min|max) (-?\d+)", rest)}
            var = tuple(re.findall(r" var (.*?)(?= (?:default|var) |$)", rest))
            self.options[_key(name)] = Option(
                name, kind, default[1] if default else None, bounds.get("min"), bounds.get("max"), var
            )

    # Options and games

    def configure(self, options: Mapping[str, str | int | bool | None]) -> None:
        """Set options by name, buttons by None; ValueError for unknown ones or numbers out of range."""
        for name, value in options.items():
            option = self.options.get(_key(name))
            if option is None:
                known = ", ".join(known.name for known in self.options.values())
                raise ValueError(f"{self.name} has no option {name!r}; it has {known or 'none'}")
            text = str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
            if option.type == "spin":
                _check_spin(option, text)
            if self.protocol == "uci":
                self._send(
                    f"setoption name {option.name}" + (f" value {text}" if option.type != "button" else "")
                )
            else:
                self._send(f"setoption {option.name} {text}".rstrip())
        self._synchronise()

    def _synchronise(self) -> None:
        """Wait until all that was sent has been done; what came meanwhile is old."""
        self._send("isready")
        self._await("readyok", self.timeout)

    def new_game(self) -> None:
        """Let the engine forget the game before."""
        if self.protocol == "uci":
            self._send("ucinewgame")
        elif "newgame" in self.options:
            self._send("setoption newgame")
        self._synchronise()

    # Searches

    def play(self, board: Board, limit: Limit, *, timeout: float | None = None) -> PlayResult:
        """Search for a move to play.

        timeout: seconds until the program is ended and EngineTimeoutError raised. By default self.timeout
            beyond the time or clock of the limit, and never if it has none.
        ValueError: the position is not valid, or the limit would never end the search; a mate alone does not
            in UCCI, which has no such limit. IllegalReplyError, EngineTerminatedError.

        If this is interrupted, by Ctrl-C for instance, the program is told to stop and is ready for the next
        search; it is ended if it does not stop.
        """
        ends = limit if self.protocol == "uci" else limit._replace(mate=None)
        if ends.is_infinite(board.turn):
            or_mate = ", mate" if self.protocol == "uci" else ""
            raise ValueError(
                f"{limit} never ends the search: it needs a time, depth, nodes{or_mate} or clock"
            )
        return self._search(board, limit, timeout, None)

    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        timeout: float | None = None,
        report: Callable[[InfoDict], object] | None = None,
    ) -> InfoDict:
        """Search, and return what the engine told last of each thing; arguments as for `play`.

        report: called with each piece of news.
        A limit without end is fine here: `stop` from another thread ends the search.
        """
        return self._search(board, limit, timeout, report).info

    def stop(self) -> None:
        """End the search that runs in another thread soon."""
        with suppress(EngineTerminatedError):
            self._send("stop")

    def _search(
        self,
        board: Board,
        limit: Limit,
        timeout: float | None,
        report: Callable[[InfoDict], object] | None,
    ) -> PlayResult:
        limit.arguments(board.turn)  # in range?
        if defects := board.defects():
            raise ValueError(f"the position is not valid: {defects[0][1]}")
        if timeout is None:
            timeout = _seconds(limit, board.turn) + self.timeout
        self._send(self._position(board))
        words, stop_after = self._go(limit, board.turn)
        info: InfoDict = {}
        try:
            self._send(words)
            words_in = self._follow(limit, board.turn, timeout, stop_after, info, report)
        except BaseException:
            self._abandon()
            raise
        return self._result(board, words_in, info)

    def _follow(
        self,
        limit: Limit,
        turn: Color,
        timeout: float,
        stop_after: float,
        info: InfoDict,
        report: Callable[[InfoDict], object] | None,
    ) -> list[str]:
        """Collect the news of a search to its end, and return that; stop at limits that it was not told."""
        start = monotonic()
        asked = False  # to stop
        while True:
            line = self._receive(start + (timeout if asked else min(stop_after, timeout)))
            if line is None and not asked and stop_after < timeout:
                self._send("stop")
                asked = True
                continue
            if line is None:
                self.kill()
                raise EngineTimeoutError(f"{self._command[0]} gave no move within {timeout:g} s")
            words = line.split()
            if words[:1] == ["info"]:
                news = self._info(words, turn)
                if news.get("multipv", 1) == 1:
                    info.update(news)
                if report is not None:
                    report(news)
                if self.protocol == "ucci" and not asked and _is_reached(limit, info):
                    self._send("stop")
                    asked = True
            elif words[:1] in (["bestmove"], ["nobestmove"]):
                break
        if asked:
            self._synchronise()  # a stop that crossed the move may be answered once more
        return words

    def _abandon(self) -> None:
        """Stop a search that nobody waits for any more, so that its end is not taken for that of the next."""
        try:
            self._send("stop")
            deadline = monotonic() + GRACE
            while (line := self._receive(deadline)) is not None:
                if line.split(maxsplit=1)[:1] in (["bestmove"], ["nobestmove"]):
                    self._synchronise()
                    return
            self.kill()
        except EngineError:
            self.kill()

    def _position(self, board: Board) -> str:
        if not all(board.move_stack):  # no protocol knows passes
            board = board.copy(stack=False)
        moves = [self._text(move) for move in board.move_stack]
        return f"position fen {board.root().fen()}" + (f" moves {' '.join(moves)}" if moves else "")

    def _go(self, limit: Limit, turn: Color) -> tuple[str, float]:
        """The go command, and after how many seconds to send stop."""
        if self.protocol == "uci":
            return f"go {_uci_limit(limit) or 'infinite'}", math.inf
        # UCCI has one limit a search, and none of a time for the move: _follow stops at the others.
        mine, other = (
            (limit.red_clock, limit.black_clock) if turn == RED else (limit.black_clock, limit.red_clock)
        )
        if mine is not None:
            inc, other_inc = limit.red_inc or 0, limit.black_inc or 0
            if turn != RED:
                inc, other_inc = other_inc, inc
            unit = 1000 if "usemillisec" in self.options else 1
            words = f"go time {_count(mine * unit)}"
            if limit.remaining_moves is not None:
                words += f" movestogo {int(limit.remaining_moves)}"
            else:
                words += f" increment {int((inc or 0) * unit)}"
            if other is not None:
                words += f" opptime {_count(other * unit)}"
                if limit.remaining_moves is None:
                    words += f" oppincrement {int((other_inc or 0) * unit)}"
        elif limit.nodes is not None:
            words = f"go nodes {int(limit.nodes)}"
        elif limit.depth is not None:
            words = f"go depth {int(limit.depth)}"
        else:
            words = "go infinite"
        return words, math.inf if limit.time is None else limit.time

    def _result(self, board: Board, words: list[str], info: InfoDict) -> PlayResult:
        if len(words) < 2 or words[0] == "nobestmove" or words[1] in ("(none)", "null", "0000", "a0a0"):
            return PlayResult(None, None, info)
        move = self._move(words[1])
        resigned, draw = "resign" in words[2:], "draw" in words[2:]
        if move is None or not board.is_legal(move):
            if resigned:
                return PlayResult(None, None, info, draw, resigned)
            raise IllegalReplyError(f"{self.name} played {words[1]} in {board.fen()}")
        ponder = self._move(words[3]) if words[2:3] == ["ponder"] and len(words) > 3 else None
        return PlayResult(move, ponder, info, draw, resigned)

    # Words

    def _text(self, move: Move) -> str:
        text = move.iccs()
        if not self._first_rank:
            return text
        return f"{text[0]}{int(text[1]) + 1}{text[2]}{int(text[3]) + 1}"

    def _move(self, text: str) -> Move | None:
        if self._first_rank and (found := re.fullmatch(r"([a-i])(\d+)([a-i])(\d+)", text)):
            text = f"{found[1]}{int(found[2]) - 1}{found[3]}{int(found[4]) - 1}"
        try:
            return Move.from_iccs(text)
        except InvalidMoveError:
            return None

    def _info(self, words: list[str], turn: Color) -> InfoDict:
        """What an info line tells; words that are not understood are passed over."""
        info: InfoDict = {}
        rest = iter(words[1:])
        score = None
        for word in rest:
            try:
                if word in ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull"):
                    info[word] = int(next(rest))  # type: ignore[literal-required]
                elif word == "time":
                    info["time"] = int(next(rest)) / 1000
                elif word == "score":
                    value = next(rest)
                    if value == "mate":
                        score = PovScore(Mate(int(next(rest))), turn)
                    else:
                        score = PovScore(Cp(int(next(rest) if value == "cp" else value)), turn)
                elif word in ("lowerbound", "upperbound"):
                    score = None
                elif word == "pv":
                    pv = [self._move(text) for text in rest]
                    info["pv"] = [move for move in pv[: [*pv, None].index(None)] if move]
                elif word in ("string", "message", "popup", "currmove"):
                    break
            except (ValueError, StopIteration):
                break
        if score is not None:
            info["score"] = score
        return info

    # The end

    def kill(self) -> None:
        """End the program at once; what runs or comes raises EngineTerminatedError."""
        self._finish()

    def close(self) -> None:
        """Ask the program to end, and end it if it does not."""
        if self.alive:
            with suppress(EngineTerminatedError, subprocess.TimeoutExpired):
                self._send("quit")
                self._process.wait(LEAVE)
        self.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _read(process: subprocess.Popen[bytes], lines: queue.SimpleQueue[str | None]) -> None:
    """Put what the program writes into the queue, and None at the end."""
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        for line in process.stdout:
            lines.put(line.decode("utf-8", "replace").rstrip())
    lines.put(None)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _key(name: str) -> str:
    """UCCI writes _ where UCI has a blank, and either any letters."""
    return name.lower().replace("_", " ")


def _check_spin(option: Option, text: str) -> None:
    low, high = option.min, option.max
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"option {option.name} must be a whole number, not {text!r}") from None
    if (low is not None and value < low) or (high is not None and value > high):
        raise ValueError(f"option {option.name} must be {low}..{high}, not {value}")


def _count(value: float) -> int:
    """A clock as a whole number; engines take 0 for no clock."""
    return max(1, int(value))


def _uci_limit(limit: Limit) -> str:
    clocks = {
        "wtime": limit.red_clock,
        "btime": limit.black_clock,
        "winc": limit.red_inc,
        "binc": limit.black_inc,
        "movetime": limit.time,
    }
    counts = {
        "movestogo": limit.remaining_moves, "nodes": limit.nodes, "depth": limit.depth, "mate": limit.mate
    }  # fmt: skip
    words = [f"{name} {_count(value * 1000)}" for name, value in clocks.items() if value is not None]
    words += [f"{name} {int(value)}" for name, value in counts.items() if value is not None]
    return " ".join(words)


def _is_reached(limit: Limit, info: InfoDict) -> bool:
    """Has a search that knows only one of the limits come to another one?"""
    return (limit.depth is not None and info.get("depth", 0) >= limit.depth) or (
        limit.nodes is not None and info.get("nodes", 0) >= limit.nodes
    )


def _seconds(limit: Limit, turn: Color) -> float:
    """How long a search may take at most."""
    clock = limit.red_clock if turn == RED else limit.black_clock
    return min((value for value in (limit.time, clock) if value is not None), default=math.inf)
