# papers/evaluate.pxi - the evaluation of the source papers: material, mobility, position, threats, protection.
#
# Uses: board/position.
# Material, mobility and the squares of rook, knight and pawn are the numbers of thesis 000, tables 5.2 and 5.3,
# figures 5.3 to 5.5. It leaves open what a cannon's square, a threat and a protection are worth: those are ours.

cdef extern from *:
    """
    static const int16_t SEED_VALUE[8] = { 0, 0, 250, 250, 350, 550, 350, 100 };
    static const int16_t SEED_CANNON_SQUARE = 100;            /* about a knight's mean */

    #define word_count(w) __builtin_popcountll(w)

    /* Ranks from the own back rank forward, files a to e. */
    static const int16_t SEED_KNIGHT_SQUARE[50] = {
         60,  70,  75,  70,  60,    70,  75,  75,  70,  50,
         80,  80,  90,  90,  80,    80,  90, 100, 100,  90,
         90, 100, 100, 110, 100,    90, 110, 110, 120, 100,
         90, 100, 120, 130, 110,    90, 100, 120, 125, 120,
         80, 110, 125,  90,  70,    70,  80,  90,  80,  70 };
    static const int16_t SEED_PAWN_SQUARE[50] = {
          0,   0,   0,   0,   0,     0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,    10,   0,  10,   0,  15,
         10,   0,  15,   0,  15,    15,  20,  20,  20,  20,
         20,  25,  25,  30,  30,    25,  30,  30,  40,  40,
         25,  30,  40,  50,  60,    10,  10,  10,  20,  25 };
    static const int16_t SEED_ROOK_SQUARE[50] = {
        150, 160, 150, 160, 150,   160, 170, 160, 160, 150,
        170, 180, 170, 170, 160,   170, 190, 180, 220, 240,
        180, 220, 210, 210, 250,   180, 220, 210, 240, 250,
        180, 220, 210, 240, 250,   170, 190, 200, 220, 240,
        170, 180, 170, 190, 250,   160, 170, 160, 150, 150 };
    """
    int word_count(uint64_t w) noexcept nogil
    const int16_t SEED_VALUE[8]
    const int16_t SEED_CANNON_SQUARE
    const int16_t SEED_KNIGHT_SQUARE[50]
    const int16_t SEED_PAWN_SQUARE[50]
    const int16_t SEED_ROOK_SQUARE[50]

cdef enum:                       # a move more is worth (table 5.3); advisors and bishops 1
    SEED_SLIDER_MOVE = 6
    SEED_KNIGHT_MOVE = 12
    SEED_PAWN_MOVE = 15

cdef int16_t SEED_PLACED[PIECE_CODES][SQUARES]     # material and square: red counts up, black down
# What rooks and cannons attack along a line, by its inner places that are occupied: the ends make no difference
# to a rook; a cannon's table has them occupied, and only occupied squares of what it attacks are looked at. With
# these tables a search takes a tenth less time than with the engine's, which are made for less memory.
cdef SquareBits SEED_ROOK_RANK[SQUARES][128]
cdef SquareBits SEED_ROOK_FILE[SQUARES][256]
cdef SquareBits SEED_CANNON_RANK[SQUARES][128]
cdef SquareBits SEED_CANNON_FILE[SQUARES][256]
cdef SquareBits SEED_BOARD, SEED_FILE_A, SEED_FILE_I


cdef inline int inner_rank(uint16_t places) noexcept nogil:
    return places >> 1 & 127


cdef inline int inner_file(uint16_t places) noexcept nogil:
    return places >> 1 & 255


cdef void fill_seed_tables() noexcept nogil:
    """Needed before seed_evaluate; not filled at import, for few will use it."""
    cdef int kind, s, index, word, worth
    global SEED_BOARD, SEED_FILE_A, SEED_FILE_I
    SEED_FILE_A = SPREAD[1023]
    SEED_FILE_I = SEED_FILE_A << 8
    SEED_BOARD = BIT(SQUARES) - 1
    for s in range(SQUARES):
        for word in range(128):
            SEED_ROOK_RANK[s][word] = <SquareBits>ROOK_RANK[file_of(s)][word << 1] << (9 * rank_of(s))
            SEED_CANNON_RANK[s][word] = <SquareBits>CANNON_RANK[file_of(s)][word << 1 | 0x101] << (9 * rank_of(s))
        for word in range(256):
            SEED_ROOK_FILE[s][word] = SPREAD[ROOK_FILE[rank_of(s)][word << 1]] << file_of(s)
            SEED_CANNON_FILE[s][word] = SPREAD[CANNON_FILE[rank_of(s)][word << 1 | 0x201]] << file_of(s)
    for kind in range(KING, PAWN + 1):
        for s in range(SQUARES):
            index = 5 * rank_of(s) + (file_of(s) if file_of(s) <= 4 else 8 - file_of(s))
            worth = SEED_VALUE[kind]
            if kind == KNIGHT:
                worth += SEED_KNIGHT_SQUARE[index]
            elif kind == ROOK:
                worth += SEED_ROOK_SQUARE[index]
            elif kind == CANNON:
                worth += SEED_CANNON_SQUARE
            elif kind == PAWN:
                worth += SEED_PAWN_SQUARE[index]
            SEED_PLACED[kind][s] = <int16_t>worth
            SEED_PLACED[kind | BLACK << 3][9 * (9 - rank_of(s)) + file_of(s)] = <int16_t>-worth


