"""What shows a match: its results in words, on a terminal while it is played, and its games as a PGN file.

>>> elo_text(3.14159), elo_text(float("-inf"))
('+3.1', '-inf')
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from time import monotonic

from ..._internal.files import named
from ..._internal.live import LiveLines
from ...jobs.identity import Identity
from ...pieces import RED
from ...records import Game, GameNode, pgn_writer, read_games
from .fastchess import MatchOutput
from .game import OWN_COMMENT, PlayedGame
from .plan import MatchPlan, limit_text
from .ratings import Rating
from .results import MatchResults, MatchSummary, PairingSummary, SprtSummary
from .spec import PlayerSpec, ProgramSpec
from .stats import Estimate, Sprt

REFRESH = 1.0  # seconds between two pictures of the table
LAST = 5  # games shown below it
NAME = 21  # characters of a player's name in the line of a game
PAIR_POINTS = ("2-0", "1.5-0.5", "1-1", "0.5-1.5", "0-2")  # of the first engine and the other


def player_words(player: PlayerSpec, plan: MatchPlan) -> list[str]:
    """What plays, with which settings, and within which limit."""
    words = [" ".join(player.command) if isinstance(player, ProgramSpec) else "eleengine"]
    threads, hash_mib = player.threads, player.hash_mib
    words.append("its own threads" if threads is None else f"{threads} thread{'s' * (threads > 1)}")
    words.append("its own hash" if hash_mib is None else f"{hash_mib} MiB hash")
    words += [f"{name}={value}" for name, value in player.options.items()]
    words += ["ponders"] if player.ponder else []
    return [*words, limit_text(plan.limit_of(player), RED)]


def player_lines(plan: MatchPlan, engines: Sequence[Identity]) -> list[str]:
    """A line for each player, before the games."""
    return [
        f"{player.name}: {', '.join(player_words(player, plan))}"
        + (f"; games do not repeat: {', '.join(why)}" if (why := plan.changes(player, engine)) else "")
        for player, engine in zip(plan.players, engines, strict=True)
    ]


def game_lines(number: int, record: PlayedGame) -> list[str]:
    """The line of a game, of at most 100 characters: its number from 1, players, result, reason and plies.

    A second one has the details of the reason, if there are any.
    """
    red, black = (
        name if len(name) <= NAME else f"{name[: NAME // 2]}…{name[-(NAME // 2) :]}"
        for name in (record.red, record.black)
    )
    line = f"{number + 1:>4} {red} - {black} {record.result} ({record.reason}, {record.plies} plies)"
    return [line, *([f"     {' '.join(record.detail.split())}"] if record.detail else [])]


def standing(pairing: PairingSummary, test: SprtSummary | None) -> list[str]:
    """How the two engines stand: the points, and what they prove."""
    found = pairing.estimate
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
        lines[-1] += f", LLR {llr_text(test.sprt, test.llr)}"
    return lines


def estimate_text(found: Estimate) -> str:
    """What counts prove, as a line."""
    return (
        f"Elo {elo_text(found.elo)} {interval_text(found.low, found.high)}, "
        f"normalised {elo_text(found.nelo)}, LOS {100 * found.los:.1f} %"
    )


def games_text(found: Estimate) -> str:
    """The games and their score."""
    return f"{found.games} games, {100 * found.score:.1f} %"


def corrected_text(sprt: Sprt, counts: Sequence[int]) -> str:
    """What counts prove if the test has said when to stop."""
    elo, low, high = sprt.corrected(counts)
    return f"Elo {elo_text(elo)} {interval_text(low, high)} corrected for stopping by the test"


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
            f"depth {known(speed.get('depth'), '.1f')}, {known(speed.get('nps'), ',.0f')} nodes/s"
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


def known(figure: float | None, form: str) -> str:
    """A figure in that form; ? if it is not known."""
    return "?" if figure is None else format(figure, form)


def elo_text(elo: float) -> str:
    """Rounded to tenths, with a sign."""
    return f"{elo:+.1f}"


def interval_text(low: float, high: float) -> str:
    """The limits of an Elo difference."""
    return f"[{elo_text(low)}, {elo_text(high)}]"


def llr_text(sprt: Sprt, llr: float) -> str:
    """A log-likelihood ratio, and the bounds of its test."""
    return "{:.2f} ({:.2f}, {:.2f})".format(llr, *sprt.bounds)


class MatchDisplay:
    """The games as they end: a table on a terminal, otherwise a line for each and the table now and then.

    quiet: show nothing. fastchess: its layout in place of ours. interval: pairs of games from one table to
    the next, 0: one at the end. book: as for `MatchOutput`.
    """

    def __init__(
        self,
        results: MatchResults,
        *,
        quiet: bool,
        fastchess: bool = False,
        interval: int = 10,
        book: str = "",
    ) -> None:
        self._planned = results.plan.games
        self._output: MatchOutput | None = (
            MatchOutput(results, interval=interval, book=book) if fastchess else None
        )
        self._live = LiveLines(sys.stdout)
        self._quiet = quiet
        self._before = len(results.records)
        self._began = monotonic()
        self._next = 0.0
        self._last: list[str] = []
        self._interval = interval
        self._tables = results.counted // (2 * interval) if interval else 0  # that have been due

    def begin(self, plan: MatchPlan, engines: Sequence[Identity]) -> None:
        """Say who plays."""
        if not self._quiet and self._output is None:
            _print(player_lines(plan, engines))

    def take(self, results: MatchResults, number: int) -> None:
        """Show a game that has ended."""
        record = results.records[number]
        if self._quiet:
            return
        if self._output is not None:
            _print(self._output.game(results, number))
            return
        lines = game_lines(number, record)
        if not self._live.on:
            tables = results.counted // (2 * self._interval) if self._interval else 0
            if tables > self._tables and not results.done:  # else it follows at the end
                lines += table(results.summary(brief=True), brief=True)
            self._tables = tables
            _print(lines)
            return
        self._last = [*self._last, *lines][-LAST:]
        start = monotonic()
        if start >= self._next:
            rows = table(results.summary(brief=True), brief=True)
            self._live.show([self._progress(len(results.records)), *rows, *self._last])
            # A table of many players takes time, which the engines shall have.
            self._next = monotonic() + max(REFRESH, 30 * (monotonic() - start))

    def _progress(self, done: int) -> str:
        spent = monotonic() - self._began
        rest = spent / max(1, done - self._before) * (self._planned - done)
        return f"{done} of {self._planned} games, {spent / 60:.1f} min, at most {rest / 60:.1f} min left"

    def show_result(self, found: MatchSummary) -> None:
        """Print the result, when the terminal is left as it was."""
        if not self._quiet:
            _print(self._output.end(found) if self._output is not None else summary_lines(found))

    def __enter__(self) -> MatchDisplay:
        self._live.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.clear()
        self._live.__exit__(*error)


def _print(lines: Iterable[str]) -> None:
    """Write lines in one piece: an interruption does not fall between a line and its end."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


