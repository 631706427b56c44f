"""The classical evaluation counts what its terms say, and its trace explains the score to the centipawn."""

import random
from collections import Counter

from network_reference import scale_of_kinds
from support import (
    ADVISOR,
    BISHOP,
    CANNON,
    COLORS,
    KING,
    KNIGHT,
    PAWN,
    PIECE_TYPES,
    RED,
    ROOK,
    classical,
    home,
    raises,
    random_endgame,
    sample,
    squares_of,
)

from eleengine import Board
from eleengine._core import WEIGHT_TABLES, eval_trace
from eleengine.evaluation import evaluate

RNG = random.Random(5)
POSITIONS = [
    *sample(400),
    *(random_endgame(RNG, RNG.randint(3, 7)).fen() for _ in range(200)),
    # One attacker against many guards: hard to win, and with a table drawn.
    "3k1ab2/4a4/4b4/9/9/9/9/4n4/9/4KR3 w",
    "4kab2/4a4/9/9/9/9/9/9/9/p2K1C3 w",
    "3k1a3/4a4/9/9/4P4/9/9/9/9/p3K4 w",
    "2bak4/4a4/4b4/9/9/9/9/9/4R4/5K3 w",
    "2bak4/4a4/9/9/9/9/9/9/4R4/5K3 b",
    "3k5/4a4/4ba3/9/9/9/9/9/4N4/5K3 w",
    "5k3/9/9/9/9/4c4/9/3AB4/4A4/2B1K4 b",
    "5k3/9/9/9/9/4p4/9/3AB4/4A4/4K4 b",
    "3ak4/4a4/9/4P4/9/9/9/9/9/4K4 w",
    # Pawns side by side, and on the edges of two ranks, which are not.
    "3k5/9/4PPP2/9/9/9/4pp3/pp7/9/5K3 w",
    "3k5/9/P8/8P/9/9/p8/8p/9/4K4 w",
    "4k4/9/9/PP5PP/9/9/9/3ppp3/9/3K5 b",
]
PHASE = {KNIGHT: 3, ROOK: 6, CANNON: 3}
MOST_PHASE = 48
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


def between(one, other):
    """The squares between two on a line; None if they are on none."""
    (r1, f1), (r2, f2) = divmod(one, 9), divmod(other, 9)
    if one == other or (r1 != r2 and f1 != f2):
        return None
    step = (9 if r2 > r1 else -9) if f1 == f2 else (1 if f2 > f1 else -1)
    return range(one + step, other, step)


def slides(board, square):
    """Squares that a rook would attack from there."""
    found = set()
    for dr, df in STEPS:
        rank, file = divmod(square, 9)
        while 0 <= rank + dr < 10 and 0 <= file + df < 9:
            rank, file = rank + dr, file + df
            found.add(9 * rank + file)
            if board.piece_at(9 * rank + file):
                break
    return found


def knight_reaches(board, square, target):
    """Could a knight go from the square to the target?"""
    (r1, f1), (r2, f2) = divmod(square, 9), divmod(target, 9)
    dr, df = r2 - r1, f2 - f1
    if sorted((abs(dr), abs(df))) != [1, 2]:
        return False
    step = (9 if dr > 0 else -9) if abs(dr) == 2 else 1 if df > 0 else -1
    return board.piece_at(square + step) is None


class Camp:
    """One side's pieces and what they attack, from outside."""

    def __init__(self, board, color):
        self.board, self.color = board, color
        self.at = {kind: set(squares_of(board.pieces_mask(kind, color))) for kind in PIECE_TYPES}
        self.all = set().union(*self.at.values())
        self.attacks = {
            kind: {t for s in squares for t in squares_of(board.attacks_mask(s))}
            for kind, squares in self.at.items()
        }
        self.attacked = set().union(*self.attacks.values())
        self.palace = set(home(KING, color))
        own_half = range(45) if color == RED else range(45, 90)
        self.crossed = self.at[PAWN] - set(own_half)
        turned = board.copy(stack=False)
        turned.turn = color
        self.shields = set(squares_of(turned.blockers_mask()))

    def n(self, kind):
        return len(self.at[kind])

    @property
    def army(self):
        return self.n(ROOK), self.n(KNIGHT), self.n(CANNON)

    @property
    def guards(self):
        return self.n(ADVISOR) + self.n(BISHOP)


