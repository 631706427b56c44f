"""Names of chess.pgn for those who come from python-chess: nodes and games have them beside their own.

>>> from eleengine import Move
>>> from eleengine.records import NAG_GOOD_MOVE, Game
>>> game = Game()
>>> node = game.add_main_variation(Move.from_iccs("h2e2"), nags={NAG_GOOD_MOVE})
>>> node.san(), node.nags, game.variations == [node], game.has_variation(node.move)
('C2.5', Nags(1), True, True)
>>> game.accept
Traceback (most recent call last):
...
AttributeError: 'Game' has no 'accept', which is python-chess's: use walk(), a loop over nodes and ...
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, Self, TypeVar

from .._core import BaseBoard, Move
from ..chess_names import refuse
from ..svg import Arrow
from .annotations import Annotations, Eval, joined

if TYPE_CHECKING:
    from ..score import PovScore
    from ..squares import Square
    from .errors import RecordError

N = TypeVar("N", bound="ChessNodeNames[Any]")  # the class of the nodes

#: Names of `chess.pgn.Game` and its nodes that are not here: what to use instead.
GAME_HINTS: Final = {
    "accept": "walk(), a loop over nodes and positions, or str() and encode_game(), which write PGN",
    "accept_subgame": "walk(), a loop over nodes and positions",
    "builder": "read_game() or read_games()",
}


#: The headers that python-chess has in every game, with the values of unknown ones.
ROSTER: Final = {
    "Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "Red": "?", "Black": "?", "Result": "*",
}  # fmt: skip


class Headers(dict[str, str]):
    """The headers of a game: a dict in which those of the roster of PGN read as unknown if they are missing.

    >>> headers = Headers(Event="Guangzhou")
    >>> headers["Event"], headers["Date"], headers.get("Date"), len(headers)
    ('Guangzhou', '????.??.??', None, 1)
    """

    __slots__ = ()

    def __missing__(self, name: str) -> str:
        if name == "White":
            raise KeyError("'White', which is 'Red' here")
        return ROSTER[name]


class ChessNodeNames(Annotations, Generic[N]):
    """What `chess.pgn.GameNode` calls otherwise; a place is a number, a move or a child."""

    __slots__ = ()

    if TYPE_CHECKING:  # what N has
        children: list[N]
        parent: N | None

        def move_text(self, notation: str = ...) -> str: ...
        def is_main_child(self) -> bool: ...
        def promote_to_main(self) -> None: ...
        def remove(self) -> None: ...

    def __getattr__(self, name: str) -> NoReturn:
        refuse(self, name, GAME_HINTS)

    @property
    def variations(self) -> list[N]:
        """`GameNode.children`."""
        return self.children

    def variation(self, place: int | Move | N) -> N:
        """The child of that number or move; KeyError if there is none."""
        for number, child in enumerate(self.children):
            if number == place or child.move == place or child is place:
                return child
        raise KeyError(place)

    def has_variation(self, place: int | Move | N) -> bool:
        """Is there a child of that number or move?"""
        return place in self

    def __contains__(self, place: object) -> bool:
        return any(
            place in (number, child.move) or child is place for number, child in enumerate(self.children)
        )

    def __getitem__(self, place: int | Move | N) -> N:
        return self.variation(place)

    def add_variation(
        self, move: Move, *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> N:
        """`GameNode.add`, with what is said of the move."""
        return self.add_line([move], comment=comment, starting_comment=starting_comment, nags=nags)

    def add_main_variation(self, move: Move, *, comment: str = "", nags: Iterable[int] = ()) -> N:
        """`add_variation` as the first child."""
        node = self.add_variation(move, comment=comment, nags=nags)
        node.promote_to_main()
        return node

    def add_line(
        self: Any,
        moves: Iterable[Move],
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> N:
        """Add a line of moves and return its last node, which gets comment and nags."""
        node: N = self
        for move in moves:
            node = node.add(move)
            node.starting_comment, starting_comment = starting_comment, ""
        node.comment = joined(node.comment, comment)
        node.nags.update(nags)
        return node

    def remove_variation(self, place: int | Move | N) -> None:
        """`GameNode.remove` of a child; KeyError if there is none."""
        self.variation(place).remove()

    def is_main_variation(self) -> bool:
        """`GameNode.is_main_child`."""
        return self.is_main_child()

    def root(self: Any) -> N:
        """The node without a parent that this one follows: the `Game`, unless it was taken out of it."""
        node: N = self
        while node.parent is not None:
            node = node.parent
        return node

    def san(self) -> str:
        """`GameNode.move_text("wxf")`."""
        return self.move_text("wxf")

    def uci(self) -> str:
        """`GameNode.move_text("uci")`."""
        return self.move_text("uci")

    def eval_depth(self) -> int | None:
        """The depth of `GameNode.eval`."""
        return None if self.eval is None else self.eval.depth

    def set_eval(self, score: PovScore | None, depth: int | None = None) -> None:
        """Set `GameNode.eval`."""
        self.eval = None if score is None else Eval(score, depth)

    def set_clock(self, clock_seconds: float | None) -> None:
        """Set `GameNode.clock`."""
        self.clock = clock_seconds

    def emt(self) -> float | None:
        """`GameNode.elapsed`."""
        return self.elapsed

    def set_emt(self, emt_seconds: float | None) -> None:
        """Set `GameNode.elapsed`."""
        self.elapsed = emt_seconds

    def set_arrows(self, arrows: Iterable[Arrow | Move | str | tuple[Square, Square]]) -> None:
        """Set `GameNode.arrows`, of whatever `Arrow.of` takes."""
        self.arrows = tuple(map(Arrow.of, arrows))


class ChessGameNames:
    """What `chess.pgn.Game` calls otherwise, under its names there."""

    __slots__ = ()

    if TYPE_CHECKING:  # what Game has
        warnings: list[RecordError]

    @property
    def errors(self) -> list[RecordError]:
        """`Game.warnings`."""
        return self.warnings

    def setup(self: Any, board: BaseBoard | str) -> None:
        """Set `Game.start`, to a position or a FEN; ValueError if it is not valid."""
        self.start = BaseBoard(board.fen() if isinstance(board, BaseBoard) else board).fen()

    @classmethod
    def without_tag_roster(cls) -> Self:
        """A new game: it has no headers."""
        return cls()
