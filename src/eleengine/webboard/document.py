"""A document: a game tree that pages show and change, with the game that is played on it.

Each node has an id, which pages use in requests; 0 is the start. A change is broadcast to all pages that
show the document, and saved soon after.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple
from unicodedata import category

from .. import notation
from .._core import STARTING_FEN, IllegalMoveError, Move
from ..board import Board
from ..records import RESULTS, Arrow, Game, GameNode
from ..review import PositionEval, Review, build_review
from ..squares import parse_square
from .errors import RequestError
from .live_game import LiveGame
from .page_data import Data, board_data, node_data, review_data, tree_data
from .store import Store, new_key

SAVE_DELAY = 0.5  # seconds from a change to its saving
MAX_NODES = 100_000
MAX_TEXT = 20_000  # characters of a comment
MAX_HEADER = 500
MAX_HEADERS = 60
MAX_ARROWS = 40

Send = Callable[[Data], None]


class StoredReview(NamedTuple):
    """What a review is built from: moves, evaluations of all positions, how many are book moves, and results.

    results: of all positions by endgame tables, None where there is no table.
    """

    moves: list[Move]
    evals: list[PositionEval]
    book_plies: int
    results: list[int | None]

    def build(self, start: str) -> Review:
        """The review of a game from a position; ValueError if its parts do not fit together."""
        if not self.moves or len(self.evals) != len(self.moves) + 1:
            raise ValueError("a review has moves and an evaluation of each position")
        game = Game(start)
        game.play_line(self.moves)
        return build_review(game, self.evals, book_plies=self.book_plies, endings=self.results)

    def to_dict(self) -> Data:
        return {
            "moves": [move.iccs() for move in self.moves],
            "evals": [found.to_dict() for found in self.evals],
            "book_plies": self.book_plies,
            "results": self.results,
        }

    @classmethod
    def from_dict(cls, data: Data) -> StoredReview:
        moves = [Move.from_iccs(text) for text in data["moves"]]
        evals = [PositionEval.from_dict(found) for found in data["evals"]]
        results = [found if found in (1, 0, -1) else None for found in data.get("results", ())]
        return cls(moves, evals, int(data["book_plies"]), results)


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
        self.warnings: list[Data] = []  # of the file that the game was read from
        self.source: str | None = None  # a checksum of the game as it was read
        self.review: Review | None = None  # the last one
        self.reviewing: asyncio.Task[None] | None = None  # the task of the last one
        self._stored_review: StoredReview | None = None
        self.endings: dict[int, tuple[int, int]] = {}  # results before and after a move, by node number
        self.save_error: str | None = None  # why the last attempt to save it failed
        self.is_saved: bool = False  # is there a file of it?
        self._saved_at: int = 0  # `at` in the file
        self.workers: int = 0  # requests and reviews under way that may change it
        self._pages: dict[Send, int] = {}  # with the node that each shows
        self._save_at: asyncio.TimerHandle | None = None
        self._number_nodes()

    def _number_nodes(self) -> None:
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
        for send in self._pages:
            send(message)

    # Messages

    def data(self) -> Data:
        """Return the message with the whole document."""
        return {
            "type": "document",
            "doc": self.key,
            "headers": self.game.headers,
            "start": self.game.start,
            "nodes": tree_data(self.game, self.node_ids, self.endings),
            "at": self.at,
            "warnings": self.warnings,
            "puzzle": self.puzzle,
            "game": self.live_game.data() if self.live_game else None,
            "trouble": self.save_error,
            "review": review_data(self.review) if self.review else None,
        }

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
        message = {"type": "board", "node": node_id, **board_data(self.board(node_id))}
        self.at = node_id
        for send in pages or tuple(self._pages):
            if send in self._pages:  # it may have gone while an engine was thinking
                self._pages[send] = node_id
                send(message)

    def broadcast_node(self, node: GameNode) -> None:
        """Send all pages a node as it is now."""
        before = node.parent.board() if node.parent is not None else None
        parent = self.node_id(node.parent) if node.parent is not None else 0
        data = node_data(node, self.node_id(node), parent, before, self.endings.get(self.node_id(node)))
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
        parent = self.node_id(node.parent)
        for gone in node.nodes():
            del self.nodes[self.node_ids.pop(id(gone))]
        if live_game is not None and _is_on_path(node, live_game.start):
            self.live_game = None  # a finished game without its start
        elif live_game is not None and _is_on_path(node, live_game.node):
            live_game.node = node.parent
        node.remove()
        if self.at not in self.nodes:
            self.at = parent
        self.broadcast_all()
        if moved := [send for send, at in self._pages.items() if at not in self.nodes]:
            self.show(parent, *moved)
        return parent

    def reorder(self, node_id: int, how: str) -> None:
        """promote, demote, or main: bring the whole line to the front."""
        node = self.node(node_id)
        if node.parent is None:
            raise RequestError("bad-message", "the start has no place among moves")
        if how == "main":
            for step in node.path():
                step.promote_to_main()
        elif how == "promote":
            node.promote()
        else:
            node.demote()
        self.broadcast_all()

    def annotate(self, node_id: int, changes: Mapping[str, Any]) -> None:
        """Set comment, nags or arrows of a node."""
        node = self.node(node_id)
        if "comment" in changes:
            node.comment = _text(changes["comment"], "comment", MAX_TEXT).replace("\r\n", "\n")
        if "nags" in changes:
            nags = changes["nags"]
            if not isinstance(nags, list) or not all(type(n) is int and 0 < n < 256 for n in nags[:9]):
                raise RequestError("bad-message", "nags are up to eight whole numbers from 1 to 255")
            node.nags = tuple(nags[:8])
        if "arrows" in changes:
            node.arrows = _arrows(changes["arrows"])
        self.broadcast_node(node)

    def set_header(self, name: str, value: str) -> None:
        """Set or, with an empty value, remove a header."""
        name, value = _text(name, "header", 60).strip(), _text(value, "header", MAX_HEADER).strip()
        if not name.isidentifier():
            raise RequestError("bad-message", f"{name!r} is not the name of a header")
        if name == "Result" and value not in RESULTS:
            raise RequestError("bad-message", f"a result is one of {', '.join(RESULTS)}")
        headers = self.game.headers
        if value:
            if name not in headers and len(headers) >= MAX_HEADERS:
                raise RequestError("too-large", f"a game has at most {MAX_HEADERS} headers")
            headers[name] = " ".join(value.split())
        else:
            headers.pop(name, None)
        self.broadcast({"type": "headers", "headers": headers})
        self.changed()

    # Keeping

    def keep_review(self, stored: StoredReview) -> None:
        """Keep the review of the main line; ValueError if its parts do not fit together."""
        self._take_review(stored)
        assert self.review is not None
        for node in self.game.mainline():
            if self.node_id(node) in self.endings:
                self.broadcast_node(node)
        self.broadcast({"type": "review", "summary": review_data(self.review)})
        self.changed()

    def _take_review(self, stored: StoredReview) -> None:
        self.review, self._stored_review = stored.build(self.game.start), stored
        self.endings = {
            self.node_id(node): found.ending
            for node, found in zip(self.game.mainline(), self.review.moves, strict=False)
            if found.ending is not None and found.move == node.move
        }

    def set_puzzle(self, **changes: Any) -> None:
        """Change the state of the puzzle; RequestError if a game has begun in its place meanwhile."""
        if self.puzzle is None:
            raise RequestError("bad-message", "this is not a puzzle")
        self.puzzle.update(changes)
        self.broadcast({"type": "puzzle", "puzzle": self.puzzle})
        self.changed()

    def changed(self) -> None:
        """Save soon."""
        if self._save_at is None:
            self._save_at = asyncio.get_running_loop().call_later(SAVE_DELAY, self.save)

    @property
    def is_empty(self) -> bool:
        """Is there nothing to keep?"""
        game = self.game
        return not (
            game.children
            or game.comment
            or game.arrows
            or game.headers
            or self.live_game
            or game.start != STARTING_FEN
            or self.is_saved
        )

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
        if self._stored_review is not None:
            data["review"] = self._stored_review.to_dict()
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
        data = store.load(key)
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
        if isinstance(data.get("review"), dict):
            with suppress(Exception):  # whatever is damaged: a review is done again, the game is not
                document._take_review(StoredReview.from_dict(data["review"]))
        return document


def parse_move(board: Board, text: str) -> Move:
    """Read a move in any notation; RequestError names a text that is none, or not legal."""
    try:
        move = notation.parse(board, text[:20])
    except IllegalMoveError as error:
        raise RequestError("illegal-move", str(error), move=text) from None
    except ValueError as error:
        raise RequestError("no-move", str(error), move=text) from None
    if not move:
        raise RequestError("illegal-move", "a pass is no move of Xiangqi", move=text)
    return move


def _is_on_path(node: GameNode, end: GameNode) -> bool:
    """Is a node on the way from the start to a different node?"""
    return any(other is node for other in end.path())


def summary(key: str, headers: Mapping[str, str], plies: int, changed: float | None = None) -> Data:
    """A line for a list of games."""
    return {
        "doc": key,
        "title": headers.get("Title") or headers.get("Event") or "",
        "red": headers.get("Red", ""),
        "black": headers.get("Black", ""),
        "result": headers.get("Result", "*"),
        "plies": plies,
        "changed": changed,
    }


def stored_summary(key: str, data: Data) -> Data:
    """The same of a document in its file, and where it stands; KeyError, TypeError, ValueError if it is none.

    fen: the pieces at the end of the main line. state: "running", "lost" or "" of a game against an engine;
    person: who plays against an engine, "red", "black" or "". reviewed, puzzle: is it? source: what the file
    was that it came from.
    """
    game = data["game"]
    plies = 0  # the main line stands first, each move after its parent
    while plies + 1 < len(game["nodes"]) and game["nodes"][plies + 1]["parent"] == plies:
        plies += 1
    line = summary(key, dict(game["headers"]), plies, data.get("changed"))
    return line | {
        "fen": _last_fen(game, plies),
        "state": _state(data.get("play")),
        "person": _person(data.get("play")),
        "reviewed": "review" in data,
        "puzzle": "puzzle" in data,
        "source": data.get("source"),
    }


def _last_fen(game: Data, plies: int) -> str:
    """The pieces after `plies` plies of the main line."""
    board = Board(game["fen"], validate=False)
    for node in game["nodes"][1 : plies + 1]:
        board.push(Move.from_iccs(node["move"]))
    return board.board_fen()


def _state(play: Data | None) -> str:
    """How a game against an engine stands for the person."""
    if play is None:
        return ""
    result = play.get("result")
    if result is None:
        return "running"
    person = _person(play)
    return "lost" if person and result.get("winner") not in (None, person) else ""


def _person(play: Data | None) -> str:
    """The side of the one person in a game against an engine."""
    red, black = play["players"] if play else (None, None)
    if (red is None) == (black is None):
        return ""
    return "red" if red is None else "black"


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
