# board/position.pxi - what stands where, and how a move changes it.
#
# Uses: base/types, base/tables.
# do_move writes the next State behind the current one, undo_move steps back: the owner of the
# Position provides the array of states. Checkers, blockers and keys of the current state are
# always up to date. A king may be missing only while a board is being edited.


cdef inline void toggle_occupancy(Position* pos, int s) noexcept nogil:
    pos.rank_occ[rank_of(s)] ^= <uint16_t>(1 << file_of(s))
    pos.file_occ[file_of(s)] ^= <uint16_t>(1 << rank_of(s))


cdef inline void toggle_keys(State* st, int piece, int s) noexcept nogil:
    """Keys of the incremental hashes: what is removed and what is added look the same."""
    cdef int kind = type_of(piece)
    cdef uint64_t k = ZOBRIST[piece][s]
    st.key ^= k
    if kind == PAWN:
        st.pawn_key ^= k
    elif kind <= BISHOP:
        st.minor_key ^= k
    else:
        st.major_key[side_of(piece)] ^= k


cdef inline void table_put(Position* pos, int piece, int s) noexcept nogil:
    """put_piece without keys and phase, which endgame tables do not ask for."""
    pos.board[s] = <uint8_t>piece
    pos.by_type[type_of(piece)] |= BIT(s)
    pos.by_side[side_of(piece)] |= BIT(s)
    toggle_occupancy(pos, s)
    if type_of(piece) == KING:
        pos.king[side_of(piece)] = <uint8_t>s


cdef inline void table_remove(Position* pos, int s) noexcept nogil:
    cdef int piece = pos.board[s]
    pos.board[s] = EMPTY
    pos.by_type[type_of(piece)] ^= BIT(s)
    pos.by_side[side_of(piece)] ^= BIT(s)
    toggle_occupancy(pos, s)


cdef void put_piece(Position* pos, int piece, int s) noexcept nogil:
    ele_check(pos.board[s] == EMPTY, "put_piece: the square is empty")
    ele_check(type_of(piece) != 0, "put_piece: a real piece")
    table_put(pos, piece, s)
    toggle_keys(pos.st, piece, s)
    pos.phase += PHASE[type_of(piece)]


cdef void remove_piece(Position* pos, int s) noexcept nogil:
    cdef int piece = pos.board[s]
    cdef SquareBits others
    ele_check(piece != EMPTY, "remove_piece: a piece stands there")
    table_remove(pos, s)
    toggle_keys(pos.st, piece, s)
    pos.phase -= PHASE[type_of(piece)]
    if type_of(piece) == KING:
        others = pieces(pos, side_of(piece), KING)       # an edited board may have had several
        pos.king[side_of(piece)] = <uint8_t>(set_first(others) if set_any(others) else NO_SQUARE)


cdef void clear_position(Position* pos, State* st) noexcept nogil:
    """An empty board, Red to move, whose history starts at st."""
    memset(pos, 0, sizeof(Position))
    memset(st, 0, sizeof(State))
    pos.st = st
    pos.king[RED] = pos.king[BLACK] = NO_SQUARE


cdef inline SquareBits rook_attacks(const Position* pos, int s) noexcept nogil:
    """Squares up to and including the first piece in each direction."""
    cdef int rank = rank_of(s), file = file_of(s)
    return (<SquareBits>ROOK_RANK[file][pos.rank_occ[rank]] << (9 * rank)
            | SPREAD[ROOK_FILE[rank][pos.file_occ[file]]] << file)


cdef inline SquareBits cannon_attacks(const Position* pos, int s) noexcept nogil:
    """The second piece in each direction: what a cannon on s captures or protects."""
    cdef int rank = rank_of(s), file = file_of(s)
    return (<SquareBits>CANNON_RANK[file][pos.rank_occ[rank]] << (9 * rank)
            | SPREAD[CANNON_FILE[rank][pos.file_occ[file]]] << file)


cdef inline SquareBits knight_attacks(const Position* pos, int s) noexcept nogil:
    return KNIGHT_TO[s][legs_at(occupied(pos), s)]


cdef inline SquareBits bishop_attacks(const Position* pos, int side, int s) noexcept nogil:
    return BISHOP_TO[s][eyes_at(occupied(pos), s)] & HALF[side]


cdef inline SquareBits advisor_attacks(int side, int s) noexcept nogil:
    return ADVISOR_TO[s] & PALACE[side]


cdef inline int half_of(int s) noexcept nogil:
    """The side whose half of the board the square is in: only its bishops and advisors may go there."""
    return RED if s < SQUARES // 2 else BLACK


