"""Playing with variety or below full strength, for human opponents.

The search stays as it is; it gets fewer nodes, reports several lines, and one of the best is chosen
after some noise was added to the scores.
"""

from ..score import MATE_FROM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from random import Random

    from .._core import SearchInfo

DRAW_DEPTH = 6  # plies: what a search must have seen before a draw is agreed to
DRAW_MARGIN = 25  # centipawns: with more, one plays on
TOP_SKILL = 20
FIRST_NODES, GROWTH = 250, 1.5  # of level 0, and how many times as many each level more has
NOISE_STEP = 12  # centipawns of noise for each level below the highest
CANDIDATES = 4  # lines to choose from


class Strength:
    """How well to play.

    skill: 0 (a beginner) to TOP_SKILL (full strength); ValueError for any other.
    variety: noise on the scores, in centipawns, beside that of the skill.

    >>> [Strength(level).nodes for level in (0, 10, 19, 20)]
    [250, 14416, 554209, 0]
    >>> [Strength(level).noise for level in (0, 19, 20)], Strength(20, variety=35).noise
    ([240, 12, 0], 35)
    """

    __slots__ = ("nodes", "noise")

    def __init__(self, skill: int = TOP_SKILL, *, variety: int = 0) -> None:
        if not 0 <= skill <= TOP_SKILL:
            raise ValueError(f"skill must be 0..{TOP_SKILL}, not {skill}")
        #: Most nodes of a search, 0 for any number.
        self.nodes = int(FIRST_NODES * GROWTH**skill) if skill < TOP_SKILL else 0
        #: The largest noise on a score, in centipawns.
        self.noise = NOISE_STEP * (TOP_SKILL - skill) + variety

    def limited(self, nodes: int) -> int:
        """The limit of nodes for a search that has this one; 0 stands for none."""
        return min(nodes, self.nodes) if nodes and self.nodes else nodes or self.nodes

    @property
    def lines(self) -> int:
        """How many lines the search must report, for `choose` to choose from."""
        return CANDIDATES if self.noise else 1

    def choose(self, lines: "list[SearchInfo]", source: "Random | None" = None) -> "SearchInfo":
        """One of the lines, best first, after the noise; mates are not disturbed.

        source: of the noise, for choices that can be repeated.
        """
        if not self.noise or abs(lines[0].score) >= MATE_FROM:
            return lines[0]
        if source is None:
            from random import Random

            source = Random()
        sound = [line for line in lines if abs(line.score) < MATE_FROM]
        return max(sound, key=lambda line: line.score + source.randint(-self.noise, self.noise))


def accepts_draw(score: int, depth: int) -> bool:
    """Whether a side agrees to a draw: at most equal, or being mated.

    score: of the core, from that side's point of view. depth: of the search that found it.

    >>> accepts_draw(0, 10), accepts_draw(300, 10), accepts_draw(0, 2), accepts_draw(-29_998, 1)
    (True, False, False, True)
    """
    return score <= -MATE_FROM or (depth >= DRAW_DEPTH and score <= DRAW_MARGIN)
