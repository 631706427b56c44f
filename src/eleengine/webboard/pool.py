"""The engines that all pages of the board share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial

from .._core import EndgameTables, shipped_tables
from .._internal.processors import usable_processors
from .._internal.system import split_command
from ..board import Board
from ..engines import pool
from ..engines.external import ExternalEngine
from ..engines.external.named import NAMED
from ..engines.local import Engine
from ..engines.strength import TOP_SKILL
from ..engines.types import AnyEngine, Limit
from ..tables import TableError, open_tables
from ..tables.folder import is_near_tables

TABLE_MIB = 64  # of endgame tables


class PoolJob(pool.PoolJob):
    """A search with the settings of a page, which each search sets anew.

    lines: how many to report. skill: below 20 for a weak move. The rest as for `eleengine.engines.pool`.
    """

    def __init__(
        self,
        board: Board,
        limit: Limit | None,
        *,
        lines: int = 1,
        threads: int = 1,
        hash_mib: int = 64,
        skill: int = TOP_SKILL,
        report: pool.Report | None = None,
    ) -> None:
        options = {"multipv": lines, "hashsize": hash_mib, "skilllevel": skill}
        super().__init__(board, limit, options=options, threads=threads, report=report)
        self.lines = lines


class Pool(pool.EnginePool):
    """Engines of one kind. name: for the page. weak: can they play below their strength?"""

    def __init__(
        self, name: str, makers: list[Callable[[], AnyEngine]], *, threads: int = 1, weak: bool = False
    ) -> None:
        super().__init__(makers, threads=threads, prepare=_give_tables)
        self.name = name
        self.weak = weak


def _give_tables(engine: AnyEngine, board: Board) -> None:
    """Let our own engine know the endgame tables, when they are near."""
    if isinstance(engine, Engine) and is_near_tables(board):
        engine.configure({"tables": endgame_tables()})


@cache
def endgame_tables() -> EndgameTables:
    """The endgame tables of all engines: those that come with the package, and the user's smaller ones."""
    try:
        return open_tables().load_within(TABLE_MIB)
    except (OSError, TableError, MemoryError):
        return shipped_tables()  # `eleengine tables check` names the file


def make_pools(commands: Iterable[str], *, size: int | None = None, hash_mib: int = 64) -> list[Pool]:
    """The pool of our own engines, and one for each other program: by command, and those of `NAMED`."""
    threads = usable_processors()
    size = size or min(4, threads)
    pools = [Pool("eleengine", [partial(Engine, hash_mib=hash_mib)] * size, threads=threads, weak=True)]
    for command in (*commands, *NAMED):
        pools.append(Pool(program_name(command), [partial(ExternalEngine, command)], threads=threads))
    return pools


def program_name(command: str) -> str:
    """A name for the page, until the program has said its own; ValueError if the command names no program."""
    words = split_command(command)
    if not words:
        raise ValueError("no program")
    return words[0].replace("\\", "/").rpartition("/")[2] or command
