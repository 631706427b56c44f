"""Batches of positions for PyTorch, read by several worker processes.

    from torch.utils.data import DataLoader
    from eleengine.ml.torch import GameBatches

    batches = GameBatches(["self.games"], batch=4096, fields=["planes", "moves", "results"], seed=1)
    loader = DataLoader(batches, batch_size=None, num_workers=4, multiprocessing_context="spawn")

Each worker reads its share of the blocks of games. The order is the same for one seed, epoch and number of
workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from torch import Tensor, from_numpy, tensor
from torch.utils.data import IterableDataset, get_worker_info

from . import reading


class GameBatches(IterableDataset[dict[str, Tensor]]):  # type: ignore[misc]
    """`eleengine.ml.GameBatches` as a dataset of PyTorch, whose batches are tensors; the same arguments.

    Give the DataLoader batch_size=None: these are batches already. Set `epoch` before each pass; workers
    that stay (persistent_workers=True) see it, too. Headers of records are arrays of numpy, as tensors hold
    no texts.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._batches = reading.GameBatches(*args, **options)
        self._epoch = tensor(self._batches.epoch).share_memory_()  # workers that stay keep a copy of all else

    @property
    def epoch(self) -> int:
        """Decides the order together with the seed."""
        return int(self._epoch)

    @epoch.setter
    def epoch(self, value: int) -> None:
        self._epoch.fill_(value)

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        worker = get_worker_info()
        if worker is not None:
            self._batches.shard = (worker.id, worker.num_workers)
        self._batches.epoch = self.epoch
        for batch in self._batches:
            yield {
                name: array if array.dtype.kind == "U" else from_numpy(array) for name, array in batch.items()
            }
