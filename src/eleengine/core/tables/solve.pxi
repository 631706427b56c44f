# tables/solve.pxi - endgame tables by retrograde analysis, a row of positions at a time.
#
# Uses: base/atomic, base/openmp, board/movegen, tables/index, tables/probe.
# The squares of the free piece make a row a set of 90 bits, so that a move of any other piece is looked at for all
# of them at once. For one winner at a time, ply by ply: positions in which the winner can move to one that was lost in
# the ply before are won; positions all of whose moves lead to won ones are lost. A ply reads only what earlier plies
# wrote, so the result does not depend on the threads. A row is looked at only when a row that its moves lead to has
# changed, which is when that one makes it due. What captures lead to is known before: those of the winner are written
# down as bounds at the start, those of the loser are looked up when all its other moves lose, which is seldom.
# Plies are kept as moves, since the winner's are odd and the loser's even.

cdef enum:
    ROWS_OF_A_TASK = 2048        # not too many for the threads to be done together
    TABLE_PREPARE = 0
    TABLE_WIN = 1
    TABLE_LOSE = 2
    TABLE_FINISH = 3


cdef struct TableSolver:
    const MaterialTable* table
    const TableSet* smaller      # what captures lead to
    int layer                    # of distances, that is found
    int winner
    int depth                    # the ply that is being done
    SquareBits* unwon            # by row: the winner to move, not found to be won
    SquareBits* unlost           # the loser to move, not found to be lost
    SquareBits* lost_now         # of those, found in the last ply
    SquareBits* escapes          # all that does not lose by now is a capture
    uint8_t* won_in              # by row and square: moves; before that a bound by captures, 255 without
    uint8_t* lost_in             # moves; of escapes those of the longest capture, 255 if it never loses; else 0
    uint8_t* won_bound           # by row: the greatest bound
    uint8_t* lost_bound
    uint8_t* win_due             # by row: a move of the winner may lead to lost_now
    uint8_t* lose_due            # a move of the loser may lead to what the winner won in the last ply
    SquareBits* results[3][2]    # [result][to move], by row: what was found, for the layers
    uint8_t* moves[2]            # by side to move, row and square


cdef struct TableCounts:
    int64_t positions[2][TABLE_INVALID]         # by side to move and value
    int64_t example[2][TABLE_INVALID]           # an entry that has it


cdef inline SquareBits equal_bytes(const uint8_t* row, int value) noexcept nogil:
    """The squares whose byte has the value."""
    cdef SquareBits found = SET(0, 0)
    cdef uint64_t word, pattern = <uint64_t>value * 0x0101010101010101ULL, low = 0x7F7F7F7F7F7F7F7FULL
    cdef int i
    for i in range(11):
        memcpy(&word, row + 8 * i, 8)
        word ^= pattern
        word = ~(((word & low) + low) | word | low)            # 0x80 in the bytes that were equal
        if word:
            found |= <SquareBits>((word >> 7) * 0x0102040810204080ULL >> 56) << (8 * i)
    for i in range(88, SQUARES):
        if row[i] == value:
            found |= BIT(i)
    return found


cdef inline void set_bytes(uint8_t* row, SquareBits squares, int value) noexcept nogil:
    while set_any(squares):
        row[pop_first(&squares)] = <uint8_t>value


cdef SquareBits squares_attacked_from(const Position* pos, int piece, int s) noexcept nogil:
    """Empty squares on which an enemy could be captured from s."""
    return (cannon_checks(pos, s) if type_of(piece) == CANNON else attacks_from(pos, piece, s)) & ~occupied(pos)


cdef SquareBits squares_attacking(const Position* pos, int kind, int s) noexcept nogil:
    """Empty squares from which a red piece of that type would capture on s."""
    cdef SquareBits occ = occupied(pos)
    if kind == ROOK:
        return rook_attacks(pos, s) & ~occ
    if kind == CANNON:
        return cannon_checks(pos, s) & ~occ
    if kind == KNIGHT:
        return KNIGHT_FROM[s][eyes_at(occ, s)] & ~occ
    return PAWN_FROM[RED][s] & ~occ


