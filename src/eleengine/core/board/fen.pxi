# board/fen.pxi - text to Position and back.
#
# Uses: board/validity.

_PIECE_OF_LETTER = {letter: code for code, letter in enumerate(FEN_LETTERS) if letter != "."}
# Other letters in use for elephants (ministers), horses and soldiers. G is a guard to some and a
# general to others: it is refused.
_PIECE_OF_LETTER.update({
    "E": BISHOP, "M": BISHOP, "H": KNIGHT, "S": PAWN,
    "e": BISHOP | 8, "m": BISHOP | 8, "h": KNIGHT | 8, "s": PAWN | 8,
})
MAX_COUNTER = 100_000


class FenError(ValueError):
    """A text that is no FEN, or one of a position that cannot be played.

    word: what UCCI calls the defect, with {} for text of the FEN; echo: that text, or empty.
    """
    __module__ = "eleengine"


cdef object fen_error(object message, str word="", str echo=""):
    error = FenError(message)
    error.word = word
    error.echo = echo
    return error


_SIDES = {"white": "w", "red": "w", "红": "w", "紅": "w", "black": "b", "黑": "b"}
_GUARDS = str.maketrans("Gg", "Aa")      # some programs write G for the advisor


cdef int set_board_text(Position* pos, str text) except -1:
    """Put the pieces of a FEN's first field on the empty board; ValueError names the defect."""
    cdef int rank, file, i
    cdef str c
    cdef list rows = text.split("/")
    if len(rows) != 10:
        raise fen_error(Message("the board needs 10 ranks separated by '/', not {}", len(rows)), "ranks")
    for i in range(10):
        rank = 9 - i
        file = 0
        for c in rows[i]:
            if "1" <= c <= "9":
                file += int(c)
            elif c == "0":
                raise fen_error(Message("rank {} has a digit 0", rank), f"rank {rank} width")
            elif c in _PIECE_OF_LETTER:
                if file < 9:
                    put_piece(pos, _PIECE_OF_LETTER[c], 9 * rank + file)
                file += 1
            else:
                raise fen_error(Message("rank {} has an unknown letter {!a}", rank, c), "letter {}", c)
        if file != 9:
            raise fen_error(Message("rank {} has {} points instead of 9", rank, file), f"rank {rank} width")
    return 0


cdef bint is_counter(str text):
    return text.isascii() and text.isdigit()


cdef int parse_counter(str text, str what) except -1:
    if not is_counter(text):
        raise fen_error(Message("the {} must be a whole number, not {!a}", what, text[:40]))
    if len(text) > 6 or int(text) > MAX_COUNTER:
        raise fen_error(Message("the {} must be at most {}", what, MAX_COUNTER))
    return int(text)


cdef list forgiven_fields(const Position* pos, list fields, list notes):
    """All six fields of a FEN as programs write it; the pieces are on the board.

    Without a side it is Red's turn, unless only Black's can be. What follows may be anything: the counters count if
    there are two numbers, as in "w - - 0 1", "w 0 1" and "w--0 1". notes: gets what is guessed or left out, as
    (text, what UCCI calls it, or empty for what no GUI need hear).
    """
    cdef str side, counter, word
    cdef int king = pos.king[BLACK]
    cdef list rest = [word for field in fields[1:] for word in field.replace("--", " - ").split()]
    if rest and rest[0] != "-" and not is_counter(rest[0]):
        side = rest.pop(0)
        side = _SIDES.get(side.lower(), side)
    elif king != NO_SQUARE and king_attacked(pos, king, RED, occupied(pos), pos.by_side[RED]):
        side = "b"
        notes.append(("the side to move is missing; it is Black's turn, for Black is in check", "side missing"))
    else:
        side = "w"
        notes.append(("the side to move is missing; it is taken to be Red's turn", "side missing"))
    counters = [word for word in rest if is_counter(word)]
    if len(counters) != 2:
        counters = ["0", "1"]
        ignored = [word for word in rest if word != "-"]
    else:
        ignored = [word for word in rest if word != "-" and not is_counter(word)]
    if ignored:
        notes.append((Message("{!a} behind the side to move is left out", " ".join(ignored)[:40]), ""))
    counters = [counter.lstrip("0") or "0" for counter in counters]
    if any([len(counter) > 6 or int(counter) > MAX_COUNTER for counter in counters]):
        notes.append((Message("a counter above {} is taken for {}", MAX_COUNTER, MAX_COUNTER), ""))
        counters = [counter if len(counter) < 6 else str(MAX_COUNTER) for counter in counters]
    return [fields[0], side, "-", "-", *counters]


cdef int parse_fen(Position* pos, State* st, str fen, bint validate, bint forgiving, list notes) except -1:
    """Set pos up from FEN, its history starting at st; return the move number.

    FenError names what is wrong. Without validate only the text itself must be well formed; forgiving, notes: see
    forgiven_fields.
    """
    cdef list fields = (fen.replace("_", " ") if forgiving else fen).split()
    cdef int move_number = 1
    clear_position(pos, st)
    try:
        if len(fields) < (1 if forgiving else 2):
            raise fen_error("it needs at least a board and a side to move")
        if len(fields) > 6 and not forgiving:
            raise fen_error(Message("it has {} fields, at most 6 are possible", len(fields)))
        if forgiving and "moves" in fields:
            raise fen_error("moves do not belong to it")
        set_board_text(pos, fields[0].translate(_GUARDS).removesuffix("[]") if forgiving else fields[0])
        if forgiving:
            fields = forgiven_fields(pos, fields, notes)
        if fields[1] in ("b", "B"):
            pos.side = BLACK
            st.key ^= ZOBRIST_SIDE
        elif fields[1] not in ("w", "W", "r", "R"):
            raise fen_error(Message("the side to move must be 'w' (or 'r') or 'b', not {!a}", fields[1][:40]),
                            "side {}", fields[1])
        for i in range(2, min(len(fields), 4)):
            if fields[i] != "-":
                raise fen_error(Message("field {} must be '-', not {!a}", i + 1, fields[i][:40]))
        if len(fields) > 4:
            st.halfmove_clock = parse_counter(fields[4], "number of plies since the last capture")
        if len(fields) > 5:
            move_number = max(1, parse_counter(fields[5], "move number"))
        st.rule60 = st.halfmove_clock
        update_checks(pos)
        obstacle = find_obstacle(pos) if validate else None
        if obstacle is not None:
            raise fen_error(obstacle[1], obstacle[2])
    except FenError as error:
        raise fen_error(Message("invalid FEN {!a}: {}", fen[:100], error), error.word, error.echo) from None
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
    return f"{board_text(pos)} {'wb'[pos.side]} - - {pos.st.halfmove_clock} {move_number}"
