"""Games as plain text: what XQStudio prints, what people paste, runs of ICCS moves or digits.

>>> game = parse("红方: 胡  1. 炮二平五 马8进7 2. 马二进三")
>>> [str(move) for move in game.mainline_moves()]
['h2e2', 'h9g7', 'h0g2']
>>> [str(move) for move in parse("77477062").mainline_moves()]
['h2e2', 'h9g7']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from .. import notation
from .._core import STARTING_FEN, BaseBoard, Move
from .._message import Message
from ..pieces import RED
from . import pgn
from .annotations import annotate, mark_move
from .encoding import decode
from .entry import RecordEntry, warn
from .errors import RecordError
from .limits import check_nodes, check_text
from .position import is_fen, set_start
from .tree import RESULTS, Game, GameNode

_HEADERS: Final = {
    "标题": "Title", "標題": "Title", "赛事": "Event", "賽事": "Event", "日期": "Date", "地点": "Site",
    "地點": "Site", "红方": "Red", "紅方": "Red", "黑方": "Black", "结果": "Result", "結果": "Result",
    "评论": "Annotator", "評論": "Annotator", "作者": "Author", "FEN": "FEN", "局面": "FEN",
}  # fmt: skip
_NAMES: Final = {  # simplified, traditional
    "Title": ("标题", "標題"), "Event": ("赛事", "賽事"), "Date": ("日期", "日期"), "Site": ("地点", "地點"),
    "Red": ("红方", "紅方"), "Black": ("黑方", "黑方"), "Annotator": ("评论", "評論"),
    "Author": ("作者", "作者"),
}  # fmt: skip
_RESULT_NAMES: Final = {"1-0": ("红胜", "紅勝"), "0-1": ("黑胜", "黑勝"), "1/2-1/2": ("和棋", "和棋")}
_HEADER: Final = re.compile(rf"\s*({'|'.join(_HEADERS)})\s*[:：]\s*(.*?)\s*$")
_RESULT_WORDS: Final = {
    "红胜": "1-0", "紅勝": "1-0", "黑胜": "0-1", "黑勝": "0-1", "和棋": "1/2-1/2", "和局": "1/2-1/2",
    "红方胜": "1-0", "黑方胜": "0-1", "0.5-0.5": "1/2-1/2",
} | {result: result for result in RESULTS}  # fmt: skip
_RULER: Final = re.compile(r"\s*[-=—－＝]{10,}\s*$")
_MOVE_NUMBER: Final = re.compile(r"(?<![\w+=.-])([0-9]{1,3})\s*[.、](?![0-9])")
_NUMBER: Final = re.compile(r"\s*[0-9０-９]{1,3}\s*[.．、]")
_PIECES: Final = "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒"
_FIGURES: Final = "一二三四五六七八九1-9１-９"
_CANDIDATE: Final = re.compile(
    rf"(?P<chinese>(?:[{_PIECES}][{_FIGURES}前中后後]|[前中后後{_FIGURES}][{_PIECES}][{_FIGURES}]?"
    rf"|[前中后後][{_FIGURES}])[进進退平上下][{_FIGURES}])"
    r"|(?<![A-Za-z0-9])(?P<wxf>(?:[KAEBMHNRCPSkaebmhnrcps][1-9+.a-eA-E-]|[+-][KAEBMHNRCPSkaebmhnrcps]|[1-9][1-9+-]"
    r"|\+\+|--)[+.=-][1-9])(?![A-Za-z0-9])"
    r"|(?<![A-Za-z0-9])(?P<iccs>(?:[a-iA-I][0-9]-?[a-iA-I][0-9])+)(?![A-Za-z0-9])"
    r"|(?<![0-9/.:-])(?P<pair>[0-8][0-9]-[0-8][0-9])(?![0-9/.:-])"
)
_DAMAGED: Final = re.compile(  # a move that something sticks to
    rf"[KAEBMHNRCPSkaebmhnrcps][1-9+-][+.=-][1-9]|[{_PIECES}][{_FIGURES}前中后後][进進退平上下]"
)
_ICCS: Final = re.compile(r"[a-iA-I][0-9]-?[a-iA-I][0-9]")
_WIDE: Final = "".join(char for char in map(chr, range(0xFF10, 0xFF5B)) if char.isalnum()) + "＋－＝．"
_NARROW: Final = str.maketrans({char: chr(ord(char) - 0xFEE0) for char in _WIDE})
_MARK: Final = re.compile(r"[!?！？]+")
_BRACKETS: Final = re.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|【[^【】]*】|\{[^{}]*\}")
_NOTHING: Final = re.compile(r"[\s\d０-９.．、,，;；:：…·()（）\[\]【】*\"'红紅黑方先胜勝和负負局棋/-]*$")


# Reading


def scan(file: BinaryIO) -> Iterator[RecordEntry]:
    """The one game of a text; RecordError if no move is in it."""
    game = _best_reading(decode(file.read()))
    yield RecordEntry(game.headers, lambda: game, line=1)


def has_moves(line: str) -> bool:
    """Is there something in the line that looks like a move?"""
    return bool(_CANDIDATE.search(line))


def _best_reading(text: str) -> Game:
    """The game of a text in the notations that `parse` knows, else in Vietnamese or algebraic text."""
    game, failure = None, None
    try:
        game = parse(text)
    except RecordError as error:
        failure = error
    if game is not None and not game.warnings:
        return game
    words = [word for word in re.split(r"[\s,;]+|\d+\.(?!\d)", text) if word]
    others = [_played(words, notation.parse_vietnamese)]
    others += [other for other in pgn.parse(text) if not other.warnings][:1]
    plies = game.plies() if game is not None else 0
    best = max((other for other in others if other is not None), key=Game.plies, default=None)
    if best is not None and best.plies() > plies:
        return best
    if game is None:
        assert failure is not None
        raise failure
    return game


def _played(words: list[str], parse_move: Callable[[BaseBoard, str], Move]) -> Game | None:
    """The game of the words from the start position; None if one of them is no move."""
    game = Game(headers={"Result": "*"})
    board = BaseBoard()
    node: GameNode = game
    for word in words:
        try:
            move = parse_move(board, word)
        except ValueError:
            return None
        board.push(move)
        node = node.add(move)
    return game


def parse(text: str) -> Game:
    """The game of a text; RecordError if neither a move nor a header is in it.

    Where some lines begin with move numbers, the others are comments, unless the numbers say that they held
    the moves between. The reading ends there, or at the first move that is not legal, with a warning.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    check_text(len(text), text.count("\n"), line=1)
    digits = "".join(text.split())
    if re.fullmatch(r"(?:[0-8][0-9]){2,}", digits) and len(digits) % 4 == 0:
        return _game_of_digits(digits)
    return _LineReader(text.split("\n")).game_of_lines()


