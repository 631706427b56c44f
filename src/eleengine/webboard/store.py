"""The folder of documents: a JSON file each, which only the user can read, replaced as a whole."""

from __future__ import annotations

import json
import os
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

from .._internal.files import read_file, write_whole
from .._internal.json_text import read_object

_SUFFIX = ".json"
#: Kept beside the documents: what the page remembers, such as its language, which the browser forgets with
#: each new port; how far each puzzle was solved, by its id; games against the levels, by their keys; a line
#: about each document, so that a list of thousands need not read them all; the port of an installed page.
Kept = Literal["settings", "progress", "record", "summaries", "port"]


class Store:
    """A folder of documents.

    A file that another server has changed since it was read is left alone: `save` takes another name then.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._stamps: dict[str, tuple[int, int]] = {}  # what each file looked like when it was last ours

    def save(self, key: str, data: dict[str, Any]) -> str:
        """Write a document and return its key, a new one if the file is no longer ours; OSError."""
        path = self._path(key)
        if path.exists() and self._look(path) != self._stamps.get(key):
            key = new_key()
            path = self._path(key)
        self._replace(path, {"version": 1, "changed": time.time(), **data})
        self._stamps[key] = self._look(path)
        return key

    def save_place(self, key: str, place: int) -> None:
        """Write where in a document pages were, which is no change; not if the file is not ours. OSError."""
        path = self._path(key)
        seen = self._look(path)
        if seen != self._stamps.get(key):
            return
        self._replace(path, {**self.peek(key), "at": place})
        os.utime(path, ns=(seen[0], seen[0]))
        self._stamps[key] = self._look(path)

    @staticmethod
    def _replace(path: Path, data: dict[str, Any]) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, json.dumps(data, ensure_ascii=False).encode(), private=True)

    def load(self, key: str) -> dict[str, Any]:
        """Read a document; OSError, or ValueError if it is not one."""
        seen = self._look(self._path(key))
        data = self.peek(key)
        self._stamps[key] = seen
        return data

    def peek(self, key: str) -> dict[str, Any]:
        """The same without the intention to save it again."""
        path = self._path(key)
        data = read_object(read_file(path))
        if data.get("version") != 1:
            raise ValueError(f"{path} is not a document of this board")
        return data

    def delete(self, key: str) -> None:
        """Remove a document, if it is there."""
        with suppress(FileNotFoundError):
            self._path(key).unlink()

    def stamps(self) -> dict[str, tuple[int, int]]:
        """When each document was changed, in nanoseconds, and its size; last changed first."""
        found = []
        with suppress(OSError), os.scandir(self.folder) as entries:
            for entry in entries:
                key, suffix = os.path.splitext(entry.name)
                if suffix == _SUFFIX and is_key(key):
                    with suppress(OSError):
                        status = entry.stat()
                        found.append((status.st_mtime_ns, status.st_size, key))
        return {key: (changed, size) for changed, size, key in sorted(found, reverse=True)}

    def kept(self, name: Kept) -> dict[str, Any]:
        """What `keep` wrote last under the name; nothing if it cannot be read."""
        with suppress(OSError, ValueError):
            return read_object(read_file(self.folder / name))
        return {}

    def keep(self, name: Kept, data: dict[str, Any]) -> None:
        """Keep data in a file beside the documents; OSError."""
        self._replace(self.folder / name, data)

    def port(self) -> int | None:
        """The port of the page that a browser has installed and looks for again, None if none has."""
        port = self.kept("port").get("port")
        return port if type(port) is int and 1024 <= port <= 65535 else None

    def _path(self, key: str) -> Path:
        if not is_key(key):
            raise ValueError(f"{key[:40]!r} is not the key of a document")
        return self.folder / f"{key}{_SUFFIX}"

    @staticmethod
    def _look(path: Path) -> tuple[int, int]:
        status = path.stat()
        return status.st_mtime_ns, status.st_size


def new_key() -> str:
    """A key that no other document has."""
    return secrets.token_hex(16)


def is_key(text: object) -> bool:
    """Is it the key of a document? Keys come from pages: nothing else may become a file name."""
    return isinstance(text, str) and len(text) == 32 and set(text) <= set("0123456789abcdef")
