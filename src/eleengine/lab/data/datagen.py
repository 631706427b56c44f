"""Games of the engine against itself, on all cores, into a file.

Game number n of a plan is the same whoever plays it: it depends on the seed, n, the limits, the weights and
the version of the engine, not on threads, interruptions and earlier games. A file holds the games from 0 on
in order, so that its number of games shows where to go on.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..._core import NO_SCORE, SELFPLAY_LIMITS, STARTING_FEN, BaseBoard, Context, SelfPlay
from ..._internal.threads import in_threads
from ..._version import __version__
from ...jobs.executor import Executor, in_order
from ...jobs.identity import digest, engine_identity
from .gamefile import PackedGame, Writer

__all__ = ["DatagenCount", "DatagenPlan", "generate", "play_chunk"]

MAX_GAMES = 1 << 40
MAX_SEED = 1 << 24
CHUNK = 200  # games a job of an executor
AHEAD = 100  # chunks that may wait for an earlier one


class DatagenCount(NamedTuple):
    """How far the work is."""

    games: int  #: in the file
    played: int  #: by this call
    positions: int  #: searched by this call
    settled: int  #: of these, good for tuning


@dataclass(frozen=True)
class DatagenPlan:
    """What is to be played; ValueError for settings out of range."""

    seed: int = 0  #: 0 to 2**24 - 1
    openings: tuple[str, ...] = (STARTING_FEN,)  #: FENs; each game begins from one of them
    limits: dict[str, int] = field(default_factory=dict)  #: of SelfPlay
    context: Context | None = None  #: the numbers to play by; None: the default ones

    def __post_init__(self) -> None:
        if not 0 <= self.seed < MAX_SEED:
            raise ValueError(f"seed must be 0..{MAX_SEED - 1}, not {self.seed}")
        if not self.openings:
            raise ValueError("there must be an opening")
        for fen in self.openings:
            BaseBoard(fen)
        SelfPlay(**self.limits)

    def header(self) -> dict[str, Any]:
        """What the file says of its making; everything that the games depend on."""
        return {
            "made by": f"eleengine {__version__} datagen",
            "seed": self.seed,
            "openings": digest([fen.encode() for fen in self.openings]),
            **engine_identity(self.context),
            **{name: self.limits.get(name, default) for name, (default, _, _) in SELFPLAY_LIMITS.items()},
        }

    def play(self, player: SelfPlay, number: int) -> tuple[PackedGame, int]:
        """Game number 0, 1, ...; and how many of its positions are good for tuning."""
        seed = self.seed * MAX_GAMES + number
        start = BaseBoard(random.Random(seed).choice(self.openings))
        result, reason, moves, scores, settled = player.play(start, seed)
        game = PackedGame(result, reason, tuple(array("H", moves)), tuple(array("h", scores)), start.fen())
        return game, settled


def generate(
    path: str,
    plan: DatagenPlan,
    games: int,
    *,
    threads: int = 1,
    executor: Executor | None = None,
    show: Callable[[DatagenCount], bool] = lambda count: True,
) -> DatagenCount:
    """Bring the file to that many games, going on where it ends; a new one is made if there is none.

    executor: plays them, CHUNK games a job, instead of the threads. show: called after each game, and where
    Ctrl-C ends the work; a false answer or an exception in it ends it, too. The games played before are
    written. GameFileError if the file belongs to another plan.
    """
    positions = settled = 0
    with Writer(path, plan.header(), append=True) as writer:
        numbers = range(first := writer.games, games)

        def count() -> DatagenCount:
            return DatagenCount(writer.games, writer.games - first, positions, settled)

        source = (
            _play_here(plan, numbers, threads) if executor is None else _play_jobs(plan, numbers, executor)
        )
        with closing(source):
            try:
                for game, good in source:
                    writer.append(game)
                    positions += sum(score != NO_SCORE for score in game.scores or ())
                    settled += good
                    if not show(count()):
                        break
            except KeyboardInterrupt:  # perhaps between a game and its count
                show(count())
                raise
        return count()


def _play_here(plan: DatagenPlan, numbers: range, threads: int) -> Generator[tuple[PackedGame, int]]:
    """The games in order, played by threads of this process."""
    players = [SelfPlay(plan.context, **plan.limits) for _ in range(threads)]
    return in_threads(players, plan.play, numbers, stop=SelfPlay.stop)


def _play_jobs(plan: DatagenPlan, numbers: range, executor: Executor) -> Generator[tuple[PackedGame, int]]:
    """The games in order, played as jobs of an executor."""
    jobs = ((plan, numbers[i : i + CHUNK]) for i in range(0, len(numbers), CHUNK))
    with closing(executor.run(play_chunk, jobs, ahead=AHEAD)) as running:
        for found in in_order(running):
            yield from found


def play_chunk(job: tuple[DatagenPlan, range]) -> list[tuple[PackedGame, int]]:
    """Play the games of a plan that have these numbers."""
    plan, numbers = job
    player = SelfPlay(plan.context, **plan.limits)
    return [plan.play(player, number) for number in numbers]
