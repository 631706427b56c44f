# api/papers.pxi - SeedSearch and SeedTable: the source papers' algorithms as Python objects.
#
# Uses: papers/split, search/worker, api/context.

_SEED_ALGORITHMS = ("alphabeta", "pvs", "mtdf")
_SEED_ENTRIES = ("xor", "checksums")
_SEED_KILLERS = ("off", "after", "before")
_SEED_EVALUATIONS = ("sources", "engine")
_SEED_SCHEDULES = ("static", "dynamic")
_SEED_BOUNDS = ("none", "upper", "lower", "exact")


cdef int choice(str name, object value, tuple choices) except -1:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
    return choices.index(value)


cdef int within(str name, object value, int low, int high) except -1:
    if not low <= value <= high:
        raise ValueError(f"{name} must be {low}..{high}, not {value}")
    return value


cdef int make_array(SeedArray* t, int kind, uint64_t bytes) except -1:
    t.kind = kind
    t.size = bytes // sizeof(SeedEntry)
    t.entries = <SeedEntry*>table_alloc(t.size * sizeof(SeedEntry))
    if t.entries == NULL:
        raise MemoryError(f"cannot allocate a table of {bytes >> 20} MiB")
    return 0


@cython.final
cdef class SeedTable:
    """A table of the source papers' entries alone, for experiments with torn writes.

    entry: "xor" or "checksums". mib: its size, 1 to 65536.
    An entry is four parts of 32 bits; parts() and set_part() reach them as another processor would.
    """
    cdef SeedArray array

    def __cinit__(self, *, entry="xor", mib=1):
        make_array(&self.array, choice("entry", entry, _SEED_ENTRIES), <uint64_t>within("mib", mib, 1, 1 << 16) << 20)

    def __dealloc__(self):
        table_free(self.array.entries)

    def store(self, uint64_t key, Move move, *, value, depth, bound):
        """Keep a result. value: -32000..32000; depth: 0..255; bound: "upper", "lower" or "exact"."""
        cdef int kind = choice("bound", bound, _SEED_BOUNDS[1:]) + 1
        seed_store(&self.array, key, NO_MOVE if move is None else move.code,
                   within("value", value, -INFINITE, INFINITE), within("depth", depth, 0, 255), kind)

    def probe(self, uint64_t key):
        """(move or None, value, depth, bound) of the key, or None: no entry, another key's, or a torn one."""
        cdef SeedProbe found
        if not seed_probe(&self.array, key, &found):
            return None
        return wrap_move(found.move) if found.move else None, found.value, found.depth, _SEED_BOUNDS[found.bound]

    def parts(self, uint64_t key):
        """The four words of 32 bits where the key's entry lies."""
        cdef SeedEntry* e = seed_entry(&self.array, key)
        return tuple([e.part[i] for i in range(4)])

    def set_part(self, uint64_t key, index, uint32_t part):
        """Overwrite one of these words: index 0 to 3."""
        seed_entry(&self.array, key).part[within("index", index, 0, 3)] = part


@cython.final
cdef class SeedInfo:
    """One finished iteration of a SeedSearch; the counts and the times are of all iterations up to it.

    leaves: evaluations. nodes: inner nodes. hits: probes of the table that gave a value.
    cpu_seconds: processor time of this process, all threads together. idle: seconds that threads
    waited for others at the ends of splits, added up.
    """
    cdef readonly int depth
    cdef readonly int score
    cdef readonly Move move
    cdef readonly uint64_t leaves
    cdef readonly uint64_t nodes
    cdef readonly uint64_t probes
    cdef readonly uint64_t hits
    cdef readonly double seconds
    cdef readonly double cpu_seconds
    cdef readonly double idle

    def __repr__(self):
        return (f"<SeedInfo depth={self.depth} score={self.score} move={self.move} leaves={self.leaves} "
                f"nodes={self.nodes} hits={self.hits} seconds={self.seconds:.3f}>")


