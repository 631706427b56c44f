# api/board.pxi - BaseBoard: a position with its moves as a Python object.
#
# Uses: board/threats, rules/repetition, api/perft, api/repetition.
# Text and arguments are checked here; the files below api/ trust them. board.py builds the public Board on BaseBoard.

STARTING_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


@cython.final
cdef class MoveView:
    """The legal or pseudo-legal moves of a board, computed when asked for."""
    cdef BaseBoard board
    cdef bint legal

    def __cinit__(self, BaseBoard board not None, bint legal):
        self.board = board
        self.legal = legal

    cdef list moves(self):
        cdef move_t found[MAX_MOVES]
        cdef int i, n
        cdef list out
        self.board.need_playable()
        n = gen_legal(&self.board.pos, found) if self.legal else gen_pseudo_legal(&self.board.pos, found)
        out = [None] * n
        for i in range(n):
            out[i] = wrap_move(found[i])
        return out

    def __iter__(self):
        return iter(self.moves())

    def __contains__(self, move):
        cdef move_t m = as_move(move).code
        self.board.need_playable()
        return is_pseudo_legal(&self.board.pos, m) and (not self.legal or is_legal(&self.board.pos, m))

    def __len__(self):
        return self.count()

    def __bool__(self):
        self.board.need_playable()
        return has_legal_move(&self.board.pos) if self.legal else self.count() > 0

    def count(self):
        """The number of moves, without making a list of them."""
        cdef move_t found[MAX_MOVES]
        self.board.need_playable()
        return count_legal(&self.board.pos) if self.legal else gen_pseudo_legal(&self.board.pos, found)

    def __reduce__(self):
        refuse_copy(self, "take list(moves), or the board")

    def __repr__(self):
        text = ", ".join([move_text((<Move>m).code) for m in self.moves()])
        return f"<{'legal' if self.legal else 'pseudo-legal'} moves ({text})>"


