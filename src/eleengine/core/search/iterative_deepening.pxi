# search/iterative_deepening.pxi - iterative deepening: one iteration after the other until a limit is reached.
#
# Uses: search/parallel, search/proof, search/timeman.
# Each iteration ranks the root moves that are wanted (MultiPV): the best of all, then the best of the rest.

cdef enum:
    MAX_DEPTH = 100
    WEAK_NODES = 50_000          # more than a weak level of play searches
    MATE_SHARE = 6               # of all nodes, one part may be spent to find shorter mates
    SURE_MATE_FACTOR = 2         # times the plies of a mate, and these more: at this depth no shorter one is hidden
    SURE_MATE_BASE = 4
    PROOF_NODES = 5_000          # spent on the proof of a mate that is asked for after the first iteration
    PROOF_SHARE = 2              # times the nodes of the other search, and these, may be
    NEAR_PHI = 10                # a mate seems near if no more than this is still to be shown
    NEAR_BITS = 5                # and less than the logarithm of the proof's nodes by this
    FAR_BITS = 1                 # it seems far if more is, by as much
    FAR_NODES = 64               # once these are spent
    DROP_DEPTH = 5               # from here on a lower score than the iteration before asks for more time


cdef struct Deepening:
    # What is wanted
    int last_depth
    int n_ranks                  # root moves to be ranked
    int mate                     # end when a mate in this number of moves is found, 0 for none
    # How far it has come
    int depth                    # of the iteration under way, or the last one
    int no_mate[2]               # plies within which no mate of the best line exists: of us, of the opponent
    uint64_t settling            # nodes spent to find that out
    int no_checkmate             # plies within which there is no mate by checks alone
    uint64_t checking            # nodes spent to find that out
    uint64_t proving             # nodes spent to prove a mate by proof numbers
    bint seems_near              # a mate, to the proof so far
    int proof_plies              # that the mate may have
    bint proof_ended             # nothing more comes of it


cdef void shorten_mate_of(Shared* s, Deepening* d, int rank) noexcept nogil:
    """See whether there is a shorter mate than the one that a finished line announces, if time allows.

    A sixth of all nodes may go into that, and none once half of the time is over.
    """
    cdef Worker* w = s.workers[0]
    cdef int theirs = w.root[rank].score < 0, none
    cdef uint64_t before = w.nodes, allowed = w.nodes // MATE_SHARE
    cdef uint64_t budget = LEAST_BUDGET + (allowed - d.settling if allowed > d.settling else 0)
    if s.optimum_ms and 2 * (now_ms() - s.began_ms) > s.optimum_ms:
        return
    none = shorten_mate(w, rank, d.no_mate[theirs] if rank == 0 else 0, budget)
    d.settling += w.nodes - before
    if rank == 0:
        d.no_mate[theirs] = none


