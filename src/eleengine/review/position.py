"""What the engine found in one position of a game."""

from __future__ import annotations

from typing import Any, NamedTuple

from .._core import Move
from ..pieces import RED
from ..rules import Verdict
from ..score import Cp, MateGiven, PovScore, read_score_data, score_data


class PositionEval(NamedTuple):
    """The evaluation of a position.

    score: from either side's point of view. line: the best moves; empty where the game is over.
    depth: in plies, 0 where nothing was searched.
    """

    score: PovScore
    line: tuple[Move, ...]
    depth: int

    @classmethod
    def from_info(cls, info: Any) -> PositionEval:
        """Take the evaluation from the info of a finished search; one without a score counts 0."""
        return cls(info.get("score", PovScore(Cp(0), RED)), tuple(info.get("pv", ())), info.get("depth", 0))

    @classmethod
    def from_verdict(cls, verdict: Verdict) -> PositionEval:
        """Take the evaluation of a finished game from the rules."""
        return cls(verdict_score(verdict), (), 0)

    def to_dict(self) -> dict[str, Any]:
        """Return data for JSON, the score for Red."""
        return {
            "cp": None,
            "mate": None,
            **score_data(self.score.red()),
            "line": [move.iccs() for move in self.line],
            "depth": self.depth,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> PositionEval:
        """Read what `to_dict` returned; KeyError, TypeError or ValueError for anything else."""
        line = tuple(map(Move.from_iccs, data["line"]))
        return cls(PovScore(read_score_data(data), RED), line, int(data["depth"]))


def verdict_score(verdict: Verdict) -> PovScore:
    """Return the score of a finished game: mate for the winner, 0 for a draw."""
    return PovScore(Cp(0), RED) if verdict.winner is None else PovScore(MateGiven, verdict.winner)
