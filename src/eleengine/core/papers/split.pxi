# papers/split.pxi - the papers' algorithms from the root, and PV-split on OpenMP threads.
#
# Uses: base/platform, papers/search.
# PV-split (000, 4.2; Marsland and Popowich 1985): along the leftmost branch the first move is searched first,
# by the same procedure; then all threads share the other moves. Each takes the first move that nobody has
# taken, so that good moves start first whatever the schedule; the bound is shared, and a cutoff ends the split.
# With regroup, a move above the bound ends it, too: all threads search it again together, then share the rest.

cdef struct SeedSplit:           # a node whose moves several threads search
    Position pos
    State states[2]              # the node's and the one before
    int placed
    int depth
    int beta
    int ply
    int n
    move_t moves[MAX_MOVES]
    char apart[64]               # what all threads write lies on lines of its own; the search's lock guards it
    atomic_flag alpha            # read without the lock, too
    atomic_flag end              # a cutoff, or a move for all: the others leave
    bint done[MAX_MOVES]
    int next                     # index of the move to be taken
    int best
    move_t best_move
    move_t good                  # the move that raised alpha
    int again                    # index of the move that all threads are to search next, or -1
    int bound                    # a value that it has at least


cdef void seed_load(SeedWorker* w, const SeedSplit* split) noexcept nogil:
    memcpy(&w.pos, &split.pos, sizeof(Position))
    memcpy(w.states, split.states, sizeof(split.states))
    w.pos.st = &w.states[1]
    w.placed[split.ply] = split.placed


cdef int seed_sibling(SeedWorker* w, SeedSplit* split, move_t m) noexcept nogil:
    """The value of the move against the bound as it is now; when that has moved on, against the new one."""
    cdef int alpha, value
    while True:
        alpha = flag_get(&split.alpha)
        if w.seeds.options.algorithm != PVS:
            return seed_child(w, m, split.depth, alpha, split.beta, split.ply, False, False)
        value = seed_child(w, m, split.depth, alpha, alpha + 1, split.ply, False, False)
        if value <= alpha or value >= split.beta or w.seeds.options.regroup or seed_left(w):
            return value
        alpha = flag_get(&split.alpha)
        if value > alpha:        # the same thread searches it again, with the larger window
            return max(value, seed_child(w, m, split.depth, value, split.beta, split.ply, True, False))


cdef int seed_take(SeedSplit* split) noexcept nogil:
    """Index of the first move that nobody has taken, or -1; the lock is held."""
    while split.next < split.n and split.done[split.next]:
        split.next += 1
    if split.next == split.n:
        return -1
    split.next += 1
    return split.next - 1


cdef void seed_result(SeedSplit* split, int i, int value, bint exact) noexcept nogil:
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


cdef void seed_share(Seeds* seeds, SeedSplit* split) noexcept nogil:
    """One turn of the parallel loop: search the first move that nobody has taken."""
    cdef SeedWorker* w
    cdef int value, i
    spin_take(&seeds.lock)       # what was written before is seen by all
    w = seeds.workers[omp_get_thread_num()]
    i = -1 if seed_left(w) else seed_take(split)
    spin_give(&seeds.lock)
    if i < 0:
        return
    if w.number > 0:
        seed_load(w, split)
    value = seed_sibling(w, split, split.moves[i])
    spin_take(&seeds.lock)
    if not seed_left(w):
        seed_result(split, i, value, not seeds.options.regroup)
    w.free_us = now_us()
    spin_give(&seeds.lock)


cdef void seed_share_all(Seeds* seeds, SeedSplit* split) noexcept nogil:
    cdef int k, _turn, threads = seeds.options.threads
    cdef int64_t start = now_us(), end
    spin_take(&seeds.lock)
    split.next = 1
    flag_set(&split.end, 0)
    for k in range(threads):
        seeds.workers[k].end = &split.end
        seeds.workers[k].free_us = start
    spin_give(&seeds.lock)
    if seeds.options.dynamic:
        for _turn in prange(1, split.n, schedule="dynamic", chunksize=1, num_threads=threads):
            seed_share(seeds, split)
    else:
        for _turn in prange(1, split.n, schedule="static", chunksize=1, num_threads=threads):
            seed_share(seeds, split)
    spin_take(&seeds.lock)
    end = now_us()
    for k in range(threads):
        seeds.workers[k].end = NULL
        seeds.idle_us += end - seeds.workers[k].free_us
    spin_give(&seeds.lock)


