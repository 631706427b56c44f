# search/aspiration.pxi - one iteration at the root, in a window around the last score.
#
# Uses: search/negamax.


cdef void search_root(Worker* w, int depth) noexcept nogil:
    """One iteration for the root moves from pv_index on, with an aspiration window."""
    cdef const Parameters* P = w.params
    cdef int first = w.pv_index, i, delta = P.aspiration, shallower = 0, value
    cdef int alpha = -INFINITE, beta = INFINITE
    cdef int previous = w.root[first].previous
    w.root_depth = depth
    w.seldepth = 0
    for i in range(first, w.n_root):
        w.root[i].outcome = min(w.root[i].outcome, NOT_SEARCHED)    # what is lost remains so
    if depth >= ASPIRATION_DEPTH and not is_decisive(previous):
        alpha = previous - delta
        beta = previous + delta
    if first == 0 and w.shared.mate.value > 0:     # only a shorter one is of interest
        alpha = w.shared.mate.value - 1
        beta = INFINITE
    while True:
        for i in range(first, w.n_root):
            w.root[i].score = -INFINITE
        value = search(w, alpha, beta, max(1, depth - shallower), 0, False)
        if stopped(w):
            break
        sort_root(w, first)
        w.root[first].previous = value           # what is known if the next attempt is stopped
        if value <= alpha:
            demote_lost_move(w, first)
            beta = (alpha + beta) // 2
            alpha = max(-INFINITE, value - delta)
            shallower = 0
        elif value >= beta:
            beta = min(INFINITE, value + delta)
            shallower = min(shallower + 1, P.fail_high_reduction)
        else:
            break
        delta += delta // 2
        if delta > ASPIRATION_MAX:
            alpha = -INFINITE
            beta = INFINITE
    # Stopped or not, the first move with a score is the best one known, if it does not lose at once.
    sort_root(w, first)
    if stopped(w):
        demote_lost_move(w, first)
