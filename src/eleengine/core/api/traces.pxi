# api/traces.pxi - Traces: positions of games, ready for tuning.
#
# Uses: data/traces, api/context, api/selfplay.

@cython.final
cdef class _Buffer:
    """The numbers of an array, held until they have been read or filled.

    Not a memoryview of Cython: the code that it would add to the import swallows a Ctrl-C.
    """
    cdef Py_buffer view

    cdef str name

    def __cinit__(self, str name, array, bytes kinds, Py_ssize_t itemsize, *, bint fill=True):
        """kinds: codes of the struct module for numbers of that sort."""
        PyObject_GetBuffer(array, &self.view, PyBUF_CONTIG | PyBUF_FORMAT if fill else PyBUF_CONTIG_RO | PyBUF_FORMAT)
        if self.view.itemsize != itemsize or self.view.format == NULL or self.view.format not in kinds:
            raise ValueError(f"{name} must have numbers of {itemsize} bytes and of the sort {kinds.decode()!r}")
        self.name = name

    cdef int need(self, uint64_t wanted) except -1:
        """Refuse another count of numbers."""
        cdef uint64_t count = self.view.len // self.view.itemsize
        if count != wanted:
            raise ValueError(f"{self.name} must have {wanted} numbers, not {count}")
        return 0

    cdef uint64_t count_rows(self, uint64_t width, uint64_t most) except? -1:
        """How many rows of that many numbers there are; ValueError for more than those, and for a part of one."""
        cdef uint64_t count = self.view.len // self.view.itemsize
        if count % width or count // width > most:
            raise ValueError(f"{self.name} must have {width} numbers for each of {most} rows or fewer, not {count}")
        return count // width

    def __dealloc__(self):
        PyBuffer_Release(&self.view)


@cython.final
cdef class Traces:
    """The quiet positions of games, as what the evaluation counts in them.

    Weights are 2 * n doubles in the order of Context.weights; targets one double for each position. The evaluation of
    a position is taken for Red, with the part of it that its material lets count as it was with the
    weights of the context when it was added. Threads may share one: they wait for each other.
    """
    cdef TraceTable table
    cdef _Lock lock                  # over the table, whose rows move as it grows

    def __cinit__(self):
        self.lock = _Lock("this thread is at work on the Traces: return first")

    def __dealloc__(self):
        free(self.table.rows)
        free(self.table.entries)

    def __reduce__(self):
        refuse_copy(self)

    def __len__(self):
        return self.table.n

    @property
    def entries(self):
        """Counts that are not zero, in all positions."""
        return self.table.n_entries

    def add(self, BaseBoard start not None, bytes moves not None, bytes scores, result, game, *, first_ply=0,
            Context context=None):
        """Append the quiet positions of a game and return how many they are.

        start: its first position. moves, scores (or None), result: as of SelfPlay.play(). game: a number below
        2**32 to know it by. first_ply: leave out the plies before. context: whose weights evaluate; None: the
        shipped ones. Quiet: not in check, the move played no capture, not decided by its score, not a
        repetition; without scores: no exchange can be won. ValueError for an illegal move or a bad result.
        """
        cdef _GameBytes played
        cdef uint64_t before, entries_before
        cdef int done, outcome = result, first = first_ply
        cdef uint32_t number = game
        context = chosen_context(context)
        if not BLACK_WON <= outcome <= RED_WON:
            raise ValueError(f"a result is 0, 1 or 2, not {outcome}")
        played = _GameBytes(start, moves, scores)
        with self.lock:
            before, entries_before = self.table.n, self.table.n_entries
            with nogil:
                done = add_game(&self.table, &context.numbers.model.classic, &played.pos, played.moves, played.scores,
                                played.n, first, number, outcome)
            if done < played.n:
                self.table.n, self.table.n_entries = before, entries_before
            played.need_all(done)
            return self.table.n - before

    def columns(self, games, scores, evals, results):
        """Fill arrays with the games, scores or NO_SCORE, evaluations (both for Red) and results of the positions."""
        cdef _Buffer of_games = _Buffer("games", games, b"BHILQ", sizeof(uint32_t))
        cdef _Buffer of_scores = _Buffer("scores", scores, b"bhilq", sizeof(int16_t))
        cdef _Buffer of_evals = _Buffer("evals", evals, b"bhilq", sizeof(int16_t))
        cdef _Buffer of_results = _Buffer("results", results, b"BHILQ", sizeof(uint8_t))
        cdef _Buffer column
        cdef uint64_t i
        with self.lock:
            for column in (of_games, of_scores, of_evals, of_results):
                column.need(self.table.n)
            for i in range(self.table.n):
                (<uint32_t*>of_games.view.buf)[i] = self.table.rows[i].game
                (<int16_t*>of_scores.view.buf)[i] = self.table.rows[i].score
                (<int16_t*>of_evals.view.buf)[i] = self.table.rows[i].eval
                (<uint8_t*>of_results.view.buf)[i] = self.table.rows[i].result

    def evaluate(self, weights, values):
        """Fill values with the evaluation of each position by these weights, in centipawns for Red."""
        cdef _Buffer numbers = _Buffer("weights", weights, b"d", sizeof(double), fill=False)
        cdef _Buffer found = _Buffer("values", values, b"d", sizeof(double))
        cdef uint64_t i
        numbers.need(2 * WEIGHTS)
        with self.lock:
            found.need(self.table.n)
            with nogil:
                for i in range(self.table.n):
                    (<double*>found.view.buf)[i] = row_value(&self.table, i, <const double*>numbers.view.buf)

    def loss(self, weights, targets, double scale, gradient=None):
        """The sum over positions of the cross-entropy of sigmoid(scale * evaluation) to the target.

        gradient: gets the derivatives by the weights.
        """
        cdef _Buffer numbers = _Buffer("weights", weights, b"d", sizeof(double), fill=False)
        cdef _Buffer wanted = _Buffer("targets", targets, b"d", sizeof(double), fill=False)
        cdef _Buffer slopes
        cdef double found = 0
        cdef double* slopes_at = NULL
        numbers.need(2 * WEIGHTS)
        if gradient is not None:
            slopes = _Buffer("gradient", gradient, b"d", sizeof(double))
            slopes.need(2 * WEIGHTS)
            slopes_at = <double*>slopes.view.buf
            memset(slopes_at, 0, slopes.view.len)
        with self.lock:
            wanted.need(self.table.n)
            if self.table.n == 0:
                raise ValueError("there are no positions")
            with nogil:
                found = total_loss(&self.table, <const double*>numbers.view.buf, <const double*>wanted.view.buf,
                                   scale, slopes_at)
        return found

    def occurrences(self, sums):
        """Fill sums, one for each weight of a phase, with the sum over positions of |Red's - Black's| count."""
        cdef _Buffer found = _Buffer("sums", sums, b"bhilq", sizeof(int64_t))
        cdef uint64_t i
        found.need(WEIGHTS)
        memset(found.view.buf, 0, found.view.len)
        with self.lock:
            for i in range(self.table.n_entries):
                (<int64_t*>found.view.buf)[self.table.entries[i].weight] += abs(self.table.entries[i].count)
