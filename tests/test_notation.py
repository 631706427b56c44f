"""Move text: every legal move has one, and reads back; whatever else is read is a move or a ValueError."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support import examples, raises
from test_board import choices, play

from eleengine import (
    BLACK,
    PAWN,
    RED,
    AmbiguousMoveError,
    Board,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Piece,
    Status,
    notation,
)

CHARACTERS = "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒前中后後进進退平上下一二三四五六七八九１２３４５６７８９"
texts = st.one_of(
    st.text(max_size=7),
    st.text("KAEBMHNRCPSabcdefghi0123456789+-=. ", max_size=6),
    st.text(CHARACTERS + "123456789", min_size=3, max_size=6),
)
# Of one side up to five pawns across the river, stacked on few files.
pawns = st.sets(st.tuples(st.integers(1, 3), st.integers(5, 9)), min_size=3, max_size=5)


def assert_round_trip(board):
    seen = {"wxf": set(), "chinese": set()}
    for move in board.legal_moves:
        text = board.wxf(move)
        assert len(text) == 4 and text not in seen["wxf"]
        seen["wxf"].add(text)
        for variant in (text, text.lower(), text.replace("H", "N").replace("E", "B")):
            assert board.parse_wxf(variant) == move
        assert notation.parse(board, text) == notation.parse(board, move.iccs()) == move
        chinese = board.chinese(move)
        assert len(chinese) == 4 and chinese not in seen["chinese"]
        seen["chinese"].add(chinese)
        for traditional in (False, True):
            for full_width in (False, True):
                text = board.chinese(move, traditional=traditional, full_width=full_width)
                assert board.parse_chinese(text) == notation.parse(board, text) == move


@given(choices)
@settings(deadline=None)
def test_every_legal_move_reads_back(choices):
    assert_round_trip(play(choices))


def board_with_pawns(squares, color):
    board = Board("4k4/4a4/9/9/9/9/9/9/4A4/4K4 w")
    for file, rank in squares:
        board.set_piece_at(9 * rank + file, Piece(PAWN, RED))
    return board if color == RED else board.swap_colors()


@given(pawns, st.sampled_from([RED, BLACK]))
@settings(deadline=None)
def test_every_move_of_stacked_pawns_reads_back(squares, color):
    board = board_with_pawns(squares, color)
    assume(board.status() == Status.VALID)
    assert_round_trip(board)


@pytest.mark.parametrize("color", [RED, BLACK])
@pytest.mark.parametrize("layout", ["3", "4", "5", "22", "32", "23", "221"])
def test_all_pawn_stacks_read_back(layout, color):
    squares = {(1 + file, 5 + rank) for file, n in enumerate(map(int, layout)) for rank in range(n)}
    assert_round_trip(board_with_pawns(squares, color))


@given(choices, texts)
@examples(150)
def test_any_text_is_a_move_or_a_value_error(choices, text):
    board = play(choices[:20])
    for parse in (notation.parse, notation.parse_iccs, notation.parse_wxf, notation.parse_chinese):
        try:
            move = parse(board, text)
        except ValueError as error:
            assert str(error)
        else:
            assert board.is_legal(move) or move == Move.null()


# One position a row: FEN, move, WXF, simplified, traditional.
WRITTEN = [
    ("", "h2e2", "C2.5", "炮二平五", "炮二平五"),
    ("", "b0c2", "H8+7", "马八进七", "馬八進七"),
    ("", "c3c4", "P7+1", "兵七进一", "兵七進一"),
    ("", "a0a2", "R9+2", "车九进二", "車九進二"),
    ("", "g0e2", "E3+5", "相三进五", "相三進五"),
    ("", "f0e1", "A4+5", "仕四进五", "仕四進五"),
    ("", "e0e1", "K5+1", "帅五进一", "帥五進一"),
    ("b", "h9g7", "H8+7", "马8进7", "馬8進7"),
    ("b", "b7e7", "C2.5", "炮2平5", "砲2平5"),
    ("b", "e9e8", "K5+1", "将5进1", "將5進1"),
    ("b", "i9i8", "R9+1", "车9进1", "車9進1"),
    ("3k5/9/9/9/4C4/9/4C4/9/9/4K4 w", "e5a5", "C+.9", "前炮平九", "前炮平九"),
    ("3k5/9/9/9/4C4/9/4C4/9/9/4K4 w", "e3e2", "C--1", "后炮退一", "後炮退一"),
    ("3k5/9/9/9/4r4/9/4r4/9/9/5K3 b", "e3f3", "R+.6", "前车平6", "前車平6"),
    ("3k5/9/9/9/4r4/9/4r4/9/9/5K3 b", "e5e4", "R-+1", "后车进1", "後車進1"),
    ("4k4/9/9/9/9/9/9/3A5/9/3A1K3 w", "d2e1", "A6-5", "仕六退五", "仕六退五"),
    ("4k4/9/9/9/9/9/9/3A5/9/3A1K3 w", "d0e1", "A6+5", "仕六进五", "仕六進五"),
    ("4k4/9/9/9/9/2B6/9/9/9/2BK5 w", "c4e2", "E7-5", "相七退五", "相七退五"),
    ("3k5/6P2/6P2/6P2/9/9/9/9/9/4K4 w", "g8f8", "P+.4", "前兵平四", "前兵平四"),
    ("3k5/6P2/6P2/6P2/9/9/9/9/9/4K4 w", "g7f7", "P3.4", "中兵平四", "中兵平四"),
    ("3k5/6P2/6P2/6P2/9/9/9/9/9/4K4 w", "g6f6", "P-.4", "后兵平四", "後兵平四"),
    ("3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w", "g8f8", "++.4", "一兵平四", "一兵平四"),
    ("3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w", "g7f7", "P+.4", "二兵平四", "二兵平四"),
    ("3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w", "g6f6", "P-.4", "三兵平四", "三兵平四"),
    ("3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w", "g5f5", "--.4", "四兵平四", "四兵平四"),
    ("3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w", "g7f7", "P3.4", "三兵平四", "三兵平四"),
    ("3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w", "g5f5", "--.4", "五兵平四", "五兵平四"),
    # The pages' own examples: pawns on files 3 and 7, and four black ones.
    ("3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w", "g7f7", "3+.4", "一兵平四", "一兵平四"),
    ("3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w", "g6f6", "33.4", "二兵平四", "二兵平四"),
    ("3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w", "g5f5", "3-.4", "三兵平四", "三兵平四"),
    ("3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w", "c7d7", "7+.6", "四兵平六", "四兵平六"),
    ("3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w", "c6d6", "7-.6", "五兵平六", "五兵平六"),
    # The right file comes first, though the left one is ahead.
    ("3k5/2P6/2P6/6P2/6P2/9/9/9/9/4K4 w", "g5f5", "3-.4", "二兵平四", "二兵平四"),
    ("3k5/2P6/2P6/6P2/6P2/9/9/9/9/4K4 w", "c8d8", "7+.6", "三兵平六", "三兵平六"),
    ("3k5/9/9/9/9/3p1p3/3p1p3/9/9/4K4 b", "d3e3", "4+.5", "一卒平5", "一卒平5"),
    ("3k5/9/9/9/9/3p1p3/3p1p3/9/9/4K4 b", "f4e4", "6-.5", "四卒平5", "四卒平5"),
]


def position(fen):
    """A FEN; without one the start position, with b after Red's first move."""
    board = Board(fen) if len(fen) > 1 else Board()
    if fen == "b":
        board.push_iccs("a0a1")
    return board


