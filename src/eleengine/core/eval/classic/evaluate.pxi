# eval/classic/evaluate.pxi - the classical evaluation, term by term, and a trace of it.
#
# Uses: board/position, eval/classic/weights, eval/scale.
# Every term is a count times a weight; a weight is a pair, for the middlegame and the endgame.
# A trace keeps the counts of both sides, so that people can read them and weights be tuned.

cdef struct Trace:
    int16_t counts[2][TERMS]     # by side
    int32_t mg                   # red minus black, piece-square sums included
    int32_t eg
    int32_t phase                # 0 .. MAX_PHASE
    int32_t scale                # of 64
    int32_t score                # for the side to move


cdef struct Eval:                # one evaluation under way
    const Classic* classic
    int64_t sum                  # of squares and terms: middlegame << 32, endgame added
    Trace* trace                 # or NULL
    SquareBits by_kind[2][8]     # squares attacked
    SquareBits attacked[2]
    SquareBits blockers[2]       # pieces that shield that side's king
    int pressure[2]              # attacks on that side's palace


cdef inline void count_term(Eval* e, int side, int term, int n) noexcept nogil:
    cdef int signed_n = n if side == RED else -n
    e.sum += signed_n * e.classic.term[term]
    if e.trace != NULL:
        e.trace.counts[side][term] += <int16_t>n


cdef inline int count_up_to(int limit, SquareBits some) noexcept nogil:
    """How many they are as far as a table goes: composed positions have more."""
    return min(set_count(some), limit)


cdef inline void eval_attacks(const Position* pos, Eval* e, int us) noexcept nogil:
    """Attacked squares and mobility of us, and our pressure on the enemy palace."""
    cdef int them = us ^ 1, s, kind
    cdef SquareBits own = pos.by_side[us], occ = occupied(pos)
    cdef SquareBits rest, targets, safe
    rest = pieces(pos, us, PAWN)
    while set_any(rest):
        targets = PAWN_TO[us][pop_first(&rest)]
        e.pressure[them] += 2 * set_count(targets & PALACE[them])
        e.by_kind[us][PAWN] |= targets
    safe = ~own & ~pawn_attacks(pos, them)
    rest = pieces(pos, us, ROOK)
    while set_any(rest):
        s = pop_first(&rest)
        targets = rook_attacks(pos, s)
        e.by_kind[us][ROOK] |= targets
        e.pressure[them] += set_count(targets & PALACE[them])
        count_term(e, us, T_ROOK_MOBILITY + set_count(targets & safe), 1)
    rest = pieces(pos, us, KNIGHT)
    while set_any(rest):
        s = pop_first(&rest)
        targets = knight_attacks(pos, s)
        e.by_kind[us][KNIGHT] |= targets
        e.pressure[them] += set_count(targets & PALACE[them])
        count_term(e, us, T_KNIGHT_MOBILITY + set_count(targets & safe), 1)
    rest = pieces(pos, us, CANNON)
    while set_any(rest):
        s = pop_first(&rest)
        targets = cannon_attacks(pos, s)
        e.by_kind[us][CANNON] |= targets
        e.pressure[them] += set_count(targets & PALACE[them])
        targets = (targets & occ) | (rook_attacks(pos, s) & ~occ)
        count_term(e, us, T_CANNON_MOBILITY + set_count(targets & safe), 1)
    rest = pieces(pos, us, ADVISOR)
    while set_any(rest):
        e.by_kind[us][ADVISOR] |= advisor_attacks(us, pop_first(&rest))
    rest = pieces(pos, us, BISHOP)
    while set_any(rest):
        e.by_kind[us][BISHOP] |= bishop_attacks(pos, us, pop_first(&rest))
    e.by_kind[us][KING] = KING_TO[pos.king[us]]
    for kind in range(KING, PAWN + 1):
        e.attacked[us] |= e.by_kind[us][kind]


