"""What was changed in a document and can be undone: each change is kept as the step that takes it back.

A step is data for JSON and finds its node by the moves that lead to it, so it outlives the server. Its
``kind``:

* "note": comment, starting comment, glyphs or arrows of a node.
* "order": the order of the variations of some nodes.
* "child": a move with all that follows it, or, with None, that it is not there.
* "header": one header, or, with None, that it is not there.
* "review": the review that the document had, or None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .._core import Move
from ..records import Game, GameNode

Step = dict[str, Any]

MAX_CHANGES = 50
MAX_KEPT = 20_000  # moves in all steps


class History:
    """The changes of a document, the last one at the end, and those that were undone.

    A change is {"what": a word for the page, "count": of moves, "step": what takes it back}.
    """

    def __init__(self, done: Iterable[Step] = (), undone: Iterable[Step] = ()) -> None:
        self.done: list[Step] = list(done)
        self.undone: list[Step] = list(undone)

    def record(self, what: str, step: Step, count: int = 0, *, now: str = "") -> None:
        """Keep a change. now: the new comment; what is added to one belongs to the change before."""
        self.undone.clear()
        last: Step = self.done[-1] if self.done else {"what": ""}
        is_same = (
            what == last["what"] == "comment"
            and last["step"]["path"] == step["path"]
            and last["step"]["note"].keys() == step["note"].keys()
        )
        if is_same and all(_is_kept(old, now) for old in step["note"].values()):
            return
        self.done.append({"what": what, "count": count, "step": step})
        del self.done[:-MAX_CHANGES]
        while len(self.done) > 1 and sum(change["count"] for change in self.done) > MAX_KEPT:
            del self.done[0]

    def data(self) -> dict[str, Any]:
        """For the page: what would be undone and redone next."""
        return {
            name: {"what": changes[-1]["what"], "count": changes[-1]["count"]} if changes else None
            for name, changes in (("undo", self.done), ("redo", self.undone))
        }

    def to_dict(self) -> dict[str, Any]:
        return {"done": self.done, "undone": self.undone}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> History:
        """The history of such data; KeyError or TypeError if it is damaged."""
        for change in (*data["done"], *data["undone"]):
            str(change["what"]), int(change["count"]), str(change["step"]["kind"])
        return cls(data["done"], data["undone"])


def _is_kept(old: str, new: str) -> bool:
    """Is all of an old text in the new one, before and after what was put in?"""
    start = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), len(old))
    return len(new) >= len(old) and new.endswith(old[start:])


def path_of(node: GameNode) -> list[str]:
    """The moves that lead to a node."""
    return [move.iccs() for move in node.moves()]


def find_node(game: Game, path: Iterable[str]) -> GameNode | None:
    """The node to which moves lead."""
    node: GameNode | None = game
    for text in path:
        node = node.child(Move.from_iccs(text)) if node is not None else None
    return node


def subtree_data(node: GameNode) -> dict[str, Any]:
    """A node and all that follows it, as the data of a game that begins before it."""
    assert node.parent is not None and node.move is not None
    game = Game(node.parent.board().fen())
    game.add(node.move).merge(node)
    return game.to_dict()


def graft(parent: GameNode, index: int, data: dict[str, Any]) -> GameNode:
    """Put the move of `subtree_data` with all that follows in; what is there already is kept beside it."""
    (fresh,) = Game.from_dict(data).children
    assert fresh.move is not None
    there = parent.child(fresh.move)
    if there is not None:
        there.merge(fresh)
        return there
    fresh.parent = parent
    parent.children.insert(index, fresh)
    return fresh
