"""Files of many games with scores: compact, checksummed, good for appending and for streaming.

docs/tuning.md describes the format byte by byte. A file is a header and numbered blocks of games with
checksums. A block is written at once, so that whatever kills the writer costs at most the last block, which
the next writer cuts off.

>>> import os, tempfile
>>> path = os.path.join(tempfile.mkdtemp(), "some.games")
>>> with Writer(path, {"made by": "hand"}) as writer:
...     writer.append(PackedGame(RED_WON, Reason.UNKNOWN, pack(["h2e2", "h9g7"]), scores=(20, -15)))
>>> [(game.result, len(game.moves), game.scores) for game in read_games(path)]
[(2, 2, (20, -15))]
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from array import array
from collections.abc import Iterable, Iterator
from contextlib import suppress
from enum import IntEnum
from typing import Any, BinaryIO, NamedTuple

from ..._core import STARTING_FEN, BaseBoard, Move
from ..._internal.closing import Closing
from ..._internal.files import plain_file
from ..._internal.system import lock_file

__all__ = [
    "BLOCK", "Block", "Contents", "GameFileError", "PackedGame", "Reason", "TornBlockError", "Writer",
    "decode", "encode", "find_fault", "is_game_file", "pack", "read_blocks", "read_contents", "read_games",
    "read_header",
]  # fmt: skip

MAGIC = b"elegames"
VERSION = 2
BLOCK_MAGIC = b"BLCK"
#: Magic, number from 0, bytes of the compressed games, games, plies, checksums of these and of the games.
BLOCK = struct.Struct("<4sIIIIII")
HEAD_CHECKED = BLOCK.size - 8  # bytes
OLD_BLOCK = struct.Struct("<4sIIII")  # of version 1: without a number, one checksum of all
HEADER = struct.Struct("<8sHI")  # magic, version, bytes of the JSON text that follows; then its checksum
CHECKSUM = struct.Struct("<I")
GAME = struct.Struct("<BH")  # what there is, plies
BLOCK_GAMES = 64
MAX_BLOCK = 1 << 28  # bytes, of either form: more is damage
MAX_PLIES = 0xFFFF
MAX_HEADER = 1 << 24

BLACK_WON, DRAWN, RED_WON = range(3)
RESULT_NAMES = ("black won", "drawn", "red won")

_START, _SCORES = 1 << 5, 1 << 6  # bits of the first byte of a game; below: result, reason << 2


class Reason(IntEnum):
    """Why a game ended."""

    UNKNOWN = 0
    MATE = 1  #: or stalemate
    RULES = 2  #: repetition, the no-capture limit or bare material
    ADJUDICATION = 3
    LENGTH = 4


class GameFileError(ValueError):
    """A file of games that cannot be read: names the file, the offset and what is wrong."""


class TornBlockError(GameFileError):
    """The file ends within a block, as after the end of its writer."""


class PackedGame(NamedTuple):
    """A game with its searches' scores."""

    result: int  #: 0 Black won, 1 draw, 2 Red won
    reason: int
    moves: tuple[int, ...]  #: from + 128 * to
    scores: tuple[int, ...] | None = None  #: centipawns for the side to move, or NO_SCORE
    start: str = STARTING_FEN

    def move_list(self) -> list[Move]:
        """The moves, unpacked from their 16-bit numbers."""
        return [Move(code & 127, code >> 7) for code in self.moves]

    def in_bytes(self) -> tuple[BaseBoard, bytes, bytes | None, int]:
        """Start, moves, scores and result, as the collections of the core add them."""
        scores = None if self.scores is None else array("h", self.scores).tobytes()
        return BaseBoard(self.start), array("H", self.moves).tobytes(), scores, self.result

    def is_held_out(self, one_of: int) -> bool:
        """Is it the one game of this number that tests what was learnt? Its moves alone decide."""
        return zlib.crc32(array("H", self.moves).tobytes()) % one_of == 0


class Block(NamedTuple):
    """Some games that lie together in a file."""

    offset: int  #: of its first byte
    games: list[PackedGame]


