"""What `match` and `tournament` print in the layout of fastchess, for programs that read its output.

Red is White there, as in PGN files, because those programs look for that word. Elo and its error are those of
fastchess: a normal approximation, which is NaN where it says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from statistics import NormalDist
from time import monotonic
from typing import NamedTuple

from ...engines import Limit
from .game import PlayedGame
from .plan import MatchPlan
from .results import MatchResults, MatchSummary, PairingSummary
from .spec import PlayerSpec
from .stats import NELO, elo_of, moments

RULE = "-" * 50
Z95 = NormalDist().inv_cdf(0.975)
NAME_WIDTH = 25
# Ends of games in the words that other programs look for, after the winner, the loser, and "Draw by".
BY_WINNER = {
    "checkmate": "mates",
    "win_adjudication": "wins by adjudication",
    "table_adjudication": "wins by adjudication",
}
BY_LOSER = {
    "time_forfeit": " loses on time",
    "crash": " disconnects",
    "no_answer": "'s connection stalls",
    "illegal_move": " makes an illegal move",
    "no_move": " makes an illegal move",
}
DRAWS = {
    "repetition": "3-fold repetition",
    "insufficient_material": "insufficient mating material",
    "draw_adjudication": "adjudication",
    "table_adjudication": "adjudication",
    "max_plies": "adjudication",
}


class NormalEstimate(NamedTuple):
    """A difference in strength by a normal approximation: NaN where it gives none."""

    elo: float
    error: float  #: half the width of the interval of 95 %
    nelo: float
    nelo_error: float
    los: float

    @classmethod
    def of(cls, counts: Sequence[int]) -> NormalEstimate:
        """From three counts of games or five of pairs, worst first.

        >>> [round(value, 2) for value in NormalEstimate.of([34, 54, 63, 64, 75])]
        [55.58, 27.65, 57.94, 28.28, 1.0]
        """
        n = sum(counts)
        if not n:
            return cls(math.nan, math.nan, math.nan, math.nan, math.nan)
        score, deviation = moments(counts)
        ahead = score - 0.5
        if not deviation:
            error = 0.0 if 0 < score < 1 else math.nan
            if not ahead:
                return cls(0.0, error, math.nan, math.nan, math.nan)
            return cls(elo_of(score), error, math.copysign(math.inf, ahead), math.nan, float(ahead > 0))
        spread = deviation / math.sqrt(n)
        low, high = score - Z95 * spread, score + Z95 * spread
        unit = NELO / (deviation * math.sqrt(2 if len(counts) == 5 else 1))
        return cls(
            elo_of(score),
            math.nan if low < 0 or high > 1 else (elo_of(high) - elo_of(low)) / 2,
            ahead * unit,
            Z95 * spread * unit,
            NormalDist().cdf(ahead / spread),
        )


class MatchOutput:
    """The lines of a match.

    interval: pairs of games between two reports of the result; 0: one at the end. book: name of the openings.
    """

    def __init__(self, results: MatchResults, *, interval: int = 10, book: str = "") -> None:
        self._plan = results.plan
        self._interval = interval
        self._book = PurePath(book).name
        self._so_far = MatchResults(results.plan)  # pair by pair: one game may let several be counted
        self._told = set(results.records)  # games that have been shown, but are not counted there yet
        for _ in self._counted(results):
            pass
        self._reported = self._so_far.counted
        self._began = monotonic()

    def game(self, results: MatchResults, number: int) -> Iterator[str]:
        """What is said when a game has ended."""
        record = results.records[number]
        yield (
            f"Finished game {number + 1} ({record.red} vs {record.black}): "
            f"{record.result} {{{ending(record)}}}"
        )
        self._told.add(number)
        reports: list[str] = []
        for found in self._counted(results):
            if self._interval and found.counted % (2 * self._interval) == 0:
                self._reported = found.counted
                reports += self._report(found.summary(brief=True))
        yield from reports

    def _counted(self, results: MatchResults) -> Iterator[MatchResults]:
        """The results after each further pair of games that can be counted."""
        found = self._so_far
        while {first := found.counted, first + 1} <= self._told:
            self._told -= {first, first + 1}
            for number in (first, first + 1):
                found.add(number, results.records[number])
            yield found

    def end(self, found: MatchSummary) -> Iterator[str]:
        """What is said when no more games are played."""
        if self._reported != found.games or not self._interval:
            yield from self._report(found)
        test = found.test
        if test is not None and test.verdict is not None:
            bounds = f"[{test.sprt.elo0:.2f}, {test.sprt.elo1:.2f}]"
            yield f"SPRT ({bounds}) completed - {test.verdict} was accepted"
        else:
            yield "Tournament finished" if found.is_done else "Tournament was interrupted."
        for name, faults in found.faults.items():
            yield f"Player: {name}"
            yield f"  Timeouts: {faults.get('time_forfeit', 0)}"
            yield f"  Crashed: {faults.get('crash', 0) + faults.get('no_answer', 0)}"
        yield "Finished match"
        minutes, seconds = divmod(round(monotonic() - self._began), 60)
        yield f"Total Time: {minutes // 60:02}:{minutes % 60:02}:{seconds:02} (hours:minutes:seconds)"

    def _report(self, summary: MatchSummary) -> Iterator[str]:
        yield RULE
        yield from self._match(summary) if len(summary.players) == 2 else _ranks(summary)
        yield RULE

    def _match(self, summary: MatchSummary) -> Iterator[str]:
        yield from self._results_of(summary.pairings[0])
        if (test := summary.test) is not None:
            (low, high), sprt, llr = test.sprt.bounds, test.sprt, test.llr
            share = 100 * llr / (high if llr >= 0 else -low)
            yield (
                f"LLR: {llr:.2f} ({share:.1f}%) ({low:.2f}, {high:.2f}) [{sprt.elo0:.2f}, {sprt.elo1:.2f}]"
            )

    def _results_of(self, pairing: PairingSummary) -> Iterator[str]:
        plan = self._plan
        first, second = plan.players
        counts, won, drawn, lost = pairing.pairs, pairing.wins, pairing.draws, pairing.losses
        found, level_drawn, games = NormalEstimate.of(counts), pairing.drawn_pairs, won + drawn + lost
        about = [
            _both(time_control(first, plan), time_control(second, plan)),
            _both(_option(first, "Threads", "t"), _option(second, "Threads", "t")),
            _both(_option(first, "Hash", "MB"), _option(second, "Hash", "MB")),
            *([self._book] if self._book else []),
        ]
        yield f"Results of {first.name} vs {second.name} ({', '.join(about)}):"
        yield (
            f"Elo: {found.elo:.2f} +/- {found.error:.2f}, nElo: {found.nelo:.2f} +/- {found.nelo_error:.2f}"
        )
        yield (
            f"LOS: {100 * found.los:.2f} %, DrawRatio: {_percent(counts[2], sum(counts))} %, "
            f"PairsRatio: {_ratio(counts[3] + counts[4], counts[0] + counts[1])}"
        )
        points = won + drawn / 2
        yield (
            f"Games: {games}, Wins: {won}, Losses: {lost}, Draws: {drawn}, "
            f"Points: {points:.1f} ({_percent(points, games)} %)"
        )
        yield f"Ptnml(0-2): {list(counts)}, WL/DD Ratio: {_ratio(counts[2] - level_drawn, level_drawn)}"


def _ranks(summary: MatchSummary) -> Iterator[str]:
    width = max(NAME_WIDTH, *map(len, summary.players))
    heads = ["Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"]
    yield f"{'Rank':<4} {'Name':<{width}} {' '.join(f'{head:>10}' for head in heads)} {'Ptnml(0-2)':>20}"
    rows = []
    for name in summary.players:
        pairs, won, drawn, lost = [0] * 5, 0, 0, 0
        for one in summary.pairings:
            if name in one.players:
                step = 1 if name == one.players[0] else -1
                pairs = [a + b for a, b in zip(pairs, one.pairs[::step], strict=True)]
                wins, losses = (one.wins, one.losses)[::step]
                won, drawn, lost = won + wins, drawn + one.draws, lost + losses
        rows.append((NormalEstimate.of(pairs), name, pairs, won + drawn / 2, won + drawn + lost))
    rows.sort(key=lambda row: math.inf if math.isnan(row[0].elo) else -row[0].elo)
    for rank, (found, name, pairs, points, games) in enumerate(rows, 1):
        level, score = _percent(pairs[2], sum(pairs), digits=1), _percent(points, games, digits=1)
        yield (
            f"{rank:>4} {name:<{width}} {found.elo:>10.2f} {found.error:>10.2f} {found.nelo:>10.2f} "
            f"{found.nelo_error:>10.2f} {games:>10} {score:>9}% {level:>9}% {pairs!s:>20}"
        )


def ending(record: PlayedGame) -> str:
    """How the game has ended, in words that name White and Black."""
    reason = record.reason
    words = reason.replace("_", " ")
    if record.loser is None:
        return f"Draw by {DRAWS.get(reason, words)}"
    winner, loser = ("White", "Black") if record.result == "1-0" else ("Black", "White")
    if reason in BY_LOSER:
        return f"{loser}{BY_LOSER[reason]}"
    return f"{winner} {BY_WINNER.get(reason, f'wins by {words}')}"


def time_control(player: PlayerSpec, plan: MatchPlan) -> str:
    """The limit of a player, as fastchess shows it."""
    limit = player.limit or plan.limit or Limit()
    if limit.red_clock is not None:
        moves = f"{limit.remaining_moves}/" if limit.remaining_moves else ""
        return f"{moves}{limit.red_clock:g}" + (f"+{limit.red_inc:.2g}" if limit.red_inc else "")
    for value, unit in ((limit.time, "/move"), (limit.depth, " plies"), (limit.nodes, " nodes")):
        if value is not None:
            return f"{value:g}{unit}" if isinstance(value, float) else f"{value}{unit}"
    return ""


def _option(player: PlayerSpec, name: str, unit: str) -> str:
    given = {"Threads": player.threads, "Hash": player.hash_mib}[name]
    options = {key.lower(): value for key, value in player.options.items()}
    value = options.get(name.lower()) if given is None else given
    return "NULL" if value is None else f"{value}{unit}"


def _both(first: str, second: str) -> str:
    return first if first == second else f"{first} - {second}"


def _percent(part: float, whole: int, *, digits: int = 2) -> str:
    return f"{100 * part / whole if whole else math.nan:.{digits}f}"


def _ratio(above: int, below: int) -> str:
    return f"{above / below if below else math.inf if above else math.nan:.2f}"
