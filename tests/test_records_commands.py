"""`eleengine convert` and `show`, and the commands that take a record where a position is expected."""

import gzip
import json
import lzma
from pathlib import Path

import pytest
from support import POSITIONS

from eleengine.lab.match.openings import read_openings
from eleengine.records import Game, cbl, read_game, read_games, write_games

SAMPLES = Path(__file__).parent / "records"
TREE = SAMPLES / "tree.v18.xqf"


@pytest.fixture
def three(tmp_path):
    games = []
    for number, (red, result, moves) in enumerate(
        [("Hu", "1-0", "h2e2 h9g7"), ("Xu", "0-1", "c3c4"), ("Hu", "1-0", "h2e2 h9g7")]
    ):
        game = Game(headers={"Red": red, "Black": f"b{number}", "Result": result})
        game.play_line(moves.split())
        games.append(game)
    games[1].play("h2e2").play("b9c7")
    path = tmp_path / "three.pgn"
    write_games(path, games)
    return path


@pytest.mark.parametrize("name", ["out.pgn", "out.xqf", "out.ubb", "out.cbr"])
def test_a_tree_is_converted(done, tmp_path, name):
    result = done("convert", TREE, tmp_path / name)
    assert result.out == "1 games\n"
    one, two = read_game(TREE), read_game(tmp_path / name, strict=True)
    one.headers.pop("Author"), two.headers.pop("Author")
    assert one.to_dict()["nodes"] == two.to_dict()["nodes"] and one.headers == two.headers


@pytest.mark.parametrize(
    "arguments, blacks",
    [
        ([], ["b0", "b1", "b2"]),
        (["--player", "hu"], ["b0", "b2"]),
        (["--red", "xu"], ["b1"]),
        (["--black", "B2"], ["b2"]),
        (["--header", "Red=h", "--header", "Black=2"], ["b2"]),
        (["--result", "0-1"], ["b1"]),
        (["--min-plies", 2], ["b0", "b2"]),
        (["--max-plies", 1], ["b1"]),
        (["--unique"], ["b0", "b1"]),
        (["--skip", 1, "--limit", 1], ["b1"]),
        (["--position", "startpos moves h2e2 b9c7"], ["b1"]),
    ],
)
def test_games_are_chosen(done, three, tmp_path, arguments, blacks):
    done("convert", three, tmp_path / "out.pgn", *arguments)
    assert [game.headers["Black"] for game in read_games(tmp_path / "out.pgn")] == blacks


def test_several_files_and_a_folder(done, three, tmp_path):
    result = done("convert", three, TREE, f"{tmp_path}/out/", "--to", "xqf")
    assert result.out == "4 games\n"
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["00001-Hu-b0.xqf", "00002-Xu-b1.xqf", "00003-Hu-b2.xqf", "00004-红方甲-黑方乙.xqf"]
    assert read_game(tmp_path / "out" / names[1]).children[1].children[0].move.iccs() == "b9c7"
    second = (tmp_path / "out" / names[0]).rename(tmp_path / "out" / "00001-Xu-b1.xqf")
    inputs = [tmp_path / "out" / names[1], second]
    refused = done("convert", *inputs, f"{tmp_path}/out/", "--to", "xqf", "--force", status=2)
    assert f"{second}: is read, too: take a different folder" in refused.err
    assert read_game(second).headers["Black"] == "b0"


def test_what_is_lost_is_told(done, three, tmp_path):
    result = done("convert", TREE, three, "-", "--to", "fen")
    assert len(result.out.splitlines()) == 4
    assert "in 1 games: fen holds no comments: those of 10 nodes left out" in result.err
    assert "in 2 games: fen holds no variations: 6 left out" in result.err
    assert "no headers" in done("convert", "--strict", three, "-", "--to", "fen", status=2).err


def test_deleted_games_only_when_they_are_wanted(done, tmp_path):
    library = SAMPLES / "library.cbl.xz"
    assert done("convert", library, tmp_path / "a.pgn").out == "3 games\n"
    assert done("convert", library, tmp_path / "a.pgn", "--deleted", "--force").out == "4 games\n"


