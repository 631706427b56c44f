# eval/network/features.pxi - what the network sees of a board: a row of its first layer for each piece, and one
# more if it hangs.
#
# Uses: base/types, base/tables, eval/network/kernels.
# There are two perspectives with the same weights: the board as Red sees it, and as Black sees it, with ranks reversed
# and colours exchanged. Each is mirrored left to right if need be, so that a position and its mirror image look the
# same: the own king stands on file e or f, and if it is e, the pieces lean to the right, in the sense of LEAN.
# A piece where it can never come is seen on the nearest place where it can. A piece that hangs has another
# row, PIECE_ROWS behind that of the piece.

cdef int16_t FEATURE[2][2][PIECE_CODES][SQUARES]     # by perspective and mirror
cdef int64_t LEAN[PIECE_CODES][SQUARES][2]           # how far a piece leans to the right, by perspective


cdef inline int flip_ranks(int s) noexcept nogil:
    return 9 * (9 - rank_of(s)) + file_of(s)


cdef inline int flip_files(int s) noexcept nogil:
    return 9 * rank_of(s) + 8 - file_of(s)


cdef inline bint is_mirrored(int king_file, int64_t lean) noexcept nogil:
    """Is a perspective mirrored, with its own king on this file and its pieces leaning so?"""
    return king_file < 4 or (king_file == 4 and lean < 0)


cdef int nearest_home(int side, int kind, int s) noexcept nogil:
    """The square where such a piece may stand that is the fewest ranks and files away; s if it may stand there."""
    cdef SquareBits rest = HOME[side][kind]
    cdef int h, ranks, files, distance, nearest = NO_SQUARE, lowest = 100
    while set_any(rest):
        h = pop_first(&rest)
        ranks = rank_of(h) - rank_of(s)
        files = file_of(h) - file_of(s)
        distance = max(ranks, -ranks) + max(files, -files)
        if distance < lowest:
            lowest = distance
            nearest = h
    return nearest


cdef void fill_features() noexcept nogil:
    cdef int16_t rows[2][8][SQUARES]                 # of own and enemy pieces
    cdef int64_t leans[2][8][SQUARES]
    cdef int[6] order = [ROOK, CANNON, KNIGHT, PAWN, ADVISOR, BISHOP]
    cdef int n = 0, enemy, kind, i, s, p, side, seen
    # The kinds decide in turn, own before enemy ones: each step outweighs all that follow. Where as many pieces stand
    # left as right, the squares decide, by numbers drawn so that hardly ever two sums of them are equal.
    cdef int64_t unit = <int64_t>1 << 56
    cdef uint64_t random = 0x6C65616E73ULL           # "leans"
    memset(leans, 0, sizeof(leans))
    for enemy in range(2):
        for kind in range(KING, PAWN + 1):
            for s in range(SQUARES):
                if set_has(HOME[enemy][kind], s):
                    rows[enemy][kind][s] = <int16_t>n
                    n += 1
    ele_check(n == PIECE_ROWS, "fill_features: every place has a row")
    for enemy in range(2):
        for kind in range(KING, PAWN + 1):
            for s in range(SQUARES):
                rows[enemy][kind][s] = rows[enemy][kind][nearest_home(enemy, kind, s)]
    for i in range(6):
        for enemy in range(2):
            unit //= 11 if order[i] == PAWN else 5   # differences of -5..5 or -2..2
            for s in range(SQUARES):
                if file_of(s) > 4:
                    leans[enemy][order[i]][s] = unit + <int64_t>(splitmix64(&random) >> 44)
                    leans[enemy][order[i]][flip_files(s)] = -leans[enemy][order[i]][s]
    for s in range(SQUARES):
        if file_of(s) > 4:
            leans[1][KING][s] = <int64_t>(splitmix64(&random) >> 44)
            leans[1][KING][flip_files(s)] = -leans[1][KING][s]
    for p in range(2):
        for side in range(2):
            for kind in range(KING, PAWN + 1):
                for s in range(SQUARES):
                    seen = s if p == RED else flip_ranks(s)
                    FEATURE[p][0][kind | side << 3][s] = rows[side ^ p][kind][seen]
                    FEATURE[p][1][kind | side << 3][s] = rows[side ^ p][kind][flip_files(seen)]
                    LEAN[kind | side << 3][s][p] = leans[side ^ p][kind][seen]
