"""Records: any tree through each format that can hold it, broken files, and what writers cannot hold."""

import bz2
import copy
import gzip
import io
import lzma
import os
import pickle
import random
import re
import tempfile
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from records_support import LINES, STARTS, through, trees
from support import examples, raises

from eleengine import STARTING_FEN, Board, IllegalMoveError, Move
from eleengine.records import (
    FORMATS,
    Eval,
    Game,
    RecordError,
    WriteOptions,
    encode_game,
    packing,
    read_game,
    read_games,
    scan_games,
    write_games,
)
from eleengine.records.encoding import is_sure
from eleengine.records.limits import limits

SAMPLES = Path(__file__).parent / "records"
TREES = ["pgn", "xqf", "dhtmlxq", "cbr"]
LINES_ONLY = ["text", "wxf"]
NAMES = ["Event", "Site", "Date", "Red", "Black"]
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]
PLAIN = LINES.filter(lambda text: not set(text) & set('{}[]［］;|\\&"%:：'))
SHORT = st.text(st.characters(codec="gb2312", categories=["L"]), min_size=1, max_size=5)


@st.composite
def games(draw, notes=True, variations=True):
    texts = st.lists(PLAIN, min_size=1, max_size=2).map("\n".join)
    game = draw(trees(texts=texts, notes=notes, variations=variations))
    game.headers = {name: draw(SHORT) for name in draw(st.sets(st.sampled_from(NAMES)))}
    game.headers["Result"] = draw(st.sampled_from(RESULTS))
    return game


def counters_off(game):
    """Formats of squares keep the position, but not the counters of the FEN."""
    game.start = Board(f"{' '.join(game.start.split()[:2])} - - 0 1").fen()
    return game


def played_first(game):
    """Without a move nobody knows whose turn it is."""
    return game.children or game.start.split()[1] == "w"


@examples(20)
@given(games(), st.sampled_from(TREES))
def test_trees_survive(game, format):
    if format not in ("pgn", "dhtmlxq"):
        counters_off(game)
    # The encoding of a few rare characters cannot be guessed: XQF is written in GB 18030.
    encoding = "gb18030" if format == "xqf" else None
    again = read_game(encode_game(game, format), encoding=encoding, strict=True)
    assert again.to_dict() == game.to_dict()


@examples(25)
@given(st.lists(games(), min_size=1, max_size=3), st.sampled_from(["pgn", "dhtmlxq"]))
def test_several_games_survive(written, format):
    data = b"".join(encode_game(game, format) for game in written)
    assert [game.to_dict() for game in read_games(data, strict=True)] == [game.to_dict() for game in written]


@examples(25)
@given(games(notes=False, variations=False), st.sampled_from(["chinese", "traditional", "wxf", "iccs"]))
def test_main_lines_survive_as_text(game, style):
    for node in game.nodes():
        node.comment = ""
    for format in LINES_ONLY:
        if not game.children and format == "text" and len(game.headers) == 1:
            continue
        written = game if format == "text" else counters_off(game)
        again = read_game(encode_game(written, format, WriteOptions(style=style)), format=format, strict=True)
        assert again.to_dict() == written.to_dict()
    game.headers = {"Result": "*"}
    assert read_game(encode_game(game, "fen"), strict=True).equals(game)


@examples(25)
@given(
    games(), st.sampled_from(["chinese", "traditional", "wxf", "iccs"]), st.sampled_from(["utf-8", "gb18030"])
)
def test_pgn_in_every_style_and_encoding(game, style, encoding):
    data = encode_game(game, "pgn", WriteOptions(style=style, encoding=encoding), losses=[])
    again = read_game(data)
    assert [list(map(str, node.moves())) for node in again.nodes()] == [
        list(map(str, node.moves())) for node in game.nodes()
    ]


def test_big5_is_known_by_its_moves():
    board = Board()
    rng = random.Random(5)
    for _ in range(30):
        board.push(rng.choice(list(board.legal_moves)))
    game = Game.from_board(board, {"Red": "許銀川", "Black": "呂欽", "Event": "五羊杯"})
    for format in ("pgn", "text"):
        data = encode_game(game, format, WriteOptions(style="traditional", encoding="big5"))
        assert read_game(data, strict=True).equals(game)


