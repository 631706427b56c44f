# search/node.pxi - what the search does at every node: moves on the path, scores of verdicts, the table.
#
# Uses: search/history, search/timeman, board/threats, rules/repetition, tables/probe.
# Scores are centipawns for the side to move; depths and plies are half moves. A search that was
# stopped returns a value that means nothing: nobody stores or compares it.


cdef inline void store_tt(Worker* w, uint64_t key, int ply, move_t move, int value, int eval, int depth, int bound,
                          bint pv) noexcept nogil:
    if not path_dependent(value):
        tt_store(&w.shared.table, key, move, to_table(value, ply), eval, depth, bound, pv)


cdef inline void copy_pv(Frame* f, move_t m, const Frame* child) noexcept nogil:
    f.pv[0] = m
    memcpy(&f.pv[1], child.pv, child.pv_n * sizeof(move_t))
    f.pv_n = child.pv_n + 1


cdef inline void begin_frame(Frame* f) noexcept nogil:
    """Nothing is known of the position of a new node."""
    f.threatened = -1
    f.attacks_known = False


cdef inline void push_move(Worker* w, int ply, move_t m) noexcept nogil:
    """Play m on the worker's path."""
    cdef Frame* f = frame_at(w, ply)
    f.move = m
    begin_frame(f + 1)
    f.cont = w.moves.continuation[w.pos.board[src_of(m)] * SQUARES + dst_of(m)]
    # Memory takes as long to answer as do_move and the evaluation take: ask before them.
    ele_prefetch(tt_cluster(&w.shared.table, key_after(&w.pos, m)))
    eval_enter(&w.eval, &w.pos, m)
    do_move(&w.pos, m)


cdef inline void pop_move(Worker* w) noexcept nogil:
    undo_move(&w.pos)
    eval_leave(&w.eval)


cdef inline int draw_score(const Worker* w) noexcept nogil:
    """Nearly zero: a little noise keeps the search from seeing all draws as one."""
    cdef int noise = w.params.draw_noise
    return <int>(w.nodes & noise) - noise // 2


cdef inline int verdict_value(const Worker* w, int verdict, int ply) noexcept nogil:
    """The score of a verdict that is final."""
    if verdict == VERDICT_WIN:
        return BAN - ply
    if verdict == VERDICT_LOSS:
        return -BAN + ply
    return UNSAFE_DRAW if verdict & UNSAFE else draw_score(w)


cdef int table_score(Worker* w, int ply) noexcept nogil:
    """What an endgame table says of the position `ply` plies below the root; NO_EVAL if it cannot be relied on.

    A win that may need more plies than are left without a capture is relied on if captures come in time, and then
    announced as the longest one. A draw that the rules of repetition may turn into a loss is not relied on.
    """
    cdef const Position* pos = &w.pos
    cdef const TableSet* tables = w.shared.tables
    cdef int value, plies
    if set_count(occupied(pos)) > tables.most_pieces:
        return NO_EVAL
    value = probe_tables(tables, pos, LAYER_DTM)
    if value < 0:
        return NO_EVAL
    if value == TABLE_DRAW:
        if not w.shared.table_draws or not is_draw_certain(tables, pos):
            return NO_EVAL
        w.table_hits += 1
        return draw_score(w)
    plies = value - 1
    if pos.st.rule60 + plies >= w.shared.no_capture_limit:
        plies = plies_by_captures(tables, pos, w.shared.no_capture_limit)
    if plies < 0 or ply + plies > MATE - MATE_BOUND:
        return NO_EVAL
    w.table_hits += 1
    return mated_in(ply + plies) if value & 1 else mate_in(ply + plies)


cdef inline int static_eval(Worker* w) noexcept nogil:
    return evaluate(&w.eval, &w.pos)


cdef inline int corrected(Worker* w, int uncorrected) noexcept nogil:
    """The static evaluation with what the correction histories say of positions like this one."""
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, uncorrected + correction(w)))


cdef bint is_threatened(Worker* w, Frame* f) noexcept nogil:
    """Is the side to move, whose frame this is, about to be mated by one move?

    Only a king without flight is looked at: that is quick, and hardly any other is mated at once.
    """
    cdef Position* pos = &w.pos
    if f.threatened < 0:
        f.threatened = not set_any(pos.st.checkers) and no_flight(pos) and can_mate_after_pass(pos)
    return f.threatened
