"""Paths in the commands of other programs: their bytes may be UTF-8 or in the code page of the system."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress


def find_path(name: str) -> str:
    """Return the path that is there, as it stands or beside the program; else one whose folder is there.

    name: the bytes of the path, a character each (Latin-1).

    >>> find_path("nothing.there")
    'nothing.there'
    """
    names = list(readings(name.encode("latin-1")))
    beside = os.path.dirname(os.path.abspath(sys.argv[0]))
    candidates = [path for text in names for path in (text, os.path.join(beside, text))]
    new = [text for text in names if os.path.isdir(os.path.dirname(text) or ".")]
    return next(filter(os.path.exists, candidates), (*new, *names, name)[0])


def readings(data: bytes) -> Iterator[str]:
    """Yield what the bytes can mean. In a locale of another encoding a name may still be in UTF-8."""
    for encoding in ("utf-8", "mbcs" if sys.platform == "win32" else "gb18030"):
        with suppress(UnicodeDecodeError):
            text = data.decode(encoding)
            with suppress(UnicodeEncodeError):  # the system has no file of this name
                os.fsencode(text)
                yield text
            yield os.fsdecode(text.encode())
    with suppress(UnicodeDecodeError):  # on Windows this is UTF-8 once more
        yield os.fsdecode(data)
