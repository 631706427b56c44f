"""DhtmlXQ ("UBB"), the text of dpxq.com, 01xq.com and forums: tags ``[DhtmlXQ_name]value[/DhtmlXQ_name]``.

>>> [game] = parse('''[DhtmlXQ]
... [DhtmlXQ_title]example[/DhtmlXQ_title]
... [DhtmlXQ_movelist]774770627967[/DhtmlXQ_movelist]
... [DhtmlXQ_move_0_2_1]7242[/DhtmlXQ_move_0_2_1]
... [DhtmlXQ_comment1_2]a cannon, too[/DhtmlXQ_comment1_2]
... [/DhtmlXQ]''')
>>> game.headers["Title"], [str(move) for move in game.mainline_moves()]
('example', ['h2e2', 'h9g7', 'h0g2'])
>>> game.children[0].children[1].comment
'a cannon, too'

A line P_N_L is line number L, which leaves line P at ply N; plies count from 1, by their place in the game.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO, Final, NamedTuple

from .._core import STARTING_FEN, Move
from .._internal.message import Message
from .annotations import COMMAND, annotate
from .encoding import decode, line_of
from .entry import RecordEntry, fail, warn, warn_of_damage
from .errors import RecordError
from .limits import check_text, limits
from .position import set_start
from .slots import board_of, digits_of, fen_of_digits, square_of, squares_of, squares_of_digits
from .stream import prune
from .tree import Game, GameNode
from .words import read_result

_TAG: Final = re.compile(  # one that is not closed ends where the next one begins
    r"\[\s*DhtmlXQ_(\w{1,60})\s*\]"
    r"(.*?)(?:\[\s*/\s*DhtmlXQ_\1\s*\]|(?=\[\s*/?\s*DhtmlXQ(?:_\w{1,60}|HTML|iFrame)?\s*\])|\Z)",
    re.IGNORECASE | re.DOTALL,
)
# In scripts of pages the same names are variables.
_VARIABLE: Final = re.compile(r"\bDhtmlXQ_(\w{1,60})\s*=\s*(['\"])(.*?)\2", re.IGNORECASE)
_BEGIN: Final = re.compile(r"\[\s*DhtmlXQ|\bDhtmlXQ_movelist\s*=", re.IGNORECASE)
_BLOCK: Final = re.compile(r"\[\s*/\s*DhtmlXQ(?:HTML|iFrame)?\s*\]", re.IGNORECASE)
_SCRIPT: Final = re.compile(r"\[(\d{1,9}_\d{1,9}_\d{1,9})\]([0-9\s]*)\[/\1\]")
_NAMES: Final = {
    "title": "Title", "event": "Event", "place": "Site", "date": "Date", "round": "Round", "red": "Red",
    "black": "Black", "redteam": "RedTeam", "blackteam": "BlackTeam", "redelo": "RedElo",
    "blackelo": "BlackElo", "redtime": "RedTime", "blacktime": "BlackTime", "timerule": "TimeControl",
    "open": "Opening", "remark": "Annotator", "author": "Author", "group": "Group", "table": "Table",
    "class": "Class", "refer": "Source",
}  # fmt: skip
_TAGS: Final = {header: tag for tag, header in _NAMES.items()}
_WORDS: Final = {"1-0": "红胜", "0-1": "黑胜", "1/2-1/2": "和局", "*": "未知"}
_SPLIT: Final = re.compile(r"(?<=\w)(['\"])\s*\+\s*\1(?=\w+\])")  # 'DhtmlXQ_move'+'list]' in scripts of pages
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_COMMENT: Final = re.compile(r"comment(?:(\d{1,9})_)?(\d{1,9})")
_BINIT: Final = re.compile(r"[0-9]{64}")
_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})")


# Reading


def is_begun(text: str) -> bool:
    """Does a tag of DhtmlXQ, or the moves as a variable, stand in the first text of a file?"""
    return bool(_BEGIN.search(text))


def scan(file: BinaryIO) -> Iterator[RecordEntry]:
    """The games of a file; RecordError if it has no tags."""
    yield from _scan(decode(file.read()))


def parse(text: str, *, strict: bool = False) -> Iterator[Game]:
    """The games of a text; RecordError if it has no tags, and with strict for all that is wrong."""
    for entry in _scan(text):
        yield entry.game(strict=strict)


def _scan(text: str) -> Iterator[RecordEntry]:
    text = _SPLIT.sub("", text)
    start = found = 0
    for end in [*(match.end() for match in _BLOCK.finditer(text)), len(text)]:
        block = text[start:end]
        check_text(len(block), line=1 + text.count("\n", 0, start) if len(block) > limits.game else None)
        pairs = _TAG.findall(block) or [(name, value) for name, _, value in _VARIABLE.findall(block)]
        if pairs:
            line = 1 + text.count("\n", 0, start)
            scripts = dict(_SCRIPT.findall(block))
            found += 1
            headers = _headers(pairs)
            yield RecordEntry(headers, partial(_read, headers, pairs, scripts, block, line), line=line)
        start = end
    if not found:
        raise RecordError("no tag of DhtmlXQ", line=1)


def _headers(pairs: list[tuple[str, str]]) -> dict[str, str]:
    headers = {}
    for name, value in pairs:
        tag, text = name.lower(), _text(value)
        if tag in ("binit", "movelist", "fen") or re.match(r"(?:move|comment)\d*_?\d", tag) or not text:
            continue
        if tag == "result":
            result = read_result(text)
            headers["Result"] = result or "*"
            if result is None:
                headers["result"] = text
        else:
            headers[_NAMES.get(tag, name)] = line_of(text)
    headers.setdefault("Result", "*")
    return headers


def _text(value: str) -> str:
    """The text of a value: escapes and entities resolved, || and <br> for line breaks."""
    if "\\u" in value:
        value = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), value)
    value = _BREAK.sub("\n", value.replace("\r\n", "\n"))
    return "\n".join(map(html.unescape, value.split("||"))).strip()


class _Line(NamedTuple):
    """A line: which one it leaves, at which ply, and its own nodes from there on."""

    parent: int
    ply: int
    nodes: list[GameNode]


def _read(
    headers: dict[str, str], pairs: list[tuple[str, str]], scripts: dict[str, str], text: str, line: int
) -> Game:
    game = Game(headers=headers)
    warn_of_damage(game, text, line)
    tags: dict[str, str] = {}
    for name, value in pairs:
        if tags.get(name.lower(), value).strip() not in ("", value.strip()):
            warn(game, "another header {}: the last one is kept", name, line=line)
        tags[name.lower()] = value
    if "result" in headers:
        warn(game, "unknown result {!r}", headers["result"], line=line)
    texts = {name[5:]: value for name, value in tags.items() if re.fullmatch(r"move_\d+_\d+_\d+", name)}
    texts = scripts | texts
    if sum(map(len, (tags.get("movelist", ""), *texts.values()))) // 4 > limits.nodes:
        warn(game, "more than {:,} moves: they are not read", limits.nodes, line=line)
        return game
    main = texts.pop("0_1_0", "")
    moves = _moves(game, tags.get("movelist", "").strip() or main, "movelist", line)
    if not _set_start(game, tags, moves, line):
        _keep_text(game, tags, texts, moves)
        return game
    lines = {0: _Line(0, 1, _added(game, moves))}
    branches: dict[int, list[tuple[int, int, str]]] = {}
    for name, value in texts.items():
        parent, ply, number = (min(int(part), 10**9) for part in name.split("_"))
        branches.setdefault(parent, []).append((ply, number, value))
    ready = [0]
    for parent in ready:  # grows while it is walked: lines may stand before their parents
        for ply, number, value in branches.pop(parent, ()):
            before = _node(game, lines, parent, ply - 1)
            if number in lines:
                warn(game, "a second line {} is not read", number, line=line)
            elif before is None or ply < 1:
                message = Message("line {} leaves line {} at ply {}, which is not there", number, parent, ply)
                warn(game, message, line=line)
            else:
                moves = _moves(game, value, f"line {number}", line)
                lines[number] = _Line(parent, ply, _added(before, moves))
                ready.append(number)
    for parent in branches:
        warn(game, "lines that leave line {}, which is not there, are not read", parent, line=line)
    _add_comments(game, tags, lines, line)
    prune(game, line=line)
    return game


def _added(node: GameNode, moves: list[Move]) -> list[GameNode]:
    """Add moves one after the other; their nodes."""
    nodes = []
    for move in moves:
        node = node.add(move)
        nodes.append(node)
    return nodes


def _node(game: Game, lines: dict[int, _Line], number: int, ply: int) -> GameNode | None:
    """What stands at a ply of a line, None if it is not so long."""
    if ply == 0:
        return game
    while number in lines:
        line = lines[number]
        if ply >= line.ply:
            return line.nodes[ply - line.ply] if ply - line.ply < len(line.nodes) else None
        number = line.parent
    return None


def _set_start(game: Game, tags: dict[str, str], main: list[Move], line: int) -> bool:
    digits = "".join(tags.get("binit", "").split())
    if tags.get("fen", "").strip():
        is_set = set_start(game, _text(tags["fen"]), "fen", line)
        if is_set and _BINIT.fullmatch(digits):
            board, _ = board_of(squares_of_digits(digits))
            if board.board_fen() != game.start.split()[0]:
                warn(game, "a position behind the start of the game is not used", line=line)
        return is_set
    if digits and not _BINIT.fullmatch(digits):
        message = f"binit must have 64 digits: {digits[:80]!r}; the moves are not read"
        fail(game, digits[:80], message, line=line)
    elif digits:
        try:
            game.start = fen_of_digits(digits, main[0].from_square if main else None)
        except ValueError as error:
            board, _ = board_of(squares_of_digits(digits))
            fail(game, board.fen(), "binit: {}; the moves are not read", error, line=line)
    return game.error is None


def _keep_text(game: Game, tags: dict[str, str], lines: dict[str, str], moves: list[Move]) -> None:
    """Make the moves and comments of a game that cannot be played the comment of its position."""
    comments = {name: _text(value) for name, value in tags.items() if _COMMENT.fullmatch(name)}
    annotate(game, comments.pop("comment0", ""))
    annotate(game, " ".join(move.iccs() for move in moves))
    for name, text in (*lines.items(), *comments.items()):
        annotate(game, f"{name}: {text.strip()}" if text.strip() else "")


def _moves(game: Game, value: str, what: str, line: int) -> list[Move]:
    """The moves of digits: file and row from Black's side, twice."""
    digits = "".join(value.split())
    moves = []
    for at in range(0, len(digits), 4):
        four = digits[at : at + 4]
        if not re.fullmatch(r"(?:[0-8][0-9]){2}", four):
            warn(game, "{}: {!r} at ply {} is no move", what, four, at // 4 + 1, line=line)
            break
        moves.append(Move(square_of(four[:2]), square_of(four[2:])))
    return moves


def _add_comments(game: Game, tags: dict[str, str], lines: dict[int, _Line], line: int) -> None:
    for name, value in tags.items():
        found = _COMMENT.fullmatch(name)
        if found and (text := _text(value)):
            number, ply = int(found[1] or 0), int(found[2])
            node = _node(game, lines, number, ply)
            if node is None:
                missing = f"ply {ply} of line {number}"
                warn(game, "a comment on {}, which is not there: {!r}", missing, text[:60], line=line)
            else:
                annotate(node, text)


# Writing


def text_of(game: Game, loss: Callable[[str], object] = lambda _: None) -> str:
    """The game as DhtmlXQ; loss is called with what it cannot hold.

    RecordError for a pass, or more pieces of a kind than a game begins with.
    """
    parts = ["[DhtmlXQ]"]

    def put(name: str, value: str) -> None:
        if set(COMMAND.sub("", value)).intersection("[]"):
            loss(Message("brackets in {} become full-width", name))
        parts.append(f"[DhtmlXQ_{name}]{_value(value)}[/DhtmlXQ_{name}]")

    for name, value in game.headers.items():
        if name == "Result":
            put("result", _WORDS[game.result])
        elif name.lower() in ("fen", "binit", "movelist"):
            loss(Message("{} cannot hold a header named {!r}", "DhtmlXQ", name))
        elif name != "Game" and not (name == "result" and game.result == "*"):
            tag = _TAGS.get(name, name)
            if re.fullmatch(r"\w{1,60}", tag):
                put(tag, line_of(value))
            elif value:
                loss(Message("{} cannot hold a header named {!r}", "DhtmlXQ", name))
    if game.start != STARTING_FEN:
        put("fen", game.start)
    squares = squares_of(game.start)
    put("binit", "".join("99" if square is None else digits_of(square) for square in squares))
    comments = {"comment0": game.full_comment()}
    lines: list[tuple[int, int, GameNode | None]] = [(0, 1, game.next())]
    for number, (parent, ply, first) in enumerate(lines):  # grows while it is walked: parents before children
        moves = []
        node = first
        at = ply
        while node is not None:
            if not node.move:
                raise RecordError("DhtmlXQ cannot hold a pass")
            moves.append(digits_of(node.move.from_square) + digits_of(node.move.to_square))
            comments[f"comment{number}_{at}" if number else f"comment{at}"] = node.full_comment()
            assert node.parent is not None
            if (node.is_main_child() and node is not first) or number == 0:
                lines += [(number, at, child) for child in node.parent.children[1:]]
            node = node.next()
            at += 1
        put(f"move_{parent}_{ply}_{number}" if number else "movelist", "".join(moves))
    for name, text in comments.items():
        if text:
            put(name, text)
    return "\n".join([*parts, "[/DhtmlXQ]", ""])


def _value(text: str) -> str:
    """The text of a value, escaped where it would be read as something else."""
    text = text.translate({ord("["): "［", ord("]"): "］"})
    if html.unescape(text) != text:
        text = text.replace("&", "&amp;")
    text = _BREAK.sub(lambda found: f"&lt;{found[0][1:]}", text)
    return _ESCAPE.sub(r"&#92;u\1", text).replace("||", "|&#124;").replace("\n", "||")
