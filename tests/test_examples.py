"""The programs in examples/ run as their readers would run them."""

import json
import re
import runpy
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from support import CHECKOUT, raises

from eleengine import Board, Engine, Limit, notation, records
from eleengine.book import BookError

pytestmark = pytest.mark.system

EXAMPLES = CHECKOUT / "examples"
GAME = """[Event "a mate that a quiet move prepares"]
[FEN "2ba1k3/4a3P/1N2c4/7c1/9/4R4/9/9/4A4/3AK4 w - - 0 1"]
[SetUp "1"]

1. e4e3 c9a7 2. e3e4 *
"""


def run(name, *args):
    command = [sys.executable, EXAMPLES / name, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


def test_the_tournament_counts_points_and_keeps_its_games(tmp_path):
    path = tmp_path / "games.pgn"
    shown = run("tournament.py", 0, 1, "--nodes", 50, "--most-plies", 20, "--pgn", path).stdout
    assert len(re.findall(r"^level \d - level \d: ", shown, re.M)) == 2
    assert sum(float(points) for points in re.findall(r": ([\d.]+) points", shown)) == 2
    games = list(records.read_games(path))
    assert len(games) == 2 and all(game.result != "*" for game in games)


def test_the_puzzle_maker_finds_what_only_one_move_wins(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAME, encoding="utf-8")
    made = run("puzzles.py", path, "--first-ply", 0, "--nodes", 3000)
    assert "positions" in made.stderr
    for line in made.stdout.splitlines():
        board, operations = Board.from_epd(line)
        assert board.is_legal(operations["bm"][0])


def test_the_bot_plays_with_a_guest():
    command = [sys.executable, EXAMPLES / "bot.py", "--port", "0", "--level", "0", "--time", "0.1"]
    bot = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        port = int(bot.stdout.readline().split()[-1])
        guest = socket.create_connection(("localhost", port), timeout=60)
        with guest, guest.makefile("rw") as lines:

            def ask(text):
                lines.write(f"{text}\n")
                lines.flush()
                return lines.readline().strip()

            assert "red" in lines.readline()
            assert "illegal move" in ask("a0a9")
            board = Board()
            board.push_iccs("h2e2")
            answer = ask("炮二平五").split()[0]
            assert notation.parse(board, answer) in board.legal_moves
    finally:
        bot.kill()
        bot.communicate()


def test_a_cloud_database_is_asked_once_and_played_from():
    """A local server with an answer of the documented protocol; a0a9 is not legal."""
    answers = [
        b"move:h2e2,score:1,rank:2,note:! (44-02),winrate:50.08|move:b2e2,score:-3,rank:1,note:*"
        b"|move:a3a4,score:??,rank:0,note:?|move:a0a9,score:9,rank:2,note:!\0",
        b"<html>",
    ]
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answers[len(asked) - 1])

        def log_message(self, *args):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            url = f"http://127.0.0.1:{server.server_port}/chessdb.php"
            book = runpy.run_path(str(EXAMPLES / "cloud_book.py"))["CloudBook"](url)
            entries = book.find_all(Board())
            with Engine(book=book, seed=1) as engine:
                result = engine.play(Board(), Limit(nodes=100))
            other = Board()
            other.push_iccs("c3c4")
            raises(BookError, "not the answer of a cloud database: '<html>'", book.find_all, other)
        finally:
            server.shutdown()
            thread.join()
    found = [(entry.move.iccs(), entry.weight, entry.score) for entry in entries]
    assert found == [("h2e2", 100, 1), ("b2e2", 10, -3), ("a3a4", 0, None)]
    assert result.info["book"].move == result.move != entries[2].move
    assert len(asked) == 2 and "queryall" in asked[0]
    with pytest.raises(BookError, match=url):  # nobody is there now
        book.find_all(Board("3k5/9/9/9/9/9/9/9/9/R3K4 w"))


def test_the_notebook_runs_from_top_to_bottom(capsys):
    notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert "Red chases the cannon" in capsys.readouterr().out


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.name)
def test_every_example_is_in_the_list(path):
    assert f"[{path.name}]({path.name})" in (EXAMPLES / "README.md").read_text(encoding="utf-8")


def test_the_learner_plays_and_prints_what_it_has_learnt():
    pytest.importorskip("numpy")
    shown = run("learn.py", "--games", 2, "--test-games", 2).stdout
    assert len(re.findall(r"^(?:rook|cannon|knight|bishop|advisor|pawn) +-?[\d.]+$", shown, re.M)) == 6
    assert sum(map(int, re.findall(r"(\d+) (?:won|drawn|lost)", shown))) == 2