def test_gb_18030_is_known_by_a_rare_character_for_the_cannon():
    assert is_sure("礮二平五".encode("gb18030"))


BINARY = ["xqf", "cbr", "cbl", "mxq", "chn", "ccm"]
FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".json")


def content(path):
    data = path.read_bytes()
    return lzma.decompress(data) if path.suffix == ".xz" else data


def read_all(data, format=None):
    """What is read of bytes, or the one error that may be raised."""
    try:
        return list(read_games(data, format=format))
    except RecordError:
        return None


def format_name(path):
    name = path.name.removesuffix(".xz")
    return next((one.name for one in FORMATS.values() if name.endswith(one.suffixes)), "text")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_mutated_files_are_read_or_refused(path):
    data = content(path)
    rng = random.Random(path.name)
    ahead = min(len(data), 4096)
    for _ in range(15 if len(data) < 50_000 else 4):
        broken = bytearray(data)
        for _ in range(rng.choice((1, 3, 20))):
            at = rng.choice((rng.randrange(len(broken)), rng.randrange(ahead)))
            broken[at] = rng.choice((0, 255, 127, 128, rng.randrange(256)))
        if rng.random() < 0.3:
            del broken[rng.randrange(len(broken)) :]
        read_all(bytes(broken))
        for game in read_all(bytes(broken), format_name(path)) or ():
            assert all(warning.message for warning in game.warnings)
            if game.error is None:
                game.end().board()


@pytest.mark.parametrize("name", ["tree.v10.xqf", "tree.v18.xqf", "blackfirst.cbr"])
def test_a_file_cut_at_any_byte(name):
    data = content(SAMPLES / name)
    [whole] = read_games(data, strict=True)
    lines = {tuple(map(str, node.moves())) for node in whole.nodes()}
    start = 1024 if name.endswith("xqf") else 2214
    for end in [*range(0, start, 97), *range(start, len(data))]:
        found = read_all(data[:end], format_name(SAMPLES / name))
        if end < start:
            assert found is None
        else:
            [game] = found
            assert {tuple(map(str, node.moves())) for node in game.nodes()} <= lines
            assert game.warnings


@given(st.binary(max_size=300) | st.text(max_size=12).map(str.encode), st.sampled_from(sorted(FORMATS)))
@example("1. 炮二平五 xx 马8进7".encode(), "pgn")
def test_any_bytes_are_read_or_refused(data, format):
    read_all(data)
    read_all(data, format)


HEADS = {
    "xqf": content(SAMPLES / "tree.v18.xqf")[:1024],
    "cbr": content(SAMPLES / "tree.cbr")[:2214],
    "cbl": content(SAMPLES / "library.cbl.xz")[: 66_624 + 276 * 128],
}


@given(st.binary(max_size=200), st.sampled_from(sorted(HEADS)))
def test_any_bytes_after_a_header(data, format):
    found = read_all(HEADS[format] + data)
    assert found is not None


@given(
    st.lists(
        st.sampled_from([
            "[DhtmlXQ]", "[/DhtmlXQ]", "[DhtmlXQ_movelist]", "[/DhtmlXQ_movelist]", "7747", "7062", "||",
            "&amp;",
            "[DhtmlXQ_move_0_2_1]", "[/DhtmlXQ_move_0_2_1]", "[DhtmlXQ_move_1_2_2]7242[/DhtmlXQ_move_1_2_2]",
            "[DhtmlXQ_comment1_2]", "x", "[/DhtmlXQ_comment1_2]", "[DhtmlXQ_binit]", "99", "[/DhtmlXQ_binit]",
            "<?xml?>", "<n version='2'>", "<n m='h2e2'>", "</n>", "<ChineseChessRecord>", "START{", "C2.5",
            "}END",
            "炮二平五", "[Red \"a\"]", "\n", "1.", "(", ")", "{", "}", "h9g7", "h3e3", "h10g8", "红方: 甲",
            "[FEN \"x\"]", ";", " ", "h2e2", "$1", "1-0", "（",
        ]),
        max_size=25,
    )
)  # fmt: skip
def test_any_pieces_of_text(pieces):
    data = "".join(pieces).encode()
    for format in (None, "pgn", "dhtmlxq", "text", "wxf", "fen", "cbf", "pfc"):
        for game in read_all(data, format) or ():
            assert game.error is not None or list(game.walk())


