"""Games and moves as the index keeps them."""

from __future__ import annotations

import re
import struct
from hashlib import blake2b
from itertools import takewhile
from typing import Any

from .._core import STARTING_FEN, Move
from ..book.keys import mirror_move
from ..records import RESULTS, Game
from .reading import PlayedGame

MAX_TEXT = 4096  # characters of a header, or of the path of a file
ABOUT = ("Date", "Event", "Site", "Round")  # headers that are kept beside the names
_YEAR = re.compile(r"(?<!\d)(1[5-9]|20)\d\d(?!\d)")


def played(game: Game) -> PlayedGame:
    """Return the headers, start, main line and result of a record."""
    return PlayedGame(game.headers, game.start, game.mainline_moves(), game.result)


def game_digest(game: Game) -> bytes:
    """What makes a game the same one for an index: start, main line, result, players, date, event, round."""
    digest: bytes = game_row(played(game))[0]
    return digest


def game_row(game: PlayedGame) -> tuple[Any, ...]:
    """Return the row of a game in the index, beginning with the digest of `game_digest`."""
    headers = game.headers
    red, black, *about = (clean(headers.get(name, "")) for name in ("Red", "Black", *ABOUT))
    date, event, _, round_ = about
    codes = [90 * move.from_square + move.to_square for move in takewhile(bool, game.moves)]
    packed = struct.pack(f"<{len(codes)}H", *codes)
    start = "" if game.start == STARTING_FEN else game.start
    result = RESULTS.index(game.result)
    identity = "\0".join((start, str(result), red, black, date, event, round_)).encode() + packed
    year = _YEAR.search(date)
    return (
        blake2b(identity, digest_size=16).digest(), red, black, int(year[0]) if year else 0, *about,
        result, len(codes), start, packed,
    )  # fmt: skip


def clean(text: str) -> str:
    """The text in one line, without what SQLite cannot hold."""
    return " ".join(text.encode("utf-8", "replace").decode().replace("\0", " ").split())[:MAX_TEXT]


def unpack_moves(packed: bytes) -> list[Move]:
    """Return the moves of a row: two bytes each, 90 * from + to."""
    return [Move(*divmod(code, 90)) for code in struct.unpack(f"<{len(packed) // 2}H", packed)]


def move_code(move: Move | None, own: int, mirror: int) -> int:
    """The number of a move under the smaller of two keys; 0 for none.

    In a position that is its own mirror image a move and its image are one: the one that ends on the right.
    """
    if move is None:
        return 0
    if own >= mirror:
        image = mirror_move(move)
        if own > mirror or _side(image) > _side(move):
            move = image
    return 90 * move.from_square + move.to_square


def _side(move: Move) -> tuple[int, int]:
    return move.from_square % 9, move.to_square % 9


def code_move(code: int) -> Move | None:
    """Return the move with a number of `move_code`; None for 0."""
    return Move(*divmod(code, 90)) if code else None
