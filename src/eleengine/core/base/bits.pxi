# base/bits.pxi - sets of squares as 128-bit integers: bit s stands for square s.
#
# Uses: base/platform.
# Square s = 9 * rank + file, a0 = 0, i9 = 89; bits 90 to 127 are always zero.

cdef extern from *:
    """
    typedef unsigned __int128 ele_set;
    #define SET(hi, lo)   (((ele_set)(hi) << 64) | (uint64_t)(lo))
    #define set_low(b)    ((uint64_t)(b))
    #define set_high(b)   ((uint64_t)((b) >> 64))
    #define BIT(s)        ((ele_set)1 << (s))
    #define BOARD         (BIT(90) - 1)
    #define FILE_A        SET(0x20100, 0x8040201008040201)
    static inline int set_count(ele_set b) {
        return __builtin_popcountll(set_low(b)) + __builtin_popcountll(set_high(b));
    }
    static inline int set_first(ele_set b) {
        return set_low(b) ? __builtin_ctzll(set_low(b)) : 64 + __builtin_ctzll(set_high(b));
    }
    static inline int set_has(ele_set b, int s) { return (int)((b >> s) & 1); }
    static inline int set_any(ele_set b) { return (set_low(b) | set_high(b)) != 0; }
    static inline int set_single(ele_set b) { return (b & (b - 1)) == 0; }  /* of a non-empty set */
    """
    ctypedef unsigned long long SquareBits "ele_set"    # Cython only needs "some unsigned integer"
    SquareBits SET(uint64_t high, uint64_t low) noexcept nogil
    SquareBits BIT(int square) noexcept nogil
    const SquareBits BOARD, FILE_A
    uint64_t set_low(SquareBits b) noexcept nogil
    uint64_t set_high(SquareBits b) noexcept nogil
    int set_count(SquareBits b) noexcept nogil
    int set_first(SquareBits b) noexcept nogil
    bint set_has(SquareBits b, int square) noexcept nogil
    bint set_any(SquareBits b) noexcept nogil
    bint set_single(SquareBits b) noexcept nogil


cdef inline int pop_first(SquareBits* b) noexcept nogil:
    """Remove and return the lowest square of a non-empty set."""
    cdef int square = set_first(b[0])
    b[0] &= b[0] - 1
    return square


cdef inline int rank_of(int square) noexcept nogil:
    return <int>(<unsigned int>square // 9)


cdef inline int file_of(int square) noexcept nogil:
    return <int>(<unsigned int>square % 9)


cdef inline bint on_board(int rank, int file) noexcept nogil:
    return 0 <= rank <= 9 and 0 <= file <= 8
