"""The rules once more, slowly and from the definitions: an oracle for move generation and repetitions.

Plain Python on dicts of squares. Nothing of the core is used but the FEN of the first position and
the list of legal moves played, so moves, attacks, captures, identities and windows are worked out anew.
Only the runs of checks of the rule set cxa are searched with the legal moves of a board.
"""

from collections import Counter
from functools import lru_cache
from itertools import islice, pairwise

from support import make_fen

from eleengine._core import BaseBoard

FILES, RANKS = 9, 10
RED, BLACK = 0, 1
ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))

Square = tuple[int, int]  # file, rank
Pieces = dict[Square, str]  # FEN letters


def side_of(letter):
    return RED if letter.isupper() else BLACK


def kind_of(letter):
    return letter.upper()


def parse(fen):
    pieces = {}
    board, side = fen.split()[:2]
    for i, row in enumerate(board.split("/")):
        file = 0
        for c in row:
            if c.isdigit():
                file += int(c)
            else:
                pieces[file, RANKS - 1 - i] = c
                file += 1
    return pieces, RED if side == "w" else BLACK


def on_board(square):
    return 0 <= square[0] < FILES and 0 <= square[1] < RANKS


def has_crossed(square, side):
    return square[1] >= 5 if side == RED else square[1] <= 4


def line(pieces, square, step):
    """The occupied squares that one meets from the square on."""
    f, r = square[0] + step[0], square[1] + step[1]
    while on_board((f, r)):
        if (f, r) in pieces:
            yield f, r
        f, r = f + step[0], r + step[1]


def steps(pieces, square):
    """Squares, also off the board, on which the piece would capture an enemy; not of rooks and cannons."""
    letter = pieces[square]
    side, kind = side_of(letter), kind_of(letter)
    f, r = square
    found = []
    if kind == "N":
        for df, dr in ORTHOGONAL:
            if (f + df, r + dr) not in pieces:
                for k in (-1, 1):
                    found.append((f + 2 * df + k * dr, r + 2 * dr + k * df))
    elif kind == "B":
        for df, dr in DIAGONAL:
            target = (f + 2 * df, r + 2 * dr)
            if (f + df, r + dr) not in pieces and not has_crossed(target, side):
                found.append(target)
    elif kind == "P":
        found.append((f, r + (1 if side == RED else -1)))
        if has_crossed(square, side):
            found += [(f - 1, r), (f + 1, r)]
    else:
        for df, dr in ORTHOGONAL if kind == "K" else DIAGONAL:
            target = (f + df, r + dr)
            if 3 <= target[0] <= 5 and (target[1] <= 2 if side == RED else target[1] >= 7):
                found.append(target)
    return found


def attacks(pieces, square):
    """The occupied squares whose piece, of whatever side, the piece on the square attacks."""
    kind = kind_of(pieces[square])
    if kind not in "RC":
        return {target for target in steps(pieces, square) if target in pieces}
    found = set()
    for step in ORTHOGONAL:
        met = list(islice(line(pieces, square, step), 2))
        found.update(met[:1] if kind == "R" else met[1:])
    return found


def is_near(square, other):
    """On one line, or within the step of a piece: no other piece attacks the square."""
    df, dr = abs(square[0] - other[0]), abs(square[1] - other[1])
    return df == 0 or dr == 0 or (df <= 2 and dr <= 2)


def king_of(pieces, side):
    return next(square for square, letter in pieces.items() if letter == "Kk"[side])


def dangers(pieces, side):
    """Enemies that attack the king of the side, the facing king included."""
    king = king_of(pieces, side)
    found = {
        s
        for s, letter in pieces.items()
        if side_of(letter) != side and is_near(s, king) and king in attacks(pieces, s)
    }
    for step in ((0, 1), (0, -1)):
        found |= {s for s in list(line(pieces, king, step))[:1] if pieces[s] == "kK"[side]}
    return found


def moved(pieces, src, dst):
    after = dict(pieces)
    after[dst] = after.pop(src)
    return after


def destinations(pieces, square):
    """Where the piece may move or capture, the safety of its king aside."""
    side = side_of(pieces[square])
    found = {s for s in attacks(pieces, square) if side_of(pieces[s]) != side and pieces[s] not in "Kk"}
    if kind_of(pieces[square]) in "RC":
        for df, dr in ORTHOGONAL:
            f, r = square[0] + df, square[1] + dr
            while on_board((f, r)) and (f, r) not in pieces:
                found.add((f, r))
                f, r = f + df, r + dr
    else:  # to an empty square it moves as it would capture an enemy there
        found.update(s for s in steps(pieces, square) if on_board(s) and s not in pieces)
    return found


