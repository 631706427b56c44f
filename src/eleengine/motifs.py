"""What a line does, by the names that players have for it: patterns of mate, and tactics that win pieces.

`mating_patterns` names how a checkmate on the board came about, `tactics` what the first move of a line does,
`explain` says in words why a move was a mistake. All go by definitions over lines and attacks, which stand
at each pattern; a piece is a part of a mate if without it there would be none.

>>> from eleengine import Board
>>> board = Board("3akab2/9/9/9/9/9/9/4C4/4C4/4K4 b - - 0 1")
>>> [motif.text("zh") for motif in mating_patterns(board)]
['重炮']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from ._core import Move, as_board, as_move
from ._internal.traditional import by_language, traditional
from .board import Board
from .pieces import ADVISOR, CANNON, KING, KNIGHT, PAWN, ROOK, Color, PieceType
from .square_set import SquareSet
from .squares import Square, square_file, square_rank

__all__ = ["NAMES", "Explanation", "Motif", "explain", "material", "mating_patterns", "tactics"]

#: The names of all motifs: English, simplified and traditional Chinese.
NAMES: Final = {
    motif: (english, chinese, traditional(chinese))
    for motif, (english, chinese) in {
        "double_cannons": ("double cannons", "重炮"),
        "cannon_behind_horse": ("cannon behind the horse", "马后炮"),
        "smothered_palace": ("smothered palace", "闷宫"),
        "smothered": ("smothered king", "闷杀"),
        "heaven_and_earth": ("heaven and earth cannons", "天地炮"),
        "iron_bolt": ("iron bolt", "铁门栓"),
        "opposite_corner_horse": ("horse on the opposite corner", "八角马"),
        "angling_horse": ("angling horse", "钓鱼马"),
        "elbow_horse": ("elbow horse", "卧槽马"),
        "corner_horse": ("corner horse", "挂角马"),
        "two_horses": ("two horses at the spring", "双马饮泉"),
        "two_rooks": ("two rooks in turn", "双车错"),
        "three_on_one_wing": ("three pieces on one wing", "三子归边"),
        "two_pawns_at_the_door": ("two pawns at the door", "二鬼拍门"),
        "moon_from_the_sea": ("from behind, with the king's help", "海底捞月"),
        "facing_king": ("facing king", "白脸将"),
        "double_check": ("double check", "双将"),
        "stalemate": ("no move left", "困毙"),
        "dagger_to_the_heart": ("dagger to the heart", "大刀剜心"),
        "pawn_drives_home": ("pawn drives the king home", "送佛归殿"),
        "fork": ("fork", "捉双"),
        "check_and_attack": ("check that wins a piece", "将军抽子"),
        "discovered_check": ("discovered check", "抽将"),
        "discovered_attack": ("discovered attack", "闪击"),
        "pin": ("pin", "牵制"),
        "deflection": ("deflection", "引离"),
    }.items()
}

_VALUES: Final = (0, 0, 2, 2, 4, 9, 4.5, 1)  # pawns, by piece type
_HEAVY: Final = (KNIGHT, ROOK, CANNON)
_LANGUAGES: Final = {"en": 0, "zh": 1, "zh-Hant": 2}


class Motif(NamedTuple):
    """A motif: its name in `NAMES`, whose it is, and the squares of the pieces that make it."""

    name: str
    side: Color
    squares: tuple[Square, ...] = ()

    def text(self, language: str = "en") -> str:
        """Return its name in "en", "zh" or "zh-Hant"; KeyError for another language."""
        return NAMES[self.name][_LANGUAGES[language]]


# Mates


class _Mate:
    """A checkmate as its pieces see it: files 0 to 8, ranks counted from the mated side's own back rank."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.loser, self.winner = board.turn, not board.turn
        king = board.king(self.loser)
        assert king is not None
        self.king = king
        self.checkers = [square for square in board.checkers() if board.piece_type_at(square) != KING]
        self._needed: dict[Square, bool] = {}

    def coordinates(self, square: Square) -> tuple[int, int]:
        rank = square_rank(square)
        return square_file(square), rank if self.loser else 9 - rank

    def own(self, kind: PieceType) -> list[Square]:
        """The winner's pieces of a kind."""
        return list(self.board.pieces(kind, self.winner))

    def is_checker(self, square: Square, *kinds: PieceType) -> bool:
        return square in self.checkers and self.board.piece_type_at(square) in kinds

    def needs(self, square: Square) -> bool:
        """Would there be no mate without this piece of the winner?"""
        if square not in self._needed:
            board = self.board.copy(stack=False)
            board.remove_piece_at(square)
            self._needed[square] = square in self.checkers or (
                board.is_playable() and not board.is_checkmate()
            )
        return self._needed[square]

    def helpers(self, *squares: Square) -> list[Square]:
        """The winner's other pieces that the mate needs; its king is not asked for."""
        pieces = self.board.piece_map().items()
        own = [one for one, piece in pieces if piece.color == self.winner and piece.piece_type != KING]
        return [square for square in own if square not in squares and self.needs(square)]

    def between(self, one: Square, other: Square) -> list[Square]:
        """The occupied squares between two on a line."""
        return [square for square in SquareSet.between(one, other) if self.board.piece_at(square)]

    def exits(self) -> list[Square]:
        """The squares beside the king, in the palace, that no piece of its own is on."""
        file, rank = self.coordinates(self.king)
        found = []
        for step in (-1, 1, -9, 9):
            square = self.king + step
            if 0 <= square < 90 and self.board.color_at(square) != self.loser:
                to = self.coordinates(square)
                if 3 <= to[0] <= 5 and to[1] <= 2 and abs(to[0] - file) + abs(to[1] - rank) == 1:
                    found.append(square)
        return found


