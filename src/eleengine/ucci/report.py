"""What a search says while it runs: principal variations, heartbeats, the move it is at.

GUIs choke on floods and give up on silence. So lines beyond a small burst are limited to
LINES_PER_SECOND, the newest of each rank waiting for its turn, and after a second without a word
there is a heartbeat. Nothing here locks: the caller sees to it that one thread at a time is inside.
"""

from time import perf_counter

from .replies import pv_line, speed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .._core import Move
    from ..engines.types import InfoDict

LINES_PER_SECOND = 20
BURST = 20
HEARTBEAT_S = 1.0
CURRMOVE_AFTER_MS = 3000


class InfoWriter:
    """The voice of one search.

    say: writes a line. late_ms: between the `go` and the start of the search. first_rank: in the moves.
    """

    def __init__(
        self,
        say: "Callable[[str], None]",
        dialect: str,
        multipv: int,
        late_ms: int,
        wdl: bool,
        first_rank: int = 0,
    ) -> None:
        self._send_line = say
        self._dialect = dialect
        self._multipv = multipv
        self._late_ms = late_ms
        self._wdl = wdl
        self._first_rank = first_rank
        self._depth = 1  # of the last line; never goes back
        self._shown: dict[int, InfoDict] = {}  # by rank
        self._waiting: dict[int, InfoDict] = {}
        self._allowed = float(BURST)
        self._counted = self._spoke = perf_counter()
        self._currmovenumber = 0

    def take(self, info: "InfoDict") -> None:
        """News from the search: shown now or, if there is too much of it, a little later."""
        if info["multipv"] <= self._multipv and "score" in info:
            self._waiting.pop(info["multipv"], None)
            self._waiting[info["multipv"]] = info
            self._show_waiting()

    def tick(
        self, nodes: int, time_ms: int, hashfull: int, currmove: "Move | None", currmovenumber: int
    ) -> None:
        """Called ten times a second with the progress of the search; time_ms counts from the `go`."""
        self._show_waiting()
        if time_ms >= CURRMOVE_AFTER_MS and currmove is not None and currmovenumber != self._currmovenumber:
            self._currmovenumber = currmovenumber
            depth = f"depth {self._depth} " if self._dialect == "uci" else ""
            move = currmove.uci(first_rank=self._first_rank)
            self._write(f"info {depth}currmove {move} currmovenumber {currmovenumber}")
        if perf_counter() - self._spoke >= HEARTBEAT_S:
            progress = f"time {time_ms} nodes {nodes} nps {speed(nodes, time_ms)} hashfull {hashfull}"
            self._write(f"info depth {self._depth} {progress}")

    def close(self, lines: "list[InfoDict]", chosen: "InfoDict") -> None:
        """The search is over: show what was not shown, with the line that is played as the first."""
        if "score" in chosen:
            lines = [chosen, *(info for info in lines if info["multipv"] != chosen["multipv"])]
        for rank, info in enumerate(lines[: self._multipv], 1):
            shown = self._shown.get(rank)
            if "score" in info and (
                shown is None or shown["pv"] != info["pv"] or shown["depth"] < info["depth"]
            ):
                self._show(info, rank)

    def _show_waiting(self) -> None:
        now = perf_counter()
        self._allowed = min(BURST, self._allowed + (now - self._counted) * LINES_PER_SECOND)
        self._counted = now
        while self._waiting and self._allowed >= 1:
            self._allowed -= 1
            rank = next(iter(self._waiting))
            self._show(self._waiting.pop(rank), rank)

    def _show(self, info: "InfoDict", rank: int) -> None:
        self._depth = max(self._depth, info["depth"])
        self._shown[rank] = info
        self._write(pv_line(
            self._dialect, info, " ".join(move.uci(first_rank=self._first_rank) for move in info["pv"]),
            depth=self._depth, time_ms=round(info["time"] * 1000) + self._late_ms,
            rank=rank if self._multipv > 1 or self._dialect == "uci" else 0, wdl=self._wdl,
        ))  # fmt: skip

    def _write(self, line: str) -> None:
        self._spoke = perf_counter()
        self._send_line(line)
