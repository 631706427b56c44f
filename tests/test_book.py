"""Books: samples read as they should, every format holds what it can, damage is told, nothing crashes."""

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import threading
from collections import Counter as Multiset
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import MISSING_FILE, call, classical, examples, mirror, raises, scaled

from eleengine import Board, Move, book
from eleengine._core import Searcher
from eleengine.book import BookError, Entry, keys, make, open_book, own, sqlite, tools
from eleengine.book.base import choices
from eleengine.book.eleeye import write_eleeye
from eleengine.book.tools import BookTable
from eleengine.commands import book as command_book
from eleengine.records import Game, write_games

BOOKS = Path(__file__).parent / "books"
ELEEYE = shutil.which("eleeye")  # xqbase/eleeye, built under that name
SAMPLES = ("book.dat", "book.obk", "book.pfBook", "book.yfk")
SUFFIXES = {"own": ".book", "obk": ".obk", "pfbook": ".pfBook", "yfk": ".yfk", "eleeye": ".DAT"}


def moves(*words):
    return [Move.from_iccs(word) for word in words]


def board_after(*words):
    board = Board()
    for word in words:
        board.push_iccs(word)
    return board


# Keys


def test_keys_are_those_that_other_programs_publish():
    assert keys.obk_keys().of(Board()) == (7101337512282506414,) * 2
    assert keys.obk_keys().pieces["K"][81] ^ keys.obk_keys().side != 0
    assert keys.eleeye_keys().third.of(Board()) == (0x052656D5,) * 2
    assert keys.eleeye_keys().third.of(board_after("h2e2"))[0] == 0xEB505D7D
    assert (keys.to_16(81), keys.to_16(8)) == (0x33, 0xCB)


@given(seed=st.integers(0, 10**6), plies=st.integers(0, 60))
def test_the_second_key_is_that_of_the_mirror_image(seed, plies):
    rng = random.Random(seed)
    board = Board()
    for _ in range(plies):
        if not board.legal_moves:
            break
        board.push(rng.choice(list(board.legal_moves)))
    seen = Board(mirror(board.fen()))
    for table in (keys.obk_keys(), keys.eleeye_keys().second, keys.eleeye_keys().third):
        assert table.of(board) == table.of(seen)[::-1]
    cchess = pytest.importorskip("cchess")
    other = cchess.ChessBoard(board.fen())
    assert other.zhash() & keys.MASK64 == keys.obk_keys().of(board)[0]


# The samples


@pytest.mark.parametrize("name", SAMPLES)
def test_samples_read_as_they_should(name):
    expected = json.loads((BOOKS / f"{name}.json").read_text(encoding="utf-8"))
    with open_book(BOOKS / name) as sample:
        assert sample.format == {"book.dat": "eleeye"}.get(name, expected["format"].lower())
        assert len(sample) == len(list(sample.rows())) == expected["entries"]
        found = sample.find_all(Board())
        report = tools.check(sample)
    assert report.faults == []
    assert report.reached > 100  # and so the keys of some 70 positions are right
    if name == "book.dat":
        assert {str(entry.move): entry.weight for entry in found} == expected["start_weights"]
    else:
        stored = [{"move": str(e.move), "win": e.wins, "draw": e.draws, "loss": e.losses} for e in found]
        assert stored == expected["start"]
        assert all(entry.weight == 2 * entry.wins + entry.draws for entry in found)


def test_the_three_sqlite_samples_hold_the_same():
    contents = []
    for name in SAMPLES[1:]:
        with open_book(BOOKS / name) as sample:
            contents.append(Multiset(sample.rows()))
    assert contents[0] == contents[1] == contents[2]


# Looking up and choosing


def small_table(*lines):
    """A table of lines of moves, each with the weight that stands before it."""
    table = BookTable()
    for line in lines:
        weight, *words = line.split()
        board = Board()
        for word in words[:-1]:
            board.push_iccs(word)
        table.add(keys.obk_keys().of(board)[0], Entry(Move.from_iccs(words[-1]), int(weight)))
    return table


def weights(found, *words):
    """What a book has after those moves."""
    return [(str(entry.move), entry.weight) for entry in found.find_all(board_after(*words))]


def test_legal_moves_are_found_also_in_the_mirror():
    table = small_table("7 h2e2 h9g7", "3 h2e2 b9c7", "9 b2e2 h9g7")
    assert weights(table, "h2e2") == [("h9g7", 7), ("b9c7", 3)]
    assert weights(table, "b2e2") == [("h9g7", 9), ("b9c7", 7)]
    assert small_table("5 a0a5", "1 a0a1").find_all(Board()) == [Entry(Move.from_iccs("a0a1"), 1)]


