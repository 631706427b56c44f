"""What the papers print: openings, algorithms and tables. docs/papers.md names the papers in full.

Zou 2012 is the master's thesis on a hybrid PVS on OpenMP, the engine thesis an anonymous bachelor's thesis of
2016, Li's the article on the transposition table, Huang's the one on parallel search.
"""

from collections.abc import Iterable
from typing import Any

# Ten main openings of the game, six plies each. Zou 2012 took ten from a book of 1983 and does not name them.
OPENINGS = (  # name, Chinese name, moves
    ("central cannon, screen horses", "中炮对屏风马", "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7"),
    ("central cannon, sandwiched horses", "中炮对反宫马", "h2e2 b9c7 h0g2 h7f7 i0h0 h9g7"),
    ("central cannon, single horse", "中炮对单提马", "h2e2 h9g7 h0g2 b9a7 i0h0 i9i8"),
    ("same-direction cannons", "顺炮", "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8"),
    ("opposite-direction cannons", "列炮", "h2e2 b7e7 h0g2 b9c7 i0h0 h9g7"),
    ("flying elephant", "飞相局", "g0e2 h7d7 h0g2 h9g7 i0h0 i9h9"),
    ("pilgrim pawn, cannon behind pawn", "仙人指路对卒底炮", "c3c4 b7c7 h2e2 c9e7 h0g2 h9g7"),
    ("horse opening", "起马局", "h0g2 g6g5 c3c4 h9g7 b0c2 b9c7"),
    ("cross-palace cannon", "过宫炮", "h2d2 h9g7 h0g2 i9h9 i0h0 b9c7"),
    ("palcorner cannon", "士角炮", "h2f2 h9g7 h0g2 b7e7 i0h0 b9c7"),
)

# The ten positions of the engine thesis's table 3-1, by their numbers: from a book of Huang Shaolong, 2004.
MIDDLEGAMES = (
    ("78", "4ka3/1n2a4/9/p1p5p/5RC2/P8/2P3r1P/N4A3/4K4/2BA4c w"),
    ("79", "4kab2/4a4/3cb3c/R3C3p/5C3/2P1r4/P4p2P/4B4/4A4/4KAB2 w"),
    ("80", "1C2kab2/4a4/4b1n2/p4r2p/4p1p1c/3N5/P3P1PnP/2NCB4/2R1A4/1c2KAB2 w"),
    ("81", "r3kabr1/4a4/c1n1b2c1/p1p1p3p/2P4R1/3n5/P1C1P1p1P/N3C1N2/9/1RBAKAB2 w"),
    ("82", "3akab2/9/2n1b1c2/p1N1p3p/1r3n1r1/2R1PR3/P7P/4C1N1B/9/2BAKA3 w"),
    ("83", "3rkabn1/4a4/2c1b3c/pR2p1p1p/2p6/5NP2/P1n1P3P/2C1C4/9/1NBAKAB2 w"),
    ("84", "1R1ak1b2/4a4/4b3n/2p6/3r1N1r1/2P1C4/P3P1P1P/4B4/4A1c2/3AKR3 w"),
    ("86", "3rkab2/4a4/2c1b1n1c/1R2p1p1p/p1p6/5NP2/n1P1P3P/N3C4/2C6/2BAKAB2 w"),
    ("87", "2bak4/4a4/n3b4/R8/P2N1r3/2P5p/3nP4/3NB4/4A4/2B1KA3 w"),
    ("88", "2bak1b2/n3a4/4c4/p1P4Rp/9/9/P2rN3P/R3B4/4Cr3/3AKAB2 w"),
)


def _by_depth(names: list[str], depths: range, *rows: tuple[int, ...]) -> dict[str, dict[int, int]]:
    """A printed table: by the names of its rows the numbers by depth."""
    return {name: dict(zip(depths, row, strict=True)) for name, row in zip(names, rows, strict=True)}


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
STRATEGY_LEAVES = _by_depth(  # table 4.1: evaluated leaves a move, by depth
    list(STRATEGIES)[1:],
    range(4, 8),
    (102_313, 2_048_359, 21_434_885, 304_364_607),
    (68_241, 793_431, 10_296_365, 135_284_546),
    (59_464, 635_140, 12_745_914, 162_421_713),
    (70_138, 914_362, 7_645_367, 99_757_534),
    (8_746, 189_345, 654_218, 2_261_055),
    (6_072, 59_448, 407_382, 1_927_425),
    (4_573, 35_875, 112_216, 480_674),
    (6_134, 56_234, 315_826, 1_496_497),
    (4_286, 30_132, 91_965, 432_518),
)
STRATEGY_MS = _by_depth(  # table 4.2: milliseconds a move
    list(STRATEGIES)[1:],
    range(4, 8),
    (1276, 25_458, 224_825, 2_844_978),
    (701, 7407, 99_453, 1_174_762),
    (663, 7155, 113_472, 1_467_046),
    (807, 9983, 70_641, 928_546),
    (120, 795, 8341, 42_176),
    (51, 342, 3198, 15_027),
    (39, 167, 604, 2305),
    (53, 318, 2549, 11_939),
    (36, 139, 498, 1894),
)