@cython.final
cdef class SeedSearch(_Interruptible):
    """The search algorithms of the source papers, to a fixed depth; docs/papers.md tells what is what.

    algorithm: "alphabeta", "pvs" or "mtdf". table: a transposition table; shared_table: one for all
    threads, or one for each that all read; entry: "xor" or "checksums"; hash_mib: size of a table,
    1 to 65536; leaf_entries: it has leaves, too; exact_depth: the table answers only for the depth asked for, so
    that it changes no score.
    Order of moves: table_move, captures, history on or off, killers "off", "after" (the captures that
    lose nothing) or "before" (all captures). null_move, extensions: on or off. evaluation: "sources",
    the papers' terms, or "engine"; grain: values are rounded to multiples of it, 1 to 1000.
    deepening: iterate from depth 1. threads: 1 to 256, which share the work by PV-split on an
    OpenMP schedule "static" or "dynamic". own_order: a thread orders moves by its own history and
    killers, not by those of all threads. regroup: a sibling that turns out better is searched again by
    all threads, not by the one that found it (PVS only). context: whose weights evaluation "engine" goes by;
    None: the shipped ones.

    >>> [SeedSearch(algorithm=name).search(BaseBoard(), depth=4)[-1].score for name in ("pvs", "mtdf")]
    [-12, -12]
    """
    cdef Seeds seeds
    cdef bint deepening
    cdef Context context
    cdef object lock

    def __cinit__(self, *, algorithm="pvs", table=True, shared_table=True, entry="xor", hash_mib=64,
                  leaf_entries=True, exact_depth=False, table_move=True, captures=True, killers="after", history=True,
                  null_move=True, extensions=False, evaluation="sources", grain=1, deepening=True, threads=1,
                  schedule="static", own_order=False, regroup=False,
                  Context context=None):
        cdef SeedOptions* o = &self.seeds.options
        cdef int i, kind = choice("entry", entry, _SEED_ENTRIES)
        cdef uint64_t bytes = <uint64_t>within("hash_mib", hash_mib, 1, 1 << 16) << 20
        if SEED_BOARD == 0:
            fill_seed_tables()
        self.lock = allocate_lock()
        self.context = chosen_context(context)
        o.algorithm = choice("algorithm", algorithm, _SEED_ALGORITHMS)
        o.table = table
        o.shared_table = shared_table
        o.leaf_entries = leaf_entries
        o.exact_depth = exact_depth
        o.table_move = table_move and table
        o.captures = captures
        o.killers = choice("killers", killers, _SEED_KILLERS)
        o.history = history
        o.null_move = null_move
        o.extensions = extensions
        o.evaluation = choice("evaluation", evaluation, _SEED_EVALUATIONS)
        o.grain = within("grain", grain, 1, 1000)
        o.threads = within("threads", threads, 1, MAX_WORKERS)
        o.dynamic = choice("schedule", schedule, _SEED_SCHEDULES)
        o.own_order = own_order or threads == 1      # alone it is the same
        o.regroup = regroup and o.algorithm == PVS   # the others have no null window to search again
        self.deepening = deepening
        self.seeds.listener = <void*>self
        self.seeds.poll = is_interrupted
        self.seeds.workers = <SeedWorker**>calloc(o.threads, sizeof(SeedWorker*))
        self.seeds.tables = <SeedArray*>calloc(o.threads, sizeof(SeedArray))
        if self.seeds.workers == NULL or self.seeds.tables == NULL:
            raise MemoryError("no memory for a search")
        for i in range(o.threads):
            self.seeds.workers[i] = <SeedWorker*>table_alloc(sizeof(SeedWorker))
            if self.seeds.workers[i] == NULL:
                raise MemoryError(f"no memory for {threads} threads")
            self.seeds.workers[i].seeds = &self.seeds
            self.seeds.workers[i].number = i
        if o.table:
            for i in range(1 if o.shared_table else o.threads):
                make_array(&self.seeds.tables[i], kind, bytes)
                self.seeds.tables_n += 1

    def __dealloc__(self):
        cdef int i
        for i in range(self.seeds.options.threads):
            if self.seeds.workers != NULL:
                table_free(self.seeds.workers[i])
            if self.seeds.tables != NULL:
                table_free(self.seeds.tables[i].entries)
        free(self.seeds.workers)
        free(self.seeds.tables)

    def clear(self):
        """Forget table, history and killers."""
        cdef int i
        cdef SeedWorker* w
        with self.lock:
            for i in range(self.seeds.tables_n):
                memset(self.seeds.tables[i].entries, 0, self.seeds.tables[i].size * sizeof(SeedEntry))
            for i in range(self.seeds.options.threads):
                w = self.seeds.workers[i]
                memset(w.history, 0, sizeof(w.history))
                memset(w.killers, 0, sizeof(w.killers))

    def stop(self):
        """End the search under way, or else the next one: it returns the iterations that it has finished."""
        flag_set(&self.seeds.stop, 1)

    def search(self, BaseBoard board not None, *, depth, report=None):
        """Search to depth 1..60 and return a SeedInfo for each finished iteration, [] without a legal move.

        report is called with each SeedInfo as its iteration ends. What earlier searches learnt is kept until
        clear(). A score of 30000 - n is a mate in n plies. MemoryError if the system does not give the threads.
        """
        cdef SeedWorker* w
        cdef int d, i, value, guess = 0, before = 0, last = within("depth", depth, 1, SEED_DEPTH)
        cdef int64_t start
        cdef clock_t cpu_start
        cdef list lines = []
        board.need_playable()
        with self.lock:
            i = team_of(self.seeds.options.threads)
            if i < self.seeds.options.threads:
                raise MemoryError(f"the system gives no more than {i} of {self.seeds.options.threads} threads")
            for i in range(self.seeds.options.threads):
                w = self.seeds.workers[i]
                w.leaves = w.nodes = w.probes = w.hits = w.next_poll = 0
            w = self.seeds.workers[0]
            memcpy(&w.pos, &board.pos, sizeof(Position))
            memcpy(&w.states[1], board.pos.st, sizeof(State))
            w.states[1].captured = EMPTY          # what came before extends nothing
            w.pos.st = &w.states[1]
            w.placed[0] = seed_placed(&w.pos)
            w.best = NO_MOVE
            if not has_legal_move(&w.pos):
                return lines
            self.failure = None
            self.seeds.classic = &self.context.numbers.model.classic
            self.seeds.idle_us = 0
            start = now_us()
            cpu_start = clock()
            for d in range(1 if self.deepening else last, last + 1):
                with nogil:
                    value = seed_root(self.seeds.workers, d, guess)
                if flag_get(&self.seeds.stop):
                    break
                info = self.line(d, value, now_us() - start, clock() - cpu_start)
                lines.append(info)
                if report is not None:
                    report(info)
                guess = before         # two plies ago: values of odd and even depths differ
                before = value
            flag_set(&self.seeds.stop, 0)
            if self.failure is not None:
                raise self.failure
            return lines

    def evaluate(self, BaseBoard board not None):
        """The static evaluation for the side to move, before it is rounded to the grain."""
        board.need_playable()
        if self.seeds.options.evaluation == ENGINE_TERMS:
            return classic_anew(&self.context.numbers.model.classic, &board.pos)
        return seed_evaluate(&board.pos, seed_placed(&board.pos))

    cdef SeedInfo line(self, int depth, int value, int64_t microseconds, clock_t ticks):
        cdef SeedInfo info = SeedInfo.__new__(SeedInfo)
        cdef SeedWorker* w
        cdef int i
        info.depth = depth
        info.score = value
        info.move = wrap_move(self.seeds.workers[0].best)
        for i in range(self.seeds.options.threads):
            w = self.seeds.workers[i]
            info.leaves += w.leaves
            info.nodes += w.nodes
            info.probes += w.probes
            info.hits += w.hits
        info.seconds = microseconds * 1e-6
        info.cpu_seconds = <double>ticks / CLOCKS_PER_SEC
        info.idle = self.seeds.idle_us * 1e-6
        return info
