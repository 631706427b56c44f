# papers/split.pxi - the papers' algorithms from the root, and on OpenMP threads.
#
# Uses: base/openmp, search/virtual_time, papers/share, papers/tasks.
# PV-split (Zou 2012, 4.2; Marsland and Popowich 1985): along the leftmost branch the first move is searched first,
# by the same procedure; then all threads share the other moves, each the first one that nobody has taken, whatever the
# schedule.
# With regroup, a move above the bound ends it, too: all threads search it again together, then share the rest.
# Tree splitting (Zou 2012, 2.3.1), in its simplest form: the threads share the moves of the root, the first one too.
# Window splitting (Zou 2012, 1.2): each thread searches the whole tree, with one of several windows side by side.
# Dynamic tree splitting (Zou 2012, 2.3.3), in its simplest form: an idle thread joins the deepest search that has
# brothers left, at any node after the first move. Who shares a node waits for its helpers.
# Tasks (Zou 2016, 2.5): all brothers of a first move are tasks, at any node; idle threads take the oldest ones. With
# papers/tasks they are tasks of OpenMP instead of a list of open nodes.
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


cdef void thesis_share(ThesisShared* shared, ThesisSplit* split) noexcept nogil:
    """One turn of the parallel loop: search the first move that nobody has taken."""
    cdef ThesisWorker* w
    cdef int value, i
    spin_take(&shared.lock)       # what was written before is seen by all
    w = shared.workers[omp_get_thread_num()]
    i = -1 if thesis_left(w) else thesis_take(split)
    spin_give(&shared.lock)
    if i < 0:
        return
    if w.number > 0:
        thesis_load(w, split)
    value = thesis_sibling(w, split, split.moves[i])
    spin_take(&shared.lock)
    if not thesis_left(w):
        thesis_result(split, i, value, not shared.options.regroup)
    w.free_us = now_us()
    spin_give(&shared.lock)


cdef int turns_at_once(const ThesisShared* shared, const ThesisSplit* split, int number) noexcept nogil:
    """How many turns of the loop the schedule gives a thread that asks, as OpenMP has them in chunks of one."""
    cdef int threads = shared.options.threads, n = split.n - split.first
    if shared.options.schedule == STATIC:
        return (n - number + threads - 1) // threads
    if shared.options.schedule == GUIDED:
        return (n - split.given + threads - 1) // threads
    return min(1, n - split.given)


cdef void share_in_turns(ThesisShared* shared, ThesisSplit* split) noexcept nogil:
    """The turns of one thread in virtual time."""
    cdef int _k, n, number = omp_get_thread_num()
    take_turn(shared.virtual_time)
    while True:
        n = turns_at_once(shared, split, number)
        split.given += n
        for _k in range(n):
            thesis_share(shared, split)
        if n == 0 or shared.options.schedule == STATIC:
            break
    end_turn(shared.virtual_time)


cdef void thesis_share_all(ThesisShared* shared, ThesisSplit* split) noexcept nogil:
    cdef int k, _turn, threads = shared.options.threads
    cdef int64_t start = now_us(), end
    spin_take(&shared.lock)
    split.next = split.first
    split.given = 0
    flag_set(&split.end, 0)
    for k in range(threads):
        shared.workers[k].split = split
        shared.workers[k].free_us = start
    spin_give(&shared.lock)
    open_team(shared.virtual_time, threads)
    if shared.virtual_time != NULL:
        for _turn in prange(threads, schedule="static", chunksize=1, num_threads=threads):
            share_in_turns(shared, split)
    elif shared.options.schedule == DYNAMIC:
        for _turn in prange(split.first, split.n, schedule="dynamic", chunksize=1, num_threads=threads):
            thesis_share(shared, split)
    elif shared.options.schedule == GUIDED:
        for _turn in prange(split.first, split.n, schedule="guided", chunksize=1, num_threads=threads):
            thesis_share(shared, split)
    else:
        for _turn in prange(split.first, split.n, schedule="static", chunksize=1, num_threads=threads):
            thesis_share(shared, split)
    close_team(shared.virtual_time)
    spin_take(&shared.lock)
    end = now_us()
    for k in range(threads):
        shared.workers[k].split = NULL
        shared.idle_us += end - shared.workers[k].free_us
    spin_give(&shared.lock)


