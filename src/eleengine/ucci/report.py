"""What a search says while it runs: principal variations, heartbeats, the move it is at.

GUIs choke on floods and give up on silence. So lines beyond a small burst are limited to
LINES_PER_SECOND, the newest of each rank waiting for its turn, and after a second without a word
there is a heartbeat. Nothing here locks: the caller sees to it that one thread at a time is inside.
"""

from time import perf_counter

from .replies import shown_score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..engines.types import InfoDict, Progress

LINES_PER_SECOND = 20
BURST = 20
HEARTBEAT_S = 1.0
CURRMOVE_AFTER_MS = 3000


class InfoWriter:
    """The voice of one search.

    say: writes a line. late_ms: between the `go` and the start of the search. first_rank: in the moves.
    """

    def __init__(
        self, say: "Callable[[str], None]", dialect: str, multipv: int, late_ms: int, wdl: bool,
        first_rank: int = 0,
    ) -> None:  # fmt: skip
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

    def tick(self, progress: "Progress", time_ms: int) -> None:
        """Called ten times a second with the progress of the search; time_ms counts from the `go`."""
        self._show_waiting()
        number, nodes = progress.get("currmovenumber", 0), progress["nodes"]
        if time_ms >= CURRMOVE_AFTER_MS and "currmove" in progress and number != self._currmovenumber:
            self._currmovenumber = number
            depth = f"depth {self._depth} " if self._dialect == "uci" else ""
            move = progress["currmove"].uci(first_rank=self._first_rank)
            self._write(f"info {depth}currmove {move} currmovenumber {number}")
        if perf_counter() - self._spoke >= HEARTBEAT_S:
            said = f"depth {self._depth} time {time_ms} nodes {nodes} nps {nodes * 1000 // max(1, time_ms)}"
            self._write(f"info {said} hashfull {progress['hashfull']}")

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
        uci, score, nodes = self._dialect == "uci", info["score"].relative, info["nodes"]
        time_ms = round(info["time"] * 1000) + self._late_ms
        self._write(" ".join((
            f"info depth {self._depth}",
            *((f"seldepth {max(self._depth, info['seldepth'])}",) if "seldepth" in info else ()),
            *((f"multipv {rank}",) if self._multipv > 1 or uci else ()),
            f"score {shown_score(score, self._dialect)}",
            *(("wdl {} {} {}".format(*score.wdl()),) if self._wdl and uci else ()),
            f"nodes {nodes} nps {nodes * 1000 // max(1, time_ms)} hashfull {info['hashfull']}",
            *((f"tbhits {info['tbhits']}",) if uci and "tbhits" in info else ()),
            f"time {time_ms} pv {' '.join(move.uci(first_rank=self._first_rank) for move in info['pv'])}",
        )))  # fmt: skip

    def _write(self, line: str) -> None:
        self._spoke = perf_counter()
        self._send_line(line)