def _game_of_digits(digits: str) -> Game:
    """The game of moves of four digits each, without anything between them."""
    game = Game()
    reader = _MoveReader(game)
    for at in range(0, len(digits), 4):
        if not reader.play(_pair(digits[at : at + 2], digits[at + 2 : at + 4]), 1):
            break
    return game


class _LineReader:
    """Reads a text line by line: headers, then moves with the comments between them."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = list(enumerate(lines, 1))
        rulers = [number for number, line in self._lines if _RULER.match(line)]
        self._last = rulers[-1] if len(rulers) > 2 else len(lines)  # an advertisement follows
        numbered = sum(1 for line in lines if _NUMBER.match(line) and _CANDIDATE.search(line))
        self._is_numbered = numbered > 1  # other lines are comments
        self._game = Game()
        self._moves = _MoveReader(self._game)
        self._has_start = False
        self._comment: list[str] = []  # its lines so far
        self._following = 1  # the number of the next move

    def game_of_lines(self) -> Game:
        game = self._game
        for number, line in self._lines:
            if _RULER.match(line):
                continue
            if number > self._last:
                break
            if not game.children and self._take_header(line, number):
                if game.error:
                    return game
                continue
            if not self._take_line(line, number):
                break
        else:
            if self._comment and game.children and _hold_move(self._comment, self._following):
                message = Message("move {} stands in a line with other text and is not read", self._following)
                warn(game, message, line=len(self._lines))
            self._annotate()
        if not game.children and not game.headers and not self._has_start:
            raise self._moves.illegal or RecordError("no move of a game is in this text", line=1)
        game.headers.setdefault("Result", "*")
        return game

    def _take_header(self, line: str, number: int) -> bool:
        """Take up a header or the start position; False if the line is neither."""
        if "FEN" not in self._game.headers and is_fen(line):
            name, value = "FEN", line.strip()
        elif (header := _HEADER.match(line)) and not _CANDIDATE.search(header[2]):
            name, value = _HEADERS[header[1]], header[2]
        else:
            return False
        _set_header(self._game, name, value, number)
        if name == "FEN" and not self._game.error:
            self._moves = _MoveReader(self._game)
            self._has_start = True
        return True

    def _take_line(self, line: str, number: int) -> bool:
        """Take up moves, or a line of a comment; False if it is time to stop."""
        following, numbers = self._following, _move_numbers(line)
        if self._is_numbered and not (
            _NUMBER.match(line) or _is_moves(line) or _is_marked_line(line, following)
        ):
            self._comment.append(line)
            return True
        if self._comment and numbers and numbers[0] != following and _hold_move(self._comment, following):
            message = Message("move {} stands in a line with other text; the rest is not read", following)
            warn(self._game, message, line=number - 1)
            return False
        if numbers:
            self._following = numbers[-1] + 1
        if self._comment:
            self._annotate()
        return self._moves.read(line, number)

    def _annotate(self) -> None:
        """The comment is one on the last move."""
        annotate(self._moves.node, "\n".join(self._comment).strip())
        self._comment = []


class _MoveReader:
    """Plays the moves that appear in lines."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.board = BaseBoard(game.start)
        self.node: GameNode = game
        self.illegal: RecordError | None = None

    def read(self, line: str, number: int) -> bool:
        """Play what is in a line; False if it is time to stop."""
        line = line.translate(_NARROW)
        cursor = 0
        for found in _CANDIDATE.finditer(line):
            if not self._between(line[cursor : found.start()], number, last=False):
                return False
            cursor = found.end()
            word = found[0]
            if found.lastgroup == "pair":
                moves = [_pair(*word.split("-"))]
            elif found.lastgroup == "iccs":
                moves = _ICCS.findall(word)
            else:
                moves = [word]
            for move in moves:
                if not self.play(move, number):
                    return False
        return self._between(line[cursor:], number, last=True)

    def _between(self, text: str, number: int, *, last: bool) -> bool:
        """Take up what stands before a move, or behind the last one: marks, comments, the result.

        False if a word that is not understood stands between two moves: what follows may be another game.
        """
        if mark := _MARK.match(text):
            mark_move(self.node, mark[0])
            text = text[mark.end() :]
        for remark in _BRACKETS.findall(text):
            if not _NOTHING.match(remark):
                annotate(self.node, remark[1:-1].strip())
                text = text.replace(remark, " ", 1)
        for word in text.split():
            if word in _RESULT_WORDS:
                self.game.headers.setdefault("Result", _RESULT_WORDS[word])
                text = text.replace(word, "", 1)
        if _NOTHING.match(text):
            return True
        if (last or self.node is self.game) and not _DAMAGED.search(text):
            warn(self.game, Message("text that is no move is left out: {!r}", text.strip()[:60]), line=number)
            return True
        warn(self.game, Message("{!r} is no move; the rest is not read", text.strip()[:60]), line=number)
        return False

    def play(self, text: str, number: int) -> bool:
        try:
            check_nodes(self.board.ply)
            move = notation.parse(self.board, text)
        except ValueError as error:
            self.illegal = RecordError(Message("{}; the rest is not read", error), line=number)
            self.game.warnings.append(self.illegal)
            return False
        self.board.push(move)
        self.node = self.node.add(move)
        return True


