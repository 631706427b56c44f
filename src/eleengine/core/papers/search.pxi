# papers/search.pxi - the search algorithms of the source papers, for comparison; the engine does not use them.
#
# Uses: board/movegen, search/score, search/virtual_time, eval/evaluate, papers/table, papers/evaluate, papers/worker.
# Alpha-beta, PVS and MTD(f) to a fixed depth; table, move ordering, null move and extensions as in Zou 2012
# (chapter 4 and 5.3.2), each of which can be switched off, and what the engine thesis has in their places (chapters 2.4
# and 3). papers/split.pxi runs them on several threads.
# Repetitions are not judged: at these depths the papers do not either, and a value is then a property of
# position and depth alone.


cdef inline bint is_over(ThesisShared* shared, ThesisSplit* split) noexcept nogil:
    """Does nobody need the values of the split any more, or those of one around it?"""
    if flag_get(&shared.stop):
        return True
    while split != NULL:
        if flag_get(&split.end):
            return True
        split = split.parent
    return False


cdef inline bint thesis_left(ThesisWorker* w) noexcept nogil:
    """Must the search be left, its value unused?"""
    return is_over(w.shared, w.split)


cdef void thesis_poll(ThesisWorker* w) noexcept nogil:
    """Stop the search if a limit is reached or a signal has come."""
    cdef ThesisShared* shared = w.shared
    cdef uint64_t total = 0
    cdef int i
    w.next_poll = w.nodes + POLL_NODES
    w.polls += 1
    word_set(&w.shown, w.visited)
    if w.number == 0 and w.polls % SIGNAL_POLLS == 0 and shared.poll(shared.listener):
        flag_set(&shared.stop, 1)
    if not shared.limited:
        return
    if shared.max_nodes:
        for i in range(shared.options.threads):
            total += word_get(&shared.workers[i].shown)
        if total >= shared.max_nodes:
            flag_set(&shared.stop, 1)
    if shared.deadline_us and now_us() >= shared.deadline_us:
        flag_set(&shared.stop, 1)


cdef int thesis_static(ThesisWorker* w, int ply) noexcept nogil:
    """The evaluation, before it is rounded to the grain."""
    if w.shared.options.evaluation == SOURCE_TERMS:
        return thesis_evaluate(&w.shared.terms, &w.pos, w.placed[ply])
    if w.shared.options.evaluation == TAPERED_TERMS:
        return tapered_evaluate(&w.pos)
    return classic_anew(w.shared.classic, &w.pos)


cdef int thesis_leaf(ThesisWorker* w, int ply) noexcept nogil:
    cdef int value
    w.leaves += 1
    w.visited += 1
    value = thesis_static(w, ply)
    return value - value % w.shared.options.grain


cdef inline void thesis_shift(Position* pos, int kind, int victim, int src, int dst) noexcept nogil:
    """Make or unmake a move in what thesis_evaluate looks at."""
    cdef int us = pos.side
    pos.by_type[kind] ^= BIT(src) | BIT(dst)
    pos.by_side[us] ^= BIT(src) | BIT(dst)
    toggle_occupancy(pos, src)
    if victim == EMPTY:
        toggle_occupancy(pos, dst)
    else:
        pos.by_type[type_of(victim)] ^= BIT(dst)
        pos.by_side[us ^ 1] ^= BIT(dst)


cdef int thesis_leaf_after(ThesisWorker* w, move_t m, int ply) noexcept nogil:
    """The value of a move to a leaf, for the side that makes it, without the keys, checks and states of do_move."""
    cdef Position* pos = &w.pos
    cdef int src = src_of(m), dst = dst_of(m), us = pos.side, value
    cdef int kind = type_of(pos.board[src]), victim = pos.board[dst]
    w.placed[ply + 1] = w.placed[ply] + thesis_placed_by(&w.shared.terms, pos, m)
    thesis_shift(pos, kind, victim, src, dst)
    if kind == KING:
        pos.king[us] = <uint8_t>dst
    pos.side = <uint8_t>(us ^ 1)
    value = -thesis_leaf(w, ply + 1)
    pos.side = <uint8_t>us
    thesis_shift(pos, kind, victim, src, dst)
    if kind == KING:
        pos.king[us] = <uint8_t>src
    return value


# The table. Mates are stored as seen from the node.

