"""examples/train_network.py: what PyTorch computes is what our trainer does. Needs PyTorch."""

import runpy
import sys

import pytest
from support import CHECKOUT

torch = pytest.importorskip("torch")
numpy = pytest.importorskip("numpy")

from eleengine import network  # noqa: E402
from eleengine._core import Samples, Trainer  # noqa: E402
from eleengine.lab.data.datagen import DatagenPlan, generate  # noqa: E402
from eleengine.lab.network.export import write_array  # noqa: E402
from eleengine.lab.network.samples import collect  # noqa: E402
from eleengine.lab.network.training import TrainingSettings, train  # noqa: E402

EXAMPLE = str(CHECKOUT / "examples" / "train_network.py")
UNIT, MIX, HIDDEN = 376.0, 0.7, 64


@pytest.fixture(scope="module")
def example():
    return runpy.run_path(EXAMPLE)


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    path = tmp_path_factory.mktemp("games") / "few.games"
    generate(str(path), DatagenPlan(3, limits={"nodes": 60}), 60, threads=1)
    return collect([str(path)])


@pytest.fixture(scope="module")
def positions(sets, tmp_path_factory):
    path = tmp_path_factory.mktemp("positions") / "few.npy"
    write_array(str(path), sets)
    return path


def all_of(sets):
    samples = Samples()
    for part in sets:
        samples.frombytes(part.part(0).tobytes())
    return samples


def test_loss_and_gradient_are_ours(example, sets, positions):
    ours = all_of(sets)
    trainer = Trainer(ours, hidden=HIDDEN, unit_cp=UNIT, mix=MIX, seed=2)
    model = example["PositionNetwork"](HIDDEN)
    model.load(trainer.parameters())
    assert model.to_bytes() == trainer.parameters()
    inputs = example["batch"](numpy.load(positions), UNIT, MIX, "cpu")
    loss = example["loss_of"](model, *inputs)
    assert loss.item() == pytest.approx(trainer.losses(ours)[0], abs=2e-6)
    loss.backward()
    expected = torch.frombuffer(bytearray(trainer.gradient()), dtype=torch.float32)
    parts = [model.rows.weight.grad[:-1], *(part.grad for part in model.in_order()[1:])]
    found = torch.cat([part.flatten() for part in parts])
    assert torch.allclose(found, expected, atol=1e-6)
    assert found.abs().max() > 0.001


def test_as_good_a_network_comes_of_it(sets, positions, tmp_path, monkeypatch, capsys):
    out = tmp_path / "mine.nnue"
    words = f"{EXAMPLE} {positions} {out} --hidden {HIDDEN} --passes 2 --batch 64 --mix {MIX}"
    monkeypatch.setattr(sys, "argv", words.split())
    runpy.run_path(EXAMPLE, run_name="__main__")
    theirs = float(capsys.readouterr().out.split("held out ")[-1].split(",")[0])
    run = train(sets, TrainingSettings(hidden=HIDDEN, passes=2, batch=64, mix=MIX))
    assert 0 < theirs < 1.15 * run.curve[-1].loss
    assert network.load(out).hidden == HIDDEN
