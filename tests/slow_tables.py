"""Endgame tables once more, slowly and from the rules: an oracle for the fast solver.

Plain Python on tuples of (letter, (file, rank)), with the moves of `slow_rules`. All positions of a material
are listed, and those that are decided in 0, 1, 2, ... plies are found one ply after the other.
"""

from functools import cache
from itertools import product

import slow_rules
import support


@cache
def home(letter):
    """Where the piece may ever stand."""
    kind = support.LETTERS.index(letter.upper()) + 1
    return [slow_rules.square_of(s) for s in support.home(kind, letter.isupper())]


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
        if not slow_rules.dangers(pieces, slow_rules.RED + red)
    }
    following = {}
    for (key, red), pieces in valid.items():
        found = []
        for move in slow_rules.legal_moves(pieces, slow_rules.BLACK - red):
            after = slow_rules.moved(pieces, *move)
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
    return slow_rules.fen_of({square: letter for letter, square in key}, slow_rules.BLACK - red)