class Contents(NamedTuple):
    """What a file holds, however its games are divided into blocks."""

    games: int
    sha256: str  #: of the games as they are encoded, in order


def pack(moves: Iterable[str | Move]) -> tuple[int, ...]:
    """Moves, as objects or ICCS text, as the numbers of a PackedGame."""
    pairs = (Move.from_iccs(move) if isinstance(move, str) else move for move in moves)
    return tuple(move.from_square | move.to_square << 7 for move in pairs)


def encode(game: PackedGame) -> bytes:
    """One game as bytes; ValueError if it does not fit the format."""
    if len(game.moves) > MAX_PLIES:
        raise ValueError(f"a game has at most {MAX_PLIES} plies, not {len(game.moves)}")
    if game.scores is not None and len(game.scores) != len(game.moves):
        raise ValueError(f"{len(game.moves)} moves, but {len(game.scores)} scores")
    if not 0 <= game.result <= RED_WON:
        raise ValueError(f"a result is 0, 1 or 2, not {game.result}")
    own_start = game.start != STARTING_FEN
    what = game.result | Reason(game.reason) << 2 | _START * own_start | _SCORES * (game.scores is not None)
    data = GAME.pack(what, len(game.moves))
    if own_start:
        fen = game.start.encode("ascii")
        data += bytes([len(fen)]) + fen
    try:
        data += struct.pack(f"<{len(game.moves)}H", *game.moves)
        return data + struct.pack(f"<{len(game.moves)}h", *game.scores) if game.scores is not None else data
    except struct.error as error:
        raise ValueError(f"a move or score of the game is out of range: {error}") from None


def decode(data: bytes) -> Iterator[PackedGame]:
    """All games in the bytes; ValueError if they are no games."""
    at = 0
    while at < len(data):
        try:
            what, plies = GAME.unpack_from(data, at)
            at += GAME.size
            start = STARTING_FEN
            if what & _START:
                start = data[at + 1 : at + 1 + data[at]].decode("ascii")
                at += 1 + data[at]
            moves = struct.unpack_from(f"<{plies}H", data, at)
            at += 2 * plies
            scores = None
            if what & _SCORES:
                scores = struct.unpack_from(f"<{plies}h", data, at)
                at += 2 * plies
            if what >> 7 or what & 3 > RED_WON:
                raise ValueError
            yield PackedGame(what & 3, Reason(what >> 2 & 7), moves, scores, start)
        except (ValueError, struct.error, IndexError):
            raise ValueError("no games") from None


# Reading