def test_choice_by_weight():
    table = small_table("300 h2e2", "100 c3c4", "0 a0a1")
    chosen = [table.weighted_choice(Board(), random=random.Random(seed)) for seed in range(400)]
    picked = Multiset(str(entry.move) for entry in chosen)
    assert set(picked) == {"h2e2", "c3c4"}
    assert 240 < picked["h2e2"] < 360
    assert str(table.get(Board()).move) == "h2e2"
    assert str(table.get(Board(), exclude_moves=moves("h2e2")).move) == "c3c4"
    assert table.weighted_choice(Board(), exclude_moves=moves("h2e2", "c3c4")) is None
    assert table.weighted_choice(board_after("h2e2")) is None
    for source in (table, book.Shelf([table])):
        assert source.weighted_choice(Board(), exclude_moves=iter(moves("h2e2", "c3c4"))) is None
        with pytest.raises(TypeError, match="exclude_moves has 'h2e2', which is no Move"):
            source.weighted_choice(Board(), exclude_moves=["h2e2"])
    assert str(table.choice(Board(), exclude_moves=iter(moves("h2e2"))).move) == "c3c4"
    with pytest.raises(TypeError, match="no Move"):
        table.find_all(Board(), exclude_moves="h2e2")


def test_the_same_seed_chooses_the_same():
    table = small_table("1 h2e2", "1 c3c4", "1 g3g4", "1 c0e2")

    def picked(seed):
        rng = random.Random(seed)
        return [table.weighted_choice(Board(), random=rng).move for _ in range(20)]

    assert picked(1) == picked(1) != picked(2)


def test_no_move_brings_a_position_back():
    table = small_table("9 a0a1 a9a8 a1a0", "1 a0a1 a9a8 h2e2", "5 a0a1 a9a8 a1a0 a8a9")
    assert [str(e.move) for e in choices(table, board_after("a0a1"))] == []
    assert [str(e.move) for e in table.find_all(board_after("a0a1", "a9a8"))] == ["a1a0", "h2e2"]
    # a1a0 leads to the start with Black's rook moved: a new position
    assert [str(e.move) for e in choices(table, board_after("a0a1", "a9a8"))] == ["a1a0", "h2e2"]
    # a8a9 would bring back the start position
    assert [str(e.move) for e in table.find_all(board_after("a0a1", "a9a8", "a1a0"))] == ["a8a9"]
    assert choices(table, board_after("a0a1", "a9a8", "a1a0")) == []


def test_the_first_book_on_the_shelf_answers():
    shelf = book.Shelf([small_table("1 h2e2"), small_table("1 c3c4", "1 h2e2 h9g7")])
    assert str(shelf.weighted_choice(Board()).move) == "h2e2"
    assert str(shelf.weighted_choice(board_after("h2e2")).move) == "h9g7"
    assert str(shelf.weighted_choice(Board(), exclude_moves=moves("h2e2")).move) == "c3c4"
    assert shelf.weighted_choice(board_after("a0a1")) is None


# Round trips


counts = st.integers(0, 2**31)
entries = st.builds(
    Entry,
    st.tuples(st.integers(0, 89), st.integers(0, 89)).filter(lambda pair: pair[0] != pair[1]).map(
        lambda pair: Move(*pair)
    ),
    counts, counts, counts, counts,
    st.none() | st.integers(-30_000, 30_000),
    st.just(""),
)  # fmt: skip
rows = st.lists(
    st.tuples(st.integers(0, 2**64 - 1), entries), max_size=30, unique_by=lambda row: (row[0], row[1].move)
)


def is_number(key):
    """Can an OBK hold the key? Some would be no floating-point numbers, and -0.0 becomes 0."""
    return not key >> 63 or (sqlite.as_real(key) == sqlite.as_real(key) and key != 1 << 63)


@pytest.mark.parametrize("name", ["own", "obk", "pfbook", "yfk"])
@examples(20)
@given(rows=rows)
@example(rows=[(key, Entry(Move(0, 1), 1)) for key in (0, 1 << 63)])
def test_every_row_survives(tmp_path_factory, name, rows):
    path = tmp_path_factory.mktemp("book") / "a"
    held = [row for row in rows if name != "obk" or is_number(row[0])]
    written = tools.save(BookTable(held), path, name, {"who": "我"})
    assert written == len(held)
    with open_book(path) as found:
        assert found.format == name
        assert len(found) == len(held)
        assert Multiset(found.rows()) == Multiset(held)
        for key, _ in held:
            assert Multiset(found.stored(key)) == Multiset(e for k, e in held if k == key)
        if name == "own":
            assert found.info == {"who": "我"}


def test_obk_keys_that_sqlite_changes(tmp_path):
    """Whole numbers become integers, and NaN is lost."""
    whole = struct.unpack("<Q", struct.pack("<d", -(2.0**60)))[0]
    nan = 0xFFF0000000000001
    entry = Entry(Move.from_iccs("h2e2"), 3)
    assert sqlite.write_sqlite(tmp_path / "a.obk", [(whole, entry), (nan, entry)], "obk") == 1
    with closing(sqlite3.connect(tmp_path / "a.obk")) as base:
        assert base.execute("SELECT typeof(vkey) FROM bhobk").fetchall() == [("integer",)]
    with open_book(tmp_path / "a.obk") as found:
        assert list(found.rows()) == [(whole, entry)]
        assert found.stored(whole) == [entry]
        assert found.stored(nan) == []