cdef int seed_spine(SeedWorker** workers, int depth, int alpha, int beta, int ply) noexcept nogil:
    """The value of a node on the leftmost branch; the node's window is wide open, so it knows no null move."""
    cdef SeedWorker* w = workers[0]
    cdef uint64_t scores[MAX_MOVES]
    cdef SeedProbe found
    cdef SeedSplit split
    cdef int i, value, bound = BOUND_UPPER
    cdef bint table = w.seeds.options.table
    if depth <= 1 or flag_get(&w.seeds.stop):
        return seed_search(w, depth, alpha, beta, ply, False, True)
    found.move = NO_MOVE
    if table and seed_look(w, depth, ply, &found) and ply > 0 and seed_answers(&found, alpha, beta):
        w.hits += 1
        return found.value
    w.nodes += 1
    split.n = seed_gen(&w.pos, split.moves)
    if split.n == 0:
        return -MATE + ply
    if ply == 0:
        split.n = root_only(w.seeds, split.moves, split.n)
    if seed_sorts(&w.seeds.options):
        seed_score_moves(w, split.moves, scores, split.n, found.move, ply)
        for i in range(split.n):
            seed_pick(split.moves, scores, i, split.n)
    memcpy(&split.pos, &w.pos, sizeof(Position))
    memcpy(split.states, w.pos.st - 1, sizeof(split.states))
    memset(split.done, 0, sizeof(split.done))
    split.placed = w.placed[ply]
    split.depth = seed_depth(w, depth, split.n, ply)
    split.beta = beta
    split.ply = ply
    split.best = split.bound = -INFINITE
    split.best_move = split.good = NO_MOVE
    split.again = 0
    flag_set(&split.alpha, alpha)
    while split.again >= 0:
        i = split.again
        split.again = -1
        w.placed[ply + 1] = w.placed[ply] + seed_placed_by(&w.seeds.terms, &w.pos, split.moves[i])
        do_move(&w.pos, split.moves[i])
        value = -seed_spine(workers, split.depth - 1, -beta, -max(flag_get(&split.alpha), split.bound), ply + 1)
        undo_move(&w.pos)
        seed_result(&split, i, max(value, split.bound), True)
        if split.best < beta and not flag_get(&w.seeds.stop):
            seed_share_all(w.seeds, &split)
    if flag_get(&w.seeds.stop):
        return 0
    if split.best >= beta:
        bound = BOUND_LOWER
    elif split.best > alpha:
        bound = BOUND_EXACT
    if ply == 0 and split.good != NO_MOVE:
        w.best = split.good
    seed_learn(w, split.good, split.best_move, split.best, depth, ply, bound, table)
    return split.best


cdef int seed_root(SeedWorker** workers, int depth, int guess) noexcept nogil:
    """One iteration; guess: the value expected, for MTD(f). The value, unless stopped."""
    cdef Seeds* seeds = workers[0].seeds
    cdef bint alone = seeds.options.threads == 1
    cdef int lower = -INFINITE, upper = INFINITE, value = guess, beta
    seeds.max_ply = 2 * depth
    if seeds.options.algorithm != MTDF:
        if alone:
            return seed_search(workers[0], depth, lower, upper, 0, False, True)
        return seed_spine(workers, depth, lower, upper, 0)
    # MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): zero windows close in on the value.
    while lower < upper and not flag_get(&seeds.stop):
        beta = value + 1 if value == lower else value
        if alone:
            value = seed_search(workers[0], depth, beta - 1, beta, 0, False, True)
        else:
            value = seed_spine(workers, depth, beta - 1, beta, 0)
        if value < beta:
            upper = value
        else:
            lower = value
    return value
