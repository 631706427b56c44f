# board/see.pxi - static exchange evaluation: what a move wins on its destination.
#
# Uses: board/movegen.
# After each capture the attackers are found anew, for a piece that leaves may be the screen of
# one cannon, uncover another, or free a knight's leg. Both sides capture with their least
# valuable piece that may legally do so, or stop.

cdef extern from *:
    """
    static const int16_t SEE_VALUE[8] = { 0, 5000, 160, 150, 480, 1000, 520, 110 };
    static const int8_t SEE_ORDER[7] = { 7, 3, 2, 4, 6, 5, 1 };      /* P B A N C R K */
    """
    const int16_t SEE_VALUE[8]
    const int8_t SEE_ORDER[7]


cdef inline SquareBits line_attackers(SquareBits rest, int target, SquareBits occ, int between) noexcept nogil:
    """Those of rest, all on lines of the target, with `between` pieces between them and it."""
    cdef SquareBits found = SET(0, 0)
    cdef int s
    while set_any(rest):
        s = pop_first(&rest)
        if set_count(BETWEEN[target][s] & occ) == between:
            found |= BIT(s)
    return found


cdef int least_attacker(const Position* pos, int side, int target, SquareBits occ) noexcept nogil:
    """The square of side's least valuable piece that may legally capture on target, or NO_SQUARE."""
    cdef SquareBits own = pos.by_side[side] & occ
    cdef SquareBits enemy = pos.by_side[side ^ 1] & ~BIT(target)
    cdef SquareBits rest, after
    cdef int i, s, k, kind
    for i in range(7):
        kind = SEE_ORDER[i]
        rest = own & pos.by_type[kind]
        if kind == PAWN:
            rest &= PAWN_FROM[side][target]
        elif kind == BISHOP:
            rest &= BISHOP_TO[target][eyes_at(occ, target)] if half_of(target) == side else SET(0, 0)
        elif kind == ADVISOR:
            rest &= ADVISOR_TO[target] if set_has(PALACE[side], target) else SET(0, 0)
        elif kind == KNIGHT:
            rest &= KNIGHT_FROM[target][eyes_at(occ, target)]
        elif kind == KING:
            rest &= KING_TO[target]
        else:
            rest = line_attackers(rest & LINES[target], target, occ, kind == CANNON)
        while set_any(rest):
            s = pop_first(&rest)
            after = occ & ~BIT(s)
            k = target if kind == KING else pos.king[side]
            if not king_attacked(pos, k, side ^ 1, after, enemy & after):
                return s
    return NO_SQUARE


cdef int see(const Position* pos, move_t m) noexcept nogil:
    """Centipawns that the side to move wins with the legal move m if both exchange well on its destination."""
    cdef int gain[32]
    cdef int src = src_of(m), target = dst_of(m)
    cdef int side = pos.side, s, n = 0
    cdef int standing = type_of(pos.board[src])              # what stands on the target now
    cdef SquareBits occ = (occupied(pos) & ~BIT(src)) | BIT(target)
    gain[0] = SEE_VALUE[type_of(pos.board[target])]
    while True:
        side ^= 1
        s = least_attacker(pos, side, target, occ)
        if s == NO_SQUARE:
            break
        n += 1
        gain[n] = SEE_VALUE[standing] - gain[n - 1]          # if side captures and nothing follows
        standing = type_of(pos.board[s])
        occ &= ~BIT(s)
    while n > 0:
        # The side that made capture n may have stopped instead.
        if gain[n] > -gain[n - 1]:
            gain[n - 1] = -gain[n]
        n -= 1
    return gain[0]


cdef bint see_ge(const Position* pos, move_t m, int threshold) noexcept nogil:
    """Is see(pos, m) at least threshold? Stops as soon as that is known."""
    cdef int src = src_of(m), target = dst_of(m)
    cdef int side = pos.side, s
    cdef int standing = type_of(pos.board[src])
    cdef int balance                                         # for the side that has just captured, over what it needs
    cdef bint ok = True                                      # would the mover be content if it stopped here?
    cdef SquareBits occ
    balance = SEE_VALUE[type_of(pos.board[target])] - threshold
    if balance < 0:
        return False
    balance -= SEE_VALUE[standing]
    if balance >= 0:
        return True
    occ = (occupied(pos) & ~BIT(src)) | BIT(target)
    while True:
        side ^= 1
        s = least_attacker(pos, side, target, occ)
        if s == NO_SQUARE:
            break
        ok = not ok
        standing = type_of(pos.board[s])
        occ &= ~BIT(s)
        balance = -balance - 1 - SEE_VALUE[standing]
        if balance >= 0:
            break
    return ok
