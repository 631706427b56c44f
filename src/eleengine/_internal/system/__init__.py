"""What differs between operating systems: processes, processors, locks of files, memory, terminals."""

import sys

if sys.platform == "win32":
    from .windows import *  # noqa: F403
else:
    from .posix import *  # noqa: F403

SMALL = 64 << 20  # bytes that every machine has: nobody is refused them, and as many stay free for all else


def has_room(size: int, given_back: int = 0) -> bool:
    """Is there memory for `size` bytes, given_back of which are held by this process already?

    The system would promise them, then kill the process when it uses them.
    """
    if size <= SMALL:
        return True
    return size <= min(memory_mib() * 3 // 4 << 20, (free_memory_mib() << 20) + given_back - SMALL)  # noqa: F405
