"""The HTML page of a review: boards, graph of winning chances and moves to click, all in one file."""

from __future__ import annotations

import json
import re
from html import escape
from importlib.resources import files
from typing import Any

from .. import svg
from .._core import Piece

_SLOT = re.compile(r"\{\{(\w+)\}\}")


def page(review: dict[str, Any], language: str) -> str:
    """Return the page of `Review.to_dict`; ValueError for a language other than "zh" and "en"."""
    if language not in ("zh", "en"):
        raise ValueError(f"the language must be 'zh' or 'en', not {language!r}")
    headers = review["headers"]
    players = " - ".join(filter(None, (headers.get("Red"), headers.get("Black"))))
    parts = {
        "title": escape(players or headers.get("Title", "") or "Xiangqi"),
        "language": language,
        "board": svg.board(None, title=""),
        "pieces": "".join(_symbol(letter) for letter in "KABNRCPkabnrcp"),
        # No text of the data can end the script that holds it.
        "data": json.dumps(review, ensure_ascii=False).replace("<", "\\u003c"),
    }
    template = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    return _SLOT.sub(lambda found: parts[found[1]], template)


def _symbol(letter: str) -> str:
    """A piece of the page, which the script puts on the board."""
    picture: str = svg.piece(Piece.from_symbol(letter))
    # Each picture defines the same outlines: those of a piece get names of their own.
    name = f"{'red' if letter.isupper() else 'black'}-{letter.lower()}"
    picture = re.sub(r'(\bid="|href="#)', rf"\1{name}-", picture)
    return f'<div id="piece-{letter}">{picture}</div>'
