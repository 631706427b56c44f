# data/traces.pxi - positions of games as what the evaluation counts in them, and the loss of weights on them.
#
# Uses: eval/classic/evaluate, data/selfplay.
# But for the scaling of endgames, which is taken as it is, the evaluation is linear in its weights:
# for Red it is the sum of entry.count * (row.mg * middlegame weight + row.eg * endgame weight).

cdef struct TraceRow:            # one position
    uint64_t first               # of its entries; the next row's are behind them
    uint32_t game
    float mg                     # what a count times a middlegame weight is multiplied with
    float eg
    int16_t score                # of the search, for Red, or NO_SCORE
    int16_t eval                 # static, for Red
    uint8_t result               # 0 Black won, 1 draw, 2 Red won


cdef struct TraceEntry:
    uint16_t weight              # 0 .. WEIGHTS - 1
    int16_t count                # Red's minus Black's


cdef struct TraceTable:
    TraceRow* rows
    uint64_t n
    uint64_t rows_capacity
    TraceEntry* entries
    uint64_t n_entries
    uint64_t entries_capacity


cdef bint reserve_rows(TraceTable* t, uint64_t plies) noexcept nogil:
    """Make room for the positions of a game; False without memory."""
    cdef uint64_t rows = t.n + plies + 1, entries = t.n_entries + plies * WEIGHTS
    t.rows = <TraceRow*>with_room(t.rows, &t.rows_capacity, rows, sizeof(TraceRow))
    t.entries = <TraceEntry*>with_room(t.entries, &t.entries_capacity, entries, sizeof(TraceEntry))
    return t.rows_capacity >= rows and t.entries_capacity >= entries


cdef void add_row(TraceTable* t, const Classic* classic, const Position* pos, uint32_t game, int score,
                  int result) noexcept nogil:
    """Append the position; there must be room."""
    cdef Trace trace
    cdef int16_t counts[WEIGHTS]
    cdef TraceRow* row = &t.rows[t.n]
    cdef SquareBits rest = occupied(pos)
    cdef int s, kind, side, i, sign, index, eval = classic_evaluate(classic, pos, sum_squares(classic, pos), &trace)
    cdef float rest_of_score
    memset(counts, 0, sizeof(counts))
    while set_any(rest):
        s = pop_first(&rest)
        kind = type_of(pos.board[s])
        side = side_of(pos.board[s])
        sign = 1 if side == RED else -1
        counts[kind] += <int16_t>sign
        index = half_board_index(s if side == RED else 9 * (9 - rank_of(s)) + file_of(s))
        counts[8 + kind * PLACES + index] += <int16_t>sign
    for i in range(TERMS):
        counts[8 + 8 * PLACES + i] = trace.counts[RED][i] - trace.counts[BLACK][i]
    rest_of_score = trace.scale / <float>64.0 * fade(pos.st.rule60)
    row.first = t.n_entries
    row.game = game
    row.mg = rest_of_score * trace.phase / MAX_PHASE
    row.eg = rest_of_score * (MAX_PHASE - trace.phase) / MAX_PHASE
    row.score = <int16_t>(score if pos.side == RED or score == NO_SCORE else -score)
    row.eval = <int16_t>(eval if pos.side == RED else -eval)
    row.result = <uint8_t>result
    for i in range(WEIGHTS):
        if counts[i] != 0:
            t.entries[t.n_entries].weight = <uint16_t>i
            t.entries[t.n_entries].count = counts[i]
            t.n_entries += 1
    t.n += 1
    t.rows[t.n].first = t.n_entries


cdef bint can_win_by_capture(const Position* pos) noexcept nogil:
    """By exchange on one square: then the evaluation of the position itself says little."""
    cdef move_t moves[MAX_MOVES]
    cdef int i, n = gen_captures(pos, moves)
    for i in range(n):
        if see_ge(pos, moves[i], 1) and is_legal(pos, moves[i]):
            return True
    return False


cdef int add_game(TraceTable* t, const Classic* classic, Position* pos, const move_t* moves,
                  const int16_t* scores, int n, int first_ply, uint32_t game, int result) noexcept nogil:
    """Append the quiet positions of a game from its first_ply on.

    pos: its first position, with room for n states. scores: NULL if there are none. Returns the index of the
    first illegal move, or n; -1 without memory.
    """
    cdef int i, score
    if not reserve_rows(t, n):
        return -1
    for i in range(n):
        if not (is_pseudo_legal(pos, moves[i]) and is_legal(pos, moves[i])):
            return i
        score = scores[i] if scores != NULL else 0
        if i >= first_ply and is_quiet(pos, moves[i], score, QUIET_SCORE):
            if scores != NULL:
                add_row(t, classic, pos, game, score, result)
            elif not can_win_by_capture(pos):
                add_row(t, classic, pos, game, NO_SCORE, result)
        do_move(pos, moves[i])
    return n


cdef inline double row_value(const TraceTable* t, uint64_t i, const double* weights) noexcept nogil:
    """The evaluation of a row, for Red, in centipawns with a fraction."""
    cdef const TraceRow* row = &t.rows[i]
    cdef const TraceEntry* e = t.entries + row.first
    cdef const TraceEntry* end = t.entries + (row + 1).first
    cdef double mg = 0, eg = 0
    while e < end:
        mg += e.count * weights[e.weight]
        eg += e.count * weights[WEIGHTS + e.weight]
        e += 1
    return row.mg * mg + row.eg * eg


cdef double total_loss(const TraceTable* t, const double* weights, const double* targets, double scale,
                       double* gradient) noexcept nogil:
    """The sum over rows of the cross-entropy of sigmoid(scale * value) to the target; adds to gradient unless NULL."""
    cdef uint64_t i
    cdef double z, slope, loss = 0
    cdef const TraceRow* row
    cdef const TraceEntry* e
    cdef const TraceEntry* end
    for i in range(t.n):
        z = scale * row_value(t, i, weights)
        # log(1 + exp(z)) - target * z, without overflow
        loss += (z if z > 0 else 0) + log1p(exp(-z if z > 0 else z)) - targets[i] * z
        if gradient == NULL:
            continue
        slope = scale * (1 / (1 + exp(-z)) - targets[i])
        row = &t.rows[i]
        e = t.entries + row.first
        end = t.entries + (row + 1).first
        while e < end:
            gradient[e.weight] += slope * row.mg * e.count
            gradient[WEIGHTS + e.weight] += slope * row.eg * e.count
            e += 1
    return loss
