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
    """
    const int16_t VALUE_MG[8]
    const int16_t VALUE_EG[8]
    const int16_t PHASE[8]
    const int16_t SQUARE_BONUS[8][50]

cdef enum:
    MAX_PHASE = 48

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
