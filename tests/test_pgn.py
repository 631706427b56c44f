"""PGN: what is written is read back, what others write is read, what is broken is named with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eleengine import STARTING_FEN, Board
from eleengine.pgn import FORMATS, Game, PgnError, parse_games, read_games

ENDGAME = "4k4/9/9/9/PPP6/9/9/9/9/3K5 b - - 3 40"
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
LINES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)


@st.composite
def games(draw):
    game = Game(draw(st.sampled_from([STARTING_FEN, ENDGAME])))
    game.headers = {"Game": "Chinese Chess", "Red": draw(LINES), "Black": draw(LINES)}
    game.headers["Result"] = draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))
    board = Board(game.fen)
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=30)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[choice % len(moves)])
        game.moves.append(board.peek())
    for ply in draw(st.sets(st.integers(0, len(game.moves)), max_size=5)):
        game.comments[ply] = draw(LINES.filter(lambda text: "}" not in text))
    return game


@given(st.lists(games(), min_size=1, max_size=3), st.sampled_from(sorted(FORMATS)))
def test_games_are_read_back(written, style):
    text = "\n".join(game.text(style) for game in written)
    assert list(parse_games(text)) == written
    assert all(len(line) <= 98 for line in text.splitlines() if " " in line and not line.startswith("["))


@given(st.text(max_size=200))
def test_any_text_gives_games_or_an_error_with_a_line(text):
    try:
        list(parse_games(text))
    except PgnError as error:
        assert 1 <= error.line <= text.count("\n") + len(text.splitlines()) + 1


@given(
    st.lists(
        st.sampled_from(
            ['[FEN "x"]', "{", "}", "(", ")", ";", "\n", " ", "1.", "h2e2", "$1", "1-0", '[A "b"]']
        )
    )
)
def test_any_pieces_of_pgn_give_games_or_an_error(pieces):
    try:
        list(parse_games("".join(pieces)))
    except PgnError as error:
        assert str(error).startswith("line ")


SAMPLE = """\
% written by hand
[Game "Chinese Chess"]
[Event "Cup \\"A\\""]
[Red "甲"]
[Black "乙"]
[Result "0-1"]
[Format "Chinese"]

{before} 1. 炮二平五 馬8進7 2. 马二进三 $14 车9平8 ; the rook comes out
3.车一平二!? (3. 兵七进一 炮8平9 (3... 卒7进1) 4. 马八进七) 3... 炮8进4
4. C8-H2 C8.9 0-1

[FEN "4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1"]

1. R4+1 K5+1 1/2-1/2

