# search/proof.pxi - mates by proof numbers, with most nodes where a mate is asked for or seems near.
#
# Uses: search/mate.
# Iterative deepening sees a mate after all shorter lines; proof numbers follow what leaves the defender fewest replies,
# however long, so they show mates with quiet moves that the search misses. The search helps by its best move, which the
# transposition table has.
#
# A mate that is asked for is proven within its number of moves, which takes fewer nodes and shows no longer one.
#
# Two short searches of checks alone say what no count of moves can. After a quiet move the defender passes: if he is
# then mated, the move is a threat, most replies lose to the same mate, and the hardest one stands for all (T. Thomsen,
# "Lambda-Search in Game Trees", 2000, defines threats so). Where the attacker is to move, they find the mates that end
# a proof. With 150,000 nodes 188 of 200 mates are found, 187 with passes alone (a sixth more nodes), 177 with neither.
#
# Depth-first proof-number search: A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications" (2002).
# Two of its numbers belong to each node, as seen by the side to move: phi, how much is still to be shown until it has
# reached its aim (the attacker a mate, the defender an escape), and delta, until it has failed. A node's delta is not
# the sum of its children's phi but the largest and some for each other child (T. Ueda and others, "Weak proof-number
# search", 2008): replies to a quiet move are many, and most lead to the same mate.

cdef enum:
    PROOF_BITS = 16              # of the key, to index the table of proofs
    ASKED_BITS = 20              # the same where a mate is asked for
    PROVEN = 1_000_000_000       # delta of a node whose side to move has reached its aim, phi of one that has failed
    QUIET_PROOF = 5              # a quiet move is first held to be as hard as a check with this number of replies
    NEAR_PROOF = 3               # a capture, or a quiet move to where the piece attacks a square of the king
    FULL_CHILDREN = 4            # children that count in full
    CHILD_SHARE = 4              # what each of the others counts, as a divisor
    NEXT_BEST_SHARE = 4          # a child is left when it is harder than the next best by this part
    CHECK_PLIES = 3              # to a mate by checks alone, looked for at once


cdef struct Proof:               # what is known of a node
    uint32_t phi
    uint32_t delta
    int plies                    # to the mate at most, where it is proven
    move_t move                  # of the proof; for the defender the longest resistance
    bint by_path                 # an escape that rests on the moves that led here


cdef inline uint64_t proof_key(const MateSearch* m, uint64_t key, int ply, bint attacks) noexcept nogil:
    """What is known of a node holds for the plies that are left (one more, as 0 stands for any number)."""
    cdef int left = m.longest - ply + 1 if m.longest < LONGEST_MATE else 0
    return key ^ m.worker.mate_salt ^ (2 * left + attacks + 1) * <uint64_t>0x9E3779B97F4A7C15


cdef inline bint must_mate(const MateSearch* m, int ply) noexcept nogil:
    """Is this the last ply on which the attacker may mate?"""
    return ply + 1 == m.longest < LONGEST_MATE


cdef inline ProofEntry* proof_entry(Worker* w, uint64_t key) noexcept nogil:
    return w.shared.proofs + ((key ^ w.mate_salt) >> (64 - w.shared.proof_bits))


cdef inline void store_proof(Worker* w, uint64_t key, const Proof* node) noexcept nogil:
    cdef ProofEntry* e = proof_entry(w, key)
    e.key, e.phi, e.delta, e.plies = key, node.phi, node.delta, <uint8_t>node.plies


cdef void estimate_move(MateSearch* m, move_t move, bint check, SquareBits zone, Proof* child) noexcept nogil:
    """What to expect of a move of the attacker that the table of proofs does not know."""
    cdef Worker* w = m.worker
    cdef Position* pos = &w.pos
    cdef move_t replies[MAX_MOVES]
    if not check:
        child.delta = QUIET_PROOF
        if (pos.board[dst_of(move)] != EMPTY
                or set_any(attacks_from(pos, pos.board[src_of(move)], dst_of(move)) & zone)):
            child.delta = NEAR_PROOF
        return
    count_node(w)
    do_move(pos, move)
    child.delta = gen_legal(pos, replies)
    undo_move(pos)
    if child.delta == 0:
        child.phi = PROVEN


