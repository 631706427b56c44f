"""A game as it lies in a file: where, its headers, and the whole of it when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .errors import RecordError
from .tree import Game


class Entry:
    """A game in a file that has been found, but not read yet.

    headers: those of the game. line or offset: where it begins. deleted: marked so in a library.
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

    def game(self, *, strict: bool = False) -> Game:
        """Read the game. What is wrong is in its `warnings`; with strict it is raised as a RecordError."""
        game = self._read()
        if strict and game.warnings:
            raise game.warnings[0]
        return game


def warn(
    game: Game, message: str, *, line: int | None = None, offset: int | None = None, most: int = 100
) -> None:
    """Note what is wrong with a game; after so many notes no more."""
    if len(game.warnings) < most:
        game.warnings.append(RecordError(message, line=line, offset=offset))
