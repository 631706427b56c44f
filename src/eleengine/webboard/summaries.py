"""Lines for lists of games."""

from __future__ import annotations

from collections.abc import Mapping

from .._core import Move
from ..board import Board
from .page_data import Data


def summary(key: str, headers: Mapping[str, str], plies: int, changed: float | None = None) -> Data:
    """A line for a list of games."""
    return {
        "doc": key,
        "title": headers.get("Title") or headers.get("Event") or "",
        "red": headers.get("Red", ""),
        "black": headers.get("Black", ""),
        "result": headers.get("Result", "*"),
        "plies": plies,
        "changed": changed,
    }


def stored_summary(key: str, data: Data) -> Data:
    """The same of a document in its file, and where it stands; KeyError, TypeError, ValueError if it is none.

    fen: the pieces at the end of the main line. state: "running", "lost" or "" of a game against an engine;
    person: who plays against an engine, "red", "black" or "". reviewed, puzzle: is it? source: what the file
    was that it came from.
    """
    game = data["game"]
    plies = 0  # the main line stands first, each move after its parent
    while plies + 1 < len(game["nodes"]) and game["nodes"][plies + 1]["parent"] == plies:
        plies += 1
    line = summary(key, dict(game["headers"]), plies, data.get("changed"))
    return line | {
        "fen": _last_fen(game, plies),
        "state": _state(data.get("play")),
        "person": _person(data.get("play")),
        "reviewed": "review" in data,
        "puzzle": "puzzle" in data,
        "source": data.get("source"),
    }


def _last_fen(game: Data, plies: int) -> str:
    """The pieces after `plies` plies of the main line."""
    board = Board(game["fen"], validate=False)
    for node in game["nodes"][1 : plies + 1]:
        board.push(Move.from_iccs(node["move"]))
    return board.board_fen()


def _state(play: Data | None) -> str:
    """How a game against an engine stands for the person."""
    if play is None:
        return ""
    result = play.get("result")
    if result is None:
        return "running"
    person = _person(play)
    return "lost" if person and result.get("winner") not in (None, person) else ""


def _person(play: Data | None) -> str:
    """The side of the one person in a game against an engine."""
    red, black = play["players"] if play else (None, None)
    if (red is None) == (black is None):
        return ""
    return "red" if red is None else "black"
