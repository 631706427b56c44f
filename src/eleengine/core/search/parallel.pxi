# search/parallel.pxi - one search by several workers.
#
# Uses: search/aspiration, search/team.
# On the same search, with one table for all:
# ABDADA  all search the root, each with a path of its own, and put off a move that another worker is searching
#         (search/busy.pxi); the first that finishes the iteration ends it for all.
# HYBRID  PV-split (Marsland and Campbell 1982): worker 0 descends the principal variation, and at
#         each of its nodes, once the first move is searched, all workers share out the siblings.
#         One that beats alpha at a reduced depth is helped with at once; if it still beats alpha at
#         the full depth, all search it again together. Who finds no sibling left helps with one that is
#         being searched; once somebody helps, moves are put off as in ABDADA: helpers share a sibling's work.
# AUTO    HYBRID for a few workers, ABDADA for many (docs/parallel.md has the measurements).
#
# A split ends when its last worker arrives. Where other programs want the processors, that worker may have been
# put aside by the system, and worker 0 waits. So the time that it waits is measured, and only deeper nodes are
# split while that is more than a small part of the search: fewer and longer splits, hardly any in the extreme.

cdef enum:                       # of a sibling
    OPEN
    RUNNING
    DONE

cdef enum:                       # of the wait for the last worker
    WAIT_WINDOW_US = 10_000      # it is judged after this time of the search
    MAX_WAIT_PARTS = 32          # more than a 32nd: split one ply less deep
    MIN_WAIT_PARTS = 96          # less than a 96th: split one ply deeper


cdef struct Sibling:
    move_t move
    int state
    int runners                  # workers that search it


cdef struct SplitPoint:          # a node of the principal variation whose moves are shared out
    Worker** workers
    int n_workers
    Node* node                   # of worker 0
    # What follows, the node and the workers' leave flags are guarded by the lock of Shared.
    bint over                    # a cutoff, or a sibling for all
    int research                 # the sibling that beat alpha and is searched again by all, or NOBODY
    int n
    int next                     # those before it are claimed
    Sibling siblings[MAX_MOVES]
    int runs[MAX_WORKERS]        # the sibling that each worker searches, or NOBODY


cdef void sync_with(Worker* w, const Worker* master, int ply) noexcept nogil:
    """Bring a worker to the master's node: position, path, and what histories read of it."""
    cdef Py_ssize_t played = master.pos.st - master.states
    cdef int i
    cdef Frame* f
    memcpy(w.states + played - ply, master.states + played - ply, (ply + 1) * sizeof(State))
    w.pos = master.pos
    w.pos.st = w.states + played
    eval_join(&w.eval, &master.eval)
    w.root_depth = master.root_depth
    w.null_ply = master.null_ply
    w.seldepth = master.seldepth
    for i in range(ply - 6, ply + 2):
        f = frame_at(w, i)
        f[0] = frame_at(<Worker*>master, i)[0]
        f.cont = w.moves.continuation[0] + (f.cont - master.moves.continuation[0])
    f = frame_at(w, ply + 2)
    f.cutoffs = 0
    f.killers[0] = f.killers[1] = NO_MOVE


cdef void end_split(SplitPoint* split) noexcept nogil:
    """Call all workers back; the lock is held."""
    cdef int i
    split.over = True
    for i in range(split.n_workers):
        flag_set(&split.workers[i].leave, 1)


cdef int failed_high_sibling(const SplitPoint* split) noexcept nogil:
    """A sibling that may be for all and that one worker alone searches, or NOBODY; the lock is held."""
    cdef int i, k
    for i in range(split.n_workers):
        k = split.runs[i]
        if k != NOBODY and split.siblings[k].runners == 1 and flag_get(&split.workers[i].failed_high):
            return k
    return NOBODY


cdef int least_helped(const SplitPoint* split) noexcept nogil:
    """The sibling that the fewest workers search, or NOBODY; the lock is held."""
    cdef int i, k = NOBODY
    for i in range(split.n):
        if split.siblings[i].state == RUNNING and (k == NOBODY
                                                   or split.siblings[i].runners < split.siblings[k].runners):
            k = i
    return k


cdef int next_sibling(SplitPoint* split) noexcept nogil:
    """The first one that nobody has claimed, or NOBODY; the lock is held."""
    while split.next < split.n and split.siblings[split.next].state != OPEN:
        split.next += 1
    return split.next if split.next < split.n else NOBODY


cdef int claim(SplitPoint* split, int number) noexcept nogil:
    """The sibling that a worker is to search: the next one, or one that needs help; the lock is held."""
    cdef Shared* shared = split.workers[0].shared
    cdef Worker* w = split.workers[number]
    cdef int k
    if split.over or flag_get(&shared.stop):
        return NOBODY
    k = failed_high_sibling(split)
    if k == NOBODY:
        k = next_sibling(split)
    if k == NOBODY:
        k = least_helped(split)
    if k == NOBODY:
        return NOBODY
    # All read the flag at many nodes, and each write takes its cache line away from them.
    if split.siblings[k].runners and not flag_get(&shared.deferring):
        flag_set(&shared.deferring, 1)
    split.siblings[k].state = RUNNING
    split.siblings[k].runners += 1
    split.runs[number] = k
    flag_set(&w.leave, 0)
    flag_set(&w.failed_high, 0)
    return k


