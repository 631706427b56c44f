"""The programs of the two theses: what their searches are made of, and their options in words.

>>> ENGINE_THESIS.search()["null_move"], THESIS.search({"killers": "before"})["killers"]
('verified', 'before')
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .._internal.digits import whole
from ..engines.engine_options import EngineOption

SIX_VALUES = "six numbers such as 250,250,350,550,350,100"

#: What can be chosen of a program, under the names of `ThesisSearch`: what it is if a program says nothing
#: (chapter 4 of Zou's thesis), its choices or its range, and its meaning.
_TABLE: tuple[tuple[str, Any, tuple[Any, ...], str], ...] = (
    ("algorithm", "pvs", ("alphabeta", "pvs", "mtdf"), "of the search (default: pvs)"),
    ("table", True, (), "a transposition table"),
    ("entry", "xor", ("xor", "checksums", "lock"), "of the table"),
    ("layers", 1, (1, 2), "of the table: 2 keeps the deepest and the newest result"),
    ("leaf_entries", True, (), "are leaves in the table, too?"),
    ("table_move", True, (), "the table's move is searched first"),
    ("captures", "material", ("off", "material", "exchange"), "by which values captures are ordered"),
    ("killers", "after", ("off", "after", "before"), "behind the good captures or before all"),
    ("history", "power", ("off", "power", "square"), "how it grows: by 2 << depth or depth * depth"),
    ("alpha_killers", True, (), "the best move of a node below alpha is a killer, too"),
    ("alpha_moves", False, (), "and stands in the table"),
    ("null_move", "adaptive", ("off", "adaptive", "verified"), "a side passes"),
    ("internal_deepening", False, (), "a node without a table move is searched two plies less first"),
    ("quiescence", False, (), "leaves are searched on by good captures"),
    ("extensions", "off", ("off", "exchange", "forced"), "of exchanges, or of forced moves"),
    ("evaluation", "sources", ("sources", "tapered", "engine"), "whose terms"),
    ("values", None, (), "of advisor, bishop, knight, rook, cannon, pawn"),
    ("grain", 1, (1, 1000), "values are rounded to multiples of it"),
    ("split", "pv", ("pv", "tree", "window", "dts", "tasks", "openmp-tasks"),
     "what threads share: brothers along the leftmost branch (the thesis; the default), moves of the root, "
     "windows, or any brothers: of the deepest search, as tasks, or as tasks of OpenMP itself"),
    ("schedule", "static", ("static", "dynamic", "guided"), "of OpenMP, chunks of 1 (the thesis: static)"),
    ("shared_table", False, (), "one table for all threads, or one for each that all read"),
    ("aspiration", 0, (0, 30000), "half the window of the root; 0: all of it"),
    ("own_order", False, (), "a thread orders moves by its own history and killers only"),
    ("regroup", False, (),
     "a sibling that turns out better is searched again by all threads, not by its finder alone"),
)  # fmt: skip
HELP = {name: text for name, _, _, text in _TABLE}
_PLAIN = {name: default for name, default, _, _ in _TABLE}


def _option(name: str, default: Any, values: tuple[Any, ...]) -> EngineOption:
    if isinstance(default, bool):
        return EngineOption(name, "check", default, uci=name)
    if isinstance(default, int):
        low, high = values
        return EngineOption(name, "spin", default, low, high, uci=name)
    return EngineOption(name, "combo" if values else "string", default or "", choices=values, uci=name)


OPTIONS = tuple(_option(name, default, values) for name, default, values, _ in _TABLE)


def read(option: EngineOption, text: str) -> Any:
    """The value in a text, as `ThesisSearch` takes it; ValueError says what is expected."""
    if option.type != "string":
        return option.read(text.strip())
    if not text.strip():
        return None
    with suppress(ValueError):
        values = tuple(whole(part.strip()) for part in text.split(","))
        if len(values) == 6:
            return values
    raise ValueError(f"{option.name} must be {SIX_VALUES}, not {text[:40]!r}")


def write(value: Any) -> str:
    """The text of a value."""
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return ""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


@dataclass(frozen=True, slots=True)
class Program:
    """A program of a thesis.

    name: what commands call it. title: whose it is, in English and in Chinese. differences: what it has other
    than `_PLAIN`. scale: its units in a centipawn.
    """

    name: str
    title: str
    title_zh: str
    differences: Mapping[str, Any]
    scale: float = 1.0

    def search(self, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The keyword arguments of `ThesisSearch`, with some options changed; ValueError for unknown ones."""
        options = options or {}
        for name in options:
            if name not in _PLAIN:
                raise ValueError(f"no option {name!r}: {', '.join(_PLAIN)}")
        return {**_PLAIN, **self.differences, **options}


#: Zou's: chapters 4 and 5 of his thesis.
THESIS = Program(
    "thesis", "hybrid PVS of Zou's thesis", "邹竞硕士论文的混合 PVS 程序", {"extensions": "exchange"}
)
#: The engine thesis's: chapters 2 and 3 of it.
ENGINE_THESIS = Program(
    "engine-thesis",
    "engine of the bachelor's thesis",
    "本科毕业论文的象棋引擎",
    {
        "captures": "exchange",
        "history": "square",
        "alpha_killers": False,
        "alpha_moves": True,
        "null_move": "verified",
        "internal_deepening": True,
        "quiescence": True,
        "extensions": "forced",
        "evaluation": "tapered",
    },
    scale=0.25,
)
PROGRAMS = {program.name: program for program in (THESIS, ENGINE_THESIS)}
