"""XQF, the files of XQStudio: one game with variations and comments, scrambled from version 11 on.

Read are all versions up to 18; written is 10, the plain one that its author published in 2001 and that every
program reads. The header is 1,024 bytes, then come the moves in depth-first order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO, Final, NamedTuple

from .._core import STARTING_FEN
from .._internal.message import Message
from .encoding import cut, guess, line_of, one_line_end
from .entry import RecordEntry, warn
from .errors import RecordError
from .slots import board_of, squares_of
from .stream import Record, read, records_of, texts_of_fields
from .tree import Game

MAGIC: Final = b"XQ"
HEADER: Final = 1024
LAST_VERSION: Final = 18
_USUAL: Final = "gb18030"  # the encoding of the texts
_TEXT: Final = b"[(C) Copyright Mr. Dong Shiwei.]"
_FIELDS: Final = (  # header, offset, bytes with the one of the length
    ("Title", 0x50, 64), ("Event", 0xD0, 64), ("Date", 0x110, 16), ("Site", 0x120, 16), ("Red", 0x130, 16),
    ("Black", 0x140, 16), ("TimeControl", 0x150, 64), ("RedTime", 0x190, 16), ("BlackTime", 0x1A0, 16),
    ("Annotator", 0x1D0, 16), ("Author", 0x1E0, 16),
)  # fmt: skip
_RESULTS: Final = ("*", "1-0", "0-1", "1/2-1/2", "1/2-1/2")


class _Keys:
    """What scrambles a file."""

    def __init__(self, head: bytes) -> None:
        self.version, mask = head[2], head[3]
        self.square = self.origin = self.goal = self.length = 0
        self.stream = bytes(32)
        if self.version > 10:
            k, q = head[8:12], head[12:16]
            self.square = _power(q[1]) * q[1] & 255
            self.origin = _power(q[2]) * self.square & 255
            self.goal = _power(q[3]) * self.origin & 255
            self.length = (256 * q[0] + q[1]) % 32000 + 767
            self.stream = bytes(char & (k[i % 4] | (q[i % 4] & mask)) for i, char in enumerate(_TEXT))

    def squares(self, raw: bytes) -> list[int | None]:
        """The 32 squares of the start position."""
        found: list[int | None] = [None] * 32
        for i, byte in enumerate(raw):
            slot = (self.square + 1 + i) % 32 if self.version >= 12 else i
            found[slot] = _square(byte - self.square & 255)
        return found

    def plain(self, data: bytes) -> bytes:
        """The moves without the scrambling of bytes."""
        if not any(self.stream):
            return data
        found = bytearray(data)
        for i, key in enumerate(self.stream):
            if key:
                found[i::32] = data[i::32].translate(bytes((byte - key) & 255 for byte in range(256)))
        return bytes(found)


def _power(k: int) -> int:
    return 54 * k * k + 221


def _square(byte: int) -> int | None:
    """The square of 10 * file + rank."""
    return 9 * (byte % 10) + byte // 10 if byte < 90 else None


def _byte(square: int) -> int:
    return 10 * (square % 9) + square // 9


# Reading


def scan(file: BinaryIO, encoding: str = "") -> Iterator[RecordEntry]:
    """The one game of a file; RecordError if it is no XQF file.

    encoding: of its texts (default: GB 18030, unless a different one fits clearly better).
    """
    data = file.read()
    if not data.startswith(MAGIC) or len(data) < HEADER:
        raise RecordError(
            "not an XQF file: it must begin with 'XQ' and have a header of 1,024 bytes", offset=0
        )
    if data[2] > LAST_VERSION:
        raise RecordError("XQF version {} is not known: the last one is {}", data[2], LAST_VERSION, offset=2)
    entry = RecordEntry(_headers(data, encoding), lambda: _read(data, encoding, entry.take_note), offset=0)
    yield entry


def _fields(data: bytes) -> dict[str, bytes]:
    """The headers as they lie there, with what may stand behind a zero character."""
    return {
        name: data[offset + 1 : offset + 1 + min(data[offset], size - 1)] for name, offset, size in _FIELDS
    }


def _headers(data: bytes, encoding: str = "") -> dict[str, str]:
    texts = {name: field.partition(b"\0")[0] for name, field in _fields(data).items()}
    encoding = encoding or guess(b"\n".join(texts.values()), _USUAL)
    headers = {name: text for name, raw in texts.items() if (text := line_of(_decoded(raw, encoding)))}
    headers["Result"] = _RESULTS[data[0x33]] if data[0x33] < len(_RESULTS) else "*"
    return headers


def _decoded(data: bytes, encoding: str) -> str:
    """The text; half a character at its end is dropped, because names are cut at a number of bytes."""
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 3:
            data = data[: error.start]
        return data.decode(encoding, "replace")


class _Raw(NamedTuple):
    """A record of the stream as it lies there; None for a square off the board."""

    origin: int | None
    goal: int | None
    child: bool
    sibling: bool
    comment: bytes
    offset: int


def _read(data: bytes, encoding: str, note: Callable[[RecordError], object]) -> Game:
    keys = _Keys(data)
    game = Game()
    if data[0x33] >= len(_RESULTS):
        warn(game, "unknown result {}", data[51], offset=0x33)
    if keys.version > 10 and sum(data[12:16]) % 256:
        warn(game, "the sum of the keys is wrong: the file may be damaged", offset=12)
    raws = list(_raws(game, keys, keys.plain(data[HEADER:])))
    fields = _fields(data)
    texts = b"\n".join([*fields.values(), *(raw.comment for raw in raws)])
    for name, field in fields.items():
        if field.partition(b"\0")[2].strip(b"\0"):
            warn(game, "header {}: what stands behind a zero character is not read", name, offset=0)
    if any(raw.comment.endswith(b"\0") for raw in raws):
        warn(game, "zero characters at the ends of comments are left out", offset=HEADER)
    if not encoding:
        encoding = guess(texts, _USUAL)
        if encoding != _USUAL:
            note(RecordError("the encoding of the texts is a guess: {}", encoding, offset=0))
    game.headers = _headers(data, encoding)
    board, fault = board_of(keys.squares(data[0x10:0x30]))
    black = data[0x32] == 1
    read(game, board, _records(game, raws, encoding), black=black, offset=0x10, fault=fault)
    return game


def _raws(game: Game, keys: _Keys, data: bytes) -> Iterator[_Raw]:
    """The root and the moves, until something is wrong, which the game's warnings name."""
    old = keys.version <= 10
    cursor = 0
    while len(data) >= cursor + 4:
        offset = HEADER + cursor
        origin, goal, flags, _ = data[cursor : cursor + 4]
        cursor += 4
        child, sibling = (flags >> 4 > 0, flags & 15 > 0) if old else (flags & 0x80 > 0, flags & 0x40 > 0)
        length = 0
        if old or flags & 0x20:
            if len(data) < cursor + 4:
                return
            length = (int.from_bytes(data[cursor : cursor + 4], "little") - keys.length) & 0xFFFFFFFF
            cursor += 4
        rest = len(data) - cursor
        comment = data[cursor : cursor + length]
        cursor += length
        yield _Raw(
            _square(origin - 24 - keys.origin & 255), _square(goal - 32 - keys.goal & 255),
            child, sibling, comment, offset,
        )  # fmt: skip
        if length > rest:
            warn(game, "a comment of {} bytes, but the file has {} more", length, rest, offset=offset)
            return


