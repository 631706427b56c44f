"""Play two engines against each other, and say what the result proves.

An engine is described by the words after -e, KEY=VALUE each: the engine of this program without a cmd=,
or any program that speaks UCCI or UCI. Every opening is played twice, with changed colours. The journal
makes a match that was interrupted go on: give the same command again. --queue plays several matches, one
after the other.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import platform
import shlex
import sys
from collections.abc import Callable, Iterator
from types import ModuleType

from .._core import STARTING_FEN
from .._internal.processors import usable_processors
from .._internal.system import cpu_name
from ..engines import EngineError, Limit, external
from ..jobs.executor import ClusterError, open_executor
from ..jobs.identity import Identity, varies
from ..lab.match.adjudication import Adjudication, tables_digest
from ..lab.match.folder import read_queue
from ..lab.match.game import COMMENTS
from ..lab.match.journal import MatchJournal
from ..lab.match.openings import read_openings
from ..lab.match.outputs import MatchDisplay, PgnFile
from ..lab.match.plan import MatchPlan
from ..lab.match.play import play_match
from ..lab.match.results import MatchResults
from ..lab.match.spec import WORDS, PlayerSpec, by_key, is_of_program, parse_clock
from ..lab.match.stats import MAX_ELO, MAX_ERROR, MIN_ERROR, Sprt
from ..records.pgn_writer import STYLES
from ..rules import NO_CAPTURE_LIMIT, RULE_SETS
from ..tables import TableError
from . import (
    CommandError,
    add_number,
    add_real,
    argument_type,
    check_given,
    check_words,
    goes_with,
    import_command,
    input_errors,
    real_number,
    reason,
    warn,
    whole_number,
)
from .shared.arguments import add_seconds, seconds
from .shared.fastchess_options import add_fastchess_options, engine_words
from .shared.outputs import add_file, check_files

PAIRS, SPRT_PAIRS = 100, 50_000  # by default


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--queue",
        metavar="FILE",
        help="play the matches of its lines, command lines with --journal each; more may be added meanwhile",
    )
    add_plan(parser)
    test = parser.add_argument_group("sequential test", "ends the match as soon as the result is clear")
    add_test(test, use="is the first engine ELO1 stronger (H1), or only ELO0 (H0)?")
    goes_with(parser, "--sprt", "--alpha", "--beta", "--model")
    add_run(parser)


def run(args: argparse.Namespace) -> int:
    if args.queue:
        return run_queue(args)
    if len(args.engine) != 2:
        raise CommandError(f"a match is between two engines, not {len(args.engine)}: use -e twice")
    return run_match(args, sprt=read_test(args))


def run_queue(args: argparse.Namespace) -> int:
    """Play the matches of a queue file in order: the worst exit status of them all.

    A line that cannot be played, such as a match that another machine is playing, is reported and left out.
    """
    if vars(args) != {**vars(parse_words(["match"])[1]), "queue": args.queue}:
        raise CommandError("--queue stands alone: its lines have the other options")
    worst, done = 0, set()
    with input_errors():
        # Read anew each time: lines may have been added.
        while line := next((line for line in read_queue(args.queue) if str(line.words) not in done), None):
            done.add(str(line.words))
            print(f"{line.place}: {shlex.join(line.words)}", flush=True)
            try:
                if line.journal is None:
                    raise CommandError(line.without_journal)
                try:
                    command, found = parse_words(line.words)
                except SystemExit:  # argparse has said what is wrong
                    worst = 2
                    continue
                found.command_line = shlex.join(["eleengine", *line.words])
                status: int = command.run(found)
            except (CommandError, OSError) as error:
                warn(reason(error))
                status = 2
            if status == 130:
                return status
            worst = max(worst, status)
    return worst


def parse_words(words: list[str]) -> tuple[ModuleType, argparse.Namespace]:
    """A command line of this program: the command, and its arguments as the shell would give them."""
    command = import_command(words[0])
    parser = argparse.ArgumentParser(prog=f"eleengine {words[0]}")
    command.add_arguments(parser)
    check_words(words)
    args = parser.parse_args(words[1:])
    check_given(args)
    check_files(args)
    return command, args


def margin(text: str) -> float:
    """A type for argparse: seconds, 0 included."""
    return 0.0 if text == "0" else seconds(text)


def add_test(parser: argparse.ArgumentParser | argparse._ArgumentGroup, *, use: str) -> None:
    """A sequential test. use: what the command does with it."""
    bound = max(MAX_ELO.values())
    add_real(parser, "--sprt", -bound, bound, nargs=2, metavar=("ELO0", "ELO1"), help=use)
    error = real_number(MIN_ERROR, MAX_ERROR)
    parser.add_argument("--alpha", type=error, default=0.05, help="chance to accept a false H1 (%(default)s)")
    parser.add_argument("--beta", type=error, default=0.05, help="chance to accept a false H0 (%(default)s)")
    parser.add_argument(
        "--model", choices=("logistic", "normalized"), default="logistic", help="what Elo means there"
    )


def read_test(args: argparse.Namespace) -> Sprt | None:
    """The sequential test of the arguments; CommandError says what is wrong with it."""
    if not args.sprt:
        return None
    elo0, elo1 = args.sprt
    test = Sprt(elo0, elo1, args.alpha, args.beta, args.model)
    with input_errors():
        test.check()
    return test


def add_plan(parser: argparse.ArgumentParser, *, tournament: bool = False) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = (
        f"words of an engine:\n{WORDS}\n\noptions of fastchess are understood, too: docs/fastchess.md"
    )
    add_fastchess_options(parser, tournament=tournament)
    parser.add_argument(
        "-e", "--engine", "-engine", nargs="+", action="append", default=[], metavar="WORD", help="see below"
    )
    parser.add_argument(
        "--each", "-each", nargs="+", default=[], metavar="WORD", help="words of all engines before their own"
    )
    parser.add_argument(
        "--openings",
        metavar="FILE",
        help="EPD or game records; openings is a file of the package (default: the start position)",
    )
    add_number(parser, "--plies", 0, 1000, help="take N moves of each game of records")
    add_number(parser, "--random-plies", 0, 100, default=4, help="moves at random after openings used again")
    text = f"of games, for each two engines (default: {PAIRS}, with --sprt at most {SPRT_PAIRS})"
    add_number(parser, "--pairs -rounds", 1, 10**7, help=text)
    parser.add_argument(
        "--order", choices=("shuffled", "file"), default="shuffled", help="of the openings (%(default)s)"
    )
    add_number(parser, "--first", 1, 10**9, default=1, help="opening to begin with (1)")
    add_number(parser, "--seed -srand", 0, 2**31, default=1, help="of the order of the openings")
    limits = parser.add_argument_group("limits", "of engines without one of their own")
    limits.add_argument(
        "--tc",
        type=argument_type(parse_clock),
        metavar="[MOVES/]BASE[+INC]",
        help="a clock: seconds, and for each move",
    )
    limits.add_argument("--time", type=seconds, metavar="S", help="seconds for each move")
    add_number(limits, "--nodes", 1, 10**15, help="positions for each move")
    add_number(limits, "--depth", 1, 100, help="plies for each move")
    limits.add_argument(
        "--margin", type=margin, default=0.1, metavar="S", help="that a move may be late (%(default)s s)"
    )
    add_seconds(limits, "--hang", default=600.0, help="for a program's move without a clock (%(default)g s)")
    text = "the bench of the machine that the times are for has NPS nodes/s: scale them to this one"
    add_number(limits, "--scale-to", 1, 10**12, metavar="NPS", help=text)
    rules = parser.add_argument_group("rules")
    rules.add_argument("--rules", choices=RULE_SETS, default="axf", help="of repetition (%(default)s)")
    text = "plies without a capture that make a draw"
    add_number(rules, "--no-capture-limit", 1, 10**6, default=NO_CAPTURE_LIMIT, help=text)
    number = whole_number(0, 10**6)
    rules.add_argument(
        "--resign", nargs=2, type=number, metavar=("CP", "MOVES"), help="lost when both engines say so"
    )
    rules.add_argument(
        "--resign-alone", action="store_true", help="with --resign: lost when the loser alone says so"
    )
    rules.add_argument(
        "--draw",
        nargs=3,
        type=number,
        metavar=("CP", "MOVES", "PLY"),
        help="drawn when both say so, from PLY on",
    )
    rules.add_argument(
        "--tables",
        metavar="DIR",
        help="after a capture the game ends if these endgame tables know how; shipped: those of eleengine",
    )
    add_number(rules, "--max-plies", 1, 10**6, default=400, help="then drawn")
    goes_with(parser, "--openings", "--plies", "--order")
    goes_with(parser, "--resign", "--resign-alone")


def add_run(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("run and results")
    add_number(group, "--concurrency -concurrency", 1, 1024, default=1, help="games at once")
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on a Dask cluster, one game at a time a worker: address or file of its scheduler",
    )
    group.add_argument(
        "--own-processors", "-use-affinity", action="store_true", help="own processors for each game (Linux)"
    )
    add_number(
        group, "--max-faults", 1, 10**9, help="break off after N games lost by crashes, time, illegal moves"
    )
    add_file(group, "--journal", help="JSON lines: all games; continued if it is there")
    add_file(group, "--engine-log", help="add what is said to other programs and what they answer")
    add_file(group, "--pgn", help="the games, with scores, depths and times")
    group.add_argument("--style", choices=STYLES, default="iccs", help="of moves in PGN (%(default)s)")
    group.add_argument(
        "--pgn-scores",
        choices=("centipawns", "pawns"),
        default="centipawns",
        help="+34 or, as chess programs write it, +0.34 (%(default)s)",
    )
    group.add_argument(
        "--pgn-comments",
        nargs="+",
        choices=COMMENTS,
        default=[],
        metavar="WHAT",
        help=f"beside score, depth and time: {', '.join(COMMENTS)}",
    )
    group.add_argument("--json", action="store_true", help="the result as a JSON object, and nothing else")
    group.add_argument(
        "--output",
        "-output",
        type=lambda text: text.removeprefix("format="),  # as fastchess has it
        choices=("eleengine", "fastchess"),
        default="eleengine",
        help="layout of what is printed (%(default)s)",
    )
    text = "pairs of games from one printed table to the next; 0: at the end"
    add_number(group, "--rating-interval -ratinginterval", 0, 10**7, default=10, help=text)
    goes_with(parser, "--pgn", "--style", "--pgn-scores", "--pgn-comments")


def read_plan(args: argparse.Namespace, *, sprt: Sprt | None = None, gauntlet: bool = False) -> MatchPlan:
    """The plan of the arguments; CommandError says what is wrong with them."""
    adjudication = {"max_plies": args.max_plies}
    if args.resign:
        adjudication.update(zip(("resign_score", "resign_moves"), args.resign, strict=True))
        adjudication["resign_alone"] = args.resign_alone
    if args.draw:
        adjudication.update(zip(("draw_score", "draw_moves", "draw_ply"), args.draw, strict=True))
    if args.tables:
        with input_errors():
            adjudication |= {"tables": args.tables, "tables_digest": tables_digest(args.tables)}
    limit = Limit(time=args.time, nodes=args.nodes, depth=args.depth)
    if args.tc is not None:
        limit = args.tc.replace(**limit.given())
    with input_errors():
        engines = [engine_words(_with_each(args.each, words)) for words in args.engine]
        players = _unique([PlayerSpec.from_words(words) for words, _ in engines])
        if limit != Limit() and all(player.limit is not None for player in players):
            raise CommandError("--tc, --time, --nodes, --depth: each engine has a limit of its own")
        margins = [margin for _, margin in engines if margin is not None]
        return MatchPlan(
            tuple(players),
            tuple(read_openings(args.openings, plies=args.plies) if args.openings else [STARTING_FEN]),
            None if limit == Limit() else limit,
            args.pairs or (PAIRS if sprt is None else SPRT_PAIRS),
            gauntlet=gauntlet,
            sprt=sprt,
            random_plies=args.random_plies,
            adjudication=Adjudication(**adjudication),
            rule_set=args.rules,
            no_capture_limit=args.no_capture_limit,
            margin=max(margins, default=args.margin),
            hang=args.hang,
            seed=args.seed,
            order=args.order,
            first=args.first - 1,
            scale_to=args.scale_to,
        )


def _with_each(each: list[str], words: list[str]) -> list[str]:
    """The words of an engine, and those for all that mean something to it and that it has no own one for."""
    found = by_key(each) | by_key(words)
    return [word for key, word in found.items() if "cmd" in found or word in words or not is_of_program(word)]


def _unique(players: list[PlayerSpec]) -> list[PlayerSpec]:
    """The players; those of one name are numbered."""
    names = [player.name for player in players]
    return [
        player.renamed(f"{player.name} #{names[: index + 1].count(player.name)}")
        if names.count(player.name) > 1
        else player
        for index, player in enumerate(players)
    ]


def run_match(args: argparse.Namespace, *, sprt: Sprt | None = None, gauntlet: bool = False) -> int:
    """Play what is left of the match and show the results: 0, or 1 if an engine has lost by a fault."""
    plan = read_plan(args, sprt=sprt, gauntlet=gauntlet)
    _check_cluster(args)
    interrupted = False
    with contextlib.ExitStack() as stack, input_errors(ClusterError, EngineError, TableError, ValueError):
        if args.engine_log:
            stack.enter_context(_logged(args.engine_log))
        engines = [player.identity() for player in plan.players]
        journal = None
        if args.journal:
            journal = stack.enter_context(MatchJournal(args.journal, plan, engines, _start(args, plan)))
        results = MatchResults(plan, journal.records if journal else {})
        if beyond := sum(number >= plan.games for number in results.records):
            warn(f"{args.journal}: {beyond} of its games do not count: they are beyond --pairs {plan.pairs}")
        show = MatchDisplay(
            results,
            quiet=args.json,
            fastchess=args.output == "fastchess",
            interval=args.rating_interval,
            book=args.openings or "",
        )
        stack.enter_context(show)
        reports: list[Callable[[MatchResults, int], object]] = [show.take]
        if args.pgn:
            pawns = args.pgn_scores == "pawns"
            pgn = PgnFile(args.pgn, results, style=args.style, more=args.pgn_comments, pawns=pawns)
            stack.callback(pgn.close)
            reports.insert(0, pgn.take)
        show.begin(plan, engines)
        _warn_of_time(plan, args.concurrency)
        if args.journal or args.cluster:
            _warn_of_variation(plan, engines)
        try:
            executor = stack.enter_context(open_executor(args.cluster, tell=warn)) if args.cluster else None
            play_match(
                plan,
                results=results,
                journal=journal,
                concurrency=args.concurrency,
                executor=executor,
                reports=reports,
                most_faults=args.max_faults,
                own_processors=args.own_processors,
                engines=engines,
            )
        except KeyboardInterrupt:
            interrupted = True
    found = results.summary()
    show.show_result(found)
    if args.json:
        print(json.dumps(found.to_dict()))
    if interrupted:
        return 130
    if not found.is_done:
        warn(f"broken off after {args.max_faults} games lost by faults")
    return 1 if found.faults else 0


def _check_cluster(args: argparse.Namespace) -> None:
    """CommandError for what does not go together."""
    for option in ("own_processors", "engine_log"):
        if args.cluster and getattr(args, option):
            name = option.replace("_", "-")
            raise CommandError(f"--{name} is for games of this process, not for those of a cluster")


def _start(args: argparse.Namespace, plan: MatchPlan) -> dict[str, str]:
    """What reports say of the start: command line, machine, and how many games there were to be."""
    system = f"{platform.system()} {platform.release()}"
    machine = f"{platform.node()}, {cpu_name()}, {usable_processors()} processors, {system}"
    command = getattr(args, "command_line", None) or shlex.join(["eleengine", *sys.argv[1:]])
    return {"command": command, "machine": machine, "games": str(plan.games)}


@contextlib.contextmanager
def _logged(path: str) -> Iterator[None]:
    """Let a file take up all lines to and from other programs; OSError."""
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logger = logging.getLogger(external.__name__)
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
        handler.close()


def _warn_of_variation(plan: MatchPlan, engines: list[Identity]) -> None:
    """Name the engines of which another build may go unnoticed."""
    for player, engine in zip(plan.players, engines, strict=True):
        if found := [f"{name} {value}" for name, value in engine.items() if varies(engine, name)]:
            warn(f"{player.name}: not compared: {', '.join(found)}")


def _warn_of_time(plan: MatchPlan, concurrency: int) -> None:
    """Say that times will not be fair."""
    # While one thinks, the other one ponders or waits.
    threads = max((player.threads or 1) * (1 + player.ponder) for player in plan.players)
    if plan.is_timed and threads * concurrency > (processors := usable_processors()):
        warn(
            f"{concurrency} games of {threads} threads on {processors} processors: "
            "the engines will not have the time that they are given"
        )
