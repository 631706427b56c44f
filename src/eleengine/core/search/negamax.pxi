# search/negamax.pxi - principal-variation search and quiescence, one worker at a time.
#
# Uses: search/movepick, search/timeman, rules/repetition.
# Scores are centipawns for the side to move; depths and plies are half moves. A search that was
# stopped returns a value that means nothing: nobody stores or compares it.

# Of late moves, in 1024ths of a ply: see reduction().
cdef int16_t REDUCTION[128]

cdef enum:
    NO_VALUE = INFINITE + 1      # instead of a value: the move was pruned
    DEFERRED = INFINITE + 2      # another worker is searching the move
    MAX_DEFERRED = 48
    QUIET_MS = 300               # before this no news is sent: the line of the iteration follows soon
    SPLIT_DEPTH = 4              # nodes this deep are worth sharing out
    REGROUP_DEPTH = 12           # and moves that beat alpha there are worth everybody's time


cdef struct Node:                # what the moves of a node share while they are searched
    int alpha                    # raised by better moves
    int beta
    int depth
    int ply
    int best                     # value of the best move so far
    int extension                # of the move about to be searched
    bint pv
    bint cut_node
    bint in_check
    bint improving
    bint can_attack              # the side to move, see can_attack()
    bint tt_capture              # the table move is a capture
    bint deferring               # moves being searched by another worker may be put off
    bint regrouping              # a move that beats alpha is searched by all workers together
    bint proven                  # the move about to be searched has beaten alpha: it is not pruned
    move_t tt_move
    move_t best_move
    Picker* picker               # NULL where several workers share the moves out
    int n_quiets                 # tried so far
    int n_captures
    move_t quiets[64]
    move_t captures[32]


cdef void fill_reductions() noexcept nogil:
    cdef int i
    for i in range(1, 128):
        REDUCTION[i] = <int16_t>(21.0 * 32 * log(i) + 0.5)


cdef uint64_t team_nodes(const Worker* w) noexcept nogil:
    """Of the worker and of those that help it where it shares moves out; these must be idle now."""
    cdef uint64_t sum = 0
    cdef int i
    if w.shared.split == NULL:
        return w.nodes
    for i in range(w.shared.n_workers):
        sum += w.shared.workers[i].nodes
    return sum


cdef inline int to_table(int value, int ply) noexcept nogil:
    """A mate is stored as plies from the node, not from the root."""
    if value >= MATE_BOUND:
        return value + ply
    if value <= -MATE_BOUND:
        return value - ply
    return value


cdef inline int from_table(int value, int ply) noexcept nogil:
    if value >= MATE_BOUND:
        return value - ply
    if value <= -MATE_BOUND:
        return value + ply
    return value


cdef inline bint path_dependent(int value) noexcept nogil:
    """Does the value come from a rule verdict, which another path need not share?"""
    return value > MATE or value < -MATE


cdef inline void remember(Worker* w, uint64_t key, int ply, move_t move, int value, int eval, int depth, int bound,
                          bint pv) noexcept nogil:
    if not path_dependent(value):
        tt_store(&w.shared.table, key, move, to_table(value, ply), eval, depth, bound, pv)


cdef inline void copy_pv(Frame* f, move_t m, const Frame* child) noexcept nogil:
    f.pv[0] = m
    memcpy(&f.pv[1], child.pv, child.pv_n * sizeof(move_t))
    f.pv_n = child.pv_n + 1


cdef inline void enter(Worker* w, int ply, move_t m) noexcept nogil:
    """Play m on the worker's path."""
    cdef Frame* f = frame_at(w, ply)
    f.move = m
    f.cont = w.continuation[w.pos.board[src_of(m)] * SQUARES + dst_of(m)]
    # Memory takes as long to answer as do_move and the evaluation take: ask before them.
    ele_prefetch(tt_cluster(&w.shared.table, key_after(&w.pos, m)))
    eval_enter(&w.eval, &w.pos, m)
    do_move(&w.pos, m)


cdef inline void leave(Worker* w) noexcept nogil:
    undo_move(&w.pos)
    eval_leave(&w.eval)


cdef inline int draw_score(const Worker* w) noexcept nogil:
    """Nearly zero: a little noise keeps the search from seeing all draws as one."""
    return <int>(w.nodes & 2) - 1 if w.shared.selective else 0


