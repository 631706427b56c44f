"""Lines for lists of games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .._core import Move
from ..board import Board
from ..games import game_digest
from ..openings import find_opening
from ..records import Game
from .page_data import Data

INDEXED = "index:"  # begins the `source` of a document whose game came from the index of games


def opening_names(start: Board, moves: Iterable[Move]) -> list[str] | None:
    """The names of the opening that a game begins with."""
    found = find_opening(start, moves)
    return list(found.names) if found else None


def summary(
    key: str,
    headers: Mapping[str, str],
    plies: int,
    changed: float | None = None,
    *,
    opening: list[str] | None = None,
) -> Data:
    """A line for a list of games; opening: its names."""
    return {
        "doc": key,
        "title": headers.get("Title") or headers.get("Event") or "",
        "red": headers.get("Red", ""),
        "black": headers.get("Black", ""),
        "result": headers.get("Result", "*"),
        "plies": plies,
        "changed": changed,
        "opening": opening,
    }


def stored_summary(key: str, data: Data, whole: Game) -> Data:
    """Return the summary of a document from its file and its game.

    KeyError, TypeError or ValueError if it is none.

    fen: the pieces at the end of the main line. state: "running", "lost" or "" of a game against an engine;
    person: who plays against an engine, "red", "black" or "". reviewed, puzzle: is it? source: what the file
    was that it came from. digest: of a game that belongs in the index, else None.
    """
    game = data["game"]
    plies = 0  # the main line stands first, each move after its parent
    while plies + 1 < len(game["nodes"]) and game["nodes"][plies + 1]["parent"] == plies:
        plies += 1
    board = Board(game["fen"], validate=False)
    moves = [Move.from_iccs(node["move"]) for node in game["nodes"][1 : plies + 1]]
    opening = opening_names(board, moves) if "puzzle" not in data else None
    for move in moves:
        board.push(move)
    line = summary(key, dict(game["headers"]), plies, data.get("changed"), opening=opening)
    return line | {
        "fen": board.board_fen(),
        "state": _state(data.get("play")),
        "person": _person(data.get("play")),
        "reviewed": "review" in data,
        "puzzle": "puzzle" in data,
        "source": data.get("source"),
        "digest": game_digest(whole).hex() if _is_record(data, plies) else None,
    }


def _is_record(data: Data, plies: int) -> bool:
    """Is it a game that was played, not a puzzle or an analysis? One that came from the index is there."""
    if not plies or "puzzle" in data or (data.get("source") or "").startswith(INDEXED):
        return False
    if play := data.get("play"):
        return play.get("result") is not None
    headers = dict(data["game"]["headers"])
    return "source" in data or bool(headers.get("Red") or headers.get("Black"))


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
