# papers/tasks.pxi - the brothers of a node as tasks of OpenMP itself (Zou 2016, 2.5).
#
# Uses: base/openmp, papers/share.
# Cython has no word for tasks, so the directives are C. While a thread waits for the tasks of its node it may run
# others, and by the rules of OpenMP only those that descend from that node: their paths go through its position. So it
# keeps the position alone; the states of its own path lie at lower plies than all that a descendant writes.

cdef extern from * nogil:
    """
    #if defined(_OPENMP) && _OPENMP >= 200805                /* OpenMP 3.0 */
    #define ELE_TASKS 1
    static void run_with_team(int threads, void (*work)(void *), void *what) {
        #pragma omp parallel num_threads(threads)
        #pragma omp master                                   /* the others run tasks at the end of the region */
        work(what);
    }
    static void spawn_task(void (*work)(void *), void *what) {
        #pragma omp task firstprivate(work, what)
        work(what);
    }
    static void await_tasks(void) {
        #pragma omp taskwait
    }
    #else
    #define ELE_TASKS 0
    static void run_with_team(int threads, void (*work)(void *), void *what) { (void)threads; work(what); }
    static void spawn_task(void (*work)(void *), void *what) { work(what); }
    static void await_tasks(void) {}
    #endif
    """
    bint ELE_TASKS
    void run_with_team(int threads, void (*work)(void*) noexcept nogil, void* what)
    void spawn_task(void (*work)(void*) noexcept nogil, void* what)
    void await_tasks()


cdef struct TaskTree:
    ThesisWorker* first
    int depth
    int alpha
    int beta
    int value


cdef void run_task(void* what) noexcept nogil:
    """Search the next move of a split, on whatever thread, and leave its worker as it was."""
    cdef ThesisSplit* split = <ThesisSplit*>what
    cdef ThesisWorker* w = split.owner.shared.workers[omp_get_thread_num()]
    cdef ThesisSplit* outer = w.split
    cdef Position before
    cdef bint loads = outer != split         # else it waits there
    cdef int64_t start = now_us(), busy_us = w.busy_us
    if loads:
        memcpy(&before, &w.pos, sizeof(Position))
        w.split = split
    take_move(w, split, loads)
    if loads:
        memcpy(&w.pos, &before, sizeof(Position))
        w.split = outer
    w.busy_us = busy_us + now_us() - start   # with all tasks that it has run meanwhile


cdef void run_brothers(ThesisWorker* w, ThesisSplit* split) noexcept nogil:
    """Make all moves of a split tasks, and wait for them."""
    cdef int _
    cdef int64_t start, busy_us
    for _ in range(split.first, split.n):
        spawn_task(run_task, split)
    start = now_us()
    busy_us = w.busy_us
    await_tasks()
    spin_take(&w.shared.lock)
    w.shared.idle_us += now_us() - start - (w.busy_us - busy_us)
    spin_give(&w.shared.lock)


cdef void run_tree(void* what) noexcept nogil:
    cdef TaskTree* tree = <TaskTree*>what
    tree.value = thesis_search(tree.first, tree.depth, tree.alpha, tree.beta, 0, False, True)


cdef int search_by_tasks(ThesisWorker** workers, int depth, int alpha, int beta) noexcept nogil:
    """The first worker searches the root; all threads run the tasks."""
    cdef ThesisShared* shared = workers[0].shared
    cdef TaskTree tree
    cdef int k
    cdef int64_t start = now_us()
    tree.first = workers[0]
    tree.depth = depth
    tree.alpha = alpha
    tree.beta = beta
    for k in range(shared.options.threads):
        workers[k].busy_us = 0
    run_with_team(shared.options.threads, run_tree, &tree)
    for k in range(1, shared.options.threads):
        shared.idle_us += now_us() - start - workers[k].busy_us
    return tree.value
