# api/search.pxi - Searcher: the search as a Python object.
#
# Uses: search/iterative_deepening, api/context, api/tables.
# A search holds the GIL only while it reports what it has found.

#: How several threads can share a search, as in search/parallel.pxi.
PARALLEL = ("abdada", "hybrid", "auto")
_BOUNDS = ("none", "upper", "lower", "exact")


@cython.final
cdef class SearchInfo:
    """One line of a search: a finished iteration, or a new best move within one.

    depth: plies of the iteration. seldepth: plies of the longest line. multipv: rank of the line, from 1.
    score: centipawns for the side to move; MATE - n (or n - MATE) for a mate in n plies.
    nodes, time_ms: of the search so far. hashfull: used part of the table, per mille.
    tbhits: values found in endgame tables. pv: the line, as moves.
    """
    cdef readonly int depth
    cdef readonly int seldepth
    cdef readonly int multipv
    cdef readonly int score
    cdef readonly uint64_t nodes
    cdef readonly int64_t time_ms
    cdef readonly int hashfull
    cdef readonly uint64_t tbhits
    cdef readonly list pv

    def __reduce__(self):
        refuse_copy(self, "take its attributes")

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
    cdef Worker* w = <Worker*>table_alloc(sizeof(Worker), 0)
    if w != NULL:
        w.shared = shared
        w.number = number
        w.moves = &w.own_moves
        clear_frames(w)
    return w


cdef void free_worker(Worker* w) noexcept:
    if w != NULL:
        free(w.states)
        table_free(w)


cdef void on_iteration(void* who) noexcept with gil:
    cdef Searcher searcher = <Searcher>who
    try:
        for rank in range(searcher.deepening.n_ranks):
            searcher.report(searcher.line(&searcher.workers[0].root[rank], rank))
    except BaseException as error:
        searcher.failure = error
        searcher.stop()


cdef void on_new_best(void* who, const RootMove* line) noexcept with gil:
    cdef Searcher searcher = <Searcher>who
    try:
        searcher.report(searcher.line(line, searcher.workers[0].pv_index))
    except BaseException as error:
        searcher.failure = error
        searcher.stop()


