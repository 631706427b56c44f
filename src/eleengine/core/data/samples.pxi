# data/samples.pxi - positions of games for the training of networks, forty bytes each.
#
# Uses: eval/classic/evaluate, eval/network/features, data/selfplay.
# A sample is seen by the side to move: it is red, and Black's positions are turned round.

cdef struct Sample:
    uint64_t low                 # squares with a piece, a0 to b7: bits 0 to 63
    uint32_t high                # and from c7 on
    uint8_t codes[16]            # of the pieces in the order of squares, two a byte
    int16_t score                # centipawns that the search saw
    int16_t eval                 # of the classical evaluation
    uint8_t scale[2]             # of 64: how much an advantage counts, ours and theirs; see eval_scale
    uint8_t quiet                # plies without a capture, at most FADE_PLIES
    uint8_t result               # 0 lost, 1 drawn, 2 won


cdef struct SampleTable:
    Sample* samples
    uint64_t n
    uint64_t capacity


cdef bint reserve_samples(SampleTable* t, uint64_t more) noexcept nogil:
    """Make room; False without memory."""
    t.samples = <Sample*>with_room(t.samples, &t.capacity, t.n + more, sizeof(Sample))
    return t.capacity >= t.n + more


cdef bint is_sample(const Sample* sample) noexcept nogil:
    """Is every field in its range, with one king a side? Samples from outside may be anything."""
    cdef int n = set_count(SET(sample.high, sample.low)), i, code
    cdef int[2] kings = [0, 0]
    if (sample.high >> (SQUARES - 64) or n > 32 or sample.quiet > FADE_PLIES or sample.result > RED_WON
            or sample.scale[0] > 64 or sample.scale[1] > 64):
        return False
    for i in range(n):
        code = sample.codes[i >> 1] >> 4 * (i & 1) & 15
        if type_of(code) == EMPTY:
            return False
        if type_of(code) == KING:
            kings[side_of(code)] += 1
    return kings[0] == kings[1] == 1


cdef void deal_samples(const SampleTable* t, Sample** parts, uint64_t* sizes, int n_parts,
                       uint64_t random) noexcept nogil:
    """Deal the samples out at random. sizes: how many each part gets. parts: copied there, unless NULL."""
    cdef uint64_t i, part
    memset(sizes, 0, n_parts * sizeof(uint64_t))
    for i in range(t.n):
        part = splitmix64(&random) % <uint64_t>n_parts
        if parts != NULL:
            parts[part][sizes[part]] = t.samples[i]
        sizes[part] += 1


cdef void fill_sample(Sample* sample, const Classic* classic, const Position* pos, int score,
                      int result) noexcept nogil:
    """score: for the side to move. result: as of a PlayedGame."""
    cdef int us = pos.side, n = 0, i, s, piece
    memset(sample, 0, sizeof(Sample))
    for i in range(SQUARES):
        s = i if us == RED else flip_ranks(i)
        piece = pos.board[s]
        if piece == EMPTY:
            continue
        if i < 64:
            sample.low |= <uint64_t>1 << i
        else:
            sample.high |= <uint32_t>1 << (i - 64)
        sample.codes[n >> 1] |= <uint8_t>((piece ^ us << 3) << 4 * (n & 1))
        n += 1
    sample.score = <int16_t>score
    sample.eval = <int16_t>classic_anew(classic, pos)
    sample.scale[0] = <uint8_t>eval_scale(pos, us)
    sample.scale[1] = <uint8_t>eval_scale(pos, us ^ 1)
    sample.quiet = <uint8_t>min(pos.st.rule60, FADE_PLIES)
    sample.result = <uint8_t>(result if us == RED else 2 - result)


cdef int add_samples(SampleTable* t, const Classic* classic, Position* pos, const move_t* moves,
                     const int16_t* scores, int n, int first_ply, int result) noexcept nogil:
    """Append the quiet positions of a game from its first_ply on.

    pos: its first position, with room for n states. Returns the index of the first illegal move, or n;
    -1 without memory.
    """
    cdef int i
    if not reserve_samples(t, n):
        return -1
    for i in range(n):
        if not (is_pseudo_legal(pos, moves[i]) and is_legal(pos, moves[i])):
            return i
        if i >= first_ply and is_quiet(pos, moves[i], scores[i], QUIET_SCORE):
            fill_sample(&t.samples[t.n], classic, pos, scores[i], result)
            t.n += 1
        do_move(pos, moves[i])
    return n
