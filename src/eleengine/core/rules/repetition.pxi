# rules/repetition.pxi - what a repetition means: draw, perpetual check, perpetual chase; the verdicts for the search.
#
# Uses: rules/material.
# A window is walked backwards. Sets of victims are carried along from move to move: a piece keeps
# its identity although its square changes.
#
# Grades of offence: 3 perpetual check, 2 perpetual chase, 1 perpetual exposure, 0 none.

cdef enum:                     # results
    UNDECIDED = 0
    DRAWN = 1
    RED_LOSES = 2
    BLACK_LOSES = 3

cdef enum:                     # verdicts for the search, of the side to move
    NO_VERDICT = 0
    VERDICT_DRAW = 1
    VERDICT_LOSS = 2
    VERDICT_WIN = 3
    NOT_FINAL = 4              # added when the loser can still leave the loop
    UNSAFE = 8                 # added to a draw for which other referees punish the side that has just moved

cdef enum:
    NO_CAPTURE_LIMIT = 120     # plies, counted as State.rule60
    SEARCH_REACH = 256         # plies that the search looks back for a repetition: longer windows are no plan
    WHOLE_GAME = 1 << 30


# Repetition


cdef void grade_checks(const Position* pos, int plies, int* grade) noexcept nogil:
    """Grade 3 for a side whose every move in the window gives check, else 0."""
    cdef const State* st = pos.st
    cdef int i, side = pos.side ^ 1
    grade[RED] = grade[BLACK] = 3
    for i in range(plies):
        if not set_any((st - i).checkers):
            grade[side] = 0
        side ^= 1


cdef bint has_check(const Position* pos, int plies) noexcept nogil:
    cdef const State* st = pos.st
    cdef int i
    for i in range(plies):
        if set_any((st - i).checkers):
            return True
    return False


cdef void grade_chases(const Position* pos, int plies, int rule_set, int* grade) noexcept nogil:
    """Raise the grade of a side without perpetual check to 2 or 1 if it chases one piece throughout."""
    cdef WindowWalk w
    cdef SquareBits any_chase[2]       # pieces of the other side that all moves so far chase, where they
    cdef SquareBits direct[2]          # stand before the earliest of these moves
    cdef SquareBits now, now_direct = SET(0, 0)
    cdef int side
    if rule_set >= CHECK_BAN or (rule_set == COMPUTER and has_check(pos, plies)):
        return
    for side in range(2):
        any_chase[side] = direct[side] = SET(0, 0) if grade[side] == 3 else ~SET(0, 0)
    start_walk(&w, pos, plies, rule_set)
    while True:
        side = w.side
        if set_any(any_chase[side]):
            now = rule_chases(&w, any_chase[side], &now_direct)
            any_chase[side] &= now
            direct[side] &= now_direct
        elif not set_any(any_chase[side ^ 1]):
            return
        any_chase[side ^ 1] = follow_back(any_chase[side ^ 1], w.move)
        direct[side ^ 1] = follow_back(direct[side ^ 1], w.move)
        if not step_back(&w):
            break
    for side in range(2):
        if grade[side] < 3:
            grade[side] = 2 if set_any(direct[side]) else 1 if set_any(any_chase[side]) else 0


cdef bint is_never_idle(const Position* pos, int plies, int side, int rule_set) noexcept nogil:
    """Is each of side's moves in the window a check or a direct chase of something?"""
    cdef WindowWalk w
    cdef SquareBits direct
    start_walk(&w, pos, plies, rule_set)
    while True:
        if w.side == side and not set_any(w.st.checkers):
            chased_pieces(&w, ~SET(0, 0), &direct)
            if not set_any(direct):
                return False
        if not step_back(&w):
            return True


cdef int compare_grades(const Position* pos, int plies, int rule_set, const int* grade) noexcept nogil:
    """The higher grade loses; exposure alone is excused if the other side has not been idle either.

    Only the Asian rules know exposure.
    """
    cdef int worse = RED if grade[RED] > grade[BLACK] else BLACK
    if grade[RED] == grade[BLACK]:
        return DRAWN
    if grade[worse] == 1 and is_never_idle(pos, plies, worse ^ 1, rule_set):
        return DRAWN
    return RED_LOSES if worse == RED else BLACK_LOSES


