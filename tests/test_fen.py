"""FEN: what is read, what is written, and the message for everything that is wrong."""

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import (
    ALL_MOVES,
    ALL_PIECES,
    BLACK,
    COLORS,
    KING,
    LETTERS,
    PAWN,
    PIECE_TYPES,
    RED,
    START,
    Board,
    Move,
    flip_square,
    home,
    make_fen,
    raises,
    sample,
    square,
    square_name,
    squares_of,
)

from eleengine import STARTING_FEN, FenError
from eleengine.__main__ import main
from eleengine.lab.match.openings import read_openings
from eleengine.position_text import position_notes, read_position
from eleengine.records import read_game, read_games
from eleengine.records.position import read_fen

SAMPLE = sample(160, seed=3)
ROWS = START.split()[0].split("/")
NAMES = ("", "king", "advisor", "bishop", "knight", "rook", "cannon", "pawn")
WHO = {RED: "red", BLACK: "black"}


def board_with(rank, row):
    """The initial position with another text for one rank."""
    return "/".join([*ROWS[: 9 - rank], row, *ROWS[10 - rank :]]) + " w"


def symbol(kind, color):
    return LETTERS[kind - 1 if color == RED else kind + 6]


def kings_and(**pieces):
    """The kings on d9 and e0, and a letter on each square named."""
    placed = {square("d9"): "k", square("e0"): "K"}
    placed.update({square(name): letter for name, letter in pieces.items()})
    return make_fen(placed, RED)


DEFECTS = [
    # the text
    ("", "it needs at least a board and a side to move"),
    ("   ", "it needs at least a board and a side to move"),
    (START.split()[0], "it needs at least a board and a side to move"),
    (START + " x", "it has 7 fields, at most 6 are possible"),
    ("/".join(ROWS[:9]) + " w", "the board needs 10 ranks separated by '/', not 9"),
    ("/".join([*ROWS, "9"]) + " w", "the board needs 10 ranks separated by '/', not 11"),
    ("x w", "the board needs 10 ranks separated by '/', not 1"),
    (board_with(7, "1c5c"), "rank 7 has 8 points instead of 9"),
    (board_with(7, "1c5c2"), "rank 7 has 10 points instead of 9"),
    (board_with(0, ""), "rank 0 has 0 points instead of 9"),
    (board_with(4, "99"), "rank 4 has 18 points instead of 9"),
    (board_with(4, "p" * 300), "rank 4 has 300 points instead of 9"),
    (board_with(8, "90"), "rank 8 has a digit 0"),
    (board_with(9, "rnbxkabnr"), "rank 9 has an unknown letter 'x'"),
    (board_with(9, "rnbgkgbnr"), "rank 9 has an unknown letter 'g'"),
    (board_with(2, "1炮5C1"), r"rank 2 has an unknown letter '\u70ae'"),
    (board_with(5, "٩"), r"rank 5 has an unknown letter '\u0669'"),
    (START.replace(" w ", " x "), "the side to move must be 'w' (or 'r') or 'b', not 'x'"),
    (START.replace(" w ", " red "), "the side to move must be 'w' (or 'r') or 'b', not 'red'"),
    (START.replace("- -", "KQ -"), "field 3 must be '-', not 'KQ'"),
    (START.replace("- -", "- e3"), "field 4 must be '-', not 'e3'"),
    (START[:-3] + "x 1", "the number of plies since the last capture must be a whole number, not 'x'"),
    (START[:-3] + "-1 1", "the number of plies since the last capture must be a whole number, not '-1'"),
    (START[:-3] + "1.5 1", "the number of plies since the last capture must be a whole number, not '1.5'"),
    (START[:-3] + "² 1", r"the number of plies since the last capture must be a whole number, not '\xb2'"),
    (START[:-3] + "100001 1", "the number of plies since the last capture must be at most 100000"),
    (START[:-3] + "9" * 5000 + " 1", "the number of plies since the last capture must be at most 100000"),
    (START[:-3] + "0 one", "the move number must be a whole number, not 'one'"),
    (START[:-3] + "0 100001", "the move number must be at most 100000"),
    # kings
    (START.replace("K", "1"), "red has no king"),
    (START.replace("k", "1"), "black has no king"),
    (kings_and(d0="K"), "red has 2 kings"),
    (kings_and(e9="k", f9="k"), "black has 3 kings"),
    # the side that is not to move in check
    ("3k5/9/9/9/9/9/9/9/9/3K5 w", "the kings on d0 and d9 face each other"),
    ("3k5/9/9/9/9/9/9/9/9/3K5 b", "the kings on d0 and d9 face each other"),
    ("3k5/9/9/9/9/9/9/9/3R5/4K4 w", "black's king on d9 is in check, but it is red's move"),
    ("3k5/9/9/9/9/9/9/9/4r4/4K4 b", "red's king on e0 is in check, but it is black's move"),
    ("3k5/9/9/9/9/9/3p5/9/3C5/4K4 w", "black's king on d9 is in check, but it is red's move"),
    ("3k5/9/2N6/9/9/9/9/9/9/4K4 w", "black's king on d9 is in check, but it is red's move"),
    ("9/3kP4/9/9/9/9/9/9/9/5K3 w", "black's king on d8 is in check, but it is red's move"),
]


