"""Files as other programs and people write them, made after public reports (record_reports/README.md)."""

import gzip
import itertools
import lzma
import random
import sys
import time
import unicodedata
from contextlib import suppress

import pytest
from records_support import through
from support import CHECKOUT, call, raises

from eleengine import Board, notation
from eleengine.records import Game, RecordError, WriteOptions, encode_game, read_game, read_games
from eleengine.records.formats import format_of

REPORTS = CHECKOUT / "tests" / "record_reports"
START = Board().fen()
OPENING = "h2e2 h9g7 h0g2 i9h9"


def moves_of(game):
    return " ".join(move.iccs() for move in game.mainline_moves())


def game_of(text):
    """The game of a text, also of one line, which would be a path."""
    return read_game(text.encode() if isinstance(text, str) else text)


@pytest.mark.parametrize(
    ("name", "start", "moves"),
    [
        ("b01_winboard_rank_letter.pgn", "5k3/9/9/9/9/4C4/9/2R1C4/9/4K4 w - - 0 1", "e2d2 f9f8"),
        ("b01_advisors.pgn", "3a1k3/9/3a5/9/9/9/9/9/9/4K4 b - - 0 1", "d7e8 e0e1"),
        ("b02_san_from_one.pgn", START, f"{OPENING} i0h0 g6g5"),
        ("b02_wrong_first_move.pgn", START, "i0i1 h9g7"),
        ("b03_glyph.wxf", START, f"{OPENING} i0h0 g6g5 h0h6 b9c7"),
        ("b03_comment.wxf", START, "h2e2 h9g7"),
        ("b04_notag.wxf", START, f"{OPENING} i0h0 b9c7"),
        ("b05_fullwidth.pgn", START, OPENING),
        ("b06_comma.pgn", START, OPENING),
        ("b06_fullwidth_mark.pgn", START, OPENING),
        ("b09_diagram_no_turn.xqf", "5k3/9/9/9/9/5R3/9/9/9/4K4 b - - 0 1", ""),
        ("b09_diagram_no_turn.cbr", "5k3/9/9/9/9/5R3/9/9/9/4K4 b - - 0 1", ""),
        ("b10_fen_then_moves.txt", START, OPENING),
        ("b10_one_move_a_line.txt", "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", "a0a9 d9d8"),
        ("b11_fen_only.txt", "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1", ""),
        ("b15_split_tag.html", START, "h2e2 h9g7 h0g2"),
        ("b18_latin1.pgn", START, "h2e2 h9g7"),
        ("b18_big5.xqf", START, "h2e2"),
        ("b21_half.pgn", START, "h2e2 h9g7"),
        ("b23_vietnamese.txt", START, f"{OPENING} i0h0 g6g5"),
    ],
)
def test_reported_files_are_read(name, start, moves):
    game = read_game(REPORTS / name)
    assert (game.start, moves_of(game)) == (start, moves)
    assert game.error is None
    assert [str(warning) for warning in game.warnings if "guess" not in str(warning)] == []


def test_what_else_they_say_is_kept():
    assert read_game(REPORTS / "b06_fullwidth_mark.pgn").children[0].nags == {1}
    nags = [list(node.nags) for node in read_game(REPORTS / "b03_glyph.wxf").mainline()]
    assert nags == [[], [], [1], [1], [], [3], [], []]
    game = read_game(REPORTS / "b03_comment.wxf")
    assert set(game.headers) == {"Red", "Date", "Result"} and "Time control" in game.comment
    assert read_game(REPORTS / "b21_half.pgn").result == "1/2-1/2"
    assert read_game(REPORTS / "b18_latin1.pgn").headers["Red"] == "José Müller"
    assert read_game(REPORTS / "b18_big5.xqf").headers["Red"] == "許銀川"


MARKS = ["!", "?", "！", "？", "!!", "？！", "！?", ",", "，", "。", "、", "[正着]", "【好棋】"]
OPENINGS = [("炮二平五", "马8进7", "马二进三", "车9平8"), ("C2.5", "H8+7", "H2+3", "R9.8")]


