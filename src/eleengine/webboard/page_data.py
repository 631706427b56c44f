"""Positions, moves, scores and verdicts as data for the page.

>>> from eleengine import Board
>>> sorted(board_data(Board())["legal"]["b0"])
['a2', 'c2']
>>> from eleengine.score import Cp
>>> score_and_chances(PovScore(Cp(66), BLACK))
{'cp': -66, 'win': 0.426}
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from .. import notation
from .._core import BaseBoard, Move, Piece
from ..board import Board
from ..marks import GIVEN, MARKS
from ..motifs import Explanation
from ..openings import opening_of
from ..pieces import BLACK, CANNON, COLOR_NAMES, RED, ROOK
from ..records import Arrow, Game, GameNode
from ..review import GLYPHS, LINE, Review, winning_chances
from ..rules import Verdict
from ..score import PovScore, score_data
from ..squares import square_name

Data = dict[str, Any]
#: The languages of the page, and what the library calls them.
LANGUAGES = {"en": "en", "zh-Hans": "zh", "zh-Hant": "zh-Hant"}


def score_and_chances(score: PovScore) -> Data:
    """For Red: centipawns or moves to the mate ("given" when it is on the board), and winning chances."""
    red = score.red()
    return {**score_data(red), "win": round(winning_chances(red), 3)}


def move_data(board: BaseBoard, move: Move) -> list[str]:
    """A move in ICCS, in simplified and traditional Chinese and in WXF."""
    return [
        move.iccs(),
        notation.chinese(board, move),
        notation.chinese(board, move, traditional=True),
        notation.wxf(board, move),
    ]


def line_data(board: BaseBoard, moves: Iterable[Move], max_moves: int = 16) -> list[list[str]]:
    """The moves of a line, each as ICCS and in the three notations; it ends at a move that is not legal."""
    board = BaseBoard.copy(board, stack=False)
    line: list[list[str]] = []
    for move in moves:
        if len(line) == max_moves or not (move and board.is_legal(move)):
            break
        line.append(move_data(board, move))
        board.push(move)
    return line


def board_data(board: Board) -> Data:
    """What the page needs to draw a position and to take moves on it."""
    verdict = board.repetition()
    legal: dict[str, list[str]] = {}
    for move in board.legal_moves:
        legal.setdefault(square_name(move.from_square), []).append(square_name(move.to_square))
    king = board.king(board.turn)
    return {
        "fen": board.fen(),
        "turn": COLOR_NAMES[board.turn],
        "number": board.fullmove_number,
        "legal": legal,
        "check": square_name(king) if king is not None and board.is_check() else None,
        "last": board.peek().iccs() if board.ply else None,
        "outcome": verdict_data(board, verdict) if verdict else None,
    }


def premoves_data(board: Board) -> dict[str, list[str]]:
    """For each piece of the side that is not to move, where it can be sent ahead.

    What stands in its way may be gone by then, and what stands there may be taken: a friend, too.

    >>> sorted(premoves_data(Board())["b9"])
    ['a7', 'c7', 'd8']
    """
    return {
        square_name(square): list(_reach(piece, square))
        for square, piece in board.piece_map().items()
        if piece.color != board.turn
    }


@cache
def _reach(piece: Piece, square: int) -> tuple[str, ...]:
    """Where a piece can go on an empty board; a cannon goes as far as a rook."""
    board = Board(None)
    board.set_piece_at(square, Piece(ROOK, piece.color) if piece.piece_type == CANNON else piece)
    return tuple(map(square_name, board.attacks(square)))


def verdict_data(board: Board, verdict: Verdict) -> Data:
    """How a game has ended, and of a repetition by which moves."""
    data: Data = {
        "winner": None if verdict.winner is None else COLOR_NAMES[verdict.winner],
        "reason": verdict.reason,
        "explanation": verdict.explanation,
    }
    if verdict.grades is not None:
        data["offences"] = [
            {
                "side": COLOR_NAMES[side],
                "kind": verdict.offences[index],
                "chases": [
                    {
                        "victim": _piece(board, chase.victim),
                        "attackers": [_piece(board, square) for square in chase.attackers],
                    }
                    for chase in verdict.chases[index]
                ],
            }
            for index, side in enumerate((RED, BLACK))
        ]
    return data


def _piece(board: BaseBoard, square: int) -> list[str]:
    """FEN letter and square."""
    return [str(board.piece_at(square)), square_name(square)]


def opening_after(board: BaseBoard, move: Move) -> list[str] | None:
    """The names of the opening whose position a move leads to, if it has one of its own."""
    after = BaseBoard.copy(board, stack=False)
    after.push(move)
    found = opening_of(after)
    return list(found.names) if found else None


def node_data(node: GameNode, node_id: int, parent: int, board: BaseBoard | None) -> Data:
    """A node of a tree; board is the position before its move, None at the start.

    opening: its names, where the position after the move has one.
    """
    data: Data = {"id": node_id}
    if node.move is not None and board is not None:
        iccs, *texts = move_data(board, node.move)
        data |= {"parent": parent, "move": iccs, "texts": texts}
        if opening := opening_after(board, node.move):
            data["opening"] = opening
    if node.comment:
        data["comment"] = node.comment
    if node.starting_comment:
        data["starting_comment"] = node.starting_comment
    if node.nags:
        data["nags"] = list(node.nags)
    if node.arrows:
        data["arrows"] = arrows_data(node.arrows)
    if node.eval is not None:
        data["score"] = score_and_chances(node.eval.score)
    return data


def arrows_data(arrows: Iterable[Arrow]) -> list[list[str]]:
    """Two squares and a color of each arrow."""
    return [[square_name(arrow.tail), square_name(arrow.head), arrow.color] for arrow in arrows]


def tree_data(game: Game, node_ids: dict[int, int]) -> list[Data]:
    """All nodes, each after its parent and siblings; node_ids by their identity."""
    found = []
    for node, board in game.walk():
        node_id = node_ids[id(node)]
        if node.parent is None:
            found.append(node_data(node, node_id, 0, None))
            continue
        move = board.pop()
        found.append(node_data(node, node_id, node_ids[id(node.parent)], board))
        board.push(move)
    return found


def true_lines(infos: Sequence[Any], before: Sequence[Any], number: int) -> list[Any]:
    """Choose the lines to show while an engine searches several: one for each move, best first.

    A search reports line by line, so `infos` mixes the depth that runs with the last depth. The lines of the
    new depth are shown, and for moves that it has not come to yet those of `before`, the last complete depth.
    """
    usable = [info for info in infos if "score" in info and info.get("pv")]
    depth = max((info.get("depth", 0) for info in usable), default=0)
    newest = [info for info in usable if info.get("depth", 0) == depth]
    older = [info for info in usable if info.get("depth", 0) < depth]
    lines: dict[Any, Any] = {}
    for info in (*newest, *before, *older):
        lines.setdefault(info["pv"][0], info)
    return sorted(lines.values(), key=lambda info: info["score"].relative, reverse=True)[:number]


def is_complete(lines: Sequence[Any]) -> bool:
    """Are all lines of one depth?"""
    return len({line.get("depth", 0) for line in lines}) == 1


def marks_data() -> list[Data]:
    """All marks, and what several of those that reviews give are called."""
    return [
        {
            "name": mark.name,
            "sign": mark.sign,
            "nag": mark.nag,
            "words": [mark.plurals[code].capitalize() for code in LANGUAGES.values()] if mark.words else None,
        }
        for mark in MARKS
    ]


def review_data(review: Review, path: Sequence[int]) -> Data:
    """Each side's accuracy, how often it got each mark, and what there is to say of each move.

    mistakes: of each marked move its ply, cost, reason in words, the better line and the answers to it.
    path: ids of the start and of the nodes of its moves, as far as they are in the tree.
    """
    sides = {
        COLOR_NAMES[side]: {
            "accuracy": review.accuracy[side],
            "marks": {
                mark.name: sum(review.marked(side, other.name) for other in GIVEN if other.nag == mark.nag)
                for mark in MARKS
                if mark.words
            },
        }
        for side in (RED, BLACK)
    }
    nodes: list[Data] = [{"id": path[0], "score": score_and_chances(review.moves[0].before)}]
    mistakes: list[Data] = []
    board = Board(review.game.start)
    for index, found in enumerate(review.moves, 1):
        loss, better = round(100 * found.loss), line_data(board, found.better, LINE if found.mark else 1)
        board.push(found.move)
        if found.mark is not None:
            mistakes.append(
                {
                    "ply": found.ply,
                    "loss": loss,
                    "mate": found.mate,
                    "why": why_data(review.explanation(found)),
                    "better": better,
                    "refutation": line_data(board, found.refutation, LINE),
                }
            )
        if index < len(path):
            score = score_and_chances(found.after)
            data: Data = {"id": path[index], "score": score, "loss": loss, "better": better[:1]}
            if found.in_book:
                data["book"] = True
            if found.mark is not None:
                data |= {"mark": found.mark, "nag": GLYPHS[found.mark]}
            if found.ending is not None:
                data["ending"] = found.ending
            nodes.append(data)
    return {**sides, "mistakes": mistakes, "nodes": nodes}


def why_data(why: Explanation | None) -> Data | None:
    """Why a move was a mistake, in the languages of the page."""
    return {name: why.text(code) for name, code in LANGUAGES.items()} if why else None


def infos_data(board: BaseBoard, infos: Sequence[Any]) -> list[Data]:
    """Lines of an engine, best first; those without a score or a move are left out."""
    return [
        {
            **score_and_chances(info["score"]),
            "depth": info.get("depth", 0),
            "moves": line_data(board, info["pv"]),
        }
        for info in infos
        if "score" in info and info.get("pv")
    ]
