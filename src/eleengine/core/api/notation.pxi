# api/notation.pxi - runs of plain moves in a text, for readers of whole files.
#
# Uses: api/board.
# Plain are h2e2, H2-E2, C2.5, C+.5, 炮二平五 and 前炮平五, with or without a move number before them. notation.py reads
# these and all other forms, and says what is wrong with a text: here anything else, and whatever is not the text of
# exactly one legal move, only ends the run.

cdef struct Symbol:              # what a character means in the text of a move; 0 for nothing
    uint8_t kind                 # of piece
    uint8_t digit                # 1 to 9
    uint8_t direction            # 1 backwards, 2 sideways, 3 forwards
    uint8_t place                # 1 rear, 2 middle, 3 front

cdef Symbol SYMBOLS[1 << 16]
cdef enum:
    LONGEST_WORD = 5


def define_symbols(dict kinds not None, dict digits not None, dict directions not None, dict places not None):
    """Take over what characters mean, of which notation.py has the tables: piece types, 1 to 9, -1 to 1, -1 to 1."""
    for char, kind in kinds.items():
        symbol_of(char).kind = <uint8_t>check_piece_type(kind)
    for char, digit in digits.items():
        symbol_of(char).digit = <uint8_t>within("a digit", digit, 1, 9)
    for char, direction in directions.items():
        symbol_of(char).direction = <uint8_t>(within("a direction", direction, -1, 1) + 2)
    for char, place in places.items():
        symbol_of(char).place = <uint8_t>(within("a place", place, -1, 1) + 2)


cdef Symbol* symbol_of(object char) except NULL:
    return &SYMBOLS[within("a character", ord(char), 0, 0xFFFF)]


cdef inline Symbol symbol(int char) noexcept nogil:
    cdef Symbol nothing
    if char < 1 << 16:
        return SYMBOLS[char]
    memset(&nothing, 0, sizeof(Symbol))
    return nothing


cdef inline int square_of(const int* word, int first_file, int first_rank) noexcept nogil:
    """The square of a letter, from that of the first file on, and a digit; -1 if it is none."""
    cdef int file = word[0] - first_file, rank = word[1] - c"0"
    return 9 * (rank - first_rank) + file if 0 <= file < 9 and first_rank <= rank <= 9 else -1


cdef move_t move_of_squares(const int* word, int n, int first_rank) noexcept nogil:
    """The move of two squares in small or in capital letters, or NO_MOVE."""
    cdef int first_file = c"a" if word[0] >= c"a" else c"A"
    cdef int src = square_of(word, first_file, first_rank), dst = square_of(word + n - 2, first_file, first_rank)
    if src < 0 or dst < 0 or src == dst or (n == 5 and word[2] != c"-"):
        return NO_MOVE
    return make_move(src, dst)


cdef move_t move_from(const Position* pos, int src, int kind, int direction, int number) noexcept nogil:
    """The legal move of a piece by its direction, 1 to 3, and the number behind it, or NO_MOVE."""
    cdef int file = file_of(src), rank = rank_of(src), files
    cdef int forwards = direction - 2 if pos.side == RED else 2 - direction
    cdef move_t m
    if forwards and kind in (KING, ROOK, CANNON, PAWN):
        rank += forwards * number
    else:
        files = file
        file = 9 - number if pos.side == RED else number - 1
        files = files - file if files > file else file - files
        if kind == KNIGHT and 1 <= files <= 2:
            rank += forwards * (3 - files)
        elif (kind == ADVISOR and files == 1) or (kind == BISHOP and files == 2):
            rank += forwards * files
    if not 0 <= rank <= 9 or 9 * rank + file == src:
        return NO_MOVE
    m = make_move(src, 9 * rank + file)
    return m if is_pseudo_legal(pos, m) and is_legal(pos, m) else NO_MOVE


cdef move_t move_of_pieces(const Position* pos, int kind, int only_file, int place, bint middle, int direction,
                           int number) noexcept nogil:
    """The one legal move that pieces of a kind can make so, or NO_MOVE.

    only_file: as the mover counts, 1 to 9, or 0 for the piece at a place, 1 rear or 3 front, of each file with two or
    three. middle: does the file alone name the middle one of three?
    """
    cdef int[16] on_file
    cdef int f, file, rank, n
    cdef move_t m, found = NO_MOVE
    for f in range(only_file or 1, (only_file or 9) + 1):
        file = 9 - f if pos.side == RED else f - 1
        n = 0
        for rank in range(10):
            if pos.board[9 * rank + file] == (kind | pos.side << 3):
                on_file[n] = 9 * rank + file
                n += 1
        if only_file:
            if n > 2 and middle:
                return NO_MOVE
        elif n > 3:
            return NO_MOVE
        elif n < 2:
            continue
        else:                    # only the last one in the direction of the place
            if (place == 3) == (pos.side == RED):
                on_file[0] = on_file[n - 1]
            n = 1
        for rank in range(n):
            m = move_from(pos, on_file[rank], kind, direction, number)
            if m != NO_MOVE and found != NO_MOVE:
                return NO_MOVE
            found = m if m != NO_MOVE else found
    return found


