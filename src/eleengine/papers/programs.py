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

_FLAGS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}


@dataclass(frozen=True, slots=True)
class ProgramOption:
    """An option of a program: a choice of words, a number from low to high, or the six values of pieces."""

    name: str
    help: str
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0

    @property
    def kind(self) -> str:
        """As UCCI calls it: check, combo, spin or string."""
        if self.choices:
            return "check" if set(self.choices) == {"false", "true"} else "combo"
        return "spin" if self.high else "string"

    def read(self, text: str) -> Any:
        """The value in a text, as `ThesisSearch` takes it; ValueError says what is expected."""
        lower = text.strip().lower()
        if self.kind == "check" and lower in _FLAGS:
            return _FLAGS[lower]
        if self.kind == "combo" and lower in self.choices:
            return lower
        if self.kind == "string":
            if not lower:
                return None
            with suppress(ValueError):
                values = tuple(whole(part.strip()) for part in text.split(","))
                if len(values) == 6:
                    return values
        if self.kind == "spin":
            try:
                number = whole(lower)
            except ValueError:
                number = self.low - 1
            if self.low <= number <= self.high:
                return number
        raise ValueError(f"{self.name} must be {self.expected}, not {text[:40]!r}")

    def write(self, value: Any) -> str:
        """The text of a value."""
        if isinstance(value, bool):
            return str(value).lower()
        if value is None:
            return ""
        return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)

    @property
    def expected(self) -> str:
        """What a value must be, in words."""
        if self.kind == "string":
            return "six numbers such as 250,250,350,550,350,100"
        if self.kind == "spin":
            return f"a whole number from {self.low} to {self.high}"
        return " or ".join(self.choices)


def _check(name: str, text: str) -> ProgramOption:
    return ProgramOption(name, text, ("false", "true"))


#: What can be chosen of a program, under the names of `ThesisSearch`.
OPTIONS = (
    ProgramOption("algorithm", "of the search", ("alphabeta", "pvs", "mtdf")),
    _check("table", "a transposition table"),
    ProgramOption("entry", "of the table", ("xor", "checksums", "lock")),
    ProgramOption("layers", "of the table: 2 keeps the deepest and the newest result", low=1, high=2),
    _check("leaf_entries", "are leaves in the table, too?"),
    _check("table_move", "the table's move is searched first"),
    ProgramOption("captures", "by which values captures are ordered", ("off", "material", "exchange")),
    ProgramOption("killers", "behind the good captures or before all", ("off", "after", "before")),
    ProgramOption("history", "how it grows: by 2 << depth or depth * depth", ("off", "power", "square")),
    _check("alpha_killers", "the best move of a node below alpha is a killer, too"),
    _check("alpha_moves", "and stands in the table"),
    ProgramOption("null_move", "a side passes", ("off", "adaptive", "verified")),
    _check("internal_deepening", "a node without a table move is searched two plies less first"),
    _check("quiescence", "leaves are searched on by good captures"),
    ProgramOption("extensions", "of exchanges, or of forced moves", ("off", "exchange", "forced")),
    ProgramOption("evaluation", "whose terms", ("sources", "tapered", "engine")),
    ProgramOption("values", "of advisor, bishop, knight, rook, cannon, pawn"),
    ProgramOption("grain", "values are rounded to multiples of it", low=1, high=1000),
    ProgramOption(
        "split",
        "how several threads share the tree",
        ("pv", "tree", "window", "dts", "tasks", "openmp-tasks"),
    ),
    ProgramOption("schedule", "of OpenMP, for several threads", ("static", "dynamic", "guided")),
    _check("shared_table", "one table for all threads, or one for each that all read"),
    ProgramOption("aspiration", "half the window of the root; 0: all of it", low=0, high=30000),
    _check("own_order", "a thread orders moves by its own history and killers only"),
    _check("regroup", "all threads search a better move again together"),
)
_BY_NAME = {option.name: option for option in OPTIONS}
_PLAIN: dict[str, Any] = {  # what the options are if a program says nothing: chapter 4 of Zou's thesis
    "algorithm": "pvs", "table": True, "entry": "xor", "layers": 1, "leaf_entries": True, "table_move": True,
    "captures": "material", "killers": "after", "history": "power",
    "alpha_killers": True, "alpha_moves": False,
    "null_move": "adaptive", "internal_deepening": False, "quiescence": False, "extensions": "off",
    "evaluation": "sources", "values": None, "grain": 1,
    "split": "pv", "schedule": "static", "shared_table": False, "aspiration": 0,
    "own_order": False, "regroup": False,
}  # fmt: skip


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
            if name not in _BY_NAME:
                raise ValueError(f"no option {name!r}: {', '.join(_BY_NAME)}")
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
