"""The names that people bring from python-chess."""

import builtins
import contextlib
import importlib
import inspect
import math
import pickle
import pkgutil
import re
import runpy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import CHECKOUT, examples, raises, sample
from test_board import choices, play

import eleengine
from eleengine import (
    A0,
    B1,
    B3,
    BLACK,
    D1,
    D2,
    D9,
    E0,
    E4,
    F1,
    FILE_NAMES,
    H3,
    I9,
    KING,
    PAWN,
    RED,
    ROOK,
    SQUARES,
    BaseBoard,
    Board,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Piece,
    SquareSet,
    notation,
    parse_square,
    piece_name,
    piece_symbol,
    square_distance,
    square_file,
    square_mirror,
    square_mirror_files,
    square_name,
    square_rank,
)
from eleengine.chess_names import BOARD_HINTS


def test_uci_is_written_with_ranks_from_zero_and_read_with_ranks_from_one_where_that_is_clear():
    assert Move.from_iccs("h2e2").uci() == "h2e2" and Move.from_uci("h2e2") == Move.from_iccs("h2e2")
    assert Move.from_uci("h10g8") == Move.from_iccs("h9g7")
    assert Move.from_uci("h8h10") == Move.from_iccs("h7h9")
    assert Move.from_uci("0000") == Move.null()
    for text in ("h11g8", "h10h10", "h2", "10", "j10a9", "h010g8"):
        raises(InvalidMoveError, "", Move.from_uci, text)
    raises(TypeError, "str, not int", Move.from_uci, 10)


def test_ranks_from_one_are_those_of_fairy_stockfish():
    """And text that is legal in both countings is read in the one that is asked for."""
    pyffish = pytest.importorskip("pyffish")
    for fen in sample(60, seed=5):
        board = Board(fen)
        texts = {board.uci(move, first_rank=1): move for move in board.legal_moves}
        assert texts.keys() == set(pyffish.legal_moves("xiangqi", fen, []))
        for text, move in texts.items():
            assert Move.from_uci(text, first_rank=1) == board.parse_uci(text, first_rank=1) == move
            assert move.uci(first_rank=0) == move.iccs() == board.uci(move)
            assert Move.from_uci(move.iccs().upper(), first_rank=0) == move
    assert Move.null().uci(first_rank=1) == "0000" and not Move.from_uci("0000", first_rank=1)
    board = Board()
    assert board.push_uci("a4a5", first_rank=1) == Move.from_iccs("a3a4")
    for text, first_rank in (("h0g2", 1), ("h10g8", 0), ("a4--a5", 1), ("a4a4", 1)):
        raises(InvalidMoveError, "", board.parse_uci, text, first_rank=first_rank)
    raises(IllegalMoveError, "", board.parse_uci, "h2e2", first_rank=1)
    raises(ValueError, "first_rank must be 0 or 1, not 2", board.uci, Move.from_iccs("a6a5"), first_rank=2)


def test_a_board_reads_uci_in_both_countings_and_prefers_its_own():
    board = Board()
    assert board.push_uci("h3e3") == Move.from_iccs("h2e2")  # h3e3 would move nothing: nobody stands on h3
    assert board.push_uci("h10g8") == Move.from_iccs("h9g7")
    assert board.parse_uci("a3a4") == Move.from_iccs("a3a4")  # the pawn, not the empty a2
    assert board.uci(board.parse_uci("h0g2")) == "h0g2"
    assert notation.parse(board, "h1g3") == Move.from_iccs("h0g2")
    raises(IllegalMoveError, "", board.parse_uci, "a1a9")
    raises(IllegalMoveError, "", board.uci, Move.from_iccs("a0a9"))
    raises(InvalidMoveError, "", board.parse_uci, "h2")


