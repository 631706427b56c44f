# search/root.pxi - the root moves of a worker: their order, what is known of them, and the report of a new best.
#
# Uses: search/node.

cdef enum:
    QUIET_MS = 300               # before this no news is sent: the line of the iteration follows soon
    SHORTEST_GAME_LOOP = 8       # plies until a position can occur for the third time


cdef uint64_t team_nodes(const Worker* w) noexcept nogil:
    """Of the worker and of those that help it where it shares moves out; these must be idle now."""
    cdef uint64_t sum = 0
    cdef int i
    if w.shared.share_moves == NULL:
        return w.nodes
    for i in range(w.shared.n_workers):
        sum += w.shared.workers[i].nodes
    return sum


cdef inline move_t next_root_move(Worker* w, int n) noexcept nogil:
    """Root moves in their own order, the last iteration's best first; n have been taken."""
    cdef int index = w.pv_index + n
    if index >= w.n_root:
        return NO_MOVE
    if w.number == 0:
        word_set(&w.shared.shown_move, w.root[index].move | <uint64_t>index << 16)
    return w.root[index].move


cdef void note_root_move(Worker* w, int index, int value, bint best, bint exact, const Worker* finder) noexcept nogil:
    """Keep what the search of a root move has shown; moves that are not best keep no score.

    exact: the value is within the window, so it has a line.
    """
    cdef RootMove* r = &w.root[index]
    cdef const Frame* child = frame_at(<Worker*>finder, 1)
    cdef bint recent
    r.outcome = min(value, NOT_LOST)
    if not best:
        r.score = -INFINITE
        return
    r.score = value
    recent = r.depth >= w.root_depth - 1
    r.depth = w.root_depth
    r.seldepth = finder.seldepth
    # A value outside the window has no line, at most a refutation. The line of the iteration before stays, in case
    # the next attempt is stopped; not with a mate, whose line has its length.
    if recent and not exact and r.pv_n > child.pv_n and not is_decisive(value):
        return
    r.pv[0] = r.move
    memcpy(&r.pv[1], child.pv, child.pv_n * sizeof(move_t))
    r.pv_n = child.pv_n + 1


cdef void report_new_best(Worker* w) noexcept nogil:
    """Report the first worker's new best root move to the listener, without a lock held: it may take long.

    One worker at a time, so that the moves come in order: it reports what others find meanwhile, too.
    """
    cdef Shared* s = w.shared
    cdef Worker* first = s.workers[0]
    cdef RootMove line
    publish_nodes(w)
    spin_take(&s.lock)
    if not s.reporting:
        s.reporting = True
        while first.new_best:
            line = first.root[first.new_best - 1]
            first.new_best = 0
            spin_give(&s.lock)
            if s.listener.new_best != NULL and now_ms() - s.began_ms >= QUIET_MS:
                s.listener.new_best(s.listener.who, &line)
            spin_take(&s.lock)
        s.reporting = False
    spin_give(&s.lock)


cdef void start_worker(Worker* w) noexcept nogil:
    """Get a worker, whose position is set, ready for a search of its team; its histories stay."""
    w.moves = &(w.shared.workers[0] if shares_histories(w.shared) else w).own_moves
    clear_frames(w)
    w.params = &w.shared.context.params
    eval_begin(&w.eval, &w.shared.context.model, &w.pos)
    w.nodes = w.next_check = w.table_hits = 0
    w.null_ply = w.pv_index = w.new_best = 0
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
        w.root[i].outcome = NOT_SEARCHED
        w.root[i].pv_n = 1
        w.root[i].score = see(&w.pos, moves[i])
    sort_root(w, 0)
    for i in range(w.n_root):
        w.root[i].score = -INFINITE
        w.root[i].previous = value             # what is known if no iteration ends


cdef inline int game_verdict(const Worker* w, int ply) noexcept nogil:
    """The verdict of the rules of repetition, if the position `ply` plies below the root ends the game by them."""
    if w.pos.st.plies_from_null < SHORTEST_GAME_LOOP:
        return NO_VERDICT
    return repetition_verdict(&w.pos, ply, w.shared.rule_set)


cdef void find_repetition_replies(Worker* w) noexcept nogil:
    """Look for replies to the root moves by which the rules end the game.

    The search may pass over them: it prunes quiet replies, and the table does not know of the game.
    """
    cdef Shared* s = w.shared
    cdef Position* pos = &w.pos
    cdef move_t replies[MAX_MOVES]
    cdef RepetitionReply c
    cdef int i, k, n, verdict, value
    s.n_repetition_replies = 0
    if pos.st.plies_from_null < SHORTEST_GAME_LOOP - 2:
        return
    for i in range(w.n_root):
        c.move = w.root[i].move
        c.value = INFINITE
        do_move(pos, c.move)
        n = gen_legal(pos, replies) if game_verdict(w, 1) == NO_VERDICT else 0
        for k in range(n):
            do_move(pos, replies[k])
            verdict = game_verdict(w, 2)
            undo_move(pos)
            if verdict == NO_VERDICT:
                continue
            value = verdict_value(w, verdict, 2)
            if value < c.value:
                c.value = value
                c.reply = replies[k]
        undo_move(pos)
        if c.value < INFINITE:
            s.repetition_replies[s.n_repetition_replies] = c
            s.n_repetition_replies += 1


cdef inline const RepetitionReply* repetition_reply(const Shared* s, move_t m) noexcept nogil:
    """What bounds the root move m, NULL if nothing does."""
    cdef int i
    for i in range(s.n_repetition_replies):
        if s.repetition_replies[i].move == m:
            return &s.repetition_replies[i]
    return NULL


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


cdef void demote_lost_move(Worker* w, int first) noexcept nogil:
    """If the first root move is known to lose, move the first that does not to the front.

    If all lose, the one that is mated last.
    """
    cdef RootMove r
    cdef int i, best = first
    if w.root[first].outcome >= NOT_SEARCHED:
        return
    for i in range(first + 1, w.n_root):
        if w.root[i].outcome > w.root[best].outcome:
            best = i
    if best == first:
        return
    r = w.root[best]
    if r.outcome < NOT_SEARCHED:
        r.score = r.previous = r.outcome
        r.depth = w.root_depth
    memmove(&w.root[first + 1], &w.root[first], (best - first) * sizeof(RootMove))
    w.root[first] = r
