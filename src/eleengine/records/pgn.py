"""PGN, as xiangqi programs write it: chess PGN with Red for White, and moves in ICCS, WXF or Chinese.

>>> text = '''[Game "Chinese Chess"]
... [Red "Hu"]
... [Black "Xu"]
... [Result "1-0"]
...
... 1. 炮二平五 马8进7 {the usual answer} (1... 炮8平5 2. H2+3) 2. H2+3 1-0'''
>>> [game] = parse(text)
>>> game.headers["Red"], game.plies(), [str(child.move) for child in game.children[0].children]
('Hu', 3, ['h9g7', 'h7e7'])

The moves of a game may be in any mixture of the notations, ICCS also with ranks from 1 to 10 and WinBoard's
chess-like moves. Round brackets hold a variation if a move that is legal there comes first in them,
otherwise a comment, as in files of XQWizard; what comes after the result, such as its footer, is passed
over. The form is that of xqbase.com ("PGN for Chinese chess", 2004).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from .. import notation
from .._core import BaseBoard, Move, read_plain_moves
from .._internal.message import Message
from ..pieces import BLACK, RED
from .annotations import mark_move, obeyed, split_mark
from .encoding import MARK, decode
from .entry import RecordEntry, warn, warn_of_damage
from .limits import check_nodes, limits
from .pgn_games import HEAD, TOKEN, blocks, game_texts, moves_start
from .pgn_writer import ABOUT_TEXT, GAME, NAME
from .position import set_start
from .sides import Sides, black_begins, turned_round
from .tree import Game, GameNode
from .words import CANDIDATE, CHINESE, FIGURES, RESULTS, has_moves, is_gloss, read_result

__all__ = ["PgnEntry", "parse", "scan", "scan_blocks"]

_NEXT_HEADER = re.compile(rf'"[^\S\n]*\][^\S\n]*\[[^\S\n]*({NAME})[^\S\n]+"')  # in the same line
_KNOWN = ("Event", "Site", "Date", "Round", "Red", "Black", "White", "Result", "Opening", "ECCO", "Title")
_NAMES = {name.lower(): name for name in _KNOWN}  # some programs write them in capitals
_BRACKET = r"^[\ufeff \t\r]*\["  # begins a line of headers
_HEADER = re.compile(  # quotes within are often not escaped
    rf'{_BRACKET}(?:[^\S\n]*({NAME})[^\S\n]+"(.*)"[^\S\n]*\][^\S\n]*$|.*)', re.MULTILINE
)
_BYTES_HEAD = re.compile(HEAD.pattern.replace(r"\ufeff", r"\xef\xbb\xbf").encode())
_NO_NUMBER = 1 << 20  # beyond any that a game has
_ESCAPED_IN_HEADER = re.compile(r'\\(["\\])')
_ESCAPED = re.compile(r"\\([{}])")  # braces, as some programs write them
_NUMBER = re.compile(r"\d+[.、．]+")
_LEADING_NUMBER = re.compile(r"(\d{1,3})([.、．…]+)")
_REMARK = re.compile(r"(?:\[[^\]]*\]|【[^】]*】|［[^］]*］)$")  # after a move: 炮二平五[正着]
_BEHIND_COMMA = re.compile(  # 炮五进四，士去
    r"(?<=\w)[!?！？]*[,，、:：;；。]([^\W\d_a-zA-Z]{1,8}[!！?？]*)[。.,，;；]*\Z"
)
_PASSED_OVER = " \t\r\n\ufeff-=*_"  # behind the result
_PUNCTUATION = ",，。;；:：、"
_PAWN = re.compile(r"[1-9]{2}\.[1-9]")  # a WXF move of tandem pawns, not a move number
_FILLER = re.compile(r"(?:[.…·、．]*|[+#＋＃†‡]+)$")
_SIGNS = {  # evaluations that stand alone, and their NAGs
    "=": 10, "∞": 13, "⩲": 14, "+=": 14, "+/=": 14, "⩱": 15, "=+": 15, "=/+": 15, "±": 16, "+/-": 16,
    "∓": 17, "-/+": 17, "+-": 18, "+–": 18, "-+": 19, "–+": 19, "N": 146,
}  # fmt: skip
_GLUED = re.compile(rf"\d{{1,3}}[.、．]*|{CHINESE}|[a-i]\d-?[a-i]\d|[,，。;；:：、.…]+", re.IGNORECASE)
_MAY_BE_FROM_1 = re.compile(r"[KAEBHNRCP]?[a-i]?(?:10|\d)?[x-]?[a-i](?:10|[1-9])[+#]?$", re.IGNORECASE)
_MOVE_TEXT = rf"(?:[A-Ia-i]\d-?[A-Ia-i]\d|[KAEHRCPkaehrcp][1-9+-][+.=-][1-9]|{CHINESE})"
_LINE = re.compile(  # what begins like a variation, perhaps behind a comment
    rf"\s*(?:\{{[^}}]*\}}\s*)*(?:\d{{1,3}}\s*[.、．…]+[\s.…]*)?(?:\{{[^}}]*\}}\s*)*{_MOVE_TEXT}"
)
_LIKE_A_MOVE = re.compile(
    r"\b[A-Ia-i]\d-?[A-Ia-i]\d\b|\b[KAEHRCPkaehrcp][1-9+-][+.=-][1-9]\b"
    rf"|[^\W\d]?[{FIGURES}]?[进進退平][{FIGURES}]"
)


# Reading


def scan(file: BinaryIO, mark: bytes = b"") -> Iterator[RecordEntry]:
    """The games of a file one after the other, without reading their moves; mark: as for `scan_blocks`."""
    return scan_blocks(blocks(file.read), mark)


def scan_blocks(blocks: Iterator[bytes], mark: bytes = b"") -> Iterator[RecordEntry]:
    """The games of a text that comes in blocks; RecordError for one that is too large.

    mark: that of UTF-8 if it is known that the text is.
    """
    for first, data in game_texts(blocks, mark):
        yield PgnEntry(first, data)


def parse(text: str, *, strict: bool = False) -> Iterator[Game]:
    """The games of a text; strict raises the RecordError of the first thing that is wrong."""
    from io import BytesIO

    for entry in scan(BytesIO(text.encode("utf-8", "surrogatepass")), MARK):
        yield entry.game(strict=strict)


class PgnEntry(RecordEntry):
    """A game of PGN, as bytes."""

    def __init__(self, line: int, data: bytes) -> None:
        self.line = line
        self.offset: int | None = None
        self.deleted = False
        self._data = data

    @property
    def headers(self) -> dict[str, str]:  # type: ignore[override]
        """The headers, read when they are asked for; the result only if they have it."""
        found = _BYTES_HEAD.match(self._data)
        return _read_headers(decode(found[0]) if found else "")[0]

    def _read(self) -> Game:
        text = decode(self._data)
        reader = _PgnReader(text, self.line or 1)
        game = reader.read()
        if reader.may_be_from_1 and (game.warnings or "(" in text or "（" in text):
            other = _PgnReader(text, self.line or 1, ranks_from_1=True)
            game_from_1 = other.read()
            if other.plies > reader.plies:
                game = game_from_1
        warn_of_damage(game, text, self.line or 1)
        return game


def _read_headers(
    text: str, warn: Callable[..., None] = lambda offset, message, *parts: None
) -> tuple[dict[str, str], str, int]:
    """The headers of a game; its FEN, "" without one, and where that stands.

    warn: called with an offset and what is wrong there.
    """
    headers: dict[str, str] = {}
    fen, fen_offset = "", 0
    for found in _HEADER.finditer(text):
        name, value = found.groups()
        if name is None:
            line = found[0].strip("\ufeff \t\r")
            warn(found.start(), "not a header: {!r}", line[:60])
            continue
        first, *others = _NEXT_HEADER.split(value, limits.headers) if '"' in value else (value,)
        if len(headers) + len(others) // 2 >= limits.headers:
            warn(found.start(), "more than {:,} headers: the rest is not read", limits.headers)
            break
        for written, text in [(name, first), *zip(others[::2], others[1::2], strict=True)]:
            name, value = _NAMES.get(written.lower(), written), _ESCAPED_IN_HEADER.sub(r"\1", text)
            kept = value
            if name == "Result":
                if (result := read_result(value)) is None:
                    warn(found.start(), "unknown result {!r}", value)
                value = result or value
                kept = headers.setdefault(name, value)
            elif name.lower() not in ABOUT_TEXT:
                kept = headers.setdefault(name, value)
            elif name.lower() == "fen" and fen:
                kept = fen
            elif name.lower() == "fen":
                fen, fen_offset = value, found.start()
            if kept != value:
                warn(found.start(), "a second header {}: the first one is kept", name)
    if headers.get(GAME[0]) == GAME[1]:
        del headers[GAME[0]]
    if "White" in headers and "Red" not in headers:
        headers = {{"White": "Red"}.get(name, name): value for name, value in headers.items()}
    return headers, fen, fen_offset


class _PgnReader:
    """Reads one game."""

    def __init__(self, text: str, line: int, *, ranks_from_1: bool = False) -> None:
        self.text = text
        self.line = line
        self.ranks_from_1 = ranks_from_1
        self.may_be_from_1 = False
        self.plies = 0
        self.game = Game()
        self.board = BaseBoard()
        self.node: GameNode = self.game  # the last one that was read
        self.returns: list[tuple[GameNode, int] | None] = []  # where the open variations branch off
        self.dead: int | None = None  # how deep the variation is that cannot be read further
        self.sides = Sides(lambda: text[moves_start(text) :])
        self._told = 0, line  # a place and its line, from which the next one is counted
        self._comments: dict[int, tuple[GameNode, list[str]]] = {}  # by id of the node
        self._starting: list[str] | None = None  # comments since a variation was opened
        self._first_number: int | None = None  # less the number of the board there
        self._told_number = False
        self._closings: dict[str, dict[int, int]] = {}  # by opening bracket

    def read(self) -> Game:
        start, valid = self.read_headers()
        if valid:
            self._read_moves(start)
        else:
            self._keep_text(start)
        for node, texts in self._comments.values():
            node.comment = "\n".join(texts)
        return self.game

    def _keep_text(self, start: int) -> None:
        """Make what follows the headers a comment, for it cannot be played; the result is taken up."""
        for found in TOKEN.finditer(self.text, start):
            if found.lastgroup != "comment":
                rest, _, last = self.text[found.start() :].strip().rpartition(" ")
                result = read_result(last)
                if result is not None:
                    self._take_result(result, found.start())
                self._comment(self.node, rest.strip() if result else f"{rest} {last}")
                break
            self._take_comment(found[0], found.start())

    def _warn(self, offset: int, message: str, *parts: object) -> None:
        warn(self.game, message, *parts, line=self._line_at(offset))

    def _line_at(self, offset: int) -> int:
        """The number of the line of a place."""
        before, line = self._told if offset >= self._told[0] else (0, self.line)
        self._told = offset, line + self.text.count("\n", before, offset)
        return self._told[1]

    def _comment(self, node: GameNode, text: str) -> None:
        """Add a comment to those of a node."""
        lines = text.replace("\r\n", "\n").split("\n")
        text = "\n".join(line.rstrip() for line in lines)
        if self._starting is not None:
            self._starting.append(text.strip())
        elif text := obeyed(node, text):
            self._comments.setdefault(id(node), (node, []))[1].append(text)

    def _closing(self, offset: int, opens: str, closes: str) -> int:
        """Where the bracket at a place is closed, 0 if it is not."""
        if opens not in self._closings:
            found = self._closings[opens] = {}
            waiting = []
            for bracket in re.finditer(f"[{re.escape(opens + closes)}]", self.text):
                if bracket[0] == opens:
                    waiting.append(bracket.start())
                elif waiting:
                    found[waiting.pop()] = bracket.start()
        return self._closings[opens].get(offset, 0)

    def read_headers(self) -> tuple[int, bool]:
        """Read the headers; return where the moves begin, and whether the position can be played from."""
        offset = moves_start(self.text)
        self.game.headers, fen, fen_offset = _read_headers(self.text[:offset], self._warn)
        if fen:
            number = self.line + self.text.count("\n", 0, fen_offset)
            if not set_start(self.game, fen, "header FEN", number):
                return offset, False
            self.board = BaseBoard(self.game.start)
        return offset, True

    def _read_moves(self, start: int) -> None:
        words, end = 0, start
        while True:
            if self.dead is None:
                count, end = self._read_plain(end)
                words += count
            if (found := TOKEN.search(self.text, end)) is None:
                break
            offset, end = found.span()
            kind, word = found.lastgroup, found[0]
            words += 1
            if words > limits.words:
                self._warn(offset, "more than {:,} words: the rest is not read", limits.words)
                break
            if kind == "word":
                if not self._take_word(word, offset, end):
                    break
            elif kind == "comment":
                end = self._take_comment(word, offset)
            elif kind == "open":
                end = self._open(word, offset)
            elif kind == "close":
                self._close(offset)
            elif word == "{":
                self._warn(offset, "a comment that is not closed")
                self._comment(self.node, self.text[offset + 1 :])
                break
            else:
                self._warn(offset, "a closing brace too many")
        if self.returns:
            self._warn(len(self.text), "a parenthesis that is not closed")

    def _read_plain(self, start: int) -> tuple[int, int]:
        """Read the plain moves that follow one another from a place on; their number, and where they end."""
        first = self._first_number
        if first is None:  # the first number is looked at more closely
            first = _NO_NUMBER
        elif self._told_number:  # and the others no more
            first = -_NO_NUMBER
        moves, end, may_be_from_1 = read_plain_moves(
            self.board, self.text, start,
            most=limits.nodes - self.plies, first_number=first, first_rank=int(self.ranks_from_1),
            not_red=self.sides.foreign(RED), not_black=self.sides.foreign(BLACK),
        )  # fmt: skip
        self._take_moves(moves)
        self.may_be_from_1 = self.may_be_from_1 or may_be_from_1
        return len(moves), end

    def _take_word(self, word: str, offset: int, end: int) -> bool:
        """Take up a number, a glyph, a move or a result; False if the game ends here."""
        if notation.has_invisible(word) and not (word := word.translate(notation.INVISIBLE)):
            return True
        result = read_result(word.rstrip(_PUNCTUATION) or word)
        if result or word.startswith("====="):
            if self.returns:
                return True
            self._take_result(result or "*", offset)
            if more := _LIKE_A_MOVE.search(self.text, end):
                self._warn(more.start(), "{!r} after the end of the game is not read", more[0])
            elif result and (rest := self.text[end:].partition("=====")[0].strip(_PASSED_OVER)):
                self._warn(end, "text after the end of the game is not read: {!r}", rest[:60])
            return False
        if self.dead is None and not all(self._read_word(part, offset) for part in _parts(word)):
            self.dead = len(self.returns)
        return True

    def _take_result(self, result: str, offset: int) -> None:
        """Take up the result behind the moves: that of the headers is kept."""
        told = self.game.headers.setdefault("Result", result)
        if told == "*":
            self.game.headers["Result"] = result
        elif result not in ("*", told) and told in RESULTS:
            self._warn(offset, "the result {} of the headers is kept, not {}", told, result)

    def _take_comment(self, word: str, offset: int) -> int:
        """Add a comment; return where it ends."""
        end = offset + len(word)
        if self.dead is None and word[0] != "%":
            comment = word[1:-1] if word[0] == "{" else word[1:]
            if "{" in comment and word[0] == "{" and (closing := self._closing(offset, "{", "}")):
                comment, end = self.text[offset + 1 : closing], closing + 1
            self._comment(self.node, _ESCAPED.sub(r"\1", comment) if "\\}" in comment else comment)
        return end

    def _open(self, word: str, offset: int) -> int:
        """Begin a variation, or add a comment in parentheses; return from where on to read."""
        if self.dead is not None:
            self.returns.append(None)
        elif self._is_variation(self.node, offset + 1):
            assert self.node.parent is not None
            self.board.pop()
            self.returns.append((self.node, self.board.ply))
            self.node = self.node.parent
            self._starting = []
        else:
            end = self._closing(offset, word, "）" if word == "（" else ")")
            if _LINE.match(self.text, offset + 1):
                self._warn(offset, "a variation that cannot be played is kept as a comment")
            if not end:
                self._warn(offset, "a parenthesis that is not closed")
                end = self.text.find("\n", offset)
                end = len(self.text) if end < 0 else end
            self._comment(self.node, self.text[offset + 1 : end])
            return end + 1
        return offset + 1

    def _close(self, offset: int) -> None:
        """End a variation: go back to the move before which it stands."""
        if not self.returns:
            self._warn(offset, "a closing parenthesis too many")
            return
        if self.dead is not None and len(self.returns) <= self.dead:
            self.dead = None
        branch = self.returns.pop()
        if branch is not None:
            self.node, ply = branch
            while self.board.ply > ply:
                self.board.pop()
            assert self.node.move is not None
            self.board.push(self.node.move)

    def _read_word(self, word: str, offset: int) -> bool:
        """Read a number, a glyph or a move; False if the line cannot go on.

        A word that is not understood ends the line: without it, the moves behind it are another game.
        """
        self._check_number(word, offset)
        bare = _bare(word)
        remark = _REMARK.search(bare)
        if not remark and bare[-1:] not in FIGURES and (said := _BEHIND_COMMA.search(bare)):
            remark = said if is_gloss(said[1], behind_comma=True) else None
        stem, glyph = split_mark((bare[: remark.start()] if remark else bare).rstrip(_PUNCTUATION))
        stem = stem.rstrip(_PUNCTUATION)
        if stem[:1] == "$" and stem[1:].isdecimal() and len(stem) < 6:
            self.node.nags.add(int(stem[1:]))
        elif sign := _SIGNS.get(stem):
            self.node.nags.add(sign)
        elif not stem or _FILLER.match(stem) or (stem.isdecimal() and len(stem) < 4):
            if not stem:
                mark_move(self.node, glyph)
        elif self.node.move is not None and is_gloss(stem):
            self._comment(self.node, stem)
        elif not self._play(stem, offset):
            return False
        else:
            mark_move(self.node, glyph)
        if remark:
            self._comment(self.node, remark[1] if remark.lastindex else remark[0][1:-1])
        return True

    def _play(self, word: str, offset: int) -> bool:
        """Play a move; False, with a warning, if it cannot be played."""
        try:
            if self.sides.contradict(word, self.board.turn):
                line = self._line_at(offset)
                self.board = turned_round(self.game, self.node, word, self.board.turn, line=line)
            move = self._move(word)
        except ValueError as error:
            self._warn(offset, "{}; the rest of the line is not read", error)
            return False
        self.board.push(move)
        self._take_moves([move])
        return True

    def _take_moves(self, moves: list[Move]) -> None:
        """Take up moves that have been played."""
        node = self.node
        for move in moves:
            node = (node.child(move) if node.children else None) or node.add(move)
            if self._starting is not None:
                self._begin(node, self._starting)
        self.node = node
        self.plies += len(moves)

    def _begin(self, node: GameNode, texts: list[str]) -> None:
        """Keep the comments that stood before the first move of a variation."""
        self._starting = None
        node.starting_comment = "\n".join(filter(None, [node.starting_comment, *texts]))

    def _let_black_begin(self, offset: int) -> None:
        """The number of the first move says that it is one of Black's."""
        why = Message("the moves begin with one of Black's, but it is Red's turn")
        following, board = CANDIDATE.search(self.text, offset), None
        if following and not self.game.children:
            line, first_rank = self._line_at(offset), int(self.ranks_from_1)
            board = black_begins(self.game, why, following[0], line=line, first_rank=first_rank)
        if board is None:
            self._warn(offset, why)
        else:
            self.board = board

    def _check_number(self, word: str, offset: int) -> None:
        """Warn once if move numbers go back, or if the moves begin with one of Black's."""
        found = _LEADING_NUMBER.match(word)
        if found is None or _PAWN.fullmatch(word):
            return
        number, board = int(found[1]), self.board
        if self._first_number is None:
            self._first_number = number - board.fullmove_number
            if found[2].startswith(("..", "…")) and board.turn == RED and self.node is self.game:
                self._let_black_begin(offset)
        expected = self._first_number + board.fullmove_number
        if number < expected and not self._told_number:
            self._told_number = True
            self._warn(offset, "move number {} where {} is expected", number, expected)

    def _move(self, word: str) -> Move:
        """The legal move of a word; ValueError."""
        if _MAY_BE_FROM_1.match(word):
            self.may_be_from_1 = True
        check_nodes(self.plies)
        return notation.parse(self.board, word, first_rank=int(self.ranks_from_1))

    def _is_variation(self, node: GameNode, offset: int) -> bool:
        """Does the bracket hold a line of moves instead of the last one?"""
        if node.move is None:
            return False
        found = TOKEN.search(self.text, offset)
        while found and (found.lastgroup == "comment" or (found.lastgroup == "word" and not _bare(found[0]))):
            found = TOKEN.search(self.text, found.end())
        if found is None or found.lastgroup != "word":
            return False
        self.board.pop()
        try:
            self._move(split_mark(_bare(found[0]).rstrip(_PUNCTUATION))[0])
        except ValueError:
            return False
        finally:
            self.board.push(node.move)
        return True


def _parts(word: str) -> list[str]:
    """The moves and numbers that a word consists of; the word itself if it is no more than one."""
    parts = _GLUED.findall(word) if len(word) > 5 else []
    return parts if len(parts) > 1 and "".join(parts) == word and any(map(has_moves, parts[1:])) else [word]


def _bare(word: str) -> str:
    """The word without a move number before it."""
    if word[0].isdecimal() and not _PAWN.fullmatch(word) and (found := _NUMBER.match(word)):
        word = word[found.end() :]
    return word.lstrip(".…") if word[:1] in (".", "…") else word
