# papers/split.pxi - the papers' algorithms from the root, and on OpenMP threads.
#
# Uses: base/platform, search/virtual_time, papers/search.
# PV-split (000, 4.2; Marsland and Popowich 1985): along the leftmost branch the first move is searched first,
# by the same procedure; then all threads share the other moves. Each takes the first move that nobody has
# taken, so that good moves start first whatever the schedule; the bound is shared, and a cutoff ends the split.
# With regroup, a move above the bound ends it, too: all threads search it again together, then share the rest.
# Tree splitting (000, 2.3.1), in its simplest form: the threads share the moves of the root, the first one too.
# Window splitting (000, 1.2): each thread searches the whole tree, with one of several windows side by side.
# Dynamic tree splitting (000, 2.3.3), in its simplest form: an idle thread joins the deepest search that has
# brothers left, at any node after the first move. Who shares a node waits for its helpers.
# Tasks (003, 2.5): all brothers of a first move are tasks, at any node; idle threads take the oldest ones.
# In virtual time (search/virtual_time) all of them are simulated: a thread takes the turns that the schedule would
# give it, and time and waits are counted in visited nodes.

cdef extern from *:
    """
    #ifdef _WIN32
    #define sched_yield() SwitchToThread()
    #else
    #include <sched.h>
    #endif
    """
    void sched_yield() noexcept nogil

cdef enum:
    WINDOW = 100                 # of a thread between two others


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


cdef int turns_at_once(const Seeds* seeds, const SeedSplit* split, int number) noexcept nogil:
    """How many turns of the loop the schedule gives a thread that asks, as OpenMP has them in chunks of one."""
    cdef int threads = seeds.options.threads, n = split.n - split.first
    if seeds.options.schedule == STATIC:
        return (n - number + threads - 1) // threads
    if seeds.options.schedule == GUIDED:
        return (n - split.given + threads - 1) // threads
    return min(1, n - split.given)


cdef void share_in_turns(Seeds* seeds, SeedSplit* split) noexcept nogil:
    """The turns of one thread in virtual time."""
    cdef int _k, n, number = omp_get_thread_num()
    take_turn(seeds.virtual_time)
    while True:
        n = turns_at_once(seeds, split, number)
        split.given += n
        for _k in range(n):
            seed_share(seeds, split)
        if n == 0 or seeds.options.schedule == STATIC:
            break
    end_turn(seeds.virtual_time)


cdef void seed_share_all(Seeds* seeds, SeedSplit* split) noexcept nogil:
    cdef int k, _turn, threads = seeds.options.threads
    cdef int64_t start = now_us(), end
    spin_take(&seeds.lock)
    split.next = split.first
    split.given = 0
    flag_set(&split.end, 0)
    for k in range(threads):
        seeds.workers[k].split = split
        seeds.workers[k].free_us = start
    spin_give(&seeds.lock)
    open_team(seeds.virtual_time, threads)
    if seeds.virtual_time != NULL:
        for _turn in prange(threads, schedule="static", chunksize=1, num_threads=threads):
            share_in_turns(seeds, split)
    elif seeds.options.schedule == DYNAMIC:
        for _turn in prange(split.first, split.n, schedule="dynamic", chunksize=1, num_threads=threads):
            seed_share(seeds, split)
    elif seeds.options.schedule == GUIDED:
        for _turn in prange(split.first, split.n, schedule="guided", chunksize=1, num_threads=threads):
            seed_share(seeds, split)
    else:
        for _turn in prange(split.first, split.n, schedule="static", chunksize=1, num_threads=threads):
            seed_share(seeds, split)
    close_team(seeds.virtual_time)
    spin_take(&seeds.lock)
    end = now_us()
    for k in range(threads):
        seeds.workers[k].split = NULL
        seeds.idle_us += end - seeds.workers[k].free_us
    spin_give(&seeds.lock)


cdef void open_split(SeedWorker* w, SeedSplit* split, int depth, int alpha, int beta, int ply) noexcept nogil:
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
    split.owner = w.number
    split.helpers = 0
    flag_set(&split.end, 0)
    flag_set(&split.alpha, alpha)