cdef class BaseBoard:
    """A position with the moves that led to it: everything that needs the speed of C."""
    cdef Position pos
    cdef State* states         # states[0] is the first position, states[pos.ply] the current one
    cdef Py_ssize_t capacity
    cdef int first_move_number
    cdef bint first_side
    cdef uint64_t edits        # how often the position was edited
    cdef uint64_t playable     # that number when it was last found to have no obstacle

    def __cinit__(self, *args, **kwargs):
        self.capacity = 64
        self.states = <State*>need(malloc(self.capacity * sizeof(State)), "a board")
        clear_position(&self.pos, self.states)
        self.first_move_number = 1
        self.edits = 1

    def __dealloc__(self):
        free(self.states)

    def __init__(self, fen=STARTING_FEN, *, validate=True):
        if fen is not None:
            self.set_fen(fen, validate=validate)

    cdef int reserve(self, Py_ssize_t wanted) except -1:
        """Make room for that many states."""
        cdef State* bigger
        if wanted <= self.capacity:
            return 0
        wanted = max(wanted, 2 * self.capacity)
        bigger = <State*>need(realloc(self.states, wanted * sizeof(State)), "the moves of a board")
        self.states = bigger
        self.capacity = wanted
        self.pos.st = bigger + self.pos.ply
        return 0

    cdef tuple find_obstacle(self):
        """The first of the defects with which no game is possible, or None; nothing has changed since then."""
        cdef Position pos
        cdef uint64_t edits
        cdef tuple found
        while self.playable != self.edits:
            edits = self.edits
            pos = self.pos
            found = find_obstacle(&pos)      # in Python's words: other threads may run, and edit the board
            if found is not None:
                return found
            self.playable = edits
        return None

    cdef int need_playable(self) except -1:
        cdef tuple found = self.find_obstacle()
        if found is not None:
            raise ValueError(Message("the position cannot be played: {}", found[1]))
        return 0

    cdef int need_no_moves(self, str name, str advice) except -1:
        """Refuse an edit that the moves played would contradict."""
        if self.pos.ply > 0:
            raise ValueError(f"{name} cannot be changed after a move: {advice}copy(stack=False) forgets the moves")
        return 0

    cdef object start_editing(self):
        """Forget the moves: the current position becomes the first one."""
        cdef int number = self.move_number()
        self.states[0] = self.pos.st[0]
        self.states[0].move = NO_MOVE
        self.states[0].moved = self.states[0].captured = EMPTY
        self.states[0].plies_from_null = 0
        self.pos.st = self.states
        self.pos.ply = 0
        self.first_move_number = number
        self.first_side = self.pos.side
        self.edits += 1

    cdef object end_editing(self):
        update_checks(&self.pos)

    cdef int move_number(self):
        return self.first_move_number + (self.pos.ply + (self.first_side == BLACK)) // 2

    # Text

    def set_fen(self, fen, *, validate=True, forgiving=True):
        """Set the position from FEN and forget all moves; FenError names what is wrong.

        With validate it must be playable: one king each, in its palace, at most 16 pieces a side, and the side
        to move cannot capture the king. defects() lists pieces that stand where no game can
        bring them. Without validate any well-formed text will do.
        forgiving: read it as programs write it. The side to move may be missing: it is Red's turn, unless only
        Black's can be. E, H and G are bishop, knight and advisor, r is Red's turn, empty brackets [] behind the
        board and underscores for blanks are left out. What follows the side may be anything; the counters count
        if there are two numbers. Without forgiving only the six fields are read, the last two or four of which
        may be missing.
        """
        cdef Position pos
        cdef State first
        cdef int number = parse_fen(&pos, &first, plain_text("a FEN", fen), validate, forgiving, [])
        self.states[0] = first
        self.pos = pos
        self.pos.st = self.states
        self.first_move_number = number
        self.first_side = pos.side
        self.edits += 1
        if validate:
            self.playable = self.edits

    def fen(self):
        """All six fields."""
        return fen_text(&self.pos, self.move_number())

    def board_fen(self):
        """The first field of the FEN: the pieces."""
        return board_text(&self.pos)

    # Facts

    @property
    def turn(self):
        """The side to move: RED (True) or BLACK (False). The other side is set before the first move only."""
        return self.pos.side == RED

    @turn.setter
    def turn(self, color):
        if self.pos.side == side_from_color(color):
            return
        self.need_no_moves("turn", "push(Move.null()) lets the other side move, ")
        self.start_editing()
        self.pos.side ^= 1
        self.pos.st.key ^= ZOBRIST_SIDE
        self.first_side = self.pos.side
        self.end_editing()

    @property
    def key(self):
        """Zobrist key of pieces and side to move: 64 bits, the same on every machine."""
        return self.pos.st.key

    @property
    def fullmove_number(self):
        """Number of the move pair, from 1; grows after Black's move. It may be set: moves before count down from it."""
        return self.move_number()

    @fullmove_number.setter
    def fullmove_number(self, number):
        cdef int first = self.first_move_number + as_counter("fullmove_number", number, 1) - self.move_number()
        if first < 1:
            raise ValueError(f"fullmove_number must be at least {self.move_number() - self.first_move_number + 1} "
                             f"after {self.pos.ply} plies, not {number}")
        self.first_move_number = first

    @property
    def halfmove_clock(self):
        """Plies since the last capture, as the FEN has them; may be set before the first move.

        `no_capture_plies` leaves out what does not count towards the draw.
        """
        return self.pos.st.halfmove_clock

    @halfmove_clock.setter
    def halfmove_clock(self, plies):
        cdef int count = as_counter("halfmove_clock", plies, 0)
        if count != self.pos.st.halfmove_clock:
            self.need_no_moves("halfmove_clock", "")
            self.pos.st.halfmove_clock = self.pos.st.rule60 = count
            self.pos.st.checks_given[RED] = self.pos.st.checks_given[BLACK] = 0

    def no_capture_plies(self, counted_checks=10):
        """Plies since the last capture as the no-capture limit counts them; `halfmove_clock` counts them all.

        Checks of a side beyond that many since the capture, and the answers to them, do not count; None: all
        do. Plies before the first position are taken from its FEN as they are.
        """
        cdef int[2] given
        cdef int us, count, limit = 1 << 30
        cdef const State* st = self.pos.st
        if counted_checks is not None:
            limit = within("counted_checks", counted_checks, 0, MAX_COUNTER)
        if limit == MAX_COUNTED_CHECKS:
            return st.rule60
        while st > self.states and st.captured == EMPTY:
            st -= 1
        count = st.rule60
        given[RED], given[BLACK] = st.checks_given[RED], st.checks_given[BLACK]
        us = self.pos.side ^ ((self.pos.st - st) & 1)       # the side to move at st
        while st < self.pos.st:
            st += 1
            if set_any(st.checkers):
                given[us] += 1
            count += (st.move != NO_MOVE and not (set_any(st.checkers) and given[us] > limit)
                      and not (set_any((st - 1).checkers) and given[us ^ 1] > limit))
            us ^= 1
        return count

    def is_repetition(self, count=3):
        """Has the position stood so often or more, counting this time?"""
        cdef const State* st = self.pos.st
        cdef int back, seen = 1
        for back in range(2, min(st.plies_from_null, self.pos.ply) + 1, 2):
            seen += (st - back).key == st.key
        return seen >= within("count", count, 1, MAX_COUNTER)

    @property
    def ply(self):
        """Plies played on this board since its first position."""
        return self.pos.ply

    def defects(self):
        """What is wrong with the position, in words: (flag of `Board.status`, text) of every rule that it breaks.

        Those with which no game is possible come first; empty for a valid position.
        """
        cdef list found = find_defects(&self.pos)
        return [(flag, text) for first in (True, False) for flag, text, _ in found if bool(flag & OBSTACLES) == first]

    def is_playable(self):
        """Can moves be generated, played and searched?

        That needs one king each, in its palace, at most 16 pieces a side, and a side to move that cannot
        capture the other's king. An advisor moves where it ends in its palace, a bishop where it ends on its
        side of the river.

        >>> from eleengine import Board
        >>> board = Board("3k2p2/4P4/9/9/9/2B1cnN2/9/7CR/4p4/2Cp1K3 w")
        >>> board.is_valid(), board.is_playable(), board.legal_moves.count()
        (False, True, 40)
        >>> board.status()
        <Status.PAWN_PLACE: 32>
        """
        return self.find_obstacle() is None

    def _need_playable(self):
        """ValueError names the first defect with which no game is possible."""
        self.need_playable()

    def _defect_words(self):
        """What UCCI calls the defects."""
        return [word for _, _, word in find_defects(&self.pos)]

    def piece_at(self, square):
        """The Piece on the square, or None."""
        return wrap_piece(self.pos.board[check_square(square)])

    def piece_type_at(self, square):
        """1 (KING) .. 7 (PAWN), or None."""
        return type_of(self.pos.board[check_square(square)]) or None

    def color_at(self, square):
        """RED, BLACK, or None for an empty square."""
        cdef int piece = self.pos.board[check_square(square)]
        return None if piece == EMPTY else side_of(piece) == RED

    def king(self, color):
        """The king's square, or None without a king."""
        cdef int s = self.pos.king[side_from_color(color)]
        return None if s == NO_SQUARE else s

    def pieces_mask(self, piece_type, color):
        """Squares of the pieces, bit s for square s."""
        cdef int kind = check_piece_type(piece_type), side = side_from_color(color)
        return set_to_int(pieces(&self.pos, side, kind))

    def occupied_mask(self, color=None):
        """Occupied squares, of one color or of both."""
        if color is None:
            return set_to_int(occupied(&self.pos))
        return set_to_int(self.pos.by_side[side_from_color(color)])

    def attacks_mask(self, square):
        """Squares that the piece on the square could capture on, friends included; 0 without a piece."""
        cdef int s = check_square(square), piece = self.pos.board[s]
        return 0 if piece == EMPTY else set_to_int(attacks_from(&self.pos, piece, s))

    def attackers_mask(self, color, square):
        """Pieces of the color that could capture on the square; facing kings do not count."""
        cdef int s = check_square(square)
        return set_to_int(attackers_to(&self.pos, s, occupied(&self.pos)) & self.pos.by_side[side_from_color(color)])

    def checkers_mask(self):
        """Pieces that give check to the side to move."""
        return set_to_int(self.pos.st.checkers)

    def blockers_mask(self):
        """Pieces of either color whose departure may uncover a check to the side to move."""
        return set_to_int(self.pos.st.blockers)

    # Editing

    def clear_stack(self):
        """Forget the moves that were played: the position stays, and becomes the first one."""
        self.start_editing()
        self.end_editing()

    def clear(self):
        """Take every piece off; Red to move, no moves played."""
        clear_position(&self.pos, self.states)
        self.first_move_number = 1
        self.first_side = RED
        self.edits += 1

    def set_piece_at(self, square, piece):
        """Put a Piece on the square, or None to clear it; the moves played are forgotten."""
        cdef int s = check_square(square)
        if piece is not None and not isinstance(piece, Piece):
            raise TypeError(f"expected a Piece or None, not {type(piece).__name__}")
        self.start_editing()
        if self.pos.board[s] != EMPTY:
            remove_piece(&self.pos, s)
        if piece is not None:
            put_piece(&self.pos, (<Piece>piece).code, s)
        self.end_editing()

    def remove_piece_at(self, square):
        """Take the piece off the square and return it (None if there was none)."""
        piece = self.piece_at(square)
        self.set_piece_at(square, None)
        return piece

    # Moves

    @property
    def legal_moves(self):
        """A view of the legal moves: iterate it, count() it, test membership."""
        return MoveView.__new__(MoveView, self, True)

    @property
    def pseudo_legal_moves(self):
        """The same without regard to the own king's safety."""
        return MoveView.__new__(MoveView, self, False)

    @property
    def move_stack(self):
        """The moves played on this board, oldest first (a new list)."""
        cdef int i
        return [wrap_move(self.states[i].move) for i in range(1, self.pos.ply + 1)]

    def is_pseudo_legal(self, move):
        """Could the piece move so, its king's safety aside?"""
        self.need_playable()
        return is_pseudo_legal(&self.pos, as_move(move).code)

    def is_legal(self, move):
        """May the side to move play the move? The null move is none of these."""
        cdef move_t m = as_move(move).code
        self.need_playable()
        return is_pseudo_legal(&self.pos, m) and is_legal(&self.pos, m)

    def is_capture(self, move):
        """Does an enemy piece stand on the destination?"""
        cdef int dst = dst_of(as_move(move).code)
        return dst < SQUARES and self.pos.board[dst] != EMPTY and side_of(self.pos.board[dst]) != self.pos.side

    def gives_check(self, move):
        """Will the legal move attack the enemy king? IllegalMoveError if it is not legal."""
        cdef move_t m = as_move(move).code
        self.need_legal(m)
        return gives_check(&self.pos, m)

    def see(self, move):
        """Static exchange evaluation: centipawns won on the destination of the legal move.

        Both sides go on capturing there with their least valuable piece, or stop.
        IllegalMoveError if the move is not legal.
        """
        cdef move_t m = as_move(move).code
        self.need_legal(m)
        return see(&self.pos, m)

    def see_ge(self, move, threshold):
        """Is see(move) at least threshold? Faster than see."""
        cdef move_t m = as_move(move).code
        cdef int bound = max(-100_000, min(100_000, threshold))
        self.need_legal(m)
        return see_ge(&self.pos, m, bound)

    cdef int need_legal(self, move_t m) except -1:
        self.need_playable()
        if not (is_pseudo_legal(&self.pos, m) and is_legal(&self.pos, m)):
            raise IllegalMoveError(Message("illegal move {} in {}", move_text(m), self.fen()))
        return 0

    def push(self, move):
        """Play a legal move, or pass with the null move (not in check); IllegalMoveError otherwise."""
        cdef move_t m = as_move(move).code
        self.need_playable()
        if m == NO_MOVE:
            if set_any(self.pos.st.checkers):
                raise IllegalMoveError(Message("cannot pass while in check in {}", self.fen()))
            self.reserve(self.pos.ply + 2)
            do_null(&self.pos)
            return
        if not (is_pseudo_legal(&self.pos, m) and is_legal(&self.pos, m)):
            raise IllegalMoveError(Message("illegal move {} in {}", move_text(m), self.fen()))
        self.reserve(self.pos.ply + 2)
        do_move(&self.pos, m)

    def pop(self):
        """Take back the last move and return it; IndexError if there is none."""
        cdef move_t m
        if self.pos.ply == 0:
            raise IndexError("pop from a board without moves")
        m = self.pos.st.move
        if m == NO_MOVE:
            undo_null(&self.pos)
        else:
            undo_move(&self.pos)
        return wrap_move(m)

    def peek(self):
        """The last move; IndexError if there is none."""
        if self.pos.ply == 0:
            raise IndexError("peek at a board without moves")
        return wrap_move(self.pos.st.move)

    def is_check(self):
        """Is the side to move in check (facing kings included)?"""
        return set_any(self.pos.st.checkers)

    def is_checkmate(self):
        """In check without a legal move: lost."""
        self.need_playable()
        return set_any(self.pos.st.checkers) and not has_legal_move(&self.pos)

    def is_stalemate(self):
        """Not in check and without a legal move: lost as well."""
        self.need_playable()
        return not set_any(self.pos.st.checkers) and not has_legal_move(&self.pos)

    # Rules

    def is_insufficient_material(self, rule_set=0):
        """Is too little left to win? rule_set: its index in rules.RULE_SETS.

        Only kings, advisors and bishops; under the rule set computer also cannons that can hardly mate.
        """
        cdef int rules = check_rule_set(rule_set)
        return is_drawn_by_material(&self.pos, rules)

    def _judge_repetition(self, rule_set, occurrences):
        """What rules.judge asks of the core: None before that many occurrences of the position (2 or more).

        Else the plies of the window, the result (1 draw, 2 red loses, 3 black loses), the grades of
        red and black, and for each move of the window whether it checks, its chases as triples of
        attacker, victim (squares after the move) and whether the chase is direct, and whether it
        makes a threat by checks (cxa only).
        """
        cdef int rules = check_rule_set(rule_set), times = within("occurrences", occurrences, 2, 1000)
        self.need_playable()
        return explain_repetition(&self.pos, rules, times)

    def _search_verdict(self, ply, *, rule_set=AXF, limit=NO_CAPTURE_LIMIT):
        """The verdict of the rules that the search sees at a node `ply` plies below its root.

        0 nothing, 1 a draw, 2 a loss or 3 a win for the side to move; 4 more if its loser may
        still leave the loop; 8 more for a draw that other rule sets call a loss of the other side.
        """
        cdef int below = ply, rules = check_rule_set(rule_set), plies = limit
        self.need_playable()
        return search_verdict(&self.pos, below, rules, plies)

    def _checking_moves(self):
        """The legal moves that give check, as the search finds them."""
        cdef SquareBits checkers, blockers
        cdef move_t moves[MAX_MOVES]
        cdef bint hollow
        cdef int i, n
        self.need_playable()
        hollow = find_checks(&self.pos, self.pos.side ^ 1, &checkers, &blockers)
        n = gen_checks(&self.pos, blockers, hollow, ~self.pos.by_side[self.pos.side] & ~self.pos.by_type[KING], moves)
        return [wrap_move(moves[i]) for i in range(n) if is_legal(&self.pos, moves[i])]

    def _is_threatened(self):
        """Has the king of the side to move no flight, and would the opponent mate at once after a pass?"""
        self.need_playable()
        self.reserve(self.pos.ply + 3)
        return bool(not set_any(self.pos.st.checkers) and no_flight(&self.pos) and can_mate_after_pass(&self.pos))

    # Perft

    def divide(self, depth, *, threads=1, progress=None):
        """Leaves of the legal game tree of depth plies (1..60) below each legal move.

        threads: 1..1024. progress: called now and then with (jobs done, jobs) and the leaves so far.
        """
        cdef int plies = within("depth", depth, 1, MAX_PERFT_DEPTH), n_threads = within("threads", threads, 1, 1024)
        self.need_playable()
        return count_leaves(&self.pos, plies, n_threads, progress)

    def perft(self, depth, *, threads=1, progress=None):
        """Leaves of the legal game tree of depth plies (0..60); arguments as for divide."""
        if within("depth", depth, 0, MAX_PERFT_DEPTH) == 0:
            self.need_playable()
            return 1
        return sum(self.divide(depth, threads=threads, progress=progress).values())

    # Copies and comparison

    def copy(self, *, stack=True):
        """A copy with all moves played (stack=True), none (False), or the last n (an int).

        Of the same class, with the attributes that a subclass has added; its __init__ is not called.
        """
        cdef BaseBoard other = type(self).__new__(type(self))
        state = added_to(self)
        if state is not None:
            give_state(other, state)
        if stack is not True:
            stack = int(stack)
        self.copy_into(other, self.pos.ply if stack is True else max(0, min(self.pos.ply, stack)))
        return other

    cdef int copy_into(self, BaseBoard other, int keep) except -1:
        """Make other a copy with the last moves."""
        cdef int i = self.pos.ply - keep
        other.reserve(keep + 1)
        memcpy(other.states, self.states + i, (keep + 1) * sizeof(State))
        other.pos = self.pos
        other.pos.ply = keep
        other.pos.st = other.states + keep
        other.first_side = self.first_side ^ (i & 1)
        other.first_move_number = self.first_move_number + (i + (self.first_side == BLACK)) // 2
        other.edits = self.edits
        other.playable = self.playable
        if keep == 0:
            other.states[0].move = NO_MOVE
            other.states[0].moved = other.states[0].captured = EMPTY
            other.states[0].plies_from_null = 0
        return 0

    cdef BaseBoard frozen(self):
        """A copy for work without the GIL, during which anyone may change the board; ValueError as need_playable."""
        cdef BaseBoard other = BaseBoard.__new__(BaseBoard)
        self.copy_into(other, self.pos.ply)
        other.need_playable()
        return other

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        other = BaseBoard.copy(self)
        state = added_to(self)
        if state is not None:
            from copy import deepcopy

            memo[id(self)] = other
            give_state(other, deepcopy(state, memo))
        return other

    def __eq__(self, other):
        """Same pieces, side to move and counters; the moves that led there do not matter."""
        cdef BaseBoard b
        if not isinstance(other, BaseBoard):
            return NotImplemented
        b = <BaseBoard>other
        return (self.pos.side == b.pos.side and memcmp(self.pos.board, b.pos.board, SQUARES) == 0
                and self.pos.st.halfmove_clock == b.pos.st.halfmove_clock and self.move_number() == b.move_number())

    __hash__ = None

    def root(self):
        """A copy of the first position, before the moves played on this board."""
        cdef BaseBoard other = BaseBoard.copy(self)
        while other.pos.ply > 0:
            BaseBoard.pop(other)
        return other

    def __reduce__(self):
        cdef const State* st = self.states
        # A copy of part of a game starts with counters that its FEN does not hold.
        counters = st.rule60, st.checks_given[RED], st.checks_given[BLACK]
        return (_rebuild_board, (type(self), BaseBoard.root(self).fen(), [str(m) for m in self.move_stack], counters),
                added_to(self))


