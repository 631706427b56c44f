"""Who plays a game: any engine, in this process or another program, as a game needs it.

>>> from eleengine import Board, Engine, Limit
>>> player = Player("ours", Engine)
>>> player.new_game(seed=1)
>>> result = player.play(Board(), Limit(nodes=1000))
>>> result.move in Board().legal_moves, result.info["depth"] > 2
(True, True)
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ...board import Board
from ...engines import (
    AnyEngine,
    Engine,
    EngineError,
    EngineTimeoutError,
    IllegalReplyError,
    Limit,
    PlayResult,
)


class PlayerError(Exception):
    """A player that cannot go on with the game: the reason is one of `game.FAULTS`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class Player:
    """An engine as a game needs it, which is started anew for the first game after it has ended.

    Beside `AnyEngine` because a game asks other questions: whose fault ends it, what to write down of a move,
    and by which seed it can be repeated. One thread at a time uses it, but any may call `abort`.

    name: how records and tables call it. start: makes the running, configured engine.
    hang: seconds for a move under a limit that is no time. ponder: think while the opponent does.
    With our engine, one thread, a limit of nodes or depth and equal seeds a game repeats exactly.
    """

    def __init__(
        self, name: str, start: Callable[[], AnyEngine], *, hang: float = 600.0, ponder: bool = False
    ) -> None:
        self.name = name
        self._start = start
        self._hang = hang
        self._ponder = ponder
        self._engine: AnyEngine | None = None
        self._aborted = False
        self._lock = threading.Lock()  # of these two

    def engine(self) -> AnyEngine:
        """The running engine, which is started if need be. Raises what the start raises; PlayerError."""
        if self._engine is None or not self._engine.alive:
            engine = None if self._aborted else self._start()
            with self._lock:
                if self._aborted:
                    if engine is not None:
                        engine.kill()
                    raise PlayerError("crash", f"{self.name} was asked to end")
                self._engine = engine
        assert self._engine is not None
        return self._engine

    def new_game(self, seed: int) -> None:
        """Forget the game before. All chance in the next one comes from the seed, if our engine plays.

        Other programs take no seeds. PlayerError if the engine does not start.
        """
        with _player_errors():
            engine = self.engine()
            if isinstance(engine, Engine):
                engine.seed = seed
            engine.new_game()

    def play(self, board: Board, limit: Limit) -> PlayResult:
        """The move for the side to move, within the limit; the board is not changed.

        PlayerError: also for an illegal move, after which the engine goes on living.
        """
        if self._engine is None:
            raise PlayerError("crash", f"{self.name} has not been started")
        timeout = None if limit.is_timed else self._hang
        with _player_errors():
            return self._engine.play(board, limit, ponder=self._ponder, timeout=timeout)

    def end_game(self) -> None:
        """The game is over: think no more. An engine that does not stop is ended."""
        if self._ponder and self._engine is not None and self._engine.alive:
            try:
                self._engine.ping()
            except EngineError:
                self._engine.kill()

    def abort(self) -> None:
        """Let `play` in another thread end soon, and the next ones at once; their game is lost."""
        with self._lock:
            self._aborted = True
            if self._engine is not None:
                self._engine.kill()

    def close(self) -> None:
        """End the engine and free what it holds."""
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
