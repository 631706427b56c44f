# search/mate.pxi - mates by checks, and the true length of a mate that the search announces.
#
# Uses: search/root.
# Checks alone are so few that they show long mates before the search can see them. A pruned search
# proves that there is a mate, not that there is none shorter. Here every reply of the defender is
# tried, and either every move of the attacker or, where that takes too long, his checks and a few
# quiet moves. Lengths are tried one after the other, so the first one that works is the shortest.
# Lengths are in plies to the position without a legal move.

cdef enum:
    ALL_QUIETS = 15              # quiet moves of the attacker without limit
    MOST_QUIETS = 2              # of the attacker where all moves take too long
    LONGEST_MATE = 61            # that is looked for
    LEAST_BUDGET = 1_000         # nodes of an iteration
    LINE_BUDGET = 10_000         # nodes to write the moves down
    ENOUGH_FREE_PIECES = 6       # no quiet move stops more than these
    NEVER = 255                  # however many plies: the checks come to an end


cdef struct MateSearch:
    Worker* worker
    uint64_t last_node           # where the budget ends
    int longest                  # plies of a mate by proof numbers, LONGEST_MATE for any
    bint cut                     # more plies might bring a mate
    move_t replies[MAX_PLY]      # that have saved the defender lately, by ply


cdef void forget_mates(Worker* w) noexcept nogil:
    """For another search: what holds on one path need not hold on another."""
    w.mate_salt += <uint64_t>0xD1B54A32D192ED03
    w.shared.mate.value = 0
    w.shared.mate.pv[0] = NO_MOVE


cdef inline uint64_t mate_key(const Worker* w, int quiets) noexcept nogil:
    """What is found with fewer quiet moves is kept apart, and so is what other searches have found."""
    return w.pos.st.key ^ quiets * <uint64_t>0x9E3779B97F4A7C15 ^ w.mate_salt


cdef inline MateEntry* mate_entry(Worker* w, uint64_t key) noexcept nogil:
    return w.mates + ((key ^ w.mate_salt) >> (64 - MATE_BITS))


cdef inline bint gives_up(const MateSearch* m) noexcept nogil:
    return m.worker.nodes >= m.last_node or stopped(m.worker)


cdef inline bint may_stalemate(const Position* pos) noexcept nogil:
    """Could one quiet move take the last legal move? Not where many pieces of the other side can move."""
    cdef SquareBits theirs = pos.by_side[pos.side ^ 1], targets, rest
    cdef int s, free_pieces = 0
    rest = theirs & ~pos.by_type[KING]
    while set_any(rest):
        s = pop_first(&rest)
        if type_of(pos.board[s]) == CANNON:
            targets = rook_attacks(pos, s) & ~occupied(pos)
        else:
            targets = attacks_from(pos, pos.board[s], s) & ~theirs
        free_pieces += set_any(targets)
        if free_pieces == ENOUGH_FREE_PIECES:
            return False
    return True


cdef int checks_first(Position* pos, move_t* moves, int n) noexcept nogil:
    """Put the checks in front and return their number."""
    cdef int i, checks = 0
    cdef move_t m
    for i in range(n):
        m = moves[i]
        if gives_check(pos, m):
            moves[i] = moves[checks]
            moves[checks] = m
            checks += 1
    return checks


cdef int after_reply(MateSearch* m, move_t reply, int max_plies, int ply, int quiets) noexcept nogil:
    """Plies to the mate of the side that replies, at most max_plies (odd); 0 if there is none in time.

    -1 if the reply loses by the rules, and so is worse than any mate. Other verdicts save it.
    """
    cdef Worker* w = m.worker
    cdef int verdict, length = 0
    do_move(&w.pos, reply)
    verdict = search_verdict(&w.pos, ply, w.shared.rule_set, w.shared.no_capture_limit)
    if verdict == VERDICT_WIN:
        length = -1
    elif verdict == NO_VERDICT:
        length = mate_within(m, max_plies, ply, quiets)
    undo_move(&w.pos)
    return length


