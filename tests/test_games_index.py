"""The index of games, against a plain scan of them."""

import json
import os
import random
import sqlite3
import stat
import subprocess
import sys
from collections import Counter, defaultdict
from contextlib import closing

import pytest
from support import BLACK, CHECKOUT, RED, call, raises

from eleengine import Board, Move
from eleengine.book.keys import mirror_move
from eleengine.games import (
    GameFilter,
    GameIndex,
    GameIndexError,
    ResultCount,
    game_digest,
    index,
    read_played,
)
from eleengine.records import RESULTS, Game, encode_game

RECORDS = CHECKOUT / "tests" / "records"
NAMES = ["胡荣华", "许银川", "Hu Ronghua", "Lý Huynh", "Élie", ""]


def random_games(count, seed):
    """Games that often begin alike or mirrored, some of which repeat a position."""
    chance = random.Random(seed)
    games = []
    for number in range(count):
        board = Board()
        for ply in range(chance.randrange(1, 24)):
            moves = sorted(board.legal_moves, key=str)
            if not moves:
                break
            board.push(chance.choice(moves[:3] + moves[-3:] if ply < 4 else moves))
        for text in chance.choice([[], ["h0g2", "h9g7", "g2h0", "g7h9"]]):
            if not board.is_legal(Move.from_iccs(text)):
                break
            board.push(Move.from_iccs(text))
        headers = {
            "Red": chance.choice(NAMES),
            "Black": chance.choice(NAMES),
            "Date": chance.choice(["1975.03.01", "2001", "2020-12-31", "??"]),
            "Event": str(number),
            "Site": chance.choice(["广州", "", "a long name " * 30 + "of a place"]),
            "Round": chance.choice(["3", ""]),
            "Result": chance.choice(RESULTS),
        }
        games.append(Game.from_board(board, headers))
    return games


def position_text(board, mirrored):
    """The position as text, as it is or in a mirror."""
    rows = board.fen().split()[0].split("/")
    return "/".join(row[::-1] if mirrored else row for row in rows) + str(board.turn)


def year(game):
    return {"1975.03.01": 1975, "2001": 2001, "2020-12-31": 2020, "??": None}[game.headers["Date"]]


def wanted(game, where):
    red, black = (game.headers[side].casefold() for side in ("Red", "Black"))
    player = where.player.casefold()
    dated = where.since is None and where.until is None
    return (
        (player in red or player in black)
        and where.red.casefold() in red
        and where.black.casefold() in black
        and (dated or bool(year(game) and (where.since or 0) <= year(game) <= (where.until or 9999)))
        and (where.result is None or game.result == where.result)
    )


def scan(games, board, where):
    """What the index should find: results of each move, seen from this side of the mirror; the games."""
    moves, found = defaultdict(Counter), []
    own, image = position_text(board, False), position_text(board, True)
    for game in games:
        if not wanted(game, where):
            continue
        line = list(game.mainline_moves())
        for ply, (_, there) in enumerate(game.walk()):
            is_own, is_image = position_text(there, False) == own, position_text(there, False) == image
            if is_own or is_image:
                move = line[ply] if ply < len(line) else None
                if move is not None and own == image:
                    files = lambda one: (one.from_square % 9, one.to_square % 9)  # noqa: E731
                    move = max(move, mirror_move(move), key=files)
                elif move is not None and not is_own:
                    move = mirror_move(move)
                moves[move][game.result] += 1
                found.append((game.headers["Event"], ply))
                break
    return moves, found


FILTERS = [
    GameFilter(),
    GameFilter(player="hu"),
    GameFilter(red="胡", black="é"),
    GameFilter(since=1980),
    GameFilter(until=2001, result="1-0"),
    GameFilter(player="荣华", since=2001, until=2020, result="1/2-1/2"),
    GameFilter(player="nobody"),
]