cdef SquareBits attacks_from(const Position* pos, int piece, int s) noexcept nogil:
    """Squares that the piece, standing on s, could capture on."""
    cdef int kind = type_of(piece)
    if kind == ROOK:
        return rook_attacks(pos, s)
    if kind == CANNON:
        return cannon_attacks(pos, s)
    if kind == KNIGHT:
        return knight_attacks(pos, s)
    if kind == PAWN:
        return PAWN_TO[side_of(piece)][s]
    if kind == BISHOP:
        return bishop_attacks(pos, side_of(piece), s)
    if kind == ADVISOR:
        return advisor_attacks(side_of(piece), s)
    return KING_TO[s]


cdef inline SquareBits pawn_attacks(const Position* pos, int side) noexcept nogil:
    """Squares that side's pawns attack: forward, and beyond the river to both sides."""
    cdef SquareBits pawns = pieces(pos, side, PAWN), crossed = pawns & ~HALF[side]
    return ((pawns << 9 & BOARD if side == RED else pawns >> 9)
            | (crossed << 1 & ~FILE_A) | (crossed >> 1 & ~(FILE_A << 8)))


cdef SquareBits pawn_and_guard_attacks(const Position* pos, int side) noexcept nogil:
    """Squares that side's pawns, advisors and bishops attack."""
    cdef SquareBits rest = pieces(pos, side, ADVISOR), found = pawn_attacks(pos, side)
    while set_any(rest):
        found |= advisor_attacks(side, pop_first(&rest))
    rest = pieces(pos, side, BISHOP)
    while set_any(rest):
        found |= bishop_attacks(pos, side, pop_first(&rest))
    return found


cdef SquareBits knight_and_cannon_attacks(const Position* pos, int side) noexcept nogil:
    """Squares that side's knights and cannons attack; of a cannon only pieces are counted."""
    cdef SquareBits rest = pieces(pos, side, KNIGHT), found = SET(0, 0)
    while set_any(rest):
        found |= knight_attacks(pos, pop_first(&rest))
    rest = pieces(pos, side, CANNON)
    while set_any(rest):
        found |= cannon_attacks(pos, pop_first(&rest))
    return found


cdef SquareBits attackers_to(const Position* pos, int s, SquareBits occ) noexcept nogil:
    """Pieces of both sides that could capture on s if just the squares of occ were occupied.

    Facing kings do not count: a king is never captured.
    """
    cdef SquareBits found, rest
    cdef int c, n
    found = KNIGHT_FROM[s][eyes_at(occ, s)] & pos.by_type[KNIGHT]
    found |= PAWN_FROM[RED][s] & pieces(pos, RED, PAWN)
    found |= PAWN_FROM[BLACK][s] & pieces(pos, BLACK, PAWN)
    found |= BISHOP_TO[s][eyes_at(occ, s)] & pieces(pos, half_of(s), BISHOP)
    if set_has(PALACE[half_of(s)], s):
        found |= ADVISOR_TO[s] & pieces(pos, half_of(s), ADVISOR)
    found |= KING_TO[s] & pos.by_type[KING]
    rest = LINES[s] & (pos.by_type[ROOK] | pos.by_type[CANNON])
    while set_any(rest):
        c = pop_first(&rest)
        n = set_count(BETWEEN[s][c] & occ)
        if n == (1 if type_of(pos.board[c]) == CANNON else 0):
            found |= BIT(c)
    return found & occ


cdef bint king_attacked(const Position* pos, int s, int them, SquareBits occ, SquareBits alive) noexcept nogil:
    """Would a king on s be attacked by them, facing kings included?

    occ: the occupied squares; alive: those of their pieces that still stand.
    """
    cdef SquareBits rest = LINES[s] & alive & (pos.by_type[ROOK] | pos.by_type[CANNON] | pos.by_type[KING])
    cdef int c, n
    while set_any(rest):
        c = pop_first(&rest)
        n = set_count(BETWEEN[s][c] & occ)
        if n == (1 if type_of(pos.board[c]) == CANNON else 0):
            return True
    if set_any(PAWN_FROM[them][s] & alive & pos.by_type[PAWN]):
        return True
    if set_any(KNIGHT_RING[s] & alive & pos.by_type[KNIGHT]):
        return set_any(KNIGHT_FROM[s][eyes_at(occ, s)] & alive & pos.by_type[KNIGHT])
    return False


