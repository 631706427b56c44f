"""Print what a bug report needs: version, build, machine, network, book; and check its files.

Exit status: 1 if something is wrong.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress

from .._core import BaseBoard, checks_enabled, openmp_enabled
from .._internal import variants
from .._internal.processors import usable_processors
from .._internal.system import memory_mib
from .._version import __version__

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PERFT = 3, 79666  # leaves of the start position at that depth
VARIABLES = ("ELEENGINE_", "OMP_", "GOMP_", "PYTHON")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace) -> int:
    for name, what in facts():
        print(f"{name:<10} {what}")
    wrong = list(faults())
    for fault in wrong:
        print(f"{'wrong':<10} {fault}")
    print(f"{'checked':<10} {'see above' if wrong else 'files, rules, network and book are whole'}")
    return 1 if wrong else 0


def facts() -> Iterator[tuple[str, str]]:
    """What there is, as name and text."""
    built = build_facts()
    checks = ", with debug checks" if checks_enabled() else ""
    yield "eleengine", f"{__version__}, commit {built.get('commit', 'unknown')}"
    yield "built", f"by {built.get('compiler', 'an unknown compiler')}, for {built.get('cpu', '?')}{checks}"
    yield "variant", variants.current
    openmp = "with OpenMP" if openmp_enabled() else "without OpenMP: one thread"
    yield "threads", f"{os.cpu_count()} processors, {usable_processors()} of them for this process, {openmp}"
    yield "memory", f"{memory_mib()} MiB"
    yield "Python", f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}"
    yield "system", f"{platform.system()} {platform.release()}, {platform.machine()}"
    yield "output", f"{sys.stdout.encoding}, file names {sys.getfilesystemencoding()}"
    with suppress(Exception):  # reported among the faults
        yield "network", network_text()
    with suppress(Exception):
        yield "book", book_text()
    yield "package", PACKAGE
    for name in sorted(os.environ):
        if name.startswith(VARIABLES):
            yield "variable", f"{name}={os.environ[name]}"


def build_facts() -> dict[str, str]:
    """What the build wrote down of itself: commit, compiler, cpu; empty for one that did not."""
    try:
        with open(os.path.join(PACKAGE, "_build.txt"), encoding="utf-8") as file:
            return dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)
    except OSError:
        return {}


def network_text() -> str:
    from ..network import INTERNAL, choose

    network = choose(INTERNAL)
    return network.digest[:16] if network else "none"


def book_text() -> str:
    from .. import book

    with book.shipped():
        return f"{book.SHIPPED}, {os.path.getsize(book.SHIPPED)} bytes"


def faults() -> Iterator[str]:
    """What is not as it should be."""
    depth, leaves = PERFT
    if (found := BaseBoard().perft(depth)) != leaves:
        yield f"perft {depth} of the start position is {found}, not {leaves}: a broken build"
    for check in (network_text, book_text):
        try:
            check()
        except Exception as error:
            yield f"{check.__name__.partition('_')[0]}: {error}"
    yield from damaged_files()


def damaged_files() -> Iterator[str]:
    """Files of the Windows folder that are not as lib/files.txt has them; elsewhere there is no such list."""
    folder = os.path.dirname(os.path.dirname(PACKAGE))
    try:
        with open(os.path.join(folder, "lib", "files.txt"), encoding="utf-8") as list_file:
            lines = list_file.read().splitlines()
    except OSError:
        return
    for line in lines:
        checksum, _, path = line.split(" ", 2)
        try:
            with open(os.path.join(folder, path), "rb") as file:
                if f"{zlib.crc32(file.read()):08x}" != checksum:
                    yield f"{path}: damaged"
        except OSError as error:
            yield f"{path}: {error.strerror}"