cdef int mated_within(MateSearch* m, int max_plies, int ply, int quiets) noexcept nogil:
    """Plies until the side to move is mated, at most max_plies (even) whatever it plays, or -1."""
    cdef Worker* w = m.worker
    cdef Position* pos = &w.pos
    cdef move_t moves[MAX_MOVES]
    cdef int i, n, length, first = 0, longest = -1
    if max_plies == 0:
        if not has_legal_move(pos):
            return 0
        m.cut = True
        return -1
    n = gen_legal(pos, moves)
    if n == 0:
        return 0
    if search_verdict(pos, ply, w.shared.rule_set, w.shared.no_capture_limit) != NO_VERDICT:
        return -1
    for i in range(n):                       # first what has helped in a sister position
        if moves[i] == m.replies[ply]:
            moves[0], moves[i] = moves[i], moves[0]
            first = 1
            break
    for i in range(first, n):                # then captures
        if pos.board[dst_of(moves[i])] != EMPTY:
            moves[first], moves[i] = moves[i], moves[first]
            first += 1
    for i in range(n):
        length = after_reply(m, moves[i], max_plies - 1, ply + 1, quiets)
        if length == 0:
            m.replies[ply] = moves[i]
            return -1
        if length > 0:
            longest = max(longest, length + 1)
    return longest


cdef inline int quiets_left(int quiets, bint check) noexcept nogil:
    return quiets if check or quiets == ALL_QUIETS else quiets - 1


cdef int mate_within(MateSearch* m, int max_plies, int ply, int quiets) noexcept nogil:
    """Plies of the shortest mate by the side to move, at most max_plies (odd), or 0."""
    cdef Worker* w = m.worker
    cdef Position* pos = &w.pos
    cdef MateEntry* e
    cdef move_t moves[MAX_MOVES]
    cdef uint64_t key = mate_key(w, quiets)
    cdef int i, n, checks, tried, length, plies, none = 0
    cdef bint cut_before = m.cut
    count_node(w)
    if gives_up(m):
        return 0
    e = mate_entry(w, key)
    if e.key == key:
        if 0 < e.length <= max_plies:
            return e.length
        if e.length > 0:
            m.cut = True
            return 0
        none = e.none
        if none >= max_plies:
            m.cut = m.cut or none != NEVER
            return 0
    n = gen_legal(pos, moves)
    checks = checks_first(pos, moves, n)
    for plies in range(none + 1 + (none & 1), max_plies + 1, 2):
        m.cut = quiets > 0
        tried = n if quiets > 0 and (plies > 1 or may_stalemate(pos)) else checks
        for i in range(tried):
            do_move(pos, moves[i])
            length = mated_within(m, plies - 1, ply + 1, quiets_left(quiets, i < checks))
            undo_move(pos)
            if gives_up(m):
                return 0
            if length >= 0:
                m.cut = m.cut or cut_before
                e.key, e.move, e.length, e.none = key, moves[i], <uint8_t>(length + 1), 0
                return length + 1
        if not m.cut:
            plies = NEVER
        e.key, e.move, e.length, e.none = key, NO_MOVE, 0, <uint8_t>plies
        if plies == NEVER:
            break
    m.cut = m.cut or cut_before
    return 0


cdef int mate_at_root(MateSearch* m, int rank, bint attacks, int max_plies, int quiets, int* index) noexcept nogil:
    """The same with the root moves from rank on: plies to the mate by, or of, the side to move, or 0."""
    cdef Worker* w = m.worker
    cdef int i, length, longest = 0
    cdef bint check
    for i in range(rank, w.n_root):
        if attacks:
            check = gives_check(&w.pos, w.root[i].move)
            if not check and quiets == 0:
                continue
            do_move(&w.pos, w.root[i].move)
            length = mated_within(m, max_plies - 1, 1, quiets_left(quiets, check)) + 1
            undo_move(&w.pos)
            if gives_up(m):
                return 0
            if length > 0:
                index[0] = i
                return length
        else:
            length = after_reply(m, w.root[i].move, max_plies - 1, 1, quiets)
            if length == 0 or gives_up(m):
                return 0
            if length >= longest:
                longest = length + 1
                index[0] = i
    return longest