@pytest.mark.parametrize("style", OPENINGS)
def test_marks_behind_moves_lose_nothing(style):
    for mark, place in itertools.product(MARKS, range(4)):
        words = list(style)
        words[place] += mark
        text = "1. {} {} 2. {} {}".format(*words)
        for whole in (f'[Event "x"]\n\n{text} *\n', text):
            assert moves_of(read_game(whole.encode())) == OPENING, whole


@pytest.mark.parametrize("word", ["炮二平万", "好棋妙", "X9?8", "马８９进", "C2.A", "??!x"])
@pytest.mark.parametrize("place", [1, 2, 3])
def test_what_is_not_understood_ends_the_line(word, place):
    """Were it skipped, an answer would be played as a move of the other side."""
    words = ["炮二平五", "马8进7", "马二进三", "车9平8"]
    words[place] = word
    text = "1. {} {} 2. {} {} 3. 车一平二".format(*words)
    wxf = "FORMAT\tWXF\n\nSTART{\n" + text + "\n}END\n"
    for data in (f'[Event "x"]\n\n{text} *\n', text, wxf):
        game = read_game(data.encode())
        assert OPENING.startswith(moves_of(game)) and game.plies() == place
        assert game.warnings


BEHIND_THE_END = "text after the end of the game is not read: '2. H2+3 r9.8\\n}END'"


@pytest.mark.parametrize(
    ("inserted", "plies", "comment", "warnings"),
    [
        ("}", 4, "", ["5: a closing brace too many"]),
        ("\n} }", 4, "", ["6: a closing brace too many"] * 2),
        ("{好棋}", 4, "好棋", []),
        ("{a\nb}", 4, "a b", []),
        ("/*a } b*/", 4, "a } b", []),
        ("{", 2, "", ["5: invalid move '{': expected four characters like 'h2e2'; the rest is not read"]),
        ("}END", 2, "", [f"5: {BEHIND_THE_END}"]),
        ("} end /*over*/", 2, "over", [f"5: {BEHIND_THE_END}"]),
        ("}END\nFORMAT WXF\nSTART{\n C2.5", 2, "", ["7: a second game, which is not read"]),
    ],
)
def test_braces_in_a_wxf_file(inserted, plies, comment, warnings):
    game = read_game(f"FORMAT WXF\n\nSTART{{\n1. C2.5 h8+7\n{inserted} 2. H2+3 r9.8\n}}END\n")
    assert game.plies() == plies and OPENING.startswith(moves_of(game))
    assert game.next().next().comment == comment
    assert [f"{warning.line}: {warning.message}" for warning in game.warnings] == warnings


ENCODINGS = [
    "utf-8", "utf-8-sig", "gb18030", "big5", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le",
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("game.pgn", '[Event "賽事"]\n\n1. 炮二平五 馬8進7\n2. 馬二進三 車9平8 *\n'),
        ("game.txt", "Event\n紅方: 許銀川\n1. 炮二平五 馬8進7\n2. 馬二進三 車9平8\n"),
        ("game.wxf", "FORMAT WXF\nEVENT 賽事\nSTART{\n1. C2.5 h8+7\n2. H2+3 r9.8\n}END\n"),
        ("game.ubb", "[DhtmlXQ]\n[DhtmlXQ_movelist]7747706279678070[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n"),
        ("game.fen", f"{START} moves {OPENING}\n"),
    ],
)
def test_a_text_in_any_encoding_with_any_line_ends(tmp_path, name, text):
    headers = read_game(text.encode()).headers
    for encoding, end in itertools.product(ENCODINGS, ("\n", "\r\n", "\r")):
        (tmp_path / name).write_bytes(text.replace("\n", end).encode(encoding))
        with open(tmp_path / name, "rb") as file:
            for source in (tmp_path / name, file):
                game = read_game(source)
                assert moves_of(game) == OPENING, (encoding, end)
                assert game.headers == headers, (encoding, end)
                warnings = [str(warning) for warning in game.warnings if "guess" not in str(warning)]
                assert warnings == [], (encoding, end)


@pytest.mark.parametrize("data", [b"", b"\n \r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n\r\n", b"\xff\xfe\n\0"])
def test_a_file_without_a_word_has_no_game(tmp_path, data):
    (tmp_path / "game.pgn").write_bytes(data)
    assert list(read_games(tmp_path / "game.pgn")) == []


