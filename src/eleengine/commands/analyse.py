"""Analyse a position: a live table on a terminal, otherwise a line for each finished iteration.

Scores are centipawns for the side to move. Ctrl-C ends the search and leaves the last table.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress
from queue import Empty

from .._internal.live import LiveLines, has_colors, pad, width
from .._internal.terminal import write_controls
from ..board import Board
from ..engines import Analysis, Engine, InfoDict, Limit, PlayResult
from ..engines.types import Progress
from ..pieces import COLOR_NAMES
from ..score import score_data, score_text
from ..tables import MissingTableError, Tables
from ..tables.words import describe
from . import add_number
from .shared import arguments
from .shared.writing import MoveWriter, add_notation, can_show

DEFAULT = Limit(time=10)
PAUSE = 0.1  # seconds between two looks at the search


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_position(parser)
    arguments.add_limits(parser, default="10 seconds")
    add_number(parser, "--multipv", 1, 128, default=1, help="show the N best moves")
    arguments.add_resources(parser)
    arguments.add_tables(parser)
    add_notation(parser)
    parser.add_argument("--json", action="store_true", help="JSON lines, on a terminal, too")


def run(args: argparse.Namespace) -> int:
    board, limit, writer = arguments.read_board(args), arguments.read_limit(args, DEFAULT), MoveWriter(args)
    tables = arguments.read_tables(args)
    loaded = arguments.load_tables(tables, board)
    with Engine(
        hash_mib=args.hash, threads=args.threads, context=arguments.read_context(args), tables=loaded
    ) as engine:
        if tables is not None and not args.json:
            for line in table_lines(tables, board, writer):
                print(line)
        analysis = engine.analysis(board, limit, multipv=args.multipv)
        if sys.stdout.isatty() and not args.json:
            write_controls(sys.stdout, f"{heading(board)}\n")
            interrupted = show(board, analysis, writer)
        else:
            interrupted = tell(board, analysis, writer, args.json)
        result = analysis.wait()
    if args.json:
        print(json.dumps(result_data(result)))
    else:
        print(conclusion_line(board, result, writer))
    return 130 if interrupted else 0


def table_lines(tables: Tables, board: Board, writer: MoveWriter) -> list[str]:
    """What the endgame tables know: the result, and the moves that keep it; nothing without a table."""
    known = describe(tables, board)
    if not known:
        return []
    lines = [f"table {known}"]
    try:
        moves = tables.probe_moves(board)
    except MissingTableError:
        return lines
    result = tables.probe_wdl(board)
    kept = [(move, plies) for move, found, plies in moves if found == result]
    if result >= 0 and len(kept) < len(moves):
        shown = (f"{writer.both(board, move)}{f' ({plies})' if result else ''}" for move, plies in kept)
        lines.append(f"table moves that keep it: {', '.join(shown)}")
    return lines


def heading(board: Board) -> str:
    """The board and whose move it is."""
    letters = "chinese" if can_show("chinese") else "latin"
    last = board.peek() if board.ply else None
    drawing = board.text(letters=letters, last_move=last, perspective=board.turn, colors=has_colors())
    check = ", in check" if board.is_check() else ""
    return f"{drawing}\n{COLOR_NAMES[board.turn].capitalize()} to move{check}"


def tell(board: Board, analysis: Analysis, writer: MoveWriter, as_json: bool) -> bool:
    """A line for each info until the end of the search; was it interrupted?"""

    def line(info: InfoDict) -> None:
        print(json.dumps(info_data(info)) if as_json else plain(board, info, writer), flush=True)

    interrupted = False
    last = None
    try:
        for info in analysis:
            line(info)
            if info["multipv"] == 1:
                last = info["pv"][0]
    except KeyboardInterrupt:
        interrupted = True
    analysis.stop()
    result = analysis.wait()
    if result.move not in (None, last):  # the last iteration was cut off, but had found a better move
        line(result.info)
    return interrupted


def show(board: Board, analysis: Analysis, writer: MoveWriter) -> bool:
    """The live table until the end of the search; was it interrupted?"""
    interrupted = False
    with LiveLines(sys.stdout) as live:
        try:
            while not analysis.is_done():
                with suppress(Empty):
                    analysis.get(timeout=PAUSE)
                live.show(table(board, analysis.multipv, analysis.progress(), writer, live.columns()))
        except KeyboardInterrupt:
            interrupted = True
            analysis.stop()
        analysis.wait()
        live.show(table(board, analysis.multipv, analysis.info, writer, live.columns()))
    return interrupted


def table(
    board: Board, infos: list[InfoDict], now: InfoDict | Progress, writer: MoveWriter, columns: int
) -> list[str]:
    """The lines of the live table, at most so wide: a row for each rank, and how the search goes."""
    lines = [f"{'':>2}  {'score':>8}  {'depth':>6}  {'move':<14}line"]
    for rank, info in enumerate(infos, 1):
        if "score" in info and info["pv"]:
            depth = f"{info['depth']}/{info['seldepth']}"
            words = writer.line(board, info["pv"])
            head = (
                f"{rank:>2}  {score_text(info['score'].relative):>8}  {depth:>6}  "
                f"{pad(writer.both(board, info['pv'][0]), 14)}"
            )
            lines.append(head + fitting(words[1:], columns - width(head)))
    state = f"nodes {now.get('nodes', 0):,}  nodes/s {now.get('nps', 0):,}  time {now.get('time', 0):.1f} s"
    if "currmove" in now:
        state += f"  now {now['currmove']} ({now['currmovenumber']} of {board.legal_moves.count()})"
    return [*lines, state]


def fitting(words: list[str], columns: int) -> str:
    """As many of the words as fit."""
    text = ""
    for word in words:
        longer = f"{text} {word}" if text else word
        if width(longer) > columns:
            break
        text = longer
    return text


def plain(board: Board, info: InfoDict, writer: MoveWriter) -> str:
    """One info as a line of words."""
    pv = info["pv"]
    rank = f" rank {info['multipv']}"
    score = f" score {score_text(info['score'].relative)}" if "score" in info else ""
    return (
        f"depth {info['depth']}/{info['seldepth']}{rank}{score} nodes {info['nodes']} nodes/s {info['nps']} "
        f"time {info['time']:.2f} move {writer.both(board, pv[0])} line {' '.join(writer.line(board, pv))}"
    )


def conclusion_line(board: Board, result: PlayResult, writer: MoveWriter) -> str:
    if result.move is None:
        return "no legal move: the side to move has lost"
    return f"best move {writer.both(board, result.move)}"


def info_data(info: InfoDict) -> dict[str, object]:
    data: dict[str, object] = {**info, "pv": [move.iccs() for move in info["pv"]]}
    if "score" in info:
        data["score"] = score_data(info["score"].relative)
    return data


def result_data(result: PlayResult) -> dict[str, object]:
    return {
        "best": result.move.iccs() if result.move else None,
        "ponder": result.ponder.iccs() if result.ponder else None,
    }
