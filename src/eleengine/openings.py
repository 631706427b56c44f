"""Names of openings, by position: the same name whatever the order of moves, and for the mirror image.

>>> from eleengine import Board
>>> board = Board()
>>> for text in ("h2e2", "h9g7", "h0g2", "b9c7"):
...     move = board.push_iccs(text)
>>> opening_of(board).text()
'Central Cannon against Screen Horses'
>>> opening_of(board.mirror_files()).text("zh")
'中炮对屏风马'
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from . import notation
from ._core import BaseBoard, Move
from .board import Board

__all__ = ["Opening", "all_openings", "find_opening", "opening_of"]

_TRADITIONAL: Final = str.maketrans(
    "马车飞宫过对进顺横缓开龟单转边头盘兑钩两风", "馬車飛宮過對進順橫緩開龜單轉邊頭盤兌鉤兩風"
)

_NAMED: Final = 40  # plies in which an opening has got its name

# English and simplified Chinese names, and below them the moves from the usual start that lead
# there. What a line has in common with others is not shared: each can be read, and played, by itself.
_LINES: Final = """
Central Cannon | 中炮
    炮二平五
Elephant Opening | 飞相局
    相三进五
Pawn Opening | 仙人指路
    兵七进一
Horse Opening | 起马局
    马二进三
Cross-Palace Cannon | 过宫炮局
    炮二平六
Palace-Corner Cannon | 士角炮局
    炮二平四
Golden Hook Cannon | 金钩炮局
    炮二平七
Riverbank Cannon | 巡河炮局
    炮二进二
Cross-River Cannon | 过河炮局
    炮二进四
Edge Cannon | 边炮局
    炮二平一
Edge Horse | 边马局
    马二进一
Edge Elephant | 边相局
    相三进一
Edge Pawn | 边兵局
    兵九进一
Central Pawn | 中兵局
    兵五进一
Advisor Opening | 上仕局
    仕四进五

Same-Direction Cannons | 顺炮
    炮二平五 炮8平5
Same-Direction Cannons, straight rook against crossing rook | 顺炮直车对横车
    炮二平五 炮8平5 马二进三 马8进7 车一平二 车9进1
Same-Direction Cannons, crossing rook against straight rook | 顺炮横车对直车
    炮二平五 炮8平5 马二进三 马8进7 车一进一 车9平8
Same-Direction Cannons, straight rook against delayed rook | 顺炮直车对缓开车
    炮二平五 炮8平5 马二进三 马8进7 车一平二 卒7进1
Same-Direction Cannons, delayed rook against straight rook | 顺炮缓开车对直车
    炮二平五 炮8平5 马二进三 马8进7 兵三进一 车9平8
Opposite-Direction Cannons | 列炮
    炮二平五 炮2平5
Central Cannon against Left Cannon Blockade | 中炮对左炮封车
    炮二平五 马8进7 马二进三 车9平8 车一平二 炮8进4
Half-Way Opposite Cannons | 半途列炮
    炮二平五 马8进7 马二进三 车9平8 车一平二 炮8进4 兵三进一 炮2平5
    炮二平五 马8进7 马二进三 车9平8 车一平二 炮2平5
Central Cannon against Three-Step Tiger | 中炮对三步虎
    炮二平五 马8进7 马二进三 炮8平9
    炮二平五 马8进7 马二进三 卒7进1 车一平二 炮8平9
Central Cannon against Tortoise-Back Cannon | 中炮对龟背炮
    炮二平五 马8进7 马二进三 车9进1 车一平二 炮8退1
Central Cannon against Single Horse | 中炮对单提马
    炮二平五 马8进7 马二进三 马2进1
    炮二平五 马8进7 马二进三 车9平8 车一平二 马2进1
Central Cannon against Single Horse, crossing rook | 中炮对单提马横车
    炮二平五 马8进7 马二进三 马2进1 车一平二 车1进1
Central Cannon against Sandwiched Horses | 中炮对反宫马
    炮二平五 马2进3 马二进三 炮8平6
    炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7
5-6 Cannons against Sandwiched Horses | 五六炮对反宫马
    炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7 炮八平六
5-7 Cannons against Sandwiched Horses | 五七炮对反宫马
    炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7 兵三进一 卒3进1 马八进九 象7进5 炮八平七
5-8 Cannons against Sandwiched Horses | 五八炮对反宫马
    炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7 兵三进一 卒3进1 炮八进四
Central Cannon, 7th File Horse against Sandwiched Horses | 中炮七路马对反宫马
    炮二平五 马2进3 马二进三 炮8平6 兵七进一 卒7进1 马八进七 马8进7
    炮二平五 马2进3 马二进三 炮8平6 车一平二 马8进7 兵七进一 卒7进1 马八进七
