"""Who plays a game: the engine in this process, or another program.

A player is anything with the five methods of `Player`; `game.play_game` needs no more.

>>> from eleengine import Board, Limit
>>> player = EnginePlayer("ours")
>>> player.new_game(seed=1)
>>> reply = player.play(Board(), Limit(nodes=1000))
>>> reply.move in Board().legal_moves, reply.depth > 2
(True, True)
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from ..._core import Context, Move, Searcher
from ...board import Board
from ...book import Book
from ...engines import EngineError, EngineTimeoutError, ExternalEngine, IllegalReplyError, Limit
from ...engines.searcher import set_up
from ...engines.strength import TOP_SKILL, Strength
from ...rules import NO_CAPTURE_LIMIT
from ...score import to_core


class Reply(NamedTuple):
    """A player's answer.

    score: centipawns for the side to move, MATE - n or n - MATE for a mate in n plies (`_core.MATE`);
        None if the player gave none.
    """

    move: Move | None  #: None: the player gave none
    score: int | None = None
    depth: int = 0  #: plies of the last finished iteration
    nodes: int = 0  #: positions searched
    resigns: bool = False


class PlayerError(Exception):
    """A player that cannot go on with the game: the reason is one of `game.FAULTS`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class Player(Protocol):
    """What a game needs of a player. One thread at a time uses it, but any may call `abort`."""

    @property
    def name(self) -> str:
        """How records and tables call it."""

    def new_game(self, seed: int) -> None:
        """Forget the game before. All chance in the next one comes from the seed; PlayerError."""

    def play(self, board: Board, limit: Limit) -> Reply:
        """The move for the side to move, within the limit; the board is not changed. PlayerError."""

    def end_game(self) -> None:
        """The game is over: think no more."""

    def abort(self) -> None:
        """Let `play` in another thread end soon, and the next ones at once; their game is lost."""

    def close(self) -> None:
        """End the player and free what it holds."""


class EnginePlayer:
    """The engine in this process, called directly: fit for thousands of short games.

    hash_mib, threads, skill, rule_set, no_capture_limit, context: as for `eleengine.Engine`.
    book: to play from while it knows the position; it is not closed with the player.
    searcher: one to play with, which keeps its own table, threads and rules.
    With one thread, a limit of nodes or depth and equal seeds a game repeats exactly.
    """

    def __init__(
        self,
        name: str = "eleengine",
        *,
        hash_mib: int = 16,
        threads: int = 1,
        skill: int = TOP_SKILL,
        rule_set: str = "axf",
        no_capture_limit: int = NO_CAPTURE_LIMIT,
        book: Book | None = None,
        context: Context | None = None,
        searcher: Searcher | None = None,
    ) -> None:
        strength = Strength(skill)
        if searcher is None:
            searcher = set_up(
                Searcher(hash_mib=hash_mib, threads=threads, context=context),
                rule_set=rule_set,
                no_capture_limit=no_capture_limit,
            )
        self.name = name
        self._searcher = searcher
        self._strength = strength
        self._book = book
        self._random = random.Random(0)
        self._aborted = False

    def new_game(self, seed: int) -> None:
        """Forget the game before; the seed matters below full skill, and for a book."""
        self._searcher.clear()
        self._random.seed(seed)

    def play(self, board: Board, limit: Limit) -> Reply:
        """The move of the book, or that the search finds; with a skill below 20, not always the best."""
        if self._aborted:
            raise PlayerError("crash", f"{self.name} was asked to end")
        if self._book is not None:
            entry = self._book.weighted_choice(board, random=self._random)
            if entry is not None:
                return Reply(entry.move)
        arguments = self._strength.limit(limit.arguments(board.turn))
        lines = self._searcher.search(board, **arguments)
        if not lines:
            return Reply(None)
        line = self._strength.choose(lines, self._random)
        return Reply(line.pv[0], line.score, line.depth, line.nodes)

    def end_game(self) -> None:
        """Nothing is thought about."""

    def abort(self) -> None:
        """End the search that runs, and play no more."""
        self._aborted = True
        self._searcher.stop()

    def close(self) -> None:
        """Nothing but memory is held, which goes with the player."""


class ExternalPlayer:
    """An engine of another program. It is started anew for the first game after it has ended.

    start: makes the running, configured engine; its EngineError goes through `new_game` as a PlayerError.
    hang: seconds for a move under a limit that is no time. ponder: think while the opponent does.
    """

    def __init__(
        self, name: str, start: Callable[[], ExternalEngine], *, hang: float = 600.0, ponder: bool = False
    ) -> None:
        self.name = name
        self._start = start
        self._hang = hang
        self._ponder = ponder
        self._engine: ExternalEngine | None = None

    def new_game(self, seed: int) -> None:
        """Start the engine if it does not run, and announce the new game; other programs take no seeds."""
        with _player_errors():
            if self._engine is None or not self._engine.alive:
                self._engine = self._start()
            self._engine.new_game()

    def play(self, board: Board, limit: Limit) -> Reply:
        """The engine's answer. An illegal move is a PlayerError, too; the engine goes on living."""
        if self._engine is None:
            raise PlayerError("crash", f"{self.name} has not been started")
        timed = limit.time is not None or limit.red_clock is not None or limit.black_clock is not None
        with _player_errors():
            timeout = None if timed else self._hang
            result = self._engine.play(board, limit, ponder=self._ponder, timeout=timeout)
        info = result.info
        score = to_core(info["score"].relative) if "score" in info else None
        return Reply(result.move, score, info.get("depth", 0), info.get("nodes", 0), result.resigned)

    def end_game(self) -> None:
        """Stop pondering. A program that does not is ended."""
        if self._ponder and self._engine is not None and self._engine.alive:
            try:
                self._engine.ping()
            except EngineError:
                self._engine.kill()

    def abort(self) -> None:
        """End the program."""
        if self._engine is not None:
            self._engine.kill()

    def close(self) -> None:
        """Let the program end."""
        if self._engine is not None:
            self._engine.close()


@contextmanager
def _player_errors() -> Iterator[None]:
    """Turn the errors of engines into what a game calls them."""
    try:
        yield
    except IllegalReplyError as error:
        raise PlayerError("illegal_move", str(error)) from None
    except EngineTimeoutError as error:
        raise PlayerError("no_answer", str(error)) from None
    except EngineError as error:
        raise PlayerError("crash", str(error)) from None
