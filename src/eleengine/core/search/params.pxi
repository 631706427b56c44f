# search/params.pxi - the constants of the search that games can tune.
#
# One line a parameter: name, value as shipped, min, max. Margins are centipawns, reductions
# 1024ths of a ply, history scores as in search/worker.pxi.

cdef extern from *:
    """
    #define PARAMETERS(X) \\
        X(aspiration,            19,    4,    80) /* first half window around the last score */ \\
        X(bonus_square,          26,    2,    64) /* history bonus by depth squared */ \\
        X(bonus_limit,         1116,  300,  4000) \\
        X(bonus_eval,             4,    0,    32) /* of the previous move, per centipawn of evaluation gained */ \\
        X(quiescence_margin,    264,   30,   500) /* a capture must come this near to alpha */ \\
        X(rfp_depth,             91,   20,   200) /* reverse futility: margin a ply */ \\
        X(rfp_improving,         56,    0,   200) \\
        X(null_margin,          125, -100,   500) /* null move: static evaluation above beta, */ \\
        X(null_depth,            19,    0,    80) /* less this a ply */ \\
        X(null_base,              4,    2,     7) /* plies, plus a third of the depth */ \\
        X(null_score,           199,   50,   800) /* centipawns above beta for a ply more */ \\
        X(probcut_margin,       186,   50,   500) \\
        X(probcut_improving,     57,    0,   200) \\
        X(late_moves,             7,    1,    16) /* searched at depth 0; the depth squared comes on top */ \\
        X(history_prune,       4848,  800, 12000) /* a ply */ \\
        X(futility_base,         81,    0,   400) \\
        X(futility_depth,       102,   20,   250) \\
        X(futility_history,     176,   40,  1000) /* history score worth a centipawn */ \\
        X(see_capture,           99,   20,   400) /* what a capture may lose a ply */ \\
        X(see_quiet,             33,    4,    80) /* a ply squared */ \\
        X(see_quiet_base,        20,    0,   150) \\
        X(see_evasion,          120,   20,   400) \\
        X(singular_double,       20,    0,    80) /* below the singular margin for two plies */ \\
        X(lmr_base,             630,    0,  2400) \\
        X(lmr_divisor,          959,  500,  2500) \\
        X(lmr_worsening,        732,    0,  2048) \\
        X(lmr_cut,             1193,    0,  3072) \\
        X(lmr_pv,              1308,    0,  2048) \\
        X(lmr_table_pv,         957,    0,  2048) \\
        X(lmr_table_capture,    791,    0,  2048) \\
        X(lmr_check,            913,    0,  2048) \\
        X(lmr_threat,          1288,    0,  2048) /* a move that threatens mate */ \\
        X(lmr_cutoffs,          578,    0,  2048) \\
        X(lmr_capture,          897,    0,  2048) \\
        X(lmr_history,        14343, 3000, 50000) /* history score worth a ply */ \\
        X(lmr_killer,          1119,    0,  2048) \\
        X(deeper,                53,    5,   150) /* above the best score: search a ply deeper */ \\
        X(shallower,             11,    0,    40)

    #define PARAMETER_FIELD(name, value, min, max) int name;
    #define PARAMETER_ROW(name, value, min, max) { #name, value, min, max },
    typedef struct { PARAMETERS(PARAMETER_FIELD) } Parameters;
    typedef struct { const char *name; int value, min, max; } Parameter;
    static const Parameter PARAMETER[] = { PARAMETERS(PARAMETER_ROW) };
    #define N_PARAMETERS ((int)(sizeof PARAMETER / sizeof *PARAMETER))
    #define parameter_at(params, i) ((int *)(params) + (i))
    """
    ctypedef struct Parameters:
        int aspiration, bonus_square, bonus_limit, bonus_eval, quiescence_margin, rfp_depth, rfp_improving
        int null_margin, null_depth, null_base, null_score, probcut_margin, probcut_improving
        int late_moves, history_prune, futility_base, futility_depth, futility_history
        int see_capture, see_quiet, see_quiet_base, see_evasion, singular_double
        int lmr_base, lmr_divisor, lmr_worsening, lmr_cut, lmr_pv, lmr_table_pv, lmr_table_capture
        int lmr_check, lmr_threat, lmr_cutoffs, lmr_capture, lmr_history, lmr_killer, deeper, shallower
    ctypedef struct Parameter:
        const char* name
        int value, min, max               # as shipped, and its range
    const Parameter PARAMETER[]
    const int N_PARAMETERS
    int* parameter_at(Parameters* params, int i) noexcept nogil    # its value, in the order of PARAMETER

