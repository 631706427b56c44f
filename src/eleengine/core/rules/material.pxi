# rules/material.pxi - draws because neither side can win any more.
#
# Uses: rules/chases.


cdef bint can_mate_at_once(const Position* pos) noexcept nogil:
    cdef move_t moves[MAX_MOVES]
    cdef State states[2]
    cdef Position line = pos[0]
    cdef int i, n
    cdef bint mate
    states[0] = pos.st[0]
    line.st = states
    n = gen_legal(&line, moves)
    for i in range(n):
        do_move(&line, moves[i])
        mate = not has_legal_move(&line)
        undo_move(&line)
        if mate:
            return True
    return False


cdef bint cannons_cannot_win(const Position* pos) noexcept nogil:
    """Rule set computer: a cannon on one side or on both, alone, without advisors of its own for screens.

    Where a mate is possible but hardly ever forced, it must be one move away.
    """
    cdef SquareBits cannons = pos.by_type[CANNON]
    cdef int owner = RED if set_any(cannons & pos.by_side[RED]) else BLACK
    cdef int guards = set_count(pieces(pos, owner ^ 1, ADVISOR))
    cdef bint screens = set_any(pieces(pos, owner, BISHOP)), certain
    if set_any(pos.by_type[KNIGHT] | pos.by_type[ROOK]) or set_any(pieces(pos, owner, ADVISOR)):
        return False
    if set_count(cannons) == 1:
        if guards >= 2 and screens:
            return False
        certain = guards == 0 or (guards == 1 and not screens)
    elif set_any(cannons & pos.by_side[owner ^ 1]) and guards == 0:
        certain = not set_any(pos.by_type[BISHOP])
    else:
        return False
    return certain or not can_mate_at_once(pos)


cdef inline bint is_drawn_by_material(const Position* pos, int rule_set) noexcept nogil:
    """Has neither side a piece that can cross the river, or none that computer takes seriously?"""
    if pos.phase > 2 * PHASE[CANNON] or set_any(pos.by_type[PAWN]):
        return False
    return pos.phase == 0 or (rule_set == COMPUTER and cannons_cannot_win(pos))
