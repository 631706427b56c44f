"""Networks that evaluate positions: the one that the engine comes with, files, and what they say.

>>> from eleengine import Board
>>> choose(INTERNAL).evaluate(Board()) in range(100)
True

A network is made by `eleengine nnue`; docs/nnue.md says how, and describes the file.
"""

from __future__ import annotations

import os

from ._core import Network, NetworkError, shipped_network
from ._internal.files import plain_file

__all__ = ["CLASSICAL", "INTERNAL", "Network", "NetworkError", "choose", "load"]

INTERNAL = "<internal>"  #: the name of the network that the engine comes with
CLASSICAL = "classical"  #: the name of the evaluation without a network
_MOST = 64 << 20  # bytes: what is larger is not even read


def load(path: str | os.PathLike[str]) -> Network:
    """Read a network file; OSError if it cannot be read, NetworkError if it is no network that we can use."""
    with open(plain_file(path), "rb") as file:
        data = file.read(_MOST + 1)
    try:
        if len(data) > _MOST:
            raise NetworkError(f"no network is larger than {_MOST >> 20} MiB")
        return Network(data)
    except NetworkError as error:
        raise NetworkError(f"{os.fspath(path)}: {error}") from error


def choose(name: str | os.PathLike[str]) -> Network | None:
    """The network of that name or path: INTERNAL, or None for CLASSICAL; errors as for load()."""
    if name == INTERNAL:
        return shipped_network()
    return None if name == CLASSICAL else load(name)
