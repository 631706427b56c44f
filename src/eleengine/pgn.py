"""Game records in PGN, as xiangqi programs write them: read and written in ICCS, WXF or Chinese.

>>> text = '''[Game "Chinese Chess"]
... [Red "Hu"]
... [Black "Xu"]
... [Result "1-0"]
...
... 1. 炮二平五 马8进7 {the usual answer} 2. H2+3 1-0'''
>>> game = next(parse_games(text))
>>> game.headers["Red"], len(game.moves), game.comments
('Hu', 3, {2: 'the usual answer'})
>>> print(game.text("wxf"))
[Game "Chinese Chess"]
[Red "Hu"]
[Black "Xu"]
[Result "1-0"]
[Format "WXF"]
<BLANKLINE>
1. C2.5 H8+7 {the usual answer} 2. H2+3 1-0
<BLANKLINE>

The moves of a game may be in any mixture of the notations. Variations and numbered glyphs are passed over.
The form is that of xqbase.com ("PGN for Chinese chess"): chess PGN with the headers Game, Red, Format (of the
moves) and FEN, which is missing if the game begins at the start.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Final, Self

from . import notation
from ._core import STARTING_FEN, BaseBoard, Move
from .board import Board
from .squares import RED

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
FORMATS: Final = {"iccs": "ICCS", "wxf": "WXF", "chinese": "Chinese", "traditional": "Chinese"}

_WIDTH = 98
_NAME = r"[\w.:+-]+"
_HEADER = re.compile(rf'\[\s*({_NAME})\s+"(.*)"\s*\]\s*$')  # quotes within are often not escaped
_TOKEN = re.compile(
    r"""(?P<comment>\{[^}]*\}|;[^\n]*)
      | (?P<open>\() | (?P<close>\))
      | (?P<word>[^\s{}();]+)
      | (?P<stray>[{}])""",
    re.VERBOSE,
)
_NUMBER = re.compile(r"\d+\.+")
_PAWN = re.compile(r"[1-9]{2}\.[1-9]")  # a WXF move of tandem pawns, not a move number


class PgnError(ValueError):
    """What is wrong with a game, and in which line of the text."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line


class Game:
    """A game: headers, start position, moves, comments.

    headers: by name, in the order in which they are written; FEN and Format are not among them.
    fen: the start position. moves: all legal one after the other.
    comments: text after so many moves; 0 is before the first.
    """

    def __init__(self, fen: str = STARTING_FEN) -> None:
        self.headers: dict[str, str] = {}
        self.fen = fen
        self.moves: list[Move] = []
        self.comments: dict[int, str] = {}

    @classmethod
    def from_board(cls, board: BaseBoard, headers: Mapping[str, str] | None = None) -> Self:
        """The game that was played on a board, with these headers and the result if the board knows it."""
        game = cls(board.root().fen())
        game.moves = list(board.move_stack)
        if isinstance(board, Board):
            game.headers["Result"] = board.result()
        game.headers.update(headers or {})
        return game

    @property
    def result(self) -> str:
        """1-0, 0-1, 1/2-1/2, or * if it is not known."""
        told = self.headers.get("Result", "*")
        return told if told in RESULTS else "*"

    def board(self) -> Board:
        """The last position with all moves; ValueError if the position or a move is not valid."""
        board = Board(self.fen)
        for move in self.moves:
            board.push_iccs(move.iccs())
        return board

    def text(self, style: str = "iccs") -> str:
        """The game as PGN, its moves in "iccs" (H2-E2), "wxf", "chinese" or "traditional".

        ValueError: unknown style, a header or comment that PGN cannot hold, or as for `board`.
        """
        if style not in FORMATS:
            raise ValueError(f"the style must be one of {', '.join(FORMATS)}, not {style!r}")
        headers = {"Game": "Chinese Chess", **self.headers}
        headers.setdefault("Result", "*")
        if self.fen != STARTING_FEN:
            headers["FEN"] = self.fen
        headers["Format"] = FORMATS[style]
        lines = [f'[{name} "{_escape(name, value)}"]' for name, value in headers.items()]
        body = textwrap.fill(
            " ".join(self._words(style)), _WIDTH, break_long_words=False, break_on_hyphens=False
        )
        return "\n".join([*lines, "", body, ""])

    __str__ = text

    def _words(self, style: str) -> Iterator[str]:
        board, write = Board(self.fen), _WRITERS[style]
        yield from self._comment(0)
        numbered = False
        for ply, move in enumerate(self.moves, 1):
            if board.turn == RED:
                yield f"{board.fullmove_number}."
            elif not numbered:
                yield f"{board.fullmove_number}..."
            yield write(board, move)
            board.push_iccs(move.iccs())
            yield from self._comment(ply)
            numbered = ply not in self.comments
        yield self.result

    def _comment(self, ply: int) -> Iterator[str]:
        if text := " ".join(self.comments.get(ply, "").split()):
            if "}" in text:
                raise ValueError(f"a comment cannot hold a brace: {text!r}")
            yield f"{{{text}}}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        red, black = self.headers.get("Red", "?"), self.headers.get("Black", "?")
        return f"<Game {red} - {black} {self.result}, {len(self.moves)} plies>"


