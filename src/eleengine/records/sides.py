"""Whose move a text names: by numerals, the case of letters, and names that one side's pieces have.

Red's moves have Chinese numerals or capital letters, Black's digits or small letters; Red's soldiers are 兵,
Black's 卒. Many texts heed none of it. Where both forms alternate, they say whose move each is.

>>> sides = Sides(lambda: "1. 马8进7 马二进三 2. 车9平8 车一平二")
>>> sides.contradict("马8进7", RED), sides.contradict("马二进三", RED)
(True, False)
>>> Sides(lambda: "1. 炮2平5 马8进7 2. 马2进3").contradict("炮2平5", RED)
False
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import groupby
from string import ascii_lowercase, ascii_uppercase

from .. import notation
from .._core import BaseBoard, Move
from .._internal.message import Message
from ..pieces import BLACK, RED, Color
from .entry import warn
from .errors import RecordError
from .limits import check_nodes
from .tree import Game, GameNode
from .words import CANDIDATE

_CHARS: dict[str, dict[Color, str]] = {
    "letters": {RED: ascii_uppercase, BLACK: ascii_lowercase},  # of WXF
    "numerals": {RED: "一二三四五六七八九", BLACK: "123456789１２３４５６７８９"},
    "soldiers": {RED: "兵", BLACK: "卒"},
    "kings": {RED: "帅帥", BLACK: "将將"},
    "rooks": {RED: "俥", BLACK: "车車"},
    "horses": {RED: "傌", BLACK: "马馬"},
}
_ALL = frozenset(_CHARS)
_RARE = frozenset(("rooks", "horses"))
_FORMS: dict[str, tuple[str, Color]] = {
    char: (form, color)
    for form, of_color in _CHARS.items()
    if form != "letters"
    for color, chars in of_color.items()
    for char in chars
}
_SMALL, _CAPITAL = (re.compile(rf"[{letters}].?[+.=-][1-9]") for letters in ("a-z", "A-Z"))  # may be WXF
_NO_MOVES = re.compile(r"\{[^}]*\}|;[^\n]*|\[[^\]\n]*\]|（[^（）]*）")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_BLACK_FIRST = re.compile(r"\.\s*\.|…")  # 1... before a move


@lru_cache(1 << 14)
def _forms(word: str) -> frozenset[tuple[str, Color]]:
    """The forms of a word with the side that each belongs to; not those of which it has both."""
    if word.isascii():
        letters = [char for char in word[:2] if char.isalpha()]
        is_wxf = len(word) == 4 and word[2] in "+-.=" and word[3].isdecimal() and letters
        return frozenset(
            (("letters", RED if char.isupper() else BLACK) for char in letters) if is_wxf else ()
        )
    found = {_FORMS[char] for char in word if char in _FORMS}
    return frozenset(one for one in found if (one[0], not one[1]) not in found)


@lru_cache(1 << 14)
def _may_contradict(word: str, turn: Color, has_rare: bool) -> bool:
    """Is one of the forms of the other side? has_rare: 俥 or 傌 is in the text, 车 and 马 are Black's."""
    return any(color != turn and (has_rare or form not in _RARE) for form, color in _forms(word))


@lru_cache
def _chars(forms: frozenset[str], color: Color) -> str:
    return "".join(_CHARS[form][color] for form in forms)


class Sides:
    """What the forms of the moves of a text say. text: gives it, when a move is not of the side to move."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text
        self._has_rare: bool | None = None
        self._told: frozenset[str] | None = None  # the forms that separate the sides

    def foreign(self, turn: Color) -> str:
        """Characters of a move that may name the other side, as far as is known; `contradict` decides."""
        if self._told is not None:
            return _chars(self._told, not turn)
        return _chars(_ALL if self._is_rare() else _ALL - _RARE, not turn)

    def contradict(self, word: str, turn: Color) -> bool:
        """Is the move, in the forms of this text, one of the side that is not to move?"""
        if not _may_contradict(word, turn, self._is_rare()):
            return False
        if self._told is None:
            self._told = self._forms_that_tell()
        found = {color for form, color in _forms(word) if form in self._told}
        return found == {not turn}

    def _is_rare(self) -> bool:
        """Are there 俥 or 傌, so that 车 and 马 are Black's?"""
        if self._has_rare is None:
            text = self._text()
            self._has_rare = "俥" in text or "傌" in text
        return self._has_rare

    def _forms_that_tell(self) -> frozenset[str]:
        """Those of which the text has both, unless single moves are out of order."""
        text = self._text()
        if text.isascii() and not (_SMALL.search(text) and _CAPITAL.search(text)):
            return frozenset()
        words = list(self._words())
        used = {one for word in words for one in _forms(word)}
        forms = frozenset(form for form, color in used if (form, not color) in used)
        in_order = []  # is it Red's move, if Red's is every other one from the first on?
        for ply, word in enumerate(words):
            colors = {color for form, color in _forms(word) if form in forms}
            if len(colors) == 1:
                in_order.append((RED in colors) == (ply % 2 == 0))
        runs = [len(list(run)) for _, run in groupby(in_order)]
        return frozenset() if len(runs) > 3 or 1 in runs[:-1] else forms

    def _words(self) -> Iterator[str]:
        """The moves outside of brackets."""
        text = _NO_MOVES.sub(" ", self._text())
        while "(" in text and (less := _IN_BRACKETS.sub(" ", text)) != text:
            text = less
        for found in CANDIDATE.finditer(
            notation.to_ascii(text) if text.isascii() else text.translate(_NARROW)
        ):
            yield found[0]


