"""Records in and out: bytes from the page to games, and games to bytes."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
from itertools import islice

from ..records import FORMATS, Game, Options, RecordError, encode_game
from ..records import read_games as read_records
from .errors import RequestError
from .page_data import Data

NOTATIONS = ("chinese", "traditional", "wxf", "iccs")
MAX_GAMES = 1000  # of a file
MAX_UNPACKED = 64 << 20  # bytes of a packed file

_PACKED = ((b"\x1f\x8b", gzip.open), (b"\xfd7zXZ\0", lzma.open), (b"BZh", bz2.open))
_TEXTS = ("pgn", "dhtmlxq", "text", "wxf", "fen")
_SUFFIX = {"dhtmlxq": ".ubb", "text": ".txt"}


def formats() -> list[str]:
    """The names of the formats that can be written."""
    return [name for name, format in FORMATS.items() if format.encode is not None]


class _Named(io.BytesIO):
    """A file in memory whose suffix helps to know it."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def read_games(data: bytes, name: str) -> list[Game]:
    """The games of a file, at most the first thousand; RequestError tells why there are none."""
    for magic, opener in _PACKED:
        if data.startswith(magic):
            try:
                with opener(io.BytesIO(data), "rb") as file:
                    data = file.read(MAX_UNPACKED + 1)
            except (OSError, EOFError, lzma.LZMAError) as error:
                raise RequestError("bad-record", f"the packed file is damaged: {error}") from None
            if len(data) > MAX_UNPACKED:
                raise RequestError("too-large", f"unpacked, a file may have {MAX_UNPACKED >> 20} MiB")
            name = name.rpartition(".")[0]
    try:
        games = list(islice(read_records(_Named(data, name)), MAX_GAMES))
    except RecordError as error:
        raise RequestError("bad-record", str(error)) from None
    games = [game for game in games if game.children or game.headers or not game.warnings]
    if not games:
        raise RequestError("bad-record", "there is no game in it")
    if len(games) == 1 and not games[0].children and games[0].warnings:
        raise RequestError("bad-record", str(games[0].warnings[0]))
    return games


def write_game(game: Game, kind: str, notation: str) -> Data:
    """A game as a file: name, bytes, the text if it is one, and what the format could not hold."""
    losses: list[str] = []
    try:
        data = encode_game(game, kind, Options(style=notation), losses=losses)
    except RecordError as error:
        raise RequestError("bad-record", str(error)) from None
    answer: Data = {
        "name": f"game{_SUFFIX.get(kind, f'.{kind}')}",
        "kind": "text/plain" if kind in _TEXTS else "application/octet-stream",
        "data": base64.b64encode(data).decode(),
        "losses": losses,
    }
    if kind in _TEXTS:
        answer["text"] = data.decode()
    return answer
