"""Verdicts on the history of a game: repetition, perpetual check and chase, counted draws, mate.

Rule sets, which differ in what a repetition means (and ``computer`` in what is too little to win):

==============  ==================================================================================
``axf``         Asian rules, also used by the World Xiangqi Federation: the default
``computer``    simplified rules of engine matches: any check in the repetition excuses all chases;
                the game is a draw, too, with one cannon on a side and no screens to mate with
``simple``      ElephantEye, XQWizard, the engine league: direct attacks of the moved piece only
``cxa``         Chinese rules, approximated: a side loses that checks, threatens mate or chases
                with every move, whatever the victims, while the other side does not
``axfbook``     ``axf`` by the letter of its book: of a protected rook only knights and cannons are
                chasers, not advisors and bishops
``checkban``    only perpetual check is an offence
``alwaysdraw``  nothing is
==============  ==================================================================================

>>> board = BaseBoard("4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w")
>>> for text in 2 * ["h6i6", "i0h0", "i6h6", "h0i0"]:
...     board.push(Move.from_iccs(text))
>>> verdict = judge(board)
>>> str(verdict), verdict.reason
('red_loses', 'perpetual_chase')
>>> verdict.explanation
'Red chases the cannon i0 with the rook h6 on every move; Black does not offend.'
"""

from __future__ import annotations

from operator import index

from ._core import BaseBoard, Move, as_board
from ._internal.traditional import by_language
from .pieces import BLACK, PIECE_NAMES, RED
from .squares import square_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "COUNTED_CHECKS", "NO_CAPTURE_LIMIT", "RULE_SETS", "Chase", "MoveNote", "Verdict", "judge",
    "rule_set_number",
]  # fmt: skip

#: The names of the sets of rules, in the order of the core.
RULE_SETS = ("axf", "computer", "simple", "cxa", "axfbook", "checkban", "alwaysdraw")
NO_CAPTURE_LIMIT = 120  #: plies without a capture after which the game is a draw
COUNTED_CHECKS = 10  #: of each side, among these plies


def rule_set_number(name: str) -> int:
    """Return the number by which the core knows a rule set; ValueError if none has that name.

    >>> rule_set_number("axf")
    0
    """
    if name not in RULE_SETS:
        raise ValueError(f"rule_set must be one of {', '.join(RULE_SETS)}, not {name!r}")
    return RULE_SETS.index(name)


_RESULTS = ("none", "draw", "red_loses", "black_loses")
_SIDES = ("red", "black")

_OFFENCES = {
    "none": "does not offend",
    "check": "checks on every move",
    "chase": "chases {} on every move",
    "exposure": "exposes {} on every move",
    "mixed": "checks, threatens mate or chases on every move",
    "covered": "checks or chases on every move, too, and so the exposure is not punished",
}
_WORDS = by_language({}, {
    "red": "红方", "black": "黑方", "none": "对局继续",
    "checkmate": "{loser}被将死，{winner}胜", "stalemate": "{loser}被困毙，{winner}胜",
    "perpetual_check": "{loser}长将，{winner}胜", "perpetual_chase": "{loser}长捉，{winner}胜",
    "repetition": "局面重复，和棋", "move_limit": "自然限着已到，和棋",
    "material": "双方均无取胜子力，和棋",
})  # fmt: skip


class ByValue:
    """What is equal when all its attributes are."""

    __slots__: tuple[str, ...] = ()

    def _values(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())


class Chase(ByValue):
    """One side's offence against one piece over a whole repetition.

    victim: square of the chased piece, attackers: squares of the pieces that chase it, both in the
    position that has been repeated. direct: False if its protection was taken away each time
    (exposure) rather than an attack made.
    """

    __slots__ = ("attackers", "direct", "victim")

    def __init__(self, victim: int, attackers: tuple[int, ...], direct: bool) -> None:
        self.victim: int = victim
        self.attackers: tuple[int, ...] = attackers
        self.direct: bool = direct

    def __repr__(self) -> str:
        return f"Chase({square_name(self.victim)} by {', '.join(map(square_name, self.attackers))})"


