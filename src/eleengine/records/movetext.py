"""Games as plain text: what XQStudio prints, what people paste, runs of ICCS moves or digits.

>>> game = parse("红方: 胡  1. 炮二平五 马8进7 2. 马二进三")
>>> [str(move) for move in game.mainline_moves()]
['h2e2', 'h9g7', 'h0g2']
>>> [str(move) for move in parse("77477062").mainline_moves()]
['h2e2', 'h9g7']
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import Final

from .. import notation
from .._core import STARTING_FEN, BaseBoard, Move
from .._internal.message import Message
from .._internal.traditional import traditional
from ..pieces import RED
from ..squares import square_name
from . import pgn
from .annotations import annotate, mark_move
from .encoding import decode
from .entry import put_header, put_result, warn, warn_of_damage
from .errors import RecordError
from .limits import check_text
from .position import fen_in, read_fen, set_start
from .sides import Line, Sides, black_begins, names_black
from .slots import square_of
from .tree import Game, GameNode
from .words import CANDIDATE, FIGURES, PIECES, has_moves, is_gloss, read_result

_HEADERS: Final = {
    "标题": "Title", "赛事": "Event", "日期": "Date", "地点": "Site", "红方": "Red", "黑方": "Black",
    "结果": "Result", "评论": "Annotator", "作者": "Author", "FEN": "FEN", "局面": "FEN", "轮次": "Round",
    "布局": "Opening", "红方团体": "RedTeam", "黑方团体": "BlackTeam", "组别": "Group",
}  # fmt: skip
_HEADERS.update({traditional(name): header for name, header in _HEADERS.items()})
_WRITTEN: Final = {"Title": "标题", "Event": "赛事", "Date": "日期", "Site": "地点", "Red": "红方",
                   "Black": "黑方", "Annotator": "评论", "Author": "作者"}  # fmt: skip
_RESULT_NAMES: Final = {"1-0": "红胜", "0-1": "黑胜", "1/2-1/2": "和棋"}
_HEADER: Final = re.compile(rf"\s*({'|'.join(_HEADERS)})\s*[:：]\s*(.*?)\s*$", re.IGNORECASE)
_LABEL: Final = re.compile(r"[\w ]{0,20}[:：=]?\s*$")  # before a FEN
_LINE: Final = re.compile(
    rf"\s*(?:[0-9]{{1,3}}\s*[.、…]+[\s.…]*)?{CANDIDATE.pattern}"
)  # begins like a variation
_RULER: Final = re.compile(r"\s*[-=—－＝]{10,}\s*$")
_FIRST_NUMBER: Final = re.compile(r"\s*([0-9]{1,3})\s*[.、](\.|…|\s*\.\.)?")
_MOVE_NUMBER: Final = re.compile(r"(?<![\w+=.-])([0-9]{1,3})\s*[.、](?![0-9])")
_NUMBER: Final = re.compile(r"\s*[0-9０-９]{1,3}\s*[.．、]")
_DAMAGED: Final = re.compile(  # a move that something sticks to
    rf"[KAEBMHNRCPSkaebmhnrcps][1-9+-][+.=-][1-9]|[{PIECES}][{FIGURES}前中后後][进進退平上下]"
)
_ICCS: Final = re.compile(r"[a-iA-I][0-9]-?[a-iA-I][0-9]")
_WIDE: Final = "".join(char for char in map(chr, range(0xFF10, 0xFF5B)) if char.isalnum()) + "＋－＝．"
_SAME: Final = {ord(char): chr(ord(char) - 0xFEE0) for char in _WIDE} | dict.fromkeys(map(ord, "—–−"), "-")
_NARROW: Final = {**_SAME, **notation.RADICALS}
_MARK: Final = re.compile(r"[+#＋＃†‡]+(?![1-9A-Za-z.=-])[!?！？]*|[!?！？]+")
_SAID: Final = re.compile(r"\s*(?:([,，、:：;；。])\s*)?([^\W\d_]+)(?=[\s,，。;；.!！]|\Z)")
_STARTING: Final = re.compile(r"\s*\{([^{}]*)\}")  # a comment before the first move of a variation
_BRACKETS: Final = re.compile(
    r"\((?:[^()]|\([^()]*\))*\)|（(?:[^（）]|（[^（）]*）)*）|\[[^\[\]]*\]|【[^【】]*】|\{[^{}]*\}"
)
_ITEM: Final = re.compile(rf"(?P<brackets>{_BRACKETS.pattern})|{CANDIDATE.pattern}")
_NOTHING: Final = re.compile(r"[\s\d０-９①-⑳.．、,，;；:：…·。|→()（）\[\]【】*\"'红紅黑方先第回合/-]*$")
_COUNT: Final = re.compile(
    r"(?<![一二三四五六七八九十])[一二三四五六七八九十]{1,3}、|(?:结果|結果|result)\s*[:：]", re.IGNORECASE
)
_LIKE_FEN: Final = re.compile(
    r"(?<![^\s:：])(?=\S*k)(?:[kaberhnmcps0-9]*/){7,}[kaberhnmcps0-9]*(?![^\s_+-])", re.I
)
_PUNCTUATION: Final = ".．。,，;；:：!！、()（）[]【】 "
_REMARK_LINE: Final = re.compile(r"\s*(?:;|#|//)\s*(.*)")
_PAGE: Final = re.compile(
    r"\s*(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body|div|table|meta|p|span|font|center|pre|ul|ol|li|td|tr|h\d|a|b)\b"
    r"|.*?(?:<br\s*/?>|</(?:p|div|span|td|li|a)>)",
    re.I | re.S,
)  # the whole of one or a part
_NO_TEXT: Final = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.I | re.S)
_LINE_TAG: Final = re.compile(r"</?(?:p|div|br|tr|li|h\d|ul|ol|table|body|title|dt|dd)\b[^<>]*>", re.I)
_TAG: Final = re.compile(r"<[^<>]*>")
_IN_LINE: Final = 2000  # characters: brackets over several lines hold no more


# Reading


def read(data: bytes) -> Game:
    """The one game of a file; RecordError if no move is in it."""
    text = decode(data)
    game = _game_of_page(text) if _PAGE.match(text) else _best_reading(text)
    warn_of_damage(game, text, 1)
    return game


def _game_of_page(text: str) -> Game:
    """The game that a web page shows as text; RecordError if it shows none."""
    shown = _TAG.sub(" ", _LINE_TAG.sub("\n", " ".join(_NO_TEXT.sub(" ", text).split())))
    game = _best_reading(html.unescape(shown), is_page=True)
    if game.plies() < 2:
        raise RecordError("no game of xiangqi is in this web page", line=1)
    return game


def _best_reading(text: str, *, is_page: bool = False) -> Game:
    """The game of a text in the notations that `parse` knows, else in Vietnamese or algebraic text."""
    game, failure = None, None
    try:
        game = parse(text, is_page=is_page)
    except RecordError as error:
        failure = error
    if game is not None and (not game.warnings or game.error):
        return game
    words = [word for word in re.split(r"[\s,;]+|(?<!\d)\d{1,4}\.(?!\d)", text) if word]
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
    """The game of the words from the start, up to one that is no move; None if that is the first."""
    game = Game(headers={"Result": "*"})
    moves = Line(game, Sides(str), parse=parse_move)
    for word in words:
        if result := read_result(word):
            game.headers["Result"] = result
        elif not moves.play(word, 1):
            break
    return game if game.children else None


def parse(text: str, *, is_page: bool = False) -> Game:
    """The game of a text; RecordError if neither a move nor a header is in it.

    is_page: only lines with move numbers hold moves.

    Where some lines begin with move numbers, the others are comments, unless the numbers say that they held
    the moves between. Brackets hold variations or comments. The reading ends at the first move that is not
    legal, or where move numbers go back, with a warning.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    check_text(len(text), text.count("\n"), line=1)
    digits = "".join(text.split())
    if re.fullmatch(r"(?:[0-8][0-9]){2,}", digits) and len(digits) % 4 == 0:
        return _game_of_digits(digits)
    return _LineReader(_BRACKETS.sub(_in_one_line, text).split("\n"), is_page).game_of_lines()


