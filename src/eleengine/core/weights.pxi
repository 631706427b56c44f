# weights.pxi - what pieces and squares are worth, in centipawns from the owner's side.
#
# Uses: types, tables.
# A piece-square table lists ranks from the own back rank forward, files a to e; the other
# files mirror them. Middlegame and endgame values are blended by phase.
#
# The numbers are fitted to the results of master games (Chinese Chess Practical Dataset, Yu-Han
# Tseng and Bo-Nian Chen, 2026, CC BY 4.0) by logistic regression on traces of the evaluation.

cdef extern from *:
    """
    static const int16_t VALUE_MG[8] = { 0, 0, 156, 170, 470, 1011, 549, 83 };
    static const int16_t VALUE_EG[8] = { 0, 0, 147, 146, 516, 1063, 509, 114 };
    static const int16_t PHASE[8] = { 0, 0, 0, 0, 3, 6, 3, 0 };     /* 48 with all pieces */

    static const int16_t SQUARE_MG[8][50] = {
        {0},
        { /* king */
               0,    0,    0,   -8,   39,     0,    0,    0,  -34,  -15,
               0,    0,    0,  -45,  -38,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0 },
        { /* advisor */
               0,    0,    0,  -12,    0,     0,    0,    0,    0,   32,
               0,    0,    0,  -17,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0 },
        { /* bishop */
               0,    0,    7,    0,    0,     0,    0,    0,    0,    0,
             -41,    0,    0,    0,   21,     0,    0,    0,    0,    0,
               0,    0,  -51,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0 },
        { /* knight */
             -25,  -56,  -17,  -24,  -21,   -44,  -13,   -9,  -18,  -57,
             -46,   -8,  -37,   16,   -2,    -5,    3,   11,   15,   31,
               2,    3,   49,   42,   28,     9,   27,   32,   80,   45,
               1,   60,   52,   73,   42,    24,   35,   55,   54,   43,
              10,   26,   77,   38,   10,    -4,    4,   15,   10,    0 },
        { /* rook */
             -67,  -19,  -27,   -3,  -11,   -30,  -19,   -8,  -21,   -7,
             -22,  -19,  -14,    5,   -8,    -7,    8,    4,    9,   12,
              -5,   13,   16,   11,   12,    -7,    9,   13,   12,   21,
               2,   29,   42,   16,   30,    -4,   10,   -3,   23,   32,
               5,   36,   19,   41,   39,     0,   14,    9,   21,   15 },
        { /* cannon */
              -9,  -10,   -6,    1,    1,    -5,   -5,   29,   -2,    8,
             -16,  -17,   13,   10,   10,   -11,  -19,   -3,   -9,    1,
             -16,  -18,  -15,  -14,   12,   -10,   -6,  -10,  -11,   27,
              -6,   -5,  -11,  -12,   26,    -1,   -7,  -18,  -26,  -16,
               0,    1,  -12,  -38,  -44,    26,   20,  -11,  -37,  -39 },
        { /* pawn */
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,   -27,    0,  -32,    0,   29,
             -15,    0,   -4,    0,   24,     2,   26,   23,   61,   61,
              31,   45,   73,   86,   83,    40,   64,   87,  111,  113,
              41,   69,   94,  124,  123,   -28,  -13,   -3,    7,    7 } };
    static const int16_t SQUARE_EG[8][50] = {
        {0},
        { /* king */
               0,    0,    0,    1,   13,     0,    0,    0,  -26,   -8,
               0,    0,    0,  -43,  -38,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0 },
        { /* advisor */
               0,    0,    0,   -9,    0,     0,    0,    0,    0,   18,
               0,    0,    0,   -2,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0 },
        { /* bishop */
               0,    0,   -2,    0,    0,     0,    0,    0,    0,    0,
             -11,    0,    0,    0,   10,     0,    0,    0,    0,    0,
               0,    0,   -5,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0 },
        { /* knight */
             -31,  -36,  -22,  -20,  -26,   -35,  -18,  -10,  -10,  -70,
             -32,  -13,  -24,    7,   -4,   -10,    0,    6,   12,   14,
              -5,    6,   28,   31,   21,     3,   22,   25,   46,   33,
               3,   47,   38,   52,   37,    16,   28,   49,   46,   36,
               4,   20,   67,   31,    4,   -10,   -2,    9,    4,   -6 },
        { /* rook */
             -40,  -21,  -23,   -1,  -13,   -31,   -7,  -13,    0,   -9,
             -26,  -14,  -14,    4,   -9,   -12,    3,    2,    8,   11,
              -9,    6,   -3,   11,   13,    -8,    7,    5,   12,   19,
               1,   19,   16,   25,   28,    -7,    3,   -1,   19,   28,
               3,   21,   15,   34,   37,    -3,    7,    6,   17,   12 },
        { /* cannon */
              -9,   -7,   -4,    1,    1,    -9,   -5,    4,   -1,    2,
              -6,  -11,   11,   -3,   26,   -10,  -11,   -2,   -5,    2,
             -15,   -9,   -8,  -10,    9,   -12,   -7,   -8,   -9,   16,
              -5,    3,   -4,   -7,   20,    -3,   -3,  -14,  -26,  -16,
               2,   -2,  -11,  -38,  -44,    13,   15,   -8,  -35,  -39 },
        { /* pawn */
               0,    0,    0,    0,    0,     0,    0,    0,    0,    0,
               0,    0,    0,    0,    0,   -25,    0,  -26,    0,   11,
             -21,    0,    2,    0,   15,    -3,   19,   28,   51,   55,
              20,   37,   63,   78,   74,    30,   52,   75,  100,  103,
              30,   57,   81,  108,  112,   -39,  -25,  -14,   -4,   -4 } };
    static const int16_t TERM_MG[201] = {
        26, -30, -26, -48, -34, -13, -1, 4, 10, 17, 25, 19, 24, 36, 33, 36,
        41, 29, 36, -67, -63, -51, -23, 7, 16, 30, 37, 31, -14, -13, -18, -12,
        -18, -14, -8, 2, 5, 15, 9, 15, 17, 15, 13, 13, 14, 9, -3, 0,
        4, 8, 17, 29, 41, 55, 71, 90, 112, 135, 160, 160, 160, 160, -6, -3,
        1, 1, 13, 24, 35, 46, 59, 74, 91, 110, 131, 153, 160, 160, -24, -8,
        16, -7, 21, 33, 32, 41, 46, 57, 70, 84, 100, 118, 137, 157, 60, 25,
        22, 8, 123, 50, 67, 10, 28, 20, 18, 0, 56, 40, 52, 0, 52, 56,
        0, 0, 17, 28, 51, 46, 52, 15, 0, 0, 0, 0, 39, 59, 42, 0,
        50, 0, 0, 0, 0, 6, 8, -4, 3, 0, 0, 0, 0, -37, -35, -32,
        1, 2, -41, -92, 4, -12, -48, 1, -23, 10, -1, -10, -18, -1, -5, 1,
        9, -21, 0, 2, -25, -48, -1, -12, -13, -25, -25, 39, 0, -43, -71, 5,
        -29, -26, 3, -3, 2, -3, -18, -33, -48, 9, -11, -17, -25, 13, 4, -13,
        -1, -18, 1, 15, 1, 0, 0, 18, 28 };
    static const int16_t TERM_EG[201] = {
        9, -30, -26, -25, -21, -15, -7, 4, 8, 16, 18, 21, 27, 31, 37, 43,
        44, 40, 41, -57, -38, -35, -13, 2, 19, 24, 31, 27, -13, -11, -13, -8,
        -9, -7, -3, 4, 1, 9, 11, 9, 15, 14, 12, 13, 12, 11, -5, -2,
        0, 1, 7, 14, 21, 28, 35, 45, 56, 67, 80, 80, 80, 80, -7, -3,
        -1, -1, 6, 12, 18, 24, 30, 36, 45, 55, 65, 76, 80, 80, 3, -3,
        5, 1, 11, 13, 17, 20, 23, 29, 35, 42, 50, 59, 68, 78, 29, 10,
        14, 4, 58, 20, 35, 13, 12, 10, 8, 0, 27, 20, 23, 0, 28, 33,
        0, 0, 15, 21, 45, 60, 45, 21, 0, 0, 0, 0, 40, 65, 41, 0,
        46, 0, 0, 0, 0, -7, -6, 12, 21, 0, 0, 0, 0, -31, -29, -25,
        -1, 8, -24, -61, 9, -9, -33, -6, -21, 3, 3, 12, 15, 3, 5, 14,
        14, -33, -4, 6, -16, -39, 2, -7, -13, -29, -14, 20, 4, -16, -29, 11,
        -9, -8, 4, -24, -5, 8, -23, -50, -72, 18, -10, -26, -37, 7, -6, -21,
        -4, -33, 3, 25, 5, 0, 0, 24, 11 };
    """
    const int16_t VALUE_MG[8]
    const int16_t VALUE_EG[8]
    const int16_t PHASE[8]
    const int16_t SQUARE_MG[8][50]
    const int16_t SQUARE_EG[8][50]
    const int16_t TERM_MG[201]
    const int16_t TERM_EG[201]

