"""Lines for lists of games."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..games import game_digest
from ..pieces import COLOR_NAMES
from ..records import Game
from .document import Document
from .live_game import LiveGame
from .page_data import Data

INDEXED = "index:"  # begins the `source` of a document whose game came from the index of games


def opening_names(game: Game) -> list[str] | None:
    """The names of the opening that a game begins with."""
    found = game.opening()
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


def stored_summary(document: Document, changed: float | None) -> Data:
    """Return the summary of a document.

    fen: the pieces at the end of the main line. state: "running", "lost" or "" of a game against an engine;
    person: who plays against an engine, "red", "black" or "". reviewed, puzzle: is it? source: what the file
    was that it came from. digest: of a game that belongs in the index, else None.
    """
    game, live_game = document.game, document.live_game
    opening = opening_names(game) if document.puzzle is None else None
    line = summary(document.key, game.headers, game.plies(), changed, opening=opening)
    if not (line["title"] or line["red"] or line["black"]):
        line["title"] = document.file
    return line | {
        "fen": game.end().board().board_fen(),
        "state": "" if live_game is None else _state(live_game),
        "person": "" if live_game is None or live_game.person is None else COLOR_NAMES[live_game.person],
        "reviewed": document.review is not None,
        "puzzle": document.puzzle is not None,
        "source": document.source,
        "digest": game_digest(game).hex() if _is_record(document) else None,
    }


def is_digest(digest: object) -> bool:
    """Can this be the digest of a line? The file that keeps the lines may hold anything."""
    return digest is None or (isinstance(digest, str) and re.fullmatch("[0-9a-f]{32}", digest) is not None)


def _is_record(document: Document) -> bool:
    """Is it a game that was played, not a puzzle or an analysis? One that came from the index is there."""
    game, source = document.game, document.source or ""
    if not game.children or document.puzzle is not None or source.startswith(INDEXED):
        return False
    if document.live_game is not None:
        return document.live_game.over
    return bool(source or game.headers.get("Red") or game.headers.get("Black"))


def _state(live_game: LiveGame) -> str:
    """How a game stands for the person against an engine."""
    if live_game.result is None:
        return "running"
    winner = live_game.result.get("winner")
    has_lost = live_game.person is not None and winner not in (None, COLOR_NAMES[live_game.person])
    return "lost" if has_lost else ""
