# search/pruning.pxi - a node of the search and its evaluation, when a null move or a singular search is worth trying,
# which moves are pruned, and by how much others are reduced.
#
# Uses: search/node, search/movepick.
# The steps are those of search/negamax, which tries what this file allows.
# pv: the window is open, so the value is wanted exactly. All other nodes have a null window; of these a cut node is
# expected to fail high, the others to fail low.

cdef enum:
    NOTED_QUIETS = 64            # moves of a node that are blamed when a later one does better
    NOTED_CAPTURES = 32
    REDUCTION_ENTRIES = 128      # of depths and of numbers of moves; what is beyond counts as the last one

# Of late moves, in 1024ths of a ply: see reduction().
cdef int16_t REDUCTION[REDUCTION_ENTRIES]


cdef struct Node:                # what the moves of a node share while they are searched
    int alpha                    # raised by better moves
    int beta
    int depth
    int ply
    int uncorrected_eval         # static evaluation before its correction, NO_EVAL in check
    int best                     # value of the best move so far
    int extension                # of the move about to be searched
    bint pv
    bint cut_node
    bint in_check
    bint improving               # the evaluation is better than at the side's last turn
    bint can_attack              # the side to move, see can_attack()
    bint tt_capture              # the table move is a capture
    bint hit                     # the table knows the position: tt is valid
    bint deferring               # moves being searched by another worker may be put off
    bint team_research           # a move that beats alpha is searched again by all workers together
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


cdef void fill_reductions() noexcept nogil:
    cdef int i
    for i in range(1, REDUCTION_ENTRIES):
        REDUCTION[i] = <int16_t>(REDUCTION_FACTOR * log(i) + 0.5)


cdef inline int evaluate_node(Worker* w, Node* node) noexcept nogil:
    """Step 4: the static evaluation, corrected by experience; the value returned is corrected by the table, too.

    Also notes whether the position improves, and teaches the history of the previous move by how much the evaluation
    rose for its side. Without the correction: -13 [-47, +21] Elo; without that history: -60 [-92, -27] Elo.
    """
    cdef const Parameters* P = w.params
    cdef Position* pos = &w.pos
    cdef Frame* f = frame_at(w, node.ply)
    cdef Frame* previous = f - 1
    cdef int ev, bonus
    if node.in_check:
        node.uncorrected_eval = f.static_eval = NO_EVAL
        node.improving = False
        return NO_EVAL
    if node.excluded != NO_MOVE:
        node.uncorrected_eval = ev = f.static_eval
    else:
        node.uncorrected_eval = node.tt.eval if node.hit and node.tt.eval != NO_EVAL else static_eval(w)
        ev = f.static_eval = corrected(w, node.uncorrected_eval)
        if not node.hit:
            tt_store(&w.shared.table, pos.st.key, NO_MOVE, 0, node.uncorrected_eval, 0, BOUND_NONE, f.tt_pv)
        # A quiet move is worth trying elsewhere, too, if the evaluation rose for its side.
        if (node.ply > 0
                and previous.move != NO_MOVE
                and previous.static_eval != NO_EVAL
                and pos.st.rule60 > 0):
            bonus = -P.bonus_eval * (f.static_eval + previous.static_eval)
            bonus = max(-BONUS_EVAL_LIMIT, min(BONUS_EVAL_LIMIT, bonus))
            ele_check(previous.attacks_known, "evaluate_node: search_move has looked for the attacks")
            add_history(butterfly(w, pos.side ^ 1, previous.move, previous.below_rooks), bonus, HISTORY_LIMIT)
    if node.hit and bound_corrects(&node.tt, ev):
        ev = node.tt.value
    # At least beta, or better than two plies ago, or than four if the side was in check then.
    if f.static_eval >= node.beta:
        node.improving = True
    elif (f - 2).static_eval != NO_EVAL:
        node.improving = f.static_eval > (f - 2).static_eval
    else:
        node.improving = (f - 4).static_eval != NO_EVAL and f.static_eval > (f - 4).static_eval
    return ev


cdef inline bint may_pass(const Worker* w, const Node* node, int ev) noexcept nogil:
    """May a null move show that the node fails high?

    Not twice in a row, not without attackers, for such a side may be in zugzwang, and not in the first plies of a
    search that verifies a null move.
    """
    cdef const Parameters* P = w.params
    cdef const Frame* f = frame_at(<Worker*>w, node.ply)
    return (node.cut_node
            and node.depth >= P.null_min_depth
            and (f - 1).move != NO_MOVE
            and ev >= node.beta
            and f.static_eval >= node.beta - P.null_depth * node.depth + P.null_margin
            and can_attack(&w.pos)
            and node.ply >= w.null_ply
            and not is_loss(node.beta))


