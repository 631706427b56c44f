"""When a game ends before the rules end it: the players see it as decided, or it takes too long."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from ...pieces import RED, Color


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game ends before the rules end it. A score of None switches that rule off.

    resign_score: centipawns: lost for a side that sees itself that far behind while the other sees
        itself that far ahead, both resign_moves times in a row; resign_alone: what the other one sees
        does not matter.
    draw_score: drawn if, from draw_ply plies on, both see no more than this for either side, in
        draw_moves times in a row.
    max_plies: plies from the opening after which the game is drawn.
    """

    resign_score: int | None = None
    resign_moves: int = 3
    resign_alone: bool = False
    draw_score: int | None = None
    draw_moves: int = 8
    draw_ply: int = 80
    max_plies: int = 400

    def check(self) -> None:
        """ValueError names what is out of range."""
        for name, value in asdict(self).items():
            minimum = 0 if name in ("draw_score", "draw_ply", "resign_alone") else 1
            if value is not None and value < minimum:
                raise ValueError(f"{name} must be at least {minimum}, not {value}")


class ResignTracker:
    """Counts for how many moves in a row each side has seen itself as losing and as winning.

    >>> tracker = ResignTracker(Adjudication(resign_score=500, resign_moves=1))
    >>> tracker.update(True, -600), tracker.update(False, 700)  # Red is lost, and Black agrees
    (None, True)
    """

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._losing = [0, 0]  # by color
        self._winning = [0, 0]

    def update(self, color: Color, score: int | None) -> Color | None:
        """Count a move and the mover's score; return the side that has lost by it, if one has."""
        limit = self._rules.resign_score
        if limit is None:
            return None
        self._losing[color] = self._losing[color] + 1 if score is not None and score <= -limit else 0
        self._winning[color] = self._winning[color] + 1 if score is not None and score >= limit else 0
        for loser in (color, not color):
            if self._losing[loser] >= self._rules.resign_moves and self._is_agreed(not loser):
                return loser
        return None

    def _is_agreed(self, winner: Color) -> bool:
        return self._rules.resign_alone or self._winning[winner] >= self._rules.resign_moves


class DrawTracker:
    """Counts for how many moves in a row each side has seen the game as even.

    >>> tracker = DrawTracker(Adjudication(draw_score=10, draw_moves=1, draw_ply=0))
    >>> tracker.update(True, 3), tracker.update(False, -10)
    (False, True)
    """

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._even = [0, 0]  # by color
        self._plies = 0

    def update(self, color: Color, score: int | None) -> bool:
        """Count a move and the mover's score; return whether the game is drawn by it."""
        limit = self._rules.draw_score
        is_even = limit is not None and score is not None and abs(score) <= limit
        self._even[color] = self._even[color] + 1 if is_even else 0
        self._plies += 1
        return self._plies >= self._rules.draw_ply and min(self._even) >= self._rules.draw_moves


class MaxPliesTracker:
    """Counts the moves of a game.

    >>> tracker = MaxPliesTracker(Adjudication(max_plies=2))
    >>> tracker.update(), tracker.update()
    (False, True)
    """

    def __init__(self, rules: Adjudication) -> None:
        self._rules = rules
        self._plies = 0

    def update(self) -> bool:
        """Count a move; return whether it is the last one that the game may have."""
        self._plies += 1
        return self._plies >= self._rules.max_plies


class Adjudicator:
    """Decides after each move whether a game ends by `Adjudication`."""

    def __init__(self, rules: Adjudication) -> None:
        self._resign = ResignTracker(rules)
        self._draw = DrawTracker(rules)
        self._max_plies = MaxPliesTracker(rules)

    def update(self, color: Color, score: int | None) -> tuple[str, str] | None:
        """Count a move and the mover's score in centipawns; return result and reason if the game ends."""
        loser = self._resign.update(color, score)
        is_drawn = self._draw.update(color, score)
        is_last = self._max_plies.update()
        if loser is not None:
            return ("0-1" if loser == RED else "1-0"), "win_adjudication"
        if is_drawn:
            return "1/2-1/2", "draw_adjudication"
        return ("1/2-1/2", "max_plies") if is_last else None
