"""The tree of a game: built at random, changed, and compared with what the changes should give."""

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records_support import trees
from support import examples, raises

from eleengine import RED, STARTING_FEN, Board, IllegalMoveError, Move
from eleengine.records import Arrow, Eval, Game, read_game, tree
from eleengine.score import Cp, Mate, MateGiven, PovScore


@examples(12)
@given(trees())
def test_every_node_has_its_board_and_place(game):
    walked = []
    for node, board in game.walk():
        assert board == node.board() and board.fen() == node.board().fen()
        assert (node.ply, node.turn) == (board.ply, board.turn)
        walked.append(node)
    assert walked == list(game.nodes())
    assert [node for node in walked if node.is_mainline()] == [game, *game.mainline()]
    assert len({id(node) for node in walked}) == len(walked)
    assert all(node in node.parent.children for node in walked[1:])


@given(trees())
def test_data_survives_json(game):
    assert Game.from_dict(json.loads(json.dumps(game.to_dict()))).equals(game)


@given(trees(), trees())
def test_a_merge_has_the_lines_of_both(one, two):
    def lines(game):
        return {tuple(map(str, node.moves())) for node in game.nodes()}

    if one.start != two.start:
        raises(ValueError, "same position", one.merge, two)
        return
    before, other = lines(one), lines(two)
    main = list(one.mainline_moves())
    one.merge(two)
    assert lines(one) == before | other
    assert list(one.mainline_moves())[: len(main)] == main
    again = one.to_dict()
    one.merge(two)
    assert one.to_dict() == again


def test_a_tree_is_merged_into_a_part_of_itself():
    """A game that comes back to a position has trees of it that contain each other."""
    game = Game(comment="start")
    loop = ["h0g2", "h9g7", "g2h0", "g7h9"]
    back = game.play_line(loop)
    game.play("h2e2").nags = (1,)
    before = Game.to_dict(game.copy())
    back.merge(game)
    assert back.comment == "start" and [move.iccs() for move in game.mainline_moves()] == 2 * loop
    assert [child.move.iccs() for child in back.children] == ["h0g2", "h2e2"]
    assert back.children[1].nags == {1} and len(list(game.nodes())) == 2 * len(before["nodes"]) - 1
    game.merge(back)  # what follows is there
    assert len(list(game.nodes())) == 2 * len(before["nodes"]) - 1
    game.merge(game)
    assert len(list(game.nodes())) == 2 * len(before["nodes"]) - 1


def test_a_merge_leaves_the_other_tree_alone():
    one, two = Game(), Game(comment="two")
    two.play_line(["h2e2", "h9g7"])
    told = two.to_dict()
    one.merge(two.copy())
    one.play("h2e2", comment="one").merge(two.children[0])
    assert two.to_dict() == told and one.children[0].children[0].move == Move.from_iccs("h9g7")


@pytest.mark.parametrize("nags", [(-1,), (10_000,), (1, 1_000_000)])
def test_glyphs_that_no_reader_reads_are_refused(nags):
    game = Game()
    node = game.play("h2e2")
    node.nags = [0, 4, 9999]
    assert tuple(node.nags) == (0, 4, 9999)
    with pytest.raises(ValueError, match=f"from 0 to 9999, not {nags[-1]}"):
        node.nags = nags
    raises(ValueError, "from 0 to 9999", node.nags.update, nags)
    with pytest.raises(TypeError):
        node.nags = (2.5,)
    with pytest.raises(ValueError, match="from 0 to 9999"):
        Game.from_dict({"headers": {}, "fen": game.start, "nodes": [{"nags": nags}]})
    game.nags = node.nags
    assert [tuple(there.nags) for there in read_game(str(game) + "\n").nodes()] == 2 * [(0, 4, 9999)]


class Slotted(Game):
    __slots__ = ("__secret", "place", "unset")

    def __init__(self):
        super().__init__()
        self.place = ["Beijing"]
        self.__secret = 7

    def secret(self):
        return self.__secret


class Both(Slotted):
    def __init__(self):
        super().__init__()
        self.more = {"a": 1}


