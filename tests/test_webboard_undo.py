"""Whatever changes a game on the board can be undone, also after the server was started again."""

from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="needs the extra board")

from support import examples, raises
from webboard_support import PERSONS, paging, serving

from eleengine.records import Game
from eleengine.review import Evaluations, PositionEval
from eleengine.webboard.document import Document
from eleengine.webboard.errors import RequestError
from eleengine.webboard.store import Store

LEVEL = PositionEval.from_dict({"cp": 0, "mate": None, "line": ["h9g7"], "depth": 1})


class Quiet(Document):
    """A document that is saved when the test says so."""

    def changed(self):
        pass


def tree():
    game = Game(headers={"Red": "Hu"})
    game.play_line(["h2e2", "h9g7", "h0g2", "i9h9"])
    game.children[0].play_line(["b9c7", "h0g2"]).comment = "what a person wrote"
    game.children[0].nags = (4,)
    game.play_line(["c3c4"])
    return game


@contextmanager
def document(folder, game=None):
    yield Quiet(Store(folder), game or tree())


def state(one):
    """All that a person can see of a document."""
    return one.game.to_dict(), one.review_data() and one.review_data()["red"]


def review(one):
    moves = list(one.game.mainline_moves())
    if moves:
        one.keep_review(Evaluations(moves, [LEVEL] * (len(moves) + 1), 0, []))


CHANGES = {
    "delete": lambda one, node: one.delete(node),
    "main": lambda one, node: one.reorder(node, "main"),
    "promote": lambda one, node: one.reorder(node, "promote"),
    "demote": lambda one, node: one.reorder(node, "demote"),
    "comment": lambda one, node: one.annotate(node, {"comment": f"note {node}"}),
    "nags": lambda one, node: one.annotate(node, {"nags": [6, 14]}),
    "arrows": lambda one, node: one.annotate(node, {"arrows": [["a0", "a1", "red"]]}),
    "header": lambda one, node: one.set_header("Title", f"game {node}"),
    "no header": lambda one, node: one.set_header("Red", ""),
    "review": lambda one, node: review(one),
    "drop": lambda one, node: one.drop_review(),
}


@examples(60)
@given(st.lists(st.tuples(st.sampled_from(sorted(CHANGES)), st.integers(0, 20)), max_size=8))
def test_undo_and_redo_walk_through_all_states(tmp_path_factory, changes):
    with document(tmp_path_factory.getbasetemp()) as one:
        states = [state(one)]
        for what, place in changes:
            before = len(one.history.done)
            node = sorted(one.nodes)[place % len(one.nodes)]
            try:
                CHANGES[what](one, node)
            except RequestError:  # the start cannot be deleted, and no review be dropped that is not there
                continue
            if len(one.history.done) > before:
                states.append(state(one))
        for wanted in states[-2::-1]:
            one.undo()
            assert state(one) == wanted
        raises(RequestError, "nothing to undo", one.undo)
        for wanted in states[1:]:
            one.undo(redo=True)
            assert state(one) == wanted
        assert sorted(one.nodes.values(), key=id) == sorted(one.game.nodes(), key=id)
        assert {id(node) for node in one.game.nodes()} == set(one.node_ids)


def test_a_comment_that_is_typed_is_one_change(tmp_path):
    with document(tmp_path) as one:
        for text in ("a", "ab", "abc"):
            one.annotate(1, {"comment": text})
        for text in ("b", "", "an", "another"):  # the first two take something away
            one.annotate(1, {"comment": text})
        for text in ("b", "abc", ""):
            assert one.undo()["what"] == "comment"
            assert one.game.children[0].comment == text
        raises(RequestError, "nothing to undo", one.undo)


def test_an_order_that_stays_is_no_change(tmp_path):
    with document(tmp_path) as one:
        one.set_header("Title", "x")
        one.undo()
        for how in ("main", "promote"):
            one.reorder(1, how)
        assert one.undo(redo=True)["what"] == "header"


def test_the_game_on_a_document_ends_where_it_did_when_its_moves_come_back(tmp_path):
    with serving(tmp_path) as (client, _), paging(client) as page:
        page.ask("new", players=PERSONS)
        page.move("h2e2", "h9g7")
        page.ask("game", action="resign")
        page.ask("delete", node=1)
        page.ask("undo")
        document = page.until("document", lambda m: len(m["nodes"]) == 3)
        assert document["nodes"][-1] == document["nodes"][-1] | {
            "id": document["game"]["node"],
            "move": "h9g7",
        }


def test_a_move_keeps_all_the_glyphs_that_records_may_have(tmp_path):
    glyphs = (0, 1, *range(130, 140), 9999)
    with document(tmp_path) as one:
        one.annotate(1, {"nags": list(glyphs)})
        assert tuple(one.game.children[0].nags) == glyphs


def test_what_was_played_since_stays_beside_what_comes_back(tmp_path):
    with document(tmp_path) as one:
        old = one.game.copy()
        one.delete(1)
        one.move(one.node_id(one.move(0, "h2e2")), "a9a8")
        answer = one.undo()
        assert answer == {"what": "delete", "count": 6, "node": one.node_id(one.game.children[-1])}
        (node,) = [child for child in one.game.children if child.move.iccs() == "h2e2"]
        assert {child.move.iccs() for child in node.children} == {"h9g7", "b9c7", "a9a8"}
        one.undo(redo=True)
        assert [child.move.iccs() for child in one.game.children] == ["c3c4", "h2e2"]
        assert one.game.plies() == 1 and old.plies() == 4


async def test_changes_are_kept_with_the_document(tmp_path):
    one = Document(Store(tmp_path), tree())
    old = one.game.copy()
    one.delete(1)
    one.save()
    again = Document.load(Store(tmp_path), one.key)
    assert again.data()["history"]["undo"] == {"what": "delete", "count": 6}
    again.undo()
    assert again.game.equals(old)
    again.discard_changes()


def test_a_damaged_history_costs_only_itself(tmp_path):
    store = Store(tmp_path)
    for number, history in enumerate(([], {"done": [1], "undone": []}, {"done": [{"what": "delete"}]})):
        key = f"{number:032d}"
        store.save(key, {"game": tree().to_dict(), "history": history})
        assert Document.load(store, key).data()["history"] == {"undo": None, "redo": None}
