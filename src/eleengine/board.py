"""The board: a position, the moves that led to it, and what the rules say about it."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping

from . import notation, rules
from ._core import STARTING_FEN, BaseBoard, IllegalMoveError, Move, Piece, as_move
from ._internal.message import Message
from .chess_names import ChessNames
from .pieces import CANNON, KNIGHT, PAWN, RED, ROOK, Color, PieceType
from .rules import COUNTED_CHECKS, NO_CAPTURE_LIMIT, ByValue, Verdict
from .square_set import SquareSet
from .squares import SQUARES, Square
from .text import draw

TYPE_CHECKING = False  # true for type checkers; importing typing would double the time of the import
if TYPE_CHECKING:
    from typing import Any, Self, TypedDict, Unpack

    from .epd import Operand
    from .evaluation import Evaluation

    class GameRules(TypedDict, total=False):
        """The arguments of `Board.outcome`."""

        rule_set: str
        occurrences: int
        no_capture_limit: int | None
        counted_checks: int | None
        claim_draw: bool


__all__ = ["Board", "Outcome", "Status", "Termination"]


class Status(enum.IntFlag):
    """What is wrong with a position; VALID (0) if nothing is. `Board.defects` says it in words.

    No game is possible with `NO_KING`, `KING_COUNT`, `KING_PLACE`, `KINGS_FACING`, `OPPOSITE_CHECK` and
    `SIDE_COUNT` (more than 16 pieces), see `Board.is_playable`; all else is odd, but played.
    """

    VALID = 0
    NO_KING = 1
    KING_COUNT = 2
    KING_PLACE = 4
    ADVISOR_PLACE = 8
    BISHOP_PLACE = 16
    PAWN_PLACE = 32
    PAWN_FILE = 64
    PIECE_COUNT = 128
    KINGS_FACING = 256
    OPPOSITE_CHECK = 512
    SIDE_COUNT = 1024


class Termination(enum.Enum):
    """Why a game is over."""

    CHECKMATE = enum.auto()
    STALEMATE = enum.auto()
    PERPETUAL_CHECK = enum.auto()
    PERPETUAL_CHASE = enum.auto()
    REPETITION = enum.auto()
    NO_CAPTURE_LIMIT = enum.auto()
    INSUFFICIENT_MATERIAL = enum.auto()


ALL_SQUARES = (1 << len(SQUARES)) - 1

_TERMINATION_OF_REASON = {
    "checkmate": Termination.CHECKMATE,
    "stalemate": Termination.STALEMATE,
    "perpetual_check": Termination.PERPETUAL_CHECK,
    "perpetual_chase": Termination.PERPETUAL_CHASE,
    "repetition": Termination.REPETITION,
    "move_limit": Termination.NO_CAPTURE_LIMIT,
    "material": Termination.INSUFFICIENT_MATERIAL,
}


class Outcome(ByValue):
    """The end of a game: why it is over (a Termination), and the winner's color, or None for a draw."""

    __slots__ = ("termination", "winner")

    def __init__(self, termination: Termination, winner: Color | None) -> None:
        self.termination: Termination = termination
        self.winner: Color | None = winner

    def __repr__(self) -> str:
        return f"Outcome({self.termination}, winner={self.winner})"

    def result(self) -> str:
        """1-0 (Red has won), 0-1 or 1/2-1/2."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner == RED else "0-1"


class Board(ChessNames):
    """A position with the moves that led to it.

    fen: the position, or None for an empty board; the start position if it is left out.
    validate: refuse a position without a game: `FenError`, a ValueError, names the reason. With False any
        well-formed text will do.

    Composed positions are played like others: pieces may stand where no game brings them, and there may be
    more of a kind than a game begins with. `status` names it, see `is_valid` and `is_playable`.

    Moves are played by `push` and taken back by `pop`.

    >>> board = Board()
    >>> board.legal_moves.count()
    44
    >>> board.push_wxf("C2.5")
    Move.from_iccs('h2e2')
    >>> board.push_chinese("马8进7")
    Move.from_iccs('h9g7')
    >>> board
    Board('rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2')
    >>> print(board)
    r n b a k a b . r
    . . . . . . . . .
    . c . . . . n c .
    p . p . p . p . p
    . . . . . . . . .
    . . . . . . . . .
    P . P . P . P . P
    . C . . C . . . .
    . . . . . . . . .
    R N B A K A B N R
    """

    @classmethod
    def empty(cls) -> Self:
        """A board without pieces, Red to move."""
        return cls(None)

    @classmethod
    def from_epd(cls, text: str) -> tuple[Self, dict[str, Operand]]:
        """The board and the operations of a line of EPD (see `eleengine.epd`); ValueError names a defect."""
        board = cls(None)
        return board, board.set_epd(text)

    def set_epd(self, text: str) -> dict[str, Operand]:
        """Set the position of a line of EPD, forget all moves, return the operations; ValueError as above."""
        from . import epd

        fen, operations = epd.split(text)
        board = BaseBoard(fen)
        found = epd.read_operations(board, operations)
        self.set_fen(fen)
        return found

    def epd(self, **operations: Operand) -> str:
        """Pieces and side to move, then the operations: a line that `from_epd` reads, or ValueError.

        >>> Board().epd(bm=Move.from_iccs("h2e2"), c0="most popular")
        'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - bm h2e2; c0 "most popular";'
        """
        from . import epd

        head = " ".join(self.fen().split(" ")[:4])
        text = epd.write_operations(operations)
        epd.read_operations(self, text)  # refuses moves that are none here
        return f"{head} {text}".rstrip()

    def reset(self) -> None:
        """Go back to the start position and forget all moves."""
        self.set_fen(STARTING_FEN)

    # Pieces

    def pieces(self, piece_type: PieceType, color: Color) -> SquareSet:
        """The squares of the pieces of a type and color."""
        return SquareSet(self.pieces_mask(piece_type, color))

    def occupied(self, color: Color | None = None) -> SquareSet:
        """The squares of all pieces, or of those of one color."""
        return SquareSet(self.occupied_mask(color))

    def piece_map(self) -> dict[Square, Piece]:
        """The pieces by square, in ascending order."""
        return {square: piece for square in SQUARES if (piece := self.piece_at(square)) is not None}

    def set_piece_map(self, pieces: Mapping[Square, Piece]) -> None:
        """Replace all pieces; the moves played are forgotten, side to move and counters stay."""
        for board in (BaseBoard(None), self):  # what is wrong with them leaves this one as it is
            for square in SQUARES:
                board.set_piece_at(square, None)
            for square, piece in pieces.items():
                board.set_piece_at(square, piece)

    def set_board_fen(self, fen: str) -> None:
        """Replace all pieces by those of the first field of a FEN; ValueError unless it is one.

        The moves played are forgotten, side to move and counters stay.
        """
        other = Board(None)
        other.set_fen(f"{fen} w", validate=False, forgiving=False)
        self.set_piece_map(other.piece_map())

    def attacks(self, square: Square) -> SquareSet:
        """Where the piece on the square could capture, friends included; empty without a piece.

        Empty squares are included where an enemy could be captured, but not those behind a cannon's screen.
        """
        return SquareSet(self.attacks_mask(square))

    def attackers(self, color: Color, square: Square) -> SquareSet:
        """The pieces of a color that could capture an enemy on the square; facing kings do not count."""
        return SquareSet(self.attackers_mask(color, square))

    def is_attacked_by(self, color: Color, square: Square) -> bool:
        """Could a piece of the color capture on the square?"""
        return bool(self.attackers_mask(color, square))

    def checkers(self) -> SquareSet:
        """The pieces that give check to the side to move; the king that faces it is one."""
        return SquareSet(self.checkers_mask())

    def blockers(self) -> SquareSet:
        """The pieces of either color whose departure may uncover a check to the side to move."""
        return SquareSet(self.blockers_mask())

    # Moves

    def generate_legal_moves(
        self, from_mask: int | SquareSet = ALL_SQUARES, to_mask: int | SquareSet = ALL_SQUARES
    ) -> Iterator[Move]:
        """The legal moves from and to the squares of two sets."""
        return _between(self.legal_moves, int(from_mask), int(to_mask))

    def generate_legal_captures(
        self, from_mask: int | SquareSet = ALL_SQUARES, to_mask: int | SquareSet = ALL_SQUARES
    ) -> Iterator[Move]:
        """The legal captures from and to the squares of two sets."""
        return self.generate_legal_moves(from_mask, int(to_mask) & self.occupied_mask(not self.turn))

    def generate_pseudo_legal_moves(
        self, from_mask: int | SquareSet = ALL_SQUARES, to_mask: int | SquareSet = ALL_SQUARES
    ) -> Iterator[Move]:
        """The pseudo-legal moves from and to the squares of two sets."""
        return _between(self.pseudo_legal_moves, int(from_mask), int(to_mask))

    def generate_pseudo_legal_captures(
        self, from_mask: int | SquareSet = ALL_SQUARES, to_mask: int | SquareSet = ALL_SQUARES
    ) -> Iterator[Move]:
        """The pseudo-legal captures from and to the squares of two sets."""
        return self.generate_pseudo_legal_moves(from_mask, int(to_mask) & self.occupied_mask(not self.turn))

    def find_move(self, from_square: Square, to_square: Square) -> Move:
        """The legal move from one square to another; IllegalMoveError if there is none."""
        move = Move(from_square, to_square)
        if not self.is_legal(move):
            raise IllegalMoveError(Message("illegal move {} in {}", move, self.fen()))
        return move

    def is_zeroing(self, move: Move) -> bool:
        """Does the move set the count of plies without a capture back to zero? Only captures do."""
        return self.is_capture(move)

    def is_irreversible(self, move: Move) -> bool:
        """Is no earlier position possible after the move? Captures and forward moves of pawns are such."""
        forward = 9 if self.turn == RED else -9
        is_pawn = self.piece_type_at(as_move(move).from_square) == PAWN
        return self.is_capture(move) or (is_pawn and move.to_square - move.from_square == forward)

    def was_into_check(self) -> bool:
        """Can the side to move capture the king? Never in a position that can be played."""
        return bool(self.status() & (Status.OPPOSITE_CHECK | Status.KINGS_FACING))

    def is_into_check(self, move: Move) -> bool:
        """Would the pseudo-legal move leave the mover's king in check, or facing the other king?"""
        return self.is_pseudo_legal(move) and not self.is_legal(move)

    def has_insufficient_material(self, color: Color) -> bool:
        """Has the side nothing that crosses the river: only its king, advisors and bishops?"""
        return not any(self.pieces_mask(kind, color) for kind in (ROOK, CANNON, KNIGHT, PAWN))

    # Validity

    def status(self) -> Status:
        """All rules that the position breaks, as flags; `defects` has them in words.

        >>> Board("4k4/9/9/9/9/9/9/9/9/4K4 w", validate=False).status()
        <Status.KINGS_FACING: 256>
        """
        status = Status.VALID
        for flag, _ in self.defects():
            status |= Status(flag)
        return status

    def is_valid(self) -> bool:
        """Can the position arise in a game, as far as the places of the pieces show?"""
        return not self.defects()

    # The end of the game

    def repetition(
        self,
        rule_set: str = "axf",
        *,
        occurrences: int = 3,
        no_capture_limit: int | None = NO_CAPTURE_LIMIT,
        counted_checks: int | None = COUNTED_CHECKS,
    ) -> Verdict:
        """The verdict of the rules on the moves played: `rules.judge`, which explains the arguments.

        >>> board = Board("4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w")
        >>> for text in 2 * ["h6i6", "i0h0", "i6h6", "h0i0"]:
        ...     _ = board.push_iccs(text)
        >>> board.repetition()
        <Verdict red_loses: perpetual_chase>
        >>> print(board.repetition("alwaysdraw"))
        draw
        """
        return rules.judge(
            self,
            rule_set,
            occurrences=occurrences,
            no_capture_limit=no_capture_limit,
            counted_checks=counted_checks,
        )

    def outcome(
        self,
        *,
        rule_set: str = "axf",
        occurrences: int = 3,
        no_capture_limit: int | None = NO_CAPTURE_LIMIT,
        counted_checks: int | None = COUNTED_CHECKS,
        claim_draw: bool = True,
    ) -> Outcome | None:
        """How the game has ended, or None if it goes on; ValueError if the position cannot be played.

        Checkmate and stalemate lose. A position that has stood `occurrences` times is judged by the
        rule set: perpetual check and chase lose, else it is a draw. The game is a draw after
        no_capture_limit plies without a capture (None for no limit), of which a number of checks of each
        side count, and when neither side has a piece that can cross the river. `repetition` gives details.

        claim_draw: engines and programs end the game at the no-capture limit; over the board a player has to
            claim that draw. False: nobody has, and the game goes on. See `can_claim_draw`.

        >>> Board("4k4/9/9/9/9/9/9/9/9/3K5 w").outcome()
        Outcome(Termination.INSUFFICIENT_MATERIAL, winner=None)
        """
        verdict = self.repetition(
            rule_set,
            occurrences=occurrences,
            no_capture_limit=no_capture_limit if claim_draw else None,
            counted_checks=counted_checks,
        )
        if not verdict:
            return None
        return Outcome(_TERMINATION_OF_REASON[verdict.reason], verdict.winner)

    def is_game_over(self, **rules: Unpack[GameRules]) -> bool:
        """Has the game ended? Arguments and errors as for `outcome`."""
        return self.outcome(**rules) is not None

    def result(self, **rules: Unpack[GameRules]) -> str:
        """1-0, 0-1, 1/2-1/2, or * while the game goes on; arguments and errors as for `outcome`."""
        outcome = self.outcome(**rules)
        return outcome.result() if outcome else "*"

    def can_claim_draw(
        self, *, no_capture_limit: int | None = NO_CAPTURE_LIMIT, counted_checks: int | None = COUNTED_CHECKS
    ) -> bool:
        """Is the game at the no-capture limit, so that a player may claim a draw?

        False if it has ended otherwise. Arguments and errors as for `outcome`.

        >>> Board("3k5/9/R8/9/9/9/9/9/9/4K4 w - - 120 80").can_claim_draw()
        True
        """
        outcome = self.outcome(no_capture_limit=no_capture_limit, counted_checks=counted_checks)
        return outcome is not None and outcome.termination == Termination.NO_CAPTURE_LIMIT

    # Evaluation

    def evaluation(self) -> Evaluation:
        """The engine's static evaluation, term by term; ValueError if the position cannot be played.

        >>> evaluation = Board("4k4/9/9/9/9/9/9/9/3R5/5K3 w").evaluation()
        >>> evaluation.score.red().score() > 500, evaluation.groups()["mobility"][1]
        (True, 0)
        """
        from .evaluation import evaluate

        return evaluate(self)

    # Notation: thin doors to notation.py

    def wxf(self, move: Move) -> str:
        """The legal move in WXF notation, such as C2.5; IllegalMoveError if it is not legal."""
        return notation.wxf(self, move)

    def chinese(self, move: Move, *, traditional: bool = False, full_width: bool = False) -> str:
        """The legal move in Chinese, such as 炮二平五; IllegalMoveError if it is not legal.

        Red's numbers are written 一 to 九, Black's 1 to 9, or １ to ９ with full_width.
        """
        return notation.chinese(self, move, traditional=traditional, full_width=full_width)

    def variation_wxf(self, moves: Iterable[Move]) -> str:
        """A line of legal moves from here in WXF with move numbers; see `notation.variation_wxf`."""
        return notation.variation_wxf(self, moves)

    def variation_chinese(
        self, moves: Iterable[Move], *, traditional: bool = False, full_width: bool = False
    ) -> str:
        """A line of legal moves from here in Chinese with move numbers; see `notation.variation_chinese`."""
        return notation.variation_chinese(self, moves, traditional=traditional, full_width=full_width)

    def uci(self, move: Move, *, first_rank: int = 0) -> str:
        """The legal move as UCI and ICCS write it, such as h2e2; IllegalMoveError if it is not legal.

        first_rank: the number of Red's back rank: 1 writes h3e3, as Fairy-Stockfish, pychess and LiGround do.
        """
        return notation.uci(self, move, first_rank=first_rank)

    def parse_uci(self, text: str, *, first_rank: int | None = None) -> Move:
        """The legal move of h2e2, or of h3e3 with first_rank=1; by default of h3e3 where h2e2 is not legal.

        first_rank: the number of Red's back rank in the text, 0 or 1. InvalidMoveError or IllegalMoveError.
        """
        return notation.parse_uci(self, text, first_rank=first_rank)

    def push_uci(self, text: str, *, first_rank: int | None = None) -> Move:
        """Play the move of the text and return it; arguments and errors as for `parse_uci`."""
        return self._push(notation.parse_uci(self, text, first_rank=first_rank))

    def parse_iccs(self, text: str) -> Move:
        """The legal move of h2e2, H2E2 or H2-E2; InvalidMoveError or IllegalMoveError otherwise."""
        return notation.parse_iccs(self, text)

    def parse_wxf(self, text: str) -> Move:
        """The legal move of C2.5 and the like; InvalidMoveError, IllegalMoveError, AmbiguousMoveError."""
        return notation.parse_wxf(self, text)

    def parse_chinese(self, text: str) -> Move:
        """The legal move of 炮二平五 and the like; InvalidMoveError, IllegalMoveError, AmbiguousMoveError."""
        return notation.parse_chinese(self, text)

    def push_iccs(self, text: str) -> Move:
        """Play the move of the text and return it; errors as for `parse_iccs`."""
        return self._push(notation.parse_iccs(self, text))

    def push_wxf(self, text: str) -> Move:
        """Play the move of the text and return it; errors as for `parse_wxf`."""
        return self._push(notation.parse_wxf(self, text))

    def push_chinese(self, text: str) -> Move:
        """Play the move of the text and return it; errors as for `parse_chinese`."""
        return self._push(notation.parse_chinese(self, text))

    def _push(self, move: Move) -> Move:
        self.push(move)
        return move

    # Transformed copies

    def mirror_files(self) -> Self:
        """The position with files a to i exchanged for i to a.

        The copy has the counters of the FEN, but not the moves that were played.
        """
        ranks = self.board_fen().split("/")
        return self._transformed("/".join(rank[::-1] for rank in ranks), self.turn)

    def transform(self, change: Callable[[Square], Square]) -> Self:
        """The position with each piece on the square that the function gives for its own.

        `square_mirror_files` and `square_mirror` are such functions. Side to move and counters stay, the
        moves played are forgotten. ValueError if two pieces come to one square.
        """
        pieces = {change(square): piece for square, piece in self.piece_map().items()}
        if len(pieces) != self.occupied_mask().bit_count():
            raise ValueError(Message("two pieces come to one square"))
        board = self.copy(stack=False)
        board.set_piece_map(pieces)
        return board

    def apply_transform(self, change: Callable[[Square], Square]) -> None:
        """`transform` in place."""
        self.set_fen(self.transform(change).fen(), validate=False)

    def apply_mirror(self) -> None:
        """`mirror` in place."""
        self.set_fen(self.mirror().fen(), validate=False)

    def mirror(self) -> Self:
        """`swap_colors` under its name in python-chess."""
        return self.swap_colors()

    def swap_colors(self) -> Self:
        """The position as the other side would see it: colors exchanged, ranks flipped, the other to move.

        The copy has the counters of the FEN, but not the moves that were played.
        """
        ranks = self.board_fen().split("/")
        return self._transformed("/".join(reversed(ranks)).swapcase(), not self.turn)

    def _transformed(self, pieces: str, turn: Color) -> Self:
        board = self.copy(stack=False)
        side = "w" if turn == RED else "b"
        board.set_fen(f"{pieces} {side} - - {self.halfmove_clock} {self.fullmove_number}", validate=False)
        return board

    # Display

    def text(
        self,
        *,
        letters: str = "latin",
        coordinates: bool = True,
        last_move: Move | None = None,
        perspective: Color = RED,
        colors: bool = False,
    ) -> str:
        """The board as text, with palaces and river; see `eleengine.text.draw`."""
        return draw(
            self,
            letters=letters,
            coordinates=coordinates,
            last_move=last_move,
            perspective=perspective,
            colors=colors,
        )

    def __str__(self) -> str:
        symbols = [str(self.piece_at(square) or ".") for square in SQUARES]
        return "\n".join(" ".join(symbols[9 * rank : 9 * rank + 9]) for rank in range(9, -1, -1))

    def __repr__(self) -> str:
        unchecked = "" if self.is_playable() else ", validate=False"
        return f"{type(self).__name__}({self.fen()!r}{unchecked})"

    def svg(self, **options: Any) -> str:
        """The board as a picture, with the last move and a check marked; options as for `svg.board`.

        >>> Board().svg(size=300, letters="symbols").startswith("<svg ")
        True
        """
        from . import svg

        shown: dict[str, Any] = {
            "last_move": self.peek() if self.ply else None,
            "check": self.king(self.turn) if self.is_check() else None,
        }
        return svg.board(self, **{**shown, **options})

    def png(self, *, scale: float = 1, **options: Any) -> bytes:
        """The same as a PNG file, with scale times as many pixels; needs the extra png, see `svg.png`."""
        from . import svg

        return svg.png(self.svg(**options), scale=scale)

    def _repr_svg_(self) -> str:
        return self.svg(size=400)


def _between(moves: Iterable[Move], sources: int, targets: int) -> Iterator[Move]:
    """The moves from and to the squares of two masks."""
    return (m for m in moves if sources >> m.from_square & 1 and targets >> m.to_square & 1)
