"""Paths in commands of a GUI: their bytes may be UTF-8 or in the code page of the system."""

import os
import sys
from contextlib import suppress


def find_path(name: str) -> str:
    """Return the path that is there, as it stands or beside the program; else the first that can be meant.

    name: the bytes of the path, a character each (Latin-1).

    >>> find_path("nothing.there")
    'nothing.there'
    """
    data = name.encode("latin-1")
    names = []
    for encoding in ("utf-8", "mbcs" if sys.platform == "win32" else "gb18030"):
        with suppress(UnicodeDecodeError):
            names.append(data.decode(encoding))
    with suppress(UnicodeDecodeError):  # on Windows this is UTF-8 once more
        names.append(os.fsdecode(data))
    beside = os.path.dirname(os.path.abspath(sys.argv[0]))
    candidates = [path for text in names for path in (text, os.path.join(beside, text))]
    return next(filter(os.path.exists, candidates), names[0] if names else name)
