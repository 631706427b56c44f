# api_search.pxi - Searcher: the search as a Python object.
#
# Uses: search, api. The GIL is held between iterations and released within them.

cdef enum:
    MAX_DEPTH = 100

# Before this no news is sent from within an iteration: the iteration's own line follows soon.
cdef enum:
    QUIET_MS = 300

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

    hash_mib: 1 to 1048576. threads: 1 to 256.
    stop(), ponderhit() and progress() may be called from any thread while another is in search().
    """
    cdef Shared shared
    cdef Worker* worker
    cdef readonly int hash_mib
    cdef int n_threads
    cdef object lock
    cdef object report               # of the search under way
    cdef object failure              # what report raised within an iteration
    cdef int depth                   # iteration under way
    cdef int64_t began_ms

    def __cinit__(self, *, hash_mib=16, threads=1):
        self.worker = <Worker*>table_alloc(sizeof(Worker))
        if self.worker == NULL:
            raise MemoryError("no memory for a search")
        self.worker.shared = &self.shared
        clear_frames(self.worker)
        self.lock = allocate_lock()
        self.shared.no_capture_limit = NO_CAPTURE_LIMIT
        self.threads = threads
        self.resize(hash_mib)

    def __dealloc__(self):
        if self.worker != NULL:
            free(self.worker.states)
            free(self.worker)
        free(self.shared.table.entries)

    @property
    def threads(self):
        return self.n_threads

    @threads.setter
    def threads(self, value):
        if not 1 <= value <= 256:
            raise ValueError(f"threads must be 1..256, not {value}")
        self.n_threads = value

    @property
    def rule_set(self):
        """Index in rules.RULE_SETS of the rules that judge repetitions in the search; 0 (axf) by default."""
        return self.shared.rule_set

    @rule_set.setter
    def rule_set(self, value):
        if not AXF <= value <= ALWAYS_DRAW:
            raise ValueError(f"rule_set must be {AXF}..{ALWAYS_DRAW}, not {value}")
        with self.lock:
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
            self.shared.no_capture_limit = value

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
            free(self.shared.table.entries)
            self.shared.table.entries = <Entry*>entries
            self.shared.table.clusters = clusters
            self.hash_mib = hash_mib

    def clear(self):
        """Forget everything learnt: for a new game."""
        with self.lock:
            memset(self.shared.table.entries, 0, self.shared.table.clusters * CLUSTER * sizeof(Entry))
            self.shared.table.age = 0
            clear_histories(self.worker)

    def arm(self):
        """Take back an earlier stop() and ponderhit(); call it before handing a search to another thread."""
        flag_set(&self.shared.stop, 0)
        flag_set(&self.shared.hit, 0)

    def stop(self):
        """End the search under way, or the next one unless arm() is called before it."""
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
        return word_get(&self.shared.shown_nodes), wrap_move(m) if m else None, (shown >> 16) + 1

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

    cdef int set_up(self, BaseBoard board, object root_moves) except -1:
        """Give the worker the board's position and history, and its root moves."""
        cdef Worker* w = self.worker
        cdef move_t moves[MAX_MOVES]
        cdef int i, n
        cdef State* states
        cdef Py_ssize_t wanted = board.pos.ply + MAX_PLY + 8
        board.need_valid()
        if w.states_n < wanted:
            states = <State*>realloc(w.states, wanted * sizeof(State))
            if states == NULL:
                raise MemoryError("no memory for the moves of a search")
            w.states = states
            w.states_n = wanted
        memcpy(w.states, board.states, (board.pos.ply + 1) * sizeof(State))
        w.pos = board.pos
        w.pos.st = w.states + board.pos.ply
        clear_frames(w)
        w.nodes = w.null_ply = 0
        w.next_check = 0
        n = gen_legal(&w.pos, moves)
        allowed = None if root_moves is None else set(root_moves)
        w.n_root = 0
        for i in range(n):
            if allowed is None or wrap_move(moves[i]) in allowed:
                memset(&w.root[w.n_root], 0, sizeof(RootMove))
                w.root[w.n_root].move = w.root[w.n_root].pv[0] = moves[i]
                w.root[w.n_root].pv_n = 1
                w.root[w.n_root].score = w.root[w.n_root].previous = -INFINITE
                w.n_root += 1
        return 0

    cdef SearchInfo line(self, int index, int rank, int depth):
        """The line of a root move, ranked by the caller."""
        cdef RootMove* r = &self.worker.root[index]
        cdef SearchInfo info = SearchInfo.__new__(SearchInfo)
        cdef int i
        info.depth = depth
        info.seldepth = max(r.seldepth, depth)
        info.multipv = rank + 1
        info.score = r.score if r.score != -INFINITE else r.previous
        info.nodes = self.worker.nodes
        info.time_ms = now_ms() - self.began_ms
        info.hashfull = tt_hashfull(&self.shared.table)
        info.pv = [wrap_move(r.pv[i]) for i in range(r.pv_n)]
        info.exact = True
        return info

    def search(self, BaseBoard board not None, *, depth=0, nodes=0, optimum_ms=0, maximum_ms=0, mate=0, multipv=1,
               root_moves=None, ponder=False, report=None):
        """Search the board and return the best lines, best first; [] when there is no root move.

        depth: plies, 1 to 100. nodes: at most about so many. optimum_ms, maximum_ms: time to aim
        at and never to exceed. mate: end when a mate in so many moves is found. 0 stands for no
        limit. root_moves: consider only these. ponder: time limits rest until ponderhit().
        report: called with a SearchInfo for each finished iteration and rank.
        """
        cdef Worker* w = self.worker
        cdef Shared* s = &self.shared
        cdef int d = 0, rank, last_depth, n_ranks, done_depth = 0, stable = 0, last_score = 0
        cdef move_t last_best = NO_MOVE
        cdef list lines = []
        for name, value in (("depth", depth), ("nodes", nodes), ("optimum_ms", optimum_ms),
                            ("maximum_ms", maximum_ms), ("mate", mate)):
            if value < 0:
                raise ValueError(f"{name} must not be negative, but is {value}")
        if multipv < 1:
            raise ValueError(f"multipv must be at least 1, not {multipv}")
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
            word_set(&s.shown_nodes, 0)
            word_set(&s.shown_move, 0)
            s.table.age = (s.table.age + 1) & (AGES - 1)
            self.set_up(board, root_moves)
            if w.n_root == 0:
                return []
            n_ranks = min(multipv, w.n_root)
            last_depth = min(depth, MAX_DEPTH) if depth else MAX_DEPTH
            for d in range(1, last_depth + 1):
                for rank in range(w.n_root):
                    w.root[rank].previous = w.root[rank].score if w.root[rank].score != -INFINITE else w.root[rank].previous
                self.depth = d
                for rank in range(n_ranks):
                    w.pv_index = rank
                    with nogil:
                        search_root(w, d)
                    if flag_get(&s.stop):
                        break
                if self.failure is not None:
                    raise self.failure
                if flag_get(&s.stop):
                    break
                sort_root(w, 0)
                done_depth = d
                for rank in range(n_ranks):
                    if report is not None:
                        report(self.line(rank, rank, d))
                drop = last_score - w.root[0].score if d > 4 else 0
                last_score = w.root[0].score
                stable = stable + 1 if w.root[0].move == last_best else 0
                last_best = w.root[0].move
                if self.enough(d, n_ranks, stable, drop, mate):
                    break
            return [self.line(rank, rank, max(1, done_depth)) for rank in range(n_ranks)]

    cdef object tell(self, int index):
        """Report a root move that became the best of its rank before its iteration has ended."""
        if now_ms() - self.began_ms >= QUIET_MS:
            self.report(self.line(index, self.worker.pv_index, self.depth))

    cdef bint enough(self, int depth, int n_ranks, int stable, int drop, int mate):
        """After an iteration: is another one not worth its time?"""
        cdef Worker* w = self.worker
        cdef Shared* s = &self.shared
        cdef int score = w.root[0].score, plies = MATE - abs(score)
        cdef double spent, scale, effort
        if n_ranks == 1 and plies <= MATE - MATE_BOUND:
            if mate and score > 0 and plies <= 2 * mate - 1:
                return True
            # Pruning may hide a shorter mate for some depths, hardly for these.
            if depth >= 2 * plies + 4:
                return True
        if not s.optimum_ms or flag_get(&s.pondering):
            return False
        if w.n_root == 1:
            return True
        spent = now_ms() - self.began_ms
        effort = <double>w.root[0].nodes / (w.nodes + 1)
        drop = max(-40, min(80, drop))
        scale = (1.3 - 0.09 * min(stable, 6)) * (1 + drop / 120.0) * (1.9 - 1.3 * effort)
        # The next iteration takes about as long as all before it: start it only if half of it fits.
        return spent >= min(0.65 * scale * s.optimum_ms, <double>s.maximum_ms if s.maximum_ms else 1e18)

    def evaluate(self, BaseBoard board not None):
        """Static evaluation in centipawns for the side to move."""
        board.need_valid()
        return evaluate(&board.pos, NULL)
