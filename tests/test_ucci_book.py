"""The opening book in conversations: when it answers, when it does not, and what it never plays."""

import subprocess
from pathlib import Path

import pytest
from support import ENVIRONMENT
from test_book import small_table
from ucci_client import COMMAND, START, Engine, pv_lines

from eleengine import Board, book
from eleengine.book import tools

BOOKS = Path(__file__).parent / "books"
NOTE = "info message note book move "


def write_book(path, *lines):
    tools.save(small_table(*lines), path)
    return path


@pytest.fixture
def engine(tmp_path):
    engine = Engine(book=True)
    engine.send(
        f"setoption bookfiles {write_book(tmp_path / 'a  b.book', '3 a0a1', '1 b0a2', '5 a0a1 a9a8')}"
    )
    assert engine.sync() == []
    yield engine
    engine.quit()


def is_book(engine, *commands):
    """Does the book answer? There is then a note and the move, without a search."""
    engine.sync()
    start = engine.mark()
    move = engine.best(*commands)
    lines = engine.texts(start)
    from_book = lines[0] == f"{NOTE}{move}"
    assert from_book == (not any(" nodes " in line for line in lines)) == (len(lines) == 3)
    return from_book


def test_it_is_on_in_ucci_and_comes_with_the_engine():
    engine = Engine(book=True)
    with book.shipped() as masters:
        known = {str(entry.move) for entry in masters.find_all(Board()) if entry.weight}
    assert len(known) > 2
    assert is_book(engine, START, "go time 60000 increment 0")
    assert engine.best("go depth 4") in known
    engine.quit()


def test_it_is_off_in_uci_until_asked_for():
    engine = Engine("uci", book=True)
    engine.skip()
    engine.best("position startpos", "go depth 3")
    assert pv_lines(engine.texts())
    engine.send("setoption name OwnBook value true")
    engine.skip()
    move = engine.best("go movetime 1000")
    note, line = engine.texts()[-3:-1]
    assert note == f"info string note book move {move}"
    assert line.startswith("info depth 0 score cp ") and line.endswith(f" pv {move}")
    engine.quit()


def test_both_handshakes_tell_of_it():
    for dialect, lines in (
        ("ucci", ["option usebook type check default true", "option bookfiles type string default masters",
                  "option bookseed type spin default 0 min 0 max 1000000000"]),
        ("uci", ["option name OwnBook type check default false",
                 "option name BookFile type string default masters",
                 "option name Book Seed type spin default 0 min 0 max 1000000000"]),
    ):  # fmt: skip
        engine = Engine(dialect)
        assert set(lines) <= set(engine.texts())
        engine.quit()


@pytest.mark.parametrize("go", ["go time 9000", "go depth 5", "go nodes 1000", "go movetime 200", "go"])
def test_searches_for_a_move_ask_it(engine, go):
    assert is_book(engine, START, go)


@pytest.mark.parametrize(
    "setting, go",
    [
        ("usebook off", "go depth 3"),
        ("multipv 2", "go depth 3"),
        ("bookfiles", "go depth 3"),
        ("usebook on", "go mate 3 nodes 500"),
        ("usebook on", "go depth 3 searchmoves h2e2 a0a1"),
    ],
)
def test_analysis_does_not(engine, setting, go):
    engine.send(f"setoption {setting}")
    assert not is_book(engine, START, go)


def test_neither_does_thinking_without_end(engine):
    for go, end in (("go infinite", "stop"), ("go ponder time 300", "ponderhit")):
        start = engine.mark()
        engine.send(START, go)
        assert not any("bestmove" in line for line in engine.quiet(0.3))
        engine.answer(end)
        assert not any("book" in line for line in engine.texts(start))


def test_positions_that_it_does_not_know_are_searched(engine):
    assert not is_book(engine, f"{START} moves h2e2", "go depth 3")
    assert is_book(engine, f"{START} moves i0i1", "go depth 3")  # the mirror image of a0a1


def test_banned_moves_are_not_played(engine):
    engine.send(START, "banmoves a0a1")
    assert {engine.best("go depth 3") for _ in range(12)} == {"b0a2"}
    engine.send("banmoves a0a1 b0a2")
    assert not is_book(engine, "go depth 3")
    assert engine.best("go depth 3") not in ("a0a1", "b0a2")
    engine.send("banmoves")
    assert is_book(engine, "go depth 3")