def test_a_length_of_four_gigabytes_is_no_bomb():
    data = bytearray(content(SAMPLES / "tree.v10.xqf"))
    data[1028:1032] = b"\xff\xff\xff\xff"
    [game] = read_games(bytes(data))
    assert "4294967295" in str(game.warnings[0]) and game.warnings[0].offset == 1024
    raises(RecordError, "byte 1024", read_game, bytes(data), strict=True)
    library = bytearray(content(SAMPLES / "library.cbl.xz"))
    library[60:64] = b"\xff\xff\xff\x7f"
    raises(RecordError, "entries", read_game, bytes(library))


def test_a_library_whose_index_is_longer_than_it_says():
    library = bytearray(content(SAMPLES / "library.cbl.xz"))
    library[60:64] = (125).to_bytes(4, "little")
    titles = [entry.headers.get("Title") for entry in scan_games(bytes(library))]
    assert titles == [entry.headers.get("Title") for entry in scan_games(SAMPLES / "library.cbl.xz")]


@pytest.mark.parametrize("format", ["xqf", "cbr", "dhtmlxq", "pgn"])
def test_three_thousand_moves_in_a_line(format):
    game = Game(headers={"Result": "*"})
    node = game
    for _ in range(800):
        for text in ("b0c2", "b9c7", "c2b0", "c7b9"):
            node = node.add(Move.from_iccs(text))
    again = read_game(encode_game(game, format, WriteOptions(style="iccs")), strict=True)
    assert again.equals(game)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_a_damaged_packed_file_is_named(tmp_path, pack):
    """Each kind of damage has an error of its own in each of the modules that unpack."""
    data = pack(encode_game(Game(), "pgn") * 100)
    file = tmp_path / "games.pgn.packed"
    in_the_middle = bytes(byte ^ 90 if 20 <= place < 40 else byte for place, byte in enumerate(data))
    for damaged in (data[:-20], in_the_middle, data[:-6] + bytes(6)):
        file.write_bytes(damaged)
        for read in (lambda path: list(read_games(path)), read_game, packing.read_bytes):
            raises(RecordError, r"games\.pgn\.packed: the packed file is damaged", read, file)


def test_a_packed_file_of_no_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "file", 1 << 20)
    (tmp_path / "zeros.gz").write_bytes(gzip.compress(bytes(2 << 20)))
    with pytest.raises(RecordError, match=r"zeros\.gz: a packed file of more than 1 MiB"):
        packing.read_bytes(tmp_path / "zeros.gz")


def test_open_files_without_a_name(tmp_path):
    """Their name is a number, or None."""
    data = b"1. C2.5 H8+7 *\n"
    receiving, sending = os.pipe()
    with os.fdopen(sending, "wb") as pipe:
        pipe.write(data)
    with (
        os.fdopen(receiving, "rb") as pipe,
        tempfile.TemporaryFile() as temporary,
        tempfile.SpooledTemporaryFile() as spooled,
    ):
        assert read_game(pipe).plies() == 2
        for file in (temporary, spooled):
            file.write(data)
            file.seek(0)
            assert [game.plies() for game in read_games(file)] == [2]
            file.seek(0)
            assert read_game(file).plies() == 2


@pytest.mark.parametrize("source", [None, 3, ["1. C2.5"], Game()])
def test_what_is_no_source_is_refused(source, tmp_path):
    for read in (read_game, lambda source: list(read_games(source))):
        raises(TypeError, f"a record is a path.* not {type(source).__name__}", read, source)
    raises(TypeError, "StringIO", write_games, io.StringIO(), [Game()])


