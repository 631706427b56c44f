"""The bag of words behind `go`, and the limit that they are."""

from ..engines.engine_options import integer
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.types import Limit

_FLAGS = frozenset(("ponder", "draw", "infinite"))
_CLOCK = frozenset((
    "time", "increment", "movestogo", "opptime", "oppincrement", "oppmovestogo", "movetime",
    "wtime", "btime", "winc", "binc",
))  # fmt: skip
_NUMBERS = _CLOCK | {"depth", "nodes", "mate"}
_LEAST = {"depth": 0, "nodes": 0, "mate": 1}
MAX_NUMBER = 10**9  # of plies, moves
MAX_NODES = 2**62


class Go:
    """The words behind `go`: flags, numbers by keyword, moves to search, complaints about the rest.

    >>> go = Go("depth 5 time 300 increment x".split())
    >>> go.numbers["depth"], go.numbers["time"], [str(c) for c in go.errors]
    (5, 300, ['error go increment: bad value'])
    """

    def __init__(self, words: list[str]) -> None:
        self.flags: set[str] = set()
        self.numbers: dict[str, int] = {}
        self.moves: list[str] | None = None  # behind searchmoves
        self.errors: list[ProtocolError] = []
        self.unknown: list[str] = []
        rest = list(reversed(words))  # the next word is at the end
        while rest:
            word = rest.pop().lower()
            if word in _FLAGS:
                self.flags.add(word)
            elif word in _NUMBERS:
                self._read_number(word, rest)
            elif word == "searchmoves":
                self.moves = []
                while rest and rest[-1].lower() not in _KEYWORDS:
                    self.moves.append(rest.pop())
            else:
                self.unknown.append(word)

    def _read_number(self, word: str, rest: list[str]) -> None:
        following = rest[-1].lower() if rest else ""
        if word == "depth" and following == "infinite":
            return  # `infinite` is the next word anyway
        value = integer(following)
        if following and following not in _KEYWORDS:
            rest.pop()
        if value is not None and value >= _LEAST.get(word, value):
            self.numbers[word] = value
            return
        self.errors.append(ProtocolError(f"error go {word}: bad value"))
        if word == "movestogo":
            self.numbers.setdefault("increment", 0)  # be careful: take the time for the whole game's
        elif word in _CLOCK:
            self.numbers[word] = 0  # answering early is better than losing on time

    @property
    def ponder(self) -> bool:
        return "ponder" in self.flags

    @property
    def draw(self) -> bool:
        return "draw" in self.flags

    @property
    def is_bare(self) -> bool:
        """Has no word, right or wrong, of when to end; in UCI that means never."""
        return not (self.flags or self.numbers or self.errors)

    @property
    def infinite(self) -> bool:
        return "infinite" in self.flags

    def limit(self, red_to_move: bool, *, unit_ms: int, overhead_ms: int) -> "Limit":
        """The limit of a search for the side to move.

        unit_ms: of `time` and `increment`; UCI words are always ms. overhead_ms: of each move.
        """
        from ..engines.types import Limit

        numbers, mine = self.numbers, "w" if red_to_move else "b"

        def seconds(ucci: str, uci: str) -> float | None:
            ms = numbers[ucci] * unit_ms if ucci in numbers else numbers.get(uci)
            return None if ms is None else max(0, ms) / 1000

        clock, increment = seconds("time", f"{mine}time"), seconds("increment", f"{mine}inc")
        moves, time = numbers.get("movestogo"), numbers.get("movetime")
        if moves is not None and moves <= 0 and "time" not in numbers:
            moves = None  # some GUIs write wtime and 0 for the whole game
        elif "time" in numbers and not numbers.keys() & (_CLOCK - {"time", "movetime"}):
            moves = 1  # a clock without any other word about the game is the time for this move
        if time is not None:  # no clock runs on: a little is enough for the way through the pipe
            time = max(1, time - min(overhead_ms // 10, time // 20))
        return Limit(
            time=None if time is None else time / 1000,
            depth=min(numbers.get("depth", 0), MAX_NUMBER) or None,
            nodes=min(max(1, numbers["nodes"]), MAX_NODES) if "nodes" in numbers else None,
            mate=min(numbers.get("mate", 0), MAX_NUMBER) or None,
            remaining_moves=None if moves is None else min(max(1, moves), MAX_NUMBER),
            **{"red_clock": clock, "red_inc": increment} if red_to_move else
            {"black_clock": clock, "black_inc": increment},
        )  # fmt: skip


_KEYWORDS = _FLAGS | _NUMBERS | {"searchmoves"}
