"""The bag of words behind `go`, and what its clock allows."""

from ..engines.clock import MAX_MS, clock_budget
from ..engines.engine_options import integer
from .replies import ProtocolError

_FLAGS = frozenset(("ponder", "draw", "infinite"))
_CLOCK = frozenset((
    "time", "increment", "movestogo", "opptime", "oppincrement", "oppmovestogo", "movetime",
    "wtime", "btime", "winc", "binc",
))  # fmt: skip
_NUMBERS = _CLOCK | {"depth", "nodes", "mate"}
_LEAST = {"depth": 0, "nodes": 0, "mate": 1}
MAX_DEPTH = 100
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

    @property
    def depth(self) -> int:
        return min(self.numbers.get("depth", 0), MAX_DEPTH)

    @property
    def nodes(self) -> int:
        """The limit, 0 for none; `nodes 0` asks for the quickest answer there is."""
        return min(max(1, self.numbers["nodes"]), MAX_NODES) if "nodes" in self.numbers else 0

    @property
    def mate(self) -> int:
        return min(self.numbers.get("mate", 0), MAX_DEPTH)

    @property
    def movetime(self) -> int | None:
        return self.numbers.get("movetime")

    @property
    def movestogo(self) -> int | None:
        """Moves to the next time control; None for the whole game, for which some GUIs write wtime and 0."""
        moves = self.numbers.get("movestogo")
        return None if moves is not None and moves <= 0 and "time" not in self.numbers else moves

    def clock(self, red_to_move: bool, unit_ms: int) -> tuple[int | None, int | None]:
        """The mover's time and increment in ms, None for what was not given; `time` is in units."""
        mine = "w" if red_to_move else "b"
        found: list[int | None] = []
        for uci, ucci in ((f"{mine}time", "time"), (f"{mine}inc", "increment")):
            if ucci in self.numbers:
                found.append(self.numbers[ucci] * unit_ms)
            else:
                found.append(self.numbers.get(uci))
        return found[0], found[1]

    @property
    def one_move(self) -> bool:
        """A clock without any other word about the game is the time for this move."""
        return "time" in self.numbers and not self.numbers.keys() & (_CLOCK - {"time", "movetime"})


_KEYWORDS = _FLAGS | _NUMBERS | {"searchmoves"}


def budget(
    go: Go, red_to_move: bool, *, usemillisec: bool, overhead_ms: int, ponder: bool
) -> tuple[int, int]:
    """The (optimum_ms, maximum_ms) that the clock words of a `go` allow; (0, 0) without any.

    usemillisec: the unit of `time` and `increment` is ms, otherwise seconds; UCI words are always ms.
    ponder: the GUI intends to think on the opponent's time, so some more may be spent.
    """
    clock, increment = go.clock(red_to_move, 1 if usemillisec else 1000)
    optimum = maximum = 0
    if clock is not None:
        moves = go.movestogo
        if moves is None and increment is None and go.one_move:
            moves = 1
        optimum, maximum = clock_budget(clock, increment, moves, overhead_ms=overhead_ms, ponder=ponder)
    if go.movetime is not None:  # no clock runs on: a little is enough for the way through the pipe
        exactly = max(1, go.movetime - min(overhead_ms // 10, go.movetime // 20))
        maximum = min(maximum, exactly) if maximum else exactly
    maximum = min(maximum, MAX_MS)
    return min(optimum, maximum), maximum
