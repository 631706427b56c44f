# api/network.pxi - Network: a network file in memory, ready for evaluation.
#
# Uses: eval/network/network, api/board, api/tables.

NETWORK_MAGIC = b"elennue1"
NETWORK_VERSION = 2              # of version 1 are networks whose only layer is the first output
NETWORK_HEADER = 128             # bytes
#: What a file says of a network, in the order of the header: inputs, sets of layers by number of pieces, rule of
#: mirroring, activation (1: squared and cut to 0..1), factor of the inputs, number of an activation of 1.
NETWORK_KIND = (NETWORK_ROWS, NETWORK_BUCKETS, 1, 1, ACTIVE << INPUT_SHIFT, ACTIVE)
#: The same of networks that do not know what hangs, which can be used still.
PIECES_KIND = (PIECE_ROWS, *NETWORK_KIND[1:])
#: Outputs of the first layer and of the second, numbers of a weight of 1 and of an activation of 1 there, and the bits
#: by which the square of an activation is shifted.
NETWORK_LAYERS = (FIRST_LAYER, SECOND_LAYER, 1 << LAYER_SHIFT, SQUARE_ONE, SQUARED_SHIFT)

cdef enum:
    MAX_NETWORK_FILE = 4 << 20
    MAX_ROW = 1000               # of a row's and a bias's numbers: 32 rows and a bias fit 16 bits
    MAX_BIAS = 767
    MAX_LAYER_BIAS = 1 << 27     # in units of this version: with MAX_WEIGHT, sums fit 32 bits

cdef uint64_t networks_made = 0


class NetworkError(ValueError):
    """A network that cannot be used; the message says why."""


cdef inline uint32_t little(const uint8_t* bytes_at, int n) noexcept:
    """A number of n bytes, the lowest first."""
    cdef uint32_t value = 0
    cdef int i
    for i in range(n):
        value |= <uint32_t>bytes_at[i] << 8 * i
    return value


def network_arrays(hidden, inputs=None, *, version=NETWORK_VERSION):
    """What follows header and text of a file, each from a multiple of 64: (name, numbers, bytes of a number).

    hidden: neurons, 1 to 1024. inputs, version: as of the header; by default this engine's own. ValueError for others.
    """
    cdef int first = NETWORK_BUCKETS * (FIRST_LAYER if version > 1 else 1), second = NETWORK_BUCKETS * SECOND_LAYER
    cdef int n = within("hidden", hidden, 1, MAX_HIDDEN)
    cdef int rows = NETWORK_ROWS if inputs is None else within("inputs", inputs, 1, NETWORK_ROWS)
    arrays = (("bias", n, 2), ("rows", n * rows, 2), ("first weights", 2 * n * first, 2), ("first bias", first, 4))
    if version == 1:
        return arrays
    return (*arrays, ("second weights", 2 * FIRST_LAYER * second, 2), ("second bias", second, 4),
            ("output weights", second, 2))


def network_digest(bytes file not None):
    """The SHA-256 of a network file that its header must hold in its last 32 bytes: of all other bytes."""
    from hashlib import sha256
    return sha256(file[:NETWORK_HEADER - 32] + file[NETWORK_HEADER:]).digest()


cdef int16_t* zeros(size_t n) except NULL:
    """Memory for numbers of a network."""
    cdef int16_t* found = <int16_t*>need(table_alloc(n * sizeof(int16_t), 0), "a network")
    memset(found, 0, n * sizeof(int16_t))
    return found