def _in_one_line(brackets: re.Match[str]) -> str:
    """Brackets over several lines that hold moves, in one line; the number of lines stays."""
    text = brackets[0]
    if "\n" not in text or len(text) > _IN_LINE or not has_moves(text):
        return text
    return text.replace("\n", " ") + "\n" * text.count("\n")


def _game_of_digits(digits: str) -> Game:
    """The game of moves of four digits each, without anything between them."""
    game = Game()
    reader = _MoveReader(game, Sides(str))
    for at in range(0, len(digits), 4):
        if not reader.play(_pair(digits[at : at + 2], digits[at + 2 : at + 4]), 1):
            break
    return game


class _LineReader:
    """Reads a text line by line: headers, then moves with the comments between them."""

    def __init__(self, lines: list[str], is_page: bool) -> None:
        self._lines = list(enumerate(lines, 1))
        rulers = [number for number, line in self._lines if _RULER.match(line)]
        self._last = rulers[-1] if len(rulers) > 2 else len(lines)  # an advertisement follows
        seen = (line.translate(notation.INVISIBLE) for line in lines)
        numbered = sum(1 for line in seen if _NUMBER.match(line) and has_moves(line))
        self._is_numbered = is_page or numbered > 1  # other lines are comments
        self._game = Game()
        self._sides = Sides(lambda: "\n".join(lines))
        self._moves = _MoveReader(self._game, self._sides)
        self._has_start = False
        self._comment: list[str] = []  # its lines so far
        self._following = 1  # the number of the next move

    def game_of_lines(self) -> Game:
        game = self._game
        for number, written in self._lines:
            line = written
            if game.error:
                self._comment.append(line)
                continue
            if not line.isascii() and has_moves(seen := line.translate(notation.INVISIBLE)):
                line = seen
            if _RULER.match(line):
                continue
            if number > self._last:
                break
            if fen := fen_in(line):
                self._take_fen(fen, number)
                line = line.replace(fen, "", 1)
                if _LABEL.match(line):
                    continue
            elif not (game.children or self._has_start) and (broken := _LIKE_FEN.search(line)):
                self._set_start(broken[0], number)  # which says what is wrong with it
                self._comment.append(line.replace(broken[0], "", 1))
                continue
            if not game.children and self._take_header(line, number):
                continue
            if not self._take_line(line, number):
                break
        else:
            if self._comment and game.children and _hold_move(self._comment, self._following):
                message = Message("move {} stands in a line with other text and is not read", self._following)
                warn(game, message, line=len(self._lines))
            self._annotate()
        if not (game.children or game.headers or self._has_start or game.error):
            raise self._moves.illegal or RecordError("no move of a game is in this text", line=1)
        game.headers.setdefault("Result", "*")
        return game

    def _take_fen(self, fen: str, number: int) -> None:
        """Take up a position: the start, if no move and no position came before."""
        if not self._has_start and not self._game.children:
            self._set_start(fen, number)
        elif read_fen(fen).split()[:2] != self._moves.board.fen().split()[:2]:
            warn(self._game, "a position behind the start of the game is not used", line=number)

    def _set_start(self, fen: str, number: int) -> None:
        if set_start(self._game, fen, "FEN", number):
            self._has_start = True
            self._moves = _MoveReader(self._game, self._sides)

    def _take_header(self, line: str, number: int) -> bool:
        """Take up a header; False if the line is none."""
        header = _HEADER.match(line)
        if header is None or has_moves(header[2]):
            return False
        name, value = _HEADERS[header[1].upper()], header[2]
        if name == "FEN" and value:
            self._set_start(value, number)
        elif name == "Result" and value:
            put_result(self._game, value, line=number)
        elif value:
            put_header(self._game, name, value, line=number)
        return True

    def _take_line(self, line: str, number: int) -> bool:
        """Take up moves, or a line of a comment; False if it is time to stop."""
        if remark := _REMARK_LINE.match(line):
            self._comment.append(remark[1])
            return True
        following, numbers = self._following, _move_numbers(_BRACKETS.sub("", line))
        if self._is_numbered and not (
            _NUMBER.match(line) or _is_moves(line) or _is_marked_line(line, following)
        ):
            self._comment.append(line)
            if not self._game.children:
                self._moves.before += line
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