cdef bint find_checks(const Position* pos, int side, SquareBits* checkers, SquareBits* blockers) noexcept nogil:
    """The enemies that attack side's king and the pieces that shield it from others.

    Returns whether an enemy cannon looks at the king with nothing between (hollow cannon):
    then any piece that steps between gives check.
    """
    cdef int them = side ^ 1, k = pos.king[side], c, n, kind, leg
    cdef SquareBits enemy = pos.by_side[them], occ = occupied(pos), rest, screen
    cdef bint hollow = False
    checkers[0] = PAWN_FROM[them][k] & enemy & pos.by_type[PAWN]
    blockers[0] = SET(0, 0)
    rest = KNIGHT_RING[k] & enemy & pos.by_type[KNIGHT]
    while set_any(rest):
        c = pop_first(&rest)
        leg = KNIGHT_LEG[c][k]
        if pos.board[leg] == EMPTY:
            checkers[0] |= BIT(c)
        else:
            blockers[0] |= BIT(leg)
    rest = LINES[k] & enemy & (pos.by_type[ROOK] | pos.by_type[CANNON] | pos.by_type[KING])
    while set_any(rest):
        c = pop_first(&rest)
        kind = type_of(pos.board[c])
        screen = BETWEEN[k][c] & occ
        n = set_count(screen)
        if kind == CANNON:
            if n == 1:
                checkers[0] |= BIT(c)
            elif n == 2:
                blockers[0] |= screen
            elif n == 0:
                hollow = True
        elif n == 0:
            checkers[0] |= BIT(c)
        elif n == 1:
            blockers[0] |= screen
    return hollow


cdef inline void update_checks(Position* pos) noexcept nogil:
    """Recompute checkers, blockers and hollow of the current state."""
    cdef State* st = pos.st
    if pos.king[pos.side] == NO_SQUARE:
        st.checkers = st.blockers = SET(0, 0)
        st.hollow = False
    else:
        st.hollow = find_checks(pos, pos.side, &st.checkers, &st.blockers)


cdef bint is_legal(const Position* pos, move_t m) noexcept nogil:
    """Does the pseudo-legal move m leave our king safe?"""
    cdef int src = src_of(m), dst = dst_of(m)
    cdef int us = pos.side, them = us ^ 1
    cdef int k = pos.king[us]
    if src == k:
        k = dst
    elif not (set_any(pos.st.checkers) or pos.st.hollow or set_has(pos.st.blockers, src)):
        return True
    return not king_attacked(pos, k, them, (occupied(pos) & ~BIT(src)) | BIT(dst), pos.by_side[them] & ~BIT(dst))


cdef bint gives_check(Position* pos, move_t m) noexcept nogil:
    """Will the legal move m attack the enemy king?"""
    cdef int src = src_of(m), dst = dst_of(m)
    cdef int us = pos.side, them = us ^ 1
    cdef int k = pos.king[them]
    cdef int kind = type_of(pos.board[src])
    cdef SquareBits occ = (occupied(pos) & ~BIT(src)) | BIT(dst)
    cdef SquareBits others = pos.by_side[us] & ~BIT(src)
    # The moved piece itself is not yet in its place: test it by hand, the others as they stand.
    if kind == ROOK:
        if set_has(LINES[k], dst) and not set_any(BETWEEN[k][dst] & occ):
            return True
    elif kind == CANNON:
        if set_has(LINES[k], dst) and set_count(BETWEEN[k][dst] & occ) == 1:
            return True
    elif kind == KNIGHT:
        if set_has(KNIGHT_RING[k], dst) and not set_has(occ, KNIGHT_LEG[dst][k]):
            return True
    elif kind == PAWN:
        if set_has(PAWN_TO[us][dst], k):
            return True
    return king_attacked(pos, k, us, occ, others)


cdef bint is_pseudo_legal(const Position* pos, move_t m) noexcept nogil:
    """Is m, any 16 bits, a move of the side to move, its own king's safety aside?"""
    cdef int src = src_of(m), dst = dst_of(m)
    cdef int piece, target, kind
    if src >= SQUARES or dst >= SQUARES:
        return False
    piece = pos.board[src]
    target = pos.board[dst]
    if piece == EMPTY or side_of(piece) != pos.side:
        return False
    if target != EMPTY and (side_of(target) == pos.side or type_of(target) == KING):
        return False
    kind = type_of(piece)
    if kind == CANNON and target == EMPTY:
        return set_has(rook_attacks(pos, src), dst)
    return set_has(attacks_from(pos, piece, src), dst)


cdef inline bint is_capture(const Position* pos, move_t m) noexcept nogil:
    """Does a move that the position allows capture?"""
    return pos.board[dst_of(m)] != EMPTY


