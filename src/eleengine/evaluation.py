"""The static evaluation: of the network, with what each piece is worth, and the classical one term by term.

>>> from eleengine import A0, Board
>>> evaluation = evaluate(Board())
>>> [(term.name, len(term.counts)) for term in evaluation.terms if term.group == "mobility"]
[('rook mobility', 1), ('knight mobility', 1), ('cannon mobility', 1)]
>>> total = sum(term.total for term in evaluation.terms) + sum(value for _, value in evaluation.steps)
>>> evaluation.score.red().score() == total
True
>>> 300 < evaluation.network.worths[A0] < 2000        # Red's rook
True
"""

from __future__ import annotations

from typing import NamedTuple

from ._core import BaseBoard, Context, Network, default_context, eval_trace
from ._internal.display import html_table
from .pieces import COLOR_NAMES, PIECE_NAMES, RED
from .score import PovScore
from .squares import SQUARE_NAMES, Square, square

__all__ = ["Count", "Evaluation", "NetworkEvaluation", "Term", "evaluate"]

NAME_WIDTH = 38  # of the table's first column

_MATERIAL = {"material": "{piece}", "square": "{piece} on {square}"}
# Group: its terms, each with the words for the places in its table.
_GROUPS = {
    "mobility": {
        "rook mobility": "{} safe squares",
        "knight mobility": "{} safe squares",
        "cannon mobility": "{} safe squares",
    },
    "attack on the king": {
        "pressure": "{} enemy advisors, {} attacks",
        "cannon on file": "{} rooks (1: or more), {} between",
        "cannon on rank": "{} rooks (1: or more), {} between",
        "rook check": "safe check",
        "knight check": "safe check",
    },
    "threats": {
        "hanging": "{piece}",
        "threat by light piece": "{piece}",
        "threat by minor piece": "rook",
        "protected": "{piece}",
        "pinned": "{piece}",
    },
    "structure": {
        "advisors against rooks": "{} advisors, {} enemy rooks",
        "advisors against cannons": "{} advisors, {} enemy cannons",
        "advisors against knights": "{} advisors, {} enemy knights",
        "bishops against cannons": "{} bishops, {} enemy cannons",
        "bishops against pawns": "{} bishops, {} enemy pawns across",
        "crossed pawns": "{} pawns across the river",
        "crossed pair": "pawns side by side",
        "rook on open file": "rook",
    },
    "imbalance": {
        "army and pawns": "{}R {}N {}C, {} pawns",
        "army against pawns": "{}R {}N {}C, {} enemy pawns",
        "army against army": "{}R {}N {}C, enemy {}R {}N {}C",
        "pawns against guards": "{} pawns, {} enemy guards",
        "cannon by screens": "cannon, {} times 4 pieces on the board",
    },
    "tempo": {"tempo": "to move"},
}
_GROUP_OF = {term: group for group, terms in _GROUPS.items() for term in terms}
_WORDS = {**_MATERIAL, **{term: words for terms in _GROUPS.values() for term, words in terms.items()}}


class Count(NamedTuple):
    """Something that occurs on the board, how often for each side, and what one is worth."""

    what: str  #: such as "7 safe squares"
    red: int
    black: int
    mg: int  #: weight in the middlegame, centipawns
    eg: int  #: and in the endgame


class Term(NamedTuple):
    """One term of the evaluation: centipawns for each side, rounded, at the phase of the position."""

    group: str
    name: str
    red: int
    black: int
    counts: tuple[Count, ...]

    @property
    def total(self) -> int:
        """Red minus black."""
        return self.red - self.black


class NetworkEvaluation(NamedTuple):
    """What a network says of a position."""

    score: PovScore
    worths: dict[Square, int]  #: centipawns for Red that the score falls without the piece; not of kings

    def table(self, board: BaseBoard) -> str:
        """Lines of text: the board with the worth of each piece below it, and the score."""
        lines = ["Network: centipawns for red that each piece is worth on its square", ""]
        for rank in range(9, -1, -1):
            squares = [square(file, rank) for file in range(9)]
            pieces = [board.piece_at(s) for s in squares]
            symbols = (piece.symbol() if piece else "." for piece in pieces)
            worths = (_signed(self.worths[s]) if s in self.worths else "" for s in squares)
            lines.append("".join(f"{symbol:>7}" for symbol in symbols))
            lines.append("".join(f"{worth:>7}" for worth in worths).rstrip())
        turn = COLOR_NAMES[self.score.turn]
        lines += [
            "",
            _total_row("score for red", self.score.red().score() or 0),
            _total_row(f"score for the side to move ({turn})", self.score.relative.score() or 0),
        ]
        return "\n".join(lines)


