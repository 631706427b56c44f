# papers/worker.pxi - a search of the papers' algorithms: its options, what its threads share and what each owns.
#
# Uses: search/virtual_time, eval/evaluate, papers/table, papers/evaluate.

cdef extern from *:
    """
    static const int16_t EXCHANGE_VALUE[8] = { 0, 5, 1, 1, 3, 4, 3, 2 };    /* engine thesis, 2.4.3 */
    """
    const int16_t EXCHANGE_VALUE[8]

cdef enum:
    THESIS_PLY = 256               # the longest path
    THESIS_DEPTH = 60              # the deepest search, so that extensions stay within the path
    ALPHA_BETA = 0
    PVS = 1
    MTDF = 2
    MINIMAX = 3                  # the definition: no window, every node
    KILLERS_OFF = 0
    KILLERS_AFTER = 1            # after the captures that lose nothing: Zou 2012, and as the engine thesis found
    KILLERS_BEFORE = 2           # before all captures: compared in the engine thesis
    SOURCE_TERMS = 0
    ENGINE_TERMS = 1
    TAPERED_TERMS = 2            # of the engine thesis
    HISTORY_OFF = 0
    HISTORY_POWER = 1            # grows by 2 << depth (Zou 2012)
    HISTORY_SQUARE = 2           # by depth * depth (engine thesis)
    NULL_OFF = 0
    NULL_ADAPTIVE = 1            # Zou 2012, 4.1.3
    NULL_VERIFIED = 2            # engine thesis, 3.2.3
    EXTENSIONS_OFF = 0
    EXTENSIONS_EXCHANGE = 1      # in check and after two captures, at the leaves (Zou 2012, 5.3.2)
    EXTENSIONS_FORCED = 2        # in check and of the only move, everywhere (engine thesis, 3.3.2)
    NULL_MARGIN = 200            # a side to move that has less does not pass (engine thesis)
    STATIC = 0
    DYNAMIC = 1
    GUIDED = 2
    SPLIT_PV = 0                 # brothers along the leftmost branch
    SPLIT_TREE = 1               # the moves of the root
    SPLIT_WINDOW = 2             # each thread searches all of the tree, with a window of its own
    SPLIT_DTS = 3                # idle threads take brothers anywhere, of the deepest search
    SPLIT_TASKS = 4              # all brothers are tasks, the first ones are taken first
    SPLIT_OPENMP = 5             # the same as tasks of OpenMP, which takes any
    SHARE_DEPTH = 2              # of the nodes where these are shared
    MAX_OPEN = 1024              # of these nodes at a time
    POLL_NODES = 256             # between looks at the limits
    SIGNAL_POLLS = 1024          # of these, between looks at the signals
    TURN_POLL = 4                # inner nodes between looks at who is behind, in virtual time
    GOOD_CAPTURE_CLASS = 3       # classes of the move order, see thesis_score_moves
    TABLE_MOVE_CLASS = 5


cdef struct ThesisOptions:
    int algorithm
    bint table
    bint shared_table            # one for all threads, or one a thread: read all, write own
    bint leaf_entries            # leaves are looked up and stored, too
    bint exact_depth             # the table answers only for exactly the depth: results as without it
    bint table_move
    bint captures
    int killers
    bint alpha_killers           # the best move of a node below alpha is a killer and counts in history, too
    bint alpha_moves             # it is kept in the table
    int history
    int null_move
    bint internal_deepening      # a node without a table move is searched two plies less first (engine thesis, 3.2.4)
    bint quiescence              # leaves are searched on by good captures (engine thesis, 3.3.1)
    int extensions
    int evaluation
    int grain                    # evaluations are rounded towards zero to multiples of it
    int threads
    int schedule                 # of the threads: OpenMP's, in chunks of one
    int split                    # SPLIT_...
    int aspiration               # the root's window reaches so far on both sides of the value expected; 0: all the way
    bint own_order               # each thread orders moves by its own history and killers, not by all threads'
    bint regroup                 # all threads search a better sibling again, not the one that found it


cdef struct ThesisWorker


cdef struct ThesisSplit:           # a node whose moves several threads search
    Position pos
    State states[2]              # the node's and its parent's
    ThesisSplit* parent            # whose end ends this one, too; or NULL
    int placed
    int depth
    int beta
    int ply
    int first                    # index of the first move that is shared
    int n
    move_t moves[MAX_MOVES]
    char apart[64]               # what all threads write lies on lines of its own; the search's lock guards it
    atomic_flag alpha            # read without the lock, too
    atomic_flag end              # a cutoff, or a move for all: the others leave
    bint done[MAX_MOVES]
    int next                     # index of the move to be taken
    int best
    move_t best_move
    move_t good                  # the move that raised alpha
    int again                    # index of the move that all threads are to search next, or -1
    int bound                    # a value that it has at least
    ThesisWorker* owner          # who stands there
    int helpers                  # threads that have come to help it
    int given                    # turns that the schedule has given away, in virtual time


cdef struct ThesisShared:               # one search, seen by all its workers
    ThesisOptions options
    const Classic* classic       # of the evaluation ENGINE_TERMS
    ThesisTerms terms              # of SOURCE_TERMS, and what captures are worth
    move_t root_moves[MAX_MOVES]
    int root_n                   # how many of the legal moves are searched; all of them: 0
    bint limited                 # do the limits count already?
    uint64_t max_nodes           # leaves and inner nodes of all workers; 0 for no limit
    int64_t deadline_us          # 0 for none
    ThesisArray* tables            # one, or one a worker
    int tables_n
    ThesisWorker** workers
    atomic_flag stop
    VirtualTime* virtual_time    # or NULL: threads run as the system lets them
    spin_lock lock               # of all splits
    ThesisSplit* open[MAX_OPEN]    # where idle threads may help
    int open_n
    atomic_flag idle             # threads without work
    atomic_flag finished         # the root has its value
    int max_ply                  # extensions end here
    int64_t idle_us              # threads times microseconds spent waiting for others
    void* listener
    bint (*poll)(void* listener) noexcept nogil      # asks the first worker's caller whether to stop
    # Searches all moves but the first with idle threads: of papers/split.
    void (*share_rest)(ThesisWorker* w, move_t* moves, uint64_t* scores, int n, int depth, int* alpha, int beta,
                       int ply, int* best, move_t* best_move, move_t* good) noexcept nogil


cdef struct ThesisWorker:
    Position pos
    State states[THESIS_PLY + 4]
    ThesisShared* shared
    ThesisSplit* split             # being searched, or NULL
    int number
    uint64_t leaves              # evaluations
    uint64_t nodes               # inner nodes
    uint64_t visited             # both
    uint64_t probes
    uint64_t hits                # probes that gave a value
    uint64_t cuts                # inner nodes above beta, and those by their first move
    uint64_t first_cuts
    uint64_t next_poll           # in inner nodes
    uint64_t next_turn
    uint64_t polls
    uint64_t shown               # visited nodes as of the last poll: others read it
    int64_t free_us              # when it last finished a share of a split
    int64_t busy_us              # in tasks of OpenMP
    move_t best                  # root move
    int placed[THESIS_PLY + 4]     # thesis_placed at each ply
    uint64_t killers[THESIS_PLY]   # newest | second newest << 16
    uint64_t history[SQUARES * SQUARES]