NOISE = [
    "!", "！？", "（好棋）", "[正着]", "，", "。", "…", "*", "$5", "%", "N", "e.p.", "炮", "五", "+", "x",
    "h2", "22", "{", ")", "~", "@", "#", "12.", "3、", "①", "■", "卒", "红", "ok", "\ufeff", "﹗", "〇",
]  # fmt: skip
TEXTS = [
    ("text", "chinese"),
    ("text", "wxf"),
    ("pgn", "chinese"),
    ("pgn", "wxf"),
    ("pgn", "iccs"),
    ("wxf", "wxf"),
]


@pytest.mark.parametrize(("format", "style"), TEXTS)
def test_odd_words_between_moves_never_make_another_game(format, style):
    """Wherever they stand, what is read is the beginning of the game; if not all of it, that is said."""
    for n in range(100):
        if n % 20 == 0:
            game, chance = game_of_random_moves(n // 20), random.Random(f"{format}{style}{n}")
            text = encode_game(game, format, WriteOptions(style=style), losses=[]).decode()
            first = text.rindex("]") if format == "pgn" else text.index("1. ")
            places = [place for place, char in enumerate(text) if char in " \n" and place > first]
        place, word = chance.choice(places), chance.choice(NOISE)
        noisy = text[:place] + chance.choice((f" {word} ", f"{word} ", f" {word}")) + text[place:]
        read = next(read_games(noisy.encode(), format=format))
        assert moves_of(game).startswith(moves_of(read)), noisy[place - 20 : place + 20]
        assert read.plies() == game.plies() or read.warnings or read.error, noisy[place - 20 : place + 20]


def game_of_random_moves(seed):
    rng, board = random.Random(seed), Board()
    for _ in range(60):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return Game.from_board(board)


def test_capital_and_small_letters_tell_algebraic_text_from_iccs():
    board = Board("5k3/9/9/9/9/4C4/9/2R1C4/9/4K4 w - - 0 1")
    assert notation.parse(board, "C2d2").iccs() == "e2d2"
    for text in ("c2d2", "C2D2", "C2-D2"):
        assert notation.parse(board, text).iccs() == "c2d2"
    raises(notation.AmbiguousMoveError, "", notation.parse, Board("3k5/9/9/9/9/9/4R4/9/4R4/4K4 w"), "Re2")


@pytest.mark.parametrize("suffix", [".wxf", ".ubb", ".txt", ".pgn", ".fen", ".dhtmlxq"])
def test_the_contents_decide_not_the_suffix(suffix):
    text = "1. C2=5 h8+7\n2. H2+3 r9=8\n"
    assert format_of(text.encode(), f"game{suffix}").name in ("text", "pgn", "fen")
    if suffix != ".fen":
        found = REPORTS / "b04_notag.wxf"
        assert moves_of(read_game(found.read_bytes())) == moves_of(read_game(found))


@pytest.mark.parametrize("name", ["xqf", "cbr", "dhtmlxq", "pgn", "wxf"])
def test_a_start_position_that_cannot_be_read_is_not_replaced(name, tmp_path):
    """Two kings face each other: nobody can be to move."""
    bad = "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"
    texts = {
        "pgn": f'[FEN "{bad}"]\n\n1. K5+1 *\n',
        "wxf": f"FORMAT\tWXF\nFEN\t{bad}\n\nSTART{{\n 1. K5+1\n}}END\n",
        "dhtmlxq": "[DhtmlXQ][DhtmlXQ_binit]" + "99" * 4 + "49" + "99" * 15 + "40" + "99" * 11
        + "[/DhtmlXQ_binit][/DhtmlXQ]",
    }  # fmt: skip
    if name in texts:
        data = texts[name].encode()
    else:
        data = bytearray((REPORTS / f"b09_diagram_no_turn.{name}").read_bytes())
        if name == "xqf":  # both kings on the f file, the rook away
            kings = [byte for byte in range(90) if byte // 10 in (4, 5) and byte % 10 in (0, 9)]
            data[0x10:0x30] = bytes(byte if byte in kings else 255 for byte in data[0x10:0x30])
            data[0x10 + 4] = 50
        else:
            data[2120:2210] = bytes(90)
            data[2120 + 4], data[2120 + 85] = 0x27, 0x17
        data = bytes(data)
    file = tmp_path / f"bad.{name}"
    file.write_bytes(data)
    game = read_game(data)
    assert game.error is not None and game.start != START and not game.children
    raises(ValueError, "", game.board)
    assert len(game.diagram().piece_map()) == 2
    raises(RecordError, "", encode_game, game, "fen")
    done = call("convert", file, tmp_path / "out.pgn")
    assert done.returncode == 0
    assert "start position" in done.stderr or "FEN" in done.stderr or "binit" in done.stderr
    again = read_game(tmp_path / "out.pgn")
    assert again.equals(game) and again.error is not None
    shown = call("show", "--notation", "wxf", file)
    assert shown.returncode == 0 and "cannot be played: " in shown.stdout
    done = call("convert", file, tmp_path / "out.fen")
    assert done.returncode == 1 and not (tmp_path / "out.fen").exists()
    assert call("show", file, "--html", tmp_path / "out.html").returncode == 1


MOVES_AS_TEXT = "1. h2e2 h9g7\ngood\n2. h0g2 i9h9\nso\n2. b0c2\ntoo\n2... i9h9"


@pytest.mark.parametrize("name", ["xqf", "cbr"])
@pytest.mark.parametrize("squares", ["none", "no king", "two on one"])
def test_what_a_diagram_holds_is_kept(name, squares, tmp_path):
    """Books have pages of text with an empty board, and puzzles without kings."""
    game = read_game("1. h2e2 h9g7 {good} 2. h0g2 (2. b0c2 {too} i9h9) i9h9 {so}\n")
    game.headers["Title"], game.comment = "题目", "第一页\n第二行"
    data = bytearray(encode_game(game, name))
    if name == "xqf":
        data[0x10:0x30] = b"\xff" * 32 if squares == "none" else data[0x10:0x30]
        data[0x14] = {"no king": 255, "two on one": data[0x10]}.get(squares, 255)
    else:
        data[2120:2210] = bytes(90) if squares == "none" else data[2120:2210]
        data[2120 + 85] = {"two on one": 0x77}.get(squares, 0)
    found = read_game(bytes(data))
    assert found.comment == f"第一页\n第二行\n{MOVES_AS_TEXT}" and not found.children
    assert found.headers == game.headers and found.error in found.warnings
    assert len(found.diagram().piece_map()) == {"none": 0}.get(squares, 31)
    if squares != "two on one":  # else the picture is a board that can be played
        for other in ("pgn", "xqf", "cbr", "dhtmlxq"):
            again, losses = through(other, found)
            assert again.equals(found) and again.error is not None and losses == []


@pytest.mark.parametrize(
    "text",
    [
        '[FEN "9/9 w"]\n\n{one} 1. h2e2 {two} h9g7 1-0\n',
        "FEN: 9/9 w\n1. h2e2 {two} h9g7\n{one}\n",
        "FORMAT\tWXF\nFEN\t9/9 w\nSTART{\n 1. h2e2 /*one two*/ h9g7\n}END\n",
        "[DhtmlXQ][DhtmlXQ_fen]9/9 w[/DhtmlXQ_fen][DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]"
        "[DhtmlXQ_comment0]one[/DhtmlXQ_comment0][DhtmlXQ_comment1]two[/DhtmlXQ_comment1][/DhtmlXQ]",
        "<ChineseChessRecord><Head><FEN>9/9 w</FEN></Head><MoveList><Move value='00-00'>one</Move>"
        "<Move value='h2e2'>two</Move><Move value='h9g7'/></MoveList></ChineseChessRecord>",
        "<n version='1' m='9/9 w' c='one'><n m='h2e2' c='two'><n m='h9g7'/></n></n>",
        f"{'/'.join('9' * 10)} w moves h2e2 h9g7 one two\n",
    ],
)
def test_what_cannot_be_played_is_kept_as_text(text):
    for game in read_games(text.encode()):
        assert game.error is not None and not game.children
        assert all(word in game.comment for word in ("h2e2", "h9g7", "one", "two")), game.comment


def test_the_other_games_of_a_file_are_written(tmp_path):
    good = '[Event "a"]\n\n1. C2.5 *\n\n'
    (tmp_path / "in.pgn").write_text(good + '[Event "b"]\n[FEN "9 w"]\n\n1. C2.5 *\n\n' + good)
    done = call("convert", tmp_path / "in.pgn", tmp_path / "out.pgn")
    assert done.returncode == 0 and "game 2" in done.stderr
    found = list(read_games(tmp_path / "out.pgn"))
    assert [game.error is None for game in found] == [True, False, True] and found[1].comment == "1. C2.5"


def test_encodings(tmp_path):
    names = {"cp1258": "Lại Lý Huynh", "latin-1": "José Müller", "big5": "許銀川", "gbk": "许银川"}
    for encoding, name in names.items():
        # Windows-1258 has marks of its own behind the letters.
        text = unicodedata.normalize("NFD", name) if encoding == "cp1258" else name
        data = f'[Red "{text}"]\n\n1. C2.5 *\n'.encode(encoding)
        for game in (read_game(data, encoding=encoding), read_game(data)):
            assert unicodedata.normalize("NFC", game.headers["Red"]) == name, encoding
    for unknown in ("none", "hex", "rot13", "idna", "punycode", "undefined"):
        raises(ValueError, f"unknown encoding '{unknown}'", read_game, b"1. C2.5", encoding=unknown)
    raises(RecordError, "UTF-16 stream does not start with BOM", read_game, b"1. C2.5 *\n", encoding="utf-16")
    (tmp_path / "a.pgn").write_bytes('[Red "Ángel Pérez"]\n\n1. C2.5 *\n'.encode("cp1252"))
    done = call("show", tmp_path / "a.pgn", "--encoding", "latin-1")
    assert "Ángel Pérez" in done.stdout and done.stderr == ""
    assert "is a guess: cp1252" in call("show", tmp_path / "a.pgn").stderr
    for encoding, said in {"hex": "no encoding that Python knows: 'hex'", "utf-16": "a.pgn: UTF-16"}.items():
        done = call("show", tmp_path / "a.pgn", "--encoding", encoding)
        assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


def test_what_xqwizard_reads(tmp_path):
    (tmp_path / "a.pgn").write_text('[Red "许银川"]\n\n1. C2.5 *\n', encoding="utf-8")
    done = call("convert", tmp_path / "a.pgn", tmp_path / "b.pgn", "--for", "xqwizard")
    assert done.returncode == 0
    data = (tmp_path / "b.pgn").read_bytes()
    assert "许银川".encode("gb18030") in data and b"\r\n" in data and b"\n" not in data.replace(b"\r\n", b"")


def test_packed_files():
    text = b'[Event "x"]\n\n1. C2.5 H8+7 *\n'
    for pack in (gzip.compress, lzma.compress):
        assert moves_of(read_game(pack(text))) == "h2e2 h9g7"
    raises(RecordError, "packed CBL", read_game, REPORTS / "b19_packed.cbl")
    if sys.version_info < (3, 14):
        raises(RecordError, "zstd", read_game, b"\x28\xb5\x2f\xfd" + bytes(20))


def test_a_title_behind_a_position():
    done = call("solve", REPORTS / "b16_title.epd", "--nodes", "1000")
    assert "第1局" in done.stdout, done.stderr
    assert read_game(REPORTS / "b16_title.epd").headers["Title"] == "第1局：示例"


@pytest.mark.parametrize(
    ("text", "moves", "nodes"),
    [
        ("1. 兵七进一 卒7进1 (1... 马8进7)\n2. 炮二平五 炮2平5", "c3c4 g6g5 h2e2 b7e7", 5),
        ("1. C2=5 H8+7\n2. H2+3 R9=8\n3. R1=2 (3. P7+1 P7+1 4. H8+7) H2+3", f"{OPENING} i0h0 b9c7", 9),
        ("1. 炮二平五 马8进7 2. 马二进三 车9平8 （2... 卒7进1\n3. 车一平二）", OPENING, 6),
        ("1. 炮二平五 马8进7 (也可 卒7进1) 2. 马二进三 车9平8", OPENING, 4),  # a comment
        ("{ alternative H2-E2 }\n1. 兵七进一 卒7进1", "c3c4 g6g5", 2),
        ("; 文件开头 1. c3c4\n1. 炮二平五 马8进7", "h2e2 h9g7", 2),
        ("[h2e2, h9g7, h0g2, i9h9]", OPENING, 4),
    ],
)
def test_brackets_in_a_text_hold_variations_or_comments(text, moves, nodes):
    game = game_of(text)
    assert moves_of(game) == moves
    assert sum(1 for _ in game.nodes()) == nodes + 1, str(game)


def test_moves_in_brackets_leave_the_move_that_their_number_names():
    game = game_of("1. 炮二平五 马8进7 2. 马二进三 车9平8 (2. 马八进七 马2进3) 3. 车一平二")
    assert game.warnings == [] and moves_of(game) == f"{OPENING} i0h0"
    second = game.next().next()
    assert [child.move.uci() for child in second.children] == ["h0g2", "b0c2"]


@pytest.mark.parametrize(
    ("text", "moves", "warning"),
    [
        ("1. 炮二平五 马8进7\n2. 马二进三 车9平8\n变1：\n2. 马八进七 马2进3", OPENING, "number 2 where 3"),
        ("1. 炮二平五 马8进7\n2. 马二进三 车9平8\n第2局\n1. 兵七进一 卒7进1", OPENING, "number 1 where 3"),
        ("1. 炮二平五 马8进7\n3. 马二进三 车9平8\n4. 车一平二", f"{OPENING} i0h0", "number 4 where 5"),
        ("1. 炮二平五 马8进7\n5. 马二进三 车9平8", OPENING, "number 5 where 2"),
        ('[Event "x"]\n\n1. C2=5 H8+7 2. H2+3 R9=8 2. R1=2 *', f"{OPENING} i0h0", "number 2 where 3"),
        ('[Event "x"]\n\n1... H2+3 2. C2=5 *', "b9c7 h2e2", "begin with one of Black's"),
        ("1. P2-5 M8.7\n2. M2.3 X9-8\n3. X1.9", OPENING, "X1.9"),
        ('[Event "x"]\n\n1. 7747 7062 *\n', "", "7747"),
    ],
)
def test_move_numbers_and_words_that_do_not_fit_are_told(text, moves, warning):
    game = game_of(text)
    assert moves_of(game) == moves
    assert any(warning in str(error) for error in game.warnings), game.warnings


@pytest.mark.parametrize(
    "text",
    [
        "1. C2=5 H8+7 2. H2+3 R9=8",
        "1. C2=5 2. H8+7 3. H2+3 4. R9=8",  # plies are counted
        "1. C2=5 1. H8+7 2. H2+3 2. R9=8",
        "5. C2=5 H8+7 6. H2+3 R9=8",
        "一、炮二平五 马8进7 二、马二进三 车9平8",
        "第1回合 炮二平五 马8进7 第2回合 马二进三 车9平8",
        "① 炮二平五 马8进7 ② 马二进三 车9平8",
        "炮二平五。马8进7。马二进三。车9平8。",
        "炮二平五→马8进7 | 马二进三→车9平8",
        "1. 礮二平五 ⾺8進7 2. ⾺⼆進三 ⾞9平8",
        "1. P2-5 M8.7\n2. M2.3 X9-8 1-0",  # Vietnamese
        "FORMAT WXF START{C2.5 H8+7 H2+3 R9.8}END",
        '[Event "x"]\n\n1.炮二平五马8进7 2.马二进三车9平8 *\n',
        '[Event "x"]\n\nh2e2,h9g7,h0g2,i9h9 *\n',
        '[Event "x"]\n\n1.炮二平五，马8进7；2.马二进三，车9平8\n',
    ],
)
def test_what_may_stand_around_moves(text):
    game = game_of(text)
    assert (moves_of(game), game.warnings) == (OPENING, [])


def test_a_first_move_that_is_not_read_ends_the_reading():
    for text in ("1. C2–5 H8+7 2. H2+3", "1. 炮 二平五 马8进7", "1. 炮…五 马8进7 2. 马二进三"):
        raises(RecordError, "", game_of, text)


@pytest.mark.parametrize("label", ["初始局面：", "fen: ", "Fen=", "Position is "])
def test_a_position_anywhere_before_the_moves_is_the_start(label):
    fen = "3k4r/9/9/9/9/9/9/9/4K4/R8 w - - 0 1"
    game = game_of(f"{label}{fen}\n1. 车九进一 车9进1")
    assert (game.start, moves_of(game), game.warnings) == (fen, "a0a1 i9i8", [])


def test_a_wrong_position_in_a_text_is_the_error_of_its_game():
    for fen in ("garbage", "9/9/9/9/9/9/9/9/9/9 w"):
        game = game_of(f"FEN: {fen}\n1. 炮二平五 马8进7")
        assert game.error is not None and game.start == fen and not game.children


def test_a_position_behind_the_moves_is_told_unless_it_is_theirs():
    moves = "1. 炮二平五 马8进7"
    played = Board()
    for move in ("h2e2", "h9g7"):
        played.push_uci(move)
    assert game_of(f"{moves}\n{played.fen()}").warnings == []
    [warning] = game_of(f"{moves}\n3k4r/9/9/9/9/9/9/9/4K4/R8 w").warnings
    assert "not used" in str(warning)


@pytest.mark.parametrize(
    ("word", "result"),
    [
        ("红胜", "1-0"), ("红先胜", "1-0"), ("黑负", "1-0"), ("红方勝", "1-0"),
        ("黑方胜", "0-1"), ("红先负", "0-1"), ("和局", "1/2-1/2"), ("平局", "1/2-1/2"),
        ("1/2", "1/2-1/2"), ("0.5-0.5", "1/2-1/2"),
    ],
)  # fmt: skip
def test_results_in_words_mean_the_same_in_all_formats(word, result):
    files = [
        f'[Event "x"]\n[Result "{word}"]\n\n1. C2=5 *\n',
        f'[Event "x"]\n[Result "{word}"]\n\n1. C2=5\n',
        f'[EVENT "x"][RESULT "{word}"]\n\n1. C2=5 *\n',
        f'[Event "x"]\n\n1. C2=5 {word}\n',
        f"1. 炮二平五 {word}",
        f"1. 炮二平五 马8进7\n2. 马二进三 车9平8（{word}）。",
        f"结果: {word}\n1. 炮二平五",
        f"[DhtmlXQ]\n[DhtmlXQ_result]{word}[/DhtmlXQ_result]\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n",
        f"FORMAT WXF\nRESULT {word}\nSTART{{\n1. C2.5 }}END\n",
    ]
    for text in files:
        game = game_of(text)
        assert (game.result, game.warnings) == (result, []), text
        assert read_game(encode_game(game, "xqf")).result == result


def test_unknown_results_are_told_and_not_replaced():
    for text in (
        '[Event "x"]\n[Result "soon"]\n\n1. C2=5 *\n',
        "[DhtmlXQ_result]soon[/DhtmlXQ_result][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]",
        "结果: soon\n1. 炮二平五",
    ):
        [warning] = game_of(text).warnings
        assert "unknown result 'soon'" in str(warning)
    [warning] = game_of('[Event "x"]\n[Result "1-0"]\n\n1. C2=5 0-1\n').warnings
    assert "1-0 of the headers is kept, not 0-1" in str(warning)


def test_headers_of_pgn_as_they_are_met():
    game = game_of('[RED "a"] [Black "b"][Event "c \\"d\\""]\n; composed by X\n[ROUND "2"]\n\n1. C2=5 *\n')
    assert game.headers == {"Red": "a", "Black": "b", "Event": 'c "d"', "Round": "2", "Result": "*"}
    assert moves_of(game) == "h2e2"
    bom = "\ufeff" * 2
    [game] = read_games(f'{bom}[Event "x"]\n[Red "a"]\n\n1. C2=5 *\n'.encode())
    assert game.headers["Red"] == "a"
    assert len(list(read_games('[Event "x"]\n\n{a}\n; b\n1. C2=5 *\n\n[Event "y"]\n\n1. C2=5 *\n'))) == 2


def test_a_pgn_may_speak_of_other_formats():
    game = Game(headers={"Red": "a", "Event": "[DhtmlXQ_x] and START{"}, comment="see the [DhtmlXQ] format")
    game.play("h2e2")
    assert read_game(encode_game(game, "pgn")).to_dict() == game.to_dict() | {
        "headers": {**game.headers, "Result": "*"}
    }


@pytest.mark.parametrize("format", ["pgn", "dhtmlxq", "xqf", "cbr", "wxf", "text"])
def test_a_header_fen_does_not_become_the_start(format):
    game = Game(headers={"Red": "a", "FEN": "3k5/9/9/9/9/9/9/9/4K4/3R5 b - - 0 1", "SetUp": "1"})
    game.play("h2e2")
    read, losses = through(format, game)
    assert (read.start, moves_of(read)) == (START, "h2e2")
    assert any("FEN" in loss for loss in losses)


def test_a_damaged_byte_costs_one_character():
    text = '[Event "全国象棋个人赛"]\n[Red "郭莉萍"]\n\n1. 炮二平五 马8进7 {屏风马} *\n'
    data = text.encode().replace("赛".encode(), b"\xe8\xb5")
    game = game_of(data)
    assert game.headers["Event"] == "全国象棋个人\ufffd" and game.headers["Red"] == "郭莉萍"
    assert moves_of(game) == "h2e2 h9g7" and game.next().next().comment == "屏风马"
    assert any("\ufffd" in str(warning) for warning in game.warnings)


def test_what_was_damaged_before_is_kept_and_told():
    text = "1. 炮二平五 马8进7 {屏\ufffd马} *\n"
    game = game_of(text)
    assert game.next().next().comment == "屏\ufffd马" and "\ufffd" in str(game.warnings[0])


def test_letters_with_accents_in_gb_18030():
    for name in ("José", "Müller", "Hélène"):
        game = Game(headers={"Red": name})
        game.play("h2e2")
        assert read_game(encode_game(game, "xqf")).headers["Red"] == name


def test_a_wrong_position_does_not_stop_the_others(tmp_path):
    path = tmp_path / "three.epd"
    fens = ["3k5/9/9/9/9/9/9/9/9/R3K4 w", "3N1R3/4k4/9/9/9/9/9/9/9/9 w", "4k4/9/9/9/9/9/9/9/9/R2K5 black"]
    path.write_text("\n".join(fens))
    done = call("convert", path, tmp_path / "out.fen")
    assert done.returncode == 1 and f"{path}, game 2: line 2: " in done.stderr
    assert (tmp_path / "out.fen").read_text().split("\n")[1].split()[1] == "b"


def test_tags_of_dhtmlxq_that_are_not_closed():
    for text in (
        "[DhtmlXQ_title]x[/DhtmlXQ_title][DhtmlXQ_movelist]77477062[/ DhtmlXQ_movelist][/DhtmlXQ]",
        "[DhtmlXQ_title]x[DhtmlXQ_movelist]77477062",
        "<script>var DhtmlXQ_title = 'x'; var DhtmlXQ_movelist = '77477062';</script>",
    ):
        game = game_of(text)
        assert (game.headers["Title"], moves_of(game)) == ("x", "h2e2 h9g7"), text


def test_web_pages_hold_games_in_numbered_lines():
    page = "<!DOCTYPE html><html><head><title>x</title><script>h2e2</script></head><body>{}</body></html>"
    raises(RecordError, r"no (game|move)", game_of, page.format('<a href="#">示例：马8进7</a>'))
    row = "<tr><td>{}</td><td>{}</td><td>{}</td></tr>"
    cells = row.format("1.", "炮二平五", "马8进7") + row.format("2.", "马二进三", "车9平8")
    assert moves_of(game_of(page.format(f"<table>{cells}</table>"))) == OPENING
    raises(RecordError, "", game_of, "<p><n version='2'>")


@pytest.mark.system
def test_reading_takes_time_in_proportion_to_the_text():
    pieces = (
        "7747", "[DhtmlXQ_a]x", "1.炮二平五(", "1. h2e2 h9g7 (1. b2e2 h9g7) ", ";\n", "(", "<!--", "{", "1. ",
    )  # fmt: skip
    for piece in pieces:
        text = piece * (40_000 // len(piece)) + "\n"
        start = time.process_time()
        with suppress(RecordError):
            game_of(text)
        assert time.process_time() - start < 2, piece
