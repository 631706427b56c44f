"""Move text in both directions: ICCS (h2e2), WXF (C2.5) and Chinese (炮二平五).

>>> from eleengine import Board, notation
>>> board = Board()
>>> move = notation.parse(board, "h2e2")
>>> notation.wxf(board, move), notation.chinese(board, move)
('C2.5', '炮二平五')
>>> board.push(move)
>>> notation.chinese(board, notation.parse_wxf(board, "H8+7"), traditional=True)
'馬8進7'

WXF and Chinese text count the files 1 to 9 from the mover's right. Piece, file, direction and number: the
number is the file of arrival, or the steps of a king, rook, cannon or pawn that moves along its file. Where
two or more equal pieces stand on one file, a word for front or rear takes the place of the file. Advisors and
bishops never need it, because only the rear one can advance and only the front one can retreat. The pawns'
special cases differ from author to author. Written here is:

============================  ==========================  ===========================
pieces                        Chinese                     WXF
============================  ==========================  ===========================
two on a file                 前炮 后炮                   C+ C-
three pawns on a file, e.g.3  前兵 中兵 后兵              P+ P3 P-
four                          一兵 二兵 三兵 四兵         ++ P+ P- --
five                          一兵 to 五兵                ++ P+ P3 P- --
two files with two or three   一兵 to 五兵 through both   3+ 3- 7+ 7-, the middle
pawns each, e.g. 3 and 7      files, the right one first  one of three 33
============================  ==========================  ===========================

Composed positions may have several advisors or bishops on a file that can make the same move, or more than
five pawns or three other pieces of a kind on files that they share (in Chinese: more than nine). Moves of
these are written in ICCS.

The Chinese column follows the rules of competition of the Chinese Xiangqi Association (2020, 7.5) as far as
they go, then the computer standard of xqbase.com (2006); pawns are numbered from the front, in Chinese
numerals for both sides. The WXF column is the notation page of the World Xiangqi Federation.

Read are, besides:

* the characters of either side, simplified or traditional; digits of any kind (二 2 ２); 上 下 for 进 退;
* 前, 二, 三, 四, 后 for four or five pawns; 前兵九平八 and 前九平八 with the file for two files of pawns;
* in WXF, ``=`` for ``.``, lower case, B M N S for E E H P; the sign first (+C.5); ``P.`` for the middle
  one of three; pawns as number from the front and file (23.4); and Pa to Pe in the order of 一兵 to 五兵;
* WXF and ICCS in full-width letters, digits and signs (Ｃ２＝５);
* the algebraic text of WinBoard, BanksiaGUI and pychess (Che2, Cxe6+, A9e8), with ranks 0 to 9 or 1 to 10.

Text that fits several pieces is settled by legality where only one of them can move so; otherwise it is an
AmbiguousMoveError. IllegalMoveError: it is a move, but not a legal one. InvalidMoveError: it is no move.
All three are ValueErrors. Null moves (passes) are written ``--``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import Final

from ._core import BaseBoard, IllegalMoveError, InvalidMoveError, Move, as_board, as_move, define_symbols
from ._internal.message import Message, as_text
from .pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, RED, ROOK
from .square_set import SquareSet
from .squares import FILE_NAMES, SQUARES, Square

__all__ = [
    "CHECK_SIGNS", "INVISIBLE", "RADICALS", "WRITERS", "AmbiguousMoveError", "chinese", "has_invisible",
    "iccs", "is_move_text", "parse", "parse_chinese", "parse_iccs", "parse_san", "parse_uci",
    "parse_vietnamese", "parse_wxf", "to_ascii", "uci", "variation_chinese", "variation_wxf", "wxf",
]  # fmt: skip

NULL_TEXT = "--"
_NULL: Final = Move.null()  # compared with, because None is false, too, and no pass

_LETTERS = " KAEHRCP"  # by piece type
_NAMES = {
    (RED, False): " 帅仕相马车炮兵",
    (RED, True): " 帥仕相馬車炮兵",
    (not RED, False): " 将士象马车炮卒",
    (not RED, True): " 將士象馬車砲卒",
}
_NUMERALS = " 一二三四五六七八九"
_FULL_WIDTH = " １２３４５６７８９"

_KIND_OF_LETTER = {
    "K": KING, "A": ADVISOR, "E": BISHOP, "B": BISHOP, "M": BISHOP, "H": KNIGHT, "N": KNIGHT,
    "R": ROOK, "C": CANNON, "P": PAWN, "S": PAWN,
}  # fmt: skip
_KIND_OF_NAME = {
    name: kind
    for kind, names in (
        (KING, "帅帥将將"), (ADVISOR, "仕士"), (BISHOP, "相象"), (KNIGHT, "马馬傌"),
        (ROOK, "车車俥"), (CANNON, "炮砲礮包"), (PAWN, "兵卒"),
    )
    for name in names
}  # fmt: skip
_DIGITS = {char: n for digits in (" 123456789", _NUMERALS, _FULL_WIDTH) for n, char in enumerate(digits) if n}
# How many ranks the pieces that never move straight change with one or two files.
_RANKS_BY_FILES = {(ADVISOR, 1): 1, (BISHOP, 2): 2, (KNIGHT, 1): 2, (KNIGHT, 2): 1}
_DIRECTIONS = {"进": 1, "進": 1, "上": 1, "退": -1, "下": -1, "平": 0}
_SIGNS = {"+": 1, "-": -1, ".": 0, "=": 0}
# Algebraic text: a letter (none for pawns), file and rank of the piece, file and rank of arrival.
_SAN = re.compile(r"([KAEBHNRCP]?)([a-i]?)(10|[0-9])?[x-]?([a-i])(10|[0-9])[+#]?$")
_VIETNAMESE = re.compile(r"(Tg|[STXPMBC])([1-9ts])([./-])([1-9])$", re.IGNORECASE)
_SQUARES = re.compile(r"[a-i](?:10|[0-9])-?[a-i](?:10|[0-9])$")  # ICCS or UCI, in small letters
_TO_ASCII = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | dict.fromkeys(map(ord, "—–−"), "-")
#: Radicals that look like characters of moves; texts copied from PDFs have them.
RADICALS = dict(zip(map(ord, "⼀⼆⼋⼠⾞⾺⻢⻋"), "一二八士車馬马车", strict=True))
#: Characters without a form of their own (category Cf, variation selectors): pasted texts are full of them.
INVISIBLE = dict.fromkeys(
    code
    for first, last in (
        (0xAD, 0xAD), (0x600, 0x605), (0x61C, 0x61C), (0x6DD, 0x6DD), (0x70F, 0x70F), (0x890, 0x891),
        (0x8E2, 0x8E2), (0x180E, 0x180E), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),
        (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0x110BD, 0x110BD), (0x110CD, 0x110CD),
        (0x13430, 0x1343F), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0001, 0xE0001), (0xE0020, 0xE007F),
    )
    for code in range(first, last + 1)
)  # fmt: skip
CHECK_SIGNS = "+#＋＃†‡"  #: that people write behind moves, as in chess
_PLACES = {"前": "+", "中": "=", "后": "-", "後": "-"}
define_symbols(
    _KIND_OF_LETTER | {letter.lower(): kind for letter, kind in _KIND_OF_LETTER.items()} | _KIND_OF_NAME,
    _DIGITS,
    _SIGNS | _DIRECTIONS,
    {name: _SIGNS[sign] for name, sign in _PLACES.items()},
)


class AmbiguousMoveError(ValueError):
    """The text fits several legal moves of the position."""


# Moves to text


def wxf(board: BaseBoard, move: Move) -> str:
    """The legal move in WXF notation, such as C2.5; IllegalMoveError if it is not legal."""
    if move == _NULL:
        return _null_text(board)
    kind, number = _need_legal(board, move), _own_file(board, move.from_square)
    columns = _columns(board, kind)
    column, series = columns[number], _series(columns)
    head = f"{_LETTERS[kind]}{number}"
    if _is_nameless(board, move, kind, column, series, maximum=5 if kind == PAWN else 3):
        return move.iccs()
    if len(column) > 1 and kind not in (ADVISOR, BISHOP):
        index = column.index(move.from_square)
        marks = ["+", *[str(number)] * (len(column) % 2), "-"]
        if len(series) > len(column):
            head = f"{number}{marks[index]}"
        elif len(column) < 4:
            head = f"{_LETTERS[kind]}{marks[index]}"
        else:
            head = ["++", *[f"P{mark}" for mark in marks], "--"][index]
    direction, last = _direction(board, kind, move)
    return f"{head}{'.+-'[direction]}{last}"


def chinese(board: BaseBoard, move: Move, *, traditional: bool = False, full_width: bool = False) -> str:
    """The legal move in Chinese, such as 炮二平五; IllegalMoveError if it is not legal.

    Red's numbers are written 一 to 九, Black's 1 to 9, or １ to ９ with full_width.
    """
    if move == _NULL:
        return _null_text(board)
    kind, number = _need_legal(board, move), _own_file(board, move.from_square)
    columns = _columns(board, kind)
    column, series = columns[number], _series(columns)
    digits = _NUMERALS if board.turn == RED else _FULL_WIDTH if full_width else " 123456789"
    name = _NAMES[board.turn, bool(traditional)][kind]
    head = name + digits[number]
    if _is_nameless(board, move, kind, column, series, maximum=9):
        return move.iccs()
    if len(column) > 1 and kind not in (ADVISOR, BISHOP):
        if len(series) > len(column) or len(column) > 3:
            prefix = _NUMERALS[1 + series.index(move.from_square)]
        else:
            rear = "後" if traditional else "后"
            prefix = ("前" + "中" * (len(column) - 2) + rear)[column.index(move.from_square)]
        head = prefix + name
    direction, last = _direction(board, kind, move)
    return f"{head}{('平進退' if traditional else '平进退')[direction]}{digits[last]}"


def uci(board: BaseBoard, move: Move, *, first_rank: int = 0) -> str:
    """The legal move as UCI and ICCS write it, such as h2e2; IllegalMoveError if it is not legal.

    first_rank: the number of Red's back rank: 1 writes h3e3, as Fairy-Stockfish, pychess and LiGround do.
    """
    return _legal(board, move).uci(first_rank=first_rank)


def iccs(board: BaseBoard, move: Move) -> str:
    """Return the move as records in ICCS have it, such as H2-E2; whether it is legal is not checked."""
    text = as_move(move).iccs().upper()
    return f"{text[:2]}-{text[2:]}" if move else NULL_TEXT


#: What writes a legal move of a position, by the name of the notation.
WRITERS: Final[dict[str, Callable[[BaseBoard, Move], str]]] = {
    "chinese": chinese, "traditional": partial(chinese, traditional=True),
    "wxf": wxf, "iccs": iccs, "uci": uci,
}  # fmt: skip


def variation_wxf(board: BaseBoard, moves: Iterable[Move]) -> str:
    """A line of legal moves from the position in WXF with move numbers.

    Such as ``1. C2.5 H8+7 2. H2+3``. IllegalMoveError names the first move that is not legal.
    """
    return _variation(board, moves, wxf)


def variation_chinese(
    board: BaseBoard, moves: Iterable[Move], *, traditional: bool = False, full_width: bool = False
) -> str:
    """A line of legal moves from the position in Chinese with move numbers.

    Such as ``1. 炮二平五 马8进7 2. 马二进三``. IllegalMoveError names the first move that is not legal.
    """

    def text(board: BaseBoard, move: Move) -> str:
        return chinese(board, move, traditional=traditional, full_width=full_width)

    return _variation(board, moves, text)


# Text to moves


def parse_iccs(board: BaseBoard, text: str) -> Move:
    """The legal move of h2e2, H2E2 or H2-E2."""
    return _legal(board, Move.from_iccs(text))


def parse_uci(board: BaseBoard, text: str, *, first_rank: int | None = None) -> Move:
    """The legal move of a text such as h2e2.

    first_rank: the number of Red's back rank in the text, 0 or 1. Some programs count the ranks from 1 to 10
    and write h3e3. With None that is read where it cannot be mistaken: where a rank is 10, or the text with
    ranks 0 to 9 is no legal move.
    """
    if first_rank is not None:
        return _legal(board, Move.from_uci(text, first_rank=first_rank))
    try:
        return parse_iccs(board, text)
    except (IllegalMoveError, InvalidMoveError) as error:
        if text.islower() and text.isalnum():  # H3-E3 is ICCS, whose ranks are 0 to 9
            with suppress(IllegalMoveError, InvalidMoveError):
                return _legal(board, Move.from_uci(text, first_rank=1))
        raise error from None


def parse_wxf(board: BaseBoard, text: str) -> Move:
    """The legal move of a text such as C2.5; the head of the module lists the forms that are read."""
    _check(board, text)
    if text == NULL_TEXT:
        return parse_iccs(board, "0000")
    t = text.upper()
    if not (text.isascii() and len(t) == 4 and t[2] in _SIGNS and t[3] in _DIGITS):
        raise InvalidMoveError(Message("invalid move {!r}: expected four characters like 'C2.5'", text[:40]))
    return _find(board, text, _wxf_origins(board, t[0], t[1]), _SIGNS[t[2]], _DIGITS[t[3]])


def parse_chinese(board: BaseBoard, text: str) -> Move:
    """The legal move of a text such as 炮二平五; the head of the module lists the forms that are read."""
    _check(board, text)
    if text == NULL_TEXT:
        return parse_iccs(board, "0000")
    text = text.translate(RADICALS)
    if len(text) not in (4, 5) or text[-2] not in _DIRECTIONS or text[-1] not in _DIGITS:
        raise InvalidMoveError(
            Message("invalid move {!r}: expected four characters like '炮二平五'", text[:40])
        )
    origins = _chinese_origins(board, text[0], text[1], text[2:-2])
    return _find(board, text, origins, _DIRECTIONS[text[-2]], _DIGITS[text[-1]])


def parse_san(board: BaseBoard, text: str, *, first_rank: int = 0) -> Move:
    """Return the legal move of an algebraic text such as Che2, as WinBoard and pychess write it.

    first_rank: the number of Red's back rank in the text, 0 or 1. InvalidMoveError, IllegalMoveError or
    AmbiguousMoveError as for the other notations.

    >>> board = BaseBoard()
    >>> parse_san(board, "Che2"), parse_san(board, "Che3", first_rank=1)
    (Move.from_iccs('h2e2'), Move.from_iccs('h2e2'))
    """
    _check(board, text)
    found = _SAN.match(text)
    if found is None:
        raise InvalidMoveError(
            Message("invalid move {!r}: expected a text such as 'Che2' or 'Rxd7+'", text[:40])
        )
    letter, file, rank, to_file, to_rank = found.groups()
    kind = _KIND_OF_LETTER[letter or "P"]
    goal = FILE_NAMES.index(to_file) + 9 * (int(to_rank) - first_rank)
    moves = [
        move
        for move in board.legal_moves
        if move.to_square == goal
        and board.piece_type_at(move.from_square) == kind
        and file in ("", FILE_NAMES[move.from_square % 9])
        and (rank is None or move.from_square // 9 == int(rank) - first_rank)
    ]
    return _only(board, text, moves)


def parse_vietnamese(board: BaseBoard, text: str) -> Move:
    """Return the legal move of a Vietnamese text: P2-5 is a cannon from file 2 to 5.

    The pieces are Tg S T X P M B (or C); ``.`` is forward, ``/`` backward, ``-`` sideways; t and s in place
    of the file are front and rear. Errors as for `parse_wxf`. `parse` does not try it: P2-5 is a pawn in WXF.
    """
    found = _VIETNAMESE.match(text)
    if found is None:
        raise InvalidMoveError(
            Message("invalid move {!r}: expected a text such as 'P2-5' or 'M8.7'", text[:40])
        )
    piece, file, sign, last = found.groups()
    letter = dict(zip(("TG", "S", "T", "X", "P", "M", "B", "C"), "KAERCHPP", strict=True))[piece.upper()]
    column = {"t": "+", "s": "-"}.get(file.lower(), file)
    try:
        return parse_wxf(board, f"{letter}{column}{dict(zip('./-', '+-.', strict=True))[sign]}{last}")
    except IllegalMoveError:
        raise IllegalMoveError(Message("illegal move {!r} in {}", text, board.fen())) from None


def to_ascii(text: str) -> str:
    """Return the text with full-width letters, digits and signs as ASCII, if nothing else is in it."""
    folded = as_text("move text", text).translate(_TO_ASCII)
    return folded if folded.isascii() else text


def parse(board: BaseBoard, text: str, *, first_rank: int = 0) -> Move:
    """Return the legal move of a text in any of the notations.

    Text that may be ICCS or algebraic is algebraic where capital and small letters meet (C2d2 is a cannon on
    rank 2), unless only the ICCS move is legal. first_rank: 1 if ICCS and algebraic text count the ranks from
    1 to 10; with 0 they may do so as `parse_uci` reads it. Signs of check behind the move and characters that
    cannot be seen are passed over.
    """
    _check(board, text)
    text = to_ascii(text)
    if has_invisible(text):
        text = to_ascii(text.translate(INVISIBLE))
    if text[-1:] in ("+", "#", "†", "‡", "＋", "＃"):
        text = to_ascii(text.rstrip(CHECK_SIGNS))
    if not text.isascii():
        return parse_chinese(board, text)
    if text == NULL_TEXT or (len(text) == 4 and text[2] in _SIGNS):
        return parse_wxf(board, text)
    if _SQUARES.match(text) or not _SAN.match(text):
        return _parse_squares(board, text, first_rank)
    try:
        return parse_san(board, text, first_rank=first_rank)
    except IllegalMoveError as error:
        try:
            return _parse_squares(board, text, first_rank)
        except ValueError:
            raise error from None


def _check(board: BaseBoard, text: str) -> None:
    as_board(board)
    as_text("move text", text)


def has_invisible(text: str) -> bool:
    """May there be characters of `INVISIBLE` in the text?"""
    return not text.isprintable() or "\ufe0f" in text


def is_move_text(text: str) -> bool:
    """Has the text the form of a move in one of the notations that `parse` reads, legal or not?

    >>> [is_move_text(text) for text in ("h2e2", "炮二平五", "C2.5", "Che2", "0", "fen", "红先")]
    [True, True, True, True, False, False, False]
    """
    try:
        parse(BaseBoard(), text)
    except InvalidMoveError:
        return False
    except ValueError:
        return True
    return True


def _parse_squares(board: BaseBoard, text: str, first_rank: int) -> Move:
    """The legal move of two squares."""
    return parse_uci(board, text, first_rank=first_rank or None)


def _wxf_origins(board: BaseBoard, first: str, second: str) -> tuple[int, list[Square]]:
    """The kind of piece and the squares that the text may mean; kind 0 if it means nothing."""
    if first in _SIGNS and second in _KIND_OF_LETTER:
        first, second = second, first
    if first in _KIND_OF_LETTER:
        kind = _KIND_OF_LETTER[first]
        squares = _wxf_lettered(board, kind, second)
    else:
        kind = PAWN
        squares = _wxf_nameless(_columns(board, PAWN), first, second)
    return (0, []) if squares is None else (kind, squares)


def _wxf_lettered(board: BaseBoard, kind: int, mark: str) -> list[Square] | None:
    """The squares of a letter with a mark: a file, a sign, or a letter for a pawn in a series."""
    if mark in _DIGITS:
        column = _on_file(board, kind, _DIGITS[mark])
        in_the_middle = kind not in (ADVISOR, BISHOP) and len(column) in (3, 5)
        return _pick(column, ".") if in_the_middle else column
    columns = _columns(board, kind)
    if mark in _SIGNS:
        # Of four and more pawns, ++ and -- are the outer ones, P+ and P- the next.
        return [s for c in columns.values() for s in _pick(c[1:-1] if len(c) > 3 else c, mark)]
    if kind == PAWN and mark in "ABCDE":
        return _pick(_series(columns), 1 + "ABCDE".index(mark))
    return None


def _wxf_nameless(columns: dict[int, list[Square]], first: str, second: str) -> list[Square] | None:
    """The pawns of two marks without a letter: ++ and --, file and sign, or number and file."""
    if first == second and first in "+-":
        return [s for c in columns.values() if len(c) > 3 for s in _pick(c, first)]
    if first in _DIGITS and second in _SIGNS:
        return _pick(columns.get(_DIGITS[first], []), second)
    if first in _DIGITS and second in _DIGITS:
        column = columns.get(_DIGITS[second], [])
        if first == second and len(column) == 3 and len(_series(columns)) > 3:
            return _pick(column, ".")
        return _pick(column, _DIGITS[first])
    return None


def _chinese_origins(board: BaseBoard, first: str, second: str, third: str) -> tuple[int, list[Square]]:
    """The same for Chinese; third is empty or the file after 前兵."""
    if first in _KIND_OF_NAME and second in _PLACES:
        first, second = second, first
    ordinal = _PLACES.get(first) or _DIGITS.get(first)
    kind = _KIND_OF_NAME.get(first) or _KIND_OF_NAME.get(second, PAWN)
    if first in _KIND_OF_NAME and second in _DIGITS and not third:
        return kind, _on_file(board, kind, _DIGITS[second])
    columns = _columns(board, kind)
    if ordinal and second in _KIND_OF_NAME:
        if third:
            return (kind, _pick(columns.get(_DIGITS[third], []), ordinal)) if third in _DIGITS else (0, [])
        if isinstance(ordinal, int):
            return kind, _pick(_series(columns), ordinal)
        return kind, [s for column in columns.values() for s in _pick(column, ordinal)]
    if ordinal and second in _DIGITS and not third:
        return kind, _pick(columns.get(_DIGITS[second], []), ordinal)
    return 0, []


def _pick(squares: list[Square], ordinal: str | int) -> list[Square]:
    """The square by its ordinal: + front, - rear, . or = middle, or its number from the front."""
    n = len(squares)
    if n < 2:
        return []
    if isinstance(ordinal, int):
        return squares[ordinal - 1 : ordinal]
    if ordinal in ".=":
        return [squares[n // 2]] if n % 2 else []
    return [squares[0 if ordinal == "+" else -1]]


def _find(
    board: BaseBoard, text: str, origins: tuple[int, list[Square]], direction: int, number: int
) -> Move:
    """The one legal move of a kind of piece from the squares that ends so."""
    kind, squares = origins
    if not kind:
        raise InvalidMoveError(
            Message("invalid move {!r}: {!r} is not a piece and its place", text, text[:-2])
        )
    candidates = (_move(board, square, kind, direction, number) for square in squares)
    return _only(board, text, [move for move in candidates if move and board.is_legal(move)])


def _only(board: BaseBoard, text: str, moves: list[Move]) -> Move:
    """The one legal move of a text."""
    if not moves:
        raise IllegalMoveError(Message("illegal move {!r} in {}", text, board.fen()))
    if len(moves) > 1:
        meanings = ", ".join(map(str, moves))
        raise AmbiguousMoveError(
            Message("ambiguous move {!r} in {}: it may be {}", text, board.fen(), meanings)
        )
    return moves[0]


# The board as the mover sees it


def _own_file(board: BaseBoard, square: Square) -> int:
    """1 to 9 from the mover's right."""
    return 9 - square % 9 if board.turn == RED else square % 9 + 1


