# tables/index.pxi - which entry of an endgame table a position is.
#
# Uses: base/bits, base/types, base/tables, board/position.
# A table has rows, by side to move. A row has an entry for each square of one red piece, the free piece; the row's
# number says where all others stand: kings (45 pairs, mirror images share one), then groups of equal guards, then
# single attackers. Two equal attackers are two groups, so each position has two entries; the one whose free piece
# stands on the higher square counts. Red is the side with more to attack with.
#
# Three layers say who wins, in how many moves to mate, and in how many to the next capture (conversion): 2 bits and
# twice a byte an entry. In memory as in files, a layer is blocks of 1,024 rows: the number of each row among those
# that differ (16 bits), and these.

cdef enum:
    KING_PAIRS = 45
    MAX_GROUPS = 12
    MAX_PLACINGS = 90
    LAYER_WDL = 0
    LAYER_DTM = 1
    LAYER_DTC = 2
    LAYERS = 3
    RESULT_DRAWN = 0             # entries of LAYER_WDL, for the side to move
    RESULT_WON = 1
    RESULT_LOST = 2
    RESULT_BYTES = 23            # of a row
    PACKED_ROWS = 1024           # of a block
    PACKED_BYTES = PACKED_ROWS * (SQUARES + 2)               # of the largest block
    TABLE_DRAW = 0               # a value; else 1 + plies to the end: even if the side to move wins, odd if it loses
    TABLE_PLIES = 507            # the longest win: moves are bytes
    TABLE_INVALID = 1000         # beyond all values


cdef struct TableGroup:
    int side
    int kind
    bint pair                    # two advisors or bishops
    int size                     # placings
    uint8_t squares[MAX_PLACINGS][2]           # of each placing; the second only of a pair
    int64_t stride               # rows from one placing to the next


cdef struct MaterialTable:
    int counts[2][8]             # pieces by side and type, without kings
    int n                        # groups
    TableGroup group[MAX_GROUPS]
    int free_kind                # of the free piece, which is red
    int64_t king_stride
    int64_t rows
    bint draws_certain           # under every rule of repetition: see draws_are_certain
    int64_t blocks               # of a layer, for each side to move
    const uint8_t** block[LAYERS][2]           # by side to move; NULL what is not in memory
    int64_t missing[LAYERS]      # how many are not in memory
    int longest[LAYERS]          # of all wins and losses: the most plies
    int after                    # after a conversion: the most plies to the end, if captures hurry
    int hardest                  # after a conversion: the most plies to the next
    SquareBits* perpetual[2][2]  # [side that holds][to move], by row: see tables/perpetual; NULL until known
    bint has_perpetual           # any of them


cdef int KING_PAIR[SQUARES][SQUARES]           # by squares of red and black king; -1 for the mirror image of one
cdef uint8_t KINGS_OF_PAIR[KING_PAIRS][2]
cdef uint8_t ORDINAL[2][8][SQUARES]            # the place of a square among those of a side's type
cdef uint8_t HOME_SQUARES[2][8][MAX_PLACINGS]        # and back
cdef int HOME_COUNT[8]
cdef uint8_t TURNED[2][2][SQUARES]             # [sides exchanged][mirrored]: where a square comes to lie


cdef inline int mirrored_square(int s) noexcept nogil:
    return TURNED[0][1][s]


cdef inline SquareBits mirrored_set(SquareBits b) noexcept nogil:
    """The set with files a and i, b and h, c and g, d and f exchanged."""
    cdef SquareBits a = FILE_A
    return ((b & a << 4)
            | (b & a) << 8 | (b >> 8 & a)
            | (b & a << 1) << 6 | (b >> 6 & a << 1)
            | (b & a << 2) << 4 | (b >> 4 & a << 2)
            | (b & a << 3) << 2 | (b >> 2 & a << 3))


cdef inline int guard_pair(int i, int j) noexcept nogil:
    """The number of a pair of different ordinals."""
    return j * (j - 1) // 2 + i if i < j else i * (i - 1) // 2 + j


cdef void fill_group(TableGroup* g) noexcept nogil:
    """List the squares of the placings of a group whose side and kind are set."""
    cdef const uint8_t* homes = HOME_SQUARES[g.side][g.kind]
    cdef int i, j
    g.size = 0
    for j in range(HOME_COUNT[g.kind]):
        for i in range(j if g.pair else 1):
            g.squares[g.size][0] = homes[i if g.pair else j]
            g.squares[g.size][1] = homes[j]
            g.size += 1


