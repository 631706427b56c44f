"""PFC, the XML of 鹏飞: moves as nested elements ``n``, read only."""

from __future__ import annotations

from typing import Final

from .._core import Move
from .annotations import annotate
from .encoding import line_of
from .entry import put_header, put_result, warn
from .position import set_start
from .stream import prune
from .tree import Game, GameNode
from .xmltext import events

_NAMES: Final = {
    "title": "Title", "event": "Event", "date": "Date", "place": "Site", "round": "Round", "red": "Red",
    "black": "Black", "redteam": "RedTeam", "blackteam": "BlackTeam", "timerule": "TimeControl",
    "remark": "Annotator", "author": "Author",
}  # fmt: skip
_OF_MOVES: Final = {"m", "c", "default"}  # attributes


def read(data: bytes) -> Game:
    """The one game of a file; RecordError if it is not such XML."""
    game = Game()
    path: list[GameNode | None] = []
    first: list[GameNode] = []  # the nodes that the file calls the main line
    for event in events(data):
        if event.kind == "end":
            path.pop()
            if text := event.text.strip():
                warn(game, "text of {} is not read: {!r}", event.name, text[:60], line=event.line)
        elif event.kind == "start":
            attributes = event.attributes
            node: GameNode | None = None
            if not path:
                node = game
                _set_root(game, attributes, event.line)
            elif (parent := path[-1]) is not None:
                try:
                    node = parent.add(Move.from_iccs(attributes.get("m", "")))
                except ValueError as error:
                    warn(game, "{}; it and what follows it are left out", error, line=event.line)
                else:
                    if attributes.get("default") == "true":
                        first.append(node)
            if path and (unread := ", ".join(sorted(attributes.keys() - _OF_MOVES))):
                warn(game, "attributes of {} are not read: {}", event.name, unread, line=event.line)
            if node is not None:
                annotate(node, attributes.get("c", "").replace("\r\n", "\n"))
            path.append(node)
    game.headers.setdefault("Result", "*")
    for node in first:
        node.promote_to_main()
    if game.error is None:
        prune(game)
    else:
        words = [f"{node.move} {node.full_comment()}".strip() for node in game.nodes() if node is not game]
        game.children.clear()
        annotate(game, "\n".join(words))
    return game


def _set_root(game: Game, attributes: dict[str, str], line: int) -> None:
    for name, value in attributes.items():
        if name == "m" and value:
            set_start(game, value, "position", line)
        elif name == "win":
            put_result(game, value, line=line)
        elif name not in ("version", "c", "m") and value:
            put_header(game, _NAMES.get(name, name), line_of(value), line=line)
