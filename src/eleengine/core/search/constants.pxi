# search/constants.pxi - numbers of the search that are the same in every context.
#
# Uses: search/score.
# Those that games can tune, and where each step begins and ends, are in search/parameters.txt.

cdef enum:
    ONE_PLY = 1024               # in the unit of reductions
    REDUCTION_FACTOR = 672       # of the logarithms that reductions are made of
    MAX_TABLE_DEPTH_LESS = 3     # an entry this much shallower still says what to expect of its move
    ASPIRATION_DEPTH = 5         # the root has a window around the last score from here on
    ASPIRATION_MAX = 1000        # a wider half window is no window
    NEGATIVE_EXTENSION = -2      # of a table move that is not the only good one
    MAX_EXTENDED_PLY = 2         # times the depth of the iteration: no singular searches beyond
    SINGULAR_DIVISOR = 2         # a centipawn of the singular margin for each 2 of depth,
    SINGULAR_FORMER_PV = 2       # times that where the position was on the principal variation
    SINGULAR_DEPTH_DIVISOR = 2   # a singular search goes to half of the depth
    NULL_DEPTH_PARTS = 3         # a null move is searched a ply shallower for each 3 of depth
    NULL_SCORE_PLIES = 3         # and at most 3 plies for the evaluation
    VERIFIED_QUARTERS = 3        # of the reduced depth: plies in which the verification tries no null move
    PROBCUT_LESS = 4             # plies that ProbCut searches shallower
    MANY_CUTOFFS = 3             # among the children: more mean that moves here are worth little
    NEAR_LIMIT = 10              # plies before the no-capture limit: the table does not know of it
    SPLIT_DEPTH = 4              # nodes this deep are worth sharing out
    TEAM_RESEARCH_DEPTH = 8      # and moves that beat alpha there are worth a search by all workers

# What quiet moves and captures are ordered by, in units of history scores.
cdef enum:
    BONUS_EVAL_LIMIT = 1500      # of the history bonus for a gain in evaluation
    VICTIM_WEIGHT = 7            # of the value of what is captured, beside the history of captures
    LOSS_PARTS = 64              # of the score of a capture: for each 64 of it a move may lose a centipawn
    BUTTERFLY_WEIGHT = 2         # where moves are reduced: of a move's own history, 1 after each of the last two moves
    NEAR_WEIGHT = 2              # of a move's own history and of those after the last two moves
    FIRST_KILLER = 12000
    SECOND_KILLER = 8000
    QUIET_CHECK = 6000
    THREAT = 4000                # for an attack on a rook or cannon by something cheaper
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
