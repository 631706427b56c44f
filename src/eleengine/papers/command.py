"""Repeat the experiments of the papers that the engine started from, and play against their programs.

An experiment prints our numbers beside the published ones; docs/papers.md explains all of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TextIO

from .._core import openmp_enabled
from .._internal.files import plain_file
from .._internal.live import Progress
from ..commands import CommandError, add_number, argument_type, input_errors, need, play, whole_number
from ..commands.shared.arguments import add_seconds, seconds
from ..commands.shared.outputs import add_file, add_force, check_output, named_file
from ..commands.shared.play_words import language_of_player
from ..commands.shared.writing import can_show
from ..engines.engine_options import EngineOption
from ..lab.match.spec import WORDS
from ..ucci import serve
from . import PROGRAMS, experiments, games, genetic_command, published, report, settings
from .help_zh import translate
from .language import LANGUAGE, LANGUAGES, chinese, tr
from .programs import ENGINE_THESIS, HELP, OPTIONS, SIX_VALUES, THESIS, read, write
from .ucci import conversation

EXPERIMENTS = {
    "strategies": "nine algorithms: tables 4.1 and 4.2 of Zou's thesis",
    "speedup": "PV-split on several threads: tables 4.3 and 4.4, figures 4.5 to 4.9",
    "ordering": "orders of moves: tables 2-5 and 2-6 of the engine thesis",
    "sizes": "tables of 1 to 64 MiB: what doubling them does (Zou's thesis, 2.2.4)",
    "entries": "entries with and without a lock, two layers, leaves stored or not",
    "splits": "ways to share the tree on 1 to 16 processors, simulated (Zou's thesis, 2.3; the articles)",
    "table": "alpha-beta with and without a transposition table: Li's article",
}
GAMES = {"games": games.games, "middlegames": games.middlegames, "endings": games.endings, "elo": games.parts}
DEPTHS = {"strategies": 6, "speedup": 9, "ordering": 6, "table": 5, "sizes": 7, "entries": 6, "splits": 6}


def numbers(text: str) -> list[int]:
    """A type for argparse: numbers and ranges of numbers, 1 to 256.

    >>> numbers("1,4-6")
    [1, 4, 5, 6]
    """
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not (
            (first + last).isascii()
            and first.isdecimal()
            and (last or first).isdecimal()
            and 1 <= int(first) <= int(last or first) <= 256
        ):
            raise argparse.ArgumentTypeError(f"must be numbers such as 1,4-6, not {text[:40]!r}")
        found += range(int(first), int(last or first) + 1)
    return list(dict.fromkeys(found))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the jobs of `eleengine papers` and their options."""
    jobs = parser.add_subparsers(dest="experiment", required=True, metavar="JOB")
    for name, text in EXPERIMENTS.items():
        job = jobs.add_parser(name, help=text)
        add_experiment(job, name)
    job = jobs.add_parser("play", help="play against a thesis's program in the terminal")
    add_program(job)
    play.add_arguments(job)
    job = jobs.add_parser(
        "games", help="a program against an engine by depth: table 4-3 of the engine thesis"
    )
    add_games(job, program=ENGINE_THESIS.name, pairs=2)
    job.add_argument("--depths", type=numbers, default=[4, 5, 6, 7], metavar="LIST", help="(default: 4-7)")
    limit = job.add_mutually_exclusive_group()
    add_seconds(limit, "--time", default=20.0, help="of the program for a move (20)")
    add_number(limit, "--nodes", 1, 10**12, help="of the program instead")
    add_opponent(job)
    for name, text in (("middlegames", "table 3-1"), ("endings", "tables 4-1 and 4-2")):
        job = jobs.add_parser(name, help=f"what a program plays in them: {text} of the engine thesis")
        job.add_argument("--program", choices=PROGRAMS, default=ENGINE_THESIS.name, help="(%(default)s)")
        limit = job.add_mutually_exclusive_group()
        limit.add_argument("--time", type=seconds, default=20.0, metavar="S", help="for a move (20)")
        add_number(limit, "--depth", 1, 20, help="plies a move instead")
        add_table(job)
        if name == "endings":
            add_opponent(job)
            add_number(job, "--max-plies", 1, 10**6, default=120, help="")
    job = jobs.add_parser("elo", help="what each part of a program is worth in games")
    add_games(job, program=THESIS.name, pairs=50)
    limit = job.add_mutually_exclusive_group()
    add_number(limit, "--nodes", 1, 10**12, default=20_000, help="a move")
    add_number(limit, "--depth", 1, 20, help="plies a move instead")
    job = jobs.add_parser(
        "genetic",
        help="tune the piece values by games, with the genetic algorithm of Zou's thesis",
        description=genetic_command.__doc__,
    )
    genetic_command.add_arguments(job)
    job = jobs.add_parser("engine", help="a thesis's program for a GUI: UCCI and UCI")
    add_program(job)
    add_number(job, "--hash", 1, 4096, default=64, metavar="MIB", help="")
    add_number(job, "--threads", 1, 64, default=1, help="")
    if language_of(None) == "zh":
        words = {f"words of a sparring partner:\n{WORDS}": chinese().words}
        translate(parser, chinese().help | words)