@pytest.mark.parametrize(
    "data, part",
    [
        (b"", "no move"),
        (b"SQLite format 3\0" + bytes(200), "opening book"),
        (b"PK\x03\x04" + bytes(200), "ZIP"),
        (b"\x01\x02\x00\x03" * 50, "binary file of no known format"),
        (b"Hello, this is a letter.", "no move of a game"),
        (b"[DHJHtmlXQ_31]x[/DHJHtmlXQ_31]", "DHJHtmlXQ"),
        (b"XQ\x13" + bytes(1100), "version 19"),
        (b"CCBridge Record\0" + bytes(3) + b"\x03" + bytes(3000), "CBR version 3"),
        (b'<?xml version="1.0"?><!DOCTYPE n [<!ENTITY a "b">]><n version="2">&a;</n>', "entities"),
        (b'<?xml version="1.0"?><n version="2"><n></n version>', "XML"),
    ],
)
def test_what_is_not_read_is_named(data, part):
    raises(RecordError, part, list, read_games(data))


@pytest.mark.parametrize(
    "before, behind", [("", ""), ("局面：", " w - - 0 1"), ("a game\n", " w\n1. h2e2 h9g7")]
)
def test_a_position_of_nine_ranks_is_named_and_no_moves_are_read_from_the_start(before, behind):
    fen = STARTING_FEN.split()[0].rpartition("/")[0]
    game = read_game(f"{before}{fen}{behind}\n".encode())
    assert "the board needs 10 ranks separated by '/', not 9" in str(game.error)
    assert (game.start, game.plies()) == (fen, 0) and behind.split("\n")[-1].strip() in game.comment


def test_an_error_names_the_file_of_a_record_and_no_text(tmp_path):
    text, path = '[Red "a"]\n\n1. h2e2 h9g7 2. a0a9 *\n', tmp_path / "a.pgn"
    path.write_text(text, encoding="utf-8")
    with path.open(encoding="utf-8") as file:
        raises(RecordError, f"^{re.escape(str(path))}: line 3: illegal", read_game, file, strict=True)
    for source in (text, text.encode(), io.StringIO(text)):
        raises(RecordError, "^line 3: illegal", read_game, source, strict=True)


def test_a_record_that_is_cut_is_named_by_its_kind():
    raises(RecordError, r"XQF file.* header of 1,024 bytes", read_game, encode_game(Game(), "xqf")[:300])


def test_a_clock_below_zero_is_written_as_zero():
    """As that of a player who has lost on time; no reader understands a negative one."""
    game = Game()
    game.play("h2e2").clock = -0.02
    again, losses = through("pgn", game)
    assert again.children[0].clock == 0
    assert losses == ["the comment at ply 1 is read back as '[%clk 0:00:00]'"]


@pytest.mark.parametrize("kind", ["pgn", "xqf", "dhtmlxq", "cbr"])
def test_times_are_kept_to_the_millisecond(kind):
    game = Game()
    node = game.play("h2e2")
    node.clock, node.elapsed = 597.1234567, 0.0004  # as a program measures them
    read = read_game(encode_game(game, kind)).children[0]
    assert (read.clock, read.elapsed) == (pytest.approx(597.123), 0)


def test_only_games_are_written(tmp_path):
    raises(TypeError, "a Game, not str", write_games, tmp_path / "a.pgn", ["1. h2e2"])
    raises(TypeError, "'Game' object is not iterable", write_games, tmp_path / "a.pgn", Game())


