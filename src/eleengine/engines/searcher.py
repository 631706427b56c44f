"""Setting up the searcher behind an engine, a player or the program: the one place that knows how."""

from __future__ import annotations

from .._core import Searcher
from ..rules import NO_CAPTURE_LIMIT, rule_set_number


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
