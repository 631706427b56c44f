"""The marks of moves, such as ??: sign, number in PGN, color, and the word for those that reviews give.

>>> [mark.sign for mark in MARKS]
['!', '!!', '!?', '?!', '?', '??']
>>> BY_NAME["blunder"].words["zh"], BY_NAME["blunder"].nag
('漏着', 4)
"""

from __future__ import annotations

from typing import NamedTuple

from ._internal.traditional import by_language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BY_NAME", "GIVEN", "MARKS", "SIGNS", "Mark"]


class Mark(NamedTuple):
    """A mark."""

    name: str
    sign: str  #: behind a move
    nag: int  #: its numeric glyph
    color: str  #: on light ground
    dark: str  #: the color on dark ground
    words: Mapping[str, str] = {}  #: by language, of those that reviews give
    plural: str = ""  #: of the English word

    @property
    def plurals(self) -> dict[str, str]:
        """What several are called, by language."""
        return {**self.words, "en": self.plural}


def _found(name: str, sign: str, nag: int, colors: tuple[str, str], *words: str) -> Mark:
    english, plural, chinese = words
    return Mark(name, sign, nag, *colors, by_language(english, chinese), plural)


_MISTAKE = ("?", 2, ("#b35300", "#f0a35e"))

#: From good to bad.
MARKS = (
    Mark("good", "!", 1, "#2b7a4b", "#7fcf9d"),
    Mark("brilliant", "!!", 3, "#1f7a8c", "#6cc3d4"),
    Mark("interesting", "!?", 5, "#2a6fb0", "#7db7ec"),
    _found("inaccuracy", "?!", 6, ("#8a6200", "#e3bc5b"), "inaccuracy", "inaccuracies", "缓着"),
    _found("mistake", *_MISTAKE, "mistake", "mistakes", "失着"),
    _found("blunder", "??", 4, ("#b3261e", "#f08d83"), "blunder", "blunders", "漏着"),
)
#: Also that of a mate that was let go, which is a mistake by its sign.
BY_NAME = {mark.name: mark for mark in MARKS}
BY_NAME["missed_mate"] = _found("missed_mate", *_MISTAKE, "missed mate", "missed mates", "错失杀着")
#: Those that reviews give, the worst first.
GIVEN = tuple(BY_NAME[name] for name in ("blunder", "mistake", "inaccuracy", "missed_mate"))
#: The signs that are written behind a move, by the number of the glyph.
SIGNS = {mark.nag: mark.sign for mark in MARKS}
