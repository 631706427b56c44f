# rules/chases.pxi - what the moves of a repetition attack, in the sense of each rule set.
#
# Uses: board/movegen, board/see.
# The window of a repetition is all plies from the first to the last of its equal positions. None of
# them captures, so a window is walked backwards by shifting pieces on a copy.
#
# A capture "available" to a side leaves its king in no new danger; it "counts" when it also wins
# something.

cdef enum:                     # rule sets
    AXF = 0                    # Asian rules, also used by the World Xiangqi Federation
    COMPUTER = 1               # the simplified rules of engine matches: any check excuses all chases
    SIMPLE = 2                 # ElephantEye, XQWizard: direct attacks of the moved piece only
    CXA = 3                    # Chinese rules, approximated: every move a check, mate threat or chase
    AXF_BOOK = 4               # axf, but advisors and bishops do not chase protected rooks
    CHECK_BAN = 5              # only perpetual check is an offence
    ALWAYS_DRAW = 6            # nothing is

cdef enum:                     # what a capture is worth to its side
    UNAVAILABLE = 0
    AVAILABLE = 1
    COUNTS = 2

cdef enum:                     # how a move chases a piece
    NO_CHASE = 0
    EXPOSURE = 1               # the capture was available before, but did not count
    DIRECT = 2


# Captures


cdef bint endangers(const Position* pos, int side, SquareBits occ, SquareBits enemies, bint strict) noexcept nogil:
    """Is side's king attacked if just occ is occupied and just these enemies live?

    Unless strict, enemies that attack it in pos already are left out.
    """
    cdef int k = pos.king[side], c
    if not king_attacked(pos, k, side ^ 1, occ, enemies):
        return False
    if strict:
        return True
    while set_any(enemies):
        c = pop_first(&enemies)
        if (king_attacked(pos, k, side ^ 1, occ, BIT(c))
                and not king_attacked(pos, k, side ^ 1, occupied(pos), BIT(c))):
            return True
    return False


cdef bint is_protected(const Position* pos, int attacker, int victim) noexcept nogil:
    """Can a capture of the victim be answered on its square? Pinned protectors do not protect."""
    cdef int side = side_of(pos.board[attacker]), them = side ^ 1, s
    cdef SquareBits occ = occupied(pos) & ~BIT(attacker)
    cdef SquareBits enemies = pos.by_side[side] & ~BIT(attacker)
    cdef SquareBits rest = attackers_to(pos, victim, occ) & pos.by_side[them]
    while set_any(rest):
        s = pop_first(&rest)
        if s == pos.king[them]:
            if not king_attacked(pos, victim, side, occ & ~BIT(s), enemies):
                return True
        elif not endangers(pos, them, occ & ~BIT(s), enemies, False):
            return True
    return False


cdef bint can_strike_back(const Position* pos, int attacker, int victim) noexcept nogil:
    """Could the victim itself capture the attacker now?"""
    cdef int side = side_of(pos.board[attacker])
    return (set_has(attacks_from(pos, pos.board[victim], victim), attacker)
            and not endangers(pos, side ^ 1, occupied(pos) & ~BIT(victim),
                              pos.by_side[side] & ~BIT(attacker), False))


cdef int weigh_capture(const Position* pos, int attacker, int victim, bint strict, int rule_set) noexcept nogil:
    """UNAVAILABLE, AVAILABLE or COUNTS, with the turn given to the attacker's side.

    strict: a check that stands already must be met by the capture.
    """
    cdef int piece = pos.board[attacker], side = side_of(piece)
    cdef int kind = type_of(piece), prey = type_of(pos.board[victim])
    if not set_has(attacks_from(pos, piece, attacker), victim):
        return UNAVAILABLE
    if endangers(pos, side, occupied(pos) & ~BIT(attacker), pos.by_side[side ^ 1] & ~BIT(victim), strict):
        return UNAVAILABLE
    if prey == ROOK and (kind == KNIGHT or kind == CANNON):
        return COUNTS
    if (KNIGHT <= prey <= CANNON and (kind == ADVISOR or kind == BISHOP)
            and not (rule_set == AXF_BOOK and prey == ROOK)):
        return COUNTS
    if kind == prey and can_strike_back(pos, attacker, victim):
        return AVAILABLE
    return AVAILABLE if is_protected(pos, attacker, victim) else COUNTS


cdef inline SquareBits chasers(const Position* pos, int side) noexcept nogil:
    """Kings and soldiers may attack without end; all others chase."""
    return pos.by_side[side] & ~(pos.by_type[KING] | pos.by_type[PAWN])


