"""Records in and out: bytes from the page to games, and games to bytes."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import NamedTuple

from .._core import STARTING_FEN, checks_enabled
from .._internal.message import Message, message_of
from ..records import FORMATS, Game, RecordError, WriteOptions, encode_game
from ..records import read_games as read_records
from ..records.packing import is_packed, unpack
from .errors import RequestError
from .page_data import Data
from .summaries import opening_names

NOTATIONS = ("chinese", "traditional", "wxf", "iccs")
MAX_UNPACKED = 64 << 20  # bytes of a packed file
MAX_READ = 64 << 20  # bytes of all its games, as JSON
READER_MEMORY = 1 << 30  # bytes of address space of the process that reads a file
READER_TIME = 30  # seconds of a processor for it
REPORT_GAMES, REPORT_SECONDS = 100, 0.2  # how often the number of games read is reported
MAX_SAID = 20  # warnings that a page lists
SMALL = 64 << 10  # bytes of a plain file that is read without such a process

_TEXTS = ("pgn", "dhtmlxq", "text", "wxf", "fen")
_SUFFIX = {"dhtmlxq": ".ubb", "text": ".txt"}


class OpenedGame(NamedTuple):
    """A game of a file, ready to become a document: its data as JSON, and what there is to list of it.

    warnings: the first ones. unsaid: how many there are beside these.
    """

    json: str
    headers: dict[str, str]
    plies: int
    warnings: list[Data]
    unsaid: int
    opening: list[str] | None  # its names

    def game(self) -> Game:
        return Game.from_dict(json.loads(self.json))

    @property
    def source(self) -> str:
        """A checksum that shows whether the same game is opened again."""
        return hashlib.sha256(self.json.encode()).hexdigest()[:32]


def formats() -> list[str]:
    """The names of the formats that can be written."""
    return [name for name, format in FORMATS.items() if format.encode is not None]


class OpenedFile(NamedTuple):
    """The games of a file, and why others are left out: what there is to say of each, as of a warning."""

    games: list[OpenedGame]
    left_out: list[Data]


class _Named(io.BytesIO):
    """A file in memory whose suffix helps to know it."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def open_games(data: bytes, name: str, report: Callable[[int], bool] = lambda _: True) -> OpenedFile:
    """Read the games of a file that anybody may have made; RequestError says why there are none.

    A small file may hold much: what is packed or long is read by a process of its own, whose memory and time
    are limited. report: called while it reads with the number of games so far; False ends it.
    """
    if (not is_packed(data) and len(data) <= SMALL) or sys.platform == "win32":  # no limit of memory there
        return read_games(data, name)
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_read_apart, args=(theirs,), daemon=True)
    with ours:
        with theirs:
            process.start()
        try:
            # Not as an argument: start() would wait without end for a process that dies before it takes it.
            ours.send((data, name))
            answer: Data = {"read": 0}
            while "read" in answer:
                if not report(answer["read"]):
                    raise RequestError("cancelled", "the file is not opened")
                if ours.poll(REPORT_SECONDS):
                    answer = json.loads(ours.recv_bytes(MAX_READ))
        except (EOFError, OSError):
            process.join(REPORT_SECONDS)
            if process.exitcode == -signal.SIGXCPU:
                raise RequestError(
                    "too-large", f"reading this file takes more than {READER_TIME} s"
                ) from None
            raise RequestError("too-large", "reading this file takes too much memory") from None
        finally:
            process.kill()
            process.join()
    if "code" in answer:
        raise RequestError(answer["code"], answer["message"], **answer["details"])
    return OpenedFile([OpenedGame(*game) for game in answer["games"]], answer["left_out"])