Central Cannon against Screen Horses | 中炮对屏风马
    炮二平五 马8进7 马二进三 马2进3
    炮二平五 马8进7 马二进三 车9平8 车一平二 马2进3
    炮二平五 马8进7 马二进三 车9平8 兵七进一 卒7进1 马八进七 马2进3
Central Cannon, 7th File Horse against Screen Horses | 中炮七路马对屏风马
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵七进一 卒7进1 马八进七
Central Cannon, crossing rook and 7th File Horse against Screen Horses | 中炮横车七路马对屏风马
    炮二平五 马8进7 马二进三 车9平8 兵七进一 卒7进1 马八进七 马2进3 车一进一
Central Cannon, Riverbank Rook against Screen Horses | 中炮巡河车对屏风马
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵七进一 卒7进1 车二进四
Central Cannon, Riverbank Cannon against Screen Horses | 中炮巡河炮对屏风马
    炮二平五 马8进7 马二进三 卒7进1 车一平二 车9平8 炮八进二 马2进3
Central Cannon, Cross-River Rook against Screen Horses | 中炮过河车对屏风马
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵七进一 卒7进1 车二进六
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 车二进六
Cross-River Rook against Screen Horses with the Left Horse on the River | 中炮过河车对屏风马左马盘河
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵七进一 卒7进1 车二进六 马7进6
Cross-River Rook against Screen Horses, exchange of rooks offered | 中炮过河车对屏风马平炮兑车
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵七进一 卒7进1 车二进六 炮8平9
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵七进一 卒7进1 车二进六 炮8平9 车二平三 炮9退1
Cross-River Rook and Central Pawn Rush against Screen Horses | 中炮过河车急进中兵对屏风马平炮兑车
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵七进一 卒7进1 车二进六 炮8平9 车二平三 炮9退1 兵五进一
5-9 Cannons, Cross-River Rook against Screen Horses | 五九炮过河车对屏风马平炮兑车
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵七进一 卒7进1 车二进六 炮8平9 车二平三 炮9退1 马八进七 士4进5 炮八平九
5-6 Cannons against Screen Horses | 五六炮对屏风马
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 马八进九 卒7进1 炮八平六
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 炮八平六
5-7 Cannons against Screen Horses | 五七炮对屏风马
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵三进一 卒3进1 马八进九 卒1进1 炮八平七
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵三进一 卒3进1 马八进九 象7进5 炮八平七
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 马八进九 卒7进1 炮八平七
5-8 Cannons against Screen Horses | 五八炮对屏风马
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵三进一 卒3进1 马八进九 卒1进1 炮八进四
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵三进一 卒3进1 炮八进四
Central Cannon, Advanced 3rd Pawn against Screen Horses | 中炮进三兵对屏风马
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵三进一 卒3进1
Central Cannon, Advanced 7th Pawn against Screen Horses | 中炮进七兵对屏风马
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 兵七进一 卒7进1
Central Cannon against Screen Horses, Two-Headed Snake | 中炮对屏风马两头蛇
    炮二平五 马8进7 马二进三 卒7进1 车一平二 车9平8 马八进九 马2进3 炮八平七 卒3进1
    炮二平五 马8进7 马二进三 马2进3 车一平二 车9平8 马八进九 卒7进1 车九进一 卒3进1

Elephant against Central Cannon | 飞相对中炮
    相三进五 炮8平5
    相三进五 炮2平5
Elephant against Cross-Palace Cannon | 飞相对过宫炮
    相三进五 炮8平4
    相三进五 炮2平6
Elephant against Palace-Corner Cannon | 飞相对士角炮
    相三进五 炮8平6
    相三进五 炮2平4
Elephant against Golden Hook Cannon | 飞相对金钩炮
    相三进五 炮8平3
    相三进五 炮2平7
Elephant against Horse | 飞相对起马
    相三进五 马8进7
    相三进五 马2进3
Elephant against Pawn | 飞相对挺卒
    相三进五 卒7进1
    相三进五 卒3进1
Elephant against Elephant | 飞相对飞象
    相三进五 象7进5
    相三进五 象3进5

Pawn against Pawn | 对兵局
    兵七进一 卒7进1
Pawn against Pawn, Cannon behind the Pawn | 对兵转兵底炮
    兵七进一 卒7进1 炮二平三
Pawn against Pawn, Central Cannon | 对兵局转中炮
    兵七进一 卒7进1 炮二平五
Pawn against Pawn, Horse | 对兵局进马
    兵七进一 卒7进1 马八进七
Pawn against Cannon behind the Pawn | 仙人指路对卒底炮
    兵七进一 炮2平3