class MoveNote(ByValue):
    """What one move of a repetition does.

    chases: (attacker, victim) for each piece it chases, squares after the move. threat: a mate
    threat, or one to win something by checks; reported under the rule set ``cxa`` only.
    """

    __slots__ = ("chases", "gives_check", "move", "threat")

    def __init__(
        self, move: Move, gives_check: bool, chases: tuple[tuple[int, int], ...], threat: bool
    ) -> None:
        self.move: Move = move
        self.gives_check: bool = gives_check
        self.chases: tuple[tuple[int, int], ...] = chases
        self.threat: bool = threat

    def __str__(self) -> str:
        parts = ["check"] if self.gives_check else []
        parts += [f"{square_name(attacker)} chases {square_name(victim)}" for attacker, victim in self.chases]
        parts += ["threat"] if self.threat else []
        return f"{self.move}: {', '.join(parts) or 'quiet'}"

    def __repr__(self) -> str:
        return f"<{self}>"


class Verdict(ByValue):
    """The state of a game by the rules; its ``str`` is ``none``, ``draw``, ``red_loses`` or ``black_loses``.

    reason: ``none``, ``checkmate``, ``stalemate``, ``perpetual_check``, ``perpetual_chase``,
        ``repetition`` (a draw), ``move_limit`` or ``material``.
    grades: offences of red and black in the repetition: 3 perpetual check, 2 perpetual chase,
        1 perpetual exposure, 0 none; None if nothing has been repeated often enough.
    chases: for red and black, the pieces that the side chases throughout.
    moves: a note on each move of the repetition.
    explanation: all of it in a sentence.
    """

    __slots__ = ("chases", "explanation", "grades", "moves", "reason", "result")

    def __init__(
        self,
        result: str,
        reason: str,
        explanation: str,
        *,
        grades: tuple[int, int] | None = None,
        chases: tuple[tuple[Chase, ...], tuple[Chase, ...]] = ((), ()),
        moves: tuple[MoveNote, ...] = (),
    ) -> None:
        self.result: str = result
        self.reason: str = reason
        self.explanation: str = explanation
        self.grades: tuple[int, int] | None = grades
        self.chases: tuple[tuple[Chase, ...], tuple[Chase, ...]] = chases
        self.moves: tuple[MoveNote, ...] = moves

    @property
    def winner(self) -> bool | None:
        """RED (True), BLACK (False), or None without one."""
        return {"red_loses": BLACK, "black_loses": RED}.get(self.result)

    @property
    def mutual(self) -> bool:
        """Do both sides commit the same offence?"""
        return self.grades is not None and self.grades[0] == self.grades[1] > 0

    @property
    def offences(self) -> tuple[str, str]:
        """What red and black did in the repetition.

        ``none``, ``check``, ``chase``, ``exposure``; ``mixed``: checks, threats of mate or chases of several
        pieces by turns; ``covered``: checks or chases, too, so that the exposure of the other side is not
        punished.
        """
        return self._offence(0), self._offence(1)

    def _offence(self, side: int) -> str:
        own, other = (self.grades or (0, 0))[side], (self.grades or (0, 0))[1 - side]
        if own in (1, 2) and not self.chases[side]:
            return "mixed"
        if own == 0 and other == 1 and self.result == "draw":
            return "covered"
        return ("none", "exposure", "chase", "check")[own]

    def text(self, language: str = "en") -> str:
        """Return the reason and the explanation, or in Chinese the result and the reason.

        language: "en", "zh" or "zh-Hant"; KeyError for any other.

        >>> judge(BaseBoard("4ka3/9/4b4/9/9/9/9/4B4/4A4/3K5 w")).text("zh")
        '双方均无取胜子力，和棋'
        """
        if language == "en":
            return f"{self.reason.replace('_', ' ')}: {self.explanation}"
        words = _WORDS[language]
        loser, winner = _SIDES if self.result == "red_loses" else _SIDES[::-1]
        return words[self.reason].format(loser=words[loser], winner=words[winner])

    def __bool__(self) -> bool:
        """Is the game over?"""
        return self.result != "none"

    def __str__(self) -> str:
        return self.result

    def __repr__(self) -> str:
        return f"<Verdict {self.result}: {self.reason}>"


