"""Judge a game by the rules: repetition, perpetual check and chase, counted draws, mate.

The game is a position and the moves from it, as in UCCI: FEN moves h2e2 h9g7 ..., a line of a log with the
command position, or a file of records, of which all games are judged. The verdict is the first one that ends
the game, with the ply at which it falls.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

from .._core import BaseBoard
from ..position_text import play_texts
from ..records import Game
from ..rules import COUNTED_CHECKS, NO_CAPTURE_LIMIT, RULE_SETS, Verdict, judge
from ..tables.words import describe
from . import CommandError, add_number, warn
from .shared.arguments import (
    add_position,
    add_tables,
    all_records,
    checked_game,
    is_file,
    read_board,
    read_tables,
    refuse_record_position,
)
from .shared.suite import read_fen, read_suite

RESULTS = ("none", "draw", "red_loses", "black_loses")
ORDINALS = {2: "second", 3: "third"}


class JudgeCase(NamedTuple):
    """One line of a suite."""

    name: str
    tier: str
    board: BaseBoard
    rule_set: str
    verdict: str
    reason: str | None  # None: any will do


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add_tables(parser)
    parser.set_defaults(number=None)
    parser.add_argument(
        "--suite",
        metavar="FILE",
        help='judge a file of JSON lines: {"id": .., "fen": .., "moves": [..], "verdict": ..}; "rule_set", '
        '"reason" and "tier" may be there, and wrong cases of the tier "disputed" are only reported',
    )
    parser.add_argument("--rules", choices=RULE_SETS, default="axf", help="the rule set (default: axf)")
    add_number(
        parser, "--occurrences", 2, 1000, default=3, help="how often a position must stand to be judged"
    )
    text = "plies without a capture that draw; 0: no limit"
    add_number(parser, "--no-capture-limit", 0, 100_000, default=NO_CAPTURE_LIMIT, metavar="PLIES", help=text)
    text = "checks of each side among these plies that are counted"
    add_number(parser, "--counted-checks", 0, 100_000, default=COUNTED_CHECKS, help=text)


def run(args: argparse.Namespace) -> int:
    limits = {
        "occurrences": args.occurrences,
        "no_capture_limit": args.no_capture_limit or None,
        "counted_checks": args.counted_checks,
    }
    if args.suite is not None:
        if args.game:
            raise CommandError("--suite goes without a game")
        refuse_record_position(args)
        bad: list[str] = []
        cases = read_suite(args.suite, lambda data, number: read_case(data, number, args.rules), bad=bad)
        status = run_suite(cases, limits)
        return 1 if bad else status
    if len(args.game) == 1 and is_file(args.game[0]) and args.number is None and args.ply is None:
        games = all_records(args.game[0])
        first = list(islice(games, 2))
        if len(first) > 1:
            return judge_all(args.game[0], chain(first, games), args, limits)
        for number, game in first:
            report(board_of(game, args.game[0], number), args, limits)
    else:
        report(need_game(read_board(args)), args, limits)
    return 0


def judge_all(
    path: str, games: Iterable[tuple[int, Game]], args: argparse.Namespace, limits: dict[str, Any]
) -> int:
    """Print the verdict on each game with its number in the file; 1 if one cannot be judged."""
    status = 0
    for number, game in games:
        try:
            board = board_of(game, path, number)
        except CommandError as error:
            warn(str(error))
            status = 1
        else:
            print(f"{number:>6}  {verdict_line(board, *decide(board, args.rules, limits))}")
    return status


def board_of(game: Game, path: str, number: int) -> BaseBoard:
    """The end of a game of a file; errors as for `checked_game` and `need_game`."""
    return need_game(checked_game(game, path, number).end().board(), f"{path}: game {number}: ")


def need_game(board: BaseBoard, where: str = "") -> BaseBoard:
    """The board; CommandError if somebody has passed."""
    for number, move in enumerate(board.move_stack, 1):
        if not move:
            raise CommandError(f"{where}move {number}: a game has no null moves")
    return board


def decide(board: BaseBoard, rule_set: str, limits: dict[str, Any]) -> tuple[BaseBoard, Verdict]:
    """The first position of the game that decides it, or else the last, with the verdict."""
    earlier = BaseBoard.root(board)
    for move in board.move_stack:
        if verdict := judge(earlier, rule_set, **limits):
            return earlier, verdict
        earlier.push(move)
    return earlier, judge(earlier, rule_set, **limits)


def verdict_line(board: BaseBoard, earlier: BaseBoard, verdict: Verdict) -> str:
    """The verdict in a line."""
    if not verdict:
        return f"none after {board.ply} plies"
    return f"{verdict} ({verdict.reason}) {ply_text(board, earlier)}"


def ply_text(board: BaseBoard, earlier: BaseBoard) -> str:
    move = f" ({earlier.peek()})" if earlier.ply else ""
    return f"at ply {earlier.ply} of {board.ply}{move}"


def report(board: BaseBoard, args: argparse.Namespace, limits: dict[str, Any]) -> None:
    earlier, verdict = decide(board, args.rules, limits)
    print(f"verdict {verdict}")
    print(f"reason {verdict.reason}")
    print(verdict.explanation)
    if verdict:
        print(f"decided {ply_text(board, earlier)}")
    if earlier.ply < board.ply:
        last = judge(board, args.rules, **limits)
        print(f"at the end, after {board.ply} plies: {last} ({last.reason})")
    elif not verdict:
        for line in repeated(board, args.rules, limits):
            print(line)
    tables = read_tables(args)
    limit = limits["no_capture_limit"]
    if tables is not None and not verdict and (known := describe(tables, board, limit=limit)):
        print(f"table {known}")
    print(
        f"rules {args.rules}, {earlier.no_capture_plies(args.counted_checks)} plies on the no-capture count"
    )
    if verdict.grades is not None:
        print(f"grades red {verdict.grades[0]}, black {verdict.grades[1]}")
        print(f"repetition of {len(verdict.moves)} plies")
        for note in verdict.moves:
            print(f"  {note}")


def repeated(board: BaseBoard, rule_set: str, limits: dict[str, Any]) -> Iterator[str]:
    """What to say of a position that has stood before, though not often enough to be judged."""
    earlier = BaseBoard.copy(board)
    plies = []
    for ply in range(board.ply, -1, -1):
        if earlier.key == board.key:
            plies.append(ply)
        if ply:
            earlier.pop()
    times = len(plies)
    if times > 1:
        name = ORDINALS.get(times, f"{times}th")
        yield f"the position stands for the {name} time; it first did after ply {plies[-1]}"
    if 1 < times == limits["occurrences"] - 1:
        coming = judge(board, rule_set, **{**limits, "occurrences": times})
        yield f"once more by the same moves: {coming} ({coming.reason})"


def run_suite(cases: list[JudgeCase], limits: dict[str, Any]) -> int:
    """Print what is wrong and the figures of each tier; 1 when a case that is not disputed is wrong."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for case in cases:
        verdict = judge(case.board, case.rule_set, **limits)
        if str(verdict) == case.verdict and case.reason in (None, verdict.reason):
            right[case.tier] += 1
            continue
        wrong[case.tier] += 1
        expected = f"{case.verdict} ({case.reason})" if case.reason else case.verdict
        print(f"{case.name}: expected {expected}, found {verdict} ({verdict.reason}): {verdict.explanation}")
    for tier in dict.fromkeys(case.tier for case in cases):
        print(f"{tier:<12} {right[tier]:>5} right {wrong[tier]:>5} wrong")
    print(f"{'all':<12} {right.total():>5} right {wrong.total():>5} wrong")
    return 1 if wrong.total() > wrong["disputed"] else 0


def read_case(data: dict[str, Any], number: int, rule_set: str) -> JudgeCase:
    """The game of a line, played; rule_set is for lines that name none."""
    moves, reason = data.get("moves"), data.get("reason")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise ValueError('"moves" must be a list of texts')
    if data.get("verdict") not in RESULTS:
        raise ValueError(f'"verdict" must be one of {", ".join(RESULTS)}')
    if not (reason is None or isinstance(reason, str)):
        raise ValueError('"reason" must be a text')
    rule_set = data.get("rule_set", rule_set)
    if rule_set not in RULE_SETS:
        raise ValueError(f'"rule_set" must be one of {", ".join(RULE_SETS)}')
    board = read_fen(data)
    play_texts(board, moves)
    if not all(board.move_stack):
        raise ValueError("a game has no null moves")
    name, tier = str(data.get("id", f"line {number}")), str(data.get("tier", "cases"))
    return JudgeCase(name, tier, board, rule_set, data["verdict"], reason)
