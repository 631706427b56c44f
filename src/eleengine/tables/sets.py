"""Which tables there are by name, how large they are, and in which order they are made."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import NamedTuple

from .._core import EndgameTable, normal_table_name, smaller_tables

GUARDS = ("", "A", "B", "AA", "AB", "BB", "AAB", "ABB", "AABB")
BYTES_OF_A_ROW = 492  # of memory while a table is solved: four distances, and sets


def _sets() -> dict[int, tuple[str, ...]]:
    one = [f"{piece}-{guards}" for piece in "RNP" for guards in GUARDS]
    one += [f"C{own}-{guards}" for own in GUARDS for guards in GUARDS]
    two = [f"{a}{b}-{guards}" for a, b in combinations_with_replacement("RNCP", 2) for guards in GUARDS]
    three = {
        normal_table_name(f"{mine}-{theirs}{guards}")
        for mine in "RNCP"
        for theirs in "RNCP"
        for guards in GUARDS
    }
    four = [f"{piece}{own}-{guards}" for piece in "RNP" for own in GUARDS[1:] for guards in GUARDS]
    five = [f"{a}{b}-{piece}" for a, b in combinations_with_replacement("RNCP", 2) for piece in "RNCP"]
    order = {1: one, 2: two, 3: sorted(three, key=lambda name: (name[0], len(name), name)), 4: four, 5: five}
    return {number: tuple(names) for number, names in order.items()}


#: Tables by the number of the set: one attacker against guards, with own guards for a cannon; two attackers
#: against guards; one attacker against one attacker and guards; a rook, knight or pawn with own guards
#: against guards, which with set 1 makes every single attacker; two attackers against one, without guards.
SETS = _sets()


class TableSize(NamedTuple):
    """How large a table is, in bytes."""

    values: int  #: a byte for each entry; the files take less
    solving: int  #: in memory while it is made, besides the tables that captures lead to


def size_of(name: str) -> TableSize:
    """Return the size of a table; ValueError for a name that is none."""
    entries = EndgameTable(normal_table_name(name)).entries
    return TableSize(2 * entries, BYTES_OF_A_ROW * (entries // 90))


def plan(names: Iterable[str]) -> list[str]:
    """Return these tables and all that captures lead to, in an order in which they can be made."""
    done: dict[str, None] = {}

    def add(name: str) -> None:
        if name not in done:
            for smaller in smaller_tables(name):
                add(smaller)
            done[name] = None

    for name in names:
        add(normal_table_name(name))
    return list(done)