cdef void first_numbers(MateSearch* m, move_t move, int ply, bint attacks, bint check, SquareBits zone, move_t best,
                        Proof* child) noexcept nogil:
    """The numbers of a child before it is searched. best: the move of the transposition table."""
    cdef Worker* w = m.worker
    cdef uint64_t key = proof_key(m, key_after(&w.pos, move), ply + 1, not attacks)
    cdef const ProofEntry* e = proof_entry(w, key)
    child.move = NO_MOVE
    child.by_path = False
    child.phi = child.delta = 1
    child.plies = 0
    if e.key == key:
        child.phi, child.delta, child.plies = e.phi, e.delta, e.plies
    elif attacks:
        estimate_move(m, move, check, zone, child)
        if check:
            store_proof(w, key, child)                  # who comes here again need not count the replies
    if attacks and must_mate(m, ply) and child.delta > 0:
        child.phi, child.delta = 0, PROVEN
    if move == best and 1 < child.delta < PROVEN:
        child.delta -= 1


cdef bint mates_by_checks(MateSearch* m, uint64_t key, int ply, Proof* node) noexcept nogil:
    """Does the attacker, who is to move, mate in a few checks? Not asked again where more was found to be needed."""
    cdef Worker* w = m.worker
    cdef const ProofEntry* e = proof_entry(w, key)
    if ply == 0 or e.key == key and e.phi > 0:
        return False
    node.plies = mate_within(m, min(CHECK_PLIES, m.longest - ply), ply, 0)
    if node.plies == 0:
        return False
    node.phi, node.delta = 0, PROVEN
    node.move = mate_entry(w, mate_key(w, 0)).move
    node.by_path = False
    store_proof(w, key, node)
    return True


cdef bint mated_after_pass(MateSearch* m, int ply) noexcept nogil:
    """Does the attacker mate in a few checks if the defender, who is to move, passes?"""
    cdef Position* pos = &m.worker.pos
    cdef int plies
    if set_any(pos.st.checkers):
        return False
    do_null(pos)
    plies = mate_within(m, CHECK_PLIES, ply + 1, 0)
    undo_null(pos)
    return plies > 0


cdef void sum_up(const Proof* children, int n, bint threatened, Proof* node, int* best, uint32_t* second,
                 uint32_t* others) noexcept nogil:
    """The numbers of a node from those of its children; which child is easiest, and how hard the next one is."""
    cdef uint32_t largest = 0
    cdef int i, open_children = 0
    node.phi = second[0] = PROVEN
    best[0] = 0
    for i in range(n):
        if children[i].delta < node.phi:
            second[0] = node.phi
            node.phi = children[i].delta
            best[0] = i
        elif children[i].delta < second[0]:
            second[0] = children[i].delta
        if children[i].phi > 0:
            open_children += 1
            largest = max(largest, children[i].phi)
    if open_children > FULL_CHILDREN:
        open_children = FULL_CHILDREN + (open_children - FULL_CHILDREN) // CHILD_SHARE
    others[0] = 0 if threatened else max(open_children - 1, 0)
    node.delta = PROVEN if node.phi == 0 or largest == PROVEN else largest + others[0]


cdef void take_proof(const Proof* children, const move_t* moves, int n, bint attacks, Proof* node) noexcept nogil:
    """Length and move of a mate that is proven: the shortest that is known, or the longest resistance to it."""
    cdef int i
    node.plies = 0
    node.move = NO_MOVE
    for i in range(n):
        if attacks and children[i].delta > 0:
            continue
        if node.move == NO_MOVE or (children[i].plies < node.plies - 1 if attacks else children[i].plies >= node.plies):
            node.plies = children[i].plies + 1
            node.move = moves[i]