cdef inline SquareBits victims(const Position* pos, int side) noexcept nogil:
    """Pieces of side that can be chased: neither the king nor soldiers that have not crossed the river."""
    return pos.by_side[side] & ~(pos.by_type[KING] | (pos.by_type[PAWN] & HALF[side]))


# The walk through a window


cdef struct WindowWalk:        # backwards through a window, one move at a time
    Position boards[3]         # in turn before, after and answered; only their pieces are valid
    Position* before
    Position* after            # the move
    Position* answered         # after the reply to it
    const State* st            # the state that the move led to
    const State* first         # the state before the window
    move_t move
    move_t reply               # of the last move: the first move of the window
    int side                   # that made the move
    int rule_set


cdef void shift_piece(Position* pos, int src, int dst) noexcept nogil:
    """Move a piece to an empty square; keys, scores and checks are left as they were."""
    cdef int piece = pos.board[src]
    cdef SquareBits both = BIT(src) | BIT(dst)
    pos.board[dst] = <uint8_t>piece
    pos.board[src] = EMPTY
    pos.by_type[type_of(piece)] ^= both
    pos.by_side[side_of(piece)] ^= both
    toggle_occupancy(pos, src)
    toggle_occupancy(pos, dst)
    if type_of(piece) == KING:
        pos.king[side_of(piece)] = <uint8_t>dst


cdef void look_at_move(WindowWalk* w) noexcept nogil:
    w.move = w.st.move
    w.before[0] = w.after[0]
    shift_piece(w.before, dst_of(w.move), src_of(w.move))


cdef void start_walk(WindowWalk* w, const Position* pos, int plies, int rule_set) noexcept nogil:
    """Look at the last move of the window of that many plies that ends at pos."""
    w.rule_set = rule_set
    w.before, w.after, w.answered = &w.boards[0], &w.boards[1], &w.boards[2]
    w.st = pos.st
    w.first = pos.st - plies
    w.side = pos.side ^ 1
    w.reply = (w.first + 1).move
    w.after[0] = pos[0]
    w.answered[0] = pos[0]
    shift_piece(w.answered, src_of(w.reply), dst_of(w.reply))
    look_at_move(w)


cdef bint step_back(WindowWalk* w) noexcept nogil:
    """Look at the move before; False at the beginning of the window."""
    cdef Position* spare = w.answered
    w.st -= 1
    if w.st == w.first:
        return False
    w.answered, w.after, w.before = w.after, w.before, spare
    w.side ^= 1
    w.reply = w.move
    look_at_move(w)
    return True


cdef inline SquareBits follow_back(SquareBits set, move_t m) noexcept nogil:
    """The set before the move m, if its members move along."""
    if set_has(set, dst_of(m)):
        set = (set & ~BIT(dst_of(m))) | BIT(src_of(m))
    return set


# Chases


cdef int chase_kind(const WindowWalk* w, int attacker, int victim) noexcept nogil:
    """How the move chases the victim by the attacker (squares after the move): real, new and answered?"""
    cdef int was, then
    if weigh_capture(w.after, attacker, victim, False, w.rule_set) != COUNTS:
        return NO_CHASE
    was = weigh_capture(w.before, src_of(w.move) if attacker == dst_of(w.move) else attacker, victim, False,
                        w.rule_set)
    if was == COUNTS:
        return NO_CHASE
    then = dst_of(w.reply) if victim == src_of(w.reply) else victim
    if weigh_capture(w.answered, attacker, then, True, w.rule_set) == COUNTS:
        return NO_CHASE
    return DIRECT if was == UNAVAILABLE else EXPOSURE


cdef SquareBits chased_pieces(const WindowWalk* w, SquareBits wanted, SquareBits* direct) noexcept nogil:
    """Which of the wanted pieces the move chases, and which of these directly."""
    cdef SquareBits rest = chasers(w.after, w.side), prey, found = SET(0, 0)
    cdef int attacker, victim, kind
    direct[0] = SET(0, 0)
    wanted &= victims(w.after, w.side ^ 1)
    while set_any(rest):
        attacker = pop_first(&rest)
        prey = attacks_from(w.after, w.after.board[attacker], attacker) & wanted & ~direct[0]
        while set_any(prey):
            victim = pop_first(&prey)
            kind = chase_kind(w, attacker, victim)
            if kind != NO_CHASE:
                found |= BIT(victim)
            if kind == DIRECT:
                direct[0] |= BIT(victim)
    return found


