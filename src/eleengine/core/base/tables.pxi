# base/tables.pxi - Zobrist keys, steps, lines: filled once at import, then only read.
#
# Uses: base/types, base/bits.
# Sliders need no magic: the nine squares of a rank and the ten of a file are words of the
# position, and a small table maps (place on the line, word) to the places reached.

cdef uint64_t ZOBRIST[PIECE_CODES][SQUARES]
cdef uint64_t ZOBRIST_SIDE

cdef uint16_t ROOK_RANK[9][512]        # [file][rank word]: reached files, first pieces included
cdef uint16_t ROOK_FILE[10][1024]      # [rank][file word]
cdef uint16_t CANNON_RANK[9][512]      # the second pieces: what a cannon captures
cdef uint16_t CANNON_FILE[10][1024]
cdef SquareBits SPREAD[1024]           # a file word as a set of squares on file a

cdef SquareBits KNIGHT_TO[SQUARES][16]     # by the legs that are blocked, see legs_at
cdef SquareBits KNIGHT_FROM[SQUARES][16]   # knights that attack the square, by blocked diagonals, see eyes_at
cdef SquareBits KNIGHT_RING[SQUARES]       # a knight's jump away, legs ignored
cdef uint8_t KNIGHT_LEG[SQUARES][SQUARES]  # [knight][target]: the leg
cdef SquareBits BISHOP_TO[SQUARES][16]     # both halves, by the eyes that are blocked, see eyes_at
cdef SquareBits ADVISOR_TO[SQUARES]        # in the palaces and out of them
cdef SquareBits KING_TO[SQUARES]
cdef SquareBits PAWN_TO[2][SQUARES]
cdef SquareBits PAWN_FROM[2][SQUARES]      # pawns of that side which attack the square
cdef SquareBits LINES[SQUARES]             # file and rank through the square, without it
cdef SquareBits BETWEEN[SQUARES][SQUARES]  # strictly between two squares of one line, else empty

cdef SquareBits PALACE[2]
cdef SquareBits HALF[2]                    # own side of the river
cdef SquareBits HOME[2][8]                 # where a piece of that side and type may ever stand


cdef inline int legs_at(SquareBits occ, int square) noexcept nogil:
    """The four orthogonal neighbours as bits: south, west, east, north."""
    cdef uint64_t w = set_low((occ << 9) >> square)
    return <int>((w & 1) | ((w >> 7) & 2) | ((w >> 8) & 4) | ((w >> 15) & 8))


cdef inline int eyes_at(SquareBits occ, int square) noexcept nogil:
    """The four diagonal neighbours as bits: south-west, south-east, north-west, north-east."""
    cdef uint64_t w = set_low((occ << 10) >> square)
    return <int>((w & 1) | ((w >> 1) & 2) | ((w >> 16) & 4) | ((w >> 17) & 8))


cdef uint64_t splitmix64(uint64_t* state) noexcept nogil:
    """Steele, Lea and Flood 2014: a fixed stream, so that keys are the same on every machine."""
    cdef uint64_t z
    state[0] += 0x9E3779B97F4A7C15ULL
    z = state[0]
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef void fill_line(int n, uint16_t* rook, uint16_t* cannon, int index) noexcept nogil:
    """Fill the tables of one place on a line of n places, for every word of occupied places."""
    cdef int word, step, i, met, reached, second
    for word in range(1 << n):
        reached = second = 0
        for step in range(-1, 2, 2):
            met = 0
            i = index + step
            while 0 <= i < n:
                if met == 0:
                    reached |= 1 << i
                if word >> i & 1:
                    met += 1
                    if met == 2:
                        second |= 1 << i
                        break
                i += step
        rook[word] = <uint16_t>reached
        cannon[word] = <uint16_t>second


cdef bint may_stand(int side, int kind, int rank, int file) noexcept nogil:
    """Can a piece of that side and type ever reach the point?"""
    cdef int forward = rank if side == RED else 9 - rank      # 0 is the own back rank
    cdef int centre = file - 4 if file >= 4 else 4 - file     # distance from the central file
    if kind == KING:
        return forward <= 2 and centre <= 1
    if kind == ADVISOR:
        return (forward == 1 and centre == 0) or ((forward == 0 or forward == 2) and centre == 1)
    if kind == BISHOP:
        return (forward == 2 and centre % 4 == 0) or ((forward == 0 or forward == 4) and centre == 2)
    if kind == PAWN:
        return forward >= 5 or (forward >= 3 and file % 2 == 0)
    return True


