# data/positions.pxi - positions by the thousand, and what machine learning sees of them as arrays.
#
# Uses: board/movegen, data/selfplay, data/samples, eval/network/network.
# A position is seen by the side to move: its pieces are the own ones, its back rank is rank 0. Mirrored, files a to i
# are exchanged for i to a as well.

cdef enum:
    UNKNOWN_RESULT = 3           # beside BLACK_WON, DRAWN and RED_WON
    PLANES = 14                  # of the kinds king to pawn: seven own, then seven of the enemy
    MAX_PIECES = 2 * SIDE_PIECES
    UNKNOWN_PLY = 0xFFFF
    UNKNOWN_GAME = -1

cdef int64_t LAST_GAME = 0x7FFFFFFFFFFFFFFF   # the largest number of a game

cdef struct PackedPosition:
    uint8_t board[SQUARES]       # piece codes
    uint8_t side
    uint8_t result
    int16_t score                # centipawns for the side to move, or NO_SCORE
    move_t move                  # that was played or chosen here, or NO_MOVE
    uint16_t quiet               # plies without a capture, as the no-capture rule counts them
    uint16_t ply                 # since the start of the game, or UNKNOWN_PLY
    int64_t game                 # its number, or UNKNOWN_GAME

cdef struct PackedPositions:
    PackedPosition* rows
    uint64_t n
    uint64_t capacity

ctypedef enum Fill:
    FILL_PLANES
    FILL_FEATURES
    FILL_LEGAL
    FILL_EVALUATION

cdef int16_t POLICY[SQUARES][SQUARES]        # the number of a move as its side sees it, or -1
cdef move_t[4096] POLICY_MOVES               # by number
cdef int POLICY_SIZE = 0


cdef inline int seen_square(int s, int us, bint mirror) noexcept nogil:
    """Where the side sees a square."""
    if us == BLACK:
        s = flip_ranks(s)
    return flip_files(s) if mirror else s


cdef inline int policy_index(move_t m, int us, bint mirror) noexcept nogil:
    return POLICY[seen_square(src_of(m), us, mirror)][seen_square(dst_of(m), us, mirror)]


cdef void fill_policy() noexcept nogil:
    """Number the moves that a piece of Red may make from any square, in the order of from, then to."""
    cdef int src, dst, files, ranks
    global POLICY_SIZE
    for src in range(SQUARES):
        for dst in range(SQUARES):
            files = file_of(dst) - file_of(src)
            ranks = rank_of(dst) - rank_of(src)
            POLICY[src][dst] = -1
            if src != dst and (files == 0 or ranks == 0 or files * files + ranks * ranks == 5
                               or (files * files == 1 and ranks * ranks == 1 and set_has(PALACE[RED], dst))
                               or (files * files == 4 and ranks * ranks == 4 and rank_of(dst) < 5)):
                POLICY[src][dst] = <int16_t>POLICY_SIZE
                POLICY_MOVES[POLICY_SIZE] = make_move(src, dst)
                POLICY_SIZE += 1


cdef bint reserve_positions(PackedPositions* t, uint64_t more) noexcept nogil:
    """Make room; False without memory."""
    t.rows = <PackedPosition*>with_room(t.rows, &t.capacity, t.n + more, sizeof(PackedPosition))
    return t.capacity >= t.n + more


cdef inline void pack_position(PackedPosition* row, const Position* pos, move_t move, int score, int result, int ply,
                               int64_t game) noexcept nogil:
    memset(row, 0, sizeof(PackedPosition))  # also what lies between the fields: rows are compared and kept as bytes
    memcpy(row.board, pos.board, SQUARES)
    row.side = pos.side
    row.result = <uint8_t>result
    row.score = <int16_t>score
    row.move = move
    row.quiet = <uint16_t>min(pos.st.rule60, 0xFFFF)
    row.ply = <uint16_t>min(ply, UNKNOWN_PLY)
    row.game = game


cdef void unpack_position(const PackedPosition* row, Position* pos, State* st) noexcept nogil:
    """The position, with a state of its own and no moves."""
    cdef int s
    clear_position(pos, st)
    for s in range(SQUARES):
        if row.board[s] != EMPTY:
            put_piece(pos, row.board[s], s)
    pos.side = row.side
    if row.side == BLACK:
        st.key ^= ZOBRIST_SIDE
    st.rule60 = st.halfmove_clock = row.quiet
    update_checks(pos)


