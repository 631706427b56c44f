"""Moves, attacks and checks of arbitrary positions, as the slow rules of `slow_rules` have them.

Every test here is a property. They are to notice, alone, the wrong rules of mutants.toml that are marked so.
"""

import slow_rules
from hypothesis import event, given
from hypothesis import strategies as st
from support import (
    ADVISOR,
    BISHOP,
    BLACK,
    COLORS,
    KING,
    RED,
    Board,
    examples,
    home,
    make_fen,
    sample,
    square_name,
)

LETTERS = "RNCPBA"
FILES = "abcdefghi"
ALL = st.integers(0, 89)
ANY = st.booleans()
HOMES = {color: st.sampled_from(home(KING, color)) for color in COLORS}
GUARDS = st.sampled_from([  # advisors and bishops where they may stand, so that they protect each other
    (square, letter, color == RED)
    for letter, kind in (("A", ADVISOR), ("B", BISHOP))
    for color in COLORS
    for square in home(kind, color)
])  # fmt: skip
FEWEST = st.sampled_from((0, 8, 16))


def around(king):
    """Squares from which pieces attack a king or shield it: its rank and file, and two squares around."""
    file, rank = king % 9, king // 9
    return [
        s
        for s in range(90)
        if s % 9 == file or s // 9 == rank or (abs(s % 9 - file) <= 2 and abs(s // 9 - rank) <= 2)
    ]


def attacks(attackers="CNR", screens=LETTERS, own=ANY, between=(1, 2), directions=(0, 1, 2, 3), nearest=1):
    """Attacker, direction, distances of what stands between and last of the attacker, the letter of what
    stands between, whether that is a piece of the attacked side, and how far away its rook can step between.
    """
    least, most = (n + 1 for n in between)
    return st.tuples(
        st.sampled_from(attackers),
        st.sampled_from(directions),
        st.lists(st.integers(nearest, 9), min_size=least, max_size=most, unique=True),
        st.sampled_from(screens),
        own,
        st.integers(-4, 4),
    )


FEW_ATTACKS = st.lists(attacks(), max_size=2)
DOUBLE_CHECK = st.tuples(  # by a cannon and the rook before it, on a file, where there is room between
    attacks("C", "R", st.just(False), (1, 1), directions=(0, 2), nearest=2)
)
COVERED_CHECK = st.tuples(attacks("R", "NPAB", st.just(False), (1, 1)))  # by a rook, when another leaves


def attack(king, is_red, kind, direction, distances, screen, own, defence):
    """[(square, letter, is red)] of an enemy that looks at the king, of pieces between, and of a defender."""
    df, dr = slow_rules.ORTHOGONAL[direction]
    file, rank = king % 9, king // 9
    if kind == "N":
        k = 1 if distances[0] % 2 else -1
        places = [(file + 2 * df + k * dr, rank + 2 * dr + k * df)]
        if distances[1] % 2:
            places.append((file + df + k * dr, rank + dr + k * df))  # the leg
    else:
        places = [(file + n * df, rank + n * dr) for n in sorted(distances, reverse=True)]
    colors = [not is_red] + [is_red == own] * (len(places) - 1)
    letters = [kind] + [screen] * (len(places) - 1)
    if defence:
        places.append((file + df + defence * dr, rank + dr + defence * df))
        colors.append(is_red)
        letters.append("R")
    return [
        (9 * r + f, letter, color)
        for (f, r), letter, color in zip(places, letters, colors, strict=True)
        if slow_rules.on_board((f, r))
    ]


