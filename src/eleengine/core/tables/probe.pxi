# tables/probe.pxi - the values of positions in the tables that are in memory.
#
# Uses: base/bits, base/types, base/tables, board/position, board/movegen, tables/index.

cdef enum:
    TABLE_SLOTS = 4096           # of the hash; a set holds at most half as many tables


cdef struct TableSet:
    int n
    int most_pieces              # of any table, with the kings
    uint64_t material[TABLE_SLOTS]
    const MaterialTable* table[TABLE_SLOTS]


cdef const TableSet* SHIPPED_TABLES = NULL     # those that come with the engine, once they have been read


cdef inline uint64_t side_material(const int* counts) noexcept nogil:
    """The pieces of a side as a number; who has more attackers, and then the better ones, has the greater."""
    return (<uint64_t>(counts[ROOK] + counts[KNIGHT] + counts[CANNON] + counts[PAWN]) << 24
            | counts[ROOK] << 20 | counts[CANNON] << 16 | counts[KNIGHT] << 12 | counts[PAWN] << 8
            | counts[ADVISOR] << 4 | counts[BISHOP])


cdef inline uint64_t position_material(const Position* pos, int side) noexcept nogil:
    cdef int[8] counts
    cdef int kind
    for kind in range(ADVISOR, PAWN + 1):
        counts[kind] = set_count(pieces(pos, side, kind))
    return side_material(counts)


cdef inline int table_slot(const TableSet* tables, uint64_t material) noexcept nogil:
    """Where a material is or would be."""
    cdef int slot = <int>(material * 0x9E3779B97F4A7C15ULL >> 52)
    while tables.table[slot] != NULL and tables.material[slot] != material:
        slot = (slot + 1) % TABLE_SLOTS
    return slot


cdef void add_table(TableSet* tables, const MaterialTable* t) noexcept nogil:
    """Add a table, in the place of one for the same material."""
    cdef uint64_t material = side_material(t.counts[RED]) << 32 | side_material(t.counts[BLACK])
    cdef int slot = table_slot(tables, material), side, kind, n = 2
    if tables.table[slot] == NULL:
        tables.n += 1
    tables.material[slot] = material
    tables.table[slot] = t
    for side in range(2):
        for kind in range(ADVISOR, PAWN + 1):
            n += t.counts[side][kind]
    tables.most_pieces = max(tables.most_pieces, n)


cdef int probe_tables(const TableSet* tables, const Position* pos) noexcept nogil:
    """The value of a position for the side to move, or -1 without a table.

    Without attackers it is drawn. Repetitions and the no-capture limit are left aside.
    """
    cdef uint64_t red = position_material(pos, RED), black = position_material(pos, BLACK)
    cdef int swap = black > red, slot
    cdef int64_t index
    cdef const MaterialTable* t
    if (red | black) >> 8 == 0:
        return TABLE_DRAW
    slot = table_slot(tables, black << 32 | red if swap else red << 32 | black)
    t = tables.table[slot]
    if t == NULL:
        return -1
    index = table_index(t, pos, swap)
    return -1 if index < 0 else t.values[pos.side ^ swap][index]


cdef bint is_draw_certain(const TableSet* tables, const Position* pos) noexcept nogil:
    """Is a position that the tables call drawn a draw under every rule of repetition?"""
    cdef uint64_t red = position_material(pos, RED), black = position_material(pos, BLACK)
    if (red | black) >> 8 == 0:
        return True
    return tables.table[table_slot(tables, black << 32 | red if black > red else red << 32 | black)].draws_certain


cdef inline int value_after(const TableSet* tables, Position* pos, move_t m) noexcept nogil:
    """The value after the move m for the side to move then, -1 if no table has it; the board stays as it is."""
    cdef int src = src_of(m), dst = dst_of(m), piece = pos.board[src], victim = pos.board[dst], value
    if victim != EMPTY:
        table_remove(pos, dst)
    table_remove(pos, src)
    table_put(pos, piece, dst)
    pos.side ^= 1
    value = probe_tables(tables, pos)
    pos.side ^= 1
    table_remove(pos, dst)
    table_put(pos, piece, src)
    if victim != EMPTY:
        table_put(pos, victim, dst)
    return value


cdef int value_by_moves(const TableSet* tables, Position* pos) noexcept nogil:
    """What the values of all successors make of a position; -1 if a table is missing."""
    cdef move_t[MAX_MOVES] moves
    cdef int i, value, n = gen_legal(pos, moves)
    cdef int won = TABLE_INVALID, lost = 1
    cdef bint drawn = False
    for i in range(n):
        value = value_after(tables, pos, moves[i])
        if value < 0:
            return -1
        if value == TABLE_DRAW:
            drawn = True
        elif value & 1:
            won = min(won, value + 1)
        else:
            lost = max(lost, value + 1)
    if won < TABLE_INVALID:
        return won
    return TABLE_DRAW if drawn else lost


cdef move_t best_table_move(const TableSet* tables, Position* pos) noexcept nogil:
    """The first move of a fastest win or a longest defence; NO_MOVE for a draw, without a table or at the end."""
    cdef move_t[MAX_MOVES] moves
    cdef int i, value = probe_tables(tables, pos), n
    if value <= 1:
        return NO_MOVE
    n = gen_legal(pos, moves)
    for i in range(n):
        if value_after(tables, pos, moves[i]) == value - 1:
            return moves[i]
    return NO_MOVE
