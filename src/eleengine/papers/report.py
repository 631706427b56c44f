"""The experiments' tables as text, ours beside the published ones, and their plots."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .._internal.figures import figure, save
from .._internal.live import width
from . import published
from .experiments import ExperimentSummary, openings
from .language import LANGUAGE, tr


def number(value: float | None) -> str:
    """A count or milliseconds.

    >>> number(1234567.2), number(3.14159), number(None)
    ('1,234,567', '3.1', '')
    """
    if value is None:
        return ""
    return f"{value:,.1f}" if abs(value) < 10 and value != int(value) else f"{value:,.0f}"


def ratio(ours: float, theirs: float | None) -> str:
    """Ours over theirs; small ones with two digits that count.

    >>> ratio(1, 2), ratio(1, 704), ratio(3, None), ratio(1, 0)
    ('0.50', '0.0014', '', '')
    """
    if not theirs:
        return ""
    value = ours / theirs
    return f"{value:.2f}" if value >= 0.1 or value == 0 else f"{value:.{1 - math.floor(math.log10(value))}f}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of a table, the first column flush left, the others flush right; names are translated."""
    lines = [[tr(cell) for cell in header], *([tr(row[0]), *row[1:]] for row in rows)]
    widths = [max(width(line[i]) for line in lines) for i in range(len(header))]
    for line in lines:
        blanks = [" " * (column_width - width(cell)) for cell, column_width in zip(line, widths, strict=True)]
        cells = [blank + cell for blank, cell in zip(blanks, line, strict=True)]
        cells[0] = line[0] + blanks[0]
        yield "  ".join(cells).rstrip()


def strategies(summary: ExperimentSummary) -> Iterator[str]:
    """Tables 4.1 and 4.2 of Zou 2012."""
    deepest = summary.depths[-1]
    for depth in [depth for depth in summary.depths if depth >= min(4, deepest)]:
        rows = []
        for name in published.STRATEGIES:
            if not summary.has(name, depth):
                continue
            leaves, ms = summary.mean(name, depth, "leaves"), 1000 * summary.mean(name, depth, "cpu_seconds")
            known, known_ms = (
                known.get(name, {}).get(depth) for known in (published.STRATEGY_LEAVES, published.STRATEGY_MS)
            )
            row = [name, number(leaves), number(known), ratio(leaves, known)]
            if summary.has(published.ALPHA_BETA, depth):
                row += [ratio(leaves, summary.mean(published.ALPHA_BETA, depth, "leaves"))]
                row += [ratio(known, published.STRATEGY_LEAVES[published.ALPHA_BETA][depth]) if known else ""]
            else:
                row += ["", ""]
            row += [number(ms), number(known_ms), ratio(ms, known_ms), number(leaves / ms)]
            row += [number(summary.mean(name, depth, "last")), first_cut_share(summary, name, depth)]
            rows.append([*row, ratio(leaves, minimal_leaves(summary.positions(depth), depth))])
        yield tr("depth {depth}, mean of {n} openings").format(depth=depth, n=len(summary.positions(depth)))
        header = ["algorithm", "leaves", "published", "ratio", "of a-b", "published"]
        header += ["CPU ms", "published", "ratio", "leaves/ms", "last iteration", "first cuts", "of minimal"]
        yield from table(header, rows)
        minimal = number(minimal_leaves(summary.positions(depth), depth))
        yield tr("minimal tree by formula 2.1: {leaves} leaves").format(leaves=minimal)
        yield ""
    if summary.has(published.HYBRID, deepest) and summary.has(published.ALPHA_BETA, deepest):
        whole, last = (
            summary.mean(published.ALPHA_BETA, deepest, count)
            / summary.mean(published.HYBRID, deepest, count)
            for count in ("leaves", "last")
        )
        yield tr(
            "depth {depth}: {name}: 1/{whole:.0f} of alpha-beta's leaves, "
            "1/{last:.0f} in the last iteration (the published counts: 1/704 at 7)"
        ).format(depth=deepest, name=tr(published.HYBRID), whole=whole, last=last)
    if summary.has(published.HYBRID, deepest) and summary.has(published.HYBRID_NO_NULL, deepest):
        saved = 1 - summary.mean(published.HYBRID, deepest, "leaves") / summary.mean(
            published.HYBRID_NO_NULL, deepest, "leaves"
        )
        yield tr(
            "depth {depth}: the null move saves {saved:.0%} of the leaves "
            "(published: nearly 70% at 7, by its counts 71%)"
        ).format(depth=deepest, saved=saved)


