# eval/network/network.pxi - a network in memory, and what it says of a position.
#
# Uses: eval/scale, eval/network/hanging, eval/network/features, eval/network/kernels.
# A thread keeps, for each perspective and mirror, the sums of the last board that it asked for. Another board differs
# from that by a few pieces, and by what hangs: only their rows are added and subtracted. Nothing happens when moves are
# made.

cdef struct Layers:                  # of a number of pieces, but the first layer's weights
    int32_t first_bias[8]            # [FIRST_LAYER]
    int16_t weights[16 * 32]         # [2 * FIRST_LAYER][SECOND_LAYER]
    int32_t bias[32]                 # [SECOND_LAYER]
    int16_t output_weights[32]       # [SECOND_LAYER]


cdef struct NetworkWeights:
    uint64_t number                  # of all networks of the process: no two have the same
    int hidden                       # neurons, of each perspective
    int64_t unit_cp                  # centipawns of an output of 1: unit_cp / unit_parts
    int64_t unit_parts               # times SQUARE_ONE and the factor of the weights
    int16_t* bias                    # [hidden]
    int16_t* feature_weights         # [NETWORK_ROWS][hidden]
    Layers[8] layers                 # [NETWORK_BUCKETS]
    int16_t* first_weights           # [NETWORK_BUCKETS][FIRST_LAYER][2][hidden]: of the side to move, of the other


cdef inline int bucket_of(int n_pieces) noexcept nogil:
    return (n_pieces - 2) * NETWORK_BUCKETS // 31


cdef struct NetworkCache:            # of one thread
    Accumulator sums[2][2]           # by perspective and mirror
    bint follows[2][2]               # are they of the board before the last change?
    uint8_t board[96]                # of the last position
    SquareBits hanging               # its pieces that hang
    uint8_t squares[96]              # where it differs from the position before it
    int n_changed                    # such squares
    int64_t lean[2]                  # of its pieces, by perspective
    uint64_t number                  # of the network that the sums are of; 0: none


cdef inline int changed_squares(const uint8_t* board, const uint8_t* other, uint8_t* squares) noexcept nogil:
    """List the squares where two boards of 96 bytes differ, and return how many they are."""
    cdef uint64_t here, there, changed
    cdef int n = 0, word, i
    for word in range(0, 96, 8):
        memcpy(&here, board + word, 8)
        memcpy(&there, other + word, 8)
        changed = here ^ there
        while changed:
            i = first_byte(changed)
            changed = without_byte(changed, i)
            squares[n] = <uint8_t>(word + i)
            n += 1
    return n


cdef inline void note_board(NetworkCache* cache, const Position* pos) noexcept nogil:
    """Let the cache's board be the position's, with its lean and what hangs, and note what has changed."""
    cdef uint8_t[96] board
    cdef int i, s, p, piece, before
    memcpy(board, pos.board, SQUARES)
    memset(board + SQUARES, 0, 96 - SQUARES)
    cache.n_changed = changed_squares(board, cache.board, cache.squares)
    for i in range(cache.n_changed):
        s = cache.squares[i]
        piece = board[s]
        before = cache.board[s]
        cache.board[s] = <uint8_t>piece
        for p in range(2):
            cache.lean[p] += LEAN[piece][s][p] - LEAN[before][s][p]
    if cache.n_changed:              # not after a pass
        cache.hanging = hanging_pieces(pos)


cdef inline int add_hanging(int16_t* rows, int n, const int16_t* features, const uint8_t* board,
                            SquareBits squares) noexcept nogil:
    """List the rows of the pieces on these squares, which hang, behind n others, and return how many there are."""
    cdef int s
    while set_any(squares):
        s = pop_first(&squares)
        rows[n] = <int16_t>(features[SQUARES * board[s] + s] + PIECE_ROWS)
        n += 1
    return n