cdef inline int verdict_value(const Worker* w, int verdict, int ply) noexcept nogil:
    """The score of a verdict that is final."""
    if verdict == VERDICT_WIN:
        return BAN - ply
    if verdict == VERDICT_LOSS:
        return -BAN + ply
    return UNSAFE_DRAW if verdict & UNSAFE else draw_score(w)


cdef inline int static_eval(Worker* w) noexcept nogil:
    return evaluate(&w.eval, &w.pos)


cdef inline int corrected(Worker* w, int raw) noexcept nogil:
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, raw + correction(w))) if w.shared.selective else raw


cdef bint can_attack(const Position* pos) noexcept nogil:
    """Has the side to move a rook, cannon or knight that can move? Else zugzwang and stalemate are near."""
    cdef SquareBits rest = pos.by_side[pos.side] & (pos.by_type[ROOK] | pos.by_type[CANNON] | pos.by_type[KNIGHT])
    while set_any(rest):
        if set_any(destinations(pos, pop_first(&rest))):
            return True
    return False


cdef int qsearch(Worker* w, int alpha, int beta, int ply) noexcept nogil:
    """Settle captures, and checks by answering them, before trusting the evaluation."""
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
        if hit and selective and tt.bound & (BOUND_LOWER if tt.value > best else BOUND_UPPER):
            best = tt.value
        if best >= beta:
            if not hit:
                remember(w, pos.st.key, ply, NO_MOVE, best, raw, 0, BOUND_LOWER, False)
            return best
        if best > alpha:
            alpha = best
        futility = best + P.quiescence_margin

    # Step 4. Captures, or all evasions.
    picker_init(&picker, w, ply, tt.move if hit else NO_MOVE, WANT_CAPTURES, 0)
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
            else:
                value = futility + SEE_VALUE[type_of(pos.board[dst_of(m)])]
                if value <= alpha:
                    best = max(best, value)
                    continue
                if futility <= alpha and not see_ge(pos, m, 1):
                    best = max(best, futility)
                    continue
        enter(w, ply, m)
        value = -qsearch(w, -beta, -alpha, ply + 1)
        leave(w)
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
    remember(w, pos.st.key, ply, best_move, best, raw, 0,
             BOUND_LOWER if best >= beta else BOUND_EXACT if pv and best > old_alpha else BOUND_UPPER, False)
    return best


cdef void update_quiet_histories(Worker* w, int ply, move_t best, const move_t* quiets, int n,
                                 int depth) noexcept nogil:
    """Reward the quiet move that failed high and blame those that were tried before it."""
    cdef const Parameters* P = w.params
    cdef const Position* pos = &w.pos
    cdef Frame* f = frame_at(w, ply)
    cdef int us = pos.side, i
    cdef int bonus = min(P.bonus_square * depth * depth + 32 * depth + 16, P.bonus_limit)
    if f.killers[0] != best:
        f.killers[1] = f.killers[0]
        f.killers[0] = best
    add_history(butterfly(w, us, best), bonus, HISTORY_LIMIT)
    update_continuation(w, ply, pos.board[src_of(best)], dst_of(best), bonus)
    for i in range(n):
        if quiets[i] != best:
            add_history(butterfly(w, us, quiets[i]), -bonus, HISTORY_LIMIT)
            update_continuation(w, ply, pos.board[src_of(quiets[i])], dst_of(quiets[i]), -bonus)


cdef void update_capture_histories(Worker* w, move_t best, const move_t* captures, int n, int depth) noexcept nogil:
    cdef const Parameters* P = w.params
    cdef const Position* pos = &w.pos
    cdef int i
    cdef int bonus = min(P.bonus_square * depth * depth + 32 * depth + 16, P.bonus_limit)
    if pos.board[dst_of(best)] != EMPTY:
        add_history(&w.captures[pos.board[src_of(best)]][dst_of(best)][type_of(pos.board[dst_of(best)])],
                    bonus, CAPTURE_LIMIT)
    for i in range(n):
        if captures[i] != best:
            add_history(&w.captures[pos.board[src_of(captures[i])]][dst_of(captures[i])]
                        [type_of(pos.board[dst_of(captures[i])])], -bonus, CAPTURE_LIMIT)


cdef inline move_t next_root_move(Worker* w, int n) noexcept nogil:
    """Root moves in their own order, the last iteration's best first; n have been taken."""
    cdef int index = w.pv_index + n
    if index >= w.n_root:
        return NO_MOVE
    if w.number == 0:
        word_set(&w.shared.shown_move, w.root[index].move | <uint64_t>index << 16)
    return w.root[index].move


