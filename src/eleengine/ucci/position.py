"""Reading moves and positions of a GUI: forgiving where GUIs differ, a ProtocolError for all else."""

from contextlib import suppress

from .._core import STARTING_FEN, BaseBoard, FenError, Move
from .replies import ProtocolError

_RANKS = frozenset(map(str, range(1, 11)))


def parse_move(text: str, first_rank: int = 0) -> Move | None:
    """The move in text, or None if it is none. first_rank: the number of Red's back rank in it.

    >>> parse_move("H2-E2"), parse_move("h2h2"), parse_move("0000"), parse_move("h10g8", first_rank=1)
    (Move.from_iccs('h2e2'), None, None, Move.from_iccs('h9g7'))
    """
    if first_rank:
        text = _from_rank_0(text.lower().replace("-", "", 1))
    try:
        move = Move.from_iccs(text)
    except ValueError:
        return None
    return move if move.from_square != move.to_square else None


def _from_rank_0(text: str) -> str:
    """Squares with ranks 1 to 10 as squares with ranks 0 to 9; "" for anything else."""
    for cut in (2, 3):
        ranks = text[1:cut], text[cut + 1 :]
        if all(rank in _RANKS for rank in ranks) and len(text) > cut:
            return f"{text[0]}{int(ranks[0]) - 1}{text[cut]}{int(ranks[1]) - 1}"
    return ""


def write_move(move: Move, first_rank: int) -> str:
    """The move with ranks from 0 or 1 on."""
    text = str(move)
    if not first_rank or not move:
        return text
    return f"{text[0]}{int(text[1]) + 1}{text[2]}{int(text[3]) + 1}"


def parse_position(words: list[str], first_rank: int = 0) -> tuple[BaseBoard, list[str], int]:
    """The board that `fen ... [moves ...]` or `startpos [moves ...]` describes, warnings, and the first rank.

    first_rank: what the moves are read by first, 0 or 1. If one of them is illegal so and none the other way,
    the other way counts: it is returned.

    >>> parse_position("fen 3k2p2/9/9/9/9/9/9/9/9/4K3R".split())[1]
    ['warning fen side missing', 'warning fen pawn g9']
    """
    lower = [word.lower() for word in words]
    end = lower.index("moves") if "moves" in lower else len(words)
    fields = words[1:end]
    if lower[:1] == ["startpos"] and not fields:
        fields = STARTING_FEN.split()
    elif lower[:1] != ["fen"] or not fields:
        raise ProtocolError("error position incomplete")
    board = BaseBoard(None)
    try:
        board.set_fen(" ".join(fields))
    except FenError as error:
        raise ProtocolError(f"error fen {error.word}", error.echo) from None
    warnings = ["warning fen side missing"] if len(fields) == 1 else []
    warnings += [f"warning fen {word}" for word in board._defect_words()]
    texts = words[end + 1 :]
    try:
        return _played(board, texts, first_rank), warnings, first_rank
    except ProtocolError:
        with suppress(ProtocolError):
            return _played(board, texts, 1 - first_rank), warnings, 1 - first_rank
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
