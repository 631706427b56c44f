"""Games of any file that has some: records of any format, files of games, and lines of results and moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from .._core import Move
from ..lab.data.gamefile import GameFileError, is_game_file
from ..lab.data.gamefile import read_games as read_packed
from ..lab.data.gametools import is_text, read_text
from ..records import RecordEntry, RecordError, scan_games

RESULTS = ("0-1", "1/2-1/2", "1-0")  # in the order of the files of games


class PlayedGame(NamedTuple):
    """The main line of a game. result: as in `eleengine.records.RESULTS`."""

    headers: Mapping[str, str]
    start: str
    moves: Iterable[Move]
    result: str


class UnreadableFileError(ValueError):
    """A file that has no games that can be read."""


def read_played(path: str, fault: Callable[[str], None], *, skip: int = 0) -> Iterator[PlayedGame | None]:
    """The games of a file, in their order; None for one that cannot be read.

    fault: called with the place of each game that is faulty, such as one that is cut where a move is illegal,
        or cannot be read, and why. skip: leaves out the first games, which takes less time than to read them.
    OSError; UnreadableFileError names the file and the reason.
    """
    try:
        if is_game_file(path):
            games = islice(read_packed(path), skip, None)
        elif is_text(path):
            games = islice(read_text(path, lambda line, what: fault(f"{path}:{line}: {what}")), skip, None)
        else:
            yield from _read_records(path, fault, skip)
            return
        for packed in games:
            yield PlayedGame({}, packed.start, packed.move_list(), RESULTS[packed.result])
    except (GameFileError, RecordError) as error:
        raise UnreadableFileError(str(error)) from None


def _read_records(path: str, fault: Callable[[str], None], skip: int) -> Iterator[PlayedGame | None]:
    entry: RecordEntry
    for number, entry in islice(enumerate(scan_games(path), 1), skip, None):
        game = None if entry.deleted else entry.game()
        if game is None:
            yield None
        elif game.error is not None:
            fault(f"{path}: game {number}: {game.error}")
            yield None
        else:
            if game.warnings and game.warnings[0] is not entry.note:
                fault(f"{path}: game {number}: {game.warnings[0]}")
            if not all(game.mainline_moves()):
                fault(f"{path}: game {number}: a pass, after which nothing is used")
            yield PlayedGame(game.headers, game.start, game.mainline_moves(), game.result)