_NARROW = notation.INVISIBLE | {0xFF0B: "+", 0xFF0D: "-", 0xFF1D: "=", 0xFF0E: "."}
_NARROW |= {code: chr(code - 0xFEE0) for code in (*range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B))}


def names_black(number: str) -> bool:
    """Do the dots behind a move number say that Black's move follows, as in 1... ?"""
    return bool(_BLACK_FIRST.search(number))


def _let_move_first(game: Game, why: Message, *, line: int | None) -> bool:
    """Give the other side the first move, with a warning; False if it cannot be to move."""
    pieces, turn, *rest = game.start.split()
    try:
        game.start = BaseBoard(" ".join([pieces, "b" if turn == "w" else "w", *rest])).fen()
    except ValueError:
        return False
    warn(game, "{}: {} moves first", why, "Black" if turn == "w" else "Red", line=line)
    return True


def turned_round(game: Game, node: GameNode, word: str, turn: Color, *, line: int | None) -> BaseBoard:
    """The start with the other side to move, because the first move, a word, names it, with a warning.

    node, turn: where the word stands. ValueError if it is no first move, or that side cannot be to move.
    """
    if turn == RED:
        why = Message("{!r} is written as a move of Black's, but it is Red's turn", word)
    else:
        why = Message("{!r} is written as a move of Red's, but it is Black's turn", word)
    if node is not game or game.children or not _let_move_first(game, why, line=line):
        raise ValueError(why)
    return BaseBoard(game.start)


def black_begins(
    game: Game, why: Message, word: str, *, line: int | None, first_rank: int = 0
) -> BaseBoard | None:
    """The start with Black to move, with a warning, if the word is legal there; else nothing changes."""
    start = game.start
    if _let_move_first(game, why, line=line):
        board = BaseBoard(game.start)
        with suppress(ValueError):
            notation.parse(board, word, first_rank=first_rank)
            return board
        game.start = start
        game.warnings.pop()
    return None


class Line:
    """Plays the moves of a text, from a node of a game on; node: the last one, with its board.

    parse: reads a legal move. illegal: the warning of the one that could not be played, None before that.
    """

    def __init__(
        self,
        game: Game,
        sides: Sides,
        node: GameNode | None = None,
        parse: Callable[[BaseBoard, str], Move] = notation.parse,
    ) -> None:
        self.game = game
        self.sides = sides
        self.node: GameNode = game if node is None else node
        self.board = BaseBoard(game.start)
        for move in self.node.moves():
            self.board.push(move)
        self._parse = parse
        self.illegal: RecordError | None = None

    def play(self, word: str, line: int, *, is_blacks: bool = False) -> bool:
        """Play a move; False, with a warning, if it cannot be played.

        is_blacks: the text says of the first move that it is one of Black's.
        """
        begins = is_blacks and self.node is self.game and self.board.turn == RED
        try:
            check_nodes(self.board.ply)
            if begins or self.sides.contradict(word, self.board.turn):
                self.board = turned_round(self.game, self.node, word, self.board.turn, line=line)
            move = self._parse(self.board, word)
        except ValueError as error:
            self.illegal = RecordError("{}; the rest is not read", error, line=line)
            self.game.warnings.append(self.illegal)
            return False
        self.board.push(move)
        self.node = (self.node.child(move) if self.node.children else None) or self.node.add(move)
        return True