SPEEDUP_MS: dict[int, dict[int, int]] = {  # table 4.3: milliseconds a move, by threads and depth
    1: {4: 36, 5: 139, 6: 498, 7: 1894, 8: 8515, 9: 35_939},
    2: {4: 31, 5: 98, 6: 354, 7: 1183, 8: 5003, 9: 20_627},
    4: {4: 34, 5: 81, 6: 295, 7: 868, 8: 3028, 9: 12_965},
}
SPEEDUP_PRINTED: dict[
    int, dict[int, tuple[float, float]]
] = {  # speed-up and efficiency, as table 4.3 prints them
    2: {
        4: (1.161, 0.581),
        5: (1.418, 0.709),
        6: (1.407, 0.703),
        7: (1.601, 0.801),
        8: (1.702, 0.851),
        9: (1.715, 0.849),  # its times give 1.742 and 0.871
    },
    4: {
        4: (1.059, 0.265),
        5: (1.716, 0.429),
        6: (1.688, 0.422),
        7: (2.182, 0.546),
        8: (2.812, 0.703),
        9: (2.772, 0.693),
    },
}
SPEEDUP_LEAVES: dict[int, dict[int, int]] = {  # table 4.4
    1: {4: 4286, 5: 30_132, 6: 91_965, 7: 432_518, 8: 2_143_914, 9: 11_382_073},
    2: {4: 5964, 5: 33_794, 6: 117_858, 7: 559_485, 8: 2_695_802, 9: 13_053_639},
    4: {4: 6568, 5: 38_125, 6: 140_282, 7: 792_504, 8: 3_310_346, 9: 16_134_627},
}
SPEEDUP_HITS: dict[int, dict[int, int]] = {
    1: {4: 756, 5: 4186, 6: 8047, 7: 59_027, 8: 195_324, 9: 1_041_057},
    2: {4: 771, 5: 5861, 6: 9863, 7: 68_481, 8: 245_813, 9: 1_296_356},
    4: {4: 851, 5: 7088, 6: 11_973, 7: 82_706, 8: 282_374, 9: 1_379_035},
}

#: The change in per cent as tables 2-5 and 2-6 print it; some digits are cut off, -33 and -35 do not fit.
ORDERING_PRINTED = {
    "by piece": (0, -33, -47, -65, -75, -83, -88, -90, -91),
    "ordered, killers first": (0, -10, -18, -23, -25, -28, -30, -33, -35),
}
ORDERED, KILLERS_FIRST = "ordered", "ordered, killers first"
ORDERINGS: dict[str, dict[str, Any]] = {  # what tables 2-5 and 2-6 of the engine thesis compare
    "by piece": {**UNORDERED, "null_move": False},
    KILLERS_FIRST: {"killers": "before", "null_move": False},
    ORDERED: {"null_move": False},
}
ORDERING_NODES = _by_depth(  # visited nodes; 24260 at depth 6 of table 2-6 is a misprint
    list(ORDERINGS),
    range(1, 10),
    (40, 670, 5198, 31_408, 263_397, 1_422_290, 11_400_735, 20_110_101, 26_099_184),
    (40, 502, 3400, 14_115, 87_275, 332_417, 1_798_713, 2_534_636, 2_901_231),
    (40, 450, 2766, 10_882, 65_516, 240_260, 1_257_174, 1_976_541, 2_243_123),
)

TABLES: dict[str, dict[str, Any]] = {  # what Li's article compares, in words only
    "alpha-beta": STRATEGIES[ALPHA_BETA],
    "alpha-beta+table": STRATEGIES["alpha-beta+table"],
    "alpha-beta+table without leaves": {**STRATEGIES["alpha-beta+table"], "leaf_entries": False},
}