def _read_apart(connection: Connection) -> None:
    """The work of the process that reads a file: its bytes and name come by the connection."""
    import resource

    if not checks_enabled():  # a sanitizer needs all addresses
        resource.setrlimit(resource.RLIMIT_AS, (READER_MEMORY, READER_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (READER_TIME, READER_TIME + 5))

    def report(count: int) -> None:
        connection.send_bytes(json.dumps({"read": count}).encode())

    try:
        data, name = connection.recv()
        connection.send_bytes(json.dumps(read_games(data, name, report)._asdict()).encode())
    except RequestError as error:
        connection.send_bytes(
            json.dumps({"code": error.code, "message": str(error), "details": error.details}).encode()
        )
    except MemoryError:
        os._exit(1)  # without a word on stderr; whoever waits sees the pipe close


def packed(game: Game, number: int | None = None) -> OpenedGame:
    """A game, ready to become a document. number: its place in a file of several, for its warnings."""
    return OpenedGame(
        json.dumps(game.to_dict(), ensure_ascii=False),
        dict(game.headers),
        game.plies(),
        [_warning(warning, number) for warning in game.warnings[:MAX_SAID]],
        max(0, len(game.warnings) - MAX_SAID),
        opening_names(game),
    )


def said_of(games: Iterable[OpenedGame], left_out: list[Data] | None = None) -> Data:
    """For the page: the first warnings of games, and how many there are beside these."""
    warnings, unsaid = list(left_out or []), 0
    for game in games:
        warnings += game.warnings
        unsaid += game.unsaid
    return {"warnings": warnings[:MAX_SAID], "unsaid": unsaid + max(0, len(warnings) - MAX_SAID)}


def read_games(data: bytes, name: str, report: Callable[[int], object] = lambda _: None) -> OpenedFile:
    """Read the games of a file, and report how many now and then; RequestError says why there are none."""
    games: list[Game] = []
    try:
        if is_packed(data):
            data, name = unpack(data, MAX_UNPACKED, name)
            if len(data) > MAX_UNPACKED:
                raise RequestError("too-large", f"unpacked, a file may have {MAX_UNPACKED >> 20} MiB")
        for game in read_records(_Named(data, name)):
            games.append(game)
            if len(games) % REPORT_GAMES == 0:
                report(len(games))
    except RecordError as error:
        raise _record_error(error) from None
    found: list[OpenedGame] = []
    wrong: list[tuple[int, RecordError]] = []
    for number, game in enumerate(games, 1):
        is_bare = not game.children and game.start == STARTING_FEN
        if game.error is not None:
            wrong.append((number, game.error))
        elif game.warnings and is_bare and (len(games) == 1 or not game.headers):
            wrong.append((number, game.warnings[0]))
        else:
            found.append(packed(game, number if len(games) > 1 else None))
    if wrong and not found:
        raise _record_error(wrong[0][1])
    if not found:
        raise RequestError("bad-record", "no game", reason=Message("no game").data())
    return OpenedFile(found, [_warning(error, number) for number, error in wrong])


def _warning(error: RecordError, number: int | None) -> Data:
    return _record_error(error).details | ({} if number is None else {"game": number})


def _record_error(error: RecordError) -> RequestError:
    """What is wrong with a file, and where: the page says it in its language."""
    return RequestError("bad-record", str(error), reason=message_of(error).data(), line=error.line)


def download(name: str, kind: str, data: bytes) -> Data:
    """A file for the page to save."""
    return {"name": name, "kind": kind, "data": base64.b64encode(data).decode()}


def write_game(game: Game, kind: str, notation: str) -> Data:
    """A game as a file for the page to save, the text if it is one, and what the format could not hold."""
    losses: list[str] = []
    try:
        data = encode_game(game, kind, WriteOptions(style=notation), losses=losses)
    except RecordError as error:
        raise _record_error(error) from None
    is_text = kind in _TEXTS
    mime = "text/plain" if is_text else "application/octet-stream"
    return {
        **download(f"game{_SUFFIX.get(kind, f'.{kind}')}", mime, data),
        "losses": [message_of(ValueError(said)).data() for said in losses],
        **({"text": data.decode()} if is_text else {}),
    }
