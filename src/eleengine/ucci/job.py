"""A `go` that was accepted."""

from ..engines.clock import after_waiting
from ..engines.strength import Strength
from .go import Go
from .options import UcciOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._core import BaseBoard, Move
    from ..engines.types import SearchArguments, Searching

DEFAULT_MS = 5000  # for a `go` without any usable limit


class GoJob:
    """From the acceptance of a `go` until its terminal line is written.

    dialect: "ucci" or "uci". received: when it came, of `time.perf_counter`. must_end: nobody will say
        `stop`, so a mate that is not found must not keep the search going.
    """

    def __init__(
        self,
        go: Go,
        board: "BaseBoard",
        received: float,
        options: UcciOptions,
        dialect: str,
        *,
        must_end: bool,
    ) -> None:
        self.go = go
        self.board = board
        self.received = received
        self.pondering: bool = go.ponder
        self.draw: bool = go.draw and not go.ponder
        self.root_moves: list[Move] | None = None  # None: all
        overhead_ms = options.number("moveoverhead")
        unit_ms = 1 if options.flag("usemillisec") else 1000
        limit = go.limit(board.turn, unit_ms=unit_ms, overhead_ms=overhead_ms)
        self._arguments: SearchArguments = limit.arguments(
            board.turn, overhead_ms=overhead_ms, ponder=options.flag("ponder")
        )
        limited = any(value for name, value in self._arguments.items() if name != "mate" or not must_end)
        self.infinite: bool = go.infinite or (not limited and dialect == "uci" and go.is_bare)
        self.strength: Strength = Strength()
        if self.infinite:
            self._arguments |= {"optimum_ms": 0, "maximum_ms": 0}
        elif not limited:
            self._arguments["maximum_ms"] = DEFAULT_MS
        self.multipv: int = options.number("multipv")
        self.analysis: Searching | None = None  # once the search has begun
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

    @property
    def optimum_ms(self) -> int:
        return self._arguments["optimum_ms"]

    def limits(self, charged_ms: int) -> "SearchArguments":
        """What the search gets; charged_ms: of its time, gone already: the first `go` may wait for memory."""
        optimum, maximum = after_waiting(self.optimum_ms, self._arguments["maximum_ms"], charged_ms)
        found: SearchArguments = {**self._arguments, "optimum_ms": optimum, "maximum_ms": maximum}
        return self.strength.limit({**found, "multipv": self.multipv})