cdef void take_moves(SeedWorker* w, SeedSplit* split, bint loads) noexcept nogil:
    """Search moves of the split as long as there are any. loads: the worker does not stand there yet."""
    cdef int i, value
    while True:
        spin_take(&w.seeds.lock)
        i = -1 if seed_left(w) else seed_take(split)
        spin_give(&w.seeds.lock)
        if i < 0:
            return
        if loads:
            seed_load(w, split)
        value = seed_sibling(w, split, split.moves[i])
        spin_take(&w.seeds.lock)
        if not seed_left(w):
            seed_result(split, i, value, True)
        spin_give(&w.seeds.lock)


cdef void seed_wait(SeedWorker* w) noexcept nogil:
    """Wait a little, or in virtual time until another thread has work or has ended some."""
    if w.seeds.virtual_time != NULL:
        sleep_until_woken(w.seeds.virtual_time, w.number)
    else:
        sched_yield()


cdef void wake_helpers(SeedWorker* w) noexcept nogil:
    cdef int k
    for k in range(w.seeds.options.threads):
        wake(w.seeds.virtual_time, k, w.number)


cdef void share_rest(SeedWorker* w, move_t* moves, uint64_t* scores, int n, int depth, int* alpha, int beta, int ply,
                     int* best, move_t* best_move, move_t* good) noexcept nogil:
    """Search all moves but the first, with the help of threads that are idle; what is known is brought up to date."""
    cdef SeedSplit split
    cdef Seeds* seeds = w.seeds
    cdef int i, helpers
    cdef int64_t start
    if seed_sorts(&seeds.options):
        for i in range(1, n):
            seed_pick(moves, scores, i, n)
    split.n = n
    memcpy(split.moves, moves, n * sizeof(move_t))
    open_split(w, &split, depth, alpha[0], beta, ply)
    split.best = best[0]
    split.best_move = best_move[0]
    split.good = good[0]
    spin_take(&seeds.lock)
    if seeds.open_n < MAX_OPEN:
        seeds.open[seeds.open_n] = &split
        seeds.open_n += 1
    spin_give(&seeds.lock)
    wake_helpers(w)
    w.split = &split
    take_moves(w, &split, False)
    start = now_us()
    spin_take(&seeds.lock)
    for i in range(seeds.open_n):
        if seeds.open[i] == &split:
            seeds.open_n -= 1
            memmove(&seeds.open[i], &seeds.open[i + 1], (seeds.open_n - i) * sizeof(SeedSplit*))
            break
    helpers = split.helpers
    spin_give(&seeds.lock)
    while helpers > 0:
        seed_wait(w)
        spin_take(&seeds.lock)
        helpers = split.helpers
        spin_give(&seeds.lock)
    spin_take(&seeds.lock)
    seeds.idle_us += now_us() - start
    spin_give(&seeds.lock)
    w.split = split.parent
    alpha[0] = flag_get(&split.alpha)
    best[0] = split.best
    best_move[0] = split.best_move
    good[0] = split.good


cdef void seed_help(SeedWorker* w) noexcept nogil:
    """Help others until the root has its value."""
    cdef Seeds* seeds = w.seeds
    cdef SeedSplit* split
    cdef int i, owner
    cdef int64_t start = now_us()
    spin_take(&seeds.lock)
    flag_set(&seeds.idle, flag_get(&seeds.idle) + 1)
    spin_give(&seeds.lock)
    while not flag_get(&seeds.finished):
        split = NULL
        spin_take(&seeds.lock)
        for i in range(seeds.open_n):
            if split != NULL and (seeds.options.split == SPLIT_TASKS or seeds.open[i].depth <= split.depth):
                continue
            if seeds.open[i].next < seeds.open[i].n and not is_over(seeds, seeds.open[i]):
                split = seeds.open[i]
        if split != NULL:
            split.helpers += 1
            flag_set(&seeds.idle, flag_get(&seeds.idle) - 1)
            seeds.idle_us += now_us() - start
        spin_give(&seeds.lock)
        if split == NULL:
            seed_wait(w)
            continue
        owner = split.owner
        w.split = split
        take_moves(w, split, True)
        w.split = NULL
        start = now_us()
        spin_take(&seeds.lock)
        split.helpers -= 1           # the owner may leave: nothing of the split is looked at any more
        flag_set(&seeds.idle, flag_get(&seeds.idle) + 1)
        spin_give(&seeds.lock)
        wake(seeds.virtual_time, owner, w.number)
    spin_take(&seeds.lock)
    seeds.idle_us += now_us() - start
    spin_give(&seeds.lock)


