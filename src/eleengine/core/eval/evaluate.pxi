# eval/evaluate.pxi - what the search knows of evaluation: a model, and an evaluator for each worker.
#
# Uses: board/position, eval/classic/evaluate, eval/network/network.
# An evaluator follows a position move by move, so that an evaluation need not begin with the whole
# board: eval_begin, then eval_enter before each do_move and eval_leave after each undo_move.

cdef struct Model:               # the numbers that positions are evaluated with
    Classic classic
    const NetworkWeights* network    # or NULL: the classical evaluation counts


cdef struct Evaluator:           # what a worker keeps of the evaluation along its path
    const Model* model
    int top                          # moves made since eval_begin
    int64_t squares[MAX_PLY + 8]     # sum_squares after each of them, without a network
    NetworkCache cache


cdef void eval_begin(Evaluator* e, const Model* model, const Position* pos) noexcept nogil:
    e.model = model
    e.top = 0
    if model.network == NULL:
        e.squares[0] = sum_squares(&model.classic, pos)


cdef inline void eval_enter(Evaluator* e, const Position* pos, move_t m) noexcept nogil:
    """The position is about to make the move."""
    if e.model.network == NULL:
        e.squares[e.top + 1] = squares_after(&e.model.classic, e.squares[e.top], pos, m)
    e.top += 1


cdef inline void eval_pass(Evaluator* e) noexcept nogil:
    """The side to move is about to pass."""
    e.squares[e.top + 1] = e.squares[e.top]
    e.top += 1


cdef inline void eval_leave(Evaluator* e) noexcept nogil:
    """The position has taken back the last move or pass."""
    e.top -= 1


cdef void eval_join(Evaluator* e, const Evaluator* other) noexcept nogil:
    """Go on from where another evaluator stands; what lies before is not known."""
    e.model = other.model
    e.top = other.top
    e.squares[e.top] = other.squares[e.top]


cdef int evaluate_anew(const Model* model, const Position* pos) noexcept nogil:
    """Centipawns for the side to move of any position."""
    cdef NetworkCache cache
    if model.network != NULL:
        cache.number = 0
        return network_evaluate(model.network, &cache, pos)
    return classic_anew(&model.classic, pos)


cdef inline int evaluate(Evaluator* e, const Position* pos) noexcept nogil:
    """The same of the position that the evaluator has followed."""
    cdef int score
    if e.model.network != NULL:
        score = network_evaluate(e.model.network, &e.cache, pos)
        ele_check(score == evaluate_anew(e.model, pos), "evaluate: the cache's sums are the position's")
        return score
    return classic_evaluate(&e.model.classic, pos, e.squares[e.top], NULL)
