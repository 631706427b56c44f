# papers/table.pxi - the transposition table of the source papers: an entry with a lock, and two that need none.
#
# Uses: base/types, base/atomic, search/table.
# Huang is the author of the article "Inside the elephant's eye (6): parallel search" (elephantbase.net), Zou 2012 the
# thesis on hybrid PVS; docs/papers.md names them in full.
# XOR entry: data and key ^ data (Huang, after Crafty). A pair of which only one half is new fits no key.
# Two-checksum entry: four 32-bit words, half of the key first and half last, written and read in that order
# (Huang, for 32-bit processors). One interrupted writer is noticed. Two writers at the same time are not always:
# they may mix the middle words of one position, or, in turns, leave one's checksums around the other's words.
# Locked entry: key and data; who takes the data leaves LOCKED in their place until they are put back (Huang).
# Two layers (Zou 2012, 2.2.4): a deeper result takes the first entry of a pair, every result the second one.

cdef extern from *:
    """
    #define part_get(p)    __atomic_load_n((p), __ATOMIC_ACQUIRE)
    #define part_set(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
    #define word_exchange(p, v) __atomic_exchange_n((p), (v), __ATOMIC_ACQUIRE)
    #define word_release(p, v)  __atomic_store_n((p), (v), __ATOMIC_RELEASE)
    #define LOCKED UINT64_MAX
    """
    uint32_t part_get(const uint32_t* p) noexcept nogil
    void part_set(uint32_t* p, uint32_t value) noexcept nogil
    uint64_t word_exchange(uint64_t* p, uint64_t value) noexcept nogil
    void word_release(uint64_t* p, uint64_t value) noexcept nogil
    const uint64_t LOCKED

cdef enum:
    ENTRY_XOR = 0
    ENTRY_TWO_CHECKSUMS = 1
    ENTRY_LOCKED = 2


cdef struct ThesisEntry:
    uint32_t part[4]             # or two 64-bit words


cdef struct ThesisArray:
    ThesisEntry* entries
    uint64_t size                # in entries
    int kind                     # ENTRY_...
    int layers                   # entries of a position: 1, or 2


cdef struct ThesisProbe:           # an entry unpacked
    move_t move
    int value
    int depth
    int bound                    # BOUND_...


cdef inline ThesisEntry* thesis_entry(const ThesisArray* t, uint64_t key) noexcept nogil:
    """The entry of the key, or the first of the two."""
    if t.layers == 2:
        return t.entries + 2 * scale_key(key, t.size >> 1)
    return t.entries + scale_key(key, t.size)


cdef uint64_t take_word(uint64_t* word) noexcept nogil:
    """The data of a locked entry; nobody else gets them until word_release."""
    cdef uint64_t data = word_exchange(word, LOCKED)
    while data == LOCKED:
        data = word_exchange(word, LOCKED)
    return data


cdef uint64_t thesis_read(const ThesisArray* t, ThesisEntry* e, uint64_t key) noexcept nogil:
    """The data of the entry, or 0 if it is not of this key or not whole."""
    cdef uint64_t* word = <uint64_t*>e.part
    cdef uint64_t data
    cdef uint32_t first
    cdef bint fits
    if t.kind == ENTRY_XOR:
        data = word_get(&word[1])
        return data if word_get(&word[0]) ^ data == key else 0
    if t.kind == ENTRY_LOCKED:
        data = take_word(&word[1])
        fits = word[0] == key
        word_release(&word[1], data)
        return data if fits else 0
    first = part_get(&e.part[0])
    data = part_get(&e.part[1])
    data |= <uint64_t>part_get(&e.part[2]) << 32
    return data if first == <uint32_t>(key >> 32) and part_get(&e.part[3]) == <uint32_t>key else 0


