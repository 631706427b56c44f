"""What `match` and `tournament` share: the plan from the command line, its run, what is shown of it."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from pathlib import Path
from time import monotonic
from typing import Any, TextIO

from .._core import STARTING_FEN, cpu_count
from ..engines import EngineError, Limit
from ..lab.jobs.cluster import ClusterError, open_executor
from ..lab.match.game import Adjudication, GameRecord
from ..lab.match.match import Journal, Match, Results, play_match
from ..lab.match.openings import read_openings
from ..lab.match.spec import WORDS, PlayerSpec, parse_clock
from ..lab.match.stats import Sprt, estimate, ratings
from ..pgn import FORMATS, PgnError, read_games
from ..rules import NO_CAPTURE_LIMIT, RULE_SETS
from . import CommandError, whole_number
from .common import seconds
from .live import Live

PAIRS, SPRT_PAIRS = 100, 50_000  # by default
REFRESH = 1.0  # seconds between two pictures of the table
LAST = 5  # games shown below it


def clock(text: str) -> Limit:
    """A type for argparse."""
    try:
        return parse_clock(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def margin(text: str) -> float:
    """A type for argparse: seconds, 0 included."""
    return 0.0 if text == "0" else seconds(text)


def add_plan(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"words of an engine:\n{WORDS}"
    parser.add_argument(
        "-e", "--engine", nargs="+", action="append", required=True, metavar="WORD", help="see below"
    )
    parser.add_argument(
        "--openings", metavar="FILE", help="EPD or PGN (default: the start position, again and again)"
    )
    parser.add_argument(
        "--plies", type=whole_number(0, 1000), metavar="N", help="take N moves of the games of a PGN file"
    )
    parser.add_argument(
        "--random-plies",
        type=whole_number(0, 100),
        default=4,
        metavar="N",
        help="moves at random after openings that are used again (%(default)s)",
    )
    parser.add_argument(
        "--pairs",
        type=whole_number(1, 10**7),
        metavar="N",
        help=f"of games, for each two engines (default: {PAIRS}, with --sprt at most {SPRT_PAIRS})",
    )
    parser.add_argument(
        "--seed", type=whole_number(0, 2**31), default=1, metavar="N", help="of the order of the openings"
    )
    limits = parser.add_argument_group("limits", "of engines without one of their own")
    limits.add_argument("--tc", type=clock, metavar="BASE+INC", help="a clock: seconds, and for each move")
    limits.add_argument("--time", type=seconds, metavar="S", help="seconds for each move")
    limits.add_argument("--nodes", type=whole_number(1, 10**15), metavar="N", help="positions for each move")
    limits.add_argument("--depth", type=whole_number(1, 100), metavar="N", help="plies for each move")
    limits.add_argument(
        "--margin", type=margin, default=0.1, metavar="S", help="that a move may be late (%(default)s s)"
    )
    limits.add_argument(
        "--hang", type=seconds, default=600.0, metavar="S", help="until a program is given up (%(default)g s)"
    )
    rules = parser.add_argument_group("rules")
    rules.add_argument("--rules", choices=RULE_SETS, default="axf", help="of repetition (%(default)s)")
    rules.add_argument(
        "--no-capture-limit",
        type=whole_number(1, 10**6),
        default=NO_CAPTURE_LIMIT,
        metavar="N",
        help="plies without a capture that make a draw (%(default)s)",
    )
    number = whole_number(0, 10**6)
    rules.add_argument(
        "--resign", nargs=2, type=number, metavar=("CP", "MOVES"), help="lost when both engines say so"
    )
    rules.add_argument(
        "--draw",
        nargs=3,
        type=number,
        metavar=("CP", "MOVES", "PLY"),
        help="drawn when both say so, from that ply on",
    )
    rules.add_argument(
        "--max-plies", type=whole_number(1, 10**6), default=400, metavar="N", help="then drawn (%(default)s)"
    )


def add_run(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("run and results")
    group.add_argument(
        "--concurrency",
        type=whole_number(1, 1024),
        default=1,
        metavar="N",
        help="games at once (%(default)s)",
    )
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on a Dask cluster, one game a worker: address or file of its scheduler",
    )
    group.add_argument("--journal", metavar="FILE", help="JSON lines: all games; continued if it is there")
    group.add_argument("--pgn", metavar="FILE", help="the games, with scores, depths and times")
    group.add_argument("--style", choices=FORMATS, default="iccs", help="of moves in PGN (%(default)s)")
    group.add_argument("--json", action="store_true", help="the result as a JSON object, and nothing else")


def read_plan(args: argparse.Namespace, *, sprt: Sprt | None = None, gauntlet: bool = False) -> Match:
    """The plan of the arguments; CommandError tells what is wrong with them."""
    adjudication = {"max_plies": args.max_plies}
    if args.resign:
        adjudication.update(zip(("resign_score", "resign_moves"), args.resign, strict=True))
    if args.draw:
        adjudication.update(zip(("draw_score", "draw_moves", "draw_ply"), args.draw, strict=True))
    limit = Limit(time=args.time, nodes=args.nodes, depth=args.depth)
    if args.tc is not None:
        limit = args.tc._replace(**{k: v for k, v in limit._asdict().items() if v is not None})
    try:
        players = _unique([PlayerSpec.from_words(words) for words in args.engine])
        return Match(
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
            margin=args.margin,
            hang=args.hang,
            seed=args.seed,
        )
    except OSError as error:
        raise CommandError(f"{error.filename}: {error.strerror}") from None
    except ValueError as error:
        raise CommandError(str(error)) from None


def _unique(players: list[PlayerSpec]) -> list[PlayerSpec]:
    """The players, those of one name told apart by numbers."""
    names = [player.name for player in players]
    return [
        player.renamed(f"{player.name} #{names[: place + 1].count(player.name)}")
        if names.count(player.name) > 1
        else player
        for place, player in enumerate(players)
    ]


def run_plan(args: argparse.Namespace, match: Match) -> int:
    """Play what is left of the plan and show the results: 0, or 1 if an engine has lost by a fault."""
    with contextlib.ExitStack() as stack:
        try:
            for player in match.players:
                player.check()
            journal = stack.enter_context(Journal(args.journal, match)) if args.journal else None
            show = Show(match, len(journal.records) if journal else 0, quiet=args.json)
            stack.enter_context(show)
            if args.pgn:
                show.pgn = _open_pgn(args.pgn, match, journal)
                stack.callback(_close, show.pgn)
                show.style = args.style
                for _, record in sorted(journal.records.items()) if journal else []:
                    show.write(record)
            _warn(args, match)
            interrupted = False
            try:
                results = play_match(
                    match,
                    journal=journal,
                    concurrency=args.concurrency,
                    executor=stack.enter_context(open_executor(args.cluster)) if args.cluster else None,
                    report=show.take,
                )
            except KeyboardInterrupt:
                results, interrupted = show.results, True
        except OSError as error:
            if error.filename is None:  # nobody reads the output, or it cannot be written
                raise
            raise CommandError(f"{error.filename}: {error.strerror}") from None
        except (ClusterError, EngineError, ValueError) as error:
            raise CommandError(str(error)) from None
        show.end()
    if args.json:
        print(json.dumps(summary(results)))
    else:
        print("\n".join(told(results)))
    if interrupted:
        return 130
    return 1 if results.faults() else 0


def _open_pgn(path: str, match: Match, journal: Journal | None) -> TextIO:
    """The file, emptied if the journal has all that was in it; ValueError if it may hold anything else."""
    if Path(path).is_file() and Path(path).stat().st_size:
        if not (journal and journal.records):
            raise ValueError(f"{path}: is there already, and no journal of its games was given")
        errors: list[PgnError] = []
        games = list(read_games(path, on_error=errors.append))
        names = {player.name for player in match.players}
        ours = all({game.headers.get("Red"), game.headers.get("Black")} <= names for game in games)
        # The last game may have been cut off when the match was.
        if not (games and ours and len(errors) <= 1 and len(games) + len(errors) <= len(journal.records)):
            raise ValueError(f"{path}: is there already, and holds more than the games of {journal.path}")
    return open(path, "w", encoding="utf-8")


def _close(file: TextIO) -> None:
    """Each game was flushed: what cannot be written now has been told."""
    with contextlib.suppress(OSError):
        file.close()


def _warn(args: argparse.Namespace, match: Match) -> None:
    """Of times that will not be fair."""
    threads = max(player.threads or 1 for player in match.players)
    timed = any(
        (p.limit or match.limit or Limit())._replace(nodes=None, depth=None) != Limit() for p in match.players
    )
    if timed and threads * args.concurrency > cpu_count():
        print(
            f"eleengine: {args.concurrency} games of {threads} threads on {cpu_count()} processors: "
            "the engines will not have the time that they are given",
            file=sys.stderr,
        )


class Show:
    """The games as they end: a table on a terminal, otherwise a line for each."""

    def __init__(self, match: Match, before: int, *, quiet: bool) -> None:
        self.results = Results(match)
        self.pgn: TextIO | None = None
        self.style = "iccs"
        self._live = Live(sys.stdout)
        self._quiet = quiet
        self._before = before
        self._began = monotonic()
        self._next = 0.0
        self._last: list[str] = []

    def take(self, results: Results, number: int) -> None:
        """Show a game that has ended."""
        self.results = results
        record = results.records[number]
        self.write(record)
        if self._quiet:
            return
        line = game_line(number, record)
        if not self._live.on:
            pairing = results.match.task(number).pairing
            # One write a line: an interruption does not fall between a line and its end.
            sys.stdout.write(f"{line} | {', '.join(standing(results, pairing))}\n")
            sys.stdout.flush()
            return
        self._last = [*self._last, line][-LAST:]
        start = monotonic()
        if start >= self._next:
            self._live.show([*self._progress(), *table(results, brief=True), *self._last])
            # A table of many players takes time, which the engines shall have.
            self._next = monotonic() + max(REFRESH, 30 * (monotonic() - start))

    def _progress(self) -> list[str]:
        done, planned = len(self.results.records), self.results.match.games
        spent = monotonic() - self._began
        rest = spent / max(1, done - self._before) * (planned - done)
        return [f"{done} of {planned} games, {spent / 60:.1f} min, at most {rest / 60:.1f} min left"]

    def write(self, record: GameRecord) -> None:
        """Add a game to the PGN file."""
        if self.pgn is not None:
            try:
                self.pgn.write(f"{record.game().text(self.style)}\n")
                self.pgn.flush()
            except OSError as error:
                raise OSError(error.errno, error.strerror, self.pgn.name) from None

    def end(self) -> None:
        """Make room for the result."""
        self._live.clear()

    def __enter__(self) -> Show:
        self._live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.__exit__(*error)


def game_line(number: int, record: GameRecord) -> str:
    detail = f": {record.detail}" if record.detail else ""
    return (
        f"{number + 1:>4} {record.red} - {record.black} {record.result} "
        f"({record.reason}, {record.plies} plies{detail})"
    )


def standing(results: Results, pairing: tuple[int, int]) -> list[str]:
    """How the two engines stand: the points, and what they prove."""
    a, b = (results.match.players[index].name for index in pairing)
    counts = results.counts[pairing]
    found = estimate(counts)
    lines = [f"{a} v {b}: {found.games} games, {100 * found.score:.1f} %, pairs {counts}"]
    if found.games:
        lines.append(
            f"Elo {elo_text(found.elo)} [{elo_text(found.low)}, {elo_text(found.high)}], "
            f"LOS {100 * found.los:.1f} %"
        )
        if results.match.sprt is not None:
            low, high = results.match.sprt.bounds
            lines[1] += f", LLR {results.llr:.2f} ({low:.2f}, {high:.2f})"
    return lines


def table(results: Results, *, brief: bool = False) -> list[str]:
    """The standings: of the two engines, or the ratings of several and then, unless brief, of each two."""
    match = results.match
    if len(match.players) == 2 or not results.counted:
        return [line for pairing in match.pairings for line in standing(results, pairing)]
    lines = [f"{'':>3}  {'rating':>7}  {'95 %':^16}  {'points':>12}  engine"]
    for place, row in enumerate(ratings(_named(results)), 1):
        points = f"{row.points:g} of {row.games}"
        interval = f"[{row.low:+.0f}, {row.high:+.0f}]"
        lines.append(f"{place:>3}  {row.elo:>+7.0f}  {interval:^16}  {points:>12}  {row.name}")
    return (
        lines if brief else [*lines, *(", ".join(standing(results, pairing)) for pairing in match.pairings)]
    )


def told(results: Results) -> list[str]:
    """The results in words."""
    lines = table(results)
    sprt = results.match.sprt
    if sprt is not None:
        said = {
            "H0": f"H0 accepted: {sprt.elo0:g} Elo",
            "H1": f"H1 accepted: {sprt.elo1:g} Elo",
            None: "open",
        }
        lines.append(f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}] ({sprt.model}): {said[results.verdict]}")
    if not results.counted:
        return lines
    lines.append("ended by: " + ", ".join(f"{reason} {n}" for reason, n in results.reasons().items()))
    for name, speed in results.speeds().items():
        lines.append(
            f"{name}: {1000 * speed['seconds']:.1f} ms a move (longest {1000 * speed['longest']:.0f}), "
            f"depth {speed['depth']:.1f}, {speed['nps']:,.0f} nodes/s"
        )
    for title, losses in (("faults", results.faults()), ("lost by the rules", results.rule_losses())):
        for name, reasons in losses.items():
            lines.append(f"{title}: {name}: " + ", ".join(f"{reason} {n}" for reason, n in reasons.items()))
    return lines


def summary(results: Results) -> dict[str, Any]:
    """The results as JSON data; infinite numbers are null."""
    match = results.match
    data: dict[str, Any] = {"games": results.counted, "planned": match.games, "pairings": []}
    for pairing in match.pairings:
        found, wins = estimate(results.counts[pairing]), results.wins(pairing)
        data["pairings"].append(
            {
                "players": [match.players[index].name for index in pairing],
                "wins": wins[0],
                "draws": wins[1],
                "losses": wins[2],
                "pairs": results.counts[pairing],
                **{name: _finite(value) for name, value in found._asdict().items()},
            }
        )
    if match.sprt is not None:
        data["sprt"] = {
            **match.sprt._asdict(),
            "llr": results.llr,
            "bounds": match.sprt.bounds,
            "verdict": results.verdict,
        }
    if len(match.players) > 2 and results.counted:
        data["ratings"] = [row._asdict() for row in ratings(_named(results))]
    data["reasons"] = results.reasons()
    data["faults"] = results.faults()
    data["rule_losses"] = results.rule_losses()
    data["speeds"] = results.speeds()
    return data


def _named(results: Results) -> dict[tuple[str, str], list[int]]:
    players = results.match.players
    return {(players[a].name, players[b].name): counts for (a, b), counts in results.counts.items()}


def _finite(value: float) -> float | None:
    return None if value in (float("inf"), float("-inf")) else value


def elo_text(elo: float) -> str:
    """Rounded to tenths, with a sign.

    >>> elo_text(3.14159), elo_text(float("-inf"))
    ('+3.1', '-inf')
    """
    return f"{elo:+.1f}"
