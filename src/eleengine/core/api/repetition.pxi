# api/repetition.pxi - the moves of a repetition as Python objects, for those who explain a verdict.
#
# Uses: rules/repetition, api/process.

cdef int check_rule_set(object rule_set) except -1:
    """The index of a rule set."""
    return within("rule_set", rule_set, AXF, ALWAYS_DRAW)


cdef list chases_of_move(const WindowWalk* w):
    """(attacker, victim, direct) of every chase by the move, in the sense of the rule set."""
    cdef SquareBits direct, prey, rest = rule_chasers(w), wanted = rule_chases(w, ~SET(0, 0), &direct)
    cdef int attacker, victim, kind
    cdef list found = []
    while set_any(rest):
        attacker = pop_first(&rest)
        prey = attacks_from(w.after, w.after.board[attacker], attacker) & wanted
        while set_any(prey):
            victim = pop_first(&prey)
            kind = rule_chase_kind(w, attacker, victim)
            if kind != NO_CHASE:
                found.append((attacker, victim, kind == DIRECT))
    return found


cdef object explain_repetition(const Position* pos, int rules, int occurrences):
    """What BaseBoard._judge_repetition returns, of a playable position."""
    cdef int plies
    cdef int grade[2]
    cdef WindowWalk w
    cdef list moves = []
    plies = find_window(pos, occurrences)
    if plies == 0:
        return None
    grade_window(pos, plies, rules, grade)
    start_walk(&w, pos, plies, rules)
    while True:
        checks = bool(set_any(w.st.checkers))
        moves.append((checks, chases_of_move(&w), rules == CXA and not checks and bool(makes_threat(&w))))
        if not step_back(&w):
            break
    moves.reverse()
    return plies, judge_window(pos, plies, rules), grade[RED], grade[BLACK], moves
