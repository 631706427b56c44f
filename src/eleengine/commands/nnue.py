"""Make networks out of games, check them, look into them, and let them play each other."""

from __future__ import annotations

import argparse
import json
import os
import time
from contextlib import closing
from dataclasses import asdict
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from .._core import Context, Network
from .._internal.files import read_file, write_whole
from .._internal.live import Progress
from .._internal.processors import usable_processors
from ..jobs.identity import engine_identity
from ..lab.data.datagen import MAX_GAMES, DatagenCount, DatagenPlan, generate
from ..lab.match.outputs import estimate_text, games_text
from ..lab.match.stats import estimate
from ..lab.network.checks import check
from ..lab.network.export import write_array, write_text
from ..lab.network.make import Recipe, find_games, make, read_recipe
from ..lab.network.report import found_lines, plot, report
from ..lab.network.samples import collect
from ..lab.network.training import CHECKPOINTS, RANGES, TrainingRun, TrainingSettings
from ..lab.tune.games import Games, MatchSettings, chunked, count_pairs, play, random_openings
from ..network import CLASSICAL, INTERNAL, choose
from . import CommandError, add_number, goes_with, input_errors, need, real_number, whole_number
from .shared.arguments import add_network, read_context
from .shared.outputs import add_file, add_force, check_files, check_output, check_report, named_file
from .shared.tuning_runs import ProgressLog, add_journal, add_processes, open_run

GAMES_FILE = "games.games"
NETWORK_FILE = "network.nnue"
MANIFEST = "manifest.json"
CHECKPOINT = "checkpoint"
REPORT_FILES = ("report.txt", "training.png")
PAIRS_AT_ONCE = 8  # of games, that a process plays between two looks at the results