@pytest.mark.parametrize("name", ["obk", "pfbook", "yfk"])
def test_notes_are_kept_where_there_is_a_place(tmp_path, name):
    table = BookTable([(5, Entry(Move.from_iccs("h2e2"), 1, note="顺炮, better than c3c4"))])
    tools.save(table, tmp_path / "a", name)
    with open_book(tmp_path / "a") as found:
        assert list(found.rows()) == list(table.rows())


def random_book(seed, positions=60):
    """A table of random lines from the start, folded; every position is reached."""
    rng = random.Random(seed)
    table = BookTable()
    for _ in range(positions):
        board = Board()
        for _ in range(rng.randrange(1, 7)):
            move = rng.choice(list(board.legal_moves))
            table.add(keys.obk_keys().of(board)[0], Entry(move, rng.randrange(1, 90_000)))
            board.push(move)
    tools.fold(table)
    return table


def content(found):
    """What a book says of each position that can be walked to, by FEN."""
    return {
        board.fen(): sorted((str(e.move), e.weight) for e in entries)
        for _, board, entries in tools.walk(found)
    }


@pytest.mark.parametrize("seed", range(2))
def test_book_dat_holds_what_can_be_reached(tmp_path, seed):
    table = random_book(seed)
    path = tmp_path / "BOOK.DAT"
    assert tools.save(table, path) == len(table) == path.stat().st_size // 8
    with open_book(path) as found:
        assert isinstance(found, book.Book) and found.format == "eleeye"
        assert tools.check(found).faults == []
        reached, expected = content(found), content(table)
        assert reached.keys() == expected.keys()
        for fen, weights in expected.items():
            most = max(weight for _, weight in weights)
            scale = min(1, 65535 / most)
            assert [m for m, _ in reached[fen]] == [m for m, _ in weights]
            for (_, weight), (_, found_weight) in zip(weights, reached[fen], strict=True):
                assert abs(found_weight - weight * scale) < 1
        again = tools.load(found)
    assert tools.save(again, tmp_path / "again.dat") == len(table)
    assert (tmp_path / "again.dat").read_bytes() == path.read_bytes()


def test_book_dat_leaves_out_what_is_never_played(tmp_path):
    table = small_table("5 h2e2", "0 c3c4", "2 c3c4 c6c5")
    assert tools.save(table, tmp_path / "a.dat") == 2
    with open_book(tmp_path / "a.dat") as found:
        assert [str(e.move) for e in found.find_all(Board())] == ["h2e2"]
        assert [str(e.move) for e in found.find_all(board_after("c3c4"))] == ["c6c5"]
        # the answer to a move that the book does not make is found by a wide walk only
        assert len(list(tools.walk(found))) == 1
        assert len(list(tools.walk(found, wide=True))) == 2
    raises(BookError, r"b\.dat: no moves", write_eleeye, tmp_path / "b.dat", [])
    assert not (tmp_path / "b.dat").exists()


@pytest.mark.system
@pytest.mark.skipif(ELEEYE is None, reason="ElephantEye is not installed")
def test_elephanteye_reads_our_book_dat(tmp_path):
    """Its info lines of depth 0 tell the moves and weights that it finds in the book."""
    table = random_book(9)
    tools.save(table, tmp_path / "BOOK.DAT")
    with open_book(tmp_path / "BOOK.DAT") as found:
        boards = [board for _, board, _ in tools.walk(found)]
        boards += [board for fen in boards if found.find_all(board := Board(mirror(fen.fen())))]
        talk = ["ucci", f"setoption bookfiles {tmp_path}/BOOK.DAT"]
        for board in boards:
            talk += [f"position fen {board.fen()}", "go depth 1"]
        done = subprocess.run([ELEEYE], input="\n".join([*talk, "quit", ""]), capture_output=True, text=True)
        answers = re.split(r"^(?:no)?bestmove.*$", done.stdout.partition("ucciok")[2], flags=re.M)
        assert len(answers) == len(boards) + 1
        for board, answer in zip(boards, answers, strict=False):
            lines = re.findall(r"^info depth 0 score (\d+) pv (\w+)", answer, re.M)
            told = {move: int(weight) for weight, move in lines}
            assert told == {str(entry.move): entry.weight for entry in found.find_all(board)}
    assert len(boards) > 100


# Damage


def mutants(data, seed, n):
    rng = random.Random(seed)
    for _ in range(n):
        mutant = bytearray(data)
        for _ in range(rng.choice((1, 1, 3, 20))):
            mutant[rng.randrange(len(mutant))] = rng.randrange(256)
        yield bytes(mutant[: rng.randrange(len(mutant))] if rng.random() < 0.2 else mutant)


def use(path):
    """Everything that can be done with a book, or a BookError."""
    try:
        with open_book(path) as found:
            found.find_all(Board())
            found.weighted_choice(board_after("h2e2"))
            tools.check(found)
            tools.load(found)
    except BookError as error:
        assert str(path) in str(error)
        return True
    return False


