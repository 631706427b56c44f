"""What the papers print: openings, algorithms and tables. docs/papers.md names the papers in full.

Zou 2012 is the master's thesis on a hybrid PVS on OpenMP, the engine thesis an anonymous bachelor's thesis of
2016, Li's the article on the transposition table, Huang's the one on parallel search.
"""

import json
import tomllib
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

from .._internal.folders import shipped_positions


def _lines(name: str) -> list[dict[str, Any]]:
    """The positions of a file that comes with the package."""
    return [json.loads(line) for line in shipped_positions(name).read_text(encoding="utf-8").splitlines()]


# Ten main openings of the game, six plies each. Zou 2012 took ten from a book of 1983 and does not name them.
OPENINGS = [  # name, Chinese name, moves
    (line["name"], line["name_zh"], " ".join(line["moves"]))
    for line in _lines("papers")
    if line["set"] == "openings"
]
# The ten positions of the engine thesis's table 3-1, by their numbers: from a book of Huang Shaolong, 2004.
MIDDLEGAMES = [(line["name"], line["fen"]) for line in _lines("papers") if line["set"] == "middlegames"]

_NUMBERS = tomllib.loads(files(__package__).joinpath("published.toml").read_text(encoding="utf-8"))


def _by_depth(table: str, first: int) -> dict[str, dict[int, Any]]:
    """A printed table: by the names of its rows the numbers by depth."""
    return {name: dict(enumerate(row, first)) for name, row in _NUMBERS[table].items()}


def _by_threads(table: str) -> dict[int, dict[int, Any]]:
    """A printed table of Zou 2012, chapter 4.3: by number of threads the numbers by depth."""
    return {int(threads): row for threads, row in _by_depth(table, 4).items()}


UNORDERED: dict[str, Any] = {"table_move": False, "captures": False, "killers": "off", "history": False}
PLAIN: dict[str, Any] = {**UNORDERED, "table": False, "null_move": False}

MINIMAX, MINIMAX_DEPTH = "minimax", 4  # of 2.2.1, without published numbers; deeper it takes hours
ALPHA_BETA, HYBRID, HYBRID_NO_NULL = "alpha-beta", "PVS+table+order+null", "PVS+table+order"
STRATEGIES: dict[str, dict[str, Any]] = {  # the nine rows of tables 4.1 and 4.2 of Zou 2012, below minimax
    MINIMAX: {**PLAIN, "algorithm": "minimax"},
    ALPHA_BETA: {**PLAIN, "algorithm": "alphabeta"},
    "PVS": {**PLAIN, "algorithm": "pvs"},
    "MTD(f)": {**PLAIN, "algorithm": "mtdf"},
    "alpha-beta+table": {**PLAIN, "algorithm": "alphabeta", "table": True},
    "alpha-beta+order": {"algorithm": "alphabeta", "table": False, "null_move": False},
    "MTD(f)+table+order": {"algorithm": "mtdf", "null_move": False},
    "MTD(f)+table+order+null": {"algorithm": "mtdf"},
    HYBRID_NO_NULL: {"algorithm": "pvs", "null_move": False},
    HYBRID: {"algorithm": "pvs"},
}
STRATEGY_LEAVES = _by_depth("strategy_leaves", 4)
STRATEGY_MS = _by_depth("strategy_ms", 4)
SPEEDUP_MS = _by_threads("speedup_ms")
SPEEDUP_PRINTED = _by_threads("speedup_printed")
SPEEDUP_LEAVES = _by_threads("speedup_leaves")
SPEEDUP_HITS = _by_threads("speedup_hits")

ORDERED, KILLERS_FIRST = "ordered", "ordered, killers first"
ORDERINGS: dict[str, dict[str, Any]] = {  # what tables 2-5 and 2-6 of the engine thesis compare
    "by piece": {**UNORDERED, "null_move": False},
    KILLERS_FIRST: {"killers": "before", "null_move": False},
    ORDERED: {"null_move": False},
}
ORDERING_NODES = _by_depth("ordering_nodes", 1)
ORDERING_PRINTED: dict[str, list[int]] = _NUMBERS["ordering_printed"]

TABLES: dict[str, dict[str, Any]] = {  # what Li's article compares, in words only
    "alpha-beta": STRATEGIES[ALPHA_BETA],
    "alpha-beta+table": STRATEGIES["alpha-beta+table"],
    "alpha-beta+table without leaves": {**STRATEGIES["alpha-beta+table"], "leaf_entries": False},
}

