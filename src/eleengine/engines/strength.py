"""Playing with variety or below full strength, for human opponents.

A level is careless and sees less. Carelessness is chance among the moves that were searched: one that loses
u is chosen exp(-u / carelessness) times as often as the best one. So a weak player makes many small
mistakes and few large ones, and more of them when much is won or lost already, because u is measured on a
logarithmic scale. That is how people err: K. Regan and G. Haworth, "Intrinsic chess ratings" (AAAI 2011).
Of mates the nearer one is liked better; from MATING_SKILL on one within MATE_MOVES is played.
From level to level carelessness falls, then the nodes of a search grow; docs/levels.md has the strength
of each, measured by games.
"""

import math
from operator import index

from .._core import MATE
from ..score import MATE_FROM, ucci_points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from .._core import SearchInfo
    from .searcher import SearchArguments

DRAW_DEPTH = 6  # plies: what a search must have seen before a draw is agreed to
DRAW_MARGIN = 25  # centipawns: with more, one plays on
RESIGN_DEPTH = 8  # plies of a search that may see the game as lost; a mate needs none
RESIGN_POINTS = -600  # of UCCI: a search with a score below counts as hopeless
RESIGN_TIMES = 4  # hopeless searches in a row before the engine resigns
TOP_SKILL = 20
FIRST_NODES = 1500  # of the lower levels: enough to see every move and the answers to the better ones
#: Of the levels from 0 on, chosen so that games show even steps; the last one holds above, too.
CARELESSNESS = (1.6, 1.19, 0.89, 0.675, 0.51, 0.38, 0.285, 0.21, 0.15, 0.103, 0.065, 0.04, 0.0237)
CAREFUL = len(CARELESSNESS) - 1  # the last level of FIRST_NODES
GROWTH = 1.56  # of the nodes with each level above
#: Elo of each of these levels over level 0: the steps of docs/levels.md, added up.
LADDER = (
    0, 168, 283, 469, 580, 790, 963, 1168, 1283, 1451,
    1633, 1760, 1845, 2013, 2245, 2495, 2596, 2772, 2919, 3102,
)  # fmt: skip
MATING_SKILL = 6  # from this level on a near mate that was found is played
MATE_MOVES = 3
NEAREST_MATE = 3.0  # what a mate in one is liked more than a decided position; in n moves 1/n of it
MOST_LINES, LEAST_LINES = 44, 4  # moves to choose from: nearly all, or only the best
LINES = 200  # the same for a carelessness of 1: those that lose five times the carelessness do not matter
VARIETY_LINES = 4  # the same of full strength with variety


