# tables/perpetual.pxi - draws that one side can hold only by checks, attacks or mate threats without end.
#
# Uses: rules/chases, tables/solve.
# No rule of repetition forbids a repetition in which a side makes an idle move: one that gives no check, attacks no
# piece anew and threatens no mate. A draw is safe for a side that can make idle moves again and again, or reach such a
# draw by a capture, whatever the other side does (rule-tolerant verification, Fang 2004; a Buechi game). What is not
# safe after all rounds is perpetual: a rule set may call it lost. Wins and losses need no repetition.

cdef struct PerpetualSolver:
    const MaterialTable* table
    const TableSet* tables       # this one and what captures lead to, whose own perpetual draws are known
    int holder
    bint below                   # may a capture lead to a perpetual draw?
    SquareBits* held[2]          # by side to move, by row: draws that are not known to be perpetual
    SquareBits* stuck[2]         # those that may have become so in this round
    uint8_t* due[2]              # by side to move, by row: a move may lead to what has changed

cdef enum:
    PERPETUAL_START = 0          # tasks, in the order of a round
    PERPETUAL_IDLE = 1
    PERPETUAL_FORCED = 2
    PERPETUAL_FREE_HOLDER = 3
    PERPETUAL_FREE_OTHER = 4
    PERPETUAL_END = 5


cdef inline void move_on_table(Position* pos, int src, int dst) noexcept nogil:
    """Move a piece to an empty square and give the turn to the other side."""
    cdef int piece = pos.board[src]
    table_remove(pos, src)
    table_put(pos, piece, dst)
    pos.side ^= 1


cdef bint makes_attack(Position* pos, int side, int src, int dst) noexcept nogil:
    """Does the quiet move that led to the position attack a piece that was not, or less, attacked before?"""
    cdef SquareBits rest = chasers(pos, side), prey = victims(pos, side ^ 1), attacked
    cdef int s, victim, now, before
    while set_any(rest):
        s = pop_first(&rest)
        attacked = attacks_from(pos, pos.board[s], s) & prey
        while set_any(attacked):
            victim = pop_first(&attacked)
            now = weigh_capture(pos, s, victim, False, AXF)
            if now == UNAVAILABLE:
                continue
            move_on_table(pos, dst, src)
            before = weigh_capture(pos, src if s == dst else s, victim, False, AXF)
            move_on_table(pos, src, dst)
            if now > before:
                return True
    return False


cdef bint is_idle(const MaterialTable* t, Position* pos, int side, int src, int dst) noexcept nogil:
    """Does the quiet move of that side that led to the position give no check, make no attack and threaten no mate?"""
    if (king_attacked(pos, pos.king[side ^ 1], side, occupied(pos), pos.by_side[side])
            or makes_attack(pos, side, src, dst)):
        return False
    return table_value(t, LAYER_DTM, side, table_index(t, pos, 0)) != 2  # with the side to move: mate by its next move


