"""The bag of words behind `go`, and the search that they ask for."""

from ..engines.clock import after_waiting
from ..engines.engine_options import integer
from ..engines.strength import Strength
from .options import UcciOptions
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._core import BaseBoard, Move
    from ..engines.session import Analysis
    from ..engines.types import Limit, SearchArguments

_FLAGS = frozenset(("ponder", "draw", "infinite"))
_CLOCK = frozenset((
    "time", "increment", "movestogo", "opptime", "oppincrement", "oppmovestogo", "movetime",
    "wtime", "btime", "winc", "binc",
))  # fmt: skip
_NUMBERS = _CLOCK | {"depth", "nodes", "mate"}
_KEYWORDS = _FLAGS | _NUMBERS | {"searchmoves"}
_LEAST = {"depth": 0, "nodes": 0, "mate": 1}
MAX_NUMBER = 10**9  # of plies, moves
MAX_NODES = 2**62
DEFAULT_MS = 5000  # for a `go` without any usable limit


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


class GoJob:
    """From the acceptance of a `go` until its terminal line is written.

    dialect: "ucci" or "uci". received: when it came, of `time.perf_counter`. must_end: nobody will say
        `stop`, so a mate that is not found must not keep the search going.
    """

    def __init__(
        self, go: Go, board: "BaseBoard", received: float, options: UcciOptions, dialect: str, *,
        must_end: bool,
    ) -> None:  # fmt: skip
        self.go = go
        self.board = board
        self.received = received
        self.pondering: bool = "ponder" in go.flags
        self.draw: bool = "draw" in go.flags and not self.pondering
        self.root_moves: list[Move] | None = None  # None: all
        overhead_ms = options.number("moveoverhead")
        unit_ms = 1 if options.flag("usemillisec") else 1000
        limit = go.limit(board.turn, unit_ms=unit_ms, overhead_ms=overhead_ms)
        self._arguments: SearchArguments = limit.arguments(
            board.turn, overhead_ms=overhead_ms, ponder=options.flag("ponder")
        )
        limited = any(value for name, value in self._arguments.items() if name != "mate" or not must_end)
        bare = dialect == "uci" and not (go.flags or go.numbers or go.errors)  # no word of when to end
        self.infinite: bool = "infinite" in go.flags or (bare and not limited)
        self.strength: Strength = Strength()
        if self.infinite:
            self._arguments |= {"optimum_ms": 0, "maximum_ms": 0}
        elif not limited:
            self._arguments["maximum_ms"] = DEFAULT_MS
        self.multipv: int = options.number("multipv")
        self.analysis: Analysis | None = None  # once the search has begun
        self.stopping = False

    def stop(self) -> None:
        """End the search, now or as soon as it begins."""
        self.stopping = True
        if self.analysis is not None:
            self.analysis.stop()

    @property
    def must_hold_answer(self) -> bool:
        """Must the answer wait for `stop` or `ponderhit`?"""
        return (self.infinite or self.pondering) and not self.stopping

    @property
    def plays_move(self) -> bool:
        """Is nothing asked for but a move, whatever it is founded on? Otherwise it is an analysis."""
        analysis = self.infinite or self.pondering or self._arguments["mate"] or self.multipv > 1
        return not analysis and self.go.moves is None

    def is_due(self, now: float) -> bool:
        """Has the time that it aims at passed, most of it perhaps while pondering?"""
        optimum_ms = self._arguments["optimum_ms"]
        return optimum_ms > 0 and (now - self.received) * 1000 >= optimum_ms

    def limits(self, charged_ms: int) -> "SearchArguments":
        """What the search gets; charged_ms: of its time, gone already: the first `go` may wait for memory."""
        limits = self._arguments["optimum_ms"], self._arguments["maximum_ms"]
        optimum, maximum = after_waiting(*limits, charged_ms)
        found: SearchArguments = {**self._arguments, "optimum_ms": optimum, "maximum_ms": maximum}
        return self.strength.limit({**found, "multipv": self.multipv})
