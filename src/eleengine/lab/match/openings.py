"""Where the games of a match begin: positions of an EPD file, or first moves of recorded games."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from ... import epd
from ..._core import STARTING_FEN, Move, Searcher
from ..._internal.folders import named_file
from ..._internal.message import naming
from ...board import Board
from ...position_text import play_texts, read_exactly, read_position, split, write_position
from ...records import read_games
from ...records.encoding import read_lines
from ...records.formats import format_of_file

ENOUGH_TRIES = 1000  # for a level opening
ATTEMPTS = 200  # to find random moves after which nothing hangs


def vary(opening: str, plies: int, rng: random.Random) -> str:
    """Return the opening with `plies` moves at random after it, none of which loses material at once.

    Exchanges (SEE) alone decide whether a position is sound, so that the result does not depend on
    search and evaluation. Without a sound one in many attempts the opening is returned as it is.
    """
    for _ in range(ATTEMPTS):
        board = read_position(opening)
        for _ in range(plies):
            moves = [move for move in board.legal_moves if board.see_ge(move, 0)]
            if not moves:
                break
            board.push(rng.choice(moves))
        else:
            if _is_quiet(board):
                return write_position(board)
    return opening


def level_openings(
    count: int,
    *,
    seed: int,
    starts: Sequence[str] = (STARTING_FEN,),
    plies: int = 8,
    balance: int = 50,
    nodes: int = 10_000,
    report: Callable[[int, int], object] = lambda found, tries: None,
) -> Iterator[tuple[Board, int]]:
    """Yield positions after random sound moves (`vary`), with scores in centipawns for the side to move.

    Each is level: its score for a search of `nodes` nodes is within balance. Each comes once; its mirror
    image counts as the same. Equal arguments yield equal positions. ValueError if too few are found.
    report: called before each try with the number of positions so far and of tries.

    >>> [(board, score)] = level_openings(1, seed=1, plies=4, nodes=500)
    >>> board.fen() != STARTING_FEN, abs(score) <= 50
    (True, True)
    """
    rng = random.Random(seed)
    searcher = Searcher(hash_mib=1)
    seen: set[int] = set()
    tries = 0
    while len(seen) < count:
        if tries == ENOUGH_TRIES * (len(seen) + 1):
            raise ValueError(f"{len(seen)} level openings in {tries} tries; {count} are not to be had")
        report(len(seen), tries)
        tries += 1
        played = read_position(vary(rng.choice(starts), plies, rng))
        board = Board(epd.split(played.epd())[0])  # as a file holds it: without the moves and their counters
        key = min(board.key, board.mirror_files().key)
        if key in seen or not _is_quiet(board):
            continue
        searcher.clear()
        [line] = searcher.search(board, nodes=nodes)
        if abs(line.score) <= balance:
            seen.add(key)
            yield board, line.score


def _is_quiet(board: Board) -> bool:
    """Is nobody in check, and has neither side a capture that wins anything?"""
    if board.is_check() or board.outcome():
        return False
    for _ in range(2):
        if any(board.see_ge(move, 1) for move in board.legal_moves if board.is_capture(move)):
            return False
        board = board.copy(stack=False)
        board.push(Move.null())
    return True


def read_openings(path: str | Path, *, plies: int | None = None) -> list[str]:
    """The openings of a file, each a FEN or a FEN, "moves" and moves, as `read_position` takes them.

    path: EPD or FEN (a position a line, operations after it and lines that begin with # passed over),
        or games in any format that `records` reads; or the name of a file that comes with the package.
    plies: number of moves to take of each game.
    OSError; ValueError names the file, the line and what is wrong there: also a game that is over.
    """
    path = named_file(str(path))
    found = _of_epd(path, plies) if format_of_file(path).name == "fen" else _of_records(path, plies)
    if not found:
        raise ValueError(f"{path}: no openings")
    return found


def _of_epd(path: str | Path, plies: int | None) -> list[str]:
    found = []
    for number, line in enumerate(read_lines(path), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            with naming(f"{path}:{number}"):
                text = split(line)
                board = read_exactly(text.fen)
                play_texts(board, islice(text.moves, plies))
                _need_open(board)
            found.append(write_position(board))
    return found


def _of_records(path: str | Path, plies: int | None) -> list[str]:
    found: list[str] = []
    for game in read_games(path, strict=True):
        board = Board(game.start)
        for move in islice(game.mainline_moves(), plies):
            board.push(move)
        with naming(f"{path}: game {len(found) + 1}"):
            _need_open(board)
        found.append(write_position(board))
    return found


def _need_open(board: Board) -> None:
    if outcome := board.outcome():
        raise ValueError(f"the game is over ({outcome.termination.name.lower()}) in {board.fen()}")
