"""Training from the first numbers to the last step: the plan of learning rates, checkpoints, the best state.

A run that is interrupted goes on from its last checkpoint, and what comes out is the same as without.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from statistics import fmean
from time import perf_counter
from typing import Any, Final, NamedTuple

from ..._core import Network, Trainer
from ..._internal.files import read_file, write_whole
from .file import unrounded
from .samples import SampleSet, Split

__all__ = ["Checkpoint", "ThreadChoice", "TrainingRun", "TrainingSettings", "rate_at", "train"]

CHECKPOINTS = 10  # in a run
WARM_UP = 0.02  # share of the run in which the rate rises
LAST_RATE = 0.01  # of the highest rate
TERM, TRIAL = 512, 8  # steps with the number of threads that is quicker, and to try the other one
_LENGTHS = struct.Struct("<8sIII")  # magic, bytes of the JSON text, of the state, of the best numbers
_MAGIC = b"eletrain"


RANGES: Final[dict[str, tuple[float, float]]] = {  # of the settings
    "hidden": (64, 1024),
    "passes": (0.001, 10_000),
    "batch": (1, 1 << 20),
    "rate": (1e-6, 1),
    "mix": (0, 1),
    "decay": (0, 100),
    "unit_cp": (1, 10_000),
    "seed": (0, 1 << 62),
}


@dataclass(frozen=True)
class TrainingSettings:
    """How to train. ValueError for a value out of range."""

    hidden: int = 256  #: neurons of each perspective, a multiple of 64 up to 1024
    passes: float = 16.0  #: over the samples
    batch: int = 2048  #: samples of a step
    rate: float = 0.0015  #: highest learning rate
    mix: float = 1.0  #: share of the search's score in the target, 0 to 1; the rest is the result
    decay: float = 0.1  #: of the rows and their biases, times the rate, in each step
    unit_cp: float = 376.0  #: centipawns of an output of 1, at which the chance is 0.73
    seed: int = 1  #: of the first numbers and the order of samples

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} must be from {low:g} to {high:g}, not {getattr(self, name)}")
        if self.hidden % 64:
            raise ValueError(f"hidden must be a multiple of 64, not {self.hidden}")


class Checkpoint(NamedTuple):
    """How good the network was after some steps, on held-out samples: means as of Trainer.losses()."""

    step: int
    loss: float
    result_loss: float


@dataclass
class TrainingRun:
    """A training, finished or not."""

    settings: TrainingSettings
    steps: int  #: of the whole run
    samples: tuple[int, int]  #: fitted to, held out
    classical: Checkpoint  #: the same measures of the classical evaluation
    curve: list[Checkpoint] = field(default_factory=list)
    parameters: bytes = b""  #: of the best network so far, as of Trainer.parameters()
    start: str | None = None  #: digest of the network that it began with; None: random numbers

    @property
    def best(self) -> Checkpoint:
        """The checkpoint with the least loss."""
        return min(self.curve, key=lambda point: point.loss)

    def description(self) -> dict[str, Any]:
        """What decides the outcome, for comparison with a checkpoint."""
        return {
            "settings": asdict(self.settings),
            "steps": self.steps,
            "samples": list(self.samples),
            "start": self.start,
        }


class ThreadChoice:
    """How many threads train: all, or one where other programs keep them waiting for each other.

    Threads wait for the slowest of them in each step, so beside a busy program two may be slower than one.
    Both numbers are tried in turns; they do not change the result.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads  #: for the next step
        self._other = 1
        self._times: list[float] = []
        self._span = TRIAL  # steps until the next decision
        self._usual: float | None = None  # seconds a step with the other number, while this one is on trial

    def take(self, seconds: float) -> None:
        """Learn how long the last step took."""
        self._times.append(seconds)
        if len(self._times) < self._span:
            return
        mean = fmean(self._times)
        on_trial = self._usual is not None
        if self._usual is None or mean > self._usual:
            self.threads, self._other = self._other, self.threads
        self._usual = None if on_trial else mean
        self._span = TERM if on_trial else TRIAL
        self._times = []


def rate_at(settings: TrainingSettings, share: float) -> float:
    """The learning rate when that share of the run is done: up in a line, down in a smooth step.

    No function of the C library takes part, so that all machines agree.
    """
    if share < WARM_UP:
        return settings.rate * (share / WARM_UP)
    x = (share - WARM_UP) / (1 - WARM_UP)
    return settings.rate * (LAST_RATE + (1 - LAST_RATE) * (1 - x * x * (3 - 2 * x)))