_FILE = sum(1 << 9 * rank for rank in range(10))  # the squares of a file, seen from its lowest


def _columns(board: BaseBoard, kind: int) -> dict[int, list[Square]]:
    """The mover's pieces of a kind by their file, right file and front piece first."""
    squares = SquareSet(board.pieces_mask(kind, board.turn))
    columns: dict[int, list[Square]] = {}
    for square in reversed(squares) if board.turn == RED else squares:
        columns.setdefault(_own_file(board, square), []).append(square)
    return dict(sorted(columns.items()))


def _on_file(board: BaseBoard, kind: int, number: int) -> list[Square]:
    """Those on one file only, which most moves name."""
    is_red = board.turn == RED
    file = 9 - number if is_red else number - 1
    found, rest = [], board.pieces_mask(kind, is_red) >> file & _FILE
    while rest:
        found.append(file + (rest & -rest).bit_length() - 1)
        rest &= rest - 1
    return found[::-1] if is_red else found


def _series(columns: dict[int, list[Square]]) -> list[Square]:
    """All pieces on files that hold two or more of them."""
    return [square for column in columns.values() if len(column) > 1 for square in column]


def _is_nameless(
    board: BaseBoard, move: Move, kind: int, column: list[Square], series: list[Square], *, maximum: int
) -> bool:
    """Has a composed position too many pieces like this one on its files to distinguish them?"""
    if kind not in (ADVISOR, BISHOP):
        return len(column) > 1 and len(series) > maximum
    return any(
        board.is_legal(Move(s, s + move.to_square - move.from_square))
        for s in column
        if s != move.from_square and 0 <= s + move.to_square - move.from_square < len(SQUARES)
    )