def pseudo_legal_moves(pieces, side):
    """All (from, to) of the side, the safety of its king aside."""
    return {
        (s, to) for s, letter in pieces.items() if side_of(letter) == side for to in destinations(pieces, s)
    }


def legal_moves(pieces, side):
    """All (from, to) of the side after which no enemy attacks its king or faces it."""
    return {(s, to) for s, to in pseudo_legal_moves(pieces, side) if not dangers(moved(pieces, s, to), side)}


def mates_at_once(pieces, side):
    return any(not legal_moves(moved(pieces, *move), 1 - side) for move in legal_moves(pieces, side))


def is_drawn_by_material(pieces, side, rule_set="axf"):
    """Can nobody win? By the rule set computer a cannon or two want screens, or a mate in one move."""
    kinds = [
        Counter(kind_of(letter) for letter in pieces.values() if side_of(letter) == s) for s in (RED, BLACK)
    ]
    if any(own[kind] for own in kinds for kind in "RNP"):
        return False
    cannons = kinds[RED]["C"], kinds[BLACK]["C"]
    if rule_set != "computer" or cannons == (0, 0):
        return cannons == (0, 0)
    if cannons == (1, 1):
        if kinds[RED]["A"] or kinds[BLACK]["A"]:
            return False
        certain = not kinds[RED]["B"] and not kinds[BLACK]["B"]
    elif sum(cannons) == 1:
        own, other = kinds if cannons[RED] else reversed(kinds)
        if own["A"] or (own["B"] and other["A"] > 1):
            return False
        certain = other["A"] == 0 or (other["A"] == 1 and not own["B"])
    else:
        return False
    return certain or not mates_at_once(pieces, side)


def is_protected(pieces, attacker, victim):
    side = side_of(pieces[victim])
    after = moved(pieces, attacker, victim)
    for square, letter in after.items():
        if side_of(letter) == side and victim in attacks(after, square):
            new = dangers(moved(after, square, victim), side)
            if new and kind_of(letter) != "K":
                new -= dangers(pieces, side)
            if not new:
                return True
    return False


def can_strike_back(pieces, attacker, victim):
    """Could the victim capture its attacker now, without a new danger to its king?"""
    side = side_of(pieces[victim])
    if attacker not in attacks(pieces, victim):
        return False
    new = dangers(moved(pieces, victim, attacker), side)
    return not new or not new - dangers(pieces, side)


def counts(pieces, attacker, victim, heavy_minor=True):
    """Whether the available capture is worth something: the table of counting captures."""
    a, v = kind_of(pieces[attacker]), kind_of(pieces[victim])
    if a in "NC" and v == "R":
        return True
    if a in "AB" and v in ("RNC" if heavy_minor else "NC"):
        return True
    if a == v and can_strike_back(pieces, attacker, victim):
        return False
    return not is_protected(pieces, attacker, victim)


def captures(pieces, side, strict, heavy_minor=True):
    """{(attacker, victim): counts} of all captures available to the side."""
    return _captures(frozenset(pieces.items()), side, strict, heavy_minor)


@lru_cache(1000)  # the same positions come again in a loop, and for each rule set
def _captures(placed, side, strict, heavy_minor):
    pieces, found = dict(placed), {}
    for attacker, letter in pieces.items():
        if side_of(letter) != side or kind_of(letter) in "KP":
            continue
        for victim in attacks(pieces, attacker):
            v = pieces[victim]
            if side_of(v) == side or v in "Kk" or (v in "Pp" and not has_crossed(victim, 1 - side)):
                continue
            new = dangers(moved(pieces, attacker, victim), side)
            if new and not strict:
                new -= dangers(pieces, side)
            if not new:
                found[attacker, victim] = counts(pieces, attacker, victim, heavy_minor)
    return found


class Game:
    """All positions of a board's game; moves are pairs of squares."""

    def __init__(self, board: BaseBoard):
        root = board.copy()
        while root.ply:
            root.pop()
        pieces, side = parse(root.fen())
        self.positions = [(pieces, side)]
        self.moves = []
        for move in board.move_stack:
            src, dst = square_of(move.from_square), square_of(move.to_square)
            pieces, side = moved(pieces, src, dst), 1 - side
            self.moves.append((src, dst))
            self.positions.append((pieces, side))

    def window(self, occurrences):
        """Index of the first of so many latest occurrences of the last position, or None."""
        equal = [i for i, position in enumerate(self.positions) if position == self.positions[-1]]
        return equal[-occurrences] if len(equal) >= occurrences else None


