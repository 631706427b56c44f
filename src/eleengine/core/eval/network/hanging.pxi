# eval/network/hanging.pxi - which pieces hang: a first look at exchanges that costs little.
#
# Uses: board/position.
# It is the same in a mirror and with colours exchanged.

cdef inline SquareBits hanging_pieces(const Position* pos) noexcept nogil:
    """Those of both sides that an enemy attacks and that are not protected, or are worth more than that enemy.

    Knights and cannons are worth more than light pieces, rooks more than all others. Kings do not hang.
    """
    # What the sides attack and protect: with their light pieces, with knights and cannons, and with all.
    cdef SquareBits[2] light
    cdef SquareBits[2] middle
    cdef SquareBits[2] every
    cdef SquareBits rooks = pos.by_type[ROOK], heavier = rooks | pos.by_type[KNIGHT] | pos.by_type[CANNON]
    cdef SquareBits rest, found = SET(0, 0)
    cdef int side
    for side in range(2):
        light[side] = pawn_and_guard_attacks(pos, side) | KING_TO[pos.king[side]]
        middle[side] = knight_and_cannon_attacks(pos, side)
        every[side] = light[side] | middle[side]
        rest = pos.by_side[side] & rooks
        while set_any(rest):
            every[side] |= rook_attacks(pos, pop_first(&rest))
    for side in range(2):
        found |= pos.by_side[side] & ((every[side ^ 1] & ~every[side]) | (light[side ^ 1] & heavier)
                                      | (middle[side ^ 1] & rooks))
    return found & ~pos.by_type[KING]
