# search/score.pxi - the numbers that stand for mates, bans and draws, and how the table keeps them.
#
# Uses: base/types.
# Scores are centipawns for the side to move.

cdef enum:
    MATE = 30000                 # a mate in n plies scores MATE - n
    MATE_BOUND = MATE - 1000     # scores beyond are mates
    # A game lost by the rules of repetition is worse than any mate: whoever must leave the loop
    # leaves it if he can. The scores hold on one path only; SHOWN_BAN stands for BAN outside.
    BAN = MATE + 1000            # won by the rules n plies away: BAN - n
    SHOWN_BAN = MATE_BOUND - 1
    UNSAFE_DRAW = 20             # for the opponent: take another move of about the same score
    INFINITE = 32000
    NO_EVAL = 32002


cdef inline int mate_in(int plies) noexcept nogil:
    """The value for the side that mates in that many plies from the root."""
    return MATE - plies


cdef inline int mated_in(int plies) noexcept nogil:
    """The value for the side that is mated in that many plies from the root."""
    return -MATE + plies


cdef inline bint is_win(int value) noexcept nogil:
    """Is it a mate, or a win by the rules, for the side that the value is of?"""
    return value >= MATE_BOUND


cdef inline bint is_loss(int value) noexcept nogil:
    """Is it a mate, or a loss by the rules, of the side that the value is of?"""
    return value <= -MATE_BOUND


cdef inline bint is_decisive(int value) noexcept nogil:
    """Is it a mate, or a game decided by the rules?"""
    return is_win(value) or is_loss(value)


cdef inline bint path_dependent(int value) noexcept nogil:
    """Does the value come from a rule verdict, which another path need not share?"""
    return value > MATE or value < -MATE


cdef inline bint is_mate(int value) noexcept nogil:
    """Is it a mate of either side, not a game decided by the rules?"""
    return is_decisive(value) and not path_dependent(value)


cdef inline int mate_plies(int value) noexcept nogil:
    """Plies from the root to the mate of either side that the value announces."""
    return MATE - max(value, -value)


cdef inline int to_table(int value, int ply) noexcept nogil:
    """A mate is stored as plies from the node, not from the root."""
    if is_win(value):
        return value + ply
    if is_loss(value):
        return value - ply
    return value


cdef inline int from_table(int value, int ply) noexcept nogil:
    if is_win(value):
        return value - ply
    if is_loss(value):
        return value + ply
    return value
