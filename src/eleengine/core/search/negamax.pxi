# search/negamax.pxi - principal-variation search of one worker, in numbered steps.
#
# Uses: search/quiescence, search/root.

# Of late moves, in 1024ths of a ply: see reduction().
cdef int16_t REDUCTION[128]

cdef enum:
    NO_VALUE = INFINITE + 1      # instead of a value: the move was pruned
    DEFERRED = INFINITE + 2      # another worker is searching the move
    MAX_DEFERRED = 48
    NOTED_QUIETS = 64            # moves of a node that are blamed when a later one does better
    NOTED_CAPTURES = 32


cdef struct Node:                # what the moves of a node share while they are searched
    int alpha                    # raised by better moves
    int beta
    int depth
    int ply
    int raw                      # static evaluation before its correction, NO_EVAL in check
    int best                     # value of the best move so far
    int extension                # of the move about to be searched
    bint pv
    bint cut_node
    bint in_check
    bint improving
    bint can_attack              # the side to move, see can_attack()
    bint tt_capture              # the table move is a capture
    bint hit                     # the table knows the position: tt is valid
    bint deferring               # moves being searched by another worker may be put off
    bint regrouping              # a move that beats alpha is searched by all workers together
    bint proven                  # the move about to be searched has beaten alpha: it is not pruned
    move_t tt_move
    move_t excluded              # left out by a singular search
    move_t best_move
    Probe tt
    Picker* picker               # NULL where several workers share the moves out
    int n_quiets                 # tried so far
    int n_captures
    move_t quiets[NOTED_QUIETS]
    move_t captures[NOTED_CAPTURES]


cdef struct Deferred:            # moves of a node that were put off
    int n
    move_t moves[MAX_DEFERRED]
    int numbers[MAX_DEFERRED]    # among the moves of the node


cdef void fill_reductions() noexcept nogil:
    cdef int i
    for i in range(1, 128):
        REDUCTION[i] = <int16_t>(21.0 * 32 * log(i) + 0.5)


