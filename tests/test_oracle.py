"""Legal moves, check, mate and stalemate agree with Fairy-Stockfish on random positions.

pyffish, its Python module, takes 5 ms for each question, and applies no rules of repetition to its lists.
"""

import pyffish
import pytest
from support import KINDS, random_positions


@pytest.mark.parametrize(
    "count", [50, pytest.param(20_000, marks=[pytest.mark.slow, pytest.mark.timeout(7200)])]
)
@pytest.mark.parametrize("kind", KINDS)
def test_pyffish_finds_the_same_moves_and_status(kind, count):
    for board in random_positions(count, count, kind):
        fen, moves = board.fen(), [move.uci(first_rank=1) for move in board.legal_moves]
        expected, check = pyffish.legal_moves("xiangqi", fen, []), pyffish.gives_check("xiangqi", fen, [])
        assert sorted(moves) == sorted(expected), fen
        assert board.legal_moves.count() == len(moves)
        assert bool(board.legal_moves) == bool(moves)
        found = board.is_check(), board.is_checkmate(), board.is_stalemate()
        assert found == (check, check and not moves, not check and not moves), fen


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
