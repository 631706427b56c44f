"""What tells engines and builds apart, so that results of different ones are never mixed unnoticed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from ... import __version__
from ..._core import Context, default_context
from ...benchmark import signature
from ...network import CLASSICAL

SIGNATURE_DEPTH = 8  # of the searches that tell builds apart: a quarter of a second
DIGEST_BYTES = 8

Identity = dict[str, str]

#: The folder of the package, and what of it plays and judges games.
_PACKAGE = Path(__file__).parents[2]
_SOURCES = ("*.py", "engines/*.py", "lab/*/*.py")
_SIGNATURES: dict[tuple[str, ...], int] = {}


def engine_identity(context: Context | None = None) -> Identity:
    """The engine of this process as it plays now: version, numbers that it goes by, nodes of its search.

    context: what it goes by; None: the default one.
    """
    context = context or default_context()
    found = {
        "version": __version__,
        "network": context.network.digest[: 2 * DIGEST_BYTES] if context.network else CLASSICAL,
        "weights": digest([context.weights]),
        "constants": digest([json.dumps(context.parameters, sort_keys=True).encode()]),
    }
    numbers = tuple(found.values())
    if numbers not in _SIGNATURES:
        _SIGNATURES[numbers] = signature(SIGNATURE_DEPTH, context)
    return {**found, "signature": str(_SIGNATURES[numbers])}


def build_identity() -> Identity:
    """The same and the Python sources that play and judge: what must be alike to share the games of a run."""
    return {**engine_identity(), "sources": _sources()}


def program_identity(command: Iterable[str], name: str) -> Identity:
    """Another program: what it calls itself, and the files that its command names."""
    words = list(command)
    files = [shutil.which(words[0]) or words[0], *words[1:]]
    return {"name": name, "program": digest(_contents(file) for file in files)}


def differences(one: Identity, other: Identity) -> str:
    """The names of what differs.

    >>> differences({"version": "1", "weights": "a"}, {"version": "1", "weights": "b", "sources": "c"})
    'weights, sources'
    """
    return ", ".join(name for name in {**one, **other} if one.get(name) != other.get(name))


def digest(parts: Iterable[bytes]) -> str:
    """A checksum of all parts, and of where each ends."""
    whole = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        whole.update(len(part).to_bytes(8, "little") + part)
    return whole.hexdigest()


@lru_cache(maxsize=1)
def _sources() -> str:
    """Sources that are not there, as in a package of compiled files, do not count."""
    paths = sorted({path for pattern in _SOURCES for path in _PACKAGE.glob(pattern)})
    return digest(part for path in paths for part in (path.name.encode(), path.read_bytes()))


def _contents(path: str) -> bytes:
    if not os.path.isfile(path):
        return path.encode()  # a word of the command that is no file
    with open(path, "rb") as file:
        return file.read()
