# weights.pxi - what pieces and squares are worth, in centipawns from the owner's side.
#
# Uses: types, tables.
# A piece-square table lists ranks from the own back rank forward, files a to e; the other
# files mirror them. Middlegame and endgame values are blended by phase.

cdef extern from *:
    """
    static const int16_t VALUE_MG[8] = { 0, 0, 160, 150, 470, 1000, 540, 75 };
    static const int16_t VALUE_EG[8] = { 0, 0, 160, 150, 510, 1050, 500, 95 };
    static const int16_t PHASE[8] = { 0, 0, 0, 0, 3, 6, 3, 0 };     /* 48 with all pieces */

    static const int16_t SQUARE_BONUS[8][50] = {
        {0},
        { /* king */
              0,   0,   0,   0,   6,    0,   0,   0, -20, -12,    0,   0,   0, -40, -35,
              0,   0,   0,   0,   0,    0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
              0,   0,   0,   0,   0,    0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
              0,   0,   0,   0,   0 },
        { /* advisor */
              0,   0,   0,   0,   0,    0,   0,   0,   0,  12,    0,   0,   0,  -8,   0,
              0,   0,   0,   0,   0,    0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
              0,   0,   0,   0,   0,    0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
              0,   0,   0,   0,   0 },
        { /* bishop */
              0,   0,   0,   0,   0,    0,   0,   0,   0,   0,  -10,   0,   0,   0,  18,
              0,   0,   0,   0,   0,    0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
              0,   0,   0,   0,   0,    0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
              0,   0,   0,   0,   0 },
        { /* knight */
            -25, -20, -10,  -8, -20,  -20, -10,   0,   5, -60,  -10,  -5,  20,  10,   5,
             -5,  10,  15,  20,  15,    0,  20,  25,  30,  25,   10,  25,  30,  40,  35,
             15,  40,  45,  45,  45,   20,  35,  60,  50,  40,   10,  25,  65,  35,  10,
             -5,   5,  15,  10,   0 },
        { /* rook */
            -20,   0,  -5,  15,   0,  -15,  10,   0,  20,   5,  -10,   5,   0,  20,   5,
              0,  15,  10,  20,  20,    5,  15,  10,  25,  25,    5,  20,  15,  30,  30,
             10,  25,  20,  35,  40,    5,  15,  15,  30,  40,   15,  30,  25,  45,  50,
             10,  15,  15,  30,  25 },
        { /* cannon */
              0,   5,   8,  10,  10,    0,   5,  12,  10,  10,    5,   0,  15,  10,  30,
              0,   0,   5,   5,  10,   -5,   0,   5,   0,  15,   -5,   0,   0,   0,  20,
              0,  10,   0,   0,  20,    5,  10,   0, -15,  -5,   10,   5,   0, -30, -35,
             20,  20,   5, -25, -30 },
        { /* pawn */
              0,   0,   0,   0,   0,    0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
             -5,   0,   0,   0,  15,    0,   0,  15,   0,  15,   15,  35,  45,  55,  60,
             40,  55,  75,  85,  85,   50,  70,  95, 115, 120,   50,  75, 100, 125, 130,
            -20,  -5,   5,  15,  15 } };
    static const int16_t TERM_MG[201] = {
        12, -30, -25, -20, -15, -10, -5, 0, 5, 10, 15, 20, 25, 30, 30, 30,
        30, 30, 30, -60, -30, -12, 0, 8, 14, 20, 24, 28, -12, -10, -8, -6,
        -4, -2, 0, 2, 4, 6, 8, 8, 8, 8, 8, 8, 8, 8, 0, 1,
        4, 10, 17, 28, 40, 54, 71, 90, 112, 135, 160, 160, 160, 160, 0, 0,
        3, 8, 14, 22, 32, 44, 58, 73, 91, 110, 131, 153, 160, 160, 0, 0,
        2, 6, 11, 17, 25, 34, 44, 56, 70, 84, 100, 118, 137, 157, 60, 25,
        20, 8, 120, 50, 40, 16, 30, 20, 18, 0, 60, 40, 36, 0, 14, 18,
        0, 0, 15, 15, 40, 70, 40, 15, 0, 0, 0, 0, 40, 70, 40, 0,
        45, 0, 0, 0, 0, 12, 5, 8, 8, 0, 0, 0, 0, -20, -25, -15,
        -4, 0, -44, -88, 0, -22, -44, 0, 0, 0, 0, -10, -20, 0, -5, -10,
        0, 0, 0, 0, -24, -48, 0, -12, -24, 0, 0, 0, 0, -36, -72, 0,
        -18, -36, 0, 0, 0, 0, -16, -32, -48, 0, -8, -16, -24, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 15, 12 };
    static const int16_t TERM_EG[201] = {
        12, -30, -25, -20, -15, -10, -5, 0, 5, 10, 15, 20, 25, 30, 35, 40,
        40, 40, 40, -50, -25, -10, 0, 8, 14, 20, 24, 28, -12, -10, -8, -6,
        -4, -2, 0, 2, 4, 6, 8, 8, 8, 8, 8, 8, 8, 8, 0, 0,
        2, 5, 8, 14, 20, 27, 35, 45, 56, 67, 80, 80, 80, 80, 0, 0,
        1, 4, 7, 11, 16, 22, 29, 36, 45, 55, 65, 76, 80, 80, 0, 0,
        1, 3, 5, 8, 12, 17, 22, 28, 35, 42, 50, 59, 68, 78, 30, 10,
        10, 4, 60, 20, 20, 8, 15, 10, 8, 0, 30, 20, 16, 0, 10, 12,
        0, 0, 15, 15, 40, 70, 40, 15, 0, 0, 0, 0, 40, 70, 40, 0,
        45, 0, 0, 0, 0, 12, 5, 8, 8, 0, 0, 0, 0, -20, -25, -15,
        -4, 0, -30, -60, 0, -15, -30, 0, 0, 0, 0, 6, 12, 0, 3, 6,
        0, 0, 0, 0, -20, -40, 0, -10, -20, 0, 0, 0, 0, -16, -32, 0,
        -8, -16, 0, 0, 0, 0, -24, -48, -72, 0, -12, -24, -36, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 18, 8 };
    """
    const int16_t VALUE_MG[8]
    const int16_t VALUE_EG[8]
    const int16_t PHASE[8]
    const int16_t SQUARE_BONUS[8][50]
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
            PSQ_MG[kind][s] = VALUE_MG[kind] + SQUARE_BONUS[kind][place]
            PSQ_EG[kind][s] = VALUE_EG[kind] + SQUARE_BONUS[kind][place]
    for kind in range(KING, PAWN + 1):
        for s in range(SQUARES):
            PSQ_MG[kind | BLACK << 3][s] = -PSQ_MG[kind][9 * (9 - rank_of(s)) + file_of(s)]
            PSQ_EG[kind | BLACK << 3][s] = -PSQ_EG[kind][9 * (9 - rank_of(s)) + file_of(s)]
