"""A training in words and as a picture."""

from __future__ import annotations

import json

from ..._core import Network
from ..._internal.figures import figure, save
from ...pieces import PIECE_NAMES
from .checks import CheckResult
from .training import TrainingRun


def report(run: TrainingRun, network: Network, findings: CheckResult) -> str:
    """The training, its curve and what the checks found, as lines of text."""
    settings = run.settings
    lines = [
        f"network {network.digest[:16]}, {settings.hidden} hidden neurons, {len(network.file):,} bytes",
        f"{run.samples[0]:,} positions fitted to, {run.samples[1]:,} of other games held out",
        f"{settings.passes:g} epochs, batch size {settings.batch}, learning rate {settings.rate:g}, "
        f"lambda {settings.mix:g} (wdl {1 - settings.mix:g}), weight decay {settings.decay:g}, "
        f"scale {settings.unit_cp:g}, seed {settings.seed}",
        "",
        "held out                 loss  by results",
        f"  classical         {run.classical.loss:9.5f}{run.classical.result_loss:12.5f}",
    ]
    for point in run.curve:
        mark = "  taken" if point is run.best else ""
        lines.append(
            f"  step {point.step:<12,} {point.loss:9.5f}{point.result_loss:12.5f}{mark}".replace(",", " ")
        )
    if run.best.loss > run.classical.loss:
        lines.append("warning: the network fits the held-out games worse than the classical evaluation does")
    making = json.loads(network.text)
    if sources := making.get("sources"):
        lines.append(f"made from games of others: {', '.join(sources)}")
        lines.append(f"licence: {making.get('license', 'none; --license gives one')}")
    return "\n".join([*lines, "", *found_lines(findings)]) + "\n"


def found_lines(findings: CheckResult) -> list[str]:
    """What the checks found, as lines of text."""
    worths = ", ".join(f"{PIECE_NAMES[kind]} {worth:.0f}" for kind, worth in sorted(findings.worths.items()))
    return [
        f"on {findings.positions} positions: root mean square {findings.rms:.0f} centipawns, classical "
        f"{findings.classical_rms:.0f} (ratio {findings.rms / max(findings.classical_rms, 1e-9):.2f})",
        f"mean worth: {worths}",
        f"checks: {findings.fault or 'passed'}",
    ]


def plot(run: TrainingRun, findings: CheckResult, path: str) -> None:
    """The losses by steps and the mean worth of pieces, as a picture; needs matplotlib."""
    drawn = figure(15, 4.5)
    left, middle, right = drawn.subplots(1, 3)
    steps = [point.step for point in run.curve]
    for axes, title, values, classical in (
        (left, "Loss on held-out games", [p.loss for p in run.curve], run.classical.loss),
        (middle, "Loss by results", [p.result_loss for p in run.curve], run.classical.result_loss),
    ):
        axes.plot(steps, values, "o-", label="network")
        axes.axhline(classical, color="grey", linestyle="--", label="classical")
        axes.axvline(run.best.step, color="grey", linewidth=0.8)
        axes.set(xlabel="steps", title=title)
        axes.legend()
    kinds = sorted(findings.worths)
    right.bar([PIECE_NAMES[kind] for kind in kinds], [findings.worths[kind] for kind in kinds])
    right.set(ylabel="centipawns", title="Mean worth of a piece on the board")
    save(drawn, path)
