"""An adaptive genetic algorithm that tunes piece values by games, in two phases.

After chapter 5.4 of Zou 2012 (docs/papers.md), whose tables 5.2, 5.4 and 5.5 are what a run is compared with.
The operators are DEAP's.

An individual is the six piece values, the king's excepted, each a binary number: a gene. Crossover (at one
point) and mutation (one flipped bit) befall each gene by itself. In the first phase every individual plays a
sparring partner; parents are drawn by roulette, the best individual lives on. In the second the population,
sorted by fitness, is dealt into groups, each plays a round robin, and the champions live on and breed the
others. The chances of crossover and mutation fall with fitness, from the mean to the best (Srinivas and
Patnaik, "Adaptive probabilities of crossover and mutation in genetic algorithms", IEEE Transactions on
Systems, Man and Cybernetics 24, 1994). The thesis prints formula 5.15 with the best fitness less the own one
in the numerator, by which the best would mutate most; here both formulas have the own one less the mean.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..jobs.series import JobSeries
from ..lab.tune.games import MatchSettings, Values, play, play_many

__all__ = [
    "PIECES", "THESIS_AFTER", "THESIS_BEFORE", "Generation", "GeneticPlan", "Row", "adapted", "decode",
    "evolve", "points", "thesis_version", "tournament", "version",
]  # fmt: skip

#: Piece types of the genes, in their order.
PIECES = {"advisor": 2, "bishop": 3, "knight": 4, "rook": 5, "cannon": 6, "pawn": 7}
THESIS_BEFORE = (250, 250, 350, 550, 350, 100)  #: table 5.2
THESIS_POINTS = (
    2,
    3,
    10,
    13,
    18,
    25,
    26,
    31,
    38,
    38,
    16,
)  #: table 5.4: generations 50 to 500, and the partner
THESIS_AFTER = (291, 284, 498, 823, 486, 85)  #: table 5.5

Player = Values | list[str]


def version(values: Sequence[int]) -> dict[str, int]:
    """The version of the engine with these piece values in both phases of the game."""
    return {
        f"{phase}.material[{kind}]": value
        for kind, value in zip(PIECES.values(), values, strict=True)
        for phase in ("mg", "eg")
    }


def thesis_version(values: Sequence[int]) -> list[str]:
    """Zou's program with these piece values, in the words of a player."""
    return ["program=thesis", "hash=4", f"option.values={','.join(map(str, values))}"]


@dataclass(frozen=True)
class GeneticPlan:
    """What a run depends on, beside its match settings, sparring partner and openings.

    first: generations of the first phase. groups: of the second. bits: of a gene. pairs: openings of each
    meeting, two games from each. crossover, mutation: chances of an individual below the mean and of the
    best. ValueError: what is out of range.
    """

    population: int = 32
    generations: int = 100
    first: int = 50
    groups: int = 8
    bits: int = 10
    pairs: int = 1
    crossover: tuple[float, float] = (0.9, 0.6)
    mutation: tuple[float, float] = (0.1, 0.001)
    seed: int = 1

    def __post_init__(self) -> None:
        if not 2 <= 2 * self.groups <= self.population:
            raise ValueError(f"{self.population} individuals do not make {self.groups} groups of two or more")
        if not 0 <= self.first <= self.generations or self.generations < 1:
            raise ValueError(f"the first phase cannot have {self.first} of {self.generations} generations")
        if self.groups < 2 and self.first < self.generations:
            raise ValueError(
                "the second phase needs two groups or more: one champion has nobody to breed with"
            )
        if not 1 <= self.bits <= 13 or self.pairs < 1:
            raise ValueError("genes have 1 to 13 bits, meetings one pair of games or more")


@dataclass(frozen=True)
class Generation:
    """What became of one: its best individual, and the fitness of all, best first.

    fitness: mean points of a game: as `points` in the first phase; 2, 1 or 0 in the second.
    """

    number: int
    phase: int
    best: tuple[int, ...]
    fitness: tuple[float, ...]


