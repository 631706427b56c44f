"""Tune constants of the search, or weights of the evaluation, by games: SPSA.

Two sets of values that differ in all of them play a pair of games; all values move towards the winner's, a
little less each time. docs/tuning-by-games.md says how to use it.
"""

from __future__ import annotations

import argparse
import statistics
from typing import Any

from .._internal.digits import real
from .._internal.figures import figure
from ..engines import EngineError
from ..jobs.series import JobSeries
from ..lab.match.outputs import estimate_text, games_text
from ..lab.tune.games import (
    Games,
    MatchSettings,
    TunedEngine,
    TunedProgram,
    Values,
    chunked,
    compare,
    count_pairs,
    play_many,
)
from ..lab.tune.spsa import SpsaPlan, Tunable, tune
from . import CommandError, add_number, add_real, input_errors
from .shared import tuning_runs
from .shared.outputs import add_file, add_force, named_file

DEFAULT = (
    "lmr_base", "lmr_divisor", "lmr_cut", "lmr_history", "rfp_depth", "null_margin", "futility_base",
    "futility_depth", "see_quiet", "see_capture", "quiescence_margin",
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME[=STEP]",
        help="a search parameter, a weight such as mg.material[5], or with --engine one of its options, for "
        "whole numbers; STEP: by how much the last trials "
        f"change it (default: an eighth of the value). Without names: {' '.join(DEFAULT)}",
    )
    parser.add_argument(
        "--list", action="store_true", help="show what can be tuned: value, least, most; and end"
    )
    parser.add_argument(
        "--engine",
        nargs="+",
        metavar="WORD",
        help="tune another program: words as of match, such as cmd=PROGRAM option.Threads=1 tc=2+0.02",
    )
    group = parser.add_argument_group("SPSA")
    add_number(
        group, "--steps", 0, 10**8, default=2000, help="pairs of sets (%(default)s); none: for --verify alone"
    )
    add_number(group, "--pairs", 1, 1000, default=1, help="of games a step")
    add_number(group, "--batch", 1, 10**5, default=8, help="steps from one point, played at once")
    add_number(group, "--chunk", 1, 10**5, default=4, help="steps a job")
    add_real(group, "--rate", 1e-6, 1000, default=0.002, metavar="R", help="the last step for a point")
    group.add_argument(
        "--mean",
        action="store_true",
        help="the result is the mean of the second half of the way, which chance moves less, not its end",
    )
    group.add_argument("--start", metavar="FILE", help="values to start from, as --out writes them")
    tuning_runs.add_match_settings(parser)
    tuning_runs.add_workers(parser)
    group = parser.add_argument_group("results")
    group.add_argument("--out", type=named_file, metavar="FILE", help="the values, as JSON")
    add_file(group, "--plot", help="their ways, as a picture (needs matplotlib)")
    add_force(group)
    add_number(
        group, "--verify", 1, 10**7, metavar="PAIRS", help="of games, the values against the shipped ones"
    )


def run(args: argparse.Namespace) -> int:
    with input_errors(EngineError, ValueError):
        engine = TunedEngine() if args.engine is None else TunedProgram(args.engine)
    if args.list:
        show_tunables(engine)
        return 0
    start = tuning_runs.read_values(args.start, engine.check) if args.start else {}
    if args.engine and not args.names:
        raise CommandError("name the options of the engine that are to be tuned; --list shows them")
    with input_errors():
        tunables = tuple(read_tunable(word, start, engine) for word in args.names or DEFAULT)
        plan = SpsaPlan(tunables, args.steps, args.batch, args.rate, seed=args.seed)
    tuning_runs.check_outputs(args)
    settings, openings = tuning_runs.read_match_settings(args), tuning_runs.read_endless(args, "spsa")
    identity = {
        "run": "eleengine spsa 4",
        "engines": [engine.identity()],
        "plan": plan.__dict__,
        "contest": settings.__dict__,
        "start": start,
        "openings": openings.all,
        "pairs": args.pairs,
        "chunk": args.chunk,
    }
    trajectory = Trajectory(plan)
    with tuning_runs.open_run(args, identity) as work:

        def measure(sets: list[tuple[dict[str, int], dict[str, int]]]) -> list[float]:
            jobs = [
                settings.job(
                    engine.version({**start, **plus}),
                    engine.version({**start, **minus}),
                    openings.take(args.pairs),
                )
                for plus, minus in sets
            ]
            return list(map(trajectory.score, _flat(work.results(play_many, chunked(jobs, args.chunk)))))

        interrupted = False
        try:
            tune(plan, measure, trajectory.append)
        except KeyboardInterrupt:
            interrupted = True
        values = {**start, **plan.rounded(trajectory.mean() if args.mean else trajectory.points[-1])}
        print(f"{trajectory.summary()}, {work.known} of {work.jobs} jobs from the journal")
        print("\n".join(trajectory.table()))
        if args.out:
            tuning_runs.write_values(args.out, values)
        if args.plot:
            plot(trajectory, args.plot)
        if args.verify and not interrupted:
            show_comparison(args, work, settings, engine, values)
    return 130 if interrupted else 0


