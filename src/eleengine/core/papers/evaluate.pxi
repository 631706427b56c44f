# papers/evaluate.pxi - the evaluations of the source papers.
#
# Uses: board/position.
# thesis_evaluate: material, mobility, position, threats, protection. Material, mobility and the squares of rook,
# knight and pawn are the numbers of Zou 2012, tables 5.2 and 5.3, figures 5.3 to 5.5. It leaves open what a
# cannon's square, a threat and a protection are worth: those are ours.
# tapered_evaluate: the engine thesis's (2016), figure 2-3, with the knight's squares of its tables 2-4 and 2-5. It
# prints no squares of the other pieces: theirs are a quarter of Zou's material and squares.

cdef extern from *:
    """
    static const int16_t THESIS_VALUE[8] = { 0, 0, 250, 250, 350, 550, 350, 100 };
    static const int16_t THESIS_CANNON_SQUARE = 100;            /* about a knight's mean */

    #define word_count(w) __builtin_popcountll(w)

    /* Ranks from the own back rank forward, files a to e. */
    static const int16_t THESIS_KNIGHT_SQUARE[50] = {
         60,  70,  75,  70,  60,    70,  75,  75,  70,  50,
         80,  80,  90,  90,  80,    80,  90, 100, 100,  90,
         90, 100, 100, 110, 100,    90, 110, 110, 120, 100,
         90, 100, 120, 130, 110,    90, 100, 120, 125, 120,
         80, 110, 125,  90,  70,    70,  80,  90,  80,  70 };
    static const int16_t THESIS_PAWN_SQUARE[50] = {
          0,   0,   0,   0,   0,     0,   0,   0,   0,   0,
          0,   0,   0,   0,   0,    10,   0,  10,   0,  15,
         10,   0,  15,   0,  15,    15,  20,  20,  20,  20,
         20,  25,  25,  30,  30,    25,  30,  30,  40,  40,
         25,  30,  40,  50,  60,    10,  10,  10,  20,  25 };
    static const int16_t THESIS_ROOK_SQUARE[50] = {
        150, 160, 150, 160, 150,   160, 170, 160, 160, 150,
        170, 180, 170, 170, 160,   170, 190, 180, 220, 240,
        180, 220, 210, 210, 250,   180, 220, 210, 240, 250,
        180, 220, 210, 240, 250,   170, 190, 200, 220, 240,
        170, 180, 170, 190, 250,   160, 170, 160, 150, 150 };

    /* Engine thesis, tables 2-4 and 2-5: a knight in the middlegame and in the endgame. */
    static const int16_t TAPERED_KNIGHT_MIDDLE[50] = {
         88,  85,  90,  88,  90,    85,  90,  92,  93,  78,
         93,  92,  94,  95,  92,    92,  94,  98,  95,  98,
         90,  98, 101, 102, 103,    90, 100,  99, 103, 104,
         93, 108, 100, 107, 100,    92,  98,  99, 103,  99,
         90,  96, 103,  97,  94,    90,  90,  90,  96,  90 };
    static const int16_t TAPERED_KNIGHT_END[50] = {
         88,  90,  92,  90,  90,    90,  92,  94,  92,  92,
         92,  94,  96,  96,  96,    94,  96,  98,  98,  98,
         94,  96,  98,  98,  98,    96,  98, 100, 100, 100,
         96,  98, 100, 100, 100,    96,  98, 100, 100, 100,
         94,  96,  98,  98,  98,    92,  94,  96,  96,  96 };
    """
    int word_count(uint64_t w) noexcept nogil
    const int16_t THESIS_VALUE[8]
    const int16_t THESIS_CANNON_SQUARE
    const int16_t THESIS_KNIGHT_SQUARE[50]
    const int16_t THESIS_PAWN_SQUARE[50]
    const int16_t THESIS_ROOK_SQUARE[50]
    const int16_t TAPERED_KNIGHT_MIDDLE[50]
    const int16_t TAPERED_KNIGHT_END[50]

cdef enum:                       # a move more is worth (table 5.3); advisors and bishops 1
    THESIS_SLIDER_MOVE = 6
    THESIS_KNIGHT_MOVE = 12
    THESIS_PAWN_MOVE = 15

