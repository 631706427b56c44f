"""Weights of the evaluation fitted to games, by logistic regression on traces of the evaluation.

A position's evaluation e (centipawns for Red) should predict who wins: sigmoid(scale * e) is compared with a
target between the game's result and what the search said, by cross-entropy. The evaluation is linear in
its weights, so that the loss is convex, and L-BFGS finds its minimum. What is called Texel tuning
(P. Österlund, 2014) is this with one weight at a time. Where there is little data a weight stays near the
one it has: `prior` is how far weights are expected to move.

Needs the extra `lab` (numpy, scipy; matplotlib for the plots).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ..._core import NO_SCORE, Context, Traces
from ..._internal.figures import figure, save
from ..._internal.message import naming
from ...pieces import PIECE_NAMES
from ...weights import LIMIT, NUMBERS, Weights, index_name
from ..data.gamefile import PackedGame

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

__all__ = [
    "Fit", "FitSettings", "GameSets", "columns", "divide", "fit", "fit_scale", "piece_values", "plot",
    "report", "targets",
]  # fmt: skip

HELD_OUT = 10  # one game of this number


class GameSets(NamedTuple):
    """Positions to fit to, and positions of other games to see whether that helps."""

    train: Traces
    held_out: Traces


@dataclass(frozen=True)
class FitSettings:
    """How to fit. ValueError for a value out of range."""

    mix: float = 0.7  #: share of the search's score in the target, 0 to 1; the rest is the result
    prior: float = 20.0  #: centipawns that a weight is expected to change: standard deviation, above 0
    iterations: int = 300  #: at most
    patience: int = 20  #: iterations without a better loss on held-out games before it ends

    def __post_init__(self) -> None:
        if not 0 <= self.mix <= 1:
            raise ValueError(f"mix must be 0..1, not {self.mix}")
        if not 0 < self.prior <= 1e6:
            raise ValueError(f"prior must be above 0 and at most 1000000, not {self.prior}")
        if self.iterations < 1 or self.patience < 1:
            raise ValueError("iterations and patience must be at least 1")


@dataclass
class Fit:
    """What came out."""

    before: Weights
    after: Weights
    scale: float  #: of the sigmoid, per centipawn
    settings: FitSettings
    positions: tuple[int, int]  #: fitted to, held out
    curve: list[tuple[float, float]] = field(default_factory=list)  #: mean loss of both, by iteration from 0
    best: int = 0  #: the iteration that was taken
    rounded: tuple[float, float] = (0.0, 0.0)  #: mean loss of both with whole numbers


def divide(
    games: Iterable[PackedGame],
    *,
    first_ply: int = 0,
    context: Context | None = None,
    show: Callable[[int, int], None] = lambda games, n: None,
) -> GameSets:
    """The quiet positions of games; whole games are held out, chosen by their moves alone.

    first_ply: leave out the plies before. context: whose weights evaluate.
    show: called with games and positions now and then. ValueError for an illegal move.
    """
    sets = GameSets(Traces(), Traces())
    for number, game in enumerate(games):
        part = sets.held_out if game.is_held_out(HELD_OUT) else sets.train
        with naming(f"game {number}"):
            part.add(*game.in_bytes(), number, first_ply=first_ply, context=context)
        if number % 64 == 0:
            show(number, len(sets.train) + len(sets.held_out))
    return sets


def columns(
    traces: Traces,
) -> tuple[NDArray[np.uint32], NDArray[np.int16], NDArray[np.int16], NDArray[np.uint8]]:
    """Games, scores, evaluations and results of the positions, as arrays."""
    import numpy as np

    n = len(traces)
    found = np.empty(n, np.uint32), np.empty(n, np.int16), np.empty(n, np.int16), np.empty(n, np.uint8)
    traces.columns(*found)
    return found


def fit_scale(evals: NDArray[np.int16], results: NDArray[np.uint8]) -> float:
    """The scale with which sigmoid(scale * evaluation) predicts the results best.

    ValueError if the evaluations do not predict the results.
    """
    import numpy as np
    from scipy.optimize import minimize_scalar

    values, targets = evals.astype(float), results / 2

    def loss(logarithm: float) -> float:
        z = np.exp(logarithm) * values
        return float(np.mean(np.logaddexp(0, z) - targets * z))

    found = minimize_scalar(loss, bounds=(np.log(1e-5), np.log(1.0)), method="bounded")
    if not found.fun < np.log(2) - 1e-6:
        raise ValueError("the evaluation tells nothing of the results of these games")
    return float(np.exp(found.x))


def targets(scores: NDArray[np.int16], results: NDArray[np.uint8], scale: float, mix: float) -> Numbers:
    """What the sigmoid should give: mix * sigmoid(score) + (1 - mix) * result; the result without a score."""
    import numpy as np

    share = np.where(scores == NO_SCORE, 0.0, mix)
    targets: Numbers = share / (1 + np.exp(-scale * scores.astype(float))) + (1 - share) * results / 2
    return targets


def fit(
    sets: GameSets,
    settings: FitSettings,
    *,
    start: Weights | None = None,
    show: Callable[[int, float, float], None] = lambda iteration, train, held_out: None,
) -> Fit:
    """Fit all weights to the positions, which were added with the weights in use now.

    start: where to begin and what the prior pulls to (default: the shipped weights). show: called with each
    iteration and the mean losses. The iteration with the least loss on held-out games is taken.
    ValueError if a part is empty or the evaluation does not predict the results.
    """
    import numpy as np
    from scipy.optimize import minimize

    if not len(sets.train) or not len(sets.held_out):
        raise ValueError("too few games: there are no quiet positions to fit to or to hold out")
    start = start or Weights.shipped()
    begin = np.array(start.numbers(), float)
    _, scores, evals, results = columns(sets.train)
    scale = fit_scale(evals, results)
    wanted = targets(scores, results, scale, settings.mix)
    _, scores, evals, results = columns(sets.held_out)
    wanted_held_out = targets(scores, results, scale, settings.mix)
    n, n_held_out = len(sets.train), len(sets.held_out)
    gradient = np.empty(2 * NUMBERS)

    def objective(change: Numbers) -> tuple[float, Numbers]:
        """Of weights that are begin + prior * change: steps of L-BFGS are alike in all directions then."""
        loss = sets.train.loss(begin + settings.prior * change, wanted, scale, gradient)
        return ((loss + 0.5 * float(change @ change)) / n, (settings.prior * gradient + change) / n)

    def losses(numbers: Numbers) -> tuple[float, float]:
        return (
            sets.train.loss(numbers, wanted, scale) / n,
            sets.held_out.loss(numbers, wanted_held_out, scale) / n_held_out,
        )

    found = Fit(start, start, scale, settings, (n, n_held_out), [losses(begin)])
    best = begin

    def after_iteration(change: Numbers) -> None:
        nonlocal best
        numbers = begin + settings.prior * change
        found.curve.append(losses(numbers))
        iteration = len(found.curve) - 1
        if found.curve[iteration][1] < found.curve[found.best][1]:
            found.best, best = iteration, numbers
        show(iteration, *found.curve[iteration])
        if iteration - found.best >= settings.patience:
            raise StopIteration

    minimize(
        objective,
        np.zeros(2 * NUMBERS),
        jac=True,
        method="L-BFGS-B",
        callback=after_iteration,
        options={"maxiter": settings.iterations, "ftol": 1e-10, "gtol": 1e-9},
    )
    found.after = Weights([int(number) for number in np.clip(np.rint(best), -LIMIT, LIMIT)])
    found.rounded = losses(np.array(found.after.numbers(), float))
    return found


def piece_values(weights: Weights, traces: Traces) -> dict[str, tuple[float, float]]:
    """What each piece is worth in the middlegame and in the endgame: with the mean of its squares.

    Squares count as often as just one side has a piece there in the positions.
    """
    import numpy as np

    seen = np.empty(NUMBERS, np.int64)
    traces.occurrences(seen)
    often = seen[8 : 8 + 400].reshape(8, 50)
    found = {}
    for kind in range(2, 8):
        total = max(int(often[kind].sum()), 1)
        mg, eg = (
            numbers[kind] + float(often[kind] @ np.array(squares[50 * kind : 50 * kind + 50])) / total
            for numbers, squares in (
                (weights["material"].mg, weights["square"].mg),
                (weights["material"].eg, weights["square"].eg),
            )
        )
        found[PIECE_NAMES[kind]] = mg, eg
    return found


def report(found: Fit, sets: GameSets) -> str:
    """The fit in words and tables."""
    settings, losses = found.settings, found.curve
    lines = [
        f"{found.positions[0]:,} positions fitted to, {found.positions[1]:,} of other games held out",
        f"mix {settings.mix}, prior {settings.prior} centipawns, scale {found.scale:.6f} per centipawn",
        f"{len(losses) - 1} iterations, number {found.best} taken",
        "",
        "mean loss                   fitted  held out",
        f"  before                {losses[0][0]:10.6f}{losses[0][1]:10.6f}",
        f"  after                 {losses[found.best][0]:10.6f}{losses[found.best][1]:10.6f}",
        f"  in whole centipawns   {found.rounded[0]:10.6f}{found.rounded[1]:10.6f}",
        "",
        "piece values        before             after",
        "                 mg      eg        mg      eg",
    ]
    before, after = piece_values(found.before, sets.train), piece_values(found.after, sets.train)
    for name, (mg, eg) in before.items():
        lines.append(f"  {name:<10}{mg:8.0f}{eg:8.0f}  {after[name][0]:8.0f}{after[name][1]:8.0f}")
    changes = [
        (abs(b - a), index_name(i), a, b)
        for i, (a, b) in enumerate(zip(found.before.numbers(), found.after.numbers(), strict=True))
    ]
    lines += ["", f"weights changed: {sum(change[0] > 0 for change in changes)} of {len(changes)}; most:"]
    for _, name, a, b in sorted(changes, reverse=True)[:20]:
        lines.append(f"  {name:<28}{a:6} ->{b:6}")
    return "\n".join(lines) + "\n"


def plot(found: Fit, sets: GameSets, path: str) -> None:
    """Loss curves, piece values, and how well evaluations predict results, as a picture."""
    import numpy as np

    drawn = figure(15, 4.5)
    left, middle, right = drawn.subplots(1, 3)
    left.plot([loss for loss, _ in found.curve], label="fitted to")
    left.plot([loss for _, loss in found.curve], label="held out")
    left.axvline(found.best, color="grey", linewidth=0.8)
    left.set(xlabel="iteration", ylabel="mean loss", title="Loss")
    left.legend()

    before, after = piece_values(found.before, sets.train), piece_values(found.after, sets.train)
    ticks = np.arange(len(before))
    for k, (pieces, name) in enumerate(((before, "before"), (after, "after"))):
        for phase, color in ((0, "tab:red"), (1, "tab:blue")):
            middle.bar(
                ticks + 0.2 * (2 * phase + k) - 0.3,
                [value[phase] for value in pieces.values()],
                0.2,
                color=color,
                alpha=0.4 + 0.5 * k,
                label=f"{'middlegame' if phase == 0 else 'endgame'}, {name}",
            )
    middle.set_xticks(ticks, list(before))
    middle.set(ylabel="centipawns", title="Piece values")
    middle.legend()

    _, _, _, results = columns(sets.held_out)
    values = np.empty(len(sets.held_out))
    for weights, name in ((found.before, "before"), (found.after, "after")):
        sets.held_out.evaluate(np.array(weights.numbers(), float), values)
        order = np.argsort(values)
        bins = [part for part in np.array_split(order, 30) if len(part)]
        right.plot(
            [values[part].mean() for part in bins],
            [results[part].mean() / 2 for part in bins],
            "o-",
            label=name,
        )
    line = np.linspace(values.min(), values.max(), 200)
    right.plot(line, 1 / (1 + np.exp(-found.scale * line)), color="grey", label="sigmoid")
    right.set(xlabel="evaluation, centipawns", ylabel="Red's score", title="Held-out games")
    right.legend()
    save(drawn, path)
