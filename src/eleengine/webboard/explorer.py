"""The index of games for the page: moves and games of a position, a game to open, games to add.

The index is opened for each request: it may be made, grow or be deleted while pages are open.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ..board import Board
from ..games import GameFilter, GameIndex, GameIndexError, MoveCount
from ..records import Game
from .errors import RequestError
from .page_data import Data, move_data, opening_after

MAX_GAMES = 200  # of a list
KEPT = "eleengine board: kept games"  # the source of these in the index


def explore(path: Path, board: Board, where: GameFilter, limit: int) -> Data:
    """The moves of a position and their results, and its games; `indexed` is False without an index."""
    if not path.exists():
        return {"indexed": False, "results": [0, 0, 0, 0], "moves": [], "games": []}
    with _opened(path) as index:
        found = index.find(board, where, limit=limit)
    return {
        "indexed": True,
        "results": list(found.results),
        "moves": [_move_data(board, count) for count in found.moves],
        "games": [{**game._asdict(), "file": os.path.basename(game.file)} for game in found.games],
    }


def _move_data(board: Board, count: MoveCount) -> Data:
    move, *results = count
    return {
        "move": None if move is None else move_data(board, move),
        "opening": None if move is None else opening_after(board, move),
        "games": count.games,
        "results": results,
    }


def indexed_game(path: Path, number: int) -> Game:
    """A game of the index; RequestError if there is none."""
    try:
        with _opened(path) as index:
            return index.game(number)
    except (KeyError, FileNotFoundError):
        raise RequestError("unknown-document", "there is no such game") from None


def add(path: Path, games: Iterable[Game], source: str) -> Data:
    """Add games to the index, which is made if it is missing; how many were given, and how many are new."""
    with _opened(path, writable=True) as index:
        added = index.add_games(games, source=source)
    return {"games": added.games, "new": added.new}


def mirror(path: Path, games: Mapping[str, Callable[[], Game]]) -> None:
    """Make the kept games of the index these: by their digests as hexadecimal digits, what reads them."""
    with _opened(path, writable=True) as index:
        index.mirror_games({bytes.fromhex(digest): read for digest, read in games.items()}, source=KEPT)


@contextmanager
def _opened(path: Path, *, writable: bool = False) -> Iterator[GameIndex]:
    """The open index; RequestError if it cannot be used, FileNotFoundError if there is none to read."""
    try:
        with GameIndex(path, writable=writable) as index:
            yield index
    except (GameIndexError, OSError) as error:
        if isinstance(error, FileNotFoundError) and not writable:
            raise
        raise RequestError("bad-index", getattr(error, "strerror", None) or str(error)) from None