def _records(game: Game, raws: list[_Raw], encoding: str) -> Iterator[Record]:
    for raw in raws:
        comment = one_line_end(_decoded(raw.comment, encoding)).rstrip("\0")
        if raw.offset == HEADER:
            yield Record(0, 0, raw.child, False, comment, raw.offset)
        elif raw.origin is None or raw.goal is None:
            warn(game, "a square off the board: the moves from here on are not read", offset=raw.offset)
            return
        else:
            yield Record(raw.origin, raw.goal, raw.child, raw.sibling, comment, raw.offset)


# Writing


def encode(game: Game, loss: Callable[[str], object]) -> bytes:
    """The game as a file of version 10; loss is called with what it cannot hold.

    RecordError for a pass, or more pieces of a kind than a game begins with.
    """
    head = bytearray(HEADER)
    head[:3] = b"XQ\x0a"
    squares = squares_of(game.start)
    head[0x10:0x30] = bytes(255 if square is None else _byte(square) for square in squares)
    head[0x32] = 1 if game.start.split()[1] == "b" else 0
    head[0x33] = _RESULTS.index(game.result)
    head[0x40] = 0 if game.start.split()[:2] == STARTING_FEN.split()[:2] else 3
    for name, text, offset, size in texts_of_fields(game, _FIELDS, "XQF", loss):
        data = cut(text, size - 1, "gb18030")
        if data.decode("gb18030") != text:
            loss(Message("header {}: only {} bytes are kept", name, size - 1))
        head[offset] = len(data)
        head[offset + 1 : offset + 1 + len(data)] = data
    parts = [bytes(head), b"\x18\x20", b"\xf0" if game.children else b"\0", b"\xff"]
    parts.append(_comment_bytes(game.full_comment()))
    for record in records_of(game):
        flags = (0xF0 if record.child else 0) | (0x0F if record.sibling else 0)
        parts.append(bytes([_byte(record.origin) + 24, _byte(record.goal) + 32, flags, 0]))
        parts.append(_comment_bytes(record.comment))
    return b"".join(parts)


def _comment_bytes(text: str) -> bytes:
    data = one_line_end(text).replace("\n", "\r\n").encode("gb18030", "replace")
    return len(data).to_bytes(4, "little") + data