def minimal_leaves(positions: Sequence[str], depth: int) -> float:
    """Formula 2.1 of Zou 2012 for the mean number of moves in some openings.

    >>> round(minimal_leaves(list(openings()), 7), -4)
    2450000.0
    """
    boards = openings()
    moves = statistics.fmean(boards[name].legal_moves.count() for name in positions)
    return float(moves ** (depth // 2) + moves ** (depth - depth // 2) - 1)


def first_cut_share(summary: ExperimentSummary, name: str, depth: int) -> str:
    """Of the nodes that were cut off, those by their first move; "" if there was none."""
    cuts = sum(summary.values(name, depth, "cuts"))
    return f"{sum(summary.values(name, depth, 'first_cuts')) / cuts:.0%}" if cuts else ""


def threads_of(name: str) -> int:
    """Of a configuration of speedup, such as '2 threads'."""
    return int(name.split()[0])


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Bootstrap interval (95 %) of the geometric mean of positive values.

    >>> low, high = interval([1.5, 1.7, 1.6, 1.8])
    >>> 1.5 <= low < 1.65 < high <= 1.8
    True
    """
    rng = random.Random(1)
    means = sorted(statistics.geometric_mean(rng.choices(values, k=len(values))) for _ in range(2000))
    return means[50], means[1949]


def speedup(summary: ExperimentSummary) -> Iterator[str]:
    """Tables 4.3 and 4.4 of Zou 2012."""
    serial = summary.configs[0]
    simulated = serial.endswith(published.SIMULATED)
    for name in summary.configs[1:]:
        threads = threads_of(name)
        rows = []
        for depth in summary.depths_of(serial, name):
            one, many = (summary.values(config, depth, "seconds") for config in (serial, name))
            gain = sum(one) / sum(many)
            singles = [a / b for a, b in zip(one, many, strict=True)]
            low, high = interval(singles)
            known_gain, known_efficiency = published.SPEEDUP_PRINTED.get(threads, {}).get(depth, (None, None))
            rate = sum(summary.values(name, depth, "leaves")) / sum(many)
            rate_one = sum(summary.values(serial, depth, "leaves")) / sum(one)
            idle = sum(summary.values(name, depth, "idle")) / (threads * sum(many))
            row = [str(depth), number(1000 * statistics.fmean(one)), number(1000 * statistics.fmean(many))]
            row += [f"{gain:.3f}", f"{known_gain:.3f}" if known_gain else "", ratio(gain, known_gain)]
            row += [f"{gain / threads:.3f}", f"{known_efficiency:.3f}" if known_efficiency else ""]
            row += [f"{statistics.geometric_mean(singles):.2f} ({low:.2f}-{high:.2f})"]
            row += [f"{rate / rate_one:.2f}", f"{idle:.1%}"]
            rows.append(row)
        n = len(summary.positions(summary.depths[0]))
        title = "{threads} threads against one; mean of {n} openings"
        if simulated:
            title = (
                "{threads} simulated processors against one, a visited node a microsecond; "
                "mean of {n} openings"
            )
        yield tr(title).format(threads=threads, n=n)
        header = ["depth", "ms, 1 thread", "ms", "speed-up", "published", "ratio", "efficiency", "published"]
        yield from table([*header, "geometric mean", "rate gain", "idle"], rows)
        yield from other_moves(summary, serial, name)
        yield ""
    rows = []
    for depth in summary.depths:
        for name in summary.configs:
            if summary.has(name, depth):
                leaves, hits = summary.mean(name, depth, "leaves"), summary.mean(name, depth, "hits")
                threads = threads_of(name)
                known = published.SPEEDUP_LEAVES.get(threads, {}).get(depth)
                known_hits = published.SPEEDUP_HITS.get(threads, {}).get(depth)
                row = [f"{depth}, {tr(name)}", number(leaves), number(known), ratio(leaves, known)]
                row += [ratio(leaves, summary.mean(serial, depth, "leaves"))]
                row += [ratio(known, published.SPEEDUP_LEAVES[1][depth]) if known else ""]
                rows.append([*row, number(hits), number(known_hits), ratio(hits, known_hits)])
    header = ["depth, threads", "leaves", "published", "ratio", "of 1 thread", "published"]
    yield from table([*header, "table hits", "published", "ratio"], rows)
    yield ""
    if not simulated:  # whose times are no milliseconds
        yield from equal_times(summary)


def other_moves(summary: ExperimentSummary, serial: str, name: str) -> Iterator[str]:
    """Where several threads play another move than one (Zou 2012, 4.3.3: rarely, of the same value)."""
    found = []
    others = "another move in {moves} of {n}, {values} of them with another value"
    for depth in summary.depths_of(serial, name):
        pairs = summary.pairs(serial, name, depth)
        moves = sum(one.move != other.move for one, other in pairs)
        values = sum(one.move != other.move and one.score != other.score for one, other in pairs)
        found.append((len(pairs), moves, values))
        if moves:
            told = tr(f"depth {{depth}}: {others}")
            yield told.format(depth=depth, moves=moves, n=len(pairs), values=values)
    searches, moves, values = (sum(column) for column in zip(*found, strict=True))
    told = tr(f"all depths: {others} (published for 4 threads: very few, of the same value)")
    yield told.format(moves=moves, n=searches, values=values)


def equal_times(summary: ExperimentSummary) -> Iterator[str]:
    """Our machine is faster: compare the depths that take one thread equally long."""
    serial = summary.configs[0]
    rows = []
    for known_depth, known_ms in published.SPEEDUP_MS[1].items():
        depth = min(
            summary.depths_of(serial),
            key=lambda depth: abs(math.log(1000 * summary.mean(serial, depth, "seconds") / known_ms)),
        )
        ms = 1000 * summary.mean(serial, depth, "seconds")
        if not 0.5 <= ms / known_ms <= 2:
            continue
        for name in summary.configs[1:]:
            known, _ = published.SPEEDUP_PRINTED.get(threads_of(name), {}).get(known_depth, (None, None))
            if known and summary.has(name, depth):
                gain = ms / (1000 * summary.mean(name, depth, "seconds"))
                row = [f"{depth}, {known_depth}", number(ms), number(known_ms), tr(name)]
                rows.append([*row, f"{gain:.3f}", f"{known:.3f}", ratio(gain, known)])
    if rows:
        yield tr("at about equal serial time")
        yield from table(
            ["depth, theirs", "ms, 1 thread", "published", "threads", "speed-up", "published", "ratio"], rows
        )


#: Rows of a table, which mean nothing without each other.
PARTNERS: dict[str, list[tuple[str, ...]]] = {
    "ordering": [("by piece", published.ORDERED), (published.KILLERS_FIRST, published.ORDERED)],
    "table": [(published.ALPHA_BETA, helped) for helped in list(published.TABLES)[1:]],
}


def ordering(summary: ExperimentSummary) -> Iterator[str]:
    """Tables 2-5 and 2-6 of the engine thesis."""
    for worse, title in (("by piece", "table 2-5"), (published.KILLERS_FIRST, "table 2-6")):
        rows = []
        for depth in summary.depths_of(worse, published.ORDERED):
            before, after = (
                summary.mean(name, depth, "leaves") + summary.mean(name, depth, "nodes")
                for name in (worse, published.ORDERED)
            )
            known, known_after = (
                published.ORDERING_NODES[name].get(depth) for name in (worse, published.ORDERED)
            )
            row = [str(depth), number(before), number(known), ratio(before, known)]
            row += [number(after), number(known_after), ratio(after, known_after)]
            row += [f"{after / before - 1:+.0%}"]
            row += [f"{published.ORDERING_PRINTED[worse][depth - 1]:+d}%" if known else ""]
            rows.append(row)
        n = len(summary.positions(summary.depths[0]))
        yield tr(f"{title}: visited nodes, mean of {{n}} middlegames").format(n=n)
        header = [
            "depth",
            worse,
            "published",
            "ratio",
            published.ORDERED,
            "published",
            "ratio",
            "change",
            "published",
        ]
        yield from table(header, rows)
        yield ""


def tables(summary: ExperimentSummary) -> Iterator[str]:
    """The experiment of Li's article, which gives words only, for a table with leaves and one without."""
    for helped in [name for name in published.TABLES if name != published.ALPHA_BETA]:
        if summary.has(helped, summary.depths[-1]):
            yield from table_claims(summary, published.ALPHA_BETA, helped)


def table_claims(summary: ExperimentSummary, plain: str, helped: str) -> Iterator[str]:
    """The claims of Li's article for one kind of table."""
    rows, saved, hit_rates, time_ratios = [], {}, [], {}
    for depth in summary.depths_of(plain, helped):
        before, after = (summary.mean(name, depth, "leaves") for name in (plain, helped))
        ms, ms_after = (1000 * summary.mean(name, depth, "cpu_seconds") for name in (plain, helped))
        hit_rate = summary.mean(helped, depth, "hits") / max(1, summary.mean(helped, depth, "probes"))
        saved[depth] = before - after
        hit_rates.append(hit_rate)
        time_ratios[depth] = ms / ms_after
        row = [str(depth), number(before), number(after), ratio(after, before), number(ms), number(ms_after)]
        rows.append([*row, ratio(ms_after, ms), f"{hit_rate:.1%}"])
    n = len(summary.positions(summary.depths[0]))
    yield tr("{name}: mean of {n} openings").format(name=tr(helped), n=n)
    header = ["depth", "leaves", "with table", "ratio", "CPU ms", "with table", "ratio", "hits"]
    yield from table(header, rows)
    yield ""

    def judge(claim: str, holds: bool) -> str:
        return f"{tr('holds' if holds else 'does not hold')}{tr(': ')}{claim}"

    if 3 in saved:
        yield judge(tr("fewer leaves from depth 3 on"), all(saved[d] > 0 for d in saved if d >= 3))
        yield judge(tr("at depth 3 the table still costs more time than it saves"), time_ratios[3] < 1)
        yield judge(tr("the share of hits grows with the depth"), hit_rates == sorted(hit_rates))
    if 5 in time_ratios:
        yield judge(
            tr("at depth 5 at least twice as fast ({ratio:.2f})").format(ratio=time_ratios[5]),
            time_ratios[5] >= 2,
        )
    yield ""


def variants(summary: ExperimentSummary) -> Iterator[str]:
    """Tables of different sizes or kinds: leaves, hits and time beside the first one's."""
    first = summary.configs[0]
    for depth in [depth for depth in summary.depths if depth >= summary.depths[-1] - 1]:
        rows: list[list[str]] = []
        before = None
        for name in summary.configs:
            if not (summary.has(name, depth) and summary.has(first, depth)):
                continue
            leaves, ms = summary.mean(name, depth, "leaves"), 1000 * summary.mean(name, depth, "cpu_seconds")
            hits = summary.mean(name, depth, "hits") / max(1, summary.mean(name, depth, "probes"))
            row = [name, number(leaves), ratio(leaves, summary.mean(first, depth, "leaves")), f"{hits:.1%}"]
            row.append("" if before is None else f"{hits / before - 1:+.1%}")
            rows.append([*row, number(ms), ratio(ms, 1000 * summary.mean(first, depth, "cpu_seconds"))])
            before = hits or None
        yield tr("depth {depth}, mean of {n} openings").format(depth=depth, n=len(summary.positions(depth)))
        yield from table(["table", "leaves", "ratio", "hits", "change", "CPU ms", "ratio"], rows)
        yield ""


def splits(summary: ExperimentSummary) -> Iterator[str]:
    """Ways to share the tree on simulated processors, at the deepest depth."""
    depth = summary.depths[-1]
    rows = []
    for name, processors, alone in split_rows(summary, depth):
        leaves, time = summary.mean(name, depth, "leaves"), 1000 * summary.mean(name, depth, "seconds")
        gain = split_gain(summary, name, depth, alone)
        idle = sum(summary.values(name, depth, "idle")) / sum(summary.values(name, depth, "seconds"))
        way = name.rpartition(", ")[0]
        row = [f"{tr(way)}, {processors}", number(leaves)]
        row += [ratio(leaves, summary.mean(alone, depth, "leaves")), number(time), f"{gain:.2f}"]
        rows.append([*row, f"{gain / processors:.2f}", f"{idle / processors:.1%}"])
    n = len(summary.positions(depth))
    yield tr("depth {depth}, mean of {n} openings, simulated processors").format(depth=depth, n=n)
    header = ["way to share the tree, processors", "leaves", "of one", "thousand nodes' time", "speed-up"]
    yield from table([*header, "efficiency", "idle"], rows)


def split_rows(summary: ExperimentSummary, depth: int) -> Iterator[tuple[str, int, str]]:
    """Name and processors of each search of the simulation, and the name of one processor's search."""
    for name in summary.configs:
        way, _, processors = name.rpartition(", ")
        alone = published.split_name(
            published.SERIAL[
                published.SPLITS.get(way, {}).get("algorithm", "mtdf" if "MTD" in way else "pvs")
            ],
            1,
        )
        if summary.has(name, depth) and summary.has(alone, depth):
            yield name, int(processors), alone


def split_gain(summary: ExperimentSummary, name: str, depth: int, alone: str) -> float:
    """How many times as fast as one processor."""
    return summary.mean(alone, depth, "seconds") / summary.mean(name, depth, "seconds")


REPORTS: dict[str, Callable[[ExperimentSummary], Iterator[str]]] = {
    "strategies": strategies,
    "speedup": speedup,
    "ordering": ordering,
    "table": tables,
    "sizes": variants,
    "entries": variants,
    "splits": splits,
}


#: Fonts that have Chinese characters; the first one that is installed is taken.
CHINESE_FONTS = [
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
    "Microsoft YaHei",
    "PingFang SC",
]


# Plots. A panel: title, unit, whether the scale is logarithmic, our value, the published ones by depth.


def use_chinese_fonts() -> None:
    """Have plots written in fonts with Chinese characters, if they are in Chinese; ImportError."""
    from matplotlib import rcParams

    if LANGUAGE.get() == "zh":
        rcParams["font.sans-serif"] = [*CHINESE_FONTS, *rcParams["font.sans-serif"]]


def plot(experiment: str, summary: ExperimentSummary, path: str) -> None:
    """Draw the experiment to a file whose ending says the format; ImportError without matplotlib."""
    use_chinese_fonts()
    if experiment == "splits":
        save(plot_splits(summary), path)
        return
    panels = PANELS[experiment]
    columns = min(len(panels), 3)
    lines = -(-len(panels) // columns)
    drawn = figure(6 * columns, 4.5 * lines)
    axes = list(drawn.subplots(lines, columns, squeeze=False).flat)
    for axis, (title, unit, log, value, known_of) in zip(axes, panels, strict=False):
        for number, name in enumerate(summary.configs):
            depths = summary.depths_of(name)
            axis.plot(
                depths,
                [value(summary, name, depth) for depth in depths],
                "o-",
                color=f"C{number}",
                label=tr(name),
            )
            known = known_of(name) or {}
            axis.plot(list(known), list(known.values()), "x:", color=f"C{number}", alpha=0.6)
        axis.set(title=tr(title), xlabel=tr("depth"), ylabel=tr(unit), yscale="log" if log else "linear")
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.grid(alpha=0.3)
    for axis in axes[len(panels) :]:
        axis.remove()
    axes[0].legend(fontsize="small", title=tr("dotted: published"))
    save(drawn, path)


def plot_splits(summary: ExperimentSummary) -> Any:
    """A figure of the speed-up of each way by the number of simulated processors."""
    depth = summary.depths[-1]
    gains: dict[str, dict[int, float]] = {}
    for name, processors, alone in split_rows(summary, depth):
        way = name.rpartition(", ")[0]
        if way in published.SPLITS:
            gains.setdefault(way, {1: 1.0})[processors] = split_gain(summary, name, depth, alone)
    drawn = figure(8, 6)
    axis = drawn.subplots()
    for way, points in gains.items():
        axis.plot(list(points), list(points.values()), "o-", label=tr(way))
    axis.set(xlabel=tr("processors"), ylabel=tr("speed-up"), title=f"{tr('depth')} {depth}")
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.grid(alpha=0.3)
    axis.legend(fontsize="small")
    return drawn


def _gain(summary: ExperimentSummary, name: str, depth: int) -> float:
    return summary.mean(summary.configs[0], depth, "seconds") / summary.mean(name, depth, "seconds")


def _printed(index: int) -> Callable[[str], dict[int, float]]:
    """Of the printed speed-ups and efficiencies the first or the second ones."""

    def known(name: str) -> dict[int, float]:
        printed = published.SPEEDUP_PRINTED.get(threads_of(name), {})
        return {depth: numbers[index] for depth, numbers in printed.items()}

    return known


def _known_threads(what: dict[int, dict[int, int]]) -> Callable[[str], dict[int, int]]:
    return lambda name: what.get(threads_of(name), {})


def _mean(field: str, factor: float = 1) -> Callable[[ExperimentSummary, str, int], float]:
    return lambda summary, name, depth: factor * summary.mean(name, depth, field)


Panel = tuple[str, str, bool, Callable[[ExperimentSummary, str, int], float], Callable[[str], Any]]
PANELS: dict[str, list[Panel]] = {
    "strategies": [
        ("Table 4.1", "leaves", True, _mean("leaves"), published.STRATEGY_LEAVES.get),
        ("Table 4.2", "CPU ms", True, _mean("cpu_seconds", 1000), published.STRATEGY_MS.get),
    ],
    "speedup": [
        ("Figure 4.5: time", "ms", True, _mean("seconds", 1000), _known_threads(published.SPEEDUP_MS)),
        ("Figure 4.6: speed-up", "times", False, _gain, _printed(0)),
        (
            "Figure 4.7: efficiency",
            "speed-up / threads",
            False,
            lambda summary, name, depth: _gain(summary, name, depth) / threads_of(name),
            _printed(1),
        ),
        (
            "Figure 4.8: evaluated leaves",
            "leaves",
            True,
            _mean("leaves"),
            _known_threads(published.SPEEDUP_LEAVES),
        ),
        ("Figure 4.9: table hits", "hits", True, _mean("hits"), _known_threads(published.SPEEDUP_HITS)),
    ],
    "ordering": [
        (
            "Tables 2-5 and 2-6",
            "visited nodes",
            True,
            lambda summary, name, depth: (
                summary.mean(name, depth, "leaves") + summary.mean(name, depth, "nodes")
            ),
            published.ORDERING_NODES.get,
        )
    ],
    "sizes": [("Hits", "table hits", True, _mean("hits"), lambda name: None)],
    "entries": [("Time", "CPU ms", True, _mean("cpu_seconds", 1000), lambda name: None)],
    "table": [
        ("Leaves", "leaves", True, _mean("leaves"), lambda name: None),
        ("Time", "CPU ms", True, _mean("cpu_seconds", 1000), lambda name: None),
    ],
}