@st.composite
def positions(draw, on_mover=FEW_ATTACKS, on_other=FEW_ATTACKS):
    """Some attacks on each king, and any pieces: near a king, where they belong, or anywhere.

    Kings share a file in half of them. Shrinks to few pieces, rooks first.
    """
    red = draw(HOMES[RED])
    black = draw(HOMES[BLACK])
    if draw(st.booleans()):
        black = 9 * (black // 9) + red % 9
    near = st.sampled_from(sorted({*around(red), *around(black)}))
    turn = draw(st.sampled_from(COLORS))
    placed = [
        one
        for color, king in ((RED, red), (BLACK, black))
        for given in draw(on_mover if color == turn else on_other)
        for one in attack(king, color == RED, *given)
    ]
    one = st.one_of(st.tuples(st.one_of(near, ALL), st.sampled_from(LETTERS), st.booleans()), GUARDS)
    pieces, left = {}, dict.fromkeys(COLORS, 15)
    for square, letter, is_red in placed + draw(st.lists(one, min_size=draw(FEWEST), max_size=24)):
        if square not in (red, black, *pieces) and left[is_red] > 1:
            pieces[square] = letter if is_red else letter.lower()
            left[is_red] -= 1
    pieces[red], pieces[black] = "K", "k"
    return make_fen(without_checks_to(not turn, pieces), turn)


def without_checks_to(color, pieces):
    """The pieces without those that attack this king, for a king that can be taken ends the game before."""
    pieces = dict(pieces)
    while True:
        by_place = {slow_rules.square_of(square): letter for square, letter in pieces.items()}
        side = slow_rules.RED if color == RED else slow_rules.BLACK
        found = slow_rules.dangers(by_place, side)
        if not found:
            return pieces
        for file, rank in found:
            if by_place[file, rank] in "Kk":
                pieces[9 * 4 + file] = "A"  # between the kings
            else:
                del pieces[9 * rank + file]


def name(square):
    return FILES[square[0]] + str(square[1])


def names(moves):
    return sorted(name(src) + name(dst) for src, dst in moves)


def iccs(moves):
    return sorted(move.iccs() for move in moves)


def squares(mask):
    return sorted(square_name(s) for s in range(90) if mask >> s & 1)


def set_up(fen):
    """The position on a board and for the slow rules: board, pieces, side to move."""
    return Board(fen), *slow_rules.parse(fen)


def agree(board):
    """All that the board says of its moves is as the slow rules say; returns how many there are."""
    return check_moves(board, *slow_rules.parse(board.fen()))


def check_moves(board, pieces, side):
    """The same with the pieces and the side as the slow rules have them."""
    legal = names(slow_rules.legal_moves(pieces, side))
    assert iccs(board.legal_moves) == legal
    assert board.legal_moves.count() == len(legal)
    assert bool(board.legal_moves) == bool(legal)
    assert iccs(board.pseudo_legal_moves) == names(slow_rules.pseudo_legal_moves(pieces, side))
    assert iccs(move for move in board.pseudo_legal_moves if board.is_legal(move)) == legal
    checkers = sorted(map(name, slow_rules.dangers(pieces, side)))
    assert squares(board.checkers_mask()) == checkers
    assert board.is_check() == bool(checkers)
    assert board.is_checkmate() == (bool(checkers) and not legal)
    assert board.is_stalemate() == (not checkers and not legal)
    return len(legal)


@examples(400)
@given(st.one_of(positions(), st.sampled_from(sample(480))))
def test_moves_and_checks_are_those_of_the_slow_rules(fen):
    board, pieces, side = set_up(fen)
    event("in check" if board.is_check() else "not in check")
    check_moves(board, pieces, side)


@examples(200)
@given(positions(on_mover=DOUBLE_CHECK))
def test_answers_to_two_checks_are_those_of_the_slow_rules(fen):
    check_moves(*set_up(fen))


@examples(100)
@given(positions())
def test_attacks_and_attackers_are_those_of_the_slow_rules(fen):
    board, pieces, _ = set_up(fen)
    attackers = {(color, square): set() for color in COLORS for square in pieces}
    for square, letter in pieces.items():
        attacked = slow_rules.attacks(pieces, square)
        file, rank = square
        mask = board.attacks_mask(9 * rank + file)
        occupied = board.occupied_mask()
        assert squares(mask & occupied) == sorted(map(name, attacked)), name(square)
        for target in attacked:
            attackers[letter.isupper(), target].add(square)
    for (color, (file, rank)), expected in attackers.items():
        assert squares(board.attackers_mask(color, 9 * rank + file)) == sorted(map(name, expected))


@examples(100)
@given(st.one_of(positions(), positions(on_other=COVERED_CHECK)))
def test_moves_give_the_checks_of_the_slow_rules(fen):
    board, pieces, side = set_up(fen)
    for move in list(board.legal_moves):
        src, dst = (slow_rules.square_of(s) for s in (move.from_square, move.to_square))
        after = slow_rules.moved(pieces, src, dst)
        checkers = sorted(map(name, slow_rules.dangers(after, 1 - side)))
        assert board.gives_check(move) == bool(checkers), move
        assert board.is_capture(move) == (dst in pieces), move
        board.push(move)
        assert squares(board.checkers_mask()) == checkers, move
        board.pop()
    assert board.fen() == fen


@examples(100)
@given(positions())
def test_blockers_are_the_pieces_whose_leaving_uncovers_a_check(fen):
    board, pieces, side = set_up(fen)
    before = slow_rules.dangers(pieces, side)
    uncovering = {
        square
        for square in pieces
        if pieces[square] not in "Kk"
        and slow_rules.dangers({s: p for s, p in pieces.items() if s != square}, side) - before
    }
    assert set(map(name, uncovering)) <= set(squares(board.blockers_mask()))


@given(positions(), st.lists(st.integers(0, 10**6), max_size=12))
def test_after_moves_the_moves_are_still_those_of_the_slow_rules(fen, choices):
    board, pieces, side = set_up(fen)
    for choice in choices:
        moves = sorted(board.legal_moves, key=lambda move: move.iccs())
        if not moves:
            break
        move = moves[choice % len(moves)]
        src, dst = (slow_rules.square_of(s) for s in (move.from_square, move.to_square))
        board.push(move)
        pieces, side = slow_rules.moved(pieces, src, dst), 1 - side
        check_moves(board, pieces, side)
