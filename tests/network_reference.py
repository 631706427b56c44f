"""The network once more, number by number in Python: slow, and independent of the core."""

import struct
import sys
from array import array
from operator import add, mul

import slow_rules

from eleengine._core import shipped_tables

HOME = {  # squares of a red piece
    "k": [(r, f) for r in range(3) for f in (3, 4, 5)],
    "a": [(0, 3), (0, 5), (1, 4), (2, 3), (2, 5)],
    "b": [(0, 2), (0, 6), (2, 0), (2, 4), (2, 8), (4, 2), (4, 6)],
    "p": [(r, f) for r in range(3, 10) for f in range(9) if r > 4 or f % 2 == 0],
}
ALL = [(r, f) for r in range(10) for f in range(9)]
KINDS = "kabnrcp"


def rows_by_place():
    """Row of each kind, owner (0: own) and place, in the order of kinds and squares."""
    rows, n = {}, 0
    for enemy in (0, 1):
        for kind in KINDS:
            places = HOME.get(kind, ALL)
            for place in sorted((9 - r, f) if enemy else (r, f) for r, f in places):
                rows[kind, enemy, place] = n
                n += 1
    return rows


def splitmix(state):
    mask = 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield z ^ (z >> 31)


def leans():
    """How far each kind, owner and place leans to the right."""
    found, unit, numbers = {}, 1 << 56, splitmix(0x6C65616E73)
    for kind in "rcnpab":
        for enemy in (0, 1):
            unit //= 11 if kind == "p" else 5
            for r in range(10):
                for f in range(5, 9):
                    found[kind, enemy, (r, f)] = unit + (next(numbers) >> 44)
    for r in range(10):
        for f in range(5, 9):
            found["k", 1, (r, f)] = next(numbers) >> 44
    for (kind, enemy, (r, f)), lean in list(found.items()):
        found[kind, enemy, (r, 8 - f)] = -lean
    return found


ROWS = rows_by_place()
LEANS = leans()


def quotient(a, b):
    """a / b without its fraction, as C divides."""
    return a // b if a >= 0 else -(-a // b)


def scale_of_kinds(own, other, board):
    """Of 64: how much of its advantage a side can use; the letters of its pieces and of the other side's.

    An ending of a single attacker is what the tables that come with the engine say.
    """
    guards = [kind for kind in other if kind in "ab"]
    if sum(kind in "rncp" for kind in own) == 1 and (value := shipped_tables().probe(board)) is not None:
        return 64 if value else 2
    heavy = sum(kind in "rnc" for kind in own)
    if not heavy and "p" not in own:
        return 2
    if "p" not in own and heavy == 1 and len(guards) >= 3:
        return 32 if "r" in own else 12
    if not heavy and own.count("p") == 1 and len(guards) >= 2:
        return 16
    return 64


def scale_of(pieces, ahead, board):
    """The same of the side ahead; pieces: (kind, is red, place)."""
    own = [kind for kind, red, _ in pieces if red == ahead]
    return scale_of_kinds(own, [kind for kind, red, _ in pieces if red != ahead], board)


def row_of(kind, enemy, place):
    """That of the place, or of the nearest where such a piece may stand: the first by rank and file."""

    def distance(known):
        return abs(known[0] - place[0]) + abs(known[1] - place[1]), known

    places = [known for one, owner, known in ROWS if (one, owner) == (kind, enemy)]
    return ROWS[kind, enemy, min(places, key=distance)]


def rows_seen(pieces, red):
    """The rows of a perspective."""
    seen = [(kind, int(own != red), (r, f) if red else (9 - r, f)) for kind, own, (r, f) in pieces]
    file = next(f for kind, enemy, (_, f) in seen if kind == "k" and not enemy)
    mirror = file < 4 or (file == 4 and sum(LEANS.get(one, 0) for one in seen) < 0)
    return [row_of(kind, enemy, (r, 8 - f if mirror else f)) for kind, enemy, (r, f) in seen]


CLASSES = {"R": 2, "N": 1, "C": 1}


def hanging_of(fen):
    """Does each piece hang, in the order of `read`?"""
    pieces, _ = slow_rules.parse(fen)
    attackers = {square: [] for square in pieces}
    for square in pieces:
        for target in slow_rules.attacks(pieces, square):
            attackers[target].append(pieces[square])

    def hangs(square):
        letter = pieces[square]
        own = [one for one in attackers[square] if one.isupper() == letter.isupper()]
        least = min(
            (CLASSES.get(one.upper(), 0) for one in attackers[square] if one.isupper() != letter.isupper()),
            default=3,
        )
        return letter not in "Kk" and least < (3 if not own else CLASSES.get(letter.upper(), 0))

    return [hangs(square) for square in sorted(pieces, key=lambda square: square[::-1])]


