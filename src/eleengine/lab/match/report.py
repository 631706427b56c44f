"""A match as a document: what it consists of, and the same as Markdown and as HTML."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from threading import Lock
from time import monotonic
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from ...pieces import RED
from ...records import Game
from .adjudication import Adjudication
from .game import COMMENTS
from .journal import ReadMatch, read_match
from .outputs import (
    PAIR_POINTS,
    elo_text,
    game_lines,
    interval_text,
    known,
    llr_text,
    match_game,
    player_words,
    verdict_text,
)
from .plan import MatchPlan, limit_text
from .results import MatchResults, MatchSummary

T = TypeVar("T")

BEGAN = {"machine": "machine at the start", "command": "command line"}
REST = 20  # times as long as a reading of the journal takes, before the next one
TEXT_COLUMNS, TEXT_ROWS = 64, 13  # of a curve in letters
WIDTH, HEIGHT, MARGIN = 640, 240, 44  # of a curve as a picture

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 } td, th { border: 1px solid #ccc; padding: .2em .6em }
th { background: #f3f3f3; text-align: left } svg { max-width: 100%; height: auto }
@media (prefers-color-scheme: dark) { body { background: #1b1b1b; color: #ddd } th { background: #333 } }"""


class ReportTable(NamedTuple):
    """Rows of cells under a head."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class LlrCurve(NamedTuple):
    """The log-likelihood ratio after each pair, and the bounds of the test."""

    values: Sequence[float]
    low: float
    high: float

    def thinned(self, high: int) -> list[tuple[int, float]]:
        """Numbers and values of some of the points, the first and the last among them."""
        last = len(self.values) - 1
        indices = sorted({round(i * last / (high - 1)) for i in range(high)})
        return [(index, self.values[index]) for index in indices]

    @property
    def span(self) -> tuple[float, float]:
        """The least and the greatest of values and bounds."""
        return min(self.low, *self.values), max(self.high, *self.values)


Part: TypeAlias = str | ReportTable | LlrCurve


class Section(NamedTuple):
    """A title and what is below it."""

    title: str
    parts: list[Part]


class MatchReport(NamedTuple):
    """A document."""

    title: str
    sections: list[Section]


def report(match: ReadMatch) -> MatchReport:
    """The report of a match or tournament."""
    plan, results, summary = match.plan, match.results, match.results.summary()
    two = len(summary.players) == 2
    result = Section("Result", _standings(summary))
    if plan.sprt is not None:
        low, high = plan.sprt.bounds
        result.parts.append(LlrCurve(results.course(), low, high))
    sections = [
        result,
        Section("Conditions", [_conditions(plan, results, match.began)]),
        Section("Engines", _engines(match)),
    ]
    if summary.games:
        sections.append(Section("Games", _games(summary)))
    title = " v ".join(summary.players) if two else f"Tournament of {len(summary.players)} engines"
    return MatchReport(title, sections)


def _standings(found: MatchSummary) -> list[Part]:
    if not found.games:
        return ["No pair of games has ended yet."]
    parts: list[Part] = []
    if rated := found.ratings():
        rows = [
            (str(rank), row.name, f"{row.elo:+.0f}", f"[{row.low:+.0f}, {row.high:+.0f}]",
             f"{row.points:g} of {row.games}")
            for rank, row in enumerate(rated, 1)
        ]  # fmt: skip
        parts.append(ReportTable(("", "engine", "rating", "95 %", "points"), rows))
    head = ["engines", "games", "won", "drawn", "lost", *PAIR_POINTS, "Elo", "95 %", "normalised", "LOS"]
    rows_of_pairs = []
    for pairing in found.pairings:
        diff = pairing.estimate
        if not diff.games:
            continue
        numbers = (diff.games, pairing.wins, pairing.draws, pairing.losses, *reversed(pairing.pairs))
        rows_of_pairs.append(
            [" v ".join(pairing.players), *map(str, numbers), elo_text(diff.elo),
             interval_text(diff.low, diff.high), elo_text(diff.nelo), f"{100 * diff.los:.1f} %"]
        )  # fmt: skip
    parts.append(ReportTable(head, rows_of_pairs))
    if found.test is not None:
        test = found.test.sprt
        elo, low, high = found.test.corrected()
        rows_of_test = [
            (
                "test",
                f"{test.elo0:g} against {test.elo1:g} {test.model} Elo, "
                f"alpha {test.alpha:g}, beta {test.beta:g}",
            ),
            ("LLR", llr_text(test, found.test.llr)),
            ("verdict", verdict_text(found.test)),
            ("Elo, corrected for stopping by the test", f"{elo_text(elo)} {interval_text(low, high)}"),
        ]
        parts.append(ReportTable(("sequential test", ""), rows_of_test))
    return parts


def _conditions(plan: MatchPlan, results: MatchResults, began: dict[str, str]) -> ReportTable:
    dates = sorted({record.date for record in results.records.values() if record.date})
    rows = [
        ("limit", limit_text(plan.limit, RED) if plan.limit else "each engine its own"),
        ("openings", f"{len(plan.openings)}, {plan.order}, from {plan.first + 1}, "
                     f"then with {plan.random_plies} plies at random"),
        ("rules", f"{plan.rule_set}, drawn after {plan.no_capture_limit} plies without a capture"),
        ("ended early", _adjudication(plan.adjudication)),
        ("seed", str(plan.seed)),
    ]  # fmt: skip
    if plan.scale_to is not None:
        rows.append(("times", f"of a machine with {plan.scale_to:,} nodes/s, scaled on others"))
    if dates:
        rows.append(("played", dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"))
    for title, key in (("games by machine", "host"), ("games by build of eleengine", "build")):
        found = Counter(value for record in results.records.values() if (value := getattr(record, key)))
        if len(found) > 1:
            rows.append((title, ", ".join(f"{value} ({n})" for value, n in found.most_common())))
    rows += [(title, began[name]) for name, title in BEGAN.items() if name in began]
    return ReportTable(("", ""), rows)


def _adjudication(rules: Adjudication) -> str:
    words = []
    if rules.resign_score is not None:
        who = "the loser sees" if rules.resign_alone else "both see"
        words.append(f"lost when {who} {rules.resign_score} centipawns for {rules.resign_moves} moves")
    if rules.draw_score is not None:
        words.append(
            f"drawn when both see at most {rules.draw_score} centipawns for {rules.draw_moves} moves "
            f"from ply {rules.draw_ply} on"
        )
    if rules.tables is not None:
        words.append(f"after captures by the endgame tables of {rules.tables} ({rules.tables_digest})")
    return "; ".join([*words, f"drawn after {rules.max_plies} plies"])


def _engines(match: ReadMatch) -> list[Part]:
    rows = []
    for player, identity in zip(match.plan.players, match.engines, strict=True):
        build = ", ".join(f"{name} {value}" for name, value in identity.items())
        why = ", ".join(match.plan.changes(player, identity))
        repeats = f"no: {why}" if why else "yes"
        rows.append((player.name, ", ".join(player_words(player, match.plan)), build, repeats))
    return [ReportTable(("engine", "as", "build", "games repeat"), rows)]


def _games(found: MatchSummary) -> list[Part]:
    parts: list[Part] = [
        ReportTable(("ended by", "games"), [(reason, str(n)) for reason, n in found.reasons.items()])
    ]
    losses = [
        (name, reason, str(n))
        for by_player in (found.faults, found.rule_losses)
        for name, reasons in by_player.items()
        for reason, n in reasons.items()
    ]
    if losses:
        parts.append(ReportTable(("lost by faults or rules", "by", "games"), losses))
    speeds = [
        (
            name,
            f"{1000 * s['seconds']:.1f}",
            f"{1000 * s['longest']:.0f}",
            known(s.get("depth"), ".1f"),
            known(s.get("nps"), ",.0f"),
        )
        for name, s in found.speeds.items()
    ]
    if speeds:
        parts.append(ReportTable(("engine", "ms a move", "longest", "depth", "nodes/s"), speeds))
    return parts


# Markdown


def as_markdown(found: MatchReport) -> str:
    """The document as Markdown, a curve in letters."""
    lines = [f"# {_plain(found.title)}"]
    for title, parts in found.sections:
        lines.append(f"## {title}")
        for part in parts:
            if isinstance(part, ReportTable):
                rows = [part.head, ["---"] * len(part.head), *part.rows]
                lines.append("\n".join(f"| {' | '.join(map(_plain, row))} |" for row in rows))
            elif isinstance(part, LlrCurve):
                lines.append("\n".join(["```", *_drawn(part), "```"]))
            else:
                lines.append(part)
    return "\n\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Text that means nothing to Markdown, on one line."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(text.split()))


def _drawn(curve: LlrCurve) -> list[str]:
    low, high = curve.span

    def row_of(value: float) -> int:
        return round((high - value) / (high - low) * (TEXT_ROWS - 1))

    rows = [[" "] * TEXT_COLUMNS for _ in range(TEXT_ROWS)]
    labels = {row_of(value): f"{value:+.2f}" for value in (curve.low, 0.0, curve.high)}
    for row in labels:
        rows[row] = ["-"] * TEXT_COLUMNS
    points = curve.thinned(TEXT_COLUMNS)
    for column, (_, value) in enumerate(points):
        rows[row_of(value)][column * (TEXT_COLUMNS - 1) // max(1, len(points) - 1)] = "*"
    lines = [f"{labels.get(row, ''):>6} {''.join(cells).rstrip()}" for row, cells in enumerate(rows)]
    return [*map(str.rstrip, lines), f"{'':>6} LLR after 0 to {len(curve.values) - 1} pairs"]


# HTML


def as_html(found: MatchReport) -> str:
    """The document as a page that needs nothing else."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(found.title)}</title>\n'
        f'<meta name="viewport" content="width=device-width"><style>\n{STYLE}\n</style></head>\n<body>\n'
        f"{html_body(found)}\n</body></html>\n"
    )


