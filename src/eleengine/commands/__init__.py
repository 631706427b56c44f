"""The commands of `eleengine COMMAND`, a module each: add_arguments(parser), run(args) -> exit status."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any, TypeVar

from .._internal.digits import real_between, whole_between
from .._internal.extras import install_hint

T = TypeVar("T")

#: Commands by who needs them: module name, and its help in English and Chinese.
GROUPS = {
    ("for players", "给棋手"): {
        "play": ("play against the engine in the terminal", "在终端里对弈"),
        "board": ("play, analyse and review in the browser", "浏览器里的棋盘"),
        "analyse": ("search a position and show the best lines", "分析局面"),
        "review": ("show what each move cost, and what was better", "复盘"),
        "show": ("list the games of a file, or show one with a board", "显示棋谱"),
        "convert": ("convert records: PGN, XQF, DhtmlXQ, CBR and others", "转换棋谱格式"),
        "games": ("index records, find games by position or player", "按局面或棋手查棋谱"),
        "book": ("make, show, merge, convert and check opening books", "开局库"),
        "tables": ("make endgame tables, look positions up", "残局库"),
        "solve": ("solve a file of puzzles: found moves, mates, times", "解残局和杀法题"),
        "judge": ("print the verdict of the rules on a game", "按棋例裁决"),
        "doctor": ("print what a bug report needs; check all files", "报告问题所需的信息"),
    },
    ("for programmers of engines", "给引擎作者"): {
        "perft": ("count the leaves of the move tree", "走法生成测试"),
        "bench": ("time the search; its nodes identify a build", "测速"),
        "eval": ("show the static evaluation, term by term", "静态评估"),
        "compliance": ("check whether a program keeps to UCI or UCCI", "检查引擎协议"),
        "match": ("let two engines play: Elo, sequential test", "两个引擎的对抗赛"),
        "tournament": ("let several engines play, for a table of ratings", "多个引擎的循环赛"),
        "report": ("write a report of a match from its journal", "比赛报告"),
        "ratings": ("rate the players of records and journals", "等级分"),
        "elo": ("compute what counts of games prove", "计算 Elo 和 SPRT"),
        "openings": ("make level openings for matches", "生成均势开局"),
    },
    ("to train and tune this engine", "训练和调参"): {
        "datagen": ("play the engine against itself for training data", "自对弈生成数据"),
        "data": ("check, import, merge, filter, shuffle files of games", "管理对局数据"),
        "nnue": ("make networks out of games, check and compare them", "训练神经网络"),
        "tune": ("fit the weights of the evaluation to games", "拟合评估权重"),
        "spsa": ("tune constants of the search by games", "用对局调搜索参数"),
        "papers": ("repeat the experiments of the papers", "重做论文实验"),
    },
}
COMMANDS = [name for group in GROUPS.values() for name in group]
ALIASES = {"analyze": "analyse"}  # other spellings
_ELSEWHERE = {"papers": "papers.command"}  # modules of commands that are not in this package


def import_command(name: str) -> ModuleType:
    """The module of a command."""
    package = __name__.rpartition(".")[0]
    return import_module(f"{package}.{_ELSEWHERE.get(name, f'commands.{name}')}")


class CommandError(Exception):
    """What is wrong with the input, and where: shown as it is, with the exit status, 2 by default."""

    def __init__(self, message: str, *, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


class input_errors:
    """A block in which errors of these kinds, by default ValueError, are faults of the input: CommandError.

    where: what their text begins with.
    An OSError that names its file needs no handler: `eleengine.__main__` prints it in the same words.
    """

    def __init__(self, *kinds: type[Exception], where: str = "") -> None:
        self._kinds = kinds or (ValueError,)
        self._where = where

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, self._kinds):
            raise CommandError(f"{self._where}{error}") from None


def reason(error: Exception) -> str:
    """Say what is wrong, of an OSError with which file; one without a file is of the output."""
    if not isinstance(error, OSError):
        return str(error)
    name = "output" if error.filename is None else error.filename or "''"
    return f"{name}: {error.strerror or error}"


def warn(text: str) -> None:
    """Print a warning to stderr."""
    print(f"eleengine: {text}", file=sys.stderr, flush=True)


class FaultCount:
    """What is wrong with parts of the input: the first faults are warned of one by one, then their number."""

    def __init__(self, shown: int = 10) -> None:
        self._shown = shown
        self.count: int = 0

    def add(self, fault: object) -> None:
        """Count a fault."""
        self.count += 1
        if self.count <= self._shown:
            warn(str(fault))

    def end(self, what: str) -> None:
        """Say how many were not named. what: is said of them, such as "more things were wrong"."""
        if self.count > self._shown:
            warn(f"{self.count - self._shown} {what}")


def need(*modules: str, extra: str, what: str) -> None:
    """CommandError for an optional package that is missing: what needs it, and how to install it."""
    for module in modules:
        try:
            import_module(module)
        except ImportError:
            raise CommandError(f"{what} needs {module}: {install_hint(extra)}") from None


def argument_type(read: Callable[[str], T]) -> Callable[[str], T]:
    """A type for argparse, whose error is the text of the ValueError."""

    def convert(text: str) -> T:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A type for argparse: a whole number from low to high."""
    return argument_type(partial(whole_between, low=low, high=high))


