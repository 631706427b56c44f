"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def new_file(path: str | os.PathLike[str]) -> Iterator[str]:
    """The name to write to, PATH.part, which becomes PATH when the block ends without an error.

    FileExistsError if there is such a file, before anything is written.
    """
    path = os.fspath(path)
    if os.path.exists(path):
        raise FileExistsError(17, "exists already", path)
    part = f"{path}.part"
    with suppress(FileNotFoundError):
        os.remove(part)
    try:
        yield part
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            os.remove(part)
        raise
