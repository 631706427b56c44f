# api/papers.pxi - ThesisSearch and ThesisTable: the source papers' algorithms as Python objects.
#
# Uses: papers/split, search/worker, api/context.

_THESIS_ALGORITHMS = ("alphabeta", "pvs", "mtdf", "minimax")
_THESIS_ENTRIES = ("xor", "checksums", "lock")
_THESIS_KILLERS = ("off", "after", "before")
_THESIS_CAPTURES = ("off", "material", "exchange")
_THESIS_HISTORIES = ("off", "power", "square")
_THESIS_NULL_MOVES = ("off", "adaptive", "verified")
_THESIS_EXTENSIONS = ("off", "exchange", "forced")
_THESIS_EVALUATIONS = ("sources", "engine", "tapered")
_THESIS_SCHEDULES = ("static", "dynamic", "guided")
_THESIS_SPLITS = ("pv", "tree", "window", "dts", "tasks", "openmp-tasks")
_THESIS_BOUNDS = ("none", "upper", "lower", "exact")


cdef int choice(str name, object value, tuple choices) except -1:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return choices.index(value)


cdef int choice_or_flag(str name, object value, tuple choices) except -1:
    """A choice; False for the first one and True for the second one."""
    if value is True or value is False:
        return int(value)
    return choice(name, value, choices)


cdef int make_array(ThesisArray* t, int kind, int layers, uint64_t bytes) except -1:
    t.kind = kind
    t.layers = layers
    t.size = bytes // sizeof(ThesisEntry)
    t.entries = <ThesisEntry*>table_alloc(t.size * sizeof(ThesisEntry), 0)
    if t.entries == NULL:
        raise MemoryError(f"not enough memory for a table of {bytes >> 20} MiB")
    return 0


@cython.final
cdef class ThesisTable:
    """A table of the source papers' entries alone, for experiments with torn writes.

    entry: "xor", "checksums" or "lock". layers: 1, or 2 for the deepest and the newest result of each place.
    mib: its size, 1 to 65536.
    An entry is four parts of 32 bits; parts() and set_part() reach them as another processor would.
    """
    cdef ThesisArray array

    def __cinit__(self, *, entry="xor", layers=1, mib=1):
        make_array(&self.array, choice("entry", entry, _THESIS_ENTRIES), within("layers", layers, 1, 2),
                   <uint64_t>within("mib", mib, 1, 1 << 16) << 20)

    def __dealloc__(self):
        table_free(self.array.entries)

    def __reduce__(self):
        refuse_copy(self)

    def store(self, uint64_t key, Move move, *, value, depth, bound):
        """Keep a result. value: -32000..32000; depth: 0..255; bound: "upper", "lower" or "exact"."""
        cdef int kind = choice("bound", bound, _THESIS_BOUNDS[1:]) + 1
        thesis_store(&self.array, key, NO_MOVE if move is None else move.code,
                     within("value", value, -INFINITE, INFINITE), within("depth", depth, 0, 255), kind)

    def probe(self, uint64_t key):
        """(move or None, value, depth, bound) of the key, or None: no entry, another key's, or a torn one."""
        cdef ThesisProbe found
        if not thesis_probe(&self.array, key, &found):
            return None
        return wrap_move(found.move) if found.move else None, found.value, found.depth, _THESIS_BOUNDS[found.bound]

    def parts(self, uint64_t key):
        """The four words of 32 bits where the key's entry lies."""
        cdef ThesisEntry* e = thesis_entry(&self.array, key)
        return tuple([e.part[i] for i in range(4)])

    def set_part(self, uint64_t key, index, uint32_t part):
        """Overwrite one of these words: index 0 to 3."""
        thesis_entry(&self.array, key).part[within("index", index, 0, 3)] = part


