"""PGN: what is written is read back, what others write is read, what is broken is named with its line."""

import io
import re
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records_support import LINES, TEXTS, trees
from support import examples, raises

from eleengine import Board
from eleengine.records import (
    Game,
    RecordError,
    parse_time_control,
    pgn,
    pgn_games,
    read_game,
    read_games,
    scan_games,
)
from eleengine.records.pgn import parse
from eleengine.records.pgn_writer import STYLES, text_of

NAMES = st.sampled_from(["Event", "Red", "Black", "ECCO", "Red-Team"])


@st.composite
def games(draw):
    game = draw(trees(texts=TEXTS.filter(lambda text: not set(text) & set("{}[]"))))
    game.headers = draw(st.dictionaries(NAMES, LINES, max_size=3))
    game.headers["Result"] = draw(st.sampled_from(["1-0", "0-1", "1/2-1/2", "*"]))
    return game


@examples(30)
@given(st.lists(games(), min_size=1, max_size=3), st.sampled_from(sorted(STYLES)))
def test_games_are_read_back(written, style):
    text = "\n".join(text_of(game, style=style) for game in written)
    assert [game.to_dict() for game in parse(text, strict=True)] == [game.to_dict() for game in written]


def test_lines_are_short():
    board = Board()
    for _ in range(40):
        board.push(next(iter(board.legal_moves)))
    text = text_of(Game.from_board(board))
    assert max(map(len, text.splitlines())) in range(90, 99)


@given(st.text(max_size=200))
def test_any_text_gives_games_with_warnings(text):
    for game in parse(text):
        for warning in game.warnings:
            assert 1 <= warning.line <= text.count("\n") + 2


SAMPLE = """\
% written by hand
[Game "Chinese Chess"]
[Event "Cup \\"A\\""]
[Red "甲"]
[Black "乙"]
[Result "0-1"]
[Format "Chinese"]

{before} 1. 炮二平五 馬8進7 2. 马二进三 $14 车9平8 ; the rook comes out
3.车一平二!? (3. 兵七进一 炮8平9 (3... 卒7进1) 4. 马八进七) 3... 炮8进4 （也可走卒） (或者卒7进1)
[FEN "4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1"]

1. R4+1 K5+1 1/2-1/2

[Red ""]
H2-E2 H9-G7 b0c2 *
"""


def test_a_file_of_many_hands():
    first, second, third = parse(SAMPLE, strict=True)
    assert first.headers == {"Event": 'Cup "A"', "Red": "甲", "Black": "乙", "Result": "0-1"}
    assert [str(move) for move in first.mainline_moves()] == ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0", "h7h3"]
    line = [first, *first.mainline()]
    assert (first.comment, line[4].comment) == ("before", "the rook comes out")
    assert (line[3].nags, line[5].nags) == ({14}, {5})
    assert line[6].comment == "也可走卒\n或者卒7进1"
    side = line[4].children[1]
    assert [str(move) for move in side.mainline_moves()] == ["h7i7", "b0c2"]
    assert [str(child.move) for child in side.children] == ["h7i7", "g6g5"]
    assert (second.start[:10], second.result, second.plies()) == ("4k4/9/9/9/", "1/2-1/2", 2)
    assert (third.result, third.plies()) == ("*", 3)


FOOTER = """[Game "Chinese Chess"]
[Red "a"]
[Result "1-0"]
  1. 炮二平五 马８进７
  2. 马二进三 1-0
============================
 欢迎访问《象棋百科全书网》 http://www.xqbase.com
============================
[Game "Chinese Chess"]
[Red "b"]
[Result "*"]
  1. C2.5
"""


def test_a_footer_is_passed_over():
    games = list(parse(FOOTER, strict=True))
    assert [(game.headers["Red"], game.plies()) for game in games] == [("a", 3), ("b", 1)]
    unfinished = FOOTER.replace("三 1-0", "三")
    assert [game.plies() for game in parse(unfinished, strict=True)] == [3, 1]


def test_moves_after_the_end_are_told():
    [game] = parse("1. h2e2 * h9g7")
    assert game.plies() == 1 and "'h9g7' after the end" in str(game.warnings[0])


def test_games_without_moves_are_games():
    text = (
        '[Red "a"]\n\n[Red "b"]\n\n[Game "Chinese Chess"]\n[Game "Chinese Chess"]\n[Red "c"]\n\n1. h2e2 *\n'
    )
    assert [(game.headers.get("Red"), game.plies()) for game in parse(text)] == [
        ("a", 0), ("b", 0), (None, 0), ("c", 1),
    ]  # fmt: skip


