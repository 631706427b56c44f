"""The public board: what it tells, how it ends, how it is copied, drawn and kept."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import raises

import eleengine
from eleengine import (
    BLACK,
    E0,
    E9,
    H2,
    H9,
    KING,
    PIECE_TYPES,
    RED,
    ROOK,
    BaseBoard,
    Board,
    IllegalMoveError,
    InvalidMoveError,
    Limit,
    Move,
    Outcome,
    Piece,
    Status,
    Termination,
    square_mirror,
    square_mirror_files,
)
from eleengine.games import ResultCount
from eleengine.score import Cp, PovScore

choices = st.lists(st.integers(0, 127), max_size=80)


def play(choices, board=None):
    """A board after random legal moves, told by their place in the list of legal moves."""
    board = board or Board()
    for choice in choices:
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
    return board


def test_the_default_is_the_start_position_and_none_is_empty():
    assert Board().fen() == eleengine.STARTING_FEN
    assert Board(None) == Board.empty() and not Board.empty().occupied()


@given(choices)
@settings(deadline=None)
def test_sets_of_pieces_agree_with_the_pieces(choices):
    board = play(choices)
    for square, piece in board.piece_map().items():
        assert square in board.pieces(piece.piece_type, piece.color)
        assert square in board.occupied() and square in board.occupied(piece.color)
    assert len(board.piece_map()) == len(board.occupied())
    assert board.occupied() == board.occupied(RED) | board.occupied(BLACK)
    assert sum(len(board.pieces(t, c)) for t in PIECE_TYPES for c in (RED, BLACK)) == len(board.occupied())


@given(choices)
@settings(deadline=None)
def test_checkers_attack_the_king(choices):
    board = play(choices)
    assert bool(board.checkers()) == board.is_check()
    king = board.king(board.turn)
    attackers = board.attackers(not board.turn, king)
    assert board.checkers() - board.pieces(KING, not board.turn) == attackers
    assert board.is_attacked_by(not board.turn, king) == bool(attackers)


def test_a_blocker_stands_between_the_kings():
    board = Board("4k4/9/9/9/9/4N4/9/9/9/4K4 w")
    assert board.blockers() == {eleengine.E4}
    assert not any(move.from_square == eleengine.E4 for move in board.legal_moves)


def test_set_piece_map_replaces_the_pieces_only():
    board = Board("4k4/9/9/9/9/9/9/9/9/3K5 b - - 7 9")
    pieces = Board().piece_map()
    board.set_piece_map(pieces)
    assert board.piece_map() == pieces
    for bad in ({E0: pieces[E0], 90: pieces[E0]}, {E0: pieces[E0], E9: "k"}):
        raises((TypeError, ValueError), "", board.set_piece_map, bad)
    assert board.fen() == eleengine.STARTING_FEN.replace("w - - 0 1", "b - - 7 9")


@pytest.mark.parametrize(
    ("fen", "status"),
    [
        ("4k4/9/9/9/9/9/9/9/9/3K5 w", Status.VALID),
        ("9/9/9/9/9/9/9/9/9/4K4 w", Status.NO_KING),
        ("3kk4/9/9/9/9/9/9/9/9/5K3 w", Status.KING_COUNT),
        ("4k4/9/9/9/9/9/9/9/9/K8 w", Status.KING_PLACE),
        ("4k4/9/9/9/9/9/9/9/4A4/A2K5 w", Status.ADVISOR_PLACE),
        ("4k4/9/9/9/9/9/9/9/4B4/3K5 w", Status.BISHOP_PLACE),
        ("4k4/9/9/9/9/9/9/P8/9/3K5 w", Status.PAWN_PLACE),
        ("4k4/9/9/9/9/P8/P8/9/9/3K5 w", Status.PAWN_FILE),
        ("4k4/9/RRR6/9/9/9/9/9/9/3K5 w", Status.PIECE_COUNT),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", Status.KINGS_FACING),
        ("4k4/9/9/9/4R4/9/9/9/9/3K5 w", Status.OPPOSITE_CHECK),
        ("9/9/9/9/9/9/9/P8/9/9 w", Status.NO_KING | Status.PAWN_PLACE),
        ("4k4/PPP1PPPPP/PPPPPPPP1/9/9/9/9/9/9/3K5 b", Status.SIDE_COUNT | Status.PIECE_COUNT),
        ("4k4/9/9/9/4A4/9/9/P8/4R4/3K5 b", Status.ADVISOR_PLACE | Status.PAWN_PLACE),
    ],
)
def test_status_names_every_defect(fen, status):
    board = Board(fen, validate=False)
    assert board.status() == status
    assert board.is_valid() == (status == Status.VALID)
    king = Status.NO_KING | Status.KING_COUNT | Status.KING_PLACE
    obstacles = king | Status.KINGS_FACING | Status.OPPOSITE_CHECK | Status.SIDE_COUNT
    assert board.is_playable() == (not status & obstacles)
    assert eval(repr(board)) == board
    if board.is_playable():
        assert Board(fen) == board
        assert board.outcome() is None or board.is_insufficient_material()
    else:
        raises(ValueError, "invalid FEN", Board, fen)
        raises(ValueError, "cannot be played", board.outcome)


MATE = "3k5/4P4/9/9/9/9/9/9/9/3RK4 b"
STALEMATE = "3k5/9/3P5/9/9/9/9/9/9/4K4 b"
OPEN = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - {} 60"
BARE = "2bak1b2/9/9/9/9/9/9/9/4A4/2B1KAB2 w"


@pytest.mark.parametrize(
    ("fen", "termination", "result"),
    [
        (MATE, Termination.CHECKMATE, "1-0"),
        (STALEMATE, Termination.STALEMATE, "1-0"),
        ("4k4/9/9/9/9/9/9/3p5/9/3K5 w", Termination.STALEMATE, "0-1"),
        (OPEN.format(120), Termination.NO_CAPTURE_LIMIT, "1/2-1/2"),
        (BARE, Termination.INSUFFICIENT_MATERIAL, "1/2-1/2"),
        (MATE + " - - 120 60", Termination.CHECKMATE, "1-0"),
    ],
)
def test_outcome_names_the_end_and_the_winner(fen, termination, result):
    board = Board(fen)
    outcome = board.outcome()
    assert outcome.termination == termination
    assert outcome.result() == board.result() == result
    assert board.is_game_over()
    assert outcome == Outcome(termination, outcome.winner) == eval(repr(outcome)) != result
    assert hash(outcome) == hash(board.outcome())
    assert outcome.winner == {"1-0": RED, "0-1": BLACK, "1/2-1/2": None}[result]


def test_a_game_goes_on_until_it_ends():
    board = Board(OPEN.format(119))
    assert board.outcome() is None and board.result() == "*" and not board.is_game_over()
    board.push_iccs("a0a1")
    assert board.outcome().termination == Termination.NO_CAPTURE_LIMIT
    assert board.outcome(no_capture_limit=None) is None
    assert board.result(no_capture_limit=121) == "*"


@pytest.mark.parametrize("text", ["", "h2", "h2e", "h2e22", "j2e2", "h2ea", "０000"])
def test_push_iccs_refuses_what_is_no_move(text):
    board = Board()
    raises(InvalidMoveError, "invalid move", board.push_iccs, text)
    assert board.ply == 0


def test_errors_name_the_move_and_the_position():
    board = Board()
    for push, text in ((board.push_iccs, "a0a9"), (board.push_wxf, "R1+9"), (board.push_chinese, "车一进九")):
        with pytest.raises(IllegalMoveError) as error:
            push(text)
        assert text in str(error.value) and board.fen() in str(error.value)


@given(choices)
@settings(deadline=None)
def test_mirrored_and_swapped_positions_have_mirrored_moves(choices):
    board = play(choices)
    for other, image in ((board.mirror_files(), square_mirror_files), (board.swap_colors(), square_mirror)):
        expected = {Move(image(m.from_square), image(m.to_square)) for m in board.legal_moves}
        assert set(other.legal_moves) == expected
        assert other.halfmove_clock == board.halfmove_clock
        assert other.fullmove_number == board.fullmove_number
        assert other.ply == 0
    assert board.mirror_files().turn == board.turn != board.swap_colors().turn
    assert board.mirror_files().mirror_files() == board == board.swap_colors().swap_colors()


class Logged(Board):
    """A subclass that keeps something beside the moves, and adds to what they do."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.log = []

    def push(self, move):
        super().push(move)
        self.log.append(move)

    def pop(self):
        self.log.pop()
        return super().pop()


