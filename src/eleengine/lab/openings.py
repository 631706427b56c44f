"""Where the games of a match begin: positions of an EPD file, or first moves of the games of a PGN file."""

from __future__ import annotations

from pathlib import Path

from ..board import Board
from ..pgn import read_games


def read_openings(path: str | Path, *, plies: int | None = None) -> list[str]:
    """The openings of a file, each a FEN or a FEN, "moves" and moves, as `game.read_opening` takes them.

    path: PGN if it ends so, otherwise EPD or FEN: a position a line, operations after it and lines that
        begin with # passed over.
    plies: take only so many moves of the games of a PGN file.
    OSError; ValueError names the file, the line and what is wrong there: also a game that is over.
    """
    try:
        found = _of_pgn(path, plies) if str(path).lower().endswith(".pgn") else _of_epd(path)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None
    if not found:
        raise ValueError(f"{path}: no openings")
    return found


def _of_epd(path: str | Path) -> list[str]:
    found = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        words = line.partition(";")[0].split()
        if words and not words[0].startswith("#"):
            # The counters of a FEN stand where the operations of an EPD begin.
            counters = (
                words[4:6] if len(words) > 5 and words[4].isdigit() and words[5].isdigit() else ["0", "1"]
            )
            try:
                board = Board(" ".join([*words[:2], "-", "-", *counters]))
                _need_open(board)
            except ValueError as error:
                raise ValueError(f"{path}:{number}: {error}") from None
            found.append(board.fen())
    return found


def _of_pgn(path: str | Path, plies: int | None) -> list[str]:
    found: list[str] = []
    games = read_games(path)
    while True:
        try:
            game = next(games, None)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        if game is None:
            return found
        moves = game.moves[:plies]
        board = Board(game.fen)
        for move in moves:
            board.push(move)
        try:
            _need_open(board)
        except ValueError as error:
            raise ValueError(f"{path}: game {len(found) + 1}: {error}") from None
        text = " ".join(move.iccs() for move in moves)
        found.append(f"{board.root().fen()} moves {text}" if moves else board.fen())


def _need_open(board: Board) -> None:
    if outcome := board.outcome():
        raise ValueError(f"the game is over ({outcome.termination.name.lower()}) in {board.fen()}")