def test_a_game_has_the_number_that_the_list_shows(done):
    library = SAMPLES / "library.cbl.xz"
    listed = [line.split() for line in done("show", library).out.splitlines()]
    for number, line in enumerate(listed, 1):
        shown = done("show", library, "--game", number)
        assert line[0] == str(number) and f": {line[1]}" in shown.out
        assert shown.err == (
            f"eleengine: {library}: game 3 is marked as deleted\n" if "deleted" in line else ""
        )
    assert [line.split()[0] for line in done("judge", library).out.splitlines()] == ["1", "2", "4"]


def test_a_library_whose_games_are_all_deleted_has_none_to_judge(done, tmp_path):
    data = bytearray(lzma.decompress((SAMPLES / "library.cbl.xz").read_bytes()))
    for entry in range(int.from_bytes(data[60:64], "little")):
        at = cbl.HEADER + entry * 276
        if any(data[at : at + 4]):
            data[at] = 1  # not the bit of a game that is there
    library = tmp_path / "deleted.cbl"
    library.write_bytes(data)
    assert done("judge", library, status=2).err == f"eleengine: {library}: no game\n"


def test_pgn_for_programs_of_windows(done, tmp_path):
    out = tmp_path / "out.pgn"
    done("convert", TREE, out, "--to-encoding", "gb18030", "--no-variations", "--no-comments")
    data = out.read_bytes()
    assert data.count(b"\r\n") == data.count(b"\n") and "红方甲".encode("gb18030") in data
    assert b"(" not in data and b"{" not in data


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["{dir}/none.pgn", "x.pgn"], "none.pgn: No such file"),
        (["{tree}", "{dir}/x.doc"], "tells no format"),
        (["{tree}", "{dir}/x.cbl"], "only read"),
        (["{tree}", "-"], "--to must say"),
        (["{three}", "{dir}/x.xqf"], "holds one game"),
        (["{three}", "{dir}/x.pgn", "--position", "9/9 w"], "--position: "),
        (["{three}", "{dir}/x.pgn", "--header", "Red"], "NAME=TEXT"),
        (["{three}", "{dir}/x.pgn", "--player", "Nobody"], "no game to write"),
        (["{three}", "{dir}", "--to", "xqf", "--player", "Nobody"], "no game to write"),
        (["{three}", "{dir}/no/such/x.pgn"], "no/such: No such directory"),
        (["{three}", "{three}"], "three.pgn: is read, too: write to a different file"),
        (["{tree}", "{three}"], "exists already; --force replaces it"),
        (["{broken}", "{dir}/x.pgn", "--strict"], "broken.pgn, game 1: line 1: illegal move"),
    ],
)
def test_bad_arguments_leave_no_file(done, three, tmp_path, arguments, part):
    (tmp_path / "broken.pgn").write_text("1. h2e2 h2e2 *\n")
    places = {"dir": tmp_path, "tree": TREE, "three": three, "broken": tmp_path / "broken.pgn"}
    before = sorted(tmp_path.iterdir())
    result = done("convert", *(str(word).format(**places) for word in arguments), status=2)
    assert part in result.err and len(result.err.splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_without_games_is_named_and_the_others_are_converted(done, three, tmp_path):
    nothing, out = tmp_path / "nothing.pgn", tmp_path / "out.pgn"
    nothing.write_bytes(b"\xff\xfe")
    assert done("convert", nothing, three, out).err == f"eleengine: {nothing}: no game\n"
    assert len(list(read_games(out))) == 3
    alone = done("convert", nothing, tmp_path / "none.pgn", status=2).err.splitlines()
    assert alone == [f"eleengine: {nothing}: no game", "eleengine: there is no game to write"]
    assert not (tmp_path / "none.pgn").exists()


def test_a_list_of_games_and_one_of_them(done, three):
    lines = done("show", three).out.splitlines()
    assert [line.split() for line in lines] == [
        ["1", "Hu", "-", "b0", "1-0"], ["2", "Xu", "-", "b1", "0-1"], ["3", "Hu", "-", "b2", "1-0"],
    ]  # fmt: skip
    rows = [json.loads(line) for line in done("show", three, "--json").out.splitlines()]
    assert [row["headers"]["Black"] for row in rows] == ["b0", "b1", "b2"]
    shown = done("show", three, "--game", 2, "--notation", "wxf", "--ply", 0).out
    assert "Red: Xu" in shown and "1. P7+1 (1. C2.5 H2+3) 0-1" in shown and "after 0 of 1 plies" in shown
    data = json.loads(done("show", TREE, "--json").out)
    assert Game.from_dict(data).equals(read_game(TREE))
    assert "there is no game 4" in done("show", three, "--game", 4, status=2).err
    assert "has 1 plies, not 2" in done("show", three, "--game", 2, "--ply", 2, status=2).err


def test_positions_may_be_files(done, three):
    assert done("eval", three, "--game", 2).out == done("eval", "startpos", "moves", "c3c4").out
    assert done("eval", TREE, "--ply", 1).out == done("eval", "startpos", "moves", "h2e2").out
    assert done("judge", three).out.splitlines()[0] == "     1  none after 2 plies"
    assert "verdict none" in done("judge", three, "--game", 1).out
    assert "best move" in done("analyse", TREE, "--ply", 3, "--nodes", 200).out
    assert "go with a file" in done("eval", "startpos", "--ply", 1, status=2).err
    assert "there is no game 9" in done("judge", three, "--game", 9, status=2).err


def test_records_are_imported_for_tuning(done, three, tmp_path):
    write_games(tmp_path / "more.pgn", [*read_games(three), Game()])
    written = done("data", "import", tmp_path / "more.pgn", tmp_path / "out.games", status=1)
    assert written.out == "3 games\n" and "more.pgn:4: the result is not known" in written.err
    assert "red won 2" in done("data", "show", tmp_path / "out.games").out


def test_a_puzzle_may_be_a_record(done, tmp_path):
    game = Game("3k5/9/9/9/9/9/9/9/4R4/4K3R w", headers={"Title": "two rooks", "Result": "*"})
    game.play("i0i9")
    write_games(tmp_path / "puzzle.xqf", [game])
    out = done("solve", tmp_path / "puzzle.xqf", "--depth", 3, "--notation", "wxf").out
    assert out.startswith("two rooks") and "moves right" in out
    write_games(tmp_path / "empty.xqf", [Game()])
    assert "game 1 has no move to find" in done("solve", tmp_path / "empty.xqf", status=2).err


def test_puzzles_suites_and_openings_may_be_packed(done, tmp_path):
    for name in ("puzzles.jsonl", "openings.epd", "perft.jsonl"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((POSITIONS / name).read_bytes()))
    assert "puzzles 1" in done("solve", tmp_path / "puzzles.jsonl.gz", "--limit", 1, "--nodes", 200).out
    assert "perft" in done("perft", "--suite", tmp_path / "perft.jsonl.gz", "--max-leaves", 100).out
    assert read_openings(tmp_path / "openings.epd.gz") == read_openings(POSITIONS / "openings.epd")
    write_games(tmp_path / "game.pgn", [read_game("1. C2.5 H8+7\n")])
    (tmp_path / "game.pgn.gz").write_bytes(gzip.compress((tmp_path / "game.pgn").read_bytes()))
    assert read_openings(tmp_path / "game.pgn.gz") == read_openings(tmp_path / "game.pgn")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(bytes(1000))[:20])
    for words in (["solve"], ["perft", "--suite"], ["judge", "--suite"]):
        assert "cut.gz: the packed file is damaged" in done(*words, tmp_path / "cut.gz", status=2).err


def test_files_of_the_package_are_found_by_their_names(done, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "puzzles 2" in done("solve", "puzzles", "--limit", 2, "--nodes", 200).out
    assert read_openings("openings") == read_openings(POSITIONS / "openings.epd")
    assert "perft" in done("perft", "--suite", "perft", "--max-leaves", 100).out
    (tmp_path / "puzzles").write_text("banana\n")
    assert "puzzles:1" in done("solve", "puzzles", status=2).err
    assert "nothing: No such file" in done("solve", "nothing", status=2).err
