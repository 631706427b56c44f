"""Short games between versions of this engine that differ in numbers, as jobs that run anywhere.

A version is a dict of name -> value: search parameters by their names (`_core.search_parameters`), weights
of the classical evaluation by theirs (`weights.index_name`, such as mg.material[5]). What it does not name is
as shipped; a version that names a weight evaluates classically.

>>> plan = MatchSettings(nodes=200, max_plies=20)
>>> results = play(plan.job({}, {"lmr_base": 0}, random_openings(1, seed=1)))
>>> [len(games) for games in results], count_pairs(results)
([2], [0, 0, 1, 0, 0])
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from ..._core import Context, search_parameters, shipped_weights
from ...engines import Engine, EngineError, Limit
from ...jobs.identity import Identity, engine_identity
from ...jobs.series import JobSeries
from ...weights import LIMIT, NUMBERS, index_name
from ..match.adjudication import Adjudication
from ..match.game import FAULTS, play_game
from ..match.openings import level_openings, read_openings
from ..match.player import Player
from ..match.spec import PlayerSpec, ProgramSpec
from ..match.stats import Estimate, estimate

Values = Mapping[str, int]
OPENINGS = 500  # made when no file is given
Games = list[list[list[float]]]  #: for each opening two games, each [points of the first player, plies]


@lru_cache(maxsize=1)
def weight_indices() -> dict[str, int]:
    """Place of each weight of both phases by its name."""
    return {index_name(i): i for i in range(2 * NUMBERS)}


def version(values: Values, *, hash_mib: int = 4) -> Engine:
    """The engine with other numbers; what else runs in the process keeps its own. ValueError."""
    TunedEngine().check(values)
    weights = array("h", shipped_weights())
    parameters = {}
    for key, value in values.items():
        if key in weight_indices():
            weights[weight_indices()[key]] = value
        else:
            parameters[key] = value
    classical = any(key in weight_indices() for key in values)
    context = Context(weights=weights.tobytes() if classical else None, parameters=parameters)
    return Engine(hash_mib=hash_mib, context=context)


class TunedEngine:
    """What of the engine of this process can be tuned, and its versions as players of `MatchSettings.job`."""

    whose = "shipped"  # values it is compared with

    def tunables(self) -> dict[str, tuple[int, int, int]]:
        """Value, least and most by name, of what is worth a list."""
        return search_parameters()

    def tunable(self, name: str) -> tuple[int, int, int]:
        """Value, least and most of a search parameter or a weight; ValueError if there is none."""
        if (parameter := search_parameters().get(name)) is not None:
            return parameter
        if name in weight_indices():
            return array("h", shipped_weights())[weight_indices()[name]], -LIMIT, LIMIT
        raise ValueError(f"there is neither a search parameter nor a weight called {name!r}")

    def check(self, values: Values) -> None:
        """ValueError names what is unknown or out of range."""
        for name, value in values.items():
            _, minimum, maximum = self.tunable(name)
            if type(value) is not int or not minimum <= value <= maximum:
                raise ValueError(f"{name} must be a whole number from {minimum} to {maximum}, not {value!r}")

    def version(self, values: Values) -> Values | list[str]:
        """The engine with these values."""
        return values

    def untuned(self, values: Values) -> Values | list[str]:
        """The engine to compare these values with: the shipped ones under the same evaluation.

        A version that names a weight evaluates classically, so its opponent names the same weights.
        """
        return {name: self.tunable(name)[0] for name in values if name in weight_indices()}

    def identity(self) -> Identity:
        """The identity of its build."""
        return engine_identity(None)


class TunedProgram(TunedEngine):
    """The same of another program, with its options for whole numbers.

    words: of a `PlayerSpec`. EngineError, ValueError if the program does not start.
    """

    whose = "engine's own"

    def __init__(self, words: list[str]) -> None:
        self._words = words
        spec = PlayerSpec.from_words(words)
        if not isinstance(spec, ProgramSpec):
            raise ValueError("--engine needs the command of a program: cmd=PROGRAM")
        with spec.start() as engine:
            options = list(engine.options.values())
        self._spec = spec
        self._options = {option.name: option for option in options if option.type == "spin"}

    def tunables(self) -> dict[str, tuple[int, int, int]]:
        return {name: self.tunable(name) for name in self._options}

    def tunable(self, name: str) -> tuple[int, int, int]:
        if name not in self._options:
            raise ValueError(f"the engine has no option {name!r} for whole numbers; --list shows them")
        option = self._options[name]
        if option.min is None or option.max is None:
            raise ValueError(f"the engine gives no range for its option {name!r}")
        given = self._spec.options.get(name, option.default or str(option.min))
        return int(option.text(given)), option.min, option.max

    def check(self, values: Values) -> None:
        for name, value in values.items():
            self.tunable(name)
            self._options[name].text(value)

    def version(self, values: Values) -> list[str]:
        return [*self._words, *(f"option.{name}={value}" for name, value in values.items())]

    def untuned(self, values: Values) -> list[str]:
        return self._words

    def identity(self) -> Identity:
        return self._spec.identity()


@dataclass(frozen=True)
class MatchSettings:
    """How the games are played: nodes a move, and when they end before the rules end them."""

    nodes: int = 2000
    hash_mib: int = 4
    resign_score: int | None = 1000
    draw_score: int | None = 10
    max_plies: int = 300

    def job(
        self, first: Values | list[str], second: Values | list[str], openings: Sequence[str]
    ) -> dict[str, Any]:
        """The job for `play`: two games from each opening, with colours changed.

        A player is a version, or the words of a `PlayerSpec` with a limit of its own or this one's nodes.
        """
        players = [player if isinstance(player, list) else dict(player) for player in (first, second)]
        return {"players": players, "openings": list(openings), **self.__dict__}


def play(job: dict[str, Any]) -> Games:
    """Play a job of `MatchSettings.job`. EngineError: a player failed, which says nothing of its strength."""
    players: list[Player] = []
    limits = []
    for index, given in enumerate(job["players"]):
        if isinstance(given, list):
            spec = PlayerSpec.from_words(given)
            players.append(spec.open())
            limits.append(spec.limit or Limit(nodes=job["nodes"]))
        else:
            start = partial(version, given, hash_mib=job["hash_mib"])
            players.append(Player(["first", "second"][index], start))
            limits.append(Limit(nodes=job["nodes"]))
    rules = Adjudication(
        resign_score=job["resign_score"], draw_score=job["draw_score"], max_plies=job["max_plies"]
    )
    try:
        found = []
        for opening in job["openings"]:
            games = []
            for red in (0, 1):
                record = play_game(
                    players[red],
                    players[1 - red],
                    opening,
                    limit=(limits[red], limits[1 - red]),
                    adjudication=rules,
                )
                if record.reason in FAULTS:
                    raise EngineError(f"{record.loser}: {record.reason.replace('_', ' ')}: {record.detail}")
                games.append([1 - record.points if red else record.points, record.plies])
            found.append(games)
        return found
    finally:
        for player in players:
            player.close()


def play_many(jobs: list[dict[str, Any]]) -> list[Games]:
    """Do several jobs of `MatchSettings.job` as one."""
    return [play(job) for job in jobs]


def count_pairs(games: Games) -> list[int]:
    """Five counts of pairs from the first player's side, as for `stats.estimate`."""
    counts = [0] * 5
    for (one, _), (two, _) in games:
        counts[round(2 * (one + two))] += 1
    return counts