@cython.final
cdef class ThesisInfo:
    """One finished iteration of a ThesisSearch; the counts and the times are of all iterations up to it.

    depth: plies. score: of the side to move, in the units of the evaluation. move: the best one.
    leaves: evaluations. nodes: inner nodes. hits: probes of the table that gave a value.
    cuts: inner nodes whose value reached beta by a move, first_cuts: those by the first move.
    seconds: elapsed. cpu_seconds: processor time of this process, all threads together.
    idle: seconds that threads waited for others at the ends of splits, added up.
    """
    cdef readonly int depth
    cdef readonly int score
    cdef readonly Move move
    cdef readonly uint64_t leaves
    cdef readonly uint64_t nodes
    cdef readonly uint64_t probes
    cdef readonly uint64_t hits
    cdef readonly uint64_t cuts
    cdef readonly uint64_t first_cuts
    cdef readonly double seconds
    cdef readonly double cpu_seconds
    cdef readonly double idle

    def __reduce__(self):
        refuse_copy(self, "take its attributes")

    def __repr__(self):
        return (f"<ThesisInfo depth={self.depth} score={self.score} move={self.move} leaves={self.leaves} "
                f"nodes={self.nodes} hits={self.hits} seconds={self.seconds:.3f}>")


@cython.final
cdef class ThesisSearch(_Interruptible):
    """The search algorithms of the source papers, to a fixed depth; docs/papers.md explains them.

    Without options it is the hybrid PVS of Zou's thesis, as chapter 4 has it.
    algorithm: "alphabeta", "pvs", "mtdf" or "minimax", which searches every node. table: a transposition table;
    shared_table: one for all threads, or one for each that all read; entry: "xor", "checksums" or "lock"; layers: 1,
    or 2 for one with the deepest and one with the newest results; hash_mib: size of a table, 1 to 65536;
    leaf_entries: it has leaves, too; exact_depth: the table answers only for the depth asked for, so that it changes
    no score.
    Order of moves: table_move on or off; captures "off", "material" or "exchange", what their pieces are worth;
    history "off", "power" (grows by 2 << depth) or "square" (by depth times depth); killers "off", "after" (the
    captures that lose nothing) or "before" (all captures). alpha_killers: the best move of a node below alpha is a
    killer, too; alpha_moves: the table keeps it.
    null_move: "off", "adaptive" (Zou's thesis) or "verified" (the engine thesis). extensions: "off", "exchange" or
    "forced". For captures, history, null_move and extensions True is the second of the words.
    internal_deepening: a node without a table move is searched two plies less first. quiescence: leaves are
    searched on by captures that win something.
    evaluation: "sources", the terms of Zou's thesis, "tapered", those of the engine thesis, or "engine". grain:
    values are rounded to multiples of it, 1 to 1000. values: of advisor, bishop, knight, rook, cannon and pawn,
    0 to 2000, for "sources" and captures; None: 250, 250, 350, 550, 350, 100.
    deepening: iterate from depth 1. threads: 1 to 256, which share the work by split: "pv" (brothers along the
    leftmost branch), "tree" (the moves of the root), "window" (each thread has its own), "dts" (idle threads help
    the deepest search), "tasks" (brothers of first moves are tasks, the oldest first) or "openmp-tasks" (the same
    as tasks of OpenMP); the first two on an OpenMP
    schedule "static", "dynamic" or "guided". aspiration: how far the window of the root reaches on both sides of the
    value two iterations before, 1 to 30000, until one side fails; 0: all the way.
    own_order: a thread orders moves by its own history and
    killers, not by those of all threads. regroup: a sibling that turns out better is searched again by
    all threads, not by the one that found it (PVS only). context: whose weights evaluation "engine" goes by;
    None: the shipped ones.
    virtual_time: threads take turns as if each had a processor; `ThesisInfo.seconds` and idle count a visited node as
    a microsecond then, and equal searches are equal to the node.

    >>> [ThesisSearch(algorithm=name).search(BaseBoard(), depth=4)[-1].score for name in ("pvs", "mtdf")]
    [-12, -12]
    """
    cdef ThesisShared shared
    cdef bint searching              # what is written with the GIL held
    cdef bint deepening
    cdef Context context
    cdef _Lock lock

    def __cinit__(self, *, algorithm="pvs", table=True, shared_table=False, entry="xor", layers=1, hash_mib=64,
                  leaf_entries=True, exact_depth=False, table_move=True, captures=True, killers="after", history=True,
                  alpha_killers=True, alpha_moves=False, null_move=True, internal_deepening=False, quiescence=False,
                  extensions=False, evaluation="sources", values=None, grain=1, deepening=True, threads=1,
                  split="pv", schedule="static", aspiration=0, own_order=False, regroup=False, virtual_time=False,
                  Context context=None):
        cdef ThesisOptions* o = &self.shared.options
        cdef int i, capture_values, kind = choice("entry", entry, _THESIS_ENTRIES)
        cdef uint64_t bytes = <uint64_t>within("hash_mib", hash_mib, 1, 1 << 16) << 20
        if not set_any(THESIS_ROOK_RANK[0][0]):
            fill_thesis_tables()
        self.lock = _Lock(
            "a ThesisSearch searches in this thread: its report, or the handler of a signal, may call stop(); "
            "for anything else return first, or take another ThesisSearch")
        self.context = chosen_context(context)
        o.algorithm = choice("algorithm", algorithm, _THESIS_ALGORITHMS)
        o.table = table
        o.shared_table = shared_table
        o.leaf_entries = leaf_entries
        o.exact_depth = exact_depth
        o.table_move = table_move and table
        capture_values = choice_or_flag("captures", captures, _THESIS_CAPTURES)
        o.captures = capture_values > 0
        o.killers = choice("killers", killers, _THESIS_KILLERS)
        o.alpha_killers = alpha_killers
        o.alpha_moves = alpha_moves
        o.history = choice_or_flag("history", history, _THESIS_HISTORIES)
        o.null_move = choice_or_flag("null_move", null_move, _THESIS_NULL_MOVES)
        o.internal_deepening = internal_deepening
        o.quiescence = quiescence
        o.extensions = choice_or_flag("extensions", extensions, _THESIS_EXTENSIONS)
        memcpy(self.shared.terms.value, THESIS_VALUE, sizeof(self.shared.terms.value))
        if values is not None:
            if len(values) != PAWN - KING:
                raise ValueError(f"values must be six numbers, not {len(values)}")
            for i in range(ADVISOR, PAWN + 1):
                self.shared.terms.value[i] = <int16_t>within("values", values[i - ADVISOR], 0, 2000)
        for i in range(8):
            self.shared.terms.exchange[i] = EXCHANGE_VALUE[i] if capture_values == 2 else self.shared.terms.value[i]
        fill_terms(&self.shared.terms)
        o.evaluation = choice("evaluation", evaluation, _THESIS_EVALUATIONS)
        o.grain = within("grain", grain, 1, 1000)
        o.threads = within("threads", threads, 1, MAX_WORKERS)
        o.schedule = choice("schedule", schedule, _THESIS_SCHEDULES)
        o.split = choice("split", split, _THESIS_SPLITS)
        if o.split == SPLIT_WINDOW and o.algorithm >= MTDF:
            raise ValueError(f"split window: {algorithm} has no window to be split")
        if o.split == SPLIT_OPENMP and virtual_time:
            raise ValueError("split openmp-tasks: OpenMP's own tasks take no turns in virtual time")
        if o.split == SPLIT_OPENMP and threads > 1 and not ELE_TASKS:
            raise ValueError("split openmp-tasks: this build's compiler has no tasks of OpenMP 3.0")
        o.aspiration = within("aspiration", aspiration, 0, MATE)
        if o.aspiration and (o.algorithm >= MTDF or o.split == SPLIT_WINDOW):
            raise ValueError("aspiration: mtdf, minimax and split window have no window to be made narrow")
        o.own_order = own_order or threads == 1      # alone it is the same
        o.regroup = regroup and o.algorithm == PVS   # the others have no null window to search again
        self.deepening = deepening
        self.shared.listener = <void*>self
        self.shared.poll = is_interrupted
        self.shared.share_rest = share_rest
        self.shared.workers = <ThesisWorker**>need(calloc(o.threads, sizeof(ThesisWorker*)), "a search")
        self.shared.tables = <ThesisArray*>need(calloc(o.threads, sizeof(ThesisArray)), "a search")
        for i in range(o.threads):
            self.shared.workers[i] = <ThesisWorker*>need(table_alloc(sizeof(ThesisWorker), 0), f"{threads} threads")
            self.shared.workers[i].shared = &self.shared
            self.shared.workers[i].number = i
        if virtual_time:
            self.shared.virtual_time = <VirtualTime*>need(new_virtual_time(), "virtual time")
            for i in range(o.threads):
                self.shared.virtual_time.nodes[i] = &self.shared.workers[i].visited
        if o.table:
            for i in range(1 if o.shared_table else o.threads):
                make_array(&self.shared.tables[i], kind, within("layers", layers, 1, 2), bytes)
                self.shared.tables_n += 1

    def __dealloc__(self):
        cdef int i
        for i in range(self.shared.options.threads):
            if self.shared.workers != NULL:
                table_free(self.shared.workers[i])
            if self.shared.tables != NULL:
                table_free(self.shared.tables[i].entries)
        free(self.shared.workers)
        free(self.shared.tables)
        free_virtual_time(self.shared.virtual_time)

    def __reduce__(self):
        refuse_copy(self)

    def clear(self):
        """Forget table, history and killers."""
        cdef int i
        cdef ThesisWorker* w
        with self.lock:
            for i in range(self.shared.tables_n):
                memset(self.shared.tables[i].entries, 0, self.shared.tables[i].size * sizeof(ThesisEntry))
            for i in range(self.shared.options.threads):
                w = self.shared.workers[i]
                memset(w.history, 0, sizeof(w.history))
                memset(w.killers, 0, sizeof(w.killers))

    def stop(self):
        """End the search under way, if there is one: it returns the iterations that it has finished."""
        if self.searching:
            flag_set(&self.shared.stop, 1)

    def search(self, BaseBoard board not None, *, depth=None, nodes=None, time=None, root_moves=None, report=None):
        """Search deeper and deeper to a limit: a ThesisInfo for each finished iteration, [] without a move to search.

        depth: 1..60. nodes: leaves and inner nodes, time: seconds; the first iteration is finished in any case.
        With nodes or time the search also ends when it has found a mate or has one move only. root_moves: consider
        only these. At least one limit must be given, and deepening is needed for all but depth.
        report is called with each ThesisInfo as its iteration ends; it may call stop(). What earlier searches learnt is
        kept until clear(). A score of 30000 - n is a mate in n plies. IllegalMoveError names one of root_moves that
        is not legal. MemoryError if the system does not give the threads.
        """
        cdef ThesisWorker* w
        cdef Move m
        cdef int d, i, value, guess = 0, before = 0, last = THESIS_DEPTH
        cdef int64_t start
        cdef clock_t cpu_start
        cdef list lines = []
        cdef bint timed = nodes is not None or time is not None
        board = board.frozen()
        if depth is None and not timed:
            raise ValueError("a search needs a limit: depth, nodes or time")
        if timed and not self.deepening:
            raise ValueError("without deepening depth is the only limit")
        if depth is not None:
            last = within("depth", depth, 1, THESIS_DEPTH)
        if nodes is not None and not 1 <= nodes < 1 << 63:
            raise ValueError(f"nodes must be at least 1, not {nodes}")
        if time is not None and self.shared.virtual_time != NULL:
            raise ValueError("virtual time has no limit in seconds")
        if time is not None and not 0 < time <= 1e9:
            raise ValueError(f"time must be above 0 seconds, not {time}")
        with self.lock:
            i = team_of(self.shared.options.threads)
            if i < self.shared.options.threads:
                raise MemoryError(f"the system gives no more than {i} of {self.shared.options.threads} threads")
            self.shared.root_n = 0
            if root_moves is not None:
                for m in dict.fromkeys(root_moves):
                    if m not in board.legal_moves:
                        raise IllegalMoveError(f"{m} is not legal")
                    self.shared.root_moves[self.shared.root_n] = m.code
                    self.shared.root_n += 1
                if self.shared.root_n == 0:
                    return lines
            for i in range(self.shared.options.threads):
                w = self.shared.workers[i]
                w.leaves = w.nodes = w.visited = w.probes = w.hits = w.cuts = w.first_cuts = 0
                w.next_poll = w.polls = w.shown = 0
                w.next_turn = <uint64_t>-1 if self.shared.virtual_time == NULL else 0
            w = self.shared.workers[0]
            memcpy(&w.pos, &board.pos, sizeof(Position))
            memcpy(&w.states[1], board.pos.st, sizeof(State))
            w.states[1].captured = EMPTY          # what came before extends nothing
            w.pos.st = &w.states[1]
            w.placed[0] = thesis_placed(&self.shared.terms, &w.pos)
            w.best = NO_MOVE
            if not has_legal_move(&w.pos):
                return lines
            self.failure = None
            self.searching = True
            self.shared.classic = &self.context.numbers.model.classic
            self.shared.idle_us = 0
            if self.shared.virtual_time != NULL:
                start_clocks(self.shared.virtual_time, self.shared.options.threads)
            start = now_us()
            cpu_start = clock()
            self.shared.limited = False
            self.shared.max_nodes = 0 if nodes is None else nodes
            self.shared.deadline_us = 0 if time is None else start + <int64_t>(1e6 * time)
            try:
                for d in range(1 if self.deepening else last, last + 1):
                    with nogil:
                        value = thesis_root(self.shared.workers, d, guess)
                    if flag_get(&self.shared.stop):
                        break
                    info = self.line(d, value, now_us() - start, clock() - cpu_start)
                    lines.append(info)
                    if report is not None:
                        report(info)
                    if timed and (abs(value) > MATE_BOUND or self.shared.root_n == 1 or board.legal_moves.count() == 1):
                        break
                    self.shared.limited = timed
                    guess = before         # two plies ago: values of odd and even depths differ
                    before = value
            finally:
                self.searching = False
                flag_set(&self.shared.stop, 0)
            if self.failure is not None:
                raise self.failure
            return lines

    def evaluate(self, BaseBoard board not None):
        """The static evaluation for the side to move, before it is rounded to the grain."""
        board.need_playable()
        if self.shared.options.evaluation == ENGINE_TERMS:
            return classic_anew(&self.context.numbers.model.classic, &board.pos)
        if self.shared.options.evaluation == TAPERED_TERMS:
            return tapered_evaluate(&board.pos)
        return thesis_evaluate(&self.shared.terms, &board.pos, thesis_placed(&self.shared.terms, &board.pos))

    def probe(self, BaseBoard board not None, *, thread=None):
        """(move or None, score, depth, 'exact' | 'lower' | 'upper') of the deepest entry in its tables, or None.

        thread: look only into the table of this one, from 0. A mate counts from the position, not from a root.
        """
        cdef ThesisProbe one, found
        cdef int i, first = 0, last = self.shared.tables_n
        if thread is not None:
            first = within("thread", thread, 0, last - 1)
            last = first + 1
        found.depth = -1
        for i in range(first, last):
            if thesis_probe(&self.shared.tables[i], board.pos.st.key, &one) and one.depth > found.depth:
                found = one
        if found.depth < 0:
            return None
        return wrap_move(found.move) if found.move else None, found.value, found.depth, _THESIS_BOUNDS[found.bound]

    @property
    def hashfull(self):
        """Entries of its first table that are taken, per mille, from a sample."""
        cdef const ThesisArray* t = &self.shared.tables[0]
        cdef uint64_t i
        cdef int taken = 0
        if self.shared.tables_n == 0:
            return 0
        for i in range(1000):
            taken += word_get(<uint64_t*>t.entries[i].part + 1) != 0
        return taken

    cdef ThesisInfo line(self, int depth, int value, int64_t microseconds, clock_t ticks):
        cdef ThesisInfo info = ThesisInfo.__new__(ThesisInfo)
        cdef ThesisWorker* w
        cdef int i
        info.depth = depth
        info.score = value
        info.move = wrap_move(self.shared.workers[0].best)
        for i in range(self.shared.options.threads):
            w = self.shared.workers[i]
            info.leaves += w.leaves
            info.nodes += w.nodes
            info.probes += w.probes
            info.hits += w.hits
            info.cuts += w.cuts
            info.first_cuts += w.first_cuts
        if self.shared.virtual_time != NULL:
            microseconds = virtual_clock(self.shared.virtual_time, 0)
            self.shared.idle_us = self.shared.virtual_time.waited
        info.seconds = microseconds * 1e-6
        info.cpu_seconds = <double>ticks / CLOCKS_PER_SEC
        info.idle = self.shared.idle_us * 1e-6
        return info