cdef void try_checks(Shared* s, Deepening* d) noexcept nogil:
    """See whether checks alone mate, which takes far fewer nodes than all moves to the same length.

    A thirty-second of all nodes may go into that, and half of the first ones. In most positions checks
    soon come to an end. Weak levels, which ask for several lines, overlook such mates as people do.
    """
    cdef Worker* w = s.workers[0]
    cdef uint64_t before = w.nodes, allowed
    cdef const Parameters* P = w.params
    cdef int longest = LONGEST_MATE
    if d.n_ranks > 1 and w.nodes < WEAK_NODES:
        return
    if is_win(w.root[0].score):
        longest = mate_plies(w.root[0].score) - 2
    allowed = min(w.nodes // 2, <uint64_t>P.checkmate_early) + w.nodes // P.checkmate_parts
    if d.no_checkmate < longest and d.checking < allowed:
        d.no_checkmate = find_checkmate(w, d.no_checkmate, longest, allowed - d.checking)
        d.checking += w.nodes - before


cdef void try_proof(Shared* s, Deepening* d) noexcept nogil:
    """Two thirds of the nodes go to the proof of a mate that is asked for, half of them if one seems near.

    Else a few, to see whether one does, until it seems far. phi, what is still to be shown, grows as the binary
    logarithm of the proof's nodes, but more slowly where there is a mate. Weak levels go without, as in
    `try_checks`.
    """
    cdef Worker* w = s.workers[0]
    cdef uint64_t before = w.nodes, others = w.nodes - d.proving, allowed
    cdef int shorter_than = mate_plies(w.root[0].score) if is_win(w.root[0].score) else LONGEST_MATE
    cdef uint32_t phi
    if d.mate:
        allowed = PROOF_NODES + PROOF_SHARE * others
    elif d.n_ranks > 1 and w.nodes < WEAK_NODES or is_decisive(w.root[0].score):
        return
    else:
        allowed = others // s.n_workers if d.seems_near else others // w.params.proof_parts     # the other workers wait
    if s.proofs != NULL and not d.proof_ended and d.proving < allowed:
        phi = prove_mate(w, shorter_than, &d.proof_plies, allowed - d.proving, &d.proof_ended)
        d.proving += w.nodes - before
        d.seems_near = phi <= NEAR_PHI and d.proving >> (phi + NEAR_BITS) > 0
        if not d.mate and d.proving >= FAR_NODES and phi > FAR_BITS:
            d.proof_ended = d.proof_ended or d.proving >> (min(phi, 63) - FAR_BITS) == 0


cdef bint search_ranks(Shared* s, Deepening* d) noexcept nogil:
    """One iteration; False if it was stopped."""
    cdef Worker* w = s.workers[0]
    cdef int i, rank
    for i in range(w.n_root):
        if w.root[i].score != -INFINITE:
            w.root[i].previous = w.root[i].score
    for rank in range(d.n_ranks):
        search_together(s, rank, d.depth)
        if stopped(w):
            rank_unfinished(w, rank, d.n_ranks)
            return False
        if rank == 0:
            try_checks(s, d)
            try_proof(s, d)
        shorten_mate_of(s, d, rank)
    sort_root(w, 0)
    return True


cdef void rank_unfinished(Worker* w, int done, int n_ranks) noexcept nogil:
    """Put the lines of a stopped iteration in order; the first `done` of them are finished.

    The first root move stays the one to play. Scores from the previous iteration may exceed the new best
    score: clamp them to it.
    """
    cdef RootMove r
    cdef int i, k
    for i in range(n_ranks):
        if w.root[i].score == -INFINITE:
            w.root[i].score = w.root[i].previous
    for i in range(1, n_ranks):
        r = w.root[i]
        k = i
        while k > (0 if i < done else max(done, 1)) and w.root[k - 1].score < r.score:
            w.root[k] = w.root[k - 1]
            k -= 1
        w.root[k] = r
    for i in range(1, n_ranks):
        w.root[i].score = min(w.root[i].score, w.root[i - 1].score)


cdef bint enough_mate(const Shared* s, const Deepening* d) noexcept nogil:
    """After an iteration: is the mate that it announces the one that is wanted?"""
    cdef int score = s.workers[0].root[0].score, plies = mate_plies(score)
    if d.n_ranks > 1 or not is_mate(score):
        return False
    if d.mate and score > 0 and plies <= 2 * d.mate - 1:
        return True
    # Pruning may hide a shorter mate for some depths, hardly for these, unless it is ruled out.
    return d.depth >= SURE_MATE_FACTOR * plies + SURE_MATE_BASE or d.no_mate[score < 0] >= plies - 2


cdef void iterative_deepening(Shared* s, Deepening* d) noexcept nogil:
    """Search what the workers are set up for; the first one's root moves become the result, best first.

    `score` and `depth` of the first n_ranks root moves are true then, also if the search was stopped.
    """
    cdef Worker* w = s.workers[0]
    cdef int depth, k, drop = 0, stable = 0, last_score = 0
    cdef move_t last_best = NO_MOVE
    d.no_mate[0] = d.no_mate[1] = d.settling = d.no_checkmate = d.checking = d.proving = 0
    d.seems_near = d.proof_ended = False
    d.proof_plies = min(2 * d.mate - 1, LONGEST_MATE) if d.mate else LONGEST_MATE
    forget_mates(w)
    word_set(&s.table.age, (s.table.age + 1) & (AGES - 1))
    s.table.written = True
    find_repetition_replies(w)
    start_team_clock(s)
    start_waiting(s)
    flag_set(&s.has_depth_1, 0)
    for depth in range(1, d.last_depth + 1):
        d.depth = depth
        if not search_ranks(s, d):
            break
        flag_set(&s.has_depth_1, 1)
        for k in range(s.n_workers):
            publish_nodes(s.workers[k])
        if s.listener.iteration != NULL:
            s.listener.iteration(s.listener.who)
        if depth >= DROP_DEPTH:
            drop = last_score - w.root[0].score
        last_score = w.root[0].score
        stable = stable + 1 if w.root[0].move == last_best else 0
        last_best = w.root[0].move
        if stopped(w) or enough_mate(s, d) or enough_nodes(s) or enough_time(s, stable, drop):
            break
    for k in range(s.n_workers):
        publish_nodes(s.workers[k])
