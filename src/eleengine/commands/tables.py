"""Make endgame tables, list and check them, and look positions up.

A table holds the result and the length of all positions with the same pieces. Its name lists the pieces of
both sides without the kings, the side with more to attack with first: RN-AABB. Tables lie in the folder of
--folder, of the environment variable ELEENGINE_TABLES, or in the user's own folder of data.
"""

import argparse
import time
from typing import Any

from .._core import EndgameTable, EndgameTables, cpu_count, draws_are_certain, normal_table_name, table_name
from .._internal.live import Progress
from ..board import Board
from ..tables import SETS, MissingTableError, TableError, Tables, open_tables, plan, size_of
from ..tables.file import LAYERS
from ..tables.posts import SAMPLE, verdict
from ..tables.words import late_text, result_text
from . import CommandError, add_number, input_errors
from .shared.arguments import NO_TABLES, add_position, read_board
from .shared.writing import MoveWriter, add_notation

MAX_THREADS = 1024
SIDES = ("red", "black")
Perpetual = tuple[tuple[int, str], tuple[int, str]]  # of red and black: how many draws, and one of them


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="tables_command", metavar="COMMAND", required=True)

    make = add(commands, "make", "make tables, and those that captures lead to; what is there is left alone")
    add_names(make)
    add_number(make, "--threads", 1, MAX_THREADS, metavar="T", help="default: one for each processor")
    text = "refuse a table whose making takes more"
    add_number(make, "--memory", 1, 1 << 20, default=4096, metavar="MIB", help=text)
    make.add_argument("--dry-run", action="store_true", help="only list what would be made, with sizes")
    make.set_defaults(run_tables=run_make)

    listed = add(commands, "list", "list the tables that are there, or all of a set")
    add_names(listed)
    listed.set_defaults(run_tables=run_list)

    check = add(commands, "check", "check the files, and values against those of all moves")
    add_names(check)
    check.add_argument(
        "--values", action="store_true", help="compare each value with what all legal moves lead to (slow)"
    )
    check.add_argument(
        "--repetition",
        action="store_true",
        help="count the draws that rest on checks, attacks or mate threats without end (slow)",
    )
    check.set_defaults(run_tables=run_check)

    probe = add(commands, "probe", "show who wins a position, in how many plies, and the same for each move")
    add_position(probe)
    add_notation(probe)
    probe.set_defaults(run_tables=run_probe)

    stats = add(
        commands,
        "stats",
        "show how an ending stands from normal posts and over all placings, and its longest win",
    )
    add_names(stats)
    stats.set_defaults(run_tables=run_stats)


def add(commands: Any, name: str, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name, help=text, description=f"{text[0].upper()}{text[1:]}."
    )
    parser.add_argument("--folder", metavar="DIR", help="the folder of the tables")
    return parser