def test_no_position_is_brought_back(engine, tmp_path):
    path = write_book(
        tmp_path / "b.book",
        "1 a0a1", "1 a0a1 a9a8", "1 a0a1 a9a8 a1a0", "1 a0a1 a9a8 a1a0 a8a9",
    )  # fmt: skip
    engine.send(f"setoption bookfiles {path}")
    moves = []
    for _ in range(3):
        assert is_book(engine, f"{START} moves {' '.join(moves)}", "go depth 3")
        moves.append(engine.texts()[-1].split()[1])
    assert moves == ["a0a1", "a9a8", "a1a0"]
    assert not is_book(engine, f"{START} moves {' '.join(moves)}", "go depth 3")


def test_a_seed_repeats_the_games(engine):
    def chosen(*commands):
        engine.send(*commands)
        return [engine.best(START, "go depth 3") for _ in range(16)]

    first = chosen("setoption bookseed 7")
    assert set(first) == {"a0a1", "b0a2"}
    assert chosen("setoption newgame") == first
    assert chosen() != first
    assert chosen("setoption bookseed 8") != first


def test_several_files_and_those_of_other_programs(engine, tmp_path):
    engine.send(f"setoption bookfiles {BOOKS / 'book.obk'};{tmp_path / 'a  b.book'}; masters")
    assert engine.sync() == []
    assert engine.best(START, "go depth 3") not in ("a0a1", "b0a2")
    assert is_book(engine, f"{START} moves a0a1", "go depth 3")
    for name in ("book.dat", "book.pfBook", "book.yfk"):
        engine.send(f"setoption bookfiles {BOOKS / name}")
        assert engine.sync() == []
        assert is_book(engine, START, "go depth 3")


def test_unreadable_files_are_told_and_the_others_used(engine, tmp_path):
    (tmp_path / "junk.book").write_bytes(b"elebook\0junk")
    for names, why in (
        ("D:\\XQ\\BOOK.DAT", "No such file or directory"),
        (tmp_path / "junk.book", "the header ends at byte 12, not 24"),
        (tmp_path, "Is a directory"),
    ):
        engine.send(f"setoption bookfiles {names}")
        assert engine.sync() == [f"info message error book file unreadable: {names}: {why}"]
        assert engine.best(START, "go depth 3") in ("a0a1", "b0a2")  # the book before
    engine.send(f"setoption bookfiles nothing;{BOOKS / 'book.dat'}")
    what = "nothing: No such file or directory"
    assert engine.sync() == [f"info message error book file unreadable: {what}"]
    assert is_book(engine, f"{START} moves h2e2", "go depth 3")


def test_names_in_several_encodings(engine, tmp_path):
    for name, encoding in (("开局.book", "utf-8"), ("b\xfccher.book", "utf-8"), ("开局库.book", "gb18030")):
        write_book(tmp_path / name, "1 h2e2")
        engine.raw(f"setoption bookfiles {tmp_path / name}\n".encode(encoding))
        assert engine.sync() == []
        assert engine.best(START, "go depth 3") == "h2e2"


@pytest.mark.system
def test_a_name_without_a_folder_may_lie_beside_the_program(tmp_path):
    write_book(tmp_path / "near.book", "1 a0a1")
    (tmp_path / "prog.py").write_text("from eleengine.ucci import main; main()")
    talk = f"ucci\nsetoption bookfiles near.book\n{START}\ngo depth 3\nquit\n"
    done = subprocess.run(
        [COMMAND[0], tmp_path / "prog.py"], input=talk, capture_output=True, text=True, cwd="/",
        env=ENVIRONMENT, timeout=60,
    )  # fmt: skip
    assert "bestmove a0a1" in done.stdout and "unreadable" not in done.stdout


def test_the_score_of_the_book_is_told_if_it_has_one(engine):
    assert engine.best(START, "go depth 3")
    assert engine.texts()[-2].startswith("info depth 0 pv ")
    engine.send("setoption bookfiles masters")
    assert engine.best(START, "go depth 3")
    assert engine.texts()[-2].startswith("info depth 0 score ")


def test_a_damaged_book_does_not_stop_the_game(engine, tmp_path):
    data = bytearray((BOOKS / "book.obk").read_bytes())
    data[4096 + 8 :] = b"\xff" * (len(data) - 4096 - 8)  # all pages but those that tell the tables
    (tmp_path / "bad.obk").write_bytes(data)
    engine.send(f"setoption bookfiles {tmp_path / 'bad.obk'}")
    engine.sync()
    assert engine.best(START, "go depth 3")