def train(
    sets: Split,
    settings: TrainingSettings,
    *,
    start: Network | None = None,
    threads: int = 1,
    checkpoint: str | None = None,
    show: Callable[[TrainingRun, int], None] = lambda run, step: None,
) -> TrainingRun:
    """Fit a network to the samples; the checkpoint with the least loss on held-out samples is taken.

    start: a network to begin with, instead of random numbers. threads: they do not change the result.
    checkpoint: a file to go on from, if it is of the same run, and to write now and then; that of another run
    is overwritten if it is of the run's end. show: called with the run and the steps done, after each step.
    ValueError if there are too few samples, the network to begin with has another size, or the checkpoint is
    of another run that has not ended.
    """
    if not len(sets.held_out) or len(sets.train) < settings.batch:
        raise ValueError(
            f"{len(sets.train)} samples to fit to and {len(sets.held_out)} held out: too few for "
            f"batches of {settings.batch}"
        )
    trainer = Trainer(
        sets.train.part(0),
        hidden=settings.hidden,
        unit_cp=settings.unit_cp,
        mix=settings.mix,
        decay=settings.decay,
        seed=settings.seed,
    )
    if start is not None:
        _begin_with(trainer, start, settings.hidden)
    steps = max(1, int(settings.passes * (len(sets.train) // settings.batch)))
    classical = Checkpoint(0, *_losses(trainer, sets.held_out, threads, classical=True))
    digest = start.digest if start is not None else None
    run = TrainingRun(settings, steps, (len(sets.train), len(sets.held_out)), classical, start=digest)
    done = _resume(run, trainer, sets.train, checkpoint) if checkpoint and os.path.exists(checkpoint) else 0
    choice = ThreadChoice(threads)
    for step in range(done, steps):
        if trainer.left < settings.batch and trainer.passes:
            trainer.samples = sets.train.part(trainer.passes)
        begun = perf_counter()
        trainer.step(settings.batch, rate_at(settings, step / steps), choice.threads)
        choice.take(perf_counter() - begun)
        if (step + 1) * CHECKPOINTS // steps > step * CHECKPOINTS // steps:
            point = Checkpoint(step + 1, *_losses(trainer, sets.held_out, threads))
            run.curve.append(point)
            if run.best is point:
                run.parameters = trainer.parameters()
            if checkpoint:
                _save(run, trainer, checkpoint)
        show(run, step + 1)
    return run


def _losses(
    trainer: Trainer, samples: SampleSet, threads: int, *, classical: bool = False
) -> tuple[float, float]:
    """As of Trainer.losses(), over all parts."""
    loss = result_loss = 0.0
    for part in samples.one_pass():
        found = trainer.losses(part, threads=threads, classical=classical)
        share = len(part) / len(samples)
        loss += share * found[0]
        result_loss += share * found[1]
    return loss, result_loss


def _begin_with(trainer: Trainer, network: Network, hidden: int) -> None:
    if network.hidden != hidden:
        raise ValueError(f"the network to begin with has {network.hidden} hidden neurons, not {hidden}")
    first, state = unrounded(network, trainer.parameters()), trainer.state
    head = len(state) - 3 * len(first)  # before the numbers and Adam's two means of their slopes
    trainer.state = state[:head] + first + state[head + len(first) :]


def _save(run: TrainingRun, trainer: Trainer, path: str) -> None:
    text = json.dumps({**run.description(), "curve": run.curve, "passes": trainer.passes}).encode()
    state = trainer.state
    lengths = _LENGTHS.pack(_MAGIC, len(text), len(state), len(run.parameters))
    write_whole(path, lengths + text + state + run.parameters)


def _resume(run: TrainingRun, trainer: Trainer, samples: SampleSet, path: str) -> int:
    """Go on from the checkpoint; return the steps done, 0 if it is of another, finished run."""
    data = read_file(path)
    try:
        magic, *lengths = _LENGTHS.unpack_from(data)
        if magic != _MAGIC or _LENGTHS.size + sum(lengths) != len(data):
            raise ValueError
        offsets = [_LENGTHS.size]
        for length in lengths:
            offsets.append(offsets[-1] + length)
        text, state, parameters = (data[a:b] for a, b in pairwise(offsets))
        told = json.loads(text)
        curve = [Checkpoint(*point) for point in told.pop("curve")]
        passes = int(told.pop("passes"))
        finished = curve[-1].step == told["steps"]
    except (ValueError, struct.error, TypeError, AttributeError, LookupError):
        raise ValueError(f"{path}: not a checkpoint of a training") from None
    if told != run.description():
        if finished:
            return 0
        raise ValueError(
            f"{path}: the checkpoint is of an unfinished training with other settings or games: "
            "give the same to finish that one, or delete the file to train anew"
        )
    trainer.samples = samples.part(passes - 1)
    trainer.state = state
    run.curve, run.parameters = curve, parameters
    return curve[-1].step
