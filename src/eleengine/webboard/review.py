"""A game judged move by move: what each move cost in winning chances, and what was better."""

from __future__ import annotations

from .._core import Move
from ..engines.types import InfoDict, Limit
from ..pieces import COLOR_NAMES, RED
from ..records import Eval, GameNode
from ..score import Cp, MateGiven, PovScore
from .describe import Data, chances, line_data
from .document import Document
from .pool import Job, Pool

# Loss of winning chances from which a move gets its mark, a numeric glyph of PGN.
MARKS = ((0.20, 4), (0.10, 2), (0.05, 6))  # blunder ??, mistake ?, inaccuracy ?!
LINE = 8  # plies of the better line that are written into the tree


async def review(document: Document, pool: Pool, limit: Limit) -> Data:
    """Judge the main line of a document: scores, marks and better lines go into its tree.

    Tells "reviewed" after each position. A cancelled review keeps what it has.
    """
    nodes: list[GameNode] = [document.game, *document.game.mainline()]
    before = await _analyse(document, nodes[0], pool, limit, 0, len(nodes))
    losses: dict[str, list[float]] = {"red": [], "black": []}
    counts = {side: {nag: 0 for _, nag in MARKS} for side in losses}
    for place, node in enumerate(nodes[1:], 1):
        after = await _analyse(document, node, pool, limit, place, len(nodes))
        assert node.parent is not None
        side = node.parent.turn
        best = before.get("pv") or []
        loss = 0.0
        if "score" in before and "score" in after and best[:1] != [node.move]:
            loss = max(0.0, chances(before["score"].pov(side)) - chances(after["score"].pov(side)))
        losses[COLOR_NAMES[side]].append(loss)
        nag = next((nag for least, nag in MARKS if loss >= least), None)
        node.nags = tuple(n for n in node.nags if n not in (2, 4, 6)) + ((nag,) if nag else ())
        if nag and node.parent is not None:
            counts[COLOR_NAMES[side]][nag] += 1
            better = node.parent
            for move in best[:LINE]:
                if not better.board().is_legal(move):
                    break
                better = document.add(better, move)
        document.tell_node(node)
        document.tell(
            {
                "type": "reviewed",
                "node": document.name(node),
                "loss": round(loss, 3),
                "best": line_data(node.parent.board(), best[:1]),
                "done": place,
                "of": len(nodes) - 1,
            }
        )
        before = after
    return {
        side: {
            "moves": len(found),
            "accuracy": round(100 * (1 - sum(found) / len(found)), 1) if found else None,
            "blunders": counts[side][4],
            "mistakes": counts[side][2],
            "inaccuracies": counts[side][6],
        }
        for side, found in losses.items()
    }


async def _analyse(
    document: Document, node: GameNode, pool: Pool, limit: Limit, done: int, of: int
) -> InfoDict:
    board = node.board()
    if verdict := board.repetition():
        node.eval = Eval(_score_of_end(verdict.winner))
        return {"score": node.eval.score}
    info = (await pool.search(Job(board, limit))).info
    if "score" in info:
        node.eval = Eval(info["score"], info.get("depth"))
    return info


async def is_good(node: GameNode, move: Move, pool: Pool, limit: Limit) -> bool:
    """Does a move keep the winning chances, but for less than an inaccuracy?"""
    board = node.board()
    side = board.turn
    before = (await pool.search(Job(board, limit))).info
    if before.get("pv", [])[:1] == [move]:
        return True
    after = board.copy()
    after.push(move)
    if verdict := after.repetition():
        score = _score_of_end(verdict.winner)
    else:
        found = (await pool.search(Job(after, limit))).info
        if "score" not in found:
            return False
        score = found["score"]
    return "score" in before and chances(before["score"].pov(side)) - chances(score.pov(side)) < MARKS[-1][0]


def _score_of_end(winner: bool | None) -> PovScore:
    return PovScore(Cp(0), RED) if winner is None else PovScore(MateGiven, winner)
