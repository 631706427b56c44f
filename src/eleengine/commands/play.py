"""Play against the engine. Moves are typed in ICCS (h2e2), WXF (C2.5) or Chinese (炮二平五).

Other words at the prompt: undo, hint, level N, switch (sides), board, moves, fen, new, help, quit.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from .. import notation
from .._core import Move
from ..board import Board
from ..engines import Engine, Limit
from ..engines.strength import TOP_SKILL
from ..squares import BLACK, COLOR_NAMES, RED
from . import CommandError, whole_number
from .shared.arguments import add_position, add_resources, read_board, seconds
from .shared.writing import MoveWriter, add_notation, can_show, score_text

HELP = f"""\
a move   in any notation: h2e2, C2.5, 炮二平五
undo     take back your last move
hint     what the engine would play
level N  strength of the engine, 0 to {TOP_SKILL}
switch   change sides
board    draw the board
moves    the game so far
fen      the position
new      start again
quit     leave"""
HINT = Limit(time=2)
LETTERS = ("latin", "chinese", "traditional")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument("--side", choices=("red", "black"), default="red", help="yours (default: red)")
    parser.add_argument(
        "--level",
        type=whole_number(0, TOP_SKILL),
        default=10,
        metavar="N",
        help=f"strength of the engine, 0 to {TOP_SKILL} (default: %(default)s)",
    )
    parser.add_argument(
        "--time",
        type=seconds,
        default=3.0,
        metavar="S",
        help="of the engine for a move (default: 3 seconds)",
    )
    parser.add_argument(
        "--letters", choices=LETTERS, help="of the board (default: chinese if the output can show it)"
    )
    add_resources(parser)
    add_notation(parser)


def run(args: argparse.Namespace) -> int:
    letters = args.letters or ("chinese" if can_show("chinese") else "latin")
    if letters != "latin" and not can_show(letters):
        raise CommandError(f"--letters {letters}: the output is {sys.stdout.encoding} text")
    board, writer = read_board(args), MoveWriter(args)
    if sys.stdin.isatty():
        import readline  # noqa: F401 - makes input() edit lines
    with Engine(hash_mib=args.hash, threads=args.threads, skill=args.level) as engine:
        side = RED if args.side == "red" else BLACK
        TerminalGame(board, engine, Limit(time=args.time), side, writer, letters).play()
    return 0


class TerminalGame:
    """A game between a person and the engine."""

    def __init__(
        self, board: Board, engine: Engine, limit: Limit, side: bool, writer: MoveWriter, letters: str
    ) -> None:
        self.board = board
        self.start = board.copy()
        self.engine = engine
        self.limit = limit
        self.side = side  # the person's
        self.writer = writer
        self.letters = letters
        self.drawn = False  # does the last drawing show the position?
        self.commands: dict[str, Callable[[], None]] = {
            "undo": self.undo,
            "hint": self.hint,
            "switch": self.switch,
            "board": self.draw,
            "moves": self.show_moves,
            "fen": lambda: say(self.board.fen()),
            "new": self.new,
            "help": lambda: say(HELP),
        }

    def play(self) -> None:
        """Until quit or the end of the input."""
        while True:
            over = self.board.is_game_over()
            if not over and self.board.turn != self.side:
                self.engine_move()
                continue
            if not self.drawn:
                self.draw()
            if over:
                say(self.board.repetition().explanation)
            text = ask("game over> " if over else f"{COLOR_NAMES[self.side]}> ")
            if text is None or text in ("quit", "exit"):
                return
            self.obey(text, over)

    def obey(self, text: str, over: bool) -> None:
        """A command or a move."""
        words = text.split()
        if not words:
            return
        if words[0] == "level":
            self.level(words[1:])
        elif text in self.commands:
            self.commands[text]()
        elif over:
            say("the game is over: undo, new or quit")
        else:
            self.person_move(text)

    def person_move(self, text: str) -> None:
        try:
            move = notation.parse(self.board, text)
        except ValueError as error:
            say(f"{error}\n(help lists what can be typed)")
            return
        if not move:
            say("passing is not allowed")
            return
        say(f"you play {self.writer.both(self.board, move)}")
        self.push(move)

    def engine_move(self) -> None:
        move = self.engine.play(self.board, self.limit).move
        assert move is not None  # the game is not over
        say(f"eleengine plays {self.writer.both(self.board, move)}")
        self.push(move)

    def push(self, move: Move) -> None:
        self.board.push(move)
        self.drawn = False

    def undo(self) -> None:
        """Back to the person's move before."""
        plies = 1 if self.board.turn != self.side else 2
        if self.board.ply - self.start.ply < plies:
            say("there is no move of yours to take back")
            return
        for _ in range(plies):
            self.board.pop()
        self.drawn = False

    def hint(self) -> None:
        info = self.engine.analyse(self.board, HINT)
        if not info["pv"]:
            say("there is no move")
            return
        score = f" ({score_text(info['score'].relative)})" if "score" in info else ""
        say(f"hint: {self.writer.both(self.board, info['pv'][0])}{score}")

    def level(self, words: list[str]) -> None:
        if len(words) == 1 and words[0].isdecimal() and int(words[0]) <= TOP_SKILL:
            self.engine.skill = int(words[0])
        elif words:
            say(f"a level is a whole number from 0 to {TOP_SKILL}")
        say(f"level {self.engine.skill}")

    def switch(self) -> None:
        self.side = not self.side
        self.drawn = False

    def new(self) -> None:
        self.board = self.start.copy()
        self.engine.clear()
        self.drawn = False

    def show_moves(self) -> None:
        board = self.board.root()
        moves = self.board.move_stack
        words: list[str] = []
        for move in moves:
            if board.turn == RED or not words:
                words.append(f"{board.fullmove_number}.{'' if board.turn == RED else '..'}")
            words.append(self.writer.text(board, move))
            board.push(move)
        say(" ".join(words) or "no moves yet")

    def draw(self) -> None:
        self.drawn = True
        last: Move | None = self.board.peek() if self.board.ply else None
        say(self.board.text(letters=self.letters, last_move=last, perspective=self.side))
        if self.board.is_check():
            say(f"{COLOR_NAMES[self.board.turn]} is in check")


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
