"""Does a program keep the rules of UCI or UCCI? Checks for authors of engines.

The rules are those of UCI (April 2006) and UCCI 3.0, so far as GUIs and matches rely on them.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal, NamedTuple

from ..._core import Move
from ..._internal.digits import whole
from ...board import Board
from ...engines import EngineError, Limit
from ...engines.external import Option, Protocol
from ...engines.external.dialect import NO_MOVES, Dialect, Ucci, Uci
from ...engines.external.process import EngineProcess
from ...engines.options import option_key
from ...position_text import read_position

MIDDLEGAME = "r1bakab1r/9/1cn2cn2/p1p1p3p/6p2/2P6/P3P1P1P/1C2C1N2/8R/RNBAKAB2 b - - 0 1"
# No move of it is one of the start position, or of that after a red move.
NEARLY_EMPTY = "3k5/9/9/9/R8/9/9/9/4K4/9 w - - 0 1"
REFUSED = ("position fen bad/fen w", "position startpos moves h2e2 h2e2")
MATED = "3k5/R8/8R/9/9/9/9/9/9/5K3 w - - 0 1 moves i7i9"
START_SECONDS = 15.0  # to begin
ANSWER_SECONDS = 5.0  # for an answer to isready or stop, and to end
SEARCH_SECONDS = 60.0  # for a short search
NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull", "tbhits")
LONG_GAME = 250  # plies
LONG_QUIET = 40  # plies without a capture in it, if there is one

Verdict = Literal["ok", "fault", "skipped"]


class Check(NamedTuple):
    """What came of a check."""

    name: str
    verdict: Verdict
    detail: str = ""  #: what is wrong, or why it was skipped


class _Fault(Exception):
    """The program breaks a rule."""


class _Skipped(Exception):
    """The program does not have what is checked."""


@dataclass
class _Talk:
    """A conversation with the running program."""

    process: EngineProcess
    dialect: Dialect
    ids: dict[str, str] = field(default_factory=dict)
    option_lines: list[str] = field(default_factory=list)
    options: dict[str, Option] = field(default_factory=dict)
    board: Board = field(default_factory=Board)  # as set up last
    scored: bool = False  # a score was seen since the last go
    nodes: int = 0  # as last said since then

    def send(self, line: str) -> None:
        self.process.write(line)

    def read(self, deadline: float) -> str | None:
        """The next line with words by the deadline; what it says of a search is checked."""
        while (line := self.process.read(deadline)) is not None:
            if line.split()[:1] == ["info"]:
                self._check_info(line)
            if line.split():
                return line
        return None

    def until(self, words: Sequence[str], seconds: float, why: str) -> str:
        """The first line that begins with one of the words; _Fault without one in time."""
        deadline = perf_counter() + seconds
        while (line := self.read(deadline)) is not None:
            if line.split()[0] in words:
                return line
        raise _Fault(f"no {' or '.join(words)} within {seconds:g} s {why}")

    def ready(self, why: str) -> None:
        """The answer to isready; no search may end before it."""
        self.send("isready")
        line = self.until(("readyok", "bestmove", "nobestmove"), ANSWER_SECONDS, f"after isready, {why}")
        if line.split()[0] != "readyok":
            raise _Fault(f"{line!r} without a search, {why}")

    def set_up(self, board: Board, text: str | None = None) -> None:
        self.board = board
        self.send(text or self.dialect.position(board))

    def go(self, text: str) -> None:
        self.scored, self.nodes = False, 0
        self.send(text)

    def best(self, seconds: float = SEARCH_SECONDS, why: str = "after go") -> Move:
        """The move that ends the search."""
        line = self.until(("bestmove", "nobestmove"), seconds, why)
        move, _, illegal = self.dialect.read_best(line.split(), self.board)
        if illegal is not None:
            raise _Fault(f"{line!r} is no legal move in {self.board.fen()}")
        if move is None:
            raise _Fault(f"{line!r}, but there are moves in {self.board.fen()}")
        words = line.split()
        if words[2:3] == ["ponder"]:
            after = self.board.copy()
            after.push(move)
            answer = self.dialect.read_move(words[3]) if len(words) > 3 else None
            if answer is None or not after.is_legal(answer):
                raise _Fault(f"{line!r}: the move to ponder on is not legal")
        return move

    def search(self, board: Board, text: str) -> Move:
        """The move of a search that ends by itself."""
        self.set_up(board)
        self.go(text)
        return self.best(why=f"after {text}")

    def _check_info(self, line: str) -> None:
        words = line.split()
        for index, word in enumerate(words[:-1]):
            if word in ("string", "pv", "currmove", "message", "popup"):
                break
            if word in NUMBERS and not words[index + 1].isdigit():
                raise _Fault(f"{line!r}: {word} is no whole number")
        info = self.dialect.read_info(words, self.board)
        self.scored |= "score" in info
        self.nodes = info.get("nodes", self.nodes)
        if "pv" in words and "string" not in words[: words.index("pv")]:
            board = self.board.copy()
            for text in words[words.index("pv") + 1 :]:
                move = self.dialect.read_move(text)
                if move is None or not board.is_legal(move):
                    raise _Fault(f"{line!r}: {text} is no legal move in {board.fen()}")
                board.push(move)


def check_engine(
    command: Sequence[str],
    protocol: Protocol,
    *,
    cwd: str | None = None,
    env: Mapping[str, str] | None = None,
    report: Callable[[Check], object] = lambda check: None,
) -> list[Check]:
    """Make all checks, each reported as it is done. After a fault the program is started anew.

    Nothing is checked after a program that cannot be started or does not greet.
    """
    found: list[Check] = []

    def take(check: Check) -> None:
        found.append(check)
        report(check)

    dialect: Dialect = Uci() if protocol == "uci" else Ucci()
    talk: _Talk | None = None
    for name, step in CHECKS.items():
        try:
            if talk is None:
                talk = _Talk(
                    EngineProcess(list(command), cwd=cwd, env={**os.environ, **(env or {})}), dialect
                )
                if step is not _greet:
                    _greet(talk)
            step(talk)
            take(Check(name, "ok"))
        except _Skipped as reason:
            take(Check(name, "skipped", str(reason)))
        except (_Fault, EngineError) as fault:
            take(Check(name, "fault", str(fault)))
            if talk is None or step is _greet:
                break
            talk.process.kill()
            talk = None
    if talk is not None:
        talk.process.kill()
    return found


def _greet(talk: _Talk) -> None:
    name = talk.dialect.name
    talk.send(name)
    deadline = perf_counter() + START_SECONDS
    while (line := talk.read(deadline)) is not None:
        words = line.split()
        if words == [f"{name}ok"]:
            break
        if words[0] == "option":
            talk.option_lines.append(line)
        talk.dialect.read_greeting(line, talk.ids, talk.options)
    else:
        raise _Fault(f"no {name}ok within {START_SECONDS:g} s after {name}")
    for option, value in talk.dialect.first_options(talk.options).items():
        talk.send(talk.dialect.set_option(talk.options[option_key(option)], value))


def _identity(talk: _Talk) -> None:
    if missing := [name for name in ("name", "author") if name not in talk.ids]:
        raise _Fault(f"no id {' and no id '.join(missing)}")


def _options(talk: _Talk) -> None:
    for line in talk.option_lines:
        option = Option.read(line)
        if option is None or option.type not in ("check", "spin", "combo", "button", "string", "label"):
            raise _Fault(f"{line!r}: neither name nor type of an option")
        if option.type == "spin":
            try:
                default = whole(option.default or "")
            except ValueError:
                raise _Fault(f"{line!r}: a spin has a whole number as default") from None
            if option.min is None or option.max is None or not option.min <= default <= option.max:
                raise _Fault(f"{line!r}: a spin has min and max, and its default is between them")
        if option.type == "check" and option.default not in ("true", "false"):
            raise _Fault(f"{line!r}: the default of a check is true or false")
        if option.type == "combo" and option.default not in option.var:
            raise _Fault(f"{line!r}: the default of a combo is one of its vars")


def _set_options(talk: _Talk) -> None:
    for option in talk.options.values():
        if option_key(option.name) == "uci variant":
            continue  # its default is another game
        if option.type in ("check", "spin", "combo") and option.default is not None:
            talk.send(talk.dialect.set_option(option, option.default))
    talk.ready("with all options set to their defaults")


def _unknown(talk: _Talk) -> None:
    for line in ("xyzzy", "go_nowhere depth", "setoption"):
        talk.send(line)
    talk.ready("after commands that nobody knows")


def _idle_stop(talk: _Talk) -> None:
    talk.send("stop")
    if talk.dialect.name == "ucci":  # some say that there is none
        talk.send("isready")
        talk.until(("readyok",), ANSWER_SECONDS, "after stop without a search")
    talk.ready("after stop without a search")


def _new_game(talk: _Talk) -> None:
    if command := talk.dialect.new_game(talk.options):
        talk.send(command)
    talk.ready("after a new game")


def _forgets(talk: _Talk) -> None:
    if talk.dialect.name == "uci":
        raise _Skipped("UCI lets a program keep what it has learnt")
    if not (command := talk.dialect.new_game(talk.options)):
        raise _Skipped("it has no option newgame")
    found = []
    for before in (command, None, command):
        if before:
            talk.send(before)
        talk.search(Board(MIDDLEGAME), "go depth 4")
        found.append(talk.nodes)
    first, learnt, again = found
    if 2 * max(learnt, again) < first:
        raise _Fault(
            f"{again} nodes after {command!r}, {first} in the game before: it has not forgotten that"
        )


def _depth(talk: _Talk) -> None:
    talk.set_up(Board(), "position startpos")
    talk.go("go depth 3")
    talk.best()
    if not talk.scored:
        raise _Fault("no info with a score before bestmove")


def _black(talk: _Talk) -> None:
    board = Board(MIDDLEGAME)
    board.push(talk.search(board, "go depth 3"))
    talk.search(board, "go depth 3")


def _nodes(talk: _Talk) -> None:
    talk.search(Board(MIDDLEGAME), "go nodes 2000")


def _clock(talk: _Talk) -> None:
    board = Board(MIDDLEGAME)
    limit = Limit(red_clock=2, black_clock=2, red_inc=0.1, black_inc=0.1)
    words, _ = talk.dialect.go(limit, board.turn, talk.options)
    start = perf_counter()
    talk.search(board, words)
    if perf_counter() - start > 2:
        raise _Fault(f"{perf_counter() - start:.1f} s for a move with 2 s on the clock")


def _move_time(talk: _Talk) -> None:
    if talk.dialect.name != "uci":
        raise _Skipped("UCCI knows no time for a move")
    start = perf_counter()
    talk.search(Board(MIDDLEGAME), "go movetime 300")
    if perf_counter() - start > 1.3:
        raise _Fault(f"{perf_counter() - start:.1f} s for go movetime 300")


def _infinite(talk: _Talk) -> None:
    talk.set_up(Board(MIDDLEGAME))
    talk.go("go infinite")
    _stay_silent(talk, 1.0, "in go infinite, before stop")
    talk.send("isready")
    line = talk.until(("readyok", "bestmove", "nobestmove"), ANSWER_SECONDS, "after isready in a search")
    if line.split()[0] != "readyok":
        raise _Fault("isready has ended the search")
    talk.send("stop")
    talk.best(ANSWER_SECONDS, "after stop")


def _ponder(talk: _Talk) -> None:
    if "ponder" in talk.options:
        talk.send(talk.dialect.set_option(talk.options["ponder"], "true"))
    elif talk.dialect.name == "uci":  # in UCCI go ponder may come to any program
        raise _Skipped("it has no option Ponder")
    for end in ("ponderhit", "stop"):
        talk.set_up(Board(MIDDLEGAME))
        limit = Limit(red_clock=1, black_clock=1, red_inc=0, black_inc=0)
        words, _ = talk.dialect.go(limit, talk.board.turn, talk.options)
        talk.go(words.replace("go", "go ponder", 1))
        _stay_silent(talk, 1.5, f"in go ponder, before {end}")
        talk.send(end)
        talk.best(ANSWER_SECONDS, f"after {end}")


def _stay_silent(talk: _Talk, seconds: float, when: str) -> None:
    deadline = perf_counter() + seconds
    while (line := talk.read(deadline)) is not None:
        if line.split()[0] in ("bestmove", "nobestmove"):
            raise _Fault(f"{line!r} {when}")


def _root_moves(talk: _Talk) -> None:
    board = Board(MIDDLEGAME)
    usual = talk.search(board, "go depth 3")
    wanted = [move for move in sorted(board.legal_moves, key=Move.iccs) if move != usual][:2]
    before, behind = talk.dialect.restrict(board, wanted)
    talk.set_up(board)
    if before is not None:
        talk.send(before)
    talk.go(f"go depth 3{behind}")
    move = talk.best()
    if move not in wanted:
        raise _Fault(
            f"{move}, of {'banmoves' if before else 'searchmoves'} that leave {wanted[0]}, {wanted[1]}"
        )


def _refused_position(talk: _Talk) -> None:
    old = Board(NEARLY_EMPTY)
    for line in REFUSED:
        talk.set_up(old)
        talk.send(line)
        talk.go("go depth 2")
        words = talk.until(("bestmove", "nobestmove"), SEARCH_SECONDS, f"after {line!r} and go").split()
        move = talk.dialect.read_move(words[1]) if len(words) > 1 else None
        if move is not None and old.is_legal(move):
            raise _Fault(f"{' '.join(words)!r} after {line!r}: a move of the position before it")


def _probe(talk: _Talk) -> None:
    if talk.dialect.name == "uci":
        raise _Skipped("UCI knows no probe")
    talk.search(board := Board(MIDDLEGAME), "go depth 3")
    for line in (talk.dialect.position(board), "position startpos"):
        probe = line.replace("position", "probe", 1)
        talk.send(probe)
        words = talk.until(("pophash",), ANSWER_SECONDS, f"after {probe}").split()
        if words[1:2] == ["bestmove"] and line != "position startpos":
            move = talk.dialect.read_move(words[2]) if len(words) > 2 else None
            if move is None or not board.is_legal(move):
                raise _Fault(f"{' '.join(words)!r} is no legal move in {board.fen()}")


def _mated(talk: _Talk) -> None:
    talk.set_up(read_position(MATED))
    talk.go("go depth 3")
    line = talk.until(("bestmove", "nobestmove"), ANSWER_SECONDS, "where no move is legal")
    words = line.split()
    if words[0] == "bestmove" and (len(words) < 2 or words[1] not in NO_MOVES):
        raise _Fault(f"{line!r} where no move is legal")
    talk.ready("after a position without moves")


def _long_game(talk: _Talk) -> None:
    talk.set_up(board := long_game(LONG_GAME))
    talk.go("go depth 2")
    talk.best(why=f"after a game of {board.ply} plies")


def long_game(plies: int) -> Board:
    """A game of that many plies by chance that no rule has ended: some say nobestmove where one has."""
    rng, board = random.Random(5), Board()
    while board.ply < plies:
        captures: list[Move] = []
        others: list[Move] = []
        for move in board.legal_moves:
            (captures if board.is_capture(move) else others).append(move)
        late = board.halfmove_clock >= LONG_QUIET
        moves = (late and captures) or others or captures
        if moves:
            board.push(rng.choice(moves))
        if not any(board.legal_moves) or board.is_repetition(2):
            board = Board()
    return board


def _quit(talk: _Talk) -> None:
    talk.send("quit")
    if talk.dialect.name == "ucci":
        talk.until(("bye",), ANSWER_SECONDS, "after quit")
    status = talk.process.wait(ANSWER_SECONDS)
    if status is None:
        raise _Fault(f"it runs on {ANSWER_SECONDS:g} s after quit")
    if status:
        raise _Fault(f"it ends with status {status}")


CHECKS: dict[str, Callable[[_Talk], None]] = {
    "greets": _greet,
    "says who it is": _identity,
    "announces options well": _options,
    "takes its own defaults": _set_options,
    "passes over unknown commands": _unknown,
    "passes over stop without a search": _idle_stop,
    "begins a new game": _new_game,
    "forgets the game before": _forgets,
    "searches to a depth, from startpos": _depth,
    "plays both sides": _black,
    "searches some nodes": _nodes,
    "keeps to its clock": _clock,
    "keeps to the time for a move": _move_time,
    "searches until stop, and answers isready meanwhile": _infinite,
    "ponders": _ponder,
    "heeds the moves that it may play": _root_moves,
    "plays no move of the position before a refused one": _refused_position,
    "answers probe": _probe,
    "has an answer where no move is legal": _mated,
    "follows a long game": _long_game,
    "ends with quit": _quit,
}