def chunked(items: list[Any], size: int) -> list[list[Any]]:
    """Cut a list into parts of the given size; the last one may be shorter."""
    return [items[i : i + size] for i in range(0, len(items), size)]


def compare(
    run: JobSeries,
    settings: MatchSettings,
    first: Values | list[str],
    second: Values | list[str],
    openings: list[str],
) -> Estimate:
    """How much stronger the first version is, by two games from each opening."""
    jobs = [settings.job(first, second, some) for some in chunked(openings, 8)]
    games = [pair for found in run.results(play, jobs) for pair in found]
    return estimate(count_pairs(games))


def random_openings(n: int, *, seed: int) -> list[str]:
    """Positions after 8 random sound moves, within a pawn for a short search."""
    return [board.fen() for board, _ in level_openings(n, seed=seed, balance=100, nodes=1000)]


class Openings:
    """Openings without end: those of the file or random ones, each time through in another order.

    purpose: a word, by which those of one seed differ. ValueError and OSError as for `read_openings`.
    """

    def __init__(self, path: str | None, *, seed: int, purpose: str) -> None:
        self._random = random.Random(f"{seed} {purpose}")
        seed = self._random.getrandbits(32)
        self.all: list[str] = read_openings(path) if path else random_openings(OPENINGS, seed=seed)
        self._rest: list[str] = []

    def take(self, n: int) -> list[str]:
        """The next n."""
        while len(self._rest) < n:
            lap = list(self.all)
            self._random.shuffle(lap)
            self._rest += lap
        found, self._rest = self._rest[:n], self._rest[n:]
        return found
