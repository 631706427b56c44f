# parallel.pxi - one search by several workers.
#
# Uses: search.
# Each worker searches the root on a path and with histories of its own; what they share is the
# table, through which one worker's results order and cut the others' trees (Lazy SMP). Worker 0
# decides: its iteration ends the others', and its line is the result.


cdef void run_worker(Worker** workers, int k, int depth) noexcept nogil:
    cdef Worker* w = workers[k]
    if k == 0:
        search_root(w, depth)
        flag_set(&w.shared.halt, 1)
        return
    # Half of the helpers look one ply further, so that not all do the same at the same time.
    depth += k & 1
    while not stopped(w) and depth < MAX_PLY:
        search_root(w, depth)
        depth += 1


cdef void search_together(Worker** workers, int n, int depth) noexcept nogil:
    """One iteration; with one worker just search_root, without any parallel region."""
    cdef int k
    if n == 1:
        search_root(workers[0], depth)
        return
    flag_set(&workers[0].shared.halt, 0)
    for k in prange(n, schedule="static", chunksize=1, num_threads=n):
        run_worker(workers, k, depth)
