"""Positions as arrays for machine learning; needs numpy: ``pip install "eleengine[ml]"``.

>>> from eleengine import Board
>>> from eleengine.ml import Positions
>>> positions = Positions([Board(), Board("3k5/4P4/9/9/9/9/9/9/5R3/4K4 w")])
>>> positions.planes().shape, positions.legal_moves().sum(axis=1).tolist()
((2, 14, 10, 9), [44, 22])

Everything is seen by the side to move: its own pieces come first, its own back rank is rank 0, and a result
of 1 is a win for it. docs/ml.md describes the layouts.
"""

from .._internal.lazy import import_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .boards import Boards
    from .labels import LABELS, label_numbers, policy_numbers
    from .positions import PLANES, POLICY_SIZE, Positions, legal_indices, policy_index, policy_move, to_arrow
    from .reading import FIELDS, GameBatches, read_positions

__all__ = [
    "FIELDS", "LABELS", "PLANES", "POLICY_SIZE", "Boards", "GameBatches", "Positions", "label_numbers",
    "legal_indices", "policy_index", "policy_move", "policy_numbers", "read_positions", "to_arrow",
]  # fmt: skip

# Imported when first asked for, so that what needs numpy says so then.
_MODULES = {
    "Boards": "boards",
    "FIELDS": "reading", "GameBatches": "reading", "LABELS": "labels", "PLANES": "positions",
    "POLICY_SIZE": "positions", "Positions": "positions", "label_numbers": "labels",
    "legal_indices": "positions", "policy_index": "positions", "policy_move": "positions",
    "policy_numbers": "labels", "read_positions": "reading", "to_arrow": "positions",
}  # fmt: skip


def __getattr__(name: str) -> object:
    return import_name(__name__, _MODULES, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