@given(choices)
@settings(deadline=None)
def test_every_move_written_with_ranks_from_one_is_read_or_means_another_legal_move(choices):
    board = play(choices)
    legal = set(board.legal_moves)
    for move in legal:
        names = (f"{FILE_NAMES[s % 9]}{s // 9 + 1}" for s in (move.from_square, move.to_square))
        text = "".join(names)
        read = board.parse_uci(text)
        assert read == move or (read in legal and read.iccs() == text)


def test_repetition_is_counted():
    board = Board()
    seen = []
    for text in 3 * ["h2h3", "h7h6", "h3h2", "h6h7"]:
        seen.append((board.is_repetition(2), board.is_repetition()))
        board.push_iccs(text)
    assert board.is_repetition(4) and not board.is_repetition(5) and board.is_repetition(1)
    assert seen[3:6] == [(False, False), (True, False), (True, False)]
    assert seen[8] == (True, True)
    board.push_iccs("h2h9")
    assert not board.is_repetition(2)


def test_reset_and_clear_stack():
    board = Board()
    board.push_iccs("h2e2")
    fen = board.fen()
    board.clear_stack()
    assert board.fen() == fen and board.ply == 0 and board.move_stack == []
    board.reset()
    assert board == Board()


def test_the_pieces_of_a_fen_alone_can_be_set():
    board = Board("4k4/9/9/9/9/9/9/9/9/3K5 b - - 7 30")
    board.set_board_fen("3k5/9/9/9/9/9/9/9/9/4K3R")
    assert board.fen() == "3k5/9/9/9/9/9/9/9/9/4K3R b - - 7 30"
    for bad in ("3k5/9", "3k5/9/9/9/9/9/9/9/9/4K3R b", "xyz"):
        raises(ValueError, "", board.set_board_fen, bad)
    assert board.fen() == "3k5/9/9/9/9/9/9/9/9/4K3R b - - 7 30"


@given(choices, st.sets(st.integers(0, 89)), st.sets(st.integers(0, 89)))
@settings(deadline=None)
def test_moves_can_be_asked_for_by_squares(choices, sources, targets):
    board = play(choices)
    legal = list(board.legal_moves)
    a, b = SquareSet(sources), SquareSet(targets)
    assert list(board.generate_legal_moves()) == legal
    within = [m for m in legal if m.from_square in a and m.to_square in b]
    assert list(board.generate_legal_moves(a, b)) == within
    captures = [m for m in legal if board.piece_at(m.to_square)]
    assert list(board.generate_legal_captures()) == captures
    assert list(board.generate_legal_captures(a, b)) == [m for m in captures if m in within]
    for move in legal:
        assert board.find_move(move.from_square, move.to_square) == move
        assert board.is_zeroing(move) == (move in captures) and not board.is_into_check(move)
    into = [m for m in board.pseudo_legal_moves if board.is_into_check(m)]
    assert set(into) == set(board.pseudo_legal_moves) - set(legal)
    raises(IllegalMoveError, "", board.find_move, A0, I9)


def test_material_of_one_side():
    board = Board("4k4/9/9/9/9/9/4p4/9/9/2BAK4 w")
    assert board.has_insufficient_material(RED) and not board.has_insufficient_material(BLACK)


def test_squares_and_pieces_have_names():
    assert [piece_name(kind) for kind in (KING, PAWN)] == ["king", "pawn"] and piece_symbol(ROOK) == "r"
    for call in (piece_name, piece_symbol):
        for bad in (0, 8, -1):
            raises(ValueError, r"1\.\.7", call, bad)
    assert square_distance(A0, I9) == 9 and square_distance(E4, D2) == 2 and square_distance(E4, E4) == 0
    assert set(SquareSet.ray(E0, E4)) == {s for s in SQUARES if square_file(s) == 4}
    assert set(SquareSet.ray(B3, H3)) == {s for s in SQUARES if square_rank(s) == 3}
    assert not SquareSet.ray(A0, B1) and not SquareSet.ray(A0, A0)


def test_mirror_exchanges_ranks_as_in_python_chess():
    for name, image in (("a0", "a9"), ("c7", "c2"), ("i9", "i0")):
        assert square_name(square_mirror(parse_square(name))) == image
    board = Board()
    board.push_iccs("b0c2")
    assert board.mirror() == board.swap_colors()


