# search/busy.pxi - which moves are being searched right now, so that workers share out a node's moves.
#
# Uses: base/types, base/atomic.
# Simplified ABDADA (Kerrigan): a worker puts off a move that another worker is searching, and comes
# back to it when the others are done; by then its result is often in the table. Lines of a few
# marks, read and written without locks: a lost or stale mark costs time, never correctness.

cdef enum:
    BUSY_LINES = 1 << 12
    BUSY_MARKS = 4           # of one line
    BUSY_DEPTH = 4           # nearer to the leaves a mark costs more than it saves


cdef struct BusyLine:
    uint64_t marks[BUSY_MARKS]


cdef inline uint64_t busy_mark(uint64_t key, move_t m) noexcept nogil:
    """Stands for a move in a position; never 0."""
    return (key ^ <uint64_t>m * <uint64_t>0x9E3779B97F4A7C15) | 1


cdef inline BusyLine* busy_line(BusyLine* lines, uint64_t mark) noexcept nogil:
    return lines + (mark >> 32 & (BUSY_LINES - 1))


cdef inline bint is_busy(BusyLine* lines, uint64_t mark) noexcept nogil:
    cdef BusyLine* line = busy_line(lines, mark)
    cdef int i
    for i in range(BUSY_MARKS):
        if word_get(&line.marks[i]) == mark:
            return True
    return False


cdef inline void busy_add(BusyLine* lines, uint64_t mark) noexcept nogil:
    cdef BusyLine* line = busy_line(lines, mark)
    cdef int i
    for i in range(BUSY_MARKS - 1):
        if word_get(&line.marks[i]) == 0:
            break
    else:
        i = BUSY_MARKS - 1
    word_set(&line.marks[i], mark)


cdef inline void busy_remove(BusyLine* lines, uint64_t mark) noexcept nogil:
    cdef BusyLine* line = busy_line(lines, mark)
    cdef int i
    for i in range(BUSY_MARKS):
        if word_get(&line.marks[i]) == mark:
            word_set(&line.marks[i], 0)