cdef move_t plain_move(const Position* pos, const int* word, int n, int first_rank) noexcept nogil:
    """The one legal move of a word of four or five characters, or NO_MOVE."""
    cdef Symbol first = symbol(word[0]), second = symbol(word[1]), third = symbol(word[2]), last = symbol(word[3])
    cdef move_t m
    if n == 5 or not third.direction:
        m = move_of_squares(word, n, first_rank)
        return m if m != NO_MOVE and is_pseudo_legal(pos, m) and is_legal(pos, m) else NO_MOVE
    if not last.digit:
        return NO_MOVE
    if (word[0] | word[1] | word[2] | word[3]) < 128:
        if first.kind and (second.digit or second.direction in (1, 3)):
            return move_of_pieces(pos, first.kind, second.digit, second.direction,
                                  first.kind not in (ADVISOR, BISHOP), third.direction, last.digit)
    elif word[0] >= 128 and word[2] >= 128:
        if first.kind and second.digit:
            return move_of_pieces(pos, first.kind, second.digit, 0, False, third.direction, last.digit)
        if first.place in (1, 3) and second.kind and word[1] >= 128:
            return move_of_pieces(pos, second.kind, 0, first.place, False, third.direction, last.digit)
    return NO_MOVE


def read_plain_moves(BaseBoard board not None, str text not None, Py_ssize_t start, *, Py_ssize_t most,
                     int first_number, str not_red not None, str not_black not None, int first_rank=0):
    """Play the plain moves that follow one another in a text; return them, where they end, and if some are squares.

    start: where to begin. most: moves at most. first_number: that of the first move less the board's; numbers below the
    one that is expected end the run. not_red, not_black: characters that a move of that side has not in this text.
    first_rank: the number of Red's back rank, 0 or 1. The bool says whether there is a move that is written as squares
    and could be one with ranks from 1.
    """
    cdef int[LONGEST_WORD] word
    cdef Py_ssize_t end = max(start, 0), at, digits, size = len(text)
    cdef bint squares = False
    cdef int n, number
    cdef move_t m
    cdef str foreign
    cdef list moves = []
    check_first_rank(first_rank)
    board.need_playable()
    while len(moves) < most:
        at = skip_space(text, end, size)
        # Step 1. A number: up to three digits and dots, then a space or the move.
        digits, number = at, 0
        while at < size and at < digits + 3 and c"0" <= <int>text[at] <= c"9":
            number = 10 * number + <int>text[at] - c"0"
            at += 1
        if at > digits:
            digits = at
            while at < size and at < digits + 3 and text[at] == u".":
                at += 1
            if at == digits or number - first_number < board.move_number():
                break
            at = skip_space(text, at, size)
        # Step 2. A word of four or five characters.
        n = 0
        while at + n < size and not is_separator(text[at + n]):
            if n == LONGEST_WORD:
                n = 0
                break
            word[n] = <int>text[at + n]
            n += 1
        if n < 4:
            break
        # Step 3. The move.
        m = plain_move(&board.pos, word, n, first_rank)
        if m == NO_MOVE:
            break
        foreign = not_red if board.pos.side == RED else not_black
        if symbol(word[2]).direction == 0 or n == 5:
            squares = squares or word[n - 1] != c"0"
        elif text[at] in foreign or (word[0] >= 128 and (text[at + 1] in foreign or text[at + 3] in foreign)):
            break
        board.reserve(board.pos.ply + 2)
        do_move(&board.pos, m)
        moves.append(wrap_move(m))
        end = at + n
    return moves, end, squares


cdef inline Py_ssize_t skip_space(str text, Py_ssize_t at, Py_ssize_t size):
    while at < size and Py_UNICODE_ISSPACE(text[at]):
        at += 1
    return at


cdef inline bint is_separator(Py_UCS4 char):
    return Py_UNICODE_ISSPACE(char) or char in u"{}();（）"