cdef enum:                       # engine thesis, figure 2-3 and 2.3.4
    TAPERED_PHASES = 66          # of the middlegame and the endgame together
    TAPERED_MOST = 8             # of attack and of defence
    TAPERED_GUARD = 20           # an advisor or bishop, fully attacked: four are worth what is left of them in peace
    TAPERED_PEACE = 80
    TAPERED_SHUT_KNIGHT = 10     # without a safe square; half of it with one
    TAPERED_DIVISOR = 4          # of Zou's numbers, for pieces whose own are not printed


cdef struct ThesisTerms:           # of one search
    int16_t value[8]             # material, by kind
    int16_t exchange[8]          # what captures win and risk
    bint paired                  # are knight and cannon worth the same, and advisor and bishop?
    int16_t placed[PIECE_CODES][SQUARES]           # material and square: red counts up, black down


cdef int16_t TAPERED[2][PIECE_CODES][SQUARES]      # in the middlegame and in the endgame, as ThesisTerms.placed
# What rooks and cannons attack along a line, by its inner places that are occupied: the ends make no difference
# to a rook; a cannon's table has them occupied, and only occupied squares of what it attacks are looked at. With
# these tables a search takes a tenth less time than with the engine's, which are made for less memory.
cdef SquareBits THESIS_ROOK_RANK[SQUARES][128]
cdef SquareBits THESIS_ROOK_FILE[SQUARES][256]
cdef SquareBits THESIS_CANNON_RANK[SQUARES][128]
cdef SquareBits THESIS_CANNON_FILE[SQUARES][256]


cdef inline int inner_rank(uint16_t places) noexcept nogil:
    return places >> 1 & 127


cdef inline int inner_file(uint16_t places) noexcept nogil:
    return places >> 1 & 255


cdef void fill_thesis_tables() noexcept nogil:
    """Needed before thesis_evaluate; not filled at import, for few will use it."""
    cdef int s, word
    for s in range(SQUARES):
        for word in range(128):
            THESIS_ROOK_RANK[s][word] = <SquareBits>ROOK_RANK[file_of(s)][word << 1] << (9 * rank_of(s))
            THESIS_CANNON_RANK[s][word] = <SquareBits>CANNON_RANK[file_of(s)][word << 1 | 0x101] << (9 * rank_of(s))
        for word in range(256):
            THESIS_ROOK_FILE[s][word] = SPREAD[ROOK_FILE[rank_of(s)][word << 1]] << file_of(s)
            THESIS_CANNON_FILE[s][word] = SPREAD[CANNON_FILE[rank_of(s)][word << 1 | 0x201]] << file_of(s)
    fill_tapered()


cdef inline int half_index(int s) noexcept nogil:
    """Of a square in tables of the files a to e."""
    return 5 * rank_of(s) + (file_of(s) if file_of(s) <= 4 else 8 - file_of(s))


cdef int thesis_square(int kind, int s) noexcept nogil:
    """What red's piece is worth on a square beside its material (Zou 2012)."""
    if kind == KNIGHT:
        return THESIS_KNIGHT_SQUARE[half_index(s)]
    if kind == ROOK:
        return THESIS_ROOK_SQUARE[half_index(s)]
    if kind == CANNON:
        return THESIS_CANNON_SQUARE
    return THESIS_PAWN_SQUARE[half_index(s)] if kind == PAWN else 0


cdef void fill_terms(ThesisTerms* terms) noexcept nogil:
    """All the rest by terms.value."""
    cdef int kind, s, worth
    terms.paired = terms.value[KNIGHT] == terms.value[CANNON] and terms.value[ADVISOR] == terms.value[BISHOP]
    memset(terms.placed, 0, sizeof(terms.placed))
    for kind in range(KING, PAWN + 1):
        for s in range(SQUARES):
            worth = terms.value[kind] + thesis_square(kind, s)
            terms.placed[kind][s] = <int16_t>worth
            terms.placed[kind | BLACK << 3][9 * (9 - rank_of(s)) + file_of(s)] = <int16_t>-worth