def _direction(board: BaseBoard, kind: int, move: Move) -> tuple[int, int]:
    """1 forwards, -1 backwards or 0 sideways, and the number that ends the text."""
    steps = move.to_square // 9 - move.from_square // 9
    direction = (steps > 0) - (steps < 0)
    if board.turn != RED:
        direction = -direction
    if direction and kind in (KING, ROOK, CANNON, PAWN):
        return direction, abs(steps)
    return direction, _own_file(board, move.to_square)


def _move(board: BaseBoard, square: Square, kind: int, direction: int, number: int) -> Move | None:
    """The move from the square by direction and number, if the board has room for it."""
    file, rank = square % 9, square // 9
    forwards = direction if board.turn == RED else -direction
    if direction and kind in (KING, ROOK, CANNON, PAWN):
        rank += forwards * number
    else:
        old, file = file, 9 - number if board.turn == RED else number - 1
        rank += forwards * _RANKS_BY_FILES.get((kind, abs(file - old)), 0)
    return Move(square, 9 * rank + file) if 0 <= rank < 10 else None


def _legal(board: BaseBoard, move: Move) -> Move:
    """The move, or IllegalMoveError."""
    if move == _NULL:
        _null_text(board)
    else:
        _need_legal(board, move)
    return move


def _need_legal(board: BaseBoard, move: Move) -> int:
    """The kind of the moving piece; IllegalMoveError if the move is not legal."""
    kind = board.piece_type_at(move.from_square) if as_board(board).is_legal(move) else None
    if kind is None:
        raise IllegalMoveError(Message("illegal move {} in {}", move, board.fen()))
    return kind


def _null_text(board: BaseBoard) -> str:
    """The text of a pass; IllegalMoveError in check."""
    if as_board(board).is_check():
        raise IllegalMoveError(Message("cannot pass while in check in {}", board.fen()))
    return NULL_TEXT


def _variation(board: BaseBoard, moves: Iterable[Move], text: Callable[[BaseBoard, Move], str]) -> str:
    board = BaseBoard.copy(board, stack=False)  # what a subclass adds is for the caller's moves
    words = []
    for move in moves:
        if board.turn == RED:
            words.append(f"{board.fullmove_number}. {text(board, move)}")
        elif words:
            words.append(text(board, move))
        else:
            words.append(f"{board.fullmove_number}...{text(board, move)}")
        BaseBoard.push(board, move)
    return " ".join(words)
