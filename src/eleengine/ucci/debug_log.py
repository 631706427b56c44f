"""The file of the option Debug Log File: what GUI and engine say to each other."""

import os
from contextlib import suppress
from time import strftime, time

from .._internal.paths import find_path
from .._version import __version__
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO


class DebugLog:
    """Lines are added to the file at once, so that it is whole up to a crash."""

    def __init__(self) -> None:
        self._file: FileIO | None = None

    def open(self, name: str) -> None:
        """Append to this file from now on; to none if the name is empty. ProtocolError."""
        self.close()
        if not name:
            return
        path = find_path(name)
        try:
            if os.path.exists(path) and not os.path.isfile(path):  # a pipe might never let it go on
                raise OSError(0, "it is no file")
            self._file = open(path, "ab", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise ProtocolError(f"error debuglogfile unavailable: {reason}") from None
        self.write(b"--", f"eleengine {__version__}, {strftime('%Y-%m-%d')}".encode())

    def write(self, mark: bytes, line: bytes) -> None:
        """Add a line. mark: >> for one of the GUI, << for one of the engine."""
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