@pytest.mark.parametrize("kind", [name for name, kind in FORMATS.items() if kind.encode])
def test_what_is_of_a_wrong_type_is_named(kind):
    game = Game(headers={"Round": 3})
    raises(TypeError, "^the header 'Round' is a str, not int$", encode_game, game, kind, losses=[])
    raises(TypeError, "^the header 'Round' is a str, not int$", str, game)
    for name, value, error, text in (
        ("comment", b"good", TypeError, "comment is a str, not bytes"),
        ("starting_comment", None, TypeError, "starting_comment is a str, not NoneType"),
        ("clock", "1:00", TypeError, "clock is a number of seconds or None, not str"),
        ("elapsed", float("nan"), ValueError, "elapsed cannot be nan"),
        ("clock", float("inf"), ValueError, "clock cannot be inf"),
        ("eval", 35, TypeError, "eval is an Eval or None, not int"),
        ("eval", Eval(35), TypeError, "the score of an Eval is a PovScore, not int"),
        ("arrows", "h2e2", TypeError, "arrows is a tuple of Arrow, not str"),
        ("arrows", ["h2e2"], TypeError, "arrows is a tuple of Arrow, not of str"),
    ):
        game = Game()
        setattr(game.play("h2e2"), name, value)
        raises(error, f"^{text}$", encode_game, game, kind, losses=[])
        raises(error, f"^{text}$", game.to_dict)


def test_losses_are_told():
    game = read_game(SAMPLES / "tree.v10.xqf")
    raises(RecordError, "no comments", encode_game, game, "wxf")
    _, losses = through("wxf", game)
    assert any("5 left out" in loss for loss in losses) and any("10 nodes" in loss for loss in losses)
    game.headers |= {"ECCO": "C48", "Opening": "", "Empty": "", "a b": "", "Red": "名字很长很长很长的人"}
    again, losses = through("xqf", game)
    assert losses == ["XQF has no header ECCO", "header Red: only 15 bytes are kept"]
    assert again.headers["Red"] == "名字很长很长很"
    for name in ("xqf", "cbr", "text", "wxf", "dhtmlxq"):
        _, losses = through(name, game)
        assert not re.search("Empty|a b", " ".join(losses)), name
    del game.headers["a b"]
    plain = Game("3ak4/9/9/9/9/9/9/9/9/R4K3 b - - 5 9")
    for name in (name for name, format in FORMATS.items() if format.encode):
        again, losses = through(name, plain)
        if again.start != plain.start:
            assert losses == [f"{name} cannot hold the move counters of the start position"]
    game.comment = "a {brace}"
    _, losses = through("pgn", game)
    assert losses[0] == "braces in comments become full-width" and len(losses) == 2


def test_characters_that_end_a_text_or_are_none_are_losses():
    game = Game(headers={"Red": "Hu\0", "Result": "*"})
    game.play("h2e2", comment="one\0two")
    again, losses = through("cbr", game)
    assert again.children[0].comment == "one two" and losses[0] == "zero characters become spaces"
    _, losses = through("pgn", Game(headers={"Red": "\udcff"}))
    assert losses[0] == "characters that utf-8 has not become question marks"


def test_what_cannot_be_written_is_refused(tmp_path):
    game = Game()
    game.add(Move.null())
    for format in ("xqf", "cbr", "dhtmlxq", "wxf", "fen"):
        raises(RecordError, "pass", encode_game, game, format)
    game.children[0].move = Move.from_iccs("a0a5")
    for format in ("pgn", "xqf", "cbr", "dhtmlxq", "wxf", "fen"):
        raises(IllegalMoveError, "illegal move a0a5 in", encode_game, game, format)
    raises(ValueError, "not written", encode_game, Game(), "cbf")
    raises(ValueError, "style", encode_game, Game(), "pgn", WriteOptions(style="san"))
    raises(ValueError, "tells no format", write_games, tmp_path / "x.doc", [Game()])
    file = tmp_path / "x.xqf"
    file.write_text("as before")
    raises(ValueError, "holds one game", write_games, file, [Game(), Game()])
    assert file.read_text() == "as before" and list(tmp_path.iterdir()) == [file]
    assert write_games(file, [Game()]) == 1 and read_game(file).equals(Game(headers={"Result": "*"}))


def test_headers_cut_within_a_character_are_read():
    data = bytearray(content(SAMPLES / "tree.v10.xqf"))
    name = "一二三四五六七八".encode("gb18030")[:15]
    data[0x130] = 15
    data[0x131 : 0x131 + 15] = name
    assert read_game(bytes(data), strict=True).headers["Red"] == "一二三四五六七"


