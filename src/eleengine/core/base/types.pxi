# base/types.pxi - limits, piece codes, Move, State and Position: plain C data.
#
# Uses: base/bits.

cdef enum:
    SQUARES = 90
    SIDE_PIECES = 16             # of each side at most: samples, networks and lists of moves have no room for more
    # 15 rooks and cannons have at most 110 moves along the ranks, 123 along the files; the king 4. With the usual
    # pieces there are never more than 119.
    MAX_MOVES = 256
    MOVE_BITS = 8                # of a move's number in a list
    MAX_CAPTURES = 128           # 16 pieces with 8 each
    MAX_PLY = 128                # the longest path of a search
    NO_SQUARE = 127
    MAX_COUNTED_CHECKS = 10      # of each side, in the no-capture count

cdef enum:
    RED = 0
    BLACK = 1

# A piece code is type | side << 3: 1..7 red, 9..15 black, 0 an empty square.
cdef enum:
    EMPTY = 0
    KING = 1
    ADVISOR = 2
    BISHOP = 3
    KNIGHT = 4
    ROOK = 5
    CANNON = 6
    PAWN = 7
    PIECE_CODES = 16

# What is left to attack with: 48 with all pieces.
cdef extern from *:
    """
    static const int16_t PHASE[8] = { 0, 0, 0, 0, 3, 6, 3, 0 };
    """
    const int16_t PHASE[8]

cdef enum:
    MAX_PHASE = 48

# A move is src | dst << 7. Zero (a0a0) is the null move, and "no move" in tables.
ctypedef uint16_t move_t

cdef enum:
    NO_MOVE = 0


cdef inline move_t make_move(int src, int dst) noexcept nogil:
    return <move_t>(src | dst << 7)


cdef inline int src_of(move_t m) noexcept nogil:
    return m & 127


cdef inline int dst_of(move_t m) noexcept nogil:
    return m >> 7


cdef inline int type_of(int piece) noexcept nogil:
    return piece & 7


cdef inline int side_of(int piece) noexcept nogil:
    return piece >> 3


cdef struct State:            # what do_move cannot undo by calculation; one for each position of the path
    uint64_t key              # pieces and side to move
    uint64_t pawn_key
    uint64_t minor_key        # kings, advisors and bishops of both sides
    uint64_t major_key[2]     # knights, rooks and cannons of each side
    SquareBits checkers       # enemy pieces that give check to the side to move
    SquareBits blockers       # pieces of either side whose departure may uncover such a check
    int32_t halfmove_clock    # plies since the last capture, as in FEN
    int32_t plies_from_null   # plies since the last capture or null move
    int32_t rule60            # plies since the last capture as the no-capture rule counts them
    int32_t checks_given[2]   # since the last capture, by side
    move_t move               # that led here
    uint8_t moved             # code of the piece that made it, EMPTY for a pass
    uint8_t captured          # code of the piece that it took, or EMPTY
    uint8_t hollow            # an enemy cannon looks at our king with nothing between


cdef struct Position:
    SquareBits by_type[8]     # both sides, index KING .. PAWN
    SquareBits by_side[2]
    uint16_t rank_occ[10]     # bit f: file f of that rank is occupied
    uint16_t file_occ[9]      # bit r: rank r of that file is occupied
    uint8_t board[SQUARES]    # piece codes
    uint8_t king[2]           # squares; NO_SQUARE without a king
    uint8_t side              # to move
    int32_t phase             # sum of PHASE over all pieces
    int32_t ply               # plies played since the first state
    State* st                 # the current state; earlier ones lie before it in memory


cdef inline SquareBits occupied(const Position* pos) noexcept nogil:
    return pos.by_side[RED] | pos.by_side[BLACK]


cdef inline SquareBits pieces(const Position* pos, int side, int kind) noexcept nogil:
    return pos.by_side[side] & pos.by_type[kind]