cdef void thesis_wait(ThesisWorker* w) noexcept nogil:
    """Wait a little, or in virtual time until another thread has work or has ended some."""
    if w.shared.virtual_time != NULL:
        sleep_until_woken(w.shared.virtual_time, w.number)
    else:
        sched_yield()


cdef void wake_helpers(ThesisWorker* w) noexcept nogil:
    cdef int k
    for k in range(w.shared.options.threads):
        wake(w.shared.virtual_time, k, w.number)


cdef void share_listed(ThesisWorker* w, ThesisSplit* split) noexcept nogil:
    """List a split, so that idle threads find it, and search it with those that come."""
    cdef ThesisShared* shared = w.shared
    cdef int i, helpers
    cdef int64_t start
    spin_take(&shared.lock)
    if shared.open_n < MAX_OPEN:
        shared.open[shared.open_n] = split
        shared.open_n += 1
    spin_give(&shared.lock)
    wake_helpers(w)
    w.split = split
    while take_move(w, split, False):
        pass
    start = now_us()
    spin_take(&shared.lock)
    for i in range(shared.open_n):
        if shared.open[i] == split:
            shared.open_n -= 1
            memmove(&shared.open[i], &shared.open[i + 1], (shared.open_n - i) * sizeof(ThesisSplit*))
            break
    helpers = split.helpers
    spin_give(&shared.lock)
    while helpers > 0:
        thesis_wait(w)
        spin_take(&shared.lock)
        helpers = split.helpers
        spin_give(&shared.lock)
    spin_take(&shared.lock)
    shared.idle_us += now_us() - start
    spin_give(&shared.lock)


cdef void share_rest(ThesisWorker* w, move_t* moves, uint64_t* scores, int n, int depth, int* alpha, int beta,
                     int ply, int* best, move_t* best_move, move_t* good) noexcept nogil:
    """Search all moves but the first, with the help of threads that are idle; what is known is brought up to date."""
    cdef ThesisSplit split
    cdef ThesisShared* shared = w.shared
    cdef int i
    if thesis_sorts(&shared.options):
        for i in range(1, n):
            thesis_pick(moves, scores, i, n)
    split.n = n
    memcpy(split.moves, moves, n * sizeof(move_t))
    open_split(w, &split, depth, alpha[0], beta, ply)
    split.best = best[0]
    split.best_move = best_move[0]
    split.good = good[0]
    if shared.options.split == SPLIT_OPENMP:
        w.split = &split
        run_brothers(w, &split)
    else:
        share_listed(w, &split)
    w.split = split.parent
    alpha[0] = flag_get(&split.alpha)
    best[0] = split.best
    best_move[0] = split.best_move
    good[0] = split.good


cdef void thesis_help(ThesisWorker* w) noexcept nogil:
    """Help others until the root has its value."""
    cdef ThesisShared* shared = w.shared
    cdef ThesisSplit* split
    cdef int i, owner
    cdef int64_t start = now_us()
    spin_take(&shared.lock)
    flag_set(&shared.idle, flag_get(&shared.idle) + 1)
    spin_give(&shared.lock)
    while not flag_get(&shared.finished):
        split = NULL
        spin_take(&shared.lock)
        for i in range(shared.open_n):
            if split != NULL and (shared.options.split == SPLIT_TASKS or shared.open[i].depth <= split.depth):
                continue
            if shared.open[i].next < shared.open[i].n and not is_over(shared, shared.open[i]):
                split = shared.open[i]
        if split != NULL:
            split.helpers += 1
            flag_set(&shared.idle, flag_get(&shared.idle) - 1)
            shared.idle_us += now_us() - start
        spin_give(&shared.lock)
        if split == NULL:
            thesis_wait(w)
            continue
        owner = split.owner.number
        w.split = split
        while take_move(w, split, True):
            pass
        w.split = NULL
        start = now_us()
        spin_take(&shared.lock)
        split.helpers -= 1           # the owner may leave: nothing of the split is looked at any more
        flag_set(&shared.idle, flag_get(&shared.idle) + 1)
        spin_give(&shared.lock)
        wake(shared.virtual_time, owner, w.number)
    spin_take(&shared.lock)
    shared.idle_us += now_us() - start
    spin_give(&shared.lock)