@pytest.mark.parametrize(("fen", "iccs", "wxf", "simplified", "traditional"), WRITTEN)
def test_moves_are_written_as_the_federations_do(fen, iccs, wxf, simplified, traditional):
    board, move = position(fen), Move.from_iccs(iccs)
    assert board.wxf(move) == wxf
    assert board.chinese(move) == simplified
    assert board.chinese(move, traditional=True) == traditional
    assert board.parse_wxf(wxf) == board.parse_chinese(simplified) == board.parse_chinese(traditional) == move


TANDEM = "3k5/9/9/9/4C4/9/4C4/9/9/4K4 w"
THREE = "3k5/6P2/6P2/6P2/9/9/9/9/9/4K4 w"
FOUR = "3k5/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w"
TWO_FILES = "3k5/9/P1P6/P1P6/9/9/9/9/9/4K4 w"
THREE_AND_TWO = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w"


@pytest.mark.parametrize(
    ("fen", "text", "iccs"),
    [
        ("", "C2=5", "h2e2"), ("", "c2.5", "h2e2"), ("", "N2+3", "h0g2"), ("", "B3+5", "g0e2"),
        ("", "M3+5", "g0e2"), ("", "S3+1", "g3g4"), ("", "H2E2", "h2e2"), ("", "H2-E2", "h2e2"),
        ("", "Ch2e2", "h2e2"),
        ("", "砲２平５", "h2e2"), ("", "包2平5", "h2e2"), ("", "傌二上三", "h0g2"), ("", "象三進五", "g0e2"),
        ("", "將五进1", "e0e1"), ("", "俥一進１", "i0i1"), ("b", "炮二平五", "b7e7"),
        ("b", "马２进３", "b9c7"),
        (TANDEM, "+C.9", "e5a5"), (TANDEM, "C+=9", "e5a5"), (TANDEM, "前砲平９", "e5a5"),
        (TANDEM, "炮前平九", "e5a5"), (TANDEM, "後炮退1", "e3e2"), (TANDEM, "二炮退一", "e3e2"),
        (THREE, "P..4", "g7f7"), (THREE, "P=.4", "g7f7"), (THREE, "23.4", "g7f7"), (THREE, "33=4", "g6f6"),
        (THREE, "PA.4", "g8f8"), (THREE, "Pc.4", "g6f6"), (THREE, "二兵平四", "g7f7"),
        (THREE, "兵三进一", "g8g9"), (THREE, "兵三平四", None), (THREE, "前兵三平四", "g8f8"),
        (FOUR, "前兵平四", "g8f8"), (FOUR, "后兵平四", "g5f5"), (FOUR, "43.4", "g5f5"),
        (FOUR, "Pd.4", "g5f5"),
        (TWO_FILES, "前兵九平八", "a7b7"), (TWO_FILES, "前九平八", "a7b7"), (TWO_FILES, "后兵7平6", "c6d6"),
        (TWO_FILES, "二7平6", "c6d6"), (TWO_FILES, "19.8", "a7b7"), (TWO_FILES, "Pc.8", "a7b7"),
        (TWO_FILES, "前兵平六", "c7d7"), (TWO_FILES, "P+.6", "c7d7"), (TWO_FILES, "兵七平六", None),
        (THREE_AND_TWO, "中三平四", "g6f6"), (THREE_AND_TWO, "23.4", "g6f6"), (THREE_AND_TWO, "P3.4", "g6f6"),
        ("3k5/9/2P4P1/2P4P1/9/9/9/9/9/4K4 w", "22.1", "h6i6"),
    ],
)  # fmt: skip
def test_other_conventions_are_read(fen, text, iccs):
    board = position(fen)
    if iccs is None:
        raises(AmbiguousMoveError, "it may be", notation.parse, board, text)
    else:
        assert notation.parse(board, text) == Move.from_iccs(iccs)