cdef void write_line(MateSearch* m, RootMove* r, bint attacks, int plies, int quiets) noexcept nogil:
    """Both sides' best play after the root move, to the mate in that many plies, as far as the budget goes."""
    cdef Worker* w = m.worker
    cdef Position* pos = &w.pos
    cdef move_t moves[MAX_MOVES]
    cdef move_t best = r.move
    cdef int i, n, _, left = plies
    m.last_node += LINE_BUDGET
    r.pv_n = 0
    while best != NO_MOVE:
        if attacks:
            quiets = quiets_left(quiets, gives_check(pos, best))
        do_move(pos, best)
        r.pv[r.pv_n] = best
        r.pv_n += 1
        best = NO_MOVE
        attacks = not attacks
        left -= 1
        if left == 0:
            break
        if attacks:
            if mate_within(m, left, r.pv_n, quiets) == left:
                best = mate_entry(w, mate_key(w, quiets)).move
        else:
            n = gen_legal(pos, moves)
            for i in range(n):
                if after_reply(m, moves[i], left - 1, r.pv_n + 1, quiets) == left - 1:
                    best = moves[i]
                    break
    for _ in range(r.pv_n):
        undo_move(pos)


cdef void announce_mate(Worker* w, int rank, int index, bint attacks, int length) noexcept nogil:
    """A root move, whose line is written, mates or is mated in `length` plies: it becomes the best from rank on."""
    cdef ProvenMate* mate = &w.shared.mate
    cdef RootMove* r = &w.root[index]
    cdef int i, score = mate_in(length) if attacks else mated_in(length)
    if attacks and rank == 0:
        mate.value = score
        mate.pv_n = r.pv_n
        memcpy(mate.pv, r.pv, r.pv_n * sizeof(move_t))
    for i in range(rank, w.n_root):
        w.root[i].score = -INFINITE
        if not attacks:
            w.root[i].outcome = min(w.root[i].outcome, score)
    r.score = r.previous = score
    r.depth = w.root_depth
    sort_root(w, rank)


cdef void take_mate(MateSearch* m, int rank, int index, bint attacks, int length, int quiets) noexcept nogil:
    """What was found at the root becomes the best move from rank on, with its line."""
    write_line(m, &m.worker.root[index], attacks, length, quiets)
    announce_mate(m.worker, rank, index, attacks, length)


cdef int find_checkmate(Worker* w, int none, int longest, uint64_t budget) noexcept nogil:
    """Look for the shortest mate in which every move of the side to move is a check; it is proven then.

    none: there is no such mate within that many plies, as earlier calls have found out; NEVER if there
    is none at all. Returns the same after this call.
    """
    cdef MateSearch m
    cdef int n, length, index = 0
    memset(&m, 0, sizeof(m))
    m.worker = w
    m.last_node = w.nodes + budget
    for n in range(none + 2 if none > 0 else 1, longest + 1, 2):
        m.cut = False
        length = mate_at_root(&m, 0, True, n, 0, &index)
        if length > 0:
            take_mate(&m, 0, index, True, length, 0)
        if length > 0 or gives_up(&m):
            break
        none = n if m.cut else NEVER
        if none == NEVER:
            break
    return none


cdef int shorten_mate(Worker* w, int rank, int none, uint64_t budget) noexcept nogil:
    """Look for a shorter mate than the one that the best root move from rank on announces; write it there.

    budget: nodes.
    none: no mate is possible within that many plies, as earlier calls have found out. Returns the
    same after this call. If that is two plies less than the length, then the length is right.
    """
    cdef MateSearch m
    cdef int score = w.root[rank].score, plies = mate_plies(score), length = 0, index = 0, quiets, n
    cdef int first = none + 2 if none > 0 else 1 if score > 0 else 2
    cdef int last = min(plies - 2, LONGEST_MATE)
    if not is_mate(score) or first > last:
        return none
    memset(&m, 0, sizeof(m))
    m.worker = w
    # Half of the budget for every move, the rest for fewer and fewer checks.
    quiets = ALL_QUIETS
    m.last_node = w.nodes + budget // 2
    for n in range(first, last + 1, 2):
        length = mate_at_root(&m, rank, score > 0, n, quiets, &index)
        if length > 0 or gives_up(&m):
            break
        none = n
    if length == 0 and none < last:
        for quiets in range(MOST_QUIETS + 1):
            m.last_node = w.nodes + budget // (2 * (MOST_QUIETS + 1))
            for n in range(none + 2 if none > 0 else first, last + 1, 2):
                length = mate_at_root(&m, rank, score > 0, n, quiets, &index)
                if length > 0 or gives_up(&m):
                    break
            if length > 0 or stopped(w):
                break
    if length > 0:
        take_mate(&m, rank, index, score > 0, length, quiets)
    return none