def points(result: float, plies: int, max_plies: int) -> float:
    """Of a game against the sparring partner: win soon, lose late.

    >>> points(1, 50, 200), points(0.5, 200, 200), points(0, 50, 200)
    (2.75, 1.0, 0.25)
    """
    part = plies / max_plies
    return 1.0 if result == 0.5 else 3 - part if result == 1 else part


def adapted(chances: tuple[float, float], fitness: float, mean: float, best: float) -> float:
    """Formulas 5.14 and 5.15: the first chance up to the mean, the second for the best, linear between.

    >>> adapted((0.9, 0.6), 3, 4, 8), adapted((0.9, 0.6), 8, 4, 8), round(adapted((0.9, 0.6), 6, 4, 8), 2)
    (0.9, 0.6, 0.75)
    """
    high, low = chances
    if fitness < mean or best <= mean:
        return high
    return high - (high - low) * (fitness - mean) / (best - mean)


def evolve(
    plan: GeneticPlan,
    settings: MatchSettings,
    sparring: Player,
    take_openings: Callable[[int], list[str]],
    run: JobSeries,
    report: Callable[[Generation], object] | None = None,
    *,
    make: Callable[[Sequence[int]], Player] = version,
) -> list[Generation]:
    """Let the population evolve, and report each generation.

    take_openings: returns the next openings; all individuals of a generation play from the same ones.
    make: returns the player with some piece values.
    """
    breeder = _Breeder(plan)
    population = breeder.create()
    history = []
    for number in range(1, plan.generations + 1):
        random.seed(f"{plan.seed} {number}")  # DEAP draws from the module's generator
        openings = take_openings(plan.pairs)
        if number <= plan.first:
            _spar(population, settings, sparring, openings, run, make)
            survivors = breeder.best(population, 1)
            pairs = breeder.roulette
        else:
            survivors = _compete(population, plan.groups, settings, openings, run, make)
            pairs = breeder.champions
        ranked = breeder.best(population, len(population))
        found = Generation(
            number,
            1 if number <= plan.first else 2,
            tuple(decode(survivors[0])),
            tuple(individual.score for individual in ranked),
        )
        history.append(found)
        if report is not None:
            report(found)
        population = breeder.breed(population, survivors, pairs)
    return history


def decode(individual: Sequence[Sequence[int]]) -> list[int]:
    """The values of the genes, highest bit first.

    >>> decode([[1, 0, 1], [0, 1, 1]])
    [5, 3]
    """
    return [int("".join(map(str, gene)), 2) for gene in individual]


def _spar(
    population: list[Any],
    settings: MatchSettings,
    sparring: Player,
    openings: list[str],
    run: JobSeries,
    make: Callable[[Sequence[int]], Player],
) -> None:
    """Phase one: each individual against the partner."""
    jobs = [settings.job(make(decode(individual)), sparring, openings) for individual in population]
    for individual, games in zip(population, run.results(play, jobs), strict=True):
        scores = [points(result, plies, settings.max_plies) for pair in games for result, plies in pair]
        individual.rate(sum(scores) / len(scores))


def _compete(
    population: list[Any],
    groups: int,
    settings: MatchSettings,
    openings: list[str],
    run: JobSeries,
    make: Callable[[Sequence[int]], Player],
) -> list[Any]:
    """Phase two: a round robin in each group; the champions, the best first."""
    ranked = sorted(population, key=lambda individual: -individual.score)
    dealt = [ranked[k::groups] for k in range(groups)]
    jobs = [
        [settings.job(make(decode(a)), make(decode(b)), openings) for a, b in combinations(group, 2)]
        for group in dealt
    ]
    champions = []
    for group, results in zip(dealt, run.results(play_many, jobs), strict=True):
        scores = [0.0] * len(group)
        for (a, b), games in zip(combinations(range(len(group)), 2), results, strict=True):
            mine = sum(2 * result for pair in games for result, _ in pair)  # a win counts two
            scores[a] += mine
            scores[b] += 4 * len(games) - mine
        for individual, score in zip(group, scores, strict=True):
            individual.rate(score / (2 * len(openings) * (len(group) - 1)))
        champions.append(max(group, key=lambda individual: individual.score))
    return sorted(champions, key=lambda individual: -individual.score)