class PgnFile:
    """The PGN file of a match: it begins with the games of the results, and each other one is added.

    style: of the moves, as for `pgn_writer.text_of`. more, pawns: as for `PlayedGame.game`.
    ValueError: the file is there already, and may hold anything else. OSError.
    """

    def __init__(
        self,
        path: str,
        results: MatchResults,
        *,
        style: str = "iccs",
        more: Collection[str] = (),
        pawns: bool = False,
    ) -> None:
        self._style = style
        self._more = more
        self._pawns = pawns
        if Path(path).is_file() and Path(path).stat().st_size:
            _check(path, results)
        self._file = open(path, "w", encoding="utf-8")  # noqa: SIM115 - closed by close()
        for number in sorted(results.records):
            self.take(results, number)

    def take(self, results: MatchResults, number: int) -> None:
        """Add a game, to the disk."""
        game = match_game(results, number, more=self._more, pawns=self._pawns)
        text = pgn_writer.text_of(game, style=self._style)
        with named(self._file.name):
            self._file.write(f"{text}\n")
            self._file.flush()

    def close(self) -> None:
        """Each game was flushed: an error was reported by then."""
        with contextlib.suppress(OSError):
            self._file.close()


def match_game(
    results: MatchResults, number: int, *, more: Collection[str] = (), pawns: bool = False
) -> Game:
    """A game of the match as a record, with the headers of the plan; KeyError."""
    game = results.records[number].game(more=more, pawns=pawns)
    game.headers = {**results.plan.headers(number), **game.headers}
    return game


def _check(path: str, results: MatchResults) -> None:
    """ValueError unless the file has games of the results alone, which may be written again."""
    if not results.records:
        raise ValueError(f"{path}: is there already, and no journal of its games was given")
    games = list(read_games(path, format="pgn"))
    if games and (games[-1].warnings or not games[-1].children):  # cut off when the match was
        games.pop()
    played = {(game.red, game.black, *game.moves) for game in results.records.values()}
    found = [(*map(game.headers.get, ("Red", "Black")), *game.mainline_moves()) for game in games]
    ours = (
        games
        and played.issuperset(found[:-1])
        and any(line[: len(found[-1])] == found[-1] for line in played)
    )
    sound = not any(game.warnings or any(map(_is_edited, game.nodes())) for game in games)
    if not (ours and sound and len(games) <= len(results.records)):
        raise ValueError(f"{path}: is there already, and holds more than the games of the journal")


def _is_edited(node: GameNode) -> bool:
    """Has somebody added to what a match writes of a move: a comment, a glyph or a variation?"""
    is_own = not node.comment or OWN_COMMENT.match(node.comment)
    return len(node.children) > 1 or not is_own or any(node.notes()[1:])