cdef void prove(MateSearch* m, int ply, bint attacks, uint32_t most_phi, uint32_t most_delta,
                Proof* node) noexcept nogil:
    """Search below a node until one of its numbers reaches its limit, or the budget is spent.

    attacks: the side to move is the one that is to mate.
    """
    cdef Worker* w = m.worker
    cdef Position* pos = &w.pos
    cdef move_t moves[MAX_MOVES]
    cdef Proof children[MAX_MOVES]
    cdef uint64_t key = proof_key(m, pos.st.key, ply, attacks)
    cdef SquareBits zone = KING_TO[pos.king[pos.side ^ 1]]
    cdef Probe tt
    cdef uint32_t second, others
    cdef int i, n, best, checks = 0
    cdef bint by_path = False, threatened = False, escaped
    count_node(w)
    if attacks and mates_by_checks(m, key, ply, node):
        return
    if ply == 0:
        n = w.n_root
        for i in range(n):
            moves[i] = w.root[i].move
    else:
        n = gen_legal(pos, moves)
    tt.move = NO_MOVE
    if attacks:
        checks = n if must_mate(m, ply) and may_stalemate(pos) else checks_first(pos, moves, n)
        tt_probe(&w.shared.table, pos.st.key, &tt)
    elif n > 0:
        threatened = mated_after_pass(m, ply)
    for i in range(n):
        first_numbers(m, moves[i], ply, attacks, i < checks, zone, tt.move, &children[i])
    while True:
        sum_up(children, n, threatened, node, &best, &second, &others)
        if node.phi >= most_phi or node.delta >= most_delta or gives_up(m):
            break
        do_move(pos, moves[best])
        if (ply + 1 >= LONGEST_MATE
                or search_verdict(pos, ply + 1, w.shared.rule_set, w.shared.no_capture_limit) != NO_VERDICT):
            # Any verdict saves the defender: no mate rests on a repetition.
            children[best].phi = 0 if attacks else PROVEN
            children[best].delta = PROVEN if attacks else 0
            children[best].by_path = True
        else:
            prove(m, ply + 1, not attacks, most_delta - others,
                  min(most_phi, second + second // NEXT_BEST_SHARE + 1), &children[best])
        undo_move(pos)
        by_path = by_path or children[best].by_path
    if node.phi == 0 if attacks else node.delta == 0:
        take_proof(children, moves, n, attacks, node)
    else:
        node.plies = 0
        node.move = NO_MOVE
    escaped = node.delta == 0 if attacks else node.phi == 0
    node.by_path = by_path and escaped
    if not node.by_path:
        store_proof(w, key, node)


cdef void write_proof(MateSearch* m, RootMove* r, int plies) noexcept nogil:
    """The moves of the proof, as far as the table still has them or the budget finds them again.

    plies: to the mate at most, before the root move; each move must bring it nearer.
    """
    cdef Worker* w = m.worker
    cdef Position* pos = &w.pos
    cdef Proof node
    cdef move_t move = r.move
    cdef bint attacks = True
    cdef int _
    m.last_node = w.nodes + LINE_BUDGET
    r.pv_n = 0
    while True:
        do_move(pos, move)
        r.pv[r.pv_n] = move
        r.pv_n += 1
        attacks = not attacks
        prove(m, r.pv_n, attacks, PROVEN, PROVEN, &node)
        move = node.move
        if move == NO_MOVE or node.plies > plies - r.pv_n:
            break
    for _ in range(r.pv_n):
        undo_move(pos)


cdef uint32_t prove_mate(Worker* w, int shorter_than, int* longest, uint64_t budget, bint* ended) noexcept nogil:
    """Go on with the proof of a mate by the side to move; one of fewer plies becomes the best root move.

    Returns how much is still to be shown. longest: plies that the mate may have; where there is none, any.
    budget: nodes. ended: no more can be found in this way.
    """
    cdef MateSearch m
    cdef Proof node
    cdef int i
    memset(&m, 0, sizeof(m))
    m.worker = w
    m.longest = longest[0]
    m.last_node = w.nodes + budget
    prove(&m, 0, True, PROVEN, PROVEN, &node)
    if node.delta == 0 and m.longest < LONGEST_MATE:
        m.longest = LONGEST_MATE
        prove(&m, 0, True, PROVEN, PROVEN, &node)
    longest[0] = m.longest
    if node.phi == 0 and node.plies < shorter_than:
        for i in range(w.n_root):
            if w.root[i].move == node.move:
                write_proof(&m, &w.root[i], node.plies)
                announce_mate(w, 0, i, True, node.plies)
                break
    ended[0] = node.phi == 0 or node.delta == 0
    return node.phi
