"""The papers' pages: published numbers are those of `published`, and the Chinese page has no others."""

import re

import pytest
from support import CHECKOUT

from eleengine.papers import published
from eleengine.papers.report import number

NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?(?!\d| 万)")
PAGE, CHINESE = (
    "\n".join(
        (CHECKOUT / "docs" / f"{name}{end}").read_text(encoding="utf-8")
        for name in ("papers", "papers-results", "papers-threads")
    )
    for end in (".md", ".zh.md")
)


def table(title):
    """The rows of a table of the page, as lists of cells, the first without its blanks."""
    return table_in(PAGE[PAGE.index(title) :])


def table_in(text):
    """Those of the table that a text begins with."""
    text = text.split("\n\n")[0].split("\n```")[0]
    return [re.split(r" {2,}", line.strip()) for line in text.splitlines()[2:]]


@pytest.mark.parametrize("depth", [4, 7])
def test_tables_4_1_and_4_2(depth):
    rows = table(f"\ndepth {depth}, mean of 10 openings\nalgorithm".replace("\n", "", 1))
    assert [row[0] for row in rows] == list(published.STRATEGY_LEAVES)
    plain = published.STRATEGY_LEAVES["alpha-beta"][depth]
    for name, leaves, known, _, _, share, ms, known_ms, *_ in rows:
        assert known == number(published.STRATEGY_LEAVES[name][depth])
        assert float(share) == pytest.approx(published.STRATEGY_LEAVES[name][depth] / plain, rel=0.06)
        assert known_ms == number(published.STRATEGY_MS[name][depth])
        assert float(leaves.replace(",", "")) > 1000 < 1e6 * float(ms.replace(",", ""))


def test_table_4_3():
    rows = {int(row[0]): row for row in table("2 threads against one; mean of 10 openings")}
    for depth, (gain, efficiency) in published.SPEEDUP_PRINTED[2].items():
        assert (rows[depth][4], rows[depth][7]) == (f"{gain:.3f}", f"{efficiency:.3f}")


def test_table_4_3_of_simulated_threads():
    """Next to published times of real ones; depths below 4 are not shown."""
    line = re.search(r"\*\*Two threads\*\* reach (.*) at depths 4 to 9 \(published (.*)\)", PAGE)
    ours, known = (re.findall(r"\d\.\d\d", numbers) for numbers in line.groups())
    assert known == [f"{gain:.2f}" for gain, _ in published.SPEEDUP_PRINTED[2].values()]
    assert len(ours) == len(known)
    rows = table("4 simulated processors against one")
    shown = {int(row[0]): row for row in rows if row[0].isdecimal()}
    assert shown.keys() >= {4, 5, 6, 7, 8}
    for depth, row in shown.items():
        gain, efficiency = published.SPEEDUP_PRINTED[4][depth]
        assert (row[4], row[7]) == (f"{gain:.3f}", f"{efficiency:.3f}")
        assert float(row[3]) == pytest.approx(
            float(row[1].replace(",", "")) / float(row[2].replace(",", "")), rel=0.07
        )


def test_table_4_4():
    rows = table("depth, threads  ")
    assert {row[0].partition(", ")[2] for row in rows} == set(
        published.thread_searches([2, 4], virtual_time=True)
    )
    for row in rows:
        match = re.match(r"(\d+), (\d) thread", row[0])
        depth, threads = map(int, match.groups())
        if depth in published.SPEEDUP_LEAVES[threads]:
            assert row[2] == number(published.SPEEDUP_LEAVES[threads][depth])
            assert row[-2] == number(published.SPEEDUP_HITS[threads][depth])


@pytest.mark.parametrize(("title", "worse"), [("2-5", "by piece"), ("2-6", published.KILLERS_FIRST)])
def test_tables_2_5_and_2_6(title, worse):
    """Of both theses' programs."""
    both = PAGE.split(f"table {title}: visited nodes")[1:]
    assert len(both) == 2
    for part in both:
        rows = table_in(f"table {title}: visited nodes{part}")
        for row in rows:
            depth = int(row[0])
            before, after = (published.ORDERING_NODES[name][depth] for name in (worse, published.ORDERED))
            assert (row[2], row[5]) == (number(before), number(after))
            assert row[-1] == f"{published.ORDERING_PRINTED[worse][depth - 1]:+d}%"
    assert len(rows) == 9


def test_the_pages_have_the_same_numbers_and_commands():
    english, chinese = (set(NUMBER.findall(page)) for page in (PAGE, CHINESE))
    assert chinese - english == set()
    assert len(chinese) > 300
    commands = [set(re.findall(r"eleengine papers \w+", page)) for page in (PAGE, CHINESE)]
    assert commands[0] == commands[1]