cdef void fill_tapered() noexcept nogil:
    cdef int kind, s, phase, worth
    for phase in range(2):
        for kind in range(KNIGHT, PAWN + 1):
            for s in range(SQUARES):
                worth = (THESIS_VALUE[kind] + thesis_square(kind, s)) // TAPERED_DIVISOR
                if kind == KNIGHT:
                    worth = TAPERED_KNIGHT_END[half_index(s)] if phase else TAPERED_KNIGHT_MIDDLE[half_index(s)]
                TAPERED[phase][kind][s] = <int16_t>worth
                TAPERED[phase][kind | BLACK << 3][9 * (9 - rank_of(s)) + file_of(s)] = <int16_t>-worth


cdef int thesis_placed(const ThesisTerms* terms, const Position* pos) noexcept nogil:
    """Material and squares, red minus black, from scratch; the search keeps it up to date from move to move."""
    cdef int s, total = 0
    for s in range(SQUARES):
        total += terms.placed[pos.board[s]][s]
    return total


cdef inline int thesis_placed_by(const ThesisTerms* terms, const Position* pos, move_t m) noexcept nogil:
    """What the move adds to thesis_placed."""
    cdef int src = src_of(m), dst = dst_of(m), piece = pos.board[src]
    return terms.placed[piece][dst] - terms.placed[piece][src] - terms.placed[pos.board[dst]][dst]


cdef int thesis_mobility(const Position* pos, int us, SquareBits* attacked) noexcept nogil:
    """What the moves of us are worth by their number; attacked becomes the squares we attack or protect."""
    cdef SquareBits own = pos.by_side[us], not_own = ~own, enemy = pos.by_side[us ^ 1]
    cdef SquareBits rest, targets, cover = KING_TO[pos.king[us]]
    cdef int s, rank, file, rooks = 0, cannons = 0, knights = 0, pawns, guards = 0
    rest = pieces(pos, us, ROOK)
    while set_any(rest):
        s = pop_first(&rest)
        targets = (THESIS_ROOK_RANK[s][inner_rank(pos.rank_occ[rank_of(s)])]
                   | THESIS_ROOK_FILE[s][inner_file(pos.file_occ[file_of(s)])])
        cover |= targets
        rooks += set_count(targets & not_own)
    rest = pieces(pos, us, CANNON)
    while set_any(rest):
        s = pop_first(&rest)
        rank = rank_of(s)
        file = file_of(s)
        targets = (THESIS_CANNON_RANK[s][inner_rank(pos.rank_occ[rank])]
                   | THESIS_CANNON_FILE[s][inner_file(pos.file_occ[file])])
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
    targets &= BOARD
    cover |= targets
    pawns = set_count(targets & not_own)
    rest &= ~HALF[us]
    targets = rest << 1 & ~FILE_A
    cover |= targets
    pawns += set_count(targets & not_own)
    targets = rest >> 1 & ~(FILE_A << 8)
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
    return THESIS_SLIDER_MOVE * (rooks + cannons) + THESIS_KNIGHT_MOVE * knights + THESIS_PAWN_MOVE * pawns + guards


cdef inline int thesis_worth(const ThesisTerms* terms, const Position* pos, SquareBits some) noexcept nogil:
    """The material of some pieces."""
    cdef int total = (terms.value[ROOK] * set_count(some & pos.by_type[ROOK])
                      + terms.value[KNIGHT] * set_count(some & (pos.by_type[KNIGHT] | pos.by_type[CANNON]))
                      + terms.value[ADVISOR] * set_count(some & (pos.by_type[ADVISOR] | pos.by_type[BISHOP]))
                      + terms.value[PAWN] * set_count(some & pos.by_type[PAWN]))
    if not terms.paired:
        total += ((terms.value[CANNON] - terms.value[KNIGHT]) * set_count(some & pos.by_type[CANNON])
                  + (terms.value[BISHOP] - terms.value[ADVISOR]) * set_count(some & pos.by_type[BISHOP]))
    return total


