"""What is closed at the end of a `with` block."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


class Closing:
    """A base for what holds something until `close`: a context manager."""

    __slots__ = ()

    def close(self) -> None:
        """Free what is held; nothing if that is only memory."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