cdef inline bint expects_less(const Node* node, int value) noexcept nogil:
    """Does the table know, from nearly the same depth, that the value is less?"""
    return (node.hit
            and node.tt.depth >= node.depth - MAX_TABLE_DEPTH_LESS
            and node.tt.value < value)


cdef inline bint may_be_singular(const Worker* w, const Node* node, move_t m) noexcept nogil:
    """Is it the table move, known from nearly the same depth to be good, so that the others may all be worse?"""
    return (m == node.tt_move
            and node.depth >= w.params.singular_min_depth
            and node.ply > 0
            and node.excluded == NO_MOVE
            and node.hit
            and node.tt.depth >= node.depth - MAX_TABLE_DEPTH_LESS
            and node.tt.bound & BOUND_LOWER
            and not is_decisive(node.tt.value)
            and node.ply < MAX_EXTENDED_PLY * w.root_depth)


cdef inline bint is_pruned(Worker* w, Node* node, move_t m, int n, int history, int lmr_depth) noexcept nogil:
    """Step 11: is the n-th move, with that history score, not worth a search?

    lmr_depth: what a late move reduction would leave of the depth.
    """
    cdef const Parameters* P = w.params
    cdef Position* pos = &w.pos
    cdef int depth = node.depth, margin

    # Captures, and below evasions and quiet moves, that lose an exchange by more than the depth can win back.
    # Without these three: -38 [-71, -5] Elo.
    if is_capture(pos, m):
        return (depth <= P.exchange_max_depth
                and not see_ge(pos, m, -P.see_capture * depth))
    if node.in_check:
        return (depth <= P.exchange_max_depth
                and not see_ge(pos, m, -P.see_evasion * depth))

    # Late move pruning: behind that many moves no quiet one is likely to be good; all that follow are left out, too.
    # Half as many count where the position does not improve.
    # Without it: +12 [-22, +45] Elo.
    if (depth <= P.late_max_depth
            and n >= (P.late_moves + depth * depth) // (2 - node.improving)):
        if node.picker == NULL:
            return True
        node.picker.skip_quiets = True
    if lmr_depth > P.quiet_max_depth:
        return False

    # Futility pruning: the evaluation is too far below alpha for a quiet move that gives no check.
    # Without it: -37 [-73, -2] Elo.
    margin = P.futility_base + P.futility_depth * lmr_depth + history // P.futility_history
    if (frame_at(w, node.ply).static_eval + margin <= node.alpha
            and not gives_check(pos, m)):
        return True
    return not see_ge(pos, m, -P.see_quiet * lmr_depth * lmr_depth - P.see_quiet_base)


cdef inline int reduction(const Parameters* P, int depth, int n) noexcept nogil:
    """What to take off the depth of the n-th move, in 1024ths of a ply."""
    return P.lmr_base + (<int>REDUCTION[min(depth, REDUCTION_ENTRIES - 1)]
                         * <int>REDUCTION[min(n, REDUCTION_ENTRIES - 1)]) // P.lmr_divisor


cdef inline int adjusted_reduction(Worker* w, Node* node, move_t m, int history, bint capture, int new_depth,
                                   int r) noexcept nogil:
    """The reduction r of a move that has just been played, more or less by what is known of it and of its node."""
    cdef const Parameters* P = w.params
    cdef Frame* f = frame_at(w, node.ply)
    cdef Frame* child = f + 1
    if node.cut_node:
        r += P.lmr_cut
    if node.pv:
        r -= P.lmr_pv
    if f.tt_pv:
        r -= P.lmr_table_pv
    if node.tt_capture:
        r += P.lmr_table_capture
    # Checks and threats of mate force the opponent. Without threats: -5 [-33, +24] Elo.
    if set_any(w.pos.st.checkers):
        r -= P.lmr_check
    elif new_depth > 1 and r >= ONE_PLY and is_threatened(w, child):
        r -= P.lmr_threat
    # Where other moves were refuted, this one will be. Without it: -30 [-62, +1] Elo.
    if child.cutoffs > MANY_CUTOFFS:
        r += P.lmr_cutoffs
    if capture:
        return r - P.lmr_capture
    r -= history * ONE_PLY // P.lmr_history
    if m == f.killers[0]:
        r -= P.lmr_killer
    return r