cdef void fill_leapers(int s) noexcept nogil:
    cdef int rank = rank_of(s), file = file_of(s)
    cdef int i, k, r, f, side, word, forward
    cdef int[4] dr = [-1, 0, 0, 1]         # in the order of legs_at
    cdef int[4] df = [0, -1, 1, 0]
    cdef int[4] xr = [-1, -1, 1, 1]        # in the order of eyes_at
    cdef int[4] xf = [-1, 1, -1, 1]
    KING_TO[s] = ADVISOR_TO[s] = KNIGHT_RING[s] = SET(0, 0)
    for word in range(16):
        KNIGHT_TO[s][word] = KNIGHT_FROM[s][word] = BISHOP_TO[s][word] = SET(0, 0)
    for side in range(2):
        PAWN_TO[side][s] = SET(0, 0)
    for i in range(4):
        r = rank + dr[i]
        f = file + df[i]
        if not on_board(r, f):
            continue
        for side in range(2):
            if may_stand(side, KING, rank, file) and may_stand(side, KING, r, f):
                KING_TO[s] |= BIT(9 * r + f)
            forward = 1 if side == RED else -1
            if dr[i] == forward or (dr[i] == 0 and not set_has(HALF[side], s)):
                PAWN_TO[side][s] |= BIT(9 * r + f)
        # Beyond this leg lie the two squares diagonally outwards.
        for k in range(-1, 2, 2):
            r = rank + 2 * dr[i] + k * df[i]
            f = file + 2 * df[i] + k * dr[i]
            if not on_board(r, f):
                continue
            KNIGHT_RING[s] |= BIT(9 * r + f)
            KNIGHT_LEG[s][9 * r + f] = <uint8_t>(s + 9 * dr[i] + df[i])
            for word in range(16):
                if not word >> i & 1:
                    KNIGHT_TO[s][word] |= BIT(9 * r + f)
    for i in range(4):
        r = rank + xr[i]
        f = file + xf[i]
        if not on_board(r, f):
            continue
        ADVISOR_TO[s] |= BIT(9 * r + f)
        if on_board(r + xr[i], f + xf[i]):
            for word in range(16):
                if not word >> i & 1:
                    BISHOP_TO[s][word] |= BIT(9 * (r + xr[i]) + f + xf[i])
        # A knight two squares away in one direction and one in the other steps over this diagonal.
        for word in range(16):
            if not word >> i & 1:
                if on_board(r + xr[i], f):
                    KNIGHT_FROM[s][word] |= BIT(9 * (r + xr[i]) + f)
                if on_board(r, f + xf[i]):
                    KNIGHT_FROM[s][word] |= BIT(9 * r + f + xf[i])


cdef void fill_between(int s) noexcept nogil:
    cdef int i, r, f
    cdef SquareBits path
    cdef int[4] dr = [-1, 0, 0, 1]
    cdef int[4] df = [0, -1, 1, 0]
    LINES[s] = SET(0, 0)
    for i in range(SQUARES):
        BETWEEN[s][i] = SET(0, 0)
    for i in range(4):
        path = SET(0, 0)
        r = rank_of(s) + dr[i]
        f = file_of(s) + df[i]
        while on_board(r, f):
            BETWEEN[s][9 * r + f] = path
            path |= BIT(9 * r + f)
            r += dr[i]
            f += df[i]
        LINES[s] |= path


cdef void fill_tables() noexcept nogil:
    cdef int s, side, kind, piece, word
    cdef SquareBits rest
    cdef uint64_t seed = 0x656C65656E67696EULL       # "eleengin"
    global ZOBRIST_SIDE
    for piece in range(PIECE_CODES):
        for s in range(SQUARES):
            ZOBRIST[piece][s] = splitmix64(&seed)
    ZOBRIST_SIDE = splitmix64(&seed)
    memset(ZOBRIST[EMPTY], 0, sizeof(ZOBRIST[EMPTY]))      # no victim, no change: see key_after
    for s in range(9):
        fill_line(9, ROOK_RANK[s], CANNON_RANK[s], s)
    for s in range(10):
        fill_line(10, ROOK_FILE[s], CANNON_FILE[s], s)
    for word in range(1024):
        SPREAD[word] = SET(0, 0)
        for s in range(10):
            if word >> s & 1:
                SPREAD[word] |= BIT(9 * s)
    for side in range(2):
        HALF[side] = SET(0, 0)
        for kind in range(KING, PAWN + 1):
            HOME[side][kind] = SET(0, 0)
            for s in range(SQUARES):
                if may_stand(side, kind, rank_of(s), file_of(s)):
                    HOME[side][kind] |= BIT(s)
        PALACE[side] = HOME[side][KING]
        for s in range(45):
            HALF[side] |= BIT(s if side == RED else 89 - s)
    for s in range(SQUARES):
        fill_leapers(s)
        fill_between(s)
    for side in range(2):
        for s in range(SQUARES):
            PAWN_FROM[side][s] = SET(0, 0)
        for s in range(SQUARES):
            rest = PAWN_TO[side][s]
            while set_any(rest):
                PAWN_FROM[side][pop_first(&rest)] |= BIT(s)
