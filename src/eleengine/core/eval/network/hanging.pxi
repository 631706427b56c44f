# eval/network/hanging.pxi - which pieces hang: a first look at exchanges that costs little.
#
# Uses: board/position.
# It is the same in a mirror and with colours exchanged.

cdef inline SquareBits pawn_attacks(const Position* pos, int side) noexcept nogil:
    """What a side's pawns attack and protect; beyond the last rank, too."""
    cdef SquareBits pawns = pieces(pos, side, PAWN), crossed = pawns & HALF[side ^ 1], file_a = SPREAD[1023]
    return (pawns << 9 if side == RED else pawns >> 9) | (crossed & ~file_a) >> 1 | (crossed & ~(file_a << 8)) << 1


cdef inline SquareBits hanging_pieces(const Position* pos) noexcept nogil:
    """Those of both sides that an enemy attacks and that are not protected, or worth more than that enemy.

    Knights and cannons are worth more than light pieces, rooks more than all others. Kings do not hang.
    """
    # What the sides attack and protect: with their light pieces, with knights and cannons, and with all.
    cdef SquareBits[2] light
    cdef SquareBits[2] middle
    cdef SquareBits[2] every
    cdef SquareBits rooks = pos.by_type[ROOK], heavier = rooks | pos.by_type[KNIGHT] | pos.by_type[CANNON]
    cdef SquareBits rest, found = SET(0, 0)
    cdef int s, side
    for side in range(2):
        light[side] = pawn_attacks(pos, side) | KING_TO[pos.king[side]]
        middle[side] = SET(0, 0)
    rest = pos.by_type[ADVISOR]
    while set_any(rest):
        s = pop_first(&rest)
        side = side_of(pos.board[s])
        light[side] |= advisor_attacks(side, s)
    rest = pos.by_type[BISHOP]
    while set_any(rest):
        s = pop_first(&rest)
        side = side_of(pos.board[s])
        light[side] |= bishop_attacks(pos, side, s)
    rest = pos.by_type[KNIGHT]
    while set_any(rest):
        s = pop_first(&rest)
        middle[side_of(pos.board[s])] |= knight_attacks(pos, s)
    rest = pos.by_type[CANNON]
    while set_any(rest):
        s = pop_first(&rest)
        middle[side_of(pos.board[s])] |= cannon_attacks(pos, s)
    for side in range(2):
        every[side] = light[side] | middle[side]
    rest = rooks
    while set_any(rest):
        s = pop_first(&rest)
        every[side_of(pos.board[s])] |= rook_attacks(pos, s)
    for side in range(2):
        found |= pos.by_side[side] & ((every[side ^ 1] & ~every[side]) | (light[side ^ 1] & heavier)
                                      | (middle[side ^ 1] & rooks))
    return found & ~pos.by_type[KING]
