"""The words of a reply: scores, moves, messages. Strings in, strings out.

The dialect is "ucci" or "uci"; scores from the search are centipawns for the side to move, where
MATE - p is a mate in p plies.
"""

from ..score import Style, score_text, ucci_points

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..engines.types import InfoDict

MAX_ECHO = 20
# GUIs look for these in whole lines: the first as words, the others anywhere.
_WORDS = frozenset(("depth", "score", "pv", "nodes", "currmove", "message"))
_PARTS = ("nps", "bestmove", "draw", "resign", "ucciok", "uciok", "readyok")
_ECHO = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-")


class ProtocolError(Exception):
    """A command cannot be obeyed; the text, with {} for a word of the command, is what to say about it.

    Nothing that comes from outside belongs into the text itself: GUIs might obey it.
    """

    def __init__(self, text: str, echo: str = "") -> None:
        super().__init__(text, echo)
        self.text = text
        self.echo = echo

    def __str__(self) -> str:
        """The message, with no more of the command than a GUI can safely be shown.

        >>> [str(ProtocolError("error unknown command {}", word)) for word in ("hello", "depth")]
        ['error unknown command hello', 'error unknown command']
        >>> str(ProtocolError("error fen {x}"))
        'error fen {x}'
        """
        echo = "".join(c for c in self.echo[:200] if c in _ECHO)[:MAX_ECHO]
        lower = echo.lower()
        words = self.text.split()
        if lower in _WORDS or lower in words or any(part in lower for part in _PARTS):
            echo = ""
        return " ".join(self.text.replace("{}", echo).split())


def message(dialect: str, text: str) -> str:
    return f"info {'string' if dialect == 'uci' else 'message'} {text}"


def score_style(dialect: str) -> Style:
    """How a dialect writes scores; UCCI before the handshake."""
    return "uci" if dialect == "uci" else "ucci"


def speed(nodes: int, time_ms: int) -> int:
    """Nodes per second."""
    return nodes * 1000 // max(1, time_ms)


def pv_line(
    dialect: str, info: "InfoDict", moves: str, *, depth: int, time_ms: int, rank: int, wdl: bool
) -> str:
    """One principal variation. depth and time_ms replace those of info; rank: 0 to leave it out."""
    uci, score, nodes = dialect == "uci", info["score"].relative, info["nodes"]
    return " ".join((
        f"info depth {depth}",
        *((f"seldepth {max(depth, info['seldepth'])}",) if "seldepth" in info else ()),
        *((f"multipv {rank}",) if rank else ()),
        f"score {score_text(score, score_style(dialect))}",
        *(("wdl {} {} {}".format(*score.wdl()),) if wdl and uci else ()),
        f"nodes {nodes} nps {speed(nodes, time_ms)} hashfull {info['hashfull']}",
        *((f"tbhits {info['tbhits']}",) if uci and "tbhits" in info else ()),
        f"time {time_ms} pv {moves}",
    ))  # fmt: skip


def pophash(found: "tuple[str, int, int, str] | None") -> str:
    """The answer to `probe`: (move text or empty, score, depth, bound) or None for an unknown position.

    >>> pophash(("h2e2", 50, 7, "exact"))
    'pophash bestmove h2e2 lowerbound 10 depth 7 upperbound 10 depth 7'
    """
    if found is None:
        return "pophash"
    move, score, depth, bound = found
    value = ucci_points(score)
    words = ["pophash"]
    if move:
        words.append(f"bestmove {move}")
    for name, other in (("lower", "upper"), ("upper", "lower")):
        if bound != other:
            words.append(f"{name}bound {value} depth {depth}")
    return " ".join(words)