cdef void fill_table_places() noexcept nogil:
    cdef int s, r, side, kind, n = 0, red, black
    for s in range(SQUARES):
        TURNED[0][0][s] = <uint8_t>s
        TURNED[0][1][s] = <uint8_t>(9 * rank_of(s) + 8 - file_of(s))
        TURNED[1][0][s] = <uint8_t>(9 * (9 - rank_of(s)) + file_of(s))
        TURNED[1][1][s] = <uint8_t>(9 * (9 - rank_of(s)) + 8 - file_of(s))
    for kind in range(KING, PAWN + 1):
        HOME_COUNT[kind] = 0
        for s in range(SQUARES):
            if set_has(HOME[RED][kind], s):
                HOME_SQUARES[RED][kind][HOME_COUNT[kind]] = <uint8_t>s
                HOME_SQUARES[BLACK][kind][HOME_COUNT[kind]] = TURNED[1][0][s]
                HOME_COUNT[kind] += 1
        for side in range(2):
            for r in range(HOME_COUNT[kind]):
                ORDINAL[side][kind][HOME_SQUARES[side][kind][r]] = <uint8_t>r
    for red in range(9):
        for black in range(9):
            s = HOME_SQUARES[RED][KING][red]
            r = HOME_SQUARES[BLACK][KING][black]
            if file_of(s) > 4 or (file_of(s) == 4 and file_of(r) > 4):
                KING_PAIR[s][r] = -1
                continue
            KING_PAIR[s][r] = n
            KINGS_OF_PAIR[n][RED] = <uint8_t>s
            KINGS_OF_PAIR[n][BLACK] = <uint8_t>r
            n += 1


cdef bint lay_out_table(MaterialTable* t) noexcept nogil:
    """Fill in the groups for the counts; False if no red piece can attack or there are too many groups."""
    cdef int side, kind, i, n
    cdef int[4] attackers = [ROOK, CANNON, KNIGHT, PAWN]
    cdef int64_t stride = 1
    t.n = 0
    t.free_kind = 0
    for i in range(4):
        if t.counts[RED][attackers[i]]:
            t.free_kind = attackers[i]
            break
    if t.free_kind == 0:
        return False
    for side in range(2):
        for kind in range(ADVISOR, PAWN + 1):
            n = t.counts[side][kind]
            if kind <= BISHOP:
                if n > 2:
                    return False
                i = 1 if n else 0
            else:
                i = n - (1 if side == RED and kind == t.free_kind else 0)
            if t.n + i > MAX_GROUPS:
                return False
            while i > 0:
                t.group[t.n].side = side
                t.group[t.n].kind = kind
                t.group[t.n].pair = kind <= BISHOP and n == 2
                fill_group(&t.group[t.n])
                t.n += 1
                i -= 1
    for i in range(t.n - 1, -1, -1):
        t.group[i].stride = stride
        stride *= t.group[i].size
    t.king_stride = stride
    t.rows = stride * KING_PAIRS
    return True


cdef inline int placing_squares(const TableGroup* g, int placing, int* squares) noexcept nogil:
    """Write the squares of a placing and return how many they are."""
    squares[0] = g.squares[placing][0]
    squares[1] = g.squares[placing][1]
    return 2 if g.pair else 1


cdef inline int placing_of(const TableGroup* g, const int* squares) noexcept nogil:
    cdef const uint8_t* ordinal = ORDINAL[g.side][g.kind]
    return guard_pair(ordinal[squares[0]], ordinal[squares[1]]) if g.pair else ordinal[squares[0]]


