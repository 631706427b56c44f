"""Records in and out: bytes from the page to games, and games to bytes."""

from __future__ import annotations

import base64

from ..pgn import Game as OldGame
from ..pgn import parse_games
from ..records import Game, GameNode
from .describe import Data

NOTATIONS = ("chinese", "traditional", "wxf", "iccs")


def formats() -> list[str]:
    return ["pgn"]


def read_games(data: bytes, name: str) -> list[Game]:
    games = []
    for old in parse_games(data.decode("utf-8", "replace")):
        game = Game(old.fen, headers=old.headers, comment=old.comments.get(0, ""))
        node: GameNode = game
        for ply, move in enumerate(old.moves, 1):
            node = node.add(move, old.comments.get(ply, ""))
        games.append(game)
    if not games:
        raise ValueError("there is no game in this text")
    return games


def write_game(game: Game, kind: str, notation: str) -> Data:
    old = OldGame(game.start)
    old.headers.update(game.headers)
    old.moves = list(game.mainline_moves())
    text = old.text(notation)
    data = base64.b64encode(text.encode()).decode()
    return {"name": "game.pgn", "kind": "text/plain", "text": text, "data": data}