SETTINGS = {  # options, in the words of nnue-pytorch, and help of TrainingSettings
    "hidden": ("--hidden", "neurons of each perspective"),
    "passes": ("--epochs", "passes over the positions"),
    "batch": ("--batch-size", "positions of a step"),
    "rate": ("--lr", "highest learning rate"),
    "mix": ("--lambda", "share of the search's score in the target, 0 to 1, beside the result"),
    "decay": ("--weight-decay", "of the rows and their biases"),
    "unit_cp": ("--scale", "centipawns of an output of 1"),
    "seed": ("--seed", "of the first numbers and the order of positions"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    jobs = parser.add_subparsers(dest="job", required=True, metavar="JOB")

    whole = jobs.add_parser("make", help="from games to a network file, checked and reported, in one folder")
    whole.add_argument("folder", metavar="FOLDER", help="made, or gone on with if it exists")
    whole.add_argument("--games", nargs="+", default=[], metavar="FILE", help="files of games to use")
    add_number(
        whole, "--positions", 1, 10**10, help="play games until a file of the folder has N usable positions"
    )
    add_number(whole, "--nodes", 1, 10**9, default=1500, help="of their searches")
    add_number(whole, "--game-seed", 0, 2**24 - 1, default=0, help="of their openings")
    whole.add_argument(
        "--from-manifest",
        metavar="FILE",
        help=f"make the network again that this file is of: its own file, its {MANIFEST} or {INTERNAL}; "
        "its games are looked for in the folder and beside those of --games",
    )
    add_network(whole)
    goes_with(whole, "--positions", "--nodes", "--game-seed", "--network")
    add_settings(whole)

    fit = jobs.add_parser("train", help="fit a network to files of games")
    fit.add_argument("games", nargs="+", metavar="GAMES")
    fit.add_argument("--out", type=named_file, required=True, metavar="FILE", help="network file to write")
    add_file(fit, "--checkpoint", help="written now and then; gone on with if it exists")
    fit.add_argument("--report", metavar="FOLDER", help="write report.txt and training.png there")
    add_force(fit)
    add_settings(fit)

    export = jobs.add_parser("export", help="write the positions of games for training elsewhere")
    export.add_argument("games", nargs="+", metavar="GAMES")
    add_file(export, "out", metavar="OUT", help="a NumPy array if the name ends in .npy, otherwise text")
    add_first_ply(export)

    test = jobs.add_parser(
        "check", help="read a network file, and test its symmetries and the worth of pieces"
    )
    test.add_argument("network", metavar="FILE", help=f"or {INTERNAL}")
    add_number(test, "--positions", 1, 10**6, default=500)

    show = jobs.add_parser("show", help="show digest, size and how a network was made")
    show.add_argument("network", metavar="FILE", help=f"or {INTERNAL}")
    show.add_argument("--json", action="store_true", help="only what the file tells of its making")

    compare = jobs.add_parser("compare", help="let two networks play each other at equal nodes")
    compare.add_argument("first", metavar="FILE", help=f"or {INTERNAL}, {CLASSICAL}")
    compare.add_argument("second", metavar="FILE")
    add_number(compare, "--pairs", 1, 10**6, default=100, help="of games")
    add_number(compare, "--nodes", 1, 10**9, default=5000, help="a move")
    add_number(compare, "--seed", 0, 10**9, default=1, help="of openings")
    add_processes(compare)
    add_journal(compare)
    compare.set_defaults(cluster=None)  # its machines may have other networks under these names


def add_settings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("training", "equal games and settings make equal networks")
    for name, default in asdict(TrainingSettings()).items():
        low, high = RANGES[name]
        group.add_argument(
            SETTINGS[name][0],
            dest=name,
            type=whole_number(int(low), int(high)) if type(default) is int else real_number(low, high),
            default=default,
            metavar="X",
            help=f"{SETTINGS[name][1]} (%(default)s)",
        )
    add_first_ply(group)
    group.add_argument(
        "--start", metavar="FILE", help=f"network to begin with instead of random numbers, or {INTERNAL}"
    )
    parser.add_argument(
        "--license",
        default="",
        metavar="TEXT",
        help="of the network, by its author: without it one made from games of others has none",
    )
    add_number(parser, "--threads", 1, 256, metavar="T", help="default: all processors")


def add_first_ply(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    add_number(parser, "--first-ply", 0, 10**6, default=0, help="of a game to use")


def run(args: argparse.Namespace) -> int:
    jobs = {
        "make": run_make,
        "train": run_train,
        "export": run_export,
        "check": run_check,
        "show": run_show,
        "compare": run_compare,
    }
    with input_errors():
        return jobs[args.job](args)


def read_settings(args: argparse.Namespace) -> TrainingSettings:
    return TrainingSettings(**{name: getattr(args, name) for name in asdict(TrainingSettings())})


def read_start(args: argparse.Namespace) -> Network | None:
    return read(args.start) if args.start else None


def read(name: str) -> Network:
    network = choose(name)
    if network is None:
        raise CommandError(f"{CLASSICAL} is no network")
    return network


def run_make(args: argparse.Namespace) -> int:
    folder = Path(args.folder)
    folder.mkdir(parents=True, exist_ok=True)
    games, wanted, recipe = list(args.games), None, None
    written = [NETWORK_FILE, MANIFEST, *REPORT_FILES, *([GAMES_FILE] if args.positions else [])]
    check_files(args, *(folder / name for name in written))
    settings, first_ply = read_settings(args), args.first_ply
    start = read_start(args)
    if args.from_manifest:
        if args.license:
            raise CommandError("the licence of a network that is made again is that of its manifest")
        if (settings, first_ply, args.positions) != (TrainingSettings(), 0, None):
            raise CommandError("--from-manifest: it says which games and settings a network is made of")
        data = read(INTERNAL).file if args.from_manifest == INTERNAL else read_file(args.from_manifest)
        with input_errors(where=f"{args.from_manifest}: "):
            recipe, wanted = read_recipe(data)
            games = find_games(recipe, [str(folder), *{os.path.dirname(path) or "." for path in games}])
        if recipe.start != (start.digest if start is not None else None):
            began = (
                f"with the network {recipe.start}: name its file with --start"
                if recipe.start
                else "with random numbers: leave out --start"
            )
            raise CommandError(f"{args.from_manifest}: its training began {began}")
        settings, first_ply = recipe.settings, recipe.first_ply
    elif args.positions:
        games.append(str(play_games(args, folder / GAMES_FILE)))
    if not games:
        raise CommandError("there are no games: name files with --games, or say --positions")
    network = train_and_write(
        args,
        games,
        settings,
        first_ply,
        folder / NETWORK_FILE,
        str(folder / CHECKPOINT),
        folder,
        again=recipe,
        start=start,
    )
    write_whole(folder / MANIFEST, f"{network.text}\n".encode())
    if wanted is not None and network.digest != wanted:
        print(f"wrong: another network than {wanted}")
        return 1
    if wanted is not None:
        print("the same network")
    return 0


def play_games(args: argparse.Namespace, path: Path) -> Path:
    """The file of games of the folder, with as many usable positions as are wanted."""
    plan = DatagenPlan(args.game_seed, limits={"nodes": args.nodes}, context=read_context(args))
    there = 0
    if path.exists():
        with closing(collect([str(path)], folder=str(path.parent))) as sets:
            there = sum(map(len, sets))

    def show(count: DatagenCount) -> bool:
        found = there + count.settled
        progress.tell(lambda spent: progress_line(found, count.settled / spent))
        return bool(found < args.positions)

    def progress_line(found: int, speed: float) -> str:
        line = f"{found:,} of {args.positions:,} positions played"
        left = max(0, args.positions - found)
        return f"{line}, {speed:,.0f} positions/s, {left / speed:.0f} s left" if speed else line

    if there < args.positions:
        with Progress() as progress:
            generate(str(path), plan, MAX_GAMES, threads=args.threads or usable_processors(), show=show)
    return path


def run_train(args: argparse.Namespace) -> int:
    report_folder = Path(args.report) if args.report else None
    check_output(args.out, force=args.force)
    if report_folder is not None:
        check_report(report_folder, REPORT_FILES, force=args.force)
    train_and_write(
        args,
        args.games,
        read_settings(args),
        args.first_ply,
        Path(args.out),
        args.checkpoint,
        report_folder,
        start=read_start(args),
    )
    return 0


def run_export(args: argparse.Namespace) -> int:
    array = args.out.endswith(".npy")
    if array:
        need("numpy", extra="lab", what="an array")
    with Progress() as progress:
        folder = os.path.dirname(args.out) or "."
        with closing(
            collect(
                args.games,
                first_ply=args.first_ply,
                folder=folder,
                show=lambda n, samples: progress.tell(lambda _: f"{n:,} games, {samples:,} positions"),
            )
        ) as sets:
            write = write_array if array else write_text
            total = sum(map(len, sets))
            write(args.out, sets, lambda n: progress.tell(lambda _: f"{n:,} of {total:,} positions written"))
            print(f"{total:,} positions, {len(sets.held_out):,} of them held out")
    return 0


def train_and_write(
    args: argparse.Namespace,
    games: list[str],
    settings: TrainingSettings,
    first_ply: int,
    out: Path,
    checkpoint: str | None,
    folder: Path | None,
    again: Recipe | None = None,
    start: Network | None = None,
) -> Network:
    """Train, write the file, check it and report."""
    plots = folder is not None and find_spec("matplotlib") is not None
    begun = time.monotonic()

    first: tuple[int, float] | None = None  # the first step of this process, and when it was done

    def speed(step: int) -> tuple[float, float]:
        """Steps of this process, and seconds for them."""
        assert first is not None
        return step - first[0], time.monotonic() - first[1]

    def show_run(run: TrainingRun, step: int) -> None:
        nonlocal first
        first = first or (step, time.monotonic())
        progress.tell(lambda _: progress_line(run, step))

    def progress_line(run: TrainingRun, step: int) -> str:
        superbatch = (step - 1) * CHECKPOINTS // run.steps + 1
        parts = [f"superbatch {superbatch} of {CHECKPOINTS}", f"step {step:,} of {run.steps:,}"]
        if run.curve:
            parts.append(f"loss {run.curve[-1].loss:.5f}")
        steps, seconds = speed(step)
        if steps and seconds:
            parts.append(f"{steps * settings.batch / seconds:,.0f} positions/s")
            parts.append(f"{seconds / steps * (run.steps - step):.0f} s left")
        return ", ".join(parts)

    with Progress() as progress:
        data, found = make(
            games,
            settings,
            first_ply=first_ply,
            again=again,
            start=start,
            license=args.license,
            threads=args.threads or usable_processors(),
            checkpoint=checkpoint,
            folder=str(out.parent),
            show_samples=lambda n, samples: progress.tell(lambda _: f"{n:,} games, {samples:,} positions"),
            show_run=show_run,
        )
        steps, seconds = speed(found.steps) if first else (0, 0.0)
    network = Network(data)
    write_whole(out, data)
    findings = check(network)
    text = report(found, network, findings)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / REPORT_FILES[0], text.encode())
        if plots:
            plot(found, findings, str(folder / REPORT_FILES[1]))
    print(text, end="")
    trained = f", trained with {steps * settings.batch / seconds:,.0f} positions/s" if steps else ""
    print(f"{time.monotonic() - begun:.0f} s{trained}; written to {out}")
    return network


def run_check(args: argparse.Namespace) -> int:
    findings = check(read(args.network), args.positions)
    print("\n".join(found_lines(findings)))
    return 1 if findings.fault else 0


def run_show(args: argparse.Namespace) -> int:
    network = read(args.network)
    if args.json:
        print(network.text)
        return 0
    print(f"digest  {network.digest}")
    print(f"bytes   {len(network.file):,}")
    print(f"hidden  {network.hidden}")
    try:
        print(json.dumps(json.loads(network.text), indent=1, ensure_ascii=False))
    except ValueError:
        print(network.text)
    return 0


def run_compare(args: argparse.Namespace) -> int:
    engines = [engine_identity(Context(network=choose(name))) for name in (args.first, args.second)]
    settings = MatchSettings(nodes=args.nodes)
    openings = random_openings(args.pairs, seed=args.seed)
    first = ["name=first", f"option.network={args.first}"]
    second = ["name=second", f"option.network={args.second}"]
    jobs = [settings.job(first, second, [opening]) for opening in openings]
    plan = {
        "run": "eleengine nnue compare 1",
        "engines": engines,
        "contest": settings.__dict__,
        "openings": openings,
    }
    games: Games = []
    news = ProgressLog()
    with open_run(args, plan) as work:
        for some in chunked(jobs, PAIRS_AT_ONCE * args.workers):
            games += [pair for found in work.results(play, some) for pair in found]
            news.show(partial(_standing, games, args.pairs))
    found = estimate(count_pairs(games))
    print(f"{found.games} games at {args.nodes} nodes a move, pairs {count_pairs(games)}")
    print(f"Elo {found.elo:+.0f} [{found.low:+.0f}, {found.high:+.0f}]")
    return 0


def _standing(games: Games, wanted: int) -> str:
    found = estimate(count_pairs(games))
    return f"{len(games)} of {wanted} pairs: {estimate_text(found)}, {games_text(found)}"
