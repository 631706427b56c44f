"""A thesis's program behind a pair of pipes: UCCI and UCI, as GUIs speak them, and no more than they need.

The reading thread obeys; a search runs in a thread of its own, which writes what it has found and its move.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from .._core import Move, openmp_enabled
from .._version import __version__
from ..board import Board
from ..engines.engine_options import find
from ..engines.stack import deep_stacks
from ..engines.types import InfoDict, Limit, PlayResult
from ..rules import RULE_SETS
from ..score import score_text
from ..ucci.go import Go
from ..ucci.position import parse_move, parse_position
from ..ucci.replies import ProtocolError, message, score_style
from .engine import MAX_DEPTH, ThesisEngine
from .programs import OPTIONS, Program, ProgramOption

OVERHEAD_MS = 50
DEFAULT_MS = 5000  # for a `go` without a limit
COMMON = (
    ProgramOption("hashsize", "of a table in MiB", low=1, high=4096),
    ProgramOption("threads", "that search together", low=1, high=64 if openmp_enabled() else 1),
    ProgramOption("repetition", "by whose rules it plays no move that loses", RULE_SETS),
)


class Conversation:
    """The program as an engine for a GUI.

    Beside `ucci` because it is the other end of the pipes: a `ThesisEngine` knows none of the clocks, books
    and levels that the conversation of our engine is about.

    write: gets each line of reply. program: which. hash_mib, threads: to begin with. options: other than the
    program's, as `ThesisSearch` takes them; ValueError for a value out of range.
    """

    def __init__(
        self,
        write: Callable[[str], object],
        program: Program,
        *,
        hash_mib: int = 64,
        threads: int = 1,
        options: dict[str, object] | None = None,
    ) -> None:
        self._write = write
        self._program = program
        common = {"hashsize": hash_mib, "threads": threads, "repetition": RULE_SETS[0]}
        self._values = {**common, **program.search(options)}
        self._defaults = dict(self._values)
        self._engine = self._make()
        self._dialect = "ucci"
        self._milliseconds = True
        self._board = Board()
        self._first_rank = 0
        self._bans: set[str] = set()
        self._search: threading.Thread | None = None
        self._lock = threading.Lock()  # of the lines
        self._held = threading.Event()  # is the move wanted, in `go infinite`?

    def run(self, lines: Iterable[str]) -> None:
        """Obey the lines until `quit` or their end."""
        for line in lines:
            words = line.split()
            if words and words[0].lower() == "quit":
                break
            if words:
                try:
                    self._obey(words[0].lower(), words[1:])
                except ProtocolError as error:
                    self._say(message(self._dialect, str(error)))
        self._end_search()
        if self._dialect == "ucci":
            self._say("bye")

    def _say(self, line: str) -> None:
        with self._lock:
            self._write(line)

    def _obey(self, command: str, words: list[str]) -> None:
        if command in ("ucci", "uci"):
            self._handshake(command)
        elif command == "isready":
            self._say("readyok")
        elif command == "stop":
            self._end_search()
        elif command in ("ponderhit", "debug"):
            pass
        elif self._search is not None and self._search.is_alive() and not self._held.is_set():
            raise ProtocolError("error busy {} refused", command)
        elif command == "setoption":
            self._wait()
            self._set_option(words)
        elif command in ("newgame", "ucinewgame", "uccinewgame"):
            self._wait()
            self._engine.clear()
        elif command == "position":
            self._position(words)
        elif command == "banmoves":
            self._bans = set(words)
        elif command == "go":
            self._wait()
            self._go(Go(words))
        else:
            raise ProtocolError("error unknown command {}", command)

    def _handshake(self, dialect: str) -> None:
        self._dialect = dialect
        name = f"eleengine {self._program.name}"
        for line in (
            (f"name {name} {__version__}", "author the eleengine authors")
            if dialect == "uci"
            else (f"name {name}", f"version {__version__}", "author the eleengine authors")
        ):
            self._say(f"id {line}")
        if dialect == "ucci":
            self._say("option usemillisec type check default true")
            self._say("option newgame type button")
        for option in (*COMMON, *OPTIONS):
            self._say(self._describe(option))
        self._say(f"{dialect}ok")

    def _describe(self, option: ProgramOption) -> str:
        name = f"name {_uci_name(option)}" if self._dialect == "uci" else option.name
        value = option.write(self._defaults[option.name])
        line = f"option {name} type {option.kind}" + (f" default {value}" if value else "")
        if option.kind == "spin":
            line += f" min {option.low} max {option.high}"
        if option.kind == "combo":
            line += "".join(f" var {choice}" for choice in option.choices)
        return line

    def _set_option(self, words: list[str]) -> None:
        if words[:1] == ["name"]:
            end = words.index("value") if "value" in words else len(words)
            words = ["".join(words[1:end]), *words[end + 1 :]]
        if not words:
            raise ProtocolError("error option needs value")
        key, text = words[0].lower().replace("_", ""), " ".join(words[1:])
        if key == "usemillisec":
            self._milliseconds = text.lower() in ("true", "on")
            return
        if key == "newgame":
            self._engine.clear()
            return
        for option in (*COMMON, *OPTIONS):
            if key in (option.name.replace("_", ""), _uci_name(option).lower().replace(" ", "")):
                before = self._values[option.name]
                try:
                    self._values[option.name] = option.read(text)
                    self._engine = self._make()
                except (ValueError, MemoryError) as error:
                    self._values[option.name] = before
                    raise ProtocolError(f"error option {option.name} bad value") from error
                return
        self._say(message(self._dialect, f"note unknown option {key}"))

    def _make(self) -> ThesisEngine:
        values = dict(self._values)
        hash_mib, threads, rule_set = (values.pop(option.name) for option in COMMON)
        return ThesisEngine(self._program, hash_mib=hash_mib, threads=threads, rule_set=rule_set, **values)

    def _position(self, words: list[str]) -> None:
        position, warnings, self._first_rank = parse_position(words, self._first_rank)
        board = Board(position.root().fen())
        for move in position.move_stack:
            board.push(move)
        self._board, self._bans = board, set()
        for warning in warnings:
            self._say(message(self._dialect, warning))

    def _go(self, go: Go) -> None:
        board = self._board.copy()
        endless = go.infinite or go.ponder
        limit = Limit(depth=MAX_DEPTH)
        if not endless:
            unit_ms = 1 if self._milliseconds else 1000
            limit = go.limit(board.turn, unit_ms=unit_ms, overhead_ms=OVERHEAD_MS)._replace(mate=None)
            if limit.is_infinite(board.turn):
                limit = Limit(time=DEFAULT_MS / 1000)
        self._held.clear()
        if not endless:
            self._held.set()
        moves = self._moves(board, go.moves)
        self._search = threading.Thread(target=self._think, args=(board, limit, moves), daemon=True)
        with deep_stacks():
            self._search.start()

    def _moves(self, board: Board, wanted: list[str] | None) -> list[Move]:
        """Those that are not banned; of them those behind searchmoves, if there are any."""
        bans = {parse_move(text, self._first_rank) for text in self._bans}
        moves = [move for move in board.legal_moves if move not in bans]
        asked = {parse_move(text, self._first_rank) for text in wanted or ()}
        return [move for move in moves if move in asked] or moves

    def _think(self, board: Board, limit: Limit, moves: list[Move]) -> None:
        try:
            result = self._engine.play(board, limit, root_moves=moves, report=self._report)
        except ValueError as error:  # a position that cannot be played
            self._say(message(self._dialect, f"error {error}"))
            result = PlayResult(None, None, {})
        self._held.wait()
        if result.move is not None:
            self._say(f"bestmove {result.move.uci(first_rank=self._first_rank)}")
        else:
            self._say("bestmove (none)" if self._dialect == "uci" else "nobestmove")

    def _report(self, info: InfoDict) -> None:
        score = score_text(info["score"].relative, score_style(self._dialect))
        pv = " ".join(move.uci(first_rank=self._first_rank) for move in info["pv"])
        ms = round(1000 * info["time"])
        self._say(f"info depth {info['depth']} score {score} nodes {info['nodes']} time {ms} pv {pv}")

    def _end_search(self) -> None:
        self._held.set()
        while self._search is not None and self._search.is_alive():
            self._engine.stop()
            self._search.join(0.02)

    def _wait(self) -> None:
        if self._search is not None:
            self._search.join()


def _uci_name(option: ProgramOption) -> str:
    ours = find(option.name) if option in COMMON else None
    return option.name if ours is None else ours.uci
