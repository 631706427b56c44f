# papers/table.pxi - the transposition table of the source papers, with two entries that need no lock.
#
# Uses: base/types, base/platform, search/table.
# "001" is the article "Inside the elephant's eye (6): parallel search" (Huang Chen, elephantbase.net), "000" the
# thesis on hybrid PVS; docs/papers.md names them in full.
# XOR entry: data and key ^ data (001 after Crafty). A pair of which only one half is new fits no key.
# Two-checksum entry: four 32-bit words, half of the key first and half last, written and read in that order
# (001, for 32-bit processors). One interrupted writer is noticed. Two writers at the same time are not always:
# they may mix the middle words of one position, or, in turns, leave one's checksums around the other's words.

cdef extern from *:
    """
    #define part_get(p)    __atomic_load_n((p), __ATOMIC_ACQUIRE)
    #define part_set(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
    """
    uint32_t part_get(const uint32_t* p) noexcept nogil
    void part_set(uint32_t* p, uint32_t value) noexcept nogil

cdef enum:
    ENTRY_XOR = 0
    ENTRY_TWO_CHECKSUMS = 1


cdef struct SeedEntry:
    uint32_t part[4]             # or two 64-bit words


cdef struct SeedArray:
    SeedEntry* entries
    uint64_t size                # in entries
    int kind                     # ENTRY_...


cdef struct SeedProbe:           # an entry unpacked
    move_t move
    int value
    int depth
    int bound                    # BOUND_...


cdef inline SeedEntry* seed_entry(const SeedArray* t, uint64_t key) noexcept nogil:
    return t.entries + scale_key(key, t.size)


cdef uint64_t seed_read(const SeedArray* t, const SeedEntry* e, uint64_t key) noexcept nogil:
    """The data of the entry, or 0 if it is not of this key or not whole."""
    cdef const uint64_t* word = <const uint64_t*>e.part
    cdef uint64_t data
    cdef uint32_t first
    if t.kind == ENTRY_XOR:
        data = word_get(&word[1])
        return data if word_get(&word[0]) ^ data == key else 0
    first = part_get(&e.part[0])
    data = part_get(&e.part[1])
    data |= <uint64_t>part_get(&e.part[2]) << 32
    return data if first == <uint32_t>(key >> 32) and part_get(&e.part[3]) == <uint32_t>key else 0


cdef void seed_write(const SeedArray* t, SeedEntry* e, uint64_t key, uint64_t data) noexcept nogil:
    cdef uint64_t* word = <uint64_t*>e.part
    if t.kind == ENTRY_XOR:
        word_set(&word[0], key ^ data)
        word_set(&word[1], data)
        return
    part_set(&e.part[0], <uint32_t>(key >> 32))
    part_set(&e.part[1], <uint32_t>data)
    part_set(&e.part[2], <uint32_t>(data >> 32))
    part_set(&e.part[3], <uint32_t>key)


cdef inline uint64_t seed_pack(move_t move, int value, int depth, int bound) noexcept nogil:
    return <uint64_t>move | <uint64_t>(value & 0xffff) << 16 | <uint64_t>depth << 32 | <uint64_t>bound << 40


cdef bint seed_probe(const SeedArray* t, uint64_t key, SeedProbe* out) noexcept nogil:
    """Unpack the entry of key into out; False, and out as it was, if there is none."""
    cdef uint64_t data = seed_read(t, seed_entry(t, key), key)
    if data == 0:
        return False
    out.move = <move_t>(data & 0xffff)
    out.value = <int16_t>(data >> 16 & 0xffff)
    out.depth = <int>(data >> 32 & 0xff)
    out.bound = <int>(data >> 40 & 3)
    return True


cdef void seed_store(const SeedArray* t, uint64_t key, move_t move, int value, int depth, int bound) noexcept nogil:
    """Remember a result (000, 4.1.2): of the same position only if at least as deep, of another one always."""
    cdef SeedEntry* e = seed_entry(t, key)
    cdef SeedProbe old
    ele_check(0 <= depth < 256 and -32768 <= value < 32768, "seed_store: ranges")
    if seed_probe(t, key, &old):
        if depth < old.depth:
            if old.move == NO_MOVE and bound == BOUND_LOWER:       # the move alone is worth keeping
                seed_write(t, e, key, seed_pack(move, old.value, old.depth, old.bound))
            return
        if move == NO_MOVE:
            move = old.move
    seed_write(t, e, key, seed_pack(move, value, depth, bound))