cdef bint thesis_look(ThesisWorker* w, int depth, int ply, ThesisProbe* found) noexcept nogil:
    """The deepest entry of the position in any table."""
    cdef ThesisProbe one
    cdef int i
    found.depth = -1
    found.move = NO_MOVE
    w.probes += 1
    for i in range(w.shared.tables_n):
        if thesis_probe(&w.shared.tables[i], w.pos.st.key, &one) and one.depth > found.depth:
            found[0] = one
    if found.depth < 0:
        return False
    if found.value > MATE_BOUND:
        found.value -= ply
    elif found.value < -MATE_BOUND:
        found.value += ply
    return found.depth == depth if w.shared.options.exact_depth else found.depth >= depth


cdef void thesis_keep(ThesisWorker* w, move_t move, int value, int depth, int ply, int bound) noexcept nogil:
    if value > MATE_BOUND:
        value += ply
    elif value < -MATE_BOUND:
        value -= ply
    thesis_store(&w.shared.tables[w.number if w.shared.tables_n > 1 else 0], w.pos.st.key, move, value, depth, bound)


# The order of moves.

cdef void thesis_credit(ThesisWorker* w, move_t m, int depth, int ply) noexcept nogil:
    """A good move: it gave a cutoff or raised alpha (Zou 2012, SaveGoodMove)."""
    cdef uint64_t* h = &w.history[src_of(m) * SQUARES + dst_of(m)]
    cdef uint64_t step = <uint64_t>2 << depth
    if w.shared.options.history == HISTORY_SQUARE:
        step = <uint64_t>(depth * depth)
    word_set(h, h[0] + step)
    if <move_t>(w.killers[ply] & 0xffff) != m:
        word_set(&w.killers[ply], (w.killers[ply] & 0xffff) << 16 | m)


cdef uint64_t thesis_history(ThesisWorker* w, move_t m) noexcept nogil:
    """Of all workers together (Zou 2012, 4.2.3), or the worker's own."""
    cdef uint64_t total = 0
    cdef int i
    if w.shared.options.own_order:
        return w.history[src_of(m) * SQUARES + dst_of(m)]
    for i in range(w.shared.options.threads):
        total += word_get(&w.shared.workers[i].history[src_of(m) * SQUARES + dst_of(m)])
    return total


cdef uint64_t thesis_killers(ThesisWorker* w, int ply) noexcept nogil:
    """Two killers: its own last two, or of several workers their newest with the most history (Zou 2016, 2.4)."""
    cdef uint64_t packed, first_history = 0, second_history = 0, h
    cdef move_t first = NO_MOVE, second = NO_MOVE, m
    cdef int i
    if w.shared.options.own_order:
        return w.killers[ply]
    for i in range(w.shared.options.threads):
        packed = word_get(&w.shared.workers[i].killers[ply])
        m = <move_t>(packed & 0xffff)
        if m == NO_MOVE or m == first or m == second:
            continue
        h = thesis_history(w, m)
        if first == NO_MOVE or h > first_history:
            second = first
            second_history = first_history
            first = m
            first_history = h
        elif second == NO_MOVE or h > second_history:
            second = m
            second_history = h
    return <uint64_t>second << 16 | first


cdef int thesis_gen(const Position* pos, move_t* moves) noexcept nogil:
    """The legal moves, rooks' first and the king's last: all the order there is without heuristics."""
    cdef int[7] kinds = [ROOK, KNIGHT, CANNON, PAWN, BISHOP, ADVISOR, KING]
    cdef SquareBits rest
    cdef int i, k, s, total, n = 0
    for i in range(7):
        rest = pieces(pos, pos.side, kinds[i])
        while set_any(rest):
            s = pop_first(&rest)
            total = add_moves(moves, n, s, destinations(pos, s))
            for k in range(n, total):
                if is_legal(pos, moves[k]):
                    moves[n] = moves[k]
                    n += 1
    return n


cdef int root_only(const ThesisShared* shared, move_t* moves, int n) noexcept nogil:
    """Keep the moves that the search was asked to consider; their number."""
    cdef int i, k, kept = 0
    if shared.root_n == 0:
        return n
    for i in range(n):
        for k in range(shared.root_n):
            if moves[i] == shared.root_moves[k]:
                moves[kept] = moves[i]
                kept += 1
                break
    return kept


