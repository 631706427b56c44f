"""Where files lie: the user's own, those of the package."""

from __future__ import annotations

import os
import sys
from errno import ENOENT
from pathlib import Path


def state_folder() -> Path:
    """The folder of what should outlive the program, such as a game that was not finished; made if need be.

    It is XDG_STATE_HOME/eleengine or ~/.local/state/eleengine, on macOS ~/Library/Application
    Support/eleengine, on Windows %LOCALAPPDATA%/eleengine. OSError if it cannot be made.
    """
    folder = _user_folder("XDG_STATE_HOME", "state")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def data_folder() -> Path:
    """Return the folder of what the user has made or fetched and can make again, such as endgame tables.

    It is XDG_DATA_HOME/eleengine or ~/.local/share/eleengine, elsewhere as for `state_folder`. It may be
    missing.
    """
    return _user_folder("XDG_DATA_HOME", "share")


def _user_folder(variable: str, below_local: str) -> Path:
    """Ours in the user's home; the variable and the name below ~/.local count on Linux and the like."""
    try:
        base = Path.home()
    except RuntimeError:  # a container may run as a user whom it does not know
        base = Path("/nonexistent")  # the home of nobody
    if sys.platform == "darwin":
        return base / "Library" / "Application Support" / "eleengine"
    windows = sys.platform == "win32"
    named = Path(os.environ.get("LOCALAPPDATA" if windows else variable, ""))
    base /= Path("AppData", "Local") if windows else Path(".local", below_local)
    if named.is_absolute():  # the XDG standard has a relative one ignored
        base = named
    return base / "eleengine"


def named_file(name: str) -> str:
    """The path that a name of a file means.

    That of a file that is there, otherwise a file of positions that comes with the package, such as
    ``puzzles``; the name itself if there is none.
    """
    if os.path.exists(name) or os.path.basename(name) != name or "." in name:
        return name
    try:
        return str(shipped_positions(name))
    except FileNotFoundError:
        return name


def shipped_positions(name: str) -> Path:
    """The file of positions that comes with the package, such as ``puzzles``; FileNotFoundError."""
    package = Path(__file__).parents[1]
    for folder in (package / "positions", package.parents[1] / "positions"):  # installed, in the sources
        for suffix in (".epd", ".jsonl"):
            if (path := folder / f"{name}{suffix}").is_file():
                return path
    raise FileNotFoundError(ENOENT, "no such file of positions", name)