cdef inline const int16_t* accumulate(const NetworkWeights* net, NetworkCache* cache, const Position* pos,
                                      int perspective) noexcept nogil:
    """What the hidden neurons of a perspective sum up to for the cache's board, which is the position's."""
    cdef bint mirror = is_mirrored(file_of(pos.king[perspective]), cache.lean[perspective])
    cdef Accumulator* a = &cache.sums[perspective][mirror]
    cdef const int16_t* features = &FEATURE[perspective][mirror][0][0]
    cdef const uint8_t* squares = cache.squares
    cdef uint8_t[96] other_squares
    cdef int16_t[96] added
    cdef int16_t[96] removed
    cdef SquareBits changed = SET(0, 0)
    cdef int n_added, n_removed, i, s, n = cache.n_changed
    if n != 0:
        cache.follows[perspective][not mirror] = False
    if not cache.follows[perspective][mirror]:
        n = changed_squares(cache.board, a.board, other_squares)
        squares = other_squares
        cache.follows[perspective][mirror] = True
    if n == 0:
        return a.values
    for i in range(n):
        changed |= BIT(squares[i])
    n_removed = add_hanging(removed, 0, features, a.board, a.hanging & (changed | ~cache.hanging))
    n_added = add_hanging(added, 0, features, cache.board, cache.hanging & (changed | ~a.hanging))
    a.hanging = cache.hanging
    for i in range(n):
        s = squares[i]
        if cache.board[s] != EMPTY:
            added[n_added] = features[SQUARES * cache.board[s] + s]
            n_added += 1
        if a.board[s] != EMPTY:
            removed[n_removed] = features[SQUARES * a.board[s] + s]
            n_removed += 1
        a.board[s] = cache.board[s]
    sum_rows(a.values, a.values, net.feature_weights, net.hidden, added, n_added, removed, n_removed)
    return a.values


cdef void clear_cache(const NetworkWeights* net, NetworkCache* cache) noexcept nogil:
    """Empty boards, for this network."""
    cdef int i
    for i in range(4):
        memcpy(cache.sums[i >> 1][i & 1].values, net.bias, net.hidden * sizeof(int16_t))
        memset(cache.sums[i >> 1][i & 1].board, 0, 96)
        cache.sums[i >> 1][i & 1].hanging = SET(0, 0)
        cache.follows[i >> 1][i & 1] = True
    memset(cache.board, 0, 96)
    cache.lean[RED] = cache.lean[BLACK] = 0
    cache.number = net.number


cdef int network_output(const NetworkWeights* net, NetworkCache* cache, const Position* pos) noexcept nogil:
    """What the network says, in centipawns for the side to move."""
    cdef int us = pos.side, bucket = bucket_of(set_count(occupied(pos)))
    cdef const Layers* layers = &net.layers[bucket]
    cdef int16_t[2048] active        # [2 * MAX_HIDDEN]
    cdef int32_t[8] sums             # [FIRST_LAYER]
    cdef int64_t total
    if cache.number != net.number:
        clear_cache(net, cache)
    note_board(cache, pos)
    square(active, accumulate(net, cache, pos, us), net.hidden)
    square(active + net.hidden, accumulate(net, cache, pos, us ^ 1), net.hidden)
    memcpy(sums, layers.first_bias, sizeof(sums))
    first_layer(sums, active, net.first_weights + 2 * FIRST_LAYER * net.hidden * bucket, 2 * net.hidden)
    total = <int64_t>sums[0] + second_layer(sums, layers.weights, layers.bias, layers.output_weights)
    total = total * net.unit_cp // net.unit_parts
    return <int>max(-EVAL_LIMIT, min(EVAL_LIMIT, total))


cdef int network_evaluate(const NetworkWeights* net, NetworkCache* cache, const Position* pos) noexcept nogil:
    """Centipawns for the side to move: the output as far as material and rules let it count."""
    return scaled_score(pos, network_output(net, cache, pos))