cdef SquareBits threatened_pieces(const Position* pos, int side, SquareBits wanted) noexcept nogil:
    """Which of the wanted pieces side could win by a legal capture."""
    cdef SquareBits rest = chasers(pos, side), prey, found = SET(0, 0)
    cdef int attacker, victim
    wanted &= victims(pos, side ^ 1)
    while set_any(rest):
        attacker = pop_first(&rest)
        prey = attacks_from(pos, pos.board[attacker], attacker) & wanted & ~found
        while set_any(prey):
            victim = pop_first(&prey)
            if weigh_capture(pos, attacker, victim, True, COMPUTER) == COUNTS:
                found |= BIT(victim)
    return found


cdef SquareBits newly_threatened(const WindowWalk* w, SquareBits wanted) noexcept nogil:
    """Rule set computer: what the move threatens by any piece, and nothing threatened before."""
    wanted = threatened_pieces(w.after, w.side, wanted)
    return wanted & ~threatened_pieces(w.before, w.side, wanted)


cdef SquareBits first_prey(const WindowWalk* w) noexcept nogil:
    """Rule set simple: the one piece that the moved piece chases of all those it attacks.

    A knight takes the first one from rank 9 down and from file a; sliders look only across their move,
    and from rank 0 up or from file i. Protection is any friend that attacks the square as the
    board stands: ElephantEye's table, faults included.
    """
    cdef const Position* pos = w.after
    cdef int src = src_of(w.move), dst = dst_of(w.move)
    cdef int kind = type_of(pos.board[dst]), them = w.side ^ 1
    cdef int s, row = -1, found = NO_SQUARE
    cdef SquareBits rest, own_rank = SET(0, 0x1FF) << (9 * rank_of(dst))
    cdef SquareBits always = SET(0, 0)                 # attacked even if protected
    cdef SquareBits bare = pos.by_type[PAWN] & ~HALF[them]
    if kind == KNIGHT:
        always = pos.by_type[ROOK]
        bare |= pos.by_type[CANNON]
    elif kind == ROOK:
        bare |= pos.by_type[KNIGHT] | pos.by_type[CANNON]
    elif kind == CANNON:
        always = pos.by_type[ROOK]
        bare |= pos.by_type[KNIGHT]
    else:
        return SET(0, 0)
    rest = attacks_from(pos, pos.board[dst], dst) & pos.by_side[them] & (always | bare)
    if kind != KNIGHT:
        rest &= own_rank if file_of(src) == file_of(dst) else ~own_rank
    while set_any(rest):                               # from a0 to i9
        s = pop_first(&rest)
        if not set_has(always, s) and set_any(attackers_to(pos, s, occupied(pos)) & pos.by_side[them]):
            continue
        if kind != KNIGHT and file_of(src) != file_of(dst):
            return BIT(s)                              # the lowest on the file
        if kind != KNIGHT or rank_of(s) != row:
            found = s                                  # at last the first of the highest rank, or the last on the rank
            row = rank_of(s)
    return SET(0, 0) if found == NO_SQUARE else BIT(found)


# Rule set cxa: check, mate threat and chase are one offence. What threatens is estimated: by static
# exchange, and by a search through checks only.

cdef enum:
    CXA_GAIN = 100             # centipawns: a soldier, but not a cannon for a knight
    CXA_MATING_CHECKS = 3      # as deep as the search looks for a mate
    CXA_WINNING_CHECKS = 2     # and for a gain


cdef bint wins_exchange(const Position* pos, int attacker, int victim) noexcept nogil:
    """Does the capture win material, in no exchange of equal pieces?"""
    cdef int mine = type_of(pos.board[attacker]), theirs = type_of(pos.board[victim])
    cdef Position turned
    if weigh_capture(pos, attacker, victim, False, CXA) == UNAVAILABLE:
        return False
    if (mine == theirs or (mine >= KNIGHT and theirs >= KNIGHT and mine != ROOK and theirs != ROOK)) \
            and can_strike_back(pos, attacker, victim):
        return False
    turned = pos[0]
    turned.side = <uint8_t>side_of(pos.board[attacker])
    return see_ge(&turned, make_move(attacker, victim), CXA_GAIN)


cdef bint can_win_at_once(const Position* pos, int balance) noexcept nogil:
    """Has the side to move a capture that brings balance (centipawns) up to a gain?"""
    cdef move_t moves[MAX_MOVES]
    cdef int i, n
    n = gen_captures(pos, moves)
    for i in range(n):
        if is_legal(pos, moves[i]) and see_ge(pos, moves[i], CXA_GAIN - balance):
            return True
    return False


