"""Reading moves and positions of a GUI: forgiving where GUIs differ, a Complaint for all else."""

from .._core import STARTING_FEN, BaseBoard, Move, Piece
from ..board import Status
from ..pieces import PAWN, PIECE_NAMES, PIECE_SYMBOLS
from ..squares import FILE_NAMES, SquareSet, square_file, square_name
from .options import integer
from .replies import Complaint

MAX_QUIET = 10_000
MAX_MOVE_NUMBER = 99_999
_PLACES = {  # a piece where it can never stand
    Status.ADVISOR_PLACE: "advisor",
    Status.BISHOP_PLACE: "elephant",
    Status.PAWN_PLACE: "pawn",
}


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


def read_place(words: list[str]) -> tuple[BaseBoard, str]:
    """The board that `fen ... [moves ...]` or `startpos [moves ...]` describes, and a warning or ""."""
    lower = [word.lower() for word in words]
    end = lower.index("moves") if "moves" in lower else len(words)
    fields = words[1:end]
    warning = ""
    if lower[:1] == ["startpos"] and not fields:
        board = BaseBoard(STARTING_FEN)
    elif lower[:1] == ["fen"] and fields:
        board = read_fen(fields)
        if len(fields) == 1:
            warning = "warning fen side missing"
    else:
        raise Complaint("error position incomplete")
    for ply, text in enumerate(words[end + 1 :], 1):
        move = read_move(text)
        if move is None:
            raise Complaint(f"error move {{}} malformed ply {ply}", text)
        try:
            board.push(move)
        except ValueError:
            raise Complaint(f"error move {{}} illegal ply {ply}", text) from None
    return board, warning


def read_fen(fields: list[str]) -> BaseBoard:
    """The board of a FEN of which only the first field is needed; what follows the side may be junk."""
    check_ranks(fields[0])
    side = fields[1].lower() if len(fields) > 1 else "w"
    if side not in ("w", "r", "b"):
        raise Complaint("error fen side {}", fields[1])
    quiet = number = None
    if len(fields) > 5:
        quiet, number = integer(fields[4]), integer(fields[5])
    if quiet is None or number is None or quiet < 0 or number < 0:
        quiet, number = 0, 1
    quiet, number = min(quiet, MAX_QUIET), min(number, MAX_MOVE_NUMBER)
    board = BaseBoard(f"{fields[0]} {side} - - {quiet} {number}", validate=False)
    for flag, text in board.defects():
        raise Complaint(f"error fen {name_defect(board, Status(flag), text)}")
    return board


def check_ranks(text: str) -> None:
    """Complain about text that is no board: the first defect in the order of the protocol's list."""
    rows = text.split("/")
    if len(rows) != 10:
        raise Complaint("error fen ranks")
    for rank, row in zip(range(9, -1, -1), rows, strict=True):
        if sum(int(c) if c in "123456789" else 1 for c in row) != 9 or "0" in row:
            raise Complaint(f"error fen rank {rank} width")
    for letter in "".join(rows):
        if letter not in "123456789":
            try:
                Piece.from_symbol(letter)
            except ValueError:
                raise Complaint("error fen letter {}", letter) from None


def name_defect(board: BaseBoard, flag: Status, text: str) -> str:
    """What the protocol calls a defect that `BaseBoard.defects` tells.

    >>> board = BaseBoard("3k5/9/RR7/R8/9/9/9/9/9/4K4 w", validate=False)
    >>> [name_defect(board, Status(flag), text) for flag, text in board.defects()]
    ['count R']
    """
    if flag in _PLACES:  # "a red advisor can never stand on d1"
        return f"{_PLACES[flag]} {text.split()[-1]}"
    if flag == Status.PAWN_FILE:  # "red has 2 pawns on file a that have not crossed the river"
        red, file = text.startswith("red"), FILE_NAMES.index(text.partition(" file ")[2][0])
        pawns = SquareSet(board.pieces_mask(PAWN, red))
        return f"pawn {square_name(min(s for s in pawns if square_file(s) == file and (s < 45) == red))}"
    if flag == Status.PIECE_COUNT:  # "red has 3 rooks, at most 2 are possible"
        symbol = PIECE_SYMBOLS[PIECE_NAMES.index(text.split()[3].rstrip("s,"))]
        return f"count {symbol.upper() if text.startswith('red') else symbol}"
    if flag == Status.KING_PLACE:
        return "palace"
    return "kings" if flag in (Status.NO_KING, Status.KING_COUNT) else "king capturable"
