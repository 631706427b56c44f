"""The tree of a game: positions joined by moves, with comments and marks, the main line first.

A `Game` is the node of the start position and has the headers; every other `GameNode` is a move. What follows
a node are its `children`: the first one goes on with the line, the others are variations.

>>> game = Game(headers={"Red": "Hu", "Black": "Xu"})
>>> node = game.play("h2e2").play("h9g7")
>>> side = node.parent.play("h7e7", comment="a cannon against the cannon")
>>> [child.move.iccs() for child in node.parent.children], side.is_mainline()
(['h9g7', 'h7e7'], False)
>>> side.promote()
>>> [move.iccs() for move in game.mainline_moves()]
['h2e2', 'h7e7']
>>> side.board().fullmove_number, side.ply
(2, 2)

Nothing here recurses: a line may be as long as memory allows.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from itertools import islice
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from .. import notation, svg
from .._core import STARTING_FEN, BaseBoard, IllegalMoveError, Move, as_board
from .._internal.copying import attributes_of
from .._internal.message import Message
from ..board import Board
from ..marks import SIGNS
from ..notation import WRITERS, variation_chinese
from ..openings import Opening, find_opening
from ..pieces import RED, Color
from . import pgn_writer
from .annotations import check_notes, joined
from .chess_names import ChessGameNames, ChessNodeNames, Headers
from .errors import RecordError
from .time_control import TimeControl, parse_time_control
from .words import RESULTS

__all__ = ["Game", "GameNode", "Mainline"]

MAX_FRAMES: Final = 1_000  # of a GIF

_T_co = TypeVar("_T_co", covariant=True)


class Mainline(Generic[_T_co]):
    """What follows a node on its line: nodes, or their moves, as they are whenever it is gone through.

    False if nothing follows.

    >>> line = Game().play_line(["h2e2", "h9g7"]).game().mainline_moves()
    >>> [str(move) for move in line], [str(move) for move in reversed(line)], bool(line)
    (['h2e2', 'h9g7'], ['h9g7', 'h2e2'], True)
    >>> print(line)
    1. 炮二平五 马8进7
    """

    def __init__(self, start: GameNode, item: Callable[[GameNode], _T_co]) -> None:
        self._start = start
        self._item = item

    def __iter__(self) -> Iterator[_T_co]:
        node = self._start
        while node.children:
            node = node.children[0]
            yield self._item(node)

    def __reversed__(self) -> Iterator[_T_co]:
        node = self._start.end()
        while node is not self._start:
            yield self._item(node)
            assert node.parent is not None
            node = node.parent

    def __bool__(self) -> bool:
        return bool(self._start.children)

    def __str__(self) -> str:
        """Return the moves in Chinese with their numbers; `Board.variation_wxf` of them writes WXF."""
        return variation_chinese(self._start.board(), map(_its_move, self._start.mainline())) if self else ""

    def __repr__(self) -> str:
        moves = [str(node.move) for node in self._start.mainline()]
        return f"<Mainline: {' '.join(moves)}>"


def _itself(node: GameNode) -> GameNode:
    return node  # by a name, so that a line can be pickled


def _its_move(node: GameNode) -> Move:
    assert node.move is not None
    return node.move


class GameNode(ChessNodeNames["GameNode"]):
    """A position of a game: what led to it, what was said of it, what follows.

    move: that led here; None for the start of the game. A null move is a pass.
    parent: the position before it; None for the start.
    children: the moves that follow, main line first; change them with the methods below.
    What is said of it (comment, nags, arrows, clock, elapsed, eval) is described in `Annotations`.
    """

    __slots__ = ("children", "move", "parent")

    __iter__: ClassVar[None] = None  # or Python would ask for node[0], node[1], ... to a KeyError

    def __init__(self, parent: GameNode | None, move: Move | None, comment: str = "") -> None:
        super().__init__(comment)
        self.parent = parent
        self.move: Move | None = move
        self.children: list[GameNode] = []

    # Where the node is

    def game(self) -> Game:
        """The game that the node belongs to; ValueError for one that was taken out."""
        root = self.root()
        if not isinstance(root, Game):
            raise ValueError("the node is not part of a game")
        return root

    @property
    def ply(self) -> int:
        """Moves from the start of the game to here."""
        return len(self.path())

    def path(self) -> list[GameNode]:
        """The nodes from the first move to this one; empty for the start."""
        nodes = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    def moves(self) -> list[Move]:
        """The moves from the start of the game to here."""
        return [node.move for node in self.path() if node.move is not None]

    def board(self) -> Board:
        """The position, with the moves that led to it; ValueError if the start or a move is not valid."""
        board = Board(self.game().start)
        for move in self.moves():
            board.push(move)
        return board

    @property
    def turn(self) -> Color:
        """The side to move here."""
        return RED if (self.game().start.split()[1] == "w") == (self.ply % 2 == 0) else not RED

    def move_text(self, notation: str = "chinese") -> str:
        """Return the move that led here as text, such as 炮二平五; "" for the start of the game.

        notation: "chinese", "traditional", "wxf" (C2.5), "iccs" (H2-E2) or "uci" (h2e2). ValueError for
        a different one, or as for `board`.

        >>> node = Game().play("h2e2")
        >>> node.move_text(), node.move_text("wxf")
        ('炮二平五', 'C2.5')
        """
        if notation not in WRITERS:
            raise ValueError(f"the notation must be one of {', '.join(WRITERS)}, not {notation!r}")
        if self.move is None or self.parent is None:
            return ""
        return WRITERS[notation](self.parent.board(), self.move)

    def is_end(self) -> bool:
        """Is the node the last one of its line?"""
        return not self.children

    def starts_variation(self) -> bool:
        """Is the node the first move of a variation?"""
        return not self.is_main_child()

    def svg(self, **options: Any) -> str:
        """The position as a picture with the last move, its glyph and the arrows; options as for `svg.board`.

        >>> Game().play("h2e2").svg(size=300).count('last-move')
        2
        """
        signs = [SIGNS[nag] for nag in self.nags if nag in SIGNS]
        annotations = {self.move.to_square: signs[0]} if signs and self.move else {}
        return self.board().svg(**{"arrows": self.arrows, "annotations": annotations, **options})

    def gif(
        self,
        *,
        seconds: float = 1,
        scale: float = 1,
        size: int = 400,
        progress: Callable[[int, int], object] = lambda _, __: None,
        **options: Any,
    ) -> bytes:
        """The position and the moves that follow on this line as an animated GIF, needs the extra gif.

        seconds: that each position is shown, 0.02 to 60. size: width in pixels at scale 1. options: as for
        `svg.board`. progress: called with the number of positions drawn so far and of all. ImportError and
        ValueError as for `svg.gif`; ValueError for more than 1,000 positions.
        """
        line = [self, *islice(self.mainline(), MAX_FRAMES)]
        if len(line) > MAX_FRAMES:
            raise ValueError(f"a GIF of more than {MAX_FRAMES:,} positions is not made")

        def drawn() -> Iterator[str]:
            for done, node in enumerate(line):
                progress(done, len(line))
                yield node.svg(size=size, **options)

        return svg.gif(drawn(), seconds=seconds, scale=scale)

    def _repr_svg_(self) -> str | None:
        """The picture; None, for which notebooks show the text, of a position that cannot be reached."""
        try:
            return self.svg(size=400)
        except ValueError:
            return None

    def is_mainline(self) -> bool:
        """Is the node on the main line of the game?"""
        return all(node.is_main_child() for node in self.path())

    def is_main_child(self) -> bool:
        """Does the node go on with the line of its parent? True for the start, too."""
        return self.parent is None or self.parent.children[0] is self

    # What follows

    def next(self) -> GameNode | None:
        """The next node of this line, None at its end."""
        return self.children[0] if self.children else None

    def end(self) -> GameNode:
        """The last node of this line."""
        node = self
        while node.children:
            node = node.children[0]
        return node

    def mainline(self) -> Mainline[GameNode]:
        """The nodes that follow on this line, without this one."""
        return Mainline(self, _itself)

    def mainline_moves(self) -> Mainline[Move]:
        """The moves that follow on this line."""
        return Mainline(self, _its_move)

    def nodes(self) -> Iterator[GameNode]:
        """This node and all that follow: each before its children, the main line first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))

    def walk(self) -> Iterator[tuple[GameNode, Board]]:
        """The same with the position of each, which is valid until the next one; errors as for `board`."""
        board = self.board()
        yield self, board
        pending = [(child, board.ply) for child in reversed(self.children)]
        while pending:
            node, ply = pending.pop()
            while board.ply > ply:
                board.pop()
            assert node.move is not None
            board.push(node.move)
            yield node, board
            pending.extend((child, ply + 1) for child in reversed(node.children))

    def child(self, move: Move) -> GameNode | None:
        """The child with this move, None without one."""
        return next((child for child in self.children if child.move == move), None)

    # Change

    def add(self, move: Move, comment: str = "") -> GameNode:
        """Add a move as the last variation here and return its node; whether it is legal is not checked.

        A move that is there already gets a second node: `play` does not do that. TypeError for a text.
        """
        if not isinstance(move, Move):
            raise TypeError(f"a move is a Move, not {type(move).__name__}: play() and play_line() read text")
        node = GameNode(self, move, comment)
        self.children.append(node)
        return node

    def play(self, move: Move | str, *, comment: str = "") -> GameNode:
        """The node of a legal move, new or there already; a comment is added to what it has.

        move: a Move or text in any notation.
        ValueError: what `notation.parse` raises for a text, IllegalMoveError.
        """
        game, board = _last_played.take(self)
        if isinstance(move, str):
            move = notation.parse(board, move)
        elif not (board.is_legal(move) if move else not board.is_check()):
            raise IllegalMoveError(Message("illegal move {} in {}", move, board.fen()))
        node = self.child(move) or self.add(move)
        node.comment = joined(node.comment, comment)
        board.push(move)
        _last_played.keep(node, game, board)
        return node

    def play_line(self, moves: Iterable[Move | str]) -> GameNode:
        """Play moves one after the other, as `play` does, and return the last node."""
        node = self
        for move in moves:
            node = node.play(move)
        return node

    def remove(self) -> None:
        """Take the node and all that follows out of the game; ValueError for the start."""
        _, siblings = self._placed(None)
        siblings.remove(self)
        self.parent = None
        _LastPlayed.removals += 1

    # Each of the next three takes a child instead, which python-chess does.

    def promote(self, place: int | Move | GameNode | None = None) -> None:
        """Move the node one place up among the variations of its parent; ValueError for the start."""
        node, siblings = self._placed(place)
        index = siblings.index(node)
        if index:
            siblings[index - 1 : index + 1] = node, siblings[index - 1]

    def demote(self, place: int | Move | GameNode | None = None) -> None:
        """Move the node one place down among the variations of its parent; ValueError for the start."""
        node, siblings = self._placed(place)
        index = siblings.index(node)
        siblings[index : index + 2] = reversed(siblings[index : index + 2])

    def promote_to_main(self, place: int | Move | GameNode | None = None) -> None:
        """Make the node the first child of its parent; ValueError for the start."""
        node, siblings = self._placed(place)
        siblings.remove(node)
        siblings.insert(0, node)

    def merge(self, other: GameNode) -> None:
        """Add what follows another node of the same position: moves, comments, marks that are not here yet.

        The other tree stays as it is, or, if it is this one, adds what followed the other node before.
        ValueError if the positions differ.
        """
        if _place(self.board()) != _place(other.board()):
            raise ValueError("only trees of the same position can be merged")
        # A copy, since both may be parts of one tree, in which what is added here would be added again.
        pending: list[tuple[GameNode, GameNode]] = [(self, _rebuilt(GameNode, {}, _notes(other)))]
        while pending:
            mine, theirs = pending.pop()
            mine.annotate_from(theirs)
            for child in theirs.children:
                assert child.move is not None
                pending.append((mine.child(child.move) or mine.add(child.move), child))

    def _placed(self, place: int | Move | GameNode | None) -> tuple[GameNode, list[GameNode]]:
        """The node, or a child of it, with its siblings."""
        node = self if place is None else self.variation(place)
        if node.parent is None:
            raise ValueError("the start of a game has no place among moves")
        return node, node.parent.children

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy flat: a tree of nodes would need a frame of the interpreter for each ply."""
        root = self.root()
        if root is not self:
            return _node_at, (root, next(i for i, node in enumerate(root.nodes()) if node is self))
        return _rebuilt, (type(self), *_flat(self))

    def __repr__(self) -> str:
        return f"<GameNode {self.move}, ply {self.ply}>"


class _LastPlayed(threading.local):
    """The position behind the move that `play` played last: the next one need not start from the root.

    Each thread has its own; a node that one of them takes out of its game counts for all.
    """

    removals: ClassVar[int] = 0
    _kept: tuple[GameNode, Board, Game, str, int] | None = None

    def take(self, node: GameNode) -> tuple[Game, Board]:
        """The game and the position of a node, which are forgotten here; errors as for `GameNode.board`."""
        kept, self._kept = self._kept, None
        if kept is not None:
            last, board, game, start, removals = kept
            is_as_it_was = (game.start, removals) == (start, _LastPlayed.removals)
            if last is node and is_as_it_was and board.peek() == node.move:
                return game, board
        return node.game(), node.board()

    def keep(self, node: GameNode, game: Game, board: Board) -> None:
        """Keep the position of a node for the next `take`."""
        self._kept = node, board, game, game.start, _LastPlayed.removals


_last_played: Final = _LastPlayed()


class Game(ChessGameNames, GameNode):
    """A game: the node of its start position, with headers.

    Like every node, a game is equal (`==`) to itself alone and can be the key of a dict; `equals` compares
    what two games hold.

    headers: by their names in PGN (Event, Site, Date, Round, Red, Black, Result, Title, Annotator ...), in
        the order in which they are written.
    start: FEN of the start position.
    warnings: what a reader found wrong, a `RecordError` each; `equals` does not look at them.
    error: the one of them by which the game cannot be played from its start position, or None. Such a game
        has no moves, its `start` is the text that was found, and `board` raises a ValueError. What stood
        there as moves and comments is its comment, and its pieces are the `diagram`.

    ValueError if the FEN is not valid.
    """

    __slots__ = ("error", "headers", "start", "warnings")

    def __init__(
        self, fen: str = STARTING_FEN, *, headers: Mapping[str, str] | None = None, comment: str = ""
    ) -> None:
        super().__init__(None, None, comment)
        self.start: str = fen if fen == STARTING_FEN else BaseBoard(fen).fen()
        self.headers: dict[str, str] = Headers(headers or {})
        self.warnings: list[RecordError] = []
        self.error: RecordError | None = None

    @classmethod
    def from_board(cls, board: BaseBoard, headers: Mapping[str, str] | None = None) -> Self:
        """The game that was played on a board, with these headers and the result if the board knows it."""
        game = cls(as_board(board).root().fen())
        node: GameNode = game
        for move in board.move_stack:
            node = node.add(move)
        if isinstance(board, Board):
            game.headers["Result"] = board.result()
        game.headers.update(headers or {})
        return game

    def copy(self) -> Self:
        """Return a game that equals this one, with nodes, headers and warnings of its own."""
        slots, notes = _flat(self)
        slots |= {"headers": Headers(self.headers), "warnings": list(self.warnings)}
        return _rebuilt(type(self), slots, notes)

    __copy__ = copy

    def time_control(self) -> TimeControl:
        """What the header TimeControl says, see `parse_time_control`; ValueError if it is in words."""
        return parse_time_control(self.headers.get("TimeControl", ""))

    def diagram(self) -> Board | None:
        """The board of the start, also one that cannot be played, for a picture; None if the text is none."""
        try:
            return Board(self.start, validate=False)
        except ValueError:
            return None

    @property
    def result(self) -> str:
        """1-0, 0-1, 1/2-1/2, or * if it is not known."""
        told = self.headers.get("Result", "*")
        return told if told in RESULTS else "*"

    def opening(self) -> Opening | None:
        """The opening of the main line, see `eleengine.openings.find_opening`; None if it has no name.

        >>> Game().play("h2e2").play("h7e7").game().opening().text("zh")
        '顺炮'
        """
        return find_opening(self.board(), self.mainline_moves())

    def plies(self) -> int:
        """The number of moves in the main line."""
        return sum(1 for _ in self.mainline())

    # Display

    def _repr_html_(self) -> str:
        """Players and result, the position at the end of the main line, its moves, or why there are none."""
        names = [self.headers.get(name, "") for name in ("Red", "Black")]
        head = " – ".join(filter(None, names)) or self.headers.get("Title", "")
        picture = ""
        try:
            text = notation.variation_chinese(Board(self.start), self.mainline_moves())
            picture = self.end().svg(size=400)
        except ValueError as error:
            text = str(error)
            if self.error is not None and (diagram := self.diagram()):
                picture = diagram.svg(size=400)
        return _paragraph(f"{head} {self.result}".strip()) + picture + _paragraph(text)

    # JSON

    def to_dict(self) -> dict[str, Any]:
        """The game as data for JSON.

        ``nodes`` is a flat list in the order of `nodes`: the first one is the start, every other has ``move``
        (ICCS) and ``parent`` (a place in the list); then ``comment``, ``nags``, ``arrows`` (as "h2e2green"),
        ``clock``, ``elapsed``, ``cp`` or ``mate`` (for Red) and ``depth``, where there are such.

        >>> game = Game(comment="a start")
        >>> node = game.play("h2e2")
        >>> game.to_dict()["nodes"]
        [{'comment': 'a start'}, {'move': 'h2e2', 'parent': 0}]
        >>> Game.from_dict(game.to_dict()).equals(game)
        True
        """
        indices: dict[int, int] = {}
        nodes = []
        for index, node in enumerate(self.nodes()):
            indices[id(node)] = index
            data: dict[str, Any] = {}
            if node.move is not None:
                data |= {"move": node.move.iccs(), "parent": indices[id(node.parent)]}
            nodes.append(data | node.notes_to_dict())
        return {"headers": dict(self.headers), "fen": self.start, "nodes": nodes}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the game of such data; ValueError names what is wrong with it, illegal moves included."""
        try:
            for name, text in data["headers"].items():
                if not (isinstance(name, str) and isinstance(text, str)):
                    raise ValueError(f"the header {name!r} cannot be {text!r}")
            game = cls(data["fen"], headers=data["headers"])
            nodes: list[GameNode] = []
            for item in data["nodes"]:
                node = nodes[_at(item["parent"], nodes)].add(Move.from_iccs(item["move"])) if nodes else game
                node.set_notes_from_dict(item)
                nodes.append(node)
            for _ in game.walk():
                pass
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not the data of a game: {error!r}") from None
        return game

    def equals(self, other: Game) -> bool:
        """Have both games the same start, headers, moves, and all that is said of them?"""
        other = as_game(other)
        return (self.start, self.headers, _notes(self)) == (other.start, other.headers, _notes(other))

    def _check_texts(self) -> None:
        """TypeError for a header or a note of another type than it should have."""
        for name, text in self.headers.items():
            if not isinstance(text, str):
                raise TypeError(f"the header {name!r} is a str, not {type(text).__name__}")
        for node in self.nodes():
            check_notes(node)

    def __str__(self) -> str:
        """Return the game as PGN with Chinese moves, as `encode_game` writes it.

        One of which there is no PGN, for it cannot be played, is a short text that says why. TypeError for a
        header or a comment that is no text.
        """
        try:
            self._check_texts()
            if self.error is not None and self.diagram() is None and not self.comment:
                raise self.error
            return pgn_writer.text_of(self).rstrip("\n")
        except ValueError as error:
            return f"{self!r}: {error}"

    def __repr__(self) -> str:
        red, black = self.headers.get("Red", "?"), self.headers.get("Black", "?")
        return f"<Game {red} - {black} {self.result}, {self.plies()} plies>"