@pytest.mark.parametrize("name", [*SAMPLES, "own.book"])
def test_damaged_books_never_crash(tmp_path, name):
    if name == "own.book":
        with open_book(BOOKS / "book.obk") as sample:
            tools.save(sample, tmp_path / name)
        data = (tmp_path / name).read_bytes()
    else:
        data = (BOOKS / name).read_bytes()
    path = tmp_path / "mutant"
    refused = 0
    n = scaled(15 if name == "book.dat" else 25)
    for mutant in mutants(data, name, n):
        path.write_bytes(mutant)
        refused += use(path)
    assert refused > 5
    if name == "own.book":
        assert refused == n  # its checksum finds everything


@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_are_refused_or_read(tmp_path_factory, data):
    for start in (b"", own.MAGIC, sqlite.MAGIC):
        path = tmp_path_factory.mktemp("book") / "x"
        path.write_bytes(start + data)
        use(path)


def test_a_book_that_is_cut_while_it_is_open_is_an_error(tmp_path):
    path = shutil.copy(book.SHIPPED, tmp_path / "cut.book")
    with open_book(path) as cut:
        assert cut.find_all(Board())
        with open(path, "r+b") as file:
            file.truncate(1000)
        for ask in (lambda: cut.find_all(Board()), lambda: list(cut.rows())):
            raises(BookError, "has been cut", ask)


@pytest.mark.parametrize("path", [book.SHIPPED, BOOKS / "book.obk"])
def test_a_closed_book_says_so(path):
    with open_book(path) as closed:
        pass
    raises(BookError, "it is closed", closed.find_all, Board())
    assert repr(str(path)) in repr(closed)


def test_faults_are_named(tmp_path):
    path = tmp_path / "a.book"
    tools.save(random_book(1), path)
    data = path.read_bytes()

    def message(data):
        path.write_bytes(data)
        with pytest.raises(BookError) as caught:
            open_book(path)
        return str(caught.value)

    assert message(data[:-1]).endswith(f"{len(data) - 1} bytes, but its header speaks of {len(data)}")
    assert message(data[:9]).endswith("the header ends at byte 9, not 24")
    assert message(data[:-1] + b"\x01").endswith("damaged: the checksum is wrong")
    assert message(data[:9] + b"\x02" + data[10:]).endswith("version 2 of the format, but only 1 is known")
    assert message(b"").endswith("not a BOOK.DAT: 0 bytes, not a multiple of 8")
    backwards = struct.pack("<IBBHIBBH", 9, 0, 0, 0, 8, 0, 0, 0)
    assert message(backwards).endswith("offset 8: the keys are not in order")
    path.unlink()
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE other(x)")
        base.commit()
    assert "neither a table bhobk" in message(path.read_bytes())
    raises(FileNotFoundError, "", open_book, tmp_path / "none.book")


def test_an_index_that_does_not_find_its_rows(tmp_path):
    path = tmp_path / "a.obk"
    path.write_bytes((BOOKS / "book.obk").read_bytes())
    with closing(sqlite3.connect(path)) as base:  # the index is made of other numbers than it says
        base.execute("DROP INDEX idxkey")
        base.execute("CREATE INDEX idxkey ON bhobk(vscore)")
        base.execute("PRAGMA writable_schema = ON")
        said = "CREATE INDEX idxkey ON bhobk(vkey)"
        base.execute(f"UPDATE sqlite_master SET sql = '{said}' WHERE name = 'idxkey'")
        base.commit()
    with open_book(path) as broken, open_book(BOOKS / "book.obk") as sound:
        assert not broken.index_works and sound.index_works
        assert content(broken) == content(sound)
        assert any("the index does not find" in fault for fault in tools.check(broken).faults)


def test_rows_that_do_not_count(tmp_path):
    path = tmp_path / "a.obk"
    path.write_bytes((BOOKS / "book.obk").read_bytes())
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE bhobk SET vvalid = 0 WHERE id = 1")
        base.execute("UPDATE bhobk SET vkey = NULL WHERE id = 2")
        base.execute("UPDATE bhobk SET vmove = 'abc' WHERE id = 3")
        base.commit()
    with open_book(path) as found, open_book(BOOKS / "book.obk") as whole:
        assert len(found.find_all(Board())) == len(whole.find_all(Board())) - 1
        assert (len(found), len(list(found.rows()))) == (134, 132)
        assert tools.check(found).faults == ["1 moves without a key", "1 rows without a move"]


# Tools


def test_merging_adds_mirror_images(tmp_path):
    one, two = small_table("7 h2e2 h9g7", "1 h2e2"), small_table("5 b2e2", "4 b2e2 b9c7")
    merged = tools.merge([one, two])
    assert [(str(e.move), e.weight) for e in merged.find_all(Board())] == [("b2e2", 5), ("h2e2", 1)]
    assert [(str(e.move), e.weight) for e in merged.find_all(board_after("h2e2"))] == [("h9g7", 11)]


