# data/selfplay.pxi - whole games of the engine against itself, for data.
#
# Uses: search/iterative_deepening.
# A game depends on its seed and on nothing before it: table and histories start empty. Its moves are
# random legal ones at first, then those of searches that nodes limit. Our own rules judge it.

cdef enum:
    MAX_GAME = 600               # plies
    NO_SCORE = -32768            # of a move that was not searched
    QUIET_SCORE = 2500           # centipawns: beyond, there is nothing left to evaluate
    OPENING_TRIES = 1000

cdef enum:                       # results
    BLACK_WON = 0
    GAME_DRAWN = 1
    RED_WON = 2

cdef enum:                       # why a game ended
    BY_MATE = 1                  # or stalemate
    BY_RULES = 2                 # repetition, the no-capture limit, bare material
    BY_ADJUDICATION = 3          # both sides' searches agreed for some plies
    BY_LENGTH = 4


cdef enum:                       # what became of a game
    PLAYED
    NO_OPENING                   # none of those tried was balanced
    ABANDONED                    # the listener did not want to wait


cdef void* with_room(void* rows, uint64_t* capacity, uint64_t wanted, size_t size) noexcept nogil:
    """The rows of a table, of that size, with room for those that are wanted; without memory the capacity is less."""
    cdef uint64_t larger = max(wanted, capacity[0] + capacity[0] // 2)
    cdef void* bigger
    if wanted > capacity[0]:
        bigger = grow(rows, capacity[0] * size, larger * size)
        if bigger != NULL:
            rows = bigger
            capacity[0] = larger
    return rows


cdef struct PlayLimits:
    uint64_t nodes               # of a search, at most
    uint64_t soft_nodes          # no iteration begins after these, 0 for none
    int random_min               # random plies at the start
    int random_max
    int balance                  # centipawns beyond which an opening is given up
    int win_score                # a win when the score is at least this ...
    int win_plies                # ... for this number of plies
    int draw_score               # a draw when it is at most this ...
    int draw_plies               # ... for this number of plies ...
    int draw_after               # ... from this ply on
    int max_plies                # a draw


cdef struct PlayedGame:
    int n                        # plies
    int n_quiet                  # positions that are good for tuning
    int result
    int reason
    move_t moves[MAX_GAME]
    int16_t scores[MAX_GAME]     # of the searches, for the side to move


cdef inline bint is_quiet(const Position* pos, move_t m, int score, int limit) noexcept nogil:
    """Is the position quiet, with this best move and score, so that an evaluation can be blamed for the outcome?"""
    return (score != NO_SCORE and -limit <= score <= limit and not set_any(pos.st.checkers)
            and pos.board[dst_of(m)] == EMPTY and earlier_occurrence(pos, 0, WHOLE_GAME) == 0)


cdef void think(Worker* w, const PlayLimits* limits) noexcept nogil:
    """Search the worker's position; the best move is the first root move. There must be a legal move."""
    cdef Deepening d
    flag_set(&w.shared.stop, 0)
    w.shared.max_nodes = limits.nodes
    w.shared.soft_nodes = limits.soft_nodes
    start_worker(w)
    fill_root(w)
    memset(&d, 0, sizeof(d))
    d.last_depth = MAX_DEPTH
    d.n_ranks = 1
    iterative_deepening(w.shared, &d)


cdef bint play_opening(Worker* w, const PlayLimits* limits, uint64_t* random, PlayedGame* g) noexcept nogil:
    """Play random moves from the worker's position, and search the position they lead to.

    Returns whether that is a game still open; if not, the moves are taken back.
    """
    cdef move_t moves[MAX_MOVES]
    cdef int n
    cdef int wanted = limits.random_min + <int>(
        splitmix64(random) % <uint64_t>(limits.random_max - limits.random_min + 1))
    g.n = 0
    while g.n < wanted:
        n = gen_legal(&w.pos, moves)
        if n == 0:
            break
        g.moves[g.n] = moves[splitmix64(random) % <uint64_t>n]
        g.scores[g.n] = NO_SCORE
        do_move(&w.pos, g.moves[g.n])
        g.n += 1
    if (g.n == wanted and has_legal_move(&w.pos)
            and search_verdict(&w.pos, 0, w.shared.rule_set, w.shared.no_capture_limit) == NO_VERDICT):
        think(w, limits)
        if -limits.balance <= w.root[0].score <= limits.balance:
            return True
    while g.n > 0:
        undo_move(&w.pos)
        g.n -= 1
    return False


cdef inline int result_of(const Position* pos, int verdict) noexcept nogil:
    """The result of a game by the verdict for the side to move."""
    if verdict == VERDICT_DRAW:
        return GAME_DRAWN
    return RED_WON if (verdict == VERDICT_WIN) == (pos.side == RED) else BLACK_WON


cdef int play_game(Worker* w, const PlayLimits* limits, uint64_t seed, PlayedGame* g) noexcept nogil:
    """Play from the worker's position to the end: PLAYED, NO_OPENING or ABANDONED."""
    cdef Position* pos = &w.pos
    cdef Shared* s = w.shared
    cdef int tries = 0, verdict, score, winning = 0, drawing = 0
    cdef bint searched = True                  # the opening has left the first search behind
    clear_table(&s.table, 1)
    g.n_quiet = 0
    s.interrupted = False
    clear_histories(w)
    while not play_opening(w, limits, &seed, g):
        tries += 1
        if s.interrupted:
            return ABANDONED
        if tries == OPENING_TRIES:
            return NO_OPENING
    while True:
        if s.interrupted:
            return ABANDONED
        if not has_legal_move(pos):
            g.reason = BY_MATE
            g.result = BLACK_WON if pos.side == RED else RED_WON
            return PLAYED
        verdict = search_verdict(pos, 0, s.rule_set, s.no_capture_limit)
        if verdict != NO_VERDICT:
            g.reason = BY_RULES
            g.result = result_of(pos, verdict)
            return PLAYED
        if g.n >= limits.max_plies:
            g.reason = BY_LENGTH
            g.result = GAME_DRAWN
            return PLAYED
        if not searched:
            think(w, limits)
        searched = False
        score = w.root[0].score
        if pos.side == BLACK:
            score = -score
        # Counted up while Red wins, down while Black does.
        winning = (max(winning, 0) + 1 if score >= limits.win_score
                   else min(winning, 0) - 1 if score <= -limits.win_score else 0)
        drawing = drawing + 1 if -limits.draw_score <= score <= limits.draw_score else 0
        if winning >= limits.win_plies or -winning >= limits.win_plies:
            g.reason = BY_ADJUDICATION
            g.result = RED_WON if winning > 0 else BLACK_WON
            return PLAYED
        if drawing >= limits.draw_plies and g.n >= limits.draw_after:
            g.reason = BY_ADJUDICATION
            g.result = GAME_DRAWN
            return PLAYED
        g.moves[g.n] = w.root[0].move
        g.scores[g.n] = <int16_t>w.root[0].score
        g.n_quiet += is_quiet(pos, w.root[0].move, score, QUIET_SCORE)
        g.n += 1
        do_move(pos, w.root[0].move)
