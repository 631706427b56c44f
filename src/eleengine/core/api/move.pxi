# api/move.pxi - Move and Piece as Python objects.
#
# Uses: board/fen, api/process.

class InvalidMoveError(ValueError):
    """The text is not a move."""
    __module__ = "eleengine"


class IllegalMoveError(ValueError):
    """The move cannot be played in the position."""
    __module__ = "eleengine"


cdef object set_to_int(SquareBits b):
    return int(set_high(b)) << 64 | int(set_low(b))


cdef int check_square(object square) except -1:
    return within("a square", square, 0, SQUARES - 1)


cdef int check_piece_type(object piece_type) except -1:
    return within("a piece type", piece_type, KING, PAWN)


cdef inline int side_from_color(object color) except -1:
    if color is True or color is False:
        return RED if color else BLACK
    return RED if check_color(color) else BLACK


def check_color(color):
    """RED or BLACK as a bool, from anything that equals it; TypeError for the rest: "black" is true, too."""
    if isinstance(color, (str, bytes)) or color not in (True, False):
        raise TypeError(f"a color is RED (True) or BLACK (False), not {color!r}")
    return bool(color)


# Squares by their names where ranks are counted from 1 to 10.
_SQUARES_FROM_ONE = {"abcdefghi"[s % 9] + str(s // 9 + 1): s for s in range(SQUARES)}


@cython.final
cdef class Move:
    """A move from one square to another; squares are 0 (a0) to 89 (i9). Move(0, 0) is the null move.

    >>> Move.from_iccs("h2e2")
    Move.from_iccs('h2e2')
    """
    cdef move_t code

    def __cinit__(self, from_square, to_square):
        self.code = make_move(check_square(from_square), check_square(to_square))

    def __init__(self, from_square, to_square):
        pass                     # what is made cannot be changed: moves are shared

    @property
    def from_square(self):
        """The square that the piece leaves, 0 to 89."""
        return src_of(self.code)

    @property
    def to_square(self):
        """The square that it goes to, 0 to 89."""
        return dst_of(self.code)

    @staticmethod
    def from_iccs(text):
        """Read h2e2, H2E2 or H2-E2; 0000 is the null move. InvalidMoveError for anything else."""
        cdef str whole = plain_text("move text", text), t = whole
        cdef int src, dst
        if t == "0000":
            return wrap_move(NO_MOVE)
        if len(t) == 5 and t[2] == "-":
            t = t[:2] + t[3:]
        if len(t) != 4:
            raise InvalidMoveError(Message("invalid move {!r}: expected four characters like 'h2e2'", whole[:40]))
        src = parse_square_text(t[:2], whole)
        dst = parse_square_text(t[2:], whole)
        if src == dst:
            raise InvalidMoveError(Message("invalid move {!r}: it must leave its square", whole[:40]))
        return wrap_move(make_move(src, dst))

    @staticmethod
    def from_uci(text, *, first_rank=None):
        """Read a move of UCI: h2e2, or h3e3 where ranks are counted from 1 to 10; 0000 is the null move.

        first_rank: the number of Red's back rank in the text, 0 or 1; None: 1 only if a rank is 10, as in h10g8.
        InvalidMoveError for anything else.
        """
        check_first_rank(0 if first_rank is None else first_rank)
        text = plain_text("move text", text)
        if text != "0000" and (first_rank or (first_rank is None and "10" in text)):
            for cut in (2, 3):
                src = _SQUARES_FROM_ONE.get(text[:cut].lower())
                dst = _SQUARES_FROM_ONE.get(text[cut:].lower().removeprefix("-"))
                if src is not None and dst is not None and src != dst:
                    return Move(src, dst)
            if first_rank:
                raise InvalidMoveError(
                    Message("invalid move {!r}: expected two squares (a1 to i10) like 'h3e3'", text[:40]))
        return Move.from_iccs(text)

    @staticmethod
    def null():
        """A pass: allowed when not in check; false in a boolean context."""
        return wrap_move(NO_MOVE)

    def iccs(self):
        """Four characters like h2e2; 0000 for the null move."""
        return move_text(self.code)

    def uci(self, *, first_rank=0):
        """Text of UCI: h2e2, as in ICCS; with first_rank=1, as Fairy-Stockfish and pychess count ranks, h3e3.

        first_rank: the number of Red's back rank, 0 or 1.
        """
        check_first_rank(first_rank)
        if not first_rank or self.code == NO_MOVE:
            return move_text(self.code)
        src, dst = src_of(self.code), dst_of(self.code)
        return f"{'abcdefghi'[src % 9]}{src // 9 + 1}{'abcdefghi'[dst % 9]}{dst // 9 + 1}"

    def __bool__(self):
        return self.code != NO_MOVE

    def __str__(self):
        return move_text(self.code)

    def __repr__(self):
        return f"Move.from_iccs({move_text(self.code)!r})"

    def __hash__(self):
        return self.code

    def __eq__(self, other):
        if isinstance(other, Move):
            return self.code == (<Move>other).code
        return NotImplemented

    def __reduce__(self):
        return Move, (src_of(self.code), dst_of(self.code))


cdef object check_first_rank(object first_rank):
    if first_rank not in (0, 1):
        raise ValueError(f"first_rank must be 0 or 1, not {first_rank!r}")


cdef int parse_square_text(str text, str whole) except -1:
    cdef int file = "abcdefghi".find(text[0].lower()), rank = "0123456789".find(text[1])
    if file < 0 or rank < 0:
        raise InvalidMoveError(Message("invalid move {!r}: {!r} is not a square (a0 to i9)", whole[:40], text))
    return 9 * rank + file


cdef str move_text(move_t m):
    if m == NO_MOVE:
        return "0000"
    return square_text(src_of(m)) + square_text(dst_of(m))


cpdef Move as_move(object move):
    """The move; TypeError for anything else, such as its text."""
    if not isinstance(move, Move):
        raise TypeError(f"a move is a Move, not {type(move).__name__}: Move.from_iccs, or a method such as "
                        "Board.push_iccs, makes one of text")
    return <Move>move


# Moves are made once and shared: lists of legal moves then cost no allocation.
cdef list _moves = [None] * (1 << 14)


cdef inline Move wrap_move(move_t m):
    cdef object found = _moves[m]
    cdef Move made
    if found is None:
        made = Move.__new__(Move, 0, 0)
        made.code = m
        _moves[m] = made
        return made
    return <Move>found


_CHINESE_PIECES = ".帅仕相马车炮兵.将士象马车炮卒"
_TRADITIONAL_PIECES = ".帥仕相傌俥炮兵.將士象馬車砲卒"


@cython.final
cdef class Piece:
    """A piece type (KING .. PAWN, 1 .. 7) of a color (RED or BLACK).

    >>> Piece.from_symbol("r").chinese()
    '车'
    """
    cdef uint8_t code

    def __cinit__(self, piece_type, color):
        self.code = <uint8_t>(check_piece_type(piece_type) | side_from_color(color) << 3)

    def __init__(self, piece_type, color):
        pass                     # what is made cannot be changed: pieces are shared

    @property
    def piece_type(self):
        """KING (1) to PAWN (7)."""
        return type_of(self.code)

    @property
    def color(self):
        """RED (True) or BLACK (False)."""
        return side_of(self.code) == RED

    @staticmethod
    def from_symbol(symbol):
        """Read a FEN letter: K A B N R C P for Red, lower case for Black."""
        code = _PIECE_OF_LETTER.get(symbol)
        if code is None:
            raise ValueError(f"not a piece letter: {symbol!r}")
        return wrap_piece(code)

    def symbol(self):
        """The FEN letter."""
        return FEN_LETTERS[self.code]

    def chinese(self, *, traditional=False):
        """The character on the piece."""
        return (_TRADITIONAL_PIECES if traditional else _CHINESE_PIECES)[self.code]

    def __str__(self):
        return FEN_LETTERS[self.code]

    def __repr__(self):
        return f"Piece.from_symbol({FEN_LETTERS[self.code]!r})"

    def __hash__(self):
        return self.code

    def __eq__(self, other):
        if isinstance(other, Piece):
            return self.code == (<Piece>other).code
        return NotImplemented

    def __reduce__(self):
        return Piece, (type_of(self.code), side_of(self.code) == RED)


cdef list _pieces = [None] * PIECE_CODES


cdef object wrap_piece(int code):
    if code == EMPTY:
        return None
    if _pieces[code] is None:
        _pieces[code] = Piece(type_of(code), side_of(code) == RED)
    return _pieces[code]
