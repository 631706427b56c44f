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


cdef inline const MaterialTable* find_entry(const TableSet* tables, const Position* pos, int* side,
                                            int64_t* index) noexcept nogil:
    """The table of a position and its entry, or NULL."""
    cdef uint64_t red = position_material(pos, RED), black = position_material(pos, BLACK)
    cdef int swap = black > red
    cdef const MaterialTable* t = tables.table[table_slot(tables, black << 32 | red if swap else red << 32 | black)]
    if t == NULL:
        return NULL
    side[0] = pos.side ^ swap
    index[0] = table_index(t, pos, swap)
    return t if index[0] >= 0 else NULL


cdef inline bint is_bare(const Position* pos) noexcept nogil:
    """Can nobody attack?"""
    return not set_any(pos.by_type[ROOK] | pos.by_type[KNIGHT] | pos.by_type[CANNON] | pos.by_type[PAWN])


cdef int probe_result(const TableSet* tables, const Position* pos) noexcept nogil:
    """The result of a position for the side to move, or -1 without a table. Without attackers it is drawn."""
    cdef int side = 0
    cdef int64_t index = 0
    cdef const MaterialTable* t
    if is_bare(pos):
        return RESULT_DRAWN
    t = find_entry(tables, pos, &side, &index)
    return -1 if t == NULL else table_result(t, side, index)


cdef int probe_tables(const TableSet* tables, const Position* pos, int layer) noexcept nogil:
    """The value of a position for the side to move by a layer of distances, or -1 without a table.

    Without attackers it is drawn. Repetitions and the no-capture limit are left aside.
    """
    cdef int side = 0
    cdef int64_t index = 0
    cdef const MaterialTable* t
    if is_bare(pos):
        return TABLE_DRAW
    t = find_entry(tables, pos, &side, &index)
    return -1 if t == NULL else table_value(t, layer, side, index)


cdef int plies_by_captures(const TableSet* tables, const Position* pos, int limit) noexcept nogil:
    """The most plies to the end of a position that tables call decided, if captures hurry; -1 if they may be too late.

    limit: plies without a capture that draw the game; those that have been made count. A loser's capture counts as two
    plies, so that the winner's number is odd.
    """
    cdef int side = 0, plies
    cdef int64_t index = 0
    cdef const MaterialTable* t = find_entry(tables, pos, &side, &index)
    plies = table_value(t, LAYER_DTC, side, index) - 1
    return -1 if max(pos.st.rule60 + plies, t.hardest) >= limit else plies + t.after


cdef bint is_draw_certain(const TableSet* tables, const Position* pos) noexcept nogil:
    """Is a position that the tables call drawn a draw under every rule of repetition?"""
    cdef int side = 0
    cdef int64_t index = 0
    return is_bare(pos) or find_entry(tables, pos, &side, &index).draws_certain


cdef inline int value_after(const TableSet* tables, Position* pos, move_t m, int layer) noexcept nogil:
    """The value after the move m for the side to move then, -1 if no table has it; the board stays as it is.

    A capture ends what LAYER_DTC counts: the value is that of a mate, or of a mate in one if the loser captures.
    """
    cdef int src = src_of(m), dst = dst_of(m), piece = pos.board[src], victim = pos.board[dst], value
    if victim != EMPTY:
        table_remove(pos, dst)
    table_remove(pos, src)
    table_put(pos, piece, dst)
    pos.side ^= 1
    value = probe_tables(tables, pos, layer)
    pos.side ^= 1
    if layer == LAYER_DTC and victim != EMPTY and value > TABLE_DRAW:
        value = 1 if value & 1 else 2
    table_remove(pos, dst)
    table_put(pos, piece, src)
    if victim != EMPTY:
        table_put(pos, victim, dst)
    return value


cdef int value_by_moves(const TableSet* tables, Position* pos, int layer) noexcept nogil:
    """What the values of all successors make of a position; -1 if a table is missing."""
    cdef move_t[MAX_MOVES] moves
    cdef int i, value, n = gen_legal(pos, moves)
    cdef int won = TABLE_INVALID, lost = 1
    cdef bint drawn = False
    for i in range(n):
        value = value_after(tables, pos, moves[i], layer)
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
    """The first move of a fastest win or a longest defence; NO_MOVE for a draw, without distances or at the end."""
    cdef move_t[MAX_MOVES] moves
    cdef int side = 0, i, value = probe_tables(tables, pos, LAYER_DTM), n
    cdef int64_t index = 0
    if value <= 1 or find_entry(tables, pos, &side, &index).missing[LAYER_DTM]:
        return NO_MOVE
    n = gen_legal(pos, moves)
    for i in range(n):
        if value_after(tables, pos, moves[i], LAYER_DTM) == value - 1:
            return moves[i]
    return NO_MOVE