def test_epd_goes_there_and_back():
    board = Board()
    moves = [Move.from_iccs("h2e2"), Move.from_iccs("b2e2")]
    written = {"bm": moves, "id": "the start", "ce": -12, "hmvc": None, "x": 1.5}
    written["pv"] = [moves[0], Move.from_iccs("h9g7")]
    other, operations = Board.from_epd(board.epd(**written))
    assert other == board and operations == written
    assert Board.from_epd(board.fen()) == (board, {})
    assert Board.from_epd("4k4/9/9/9/9/9/9/9/9/3K5 b dm 3; id two words;")[1] == {"dm": 3, "id": "two words"}
    counted, operations = Board.from_epd("4k4/9/9/9/9/9/9/9/9/3K5 b - - 7 30 id 12;")
    assert counted.halfmove_clock == 7 and counted.fullmove_number == 30 and operations == {"id": 12}


@examples(200)
@given(st.none() | st.text() | st.integers() | st.floats() | st.booleans())
def test_an_operation_is_written_as_it_is_or_refused(operand):
    try:
        line = Board().epd(x=operand)
    except ValueError:
        finite = not isinstance(operand, float) or math.isfinite(operand)
        assert not finite or '"' in operand or len(f"{operand}.".splitlines()) > 1
    else:
        assert len(line.splitlines()) == 1 and Board.from_epd(line)[1] == {"x": operand}


@pytest.mark.parametrize("operand", [(), {}, b"x", ["h2e2"], 1j])
def test_an_operand_of_another_type_is_refused(operand):
    raises(TypeError, "EPD: an operation says moves, a number or a text, not", Board().epd, bm=operand)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("4k4/9/9/9/9/9/9/9/9/4K4 w - - id 1;", "face each other"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - bm a0a1;", "bm: illegal move a0a1"),
        ('4k4/9/9/9/9/9/9/9/9/3K5 w - - id "x;', "quotation"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 12;", "name of an operation"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w - - id a; id b;", "twice"),
        ("", "FEN"),
    ],
)
def test_a_bad_epd_is_named_and_changes_nothing(line, told):
    board = Board()
    raises(ValueError, told, board.set_epd, line)
    assert board == Board()


@given(st.text(max_size=60))
def test_any_text_is_epd_or_a_value_error(text):
    for line in (text, f"4k4/9/9/9/9/9/9/9/9/3K5 w - - {text}"):
        with contextlib.suppress(ValueError):
            Board.from_epd(line)


def test_epd_refuses_to_write_what_it_could_not_read():
    for bad in ({"c0": 'say "no"'}, {"c0": "two\nlines"}, {"1x": "name"}):
        raises(ValueError, "EPD", Board().epd, **bad)


def test_a_move_of_the_wrong_type_is_named():
    board = Board()
    calls = board.push, board.is_legal, board.is_pseudo_legal, board.is_capture, board.see, board.gives_check
    for call in calls:
        for wrong in ("h2e2", None, 5):
            raises(TypeError, f"not {type(wrong).__name__}.*push_iccs", call, wrong)
    with pytest.raises(TypeError, match="a move is a Move, not str"):
        "h2e2" in Board().legal_moves  # noqa: B015


def test_what_is_public_has_a_public_home():
    assert eleengine.BaseBoard is BaseBoard and issubclass(Board, BaseBoard)
    for error in (IllegalMoveError, InvalidMoveError):
        assert error.__module__ == "eleengine"
        assert pickle.loads(pickle.dumps(error("x"))).args == ("x",)
    assert Piece.from_symbol("R").piece_type == ROOK


