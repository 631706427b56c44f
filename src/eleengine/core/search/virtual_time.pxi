# search/virtual_time.pxi - many workers on few processors, as if each had a processor of its own.
#
# Uses: base/openmp, search/worker.
# A discrete-event simulation of the real search: workers take turns, and it is always the turn of the one whose
# clock is least. A clock counts the nodes that its worker has searched and the time, in nodes, for which it has
# waited. So speed-ups can be measured for more workers than there are processors, and beside any load.
# Two searches use it: the engine's (search/parallel) and that of the papers (papers/split). In real time they have
# NULL for it, and all functions for them do nothing.

cdef extern from * nogil:
    """
    #ifdef _OPENMP
    #include <pthread.h>
    #else                                            /* one worker: there is nobody to wait for */
    #define pthread_mutex_t int                      /* Python may have declared the real ones */
    #define pthread_cond_t int
    #define pthread_mutex_init(lock, how) ((void)0)
    #define pthread_mutex_lock(lock) ((void)0)
    #define pthread_mutex_unlock(lock) ((void)0)
    #define pthread_mutex_destroy(lock) ((void)0)
    #define pthread_cond_init(turn, how) ((void)0)
    #define pthread_cond_wait(turn, lock) ((void)0)
    #define pthread_cond_signal(turn) ((void)0)
    #define pthread_cond_destroy(turn) ((void)0)
    #endif
    """
    ctypedef struct pthread_mutex_t:
        pass
    ctypedef struct pthread_cond_t:
        pass
    void pthread_mutex_init(pthread_mutex_t* lock, void* how)
    void pthread_mutex_lock(pthread_mutex_t* lock)
    void pthread_mutex_unlock(pthread_mutex_t* lock)
    void pthread_mutex_destroy(pthread_mutex_t* lock)
    void pthread_cond_init(pthread_cond_t* turn, void* how)
    void pthread_cond_wait(pthread_cond_t* turn, pthread_mutex_t* lock)
    void pthread_cond_signal(pthread_cond_t* turn)
    void pthread_cond_destroy(pthread_cond_t* turn)

cdef enum:
    TURN_NODES = 32              # how far a worker may be ahead of the others
    CLAIM_NODES = 1              # what it costs to claim a sibling
    TEAM_NODES = 4               # and to open a team: of itself
    MEMBER_NODES = 1             # and for each worker


cdef struct VirtualTime:
    pthread_mutex_t lock         # of all that follows
    pthread_cond_t turn[MAX_WORKERS]
    int n_workers
    const uint64_t* nodes[MAX_WORKERS]       # that each has searched
    int running                  # the worker whose turn it is, or NOBODY
    bint active[MAX_WORKERS]     # has work
    bint asleep[MAX_WORKERS]     # has none, until another wakes it
    int arriving                 # workers of a team that have not begun yet
    int iterations               # of its loop that nobody has begun, but for the first one of each worker
    int64_t ahead[MAX_WORKERS]   # its clock less its nodes
    int64_t waited               # nodes' time that workers have waited for others


cdef VirtualTime* new_virtual_time() noexcept:
    """Or NULL."""
    cdef VirtualTime* v = <VirtualTime*>calloc(1, sizeof(VirtualTime))
    cdef int i
    if v != NULL:
        pthread_mutex_init(&v.lock, NULL)
        for i in range(MAX_WORKERS):
            pthread_cond_init(&v.turn[i], NULL)
    return v


cdef void free_virtual_time(VirtualTime* v) noexcept:
    cdef int i
    if v != NULL:
        pthread_mutex_destroy(&v.lock)
        for i in range(MAX_WORKERS):
            pthread_cond_destroy(&v.turn[i])
        free(v)


cdef void start_clocks(VirtualTime* v, int n_workers) noexcept nogil:
    """At the beginning of a search; the caller has said where the workers count their nodes."""
    memset(v.active, 0, sizeof(v.active))
    memset(v.asleep, 0, sizeof(v.asleep))
    memset(v.ahead, 0, sizeof(v.ahead))
    v.n_workers = n_workers
    v.running = NOBODY
    v.waited = 0


cdef inline int64_t virtual_clock(const VirtualTime* v, int number) noexcept nogil:
    return <int64_t>v.nodes[number][0] + v.ahead[number]