cdef void note_root_move(Worker* w, int index, int value, bint best, const Worker* finder) noexcept nogil:
    """Keep what the search of a root move has shown; moves that are not best keep no score."""
    cdef RootMove* r = &w.root[index]
    cdef const Frame* child = frame_at(<Worker*>finder, 1)
    r.outcome = LOST if value <= -MATE_BOUND else ALIVE
    if not best:
        r.score = -INFINITE
        return
    r.score = value
    r.depth = w.root_depth
    r.seldepth = finder.seldepth
    r.pv[0] = r.move
    memcpy(&r.pv[1], child.pv, child.pv_n * sizeof(move_t))
    r.pv_n = child.pv_n + 1


cdef bint take_news(Worker* w, RootMove* line) noexcept nogil:
    """Copy the new best root move that nobody has been told of; False if there is none."""
    if w.news == 0:
        return False
    line[0] = w.root[w.news - 1]
    w.news = 0
    return True


cdef void tell_news(Worker* w, const RootMove* line) noexcept nogil:
    """Tell the listener; who tells holds no lock, for the listener may wait for another thread."""
    cdef Shared* s = w.shared
    publish_nodes(w)
    if s.listener.new_best != NULL and now_ms() - s.began_ms >= QUIET_MS:
        s.listener.new_best(s.listener.who, line)


cdef void note_move(Worker* w, Node* node, move_t m, int n, int value, const Worker* finder) noexcept nogil:
    """Is the n-th move of the node better than those before it? The finder has searched it."""
    cdef Frame* f = frame_at(w, node.ply)
    cdef const Frame* child = frame_at(<Worker*>finder, node.ply + 1)
    if node.ply == 0:
        note_root_move(w, w.pv_index + n - 1, value, n == 1 or value > node.alpha, finder)
        if n > 1 and node.alpha < value < node.beta and w.number == 0:
            w.news = w.pv_index + n
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
        if node.n_captures < 32:
            node.captures[node.n_captures] = m
            node.n_captures += 1
    elif node.n_quiets < 64:
        node.quiets[node.n_quiets] = m
        node.n_quiets += 1


