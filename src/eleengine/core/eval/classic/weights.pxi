# eval/classic/weights.pxi - what pieces, squares and patterns are worth: how the numbers lie in memory.
#
# Uses: base/types, base/bits.
# Centipawns from the owner's side. Each weight is a pair: middlegame and endgame values are blended
# by phase. eval/classic/shipped has the numbers themselves; others may take their place at run time.
#
# These were fitted in three steps, each by eleengine tune fit --mix 0.7 --prior 20, to games of the engine against
# itself (1,500 nodes a move). First 911,420 quiet positions of 8,843 games (eleengine datagen --seed 11) of weights
# that were fitted to 149,957 such positions and, before, to the results of master games (Chinese Chess Practical
# Dataset, Yu-Han Tseng and Bo-Nian Chen, 2026, CC BY 4.0); then these and 1,486,556 positions of 14,295 games of
# the new weights (--seed 12); then the same again, with the tables from "army and pawns" on, zero before.

cdef enum:
    WEIGHT_LIMIT = 10000         # of each weight, up and down: no sum of them overflows
    PLACES = 50                  # half a board: files a to e of each rank from the own back rank on

cdef enum:
    MG = 0
    EG = 1

# Terms of the evaluation: indices into Weights.term. A name followed by [n] in its
# comment is the first of n; eval/classic/evaluate.pxi shows what is counted.
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
    # Imbalance. An army is the number of rooks, of knights and of cannons: [3][3][3].
    T_ARMY_PAWNS = 201                   # [3][3][3][6] own army, own pawns
    T_ARMY_ENEMY_PAWNS = 363             # [3][3][3][6] own army, enemy pawns
    T_ARMIES = 525                       # [3][3][3][3][3][3] own army, enemy army
    T_PAWNS_GUARDS = 1254                # [6][5] own pawns, enemy advisors and bishops
    T_CANNON_SCREENS = 1284              # [9] a cannon, by a quarter of all pieces
    TERMS = 1293

cdef struct Weights:             # of one phase: WEIGHTS numbers in a row
    int16_t value[8]             # by kind
    int16_t square[8][PLACES]    # added to it, by kind and half_board_index; files f to i mirror d to a
    int16_t term[TERMS]

cdef enum:
    WEIGHTS = 8 + 8 * PLACES + TERMS


cdef struct Classic:                           # a set of weights, and tables made of them
    Weights weights[2]
    # Of both phases at once, to be summed up together: middlegame << 32, endgame added.
    int64_t term[TERMS]
    int64_t square[PIECE_CODES][SQUARES]       # of a piece, its value included: red counts up, black down


cdef inline int half_board_index(int s) noexcept nogil:
    """Of a square seen from the owner's side, in tables of half a board."""
    return 5 * rank_of(s) + min(file_of(s), 8 - file_of(s))


cdef inline int64_t pair_of(int mg, int eg) noexcept nogil:
    return <int64_t>mg * (<int64_t>1 << 32) + eg


cdef void fill_classic(Classic* c, const int16_t* numbers) noexcept nogil:
    """numbers: 2 * WEIGHTS, those of the middlegame first."""
    cdef const Weights* mg = &c.weights[MG]
    cdef const Weights* eg = &c.weights[EG]
    cdef int kind, s, flipped, index
    memcpy(c.weights, numbers, sizeof(c.weights))
    memset(c.square, 0, sizeof(c.square))
    for s in range(TERMS):
        c.term[s] = pair_of(mg.term[s], eg.term[s])
    for kind in range(KING, PAWN + 1):
        for s in range(SQUARES):
            flipped = 9 * (9 - rank_of(s)) + file_of(s)
            index = half_board_index(s)
            c.square[kind][s] = pair_of(mg.value[kind] + mg.square[kind][index],
                                        eg.value[kind] + eg.square[kind][index])
            c.square[kind | BLACK << 3][flipped] = -c.square[kind][s]
