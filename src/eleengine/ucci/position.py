"""Reading moves and positions of a GUI: forgiving where GUIs differ, a Complaint for all else."""

from .._core import STARTING_FEN, BaseBoard, FenError, Move
from .replies import Complaint


def read_move(text: str) -> Move | None:
    """The move in text, or None if it is none.

    >>> read_move("H2-E2"), read_move("h2h2"), read_move("0000")
    (Move.from_iccs('h2e2'), None, None)
    """
    try:
        move = Move.from_iccs(text)
    except ValueError:
        return None
    return move if move.from_square != move.to_square else None


def read_place(words: list[str]) -> tuple[BaseBoard, list[str]]:
    """The board that `fen ... [moves ...]` or `startpos [moves ...]` describes, and warnings.

    >>> read_place("fen 3k2p2/9/9/9/9/9/9/9/9/4K3R".split())[1]
    ['warning fen side missing', 'warning fen pawn g9']
    """
    lower = [word.lower() for word in words]
    end = lower.index("moves") if "moves" in lower else len(words)
    fields = words[1:end]
    if lower[:1] == ["startpos"] and not fields:
        fields = STARTING_FEN.split()
    elif lower[:1] != ["fen"] or not fields:
        raise Complaint("error position incomplete")
    board = BaseBoard(None)
    try:
        board.set_fen(" ".join(fields))
    except FenError as error:
        raise Complaint(f"error fen {error.word}", error.echo) from None
    warnings = ["warning fen side missing"] if len(fields) == 1 else []
    warnings += [f"warning fen {word}" for word in board._defect_words()]
    for ply, text in enumerate(words[end + 1 :], 1):
        move = read_move(text)
        if move is None:
            raise Complaint(f"error move {{}} malformed ply {ply}", text)
        try:
            board.push(move)
        except ValueError:
            raise Complaint(f"error move {{}} illegal ply {ply}", text) from None
    return board, warnings
