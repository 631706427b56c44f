# api/training.pxi - Samples and Trainer: positions of games, and a network fitted to them.
#
# Uses: data/samples, data/training, api/context, api/selfplay, api/traces.

from struct import Struct

SAMPLE_BYTES = sizeof(Sample)
INPUT_BYTES = sizeof(InputRecord)
STATE = Struct("<QQdd")          # passes, index in the pass, what Adam's two means are short of


@cython.final
cdef class Samples:
    """Settled positions of games with the scores of their searches, ready for training. Threads may share one."""
    cdef SampleTable table
    cdef _Lock lock                  # over the table, whose samples move as it grows

    def __cinit__(self):
        self.lock = _Lock("this thread is at work on the Samples: return first")

    def __dealloc__(self):
        free(self.table.samples)

    def __reduce__(self):
        refuse_copy(self, "use tobytes() and frombytes()")

    def __len__(self):
        return self.table.n

    def add(self, BaseBoard start not None, bytes moves not None, bytes scores not None, result, *, first_ply=0,
            Context context=None):
        """Append the quiet positions of a game and return how many they are.

        start: its first position. moves, scores, result: as of SelfPlay.play(). first_ply: leave out the plies
        before. context: whose weights evaluate; None: the shipped ones. Quiet: searched, not in check, the move
        played no capture, not decided by its score, not a repetition. ValueError for an illegal move or a bad
        result.
        """
        cdef _GameBytes game
        cdef uint64_t before
        cdef int done, outcome = result, first = first_ply
        context = chosen_context(context)
        if not BLACK_WON <= outcome <= RED_WON:
            raise ValueError(f"a result is 0, 1 or 2, not {outcome}")
        game = _GameBytes(start, moves, scores)
        with self.lock:
            before = self.table.n
            with nogil:
                done = add_samples(&self.table, &context.numbers.model.classic, &game.pos, game.moves, game.scores,
                                   game.n, first, outcome)
            if done < game.n:
                self.table.n = before
            game.need_all(done)
            return self.table.n - before

    def clear(self):
        """Remove all samples; their memory is kept for others."""
        with self.lock:
            self.table.n = 0

    def tobytes(self):
        """All samples, SAMPLE_BYTES each, as frombytes() reads them."""
        with self.lock:
            return PyBytes_FromStringAndSize(<char*>self.table.samples, self.table.n * sizeof(Sample))

    def frombytes(self, data):
        """Append samples of tobytes(). ValueError names the first one that is none."""
        cdef _Buffer source = _Buffer("data", data, b"bBc", 1, fill=False)
        cdef uint64_t n = source.view.len // sizeof(Sample), i, end
        if source.view.len % sizeof(Sample):
            raise ValueError(f"{source.view.len} bytes are no whole number of samples of {sizeof(Sample)}")
        if n == 0:
            return
        with self.lock:
            if not reserve_samples(&self.table, n):
                raise MemoryError("no memory for more positions")
            end = self.table.n
            memcpy(self.table.samples + end, source.view.buf, n * sizeof(Sample))
            for i in range(n):
                if not is_sample(&self.table.samples[end + i]):
                    raise ValueError(f"sample {i} is no position of a game")
            self.table.n = end + n

    def deal(self, parts, uint64_t seed):
        """Deal the samples out at random to `parts` (1 to 256) parts: a list of bytes as of tobytes()."""
        cdef uint64_t[256] sizes
        cdef Sample* places[256]
        cdef list found = []
        cdef int i, n = within("parts", parts, 1, 256)
        with self.lock:
            deal_samples(&self.table, NULL, sizes, n, seed)
            for i in range(n):
                found.append(PyBytes_FromStringAndSize(NULL, sizes[i] * sizeof(Sample)))
                places[i] = <Sample*>PyBytes_AS_STRING(found[i])
            deal_samples(&self.table, places, sizes, n, seed)
        return found

    def inputs(self, uint64_t first, uint64_t last):
        """What the network sees of the samples from first to last - 1, INPUT_BYTES each.

        Little-endian: rows of the pieces for the side to move and for the opponent (2 times 32 numbers of 16 bits, -1
        after the last one), which of these hang (32 bytes, 0 or 1), factors of an output above 0 and of one that is
        not (two 32-bit floating-point numbers), the search's score and the classical evaluation in centipawns (16
        bits), set of layers, result (0 lost, 1 drawn, 2 won), pieces, 0 (8 bits). IndexError if there are
        fewer samples.
        """
        cdef uint64_t i
        cdef InputRecord* records
        with self.lock:
            if not first <= last <= self.table.n:
                raise IndexError(f"samples {first} to {last} of {self.table.n}")
            found = PyBytes_FromStringAndSize(NULL, (last - first) * sizeof(InputRecord))
            records = <InputRecord*>PyBytes_AS_STRING(found)
            for i in range(last - first):
                fill_record(&self.table.samples[first + i], &records[i])
        return found


