"""What is shown of a match: games as they end, standings, the results in words and as data."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from time import monotonic
from typing import Any, TextIO

from ...engines import Limit
from ...lab.match.game import PlayedGame
from ...lab.match.plan import MatchPlan
from ...lab.match.ratings import Rating, ratings
from ...lab.match.results import MatchResults
from ...lab.match.stats import Estimate, Sprt, estimate
from ...pieces import BLACK, RED, Color
from ...records import pgn_writer
from .fastchess_output import MatchOutput
from .live import LiveLines

REFRESH = 1.0  # seconds between two pictures of the table
LAST = 5  # games shown below it
PAIR_POINTS = ("2-0", "1.5-0.5", "1-1", "0.5-1.5", "0-2")  # of the first engine and the other


class MatchDisplay:
    """The games as they end: a table on a terminal, otherwise a line for each.

    quiet: show nothing. fastchess: its layout in place of ours; interval, book: as for `MatchOutput`.
    """

    def __init__(
        self,
        plan: MatchPlan,
        before: Mapping[int, PlayedGame],
        *,
        quiet: bool,
        fastchess: bool = False,
        interval: int = 10,
        book: str = "",
    ) -> None:
        self.results: MatchResults = MatchResults(plan)
        for number, record in sorted(before.items()):
            self.results.add(number, record)
        self.pgn: TextIO | None = None
        self.style = "iccs"
        self.pawns = False  # in the comments of the PGN file
        self._output: MatchOutput | None = (
            MatchOutput(self.results, interval=interval, book=book) if fastchess else None
        )
        self._live = LiveLines(sys.stdout)
        self._quiet = quiet
        self._before = len(before)
        self._began = monotonic()
        self._next = 0.0
        self._last: list[str] = []
        self._counts: tuple[tuple[int, int], list[int]] | None = None  # of the standing written last
        self._standing = ""

    def take(self, results: MatchResults, number: int) -> None:
        """Show a game that has ended."""
        self.results = results
        record = results.records[number]
        self.write(number, record)
        if self._quiet:
            return
        if self._output is not None:
            _print(self._output.game(results, number))
            return
        line = game_line(number, record)
        if not self._live.on:
            pairing = results.plan.task(number).pairing
            # Games come from a cluster by the dozen, and the interval takes longer than all else here.
            if self._counts != (pairing, results.counts[pairing]):
                self._counts = pairing, list(results.counts[pairing])
                self._standing = ", ".join(standing(results, pairing))
            _print([f"{line} | {self._standing}"])
            return
        self._last = [*self._last, line][-LAST:]
        start = monotonic()
        if start >= self._next:
            self._live.show([*self._progress(), *table(results, brief=True), *self._last])
            # A table of many players takes time, which the engines shall have.
            self._next = monotonic() + max(REFRESH, 30 * (monotonic() - start))

    def _progress(self) -> list[str]:
        done, planned = len(self.results.records), self.results.plan.games
        spent = monotonic() - self._began
        rest = spent / max(1, done - self._before) * (planned - done)
        return [f"{done} of {planned} games, {spent / 60:.1f} min, at most {rest / 60:.1f} min left"]

    def write(self, number: int, record: PlayedGame) -> None:
        """Add a game to the PGN file."""
        if self.pgn is not None:
            game = record.game(pawns=self.pawns)
            game.headers = {**headers(self.results.plan, number), **game.headers}
            try:
                self.pgn.write(f"{pgn_writer.text_of(game, style=self.style)}\n")
                self.pgn.flush()
            except OSError as error:
                raise OSError(error.errno, error.strerror, self.pgn.name) from None

    def end(self) -> None:
        """Make room for the result."""
        self._live.clear()

    def show_result(self, results: MatchResults) -> None:
        """Print the result, when the terminal is left as it was."""
        if not self._quiet:
            _print(self._output.end(results) if self._output is not None else summary_lines(results))

    def __enter__(self) -> MatchDisplay:
        self._live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.__exit__(*error)


def _print(lines: Iterable[str]) -> None:
    """Write lines in one piece: an interruption does not fall between a line and its end."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def headers(plan: MatchPlan, number: int) -> dict[str, str]:
    """What PGN says of a game of the plan beside its record.

    Round is the pair and the game in it, Opening the number of the opening in its file.
    """
    task = plan.task(number)
    names = [plan.players[index].name for index in task.pairing]
    limits = [plan.players[index].limit or plan.limit or Limit() for index in (task.red, task.black)]
    controls = [limit_text(limit, color) for limit, color in zip(limits, (RED, BLACK), strict=True)]
    return {
        "Event": f"{names[0]} v {names[1]}",
        "Round": f"{task.pair + 1}.{number % 2 + 1}",
        "Opening": str(plan.opening_number(task.pair) + 1),
        "TimeControl": controls[0] if controls[0] == controls[1] else " - ".join(controls),
    }


def limit_text(limit: Limit, color: Color) -> str:
    """A limit as PGN's TimeControl has it, or in words.

    >>> limit_text(Limit(red_clock=60, black_clock=60, red_inc=0.5), RED), limit_text(Limit(nodes=500), RED)
    ('60+0.5', '500 nodes a move')
    """
    clock, inc = (limit.red_clock, limit.red_inc) if color == RED else (limit.black_clock, limit.black_inc)
    words = []
    if clock is not None:
        moves = f"{limit.remaining_moves}/" if limit.remaining_moves else ""
        words.append(f"{moves}{clock:g}" + (f"+{inc:g}" if inc else ""))
    for value, unit in ((limit.time, "s"), (limit.nodes, "nodes"), (limit.depth, "plies")):
        if value is not None:
            words.append(f"{value:g} {unit} a move")
    return ", ".join(words)


