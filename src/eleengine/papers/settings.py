"""What the searches of a table are made of: as its text has it, or other than that.

>>> published("strategies")["alpha_killers"], published("ordering")["evaluation"]
(True, 'tapered')
>>> list(deviations("strategies", {**published("strategies"), "grain": 8}))
[('grain', 8, 1)]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .language import tr
from .programs import ENGINE_THESIS, PROGRAMS, THESIS

#: What a table leaves out of its program: of the engine thesis all that its chapter 3 adds.
_LEFT_OUT: dict[str, dict[str, Any]] = {
    THESIS.name: {"extensions": "off"},
    ENGINE_THESIS.name: {
        "null_move": "off",
        "internal_deepening": False,
        "quiescence": False,
        "extensions": "off",
    },
}
#: What searches fewer leaves here than the published settings, and what more threads gain by.
OWN: dict[str, Any] = {"alpha_killers": False, "alpha_moves": True, "grain": 8}
OWN_THREADS: dict[str, Any] = {
    "schedule": "dynamic", "shared_table": True, "own_order": True, "regroup": True,
}  # fmt: skip
#: Settings in words; those that are not here have no meaning of their own in a table.
WORDS = {
    "algorithm": "algorithm",
    "entry": "entries of the table",
    "captures": "captures are ordered by values",
    "history": "history grows",
    "alpha_killers": "best moves of nodes below alpha are killers",
    "alpha_moves": "and stand in the table",
    "extensions": "extensions",
    "evaluation": "evaluation",
    "grain": "values are multiples of",
    "hash_mib": "MiB of a table",
    "split": "threads share",
    "schedule": "schedule",
    "shared_table": "one table for all threads",
    "own_order": "order by the thread's own history and killers",
    "regroup": "better siblings are searched again by all threads",
    "aspiration": "half the window of the root",
}


def published(experiment: str, program: str = "") -> dict[str, Any]:
    """The keyword arguments of `ThesisSearch` for all rows of an experiment, as its text has them.

    program: whose, if not that of the text.
    """
    program = program or (ENGINE_THESIS if experiment == "ordering" else THESIS).name
    return PROGRAMS[program].search(_LEFT_OUT[program])


def hash_mib(experiment: str) -> int:
    """The size of a table in MiB: 256 in the engine thesis (2.2.3); Zou gives none."""
    return {"ordering": 256, "splits": 16}.get(experiment, 64)


def deviations(experiment: str, chosen: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Where settings, or their texts, differ from the published ones: name, value, published value.

    What is missing is False, as `experiments.Origin` has it.
    """
    known = published(experiment)
    if experiment == "ordering":
        known["hash_mib"] = hash_mib(experiment)
    for name in WORDS:
        if name in known and str(chosen.get(name, False)) != str(known[name]):
            yield name, chosen.get(name, False), known[name]


def report(experiment: str, chosen: Mapping[str, Any]) -> Iterator[str]:
    """Lines that say how the settings of an experiment differ from the published ones."""
    found = list(deviations(experiment, chosen))
    yield tr("settings: as published, but") if found else tr("settings: as published")
    for name, value, known in found:
        deviation = tr("  {name}: {value} (published: {known})")
        yield deviation.format(name=tr(WORDS[name]), value=_word(value), known=_word(known))


def _word(value: Any) -> str:
    return tr({"True": "yes", "False": "no"}.get(str(value), str(value)))