cdef inline int thesis_win(ThesisWorker* w, move_t m) noexcept nogil:
    """What a capture wins by value: the victim, less the capturing piece if the victim is protected."""
    cdef const Position* pos = &w.pos
    cdef const int16_t* value = w.shared.terms.exchange
    cdef int wins = value[type_of(pos.board[dst_of(m)])]
    if set_any(attackers_to(pos, dst_of(m), occupied(pos)) & pos.by_side[pos.side ^ 1]):
        wins -= value[type_of(pos.board[src_of(m)])]
    return wins


cdef void thesis_score_moves(ThesisWorker* w, const move_t* moves, uint64_t* scores, int n, move_t table_move,
                             int ply) noexcept nogil:
    """Class of the move << 60 | what a capture wins << 44 | history (Zou 2012, 4.1.4).

    Table move, killers among the good captures, good captures, other killers, the rest; good is a capture that
    wins nothing less than it risks: the victim, less the capturing piece if the victim is protected.
    """
    cdef const ThesisOptions* o = &w.shared.options
    cdef const Position* pos = &w.pos
    cdef uint64_t both = thesis_killers(w, ply) if o.killers != KILLERS_OFF else 0
    cdef move_t killer = <move_t>(both & 0xffff), older = <move_t>(both >> 16), m
    cdef int i, wins, group
    cdef bint is_killer
    for i in range(n):
        m = moves[i]
        is_killer = o.killers != KILLERS_OFF and (m == killer or m == older)
        group = wins = 0
        if is_killer:
            group = 1 if o.killers == KILLERS_AFTER else TABLE_MOVE_CLASS - 1
        if o.captures and pos.board[dst_of(m)] != EMPTY:
            wins = thesis_win(w, m)
            if wins >= 0:
                group = max(group, GOOD_CAPTURE_CLASS + is_killer)
            else:
                wins = 0
        if o.table_move and m == table_move:
            group = TABLE_MOVE_CLASS
        scores[i] = <uint64_t>group << 60 | <uint64_t>wins << 44
        if o.history != HISTORY_OFF:
            scores[i] += min(thesis_history(w, m), <uint64_t>1 << 43)


cdef inline void thesis_pick(move_t* moves, uint64_t* scores, int i, int n) noexcept nogil:
    """Bring the best of moves[i..n) to place i; the others keep their order."""
    cdef int k, best = i
    cdef move_t m
    cdef uint64_t score
    for k in range(i + 1, n):
        if scores[k] > scores[best]:
            best = k
    m = moves[best]
    score = scores[best]
    for k in range(best, i, -1):
        moves[k] = moves[k - 1]
        scores[k] = scores[k - 1]
    moves[i] = m
    scores[i] = score


cdef inline bint shares_brothers(ThesisShared* shared, int depth, bint passed) noexcept nogil:
    """May idle threads take the brothers of a node's first move?"""
    if passed or depth < SHARE_DEPTH or shared.options.threads == 1:
        return False
    return shared.options.split >= SPLIT_TASKS or (shared.options.split == SPLIT_DTS and flag_get(&shared.idle) > 0)


cdef bint thesis_sorts(const ThesisOptions* o) noexcept nogil:
    return o.table_move or o.captures or o.history != HISTORY_OFF or o.killers != KILLERS_OFF


# The search.

cdef bint thesis_extends(ThesisWorker* w, int ply) noexcept nogil:
    """At a leaf, one ply more for a check, or after two captures in a row (Zou 2012, 5.3.2)."""
    cdef const State* st = w.pos.st
    if w.shared.options.extensions != EXTENSIONS_EXCHANGE or ply >= w.shared.max_ply:
        return False
    return set_any(st.checkers) or (st.captured != EMPTY and (st - 1).captured != EMPTY)


cdef int thesis_depth(ThesisWorker* w, int depth, int n, int ply) noexcept nogil:
    """The depth for a node with n moves: a ply more in check, and for an only move (engine thesis, 3.3.2)."""
    if w.shared.options.extensions != EXTENSIONS_FORCED or ply >= w.shared.max_ply:
        return depth
    return depth + 1 if n == 1 or set_any(w.pos.st.checkers) else depth