# Where steps of the search begin and end: plies of depth that nobody tunes by games.
cdef enum:
    RFP_DEPTH = 9                # reverse futility up to here
    NULL_VERIFY_DEPTH = 14       # null moves are verified from here on
    PROBCUT_DEPTH = 5
    IIR_DEPTH = 5                # internal iterative reduction from here on
    SINGULAR_DEPTH = 6
    MAX_DOUBLES = 8              # double extensions on a path
    LATE_DEPTH = 9               # late moves are left out up to here
    QUIET_PRUNE_DEPTH = 8        # of quiet moves by history, futility and exchange, after reduction
    SEE_PRUNE_DEPTH = 7          # of captures and evasions by exchange
    MANY_CUTOFFS = 3             # among the children: more mean that moves here are worth little
    SPLIT_DEPTH = 4              # nodes this deep are worth sharing out
    REGROUP_DEPTH = 8            # and moves that beat alpha there are worth everybody's time

# What quiet moves and captures are ordered by, in units of history scores.
cdef enum:
    VICTIM_WEIGHT = 7            # of the value of what is captured, beside the history of captures
    LOSS_PARTS = 64              # of the score of a capture: for each 64 of it a move may lose a centipawn
    NEAR_WEIGHT = 2              # of a move's own history and of those after the last two moves
    FIRST_KILLER = 12000
    SECOND_KILLER = 8000
    QUIET_CHECK = 6000
    ROOK_THREAT = 8000           # for leaving an attack by something cheaper, against going into one
    MINOR_THREAT = 5000
    EVASION_CAPTURE = 100_000    # before all other evasions

# How far the static evaluation was off: the shares of the tables, and what a step of theirs is worth.
cdef enum:
    CORRECTION_PAWNS = 2
    CORRECTION_MINORS = 2
    CORRECTION_MAJORS = 1        # of either side
    CORRECTION_PARTS = 48        # of a centipawn
    CORRECTION_DEPTH = 8         # plies of the search that count the difference in full
    CORRECTION_STEP = 4          # a quarter of the limit is the most that one result changes

# Time for a move: its aim is multiplied by three factors.
cdef enum:
    STABLE_MOST = 6              # iterations with the same best move, more make no difference
    DROP_LEAST = -40             # of the score, in centipawns: less makes no difference
    DROP_MOST = 80

cdef extern from *:
    """
    static const double TIME_UNSTABLE = 1.3;    /* the best move is new, */
    static const double TIME_STABLE = 0.09;     /* less this for each iteration that it is not */
    static const double TIME_DROP = 120.0;      /* centipawns for which the aim is doubled */
    static const double TIME_EFFORT = 1.9;      /* the best move took no nodes, */
    static const double TIME_EFFORT_ALL = 1.3;  /* less this if it took all */
    static const double TIME_NEXT = 0.65;       /* of the aim: another iteration would hardly end in time */
    """
    const double TIME_UNSTABLE, TIME_STABLE, TIME_DROP, TIME_EFFORT, TIME_EFFORT_ALL, TIME_NEXT

cdef enum:
    BONUS_EVAL_LIMIT = 1500      # of the history bonus for a gain in evaluation
    NEAR_LIMIT = 10              # plies before the no-capture limit: the table does not know of it
