# search/history.pxi - what a worker learns: which moves did well, and how far evaluations were off.
#
# Uses: search/constants, search/worker.
# History scores move towards a bonus and decay on the way: h += b - h * |b| / limit, so that
# they stay within the limit and recent results count most. Of workers that write one score at once, one is heard.

cdef enum:
    HISTORY_LIMIT = 8192
    CAPTURE_LIMIT = 10240
    CONTINUATION_LIMIT = 16384
    CORRECTION_LIMIT = 1024
    BONUS_LINEAR = 32            # of a history bonus, for each ply
    BONUS_BASE = 16


cdef inline Frame* find_attacks(Worker* w, int ply) noexcept nogil:
    """The frame of the node, with what the opponent's cheaper pieces attack there: looked for once."""
    cdef Frame* f = frame_at(w, ply)
    if not f.attacks_known:
        f.attacks_known = True
        f.below_minors = pawn_and_guard_attacks(&w.pos, w.pos.side ^ 1)
        f.below_rooks = f.below_minors | knight_and_cannon_attacks(&w.pos, w.pos.side ^ 1)
    return f


cdef inline int16_t* butterfly(Worker* w, int side, move_t m, SquareBits attacked) noexcept nogil:
    """The history of a quiet move of side, by its squares and by whether what costs less than a rook attacks them."""
    cdef int src = src_of(m), dst = dst_of(m)
    return &w.moves.butterfly[side][src * SQUARES + dst][2 * set_has(attacked, src) + set_has(attacked, dst)]


cdef inline void add_history(int16_t* h, int bonus, int limit) noexcept nogil:
    cdef int old = short_get(h)
    short_set(h, <int16_t>(old + bonus - old * (bonus if bonus >= 0 else -bonus) // limit))


cdef void update_continuation(Worker* w, int ply, int piece, int dst, int bonus) noexcept nogil:
    """Credit the move to those one and two plies before it; by half, unless in check, to those four and six before."""
    cdef int[4] back = [1, 2, 4, 6]
    cdef int i
    cdef bint recent
    cdef Frame* f
    for i in range(4):
        recent = back[i] <= 2
        if not recent and frame_at(w, ply).in_check:
            break
        f = frame_at(w, ply - back[i])
        if f.move != NO_MOVE:
            add_history(&f.cont[piece * SQUARES + dst], bonus if recent else bonus // 2, CONTINUATION_LIMIT)


cdef inline int correction(Worker* w) noexcept nogil:
    """How far the static evaluation of positions like this one was off, in centipawns."""
    cdef const State* st = w.pos.st
    cdef int us = w.pos.side, total
    total = (CORRECTION_PAWNS * w.pawn_correction[us][st.pawn_key & (CORRECTION_SIZE - 1)]
             + CORRECTION_MINORS * w.minor_correction[us][st.minor_key & (CORRECTION_SIZE - 1)]
             + CORRECTION_MAJORS * (w.major_correction[us][0][st.major_key[us] & (CORRECTION_SIZE - 1)]
                                    + w.major_correction[us][1][st.major_key[us ^ 1] & (CORRECTION_SIZE - 1)]))
    return total // CORRECTION_PARTS


cdef void update_correction(Worker* w, int depth, int difference) noexcept nogil:
    """difference: the searched value minus the static evaluation."""
    cdef const State* st = w.pos.st
    cdef int us = w.pos.side
    cdef int most = w.params.correction_step
    cdef int bonus = max(-most, min(most, difference * depth // CORRECTION_DEPTH))
    add_history(&w.pawn_correction[us][st.pawn_key & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    add_history(&w.minor_correction[us][st.minor_key & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    add_history(&w.major_correction[us][0][st.major_key[us] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    add_history(&w.major_correction[us][1][st.major_key[us ^ 1] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)


cdef void clear_histories(Worker* w) noexcept nogil:
    memset(&w.own_moves, 0, sizeof(MoveHistories))
    memset(w.pawn_correction, 0, sizeof(w.pawn_correction))
    memset(w.minor_correction, 0, sizeof(w.minor_correction))
    memset(w.major_correction, 0, sizeof(w.major_correction))


cdef inline int bonus_at(const Parameters* P, int depth) noexcept nogil:
    return min(P.bonus_square * depth * depth + BONUS_LINEAR * depth + BONUS_BASE, P.bonus_limit)


cdef void update_quiet_histories(Worker* w, int ply, move_t best, const move_t* quiets, int n,
                                 int depth) noexcept nogil:
    """Reward the quiet move that failed high and blame those that were tried before it."""
    cdef const Parameters* P = w.params
    cdef const Position* pos = &w.pos
    cdef Frame* f = find_attacks(w, ply)
    cdef int us = pos.side, i
    cdef int bonus = bonus_at(P, depth)
    if f.killers[0] != best:
        f.killers[1] = f.killers[0]
        f.killers[0] = best
    add_history(butterfly(w, us, best, f.below_rooks), bonus, HISTORY_LIMIT)
    update_continuation(w, ply, pos.board[src_of(best)], dst_of(best), bonus)
    for i in range(n):
        if quiets[i] != best:
            add_history(butterfly(w, us, quiets[i], f.below_rooks), -bonus, HISTORY_LIMIT)
            update_continuation(w, ply, pos.board[src_of(quiets[i])], dst_of(quiets[i]), -bonus)


cdef void update_capture_histories(Worker* w, move_t best, const move_t* captures, int n, int depth) noexcept nogil:
    cdef const Parameters* P = w.params
    cdef const Position* pos = &w.pos
    cdef int i
    cdef int bonus = bonus_at(P, depth)
    if is_capture(pos, best):
        add_history(&w.moves.captures[pos.board[src_of(best)]][dst_of(best)][type_of(pos.board[dst_of(best)])],
                    bonus, CAPTURE_LIMIT)
    for i in range(n):
        if captures[i] != best:
            add_history(&w.moves.captures[pos.board[src_of(captures[i])]][dst_of(captures[i])]
                        [type_of(pos.board[dst_of(captures[i])])], -bonus, CAPTURE_LIMIT)
