"""Numbers as people write them: `int` and `float` would also read other scripts' digits, 1_000 and nan.

>>> whole("12"), whole("-3"), real("0.5"), real("1e3")
(12, -3, 0.5, 1000.0)
"""

from __future__ import annotations

import math
import re

_WHOLE = re.compile(r"[+-]?[0-9]{1,30}")
_REAL = re.compile(r"[+-]?([0-9]{1,30}(\.[0-9]{0,30})?|\.[0-9]{1,30})([eE][+-]?[0-9]{1,3})?")


def whole(text: str) -> int:
    """A whole number; ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 30) and not _WHOLE.fullmatch(text):
        raise ValueError(f"not a whole number: {text[:40]!r}")
    return int(text)


def real(text: str) -> float:
    """A number, perhaps with a decimal point or an exponent; ValueError."""
    number = float(text) if _REAL.fullmatch(text) else math.nan
    if not math.isfinite(number):  # 1e999 is not
        raise ValueError(f"not a number: {text[:40]!r}")
    return number