cdef int thesis_together(ThesisWorker** workers, int depth, int alpha, int beta) noexcept nogil:
    """Dynamic tree splitting, or tasks: the first worker searches the root, the others help."""
    cdef ThesisShared* shared = workers[0].shared
    cdef int k, value = 0, threads = shared.options.threads
    shared.open_n = 0
    flag_set(&shared.idle, 0)
    flag_set(&shared.finished, 0)
    open_team(shared.virtual_time, threads)
    for k in prange(threads, schedule="static", chunksize=1, num_threads=threads):
        take_turn(shared.virtual_time)
        if k > 0:
            thesis_help(workers[k])
        else:
            search_first(workers[0], depth, alpha, beta, &value)
        end_turn(shared.virtual_time)
    close_team(shared.virtual_time)
    return value


cdef void search_first(ThesisWorker* w, int depth, int alpha, int beta, int* value) noexcept nogil:
    value[0] = thesis_search(w, depth, alpha, beta, 0, False, True)
    flag_set(&w.shared.finished, 1)
    wake_helpers(w)


cdef void search_window(ThesisWorker* w, const ThesisSplit* root, ThesisSplit* split, int depth,
                        int guess) noexcept nogil:
    """The tree with the worker's own window; a value inside it ends all others."""
    cdef int threads = w.shared.options.threads, alpha = -INFINITE, beta = INFINITE, value
    if w.number > 0:
        thesis_load(w, root)
        alpha = guess + WINDOW * (2 * w.number - threads) // 2 - 1
    if w.number < threads - 1:
        beta = guess + WINDOW * (2 * (w.number + 1) - threads) // 2
    w.split = split
    value = thesis_search(w, depth, alpha, beta, 0, False, True)
    spin_take(&w.shared.lock)
    if not thesis_left(w) and alpha < value < beta:
        split.best = value
        split.best_move = w.best
        flag_set(&split.end, 1)
    w.free_us = now_us()
    spin_give(&w.shared.lock)
    w.split = NULL


cdef int thesis_windows(ThesisWorker** workers, int depth, int guess) noexcept nogil:
    """Window splitting: one of the windows holds the value."""
    cdef ThesisShared* shared = workers[0].shared
    cdef ThesisSplit split
    cdef int k, threads = shared.options.threads
    cdef int64_t end
    split.n = 0
    open_split(workers[0], &split, depth, -INFINITE, INFINITE, 0)
    open_team(shared.virtual_time, threads)
    for k in prange(threads, schedule="static", chunksize=1, num_threads=threads):
        take_turn(shared.virtual_time)
        search_window(workers[k], &split, &split, depth, guess)
        end_turn(shared.virtual_time)
    close_team(shared.virtual_time)
    end = now_us()
    for k in range(threads):
        shared.idle_us += end - workers[k].free_us
    workers[0].best = split.best_move
    return split.best