@pytest.mark.parametrize("crowded", [3, 10**9])
def test_the_index_finds_what_a_scan_finds(tmp_path, monkeypatch, crowded):
    monkeypatch.setattr(index, "CROWDED", crowded)
    games, gone = random_games(150, 5), random_games(40, 6)

    def reading(some):
        return {game_digest(game): lambda game=game: game for game in some}

    with GameIndex(tmp_path / "games.sqlite", writable=True) as made:
        for part in (games[:70], games[70:71]):
            made.add_games(part)
        for kept, new in (([*games[71:110], *gone], 79), (games[71:], 40), ([*games[:5], *games[71:]], 0)):
            assert made.mirror_games(reading(kept), source="kept").new == new
        assert len(made) == 150
    chance = random.Random(1)
    boards = [Board(), Board().copy()]
    boards[1].push_iccs("h2e2")
    for game in games[::25]:
        *_, (_, (_, board)) = zip(range(chance.randrange(1, 20)), game.walk(), strict=False)
        boards.append(board.copy())
    with GameIndex(tmp_path / "games.sqlite") as found_index:
        for board in boards:
            for where in FILTERS:
                moves, found = scan(games, board, where)
                answer = found_index.find(board, where, limit=1000)
                told = {
                    count.move: {"1-0": count.red_wins, "1/2-1/2": count.draws, "0-1": count.black_wins,
                                 "*": count.unknown}
                    for count in answer.moves
                }  # fmt: skip
                assert told == {
                    move: {result: counts[result] for result in RESULTS} for move, counts in moves.items()
                }
                assert answer.results.games == len(found)
                assert sorted((one.event, one.ply) for one in answer.games) == sorted(found)
                years = [one.year or 0 for one in answer.games]
                assert years == sorted(years, reverse=True)
        for where in FILTERS:
            answer = found_index.find(None, where, limit=1000)
            counts = Counter(game.result for game in games if wanted(game, where))
            assert answer.results == ResultCount(counts["1-0"], counts["1/2-1/2"], counts["0-1"], counts["*"])
            assert len(answer.games) == answer.results.games


def test_a_game_comes_back_as_it_was(tmp_path):
    games = random_games(20, 8)
    games.append(Game.from_board(Board("4k4/9/9/9/9/9/9/9/4P4/3K5 b - - 0 1"), {"Result": "*"}))
    games[-1].play("e9e8")
    with GameIndex(tmp_path / "games.sqlite", writable=True) as made:
        for part in (games[:7], games[7:]):
            made.add_games(part, source="the board")
        for one in made.find(limit=100).games:
            game, back = games[one.number - 1], made.game(one.id)
            assert (back.start, list(back.mainline_moves())) == (game.start, list(game.mainline_moves()))
            assert dict(back.headers) == {name: text for name, text in game.headers.items() if text}
            assert game.headers.get("Red", "") == one.red
            assert [game.headers.get(name, "") for name in ("Site", "Round")] == [one.site, one.round]
            assert back.result == game.result == one.result
            assert one.file == "the board" and one.plies == game.plies()
        raises(KeyError, "", made.game, 10**6)


def test_points_are_those_of_a_side():
    count = index.MoveCount(None, red_wins=3, draws=2, black_wins=1, unknown=4)
    assert (count.games, count.points(RED), count.points(BLACK)) == (10, 4 / 6, 2 / 6)
    assert ResultCount(unknown=2).points(RED) == 0.5


def write_pgn(path, games):
    path.write_bytes(b"\n".join(encode_game(game, "pgn") for game in games))


def test_what_is_indexed_adds_nothing(tmp_path):
    path, games = tmp_path / "a.pgn", random_games(30, 3)
    write_pgn(path, games[:20])
    with GameIndex(tmp_path / "games.sqlite", writable=True) as made:
        assert made.add_files([path])[:2] == (20, 20)
        before = made.find(Board())
        assert made.add_files([path]) == index.Added(unchanged=1)
        copy = tmp_path / "b.pgn"
        write_pgn(copy, games[:20])
        assert made.add_files([copy])[:2] == (20, 0)
        assert made.find(Board()) == before
        write_pgn(path, games)  # the file has grown
        assert made.add_files([path])[:2] == (30, 10)
        assert len(made) == 30 and made.find(Board()).results.games == 30
        assert dict(made.files()) == {str(path): 30, str(copy): 0}