def test_pruning():
    table = small_table("9 h2e2", "5 c3c4", "1 a0a1", "3 h2e2 h9g7", "2 h2e2 h9g7 h0g2")

    def left(**how):
        return sum(entry.weight for _, entry in tools.prune(table, **how).rows())

    assert left() == 20
    assert left(max_moves=1) == 14
    assert left(min_weight=3) == 17
    assert left(plies=1) == 15
    assert left(plies=2, max_moves=1) == 12
    assert left(min_games=1) == 0
    key = keys.obk_keys().of(Board())[0]
    table.add(key, Entry(Move.from_iccs("i0i1"), 100, score=-50))
    assert (left(), left(min_score=-49), left(min_score=-50)) == (120, 20, 120)


def test_counting_is_what_a_reader_would_count():
    """Against sums over FEN strings, of games at random."""
    rng = random.Random(5)
    counter = make.Counter(plies=8)
    expected = Multiset()
    for _ in range(300):
        board, line = Board(), []
        result = rng.choice(["1-0", "0-1", "1/2-1/2"])
        for _ in range(10):
            # few different moves, so that games meet, and captures among them
            choice = sorted(board.legal_moves, key=lambda m: (not board.is_capture(m), str(m)))
            move = rng.choice(choice[:3])
            fen = " ".join(board.fen().split()[:2])
            if len(line) < 8:
                expected[fen, move, result] += 1
                expected[mirror(fen), keys.mirror_move(move), result] += 1
            line.append(move)
            board.push(move)
        counter.add(line, result)
    table = counter.table(min_games=1)
    met = 0
    for _, board, found in tools.walk(table):
        fen = " ".join(board.fen().split()[:2])
        red, black = ("1-0", "0-1") if board.turn else ("0-1", "1-0")
        for entry in found:
            met += 1
            told = tuple(expected[fen, entry.move, r] for r in (red, "1/2-1/2", black))
            assert (entry.wins, entry.draws, entry.losses) == told
            assert entry.weight == 2 * entry.wins + entry.draws
    assert met > 500 and len(table) == met


def test_moves_that_lose_are_found_and_never_played(tmp_path):
    """A book with a blunder: the rook is left where a cannon takes it."""
    table = small_table("9 h2e2", "50 h2h9", "9 h2e2 h9g7", "9 h2h9 i9h9")
    asked = make.questions(table)
    assert len({question.key for question in asked}) == len(asked) == 5
    answers = {question.key: score for question, score in make.ask(asked, 2000, threads=2)}
    again = {question.key: score for question, score in make.ask(asked, 2000)}
    assert answers == again
    answers = {question.key: make.answer(classical(hash_mib=4), question.fen, 2000) for question in asked}
    lost = make.verify(table, answers, margin=100)
    found = {str(e.move): e for e in table.find_all(Board())}
    assert (lost, found["h2h9"].weight, found["h2e2"].weight) == (1, 0, 9)
    assert found["h2h9"].score < -100 < found["h2e2"].score
    assert str(table.weighted_choice(Board()).move) == "h2e2"
    assert str(table.get(board_after("h2h9")).move) == "i9h9"  # the answer stays


def test_whoever_leaves_the_questions_stops_the_searches(monkeypatch):
    """As Ctrl-C does: a search of many nodes would go on for minutes."""

    class Endless:
        def __init__(self, hash_mib):
            self.stopped = threading.Event()
            endless.append(self)

        def stop(self):
            self.stopped.set()

    def answer(searcher, fen, nodes):
        return 0 if fen == "first" else searcher.stopped.wait(10)

    endless = []
    monkeypatch.setattr(make, "Searcher", Endless)
    monkeypatch.setattr(make, "answer", answer)
    asked = [make.Question(key, fen) for key, fen in enumerate(["first", "second", "third"])]
    answers = make.ask(asked, 1, threads=2)
    assert next(answers) == (asked[0], 0)
    answers.close()
    assert all(searcher.stopped.is_set() for searcher in endless)


def test_a_position_without_moves_is_lost():
    fen = "3k4R/R8/9/9/9/9/9/9/9/5K3 b - - 0 1"
    assert make.answer(Searcher(hash_mib=1), fen, 100) == -30_000


# The command


def command(*args, cwd, status=0):
    result = call("book", *args, cwd=cwd)
    assert result.returncode == status, result
    return result


def test_make_show_and_check(tmp_path):
    games = ["1 h2e2 h9g7 h0g2 i9h9", "0 h2e2 h9g7 b0c2", "= b2e2 b9c7 b0c2", "1 c3c4 x9x9"]
    (tmp_path / "games.txt").write_text("\n".join(games) + "\n")
    made = command("make", "games.txt", "a.book", "--min-games", 1, "--verify", 50, cwd=tmp_path)
    assert made.stdout.startswith("3 games; ")
    assert made.stderr.startswith("1 games are faulty or left out, the first: games.txt:4: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.book", "games.txt"]
    shown = json.loads(command("show", "a.book", "--json", cwd=tmp_path).stdout)
    assert (shown["book"]["games"], shown["book"]["verify"]["nodes"]) == (3, 50)
    assert {m["move"]: (m["wins"], m["draws"], m["losses"]) for m in shown["moves"]} == {
        "h2e2": (1, 1, 1), "b2e2": (1, 1, 1),
    }  # fmt: skip
    assert all(m["score"] is not None for m in shown["moves"])
    text = command("show", "a.book", "startpos", "moves", "b2e2", "--notation", "wxf", cwd=tmp_path).stdout
    assert text.splitlines()[-1].split()[-2:] == ["H2+3", "b9c7"]
    checked = command("check", "a.book", cwd=tmp_path).stdout
    assert checked.startswith("a.book: own, 6 moves; from the start ")
    data = bytearray((tmp_path / "a.book").read_bytes())
    data[-1] ^= 1
    (tmp_path / "b.book").write_bytes(data)
    assert "checksum" in command("check", "b.book", "a.book", cwd=tmp_path, status=1).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="names are texts there")
