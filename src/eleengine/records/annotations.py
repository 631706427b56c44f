"""Clocks, evaluations, arrows and glyphs as commands in comments: ``[%eval 0.35,12] [%clk 0:09:58]``.

The commands are those of chess PGN: ``%clk`` (time left), ``%emt`` (time of the move), ``%eval`` (pawns or
mate ``#-3``, for Red, then the depth), ``%cal`` (arrows) and ``%csl`` (highlights) with a letter for the
color. ``%nag`` holds glyphs where a format has no other place for them.
"""

from __future__ import annotations

import re
from typing import Final

from ..pieces import RED
from ..score import Cp, Mate, MateGiven, PovScore
from ..svg import Arrow
from .nags import SIGNS
from .tree import Eval, GameNode

#: Glyphs behind moves and their NAGs.
GLYPHS: Final = {sign: nag for nag, sign in SIGNS.items()}
_FULL_WIDTH: Final = str.maketrans("！？", "!?")
COMMAND: Final = re.compile(r"\s*[\[［]%(\w+) ([^\]］]*)[\]］]\s*")
_CLOCK: Final = re.compile(r"(?:(\d{1,6}):)?(\d{1,6}):(\d{1,6}(?:\.\d{1,9})?)$")
_EVAL: Final = re.compile(r"(?:#([+-]?\d{1,4})|([+-]?\d{1,7}(?:\.\d{1,4})?))(?:,(\d{1,4}))?$")


def split_mark(word: str) -> tuple[str, str]:
    """Return a move and the glyph behind it, which may be full-width: 炮二平五！ is 炮二平五 and "!"."""
    stem = word.rstrip("!?！？")
    return stem, word[len(stem) :].translate(_FULL_WIDTH)


def mark_move(node: GameNode, glyph: str) -> None:
    """Give a node the NAG of a glyph such as "!?"; of others, and of none, nothing."""
    nag = GLYPHS.get(glyph.translate(_FULL_WIDTH))
    if nag and nag not in node.nags:
        node.nags += (nag,)


def full_comment(node: GameNode, *, nags: bool = True) -> str:
    """The comment of a node with all that is noted beside it; nags: the glyphs, too."""
    parts = []
    if node.eval is not None:
        depth = "" if node.eval.depth is None else f",{node.eval.depth}"
        parts.append(f"[%eval {_score_text(node.eval)}{depth}]")
    if node.clock is not None:
        parts.append(f"[%clk {_clock_text(node.clock)}]")
    if node.elapsed is not None:
        parts.append(f"[%emt {_clock_text(node.elapsed)}]")
    for name, rings in (("cal", False), ("csl", True)):
        arrows = [arrow.pgn() for arrow in node.arrows if (arrow.tail == arrow.head) == rings]
        if arrows:
            parts.append(f"[%{name} {','.join(arrows)}]")
    if nags and node.nags:
        parts.append(f"[%nag {','.join(map(str, node.nags))}]")
    return " ".join([*parts, node.comment] if node.comment else parts)


def annotate(node: GameNode, text: str) -> None:
    """Add a comment to a node, with the commands in it; those that are not understood remain text."""
    if text := obeyed(node, text):
        node.comment = f"{node.comment}\n{text}" if node.comment else text


def obeyed(node: GameNode, text: str) -> str:
    """Do what the commands in a comment say, and return what remains of it."""
    if "%" in text:
        text = COMMAND.sub(lambda found: " " if _obey(node, found[1], found[2]) else found[0], text)
    return text.strip()


def _obey(node: GameNode, name: str, value: str) -> bool:
    if name in ("clk", "emt"):
        seconds = _seconds(value)
        if seconds is None:
            return False
        if name == "clk":
            node.clock = seconds
        else:
            node.elapsed = seconds
        return True
    if name == "eval":
        return _set_eval(node, value)
    if name in ("cal", "csl"):
        return _set_arrows(node, value.split(","), rings=name == "csl")
    if name == "nag" and re.fullmatch(r"\d{1,4}(,\d{1,4})*", value):
        node.nags = tuple(dict.fromkeys((*node.nags, *map(int, value.split(",")))))
        return True
    return False


def _set_eval(node: GameNode, value: str) -> bool:
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


def _set_arrows(node: GameNode, texts: list[str], *, rings: bool) -> bool:
    arrows = []
    for text in texts:
        if len(text) != (3 if rings else 5):
            return False
        try:
            arrows.append(Arrow.from_pgn(text))
        except ValueError:
            return False
    node.arrows = tuple(dict.fromkeys((*node.arrows, *arrows)))
    return True


def _score_text(said: Eval) -> str:
    score = said.score.red()
    if score == MateGiven:
        return "#+0"
    moves = score.mate()
    if moves is not None:
        return f"#{moves}" if moves else "#-0"
    centipawns = score.score()
    assert centipawns is not None
    return f"{centipawns / 100:.2f}"


def _clock_text(seconds: float) -> str:
    whole, rest = divmod(max(0, round(seconds * 1000)), 1000)  # below 0 is beyond the time
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{text}.{rest:03}".rstrip("0") if rest else text


def _seconds(text: str) -> float | None:
    found = _CLOCK.match(text.strip())
    if not found:
        return None
    return int(found[1] or 0) * 3600 + int(found[2]) * 60 + float(found[3])
