"""Convert game records: from any format that is read, into one that is written, all games or some of them.

OUT is a file, - (stdout), or a folder for a file each; stderr names what a format cannot hold.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

from .._core import BaseBoard
from .._internal.files import replaced
from .._internal.live import Progress
from ..records import FORMATS, Game, RecordEntry, RecordError, WriteOptions, encode_game, scan_games
from ..records.errors import of_source
from ..records.formats import BINARY, Format, by_name
from ..records.limits import lift
from ..records.pgn_writer import STYLES
from ..records.words import RESULTS
from ..records.writing import ENCODINGS, is_writable
from . import CommandError, FaultCount, check_order, input_errors, warn, whole_number
from .shared.arguments import add_encoding, parse_position
from .shared.outputs import OutputFile, add_force, check_output, file_identity, files_read

PROGRAMS = {"xqwizard": WriteOptions(encoding="gb18030")}  # they read PGN, written so
STYLED = ("pgn", "text")  # formats that have moves in any notation
MANY = whole_number(0, 1 << 60)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="IN", help="files of records; - is stdin")
    parser.add_argument(
        "out",
        type=OutputFile,
        metavar="OUT",
        help="a file, - for stdout, or a folder (there already, or NAME/)",
    )
    can = [name for name, format in FORMATS.items() if format.encode]
    parser.add_argument("--to", choices=can, help="the format (default: by the suffix of OUT)")
    parser.add_argument("--from", dest="source", choices=FORMATS, help="of IN (default: by its first bytes)")
    parser.add_argument("--style", choices=STYLES, default="chinese", help="of moves (%(default)s)")
    add_encoding(parser)
    parser.add_argument("--to-encoding", choices=ENCODINGS, help="of the texts in OUT (utf-8)")
    parser.add_argument(
        "--for",
        dest="program",
        choices=PROGRAMS,
        help="write what a program reads; xqwizard: PGN in Chinese, GB 18030 and CR LF",
    )
    parser.add_argument("--no-variations", action="store_true", help="only the main line")
    parser.add_argument("--no-comments", action="store_true", help="neither comments nor marks")
    parser.add_argument(
        "--no-limits", action="store_true", help="read records of any size, also such as fill the memory"
    )
    add_force(parser)
    parser.add_argument("--strict", action="store_true", help="end at the first thing that is wrong or lost")
    chosen = parser.add_argument_group("games to take (all of these must hold)")
    chosen.add_argument("--player", metavar="TEXT", help="in the name of Red or Black")
    chosen.add_argument("--red", metavar="TEXT", help="in the name of Red")
    chosen.add_argument("--black", metavar="TEXT", help="in the name of Black")
    chosen.add_argument(
        "--header", action="append", default=[], metavar="NAME=TEXT", help="in this header; may be repeated"
    )
    chosen.add_argument("--result", choices=RESULTS, action="append", help="may be repeated")
    chosen.add_argument("--min-plies", type=MANY, default=0, metavar="N")
    chosen.add_argument("--max-plies", type=MANY, default=1 << 60, metavar="N")
    chosen.add_argument("--position", metavar="FEN", help="the game reaches it, also in a variation")
    chosen.add_argument("--deleted", action="store_true", help="also games that a library marks as deleted")
    chosen.add_argument("--unique", action="store_true", help="each start and main line once")
    chosen.add_argument("--skip", type=MANY, default=0, metavar="N", help="leave out the first N of these")
    chosen.add_argument("--limit", type=MANY, default=1 << 60, metavar="N", help="take no more than N")


def run(args: argparse.Namespace) -> int:
    if args.no_limits:
        lift()
    kind = target(args)
    check_order(args, "min-plies", "max-plies")
    check_form(args, kind)
    if args.out != "-" and not is_folder(args.out):
        check_output(args.out, force=args.force)
    encoding = args.to_encoding or (PROGRAMS[args.program].encoding if args.program else "utf-8")
    options = WriteOptions(args.style, encoding, not args.no_variations, not args.no_comments)
    log = ConversionLog(args.strict)
    with input_errors(RecordError, UnicodeError), closing(choose_games(args, kind, log)) as chosen:
        games = islice(chosen, args.skip, args.skip + args.limit)
        if is_folder(args.out):
            count = to_folder(args, games, kind, options, log)
        else:
            count = to_file(args.out, games, kind, options, log)
    log.end()
    if args.out != "-":
        print(f"{count:,} games")
    return 1 if log.unreadable else 0


def target(args: argparse.Namespace) -> Format:
    """The format to write."""
    if args.to or args.program:
        return FORMATS[args.to or "pgn"]
    if args.out == "-" or is_folder(args.out):
        raise CommandError(f"{args.out}: --to must say which format")
    try:
        kind = by_name(args.out)
    except ValueError as error:
        raise CommandError(f"{error}; --to says it") from None
    if kind.encode is None:
        raise CommandError(f"{args.out}: {kind.title} is only read")
    return kind


def check_form(args: argparse.Namespace, kind: Format) -> None:
    """CommandError for options of form that would change nothing in this format."""
    has_style = args.style != "chinese"
    if args.program and (kind.name != "pgn" or args.to_encoding or has_style):
        raise CommandError(f"--for {args.program} says it all: leave out --to, --to-encoding and --style")
    if args.to_encoding and kind.name in BINARY:
        raise CommandError(f"--to-encoding: {kind.title} has an encoding of its own")
    if has_style and kind.name not in STYLED:
        raise CommandError(f"--style: {kind.title} has a notation of its own")


def is_folder(out: str) -> bool:
    return out.endswith(("/", os.sep)) or os.path.isdir(out)


class ConversionLog:
    """What went wrong or was lost: the first things one by one, then their number."""

    def __init__(self, strict: bool) -> None:
        self._strict = strict
        self._faults = FaultCount()
        self.unreadable = 0  #: games that are left out, because their start position cannot be read
        self._losses: dict[tuple[str, str, str], tuple[int, int]] = {}

    def warn(self, error: RecordError) -> None:
        """Something is wrong with a game; raised if that is wanted."""
        if self._strict:
            raise error
        self._faults.add(error)

    def losses(self, where: str, losses: list[str]) -> None:
        """A format could not hold something."""
        if losses and self._strict:
            raise RecordError(losses[0], source=where)
        for loss in losses:
            found = re.fullmatch(r"(.*: )(.*?)(\d+)(.* left out)", loss)
            name, number = ((found[1], found[2], found[4]), int(found[3])) if found else ((loss, "", ""), 0)
            games, sum_ = self._losses.get(name, (0, 0))
            self._losses[name] = games + 1, sum_ + number

    def end(self) -> None:
        """The sums."""
        self._faults.end("more things were wrong")
        for (head, middle, tail), (games, number) in self._losses.items():
            loss = f"{head}{middle}{number}{tail}" if tail else head
            warn(f"in {games} games: {loss}")


def choose_games(args: argparse.Namespace, kind: Format, log: ConversionLog) -> Generator[tuple[str, Game]]:
    """The games that the arguments choose and the format can hold, and where they are from."""
    position = parse_position(args.position, "--position: ") if args.position is not None else None
    player = (args.player or "").lower()
    headers = [parse_pair(text) for text in args.header]
    headers += [(name, text.lower()) for name, text in (("Red", args.red), ("Black", args.black)) if text]
    seen: set[bytes] = set()
    taken = 0
    with Progress() as progress:
        for path in args.files:
            number = 0
            entries = scan_games(path, format=args.source, encoding=args.encoding)
            for number, entry in enumerate(entries, 1):
                progress.tell(partial(state, path, number, taken))
                if (entry.deleted and not args.deleted) or not matches(entry, player, headers):
                    continue
                where = f"{path}, game {number}"
                game = entry.game()
                for warning in game.warnings:
                    warning.source = where
                    log.warn(warning)
                if not is_writable(game, kind.name) or (game.error and position is not None):
                    log.unreadable += 1
                    continue
                if args.result and game.result not in args.result:
                    continue
                if not args.min_plies <= game.plies() <= args.max_plies:
                    continue
                if position is not None and not reaches(game, position):
                    continue
                if args.unique:
                    key = game_digest(game)
                    if key in seen:
                        continue
                    seen.add(key)
                taken += 1
                yield where, game
            if not number:
                warn(f"{path}: no game")


def state(path: str, number: int, taken: int, seconds: float) -> str:
    return f"{path}: game {number:,}, {taken:,} taken"


def parse_pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise CommandError(f"--header: expected NAME=TEXT, not {text!r}")
    return name, value.lower()


def matches(entry: RecordEntry, player: str, headers: list[tuple[str, str]]) -> bool:
    """Do the headers say what is asked for? player: in the name of either side, "" for any."""

    def has(name: str, text: str) -> bool:
        return text in entry.headers.get(name, "").lower()

    is_of_player = not player or has("Red", player) or has("Black", player)
    return is_of_player and all(has(name, text) for name, text in headers)


def reaches(game: Game, position: BaseBoard) -> bool:
    """Does a line of the game reach the position?"""
    wanted = position.board_fen(), position.turn
    return any(
        board.key == position.key and (board.board_fen(), board.turn) == wanted for _, board in game.walk()
    )


def game_digest(game: Game) -> bytes:
    """The identity of a game: start and main line, in 16 bytes."""
    moves = "".join(move.iccs() for move in game.mainline_moves())
    return hashlib.blake2b(f"{game.start.split()[:2]} {moves}".encode(), digest_size=16).digest()


def to_file(
    out: str, games: Iterator[tuple[str, Game]], kind: Format, options: WriteOptions, log: ConversionLog
) -> int:
    count = 0
    with replaced(out) as file:
        for where, game in games:
            if count and "games" not in kind.holds:
                raise CommandError(
                    f"{out}: {kind.title} holds one game, but there are more: take a folder, such as {out}/"
                )
            file.write(encode_or_warn(where, game, kind, options, log))
            count += 1
        need_some(count, log)
    return count


def need_some(count: int, log: ConversionLog) -> None:
    """CommandError if there was no game."""
    if not count and log.unreadable:
        raise CommandError("no game can be read: nothing is written", status=1)
    if not count:
        raise CommandError("there is no game to write")


def to_folder(
    args: argparse.Namespace,
    games: Iterator[tuple[str, Game]],
    kind: Format,
    options: WriteOptions,
    log: ConversionLog,
) -> int:
    folder, read = Path(args.out), files_read(args)
    folder.mkdir(exist_ok=True)
    count = 0
    for count, (where, game) in enumerate(games, 1):
        names = [game.headers.get(name, "") for name in ("Red", "Black")]
        label = "-".join(filter(None, names)) or game.headers.get("Title", "")
        safe = re.sub(r'[\s<>:"/\\|?*\x00-\x1f.]+', "_", label)[:60].strip("_")
        path = folder / f"{count:05}{'-' if safe else ''}{safe}{kind.suffixes[0]}"
        if file_identity(path) in read:  # perhaps not yet
            raise CommandError(f"{path}: is read, too: take a different folder")
        check_output(path, force=args.force)
        with replaced(path) as file:
            file.write(encode_or_warn(where, game, kind, options, log))
    need_some(count, log)
    return count


def encode_or_warn(where: str, game: Game, kind: Format, options: WriteOptions, log: ConversionLog) -> bytes:
    losses: list[str] = []
    with of_source(where):
        data = encode_game(game, kind.name, options, losses=losses)
    log.losses(where, losses)
    return data