def html_body(found: MatchReport) -> str:
    """The document as HTML that stands in a page."""
    lines = [f"<h1>{escape(found.title)}</h1>"]
    for title, parts in found.sections:
        lines.append(f"<h2>{escape(title)}</h2>")
        for part in parts:
            if isinstance(part, ReportTable):
                head = "".join(f"<th>{escape(cell)}</th>" for cell in part.head)
                rows = [
                    f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in part.rows
                ]
                lines.append(
                    "\n".join(["<table>", f"<tr>{head}</tr>" if any(part.head) else "", *rows, "</table>"])
                )
            elif isinstance(part, LlrCurve):
                lines.append(_picture(part))
            else:
                lines.append(f"<p>{escape(part)}</p>")
    return "\n".join(lines)


def _picture(curve: LlrCurve) -> str:
    low, high = curve.span
    last = max(1, len(curve.values) - 1)

    def x(pair: int) -> str:
        return f"{MARGIN + pair / last * (WIDTH - 2 * MARGIN):.1f}"

    def y(value: float) -> str:
        return f"{MARGIN + (high - value) / (high - low) * (HEIGHT - 2 * MARGIN):.1f}"

    points = " ".join(f"{x(pair)},{y(value)}" for pair, value in curve.thinned(WIDTH))
    parts = [
        f'<line x1="{x(0)}" x2="{x(last)}" y1="{y(value)}" y2="{y(value)}" stroke="{color}"/>'
        f'<text x="{MARGIN - 6}" y="{y(value)}" text-anchor="end" dy=".3em">{value:.2f}</text>'
        for value, color in ((curve.low, "#c33"), (0.0, "#999"), (curve.high, "#393"))
    ]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" font-size="12" fill="currentColor" role="img">'
        f"<title>LLR by pairs of games</title>{''.join(parts)}"
        f'<polyline points="{points}" fill="none" stroke="#36c" stroke-width="1.5"/>'
        f'<text x="{x(last)}" y="{HEIGHT - MARGIN / 3}" text-anchor="end">{last} pairs</text></svg>'
    )


