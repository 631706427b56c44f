"""Files of puzzles: JSON lines like positions/puzzles.jsonl, EPD with `bm`, or game records."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from ... import notation
from ..._core import Move
from ..._internal.folders import named_file
from ...board import Board
from ...records import RecordError, read_games
from ...records.formats import format_of, head_of
from ...records.packing import read_bytes
from .. import CommandError, input_errors
from .suite import leave_out, read_cases, read_object


class Puzzle(NamedTuple):
    """One position and what is known about it."""

    name: str
    board: Board
    best: tuple[Move, ...]  # moves that are right; empty if none is known
    plies: int | None  # to the mate, with best play of both sides
    marks: frozenset[str]  # what --filter can ask for


def read_puzzles(path: str, *, bad: list[str] | None = None) -> list[Puzzle]:
    """All puzzles of a file; CommandError names the line that is wrong. path, bad: as for `read_lines`."""
    path = named_file(path)
    with input_errors(RecordError):
        data = read_bytes(path)
    with suppress(RecordError):  # reported below, as for files of lines
        format = format_of(head_of(data), path).name
        if format not in ("fen", "text"):
            return read_records(data, path, format, bad)
    return read_cases(data, path, read_puzzle, bad)


def read_records(data: bytes, path: str, format: str, bad: list[str] | None) -> list[Puzzle]:
    """The start positions of game records, whose first moves are the right ones."""
    puzzles = []
    try:
        for number, game in enumerate(read_games(data, format=format), 1):
            best = tuple(child.move for child in game.children if child.move)
            if not best:
                leave_out(f"{path}: game {number} has no move to find", bad)
                continue
            name = game.headers.get("Title") or f"game {number}"
            puzzles.append(Puzzle(name, game.board(), best, None, frozenset({name})))
    except RecordError as error:
        error.source = path
        raise CommandError(str(error)) from None
    if not puzzles:
        raise CommandError(f"{path}: no positions")
    return puzzles


def read_puzzle(line: str, number: int) -> Puzzle:
    if line.lstrip().startswith("{"):
        return read_json(read_object(line), f"line {number}")
    return read_epd(line, f"line {number}")


def read_json(data: dict[str, Any], name: str) -> Puzzle:
    """fen, best and also_good (lists of moves), win_in_plies, id, class; ValueError for a bad one."""
    if not isinstance(data.get("fen"), str):
        raise ValueError('"fen" must be a text')
    board = Board(data["fen"])
    moves: list[Move] = []
    for key in ("best", "also_good"):
        texts = data.get(key, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ValueError(f'"{key}" must be a list of moves')
        moves += [notation.parse(board, text) for text in texts]
    plies = data.get("win_in_plies")
    if plies is not None and not (type(plies) is int and plies > 0):
        raise ValueError('"win_in_plies" must be a whole number above 0')
    name = str(data.get("id", name))
    marks = {name, str(data.get("class")), *(key for key, value in data.items() if value)}
    return Puzzle(name, board, tuple(moves), plies, frozenset(marks))


def read_epd(line: str, name: str) -> Puzzle:
    """A position, then operations: bm (best moves), dm (mate in moves), id; ValueError for a bad one.

    Without bm and dm there is nothing to compare with: the position is just searched.
    """
    board, operations = Board.from_epd(line)
    moves, length = operations.get("bm"), operations.get("dm")
    if length is not None and not (isinstance(length, int) and length > 0):
        raise ValueError(f"dm must be a number of moves above 0, not {str(length)[:40]!r}")
    name = str(operations.get("id") or name)
    plies = 2 * length - 1 if length else None
    return Puzzle(name, board, tuple(moves) if isinstance(moves, list) else (), plies, frozenset({name}))
