"""Legal moves, check, mate and stalemate agree with other programs on random positions.

The oracles are two versions of Fairy-Stockfish: the program (Debian's package, fast) and pyffish,
its Python module (5 ms for each question). Neither applies repetition or chase rules to its lists.
"""

import itertools
import shutil
import subprocess
import threading

import pyffish
import pytest
from support import KINDS, Board, random_positions

PROGRAM = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
BATCH = 2000
# Theirs is h10 for our h9.
ICCS = {
    f"{a}{i + 1}{b}{j + 1}": f"{a}{i}{b}{j}"
    for a, b in itertools.product("abcdefghi", repeat=2)
    for i, j in itertools.product(range(10), repeat=2)
}


def ours(board):
    """(legal moves, in check, mated, stalemated)"""
    moves = {str(move) for move in board.legal_moves}
    assert len(moves) == board.legal_moves.count() == len(list(board.legal_moves))
    assert bool(moves) == bool(board.legal_moves)
    return moves, board.is_check(), board.is_checkmate(), board.is_stalemate()


def theirs(moves, check):
    return {ICCS[move] for move in moves}, check, check and not moves, not check and not moves


def ask_program(fens):
    """What Fairy-Stockfish says about each position."""
    with subprocess.Popen([PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def write():
            process.stdin.write("setoption name UCI_Variant value xiangqi\n")
            process.stdin.writelines(f"position fen {fen}\ngo perft 1\nd\n" for fen in fens)
            process.stdin.write("quit\n")
            process.stdin.flush()

        writer = threading.Thread(target=write)  # or both sides wait with full pipes
        writer.start()
        # It lists moves in a thread of its own: the two kinds of answers may overtake each other.
        moves, lists, checks = [], [], []
        for line in process.stdout:
            if line.startswith("Checkers:"):
                checks.append(len(line.split()) > 1)
            elif line.startswith("Nodes searched:"):
                lists.append(moves)
                moves = []
            elif line[0] in "abcdefghi" and ": " in line:
                moves.append(line.partition(":")[0])
        writer.join()
    return [theirs(*answer) for answer in zip(lists, checks, strict=True)]


def compare_with_program(kind, count, seed):
    positions = ((board.fen(), ours(board)) for board in random_positions(seed, count, kind))
    compared = 0
    while batch := list(itertools.islice(positions, BATCH)):
        answers = ask_program([fen for fen, _ in batch])
        for (fen, found), expected in zip(batch, answers, strict=True):
            assert found == expected, fen
        compared += len(batch)
    assert compared == count


def compare_with_pyffish(kind, count, seed):
    for board in random_positions(seed, count, kind):
        fen = board.fen()
        expected = theirs(pyffish.legal_moves("xiangqi", fen, []), pyffish.gives_check("xiangqi", fen, []))
        assert ours(board) == expected, fen


needs_program = pytest.mark.skipif(PROGRAM is None, reason="fairy-stockfish is not installed")


def deep(count):
    """So many positions in the slow run."""
    return pytest.param(count, marks=[pytest.mark.slow, pytest.mark.timeout(7200)])


@pytest.mark.system
@needs_program
@pytest.mark.parametrize("count", [3_000, deep(125_000)])
@pytest.mark.parametrize("kind", KINDS)
def test_program_finds_the_same_moves_and_status(kind, count):
    compare_with_program(kind, count, seed=count)


@pytest.mark.parametrize("count", [50, deep(5_000)])
@pytest.mark.parametrize("kind", KINDS)
def test_pyffish_finds_the_same_moves_and_status(kind, count):
    compare_with_pyffish(kind, count, seed=count)


def test_the_sample_is_rich():
    """Half of the kinds would test nothing new if they held no checks, mates and cannons at work."""
    checks = doubles = over = 0
    for kind in ("checking", "endgames", "sieges"):
        for board in random_positions(5, 1_000, kind):
            checks += board.is_check()
            doubles += board.checkers_mask().bit_count() > 1
            over += not board.legal_moves
    assert checks > 300
    assert doubles > 10
    assert over > 10


def test_an_oracle_can_disagree():
    board = Board()
    moves, check, mated, stalemated = ours(board)
    assert (moves - {"h2e2"}, check, mated, stalemated) != theirs(
        pyffish.legal_moves("xiangqi", board.fen(), []), False
    )