def show_tunables(engine: TunedEngine) -> None:
    """Print what can be tuned: value, minimum, maximum."""
    for name, (value, minimum, maximum) in engine.tunables().items():
        print(f"{name:20} {value:6} {minimum:6} {maximum:6}")


def show_comparison(
    args: argparse.Namespace, work: JobSeries, settings: MatchSettings, engine: TunedEngine, values: Values
) -> None:
    """Print what the values score against the engine without them, with fresh openings."""
    fresh = tuning_runs.read_endless(args, "verify").take(args.verify)
    found = compare(work, settings, engine.version(values), engine.untuned(values), fresh)
    print(f"against the {engine.whose} values: {estimate_text(found)}, {games_text(found)}")


class Trajectory:
    """The points that a run has passed, from its start on, and the pairs of games that led it there."""

    def __init__(self, plan: SpsaPlan) -> None:
        self.plan = plan
        self.points: list[list[float]] = [[t.start for t in plan.tunables]]
        self._steps = 0
        self._counts = [0] * 5  # of pairs, as for `stats.estimate`
        self._progress = tuning_runs.ProgressLog()

    def append(self, steps: int, point: list[float]) -> None:
        """Add the point that was reached after `steps` steps, and print it now and then."""
        self._steps = steps
        self.points.append(point)
        self._progress.show(lambda: f"{steps}/{self.plan.steps} steps: {_line(self.plan, point)}")

    def score(self, games: Games) -> float:
        """Count pairs of games; return the mean result of the first player, -2 to 2 a pair."""
        for index, n in enumerate(count_pairs(games)):
            self._counts[index] += n
        return sum(2 * (one[0] + two[0]) - 2 for one, two in games) / len(games)

    def mean(self) -> list[float]:
        """Return the mean of the second half of the points."""
        return [statistics.fmean(way) for way in zip(*self.points[len(self.points) // 2 :], strict=True)]

    def summary(self) -> str:
        return f"{self._steps} steps, pairs of games {self._counts}"

    def table(self) -> list[str]:
        """Return each value at the start, at the end and in the mean, and how many of its steps it went."""
        lines = [f"{'':20} {'start':>8} {'now':>8} {'mean':>8} {'steps':>7}"]
        for t, x, m in zip(self.plan.tunables, self.points[-1], self.mean(), strict=True):
            steps = (x - t.start) / t.step
            lines.append(f"{t.name:20} {t.start:8.0f} {round(x):8} {round(m):8} {steps:+7.2f}")
        return lines


def read_tunable(word: str, start: dict[str, int], engine: TunedEngine) -> Tunable:
    """NAME or NAME=STEP; ValueError."""
    name, equals, text = word.partition("=")
    value, minimum, maximum = engine.tunable(name)
    value = start.get(name, value)
    step = max(1.0, abs(value) / 8) if value else max(1.0, (maximum - minimum) / 20)
    if equals:
        try:
            step = real(text)
        except ValueError:
            raise ValueError(f"{word}: expected NAME=STEP with a number") from None
    return Tunable(name, value, minimum, maximum, step)


def _line(plan: SpsaPlan, point: list[float]) -> str:
    return ", ".join(f"{name} {value}" for name, value in plan.rounded(point).items())


def _flat(results: list[list[Any]]) -> list[Any]:
    return [games for found in results for games in found]


def plot(trajectory: Trajectory, path: str) -> None:
    """Draw how far each value went from its start, in its own steps."""
    plan, points = trajectory.plan, trajectory.points
    drawn = figure(9, 6)
    axes = drawn.add_subplot()
    for index, t in enumerate(plan.tunables):
        axes.plot(
            [min(i * plan.batch, plan.steps) for i in range(len(points))],
            [(point[index] - t.start) / t.step for point in points],
            label=f"{t.name} {t.start:.0f} → {points[-1][index]:.0f}",
        )
    axes.set(xlabel="steps", ylabel="way, in units of the last perturbation")
    axes.legend(loc="upper left", fontsize="small")
    axes.grid(alpha=0.3)
    tuning_runs.save_plot(drawn, path)