class _Breeder:
    """Makes individuals, with the operators of DEAP."""

    def __init__(self, plan: GeneticPlan) -> None:
        from deap import base, tools

        class Fitness(base.Fitness):  # type: ignore[misc]
            weights = (1.0,)

        class Individual(list[list[int]]):
            """Genes of bits; score: its fitness, of children that of their parents until they play."""

            def __init__(self, genes: Sequence[list[int]]) -> None:
                super().__init__([list(gene) for gene in genes])
                self.fitness = Fitness()

            @property
            def score(self) -> float:
                return float(self.fitness.values[0])

            def rate(self, score: float) -> None:
                self.fitness.values = (score,)

        self._plan = plan
        self._tools = tools
        self._individual = Individual

    def create(self) -> list[Any]:
        """A population of chance."""
        random.seed(f"{self._plan.seed} 0")
        bits = range(self._plan.bits)
        population = [
            self._individual([[random.randrange(2) for _ in bits] for _ in PIECES])
            for _ in range(self._plan.population)
        ]
        for individual in population:
            individual.rate(0.0)
        return population

    def best(self, population: list[Any], n: int) -> list[Any]:
        found: list[Any] = self._tools.selBest(population, n)
        return found

    def roulette(self, population: list[Any], survivors: list[Any]) -> list[Any]:
        """Two parents of the whole population, each by its share of all fitness."""
        found: list[Any] = self._tools.selRoulette(population, 2)
        return found

    def champions(self, population: list[Any], survivors: list[Any]) -> list[Any]:
        """Two of the champions."""
        return random.sample(survivors, 2)

    def breed(
        self,
        population: list[Any],
        survivors: list[Any],
        parents_of: Callable[[list[Any], list[Any]], list[Any]],
    ) -> list[Any]:
        """The next generation: the survivors as they are, and children."""
        plan = self._plan
        scores = [individual.score for individual in population]
        mean, best = sum(scores) / len(scores), max(scores)
        made = list(survivors)
        while len(made) < plan.population:
            parents = parents_of(population, survivors)
            children = [self._individual(parent) for parent in parents]
            fitter = max(parent.score for parent in parents)
            for a, b in zip(*children, strict=True):
                if random.random() < adapted(plan.crossover, fitter, mean, best) and plan.bits > 1:
                    self._tools.cxOnePoint(a, b)
            for child, parent in zip(children, parents, strict=True):
                for gene in child:
                    if random.random() < adapted(plan.mutation, parent.score, mean, best):
                        gene[random.randrange(plan.bits)] ^= 1
                child.rate(sum(parent.score for parent in parents) / 2)
            made += children[: plan.population - len(made)]
        return made


@dataclass(frozen=True)
class Row:
    """A line of a table such as 5.4: wins, losses, draws and points (two for a win, one for a draw)."""

    name: str
    wins: int
    losses: int
    draws: int

    @property
    def points(self) -> int:
        """Two for a win, one for a draw."""
        return 2 * self.wins + self.draws


def tournament(
    players: Sequence[tuple[str, Player]], settings: MatchSettings, openings: list[str], run: JobSeries
) -> list[Row]:
    """Each against each from each opening with both colours, as in table 5.4."""
    meetings = list(combinations(range(len(players)), 2))
    jobs = [settings.job(players[a][1], players[b][1], openings) for a, b in meetings]
    counts = [[0, 0, 0] for _ in players]
    for (a, b), games in zip(meetings, run.results(play, jobs), strict=True):
        for result in (result for pair in games for result, _ in pair):
            outcome = 2 if result == 0.5 else 0 if result == 1 else 1
            counts[a][outcome] += 1
            counts[b][(1, 0, 2)[outcome]] += 1
    return [Row(name, *count) for (name, _), count in zip(players, counts, strict=True)]
