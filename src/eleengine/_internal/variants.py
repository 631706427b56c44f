"""Which build of the extension to load.

Wheels for x86-64 carry `_core` for x86-64-v2 and, under variants/, the same for higher levels;
other builds have one `_core`. The environment variable ELEENGINE_CPU asks for a lower level than
the machine's: x86-64-v2, x86-64-v3 or x86-64-v4.
"""

import os
import sys

LEVELS = ("x86-64-v2", "x86-64-v3", "x86-64-v4")

current = ""  #: what select() chose: one of LEVELS, or "single" for a build with one _core


def select() -> str:
    """Make `eleengine._core` the best variant for this machine and return its name."""
    global current
    if current:
        return current
    wanted = os.environ.get("ELEENGINE_CPU", "")
    try:
        from .._cpu import x86_level
    except ImportError:  # built without variants
        if wanted:
            raise ImportError(
                f"ELEENGINE_CPU={wanted}: this build of eleengine has no variants to choose from"
            ) from None
        current = "single"
        return current

    supported = LEVELS[: max(x86_level() - 1, 0)]
    if not supported:
        raise ImportError("this eleengine needs an x86-64-v2 CPU (SSE4.2, POPCNT); build it from source here")
    package = sys.modules[__package__.partition(".")[0]]
    folder = os.path.join(package.__path__[0], "variants")
    present = (LEVELS[0], *(level for level in supported[1:] if os.path.isdir(os.path.join(folder, level))))
    if wanted and wanted not in present:
        raise ImportError(f"ELEENGINE_CPU={wanted}: this machine and build can run {', '.join(present)}")
    current = wanted or present[-1]
    if current != LEVELS[0]:
        # The package is searched there first, so that `import eleengine._core` finds the variant.
        package.__path__.insert(0, os.path.join(folder, current))
    return current