def test_legality_settles_what_the_text_leaves_open():
    board = Board("4k4/9/9/9/9/9/9/3A5/9/3A1K3 w")
    assert board.parse_chinese("前仕退五") == Move.from_iccs("d2e1")
    assert board.parse_chinese("后仕进五") == Move.from_iccs("d0e1")
    board = Board("3k5/9/9/9/9/4C4/9/4C4/9/4K4 w")
    assert board.parse_chinese("炮五进五") == board.parse_wxf("C5+5") == Move.from_iccs("e4e9")
    board = Board("3k5/9/9/9/2p6/2N6/9/2N6/9/4K4 w")
    assert board.parse_wxf("H7+6") == Move.from_iccs("c2d4")  # a pawn stands on the other's leg


def test_ambiguous_text_is_refused_with_all_its_meanings():
    board = Board(TANDEM)
    for parse, text in ((board.parse_wxf, "C5.9"), (board.parse_chinese, "炮五平九")):
        with pytest.raises(AmbiguousMoveError) as error:
            parse(text)
        for part in (text, board.fen(), "e5a5", "e3a3"):
            assert part in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "", "C", "C2.", "C2.0", "C0.5", "X2.5", "C2*5", "C2.5+", "PF.4", "++++", "+-.5", "炮二平", "炮二平零",
        "炮二炮五", "龙二平五", "前前平五", "前二兵平五", "前兵兵平五", "炮二二平五", "ßß.5",
    ],
)  # fmt: skip
def test_text_that_is_no_move_is_invalid(text):
    board = Board()
    parse = board.parse_wxf if text.isascii() else board.parse_chinese
    raises(InvalidMoveError, "invalid move", parse, text)


