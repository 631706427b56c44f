"""Endgame tables and their perpetual draws, from the rules alone: an oracle for millions of positions.

All positions of a material are numbered, mirror images and exchanges of equal pieces too. All their moves are
listed; those that are decided in 0, 1, 2, ... plies are found one ply after the other. Nothing of the core is
used; what an idle move is, `slow_rules` says.
"""

from functools import cache
from itertools import count
from typing import NamedTuple

import numpy as np
import slow_rules
from slow_rules import DIAGONAL, ORTHOGONAL
from slow_tables import home

CHUNK = 100_000
OFF = 90  # the square that is not on the board
WALL = 255  # what stands there
RED, BLACK = 0, 1
DRAWN = 0  # a value; else 1 + plies to the end: even if the side to move wins, odd if it loses


def step(df, dr, squares=None):
    """For each square the one that many files and ranks away, OFF if it is none of these."""
    found = np.full(91, OFF, np.int64)
    for f in range(9):
        for r in range(10):
            if (f + df, r + dr) in squares if squares else (0 <= f + df < 9 and 0 <= r + dr < 10):
                found[9 * r + f] = 9 * (r + dr) + f + df
    return found


def leaps(letter):
    """Steps of a piece that is neither rook nor cannon: (leg or None, target)."""
    kind, squares = letter.upper(), set(home(letter))
    if kind == "K":
        return [(None, step(*each, squares)) for each in ORTHOGONAL]
    if kind == "A":
        return [(None, step(*each, squares)) for each in DIAGONAL]
    if kind == "B":
        return [(step(df, dr), step(2 * df, 2 * dr, squares)) for df, dr in DIAGONAL]
    if kind == "N":
        return [
            (step(df, dr), step(2 * df + k * dr, 2 * dr + k * df)) for df, dr in ORTHOGONAL for k in (-1, 1)
        ]
    aside = [step(df, 0) for df in (-1, 1)]
    for each in aside:
        each[:45] = OFF if letter == "P" else each[:45]
        each[45:90] = OFF if letter == "p" else each[45:90]
    return [(None, to) for to in (step(0, 1 if letter == "P" else -1), *aside)]


SLIDES = [step(*each) for each in ORTHOGONAL]


class Plan(NamedTuple):
    """How one side holds draws, and how the other one leaves it no idle moves.

    idle: what an idle move leads to, -1 for a capture. By side to move: levels before one, -1 in draws that
    are not held; and in these the idle moves that can be forced.
    """

    idle: dict[int, int]
    level: np.ndarray
    most: np.ndarray


