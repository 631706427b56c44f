"""What is shown of a match: games as they end, standings, the result in words."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from time import monotonic
from typing import TextIO

from ...lab.match.game import PlayedGame
from ...lab.match.plan import MatchPlan
from ...lab.match.ratings import Rating
from ...lab.match.results import MatchResults
from ...lab.match.stats import Estimate, Sprt
from ...lab.match.summary import MatchSummary, PairingSummary, SprtSummary, pairing_of, summary_of, test_of
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
                self._standing = ", ".join(standing(pairing_of(results, pairing), test_of(results)))
            _print([f"{line} | {self._standing}"])
            return
        self._last = [*self._last, line][-LAST:]
        start = monotonic()
        if start >= self._next:
            rows = table(summary_of(results, brief=True), brief=True)
            self._live.show([*self._progress(), *rows, *self._last])
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
            game.headers = {**self.results.plan.headers(number), **game.headers}
            try:
                self.pgn.write(f"{pgn_writer.text_of(game, style=self.style)}\n")
                self.pgn.flush()
            except OSError as error:
                raise OSError(error.errno, error.strerror, self.pgn.name) from None

    def end(self) -> None:
        """Make room for the result."""
        self._live.clear()

    def show_result(self, found: MatchSummary) -> None:
        """Print the result, when the terminal is left as it was."""
        if not self._quiet:
            _print(self._output.end(found) if self._output is not None else summary_lines(found))

    def __enter__(self) -> MatchDisplay:
        self._live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.__exit__(*error)


def _print(lines: Iterable[str]) -> None:
    """Write lines in one piece: an interruption does not fall between a line and its end."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def game_line(number: int, record: PlayedGame) -> str:
    detail = f": {record.detail}" if record.detail else ""
    return (
        f"{number + 1:>4} {record.red} - {record.black} {record.result} "
        f"({record.reason}, {record.plies} plies{detail})"
    )


def standing(pairing: PairingSummary, test: SprtSummary | None) -> list[str]:
    """How the two engines stand: the points, and what they prove."""
    found = pairing.estimate()
    names = " v ".join(pairing.players)
    if not found.games:
        return [f"{names}: no pair of games has ended yet"]
    counts = zip(PAIR_POINTS, reversed(pairing.pairs), strict=True)
    lines = [
        f"{names}: {found.games} games, won {pairing.wins}, drawn {pairing.draws}, lost {pairing.losses}, "
        f"{100 * found.score:.1f} %, draws {100 * pairing.draws / found.games:.1f} %",
        f"pairs {', '.join(f'{points} {n}' for points, n in counts)}",
        estimate_text(found),
    ]
    if test is not None:
        low, high = test.sprt.bounds
        lines[-1] += f", LLR {test.llr:.2f} ({low:.2f}, {high:.2f})"
    return lines


def estimate_text(found: Estimate) -> str:
    """What counts prove, as a line."""
    return (
        f"Elo {elo_text(found.elo)} [{elo_text(found.low)}, {elo_text(found.high)}], "
        f"normalised {elo_text(found.nelo)}, LOS {100 * found.los:.1f} %"
    )


def corrected_text(sprt: Sprt, counts: Sequence[int]) -> str:
    """What counts prove if the test has said when to stop."""
    elo, low, high = map(elo_text, sprt.corrected(counts))
    return f"Elo {elo} [{low}, {high}] corrected for stopping by the test"


def table(found: MatchSummary, *, brief: bool = False) -> list[str]:
    """The standings: of the two engines, or the ratings of several and then, unless brief, of each two."""
    if len(found.players) == 2 or not found.games:
        return [line for pairing in found.pairings for line in standing(pairing, found.test)]
    pairings = () if brief else found.pairings
    return [*rating_lines(found.ratings()), *(", ".join(standing(pairing, None)) for pairing in pairings)]


def verdict_text(test: SprtSummary) -> str:
    """Which hypothesis the test has accepted, if any."""
    if test.verdict is None:
        return "open"
    elo = test.sprt.elo0 if test.verdict == "H0" else test.sprt.elo1
    return f"{test.verdict} accepted: {elo:g} Elo"


def summary_lines(found: MatchSummary) -> list[str]:
    """The results in words."""
    lines = table(found)
    if (test := found.test) is not None:
        sprt = test.sprt
        lines.append(f"SPRT [{sprt.elo0:g}, {sprt.elo1:g}] ({sprt.model}): {verdict_text(test)}")
        if found.games:
            lines.append(corrected_text(sprt, test.pairs))
    if found.games:
        lines.append("ended by: " + ", ".join(f"{reason} {n}" for reason, n in found.reasons.items()))
    for name, speed in found.speeds.items():
        lines.append(
            f"{name}: {1000 * speed['seconds']:.1f} ms a move (longest {1000 * speed['longest']:.0f}), "
            f"depth {speed['depth']:.1f}, {speed['nps']:,.0f} nodes/s"
        )
    for title, losses in (("faults", found.faults), ("lost by the rules", found.rule_losses)):
        for name, reasons in losses.items():
            lines.append(f"{title}: {name}: " + ", ".join(f"{reason} {n}" for reason, n in reasons.items()))
    return lines


def rating_lines(rows: list[Rating], *, confidence: float = 0.95) -> list[str]:
    """A table of ratings."""
    lines = [f"{'':>3}  {'rating':>7}  {f'{100 * confidence:g} %':^16}  {'points':>12}  engine"]
    for rank, row in enumerate(rows, 1):
        points = f"{row.points:g} of {row.games}"
        interval = f"[{row.low:+.0f}, {row.high:+.0f}]"
        lines.append(f"{rank:>3}  {row.elo:>+7.0f}  {interval:^16}  {points:>12}  {row.name}")
    return lines


def elo_text(elo: float) -> str:
    """Rounded to tenths, with a sign.

    >>> elo_text(3.14159), elo_text(float("-inf"))
    ('+3.1', '-inf')
    """
    return f"{elo:+.1f}"
