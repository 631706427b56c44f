"""What is said of a position: comments, glyphs, clocks, evaluations and arrows, also as text.

In text they are commands in comments: ``[%eval 0.35,12] [%clk 0:09:58]``, those of chess PGN: ``%clk`` (time
left), ``%emt`` (time of the move), ``%eval`` (pawns or mate ``#-3``, for Red, then the depth), ``%cal``
(arrows) and ``%csl`` (highlights) with a letter for the color. ``%nag`` holds glyphs where a format has no
other place for them.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Iterator, Mapping, MutableSet
from itertools import chain
from numbers import Real
from typing import Any, Final, NamedTuple

from ..marks import SIGNS
from ..notation import CHECK_SIGNS
from ..pieces import RED
from ..score import Cp, Mate, MateGiven, PovScore, read_score_data, score_data, score_text
from ..squares import parse_square, square_name
from ..svg import Arrow
from .nags import MAX_NAG

__all__ = ["GLYPHS", "Annotations", "Eval", "Nags", "annotate", "joined", "mark_move", "obeyed", "split_mark"]

#: Glyphs behind moves and their NAGs.
GLYPHS: Final = {sign: nag for nag, sign in SIGNS.items()}
_CHECKS: Final = tuple(CHECK_SIGNS)
_FULL_WIDTH: Final = str.maketrans("！？", "!?")
COMMAND: Final = re.compile(r"\s*[\[［]%(\w+) ([^\[［\]］]*)[\]］]\s*")
_NOTES: Final = operator.attrgetter(
    "comment", "starting_comment", "_nags", "arrows", "clock", "elapsed", "eval"
)
_CLOCK: Final = re.compile(r"(?:(\d{1,6}):)?(\d{1,6}):(\d{1,6}(?:\.\d{1,9})?)$")
_EVAL: Final = re.compile(r"(?:#([+-]?\d{1,4})|([+-]?\d{1,7}(?:\.\d{1,4})?))(?:,(\d{1,4}))?$")


class Eval(NamedTuple):
    """What an engine says of the position after a move.

    score: from either side's point of view. depth: in plies, if it is known.
    """

    score: PovScore
    depth: int | None = None


NO_NOTES: Final = ("", "", (), (), None, None, None)
_SECONDS: Final = (Real | None, "a number of seconds or None")
_KINDS: Final = {
    "comment": (str, "a str"),
    "starting_comment": (str, "a str"),
    "arrows": (tuple | list, "a tuple of Arrow"),
    "clock": _SECONDS,
    "elapsed": _SECONDS,
    "eval": (Eval | None, "an Eval or None"),
}


class Nags(MutableSet[int]):
    """The numeric glyphs of a node: a set that keeps their order, and changes the node when it is changed.

    >>> from eleengine.records import Game
    >>> game = Game()
    >>> game.nags = (14, 1)
    >>> game.nags.add(3)
    >>> game.nags, game.nags == {1, 3, 14}, list(game.nags)[0]
    (Nags(14, 1, 3), True, 14)
    """

    __slots__ = ("_node",)

    def __init__(self, node: Annotations) -> None:
        self._node = node

    def __contains__(self, nag: object) -> bool:
        return nag in self._node._nags

    def __iter__(self) -> Iterator[int]:
        return iter(self._node._nags)

    def __len__(self) -> int:
        return len(self._node._nags)

    def add(self, value: int) -> None:
        """Add a glyph; ValueError for a number that is not from 0 to 9999."""
        self.update([value])

    def update(self, *others: Iterable[int]) -> None:
        """Add all of these; errors as for `add`."""
        self._node.nags = (*self, *chain(*others))

    def discard(self, value: int) -> None:
        """Take a glyph out if it is there."""
        self._node.nags = [nag for nag in self if nag != value]

    @classmethod
    def _from_iterable(cls, it: Iterable[int]) -> set[int]:  # type: ignore[override]  # of &, |, - and ^
        return set(it)

    def __repr__(self) -> str:
        return f"Nags({', '.join(map(str, self))})"


class Annotations:
    """What is said of a position and of the move that led to it, which a `GameNode` has.

    comment: text, lines separated by "\\n"; "" without one.
    starting_comment: text before the first move of a variation, as annotators introduce one; "" without one.
    nags: a set of numeric glyphs of PGN, such as 1 (good move), 2 (mistake), 4 (blunder), in the order in
        which they were added; ValueError for a number that is not from 0 to 9999.
    arrows: each an `svg.Arrow` drawn on the position; one from a square to itself is a highlight.
    clock: seconds that the mover had left after the move. elapsed: seconds that the move took.
    eval: what an engine says of the position.
    """

    __slots__ = ("_nags", "arrows", "clock", "comment", "elapsed", "eval", "starting_comment")

    def __init__(self, comment: str = "") -> None:
        self.comment: str = comment
        self.starting_comment: str = ""
        self._nags: tuple[int, ...] = ()
        self.arrows: tuple[Arrow, ...] = ()
        self.clock: float | None = None
        self.elapsed: float | None = None
        self.eval: Eval | None = None

    @property
    def nags(self) -> Nags:
        """The glyphs as numbers of PGN, 0 to 9999 (1 is `!`); takes any iterable, ValueError for others."""
        return Nags(self)

    @nags.setter
    def nags(self, nags: Iterable[int]) -> None:
        numbers = tuple(map(operator.index, nags))
        for nag in numbers:
            if not 0 <= nag <= MAX_NAG:
                raise ValueError(f"a glyph is a number from 0 to {MAX_NAG}, not {nag}")
        self._nags = tuple(dict.fromkeys(numbers))

    def is_annotated(self) -> bool:
        """Has the node a comment, a glyph, an arrow, a clock or an evaluation?"""
        return any(note is not None and note not in ("", ()) for note in self.notes())

    def annotate_from(self, other: Annotations) -> None:
        """Add what another node says, unless it is said here."""
        self.comment = _added(self.comment, other.comment)
        self.starting_comment = _added(self.starting_comment, other.starting_comment)
        self.nags.update(other.nags)
        self.arrows += tuple(arrow for arrow in other.arrows if arrow not in self.arrows)
        self.clock = other.clock if self.clock is None else self.clock
        self.elapsed = other.elapsed if self.elapsed is None else self.elapsed
        self.eval = self.eval or other.eval

    def notes(self) -> tuple[Any, ...]:
        """All of it, for comparing; `set_notes` takes it back."""
        return _NOTES(self)

    def set_notes(self, notes: tuple[Any, ...]) -> None:
        """Set what `notes` has returned of another node."""
        self.comment, self.starting_comment, self._nags, self.arrows, *others = notes
        self.clock, self.elapsed, self.eval = others

    def full_comment(self, *, nags: bool = True) -> str:
        """The comment with all that is noted beside it as commands; nags: the glyphs, too."""
        parts = []
        if self.eval is not None:
            depth = "" if self.eval.depth is None else f",{self.eval.depth}"
            parts.append(f"[%eval {score_text(self.eval.score.red(), 'pgn')}{depth}]")
        if self.clock is not None:
            parts.append(f"[%clk {_clock_text(self.clock)}]")
        if self.elapsed is not None:
            parts.append(f"[%emt {_clock_text(self.elapsed)}]")
        for name, rings in (("cal", False), ("csl", True)):
            arrows = [arrow.pgn() for arrow in self.arrows if (arrow.tail == arrow.head) == rings]
            if arrows:
                parts.append(f"[%{name} {','.join(arrows)}]")
        if nags and self.nags:
            parts.append(f"[%nag {','.join(map(str, self.nags))}]")
        return " ".join([*parts, self.comment] if self.comment else parts)

    def notes_to_dict(self) -> dict[str, Any]:
        """What there is of it as data for JSON, see `Game.to_dict`."""
        check_notes(self)
        data = {
            "comment": self.comment,
            "starting_comment": self.starting_comment,
            "nags": list(self.nags),
            "arrows": [square_name(a.tail) + square_name(a.head) + a.color for a in self.arrows],
            "clock": self.clock,
            "elapsed": self.elapsed,
        }
        if self.eval is not None:
            data |= score_data(self.eval.score.red()) | {"depth": self.eval.depth}
        return {name: value for name, value in data.items() if value not in ("", [], None)}

    def set_notes_from_dict(self, data: Mapping[str, Any]) -> None:
        """Set what such data says; ValueError, TypeError, KeyError or AttributeError if it is wrong."""
        self.comment = _field(data, "comment", str) or ""
        self.starting_comment = _field(data, "starting_comment", str) or ""
        self.nags = _field(data, "nags", list, tuple) or ()
        self.arrows = tuple(
            Arrow(parse_square(text[:2]), parse_square(text[2:4]), text[4:] or "green")
            for text in _field(data, "arrows", list, tuple) or ()
        )
        self.clock = _field(data, "clock", float, int)
        self.elapsed = _field(data, "elapsed", float, int)
        if "mate" in data or "cp" in data:
            self.eval = Eval(PovScore(read_score_data(data), RED), _field(data, "depth", int))


def check_notes(node: Annotations) -> None:
    """TypeError for an attribute of another type than it should have, ValueError for a time without end."""
    if node.notes() == NO_NOTES:  # as most nodes
        return
    for name, (kind, words) in _KINDS.items():
        value = getattr(node, name)
        if not isinstance(value, kind):
            raise TypeError(f"{name} is {words}, not {type(value).__name__}")
        if isinstance(value, Real) and not math.isfinite(value):
            raise ValueError(f"{name} cannot be {value}")
    for arrow in node.arrows:
        if not isinstance(arrow, Arrow):
            raise TypeError(f"arrows is a tuple of Arrow, not of {type(arrow).__name__}")
    if node.eval is not None and not isinstance(node.eval.score, PovScore):
        raise TypeError(f"the score of an Eval is a PovScore, not {type(node.eval.score).__name__}")


def _field(data: Mapping[str, Any], name: str, *kinds: type) -> Any:
    """A field of data for JSON, None without it; ValueError if it is of another kind, or no finite number."""
    value = data.get(name)
    is_right = isinstance(value, kinds) and not isinstance(value, bool)
    if value is not None and (not is_right or value in (math.inf, -math.inf) or value != value):
        raise ValueError(f"{name} cannot be {value!r}")
    return value


def joined(comment: str, more: str) -> str:
    """Two comments as one, an empty line between them."""
    return f"{comment}\n\n{more}" if comment and more else comment or more


def _added(comment: str, more: str) -> str:
    return comment if more in comment.split("\n\n") else joined(comment, more)


def split_mark(word: str) -> tuple[str, str]:
    """Return a move and the glyph behind it, which may be full-width: 炮二平五！ is 炮二平五 and "!".

    Signs of check and mate before the glyph, as chess has them, are dropped: h2e2+!, 炮二平五#.
    """
    stem = word.rstrip("!?！？")
    glyph = word[len(stem) :].translate(_FULL_WIDTH)
    if stem[-1:] in _CHECKS and (move := stem.rstrip(CHECK_SIGNS)) and move[-1:].isalnum():
        stem = move
    return stem, glyph


def mark_move(node: Annotations, glyph: str) -> None:
    """Give a node the NAG of a glyph such as "!?"; of others, and of none, nothing."""
    nag = GLYPHS.get(glyph.lstrip(CHECK_SIGNS).translate(_FULL_WIDTH))
    if nag:
        node.nags.add(nag)


def annotate(node: Annotations, text: str) -> None:
    """Add a comment to a node, with the commands in it; those that are not understood remain text."""
    if text := obeyed(node, text):
        node.comment = f"{node.comment}\n{text}" if node.comment else text


def obeyed(node: Annotations, text: str) -> str:
    """Do what the commands in a comment say, and return what remains of it."""
    if "%" in text:
        text = COMMAND.sub(lambda found: " " if _obey(node, found[1], found[2]) else found[0], text)
    return text.strip()


def _obey(node: Annotations, name: str, value: str) -> bool:
    if name in ("clk", "emt") and (found := _CLOCK.match(value.strip())):
        seconds = int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3])
        setattr(node, "clock" if name == "clk" else "elapsed", seconds)
        return True
    if name == "eval":
        return _set_eval(node, value)
    if name in ("cal", "csl"):
        return _set_arrows(node, value.split(","), rings=name == "csl")
    if name == "nag" and re.fullmatch(r"\d{1,4}(,\d{1,4})*", value):
        node.nags.update(map(int, value.split(",")))
        return True
    return False


def _set_eval(node: Annotations, value: str) -> bool:
    found = _EVAL.match(value)
    if not found:
        return False
    mate, pawns, depth = found.groups()
    if pawns is not None:
        score: Cp | Mate = Cp(round(float(pawns) * 100))
    else:
        score = MateGiven if mate == "+0" else Mate(int(mate))
    node.eval = Eval(PovScore(score, RED), int(depth) if depth else None)
    return True


def _set_arrows(node: Annotations, texts: list[str], *, rings: bool) -> bool:
    if any(len(text) != (3 if rings else 5) for text in texts):
        return False
    try:
        arrows = [Arrow.from_pgn(text) for text in texts]
    except ValueError:
        return False
    node.arrows = tuple(dict.fromkeys((*node.arrows, *arrows)))
    return True


def _clock_text(seconds: float) -> str:
    whole, rest = divmod(max(0, round(seconds * 1000)), 1000)  # below 0 is beyond the time
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{text}.{rest:03}".rstrip("0") if rest else text
