# api/positions.pxi - PositionArray: many positions, and the arrays that machine learning makes of them.
#
# Uses: data/positions, api/context, api/selfplay, api/traces.

def policy_moves():
    """All moves that a policy numbers, as Red sees them, in the order of their numbers."""
    return [wrap_move(POLICY_MOVES[i]) for i in range(POLICY_SIZE)]


@cython.final
cdef class PositionArray:
    """Playable positions with the move, score and result that belong to each, 112 bytes a position.

    `eleengine.ml.Positions` is made of it. All arrays are seen by the side to move; see data/positions. An array may
    have fewer rows than there are positions, as other threads may add some meanwhile: the first ones fill it.
    """
    cdef PackedPositions table
    cdef int readers             # threads that read the table without the GIL

    def __dealloc__(self):
        free(self.table.rows)

    def __len__(self):
        return self.table.n

    cdef int reserve(self, uint64_t more) except -1:
        if self.readers:
            raise RuntimeError("positions cannot be added while another thread reads them")
        if not reserve_positions(&self.table, more):
            raise MemoryError("no memory for more positions")
        return 0

    def add(self, BaseBoard board not None, move=None, score=None, result=UNKNOWN_RESULT, ply=None, game=UNKNOWN_GAME):
        """Append a board. score: centipawns for the side to move. result: 0 Black won, 1 draw, 2 Red won, 3 unknown.

        ply: since the start of the game. game: its number, -1 for unknown.
        """
        cdef move_t m = NO_MOVE if move is None else as_move(move).code
        cdef int points = NO_SCORE if score is None else within("score", score, -MATE, MATE)
        cdef int at = UNKNOWN_PLY if ply is None else within("ply", ply, 0, UNKNOWN_PLY - 1)
        cdef int ended = check_result(result)
        cdef int64_t number = check_game(game)
        board.need_playable()
        if m != NO_MOVE:
            board.need_legal(m)
        self.reserve(1)
        pack_position(&self.table.rows[self.table.n], &board.pos, m, points, ended, at, number)
        self.table.n += 1

    def add_game(self, BaseBoard start not None, bytes moves not None, bytes scores=None, result=UNKNOWN_RESULT, *,
                 first_ply=0, game=UNKNOWN_GAME):
        """Append the positions of a game with the moves played there, and return how many they are.

        start: its first position. moves, scores, result: as of SelfPlay.play(). first_ply: leave out the plies
        before. game: its number, -1 for unknown. ValueError for an illegal move or a bad result:
        then nothing is appended.
        """
        cdef _GameBytes played
        cdef uint64_t before = self.table.n
        cdef int done, first = within("first_ply", first_ply, 0, MAX_COUNTER), ended = check_result(result)
        cdef int64_t number = check_game(game)
        played = _GameBytes(start, moves, scores)
        self.reserve(played.n)
        done = pack_game(&self.table, &played.pos, played.moves, played.scores, played.n, first, ended, number)
        if done < played.n:
            self.table.n = before
        played.need_all(done)
        return self.table.n - before

    def extend(self, PositionArray other not None, int64_t games=0):
        """Append the positions of another array, with all that belongs to them.

        games: added to the numbers of their games, so that they are others than those here. OverflowError if one
        would not fit into 64 bits.
        """
        cdef uint64_t i, n = other.table.n, before = self.table.n
        if games < 0:
            raise ValueError(f"games must not be negative, but is {games}")
        for i in range(n):
            if other.table.rows[i].game > LAST_GAME - games:
                raise OverflowError(f"game {other.table.rows[i].game} + {games} has more than 64 bits")
        if n == 0:
            return  # and perhaps no rows to copy from or to
        self.reserve(n)
        memcpy(self.table.rows + before, other.table.rows, n * sizeof(PackedPosition))
        for i in range(before, before + n):
            if self.table.rows[i].game != UNKNOWN_GAME:
                self.table.rows[i].game += games
        self.table.n = before + n

    def tobytes(self):
        """All rows as they lie in memory, for `frombytes`."""
        return PyBytes_FromStringAndSize(<char*>self.table.rows, self.table.n * sizeof(PackedPosition))

    def frombytes(self, bytes data not None):
        """Append the rows of `tobytes`; ValueError for anything else, such as a position that cannot be played."""
        cdef const PackedPosition* rows = <const PackedPosition*>PyBytes_AS_STRING(data)
        cdef uint64_t i, n = len(data) // sizeof(PackedPosition)
        if len(data) % sizeof(PackedPosition):
            raise ValueError(f"{len(data)} bytes are no whole number of positions of {sizeof(PackedPosition)} bytes")
        for i in range(n):
            if not is_sound(&rows[i]):
                raise ValueError(f"position {i} of the bytes cannot be played")
        if n == 0:
            return
        self.reserve(n)
        memcpy(self.table.rows + self.table.n, rows, n * sizeof(PackedPosition))
        self.table.n += n

    def __reduce__(self):
        return PositionArray, (), self.tobytes()

    def __setstate__(self, bytes data):
        self.frombytes(data)

    def take(self, indices):
        """A new array of the positions of these indices, an array of int64; IndexError for one that is not there."""
        cdef Py_ssize_t n = len(indices), i
        cdef _Buffer given = _Buffer("indices", indices, b"lq", sizeof(int64_t), fill=False)
        cdef const int64_t* at = <const int64_t*>given.view.buf
        cdef PositionArray taken = PositionArray.__new__(PositionArray)
        given.need(n)
        taken.reserve(n)
        for i in range(n):
            if not 0 <= at[i] < <int64_t>self.table.n:
                raise IndexError(f"position {at[i]} of {self.table.n}")
            taken.table.rows[i] = self.table.rows[at[i]]
        taken.table.n = n
        return taken

    def board(self, uint64_t i, cls):
        """The position as a board of that class, without the moves that led there; IndexError."""
        cdef Position pos
        cdef State state
        cdef BaseBoard board
        if i >= self.table.n:
            raise IndexError(f"position {i} of {self.table.n}")
        unpack_position(&self.table.rows[i], &pos, &state)
        board = cls(None)
        board.set_fen(fen_text(&pos, 1), validate=True, forgiving=False)
        return board

    def fens(self):
        """The positions as FENs, whose moves count from 1."""
        cdef Position pos
        cdef State state
        cdef uint64_t i
        cdef list texts = []
        for i in range(self.table.n):
            unpack_position(&self.table.rows[i], &pos, &state)
            texts.append(fen_text(&pos, 1))
        return texts

    def planes(self, array, *, threads=1, bint mirror=False):
        """Fill n x 14 x 90 bytes: 1 where such a piece stands, the own kinds first."""
        self.fill(FILL_PLANES, array, b"BbHh?", 1, PLANES * SQUARES, threads, mirror, None)

    def features(self, array, *, threads=1):
        """Fill n x 2 x 32 numbers of 16 bits: the pieces' rows of the network's first layer; -1 for none."""
        self.fill(FILL_FEATURES, array, b"h", sizeof(int16_t), 2 * MAX_PIECES, threads, False, None)

    def legal_moves(self, array, *, threads=1, bint mirror=False):
        """Fill n x len(policy_moves()) bytes: 1 for legal moves."""
        self.fill(FILL_LEGAL, array, b"Bb?", 1, POLICY_SIZE, threads, mirror, None)

    def evaluate(self, array, *, Context context=None, threads=1):
        """Fill n numbers of 16 bits with static evaluations in centipawns for the side to move.

        context: its network, or weights if it has none; None: the default one.
        """
        self.fill(FILL_EVALUATION, array, b"h", sizeof(int16_t), 1, threads, False, chosen_context(context))

    cdef int fill(self, Fill what, array, bytes kinds, Py_ssize_t itemsize, Py_ssize_t width, threads, bint mirror,
                  Context context) except -1:
        cdef _Buffer out = _Buffer("the array", array, kinds, itemsize)
        cdef const Model* model = NULL if context is None else &context.numbers.model
        cdef uint64_t n = out.count_rows(width, self.table.n), block = 256
        cdef int64_t i, blocks = (n + block - 1) // block
        cdef const PackedPosition* rows = self.table.rows
        cdef void* to = out.view.buf
        cdef int team = team_of(within("threads", threads, 1, MAX_WORKERS))
        self.readers += 1
        for i in prange(blocks, num_threads=team, schedule="dynamic", chunksize=1, nogil=True):
            fill_block(what, rows, i * block, min((i + 1) * block, n), mirror, model, to)
        self.readers -= 1
        return 0

    def columns(self, moves, scores, results, turns, plies, games, *, bint mirror=False):
        """Fill arrays with what belongs to each position.

        moves: 16 bits, numbers of a policy, or -1. scores: 16 bits, centipawns for the side to move, or NO_SCORE.
        results: 8 bits, 0 Black won, 1 draw, 2 Red won, 3 unknown. turns: 8 bits, 1 if Red is to move.
        plies: 16 bits, 65535 for unknown. games: 64 bits, -1 for unknown.
        """
        cdef _Buffer of_moves = _Buffer("moves", moves, b"h", sizeof(int16_t))
        cdef _Buffer of_scores = _Buffer("scores", scores, b"h", sizeof(int16_t))
        cdef _Buffer of_results = _Buffer("results", results, b"B", 1)
        cdef _Buffer of_turns = _Buffer("turns", turns, b"B?", 1)
        cdef _Buffer of_plies = _Buffer("plies", plies, b"H", sizeof(uint16_t))
        cdef _Buffer of_games = _Buffer("games", games, b"lq", sizeof(int64_t))
        cdef const PackedPosition* row
        cdef uint64_t i, n = of_moves.count_rows(1, self.table.n)
        for buffer in (of_scores, of_results, of_turns, of_plies, of_games):
            (<_Buffer>buffer).need(n)
        for i in range(n):
            row = &self.table.rows[i]
            (<int16_t*>of_moves.view.buf)[i] = <int16_t>(
                -1 if row.move == NO_MOVE else policy_index(row.move, row.side, mirror))
            (<int16_t*>of_scores.view.buf)[i] = row.score
            (<uint8_t*>of_results.view.buf)[i] = row.result
            (<uint8_t*>of_turns.view.buf)[i] = row.side == RED
            (<uint16_t*>of_plies.view.buf)[i] = row.ply
            (<int64_t*>of_games.view.buf)[i] = row.game


cdef bint is_sound(const PackedPosition* row) except -1:
    """Could `pack_position` have made the row of a playable position?"""
    cdef Position pos
    cdef State state
    cdef int s, p
    cdef int[2] kings = [0, 0]
    for s in range(SQUARES):
        p = row.board[s]
        if p == EMPTY:
            continue
        if p >= 16 or not KING <= type_of(p) <= PAWN:
            return False
        kings[side_of(p)] += type_of(p) == KING
    if not (kings[RED] == kings[BLACK] == 1 and row.side <= 1 and row.result <= UNKNOWN_RESULT
            and NO_SCORE <= row.score <= MATE and row.game >= UNKNOWN_GAME):
        return False
    unpack_position(row, &pos, &state)
    if find_obstacle(&pos) is not None:
        return False
    return row.move == NO_MOVE or (src_of(row.move) < SQUARES and dst_of(row.move) < SQUARES
                                   and is_pseudo_legal(&pos, row.move) and is_legal(&pos, row.move))


cdef int64_t check_game(object number) except? -1:
    return within("the number of a game", number, UNKNOWN_GAME, LAST_GAME)


cdef int check_result(object result) except -1:
    return within("a result", result, BLACK_WON, UNKNOWN_RESULT)