def game_line(number: int, record: PlayedGame) -> str:
    detail = f": {record.detail}" if record.detail else ""
    return (
        f"{number + 1:>4} {record.red} - {record.black} {record.result} "
        f"({record.reason}, {record.plies} plies{detail})"
    )


def standing(results: MatchResults, pairing: tuple[int, int]) -> list[str]:
    """How the two engines stand: the points, and what they prove."""
    a, b = (results.plan.players[index].name for index in pairing)
    counts = results.counts[pairing]
    found = estimate(counts)
    if not found.games:
        return [f"{a} v {b}: no pair of games has ended yet"]
    won, drawn, lost = results.wins(pairing)
    pairs = ", ".join(f"{points} {n}" for points, n in zip(PAIR_POINTS, reversed(counts), strict=True))
    lines = [
        f"{a} v {b}: {found.games} games, won {won}, drawn {drawn}, lost {lost}, {100 * found.score:.1f} %, "
        f"draws {100 * drawn / found.games:.1f} %",
        f"pairs {pairs}",
        estimate_text(found),
    ]
    if results.plan.sprt is not None:
        low, high = results.plan.sprt.bounds
        lines[-1] += f", LLR {results.llr:.2f} ({low:.2f}, {high:.2f})"
    return lines


def estimate_text(found: Estimate) -> str:
    """What counts prove, as a line."""
    return (
        f"Elo {elo_text(found.elo)} [{elo_text(found.low)}, {elo_text(found.high)}], "
        f"normalised {elo_text(found.nelo)}, LOS {100 * found.los:.1f} %"
    )


def corrected_text(sprt: Sprt, counts: list[int]) -> str:
    """What counts prove if the test has said when to stop."""
    elo, low, high = map(elo_text, sprt.corrected(counts))
    return f"Elo {elo} [{low}, {high}] corrected for stopping by the test"


def table(results: MatchResults, *, brief: bool = False) -> list[str]:
    """The standings: of the two engines, or the ratings of several and then, unless brief, of each two."""
    plan = results.plan
    if len(plan.players) == 2 or not results.counted:
        return [line for pairing in plan.pairings for line in standing(results, pairing)]
    lines = rating_lines(ratings(named_counts(results)))
    pairings = [] if brief else plan.pairings
    return [*lines, *(", ".join(standing(results, pairing)) for pairing in pairings)]


def summary_lines(results: MatchResults) -> list[str]:
    """The results in words."""
    lines = table(results)
    sprt = results.plan.sprt
    if sprt is not None:
        said = {
            "H0": f"H0 accepted: {sprt.elo0:g} Elo",
            "H1": f"H1 accepted: {sprt.elo1:g} Elo",
            None: "open",
        }
        lines.append(f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}] ({sprt.model}): {said[results.verdict]}")
        if results.counted:
            lines.append(corrected_text(sprt, results.counts[0, 1]))
    if results.counted:
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


def summary(results: MatchResults) -> dict[str, Any]:
    """The results as JSON data; infinite numbers are null."""
    plan = results.plan
    data: dict[str, Any] = {"games": results.counted, "planned": plan.games, "pairings": []}
    for pairing in plan.pairings:
        found, wins = estimate(results.counts[pairing]), results.wins(pairing)
        data["pairings"].append(
            {
                "players": [plan.players[index].name for index in pairing],
                "wins": wins[0],
                "draws": wins[1],
                "losses": wins[2],
                "pairs": results.counts[pairing],
                **{name: _finite(value) for name, value in found._asdict().items()},
            }
        )
    if plan.sprt is not None:
        data["sprt"] = {
            **plan.sprt._asdict(),
            "llr": results.llr,
            "bounds": plan.sprt.bounds,
            "verdict": results.verdict,
            "corrected": [_finite(elo) for elo in plan.sprt.corrected(results.counts[0, 1])],
        }
    if len(plan.players) > 2 and results.counted:
        data["ratings"] = [row._asdict() for row in ratings(named_counts(results))]
    data["reasons"] = results.reasons()
    data["faults"] = results.faults()
    data["rule_losses"] = results.rule_losses()
    data["speeds"] = results.speeds()
    return data


def rating_lines(rows: list[Rating], *, confidence: float = 0.95) -> list[str]:
    """A table of ratings."""
    lines = [f"{'':>3}  {'rating':>7}  {f'{100 * confidence:g} %':^16}  {'points':>12}  engine"]
    for rank, row in enumerate(rows, 1):
        points = f"{row.points:g} of {row.games}"
        interval = f"[{row.low:+.0f}, {row.high:+.0f}]"
        lines.append(f"{rank:>3}  {row.elo:>+7.0f}  {interval:^16}  {points:>12}  {row.name}")
    return lines


def named_counts(results: MatchResults) -> dict[tuple[str, str], list[int]]:
    """The counts of all pairings, by names, as `ratings` takes them."""
    players = results.plan.players
    return {(players[a].name, players[b].name): counts for (a, b), counts in results.counts.items()}


def _finite(value: float) -> float | None:
    return None if value in (float("inf"), float("-inf")) else value


def elo_text(elo: float) -> str:
    """Rounded to tenths, with a sign.

    >>> elo_text(3.14159), elo_text(float("-inf"))
    ('+3.1', '-inf')
    """
    return f"{elo:+.1f}"
