"""`ExternalEngine`: the conversation with an engine that is another program."""

from __future__ import annotations

import math
import os
import subprocess
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial, wraps
from time import perf_counter
from typing import Any, Self, TypeVar, cast, overload

from ..._core import IllegalMoveError, Move
from ..._internal import system
from ..._internal.closing import Closing
from ..._internal.copying import NotCopied
from ...board import Board
from ...pieces import Color
from ..chess_names import ChessEngineNames
from ..options import Option, Options, find_option, option_key
from ..session import started
from ..types import (
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    InfoDict,
    Limit,
    PlayResult,
    check_lines,
    check_request,
)
from .analysis import ExternalAnalysis
from .dialect import Dialect, Protocol, Ucci, Uci, after_move, longest
from .infos import Infos
from .named import NAMED, full_command
from .process import WAIT_SECONDS, EngineProcess, logger

ANSWER_SECONDS = 60.0  # for an answer that takes an engine no thinking
GUESS_SECONDS = 5.0  # for an engine of unknown protocol to answer in that of our first guess
QUIT_SECONDS = 1.0  # to end after quit
STOP_SECONDS = 5.0  # to end a search that nobody waits for any more
MAX_GREETING = 10_000  # lines that an engine may say before it is ready

_BOOKS = ("usebook", "ownbook")  # what options are called that let an engine play from a book
_ENDS = ("bestmove", "nobestmove")

_Method = TypeVar("_Method", bound=Callable[..., Any])


class IllegalReplyError(EngineError):
    """The engine's move is not legal."""


def _alone(method: _Method) -> _Method:
    """The method for one thread at a time: others would write between its question and the answer."""

    @wraps(method)
    def asked(self: ExternalEngine, /, *args: Any, **options: Any) -> Any:
        if not self._asking.acquire(blocking=False):
            raise self._busy()
        try:
            return method(self, *args, **options)
        finally:
            self._asking.release()

    return cast(_Method, asked)


