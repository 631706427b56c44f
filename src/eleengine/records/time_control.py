"""The header TimeControl of PGN: how much time the players had.

>>> control = parse_time_control("40/7200+30:3600")
>>> control.type
<TimeControlType.STANDARD: 2>
>>> control.parts[0]
TimeControlPart(moves=40, time=7200.0, increment=30.0, delay=0.0)
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from .._internal.message import as_text

__all__ = ["TimeControl", "TimeControlPart", "TimeControlType", "parse_time_control"]


class TimeControlType(Enum):
    """How fast the games of a time control are, by the time and 60 increments of its first part.

    Less than 3 minutes is BULLET, less than 15 BLITZ, less than an hour RAPID. UNKNOWN is "?" or no text,
    UNLIMITED "-".
    """

    UNKNOWN = 0
    UNLIMITED = 1
    STANDARD = 2
    RAPID = 3
    BLITZ = 4
    BULLET = 5


class TimeControlPart(NamedTuple):
    """A period of a game.

    moves: that are to be made in it, 0 for all that remain. time: seconds for them. increment: seconds that
    each move adds. delay: seconds of each move that do not count.
    """

    moves: int = 0
    time: float = 0.0
    increment: float = 0.0
    delay: float = 0.0


class TimeControl(NamedTuple):
    """The periods of a game, in order; none if the type is UNKNOWN or UNLIMITED."""

    parts: tuple[TimeControlPart, ...]
    type: TimeControlType


_SECONDS = r"\d+(?:\.\d+)?"
_PART = re.compile(rf"(?:(\d+)/)?({_SECONDS})(?:\+({_SECONDS})([dD]?))?", re.ASCII)
_SLOWER = (
    (3600, TimeControlType.STANDARD),
    (900, TimeControlType.RAPID),
    (180, TimeControlType.BLITZ),
    (0, TimeControlType.BULLET),
)  # by the least number of seconds


def parse_time_control(text: str) -> TimeControl:
    """Read the text of the header; ValueError for another form, such as words.

    A ":" stands between periods. Each is MOVES/SECONDS+INCREMENT; moves and increment may be missing, and a
    "d" after the increment makes it a delay. "?" and "" are unknown, "-" is no limit.
    """
    if text in ("", "?"):
        return TimeControl((), TimeControlType.UNKNOWN)
    if text == "-":
        return TimeControl((), TimeControlType.UNLIMITED)
    parts: list[TimeControlPart] = []
    for word in as_text("a time control", text).split(":"):
        if parts and not parts[-1].moves:
            raise ValueError(f"only the last period can be for all remaining moves: {text!r}")
        found = _PART.fullmatch(word)
        if found is None:
            raise ValueError(f"not a time control: {text!r}; one is 40/7200+30:3600, 300, - or ?")
        moves, time, bonus, delay = found.groups()
        seconds = float(bonus or 0)
        part = TimeControlPart(int(moves or 0), float(time))
        parts.append(part._replace(delay=seconds) if delay else part._replace(increment=seconds))
    first = parts[0]
    total = first.time + 60 * first.increment
    return TimeControl(tuple(parts), next(kind for least, kind in _SLOWER if total >= least))