cdef int pack_game(PackedPositions* t, Position* pos, const move_t* moves, const int16_t* scores, int n, int first_ply,
                   int result, int64_t game) noexcept nogil:
    """Append the positions of a game from its first_ply on, each with the move that was played there.

    pos: its first position, with room for n states; there is room for n in the table. scores: one for each, or NULL.
    Returns the index of the first illegal move, or n.
    """
    cdef int i
    for i in range(n):
        if not (is_pseudo_legal(pos, moves[i]) and is_legal(pos, moves[i])):
            return i
        if i >= first_ply:
            pack_position(&t.rows[t.n], pos, moves[i], NO_SCORE if scores == NULL else scores[i], result, i, game)
            t.n += 1
        do_move(pos, moves[i])
    return n


cdef inline void fill_planes(const PackedPosition* row, bint mirror, uint8_t* out) noexcept nogil:
    """PLANES boards of SQUARES bytes, 1 where such a piece stands."""
    cdef int s, piece
    memset(out, 0, PLANES * SQUARES)
    for s in range(SQUARES):
        piece = row.board[s]
        if piece != EMPTY:
            piece ^= row.side << 3
            out[SQUARES * (type_of(piece) - 1 + 7 * (piece >> 3)) + seen_square(s, row.side, mirror)] = 1


cdef inline void fill_rows(const PackedPosition* row, int16_t* out) noexcept nogil:
    """The pieces' rows of the network's first layer, MAX_PIECES of each perspective, the mover's first; or -1."""
    cdef int64_t[2] lean = [0, 0]
    cdef int[2] king_file
    cdef int s, p, piece, perspective, n = 0
    cdef bint mirror
    memset(out, 0xFF, 2 * MAX_PIECES * sizeof(int16_t))
    for s in range(SQUARES):
        piece = row.board[s]
        if piece != EMPTY:
            lean[0] += LEAN[piece][s][0]
            lean[1] += LEAN[piece][s][1]
            if type_of(piece) == KING:
                king_file[side_of(piece)] = file_of(s)
    for p in range(2):
        perspective = p ^ row.side
        mirror = is_mirrored(king_file[perspective], lean[perspective])
        n = 0
        for s in range(SQUARES):
            if row.board[s] != EMPTY:
                out[p * MAX_PIECES + n] = FEATURE[perspective][mirror][row.board[s]][s]
                n += 1


cdef inline void fill_legal(const PackedPosition* row, bint mirror, uint8_t* out) noexcept nogil:
    """POLICY_SIZE bytes, 1 for the numbers of legal moves."""
    cdef Position pos
    cdef State state
    cdef move_t[MAX_MOVES] moves
    cdef int i, n
    unpack_position(row, &pos, &state)
    n = gen_legal(&pos, moves)
    memset(out, 0, POLICY_SIZE)
    for i in range(n):
        out[policy_index(moves[i], row.side, mirror)] = 1


cdef void fill_block(Fill what, const PackedPosition* rows, uint64_t first, uint64_t last, bint mirror,
                     const Model* model, void* out) noexcept nogil:
    """Fill the part of an array that belongs to the positions first to last - 1."""
    cdef Position pos
    cdef State state
    cdef NetworkCache cache
    cdef uint64_t i
    cache.number = 0
    for i in range(first, last):
        if what == FILL_PLANES:
            fill_planes(&rows[i], mirror, <uint8_t*>out + i * PLANES * SQUARES)
        elif what == FILL_FEATURES:
            fill_rows(&rows[i], <int16_t*>out + i * 2 * MAX_PIECES)
        elif what == FILL_LEGAL:
            fill_legal(&rows[i], mirror, <uint8_t*>out + i * POLICY_SIZE)
        else:
            unpack_position(&rows[i], &pos, &state)
            if model.network != NULL:
                (<int16_t*>out)[i] = <int16_t>network_evaluate(model.network, &cache, &pos)
            else:
                (<int16_t*>out)[i] = <int16_t>classic_anew(&model.classic, &pos)