@cython.final
cdef class Network:
    """A network, immutable, out of the bytes of its file (docs/nnue.md has the format).

    file: the bytes. text: JSON that says how it was made. NetworkError names what is wrong with the bytes.
    """
    cdef NetworkWeights net
    cdef readonly bytes file
    cdef readonly str text

    def __cinit__(self, bytes file not None):
        global networks_made
        cdef int length, at = NETWORK_HEADER, i, version, first
        cdef Layers* layers
        cdef const uint8_t* head = <const uint8_t*>PyBytes_AS_STRING(file)
        if file[:8] != NETWORK_MAGIC:
            raise NetworkError("not a network file")
        if len(file) < NETWORK_HEADER:
            raise NetworkError("the file ends within its header")
        if len(file) > MAX_NETWORK_FILE:
            raise NetworkError(f"a network file has at most {MAX_NETWORK_FILE} bytes, not {len(file)}")
        version = little(head + 8, 4)
        if not 1 <= version <= NETWORK_VERSION:
            raise NetworkError(f"version {version} of the format, but only 1 to {NETWORK_VERSION} are known")
        if network_digest(file) != file[NETWORK_HEADER - 32:NETWORK_HEADER]:
            raise NetworkError("the checksum is wrong: the file is damaged or cut off")
        kind = tuple([little(head + 16 + 4 * i, 4) for i in range(len(NETWORK_KIND))])
        if kind not in (NETWORK_KIND, PIECES_KIND):
            raise NetworkError(f"a network of another kind: {kind}, but this engine knows {NETWORK_KIND}")
        hidden = little(head + 12, 4)
        if not 0 < hidden <= MAX_HIDDEN or hidden % NETWORK_STEP:
            raise NetworkError(f"{hidden} hidden neurons: must be a multiple of {NETWORK_STEP} up to {MAX_HIDDEN}")
        factor = little(head + 40, 4)
        unit_cp = little(head + 44, 4)
        unit_parts = little(head + 48, 4)
        length = little(head + 52, 4)
        if (not (0 < factor <= 1 << 15 and 0 < unit_cp <= 1 << 24 and 0 < unit_parts <= 1 << 24)
                or version > 1 and factor != 1 << LAYER_SHIFT):
            raise NetworkError("the factors of the header are out of range")
        offsets = {}
        at += length
        for name, count, size in network_arrays(hidden, kind[0], version=version):
            at += (64 - at % 64) % 64
            offsets[name] = at
            at += count * size
        if length > MAX_NETWORK_FILE or at != len(file):
            raise NetworkError(f"a network of {hidden} hidden neurons has {at} bytes, not {len(file)}")
        try:
            self.text = file[NETWORK_HEADER:NETWORK_HEADER + length].decode()
        except UnicodeDecodeError:
            raise NetworkError("what the file tells of its making is no text") from None
        shipped_tables()                         # every evaluation needs them
        networks_made += 1
        self.file = file
        self.net.number = networks_made
        self.net.hidden = hidden
        self.net.unit_cp = unit_cp
        self.net.unit_parts = <int64_t>unit_parts * SQUARE_ONE * factor
        self.net.bias = zeros(hidden)
        self.net.feature_weights = zeros(hidden * NETWORK_ROWS)
        self.net.first_weights = zeros(NETWORK_BUCKETS * FIRST_LAYER * 2 * hidden)
        self.numbers(offsets["bias"], hidden, MAX_BIAS, self.net.bias)
        self.numbers(offsets["rows"], hidden * <int>kind[0], MAX_ROW, self.net.feature_weights)
        first = FIRST_LAYER if version > 1 else 1
        for i in range(NETWORK_BUCKETS):
            layers = &self.net.layers[i]
            self.numbers(offsets["first weights"] + 4 * hidden * first * i, 2 * hidden * first, MAX_WEIGHT,
                         self.net.first_weights + 2 * FIRST_LAYER * self.net.hidden * i)
            if version == 1:                     # its biases are in smaller units
                self.biases(offsets["first bias"] + 4 * i, 1, MAX_LAYER_BIAS // SQUARE_ONE * ACTIVE, layers.first_bias)
                layers.first_bias[0] = <int32_t>(<int64_t>layers.first_bias[0] * SQUARE_ONE // ACTIVE)
                continue
            self.biases(offsets["first bias"] + 4 * FIRST_LAYER * i, FIRST_LAYER, MAX_LAYER_BIAS, layers.first_bias)
            self.numbers(offsets["second weights"] + 4 * FIRST_LAYER * SECOND_LAYER * i,
                         2 * FIRST_LAYER * SECOND_LAYER, MAX_WEIGHT, layers.weights)
            self.biases(offsets["second bias"] + 4 * SECOND_LAYER * i, SECOND_LAYER, MAX_LAYER_BIAS, layers.bias)
            self.numbers(offsets["output weights"] + 2 * SECOND_LAYER * i, SECOND_LAYER, MAX_WEIGHT,
                         layers.output_weights)

    cdef int numbers(self, int at, int n, int limit, int16_t* into) except -1:
        """Read numbers of 16 bits, none beyond the limit."""
        cdef const uint8_t* source = <const uint8_t*>PyBytes_AS_STRING(self.file) + at
        cdef int i
        for i in range(n):
            into[i] = <int16_t>little(source + 2 * i, 2)
            if not -limit <= into[i] <= limit:
                raise NetworkError(f"the number at byte {at + 2 * i} is {into[i]}, beyond {limit}")
        return 0

    cdef int biases(self, int at, int n, int limit, int32_t* into) except -1:
        """The same with 32 bits."""
        cdef const uint8_t* source = <const uint8_t*>PyBytes_AS_STRING(self.file) + at
        cdef int i
        for i in range(n):
            into[i] = <int32_t>little(source + 4 * i, 4)
            if not -limit <= into[i] <= limit:
                raise NetworkError(f"the number at byte {at + 4 * i} is {into[i]}, beyond {limit}")
        return 0

    def __dealloc__(self):
        table_free(self.net.bias)
        table_free(self.net.feature_weights)
        table_free(self.net.first_weights)

    @property
    def hidden(self):
        """Hidden neurons of each perspective."""
        return self.net.hidden

    @property
    def digest(self):
        """The SHA-256 that the file holds, in hexadecimal: what the network is known by."""
        return self.file[NETWORK_HEADER - 32:NETWORK_HEADER].hex()

    def evaluate(self, BaseBoard board not None):
        """Static evaluation of a board by this network, in centipawns for the side to move."""
        cdef NetworkCache cache
        board.need_playable()
        cache.number = 0
        return network_evaluate(&self.net, &cache, &board.pos)

    def without_each(self, BaseBoard board not None):
        """Evaluations without one piece each, kings excepted: a dict of square -> what evaluate() would say."""
        cdef NetworkCache cache
        cdef Position pos
        cdef State state
        cdef int s, piece
        board.need_playable()
        cache.number = 0
        pos = board.pos
        state = pos.st[0]
        pos.st = &state
        found = {}
        for s in range(SQUARES):
            piece = pos.board[s]
            if piece != EMPTY and type_of(piece) != KING:
                remove_piece(&pos, s)
                found[s] = network_evaluate(&self.net, &cache, &pos)
                put_piece(&pos, piece, s)
        return found

    def __eq__(self, other):
        return isinstance(other, Network) and self.file == (<Network>other).file

    def __hash__(self):
        return hash(self.file)

    def __repr__(self):
        return f"<Network of {self.hidden} hidden neurons, {self.digest[:12]}>"

    def __reduce__(self):
        return Network, (self.file,)


cdef Network _shipped_network = None


def shipped_network():
    """The network that the engine comes with; read when it is asked for first."""
    global _shipped_network
    if _shipped_network is None:
        import os.path
        from eleengine import __file__ as package
        with open(os.path.join(os.path.dirname(package), "shipped.nnue"), "rb") as file:
            _shipped_network = Network(file.read())
    return _shipped_network