def test_the_name_of_a_file_may_be_no_text(tmp_path):
    name = os.fsdecode("中.txt".encode("gbk"))
    (tmp_path / name).write_text("1 h2e2 h9g7\n")
    command("make", name, "a.book", "--min-games", 1, cwd=tmp_path)
    assert json.loads(command("show", "a.book", "--json", cwd=tmp_path).stdout)["book"]["of"] == [name]
    said = command("make", name, "none/a.book", cwd=tmp_path, status=2)
    assert (said.stdout, said.stderr) == ("", "eleengine: none: No such directory\n")


def test_records_of_any_format_are_counted(tmp_path):
    record = Game(headers={"Result": "0-1"})
    record.play("h2e2").play("h9g7").play("h0g2")
    record.play("c3c4")  # a variation is no game
    for name in ("a.xqf", "a.pgn"):
        write_games(tmp_path / name, [record])
    (tmp_path / "b.pgn").write_bytes((tmp_path / "a.pgn").read_bytes().replace(b"0-1", b"*"))
    made = command("make", "a.xqf", "a.pgn", "b.pgn", "o.book", "--min-games", 1, cwd=tmp_path)
    assert made.stderr == "1 games are faulty or left out, the first: b.pgn: game 1: no result\n"
    with open_book(tmp_path / "o.book") as found:
        assert [(str(e.move), e.losses) for e in found.find_all(Board())] == [("b2e2", 2), ("h2e2", 2)]
        assert found.find_all(board_after("c3c4")) == []
    assert "junk.pgn" in command("make", junk(tmp_path), "p.book", cwd=tmp_path, status=2).stderr


def test_what_a_format_has_no_place_for_is_counted(tmp_path):
    """A licence went with the description, and numbers that SQLite has not were a traceback."""
    rows = [
        (keys.obk_keys().of(Board())[0], Entry(Move.from_iccs(move), weight, 1, 0, 0, score, note))
        for move, weight, score, note in (
            ("h2e2", 1 << 63, 5, "a"), ("c3c4", 9, 7, ""), ("g3g4", (1 << 32) + 1, None, "b"),
        )
    ]  # fmt: skip
    table = tools.BookTable(rows, {"source": "me", "licence": "CC BY"})
    away = "the format has no place for them"
    said = "what the book says of itself is left out: source, licence"
    assert command_book.losses(table, "own") == [
        f"2 notes are left out: {away}", "the numbers of 2 moves are cut to 4,294,967,295",
    ]  # fmt: skip
    assert command_book.losses(table, "obk") == [
        f"1 scores are left out: {away}", f"the numbers of 1 moves are cut to {(1 << 63) - 1:,}", said,
    ]  # fmt: skip
    assert command_book.losses(table, "eleeye") == [
        f"2 notes are left out: {away}", f"3 results are left out: {away}",
        f"2 scores are left out: {away}", said,
    ]  # fmt: skip
    for name in ("pfbook", "obk"):
        tools.save(table, tmp_path / name, name)
        with open_book(tmp_path / name) as found:
            assert found.find_all(Board())[0].weight == (1 << 63) - 1


def junk(folder):
    (folder / "junk.pgn").write_bytes(b"PK\x03\x04")
    return "junk.pgn"


def test_an_interrupted_verification_goes_on(tmp_path):
    (tmp_path / "games.txt").write_text("1 c3c4 h9g7\n")
    table = small_table("2 c3c4", "2 g3g4", "0 c3c4 h9g7")
    asked = make.questions(table)
    child = min(keys.obk_keys().of(board_after("c3c4")))
    with command_book.ScoreJournal(f"{tmp_path}/a.book.scores", command_book.plan_of(300, asked)) as journal:
        journal.add(child, 777)  # not what the engine would say
    make_it = ("make", "games.txt", "a.book", "--min-games", "1", "--verify")
    refused = command(*make_it, 301, cwd=tmp_path, status=2).stderr
    assert "a.book.scores:1: the journal is of a verification with other nodes" in refused
    command(*make_it, 300, cwd=tmp_path)
    with open_book(tmp_path / "a.book") as made:
        assert [entry.score for entry in made.find_all(Board())] == [-777, -777]
    assert not (tmp_path / "a.book.scores").exists()