cdef int search(Worker* w, int alpha, int beta, int depth, int ply, bint cut_node) noexcept nogil:
    """The value of the position within (alpha, beta), fail-soft, searched to depth plies."""
    cdef const Parameters* P = w.params
    cdef Position* pos = &w.pos
    cdef Frame* f = frame_at(w, ply)
    cdef Frame* child = f + 1
    cdef Shared* s = w.shared
    cdef Picker picker
    cdef Probe tt
    cdef Node node
    cdef move_t m, tt_move, excluded = f.excluded
    cdef uint64_t key
    cdef bint pv = beta - alpha > 1, root = ply == 0, selective = s.selective
    cdef bint hit, in_check, improving, tt_capture
    cdef int value = 0, raw, ev, r, margin, h

    # Step 1. Leaf: settle captures before trusting the evaluation.
    if depth <= 0:
        return qsearch(w, alpha, beta, ply, True)
    f.pv_n = 0
    w.nodes += 1
    if w.nodes >= w.next_check:
        check_limits(w)
    if stopped(w):
        return 0
    if pv and ply > w.seldepth:
        w.seldepth = ply
    in_check = set_any(pos.st.checkers)
    f.in_check = in_check
    if not root:
        # Step 2. Repetition, move limit and bare material; nothing beyond the nearest mate counts. Endgame tables.
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
            return 0 if in_check else static_eval(w)
        alpha = max(alpha, -MATE + ply)
        beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            return alpha
        if s.tables != NULL and excluded == NO_MOVE:
            value = table_score(w, ply)
            if value != NO_EVAL:
                return value
    child.excluded = NO_MOVE
    (f + 2).cutoffs = 0
    (f + 2).killers[0] = (f + 2).killers[1] = NO_MOVE
    f.doubles = (f - 1).doubles if not root else 0

    # Step 3. Table.
    key = pos.st.key
    hit = tt_probe(&s.table, key, &tt)
    if hit:
        tt.value = from_table(tt.value, ply)
    tt_move = w.root[w.pv_index].move if root else tt.move if hit else NO_MOVE
    tt_capture = tt_move != NO_MOVE and pos.board[dst_of(tt_move)] != EMPTY
    if excluded == NO_MOVE:
        f.tt_pv = pv or (hit and tt.pv)
    if (selective and not pv and excluded == NO_MOVE and hit and tt.depth >= depth
            and pos.st.rule60 < s.no_capture_limit - NEAR_LIMIT
            and tt.bound & (BOUND_LOWER if tt.value >= beta else BOUND_UPPER)):
        if tt_move != NO_MOVE and tt.value >= beta and not tt_capture and is_pseudo_legal(pos, tt_move):
            update_quiet_histories(w, ply, tt_move, NULL, 0, depth)
        return tt.value

    # Step 4. Static evaluation, corrected by experience and by the table.
    if in_check:
        raw = NO_EVAL
        ev = f.static_eval = NO_EVAL
        improving = False
    else:
        if excluded != NO_MOVE:
            raw = ev = f.static_eval
        else:
            raw = tt.eval if hit and tt.eval != NO_EVAL else static_eval(w)
            ev = f.static_eval = corrected(w, raw)
            if not hit:
                tt_store(&s.table, key, NO_MOVE, 0, raw, 0, BOUND_NONE, f.tt_pv)
            if (not root and (f - 1).move != NO_MOVE and (f - 1).static_eval != NO_EVAL
                    and pos.st.rule60 > 0):
                # A quiet move is worth trying elsewhere, too, if the evaluation rose for its side.
                h = -P.bonus_eval * (f.static_eval + (f - 1).static_eval)
                h = max(-BONUS_EVAL_LIMIT, min(BONUS_EVAL_LIMIT, h))
                add_history(butterfly(w, pos.side ^ 1, (f - 1).move), h, HISTORY_LIMIT)
        if hit and tt.bound & (BOUND_LOWER if tt.value > ev else BOUND_UPPER):
            ev = tt.value
        if (f - 2).static_eval != NO_EVAL:
            improving = f.static_eval > (f - 2).static_eval
        else:
            improving = (f - 4).static_eval != NO_EVAL and f.static_eval > (f - 4).static_eval

    if selective and not pv and not in_check and excluded == NO_MOVE:
        # Step 5. Reverse futility: so far ahead that the opponent will not come back in time, unless by a mate.
        if depth <= RFP_DEPTH and ev < MATE_BOUND and beta > -MATE_BOUND:
            margin = P.rfp_depth * depth - P.rfp_improving * improving
            if ev - margin >= beta and not is_threatened(w, f):
                return (ev + beta) // 2 if has_legal_move(pos) else -MATE + ply

        # Step 6. Null move: still ahead after passing. Sides without attackers may be in zugzwang.
        if (cut_node and (f - 1).move != NO_MOVE and ev >= beta
                and f.static_eval >= beta - P.null_depth * depth + P.null_margin
                and can_attack(pos) and ply >= w.null_ply and beta > -MATE_BOUND):
            r = P.null_base + depth // 3 + min((ev - beta) // P.null_score, 3)
            f.move = NO_MOVE
            f.cont = w.continuation[0]
            child.threatened = -1
            ele_prefetch(tt_cluster(&s.table, key ^ ZOBRIST_SIDE))
            eval_pass(&w.eval)
            do_null(pos)
            value = -search(w, -beta, -beta + 1, depth - r, ply + 1, False)
            undo_null(pos)
            eval_leave(&w.eval)
            if stopped(w):
                return 0
            if value >= beta:
                if value >= MATE_BOUND or path_dependent(value):
                    value = beta
                if w.null_ply > 0 or depth < NULL_VERIFY_DEPTH:
                    return value
                # Deep ones are verified without further null moves.
                w.null_ply = ply + 3 * (depth - r) // 4
                h = search(w, beta - 1, beta, depth - r, ply, False)
                w.null_ply = 0
                if stopped(w):
                    return 0
                if h >= beta:
                    return value

        # Step 7. ProbCut: a capture that wins enough at reduced depth wins at full depth.
        margin = beta + P.probcut_margin - P.probcut_improving * improving
        if (depth >= PROBCUT_DEPTH and -MATE_BOUND < beta < MATE_BOUND
                and not (hit and tt.depth >= depth - 3 and tt.value < margin)):
            picker_init(&picker, w, ply, tt_move, WANT_WINNING, margin - f.static_eval)
            while True:
                m = pick_next(&picker, w)
                if m == NO_MOVE:
                    break
                if not is_legal(pos, m):
                    continue
                push_move(w, ply, m)
                value = -qsearch(w, -margin, -margin + 1, ply + 1, True)
                if value >= margin:
                    value = -search(w, -margin, -margin + 1, depth - 4, ply + 1, not cut_node)
                pop_move(w)
                if stopped(w):
                    return 0
                if value >= margin:
                    store_tt(w, key, ply, m, value, raw, depth - 3, BOUND_LOWER, f.tt_pv)
                    return value

    # Step 8. Internal iterative reduction: without a table move the node is not worth its depth yet.
    if selective and depth >= IIR_DEPTH and tt_move == NO_MOVE and (pv or cut_node):
        depth -= 1

    node.alpha = alpha
    node.beta = beta
    node.depth = depth
    node.ply = ply
    node.raw = raw
    node.best = -INFINITE
    node.pv = pv
    node.cut_node = cut_node
    node.in_check = in_check
    node.improving = improving
    node.can_attack = can_attack(pos)
    node.tt_capture = tt_capture
    node.hit = hit
    node.deferring = depth >= BUSY_DEPTH and flag_get(&s.deferring)
    node.regrouping = node.proven = False
    node.tt_move = tt_move
    node.excluded = excluded
    node.best_move = NO_MOVE
    node.tt = tt
    node.picker = &picker
    node.n_quiets = node.n_captures = 0
    return search_moves(w, &node)


