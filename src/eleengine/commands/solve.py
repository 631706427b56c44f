"""Search the positions of a puzzle file: found move, length of the mate, nodes and time of each, and sums.

FILE holds JSON lines (fen, best, also_good, win_in_plies, id, class), EPD (bm, dm, id), or game records that
begin at the puzzle; `puzzles` is the file that comes with the package. A puzzle ends when a mate of the
known length is found, or at a limit. Lines that hold no puzzle are reported, and the others run (exit status
1). Ctrl-C ends the run with the sums so far.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from queue import Empty
from time import monotonic
from typing import Any, NamedTuple

from .. import notation
from .._core import Move
from .._internal.folders import named_file
from .._internal.json_text import read_object
from .._internal.live import LiveLines, pad
from ..board import Board
from ..engines import Engine, InfoDict, Limit
from ..records import RecordError, scan_games
from ..records.errors import of_source
from ..records.formats import format_of, head_of
from ..records.packing import read_bytes
from ..score import score_data, score_text
from ..tables.words import describe
from . import CommandError, add_number, input_errors
from .shared import arguments
from .shared.suite import leave_out, read_cases, read_fen
from .shared.writing import MoveWriter, add_notation

DEFAULT = Limit(time=10)
PAUSE = 0.2


class Puzzle(NamedTuple):
    """One position and what is known about it."""

    name: str
    board: Board
    best: tuple[Move, ...]  # moves that are right; empty if none is known
    plies: int | None  # to the mate, with best play of both sides
    marks: frozenset[str]  # what --filter can ask for


class SolveResult(NamedTuple):
    """What the engine has found in a puzzle."""

    puzzle: Puzzle
    move: Move | None
    info: InfoDict
    seconds: float
    right_after: float | None  # seconds after which the move was right, and stayed so
    known: str  # what an endgame table says, "" without one

    @property
    def plies(self) -> int | None:
        """To the mate that was found."""
        moves = self.info["score"].relative.mate() if "score" in self.info else None
        return 2 * moves - 1 if moves is not None and moves > 0 else None

    @property
    def is_known(self) -> bool:
        """Does the puzzle say what to find?"""
        return bool(self.puzzle.best) or self.puzzle.plies is not None

    @property
    def is_right(self) -> bool:
        """One of the known moves, or a mate as short as the known one; anything where nothing is known."""
        return self.move in self.puzzle.best or self.has_length or not self.is_known

    @property
    def has_length(self) -> bool:
        """A mate of the known length, or a shorter one."""
        return self.plies is not None and self.puzzle.plies is not None and self.plies <= self.puzzle.plies

    @property
    def verdict(self) -> str:
        if not self.is_known:
            return "searched"
        if self.puzzle.plies is None:
            return "right" if self.is_right else "wrong"
        if self.plies is None:
            return "no mate, right move" if self.is_right else "no mate"
        if self.plies == self.puzzle.plies:
            return "right"
        return "shorter mate" if self.plies < self.puzzle.plies else "longer mate"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="of puzzles; - is stdin")
    parser.add_argument(
        "--filter",
        action="append",
        default=[],
        metavar="WORD",
        help="only puzzles of that class or id, or that have something under that name; may be repeated",
    )
    add_number(parser, "--limit", 1, 10**9, help="only the first N of them")
    arguments.add_limits(parser, default="10 seconds")
    arguments.add_resources(parser)
    arguments.add_tables(parser)
    add_notation(parser)
    parser.add_argument("--json", action="store_true", help="JSON lines; the last one has the sums")


def run(args: argparse.Namespace) -> int:
    limit, writer, tables = arguments.read_limit(args, DEFAULT), MoveWriter(args), arguments.read_tables(args)
    bad: list[str] = []
    puzzles = [puzzle for puzzle in read_puzzles(args.file, bad=bad) if puzzle.marks.issuperset(args.filter)]
    puzzles = puzzles[: args.limit]
    if not puzzles:
        raise CommandError(f"{args.file}: no puzzle has {' and '.join(args.filter)}")
    results: list[SolveResult] = []
    interrupted = False
    engine_of_puzzles = Engine(hash_mib=args.hash, threads=args.threads, context=arguments.read_context(args))
    with engine_of_puzzles as engine, LiveLines(sys.stderr) as live:
        try:
            for number, puzzle in enumerate(puzzles, 1):
                engine.tables = arguments.load_tables(tables, puzzle.board)
                known = describe(tables, puzzle.board) if tables is not None else ""
                found = solve(engine, puzzle, limit, live, f"{number}/{len(puzzles)} {puzzle.name}", known)
                results.append(found)
                live.clear()
                print(json.dumps(found_data(found)) if args.json else found_line(found, writer), flush=True)
        except KeyboardInterrupt:
            interrupted = True
            live.clear()
    sums = summary(results)
    print(json.dumps({"summary": sums}) if args.json else summary_text(sums))
    return 130 if interrupted else 1 if bad else 0


def solve(
    engine: Engine, puzzle: Puzzle, limit: Limit, live: LiveLines, title: str, known: str
) -> SolveResult:
    """Search one puzzle, with the search's progress on the terminal; known: what an endgame table says."""
    if puzzle.plies is not None:
        limit = limit.replace(mate=(puzzle.plies + 1) // 2)
    engine.clear()
    right_after: float | None = None
    start = monotonic()
    with engine.analysis(puzzle.board, limit) as analysis:
        while True:
            try:
                info = analysis.get(timeout=PAUSE)
            except Empty:
                info = analysis.info
            else:
                if info is None:
                    break
                if info["pv"][0] not in puzzle.best:
                    right_after = None
                elif right_after is None:
                    right_after = info["time"]
            now = analysis.progress()
            live.show([
                f"{title}: depth {info.get('depth', 0)}, {now['nodes']:,} nodes, "
                f"{now['nps']:,} nodes/s, {now['time']:.0f} s"
            ])  # fmt: skip
        result = analysis.wait()
    seconds = monotonic() - start
    if result.move not in puzzle.best:
        right_after = None
    elif right_after is None:
        right_after = seconds
    return SolveResult(puzzle, result.move, result.info, seconds, right_after, known)


def found_line(found: SolveResult, writer: MoveWriter) -> str:
    puzzle, info = found.puzzle, found.info
    move = writer.both(puzzle.board, found.move) if found.move else "no move"
    score = score_text(info["score"].relative) if "score" in info else "?"
    if found.plies is not None:
        score += f" ({found.plies} plies)"
    text = (
        f"{pad(puzzle.name, 12)}{found.verdict:<20}{pad(move, 14)}{score:<20}depth {info['depth']:<4}"
        f"nodes {info.get('nodes', 0):<11}{found.seconds:7.2f} s"
    )
    if found.right_after is not None:
        text += f", move after {found.right_after:.2f} s"
    if found.verdict not in ("right", "shorter mate", "searched"):
        known = [writer.both(puzzle.board, move) for move in puzzle.best]
        if puzzle.plies is not None:
            known.append(f"{puzzle.plies} plies")
        text += f"; known: {', '.join(known)}"
    if found.known:
        text += f"; table: {found.known}"
    return text


def found_data(found: SolveResult) -> dict[str, object]:
    info = found.info
    return {
        "id": found.puzzle.name,
        "verdict": found.verdict,
        "move": found.move.iccs() if found.move else None,
        "best": [move.iccs() for move in found.puzzle.best],
        "move_right": found.is_right,
        "score": score_data(info["score"].relative) if "score" in info else None,
        "plies": found.plies,
        "known_plies": found.puzzle.plies,
        "depth": info["depth"],
        "nodes": info.get("nodes", 0),
        "seconds": round(found.seconds, 3),
        "right_after": found.right_after,
        "table": found.known or None,
        "pv": [move.iccs() for move in info["pv"]],
    }


def summary(results: list[SolveResult]) -> dict[str, float]:
    mates = [found for found in results if found.puzzle.plies is not None]
    return {
        "puzzles": len(results),
        "moves_right": sum(found.is_right for found in results),
        "mates": len(mates),
        "mates_found": sum(found.plies is not None for found in mates),
        "lengths_right": sum(found.has_length for found in mates),
        "nodes": sum(found.info.get("nodes", 0) for found in results),
        "seconds": round(sum(found.seconds for found in results), 2),
    }


def summary_text(sums: dict[str, float]) -> str:
    return (
        f"puzzles {sums['puzzles']}, moves right {sums['moves_right']}; "
        f"mates {sums['mates']}, found {sums['mates_found']}, length right {sums['lengths_right']}\n"
        f"nodes {sums['nodes']}, seconds {sums['seconds']:.2f}"
    )


def read_puzzles(path: str, *, bad: list[str] | None = None) -> list[Puzzle]:
    """All puzzles of a file; CommandError names the line that is wrong. path, bad: as for `read_suite`."""
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
    with input_errors(RecordError), of_source(path):
        for number, entry in enumerate(scan_games(data, format=format), 1):
            if entry.deleted:
                continue
            game = entry.game()
            arguments.show_warnings(game, path)
            best = tuple(child.move for child in game.children if child.move)
            if not best:
                leave_out(f"{path}: game {number} has no move to find", bad)
                continue
            name = game.headers.get("Title") or f"game {number}"
            puzzles.append(Puzzle(name, game.board(), best, None, frozenset({name})))
    if not puzzles:
        raise CommandError(f"{path}: no positions")
    return puzzles


def read_puzzle(line: str, number: int) -> Puzzle:
    if line.lstrip().startswith("{"):
        return read_json(read_object(line), f"line {number}")
    return read_epd(line, f"line {number}")


def read_json(data: dict[str, Any], name: str) -> Puzzle:
    """fen, best and also_good (lists of moves), win_in_plies, id, class; ValueError for a bad one."""
    board = read_fen(data)
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