cdef inline void eval_king(const Position* pos, Eval* e, int us) noexcept nogil:
    """Dangers to the enemy king: pressure, cannons on its lines, checks at hand."""
    cdef int them = us ^ 1, k = pos.king[them], c, n
    cdef SquareBits occ = occupied(pos), rest, reach, safe
    cdef int advisors = count_up_to(2, pieces(pos, them, ADVISOR))
    cdef bint rook = set_any(pieces(pos, us, ROOK))
    count_term(e, us, T_PRESSURE + 16 * advisors + min(e.pressure[them], 15), 1)
    rest = pieces(pos, us, CANNON) & LINES[k]
    while set_any(rest):
        c = pop_first(&rest)
        n = min(set_count(BETWEEN[k][c] & occ), 3)
        if file_of(c) == file_of(k):
            count_term(e, us, T_CANNON_ON_FILE + 4 * rook + n, 1)
        else:
            count_term(e, us, T_CANNON_ON_RANK + 4 * rook + n, 1)
    safe = ~pos.by_side[us] & ~e.attacked[them]
    reach = rook_attacks(pos, k)
    count_term(e, us, T_ROOK_CHECK, set_count(reach & e.by_kind[us][ROOK] & safe))
    count_term(e, us, T_KNIGHT_CHECK,
               set_count(KNIGHT_FROM[k][eyes_at(occ, k)] & e.by_kind[us][KNIGHT] & safe))


cdef inline void eval_threats(const Position* pos, Eval* e, int us) noexcept nogil:
    """Enemy pieces under attack, own pieces protected or pinned."""
    cdef int them = us ^ 1, kind
    cdef SquareBits enemy = pos.by_side[them], own = pos.by_side[us], targets
    cdef SquareBits light = e.by_kind[us][PAWN] | e.by_kind[us][ADVISOR] | e.by_kind[us][BISHOP]
    cdef SquareBits middle = e.by_kind[us][KNIGHT] | e.by_kind[us][CANNON]
    for kind in range(ADVISOR, PAWN + 1):
        targets = enemy & pos.by_type[kind] & e.attacked[us]
        if set_any(targets):
            count_term(e, us, T_HANGING + kind, set_count(targets & ~e.attacked[them]))
            if KNIGHT <= kind <= CANNON:
                count_term(e, us, T_THREAT_BY_LIGHT + kind, set_count(targets & light))
            if kind == ROOK:
                count_term(e, us, T_THREAT_BY_MINOR, set_count(targets & middle & e.attacked[them]))
        if kind >= KNIGHT:
            targets = own & pos.by_type[kind]
            count_term(e, us, T_PROTECTED + kind, set_count(targets & e.attacked[us]))
            count_term(e, us, T_PINNED + kind, set_count(targets & e.blockers[us]))


cdef inline void eval_structure(const Position* pos, Eval* e, int us) noexcept nogil:
    """What the counts of guards and attackers mean together, pawns and open files."""
    cdef int them = us ^ 1, s
    cdef int advisors = count_up_to(2, pieces(pos, us, ADVISOR)), bishops = count_up_to(2, pieces(pos, us, BISHOP))
    cdef int rooks = count_up_to(2, pieces(pos, them, ROOK)), cannons = count_up_to(2, pieces(pos, them, CANNON))
    cdef int knights = count_up_to(2, pieces(pos, them, KNIGHT))
    cdef SquareBits crossed = pieces(pos, us, PAWN) & ~HALF[us], rest
    cdef int enemy_crossed = count_up_to(3, pieces(pos, them, PAWN) & ~HALF[them])
    count_term(e, us, T_ADVISORS_ROOKS + 3 * advisors + rooks, 1)
    count_term(e, us, T_ADVISORS_CANNONS + 3 * advisors + cannons, 1)
    count_term(e, us, T_ADVISORS_KNIGHTS + 3 * advisors + knights, 1)
    count_term(e, us, T_BISHOPS_CANNONS + 3 * bishops + cannons, 1)
    count_term(e, us, T_BISHOPS_PAWNS + 4 * bishops + enemy_crossed, 1)
    count_term(e, us, T_CROSSED_PAWNS + count_up_to(5, crossed), 1)
    count_term(e, us, T_CROSSED_PAIR, set_count(crossed & (crossed << 1) & ~FILE_A))
    rest = pieces(pos, us, ROOK)
    while set_any(rest):
        s = pop_first(&rest)
        if not set_any(pieces(pos, us, PAWN) & (FILE_A << file_of(s))):
            count_term(e, us, T_ROOK_OPEN_FILE, 1)


