"""Files as other programs and people write them, made after public reports (record_reports/README.md)."""

import gzip
import lzma
import random
import subprocess
import sys
import unicodedata

import pytest
from support import CHECKOUT

from eleengine import Board, notation
from eleengine.records import Game, RecordError, WriteOptions, encode_game, read_game, read_games
from eleengine.records.formats import format_of

REPORTS = CHECKOUT / "tests" / "record_reports"
START = Board().fen()
OPENING = "h2e2 h9g7 h0g2 i9h9"


def moves_of(game):
    return " ".join(move.iccs() for move in game.mainline_moves())


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "eleengine", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )


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
    assert read_game(REPORTS / "b06_fullwidth_mark.pgn").children[0].nags == (1,)
    nags = [node.nags for node in read_game(REPORTS / "b03_glyph.wxf").mainline()]
    assert nags == [(), (), (1,), (1,), (), (3,), (), ()]
    game = read_game(REPORTS / "b03_comment.wxf")
    assert set(game.headers) == {"Red", "Date", "Result"} and "Time control" in game.comment
    assert read_game(REPORTS / "b21_half.pgn").result == "1/2-1/2"
    assert read_game(REPORTS / "b18_latin1.pgn").headers["Red"] == "José Müller"
    assert read_game(REPORTS / "b18_big5.xqf").headers["Red"] == "許銀川"


MARKS = ["!", "?", "！", "？", "!!", "？！", "！?", ",", "，", "。", "、", "[正着]", "【好棋】"]
OPENINGS = [("炮二平五", "马8进7", "马二进三", "车9平8"), ("C2.5", "H8+7", "H2+3", "R9.8")]


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("style", OPENINGS)
@pytest.mark.parametrize("place", range(4))
def test_marks_behind_moves_lose_nothing(mark, style, place):
    words = list(style)
    words[place] += mark
    text = "1. {} {} 2. {} {}".format(*words)
    for name in ("game.pgn", "game.txt"):
        data = (f'[Event "x"]\n\n{text} *\n' if name.endswith("pgn") else text).encode()
        assert moves_of(read_game(data)) == OPENING, name


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


@pytest.mark.parametrize(
    ("inserted", "plies", "comment", "warnings"),
    [
        ("}", 4, "", ["5: a closing brace too many"]),
        ("\n} }", 4, "", ["6: a closing brace too many"] * 2),
        ("{好棋}", 4, "好棋", []),
        ("{a\nb}", 4, "a b", []),
        ("/*a } b*/", 4, "a } b", []),
        ("{", 2, "", ["5: invalid move '{': expected four characters like 'h2e2'; the rest is not read"]),
        ("}END", 2, "", []),
        ("} end /*over*/", 2, "over", []),
        ("}END\nFORMAT WXF\nSTART{\n C2.5", 2, "", ["7: a second game, which is not read"]),
    ],
)
def test_braces_in_a_wxf_file(inserted, plies, comment, warnings):
    game = read_game(f"FORMAT WXF\n\nSTART{{\n1. C2.5 h8+7\n{inserted} 2. H2+3 r9.8\n}}END\n")
    assert game.plies() == plies and OPENING.startswith(moves_of(game))
    assert game.next().next().comment == comment
    assert [f"{warning.line}: {warning.message}" for warning in game.warnings] == warnings


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "gb18030", "big5", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"],
)
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
def test_a_text_in_any_encoding_with_any_line_ends(tmp_path, name, text, encoding, end):
    (tmp_path / name).write_bytes(text.replace("\n", end).encode(encoding))
    with open(tmp_path / name, "rb") as file:
        for source in (tmp_path / name, file):
            game = read_game(source)
            assert moves_of(game) == OPENING
            assert game.headers == read_game(text.encode()).headers
            assert [str(warning) for warning in game.warnings if "guess" not in str(warning)] == []


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
@pytest.mark.parametrize("seed", range(5))
def test_odd_words_between_moves_never_make_another_game(format, style, seed):
    """Wherever they stand, what is read is the beginning of the game; if not all of it, that is said."""
    game, chance = game_of_random_moves(seed), random.Random(f"{format}{style}{seed}")
    text = encode_game(game, format, WriteOptions(style=style), losses=[]).decode()
    first = text.rindex("]") if format == "pgn" else text.index("1. ")
    places = [place for place, char in enumerate(text) if char in " \n" and place > first]
    for _ in range(30):
        place, word = chance.choice(places), chance.choice(NOISE)
        noisy = text[:place] + chance.choice((f" {word} ", f"{word} ", f" {word}")) + text[place:]
        read = next(read_games(noisy.encode(), format=format))
        assert moves_of(game).startswith(moves_of(read)), noisy[place - 20 : place + 20]
        assert read.plies() == game.plies() or read.warnings or read.error, noisy[place - 20 : place + 20]