def test_keys_that_do_not_add_up_are_told():
    data = bytearray(content(SAMPLES / "tree.v18.xqf"))
    data[12] += 1  # a key of the comments' lengths
    assert "sum of the keys" in str(read_game(bytes(data)).warnings[0])


def test_a_title_that_begins_with_digits_and_a_space():
    """The zero bytes of UTF-16 are found at even places only."""
    game = Game(headers={"Title": "001 一、开局…）", "Result": "*"})
    assert read_game(encode_game(game, "cbr"), strict=True).equals(game)


@pytest.mark.parametrize("format", TREES)
def test_signs_that_mean_something_in_a_file(format):
    game = Game(headers={"Event": 'a "b" & c', "Result": "*"}, comment="1. h2e2 || &amp; \\u4e00 | ; % (x)")
    game.play("h2e2", comment='first\n% second\n  ; third "x" &lt;')
    assert read_game(encode_game(game, format), strict=True).equals(game)


@pytest.mark.parametrize("format", TREES)
@pytest.mark.parametrize(
    "fen",
    [
        "2ba1k3/4a4/4b4/4P4/4P4/9/9/9/9/2BAK4 b",  # Black begins
        "P2k5/P8/P8/P8/P8/9/9/9/9/4K4 w",  # five pawns on a file
        "3k5/9/9/9/9/9/9/9/3p1p3/4K4 w",  # no legal move
    ],
)
def test_positions_of_all_kinds(format, fen):
    game = Game(fen, headers={"Result": "*"})
    if moves := list(game.board().legal_moves):
        game.add(moves[0])
    assert read_game(encode_game(game, format), strict=True).equals(game)


def test_libraries_of_all_sizes():
    """n entries, which is a capacity: none, a few, more than one power of two; with a record or none."""
    head = bytearray(content(SAMPLES / "library.cbl.xz")[:66_624])
    record = content(SAMPLES / "tree.cbr")
    for entries in (0, 1, 128, 140, 306):
        head[60:64] = entries.to_bytes(4, "little")
        empty = bytes(head) + bytes(276 * entries)
        assert list(read_games(empty)) == []
        [game] = read_games(empty + record + bytes(-len(record) % 4096))
        assert game.equals(read_game(record))


def test_memory_does_not_grow_with_the_file(tmp_path):
    game = Game(headers={"Red": "x", "Result": "*"})
    game.play_line(["h2e2", "h9g7"])
    path = tmp_path / "many.pgn"
    path.write_bytes(encode_game(game, "pgn") * 2000)
    tracemalloc.start()
    try:
        assert sum(entry.game().plies() for entry in scan_games(path)) == 4000
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_dhtmlxq_of_many_hands():
    text = """<html>[dhtmlxq_MOVELIST]77477062
    7967[/dhtmlxq_movelist][DhtmlXQ_move_1_4_2]8979[/DhtmlXQ_move_1_4_2]
    [DhtmlXQ_move_0_2_1]724279677062[/DhtmlXQ_move_0_2_1]
    [DhtmlXQ_move_0_1_3]2625[/DhtmlXQ_move_0_1_3][DhtmlXQ_move_3_1_4]6665[/DhtmlXQ_move_3_1_4]
    [DhtmlXQ_comment3_1]a &lt; b||\\u7b2c[/DhtmlXQ_comment3_1][DhtmlXQ_comment9]lost[/DhtmlXQ_comment9]
    [DhtmlXQ_move_7_2_8]7747[/DhtmlXQ_move_7_2_8][DhtmlXQ_result]紅勝[/DhtmlXQ_result]"""
    [game] = read_games(text.encode("gb18030"))
    assert [str(move) for move in game.mainline_moves()] == ["h2e2", "h9g7", "h0g2"]
    assert [str(child.move) for child in game.children] == ["h2e2", "c3c4", "g3g4"]
    assert game.children[1].comment == "a < b\n第" and game.result == "1-0"
    assert [str(child.move) for child in game.children[0].children] == ["h9g7", "h7e7"]
    said = " ".join(map(str, game.warnings))
    assert "ply 9 of line 0" in said and "leave line 7" in said and "ply 4" in said