def counts_of(us, them):
    """What one side has of each term, in the words of weights.pxi."""
    board, found = us.board, Counter()
    everything = us.all | them.all
    pressure = 0
    if board.turn == us.color:
        found["tempo", ()] += 1
    for kind, name in ((ROOK, "rook"), (KNIGHT, "knight"), (CANNON, "cannon")):
        for s in us.at[kind]:
            targets = set(squares_of(board.attacks_mask(s)))
            pressure += len(targets & them.palace)
            if kind == CANNON:
                targets = (targets & everything) | (slides(board, s) - everything)
            found[f"{name} mobility", (len(targets - us.all - them.attacks[PAWN]),)] += 1
    for s in us.at[PAWN]:
        pressure += 2 * len(set(squares_of(board.attacks_mask(s))) & them.palace)
    found["pressure", (them.n(ADVISOR), min(pressure, 15))] += 1
    [king] = them.at[KING]
    for s in us.at[CANNON]:
        path = between(king, s)
        if path is not None:
            line = "file" if king % 9 == s % 9 else "rank"
            found[f"cannon on {line}", (int(us.n(ROOK) > 0), min(len(everything & set(path)), 3))] += 1
    safe = set(range(90)) - us.all - them.attacked
    found["rook check", ()] += len(slides(board, king) & us.attacks[ROOK] & safe)
    found["knight check", ()] += sum(knight_reaches(board, s, king) for s in us.attacks[KNIGHT] & safe)
    for kind in range(ADVISOR, PAWN + 1):
        targets = them.at[kind] & us.attacked
        found["hanging", (kind,)] += len(targets - them.attacked)
        if kind in (KNIGHT, ROOK, CANNON):
            light = us.attacks[PAWN] | us.attacks[ADVISOR] | us.attacks[BISHOP]
            found["threat by light piece", (kind,)] += len(targets & light)
        if kind == ROOK:
            middle = us.attacks[KNIGHT] | us.attacks[CANNON]
            found["threat by minor piece", ()] += len(targets & middle & them.attacked)
        if kind >= KNIGHT:
            found["protected", (kind,)] += len(us.at[kind] & us.attacked)
            found["pinned", (kind,)] += len(us.at[kind] & us.shields)
    for against, kind in (("rooks", ROOK), ("cannons", CANNON), ("knights", KNIGHT)):
        found[f"advisors against {against}", (us.n(ADVISOR), them.n(kind))] += 1
    found["bishops against cannons", (us.n(BISHOP), them.n(CANNON))] += 1
    found["bishops against pawns", (us.n(BISHOP), min(len(them.crossed), 3))] += 1
    found["crossed pawns", (len(us.crossed),)] += 1
    found["crossed pair", ()] += sum(s + 1 in us.crossed and s % 9 < 8 for s in us.crossed)
    files = {s % 9 for s in us.at[PAWN]}
    found["rook on open file", ()] += sum(s % 9 not in files for s in us.at[ROOK])
    found["army and pawns", (*us.army, us.n(PAWN))] += 1
    found["army against pawns", (*us.army, them.n(PAWN))] += 1
    found["army against army", (*us.army, *them.army)] += 1
    found["pawns against guards", (us.n(PAWN), them.guards)] += 1
    found["cannon by screens", (len(everything) // 4,)] += us.n(CANNON)
    for kind in PIECE_TYPES:
        if kind != KING:
            found["material", (kind,)] += us.n(kind)
        for s in us.at[kind]:
            found["square", (kind, s if us.color == RED else 9 * (9 - s // 9) + s % 9)] += 1
    return Counter({(name, within(name, index)): n for (name, index), n in (+found).items()})


def within(name, index):
    """The index, or where its table ends: composed positions have more pieces."""
    sizes = () if name in ("material", "square") else dict(WEIGHT_TABLES)[name]
    return tuple(map(min, index, (size - 1 for size in sizes))) if sizes else index


def hope(strong, weak, board):
    """How much of an advantage can be used, of 64."""
    letters = {ROOK: "r", KNIGHT: "n", CANNON: "c", PAWN: "p", ADVISOR: "a", BISHOP: "b"}
    own, other = ([x for kind, x in letters.items() for _ in range(camp.n(kind))] for camp in (strong, weak))
    return scale_of_kinds(own, other, board)


def quotient(a, b):
    """Towards zero."""
    return a // b if a >= 0 else -(-a // b)


def test_each_term_counts_what_it_is_named_after():
    """Counted from outside, by attacks and squares alone."""
    seen = Counter()
    for fen in POSITIONS:
        board = Board(fen)
        red, black = (Camp(board, color) for color in COLORS)
        expected = counts_of(red, black), counts_of(black, red)
        found = Counter(), Counter()
        for term, index, *numbers in eval_trace(board)["counts"]:
            for side in (0, 1):
                found[side][term, index] += numbers[side]
        for side in (0, 1):
            assert +found[side] == expected[side], fen
            seen += expected[side]
    # No term goes untested: the common ones often, the rare ones a few times.
    often = Counter()
    for (name, _), n in seen.items():
        often[name] += n
    assert len(often) == 29, sorted(often)
    assert min(often.values()) >= 5, often


def test_phase_hope_and_move_limit_make_the_score_of_the_sums():
    searcher = classical(hash_mib=1)
    phases, hopes, drifts = set(), set(), 0
    for fen in POSITIONS:
        board = Board(fen)
        trace = eval_trace(board)
        red, black = (Camp(board, color) for color in COLORS)
        phase = min(sum(n * (red.n(kind) + black.n(kind)) for kind, n in PHASE.items()), MOST_PHASE)
        score = quotient(trace["mg"] * phase + trace["eg"] * (MOST_PHASE - phase), MOST_PHASE)
        scale = hope(red, black, board) if score > 0 else hope(black, red, board)
        score = quotient(score * scale, 64)
        score -= quotient(score * min(board.no_capture_plies(), 100), 400)
        drifts += board.no_capture_plies() > 20 and abs(score) > 20
        phases.add(phase)
        hopes.add(scale)
        assert (trace["phase"], trace["scale"]) == (phase, scale), fen
        assert trace["score"] == searcher.evaluate(board) == (score if board.turn == RED else -score), fen
    assert len(phases) > 12 and hopes >= {2, 12, 16, 32, 64} and drifts > 5


def test_the_counts_times_their_weights_are_the_sums():
    """A term that the trace does not know would be missing here."""
    for fen in POSITIONS:
        trace = eval_trace(Board(fen))
        mg = sum((red - black) * weight for _, _, red, black, weight, _ in trace["counts"])
        eg = sum((red - black) * weight for _, _, red, black, _, weight in trace["counts"])
        assert (mg, eg) == (trace["mg"], trace["eg"]), fen


def test_terms_and_steps_sum_up_to_the_score_of_the_search():
    searcher = classical(hash_mib=1)
    for fen in POSITIONS:
        board = Board(fen)
        evaluation = evaluate(board)
        total = sum(term.total for term in evaluation.terms) + sum(value for _, value in evaluation.steps)
        assert total == evaluation.score.red().score(), fen
        assert evaluation.score.relative.score() == searcher.evaluate(board), fen


def test_every_term_has_a_group():
    groups = {term.group for fen in POSITIONS for term in evaluate(Board(fen)).terms}
    assert groups == {
        "material", "piece squares", "mobility", "attack on the king", "threats", "structure", "imbalance",
        "tempo",
    }  # fmt: skip


def test_scaling_and_the_move_limit_are_steps_of_their_own():
    board = Board("3k5/4a4/3a5/9/2b6/9/9/4C4/9/4K4 w - - 0 1")
    names, values = zip(*evaluate(board).steps, strict=True)
    assert names[1].startswith("winning chances") and not names[1].endswith("64/64")
    assert values[1] < 0 == values[2]
    board = Board("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/1NBAKABNR w - - 80 60")
    assert evaluate(board).steps[2][1] > 0  # Red is behind: the drift helps


def test_exchanged_colors_exchange_the_columns():
    for fen in POSITIONS[::10]:
        board = Board(fen)
        ours, theirs = evaluate(board), evaluate(board.swap_colors())
        assert theirs.score.relative == ours.score.relative, fen
        # The order of the counts may differ, and with it the order of the terms.
        columns = {(term.group, term.name): (term.black, term.red) for term in theirs.terms}
        assert {(term.group, term.name): (term.red, term.black) for term in ours.terms} == columns, fen


def test_the_table_shows_each_term_and_count():
    evaluation = Board().evaluation()
    lines = evaluation.table(counts=True).splitlines()
    for term in evaluation.terms:
        assert any(line.startswith(f"  {term.name} ") for line in lines)
        for count in term.counts:
            assert any(line.startswith(f"    {count.what} ") for line in lines)
    assert str(evaluation) == evaluation.table()


def test_a_position_that_is_not_valid_is_refused():
    raises(ValueError, "red has no king", Board("4k4/9/9/9/9/9/9/9/9/9 w", validate=False).evaluation)
