"""The commands of `eleengine COMMAND`, a module each: add_arguments(parser), run(args) -> exit status."""

import argparse
import math
import sys
from collections.abc import Callable

from .._internal.digits import real, whole

COMMANDS = {  # module name: help
    "analyse": "search a position and show the best lines",
    "board": "play, analyse and review in the browser",
    "bench": "time the search; the number of nodes tells builds and versions apart",
    "book": "make, show, merge, prune, convert and check opening books",
    "compliance": "check whether a program keeps the rules of UCI or UCCI",
    "convert": "convert game records between PGN, XQF, DhtmlXQ, CBR and others, all games or some",
    "data": "look at, check, import, merge, filter and shuffle files of games",
    "datagen": "play the engine against itself and write the games to a file, for tuning",
    "doctor": "tell what a report of a bug needs, and check that all files are whole",
    "elo": "tell what counts of games or pairs prove, and how long a sequential test takes",
    "eval": "show the static evaluation of a position: by the network and term by term",
    "games": "index game records, and find the games of a position or of a player",
    "genetic": "tune the piece values by games, with a genetic algorithm",
    "judge": "tell what the rules say of a game: repetition, perpetual check and chase, other ends",
    "match": "play engines against each other, and say what the result proves",
    "nnue": "make networks out of games, check them, and let them play each other",
    "openings": "make openings for matches: random positions, level for a search",
    "papers": "repeat the experiments of the papers that the engine started from",
    "perft": "count the leaves of the legal move tree, alone or against a file of known counts",
    "play": "play against the engine in the terminal",
    "ratings": "rate players by the games of records and journals, with intervals",
    "report": "write a report of a match or tournament from its journal: Markdown or HTML",
    "review": "tell what each move of a game cost, what was better, and how well each side played",
    "show": "list the games of a file of records, or show one with its moves and a board",
    "solve": "run a file of puzzles: found moves, mate lengths, times",
    "spsa": "tune constants of the search by games",
    "tables": "make endgame tables, list and check them, and look positions up",
    "tournament": "let several engines play each against each, for a table of ratings",
    "tune": "fit the weights of the evaluation to games",
}
ALIASES = {"analyze": "analyse"}  # other spellings


class CommandError(Exception):
    """What is wrong with the input, and where: shown as it is, with the exit status, 2 by default."""

    def __init__(self, message: str, *, status: int = 2) -> None:
        super().__init__(message)
        self.status = status


class input_errors:
    """A block in which errors of these kinds, by default ValueError, are faults of the input: CommandError.

    An OSError that names its file needs no handler: `eleengine.__main__` prints it in the same words.
    """

    def __init__(self, *kinds: type[Exception]) -> None:
        self._kinds = kinds or (ValueError,)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, self._kinds):
            raise CommandError(str(error)) from None


def reason(error: OSError) -> str:
    """Say which file is wrong, and why; an error without a file is one of the output."""
    name = "output" if error.filename is None else error.filename or "''"
    return f"{name}: {error.strerror or error}"


def warn(text: str) -> None:
    """Print a warning to stderr."""
    print(f"eleengine: {text}", file=sys.stderr, flush=True)


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A type for argparse: a whole number from low to high."""

    def convert(text: str) -> int:
        try:
            number = whole(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(
                f"must be a whole number from {low} to {high}, not {text[:40]!r}"
            )
        return number

    return convert


def real_number(low: float, high: float) -> Callable[[str], float]:
    """A type for argparse: a number from low to high."""

    def convert(text: str) -> float:
        try:
            number = real(text)
        except ValueError:
            number = math.nan
        if not low <= number <= high:
            wanted = f"a number from {low:.10g} to {high:.10g}"
            raise argparse.ArgumentTypeError(f"must be {wanted}, not {text[:40]!r}")
        return number

    return convert
