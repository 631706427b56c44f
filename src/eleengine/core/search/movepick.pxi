# search/movepick.pxi - the moves of a node, the most promising first, generated in stages.
#
# Uses: search/history, board/movegen, board/see.
# The earlier a node finds the move that fails high, the less it searches; and it often finds it before it has
# generated all moves. Stages: the table move, captures that do not lose material, quiet moves by history, losing
# captures; in check all evasions at once. A move may be pseudo-legal only: the caller asks is_legal.
# A move's number in the list and its score share a word, score above number: the best move is the
# greatest word, which compilers find with vector instructions.
# The figures say what the engine loses without a part in games at equal nodes (docs/search-algorithm.md).

cdef enum:                       # stages
    PICK_TABLE
    PICK_CAPTURES_INIT
    PICK_CAPTURES
    PICK_QUIETS_INIT
    PICK_QUIETS
    PICK_BAD_CAPTURES
    PICK_EVASIONS_INIT
    PICK_EVASIONS
    PICK_CHECKS_INIT
    PICK_CHECKS
    PICK_DONE

cdef enum:
    SCORE_BIAS = 1 << 17         # scores lie within this of zero

cdef enum:                       # what the caller wants
    WANT_ALL
    WANT_CAPTURES                # quiescence: no quiet moves, no losing captures
    WANT_CHECKS                  # the same and then quiet moves that give check
    WANT_WINNING                 # ProbCut: captures that win at least the threshold


cdef struct Picker:
    int stage
    int want
    int threshold                # WANT_WINNING: least exchange value
    bint skip_quiets             # set by the caller when it has seen enough of them
    move_t table_move
    int ply
    int n                        # moves in the list
    int next                     # moves taken so far
    int n_bad
    move_t bad[MAX_CAPTURES]     # losing captures, for the end
    move_t moves[MAX_MOVES]      # as generated
    uint32_t words[MAX_MOVES]    # (score + SCORE_BIAS) << MOVE_BITS | number of the move; 0 once taken


cdef void picker_init(Picker* p, Worker* w, int ply, move_t table_move, int want, int threshold) noexcept nogil:
    """Begin with the table move if it is a move that the caller wants: two positions may share a key."""
    cdef const Position* pos = &w.pos
    p.want = want
    p.threshold = threshold
    p.ply = ply
    p.skip_quiets = False
    p.n = p.next = p.n_bad = 0
    p.table_move = NO_MOVE
    if table_move != NO_MOVE and is_pseudo_legal(pos, table_move):
        if (want == WANT_ALL
                or set_any(pos.st.checkers)
                or (is_capture(pos, table_move)
                    and (want != WANT_WINNING or see_ge(pos, table_move, threshold)))):
            p.table_move = table_move
    p.stage = PICK_TABLE if p.table_move != NO_MOVE else next_stage(pos)


cdef inline int next_stage(const Position* pos) noexcept nogil:
    """What follows the table move."""
    return PICK_EVASIONS_INIT if set_any(pos.st.checkers) else PICK_CAPTURES_INIT


cdef inline uint32_t pack_word(int i, int score) noexcept nogil:
    ele_check(-SCORE_BIAS <= score < SCORE_BIAS, "pack_word: the score fits")
    return <uint32_t>(score + SCORE_BIAS) << MOVE_BITS | i


cdef inline int capture_score(Worker* w, move_t m) noexcept nogil:
    """The most valuable victim first, and how often such a capture has failed high: -6 [-41, +30] Elo without that."""
    cdef const Position* pos = &w.pos
    cdef int victim = type_of(pos.board[dst_of(m)])
    return (VICTIM_WEIGHT * SEE_VALUE[victim]
            + short_get(&w.moves.captures[pos.board[src_of(m)]][dst_of(m)][victim]))


cdef void score_captures(Picker* p, Worker* w) noexcept nogil:
    cdef int i
    for i in range(p.n):
        p.words[i] = pack_word(i, capture_score(w, p.moves[i]))