cdef void thesis_write(const ThesisArray* t, ThesisEntry* e, uint64_t key, uint64_t data) noexcept nogil:
    cdef uint64_t* word = <uint64_t*>e.part
    if t.kind == ENTRY_XOR:
        word_set(&word[0], key ^ data)
        word_set(&word[1], data)
        return
    if t.kind == ENTRY_LOCKED:
        take_word(&word[1])
        word[0] = key
        word_release(&word[1], data)
        return
    part_set(&e.part[0], <uint32_t>(key >> 32))
    part_set(&e.part[1], <uint32_t>data)
    part_set(&e.part[2], <uint32_t>(data >> 32))
    part_set(&e.part[3], <uint32_t>key)


cdef inline uint64_t thesis_pack(move_t move, int value, int depth, int bound) noexcept nogil:
    return <uint64_t>move | <uint64_t>(value & 0xffff) << 16 | <uint64_t>depth << 32 | <uint64_t>bound << 40


cdef bint unpack_entry(const ThesisArray* t, ThesisEntry* e, uint64_t key, ThesisProbe* out) noexcept nogil:
    """Unpack an entry if it is of the key; False, and out as it was, if it is not."""
    cdef uint64_t data = thesis_read(t, e, key)
    if data == 0:
        return False
    out.move = <move_t>(data & 0xffff)
    out.value = <int16_t>(data >> 16 & 0xffff)
    out.depth = <int>(data >> 32 & 0xff)
    out.bound = <int>(data >> 40 & 3)
    return True


cdef bint thesis_probe(const ThesisArray* t, uint64_t key, ThesisProbe* out) noexcept nogil:
    """Unpack the entry of key, the deeper one of two; False, and out as it was, if there is none."""
    cdef ThesisEntry* e = thesis_entry(t, key)
    cdef ThesisProbe second
    cdef bint found = unpack_entry(t, e, key, out)
    if t.layers == 2 and unpack_entry(t, e + 1, key, &second) and not (found and out.depth >= second.depth):
        out[0] = second
        found = True
    return found


cdef void store_in(const ThesisArray* t, ThesisEntry* e, uint64_t key, move_t move, int value, int depth,
                   int bound) noexcept nogil:
    """Remember a result (Zou 2012, 4.1.2): of the same position only if at least as deep, of another always."""
    cdef ThesisProbe old
    if unpack_entry(t, e, key, &old):
        if depth < old.depth:
            if old.move == NO_MOVE and bound == BOUND_LOWER:       # the move alone is worth keeping
                thesis_write(t, e, key, thesis_pack(move, old.value, old.depth, old.bound))
            return
        if move == NO_MOVE:
            move = old.move
    thesis_write(t, e, key, thesis_pack(move, value, depth, bound))


cdef int entry_depth(const ThesisArray* t, ThesisEntry* e) noexcept nogil:
    """Of whatever position it holds; -1 if it holds none."""
    cdef uint64_t* word = <uint64_t*>e.part
    cdef uint64_t data
    if t.kind == ENTRY_TWO_CHECKSUMS:
        data = <uint64_t>part_get(&e.part[2]) << 32 | part_get(&e.part[1])
    elif t.kind == ENTRY_LOCKED:
        data = take_word(&word[1])
        word_release(&word[1], data)
    else:
        data = word_get(&word[1])
    return <int>(data >> 32 & 0xff) if data else -1


cdef void thesis_store(const ThesisArray* t, uint64_t key, move_t move, int value, int depth, int bound) noexcept nogil:
    """Remember a result, in the layers that it belongs to."""
    cdef ThesisEntry* e = thesis_entry(t, key)
    ele_check(0 <= depth < 256 and -32768 <= value < 32768, "thesis_store: ranges")
    if t.layers == 2:
        if depth > entry_depth(t, e):
            thesis_write(t, e, key, thesis_pack(move, value, depth, bound))
        thesis_write(t, e + 1, key, thesis_pack(move, value, depth, bound))
    else:
        store_in(t, e, key, move, value, depth, bound)
