# seeds_split.pxi - the papers' algorithms from the root, and PV-split on OpenMP threads.
#
# Uses: seeds.
# PV-split (000, 4.2; Marsland and Popowich 1985): along the leftmost branch the first move is searched first,
# by the same procedure; then all threads share the other moves. Each takes the first move that nobody has
# taken, so that good moves start first whatever the schedule; the bound is shared, and a cutoff ends the split.

cdef extern from *:
    """
    #define flag_next(p)   atomic_fetch_add_explicit((p), 1, memory_order_relaxed)
    #define flag_lock(p)   do {} while (atomic_exchange_explicit((p), 1, memory_order_acquire))
    #define flag_unlock(p) atomic_store_explicit((p), 0, memory_order_release)
    """
    int flag_next(atomic_flag* p) noexcept nogil      # the value before one is added
    void flag_lock(atomic_flag* p) noexcept nogil
    void flag_unlock(atomic_flag* p) noexcept nogil


cdef struct SeedSplit:           # a node whose moves several threads search
    Position pos
    State states[2]              # the node's and the one before
    int placed
    int depth
    int beta
    int ply
    int n
    move_t moves[MAX_MOVES]
    char apart[64]               # what all threads write lies on lines of its own
    atomic_flag next             # move to be taken
    atomic_flag alpha
    atomic_flag end              # a cutoff: the others leave
    atomic_flag lock             # for what follows
    int best
    move_t good                  # the move that raised alpha


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
        if value <= alpha or value >= split.beta or seed_left(w):
            return value
        alpha = flag_get(&split.alpha)
        if value > alpha:        # the same thread searches it again, with the larger window
            return max(value, seed_child(w, m, split.depth, value, split.beta, split.ply, True, False))


cdef void seed_share(SeedWorker* w, SeedSplit* split) noexcept nogil:
    """One turn of the parallel loop: search the first move that nobody has taken."""
    cdef int value, i
    if seed_left(w):
        return
    i = flag_next(&split.next)
    if i >= split.n:
        return
    if w.number > 0:
        seed_load(w, split)
    value = seed_sibling(w, split, split.moves[i])
    if not seed_left(w):
        flag_lock(&split.lock)
        if value > split.best:
            split.best = value
            if value > flag_get(&split.alpha):
                flag_set(&split.alpha, value)
                split.good = split.moves[i]
                if value >= split.beta:
                    flag_set(&split.end, 1)
        flag_unlock(&split.lock)
    w.free_us = now_us()


cdef void seed_share_all(SeedWorker** workers, SeedSplit* split) noexcept nogil:
    cdef int k, _turn, threads = workers[0].seeds.options.threads, first = flag_get(&split.next)
    cdef int64_t start = now_us(), end
    for k in range(threads):
        workers[k].end = &split.end
        workers[k].free_us = start
    if workers[0].seeds.options.dynamic:
        for _turn in prange(first, split.n, schedule="dynamic", chunksize=1, num_threads=threads):
            seed_share(workers[omp_get_thread_num()], split)
    else:
        for _turn in prange(first, split.n, schedule="static", chunksize=1, num_threads=threads):
            seed_share(workers[omp_get_thread_num()], split)
    end = now_us()
    for k in range(threads):
        workers[k].end = NULL
        workers[0].seeds.idle_us += end - workers[k].free_us


cdef int seed_spine(SeedWorker** workers, int depth, int alpha, int beta, int ply) noexcept nogil:
    """The value of a node on the leftmost branch; the node's window is wide open, so it knows no null move."""
    cdef SeedWorker* w = workers[0]
    cdef uint64_t scores[MAX_MOVES]
    cdef SeedProbe found
    cdef SeedSplit split
    cdef int i, bound = BOUND_UPPER, alpha_before = alpha
    cdef bint table = w.seeds.options.table
    if depth <= 1 or flag_get(&w.seeds.stop):
        return seed_search(w, depth, alpha, beta, ply, False)
    found.move = NO_MOVE
    if table and seed_look(w, depth, ply, &found) and ply > 0:
        if (found.bound == BOUND_EXACT or (found.bound == BOUND_LOWER and found.value >= beta)
                or (found.bound == BOUND_UPPER and found.value <= alpha)):
            w.hits += 1
            return found.value
    w.nodes += 1
    split.n = seed_gen(&w.pos, split.moves)
    if split.n == 0:
        return -MATE + ply
    if seed_sorts(&w.seeds.options):
        seed_score_moves(w, split.moves, scores, split.n, found.move, ply)
        for i in range(split.n):
            seed_pick(split.moves, scores, i, split.n)
    split.good = NO_MOVE
    w.placed[ply + 1] = w.placed[ply] + seed_placed_by(&w.pos, split.moves[0])
    do_move(&w.pos, split.moves[0])
    split.best = -seed_spine(workers, depth - 1, -beta, -alpha, ply + 1)
    undo_move(&w.pos)
    if split.best > alpha:
        alpha = split.best
        split.good = split.moves[0]
    if alpha < beta and not flag_get(&w.seeds.stop):
        memcpy(&split.pos, &w.pos, sizeof(Position))
        memcpy(split.states, w.pos.st - 1, sizeof(split.states))
        split.placed = w.placed[ply]
        split.depth = depth
        split.beta = beta
        split.ply = ply
        flag_set(&split.next, 1)
        flag_set(&split.alpha, alpha)
        flag_set(&split.end, 0)
        flag_set(&split.lock, 0)
        seed_share_all(workers, &split)
    if flag_get(&w.seeds.stop):
        return 0
    if split.best >= beta:
        bound = BOUND_LOWER
    elif split.best > alpha_before:
        bound = BOUND_EXACT
    if split.good != NO_MOVE:
        if ply == 0:
            w.best = split.good
        seed_credit(w, split.good, depth, ply)
    if table:
        seed_keep(w, split.good, split.best, depth, ply, bound)
    return split.best


cdef int seed_root(SeedWorker** workers, int depth, int guess) noexcept nogil:
    """One iteration; guess: the value expected, for MTD(f). The value, unless stopped."""
    cdef Seeds* seeds = workers[0].seeds
    cdef bint alone = seeds.options.threads == 1
    cdef int lower = -INFINITE, upper = INFINITE, value = guess, beta
    seeds.max_ply = 2 * depth
    if seeds.options.algorithm != MTDF:
        if alone:
            return seed_search(workers[0], depth, lower, upper, 0, False)
        return seed_spine(workers, depth, lower, upper, 0)
    # MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): zero windows close in on the value.
    while lower < upper and not flag_get(&seeds.stop):
        beta = value + 1 if value == lower else value
        if alone:
            value = seed_search(workers[0], depth, beta - 1, beta, 0, False)
        else:
            value = seed_spine(workers, depth, beta - 1, beta, 0)
        if value < beta:
            upper = value
        else:
            lower = value
    return value
