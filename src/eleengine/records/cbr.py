"""CBR, the files of CCBridge (象棋桥): one game with variations and comments, texts in UTF-16."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from .._core import STARTING_FEN, BaseBoard, Piece
from .._internal.message import Message
from ..pieces import BLACK, RED
from ..squares import square_mirror
from .encoding import cut, line_of, one_line_end
from .entry import RecordEntry, warn
from .errors import RecordError
from .stream import Record, read, records_of, texts_of_fields
from .tree import Game

MAGIC: Final = b"CCBridge Record\0"
MOVES: Final = 2214  # where they begin in version 2
_FIELDS: Final = (  # header, offset, bytes
    ("Title", 180, 128), ("Category", 308, 256), ("Source", 564, 64), ("Class", 628, 64), ("Event", 692, 64),
    ("Round", 756, 64), ("Group", 820, 32), ("Table", 852, 32), ("Date", 884, 64), ("Site", 948, 64),
    ("TimeControl", 1012, 64), ("Red", 1076, 64), ("RedTeam", 1140, 64), ("RedTime", 1204, 64),
    ("RedElo", 1268, 32), ("Black", 1300, 64), ("BlackTeam", 1364, 64), ("BlackTime", 1428, 64),
    ("BlackElo", 1492, 32), ("Referee", 1524, 64), ("Recorder", 1588, 64), ("Annotator", 1652, 64),
    ("AnnotatorMail", 1716, 64), ("Author", 1780, 64), ("AuthorMail", 1844, 64), ("Created", 1908, 40),
    ("Modified", 1972, 40), ("Nature", 2044, 32), ("Termination", 2080, 32),
)  # fmt: skip
_RESULTS: Final = ("*", "1-0", "0-1", "1/2-1/2", "*")
_LETTERS: Final = "?RNBAKCP"


# Reading


def scan(file: BinaryIO) -> Iterator[RecordEntry]:
    """The one game of a file; RecordError if it is no CBR file."""
    yield entry_of(file.read(), 0)


def entry_of(data: bytes, offset: int, *, deleted: bool = False) -> RecordEntry:
    """The game of a record that begins at an offset of a file; RecordError if it is none."""
    if not data.startswith(MAGIC):
        raise RecordError("not a CBR record: it must begin with {!r}", MAGIC.decode()[:-1], offset=offset)
    if len(data) < MOVES:
        raise RecordError(
            "a CBR record has at least {} bytes, but here are {}", MOVES, len(data), offset=offset
        )
    if data[19] != 2:
        raise RecordError("CBR version {} is not read, only version 2", data[19], offset=offset + 19)
    return RecordEntry(_headers(data), lambda: _read(data, offset), offset=offset, deleted=deleted)


def text_at(data: bytes, offset: int, size: int) -> str:
    """The text of a field: up to the first zero character."""
    text = data[offset : offset + size // 2 * 2].decode("utf-16-le", "replace")
    return text.partition("\0")[0]


def _headers(data: bytes) -> dict[str, str]:
    headers = {name: text for name, *place in _FIELDS if (text := line_of(text_at(data, *place)))}
    headers["Result"] = _RESULTS[data[2076]] if data[2076] < len(_RESULTS) else "*"
    return headers


def _read(data: bytes, base: int) -> Game:
    game = Game(headers=_headers(data))
    if data[2076] >= len(_RESULTS):
        warn(game, "unknown result {}", data[2076], offset=base + 2076)
    board, fault, black = BaseBoard(None), None, data[2112] == 2
    for index, code in enumerate(data[2120:2210]):
        if code:
            if code >> 4 not in (1, 2) or not 1 <= code & 15 <= 7:
                fault = Message("{:#04x} is no piece", code)
                continue
            kind = Piece.from_symbol(_LETTERS[code & 15]).piece_type
            board.set_piece_at(square_mirror(index), Piece(kind, RED if code >> 4 == 1 else BLACK))
    read(game, board, _records(game, data, base), black=black, offset=base + 2120, fault=fault)
    return game


def _records(game: Game, data: bytes, base: int) -> Iterator[Record]:
    """The root and the moves, until something is wrong, which the game's warnings name."""
    cursor = MOVES
    while len(data) >= cursor + 4:
        offset = base + cursor
        flags, _, origin, goal = data[cursor : cursor + 4]
        cursor += 4
        if flags > 7:
            warn(game, "unknown flags {:#04x}: the moves from here on are not read", flags, offset=offset)
            return
        if offset - base > MOVES and (origin > 89 or goal > 89 or origin == goal):
            message = Message("no move from {} to {}: the moves from here on are not read", origin, goal)
            warn(game, message, offset=offset)
            return
        comment = ""
        if flags & 4:
            length = int.from_bytes(data[cursor : cursor + 4], "little")
            cursor += 4
            rest = len(data) - cursor
            if length > rest:
                warn(game, "a comment of {} bytes, but the record has {} more", length, rest, offset=offset)
                return
            comment = one_line_end(text_at(data, cursor, length + 1))
            cursor += length
        if offset - base == MOVES:
            origin = goal = 0
        yield Record(
            square_mirror(origin), square_mirror(goal), not flags & 1, bool(flags & 2), comment, offset
        )


# Writing


def encode(game: Game, loss: Callable[[str], object], guid: bytes | None = None) -> bytes:
    """The game as a record of version 2; loss is called with what it cannot hold.

    guid: 16 bytes that identify the record (default: new ones). RecordError for a pass.
    """
    head = bytearray(MOVES)
    head[:16] = MAGIC
    head[19] = 2
    head[20:36] = guid or uuid.uuid4().bytes_le

    def whole(text: str) -> str:
        if "\0" in text:  # there a text would end
            loss(Message("zero characters become spaces"))
        return text.replace("\0", " ")

    for name, field, offset, size in texts_of_fields(game, _FIELDS, "CBR", loss):
        text = whole(field)
        data = cut(text, size - 2, "utf-16-le")
        if data.decode("utf-16-le") != text:
            loss(Message("header {}: only {} characters are kept", name, size // 2 - 1))
        head[offset : offset + len(data)] = data
    head[2040] = 0 if game.start.split()[:2] == STARTING_FEN.split()[:2] else 3
    head[2076] = _RESULTS.index(game.result)
    board = BaseBoard(None)
    board.set_fen(game.start, validate=False)
    head[2112] = 1 if board.turn == RED else 2
    head[2116] = 1
    for index in range(90):
        if piece := board.piece_at(square_mirror(index)):
            side = 0x10 if piece.color == RED else 0x20
            head[2120 + index] = side + _LETTERS.index(piece.symbol().upper())
    head[2210:2214] = b"\xff\xff\xff\xff"
    parts = [bytes(head), _record(not game.children, False, 0, 0, whole(game.full_comment()))]
    for record in records_of(game):
        squares = square_mirror(record.origin), square_mirror(record.goal)
        parts.append(_record(not record.child, record.sibling, *squares, whole(record.comment)))
    return b"".join(parts)


def _record(last: bool, sibling: bool, origin: int, goal: int, comment: str) -> bytes:
    text = one_line_end(comment).replace("\n", "\r\n").encode("utf-16-le", "replace")
    flags = (1 if last else 0) | (2 if sibling else 0) | (4 if text else 0)
    head = bytes([flags, 0, origin, goal])
    return head + len(text).to_bytes(4, "little") + text if text else head
