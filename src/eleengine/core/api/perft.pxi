# api/perft.pxi - counts of leaves below each legal move, with a display and signals.
#
# Uses: board/perft, api/move.

cdef dict count_leaves(const Position* board, int plies, int n_threads, object progress):
    """{move: leaves} of a playable position; progress as for BaseBoard.divide."""
    cdef move_t moves[MAX_MOVES]
    cdef uint64_t counts[MAX_MOVES]
    cdef PerftJob* jobs
    cdef int i, n, total, first, last, chunk
    cdef uint64_t leaves = 0
    cdef State state
    cdef Position pos
    cdef PerftRun run
    cdef _Interruptible interruption = _Interruptible()
    # The board itself may change while the GIL is released, or by what progress does.
    state = board.st[0]
    pos = board[0]
    pos.st = &state
    n = gen_legal(&pos, moves)
    if plies == 1:
        return {wrap_move(moves[i]): 1 for i in range(n)}
    jobs = <PerftJob*>need(malloc(MAX_MOVES * MAX_MOVES * sizeof(PerftJob)), "perft")
    try:
        memset(counts, 0, sizeof(counts))
        total = list_perft_jobs(&pos, jobs)
        memset(&run, 0, sizeof(run))
        run.poll = is_interrupted
        run.listener = <void*>interruption
        # Return to Python between chunks, for the display.
        chunk = max(4 * n_threads, total // 50)
        for first in range(0, total, chunk):
            last = min(first + chunk, total)
            with nogil:
                run_perft_jobs(&pos, jobs, first, last, plies, n_threads, &run)
            for i in range(first, last):
                counts[jobs[i].root] += jobs[i].leaves
                leaves += jobs[i].leaves
            if interruption.failure is not None:
                raise interruption.failure
            PyErr_CheckSignals()
            if progress is not None:
                progress(last, total, leaves)
        return {wrap_move(moves[i]): counts[i] for i in range(n)}
    finally:
        end_team()
        free(jobs)
