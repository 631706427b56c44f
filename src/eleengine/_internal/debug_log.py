"""A file of what two programs say to each other, for those who look for a fault."""

import os
from contextlib import suppress
from time import strftime, time

from .paths import find_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO


class DebugLog:
    """Lines are added to the file at once, so that it is whole up to a crash."""

    def __init__(self) -> None:
        self._file: FileIO | None = None

    def open(self, name: str, title: str) -> None:
        """Append to this file from now on, first its title; to none if the name is empty. OSError."""
        self.close()
        if not name:
            return
        path = find_path(name)
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe might never let it go on
            raise OSError(0, "it is no file")
        try:
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115
        except ValueError as error:
            raise OSError(0, str(error)) from None
        self.write(b"--", f"{title}, {strftime('%Y-%m-%d')}".encode())

    def write(self, mark: bytes, line: bytes) -> None:
        """Add a line. mark: who says it."""
        if self._file is not None:
            now = f"{strftime('%H:%M:%S')}.{int(time() * 1000) % 1000:03}"
            try:
                self._file.write(b"%s %s %s\n" % (now.encode(), mark, line))
            except OSError:  # a full disk must not end the game
                self.close()

    def close(self) -> None:
        """Write nothing any more."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None
