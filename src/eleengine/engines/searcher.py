"""Setting up the searcher behind an engine, a player or the program: the one place that knows how."""

from __future__ import annotations

from typing import TypedDict

from .._core import Searcher
from ..rules import NO_CAPTURE_LIMIT, rule_set_number


class SearchArguments(TypedDict, total=False):
    """Keyword arguments of the core's search."""

    depth: int
    nodes: int
    mate: int
    optimum_ms: int
    maximum_ms: int
    multipv: int
    use_tables: bool


def set_up(
    searcher: Searcher,
    *,
    parallel: str = "auto",
    rule_set: str = "axf",
    no_capture_limit: int = NO_CAPTURE_LIMIT,
) -> Searcher:
    """Set how the searcher's threads share a search and which rules it judges by, and return it.

    parallel: one of `eleengine._core.PARALLEL`. rule_set: one of `eleengine.rules.RULE_SETS`.
    no_capture_limit: plies without a capture that draw the game. ValueError for a value out of range.
    """
    searcher.parallel = parallel
    searcher.rule_set = rule_set_number(rule_set)
    searcher.no_capture_limit = no_capture_limit
    return searcher
