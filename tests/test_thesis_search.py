"""The source papers' algorithms: scores against plain minimax and each other, their table, their threads."""

import functools
import itertools
import threading
import time
from array import array

import pytest
from support import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, START, raises, sample

from eleengine import Board, Move, Piece
from eleengine._core import IllegalMoveError, ThesisSearch, ThesisTable, openmp_enabled, shipped_weights
from eleengine.papers.experiments import openings
from eleengine.weights import Weights

PLAIN = {
    "table": False,
    "table_move": False,
    "captures": False,
    "killers": "off",
    "history": False,
    "null_move": False,
}
SOUND = {"null_move": False, "exact_depth": True, "hash_mib": 1}  # everything that changes no score
ALGORITHMS = ("alphabeta", "pvs", "mtdf")
SPLITS = ("pv", "tree", "window", "dts", "tasks")
REAL_SPLITS = (*SPLITS, "openmp-tasks")  # which OpenMP runs as it likes, so that they cannot be simulated
OPENING = "r1bakabr1/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w"
MIDDLEGAME = "3akab2/9/2n1b1c2/p1N1p3p/1r3n1r1/2R1PR3/P7P/4C1N1B/9/2BAKA3 w"
ENDGAME = "3k5/4P4/5c3/c8/9/9/9/B8/3C5/5KC2 w"
MATE_IN_1 = "3k5/R8/8R/9/9/9/9/9/9/5K3 w"
MATE_IN_3 = "2bk5/r3aR3/n1r1b4/9/9/6R2/9/3n5/4p4/1C3K3 w"
POSITIONS = (START, OPENING, MIDDLEGAME, ENDGAME, MATE_IN_1)
needs_openmp = pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")


def minimax(search, board, depth, ply=0):
    """The value by definition: every move, no window."""
    if depth == 0:
        return search.evaluate(board)
    values = []
    for move in board.legal_moves:
        board.push(move)
        values.append(-minimax(search, board, depth - 1, ply + 1))
        board.pop()
    return max(values, default=-30000 + ply)


class Taken(Board):
    """A board that remembers which of its moves were captures."""

    def __init__(self, fen):
        super().__init__(fen)
        self.log_of_captures = []

    def push(self, move):
        self.log_of_captures.append(self.is_capture(move))
        super().push(move)

    def pop(self):
        self.log_of_captures.pop()
        return super().pop()

    def captured(self, back):
        return self.log_of_captures[-back]


def scores(board, depth, **options):
    return [line.score for line in ThesisSearch(**options).search(board, depth=depth)]


@functools.cache
def sound_scores(fen, depth, algorithm):
    """Those of one thread, for all tests of several."""
    return scores(Board(fen), depth, algorithm=algorithm, **SOUND)


# The evaluation

VALUE = {KING: 0, ADVISOR: 250, BISHOP: 250, KNIGHT: 350, ROOK: 550, CANNON: 350, PAWN: 100}
MOBILITY = {KING: 0, ADVISOR: 1, BISHOP: 1, KNIGHT: 12, ROOK: 6, CANNON: 6, PAWN: 15}
FIGURES = {  # 5.3 to 5.5 of the thesis as printed, the enemy's back rank first, files a to e
    KNIGHT: """70 80 90 80 70  80 110 125 90 70  90 100 120 125 120  90 100 120 130 110  90 110 110 120 100
        90 100 100 110 100  80 90 100 100 90  80 80 90 90 80  70 75 75 70 50  60 70 75 70 60""",
    PAWN: """10 10 10 20 25  25 30 40 50 60  25 30 30 40 40  20 25 25 30 30  15 20 20 20 20
        10 0 15 0 15  10 0 10 0 15  0 0 0 0 0  0 0 0 0 0  0 0 0 0 0""",
    ROOK: """160 170 160 150 150  170 180 170 190 250  170 190 200 220 240  180 220 210 240 250
        180 220 210 240 250  180 220 210 210 250  170 190 180 220 240  170 180 170 170 160
        160 170 160 160 150  150 160 150 160 150""",
}


def place(square, piece):
    """What the square adds to a piece: the figures' number; our own 100 for a cannon."""
    rank, file = divmod(square if piece.color else 89 - square, 9)
    if piece.piece_type in FIGURES:
        return int(FIGURES[piece.piece_type].split()[5 * (9 - rank) + min(file, 8 - file)])
    return 100 if piece.piece_type == CANNON else 0