def test_twenty_thousand_lines_of_dhtmlxq():
    """Each line leaves the one before; the work must not grow with the square of their number."""
    moves = ["77477062", "7967"]
    parts = ["[DhtmlXQ]", f"[DhtmlXQ_movelist]{''.join(moves)}[/DhtmlXQ_movelist]"]
    parts += [f"[DhtmlXQ_move_0_2_{n}]7242[/DhtmlXQ_move_0_2_{n}]" for n in range(1, 20_000)]
    game = read_game("".join([*parts, "[/DhtmlXQ]"]).encode())
    assert len(game.children[0].children) == 20_000


def test_text_of_many_kinds():
    def moves(text):
        return [str(move) for move in read_game(text.encode("gb18030")).mainline_moves()]

    three = ["h2e2", "h9g7", "h0g2"]
    for text in (
        "1. 炮二平五 马8进7 2. 马二进三",
        "胡荣华 先胜 某某 2026-01-02 炮二平五，馬８進７；马二进三 1-0",
        "h2e2 h9g7 h0g2", "h2e2h9g7h0g2", "H2-E2 H9-G7 H0-G2", "C2.5 h8+7 H2+3",
        "774770627967", "77-47 70-62 79-67", "position startpos moves h2e2 h9g7 h0g2",
        f"{STARTING_FEN} moves h2e2 h9g7 h0g2",
        f"{STARTING_FEN.split()[0]} w moves h2e2 h9g7 h0g2",
    ):  # fmt: skip
        assert moves(text) == three, text
    game = read_game("1. 炮二平五 马8进7\n这步棋稳健\n2. 马二进三 马8进9\n".encode())
    assert game.plies() == 3 and game.children[0].children[0].comment == "这步棋稳健"
    assert game.warnings[0].line == 3 and "马8进9" in str(game.warnings[0])


def test_positions_a_line_each():
    data = b"4k4/9/9/9/9/9/9/9/9/3K1R3 r\n# no\n" + STARTS[1].encode() + b' id "x"; bm a5a6;\n'
    games = list(read_games(data))
    assert [game.start for game in games] == ["4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1", STARTS[1]]
    assert games[1].headers["Title"] == "x" and "bm: illegal move a5a6" in str(games[1].warnings[0])
    assert games[1].comment == 'bm "a5a6";'


def test_entries_know_where_they_are():
    for name in ("two.pgn", "library.cbl.xz"):
        entries = list(scan_games(SAMPLES / name))
        places = [(entry.line or 0) + (entry.offset or 0) for entry in entries]
        assert all(a < b for a, b in pairwise(places)) and [
            {"Result": "*", **e.headers} for e in entries
        ] == [e.game().headers for e in entries]


# Open files and texts

