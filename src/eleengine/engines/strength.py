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
LINES = 4  # candidates to choose from
TOP_SKILL = 20


def skill_nodes(level: int) -> int:
    """Nodes for a skill level below the highest: half as many again for each level.

    >>> [skill_nodes(level) for level in (0, 10, 19)]
    [250, 14416, 554209]
    """
    return int(250 * 1.5**level)


def skill_noise(level: int) -> int:
    """The largest noise on a score for a skill level, in centipawns; 0 at full strength."""
    return 12 * (TOP_SKILL - level)


def choose(lines: "list[SearchInfo]", noise: int, source: "Random | None" = None) -> "SearchInfo":
    """One of the lines, best first, after noise of up to that many centipawns; mates are not disturbed.

    source: of the noise, for choices that can be repeated.
    """
    if noise == 0 or abs(lines[0].score) >= MATE_FROM:
        return lines[0]
    if source is None:
        from random import Random

        source = Random()
    sound = [line for line in lines if abs(line.score) < MATE_FROM]
    return max(sound, key=lambda line: line.score + source.randint(-noise, noise))


def accepts_draw(score: int, depth: int) -> bool:
    """Whether a side agrees to a draw: at most equal, or being mated.

    score: of the core, from that side's point of view. depth: of the search that found it.

    >>> accepts_draw(0, 10), accepts_draw(300, 10), accepts_draw(0, 2), accepts_draw(-29_998, 1)
    (True, False, False, True)
    """
    return score <= -MATE_FROM or (depth >= DRAW_DEPTH and score <= DRAW_MARGIN)
