"""Writing games in a format, and saying what the format cannot hold."""

from __future__ import annotations

import os
from collections.abc import Iterable
from os import PathLike
from typing import Final

from .._core import STARTING_FEN
from .._internal.files import replaced
from .._internal.message import Message
from .annotations import NO_NOTES
from .errors import RecordError
from .fidelity import differences, is_simple
from .formats import BINARY, FORMATS, Format, WriteOptions, by_name, named, read_game
from .pgn_writer import STYLES
from .tree import Game, GameNode, as_game

ENCODINGS: Final = ("utf-8", "gb18030", "big5")
_DIAGRAMS: Final = ("pgn", "xqf", "cbr", "dhtmlxq")  # hold boards that cannot be played, with texts


def encode_game(
    game: Game, format: str, options: WriteOptions | None = None, *, losses: list[str] | None = None
) -> bytes:
    """A game in a format, as bytes.

    losses: what the format cannot hold is added to it; without it that is a RecordError.
    ValueError for an unknown format, one that is only read, or an unknown style or encoding, IllegalMoveError
    for a move that is not legal, RecordError for a game that cannot be written at all, TypeError for a header
    or a comment that is no text.
    """
    as_game(game)._check_texts()
    if game.error is not None and not is_writable(game, format):
        raise game.error
    options = options or WriteOptions()
    kind = named(format)
    if kind.encode is None:
        can = ", ".join(one.name for one in FORMATS.values() if one.encode)
        raise ValueError(f"the format {format!r} is not written: those that are, are {can}")
    if options.style not in STYLES:
        raise ValueError(f"the style must be one of {', '.join(STYLES)}, not {options.style!r}")
    if options.encoding not in ENCODINGS:
        raise ValueError(f"the encoding must be one of {', '.join(ENCODINGS)}, not {options.encoding!r}")
    if game.error is None and kind.name != "pgn":  # whose writer plays the moves
        for _ in game.walk():  # some formats would hold an illegal move, which no reader takes
            pass
    found: list[str] = []
    counters = game.start.split()[4:]
    if "counters" not in kind.holds and counters != STARTING_FEN.split()[4:]:
        found.append(Message("{} cannot hold the move counters of the start position", kind.name))
    if not (options.comments and "comments" in kind.holds):
        game = _without_comments(game, found if options.comments else [], kind)
    if not (options.variations and "variations" in kind.holds):
        game = _without_variations(game, found if options.variations else [], kind)
    if "comments" in kind.holds:
        game = _with_starting_comments_joined(game, found, kind)
    data = kind.encode(game, options, found.append)
    if kind.name in ("text", "wxf") or game.error is not None or not is_simple(game):
        try:
            encoding = None if kind.name in BINARY else options.encoding
            found += differences(game, read_game(data, format=kind.name, encoding=encoding), found)
        except RecordError as error:
            found.append(f"it cannot be read back: {error}")
    if found and losses is None:
        raise RecordError(found[0])
    if losses is not None:
        losses += dict.fromkeys(found)
    return data


def is_writable(game: Game, format: str) -> bool:
    """Can the game be written in a format: is it one from a position that can be played, or a diagram?"""
    if game.error is None:
        return True
    return format in _DIAGRAMS and (game.diagram() is not None or (format == "pgn" and bool(game.comment)))


def _with_starting_comments_joined(game: Game, losses: list[str], kind: Format) -> Game:
    """The game with the comments before moves, where they cannot be kept, in those behind the moves."""
    holds = "starting comments" in kind.holds

    def is_lost(node: GameNode) -> bool:
        return bool(node.starting_comment) and not (holds and node.starts_variation())

    if not any(map(is_lost, game.nodes())):
        return game
    game = game.copy()
    count = 0
    for node in filter(is_lost, game.nodes()):
        node.comment = f"{node.starting_comment}\n{node.comment}".strip("\n")
        node.starting_comment = ""
        count += 1
    losses.append(f"{kind.name} has no place before a move: {count} comments there join those behind it")
    return game


def _without_variations(game: Game, losses: list[str], kind: Format) -> Game:
    game = game.copy()
    variations = 0
    for node in (game, *game.mainline()):
        variations += len(node.children[1:])
        del node.children[1:]
    if variations:
        losses.append(Message("{} holds no variations: {} left out", kind.name, variations))
    return game


def _without_comments(game: Game, losses: list[str], kind: Format) -> Game:
    game = game.copy()
    noted = [node for node in game.nodes() if node.is_annotated()]
    for node in noted:
        node.set_notes(NO_NOTES)
    if noted:
        losses.append(Message("{} holds no comments: those of {} nodes left out", kind.name, len(noted)))
    return game


def write_games(
    path: str | PathLike[str],
    games: Iterable[Game],
    *,
    format: str | None = None,
    options: WriteOptions | None = None,
    losses: list[str] | None = None,
) -> int:
    """Write games to a file, which appears when it is complete, and return their number.

    format: a name of `FORMATS`; by default that of the suffix. The rest as for `encode_game`, and
    ValueError for several games in a format that holds one.
    """
    kind = named(format) if format else by_name(os.fspath(path))
    count = 0
    with replaced(path) as file:
        for game in games:
            if count and "games" not in kind.holds:
                raise ValueError(f"a {kind.name} file holds one game: write several to a folder")
            file.write(encode_game(game, format or kind.name, options, losses=losses))
            count += 1
    return count
