"""Another library, cchess, reads what is written here, and the samples as they are read here."""

import pytest
from hypothesis import assume, given
from records_support import trees
from support import examples

from eleengine import STARTING_FEN
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


@examples(15)
@given(game=trees(starts=[STARTING_FEN], notes=False, variations=False))
def test_our_pgn_is_read_there(tmp_path_factory, game):
    for node in game.nodes():
        node.comment = ""
    path = tmp_path_factory.mktemp("cchess") / "game.pgn"
    path.write_bytes(encode_game(game, "pgn", WriteOptions(style="chinese")))
    assert lines_there(path) == lines_of(game)
