"""Limits on what the bytes of a record become: small packed files must not fill the memory."""

import gzip
import io
import lzma
import subprocess
import sys
import tracemalloc
import zipfile
from dataclasses import fields

import fuzz_readers
import pytest
from support import CHECKOUT, raises

from eleengine._core import STARTING_FEN, checks_enabled
from eleengine.records import FORMATS, Game, RecordError, encode_game, read_game, read_games, scan_games
from eleengine.records.limits import lift, limits

RECORDS = CHECKOUT / "tests" / "records"
SAMPLES = [path for path in sorted(RECORDS.iterdir()) if path.suffix != ".json"]


@pytest.mark.system
@pytest.mark.skipif(checks_enabled(), reason="a sanitizer needs all addresses")
@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of the address space")
@pytest.mark.parametrize(
    ("name", "start", "piece", "count"),
    [
        ("moves.pgn.xz", b"", b"h2e2 h9g7 e2h2 g7h9\n", 3 << 20),
        ("moves8.pgn.xz", b"", b"h2e2 h9g7 e2h2 g7h9 " * 50, 8 << 10),
        ("comment.pgn.xz", b"1. {", b"a " * (1 << 19), 300),
        ("xml.cbf.xz", b"<ChineseChessRecord>", b"<a/>" * 1000, 4000),
        ("lines.txt.xz", b"1. h2e2", b"\n" * 1000, 20_000),
        ("positions.fen.xz", b"startpos moves", b" h2e2 h9g7 e2h2 g7h9" * 1000, 3000),
    ],
)
def test_small_packed_files_do_not_fill_the_memory(tmp_path, name, start, piece, count):
    path = tmp_path / name
    with lzma.open(path, "wb", preset=0) as file:
        file.write(start)
        for _ in range(0, count, max(1, count // 100)):
            file.write(piece * max(1, count // 100))
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "from eleengine.__main__ import main; sys.exit(main(['show', sys.argv[1]]))"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=False)
    assert "more than" in done.stderr and "memory" not in done.stderr
    assert done.returncode in (0, 2), done.stderr


def test_positions_are_read_without_keeping_them(tmp_path):
    path = tmp_path / "positions.fen.gz"
    with gzip.open(path, "wb") as file:
        file.write(f"{STARTING_FEN}\n".encode() * 100_000)
    tracemalloc.start()
    try:
        assert sum(1 for _ in scan_games(path)) == 100_000
        assert tracemalloc.get_traced_memory()[1] < 5 << 20  # the file has 7 MiB
    finally:
        tracemalloc.stop()


def test_positions_of_several_blocks_keep_lines_and_encoding():
    line = f"{STARTING_FEN} moves h2e2"
    for end in ("\n", "\r\n"):
        text = "".join(f"{line}{end}" if number % 7 else f"# 炮二平五{end}" for number in range(1, 20_000))
        for data in (text.encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("gb18030")):
            lines = [entry.line for entry in scan_games(data, format="fen")]
            assert lines == [number for number in range(1, 20_000) if number % 7]
    assert [game.plies() for game in read_games(data[-1000:], format="fen")][-1] == 1


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_game_has_so_many_headers(gap):
    limit = limits.headers
    game, *_ = read_games("".join(f'[A{number} "b"]{gap}' for number in range(limit)) + "1. h2e2 *\n")
    assert len(game.headers) >= limit and game.plies() == 1
    text = '[Red "Hu"]\n\n1. h2e2 *\n\n' + "".join(f'[A{number} "b"]{gap}' for number in range(limit + 1))
    entries = scan_games(text)
    raises(RecordError, rf"line \d+: a game of more than {limit:,} headers", list, entries)


def test_headers_of_one_line_are_limited_too():
    game = read_game("".join(f'[A{number} "b"]' for number in range(limits.headers + 10)) + "\n1. h2e2 *\n")
    assert len(game.headers) <= limits.headers and "more than" in str(game.warnings[0])


@pytest.fixture
def lifted(monkeypatch):
    for field in fields(limits):
        monkeypatch.setattr(limits, field.name, getattr(limits, field.name))
    lift()


def test_without_limits_every_format_is_read(lifted):
    for path in SAMPLES:
        assert all(game.plies() for game in read_games(path)), path


@pytest.mark.parametrize("name", [name for name, format in FORMATS.items() if format.encode])
def test_without_limits_what_was_written_is_read(lifted, name):
    game = Game(headers={"Result": "*"})
    game.play_line(["h2e2", "h9g7", "h0g2"])
    assert list(read_game(encode_game(game, name, losses=[])).mainline_moves()) == list(game.mainline_moves())


@pytest.mark.system
@pytest.mark.skipif(checks_enabled(), reason="a sanitizer needs all addresses")
@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of the address space")
def test_a_game_of_300_000_moves_is_read_in_a_gibibyte(tmp_path):
    game = Game()
    game.play_line(["h2e2", "h9g7", "e2h2", "g7h9"] * 2)
    data = encode_game(game, "xqf")
    head, four, last = data[:1032], data[1032:1064], data[1064:]
    path = tmp_path / "long.xqf"
    path.write_bytes(head + four * 74_999 + last)
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "from eleengine.records import limits, read_game; limits.lift()\n"
        "game = read_game(sys.argv[1]); print(game.plies(), game.warnings)"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("300000 []\n", "")


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("start", "piece"),
    [
        ('[A "b"]\n\n1. h2e2 ', "$1 "),
        ('[A "b"]\n\n1. h2e2 ', "({"),
        ("1. h2e2 ", "{[%eval "),
        ("1. h2e2\n", "{a} x "),
        ("1. h2e2\n", "({"),
        ("1. 炮二平五", " "),
    ],
)
def test_no_expression_begins_anew_for_each_bracket(start, piece):
    """With time that grows with the square of the text, this would take minutes."""
    for game in read_games((start + piece * 30_000 + "h9g7").encode()):
        assert str(game.children[0].move) == "h2e2"


def test_a_game_has_so_many_words(monkeypatch):
    monkeypatch.setattr(limits, "words", 100)
    [game] = read_games('[A "b"]\n\n1. h2e2' + " $1" * 200 + " h9g7")
    assert game.plies() == 1 and "more than 100 words" in str(game.warnings[0])


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-8", "gb18030"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_texts_of_wide_characters_are_read_in_blocks(encoding, end):
    text = end.join(f'[Event "{number} 象棋"]{end}{end}1. 炮二平五 马8进7 *{end}' for number in range(300))
    whole = text.encode(encoding)
    games = list(read_games(whole))
    assert [game.headers["Event"] for game in games] == [f"{number} 象棋" for number in range(300)]
    assert all(game.plies() == 2 for game in games)

    class Blocks(io.BytesIO):
        largest = 0

        def read(self, size=-1):
            data = super().read(size)
            Blocks.largest = max(Blocks.largest, len(data))
            return data

    assert len(list(read_games(Blocks(whole)))) == 300 and Blocks.largest < len(whole)


def test_inputs_that_fuzzing_has_found_are_read_or_refused():
    """What tests/fuzz_readers.py kept: each reaches something in the readers that the others do not."""
    with zipfile.ZipFile(CHECKOUT / "tests/fuzz_corpus.zip") as corpus:
        assert len(corpus.namelist()) > 100
        for name in corpus.namelist():
            fuzz_readers.read(corpus.read(name))