cdef void grade_window(const Position* pos, int plies, int rule_set, int* grade) noexcept nogil:
    """The grades of both sides, whoever loses."""
    grade[RED] = grade[BLACK] = 0
    if rule_set != ALWAYS_DRAW:
        grade_checks(pos, plies, grade)
        grade_chases(pos, plies, rule_set, grade)


cdef int judge_window(const Position* pos, int plies, int rule_set) noexcept nogil:
    """DRAWN, RED_LOSES or BLACK_LOSES for the window of the last plies, which ends where it began."""
    cdef int grade[2]
    ele_check(plies >= 4 and plies % 2 == 0 and plies <= pos.st.plies_from_null, "judge_window: a window")
    ele_check((pos.st - plies).key == pos.st.key, "judge_window: the position repeats")
    if rule_set == ALWAYS_DRAW:
        return DRAWN
    grade_checks(pos, plies, grade)
    if grade[RED] != 3 and grade[BLACK] != 3:
        grade_chases(pos, plies, rule_set, grade)
    return compare_grades(pos, plies, rule_set, grade)


cdef int earlier_occurrence(const Position* pos, int plies, int reach) noexcept nogil:
    """Plies back to the latest equal position that is more than plies and at most reach back, or 0 without one."""
    cdef const State* st = pos.st
    cdef int back = max(plies + 2, 4), last = min(min(st.plies_from_null, pos.ply), reach)
    while back <= last:
        if (st - back).key == st.key:
            return back
        back += 2
    return 0


cdef int find_window(const Position* pos, int occurrences) noexcept nogil:
    """Plies of the window with that many occurrences of the current position (2 or more), or 0."""
    cdef int _, plies = 0
    for _ in range(occurrences - 1):
        plies = earlier_occurrence(pos, plies, WHOLE_GAME)
        if plies == 0:
            return 0
    return plies


# Verdicts for the search


cdef bint is_unsafe(const Position* pos, int plies) noexcept nogil:
    """Does the side that has just moved lose the window under other rules of engine matches?"""
    cdef int lost = BLACK_LOSES if pos.side == RED else RED_LOSES
    return judge_window(pos, plies, COMPUTER) == lost or judge_window(pos, plies, SIMPLE) == lost


cdef int repetition_verdict(const Position* pos, int ply, int rule_set) noexcept nogil:
    """The part of search_verdict that looks at the path."""
    cdef int result, final, window
    cdef int reach = SEARCH_REACH if ply > 0 else WHOLE_GAME
    cdef int latest = earlier_occurrence(pos, 0, reach)
    if latest == 0:
        return NO_VERDICT
    window = earlier_occurrence(pos, latest, reach)
    final = 0
    if window == 0:
        # Once before: in the game that is nothing yet, below the root it shows where the line leads.
        if latest >= ply:
            return NO_VERDICT
        window = latest
        final = NOT_FINAL
    result = judge_window(pos, window, rule_set)
    if result == DRAWN:
        return VERDICT_DRAW | UNSAFE if ply == 1 and rule_set == AXF and is_unsafe(pos, window) else VERDICT_DRAW
    return final | (VERDICT_LOSS if (result == RED_LOSES) == (pos.side == RED) else VERDICT_WIN)


cdef inline int search_verdict(const Position* pos, int ply, int rule_set, int limit) noexcept nogil:
    """What the rules say at a node that many plies below the root (1 or more), for the side to move.

    NO_VERDICT, VERDICT_DRAW, VERDICT_LOSS or VERDICT_WIN. A loss or win carries NOT_FINAL when the
    position has occurred only once before, below the root. Its loser may still turn off: such a win
    only raises alpha to the draw score, such a loss only lowers beta to it. A draw that the root's
    move makes under the rule set axf may be UNSAFE. limit: the no-capture limit in plies. A mated
    side to move gets no verdict. Repetitions count for 256 plies, at ply 0 for the whole game.
    """
    cdef int verdict
    if pos.st.plies_from_null >= 4:
        verdict = repetition_verdict(pos, ply, rule_set)
        if verdict != NO_VERDICT:
            return verdict
    if (pos.st.rule60 >= limit or is_drawn_by_material(pos, rule_set)) and has_legal_move(pos):
        return VERDICT_DRAW
    return NO_VERDICT