def read_games(
    path: str | PathLike[str], *, on_error: Callable[[PgnError], object] | None = None
) -> Iterator[Game]:
    """The games of a file in UTF-8 or GB 18030; OSError, else as `parse_games`."""
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("gb18030", "replace")
    yield from parse_games(text, on_error=on_error)


def parse_games(text: str, *, on_error: Callable[[PgnError], object] | None = None) -> Iterator[Game]:
    """The games of a text, one after the other.

    PgnError names the line of what is wrong and ends the reading. With on_error it is passed to that function
    instead, and the next game is read.
    """
    for headers, body, start, defect in _split(text.removeprefix("\ufeff")):
        try:
            if defect is not None:
                raise defect
            game = _game(headers, body, start)
        except PgnError as error:
            if on_error is None:
                raise
            on_error(error)
        else:
            yield game


def _split(text: str) -> Iterator[tuple[dict[str, str], list[str], int, PgnError | None]]:
    """Headers and body of each game, the line where the body starts, and what is wrong with the headers."""
    headers: dict[str, str] = {}
    body: list[str] = []
    start = 0
    defect = None
    inside = False  # a comment
    for number, line in enumerate(text.splitlines(), 1):
        if not inside and line.lstrip().startswith("["):
            if any(map(str.strip, body)):
                yield headers, body, start, defect
                headers, defect = {}, None
            body = []
            start = number + 1
            if found := _HEADER.match(line.strip()):
                headers[found[1]] = re.sub(r'\\(["\\])', r"\1", found[2])
            else:
                defect = defect or PgnError(number, f"not a header: {line.strip()[:60]!r}")
        elif inside or not line.startswith("%"):  # a line of something else in the file
            start = start or number
            body.append(line)
            for mark in re.findall(r"[{}]|;", line):
                if mark == ";" and not inside:
                    break
                inside = mark == "{" if mark != ";" else inside
        else:
            body.append("")
    if headers or defect or any(map(str.strip, body)):
        yield headers, body, start, defect


def _game(headers: dict[str, str], body: list[str], start: int) -> Game:
    game = Game(headers.pop("FEN", STARTING_FEN))
    headers.pop("Format", None)
    game.headers = headers
    try:
        board = Board(game.fen)
    except ValueError as error:
        raise PgnError(max(1, start - 1), f"header FEN: {error}") from None
    text, depth, ended = "\n".join(body), 0, False
    for found in _TOKEN.finditer(text):
        line = start + text.count("\n", 0, found.start())
        kind, word = found.lastgroup, found[0]
        if kind == "stray":
            raise PgnError(
                line, "a comment that is not closed" if word == "{" else "a closing brace too many"
            )
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth -= 1
            if depth < 0:
                raise PgnError(line, "a closing parenthesis too many")
        elif depth:
            continue
        elif kind == "comment":
            comment = " ".join((word[1:-1] if word[0] == "{" else word[1:].replace("}", ")")).split())
            if comment:
                said = game.comments.get(len(game.moves))
                game.comments[len(game.moves)] = f"{said} {comment}" if said else comment
        elif word in RESULTS:
            if headers.get("Result") not in RESULTS[:3]:
                headers["Result"] = word
            ended = True
        else:
            _read_word(game, board, word, line, ended)
    if depth:
        raise PgnError(line, "a parenthesis that is not closed")
    return game


def _read_word(game: Game, board: Board, word: str, line: int, ended: bool) -> None:
    """Take up a word of the moves: a number, a glyph or a move."""
    if not _PAWN.fullmatch(word):
        word = _NUMBER.sub("", word, count=1) if _NUMBER.match(word) else word
    word = word.rstrip("!?")
    if not word.strip(".…") or word.isdecimal() or word[0] == "$":
        return
    if ended:
        raise PgnError(line, f"{word[:40]!r} after the end of the game")
    try:
        move = notation.parse(board, word)
    except ValueError as error:
        raise PgnError(line, str(error)) from None
    board.push(move)
    game.moves.append(move)


def _escape(name: str, value: str) -> str:
    if not re.fullmatch(_NAME, name):
        raise ValueError(f"a header cannot be named {name!r}")
    if len(value.splitlines()) > 1 or value != value.strip("\r\n"):
        raise ValueError(f"header {name} cannot hold more than a line: {value!r}")
    return re.sub(r'(["\\])', r"\\\1", value)


def _iccs(board: BaseBoard, move: Move) -> str:
    text = move.iccs().upper()
    return f"{text[:2]}-{text[2:]}" if move else notation.NULL_TEXT


def _traditional(board: BaseBoard, move: Move) -> str:
    return notation.chinese(board, move, traditional=True)


_WRITERS: Final[dict[str, Callable[[BaseBoard, Move], str]]] = {
    "iccs": _iccs,
    "wxf": notation.wxf,
    "chinese": notation.chinese,
    "traditional": _traditional,
}
