# search/negamax.pxi - principal-variation search of one worker, in numbered steps.
#
# Uses: search/quiescence, search/root, search/pruning.
# Each step says its idea, when it applies, and what the engine loses without it in games at equal nodes
# (docs/search-algorithm.md has the conditions of these matches and what else was tried).

cdef enum:
    NO_VALUE = INFINITE + 1      # instead of a value: the move was pruned
    DEFERRED = INFINITE + 2      # another worker is searching the move
    MAX_DEFERRED = 48


cdef struct Deferred:            # moves of a node that were put off
    int n
    move_t moves[MAX_DEFERRED]
    int numbers[MAX_DEFERRED]    # among the moves of the node


cdef int search(Worker* w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    """The value of the position within (alpha, beta), fail-soft, searched to depth plies."""
    cdef const Parameters* P = w.params
    cdef Position* pos = &w.pos
    cdef Frame* f = frame_at(w, ply)
    cdef Frame* child = f + 1
    cdef Shared* s = w.shared
    cdef Picker picker
    cdef Node node
    cdef bint root = ply == 0, pv = beta - alpha > 1
    cdef int value, ev, margin

    # Step 1. Leaf: settle captures and checks before trusting the evaluation.
    if depth <= 0:
        return qsearch(w, alpha, beta, ply, P.quiescence_checks)
    f.pv_n = 0
    if count_node(w):
        return 0
    if pv and ply > w.seldepth:
        w.seldepth = ply
    node.in_check = f.in_check = set_any(pos.st.checkers)

    # Step 2. Ends of the game that need no search. Without the values of loops entered once: -23 [-54, +7] Elo;
    # without mate-distance pruning: -1 [-26, +23] Elo; without tables: -3 [-18, +11] Elo.
    if not root:
        # Repetition, move limit and bare material.
        value = search_verdict(pos, ply, s.rule_set, s.no_capture_limit)
        if value & NOT_FINAL:
            # The loser can still leave the loop: he has a draw at best if he stays.
            if value & VERDICT_WIN == VERDICT_WIN:
                alpha = max(alpha, draw_score(w))
            else:
                beta = min(beta, draw_score(w))
            if alpha >= beta:
                return alpha
        elif value != NO_VERDICT:
            return verdict_value(w, value, ply)
        if ply >= MAX_PLY - 1:
            return 0 if node.in_check else static_eval(w)
        # Mate-distance pruning: nothing beyond the nearest mate counts.
        alpha = max(alpha, mated_in(ply))
        beta = min(beta, mate_in(ply + 1))
        if alpha >= beta:
            return alpha
        # Endgame tables.
        if s.tables != NULL and f.excluded == NO_MOVE:
            value = table_score(w, ply)
            if value != NO_EVAL:
                return value
    child.excluded = NO_MOVE
    (f + 2).cutoffs = 0
    (f + 2).killers[0] = (f + 2).killers[1] = NO_MOVE
    f.double_extensions = (f - 1).double_extensions if not root else 0

    node.alpha = alpha
    node.beta = beta
    node.depth = depth
    node.ply = ply
    node.pv = pv
    node.cut_node = cut_node
    node.excluded = f.excluded

    # Step 3. Transposition table: an entry that is deep enough and whose bound decides ends a node with a null window.
    # The table knows neither the moves left before the no-capture limit nor, in a singular search, the excluded move.
    # Without these cutoffs: -101 [-132, -71] Elo.
    node.hit = tt_probe(&s.table, pos.st.key, &node.tt)
    if node.hit:
        node.tt.value = from_table(node.tt.value, ply)
    node.tt_move = w.root[w.pv_index].move if root else node.tt.move if node.hit else NO_MOVE
    node.tt_capture = node.tt_move != NO_MOVE and is_capture(pos, node.tt_move)
    if node.excluded == NO_MOVE:
        f.tt_pv = pv or (node.hit and node.tt.pv)
    if (not pv
            and node.excluded == NO_MOVE
            and node.hit
            and node.tt.depth >= depth
            and depth >= P.table_cut_depth
            and pos.st.rule60 < s.no_capture_limit - NEAR_LIMIT
            and bound_decides(&node.tt, beta)):
        if (node.tt_move != NO_MOVE
                and node.tt.value >= beta
                and not node.tt_capture
                and is_pseudo_legal(pos, node.tt_move)):
            update_quiet_histories(w, ply, node.tt_move, NULL, 0, depth)
        return node.tt.value

    # Step 4. Static evaluation.
    ev = evaluate_node(w, &node)

    # Steps 5 to 7 end nodes with a null window without looking at all moves.
    if not pv and not node.in_check and node.excluded == NO_MOVE:

        # Step 5. Reverse futility pruning: so far ahead near the leaves that the opponent will not come back in time.
        # Not where the position has been on a principal variation, not where a quiet move would mate, and not near
        # mates, where evaluations do not count.
        # Without it: -76 [-113, -41] Elo; without the look for threats of mate: 0 [-30, +29] Elo, but quiet mates
        # are found later.
        if (depth <= P.rfp_max_depth
                and not f.tt_pv
                and not is_win(ev)
                and not is_loss(beta)):
            margin = P.rfp_depth * depth - P.rfp_improving * node.improving
            if ev - margin >= beta and not is_threatened(w, f):
                return (ev + beta) // 2 if has_legal_move(pos) else mated_in(ply)

        # Step 6. Null move pruning.
        if may_pass(w, &node, ev):
            value = try_null_move(w, &node, ev)
            if value != NO_VALUE:
                return value

        # Step 7. ProbCut.
        margin = beta + P.probcut_margin - P.probcut_improving * node.improving
        if (depth >= P.probcut_min_depth
                and not is_decisive(beta)
                and not expects_less(&node, margin)):
            value = try_probcut(w, &node, &picker, margin)
            if value != NO_VALUE:
                return value

    # Step 8. Internal iterative reduction: the search of a node without a table move goes astray for long; a ply
    # less now finds such a move for the next time. Not where a fail low is expected: all moves are searched there.
    # Without it: +15 [-16, +45] Elo at 4,000 nodes, -28 [-65, +10] Elo at 40,000.
    if (depth >= P.iir_min_depth
            and node.tt_move == NO_MOVE
            and (pv or cut_node)):
        node.depth -= 1

    node.best = -INFINITE
    node.best_move = NO_MOVE
    node.can_attack = can_attack(pos)
    node.deferring = node.depth >= BUSY_DEPTH and flag_get(&s.deferring)
    node.team_research = node.proven = False
    node.picker = &picker
    node.n_quiets = node.n_captures = 0
    return search_moves(w, &node)


cdef int try_null_move(Worker* w, Node* node, int ev) noexcept nogil:
    """Step 6, null move pruning: if a reduced search still fails high after passing, so would some move.

    Deep ones are verified by a search without null moves in its first plies. Returns a value, or NO_VALUE to go on.
    Without it: -15 [-51, +21] Elo.
    """
    cdef const Parameters* P = w.params
    cdef Position* pos = &w.pos
    cdef Frame* f = frame_at(w, node.ply)
    cdef int beta = node.beta, ply = node.ply, value, verified
    cdef int depth = (node.depth - P.null_base - node.depth // NULL_DEPTH_PARTS
                      - min((ev - beta) // P.null_score, NULL_SCORE_PLIES))
    f.move = NO_MOVE
    f.cont = w.moves.continuation[0]
    begin_frame(f + 1)
    ele_prefetch(tt_cluster(&w.shared.table, pos.st.key ^ ZOBRIST_SIDE))
    eval_pass(&w.eval)
    do_null(pos)
    value = -search(w, -beta, -beta + 1, depth, ply + 1, False)
    undo_null(pos)
    eval_leave(&w.eval)
    if stopped(w):
        return 0
    if value < beta:
        return NO_VALUE
    if is_win(value) or path_dependent(value):       # what follows a pass proves no mate and no verdict
        value = beta
    if w.null_ply > 0 or node.depth < P.null_verify_depth:
        return value
    w.null_ply = ply + VERIFIED_QUARTERS * depth // 4
    verified = search(w, beta - 1, beta, depth, ply, False)
    w.null_ply = 0
    if stopped(w):
        return 0
    return value if verified >= beta else NO_VALUE


cdef int try_probcut(Worker* w, Node* node, Picker* picker, int margin) noexcept nogil:
    """Step 7, ProbCut: a capture that beats beta by a margin at a reduced depth beats beta, too, nearly always.

    Only captures whose exchange makes up the margin; quiescence first, for it is cheap. Returns a value, or NO_VALUE
    to go on. Without it: +2 [-29, +34] Elo.
    """
    cdef Position* pos = &w.pos
    cdef Frame* f = frame_at(w, node.ply)
    cdef int ply = node.ply, value
    cdef move_t m
    picker_init(picker, w, ply, node.tt_move, WANT_WINNING, margin - f.static_eval)
    while True:
        m = pick_next(picker, w)
        if m == NO_MOVE:
            return NO_VALUE
        if not is_legal(pos, m):
            continue
        push_move(w, ply, m)
        value = -qsearch(w, -margin, -margin + 1, ply + 1, w.params.quiescence_checks)
        if value >= margin:
            value = -search(w, -margin, -margin + 1, node.depth - PROBCUT_LESS, ply + 1, not node.cut_node)
        pop_move(w)
        if stopped(w):
            return 0
        if value >= margin:
            # To the depth of the reply and the capture itself.
            store_tt(w, pos.st.key, ply, m, value, node.uncorrected_eval, node.depth - PROBCUT_LESS + 1,
                     BOUND_LOWER, f.tt_pv)
            return value


cdef int search_moves(Worker* w, Node* node) noexcept nogil:
    """Steps 9 to 15: the value of the node out of its moves."""
    cdef Shared* s = w.shared
    cdef Deferred deferred
    cdef move_t m
    cdef uint64_t nodes_before
    cdef bint root = node.ply == 0
    cdef int value, n = 0

    # Step 9. The moves, one after the other.
    deferred.n = 0
    if not root:
        picker_init(node.picker, w, node.ply, node.tt_move, WANT_ALL, 0)
    while True:
        m = next_root_move(w, n) if root else pick_next(node.picker, w)
        if m == NO_MOVE:
            break
        if m == node.excluded or not (root or is_legal(&w.pos, m)):
            continue
        n += 1
        node.extension = 0
        if may_be_singular(w, node, m):
            value = extend_singular(w, node)
            if stopped(w) or value != NO_VALUE:
                return value
        nodes_before = team_nodes(w) if root else 0
        value = search_move(w, node, m, n, n > 1 and deferred.n < MAX_DEFERRED)
        if root:
            w.root[w.pv_index + n - 1].nodes += team_nodes(w) - nodes_before
        if stopped(w):
            return 0
        if value == DEFERRED:
            deferred.moves[deferred.n] = m
            deferred.numbers[deferred.n] = n
            deferred.n += 1
            continue
        if value == NO_VALUE:
            continue
        update_best(w, node, m, n, value, w)
        if root and w.number == 0:
            report_new_best(w)
        if node.best >= node.beta:
            break
        # On the principal variation all workers share out the moves behind the first.
        if (n == 1
                and node.pv
                and s.share_moves != NULL
                and w.number == 0
                and not s.splitting
                and node.depth >= s.split_depth):
            s.share_moves(w, node)
            if stopped(w):
                return 0
            break
    if deferred.n > 0:
        value = search_deferred(w, node, &deferred)
        if stopped(w) or value != NO_VALUE:
            return value
    return finish_node(w, node, n)


cdef int extend_singular(Worker* w, Node* node) noexcept nogil:
    """Step 10, singular extensions: if all moves but the table move fail low well below its value, it deserves more.

    They are searched to half of the depth. Two plies more if they fail far below. If they even reach beta, two moves
    refute the node: that is its value (multi-cut). Two plies less if the table move is good, but not alone.
    Returns a value, or NO_VALUE to go on with node.extension. Without all this: -19 [-53, +16] Elo; without double
    extensions: +10 [-23, +44] Elo; without negative ones: -8 [-41, +24] Elo.
    """
    cdef const Parameters* P = w.params
    cdef Frame* f = frame_at(w, node.ply)
    cdef bint was_pv = f.tt_pv and not node.pv
    cdef int margin = node.tt.value - node.depth * (SINGULAR_FORMER_PV if was_pv else 1) // SINGULAR_DIVISOR
    cdef int value
    f.excluded = node.tt_move
    value = search(w, margin - 1, margin, (node.depth - 1) // SINGULAR_DEPTH_DIVISOR, node.ply, node.cut_node)
    f.excluded = NO_MOVE
    if stopped(w):
        return 0
    if value < margin:
        node.extension = 1
        if (not node.pv
                and value < margin - P.singular_double
                and f.double_extensions < P.max_double_extensions):
            node.extension = 2
    elif value >= node.beta and not is_win(value):
        return value
    elif node.tt.value >= node.beta or node.cut_node:
        node.extension = NEGATIVE_EXTENSION
    # The singular search used this ply's frame: put back what it changed.
    f.pv_n = 0
    (f + 1).excluded = NO_MOVE
    return NO_VALUE


cdef int search_move(Worker* w, Node* node, move_t m, int n, bint may_defer) noexcept nogil:
    """Steps 11 and 12: the value of the n-th move of a node; NO_VALUE if it was pruned.

    DEFERRED if another worker is searching it and the caller may come back to it.
    """
    cdef const Parameters* P = w.params
    cdef Position* pos = &w.pos
    cdef Frame* f = frame_at(w, node.ply)
    cdef Frame* child = f + 1
    cdef int depth = node.depth, ply = node.ply, alpha = node.alpha
    cdef bint root = ply == 0, capture = is_capture(pos, m)
    cdef int index = pos.board[src_of(m)] * SQUARES + dst_of(m)
    cdef int new_depth = depth - 1 + node.extension, history = 0, r, reduced, value
    cdef uint64_t mark = 0
    cdef const RepetitionReply* repetition = repetition_reply(w.shared, m) if root else NULL
    if repetition != NULL and repetition.value <= alpha:
        child.pv_n = 0
        return repetition.value
    if not capture:
        history = (BUTTERFLY_WEIGHT * short_get(butterfly(w, pos.side, m, find_attacks(w, node.ply).below_rooks))
                   + short_get(&(f - 1).cont[index]) + short_get(&(f - 2).cont[index])
                   + short_get(&(f - 4).cont[index]))
    r = reduction(P, depth, n)
    if not node.improving:
        r += P.lmr_worsening

    # Step 11. Pruning at shallow depth, once a move is known that does not lose. Where only a (shorter) mate would
    # help, evaluations do not matter.
    if (not root
            and not is_loss(node.best)
            and not is_win(alpha)
            and node.can_attack
            and not node.proven
            and is_pruned(w, node, m, n, history, max(0, depth - 1 - r // ONE_PLY))):
        return NO_VALUE

    if node.deferring:
        mark = busy_mark(pos.st.key, m)
        if may_defer and is_busy(w.shared.busy, mark):
            return DEFERRED
        busy_add(w.shared.busy, mark)
    f.double_extensions = (f - 1).double_extensions + (node.extension >= 2) if not root else 0
    push_move(w, ply, m)

    # Step 12. Late move reductions: moves far behind in the order are searched shallower with a null window, again at
    # full depth if they beat alpha there, and with the open window if they beat it once more.
    # Without them: -81 [-116, -46] Elo.
    if depth >= P.lmr_min_depth and n > 1 + root:
        r = adjusted_reduction(w, node, m, history, capture, new_depth, r)
        reduced = max(1, min(new_depth - r // ONE_PLY, new_depth + node.pv))
        value = -search(w, -alpha - 1, -alpha, reduced, ply + 1, True)
        if value > alpha and reduced < new_depth and not stopped(w):
            if node.team_research:
                flag_set(&w.failed_high, 1)
            # A ply more or less than full depth, by how good it looks. Without: -17 [-48, +13] Elo.
            new_depth += value > node.best + P.deeper
            new_depth -= value < node.best + P.shallower
            if reduced < new_depth:
                value = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not node.cut_node)
    elif not node.pv or n > 1:
        value = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not node.cut_node)
    else:
        value = NO_VALUE
    if node.deferring:
        busy_remove(w.shared.busy, mark)
    if node.pv and (n == 1 or (value > alpha and not node.team_research)) and not stopped(w):
        value = -search(w, -node.beta, -alpha, new_depth, ply + 1, False)
    pop_move(w)
    if repetition != NULL and value > repetition.value:
        child.pv[0] = repetition.reply
        child.pv_n = 1
        return repetition.value
    if root and m == w.shared.mate.pv[0] and value < w.shared.mate.value:
        child.pv_n = w.shared.mate.pv_n - 1
        memcpy(child.pv, &w.shared.mate.pv[1], child.pv_n * sizeof(move_t))
        return w.shared.mate.value
    return value


cdef void update_best(Worker* w, Node* node, move_t m, int n, int value, const Worker* finder) noexcept nogil:
    """Is the n-th move of the node better than those before it? The finder has searched it."""
    cdef Frame* f = frame_at(w, node.ply)
    cdef const Frame* child = frame_at(<Worker*>finder, node.ply + 1)
    cdef bint exact
    if node.ply == 0:
        exact = node.alpha < value < node.beta
        note_root_move(w, w.pv_index + n - 1, value, n == 1 or value > node.alpha, exact, finder)
        if n > 1 and exact and w.number == 0:
            w.new_best = w.pv_index + n
    if value > node.best:
        node.best = value
        if value > node.alpha:
            node.best_move = m
            if node.pv and node.ply > 0:
                copy_pv(f, m, child)
            if value >= node.beta:
                f.cutoffs += 1 + (node.tt_move == NO_MOVE)   # a node without a table move counts twice
                return
            node.alpha = value
    if is_capture(&finder.pos, m):
        if node.n_captures < NOTED_CAPTURES:
            node.captures[node.n_captures] = m
            node.n_captures += 1
    elif node.n_quiets < NOTED_QUIETS:
        node.quiets[node.n_quiets] = m
        node.n_quiets += 1


cdef int search_deferred(Worker* w, Node* node, const Deferred* deferred) noexcept nogil:
    """Step 13: the moves that other workers were searching, unless their results end the node.

    Returns a value if they do, else NO_VALUE.
    """
    cdef Probe tt
    cdef int i, value
    if (not node.pv
            and node.best < node.beta
            and node.excluded == NO_MOVE
            and node.depth >= w.params.table_cut_depth
            and tt_probe(&w.shared.table, w.pos.st.key, &tt)):
        tt.value = from_table(tt.value, node.ply)
        if tt.depth >= node.depth and bound_decides(&tt, node.beta):
            return tt.value
    for i in range(deferred.n):
        if node.best >= node.beta:
            break
        value = search_move(w, node, deferred.moves[i], deferred.numbers[i], False)
        if stopped(w):
            return 0
        if value != NO_VALUE:
            update_best(w, node, deferred.moves[i], deferred.numbers[i], value, w)
    return NO_VALUE


cdef void update_histories(Worker* w, const Node* node) noexcept nogil:
    """Reward the best move of a node, if there is one, and blame those tried before it; the worker is at the node."""
    cdef move_t best = node.best_move
    if best == NO_MOVE:
        return
    if not is_capture(&w.pos, best):
        update_quiet_histories(w, node.ply, best, node.quiets, node.n_quiets, node.depth)
    update_capture_histories(w, best, node.captures, node.n_captures, node.depth)


cdef int finish_node(Worker* w, Node* node, int n) noexcept nogil:
    """Steps 14 and 15: the value of a node after its n moves."""
    cdef const Position* pos = &w.pos
    cdef const Frame* f = frame_at(w, node.ply)
    cdef int best = node.best, depth = node.depth, bound
    cdef move_t best_move = node.best_move
    cdef bint quiet = best_move == NO_MOVE or not is_capture(pos, best_move)

    # Step 14. Without a move the side to move has lost, in check or not.
    if n == 0:
        return node.alpha if node.excluded != NO_MOVE else mated_in(node.ply)

    # Step 15. Learn and remember; but what some root moves are worth is not the value of the position.
    update_histories(w, node)
    if node.excluded != NO_MOVE or (node.ply == 0 and (w.pv_index > 0 or w.restricted)):
        return best
    bound = BOUND_LOWER if best >= node.beta else BOUND_EXACT if node.pv and best_move != NO_MOVE else BOUND_UPPER
    store_tt(w, pos.st.key, node.ply, best_move, best, node.uncorrected_eval, depth, bound, f.tt_pv)
    # The evaluation was off if the value lies, proven, on one side of it and no capture explains that.
    if (not node.in_check
            and quiet
            and not path_dependent(best)
            and not (bound == BOUND_LOWER and best <= f.static_eval)
            and not (best_move == NO_MOVE and best >= f.static_eval)):
        update_correction(w, depth, best - f.static_eval)
    return best
