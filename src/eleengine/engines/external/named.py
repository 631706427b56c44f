"""Programs that come with this package, by a short name that stands for their command.

>>> full_command(["thesis", "--killers", "off"])[-6:]
['papers', 'engine', '--program', 'thesis', '--killers', 'off']
>>> full_command(["pikafish"])
['pikafish']
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import PurePath

#: By name, what `eleengine` runs them by: the programs of two theses, as UCCI and UCI engines.
NAMED = {name: ("papers", "engine", "--program", name) for name in ("thesis", "engine-thesis")}


def full_command(command: Sequence[str]) -> list[str]:
    """The command as the system starts it: a name of `NAMED` becomes a call of this package.

    A file of such a name is started by its path, as in ./thesis.
    """
    first, *rest = command
    if first not in NAMED:
        return [first, *rest]
    # The program of the Windows folder is no Python: it runs this package at once.
    own = [] if PurePath(sys.executable).stem == "eleengine" else ["-m", "eleengine"]
    return [sys.executable, *own, *NAMED[first], *rest]
