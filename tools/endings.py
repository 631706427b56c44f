"""Solve small endings exhaustively, and tell how many of their positions are won: the table of dead draws.

    python tools/endings.py            # all that src/eleengine/core/eval/scale.pxi knows
    python tools/endings.py N/AA C+A/A # some endings: attackers and own guards / enemy guards

Retrograde analysis: Red has a king, one attacker (R, N, C or P) and perhaps advisors (A) and bishops (B),
Black a king and guards. All positions with every piece where it may stand are tried; moves are the board's
legal moves, so that kings do not face each other, and a side without a move has lost. Repetitions and the
no-capture limit are left aside. A position is won if Red, to move, forces mate or stalemate. What captures
lead to is solved first. The share that is told is that of won positions among the quiet ones: those in which
neither side can capture and Red is not in check.
"""

import sys
from functools import cache
from itertools import combinations

import numpy as np

from eleengine import BaseBoard

PALACE = [r * 9 + f for r in range(3) for f in (3, 4, 5)]
ADVISORS = [3, 5, 13, 21, 23]
BISHOPS = [2, 6, 18, 22, 26, 38, 42]
BOARD = range(90)


def flipped(squares):
    return [89 - s for s in squares]


def sets_of(places, count):
    return [tuple(c) for c in combinations(sorted(places), count)]


class Ending:
    """One material: attacker, own guards, enemy guards, each guard kind at most twice."""

    def __init__(self, attacker, own, enemy):
        self.attacker, self.own, self.enemy = attacker, own, enemy
        pawn_places = [s for s in BOARD if s >= 45 or (s // 9 in (3, 4) and s % 9 % 2 == 0)]
        self.axes = [
            [(s,) for s in PALACE],
            [(s,) for s in flipped(PALACE)],
            [(s,) for s in (pawn_places if attacker == "P" else BOARD)],
            sets_of(ADVISORS, own.count("A")),
            sets_of(BISHOPS, own.count("B")),
            sets_of(flipped(ADVISORS), enemy.count("A")),
            sets_of(flipped(BISHOPS), enemy.count("B")),
        ]
        self.letters = ["K", "k", attacker, "A", "B", "a", "b"]
        self.places = [{squares: i for i, squares in enumerate(axis)} for axis in self.axes]
        self.shape = tuple(map(len, self.axes))
        self.won = None  # [side to move][position]: red wins

    def index(self, groups):
        number = 0
        for group, place, size in zip(groups, self.places, self.shape, strict=True):
            number = number * size + place[group]
        return number


def fen_of(groups, letters, turn):
    board = [None] * 90
    for group, letter in zip(groups, letters, strict=True):
        for square in group:
            if board[square]:
                return None
            board[square] = letter
    rows = []
    for rank in range(9, -1, -1):
        row, empty = "", 0
        for letter in board[9 * rank : 9 * rank + 9]:
            if letter is None:
                empty += 1
            else:
                row += (str(empty) if empty else "") + letter
                empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {turn} - - 0 1"


def moved(groups, source, target):
    """The groups after a move, and the letter's place of what was captured."""
    result, taken = [], None
    for i, group in enumerate(groups):
        if source in group:
            group = tuple(sorted(target if s == source else s for s in group))
        elif target in group:
            taken = i
            group = tuple(s for s in group if s != target)
        result.append(group)
    return result, taken


@cache
def solved(attacker, own, enemy):
    """The ending with its wins, and the share of won quiet positions with red to move."""
    ending = Ending(attacker, own, enemy)
    size = int(np.prod(ending.shape))
    won = np.zeros((2, size), bool)
    valid = np.zeros((2, size), bool)
    fixed = np.zeros((2, size), bool)  # a capture decides: red's wins; for black: a way out that holds
    quiet = np.zeros(size, bool)
    heads, tails = [[], []], [[], []]
    board = BaseBoard()
    for number, place in enumerate(np.ndindex(ending.shape)):
        groups = [axis[i] for axis, i in zip(ending.axes, place, strict=True)]
        loud = False
        for side, turn in enumerate("wb"):
            fen = fen_of(groups, ending.letters, turn)
            if fen is None:
                break
            try:
                board.set_fen(fen)
            except ValueError:
                loud = True
                continue
            valid[side, number] = True
            moves = list(board.legal_moves)
            loud = loud or (side == 0 and board.is_check())
            if not moves:
                fixed[side, number] = side == 1
                won[side, number] = side == 1
                continue
            for move in moves:
                after, taken = moved(groups, move.from_square, move.to_square)
                if taken is None:
                    heads[side].append(number)
                    tails[side].append(ending.index(after))
                    continue
                loud = True
                if side == 0:
                    smaller, _ = solved(attacker, own, enemy.replace("A" if taken == 5 else "B", "", 1))
                    won[0, number] |= smaller.won[1, smaller.index(after)]
                elif taken == 2:
                    fixed[1, number] = True
                else:
                    smaller, _ = solved(attacker, own.replace("A" if taken == 3 else "B", "", 1), enemy)
                    fixed[1, number] |= not smaller.won[0, smaller.index(after)]
        else:
            quiet[number] = not loud and valid[0, number]
    heads = [np.array(h, np.int64) for h in heads]
    tails = [np.array(t, np.int64) for t in tails]
    mated = won[1].copy()
    while True:
        before = won.sum()
        won[0] |= np.bincount(heads[0], won[1][tails[0]], size) > 0
        holds = np.bincount(heads[1], ~won[0][tails[1]], size) > 0
        won[1] |= valid[1] & ~holds & ~(fixed[1] & ~mated)
        if won.sum() == before:
            break
    ending.won = won
    return ending, float(won[0][quiet].mean()) if quiet.any() else 0.0


TABLE = [
    f"{attacker}{'+' if own else ''}{own}/{enemy}"
    for attacker, owns in (("R", [""]), ("N", [""]), ("P", [""]), ("C", ["", "A", "B"]))
    for own in owns
    for enemy in ("", "A", "B", "AA", "AB", "BB")
]


def main():
    for name in sys.argv[1:] or TABLE:
        ours, enemy = name.split("/")
        _, share = solved(ours[0], ours[2:], enemy)
        print(f"{name:8} {100 * share:5.1f} %", flush=True)


if __name__ == "__main__":
    main()