def refuse(fen, message):
    with pytest.raises(ValueError, match=r"^invalid FEN ") as caught:
        Board(None).set_fen(fen, forgiving=False)
    assert str(caught.value).endswith(f": {message}")
    assert str(caught.value).isascii()
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(("fen", "message"), DEFECTS, ids=[message for _, message in DEFECTS])
def test_each_defect_is_named(fen, message):
    refuse(fen, message)


def tell(fen, message):
    """The board is played, but its one defect is told."""
    board = Board(fen)
    assert [text for _, text in board.defects()] == [message]
    assert not board.is_valid() and board.is_playable()
    assert board.perft(1) == board.legal_moves.count()


@pytest.mark.parametrize("color", COLORS, ids=["red", "black"])
@pytest.mark.parametrize("kind", PIECE_TYPES, ids=NAMES[1:])
def test_pieces_where_they_can_never_stand_are_named(kind, color):
    who, name, letter = WHO[color], NAMES[kind], symbol(kind, color)
    kings = {square("d9"): "k", square("e0"): "K"}
    if kind == KING:
        kings = {s: king for s, king in kings.items() if king != letter}
    for s in set(range(90)) - set(home(kind, color)) - set(kings):
        answer = refuse if kind == KING else tell
        answer(make_fen({**kings, s: letter}, color), f"a {who} {name} can never stand on {square_name(s)}")


@pytest.mark.parametrize("color", COLORS, ids=["red", "black"])
@pytest.mark.parametrize("kind", PIECE_TYPES[1:], ids=NAMES[2:])
def test_too_many_pieces_are_counted(kind, color):
    kings = {square("d9"): "k", square("e0"): "K"}
    most = 5 if kind == PAWN else 2
    free = [s for s in home(kind, color) if s not in kings and (kind != PAWN or (s >= 45) == color)]
    crowd = dict.fromkeys(free[: most + 1], symbol(kind, color))
    message = f"{WHO[color]} has {most + 1} {NAMES[kind]}s, at most {most} are possible"
    tell(make_fen({**kings, **crowd}, color), message)


@pytest.mark.parametrize("color", COLORS, ids=["red", "black"])
def test_sixteen_pieces_a_side_are_played_and_no_more(color):
    for n in (15, 16):
        pawns = range(9, 9 + n)
        pieces = {s if color == RED else flip_square(s): symbol(PAWN, color) for s in pawns}
        pieces.update({square("d9"): "k", square("e0"): "K"})
        board = Board(make_fen(pieces, color), validate=False)
        assert board.is_playable() == (n == 15)
        if n == 16:
            refuse(board.fen(), f"{WHO[color]} has 17 pieces, at most 16 can be played")


@pytest.mark.parametrize("color", COLORS, ids=["red", "black"])
@pytest.mark.parametrize("file", "acegi")
def test_uncrossed_pawns_on_one_file_are_named(file, color):
    letter = symbol(PAWN, color)
    pawns = {f"{file}{rank}": letter for rank in ((3, 4) if color == RED else (5, 6))}
    tell(kings_and(**pawns), f"{WHO[color]} has 2 pawns on file {file} that have not crossed the river")


@pytest.mark.parametrize("fen", [START.encode(), None, 5, ["a"]])
def test_only_text_is_read(fen):
    raises(TypeError, "a FEN is a str", Board().set_fen, fen)


@pytest.mark.parametrize(("fen", "message"), DEFECTS)
def test_a_bad_fen_leaves_the_board_alone(fen, message):
    board = Board()
    board.push(Move.from_iccs("h2e2"))
    before = board.copy()
    raises(ValueError, "", board.set_fen, fen, forgiving=False)
    assert board == before
    assert board.move_stack == before.move_stack
    assert board.legal_moves.count() == 45