cdef int extend_singular(Worker* w, Node* node, int tt_value) noexcept nogil:
    """Does everything else fail well below the table move? Then it deserves more depth.

    Returns a value if two moves refute the node, else NO_VALUE.
    """
    cdef const Parameters* P = w.params
    cdef Frame* f = frame_at(w, node.ply)
    cdef int margin = tt_value - (node.depth + node.depth * (f.tt_pv and not node.pv)) // 2
    cdef int value
    f.excluded = node.tt_move
    value = search(w, margin - 1, margin, (node.depth - 1) // 2, node.ply, node.cut_node)
    f.excluded = NO_MOVE
    if stopped(w):
        return 0
    if value < margin:
        node.extension = 1
        if not node.pv and value < margin - P.singular_double and f.doubles < 8:
            node.extension = 2
    elif value >= node.beta and value < MATE_BOUND:
        return value
    elif tt_value >= node.beta or node.cut_node:
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
    cdef int place = pos.board[src_of(m)] * SQUARES + dst_of(m)
    cdef int new_depth = depth - 1 + node.extension, h = 0, r, lmr_depth, margin, reduced, value = NO_VALUE
    cdef uint64_t mark = 0
    if not capture:
        h = 2 * butterfly(w, pos.side, m)[0] + (f - 1).cont[place] + (f - 2).cont[place]
    r = reduction(P, depth, n)
    if not node.improving:
        r += P.lmr_worsening

    # Step 11. Pruning at shallow depth, once a move is known that does not lose. Where only a
    # (shorter) mate would help, evaluations tell nothing.
    if (selective and not root and node.best > -MATE_BOUND and alpha < MATE_BOUND and node.can_attack
            and not node.proven):
        lmr_depth = max(0, depth - 1 - r // 1024)
        if capture:
            if depth <= 7 and not see_ge(pos, m, -P.see_capture * depth):
                return NO_VALUE
        elif not node.in_check:
            if n >= (P.late_moves + depth * depth) // (2 - node.improving) and depth <= 9:
                if node.picker == NULL:
                    return NO_VALUE
                node.picker.skip_quiets = True
            if lmr_depth <= 8 and h < -P.history_prune * depth:
                return NO_VALUE
            margin = P.futility_base + P.futility_depth * lmr_depth + h // P.futility_history
            if lmr_depth <= 8 and f.static_eval + margin <= alpha and not gives_check(pos, m):
                return NO_VALUE
            if lmr_depth <= 8 and not see_ge(pos, m, -P.see_quiet * lmr_depth * lmr_depth - P.see_quiet_base):
                return NO_VALUE
        elif depth <= 7 and not see_ge(pos, m, -P.see_evasion * depth):
            return NO_VALUE

    if node.deferring:
        mark = busy_mark(pos.st.key, m)
        if may_defer and is_busy(w.shared.busy, mark):
            return DEFERRED
        busy_add(w.shared.busy, mark)
    f.doubles = (f - 1).doubles + (node.extension >= 2) if not root else 0
    enter(w, ply, m)
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
        if child.cutoffs > 3:
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
            new_depth += (value > node.best + P.deeper) - (value < node.best + P.shallower)
            if reduced < new_depth:
                value = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not node.cut_node)
    elif not node.pv or n > 1:
        value = -search(w, -alpha - 1, -alpha, new_depth, ply + 1, not node.cut_node)
    if node.deferring:
        busy_remove(w.shared.busy, mark)
    if node.pv and (n == 1 or (value > alpha and not node.regrouping)) and not stopped(w):
        value = -search(w, -node.beta, -alpha, new_depth, ply + 1, False)
    leave(w)
    return value


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
    cdef RootMove line
    cdef move_t deferred[MAX_DEFERRED]
    cdef int deferred_n[MAX_DEFERRED]
    cdef move_t m, tt_move, excluded = f.excluded, best_move
    cdef uint64_t key, nodes_before
    cdef bint pv = beta - alpha > 1, root = ply == 0, selective = s.selective
    cdef bint hit, in_check, improving, tt_capture
    cdef int best, value = 0, raw, ev, r, margin, h, i, n = 0, n_deferred = 0

    # Step 1. Leaf: settle captures before trusting the evaluation.
    if depth <= 0:
        return qsearch(w, alpha, beta, ply)
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
        # Step 2. Repetition, move limit and bare material; nothing beyond the nearest mate counts.
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
            and pos.st.quiet_count < s.no_capture_limit - 10
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
                    and pos.st.quiet_count > 0):
                # A quiet move is worth trying elsewhere, too, if the evaluation rose for its side.
                h = -P.bonus_eval * (f.static_eval + (f - 1).static_eval)
                add_history(butterfly(w, pos.side ^ 1, (f - 1).move), max(-1500, min(1500, h)), HISTORY_LIMIT)
        if hit and tt.bound & (BOUND_LOWER if tt.value > ev else BOUND_UPPER):
            ev = tt.value
        if (f - 2).static_eval != NO_EVAL:
            improving = f.static_eval > (f - 2).static_eval
        else:
            improving = (f - 4).static_eval != NO_EVAL and f.static_eval > (f - 4).static_eval

    if selective and not pv and not in_check and excluded == NO_MOVE:
        # Step 5. Reverse futility: so far ahead that the opponent will not come back in time.
        if depth <= 9 and ev < MATE_BOUND and beta > -MATE_BOUND:
            margin = P.rfp_depth * depth - P.rfp_improving * improving
            if ev - margin >= beta:
                return (ev + beta) // 2 if has_legal_move(pos) else -MATE + ply

        # Step 6. Null move: still ahead after passing. Sides without attackers may be in zugzwang.
        if (cut_node and (f - 1).move != NO_MOVE and ev >= beta
                and f.static_eval >= beta - P.null_depth * depth + P.null_margin
                and can_attack(pos) and ply >= w.null_ply and beta > -MATE_BOUND):
            r = P.null_base + depth // 3 + min((ev - beta) // P.null_score, 3)
            f.move = NO_MOVE
            f.cont = w.continuation[0]
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
                if w.null_ply > 0 or depth < 14:
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
        if depth >= 5 and -MATE_BOUND < beta < MATE_BOUND and not (hit and tt.depth >= depth - 3 and tt.value < margin):
            picker_init(&picker, w, ply, tt_move, WANT_WINNING, margin - f.static_eval)
            while True:
                m = pick_next(&picker, w)
                if m == NO_MOVE:
                    break
                if not is_legal(pos, m):
                    continue
                enter(w, ply, m)
                value = -qsearch(w, -margin, -margin + 1, ply + 1)
                if value >= margin and depth > 4:
                    value = -search(w, -margin, -margin + 1, depth - 4, ply + 1, not cut_node)
                leave(w)
                if stopped(w):
                    return 0
                if value >= margin:
                    remember(w, key, ply, m, value, raw, depth - 3, BOUND_LOWER, f.tt_pv)
                    return value

    # Step 8. Internal iterative reduction: without a table move the node is not worth its depth yet.
    if selective and depth >= 5 and tt_move == NO_MOVE and (pv or cut_node):
        depth -= 1

    # Step 9. The moves.
    node.alpha = alpha
    node.beta = beta
    node.depth = depth
    node.ply = ply
    node.pv = pv
    node.cut_node = cut_node
    node.in_check = in_check
    node.improving = improving
    node.can_attack = can_attack(pos)
    node.tt_move = tt_move
    node.tt_capture = tt_capture
    node.best = -INFINITE
    node.best_move = NO_MOVE
    node.n_quiets = node.n_captures = 0
    node.deferring = depth >= BUSY_DEPTH and flag_get(&s.deferring)
    node.regrouping = node.proven = False
    node.picker = &picker
    if not root:
        picker_init(&picker, w, ply, tt_move, WANT_ALL, 0)
    while True:
        m = next_root_move(w, n) if root else pick_next(&picker, w)
        if m == NO_MOVE:
            break
        if m == excluded or not (root or is_legal(pos, m)):
            continue
        n += 1
        # Step 10. Singular extension of the table move.
        node.extension = 0
        if (selective and m == tt_move and not root and excluded == NO_MOVE and depth >= 6 and hit
                and tt.depth >= depth - 3 and tt.bound & BOUND_LOWER and -MATE_BOUND < tt.value < MATE_BOUND
                and ply < 2 * w.root_depth):
            value = extend_singular(w, &node, tt.value)
            if stopped(w) or value != NO_VALUE:
                return value
        nodes_before = team_nodes(w) if root else 0
        value = search_move(w, &node, m, n, n > 1 and n_deferred < MAX_DEFERRED)
        if root:
            w.root[w.pv_index + n - 1].nodes += team_nodes(w) - nodes_before
        if stopped(w):
            return 0
        if value == DEFERRED:
            deferred[n_deferred] = m
            deferred_n[n_deferred] = n
            n_deferred += 1
            continue
        if value == NO_VALUE:
            continue
        note_move(w, &node, m, n, value, w)
        if root and take_news(w, &line):
            tell_news(w, &line)
        if node.best >= beta:
            break
        if n == 1 and pv and s.split != NULL and w.number == 0 and not s.splitting and depth >= SPLIT_DEPTH:
            s.split(w, &node)
            if stopped(w):
                return 0
            break

    # Step 13. The moves that other workers were searching, unless their results end the node.
    if (n_deferred > 0 and selective and node.best < beta and not pv and excluded == NO_MOVE
            and tt_probe(&s.table, key, &tt)):
        tt.value = from_table(tt.value, ply)
        if tt.depth >= depth and tt.bound & (BOUND_LOWER if tt.value >= beta else BOUND_UPPER):
            return tt.value
    for i in range(n_deferred):
        if node.best >= beta:
            break
        value = search_move(w, &node, deferred[i], deferred_n[i], False)
        if stopped(w):
            return 0
        if value != NO_VALUE:
            note_move(w, &node, deferred[i], deferred_n[i], value, w)
    best = node.best
    best_move = node.best_move

    # Step 14. Without a move the side to move has lost, in check or not.
    if n == 0:
        return alpha if excluded != NO_MOVE else -MATE + ply

    # Step 15. Learn and remember.
    if best_move != NO_MOVE:
        if pos.board[dst_of(best_move)] == EMPTY:
            update_quiet_histories(w, ply, best_move, node.quiets, node.n_quiets, depth)
        update_capture_histories(w, best_move, node.captures, node.n_captures, depth)
    if excluded == NO_MOVE and not (root and (w.pv_index > 0 or w.restricted)):
        # (What some root moves are worth is not the value of the position.)
        remember(w, key, ply, best_move, best, raw, depth,
                 BOUND_LOWER if best >= beta else BOUND_EXACT if pv and best_move != NO_MOVE else BOUND_UPPER,
                 f.tt_pv)
        if (not in_check and (best_move == NO_MOVE or pos.board[dst_of(best_move)] == EMPTY)
                and not (best >= beta and best <= f.static_eval)
                and not (best_move == NO_MOVE and best >= f.static_eval) and not path_dependent(best)):
            update_correction(w, depth, best - f.static_eval)
    return best


