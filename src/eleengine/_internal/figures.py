"""Pictures drawn with Matplotlib, without a screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .files import replaced


def figure(width: float, height: float) -> Any:
    """An empty figure of this size in inches; ImportError without Matplotlib."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: str) -> None:
    """Write the figure whole, in the format that the ending of the path names; OSError, ValueError."""
    with replaced(path) as file:
        figure.savefig(file, format=Path(path).suffix[1:], dpi=120)