def test_counters_can_be_set():
    board = Board()
    board.push_uci("h2e2")
    board.fullmove_number = 9
    assert board.fen().endswith(" b - - 1 9")
    board.pop()
    assert board.fen().endswith(" w - - 0 9")
    board.halfmove_clock = 7
    assert (board.fen().split()[4], board.no_capture_plies()) == ("7", 7)
    assert pickle.loads(pickle.dumps(board)).fen() == board.fen()
    board.push_uci("h2e2")
    board.halfmove_clock = 8  # as it is
    with pytest.raises(ValueError, match="halfmove_clock cannot be changed after a move"):
        board.halfmove_clock = 0
    for value in (0, 100_001, 2.5):
        with pytest.raises(ValueError, match="fullmove_number must be a whole number from 1 to 100000"):
            board.fullmove_number = value
    board.push_uci("h9g7")
    with pytest.raises(ValueError, match="at least 2 after 2 plies"):
        board.fullmove_number = 1


def test_verdicts_of_equal_games_are_equal():
    def loop(victim):
        board = Board(f"4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1{victim} w")
        for text in 2 * ["h6i6", "i0h0", "i6h6", "h0i0"]:
            board.push_iccs(text)
        return board.repetition()

    assert loop("c") == loop("c") and hash(loop("c")) == hash(loop("c"))
    assert loop("c") != Board().repetition() != "none"


@given(choices)
@settings(deadline=None, max_examples=30)
def test_boards_are_transformed_by_functions_of_squares(choices):
    board = play(choices)
    assert board.transform(square_mirror_files) == board.mirror_files()
    turned = board.transform(square_mirror)
    assert turned.transform(square_mirror) == board
    copy = board.copy()
    copy.apply_transform(square_mirror_files)
    assert copy == board.mirror_files() and copy.ply == 0
    copy = board.copy()
    copy.apply_mirror()
    assert copy == board.mirror() == board.swap_colors()
    raises(ValueError, "two pieces come to one square", board.transform, lambda square: A0)
    pseudo = set(board.pseudo_legal_moves)
    assert set(board.generate_pseudo_legal_moves()) == pseudo
    assert set(board.generate_pseudo_legal_captures()) == {m for m in pseudo if board.is_capture(m)}
    for move in board.legal_moves:
        board.push(move)
        assert not board.was_into_check()
        board.pop()


def test_moves_that_no_move_takes_back():
    board = Board("3k5/9/9/4P4/9/9/4p4/9/9/4K4 w")
    moves = {"e6e7": True, "e6d6": False, "e0e1": False}
    assert {text: board.is_irreversible(Move.from_iccs(text)) for text in moves} == moves
    board = Board("3k5/9/9/4P4/9/9/4p4/9/9/4K4 b")
    assert board.is_irreversible(Move.from_iccs("e3e2")) and not board.is_irreversible(Move.from_iccs("e3d3"))
    facing = Board("4k4/9/9/9/9/9/9/9/9/4K4 w", validate=False)
    assert facing.was_into_check() and not Board().was_into_check()


def test_a_draw_at_the_no_capture_limit_can_be_left_to_a_claim():
    board = Board("3k5/9/R8/9/9/9/9/9/9/4K4 w - - 119 80")
    assert board.is_game_over() is board.can_claim_draw() is False
    board.push_iccs("a7b7")
    assert board.can_claim_draw() and board.is_game_over() and board.result() == "1/2-1/2"
    assert not board.is_game_over(claim_draw=False) and board.result(claim_draw=False) == "*"
    assert board.can_claim_draw(no_capture_limit=130) is False
    mate = Board("3k5/4P4/9/9/9/9/9/9/9/3RK4 b - - 120 80")
    assert not mate.can_claim_draw() and mate.result(claim_draw=False) == "1-0"


PAGE = CHECKOUT / "docs" / "python-chess.md"


def test_the_table_of_names_is_that_of_the_libraries():
    pytest.importorskip("chess")
    tool = runpy.run_path(str(CHECKOUT / "tools" / "python_chess_names.py"))
    assert tool["page"]() == PAGE.read_text(encoding="utf-8")
    assert [row for place in tool["PLACES"] for row in tool["rows"](place) if not (row[1] or row[2])] == []