def test_several_defects_are_all_reported():
    board = Board("9/9/9/9/9/9/9/9/K8/A8 w", validate=False)
    assert [text for _, text in board.defects()] == [
        "black has no king",
        "a red king can never stand on a1",
        "a red advisor can never stand on a0",
    ]
    flags = [flag for flag, _ in board.defects()]
    assert len(set(flags)) == 3
    assert all(flag.bit_count() == 1 for flag in flags)
    assert Board().defects() == []


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (START, START),
        (" ".join(START.split()[:2]), START),
        (" ".join(START.split()[:3]), START),
        (" ".join(START.split()[:5]), START),
        (START.replace(" w ", " r "), START),
        (START.replace(" w ", " W "), START),
        (START.replace(" w ", " R "), START),
        (START.replace(" w ", " B "), START.replace(" w ", " b ")),
        (START.replace(" 1", " 0"), START),
        (START.replace("0 1", "007 099"), START.replace("0 1", "7 99")),
        (START.replace("0 1", "100000 100000"), START.replace("0 1", "100000 100000")),
        (START.replace("b", "e").replace("n", "h").replace("B", "M").replace("N", "H"), START),
        (START.replace("b", "m").replace("B", "E").replace("p", "s").replace("P", "S"), START),
        (START.replace("/9/", "/45/"), START),
        (START.replace("1c5c1", "1c11111c1"), START),
        (f"  {START.replace(' ', '   ')}\t\n", START),
    ],
)
def test_what_is_read_is_written_canonically(text, canonical):
    board = Board(text)
    assert board.fen() == canonical
    assert board == Board(canonical)
    assert board.board_fen() == canonical.split()[0]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        (START.split()[0], START),
        (f"{START} - - 0 1", START),
        (START.replace("- -", "--"), START),
        (START.replace("- - 0 1", "7 9"), START.replace("0 1", "7 9")),
        (START.replace(" - - 0 1", "--7 9"), START.replace("0 1", "7 9")),
        (START.replace(" w", "[] w"), START),
        (START.replace(" w", "[] w").replace(" ", "_"), START),
        (START.replace("a", "g").replace("A", "G"), START),
        (START.replace("- -", "KQkq e3"), START),
        (START.replace("0 1", "x 7"), START),
        (START.replace("0 1", "-3 7"), START),
        (START.replace("0 1", "0000007 0"), START.replace("0 1", "7 1")),
        (START.replace("0 1", "9" * 5000 + " 000000000012"), START.replace("0 1", "100000 12")),
        ("3k5/9/9/9/9/9/9/9/3R5/4K4", "3k5/9/9/9/9/9/9/9/3R5/4K4 b - - 0 1"),  # Red could take the king
        ("3k5/9/9/9/9/9/9/9/4R4/4K4", "3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1"),
    ],
)
def test_what_programs_write_is_read_everywhere(text, canonical):
    """Only set_fen without forgiving refuses it. In a file of positions, moves may follow."""
    assert Board(text).fen() == read_fen(text) == canonical
    line = text.replace("_", " ")
    assert read_game(f"{line}\n").start == canonical
    for move in list(Board(text).legal_moves)[:1]:
        for word in ("moves ", "") if len(line.split()) <= 6 and "x" not in line else ("moves ",):
            game = read_game(f"{line} {word}{move.iccs()}\n")
            assert (game.start, [*game.mainline_moves()]) == (canonical, [move])
    raises(FenError, "", Board().set_fen, text, forgiving=False)


SHORT = START.removesuffix(" 0 1")  # as EPD has it
RED_TAKEN = "the side to move is missing; it is taken to be Red's turn"
BLACK_ONLY = "the side to move is missing; it is Black's turn, for Black is in check"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        (START, []),
        (START.replace("- - 0 1", "0 1"), []),
        (START.replace(" - - 0 1", "--7 9"), []),
        (START.replace(" w", "[] r").replace(" ", "_"), []),
        (START.replace("a", "g").replace("A", "G"), []),
        (START.split()[0], [RED_TAKEN]),
        (START.replace(" w", ""), [RED_TAKEN]),
        ("3k5/9/9/9/9/9/9/9/3R5/4K4", [BLACK_ONLY]),
        (START.replace("- -", "KQkq e3"), ["'KQkq e3' behind the side to move is left out"]),
        (START.replace("0 1", "x 7"), ["'x 7' behind the side to move is left out"]),
        (START.replace("0 1", "100000 1"), []),
        (START.replace("0 1", "100001 1"), ["a counter above 100000 is taken for 100000"]),
    ],
)
def test_what_is_guessed_in_a_fen_is_said_once(text, notes, tmp_path, capsys):
    """By the commands on stderr, by the readers of records as a warning of the game."""
    assert position_notes(f"{text} moves a0a1") == notes
    line = f"position fen {text.replace('_', ' ')}\n"
    assert [warning.message for warning in read_game(io.StringIO(line)).warnings] == notes
    [game] = read_games(io.StringIO(f'[FEN "{text}"]\n\n*\n'), format="pgn")
    assert [warning.message for warning in game.warnings] == [f"header FEN: {note}" for note in notes]
    assert main(["eval", text]) == 0
    assert capsys.readouterr().err.splitlines() == [f"eleengine: {note}" for note in notes]