def test_comments_and_headers_end_where_they_do():
    text = '[Red "a"]\n\n1. h2e2 {see\n[Red "b"]\n\n[Black "c"]\nthere} h9g7 *\n\n[Red "d"]\n\n1. b2e2 *'
    games = list(parse(text, strict=True))
    assert [(game.headers["Red"], game.plies()) for game in games] == [("a", 2), ("d", 1)]
    assert games[0].children[0].comment == 'see\n[Red "b"]\n\n[Black "c"]\nthere'
    text = '[Red "{"]\n\n1. h2e2 *\n\n[Red "b"]\n\n1. b2e2 *'
    assert [(game.headers["Red"], game.plies()) for game in parse(text, strict=True)] == [("{", 1), ("b", 1)]
    text = '[Red "a"]\n\n1. h2e2 {see\n\n[Red "b"]\n\n1. b2e2 *\n\n[Red "c"]\n\n1. c3c4 *'
    games = list(parse(text))
    assert [(game.headers["Red"], game.plies()) for game in games] == [("a", 1), ("b", 1), ("c", 1)]
    assert games[0].comment == "" and games[0].children[0].comment == "see"
    assert [warning.line for warning in games[0].warnings] == [3] and not games[1].warnings
    [game] = parse("1. h2e2 {a {b} c} h9g7 (x (y) z) 2. h0g2 {a { b} *", strict=True)
    assert [node.comment for node in game.mainline()] == ["a {b} c", "x (y) z", "a { b"]


@pytest.mark.parametrize("end", ["}", ""])
@pytest.mark.parametrize("paragraph", ["", "}{", "{", "1. h2e2"])
def test_a_comment_over_many_paragraphs_is_looked_at_once(monkeypatch, paragraph, end):
    seen = 0

    def counting(function):
        def count(data, *arguments):
            nonlocal seen
            seen += len(data)
            return function(data, *arguments)

        return count

    monkeypatch.setattr(pgn_games, "decode", counting(pgn_games.decode))
    monkeypatch.setattr(pgn_games, "_is_open", counting(pgn_games._is_open))
    text = '[Red "a"]\n\n{' + f'[Red "b"]\n\n{paragraph}\n\n' * 1000 + f"{end} *\n"
    entries = list(pgn.scan(BytesIO(text.encode())))
    assert len(entries) == (1 if end else 1000)
    assert seen <= 2 * len(text)


def cut_line_by_line(lines):
    """The parts of a text where headers after anything else begin a game."""
    parts, names = [[]], set()
    body = blank = False
    for line in lines:
        bare = line.removeprefix(b"\xef\xbb\xbf").strip()
        if not bare:
            blank = True
        elif not bare.startswith(b"["):
            body = body or not line.startswith(b"%")
        elif bare != b"[x]":
            name = bare[1:].split()[0].lower()
            again = name in names and (blank or name == b"game")
            if body or again or (names and blank and name in (b"game", b"event")):
                parts.append([])
                names, body = set(), False
            names.add(name)
            blank = False
        parts[-1].append(line)
    numbers = [1 + sum(map(len, parts[:i])) for i in range(len(parts))]
    return [(first, b"".join(part)) for first, part in zip(numbers, parts, strict=True) if part]


PIECES_OF_TEXT = st.sampled_from(
    [b'[Game "x"]\n', b'[Event "game"]\n', b'[Red "a"]\r\n', b' [red "b"]\n', b'\xef\xbb\xbf[Event "c"]\n',
     b'[Black "b]\n', b"[x]\n", b"\n", b" \r\n", b"1. C2.5 *\n", b" H2+3 [x]\n", b"% a note\n", b" % C8.5\n"]
)  # fmt: skip


@given(st.lists(PIECES_OF_TEXT, max_size=20), st.integers(1, 30))
def test_a_text_is_cut_into_games_alike_in_blocks_of_any_size(lines, size):
    text = b"".join(lines).removesuffix(b"\n")
    blocks = (text[start : start + size] for start in range(0, len(text), size))
    assert list(pgn_games._chunks(blocks)) == cut_line_by_line(text.splitlines(keepends=True))


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8"])
def test_games_of_an_open_file_are_read_one_by_one_whatever_their_bytes(encoding, tmp_path):
    """Characters of several bytes lie across the ends of the blocks that are read."""
    path = tmp_path / "a.pgn"
    games = [f'[Red "红{"方" * number}"]\n\n1. 炮二平五 马8进7 *\n\n' for number in range(3000, 3004)]
    path.write_bytes("".join(games).encode(encoding))
    for file in (path.open("rb"), path.open(encoding=encoding)):
        with file:
            read = [read_game(file, encoding=encoding if "b" in file.mode else None) for _ in games]
        assert [len(game.headers["Red"]) for game in read] == [3001, 3002, 3003, 3004]
        assert [game.plies() for game in read] == [2] * 4 and not any(game.warnings for game in read)


