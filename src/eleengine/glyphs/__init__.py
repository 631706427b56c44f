"""Outlines of what stands on pieces and boards, so that pictures look the same without any font.

An outline is the data of an SVG path: the em is 256 units, the middle lies at 0 0, y points down.
``characters.json`` holds characters of a font, under the SIL Open Font License (``OFL.txt``);
``symbols.json`` our own pictures of the pieces.

>>> sorted(symbols())
['A', 'B', 'C', 'K', 'N', 'P', 'R']
>>> characters()["一"].startswith("M")
True
"""

from __future__ import annotations

import json
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EM = 256


@cache
def characters() -> dict[str, str]:
    """Outlines by character: those on pieces, of the river and of coordinates."""
    paths: dict[str, str] = _read("characters.json")
    return paths


@cache
def symbols() -> dict[str, list[tuple[str, str]]]:
    """Layers by FEN letter of a red piece: each ("ink" or "paper", outline), to be painted in order."""
    layers = _read("symbols.json")
    return {letter: [(kind, path) for kind, path in parts] for letter, parts in layers.items()}


def _read(name: str) -> Any:
    from importlib import resources  # slow to import: only who draws pays for it

    text = resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
    return json.loads(text)["paths"]