def test_copies_of_a_subclass_keep_its_attributes_and_call_none_of_its_methods():
    board = Logged()
    board.push_iccs("h2e2")
    board.push_iccs("h9g7")
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert twin == board and twin.log == board.move_stack and type(twin) is Logged
    assert type(board.mirror_files()) is type(board.swap_colors()) is type(Logged.empty()) is Logged
    assert copy.copy(board).log is board.log is not copy.deepcopy(board).log
    assert board.root().ply == 0 and board.variation_wxf([Move.from_iccs("h0g2")]) == "2. H2+3"
    board.mirror_files().push_iccs("a0a1")
    assert [move.iccs() for move in board.log] == ["h2e2", "h9g7", "a0a1"]


class Slotted(BaseBoard):
    """A subclass without a __dict__, with a private slot and one that is never set."""

    __slots__ = ("__secret", "log", "unset")

    def __init__(self):
        super().__init__()
        self.log, self.__secret = [1], 7

    def secret(self):
        return self.__secret


class SlottedBoard(Slotted, Board):
    """One with slots and a __dict__."""

    def __init__(self):
        super().__init__()
        self.more = {}


@pytest.mark.parametrize("cls", [Slotted, SlottedBoard])
def test_copies_keep_what_stands_in_slots(cls):
    board = cls()
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert type(twin) is cls and twin == board
        assert twin.log == [1] and twin.secret() == 7 and not hasattr(twin, "unset")
        assert getattr(twin, "more", None) == getattr(board, "more", None)
    assert board.copy().log is board.log is not copy.deepcopy(board).log
    board.log.append(board)
    twin = copy.deepcopy(board)
    assert twin.log[1] is twin


