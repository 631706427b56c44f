"""Parts of the source papers' search that its scores do not show: each is seen by what it alone changes.

docs/papers-items.toml names these tests. Numbers on record are like the signature of bench: a change that is
meant to alter the search puts new ones here.
"""

import pytest
from test_thesis_search import ENDGAME, MIDDLEGAME, OPENING, PLAIN, START, needs_openmp

from eleengine import Board, Move
from eleengine._core import ThesisSearch, ThesisTable
from eleengine.papers.experiments import openings

BASE = {"hash_mib": 4, "shared_table": True, "alpha_killers": False, "alpha_moves": True}
THREE = (OPENING, MIDDLEGAME, ENDGAME)
SIMULATED = {"virtual_time": True, "shared_table": False, "hash_mib": 1}


def last(board, depth, **options):
    board = board if isinstance(board, Board) else Board(board)
    return ThesisSearch(**BASE | options).search(board, depth=depth)[-1]


def leaves(depth, **options):
    """Of three positions together."""
    return sum(last(fen, depth, **options).leaves for fen in THREE)


def ten():
    return [Board(board.fen()) for board in openings().values()]


def probed(search, board, plies):
    """The entries of all positions within so many plies of the board, by their FEN."""
    entry = search.probe(board)
    found = {} if entry is None else {board.fen(): entry}
    for move in list(board.legal_moves) if plies else []:
        board.push(move)
        found |= probed(search, board, plies - 1)
        board.pop()
    return found


# Algorithms


def test_bounds_in_the_table_are_fail_soft():
    """A value outside the window is a bound that says more than the end of the window.

    The windows of the root's moves end at the values of those that were best before: with fail-hard all
    bounds would be these.
    """
    search = ThesisSearch(**BASE | {"algorithm": "alphabeta", "null_move": False, "exact_depth": True})
    board = Board(MIDDLEGAME)
    search.search(board, depth=3)
    entries = list(probed(search, board, 1).values())[1:]
    ends = {score for _, score, _, bound in entries if bound == "exact"}
    bounds = {score for _, score, _, bound in entries if bound == "lower"}
    assert 0 < len(ends) < 5 and len(bounds - ends) > 10


def test_pvs_searches_fewer_leaves_than_alpha_beta():
    for board in ten()[:3]:
        assert last(board, 5, algorithm="pvs").leaves < last(board, 5, algorithm="alphabeta").leaves


def test_each_order_of_moves_saves_leaves():
    plain = PLAIN | {"algorithm": "alphabeta"}
    none = leaves(4, **plain)
    for order in (
        {"captures": "material"}, {"captures": "exchange"}, {"killers": "after"}, {"killers": "before"},
        {"history": "power"}, {"history": "square"},
    ):  # fmt: skip
        assert leaves(4, **plain | order) < none, order


def test_the_ways_of_history_and_killers_differ():
    counts = {
        (history, killers): leaves(4, history=history, killers=killers)
        for history in ("off", "power", "square")
        for killers in ("off", "after", "before")
    }
    assert len(set(counts.values())) == len(counts)
    assert leaves(4, alpha_killers=True) != counts["power", "after"]
    assert leaves(4, table_move=False) != counts["power", "after"]


def test_moves_are_generated_by_piece():
    """Where all moves are worth the same the first one is the best: those of rooks, then of knights."""
    board, order = Board(START), ""
    moves = list(board.legal_moves)
    search = ThesisSearch(**PLAIN | {"grain": 1000, "algorithm": "alphabeta"})
    while moves:
        first = search.search(board, depth=1, root_moves=moves)[-1].move
        kind = board.piece_at(first.from_square)
        order += kind.symbol()
        moves = [move for move in moves if board.piece_at(move.from_square) != kind]
    assert order == "RNCPBAK"


def test_nodes_below_alpha_keep_their_best_move_or_not():
    for kept in (True, False):
        search = ThesisSearch(**BASE | {"alpha_moves": kept, "null_move": False})
        board = Board(MIDDLEGAME)
        search.search(board, depth=4)
        moves = [
            move is not None
            for move, _, depth, bound in probed(search, board, 2).values()
            if bound == "upper" and depth > 0
        ]
        assert len(moves) > 10 and set(moves) == {kept}


def test_a_node_without_a_table_move_is_searched_less_deep_first():
    found = [leaves(4, internal_deepening=deepening, table_move=True) for deepening in (False, True)]
    assert found[0] != found[1]


def forced(search, board, depth, ply, most):
    """Minimax where a side in check, or with one move only, is searched a ply deeper."""
    moves = list(board.legal_moves)
    if not moves:
        return -30000 + ply if depth > 0 else search.evaluate(board)
    if depth <= 0:
        return search.evaluate(board)
    if ply < most and (len(moves) == 1 or board.is_check()):
        depth += 1
    values = []
    for move in moves:
        board.push(move)
        values.append(-forced(search, board, depth - 1, ply + 1, most))
        board.pop()
    return max(values)


ONE_MOVE = "5k3/9/9/3NR4/9/4C4/9/3K5/9/9 b"  # not in check


@pytest.mark.parametrize("fen", [ENDGAME, ONE_MOVE, "3k1a3/4R4/9/9/9/9/9/9/9/5K3 b"])
def test_forced_extensions_are_for_checks_and_only_moves(fen):
    if fen == ONE_MOVE:
        assert Board(fen).legal_moves.count() == 1 and not Board(fen).is_check()
    search = ThesisSearch(**PLAIN | {"extensions": "forced"})
    for depth in (1, 2):
        expected = forced(search, Board(fen), depth, 0, 2 * depth)
        assert search.search(Board(fen), depth=depth)[-1].score == expected


