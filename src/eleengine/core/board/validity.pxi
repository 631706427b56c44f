# board/validity.pxi - what makes a position valid, in words, and what makes it playable.
#
# Uses: board/position.
# Composed positions have pieces where no game brings them, or more of them than a game begins with. They are not
# valid, but they are played and searched like others. The files below trust a position to have no obstacle only:
# each side has one king, in its palace, and no more pieces than tables hold; the side to move cannot capture the king.

_SIDE_NAMES = ("red", "black")
_KIND_NAMES = ("", "king", "advisor", "bishop", "knight", "rook", "cannon", "pawn")
_KIND_LIMITS = (0, 1, 2, 2, 2, 2, 2, 5)
FEN_LETTERS = ".KABNRCP.kabnrcp"

# Bits of Board.status(); board.py names them.
cdef enum:
    DEFECT_NO_KING = 1
    DEFECT_KING_COUNT = 2
    DEFECT_KING_PLACE = 4
    DEFECT_ADVISOR_PLACE = 8
    DEFECT_BISHOP_PLACE = 16
    DEFECT_PAWN_PLACE = 32
    DEFECT_PAWN_FILE = 64
    DEFECT_PIECE_COUNT = 128
    DEFECT_KINGS_FACING = 256
    DEFECT_OPPOSITE_CHECK = 512
    DEFECT_SIDE_COUNT = 1024
    KING_DEFECTS = DEFECT_NO_KING | DEFECT_KING_COUNT | DEFECT_KING_PLACE
    OBSTACLES = KING_DEFECTS | DEFECT_KINGS_FACING | DEFECT_OPPOSITE_CHECK | DEFECT_SIDE_COUNT


cdef str square_text(int s):
    return chr(97 + file_of(s)) + chr(48 + rank_of(s))


cdef list find_defects(const Position* pos):
    """Every rule that the position breaks, as (bit, text, what UCCI calls it); empty for a valid position."""
    cdef list found = []
    cdef int side, kind, s, n
    cdef SquareBits rest
    cdef str who
    for side in range(2):
        who = _SIDE_NAMES[side]
        n = set_count(pieces(pos, side, KING))
        if n == 0:
            found.append((DEFECT_NO_KING, Message("{} has no king", who), "kings"))
        elif n > 1:
            found.append((DEFECT_KING_COUNT, Message("{} has {} kings", who, n), "kings"))
    for side in range(2):
        n = set_count(pos.by_side[side])
        if n > SIDE_PIECES:
            found.append((DEFECT_SIDE_COUNT,
                          Message("{} has {} pieces, at most {} can be played", _SIDE_NAMES[side], n, SIDE_PIECES),
                          f"count {_SIDE_NAMES[side]}"))
    for kind, defect, word in ((KING, DEFECT_KING_PLACE, "palace"), (ADVISOR, DEFECT_ADVISOR_PLACE, "advisor"),
                               (BISHOP, DEFECT_BISHOP_PLACE, "elephant"), (PAWN, DEFECT_PAWN_PLACE, "pawn")):
        for side in range(2):
            rest = pieces(pos, side, kind) & ~HOME[side][kind]
            while set_any(rest):
                s = pop_first(&rest)
                found.append((defect, Message("a {} {} can never stand on {}", _SIDE_NAMES[side], _KIND_NAMES[kind],
                                              square_text(s)),
                              word if kind == KING else f"{word} {square_text(s)}"))
    for side in range(2):
        who = _SIDE_NAMES[side]
        for s in range(0, 9, 2):
            rest = pieces(pos, side, PAWN) & HALF[side] & (FILE_A << s)
            if set_count(rest) > 1:
                found.append((DEFECT_PAWN_FILE, Message("{} has {} pawns on file {} that have not crossed the river",
                                                        who, set_count(rest), chr(97 + s)),
                              f"pawn {square_text(set_first(rest))}"))
    for side in range(2):
        who = _SIDE_NAMES[side]
        for kind in range(ADVISOR, PAWN + 1):
            n = set_count(pieces(pos, side, kind))
            if n > _KIND_LIMITS[kind]:
                found.append((DEFECT_PIECE_COUNT,
                              Message("{} has {} {}s, at most {} are possible", who, n, _KIND_NAMES[kind],
                                      _KIND_LIMITS[kind]),
                              f"count {FEN_LETTERS[kind | side << 3]}"))
    for bit, _, _ in found:
        if bit & KING_DEFECTS:
            return found
    side = pos.side ^ 1
    s = pos.king[side]
    if not set_any(BETWEEN[pos.king[RED]][pos.king[BLACK]] & occupied(pos)) \
            and file_of(pos.king[RED]) == file_of(pos.king[BLACK]):
        found.append((DEFECT_KINGS_FACING,
                      Message("the kings on {} and {} face each other", square_text(pos.king[RED]),
                              square_text(pos.king[BLACK])),
                      "king capturable"))
    elif king_attacked(pos, s, pos.side, occupied(pos), pos.by_side[pos.side]):
        found.append((DEFECT_OPPOSITE_CHECK,
                      Message("{}'s king on {} is in check, but it is {}'s move", _SIDE_NAMES[side], square_text(s),
                              _SIDE_NAMES[pos.side]), "king capturable"))
    return found


cdef tuple find_obstacle(const Position* pos):
    """The first of the defects with which no game is possible, or None."""
    for defect in find_defects(pos):
        if defect[0] & OBSTACLES:
            return defect
    return None
