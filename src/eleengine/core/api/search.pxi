# api/search.pxi - Searcher: the search as a Python object.
#
# Uses: search/parallel, search/mate, api/context. The GIL is held between iterations and released within them.

cdef enum:
    MAX_DEPTH = 100

# Before this no news is sent from within an iteration: the iteration's own line follows soon.
cdef enum:
    QUIET_MS = 300

#: How several threads can share a search, as in search/parallel.pxi.
PARALLEL = ("lazy", "abdada", "split", "hybrid")
_BOUNDS = ("none", "upper", "lower", "exact")


@cython.final
cdef class SearchInfo:
    """One line of a search: a finished iteration, or a new best move within one.

    score: centipawns for the side to move; MATE - n (or n - MATE) for a mate in n plies.
    """
    cdef readonly int depth
    cdef readonly int seldepth
    cdef readonly int multipv
    cdef readonly int score
    cdef readonly uint64_t nodes
    cdef readonly int64_t time_ms
    cdef readonly int hashfull
    cdef readonly list pv
    cdef readonly bint exact

    def __repr__(self):
        return (f"<SearchInfo depth={self.depth} multipv={self.multipv} score={self.score} nodes={self.nodes} "
                f"time_ms={self.time_ms} pv={' '.join([str(m) for m in self.pv])}>")


cdef int shown_score(int score) noexcept:
    """Scores of verdicts as the world sees them: beyond evaluations, below mates."""
    if score > MATE:
        return SHOWN_BAN - (BAN - score)
    if score < -MATE:
        return -SHOWN_BAN + (BAN + score)
    return score


cdef Worker* new_worker(Shared* shared, int number) noexcept:
    """A worker without memories, or NULL."""
    cdef Worker* w = <Worker*>table_alloc(sizeof(Worker))
    if w != NULL:
        w.shared = shared
        w.number = number
        clear_frames(w)
    return w


cdef void free_worker(Worker* w) noexcept:
    if w != NULL:
        free(w.states)
        table_free(w)


cdef void tell_new_best(void* listener, int index) noexcept with gil:
    cdef Searcher searcher = <Searcher>listener
    try:
        searcher.tell(index)
    except BaseException as error:
        searcher.failure = error
        searcher.stop()