cdef void move_clock(VirtualTime* v, int number, int64_t time) noexcept nogil:
    """The worker has waited until then."""
    v.waited += time - virtual_clock(v, number)
    v.ahead[number] = time - <int64_t>v.nodes[number][0]


cdef void give_turn(VirtualTime* v) noexcept nogil:
    """To the active worker whose clock is least; the lock is held."""
    cdef int i
    v.running = NOBODY
    for i in range(v.n_workers):
        if v.active[i] and (v.running == NOBODY or virtual_clock(v, i) < virtual_clock(v, v.running)):
            v.running = i
    if v.running != NOBODY:
        pthread_cond_signal(&v.turn[v.running])


cdef void await_turn(VirtualTime* v, int number) noexcept nogil:
    while v.running != number:
        pthread_cond_wait(&v.turn[number], &v.lock)


cdef void take_turn(VirtualTime* v) noexcept nogil:
    """A worker begins an iteration of the loop of its team and waits until it is its turn."""
    cdef int number = omp_get_thread_num()
    if v == NULL:
        return
    pthread_mutex_lock(&v.lock)
    if v.arriving:                                   # nobody begins before all are there
        v.arriving -= 1
        if v.arriving == 0:
            give_turn(v)
    else:
        v.iterations -= 1
        give_turn(v)
    await_turn(v, number)
    v.ahead[number] += CLAIM_NODES
    pthread_mutex_unlock(&v.lock)


cdef void pass_turn(VirtualTime* v, int number) noexcept nogil:
    """In the middle of its work: let those go on that are behind."""
    pthread_mutex_lock(&v.lock)
    if v.active[number]:                             # else it is alone
        give_turn(v)
        await_turn(v, number)
    pthread_mutex_unlock(&v.lock)


cdef void end_turn(VirtualTime* v) noexcept nogil:
    """A worker has ended an iteration: it keeps its turn to begin the next one, if there is one."""
    if v == NULL:
        return
    pthread_mutex_lock(&v.lock)
    if v.iterations == 0:
        v.active[omp_get_thread_num()] = False
        give_turn(v)
    pthread_mutex_unlock(&v.lock)


cdef void sleep_until_woken(VirtualTime* v, int number) noexcept nogil:
    """Wait without work, in a team; somebody else is awake."""
    if v == NULL:
        return
    pthread_mutex_lock(&v.lock)
    v.asleep[number] = True
    v.active[number] = False
    give_turn(v)
    await_turn(v, number)
    pthread_mutex_unlock(&v.lock)


cdef void wake(VirtualTime* v, int number, int by) noexcept nogil:
    """End the sleep of a worker, if it sleeps, at the time of another."""
    if v == NULL:
        return
    pthread_mutex_lock(&v.lock)
    if v.asleep[number]:
        v.asleep[number] = False
        v.active[number] = True
        move_clock(v, number, max(virtual_clock(v, number), virtual_clock(v, by)))
    pthread_mutex_unlock(&v.lock)


cdef void open_team(VirtualTime* v, int n_iterations) noexcept nogil:
    """Worker 0 calls all workers to share out the iterations of a loop: they begin at one time."""
    cdef int64_t start
    cdef int i
    if v == NULL:
        return
    pthread_mutex_lock(&v.lock)
    start = virtual_clock(v, 0) + TEAM_NODES + MEMBER_NODES * v.n_workers
    for i in range(v.n_workers):
        v.active[i] = True
        v.ahead[i] = start - <int64_t>v.nodes[i][0]
    v.arriving = v.n_workers
    v.iterations = n_iterations - v.n_workers
    pthread_mutex_unlock(&v.lock)


cdef void close_team(VirtualTime* v) noexcept nogil:
    """Worker 0 has waited for the last worker."""
    cdef int64_t end = 0
    cdef int i
    if v == NULL:
        return
    pthread_mutex_lock(&v.lock)
    for i in range(v.n_workers):
        end = max(end, virtual_clock(v, i))
    for i in range(v.n_workers):
        move_clock(v, i, end)
        v.active[i] = False
    v.running = NOBODY
    pthread_mutex_unlock(&v.lock)
