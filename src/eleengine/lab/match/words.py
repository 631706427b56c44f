"""The results of a match in words: how engines stand, what that proves, how games ended.

>>> elo_text(3.14159), elo_text(float("-inf"))
('+3.1', '-inf')
"""

from __future__ import annotations

from collections.abc import Sequence

from ...jobs.identity import Identity, varies
from ...pieces import RED
from .game import PlayedGame
from .plan import MatchPlan, limit_text
from .ratings import Rating
from .spec import PlayerSpec, ProgramSpec
from .stats import Estimate, Sprt
from .summary import MatchSummary, PairingSummary, SprtSummary

PAIR_POINTS = ("2-0", "1.5-0.5", "1-1", "0.5-1.5", "0-2")  # of the first engine and the other


def player_words(player: PlayerSpec, plan: MatchPlan) -> list[str]:
    """What plays, with which settings, and within which limit."""
    words = [" ".join(player.command) if isinstance(player, ProgramSpec) else "eleengine"]
    for value, unit in ((player.threads, "threads"), (player.hash_mib, "MiB hash")):
        words.append(f"its own {unit}" if value is None else f"{value} {unit}")
    words += [f"{name}={value}" for name, value in player.options.items()]
    words += ["ponders"] if player.ponder else []
    return [*words, limit_text(plan.limit_of(player), RED)]


def changes(player: PlayerSpec, plan: MatchPlan, engine: Identity) -> list[str]:
    """Why games of the player may go otherwise each time; nothing if they repeat exactly."""
    threads = "its own" if player.threads is None else player.threads
    found = [] if threads == 1 else [f"{threads} threads"]
    if any(name not in ("nodes", "depth") for name in plan.limit_of(player).given()):
        found.append("time")
    return [*found, *(f"{name} {value}" for name, value in engine.items() if varies(engine, name))]


def player_lines(plan: MatchPlan, engines: Sequence[Identity]) -> list[str]:
    """A line for each player, before the games."""
    return [
        f"{player.name}: {', '.join(player_words(player, plan))}"
        + (f"; games do not repeat: {', '.join(why)}" if (why := changes(player, plan, engine)) else "")
        for player, engine in zip(plan.players, engines, strict=True)
    ]


def game_line(number: int, record: PlayedGame) -> str:
    """Return the line that reports a game: its number from 1, players, result, reason and plies."""
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


def games_text(found: Estimate) -> str:
    """The games and their score."""
    return f"{found.games} games, {100 * found.score:.1f} %"


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
    """Rounded to tenths, with a sign."""
    return f"{elo:+.1f}"