class Stop(Exception):
    pass


@pytest.mark.parametrize("doing", ["reading", "positions", "sorting"])
def test_what_is_interrupted_goes_on(tmp_path, monkeypatch, doing):
    monkeypatch.setattr(index, "BATCH", 10)
    path, games = tmp_path / "a.pgn", random_games(45, 4)
    write_pgn(path, games)

    def stop(what, count):
        if doing in what and count >= 20:
            raise Stop

    read = []

    def counting(*args, **options):
        for game in read_played(*args, **options):
            read.append(game)
            yield game

    monkeypatch.setattr(index, "read_played", counting)
    with GameIndex(tmp_path / "games.sqlite", writable=True) as made, pytest.raises(Stop):
        made.add_files([path], progress=stop)
    told = call("games", "find", "--index", tmp_path / "games.sqlite").stderr
    files, games = {"reading": (1, 0), "positions": (0, 45), "sorting": (0, 45)}[doing]
    assert "still being made, or was interrupted" in told
    assert f"{files} files are not read to their end, the positions of {games} games not found" in told
    del read[:]
    with GameIndex(tmp_path / "games.sqlite", writable=True) as made:
        made.add_files([path])
        assert len(read) == {"reading": 25, "positions": 0, "sorting": 0}[doing]
        found = made.find(Board(), limit=100)
        assert found.results.games == 45 == len(made)
    with GameIndex(tmp_path / "whole.sqlite", writable=True) as whole:
        whole.add_files([path])
        assert whole.find(Board(), limit=100) == found
        assert whole.unfinished() == (0, 0)


@pytest.mark.system
def test_a_killed_program_leaves_an_index_that_goes_on(tmp_path):
    path = tmp_path / "a.pgn"
    write_pgn(path, random_games(45, 4))
    program = (
        "import os, sys; from eleengine.games import index\n"
        "index.BATCH = 10\n"
        "made = index.GameIndex(sys.argv[1], writable=True)\n"
        "made.add_files([sys.argv[2]], progress=lambda what, count: count >= 30 and os._exit(9))\n"
    )
    database = tmp_path / "games.sqlite"
    assert subprocess.run([sys.executable, "-c", program, database, path]).returncode == 9
    with GameIndex(database, writable=True) as made:
        assert len(made) == 30
        assert made.add_files([path])[:2] == (15, 15)
        assert made.find(Board()).results.games == 45
    assert [file.name for file in tmp_path.iterdir() if "sqlite" in file.name] == ["games.sqlite"]


def test_a_write_that_fails_leaves_no_wrong_names(tmp_path):
    def game(red, event=""):
        found = Game(headers={"Red": red, "Black": "B", "Event": event})
        found.play_line(["h2e2"])
        return found

    with GameIndex(tmp_path / "games.sqlite", writable=True) as made:
        made.add_games([game("first")])
        made._one(f"PRAGMA max_page_count = {made._one('PRAGMA page_count')}")
        raises(Exception, "full", made.add_games, (game("lost", f"{number}" * 60) for number in range(200)))
        made._one("PRAGMA max_page_count = 100000")  # somebody has made room
        made.add_games([game("Hu"), game("Xu")])  # which take the numbers of the names that were undone
        made.add_games([game("lost")])
        assert sorted(found.red for found in made.find().games) == ["Hu", "Xu", "first", "lost"]


@pytest.mark.skipif(sys.platform == "win32", reason="has no such modes")
def test_only_the_user_can_read_the_index(tmp_path):
    path = tmp_path / "new" / "games.sqlite"
    with GameIndex(path, writable=True) as made:
        made.add_games(random_games(3, 1))
        for file in path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [file.name for file in path.parent.iterdir()] == ["games.sqlite"]


