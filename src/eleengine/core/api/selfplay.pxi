# api/selfplay.pxi - SelfPlay: games of the engine against itself as Python data.
#
# Uses: data/selfplay, api/context, api/search.

SELFPLAY_LIMITS = {
    # name: (default, lowest, highest)
    "nodes": (1500, 1, 1_000_000_000),
    "soft_nodes": (0, 0, 1_000_000_000),
    "random_min": (6, 0, 100),
    "random_max": (10, 0, 100),
    "balance": (300, 0, 30_000),
    "win_score": (1200, 1, 32_000),
    "win_plies": (5, 1, 600),
    "draw_score": (10, 0, 32_000),
    "draw_plies": (10, 1, 600),
    "draw_after": (80, 0, 600),
    "max_plies": (300, 1, 600),
}


cdef bint is_abandoned_game(void* who) noexcept nogil:
    cdef Abandonment* given = <Abandonment*>who
    return flag_get(&given.flag) or (given.listener != NULL and is_interrupted(given.listener))


cdef struct Abandonment:
    atomic_flag flag             # stop() was called
    void* listener               # an _Interruptible, where signals arrive


@cython.final
cdef class SelfPlay:
    """Plays games of the engine against itself, one at a time, without the GIL: one object a thread.

    hash_mib: 1 to 1024. Limits by name, with the ranges of SELFPLAY_LIMITS. nodes: of each search, at most.
    soft_nodes: no iteration of a search begins after these, so that easy moves take fewer; 0: no such limit.
    random_min, random_max: random legal plies at the start. balance: openings with a greater score, in
    centipawns, are given up for another. win_score, win_plies: a win when the score has been at least
    win_score for win_plies; draw_score, draw_plies, draw_after: a draw when it has been at most draw_score for
    draw_plies, not before ply draw_after; max_plies: a draw. context: the numbers to play by (default: the shipped
    ones). ValueError for a value out of range.
    """
    cdef Shared shared
    cdef PlayLimits limits
    cdef Worker* worker
    cdef PlayedGame game
    cdef Abandonment abandonment
    cdef Context own_context
    cdef _Lock lock

    def __cinit__(self, Context context=None, /, *, hash_mib=2, **limits):
        cdef int mib = within("hash_mib", hash_mib, 1, 1024)
        self.lock = _Lock(
            "a SelfPlay plays in this thread: the handler of a signal may call stop(); to play return first,"
            " or take another SelfPlay")
        values = {name: default for name, (default, _, _) in SELFPLAY_LIMITS.items()}
        for name, value in limits.items():
            if name not in SELFPLAY_LIMITS:
                raise TypeError(f"SelfPlay() has no limit {name!r}")
            _, low, high = SELFPLAY_LIMITS[name]
            values[name] = within(name, value, low, high)
        if values["random_min"] > values["random_max"]:
            raise ValueError(f"random_min is {values['random_min']}, more than random_max, {values['random_max']}")
        self.limits = values
        self.own_context = context
        self.shared.no_capture_limit = NO_CAPTURE_LIMIT
        self.shared.n_workers = 1
        self.shared.workers = &self.worker
        self.shared.listener.who = &self.abandonment
        self.shared.listener.should_stop = is_abandoned_game
        self.shared.table.clusters = <uint64_t>mib * (1 << 20) // (CLUSTER * sizeof(Entry))
        self.shared.table.entries = <Entry*>need(
            table_alloc(self.shared.table.clusters * CLUSTER * sizeof(Entry), 0), "a search")
        self.worker = <Worker*>need(new_worker(&self.shared, 0), "a search")
        self.worker.states_n = MAX_GAME + MAX_PLY + 8
        self.worker.states = <State*>need(malloc(self.worker.states_n * sizeof(State)), "the moves of a game")

    def __dealloc__(self):
        free_worker(self.worker)
        table_free(self.shared.table.entries)

    def __reduce__(self):
        refuse_copy(self)

    def stop(self):
        """End the game under way and refuse those to come: play() raises InterruptedError. For any thread."""
        flag_set(&self.abandonment.flag, 1)

    def play(self, BaseBoard start not None, seed):
        """One game: (result, reason, moves, scores, n_quiet).

        start: its position, without its history. seed: 0 to 2**64 - 1; equal seeds, limits and weights play
        equal games. result: 0 Black won, 1 draw, 2 Red won. reason: 1 mate or stalemate, 2 the rules,
        3 adjudication, 4 max_plies. moves, scores: 16-bit numbers, one for each ply; a move is
        from + 128 * to, a score centipawns for the side to move or NO_SCORE. n_quiet: how many positions are
        good for tuning: searched, not in check, no capture the best move, not decided, not repeated.
        ValueError when a thousand random openings were not balanced, InterruptedError after stop(); in the main
        thread also what a signal's handler raises, such as KeyboardInterrupt.
        """
        cdef uint64_t seed_number = seed
        cdef int played
        cdef _Interruptible interruption = _Interruptible()
        cdef Context context
        with self.lock:
            context = chosen_context(self.own_context)
            start.need_playable()
            self.worker.states[0] = start.pos.st[0]
            self.worker.pos = start.pos
            self.worker.pos.st = self.worker.states
            self.worker.pos.ply = 0
            self.shared.context = &context.numbers
            self.abandonment.listener = <void*>interruption if in_main_thread() else NULL
            with nogil:
                played = play_game(self.worker, &self.limits, seed_number, &self.game)
            if interruption.failure is not None:
                raise interruption.failure
            if played == ABANDONED:
                raise InterruptedError("the player was stopped")
            if played == NO_OPENING:
                raise ValueError(f"no balanced opening found from {start.fen()}")
            moves = PyBytes_FromStringAndSize(<char*>self.game.moves, self.game.n * sizeof(move_t))
            scores = PyBytes_FromStringAndSize(<char*>self.game.scores, self.game.n * sizeof(int16_t))
            return self.game.result, self.game.reason, moves, scores, self.game.n_quiet


@cython.final
cdef class _GameBytes:
    """A game in the bytes of SelfPlay.play(), ready to be played through once."""
    cdef Position pos                # the first one, with room for the states of all moves
    cdef State* states
    cdef int n
    cdef const move_t* moves
    cdef const int16_t* scores       # or NULL
    cdef tuple kept                  # the bytes

    def __cinit__(self, BaseBoard start not None, bytes moves not None, bytes scores):
        """ValueError for scores of another length, and for a start that cannot be played from."""
        self.kept = moves, scores
        self.n = len(moves) // sizeof(move_t)
        self.moves = <const move_t*>PyBytes_AS_STRING(moves)
        if scores is not None:
            if len(scores) != len(moves):
                raise ValueError(f"{len(moves)} bytes of moves, but {len(scores)} bytes of scores")
            self.scores = <const int16_t*>PyBytes_AS_STRING(scores)
        start.need_playable()
        self.states = <State*>need(malloc((self.n + 1) * sizeof(State)), "the moves of a game")
        self.states[0] = start.pos.st[0]
        self.pos = start.pos
        self.pos.st = self.states
        self.pos.ply = 0

    def __dealloc__(self):
        free(self.states)

    cdef int need_all(self, int done) except -1:
        """Raise what ended it before its last move; done: moves, or -1 without memory."""
        if done < 0:
            raise MemoryError("no memory for more positions")
        if done < self.n:
            raise ValueError(f"ply {done + 1}: illegal move {move_text(self.moves[done])}")
        return 0
