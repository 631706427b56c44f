"""A thesis's program as an engine, under the names of python-chess as `eleengine.Engine` has them.

>>> from eleengine import Board, Limit
>>> with ThesisEngine() as engine:
...     result = engine.play(Board(), Limit(depth=4))
>>> result.move in Board().legal_moves, result.info["depth"]
(True, 4)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from .._core import BaseBoard, Move, ThesisInfo, ThesisSearch
from .._internal.closing import Closing
from .._internal.copying import NotCopied
from ..board import Board
from ..engines.types import InfoDict, Limit, PlayResult, SearchArguments, check_request, shown
from ..pieces import Color
from ..rules import rule_set_number
from ..score import MATE_FROM, PovScore
from .programs import PROGRAMS, Program

MAX_DEPTH = 60  # of a ThesisSearch


def allowed_moves(board: Board, rule_set: str = "axf") -> list[Move]:
    """The legal moves but those that lose by the rules of repetition; all if there is no other one.

    A move loses if it ends the game so, or a reply to it does. The theses' searches do not judge repetitions;
    without this a winning program would give perpetual check.
    """
    moves = list(board.legal_moves)
    stood = _occurrences(board)
    board = board.copy()
    mover = board.turn
    kept = []
    for move in moves:
        board.push(move)
        if not stood[board.key] or not _loses(board, stood, mover, rule_set):
            kept.append(move)
        board.pop()
    return kept or moves


def _occurrences(board: Board) -> Counter[int]:
    """How often each position of the game has stood, by key."""
    board = board.copy()
    stood = Counter([board.key])
    for _ in range(len(board.move_stack)):
        board.pop()
        stood[board.key] += 1
    return stood


def _loses(board: Board, stood: Counter[int], side: Color, rule_set: str) -> bool:
    """Has the side lost, or does it when the other repeats a position once more?"""
    end = board.outcome(rule_set=rule_set)
    if end is not None:
        return end.winner == (not side)
    for reply in list(board.legal_moves):
        board.push(reply)
        end = board.outcome(rule_set=rule_set) if stood[board.key] >= 2 else None
        board.pop()
        if end is not None and end.winner == (not side):
            return True
    return False


class ThesisEngine(Closing, NotCopied):
    """The program of a thesis, with its own table, for one search at a time.

    program: a name of `PROGRAMS`, or a `Program`. hash_mib, threads: as for `ThesisSearch`.
    rule_set: by which it plays no move that loses at once. options: what is to be other than the program has
    it, by the names of `programs.OPTIONS`, as `ThesisSearch` takes them. ValueError for a value out of range.
    """

    def __init__(
        self,
        program: str | Program = "thesis",
        *,
        hash_mib: int = 64,
        threads: int = 1,
        rule_set: str = "axf",
        **options: Any,
    ) -> None:
        if not isinstance(program, Program):
            if program not in PROGRAMS:
                raise ValueError(f"no program {program!r}: {', '.join(PROGRAMS)}")
            program = PROGRAMS[program]
        rule_set_number(rule_set)  # ValueError
        self.program = program
        self.rule_set = rule_set
        self._search = ThesisSearch(hash_mib=hash_mib, threads=threads, **program.search(options))
        self._game: object = None

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        report: Callable[[InfoDict], object] | None = None,
    ) -> PlayResult:
        """Search for a move to play; the move is None when there is none.

        limit: a clock counts as its share for this move; a mate in n as a depth of 2 n - 1.
        game: when it differs from the last call's, the table is emptied.
        root_moves: consider only these. report: gets what each iteration has found.
        ValueError for a limit that is out of range or would never end the search.
        """
        check_request(board, limit)
        arguments = limit.arguments(board.turn)
        if not any(arguments.values()):
            raise ValueError("a search needs a limit that ends it")
        if game is not None and game != self._game:
            self._game = game
            self.clear()
        infos = self.iterations(
            board,
            arguments,
            root_moves=root_moves,
            report=None if report is None else lambda info: report(self.info(board, info)),
        )
        if not infos:
            return PlayResult(None, None)
        return PlayResult(infos[-1].move, None, self.info(board, infos[-1]))

    def iterations(
        self,
        board: Board,
        arguments: SearchArguments,
        *,
        root_moves: Iterable[Move] | None = None,
        report: Callable[[ThesisInfo], object] | None = None,
    ) -> list[ThesisInfo]:
        """The iterations of a search with the arguments of the core; to MAX_DEPTH if none of them ends it."""
        depths = [depth for depth in (arguments["depth"], 2 * arguments["mate"] - 1) if depth > 0]
        ms = arguments["optimum_ms"] or arguments["maximum_ms"]
        if not (depths or ms or arguments["nodes"]):
            depths = [MAX_DEPTH]
        allowed = allowed_moves(board, self.rule_set)
        if root_moves is not None:
            wanted = list(root_moves)
            allowed = [move for move in allowed if move in wanted] or wanted
        infos = self._search.search(
            board,
            depth=min(min(depths), MAX_DEPTH) if depths else None,
            nodes=arguments["nodes"] or None,
            time=ms / 1000 if ms else None,
            root_moves=None if len(allowed) == len(board.legal_moves) else allowed,
            report=report,
        )
        if not infos and allowed:  # stopped at once, and yet a move is wanted
            infos = self._search.search(board, depth=1, root_moves=allowed)
        return infos

    def analyse(
        self, board: Board, limit: Limit, *, report: Callable[[InfoDict], object] | None = None
    ) -> InfoDict:
        """What the program thinks of a position; as for `play`."""
        return self.play(board, limit, report=report).info

    def info(self, board: Board, found: ThesisInfo) -> InfoDict:
        """An iteration in the words of python-chess; scores are centipawns."""
        return shown({
            "depth": found.depth,
            "score": PovScore.from_core(centipawns(found.score, self.program.scale), board.turn),
            "pv": [found.move],
            "nodes": found.leaves + found.nodes,
            "nps": round((found.leaves + found.nodes) / max(found.seconds, 1e-6)),
            "time": found.seconds,
        })  # fmt: skip

    def evaluate(self, board: BaseBoard) -> int:
        """What the program thinks of a position without a search, in centipawns."""
        return centipawns(self._search.evaluate(board), self.program.scale)

    def probe(self, board: BaseBoard) -> tuple[Move | None, int, int, str] | None:
        """(move or None, centipawns, depth, 'exact' | 'lower' | 'upper') of its table's entry, or None."""
        if (found := self._search.probe(board)) is None:
            return None
        move, score, depth, bound = found
        return move, centipawns(score, self.program.scale), depth, bound

    @property
    def hashfull(self) -> int:
        """Entries of the table that are taken, per mille."""
        return self._search.hashfull

    def stop(self) -> None:
        """End the search under way in another thread: it plays the best move of its last iteration."""
        self._search.stop()

    def clear(self) -> None:
        """Forget what earlier searches have learnt."""
        self._search.clear()


def centipawns(score: int, scale: float) -> int:
    """A value of the program in centipawns; a mate in n plies stays MATE - n."""
    if abs(score) >= MATE_FROM:
        return score
    return max(1 - MATE_FROM, min(MATE_FROM - 1, round(score / scale)))
