"""What tables know of a position, in words."""

from __future__ import annotations

from .._core import BaseBoard, draws_are_certain, table_name
from .._internal.traditional import by_language
from ..pieces import BLACK, RED
from ..rules import NO_CAPTURE_LIMIT
from .folder import MissingTableError, Tables

_KNOWN = by_language(
    {"win": "{winner} wins in {plies} plies", "draw": "drawn"},
    {"win": "{winner}胜，还需 {plies} 着", "draw": "和局"},
)
_SIDES = by_language({RED: "red", BLACK: "black"}, {RED: "红方", BLACK: "黑方"})
# What a move did to an ending, by its result before and after it; {} is what has to be said of the draw.
_CHANGES = by_language(
    {
        (1, 0): "A won ending became drawn{}.",
        (1, -1): "A won ending became lost.",
        (0, -1): "A drawn ending became lost{}.",
    },
    {(1, 0): "胜局变成了和局{}。", (1, -1): "胜局变成了败局。", (0, -1): "和局{}变成了败局。"},
)
_ASIDE = by_language(", rules of repetition aside", "（不计棋例）")
_LATE = by_language(
    ", perhaps too late for the limit of {} plies without a capture", "（可能超过 {} 着的自然限着）"
)


def result_text(result: int, plies: int, certain: bool = True) -> str:
    """Return the result for one side (1, 0, -1) and its length in words.

    certain: what `draws_are_certain` says of the table.

    >>> result_text(1, 23), result_text(0, 0), result_text(0, 0, certain=False)
    ('won in 23 plies', 'drawn', 'drawn, rules of repetition aside')
    """
    if result == 0:
        return "drawn" if certain else f"drawn{_ASIDE['en']}"
    return f"{'won' if result > 0 else 'lost'} in {plies} {'ply' if plies == 1 else 'plies'}"


def describe(
    tables: Tables, board: BaseBoard, language: str = "en", limit: int | None = NO_CAPTURE_LIMIT
) -> str:
    """Return who wins a position in how many plies, or "" without a table. OSError, TableError.

    language: "en", "zh" or "zh-Hant". limit: as for `late_text`.
    """
    try:
        result, plies = tables.probe_wdl(board), abs(tables.probe_dtm(board))
    except MissingTableError:
        return ""
    words = _KNOWN[language]
    if result == 0:
        return words["draw"] + _aside(board, language)
    winner = _SIDES[language][board.turn if result > 0 else not board.turn]
    text = words["win"].format(winner=winner, plies=plies)
    text = text.replace("1 plies", "1 ply") if plies == 1 else text
    return text + late_text(tables, board, language, limit)


def late_text(
    tables: Tables, board: BaseBoard, language: str = "en", limit: int | None = NO_CAPTURE_LIMIT
) -> str:
    """Return what has to be said of a decided position if its win may come too late for the limit, else "".

    limit: plies without a capture that draw the game, or None. MissingTableError without the results.
    """
    if limit is None or not tables.probe_wdl(board):
        return ""
    try:
        in_time = tables.is_within_limit(board, limit + 1)
    except MissingTableError:  # distances to the conversion
        in_time = False
    return "" if in_time else _LATE[language].format(limit)


def describe_change(
    change: tuple[int, int] | None, before: BaseBoard, after: BaseBoard, language: str = "en"
) -> str:
    """Return what a move did to an ending, or "" if it kept the result.

    change: the results before and after it for the side that moved (1, 0, -1), or None if they are not known.
    before, after: the positions. language: "en", "zh" or "zh-Hant".
    """
    if change is None or change not in _CHANGES[language]:
        return ""
    return _CHANGES[language][change].format(_aside(before if change[0] == 0 else after, language))


def _aside(board: BaseBoard, language: str) -> str:
    """What has to be said of a draw: that it may not be one under the rules of repetition."""
    return "" if draws_are_certain(table_name(board)) else _ASIDE[language]
