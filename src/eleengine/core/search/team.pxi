# search/team.pxi - the workers of a search as a team of threads, in real or in virtual time.
#
# Uses: search/virtual_time.
# What the engine's search knows of virtual time is here, but for the turns of workers at a split (search/parallel).


cdef enum:                       # how workers share a search: see search/parallel
    ABDADA
    HYBRID
    AUTO

cdef enum:
    MANY_WORKERS = 4             # for which AUTO is ABDADA


cdef inline int sharing(const Shared* s) noexcept nogil:
    """AUTO decided."""
    return s.parallel if s.parallel != AUTO else ABDADA if s.n_workers >= MANY_WORKERS else HYBRID


cdef inline bint shares_histories(const Shared* s) noexcept nogil:
    """Do all workers read and write the move histories of the first one? It helps ABDADA alone (docs/parallel.md)."""
    return s.n_workers > 1 and sharing(s) == ABDADA


cdef inline VirtualTime* virtual_time_of(Shared* s) noexcept nogil:
    """NULL: real time."""
    return s.virtual_time if flag_get(&s.in_turns) else NULL


cdef void start_team_clock(Shared* s) noexcept nogil:
    """At the beginning of a search."""
    cdef VirtualTime* v = virtual_time_of(s)
    cdef int k
    if v != NULL:
        for k in range(s.n_workers):
            v.nodes[k] = &s.workers[k].nodes
        start_clocks(v, s.n_workers)


cdef int64_t team_clock_us(Shared* s) noexcept nogil:
    """The time of worker 0; a node stands for a microsecond in virtual time."""
    return virtual_clock(s.virtual_time, 0) if flag_get(&s.in_turns) else now_us()


cdef void run_team(Shared* s, void (*work)(Shared* s, int number, void* what) noexcept nogil,
                   void* what) noexcept nogil:
    """Let all workers do the same work, each on a thread of its own, and wait for the last one."""
    cdef VirtualTime* v = virtual_time_of(s)
    cdef int k, n = s.n_workers
    open_team(v, n)
    for k in prange(n, schedule="static", chunksize=1, num_threads=n):
        take_turn(v)
        work(s, k, what)
        end_turn(v)
    close_team(v)


cdef inline void let_others_search(Worker* w) noexcept nogil:
    """In virtual time: wait until no other worker is behind, and say when to look again."""
    cdef VirtualTime* v = virtual_time_of(w.shared)
    if v != NULL:
        w.next_check = min(w.next_check, w.nodes + TURN_NODES)
        pass_turn(v, w.number)


cdef inline void publish_nodes(Worker* w) noexcept nogil:
    """Let other threads know how many nodes the worker has searched."""
    word_set(&w.shown_nodes, w.nodes)


cdef uint64_t total_nodes(const Shared* s) noexcept nogil:
    """Of all workers, as far as published."""
    cdef uint64_t sum = 0
    cdef int i
    for i in range(s.n_workers):
        sum += word_get(&s.workers[i].shown_nodes)
    return sum


cdef inline uint64_t limited_nodes(Worker* w) noexcept nogil:
    """What a limit of nodes is about: those of all workers, in virtual time the clock of this one."""
    cdef VirtualTime* v = virtual_time_of(w.shared)
    return total_nodes(w.shared) if v == NULL else <uint64_t>virtual_clock(v, w.number)
