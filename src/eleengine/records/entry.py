"""A game as it lies in a file: where, its headers, and the whole of it when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .errors import RecordError
from .tree import Game
from .words import read_result

MOST_WARNINGS = 100  # of a game


class RecordEntry:
    """A game in a file that has been found, but not read yet.

    headers: those of the game. line or offset: where it begins. deleted: marked so in a library.
    note: a doubt about the file, the last of the game's warnings.
    """

    def __init__(
        self,
        headers: Mapping[str, str],
        read: Callable[[], Game],
        *,
        line: int | None = None,
        offset: int | None = None,
        deleted: bool = False,
    ) -> None:
        self.headers = headers
        self.line = line
        self.offset = offset
        self.deleted = deleted
        self._read = read

    note: RecordError | None = None

    def take_note(self, note: RecordError) -> None:
        """Add a doubt about the file to the warnings of this game; `strict` does not raise it."""
        self.note = note

    def game(self, *, strict: bool = False) -> Game:
        """Read the game. What is wrong is in its `warnings`; with strict it is raised as a RecordError."""
        game = self._read()
        if strict and game.warnings:
            raise game.warnings[0]
        if self.note is not None:
            game.warnings.append(self.note)
        return game


def fail(
    game: Game, fen: str, message: str, *parts: object, line: int | None = None, offset: int | None = None
) -> None:
    """Note that a game cannot be played from its start position, whose text remains as its `start`."""
    game.start = fen
    game.error = RecordError(message, *parts, line=line, offset=offset)
    game.warnings.append(game.error)


def put_header(game: Game, name: str, text: str, *, line: int) -> None:
    """Give a game a header, and warn if it takes the place of another text."""
    if game.headers.get(name, text) != text:
        warn(game, "another header {}: the last one is kept", name, line=line)
    game.headers[name] = text


def put_result(game: Game, text: str, *, line: int) -> None:
    """Give a game the result that a text means; one that means none is *, with a warning."""
    result = read_result(text)
    put_header(game, "Result", result or "*", line=line)
    if result is None:
        warn(game, "unknown result {!r}", text, line=line)


def warn_of_damage(game: Game, text: str, line: int) -> None:
    """Warn of bytes that could not be decoded, now or when the text was stored; it begins in that line."""
    if (at := text.find("\ufffd")) >= 0:
        warn(game, "\ufffd stands for bytes that are no character", line=line + text.count("\n", 0, at))


def warn(
    game: Game, message: str, *parts: object, line: int | None = None, offset: int | None = None
) -> None:
    """Note what is wrong with a game, up to MOST_WARNINGS."""
    if len(game.warnings) < MOST_WARNINGS:
        game.warnings.append(RecordError(message, *parts, line=line, offset=offset))