@pytest.mark.parametrize("before", range(3))
def test_a_character_that_the_first_block_cuts_leaves_no_doubt_of_the_encoding(before, tmp_path):
    """Without moves and with rare characters, the bytes might as well be GB 18030."""
    path = tmp_path / "a.pgn"
    text = f'[Red "{"a" * before}"]\n{{{"ňřž" * 12_000}{"龘" * 12_000}}}\n\n1. h2e2 *\n'
    path.write_text(text, encoding="utf-8")
    with path.open("rb") as file:
        games = [*read_games(path), read_game(file)]
    assert [game.warnings for game in games] == [[], []]


TIMES = st.integers(0, 9000)
PERIODS = st.builds(
    "{}{}{}".format,
    st.one_of(st.just(""), st.integers(1, 60).map("{}/".format)),
    TIMES,
    st.one_of(
        st.just(""), st.builds("+{}{}".format, st.one_of(TIMES, st.just("0.5")), st.sampled_from(["", "d"]))
    ),
)


@given(st.one_of(st.sampled_from(["", "?", "-"]), st.lists(PERIODS, min_size=1, max_size=3).map(":".join)))
def test_time_controls_are_those_of_python_chess(text):
    try:
        theirs = pytest.importorskip("chess.pgn").parse_time_control(text)
    except ValueError as error:
        assert "sudden death" in str(error)
        raises(ValueError, "only the last period", parse_time_control, text)
        return
    ours = Game(headers={"TimeControl": text} if text else {}).time_control()
    assert ours == parse_time_control(text) and ours.type.name == theirs.type.name
    assert ours.type.value == theirs.type.value
    expected = [(part.moves, part.time, part.increment, part.delay) for part in theirs.parts]
    assert [tuple(part) for part in ours.parts] == expected


def test_a_comment_between_variations_is_that_of_the_move_before():
    """As in python-chess; written again it stands behind the move, and nothing is lost."""
    text = "1. {} ({}) {{between}} ({}) {{after}} 1... {} *\n"
    game = read_game(text.format("C2.5", "1. C2.4", "1. C2.6 {c}", "H8+7"))
    first, _, third = game.children
    assert (game.comment, first.comment, third.comment) == ("", "between\nafter", "c")
    assert read_game(str(game) + "\n").equals(game)
    theirs = pytest.importorskip("chess.pgn").read_game(
        io.StringIO(text.format("e4", "1. d4", "1. c4 {c}", "e5"))
    )
    assert theirs is not None and theirs.next().comment.split() == ["between", "after"]


@pytest.mark.parametrize(
    "text", ["*180", "60 minutes", "300+", "40/", "1/2/3", "-5", "40/300:", "３００", "nan", "1e9"]
)
def test_a_time_control_in_words_is_named(text):
    raises(ValueError, f"not a time control: {re.escape(repr(text))}", parse_time_control, text)
    assert parse_time_control("0.5+0.01").parts[0][1:3] == (0.5, 0.01)


def test_ranks_from_one_to_ten_if_not_from_zero():
    [game] = parse("1. h3e3 h10g8 2. h1g3 i10h10 3. i1h1 *", strict=True)
    assert [str(move) for move in game.mainline_moves()] == ["h2e2", "h9g7", "h0g2", "i9h9", "i0h0"]
    [game] = parse("1. h3h10 *", strict=True)
    assert [str(move) for move in game.mainline_moves()] == ["h2h9"]
    [game] = parse('[FEN "3k5/9/9/9/9/9/9/R8/R8/4K4 w"]\n\n1. a2b2 *', strict=True)
    assert [str(move) for move in game.mainline_moves()] == ["a2b2"]


def test_moves_as_winboard_writes_them():
    text = '[White "a"]\n[Black "b"]\n\n1. Che2 Hg7 2. Hg2 Rh9 3. c4 c5 *'
    [game] = parse(text, strict=True)
    assert game.headers["Red"] == "a"
    assert [str(move) for move in game.mainline_moves()][:4] == ["h2e2", "h9g7", "h0g2", "i9h9"]
    [game] = parse("1. Ce2 *")
    assert "ambiguous move 'Ce2'" in str(game.warnings[0])