def judge(board, rule_set="axf", occurrences=3):
    """(result, grade of red, grade of black), or None before that many occurrences."""
    game = Game(board)
    start = game.window(occurrences)
    if start is None:
        return None
    grades = GRADES[rule_set](game, start)
    red, black = grades[RED], grades[BLACK]
    if red == black:
        return "draw", red, black
    loser = RED if red > black else BLACK
    if (
        rule_set in ("axf", "axfbook")
        and grades[loser] == 1
        and never_idle(game, start, 1 - loser, rule_set == "axf")
    ):
        return "draw", red, black
    return ("red_loses", "black_loses")[loser], red, black


def identities(game, start):
    """For each position of the window, the number of the piece on each square."""
    numbers = {square: i for i, square in enumerate(sorted(game.positions[start][0]))}
    found = [numbers]
    for src, dst in game.moves[start:]:
        numbers = moved(numbers, src, dst)
        found.append(numbers)
    return found


def chases(game, start, heavy_minor=True):
    """For each move of the window: side, does it check, {(attacker, victim) after the move: is it direct}."""
    last = len(game.moves)
    for k in range(start, last):
        before, side = game.positions[k]
        after, them = game.positions[k + 1]
        move = game.moves[k]
        reply = game.moves[k + 1] if k + 1 < last else game.moves[start]
        was = captures(before, side, False, heavy_minor)
        now = captures(after, side, False, heavy_minor)
        left = captures(moved(after, *reply), side, True, heavy_minor)
        found = {}
        for (attacker, victim), real in now.items():
            earlier = (move[0] if attacker == move[1] else attacker, victim)
            later = (attacker, reply[1] if victim == reply[0] else victim)
            if real and not was.get(earlier) and not left.get(later):
                found[attacker, victim] = earlier not in was
        yield side, bool(dangers(after, them)), found


def grades_axf(game, start, heavy_minor=True):
    numbers = identities(game, start)
    moves = [
        (side, check, {(here[victim], direct) for (_, victim), direct in found.items()})
        for here, (side, check, found) in zip(numbers[1:], chases(game, start, heavy_minor), strict=True)
    ]
    grades = []
    for side in (RED, BLACK):
        own = [move for move in moves if move[0] == side]
        directly = [{piece for piece, direct in chased if direct} for _, _, chased in own]
        anyhow = [{piece for piece, _ in chased} for _, _, chased in own]
        if all(check for _, check, _ in own):
            grades.append(3)
        elif set.intersection(*directly):
            grades.append(2)
        elif set.intersection(*anyhow):
            grades.append(1)
        else:
            grades.append(0)
    return grades


def never_idle(game, start, side, heavy_minor):
    return all(
        check or any(found.values())
        for mover, check, found in chases(game, start, heavy_minor)
        if mover == side
    )


def checks(game, start, side):
    """For each move of the side in the window: does it check?"""
    return [bool(dangers(pieces, turn)) for pieces, turn in game.positions[start + 1 :] if turn == 1 - side]


def chases_computer(game, start):
    """For each move of the window: {(attacker, victim) after the move} of what it threatens newly."""
    for (before, side), (after, _) in pairwise(game.positions[start:]):
        was = {victim for (_, victim), real in captures(before, side, strict=True).items() if real}
        now = captures(after, side, strict=True)
        yield {pair for pair, real in now.items() if real and pair[1] not in was}


def grades_computer(game, start):
    by_side = [checks(game, start, side) for side in (RED, BLACK)]
    grades = [3 if all(given) else 0 for given in by_side]
    if any(map(any, by_side)):
        return grades
    numbers = identities(game, start)
    common = [set(numbers[0].values()), set(numbers[0].values())]
    for k, found in enumerate(chases_computer(game, start), 1):
        here, side = numbers[k], 1 - game.positions[start + k][1]
        common[side] &= {here[victim] for _, victim in found}
    return [2 if pieces else 0 for pieces in common]


def grades_simple(game, start):
    numbers = identities(game, start)
    grades = []
    for side in (RED, BLACK):
        given = checks(game, start, side)
        own = [k for k in range(start, len(game.moves)) if game.positions[k][1] == side]
        prey = set()
        for k, check in zip(own, given, strict=True):
            victim = None if check else simple_prey(game.positions[k + 1][0], *game.moves[k])
            prey.add(None if victim is None else numbers[k + 1 - start][victim])
        grades.append(3 if all(given) else 2 if len(prey) == 1 and prey != {None} else 0)
    return grades