cdef int search_moves(Worker* w, Node* node) noexcept nogil:
    """Steps 9 to 15: the value of the node out of its moves."""
    cdef Shared* s = w.shared
    cdef Deferred deferred
    cdef RootMove line
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
        if root and take_new_best(w, &line):
            report_new_best(w, &line)
        if node.best >= node.beta:
            break
        if (n == 1 and node.pv and s.share_moves != NULL and w.number == 0 and not s.splitting
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


cdef inline bint may_be_singular(const Worker* w, const Node* node, move_t m) noexcept nogil:
    """Is it the table move, of a value that is worth asking whether all others are worse?"""
    return (m == node.tt_move and w.shared.selective and node.ply > 0 and node.excluded == NO_MOVE
            and node.depth >= SINGULAR_DEPTH and node.hit and node.tt.depth >= node.depth - 3
            and node.tt.bound & BOUND_LOWER and -MATE_BOUND < node.tt.value < MATE_BOUND
            and node.ply < 2 * w.root_depth)


cdef int extend_singular(Worker* w, Node* node) noexcept nogil:
    """Step 10, singular extension: does everything else fail well below the table move? Then it deserves more depth.

    Returns a value if two moves refute the node, else NO_VALUE.
    """
    cdef const Parameters* P = w.params
    cdef Frame* f = frame_at(w, node.ply)
    cdef int margin = node.tt.value - (node.depth + node.depth * (f.tt_pv and not node.pv)) // 2
    cdef int value
    f.excluded = node.tt_move
    value = search(w, margin - 1, margin, (node.depth - 1) // 2, node.ply, node.cut_node)
    f.excluded = NO_MOVE
    if stopped(w):
        return 0
    if value < margin:
        node.extension = 1
        if not node.pv and value < margin - P.singular_double and f.doubles < MAX_DOUBLES:
            node.extension = 2
    elif value >= node.beta and value < MATE_BOUND:
        return value
    elif node.tt.value >= node.beta or node.cut_node:
        node.extension = -2
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
    cdef bint root = ply == 0, selective = w.shared.selective, capture = pos.board[dst_of(m)] != EMPTY, checks
    cdef int index = pos.board[src_of(m)] * SQUARES + dst_of(m)
    cdef int new_depth = depth - 1 + node.extension, h = 0, r, lmr_depth, margin, reduced, value = NO_VALUE
    cdef uint64_t mark = 0
    cdef const RepetitionReply* repetition = repetition_reply(w.shared, m) if root else NULL
    if repetition != NULL and repetition.value <= alpha:
        child.pv_n = 0
        return repetition.value
    if not capture:
        h = 2 * butterfly(w, pos.side, m)[0] + (f - 1).cont[index] + (f - 2).cont[index]
    r = reduction(P, depth, n)
    if not node.improving:
        r += P.lmr_worsening

    # Step 11. Pruning at shallow depth, once a move is known that does not lose. Where only a
    # (shorter) mate would help, evaluations do not matter.
    if (selective and not root and node.best > -MATE_BOUND and alpha < MATE_BOUND and node.can_attack
            and not node.proven):
        lmr_depth = max(0, depth - 1 - r // 1024)
        if capture:
            if depth <= SEE_PRUNE_DEPTH and not see_ge(pos, m, -P.see_capture * depth):
                return NO_VALUE
        elif not node.in_check:
            if n >= (P.late_moves + depth * depth) // (2 - node.improving) and depth <= LATE_DEPTH:
                if node.picker == NULL:
                    return NO_VALUE
                node.picker.skip_quiets = True
            if lmr_depth <= QUIET_PRUNE_DEPTH and h < -P.history_prune * depth:
                return NO_VALUE
            margin = P.futility_base + P.futility_depth * lmr_depth + h // P.futility_history
            if lmr_depth <= QUIET_PRUNE_DEPTH and f.static_eval + margin <= alpha and not gives_check(pos, m):
                return NO_VALUE
            if (lmr_depth <= QUIET_PRUNE_DEPTH
                    and not see_ge(pos, m, -P.see_quiet * lmr_depth * lmr_depth - P.see_quiet_base)):
                return NO_VALUE
        elif depth <= SEE_PRUNE_DEPTH and not see_ge(pos, m, -P.see_evasion * depth):
            return NO_VALUE

    if node.deferring:
        mark = busy_mark(pos.st.key, m)
        if may_defer and is_busy(w.shared.busy, mark):
            return DEFERRED
        busy_add(w.shared.busy, mark)
    f.doubles = (f - 1).doubles + (node.extension >= 2) if not root else 0
    push_move(w, ply, m)
    checks = set_any(pos.st.checkers)

    # Step 12. Late moves are searched shallower with a null window, then deeper if they surprise.
    if selective and depth >= 2 and n > 1 + root:
        if node.cut_node:
            r += P.lmr_cut
        if node.pv:
            r -= P.lmr_pv
        if f.tt_pv:
            r -= P.lmr_table_pv
        if node.tt_capture:
            r += P.lmr_table_capture
        if checks:
            r -= P.lmr_check
        elif new_depth > 1 and r >= 1024 and is_threatened(w, child):
            r -= P.lmr_threat
        if child.cutoffs > MANY_CUTOFFS:
            r += P.lmr_cutoffs
        if capture:
            r -= P.lmr_capture
        else:
            r -= h * 1024 // P.lmr_history
            if m == f.killers[0]:
                r -= P.lmr_killer
        reduced = max(1, min(new_depth - r // 1024, new_depth + (1 if node.pv else 0)))
        value = -search(w, -alpha - 1, -alpha, reduced, ply + 1, True)
        if value > alpha and reduced < new_depth and not stopped(w):
            if node.regrouping:
                flag_set(&w.surprised, 1)
            new_depth += (value > node.best + P.deeper) - (value < node.best + P.shallower)
            if reduced < new_depth:
                value = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not node.cut_node)
    elif not node.pv or n > 1:
        value = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not node.cut_node)
    if node.deferring:
        busy_remove(w.shared.busy, mark)
    if node.pv and (n == 1 or (value > alpha and not node.regrouping)) and not stopped(w):
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


cdef inline int reduction(const Parameters* P, int depth, int n) noexcept nogil:
    """Plies to take off the n-th move, in 1024ths."""
    return P.lmr_base + (<int>REDUCTION[min(depth, 127)] * <int>REDUCTION[min(n, 127)]) // P.lmr_divisor


cdef void update_best(Worker* w, Node* node, move_t m, int n, int value, const Worker* finder) noexcept nogil:
    """Is the n-th move of the node better than those before it? The finder has searched it."""
    cdef Frame* f = frame_at(w, node.ply)
    cdef const Frame* child = frame_at(<Worker*>finder, node.ply + 1)
    if node.ply == 0:
        note_root_move(w, w.pv_index + n - 1, value, n == 1 or value > node.alpha, finder)
        if n > 1 and node.alpha < value < node.beta and w.number == 0:
            w.new_best = w.pv_index + n
    if value > node.best:
        node.best = value
        if value > node.alpha:
            node.best_move = m
            if node.pv and node.ply > 0:
                copy_pv(f, m, child)
            if value >= node.beta:
                f.cutoffs += 1 + (node.tt_move == NO_MOVE)
                return
            node.alpha = value
    if finder.pos.board[dst_of(m)] != EMPTY:
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
    if (w.shared.selective and node.best < node.beta and not node.pv and node.excluded == NO_MOVE
            and tt_probe(&w.shared.table, w.pos.st.key, &tt)):
        tt.value = from_table(tt.value, node.ply)
        if tt.depth >= node.depth and tt.bound & (BOUND_LOWER if tt.value >= node.beta else BOUND_UPPER):
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
    if w.pos.board[dst_of(best)] == EMPTY:
        update_quiet_histories(w, node.ply, best, node.quiets, node.n_quiets, node.depth)
    update_capture_histories(w, best, node.captures, node.n_captures, node.depth)


cdef int finish_node(Worker* w, Node* node, int n) noexcept nogil:
    """Steps 14 and 15: the value of a node after its n moves."""
    cdef const Position* pos = &w.pos
    cdef const Frame* f = frame_at(w, node.ply)
    cdef int best = node.best, depth = node.depth, bound
    cdef move_t best_move = node.best_move
    cdef bint quiet = best_move == NO_MOVE or pos.board[dst_of(best_move)] == EMPTY

    # Step 14. Without a move the side to move has lost, in check or not.
    if n == 0:
        return node.alpha if node.excluded != NO_MOVE else -MATE + node.ply

    # Step 15. Learn and remember; but what some root moves are worth is not the value of the position.
    update_histories(w, node)
    if node.excluded != NO_MOVE or (node.ply == 0 and (w.pv_index > 0 or w.restricted)):
        return best
    bound = BOUND_LOWER if best >= node.beta else BOUND_EXACT if node.pv and best_move != NO_MOVE else BOUND_UPPER
    store_tt(w, pos.st.key, node.ply, best_move, best, node.raw, depth, bound, f.tt_pv)
    if (not node.in_check and quiet and not path_dependent(best)
            and not (bound == BOUND_LOWER and best <= f.static_eval)
            and not (best_move == NO_MOVE and best >= f.static_eval)):
        update_correction(w, depth, best - f.static_eval)
    return best