def add_names(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as RN-AABB, R-, CA-AA")
    text = (
        "1: one attacker against guards, 2: two attackers, 3: one attacker on each side, 4: one "
        "attacker with own guards against guards, 5: two attackers against one"
    )
    add_number(parser, "--set", 1, max(SETS), action="append", default=[], help=text)


def run(args: argparse.Namespace) -> int:
    tables = open_tables(args.folder)
    with input_errors(TableError, MissingTableError, MemoryError, OverflowError):
        status: int = args.run_tables(args, tables)
    return status


def names_of(args: argparse.Namespace, tables: Tables) -> list[str]:
    """Return the tables that are named, those of the sets, or all that are there; CommandError for none."""
    names = []
    for name in args.names:
        with input_errors():
            size_of(name)
            names.append(normal_table_name(name))
    for number in args.set:
        names += SETS[number]
    if not (args.names or args.set or (names := tables.names())):
        raise CommandError(NO_TABLES.format(tables.folder))
    return list(dict.fromkeys(names))


def size_text(size: float) -> str:
    """Return a size of memory or a file with its unit."""
    for unit in ("B", "KiB", "MiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if size >= 10 or unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} GiB"


def file_sizes(tables: Tables, name: str) -> str:
    """Return the size of the results, and of the distances that are there."""
    sizes = [
        path.stat().st_size
        for path in (tables.path(name, layer) for layer in range(len(LAYERS)))
        if path.is_file()
    ]
    return " + ".join([size_text(sizes[0]), *([size_text(sum(sizes[1:]))] if sizes[1:] else [])])


def is_there(tables: Tables, name: str) -> bool:
    """Whether a table has files whose heads are whole and of this version."""
    try:
        for layer in range(len(LAYERS)):
            tables.file(name, layer)
    except (MissingTableError, TableError):
        return False
    return True


def run_make(args: argparse.Namespace, tables: Tables) -> int:
    if not args.names and not args.set:
        raise CommandError("name a table to make, such as RN-AABB, or a set: --set 1")
    names = [name for name in plan(names_of(args, tables)) if not is_there(tables, name)]
    sizes = {name: size_of(name) for name in names}
    too_large = [name for name in names if sizes[name].solving > args.memory << 20]
    if too_large:
        need = size_text(max(sizes[name].solving for name in too_large))
        raise CommandError(
            f"{', '.join(too_large)}: takes {need} of memory, --memory allows {args.memory} MiB"
        )
    print(
        f"{len(names)} tables to make in {tables.folder}: at most "
        f"{size_text(sum(size.values for size in sizes.values()) / 4)} of files, "
        f"{size_text(max((size.solving for size in sizes.values()), default=0))} of memory at most",
        flush=True,
    )
    if args.dry_run:
        for name in names:
            print(f"{name:<12} {size_text(sizes[name].values / 4):>9} {size_text(sizes[name].solving):>9}")
        return 0
    threads = args.threads or cpu_count()
    everything = sum(size.values for size in sizes.values())
    start = time.perf_counter()
    done = 0
    for number, name in enumerate(names, 1):
        begun = time.perf_counter()
        with Progress(f"{number}/{len(names)} {name}") as progress:

            def show(plies: int, found: int, progress: Progress = progress, done: int = done) -> None:
                rest = (time.perf_counter() - start) * (everything - done) / max(done, 1)
                left = f", {rest:.0f} s left" if done > everything // 100 else ""
                progress.tell(lambda _: f"ply {plies}, {found:,} decided{left}")

            facts = tables.make(name, threads=threads, progress=show)
        done += sizes[name].values
        print(
            f"{name:<12} {summary(facts)}, {file_sizes(tables, name)}, {time.perf_counter() - begun:.1f} s",
            flush=True,
        )
    return 0


def share(count: int, total: int) -> str:
    """Return a share in percent that is 0 or 100 only if it is none or all."""
    percent = 100 * count / total if total else 0.0
    if 0 < percent < 0.01:
        return "<0.01 %"
    if percent > 99.99 and count < total:
        return ">99.99 %"
    return f"{percent:.2f} %" if count and count < total else f"{percent:.0f} %"


def summary(facts: dict[str, Any]) -> str:
    """Return one line on a table: how often Red to move wins and loses, and the longest win."""
    red = facts["red"]
    total = red["won"] + red["drawn"] + red["lost"]
    text = f"red to move wins {share(red['won'], total)}"
    if red["lost"]:
        text += f", loses {share(red['lost'], total)}"
    return text + (f", longest win {red['longest']} plies" if "longest" in red else "")


def run_list(args: argparse.Namespace, tables: Tables) -> int:
    names = names_of(args, tables)
    there = set(tables.names())
    wrong = 0
    for name in names:
        if name not in there:
            size = size_of(name)
            print(f"{name:<12} {'-':>19}  not there; making it takes {size_text(size.solving)} of memory")
            continue
        try:
            file = tables.file(name)
        except TableError as error:
            print(f"{name:<12} {'-':>19}  wrong: {error}")
            wrong += 1
        else:
            print(f"{name:<12} {file_sizes(tables, name):>19}  {summary(file.facts)}")
    return 1 if wrong else 0


def run_check(args: argparse.Namespace, tables: Tables) -> int:
    wrong = 0
    names = names_of(args, tables)
    known: dict[str, tuple[EndgameTable, Perpetual]] = {}
    for number, name in enumerate(names, 1):
        with Progress(name) as progress:
            try:
                checked = check_table(tables, name, args.values, known if args.repetition else None, progress)
            except (TableError, MissingTableError) as error:
                print(f"{name:<12} wrong: {error}", flush=True)
                wrong += 1
                continue
        print(f"{name:<12} whole{checked}", flush=True)
        for done in known.keys() - plan(names[number:]):
            del known[done]
    print(f"tables {len(names)}, wrong {wrong}")
    return 1 if wrong else 0


def check_table(
    tables: Tables,
    name: str,
    values: bool,
    known: dict[str, tuple[EndgameTable, Perpetual]] | None,
    progress: Progress,
) -> str:
    """Check one table and return what was found about it; TableError if something is wrong.

    known: the tables whose perpetual draws have been counted; None if they are not asked for.
    """
    file = tables.file(name)
    for layer in range(len(LAYERS)):
        tables.file(name, layer).check(lambda done, total: progress.tell(lambda _: f"block {done}/{total}"))
    found = ""
    if values:
        found += f", {check_values(tables, name, progress):,} positions agree with their moves"
    if known is not None:
        counts = perpetual_draws(tables, name, known, progress)
        draws = sum(file.facts[side]["drawn"] for side in SIDES)
        found += f", {draws:,} draws, held only by checks, attacks or threats without end: "
        found += ", ".join(f"{count:,} by {side}" for side, (count, _) in zip(SIDES, counts, strict=True))
        found += "".join(f"\n  {side}: {fen}" for side, (_, fen) in zip(SIDES, counts, strict=True) if fen)
    return found


def check_values(tables: Tables, name: str, progress: Progress) -> int:
    """Compare each value with what the legal moves lead to; return how many. TableError for a wrong one."""
    loaded = tables.load(plan([name]))
    file = tables.file(name)
    table = loaded[name]
    rows = table.entries // 90
    positions = 0
    for first in range(0, rows, 1000):
        checked, fen = table.verify(loaded, first, min(first + 1000, rows))
        positions += checked
        if fen:
            raise file.error(f"its moves do not lead to the value of {fen}")
        progress.tell(lambda _, first=first: f"row {first}/{rows}")  # type: ignore[misc]
    return positions


def perpetual_draws(
    tables: Tables, name: str, known: dict[str, tuple[EndgameTable, Perpetual]], progress: Progress
) -> Perpetual:
    """Return how many draws each side holds only by perpetual moves; what is found goes into `known`."""
    loaded = EndgameTables()
    for each in plan([name]):
        if each in known:
            loaded.add(known[each][0])
            continue
        table = tables.load([each])[each]
        loaded.add(table)
        found = table.find_perpetual(
            loaded,
            threads=cpu_count(),
            progress=lambda side, count, each=each: progress.tell(  # type: ignore[misc]
                lambda _: f"{each}: {count:,} by {SIDES[side]}"
            ),
        )
        known[each] = table, found
    return known[name][1]


def run_probe(args: argparse.Namespace, tables: Tables) -> int:
    board, writer = read_board(args), MoveWriter(args)
    with input_errors():
        result, plies, first = (
            tables.probe_wdl(board),
            abs(tables.probe_dtm(board)),
            abs(tables.probe_dtc(board)),
        )
        converted = f", a capture within {first}" if first < plies else ""
        known = result_text(result, plies, draws_are_certain(table_name(board)))
        print(known + converted + late_text(tables, board))
        moves = tables.probe_moves(board)
    for move, result, value in moves:
        written = writer.both(board, move)
        board.push(move)
        print(f"{written}  {result_text(result, value, draws_are_certain(table_name(board)))}")
        board.pop()
    return 0


def run_stats(args: argparse.Namespace, tables: Tables) -> int:
    for name in names_of(args, tables):
        facts = tables.file(name).facts
        print(name)
        print(f"  from normal posts, red to move: {verdict(tables, name)} (of {SAMPLE:,} positions)")
        print("  of all placings:")
        for side in SIDES:
            counts = facts[side]
            total = counts["won"] + counts["drawn"] + counts["lost"]
            print(
                f"  {side:<5} to move: {total:,} positions, won {share(counts['won'], total)}, "
                f"drawn {share(counts['drawn'], total)}, lost {share(counts['lost'], total)}"
            )
            if "longest" in counts:
                board = Board(counts["fen"])
                print(f"  longest win of {side}: {counts['longest']} plies, {counts['fen']}")
                try:
                    line = " ".join(str(move) for move in tables.line(board))
                    print(f"    {line}")
                except MissingTableError as error:
                    print(f"    its line needs more tables: {error}")
        if not draws_are_certain(name):
            print("  Draws leave the rules of repetition aside: both sides can check and chase. How many may")
            print(f"  depend on the rules: eleengine tables check --repetition {name}")
    return 0
