"""Make, show, merge, prune, convert and check opening books."""

from __future__ import annotations

import argparse
import json
import os
import sys
import zlib
from contextlib import ExitStack, closing
from typing import Any

from .._internal.live import Progress
from .._version import __version__
from ..board import Board
from ..book import FORMATS, SHIPPED, Book, BookError, Entry, open_book, own, sqlite
from ..book.make import MARGIN, MIN_GAMES, PLIES, Counter, Question, ask, questions, verify
from ..book.tools import check, format_of, merge, prune, save
from ..games.reading import UnreadableFileError, read_played
from ..jobs.identity import engine_identity
from ..jobs.journal import Journal
from . import CommandError, add_number, goes_with, input_errors, whole_number
from .shared.arguments import add_position, read_board
from .shared.outputs import add_file, check_output
from .shared.writing import MoveWriter, add_notation

COUNT = whole_number(0, 1 << 32)
SCORE = whole_number(-30_000, 30_000)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    jobs = parser.add_subparsers(dest="job", required=True, metavar="JOB")
    job = jobs.add_parser("make", help="count the first moves of games; with --verify the engine judges them")
    job.add_argument("games", nargs="+", metavar="GAMES", help="records of any format, or files of games")
    add_out(job)
    add_number(job, "--plies", 1, 400, default=PLIES, help="of a game")
    job.add_argument(
        "--min-games", type=COUNT, default=MIN_GAMES, metavar="N", help="that a move needs (%(default)s)"
    )
    add_number(job, "--verify", 1, 10**12, metavar="NODES", help="search each position")
    text = "below the best from which a move is never played"
    add_number(job, "--margin", 1, 30_000, default=MARGIN, metavar="CP", help=text)
    add_number(job, "--threads", 1, 256, default=1, metavar="T", help="for --verify")
    goes_with(job, "--verify", "--margin", "--threads")
    job.add_argument("--source", default="", help="kept in the book: who made the games, which licence")

    job = jobs.add_parser("show", help="what a book says of itself, and its moves in a position")
    job.add_argument("book", metavar="BOOK", help="a file, or masters for the book that comes with eleengine")
    add_position(job)
    add_notation(job)
    job.add_argument("--json", action="store_true", help="as one JSON object")

    job = jobs.add_parser("merge", help="one book out of several: weights and results are added")
    job.add_argument("books", nargs="+", metavar="BOOK")
    add_out(job)

    job = jobs.add_parser("prune", help="keep some moves of a book")
    job.add_argument("book", metavar="BOOK")
    add_out(job)
    job.add_argument("--min-games", type=COUNT, default=0, metavar="N", help="played so often")
    job.add_argument("--min-weight", type=COUNT, default=0, metavar="W", help="1 leaves out losing moves")
    job.add_argument("--min-score", type=SCORE, metavar="CP", help="for the mover, if there is a score")
    add_number(job, "--max-moves", 1, 128, help="the heaviest of a position")
    add_number(job, "--plies", 1, 10_000, help="so far from the start")

    job = jobs.add_parser("convert", help="write a book in another format")
    job.add_argument("book", metavar="BOOK")
    add_out(job)

    job = jobs.add_parser("check", help="read books and walk through them by the rules; 1 if one is faulty")
    job.add_argument("books", nargs="+", metavar="BOOK")


def add_out(parser: argparse.ArgumentParser) -> None:
    """The book to write."""
    add_file(parser, "out", metavar="OUT")
    parser.add_argument("--to", choices=FORMATS, help="format of OUT (default: by its suffix)")


def run(args: argparse.Namespace) -> int:
    if "out" in args:
        check_output(args.out, force=None)
    with input_errors(BookError, UnreadableFileError):
        return {
            "make": run_make, "show": run_show, "merge": run_merge, "prune": run_prune,
            "convert": run_convert, "check": run_check,
        }[args.job](args)  # fmt: skip


