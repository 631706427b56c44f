"""Trees from the streams of moves that XQF and CBR keep: a move, what follows it, then its sibling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from .._core import BaseBoard, IllegalMoveError, Move
from .._internal.message import Message
from .annotations import annotate
from .entry import fail, warn
from .errors import RecordError
from .limits import check_nodes
from .slots import start_fen
from .tree import Game, GameNode


class Record(NamedTuple):
    """A move in a stream. child: does another move follow it? sibling: has it a variation, after all that?"""

    origin: int
    goal: int
    child: bool
    sibling: bool
    comment: str
    offset: int


def read(
    game: Game,
    board: BaseBoard,
    records: Iterator[Record],
    *,
    black: bool,
    offset: int,
    fault: Message | None = None,
) -> None:
    """Set the start and the moves of a game; from a position that cannot be played they become its comment.

    board: the start position, unchecked. records: the root, then the moves. black: does the file say that
    Black moves first, which counts only without a move. offset: of the position, for warnings.
    fault: what is wrong with the board.
    """
    root = next(records, None)
    first = next(records, None) if root is not None and root.child else None
    if root is not None:
        annotate(game, root.comment)
    try:
        if fault is not None:
            raise ValueError(fault)
        game.start = start_fen(board, first and first.origin, black)
    except ValueError as error:
        board.turn = not black
        fail(game, board.fen(), "start position: {}; its moves are not read", error, offset=offset)
        if first is not None:
            annotate(game, _text_of(chain([first], records), black=black))
        return
    if first is not None:
        _grow(game, chain([first], records))
    elif root is None or root.child:
        warn(game, "the file ends before the moves do")


def _grow(game: Game, records: Iterator[Record]) -> None:
    """Add the moves; subtrees of illegal moves are left out, with a warning."""
    board = BaseBoard(game.start)
    parent: GameNode | None = game
    ply = 0
    pending: list[tuple[GameNode | None, int]] = []
    for count, record in enumerate(records):
        node = None
        try:
            check_nodes(count)
        except RecordError as error:
            warn(game, "{}; the rest is not read", error, offset=record.offset)
            return
        if parent is not None:
            while board.ply > ply:
                board.pop()
            move = Move(record.origin, record.goal)
            try:
                push(board, move)
            except IllegalMoveError as error:
                warn(game, "{}; it and what follows it are left out", error, offset=record.offset)
            else:
                node = parent.add(move)
                annotate(node, record.comment)
        if record.sibling:
            pending.append((parent, ply))
        if record.child:
            parent, ply = node, board.ply
        elif pending:
            parent, ply = pending.pop()
        else:
            return
    warn(game, "the file ends before the moves do")


def _text_of(records: Iterator[Record], *, black: bool) -> str:
    """The moves and comments in words: lines for comments and for variations, behind the line they leave."""
    lines, words = [], [""]
    ply, pending = int(black), []
    for record in records:
        if len(words) == 1:
            words.append(f"{ply // 2 + 1}..." if ply % 2 else "")
        number = f"{ply // 2 + 1}. " if ply % 2 == 0 else ""
        words.append(number + Move(record.origin, record.goal).iccs())
        if record.sibling:
            pending.append(ply)
        if record.comment or not record.child:
            lines += [" ".join(filter(None, words)), record.comment]
            words = [""]
        if record.child:
            ply += 1
        elif pending:
            ply = pending.pop()
            lines.append("")
        else:
            break
    lines.append(" ".join(filter(None, words)))
    return "\n".join(filter(None, lines))


def push(board: BaseBoard, move: Move) -> None:
    """Make a move of a format that has no pass: what goes from a0 to a0 is none either; IllegalMoveError."""
    if not move:
        raise IllegalMoveError(Message("a pass in {}", board.fen()))
    board.push(move)


def prune(game: Game, *, line: int | None = None) -> None:
    """Take illegal moves and what follows them out of a tree, with a warning each."""
    board = BaseBoard(game.start)
    pending = [(child, 0) for child in reversed(game.children)]
    while pending:
        node, ply = pending.pop()
        while board.ply > ply:
            board.pop()
        assert node.move is not None
        try:
            push(board, node.move)
        except IllegalMoveError as error:
            warn(game, "ply {}: {}; it and what follows it are left out", ply + 1, error, line=line)
            node.remove()
        else:
            pending.extend((child, ply + 1) for child in reversed(node.children))


def texts_of_fields(
    game: Game, fields: Sequence[tuple[str, int, int]], kind: str, loss: Callable[[str], object]
) -> Iterator[tuple[str, str, int, int]]:
    """Each header that a format has a field for, its text, and offset and bytes of the field.

    loss: called with the other headers that the game has.
    """
    known = {name for name, _, _ in fields} | {"Result", "Game"}
    for name, text in game.headers.items():
        if text and name not in known:
            loss(Message("{} has no header {}", kind, name))
    for name, offset, size in fields:
        yield name, game.headers.get(name, ""), offset, size


def records_of(game: Game) -> Iterator[Record]:
    """The stream of a game's moves; RecordError if one of them is a pass."""
    pending = [(child, index) for index, child in reversed(list(enumerate(game.children)))]
    while pending:
        node, index = pending.pop()
        if not node.move or node.parent is None:
            raise RecordError("the format cannot hold a pass")
        sibling = index + 1 < len(node.parent.children)
        yield Record(
            node.move.from_square, node.move.to_square, bool(node.children), sibling, node.full_comment(), 0
        )
        pending.extend((child, at) for at, child in reversed(list(enumerate(node.children))))