cdef float* parameter_room(size_t size) except NULL:
    return <float*>need(table_alloc(size * sizeof(float), 0), "the training of a network")


@cython.final
cdef class Trainer:
    """A network in floating point, and the state of its training. Samples that are added later it does not use.

    hidden: neurons, a multiple of 64 up to 1024. unit_cp: centipawns of an output of 1. mix: share of the search's
    score in the target, 0 to 1, beside the result. decay: of rows and their bias, by rate and step. seed: for the first
    numbers and the order of samples. Equal arguments train equal networks, whatever the threads. ValueError for what
    is out of range or for no samples. passes: how many times training has begun to go through the samples.
    """
    cdef Training training
    cdef Samples source
    cdef _Lock lock                  # over all that follows; it is taken before that of samples
    cdef uint64_t n                  # samples
    cdef uint32_t* order             # of the samples in this pass
    cdef uint64_t seed
    cdef uint64_t index              # samples of this pass that are done
    cdef readonly uint64_t passes

    def __cinit__(self, Samples samples not None, *, int hidden, double unit_cp, double mix=1, double decay=0,
                  uint64_t seed=0):
        cdef Training* t = &self.training
        cdef size_t size = parameters_of(hidden)
        cdef int p
        if not 0 < hidden <= MAX_HIDDEN or hidden % NETWORK_STEP:
            raise ValueError(f"hidden must be a multiple of {NETWORK_STEP} up to {MAX_HIDDEN}, not {hidden}")
        if not unit_cp > 0 or not 0 <= mix <= 1 or not decay >= 0:
            raise ValueError("unit_cp must be above 0, mix 0 to 1, decay at least 0")
        self.seed = seed
        self.lock = _Lock("this thread is at work with the Trainer: return first")
        self.samples = samples
        t.hidden = hidden
        t.unit_cp = unit_cp
        t.mix = mix
        t.decay = decay
        t.net = parameter_room(size)
        t.mean = parameter_room(size)
        t.square = parameter_room(size)
        for p in range(PARTS):
            t.gradients[p] = parameter_room(size)
        init_weights(t, seed)

    def __dealloc__(self):
        cdef int p
        table_free(self.training.net)
        table_free(self.training.mean)
        table_free(self.training.square)
        for p in range(PARTS):
            table_free(self.training.gradients[p])
        free(self.order)

    def __reduce__(self):
        refuse_copy(self, "give its state to a new one")

    @property
    def samples(self):
        """What it is trained with; with other ones the next step begins a pass."""
        return self.source

    @samples.setter
    def samples(self, Samples value not None):
        cdef uint64_t n
        cdef void* bigger
        with self.lock, value.lock:
            n = value.table.n
            if not 0 < n < <uint64_t>1 << 32:
                raise ValueError(f"there must be between 1 and 2**32 - 1 samples, not {n}")
            bigger = grow(self.order, self.n * sizeof(uint32_t), n * sizeof(uint32_t))
            self.order = <uint32_t*>need(bigger, "the order of samples")
            self.source = value
            self.index = self.n = n

    cdef int need_samples(self) except -1:
        """Refuse samples that have been removed since; both locks are held."""
        if self.source.table.n < self.n:
            raise ValueError(f"of {self.n} samples there are {self.source.table.n} left: set samples again")
        return 0

    @property
    def left(self):
        """Samples of this pass that are not done; a step with a greater batch begins the next one."""
        return self.n - self.index

    def step(self, uint64_t batch, double rate, threads=1):
        """Train with the next samples at this learning rate. A pass ends when less than a batch is left of it."""
        cdef int team = within("threads", threads, 1, MAX_WORKERS)
        with self.lock, self.source.lock:
            self.need_samples()
            if not 0 < batch <= self.n:
                raise ValueError(f"batch must be 1..{self.n}, not {batch}")
            with nogil:
                if self.index + batch > self.n:
                    self.passes += 1
                    self.index = 0
                    shuffle_order(self.order, self.n, self.seed, self.passes)
                train_batch(&self.training, self.source.table.samples, self.order + self.index, batch, rate, team)
                self.index += batch

    def gradient(self):
        """The mean gradient of the loss over all samples: as many numbers as parameters() has, in the same order."""
        cdef Training* t = &self.training
        cdef uint64_t i
        cdef size_t size = parameters_of(t.hidden), k
        with self.lock, self.source.lock:
            self.need_samples()
            for i in range(self.n):
                self.order[i] = <uint32_t>i
            train_part(t, self.source.table.samples, self.order, self.n, t.gradients[0])
            for k in range(size):
                t.gradients[0][k] /= self.n
            found = PyBytes_FromStringAndSize(<char*>t.gradients[0], size * sizeof(float))
            memset(t.gradients[0], 0, size * sizeof(float))
            if self.passes:
                shuffle_order(self.order, self.n, self.seed, self.passes)
        return found

    def losses(self, Samples samples not None, *, threads=1, bint classical=False):
        """(loss, loss by results) as means over samples.

        The loss is the cross-entropy to the targets less the entropy of the targets; the other one the cross-entropy
        to the results alone. classical: of the classical evaluation instead, with this Trainer's targets.
        """
        cdef Losses[64] sums
        cdef Losses total
        cdef uint64_t n = 0, block
        cdef int64_t i
        cdef int team = team_of(within("threads", threads, 1, MAX_WORKERS))
        memset(sums, 0, sizeof(sums))
        memset(&total, 0, sizeof(total))
        with self.lock, samples.lock:
            n = samples.table.n
            if n == 0:
                raise ValueError("there are no samples")
            block = (n + 63) // 64
            for i in prange(64, num_threads=team, schedule="dynamic", chunksize=1, nogil=True):
                if i * block < n:
                    add_losses(&self.training, samples.table.samples + i * block, min(block, n - i * block), classical,
                               &sums[i])
        for i in range(64):
            total.target += sums[i].target
            total.entropy += sums[i].entropy
            total.result += sums[i].result
        return (total.target - total.entropy) / n, total.result / n

    def outputs(self, Samples samples not None):
        """What the network says of the samples, in centipawns for the side to move, as it counts in the endgame."""
        cdef SampleFeatures features
        cdef uint64_t i
        cdef list found = []
        with self.lock, samples.lock:
            for i in range(samples.table.n):
                extract_features(&self.training, &samples.table.samples[i], &features)
                found.append(self.training.unit_cp
                             * forward(self.training.net, self.training.hidden, &features, NULL))
        return found

    def parameters(self):
        """The network: 32-bit floating-point numbers of rows and bias, then of the layers as a file has them."""
        with self.lock:
            return PyBytes_FromStringAndSize(<char*>self.training.net,
                                             parameters_of(self.training.hidden) * sizeof(float))

    @property
    def state(self):
        """All that changes in training, as bytes; setting it goes on from there, with equal samples and arguments."""
        cdef Training* t = &self.training
        cdef size_t size = parameters_of(t.hidden) * sizeof(float)
        with self.lock:
            return (STATE.pack(self.passes, self.index, t.mean_left, t.square_left)
                    + PyBytes_FromStringAndSize(<char*>t.net, size) + PyBytes_FromStringAndSize(<char*>t.mean, size)
                    + PyBytes_FromStringAndSize(<char*>t.square, size))

    @state.setter
    def state(self, bytes value not None):
        cdef Training* t = &self.training
        cdef size_t size = parameters_of(t.hidden) * sizeof(float)
        cdef const char* source = PyBytes_AS_STRING(value) + <int>STATE.size
        if len(value) != STATE.size + 3 * size:
            wanted = STATE.size + 3 * size
            raise ValueError(f"a state of {t.hidden} hidden neurons has {wanted} bytes, not {len(value)}")
        passes, index, mean_left, square_left = STATE.unpack_from(value)
        with self.lock:
            if index > self.n or (passes == 0 and index < self.n):
                raise ValueError("the state is of other samples")
            self.passes, self.index, t.mean_left, t.square_left = passes, index, mean_left, square_left
            memcpy(t.net, source, size)
            memcpy(t.mean, source + size, size)
            memcpy(t.square, source + 2 * size, size)
            if self.passes:
                shuffle_order(self.order, self.n, self.seed, self.passes)
