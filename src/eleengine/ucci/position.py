"""Reading moves and positions of a GUI: forgiving where GUIs differ, a ProtocolError for all else."""

from contextlib import suppress

from .._core import STARTING_FEN, BaseBoard, FenError, Move, fen_notes
from ..position_text import split_moves
from .replies import ProtocolError


def parse_move(text: str, first_rank: int = 0) -> Move | None:
    """The move in text, or None if it is none. first_rank: the number of Red's back rank in it.

    >>> parse_move("H2-E2"), parse_move("h2h2"), parse_move("0000"), parse_move("h10g8", first_rank=1)
    (Move.from_iccs('h2e2'), None, None, Move.from_iccs('h9g7'))
    """
    try:
        return Move.from_uci(text, first_rank=first_rank) or None
    except ValueError:
        return None


def parse_position(words: list[str], first_rank: int = 0) -> tuple[BaseBoard, list[str], int]:
    """The board that `fen ... [moves ...]` or `startpos [moves ...]` describes, warnings, and the first rank.

    first_rank: what the moves are read by first, 0 or 1. If one of them is illegal so and none the other way,
    the other way counts: it is returned. If the FEN is that of the position after the moves, they are played
    from the start position: pikafish-terminal sends both.

    >>> parse_position("fen 3k2p2/9/9/9/9/9/9/9/9/4K3R".split())[1]
    ['warning fen side missing', 'warning fen pawn g9']
    """
    described, texts = split_moves(words)
    kind, *fields = described or [""]
    if kind.lower() == "startpos" and not fields:
        fields = [STARTING_FEN]
    elif kind.lower() != "fen" or not fields:
        raise ProtocolError("error position incomplete")
    fen = " ".join(fields)
    board = BaseBoard(None)
    try:
        board.set_fen(fen)
    except FenError as error:
        raise ProtocolError(f"error fen {error.word}", error.echo) from None
    guesses = (word for _, word in fen_notes(fen) if word)
    warnings = [f"warning fen {word}" for word in (*guesses, *board._defect_words())]
    try:
        return _played(board, texts, first_rank), warnings, first_rank
    except ProtocolError:
        with suppress(ProtocolError):
            return _played(board, texts, 1 - first_rank), warnings, 1 - first_rank
        for rank in (first_rank, 1 - first_rank):
            with suppress(ProtocolError):
                game = _played(BaseBoard(), texts, rank)
                if (game.board_fen(), game.turn) == (board.board_fen(), board.turn):
                    return game, [*warnings, "warning fen already after the moves"], rank
        raise


def _played(start: BaseBoard, texts: list[str], first_rank: int) -> BaseBoard:
    """The board after the moves; ProtocolError."""
    board = start.copy()
    for ply, text in enumerate(texts, 1):
        move = parse_move(text, first_rank)
        if move is None:
            raise ProtocolError(f"error move {{}} malformed ply {ply}", text)
        try:
            board.push(move)
        except ValueError:
            raise ProtocolError(f"error move {{}} illegal ply {ply}", text) from None
    return board