def test_an_index_is_read_while_it_is_written(tmp_path):
    path = tmp_path / "games.sqlite"
    games = random_games(40, 2)
    with GameIndex(path, writable=True) as made:
        made.add_games(games[:10])
        found = []

        def look(what, count):
            with GameIndex(path) as reader:
                found.append((len(reader), reader.find(Board()).results.games))

        pgn = tmp_path / "a.pgn"
        write_pgn(pgn, games)
        made.add_files([pgn], progress=look)
        assert found[0] == (40, 10)  # its games are there, and are found when their positions are
        assert made.find(Board()).results.games == 40


def test_other_files_are_refused(tmp_path):
    raises(FileNotFoundError, "", GameIndex, tmp_path / "none.sqlite")
    assert not list(tmp_path.iterdir())
    strangers = {"text": b"hello " * 300, "half": b"SQLite format 3\0" + bytes(200), "empty": b""}
    for name, data in strangers.items():
        (tmp_path / name).write_bytes(data)
        raises(GameIndexError, name, GameIndex, tmp_path / name)
    for writable in (False, True):
        with pytest.raises(GameIndexError, match="no index of games"):
            GameIndex(CHECKOUT / "tests" / "books" / "book.obk", writable=writable)


def changed_index(folder, statement):
    """The path of an index of three games in which somebody else has executed a statement of SQL."""
    path = folder / "games.sqlite"
    with GameIndex(path, writable=True) as made:
        made.add_games(random_games(3, 1))
    with closing(sqlite3.connect(path)) as base:
        base.execute(statement)
        base.commit()
    return path


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW v AS SELECT 1", "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM names; END",
        "ALTER TABLE games ADD COLUMN c AS (length(moves))", "CREATE INDEX i ON games(instr(moves, x'00'))",
        "PRAGMA user_version = 3",
    ],
)  # fmt: skip
def test_an_index_with_anything_else_in_it_is_refused(tmp_path, statement):
    path = changed_index(tmp_path, statement)
    for writable in (False, True):
        raises(GameIndexError, "", GameIndex, path, writable=writable)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET moves = x'ffffff'", "UPDATE games SET moves = x'0100'",
        "UPDATE games SET moves = 7", "UPDATE games SET start = 'nonsense'",
        "UPDATE games SET result = 'won'", "UPDATE games SET result = 77", "UPDATE games SET result = -7",
        "UPDATE positions SET move = 'h2e2'", "UPDATE positions SET move = 1 << 40",
        "UPDATE names SET name = hex(zeroblob(2500 + id))", "UPDATE games SET event = hex(zeroblob(2500))",
    ],
)  # fmt: skip
def test_damaged_values_are_errors(tmp_path, statement):
    path = changed_index(tmp_path, statement)
    with GameIndex(path) as damaged, pytest.raises(GameIndexError, match="damaged"):
        damaged.find(Board())
        damaged.find()
        damaged.game(1)
        raise AssertionError("nothing was noticed")


def test_moves_of_a_position_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(index, "MAX_MOVES", 0)
    path = changed_index(tmp_path, "SELECT 1")
    with GameIndex(path) as found, pytest.raises(GameIndexError, match="more than 0 moves of one position"):
        found.find(Board())


@pytest.fixture
def healthy(tmp_path):
    path = tmp_path / "games.sqlite"
    with GameIndex(path, writable=True) as made:
        made.add_games(random_games(12, 3))
    return path


def refusals(made):
    """What each way to look up says; GameIndexError from all of them."""
    for look_up in (len, GameIndex.find, lambda i: i.find(Board()), lambda i: i.game(1), GameIndex.files):
        with pytest.raises(GameIndexError) as error:
            look_up(made)
        yield str(error.value)


def test_a_folder_is_no_index(tmp_path):
    for writable in (False, True):
        raises(IsADirectoryError, "", GameIndex, tmp_path, writable=writable)