cdef int thesis_spine(ThesisWorker** workers, int depth, int alpha, int beta, int ply) noexcept nogil:
    """The value of a node on the leftmost branch; the node's window is wide open, so it knows no null move."""
    cdef ThesisWorker* w = workers[0]
    cdef uint64_t scores[MAX_MOVES]
    cdef ThesisProbe found
    cdef ThesisSplit split
    cdef int i, value, bound = BOUND_UPPER
    cdef bint table = w.shared.options.table
    if depth <= 1 or flag_get(&w.shared.stop):
        return thesis_search(w, depth, alpha, beta, ply, False, True)
    found.move = NO_MOVE
    if table and thesis_look(w, depth, ply, &found) and ply > 0 and thesis_answers(&found, alpha, beta):
        w.hits += 1
        return found.value
    w.nodes += 1
    w.visited += 1
    split.n = thesis_gen(&w.pos, split.moves)
    if split.n == 0:
        return -MATE + ply
    if ply == 0:
        split.n = root_only(w.shared, split.moves, split.n)
    if thesis_sorts(&w.shared.options):
        thesis_score_moves(w, split.moves, scores, split.n, found.move, ply)
        for i in range(split.n):
            thesis_pick(split.moves, scores, i, split.n)
    open_split(w, &split, thesis_depth(w, depth, split.n, ply), alpha, beta, ply)
    split.again = 0
    if w.shared.options.split == SPLIT_TREE:
        split.first = 0
        split.again = -1
        thesis_share_all(w.shared, &split)
    while split.again >= 0:
        i = split.again
        split.again = -1
        w.placed[ply + 1] = w.placed[ply] + thesis_placed_by(&w.shared.terms, &w.pos, split.moves[i])
        do_move(&w.pos, split.moves[i])
        value = -thesis_spine(workers, split.depth - 1, -beta, -max(flag_get(&split.alpha), split.bound), ply + 1)
        undo_move(&w.pos)
        thesis_result(&split, i, max(value, split.bound), True)
        if split.best < beta and not flag_get(&w.shared.stop):
            thesis_share_all(w.shared, &split)
    if flag_get(&w.shared.stop):
        return 0
    if split.best >= beta:
        bound = BOUND_LOWER
        w.cuts += 1
        w.first_cuts += split.best_move == split.moves[0]
    elif split.best > alpha:
        bound = BOUND_EXACT
    if ply == 0 and split.good != NO_MOVE:
        w.best = split.good
    thesis_learn(w, split.good, split.best_move, split.best, depth, ply, bound, table)
    return split.best


cdef int search_tree(ThesisWorker** workers, int depth, int alpha, int beta) noexcept nogil:
    """The value of the root in a window, by all threads in the way that is chosen."""
    cdef const ThesisOptions* o = &workers[0].shared.options
    if o.threads == 1:
        return thesis_search(workers[0], depth, alpha, beta, 0, False, True)
    if o.split == SPLIT_OPENMP:
        return search_by_tasks(workers, depth, alpha, beta)
    if o.split >= SPLIT_DTS:
        return thesis_together(workers, depth, alpha, beta)
    return thesis_spine(workers, depth, alpha, beta, 0)


cdef int thesis_root(ThesisWorker** workers, int depth, int guess) noexcept nogil:
    """One iteration; guess: the value expected. The value, unless stopped."""
    cdef ThesisShared* shared = workers[0].shared
    cdef const ThesisOptions* o = &shared.options
    cdef int lower = -INFINITE, upper = INFINITE, value = guess, beta
    shared.max_ply = 2 * depth
    if o.algorithm != MTDF:
        if o.threads > 1 and o.split == SPLIT_WINDOW:
            return thesis_windows(workers, depth, guess)
        if o.aspiration and depth > 2:             # before, nothing is known
            lower = max(lower, guess - o.aspiration)
            upper = min(upper, guess + o.aspiration)
        while True:                  # a side that failed is opened
            value = search_tree(workers, depth, lower, upper)
            if flag_get(&shared.stop) or lower < value < upper:
                return value
            if value <= lower:
                lower = -INFINITE
            else:
                upper = INFINITE
    # MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1996): zero windows close in on the value.
    while lower < upper and not flag_get(&shared.stop):
        beta = value + 1 if value == lower else value
        value = search_tree(workers, depth, beta - 1, beta)
        if value < beta:
            upper = value
        else:
            lower = value
    return value
