"""A document: a game tree that pages show and change, with the game that is played on it.

Each node has an id, which pages use in requests; 0 is the start. A change is broadcast to all pages that
show the document, and saved soon after.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any
from unicodedata import category

from .. import notation
from .._core import STARTING_FEN, IllegalMoveError, Move
from ..board import Board
from ..records import RESULTS, Arrow, Game, GameNode
from ..records.encoding import line_of
from ..records.nags import MAX_NAG
from ..review import Evaluations, Review, build_review
from ..squares import parse_square
from .errors import RequestError
from .history import History, Step, find_node, graft, path_of, subtree_data
from .live_game import LiveGame
from .page_data import Data, arrows_data, board_data, node_data, review_data, tree_data
from .store import Store, new_key

SAVE_DELAY = 0.5  # seconds from a change to its saving
MAX_NODES = 100_000
MAX_TEXT = 20_000  # characters of a comment
MAX_HEADER = 500
MAX_HEADERS = 60
MAX_ARROWS = 40

Send = Callable[[Data], None]


class Document:
    """A game tree with its pages.

    at: the id of the node that a page showed last. live_game: the game that is played here, if any.
    puzzle: its number and state.
    """

    def __init__(self, store: Store, game: Game | None = None, *, key: str | None = None) -> None:
        self.store = store
        self.key: str = key or new_key()
        self.game: Game = game or Game()
        self.at: int = 0
        self.live_game: LiveGame | None = None
        self.puzzle: Data | None = None
        self.source: str | None = None  # a checksum of the game as it was read
        self.file: str = ""  # the name of the file that it was read from
        self.review: Review | None = None  # the last one
        self.reviewing: asyncio.Task[None] | None = None  # the task of the last one
        self._stored_review: Evaluations | None = None
        self.history = History()
        self.save_error: str | None = None  # why the last attempt to save it failed
        self.is_saved: bool = False  # is there a file of it?
        self._saved_at: int = 0  # `at` in the file
        self.workers: int = 0  # requests and reviews under way that may change it
        self._pages: dict[Send, int] = {}  # with the node that each shows
        self.watchers: Collection[Send] = ()  # pages that only look on: a game does not wait for them
        self._save_at: asyncio.TimerHandle | None = None
        self.nodes: dict[int, GameNode] = {}
        self.node_ids: dict[int, int] = {}
        self._next_id = 0
        for node in self.game.nodes():
            self._assign_id(node)

    def _assign_id(self, node: GameNode) -> int:
        if len(self.nodes) >= MAX_NODES:
            raise RequestError("too-large", f"a tree has at most {MAX_NODES} moves")
        node_id = self._next_id
        self._next_id += 1
        self.nodes[node_id] = node
        self.node_ids[id(node)] = node_id
        return node_id

    # Pages

    def add_page(self, send: Send) -> None:
        """Send a page the current position, and changes from now on."""
        self._pages[send] = self.at
        self.show(self.at, send)
        if self.live_game is not None:
            self.live_game.resume()

    def remove_page(self, send: Send) -> None:
        """Forget a page; a game waits for the next one."""
        self._pages.pop(send, None)
        if not self._pages:
            if self.live_game is not None:
                self.live_game.pause()
            self.save()

    @property
    def has_pages(self) -> bool:
        return bool(self._pages)

    def broadcast(self, message: Data) -> None:
        """Send a message to all pages."""
        for send in (*self._pages, *self.watchers):
            send(message)

    def send_whole(self, send: Send) -> None:
        """Send all of the document and the position that was shown last."""
        send(self.data())
        send(self._position(self.at))

    # Messages

    def data(self) -> Data:
        """Return the message with the whole document."""
        return {
            "type": "document",
            "doc": self.key,
            "headers": self.game.headers,
            "start": self.game.start,
            "nodes": tree_data(self.game, self.node_ids),
            "at": self.at,
            "puzzle": self.puzzle,
            "game": self.live_game.data() if self.live_game else None,
            "trouble": self.save_error,
            "review": self.review_data(),
            "history": self.history.data(),
        }

    def review_data(self) -> Data | None:
        """The review and, by node ids, what it says of the moves that are still in the tree."""
        if self.review is None:
            return None
        path = [0]
        node: GameNode | None = self.game
        for found in self.review.moves:
            node = node.child(found.move) if node is not None else None
            if node is None:
                break
            path.append(self.node_id(node))
        return review_data(self.review, path)

    def node(self, node_id: object) -> GameNode:
        """The node of a number; RequestError if there is none."""
        node = self.nodes.get(node_id) if isinstance(node_id, int) else None
        if node is None:
            raise RequestError("unknown-node", f"there is no move number {node_id!r:.40}")
        return node

    def node_id(self, node: GameNode) -> int:
        return self.node_ids[id(node)]

    def board(self, node_id: int) -> Board:
        return self.node(node_id).board()

    def show(self, node_id: int, *pages: Send) -> None:
        """Bring pages, all if none is named, to a node."""
        message = self._position(node_id)
        self.at = node_id
        for send in pages or tuple(self._pages):
            if send in self._pages:  # it may have gone while an engine was thinking
                self._pages[send] = node_id
                send(message)
        for send in self.watchers:
            send(message)

    def _position(self, node_id: int) -> Data:
        return {"type": "board", "node": node_id, **board_data(self.board(node_id))}

    def broadcast_node(self, node: GameNode) -> None:
        """Send all pages a node as it is now."""
        before = node.parent.board() if node.parent is not None else None
        parent = self.node_id(node.parent) if node.parent is not None else 0
        data = node_data(node, self.node_id(node), parent, before)
        self.broadcast({"type": "node", "node": data})
        self.changed()

    def broadcast_all(self) -> None:
        """Send all pages the whole document, after a change of its order."""
        self.broadcast(self.data())
        self.changed()

    # Changes

    def add(self, parent: GameNode, move: Move, *, main: bool = False) -> GameNode:
        """The child with a legal move, new or there already; main: as the first of its siblings."""
        if id(parent) not in self.node_ids:  # deleted while an engine was thinking about it
            raise RequestError("unknown-node", "this move is no longer there")
        node = parent.child(move)
        fresh = node is None
        if node is None:
            node = parent.add(move)
            try:
                self._assign_id(node)
            except RequestError:
                node.remove()
                raise
        if main and not node.is_main_child():
            node.promote_to_main()
            self.broadcast_all()
        elif fresh:
            self.broadcast_node(node)
        return node

    def move(self, node_id: int, text: str) -> GameNode:
        """Add or find the child with the move of a text in any notation; RequestError if it is not legal."""
        node = self.node(node_id)
        return self.add(node, parse_move(node.board(), text))

    def delete(self, node_id: int) -> int:
        """Remove a node with all that follows; pages that show these go to its parent. Returns its number."""
        node = self.node(node_id)
        if node.parent is None:
            raise RequestError("bad-message", "the start cannot be deleted")
        live_game = self.live_game
        if live_game is not None and not live_game.over and _is_on_path(node, live_game.node):
            raise RequestError("game-running", "this move belongs to the game that is being played")
        step: Step = {
            "kind": "child",
            "path": path_of(node.parent),
            "move": node.moves()[-1].iccs(),
            "index": node.parent.children.index(node),
            "data": subtree_data(node),
            "played": path_of(live_game.node) if live_game is not None else [],
        }
        self.history.record("delete", step, count=len(step["data"]["nodes"]) - 1)
        parent = self.node_id(node.parent)
        self._remove(node)
        self._show_what_is_there(parent)
        return parent

    def _remove(self, node: GameNode) -> None:
        """Take a node with all that follows out of the tree."""
        assert node.parent is not None
        for gone in node.nodes():
            del self.nodes[self.node_ids.pop(id(gone))]
        live_game = self.live_game
        if live_game is not None and _is_on_path(node, live_game.start):
            self.live_game = None  # a finished game without its start
        elif live_game is not None and _is_on_path(node, live_game.node):
            live_game.node = node.parent
        node.remove()

    def _show_what_is_there(self, parent: int) -> None:
        """After a change of the tree: pages whose node has gone see its parent."""
        if self.at not in self.nodes:
            self.at = parent
        self.broadcast_all()
        if moved := [send for send, at in self._pages.items() if at not in self.nodes]:
            self.show(parent, *moved)

    def reorder(self, node_id: int, how: str) -> None:
        """promote, demote, or main: bring the whole line to the front."""
        node = self.node(node_id)
        if node.parent is None:
            raise RequestError("bad-message", "the start has no place among moves")
        line = node.path() if how == "main" else [node]
        before = _order_step(line)
        for step in line:
            {"main": step.promote_to_main, "promote": step.promote, "demote": step.demote}[how]()
        if _order_step(line) != before:
            self.history.record("order", before)
            self.broadcast_all()

    def annotate(self, node_id: int, changes: Mapping[str, Any]) -> None:
        """Set comment, starting comment, nags or arrows of a node."""
        node = self.node(node_id)
        new: Data = {}
        for name in ("comment", "starting_comment"):
            if name in changes:
                new[name] = _text(changes[name], "comment", MAX_TEXT).replace("\r\n", "\n")
        if "nags" in changes:
            nags = changes["nags"]
            if not isinstance(nags, list) or not all(type(n) is int and 0 <= n <= MAX_NAG for n in nags):
                raise RequestError("bad-message", f"nags are whole numbers from 0 to {MAX_NAG}")
            new["nags"] = nags
        if "arrows" in changes:
            new["arrows"] = arrows_data(_arrows(changes["arrows"]))
        what = next(iter(new), None)
        step = {"kind": "note", "path": path_of(node), "note": new}
        before = self._apply(step)
        if what is not None and before["note"] != new:
            self.history.record(what.removeprefix("starting_"), before, now=str(new[what]))
            self._tell_history()
        self.broadcast_node(node)

    def set_header(self, name: object, value: object) -> None:
        """Set or, with an empty value, remove a header; RequestError names what is wrong with it."""
        name, value = _text(name, "header", 60).strip(), _text(value, "header", MAX_HEADER).strip()
        if not name.isidentifier():
            raise RequestError("bad-message", f"{name!r} is not the name of a header")
        if name == "Result" and value not in RESULTS:
            raise RequestError("bad-message", f"a result is one of {', '.join(RESULTS)}")
        headers = self.game.headers
        if value and name not in headers and len(headers) >= MAX_HEADERS:
            raise RequestError("too-large", f"a game has at most {MAX_HEADERS} headers")
        before = self._apply({"kind": "header", "name": name, "value": line_of(value) or None})
        if before["value"] != headers.get(name):
            self.history.record("header", before)
            self._tell_history()
        self.broadcast({"type": "headers", "headers": headers})
        self.changed()

    # Undoing

    def undo(self, *, redo: bool = False) -> Data:
        """Take the last change back, or, with redo, the last one that was undone; return what it was.

        RequestError if there is none, or its place in the tree is no longer there.
        """
        history = self.history
        source, target = (history.undone, history.done) if redo else (history.done, history.undone)
        if not source:
            raise RequestError("nothing-to-undo", "there is nothing to undo")
        change = source[-1]
        target.append({**change, "step": self._apply(change["step"])})
        source.pop()
        path = change["step"].get("path", ())
        if change["what"] == "delete" and not redo:
            path = [*path, change["step"]["move"]]
        node = find_node(self.game, path) if path else None
        parent = self.node_id(node) if node is not None else self.at if self.at in self.nodes else 0
        self._show_what_is_there(parent)
        return {"what": change["what"], "count": change["count"], "node": parent}

    def _tell_history(self) -> None:
        self.broadcast({"type": "history", "history": self.history.data()})

    def _apply(self, step: Step) -> Step:
        """Do a step of the history and return the one that takes it back."""
        kind = step["kind"]
        if kind == "header":
            headers = self.game.headers
            before = headers.pop(step["name"], None)
            if step["value"] is not None:
                headers[step["name"]] = step["value"]
            return {**step, "value": before}
        if kind == "review":
            stored = self._stored_review
            self._take_review(step["review"] and Evaluations.from_dict(step["review"]))
            return {**step, "review": stored and stored.to_dict()}
        if kind == "order":
            return self._apply_order(step)
        node = find_node(self.game, step["path"])
        if node is None:
            raise RequestError("unknown-node", "this move is no longer there")
        if kind == "note":
            old = {
                "comment": node.comment, "starting_comment": node.starting_comment,
                "nags": list(node.nags), "arrows": arrows_data(node.arrows),
            }  # fmt: skip
            node.comment = step["note"].get("comment", node.comment)
            node.starting_comment = step["note"].get("starting_comment", node.starting_comment)
            node.nags = step["note"].get("nags", node.nags)
            if "arrows" in step["note"]:
                node.arrows = _arrows(step["note"]["arrows"])
            return {**step, "note": {name: old[name] for name in step["note"]}}
        return self._apply_child(step, node)

    def _apply_order(self, step: Step) -> Step:
        """Put the variations of some nodes into an order; others, new since, come last."""
        parents = [(find_node(self.game, path), moves) for path, moves in step["orders"]]
        before = [[path_of(node), _child_moves(node)] for node, _ in parents if node is not None]
        for node, moves in parents:
            if node is not None:
                node.children.sort(
                    key=lambda child: moves.index(text) if (text := child.moves()[-1].iccs()) in moves else 99
                )
        return {**step, "orders": before}

    def _apply_child(self, step: Step, parent: GameNode) -> Step:
        """Put a move with all that follows in, or take it out; one that is there is kept, or replaced."""
        there = parent.child(Move.from_iccs(step["move"]))
        index = step["index"] if there is None else parent.children.index(there)
        back = {
            **step, "index": index, "data": there and subtree_data(there), "replace": True,
        }  # fmt: skip
        if there is not None and (step["data"] is None or step.get("replace")):
            self._remove(there)
        if step["data"] is not None:
            for node in graft(parent, index, step["data"]).nodes():
                if id(node) not in self.node_ids:
                    self._assign_id(node)
            if self.live_game is not None and self.live_game.node is parent:  # where the deletion left it
                self.live_game.node = find_node(self.game, step.get("played") or step["path"]) or parent
        return back

    # Keeping

    def keep_review(self, stored: Evaluations) -> None:
        """Keep the review of the main line; ValueError if its parts do not fit together."""
        before = self._stored_review
        self._take_review(stored)
        self.history.record("review", {"kind": "review", "review": before and before.to_dict()})
        self._tell_review()

    def drop_review(self) -> None:
        """Take the review away; what people wrote stays."""
        if self._stored_review is None:
            raise RequestError("nothing-to-review", "there is no review yet")
        self.history.record("no_review", self._apply({"kind": "review", "review": None}))
        self._tell_review()

    def _tell_review(self) -> None:
        self.broadcast({"type": "review", "summary": self.review_data()})
        self._tell_history()
        self.changed()

    def _take_review(self, stored: Evaluations | None) -> None:
        review = None
        if stored is not None:
            if not stored.moves or len(stored.evals) != len(stored.moves) + 1:
                raise ValueError("a review has moves and an evaluation of each position")
            game = Game(self.game.start)
            game.play_line(stored.moves)
            review = build_review(game, stored.evals, book_plies=stored.book_plies, endings=stored.results)
        self.review, self._stored_review = review, stored

    def reviewed_game(self, language: str) -> Game:
        """The game with what the review says of the moves that are still in it."""
        review = self.review
        return self.game if review is None else review._replace(game=self.game).annotated(language=language)

    def set_puzzle(self, **changes: Any) -> None:
        """Change the state of the puzzle; RequestError if a game has begun in its place meanwhile."""
        if self.puzzle is None:
            raise RequestError("bad-message", "this is not a puzzle")
        self.puzzle.update(changes)
        self.broadcast({"type": "puzzle", "puzzle": self.puzzle})
        self.changed()

    def show_solution(self, node: GameNode, line: Sequence[Move]) -> int:
        """Write a line from a node on into the tree, and give the puzzle up; the number of its first move."""
        nodes = [node]
        for move in line:
            nodes.append(self.add(nodes[-1], move))
        if self.puzzle is not None and self.puzzle["state"] == "open":
            self.set_puzzle(state="shown")
        return self.node_id(nodes[:2][-1])

    def changed(self) -> None:
        """Schedule a save of the document, SAVE_DELAY seconds after the first change."""
        if self._save_at is None:
            self._save_at = asyncio.get_running_loop().call_later(SAVE_DELAY, self.save)

    @property
    def is_empty(self) -> bool:
        """Is there nothing to keep?"""
        game = self.game
        has_content = game.children or game.comment or game.arrows or game.headers or self.live_game
        return not (has_content or game.start != STARTING_FEN or self.is_saved)

    @property
    def is_unsaved(self) -> bool:
        """Is there a change that is not in the file yet?"""
        return self._save_at is not None

    def discard_changes(self) -> None:
        """Do not save what has changed."""
        if self._save_at is not None:
            self._save_at.cancel()
            self._save_at = None

    def save(self) -> None:
        """Save now what has changed; a failure is reported to the pages and tried again soon."""
        if self._save_at is None:
            self._save_place()
            return
        self._save_at.cancel()
        self._save_at = None
        if self.is_empty:
            return
        try:
            key = self.store.save(self.key, self._to_dict())
        except Exception as error:  # whatever is wrong, the document stays in memory
            self._report_save_error(error)
            return
        self.is_saved = True
        self._saved_at = self.at
        if self.save_error is not None:
            self.save_error = None
            self.broadcast({"type": "trouble", "message": None})
        if key != self.key:
            self.key = key
            self.broadcast({"type": "renamed", "doc": key})

    def _save_place(self) -> None:
        """Save where the pages are. It is worth no report: without it the next page begins elsewhere."""
        if self.is_saved and self.at != self._saved_at:
            with suppress(OSError, ValueError):
                self.store.save_place(self.key, self._indices()[id(self.nodes[self.at])])
                self._saved_at = self.at

    def _indices(self) -> dict[int, int]:
        """Numbers of the nodes in the file, by id(node)."""
        return {id(node): index for index, node in enumerate(self.game.nodes())}

    def _to_dict(self) -> Data:
        """The content of the file."""
        indices = self._indices()
        data: Data = {"game": self.game.to_dict(), "at": indices[id(self.nodes[self.at])]}
        if self.live_game is not None:
            data["play"] = self.live_game.to_dict(lambda node: indices[id(node)])
        if self.puzzle is not None:
            data["puzzle"] = self.puzzle
        if self.source is not None:
            data["source"] = self.source
        if self.file:
            data["file"] = self.file
        if self._stored_review is not None:
            data["review"] = self._stored_review.to_dict()
        if self.history.done or self.history.undone:
            data["history"] = self.history.to_dict()
        return data

    def _report_save_error(self, error: Exception) -> None:
        if isinstance(error, OSError):
            message = f"{error.strerror or error}: {error.filename or self.store.folder}"
        else:
            message = f"{type(error).__name__}: {error}"
            traceback.print_exception(error)
        if self.save_error != message:
            self.save_error = message
            self.broadcast({"type": "trouble", "message": message})
        self.changed()

    @classmethod
    def load(cls, store: Store, key: str) -> Document:
        """The document of a key; OSError, or whatever a damaged file leads to."""
        return cls.from_dict(store, key, store.load(key))

    @classmethod
    def from_dict(cls, store: Store, key: str, data: Data) -> Document:
        """The document of the content of its file; whatever damage leads to."""
        document = cls(store, Game.from_dict(data["game"]), key=key)
        document.is_saved = True
        nodes = list(document.game.nodes())
        at = data.get("at", 0)
        if isinstance(at, int) and 0 <= at < len(nodes):
            document.at = document._saved_at = document.node_id(nodes[at])
        if isinstance(data.get("play"), dict):
            document.live_game = LiveGame.from_dict(document, data["play"], nodes)
        if isinstance(data.get("puzzle"), dict):
            document.puzzle = data["puzzle"]
        if isinstance(data.get("source"), str):
            document.source = data["source"]
        document.file = str(data.get("file", ""))
        if isinstance(data.get("review"), dict):
            with suppress(Exception):  # whatever is damaged: a review is done again, the game is not
                document._take_review(Evaluations.from_dict(data["review"]))
        if isinstance(data.get("history"), dict):
            with suppress(Exception):  # without it there is nothing to undo
                document.history = History.from_dict(data["history"])
        return document


def parse_move(board: Board, text: str) -> Move:
    """Read a move in any notation; RequestError names a text that is none, or not legal."""
    try:
        move = notation.parse(board, text)
    except IllegalMoveError as error:
        raise RequestError("illegal-move", str(error), move=text) from None
    except ValueError as error:
        raise RequestError("no-move", str(error), move=text) from None
    if not move:
        raise RequestError("illegal-move", "a pass is no move of Xiangqi", move=text)
    return move


def _child_moves(node: GameNode) -> list[str]:
    return [child.move.iccs() for child in node.children if child.move is not None]


def _order_step(nodes: list[GameNode]) -> Step:
    """The step that puts the siblings of nodes back into the order that they have now."""
    parents = [node.parent for node in nodes if node.parent is not None]
    return {"kind": "order", "orders": [[path_of(parent), _child_moves(parent)] for parent in parents]}


def _is_on_path(node: GameNode, end: GameNode) -> bool:
    """Is a node on the way from the start to a different node?"""
    return any(other is node for other in end.path())


def _text(value: object, what: str, max_length: int) -> str:
    if not isinstance(value, str) or len(value) > max_length:
        raise RequestError("bad-message", f"the {what} must be text of at most {max_length} characters")
    # No more than this: the wide blank of Chinese texts and what joins emoji are not printable for Python.
    return "".join(char for char in value if char in "\n\t" or category(char) not in ("Cc", "Cs"))


def _arrows(value: object) -> tuple[Arrow, ...]:
    if not isinstance(value, list) or len(value) > MAX_ARROWS:
        raise RequestError("bad-message", f"arrows are a list of at most {MAX_ARROWS}")
    arrows = []
    for item in value:
        try:
            tail, head, color = item
            if color not in ("green", "red", "blue", "yellow"):
                raise ValueError
            arrows.append(Arrow(parse_square(tail), parse_square(head), color))
        except (TypeError, ValueError):
            raise RequestError("bad-message", "an arrow is two squares and a color") from None
    return tuple(arrows)
