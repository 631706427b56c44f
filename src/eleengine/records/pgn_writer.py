"""Writing PGN: headers, then moves in ICCS, WXF or Chinese with variations, glyphs and comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, Protocol

from .. import notation
from .._core import STARTING_FEN, BaseBoard, Move
from ..pieces import RED

__all__ = ["Node", "Root", "moves_of", "text_of"]

STYLES: Final = {"iccs": "ICCS", "wxf": "WXF", "chinese": "Chinese", "traditional": "Chinese"}
ABOUT_TEXT: Final = frozenset(("fen", "setup", "format"))  # headers that a game does not keep
GAME: Final = ("Game", "Chinese Chess")  # the first header, which says nothing
NAME: Final = r"[\w.:+-]+"  # of a header
_WIDTH: Final = 98


class Node(Protocol):
    """What is written of a `GameNode`."""

    @property
    def move(self) -> Move | None:
        """The move that leads here; None for a pass."""

    @property
    def children(self) -> Sequence[Node]:
        """What follows, main line first."""

    @property
    def nags(self) -> Collection[int]:
        """The glyphs of the move, as numbers."""

    @property
    def starting_comment(self) -> str:
        """The comment before the first move of a variation."""

    def full_comment(self, *, nags: bool = True) -> str:
        """Return the comment with clock, evaluation and arrows as commands."""


class Root(Node, Protocol):
    """What is written of a `Game`."""

    @property
    def start(self) -> str:
        """The FEN of the start position."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Names and texts, in the order of the record."""

    @property
    def result(self) -> str:
        """As PGN writes it, one of `RESULTS`."""


def text_of(
    game: Root,
    *,
    style: str = "chinese",
    variations: bool = True,
    comments: bool = True,
    loss: Callable[[str], object] = lambda _: None,
) -> str:
    """The game as PGN, its moves in "iccs" (H2-E2), "wxf", "chinese" or "traditional".

    variations, comments: whether they are written. loss: called with what PGN cannot hold.
    ValueError: unknown style, or as for `Game.board`.
    """
    if style not in STYLES:
        raise ValueError(f"the style must be one of {', '.join(STYLES)}, not {style!r}")
    headers = dict([GAME], **game.headers)
    for name in [name for name in headers if name.lower() in ABOUT_TEXT]:
        if name.lower() != "fen" or headers[name] != game.start:
            loss(f"the header {name} is left out: it would speak of the text")
        del headers[name]
    headers.setdefault("Result", "*")
    if game.start != STARTING_FEN:
        headers["FEN"] = game.start
    headers["Format"] = STYLES[style]
    lines = []
    for name, value in headers.items():
        if not re.fullmatch(NAME, name):
            loss(f"PGN cannot hold a header named {name!r}")
            continue
        flat = " ".join(value.splitlines())
        if flat != value:
            loss(f"the lines of the header {name} are joined")
        escaped = re.sub(r'(["\\])', r"\\\1", flat)
        lines.append(f'[{name} "{escaped}"]')
    return "\n".join([*lines, "", moves_of(game, style, variations, comments, loss), ""])


def moves_of(
    game: Root,
    style: str,
    variations: bool = True,
    comments: bool = True,
    loss: Callable[[str], object] = lambda _: None,
) -> str:
    """The moves and the result as they stand in PGN; arguments and errors as for `text_of`."""
    words = _words(game, notation.WRITERS[style], variations, comments, loss)
    return _filled(chain(words, [game.result]))


def _filled(words: Iterator[str]) -> str:
    """The words in lines of limited width."""
    lines: list[str] = []
    line = ""
    for word in words:
        if word == ")":
            line += word
        elif line and len(line) + 1 + len(word) > _WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def _words(
    game: Root,
    write: Callable[[BaseBoard, Move], str],
    variations: bool,
    comments: bool,
    loss: Callable[[str], object],
) -> Iterator[str]:
    """The moves, comments and brackets."""
    if comments and (text := _comment_text(game, loss)):
        yield text
    if not game.children:  # perhaps from a position that cannot be played
        return
    board = BaseBoard(game.start)
    numbered = False  # is it clear whose move comes next?
    current: Node = game
    # What is still to be written, the last one first: a move, the line after a move, or a closing bracket.
    pending: list[tuple[str, Node, int]] = [("line", game, 0)]
    while pending:
        job, node, ply = pending.pop()
        if job == "close":
            yield ")"
            numbered = False
            continue
        if current is not node and node.move is not None:
            while board.ply >= ply:
                board.pop()
            if job == "line":
                board.push(node.move)
                current = node
        if job == "line":
            if node.children:
                main, *others = node.children
                pending.append(("line", main, ply + 1))
                for child in reversed(others if variations else []):
                    pending += [("close", child, 0), ("line", child, ply + 1), ("branch", child, ply + 1)]
                pending.append(("move", main, ply + 1))
            continue
        assert node.move is not None
        opened = ""
        if job == "branch":
            opened = "("
            numbered = False
            if comments and node.starting_comment:
                yield f"({_braced(node.starting_comment, loss)}"
                opened = ""
        if board.turn == RED or not numbered:
            yield f"{opened}{board.fullmove_number}{'.' if board.turn == RED else '...'}"
        yield write(board, node.move)
        board.push(node.move)
        current = node
        numbered = True
        for nag in node.nags:
            yield f"${nag}"
        if comments and (text := _comment_text(node, loss)):
            yield text
            numbered = False


def _comment_text(node: Node, loss: Callable[[str], object]) -> str:
    text = node.full_comment(nags=node.move is None)
    return _braced(text, loss) if text else ""


def _braced(text: str, loss: Callable[[str], object]) -> str:
    if "{" in text or "}" in text:
        loss("braces in comments become full-width")
        text = text.translate({ord("{"): "｛", ord("}"): "｝"})
    return f"{{{text}}}"
