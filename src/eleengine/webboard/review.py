"""A review while it runs: each position searched by the engines of the board, each move judged as it comes.

How moves are judged is told in `eleengine.review`.
"""

from __future__ import annotations

from .._core import Move
from ..book import Book
from ..engines.types import InfoDict, Limit
from ..pieces import COLOR_NAMES, COLORS, RED
from ..records import Eval, Game, GameNode
from ..review import LOSSES, MoveReview, Seen, winning_chances
from ..review.result import judged
from ..score import Cp, MateGiven, PovScore
from .describe import Data, line_data
from .document import Document
from .pool import Job, Pool

RULE_SET = "axf"
GLYPHS = {"blunder": 4, "mistake": 2, "missed_mate": 2, "inaccuracy": 6}
LINE = 8  # plies of a better line that are written into the tree


async def review(document: Document, pool: Pool, limit: Limit, book: Book | None = None) -> Data:
    """Judge the main line of a document: scores, marks and better lines go into its tree.

    Tells "reviewed" after each position. A cancelled review keeps what it has. The answer is, for each side,
    its accuracy and how often it got each mark.
    """
    nodes: list[GameNode] = [document.game, *document.game.mainline()]
    seen: list[Seen] = []
    in_book = 0
    for place, node in enumerate(nodes):
        seen.append(await _look(node, pool, limit))
        node.eval = Eval(seen[-1].score, seen[-1].depth or None)
        if place and node.parent is not None:
            if book is not None and in_book == place - 1:
                in_book += any(entry.move == node.move for entry in book.find_all(node.parent.board()))
            found = _judge(node.parent, node, seen[-2:]) if in_book < place else None
            _mark(document, node, found)
        document.tell_node(node)
        document.tell({"type": "reviewed", "node": document.name(node), "done": place, "of": len(nodes) - 1})
    played = Game(document.game.start)
    played.play_line([node.move for node in nodes[1:] if node.move is not None])
    document.review = whole = judged(played, seen, COLORS, in_book, RULE_SET)
    return {
        COLOR_NAMES[side]: {
            "accuracy": whole.accuracy[side],
            "blunders": whole.marked(side, "blunder"),
            "mistakes": whole.marked(side, "mistake") + whole.marked(side, "missed_mate"),
            "inaccuracies": whole.marked(side, "inaccuracy"),
        }
        for side in COLORS
    }


def _judge(parent: GameNode, node: GameNode, seen: list[Seen]) -> MoveReview:
    """A single move, from what was seen before and after it."""
    step = Game(parent.board().fen())
    assert node.move is not None
    step.add(node.move)
    return judged(step, seen, COLORS, 0, RULE_SET).moves[0]


def _mark(document: Document, node: GameNode, found: MoveReview | None) -> None:
    """Put the mark of a move into the tree, and the better line beside it."""
    node.nags = tuple(nag for nag in node.nags if nag not in GLYPHS.values())
    if found is None or found.mark is None or node.parent is None:
        return
    node.nags += (GLYPHS[found.mark],)
    better = node.parent
    for text, *_ in line_data(better.board(), found.better, LINE):
        better = document.add(better, Move.from_iccs(text))


async def _look(node: GameNode, pool: Pool, limit: Limit) -> Seen:
    board = node.board()
    if verdict := board.repetition(RULE_SET):
        return Seen(_score_of_end(verdict.winner), (), 0)
    info = (await pool.search(Job(board, limit))).info
    return Seen(_score(info), tuple(info.get("pv", ())), info.get("depth", 0))


async def is_good(node: GameNode, move: Move, pool: Pool, limit: Limit) -> bool:
    """Does a move keep the winning chances, but for less than the least mark?"""
    board = node.board()
    side = board.turn
    before = (await pool.search(Job(board, limit))).info
    if before.get("pv", [])[:1] == [move]:
        return True
    board.push(move)
    if verdict := board.repetition(RULE_SET):
        after = _score_of_end(verdict.winner)
    else:
        after = _score((await pool.search(Job(board, limit))).info)
    loss = winning_chances(_score(before).pov(side)) - winning_chances(after.pov(side))
    return loss < min(least for least, _, _ in LOSSES)


def _score(info: InfoDict) -> PovScore:
    return info.get("score", PovScore(Cp(0), RED))


def _score_of_end(winner: bool | None) -> PovScore:
    return PovScore(Cp(0), RED) if winner is None else PovScore(MateGiven, winner)
