"""Perft: the number of leaves of the legal move tree is exact, whatever the number of threads."""

import pytest
from support import START, Board, Move, perft_cases, raises

QUICK_LEAVES = 2_000_000  # of one position; deeper plies are for the slow run
CASES = {case["id"]: case for case in perft_cases()}
SOME = ("perft-001", "perft-014", "perft-029", "perft-037", "perft-038")


def plies(keep):
    """(name, depth) of every known count that keep() accepts."""
    return [
        (name, depth)
        for name, case in CASES.items()
        for depth, leaves in enumerate(case["perft"], 1)
        if keep(leaves)
    ]


def check(name, depth, threads=1):
    case = CASES[name]
    assert Board(case["fen"]).perft(depth, threads=threads) == case["perft"][depth - 1], (name, depth)


@pytest.mark.parametrize("name", CASES)
def test_perft(name):
    for depth, leaves in enumerate(CASES[name]["perft"], 1):
        if leaves <= QUICK_LEAVES:
            check(name, depth)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "depth"), plies(lambda leaves: leaves > QUICK_LEAVES))
def test_perft_deep(name, depth):
    check(name, depth)


@pytest.mark.parametrize("threads", [2, 4, 64])
def test_threads_do_not_change_the_count(threads):
    for name in SOME:
        for depth, leaves in enumerate(CASES[name]["perft"], 1):
            if leaves <= 200_000:
                check(name, depth, threads)


@pytest.mark.parametrize(("names", "threads"), [(CASES, 1), (SOME, 2)])
def test_divide_lists_the_legal_moves_and_sums_to_perft(names, threads):
    for name in names:
        board = Board(CASES[name]["fen"])
        for depth in (1, 2, 3):
            counts = board.divide(depth, threads=threads)
            assert list(counts) == list(board.legal_moves), name
            assert sum(counts.values()) == board.perft(depth), (name, depth)


def test_divide_counts_below_each_move():
    board = Board()
    for move, count in board.divide(3).items():
        board.push(move)
        assert board.perft(2) == count
        board.pop()
    raises(ValueError, r"depth must be 1\.\.60, not 0", Board().divide, 0)


def test_counting_leaves_the_board_alone():
    board = Board()
    for text in ("h2e2", "h9g7", "e2e6"):
        board.push(Move.from_iccs(text))
    before = board.copy()
    board.perft(3, threads=2)
    assert board == before
    assert board.move_stack == before.move_stack
    assert board.checkers_mask() == before.checkers_mask()


def test_depth_zero_is_one_leaf_and_without_a_legal_move_there_are_none_below():
    assert Board().perft(0) == 1
    board = Board(CASES["perft-031"]["fen"])
    assert [board.perft(depth) for depth in range(4)] == [1, 0, 0, 0]
    assert board.divide(3) == {}


def test_progress_ends_with_all_jobs_and_leaves():
    seen = []
    leaves = Board().perft(3, threads=2, progress=lambda *now: seen.append(now))
    assert seen == sorted(seen)
    assert seen[-1] == (1920, 1920, leaves)


def test_an_error_in_progress_stops_the_count():
    def stop(done, total, leaves):
        raise KeyError(done)

    board = Board()
    raises(KeyError, "", board.perft, 4, progress=stop)
    assert board.perft(2) == 1920


@pytest.mark.parametrize(
    ("depth", "threads", "message"),
    [
        (-1, 1, "depth must be 0..60, not -1"),
        (61, 1, "depth must be 0..60, not 61"),
        (2, 0, "threads must be 1..1024, not 0"),
        (2, 1025, "threads must be 1..1024, not 1025"),
    ],
)
def test_arguments_out_of_range_are_named(depth, threads, message):
    raises(ValueError, message, Board().perft, depth, threads=threads)


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_an_invalid_position_is_refused(depth):
    board = Board(START.replace("K", "1"), validate=False)
    raises(ValueError, "red has no king", board.perft, depth)