cdef inline int thesis_safety(const ThesisTerms* terms, const Position* pos, int us, SquareBits enemy_attacks,
                              SquareBits protected) noexcept nogil:
    """Protection less threats: what the pieces of us gain and lose by what looks at them.

    A threatened piece loses half its value if the enemy moves next, an eighth if we do; half of that
    if it is protected. A protected piece in peace gains a thirty-second.
    """
    cdef SquareBits own = pos.by_side[us], threatened = own & enemy_attacks
    cdef int lost = 0
    if set_any(threatened):
        lost = thesis_worth(terms, pos, threatened) + thesis_worth(terms, pos, threatened & ~protected)
        lost = lost // 16 if pos.side == us else lost // 4
    return thesis_worth(terms, pos, own & protected & ~enemy_attacks) // 32 - lost


cdef int thesis_evaluate(const ThesisTerms* terms, const Position* pos, int placed) noexcept nogil:
    """Units of a hundredth of a pawn, for the side to move; placed: thesis_placed of the position."""
    cdef SquareBits attacked[2]
    cdef int score = placed
    score += thesis_mobility(pos, RED, &attacked[RED]) - thesis_mobility(pos, BLACK, &attacked[BLACK])
    score += thesis_safety(terms, pos, RED, attacked[BLACK], attacked[RED])
    score -= thesis_safety(terms, pos, BLACK, attacked[RED], attacked[BLACK])
    return score if pos.side == RED else -score


# The evaluation of the engine thesis, from scratch.

cdef int tapered_pressure(const Position* pos, int us) noexcept nogil:
    """How much us attacks, 0 to TAPERED_MOST: pieces beyond the river, and rooks, knights and cannons more."""
    cdef SquareBits beyond = pos.by_side[us] & ~HALF[us]
    cdef int total = (2 * set_count(beyond & (pos.by_type[ROOK] | pos.by_type[KNIGHT]))
                      + set_count(beyond & (pos.by_type[CANNON] | pos.by_type[PAWN])))
    cdef int kind
    for kind in range(KNIGHT, CANNON + 1):
        total += (2 if kind == ROOK else 1) * (set_count(pieces(pos, us, kind)) - set_count(pieces(pos, us ^ 1, kind)))
    return max(0, min(total, TAPERED_MOST))


cdef int tapered_side(const Position* pos, int us) noexcept nogil:
    """Guards, freedom of rooks, and knights with nowhere to go, of one side."""
    cdef int attack = tapered_pressure(pos, us ^ 1), score, s, n
    cdef SquareBits rest, all_pieces = occupied(pos), targets
    score = TAPERED_GUARD * attack * set_count(pieces(pos, us, ADVISOR) | pieces(pos, us, BISHOP)) // TAPERED_MOST
    score += TAPERED_PEACE * (TAPERED_MOST - attack) // TAPERED_MOST
    rest = pieces(pos, us, ROOK)
    while set_any(rest):
        s = pop_first(&rest)
        score += set_count(rook_attacks(pos, s) & ~all_pieces)
    rest = pieces(pos, us, KNIGHT)
    while set_any(rest):
        targets = knight_attacks(pos, pop_first(&rest)) & ~all_pieces
        n = 0
        while set_any(targets) and n < 2:
            s = pop_first(&targets)
            if 0 < file_of(s) < 8 and 0 < rank_of(s) < 9:
                n += not set_any(attackers_to(pos, s, all_pieces) & pos.by_side[us ^ 1])
        if n < 2:
            score -= TAPERED_SHUT_KNIGHT >> n
    return score


cdef int tapered_evaluate(const Position* pos) noexcept nogil:
    """Units of a hundredth of a pawn or so, for the side to move: between middlegame and endgame by material."""
    cdef int s, middle = 0, end = 0, phase, score
    phase = (6 * set_count(pos.by_type[ROOK]) + 3 * set_count(pos.by_type[KNIGHT] | pos.by_type[CANNON])
             + set_count(pos.by_type[ADVISOR] | pos.by_type[BISHOP] | pos.by_type[PAWN]))
    phase = min(phase, TAPERED_PHASES)
    for s in range(SQUARES):
        middle += TAPERED[0][pos.board[s]][s]
        end += TAPERED[1][pos.board[s]][s]
    score = (phase * middle + (TAPERED_PHASES - phase) * end) // TAPERED_PHASES
    score += tapered_side(pos, RED) - tapered_side(pos, BLACK)
    return score if pos.side == RED else -score