def real_number(low: float, high: float) -> Callable[[str], float]:
    """A type for argparse: a number from low to high."""
    return argument_type(partial(real_between, low=low, high=high))


def add_number(
    parser: argparse._ActionsContainer, name: str, low: int, high: int, *, metavar: str = "N", **more: Any
) -> None:
    """Add an option or argument for a whole number from low to high; more: as for `add_argument`.

    name: several with blanks between them are names of one option. The help ends with the default, unless it
    has brackets or speaks of one.
    """
    _add(parser, name, type=whole_number(low, high), metavar=metavar, **more)


def add_real(
    parser: argparse._ActionsContainer, name: str, low: float, high: float, *, metavar: Any = "X", **more: Any
) -> None:
    """As `add_number`, for a number that may have a fraction."""
    _add(parser, name, type=real_number(low, high), metavar=metavar, **more)


def _add(parser: argparse._ActionsContainer, name: str, *, help: str = "", **more: Any) -> None:
    if isinstance(more.get("default"), int | float) and "(" not in help and "default" not in help:
        help = f"{help} (%(default)s)".lstrip()
    parser.add_argument(*name.split(), help=help or None, **more)


def goes_with(parser: argparse.ArgumentParser, option: str, *others: str) -> None:
    """Let `check_given` refuse other options where the first one, of which they say more, is not given."""
    actions = parser._option_string_actions
    rules = [
        (actions[option].dest, option, actions[name].dest, actions[name].default, name) for name in others
    ]
    parser.set_defaults(goes_with=[*(parser.get_default("goes_with") or []), *rules])


def check_given(args: argparse.Namespace) -> None:
    """CommandError for options that would do nothing; see `goes_with`."""
    for needed, option, given, default, name in getattr(args, "goes_with", []):
        if getattr(args, given) != default and getattr(args, needed) in (None, False):
            raise CommandError(f"{name} goes with {option}")


def check_order(args: argparse.Namespace, low: str, high: str) -> None:
    """CommandError for a lower bound above the upper one, between which there is nothing."""
    least, most = (getattr(args, name.replace("-", "_")) for name in (low, high))
    if None not in (least, most) and least > most:
        raise CommandError(f"--{low} {least} is more than --{high} {most}")


def warn_of_repeated_files(args: argparse.Namespace) -> None:
    """Name the files that a list of files has twice: their games or moves count twice."""
    for words in vars(args).values():
        seen = set()
        for word in words if isinstance(words, list) else []:
            if isinstance(word, str) and os.path.isfile(word):
                if (file := os.path.realpath(word)) in seen:
                    warn(f"{word}: the file is named twice")
                seen.add(file)


def check_words(words: Iterable[str]) -> None:
    """CommandError for an option with an empty word behind it, as a shell gives it for an unset variable.

    Taken for an option that is not given, it would leave a match without its journal.
    """
    for option, word in pairwise([*words, "end"]):
        if re.fullmatch(r"--\w[\w-]*=", option) or (re.match(r"--\w", option) and not word):
            raise CommandError(f"{option.rstrip('=')}: the word behind it is empty")