cdef inline int reduction(const Parameters* P, int depth, int n) noexcept nogil:
    """Plies to take off the n-th move, in 1024ths."""
    return P.lmr_base + (<int>REDUCTION[min(depth, 127)] * <int>REDUCTION[min(n, 127)]) // P.lmr_divisor


cdef void sort_root(Worker* w, int first) noexcept nogil:
    """Stable: moves without a score keep their order."""
    cdef int i, k
    cdef RootMove r
    for i in range(first + 1, w.n_root):
        if w.root[i].score <= w.root[i - 1].score:
            continue
        r = w.root[i]
        k = i
        while k > first and w.root[k - 1].score < r.score:
            w.root[k] = w.root[k - 1]
            k -= 1
        w.root[k] = r


cdef void start_worker(Worker* w) noexcept nogil:
    """Get a worker, whose position is set, ready for a search; its histories stay."""
    clear_frames(w)
    w.params = &w.shared.context.params
    eval_begin(&w.eval, &w.shared.context.model, &w.pos)
    w.nodes = w.next_check = 0
    w.null_ply = w.pv_index = w.news = 0
    publish_nodes(w)


cdef void fill_root(Worker* w) noexcept nogil:
    """All legal moves as root moves, in a first order."""
    cdef move_t moves[MAX_MOVES]
    cdef int i, value = static_eval(w)
    w.n_root = gen_legal(&w.pos, moves)
    w.restricted = False
    memset(w.root, 0, w.n_root * sizeof(RootMove))
    for i in range(w.n_root):
        w.root[i].move = w.root[i].pv[0] = moves[i]
        w.root[i].pv_n = 1
        w.root[i].score = see(&w.pos, moves[i])
    sort_root(w, 0)
    for i in range(w.n_root):
        w.root[i].score = -INFINITE
        w.root[i].previous = value             # what is known if no iteration ends


