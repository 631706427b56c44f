"""Files that a command is to write: what is there already is replaced only if that is wanted."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .. import CommandError


def add_force(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument("--force", action="store_true", help="replace files that are there already")


def named_file(text: str) -> str:
    """A type for argparse: where `-` is not stdout, since much else goes there or the file is read again."""
    if text == "-":
        raise argparse.ArgumentTypeError("needs the name of a file: it cannot be written to stdout")
    return text


def add_file(parser: argparse._ActionsContainer, name: str, *, metavar: str = "FILE", **more: Any) -> None:
    """Add an option or argument for a file to write, which is not stdout; more: as for `add_argument`."""
    parser.add_argument(name, type=named_file, metavar=metavar, **more)


def check_output(path: str | Path, *, force: bool | None) -> None:
    """CommandError for a file that cannot be written, or that is there already and not empty.

    It is called before the work: so nothing is lost, neither what the file holds, which may be the input,
    nor what the work has brought. What is no plain file, such as a pipe, may be written to; "-" is stdout.
    force: None where nothing is ever replaced, not even an empty file.
    """
    if path == "-":
        return
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise CommandError(f"{folder}: No such directory")
    # A new file takes the place of an old one, so the folder counts, too, and that behind a link.
    places = [path] if os.path.exists(path) else []
    if not places or os.path.isfile(path):
        places.append(os.path.dirname(os.path.realpath(path)))
    if os.path.isdir(path):
        raise CommandError(f"{path}: Is a directory")
    if force is None and os.path.exists(path):
        raise CommandError(f"{path}: exists already")
    if not all(os.access(place, os.W_OK) for place in places):
        raise CommandError(f"{path}: cannot be written")
    if not force and os.path.isfile(path) and os.path.getsize(path):
        raise CommandError(f"{path}: exists already; --force replaces it")


def check_distinct(args: argparse.Namespace, *names: str) -> None:
    """CommandError if two of the options name one file, of which only the last output would remain."""
    named = [path for name in names if (path := getattr(args, name.replace("-", "_")))]
    files = [os.path.realpath(path) for path in named if os.path.isfile(path) or not os.path.exists(path)]
    if len(set(files)) < len(files):
        raise CommandError(f"two outputs are one file: {', '.join('--' + name for name in names)}")


def check_report(folder: Path, names: Iterable[str], *, force: bool) -> None:
    """The same for files of a folder that is made if need be."""
    for name in names:
        if (folder / name).exists():
            check_output(folder / name, force=force)
