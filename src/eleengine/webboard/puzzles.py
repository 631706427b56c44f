"""The puzzles of the project, tried on a document: the right move is answered, a wrong one is taken back."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from functools import cache
from typing import Any

from .._core import Move
from .._internal.folders import named_file
from .._internal.traditional import traditional
from ..board import Board
from ..engines.types import Limit
from ..motifs import NAMES
from ..pieces import COLOR_NAMES
from ..records import Game, GameNode
from ..squares import square_name
from .document import Document, parse_move
from .errors import RequestError
from .page_data import Data
from .pool import Pool, PoolJob
from .store import Store

#: Files of positions: mates out of games, and puzzles that people have made.
FILES = ("mates", "puzzles")
PROOF = 2.0  # seconds for the engine to prove that another move wins, too
REPLY = Limit(time=0.3)


@cache
def puzzles() -> list[dict[str, Any]]:
    """All puzzles, the short and easy ones first."""
    found = []
    for name in FILES:
        with open(named_file(name), encoding="utf-8") as file:
            found += [json.loads(line) for line in file]
    return sorted(found, key=lambda one: (one.get("win_in_plies", 1000), puzzle_level(one), one["id"]))


@cache
def _by_position() -> dict[str, dict[str, Any]]:
    return {_position(puzzle["fen"]): puzzle for puzzle in puzzles()}


def _position(fen: str) -> str:
    """Pieces and side to move."""
    return " ".join(fen.split()[:2])


def puzzle_of(document: Document) -> dict[str, Any]:
    """The puzzle of a document, which begins with its position; RequestError if it is no longer there."""
    found = _by_position().get(_position(document.game.start))
    if found is None:
        raise RequestError("no-puzzle", "this puzzle is no longer there")
    return found


def puzzle_level(puzzle: dict[str, Any]) -> int:
    """The step of difficulty, 1 to 6: that of a mate in its file, otherwise by its length."""
    moves = puzzle_moves(puzzle) or 7
    level: int = puzzle.get("level") or (4 if moves <= 3 else 5 if moves <= 6 else 6)
    return level


def puzzle_names(puzzle: Data) -> list[str] | None:
    """The name of a puzzle, in English as it is, in simplified and in traditional characters."""
    name = puzzle.get("name")
    return [name, name, traditional(name)] if name else None


def puzzle_list(store: Store) -> list[Data]:
    """Each by its number and id: names, length in moves, level, themes, and how far it was solved.

    progress: "solved", "helped" or "tried".
    """
    progress = store.kept("progress")
    return [
        {
            "number": number,
            "id": puzzle["id"],
            "names": puzzle_names(puzzle),
            "moves": puzzle_moves(puzzle),
            "kind": puzzle["class"],
            "level": puzzle_level(puzzle),
            "themes": puzzle.get("themes", []),
            "progress": progress.get(puzzle["id"]),
        }
        for number, puzzle in enumerate(puzzles())
    ]


def theme_names() -> dict[str, tuple[str, str, str]]:
    """The names of the themes that puzzles have: English, simplified and traditional Chinese."""
    used = {theme for puzzle in puzzles() for theme in puzzle.get("themes", ())}
    return {theme: names for theme, names in NAMES.items() if theme in used}


def choose_puzzle(store: Store, how: str, last: int = -1, level: int | None = None) -> int:
    """Return the number of the "next" unsolved puzzle after the last one, or of a "random" one.

    level: of this step of difficulty; when all of them are solved, one that was. RequestError if all
    puzzles are solved.
    """
    progress = store.kept("progress")
    wanted = [n for n, puzzle in enumerate(puzzles()) if level is None or puzzle_level(puzzle) == level]
    unsolved = [n for n in wanted if progress.get(puzzles()[n]["id"]) != "solved"]
    if not unsolved and level is None:
        raise RequestError("all-solved", "all puzzles are solved")
    if how == "random":
        return random.choice(unsolved or wanted)
    return next((number for number in unsolved if number > last), (unsolved or wanted)[0])


def _record(document: Document) -> None:
    """Keep how far the puzzle of a document was solved; what was better before stays."""
    state = document.puzzle
    assert state is not None
    found = "tried"
    if state["state"] != "open":
        found = "helped" if state["state"] == "shown" or state.get("helped") else "solved"
    name = puzzle_of(document)["id"]
    progress = document.store.kept("progress")
    ranks = (None, "tried", "helped", "solved")
    if ranks.index(found) > ranks.index(progress.get(name) if progress.get(name) in ranks else None):
        with suppress(OSError):
            document.store.keep("progress", progress | {name: found})


def puzzle_moves(puzzle: dict[str, Any]) -> int | None:
    """Moves to the mate; None where it is not a mate."""
    plies: int | None = puzzle.get("win_in_plies")
    return None if plies is None else (plies + 1) // 2


def open_puzzle(store: Store, number: object) -> Document:
    """A document with a puzzle; RequestError if there is none of this number."""
    if type(number) is not int or not 0 <= number < len(puzzles()):
        raise RequestError("no-puzzle", f"there are puzzles 0 to {len(puzzles()) - 1}")
    puzzle = puzzles()[number]
    document = Document(store, Game(puzzle["fen"], headers={"Title": puzzle.get("name") or puzzle["id"]}))
    document.puzzle = {
        "number": number,
        "names": puzzle_names(puzzle),
        "moves": puzzle_moves(puzzle),
        "kind": puzzle["class"],
        "level": puzzle_level(puzzle),
        "themes": [NAMES[theme] for theme in puzzle.get("themes", ())],
        "side": COLOR_NAMES[Board(puzzle["fen"]).turn],
        "state": "open",
        "tries": 0,
    }
    return document


async def attempt(document: Document, node_id: int, text: str, pool: Pool) -> Data:
    """Try a move: {"right": bool, "node": where the board stands then}."""
    state = document.puzzle
    assert state is not None
    puzzle = puzzle_of(document)
    node = document.node(node_id)
    board = node.board()
    move = parse_move(board, text)
    if not await _is_right(puzzle, node, board, move, pool):
        document.set_puzzle(tries=state["tries"] + 1)
        _record(document)
        return {"right": False, "node": node_id}
    played = document.add(node, move)
    board.push(move)
    if board.is_game_over() or not _line(puzzle):
        state["state"] = "solved"
    else:
        played = await _answer(document, played, board, puzzle, pool)
    document.at = document.node_id(played)
    document.set_puzzle()
    _record(document)
    return {"right": True, "node": document.at}


async def _is_right(puzzle: dict[str, Any], node: GameNode, board: Board, move: Move, pool: Pool) -> bool:
    if move == _following(_line(puzzle), node):
        return True
    if node.ply == 0 and move.iccs() in (*puzzle["best"], *puzzle.get("also_good", ())):
        return True
    plies = puzzle.get("win_in_plies")
    if plies is None:
        return False
    # Another way to the mate in time is as good.
    solver = board.turn
    after = board.copy()
    after.push(move)
    if after.is_checkmate() or after.is_stalemate():
        return True
    left = (plies - node.ply - 1) // 2
    if left < 1:
        return False
    found = await pool.search(PoolJob(after, Limit(time=PROOF, mate=left)))
    score = found.info.get("score")
    moves = score.pov(solver).mate() if score is not None else None
    return moves is not None and 0 < moves <= left


async def _answer(
    document: Document, played: GameNode, board: Board, puzzle: dict[str, Any], pool: Pool
) -> GameNode:
    """The defence: that of the line, or the engine's."""
    move = _following(_line(puzzle), played) or (await pool.search(PoolJob(board, REPLY))).move
    return document.add(played, move) if move else played


def hint(document: Document) -> Data:
    """The piece that moves first; for moves off the line nothing is known."""
    move = _following(_solution(puzzle_of(document)), document.node(document.at))
    document.set_puzzle(helped=True)
    return {"square": None if move is None else square_name(move.from_square)}


def solution(document: Document) -> int:
    """Write the solution into the tree and return the number of its first move's node."""
    first = document.show_solution(document.game, _solution(puzzle_of(document)))
    _record(document)
    return first


def _line(puzzle: dict[str, Any]) -> list[Move]:
    return [Move.from_iccs(text) for text in puzzle.get("line", ())]


def _solution(puzzle: dict[str, Any]) -> list[Move]:
    return _line(puzzle) or [Move.from_iccs(puzzle["best"][0])]


def _following(line: list[Move], node: GameNode) -> Move | None:
    """The move of a line behind a node; None off the line, and at its end."""
    return line[node.ply] if line[: node.ply] == node.moves() and node.ply < len(line) else None