cdef enum:
    MAX_PHASE = 48
    EVAL_LIMIT = 20000

# Terms of the evaluation: indices into TERM_MG and TERM_EG. A name followed by [n] in its
# comment is the first of n; eval.pxi tells what is counted.
cdef enum:
    T_TEMPO = 0
    T_ROOK_MOBILITY = 1                  # [18] by safe squares
    T_KNIGHT_MOBILITY = 19               # [9]
    T_CANNON_MOBILITY = 28               # [18]
    T_PRESSURE = 46                      # [3][16] by enemy advisors and attacks on the palace
    T_CANNON_ON_FILE = 94                # [2][4] with a rook, by pieces between cannon and king
    T_CANNON_ON_RANK = 102               # [2][4]
    T_ROOK_CHECK = 110                   # safe squares to check from
    T_KNIGHT_CHECK = 111
    T_HANGING = 112                      # [8] by kind, unprotected
    T_THREAT_BY_LIGHT = 120              # [8] by kind, attacked by pawn, advisor or bishop
    T_THREAT_BY_MINOR = 128              # rook attacked by knight or cannon
    T_PROTECTED = 129                    # [8] by kind
    T_PINNED = 137                       # [8] by kind
    T_ADVISORS_ROOKS = 145               # [3][3] own advisors, enemy rooks
    T_ADVISORS_CANNONS = 154             # [3][3]
    T_ADVISORS_KNIGHTS = 163             # [3][3]
    T_BISHOPS_CANNONS = 172              # [3][3]
    T_BISHOPS_PAWNS = 181                # [3][4] own bishops, enemy pawns across the river
    T_CROSSED_PAWNS = 193                # [6] by number
    T_CROSSED_PAIR = 199
    T_ROOK_OPEN_FILE = 200
    TERMS = 201

cdef int16_t PSQ_MG[PIECE_CODES][SQUARES]      # of a piece code: red counts up, black down
cdef int16_t PSQ_EG[PIECE_CODES][SQUARES]


cdef void fill_weights() noexcept nogil:
    cdef int kind, s, file, place
    for kind in range(KING, PAWN + 1):
        for s in range(SQUARES):
            file = file_of(s)
            place = 5 * rank_of(s) + (file if file <= 4 else 8 - file)
            PSQ_MG[kind][s] = VALUE_MG[kind] + SQUARE_MG[kind][place]
            PSQ_EG[kind][s] = VALUE_EG[kind] + SQUARE_EG[kind][place]
    for kind in range(KING, PAWN + 1):
        for s in range(SQUARES):
            PSQ_MG[kind | BLACK << 3][s] = -PSQ_MG[kind][9 * (9 - rank_of(s)) + file_of(s)]
            PSQ_EG[kind | BLACK << 3][s] = -PSQ_EG[kind][9 * (9 - rank_of(s)) + file_of(s)]
