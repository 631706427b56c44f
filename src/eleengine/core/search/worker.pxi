# search/worker.pxi - what one searching thread owns: its position, its path, its histories.
#
# Uses: search/table, search/busy, search/context.
# History scores move towards a bonus and decay on the way: h += b - h * |b| / limit, so that
# they stay within the limit and recent results count most.

cdef enum:
    MAX_WORKERS = 256
    MATE = 30000                 # a mate in n plies scores MATE - n
    MATE_BOUND = MATE - 1000     # scores beyond are mates
    # A game lost by the rules of repetition is worse than any mate: whoever must leave the loop
    # leaves it if he can. The scores hold on one path only; SHOWN_BAN stands for BAN outside.
    BAN = MATE + 1000            # won by the rules n plies away: BAN - n
    SHOWN_BAN = MATE_BOUND - 1
    UNSAFE_DRAW = 20             # for the opponent: take another move of about the same score
    INFINITE = 32000
    NO_EVAL = 32002

    LINE_PAIR = 128              # bytes: processors fetch cache lines in pairs

    HISTORY_LIMIT = 8192
    CAPTURE_LIMIT = 10240
    CONTINUATION_LIMIT = 16384
    CORRECTION_LIMIT = 1024
    CORRECTION_SIZE = 16384
    CONT_ROW = PIECE_CODES * SQUARES

cdef enum:                       # of a root move
    LOST = -1                    # mated whatever follows
    UNKNOWN
    ALIVE


cdef struct Frame:               # one ply of the path
    move_t move                  # being searched
    move_t excluded              # left out by a singular search
    move_t killers[2]
    int16_t* cont                # continuation history of the move: a row of CONT_ROW
    int static_eval              # corrected; NO_EVAL in check
    int cutoffs                  # beta cutoffs among the children
    int doubles                  # double extensions on the path so far
    bint in_check
    bint tt_pv
    int pv_n
    move_t pv[MAX_PLY]


cdef struct RootMove:
    move_t move
    int score                    # of this iteration; -INFINITE while unknown
    int previous                 # of the last iteration
    int depth                    # of the iteration that found the newer of the two, 0 for none
    int outcome                  # as far as this iteration has seen: LOST, UNKNOWN or ALIVE
    int seldepth
    uint64_t nodes               # spent below it in this search
    int pv_n
    move_t pv[MAX_PLY]


cdef struct Listener:            # wants to know how a search goes; each function may be NULL
    void* who
    void (*iteration)(void* who) noexcept nogil        # an iteration has ended
    void (*new_best)(void* who, const RootMove* line) noexcept nogil    # a root move that is now the best
    bint (*interrupts)(void* who) noexcept nogil       # now and then on the calling thread: shall the search end?


cdef struct Worker


cdef struct Shared:              # one search, seen by all its workers and by the controlling thread
    const SearchContext* context
    Table table
    atomic_flag stop             # leave the search: asked from outside, or a limit is reached
    atomic_flag pondering        # time limits rest
    atomic_flag hit              # ponderhit() came, perhaps before the search began
    int64_t began_ms             # when the search began
    int64_t start_ms             # when its maximum began to count: then, or at ponderhit
    int64_t optimum_ms           # aim, 0 for none
    int64_t maximum_ms           # never exceed, 0 for none
    uint64_t max_nodes           # 0 for none
    int64_t next_poll_ms         # when the listener is asked again
    bint interrupted             # it wanted the search to end
    bint selective               # False: every move to full depth, for comparison
    int rule_set                 # that judges repetitions
    int no_capture_limit         # plies that draw the game
    Worker** workers
    int n_workers
    int parallel                 # how they share the work: see search/parallel.pxi
    BusyLine* busy
    void (*split)(Worker* w, void* node) noexcept nogil    # shares out the moves of a Node; or NULL
    Listener listener
    atomic_flag deferring        # moves that another worker is searching are put off
    # What follows is written while workers search: away from what they read at every node.
    char gap[LINE_PAIR]
    spin_lock lock
    int winner                   # the worker whose iteration counts
    bint splitting               # moves of a node are being shared out
    uint64_t shown_move          # root move being searched | its index << 16


