"""Why a move is not legal, for people who learn the game.

>>> board = BaseBoard()
>>> [why_illegal(board, Move.from_iccs(text)) for text in ("b0d1", "c0e2", "h2h9", "h2i8", "a3b3")]
['leg', None, None, 'shape', 'sideways']
"""

from __future__ import annotations

from ._core import BaseBoard, Move, as_board, as_move
from .pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK
from .squares import SQUARES, square_file, square_rank

__all__ = ["REASONS", "why_illegal"]

#: What `why_illegal` returns.
REASONS = (
    "no_piece", "own_piece", "shape", "palace", "river", "eye", "leg", "way", "screen", "backward",
    "sideways", "facing", "in_check", "into_check",
)  # fmt: skip


def why_illegal(board: BaseBoard, move: Move) -> str | None:
    """Return why the side to move may not play a move; None if it may.

    ============== ===============================================================
    ``no_piece``   no piece of the side to move stands on the first square
    ``own_piece``  a piece of its own stands on the second
    ``shape``      the piece never moves like that
    ``palace``     a king or advisor would leave the palace
    ``river``      a bishop would cross the river
    ``eye``        the point that a bishop moves across is taken
    ``leg``        the point that a knight moves past is taken
    ``way``        a rook, or a cannon that captures nothing, would jump
    ``screen``     a cannon captures over exactly one piece
    ``backward``   pawns never move back
    ``sideways``   a pawn moves sideways only beyond the river
    ``facing``     the kings would face each other
    ``in_check``   the side to move is in check, and would be in check still
    ``into_check`` it would be in check
    ============== ===============================================================
    """
    as_board(board)
    if not as_move(move):
        return "in_check" if board.is_check() else None
    if not board.is_pseudo_legal(move):
        return _why_not_moved(board, move)
    if board.is_legal(move):
        return None
    if _would_face(board, move):
        return "facing"
    return "in_check" if board.is_check() else "into_check"


def _why_not_moved(board: BaseBoard, move: Move) -> str:
    """Why no piece moves like that, whatever becomes of its king."""
    piece, taken = board.piece_at(move.from_square), board.piece_at(move.to_square)
    if piece is None or piece.color != board.turn:
        return "no_piece"
    if taken is not None and taken.color == piece.color:
        return "own_piece"
    file, rank = square_file(move.from_square), square_rank(move.from_square)
    to_file, to_rank = square_file(move.to_square), square_rank(move.to_square)
    files, ranks = to_file - file, to_rank - rank
    shape = tuple(sorted((abs(files), abs(ranks))))
    kind = piece.piece_type
    if kind == PAWN:
        if shape != (0, 1):
            return "shape"
        return "sideways" if files else "backward"
    if kind in (ROOK, CANNON):
        if files and ranks:
            return "shape"
        return "screen" if kind == CANNON and taken is not None else "way"
    if shape != {KING: (0, 1), ADVISOR: (1, 1), BISHOP: (2, 2), KNIGHT: (1, 2)}[kind]:
        return "shape"
    if kind == KNIGHT:
        return "leg"
    if kind == BISHOP:
        return "river" if (rank < 5) != (to_rank < 5) else "eye"
    return "palace"


def _would_face(board: BaseBoard, move: Move) -> bool:
    """Would the kings face each other?"""
    after = {move.from_square: None, move.to_square: board.piece_at(move.from_square)}
    pieces = {at: after[at] if at in after else board.piece_at(at) for at in SQUARES}
    kings = [at for at, piece in pieces.items() if piece is not None and piece.piece_type == KING]
    low, high = min(kings), max(kings)
    return square_file(low) == square_file(high) and not any(pieces[at] for at in range(low + 9, high, 9))
