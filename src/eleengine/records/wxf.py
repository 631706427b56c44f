"""WXF files, the text of Club Xiangqi, PlayOK and XieXie: keys in capitals, and moves in WXF notation.

>>> game = parse('''FORMAT  WXF
... RED     Hu ; 1200 ;;
... RESULT  1-0
...
... START{
...  1. C2.5 h8+7   2. H2+3 }END''')
>>> game.headers, [str(move) for move in game.mainline_moves()]
({'Red': 'Hu', 'RedElo': '1200', 'Result': '1-0'}, ['h2e2', 'h9g7', 'h0g2'])
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from .._core import STARTING_FEN
from .._internal.message import Message
from .annotations import annotate, mark_move, split_mark
from .encoding import line_of
from .entry import put_header, put_result, warn, warn_of_damage
from .errors import RecordError
from .limits import check_text
from .movetext import move_rows
from .position import set_start
from .sides import Line, Sides
from .tree import Game, GameNode

_START: Final = re.compile(r"(?<!\S)START[ \t]*\{")
_COMMENT: Final = re.compile(r"/\*(.*?)\*/", re.DOTALL)  # XieXie's
_WORD: Final = re.compile(
    r"""(?P<end>\}\s*(?:END\b|\Z))
      | /\*(?P<remark>.*?)\*/
      | \{(?P<comment>[^{}]*)\}(?!\s*(?:END\b|\Z))
      | [{}]
      | (?:(?!/\*)[^\s{}])+""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
_END: Final = re.compile(r"\}\s*(?:END\b|\Z)", re.IGNORECASE)
_NUMBER: Final = re.compile(r"([!?！？]*)\d+\.$")  # XieXie puts the mark of a move before the next number
_KEYS: Final = {"DATE": "Date", "EVENT": "Event", "GAME": "Title", "PLACE": "Site", "ROUND": "Round"}
_EMPTY: Final = (*_KEYS, "TIME", "REMARK")  # keys that may have nothing behind them
_NAMES: Final = {header: key for key, header in _KEYS.items()}


def parse(text: str) -> Game:
    """The game of a text; RecordError if there is no START{ in it."""
    start = _START.search(text)
    if start is None:
        raise RecordError("not a WXF file: START{ is missing", line=1)
    check_text(len(text), text.count("\n"), line=1)
    game = Game()
    valid = True
    head = text[: start.start()]
    for comment in _COMMENT.findall(head):
        annotate(game, line_of(comment))
    head = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), head)
    for number, line in enumerate(head.splitlines(), 1):
        words = line.split(None, 1)
        if not words:
            continue
        key, value = words[0].upper(), words[1].strip() if len(words) > 1 else ""
        if key in ("RED", "BLACK"):
            side = key.title()
            parts = [part.strip() for part in value.split(";")]
            for name, part in zip((side, f"{side}Elo", f"{side}Team"), parts, strict=False):
                if part:
                    put_header(game, name, part, line=number)
            if rest := ";".join(parts[3:]).strip(";"):
                warn(game, "text of {} is not read: {!r}", key, rest[:60], line=number)
        elif key == "FEN":
            valid = set_start(game, value, "FEN", number)
        elif key == "RESULT":
            put_result(game, value, line=number)
        elif key == "FORMAT":
            if value.upper() not in ("", "WXF"):
                warn(game, "the format {!r} is read as WXF", value[:60], line=number)
        elif not value and key not in _EMPTY:
            warn(game, "not a header: {!r}", line.strip()[:60], line=number)
        elif value:
            # Capitals and back make other letters of some that are not ASCII: of the micro sign a mu.
            name = key.title() if key.isascii() else words[0]
            put_header(game, _KEYS.get(key, name), value, line=number)
    warn_of_damage(game, text, 1)
    game.headers.setdefault("Result", "*")
    if valid:
        _read_moves(game, text, start.end())
    else:
        annotate(game, _END.split(text[start.end() :])[0])
    return game


def _read_moves(game: Game, text: str, offset: int) -> None:
    moves = Line(game, Sides(lambda: text[offset:]))
    dots = False  # before the first move
    line, last = 1 + text.count("\n", 0, offset), offset
    for found in _WORD.finditer(text, offset):
        word = found[0]
        line, last = line + text.count("\n", last, found.start()), found.start()
        comment = found["remark"] or found["comment"]
        if found["end"]:
            _read_rest(game, moves.node, text, found.end())
            return
        if comment is not None:
            annotate(moves.node, line_of(comment))
            continue
        if word == "}":
            warn(game, "a closing brace too many", line=line)
            continue
        if number := _NUMBER.match(word):
            mark_move(moves.node, number[1])
            continue
        stem, mark = split_mark(word)
        if stem.strip("."):
            if not moves.play(stem, line, is_blacks=dots):
                return
        elif stem:
            dots = True
        mark_move(moves.node, mark)
    warn(game, "}END is missing", line=1 + text.count("\n"))


def _read_rest(game: Game, node: GameNode, text: str, offset: int) -> None:
    """Add the comments behind the moves, and warn of another game."""
    for comment in _COMMENT.findall(text, offset):
        annotate(node, line_of(comment))
    if another := _START.search(text, offset):
        warn(game, "a second game, which is not read", line=1 + text.count("\n", 0, another.start()))
    elif rest := _COMMENT.sub(" ", text[offset:]).strip():
        line = 1 + text.count("\n", 0, offset)
        warn(game, "text after the end of the game is not read: {!r}", rest[:60], line=line)


def text_of(game: Game, loss: Callable[[str], object] = lambda _: None) -> str:
    """The main line as a WXF file; loss is called with what it cannot hold. RecordError for a pass."""
    headers = {name: line_of(value) for name, value in game.headers.items()}
    lines = ["FORMAT\tWXF"]
    used = {"Result", "Game"}
    for side in ("Red", "Black"):
        names = (side, f"{side}Elo", f"{side}Team")
        used.update(names)
        for name in names:
            if ";" in headers.get(name, ""):
                loss(Message("a semicolon in the header {} becomes a comma", name))
        parts = [headers.get(name, "").replace(";", ",") for name in names]
        if any(parts):
            lines.append(f"{side.upper()}\t{' ; '.join(parts)} ;")
    lines.append(f"RESULT\t{game.result}")
    for name, value in headers.items():
        if value and name not in used:
            key = _NAMES.get(name, name.upper())
            if re.fullmatch(r"[A-Z]+", key) and (name in _NAMES or key.title() == name):
                lines.append(f"{key}\t{value}")
            else:
                loss(Message("{} cannot hold a header named {!r}", "WXF", name))
    if game.start != STARTING_FEN:
        board_text, side, *_ = game.start.translate(str.maketrans("NBnb", "HEhe")).split()
        lines.append(f"FEN\t{board_text} {'r' if game.start.split()[1] == 'w' else 'b'}")
    rows = move_rows(game, "wxf", width=2, dots="...", gap=" ", black=str.lower)
    return "\n".join([*lines, "", "START{", *rows, "}END", ""])