cdef bint thesis_may_pass(ThesisWorker* w, int beta, int ply) noexcept nogil:
    """Not at the root, in check or twice running, with fewer than three attackers (Zou 2012, 4.1.3) or behind."""
    cdef const Position* pos = &w.pos
    cdef SquareBits guards = pos.by_type[KING] | pos.by_type[ADVISOR] | pos.by_type[BISHOP]
    if w.shared.options.null_move == NULL_OFF or ply == 0 or pos.st.move == NO_MOVE:
        return False
    if set_any(pos.st.checkers) or not -MATE_BOUND < beta < MATE_BOUND:
        return False
    if w.shared.options.null_move == NULL_VERIFIED:
        return thesis_static(w, ply) > NULL_MARGIN
    return set_count(pos.by_side[pos.side] & ~guards) >= 3


cdef int thesis_reduction(ThesisWorker* w, int depth) noexcept nogil:
    """Of a null move: 3 when far from the leaves and far ahead, else 2."""
    cdef const Position* pos = &w.pos
    cdef int kind, ahead = 0
    if depth < 9 or w.shared.options.null_move == NULL_VERIFIED:
        return 2
    for kind in range(ADVISOR, PAWN + 1):
        ahead += w.shared.terms.value[kind] * (set_count(pieces(pos, pos.side, kind))
                                               - set_count(pieces(pos, pos.side ^ 1, kind)))
    return 3 if ahead > 600 else 2


cdef int thesis_pass(ThesisWorker* w, int depth, int beta, int ply, bint passed) noexcept nogil:
    """The value of a node that is above beta although its side passes; otherwise -INFINITE."""
    cdef int value, reduction = thesis_reduction(w, depth)
    w.placed[ply + 1] = w.placed[ply]
    do_null(&w.pos)
    value = -thesis_search(w, depth - 1 - reduction, -beta, -beta + 1, ply + 1, True, True)
    undo_null(&w.pos)
    if value < beta or thesis_left(w):
        return -INFINITE
    if w.shared.options.null_move == NULL_VERIFIED:
        if thesis_search(w, depth - reduction, beta - 1, beta, ply, passed, False) < beta:
            return -INFINITE
    return value


cdef int thesis_quiesce(ThesisWorker* w, int alpha, int beta, int ply) noexcept nogil:
    """The value of a leaf after the captures that win something (engine thesis, 3.3.1), fail-soft."""
    cdef move_t moves[MAX_MOVES]
    cdef uint64_t scores[MAX_MOVES]
    cdef int i, n, total, value, best = thesis_leaf(w, ply)
    if best >= beta or ply >= w.shared.max_ply:
        return best
    alpha = max(alpha, best)
    total = thesis_gen(&w.pos, moves)
    n = 0
    for i in range(total):
        if w.pos.board[dst_of(moves[i])] != EMPTY:
            value = thesis_win(w, moves[i])
            if value > 0:
                moves[n] = moves[i]
                scores[n] = <uint64_t>value
                n += 1
    for i in range(n):
        thesis_pick(moves, scores, i, n)
        w.placed[ply + 1] = w.placed[ply] + thesis_placed_by(&w.shared.terms, &w.pos, moves[i])
        do_move(&w.pos, moves[i])
        value = -thesis_quiesce(w, -beta, -alpha, ply + 1)
        undo_move(&w.pos)
        if value > best:
            best = value
            alpha = max(alpha, best)
            if best >= beta:
                break
    return best


cdef int thesis_child(ThesisWorker* w, move_t m, int depth, int alpha, int beta, int ply, bint first,
                      bint passed) noexcept nogil:
    """The value of a move at a node of that window and depth, for the side that makes it."""
    cdef int value
    w.placed[ply + 1] = w.placed[ply] + thesis_placed_by(&w.shared.terms, &w.pos, m)
    do_move(&w.pos, m)
    if w.shared.options.algorithm == PVS and not first and beta - alpha > 1:
        value = -thesis_search(w, depth - 1, -alpha - 1, -alpha, ply + 1, passed, True)
        if alpha < value < beta and not thesis_left(w):
            value = max(value, -thesis_search(w, depth - 1, -beta, -value, ply + 1, passed, True))
    else:
        value = -thesis_search(w, depth - 1, -beta, -alpha, ply + 1, passed, True)
    undo_move(&w.pos)
    return value


cdef bint thesis_answers(const ThesisProbe* found, int alpha, int beta) noexcept nogil:
    """Does what the table has decide the node?"""
    return (found.bound == BOUND_EXACT or (found.bound == BOUND_LOWER and found.value >= beta)
            or (found.bound == BOUND_UPPER and found.value <= alpha))