cdef void finish(SplitPoint* split, Worker* w, int k, int value, bint beats_alpha) noexcept nogil:
    """Take the result of a sibling and release who else searches it; the lock is held."""
    cdef Node* node = split.node
    cdef int i
    if beats_alpha and node.depth >= TEAM_RESEARCH_DEPTH and value < node.beta:
        if split.research == NOBODY:
            split.research = k
            end_split(split)
        return
    split.siblings[k].state = DONE
    for i in range(split.n_workers):
        if split.runs[i] == k:
            flag_set(&split.workers[i].leave, 1)
    if value != NO_VALUE:
        update_best(split.workers[0], node, split.siblings[k].move, k + 2, value, w)
        if node.best >= node.beta:
            end_split(split)


cdef bint run_sibling(Shared* s, SplitPoint* split) noexcept nogil:
    """Search the next sibling, or help with one; True if it has helped, and the next one is still to be searched."""
    cdef int number = omp_get_thread_num(), k, value
    cdef Worker* w
    cdef Node node
    cdef uint64_t nodes_before
    cdef bint helping
    spin_take(&s.lock)
    w = split.workers[number]
    k = claim(split, number)
    if k != NOBODY:
        node = split.node[0]
        helping = split.siblings[k].runners > 1
    spin_give(&s.lock)
    if k == NOBODY:
        return False
    ele_check(frame_at(w, node.ply - 1).move == frame_at(split.workers[0], node.ply - 1).move
              and frame_at(w, node.ply - 1).static_eval == frame_at(split.workers[0], node.ply - 1).static_eval,
              "run_sibling: on the path of the first worker")
    nodes_before = w.nodes
    node.picker = NULL
    node.extension = 0
    node.team_research = node.depth >= TEAM_RESEARCH_DEPTH
    value = search_move(w, &node, split.siblings[k].move, k + 2, False)
    spin_take(&s.lock)
    split.runs[w.number] = NOBODY
    split.siblings[k].runners -= 1
    if node.ply == 0:
        split.workers[0].root[w.pv_index + k + 1].nodes += w.nodes - nodes_before
    if not stopped(w):
        finish(split, w, k, value, value != NO_VALUE and value > node.alpha)
    spin_give(&s.lock)
    if node.ply == 0:
        report_new_best(w)
    if number == 0:
        s.waits_from_us = team_clock_us(s)
    return helping


cdef void start_waiting(Shared* s) noexcept nogil:
    """Begin to measure how long worker 0 waits; the depth that the last search ended with is kept."""
    s.split_depth = max(s.split_depth, SPLIT_DEPTH)
    s.window_from_us = team_clock_us(s)
    s.waited_us = 0


cdef void adapt_split_depth(Shared* s) noexcept nogil:
    """Split fewer nodes while worker 0 waits too long for the others, and more again when it does not."""
    cdef int64_t now = team_clock_us(s), window = now - s.window_from_us
    if window < WAIT_WINDOW_US:
        return
    if s.waited_us * MAX_WAIT_PARTS > window:
        s.split_depth = min(s.split_depth + 1, max(s.workers[0].root_depth, SPLIT_DEPTH))
    elif s.waited_us * MIN_WAIT_PARTS < window:
        s.split_depth = max(s.split_depth - 1, SPLIT_DEPTH)
    s.window_from_us = now
    s.waited_us = 0


cdef void search_split_point(SplitPoint* split) noexcept nogil:
    """All workers search the siblings that are not done, until the node ends or one is for all."""
    cdef Worker* master = split.workers[0]
    cdef Shared* s = master.shared
    cdef VirtualTime* v = virtual_time_of(s)
    cdef int k, _k, n_workers = split.n_workers
    cdef int n_iterations = split.n + n_workers - 1          # one for each sibling, the surplus ones help
    spin_take(&s.lock)                                   # what is written before is seen by all
    split.over = False
    split.research = NOBODY
    split.next = 0
    for k in range(split.n):
        if split.siblings[k].state == RUNNING:
            split.siblings[k].state = OPEN
        split.siblings[k].runners = 0
    for k in range(n_workers):
        split.runs[k] = NOBODY
        if k > 0:
            sync_with(split.workers[k], master, split.node.ply)
    s.splitting = True
    spin_give(&s.lock)
    open_team(v, n_iterations)
    s.waits_from_us = team_clock_us(s)
    for _k in prange(n_iterations, schedule="dynamic", chunksize=1, num_threads=n_workers):
        take_turn(v)
        while run_sibling(s, split):
            pass
        end_turn(v)
    close_team(v)
    s.waited_us += team_clock_us(s) - s.waits_from_us
    adapt_split_depth(s)
    spin_take(&s.lock)
    s.splitting = False
    if flag_get(&s.deferring):
        flag_set(&s.deferring, 0)
    for k in range(n_workers):
        flag_set(&split.workers[k].leave, 0)
        master.seldepth = max(master.seldepth, split.workers[k].seldepth)
    spin_give(&s.lock)