cdef struct Worker:
    Position pos
    Shared* shared
    const Parameters* params     # of the context
    uint64_t nodes
    uint64_t next_check          # node count at which the limits are looked at again
    uint64_t shown_nodes         # nodes as published now and then to other threads
    int number                   # 0 for the worker that decides
    atomic_flag leave            # somebody else has the result that this worker is after
    int seldepth
    int root_depth
    int null_ply                 # no null move before this ply (verification searches)
    int n_root
    bint restricted              # some legal moves are not among the root moves
    int pv_index                 # root moves before it are already ranked
    int news                     # 1 + index of a new best root move that nobody has been told of, or 0
    Evaluator eval
    RootMove root[MAX_MOVES]
    Frame frames[MAX_PLY + 8]    # frames[ply + 6], so that a child may look six plies back
    int16_t history[2][SQUARES * SQUARES]
    int16_t captures[PIECE_CODES][SQUARES][8]
    int16_t pawn_correction[2][CORRECTION_SIZE]
    int16_t minor_correction[2][CORRECTION_SIZE]
    int16_t major_correction[2][2][CORRECTION_SIZE]
    int16_t continuation[CONT_ROW][CONT_ROW]
    State* states                # room for the game's moves and MAX_PLY more
    Py_ssize_t states_n


cdef inline Frame* frame_at(Worker* w, int ply) noexcept nogil:
    return &w.frames[ply + 6]


cdef inline int16_t* butterfly(Worker* w, int side, move_t m) noexcept nogil:
    return &w.history[side][src_of(m) * SQUARES + dst_of(m)]


cdef inline void add_history(int16_t* h, int bonus, int limit) noexcept nogil:
    h[0] += <int16_t>(bonus - h[0] * (bonus if bonus >= 0 else -bonus) // limit)


cdef void update_continuation(Worker* w, int ply, int piece, int dst, int bonus) noexcept nogil:
    """Credit the move to the moves one, two, four and six plies before it."""
    cdef int[4] back = [1, 2, 4, 6]
    cdef int i
    cdef Frame* f
    for i in range(4):
        if i >= 2 and frame_at(w, ply).in_check:
            break
        f = frame_at(w, ply - back[i])
        if f.move != NO_MOVE:
            add_history(&f.cont[piece * SQUARES + dst], bonus if i < 2 else bonus // 2, CONTINUATION_LIMIT)


cdef inline int correction(Worker* w) noexcept nogil:
    """How far the static evaluation of positions like this one was off, in centipawns."""
    cdef const State* st = w.pos.st
    cdef int us = w.pos.side, total
    total = (2 * w.pawn_correction[us][st.pawn_key & (CORRECTION_SIZE - 1)]
             + 2 * w.minor_correction[us][st.minor_key & (CORRECTION_SIZE - 1)]
             + w.major_correction[us][0][st.major_key[us] & (CORRECTION_SIZE - 1)]
             + w.major_correction[us][1][st.major_key[us ^ 1] & (CORRECTION_SIZE - 1)])
    return total // 48


cdef void update_correction(Worker* w, int depth, int difference) noexcept nogil:
    """difference: the searched value minus the static evaluation."""
    cdef const State* st = w.pos.st
    cdef int us = w.pos.side
    cdef int bonus = max(-CORRECTION_LIMIT // 4, min(CORRECTION_LIMIT // 4, difference * depth // 8))
    add_history(&w.pawn_correction[us][st.pawn_key & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    add_history(&w.minor_correction[us][st.minor_key & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    add_history(&w.major_correction[us][0][st.major_key[us] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)
    add_history(&w.major_correction[us][1][st.major_key[us ^ 1] & (CORRECTION_SIZE - 1)], bonus, CORRECTION_LIMIT)


cdef void clear_histories(Worker* w) noexcept nogil:
    memset(w.history, 0, sizeof(w.history))
    memset(w.captures, 0, sizeof(w.captures))
    memset(w.pawn_correction, 0, sizeof(w.pawn_correction))
    memset(w.minor_correction, 0, sizeof(w.minor_correction))
    memset(w.major_correction, 0, sizeof(w.major_correction))
    memset(w.continuation, 0, sizeof(w.continuation))


cdef void clear_frames(Worker* w) noexcept nogil:
    cdef int i
    memset(w.frames, 0, sizeof(w.frames))
    for i in range(MAX_PLY + 8):
        w.frames[i].cont = w.continuation[0]      # of piece code EMPTY: nobody plays it
        w.frames[i].static_eval = NO_EVAL