def add_opponent(parser: argparse.ArgumentParser) -> None:
    """Add `--opponent`, the words of an engine."""
    parser.add_argument(
        "--opponent",
        nargs="+",
        default=["name=eleengine"],
        metavar="WORD",
        help="as for match -e, such as cmd=eleeye depth=5 (default: this engine)",
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add `--language`."""
    parser.add_argument("--language", choices=LANGUAGES, help="of the tables (default: the user's)")


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add the options of what a job prints."""
    add_language(parser)
    add_file(parser, "--csv", help="write the rows of the table to the file")
    add_force(parser)


def add_games(parser: argparse.ArgumentParser, *, program: str, pairs: int) -> None:
    """Add the options of jobs that play games, with these defaults."""
    parser.add_argument("--program", choices=PROGRAMS, default=program, help="(%(default)s)")
    add_table(parser)
    number = whole_number(1, 10**6)
    parser.add_argument("--pairs", type=number, default=pairs, metavar="N", help="of games (%(default)s)")
    parser.add_argument("--concurrency", type=number, default=1, metavar="N", help="games at once")
    parser.add_argument("--seed", type=number, default=1, metavar="N", help="of the openings")
    parser.add_argument(
        "--max-plies", type=number, default=300, metavar="N", help="of a game, then drawn (%(default)s)"
    )


def add_program(parser: argparse.ArgumentParser) -> None:
    """Add an option for each part of a thesis's program."""
    parser.add_argument("--program", choices=PROGRAMS, default=THESIS.name, help="whose (%(default)s)")
    group = parser.add_argument_group("other than the program has it")
    for option in OPTIONS:
        group.add_argument(
            f"--{option.name.replace('_', '-')}",
            dest=f"option_{option.name}",
            type=option_type(option),
            metavar="false|true" if option.type == "check" else "|".join(option.choices) or "N",
            help=HELP[option.name],
        )


def add_parts(parser: argparse._ActionsContainer, *names: str) -> None:
    """Add some of these options, as they are for experiments, where a check needs no value."""
    for option in OPTIONS:
        if option.name in names:
            parser.add_argument(
                f"--{option.name.replace('_', '-')}",
                help=HELP[option.name],
                **(
                    {"action": argparse.BooleanOptionalAction}
                    if option.type == "check"
                    else {"type": option_type(option), "metavar": "|".join(option.choices) or "N"}
                ),
            )


def option_type(option: EngineOption) -> Callable[[str], Any]:
    """A type for argparse."""

    def convert(text: str) -> Any:
        if option.type == "string" and not text.strip():
            raise ValueError(f"{option.name} must be {SIX_VALUES}, not {text!r}")
        return read(option, text)

    return argument_type(convert)


def program_options(args: argparse.Namespace) -> dict[str, Any]:
    """What the arguments want other than the program has it."""
    found = {option.name: getattr(args, f"option_{option.name}") for option in OPTIONS}
    return {name: value for name, value in found.items() if value is not None}


def program_words(args: argparse.Namespace) -> list[str]:
    """The same as arguments of `papers engine`."""
    words = []
    for name, value in program_options(args).items():
        words += [f"--{name.replace('_', '-')}", write(value)]
    return words


def add_experiment(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the options of an experiment that searches."""
    add_number(parser, "--depth", 1, 20, default=DEPTHS[name], help="plies (default: %(default)s)")
    parser.add_argument(
        "--positions", type=numbers, metavar="LIST", help="which of the ten, such as 1,4-6 (default: all)"
    )
    add_number(parser, "--repeat", 1, 100, default=1, help="searches of each, whose median counts")
    add_number(
        parser, "--hash", 1, 65536, default=settings.hash_mib(name), metavar="MIB", help="size of a table"
    )
    parser.add_argument(
        "--settings",
        choices=("published", "own"),
        default="published",
        help="exactly the text's (the default), or those that search fewer leaves here; options below change "
        "either, and the tables say what is not as published",
    )
    if name == "ordering":
        parser.add_argument("--program", choices=PROGRAMS, help="whose settings (default: engine-thesis)")
    add_parts(parser, "entry", "alpha_killers", "alpha_moves", "evaluation", "grain")
    parser.add_argument(
        "--extensions", action="store_const", const="exchange", help="a ply more for checks and exchanges"
    )
    parser.add_argument("--only", metavar="NAME", nargs="+", help="rows to search (default: all)")
    parser.add_argument("--csv", type=named_file, metavar="FILE", help="write every search to the file")
    parser.add_argument(
        "--read", metavar="FILE", nargs="+", help="show what --csv wrote earlier, without searching"
    )
    add_language(parser)
    add_file(parser, "--plot", help="draw to a .png, .svg or .pdf file (needs matplotlib)")
    add_force(parser)
    if name not in ("speedup", "splits"):
        return
    threads = parser.add_argument_group("threads")
    threads.add_argument(
        "--threads",
        type=numbers,
        default=[1, 2, 4] if name == "speedup" else [1, 2, 4, 8, 16],
        metavar="LIST",
        help=f"thread counts (default: {'1,2,4' if name == 'speedup' else '1,2,4,8,16'})",
    )
    if name == "splits":
        return
    add_parts(threads, "algorithm", "split", "schedule", "aspiration", "regroup")
    threads.add_argument(
        "--virtual-time",
        action="store_const",
        const=True,
        help="simulate as many processors as threads: a visited node takes a microsecond, on any machine",
    )
    threads.add_argument(
        "--tables",
        choices=("own", "shared"),
        help="a table for each thread, which all read (the thesis; the default), or one for all",
    )
    threads.add_argument(
        "--order",
        choices=("all", "own"),
        help="whose history and killers order moves: all threads' (the thesis; the default) or its own",
    )


def run(args: argparse.Namespace) -> int:
    """Do the job and return the exit status."""
    if args.experiment == "engine":
        return run_engine(args)
    if args.experiment == "play":
        args.engine = args.engine or " ".join([args.program, *program_words(args)])
        return play.run(args)
    before = LANGUAGE.set(language_of(getattr(args, "language", None)))
    try:
        return genetic_command.run(args) if args.experiment == "genetic" else run_experiment(args)
    finally:
        LANGUAGE.reset(before)


def language_of(wanted: str | None) -> str:
    """The language to speak: the one that is wanted or the user's, if the output can show it."""
    language = wanted or ("zh" if language_of_player().startswith("zh") else "en")
    return language if can_show("chinese") else "en"


def run_experiment(args: argparse.Namespace) -> int:
    """Search or play, and report, in the language that is set."""
    if args.experiment in GAMES:
        if args.csv:
            check_output(args.csv, force=args.force)
        for line in GAMES[args.experiment](args):
            print(line, flush=True)
        return 0
    if args.plot:
        need("matplotlib", extra="plot", what="--plot")
    for path in filter(None, (args.csv, args.plot)):
        check_output(path, force=args.force)
    if args.read:
        runs, chosen = read_files(args)
    else:
        runs, chosen = search(args), chosen_settings(args)
    for line in settings.report(args.experiment, chosen):
        print(line)
    print()
    summary = experiments.ExperimentSummary(runs)
    for line in report.REPORTS[args.experiment](summary):
        print(line)
    if args.plot:
        with input_errors(OSError, ValueError, where=f"--plot {args.plot}: "):
            report.plot(args.experiment, summary, args.plot)
    return 0


def run_engine(args: argparse.Namespace) -> int:
    """The program behind stdin and stdout, until quit."""
    with input_errors():
        make = conversation(
            PROGRAMS[args.program], hash_mib=args.hash, threads=args.threads, options=program_options(args)
        )
    return serve(make)


def configurations(
    experiment: str, args: argparse.Namespace, threads: Iterable[int]
) -> dict[str, dict[str, Any]]:
    """The searches of the experiment by name."""
    if experiment == "splits":
        return published.split_searches(threads)
    if experiment == "speedup":
        return published.thread_searches(threads, virtual_time=bool(args.virtual_time))
    return published.SEARCHES[experiment]


def chosen_settings(args: argparse.Namespace) -> dict[str, Any]:
    """The settings of all rows: those of --settings, and the options that change them."""
    chosen = settings.published(args.experiment, getattr(args, "program", None) or "")
    if args.settings == "own":
        chosen |= settings.OWN
        if args.experiment == "speedup":
            chosen |= settings.OWN_THREADS
    given = {name: getattr(args, name, None) for name in settings.WORDS}
    if tables := getattr(args, "tables", None):
        given["shared_table"] = tables == "shared"
    if order := getattr(args, "order", None):
        given["own_order"] = order == "own"
    chosen |= {name: value for name, value in given.items() if value is not None}
    return {**chosen, "hash_mib": args.hash}


def search(args: argparse.Namespace) -> list[experiments.Iteration]:
    """Run the searches of an experiment; CommandError for threads in a build without OpenMP."""
    threads = args.threads if args.experiment in ("speedup", "splits") else ()
    if threads and not openmp_enabled() and max(threads) > 1:
        raise CommandError("this build has no OpenMP: there is one thread only")
    boards = experiments.middlegames() if args.experiment == "ordering" else experiments.openings()
    names = list(boards)
    chosen = args.positions or range(1, len(names) + 1)
    if max(chosen) > len(names):
        raise CommandError(f"--positions: there are 1 to {len(names)}, not {max(chosen)}")
    common = chosen_settings(args)
    configs = configurations(args.experiment, args, threads)
    if args.only:
        if args.experiment == "speedup":
            raise CommandError("--only: not for speedup, where --threads says what to search")
        rows = published.SPLITS if args.experiment == "splits" else configs
        if unknown := set(args.only) - set(rows):
            raise CommandError(f"--only: no {min(unknown)!r}; there are {', '.join(map(repr, rows))}")
        wanted = ways_chosen if args.experiment == "splits" else set.__contains__
        configs = {name: options for name, options in configs.items() if wanted(set(args.only), name)}
        partners = report.PARTNERS.get(args.experiment, [])
        if partners and not args.csv and not any(set(pair) <= set(configs) for pair in partners):
            raise CommandError("--only: one row alone makes no table; name its partner, or --csv to keep it")
    found = []
    origin = experiments.origin_of(common)
    if not getattr(args, "virtual_time", False):
        say_threads(args.experiment, threads, origin)
    with open_csv(args.csv) as file, Progress(args.experiment) as progress:
        writer = experiments.IterationWriter(file, origin) if file else None
        for one in experiments.search_all(
            {name: {**common, **options} for name, options in configs.items()},
            {names[i - 1]: boards[names[i - 1]] for i in chosen},
            args.depth,
            repeats=args.repeat,
            depths={published.MINIMAX: published.MINIMAX_DEPTH},
            tell=progress.show,
        ):
            found.append(one)
            if writer:
                writer.write(one)
    return found


def ways_chosen(only: set[str], name: str) -> bool:
    """Does --only want the search of a simulation? It names ways; one processor always counts."""
    way, _, processors = name.rpartition(", ")
    return way in only or processors == "1"


def open_csv(path: str | None) -> AbstractContextManager[TextIO | None]:
    """Open the file for rows; without a path the context gives None."""
    if path is None:
        return nullcontext()
    return open(path, "w", encoding="utf-8", newline="")


def say_threads(experiment: str, threads: Iterable[int], origin: experiments.Origin) -> None:
    """Say so if there are more threads than processors: their times are not those of that many processors."""
    if experiment == "speedup" and max(threads) > origin.processors:
        told = tr("{threads} threads on {processors} processors wait for each other: their times say little")
        print(told.format(threads=max(threads), processors=origin.processors), flush=True)


def read_files(args: argparse.Namespace) -> tuple[list[experiments.Iteration], dict[str, str]]:
    """What --csv wrote, and with which settings."""
    found: list[experiments.Iteration] = []
    origin = None
    for path in args.read:
        with (
            input_errors(where=f"{path}:"),
            open(plain_file(path), encoding="utf-8", newline="") as file,
        ):
            runs, origin = experiments.read_iterations(file, origin)
            found += runs
    threads = {one.threads for one in found}
    args.virtual_time = any(one.config.endswith(published.SIMULATED) for one in found)
    if unknown := {one.config for one in found} - set(configurations(args.experiment, args, threads)):
        raise CommandError(f"{args.read[0]}: not of the experiment {args.experiment}: {min(unknown)!r}")
    assert origin is not None  # a file without a line is an error
    if not args.virtual_time:
        say_threads(args.experiment, threads, origin)
    return found, dict(word.split("=", 1) for word in origin.options.split())