def test_an_index_that_is_closed_or_busy_is_not_called_damaged(healthy):
    with GameIndex(healthy) as made:
        other = sqlite3.connect(healthy, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        made._one("PRAGMA busy_timeout = 1")
        assert set(refusals(made)) == {f"{healthy}: another program is writing to it: try again later"}
        other.close()
        assert len(made) == 12
    assert set(refusals(made)) == {f"{healthy}: it is closed"}
    with GameIndex(healthy, writable=True) as made:
        pass
    for change in (lambda: made.add_games(random_games(1, 1)), lambda: made.add_files([healthy])):
        raises(GameIndexError, "it is closed", change)


def test_an_index_says_what_takes_too_long_and_that_it_is_for_looking_up_only(healthy):
    with GameIndex(healthy) as made:
        for change in (lambda: made.add_games(random_games(1, 1)), lambda: made.add_files([healthy])):
            raises(GameIndexError, r"open for looking up only.*writable=True", change)
        made._database.connection.set_progress_handler(made._database._is_late, 1)
        ask = made._database.ask
        made._database.ask = lambda query, values: ask(query, values, seconds=-1)
        assert set(refusals(made)) == {f"{healthy}: given up: it takes more than -1 s"}


def test_arguments_out_of_range_are_no_damage(healthy):
    with GameIndex(healthy) as made:
        for board in (None, Board()):
            assert len(made.find(board, limit=None).games) == len(made.find(board, limit=1 << 70).games) == 12
            assert made.find(board, limit=0).games == []
            for limit in (-1, -(1 << 70)):
                with pytest.raises(ValueError, match="the limit must be 0 or more, or None") as error:
                    made.find(board, limit=limit)
                assert not isinstance(error.value, GameIndexError)
            raises(TypeError, "", made.find, board, limit=2.5)
        raises((TypeError, AttributeError), "", made.find, "startpos")
        for since, until in ((1 << 70, None), (None, -(1 << 70)), (-(1 << 70), 0)):
            assert made.find(where=GameFilter(since=since, until=until)).games == []
        for id in (0, -1, 13, 1 << 70):
            raises(KeyError, "", made.game, id)


def test_every_format_is_indexed(tmp_path):
    """All games that have moves, as those who made the samples have them."""
    with GameIndex(tmp_path / "games.sqlite", writable=True) as made:
        for path in sorted(RECORDS.iterdir()):
            if path.suffix in (".json", ".md"):
                continue
            played = [game for game in read_played(str(path), pytest.fail) if game is not None]
            lines = [list(game.moves) for game in played]
            made.add_files([path], fault=pytest.fail)
            for game, moves in zip(played, lines, strict=True):
                if moves and moves[0]:
                    found = made.find(Board(game.start), limit=1000).games
                    assert moves in [list(made.game(one.id).mainline_moves()) for one in found], path.name
        assert len(made) > 10


def test_games_without_headers_are_indexed(tmp_path):
    text = tmp_path / "games.txt"
    text.write_text("1 h2e2 h9g7\n0 h2e2 b9c7 h0g2\n= b2e2 b9c7\n1 x9x9\n")
    packed = tmp_path / "my.games"
    assert call("data", "import", str(text), str(packed)).returncode == 1
    for path in (text, packed):
        with GameIndex(tmp_path / f"{path.name}.sqlite", writable=True) as made:
            faults = []
            assert made.add_files([path], fault=faults.append)[:2] == (3, 3)
            assert faults == (
                [f"{path}:4: invalid move 'x9x9': 'x9' is not a square (a0 to i9)"] if path == text else []
            )
            [count] = made.find(Board()).moves
            assert (count.move.iccs(), count[1:]) == ("h2e2", (1, 1, 1, 0))


def test_a_game_that_is_cut_is_told(tmp_path):
    """The index had what stands before the illegal move, and nobody said so."""
    path = tmp_path / "games.pgn"
    whole = "1. h2e2 h9g7 2. h0g2 i9h9"
    texts = whole, whole.replace("h0g2", "a0a9"), whole.replace("h0g2", "--")
    path.write_text(
        "\n".join(f'[Red "{n}"]\n[Result "1-0"]\n\n{moves} 1-0\n' for n, moves in enumerate(texts))
    )
    faults = []
    with GameIndex(tmp_path / "i.sqlite", writable=True) as made:
        assert made.add_files([path], fault=faults.append) == (3, 3, 2, 0)
        assert [game.plies for game in made.find().games] == [2, 2, 4]
    assert len(faults) == 2 and faults[0].startswith(f"{path}: game 2: line 9: illegal move a0a9")
    assert faults[1] == f"{path}: game 3: a pass, after which nothing is used"


# The command


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "games.sqlite"
    write_pgn(tmp_path / "a.pgn", random_games(40, 6))
    (tmp_path / "bad.bin").write_bytes(b"\0\1\2" * 50)
    done = call("games", "index", str(tmp_path / "a.pgn"), str(tmp_path / "bad.bin"), "--index", str(path))
    assert done.returncode == 1 and "bad.bin" in done.stderr
    assert "40 games read, 40 of them new" in done.stdout
    assert f"{os.path.getsize(path):,} bytes" in done.stdout
    return str(path)


def find(database, *args):
    done = call("games", "find", *args, "--index", database, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_find_takes_positions_and_players(database, tmp_path):
    games = random_games(40, 6)
    whole = find(database)
    assert whole["fen"] == Board().fen() and sum(whole["results"].values()) == 40
    assert len(whole["games"]) == 20 and len(find(database, "--limit", "99")["games"]) == 40
    later = find(database, "startpos", "moves", games[0].children[0].move.iccs(), "--limit", "99")
    moves, found = scan(games, games[0].children[0].board(), GameFilter())
    assert len(later["games"]) == len(found)
    assert {move["move"] for move in later["moves"]} == {move and move.iccs() for move in moves}
    one = find(database, str(tmp_path / "a.pgn"), "--game", "3", "--ply", "1", "--limit", "99")
    assert one["fen"] == games[2].children[0].board().fen()
    for args in (["胡荣华"], ["--player", "胡荣华"]):
        hu = find(database, *args, "--since", "1980", "--limit", "99")
        assert hu["fen"] is None and hu["moves"] == []
        assert len(hu["games"]) == sum(
            wanted(game, GameFilter(player="胡荣华", since=1980)) for game in games
        )
    shown = call("games", "show", str(hu["games"][0]["id"]), "--index", database)
    assert "胡荣华" in shown.stdout and "[Result" in shown.stdout
    table = call("games", "find", "--index", database, "--notation", "iccs", "--limit", "2")
    assert table.stdout.splitlines()[1].startswith("share   games")
    assert table.stdout.endswith("... 38 more: --limit\n")
    info = json.loads(call("games", "info", "--json", "--index", database).stdout)
    assert info["games"] == 40 and info["files"][str(tmp_path / "a.pgn")] == 40


@pytest.mark.parametrize(
    "args, message",
    [
        (["find", "9/9/9/9/9/9/9/9/9/9 w"], "king"),
        (["find", "Hu", "--player", "Xu"], "--player names a player"),
        (["find", "--since", "long ago"], "must be a whole number from 1 to 9999"),
        (["find", "missing.pgn"], "missing.pgn: there is no such file"),
        (["show", "4000"], "there is no game 4000"),
        (["index", "missing.pgn"], "missing.pgn: No such file"),
    ],
)
def test_bad_arguments_are_named(database, args, message):
    done = call("games", *args, "--index", database)
    assert done.returncode == 2 and message in done.stderr and "Traceback" not in done.stderr


def test_without_an_index_the_way_to_one_is_told(tmp_path):
    done = call("games", "find", "--index", str(tmp_path / "none"))
    assert done.returncode == 2 and "eleengine games index FILE" in done.stderr
