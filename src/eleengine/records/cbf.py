"""CBF, CCBridge's XML (ChineseChessRecord): read only. How variations are written is not known."""

from __future__ import annotations

import re
from typing import Final

from .._core import BaseBoard, Move
from .annotations import annotate
from .encoding import line_of
from .entry import put_header, warn
from .position import set_start
from .slots import square_of
from .stream import push
from .tree import Game, GameNode
from .xmltext import events

_NAMES: Final = {
    "Name": "Title", "From": "Source", "ContestType": "Class", "Contest": "Event", "Round": "Round",
    "Group": "Group", "Table": "Table", "Date": "Date", "Site": "Site", "TimeRule": "TimeControl",
    "RedRating": "RedElo", "BlackRating": "BlackElo", "Commentator": "Annotator", "Creator": "Author",
    "DateCreated": "Created", "DateModified": "Modified", "ResultType": "Termination",
}  # fmt: skip
_RESULTS: Final = {"0": "*", "1": "1-0", "2": "0-1", "3": "1/2-1/2", "4": "1/2-1/2"}
_ROOT: Final = "00-00"  # in place of a move
_PASSED_OVER: Final = ("RecordType", "RecordKind")


def _play(game: Game, node: GameNode, board: BaseBoard, value: str, line: int) -> GameNode | None:
    """The node of the move behind a node; None, with a warning, if it is none."""
    if not re.fullmatch(r"[0-8][0-9]-[0-8][0-9]", value):
        warn(game, "{!r} is no move; the rest is not read", value[:40], line=line)
        return None
    move = Move(square_of(value[:2]), square_of(value[3:]))
    try:
        push(board, move)
    except ValueError as error:
        warn(game, "{}; the rest is not read", error, line=line)
        return None
    return node.add(move)


def read(data: bytes) -> Game:
    """The one game of a file; RecordError if it is not such XML."""
    game = Game(headers={"Result": "*"})
    board = BaseBoard()
    node: GameNode = game
    path: list[str] = []
    ended = False  # by the attribute of the last move
    dead = False  # the rest is not read
    for event in events(data):
        if event.kind == "start":
            path.append(event.name)
            value = event.attributes.get("value", "")
            if event.name != "Move":
                if len(path) > 1 and event.attributes:
                    names = ", ".join(event.attributes)
                    warn(game, "attributes of {} are not read: {}", event.name, names, line=event.line)
            elif dead:
                if game.error and value != _ROOT:
                    annotate(game, value)
            elif ended:
                warn(game, "moves after the end of the main line are not read", line=event.line)
                dead = True
            else:
                ended = event.attributes.get("end") == "1"
                if value != _ROOT:
                    following = _play(game, node, board, value, event.line)
                    node, dead = following or node, following is None
        else:
            path.pop()
            text = event.text.strip()
            if event.name == "Move":
                if text and (not dead or game.error):
                    annotate(node, text.replace("\r\n", "\n"))
            elif len(path) >= 1 and path[-1] == "Head" and text:
                if event.name == "FEN":
                    if set_start(game, text, "FEN", event.line):
                        board = BaseBoard(game.start)
                    else:
                        dead = True
                elif event.name == "RecordResult":
                    game.headers["Result"] = _RESULTS.get(text, "*")
                    if text not in _RESULTS:
                        warn(game, "unknown result {!r}", text, line=event.line)
                elif event.name not in _PASSED_OVER or not text.isdecimal():
                    put_header(game, _NAMES.get(event.name, event.name), line_of(text), line=event.line)
            elif text:
                warn(game, "text of {} is not read: {!r}", event.name, text[:60], line=event.line)
    return game
