"""What the core's search is asked for."""

from __future__ import annotations

from typing import TypedDict


class SearchArguments(TypedDict, total=False):
    """Keyword arguments of the core's search."""

    depth: int
    nodes: int
    mate: int
    optimum_ms: int
    maximum_ms: int
    multipv: int
    use_tables: bool
