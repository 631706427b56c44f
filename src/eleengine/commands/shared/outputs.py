"""Files that a command is to write: never one that it reads, and one that is there only if that is wanted."""

from __future__ import annotations

import argparse
import os
import stat

from .. import CommandError

TYPE_CHECKING = False  # each start of the engine imports this module
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import Any


def add_force(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    parser.add_argument("--force", action="store_true", help="replace files that are there already")


class OutputFile(str):
    """A type for argparse: a file that the command writes, `-` is stdout. `check_files` looks for these."""


def named_file(text: str) -> OutputFile:
    """A type for argparse: where `-` is not stdout, since much else goes there or the file is read again."""
    if text == "-":
        raise argparse.ArgumentTypeError("needs the name of a file: it cannot be written to stdout")
    return OutputFile(text)


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


def check_files(args: argparse.Namespace, *more: str | Path) -> None:
    """CommandError if one file is an output and an input of the arguments, or two outputs, by whatever names.

    more: outputs that the arguments do not name.
    """
    read = files_read(args)
    outputs: dict[object, str] = {}
    for output in [*filter(_is_output, _words(vars(args))), *map(str, more)]:
        if output != "-" and (file := file_identity(output)):
            if file in read:
                raise CommandError(f"{output}: is read, too: write to a different file")
            if file in outputs:
                raise CommandError(f"two outputs are one file: {outputs[file]}, {output}")
            outputs[file] = output


def files_read(args: argparse.Namespace) -> set[object]:
    """The identities of the files that the arguments name, other than outputs."""
    words = [word for word in _words(vars(args)) if not _is_output(word)]
    words += [word.partition("=")[2] for word in words]  # of an engine
    return {file_identity(word) for word in words if word == "-" or os.path.exists(word)}


def _is_output(word: str) -> bool:
    return isinstance(word, OutputFile)


def _words(value: object) -> Iterator[str]:
    """The texts among values, and in their lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _words(part)


def file_identity(path: str | Path) -> object:
    """What is equal for all names of one file; None for what is no plain file. `-` is stdin."""
    try:
        found = os.fstat(0) if path == "-" else os.stat(path)
    except (OSError, ValueError):
        return os.path.normcase(os.path.realpath(path))
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def check_report(folder: Path, names: Iterable[str], *, force: bool) -> None:
    """The same for files of a folder that is made if need be."""
    for name in names:
        if (folder / name).exists():
            check_output(folder / name, force=force)
