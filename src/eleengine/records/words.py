"""What looks like a move or a result in a text, whatever the format around it.

>>> [found[0] for found in CANDIDATE.finditer("1.炮二平五马8进7 2.H2+3")]
['炮二平五', '马8进7', 'H2+3']
>>> read_result("红先胜"), read_result("黑方负"), read_result("0.5-0.5"), read_result("soon")
('1-0', '1-0', '1/2-1/2', None)
"""

from __future__ import annotations

import re
from typing import Final

#: How a game may have ended, as PGN writes it.
RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
PIECES: Final = "帅帥将將仕士相象马馬傌车車俥炮砲礮包兵卒"
FIGURES: Final = "一二三四五六七八九1-9１-９"
CHINESE: Final = (
    rf"(?:[{PIECES}][{FIGURES}前中后後]|[前中后後{FIGURES}][{PIECES}][{FIGURES}]?|[前中后後][{FIGURES}])"
    rf"[进進退平上下][{FIGURES}]"
)
CANDIDATE: Final = re.compile(
    rf"(?P<chinese>{CHINESE})"
    r"|(?<![A-Za-z0-9])(?P<wxf>(?:[KAEBMHNRCPSkaebmhnrcps][1-9+.a-eA-E-]|[+-][KAEBMHNRCPSkaebmhnrcps]|[1-9][1-9+-]"
    r"|\+\+|--)[+.=-][1-9])(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])(?P<iccs>(?:[a-iA-I][0-9]-?[a-iA-I][0-9])+)(?![A-Za-z0-9])"
    r"|(?<![0-9/.:-])(?P<pair>[0-8][0-9]-[0-8][0-9])(?![0-9/.:-])"
)
#: What old books say behind a move: 士去 (an advisor goes), 将军 (check); no more than words without a move.
GLOSS: Final = re.compile(
    rf"(?:[{PIECES}]去|[去吃得抽捉弃棄献獻][{PIECES}]|[{PIECES}]?[叫照抽绝絕闷悶要必重双雙连連]?"
    r"(?:将军|將軍|将死|將死|[将將]|[杀殺]棋?)|[困]?[毙斃]|[应應][将將]|check|mate|checkmate)[。.!！,，;；]*\Z",
    re.IGNORECASE,
)
_OF_MOVES: Final = frozenset("进進退平上下一二三四五六七八九十")
_BEHIND_COMMA: Final = re.compile(r"[^\W\d_a-zA-Z]{1,8}[。.!！?？,，;；]*\Z")
_RED: Final = {"红", "紅", "红方", "紅方", "红先", "紅先", "先", "先手", "帅", "帥"}
_BLACK: Final = {"黑", "黑方", "后手", "後手", "黑先", "将", "將"}
_WON: Final = ("胜", "勝", "胜利", "勝利")
_LOST: Final = ("负", "負", "败", "敗")
_ENDS: Final = {result: result for result in RESULTS} | {"": "*", "?": "*", "未知": "*"}
_ENDS.update({"1:0": "1-0", "red wins": "1-0", "red won": "1-0"})
_ENDS.update({"0:1": "0-1", "black wins": "0-1", "black won": "0-1"})
_ENDS.update(dict.fromkeys(("红先和", "紅先和", "先和", "和棋", "和局", "和", "平局", "平手"), "1/2-1/2"))
_ENDS.update(dict.fromkeys(("½-½", "1/2", "½", "0.5-0.5", "draw", "drawn"), "1/2-1/2"))
for _winners, _losers, _result in ((_RED, _BLACK, "1-0"), (_BLACK, _RED, "0-1")):
    _ENDS.update({side + word: _result for side in _winners for word in _WON})
    _ENDS.update({side + word: _result for side in _losers for word in _LOST})


def read_result(text: str) -> str | None:
    """The result, as PGN writes it, that a text means; None if it means none."""
    return _ENDS.get(text.strip().lower())


def is_gloss(text: str, *, behind_comma: bool = False) -> bool:
    """Is the text a remark as books have it behind a move, and no damaged move?

    behind_comma: one stands between the move and the text, which then may be any short one in Chinese.

    >>> [is_gloss(text) for text in ("士去", "将军", "好棋", "炮二平")], is_gloss("好棋", behind_comma=True)
    ([True, True, False, False], True)
    """
    if GLOSS.match(text):
        return True
    return behind_comma and bool(_BEHIND_COMMA.match(text)) and not _OF_MOVES.intersection(text)


def has_moves(text: str) -> bool:
    """Is there something in the text that looks like a move?"""
    return bool(CANDIDATE.search(text))
