# search/worker.pxi - what one searching thread owns, and what all threads of a search share.
#
# Uses: search/score, search/table, search/busy, search/context, tables/probe.

cdef enum:
    MAX_WORKERS = 256
    NOBODY = -1                  # among workers, or siblings
    MATE_BITS = 16               # of the key, to index the table of mates

    LINE_PAIR = 128              # bytes: processors fetch cache lines in pairs

    CORRECTION_SIZE = 16384
    CONT_ROW = PIECE_CODES * SQUARES

cdef enum:                       # outcomes of a root move that is not known to be lost: better than every mate
    NOT_SEARCHED = 1 - MATE_BOUND
    NOT_LOST


cdef struct Frame:               # one ply of the path
    move_t move                  # being searched
    move_t excluded              # left out by a singular search
    move_t killers[2]
    int16_t* cont                # continuation history of the move: a row of CONT_ROW
    int static_eval              # corrected; NO_EVAL in check
    int cutoffs                  # beta cutoffs among the children
    int double_extensions        # on the path so far
    bint in_check
    bint tt_pv
    int threatened               # see is_threatened; -1 if nobody has looked yet
    bint attacks_known           # the next two are, see find_attacks
    SquareBits below_minors      # attacked by what is cheaper than knights and cannons
    SquareBits below_rooks       # attacked by what is cheaper than rooks
    int pv_n
    move_t pv[MAX_PLY]


cdef struct RootMove:
    move_t move
    int score                    # of this iteration; -INFINITE while unknown
    int previous                 # of the last iteration
    int depth                    # of the iteration that found the newer of the two, 0 for none
    int outcome                  # NOT_LOST or NOT_SEARCHED in this iteration; if mated anyway: its score at most
    int seldepth
    uint64_t nodes               # spent below it in this search
    int pv_n
    move_t pv[MAX_PLY]


cdef struct RepetitionReply:     # a root move after which one reply ends the game by repetition
    move_t move
    move_t reply
    int value                    # of that end, for the side that makes the root move


cdef struct MateEntry:           # a position with the attacker to move
    uint64_t key                 # and the search that has looked
    move_t move                  # that mates
    uint8_t length               # in plies, or 0
    uint8_t none                 # there is no mate within this number of plies


cdef struct ProofEntry:          # how far the proof of a mate has come: see search/proof.pxi
    uint64_t key
    uint32_t phi
    uint32_t delta
    uint8_t plies                # to the mate, where it is proven


cdef struct ProvenMate:          # by the side to move, whatever is replied
    int value                    # 0 for none
    int pv_n
    move_t pv[MAX_PLY]


cdef struct Listener:            # callbacks of a search; any may be NULL
    void* who
    void (*iteration)(void* who) noexcept nogil        # an iteration has ended
    void (*new_best)(void* who, const RootMove* line) noexcept nogil    # a root move that is now the best
    bint (*should_stop)(void* who) noexcept nogil      # polled on the calling thread


cdef struct MoveHistories:       # which moves did well: scores for their order and their reductions
    int16_t butterfly[2][SQUARES * SQUARES][4]      # see butterfly()
    int16_t captures[PIECE_CODES][SQUARES][8]
    int16_t continuation[CONT_ROW][CONT_ROW]


cdef struct Worker
cdef struct VirtualTime


cdef struct Shared:              # one search, seen by all its workers and by the controlling thread
    const SearchContext* context
    Table table
    atomic_flag stop             # leave the search: asked from outside, or a limit is reached
    atomic_flag pondering        # time limits rest
    atomic_flag hit              # ponderhit() came, perhaps before the search began
    int64_t began_ms             # when the search began
    int64_t start_ms             # when its maximum began to count: then, or at ponderhit
    int64_t optimum_ms           # aim, 0 for none
    int64_t maximum_ms           # not to exceed after depth 1, 0 for none
    atomic_flag has_depth_1      # that iteration is complete
    uint64_t max_nodes           # 0 for none
    uint64_t soft_nodes          # no iteration begins after these, 0 for none
    int64_t next_poll_ms         # when the listener is asked again
    bint interrupted             # should_stop returned True
    int rule_set                 # that judges repetitions
    int no_capture_limit         # plies that draw the game
    const TableSet* tables       # endgame tables, or NULL
    bint table_draws             # their draws end a line; not if the root is one: then the game goes on
    RepetitionReply repetition_replies[MAX_MOVES]  # root moves that a reply bounds
    int n_repetition_replies
    ProvenMate mate              # the shortest that is proven
    ProofEntry* proofs           # 1 << proof_bits of them are used; NULL where games for training are played
    int proof_bits
    Worker** workers
    int n_workers
    int parallel                 # how they share the work: see search/parallel.pxi
    BusyLine* busy
    void (*share_moves)(Worker* w, void* node) noexcept nogil    # of a Node among all workers; or NULL
    Listener listener
    VirtualTime* virtual_time
    atomic_flag in_turns         # workers take turns in virtual time
    atomic_flag deferring        # moves that another worker is searching are put off
    # What follows is written while workers search: away from what they read at every node.
    char gap[LINE_PAIR]
    spin_lock lock
    int winner                   # the worker whose iteration counts
    bint splitting               # moves of a node are being shared out
    bint reporting               # a worker reports a new best move
    int split_depth              # nodes this deep are split: SPLIT_DEPTH, or more on a busy machine
    int64_t window_from_us       # when the window began in which waiting is measured
    int64_t waited_us            # how long worker 0 has waited for others in it
    int64_t waits_from_us        # when worker 0 last ran out of work
    uint64_t shown_move          # root move being searched | its index << 16


cdef struct Worker:
    Position pos
    Shared* shared
    const Parameters* params     # of the context
    uint64_t nodes
    uint64_t next_check          # node count at which the limits are looked at again
    uint64_t table_hits          # values found in endgame tables
    int number                   # 0 for the worker that decides
    int seldepth
    int root_depth
    int null_ply                 # no null move before this ply (verification searches)
    int n_root
    bint restricted              # some legal moves are not among the root moves
    int pv_index                 # root moves before it are already ranked
    int new_best                 # 1 + index of a new best root move that is not reported yet, or 0
    Evaluator eval
    RootMove root[MAX_MOVES]
    MateEntry mates[1 << MATE_BITS]
    uint64_t mate_salt           # part of their keys, differs from search to search
    Frame frames[MAX_PLY + 8]    # frames[ply + 6], so that a child may look six plies back
    MoveHistories* moves         # its own, or those of the first worker: see shares_histories()
    MoveHistories own_moves
    int16_t pawn_correction[2][CORRECTION_SIZE]
    int16_t minor_correction[2][CORRECTION_SIZE]
    int16_t major_correction[2][2][CORRECTION_SIZE]
    State* states                # room for the game's moves and MAX_PLY more
    Py_ssize_t states_n
    # What other threads read or write while it searches: away from what it writes at every node.
    char gap[LINE_PAIR]
    atomic_flag leave            # somebody else has the result that this worker is after
    atomic_flag failed_high      # its sibling of a split node beats alpha at a reduced depth
    uint64_t shown_nodes         # nodes as published now and then
    char last_gap[LINE_PAIR]


cdef inline Frame* frame_at(Worker* w, int ply) noexcept nogil:
    return &w.frames[ply + 6]


cdef void clear_frames(Worker* w) noexcept nogil:
    cdef int i
    memset(w.frames, 0, sizeof(w.frames))
    for i in range(MAX_PLY + 8):
        w.frames[i].cont = w.moves.continuation[0]      # of piece code EMPTY: nobody plays it
        w.frames[i].static_eval = NO_EVAL