@pytest.mark.parametrize(
    "text",
    [
        "C2.2", "C2+9", "C3.5", "C+.5", "++.4", "11.4", "Pa+1", "H2.3", "H2+2", "K5.4",
        "炮二平二", "前炮平五", "一兵平四", "马二平三", "前三平四",
    ],
)  # fmt: skip
def test_text_of_no_legal_move_is_illegal(text):
    board = Board()
    raises(IllegalMoveError, "illegal move", notation.parse, board, text)


@pytest.mark.parametrize("text", ["中炮平九", "C..9", "三炮平九", "炮四平九"])
def test_of_two_pieces_none_is_in_the_middle(text):
    raises(IllegalMoveError, "", notation.parse, Board(TANDEM), text)


def test_moves_that_are_not_legal_have_no_text():
    board = Board()
    for move in (Move.from_iccs("h2h8"), Move.from_iccs("e4e5"), Move.from_iccs("h9g7")):
        for write in (board.wxf, board.chinese):
            raises(IllegalMoveError, f"{move} in rnba", write, move)


def test_a_pass_is_written_and_read_except_in_check():
    board = Board()
    for text in ("0000", "--"):
        assert notation.parse(board, text) == Move.null()
    assert board.wxf(Move.null()) == board.chinese(Move.null()) == "--"
    for write in (board.wxf, board.chinese, board.uci):
        raises(TypeError, "a move is a Move, not NoneType", write, None)  # the move of a game that is over
    board = Board("3k5/9/9/9/9/9/9/9/9/3RK4 b")
    for call, argument in ((board.wxf, Move.null()), (board.parse_iccs, "0000"), (board.parse_chinese, "--")):
        raises(IllegalMoveError, "cannot pass", call, argument)


def test_a_variation_is_numbered_as_in_a_game():
    board = Board()
    moves = [Move.from_iccs(text) for text in ("h2e2", "h9g7", "h0g2", "i9h9")]
    assert board.variation_wxf(moves) == "1. C2.5 H8+7 2. H2+3 R9.8"
    assert board.variation_chinese(moves) == "1. 炮二平五 马8进7 2. 马二进三 车9平8"
    assert board.variation_chinese(moves[:2], traditional=True, full_width=True) == "1. 炮二平五 馬８進７"
    board.push(moves[0])
    assert board.variation_wxf(moves[1:]) == "1...H8+7 2. H2+3 R9.8"
    assert board.variation_wxf([]) == "" and board.ply == 1
    raises(IllegalMoveError, "h2e2", board.variation_wxf, [moves[1], moves[0]])


def test_the_board_plays_what_it_reads():
    board = Board()
    assert board.push_wxf("C2.5") == Move.from_iccs("h2e2")
    assert board.push_chinese("马8进7") == Move.from_iccs("h9g7")
    assert board.push_iccs("h0g2") == board.peek() == Move.from_iccs("h0g2")
    assert board.ply == 3


@given(choices, st.integers(0, 127))
@examples(30)
def test_text_agrees_with_other_libraries(choices, chosen):
    cchess, pyffish = pytest.importorskip("cchess"), pytest.importorskip("pyffish")
    board = play(choices)
    moves = list(board.legal_moves)
    assume(moves)
    move = moves[chosen % len(moves)]
    assume(board.chinese(move)[0] not in "一二三四五")  # cchess does not know pawns on two files
    text = cchess.ChessBoard(board.fen()).move_iccs(move.iccs()).to_text()
    assert board.parse_chinese(text) == move
    assert board.chinese(move, full_width=True)[2:] == text[2:]
    ranks_from_1 = "".join(c if c.isalpha() else str(int(c) + 1) for c in move.iccs())
    text = pyffish.get_san("xiangqi", board.fen(), ranks_from_1, False, pyffish.NOTATION_XIANGQI_WXF)
    assert board.parse_wxf(text) == move
    assert board.wxf(move)[2:].replace(".", "=") == text[2:]


def test_errors_quote_a_text_as_it_was_written():
    board = Board()
    for read in (Move.from_iccs, Move.from_uci, board.parse_uci, board.parse_iccs, board.parse_wxf):
        raises(InvalidMoveError, "invalid move '炮二平五'", read, "炮二平五")
    with pytest.raises(InvalidMoveError, match=r"invalid move '\\ud800\\n\\x1b'"):
        Move.from_iccs("\ud800\n\x1b")  # what no terminal should be sent
    for read in (notation.parse, notation.parse_san, notation.parse_wxf, notation.parse_chinese):
        raises(TypeError, "move text is a str, not NoneType", read, board, None)
