# papers/share.pxi - a node whose moves several threads search: what all ways to share the tree have in common.
#
# Uses: papers/search.
# Each thread takes the first move that nobody has taken, so that good moves start first; the bound is shared, and a
# cutoff ends the split. The search's lock guards moves and results.


cdef void thesis_load(ThesisWorker* w, const ThesisSplit* split) noexcept nogil:
    memcpy(&w.pos, &split.pos, sizeof(Position))
    memcpy(&w.states[split.ply], split.states, sizeof(split.states))
    w.pos.st = &w.states[split.ply + 1]
    w.placed[split.ply] = split.placed


cdef int thesis_sibling(ThesisWorker* w, ThesisSplit* split, move_t m) noexcept nogil:
    """The value of the move against the bound as it is now; when that has moved on, against the new one."""
    cdef int alpha, value
    while True:
        alpha = flag_get(&split.alpha)
        if w.shared.options.algorithm != PVS:
            if w.shared.options.algorithm == MINIMAX:
                alpha = -INFINITE
            return thesis_child(w, m, split.depth, alpha, split.beta, split.ply, False, False)
        value = thesis_child(w, m, split.depth, alpha, alpha + 1, split.ply, False, False)
        if value <= alpha or value >= split.beta or w.shared.options.regroup or thesis_left(w):
            return value
        alpha = flag_get(&split.alpha)
        if value > alpha:        # the same thread searches it again, with the larger window
            return max(value, thesis_child(w, m, split.depth, value, split.beta, split.ply, True, False))


cdef int thesis_take(ThesisSplit* split) noexcept nogil:
    """Index of the first move that nobody has taken, or -1; the lock is held."""
    while split.next < split.n and split.done[split.next]:
        split.next += 1
    if split.next == split.n:
        return -1
    split.next += 1
    return split.next - 1


cdef void thesis_result(ThesisSplit* split, int i, int value, bint exact) noexcept nogil:
    """Enter the value of a move; not exact: all search it again if it is above alpha and below beta."""
    if not exact and flag_get(&split.alpha) < value < split.beta:
        split.again = i
        split.bound = value
        flag_set(&split.end, 1)
        return
    split.done[i] = True
    if value > split.best:
        split.best = value
        split.best_move = split.moves[i]
        if value > flag_get(&split.alpha):
            flag_set(&split.alpha, value)
            split.good = split.best_move
            if value >= split.beta:
                flag_set(&split.end, 1)


cdef void open_split(ThesisWorker* w, ThesisSplit* split, int depth, int alpha, int beta, int ply) noexcept nogil:
    """A split of the worker's position, whose moves and their number are there already; nothing is known yet."""
    memcpy(&split.pos, &w.pos, sizeof(Position))
    memcpy(split.states, w.pos.st - 1, sizeof(split.states))
    memset(split.done, 0, sizeof(split.done))
    split.parent = w.split
    split.placed = w.placed[ply]
    split.depth = depth
    split.beta = beta
    split.ply = ply
    split.first = split.next = 1
    split.best = split.bound = -INFINITE
    split.best_move = split.good = NO_MOVE
    split.again = -1
    split.owner = w
    split.helpers = 0
    flag_set(&split.end, 0)
    flag_set(&split.alpha, alpha)


cdef bint take_move(ThesisWorker* w, ThesisSplit* split, bint loads) noexcept nogil:
    """Search the next move of the split, if there is one. loads: the worker does not stand there yet."""
    cdef int i, value
    spin_take(&w.shared.lock)
    i = -1 if thesis_left(w) else thesis_take(split)
    spin_give(&w.shared.lock)
    if i < 0:
        return False
    if loads:
        thesis_load(w, split)
    value = thesis_sibling(w, split, split.moves[i])
    spin_take(&w.shared.lock)
    if not thesis_left(w):
        thesis_result(split, i, value, True)
    spin_give(&w.shared.lock)
    return True
