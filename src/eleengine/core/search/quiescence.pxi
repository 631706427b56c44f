# search/quiescence.pxi - the search at the leaves: captures, a first check, and answers to checks.
#
# Uses: search/node, search/movepick.


cdef int qsearch(Worker* w, int alpha, int beta, int ply, bint checks) noexcept nogil:
    """Settle captures, and checks by answering them, before trusting the evaluation.

    checks: quiet moves that give check are tried, too; those that follow are captures only.
    """
    cdef const Parameters* P = w.params
    cdef Position* pos = &w.pos
    cdef Frame* f = frame_at(w, ply)
    cdef Picker picker
    cdef Probe tt
    cdef bint pv = beta - alpha > 1, selective = w.shared.selective, hit, in_check
    cdef int best, value, raw, futility, n = 0, quiets = 0, old_alpha = alpha
    cdef move_t m, best_move = NO_MOVE
    f.pv_n = 0
    w.nodes += 1
    if w.nodes >= w.next_check:
        check_limits(w)
    if stopped(w):
        return 0
    if pv and ply > w.seldepth:
        w.seldepth = ply

    # Step 1. Ends of the game that need no search.
    value = search_verdict(pos, ply, w.shared.rule_set, w.shared.no_capture_limit)
    if value != NO_VERDICT and not value & NOT_FINAL:
        return verdict_value(w, value, ply)
    if w.shared.tables != NULL:
        value = table_score(w, ply)
        if value != NO_EVAL:
            return value
    in_check = set_any(pos.st.checkers)
    if ply >= MAX_PLY - 1:
        return 0 if in_check else static_eval(w)

    # Step 2. Table. By the time that the evaluation is ready, the entry has come from memory, too.
    raw = NO_EVAL if in_check else static_eval(w)
    hit = tt_probe(&w.shared.table, pos.st.key, &tt)
    if hit:
        tt.value = from_table(tt.value, ply)
        if not pv and selective and tt.bound & (BOUND_LOWER if tt.value >= beta else BOUND_UPPER):
            return tt.value

    # Step 3. Stand pat: not capturing is an option, unless in check.
    if in_check:
        best = -INFINITE
        futility = -INFINITE
    else:
        best = corrected(w, raw)
        # A mate must be found again, or its last move is missing in the principal variation.
        if (hit and selective and -MATE_BOUND < tt.value < MATE_BOUND
                and tt.bound & (BOUND_LOWER if tt.value > best else BOUND_UPPER)):
            best = tt.value
        if best >= beta:
            if not hit:
                store_tt(w, pos.st.key, ply, NO_MOVE, best, raw, 0, BOUND_LOWER, False)
            return best
        if best > alpha:
            alpha = best
        futility = best + P.quiescence_margin

    # Step 4. Captures and perhaps checks, or all evasions.
    picker_init(&picker, w, ply, tt.move if hit else NO_MOVE, WANT_CHECKS if checks and selective else WANT_CAPTURES, 0)
    while True:
        m = pick_next(&picker, w)
        if m == NO_MOVE:
            break
        if not is_legal(pos, m):
            continue
        n += 1
        if best > -MATE_BOUND and selective:
            if in_check:
                # Two quiet answers that do not lose are enough to know that there are some.
                if pos.board[dst_of(m)] == EMPTY:
                    quiets += 1
                    if quiets > 2:
                        continue
            elif pos.board[dst_of(m)] == EMPTY:
                if not see_ge(pos, m, 0):
                    continue
            else:
                value = futility + SEE_VALUE[type_of(pos.board[dst_of(m)])]
                if value <= alpha:
                    best = max(best, value)
                    continue
                if futility <= alpha and not see_ge(pos, m, 1):
                    best = max(best, futility)
                    continue
        push_move(w, ply, m)
        value = -qsearch(w, -beta, -alpha, ply + 1, False)
        pop_move(w)
        if stopped(w):
            return 0
        if value > best:
            best = value
            if value > alpha:
                best_move = m
                if pv:
                    copy_pv(f, m, f + 1)
                if value >= beta:
                    break
                alpha = value

    # Step 5. No evasion: mated. (A stalemate is left to the main search.)
    if in_check and n == 0:
        return -MATE + ply
    store_tt(w, pos.st.key, ply, best_move, best, raw, 0,
             BOUND_LOWER if best >= beta else BOUND_EXACT if pv and best > old_alpha else BOUND_UPPER, False)
    return best