cdef bint wins_by_checks(Position* pos, int balance, int checks, bint captures) noexcept nogil:
    """Can the side to move mate, or bring balance up to a gain, by a run of at most that many checks?

    captures: whether the first check may be a capture.
    """
    cdef move_t moves[MAX_MOVES]
    cdef move_t replies[MAX_MOVES]
    cdef int i, k, n, total, now, left
    cdef bint wins
    n = gen_legal(pos, moves)
    for i in range(n):
        if not gives_check(pos, moves[i]) or not (captures or pos.board[dst_of(moves[i])] == EMPTY):
            continue
        now = balance + SEE_VALUE[type_of(pos.board[dst_of(moves[i])])]
        do_move(pos, moves[i])
        total = gen_legal(pos, replies)
        wins = True
        for k in range(total):
            left = now - SEE_VALUE[type_of(pos.board[dst_of(replies[k])])]
            do_move(pos, replies[k])
            wins = can_win_at_once(pos, left) or (checks > 1 and wins_by_checks(pos, left, checks - 1, True))
            undo_move(pos)
            if not wins:
                break
        undo_move(pos)
        if wins:
            return True
    return False


cdef bint threatens_by_checks(const Position* pos, int side, bint mate) noexcept nogil:
    """With the turn given to side: can it mate (or else: mate or win something) by a run of checks?"""
    cdef Position line = pos[0]
    cdef State states[2 * CXA_MATING_CHECKS + 1]
    memset(&states[0], 0, sizeof(State))
    line.st = states
    line.side = <uint8_t>side
    update_checks(&line)
    if mate:
        return wins_by_checks(&line, -SEE_VALUE[KING], CXA_MATING_CHECKS, True)
    # A capture with check may only offer an exchange: wins_exchange judges captures.
    return wins_by_checks(&line, 0, CXA_WINNING_CHECKS, False)


cdef bint makes_threat(const WindowWalk* w) noexcept nogil:
    """Does the move threaten mate, or newly threaten to win something, by a run of checks?"""
    if threatens_by_checks(w.after, w.side, True):
        return True
    return threatens_by_checks(w.after, w.side, False) and not threatens_by_checks(w.before, w.side, False)


cdef bint wins_newly(const WindowWalk* w, int attacker, int victim) noexcept nogil:
    """Does the move make this capture (squares after the move) win something?"""
    cdef int src = src_of(w.move) if attacker == dst_of(w.move) else attacker
    return wins_exchange(w.after, attacker, victim) and not wins_exchange(w.before, src, victim)


cdef bint is_attack(const WindowWalk* w) noexcept nogil:
    """Is the move a check, mate threat or chase in the sense of cxa?"""
    cdef SquareBits rest = chasers(w.after, w.side), prey
    cdef int attacker
    if set_any(w.st.checkers):
        return True
    while set_any(rest):
        attacker = pop_first(&rest)
        prey = attacks_from(w.after, w.after.board[attacker], attacker) & victims(w.after, w.side ^ 1)
        while set_any(prey):
            if wins_newly(w, attacker, pop_first(&prey)):
                return True
    return makes_threat(w)


# How each rule set chases


cdef inline bint is_asian(int rule_set) noexcept nogil:
    return rule_set == AXF or rule_set == AXF_BOOK


cdef SquareBits rule_chasers(const WindowWalk* w) noexcept nogil:
    """The pieces that may chase by the move."""
    return BIT(dst_of(w.move)) if w.rule_set == SIMPLE else chasers(w.after, w.side)


cdef int rule_chase_kind(const WindowWalk* w, int attacker, int victim) noexcept nogil:
    """How the attacker chases the victim, which is among rule_chases (squares after the move)."""
    if w.rule_set == SIMPLE:
        return DIRECT
    if w.rule_set == COMPUTER:
        return DIRECT if weigh_capture(w.after, attacker, victim, True, COMPUTER) == COUNTS else NO_CHASE
    if w.rule_set == CXA:
        return DIRECT if wins_newly(w, attacker, victim) else NO_CHASE
    return chase_kind(w, attacker, victim)


cdef SquareBits rule_chases(const WindowWalk* w, SquareBits wanted, SquareBits* direct) noexcept nogil:
    """The pieces that the move chases, and which of these directly.

    wanted: the Asian rules and computer look at these alone. Under cxa an attack is on nobody: all pieces or none.
    """
    cdef SquareBits found = SET(0, 0)
    if is_asian(w.rule_set):
        return chased_pieces(w, wanted, direct)
    if w.rule_set == CXA:
        found = ~SET(0, 0) if is_attack(w) else SET(0, 0)
    elif w.rule_set == COMPUTER:
        found = newly_threatened(w, wanted)
    elif w.rule_set == SIMPLE and not set_any(w.st.checkers):
        found = first_prey(w)
    direct[0] = found
    return found