def _move_numbers(line: str) -> list[int]:
    return [int(number) for number in _MOVE_NUMBER.findall(line.translate(_NARROW))]


def _hold_move(lines: list[str], number: int) -> bool:
    """Does one of these lines of a comment hold a move of this number?"""
    return any(number in _move_numbers(line) and has_moves(line) for line in lines)


def _is_marked_line(line: str, number: int) -> bool:
    """Is this a line of moves from this number on, behind a mark, a remark in brackets or odd letters?"""
    head, found, rest = _MARK.sub("", _BRACKETS.sub("", line)).partition(str(number))
    return bool(found) and len(head.strip()) <= 3 and bool(_NUMBER.match(found + rest)) and has_moves(rest)


def _is_moves(line: str) -> bool:
    """Is there nothing but moves in the line?"""
    return bool(_CANDIDATE.search(line)) and bool(_NOTHING.match(_CANDIDATE.sub(" ", line)))


def _pair(origin: str, goal: str) -> str:
    """ICCS of two squares as file and row from Black's side."""
    return "".join(f"{'abcdefghi'[int(square[0])]}{9 - int(square[1])}" for square in (origin, goal))


def _set_header(game: Game, name: str, value: str, number: int) -> None:
    if not value:
        return
    if name == "FEN":
        set_start(game, value, "FEN", number)
    elif name == "Result":
        game.headers["Result"] = _RESULT_WORDS.get(value, "*")
        if value not in _RESULT_WORDS:
            warn(game, Message("unknown result {!r}", value), line=number)
    else:
        game.headers[name] = value


# Writing


def text_of(game: Game, style: str = "chinese", loss: Callable[[str], object] = lambda _: None) -> str:
    """The main line as XQStudio prints it, in a style of `pgn.STYLES`; loss is called with what is lost."""
    ruler = "-" * 52
    letters = int(style == "traditional")
    lines = [ruler]
    for name, value in game.headers.items():
        if name == "Result":
            if game.result != "*":
                lines.append(f"{('结果', '結果')[letters]}: {_RESULT_NAMES[game.result][letters]}")
        elif name in _NAMES:
            lines.append(f"{_NAMES[name][letters]}: {' '.join(value.split())}")
        elif name != "Game":
            loss(f"the text has no header {name}")
    if game.start != STARTING_FEN:
        lines.append(f"FEN: {game.start}")
    lines.append(ruler)
    board = BaseBoard(game.start)
    row = ""
    for move in game.mainline_moves():
        text = write_move(board, move, style)
        if board.turn == RED or not row:
            if row:
                lines.append(row)
            row = f"{board.fullmove_number:>3}. {text if board.turn == RED else '…………  ' + text}"
        else:
            row = f"{row}  {text}"
        board.push(move)
    return "\n".join([*lines, row, ruler, ""])


def write_move(board: BaseBoard, move: Move, style: str) -> str:
    """The legal move in a style; RecordError for a pass."""
    if not move:
        raise RecordError("the format cannot hold a pass")
    if style == "iccs":
        return move.iccs()
    if style == "wxf":
        return notation.wxf(board, move)
    return notation.chinese(board, move, traditional=style == "traditional")
