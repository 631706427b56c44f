"""What became of a game that was written and read again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .tree import Game, GameNode

#: A text that every format takes for a text.
_PLAIN: Final = re.compile(r"(?:[\w,.!?'/，。！？、：；《》“”·…-]+(?: (?=[^ \n])|\n(?=\w)|\Z))*")
_USUAL: Final = frozenset((
    "Game", "Event", "Site", "Date", "Round", "Red", "Black", "Result", "Title", "Annotator", "RedTeam",
    "BlackTeam", "RedElo", "BlackElo", "Opening", "TimeControl", "Author",
))  # fmt: skip


def is_simple(game: Game) -> bool:
    """Is there nothing in a game that a format may hold in another way, so that nobody needs to look?"""
    return (
        game.headers.keys() <= _USUAL
        and game.headers.get("Result", "*") == game.result
        and all(_PLAIN.fullmatch(text) and "\n" not in text for text in game.headers.values())
        and all(map(_is_simple, game.nodes()))
    )


def _is_simple(node: GameNode) -> bool:
    comment, starting, nags, *others = node.notes()
    assert isinstance(comment, str) and isinstance(starting, str)
    return (
        others == [(), None, None, None]
        and bool(_PLAIN.fullmatch(comment) and _PLAIN.fullmatch(starting))
        and not (nags and node.parent is None)
        and (len(node.children) < 2 or len({child.move for child in node.children}) == len(node.children))
    )


def differences(game: Game, other: Game, told: Sequence[str] = ()) -> list[str]:
    """In what a game differs from the one that a reader found in its record, in words.

    told: what the writer has said; a header that is named there is not named again.
    """
    found = []
    names = dict.fromkeys([*game.headers, *other.headers])
    for name in names:
        usual = "*" if name == "Result" else ""
        one, two = game.headers.get(name, usual), other.headers.get(name, usual)
        naming = rf"(?:header|in) {re.escape(name)}(?=:? |\Z)|named {re.escape(repr(name))}|no headers"
        said = any(re.search(naming, message) for message in told)
        if one != two and name != "Game" and not said:
            found.append(f"the header {name} is read back as {two!r}, not {one!r}")
    fields = 2 if any("counters" in message for message in told) else 6
    if game.start.split()[:fields] != other.start.split()[:fields]:
        found.append(f"the start position is read back as {other.start}")
    pending: list[tuple[GameNode, GameNode]] = [(game, other)]
    while pending:
        mine, theirs = pending.pop()
        if _held(mine) != _held(theirs):
            place = f"at ply {mine.ply}" if mine.parent else "on the start position"
            found.append(f"the comment {place} is read back as {theirs.full_comment()!r}")
        if [node.move for node in mine.children] != [node.move for node in theirs.children]:
            found.append(f"the moves after ply {mine.ply} are read back as others")
        pending.extend(zip(mine.children, theirs.children, strict=False))
    return found


def _held(node: GameNode) -> tuple[object, ...]:
    """The notes of a node as records hold them: times in whole milliseconds, however they were measured."""
    *notes, clock, elapsed, evaluation = node.notes()
    times = (None if seconds is None else round(seconds * 1000) for seconds in (clock, elapsed))
    return (*notes, *times, evaluation)