def test_tandem_pawns_are_no_move_numbers():
    """In WXF a move may begin with two digits and a dot: the second of the pawns on file 7."""
    game = Game("4k4/9/9/2P6/2P6/2P6/P3P4/9/9/4K4 w - - 0 1", headers={"Result": "*"})
    game.play("c5d5")
    text = text_of(game, style="wxf").replace("1. ", "1.")
    assert next(parse(text)).equals(game)
    assert next(parse(text.replace("1.P7.6", "1.27.6"))).equals(game)


@pytest.mark.parametrize(
    "text, line, part, plies",
    [
        ("1. h2e2 h2e2 h9g7", 1, "illegal move", 1),
        ('[Red "a"]\n\n1. h2e2\nh9g7 banana', 4, "banana", 2),
        ('[Red "a"]\n[FEN "9/9 w"]\n\n1. h2e2 *', 2, "header FEN", 0),
        ("1. h2e2 {no end", 1, "not closed", 1),
        ("1. h2e2 } h9g7", 1, "closing brace", 2),
        ("1. h2e2\n( b2e2 h9g7", 2, "parenthesis that is not closed", 1),
        ("1. h2e2\n( banana h9g7", 2, "parenthesis that is not closed", 1),
        ("1. h2e2 ) h9g7", 1, "closing parenthesis", 2),
        ("1. h2e2 (1. b2e2 h2e2 (1... h9g7) x) h9g7", 1, "illegal move", 2),
        ('[Red "a"]\n[Black b]\n\n1. C2.5 *\n', 2, "not a header", 1),
        ('[Red "a"]\n[Red "b"]\n\n1. C2.5 *\n', 2, "second header Red", 1),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, line, part, plies):
    [game] = parse(text)
    assert game.plies() == plies
    assert part in str(game.warnings[0]) and game.warnings[0].line == line and len(game.warnings) == 1
    raises(RecordError, part, list, parse(text, strict=True))


def test_what_pgn_cannot_hold_is_told_and_unknown_styles_refused():
    game = Game(headers={"Red\n": "x", "Black": "y\nz"}, comment="a } b")
    losses = []
    [again] = parse(text_of(game, loss=losses.append))
    assert len(losses) == 3 and again.headers == {"Black": "y z", "Result": "*"} and again.comment == "a ｝ b"
    with pytest.raises(ValueError, match="the style must be one of iccs, wxf, chinese, traditional"):
        text_of(Game(), style="san")


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ('\ufeff[Red "a"]', "Red", "a"),
        ('[Event "the "big" cup"]', "Event", 'the "big" cup'),
        ('[Event "the \\"big\\" cup"]', "Event", 'the "big" cup'),
        ('[File "C:\\games\\"]', "File", "C:\\games\\"),
        ('[Red-Team "x"]', "Red-Team", "x"),
        ('[Fen "4k4/9/9/9/9/9/9/9/9/3K1R3 w"]', "Result", "*"),
    ],
)
def test_headers_that_programs_write_are_read(line, name, value):
    moves = "R4+1" if "Fen" in line else "C2.5"
    [game] = parse(f"{line}\n\n1. {moves} *\n", strict=True)
    assert game.headers[name] == value and game.plies() == 1
    [again] = parse(text_of(game))
    assert again.equals(game)


def test_clocks_scores_and_arrows_are_commands_in_comments():
    text = "1. h2e2 { [%eval 0.35,12] [%clk 0:09:58.5]said [%cal Gh9g7,Re2e6,Rd4d5] [%csl Be2] [%odd x] } *"
    [game] = parse(text, strict=True)
    node = game.children[0]
    assert (node.comment, node.clock, node.eval.depth) == ("said  [%odd x]", 598.5, 12)
    assert [arrow.color for arrow in node.arrows] == ["green", "red", "red", "blue"]
    assert next(parse(text_of(game))).children[0].notes() == node.notes()


def test_a_big_file_is_read_as_it_comes(tmp_path):
    """Two games are known before the third is there."""
    import os
    import threading

    game = text_of(Game(headers={"Red": "x"})) + "\n"
    pipe = tmp_path / "pipe.pgn"
    os.mkfifo(pipe)

    def write():
        with open(pipe, "wb") as file:
            file.write((game * 1000).encode())

    writer = threading.Thread(target=write)
    writer.start()
    with open(pipe, "rb") as file:
        assert sum(1 for _ in scan_games(file)) == 1000
    writer.join()


def test_games_of_several_encodings_in_one_file(tmp_path):
    file = tmp_path / "game.pgn"
    mixed = ('[Red "許銀川"]\n\n1. 炮二平五 *\n'.encode(name) for name in ("utf-8", "gb18030", "big5"))
    file.write_bytes(b"\n".join(mixed))
    assert [game.headers["Red"] for game in read_games(file)] == ["許銀川"] * 3
