"""Stalemates, draws, keys, editing and repetitions, in positions rich in what goes wrong.

Few pieces around the kings: pins, screens, blocked knights. test_movegen.py has the moves of all others.
"""

import json
import random
from functools import cache
from itertools import combinations

import slow_rules
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from support import (
    ALL_PIECES,
    BLACK,
    CANNON,
    KING,
    POSITIONS,
    RED,
    Board,
    Move,
    Piece,
    classical,
    examples,
    full_width,
    home,
    make_fen,
    position_of,
    squares_of,
)
from test_movegen import agree, around, positions
from test_repetition import assert_agrees_with_oracle

from eleengine import SquareSet, Termination
from eleengine._core import MATE, eval_trace
from eleengine.rules import RULE_SETS, judge

PALACE = {RED: [3, 4, 5, 12, 13, 14, 21, 22, 23], BLACK: [66, 67, 68, 75, 76, 77, 84, 85, 86]}
ATTACKERS = [piece for piece in ALL_PIECES if piece.piece_type != KING]
CLASSICAL = classical(hash_mib=1)
boards = positions().map(Board)
FULL_WIDTH = full_width(network=None, hash_mib=1)  # sees no mate before it is on the board
MATES_IN_1 = [
    json.loads(line)["fen"]
    for line in (POSITIONS / "mates.jsonl").read_text(encoding="utf-8").splitlines()
    if '"win_in_plies": 1,' in line
]


def square(s):
    return s % 9, s // 9


def near(kings):
    """Squares on the lines of the kings, and a knight's or pawn's step from them."""
    return sorted({s for king in kings for s in around(king)} - set(kings))


def has_right_phase(board):
    """Rooks count 6, knights and cannons 3, up to the 48 of the beginning."""
    letters = board.board_fen().upper()
    return eval_trace(board)["phase"] == min(
        48, 6 * letters.count("R") + 3 * (letters.count("N") + letters.count("C"))
    )


@examples(12)
@given(boards)
def test_moves_after_each_move_are_those_of_the_slow_rules(board):
    leaves, value = 0, CLASSICAL.evaluate(board)
    for move in list(board.legal_moves):
        board.push(move)
        leaves += agree(board)
        board.pop()
        assert CLASSICAL.evaluate(board) == value and has_right_phase(board), move
    assert board.perft(2) == leaves


@examples(3)
@given(st.integers(0, 2**90 - 1), st.booleans())
def test_every_piece_moves_from_every_square_as_by_the_slow_rules(mask, color):
    """Among others that stand on the squares of the mask, and then on all squares but those."""
    kings = {3: "K", 86: "k"}
    for places in (mask, ~mask):
        others = {s: "Pp"[s % 2] for s in range(90) if places >> s & 1 and s not in kings} | kings
        for s in range(90):
            if s in kings:
                continue
            for piece in (piece for piece in ATTACKERS if piece.color == color):
                board = Board(make_fen({**others, s: piece.symbol()}, color), validate=False)
                pieces = slow_rules.parse(board.fen())[0]
                attacked = slow_rules.attacks(pieces, square(s))
                occupied = board.occupied_mask()
                assert set(map(square, squares_of(board.attacks_mask(s) & occupied))) == attacked
                attackers = {t: board.attackers_mask(color, t) for t in squares_of(occupied)}
                assert {square(t) for t, found in attackers.items() if found >> s & 1} == attacked
                if board.is_playable():
                    moves = {
                        square(move.to_square) for move in board.pseudo_legal_moves if move.from_square == s
                    }
                    assert moves == slow_rules.destinations(pieces, square(s)), (board, s)


@examples(100)
@given(st.sampled_from(PALACE[RED]), st.integers(1, 3), st.randoms(use_true_random=False))
def test_a_bare_king_that_cannot_move_is_stalemated(king, count, random):
    """Attackers stand where they take squares from the king and do not check it."""
    board = Board.empty()
    board.set_piece_at(king, Piece(KING, RED))
    board.set_piece_at(random.choice(PALACE[BLACK]), Piece(KING, BLACK))
    for _ in range(count):
        place = random.choice([s for s in near([king]) if board.piece_at(s) is None])
        board.set_piece_at(place, Piece(random.choice([4, 5, 6, 7]), BLACK))
    assume(board.is_playable())
    agree(board)


