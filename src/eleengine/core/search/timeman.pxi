# search/timeman.pxi - how long a search may go on, and when another iteration is not worth its time.
#
# Uses: search/constants, search/team.

cdef enum:
    CHECK_NODES = 1024           # between two looks at the limits, of one worker
    CHECK_NODES_SHARED = 16      # the same of several workers near a limit of nodes
    POLL_MS = 50                 # between two questions whether the search shall end


cdef inline bint stopped(Worker* w) noexcept nogil:
    return flag_get(&w.shared.stop) or flag_get(&w.leave)


cdef void check_limits(Worker* w) noexcept nogil:
    """End the search when a limit is reached or somebody wants it; say when to look again."""
    cdef Shared* s = w.shared
    cdef int64_t now
    cdef uint64_t spent
    w.next_check = w.nodes + CHECK_NODES
    publish_nodes(w)
    if s.max_nodes:
        spent = limited_nodes(w)
        if spent >= s.max_nodes:
            flag_set(&s.stop, 1)
        else:
            # What the others have searched since they last said so may come on top: keep that small.
            w.next_check = w.nodes + min(<uint64_t>(CHECK_NODES if s.n_workers == 1 else CHECK_NODES_SHARED),
                                         s.max_nodes - spent)
    now = now_ms()
    # Depth 1 takes less than a millisecond; without it the move would be just the first one.
    if s.maximum_ms and flag_get(&s.has_depth_1) and not flag_get(&s.pondering):
        if now - <int64_t>word_get(<uint64_t*>&s.start_ms) >= s.maximum_ms:
            flag_set(&s.stop, 1)
    if w.number == 0 and s.listener.should_stop != NULL and now >= s.next_poll_ms:
        s.next_poll_ms = now + POLL_MS
        if s.listener.should_stop(s.listener.who):
            s.interrupted = True
            flag_set(&s.stop, 1)
    let_others_search(w)


cdef inline bint count_node(Worker* w) noexcept nogil:
    """Count a node and look at the limits now and then; True if the search has been stopped."""
    w.nodes += 1
    if w.nodes >= w.next_check:
        check_limits(w)
    return stopped(w)


cdef bint enough_nodes(const Shared* s) noexcept nogil:
    """After an iteration: is the soft limit of nodes reached, so that no other one begins?"""
    return s.soft_nodes != 0 and total_nodes(s) >= s.soft_nodes


cdef bint enough_time(Shared* s, int stable, int drop) noexcept nogil:
    """After an iteration: is the next iteration not worth its time?

    stable: iterations for which the best move has been the same. drop: of the score since the last
    iteration, in centipawns.
    """
    cdef const Worker* w = s.workers[0]
    cdef double spent, scale, effort
    cdef uint64_t nodes = 0
    cdef int i
    if not s.optimum_ms or flag_get(&s.pondering):
        return False
    if w.n_root == 1:
        return True
    spent = now_ms() - s.began_ms
    if 2 * s.optimum_ms > s.maximum_ms > 0:        # this move has a time of its own: nothing to save
        return spent >= s.optimum_ms
    for i in range(w.n_root):
        nodes += w.root[i].nodes
    effort = <double>w.root[0].nodes / (nodes + 1)
    drop = max(DROP_LEAST, min(DROP_MOST, drop))
    scale = ((TIME_UNSTABLE - TIME_STABLE * min(stable, STABLE_MOST)) * (1 + drop / TIME_DROP)
             * (TIME_EFFORT - TIME_EFFORT_ALL * effort))
    # The next iteration takes about as long as all before it: start it only if half of it fits.
    return spent >= min(TIME_NEXT * scale * s.optimum_ms, <double>s.maximum_ms if s.maximum_ms else 1e18)