cdef inline uint64_t key_after(const Position* pos, move_t m) noexcept nogil:
    """The key of the position that m leads to."""
    cdef int piece = pos.board[src_of(m)]
    return (pos.st.key ^ ZOBRIST_SIDE ^ ZOBRIST[piece][src_of(m)] ^ ZOBRIST[piece][dst_of(m)]
            ^ ZOBRIST[pos.board[dst_of(m)]][dst_of(m)])


cdef void do_move(Position* pos, move_t m) noexcept nogil:
    """Play the legal move m; the next State in memory is overwritten."""
    cdef int src = src_of(m), dst = dst_of(m)
    cdef int piece = pos.board[src], victim = pos.board[dst]
    cdef int us = pos.side
    cdef SquareBits both = BIT(src) | BIT(dst)
    cdef State* old = pos.st
    cdef State* st = old + 1
    ele_check(piece != EMPTY and side_of(piece) == us, "do_move: our piece moves")
    ele_check(type_of(victim) != KING and (victim == EMPTY or side_of(victim) != us), "do_move: a lawful victim")
    memcpy(st, old, sizeof(State))
    pos.st = st
    st.move = m
    st.moved = <uint8_t>piece
    st.captured = <uint8_t>victim
    if victim != EMPTY:
        pos.by_type[type_of(victim)] ^= BIT(dst)
        pos.by_side[us ^ 1] ^= BIT(dst)
        toggle_occupancy(pos, dst)
        toggle_keys(st, victim, dst)
        pos.phase -= PHASE[type_of(victim)]
        st.halfmove_clock = st.plies_from_null = st.rule60 = 0
        st.checks_given[RED] = st.checks_given[BLACK] = 0
    else:
        st.halfmove_clock += 1
        st.plies_from_null += 1
    pos.board[dst] = <uint8_t>piece
    pos.board[src] = EMPTY
    pos.by_type[type_of(piece)] ^= both
    pos.by_side[us] ^= both
    toggle_occupancy(pos, src)
    toggle_occupancy(pos, dst)
    toggle_keys(st, piece, src)
    toggle_keys(st, piece, dst)
    st.key ^= ZOBRIST_SIDE
    if type_of(piece) == KING:
        pos.king[us] = <uint8_t>dst
    pos.side = <uint8_t>(us ^ 1)
    pos.ply += 1
    update_checks(pos)
    if victim == EMPTY:
        count_quiet_move(pos, old)


cdef inline void count_quiet_move(Position* pos, const State* old) noexcept nogil:
    """The no-capture rule: of each side's checks, and of the replies to them, only ten count."""
    cdef State* st = pos.st
    cdef int us = pos.side ^ 1                       # who has just moved
    if set_any(st.checkers):
        st.checks_given[us] += 1
        if st.checks_given[us] > MAX_COUNTED_CHECKS:
            return
    if set_any(old.checkers) and st.checks_given[us ^ 1] > MAX_COUNTED_CHECKS:
        return
    st.rule60 += 1


cdef void undo_move(Position* pos) noexcept nogil:
    """Take back the last move played with do_move."""
    cdef State* st = pos.st
    cdef int src = src_of(st.move), dst = dst_of(st.move)
    cdef int piece = pos.board[dst], victim = st.captured
    cdef int us = pos.side ^ 1
    cdef SquareBits both = BIT(src) | BIT(dst)
    pos.side = <uint8_t>us
    pos.board[src] = <uint8_t>piece
    pos.board[dst] = <uint8_t>victim
    pos.by_type[type_of(piece)] ^= both
    pos.by_side[us] ^= both
    toggle_occupancy(pos, src)
    if type_of(piece) == KING:
        pos.king[us] = <uint8_t>src
    if victim != EMPTY:
        pos.by_type[type_of(victim)] ^= BIT(dst)
        pos.by_side[us ^ 1] ^= BIT(dst)
        pos.phase += PHASE[type_of(victim)]
    else:
        toggle_occupancy(pos, dst)
    pos.st = st - 1
    pos.ply -= 1


cdef void do_null(Position* pos) noexcept nogil:
    """Pass; only when not in check."""
    cdef State* st = pos.st + 1
    ele_check(not set_any(pos.st.checkers), "do_null: not in check")
    memcpy(st, pos.st, sizeof(State))
    pos.st = st
    st.move = NO_MOVE
    st.moved = st.captured = EMPTY
    st.key ^= ZOBRIST_SIDE
    st.halfmove_clock += 1
    st.plies_from_null = 0                           # no repetition reaches across a pass
    pos.side ^= 1
    pos.ply += 1
    update_checks(pos)


cdef void undo_null(Position* pos) noexcept nogil:
    pos.st -= 1
    pos.side ^= 1
    pos.ply -= 1