def open_named(name: str) -> Book:
    return open_book(SHIPPED if name == "masters" else name)


# make


def run_make(args: argparse.Namespace) -> int:
    counter = Counter(args.plies)
    faults: list[str] = []
    with Progress() as progress:
        for path in args.games:
            for number, game in enumerate(read_played(path, faults.append), 1):
                if game is None:
                    continue
                if game.result == "*":
                    faults.append(f"{path}: game {number}: no result")
                    continue
                counter.add(game.moves, game.result, game.start)
                progress.tell(lambda _: f"{counter.games:,} games")
    table = counter.table(min_games=args.min_games)
    table.info = {
        "made by": f"eleengine {__version__} book make",
        "games": counter.games,
        "of": [os.path.basename(path) for path in args.games],
        "plies": args.plies,
        "min games": args.min_games,
        **({"source": args.source} if args.source else {}),
    }
    if faults:
        print(f"{len(faults)} games are faulty or left out, the first: {faults[0]}", file=sys.stderr)
    if args.verify:
        scores = ask_engine(args, questions(table))
        lost = verify(table, scores, margin=args.margin)
        table.info["verify"] = {"nodes": args.verify, "margin": args.margin, "losing moves": lost}
        print(f"{counter.games:,} games; {lost:,} moves lose and are never played")
    else:
        print(f"{counter.games:,} games")
    written = write(table, args.out, args.to)
    if args.verify:
        os.remove(journal_of(args.out))
    return written


class ScoreJournal(Journal):
    """What the engine has answered so far: a key and its score a line."""

    work = "verification"

    def __init__(self, path: str, plan: dict[str, Any]) -> None:
        self.scores: dict[int, int] = {}
        super().__init__(path, plan)

    def _take(self, found: dict[str, Any]) -> None:
        self.scores[int(found["key"])] = int(found["score"])

    def add(self, key: int, score: int) -> None:
        self.scores[key] = score
        self._write({"key": key, "score": score})


def journal_of(out: str) -> str:
    return f"{out}.scores"


def plan_of(nodes: int, wanted: list[Question]) -> dict[str, Any]:
    """What the answers depend on."""
    return {
        "format": "eleengine scores 2",
        "version": __version__,
        "engines": [engine_identity()],
        "nodes": nodes,
        "positions": zlib.crc32("\n".join(question.fen for question in wanted).encode()),
    }


def ask_engine(args: argparse.Namespace, wanted: list[Question]) -> dict[int, int]:
    """The engine's answers, kept in a journal beside the book until it is written."""
    with input_errors():
        journal = ScoreJournal(journal_of(args.out), plan_of(args.verify, wanted))
    known = len(journal.scores)

    def text(seconds: float) -> str:
        left = len(wanted) - len(journal.scores)
        minutes = seconds / 60 * left / (len(journal.scores) - known)
        return f"{left:,} of {len(wanted):,} positions, {minutes:.0f} minutes left"

    with journal, Progress() as progress:
        new = [question for question in wanted if question.key not in journal.scores]
        with closing(ask(new, args.verify, threads=args.threads)) as answers:
            for question, score in answers:
                journal.add(question.key, score)
                progress.tell(text)
    return journal.scores


def write(book: Book, out: str, name: str | None) -> int:
    """Write the book and report its size; exit status 0. CommandError if it has no moves."""
    name = name or format_of(out)
    moves, lost = len(book), losses(book, name)
    if not moves:
        raise CommandError(f"no moves are left: {out} is not written")
    info = book.info if name == "own" else None
    written = save(book, out, name, info)
    print(f"{out}: {written:,} moves, {os.path.getsize(out):,} bytes")
    if written < moves:
        why = {
            "eleeye": "have the weight 0, or cannot be reached from the start, so that their key is unknown",
            "obk": "have a key that the format cannot hold",
        }.get(name, "are there twice or cannot be reached from the start")
        print(f"{moves - written:,} moves are left out: they {why}", file=sys.stderr)
    for loss in lost:
        print(loss, file=sys.stderr)
    return 0


