"""Where a user's own files lie, and how one is written so that it is never half there."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def state_folder() -> Path:
    """The folder of what should outlive the program, such as a game that was not finished; made if need be.

    It is XDG_STATE_HOME/eleengine or ~/.local/state/eleengine, on macOS ~/Library/Application
    Support/eleengine, on Windows %LOCALAPPDATA%/eleengine. OSError if it cannot be made.
    """
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    folder = base / "eleengine"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_whole(path: Path, data: bytes) -> None:
    """Write a file at once: others see the old one or the new one, whatever happens. OSError on failure."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(draft, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
