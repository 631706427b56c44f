# params.pxi - the constants of the search that games can tune.
#
# One line a parameter: name, value as shipped, least, most. Margins are centipawns, reductions
# 1024ths of a ply, history scores as in worker.pxi. They are shared by all searches of the process
# and may change only between searches.

cdef extern from *:
    """
    #define PARAMETERS(X) \\
        X(aspiration,            15,    4,    80) /* first half window around the last score */ \\
        X(bonus_square,          16,    2,    64) /* history bonus by depth squared */ \\
        X(bonus_limit,         1600,  300,  4000) \\
        X(quiescence_margin,    170,   30,   500) /* a capture must come this near to alpha */ \\
        X(rfp_depth,             75,   20,   200) /* reverse futility: margin a ply */ \\
        X(rfp_improving,         60,    0,   200) \\
        X(null_margin,          150, -100,   500) /* null move: static evaluation above beta, */ \\
        X(null_depth,            20,    0,    80) /* less this a ply */ \\
        X(null_base,              4,    2,     7) /* plies, plus a third of the depth */ \\
        X(null_score,           200,   50,   800) /* centipawns above beta for a ply more */ \\
        X(probcut_margin,       190,   50,   500) \\
        X(probcut_improving,     50,    0,   200) \\
        X(late_moves,             4,    1,    16) /* searched at depth 0; the depth squared comes on top */ \\
        X(history_prune,       3500,  800, 12000) /* a ply */ \\
        X(futility_base,        100,    0,   400) \\
        X(futility_depth,        90,   20,   250) \\
        X(futility_history,     200,   40,  1000) /* history score worth a centipawn */ \\
        X(see_capture,          150,   20,   400) /* what a capture may lose a ply */ \\
        X(see_quiet,             25,    4,    80) /* a ply squared */ \\
        X(see_quiet_base,        20,    0,   150) \\
        X(see_evasion,          100,   20,   400) \\
        X(singular_double,       15,    0,    80) /* below the singular margin for two plies */ \\
        X(lmr_base,             800,    0,  2400) \\
        X(lmr_divisor,         1056,  500,  2500) \\
        X(lmr_worsening,        700,    0,  2048) \\
        X(lmr_cut,             1400,    0,  3072) \\
        X(lmr_pv,              1024,    0,  2048) \\
        X(lmr_table_pv,         900,    0,  2048) \\
        X(lmr_table_capture,    700,    0,  2048) \\
        X(lmr_check,           1024,    0,  2048) \\
        X(lmr_cutoffs,          700,    0,  2048) \\
        X(lmr_capture,         1024,    0,  2048) \\
        X(lmr_history,        14000, 3000, 50000) /* history score worth a ply */ \\
        X(lmr_killer,           800,    0,  2048) \\
        X(deeper,                45,    5,   150) /* above the best score: search a ply deeper */ \\
        X(shallower,              8,    0,    40)

    #define PARAMETER_FIELD(name, value, least, most) int name;
    #define PARAMETER_VALUE(name, value, least, most) value,
    #define PARAMETER_ROW(name, value, least, most) { #name, &P.name, least, most },
    typedef struct { PARAMETERS(PARAMETER_FIELD) } Parameters;
    typedef struct { const char *name; int *value; int least, most; } Parameter;
    static Parameters P = { PARAMETERS(PARAMETER_VALUE) };
    static const Parameter PARAMETER[] = { PARAMETERS(PARAMETER_ROW) };
    #define N_PARAMETERS ((int)(sizeof PARAMETER / sizeof *PARAMETER))
    """
    ctypedef struct Parameters:
        int aspiration, bonus_square, bonus_limit, quiescence_margin, rfp_depth, rfp_improving
        int null_margin, null_depth, null_base, null_score, probcut_margin, probcut_improving
        int late_moves, history_prune, futility_base, futility_depth, futility_history
        int see_capture, see_quiet, see_quiet_base, see_evasion, singular_double
        int lmr_base, lmr_divisor, lmr_worsening, lmr_cut, lmr_pv, lmr_table_pv, lmr_table_capture
        int lmr_check, lmr_cutoffs, lmr_capture, lmr_history, lmr_killer, deeper, shallower
    ctypedef struct Parameter:
        const char* name
        int* value
        int least, most
    const Parameters P
    const Parameter PARAMETER[]
    const int N_PARAMETERS
