"""A `go` that was accepted, and what to add to its answer."""

from ..engines.strength import Strength, accepts_draw
from ..score import MATE_FROM, to_core, ucci_points
from .go import Go, budget
from .options import UcciOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .._core import BaseBoard, Move
    from ..engines.session import Analysis
    from ..engines.types import InfoDict, SearchArguments

DEFAULT_MS = 5000  # for a `go` without any usable limit
RESIGN_DEPTH = 8  # plies of a search that may see the game as lost; a mate needs none
RESIGN_POINTS = -600  # a score below is hopeless ...
RESIGN_TIMES = 4  # ... in so many searches in a row


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
        self.optimum_ms: int
        self.maximum_ms: int
        self.optimum_ms, self.maximum_ms = budget(
            go, board.turn, usemillisec=options.flag("usemillisec"),
            overhead_ms=options.number("moveoverhead"), ponder=options.flag("ponder"),
        )  # fmt: skip
        limited = bool(go.depth or go.nodes or (go.mate and not must_end) or self.maximum_ms)
        self.infinite: bool = go.infinite or (not limited and dialect == "uci" and go.is_bare)
        self.strength: Strength = Strength()
        if self.infinite:
            self.optimum_ms = self.maximum_ms = 0
        elif not limited:
            self.maximum_ms = DEFAULT_MS
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
        analysis = self.infinite or self.pondering or self.go.mate or self.multipv > 1
        return not analysis and self.go.moves is None

    def limits(self, charged_ms: int) -> "SearchArguments":
        """What the search gets; charged_ms: of its time, gone already.

        A move keeps half of its share of a clock that has much more: the first `go` may have waited for the
        memory of the search.
        """
        has_more = self.maximum_ms >= 4 * self.optimum_ms
        least_ms = max(1, self.optimum_ms // 2 if has_more else 0)
        return self.strength.limit({
            "depth": self.go.depth,
            "nodes": self.go.nodes,
            "mate": self.go.mate,
            "optimum_ms": max(least_ms, self.optimum_ms - charged_ms) if self.optimum_ms else 0,
            "maximum_ms": max(least_ms, self.maximum_ms - charged_ms) if self.maximum_ms else 0,
            "multipv": self.multipv,
        })  # fmt: skip


class ResignAndDraw:
    """Giving up, and saying yes to an offered draw."""

    def __init__(self) -> None:
        self._hopeless = 0  # searches in a row
        self._side = True

    def forget(self) -> None:
        """A new game begins."""
        self._hopeless = 0

    def tail(self, job: GoJob, best: "InfoDict", *, may_resign: bool) -> str:
        """What to add to the best move. concede: may the game be given up?"""
        score, depth = to_core(best["score"].relative), best["depth"]
        hopeless = (depth >= RESIGN_DEPTH or score <= -MATE_FROM) and ucci_points(score) < RESIGN_POINTS
        again = hopeless and job.board.turn == self._side
        self._hopeless = self._hopeless + 1 if again else int(hopeless)
        self._side = job.board.turn
        if may_resign and self._hopeless >= RESIGN_TIMES:
            return " resign"
        return " draw" if job.draw and accepts_draw(score, depth) else ""