# The null move


def test_the_null_move_is_adaptive():
    """Black is more than 600 ahead: nine plies from the leaves its null move costs three plies, not two."""
    assert last("3ak1b2/4a4/4b4/p3p3p/9/9/9/9/9/3K5 w", 10).leaves == 9594


def test_a_null_move_above_200_is_verified():
    """A side that has less than 200 does not pass: guards alone are worth nothing else here."""
    guards = "2bak4/4a4/4b4/9/9/9/9/4B4/4A4/2BAK4 w"
    assert last(guards, 5, null_move="verified").leaves == last(guards, 5, null_move="off").leaves
    ahead = "2bak4/4a4/4b4/9/9/9/2P6/4B4/4A4/2BAK4 w"
    assert last(ahead, 5, null_move="verified").leaves != last(ahead, 5, null_move="off").leaves
    assert [last(fen, 5, null_move="verified").leaves for fen in THREE] == [28632, 43362, 17342]


# The table


def test_a_larger_table_saves_leaves():
    found = [
        last(ten()[0], 6, algorithm="alphabeta", null_move=False, hash_mib=mib).leaves for mib in (1, 2, 4)
    ]
    assert found[0] > found[1] > found[2]


KEY = 0x0123456789ABCDEF
OTHER = KEY ^ 0xFF000000FF  # in the same entries of a small table
MOVE = Move.from_iccs("h2e2")


@pytest.mark.parametrize("entry", ["xor", "checksums", "lock"])
def test_two_layers_keep_the_deepest_and_the_newest(entry):
    table = ThesisTable(entry=entry, layers=2)
    table.store(KEY, MOVE, value=1, depth=5, bound="exact")
    table.store(OTHER, None, value=2, depth=3, bound="upper")
    assert (table.probe(KEY), table.probe(OTHER)) == ((MOVE, 1, 5, "exact"), (None, 2, 3, "upper"))
    third = KEY ^ 0x7F00000070
    table.store(third, None, value=3, depth=4, bound="lower")
    assert (table.probe(KEY), table.probe(OTHER)) == ((MOVE, 1, 5, "exact"), None)
    assert table.probe(third) == (None, 3, 4, "lower")


def test_a_locked_entry_is_read_back():
    table = ThesisTable(entry="lock")
    assert table.probe(KEY) is None
    table.store(KEY, MOVE, value=-123, depth=7, bound="lower")
    assert table.probe(KEY) == (MOVE, -123, 7, "lower") == table.probe(KEY)  # it was put back
    assert table.probe(OTHER) is None


# Threads, in virtual time, where equal searches are equal


@needs_openmp
def test_each_thread_writes_into_its_own_table():
    board = ten()[0]
    search = ThesisSearch(**BASE | SIMULATED, threads=2)
    search.search(board, depth=4)
    assert search.probe(board, thread=0) == search.probe(board) != search.probe(board, thread=1)
    depths = []
    for thread in (0, 1):
        found = []
        for move in list(board.legal_moves):
            board.push(move)
            entry = search.probe(board, thread=thread)
            found += [move] if entry and entry[2] == 3 else []
            board.pop()
        depths.append(set(found))
    # The first move is the first thread's; each searched some others, and none twice.
    assert len(depths[0]) > 5 and len(depths[1]) > 5 and not depths[0] & depths[1]
    shared = ThesisSearch(**BASE | SIMULATED | {"shared_table": True}, threads=2)
    with pytest.raises(ValueError, match=r"thread must be 0\.\.0, not 1"):
        shared.probe(board, thread=1)


def shared_searches(threads, depth, **options):
    """Leaves, and nodes of time, of a search by several threads."""
    line = last(MIDDLEGAME, depth, **SIMULATED | {"threads": threads} | options)
    return line.leaves, round(1e6 * line.seconds)


@needs_openmp
def test_threads_share_what_they_have_learnt():
    """Tables, history and killers of all threads, as the thesis has them, and each of them kept apart."""
    assert shared_searches(4, 5) == (28948, 14158)
    assert shared_searches(4, 5, own_order=True)[0] == 32926
    assert shared_searches(4, 5, shared_table=True)[0] == 29485


@needs_openmp
def test_the_schedules_differ():
    """Static gives each thread its moves at once, guided ever fewer, dynamic one at a time."""
    idle = [
        last(MIDDLEGAME, 5, **SIMULATED, threads=4, schedule=schedule).idle
        for schedule in ("static", "guided", "dynamic")
    ]
    assert idle[0] > idle[1] > idle[2]


@needs_openmp
def test_a_cutoff_ends_the_other_threads():
    """Zero windows are cut off often: what is searched in vain after that is left."""
    assert shared_searches(4, 4, algorithm="mtdf") == (24317, 19609)


@needs_openmp
def test_the_ways_to_share_the_tree_are_those_on_record():
    found = {split: shared_searches(4, 4, split=split) for split in ("pv", "tree", "window")}
    found |= {split: shared_searches(8, 5, split=split) for split in ("dts", "tasks")}
    assert found == {
        "pv": (9376, 3981),
        "tree": (14539, 5136),
        "window": (9702, 6395),
        "dts": (37716, 7360),
        "tasks": (42406, 7729),
    }


@needs_openmp
def test_windows_are_parts_of_the_whole():
    """Nobody learns from others here: four threads with all of the window would search four times as much."""
    apart = {"virtual_time": True, "table": False, "own_order": True}
    alone, four = (
        sum(last(board, 4, **apart, **options).leaves for board in ten()[:5])
        for options in ({}, {"split": "window", "threads": 4})
    )
    assert alone < four < 2.5 * alone