def test_scores_of_another_network_are_not_mixed(tmp_path, monkeypatch):
    path, asked = tmp_path / "scores", make.questions(small_table("2 c3c4"))
    command_book.ScoreJournal(path, command_book.plan_of(300, asked)).close()
    command_book.ScoreJournal(path, command_book.plan_of(300, asked)).close()
    other = {**command_book.engine_identity(), "network": "another"}
    monkeypatch.setattr(command_book, "engine_identity", lambda: other)
    with pytest.raises(ValueError, match="engines: eleengine had another network"):
        command_book.ScoreJournal(path, command_book.plan_of(300, asked))


def test_convert_merge_and_prune(tmp_path):
    for name, suffix in SUFFIXES.items():
        converted = command("convert", BOOKS / "book.obk", f"a{suffix}", cwd=tmp_path)
        assert f"a{suffix}: " in converted.stdout
        with open_book(tmp_path / f"a{suffix}") as found:
            assert found.format == name
    said = command("convert", BOOKS / "book.obk", "b.dat", cwd=tmp_path).stderr
    assert "11 moves are left out: they have the weight 0, or cannot be reached" in said
    command("convert", "a.DAT", "c.xyz", "--to", "yfk", cwd=tmp_path)
    with open_book(tmp_path / "c.xyz") as found:
        assert found.format == "yfk"
    command("merge", "a.book", "a.yfk", "m.book", cwd=tmp_path)
    with open_book(tmp_path / "m.book") as merged, open_book(tmp_path / "a.book") as single:
        assert merged.find_all(Board())[0].games == 2 * single.find_all(Board())[0].games
    command("prune", "a.book", "p.book", "--max-moves", 1, "--plies", 3, cwd=tmp_path)
    with open_book(tmp_path / "p.book") as pruned:
        assert len(pruned.find_all(Board())) == 1
        assert pruned.find_all(board_after("h2e2", "h9g7", "h0g2")) == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["show", "none.book"], f"none.book: {MISSING_FILE}"),
        (["convert", "junk", "a.obk"], "junk: not a BOOK.DAT: 5 bytes, not a multiple of 8"),
        (["convert", "masters", "junk"], "junk: exists already"),
        (["convert", "masters", "."], ".: Is a directory"),
        (["merge", "junk", "a.book"], "junk: not a BOOK.DAT"),
        (["make", "junk", "a.book", "--plies", "0"], "must be a whole number from 1 to 400"),
        (["make", "none.txt", "a.book"], f"none.txt: {MISSING_FILE}"),
        (["show", "masters", "hello"], "invalid FEN 'hello'"),
        (["convert", "masters", "a.book", "--to", "bin"], "invalid choice: 'bin'"),
        (
            ["prune", "masters", "a.book", "--min-games", "1000000"],
            "no moves are left: a.book is not written",
        ),
    ],
)
def test_bad_input_is_named(tmp_path, args, message):
    (tmp_path / "junk").write_bytes(b"hello")
    assert message in command(*args, cwd=tmp_path, status=2).stderr
    assert [path.name for path in tmp_path.iterdir()] == ["junk"]


# Hostile files

ENDLESS = (
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS id, x AS lma, 1 AS vkey,"
    " 1 AS vmove, 1 AS vscore, 1 AS vwin, 1 AS vdraw, 1 AS vlost, 1 AS vvalid FROM c"
)
VIEW = f"CREATE VIEW v AS {ENDLESS}"
PLAIN = "CREATE TABLE bhobk(id INTEGER PRIMARY KEY, vkey, vmove, vscore, vwin, vdraw, vlost, vvalid)"
COLUMNS = ", ".join(sqlite.COLUMNS)


def hostile_book(path, *statements):
    """An SQLite file made by these statements."""
    with closing(sqlite3.connect(path)) as base:
        for statement in statements:
            base.execute(statement)
        base.commit()
    return path


FTS5 = f"fts5({COLUMNS}, content='v', content_rowid='id')"
COMPUTED = "CREATE TABLE ltext(id INTEGER PRIMARY KEY, lma TEXT GENERATED ALWAYS AS (hex(zeroblob(9))) {}, x)"
WIDE = ", ".join(f"c{i}" for i in range(120))


@pytest.mark.parametrize(
    ("part", "statements"),
    [
        ("virtual", (VIEW, f"CREATE VIRTUAL TABLE bhobk USING {FTS5}")),
        ("virtual", (VIEW, f"CREATE VIRTUAL TABLE pfBook USING {FTS5}")),
        ("virtual", (VIEW, f"CREATE VIRTUAL TABLE bhobk USING fts4({COLUMNS}, content='v')")),
        ("virtual", (VIEW, PLAIN, f"CREATE VIRTUAL TABLE ltext USING {FTS5.replace(COLUMNS, 'lma')}")),
        ("neither", (f"CREATE VIEW bhobk AS {ENDLESS}",)),  # it could compute without end
        (r"ltext\.lma is computed", (PLAIN, COMPUTED.format("VIRTUAL"))),
        (r"ltext\.lma is computed", (PLAIN, COMPUTED.format("STORED"))),
        ("too many columns", (PLAIN.replace(")", f", {WIDE})"),)),
    ],
    ids=["fts5", "fts5 pfBook", "fts4", "fts5 ltext", "view", "virtual", "stored", "wide"],
)  # fmt: skip
def test_tables_that_compute_or_are_too_wide_are_refused(tmp_path, part, statements):
    raises(BookError, part, open_book, hostile_book(tmp_path / "a.yfk", *statements))


