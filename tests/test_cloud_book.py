"""A cloud database as a book, against a local server of the documented protocol."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from eleengine import Board, Engine, Limit, Move
from eleengine.book import BookError
from eleengine.book.cloud import CloudBook

FIRST = (
    "move:h2e2,score:1,rank:2,note:! (44-02),winrate:50.08"
    "|move:b2e2,score:-3,rank:1,note:* (44-01),winrate:49"
    "|move:a3a4,score:??,rank:0,note:? (00-00)|move:a0a9,score:9,rank:2,note:!,winrate:51"
)


@pytest.fixture
def server():
    """Answers by position; what was asked is in `asked`."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            query = {name: value[0] for name, value in parse_qs(urlsplit(self.path).query).items()}
            self.server.asked.append(query)
            body = self.server.answers.get(query["board"], "unknown").encode() + b"\0"
            self.send_response(200 if body != b"fail\0" else 500)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.asked = []
        server.answers = {" ".join(Board().fen().split()[:2]): FIRST}
        server.url = f"http://127.0.0.1:{server.server_port}/chessdb.php"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_moves_are_entries_and_are_asked_for_once(server):
    with CloudBook(server.url) as cloud:
        for _ in range(2):
            entries = cloud.find_all(Board())
        assert [(entry.move.iccs(), entry.weight, entry.score) for entry in entries] == [
            ("h2e2", 100, 1),
            ("b2e2", 10, -3),
            ("a3a4", 0, None),
        ]  # fmt: skip - a0a9 is not legal
        assert entries[0].note == "! (44-02)" and cloud.get(Board()).move == Move.from_iccs("h2e2")
        board = Board()
        board.push_iccs("c3c4")
        assert cloud.find_all(board) == [] and cloud.weighted_choice(board) is None
    position = " ".join(Board().fen().split()[:2])
    assert (
        server.asked[0] == {"action": "queryall", "board": position, "learn": "0"} and len(server.asked) == 2
    )


def test_the_engine_plays_from_it(server):
    with Engine(book=CloudBook(server.url, learn=True), seed=1) as engine:
        result = engine.play(Board(), Limit(nodes=100))
    assert result.move.iccs() in ("h2e2", "b2e2") and result.info["book"].move == result.move
    assert server.asked[0]["learn"] == "1"


@pytest.mark.parametrize("answer", ["<html>", "move:zz", "invalid board", "fail"])
def test_another_answer_is_an_error_that_names_the_server(server, answer):
    server.answers = {" ".join(Board().fen().split()[:2]): answer}
    with pytest.raises(BookError, match=server.url):
        CloudBook(server.url).find_all(Board())


def test_a_server_that_is_not_there_and_a_url_that_is_none(server):
    with pytest.raises(BookError, match=r"http://127\.0\.0\.1:9/"):
        CloudBook("http://127.0.0.1:9/", timeout=5).find_all(Board())
    with pytest.raises(ValueError, match="http:// or https://, not 'file:///etc'"):
        CloudBook("file:///etc")