@pytest.mark.parametrize("fen", ["startpos", START, f"fen {START}", START.replace("- - 0 1", "0 1"), SHORT])
@pytest.mark.parametrize("word", ["moves ", ""])
def test_moves_behind_a_position_are_read_by_all(fen, word):
    """By commands and the library, and in files."""
    line = f"{fen} {word}h2e2 马8进7 H2+3 R9=8 R1.2"
    moves = ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"]
    board = read_position(line)
    assert [str(move) for move in board.move_stack] == moves and position_notes(line) == []
    game = read_game(f"{line}\n")
    assert [str(move) for move in game.mainline_moves()] == moves and game.warnings == []


def test_operations_of_epd_are_read_by_all(tmp_path):
    line = f'{SHORT} id "a; b"; bm h2e2; c0 "two words"; dm 3;'
    operations = Board.from_epd(line)[1]
    [game] = read_games(io.StringIO(f"{line}\n"))
    assert (game.headers["Title"], operations.pop("id")) == ("a; b", "a; b")
    assert game.comment == 'bm h2e2; c0 "two words"; dm 3;' and game.warnings == []
    assert Board.from_epd(f"{SHORT} {game.comment}")[1] == operations
    assert position_notes(line) != []
    (tmp_path / "suite.epd").write_text(f"{line}\n{START} h2e2\n", encoding="utf-8")
    assert read_openings(tmp_path / "suite.epd") == [START, f"{START} moves h2e2"]


def test_operations_that_nobody_could_read_are_not_written():
    board, move = Board(), Move.from_iccs("h2e2")
    wrong = (("bm", "x"), ("bm", 1), ("am", [Move.from_iccs("a0a9")]), ("pv", [move, move]), ("ce", 10**30))
    for name, operand in wrong:
        raises(ValueError, f"^EPD: {name}: ", board.epd, **{name: operand})
    raises(ValueError, "^EPD: ce: not a whole number", Board.from_epd, f"{SHORT} ce {'9' * 5000};")
    assert Board.from_epd(board.epd(bm="炮二平五"))[1] == {"bm": [move]}


def test_wrong_operations_are_told_and_kept():
    for wrong in ('bm "a0a9";', 'id "x;', "id a; id b;"):
        [game] = read_games(io.StringIO(f"{SHORT} {wrong}\n"))
        assert game.comment == wrong and len(game.warnings) == 1


def test_moves_behind_a_fen_are_not_dropped_in_silence():
    raises(FenError, "moves do not belong to it", Board, f"{STARTING_FEN} moves h2e2")


@pytest.mark.parametrize(
    ("text", "word", "echo"),
    [
        ("9/9 w", "ranks", ""),
        (board_with(7, "1c5c"), "rank 7 width", ""),
        (board_with(8, "90"), "rank 8 width", ""),
        (board_with(9, "rnbxkabnr"), "letter {}", "x"),
        (f"{START.split()[0]} green", "side {}", "green"),
        (START.replace("K", "1"), "kings", ""),
        ("3k5/9/9/9/9/9/9/9/9/3K5 w", "king capturable", ""),
    ],
)
def test_an_error_knows_its_name_in_the_protocol(text, word, echo):
    for forgiving in (False, True):
        with pytest.raises(FenError) as caught:
            Board(None).set_fen(text, forgiving=forgiving)
        assert (caught.value.word, caught.value.echo) == (word, echo)


def test_fens_of_random_positions_come_back():
    for fen in SAMPLE:
        assert Board(fen).fen() == fen
        assert Board(fen, validate=False) == Board(fen)


def test_counters_follow_captures_and_black_moves():
    board = Board("3k5/9/9/9/9/p8/9/9/9/R3K4 b - - 119 40")
    counters = []
    for text in ("a4a3", "a0a3", "d9d8"):
        board.push(Move.from_iccs(text))
        counters.append((board.halfmove_clock, board.fullmove_number, board.fen().split()[4:]))
    assert counters == [(120, 41, ["120", "41"]), (0, 41, ["0", "41"]), (1, 42, ["1", "42"])]
    board = Board("3k5/9/9/9/9/p8/9/9/9/R3K4 b - - 119 40")  # they count towards the draw, too
    assert board.no_capture_plies() == 119 and board.outcome() is None
    board.push(Move.from_iccs("d9d8"))
    assert board.outcome().termination.name == "NO_CAPTURE_LIMIT"


