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


def has_moves(text: str) -> bool:
    """Is there something in the text that looks like a move?"""
    return bool(CANDIDATE.search(text))