cdef void search_siblings(Worker* master, Node* node) noexcept nogil:
    """Search all moves of the master's node but the first, which it has searched."""
    cdef SplitPoint split
    cdef int k, value
    cdef move_t m
    cdef uint64_t nodes_before
    memset(&split, 0, sizeof(SplitPoint))
    split.workers = master.shared.workers
    split.n_workers = master.shared.n_workers
    split.node = node
    while True:
        m = next_root_move(master, split.n + 1) if node.ply == 0 else pick_next(node.picker, master)
        if m == NO_MOVE:
            break
        if node.ply == 0 or is_legal(&master.pos, m):
            split.siblings[split.n].move = m
            split.n += 1
    while split.n > 0:
        search_split_point(&split)
        if stopped(master) or split.research == NOBODY:
            return
        k = split.research
        node.extension = 0
        node.proven = True
        nodes_before = team_nodes(master)
        value = search_move(master, node, split.siblings[k].move, k + 2, False)
        node.proven = False
        if node.ply == 0:
            master.root[master.pv_index + k + 1].nodes += team_nodes(master) - nodes_before
        if stopped(master):
            return
        split.siblings[k].state = DONE
        if value != NO_VALUE:
            update_best(master, node, split.siblings[k].move, k + 2, value, master)
            if node.ply == 0:
                report_new_best(master)
            if node.best >= node.beta:
                return


cdef void split_node(Worker* master, void* at) noexcept nogil:
    """Search the siblings of the first move together, and let all workers learn from the node.

    The master learns when it concludes the node. If it alone did, two threads would need 5 % more nodes.
    """
    cdef Node* node = <Node*>at
    cdef Worker* w
    cdef int k
    search_siblings(master, node)
    if stopped(master) or node.best_move == NO_MOVE:
        return
    for k in range(1, master.shared.n_workers):
        w = master.shared.workers[k]
        sync_with(w, master, node.ply)
        update_histories(w, node)


cdef void run_worker(Shared* s, int k, void* depth) noexcept nogil:
    cdef Worker* w
    cdef int i
    spin_take(&s.lock)                           # what was written before is seen by all
    w = s.workers[k]
    spin_give(&s.lock)
    search_root(w, (<int*>depth)[0])
    spin_take(&s.lock)
    if not stopped(w):
        s.winner = k
        for i in range(s.n_workers):
            flag_set(&s.workers[i].leave, 1)
    spin_give(&s.lock)


cdef void add_root_nodes(Worker* w, const Worker* other) noexcept nogil:
    """Add what another worker has searched below each root move."""
    cdef int i, k
    for k in range(other.n_root):
        for i in range(w.n_root):
            if w.root[i].move == other.root[k].move:
                w.root[i].nodes += other.root[k].nodes
                break


cdef void search_root_together(Shared* s, int depth) noexcept nogil:
    """All workers search the root; the first worker gets the result of the first that finishes."""
    cdef Worker* w = s.workers[0]
    cdef int i, k, n = s.n_workers
    for k in range(1, n):
        memcpy(s.workers[k].root, w.root, w.n_root * sizeof(RootMove))
        for i in range(w.n_root):
            s.workers[k].root[i].nodes = 0
    spin_take(&s.lock)
    s.winner = 0
    spin_give(&s.lock)
    run_team(s, run_worker, &depth)
    spin_take(&s.lock)
    for k in range(n):
        flag_set(&s.workers[k].leave, 0)
        if k != s.winner:
            add_root_nodes(s.workers[s.winner], s.workers[k])
    if s.winner > 0:
        memcpy(w.root, s.workers[s.winner].root, w.n_root * sizeof(RootMove))
    spin_give(&s.lock)


cdef void search_together(Shared* s, int rank, int depth) noexcept nogil:
    """One iteration for the root moves from that rank on; with one worker just search_root."""
    cdef int k
    for k in range(s.n_workers):
        s.workers[k].pv_index = rank
    flag_set(&s.deferring, s.n_workers > 1 and sharing(s) == ABDADA)
    s.share_moves = NULL
    if s.n_workers > 1 and sharing(s) == HYBRID:
        s.share_moves = split_node
        adapt_split_depth(s)
    if s.n_workers == 1 or s.share_moves != NULL:
        search_root(s.workers[0], depth)
    else:
        search_root_together(s, depth)