cdef bint place_row(const MaterialTable* t, int64_t row, Position* pos) noexcept nogil:
    """Put all pieces but the free one on an empty board; False if two of them share a square.

    The state must have hollow set, so that is_legal tests every move in full.
    """
    cdef State* st = pos.st
    cdef int i, k, n, pair = <int>(row // t.king_stride)
    cdef int[2] squares
    memset(pos, 0, sizeof(Position))
    pos.st = st
    table_put(pos, KING, KINGS_OF_PAIR[pair][RED])
    table_put(pos, KING | BLACK << 3, KINGS_OF_PAIR[pair][BLACK])
    for i in range(t.n):
        n = placing_squares(&t.group[i], <int>(row // t.group[i].stride % t.group[i].size), squares)
        for k in range(n):
            if pos.board[squares[k]] != EMPTY:
                return False
            table_put(pos, t.group[i].kind | t.group[i].side << 3, squares[k])
    return True


cdef inline int64_t row_of_kings(const MaterialTable* t, int64_t row, int red_king, int black_king) noexcept nogil:
    """The row with the kings on these squares, a pair that has a number."""
    return row % t.king_stride + KING_PAIR[red_king][black_king] * t.king_stride


cdef inline int64_t row_of_move(const TableGroup* g, int64_t row, int placing, int k, int s) noexcept nogil:
    """The row in which the piece number k of the group stands on s; placing: of the group in this row."""
    cdef int[2] squares
    squares[0] = s
    squares[1] = g.squares[placing][1 - k]
    return row + (placing_of(g, squares) - placing) * g.stride


cdef int64_t mirrored_row(const MaterialTable* t, int64_t row, int red_king, int black_king) noexcept nogil:
    """The mirror image of a row whose kings have moved to these squares."""
    cdef int64_t result = KING_PAIR[mirrored_square(red_king)][mirrored_square(black_king)] * t.king_stride
    cdef int i, k, n
    cdef int[2] squares
    for i in range(t.n):
        n = placing_squares(&t.group[i], <int>(row // t.group[i].stride % t.group[i].size), squares)
        for k in range(n):
            squares[k] = mirrored_square(squares[k])
        result += placing_of(&t.group[i], squares) * t.group[i].stride
    return result


cdef int64_t table_index(const MaterialTable* t, const Position* pos, int swap) noexcept nogil:
    """The position's place in each of the two arrays; -1 if a piece stands where it never can.

    The material must be the table's; swap: 1 if the position's Black is the table's Red.
    """
    cdef const uint8_t* turned = TURNED[swap][0]
    cdef int red = turned[pos.king[RED ^ swap]], black = turned[pos.king[BLACK ^ swap]], i, kind, side
    cdef int64_t row
    cdef int[2] squares
    cdef SquareBits left = SET(0, 0), rest
    cdef int before = 0                        # the kind whose squares are in left
    cdef int free_square = 0
    if KING_PAIR[red][black] < 0:
        turned = TURNED[swap][1]
        red = mirrored_square(red)
        black = mirrored_square(black)
    row = KING_PAIR[red][black] * t.king_stride
    for i in range(t.n):
        side = t.group[i].side
        kind = t.group[i].kind
        if kind | side << 3 != before:
            before = kind | side << 3
            left = SET(0, 0)
            rest = pieces(pos, side ^ swap, kind)
            while set_any(rest):
                left |= BIT(turned[pop_first(&rest)])
            if set_any(left & ~HOME[side][kind]):
                return -1
        squares[0] = pop_first(&left)
        if t.group[i].pair:
            squares[1] = pop_first(&left)
        row += placing_of(&t.group[i], squares) * t.group[i].stride
        if side == RED and kind == t.free_kind and set_single(left):
            free_square = set_first(left)
    if t.counts[RED][t.free_kind] == 1:
        free_square = turned[set_first(pieces(pos, RED ^ swap, t.free_kind))]
        if not set_has(HOME[RED][t.free_kind], free_square):
            return -1
    return row * SQUARES + free_square


cdef inline int layer_bytes(int layer) noexcept nogil:
    """The size of a row."""
    return RESULT_BYTES if layer == LAYER_WDL else SQUARES


cdef inline int block_byte(const uint8_t* block, int width, int64_t row, int place) noexcept nogil:
    """A byte of a row of a block."""
    cdef const uint8_t* number = block + 2 * (row % PACKED_ROWS)
    return block[2 * PACKED_ROWS + (number[0] | number[1] << 8) * width + place]


cdef inline int block_result(const uint8_t* block, int64_t row, int s) noexcept nogil:
    return block_byte(block, RESULT_BYTES, row, s // 4) >> 2 * (s % 4) & 3


cdef inline int value_of(int result, int moves) noexcept nogil:
    """The value of a result and its distance."""
    return 2 + 2 * moves if result == RESULT_WON else 1 + 2 * moves if result == RESULT_LOST else TABLE_DRAW


cdef inline int table_result(const MaterialTable* t, int side, int64_t index) noexcept nogil:
    cdef int64_t row = index // SQUARES
    return block_result(t.block[LAYER_WDL][side][row // PACKED_ROWS], row, <int>(index % SQUARES))


cdef inline int table_value(const MaterialTable* t, int layer, int side, int64_t index) noexcept nogil:
    """The value of an entry by a layer of distances; that of the longest one if its block is not in memory."""
    cdef int64_t row = index // SQUARES
    cdef const uint8_t* block = pointer_get(&t.block[layer][side][row // PACKED_ROWS])
    cdef int result = table_result(t, side, index)
    return value_of(result, block_byte(block, SQUARES, row, <int>(index % SQUARES)) if block != NULL
                    else (t.longest[layer] + 1) // 2)


cdef SquareBits row_draws(const MaterialTable* t, int side, int64_t row) noexcept nogil:
    """The squares of a row whose entries are drawn."""
    cdef SquareBits found = SET(0, 0)
    cdef int s
    for s in range(SQUARES):
        if table_result(t, side, row * SQUARES + s) == RESULT_DRAWN:
            found |= BIT(s)
    return found


cdef bint is_block(const uint8_t* block, int64_t size, int width) noexcept nogil:
    """Does each row of the block have a number that is there?"""
    cdef int64_t kept = (size - 2 * PACKED_ROWS) // width
    cdef int r
    if size < 2 * PACKED_ROWS:
        return False
    for r in range(PACKED_ROWS):
        if (block[2 * r] | block[2 * r + 1] << 8) >= kept:
            return False
    return True
