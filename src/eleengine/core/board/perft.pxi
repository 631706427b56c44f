# board/perft.pxi - counts of the leaves of the legal game tree, for checking the move generator.
#
# Uses: base/atomic, base/openmp, board/movegen.
# Bulk counting: the last ply is counted, not played. Threads share the positions that two
# moves lead to, which are many and small enough to keep every core busy to the end.


cdef enum:
    MAX_PERFT_DEPTH = 60
    POLL_DEPTH = 4            # some 30 ms of work


cdef struct PerftRun:         # what the threads of a count share
    atomic_flag stop
    bint (*poll)(void* listener) noexcept nogil    # shall it end? Asked on the calling thread
    void* listener


cdef bint is_abandoned(PerftRun* run) noexcept nogil:
    if not flag_get(&run.stop) and omp_get_thread_num() == 0 and run.poll(run.listener):
        flag_set(&run.stop, 1)
    return flag_get(&run.stop)


cdef uint64_t perft(Position* pos, int depth, PerftRun* run) noexcept nogil:
    """Leaves of the tree of depth plies below pos; pos needs depth states of room."""
    cdef move_t moves[MAX_MOVES]
    cdef uint64_t leaves = 0
    cdef int i, n
    if depth == 0:
        return 1
    if depth == 1:
        return count_legal(pos)
    if depth >= POLL_DEPTH and is_abandoned(run):
        return 0
    n = gen_legal(pos, moves)
    for i in range(n):
        do_move(pos, moves[i])
        leaves += perft(pos, depth - 1, run)
        undo_move(pos)
    return leaves


cdef struct PerftJob:
    move_t line[2]
    int32_t root              # index of line[0] among the root moves
    uint64_t leaves


cdef void run_perft_job(const Position* root, PerftJob* job, int depth, PerftRun* run) noexcept nogil:
    """Count below the two moves of a job, on a position of its own."""
    cdef State states[MAX_PERFT_DEPTH + 2]
    cdef Position pos = root[0]
    states[0] = root.st[0]
    pos.st = states
    do_move(&pos, job.line[0])
    do_move(&pos, job.line[1])
    job.leaves = perft(&pos, depth - 2, run)


cdef int list_perft_jobs(const Position* root, PerftJob* jobs) noexcept nogil:
    """Write every pair of a legal move and a legal reply; return their number."""
    cdef State states[2]
    cdef Position pos = root[0]
    cdef move_t moves[MAX_MOVES]
    cdef move_t replies[MAX_MOVES]
    cdef int i, j, n, m, jobs_n = 0
    states[0] = root.st[0]
    pos.st = states
    n = gen_legal(&pos, moves)
    for i in range(n):
        do_move(&pos, moves[i])
        m = gen_legal(&pos, replies)
        for j in range(m):
            jobs[jobs_n].line[0] = moves[i]
            jobs[jobs_n].line[1] = replies[j]
            jobs[jobs_n].root = i
            jobs[jobs_n].leaves = 0
            jobs_n += 1
        undo_move(&pos)
    return jobs_n


cdef void run_perft_jobs(const Position* root, PerftJob* jobs, int first, int last, int depth,
                         int n_threads, PerftRun* run) noexcept nogil:
    cdef int k
    n_threads = team_of(n_threads)
    for k in prange(first, last, schedule="dynamic", chunksize=1, num_threads=n_threads):
        run_perft_job(root, &jobs[k], depth, run)