class Strength:
    """How well to play.

    skill: 0 (a beginner) to TOP_SKILL (full strength); ValueError for any other, TypeError for no integer.
    variety: noise on the scores, in centipawns, beside that of the skill.

    >>> [Strength(level).nodes for level in (0, 12, 13, 19, 20)]
    [1500, 1500, 2340, 33725, 0]
    >>> [Strength(level).lines for level in (0, 10, 19, 20)], Strength(20, variety=35).lines
    ([44, 13, 5, 1], 4)
    """

    __slots__ = ("carelessness", "lines", "mates", "nodes", "variety")

    def __init__(self, skill: int = TOP_SKILL, *, variety: int = 0) -> None:
        try:
            skill = index(skill)
        except TypeError:
            raise TypeError(f"skill must be an integer, not {type(skill).__name__}") from None
        if not 0 <= skill <= TOP_SKILL:
            raise ValueError(f"skill must be 0..{TOP_SKILL}, not {skill}")
        weak = skill < TOP_SKILL
        #: Most nodes of a search, 0 for any number.
        self.nodes: int = int(FIRST_NODES * GROWTH ** max(0, skill - CAREFUL)) if weak else 0
        #: The loss, in units of `appraise`, at which a move is chosen 1/e times as often as the best one.
        self.carelessness: float = CARELESSNESS[min(skill, CAREFUL)] if weak else 0.0
        #: A mate with at least this score is always played.
        self.mates: int = MATE - 2 * MATE_MOVES if skill >= MATING_SKILL else MATE
        #: The largest noise on a score, in centipawns.
        self.variety: int = variety
        #: How many lines the search must report, for `choose` to choose from.
        self.lines = VARIETY_LINES if variety else 1
        if weak:
            self.lines = min(MOST_LINES, max(LEAST_LINES, round(LINES * self.carelessness)))

    def limit(self, arguments: "SearchArguments") -> "SearchArguments":
        """The arguments of a search that is to be chosen from; a weak one looks into no endgame table."""
        nodes = arguments.get("nodes", 0)
        return {
            **arguments,
            "use_tables": arguments.get("use_tables", True) and not self.carelessness,
            "nodes": min(nodes, self.nodes) if nodes and self.nodes else nodes or self.nodes,
            "multipv": max(arguments.get("multipv", 1), self.lines),
        }

    def choose(self, lines: "list[SearchInfo]", source: "Random | None" = None) -> "SearchInfo":
        """One of the lines, best first, by chance; at full strength a mate is neither missed nor walked into.

        source: of the chance, for choices that can be repeated.
        """
        if self.lines == 1:
            return lines[0]
        lines = lines[: self.lines]
        if lines[0].score > self.mates:
            return lines[0]
        if not self.carelessness:
            if abs(lines[0].score) >= MATE_FROM:
                return lines[0]
            lines = [line for line in lines if abs(line.score) < MATE_FROM]
        if source is None:
            from random import Random

            source = Random()
        return max(lines, key=lambda line: self._liking(line.score, source))

    def _liking(self, score: int, source: "Random") -> float:
        """The move that is liked best is played."""
        if self.variety:
            score += source.randint(-self.variety, self.variety)
        if not self.carelessness:
            return score
        # The greatest of a_i + Gumbel noise is i with a chance in proportion to exp(a_i).
        return appraise(score) / self.carelessness - math.log(source.expovariate(1.0))


def skill_of_elo(elo: int) -> int:
    """Return the level whose strength is nearest, the lower one of two.

    elo: over level 0, in games between levels.

    >>> [skill_of_elo(elo) for elo in (0, 84, 85, 1500, 9999)]
    [0, 0, 1, 9, 19]
    """
    return min(range(TOP_SKILL), key=lambda level: abs(LADDER[level] - elo))


def appraise(score: int) -> float:
    """A score in centipawns as it is felt: a pawn counts less when much is won or lost already.

    >>> [round(appraise(score), 2) for score in (0, 100, 1000, 1100, -100)]
    [0.0, 0.69, 2.4, 2.48, -0.69]
    >>> [round(appraise(MATE - plies), 2) for plies in (1, 3, 19)]
    [8.71, 7.21, 6.01]
    """
    felt = math.log1p(abs(score) / 100)
    if abs(score) >= MATE_FROM:
        felt += NEAREST_MATE / ((MATE - abs(score) + 1) // 2 or 1)
    return math.copysign(felt, score)


def accepts_draw(score: int, depth: int) -> bool:
    """Whether a side agrees to a draw: at most equal, or being mated.

    score: of the core, from that side's point of view. depth: of the search that found it.

    >>> accepts_draw(0, 10), accepts_draw(300, 10), accepts_draw(0, 2), accepts_draw(-29_998, 1)
    (True, False, False, True)
    """
    return score <= -MATE_FROM or (depth >= DRAW_DEPTH and score <= DRAW_MARGIN)


class Resignation:
    """Counts the searches of a game that see it as lost.

    >>> counter = Resignation()
    >>> [counter.is_due(-5000, 9, True) for _ in range(RESIGN_TIMES)]
    [False, False, False, True]
    """

    def __init__(self) -> None:
        self._hopeless = 0  # searches in a row
        self._side = True

    def forget(self) -> None:
        """A new game begins."""
        self._hopeless = 0

    def is_due(self, score: int, depth: int, side: bool) -> bool:
        """Count a search; should its side give up? score, depth: as for `accepts_draw`."""
        certain = depth >= RESIGN_DEPTH or score <= -MATE_FROM
        hopeless = certain and ucci_points(score) < RESIGN_POINTS
        self._hopeless = self._hopeless + 1 if hopeless and side == self._side else int(hopeless)
        self._side = side
        return self._hopeless >= RESIGN_TIMES