cdef SquareBits free_in_check(const Position* pos, int side, int free_kind) noexcept nogil:
    """Squares of the free piece with which that side's king is attacked."""
    cdef int k = pos.king[side], them = side ^ 1, c, n
    cdef SquareBits occ = occupied(pos), enemy = pos.by_side[them], found = SET(0, 0), rest, path
    rest = LINES[k] & enemy & (pos.by_type[ROOK] | pos.by_type[CANNON] | pos.by_type[KING])
    while set_any(rest):
        c = pop_first(&rest)
        path = BETWEEN[k][c]
        n = set_count(path & occ)
        if type_of(pos.board[c]) == CANNON:
            if n == 0:
                found |= path
            elif n == 1:
                found |= ~path
        elif n == 0:
            found |= ~path
    if set_any(PAWN_FROM[them][k] & enemy & pos.by_type[PAWN]):
        found = ~SET(0, 0)
    rest = KNIGHT_RING[k] & enemy & pos.by_type[KNIGHT]
    while set_any(rest):
        c = KNIGHT_LEG[pop_first(&rest)][k]
        if pos.board[c] == EMPTY:
            found |= ~BIT(c)
    if them == RED:
        found |= squares_attacking(pos, free_kind, k)
    return found


cdef inline SquareBits valid_squares(const MaterialTable* t, const Position* pos, int side) noexcept nogil:
    """Where the free piece may stand if that side is to move."""
    return HOME[RED][t.free_kind] & ~occupied(pos) & ~free_in_check(pos, side ^ 1, t.free_kind)


cdef inline SquareBits looked_at(const TableSolver* w, const Position* pos, int64_t row, int side) noexcept nogil:
    """Where the free piece may stand with that side to move. After the first distances only what they decide counts."""
    if w.layer == LAYER_DTM:
        return valid_squares(w.table, pos, side)
    return w.results[RESULT_WON if side == w.winner else RESULT_LOST][side][row]


cdef bint may_capture(const Position* pos, int side) noexcept nogil:
    """Might a piece on the board capture another, the free piece perhaps being a screen?"""
    cdef SquareBits rest = pos.by_side[side], enemy = pos.by_side[side ^ 1] & ~pos.by_type[KING]
    cdef int s
    while set_any(rest):
        s = pop_first(&rest)
        if type_of(pos.board[s]) == CANNON:
            if set_any((cannon_attacks(pos, s) | rook_attacks(pos, s)) & enemy):
                return True
        elif set_any(attacks_from(pos, pos.board[s], s) & enemy):
            return True
    return False


cdef SquareBits free_captures(const MaterialTable* t, const Position* pos, int side) noexcept nogil:
    """Squares of the free piece with which that side may have captures."""
    cdef SquareBits found = SET(0, 0), rest
    cdef int s
    if may_capture(pos, side):
        return ~SET(0, 0)
    if side == RED:
        rest = pos.by_side[BLACK] & ~pos.by_type[KING]
        while set_any(rest):
            found |= squares_attacking(pos, t.free_kind, pop_first(&rest))
    else:
        rest = pos.by_side[BLACK]
        while set_any(rest):
            s = pop_first(&rest)
            found |= squares_attacked_from(pos, pos.board[s], s)
    return found


