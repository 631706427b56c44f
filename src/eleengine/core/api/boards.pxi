# api/boards.pxi - BoardBatch: games on many boards at once.
#
# Uses: data/selfplay, data/positions, api/board, api/positions.

cdef int result_by_rules(const Position* pos, int rule_set, int max_plies) noexcept nogil:
    """How the game has ended, UNKNOWN_RESULT if it goes on."""
    cdef int verdict
    if not has_legal_move(pos):
        return BLACK_WON if pos.side == RED else RED_WON
    verdict = search_verdict(pos, 0, rule_set, NO_CAPTURE_LIMIT)
    if verdict != NO_VERDICT:
        return result_of(pos, verdict)
    return GAME_DRAWN if pos.ply >= max_plies else UNKNOWN_RESULT


cdef void begin_anew(Position* pos, const Position* start) noexcept nogil:
    """Set up the start, which has no moves, in the states of the board."""
    cdef State* states = pos.st - pos.ply
    pos[0] = start[0]
    states[0] = start.st[0]
    pos.st = states


@cython.final
cdef class BoardBatch:
    """Games on many boards at once, without the GIL; `eleengine.ml.Boards` is made of it.

    start: where games begin, as FEN. rule_set: the number of the rules that judge repetitions. max_plies: longer games
    are drawn.
    """
    cdef list boards
    cdef Position** positions    # those of the boards
    cdef move_t* moves           # to be played
    cdef BaseBoard start
    cdef int rule_set
    cdef int max_plies
    cdef _Lock lock

    def __cinit__(self, start, n, *, rule_set=0, max_plies=400):
        cdef int i, count = within("the number of boards", n, 1, 1 << 16)
        self.rule_set = check_rule_set(rule_set)
        self.max_plies = within("max_plies", max_plies, 1, 1 << 15)
        self.lock = _Lock("these boards are being played on")
        self.start = BaseBoard(start)
        self.start.need_playable()
        self.positions = <Position**>need(malloc(count * sizeof(Position*)), "the boards")
        self.moves = <move_t*>need(malloc(count * sizeof(move_t)), "the boards")
        self.boards = [BaseBoard(start) for _ in range(count)]
        for i in range(count):
            self.positions[i] = &(<BaseBoard>self.boards[i]).pos

    def __dealloc__(self):
        free(self.positions)
        free(self.moves)

    def __reduce__(self):
        refuse_copy(self)

    def __len__(self):
        return len(self.boards)

    def play(self, actions, results, *, threads=1):
        """Play a move on each board; a board whose game has ended by it begins anew.

        actions: 64 bits each, numbers of a policy. results: filled with 8 bits each, 0 Black won, 1 draw, 2 Red won,
        3 the game goes on. ValueError for an illegal move; then none is played.
        """
        cdef _Buffer given = _Buffer("actions", actions, b"lq", sizeof(int64_t), fill=False)
        cdef _Buffer out = _Buffer("results", results, b"B", 1)
        cdef const int64_t* numbers = <const int64_t*>given.view.buf
        cdef uint8_t* ends = <uint8_t*>out.view.buf
        cdef int64_t i, n = len(self.boards)
        cdef Position* pos
        cdef move_t m
        cdef int team = team_of(within("threads", threads, 1, MAX_WORKERS))
        given.need(n)
        out.need(n)
        with self.lock:
            for i in range(n):
                pos = self.positions[i]
                m = policy_move(numbers[i], pos.side)
                if m == NO_MOVE or not (is_pseudo_legal(pos, m) and is_legal(pos, m)):
                    raise ValueError(f"board {i}: action {numbers[i]} is no legal move")
                self.moves[i] = m
                (<BaseBoard>self.boards[i]).reserve(pos.ply + 2)
            for i in prange(n, num_threads=team, schedule="dynamic", chunksize=16, nogil=True):
                do_move(self.positions[i], self.moves[i])
                ends[i] = <uint8_t>result_by_rules(self.positions[i], self.rule_set, self.max_plies)
                if ends[i] != UNKNOWN_RESULT:
                    begin_anew(self.positions[i], &self.start.pos)

    def take(self):
        """The positions as they are, each with its ply and the number of its board as game."""
        cdef PositionArray taken = PositionArray.__new__(PositionArray)
        cdef int64_t i, n = len(self.boards)
        with self.lock:
            taken.reserve(n)
            for i in range(n):
                pack_position(&taken.table.rows[i], self.positions[i], NO_MOVE, NO_SCORE, UNKNOWN_RESULT,
                              self.positions[i].ply, i)
            taken.table.n = n
        return taken

    def board(self, Py_ssize_t i):
        """A copy of a board with its moves; IndexError."""
        if not 0 <= i < len(self.boards):            # the core's own indices are not checked
            raise IndexError(f"board {i} of {len(self.boards)}")
        with self.lock:
            return self.boards[i].copy()


cdef inline move_t policy_move(int64_t number, int us) noexcept nogil:
    """The move of a number as a side sees it; NO_MOVE if there is none."""
    cdef move_t m
    if not 0 <= number < POLICY_SIZE:
        return NO_MOVE
    m = POLICY_MOVES[number]
    return make_move(seen_square(src_of(m), us, False), seen_square(dst_of(m), us, False))