PINS = ["Nr", "Br", "Ar", "Pr", "Cr", "Rr", "Bpc", "ANc", "NPc", "B"]  # on a line from the king


def besieged(rng):
    """Kings, on a line or two of one a piece and what pins it, and rooks, pawns and knights around."""
    king, other = (rng.choice(PALACE[color]) for color in (RED, BLACK))
    pieces = {king: "K", other: "k"}
    for _ in range(rng.randint(1, 2)):
        df, dr = rng.choice(slow_rules.ORTHOGONAL)
        line = [(king % 9 + n * df, king // 9 + n * dr) for n in range(1, 10)]
        line = [9 * r + f for f, r in line if slow_rules.on_board((f, r))]
        letters = rng.choice(PINS)
        if len(letters) <= len(line):
            for n, letter in zip(sorted(rng.sample(range(len(line)), len(letters))), letters, strict=True):
                pieces.setdefault(line[n], letter)
    around = near([king])
    for letter in rng.choices("rrrppn", k=rng.randint(1, 3)):
        pieces.setdefault(rng.choice(around), letter)
    return Board(make_fen(pieces, RED), validate=False)


@examples(3)
@given(st.integers(0, 10**9))
def test_a_side_whose_pieces_are_pinned_is_stalemated(seed):
    """One example is a thousand positions, as few of them are of this kind."""
    rng, pinned = random.Random(seed), 0
    for _ in range(1000):
        board = besieged(rng)
        if not board.is_playable():
            continue
        count = board.legal_moves.count()
        assert any(board.legal_moves) == (count > 0) == (not (board.is_stalemate() or board.is_checkmate()))
        if count == 0 and not board.is_check():
            agree(board)
            pinned += any(board.piece_type_at(move.from_square) != KING for move in board.pseudo_legal_moves)
    assert pinned


@examples(60)
@given(
    st.sampled_from(PALACE[RED]),
    st.integers(0, 89),
    st.lists(st.tuples(st.integers(0, 89), st.sampled_from([4, 5, 6, 7])), min_size=1, max_size=4),
)
def test_nothing_steps_before_a_cannon_that_looks_at_the_king(king, cannon, own):
    """It has no screen yet: whatever comes between would be one."""
    beside = [king - 9, king - 1, king + 1, king + 9]
    lines = [s for s in range(90) if (s % 9 == king % 9) != (s // 9 == king // 9) and s not in beside]
    cannon = lines[cannon % len(lines)]
    board = Board.empty()
    between = {s for s in range(90) if int(SquareSet.between(king, cannon)) >> s & 1}
    for place, kind in own:
        if place not in between:
            board.set_piece_at(place, Piece(kind, RED))
    board.set_piece_at(cannon, Piece(CANNON, BLACK))
    board.set_piece_at(king, Piece(KING, RED))
    board.set_piece_at(
        next(s for s in PALACE[BLACK] if s % 9 != king % 9 and s != cannon), Piece(KING, BLACK)
    )
    assume(board.is_playable())
    agree(board)


def test_a_stalemated_king_has_lost():
    board = Board("3k5/9/9/9/9/9/9/9/3r1r3/4K4 w")
    assert not agree(board) and board.is_stalemate() and not board.is_checkmate()
    outcome = board.outcome()
    assert (outcome.termination, outcome.winner) == (Termination.STALEMATE, BLACK)


@examples(30)
@given(st.sampled_from(MATES_IN_1))
def test_a_mate_at_the_limit_is_found_and_other_moves_draw(fen):
    board = Board(" ".join([*fen.split()[:2], "- - 119 60"]))
    us, mates = board.turn, 0
    for move in list(board.legal_moves):
        capture = board.is_capture(move)
        board.push(move)
        outcome = board.outcome()
        if not any(board.legal_moves):
            mates += 1
            assert outcome.winner == us and outcome.termination is not Termination.NO_CAPTURE_LIMIT
        elif capture:
            assert outcome is None or outcome.termination is not Termination.NO_CAPTURE_LIMIT
        else:
            assert outcome.termination is Termination.NO_CAPTURE_LIMIT
        board.pop()
    FULL_WIDTH.clear()
    [line] = FULL_WIDTH.search(board, depth=2)
    assert mates and line.score == MATE - 1


@st.composite
def cannon_endings(draw):
    """Kings, advisors, bishops and cannons, mostly one cannon or one for each side, near each other."""
    pieces = {draw(st.sampled_from(PALACE[RED])): "K"}
    pieces.setdefault(draw(st.sampled_from(PALACE[BLACK])), "k")
    for letter in draw(st.sampled_from(["C", "c", "Cc", "CC", "", "CR", "cP"])) + draw(
        st.text(st.sampled_from("AaBb"), max_size=4)
    ):
        places = home(Piece.from_symbol(letter).piece_type, letter.isupper())
        if letter in "Cc":
            places = near(list(pieces)[:2])
        pieces.setdefault(draw(st.sampled_from(places)), letter)
    board = Board(make_fen(pieces, draw(st.booleans())), validate=False)
    assume(board.is_playable() and any(board.legal_moves))
    return board


MATING_CANNONS = [
    "9/4ak3/5a3/9/3C5/9/9/9/9/3K5 w",
    "9/9/4ka3/9/9/9/9/4B4/3K5/1C7 w",
    "8c/9/4bk3/9/9/9/9/9/3CK4/9 b",
]


@examples(150)
@given(st.one_of(cannon_endings(), st.sampled_from(MATING_CANNONS).map(Board)))
def test_draws_by_material_are_those_of_the_slow_rules(board):
    pieces, side = slow_rules.parse(board.fen())
    for rule_set in ("axf", "computer"):
        expected = slow_rules.is_drawn_by_material(pieces, side, rule_set)
        assert (judge(board, rule_set).reason == "material") == expected, rule_set
        assert board._search_verdict(1, rule_set=RULE_SETS.index(rule_set)) == expected  # 1 is a draw


def test_a_draw_by_material_says_why():
    for fen, why in (
        ("4ka3/4a4/9/9/9/9/9/9/9/4KAB2 w", "Neither side has a piece that can cross the river."),
        ("2bk5/9/c8/9/9/9/9/C8/9/4K4 b", "The cannons have no screens to mate with."),
    ):
        assert judge(Board(fen), "computer").explanation == why


# Keys


@cache
def piece_keys():
    """The key of each piece on each square, as what it adds to a board."""
    found = {}
    for piece in ALL_PIECES:
        for s in range(90):
            board = Board.empty()
            empty = board.key
            board.set_piece_at(s, piece)
            found[piece.symbol(), s] = board.key ^ empty
    return found


def test_keys_differ_for_every_piece_and_square_and_use_all_bits():
    keys = list(piece_keys().values())
    board = Board.empty()
    red = board.key
    board.turn = BLACK
    keys.append(board.key ^ red)
    assert len(set(keys)) == len(keys) == 14 * 90 + 1 and 0 not in keys
    for bit in range(64):
        ones = sum(key >> bit & 1 for key in keys)
        assert 0.4 * len(keys) < ones < 0.6 * len(keys), bit
    for shift in (0, 16, 32, 48):  # each part on its own tells nearly all of them apart
        assert len({key >> shift & 0xFFFF for key in keys}) > 1200
    sums = {one ^ other for one, other in combinations(keys, 2)}
    assert len(sums) == len(keys) * (len(keys) - 1) // 2 and not sums & set(keys)


@given(st.sampled_from(ALL_PIECES))
def test_no_other_key_is_that_of_a_piece_or_near_it(piece):
    known = piece_keys()
    others = sorted(known.values())
    for s in range(90):
        key = known[piece.symbol(), s]
        assert others.count(key) == 1 and 8 < key.bit_count() < 56, s
        assert key >> 48 and key & 0xFFFF, s


@given(boards, boards)
def test_different_positions_have_different_keys(one, other):
    same = one.fen().split()[:2] == other.fen().split()[:2]
    assert (one.key == other.key) == same


# Editing, moves, and back again


class Edits(RuleBasedStateMachine):
    """A board that is edited and played on in any order is the board of its FEN at any time."""

    @initialize(board=boards)
    def begin(self, board):
        self.board = board
        self.counts = False

    @rule(place=st.integers(0, 89), piece=st.sampled_from([None, *ATTACKERS]))
    def set_piece(self, place, piece):
        if self.board.piece_type_at(place) == KING:
            return
        before = self.board.piece_at(place)
        if piece is None:
            assert self.board.remove_piece_at(place) == before
        else:
            self.board.set_piece_at(place, piece)
        assert self.board.ply == 0 and self.board.piece_at(place) == piece
        if not self.board.is_playable():  # take it back, so that there is something to play
            self.board.set_piece_at(place, before)

    @precondition(lambda self: any(self.board.legal_moves))
    @rule(choice=st.integers(0, 200))
    def push(self, choice):
        moves = list(self.board.legal_moves)
        self.board.push(moves[choice % len(moves)])
        self.counts = self.counts or self.board.is_check()

    @precondition(lambda self: self.board.ply > 0)
    @rule()
    def pop(self):
        self.board.pop()

    @precondition(lambda self: not self.board.is_check())
    @rule()
    def pass_move(self):
        clock = self.board.halfmove_clock
        self.board.push(Move.null())
        assert self.board.halfmove_clock == clock + 1
        self.counts = True
        if not self.board.is_playable():
            self.board.pop()

    @invariant()
    def is_the_board_of_its_fen(self):
        fresh = Board(self.board.fen())
        assert position_of(self.board) == position_of(fresh)
        assert has_right_phase(self.board)
        assert [str(move) for move in self.board.legal_moves] == [str(move) for move in fresh.legal_moves]
        if not self.counts:  # the evaluation knows how many checks and passes do not count, FEN does not
            assert CLASSICAL.evaluate(self.board) == CLASSICAL.evaluate(fresh)


Edits.TestCase.settings = examples(20, stateful_step_count=25)
TestEdits = Edits.TestCase


# Repetitions


def skirmish(rng):
    """Kings and a few pieces that stand close together, so that some attack others."""
    pieces = {rng.choice(PALACE[color]): letter for color, letter in ((RED, "K"), (BLACK, "k"))}
    file, rank = rng.randrange(5), rng.randrange(6)
    for letter in rng.choices("RNCABPPrncabpp", k=rng.randint(3, 6)):
        pieces.setdefault(9 * (rank + rng.randrange(5)) + file + rng.randrange(5), letter)
    return Board(make_fen(pieces, rng.choice((RED, BLACK))), validate=False)


def loops(board):
    """Four moves with which a piece of each side goes to and fro, one of them to check or attack the other:
    (kind of that piece, is there a check?, moves).
    """
    quiet = [move for move in board.legal_moves if not board.is_capture(move)]
    for one in quiet:
        kind, checks = board.piece_type_at(one.from_square), board.gives_check(one)
        board.push(one)
        prey = board.attacks_mask(one.to_square)
        for two in [move for move in board.legal_moves if not board.is_capture(move)]:
            if not (checks or board.gives_check(two) or prey >> two.from_square & 1):
                continue
            board.push(two)
            back = [Move(move.to_square, move.from_square) for move in (one, two)]
            if board.is_legal(back[0]):
                board.push(back[0])
                if board.is_legal(back[1]):
                    yield kind, checks or board.gives_check(back[1]), [one, two, *back]
                board.pop()
            board.pop()
        board.pop()


@examples(4)
@given(st.integers(0, 10**9))
def test_repetitions_are_judged_as_by_the_slow_rules(seed):
    """In each of some positions a piece of each kind chases, or checks, if it can."""
    rng = random.Random(seed)
    for _ in range(40):
        board, found = skirmish(rng), {}
        if not board.is_playable():
            continue
        for kind, checks, moves in loops(board):
            found.setdefault((kind, checks), []).append(moves)
        for choices in found.values():
            game = board.copy()
            for move in rng.choice(choices):
                game.push(move)
            assert_agrees_with_oracle(game, slow_rules.GRADES, (board.fen(), game.move_stack))
