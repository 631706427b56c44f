"""Play against the engine. Moves are typed in ICCS (h2e2), WXF (C2.5) or Chinese.

Words at the prompt, in English or Chinese: undo, hint, draw, resign, level N, switch (sides), board, moves,
fen, save FILE, load FILE, new, help, quit. On a terminal an unfinished game is kept for the next start.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

from .. import notation, records
from .._core import MATE, Move, shipped_tables
from .._internal import files, folders
from .._internal.json_text import read_object
from .._internal.live import LiveLines, has_colors
from .._internal.terminal import write_controls
from ..board import Board
from ..engines import AnyEngine, Engine, EngineError, ExternalEngine, Limit
from ..engines.engine_options import SKILL
from ..engines.external.named import NAMED
from ..engines.options import find_option
from ..engines.strength import TOP_SKILL, accepts_draw
from ..engines.types import InfoDict, PlayResult
from ..pieces import BLACK, COLOR_NAMES, RED, Color
from ..records import Game
from ..score import score_text
from ..tables import TableError, Tables
from ..tables.folder import is_near_tables
from ..tables.words import describe, describe_change
from . import CommandError, add_number, input_errors, reason
from .shared import arguments
from .shared.play_words import add_language, command, language_of_player, texts
from .shared.writing import MoveWriter, add_notation, can_show

HINT = Limit(time=2)
DRAW_OFFER = Limit(time=2)
LETTERS = ("latin", "chinese", "traditional")
TICK = 0.1  # seconds between two looks at a thinking engine


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_position(parser)
    parser.add_argument("--side", choices=("red", "black"), help="yours (red, or as in the game kept)")
    add_number(
        parser, "--level", SKILL.min, SKILL.max, default=10, help=f"strength of the engine, 0 to {TOP_SKILL}"
    )
    parser.add_argument(
        "--engine",
        metavar="COMMAND",
        help="another UCCI or UCI engine to play against, without levels: a command, or "
        + " or ".join(NAMED)
        + " (the theses' programs)",
    )
    arguments.add_seconds(parser, "--time", default=3.0, help="of the engine for a move (default: 3 seconds)")
    parser.add_argument(
        "--letters", choices=LETTERS, help="of the board (default: chinese if the output can show it)"
    )
    add_language(parser, "of what is said (default: that of the environment)")
    arguments.add_book(parser, use="the engine's opening book")
    arguments.add_resources(parser)
    arguments.add_tables(parser)
    add_notation(parser)


def run(args: argparse.Namespace) -> int:
    language = args.language or language_of_player()
    characters = "traditional" if language == "zh-Hant" else "chinese"
    if language != "en" and not can_show(characters):
        if args.language:
            raise CommandError(f"--language {language}: the output is {sys.stdout.encoding} text")
        language = "en"
    letters = args.letters or (characters if can_show(characters) else "latin")
    if letters != "latin" and not can_show(letters):
        raise CommandError(f"--letters {letters}: the output is {sys.stdout.encoding} text")
    args.notation = args.notation or ("wxf" if letters == "latin" else letters)
    board, writer = arguments.read_board(args), MoveWriter(args)
    if sys.stdin.isatty():
        with suppress(ImportError):  # Windows has none, and edits lines itself
            import readline  # noqa: F401 - makes input() edit lines
    context = arguments.read_context(args)
    tables = arguments.read_tables(args)
    with ExitStack() as stack:
        engine = Engine(
            hash_mib=args.hash,
            threads=args.threads,
            context=context,
            skill=args.level,
            tables=None if tables is None else shipped_tables(),
            book=arguments.read_book(args),
        )
        stack.enter_context(engine)
        side = BLACK if args.side == "black" else RED
        game = TerminalGame(board, engine, Limit(time=args.time), side, writer, letters, language, tables)
        if args.engine:
            game.opponent = stack.enter_context(start_opponent(args))
        game.saved_game = SavedGame() if sys.stdin.isatty() else None
        if not args.game:
            game.resume()
        elif game.saved_game and game.saved_game.path and game.saved_game.path.exists():
            game.saved_game = None
            game.tell("waits")
        if args.side:
            game.side = side
        game.play()
    return 0


def start_opponent(args: argparse.Namespace) -> ExternalEngine:
    """The other engine, with the table and the threads that the arguments give it; CommandError."""
    with input_errors(EngineError, ValueError):
        engine = ExternalEngine(args.engine)
        try:
            wanted = {"hash": args.hash, "threads": args.threads}
            engine.configure({name: n for name, n in wanted.items() if find_option(engine.options, name)})
        except (EngineError, ValueError):
            engine.kill()
            raise
    return engine


class SavedGame:
    """The file in which an unfinished game waits for the next start.

    A missing home, a full or a read-only disk must not end the game: failure says why it is not kept.
    """

    def __init__(self) -> None:
        self.path: Path | None = None
        self.failure: str = ""
        try:
            self.path = folders.state_folder() / "play.json"
        except OSError as error:
            self.failure = reason(error)

    def save(self, data: dict[str, Any]) -> None:
        if self.path:
            try:
                files.write_whole(self.path, json.dumps(data).encode(), private=True)
                self.failure = ""
            except OSError as error:
                self.failure = reason(error)

    def load(self) -> dict[str, Any] | None:
        """The game that waits, if there is one; ValueError if it cannot be read."""
        if self.path is None or not self.path.exists():
            return None
        try:
            return read_object(files.read_file(self.path))
        except OSError as error:
            raise ValueError(str(error)) from None

    def delete(self) -> None:
        if self.path:
            with suppress(OSError):
                self.path.unlink(missing_ok=True)


@dataclass
class TerminalGame:
    """A person and the engine at a board."""

    board: Board
    engine: Engine
    limit: Limit
    side: Color  # the person's
    writer: MoveWriter
    letters: str
    language: str  # of all that is said
    tables: Tables | None

    def __post_init__(self) -> None:
        self.words = texts(self.language)
        self.start: Board = self.board.copy()
        self.ended: tuple[str, str] | None = None  # by agreement or resignation: the result, and in words
        self.drawn: bool = False  # does the last drawing show the position?
        self.saved_game: SavedGame | None = None
        self.saved: set[str] = set()  # the files of this game, which may be written again
        self.near: bool = False  # are the tables those of this ending?
        self.opponent: AnyEngine = self.engine  # who plays; the engine gives the hints
        self.commands: dict[str, Callable[[], None]] = {
            "undo": self.undo,
            "hint": self.hint,
            "draw": self.offer_draw,
            "resign": self.resign,
            "switch": self.switch,
            "board": self.draw,
            "moves": self.show_moves,
            "fen": lambda: say(self.board.fen()),
            "new": self.new,
            "help": self.help,
        }
        self.text_commands: dict[str, Callable[[str], None]] = {
            "level": self.level,
            "save": self.save,
            "load": self.load,
        }

    def tell(self, name: str, **values: object) -> None:
        say(self.words[name].format(**values))

    @property
    def opponent_name(self) -> str:
        return "eleengine" if self.opponent is self.engine else self.opponent.id["name"]

    def name(self, color: Color) -> str:
        return self.words[COLOR_NAMES[color]]

    # The game

    def play(self) -> None:
        """Until quit or the end of the input."""
        if sys.stdin.isatty():
            if self.opponent is self.engine:
                self.tell("greeting", side=self.name(self.side), level=self.engine.skill)
            else:
                self.tell("greeting_engine", side=self.name(self.side), engine=self.opponent_name)
        warned = False
        while True:
            over = self.is_over()
            if not self.drawn:
                self.draw()
                if over:
                    say(self.verdict())
            if not over and self.board.turn != self.side:
                self.engine_move()
                continue
            try:
                text = ask(f"{self.words['over_prompt'] if over else self.name(self.side)}> ")
            except KeyboardInterrupt:
                say("")
                if not warned:
                    warned = True
                    self.tell("leave")
                    continue
                text = None
            if text is None or command(text)[0] == "quit":
                if self.saved_game and not over and self.board.ply:
                    failure = self.saved_game.failure
                    self.tell("not_kept" if failure else "kept", reason=failure)
                return
            warned = False
            try:
                self.handle_input(text, over)
            except KeyboardInterrupt:  # in the middle of a hint: never mind
                say("")

    def is_over(self) -> bool:
        return self.ended is not None or self.board.is_game_over()

    def verdict(self) -> str:
        """How the game ended, in words."""
        if self.ended:
            return self.ended[1]
        verdict = self.board.repetition()
        if self.language == "en":
            return verdict.explanation
        return f"{verdict.text(self.language)}。"

    def handle_input(self, text: str, over: bool) -> None:
        """A command or a move."""
        if not text:
            return
        name, rest = command(text)
        if name in self.text_commands:
            self.text_commands[name](rest)
        elif name and rest:
            self.tell("alone", word=text.split()[0], rest=rest)
        elif name:
            self.commands[name]()
        elif over:
            self.tell("over")
        else:
            self.person_move(text)

    def person_move(self, text: str) -> None:
        try:
            move = notation.parse(self.board, text)
        except ValueError as error:
            say(f"{error}\n{self.words['try_help']}")
            return
        if not move:
            self.tell("pass")
            return
        self.tell("you", move=self.writer.both(self.board, move))
        before, result = self.board.copy(stack=False), self.result()
        self.push(move)
        after = self.result()
        if result is not None and after is not None:
            change = describe_change((result, -after), before, self.board, self.language)
            if change:
                say(change)

    def engine_move(self) -> None:
        self.look_up()
        with input_errors(EngineError):
            result = self.search()
        if result.move is None:  # the game is not over: another engine gives it up
            self.concede(not self.side)
            return
        self.tell("engine", engine=self.opponent_name, move=self.writer.both(self.board, result.move))
        self.push(result.move)

    def result(self) -> int | None:
        """What an endgame table says of the position: 1 if the side to move wins, 0, -1; None without one."""
        if self.tables is None or not is_near_tables(self.board):
            return None
        with input_errors(TableError):
            return self.tables.get_wdl(self.board)

    def look_up(self) -> None:
        """Let the engine use the player's tables from when the position has few enough pieces for them."""
        near = is_near_tables(self.board)
        if near and not self.near:
            self.engine.tables = arguments.load_tables(self.tables, self.board)
        self.near = near

    def search(self) -> PlayResult:
        """The engine's move; a line on a terminal shows how long it takes, Ctrl-C hastens it."""
        begun = monotonic()
        with ThreadPoolExecutor(1) as pool, LiveLines(sys.stdout) as live:
            thought = pool.submit(self.opponent.play, self.board.copy(), self.limit)
            while not thought.done():
                try:
                    while wait([thought], TICK).not_done:
                        seconds = monotonic() - begun
                        live.show([self.words["thinks"].format(engine=self.opponent_name, seconds=seconds)])
                except KeyboardInterrupt:
                    self.opponent.stop()
            live.clear()
        return thought.result()

    def push(self, move: Move) -> None:
        self.board.push(move)
        self.update_position()

    def update_position(self) -> None:
        """The position has changed: draw it, and keep the game."""
        self.drawn = False
        if self.saved_game and self.board.ply and not self.is_over():
            self.saved_game.save({"game": self.record().to_dict(), "side": COLOR_NAMES[self.side]})
        elif self.saved_game:
            self.saved_game.delete()

    def resume(self) -> None:
        """Go on with the game that waits, if there is one."""
        try:
            data = self.saved_game.load() if self.saved_game else None
            if data:
                game = Game.from_dict(data["game"])
                self.set_game(game)
                self.side = data["side"] == "red"
                self.tell("resumed", plies=game.plies())
        except (ValueError, KeyError, TypeError) as error:
            self.tell("unread", error=error)

    def record(self) -> Game:
        level = f" level {self.engine.skill}" if self.opponent is self.engine else ""
        names = {self.side: "human", not self.side: self.opponent_name + level}
        game = Game.from_board(self.board, {"Red": names[RED], "Black": names[BLACK]})
        if self.ended:
            game.headers["Result"] = self.ended[0]
        return game

    def set_game(self, game: Game) -> None:
        self.board = game.end().board()
        self.start = game.board()
        self.ended = None
        self.drawn = False

    # The commands

    def undo(self) -> None:
        """Back to the person's move before."""
        if self.ended:
            self.ended = None
            self.update_position()
            self.drawn = True
            return
        plies = 1 if self.board.turn != self.side else 2
        if self.board.ply - self.start.ply < plies:
            self.tell("no_undo")
            return
        for _ in range(plies):
            self.board.pop()
        self.update_position()

    def hint(self) -> None:
        """What the engine would play, and what an endgame table says."""
        self.look_up()
        info: InfoDict = self.engine.analyse(self.board, HINT)
        if not info["pv"]:
            self.tell("no_move")
            return
        score = f" ({score_text(info['score'].relative)})" if "score" in info else ""
        self.tell("hint", move=self.writer.both(self.board, info["pv"][0]), score=score)
        if self.tables is not None and self.result() is not None:
            self.tell("table", known=describe(self.tables, self.board, self.language))

    def offer_draw(self) -> None:
        if self.is_over():
            self.tell("over")
            return
        info = self.engine.analyse(self.board, DRAW_OFFER)
        score = info["score"].pov(not self.side).score(mate_score=MATE) if "score" in info else 0
        if accepts_draw(score, info.get("depth", 0)):
            self.end("1/2-1/2", self.words["draw_yes"])
        else:
            self.tell("draw_no")

    def resign(self) -> None:
        if self.is_over():
            self.tell("over")
        else:
            self.concede(self.side)

    def concede(self, loser: Color) -> None:
        """End the game by resignation."""
        winner = not loser
        text = self.words["resigned" if loser == self.side else "engine_resigned"]
        self.end("1-0" if winner == RED else "0-1", text.format(side=self.name(winner)))

    def end(self, result: str, text: str) -> None:
        self.ended = result, text
        self.update_position()
        self.drawn = True
        say(text)

    def level(self, rest: str) -> None:
        if self.opponent is not self.engine:
            self.tell("no_level", engine=self.opponent_name)
            return
        if rest.isdecimal() and int(rest) <= TOP_SKILL:
            self.engine.skill = int(rest)
        elif rest:
            self.tell("bad_level", top=TOP_SKILL)
        self.tell("level", level=self.engine.skill)

    def switch(self) -> None:
        self.side = not self.side
        self.update_position()

    def save(self, rest: str) -> None:
        if not rest:
            self.tell("need_file", command="save")
            return
        if rest not in self.saved and Path(rest).is_file():
            self.tell("exists", path=rest)
            return
        losses: list[str] = []
        try:
            records.write_games(rest, [self.record()], losses=losses)
        except (OSError, ValueError) as error:
            say(reason(error))
            return
        self.saved.add(rest)
        self.tell("saved", path=rest)
        for loss in losses:
            say(loss)

    def load(self, rest: str) -> None:
        if not rest:
            self.tell("need_file", command="load")
            return
        try:
            game = records.read_game(rest)
            self.set_game(game)
        except (OSError, ValueError) as error:
            say(reason(error))
            return
        self.tell("loaded", path=rest, plies=game.plies())
        with suppress(OSError, ValueError):  # in what follows the game that was read
            if len(list(islice(records.scan_games(rest), 2))) > 1:
                self.tell("first_game")
        for warning in game.warnings:
            say(str(warning))
        self.update_position()

    def new(self) -> None:
        self.board = self.start.copy()
        self.ended = None
        self.opponent.new_game()
        self.update_position()

    def help(self) -> None:
        examples = "h2e2, C2.5, 炮二平五" if can_show("chinese") else "h2e2, C2.5"
        self.tell("help", top=TOP_SKILL, examples=examples)

    def show_moves(self) -> None:
        board = self.board.root()
        moves = self.board.move_stack
        words: list[str] = []
        for move in moves:
            if board.turn == RED or not words:
                words.append(f"{board.fullmove_number}.{'' if board.turn == RED else '..'}")
            words.append(self.writer.text(board, move))
            board.push(move)
        say(" ".join(words) or self.words["no_moves"])

    def draw(self) -> None:
        self.drawn = True
        last: Move | None = self.board.peek() if self.board.ply else None
        drawing = self.board.text(
            letters=self.letters, last_move=last, perspective=self.side, colors=has_colors()
        )
        write_controls(sys.stdout, f"{drawing}\n")
        if self.board.is_check():
            self.tell("check", side=self.name(self.board.turn))


def say(text: str) -> None:
    print(text, flush=True)


def ask(prompt: str) -> str | None:
    """A line of input without blanks around it; None at its end."""
    try:
        text = input(prompt if sys.stdin.isatty() else "")
    except EOFError:
        return None
    except UnicodeDecodeError:
        raise CommandError("the input is not UTF-8 text") from None
    return text.strip()