cdef int seed_together(SeedWorker** workers, int depth, int alpha, int beta) noexcept nogil:
    """Dynamic tree splitting, or tasks: the first worker searches the root, the others help."""
    cdef Seeds* seeds = workers[0].seeds
    cdef int k, value = 0, threads = seeds.options.threads
    seeds.open_n = 0
    flag_set(&seeds.idle, 0)
    flag_set(&seeds.finished, 0)
    open_team(seeds.virtual_time, threads)
    for k in prange(threads, schedule="static", chunksize=1, num_threads=threads):
        take_turn(seeds.virtual_time)
        if k > 0:
            seed_help(workers[k])
        else:
            search_first(workers[0], depth, alpha, beta, &value)
        end_turn(seeds.virtual_time)
    close_team(seeds.virtual_time)
    return value


cdef void search_first(SeedWorker* w, int depth, int alpha, int beta, int* value) noexcept nogil:
    value[0] = seed_search(w, depth, alpha, beta, 0, False, True)
    flag_set(&w.seeds.finished, 1)
    wake_helpers(w)


cdef void search_window(SeedWorker* w, const SeedSplit* root, SeedSplit* split, int depth, int guess) noexcept nogil:
    """The tree with the worker's own window; a value inside it ends all others."""
    cdef int threads = w.seeds.options.threads, alpha = -INFINITE, beta = INFINITE, value
    if w.number > 0:
        seed_load(w, root)
        alpha = guess + WINDOW * (2 * w.number - threads) // 2 - 1
    if w.number < threads - 1:
        beta = guess + WINDOW * (2 * (w.number + 1) - threads) // 2
    w.split = split
    value = seed_search(w, depth, alpha, beta, 0, False, True)
    spin_take(&w.seeds.lock)
    if not seed_left(w) and alpha < value < beta:
        split.best = value
        split.best_move = w.best
        flag_set(&split.end, 1)
    w.free_us = now_us()
    spin_give(&w.seeds.lock)
    w.split = NULL


cdef int seed_windows(SeedWorker** workers, int depth, int guess) noexcept nogil:
    """Window splitting: one of the windows holds the value."""
    cdef Seeds* seeds = workers[0].seeds
    cdef SeedSplit split
    cdef int k, threads = seeds.options.threads
    cdef int64_t end
    split.n = 0
    open_split(workers[0], &split, depth, -INFINITE, INFINITE, 0)
    open_team(seeds.virtual_time, threads)
    for k in prange(threads, schedule="static", chunksize=1, num_threads=threads):
        take_turn(seeds.virtual_time)
        search_window(workers[k], &split, &split, depth, guess)
        end_turn(seeds.virtual_time)
    close_team(seeds.virtual_time)
    end = now_us()
    for k in range(threads):
        seeds.idle_us += end - workers[k].free_us
    workers[0].best = split.best_move
    return split.best


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
    open_split(w, &split, seed_depth(w, depth, split.n, ply), alpha, beta, ply)
    split.again = 0
    if w.seeds.options.split == SPLIT_TREE:
        split.first = 0
        split.again = -1
        seed_share_all(w.seeds, &split)
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
        if seeds.options.split == SPLIT_WINDOW:
            return seed_windows(workers, depth, guess)
        if seeds.options.split >= SPLIT_DTS:
            return seed_together(workers, depth, lower, upper)
        return seed_spine(workers, depth, lower, upper, 0)
    # MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): zero windows close in on the value.
    while lower < upper and not flag_get(&seeds.stop):
        beta = value + 1 if value == lower else value
        if alone:
            value = seed_search(workers[0], depth, beta - 1, beta, 0, False, True)
        elif seeds.options.split >= SPLIT_DTS:
            value = seed_together(workers, depth, beta - 1, beta)
        else:
            value = seed_spine(workers, depth, beta - 1, beta, 0)
        if value < beta:
            upper = value
        else:
            lower = value
    return value
