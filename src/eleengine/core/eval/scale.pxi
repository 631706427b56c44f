# eval/scale.pxi - what every evaluation does at its end: scale by material, fade without captures, limit.
#
# Uses: board/position, tables/probe.
# The endgame tables that come with the engine say whether a single attacker wins against guards.

cdef enum:
    EVAL_LIMIT = 20000           # of every evaluation, up and down
    FADE_PLIES = 100             # plies without a capture during which an evaluation fades
    FADE_PARTS = 400             # by 1/FADE_PARTS for each of them

cdef int eval_scale(const Position* pos, int strong) noexcept nogil:
    """How much of an advantage the side ahead can hope to use, of 64."""
    cdef int heavy = set_count(pos.by_side[strong] & (pos.by_type[ROOK] | pos.by_type[KNIGHT] | pos.by_type[CANNON]))
    cdef int pawns = set_count(pieces(pos, strong, PAWN))
    cdef int guards = set_count(pos.by_side[strong ^ 1] & (pos.by_type[ADVISOR] | pos.by_type[BISHOP]))
    cdef int value
    if heavy == 0 and pawns == 0:
        return 2
    if heavy + pawns == 1 and SHIPPED_TABLES != NULL:
        value = probe_result(SHIPPED_TABLES, pos)
        if value >= 0:
            return 2 if value == RESULT_DRAWN else 64
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
    """The part of an evaluation that is left after `rule60` plies without a capture, as a fraction."""
    return 1 - min(rule60, FADE_PLIES) / <float>FADE_PARTS
