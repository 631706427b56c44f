# api/traces.pxi - Traces: positions of games, ready for tuning.
#
# Uses: data/traces, api/context.

@cython.final
cdef class Traces:
    """The quiet positions of games, as what the evaluation counts in them.

    Weights are 2 * n doubles as in get_weights(); targets one double for each position. The evaluation of
    a position is taken for Red, with the part of it that its material lets count as it was with the
    weights in use when it was added.
    """
    cdef TraceTable table

    def __dealloc__(self):
        free(self.table.rows)
        free(self.table.entries)

    def __len__(self):
        return self.table.n

    @property
    def entries(self):
        """Counts that are not zero, in all positions."""
        return self.table.n_entries

    def add(self, BaseBoard start not None, bytes moves not None, bytes scores, result, game, *, first_ply=0):
        """Append the quiet positions of a game and return how many they are.

        start: its first position. moves, scores (or None), result: as of SelfPlay.play(). game: a number below
        2**32 to know it by. first_ply: leave out the plies before. Quiet: not in check, the move played no
        capture, not decided by its score, not a repetition; without scores: no exchange can be won.
        ValueError for an illegal move or a bad result.
        """
        cdef Position pos
        cdef State* states
        cdef uint64_t before = self.table.n, entries_before = self.table.n_entries
        cdef int n = len(moves) // sizeof(move_t), done, outcome = result, first = first_ply
        cdef uint32_t number = game
        cdef const move_t* moves_at = <const move_t*>PyBytes_AS_STRING(moves)
        cdef const int16_t* scores_at = NULL
        cdef Context context = default_context()
        if not BLACK_WON <= outcome <= RED_WON:
            raise ValueError(f"a result is 0, 1 or 2, not {outcome}")
        if scores is not None:
            if len(scores) != len(moves):
                raise ValueError(f"{len(moves)} bytes of moves, but {len(scores)} bytes of scores")
            scores_at = <const int16_t*>PyBytes_AS_STRING(scores)
        start.need_playable()
        states = <State*>malloc((n + 1) * sizeof(State))
        if states == NULL:
            raise MemoryError("no memory for the moves of a game")
        states[0] = start.pos.st[0]
        pos = start.pos
        pos.st = states
        pos.ply = 0
        with nogil:
            done = add_game(&self.table, &context.numbers.model.classic, &pos, moves_at, scores_at, n, first, number,
                            outcome)
        free(states)
        if done < 0:
            raise MemoryError("no memory for more positions")
        if done < n:
            self.table.n = before
            self.table.n_entries = entries_before
            raise ValueError(f"ply {done + 1}: illegal move {move_text(moves_at[done])}")
        return self.table.n - before

    def columns(self, uint32_t[::1] games, int16_t[::1] scores, int16_t[::1] evals, uint8_t[::1] results):
        """Fill arrays with the games, scores or NO_SCORE, evaluations (both for Red) and results of the positions."""
        cdef uint64_t i
        for name, size in (("games", games.shape[0]), ("scores", scores.shape[0]), ("evals", evals.shape[0]),
                           ("results", results.shape[0])):
            self.need_size(name, size, self.table.n)
        for i in range(self.table.n):
            games[i] = self.table.rows[i].game
            scores[i] = self.table.rows[i].score
            evals[i] = self.table.rows[i].eval
            results[i] = self.table.rows[i].result

    def evaluate(self, const double[::1] weights, double[::1] values):
        """Fill values with the evaluation of each position by these weights, in centipawns for Red."""
        cdef uint64_t i
        self.need_size("weights", weights.shape[0], 2 * WEIGHTS)
        self.need_size("values", values.shape[0], self.table.n)
        with nogil:
            for i in range(self.table.n):
                values[i] = row_value(&self.table, i, &weights[0])

    def loss(self, const double[::1] weights, const double[::1] targets, double scale, double[::1] gradient=None):
        """The sum over positions of the cross-entropy of sigmoid(scale * evaluation) to the target.

        gradient: gets the derivatives by the weights.
        """
        cdef double found
        cdef double* slopes = NULL
        self.need_size("weights", weights.shape[0], 2 * WEIGHTS)
        self.need_size("targets", targets.shape[0], self.table.n)
        if self.table.n == 0:
            raise ValueError("there are no positions")
        if gradient is not None:
            self.need_size("gradient", gradient.shape[0], 2 * WEIGHTS)
            gradient[:] = 0
            slopes = &gradient[0]
        with nogil:
            found = total_loss(&self.table, &weights[0], &targets[0], scale, slopes)
        return found

    def occurrences(self, int64_t[::1] sums):
        """Fill sums, one for each weight of a phase, with the sum over positions of |Red's - Black's| count."""
        cdef uint64_t i
        self.need_size("sums", sums.shape[0], WEIGHTS)
        sums[:] = 0
        for i in range(self.table.n_entries):
            sums[self.table.entries[i].weight] += abs(self.table.entries[i].count)

    cdef int need_size(self, str name, Py_ssize_t size, Py_ssize_t wanted) except -1:
        if size != wanted:
            raise ValueError(f"{name} must have {wanted} numbers, not {size}")
        return 0