def army(board, color):
    """A side's five terms, counted piece by piece."""
    pieces = board.piece_map()
    own = {square for square, piece in pieces.items() if piece.color == color}
    enemy = pieces.keys() - own
    ours = {target for square in own for target in board.attacks(square)}
    theirs = {target for square in enemy for target in board.attacks(square)}
    total = calm = lost = 0
    for square in own:
        kind = pieces[square].piece_type
        targets = set(board.attacks(square)) - own
        if kind == CANNON:  # it captures what it attacks, and moves like a rook
            view = board.copy(stack=False)
            view.set_piece_at(square, Piece(ROOK, color))
            targets = targets & enemy | set(view.attacks(square)) - own - enemy
        total += VALUE[kind] + place(square, pieces[square]) + MOBILITY[kind] * len(targets)
        if square in theirs:
            lost += VALUE[kind] * (1 if square in ours else 2)
        elif square in ours:
            calm += VALUE[kind]
    return total + calm // 32 - (lost // 16 if board.turn == color else lost // 4)


@pytest.mark.parametrize("fen", [*POSITIONS, *sample(20, seed=4)])
def test_evaluation_is_the_sum_of_the_thesis_terms(fen):
    board = Board(fen)
    expected = army(board, True) - army(board, False)
    assert ThesisSearch(hash_mib=1).evaluate(board) == (expected if board.turn else -expected)


TABLES = {  # 2-4 and 2-5 of the engine thesis as printed: the knight in the middlegame and in the endgame
    True: """90 90 90 96 90  90 96 103 97 94  92 98 99 103 99  93 108 100 107 100  90 100 99 103 104
        90 98 101 102 103  92 94 98 95 98  93 92 94 95 92  85 90 92 93 78  88 85 90 88 90""",
    False: """92 94 96 96 96  94 96 98 98 98  96 98 100 100 100  96 98 100 100 100  96 98 100 100 100
        94 96 98 98 98  94 96 98 98 98  92 94 96 96 96  90 92 94 92 92  88 90 92 90 90""",
}
PHASE = {KING: 0, ADVISOR: 1, BISHOP: 1, PAWN: 1, ROOK: 6, KNIGHT: 3, CANNON: 3}


def tapered(board, color):
    """Figure 2-3 and chapter 2.3.4 of the engine thesis, of one side: middlegame, endgame, the rest."""
    pieces = board.piece_map()
    middle = end = rest = pressure = 0
    for square, piece in pieces.items():
        kind, own = piece.piece_type, piece.color == color
        rank, file = divmod(square if piece.color else 89 - square, 9)
        if not own:
            crossed = rank >= 5
            pressure += crossed * {ROOK: 2, KNIGHT: 2, CANNON: 1, PAWN: 1}.get(kind, 0)
        if kind in (ROOK, KNIGHT, CANNON):
            pressure += (-1 if own else 1) * (2 if kind == ROOK else 1)
        if not own:
            continue
        if kind == KNIGHT:
            index = 5 * (9 - rank) + min(file, 8 - file)
            middle += int(TABLES[True].split()[index])
            end += int(TABLES[False].split()[index])
            safe = [
                target
                for target in board.attacks(square)
                if target not in pieces
                and 0 < target % 9 < 8
                and 0 < target // 9 < 9
                and not any(target in board.attacks(s) for s, p in pieces.items() if p.color != color)
            ]
            rest -= {0: 10, 1: 5}.get(len(safe), 0)
        elif kind in (ROOK, CANNON, PAWN):
            middle += (VALUE[kind] + place(square, piece)) // 4
            end += (VALUE[kind] + place(square, piece)) // 4
        if kind == ROOK:
            rest += len(set(board.attacks(square)) - pieces.keys())
    pressure = min(8, max(0, pressure))
    guards = sum(piece.color == color and piece.piece_type in (ADVISOR, BISHOP) for piece in pieces.values())
    return middle, end, rest + 20 * pressure * guards // 8 + 80 * (8 - pressure) // 8


@pytest.mark.parametrize("fen", [*POSITIONS, *sample(20, seed=5)])
def test_evaluation_is_that_of_the_engine_thesis(fen):
    board = Board(fen)
    phase = min(66, sum(PHASE[piece.piece_type] for piece in board.piece_map().values()))
    middle, end, rest = (a - b for a, b in zip(tapered(board, True), tapered(board, False), strict=True))
    expected = int((phase * middle + (66 - phase) * end) / 66) + rest
    found = ThesisSearch(hash_mib=1, evaluation="tapered").evaluate(board)
    assert found == (expected if board.turn else -expected)