def sans(game, first_rank):
    """The moves of a game as pychess writes them."""
    words = []
    for node in game.mainline():
        board = node.parent.board()
        letter = board.piece_at(node.move.from_square).symbol().upper()
        goal, origin = node.move.iccs()[2:], node.move.iccs()[:2]
        alike = [
            move for move in board.legal_moves
            if move.to_square == node.move.to_square
            and board.piece_type_at(move.from_square) == board.piece_type_at(node.move.from_square)
        ]  # fmt: skip
        start = origin if len(alike) > 1 else ""
        texts = [text and f"{text[0]}{int(text[1]) + first_rank}" for text in (start, goal)]
        take = "x" if board.piece_at(node.move.to_square) else ""
        letter = {"P": "", "N": "H", "B": "E"}.get(letter, letter)
        words.append(f"{letter}{texts[0]}{take}{texts[1]}")
    return words


@pytest.mark.parametrize("first_rank", [0, 1])
def test_algebraic_games_with_either_first_rank(first_rank):
    """Games of random moves, written so here and read back."""
    for game in map(game_of_random_moves, range(12)):
        words = sans(game, first_rank)
        text = " ".join(f"{n // 2 + 1}. {w}" if n % 2 == 0 else w for n, w in enumerate(words))
        found = read_game(f'[Variant "xiangqi"]\n\n{text} *\n'.encode())
        assert moves_of(found) == moves_of(game) and not found.warnings


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
    with pytest.raises(notation.AmbiguousMoveError):
        notation.parse(Board("3k5/9/9/9/9/9/4R4/9/4R4/4K4 w"), "Re2")


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
    with pytest.raises(ValueError):
        game.board()
    with pytest.raises(RecordError):
        encode_game(game, "pgn")
    done = command("convert", file, tmp_path / "out.pgn")
    assert done.returncode == 1 and not (tmp_path / "out.pgn").exists()
    assert "start position" in done.stderr or "FEN" in done.stderr or "binit" in done.stderr
    assert command("show", file).returncode == 1


def test_the_other_games_of_a_file_are_written(tmp_path):
    good = '[Event "a"]\n\n1. C2.5 *\n\n'
    (tmp_path / "in.pgn").write_text(good + '[Event "b"]\n[FEN "9 w"]\n\n1. C2.5 *\n\n' + good)
    done = command("convert", tmp_path / "in.pgn", tmp_path / "out.pgn")
    assert done.returncode == 1 and "game 2" in done.stderr
    assert len(list(read_games(tmp_path / "out.pgn"))) == 2


def test_encodings(tmp_path):
    names = {"cp1258": "Lại Lý Huynh", "latin-1": "José Müller", "big5": "許銀川", "gbk": "许银川"}
    for encoding, name in names.items():
        # Windows-1258 has marks of its own behind the letters.
        text = unicodedata.normalize("NFD", name) if encoding == "cp1258" else name
        data = f'[Red "{text}"]\n\n1. C2.5 *\n'.encode(encoding)
        for game in (read_game(data, encoding=encoding), read_game(data)):
            assert unicodedata.normalize("NFC", game.headers["Red"]) == name, encoding
    with pytest.raises(ValueError, match="unknown encoding 'none'"):
        read_game(b"1. C2.5", encoding="none")
    (tmp_path / "a.pgn").write_bytes('[Red "Ángel Pérez"]\n\n1. C2.5 *\n'.encode("cp1252"))
    done = command("show", tmp_path / "a.pgn", "--encoding", "latin-1", encoding="utf-8")
    assert "Ángel Pérez" in done.stdout and done.stderr == ""
    assert "is a guess: cp1252" in command("show", tmp_path / "a.pgn").stderr


def test_what_xqwizard_reads(tmp_path):
    (tmp_path / "a.pgn").write_text('[Red "许银川"]\n\n1. C2.5 *\n', encoding="utf-8")
    done = command("convert", tmp_path / "a.pgn", tmp_path / "b.pgn", "--for", "xqwizard")
    assert done.returncode == 0
    data = (tmp_path / "b.pgn").read_bytes()
    assert "许银川".encode("gb18030") in data and b"\r\n" in data and b"\n" not in data.replace(b"\r\n", b"")


def test_packed_files():
    text = b'[Event "x"]\n\n1. C2.5 H8+7 *\n'
    for pack in (gzip.compress, lzma.compress):
        assert moves_of(read_game(pack(text))) == "h2e2 h9g7"
    with pytest.raises(RecordError, match="packed CBL"):
        read_game(REPORTS / "b19_packed.cbl")
    if sys.version_info < (3, 14):
        with pytest.raises(RecordError, match="zstd"):
            read_game(b"\x28\xb5\x2f\xfd" + bytes(20))


def test_a_title_behind_a_position():
    done = command("solve", REPORTS / "b16_title.epd", "--nodes", "1000", encoding="utf-8")
    assert "第1局" in done.stdout, done.stderr
    assert read_game(REPORTS / "b16_title.epd").headers["Title"] == "第1局：示例"