class _MoveReader(Line):
    """Plays the moves that appear in lines."""

    def __init__(self, game: Game, sides: Sides, node: GameNode | None = None) -> None:
        super().__init__(game, sides, node)
        self.before = ""  # what stands before the first move
        self._number: tuple[int, int] | None = None  # the last number, and the plies before its move
        self._counts_plies = False  # the numbers seem to be of plies

    def read(self, line: str, number: int) -> bool:
        """Play what is in a line; False if it is time to stop."""
        narrow = line.translate(_NARROW)
        cursor = 0
        parts: list[str] = []  # since the last move; joined once, as there may be many brackets
        for found in _ITEM.finditer(narrow):
            parts.append(narrow[cursor : found.start()])
            cursor = found.end()
            word = found[0]
            if found.lastgroup == "brackets":
                if len(parts) <= 2 and (rest := self._take_mark("".join(parts)).strip()):
                    parts = [rest]
                elif len(parts) <= 2:
                    parts = []
                if not self._take_remark(line[found.start() + 1 : found.end() - 1].strip(), number):
                    return False
                parts.append(" ")
                continue
            between = "".join(parts)
            parts = []
            if not self._between(between, number, last=False):
                return False
            is_first = self.node is self.game and self.board.turn == RED and not self.game.children
            if is_first and (names_black(between) or "黑先" in self.before):
                first = _ICCS.findall(word)[0] if found.lastgroup == "iccs" else word
                why = Message("the moves begin with one of Black's")
                self.board = black_begins(self.game, why, first, line=number) or self.board
            if found.lastgroup == "pair":
                moves = [_pair(*word.split("-"))]
            elif found.lastgroup == "iccs":
                moves = _ICCS.findall(word)
            else:
                moves = [word]
            for move in moves:
                if not self.play(move, number):
                    return False
        return self._between("".join(parts) + narrow[cursor:], number, last=True)

    def _take_mark(self, text: str) -> str:
        """Give the last move the glyph that a text begins with; the rest of the text."""
        if mark := _MARK.match(text):
            mark_move(self.node, mark[0])
            return text[mark.end() :]
        return text

    def _take_gloss(self, text: str) -> str:
        """Make what books say behind a move, such as 将军, its comment; the rest of the text."""
        found = _SAID.match(text) if self.node is not self.game else None
        if found and is_gloss(found[2], behind_comma=bool(found[1])) and not _is_nothing(found[2]):
            annotate(self.node, found[2])
            return text[found.end() :]
        return text

    def _take_remark(self, text: str, number: int) -> bool:
        """Take up what brackets hold: moves if none came before, a variation, the result, or a comment."""
        if not has_moves(text.translate(_NARROW)):
            if result := read_result(text.strip(_PUNCTUATION)):
                self._take_result(result)
            elif not _is_nothing(text):
                annotate(self.node, text)
            return True
        if self.node is self.game and (_is_moves(text) or len(CANDIDATE.findall(text)) > 2):
            return self.read(text, number)
        before = self._before_variation(_STARTING.sub("", text, count=1))
        if before is None or not _MoveReader(self.game, self.sides, before).read_variation(text, number):
            if before is not None and _LINE.match(text.translate(_NARROW)):
                warn(self.game, "a variation that cannot be played is kept as a comment", line=number)
            annotate(self.node, text)
        return True

    def _before_variation(self, text: str) -> GameNode | None:
        """The node that a variation in brackets leaves, by its first move number; None if there is none."""
        node: GameNode | None = self.node
        number = _FIRST_NUMBER.match(text.translate(_NARROW))
        if number is None or self._number is None:
            return self.node.parent
        by_black = bool(number[2])
        ply = self.board.ply
        while node is not None and node.parent is not None:
            ply -= 1
            if self._number_at(ply) == int(number[1]) and self._is_blacks(ply) == by_black:
                return node.parent
            node = node.parent
        return None

    def read_variation(self, text: str, number: int) -> bool:
        """Read a variation; False, and nothing is added, if it does not begin with a legal move."""
        starting = ""
        if comment := _STARTING.match(text):
            starting, text = comment[1].strip(), text[comment.end() :]
        first = CANDIDATE.search(text.translate(_NARROW))
        if first is None or not _is_nothing(text[: first.start()]):
            return False
        try:
            notation.parse(self.board, _ICCS.findall(first[0])[0] if first.lastgroup == "iccs" else first[0])
        except ValueError:
            return False
        before, count = self.node, len(self.node.children)
        self.read(text, number)
        if starting and len(before.children) > count:
            before.children[count].starting_comment = starting
        elif starting:
            annotate(before.children[0], starting)
        return True

    def _take_result(self, result: str) -> None:
        if self.game.headers.get("Result", "*") == "*":
            self.game.headers["Result"] = result

    def _between(self, text: str, number: int, *, last: bool) -> bool:
        """Take up what stands before a move, or behind the last one: marks, numbers, the result.

        False if a word that is not understood stands between two moves, or behind the number of the first:
        what follows may be another game. The same if move numbers go back.
        """
        text = _COUNT.sub(" ", self._take_gloss(self._take_mark(text)))
        if self.node is self.game:
            self.before += text
        for word in text.split():
            if result := read_result(word.strip(_PUNCTUATION)) if word.strip(_PUNCTUATION) else None:
                self._take_result(result)
                text = text.replace(word, "", 1)
        if not last and not self._fits(text, number):
            return False
        if _is_nothing(text):
            return True
        *_, unread = _MOVE_NUMBER.split(text)
        begins = self.node is self.game and (last or unread == text or _is_nothing(unread))
        if (last or begins) and not _DAMAGED.search(text):
            warn(self.game, "text that is no move is left out: {!r}", text.strip()[:60], line=number)
            return True
        warn(self.game, "{!r} is no move; the rest is not read", text.strip()[:60], line=number)
        return False

    def _fits(self, text: str, line: int) -> bool:
        """Does the last number of a text fit the moves? If not, a warning; False if it goes back."""
        numbers = _move_numbers(text)
        if not numbers:
            return True
        number, ply = numbers[-1], self.board.ply
        if self._number is not None:
            expected, by_plies = self._number_at(ply), self._number[0] + ply - self._number[1]
            if number < expected:
                message = Message("move number {} where {} is expected", number, expected)
                warn(self.game, "{}; the rest is not read", message, line=line)
                return False
            if self._counts_plies:
                expected, by_plies = by_plies, expected
            if number != expected:
                if number != by_plies or self._counts_plies:
                    warn(self.game, "move number {} where {} is expected", number, expected, line=line)
                self._counts_plies = number == by_plies and not self._counts_plies
        self._number = number, ply
        return True

    def _number_at(self, ply: int) -> int:
        """The number of the move after that many plies, by the last number that stood before one."""
        assert self._number is not None
        number, before = self._number
        blacks = self._is_blacks(0)
        return number + (ply + blacks) // 2 - (before + blacks) // 2

    def _is_blacks(self, ply: int) -> bool:
        """Is it Black's move after that many plies?"""
        return (self.board.turn != RED) ^ bool((self.board.ply - ply) % 2)


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
    return has_moves(line) and _is_nothing(CANDIDATE.sub(" ", line))