def is_game_file(path: str) -> bool:
    """Does a file begin as a file of games? OSError."""
    with open(plain_file(path), "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def read_header(path: str) -> dict[str, Any]:
    """What the maker of the file wrote about it; GameFileError or OSError if it cannot be read."""
    with open(plain_file(path), "rb") as file:
        return _read_header(file, path)[1]


def _read_header(file: BinaryIO, path: str) -> tuple[int, dict[str, Any]]:
    """The version of the format and what the maker wrote."""
    start = file.read(HEADER.size)
    if len(start) < HEADER.size or not start.startswith(MAGIC):
        raise GameFileError(f"{path}: not a file of games")
    _, version, size = HEADER.unpack(start)
    if not 1 <= version <= VERSION:
        raise GameFileError(f"{path}: version {version} of the format, but none above {VERSION} is known")
    rest = file.read(min(size, MAX_HEADER) + CHECKSUM.size)
    text, checksum = rest[:size], rest[size:]
    if CHECKSUM.pack(zlib.crc32(start + text)) != checksum:
        raise GameFileError(f"{path}: offset 0: the header is damaged")
    header: dict[str, Any] = json.loads(text)
    return version, header


class _BlockReader:
    """The blocks of an open file, from behind its header on. Each has its number in the file."""

    def __init__(self, file: BinaryIO, path: str, version: int) -> None:
        self._file = file
        self._path = path
        self._version = version
        self._number = 0
        self.offset = file.tell()  # of the block that was read last

    def read(self) -> Block | None:
        """The next block, None at the end; TornBlockError for a last one that was not written to its end."""
        found = self.read_encoded()
        if found is None:
            return None
        data, games, plies = found
        try:
            decoded = list(decode(data))
        except ValueError:
            raise self._damage("the block does not hold games") from None
        if (len(decoded), sum(len(game.moves) for game in decoded)) != (games, plies):
            raise self._damage("the block holds other games than its head says")
        return Block(self.offset, decoded)

    def _damage(self, what: str, kind: type[GameFileError] = GameFileError) -> GameFileError:
        return kind(f"{self._path}: offset {self.offset}: {what}")

    def read_encoded(self) -> tuple[bytes, int, int] | None:
        """The next block's bytes, games and plies, and the errors of `read` that need no decoding."""
        self.offset = self._file.tell()
        layout = BLOCK if self._version > 1 else OLD_BLOCK
        head = self._file.read(layout.size)
        if not head:
            return None
        if len(head) < layout.size:
            raise self._damage("the file ends within the head of a block", TornBlockError)
        number = self._number
        if self._version > 1:
            magic, number, size, games, plies, head_sum, data_sum = layout.unpack(head)
            if head_sum != zlib.crc32(head[:HEAD_CHECKED]):
                raise self._damage("no block begins here" if magic != BLOCK_MAGIC else "the head is damaged")
        else:
            magic, size, games, plies, data_sum = layout.unpack(head)
        if magic != BLOCK_MAGIC or size > MAX_BLOCK:
            raise self._damage("no block begins here")
        if number != self._number:
            raise self._damage(
                f"block {number} stands where {self._number} should: one is missing or there twice"
            )
        data = self._file.read(size)
        if len(data) < size:
            raise self._damage("the file ends within a block", TornBlockError)
        if zlib.crc32(data, 0 if self._version > 1 else zlib.crc32(head[: -CHECKSUM.size])) != data_sum:
            raise self._damage("the checksum of the block is wrong")
        try:
            inflate = zlib.decompressobj()
            encoded = inflate.decompress(data, MAX_BLOCK)
        except zlib.error:
            raise self._damage("the block does not hold games") from None
        if inflate.unconsumed_tail or not inflate.eof:
            raise self._damage("the block does not hold games")
        self._number += 1
        return encoded, games, plies


def read_blocks(path: str) -> Iterator[Block]:
    """All blocks in turn; GameFileError at the first damage, OSError if the file cannot be read."""
    with open(plain_file(path), "rb") as file:
        version, _ = _read_header(file, path)
        reader = _BlockReader(file, path, version)
        while (block := reader.read()) is not None:
            yield block


def read_games(path: str) -> Iterator[PackedGame]:
    """All games in turn; errors as for read_blocks."""
    for block in read_blocks(path):
        yield from block.games


def read_contents(path: str) -> Contents:
    """Count the games and take their checksum, without decoding them; errors as for read_blocks.

    Equal games in equal order have equal checksums, whatever interruptions have made of the blocks.
    """
    games, digest = 0, hashlib.sha256()
    with open(plain_file(path), "rb") as file:
        version, _ = _read_header(file, path)
        reader = _BlockReader(file, path, version)
        while (found := reader.read_encoded()) is not None:
            digest.update(found[0])
            games += found[1]
    return Contents(games, digest.hexdigest())


# Writing


class Writer(Closing):
    """Writes games to a file: a new one, or behind the games that are there.

    append: go on with a file whose header is the same; a last block that was not written to its end is cut
    off. FileExistsError without append if the file exists; GameFileError if it is damaged before its end or
    its header says something else, and when another writer has it open. games: how many it holds by now.
    """

    def __init__(self, path: str, header: dict[str, Any], *, append: bool = False) -> None:
        self.path = path
        self.games: int = 0
        self._blocks = 0
        self._waiting: list[bytes] = []
        self._plies = 0
        self._end = 0  # of the last whole block
        is_there = append and os.path.exists(path)
        self._file = open(plain_file(path), "r+b") if is_there else open(path, "x+b")  # noqa: SIM115
        try:
            if not lock_file(self._file):
                raise GameFileError(f"{path}: another process is writing it")
            self._begin(header)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, header: dict[str, Any]) -> None:
        text = json.dumps(header, sort_keys=True).encode()
        start = HEADER.pack(MAGIC, VERSION, len(text)) + text
        start += CHECKSUM.pack(zlib.crc32(start))
        there = self._file.read(len(start))
        if start.startswith(there) and len(there) < len(start):  # new, or killed in its first moment
            self._file.seek(0)
            self._file.write(start)
            self._file.flush()
            self._end = len(start)
            return
        self._file.seek(0)
        version, found = _read_header(self._file, self.path)
        if version != VERSION:
            raise GameFileError(
                f"{self.path}: version {version} of the format can be read, but not gone on with"
            )
        _same_header(found, header, self.path)
        reader = _BlockReader(self._file, self.path, version)
        with suppress(TornBlockError):
            while (block := reader.read()) is not None:
                self.games += len(block.games)
                self._blocks += 1
        self._end = reader.offset
        self._file.seek(self._end)
        self._file.truncate()

    def append(self, game: PackedGame) -> None:
        """Add a game; it is on disk after the next flush()."""
        data, plies = encode(game), len(game.moves)
        self._waiting += [data]  # Ctrl-C comes between calls: not within these three
        self._plies += plies
        self.games += 1
        if len(self._waiting) >= BLOCK_GAMES:
            self.flush()

    def flush(self) -> None:
        """Write the games that wait as a block."""
        if not self._waiting:
            return
        data = zlib.compress(b"".join(self._waiting), 6)
        fields = (BLOCK_MAGIC, self._blocks, len(data), len(self._waiting), self._plies)
        head_sum = zlib.crc32(BLOCK.pack(*fields, 0, 0)[:HEAD_CHECKED])
        block = BLOCK.pack(*fields, head_sum, zlib.crc32(data)) + data
        self._file.seek(self._end)  # if Ctrl-C came before the end of this, it is written again in its place
        self._file.truncate()
        self._file.write(block)
        self._file.flush()
        os.fsync(self._file.fileno())
        end = self._end + len(block)
        self._end, self._waiting, self._plies = end, [], 0
        self._blocks += 1

    def close(self) -> None:
        """Write the games that are still in memory, and unlock the file."""
        try:
            self.flush()
        finally:
            self._file.close()  # and with it the lock, for who tries again