class Ending:
    """All positions with the pieces of these FEN letters, sorted; what captures lead to is solved before."""

    def __init__(self, letters):
        self.letters = letters
        self.side = [RED if letter.isupper() else BLACK for letter in letters]
        self.king = [letters.index("K"), letters.index("k")]
        self.homes = [np.array([9 * r + f for f, r in home(letter)]) for letter in letters]
        self.shape = tuple(len(squares) for squares in self.homes)
        self.size = int(np.prod(self.shape))
        self.stride = [int(np.prod(self.shape[k + 1 :])) for k in range(len(letters))]
        self.place = []
        for squares in self.homes:
            self.place.append(np.zeros(91, np.int64))
            self.place[-1][squares] = np.arange(len(squares))
        self.same = np.prod([2 if letters.count(letter) == 2 else 1 for letter in set(letters)])
        self.valid = np.zeros((2, self.size), bool)  # by side to move
        self.values = np.zeros((2, self.size), np.uint16)
        self.held, self.plan = {}, {}  # by the side that holds
        for numbers, at, board in self.chunks():
            attacks = np.zeros((2, len(numbers)), bool)
            for k, _, there, can in self.reach(at, board, range(len(letters))):
                attacks[self.side[k]] |= can & (there == self.king[1 - self.side[k]] + 1)
            to, facing = at[self.king[RED]], np.zeros(len(numbers), bool)
            seen = facing
            for _ in range(9):
                to = SLIDES[0][to]
                there = board[np.arange(len(numbers)), to]
                facing = facing | (~seen & (there == self.king[BLACK] + 1))
                seen = seen | (there > 0)
            self.valid[:, numbers] = ~attacks & ~facing
        if set(letters) & set("RNCPrncp"):
            self.solve()
        else:
            self.held = dict.fromkeys((RED, BLACK), self.valid)

    def chunks(self):
        """Numbers of positions, the squares of each piece, and the boards: 1 + the piece's number, or 0."""
        for start in range(0, self.size, CHUNK):
            numbers = np.arange(start, min(start + CHUNK, self.size))
            places = np.unravel_index(numbers, self.shape)
            at = [squares[each] for squares, each in zip(self.homes, places, strict=True)]
            board = np.zeros((len(numbers), 91), np.uint8)
            board[:, OFF] = WALL
            rows, apart = np.arange(len(numbers)), np.ones(len(numbers), bool)
            for k, squares in enumerate(at):
                apart &= board[rows, squares] == 0
                board[rows, squares] = k + 1
            yield numbers[apart], [squares[apart] for squares in at], board[apart]

    def reach(self, at, board, pieces):
        """(piece, targets, what stands there, whether it can go there or capture), one step at a time."""
        rows = np.arange(len(board))
        for k in pieces:
            enemy = np.zeros(256, bool)
            enemy[[i + 1 for i, side in enumerate(self.side) if side != self.side[k]]] = True
            if self.letters[k].upper() not in "RC":
                for leg, target in leaps(self.letters[k]):
                    to = target[at[k]]
                    there = board[rows, to]
                    can = (there == 0) | enemy[there]
                    yield k, to, there, can if leg is None else can & (board[rows, leg[at[k]]] == 0)
                continue
            screens = 0 if self.letters[k].upper() == "R" else 1
            for slide in SLIDES:
                to, met = at[k], np.zeros(len(board), np.int8)
                for _ in range(9):
                    to = slide[to]
                    there = board[rows, to]
                    yield k, to, there, ((there == 0) & (met == 0)) | (enemy[there] & (met == screens))
                    met += there > 0

    def moves(self, side):
        """(quiet moves, captures by what they lead to), each as numbers before and after."""
        quiet, taking = [], {}
        own = [k for k, each in enumerate(self.side) if each == side]
        for numbers, at, board in self.chunks():
            turn = self.valid[side, numbers]
            numbers, at, board = numbers[turn], [squares[turn] for squares in at], board[turn]
            for k, to, there, can in self.reach(at, board, own):
                now = np.flatnonzero(can & (there == 0))
                after = numbers[now] + self.stride[k] * (self.place[k][to[now]] - self.place[k][at[k][now]])
                legal = self.valid[1 - side, after]
                quiet.append(np.array([numbers[now][legal], after[legal]], np.int32))
                for j in [j for j, each in enumerate(self.side) if each != side and j not in self.king]:
                    now = np.flatnonzero(can & (there == j + 1))
                    if not len(now):
                        continue
                    smaller = ending(self.letters[:j] + self.letters[j + 1 :])
                    squares = [to[now] if i == k else at[i][now] for i in range(len(at)) if i != j]
                    after = sum(
                        place[each] * stride
                        for place, each, stride in zip(smaller.place, squares, smaller.stride, strict=True)
                    )
                    legal = smaller.valid[1 - side, after]
                    taking.setdefault(smaller, []).append(
                        np.array([numbers[now][legal], after[legal]], np.int32)
                    )
        return np.hstack(quiet), {key: np.hstack(found) for key, found in taking.items()}

    def solve(self):
        """Find the values, and the moves from draws to draws."""
        found = [self.moves(side) for side in (RED, BLACK)]
        quiet = [each[0] for each in found]
        taken = [
            [(before, smaller.values[1 - side][after]) for smaller, (before, after) in found[side][1].items()]
            for side in (RED, BLACK)
        ]
        last = max((int(values.max(initial=0)) for each in taken for _, values in each), default=0)
        open_ones, idle = self.valid.copy(), 0
        for plies in count():
            results = []
            for side in (RED, BLACK):
                marked = np.zeros(self.size, bool)
                for before, values in [
                    (quiet[side][0], self.values[1 - side][quiet[side][1]]),
                    *taken[side],
                ]:
                    if plies % 2:  # a move to a loss
                        marked[before[values == plies]] = True
                    else:  # a move that does not lead to a win of the other side, known by now
                        marked[before[(values % 2 == 1) | (values == DRAWN) | (values > plies)]] = True
                results.append(open_ones[side] & (marked if plies % 2 else ~marked))
            for side in (RED, BLACK):
                self.values[side][results[side]] = 1 + plies
                open_ones[side] &= ~results[side]
            for side in (RED, BLACK):
                quiet[side] = quiet[side][:, open_ones[side][quiet[side][0]]]
            idle = 0 if any(map(np.any, results)) else idle + 1
            if idle == 2 and plies > last:
                break
        self.drawn = open_ones
        self.quiet = [each[:, self.values[1 - side][each[1]] == DRAWN] for side, each in enumerate(quiet)]
        self.taken = [
            [
                (smaller, each[:, (smaller.values[1 - side][each[1]] == DRAWN) & open_ones[side][each[0]]])
                for smaller, each in found[side][1].items()
            ]
            for side in (RED, BLACK)
        ]

    def counts(self, side):
        """{value: positions with that side to move}, equal pieces not exchanged."""
        values, counted = np.unique(self.values[side][self.valid[side]], return_counts=True)
        return {int(value): int(number) // self.same for value, number in zip(values, counted, strict=True)}

    def pieces(self, number):
        """The position as `slow_rules` has it."""
        places = np.unravel_index(number, self.shape)
        squares = [int(each[place]) for each, place in zip(self.homes, places, strict=True)]
        return {(s % 9, s // 9): letter for s, letter in zip(squares, self.letters, strict=True)}

    def number(self, pieces):
        """The number of the position with these pieces, one of two if two are equal."""
        squares = [square for _, square in sorted((letter, square) for square, letter in pieces.items())]
        return sum(
            int(place[9 * r + f]) * stride
            for place, (f, r), stride in zip(self.place, squares, self.stride, strict=True)
        )

    def fen(self, side, number):
        return slow_rules.fen_of(self.pieces(number), side)

    def following(self, side, number):
        """The draws that quiet moves of a draw lead to."""
        before, after = self.quiet[side]
        return after[before == number].tolist()

    def is_idle(self, side, before, after):
        """Does a quiet move of that side give no check, attack no piece anew and threaten no mate in one?"""
        old, new = self.pieces(before), self.pieces(after)
        if slow_rules.dangers(new, 1 - side) or self.values[side][after] == 2:
            return False
        [src], [dst] = old.keys() - new.keys(), new.keys() - old.keys()
        was = slow_rules.captures(old, side, strict=False)
        for (attacker, victim), counts in slow_rules.captures(new, side, strict=False).items():
            earlier = was.get((src if attacker == dst else attacker, victim))
            if earlier is None or counts > earlier:
                return False
        return True

    def hold(self, holder):
        """Which draws the holder can hold with idle moves, by side to move.

        These are the draws in which it can force n idle moves, or a capture into such a draw, for every n.
        """
        if holder in self.held:
            return self.held[holder]
        other = 1 - holder
        safe_capture = np.zeros(self.size, bool)
        unsafe_capture = np.zeros(self.size, bool)
        for side, marked in ((holder, safe_capture), (other, unsafe_capture)):
            for smaller, (before, after) in self.taken[side]:
                marked[before[smaller.hold(holder)[1 - side][after] == (side == holder)]] = True
        own, others = self.quiet[holder], self.quiet[other]
        own = own[:, np.argsort(own[0], kind="stable")]
        known = np.full(own.shape[1], -1, np.int8)
        draws = np.flatnonzero(self.drawn[holder])
        first = np.searchsorted(own[0], draws)
        end = np.searchsorted(own[0], draws, side="right")
        witness = dict.fromkeys(draws[safe_capture[draws]].tolist(), -1)
        held, most = self.drawn.copy(), np.full((2, self.size), -1, np.int32)
        for idle_moves in count():
            level = np.full((2, self.size), -1, np.int32)
            for number, i, n in zip(draws.tolist(), first.tolist(), end.tolist(), strict=True):
                if not held[holder][number]:
                    continue
                after = witness.get(number)
                if after is None or (after >= 0 and not held[other][after]):
                    for move in range(i, n):
                        after = int(own[1][move])
                        if held[other][after] and known[move] < 0:
                            known[move] = self.is_idle(holder, number, after)
                        if held[other][after] and known[move]:
                            witness[number] = after
                            break
                    else:
                        continue
                level[holder][number] = 0
            for distance in count(1):
                grown = np.zeros((2, self.size), bool)
                grown[holder][own[0][level[other][own[1]] >= 0]] = True
                escapes = unsafe_capture.copy()
                escapes[others[0][level[holder][others[1]] < 0]] = True
                grown[other] = ~escapes
                grown &= self.drawn & (level < 0)
                if not grown.any():
                    break
                level[grown] = distance
            if ((level >= 0) == held).all():
                break
            most[held & (level < 0)] = idle_moves
            held = level >= 0
        self.held[holder] = held
        self.plan[holder] = Plan(witness, level, most)
        return held

    def perpetual(self, holder):
        """How many draws it cannot hold so, with either side to move."""
        return int((self.drawn & ~self.hold(holder)).sum()) // self.same


@cache
def ending(letters):
    return Ending(letters)