@cython.final
cdef class Searcher(_Interruptible):
    """Search memory (transposition table and histories) and one search at a time.

    hash_mib: 1 to 1048576. threads: 1 to 256. context: the numbers to go by; None: the default ones,
    as they are when a search begins. tables: endgame tables, or None; those that the engine comes with by default.
    stop(), ponderhit() and progress() may be called from any thread while another is in search().
    """
    cdef Shared shared
    cdef Worker** workers
    cdef readonly int hash_mib
    cdef int n_wanted                # workers
    cdef int most_proof_bits         # that there is memory for
    cdef Context own_context         # or None: the default one of each search
    cdef Context used_context        # of the last search
    cdef EndgameTables own_tables    # or None
    cdef bint used_tables            # did the last search look into them?
    cdef Position root               # of the search under way; its state is root_state
    cdef State root_state
    cdef _Lock lock
    cdef object report               # of the search under way
    cdef Deepening deepening

    def __cinit__(self, *, hash_mib=16, threads=1, Context context=None, tables=...):
        self.own_context = context
        self.own_tables = shipped_tables() if tables is ... else tables
        self.lock = _Lock(
            "a Searcher searches in this thread: its report, or the handler of a signal, may call stop(), "
            "ponderhit() and progress(); for anything else return first, or take another Searcher")
        self.shared.no_capture_limit = NO_CAPTURE_LIMIT
        self.shared.parallel = AUTO
        self.shared.workers = self.workers = <Worker**>need(calloc(MAX_WORKERS, sizeof(Worker*)), "a search")
        self.shared.busy = <BusyLine*>need(table_alloc(BUSY_LINES * sizeof(BusyLine), 0), "a search")
        self.threads = threads
        self.used_tables = True
        self.resize(hash_mib)

    def __dealloc__(self):
        cdef int i
        if self.workers != NULL:
            for i in range(MAX_WORKERS):
                free_worker(self.workers[i])
            free(self.workers)
        free_virtual_time(self.shared.virtual_time)
        free(self.shared.proofs)
        table_free(self.shared.busy)
        table_free(self.shared.table.entries)

    def __reduce__(self):
        refuse_copy(self)

    @property
    def threads(self):
        """Workers of a search, 1 to 256; more than the machine's cores only slow it down."""
        return self.n_wanted

    @property
    def team(self):
        """Workers of the last search: fewer than threads if the system gave no more."""
        return self.shared.n_workers

    @threads.setter
    def threads(self, value):
        cdef int i, n = within("threads", value, 1, MAX_WORKERS)
        with self.lock:
            for i in range(n):
                if self.workers[i] == NULL:
                    self.workers[i] = <Worker*>need(new_worker(&self.shared, i), f"{n} threads")
            for i in range(n, MAX_WORKERS):
                free_worker(self.workers[i])
                self.workers[i] = NULL
            self.shared.n_workers = self.n_wanted = n

    @property
    def parallel(self):
        """How several threads share a search: 'abdada', 'hybrid' or 'auto'; see docs/parallel.md."""
        return PARALLEL[self.shared.parallel]

    @parallel.setter
    def parallel(self, value):
        if value not in PARALLEL:
            raise ValueError(f"parallel must be one of {', '.join(PARALLEL)}, not {value!r}")
        with self.lock:
            self.shared.parallel = PARALLEL.index(value)

    @property
    def virtual_time(self):
        """True: workers take turns as if each had a processor, to measure more threads than there are processors.

        Limits of nodes are then limits of time, in which a node is the unit; limits of time are of no use.
        """
        return bool(flag_get(&self.shared.in_turns))

    @virtual_time.setter
    def virtual_time(self, value):
        with self.lock:
            if value and self.shared.virtual_time == NULL:
                self.shared.virtual_time = <VirtualTime*>need(new_virtual_time(), "virtual time")
            flag_set(&self.shared.in_turns, bool(value))

    @property
    def virtual_nodes(self):
        """(time, waits) of the last search in virtual time, in nodes.

        Waits are those of all workers together for the last one of a team. ValueError without virtual time.
        """
        if not flag_get(&self.shared.in_turns) or self.shared.virtual_time.nodes[0] == NULL:
            raise ValueError("there was no search in virtual time")
        return virtual_clock(self.shared.virtual_time, 0), self.shared.virtual_time.waited

    @property
    def rule_set(self):
        """Index in rules.RULE_SETS of the rules that judge repetitions in the search; 0 (axf) by default."""
        return self.shared.rule_set

    @rule_set.setter
    def rule_set(self, value):
        cdef int rules = check_rule_set(value)
        with self.lock:
            if rules != self.shared.rule_set:
                self.empty_table()               # its draws are those of other rules
            self.shared.rule_set = rules

    @property
    def no_capture_limit(self):
        """Plies without a capture that draw the game in the search: 120 by default."""
        return self.shared.no_capture_limit

    @no_capture_limit.setter
    def no_capture_limit(self, value):
        cdef int limit = within("no_capture_limit", value, 1, 100_000)
        with self.lock:
            if limit != self.shared.no_capture_limit:
                self.empty_table()               # its draws are those of another limit
            self.shared.no_capture_limit = limit

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

    @property
    def tables(self):
        """The endgame tables that the search looks positions up in, or None; a search keeps them as they are."""
        return self.own_tables

    @tables.setter
    def tables(self, EndgameTables value):
        with self.lock:
            if value is not self.own_tables:
                self.empty_table()               # its scores are those without these tables
            self.own_tables = value

    cdef int set_up_tables(self, BaseBoard board, bint use_tables) except -1:
        """Let the search use the tables there are if it may, and remember the root."""
        cdef Shared* s = &self.shared
        self.root_state = board.pos.st[0]
        self.root = board.pos
        s.tables = NULL
        if use_tables != self.used_tables:
            self.empty_table()                   # its scores are those of searches with tables, or without
            self.used_tables = use_tables
        if use_tables and self.own_tables is not None and len(self.own_tables):
            s.tables = self.own_tables.tables
            self.own_tables.fetch(board)
            s.table_draws = probe_result(s.tables, &board.pos) != RESULT_DRAWN
        return 0

    cdef list with_table_moves(self, list pv):
        """A line that ends in a position of a table, with best play from there on."""
        cdef State[2] states                     # the move of a table looks at nothing before it
        cdef Position pos = self.root
        cdef move_t m
        cdef Move move
        states[0] = self.root_state
        pos.st = states
        for move in pv:
            do_move(&pos, move.code)
            states[0] = states[1]
            pos.st = states
        while len(pv) < TABLE_PLIES:
            m = best_table_move(self.shared.tables, &pos)
            if m == NO_MOVE:
                break
            pv.append(wrap_move(m))
            do_move(&pos, m)
            states[0] = states[1]
            pos.st = states
        return pv

    cdef list with_reply(self, list pv):
        """A line of one move with the reply that the hash table has, so that there is one to ponder about."""
        cdef State[2] states
        cdef Position pos = self.root
        cdef Move move = pv[0]
        cdef Probe tt
        states[0] = self.root_state
        pos.st = states
        do_move(&pos, move.code)
        if (len(pv) == 1 and tt_probe(&self.shared.table, pos.st.key, &tt) and tt.move
                and is_pseudo_legal(&pos, tt.move) and is_legal(&pos, tt.move)):
            return [move, wrap_move(tt.move)]
        return pv

    def resize(self, hash_mib):
        """Replace the table by an empty one of that many MiB; MemoryError leaves the old one.

        The system provides its memory now, which may take a second for a GiB: no search shall wait for that.
        """
        cdef int mib = within("hash_mib", hash_mib, 1, 1 << 20)
        cdef uint64_t clusters = <uint64_t>mib * (1 << 20) // (CLUSTER * sizeof(Entry))
        cdef uint64_t before
        cdef void* entries
        with self.lock:
            before = self.shared.table.clusters * CLUSTER * sizeof(Entry)
            entries = table_alloc(clusters * CLUSTER * sizeof(Entry), before)
            if entries == NULL:
                raise MemoryError(f"not enough memory for a table of {mib} MiB")
            entries, self.shared.table.entries = self.shared.table.entries, <Entry*>entries
            self.shared.table.clusters = clusters
            self.shared.table.age = 0
            with nogil:
                table_free(entries)
                zero_table(&self.shared.table, self.n_wanted)
            self.hash_mib = mib

    cdef int empty_table(self) except -1:
        with nogil:
            clear_table(&self.shared.table, self.n_wanted)
        return 0

    def clear(self):
        """Forget everything learnt: for a new game."""
        with self.lock:
            self.forget()

    cdef int forget(self) except -1:
        cdef int i
        self.empty_table()
        for i in range(self.n_wanted):
            clear_histories(self.workers[i])
        return 0

    cdef int reserve_proofs(self, int bits) except -1:
        """Use a table of proofs of 1 << bits."""
        if bits > self.most_proof_bits:
            free(self.shared.proofs)
            self.shared.proofs = NULL
            self.most_proof_bits = 0
            self.shared.proofs = <ProofEntry*>need(calloc(1 << bits, sizeof(ProofEntry)), "the proof of a mate")
            self.most_proof_bits = bits
        self.shared.proof_bits = bits
        return 0

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
            states = <State*>need(realloc(w.states, wanted * sizeof(State)), "the moves of a search")
            w.states = states
            w.states_n = wanted
        memcpy(w.states, board.states, (board.pos.ply + 1) * sizeof(State))
        w.pos = board.pos
        w.pos.st = w.states + board.pos.ply
        if w.pos.st.rule60 >= self.shared.no_capture_limit:
            w.pos.st.rule60 = 0                  # nobody has claimed the draw: count from here
        start_worker(w)
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

    cdef SearchInfo line(self, const RootMove* r, int rank):
        cdef SearchInfo info = SearchInfo.__new__(SearchInfo)
        cdef int i
        info.depth = max(1, r.depth)
        info.seldepth = max(r.seldepth, info.depth)
        info.multipv = rank + 1
        info.score = shown_score(r.score)
        info.nodes = total_nodes(&self.shared)
        info.time_ms = now_ms() - self.shared.began_ms
        info.hashfull = tt_hashfull(&self.shared.table)
        info.tbhits = 0
        for i in range(self.shared.n_workers):
            info.tbhits += self.workers[i].table_hits
        info.pv = [wrap_move(r.pv[i]) for i in range(r.pv_n)]
        if self.shared.tables != NULL and MATE_BOUND <= abs(info.score) <= MATE - r.pv_n:
            info.pv = self.with_table_moves(info.pv)
        if r.pv_n == 1:
            info.pv = self.with_reply(info.pv)
        return info

    def search(self, BaseBoard board not None, *, depth=0, nodes=0, optimum_ms=0, maximum_ms=0, mate=0, multipv=1,
               root_moves=None, bint use_tables=True, bint ponder=False, bint new_game=False, report=None):
        """Search the board and return the best lines, best first; [] when there is no root move.

        depth: plies, 1 to 100. nodes: a limit, passed by a few at most. optimum_ms, maximum_ms: time to aim
        at, and not to exceed once depth 1 is complete. mate: end when a mate in that number of moves is found;
        the first such search takes 24 MiB for proofs instead of 1.5, which stay with the Searcher.
        0 stands for no limit. root_moves: consider only these. use_tables: False: look into no endgame table.
        ponder: time limits rest until ponderhit().
        new_game: clear() first, in the time of the search. report: called with a SearchInfo for each
        finished iteration and rank, and for new best moves between them; what it raises ends the search. It may
        call stop(), ponderhit() and progress(); whatever else it asks of this Searcher is a RuntimeError.
        In the main thread a signal's handler runs within a moment, and what it raises ends the search, too.
        """
        cdef Shared* s = &self.shared
        cdef EndgameTables tables
        cdef int i, rank
        cdef int64_t plies = within("depth", depth, 0, INT64_MAX)
        cdef int64_t most_nodes = within("nodes", nodes, 0, INT64_MAX)
        cdef int64_t aim = within("optimum_ms", optimum_ms, 0, INT64_MAX)
        cdef int64_t most_ms = within("maximum_ms", maximum_ms, 0, INT64_MAX)
        cdef int64_t mate_moves = within("mate", mate, 0, INT64_MAX)
        cdef int64_t lines = within("multipv", multipv, 1, INT64_MAX)
        allowed = None if root_moves is None else set(root_moves)
        board = board.frozen()
        with self.lock:
            s.start_ms = s.began_ms = now_ms()
            flag_set(&s.pondering, ponder and not flag_get(&s.hit))
            s.optimum_ms = aim
            s.maximum_ms = most_ms
            s.max_nodes = most_nodes
            memset(&s.listener, 0, sizeof(Listener))
            s.listener.who = <void*>self
            if report is not None:
                s.listener.iteration = on_iteration
                s.listener.new_best = on_new_best
            if in_main_thread():
                s.listener.should_stop = is_interrupted
            word_set(&s.shown_move, 0)
            self.report = report
            self.failure = None
            self.used_context = chosen_context(self.own_context)
            s.context = &self.used_context.numbers
            tables = self.own_tables
            if tables is not None:
                tables.users += 1
            try:
                if new_game:
                    self.forget()
                s.n_workers = team_of(self.n_wanted)
                self.set_up_tables(board, use_tables)
                for i in range(s.n_workers):
                    self.set_up(self.workers[i], board, allowed)
                if self.workers[0].n_root == 0:
                    return []
                self.deepening.last_depth = min(plies, MAX_DEPTH) if plies else MAX_DEPTH
                self.deepening.n_ranks = min(lines, self.workers[0].n_root)
                self.deepening.mate = min(mate_moves, MAX_DEPTH)
                self.reserve_proofs(ASKED_BITS if mate_moves else PROOF_BITS)
                with nogil:
                    iterative_deepening(s, &self.deepening)
                if self.failure is not None:
                    raise self.failure
                return [self.line(&self.workers[0].root[rank], rank) for rank in range(self.deepening.n_ranks)]
            finally:
                if tables is not None:
                    tables.users -= 1
                self.report = self.failure = None
                flag_set(&s.stop, 0)
                flag_set(&s.hit, 0)

    def worker_nodes(self):
        """Nodes of each worker in the last search."""
        return [self.workers[i].nodes for i in range(self.shared.n_workers)]

    def histories(self, BaseBoard board not None, move):
        """What each worker has learned of a quiet move of the board's side: its history score."""
        cdef move_t m = as_move(move).code
        cdef int them = board.pos.side ^ 1
        cdef SquareBits attacked = (pawn_and_guard_attacks(&board.pos, them)
                                    | knight_and_cannon_attacks(&board.pos, them))
        return [short_get(butterfly(self.workers[i], board.pos.side, m, attacked))
                for i in range(self.shared.n_workers)]

    def root_nodes(self):
        """Nodes of all workers below each root move in the last search; time management goes by them."""
        cdef Worker* w = self.workers[0]
        return {wrap_move(w.root[i].move): w.root[i].nodes for i in range(w.n_root)}

    def evaluate(self, BaseBoard board not None):
        """Static evaluation in centipawns for the side to move."""
        cdef Context context = chosen_context(self.own_context)
        board.need_playable()
        return evaluate_anew(&context.numbers.model, &board.pos)