cdef int seed_placed(const Position* pos) noexcept nogil:
    """Material and squares, red minus black, from scratch; the search keeps it up to date from move to move."""
    cdef int s, total = 0
    for s in range(SQUARES):
        total += SEED_PLACED[pos.board[s]][s]
    return total


cdef inline int seed_placed_by(const Position* pos, move_t m) noexcept nogil:
    """What the move adds to seed_placed."""
    cdef int src = src_of(m), dst = dst_of(m), piece = pos.board[src]
    return SEED_PLACED[piece][dst] - SEED_PLACED[piece][src] - SEED_PLACED[pos.board[dst]][dst]


cdef int seed_mobility(const Position* pos, int us, SquareBits* attacked) noexcept nogil:
    """What the moves of us are worth by their number; attacked becomes the squares we attack or protect."""
    cdef SquareBits own = pos.by_side[us], not_own = ~own, enemy = pos.by_side[us ^ 1]
    cdef SquareBits rest, targets, cover = KING_TO[pos.king[us]]
    cdef int s, rank, file, rooks = 0, cannons = 0, knights = 0, pawns, guards = 0
    rest = pieces(pos, us, ROOK)
    while set_any(rest):
        s = pop_first(&rest)
        targets = (SEED_ROOK_RANK[s][inner_rank(pos.rank_occ[rank_of(s)])]
                   | SEED_ROOK_FILE[s][inner_file(pos.file_occ[file_of(s)])])
        cover |= targets
        rooks += set_count(targets & not_own)
    rest = pieces(pos, us, CANNON)
    while set_any(rest):
        s = pop_first(&rest)
        rank = rank_of(s)
        file = file_of(s)
        targets = (SEED_CANNON_RANK[s][inner_rank(pos.rank_occ[rank])]
                   | SEED_CANNON_FILE[s][inner_file(pos.file_occ[file])])
        cover |= targets
        # Quiet moves are counted on the lines, without making a set of squares.
        cannons += (set_count(targets & enemy)
                    + word_count(<uint64_t>(ROOK_RANK[file][pos.rank_occ[rank]] & ~pos.rank_occ[rank]) << 16
                                 | (ROOK_FILE[rank][pos.file_occ[file]] & ~pos.file_occ[file])))
    rest = pieces(pos, us, KNIGHT)
    while set_any(rest):
        targets = knight_attacks(pos, pop_first(&rest))
        cover |= targets
        knights += set_count(targets & not_own)
    # All pawns at once: forward, and beyond the river to both sides.
    rest = pieces(pos, us, PAWN)
    targets = rest << 9 if us == RED else rest >> 9
    targets &= SEED_BOARD
    cover |= targets
    pawns = set_count(targets & not_own)
    rest &= ~HALF[us]
    targets = rest << 1 & ~SEED_FILE_A
    cover |= targets
    pawns += set_count(targets & not_own)
    targets = rest >> 1 & ~SEED_FILE_I
    cover |= targets
    pawns += set_count(targets & not_own)
    rest = pieces(pos, us, BISHOP)
    while set_any(rest):
        targets = bishop_attacks(pos, us, pop_first(&rest))
        cover |= targets
        guards += set_count(targets & not_own)
    rest = pieces(pos, us, ADVISOR)
    while set_any(rest):
        targets = advisor_attacks(us, pop_first(&rest))
        cover |= targets
        guards += set_count(targets & not_own)
    attacked[0] = cover
    return SEED_SLIDER_MOVE * (rooks + cannons) + SEED_KNIGHT_MOVE * knights + SEED_PAWN_MOVE * pawns + guards


cdef inline int seed_worth(const Position* pos, SquareBits some) noexcept nogil:
    """The material of some pieces: knights and cannons, advisors and bishops are worth the same."""
    return (SEED_VALUE[ROOK] * set_count(some & pos.by_type[ROOK])
            + SEED_VALUE[KNIGHT] * set_count(some & (pos.by_type[KNIGHT] | pos.by_type[CANNON]))
            + SEED_VALUE[ADVISOR] * set_count(some & (pos.by_type[ADVISOR] | pos.by_type[BISHOP]))
            + SEED_VALUE[PAWN] * set_count(some & pos.by_type[PAWN]))


cdef inline int seed_safety(const Position* pos, int us, SquareBits enemy_attacks, SquareBits protected) noexcept nogil:
    """Protection less threats: what the pieces of us gain and lose by what looks at them.

    A threatened piece loses half its value if the enemy moves next, an eighth if we do; half of that
    if it is protected. A protected piece in peace gains a thirty-second.
    """
    cdef SquareBits own = pos.by_side[us], threatened = own & enemy_attacks
    cdef int lost = 0
    if set_any(threatened):
        lost = seed_worth(pos, threatened) + seed_worth(pos, threatened & ~protected)
        lost = lost // 16 if pos.side == us else lost // 4
    return seed_worth(pos, own & protected & ~enemy_attacks) // 32 - lost


cdef int seed_evaluate(const Position* pos, int placed) noexcept nogil:
    """Units of a hundredth of a pawn, for the side to move; placed: seed_placed of the position."""
    cdef SquareBits attacked[2]
    cdef int score = placed
    score += seed_mobility(pos, RED, &attacked[RED]) - seed_mobility(pos, BLACK, &attacked[BLACK])
    score += seed_safety(pos, RED, attacked[BLACK], attacked[RED])
    score -= seed_safety(pos, BLACK, attacked[RED], attacked[BLACK])
    return score if pos.side == RED else -score