# Any text


def survives(text):
    try:
        board = Board(text)
    except ValueError:
        return False
    assert Board(board.fen()) == board
    assert board.is_playable()
    return True


@given(st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")))
@example("\0")
@example("\ud800 w")
@example("9/9/9/9/9/9/9/9/9/9 w")
def test_any_text_is_refused_or_read(text):
    survives(text)


@given(
    st.sampled_from(SAMPLE),
    st.lists(st.tuples(st.integers(0, 90), st.sampled_from(LETTERS + "0123456789/ -wbx\0é")), max_size=4),
    st.sampled_from(["put", "insert", "drop"]),
)
def test_changed_fens_are_refused_or_read(fen, changes, how):
    text = list(fen)
    for place, letter in changes:
        place %= len(text)
        if how == "drop":
            del text[place]
        else:
            text[place : place + (how == "put")] = letter
    survives("".join(text))


# Positions that break the rules


broken = st.builds(
    make_fen,
    st.dictionaries(st.integers(0, 89), st.sampled_from(LETTERS), max_size=60),
    st.sampled_from(COLORS),
)


@given(broken, st.integers(0, 8099))
@example("RRRRRRRRR/" * 9 + "RRRRRRRRR w", 0)
@example("RCRCRCRCR/9/CRCRCRCRC/9/RCRCRCRCR/9/CRCRCRCRC/9/9/9 w", 0)
@example("NNNNNNNNN/9/9/NNNNNNNNN/9/9/9/NNNNNNNNN/9/9 w", 0)
@example("kkkkkkkkk/9/9/9/9/9/9/9/9/KKKKKKKKK b", 0)
@example("9/9/9/9/9/9/9/9/9/9 w", 0)
@example("3k5/9/9/9/9/9/9/9/9/3K5 w", 0)
def test_boards_that_break_the_rules_answer_or_raise(fen, code):
    board = Board(fen, validate=False)
    move = ALL_MOVES[code]
    occupied = squares_of(board.occupied_mask())
    assert Board(board.fen(), validate=False) == board
    assert occupied == [s for s in range(90) if board.piece_at(s)]
    assert sum(board.pieces_mask(kind, color).bit_count() for kind in PIECE_TYPES for color in COLORS) == len(
        occupied
    )
    for s in range(90):
        for mask in (board.attacks_mask(s), *(board.attackers_mask(color, s) for color in COLORS)):
            assert 0 <= mask < 1 << 90
    for color in COLORS:
        kings = squares_of(board.pieces_mask(KING, color))
        assert board.king(color) in (kings or [None])
    assert board.is_check() == (board.checkers_mask() != 0)
    assert 0 <= board.blockers_mask() < 1 << 90
    board.is_capture(move)
    assert board.copy() == board
    questions = [
        lambda: list(board.legal_moves),
        lambda: list(board.pseudo_legal_moves),
        lambda: board.legal_moves.count(),
        lambda: bool(board.legal_moves),
        lambda: bool(board.pseudo_legal_moves),
        lambda: repr(board.legal_moves),
        lambda: move in board.legal_moves,
        lambda: board.is_legal(move),
        lambda: board.is_pseudo_legal(move),
        lambda: board.gives_check(move),
        lambda: board.see(move),
        lambda: board.see_ge(move, 0),
        lambda: board.push(move),
        lambda: board.push(Move.null()),
        board.is_checkmate,
        board.is_stalemate,
        lambda: board.perft(1),
        lambda: board.divide(2),
    ]
    if not board.is_playable():
        for ask in questions:
            with pytest.raises(ValueError, match="the position cannot be played: ") as caught:
                ask()
            assert str(caught.value).endswith(board.defects()[0][1])
    else:
        assert survives(fen)
        assert board.perft(2) == sum(board.divide(2).values())


@given(broken)
def test_editing_makes_a_broken_board_whole(fen):
    board = Board(fen, validate=False)
    for s in squares_of(board.occupied_mask()):
        board.remove_piece_at(s)
    board.set_piece_at(square("d9"), ALL_PIECES[LETTERS.index("k")])
    board.set_piece_at(square("e0"), ALL_PIECES[LETTERS.index("K")])
    board.turn = RED
    assert board.board_fen() == "3k5/9/9/9/9/9/9/9/9/4K4"
    assert board.legal_moves.count() == 2