cdef inline int army_of(const Position* pos, int side) noexcept nogil:
    """Rooks, knights and cannons as an index of [3][3][3]."""
    return (9 * count_up_to(2, pieces(pos, side, ROOK)) + 3 * count_up_to(2, pieces(pos, side, KNIGHT))
            + count_up_to(2, pieces(pos, side, CANNON)))


cdef inline void eval_imbalance(const Position* pos, Eval* e, int us) noexcept nogil:
    """What pieces are worth in the company of others: both armies, pawns, guards, screens."""
    cdef int them = us ^ 1, army = army_of(pos, us), pawns = count_up_to(5, pieces(pos, us, PAWN))
    cdef int guards = count_up_to(4, pos.by_side[them] & (pos.by_type[ADVISOR] | pos.by_type[BISHOP]))
    count_term(e, us, T_ARMY_PAWNS + 6 * army + pawns, 1)
    count_term(e, us, T_ARMY_ENEMY_PAWNS + 6 * army + count_up_to(5, pieces(pos, them, PAWN)), 1)
    count_term(e, us, T_ARMIES + 27 * army + army_of(pos, them), 1)
    count_term(e, us, T_PAWNS_GUARDS + 5 * pawns + guards, 1)
    count_term(e, us, T_CANNON_SCREENS + set_count(occupied(pos)) // 4, set_count(pieces(pos, us, CANNON)))


cdef int64_t sum_squares(const Classic* c, const Position* pos) noexcept nogil:
    """What all pieces are worth on their squares, red minus black; a search keeps it up to date from move to move."""
    cdef SquareBits rest = occupied(pos)
    cdef int64_t sum = 0
    cdef int s
    while set_any(rest):
        s = pop_first(&rest)
        sum += c.square[pos.board[s]][s]
    return sum


cdef inline int64_t squares_after(const Classic* c, int64_t sum, const Position* pos, move_t m) noexcept nogil:
    """sum_squares of the position that m leads to, from that of this one."""
    cdef int src = src_of(m), dst = dst_of(m)
    cdef const int64_t* square = c.square[pos.board[src]]
    return sum + square[dst] - square[src] - c.square[pos.board[dst]][dst]


cdef int classic_evaluate(const Classic* c, const Position* pos, int64_t squares, Trace* trace) noexcept nogil:
    """Centipawns for the side to move. squares: sum_squares of the position. Fills trace unless NULL."""
    cdef Eval e
    cdef SquareBits checkers
    cdef int score, phase, mg, eg, us = pos.side
    memset(&e, 0, sizeof(Eval))
    if trace != NULL:
        memset(trace, 0, sizeof(Trace))
    e.classic = c
    e.sum = squares
    e.trace = trace
    e.blockers[us] = pos.st.blockers
    find_checks(pos, us ^ 1, &checkers, &e.blockers[us ^ 1])
    eval_attacks(pos, &e, RED)
    eval_attacks(pos, &e, BLACK)
    eval_king(pos, &e, RED)
    eval_king(pos, &e, BLACK)
    eval_threats(pos, &e, RED)
    eval_threats(pos, &e, BLACK)
    eval_structure(pos, &e, RED)
    eval_structure(pos, &e, BLACK)
    eval_imbalance(pos, &e, RED)
    eval_imbalance(pos, &e, BLACK)
    count_term(&e, us, T_TEMPO, 1)
    eg = <int32_t>e.sum
    mg = <int>((e.sum - eg) >> 32)
    phase = min(pos.phase, MAX_PHASE)
    score = (mg * phase + eg * (MAX_PHASE - phase)) // MAX_PHASE
    if trace != NULL:
        trace.scale = eval_scale(pos, RED if score > 0 else BLACK)
    score = scaled_score(pos, score if us == RED else -score)
    if trace != NULL:
        trace.mg = mg
        trace.eg = eg
        trace.phase = phase
        trace.score = score
    return score


cdef int classic_anew(const Classic* c, const Position* pos) noexcept nogil:
    """Centipawns for the side to move of any position."""
    return classic_evaluate(c, pos, sum_squares(c, pos), NULL)