H2-E2 H9-G7 b0c2 *
"""


def test_a_file_of_many_hands():
    text = SAMPLE.replace("4. C8-H2 C8.9", "4. h0i0 i9h9").replace("\nH2-E2", '\n[Red ""]\nH2-E2')
    first, second, third = parse_games(text.replace("4. h0i0 i9h9 ", ""))
    assert first.headers == {
        "Game": "Chinese Chess", "Event": 'Cup "A"', "Red": "甲", "Black": "乙", "Result": "0-1",
    }  # fmt: skip
    assert [str(move) for move in first.moves] == ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "h7h3"]
    assert first.comments == {0: "before", 4: "the rook comes out"}
    assert (second.fen[:10], second.result, len(second.moves)) == ("4k4/9/9/9/", "1/2-1/2", 2)
    assert (third.result, len(third.moves)) == ("*", 3)


def test_tandem_pawns_are_no_move_numbers():
    """In WXF a move may begin with two digits and a dot: the second of the pawns on file 7."""
    game = Game("4k4/9/9/2P6/2P6/2P6/P3P4/9/9/4K4 w - - 0 1")
    game.moves = [move for move in Board(game.fen).legal_moves if str(move) == "c5d5"]
    text = game.text("wxf").replace("1. ", "1.")
    assert next(parse_games(text)).moves == game.moves
    assert next(parse_games(text.replace("1.P7.6", "1.27.6"))).moves == game.moves


def test_chinese_encodings(tmp_path):
    file = tmp_path / "game.pgn"
    for encoding in ("utf-8", "utf-8-sig", "gb18030"):
        file.write_bytes('[Red "胡荣华"]\n\n1. 炮二平五 *\n'.encode(encoding))
        [game] = read_games(file)
        assert game.headers["Red"] == "胡荣华"
        assert str(game.moves[0]) == "h2e2"


@pytest.mark.parametrize(
    "text, line, part",
    [
        ("1. h2e2 h2e2", 1, "illegal move"),
        ('[Red "a"]\n\n1. h2e2\nh9g7 banana', 4, "banana"),
        ('[Red "a"]\n[FEN "9/9 w"]\n\n*', 2, "header FEN"),
        ("1. h2e2 {no end", 1, "not closed"),
        ("1. h2e2 } h9g7", 1, "closing brace"),
        ("1. h2e2\n( h9g7", 2, "parenthesis that is not closed"),
        ("1. h2e2 ) h9g7", 1, "closing parenthesis"),
        ("1. h2e2 * h9g7", 1, "after the end"),
    ],
)
def test_errors_name_the_line(text, line, part):
    with pytest.raises(PgnError, match=part) as caught:
        list(parse_games(text))
    assert caught.value.line == line


@pytest.mark.parametrize(
    "headers, comments, part",
    [
        ({"Red\n": "x"}, {}, "cannot be named"),
        ({"Red": "x\ny"}, {}, "more than a line"),
        ({}, {0: "a } b"}, "cannot hold a brace"),
    ],
)
def test_what_pgn_cannot_hold_is_refused(headers, comments, part):
    game = Game()
    game.headers, game.comments = headers, comments
    with pytest.raises(ValueError, match=part):
        game.text()


def test_unknown_styles_are_refused():
    with pytest.raises(ValueError, match="the style must be one of iccs, wxf, chinese, traditional"):
        Game().text("san")


THREE = """[Red "a"]

1. C2.5 *

[Red "bad"]

1. C2.5 C2.5 Q9

[Red "c"]

1. C2.5 *
"""


def test_bad_games_can_be_passed_over():
    errors = []
    games = list(parse_games(THREE, on_error=errors.append))
    assert [game.headers["Red"] for game in games] == ["a", "c"]
    assert [error.line for error in errors] == [7]
    assert isinstance(errors[0], PgnError)


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ('\ufeff[Red "a"]', "Red", "a"),
        ('[Event "the "big" cup"]', "Event", 'the "big" cup'),
        ('[Event "the \\"big\\" cup"]', "Event", 'the "big" cup'),
        ('[File "C:\\games\\"]', "File", "C:\\games\\"),
        ('[Red-Team "x"]', "Red-Team", "x"),
    ],
)
def test_headers_that_programs_write_are_read(line, name, value):
    [game] = parse_games(f"{line}\n\n1. C2.5 *\n")
    assert game.headers[name] == value and len(game.moves) == 1
    [again] = parse_games(game.text())
    assert again.headers[name] == value


def test_a_line_in_brackets_that_is_no_header_is_named():
    with pytest.raises(PgnError, match="line 2: not a header"):
        list(parse_games('[Red "a"]\n[Black b]\n\n1. C2.5 *\n'))


def test_a_brace_in_a_comment_to_the_end_of_the_line_can_be_written_back():
    [game] = parse_games("1. C2.5 ; so {they} say\n H8+7 *")
    [again] = parse_games(game.text())
    assert again.comments == game.comments == {1: "so {they) say"} and len(game.moves) == 2


def test_a_board_becomes_a_game():
    board = Board("3k5/9/4P4/9/9/9/9/9/9/4K4 b - - 0 7")
    board.push_iccs("d9d8")
    game = Game.from_board(board, {"Red": "Hu", "Result": "0-1"})
    assert game.board() == board and game.result == "0-1"
    [again] = parse_games(game.text("wxf"))
    assert again.board() == board and again.headers == {"Game": "Chinese Chess", **game.headers}
    assert Game.from_board(Board()).result == "*"
