"""Names of openings: legal lines, and the same name by any order of moves and in the mirror."""

import pytest

from eleengine import Board, notation
from eleengine.openings import all_openings, find_opening, opening_of
from eleengine.records import Game

LINES = [[*opening.moves] for opening in all_openings()]


def played(texts):
    board = Board()
    for text in texts:
        board.push(notation.parse_chinese(board, text))
    return board


@pytest.mark.parametrize("opening", all_openings(), ids=lambda opening: " ".join(opening.moves))
def test_a_line_leads_to_its_name(opening):
    board = Board()
    for text in opening.moves:
        move = notation.parse_chinese(board, text)
        assert board.chinese(move) == text  # as it is written
        board.push(move)
    assert opening_of(board) is opening
    assert opening_of(board.mirror_files()) is opening
    assert find_opening(board.root(), board.move_stack) is opening


def test_no_two_ways_are_one_position_and_names_have_one_translation():
    keys = [frozenset((board.key, board.mirror_files().key)) for board in map(played, LINES)]
    assert len(set(keys)) == len(keys)
    names = {opening.names for opening in all_openings()}
    assert 60 <= len(names) <= 120
    for column in range(3):
        assert len({name[column] for name in names}) == len(names)


def test_traditional_names_have_no_simplified_character():
    for _, simplified, traditional in {opening.names for opening in all_openings()}:
        assert len(simplified) == len(traditional)
        traditional.encode("big5")  # which has none of them
        simplified.encode("gb2312")


def test_the_order_of_moves_does_not_count():
    """Two moves of a side after each other, exchanged where both orders are legal."""
    exchanged = 0
    for opening in all_openings():
        for ply in range(len(opening.moves) - 2):
            texts = [*opening.moves]
            texts[ply], texts[ply + 2] = texts[ply + 2], texts[ply]
            try:
                board = played(texts)
            except ValueError:
                continue
            if board.key == played(opening.moves).key:
                exchanged += 1
                assert opening_of(board) is opening
                assert find_opening(board.root(), board.move_stack) is opening
    assert exchanged > 50


def test_a_game_keeps_the_last_name():
    game = Game()
    assert game.opening() is None
    node = game
    for text, name in [
        ("炮二平五", "中炮"),
        ("马8进7", "中炮"),
        ("马二进三", "中炮"),
        ("马2进3", "中炮对屏风马"),
        ("车一进一", "中炮对屏风马"),
        ("炮8进7", "中炮对屏风马"),
    ]:
        node = node.play(notation.parse_chinese(node.board(), text).iccs())
        assert game.opening().text("zh") == name
    assert game.opening().text() == "Central Cannon against Screen Horses"
    with pytest.raises(ValueError, match="language"):
        game.opening().text("fr")


def test_other_starts_have_no_opening():
    assert Game("3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1").opening() is None