cdef void find_threats(const Position* pos, SquareBits unsafe, SquareBits* threats) noexcept nogil:
    """By kind, safe squares from which our cannons attack rooks, and our knights and pawns rooks and cannons."""
    cdef int us = pos.side, s
    cdef SquareBits rest = pieces(pos, us ^ 1, ROOK)
    memset(threats, 0, 8 * sizeof(SquareBits))
    while set_any(rest):
        s = pop_first(&rest)
        threats[CANNON] |= cannon_checks(pos, s) & ~unsafe
        threats[KNIGHT] |= KNIGHT_FROM[s][eyes_at(occupied(pos), s)] & ~unsafe
        threats[PAWN] |= PAWN_FROM[us][s] & ~unsafe
    rest = pieces(pos, us ^ 1, CANNON)
    while set_any(rest):
        s = pop_first(&rest)
        threats[KNIGHT] |= KNIGHT_FROM[s][eyes_at(occupied(pos), s)] & ~unsafe
        threats[PAWN] |= PAWN_FROM[us][s] & ~unsafe


cdef void score_quiets(Picker* p, Worker* w) noexcept nogil:
    """Score quiet moves by what failed high before: the move itself anywhere, after the same last moves, as a killer.

    Continuation histories are those of the moves one, two and four plies ago: -31 [-65, +3] Elo without them.
    Killers are the last quiet moves that failed high at this ply: -7 [-42, +27] Elo without them.
    On top come checks, attacks on rooks and cannons by something cheaper, leaving such an attack, and not going into
    one. Without checks by rook and knight and the last two: -30 [-64, +4] Elo. The others, with the attacked squares
    in butterfly(): +13 [+3, +24] Elo.
    """
    cdef const Position* pos = &w.pos
    cdef int us = pos.side, i, index, piece = EMPTY, kind = KING, src = NO_SQUARE, dst, score, danger = 0, escape = 0
    cdef move_t m
    cdef Frame* f = find_attacks(w, p.ply)
    cdef int16_t* after_1 = frame_at(w, p.ply - 1).cont
    cdef int16_t* after_2 = frame_at(w, p.ply - 2).cont
    cdef int16_t* after_4 = frame_at(w, p.ply - 4).cont
    cdef int their_king = pos.king[us ^ 1]
    # By the kind of the piece that moves, squares from which it attacks the king, or something that costs more, and
    # squares that something cheaper attacks.
    cdef SquareBits[8] checks, threats, dangers
    cdef SquareBits gains = SET(0, 0)
    memset(checks, 0, sizeof(checks))
    checks[ROOK] = rook_attacks(pos, their_king)
    checks[KNIGHT] = KNIGHT_FROM[their_king][eyes_at(occupied(pos), their_king)]
    checks[CANNON] = cannon_checks(pos, their_king)
    checks[PAWN] = PAWN_FROM[us][their_king]
    find_threats(pos, f.below_minors, threats)
    memset(dangers, 0, sizeof(dangers))
    dangers[ROOK] = f.below_rooks
    dangers[KNIGHT] = dangers[CANNON] = f.below_minors
    for i in range(p.n):
        m = p.moves[i]
        if src_of(m) != src:             # the moves of a piece follow each other
            src = src_of(m)
            piece = pos.board[src]
            kind = type_of(piece)
            gains = checks[kind] | threats[kind]
            danger = ROOK_THREAT if kind == ROOK else MINOR_THREAT
            escape = danger if set_has(dangers[kind], src) else 0
        dst = dst_of(m)
        index = piece * SQUARES + dst
        score = (short_get(butterfly(w, us, m, f.below_rooks)) + short_get(&after_1[index])
                 + short_get(&after_2[index]))
        score = NEAR_WEIGHT * score + short_get(&after_4[index]) + escape
        if m == f.killers[0]:
            score += FIRST_KILLER
        elif m == f.killers[1]:
            score += SECOND_KILLER
        if set_has(gains, dst):
            score += QUIET_CHECK * set_has(checks[kind], dst) + THREAT * set_has(threats[kind], dst)
        if set_has(dangers[kind], dst):
            score -= danger
        p.words[i] = pack_word(i, score)


cdef void score_evasions(Picker* p, Worker* w) noexcept nogil:
    """Captures first, the most valuable victim by the cheapest piece; then by what has failed high before."""
    cdef const Position* pos = &w.pos
    cdef int us = pos.side, i, index, score
    cdef move_t m
    cdef Frame* f = find_attacks(w, p.ply)
    cdef int16_t* after_1 = frame_at(w, p.ply - 1).cont
    for i in range(p.n):
        m = p.moves[i]
        if is_capture(pos, m):
            score = EVASION_CAPTURE + SEE_VALUE[type_of(pos.board[dst_of(m)])] - type_of(pos.board[src_of(m)])
        else:
            index = pos.board[src_of(m)] * SQUARES + dst_of(m)
            score = short_get(butterfly(w, us, m, f.below_rooks)) + short_get(&after_1[index])
        p.words[i] = pack_word(i, score)


