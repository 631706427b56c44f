# search/table.pxi - the transposition table, shared by all workers without locks.
#
# Uses: base/types, base/atomic, base/openmp.
# An entry is two words written without a lock: data, and lock = key ^ data. A torn pair fails
# the test lock ^ data == key and reads as a miss (Hyatt and Mann 2002, "A lock-less
# transposition table implementation for parallel search").
# data: move 0..15 | value 16..31 | eval 32..47 | depth 48..55 | bound 56..57 | pv 58 | age 59..63

cdef enum:
    BOUND_NONE = 0
    BOUND_UPPER = 1
    BOUND_LOWER = 2
    BOUND_EXACT = 3
    CLUSTER = 4              # entries of one cache line
    AGES = 32
    ZERO_BYTES = 1 << 22     # at once, when all of the table is written
    AGE_PLIES = 8            # of depth that an entry is worth less for each search since
    STALE_DEPTH = 4          # plies that a shallower result of the same position may lack to replace one


cdef struct Entry:
    uint64_t lock
    uint64_t data


cdef struct Table:
    Entry* entries
    uint64_t clusters
    uint64_t age             # of the current search, 0 .. AGES - 1
    bint written             # by a search since it was made or cleared


cdef struct Probe:           # an entry unpacked
    move_t move
    int value
    int eval
    int depth
    int bound
    bint pv


cdef inline bint bound_decides(const Probe* tt, int beta) noexcept nogil:
    """Does the bound of the entry prove whether the value reaches beta?"""
    return tt.bound & (BOUND_LOWER if tt.value >= beta else BOUND_UPPER)


cdef inline bint bound_corrects(const Probe* tt, int estimate) noexcept nogil:
    """Does the bound of the entry prove that the value lies beyond an estimate, on the side where tt.value lies?"""
    return tt.bound & (BOUND_LOWER if tt.value > estimate else BOUND_UPPER)


cdef extern from *:
    """
    /* Maps a key evenly to 0 .. n - 1, whatever n is. */
    #define scale_key(key, n) ((uint64_t)(((unsigned __int128)(key) * (n)) >> 64))
    """
    uint64_t scale_key(uint64_t key, uint64_t n) noexcept nogil


cdef inline Entry* tt_cluster(const Table* table, uint64_t key) noexcept nogil:
    return table.entries + CLUSTER * scale_key(key, table.clusters)


cdef inline int depth_of(uint64_t data) noexcept nogil:
    return <int>(data >> 48 & 0xff)


cdef inline int age_of(uint64_t data) noexcept nogil:
    return <int>(data >> 59)


cdef bint tt_probe(const Table* table, uint64_t key, Probe* out) noexcept nogil:
    """Unpack the entry of key into out; False if there is none."""
    cdef Entry* e = tt_cluster(table, key)
    cdef uint64_t data
    cdef int i
    for i in range(CLUSTER):
        data = word_get(&e[i].data)
        if word_get(&e[i].lock) ^ data == key and data != 0:
            out.move = <move_t>(data & 0xffff)
            out.value = <int16_t>(data >> 16 & 0xffff)
            out.eval = <int16_t>(data >> 32 & 0xffff)
            out.depth = depth_of(data)
            out.bound = <int>(data >> 56 & 3)
            out.pv = data >> 58 & 1
            return True
    out.move = NO_MOVE
    out.bound = BOUND_NONE
    out.depth = 0
    out.value = out.eval = 0
    out.pv = False
    return False


cdef void tt_store(Table* table, uint64_t key, move_t move, int value, int eval, int depth, int bound,
                   bint pv) noexcept nogil:
    """Remember a result; the least useful entry of the cluster makes room."""
    cdef Entry* e = tt_cluster(table, key)
    cdef Entry* victim = e
    cdef uint64_t data
    cdef int i, worth, lowest = 1 << 30
    ele_check(0 <= depth < 256 and -32768 <= value < 32768 and -32768 <= eval < 32768, "tt_store: ranges")
    for i in range(CLUSTER):
        data = word_get(&e[i].data)
        if data == 0 or word_get(&e[i].lock) ^ data == key:
            victim = e + i
            if data != 0:
                # The same position: a deep result of this search outlives a shallow bound.
                if bound != BOUND_EXACT and depth + STALE_DEPTH < depth_of(data) and age_of(data) == <int>table.age:
                    return
                if move == NO_MOVE:
                    move = <move_t>(data & 0xffff)
            break
        worth = depth_of(data) - AGE_PLIES * ((<int>table.age - age_of(data)) & (AGES - 1))
        if worth < lowest:
            lowest = worth
            victim = e + i
    data = (<uint64_t>move | <uint64_t>(value & 0xffff) << 16 | <uint64_t>(eval & 0xffff) << 32
            | <uint64_t>depth << 48 | <uint64_t>bound << 56 | <uint64_t>pv << 58 | table.age << 59)
    word_set(&victim.data, data)
    word_set(&victim.lock, key ^ data)


cdef int tt_hashfull(const Table* table) noexcept nogil:
    """Entries written by the current search, per mille, from a sample."""
    cdef uint64_t i, data
    cdef int found = 0, n = 0, age = <int>word_get(&table.age)       # asked while a search may be starting
    for i in range(min(<uint64_t>250, table.clusters) * CLUSTER):
        data = word_get(&table.entries[i].data)
        n += 1
        found += data != 0 and age_of(data) == age
    return found * 1000 // n


cdef void zero_table(Table* table, int n_threads) noexcept nogil:
    """Write zeros everywhere. For new memory, too: the system provides it only then, which may take seconds."""
    cdef int64_t size = table.clusters * CLUSTER * sizeof(Entry), k
    n_threads = team_of(n_threads)
    for k in prange((size + ZERO_BYTES - 1) // ZERO_BYTES, schedule="static", num_threads=n_threads):
        memset(<char*>table.entries + k * ZERO_BYTES, 0, min(<int64_t>ZERO_BYTES, size - k * ZERO_BYTES))
    end_team()
    table.written = False


cdef void clear_table(Table* table, int n_threads) noexcept nogil:
    """Forget all entries, if there are any."""
    word_set(&table.age, 0)
    if table.written:
        zero_table(table, n_threads)
