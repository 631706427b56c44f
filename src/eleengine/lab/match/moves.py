"""The moves of a game of a match in words: what its players said of them, as the journal has it."""

from __future__ import annotations

from ...score import score_text
from .game import MoveRecord, PlayedGame

HEAD = f"{'ply':>4}  {'move':<5} {'score':>7} {'depth':>5} {'nodes':>12} {'ms':>9}  line"


def move_lines(record: PlayedGame) -> list[str]:
    """A line for each move after the opening: its ply from 1, and what its player said; scores for itself."""
    lines = [HEAD]
    for ply in range(record.book, len(record.moves)):
        if note := record.note(ply):
            lines.append(
                f"{ply + 1:>4}  {record.moves[ply].iccs():<5} {_score(note):>7} {note.depth or '?':>5} "
                f"{_nodes(note):>12} {1000 * note.seconds:>9,.1f}  {note.pv}"
            )
    return lines


def ply_lines(record: PlayedGame, ply: int) -> list[str]:
    """A move, by its number from 1, with what both players saw before, at and after it; ValueError."""
    if not 1 <= ply <= len(record.moves):
        raise ValueError(f"there is no ply {ply}: the game has {len(record.moves)}")
    board = record.board(ply - 1)
    side = "Red" if board.turn else "Black"
    names = (record.red, record.black) if board.turn else (record.black, record.red)
    lines = [
        f"position  {board.fen()}",
        f"ply {ply}: {side}, {names[0]}, plays {record.moves[ply - 1].iccs()}",
    ]
    for title, index, name in (("before", ply - 2, names[1]), ("move", ply - 1, names[0]),
                               ("after", ply, names[1])):  # fmt: skip
        note = record.note(index)
        lines.append(f"{title:<9} {name}: {_said(note) if note else 'nothing'}")
    return lines


def _said(note: MoveRecord) -> str:
    return (
        f"{_score(note)}, depth {note.depth or '?'}, {_nodes(note)} nodes, {1000 * note.seconds:,.1f} ms: "
        f"{note.pv or 'no line'}"
    )


def _nodes(note: MoveRecord) -> str:
    return f"{note.nodes:,}" if note.nodes else "?"


def _score(note: MoveRecord) -> str:
    return "?" if note.score is None else score_text(note.score)