TWO_GAMES = (
    '[Red "胡"]\n[Black "b"]\n\n1. 炮二平五 {[Red "no header"]}\n马8进7 *\n\n[Red "Xu"]\n\n1. P7+1 *\n'
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_game_after_the_other_is_read_from_an_open_file(tmp_path, newline):
    path = tmp_path / "two.pgn"
    path.write_bytes(TWO_GAMES.replace("\n", newline).encode())
    with (
        open(path, encoding="utf-8") as text,
        open(path, encoding="utf-8", newline="") as exact,
        open(path, "rb") as binary,
        io.StringIO(TWO_GAMES.replace("\n", newline)) as string,
        io.BytesIO(path.read_bytes()) as raw,
    ):
        for file in (text, exact, binary, string, raw):
            games = [read_game(file) for _ in range(2)]
            assert [game.headers["Red"] for game in games] == ["胡", "Xu"]
            assert [str(move) for move in games[0].mainline_moves()] == ["h2e2", "h9g7"]
            assert read_game(file) is None


def test_texts_and_open_files_are_read_as_their_bytes_are(tmp_path):
    for source in (TWO_GAMES, io.StringIO(TWO_GAMES), io.BytesIO(TWO_GAMES.encode())):
        assert [game.headers["Red"] for game in read_games(source)] == ["胡", "Xu"]
    path = tmp_path / "a.xqf"
    game = read_game(TWO_GAMES)
    write_games(path, [game])
    with open(path, "rb") as file:
        assert read_game(file).plies() == 2
    assert read_game(str(game) + "\n").equals(game)


def test_bytes_that_a_text_file_could_not_decode_are_kept(tmp_path):
    path = tmp_path / "gbk.pgn"
    path.write_bytes(TWO_GAMES.encode("gb18030"))
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        assert read_game(file).headers["Red"] == "胡"


# Copies


def long_game(plies=600):
    rng = random.Random(7)
    game = node = Game(headers={"Red": "Hu"})
    board = Board()
    for ply in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        board.push(move)
        parent, node = node, node.add(move, f"ply {ply}")
        if ply % 7 == 3:
            parent.add(rng.choice(moves), "a variation")
    game.warnings.append(RecordError("something", line=3))
    return game


def test_long_games_are_pickled_and_copied():
    game = long_game()
    assert game.plies() > 200
    for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game), copy.copy(game), game.copy()):
        assert again.equals(game) and again is not game and type(again) is Game
        assert [str(warning) for warning in again.warnings] == ["line 3: something"]
        again.headers["Red"] = "Xu"
        again.play("C2.5" if str(again.children[0].move) != "h2e2" else "P7+1")
        assert not again.equals(game) and game.headers["Red"] == "Hu"


def test_a_copied_node_is_in_a_copied_game():
    end = long_game().end()
    for again in (copy.deepcopy(end), pickle.loads(pickle.dumps(end))):
        assert again.game() is not end.game() and again.game().equals(end.game())
        assert again.moves() == end.moves() and again.comment == end.comment
    [one, two] = copy.deepcopy([end, end.parent])
    assert one.parent is two
    end.remove()
    assert pickle.loads(pickle.dumps(end)).move == end.move


# What small files become


def test_xml_without_end_is_refused_early(monkeypatch):
    monkeypatch.setattr(limits, "nodes", 20_000)
    for data in (b"<ChineseChessRecord>" + b"<a/>" * 50_000, b"<a>" * 50_000):
        raises(RecordError, "more than 40,000 elements", read_game, data, format="cbf")


def test_trees_of_too_many_moves_end_with_a_warning(monkeypatch):
    names = ("xqf", "cbr", "pgn", "text", "wxf", "fen", "dhtmlxq")
    data = {name: encode_game(long_line(80), name) for name in names}
    monkeypatch.setattr(limits, "nodes", 50)
    for format in names[:-1]:
        game = read_game(data[format])
        assert game.plies() == 50
        assert re.search("more than 50 moves; the rest( of the line)? is not read", str(game.warnings[-1]))
    game = read_game(data["dhtmlxq"])
    assert game.plies() == 0 and "more than 50 moves: they are not read" in str(game.warnings[-1])


def test_texts_of_too_many_bytes_and_lines_are_refused(monkeypatch):
    large = Game(comment="long " * 250_000 + "end")
    written = [encode_game(large, name) for name in ("pgn", "xqf", "cbr")]
    monkeypatch.setattr(limits, "game", 1 << 20)
    monkeypatch.setattr(limits, "lines", 1000)
    for data in written:
        raises(RecordError, "of more than 1 MiB is not read", read_game, data)
    for data, format in (
        (b"\n" * 2000, "text"),
        (b"1. h2e2\n" * 2000, "pgn"),
        (b"\n" * 2000 + b"START{", "wxf"),
    ):
        raises(RecordError, "a game of more than 1,000 lines is not read", read_game, data, format=format)


def long_line(plies):
    game = node = Game()
    for ply in range(plies):
        node = node.add(Move.from_iccs(("h2e2", "h9g7", "e2h2", "g7h9")[ply % 4]))
    return game
