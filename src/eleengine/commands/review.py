"""Review a game: what each move of the main line cost, what was better, and how well each side played.

A table of the moves that cost something is shown; --out writes the annotated game (PGN, XQF, DhtmlXQ ...),
the data (.json) or a page for browsers (.html), by its suffix, and may be repeated.
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

from .._internal.files import replaced
from .._internal.live import Progress, pad, width
from .._internal.traditional import by_language
from ..board import Board
from ..engines import Engine, Limit
from ..marks import BY_NAME, GIVEN
from ..pieces import BLACK, COLOR_NAMES, RED, Color
from ..records import Game, GameNode, WriteOptions, encode_game
from ..records.formats import by_name
from ..review import MoveReview, Review, ReviewJournal, review_game
from ..rules import RULE_SETS
from ..score import score_text
from ..tables.folder import is_near_tables
from ..tables.words import describe_change
from . import CommandError, add_number, input_errors, warn
from .shared import arguments
from .shared.outputs import OutputFile, add_file, add_force, check_output
from .shared.play_words import add_language, language_of_player
from .shared.writing import MoveWriter, add_notation, can_show

DEFAULT = Limit(time=1)
SIDES: dict[str, tuple[Color, ...]] = {"red": (RED,), "black": (BLACK,), "both": (RED, BLACK)}
WORDS: dict[str, dict[str, Any]] = by_language(
    {
        "titles": ("move", "score", "loss", "mark", "better"), "red": "Red  ", "black": "Black",
        "sum": "{side}  accuracy {accuracy:5.1f} %: {marks}", "comma": ", ",
        "book": "the opening book ends after {plies} plies", "end": "the end: {end}",
    },
    {
        "titles": ("着法", "评分", "损失", "标记", "应走"), "red": "红方", "black": "黑方",
        "sum": "{side} 准确率 {accuracy:.1f}%：{marks}", "comma": "，",
        "book": "前 {plies} 着在开局库中", "end": "终局：{end}",
    },
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file of records; - is stdin")
    add_number(parser, "--game", 1, 10**9, dest="number", default=1, help="which game (1)")
    arguments.add_encoding(parser)
    parser.add_argument("--side", choices=SIDES, default="both", help="whose moves are judged (%(default)s)")
    parser.add_argument(
        "--out", type=OutputFile, action="append", default=[], metavar="OUT", help="may be repeated"
    )
    add_force(parser)
    add_language(parser, "of table, comments and page (default: that of the environment)")
    add_file(parser, "--journal", help="keeps what was found; the same command goes on")
    arguments.add_book(parser, use="an opening book, whose moves are not judged")
    parser.add_argument("--rules", choices=RULE_SETS, default="axf", help="of repetition (%(default)s)")
    arguments.add_limits(parser, default="1 second a position")
    arguments.add_resources(parser)
    arguments.add_tables(parser)
    add_notation(parser)
    parser.add_argument("--json", action="store_true", help="the review as one JSON object, and no table")


def run(args: argparse.Namespace) -> int:
    language = args.language or language_of_player()
    if language == "zh-Hant" and can_show("traditional"):
        args.notation = args.notation or "traditional"
    writer = MoveWriter(args)
    game = arguments.read_record(args.file, args.number, args.encoding)
    for out in args.out:
        check_out(out, game, force=args.force)
    limit = arguments.read_limit(args, DEFAULT)
    context = arguments.read_context(args)
    with ExitStack() as stack:
        book = stack.enter_context(arguments.read_book(args) or nullcontext())
        engine = stack.enter_context(
            Engine(
                hash_mib=args.hash,
                threads=args.threads,
                rule_set=args.rules,
                context=context,
                tables=arguments.load_tables(arguments.read_tables(args), first_ending(game)),
            )
        )
        with input_errors():
            journal = None
            if args.journal:
                journal = stack.enter_context(ReviewJournal(args.journal, game, limit, engine))
            with Progress() as progress:
                review = review_game(
                    game, engine, limit, sides=SIDES[args.side], journal=journal, book=book,
                    report=lambda done, of: progress.tell(
                        lambda spent: f"{done}/{of} positions, {spent / done * (of - done):.0f} s left"
                    ),
                )  # fmt: skip
    print(json.dumps(review.to_dict(), ensure_ascii=False) if args.json else table(review, writer, language))
    for out in args.out:
        write(out, review, language, writer.name)
    return 0


def first_ending(game: Game) -> Board:
    """The first position of the game with few enough attackers for endgame tables, or else the last."""
    node: GameNode = game
    for node in (game, *game.mainline()):
        if is_near_tables(node.board()):
            break
    return node.board()


def check_out(out: str, game: Game, *, force: bool) -> None:
    """Better now than after an hour of searching."""
    if Path(out).suffix.lower() not in (".json", ".html", ".htm"):
        try:
            kind = by_name(out)
        except ValueError as error:
            raise CommandError(f"{error}, .html, .json") from None
        if kind.encode is None or not {"variations", "comments"} <= kind.holds:
            raise CommandError(f"{out}: {kind.title} cannot hold an annotated game")
        with input_errors():
            encode_game(game, kind.name, losses=[])
    check_output(out, force=force)


def write(out: str, review: Review, language: str, style: str) -> None:
    suffix = Path(out).suffix.lower()
    if suffix == ".json":
        data = json.dumps(review.to_dict(), ensure_ascii=False).encode()
    elif suffix in (".html", ".htm"):
        data = review.html(language=language).encode()
    else:
        game = review.annotated(language=language)
        losses: list[str] = []
        data = encode_game(game, by_name(out).name, WriteOptions(style=style), losses=losses)
        for loss in losses:
            warn(f"{out}: {loss}")
    with replaced(out) as file:
        file.write(data)


def table(review: Review, writer: MoveWriter, language: str) -> str:
    """The moves that cost something, and the sums."""
    if not can_show("traditional" if language == "zh-Hant" else "chinese"):
        language = "en"
    words = WORDS[language]
    lines = []
    board = Board(review.game.start)
    for found in review.moves:
        if found.mark is not None or found.verdict is not None:
            lines.append(row(found, board, writer, language))
            if why := review.explanation(found):
                lines.append(f"{'':24}{why.text(language)}")
        board.push(found.move)
    if lines:
        move, score, loss, mark, better = words["titles"]
        lines.insert(0, f"{pad(move, 24)}{right(score, 9)}{right(loss, 7)}  {pad(mark, 13)}{better}")
        lines.append("")
    if opening := review.game.opening():
        lines.append(opening.text(language))
    if review.book_plies:
        lines.append(words["book"].format(plies=review.book_plies))
    for side in (RED, BLACK):
        if (accuracy := review.accuracy[side]) is not None:
            counts = (f"{mark.plurals[language]} {review.marked(side, mark.name)}" for mark in GIVEN)
            marks = words["comma"].join(counts)
            lines.append(words["sum"].format(side=words[COLOR_NAMES[side]], accuracy=accuracy, marks=marks))
    if review.end is not None:
        lines.append(words["end"].format(end=review.end.text(language)))
    return "\n".join(lines)


def right(text: str, columns: int) -> str:
    return " " * (columns - width(text)) + text


def row(found: MoveReview, board: Board, writer: MoveWriter, language: str) -> str:
    dots = "." if found.side == RED else "..."
    move = f"{board.fullmove_number}{dots} {writer.both(board, found.move)}"
    text = f"{pad(move, 24)}{score_text(found.after.pov(found.side)):>9}"
    if found.mark is None:
        verdict = found.verdict.text(language) if found.verdict else ""
        return f"{text}         {verdict}"
    better = " ".join(writer.line(board, found.better))
    after = board.copy(stack=False)
    after.push(found.move)
    change = describe_change(found.ending, board, after, language)
    text += f"{100 * found.loss:>6.0f}%  {pad(BY_NAME[found.mark].words[language], 13)}{better}"
    return f"{text}  {change}" if change else text
