"""`eleengine openings` and `ratings`."""

import json

import pytest
from support import call

from eleengine import Board
from eleengine._core import Searcher
from eleengine._internal.live import Progress
from eleengine.lab.match.openings import read_openings

PGN = """[Red "Hu"]
[Black "Xu"]
[Result "1-0"]

1. h2e2 h9g7 1-0

[White "Xu"]
[Black "Li"]
[Result "1/2-1/2"]

1. h2e2 h9g7 1/2-1/2

[Red "?"]
[Black "Li"]
[Result "0-1"]

1. h2e2 0-1
"""


def test_openings_are_level_and_each_comes_once(tmp_path):
    path, again, more = (tmp_path / name for name in ("a.epd", "b.epd", "more.epd"))
    arguments = ["--count", 15, "--plies", 5, "--nodes", 300, "--balance", 20, "--seed", 3]
    assert call("openings", path, *arguments).returncode == 0
    assert call("openings", again, *arguments).returncode == 0
    assert path.read_text() == again.read_text()
    searcher, seen = Searcher(hash_mib=1), set()
    for line in path.read_text().splitlines():
        board, operations = Board.from_epd(line)
        assert not {board.fen(), board.mirror_files().fen()} & seen
        seen.add(board.fen())
        searcher.clear()
        [found] = searcher.search(board, nodes=300)
        assert operations["ce"] == found.score and abs(found.score) <= 20
        assert not board.is_check() and board.turn is False
    assert len(read_openings(path)) == len(seen) == 15
    refused = call("openings", path, *arguments)
    assert refused.returncode == 2 and "exists already" in refused.stderr
    shown = call("openings", "-", *arguments)  # nothing but EPD
    assert (shown.stdout, shown.stderr) == (path.read_text(), "15 openings\n")
    assert call("openings", more, "--start", path, "--count", 5, "--plies", 1, "--nodes", 50).returncode == 0
    assert all(board.turn for board in map(Board, read_openings(more)))


def test_openings_that_cannot_be_found_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("eleengine.lab.match.openings.ENOUGH_TRIES", 30)
    path = tmp_path / "a.epd"
    few = call("openings", path, "--count", 100, "--plies", 1, "--nodes", 20)
    assert few.returncode == 2 and "level openings in" in few.stderr
    assert not path.exists()


def test_the_search_for_openings_is_shown_while_it_finds_none(tmp_path, monkeypatch):
    """On a terminal: minutes may pass before it says that there are none."""
    monkeypatch.setattr("eleengine.lab.match.openings.ENOUGH_TRIES", 3)
    told = []
    monkeypatch.setattr(Progress, "tell", lambda _, text: told.append(text(1.0)))
    none = call("openings", tmp_path / "a.epd", "--plies", 1, "--nodes", 20, "--balance", 0)
    assert none.returncode == 2 and "0 level openings in 3 tries" in none.stderr
    assert told == [f"0 of 1,000, {tries} tries" for tries in range(3)]


def test_ratings_of_records_and_journals(tmp_path):
    record, journal = tmp_path / "games.pgn", tmp_path / "m.jsonl"
    record.write_text(PGN)
    done = call("ratings", record, "--anchor", "Li=2400", "--json")
    assert done.returncode == 0 and "1 games without two names or a result are left out" in done.stderr
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert rows["Li"]["elo"] == pytest.approx(2400, abs=0.01) and rows["Hu"]["elo"] > rows["Xu"]["elo"]
    assert [(rows[name]["points"], rows[name]["games"]) for name in ("Hu", "Xu", "Li")] == [
        (1, 1),
        (0.5, 2),
        (0.5, 1),
    ]

    players = ["-e", "name=Li", "nodes=60", "-e", "name=ours", "nodes=20"]
    assert call("match", *players, "--pairs", 2, "--max-plies", 10, "--journal", journal).returncode == 0
    shown = call("ratings", record, journal)
    assert shown.returncode == 0
    head, *rows = (line.split()[-1] for line in shown.stdout.splitlines())
    assert head == "engine" and set(rows) == {"Hu", "Xu", "Li", "ours"}
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]))
    assert "1 games of journals are left out" in call("ratings", journal).stderr


def test_a_result_behind_the_moves_counts(tmp_path):
    """Headers alone are read where they have the result: 10,000 games in a second."""
    path = tmp_path / "games.pgn"
    names = '[Red "x"]\n[Black "y"]\n'
    path.write_text(
        f'{names}\n1. h2e2 h9g7 1-0\n\n{names}[Result "1/2-1/2"]\n\n1. h2e2 *\n\n{names}\n1. h2e2 *\n'
    )
    shown = call("ratings", path)
    assert shown.returncode == 0 and "1.5 of 2  x" in shown.stdout
    assert "1 games without two names or a result are left out" in shown.stderr
    (tmp_path / "link").symlink_to(path)
    assert f"{tmp_path}/link: the file is named twice\n" in call("ratings", path, tmp_path / "link").stderr
    assert "twice" not in shown.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.pgn"], "nowhere.pgn: No such file"),
        (["games.pgn", "--anchor", "Li"], "--anchor: must be NAME=ELO, not 'Li'"),
        (["games.pgn", "--anchor", "Wu=1"], "no games of Wu"),
        (["games.pgn", "--anchor", "Li=1", "--anchor", "Li=2"], "a player is named twice"),
    ],
)
def test_bad_arguments_of_ratings_are_named(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_text(PGN)
    refused = call("ratings", *arguments)
    assert refused.returncode == 2 and message in refused.stderr
