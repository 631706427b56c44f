"""Endgame tables once more, slowly and from the rules: an oracle for the fast solver.

Plain Python on tuples of (letter, (file, rank)); nothing of the core is used. All positions of a material are
listed, and those that are decided in 0, 1, 2, ... plies are found one ply after the other.
"""

from functools import cache
from itertools import product

FILES, RANKS = range(9), range(10)
ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def forward(rank, red):
    return rank if red else 9 - rank


def may_stand(letter, square):
    file, rank = square
    rank = forward(rank, letter.isupper())
    kind = letter.upper()
    if kind == "K":
        return 3 <= file <= 5 and rank <= 2
    if kind == "A":
        return (file, rank) in {(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)}
    if kind == "B":
        return (file, rank) in {(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)}
    if kind == "P":
        return rank >= 5 or (rank >= 3 and file % 2 == 0)
    return True


@cache
def home(letter):
    return [(f, r) for f in FILES for r in RANKS if may_stand(letter, (f, r))]


def moves(pieces, square):
    """Where the piece on the square can go, its own king's safety aside; a king is attacked, never taken."""
    letter = pieces[square]
    red, kind = letter.isupper(), letter.upper()
    file, rank = square
    found = []
    if kind in "KP":
        for df, dr in ORTHOGONAL:
            if kind == "P" and dr != (1 if red else -1) and (dr != 0 or forward(rank, red) < 5):
                continue
            found.append((file + df, rank + dr))
    elif kind in "AB":
        for df, dr in DIAGONAL:
            if kind == "A":
                found.append((file + df, rank + dr))
            elif (file + df, rank + dr) not in pieces:
                found.append((file + 2 * df, rank + 2 * dr))
    elif kind == "N":
        for df, dr in ORTHOGONAL:
            if (file + df, rank + dr) not in pieces:
                found += [(file + 2 * df + k * dr, rank + 2 * dr + k * df) for k in (-1, 1)]
    else:
        for df, dr in ORTHOGONAL:
            met, to = 0, (file + df, rank + dr)
            while to[0] in FILES and to[1] in RANKS and met < 2:
                if to in pieces:
                    met += 1
                    if met == (1 if kind == "R" else 2):
                        found.append(to)
                elif met == 0:
                    found.append(to)
                to = (to[0] + df, to[1] + dr)
    return [
        to
        for to in found
        if to[0] in FILES
        and to[1] in RANKS
        and (kind not in "KAB" or may_stand(letter, to))
        and (to not in pieces or pieces[to].isupper() != red)
    ]


def is_attacked(pieces, red):
    """Is the king of red (or black) attacked, facing kings included?"""
    king = next(square for square, letter in pieces.items() if letter == ("K" if red else "k"))
    other = next(square for square, letter in pieces.items() if letter == ("k" if red else "K"))
    if king[0] == other[0]:
        low, high = sorted((king[1], other[1]))
        if not any((king[0], rank) in pieces for rank in range(low + 1, high)):
            return True
    return any(king in moves(pieces, square) for square, letter in pieces.items() if letter.isupper() != red)


def key_of(pieces):
    return tuple(sorted((letter, square) for square, letter in pieces.items()))


@cache
def graph(letters):
    """{(position, red to move): what its moves lead to}, those after captures as (position, red, "letters").

    letters: FEN letters of all pieces, sorted.
    """
    squares = [home(letter) for letter in letters]
    positions = {}
    for places in product(*squares):
        if len(set(places)) == len(places):
            pieces = dict(zip(places, letters, strict=True))
            positions.setdefault(key_of(pieces), pieces)
    valid = {
        (key, red): pieces
        for key, pieces in positions.items()
        for red in (True, False)
        if not is_attacked(pieces, not red)
    }
    following = {}
    for (key, red), pieces in valid.items():
        found = []
        for square in [square for square, letter in pieces.items() if letter.isupper() == red]:
            for to in moves(pieces, square):
                after = dict(pieces)
                after[to] = after.pop(square)
                if is_attacked(after, red):
                    continue
                left = "".join(sorted(after.values())) if len(after) < len(pieces) else ""
                found.append((key_of(after), not red, left))
        following[key, red] = found
    return following


@cache
def solved(letters):
    """{(position, red to move): plies}: n for a win of the side to move, -n for a loss, None for a draw."""

    def known(key, red, left):
        if not left:
            return (key, red)
        return ("value", solved(left)[key, red] if left.strip("KABkab") else None)

    following = {position: [known(*each) for each in found] for position, found in graph(letters).items()}
    values, idle = {}, 0
    last = max(
        (abs(one[1] or 0) for found in following.values() for one in found if one[0] == "value"), default=0
    )
    for plies in range(300):
        now = {}
        for position, found in following.items():
            if position in values:
                continue
            results = [entry[1] if entry[0] == "value" else values.get(entry) for entry in found]
            if plies % 2:
                if any(result is not None and result <= 0 and -result == plies - 1 for result in results):
                    now[position] = plies
            elif all(result is not None and 0 < result < max(plies, 1) for result in results):
                now[position] = -plies
        values.update(now)
        idle = 0 if now else idle + 1
        if idle == 2 and plies > last:  # nothing follows from what is known any more
            break
    return {position: values.get(position) for position in following}


@cache
def plies_needed(letters, limit):
    """{(position, red to move): (won, plies)}: the fewest plies before the limit that decide it.

    Each position is looked at with each number of plies left.

    limit: plies without a capture that draw the game.
    """
    following = graph(letters)
    needed, before = {}, {}
    for left in range(1, limit + 1):
        now = {}
        for position, found in following.items():
            results = []
            for key, red, smaller in found:
                if not smaller:
                    results.append(before.get((key, red)))
                else:
                    known = plies_needed(smaller, limit) if smaller.strip("KABkab") else {}
                    results.append(known[key, red][0] if (key, red) in known else None)
            if False in results:
                now[position] = True
            elif all(results):
                now[position] = False
        for position, won in now.items():
            needed.setdefault(position, (won, left))
        before = now
    return needed


def fen_of(key, red):
    rows = []
    pieces = {square: letter for letter, square in key}
    for rank in reversed(RANKS):
        row = "".join(pieces.get((file, rank), "1") for file in FILES)
        rows.append(row)
    return f"{'/'.join(rows)} {'w' if red else 'b'} - - 0 1"
