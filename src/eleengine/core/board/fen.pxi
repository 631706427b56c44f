# board/fen.pxi - text to Position and back.
#
# Uses: board/validity.

FEN_LETTERS = ".KABNRCP.kabnrcp"
_PIECE_OF_LETTER = {letter: code for code, letter in enumerate(FEN_LETTERS) if letter != "."}
# Other letters in use for elephants (ministers), horses and soldiers. G is a guard to some and a
# general to others: it is refused.
_PIECE_OF_LETTER.update({
    "E": BISHOP, "M": BISHOP, "H": KNIGHT, "S": PAWN,
    "e": BISHOP | 8, "m": BISHOP | 8, "h": KNIGHT | 8, "s": PAWN | 8,
})
MAX_COUNTER = 100_000

cdef int shown(str text, int limit=40):
    """How much of a bad text an error message may repeat."""
    return min(len(text), limit)


cdef int set_board_text(Position* pos, str text) except -1:
    """Put the pieces of a FEN's first field on the empty board; ValueError names the defect."""
    cdef int rank, file, i
    cdef str c
    cdef list rows = text.split("/")
    if len(rows) != 10:
        raise ValueError(f"the board needs 10 ranks separated by '/', not {len(rows)}")
    for i in range(10):
        rank = 9 - i
        file = 0
        for c in rows[i]:
            if "1" <= c <= "9":
                file += int(c)
            elif c == "0":
                raise ValueError(f"rank {rank} has a digit 0")
            elif c in _PIECE_OF_LETTER:
                if file < 9:
                    put_piece(pos, _PIECE_OF_LETTER[c], 9 * rank + file)
                file += 1
            else:
                raise ValueError(f"rank {rank} has an unknown letter {ascii(c)}")
        if file != 9:
            raise ValueError(f"rank {rank} has {file} points instead of 9")
    return 0


cdef int parse_counter(str text, str what) except -1:
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"the {what} must be a whole number, not {ascii(text[:shown(text)])}")
    if len(text) > 6 or int(text) > MAX_COUNTER:
        raise ValueError(f"the {what} must be at most {MAX_COUNTER}")
    return int(text)


cdef int parse_fen(Position* pos, State* st, str fen, bint validate) except -1:
    """Set pos up from FEN, its history starting at st; return the move number.

    ValueError names the defect. Without validate only the text itself must be well formed.
    """
    cdef list fields = fen.split()
    cdef int move_number = 1
    clear_position(pos, st)
    try:
        if len(fields) < 2:
            raise ValueError("it needs at least a board and a side to move")
        if len(fields) > 6:
            raise ValueError(f"it has {len(fields)} fields, at most 6 are possible")
        set_board_text(pos, fields[0])
        if fields[1] in ("b", "B"):
            pos.side = BLACK
            st.key ^= ZOBRIST_SIDE
        elif fields[1] not in ("w", "W", "r", "R"):
            raise ValueError(f"the side to move must be 'w' (or 'r') or 'b', not {ascii(fields[1][:40])}")
        for i in range(2, min(len(fields), 4)):
            if fields[i] != "-":
                raise ValueError(f"field {i + 1} must be '-', not {ascii(fields[i][:40])}")
        if len(fields) > 4:
            st.clock = parse_counter(fields[4], "number of plies since the last capture")
        if len(fields) > 5:
            move_number = max(1, parse_counter(fields[5], "move number"))
        st.quiet_count = st.clock
        update_checks(pos)
        if validate:
            for _, text in find_defects(pos):
                raise ValueError(text)
    except ValueError as error:
        raise ValueError(f"invalid FEN {ascii(fen[:100])}: {error}") from None
    return move_number


cdef str board_text(const Position* pos):
    """The first field of the FEN."""
    cdef list rows = []
    cdef str row
    cdef int rank, file, run, piece
    for rank in range(9, -1, -1):
        row = ""
        run = 0
        for file in range(9):
            piece = pos.board[9 * rank + file]
            if piece == EMPTY:
                run += 1
                continue
            if run:
                row += str(run)
                run = 0
            row += FEN_LETTERS[piece]
        if run:
            row += str(run)
        rows.append(row)
    return "/".join(rows)


cdef str fen_text(const Position* pos, int move_number):
    return f"{board_text(pos)} {'wb'[pos.side]} - - {pos.st.clock} {move_number}"
