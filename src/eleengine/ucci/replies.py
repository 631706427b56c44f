"""The words of a reply: scores, moves, messages. Strings in, strings out.

The dialect is "ucci" or "uci"; scores of the table are centipawns for the side to move, where MATE - p is a
mate in p plies.
"""

from ..score import Score, score_text, ucci_points

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


def shown_score(score: Score | int, dialect: str) -> str:
    """A score as a dialect writes it; as UCCI does before the handshake."""
    return score_text(score, "uci" if dialect == "uci" else "ucci")


def pophash(move: str, score: int, depth: int, bound: str) -> str:
    """The answer to `probe` for a known position. move: may be empty.

    >>> pophash("h2e2", 50, 7, "exact")
    'pophash bestmove h2e2 lowerbound 10 depth 7 upperbound 10 depth 7'
    """
    words = ["pophash", *(("bestmove", move) if move else ())]
    for name, other in (("lower", "upper"), ("upper", "lower")):
        if bound != other:
            words.append(f"{name}bound {ucci_points(score)} depth {depth}")
    return " ".join(words)