def as_game(game: Game) -> Game:
    """The game; TypeError for anything else, such as the name of its file."""
    if not isinstance(game, Game):
        raise TypeError(f"a game is a Game, not {type(game).__name__}: read_game(file) reads one")
    return game


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""


def _place(board: BaseBoard) -> tuple[str, bool]:
    return board.board_fen(), board.turn


def _flat(root: GameNode) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """What a root has beside its notes, subclasses included, and the notes of its tree."""
    slots = {name: value for name, value in attributes_of(root).items() if name not in GameNode.__slots__}
    return slots, _notes(root)


def _notes(root: GameNode) -> list[tuple[Any, ...]]:
    """Of each node that follows, and of the root, the parent's index and the notes."""
    indices: dict[int, int] = {id(root.parent): 0}
    notes: list[tuple[Any, ...]] = []
    for index, node in enumerate(root.nodes()):
        indices[id(node)] = index
        notes.append((indices[id(node.parent)], node.move, node.notes()))
    return notes


_N = TypeVar("_N", bound=GameNode)


def _rebuilt(cls: type[_N], slots: dict[str, Any], notes: list[tuple[Any, ...]]) -> _N:
    """The root of a tree that `_flat` took apart."""
    root = cls.__new__(cls)
    for name, value in slots.items():
        setattr(root, name, value)
    nodes: list[GameNode] = []
    for parent, move, said in notes:
        if nodes:
            node = nodes[parent].add(move)
        else:
            node = root
            GameNode.__init__(node, None, move)
        node.set_notes(said)
        nodes.append(node)
    return root


def _node_at(root: GameNode, index: int) -> GameNode:
    return next(islice(root.nodes(), index, None))


def _at(index: object, nodes: list[GameNode]) -> int:
    if not (isinstance(index, int) and 0 <= index < len(nodes)):
        raise ValueError(f"parent {index!r} is no node before this one")
    return index