GAMES_POINTS = {
    4: (3, 0),
    5: (2, 1),
    6: (1, 2),
    7: (0, 3),
}  # table 4-3 of the engine thesis, by ElephantEye's depth

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


# Table 3-1 of the engine thesis: depth within 20 s, move returned, move expected, difference.
MIDDLEGAME_MOVES = {
    "78": (9, "c0e2", "f5b5", 0),
    "79": (8, "f5f8", "f5b5", 0),
    "80": (7, "i3i4", "c1b1", -1),
    "81": (8, "c3g3", "c5d5", -8),
    "82": (9, "e4e5", "e4e5", 0),
    "83": (9, "e2e6", "e2e6", 0),
    "84": (8, "f0g0", "b9b5", -4),
    "86": (9, "f4e6", "f4e6", 0),
    "87": (13, "d5e7", "a6d6", -21),
    "88": (7, "a2b2", "h6h9", -19),
}

# Tables 4-1 and 4-2 of the engine thesis, red to win: positions of xqwlight's FUNNY.EPD, as in puzzles.jsonl.
ENDINGS = (  # number, name, position, how it ended for red, after how many plies
    (1, "月上柳梢", "9/2Cca4/3k1C3/4P1p2/4N1b2/4R1r2/4c1n2/3p1n3/2rNK4/9 w", "win", 9),
    (6, "八功德水", "9/9/3k1N3/9/1C5N1/9/1n5r1/9/3p1K3/9 w", "win", 15),
    (10, "御驾亲征", "1nb1ka3/4a4/4c4/2p1C4/9/3Rcr3/P8/n3C4/4Apr2/4KA3 w", "win", 7),
    (12, "弈海双星", "1PP1kab2/1R2a4/4b3R/4C4/1C7/r8/9/2n6/3p1r3/4K4 w", "win", 35),
    (24, "雀起柳荫", "9/5k3/3R5/9/2N6/9/6N2/9/1pp1p1c2/CrBK5 w", "win", 25),
    (29, "渴骥饮泉", "2ba1kbRC/2N1a4/9/4p4/4c1p2/9/9/1p2B1r2/4r1n2/3K2B2 w", "loss", 6),
    (31, "拈花惹草", "2b2a2c/4a1P2/3kb4/2PN5/2nR5/9/4n4/9/4p4/5K1p1 w", "win", 17),
    (45, "釜底抽薪", "2ba1k3/3Ra4/2N1b4/2R6/2C6/5r3/9/4rA3/5K3/9 w", "win", 11),
    (47, "捉襟见肘", "4k4/3Pa1P2/5P3/9/6b2/9/6n2/9/2C1p4/5K3 w", "loss", 12),
    (55, "浑水摸鱼", "6b2/2Nkn2P1/2Pab2r1/2R6/2Cn3c1/9/9/3p5/4r4/3K1p3 w", "win", 15),
    (67, "兵相斗士", "4k4/4a4/4P4/9/9/9/9/4B4/9/4K4 w", "win", 19),
    (80, "亦步亦趋", "1P7/4c4/5k3/6P2/3P5/1N7/6n2/4C4/2p1p4/3K5 w", "win", 29),
    (83, "蜀道伏兵", "4k4/1N1Pr1P2/5C3/5n3/9/9/9/9/3p3p1/1Cp2K3 w", "loss", 14),
    (100, "捕风捉影", "3ak4/4a4/9/9/4R4/9/9/3AKA3/4C4/4r4 w", "draw", 59),
    (139, "花心轻折", "3aka3/5P3/2n3n2/C3N4/1N1R5/9/9/9/3p1r3/4KArc1 w", "win", 13),
    (167, "风云幻变", "3ak1b2/4a4/4b4/1r7/4R3R/9/9/4B4/4A4/4K4 w", "draw", 38),
    (181, "近在咫尺", "5a3/9/3ak4/9/4P4/6B1R/9/4B4/3pr2p1/5K3 w", "win", 25),
    (210, "尽忠报国", "C4r3/3ka4/3acr3/1N1P4C/N2P5/3n5/9/3p5/4p4/3K5 w", "win", 19),
    (231, "移花接木", "2Paka1P1/7PC/n3b4/9/3N2b2/9/c1n6/3r5/1cpC4r/2BK3R1 w", "win", 21),
    (240, "石破天惊", "3ak1b1r/4a2Pn/4b4/4C4/9/9/cR7/n8/4A1p2/3AKC3 w", "win", 15),
)