def losses(book: Book, name: str) -> list[str]:
    """What a format has no place for, in words."""
    notes = results = scores = large = 0
    most = own.MOST if name == "own" else sqlite.MOST
    for _, entry in book.rows():
        notes += bool(entry.note) and name in ("own", "eleeye")
        results += bool(entry.games) and name == "eleeye"
        scores += entry.score is not None and (name == "eleeye" or (name != "own" and bool(entry.note)))
        large += max(entry.weight, entry.wins, entry.draws, entry.losses) > most and name != "eleeye"
    found = [
        f"{count:,} {what} are left out: the format has no place for them"
        for count, what in ((notes, "notes"), (results, "results"), (scores, "scores"))
        if count
    ]
    if large:
        found.append(f"the numbers of {large:,} moves are cut to {most:,}")
    if book.info and name != "own":
        found.append(f"what the book says of itself is left out: {', '.join(book.info)}")
    return found


# show


def run_show(args: argparse.Namespace) -> int:
    board = read_board(args)
    with open_named(args.book) as book:
        entries = book.find_all(board)
        size = os.path.getsize(book.path)
        facts = {"format": book.format, "bytes": size, "moves": len(book), **book.info}
        if args.json:
            moves = [{**entry._asdict(), "move": entry.move.iccs()} for entry in entries]
            print(json.dumps({"book": facts, "fen": board.fen(), "moves": moves}, ensure_ascii=False))
            return 0
    if not args.game:
        for name, value in facts.items():
            text = f"{value:,}" if isinstance(value, int) else value
            print(f"{name}: {text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)}")
        print()
    else:
        print(board.fen())
    print(table_text(board, entries, MoveWriter(args)))
    return 0


def table_text(board: Board, entries: list[Entry], writer: MoveWriter) -> str:
    """The moves of a position, a line each."""
    if not entries:
        return "no moves"
    total = sum(entry.weight for entry in entries) or 1
    lines = ["share   games    won  drawn   lost  points  score  move"]
    for entry in entries:
        games = f"{entry.games:>7,} {entry.wins:>6,} {entry.draws:>6,} {entry.losses:>6,}"
        points = f"{entry.points:>6.0%}" if entry.games else "     -"
        score = "-" if entry.score is None else f"{entry.score:+}"
        line = f"{entry.weight / total:>5.1%} {games}  {points} {score:>6}  {writer.both(board, entry.move)}"
        lines.append(f"{line}  {' '.join(entry.note.split())}".rstrip())
    return "\n".join(lines)


# merge, prune, convert, check


def run_merge(args: argparse.Namespace) -> int:
    with ExitStack() as stack:
        merged = merge(stack.enter_context(open_named(name)) for name in args.books)
    return write(merged, args.out, args.to)


def run_prune(args: argparse.Namespace) -> int:
    with open_named(args.book) as book:
        pruned = prune(
            book, min_games=args.min_games, min_weight=args.min_weight, min_score=args.min_score,
            max_moves=args.max_moves, plies=args.plies,
        )  # fmt: skip
    return write(pruned, args.out, args.to)


def run_convert(args: argparse.Namespace) -> int:
    with open_named(args.book) as book:
        return write(book, args.out, args.to)


def run_check(args: argparse.Namespace) -> int:
    """A line for each book, and one for each fault."""
    faulty = 0
    for name in args.books:
        try:
            with open_named(name) as book:
                report = check(book)
        except BookError as error:
            print(error, flush=True)
            faulty += 1
            continue
        faulty += bool(report.faults)
        print(
            f"{name}: {book.format}, {report.moves:,} moves; from the start {report.positions:,} positions "
            f"within {report.plies} plies with {report.reached:,} moves"
        )
        for fault in report.faults:
            print(f"{name}: {fault}")
    return 1 if faulty else 0