cdef void leave_lost_move(Worker* w, int first) noexcept nogil:
    """If the best move has turned out to be lost, put one that is not in its place: to search or to play it."""
    cdef RootMove r
    cdef int i, best = first
    if w.root[first].outcome != LOST:
        return
    for i in range(first + 1, w.n_root):
        if w.root[i].outcome > w.root[best].outcome:
            best = i
    r = w.root[best]
    memmove(&w.root[first + 1], &w.root[first], (best - first) * sizeof(RootMove))
    w.root[first] = r


cdef void search_root(Worker* w, int depth) noexcept nogil:
    """One iteration for the root moves from pv_index on, with an aspiration window."""
    cdef const Parameters* P = w.params
    cdef int first = w.pv_index, i, delta = P.aspiration, shallower = 0, value
    cdef int alpha = -INFINITE, beta = INFINITE
    cdef int previous = w.root[first].previous
    w.root_depth = depth
    w.seldepth = 0
    for i in range(first, w.n_root):
        w.root[i].outcome = UNKNOWN
    if depth >= 5 and -MATE_BOUND < previous < MATE_BOUND:
        alpha = previous - delta
        beta = previous + delta
    while True:
        for i in range(first, w.n_root):
            w.root[i].score = -INFINITE
        value = search(w, alpha, beta, max(1, depth - shallower), 0, False)
        if stopped(w):
            break
        sort_root(w, first)
        w.root[first].previous = value           # what is known if the next attempt is stopped
        if value <= alpha:
            leave_lost_move(w, first)
            beta = (alpha + beta) // 2
            alpha = max(-INFINITE, value - delta)
            shallower = 0
        elif value >= beta:
            beta = min(INFINITE, value + delta)
            shallower = min(shallower + 1, 3)
        else:
            break
        delta += delta // 2
        if delta > 1000:
            alpha = -INFINITE
            beta = INFINITE
    # Stopped or not, the first move with a score is the best one known, if it does not lose at once.
    sort_root(w, first)
    if stopped(w):
        leave_lost_move(w, first)
