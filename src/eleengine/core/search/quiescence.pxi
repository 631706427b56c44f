# search/quiescence.pxi - the search at the leaves: captures, a first check, and answers to checks.
#
# Uses: search/node, search/movepick.
# In numbered steps, with what the engine loses without them in games at equal nodes (docs/search-algorithm.md).


cdef int qsearch(Worker* w, int alpha, int beta, int ply, int check_plies) noexcept nogil:
    """Settle captures, and checks by answering them, before trusting the evaluation.

    check_plies: for that many plies quiet moves that give check are tried, too; then captures only.
    """
    cdef const Parameters* P = w.params
    cdef Position* pos = &w.pos
    cdef Frame* f = frame_at(w, ply)
    cdef Picker picker
    cdef Probe tt
    cdef bint pv = beta - alpha > 1, hit, in_check
    cdef int best, value, uncorrected, futility, n = 0, quiet_evasions = 0, old_alpha = alpha
    cdef move_t m, best_move = NO_MOVE
    f.pv_n = 0
    if count_node(w):
        return 0
    if pv and ply > w.seldepth:
        w.seldepth = ply

    # Step 1. Ends of the game that need no search: verdicts of the rules, endgame tables, the longest path.
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

    # Step 2. Transposition table, for nodes with a null window. By the time that the evaluation is ready, the entry has
    # come from memory, too.
    uncorrected = NO_EVAL if in_check else static_eval(w)
    hit = tt_probe(&w.shared.table, pos.st.key, &tt)
    if hit:
        tt.value = from_table(tt.value, ply)
        if (not pv
                and P.table_cut_depth <= 0
                and bound_decides(&tt, beta)):
            return tt.value

    # Step 3. Stand pat: making no capture is an option, unless in check. So the evaluation, or what the table knows
    # better, is a lower bound. Without evasions (standing pat in check, too): +12 [-20, +43] Elo.
    if in_check:
        best = -INFINITE
        futility = -INFINITE
    else:
        best = corrected(w, uncorrected)
        # A mate must be found again, or its last move is missing in the principal variation.
        if (hit
                and P.table_cut_depth <= 0
                and not is_decisive(tt.value)
                and bound_corrects(&tt, best)):
            best = tt.value
        if best >= beta:
            if not hit:
                store_tt(w, pos.st.key, ply, NO_MOVE, best, uncorrected, 0, BOUND_LOWER, False)
            return best
        if best > alpha:
            alpha = best
        futility = best + P.quiescence_margin

    # Step 4. Captures, at first quiet checks, or all evasions. Without quiet checks: -20 [-51, +12] Elo.
    picker_init(&picker, w, ply, tt.move if hit else NO_MOVE, WANT_CHECKS if check_plies > 0 else WANT_CAPTURES, 0)
    while True:
        m = pick_next(&picker, w)
        if m == NO_MOVE:
            break
        if not is_legal(pos, m):
            continue
        n += 1

        # Step 5. Pruning, once a move or standing pat is known that does not lose.
        if not is_loss(best):
            if in_check:
                # A few quiet answers that do not lose are enough to know that there are some.
                if not is_capture(pos, m):
                    quiet_evasions += 1
                    if quiet_evasions > P.quiescence_evasions:
                        continue
            elif not is_capture(pos, m):
                # Checks that lose the piece seldom mate.
                if not see_ge(pos, m, 0):
                    continue
            else:
                # Futility: what is captured, or an exchange that wins nothing, does not bring the evaluation to alpha.
                # Without it: +7 [-24, +38] Elo.
                value = futility + SEE_VALUE[type_of(pos.board[dst_of(m)])]
                if value <= alpha:
                    best = max(best, value)
                    continue
                if futility <= alpha and not see_ge(pos, m, 1):
                    best = max(best, futility)
                    continue

        push_move(w, ply, m)
        value = -qsearch(w, -beta, -alpha, ply + 1, check_plies - 1)
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

    # Step 6. No evasion: mated. (A stalemate is left to the main search.)
    if in_check and n == 0:
        return mated_in(ply)
    store_tt(w, pos.st.key, ply, best_move, best, uncorrected, 0,
             BOUND_LOWER if best >= beta else BOUND_EXACT if pv and best > old_alpha else BOUND_UPPER, False)
    return best
