# board/threats.pxi - whether a side can attack at all, and whether it is about to be mated.
#
# Uses: board/movegen.

cdef bint can_attack(const Position* pos) noexcept nogil:
    """Has the side to move a rook, cannon or knight that can move? Else zugzwang and stalemate are near."""
    cdef SquareBits rest = pos.by_side[pos.side] & (pos.by_type[ROOK] | pos.by_type[CANNON] | pos.by_type[KNIGHT])
    while set_any(rest):
        if set_any(destinations(pos, pop_first(&rest))):
            return True
    return False


cdef bint no_flight(const Position* pos) noexcept nogil:
    """Is every square that the king of the side to move may step on attacked, or his own piece's?"""
    cdef int us = pos.side, k = pos.king[us]
    cdef SquareBits rest = KING_TO[k] & ~pos.by_side[us]
    while set_any(rest):
        if not king_attacked(pos, pop_first(&rest), us ^ 1, occupied(pos) & ~BIT(k), pos.by_side[us ^ 1]):
            return False
    return True


cdef bint can_mate_after_pass(Position* pos) noexcept nogil:
    """Could the opponent mate at once if the side to move, which is not in check, passed?"""
    cdef move_t moves[MAX_MOVES]
    cdef SquareBits blockers = pos.st.blockers
    cdef bint hollow = pos.st.hollow, mate = False
    cdef int i, n
    do_null(pos)
    n = gen_checks(pos, blockers, hollow, ~pos.by_side[pos.side] & ~pos.by_type[KING], moves)
    for i in range(n):
        if is_legal(pos, moves[i]):
            do_move(pos, moves[i])
            mate = not has_legal_move(pos)
            undo_move(pos)
            if mate:
                break
    undo_null(pos)
    return mate