cdef object added_to(BaseBoard board):
    """The attributes that a subclass has added, in __dict__ and in __slots__, as pickles have them; None for none."""
    return None if type(board) is BaseBoard else object.__getstate__(board)


cdef int as_counter(str name, object value, int minimum) except -1:
    if not minimum <= value <= MAX_COUNTER or value != int(value):
        raise ValueError(f"{name} must be a whole number from {minimum} to {MAX_COUNTER}, not {value!r}")
    return int(value)


def _rebuild_board(cls, fen, moves, counters):
    """Unpickle a board from its first position, its moves and the counters of its first state."""
    cdef BaseBoard board = cls.__new__(cls)
    board.set_fen(fen, validate=False)
    board.pos.st.rule60, board.pos.st.checks_given[RED], board.pos.st.checks_given[BLACK] = counters
    for text in moves:
        BaseBoard.push(board, Move.from_iccs(text))
    return board


def fen_notes(fen):
    """What `BaseBoard.set_fen` guesses in a FEN or leaves out of it: (text, what UCCI calls it or ""). FenError."""
    cdef Position pos
    cdef State first
    cdef list notes = []
    parse_fen(&pos, &first, plain_text("a FEN", fen), False, True, notes)
    return notes


cpdef BaseBoard as_board(object board):
    """The board; TypeError for anything else, such as its text."""
    if not isinstance(board, BaseBoard):
        raise TypeError(f"a position is a Board, not {type(board).__name__}: Board(fen) makes one of text")
    return <BaseBoard>board