def test_every_name_of_ours_in_the_table_is_there():
    homes = [eleengine, *map(importlib.import_module, HOMES)]
    names = re.findall(r"^\| `\S+` \| `(\S+)` \|", PAGE.read_text(encoding="utf-8"), re.M)
    assert len(names) > 80
    assert [name for name in names if not any(is_there(home, name) for home in [*homes, builtins])] == []


def test_no_name_is_said_to_be_missing_that_is_there():
    pytest.importorskip("chess")
    tool = runpy.run_path(str(CHECKOUT / "tools" / "python_chess_names.py"))
    missing = [
        (ours, name)
        for theirs, ours in tool["PLACES"].items()
        for name, mine, _ in tool["rows"](theirs)
        if not mine
    ]
    assert ("eleengine.Board", "has_castling_rights") in missing
    homes = {place: pkgutil.resolve_name(place) for place, _ in missing}
    assert [(place, name) for place, name in missing if hasattr(homes[place], name)] == []


HOMES = [f"eleengine.{name}" for name in ("engines", "score", "records", "book", "svg")]


def is_there(home, name):
    """Has the module the name, or a class of it an attribute that its methods set?"""
    first, _, rest = name.partition(".")
    thing = getattr(home, first, None)
    if thing is None or not rest or hasattr(thing, rest):
        return thing is not None
    return inspect.isclass(thing) and f"self.{rest}" in inspect.getsource(thing)


@given(choices)
def test_the_names_of_python_chess_mean_ours(choices):
    board = play(choices)
    for move in list(board.legal_moves)[:5]:
        assert board.san(move) == board.wxf(move) and board.lan(move) == board.xboard(move) == board.uci(move)
        assert board.parse_san(board.san(move)) == board.parse_san(board.chinese(move)) == move
        assert board.parse_xboard(board.xboard(move)) == move
        for push, text in (("push_san", board.wxf(move)), ("push_xboard", board.uci(move))):
            other = board.copy()
            assert getattr(other, push)(text) == move == other.peek()
        other = board.copy()
        assert other.san_and_push(move) == board.wxf(move) and other.peek() == move
        assert board.variation_san([move]) == board.variation_wxf([move])
    names = ("kings", "advisors", "bishops", "knights", "rooks", "cannons", "pawns")
    for kind, name in enumerate(names, 1):
        assert getattr(board, name) == int(board.pieces(kind, RED) | board.pieces(kind, BLACK))
    assert board.occupied_co[RED] == board.occupied_mask(RED) and board.occupied_co[
        BLACK
    ] == board.occupied_mask(BLACK)
    assert board.unicode() == board.text(letters="chinese")
    assert board.is_fivefold_repetition() == board.is_repetition(5)


@pytest.mark.parametrize(("fen", "square", "pinned"), [
    ("3rk4/9/9/9/9/9/9/9/3R5/3K5 w", D1, True), ("3rk4/9/9/9/9/9/9/9/3R5/3K5 b", D1, True),
    ("3rk4/9/9/9/9/9/9/9/5R3/3K5 w", F1, False), ("3rk4/9/9/9/9/9/9/9/3R5/3K5 w", D9, False),
])  # fmt: skip
def test_pinned_pieces(fen, square, pinned):
    board = Board(fen)
    before = board.fen()
    assert board.is_pinned(RED, square) is pinned and board.fen() == before


def test_names_without_a_counterpart_say_what_to_use():
    board = Board()
    for name in BOARD_HINTS:
        assert not hasattr(board, name)
        raises(AttributeError, f"'Board' has no '{name}', which is python-chess's: use", getattr, board, name)
    with pytest.raises(AttributeError, match="'Board' object has no attribute 'nothing'"):
        board.nothing  # noqa: B018
    board.push_san("C2.5")
    board.reset_board()
    assert board == Board() and board.ply == 0
    board.clear_board()
    assert board == Board.empty()
