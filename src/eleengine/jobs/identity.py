"""The identities of engines and builds, so that results of different ones are never mixed unnoticed."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from .._core import Context, default_context
from .._internal.benchmark import signature
from .._version import __version__
from ..network import CLASSICAL

SIGNATURE_DEPTH = 8  # of the searches that distinguish builds: a quarter of a second
DIGEST_BYTES = 8
VARIES = "varies"  # begins what is different each time; then follows how

Identity = dict[str, str]

#: The folder of the package, and what of it plays and judges games.
_PACKAGE = Path(__file__).parents[1]
_PARTS = ("_internal", "book", "engines", "jobs", "lab", "tables")
_SOURCES = ("*.py", *(f"{part}/**/*.py" for part in _PARTS))
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


def build_name() -> str:
    """Version and sources of this build in a few letters, for the games that it has judged."""
    return f"{__version__} {_sources()[:DIGEST_BYTES]}"


def program_identity(
    command: Iterable[str], *, cwd: str | None = None, env: Mapping[str, str] | None = None
) -> Identity:
    """Return a checksum of the files that start another program.

    These are the files that the command names, and the package of `python -m PACKAGE` in PYTHONPATH.
    """
    words = list(command)
    environment = {**os.environ, **(env or {})}
    folder = Path(cwd or ".")
    # A path is meant from the folder of the program, except on Windows; a name is looked up in PATH.
    at_path = os.path.dirname(words[0]) and sys.platform != "win32"
    program = None if at_path else shutil.which(words[0], path=environment.get("PATH"))
    parts = [_contents(program) if program else _contents(words[0], folder)]
    parts += [_contents(word, folder) for word in words[1:]]
    if "-m" in words[:-1]:
        package = words[words.index("-m") + 1].replace(".", "/")
        roots = [folder / root for root in environment.get("PYTHONPATH", "").split(os.pathsep) if root]
        parts += [part for root in roots for part in _files(root / package)]
    return {"program": digest(parts)}


def files_identity(options: Mapping[str, str], *, cwd: str | None = None) -> Identity:
    """Return a checksum of the files that options name, such as books and networks; nothing without one.

    cwd: the folder of the program.
    """
    folder = Path(cwd or ".")
    files = {name: value for name, value in sorted(options.items()) if os.path.isfile(folder / value)}
    parts = [part for name, file in files.items() for part in (name.encode(), _contents(file, folder))]
    return {"files": digest(parts)} if files else {}


def differences(one: Identity, other: Identity) -> str:
    """The names of what differs. What varies from run to run in one of them cannot be compared.

    >>> differences({"version": "1", "weights": "a"}, {"version": "1", "weights": "b", "sources": "c"})
    'weights, sources'
    """
    names = [name for name in {**one, **other} if not (varies(one, name) or varies(other, name))]
    return ", ".join(name for name in names if one.get(name) != other.get(name))


def varies(one: Identity, name: str) -> bool:
    """Is the value different each time?"""
    return one.get(name, "").startswith(VARIES)


def digest(parts: Iterable[bytes]) -> str:
    """A checksum of all parts, and of where each ends."""
    whole = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        whole.update(len(part).to_bytes(8, "little") + part)
    return whole.hexdigest()


@lru_cache(maxsize=1)
def _sources() -> str:
    """Sources that are not there, as in a package of compiled files, do not count."""
    paths = {path for pattern in _SOURCES for path in _PACKAGE.glob(pattern)}
    names = {path.relative_to(_PACKAGE).as_posix(): path for path in paths}
    return digest(part for name in sorted(names) for part in (name.encode(), names[name].read_bytes()))


def _contents(path: str, folder: Path = Path()) -> bytes:
    try:
        is_file = (folder / path).is_file()
    except (OSError, ValueError):  # too long for a name
        is_file = False
    return (folder / path).read_bytes() if is_file else path.encode()


def _files(folder: Path) -> list[bytes]:
    """The files of a package with their names."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return [part for path in paths for part in (str(path.relative_to(folder)).encode(), path.read_bytes())]