class ExternalEngine(ChessEngineNames, Closing, NotCopied):
    """A running engine; used by one thread at a time, but `stop` and `kill` are for any.

    Asked for anything else while it searches, by another thread or by the report of its own search, it raises
    RuntimeError.

    command: the program and its arguments, as a list or as one text quoted as for a shell; or a name of
        `NAMED` and arguments, for a program that comes with this package.
    protocol: "uci", "ucci", or None to try UCI and then UCCI, which takes a UCCI engine 5 seconds longer.
    cwd, env: its folder, and variables to add to the environment.
    timeout: seconds for answers that take no thinking, and grace beyond the time of a search.
    stderr: taken for python-chess's sake, None or `subprocess.DEVNULL`: what the program writes there goes to
        the log, and its last words into errors. ValueError for another value.

    EngineError: the program cannot be started, or speaks neither protocol in time. Whenever it gives no
    answer in time it is ended, because nobody knows what it would do next, and EngineTimeoutError is raised.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        protocol: Protocol | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = ANSWER_SECONDS,
        stderr: int | None = None,
    ) -> None:
        if stderr not in (None, subprocess.DEVNULL):
            raise ValueError("what an engine writes to stderr goes to the log: leave stderr out")
        self._command = system.split_command(command) if isinstance(command, str) else list(command or ())
        if not self._command:
            raise EngineError("the command of the engine is empty")
        if self._command[0] in NAMED:
            protocol = protocol or "uci"  # nothing to find out
        self._command = full_command(self._command)
        self._cwd = cwd
        self._env = {**os.environ, **(env or {})}
        self.timeout = timeout
        #: What it says of itself: name, author, version, ...
        self.id: dict[str, str] = {}
        #: Its options by name, which is found in any letters.
        self.options: dict[str, Option] = Options()
        self._multipv = 1  # as last set in the engine
        self._lines = 1  # of an analysis that does not say how many
        self._game: object = None
        self._expected: Board | None = None  # what the engine ponders on
        self._searching = False
        self._asking = threading.RLock()  # of who asks something now
        self._stopping = threading.RLock()  # a stop must not come before the go, nor after the move
        self._stop_by: float | None = None  # when a search must have stopped, None without one
        self._answers_twice = False
        self._values: dict[str, str] = {}  # of options that were set
        self._book = True  # whether it may play from the book that it has
        self._dialect = self._shake_hands(protocol)
        if first := self._dialect.first_options(self.options):
            self.configure(first)

    @property
    def name(self) -> str:
        """Its name, with the version if that is separate."""
        name = self.id.get("name", os.path.basename(self._command[0]))
        return " ".join(filter(None, [name, self.id.get("version")]))

    @property
    def protocol(self) -> Protocol:
        """What it speaks: "uci" or "ucci"."""
        return self._dialect.name

    @property
    def alive(self) -> bool:
        """Does the program run?"""
        return self._process.alive

    @property
    def returncode(self) -> int | None:
        """The exit status of the program, None while it runs."""
        return self._process.wait(0)

    @property
    def pid(self) -> int:
        """The number of its process, by which the log calls it."""
        return self._process.pid

    @classmethod
    def popen_uci(
        cls, command: str | Sequence[str], *, timeout: float = ANSWER_SECONDS,
        cwd: str | os.PathLike[str] | None = None, env: Mapping[str, str] | None = None,
        stderr: int | None = None,
    ) -> Self:  # fmt: skip
        """Start a program that speaks UCI; arguments and errors as for the class."""
        return cls(command, protocol="uci", timeout=timeout, cwd=cwd, env=env, stderr=stderr)

    @classmethod
    def popen_ucci(
        cls, command: str | Sequence[str], *, timeout: float = ANSWER_SECONDS,
        cwd: str | os.PathLike[str] | None = None, env: Mapping[str, str] | None = None,
        stderr: int | None = None,
    ) -> Self:  # fmt: skip
        """Start a program that speaks UCCI; arguments and errors as for the class."""
        return cls(command, protocol="ucci", timeout=timeout, cwd=cwd, env=env, stderr=stderr)

    # Greeting

    def _shake_hands(self, protocol: Protocol | None) -> Dialect:
        tried = [dialect for dialect in (Uci(), Ucci()) if protocol in (None, dialect.name)]
        for dialect in tried:
            last = dialect is tried[-1]
            self._process = EngineProcess(self._command, cwd=self._cwd, env=self._env)
            try:
                self._process.write(dialect.name)
                self._greet(dialect, self.timeout if last else min(GUESS_SECONDS, self.timeout))
                return dialect
            except BaseException as error:
                self.kill()
                if last or not isinstance(error, EngineError):
                    raise
        raise ValueError(f"the protocol must be 'uci' or 'ucci', not {protocol!r}")

    def _greet(self, dialect: Dialect, timeout: float) -> None:
        """Take up what the engine says of itself, to the end of its greeting."""
        word = dialect.name
        deadline = perf_counter() + timeout
        for _ in range(MAX_GREETING):
            line = self._process.read(deadline)
            if line is None:
                raise EngineTimeoutError(f"{self._command[0]} gave no {word}ok within {timeout:g} s")
            words = line.split()
            if words[:1] == [f"{word}ok"]:
                return
            if words == [word]:
                raise EngineError(f"{self._command[0]} is no engine: it repeats what it is told")
            dialect.read_greeting(line, self.id, self.options)
        raise EngineError(f"{self._command[0]} is no engine: it said {MAX_GREETING} lines but no {word}ok")

    # Options and games

    @_alone
    def configure(self, options: Mapping[str, str | int | bool | None]) -> None:
        """Set options by name, buttons by None; ValueError for unknown ones or numbers out of range.

        The names are the program's in any letters; those of `Engine`, such as hash_mib and skill, and those
        of the other protocol are understood, too.
        """
        self._stop_pondering()
        for name, value in options.items():
            option = find_option(self.options, name)
            if option is None:
                known = ", ".join(known.name for known in self.options.values())
                raise ValueError(f"{self.name} has no option {name!r}; it has {known or 'none'}")
            self._values[option.name] = text = option.text(value)
            self._book = self._book or option_key(name) in _BOOKS
            if option_key(name) == "multipv":
                self._multipv = self._lines = int(text)
            self._process.write(self._dialect.set_option(option, text))
        self._synchronise()

    def _synchronise(self, timeout: float | None = None) -> list[str]:
        """Wait until all that was sent has been done; what came meanwhile is old: the answers among it."""
        timeout = self.timeout if timeout is None else timeout
        self._process.write("isready")
        deadline = perf_counter() + timeout
        old: list[str] = []
        while (line := self._process.read(deadline)) is not None:
            word = line.split(maxsplit=1)[:1]
            if word == ["readyok"]:
                return old
            if word and word[0] in _ENDS:
                old.append(line)
        self.kill()
        raise EngineTimeoutError(f"{self._command[0]} gave no readyok within {timeout:g} s")

    @_alone
    def new_game(self) -> None:
        """Let the engine forget the game before."""
        self._stop_pondering()
        if command := self._dialect.new_game(self.options):
            self._process.write(command)
        self._synchronise()

    @_alone
    def ping(self) -> float:
        """Wait until the engine answers, and return how many seconds it took; EngineTimeoutError."""
        self._stop_pondering()
        start = perf_counter()
        self._synchronise()
        return perf_counter() - start

    # Searches

    @_alone
    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        info: object = None,
        ponder: bool = False,
        timeout: float | None = None,
    ) -> PlayResult:
        """Search for a move to play.

        game: anything that identifies the game; when it differs from the last call's, `new_game` is called.
        root_moves: consider only these.
        ponder: let the engine think on, after its move, about the answer that it expects, until the next
            command; if that asks for a move in just that position, the thought goes on with its clock.
        timeout: seconds until the program is ended and EngineTimeoutError raised. By default self.timeout
            beyond the time or clock of the limit, and never if it has none.
        ValueError: the position cannot be played, or the limit would never end the search; a mate alone does
            not in UCCI, which has no such limit. IllegalReplyError, EngineTerminatedError.

        If this is interrupted, by Ctrl-C for instance, the program gets `stop` and is ready for the next
        search; it is ended if it does not stop.
        """
        check_request(board, limit)
        limit = limit.finite()
        if self._dialect.ending(limit).is_infinite(board.turn):
            or_mate = ", mate" if self.protocol == "uci" else ""
            raise ValueError(
                f"{limit} never ends the search: it needs a time, depth, nodes{or_mate} or clock"
            )
        self._enter_game(game)
        self._use_book(True)
        start = perf_counter()
        self._begin(board, limit, root_moves)
        infos = self._infos(board)
        result = self._finish(board, limit, timeout, infos, infos.take_all)
        if ponder and result.move and result.ponder:
            after = after_move(limit, board.turn, perf_counter() - start)
            self._ponder(board, after, result.move, result.ponder)
        return result

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, game: object = None,
        root_moves: Iterable[Move] | None = None, info: object = None, timeout: float | None = None,
        report: Callable[[InfoDict], object] | None = None,
    ) -> InfoDict: ...  # fmt: skip

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: int, game: object = None,
        root_moves: Iterable[Move] | None = None, info: object = None, timeout: float | None = None,
        report: Callable[[InfoDict], object] | None = None,
    ) -> list[InfoDict]: ...  # fmt: skip

    @_alone
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        info: object = None,
        timeout: float | None = None,
        report: Callable[[InfoDict], object] | None = None,
    ) -> InfoDict | list[InfoDict]:
        """Search, and return the engine's last word on each thing; arguments as for `play`.

        multipv: number of best lines, whose infos come as a list; ValueError if the engine has no such
            option.
        report: called with each piece of news; it may call `stop`.
        A limit without end is fine here: `stop` from another thread ends the search. An opening book that
        the program plays from is off meanwhile.
        """
        check_request(board, limit)
        limit = limit.finite()
        self._enter_game(game)
        self._use_book(False)
        self._set_multipv(multipv)
        self._begin(board, limit, root_moves)
        infos = self._infos(board)

        def take_one_by_one(lines: list[str]) -> None:
            assert report is not None
            for line in lines:
                report(infos.take(line))

        take = take_one_by_one if report else infos.take_all
        best = self._finish(board, limit, timeout, infos, take).info
        return best if multipv is None else infos.all()[:multipv] or [best]

    @_alone
    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        info: object = None,
    ) -> ExternalAnalysis:
        """Start a search, without end if there is no limit, and return at once; see `ExternalAnalysis`.

        Until it has ended, other methods than `stop`, `kill` and `close` raise RuntimeError. Errors as for
        `play`.
        """
        check_request(board, limit, limit_may_be_none=True)
        self._enter_game(game)
        self._use_book(False)
        self._set_multipv(multipv)
        limit, board = (limit or Limit()).finite(), board.copy()
        self._begin(board, limit, root_moves)
        return ExternalAnalysis(
            partial(self._finish, board, limit, None), self.stop, partial(self._infos, board)
        )

    def _infos(self, board: Board) -> Infos:
        return Infos(partial(self._dialect.read_info, board=board))

    def _set_multipv(self, lines: int | None) -> None:
        """Send the engine the number of lines, if it has another."""
        usual = self._lines
        lines = usual if lines is None else check_lines(lines)
        if lines != self._multipv:
            self.configure({"multipv": lines})
            self._lines = usual

    def _enter_game(self, game: object) -> None:
        """Send the engine a new game, if this is not the last call's."""
        if game != self._game:
            self.new_game()
            self._game = game

    def _use_book(self, wanted: bool) -> None:
        """Let the engine play from the book that it has, or not: an analysis is no matter for a book."""
        for name in _BOOKS:
            option = self.options.get(name)
            has = option is not None and self._values.get(option.name, option.default) == "true"
            if option is not None and has and self._book != wanted:
                self._stop_pondering()
                self._process.write(self._dialect.set_option(option, option.text(wanted)))
                self._synchronise()
        self._book = wanted

    def _ponder(self, board: Board, limit: Limit, move: Move, answer: Move) -> None:
        """Let the engine think about the position after its move and the expected answer, with that limit."""
        expected = board.copy()
        expected.push(move)
        expected.push(answer)
        if expected.is_game_over():
            return
        words, _ = self._dialect.go(limit, board.turn, self.options)
        self._process.write(self._dialect.position(expected))
        self._process.write(words.replace("go", "go ponder", 1))
        self._expected = expected

    def _stop_pondering(self) -> None:
        """End the thought about a position that did not come; RuntimeError while a search runs."""
        if self._searching:
            raise self._busy()
        if self._expected is not None:
            self._expected = None
            self._abandon(is_thinking=True)

    def _busy(self) -> RuntimeError:
        return RuntimeError(f"{self.name} is searching: wait for the end of that search, which stop() brings")

    def stop(self) -> None:
        """End the search that runs in another thread soon; without one nothing happens.

        A program that does not obey within 5 seconds is ended, and who waits for the search gets
        EngineTimeoutError.
        """
        with suppress(EngineTerminatedError):
            self._send_stop(STOP_SECONDS)

    def _send_stop(self, seconds: float) -> None:
        """Stop the search that runs, if one does, and give it this long."""
        with self._stopping:
            # Without a search UCCI answers, too, which would be taken for the move of the next search.
            if self._stop_by is not None:
                is_first = self._stop_by == math.inf
                self._stop_by = min(self._stop_by, perf_counter() + seconds)
                if is_first:
                    self._process.write("stop")

    def _end_stopping(self) -> bool:
        """The search has ended: stop no more; has it been stopped?"""
        with self._stopping:
            stopped = self._stop_by not in (None, math.inf)
            self._stop_by = None
        return stopped

    def _begin(self, board: Board, limit: Limit, root_moves: Iterable[Move] | None) -> None:
        """Let the engine search."""
        limit.arguments(board.turn)  # in range?
        board._need_playable()
        words, _ = self._dialect.go(limit, board.turn, self.options)
        commands = [self._dialect.position(board), words]
        if root_moves is not None:
            before, behind = self._dialect.restrict(board, _legal(board, root_moves))
            commands = [commands[0], *filter(None, [before]), words + behind]
        elif self._expected is not None and _is_same_game(board, self._expected):
            self._expected = None
            commands = ["ponderhit"]
        self._stop_pondering()
        try:
            if commands != ["ponderhit"]:
                self._pass_over(self._synchronise())
            with self._stopping:
                self._stop_by = math.inf
                for command in commands:
                    self._process.write(command)
        except BaseException:
            self._abandon(is_thinking=self._stop_by is not None)
            raise
        self._searching = True
        if (tell := started.get()) is not None:
            tell(self.stop)

    def _pass_over(self, answers: list[str]) -> None:
        """Some programs answer twice: that is no answer to what is asked next. The log says so once."""
        if answers and not self._answers_twice:
            self._answers_twice = True
            logger.warning(
                "%d %s says %r without a search; such are passed over", self.pid, self.name, answers[0]
            )

    def _finish(
        self,
        board: Board,
        limit: Limit,
        timeout: float | None,
        infos: Infos,
        take: Callable[[list[str]], object],
    ) -> PlayResult:
        """Wait for the end of the search.

        take: called with the info lines that have come, which fill the infos.
        """
        if timeout is None:
            timeout = longest(limit, board.turn) + self.timeout
        _, stop_after = self._dialect.go(limit, board.turn, self.options)
        try:
            last = self._follow(limit, board.turn, timeout, stop_after, infos, take)
        except BaseException:
            self._abandon(is_thinking=self._stop_by is not None)
            raise
        finally:
            self._searching = False
        return self._result(board, last, infos.best())

    def _follow(
        self,
        limit: Limit,
        turn: Color,
        timeout: float,
        stop_after: float,
        infos: Infos,
        take: Callable[[list[str]], object],
    ) -> list[str]:
        """Collect the news of a search to its end, and return that; stop at limits that `go` did not send."""
        start = perf_counter()
        asked = False  # by us, to stop
        while True:
            stop_by = math.inf if self._stop_by is None else self._stop_by
            deadline = min(start + timeout, stop_by if asked else min(stop_by, start + stop_after))
            now = perf_counter()
            # Not longer, for meanwhile another may stop it.
            lines = self._process.read_lines(min(deadline, now + WAIT_SECONDS), _ENDS)
            if not lines and now < deadline:
                continue
            if not lines and not asked and start + stop_after <= deadline:
                self._send_stop(self.timeout)
                asked = True
                continue
            if not lines:
                self.kill()
                what = f"gave no move within {timeout:g} s" if deadline < stop_by else "does not stop"
                raise EngineTimeoutError(f"{self._command[0]} {what}")
            if said := [line for line in lines if line.split(maxsplit=1)[:1] == ["info"]]:
                take(said)
                if not asked and self._dialect.is_reached(limit, turn, infos.best()):
                    self._send_stop(self.timeout)
                    asked = True
            words = lines[-1].split()
            if words and words[0] in _ENDS:
                break
        if self._end_stopping():
            self._synchronise()  # a stop that crossed the move may be answered once more
        return words

    def _abandon(self, *, is_thinking: bool) -> None:
        """Leave a search that nobody waits for any more, so that its end is not taken for that of the next.

        is_thinking: its end has not come yet. A UCI engine that has given its move does not answer a stop.
        """
        self._end_stopping()
        try:
            if is_thinking:
                self._await_end()
            self._synchronise(STOP_SECONDS)
        except EngineError:
            self.kill()
        except BaseException:  # Ctrl-C again: nobody knows what the program says next
            self.kill()
            raise

    def _await_end(self) -> None:
        """Stop the search and wait for its end; EngineTimeoutError."""
        self._process.write("stop")
        deadline = perf_counter() + STOP_SECONDS
        while (line := self._process.read(deadline)) is not None:
            if line.split(maxsplit=1)[:1] in ([end] for end in _ENDS):
                return
        raise EngineTimeoutError(f"{self._command[0]} does not stop")

    def _result(self, board: Board, words: list[str], info: InfoDict) -> PlayResult:
        move, ponder, illegal = self._dialect.read_best(words, board)
        resigned, draw = "resign" in words[2:], "draw" in words[2:]
        if illegal is not None and not resigned:
            raise IllegalReplyError(f"{self.name} played {illegal} in {board.fen()}")
        return PlayResult(move, ponder, info, draw, resigned)

    # The end

    def kill(self) -> None:
        """End the program at once; what runs or comes raises EngineTerminatedError."""
        self._process.kill()

    def close(self) -> None:
        """Ask the program to end, and end it if it does not."""
        if self.alive:
            with suppress(EngineTerminatedError):
                self._process.write("quit")
                self._process.wait(QUIT_SECONDS)
        self.kill()


def _legal(board: Board, root_moves: Iterable[Move]) -> list[Move]:
    """The moves as a list; IllegalMoveError, or ValueError if there are none."""
    moves = list(root_moves)
    for move in moves:
        if not board.is_legal(move):
            raise IllegalMoveError(f"illegal move {move} in {board.fen()}")
    if not moves:
        raise ValueError("root_moves is empty: there is nothing to search")
    return moves


def _is_same_game(board: Board, other: Board) -> bool:
    return board.root().fen() == other.root().fen() and board.move_stack == other.move_stack