def simple_prey(pieces, src, dst):
    kind, side = kind_of(pieces[dst]), side_of(pieces[dst])
    always, bare = {"N": ("R", "CP"), "R": ("", "NCP"), "C": ("R", "NP")}.get(kind, ("", ""))
    across = 1 if src[0] == dst[0] else 0  # along the rank after a move on a file
    order = (lambda s: (-s[1], s[0])) if kind == "N" else (lambda s: (s[1], -s[0]))
    for victim in sorted(attacks(pieces, dst), key=order):
        letter = pieces[victim]
        if side_of(letter) == side or (kind in "RC" and victim[across] != dst[across]):
            continue
        if letter in "Pp" and not has_crossed(victim, 1 - side):
            continue
        friends = [s for s in pieces if side_of(pieces[s]) != side and victim in attacks(pieces, s)]
        if kind_of(letter) in always or (kind_of(letter) in bare and not friends):
            return victim
    return None


# Rule set cxa


VALUES = {"K": 5000, "A": 160, "B": 150, "N": 480, "R": 1000, "C": 520, "P": 110}
GAIN = 100
MATING_CHECKS, WINNING_CHECKS = 3, 2


def value_at(pieces, square):
    return VALUES[kind_of(pieces[square])] if square in pieces else 0


def exchange(pieces, attacker, target):
    """What a capture wins when both sides go on capturing there as long as it pays, the least piece first."""
    after = moved(pieces, attacker, target)
    side = 1 - side_of(pieces[attacker])
    for kind in "PBANCRK":
        for square in sorted(after, key=lambda s: (s[1], s[0])):
            same = side_of(after[square]) == side and kind_of(after[square]) == kind
            if same and target in attacks(after, square) and not dangers(moved(after, square, target), side):
                return value_at(pieces, target) - max(0, exchange(after, square, target))
    return value_at(pieces, target)


def wins_exchange(pieces, attacker, victim):
    a, v = kind_of(pieces[attacker]), kind_of(pieces[victim])
    if (a == v or (a in "NC" and v in "NC")) and can_strike_back(pieces, attacker, victim):
        return False
    return exchange(pieces, attacker, victim) >= GAIN


def fen_of(pieces, side):
    return make_fen({FILES * rank + file: letter for (file, rank), letter in pieces.items()}, side == RED)


def to_board(pieces, side):
    return BaseBoard(fen_of(pieces, side))


def pieces_of(board):
    return parse(board.fen())[0]


def wins_by_checks(board, balance, checks, first_may_capture):
    """Does a run of so many checks mate, or win so much that balance comes up to a gain?"""
    for move in list(board.legal_moves):
        if not board.gives_check(move) or (board.is_capture(move) and not first_may_capture):
            continue
        now = balance + value_at(pieces_of(board), square_of(move.to_square))
        board.push(move)
        wins = all(wins_after(board, reply, now, checks) for reply in list(board.legal_moves))
        board.pop()
        if wins:
            return True
    return False


def wins_after(board, reply, balance, checks):
    """Goes the run of checks on after this reply, or is there a capture that wins enough?"""
    left = balance - value_at(pieces_of(board), square_of(reply.to_square))
    board.push(reply)
    pieces = pieces_of(board)
    wins = any(
        board.is_capture(move)
        and exchange(pieces, square_of(move.from_square), square_of(move.to_square)) + left >= GAIN
        for move in board.legal_moves
    )
    wins = wins or (checks > 1 and wins_by_checks(board, left, checks - 1, True))
    board.pop()
    return wins


def square_of(s):
    return s % FILES, s // FILES


def is_attack(before, after, move, side):
    """A check, a capture newly worth making, a mate threat, or a new threat to win by checks?"""
    if dangers(after, 1 - side):
        return True
    was = captures(before, side, strict=False)
    for attacker, victim in captures(after, side, strict=False):
        earlier = (move[0] if attacker == move[1] else attacker, victim)
        won_before = earlier in was and wins_exchange(before, *earlier)
        if wins_exchange(after, attacker, victim) and not won_before:
            return True
    if wins_by_checks(to_board(after, side), -VALUES["K"], MATING_CHECKS, True):
        return True
    return wins_by_checks(to_board(after, side), 0, WINNING_CHECKS, False) and not wins_by_checks(
        to_board(before, side), 0, WINNING_CHECKS, False
    )


def grades_cxa(game, start):
    grades = []
    for side in (RED, BLACK):
        own = [k for k in range(start, len(game.moves)) if game.positions[k][1] == side]
        if all(checks(game, start, side)):
            grades.append(3)
        elif all(is_attack(game.positions[k][0], game.positions[k + 1][0], game.moves[k], side) for k in own):
            grades.append(2)
        else:
            grades.append(0)
    return grades


GRADES = {
    "axf": grades_axf,
    "axfbook": lambda game, start: grades_axf(game, start, heavy_minor=False),
    "computer": grades_computer,
    "simple": grades_simple,
    "cxa": grades_cxa,
}
