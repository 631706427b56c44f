# eval/scale.pxi - what every evaluation does at its end: scale by material, fade without captures, limit.
#
# Uses: board/position.
# A single attacker against nothing but guards was solved exhaustively (tools/endings.py): the table tells
# the share of quiet positions, attacker to move, that are won. A cannon was given at most one guard of its
# own for a screen; with more it may win what is drawn with one.

cdef enum:
    EVAL_LIMIT = 20000           # of every evaluation, up and down
    FADE_PLIES = 100             # an evaluation fades for so many plies without a capture
    FADE_PARTS = 400             # by one part of so many for each of them

cdef extern from *:
    """
    #define UNSOLVED 255
    /* Percent of quiet positions that are won, by advisors and bishops of the other side. */
    static const uint8_t WON[6][3][3] = {
        { { 100, 100, 100 }, { 100, 100, UNSOLVED }, { 100, UNSOLVED, UNSOLVED } },      /* rook */
        { { 100,  19,   0 }, { 100,   3, UNSOLVED }, { 3, UNSOLVED, UNSOLVED } },          /* knight */
        { { 0, 0, 0 }, { 0, 0, UNSOLVED }, { 5, UNSOLVED, UNSOLVED } },                  /* cannon */
        { { 0, 0, UNSOLVED }, { 0, UNSOLVED, UNSOLVED }, { 6, UNSOLVED, UNSOLVED } },    /* cannon and bishop */
        { { 100, 100,   4 }, { 100,  11, UNSOLVED }, { 100, UNSOLVED, UNSOLVED } },      /* cannon and advisor */
        { { 85, 0, 0 }, { 6, 0, UNSOLVED }, { 0, UNSOLVED, UNSOLVED } },                 /* pawn */
    };
    """
    const int UNSOLVED
    const uint8_t WON[6][3][3]


cdef inline int solved_share(const Position* pos, int strong) noexcept nogil:
    """Percent of the positions with this material that the strong side wins, or UNSOLVED."""
    cdef int weak = strong ^ 1, row, share
    cdef int advisors = set_count(pieces(pos, weak, ADVISOR)), bishops = set_count(pieces(pos, weak, BISHOP))
    cdef SquareBits heavy = pos.by_type[ROOK] | pos.by_type[KNIGHT] | pos.by_type[CANNON] | pos.by_type[PAWN]
    cdef SquareBits attackers = pos.by_side[strong] & heavy
    cdef SquareBits screens = pos.by_side[strong] & (pos.by_type[ADVISOR] | pos.by_type[BISHOP])
    if set_any(pos.by_side[weak] & heavy) or not set_single(attackers):
        return UNSOLVED
    if set_any(attackers & pos.by_type[ROOK]):
        row = 0
    elif set_any(attackers & pos.by_type[KNIGHT]):
        row = 1
    elif set_any(attackers & pos.by_type[PAWN]):
        row = 5
    elif set_any(pieces(pos, strong, ADVISOR)):
        row = 4
    else:
        row = 3 if set_any(screens) else 2
    if advisors > 2 or bishops > 2:
        return UNSOLVED
    share = WON[row][advisors][bishops]
    return UNSOLVED if row in (3, 4) and share <= 50 and set_count(screens) > 1 else share


cdef int eval_scale(const Position* pos, int strong) noexcept nogil:
    """How much of an advantage the side ahead can hope to use, of 64."""
    cdef int heavy = set_count(pos.by_side[strong] & (pos.by_type[ROOK] | pos.by_type[KNIGHT] | pos.by_type[CANNON]))
    cdef int pawns = set_count(pieces(pos, strong, PAWN))
    cdef int guards = set_count(pos.by_side[strong ^ 1] & (pos.by_type[ADVISOR] | pos.by_type[BISHOP]))
    cdef int share
    if heavy == 0 and pawns == 0:
        return 2
    if heavy + pawns == 1:
        share = solved_share(pos, strong)
        if share != UNSOLVED:
            return 64 if share > 50 else 2 + share
    if pawns == 0 and heavy == 1 and guards >= 3:
        return 32 if set_any(pieces(pos, strong, ROOK)) else 12
    if heavy == 0 and pawns == 1 and guards >= 2:
        return 16
    return 64


cdef inline int scaled_score(const Position* pos, int score) noexcept nogil:
    """An evaluation for the side to move, scaled by material, faded and limited."""
    score = score * eval_scale(pos, pos.side if score > 0 else pos.side ^ 1) // 64
    # A game that drags on without captures drifts towards the move limit.
    score -= score * min(pos.st.rule60, FADE_PLIES) // FADE_PARTS
    return max(-EVAL_LIMIT, min(EVAL_LIMIT, score))


cdef inline float fade(int rule60) noexcept nogil:
    """The part of an evaluation that so many plies without a capture leave, as a fraction."""
    return 1 - min(rule60, FADE_PLIES) / <float>FADE_PARTS
