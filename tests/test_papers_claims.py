"""What the reports compute and claim, from made-up searches whose answers are known."""

import pytest

from eleengine.papers import experiments, published, report

ZEROS = dict.fromkeys(
    (
        "repeat", "score", "leaves", "last", "nodes", "probes", "hits", "cuts", "first_cuts", "seconds",
        "cpu_seconds", "idle",
    ),
    0,
)  # fmt: skip
OPENING = published.OPENINGS[0][0]


def run(config, depth, *, threads=1, position=OPENING, **values):
    made = {"seconds": 1.0, "cpu_seconds": 1.0, "leaves": 100, "last": 100, "cuts": 10, "probes": 100}
    return experiments.Iteration(
        config=config, depth=depth, threads=threads, position=position, move="h2e2", **ZEROS | made | values
    )


def lines(experiment, runs):
    return list(report.REPORTS[experiment](experiments.ExperimentSummary(runs)))


def cells(found, start):
    [line] = [line for line in found if line.startswith(start + " ")]
    return line[len(start) :].split()


def test_speed_up_and_efficiency():
    """Two positions: 3 seconds become 2, so 1.5 times as fast, by each of two threads three quarters."""
    runs = []
    for position, one, two in ((OPENING, 1.0, 1.0), (published.OPENINGS[1][0], 2.0, 1.0)):
        runs += [run("1 thread", 6, position=position, seconds=one, leaves=10, hits=20)]
        runs += [run("2 threads", 6, threads=2, position=position, seconds=two, leaves=30, hits=50)]
    found = lines("speedup", runs)
    row = cells([line for line in found if line.startswith("6  ")], "6")
    assert row[:3] == ["1,500", "1,000", "1.500"] and "0.750" in row
    assert cells(found, "6, 2 threads")[0] == "30" and "50" in cells(found, "6, 2 threads")


def test_simulated_speed_up_and_efficiency():
    found = lines(
        "splits",
        [
            run("PVS, 1", 5, seconds=4.0, leaves=100),
            run("PV-split, 8", 5, threads=8, seconds=1.0, leaves=120, idle=2.0),
        ],
    )
    assert cells(found, "PV-split, 8") == ["120", "1.20", "1,000", "4.00", "0.50", "25.0%"]


def test_the_null_move_saves_its_share():
    found = lines(
        "strategies",
        [run(published.HYBRID_NO_NULL, 7, leaves=200), run(published.HYBRID, 7, leaves=50)],
    )
    assert found[-1].startswith("depth 7: the null move saves 75% of the leaves")


def table_runs(hits=(10, 20, 30, 40, 50), helped=(100, 100, 90, 90, 90), times=(1, 1, 2, 1, 0.5)):
    runs = []
    for depth in range(1, 6):
        runs += [run("alpha-beta", depth)]
        runs += [
            run(
                "alpha-beta+table",
                depth,
                leaves=helped[depth - 1],
                hits=hits[depth - 1],
                cpu_seconds=times[depth - 1],
            )
        ]
    return runs


@pytest.mark.parametrize(
    ("claim", "changed"),
    [
        ("fewer leaves from depth 3 on", {"helped": (100, 100, 90, 100, 90)}),
        ("at depth 3 the table still costs more time than it saves", {"times": (1, 1, 0.9, 1, 0.5)}),
        ("the share of hits grows with the depth", {"hits": (10, 20, 30, 29, 50)}),
        ("at depth 5 at least twice as fast", {"times": (1, 1, 2, 1, 0.6)}),
    ],
)
def test_claims_about_a_table_are_judged(claim, changed):
    assert [line for line in lines("table", table_runs()) if line.startswith(f"holds: {claim}")]
    assert [
        line for line in lines("table", table_runs(**changed)) if line.startswith(f"does not hold: {claim}")
    ]


def test_pvs_passes_mtdf_where_the_thesis_says():
    """By its printed table: alone and with each addition it has fewer leaves than MTD(f) from depth 6 on."""
    fewer = {
        depth: [
            published.STRATEGY_LEAVES[f"PVS{more}"][depth] < published.STRATEGY_LEAVES[f"MTD(f){more}"][depth]
            for more in ("", "+table+order", "+table+order+null")
        ]
        for depth in range(4, 8)
    }
    assert fewer == {4: [False, False, True], 5: [False, True, True], 6: [True] * 3, 7: [True] * 3}