class GrowingFile(Generic[T]):
    """What is read of a file, and read again when it has grown, though not all the time. For any thread."""

    def __init__(self, path: str, read: Callable[[str], T]) -> None:
        self._path = path
        self._read = read
        self._lock = Lock()
        self._size = -1
        self._next = 0.0

    def get(self) -> T:
        """What was read, some seconds old at most for a short file. OSError; the errors of reading."""
        with self._lock:
            begun = monotonic()
            size = os.stat(self._path).st_size
            if self._size < 0 or (size != self._size and begun >= self._next):
                self._found, self._size = self._read(self._path), size
                self._next = monotonic() + REST * (monotonic() - begun)
            return self._found


class JournalView:
    """What the page shows of a journal that may grow. Threads may call it."""

    def __init__(self, path: str) -> None:
        #: The match of the journal. OSError; ValueError.
        self.match: Callable[[], ReadMatch] = GrowingFile(path, read_match).get

    def document(self) -> MatchReport:
        """The report."""
        return report(self.match())

    def games(self) -> list[tuple[int, str]]:
        """Numbers of the games that have ended, the newest first, and a line for each."""
        records = self.match().results.records
        return [
            (number, " ".join(map(str.strip, game_lines(number, records[number]))))
            for number in sorted(records, reverse=True)
        ]

    def game(self, number: int) -> Game | None:
        """A game as a record, or None if there is none of that number."""
        results = self.match().results
        return match_game(results, number, more=COMMENTS) if number in results.records else None
