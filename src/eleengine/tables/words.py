"""What tables know of a position, in words."""

from __future__ import annotations

from .._core import BaseBoard, table_name
from ..pieces import BLACK, RED
from .folder import MissingTableError, Tables, draws_are_certain

_KNOWN = {
    "en": {
        "win": "{winner} wins in {plies} plies",
        "draw": "drawn",
        "aside": "drawn, rules of repetition aside",
    },
    "zh": {"win": "{winner}胜，还需 {plies} 步", "draw": "和局", "aside": "和局（不计循环规则）"},
}
_SIDES = {"en": {RED: "red", BLACK: "black"}, "zh": {RED: "红方", BLACK: "黑方"}}

#: What a move did to an ending, by its result before and after it, for the side that moved.
CHANGES = {
    "en": {
        (1, 0): "A won ending became drawn.",
        (1, -1): "A won ending became lost.",
        (0, -1): "A drawn ending became lost.",
    },
    "zh": {(1, 0): "胜局变成了和局。", (1, -1): "胜局变成了负局。", (0, -1): "和局变成了负局。"},
}


def result_text(result: int, plies: int) -> str:
    """Return the result for one side (1, 0, -1) and its length in words.

    >>> result_text(1, 23), result_text(0, 0)
    ('won in 23 plies', 'drawn')
    """
    if result == 0:
        return "drawn"
    return f"{'won' if result > 0 else 'lost'} in {plies} {'ply' if plies == 1 else 'plies'}"


def describe(tables: Tables, board: BaseBoard, language: str = "en") -> str:
    """Return who wins a position in how many plies, or "" without a table. OSError, TableError.

    language: "en" or "zh".
    """
    try:
        result, plies = tables.probe_wdl(board), abs(tables.probe_dtm(board))
    except MissingTableError:
        return ""
    words = _KNOWN[language]
    if result == 0:
        return words["draw" if draws_are_certain(table_name(board)) else "aside"]
    winner = _SIDES[language][board.turn if result > 0 else not board.turn]
    text = words["win"].format(winner=winner, plies=plies)
    return text.replace("1 plies", "1 ply") if plies == 1 else text