cdef int bound_by_captures(const TableSolver* w, Position* pos) noexcept nogil:
    """What captures promise: to the winner the moves of the fastest, 255 without; to the loser the longest, 0 without.

    255 to the loser if one of them does not lose.
    """
    cdef move_t[MAX_MOVES] moves
    cdef int i, value, bound = 255 if pos.side == w.winner else 0
    cdef int n = gen_captures(pos, moves)
    for i in range(n):
        if not is_legal(pos, moves[i]):
            continue
        value = value_after(w.smaller, pos, moves[i], w.layer)           # 1 + plies: those of the capture included
        if pos.side == w.winner:
            if value & 1:
                bound = min(bound, value // 2)
        elif value == TABLE_DRAW or value & 1:
            return 255
        else:
            bound = max(bound, value // 2)
    return bound


cdef void prepare_row(TableSolver* w, int64_t row) noexcept nogil:
    """Find which positions there are, and which of them captures win."""
    cdef const MaterialTable* t = w.table
    cdef Position pos
    cdef State st
    cdef SquareBits captures
    cdef int s, bound
    memset(&st, 0, sizeof(State))
    st.hollow = True
    pos.st = &st
    w.unwon[row] = w.unlost[row] = w.lost_now[row] = w.escapes[row] = SET(0, 0)
    memset(w.won_in + row * SQUARES, 255, SQUARES)
    memset(w.lost_in + row * SQUARES, 0, SQUARES)
    w.won_bound[row] = w.lost_bound[row] = w.win_due[row] = 0
    w.lose_due[row] = 1                                      # the side to move may have no move
    if not place_row(t, row, &pos):
        return
    w.unlost[row] = looked_at(w, &pos, row, w.winner ^ 1)
    w.unwon[row] = captures = looked_at(w, &pos, row, w.winner)
    if set_any(captures):
        captures &= free_captures(t, &pos, w.winner)
    pos.side = <uint8_t>w.winner
    while set_any(captures):
        s = pop_first(&captures)
        table_put(&pos, t.free_kind, s)
        bound = bound_by_captures(w, &pos)
        table_remove(&pos, s)
        w.won_in[row * SQUARES + s] = <uint8_t>bound
        if bound < 255 and bound > w.won_bound[row]:
            w.won_bound[row] = <uint8_t>bound


cdef SquareBits without_escapes(TableSolver* w, int64_t row, Position* pos, SquareBits wanted) noexcept nogil:
    """The squares with which the loser to move has no capture that saves it or takes longer; all else loses."""
    cdef uint8_t* lost_in = w.lost_in + row * SQUARES
    cdef SquareBits rest = wanted & free_captures(w.table, pos, w.winner ^ 1)
    cdef int s, bound
    memset(pos.st, 0, sizeof(State))
    pos.st.hollow = True
    pos.side = <uint8_t>(w.winner ^ 1)
    while set_any(rest):
        s = pop_first(&rest)
        if lost_in[s]:                                       # an escape until this ply
            continue
        table_put(pos, w.table.free_kind, s)
        bound = bound_by_captures(w, pos)
        table_remove(pos, s)
        if bound > w.depth // 2:
            wanted &= ~BIT(s)
            w.escapes[row] |= BIT(s)
            lost_in[s] = <uint8_t>bound
            if bound < 255 and bound > w.lost_bound[row]:
                w.lost_bound[row] = <uint8_t>bound
    return wanted


cdef int last_bound(const TableSolver* w) noexcept nogil:
    """The last ply in which a capture may decide something."""
    cdef int64_t row
    cdef int last = 0
    for row in range(w.table.rows):
        last = max(last, max(2 * w.won_bound[row] + 1, 2 * w.lost_bound[row]))
    return last


cdef inline SquareBits blocking_squares(const Position* pos, int src, int dst) noexcept nogil:
    """Squares on which the free piece is in the way of a quiet move."""
    cdef int kind = type_of(pos.board[src])
    if kind == ROOK or kind == CANNON:
        return BETWEEN[src][dst] | BIT(dst)
    if kind == KNIGHT:
        return BIT(KNIGHT_LEG[src][dst]) | BIT(dst)
    if kind == BISHOP:
        return BIT((src + dst) // 2) | BIT(dst)
    return BIT(dst)


cdef inline SquareBits quiet_targets(const Position* pos, int s) noexcept nogil:
    """Empty squares to which the piece on s can move."""
    cdef int piece = pos.board[s]
    if type_of(piece) == CANNON:
        return rook_attacks(pos, s) & ~occupied(pos)
    return attacks_from(pos, piece, s) & ~occupied(pos)


cdef inline SquareBits quiet_origins(const Position* pos, int s) noexcept nogil:
    """Empty squares from which the piece on s may have come by a quiet move."""
    cdef int piece = pos.board[s]
    if type_of(piece) == KNIGHT:
        return KNIGHT_FROM[s][eyes_at(occupied(pos), s)] & ~occupied(pos)
    if type_of(piece) == PAWN:
        return PAWN_FROM[side_of(piece)][s] & HOME[side_of(piece)][PAWN] & ~occupied(pos)
    return quiet_targets(pos, s)


cdef SquareBits free_squares_reaching(const TableSolver* w, const Position* pos, int64_t row, int side,
                                      const SquareBits* sets, SquareBits wanted) noexcept nogil:
    """Squares of the free piece with which a quiet move of another piece of that side leads into one of the sets.

    wanted: only these squares matter; the walk ends when none is left to be found.
    """
    cdef const MaterialTable* t = w.table
    cdef const TableGroup* g
    cdef SquareBits targets, found = SET(0, 0), there
    cdef int i, k, n, s, dst, placing, red, black
    cdef int[2] squares
    s = pos.king[side]
    targets = quiet_targets(pos, s)
    while set_any(targets):
        dst = pop_first(&targets)
        red = dst if side == RED else pos.king[RED]
        black = dst if side == BLACK else pos.king[BLACK]
        if KING_PAIR[red][black] >= 0:
            there = sets[row_of_kings(t, row, red, black)]
        else:
            there = mirrored_set(sets[mirrored_row(t, row, red, black)])
        found |= there & ~BIT(dst)
    if not set_any(wanted & ~found):
        return found
    for i in range(t.n):
        g = &t.group[i]
        if g.side != side:
            continue
        placing = <int>(row // g.stride % g.size)
        n = placing_squares(g, placing, squares)
        for k in range(n):
            s = squares[k]
            targets = quiet_targets(pos, s)
            while set_any(targets):
                dst = pop_first(&targets)
                found |= sets[row_of_move(g, row, placing, k, dst)] & ~blocking_squares(pos, s, dst)
        if not set_any(wanted & ~found):
            break
    return found


cdef void make_due(const MaterialTable* t, const Position* pos, int64_t row, int side, uint8_t* due) noexcept nogil:
    """Mark the rows from which a quiet move of that side may lead into this row."""
    cdef const TableGroup* g
    cdef SquareBits origins
    cdef int i, k, n, src, placing, red, black
    cdef int[2] squares
    if side == RED:
        byte_set(&due[row], 1)                               # the free piece stays in its row
    origins = quiet_origins(pos, pos.king[side])
    while set_any(origins):
        src = pop_first(&origins)
        red = src if side == RED else pos.king[RED]
        black = src if side == BLACK else pos.king[BLACK]
        if KING_PAIR[red][black] >= 0:
            byte_set(&due[row_of_kings(t, row, red, black)], 1)
        if KING_PAIR[mirrored_square(red)][mirrored_square(black)] >= 0:
            byte_set(&due[mirrored_row(t, row, red, black)], 1)
    for i in range(t.n):
        g = &t.group[i]
        if g.side != side:
            continue
        placing = <int>(row // g.stride % g.size)
        n = placing_squares(g, placing, squares)
        for k in range(n):
            origins = quiet_origins(pos, squares[k])
            while set_any(origins):
                byte_set(&due[row_of_move(g, row, placing, k, pop_first(&origins))], 1)


cdef SquareBits free_unmoves(const MaterialTable* t, const Position* pos, SquareBits squares) noexcept nogil:
    """Squares from which the free piece can move quietly to one of these."""
    cdef SquareBits found = SET(0, 0)
    cdef int s
    while set_any(squares):
        s = pop_first(&squares)
        if t.free_kind == CANNON:
            found |= rook_attacks(pos, s)
        else:
            found |= squares_attacking(pos, t.free_kind, s)
    return found


cdef inline SquareBits free_moves(const MaterialTable* t, const Position* pos, int s) noexcept nogil:
    """Where the free piece can move to quietly from s."""
    if t.free_kind == CANNON:
        return rook_attacks(pos, s) & ~occupied(pos)
    return attacks_from(pos, t.free_kind, s) & ~occupied(pos)


cdef int64_t win_row(TableSolver* w, int64_t row) noexcept nogil:
    """Find the positions of the row that the winner, to move, wins in this many plies; returns their number."""
    cdef SquareBits wanted = w.unwon[row], found = SET(0, 0)
    cdef uint8_t* won_in = w.won_in + row * SQUARES
    cdef bint due = w.win_due[row]
    cdef Position pos
    cdef State st
    w.win_due[row] = 0
    if w.won_bound[row] >= w.depth // 2:
        found = equal_bytes(won_in, w.depth // 2) & wanted
    if not set_any(found) and not (due and set_any(wanted)):
        return 0
    pos.st = &st
    place_row(w.table, row, &pos)
    if due:
        found |= free_squares_reaching(w, &pos, row, w.winner, w.lost_now, wanted)
        if w.winner == RED:
            found |= free_unmoves(w.table, &pos, w.lost_now[row])
        found &= wanted
        if not set_any(found):
            return 0
    w.unwon[row] = wanted & ~found
    set_bytes(won_in, found, w.depth // 2)
    make_due(w.table, &pos, row, w.winner ^ 1, w.lose_due)
    return set_count(found)


cdef int64_t lose_row(TableSolver* w, int64_t row) noexcept nogil:
    """Find the positions of the row that the loser, to move, loses in this many plies; returns their number."""
    cdef SquareBits wanted, rest
    cdef uint8_t* lost_in = w.lost_in + row * SQUARES
    cdef Position pos
    cdef State st
    cdef bint due = w.lose_due[row]
    cdef int s
    w.lose_due[row] = 0
    if set_any(w.lost_now[row]):
        w.lost_now[row] = SET(0, 0)
    if w.depth and w.lost_bound[row] >= w.depth // 2:
        rest = equal_bytes(lost_in, w.depth // 2) & w.escapes[row]
        w.escapes[row] &= ~rest
        due |= set_any(rest)
    wanted = w.unlost[row] & ~w.escapes[row]
    if not due or not set_any(wanted):
        return 0
    pos.st = &st
    place_row(w.table, row, &pos)
    wanted &= ~free_squares_reaching(w, &pos, row, w.winner ^ 1, w.unwon, wanted)
    if w.winner == BLACK:
        rest = wanted
        while set_any(rest):
            s = pop_first(&rest)
            if set_any(free_moves(w.table, &pos, s) & w.unwon[row]):
                wanted &= ~BIT(s)
    if set_any(wanted):
        wanted = without_escapes(w, row, &pos, wanted)
    if not set_any(wanted):
        return 0
    w.lost_now[row] = wanted
    w.unlost[row] &= ~wanted
    set_bytes(lost_in, wanted, w.depth // 2)
    make_due(w.table, &pos, row, w.winner, w.win_due)
    return set_count(wanted)


cdef void finish_row(TableSolver* w, int64_t row) noexcept nogil:
    """Note what was found for this winner."""
    cdef const MaterialTable* t = w.table
    cdef Position pos
    cdef State st
    cdef SquareBits won = SET(0, 0), lost = SET(0, 0), rest
    cdef int s
    pos.st = &st
    if place_row(t, row, &pos):
        won = rest = looked_at(w, &pos, row, w.winner) & ~w.unwon[row]
        while set_any(rest):
            s = pop_first(&rest)
            w.moves[w.winner][row * SQUARES + s] = w.won_in[row * SQUARES + s]
        lost = rest = looked_at(w, &pos, row, w.winner ^ 1) & ~w.unlost[row]
        while set_any(rest):
            s = pop_first(&rest)
            w.moves[w.winner ^ 1][row * SQUARES + s] = w.lost_in[row * SQUARES + s]
    w.results[RESULT_WON][w.winner][row] = won
    w.results[RESULT_LOST][w.winner ^ 1][row] = lost


cdef SquareBits counted_squares(const MaterialTable* t, int64_t row, Position* pos, int side) noexcept nogil:
    """Where the free piece may stand so that the entry is a valid position's own: one of each, see tables/index.

    The row is put on the board. Positions whose kings both stand on the central file keep their mirror images.
    """
    cdef int i, s = 0
    cdef SquareBits squares, rest
    if not place_row(t, row, pos):
        return SET(0, 0)
    for i in range(1, t.n):
        if (t.group[i].kind == t.group[i - 1].kind and t.group[i].side == t.group[i - 1].side
                and row // t.group[i].stride % t.group[i].size < row // t.group[i - 1].stride % t.group[i - 1].size):
            return SET(0, 0)
    squares = valid_squares(t, pos, side)
    if t.counts[RED][t.free_kind] > 1:
        rest = pieces(pos, RED, t.free_kind)
        while set_any(rest):
            s = pop_first(&rest)
        squares &= ~(BIT(s) | (BIT(s) - 1))
    return squares


cdef inline int row_weight(const MaterialTable* t, int64_t row) noexcept nogil:
    """How many positions an entry of the row stands for: two with its mirror image, which has an entry if it is 1."""
    cdef const uint8_t* kings = KINGS_OF_PAIR[row // t.king_stride]
    return 1 if file_of(kings[RED]) == 4 and file_of(kings[BLACK]) == 4 else 2


cdef void fill_packed_row(const TableSolver* w, int layer, int side, int64_t row, uint8_t* line,
                          int* before) noexcept nogil:
    """The bytes of a row. An entry without a position or a distance has the number before it, which saves space."""
    cdef Position pos
    cdef State st
    cdef SquareBits counted, won = w.results[RESULT_WON][side][row], lost = w.results[RESULT_LOST][side][row]
    cdef int s
    pos.st = &st
    memset(line, 0, layer_bytes(layer))
    counted = counted_squares(w.table, row, &pos, side)
    if layer != LAYER_WDL:
        counted &= won | lost
    if not set_any(counted):
        return
    for s in range(SQUARES):
        if layer == LAYER_WDL:
            if set_has(counted, s):
                before[0] = RESULT_WON if set_has(won, s) else RESULT_LOST if set_has(lost, s) else RESULT_DRAWN
            line[s // 4] |= <uint8_t>(before[0] << 2 * (s % 4))
        else:
            if set_has(counted, s):
                before[0] = w.moves[side][row * SQUARES + s]
            line[s] = <uint8_t>before[0]


cdef int64_t pack_block(const TableSolver* w, int layer, int side, int64_t block, uint8_t* packed) noexcept nogil:
    """Write a block of a layer, at most PACKED_BYTES; returns its size."""
    cdef uint16_t[2 * PACKED_ROWS] slots
    cdef uint8_t[SQUARES] line
    cdef uint16_t number = 0
    cdef uint64_t h, word
    cdef uint8_t* kept = packed + 2 * PACKED_ROWS
    cdef int64_t row
    cdef int r, i, slot, n = 0, width = layer_bytes(layer), before = 0
    memset(slots, 255, sizeof(slots))
    for r in range(PACKED_ROWS):
        row = block * PACKED_ROWS + r
        if row < w.table.rows:                   # else the last one once more
            fill_packed_row(w, layer, side, row, line, &before)
            h = 0
            for i in range(0, width, 8):
                memcpy(&word, line + min(i, width - 8), 8)
                h = (h ^ word) * 0x9E3779B97F4A7C15ULL
                h ^= h >> 29
            slot = <int>(h % (2 * PACKED_ROWS))
            while slots[slot] != 0xFFFF and memcmp(kept + slots[slot] * width, line, width) != 0:
                slot = (slot + 1) % (2 * PACKED_ROWS)
            if slots[slot] == 0xFFFF:
                slots[slot] = <uint16_t>n
                memcpy(kept + n * width, line, width)
                n += 1
            number = slots[slot]
        packed[2 * r] = <uint8_t>(number & 255)
        packed[2 * r + 1] = <uint8_t>(number >> 8)
    return 2 * PACKED_ROWS + n * width


cdef void count_rows(const MaterialTable* t, int64_t first, int64_t last, TableCounts* counts) noexcept nogil:
    """Add the positions of these rows, mirror images too, by side to move and value."""
    cdef Position pos
    cdef State st
    cdef int64_t row
    cdef int side, s, value
    cdef SquareBits squares
    pos.st = &st
    for row in range(first, last):
        for side in range(2):
            squares = counted_squares(t, row, &pos, side)
            while set_any(squares):
                s = pop_first(&squares)
                value = table_value(t, LAYER_DTM, side, row * SQUARES + s)
                if counts.positions[side][value] == 0:
                    counts.example[side][value] = row * SQUARES + s
                counts.positions[side][value] += row_weight(t, row)


cdef int64_t first_wrong(const MaterialTable* t, const TableSet* tables, int64_t first, int64_t last,
                         int64_t* wrong) noexcept nogil:
    """Count the entries of these rows, and those that differ from what their moves make of them."""
    cdef Position pos
    cdef State st
    cdef int64_t row, checked = 0
    cdef int side, s, layer
    cdef SquareBits squares
    memset(&st, 0, sizeof(State))
    st.hollow = True
    pos.st = &st
    for row in range(first, last):
        for side in range(2):
            squares = counted_squares(t, row, &pos, side)
            pos.side = <uint8_t>side
            while set_any(squares):
                s = pop_first(&squares)
                table_put(&pos, t.free_kind, s)
                checked += 1
                for layer in range(LAYER_DTM, LAYERS):
                    if value_by_moves(tables, &pos, layer) != table_value(t, layer, side, row * SQUARES + s):
                        wrong[0] = row * SQUARES + s
                table_remove(&pos, s)
    return checked


cdef int64_t do_rows(TableSolver* w, int task, int64_t first, int64_t last) noexcept nogil:
    """One task for some rows; returns how many positions were found."""
    cdef int64_t row, result = 0
    for row in range(first, last):
        if task == TABLE_PREPARE:
            prepare_row(w, row)
        elif task == TABLE_WIN:
            result += win_row(w, row)
        elif task == TABLE_LOSE:
            result += lose_row(w, row)
        else:
            finish_row(w, row)
    return result


cdef int64_t for_all_rows(TableSolver* w, int task, int threads) noexcept nogil:
    """The same for all rows, shared out among threads."""
    cdef int64_t rows = w.table.rows, chunks = (rows + ROWS_OF_A_TASK - 1) // ROWS_OF_A_TASK, i, total = 0
    threads = team_of(threads)
    for i in prange(chunks, num_threads=threads, schedule="dynamic", chunksize=1):
        total += do_rows(w, task, i * ROWS_OF_A_TASK, min((i + 1) * ROWS_OF_A_TASK, rows))
    return total
