"""Another library, cchess, reads what is written here, and the samples as they are read here."""

import pytest
from hypothesis import assume, given
from records_support import trees
from support import examples

from eleengine import ADVISOR, BISHOP, STARTING_FEN, square_file
from eleengine.records import WriteOptions, encode_game

cchess = pytest.importorskip("cchess")


def lines_of(game):
    """All lines to their ends, in order, as ICCS."""
    ends = [node for node in game.nodes() if node.parent and not node.children]
    return [[move.iccs() for move in node.moves()] for node in ends]


def lines_there(path):
    lines = cchess.Game.read_from(str(path)).dump_iccs_moves()
    return [line for line in lines if line]


@examples(15)
@given(game=trees(starts=[STARTING_FEN], notes=False))
def test_our_xqf_and_cbr_are_read_there(tmp_path_factory, game):
    assume(game.children)  # it reads no CBR without moves
    folder = tmp_path_factory.mktemp("cchess")
    for format in ("xqf", "cbr"):
        path = folder / f"game.{format}"
        path.write_bytes(encode_game(game, format))
        assert sorted(lines_there(path)) == sorted(lines_of(game))


def has_twin(board, move):
    """Does one of two guards on a file move? The direction tells which one; that is not read there."""
    piece = board.piece_at(move.from_square)
    return piece.piece_type in (ADVISOR, BISHOP) and any(
        square != move.from_square and square_file(square) == square_file(move.from_square)
        for square in board.pieces(piece.piece_type, piece.color)
    )


@examples(15)
@given(game=trees(starts=[STARTING_FEN], notes=False, variations=False))
def test_our_pgn_is_read_there(tmp_path_factory, game):
    for node in game.nodes():
        node.comment = ""
        assume(not node.move or not has_twin(node.parent.board(), node.move))
    path = tmp_path_factory.mktemp("cchess") / "game.pgn"
    path.write_bytes(encode_game(game, "pgn", WriteOptions(style="chinese")))
    assert lines_there(path) == lines_of(game)