def _cannon_mates(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    for cannon in mate.checkers:
        if not mate.is_checker(cannon, CANNON):
            continue
        (screen,) = mate.between(cannon, mate.king)
        kind, is_own = mate.board.piece_type_at(screen), mate.board.color_at(screen) == mate.winner
        steps = abs(screen - mate.king)
        if is_own and kind == CANNON:
            yield "double_cannons", [cannon, screen]  # the front one is the screen of the other
        if is_own and kind == KNIGHT and steps in (2, 18):
            yield "cannon_behind_horse", [cannon, screen]  # two points away it guards both sides of the king
        if not is_own and kind == ADVISOR and not mate.helpers(cannon):
            yield "smothered_palace", [cannon]  # alone, over an advisor of the king


def _smothered(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    """No exit that is not the king's own piece's; the check is not a cannon's."""
    if len(mate.checkers) == 1 and not mate.exits() and not mate.is_checker(mate.checkers[0], CANNON):
        yield "smothered", mate.checkers


def _two_cannons(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    """One on the middle file, one on the back rank, both towards a king at home in the middle."""
    if mate.coordinates(mate.king) != (4, 0):
        return
    for heaven in mate.own(CANNON):
        for earth in mate.own(CANNON):
            if (
                mate.coordinates(heaven)[0] != 4
                or mate.coordinates(earth)[1] != 0
                or not (mate.needs(heaven) and mate.needs(earth))
            ):
                continue
            if all(len(mate.between(cannon, mate.king)) in (1, 2) for cannon in (heaven, earth)):
                yield "heaven_and_earth", [heaven, earth]


def _iron_bolt(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    """A rook or pawn beside the king on the back rank; a cannon on the middle file ties its guards."""
    if mate.coordinates(mate.king) != (4, 0):
        return
    for beside in mate.checkers:
        if not mate.is_checker(beside, ROOK, PAWN) or mate.coordinates(beside) not in ((3, 0), (5, 0)):
            continue
        for cannon in mate.own(CANNON):
            if (
                mate.coordinates(cannon)[0] == 4
                and len(mate.between(cannon, mate.king)) == 2
                and mate.needs(cannon)
            ):
                yield "iron_bolt", [beside, cannon]


def _horses(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    file, rank = mate.coordinates(mate.king)
    for horse in mate.own(KNIGHT):
        coordinates = mate.coordinates(horse)
        if mate.is_checker(horse, KNIGHT) and (file, rank) == (4, 0):
            if coordinates in ((2, 1), (6, 1)):
                yield "elbow_horse", [horse]  # on the second rank, two files from the king
            if coordinates in ((3, 2), (5, 2)):
                yield "corner_horse", [horse]  # on a front corner of the palace
        elif horse not in mate.checkers and mate.needs(horse):
            corners = {(3, 0), (5, 0), (3, 2), (5, 2)}
            if (
                (file, rank) in corners
                and coordinates in corners
                and coordinates[0] != file
                and coordinates[1] != rank
            ):
                yield "opposite_corner_horse", [horse]  # diagonally across the palace from the king
            if coordinates in ((2, 2), (6, 2)) and any(
                mate.is_checker(one, ROOK, PAWN) for one in mate.checkers
            ):
                # On the third rank beside the palace, guarding for a rook or pawn.
                yield "angling_horse", [horse]
    for one in mate.checkers:
        for other in mate.own(KNIGHT):
            if other == one or not mate.is_checker(one, KNIGHT) or not mate.needs(other):
                continue
            sides = {square_file(one) // 5, square_file(other) // 5}
            middle = 4 in (square_file(one), square_file(other))
            if not middle and len(sides) == 1 and not mate.helpers(one, other):
                yield "two_horses", [one, other]  # on one wing, alone


def _two_rooks(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    """One checks on a line, the other holds the line beside it."""
    for one in mate.checkers:
        if not mate.is_checker(one, ROOK):
            continue
        for other in mate.own(ROOK):
            way = square_rank if one // 9 == mate.king // 9 else square_file
            if other != one and abs(way(other) - way(mate.king)) == 1 and mate.needs(other):
                yield "two_rooks", [one, other]


def _wing(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    """Rook, horse and cannon beyond the river on one wing, none of them to spare."""
    needed = [
        (kind, square)
        for kind in _HEAVY
        for square in mate.own(kind)
        if mate.needs(square) and mate.coordinates(square)[1] <= 4
    ]
    for files in (range(4), range(5, 9)):
        there = [(kind, square) for kind, square in needed if square_file(square) in files]
        if {kind for kind, _ in there} == set(_HEAVY):
            yield "three_on_one_wing", [square for _, square in there]


def _pawns(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    """Pawns on both sides of the palace's middle, both needed."""
    doors = [
        pawn for pawn in mate.own(PAWN) if mate.coordinates(pawn) in ((3, 1), (5, 1)) and mate.needs(pawn)
    ]
    if len(doors) == 2:
        yield "two_pawns_at_the_door", doors


def _kings(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    """An exit that nothing but the other king on its open file denies."""
    king = mate.board.king(mate.winner)
    assert king is not None
    for square in mate.exits():
        board = mate.board.copy(stack=False)
        board.remove_piece_at(mate.king)
        board.remove_piece_at(square)
        if square_file(square) != square_file(king) or any(
            board.piece_at(one) for one in SquareSet.between(square, king)
        ):
            continue
        board.set_piece_at(square, mate.board.piece_at(mate.king))
        if board.attackers(mate.winner, square):
            continue
        behind = [
            one
            for one in mate.checkers
            if mate.is_checker(one, ROOK, CANNON) and mate.coordinates(one)[1] == 0
        ]
        if behind and square_file(behind[0]) == square_file(mate.king) and mate.coordinates(mate.king)[1] > 0:
            yield "moon_from_the_sea", [behind[0], king]  # the check comes from behind the king
        yield "facing_king", [king]
        return


def _double_check(mate: _Mate) -> Iterator[tuple[str, list[Square]]]:
    if len(mate.checkers) > 1:
        yield "double_check", mate.checkers


#: The most specific first.
_MATES: Final[tuple[Callable[[_Mate], Iterator[tuple[str, list[Square]]]], ...]] = (
    _cannon_mates, _two_cannons, _iron_bolt, _wing, _horses, _two_rooks, _pawns, _smothered, _kings,
    _double_check,
)  # fmt: skip


def mating_patterns(board: Board) -> list[Motif]:
    """Return the patterns of a checkmate or stalemate on the board, the most specific first.

    Empty if the game goes on, or if the mate has no name.
    """
    if as_board(board).is_stalemate():
        return [Motif("stalemate", not board.turn)]
    if not board.is_checkmate():
        return []
    mate = _Mate(board)
    found: dict[str, Motif] = {}
    for pattern in _MATES:
        for name, squares in pattern(mate):
            found.setdefault(name, Motif(name, mate.winner, tuple(squares)))
    return list(found.values())


def _line_mates(board: Board, line: Sequence[Move]) -> list[Motif]:
    """The patterns of a line that ends in mate: those that only its moves show, then those of its end."""
    board = board.copy(stack=False)
    side = board.turn
    checks: list[Square] = []  # where a pawn gave check, move after move
    dagger: Square | None = None
    for ply, move in enumerate(line):
        piece, taken = board.piece_at(move.from_square), board.piece_at(move.to_square)
        board.push(move)
        if ply % 2:
            continue
        kind = piece.piece_type if piece is not None else 0
        centre = 9 * (8 if side else 1) + 4
        if (
            kind == ROOK
            and taken is not None
            and taken.piece_type == ADVISOR
            and move.to_square == centre
            and board.is_check()
        ):
            dagger = centre
        checks = (
            [*(checks if checks[-1:] == [move.from_square] else []), move.to_square]
            if kind == PAWN and board.is_check()
            else []
        )
    if not board.is_checkmate():
        return mating_patterns(board)
    found = []
    if dagger is not None:
        found.append(Motif("dagger_to_the_heart", side, (dagger,)))
    king = board.king(board.turn)
    if len(checks) > 1 and king is not None and square_rank(king) in (0, 9):
        found.append(Motif("pawn_drives_home", side, (checks[-1],)))
    return found + mating_patterns(board)


# Tactics


def _value(board: Board, square: Square) -> float:
    """What a piece is worth in pawns; a pawn beyond the river counts twice."""
    piece = board.piece_at(square)
    if piece is None:
        return 0
    crossed = piece.piece_type == PAWN and (square_rank(square) > 4) == piece.color
    return 2 if crossed else _VALUES[piece.piece_type]


def _threatens(board: Board, attacker: Square, target: Square) -> bool:
    """Does a piece attack a horse, cannon or rook that is unguarded or worth more than itself?"""
    piece, wanted = board.piece_at(attacker), board.piece_at(target)
    if piece is None or wanted is None or piece.color == wanted.color or wanted.piece_type not in _HEAVY:
        return False
    if target not in board.attacks(attacker):
        return False
    return not board.attackers(wanted.color, target) or _value(board, target) > _value(board, attacker) + 0.5


def tactics(board: Board, line: Sequence[Move]) -> list[Motif]:
    """Return what the first move of a line does, if the line wins material by it.

    line: from the position on the board, the moves of both sides. Only the definitions decide what is found:

    * fork: the piece that moved threatens two of horse, cannon and rook at once, and takes one next;
    * check_and_attack: it gives check and threatens one of them, which it takes next;
    * discovered_check: another piece gives check, and the one that moved captures, now or next;
    * discovered_attack: it lets another piece threaten something, which is taken next, and threatens, takes
      or checks itself;
    * pin: its side's next move takes a piece that had no move because of the king;
    * deflection: it is taken, and what took it no longer guards what is taken next.

    A piece is threatened if it is attacked and unguarded, or worth more than its attacker.
    """
    if not line or material(board, line) <= 0:
        return []
    side, (first, *rest) = board.turn, line
    after = board.copy(stack=False)
    captured = _value(board, first.to_square)
    after.push(first)
    to = first.to_square
    checkers = set(after.checkers())
    threats = [square for square in after.attacks(to) if _threatens(after, to, square)]
    reply, next_move = rest[:2] if len(rest) > 1 and _takes(after, rest) else (None, None)
    prey = next_move.to_square if next_move is not None else None
    by_same = next_move is not None and next_move.from_square == to
    found = []
    if checkers - {to}:
        if by_same or (captured and rest and rest[0].to_square != to):
            found.append(Motif("discovered_check", side, (*sorted(checkers - {to}), to)))
    elif by_same and prey in threats and to in checkers:
        found.append(Motif("check_and_attack", side, (to, *threats)))
    elif by_same and prey in threats and len(threats) > 1:
        found.append(Motif("fork", side, (to, *threats)))
    if reply is None or next_move is None or prey is None:
        return found
    attacker = next_move.from_square
    is_opened = attacker != to and prey not in board.attacks(attacker) and _threatens(after, attacker, prey)
    if is_opened and not checkers - {to} and (threats or captured or checkers):
        found.append(Motif("discovered_attack", side, (attacker, prey)))
    is_sacrifice = reply.to_square == to != prey and _value(board, first.from_square) > captured
    if is_sacrifice and reply.from_square in after.attackers(not side, prey):
        found.append(Motif("deflection", side, (to, reply.from_square, prey)))
    if not checkers and reply.from_square != prey and _is_pinned(after, prey):
        found.append(Motif("pin", side, (prey,)))
    return found


def _takes(after: Board, rest: Sequence[Move]) -> bool:
    """Does the second move of a line take a horse, cannon or rook that stood there before the first?"""
    piece = after.piece_at(rest[1].to_square)
    return piece is not None and piece.color == after.turn and piece.piece_type in _HEAVY


def _is_pinned(board: Board, square: Square) -> bool:
    """Has a piece of the side to move no legal move, but would have one without its king to shield?"""
    if square not in board.blockers() or any(move.from_square == square for move in board.legal_moves):
        return False
    return any(move.from_square == square for move in board.pseudo_legal_moves)


def material(board: Board, line: Sequence[Move]) -> float:
    """Return what the side to move wins by a line, in pawns.

    A last capture that can be answered counts only for what it wins beyond the capturing piece.
    """
    board = as_board(board).copy(stack=False)
    won = 0.0
    for ply, move in enumerate(line):
        gain = _value(board, as_move(move).to_square)
        mover = _value(board, move.from_square)
        board.push(move)
        if ply == len(line) - 1 and gain and board.attackers(board.turn, move.to_square):
            gain = max(0.0, gain - mover)
        won += -gain if ply % 2 else gain
    return won


# Words


class Explanation(NamedTuple):
    """Why a move was a mistake: what it allows, or what it lets go.

    mate: does the line end in mate? motifs: of the line. lost: the pieces that the line takes, as
    (type, square) of the position in which it starts. is_missed: was it the mover's own chance?
    """

    is_missed: bool
    mate: bool
    motifs: tuple[Motif, ...]
    lost: tuple[tuple[PieceType, Square], ...]

    def text(self, language: str = "en") -> str:
        """Return it as a phrase without a full stop, in "en", "zh" or "zh-Hant": loses a rook (fork)."""
        names = [motif.text(language) for motif in self.motifs[:1]]
        prey = _prey_text(self.lost, language)
        if language == "en":
            how = f" ({names[0]})" if names else ""
            if self.mate:
                return ("misses a mate" if self.is_missed else "allows mate") + how
            return f"{'misses winning' if self.is_missed else 'loses'} {prey}{how}"
        how = f"（{names[0]}）" if names else ""
        if self.mate:
            text = "错失杀着" if self.is_missed else "被杀"
            return (traditional(text) if language == "zh-Hant" else text) + how
        return f"{'可得' if self.is_missed else '失'}{prey}{how}"

    def sentence(self, language: str = "en") -> str:
        """Return the same as a sentence."""
        text = self.text(language)
        return f"It {text}." if language == "en" else f"{text}。"


_ENGLISH: Final = ("", "king", "advisor", "elephant", "horse", "rook", "cannon", "pawn")
_CHINESE: Final = by_language((), ("", "将", "士", "象", "马", "车", "炮", "兵"))


def _prey_text(lost: Sequence[tuple[PieceType, Square]], language: str) -> str:
    kinds = [kind for kind, _ in lost]
    if language == "en":
        return " and ".join(f"{'an' if kind in (2, 3) else 'a'} {_ENGLISH[kind]}" for kind in kinds)
    return "、".join(_CHINESE[language][kind] for kind in kinds)


def explain(
    board: Board, move: Move, refutation: Sequence[Move], better: Sequence[Move] = ()
) -> Explanation | None:
    """Explain a mistake by the best answers to it, and by the line that was better.

    board: the position before the move. refutation: from the position after it. better: from the board.
    None if neither line ends in mate or wins material.
    """
    after = as_board(board).copy(stack=False)
    after.push(move)
    lines = (after, _legal(after, refutation), False), (board, _legal(board, better), True)
    for start, line, is_missed in lines:
        if _ends_in_mate(start, line):
            return Explanation(is_missed, True, tuple(_line_mates(start, line)), ())
    for start, line, is_missed in lines:
        won = material(start, line) - _value(board, move.to_square)
        if won >= 1 and (lost := _net(start, line)):
            return Explanation(is_missed, False, tuple(tactics(start, line)), lost)
    return None


def _legal(board: Board, line: Sequence[Move]) -> list[Move]:
    """A line as far as it is legal."""
    board = board.copy(stack=False)
    found = []
    for move in line:
        if not move or not board.is_legal(move):
            break
        board.push(move)
        found.append(move)
    return found


def _ends_in_mate(board: Board, line: Sequence[Move]) -> bool:
    """Does a line end with the mover's mate?"""
    board = board.copy(stack=False)
    for move in line:
        board.push(move)
    return len(line) % 2 == 1 and (board.is_checkmate() or board.is_stalemate())


def _net(board: Board, line: Sequence[Move]) -> tuple[tuple[PieceType, Square], ...]:
    """The pieces that the side to move takes by a line and does not pay for with one of the same kind."""
    board = board.copy(stack=False)
    taken: list[tuple[PieceType, Square]] = []
    for ply, move in enumerate(line):
        piece = board.piece_at(move.to_square)
        answered = ply == len(line) - 1 and board.attackers(not board.turn, move.to_square)
        board.push(move)
        if piece is None or answered:
            continue
        if ply % 2 == 0:
            taken.append((piece.piece_type, move.to_square))
            continue
        paid = next((one for one in taken if one[0] == piece.piece_type), None)
        if paid is not None:
            taken.remove(paid)
    return tuple(sorted(taken, key=lambda one: -_VALUES[one[0]])[:2])