def judge(
    board: BaseBoard,
    rule_set: str = "axf",
    *,
    occurrences: int = 3,
    no_capture_limit: int | None = NO_CAPTURE_LIMIT,
    counted_checks: int | None = COUNTED_CHECKS,
) -> Verdict:
    """The verdict on the moves played on the board, which is left as it is.

    occurrences: how often a position must stand before its repetition is judged, 2 or more.
    no_capture_limit: plies without a capture that make a draw; None for no limit.
    counted_checks: checks of each side that are counted among these plies; further ones, and the
        answers to them, are not. None: all are.
    ValueError for an unknown rule set, a number out of range or a position that cannot be played.

    >>> judge(BaseBoard("4ka3/9/4b4/9/9/9/9/4B4/4A4/3K5 w")).reason
    'material'
    >>> str(judge(BaseBoard()))
    'none'
    """
    number = rule_set_number(rule_set)
    if not 2 <= occurrences <= 1000:
        raise ValueError(f"occurrences must be 2..1000, not {occurrences}")
    if no_capture_limit is not None and index(no_capture_limit) < 1:
        raise ValueError(f"the no-capture limit must be at least 1 ply or None, not {no_capture_limit}")
    if counted_checks is not None and index(counted_checks) < 0:
        raise ValueError(f"counted_checks must not be negative, but is {counted_checks}")
    if not as_board(board).legal_moves:
        reason = "checkmate" if board.is_check() else "stalemate"
        loser = _SIDES[0 if board.turn == RED else 1]
        return Verdict(f"{loser}_loses", reason, f"{loser.title()} has no legal move: {reason}.")
    facts = board._judge_repetition(number, occurrences)
    if facts is not None:
        return _repetition(board, *facts)
    if no_capture_limit is not None and (plies := board.no_capture_plies(counted_checks)) >= no_capture_limit:
        return Verdict("draw", "move_limit", f"{plies} counted plies without a capture.")
    if board.is_insufficient_material():
        return Verdict("draw", "material", "Neither side has a piece that can cross the river.")
    if board.is_insufficient_material(number):
        return Verdict("draw", "material", "The cannons have no screens to mate with.")
    return Verdict("none", "none", "The game goes on.")


def _repetition(
    board: BaseBoard,
    plies: int,
    result: int,
    red: int,
    black: int,
    facts: Sequence[tuple[bool, Sequence[tuple[int, int, bool]], bool]],
) -> Verdict:
    grades = (red, black)
    moves = board.move_stack[-plies:]
    first = 0 if board.turn == RED else 1  # a window has an even number of plies
    chases = tuple(_chases(moves, facts, side ^ first, grades[side]) for side in range(2))
    reason = "repetition"
    if _RESULTS[result] != "draw":
        reason = "perpetual_check" if max(grades) == 3 else "perpetual_chase"
    verdict = Verdict(
        _RESULTS[result],
        reason,
        "",
        grades=grades,
        chases=(chases[0], chases[1]),
        moves=tuple(
            MoveNote(move, check, tuple((attacker, victim) for attacker, victim, _ in pairs), threat)
            for move, (check, pairs, threat) in zip(moves, facts, strict=True)
        ),
    )
    verdict.explanation = "; ".join(_sentence(board, verdict, side) for side in range(2)) + "."
    return verdict


def _chases(
    moves: Sequence[Move],
    facts: Sequence[tuple[bool, Sequence[tuple[int, int, bool]], bool]],
    offset: int,
    grade: int,
) -> tuple[Chase, ...]:
    """The pieces that every second move from the offset on chases; pieces are named by their first square."""
    if grade not in (1, 2):
        return ()
    origin = {square: square for square in range(90)}
    chased: list[dict[int, set[int]]] = []
    for i, (move, (_, pairs, _)) in enumerate(zip(moves, facts, strict=True)):
        origin[move.to_square], origin[move.from_square] = origin[move.from_square], -1
        if i % 2 == offset:
            chased.append({})
            for attacker, victim, direct in pairs:
                if direct or grade == 1:
                    chased[-1].setdefault(origin[victim], set()).add(origin[attacker])
    common = set(chased[0]).intersection(*chased)
    return tuple(
        Chase(victim, tuple(sorted(set().union(*(move[victim] for move in chased)))), grade == 2)
        for victim in sorted(common)
    )


def _sentence(board: BaseBoard, verdict: Verdict, side: int) -> str:
    """What a side did in a repetition."""
    pairs = [
        f"{_piece(board, chase.victim)} with {' and '.join(_piece(board, a) for a in chase.attackers)}"
        for chase in verdict.chases[side]
    ]
    return f"{_SIDES[side].title()} {_OFFENCES[verdict.offences[side]].format(' and '.join(pairs))}"


def _piece(board: BaseBoard, square: int) -> str:
    return f"the {PIECE_NAMES[board.piece_type_at(square) or 0]} {square_name(square)}"