def test_values_and_seconds_of_a_book_are_limited(tmp_path):
    path = hostile_book(
        tmp_path / "a.yfk",
        PLAIN,
        "CREATE TABLE ltext(id INTEGER PRIMARY KEY, lma TEXT)",
        "INSERT INTO bhobk(vkey, vmove, vvalid) VALUES(1, 1, 1)",
        "INSERT INTO ltext VALUES(1, CAST(zeroblob(3000000) AS TEXT))",
    )
    with open_book(path) as large, pytest.raises(BookError, match="too big"):
        list(large.rows())
    with open_book(path) as endless, pytest.raises(BookError, match=r"more than 0\.2 s"):
        list(endless._ask(f"SELECT count(*) FROM ({ENDLESS})", seconds=0.2))


@pytest.mark.parametrize(
    "index", ["vkey) WHERE instr('a', 'b') = 0", "vkey, instr('a', 'b'))"], ids=["partial", "expression"]
)
def test_computed_indices_are_not_run(tmp_path, index):
    """One instr() of large values takes minutes, in which nothing can stop SQLite."""
    path = hostile_book(tmp_path / "a.obk", PLAIN, f"CREATE INDEX i ON bhobk({index}")
    with open_book(path) as found:
        assert list(found.faults()) == ["the table bhobk has a computed index, so it was not checked"]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="needs Connection.setconfig")
def test_books_are_opened_in_defensive_mode(tmp_path):
    with open_book(hostile_book(tmp_path / "a.obk", PLAIN)) as found:
        assert found._database.connection.getconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signal.setitimer")
def test_a_slow_query_can_be_interrupted(tmp_path):
    path = hostile_book(tmp_path / "a.obk", PLAIN)

    def interrupt(signum, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with open_book(path) as endless, pytest.raises(KeyboardInterrupt):
            list(endless._ask(f"SELECT count(*) FROM ({ENDLESS})", seconds=20))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_book_in_wal_mode_is_read_without_files_beside_it(tmp_path):
    path = tmp_path / "a.obk"
    shutil.copy(BOOKS / "book.obk", path)
    path.chmod(0o600)
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA journal_mode = WAL")
    assert path.read_bytes()[18:20] == b"\2\2"
    with open_book(path) as wal:
        assert len(wal) > 0 and [file.name for file in tmp_path.iterdir()] == ["a.obk"]


def test_a_book_of_one_key_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "MAX_ROWS", 3)
    move = Move.from_iccs("h2e2")
    for count in (3, 4):
        path = tmp_path / f"{count}.obk"
        sqlite.write_sqlite(path, [(keys.obk_keys().of(Board())[0], Entry(move, 1))] * count, "obk")
        with open_book(path) as found:
            if count == 3:
                assert len(found.find_all(Board())) >= 1
            else:
                raises(BookError, "more than 3 moves of one position", found.find_all, Board())


def test_notes_of_a_position_are_limited_together(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite, "MAX_TEXTS", 3 << 20)
    key = keys.obk_keys().of(Board())[0]
    moves = [Move.from_iccs(text) for text in ("h2e2", "h0g2", "b0c2", "c3c4")]
    for name in ("obk", "yfk"):
        for count in (3, 4):
            path = tmp_path / f"{count}.{name}"
            rows = [(key, Entry(move, 1, note="x" * 1_000_000)) for move in moves[:count]]
            sqlite.write_sqlite(path, rows, name)
            with open_book(path) as found:
                if count == 3:
                    assert len(found.find_all(Board())) == 3
                else:
                    raises(BookError, "more than 3 MiB of notes of one position", found.find_all, Board())


def test_a_look_up_has_its_time_for_all_rows(tmp_path, monkeypatch):
    path = tmp_path / "a.obk"
    sqlite.write_sqlite(path, [(keys.obk_keys().of(Board())[0], Entry(Move.from_iccs("h2e2"), 1))], "obk")
    with open_book(path) as found:
        database = found._database
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        with pytest.raises(BookError, match="given up"):
            for _ in database.ask(endless, seconds=0.05, in_all=True):
                pass


def test_the_choices_of_python_chess():
    board = Board()
    with book.shipped() as masters:
        top, *_ = entries = masters.find_all(board)
        assert masters.find(board) == masters.get(board) == top
        chosen = {masters.choice(board, random=random.Random(seed)) for seed in range(300)}
        assert chosen == {entry for entry in entries if entry.weight}
        assert masters.find(board, exclude_moves=[top.move]) == entries[1]
        assert masters.find_all(board, minimum_weight=100) == [e for e in entries if e.weight >= 100]
        for call in (masters.find, masters.choice):
            raises(IndexError, "no move in 3k5", call, Board("3k5/9/9/9/9/9/9/9/9/4K4 w"))