def test_pickles_keep_what_the_fen_does_not_tell():
    board = Board("3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 60 40")
    for text in 15 * ["e1d1", "d9e9", "d1e1", "e9d9"]:
        board.push_iccs(text)
    part = board.copy(stack=False)
    twin = pickle.loads(pickle.dumps(part))
    assert twin == part and twin.no_capture_plies() == part.no_capture_plies() < board.halfmove_clock
    assert twin.outcome() is part.outcome() is None


def test_perft_counts_the_position_it_was_asked_for():
    board = Board()

    def push(*_):
        if board.ply == 0:
            board.push_iccs("h2e2")

    assert board.perft(4, progress=push) == 3290240
    assert board.ply == 1


def test_latin_text_shows_the_last_move_from_both_sides():
    board = Board()
    move = board.push_iccs("h2e2")
    assert "2  +-C-+-+(C)+-+-*-+" in board.text(last_move=move)
    assert "2  +-*-+-+(C)+-+-C-+" in board.text(last_move=move, perspective=BLACK)
    assert len(board.text().splitlines()) == 20
    assert len(board.text(coordinates=False).splitlines()) == 19
    assert board.text().splitlines()[-1] == "   a b c d e f g h i"
    assert board.text(perspective=BLACK).splitlines()[-1] == "   i h g f e d c b a"


def test_a_capture_is_marked_at_the_edge_of_the_board():
    board = Board("4k4/9/9/9/r8/9/9/9/9/R2K5 w")
    move = board.push_iccs("a0a5")
    assert "5 (R)+-" in board.text(last_move=move)
    assert "+(R)" in board.text(last_move=move, perspective=BLACK)


@pytest.mark.parametrize("letters", ["chinese", "traditional"])
@pytest.mark.parametrize("perspective", [RED, BLACK])
def test_chinese_text_is_of_double_width_throughout(letters, perspective):
    board = Board()
    move = board.push_iccs("h2e2")
    text = board.text(letters=letters, last_move=move, perspective=perspective)
    assert not any(char.isascii() for char in text.replace("\n", ""))
    assert len(text.splitlines()) == 21
    assert "楚　河" in text and text.count("炮") == text.count("砲") == 2


def test_chinese_files_count_from_each_sides_right():
    above, *_, below = Board().text(letters="chinese").splitlines()
    assert above.split() == list("１２３４５６７８９") and below.split() == list("九八七六五四三二一")
    above, *_, below = Board().text(letters="chinese", perspective=BLACK).splitlines()
    assert above.split() == list("一二三四五六七八九") and below.split() == list("９８７６５４３２１")
    raises(ValueError, "letters must be", Board().text, letters="klingon")
    raises(TypeError, "a color is RED", Board().text, perspective=None)


def test_pieces_are_found_by_the_names_of_python_chess():
    board = Board()
    assert board.piece_at(E0) == Piece(KING, RED) and board.king(BLACK) == E9
    assert board.pieces(ROOK, BLACK) == {eleengine.A9, eleengine.I9}
    assert board.color_at(H2) == RED and board.color_at(H9) == BLACK


def test_an_unknown_attribute_of_the_package_is_an_error():
    assert "svg" in dir(eleengine)
    with pytest.raises(AttributeError, match="no_such_thing"):
        eleengine.no_such_thing  # noqa: B018
    assert all(hasattr(eleengine, name) for name in eleengine.__all__)


@pytest.mark.parametrize("color", ["black", "w", b"black", None, 2])
def test_what_is_no_color_is_refused(color):
    """A text is true, and was taken for Red."""
    board, score = Board(), PovScore(Cp(1), RED)
    asked = [
        board.king,
        lambda color: board.pieces(ROOK, color),
        lambda color: board.pieces_mask(ROOK, color),
        lambda color: board.attackers(color, 0),
        lambda color: board.attackers_mask(color, 0),
        lambda color: board.is_attacked_by(color, 0),
        lambda color: board.is_pinned(color, 0),
        lambda color: setattr(board, "turn", color),
        lambda color: Piece(ROOK, color),
        lambda color: PovScore(Cp(1), color),
        board.has_insufficient_material,
        score.pov,
        score.wdl().pov,
        Limit(depth=1).arguments,
        ResultCount().points,
    ]
    if color is not None:  # all pieces
        asked += [board.occupied, board.occupied_mask]
    for ask in asked:
        raises(TypeError, r"a color is RED \(True\) or BLACK \(False\), not", ask, color)
    assert board.king(1) == board.king(RED) == 4 and board.turn == RED