def _same_header(found: dict[str, Any], wanted: dict[str, Any], path: str) -> None:
    for name in sorted({*found, *wanted}):
        if found.get(name) != wanted.get(name):
            raise GameFileError(
                f"{path}: made with {name} {found.get(name)!r}, which cannot go on with {wanted.get(name)!r}"
            )


# What a game says of itself


def find_fault(game: PackedGame) -> str | None:
    """What is wrong with a game by the rules, or None: an illegal move, an end that is none."""
    board = BaseBoard(game.start)
    for ply, move in enumerate(game.move_list(), 1):
        if not board.is_legal(move):
            return f"ply {ply}: {move} is not legal in {board.fen()}"
        board.push(move)
    if game.reason == Reason.MATE:
        lost = BLACK_WON if board.turn else RED_WON
        if board.legal_moves:
            return f"ended by mate, but there are moves in {board.fen()}"
        if game.result != lost:
            return f"ended by mate, but {RESULT_NAMES[game.result]}"
    elif game.reason == Reason.RULES:
        verdict = board._search_verdict(0)
        ends = {1: DRAWN, 2: BLACK_WON if board.turn else RED_WON, 3: RED_WON if board.turn else BLACK_WON}
        if ends.get(verdict) != game.result:
            return f"ended by the rules: {RESULT_NAMES[game.result]}, but they do not say so"
    return None
