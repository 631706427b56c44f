"""The HTML page of a review or of a game: board, moves to click and graph of winning chances in one file."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable
from html import escape
from importlib.resources import files
from typing import Any

from .. import notation, svg
from .._core import BaseBoard, Move, Piece
from ..board import Board
from ..marks import GIVEN, SIGNS
from ..pieces import COLOR_NAMES
from ..records import Game, GameNode
from ..records.tree import as_game
from ..squares import square_name

LANGUAGES = ("zh", "zh-Hant", "en")  # simplified and traditional Chinese, English
_SLOT = re.compile(r"\{\{(\w+)\}\}")


def game_page(game: Game, *, language: str = "zh") -> str:
    """Return a game as one HTML page that loads nothing else.

    It shows the main line with variations, comments, arrows and glyphs.

    language: what the page begins in, "zh", "zh-Hant" or "en"; ValueError for a different one, and as for
        `Game.board`.

    >>> game = Game()
    >>> node = game.play("h2e2", comment="the usual move")
    >>> "the usual move" in game_page(game, language="en")
    True
    """
    board = as_game(game).board()
    moves = []
    for node in game.mainline():
        assert node.move is not None and node.parent is not None
        others = [child for child in node.parent.children if child is not node]
        variations = [variation for child in others for variation in _variations(child, board)]
        side = COLOR_NAMES[board.turn]
        moves.append({"side": side, **played(board, node.move), **_notes(node), "variations": variations})
    data = {"headers": dict(game.headers), "fen": game.start, "moves": moves, **_notes(game)}
    return page(data | {"opening": opening_data(game)}, language)


def opening_data(game: Game) -> dict[str, str] | None:
    """The name of the opening in each language; None if it has none."""
    opening = game.opening()
    return {language: opening.text(language) for language in LANGUAGES} if opening else None


def _notes(node: GameNode) -> dict[str, Any]:
    return {
        "comment": dict.fromkeys(LANGUAGES, node.comment),
        "sign": "".join(SIGNS.get(nag, "") for nag in node.nags),
        "arrows": [[square_name(a.tail), square_name(a.head), a.color] for a in node.arrows],
    }


def _variations(first: GameNode, board: BaseBoard) -> list[list[dict[str, Any]]]:
    """The line from a move on, then those that branch off from it; the board is that before the move."""
    lines = []
    pending = deque([(first, BaseBoard.copy(board, stack=False))])
    while pending:
        start, there = pending.popleft()
        line = []
        for node in (start, *start.mainline()):
            assert node.move is not None and node.parent is not None
            if node is not start:
                others = node.parent.children[1:]
                pending.extend((child, BaseBoard.copy(there, stack=False)) for child in others)
            line.append({**played(there, node.move), **_notes(node)})
        lines.append(line)
    return lines


def move_names(board: BaseBoard, move: Move) -> dict[str, str]:
    """A legal move as the page shows it: in ICCS, and in the notation of each language."""
    return {
        "move": move.iccs(),
        "zh": notation.chinese(board, move),
        "zh-Hant": notation.chinese(board, move, traditional=True),
        "en": notation.wxf(board, move),
    }


def played(board: BaseBoard, move: Move) -> dict[str, str]:
    """Make a legal move on a board; its names, and the position after it."""
    names = move_names(board, move)
    board.push(move)
    return {**names, "fen": board.fen()}


def line_text(board: Board, moves: Iterable[Move], language: str) -> str:
    """A line of legal moves with their numbers, in the notation of a language."""
    if language == "en":
        return board.variation_wxf(moves)
    return board.variation_chinese(moves, traditional=language == "zh-Hant")


def page(review: dict[str, Any], language: str) -> str:
    """Return the page of `Review.to_dict`; ValueError for a language other than `LANGUAGES`."""
    if language not in LANGUAGES:
        raise ValueError(f"the language must be 'zh', 'zh-Hant' or 'en', not {language!r}")
    headers = review["headers"]
    players = " - ".join(filter(None, (headers.get("Red"), headers.get("Black"))))
    letters = "traditional" if language == "zh-Hant" else "chinese"
    parts = {
        "title": escape(players or headers.get("Title", "") or "Xiangqi"),
        "language": language,
        "board": svg.board(None, title="", letters=letters),
        "pieces": "".join(_symbol(letter, letters) for letter in "KABNRCPkabnrcp"),
        "colors": _colors(),
        "marks": _script({mark.name: [mark.sign, mark.plurals] for mark in GIVEN}),
        "data": _script(review),
    }
    template = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    return _SLOT.sub(lambda found: parts[found[1]], template)


def _script(data: Any) -> str:
    """Data as JSON; no text of it can end the script that holds it."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _colors() -> str:
    """The style of the marks, on light and on dark ground."""
    light, dark = (
        " ".join(f".{mark.name} {{ color: {color}; }}" for mark in GIVEN for color in [getattr(mark, field)])
        for field in ("color", "dark")
    )
    return f"{light}\n@media (prefers-color-scheme: dark) {{ {dark} }}"


def _symbol(letter: str, letters: str) -> str:
    """A piece of the page, which the script puts on the board."""
    picture: str = svg.piece(Piece.from_symbol(letter), letters=letters)
    # Each picture defines the same outlines: those of a piece get names of their own.
    name = f"{'red' if letter.isupper() else 'black'}-{letter.lower()}"
    picture = re.sub(r'(\bid="|href="#)', rf"\1{name}-", picture)
    return f'<div id="piece-{letter}">{picture}</div>'