@cython.final
cdef class Searcher:
    """Search memory (transposition table and histories) and one search at a time.

    hash_mib: 1 to 1048576. threads: 1 to 256. context: the numbers to go by; None: the default ones,
    as they are when a search begins.
    stop(), ponderhit() and progress() may be called from any thread while another is in search().
    """
    cdef Shared shared
    cdef Worker** workers
    cdef readonly int hash_mib
    cdef Context own_context         # or None: the default one of each search
    cdef Context used_context        # of the last search
    cdef object lock
    cdef object report               # of the search under way
    cdef object failure              # what report raised within an iteration
    cdef int depth                   # iteration under way
    cdef int no_mate[2]              # plies within which no mate of the best line exists: of us, of the opponent
    cdef uint64_t settling           # nodes spent to find that out
    cdef int64_t began_ms

    def __cinit__(self, *, hash_mib=16, threads=1, Context context=None):
        self.own_context = context
        self.lock = allocate_lock()
        self.shared.no_capture_limit = NO_CAPTURE_LIMIT
        self.shared.parallel = HYBRID
        self.shared.selective = True
        self.shared.workers = self.workers = <Worker**>calloc(MAX_WORKERS, sizeof(Worker*))
        self.shared.busy = <BusyLine*>table_alloc(BUSY_LINES * sizeof(BusyLine))
        if self.workers == NULL or self.shared.busy == NULL:
            raise MemoryError("no memory for a search")
        self.threads = threads
        self.resize(hash_mib)

    def __dealloc__(self):
        cdef int i
        if self.workers != NULL:
            for i in range(MAX_WORKERS):
                free_worker(self.workers[i])
            free(self.workers)
        table_free(self.shared.busy)
        table_free(self.shared.table.entries)

    @property
    def threads(self):
        """Workers of a search, 1 to 256; more than the machine's cores only slow it down."""
        return self.shared.n_workers

    @threads.setter
    def threads(self, value):
        cdef int i, n
        if not 1 <= value <= MAX_WORKERS:
            raise ValueError(f"threads must be 1..{MAX_WORKERS}, not {value}")
        n = value
        with self.lock:
            for i in range(n):
                if self.workers[i] == NULL:
                    self.workers[i] = new_worker(&self.shared, i)
                if self.workers[i] == NULL:
                    raise MemoryError(f"no memory for {n} threads")
            for i in range(n, MAX_WORKERS):
                free_worker(self.workers[i])
                self.workers[i] = NULL
            self.shared.n_workers = n

    @property
    def parallel(self):
        """How several threads share a search: 'lazy', 'abdada', 'split' or 'hybrid'; see docs/parallel.md."""
        return PARALLEL[self.shared.parallel]

    @parallel.setter
    def parallel(self, value):
        if value not in PARALLEL:
            raise ValueError(f"parallel must be one of {', '.join(PARALLEL)}, not {value!r}")
        with self.lock:
            self.shared.parallel = PARALLEL.index(value)

    @property
    def selective(self):
        """False: nothing is pruned, reduced, extended or taken from the table, to compare searches with."""
        return self.shared.selective

    @selective.setter
    def selective(self, value):
        with self.lock:
            self.shared.selective = value

    @property
    def rule_set(self):
        """Index in rules.RULE_SETS of the rules that judge repetitions in the search; 0 (axf) by default."""
        return self.shared.rule_set

    @rule_set.setter
    def rule_set(self, value):
        if not AXF <= value <= ALWAYS_DRAW:
            raise ValueError(f"rule_set must be {AXF}..{ALWAYS_DRAW}, not {value}")
        with self.lock:
            if value != self.shared.rule_set:
                self.clear_table()               # its draws are those of other rules
            self.shared.rule_set = value

    @property
    def no_capture_limit(self):
        """Plies without a capture that draw the game in the search: 120 by default."""
        return self.shared.no_capture_limit

    @no_capture_limit.setter
    def no_capture_limit(self, value):
        if not 1 <= value <= 100_000:
            raise ValueError(f"no_capture_limit must be 1..100000, not {value}")
        with self.lock:
            if value != self.shared.no_capture_limit:
                self.clear_table()               # its draws are those of another limit
            self.shared.no_capture_limit = value

    @property
    def context(self):
        """The numbers to go by, or None for the default ones; setting it clears the memory of other numbers."""
        return self.own_context

    @context.setter
    def context(self, Context value):
        with self.lock:
            if value is not self.own_context:
                self.forget()
            self.own_context = value

    def resize(self, hash_mib):
        """Replace the table by an empty one of that many MiB; MemoryError leaves the old one."""
        cdef uint64_t clusters
        cdef void* entries
        if not 1 <= hash_mib <= 1 << 20:
            raise ValueError(f"hash_mib must be 1..1048576, not {hash_mib}")
        clusters = <uint64_t>hash_mib * (1 << 20) // (CLUSTER * sizeof(Entry))
        with self.lock:
            entries = table_alloc(clusters * CLUSTER * sizeof(Entry))
            if entries == NULL:
                raise MemoryError(f"cannot allocate a table of {hash_mib} MiB")
            table_free(self.shared.table.entries)
            self.shared.table.entries = <Entry*>entries
            self.shared.table.clusters = clusters
            self.hash_mib = hash_mib

    cdef void clear_table(self) noexcept:
        memset(self.shared.table.entries, 0, self.shared.table.clusters * CLUSTER * sizeof(Entry))
        self.shared.table.age = 0

    def clear(self):
        """Forget everything learnt: for a new game."""
        with self.lock:
            self.forget()

    cdef void forget(self) noexcept:
        cdef int i
        self.clear_table()
        for i in range(self.shared.n_workers):
            clear_histories(self.workers[i])

    def arm(self):
        """Take back an earlier stop() and ponderhit(); call it before handing a search to another thread."""
        flag_set(&self.shared.stop, 0)
        flag_set(&self.shared.hit, 0)

    def stop(self):
        """End the search under way; without one, the next one unless arm() is called before it."""
        flag_set(&self.shared.stop, 1)

    def ponderhit(self):
        """The expected move was played: maximum_ms counts from now, and the time so far is part of optimum_ms.

        For the search under way, or the next one unless arm() is called before it.
        """
        flag_set(&self.shared.hit, 1)
        word_set(<uint64_t*>&self.shared.start_ms, <uint64_t>now_ms())
        flag_set(&self.shared.pondering, 0)

    def progress(self):
        """(nodes, root move being searched or None, its number from 1) of the search under way."""
        cdef uint64_t shown = word_get(&self.shared.shown_move)
        cdef move_t m = <move_t>(shown & 0xffff)
        return total_nodes(&self.shared), wrap_move(m) if m else None, (shown >> 16) + 1

    @property
    def hashfull(self):
        """How much of the table the current search has filled, per mille."""
        return tt_hashfull(&self.shared.table)

    def probe(self, BaseBoard board not None):
        """(move or None, score, depth, 'exact' | 'lower' | 'upper' | 'none') of the table's entry, or None."""
        cdef Probe tt
        if not tt_probe(&self.shared.table, board.pos.st.key, &tt):
            return None
        return wrap_move(tt.move) if tt.move else None, from_table(tt.value, 0), tt.depth, _BOUNDS[tt.bound]

    cdef int set_up(self, Worker* w, BaseBoard board, object allowed) except -1:
        """Give a worker the board's position and history, and its root moves."""
        cdef int i, n
        cdef State* states
        cdef Py_ssize_t wanted = board.pos.ply + MAX_PLY + 8
        if w.states_n < wanted:
            states = <State*>realloc(w.states, wanted * sizeof(State))
            if states == NULL:
                raise MemoryError("no memory for the moves of a search")
            w.states = states
            w.states_n = wanted
        memcpy(w.states, board.states, (board.pos.ply + 1) * sizeof(State))
        w.pos = board.pos
        w.pos.st = w.states + board.pos.ply
        if w.pos.st.quiet_count >= self.shared.no_capture_limit:
            w.pos.st.quiet_count = 0             # nobody has claimed the draw: count from here
        w.params = &self.shared.context.params
        eval_begin(&w.eval, &self.shared.context.model, &w.pos)
        clear_frames(w)
        w.nodes = w.next_check = 0
        w.null_ply = w.pv_index = 0
        word_set(&w.shown_nodes, 0)
        fill_root(w)
        if allowed is not None:
            n = 0
            for i in range(w.n_root):
                if wrap_move(w.root[i].move) in allowed:
                    w.root[n] = w.root[i]
                    n += 1
            w.restricted = n < w.n_root
            w.n_root = n
        return 0

    cdef SearchInfo line(self, int index, int rank, int depth):
        """The line of a root move, ranked by the caller."""
        cdef RootMove* r = &self.workers[0].root[index]
        cdef SearchInfo info = SearchInfo.__new__(SearchInfo)
        cdef int i
        info.depth = depth
        info.seldepth = max(r.seldepth, depth)
        info.multipv = rank + 1
        info.score = shown_score(r.score if r.score != -INFINITE else r.previous)
        info.nodes = self.nodes()
        info.time_ms = now_ms() - self.began_ms
        info.hashfull = tt_hashfull(&self.shared.table)
        info.pv = [wrap_move(r.pv[i]) for i in range(r.pv_n)]
        info.exact = True
        return info

    cdef uint64_t nodes(self):
        """Of all workers; of the first one, which may be searching, to the last node."""
        return total_nodes(&self.shared) - word_get(&self.workers[0].shown_nodes) + self.workers[0].nodes

    def search(self, BaseBoard board not None, *, depth=0, nodes=0, optimum_ms=0, maximum_ms=0, mate=0, multipv=1,
               root_moves=None, ponder=False, report=None):
        """Search the board and return the best lines, best first; [] when there is no root move.

        depth: plies, 1 to 100. nodes: at most about so many. optimum_ms, maximum_ms: time to aim
        at and never to exceed. mate: end when a mate in so many moves is found. 0 stands for no
        limit. root_moves: consider only these. ponder: time limits rest until ponderhit().
        report: called with a SearchInfo for each finished iteration and rank.
        """
        cdef Shared* s = &self.shared
        cdef int i, n_root
        for name, value in (("depth", depth), ("nodes", nodes), ("optimum_ms", optimum_ms),
                            ("maximum_ms", maximum_ms), ("mate", mate)):
            if value < 0:
                raise ValueError(f"{name} must not be negative, but is {value}")
        if multipv < 1:
            raise ValueError(f"multipv must be at least 1, not {multipv}")
        board.need_valid()
        allowed = None if root_moves is None else set(root_moves)
        with self.lock:
            s.start_ms = self.began_ms = now_ms()
            s.listener = <void*>self if report is not None else NULL
            s.new_best = tell_new_best
            self.report = report
            self.failure = None
            flag_set(&s.pondering, ponder and not flag_get(&s.hit))
            s.optimum_ms = optimum_ms
            s.maximum_ms = maximum_ms
            s.max_nodes = nodes
            word_set(&s.shown_move, 0)
            s.table.age = (s.table.age + 1) & (AGES - 1)
            self.used_context = chosen_context(self.own_context)
            s.context = &self.used_context.numbers
            try:
                for i in range(s.n_workers):
                    self.set_up(self.workers[i], board, allowed)
                n_root = self.workers[0].n_root
                if n_root == 0:
                    return []
                return self.iterate(min(depth, MAX_DEPTH) if depth else MAX_DEPTH, min(multipv, n_root), mate)
            finally:
                self.report = None
                flag_set(&s.stop, 0)

    cdef list iterate(self, int last_depth, int n_ranks, int mate):
        """Deepen until a limit is reached; the lines of the last iteration, best first."""
        cdef Worker* w = self.workers[0]
        cdef Shared* s = &self.shared
        cdef int d, rank, drop, done_depth = 0, stable = 0, last_score = 0
        cdef move_t last_best = NO_MOVE
        self.no_mate[0] = self.no_mate[1] = self.settling = 0
        for d in range(1, last_depth + 1):
            for rank in range(w.n_root):
                if w.root[rank].score != -INFINITE:
                    w.root[rank].previous = w.root[rank].score
            self.depth = d
            for rank in range(n_ranks):
                self.share_ranking(rank)
                with nogil:
                    search_together(self.workers, s.n_workers, d)
                if stopped(w):
                    break
                self.settle(rank)
            else:
                rank = n_ranks
            if self.failure is not None:
                raise self.failure
            if rank < n_ranks:
                break
            sort_root(w, 0)
            done_depth = d
            if self.report is not None:
                for rank in range(n_ranks):
                    self.report(self.line(rank, rank, d))
            drop = last_score - w.root[0].score if d > 4 else 0
            last_score = w.root[0].score
            stable = stable + 1 if w.root[0].move == last_best else 0
            last_best = w.root[0].move
            if stopped(w) or self.enough(d, n_ranks, stable, drop, mate):
                break
        return [self.line(rank, rank, max(1, done_depth)) for rank in range(n_ranks)]

    cdef void share_ranking(self, int rank) noexcept:
        """Let the helpers search what the first worker searches: the root moves from rank on."""
        cdef Worker* w = self.workers[0]
        cdef int i
        w.pv_index = rank
        for i in range(1, self.shared.n_workers):
            memcpy(self.workers[i].root, w.root, w.n_root * sizeof(RootMove))
            self.workers[i].pv_index = rank

    cdef void settle(self, int rank) noexcept:
        """See whether there is a shorter mate than the one that a finished line announces, if time allows.

        A third of all nodes may go into that.
        """
        cdef Worker* w = self.workers[0]
        cdef int theirs = w.root[rank].score < 0, none
        cdef uint64_t before = w.nodes, allowed = w.nodes // 3
        cdef uint64_t budget = LEAST_BUDGET + (allowed - self.settling if allowed > self.settling else 0)
        if self.shared.optimum_ms and 2 * (now_ms() - self.began_ms) > self.shared.optimum_ms:
            return
        with nogil:
            none = settle_mate(w, rank, self.no_mate[theirs] if rank == 0 else 0, budget)
        self.settling += w.nodes - before
        if rank == 0:
            self.no_mate[theirs] = none

    cdef object tell(self, int index):
        """Report a root move that became the best of its rank before its iteration has ended."""
        if now_ms() - self.began_ms >= QUIET_MS:
            self.report(self.line(index, self.workers[0].pv_index, self.depth))

    cdef bint enough(self, int depth, int n_ranks, int stable, int drop, int mate):
        """After an iteration: is another one not worth its time?"""
        cdef Worker* w = self.workers[0]
        cdef Shared* s = &self.shared
        cdef int score = w.root[0].score, plies = MATE - abs(score)
        cdef double spent, scale, effort
        cdef uint64_t nodes = 0
        cdef int i
        if n_ranks == 1 and 0 <= plies <= MATE - MATE_BOUND:
            if mate and score > 0 and plies <= 2 * mate - 1:
                return True
            # Pruning may hide a shorter mate for some depths, hardly for these, unless it is ruled out.
            if depth >= 2 * plies + 4 or self.no_mate[score < 0] >= plies - 2:
                return True
        if not s.optimum_ms or flag_get(&s.pondering):
            return False
        if w.n_root == 1:
            return True
        spent = now_ms() - self.began_ms
        if 2 * s.optimum_ms > s.maximum_ms > 0:        # this move has a time of its own: nothing to save
            return spent >= s.optimum_ms
        for i in range(w.n_root):
            nodes += w.root[i].nodes
        effort = <double>w.root[0].nodes / (nodes + 1)
        drop = max(-40, min(80, drop))
        scale = (1.3 - 0.09 * min(stable, 6)) * (1 + drop / 120.0) * (1.9 - 1.3 * effort)
        # The next iteration takes about as long as all before it: start it only if half of it fits.
        return spent >= min(0.65 * scale * s.optimum_ms, <double>s.maximum_ms if s.maximum_ms else 1e18)

    def worker_nodes(self):
        """Nodes of each worker in the last search."""
        return [self.workers[i].nodes for i in range(self.shared.n_workers)]

    def root_nodes(self):
        """Nodes of all workers below each root move in the last search; `enough` goes by them."""
        cdef Worker* w = self.workers[0]
        return {wrap_move(w.root[i].move): w.root[i].nodes for i in range(w.n_root)}

    def tear(self, BaseBoard board not None, BaseBoard other not None):
        """Leave the table's entry of board as if a store had been overtaken by one of other's: for tests."""
        cdef uint64_t key = board.pos.st.key
        cdef Entry* e = tt_cluster(&self.shared.table, key)
        cdef Entry* torn = tt_cluster(&self.shared.table, other.pos.st.key)
        cdef int i, k
        with self.lock:
            for i in range(CLUSTER):
                for k in range(CLUSTER):
                    if e[i].lock ^ e[i].data == key and torn[k].lock ^ torn[k].data == other.pos.st.key:
                        e[i].data = torn[k].data
                        return True
        return False

    def evaluate(self, BaseBoard board not None):
        """Static evaluation in centipawns for the side to move."""
        cdef Context context = chosen_context(self.own_context)
        board.need_valid()
        return evaluate_anew(&context.numbers.model, &board.pos)
