"""Train a network for the engine in PyTorch, on a GPU if there is one.

    eleengine datagen games.games --games 100000 --nodes 3000
    eleengine nnue export games.games positions.npy
    python examples/train_network.py positions.npy mine.nnue
    eleengine nnue compare mine.nnue "<internal>"

The network, target and loss are those of `eleengine nnue train`; the trainer there needs neither PyTorch nor
a GPU, and gives the same network every time. Begin here to try another optimizer, schedule or loss.
"""

import argparse
import time

import numpy
import torch
from torch import nn

from eleengine import network
from eleengine.lab.network.file import quantised, unrounded

PIECES, BUCKETS = 692, 8
INPUTS = 2 * PIECES  # rows of pieces, then of those that hang
FIRST, SECOND = 8, 32  # outputs of the layers
ROW_LIMIT, LAYER_LIMIT = 0.98, 1.84  # what the whole numbers of a file can hold


class PositionNetwork(nn.Module):
    """Two perspectives with the same rows, clipped and squared; then two layers by the number of pieces.

    The first output of the first layer is the network's, to which the second layer adds.
    """

    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden
        self.rows = nn.EmbeddingBag(INPUTS + 1, hidden, mode="sum", padding_idx=INPUTS)
        self.bias = nn.Parameter(torch.empty(hidden))
        self.first_weights = nn.Parameter(torch.empty(BUCKETS, FIRST, 2 * hidden))
        self.first_bias = nn.Parameter(torch.zeros(BUCKETS, FIRST))
        self.second_weights = nn.Parameter(torch.empty(BUCKETS, 2 * FIRST, SECOND))
        self.second_bias = nn.Parameter(torch.full((BUCKETS, SECOND), 0.2))
        self.output_weights = nn.Parameter(torch.empty(BUCKETS, SECOND))
        nn.init.uniform_(self.rows.weight, -0.06, 0.06)
        nn.init.zeros_(self.rows.weight[PIECES:])
        nn.init.uniform_(self.bias, 0.2, 0.4)
        reaches = {self.first_weights: 0.1, self.second_weights: 0.3, self.output_weights: 0.05}
        with torch.no_grad():  # all numbers of pieces begin with the same layers
            for part, reach in reaches.items():
                part.copy_(torch.empty_like(part[0]).uniform_(-reach, reach).expand_as(part))

    def in_order(self):
        """The parameters in the order of `quantised`, without the row for none."""
        first, second = (self.first_weights, self.first_bias), (self.second_weights, self.second_bias)
        return [self.rows.weight[:INPUTS], self.bias, *first, *second, self.output_weights]

    def forward(self, rows, bucket, scale):
        """Outputs in units: the logistic of one is the expected result. rows: (n, 2, 64), INPUTS for none."""
        sums = self.rows(rows.flatten(0, 1)).view(-1, 2 * self.hidden) + self.bias.repeat(2)
        active = sums.clamp(0, 1).square()
        first = torch.einsum("ni,nji->nj", active, self.first_weights[bucket]) + self.first_bias[bucket]
        inputs = torch.cat((first.clamp(0, 1), first.clamp(-1, 1).square()), 1)
        second = torch.einsum("ni,nik->nk", inputs, self.second_weights[bucket]) + self.second_bias[bucket]
        output = first[:, 0] + (second.clamp(0, 1) * self.output_weights[bucket]).sum(1)
        return output * torch.where(output > 0, scale[:, 0], scale[:, 1])

    @torch.no_grad()
    def clip(self):
        for i, part in enumerate(self.in_order()):
            limit = ROW_LIMIT if i < 2 else LAYER_LIMIT
            part.clamp_(-limit, limit)

    def to_bytes(self):
        """The bytes that `quantised` takes."""
        return b"".join(part.detach().cpu().float().numpy().tobytes() for part in self.in_order())

    @torch.no_grad()
    def load(self, parameters):
        """The opposite: begin with the parameters of another network of the same size."""
        found = torch.from_numpy(numpy.frombuffer(parameters, "f4").copy())
        parts = self.in_order()
        for part, numbers in zip(parts, found.split([part.numel() for part in parts]), strict=True):
            part.copy_(numbers.view_as(part))


def batch(samples, unit, mix, device):
    """Tensors of exported samples: rows, bucket, scale, and the target between 0 and 1."""

    def tensor(array, dtype):
        return torch.from_numpy(numpy.ascontiguousarray(array)).to(device, dtype, non_blocking=True)

    pieces, hanging = tensor(samples["rows"], torch.int64), tensor(samples["hanging"], torch.bool)[:, None]
    rows = (torch.where(pieces < 0, INPUTS, pieces), torch.where(hanging, pieces + PIECES, INPUTS))
    score, result = (tensor(samples[name], torch.float32) for name in ("score", "result"))
    target = mix * torch.sigmoid(score / unit) + (1 - mix) * result / 2
    return (
        torch.cat(rows, 2),
        tensor(samples["bucket"], torch.int64),
        tensor(samples["scale"], torch.float32),
        target,
    )


def loss_of(model, rows, bucket, scale, target):
    """Cross-entropy less the target's own entropy, so that a perfect network has 0."""
    entropy = nn.functional.binary_cross_entropy
    shown = model(rows, bucket, scale)
    return nn.functional.binary_cross_entropy_with_logits(shown, target) - entropy(target, target)


@torch.no_grad()
def held_out_loss(model, samples, args, device):
    parts = [samples[i : i + 16384] for i in range(0, len(samples), 16384)]
    sums = [loss_of(model, *batch(part, args.unit_cp, args.mix, device)).item() * len(part) for part in parts]
    return sum(sums) / len(samples)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("positions", help="of `eleengine nnue export`")
    parser.add_argument("out", help="network file to write")
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--passes", type=int, default=16)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=0.0015, help="highest learning rate")
    parser.add_argument("--decay", type=float, default=0.1)
    parser.add_argument("--mix", type=float, default=1.0, help="share of the score, beside the result")
    parser.add_argument("--unit-cp", type=float, default=376.0, help="centipawns of an output of 1")
    parser.add_argument("--start", help="network to begin with: a file, or <internal>")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    samples = numpy.load(args.positions, mmap_mode="r")
    train, held_out = (numpy.flatnonzero(samples["held_out"] == flag) for flag in (0, 1))
    held_out = samples[held_out]
    model = PositionNetwork(args.hidden).to(device)
    if args.start:
        model.load(unrounded(network.choose(args.start), model.to_bytes()))
    steps = args.passes * (len(train) // args.batch)
    rows = [model.rows.weight, model.bias]  # the layers do not decay
    groups = [{"params": rows}, {"params": model.in_order()[2:], "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=args.rate, weight_decay=args.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.rate, total_steps=steps, pct_start=0.02)
    began, random = time.perf_counter(), numpy.random.default_rng(args.seed)
    for number in range(args.passes):
        order = random.permutation(train)
        for i in range(0, len(order) - args.batch + 1, args.batch):
            loss = loss_of(model, *batch(samples[order[i : i + args.batch]], args.unit_cp, args.mix, device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            model.clip()
        found, seconds = held_out_loss(model, held_out, args, device), time.perf_counter() - began
        print(f"pass {number + 1}: {loss.item():.5f}, held out {found:.5f}, {seconds:.0f} s", flush=True)
    making = {"made by": "examples/train_network.py", "positions": len(train)}
    with open(args.out, "wb") as file:
        file.write(quantised(model.to_bytes(), args.hidden, args.unit_cp, making))


if __name__ == "__main__":
    main()
