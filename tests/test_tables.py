"""Endgame tables: solving, files, looking up, and the command."""

import os
import random
import re
import struct
import threading
import zlib
from pathlib import Path

import pytest
import slow_rules
import slow_tables
from support import CHECKOUT, Board, call, raises

from eleengine import ADVISOR, BISHOP, BLACK, KING, RED, tables
from eleengine._core import EndgameTable, EndgameTables, normal_table_name, table_name
from eleengine.squares import parse_square
from eleengine.tables import MissingTableError, TableError, Tables, file, folder, open_tables, posts, sets

NAMES = ("R-", "N-A", "P-A", "C-A", "CA-A", "R-P", "PP-", "R-N")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with small tables of all kinds."""
    opened = open_tables(tmp_path_factory.mktemp("tables"))
    for name in tables.plan(NAMES):
        opened.make(name)
    return opened


def random_board(name, rng, turn=None):
    """A random position of a table, colors and sides exchanged by chance."""
    red, black = name.split("-")
    letters = ["K", "k", *red, *black.lower()]
    if rng.random() < 0.5:
        letters = [letter.swapcase() for letter in letters]
    while True:
        pieces = {}
        for letter in letters:
            squares = [square for square in slow_tables.home(letter) if square not in pieces]
            pieces[rng.choice(squares)] = letter
        fen = slow_tables.fen_of(slow_tables.key_of(pieces), rng.random() < 0.5 if turn is None else turn)
        try:
            board = Board(fen)
        except ValueError:
            continue
        if not board.status():
            return board


def slow_value(opened, position, red):
    board = Board(slow_tables.fen_of(position, red))
    return board, opened.probe_wdl(board), opened.probe_dtm(board)


QUICK = ("Kk" + "P", "Kk" + "R")
SLOW = ("KNk", "CKk", "AKNk", "ACKk", "KPak", "KPbk", "KNak", "KRak", "CKak")


@pytest.mark.parametrize(
    "letters",
    [
        *QUICK,
        *(pytest.param(letters, marks=[pytest.mark.slow, pytest.mark.timeout(3600)]) for letters in SLOW),
    ],
)
def test_all_values_are_those_of_a_slow_solver(letters, tmp_path):
    letters = "".join(sorted(letters))
    red, black = (
        "".join(letter.upper() for letter in letters if letter.isupper() == side and letter not in "Kk")
        for side in (True, False)
    )
    name = tables.normal_table_name(f"{red}-{black}")
    opened = open_tables(tmp_path)
    for each in tables.plan([name]):
        opened.make(each)
    counts = {"red": [0, 0, 0], "black": [0, 0, 0]}
    for (position, turn), plies in slow_tables.solved(letters).items():
        board, wdl, dtm = slow_value(opened, position, turn)
        expected = 0 if plies is None else (1 if plies > 0 else -1)
        assert (wdl, dtm) == (expected, plies or 0), board.fen()
        counts["red" if turn else "black"][expected] += 1
    facts = opened.file(name).facts
    assert {side: [facts[side][word] for word in ("drawn", "won", "lost")] for side in counts} == counts


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("letters", ["KPk", "KPak", "KNak"])
def test_a_position_is_decided_before_the_limit_exactly_if_its_conversion_is(letters, tmp_path):
    """By a look at each position with each number of plies left; the last ply or two are not claimed."""
    name = normal_table_name(f"{letters[1]}-{letters[2:-1]}")
    opened = open_tables(tmp_path)
    for each in tables.plan([name]):
        opened.make(each)
    needed, decided = slow_tables.plies_needed(letters, 40), 0
    for position, red in slow_tables.graph(letters):
        board = Board(slow_tables.fen_of(position, red))
        won, left = needed.get((position, red), (None, 0))
        result, plies = opened.probe_wdl(board), abs(opened.probe_dtc(board))
        assert result == {True: 1, False: -1, None: 0}[won], board.fen()
        if result:
            decided += 1
            assert plies - 1 <= left <= plies + 1, board.fen()
    assert decided > 1000


def value_by_slow_rules(opened, board, layer=file.DTM):
    """(result, plies) that the moves of the slow rules make of a position; a capture ends a count of DTC."""
    pieces, side = slow_rules.parse(board.fen())
    won, lost, drawn = [], [0], False
    for move in slow_rules.legal_moves(pieces, side):
        after = slow_rules.moved(pieces, *move)
        following, wdl, dtm = slow_value(opened, slow_tables.key_of(after), side != slow_rules.RED)
        drawn |= wdl == 0
        if layer == file.DTC:
            captured = len(after) < len(pieces)
            dtm = (1 if wdl > 0 else 0) if captured else opened.probe_dtc(following)
        if wdl < 0:
            won.append(1 - dtm)
        elif wdl > 0:
            lost.append(dtm + 1)
    if won:
        return 1, min(won)
    return (0, 0) if drawn else (-1, -max(lost))


@pytest.mark.parametrize(
    "count", [300, pytest.param(10_000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])]
)
def test_random_values_are_those_that_slow_rules_lead_to(count):
    opened, rng = open_tables(tables.SHIPPED), random.Random(count)
    names = opened.names()
    for _ in range(count):
        board = random_board(rng.choice(names), rng)
        result = opened.probe_wdl(board)
        for layer, probe in ((file.DTM, opened.probe_dtm), (file.DTC, opened.probe_dtc)):
            assert (result, probe(board)) == value_by_slow_rules(opened, board, layer), board.fen()


@pytest.mark.parametrize("name", NAMES)
def test_all_values_follow_from_those_of_the_moves(made, name):
    loaded = made.load(tables.plan([name]))
    table = loaded[name]
    checked, wrong = table.verify(loaded, 0, table.entries // 90)
    assert (checked > 1000, wrong) == (True, "")


def changed_copy(table, change):
    """The table with change(layer, side, block, packed) instead of each block."""
    copy = EndgameTable(table.name)
    for layer in range(3):
        for side in range(2):
            for block in range(table.blocks):
                packed = table.block(layer, side, block)
                copy.keep(layer, side, block, change(layer, side, block, packed))
    copy.bounds = table.bounds
    return copy


@pytest.mark.parametrize("layer", range(3))
def test_a_wrong_value_is_found(made, layer):
    loaded = made.load(tables.plan(["N-A"]))
    side, index = loaded["N-A"].index(Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w"))
    row, square = divmod(index, 90)

    def change(*place_and_packed):
        *place, packed = place_and_packed
        if place != [layer, side, row // file.BLOCK]:
            return packed
        number = struct.unpack_from("<H", packed, 2 * (row % file.BLOCK))[0]
        place = 2 * file.BLOCK + (number * 90 + square if layer else number * 23 + square // 4)
        return (
            packed[:place]
            + bytes([packed[place] ^ (1 if layer else 3 << 2 * (square % 4))])
            + packed[place + 1 :]
        )

    table = changed_copy(loaded["N-A"], change)
    loaded.add(table)
    assert table.verify(loaded, 0, table.entries // 90)[1]


def test_wins_may_take_hundreds_of_plies(made):
    """What a capture leads to is said to take 300 plies more: so does every win with one."""
    loaded = made.load(["N-"])
    start = 2 * file.BLOCK

    def later(layer, side, block, packed):
        return packed[:start] + bytes(byte + 150 for byte in packed[start:]) if layer == file.DTM else packed

    late = changed_copy(loaded["N-"], later)
    late.bounds = (loaded["N-"].bounds[0] + 300, *loaded["N-"].bounds[1:])
    loaded.add(late)
    table = EndgameTable("N-A")
    table.solve(loaded)
    loaded.add(table)
    assert table.verify(loaded, 0, table.entries // 90)[1] == ""
    longest, slow = (max(each.count()[0]) for each in (made.load(["N-A"])["N-A"], table))
    assert longest + 200 < slow <= longest + 300
    assert table.bounds[0] >= slow - 1 and table.bounds[1:] == made.load(["N-A"])["N-A"].bounds[1:]


def test_a_table_needs_those_that_captures_lead_to_filled(tmp_path):
    tables, filled = EndgameTables(), EndgameTable("P-")
    filled.solve(tables)
    tables.add(filled)
    raises(ValueError, "the table P- is empty", EndgameTable("P-").find_perpetual, tables)
    raises(MissingTableError, "N-", open_tables(tmp_path).make, "N-A")
    raises(ValueError, "the table N-A needs N-", EndgameTable("N-A").solve, EndgameTables())


def names_on_the_page():
    """Tables with attackers on both sides: those with certain draws, and {name: [draws, red's, black's]}."""
    page = (CHECKOUT / "docs" / "tables.md").read_text(encoding="utf-8")
    certain = re.search(r"both sides can attack:\n\n> (.*)", page)[1]
    others = re.findall(r"^\| `([A-Z]+-[A-Z]+)` \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", page, re.M)
    counts = {name: [int(count.replace(",", "")) for count in found] for name, *found in others}
    return re.findall(r"`(.*?)`", certain), counts


def test_the_page_lists_the_tables_whose_draws_are_certain():
    certain, others = names_on_the_page()
    assert sorted(certain) == sorted(
        name
        for name in {
            tables.normal_table_name(f"{mine}{own}-{theirs}{guards}")
            for mine in "RNCP"
            for theirs in "RNCP"
            for own in sets.GUARDS
            for guards in sets.GUARDS
        }
        if tables.draws_are_certain(name)
    )
    assert not set(others) & set(certain)


@pytest.mark.parametrize(
    "most", [250_000, pytest.param(6_000_000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])]
)
def test_draws_are_certain_where_none_is_held_by_perpetual_moves(tmp_path, most):
    certain, others = names_on_the_page()
    # Attacks that go on tell in R-NA, captures into what is not held in RA-N.
    names = [
        name for name in [*certain, *others] if EndgameTable(name).entries <= most or name in ("R-NA", "RA-N")
    ]
    opened, loaded = open_tables(tmp_path), EndgameTables()
    for name in tables.plan(names):
        facts = opened.make(name)
        table = opened.load([name])[name]
        loaded.add(table)
        counts = [count for count, _ in table.find_perpetual(loaded)]
        assert tables.draws_are_certain(name) == (counts == [0, 0]), name
        if name in others:
            assert [facts["red"]["drawn"] + facts["black"]["drawn"], *counts] == others[name], name
    assert len(names) > 3


@pytest.mark.parametrize("name", ["N-A", "CA-A", "R-N", "PP-"])
def test_mirror_images_and_exchanged_colors_have_the_same_value(made, name):
    rng = random.Random(name)
    for _ in range(200):
        board = random_board(name, rng)
        values = (made.probe_wdl(board), made.probe_dtm(board))
        for other in (board.mirror_files(), board.mirror()):
            assert (made.probe_wdl(other), made.probe_dtm(other)) == values, board.fen()


@pytest.mark.parametrize(
    ("fen", "wdl", "dtm"),
    [
        ("3k5/9/9/9/9/9/9/9/4K4/R8 w", 1, 1),
        ("4ka3/9/9/9/9/9/9/9/9/N2K5 w", 1, 37),  # a knight beats an advisor
        ("3k5/3C5/9/9/9/9/9/9/9/3K1A3 w", 1, 17),  # so does a cannon with one
        ("3k5/4a4/9/9/9/2C6/9/9/9/4K4 w", 0, 0),  # but not without
        ("4k4/9/9/9/9/9/9/9/9/3K5 w", 0, 0),  # nobody can attack: no table is needed
    ],
)
def test_what_the_books_say(made, fen, wdl, dtm):
    assert (made.probe_wdl(Board(fen)), made.probe_dtm(Board(fen))) == (wdl, dtm)


def test_no_result_of_what_cannot_be_played(made):
    """Nobody can attack there, so no table is asked."""
    for probe in (made.probe_wdl, made.probe_dtm, made.get_wdl):
        raises(ValueError, "red has no king", probe, Board(None))


def test_a_mated_side_has_lost_in_no_plies(made):
    board = Board("3k5/9/9/9/9/9/9/9/4K4/3R5 b")
    assert board.is_checkmate()
    assert (made.probe_wdl(board), made.probe_dtm(board)) == (-1, 0)
    assert made.probe_moves(board) == []


def test_the_line_of_a_win_has_its_length_and_ends_in_mate(made):
    board = Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w")
    line = made.line(board)
    assert len(line) == made.probe_dtm(board) == 37
    for move in line:
        board.push(move)
    assert board.is_checkmate() or board.is_stalemate()


def test_moves_are_listed_best_first(made):
    board = Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w")
    found = made.probe_moves(board)
    assert found[0][0] == made.line(board)[0]
    assert found[0][1:] == (1, 37)
    assert {move for move, _, _ in found} == set(board.legal_moves)
    assert [result for _, result, _ in found] == sorted((result for _, result, _ in found), reverse=True)


def blocks_of(table):
    return [
        table.block(layer, side, block)
        for layer in range(3)
        for side in range(2)
        for block in range(table.blocks)
    ]


def test_threads_give_the_same_table(made):
    for name in ("CA-A", "R-N"):
        solved = EndgameTable(name)
        solved.solve(made.load(tables.smaller_tables(name)), threads=3)
        assert blocks_of(solved) == blocks_of(made.load([name])[name])


def test_many_threads_may_ask(made):
    rng = random.Random(5)
    boards = [random_board(rng.choice(NAMES), rng) for _ in range(100)]
    expected = [made.probe_dtm(board) for board in boards]
    opened, found = Tables(made.folder), {}

    def ask(number):
        found[number] = [opened.probe_dtm(board) for board in boards]

    asking = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in asking:
        thread.start()
    for thread in asking:
        thread.join()
    assert list(found.values()) == [expected] * 4


def test_a_missing_table_says_which_and_how_to_make_it(tmp_path):
    opened = open_tables(tmp_path)
    board = Board("3k5/4a4/9/9/9/2N6/2R6/9/9/4K4 w")
    raises(MissingTableError, r"RN-A.table.*eleengine tables make RN-A", opened.probe_dtm, board)
    with pytest.raises(MissingTableError, match="more than 4 pieces that can attack it is too large to make"):
        opened.probe_dtm(Board())
    assert opened.get_dtm(board) is None
    assert opened.get_wdl(board, 7) == 7
    assert opened.names() == []
    assert open_tables(tmp_path / "none").names() == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("RX-", "is called like RN-AABB"),
        ("R", "is called like RN-AABB"),
        ("R-AAA", "at most 2 A"),
        ("AA-B", "so many pieces"),
        ("-", "so many pieces"),
    ],
)
def test_names_of_no_table_are_refused(name, message):
    raises(ValueError, message, sets.size_of, name)


def test_names_are_put_in_order():
    assert tables.normal_table_name("bbaa-nr") == "RN-AABB"
    assert tables.normal_table_name("P-NA") == "NA-P"
    assert tables.plan(["P-A"]) == ["P-", "P-A"]
    assert tables.draws_are_certain("RN-AABB")


def test_the_sets_hold_what_their_names_say():
    assert "CA-AA" in tables.SETS[1]
    assert "NP-AABB" in tables.SETS[2]
    assert "R-NAABB" in tables.SETS[3]
    single = {*tables.SETS[1], *tables.SETS[4]}
    assert len(single) == len(tables.SETS[1]) + len(tables.SETS[4]) == 324 and "RAABB-AABB" in single
    assert len(tables.SETS[5]) == 40 and {"RC-R", "RN-R"} <= {*tables.SETS[5]}
    names = [name for names in tables.SETS.values() for name in names]
    assert len(set(names)) == len(names) and all(tables.normal_table_name(name) == name for name in names)
    assert all(tables.size_of(name).solving <= 4 << 30 for names in tables.SETS.values() for name in names)


def damaged(data, change):
    if change == "cut":
        return data[:-100]
    if change == "cut in its index":
        return data[: 16 + struct.unpack_from("<I", data, 12)[0] + 9]
    if change == "longer":
        return data + b"x"
    if change == "version":
        return data[:8] + struct.pack("<I", 9) + data[12:]
    if change == "foreign":
        return b"PK\3\4" + bytes(1000)
    if change == "empty":
        return b""
    place = {"header": 30, "block": len(data) - 50}[change]
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("cut", "bytes, a whole one"),
        ("cut in its index", "ends in its index"),
        ("longer", "bytes, a whole one"),
        ("version", "version 9, this program reads version 3: make it again with: eleengine tables make N-A"),
        ("foreign", "no endgame table"),
        ("empty", "no endgame table"),
        ("header", "damaged"),
        ("block", "block . of . is damaged"),
    ],
)
def test_damaged_and_foreign_files_are_refused_with_their_name(made, tmp_path, change, reason):
    path = tmp_path / "N-A.table"
    path.write_bytes(damaged(made.path("N-A").read_bytes(), change))
    raises(TableError, f"N-A.table: .*({reason})", lambda: file.TableFile(path).check())


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(zlib.compress(b""), id="nothing"),
        pytest.param(zlib.compress(b"\0" * 100), id="short"),
        pytest.param(zlib.compress(b"\xff" * 4096), id="rows it has not"),
        pytest.param(b"\xff" * 50, id="not compressed"),
    ],
)
def test_blocks_that_no_table_has_are_refused(made, tmp_path, packed):
    """The checksums are right, as somebody can make them."""
    data = made.path("N-A").read_bytes()
    start = 16 + struct.unpack_from("<I", data, 12)[0]
    count = 2 * EndgameTable("N-A").blocks
    head = data[:start] + struct.pack(f"<{count}Q", *(len(packed) * (i + 1) for i in range(count)))
    head += struct.pack(f"<{count}I", *[zlib.crc32(packed)] * count)
    path = tmp_path / "N-A.table"
    path.write_bytes(head + struct.pack("<I", zlib.crc32(head)) + packed * count)
    opened = open_tables(tmp_path)
    board = Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w")
    raises(TableError, r"N-A.table: .*damaged", opened.load, ["N-A"])
    raises(TableError, r"N-A.table: block 1( of .)? is damaged", opened.probe_dtm, board)


def test_few_blocks_stay_in_memory(made, monkeypatch):
    """The last ones that were asked for; what is asked for again is read again, and right."""
    rng = random.Random(9)
    boards = [random_board("R-N", rng) for _ in range(200)]
    expected = [made.probe_dtm(board) for board in boards]
    read, block = [], file.TableFile.block

    def note(self, side, number):
        read.append((self.layer, side, number))
        return block(self, side, number)

    monkeypatch.setattr(file.TableFile, "block", note)
    opened = open_tables(made.folder)
    for _ in range(2):
        assert [opened.probe_dtm(board) for board in boards] == expected
    once = len(read)
    assert once == len(set(read))
    monkeypatch.setattr(folder, "CACHE_MIB", 0)
    opened = open_tables(made.folder)
    for _ in range(2):
        assert [opened.probe_dtm(board) for board in boards] == expected
    assert len(read) - once > 500


def test_results_alone_say_who_wins(made, tmp_path):
    for name in ("N-", "N-A"):
        (tmp_path / f"{name}.table").write_bytes(made.path(name).read_bytes())
    opened, board = open_tables(tmp_path), Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w")
    assert opened.probe_wdl(board) == 1 and opened.get_dtm(board) is None
    raises(MissingTableError, r"no N-A.dtm in .*eleengine tables make N-A", opened.probe_dtm, board)
    assert call("tables", "make", "N-A", "--folder", tmp_path).stdout.startswith("2 tables to make")
    assert opened.probe_dtm(board) == 37


def test_a_win_may_be_within_the_limit_by_its_captures_alone(made):
    """37 plies to mate, 29 to the capture of the advisor."""
    board = Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w")
    first = made.probe_dtc(board)
    assert 0 < first < 37
    for played, within in ((120 - 38, True), (120 - 37, True), (119 - first, True), (120 - first, False)):
        each = Board(f"4ka3/9/9/9/9/9/9/9/9/N2K5 w - - {played} 60")
        assert made.is_within_limit(each, 120) == within
    assert made.file("N-").table.bounds == (14, 14, 0, 0)
    assert made.file("N-A").table.bounds == (
        38,
        30,
        14,
        14,
    )  # after the capture the knight alone takes 13 plies


def test_a_file_under_another_name_is_refused(made, tmp_path):
    (tmp_path / "P-A.table").write_bytes(made.path("N-A").read_bytes())
    raises(TableError, r"it holds N-A\.table", open_tables(tmp_path).file, "P-A")


def test_a_killed_make_leaves_nothing_half_done(tmp_path, monkeypatch):
    opened = open_tables(tmp_path)
    opened.make("N-")

    def stop(plies, found):
        if plies > 5:
            raise KeyboardInterrupt

    raises(KeyboardInterrupt, "", opened.make, "N-A", progress=stop)
    assert {path.stem for path in tmp_path.iterdir()} == {"N-"}


def test_the_folder_is_that_of_the_variable(monkeypatch, tmp_path):
    monkeypatch.setenv("ELEENGINE_TABLES", str(tmp_path / "mine"))
    assert tables.default_folder() == tmp_path / "mine"
    monkeypatch.delenv("ELEENGINE_TABLES")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if os.name == "posix" and os.uname().sysname == "Linux":
        assert tables.default_folder() == tmp_path / "data" / "eleengine" / "tables"
        monkeypatch.setenv("XDG_DATA_HOME", "data")  # the standard has a relative one ignored
        assert tables.default_folder() == Path.home() / ".local/share/eleengine/tables"
        monkeypatch.delenv("HOME")
        monkeypatch.setattr("pwd.getpwuid", {}.__getitem__)  # a user whom the system does not know
        assert not tables.default_folder().exists() and tables.default_folder().is_absolute()


def test_the_command_makes_lists_checks_and_probes(tmp_path):
    folder = ["--folder", tmp_path]
    dry = call("tables", "make", "N-A", "--dry-run", *folder)
    assert (dry.returncode, dry.stdout.startswith("2 tables to make"), os.listdir(tmp_path)) == (0, True, [])
    for command in ("list", "check", "stats"):  # check said that none was wrong
        none = call("tables", command, *folder)
        assert (none.returncode, none.stdout) == (2, "") and f"{tmp_path}: no endgame tables" in none.stderr
    made_now = call("tables", "make", "n-a", *folder, "--threads", 1)
    assert made_now.returncode == 0, made_now.stderr
    assert "N-A          red to move wins 99.72 %, longest win 37 plies" in made_now.stdout
    assert call("tables", "make", "N-A", *folder).stdout.startswith("0 tables to make")
    listed = call("tables", "list", *folder).stdout.splitlines()
    assert [line.split()[0] for line in listed] == ["N-", "N-A"]
    assert "not there" in call("tables", "list", "R-", *folder).stdout
    checked = call("tables", "check", "--values", *folder)
    assert checked.stdout.splitlines()[-1] == "tables 2, wrong 0"
    position = ["4ka3/9/9/9/9/9/9/9/9/N2K5 w", "--notation", "wxf"]
    probed = call("tables", "probe", *position, *folder).stdout.splitlines()
    assert probed[0].startswith("won in 37 plies, a capture within ")
    assert probed[1:2] == ["H9+8 a0b2  won in 37 plies"]
    stats = call("tables", "stats", "N-A", *folder).stdout
    assert stats.splitlines()[1].startswith("  from normal posts, red to move: won 99.")
    assert "longest win of red: 37 plies" in stats
    assert len(stats.splitlines()[5].split()) == 37
    (tmp_path / "N-A.table").write_bytes(b"x")
    for command in ("check", "list"):
        broken = call("tables", command, *folder)
        assert (broken.returncode, "wrong: " in broken.stdout) == (1, True)
        assert broken.stdout.startswith("N- ")  # the others are shown
    assert call("tables", "make", "N-A", *folder).stdout.startswith("1 tables to make")
    assert call("tables", "check", *folder).returncode == 0


def test_the_verdict_is_that_of_books():
    """Of the endings that every manual names; over all placings the first one is 82 % won."""
    shipped = open_tables(tables.SHIPPED)
    verdicts = {
        name: posts.verdict(shipped, name, 400) for name in ("R-AABB", "R-AAB", "N-A", "N-AA", "CA-AAB")
    }
    assert {name for name, found in verdicts.items() if found.won > 0.98} == {"R-AAB", "N-A"}
    assert {name for name, found in verdicts.items() if found.drawn > 0.85} == {"R-AABB", "N-AA", "CA-AAB"}
    assert all(sum(found) == pytest.approx(1) for found in verdicts.values())


def test_guards_on_normal_posts_protect_each_other():
    """Two of a kind always; a single one beside the king is protected by it or by nobody."""
    chance = random.Random(5)
    for name in ("R-AABB", "NP-AAB", "CAAB-NABB"):
        for turn in (RED, BLACK):
            for _ in range(200):
                board = posts.position(name, chance, turn)
                assert table_name(board) == normal_table_name(name) and board.turn == turn
                assert board.king(BLACK) == parse_square("e9") and not board.status()
                for kind in (ADVISOR, BISHOP):
                    squares = list(board.pieces(kind, BLACK))
                    own = Board(board.fen())
                    for square in list(own.piece_map()):
                        if own.piece_type_at(square) not in (kind, KING):
                            own.remove_piece_at(square)
                    if len(squares) == 2:
                        assert all(own.attackers(BLACK, square) for square in squares)


def test_the_command_counts_draws_that_rest_on_repetition(made):
    shown = call("tables", "check", "--repetition", "R-N", "N-A", "--folder", made.folder)
    assert shown.returncode == 0, shown.stderr
    first, position, second, last = shown.stdout.splitlines()
    assert (
        "4,412 draws, held only by checks, attacks or threats without end: 0 by red, 3,194 by black" in first
    )
    assert made.probe_wdl(Board(position.removeprefix("  black: "))) == 0
    assert second.endswith("0 by red, 0 by black")
    assert last == "tables 2, wrong 0"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["make"], "name a table to make"),
        (["make", "RX"], "is called like RN-AABB"),
        (["make", "RN-AABB", "--memory", "1"], "of memory, --memory allows 1 MiB"),
        (["probe", "4ka3/9/9/9/9/9/9/9/9/N2K5 w"], "eleengine tables make N-A"),
        (["stats", "N-A"], "eleengine tables make N-A"),
    ],
)
def test_the_command_says_what_is_wrong(tmp_path, words, message):
    result = call("tables", *words, "--folder", tmp_path)
    assert (result.returncode, message in result.stderr) == (2, True), result.stderr


def test_the_shipped_tables_are_whole_and_small(made):
    shipped = open_tables(tables.SHIPPED)
    assert set(shipped.names()) == {
        f"{side}-{guards}" for side in ("R", "N", "P", "C", "CA", "CB", "CAA") for guards in sets.GUARDS
    }
    assert sum(path.stat().st_size for path in tables.SHIPPED.iterdir()) < 2 << 20
    for name in shipped.names():
        for layer in range(3):
            shipped.file(name, layer).check()
    for name in ("R-", "N-A", "P-A", "C-A", "CA-A"):
        assert blocks_of(shipped.load([name])[name]) == blocks_of(made.load([name])[name])


def test_the_shipped_tables_are_used_without_a_folder():
    opened = open_tables()
    assert opened.get_dtm(Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w")) == 37
    assert opened.path("RN-").parent != tables.SHIPPED