class Evaluation(NamedTuple):
    """A static evaluation. The totals of the terms and of the steps sum up to the classical score for Red."""

    terms: tuple[Term, ...]
    steps: tuple[tuple[str, int], ...]  #: what happens to the sum of the terms: (name, centipawns for Red)
    phase: float  #: 1.0 with all pieces, 0.0 in the barest endgame: the share of the middlegame weights
    score: PovScore  #: classical
    network: NetworkEvaluation | None  #: of the network in use

    def groups(self) -> dict[str, tuple[int, int]]:
        """Centipawns of Red and of Black by group of terms."""
        sums: dict[str, tuple[int, int]] = {}
        for term in self.terms:
            red, black = sums.get(term.group, (0, 0))
            sums[term.group] = red + term.red, black + term.black
        return sums

    def table(self, *, counts: bool = False) -> str:
        """The classical evaluation as lines of text: groups, terms, and what was counted if asked for."""
        turn = COLOR_NAMES[self.score.turn]
        lines = [
            f"Centipawns; {self.phase:.0%} middlegame, {1 - self.phase:.0%} endgame",
            "",
            f"{'':<{NAME_WIDTH}}{'red':>8}{'black':>8}{'total':>8}",
        ]
        for group, (red, black) in self.groups().items():
            lines.append(_row(group, red, black))
            terms = [term for term in self.terms if term.group == group]
            for term in terms if len(terms) > 1 or counts else ():
                lines.append(_row(f"  {term.name}", term.red, term.black))
                if counts:
                    lines += [_count_row(count) for count in term.counts]
        lines += ["", _total_row("sum", sum(term.total for term in self.terms))]
        lines += [_total_row(name, value) for name, value in self.steps]
        lines += [
            _total_row("score for red", self.score.red().score() or 0),
            _total_row(f"score for the side to move ({turn})", self.score.relative.score() or 0),
        ]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.table()

    def _repr_html_(self) -> str:
        rows = [
            (group, *map(_signed, (red, black, red - black))) for group, (red, black) in self.groups().items()
        ]
        rows += [(name, "", "", _signed(value)) for name, value in self.steps]
        rows.append(("classical score for red", "", "", _signed(self.score.red().score() or 0)))
        if self.network is not None:
            rows.append(("network, for red", "", "", _signed(self.network.score.red().score() or 0)))
        return html_table(rows, head=("centipawns", "red", "black", "total"))


def evaluate(board: BaseBoard, *, context: Context | None = None) -> Evaluation:
    """The static evaluation of a playable position; ValueError if it is not.

    context: with the weights and the network to go by; None: the default one.
    """
    context = context or default_context()
    trace = eval_trace(board, context=context)
    phase, max_phase = trace["phase"], trace["max_phase"]
    found: dict[tuple[str, str], list[Count]] = {}
    for term, index, *numbers in trace["counts"]:
        group, name = _GROUP_OF.get(term, "other terms"), term
        if term in _MATERIAL:
            group, name = ("material" if term == "material" else "piece squares"), PIECE_NAMES[index[0]]
        found.setdefault((group, name), []).append(Count(_what(term, index), *numbers))

    terms = []
    for (group, name), counts in found.items():
        red = sum(c.red * (c.mg * phase + c.eg * (max_phase - phase)) for c in counts)
        black = sum(c.black * (c.mg * phase + c.eg * (max_phase - phase)) for c in counts)
        terms.append(Term(group, name, round(red / max_phase), round(black / max_phase), tuple(counts)))
    blended = _quotient(trace["mg"] * phase + trace["eg"] * (max_phase - phase), max_phase)
    scaled = _quotient(blended * trace["scale"], 64)
    for_red = trace["score"] if board.turn == RED else -trace["score"]
    steps = (
        ("rounding", blended - sum(term.total for term in terms)),
        (f"winning chances, {trace['scale']}/64", scaled - blended),
        ("moves without a capture", for_red - scaled),
    )
    score = PovScore.from_core(trace["score"], board.turn)
    network = _by_network(board, context.network) if context.network else None
    return Evaluation(tuple(terms), steps, phase / max_phase, score, network)


def _by_network(board: BaseBoard, network: Network) -> NetworkEvaluation:
    score = network.evaluate(board)
    sign = 1 if board.turn == RED else -1
    worths = {square: sign * (score - without) for square, without in network.without_each(board).items()}
    return NetworkEvaluation(PovScore.from_core(score, board.turn), worths)


def _quotient(a: int, b: int) -> int:
    """a / b without its fraction, as C divides."""
    return a // b if a >= 0 else -(-a // b)


def _what(term: str, index: tuple[int, ...]) -> str:
    words = _WORDS.get(term, "{} " * len(index)).strip()
    if "{piece}" in words:
        return words.format(piece=PIECE_NAMES[index[0]], square=SQUARE_NAMES[index[-1]])
    return words.format(*index)


def _row(name: str, red: int, black: int) -> str:
    return f"{name:<{NAME_WIDTH}}{red:>8}{black:>8}{_signed(red - black):>8}"


def _total_row(name: str, value: int) -> str:
    return f"{name:<{NAME_WIDTH + 16}}{_signed(value):>8}"


def _count_row(count: Count) -> str:
    weights = _signed(count.mg) if count.mg == count.eg else f"{_signed(count.mg)} to {_signed(count.eg)}"
    return f"    {count.what:<{NAME_WIDTH - 4}}{count.red:>8}{count.black:>8}   each {weights}"


def _signed(value: int) -> str:
    return f"{value:+}" if value else "0"