Pawn and Central Cannon against Cannon behind the Pawn | 仙人指路转中炮对卒底炮
    兵七进一 炮2平3 炮二平五
Pawn and Left Central Cannon against Cannon behind the Pawn | 仙人指路转左中炮对卒底炮
    兵七进一 炮2平3 炮八平五
Pawn and Elephant against Cannon behind the Pawn | 仙人指路飞相对卒底炮
    兵七进一 炮2平3 相三进五
Pawn against Central Cannon | 仙人指路对中炮
    兵七进一 炮8平5
    兵七进一 炮2平5
Pawn against Elephant | 仙人指路对飞象
    兵七进一 象7进5
    兵七进一 象3进5
Pawn against Horse | 仙人指路对起马
    兵七进一 马8进7
    兵七进一 马2进3
Pawn against Palace-Corner Cannon | 仙人指路对士角炮
    兵七进一 炮2平4
    兵七进一 炮8平6
Pawn against Cross-Palace Cannon | 仙人指路对过宫炮
    兵七进一 炮8平4
    兵七进一 炮2平6
Pawn against Golden Hook Cannon | 仙人指路对金钩炮
    兵七进一 炮8平3

Horse against Pawn | 起马对挺卒
    马二进三 卒7进1
    马二进三 卒3进1
Horse against Central Cannon | 起马对中炮
    马二进三 炮8平5
    马二进三 炮2平5
Horse against Horse | 起马对起马
    马二进三 马8进7
    马二进三 马2进3
Horse against Elephant | 起马对飞象
    马二进三 象7进5
    马二进三 象3进5

Cross-Palace Cannon against Central Cannon | 过宫炮对中炮
    炮二平六 炮8平5
    炮二平六 炮2平5
Cross-Palace Cannon against Horse | 过宫炮对起马
    炮二平六 马8进7
    炮二平六 马2进3
Cross-Palace Cannon against Elephant | 过宫炮对飞象
    炮二平六 象7进5
    炮二平六 象3进5
Cross-Palace Cannon against crossing rook | 过宫炮对横车
    炮二平六 车9进1
Cross-Palace Cannons on both sides | 过宫炮对过宫炮
    炮二平六 炮8平4
    炮二平六 炮2平6

Palace-Corner Cannon against Central Cannon | 士角炮对中炮
    炮二平四 炮8平5
    炮二平四 炮2平5
Palace-Corner Cannon against Horse | 士角炮对起马
    炮二平四 马8进7
    炮二平四 马2进3
Palace-Corner Cannon against Pawn | 士角炮对挺卒
    炮二平四 卒7进1
    炮二平四 卒3进1
"""  # noqa: E501


class Opening(NamedTuple):
    """An opening by its names, and the moves of one way into it as Chinese texts.

    names: English, simplified and traditional Chinese.
    """

    names: tuple[str, str, str]
    moves: tuple[str, ...]

    def text(self, language: str = "en") -> str:
        """Return the name; language: "en", "zh" or "zh-Hant", ValueError for a different one."""
        if language not in _LANGUAGES:
            raise ValueError(f"language must be one of {', '.join(_LANGUAGES)}, not {language!r}")
        return self.names[_LANGUAGES.index(language)]


_LANGUAGES: Final = ("en", "zh", "zh-Hant")


@cache
def all_openings() -> tuple[Opening, ...]:
    """Return every way into an opening that has a name; several may lead to openings of the same name."""
    found = []
    names = ("", "", "")
    for line in filter(None, _LINES.splitlines()):
        if line.startswith(" "):
            found.append(Opening(names, tuple(line.split())))
        else:
            english, name = line.split(" | ")
            names = (english, name, name.translate(_TRADITIONAL))
    return tuple(found)


@cache
def _by_key() -> dict[int, Opening]:
    """The openings by the keys of their positions and of the mirror images."""
    found: dict[int, Opening] = {}
    for opening in all_openings():
        board = Board()
        for text in opening.moves:
            board.push(notation.parse_chinese(board, text))
        found[board.key] = found[board.mirror_files().key] = opening
    return found


def opening_of(board: BaseBoard) -> Opening | None:
    """Return the opening whose position this is; None if it has no name of its own."""
    return _by_key().get(board.key)


def find_opening(start: BaseBoard, moves: Iterable[Move]) -> Opening | None:
    """Return the opening of a game: that of the last position with a name; None if none has one.

    Only the first 40 plies are looked at. ValueError for a move among them that is not legal.
    """
    board = BaseBoard.copy(start, stack=False)
    found = opening_of(board)
    for move in islice(moves, _NAMED):
        board.push(move)
        found = opening_of(board) or found
    return found
