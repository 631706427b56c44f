# board/movegen.pxi - lists of moves for the search, and all legal moves.
#
# Uses: board/position.
# The generators write pseudo-legal moves to a list of at least MAX_MOVES and return its new
# length. is_legal does the rest; out of check it answers most moves without any work.


cdef inline int add_moves(move_t* out, int n, int src, SquareBits targets) noexcept nogil:
    while set_any(targets):
        out[n] = make_move(src, pop_first(&targets))
        n += 1
    return n


cdef inline int add_moves_to(const Position* pos, move_t* out, SquareBits targets, bint quiet) noexcept nogil:
    """All moves of the side to move that end on the targets, all of them empty (quiet) or none."""
    cdef int us = pos.side, s, n = 0
    cdef SquareBits own = pos.by_side[us], rest
    n = add_moves(out, n, pos.king[us], KING_TO[pos.king[us]] & targets)
    rest = own & pos.by_type[ADVISOR]
    while set_any(rest):
        s = pop_first(&rest)
        n = add_moves(out, n, s, advisor_attacks(us, s) & targets)
    rest = own & pos.by_type[BISHOP]
    while set_any(rest):
        s = pop_first(&rest)
        n = add_moves(out, n, s, bishop_attacks(pos, us, s) & targets)
    rest = own & pos.by_type[PAWN]
    while set_any(rest):
        s = pop_first(&rest)
        n = add_moves(out, n, s, PAWN_TO[us][s] & targets)
    rest = own & pos.by_type[KNIGHT]
    while set_any(rest):
        s = pop_first(&rest)
        n = add_moves(out, n, s, knight_attacks(pos, s) & targets)
    rest = own & pos.by_type[CANNON]
    while set_any(rest):
        s = pop_first(&rest)
        n = add_moves(out, n, s, (rook_attacks(pos, s) if quiet else cannon_attacks(pos, s)) & targets)
    rest = own & pos.by_type[ROOK]
    while set_any(rest):
        s = pop_first(&rest)
        n = add_moves(out, n, s, rook_attacks(pos, s) & targets)
    return n


cdef int gen_captures(const Position* pos, move_t* out) noexcept nogil:
    return add_moves_to(pos, out, pos.by_side[pos.side ^ 1] & ~pos.by_type[KING], False)


cdef int gen_quiets(const Position* pos, move_t* out) noexcept nogil:
    return add_moves_to(pos, out, ~occupied(pos), True)


cdef inline SquareBits destinations(const Position* pos, int s) noexcept nogil:
    """All pseudo-legal destinations of our piece on s."""
    cdef int piece = pos.board[s]
    cdef SquareBits targets
    if type_of(piece) == CANNON:
        targets = (rook_attacks(pos, s) & ~occupied(pos)) | (cannon_attacks(pos, s) & occupied(pos))
    else:
        targets = attacks_from(pos, piece, s)
    return targets & ~pos.by_side[pos.side] & ~pos.by_type[KING]


cdef inline SquareBits cannon_checks(const Position* pos, int k) noexcept nogil:
    """Squares from which a cannon attacks k: behind the first piece on each line, up to the second."""
    cdef int rank = rank_of(k), file = file_of(k)
    cdef int near_rank = ROOK_RANK[file][pos.rank_occ[rank]], near_file = ROOK_FILE[rank][pos.file_occ[file]]
    cdef int far_rank = ROOK_RANK[file][pos.rank_occ[rank] & ~near_rank] & ~near_rank
    cdef int far_file = ROOK_FILE[rank][pos.file_occ[file] & ~near_file] & ~near_file
    return <SquareBits>far_rank << (9 * rank) | SPREAD[far_file] << file


