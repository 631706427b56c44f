"""Tune the piece values by games with an adaptive genetic algorithm.

First every individual plays a sparring partner and parents are drawn by roulette, then groups play
tournaments and their champions breed. At the end the best individuals of ten generations and the partner
play each other. docs/tuning-by-games.md says how to use it.
"""

from __future__ import annotations

import argparse
from array import array
from collections.abc import Callable, Iterable

from .._core import shipped_weights
from .._internal.figures import figure
from .._internal.live import pad, width
from ..commands import CommandError, add_number, input_errors, need
from ..commands.shared import tuning_runs
from ..commands.shared.outputs import add_file, add_force, named_file
from ..engines import EngineError
from ..jobs.identity import engine_identity
from ..jobs.series import JobSeries
from ..lab.match.outputs import estimate_text, games_text
from ..lab.match.spec import WORDS, PlayerSpec
from ..lab.match.stats import Estimate
from ..lab.tune.games import MatchSettings, TunedEngine, Values, compare, weight_indices
from . import genetic
from .language import LANGUAGE, tr
from .report import use_chinese_fonts

FIRST_VALUES = "against the thesis's first values"
CHECKPOINTS = 10  # generations that play the last tournament, as in the thesis


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `eleengine papers genetic`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"words of a sparring partner:\n{WORDS}"
    group = parser.add_argument_group("genetic algorithm")
    for name, default, maximum, text in (
        ("population", 32, 10**5, "individuals"),
        ("generations", 100, 10**6, "in both phases"),
        ("first", 50, 10**6, "generations of the first phase, against the partner"),
        ("groups", 8, 10**4, "of the second phase"),
        ("pairs", 1, 10**4, "of games in each meeting"),
    ):
        add_number(group, f"--{name}", 0 if name == "first" else 1, maximum, default=default, help=text)
    group.add_argument(
        "--search",
        choices=("engine", "thesis"),
        default="engine",
        help="whose values: this engine's, or those of the thesis's own program (%(default)s)",
    )
    group.add_argument(
        "--sparring",
        nargs="+",
        metavar="WORD",
        help="see below (default: the same search with the piece values with which the thesis began)",
    )
    tuning_runs.add_match_settings(parser)
    tuning_runs.add_workers(parser)
    group = parser.add_argument_group("results")
    group.add_argument("--out", type=named_file, metavar="FILE", help="the piece values, as JSON")
    add_file(group, "--plot", help="values and points by generation, as a picture (needs matplotlib)")
    add_force(group)
    add_number(
        group,
        "--table-pairs",
        1,
        10**4,
        default=1,
        help="of games in each meeting of the last tournament",
    )
    text = "of games against the shipped values, and against the thesis's first ones"
    add_number(group, "--verify", 1, 10**7, metavar="PAIRS", help=text)


def run(args: argparse.Namespace) -> int:
    """Tune, report and return the exit status."""
    need("deap", extra="lab", what="this")
    with input_errors(EngineError, ValueError):
        plan = genetic.GeneticPlan(
            args.population, args.generations, args.first, args.groups, pairs=args.pairs, seed=args.seed
        )
        engines = [engine_identity()]
        if args.sparring:
            engines.append(PlayerSpec.from_words(args.sparring).identity())
    if args.out and args.search == "thesis":
        raise CommandError("--out: a file of values is for the engine, not for --search thesis")
    tuning_runs.check_outputs(args)
    settings, openings = tuning_runs.read_match_settings(args), tuning_runs.read_endless(args, "genetic")
    make = genetic.thesis_version if args.search == "thesis" else genetic.version
    sparring: Values | list[str] = args.sparring or make(genetic.THESIS_BEFORE)
    progress = tuning_runs.ProgressLog()

    def report(found: genetic.Generation) -> None:
        mean = sum(found.fitness) / len(found.fitness)
        progress.show(
            lambda: tr(
                "generation {number}/{generations}, phase {phase}: best {best}, fitness {fitness:.2f}, "
                "mean {mean:.2f}"
            ).format(
                number=found.number,
                generations=plan.generations,
                phase=found.phase,
                best=found.best,
                fitness=found.fitness[0],
                mean=mean,
            )
        )

    identity = {
        "run": "eleengine genetic 3",
        "engines": engines,
        "plan": plan.__dict__,
        "contest": settings.__dict__,
        "sparring": sparring,
        "openings": openings.all,
        "table_pairs": args.table_pairs,
        **({"search": args.search} if args.search != "engine" else {}),
    }
    with tuning_runs.open_run(args, identity) as work:
        history = genetic.evolve(plan, settings, sparring, openings.take, work, report, make=make)
        rows = genetic.tournament(
            [*checkpoints(history, make), ("sparring", sparring)],
            settings,
            openings.take(args.table_pairs),
            work,
        )
        show_tournament(rows)
        print()
        show_values(history[-1].best)
        if args.out:
            tuning_runs.write_values(args.out, genetic.version(history[-1].best))
        if args.plot:
            plot(history, rows, args.plot)
        if args.verify:
            show_comparisons(args, work, settings, make(history[-1].best))
    return 0