def products(active, weights):
    """With each row of the first layer."""
    n = len(active)
    return [sum(map(mul, active, weights[i : i + n])) for i in range(0, len(weights), n)]


class Reference:
    """A network out of the bytes of its file, which must be good."""

    def __init__(self, file):
        version, self.hidden, *kind, self.factor, self.unit, self.parts, length = struct.unpack_from(
            "<12I", file, 8
        )
        rows, first = kind[0], 8 if version == 2 else 1
        assert rows in (692, 2 * 692) and kind[1:] == [8, 1, 1, 1020, 255]
        at = 128 + length
        counts = [self.hidden, rows * self.hidden, 16 * first * self.hidden, 8 * first]
        if version == 2:
            assert self.factor == 256
            counts += [8 * 16 * 32, 8 * 32, 8 * 32]
        found = []
        for code, count in zip("hhhihih", counts, strict=False):
            at += -at % 64
            numbers = array(code, file[at : at + count * array(code).itemsize])
            if sys.byteorder == "big":
                numbers.byteswap()
            found.append(numbers)
            at += len(numbers) * numbers.itemsize
        assert at == len(file)
        self.bias, self.rows, first_weights, first_bias, *second = found
        if version == 1:
            first_bias = [quotient(bias * 2032, 255) for bias in first_bias]
            second = [[0] * 8 * 16 * 32, [0] * 8 * 32, [0] * 8 * 32]
        parts = [(part, len(part) // 8) for part in (first_weights, first_bias, *second)]
        self.layers = [[part[n * i : n * (i + 1)] for part, n in parts] for i in range(8)]  # by pieces

    def sums(self, board, red):
        """Of 16 bits: what passes them wraps round."""
        rows = rows_seen(read(board)[0], red)
        if len(self.rows) > 692 * self.hidden:
            rows += [row + 692 for row, hangs in zip(rows, hanging_of(board.fen()), strict=True) if hangs]
        total = list(self.bias)
        for row in rows:
            weights = self.rows[row * self.hidden : (row + 1) * self.hidden]
            total = [a + b for a, b in zip(total, weights, strict=True)]
        return [(value + 0x8000) % 0x10000 - 0x8000 for value in total]

    def finish(self, output, board):
        pieces, quiet = read(board)
        score = max(-20_000, min(20_000, output))
        ahead = board.turn if score > 0 else not board.turn
        score = quotient(score * scale_of(pieces, ahead, board), 64)
        return score - quotient(score * min(quiet, 100), 400)

    def evaluate(self, board):
        """As the engine: in integers."""
        pieces, _ = read(board)
        first_weights, first_bias, second_weights, second_bias, output_weights = self.layers[
            (len(pieces) - 2) * 8 // 31
        ]
        values = [*self.sums(board, board.turn), *self.sums(board, not board.turn)]
        active = [((max(0, min(1020, value)) + 2) // 4) ** 2 // 32 for value in values]
        first = list(map(add, first_bias, products(active, first_weights)))
        total = first[0]
        if len(first) > 1:
            small = [max(-2032, min(2032, value // 256)) for value in first]
            inputs = [max(0, value) for value in small] + [value * value // 2048 for value in small]
            for k in range(32):
                value = second_bias[k] + sum(map(mul, inputs, second_weights[k::32]))
                total += max(0, min(2032, value // 256)) * output_weights[k]
        return self.finish(quotient(total * self.unit, self.parts * 2032 * self.factor), board)

    def real(self, board):
        """The same without rounding, of the same weights, before it is scaled: centipawns."""
        pieces, _ = read(board)
        first_weights, first_bias, second_weights, second_bias, output_weights = self.layers[
            (len(pieces) - 2) * 8 // 31
        ]
        values = [*self.sums(board, board.turn), *self.sums(board, not board.turn)]
        active = [max(0.0, min(1.0, value / 1020)) ** 2 for value in values]
        first = [
            bias / 256 / 2032 + product / 256
            for bias, product in zip(first_bias, products(active, first_weights), strict=True)
        ]
        inputs = [max(0.0, min(1.0, v)) for v in first] + [min(1.0, v * v) * 2032 / 2048 for v in first]
        total = first[0]
        for k in range(32):
            value = second_bias[k] / 256 / 2032 + sum(map(mul, inputs, second_weights[k::32])) / 256
            total += max(0.0, min(1.0, value)) * output_weights[k] / 256
        return total * self.unit / self.parts


def read(board):
    """Its pieces, (kind, is red, place), and the plies without a capture."""
    pieces = []
    for i in range(90):
        piece = board.piece_at(i)
        if piece:
            pieces.append(
                (piece.symbol().lower().replace("e", "b").replace("h", "n"), piece.color, divmod(i, 9))
            )
    return pieces, board.no_capture_plies()