def _is_nothing(text: str) -> bool:
    """Is the text without meaning beside moves: numbers, signs, sides, results?"""
    words = _COUNT.sub(" ", text).split()
    return all(_NOTHING.match(word) or read_result(word.strip(_PUNCTUATION)) for word in words)


def _pair(origin: str, goal: str) -> str:
    """ICCS of two squares as file and row from Black's side."""
    return square_name(square_of(origin)) + square_name(square_of(goal))


# Writing


def text_of(game: Game, style: str = "chinese", loss: Callable[[str], object] = lambda _: None) -> str:
    """The main line as XQStudio prints it; loss is called with what is lost."""
    ruler = "-" * 52
    shown = traditional if style == "traditional" else str
    lines = [ruler]
    for name, value in game.headers.items():
        if name == "Result":
            if game.result != "*":
                lines.append(shown(f"结果: {_RESULT_NAMES[game.result]}"))
        elif name in _WRITTEN:
            lines.append(f"{shown(_WRITTEN[name])}: {' '.join(value.split())}")
        elif value and name != "Game":
            loss(Message("{} has no header {}", "the text", name))
    if game.start != STARTING_FEN:
        lines.append(f"FEN: {game.start}")
    rows = move_rows(game, style, width=3, dots="…………", gap="  ")
    return "\n".join([*lines, ruler, *rows, ruler, ""])


def move_rows(
    game: Game, style: str, *, width: int, dots: str, gap: str, black: Callable[[str], str] = str
) -> Iterator[str]:
    """The main line, a row for each number; dots: for Red's move, black: how Black's are written."""
    board = BaseBoard(game.start)
    row = ""
    for move in game.mainline_moves():
        text = write_move(board, move, style)
        if board.turn == RED or not row:
            if row:
                yield row
            row = (
                f"{board.fullmove_number:>{width}}. {text if board.turn == RED else dots + gap + black(text)}"
            )
        else:
            row = f"{row}{gap}{black(text)}"
        board.push(move)
    yield row


def write_move(board: BaseBoard, move: Move, style: str) -> str:
    """The legal move in a style; RecordError for a pass."""
    if not move:
        raise RecordError("the format cannot hold a pass")
    return notation.WRITERS["uci" if style == "iccs" else style](board, move)
