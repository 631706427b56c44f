"""Write the page of all endgame tables: shares won, longest wins and their lines.

    python tools/table_page.py FOLDER

FOLDER: with the tables of all sets, made by `eleengine tables make --set 1 --set 2 --set 3 --folder FOLDER`.
`docs/conf.py` puts the page of the tables at hand into the site.
"""

import sys

from eleengine import Board
from eleengine.commands.tables import share
from eleengine.tables import SETS, open_tables
from eleengine.tables.sets import GUARDS

TITLES = {
    1: "One attacker against guards · 单子对士象",
    2: "Two attackers against guards · 双子对士象",
    3: "One attacker on each side · 双方各一子",
    4: "One attacker with own guards against guards · 单子带士象对士象",
    5: "Two attackers against one · 双子对单子",
}
HEAD = """# What the endgame tables say · 残局库一览

The [tables](tables.md) that were at hand when this page was made, all positions counted, mirror images
too. Red is the side that the name lists first. Letters: R rook 车, N knight 马, C cannon 炮, P pawn 兵,
A advisor 士, B elephant 象. Repetitions and the limit without a capture are left aside.

表中是[残局库](tables.zh.md)的全部统计，红方为名称中写在前面的一方，“红先胜”指轮到红方走时红方胜的局面所占的比例，最长胜法以着（一方走一次为一着）计。
"""


def matrix(tables, names):
    """Shares won by red to move: a row for each attacking side, a column for the guards of the other."""
    there = set(tables.names())
    rows = {}
    for name in names:
        red, black = name.split("-")
        attackers, guards = black.strip("AB"), black.lstrip("RNCP")
        if name in there:
            rows.setdefault((red, attackers), {})[guards] = tables.file(name).facts["red"]
    yield "| | " + " | ".join(guards or "none" for guards in GUARDS) + " |"
    yield "|---|" + "---:|" * len(GUARDS)
    for (red, attackers), cells in rows.items():
        texts = []
        for guards in GUARDS:
            facts = cells.get(guards)
            texts.append(share(facts["won"], facts["won"] + facts["drawn"] + facts["lost"]) if facts else "")
        yield f"| {red}-{attackers} | " + " | ".join(texts) + " |"


def details(tables, names):
    """A row for each table, and the line of its longest win."""
    there = set(tables.names())
    yield (
        "| Table | Red to move wins 红先胜 | Black to move loses 黑先负 | Black to move wins 黑先胜 "
        "| Longest win, plies 最长 | Position |"
    )
    yield "|---|---:|---:|---:|---:|---|"
    for name in names:
        if name not in there:
            continue
        red, black = (tables.file(name).facts[side] for side in ("red", "black"))
        total = [sum(facts[key] for key in ("won", "drawn", "lost")) for facts in (red, black)]
        yield (
            f"| {name} | {share(red['won'], total[0])} | {share(black['lost'], total[1])} | "
            f"{share(black['won'], total[1])} | {red.get('longest', '')} | "
            f"{'`' + red['fen'] + '`' if 'fen' in red else ''} |"
        )


def lines(tables, names):
    there = set(tables.names())
    for name in names:
        if name in there and "fen" in (facts := tables.file(name).facts["red"]):
            moves = " ".join(map(str, tables.line(Board(facts["fen"]))))
            yield f"{name}: {moves}"


def page(tables):
    """The lines of the page, of the tables that are there."""
    yield HEAD
    there = set(tables.names())
    for number, names in SETS.items():
        if not there.intersection(names):
            continue
        yield f"## {TITLES[number]}\n"
        if number < 3:
            yield "Shares of the positions with red to move that red wins, by Black's guards:\n"
            yield from (*matrix(tables, names), "")
        yield from (*details(tables, names), "")
    yield "## The lines of the longest wins · 最长胜法\n\n```text"
    for names in SETS.values():
        yield from lines(tables, names)
    yield "```"


if __name__ == "__main__":
    for text in page(open_tables(sys.argv[1])):
        print(text, flush=True)