def test_values_of_pieces_count():
    """Of all six kinds: what is worth more is worth it once for each piece."""
    board = Board("3akab2/9/2n1b1c2/p1N1p3p/1r3n1r1/2R1PR3/P7P/4C1N1B/9/2BAK4 w")
    values = [250, 250, 350, 550, 350, 100]
    before = ThesisSearch(hash_mib=1, values=values).evaluate(board)
    assert before == ThesisSearch(hash_mib=1).evaluate(board)
    found = set()
    for index, kind in enumerate((ADVISOR, BISHOP, KNIGHT, ROOK, CANNON, PAWN)):
        more = [value + 32 * (i == index) for i, value in enumerate(values)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(VALUE, kind, VALUE[kind] + 32)
            expected = army(board, True) - army(board, False)
        found.add(ThesisSearch(hash_mib=1, values=more).evaluate(board))
        assert ThesisSearch(hash_mib=1, values=more).evaluate(board) == expected
    assert len(found) >= 3


# Scores


@pytest.mark.parametrize(("fen", "depth"), [(START, 2), (MIDDLEGAME, 2), (ENDGAME, 3), (MATE_IN_1, 4)])
@pytest.mark.parametrize("algorithm", ("minimax", *ALGORITHMS))
def test_the_score_is_that_of_minimax(algorithm, fen, depth):
    board = Board(fen)
    search = ThesisSearch(algorithm=algorithm, **SOUND)
    assert search.search(board, depth=depth)[-1].score == minimax(search, board, depth)


@pytest.mark.parametrize("fen", ["3k5/9/8R/9/9/9/9/5K3/9/9 b", "3k5/9/9/3P5/9/R8/9/3K5/9/9 b"])
def test_a_mate_in_the_table_is_counted_from_its_own_position(fen):
    """The same position may stand two plies further from the root."""
    [*_, plain] = scores(Board(fen), 5, algorithm="alphabeta", **PLAIN)
    assert plain == -30000 + 4
    for entry in ("xor", "checksums"):
        options = {"null_move": False, "hash_mib": 1, "entry": entry}
        assert scores(Board(fen), 5, algorithm="alphabeta", **options)[-1] == plain


def test_a_mate_is_found_and_counted_from_the_root():
    """Five plies, and a sixth to see that no move is left."""
    for algorithm in ALGORITHMS:
        lines = ThesisSearch(algorithm=algorithm, hash_mib=1).search(Board(MATE_IN_3), depth=6)
        assert lines[-1].score == 30000 - 5
        assert lines[-1].move.iccs() in ("b0b9", "g4g9")
        assert lines[-2].score < 0


@pytest.mark.parametrize("fen", POSITIONS)
def test_sound_switches_change_no_score(fen):
    """Alpha-beta alone, and each algorithm with each helper alone and with all of them."""
    board = Board(fen)
    depth = 3 if fen == MIDDLEGAME else 4
    expected = scores(board, depth, algorithm="alphabeta", **PLAIN)
    alone = [{"table": True, "exact_depth": True}, {"captures": True}, {"history": True}]
    alone += [{"captures": "exchange"}, {"history": "square"}, {"history": True, "alpha_killers": True}]
    alone += [
        {"table": True, "exact_depth": True, "layers": 2},
        {"table": True, "exact_depth": True, "table_move": True, "alpha_moves": False},
        {"table": True, "exact_depth": True, "table_move": True, "internal_deepening": True},
        {"killers": "after"},
        {"killers": "before"},
        {"table": True, "exact_depth": True, "table_move": True},
    ]
    for algorithm, helper in itertools.product(ALGORITHMS, [{}, *alone]):
        options = PLAIN | {"algorithm": algorithm, "hash_mib": 1} | helper
        assert scores(board, depth, **options) == expected, options
    for algorithm, entry in itertools.product(ALGORITHMS, ["xor", "checksums", "lock"]):
        assert scores(board, depth, algorithm=algorithm, entry=entry, **SOUND) == expected


@pytest.mark.parametrize(
    "options",
    [
        {"extensions": True}, {"extensions": "forced"}, {"quiescence": True}, {"evaluation": "tapered"},
        {"grain": 8}, {"evaluation": "engine"}, {"deepening": False},
    ],
)  # fmt: skip
def test_algorithms_agree_under(options):
    """Without the table: extensions depend on the path, and so does the engine's evaluation."""
    for fen in POSITIONS:
        base = PLAIN | {"captures": True, "history": True, "killers": "after"} | options
        one, *others = (scores(Board(fen), 3, **base | {"algorithm": name}) for name in ALGORITHMS)
        assert others == [one, one]


def test_grain_rounds_towards_zero():
    board = Board(MIDDLEGAME)
    exact = ThesisSearch(**PLAIN).evaluate(board)
    black = Board(MIDDLEGAME.replace(" w", " b"))
    assert exact % 50 and ThesisSearch(**PLAIN).evaluate(black) % 50
    for one in scores(board, 2, **PLAIN, grain=50) + scores(black, 2, **PLAIN, grain=50):
        assert one % 50 == 0
    assert scores(board, 1, **PLAIN, grain=1000) == [0]


def test_extensions_look_beyond_a_check():
    """At depth 1 the leaf after the mating move is not seen to be a mate; an extension sees it."""
    board = Board(MATE_IN_1)
    assert scores(board, 1, **PLAIN)[-1] < 29000
    assert scores(board, 1, **PLAIN | {"extensions": True})[-1] == 30000 - 1
    # Five plies at depth 3: the side in check is searched a ply deeper each time.
    board = Board(MATE_IN_3)
    assert scores(board, 3, **PLAIN)[-1] < 29000
    assert scores(board, 4, **PLAIN | {"extensions": "forced"})[-1] == 30000 - 5


def extended(search, board, depth, ply, most):
    """minimax with one ply more for a check, or after two captures in a row."""
    taken = [board.captured(back) for back in (1, 2)] if ply > 1 else [False, False]
    if depth == 0 and not (ply < most and (board.is_check() or all(taken))):
        return search.evaluate(board)
    values = []
    for move in board.legal_moves:
        board.push(move)
        values.append(-extended(search, board, max(depth, 1) - 1, ply + 1, most))
        board.pop()
    return max(values, default=-30000 + ply)


@pytest.mark.parametrize("fen", [OPENING, MIDDLEGAME, ENDGAME])
def test_extensions_are_for_checks_and_exchanges(fen):
    search = ThesisSearch(**PLAIN | {"extensions": True})
    for depth in (1, 2):
        expected = extended(search, Taken(fen), depth, 0, 2 * depth)
        assert search.search(Board(fen), depth=depth)[-1].score == expected


# Taking the pawn with the advisor wins something by the values of exchanges, and loses by the material.
PAWN_FOR_ADVISOR = "4k4/9/9/9/3r5/9/9/3p5/4A4/3RK4 b"
EXCHANGES = {  # what captures win and risk
    "exchange": {KING: 5, ROOK: 4, KNIGHT: 3, CANNON: 3, ADVISOR: 1, BISHOP: 1, PAWN: 2},
    "material": VALUE,
}


def quiet(search, board, depth, ply, most, worth):
    """Minimax whose leaves are searched on by captures that win something, up to so many plies."""
    moves = list(board.legal_moves)
    if depth > 0 and not moves:
        return -30000 + ply
    values = [] if depth > 0 else [search.evaluate(board)]
    for move in moves if depth > 0 or ply < most else []:
        if depth <= 0:
            taken = board.piece_at(move.to_square)
            win = worth[taken.piece_type] if taken else 0
            if board.attackers(not board.turn, move.to_square):
                win -= worth[board.piece_at(move.from_square).piece_type]
            if not taken or win <= 0:
                continue
        board.push(move)
        values.append(-quiet(search, board, depth - 1, ply + 1, most, worth))
        board.pop()
    return max(values)


@pytest.mark.parametrize("captures", EXCHANGES)
@pytest.mark.parametrize("fen", [OPENING, MIDDLEGAME, ENDGAME, PAWN_FOR_ADVISOR, *sample(5, seed=6)])
def test_quiescence_is_of_captures_that_win(fen, captures):
    search = ThesisSearch(**PLAIN | {"quiescence": True, "captures": captures})
    for depth in (1, 2):
        expected = quiet(search, Board(fen), depth, 0, 2 * depth, EXCHANGES[captures])
        assert search.search(Board(fen), depth=depth)[-1].score == expected


def test_no_legal_move_no_line():
    assert ThesisSearch(hash_mib=1).search(Board("3k4R/R8/9/9/9/9/9/9/9/5K3 b"), depth=3) == []


# Work


def leaves(board, depth, **options):
    return ThesisSearch(**{"hash_mib": 4} | options).search(board, depth=depth)[-1].leaves


def test_each_helper_saves_leaves():
    board = Board(OPENING)
    plain = leaves(board, 5, **PLAIN | {"algorithm": "alphabeta"})
    ordered = leaves(board, 5, algorithm="alphabeta", table=False, null_move=False)
    table = leaves(board, 5, null_move=False)
    full = leaves(board, 5)
    assert full < table < ordered < plain / 5
    assert leaves(board, 5, **PLAIN | {"algorithm": "alphabeta", "table": True}) < plain


@pytest.mark.parametrize("split", SPLITS)
def test_minimax_searches_every_node(split):
    """By any number of threads, and with any order."""
    board = Board(OPENING)
    expected = [sum(board.perft(d) for d in range(1, depth + 1)) for depth in (1, 2, 3)]
    if split == "window":
        message = r"^split window: minimax has no window to be split$"
        return raises(ValueError, message, ThesisSearch, algorithm="minimax", split=split)
    for threads in (1, 3):
        options = {"threads": threads if openmp_enabled() else 1, "split": split, "table": False}
        lines = ThesisSearch(algorithm="minimax", **options).search(board, depth=3)
        assert [line.leaves for line in lines] == expected
        assert lines[-1].score == minimax(ThesisSearch(hash_mib=1), board, 3)
        assert lines[-1].cuts == 0


def test_what_nodes_below_alpha_leave_behind():
    """By default as Zou has it (4.1.4): their best moves are killers, and do not stand in the table."""
    board = Board(MIDDLEGAME)
    found = {
        (killers, moves): leaves(board, 5, alpha_killers=killers, alpha_moves=moves)
        for killers in (False, True)
        for moves in (False, True)
    }
    assert leaves(board, 5) == found[True, False]
    assert len(set(found.values())) == 4


def test_an_aspiration_window_changes_no_score():
    """Of the values that it finds at once; the others are searched again with the side open that failed."""
    for fen, algorithm in itertools.product(POSITIONS, ("alphabeta", "pvs")):
        expected = scores(Board(fen), 4, algorithm=algorithm, **SOUND)
        for width in (1, 40, 30000):
            assert scores(Board(fen), 4, algorithm=algorithm, aspiration=width, **SOUND) == expected
    board = Board(OPENING)
    assert len({leaves(board, 5, aspiration=width) for width in (0, 10, 50)}) == 3
    assert leaves(board, 5, aspiration=30000) == leaves(board, 5)
    for options in ({"algorithm": "mtdf"}, {"algorithm": "minimax"}, {"split": "window"}):
        with pytest.raises(ValueError, match=r"^aspiration: mtdf, minimax and split window have no"):
            ThesisSearch(aspiration=50, **options)


def test_sides_with_fewer_than_three_attackers_do_not_pass():
    for fen, passes in ((OPENING, True), ("3k5/4a4/4b4/9/1r7/6n2/9/4B1N2/9/2R1K4 w", False)):
        without = leaves(Board(fen), 5, null_move=False)
        assert (leaves(Board(fen), 5) != without) == passes


@pytest.mark.parametrize("threads", [1, pytest.param(2, marks=needs_openmp)])
def test_the_leaves_are_those_on_record(threads):
    """Like the signature of bench: a change that is meant to alter this search puts its numbers here."""
    found = {
        killers: [
            leaves(Board(fen), 5, killers=killers, threads=threads, virtual_time=True)
            for fen in (OPENING, MIDDLEGAME, ENDGAME)
        ]
        for killers in ("after", "before")
    }
    assert (
        found
        == {
            1: {"after": [14083, 26891, 17723], "before": [13593, 34003, 16886]},
            2: {"after": [17669, 27822, 17336], "before": [14067, 30981, 20280]},
        }[threads]
    )


def test_the_same_search_twice_is_the_same():
    board = Board(MIDDLEGAME)
    search = ThesisSearch(hash_mib=1)
    first = search.search(board, depth=5)
    learnt = search.search(board, depth=5)
    search.clear()
    again = search.search(board, depth=5)
    one, two = ([(line.score, line.leaves, line.hits) for line in lines] for lines in (first, again))
    assert one == two
    assert learnt[-1].leaves < first[-1].leaves


def test_a_table_without_leaves_gives_the_same_scores_and_no_probe_at_depth_1():
    for board in openings().values():
        options = {"exact_depth": True, "null_move": False}
        with_leaves = ThesisSearch(hash_mib=4, **options).search(board, depth=4)
        without = ThesisSearch(hash_mib=4, leaf_entries=False, **options).search(board, depth=4)
        assert [line.score for line in with_leaves] == [line.score for line in without]
        assert without[0].probes == 1 and with_leaves[0].probes > 1  # the root's alone


def test_counts_add_up_over_iterations():
    lines = ThesisSearch(hash_mib=1).search(Board(), depth=5)
    assert [line.depth for line in lines] == [1, 2, 3, 4, 5]
    for shallow, deep in itertools.pairwise(lines):
        assert shallow.leaves < deep.leaves and shallow.nodes < deep.nodes and shallow.probes < deep.probes
        assert shallow.seconds <= deep.seconds
    assert lines[0].leaves == 44 and 0 < lines[-1].hits < lines[-1].probes
    assert lines[-1].idle == 0


# Threads


@pytest.mark.parametrize("schedule", ["static", "dynamic"])
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("beyond", [{}, {"own_order": True}, {"regroup": True}])
def test_threads_find_the_same_scores(schedule, shared, beyond):
    for fen, algorithm in itertools.product((OPENING, ENDGAME, MATE_IN_1), ALGORITHMS):
        board = Board(fen)
        expected = sound_scores(fen, 4, algorithm)
        for threads in (2, 7):
            options = {"threads": threads, "schedule": schedule, "shared_table": shared} | beyond
            assert scores(board, 4, algorithm=algorithm, **SOUND, **options) == expected, options


@needs_openmp
@pytest.mark.parametrize("split", REAL_SPLITS)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_ways_to_share_the_tree_find_the_same_scores(algorithm, split):
    """Also with more threads than processors, and with moves below alpha that come from different tables."""
    if (algorithm, split) == ("mtdf", "window"):
        with pytest.raises(ValueError, match=r"^split window: mtdf has no window to be split$"):
            ThesisSearch(algorithm=algorithm, split=split)
        return
    for fen, threads in itertools.product(POSITIONS, (2, 5)):
        expected = sound_scores(fen, 4, "pvs")
        schedule = "guided" if threads == 5 else "static"
        options = {"split": split, "schedule": schedule, "shared_table": threads == 2}
        for virtual in (False, True) if split in SPLITS else (False,):
            options |= {"threads": threads, "virtual_time": virtual}
            search = ThesisSearch(algorithm=algorithm, **options, **SOUND)
            lines = search.search(Board(fen), depth=4)
            assert [line.score for line in lines] == expected
            assert lines[-1].move in Board(fen).legal_moves


@needs_openmp
@pytest.mark.parametrize(
    ("split", "virtual"), [(split, False) for split in REAL_SPLITS] + [(split, True) for split in SPLITS]
)
def test_ways_to_share_the_tree_can_be_stopped(split, virtual):
    search = ThesisSearch(split=split, threads=3, hash_mib=1, virtual_time=virtual)
    lines = search.search(Board(MIDDLEGAME), nodes=20_000)
    assert lines and lines[-1].depth < 20
    again = search.search(Board(MIDDLEGAME), depth=3)
    assert [line.depth for line in again] == [1, 2, 3]


@needs_openmp
@pytest.mark.parametrize("schedule", ["static", "dynamic", "guided"])
@pytest.mark.parametrize("split", SPLITS)
def test_the_same_search_in_virtual_time_is_the_same(split, schedule):
    """Which thread is first is chance in real time, not here; and all time is work or waiting."""
    if schedule != "static" and split not in ("pv", "tree"):
        pytest.skip("no schedule")
    algorithms = ("pvs",) if split == "window" else ("pvs", "mtdf")
    for threads, algorithm in itertools.product((2, 7), algorithms):
        options = {"threads": threads, "split": split, "schedule": schedule, "algorithm": algorithm}
        found = []
        for _ in range(2):
            search = ThesisSearch(**options, hash_mib=1, virtual_time=True)
            line = search.search(Board(MIDDLEGAME), depth=4)[-1]
            found.append((line.score, line.move, line.leaves, line.nodes, line.seconds, line.idle))
        assert found[0] == found[1]
        *_, leaves, nodes, seconds, idle = found[0]
        together, work = threads * seconds * 1e6, leaves + nodes + idle * 1e6
        assert (leaves + nodes) / threads <= seconds * 1e6 and 0 < work <= together * 1.01


def test_one_thread_in_virtual_time_searches_as_in_real_time():
    for fen in POSITIONS:
        real, simulated = (
            ThesisSearch(hash_mib=1, virtual_time=virtual).search(Board(fen), depth=4)[-1]
            for virtual in (False, True)
        )
        assert (simulated.leaves, simulated.nodes) == (real.leaves, real.nodes)
        assert round(simulated.seconds * 1e6) == real.leaves + real.nodes and simulated.idle == 0
    with pytest.raises(ValueError, match=r"^virtual time has no limit in seconds$"):
        ThesisSearch(virtual_time=True).search(Board(), time=1)


@needs_openmp
def test_simulated_processors_speed_up_a_search():
    """Tasks keep eight busy, PV-split with a static schedule does not, and a dynamic one is between."""
    boards = list(openings().values())[:3]
    times, idle = {}, {}
    for name, options in {
        "alone": {},
        "static": {"threads": 8, "schedule": "static"},
        "dynamic": {"threads": 8, "schedule": "dynamic", "own_order": True, "regroup": True},
        "tasks": {"threads": 8, "split": "tasks"},
    }.items():
        lines = [
            ThesisSearch(virtual_time=True, hash_mib=4, **options).search(board, depth=6)[-1]
            for board in boards
        ]
        times[name] = sum(line.seconds for line in lines)
        idle[name] = sum(line.idle for line in lines) / times[name]
    assert times["alone"] > times["static"] > times["dynamic"] > times["tasks"] > times["alone"] / 8
    assert idle["static"] > idle["dynamic"] > idle["tasks"] > idle["alone"] == 0


@needs_openmp
def test_idle_threads_help():
    """Dynamic tree splitting leaves the second thread something to do: the first one has not searched all."""
    search = ThesisSearch(split="dts", threads=2, hash_mib=4, virtual_time=True)
    lines = search.search(Board(MIDDLEGAME), depth=6)
    assert lines[-1].idle < 2 * lines[-1].seconds - 1e-4


@needs_openmp
def test_tasks_of_openmp_are_run_by_other_threads():
    """Else the second one would wait all the time."""
    lines = ThesisSearch(split="openmp-tasks", threads=2, hash_mib=4).search(Board(MIDDLEGAME), depth=6)
    assert 0 < lines[-1].idle < 0.9 * lines[-1].seconds
    assert lines[-1].cuts > lines[-1].first_cuts > 0
    message = r"^split openmp-tasks: OpenMP's own tasks take no turns in virtual time$"
    raises(ValueError, message, ThesisSearch, split="openmp-tasks", threads=2, virtual_time=True)


@needs_openmp
def test_all_threads_count():
    """Without table and heuristics two threads evaluate at least what one must, and search all root moves."""
    board = Board(OPENING)
    one = ThesisSearch(**PLAIN).search(board, depth=4)[-1]
    two = ThesisSearch(**PLAIN, threads=2, virtual_time=True).search(board, depth=4)[-1]
    assert one.leaves / 2 < two.leaves < 3 * one.leaves
    assert two.idle > 0


@pytest.mark.system
def test_stop_ends_a_search():
    for threads in (1, 2):
        search = ThesisSearch(**PLAIN, algorithm="alphabeta", threads=threads)
        timer = threading.Timer(0.2, search.stop)
        start = time.monotonic()
        timer.start()
        lines = search.search(Board(), depth=20)
        assert time.monotonic() - start < 20
        assert 0 < len(lines) < 20
        timer.join()
        assert len(search.search(Board(), depth=2)) == 2


# The table


KEY = 0x0123456789ABCDEF
OTHER = KEY ^ 0xFF000000FF  # in the same entry of a small table, other in both checksums
MOVE = Move.from_iccs("h2e2")


@pytest.fixture(params=["xor", "checksums"])
def table(request):
    return ThesisTable(entry=request.param)


def test_an_entry_is_read_back(table):
    assert table.probe(KEY) is None
    for value, depth, bound in ((-29997, 0, "upper"), (123, 255, "exact"), (32000, 255, "lower")):
        table.store(KEY, MOVE, value=value, depth=depth, bound=bound)
        assert table.probe(KEY) == (MOVE, value, depth, bound)
        assert table.probe(OTHER) is None


def test_a_deeper_result_of_the_position_stays_any_other_goes(table):
    table.store(KEY, MOVE, value=1, depth=5, bound="exact")
    table.store(KEY, None, value=2, depth=4, bound="exact")
    assert table.probe(KEY) == (MOVE, 1, 5, "exact")
    table.store(KEY, None, value=3, depth=5, bound="upper")
    assert table.probe(KEY) == (MOVE, 3, 5, "upper")  # a result without a move keeps the old one
    table.store(OTHER, None, value=4, depth=0, bound="upper")
    assert table.probe(KEY) is None
    assert table.probe(OTHER) == (None, 4, 0, "upper")
    table.store(OTHER, None, value=5, depth=6, bound="upper")
    table.store(OTHER, MOVE, value=6, depth=3, bound="lower")
    assert table.probe(OTHER) == (MOVE, 5, 6, "upper")  # too shallow to replace it, but its move is kept


def test_half_an_entry_of_another_position_is_rejected(table):
    """A writer stopped after any part but the last: neither position may be found."""
    table.store(KEY, MOVE, value=100, depth=5, bound="exact")
    old = table.parts(KEY)
    table.store(OTHER, Move.from_iccs("b2e2"), value=-7, depth=9, bound="lower")
    new = table.parts(OTHER)
    assert old != new
    for written in range(1, 4):
        for index in range(4):
            table.set_part(KEY, index, new[index] if index < written else old[index])
        if table.parts(KEY) not in (old, new):
            assert table.probe(KEY) is None
            assert table.probe(OTHER) is None


def test_half_an_entry_of_the_same_position():
    """Told apart by the XOR entry only: both checksums of the other are the position's own."""
    accepted = {}
    for kind in ("xor", "checksums"):
        table = ThesisTable(entry=kind)
        table.store(KEY, MOVE, value=100, depth=5, bound="exact")
        old = table.parts(KEY)
        table.store(KEY, MOVE, value=-7, depth=9, bound="lower")
        middle = 2 if kind == "xor" else 1
        for index in range(4):
            table.set_part(KEY, index, old[index] if index < middle else table.parts(KEY)[index])
        accepted[kind] = table.probe(KEY)
    assert accepted["xor"] is None
    assert accepted["checksums"] is not None


# Limits


def test_nodes_end_a_search():
    board = Board(MIDDLEGAME)
    for nodes in (1, 5_000, 100_000):
        lines = ThesisSearch(hash_mib=4).search(board, nodes=nodes)
        whole = ThesisSearch(hash_mib=4).search(board, depth=lines[-1].depth + 1)
        assert [line.leaves for line in lines] == [line.leaves for line in whole[:-1]]
        assert lines[-1].depth == 1 or lines[-1].leaves + lines[-1].nodes < nodes + 20_000
        assert whole[-1].leaves + whole[-1].nodes >= nodes


@pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")
def test_nodes_of_two_threads_count_together():
    lines = ThesisSearch(hash_mib=4, threads=2).search(Board(MIDDLEGAME), nodes=50_000)
    assert lines[-1].leaves + lines[-1].nodes < 70_000


@pytest.mark.system
def test_time_ends_a_search():
    start = time.monotonic()
    lines = ThesisSearch(hash_mib=4).search(Board(MIDDLEGAME), time=0.2)
    assert lines and time.monotonic() - start < 60


def test_only_the_moves_asked_for_are_searched():
    board = Board(MIDDLEGAME)
    best = ThesisSearch(hash_mib=4).search(board, depth=3)[-1].move
    others = [move for move in board.legal_moves if move != best]
    search = ThesisSearch(hash_mib=4)
    assert search.search(board, depth=3, root_moves=others)[-1].move != best
    assert search.search(board, depth=3)[-1].move == best  # nothing of it is left in the table
    for threads in (1, 2) if openmp_enabled() else (1,):
        one = ThesisSearch(hash_mib=4, threads=threads).search(board, nodes=10**6, root_moves=others[:1])
        assert [line.move for line in one] == others[:1]
    assert search.search(board, depth=3, root_moves=[]) == []
    raises(IllegalMoveError, "a0a9", search.search, board, depth=3, root_moves=[Move.from_iccs("a0a9")])


def test_a_limit_is_needed():
    for limits, message in (
        ({}, "a search needs a limit: depth, nodes or time"),
        ({"nodes": 0}, "nodes must be at least 1, not 0"),
        ({"time": 0.0}, "time must be above 0 seconds, not 0.0"),
    ):
        raises(ValueError, f"^{message}$", ThesisSearch(hash_mib=1).search, Board(), **limits)
    with pytest.raises(ValueError, match="without deepening"):
        ThesisSearch(hash_mib=1, deepening=False).search(Board(), nodes=10)


def test_a_stop_is_for_the_search_under_way():
    search = ThesisSearch(hash_mib=1)
    search.stop()
    assert len(search.search(Board(), depth=2)) == 2


def test_cuts_are_counted():
    """Most cutoffs are by the first move when moves are ordered, and fewer when they are not."""
    board = Board(MIDDLEGAME)
    ordered = ThesisSearch(hash_mib=4).search(board, depth=5)[-1]
    plain = ThesisSearch(**PLAIN).search(board, depth=4)[-1]
    shares = [line.first_cuts / line.cuts for line in (ordered, plain)]
    assert 0.8 < shares[0] < 1 and 0 < shares[1] < shares[0]


# Bad input


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algorithm": "negamax"}, "algorithm must be one of alphabeta, pvs, mtdf, minimax, not 'negamax'"),
        ({"entry": "locks"}, "entry must be one of xor, checksums, lock, not 'locks'"),
        ({"killers": True}, "killers must be one of off, after, before, not True"),
        ({"evaluation": ""}, "evaluation must be one of sources, engine, tapered, not ''"),
        ({"schedule": "auto"}, "schedule must be one of static, dynamic, guided, not 'auto'"),
        ({"hash_mib": 0}, "hash_mib must be 1..65536, not 0"),
        ({"threads": 257}, "threads must be 1..256, not 257"),
        ({"grain": 0}, "grain must be 1..1000, not 0"),
        ({"layers": 3}, "layers must be 1..2, not 3"),
        ({"captures": "value"}, "captures must be one of off, material, exchange, not 'value'"),
        ({"values": (1, 2)}, "values must be six numbers, not 2"),
        ({"values": (0, 0, 0, 0, 0, 2001)}, "values must be 0..2000, not 2001"),
    ],
)
def test_bad_options_are_named(options, message):
    raises(ValueError, rf"^{message}$", ThesisSearch, **options)


@pytest.mark.parametrize("depth", [0, 61])
def test_bad_depths_are_named(depth):
    with pytest.raises(ValueError, match=rf"^depth must be 1..60, not {depth}$"):
        ThesisSearch(hash_mib=1).search(Board(), depth=depth)


def test_the_engine_terms_follow_the_weights():
    board = Board("rnbakabn1/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
    search = ThesisSearch(evaluation="engine")
    before, score = search.evaluate(board), search.search(board, depth=2)[-1].score
    weights = array("h", shipped_weights())
    for phase in range(2):
        weights[phase * len(weights) // 2 + ROOK] += 500
    search = ThesisSearch(evaluation="engine", context=Weights(weights).context())
    assert search.evaluate(board) == before + 500
    assert abs(search.search(board, depth=2)[-1].score - score - 500) <= 8