cdef void thesis_learn(ThesisWorker* w, move_t good, move_t best_move, int best, int depth, int ply, int bound,
                       bint table) noexcept nogil:
    """Keep what a node has found: its move in history and killers, all of it in the table.

    good: the move that raised alpha, or NO_MOVE. best_move: the best one, if only of those below alpha.
    """
    cdef const ThesisOptions* o = &w.shared.options
    if good != NO_MOVE:
        thesis_credit(w, good, depth, ply)
    elif o.alpha_killers and best_move != NO_MOVE:
        thesis_credit(w, best_move, depth, ply)
    if table and (ply > 0 or w.shared.root_n == 0):
        thesis_keep(w, best_move if o.alpha_moves else good, best, depth, ply, bound)


cdef int thesis_search(ThesisWorker* w, int depth, int alpha, int beta, int ply, bint passed,
                       bint may_pass) noexcept nogil:
    """The value of the position, fail-soft. passed: below a null move, where nothing is kept."""
    cdef move_t moves[MAX_MOVES]
    cdef uint64_t scores[MAX_MOVES]
    cdef ThesisProbe found
    cdef const ThesisOptions* o = &w.shared.options
    cdef bint table = o.table and not passed, sorts = thesis_sorts(o), plain
    cdef move_t good = NO_MOVE, best_move = NO_MOVE
    cdef int i, n, value, deep, best = -INFINITE, bound = BOUND_UPPER
    if depth <= 0:
        depth = 1 if thesis_extends(w, ply) else 0
        table = table and (depth > 0 or (o.leaf_entries and not o.quiescence))
    found.move = NO_MOVE
    if table and thesis_look(w, depth, ply, &found) and ply > 0 and thesis_answers(&found, alpha, beta):
        w.hits += 1
        return found.value
    if depth == 0 and o.quiescence:
        return thesis_quiesce(w, alpha, beta, ply)
    if depth == 0:
        value = thesis_leaf(w, ply)
        if table:
            thesis_keep(w, NO_MOVE, value, 0, ply, BOUND_EXACT)
        return value
    w.nodes += 1
    w.visited += 1
    if w.nodes >= w.next_poll:
        thesis_poll(w)
    if w.nodes >= w.next_turn:
        w.next_turn = w.nodes + TURN_POLL
        pass_turn(w.shared.virtual_time, w.number)
    if o.internal_deepening and table and found.move == NO_MOVE and depth > 2 and ply > 0:
        thesis_search(w, depth - 2, alpha, beta, ply, passed, may_pass)
        thesis_look(w, depth, ply, &found)
        if thesis_left(w):
            return 0
    if may_pass and thesis_may_pass(w, beta, ply):
        value = thesis_pass(w, depth, beta, ply, passed)
        if value >= beta:
            return value
    n = thesis_gen(&w.pos, moves)
    if n == 0:
        return -MATE + ply
    if ply == 0:
        n = root_only(w.shared, moves, n)
    deep = thesis_depth(w, depth, n, ply)
    if sorts:
        thesis_score_moves(w, moves, scores, n, found.move, ply)
    plain = (deep == 1 and not (table and o.leaf_entries) and o.extensions != EXTENSIONS_EXCHANGE
             and not o.quiescence and o.evaluation == SOURCE_TERMS)
    for i in range(n):
        if i == 1 and shares_brothers(w.shared, deep, passed):
            w.shared.share_rest(w, moves, scores, n, deep, &alpha, beta, ply, &best, &best_move, &good)
            if thesis_left(w):
                return 0
            bound = BOUND_LOWER if best >= beta else BOUND_EXACT if good != NO_MOVE else BOUND_UPPER
            w.cuts += best >= beta
            break
        if sorts:
            thesis_pick(moves, scores, i, n)
        if plain:
            value = thesis_leaf_after(w, moves[i], ply)
        else:
            value = thesis_child(w, moves[i], deep, alpha, beta, ply, i == 0, passed)
            if thesis_left(w):
                return 0
        if value > best:
            best = value
            best_move = moves[i]
            if value > alpha:
                if o.algorithm != MINIMAX:
                    alpha = value
                good = best_move
                bound = BOUND_EXACT
                if value >= beta:
                    bound = BOUND_LOWER
                    w.cuts += 1
                    w.first_cuts += i == 0
                    break
    if ply == 0 and good != NO_MOVE:
        w.best = good
    if not passed:
        thesis_learn(w, good, best_move, best, depth, ply, bound, table)
    return best
