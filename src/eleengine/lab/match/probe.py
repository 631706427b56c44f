"""Searches to a fixed depth that show whether a program is still the same engine.

A file's checksum does not show what a launcher starts, which network a program loads, or what another machine
has under the same name. What the program answers does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..._internal import benchmark
from ...board import Board
from ...engines import EngineError, ExternalEngine, IllegalReplyError, Limit
from ...jobs.identity import VARIES, Identity, digest

#: Positions of an opening, a middlegame and an ending.
POSITIONS = [benchmark.POSITIONS[index] for index in (21, 1, 3, 6)]
DEPTH = 8  # at a fixed depth the nodes show each change of a search
RUNS = 3  # what differs between them is not compared
SECONDS = 30.0  # that a search may take: an engine that ignores the depth cannot be probed


class Answer(NamedTuple):
    """What an engine answered to one search."""

    move: str
    score: str
    nodes: str


def probe(start: Callable[[], ExternalEngine], *, depth: int = DEPTH) -> Identity:
    """Return checksums of the moves, scores and nodes of some searches to a fixed depth.

    start: makes the running engine, with one thread; the searches run in it RUNS times. What is not the same
    each time is called "varies", and how, like all of an engine that fails, which is no error here: a busy
    machine may be the reason, and games will show it.
    """
    runs: list[list[Answer]] = []
    try:
        with start() as engine:
            for _ in range(RUNS):
                runs.append([_answer(engine, fen, depth) for fen in POSITIONS])
    except EngineError as error:
        return dict.fromkeys(Answer._fields, f"{VARIES}: {error}")
    return {name: _checksum([[getattr(answer, name) for answer in run] for run in runs])
            for name in Answer._fields}  # fmt: skip


def _answer(engine: ExternalEngine, fen: str, depth: int) -> Answer:
    engine.new_game()
    try:
        result = engine.play(Board(fen), Limit(depth=depth), timeout=SECONDS)
    except IllegalReplyError:
        return Answer("illegal", "", "")
    info = result.info
    move = result.move.iccs() if result.move else "none"
    return Answer(move, str(info.get("score", "")), str(info.get("nodes", "")))


def _checksum(runs: list[list[str]]) -> str:
    """Of what was answered, if it was the same in all runs."""
    for answers in zip(*runs, strict=True):
        if len(found := list(dict.fromkeys(answers))) > 1:
            return f"{VARIES}: {' and '.join(found)} for one search"
    return digest(map(str.encode, runs[0]))