@pytest.mark.parametrize("cls", [Slotted, Both])
@pytest.mark.parametrize(
    "copied", [Game.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
def test_copies_have_what_subclasses_add(cls, copied):
    game = cls()
    game.play("h2e2")
    other = copied(game)
    assert type(other) is cls and other.equals(game) and other.children[0] is not game.children[0]
    assert other.place == ["Beijing"] and other.secret() == 7 and not hasattr(other, "unset")
    assert getattr(other, "more", None) == getattr(game, "more", None)
    assert (other.place is game.place) is (copied in (Game.copy, copy.copy))


def siblings(game):
    return [str(child.move) for child in game.children]


def test_promote_demote_and_remove():
    game = Game()
    a, b, c = (game.play(text) for text in ("h2e2", "b2e2", "c3c4"))
    b.promote()
    assert siblings(game) == ["b2e2", "h2e2", "c3c4"]
    b.promote()
    b.demote()
    assert siblings(game) == ["h2e2", "b2e2", "c3c4"]
    c.demote()
    c.promote()
    assert siblings(game) == ["h2e2", "c3c4", "b2e2"]
    c.demote()
    c.promote_to_main()
    assert siblings(game) == ["c3c4", "h2e2", "b2e2"] and c.is_mainline()
    a.remove()
    assert siblings(game) == ["c3c4", "b2e2"]
    raises(ValueError, "not part of a game", a.game)
    for change in (game.promote, game.demote, game.remove, game.promote_to_main):
        raises(ValueError, "start of a game", change)


def test_moves_are_played_once_and_legally():
    game = Game()
    first = game.play("炮二平五", comment="one")
    assert game.play(Move.from_iccs("h2e2"), comment="two") is first and first.comment == "one\n\ntwo"
    raises(IllegalMoveError, "", first.play, "h2e2")
    raises(IllegalMoveError, "", first.play, Move.from_iccs("a0a9"))
    for add, wrong in ((first.add, "h9g7"), (first.add_variation, "h9g7"), (first.play, None)):
        raises(TypeError, r"a move is a Move, not .*: play\(\) and", add, wrong)
    assert first.is_end()
    assert game.play_line(["C2.5", "马8进7", "h0g2"]).ply == 3
    assert first.children[0].children[0].turn != RED


def test_equality_looks_at_everything():
    def made(**notes):
        game = Game(headers={"Red": "a"})
        node = game.play("h2e2")
        for name, value in notes.items():
            setattr(node, name, value)
        return game

    assert made().equals(made()) and made() != made()
    score = PovScore(Cp(30), RED)
    notes = [
        {"comment": "x"}, {"nags": (1,)}, {"arrows": (Arrow.of("h9g7"),)}, {"clock": 2.5},
        {"elapsed": 1.0}, {"eval": Eval(score)}, {"eval": Eval(score, 7)},
    ]  # fmt: skip
    for note in notes:
        assert not made(**note).equals(made()) and made(**note).equals(made(**note))
    other = made()
    other.headers["Red"] = "b"
    assert not other.equals(made()) and not made().equals(Game(headers={"Red": "a"}))
    assert {other: 1, other.copy(): 2, other.children[0]: 3}[other] == 1  # each is a key of its own


@pytest.mark.parametrize("score", [Cp(0), Cp(-20), Mate(3), Mate(-2), Mate(0), MateGiven])
def test_scores_survive_json(score):
    game = Game()
    game.play("h2e2").eval = Eval(PovScore(score, RED), 5)
    assert repr(Game.from_dict(game.to_dict()).children[0].eval) == repr(game.children[0].eval)


@pytest.mark.parametrize(
    "data",
    [
        {}, {"fen": "x", "headers": {}, "nodes": []}, {"fen": STARTING_FEN, "headers": {}, "nodes": [1, {}]},
        {"fen": STARTING_FEN, "headers": {}, "nodes": [{}, {"move": "h2e2", "parent": 1}]},
        {"fen": STARTING_FEN, "headers": {}, "nodes": [{}, {"move": "h2e9", "parent": 0}]},
        {"fen": STARTING_FEN, "headers": {}, "nodes": [{"arrows": ["zz"]}]},
    ],
)  # fmt: skip
def test_data_of_something_else_is_refused(data):
    raises(ValueError, "", Game.from_dict, data)


@pytest.mark.parametrize(
    "note",
    [
        {"comment": 5}, {"comment": ["a"]}, {"starting_comment": 1.0}, {"clock": "1"}, {"clock": True},
        {"clock": float("nan")}, {"elapsed": float("inf")}, {"nags": "12"}, {"nags": [1.5]},
        {"arrows": "h2e2"},
        {"cp": 1.5}, {"cp": "3"}, {"mate": "3"}, {"cp": 3, "depth": 1.5}, {"cp": 3, "depth": "x"},
    ],
)  # fmt: skip
def test_data_of_another_kind_is_refused_not_altered(note):
    """It was accepted, as "5" or as 1, or failed when it was written."""
    raises(ValueError, "", Game.from_dict, {"fen": STARTING_FEN, "headers": {}, "nodes": [note]})


@pytest.mark.parametrize("headers", [{"Red": 5}, {"Red": None}, {5: "Hu"}, ["ab"], "ab"])
def test_headers_that_are_no_texts_are_refused(headers):
    raises(ValueError, "", Game.from_dict, {"fen": STARTING_FEN, "headers": headers, "nodes": []})


def test_a_line_of_ten_thousand_moves():
    game = Game()
    node = game
    for _ in range(2500):
        for text in ("b0c2", "b9c7", "c2b0", "c7b9"):
            node = node.add(Move.from_iccs(text))
    other = Game.from_dict(game.to_dict())
    assert other.equals(game) and node.ply == 10_000 and game.end() is node
    assert node.board().ply == 10_000 and game.plies() == 10_000
    other.merge(game)
    assert other.equals(game)


def test_a_board_becomes_a_game_unless_none_can_begin_there():
    board = Board("3k5/9/4P4/9/9/9/9/9/9/4K4 b - - 0 7")
    board.push_iccs("d9d8")
    game = Game.from_board(board, {"Red": "Hu", "Result": "0-1"})
    assert game.end().board() == board and game.result == "0-1"
    assert Game.from_board(Board()).result == "*"
    raises(ValueError, "", Game, "9/9 w")


def test_texts_of_moves():
    game = Game()
    node = game.play("h2e2").play("h9g7")
    side = node.parent.play("h7e7")
    assert game.move_text() == ""
    assert [node.move_text(name) for name in ("chinese", "traditional", "wxf", "iccs", "uci")] == [
        "马8进7", "馬8進7", "H8+7", "H9-G7", "h9g7",
    ]  # fmt: skip
    raises(ValueError, "notation must be one of", node.move_text, "san")
    assert side.starts_variation() and not node.starts_variation() and not game.starts_variation()
    assert side.is_end() and not game.is_end()


def test_main_lines_are_views_of_the_game():
    game = Game()
    line, moves = game.mainline(), game.mainline_moves()
    assert not line and not moves and list(moves) == []
    last = game.play_line(["h2e2", "h9g7", "h0g2"])
    assert list(line) == list(line) == last.path() and list(reversed(line)) == last.path()[::-1]
    assert [*map(str, moves)] == ["h2e2", "h9g7", "h0g2"] and list(reversed(moves)) == list(moves)[::-1]
    assert moves and repr(moves) == "<Mainline: h2e2 h9g7 h0g2>"
    assert str(moves) == str(line) == "1. 炮二平五 马8进7 2. 马二进三" and str(last.mainline()) == ""
    assert str(last.parent.parent.mainline_moves()) == "1...马8进7 2. 马二进三"
    assert list(last.parent.mainline()) == [last] and not last.mainline()
    assert list(reversed(last.mainline())) == []
    for view in (line, moves):
        assert repr(pickle.loads(pickle.dumps(view))) == repr(view)


def test_a_long_line_costs_the_same_for_each_ply(monkeypatch):
    pushes = []
    monkeypatch.setattr(
        tree, "Board", type("Counted", (Board,), {"push": lambda *a: pushes.append(Board.push(*a))})
    )
    loop = ["h2e2", "h9g7", "e2h2", "g7h9"] * 50
    game = Game()
    node = game.play_line(loop)
    assert len(pushes) == len(loop)
    for move in loop:
        node = node.play(move)
    assert len(pushes) == 2 * len(loop) and node.ply == 400


def test_what_was_played_last_is_forgotten_when_the_game_changes():
    game = Game()
    first = game.play("h2e2")
    last = first.play("h9g7")
    first.remove()
    raises(ValueError, "not part of a game", last.play, "h0g2")
    node = game.play("h2e2")
    game.start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKAB1R w - - 0 1"
    after = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKAB1R"
    assert node.play("h9g7").board().board_fen() == after
    with pytest.raises(IllegalMoveError):  # the knight is not there
        node.children[0].play("h0g2")
    node = Game().play("h2e2")
    raises(IllegalMoveError, "", node.play, "a0a9")
    assert node.play("h9g7").ply == 2  # also behind a refusal


@given(trees(), st.randoms(use_true_random=False))
def test_moves_are_played_at_any_node_as_from_its_own_board(game, rng):
    nodes = list(game.nodes())
    for _ in range(10):
        node = rng.choice(nodes)
        for _ in range(3):
            moves = list(node.board().legal_moves)
            if not moves:
                break
            node = node.play(rng.choice(moves))  # another position would refuse the move
            nodes.append(node)
    assert sum(1 for _ in game.walk()) == sum(1 for _ in game.nodes())