#: A part of a program left out or changed, in the words of its options.
_COMMON_PARTS = {
    "plain alpha-beta": {"algorithm": "alphabeta"},
    "MTD(f)": {"algorithm": "mtdf"},
    "no table": {"table": "false"},
    "no leaves in the table": {"leaf_entries": "false"},
    "table in two layers": {"layers": "2"},
    "no table move": {"table_move": "false"},
    "captures not ordered": {"captures": "off"},
    "no killers": {"killers": "off"},
    "killers first": {"killers": "before"},
    "no history": {"history": "off"},
    "no null move": {"null_move": "off"},
    "no extensions": {"extensions": "off"},
}
PARTS: dict[str, dict[str, dict[str, str]]] = {
    "thesis": {
        **_COMMON_PARTS,
        "no killers below alpha": {"alpha_killers": "false"},
        "moves below alpha kept": {"alpha_moves": "true"},
        "null move verified": {"null_move": "verified"},
        "quiescence": {"quiescence": "true"},
        "values of table 5.5": {"values": "291,284,498,823,486,85"},
    },
    "engine-thesis": {
        **{name: part for name, part in _COMMON_PARTS.items() if name != "no leaves in the table"},
        "null move not verified": {"null_move": "adaptive"},
        "no internal deepening": {"internal_deepening": "false"},
        "no quiescence": {"quiescence": "false"},
        "history by 2 << depth": {"history": "power"},
        "Zou's evaluation": {"evaluation": "sources"},
    },
}

TABLE_SIZES: dict[str, dict[str, Any]] = {f"{1 << n} MiB": {"hash_mib": 1 << n} for n in range(7)}
TABLE_ENTRIES: dict[str, dict[str, Any]] = {  # Huang's, and Zou's two layers
    "XOR": {"entry": "xor"},
    "two checksums": {"entry": "checksums"},
    "lock": {"entry": "lock"},
    "two layers": {"layers": 2},
    "without leaves": {"leaf_entries": False},
}

#: By experiment, the searches that are the same for any number of threads.
SEARCHES: dict[str, dict[str, dict[str, Any]]] = {
    "strategies": STRATEGIES, "ordering": ORDERINGS, "table": TABLES,
    "sizes": TABLE_SIZES, "entries": TABLE_ENTRIES,
}  # fmt: skip

#: Ways to share the tree, of all texts, for a simulation of processors.
SPLITS: dict[str, dict[str, Any]] = {
    "PV-split, as in the thesis": {"split": "pv"},
    "the same, aspiration window": {"split": "pv", "aspiration": 50},
    "PV-split": {"split": "pv", "schedule": "dynamic", "shared_table": True},
    "PV-split, own order, regrouped": {
        "split": "pv", "schedule": "dynamic", "shared_table": True, "own_order": True, "regroup": True,
    },
    "tree splitting": {"split": "tree", "schedule": "dynamic", "shared_table": True},
    "window splitting": {"split": "window", "shared_table": True},
    "tasks": {"split": "tasks", "shared_table": True},
    "dynamic tree splitting": {"split": "dts", "shared_table": True},
    "MTD(f), PV-split": {"algorithm": "mtdf", "split": "pv", "schedule": "dynamic", "shared_table": True},
    "MTD(f), dynamic tree splitting": {"algorithm": "mtdf", "split": "dts", "shared_table": True},
}  # fmt: skip
#: What one processor does, by the algorithm of the ways.
SERIAL = {"pvs": "PVS", "mtdf": "MTD(f)"}


def split_searches(threads: Iterable[int]) -> dict[str, dict[str, Any]]:
    """The searches of the simulation by name: one processor, and each way with each number of them."""
    searches: dict[str, dict[str, Any]] = {
        split_name(name, 1): {"algorithm": algorithm, "virtual_time": True}
        for algorithm, name in SERIAL.items()
    }
    for name, options in SPLITS.items():
        for n in sorted({*threads} - {1}):
            searches[split_name(name, n)] = {"threads": n, "virtual_time": True, **options}
    return searches


SIMULATED = ", simulated"


def thread_searches(threads: Iterable[int], *, virtual_time: bool = False) -> dict[str, dict[str, Any]]:
    """The searches of tables 4.3 and 4.4 by name.

    >>> list(thread_searches([2, 4])), list(thread_searches([2], virtual_time=True))
    (['1 thread', '2 threads', '4 threads'], ['1 thread, simulated', '2 threads, simulated'])
    """
    mark = SIMULATED if virtual_time else ""
    return {
        f"{n} thread{'s' * (n > 1)}{mark}": {"threads": n, "virtual_time": virtual_time}
        for n in sorted({1, *threads})
    }


def split_name(way: str, processors: int) -> str:
    """The name of a search.

    >>> split_name("tasks", 4)
    'tasks, 4'
    """
    return f"{way}, {processors}"


MIDDLEGAME_MOVES: dict[str, list[Any]] = _NUMBERS["middlegame_moves"]
GAMES_POINTS = {int(depth): points for depth, points in _NUMBERS["games_points"].items()}

# Tables 4-1 and 4-2 of the engine thesis, red to win: positions of xqwlight's FUNNY.EPD. For one of them the
# thesis prints the number of another (fun-012): its name counts.
ENDINGS = [  # number, name, position, how it ended for red, after how many plies
    (found["no"], line["name"], line["fen"], found["result"].replace("resigned", "loss"), found["plies"])
    for line in _lines("puzzles")
    if line["id"] != "fun-012" and (found := line.get("thesis"))
]