cdef int gen_checks(Position* pos, SquareBits blockers, bint hollow, SquareBits targets, move_t* out) noexcept nogil:
    """Pseudo-legal moves of the side to move to the targets that attack the enemy king.

    blockers, hollow: of that king, as find_checks returns them.
    """
    cdef int us = pos.side, k = pos.king[us ^ 1], s, i, total, n = 0
    cdef SquareBits occ = occupied(pos), own = pos.by_side[us], rest, found
    cdef SquareBits rooks = rook_attacks(pos, k) & targets, cannons = cannon_checks(pos, k) & targets
    # A piece that uncovers another may go anywhere, and before a hollow cannon everything is a screen.
    rest = own if hollow else own & blockers
    while set_any(rest):
        s = pop_first(&rest)
        total = add_moves(out, n, s, destinations(pos, s) & targets)
        for i in range(n, total):
            if gives_check(pos, out[i]):
                out[n] = out[i]
                n += 1
    if hollow:
        return n
    own &= ~blockers
    rest = own & pos.by_type[ROOK]
    while set_any(rest):
        s = pop_first(&rest)
        n = add_moves(out, n, s, rook_attacks(pos, s) & rooks)
    rest = own & pos.by_type[CANNON]
    while set_any(rest):
        s = pop_first(&rest)
        found = (rook_attacks(pos, s) & ~occ) | (cannon_attacks(pos, s) & occ)
        n = add_moves(out, n, s, found & cannons)
    found = KNIGHT_FROM[k][eyes_at(occ, k)] & targets
    if set_any(found):
        rest = own & pos.by_type[KNIGHT]
        while set_any(rest):
            s = pop_first(&rest)
            n = add_moves(out, n, s, knight_attacks(pos, s) & found)
    found = PAWN_FROM[us][k] & targets
    if set_any(found):
        rest = own & pos.by_type[PAWN]
        while set_any(rest):
            s = pop_first(&rest)
            n = add_moves(out, n, s, PAWN_TO[us][s] & found)
    return n


cdef int gen_evasions(const Position* pos, move_t* out) noexcept nogil:
    """Moves that may answer a check; every legal move is among them.

    The king moves, the checker is captured, something steps between (or onto the knight's leg), or the screen of a
    cannon leaves. A move that answers several checkers answers the first one.
    """
    cdef const State* st = pos.st
    cdef int us = pos.side, k = pos.king[us]
    cdef int checker, s, kind, n = 0
    cdef SquareBits rest, targets, screen = SET(0, 0)
    checker = set_first(st.checkers)
    kind = type_of(pos.board[checker])
    targets = BIT(checker)
    if kind == KNIGHT:
        targets |= BIT(KNIGHT_LEG[checker][k])
    elif kind != PAWN:
        targets |= BETWEEN[k][checker]
        if kind == CANNON:
            screen = BETWEEN[k][checker] & pos.by_side[us]
    rest = pos.by_side[us]
    while set_any(rest):
        s = pop_first(&rest)
        if s == k or set_has(screen, s):
            n = add_moves(out, n, s, destinations(pos, s))
        else:
            n = add_moves(out, n, s, destinations(pos, s) & targets)
    return n


cdef int gen_pseudo_legal(const Position* pos, move_t* out) noexcept nogil:
    cdef SquareBits rest = pos.by_side[pos.side]
    cdef int s, n = 0
    while set_any(rest):
        s = pop_first(&rest)
        n = add_moves(out, n, s, destinations(pos, s))
    return n


cdef int gen_legal(const Position* pos, move_t* out) noexcept nogil:
    """Write the legal moves to out[0..n) and return n, ordered by source square, then destination."""
    cdef int i, total, n = 0
    if set_any(pos.st.checkers):
        total = gen_evasions(pos, out)
    else:
        total = gen_pseudo_legal(pos, out)
    ele_check(total <= MAX_MOVES, "gen_legal: the list holds all moves")
    for i in range(total):
        if is_legal(pos, out[i]):
            out[n] = out[i]
            n += 1
    return n


cdef int count_legal(const Position* pos) noexcept nogil:
    """The number of legal moves, mostly without looking at single moves."""
    cdef move_t moves[MAX_MOVES]
    cdef SquareBits rest, targets
    cdef int us = pos.side, k = pos.king[us], s, n = 0
    if set_any(pos.st.checkers) or pos.st.hollow:
        return gen_legal(pos, moves)
    rest = pos.by_side[us] & ~pos.st.blockers & ~BIT(k)
    while set_any(rest):
        s = pop_first(&rest)
        n += set_count(destinations(pos, s))
    rest = (pos.by_side[us] & pos.st.blockers) | BIT(k)
    while set_any(rest):
        s = pop_first(&rest)
        targets = destinations(pos, s)
        while set_any(targets):
            n += is_legal(pos, make_move(s, pop_first(&targets)))
    return n


cdef bint has_legal_move(const Position* pos) noexcept nogil:
    """Mostly answered by the first piece that is looked at."""
    cdef move_t moves[MAX_MOVES]
    cdef SquareBits rest, targets
    cdef int i, n, s
    if set_any(pos.st.checkers):
        n = gen_evasions(pos, moves)
        for i in range(n):
            if is_legal(pos, moves[i]):
                return True
        return False
    rest = pos.by_side[pos.side]
    while set_any(rest):
        s = pop_first(&rest)
        targets = destinations(pos, s)
        while set_any(targets):
            if is_legal(pos, make_move(s, pop_first(&targets))):
                return True
    return False