cdef inline uint32_t take_best(Picker* p) noexcept nogil:
    """Remove and return the greatest word of those left."""
    cdef uint32_t best = 0
    cdef int i
    for i in range(p.n):
        best = max(best, p.words[i])
    p.words[best & (MAX_MOVES - 1)] = 0
    p.next += 1
    return best


cdef inline move_t move_of(const Picker* p, uint32_t word) noexcept nogil:
    return p.moves[word & (MAX_MOVES - 1)]


cdef inline int score_of(uint32_t word) noexcept nogil:
    return <int>(word >> MOVE_BITS) - SCORE_BIAS


cdef inline int least_exchange(const Picker* p, uint32_t word) noexcept nogil:
    """What the exchange of a capture must win to be tried now; one that history likes may lose a little."""
    if p.want == WANT_WINNING:
        return p.threshold
    if p.want == WANT_ALL:
        return -score_of(word) // LOSS_PARTS
    return 0


cdef move_t pick_next(Picker* p, Worker* w) noexcept nogil:
    """The next move to try, or NO_MOVE at the end."""
    cdef const Position* pos = &w.pos
    cdef SquareBits checkers, blockers
    cdef uint32_t word
    cdef move_t m
    cdef bint hollow
    # The table move: it was best, or refuted the node, when the position was searched before.
    if p.stage == PICK_TABLE:
        p.stage = next_stage(pos)
        return p.table_move
    # Captures that do not lose material.
    if p.stage == PICK_CAPTURES_INIT:
        p.n = gen_captures(pos, p.moves)
        score_captures(p, w)
        p.stage = PICK_CAPTURES
    if p.stage == PICK_CAPTURES:
        while p.next < p.n:
            word = take_best(p)
            m = move_of(p, word)
            if m == p.table_move:
                continue
            if see_ge(pos, m, least_exchange(p, word)):
                return m
            if p.want == WANT_ALL:
                p.bad[p.n_bad] = m
                p.n_bad += 1
        if p.want == WANT_ALL:
            p.stage = PICK_QUIETS_INIT
        elif p.want == WANT_CHECKS:
            p.stage = PICK_CHECKS_INIT
        else:
            p.stage = PICK_DONE
    # Quiet moves, unless the caller has seen enough of them.
    if p.stage == PICK_QUIETS_INIT:
        p.next = p.n = 0
        if not p.skip_quiets:
            p.n = gen_quiets(pos, p.moves)
            score_quiets(p, w)
        p.stage = PICK_QUIETS
    if p.stage == PICK_QUIETS:
        while p.next < p.n and not p.skip_quiets:
            m = move_of(p, take_best(p))
            if m != p.table_move:
                return m
        p.stage = PICK_BAD_CAPTURES
        p.next = 0
    # Quiescence: quiet checks.
    if p.stage == PICK_CHECKS_INIT:
        p.next = 0
        hollow = find_checks(pos, pos.side ^ 1, &checkers, &blockers)
        p.n = gen_checks(<Position*>pos, blockers, hollow, ~occupied(pos), p.moves)
        score_quiets(p, w)
        p.stage = PICK_CHECKS
    if p.stage == PICK_CHECKS:
        while p.next < p.n:
            m = move_of(p, take_best(p))
            if m != p.table_move:
                return m
        p.stage = PICK_DONE
    # Losing captures.
    if p.stage == PICK_BAD_CAPTURES:
        while p.next < p.n_bad:
            p.next += 1
            if p.bad[p.next - 1] != p.table_move:
                return p.bad[p.next - 1]
        p.stage = PICK_DONE
    # In check: all evasions.
    if p.stage == PICK_EVASIONS_INIT:
        p.n = gen_evasions(pos, p.moves)
        score_evasions(p, w)
        p.stage = PICK_EVASIONS
    if p.stage == PICK_EVASIONS:
        while p.next < p.n:
            m = move_of(p, take_best(p))
            if m != p.table_move:
                return m
        p.stage = PICK_DONE
    return NO_MOVE