def checkpoints(
    history: list[genetic.Generation], make: Callable[[tuple[int, ...]], Values | list[str]]
) -> list[tuple[str, Values | list[str]]]:
    """The best individuals of some generations on the way, by the generation's number."""
    some = sorted({max(1, len(history) * k // CHECKPOINTS) for k in range(1, CHECKPOINTS + 1)})
    return [(str(number), make(history[number - 1].best)) for number in some]


def show_comparisons(
    args: argparse.Namespace, work: JobSeries, settings: MatchSettings, values: Values | list[str]
) -> None:
    """Play the values against the shipped ones, and against those with which the thesis began."""
    fresh = tuning_runs.read_endless(args, "verify").take(args.verify)
    print()
    if isinstance(values, list):  # the thesis's program: nothing of it is shipped
        first: Values | list[str] = genetic.thesis_version(genetic.THESIS_BEFORE)
    else:
        shipped = compare(work, settings, values, TunedEngine().untuned(values), fresh)
        print(f"{tr('against the shipped weights')}{tr(': ')}{comparison_text(shipped)}")
        first = genetic.version(genetic.THESIS_BEFORE)
    before = compare(work, settings, values, first, fresh)
    print(f"{tr(FIRST_VALUES)}{tr(': ')}{comparison_text(before)}")


def comparison_text(found: Estimate) -> str:
    """What the games prove, and how many there were."""
    if LANGUAGE.get() != "zh":
        return f"{estimate_text(found)}, {games_text(found)}"
    proved = estimate_text(found).replace(", normalised", "，归一化").replace(", LOS", "，LOS")
    return f"{proved}，{found.games} 局，得分率 {found.score:.1%}"


def line(name: str, cells: Iterable[object], tail: str = "") -> str:
    """A line of a table: its name, then cells of nine columns."""
    shown = [tr(str(cell)) for cell in cells]
    return pad(tr(name), 20) + "".join(" " * (9 - width(cell)) + cell for cell in shown) + tail


def show_tournament(rows: list[genetic.Row]) -> None:
    """As table 5.4: the best of each generation, and the partner."""
    print(line("best of generation", (row.name for row in rows)))
    for name in ("wins", "losses", "draws", "points"):
        print(line(name, (getattr(row, name) for row in rows)))
    if len(rows) == len(genetic.THESIS_POINTS):
        print(line("thesis, table 5.4", genetic.THESIS_POINTS))


def show_values(best: tuple[int, ...]) -> None:
    """Beside tables 5.2 and 5.5 of the thesis and the shipped values, also in hundredths of a rook."""
    shipped = array("h", shipped_weights())
    columns: list[tuple[str, tuple[int, ...]]] = [
        ("thesis, before", genetic.THESIS_BEFORE),
        ("thesis, after", genetic.THESIS_AFTER),
        ("this run", best),
    ]
    for phase, title in (("mg", "shipped, middle"), ("eg", "shipped, end")):
        indices = [weight_indices()[f"{phase}.material[{kind}]"] for kind in genetic.PIECES.values()]
        columns.append((title, tuple(shipped[index] for index in indices)))
    print(line("piece values", genetic.PIECES, f"   {tr('in hundredths of a rook')}"))
    for title, values in columns:
        rook = values[list(genetic.PIECES).index("rook")] or 1
        shares = "".join(f"{100 * value / rook:5.0f}" for value in values)
        print(line(title, values, f"  {shares}"))


def plot(history: list[genetic.Generation], rows: list[genetic.Row], path: str) -> None:
    """Draw the piece values of the best individual of each generation, and points as in figure 5.7."""
    use_chinese_fonts()
    drawn = figure(14, 6)
    axes, figure_5_7 = drawn.subplots(1, 2)
    numbers = [found.number for found in history]
    for index, name in enumerate(genetic.PIECES):
        axes.plot(numbers, [found.best[index] for found in history], label=tr(name))
    axes.set(xlabel=tr("generation"), ylabel=tr("value in the best individual"))
    axes.legend()
    axes.grid(alpha=0.3)
    *players, sparring = rows
    figure_5_7.plot(
        [int(row.name) for row in players], [row.points for row in players], "o-", label=tr("points")
    )
    figure_5_7.axhline(sparring.points, linestyle=":", label=tr(sparring.name))
    figure_5_7.set(
        xlabel=tr("best of generation"),
        ylabel=tr("points in the last tournament"),
        title=tr("Figure 5.7"),
    )
    figure_5_7.legend()
    figure_5_7.grid(alpha=0.3)
    tuning_runs.save_plot(drawn, path)