cdef bint is_safe_capture(const TableSet* tables, const Position* pos, int holder) noexcept nogil:
    """Is the position after a capture a draw that the holder keeps with idle moves?"""
    cdef int side = 0
    cdef int64_t index = 0
    cdef const MaterialTable* t
    cdef const SquareBits* perpetual
    if is_bare(pos):
        return True
    t = find_entry(tables, pos, &side, &index)
    if table_result(t, side, index) != RESULT_DRAWN:
        return False
    perpetual = t.perpetual[holder ^ pos.side ^ side][side]
    return perpetual == NULL or not set_has(perpetual[index // SQUARES], <int>(index % SQUARES))


cdef bint has_move_to_hold(const PerpetualSolver* d, Position* pos, bint idle) noexcept nogil:
    """Has the holder, to move, a move to a draw that it holds: an idle one or a capture, or any that is not stuck?

    What is held is a valid position, so that a quiet move to it is legal.
    """
    cdef move_t[MAX_MOVES] moves
    cdef int i, n = gen_pseudo_legal(pos, moves), src, dst, victim
    cdef int64_t index
    cdef bint good = False
    for i in range(n):
        src, dst = src_of(moves[i]), dst_of(moves[i])
        victim = pos.board[dst]
        if victim != EMPTY:
            table_remove(pos, dst)
        move_on_table(pos, src, dst)
        if victim != EMPTY:
            good = is_safe_capture(d.tables, pos, d.holder)
        else:
            index = table_index(d.table, pos, 0)
            good = set_has(d.held[pos.side][index // SQUARES], <int>(index % SQUARES))
            if idle:
                good = good and is_idle(d.table, pos, d.holder, src, dst)
            else:
                good = good and not set_has(d.stuck[pos.side][index // SQUARES], <int>(index % SQUARES))
        move_on_table(pos, dst, src)
        if victim != EMPTY:
            table_put(pos, victim, dst)
            good = good and is_legal(pos, moves[i])
        if good:
            return True
    return False


cdef bint has_move_to_doubt(const PerpetualSolver* d, Position* pos) noexcept nogil:
    """Has the other side, to move, a move to a draw that the holder may not hold?"""
    cdef move_t[MAX_MOVES] moves
    cdef int i, n = gen_pseudo_legal(pos, moves), src, dst, victim
    cdef int64_t index
    cdef SquareBits doubt
    cdef bint bad = False
    for i in range(n):
        src, dst = src_of(moves[i]), dst_of(moves[i])
        victim = pos.board[dst]
        if victim != EMPTY:
            table_remove(pos, dst)
        move_on_table(pos, src, dst)
        if victim != EMPTY:
            bad = probe_result(d.tables, pos) == RESULT_DRAWN and not is_safe_capture(d.tables, pos, d.holder)
        else:
            index = table_index(d.table, pos, 0)
            doubt = ~d.held[pos.side][index // SQUARES] | d.stuck[pos.side][index // SQUARES]
            bad = (table_result(d.table, pos.side, index) == RESULT_DRAWN
                   and set_has(doubt, <int>(index % SQUARES)))
        move_on_table(pos, dst, src)
        if victim != EMPTY:
            table_put(pos, victim, dst)
        if bad and is_legal(pos, moves[i]):
            return True
    return False


cdef void start_row(PerpetualSolver* d, int64_t row) noexcept nogil:
    cdef Position pos
    cdef State st
    cdef SquareBits squares
    cdef int side
    pos.st = &st
    for side in range(2):
        squares = counted_squares(d.table, row, &pos, side)
        d.held[side][row] = squares & row_draws(d.table, side, row)
        d.stuck[side][row] = SET(0, 0)
        d.due[side][row] = side == d.holder or d.below


cdef int64_t do_perpetual_row(PerpetualSolver* d, int task, int64_t row) noexcept nogil:
    """One task for a row; returns how many positions changed."""
    cdef int side = d.holder if task in (PERPETUAL_IDLE, PERPETUAL_FREE_HOLDER) else d.holder ^ 1
    cdef bint freeing = task in (PERPETUAL_FREE_HOLDER, PERPETUAL_FREE_OTHER)
    cdef SquareBits rest, found = SET(0, 0)
    cdef Position pos
    cdef State st
    cdef bint stuck
    cdef int s
    rest = d.stuck[side][row] if freeing else d.held[side][row]
    if not set_any(rest):
        return 0
    if not freeing:
        if not d.due[side][row]:
            return 0
        d.due[side][row] = 0
    memset(&st, 0, sizeof(State))
    st.hollow = True
    pos.st = &st
    place_row(d.table, row, &pos)
    pos.side = <uint8_t>side
    while set_any(rest):
        s = pop_first(&rest)
        table_put(&pos, d.table.free_kind, s)
        if side == d.holder:
            stuck = not has_move_to_hold(d, &pos, not freeing)
        else:
            stuck = has_move_to_doubt(d, &pos)
        table_remove(&pos, s)
        if stuck != freeing:
            found |= BIT(s)
    if freeing:
        d.stuck[side][row] &= ~found
    else:
        d.stuck[side][row] = found
        if side == d.holder and set_any(found):
            make_due(d.table, &pos, row, side ^ 1, d.due[side ^ 1])
    return set_count(found)


cdef int64_t end_row(PerpetualSolver* d, int64_t row) noexcept nogil:
    """Give up what is stuck; returns how many positions that is."""
    cdef int side
    cdef int64_t count = 0
    cdef Position pos
    cdef State st
    for side in range(2):
        count += set_count(d.stuck[side][row])
        d.held[side][row] &= ~d.stuck[side][row]
    if set_any(d.stuck[d.holder ^ 1][row]):
        pos.st = &st
        place_row(d.table, row, &pos)
        make_due(d.table, &pos, row, d.holder, d.due[d.holder])
    for side in range(2):
        d.stuck[side][row] = SET(0, 0)
    return count


cdef int64_t do_perpetual_rows(PerpetualSolver* d, int task, int64_t first, int64_t last) noexcept nogil:
    cdef int64_t row, result = 0
    for row in range(first, last):
        if task == PERPETUAL_START:
            start_row(d, row)
        elif task == PERPETUAL_END:
            result += end_row(d, row)
        else:
            result += do_perpetual_row(d, task, row)
    return result


cdef int64_t for_all_perpetual_rows(PerpetualSolver* d, int task, int threads) noexcept nogil:
    """One task for all rows, shared out among threads: each writes one side's positions and reads the other's."""
    cdef int64_t rows = d.table.rows, chunks = (rows + ROWS_OF_A_TASK - 1) // ROWS_OF_A_TASK, i, total = 0
    threads = team_of(threads)
    for i in prange(chunks, num_threads=threads, schedule="dynamic", chunksize=1):
        total += do_perpetual_rows(d, task, i * ROWS_OF_A_TASK, min((i + 1) * ROWS_OF_A_TASK, rows))
    return total


cdef int64_t find_perpetual_round(PerpetualSolver* d, int threads) noexcept nogil:
    """One round; returns how many draws turned out to be perpetual."""
    for_all_perpetual_rows(d, PERPETUAL_IDLE, threads)
    for_all_perpetual_rows(d, PERPETUAL_FORCED, threads)
    while (for_all_perpetual_rows(d, PERPETUAL_FREE_HOLDER, threads)
           + for_all_perpetual_rows(d, PERPETUAL_FREE_OTHER, threads)):
        pass
    return for_all_perpetual_rows(d, PERPETUAL_END, threads)


cdef int64_t keep_perpetual(PerpetualSolver* d, int side, int64_t* example) noexcept nogil:
    """Turn what is held into what is perpetual, and count that, mirror images too; example: an entry of it."""
    cdef Position pos
    cdef State st
    cdef int64_t row, count = 0
    cdef SquareBits draws
    pos.st = &st
    for row in range(d.table.rows):
        draws = counted_squares(d.table, row, &pos, side)
        draws &= row_draws(d.table, side, row)
        d.held[side][row] = draws & ~d.held[side][row]
        if set_any(d.held[side][row]):
            example[0] = row * SQUARES + set_first(d.held[side][row])
            count += set_count(d.held[side][row]) * row_weight(d.table, row)
    return count
