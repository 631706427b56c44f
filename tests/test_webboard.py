"""The server of the board in the browser: every message, bad ones, strangers, and nothing lost."""

import asyncio
import base64
import gzip
import io
import json
import random
import re
import sys
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

pytest.importorskip("starlette", reason="needs the extra board")
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")

from starlette.websockets import WebSocketDisconnect
from support import BLACK, CHECKOUT, DEAF, RED, call, examples, wait_until
from webboard_support import HOST, ORIGIN, PERSONS, indexed_games, living, paging, serving

from eleengine import STARTING_FEN, Board, Engine, Limit, Move, book
from eleengine.engines import EngineError, ExternalEngine, PlayResult
from eleengine.engines import pool as engine_pool
from eleengine.games import GameIndex
from eleengine.marks import MARKS
from eleengine.records import Game, encode_game, read_game
from eleengine.review import GLYPHS, Evaluations, PositionEval, review_game
from eleengine.score import Cp, PovScore
from eleengine.tables import open_tables
from eleengine.webboard import analysis, connection, document, endings, pool, puzzles
from eleengine.webboard import app as web
from eleengine.webboard.document import Document
from eleengine.webboard.handlers import review as board_review
from eleengine.webboard.handlers import search
from eleengine.webboard.live_game import Clock, LiveGame
from eleengine.webboard.page_data import is_complete, true_lines
from eleengine.webboard.store import Store
from eleengine.webboard.workspace import BoardOptions, Workspace

MATE_IN_ONE = "3k5/R8/8R/9/9/9/9/9/9/5K3 w - - 0 1"
MEETING = ("h2e2 h9g7 h0g2", "b2e2 b9c7", "c3c4")  # two reach one position, one of them in the mirror
CHASE = "4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w"


@pytest.fixture
def server(tmp_path):
    with serving(tmp_path) as (client, workspace):
        yield client, workspace


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    with living(tmp_path_factory.mktemp("live")) as found:
        yield found


@pytest.fixture
def page(server):
    with paging(server[0]) as page:
        yield page


# Strangers


def closed(client, **how):
    """The code with which the socket is closed, or "refused" before it was opened."""
    opened = []
    try:
        with client.websocket_connect(
            "/socket", headers={"origin": how.get("origin", ORIGIN), "host": how.get("host", HOST)}
        ) as socket:
            opened.append(socket)
            socket.send_text(how["first"])
            while True:
                socket.receive_text()
    except WebSocketDisconnect as error:
        return error.code if opened else "refused"
    except Exception:
        return "refused"


def hello(**message):
    return json.dumps({"type": "hello", "token": "secret", **message})


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"first": hello(token="wrong")}, 4403),
        ({"first": hello(token="")}, 4403),
        ({"first": hello(token=None)}, 4403),
        ({"first": hello(token=["secret"])}, 4403),
        ({"first": hello(token="sécret")}, 4403),
        ({"first": json.dumps({"type": "go", "node": 0})}, 4401),
        ({"first": "no json"}, 4401),
        ({"first": "[]"}, 4401),
        ({"first": hello(pad="x" * 5000)}, 4401),
        ({"first": hello(), "origin": "http://evil.example"}, "refused"),
        ({"first": hello(), "origin": "null"}, "refused"),
        ({"first": hello(), "origin": ""}, "refused"),
        ({"first": hello(), "origin": "http://127.0.0.1:9999"}, "refused"),
        ({"first": hello(), "origin": "http://evil.example", "host": "evil.example"}, "refused"),
    ],
)
def test_strangers_are_sent_away(server, how, code):
    assert closed(server[0], **how) == code
    assert server[1].sockets == 0 and not server[1].documents


def test_a_server_has_so_many_pages(server, monkeypatch):
    monkeypatch.setattr("eleengine.webboard.app.MAX_SOCKETS", server[1].sockets)
    assert closed(server[0], first=hello()) == 4429


def test_the_right_page_is_let_in(page):
    assert page.welcome["engines"] == ["eleengine", "thesis", "engine-thesis"]
    assert page.board["fen"] == STARTING_FEN and page.document["nodes"] == [{"id": 0}]
    assert not page.welcome["book"] and page.ask("book", node=0)["entries"] == []


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "192.168.0.1", ""])
def test_foreign_hosts_are_refused(server, host):
    assert server[0].get("/", headers={"host": host}).status_code == 400
    assert server[0].get("/", headers={"host": "localhost:8000"}).status_code == 200


def test_every_answer_has_the_security_headers(server):
    for path in ("/", "/main.js", "/nothing", "/socket"):
        headers = server[0].get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/app.py", "/../app.py", "/..%2fapp.py", "/%2e%2e/app.py", "/page/main.js", "//etc/passwd",
        "/index.html/../../app.py", "/main.js/", "/__init__.py", "/state",
    ],
)  # fmt: skip
def test_only_the_files_of_the_page_are_served(server, path):
    assert server[0].get(path).status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_files_are_only_read(server, method):
    assert getattr(server[0], method)("/").status_code == 405


def test_the_page_is_light():
    files = web._page_files()
    assert {"/", "/main.js", "/style.css", "/characters.json", "/symbols.json"} <= set(files)
    sent = sum(len(gzip.compress(data, 9)) for data in files.values())
    assert sent <= 120_000, sent
    for path, data in files.items():
        text = data.decode()
        assert "innerHTML" not in text, path
        if not path.endswith(".json"):  # whose notices name their authors
            text = text.replace("http://www.w3.org/", "")  # a name space, nothing that is loaded
            assert "http:" not in text and "https:" not in text, path


def test_the_token_is_long_and_new_each_time(tmp_path):
    tokens = {BoardOptions(folder=tmp_path).token for _ in range(20)}
    assert len(tokens) == 20 and all(len(base64.urlsafe_b64decode(f"{token}==")) == 16 for token in tokens)


def test_a_page_names_no_paths(server, page, tmp_path):
    (tmp_path / "x.json").write_text('{"version": 1}')
    for key in ("../x", "x", "/etc/passwd", "A" * 32, "0" * 31, None, 7, ["x"]):
        assert page.ask("show", doc=key)["code"] == "unknown-document"
        page.ask("forget", doc=key)
    assert (tmp_path / "x.json").exists()


# Bad messages


@pytest.mark.parametrize(
    "text",
    [b"\0\1", "", "x", "[]", "null", "7", '"go"', "{}", '{"type": 7}', '{"type": "nonsense"}',
     '{"type": "__init__"}',
     "[" * 100_000, '{"type": "go"}', '{"type": "go", "node": "0"}', '{"type": "go", "node": -1}',
     '{"type": "go", "node": 1e400}', '{"type": "go", "node": true}', '{"type": "go", "node": 99}'],
)  # fmt: skip
def test_bad_messages_are_told_and_do_no_harm(page, text):
    (page.socket.send_bytes if isinstance(text, bytes) else page.socket.send_text)(text)
    error = page.until("error")
    assert error["code"] in ("bad-message", "unknown-node") and error["message"]
    assert page.ask("move", node=0, move="h2e2")["node"] == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = (
    "node", "move", "moves", "how", "name", "value", "doc", "fen", "players", "levels", "clock", "moveTime",
    "action", "lines", "threads", "hash", "engine", "seconds", "number", "text", "data", "game", "format",
    "notation", "letters", "comment", "nags", "arrows", "settings",
)  # fmt: skip


@given(
    st.sampled_from(sorted(connection.HANDLERS)),
    st.dictionaries(st.sampled_from(FIELDS), json_values, max_size=6),
)
@examples(50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_message_is_answered(any_page, type_, fields):
    answer = any_page.ask(type_, **fields)
    assert "re" in answer


@pytest.fixture(scope="module")
def any_page(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("any")) as (client, _), paging(client) as page:
        yield page


@pytest.mark.system
def test_a_message_that_is_too_long_closes_the_socket_only(live):
    websockets = pytest.importorskip("websockets.sync.client")
    with websockets.connect(
        f"ws://127.0.0.1:{live.port}/socket", origin=f"http://127.0.0.1:{live.port}", max_size=None
    ) as socket:
        socket.send(json.dumps({"type": "hello", "token": live.token}))
        socket.recv()
        with pytest.raises(Exception, match=r"1009|too big|closed|reset"):
            socket.send("x" * (web.MAX_MESSAGE + 1))
            while True:
                socket.recv()
    assert live.get("/").status == 200


# The tree


def nodes_of(page, doc=None):
    """The tree as the server would tell it now: {id: (parent, move)}."""
    return {n["id"]: (n.get("parent"), n.get("move")) for n in page.shown(doc)["nodes"]}


def test_moves_make_or_find_children(page):
    assert page.move("h2e2", "h9g7") == 2
    node = page.until("node", lambda m: m["node"]["id"] == 1)["node"]
    assert node["texts"] == ["炮二平五", "炮二平五", "C2.5"] and node["parent"] == 0
    assert page.move("h2e2") == 1  # found
    assert page.move("C2=5") == 1
    assert page.ask("move", node=1, move="马8进7")["node"] == 2
    assert page.ask("move", node=1, move="h7e7")["node"] == 3
    assert nodes_of(page) == {0: (None, None), 1: (0, "h2e2"), 2: (1, "h9g7"), 3: (1, "h7e7")}


@pytest.mark.parametrize("move", ["h2h9x", "e0e5", "炮五平二", "C5.2", "", "0000", "--", "a0a0"])
def test_illegal_moves_are_refused(page, move):
    answer = page.ask("move", node=0, move=move)
    assert answer["type"] == "error" and answer["message"]
    assert nodes_of(page) == {0: (None, None)}


def test_a_board_tells_all_that_is_drawn(page):
    page.move("h2e2", "h9g7")
    page.ask("go", node=1)
    board = page.until("board", lambda m: m["node"] == 1)
    assert board["turn"] == "black" and board["last"] == "h2e2" and board["check"] is None
    expected = Board()
    expected.push_iccs("h2e2")
    assert board["fen"] == expected.fen()
    legal = {f"{a}{b}" for a, bs in board["legal"].items() for b in bs}
    assert legal == {move.iccs() for move in expected.legal_moves}


def test_lines_comments_marks_arrows_headers(page):
    assert page.ask("line", node=0, moves=["h2e2", "h9g7", "h0g2"])["node"] == 3
    marks = {"nags": [6], "arrows": [["a0", "a3", "red"]]}
    page.ask("annotate", node=2, comment="<b>好</b>\u3000👨\u200d👩\r\nx\x00\ud83d", **marks)
    node = page.until("node", lambda m: m["node"]["id"] == 2 and "comment" in m["node"])["node"]
    assert node.items() >= {"comment": "<b>好</b>\u3000👨\u200d👩\nx", **marks}.items()
    page.ask("header", name="Red", value=" Hu \n\u3000<i>")
    assert page.until("headers")["headers"] == {"Red": "Hu  \u3000<i>"}
    page.ask("header", name="Red", value=" ")
    assert page.until("headers")["headers"] == {}


@pytest.mark.parametrize(
    ("type_", "fields"),
    [
        ("annotate", {"node": 0, "comment": 7}), ("annotate", {"node": 0, "nags": [-1]}),
        ("annotate", {"node": 0, "starting_comment": 7}),
        ("annotate", {"node": 0, "nags": "x"}), ("annotate", {"node": 0, "arrows": [["a0", "z3", "red"]]}),
        ("annotate", {"node": 0, "arrows": [["a0", "a3", "url(x)"]]}),
        ("annotate", {"node": 0, "arrows": [1]}),
        ("annotate", {"node": 0, "comment": "x" * 20_001}), ("header", {"name": "a b", "value": "x"}),
        ("header", {"name": "Result", "value": "2-0"}), ("header", {"name": "Red", "value": "x" * 501}),
        ("line", {"node": 0, "moves": ["h2e2"] * 65}), ("promote", {"node": 0, "how": "main"}),
        ("delete", {"node": 0}), ("promote", {"node": 1, "how": "sideways"}),
        ("remember", {"settings": {"a": ["b"]}}), ("remember", {"settings": {"a": "x" * 301}}),
        ("remember", {"settings": {"a": float("nan")}}),
        ("new", {"fen": "4k4/9/9/9/9/9/9/9/9/4K4 w"}), ("new", {"fen": "nonsense"}),
        ("new", {"players": {"red": 5}}), ("new", {"players": {"red": True}}),
        ("new", {"players": {}, "levels": {"red": 21}}), ("new", {"players": {}, "clock": {"base": 0}}),
        ("analyse", {"node": 0, "lines": 6}), ("analyse", {"node": 0, "threads": 10_000}),
        ("analyse", {"node": 0, "hash": 1 << 30}), ("analyse", {"node": 0, "engine": 99}),
        ("review", {"seconds": 1e9}), ("game", {"action": "win"}), ("puzzle", {"number": -1}),
        ("save", {"format": "exe"}), ("picture", {"node": 0, "letters": "x", "format": "svg"}),
        ("open", {"name": "x", "data": "***"}), ("open", {"text": ""}), ("choose", {"game": 3}),
        ("open", {"text": "this is no game"}),
        ("open", {"name": "x.bin", "data": base64.b64encode(bytes(range(256))).decode()}),
    ],
)  # fmt: skip
def test_what_is_out_of_range_is_refused(page, type_, fields):
    page.move("h2e2")
    assert page.ask(type_, **fields)["type"] == "error"
    assert page.ask("move", node=0, move="h2e2")["node"] == 1


class Plain:
    """A tree of another make, to compare with: {id: [parent, move, children]}."""

    def __init__(self):
        self.nodes = {0: [None, None, []]}

    def add(self, name, parent, move):
        if name not in self.nodes:
            self.nodes[name] = [parent, move, []]
            self.nodes[parent][2].append(name)

    def drop(self, name):
        for child in list(self.nodes[name][2]):
            self.drop(child)
        self.nodes[self.nodes[name][0]][2].remove(name)
        del self.nodes[name]

    def move_up(self, name):
        siblings = self.nodes[self.nodes[name][0]][2]
        place = siblings.index(name)
        if place:
            siblings[place - 1 : place + 1] = siblings[place], siblings[place - 1]

    def order(self):
        out, rest = [], [0]
        while rest:
            name = rest.pop()
            parent, move, children = self.nodes[name]
            out.append((name, parent, move))
            rest += reversed(children)
        return out


@given(st.lists(st.tuples(st.sampled_from("mmmmdu"), st.integers(0, 50), st.integers(0, 50)), max_size=25))
@examples(15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_tree_is_that_of_a_plain_one(any_page, steps):
    page, plain = any_page, Plain()
    doc = page.ask("new")["doc"]
    for kind, which, what in steps:
        name = sorted(plain.nodes)[which % len(plain.nodes)]
        if kind == "m":
            board, path = Board(), []
            at = name
            while at:
                path.insert(0, plain.nodes[at][1])
                at = plain.nodes[at][0]
            for text in path:
                board.push_iccs(text)
            moves = sorted(move.iccs() for move in board.legal_moves)
            text = moves[what % len(moves)]
            plain.add(page.ask("move", node=name, move=text)["node"], name, text)
        elif name and kind == "d":
            page.ask("delete", node=name)
            plain.drop(name)
        elif name:
            page.ask("promote", node=name, how="promote")
            plain.move_up(name)
    assert [(n["id"], n.get("parent"), n.get("move")) for n in page.shown(doc)["nodes"]] == plain.order()


# Kept


def test_nothing_is_lost_when_the_server_goes(tmp_path):
    settings = {"language": "zh-Hans", "sound": True}
    with serving(tmp_path) as (client, _), paging(client) as page:
        node = page.move("h2e2", "h9g7")
        page.ask("annotate", node=node, comment="kept")
        page.ask("go", node=1)
        page.ask("remember", settings=settings)
    with serving(tmp_path) as (client, _), paging(client) as page:
        assert [n.get("comment") for n in page.document["nodes"]] == [None, None, "kept"]
        assert page.board["node"] == 1 and page.welcome["settings"] == settings


def test_a_change_is_on_the_disk_at_once_whatever_happens_to_the_server(tmp_path, page):
    page.move("h2e2")
    file = tmp_path / f"{page.document['doc']}.json"
    wait_until(lambda: page.ask("documents") and file.exists())
    data = json.loads(file.read_text(encoding="utf-8"))
    assert [node.get("move") for node in data["game"]["nodes"]] == [None, "h2e2"]
    assert not list(tmp_path.glob("*.new"))


def test_a_game_goes_on_after_the_server_was_started_again(tmp_path):
    with serving(tmp_path) as (client, _), paging(client) as page:
        page.ask("new", players=PERSONS, clock={"base": 100, "increment": 5})
        page.game()
        page.move("h2e2")
    with serving(tmp_path) as (client, _), paging(client) as page:
        game = page.document["game"]
        assert game["turn"] == "black" and game["node"] == 1 and game["result"] is None
        clock = game["clock"]
        assert 104 <= clock["red"] <= 105 and 99 <= clock["black"] <= 100 and clock["base"] == 100
        assert page.ask("move", node=1, move="h9g7")["node"] == 2


def test_a_game_goes_on_with_the_engine_that_it_began_with(tmp_path):
    """Whatever its number is at the next start; if it is not there, no other one takes its place."""
    with serving(tmp_path, engines=["/first", "/second"]) as (client, _), paging(client) as page:
        page.ask("new", players={"red": None, "black": 2})
    with serving(tmp_path, engines=["/second", "/first"]) as (client, _), paging(client) as page:
        game = page.document["game"]
        assert game["players"] == {"red": None, "black": 1} and game["names"] == {"black": "second"}
    with serving(tmp_path, engines=["/first"]) as (client, _), paging(client) as page:
        page.move("h2e2")
        game = page.game(lambda game: game["paused"])
        assert game["names"] == {"black": "second"} and not game["result"]
        error = page.until("error")
        assert (error["code"], error["message"]) == ("no-engine", "second")
    with serving(tmp_path, engines=["/second"]) as (client, _), paging(client) as page:
        assert page.document["game"]["players"] == {"red": None, "black": 1}


def nested(depth):
    return '{"version": 1, "game": ' + "[" * depth + "]" * depth + "}"


def test_damaged_files_harm_nobody(tmp_path, capfd):
    game = Game()
    game.play_line(["h2e2"])
    game.add(Move.from_iccs("b2e2"))
    variation = game.to_dict()
    for name in ("settings", "progress", "port", "summaries"):
        (tmp_path / name).write_text(nested(100_000))
    damaged = [
        "", "{}", "[]", '{"version": 1}', '{"version": 1, "game": 7}', "\0", nested(1), nested(100_000),
        '{"version": 1, "game": {"fen": "", "headers": [], "nodes": []}, "play": 7}',
        json.dumps({"version": 1, "game": {**variation, "nodes": [*variation["nodes"][:-1], {"parent": 0}]}}),
    ]  # fmt: skip
    for number, text in enumerate(damaged):
        (tmp_path / f"{number:032}.json").write_text(text)
    with serving(tmp_path) as (client, _):
        for _ in range(2):
            with paging(client) as page:
                assert page.board["fen"] == STARTING_FEN
                unread = [f"{number:032}.json" for number in range(len(damaged))]
                found = page.ask("documents")
                assert (found["documents"], sorted(found["unread"])) == ([], unread)
        (tmp_path / unread[0]).unlink()
        with paging(client) as page:
            assert sorted(page.ask("documents")["unread"]) == unread[1:]
    told = capfd.readouterr().err
    for number in range(len(damaged)):
        assert told.count(f"not read: {tmp_path / f'{number:032}.json'}: ") == 1


@pytest.mark.parametrize(
    ("moves", "evals", "results"),
    [(["h2e2"], 0, []), (["h2e2"], 1, []), ([], 1, []), (["h2e2"], 2, 7), (["a0a9"], 2, []), (7, 2, [])],
)
def test_a_damaged_review_is_done_again(tmp_path, moves, evals, results):
    game = Game()
    game.play_line(["h2e2"])
    level = {"cp": 0, "mate": None, "line": [], "depth": 1}
    review = {"moves": moves, "evals": [level] * evals, "book_plies": 0, "results": results}
    Store(tmp_path).save("0" * 32, {"game": game.to_dict(), "review": review})
    with serving(tmp_path) as (client, _), paging(client) as page:
        assert len(page.document["nodes"]) == 2 and page.document["review"] is None


def test_a_file_changed_by_another_server_is_left_alone(tmp_path):
    first, second = Store(tmp_path), Store(tmp_path)
    key = first.save("0" * 32, {"game": 1})
    second.load(key)
    assert first.save(key, {"game": 2}) == key
    other = second.save(key, {"game": 3})
    assert other != key
    assert [Store(tmp_path).peek(k)["game"] for k in (key, other)] == [2, 3]


async def test_a_new_move_has_nothing_of_a_deleted_one(tmp_path):
    """Python may give it the identity of the deleted one."""
    game = Game()
    game.play_line(["h2e2", "h9g7"])
    one = Document(Store(tmp_path), game)
    level = PositionEval.from_dict({"cp": 0, "mate": None, "line": [], "depth": 1})
    one.keep_review(Evaluations(list(game.mainline_moves()), [level] * 3, 0, [1, -1, 0]))
    assert [node.get("ending") for node in one.review_data()["nodes"]] == [None, (1, 1), (-1, 0)]
    one.delete(2)
    for move in ("b9c7", "a9a8", "i9i8", "c6c5"):
        one.move(1, move)
    assert [node.get("ending") for node in one.review_data()["nodes"]] == [None, (1, 1)]
    one.discard_changes()


def test_a_renamed_document_stays_in_the_workspace(tmp_path, server, page):
    """Its file was changed by another server, so it was saved under another name."""
    client, workspace = server
    page.move("h2e2")
    old = page.document["doc"]
    workspace.save()
    other = Store(tmp_path)
    other.save(old, {**other.load(old), "of": "another"})
    page.move("h9g7", node=1)
    page.ask("documents")  # saves
    new = page.until("renamed")["doc"]
    with paging(client, doc=old) as theirs, paging(client, doc=new) as ours:
        assert theirs.document["doc"] == old and len(theirs.document["nodes"]) == 2
        ours.move("h0g2", node=2)
        page.ask("documents")
        assert any(m["type"] == "node" and m["node"]["id"] == 3 for m in page.news)
    workspace.save()
    assert len(Document.load(Store(tmp_path), new).nodes) == 4
    assert other.peek(old)["of"] == "another"


def test_a_document_opens_where_it_was_left(tmp_path, monkeypatch):
    monkeypatch.setattr(document, "SAVE_DELAY", 0.0)
    with serving(tmp_path) as (client, workspace):
        with paging(client) as page:
            for node, move in enumerate(["h2e2", "h9g7", "h0g2"]):
                page.move(move, node=node)
            doc = page.document["doc"]
            while workspace.is_unsaved:
                time.sleep(0.01)
            [before] = page.ask("documents")["documents"]
            page.ask("go", node=1)
        assert not workspace.documents
        with paging(client, doc=doc) as page:
            assert page.board["node"] == 1
            assert page.ask("documents")["documents"] == [before]  # to look is no change
            page.ask("go", node=2)
    assert Document.load(Store(tmp_path), doc).at == 2  # left by the end of the server
    other = Store(tmp_path)
    other.save(doc, {**other.load(doc), "at": 3})
    with serving(tmp_path) as (client, _), paging(client, doc=doc) as page:
        assert page.board["node"] == 3
        other.save(doc, {**other.load(doc), "of": "another"})
        page.ask("go", node=1)
    assert (other.peek(doc)["of"], other.peek(doc)["at"]) == ("another", 3)


def test_two_pages_see_the_same_document(server):
    client, _ = server
    with paging(client) as one, paging(client) as two:
        assert two.document["doc"] != one.document["doc"]  # a second page begins with its own
        two.ask("show", doc=one.document["doc"])
        one.move("h2e2")
        assert two.until("node")["node"]["move"] == "h2e2"
        two.ask("move", node=1, move="h9g7")
        assert one.until("node", lambda m: m["node"]["id"] == 2)["node"]["move"] == "h9g7"


def test_documents_are_listed_shown_and_forgotten(page):
    page.move("h2e2")
    page.ask("header", name="Red", value="Hu")
    first = page.document["doc"]
    page.ask("new")
    [found] = page.ask("documents")["documents"]
    assert (found["doc"], found["red"], found["plies"]) == (first, "Hu", 1)
    page.ask("show", doc=first)
    assert page.ask("forget", doc=first)["code"] == "in-use"
    assert len(page.ask("documents")["documents"]) == 1
    page.ask("new")
    assert page.ask("forget", doc=first)["documents"] == []


# Games


def test_a_whole_game_against_a_low_level(page):
    """The page plays at random; the game ends and says why."""
    rng = random.Random(5)
    page.ask("new", players={"red": None, "black": 0}, levels={"black": 3})
    page.game()
    node = 0

    def is_my_turn(game):
        return game["result"] or (game["turn"] == "red" and game["node"] != node)

    while True:
        page.news.clear()
        page.ask("go", node=node)
        board = page.until("board")
        if board["outcome"]:
            break
        origin = rng.choice(sorted(board["legal"]))
        page.ask("move", node=node, move=origin + rng.choice(board["legal"][origin]))
        game = page.game(is_my_turn)
        node = game["node"]
        if game["result"]:
            break
    assert game["result"]["reason"] in (
        "checkmate", "stalemate", "repetition", "move_limit", "perpetual_check", "perpetual_chase",
        "material",
    )  # fmt: skip
    assert page.ask("game", action="resign")["code"] == "game-over"


def test_take_back_resign_and_draw(page):
    doc = page.ask("new", players={"red": None, "black": 0}, levels={"black": 0})["doc"]
    assert page.ask("game", action="takeback")["code"] == "nothing-to-take-back"
    page.move("h2e2")
    game = page.game(lambda game: game["turn"] == "red" and game["node"] > 1)
    assert page.ask("game", action="draw") == {"re": page.next, "accepted": False}
    page.ask("game", action="takeback")
    back = page.game(lambda game: game["node"] == 0)
    assert back["turn"] == "red" and not back["result"]
    assert game["node"] in nodes_of(page, doc)  # what was taken back stays as a variation
    page.ask("game", action="resign")
    result = page.result()["result"]
    assert result == {"winner": "black", "reason": "resigned"}


def test_practice_leaves_the_game_that_was_opened_as_it_is(tmp_path):
    with serving(tmp_path) as (client, _), paging(client) as page:
        key = page.ask("open", text='[Red "Hu"]\n[Result "1-0"]\n\n1. h2e2 h9g7 2. h0g2 1-0')["doc"]
        page.ask("play", node=0, players=PERSONS)
        page.ask("move", node=0, move="c3c4")
        page.ask("game", action="takeback")
        page.ask("move", node=0, move="g3g4")
    with serving(tmp_path) as (client, _), paging(client, doc=key) as page:
        page.ask("game", action="resign")
        page.ask("play", node=2, players=PERSONS)
        page.ask("move", node=2, move="b0c2")
        page.ask("game", action="stop")
        text = page.ask("save", format="pgn", notation="iccs")["text"]
    game = read_game(text.encode())
    assert (game.headers["Red"], game.result) == ("Hu", "1-0") and "Date" not in game.headers
    assert " ".join(map(str, game.mainline_moves())) == "h2e2 h9g7 h0g2"
    assert len(list(game.nodes())) == 7


@pytest.mark.parametrize(
    ("end", "line", "result"), [("resign", "h2e2 h9g7", "0-1"), ("stop", "h2e2 b9c7 h0g2", "1-0")]
)
def test_practice_leaves_a_game_that_was_played_to_its_end_as_it_is(page, end, line, result):
    page.ask("new", players=PERSONS)
    page.move("h2e2", "h9g7")
    page.ask("game", action=end)
    page.ask("play", node=1, players=PERSONS)
    page.ask("move", node=1, move="b9c7")
    page.ask("move", node=3, move="h0g2")
    page.ask("game", action="resign")
    game = read_game(page.ask("save", format="pgn", notation="iccs")["text"].encode())
    assert (" ".join(map(str, game.mainline_moves())), game.result) == (line, result)


def test_a_take_back_takes_the_result_out_of_the_headers(page):
    page.ask("new", players=PERSONS)
    page.move("h2e2")
    page.ask("game", action="resign")
    assert page.until("headers")["headers"]["Result"] == "1-0"
    page.ask("game", action="takeback")
    assert "Result" not in page.until("headers")["headers"]


@pytest.mark.parametrize("engine", [False, True])
def test_a_game_in_a_full_tree_does_not_hang(page, monkeypatch, engine):
    players = {"red": None, "black": 0 if engine else None}
    doc = page.ask("new", players=players, levels={"black": 0}, clock={"base": 50, "increment": 0})["doc"]
    monkeypatch.setattr(document, "MAX_NODES", 2 if engine else 1)
    answer = page.ask("move", node=0, move="h2e2")
    if engine:
        assert page.game(lambda game: game["paused"])["turn"] == "black"
        assert page.until("error")["message"] == "a tree has at most 2 moves"
    else:
        assert answer["code"] == "too-large"
        assert page.shown(doc)["game"]["clock"]["runs"] == "red"


def test_the_book_is_shown_and_played(tmp_path):
    with book.shipped() as masters, serving(tmp_path, book=masters) as (client, _), paging(client) as page:
        assert page.welcome["book"]
        entries = page.ask("book", node=0)["entries"]
        assert entries[0]["games"] > 1000 and 0.3 < entries[0]["points"] < 0.7
        assert {entry["move"][1] for entry in entries} >= {"炮八平五", "相三进五"}
        page.ask("new", players={"red": 0, "black": None}, levels={"red": 10})
        played = page.until("node")["node"]["move"]
        assert played in {entry["move"][0] for entry in entries}


def test_the_index_of_games_is_shown_and_filtered(server, page):
    assert page.ask("games", node=0) | {"re": 0} == {
        "re": 0, "indexed": False, "results": [0, 0, 0, 0], "moves": [], "games": [],
    }  # fmt: skip
    with GameIndex(server[1].options.games, writable=True) as index:
        index.add_games(indexed_games(*MEETING), source="/somewhere/my.pgn")
    found = page.ask("games", node=0)
    assert [(row["move"][0], row["move"][1], row["results"]) for row in found["moves"]] == [
        ("h2e2", "炮二平五", [1, 0, 1, 0]), ("g3g4", "兵三进一", [0, 1, 0, 0]),
    ]  # fmt: skip
    assert [(game["year"], game["file"]) for game in found["games"]] == [
        (2001, "my.pgn"), (1999, "my.pgn"), (1960, "my.pgn"),
    ]  # fmt: skip
    node = page.move("h2e2", "h9g7")
    deeper = page.ask("games", node=node)
    assert [row["move"] and row["move"][0] for row in deeper["moves"]] == ["h0g2", None]
    assert {game["ply"] for game in deeper["games"]} == {2}
    for where, years in (
        ({"player": "ronghua"}, [2001, 1960]),
        ({"since": 1990}, [2001, 1999]),
        ({"until": 1999, "result": "0-1"}, [1999]),
        ({"limit": 1}, [2001]),
    ):
        assert [game["year"] for game in page.ask("games", node=0, **where)["games"]] == years
    for bad in ({"since": "x"}, {"result": "won"}, {"player": 7}, {"limit": 10**6}, {"node": 77}):
        assert page.ask("games", **({"node": 0} | bad))["type"] == "error"


def test_a_game_of_the_index_opens_at_its_position(server, page):
    with GameIndex(server[1].options.games, writable=True) as index:
        index.add_games(indexed_games(*MEETING))
    [game] = page.ask("games", node=0, player="Xu")["games"]
    page.ask("indexed", game=game["id"], ply=1)
    document = page.until("document")
    assert document["headers"]["Red"] == "Xu Yinchuan" and len(document["nodes"]) == 3
    assert page.until("board", lambda m: m["node"])["last"] == "b2e2"
    page.ask("new")
    assert page.ask("indexed", game=game["id"], ply=0)["again"]  # the kept one
    assert page.until("document", lambda m: len(m["nodes"]) > 1)["doc"] == document["doc"]
    for bad in ({"game": 99, "ply": 0}, {"game": "1", "ply": 0}, {"game": 1, "ply": -1}):
        assert page.ask("indexed", **bad)["type"] == "error"


def test_games_are_added_to_the_index(server, page):
    pgn = "\n".join(encode_game(game, "pgn").decode() for game in indexed_games(*MEETING))
    page.open("my.pgn", pgn.encode())
    answer = page.ask("index", what="file")
    assert (answer["games"], answer["new"]) == (3, 3)
    answer = page.ask("index", what="file")
    assert (answer["games"], answer["new"]) == (3, 0)
    server[1].options.games.write_bytes(b"no index")
    for request in ("games", "index"):
        assert page.ask(request, node=0)["code"] == "bad-index"


def test_kept_games_are_in_the_index_by_themselves(server, page):
    """Those that were played, opened or have players; no analysis and no game that goes on."""

    def listed():
        server[1].save()
        return sorted((game["red"], game["plies"]) for game in page.ask("games", node=0)["games"])

    page.move("h2e2")  # an analysis
    assert listed() == []
    page.ask("new", players=PERSONS)
    node = page.move("h2e2", "h9g7")
    assert listed() == []
    page.ask("game", action="resign")
    assert listed() == [("", 2)]
    assert page.ask("games", node=node)["games"][0]["result"] == "0-1"
    page.ask("header", name="Red", value="Xu")
    assert listed() == [("Xu", 2)]
    text = encode_game(indexed_games(*MEETING)[0], "pgn")
    page.open("one.pgn", text)
    assert listed() == [("Hu Ronghua", 3), ("Xu", 2)]
    page.ask("header", name="Title", value="a title changes nothing")
    [opened] = page.ask("games", node=0, player="Hu")["games"]
    page.ask("indexed", game=opened["id"], ply=0)
    assert len(listed()) == 2
    server[1].options.games.unlink()
    assert len(listed()) == 2
    key = next(line["doc"] for line in page.ask("documents")["documents"] if line["red"] == "Xu")
    page.ask("new")
    page.ask("forget", doc=key)
    assert listed() == [("Hu Ronghua", 3)]


def test_a_game_is_shared_as_a_page_and_as_a_gif(page):
    page.move("h2e2", "h9g7")
    answer = page.ask("game_page", language="zh-Hans")
    text = base64.b64decode(answer["data"]).decode()
    assert (answer["name"], answer["kind"]) == ("game.html", "text/html") and "炮二平五" in text
    assert page.file("picture", node=1, letters="symbols", flipped=True).startswith(b"<svg ")
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    data = page.file("gif", letters="chinese", flipped=True)
    with image.open(io.BytesIO(data)) as moving:
        assert (moving.format, moving.n_frames) == ("GIF", 3)
    told = [message["done"] for message in page.news if message.get("type") == "drawing"]
    assert told and told == sorted(set(told)) and max(told) < 3


def test_only_who_is_to_move_moves(page):
    page.ask("new", players={"red": 0, "black": None}, levels={"red": 20}, moveTime=30)
    page.game(lambda game: game["thinking"])
    assert page.ask("move", node=0, move="h2e2")["code"] == "not-your-turn"
    assert page.ask("line", node=0, moves=["h2e2"])["code"] == "game-running"
    page.ask("game", action="pause")
    assert page.game(lambda game: game["paused"])["thinking"] is False
    page.ask("game", action="resume")
    page.game(lambda game: game["thinking"])
    page.ask("game", action="stop")
    assert page.result()["result"]["reason"] == "stopped"


def test_a_clock_falls(page):
    page.ask("new", players=PERSONS, clock={"base": 1, "increment": 0})
    result = page.result()
    assert result["result"] == {"winner": "black", "reason": "time"}
    assert result["clock"]["red"] == 0 and result["clock"]["black"] == 1


def live_game(folder, base, increment=0.0):
    """A game of two persons that runs, on a document of its own."""
    one = Document(Store(folder), Game())
    clock = Clock(base, increment)
    one.live_game = LiveGame(one, one.game, {RED: None, BLACK: None}, {RED: 20, BLACK: 20}, clock)
    one.live_game.resume()
    return one.live_game


async def test_a_take_back_gives_the_time_back(tmp_path):
    game = live_game(tmp_path, 100.0, 5.0)
    for left, move in ((60.0, "h2e2"), (50.0, "h9g7"), (40.0, "h0g2")):
        game.clock.left[game.turn] = left
        game.push(Move.from_iccs(move))
    game.clock.left[BLACK] = 0.0
    game._fall(BLACK)
    assert game.over
    for red, black in ((65, 55), (65, 100), (100, 100)):
        game.take_back()
        await asyncio.sleep(0.02)  # a clock at 0 would fall
        assert not game.over and not game.paused
        assert game.clock.now(RED) == pytest.approx(red, abs=4)
        assert game.clock.now(BLACK) == pytest.approx(black, abs=4)
    game.close()
    game.document.discard_changes()


async def test_a_take_back_ends_a_pause(tmp_path):
    game = live_game(tmp_path, 100.0)
    game.push(Move.from_iccs("h2e2"))
    game.pause(by_hand=True)
    game.take_back()
    assert not game.paused and not game.by_hand
    game.pause()  # nobody looks any more
    game.resume()
    assert not game.paused
    game.close()
    game.document.discard_changes()


@pytest.mark.system
def test_clocks_gain_their_increment_and_stop_without_a_page(tmp_path):
    with serving(tmp_path) as (client, workspace):
        with paging(client) as page:
            page.ask("new", players=PERSONS, clock={"base": 50, "increment": 3})
            start = time.monotonic()
            page.move("h2e2")
            clock = page.game(lambda game: game["node"] == 1)["clock"]
            assert 50 < clock["red"] <= 53 and clock["runs"] == "black"
            page.ask("documents")  # saves
            time.sleep(0.3)
        assert not workspace.documents
        spent = time.monotonic() - start
        time.sleep(0.3)
        with paging(client) as page:  # the clock of the file
            assert 49.99 - spent < page.document["game"]["clock"]["black"] < 49.75


def test_an_engine_plays_an_engine(page):
    page.ask("new", fen=MATE_IN_ONE, players={"red": 0, "black": 0}, moveTime=0.05)
    result = page.result()["result"]
    assert result["winner"] == "red" and result["reason"] in ("checkmate", "stalemate")


def test_a_game_begins_in_the_middle_of_an_analysis(page):
    page.move("h2e2", "h9g7")
    page.ask("play", node=1, players={"red": 0, "black": None}, levels={"red": 0})
    page.game()
    answer = page.ask("move", node=1, move="b9c7")
    assert nodes_of(page)[answer["node"]] == (1, "b9c7")


def test_a_perpetual_chase_is_explained(page):
    page.ask("new", fen=CHASE)
    page.move(*2 * ["h6i6", "i0h0", "i6h6", "h0i0"])
    page.ask("go", node=8)
    outcome = page.until("board", lambda m: m["node"] == 8)["outcome"]
    assert outcome["winner"] == "black" and outcome["reason"] == "perpetual_chase"
    [red, black] = outcome["offences"]
    assert red["chases"] == [{"victim": ["c", "i0"], "attackers": [["R", "h6"]]}]
    assert (red["kind"], black["kind"]) == ("chase", "none")


# Engines


def test_analysis_reports_lines_for_the_node_that_was_asked(page):
    page.move("h2e2")
    page.ask("analyse", node=1, lines=3)
    # The first report may come when two of the lines so far begin with the same move.
    info = page.until("info", lambda m: m["depth"] >= 4 and len(m["lines"]) == 3)
    assert info["node"] == 1
    assert engine_pool.REPORT == 0.1  # seconds
    best = info["lines"][0]
    assert best["moves"][0][0][1] > "4"  # a move of Black
    assert best["moves"][0][1] and -300 < best["cp"] < 300 and 0 < best["win"] < 1
    page.ask("analyse", node=0, lines=1)
    info = page.until("info", lambda m: m["node"] == 0)
    assert len(info["lines"]) == 1
    page.ask("stop")
    page.news.clear()
    time.sleep(0.4)
    page.ask("documents")
    assert not [m for m in page.news if m["type"] == "info"]


def test_the_score_of_an_analysis_stays_with_its_node(page):
    page.ask("analyse", node=0)
    page.until("info", lambda m: m["depth"] >= analysis.KEPT_DEPTH)
    page.ask("stop")
    node = page.until("node")["node"]
    assert node["id"] == 0 and -300 < node["score"]["cp"] < 300


def test_a_mate_is_found_and_its_analysis_ends(page):
    page.ask("new", fen=MATE_IN_ONE)
    page.ask("analyse", node=0)
    info = page.until("info", lambda m: m["lines"] and "mate" in m["lines"][0])
    assert info["lines"][0]["mate"] == 1 and info["lines"][0]["win"] == 1
    node = page.move("i7i9")
    page.ask("analyse", node=node)
    info = page.until("info", lambda m: m["node"] == node)
    assert info.get("over") or info["lines"]


def test_a_mate_is_looked_for_and_its_moves_are_told(page, monkeypatch):
    fen = "5k3/3Pa1P2/3a3n1/6N2/9/9/9/3A5/2p2p3/4K4 w"  # a kill in five moves
    page.ask("new", fen=fen)
    answer = page.ask("mate", node=0)
    board = Board(fen)
    for move, *_ in answer["line"]:
        board.push(Move.from_iccs(move))
    assert len(answer["line"]) == 2 * answer["mate"] - 1 and not any(board.legal_moves)
    page.ask("line", node=0, moves=[move for move, *_ in answer["line"]])
    monkeypatch.setattr(search, "MATE", Limit(time=0.1, mate=30))
    page.ask("new")
    assert page.ask("mate", node=0)["line"] == []
    page.ask("play", node=0, players=PERSONS)
    assert page.ask("mate", node=0)["code"] == "game-running"


def test_a_socket_closed_in_the_middle_of_a_search_ends_it(server):
    client, workspace = server
    with paging(client) as page:
        page.ask("analyse", node=0)
        page.until("info")
        assert workspace.pools[0].busy == 1
    wait_until(lambda: workspace.pools[0].busy == workspace.sockets == 0)


def test_a_hint_does_not_wait_for_an_analysis(server, monkeypatch):
    monkeypatch.setattr(engine_pool, "SLICE", 60.0)
    client, workspace = server
    workspace.pools[0].threads = 1
    with paging(client) as one, paging(client) as two:
        one.ask("analyse", node=0)
        one.until("info")
        started = time.monotonic()
        assert Board().is_legal(Move.from_iccs(two.ask("hint", node=0)["line"][0][0]))
        assert time.monotonic() - started < 60
        one.news.clear()
        one.until("info")  # the analysis goes on afterwards


async def test_a_page_that_has_gone_is_shown_nothing(tmp_path):
    """The answer to its last request would keep a document, and its game, open for ever."""
    workspace = Workspace(BoardOptions(folder=tmp_path))
    gone = connection.Connection(workspace, lambda m: None, lambda kind, m: None)
    gone.start({"type": "hello"})
    gone.close()
    await gone.handle({"type": "new", "players": PERSONS})
    assert not any(one.has_pages for one in workspace.documents)
    await workspace.stop()


def test_a_page_that_asks_too_much_waits_and_leaves_nothing_behind(server):
    client, workspace = server
    with paging(client) as page:
        for number in range(60):
            page.say("hint", id=1000 + number, node=0)
        time.sleep(0.5)
        assert len(workspace.pools[0]._waiting) <= connection.MAX_CONCURRENT
    wait_until(lambda: not workspace.pools[0].busy and not workspace.pools[0]._waiting)


@pytest.mark.system
@pytest.mark.parametrize("number", [5, pytest.param(20, marks=pytest.mark.slow)])
def test_many_pages_share_the_engines(tmp_path, number):
    """All analyses get reports, other requests stay answered, the limit of threads holds."""
    with serving(tmp_path, threads=2) as (client, workspace):
        workspace.pools[0].threads = 2
        with ExitStack() as stack:
            pages = [stack.enter_context(paging(client)) for _ in range(number)]
            for page in pages:
                page.ask("analyse", node=0, threads=2)
            for page in pages:
                page.until("info")
            started = time.monotonic()
            pages[0].ask("hint", node=0)  # goes before the analyses
            assert time.monotonic() - started < 60
            assert workspace.pools[0].max_busy == 2


@pytest.mark.system
def test_another_engine_is_chosen_by_number(tmp_path):
    command = f"{sys.executable} -m eleengine"
    with serving(tmp_path, engines=[command]) as (client, _), paging(client) as page:
        assert len(page.welcome["engines"]) == 4
        page.ask("analyse", node=0, engine=1, lines=2)
        info = page.until("info", lambda m: len(m["lines"]) == 2)
        assert info["depth"] >= 1
        page.ask("stop")


def test_an_engine_that_does_not_start_is_told(tmp_path):
    with serving(tmp_path, engines=["/no/such/engine"]) as (client, _), paging(client) as page:
        page.ask("analyse", node=0, engine=1)
        error = page.until("error")
        assert error["code"] == "engine" and "/no/such/engine" in error["message"]
        page.ask("analyse", node=0)
        assert page.until("info")["lines"]


@pytest.mark.parametrize(
    ("command", "why"), [("", "--engine: the word behind it is empty"), (" ", "--engine ' ': no program")]
)
def test_an_engine_without_a_program_is_refused(command, why):
    found = call("board", "--no-browser", "--engine", command)
    assert (found.stderr, found.returncode) == (f"eleengine: {why}\n", 2)


def test_an_engine_is_named_by_its_program():
    for command in ('"/my engines/pika fish" -x', '"/my engines/pika fish"'):
        assert pool.program_name(command) == "pika fish"


# Review and puzzles


def test_a_review_finds_the_blunder_and_the_better_move(page):
    assert page.ask("report_page", language="en")["code"] == "nothing-to-review"
    node = page.move("h2e2", "h9g7", "e2e6", "g7e6", "h0g2", "i9h9")  # the cannon is given away
    page.ask("review", seconds=0.05)
    summary = page.until("review")["summary"]
    assert sum(summary["red"]["marks"].values()) >= 1
    assert 0 <= summary["red"]["accuracy"] < summary["black"]["accuracy"] <= 100
    found = {n["id"]: n for n in summary["nodes"]}
    assert set(found) == set(range(node + 1)) and all("score" in n for n in found.values())
    assert found[3]["nag"] in (2, 4) and found[3]["better"][0][0] != "e2e6"
    page.ask("header", name="Red", value="Hu")
    page.ask("annotate", node=3, comment="a gift")
    page.move("a3a4", node=node)
    kinds = ("report_page", "game_page")
    report, game = (page.file(kind, language="zh-Hans").decode() for kind in kinds)
    assert all(text.startswith("<!") and "炮二平五" in text and "Hu" in text for text in (report, game))
    assert "a gift" in game and "兵九进一" in game and "胜率" in game
    saved = page.ask("save", format="pgn", review=True, language="zh-Hans")["text"]
    assert "胜率" in saved and "winning" not in saved


@pytest.mark.parametrize(
    "moves",
    [
        "h2e2 b9c7 h0g2 h7f7 b0a2",  # the book has the last move and thinks it an inaccuracy
        "c3c4 b7c7 h0g2 g6g5 e3e4",
        "h2e2 h9g7 e2e6 g7e6 a3a4",
        "b0c2 b9a7 h2i2 a9a8 i2i6 a6a5",
    ],
)
async def test_the_review_of_the_page_is_that_of_the_library(moves, tmp_path):
    """Both ask the same engine, so whatever differs is a rule that stands twice."""
    game, limit = Game(), Limit(nodes=5000)
    game.play_line(moves.split())
    with book.shipped() as masters, Engine() as engine:
        expected = review_game(game, engine, limit, book=masters)

    class OneEngine:
        game = object()

        async def search(self, job):
            return PlayResult(None, None, engine.analyse(job.board, job.limit, game=self.game))

    with book.shipped() as masters, Engine() as engine:
        tree = document.Document(Store(tmp_path), Game.from_dict(game.to_dict()))
        await board_review.review_document(tree, OneEngine(), limit, masters)
    assert tree.review.book_plies == expected.book_plies
    assert tree.review.moves == expected.moves
    assert tree.game.equals(game)  # what people have written stays
    glyphs = [[] if found.mark is None else [GLYPHS[found.mark]] for found in expected.moves]
    assert [list(node.nags) for node in tree.reviewed_game("en").mainline()] == glyphs
    tree.delete(tree.node_id(tree.game.end()))
    assert [list(node.nags) for node in tree.reviewed_game("en").mainline()] == glyphs[:-1]


def test_a_review_whose_moves_are_deleted_ends(page):
    page.move("h2e2", "h9g7")
    page.ask("review", seconds=0.1)
    page.ask("delete", node=1)
    assert page.until("error")["code"] == "review-ended"


def test_a_game_is_reviewed_once_at_a_time(server, page):
    page.move("h2e2", "h9g7")
    with paging(server[0], doc=page.document["doc"]) as other:
        page.ask("review", seconds=60)
        assert page.ask("review", seconds=60)["code"] == other.ask("review", seconds=60)["code"] == "busy"
        page.ask("cancel")
        assert page.until("review")["summary"] is None
        assert "code" not in other.ask("review", seconds=0.01)
        assert page.until("review")["summary"]


async def test_what_ends_after_its_page_has_gone_overwrites_nothing(tmp_path, monkeypatch):
    """A review that is cancelled changes its document last; the next page has the same document."""

    async def endless(*_):
        await asyncio.Event().wait()

    monkeypatch.setattr(document, "SAVE_DELAY", 0.05)
    monkeypatch.setattr(board_review, "review_document", endless)
    workspace = Workspace(BoardOptions(folder=tmp_path))
    workspace.pools = [pool.Pool("none", [])]
    first, second = (connection.Connection(workspace, lambda m: None, lambda kind, m: None) for _ in range(2))
    first.start({"type": "hello"})
    await first.handle({"type": "move", "node": 0, "move": "h2e2"})
    one = first.document
    await first.handle({"type": "review", "seconds": 1})
    await asyncio.sleep(0)  # it has begun
    first.close()
    second.start({"type": "hello", "doc": one.key})
    assert second.document is one
    second.close()
    while not one.reviewing.done():
        await asyncio.sleep(0)
    assert not workspace.documents and not one.is_unsaved
    workspace.delete(one.key)
    await asyncio.sleep(2 * document.SAVE_DELAY)
    assert not list(tmp_path.glob("*.json"))


def test_guesses_are_judged(page):
    page.move("h2e2", "h9g7")
    assert page.ask("guess", node=2, move="e2e6")["good"] is False
    assert page.ask("guess", node=2, move="h0g2")["good"] is True


# The kept games


def test_the_kept_games_say_where_they_stand(page):
    text = '[Red "Hu"]\n[Black "Xu"]\n\n1. h2e2 h9g7 *'
    first = opened_as(page, text)
    page.ask("review", seconds=0.01)
    page.until("review")
    page.ask("new", players={"red": None, "black": 0}, levels={"black": 0})
    page.game()
    page.ask("game", action="resign")
    page.result()
    page.ask("new", players=PERSONS)
    page.ask("new")
    kept = page.ask("documents")["documents"]
    assert sorted((game["state"], game["reviewed"], game["plies"]) for game in kept) == [
        ("", True, 2), ("lost", False, 0), ("running", False, 0),
    ]  # fmt: skip
    shown = next(game for game in kept if game["doc"] == first)
    assert shown["fen"] == "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR"
    renamed = page.ask("rename", doc=first, title="A study")["documents"]
    assert next(game["title"] for game in renamed if game["doc"] == first) == "A study"
    assert page.ask("rename", doc="0" * 32, title="x")["code"] == "unknown-document"
    assert page.ask("rename", doc=3, title="x")["code"] == "unknown-document"
    assert opened_as(page, text) == first  # the same file again
    assert opened_as(page, text.replace("h9g7", "b9c7")) != first


def opened_as(page, text):
    page.ask("open", text=text)
    return page.until("document", lambda m: m["headers"].get("Red") == "Hu")["doc"]


def test_a_puzzle_is_solved_by_its_line(page):
    listed = page.ask("puzzles")["puzzles"]
    assert len(listed) > 100 and listed[0]["moves"] <= listed[50]["moves"]
    page.ask("puzzle", number=0)
    state = page.until("document")["puzzle"]
    assert state["state"] == "open" and state["tries"] == 0
    puzzle = puzzles.puzzles()[0]
    line = puzzle["line"]
    wrong = next(m.iccs() for m in Board(puzzle["fen"]).legal_moves if m.iccs() not in puzzle["best"])
    answer = page.ask("move", node=0, move=wrong)
    assert answer == {"re": page.next, "right": False, "node": 0}
    assert page.until("puzzle")["puzzle"]["tries"] == 1
    assert page.ask("hint", node=0)["square"] == line[0][:2]
    solve(page, line)
    assert progress(page)[:3] == ["helped", None, None]
    page.ask("puzzle", choose="next", after=-1)
    assert page.until("document")["puzzle"]["number"] == 0
    solve(page, line)
    assert progress(page)[:3] == ["solved", None, None]
    page.ask("puzzle", choose="next", after=-1)
    assert page.until("document")["puzzle"]["number"] == 1
    page.ask("solution")
    assert page.until("puzzle", lambda m: m["puzzle"]["state"] == "shown")
    assert progress(page)[:3] == ["solved", "helped", None]


def test_the_solution_of_a_puzzle_is_shown_after_another_good_move(page):
    number = next(n for n, one in enumerate(puzzles.puzzles()) if one.get("line") and one.get("also_good"))
    puzzle = puzzles.puzzles()[number]
    page.ask("puzzle", number=number)
    assert page.ask("move", node=0, move=puzzle["also_good"][0])["right"]
    node = page.ask("solution")["node"]
    assert page.until("board", lambda m: m["node"] == node)["last"] == puzzle["line"][0]


def test_a_game_may_begin_while_a_puzzle_waits_for_the_engine(page, monkeypatch):
    async def slow(*_):
        while not begun:
            await asyncio.sleep(0.01)
        return False

    begun = []
    monkeypatch.setattr(puzzles, "_is_right", slow)
    page.ask("puzzle", number=0)
    page.say("move", id=9999, node=0, move=puzzles.puzzles()[0]["line"][0])
    page.ask("play", node=0, players=PERSONS)
    begun.append(True)
    while (message := page.hear()).get("re") != 9999:
        pass
    assert message["code"] == "bad-message"


def progress(page):
    return [one["progress"] for one in page.ask("puzzles")["puzzles"]]


def solve(page, line):
    node = 0
    for text in line[::2]:
        answer = page.ask("move", node=node, move=text)
        assert answer["right"]
        node = answer["node"]
    assert page.until("puzzle", lambda m: m["puzzle"]["state"] == "solved")


def test_moves_name_their_opening(page):
    page.ask("open", text="h2e2 h9g7 h0g2 b9c7 b0c2")
    nodes = page.until("document", lambda m: len(m["nodes"]) == 6)["nodes"]
    assert [node.get("opening", [""])[0] for node in nodes] == [
        "", "Central Cannon", "", "", "Central Cannon against Screen Horses", "",
    ]  # fmt: skip


def test_puzzles_have_steps_of_difficulty(page):
    answer = page.ask("puzzles")
    listed = answer["puzzles"]
    assert {one["level"] for one in listed} == {1, 2, 3, 4, 5, 6}
    assert {theme for one in listed for theme in one["themes"]} == answer["themes"].keys()
    page.ask("puzzle", choose="random", level=3)
    shown = page.until("document")["puzzle"]
    assert shown["level"] == listed[shown["number"]]["level"] == 3
    assert page.ask("puzzle", choose="random", level=7)["code"] == "bad-message"


def test_a_puzzle_is_known_by_its_position(page, server):
    page.ask("puzzle", number=3)
    key = page.until("document")["doc"]
    document = server[1].find(key)
    document.puzzle["number"] = 700  # as other files of puzzles had it
    assert puzzles.puzzle_of(document) is puzzles.puzzles()[3]


@pytest.mark.parametrize("numbers", [[], list(range(49)), [-1], [1 << 20], [True], "1", None])
def test_a_sheet_of_puzzles_that_are_not_there(page, numbers):
    wanted = {"language": "en", "letters": "chinese", "notation": "wxf"}
    assert page.ask("sheet", numbers=numbers, **wanted)["code"] in ("bad-message", "no-puzzle")


def test_a_sheet_has_all_solutions(page):
    words = {"language": "zh-Hans", "letters": "chinese", "notation": "chinese"}
    text = page.file("sheet", numbers=[0, 400, 1365], **words).decode()
    assert text.count("<svg ") == 3 and "黑先" in text
    for number in (0, 400):
        board = Board(puzzles.puzzles()[number]["fen"])
        moves = [board.parse_iccs(puzzles.puzzles()[number]["line"][0])]
        assert board.chinese(moves[0]) in text


def test_when_all_puzzles_are_solved(server):
    client, workspace = server
    first, *others = puzzles.puzzles()
    workspace.store.keep("progress", {puzzle["id"]: "solved" for puzzle in others})
    with paging(client) as page:
        page.ask("puzzle", choose="random")
        assert page.until("document")["puzzle"]["number"] == 0
        solve(page, first["line"])
        assert page.ask("puzzle", choose="next")["code"] == "all-solved"


def test_an_ending_is_won_against_the_best_defence(page):
    listed = page.ask("puzzles")["endings"]
    assert listed[0]["there"] and listed[0]["kind"] == "win"
    opened = open_tables()
    page.ask("puzzle", ending=0)
    document = page.until("document")
    board = Board(document["start"])
    wrong = next((str(move) for move, result, _ in opened.probe_moves(board) if result != 1), None)
    if wrong:
        assert not page.ask("move", node=0, move=wrong)["right"]
    node = 0
    for _ in range(60):
        move = opened.probe_moves(board)[0][0]
        answer = page.ask("move", node=node, move=move.iccs())
        assert answer["right"]
        node = answer["node"]
        board.push(move)
        if not board.legal_moves:
            break
        board.push(opened.probe_moves(board)[0][0])
    assert board.is_checkmate() or board.is_stalemate()
    assert page.until("puzzle", lambda m: m["puzzle"]["state"] == "solved")


def test_a_drawn_ending_is_held(page):
    listed = page.ask("puzzles")["endings"]
    drawn = next(one for one in listed if one["kind"] == "draw" and one["there"])
    page.ask("puzzle", ending=drawn["number"])
    document = page.until("document")
    opened = open_tables()
    node, start = 0, Board(document["start"])
    assert start.turn and opened.probe_wdl(start) == 0
    losing = [move for move, result, _ in opened.probe_moves(start) if result == -1]
    assert not page.ask("move", node=node, move=losing[0].iccs())["right"]
    assert page.ask("hint", node=0)["square"]
    page.ask("solution")
    assert page.until("puzzle", lambda m: m["puzzle"]["state"] == "shown")


def test_the_trainer_begins_on_normal_posts():
    opened = open_tables()
    for kind, wanted in (("win", 1), ("draw", 0)):
        fen, posted = endings.random_position(opened, "R-AABB", kind, random.Random(3))
        assert posted and opened.probe_wdl(Board(fen)) == wanted


def test_an_ending_has_the_verdict_of_books(page):
    """A rook against all guards is drawn, though the task is to win an unusual position."""
    number = next(one["number"] for one in page.ask("puzzles")["endings"] if one["table"] == "R-AABB")
    page.ask("puzzle", ending=number)
    verdict = page.until("document")["puzzle"]["verdict"]
    assert re.search(r"wins [1-9] % and draws 9\d %\.$", verdict[0]) and "和 9" in verdict[1]
    assert "elsewhere" in endings.verdict_texts(endings.Verdict(0, 1, 0), False)[0]


async def test_the_engines_know_the_endgame_tables():
    board = Board("4ka3/9/9/9/9/9/9/9/9/N2K5 w - - 0 1")
    ours = pool.Pool("ours", [Engine])
    for skill, known in ((20, True), (5, False)):
        found = await ours.search(pool.PoolJob(board, Limit(depth=2), hash_mib=4, skill=skill))
        score = found.info.get("score")
        assert (score is not None and score.relative.mate() == 19) == known
    await ours.close()


def test_analysis_and_review_say_what_the_table_knows(page):
    opened, board = open_tables(), Board("4Ck3/4a4/9/9/9/9/9/9/4A4/3K5 w")
    doc = page.ask("new", fen=board.fen())["doc"]
    page.until("document")
    page.ask("analyse", node=0)
    known = page.until("info")["known"]
    assert (known["winner"], known["plies"], known["certain"]) == ("red", 25, True)
    found = opened.probe_moves(board)
    kept = [move for move, result, _ in found if result == 1]
    assert [keep[0] for keep in known["keep"]] == [move.iccs() for move in kept]
    page.ask("stop")
    wrong = next(move for move, result, _ in found if result == 0)
    page.move(wrong.iccs())
    page.ask("review", seconds=0.05)
    page.until("review")
    assert page.shown(doc)["review"]["nodes"][1]["ending"] == [1, 0]
    assert "A won ending became drawn." in page.file("report_page", language="en").decode()


def test_names_of_puzzles_in_traditional_characters(page):
    names = {tuple(one["names"]) for one in page.ask("puzzles")["puzzles"] if one["names"]}
    found = {simplified: traditional for _, simplified, traditional in names}
    assert len(found) > 100
    assert found["鹏飞万里"] == "鵬飛萬里" and found["移星换斗"] == "移星換斗"
    assert found["车炮冷着"] == "車炮冷著" and found["翟输斗巧"] == "翟輸鬥巧"


def test_an_ending_without_its_table_names_it(page):
    missing = next(one for one in page.ask("puzzles")["endings"] if not one["there"])
    answer = page.ask("puzzle", ending=missing["number"])
    assert (answer["type"], answer["code"]) == ("error", "no-table")
    assert missing["table"] == answer["message"]


# Positions and files


def test_the_editor_is_told_what_is_wrong(page):
    answer = page.ask("position", fen="4k4/9/9/9/9/9/9/9/9/4K4 w")
    assert answer["defects"] == [[256, ["the kings on {} and {} face each other", "e0", "e9"]]]
    assert not answer["playable"]
    answer = page.ask("position", fen="x")
    assert answer["defects"][0][1] and not answer["playable"]
    answer = page.ask("position", fen=STARTING_FEN)
    assert answer["defects"] == [] and answer["playable"]
    refused = page.ask("new", fen="9/9/9/9/9/9/9/9/9/4K4 w")
    assert refused["code"] == "bad-position" and refused["defects"][0][1] == ["{} has no king", "black"]


def test_a_composed_position_is_played_all_the_same(page):
    composed = "3k2p2/4P4/9/9/9/2B1cnN2/9/7CR/4p4/2Cp1K3 w - - 0 1"
    answer = page.ask("position", fen=composed)
    assert answer["playable"]
    assert answer["defects"] == [[32, ["a {} {} can never stand on {}", "black", "pawn", "g9"]]]
    facing = page.ask("position", fen="4k1p2/9/9/9/9/9/9/9/9/4K4 w")
    assert [flag for flag, _ in facing["defects"]] == [256, 32] and not facing["playable"]
    page.ask("new", fen=composed)
    page.move("h2h9")


def test_a_game_is_saved_and_opened_again(page):
    page.move("h2e2", "h9g7")
    page.ask("annotate", node=1, comment="the centre")
    page.ask("line", node=0, moves=["b2e2"])
    page.ask("annotate", node=3, starting_comment="or so")
    text = page.ask("save", format="pgn", notation="chinese")["text"]
    assert "炮二平五" in text and "({or so}" in text
    answer = page.ask("open", text=text)
    assert "games" not in answer
    told = page.until("document", lambda m: m["doc"] != page.document["doc"])
    assert {n.get("move") for n in told["nodes"]} == {None, "h2e2", "h9g7", "b2e2"}
    comments = [(n.get("comment"), n.get("starting_comment")) for n in told["nodes"]]
    assert ("the centre", None) in comments and (None, "or so") in comments


def test_of_a_file_with_several_games_one_is_chosen(page):
    text = "\n".join(f'[Red "{name}"]\n\n1. {move} *\n' for name, move in (("A", "h2e2"), ("B", "b2e2")))
    games = page.open("two.pgn", text.encode())["games"]
    assert [game["red"] for game in games] == ["A", "B"]
    page.ask("choose", game=1)
    assert page.until("document", lambda m: m["headers"])["nodes"][1]["move"] == "b2e2"


WHOLE = '[Red "A"]\n\n1. h2e2 h9g7 *\n\n'
CUT = '[Red "B"]\n\n1. b2e2 b2e2 *\n\n'
UNREAD = '[Red "C"]\n[FEN "no board w"]\n\n1. h2e2 *\n\n'


@pytest.mark.parametrize(
    ("text", "left_out", "cut"),
    [
        (WHOLE + UNREAD, [(2, 6)], []),
        (UNREAD + WHOLE + CUT, [(1, 2)], [(3, 12)]),
        (CUT + WHOLE + UNREAD * 30, [(n, 5 * n - 5) for n in range(3, 23)], [(1, 3)]),
    ],
)
def test_games_that_cannot_be_read_are_named(page, text, left_out, cut):
    def said(answer):
        return [(warning["game"], warning["line"]) for warning in answer["warnings"]]

    answer = page.ask("open", text=text)
    assert said(answer) == left_out
    assert answer["unsaid"] == text.count("[FEN") - len(left_out)
    if "games" in answer:
        assert [game["red"] for game in answer["games"]] == re.findall("(?<=Red .)[AB]", text)
        assert said(page.ask("choose", game=int(answer["games"][1]["red"] == "B"))) == cut
        assert said(page.ask("index")) == cut


def test_a_position_with_a_warning_is_opened(page):
    answer = page.ask("open", text="4k4/9/9/9/9/9/9/9/R8/3K5")
    (warning,) = answer["warnings"]
    assert warning["reason"][0].startswith("the side to move is missing")
    assert page.until("document", lambda m: m["doc"] == answer["doc"])["start"].startswith("4k4/")


@pytest.mark.parametrize(("header", "title"), [("", "习题.txt"), ('[Red "Hu"]', ""), ('[Title "x"]', "x")])
def test_a_game_without_names_is_listed_by_its_file(tmp_path, header, title):
    with serving(tmp_path) as (client, _), paging(client) as page:
        page.ask("open", text="1. c3c4")
        page.open("习题.txt", f"{header}\n\n1. h2e2".encode())
    with serving(tmp_path) as (client, _), paging(client) as page:
        assert {game["title"] for game in page.ask("documents")["documents"]} == {"", title}


def test_the_first_warnings_of_a_game_are_said_and_the_rest_is_counted(page):
    answer = page.ask("open", text="".join(f'[Red "{n}"]\n' for n in range(51)) + "\n1. h2e2 *")
    assert (len(answer["warnings"]), answer["unsaid"]) == (20, 30)


SAMPLES = sorted(path for path in (CHECKOUT / "tests" / "records").glob("*") if path.suffix != ".json")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_every_sample_record_opens(any_page, path):
    answer = any_page.open(path.name, path.read_bytes())
    assert answer.get("type") != "error", answer
    if "games" in answer:
        assert any_page.ask("choose", game=0).get("type") != "error"
    any_page.news.clear()


def test_pools_stop_waiting_searches(server, page):
    for _ in range(5):
        page.ask("analyse", node=0)
    page.ask("stop")
    wait_until(lambda: not server[1].pools[0].busy and not server[1].pools[0]._waiting)


class OddEngine(Engine):
    """An engine that goes wrong when it is asked to search."""

    def analysis(self, *args, **options):
        raise KeyError("of a kind that nobody thought of")

    def close(self):
        super().close()
        raise OSError("it does not even end well")


@pytest.mark.parametrize("fault", ["odd", pytest.param("deaf", marks=pytest.mark.system), "report", "dead"])
async def test_an_engine_that_goes_wrong_is_replaced(monkeypatch, fault):
    monkeypatch.setattr("eleengine.engines.external.driver.STOP_SECONDS", 0.1)
    made = []

    def make():
        if fault == "deaf" and not made:
            made.append(ExternalEngine([sys.executable, "-c", DEAF], protocol="ucci"))
        else:
            made.append((OddEngine if fault == "odd" and not made else Engine)(hash_mib=1))
        return made[-1]

    def report(lines):
        if fault == "report":
            raise KeyError("the page")

    odd = pool.Pool("odd", [make])
    job = odd.submit(pool.PoolJob(Board(), None, hash_mib=1, report=report))
    if fault == "dead":
        while not made:
            await asyncio.sleep(0.01)
        job.stop()
        await job.result
        made[0].close()
    else:
        asyncio.get_running_loop().call_later(0.1, job.stop)
        with pytest.raises(EngineError):
            await asyncio.wait_for(job.result, 60)
    found = await asyncio.wait_for(odd.search(pool.PoolJob(Board(), Limit(depth=1), hash_mib=1)), 60)
    assert found.move in Board().legal_moves and odd.busy == 0
    await odd.close()
    assert [engine.alive for engine in made] == [False, False]


@pytest.mark.parametrize("turns", range(6))
async def test_a_search_that_is_stopped_as_it_begins_ends(turns):
    """Wherever it has come to: the stop must not wait for a move that nobody wants."""
    ours = pool.Pool("ours", [partial(Engine, hash_mib=1)])
    await ours.search(pool.PoolJob(Board(), Limit(depth=1), hash_mib=1))
    for report in (None, lambda lines: None):
        job = ours.submit(pool.PoolJob(Board(), Limit(time=600), hash_mib=1, report=report))
        for _ in range(turns):
            await asyncio.sleep(0)
        job.stop()
        await job.result
    await ours.close()


async def test_an_analysis_makes_room_for_a_move_and_goes_on():
    ours = pool.Pool("ours", [partial(Engine, hash_mib=1)])
    seen = asyncio.Event()
    endless = ours.submit(pool.PoolJob(Board(), None, hash_mib=1, report=lambda lines: lines and seen.set()))
    await seen.wait()
    assert (await ours.search(pool.PoolJob(Board(), Limit(depth=2), hash_mib=1))).move
    seen.clear()
    await seen.wait()
    assert not endless.result.done()
    endless.stop()
    assert (await endless.result).move
    await ours.close()


async def test_the_theses_programs_move_and_analyse():
    """As a page lets them: for a move in a game, and without end until it is stopped."""
    ours, *others = pool.make_pools([], size=1, hash_mib=4)
    assert [one.name for one in others] == ["thesis", "engine-thesis"]
    for other in others:
        move = (await other.search(pool.PoolJob(Board(), Limit(depth=2), hash_mib=1))).move
        assert move in Board().legal_moves
        seen = asyncio.Event()
        job = pool.PoolJob(Board(), None, hash_mib=1, report=lambda lines, seen=seen: lines and seen.set())
        other.submit(job)
        await seen.wait()
        job.stop()
        assert (await job.result).info["pv"][0] in Board().legal_moves
    for one in (ours, *others):
        await one.close()


def test_documents_without_anything_in_them_are_not_kept(tmp_path):
    with serving(tmp_path) as (client, _), paging(client) as page:
        page.ask("new")
    assert not list(tmp_path.glob("*.json"))


def test_what_one_request_causes_comes_as_one_list(server, page):
    """A page never knows a move of a game without its position, nor stands on a move that is gone."""
    page.ask("play", node=0, players=PERSONS)
    page.heard.clear()
    page.say("move", id=900, node=0, move="h2e2")
    kinds = [message.get("type") for message in json.loads(page.socket.receive_text())]
    assert kinds == ["node", "board", "game", None]
    page.ask("game", action="stop")
    with paging(server[0], doc=page.document["doc"]) as other:
        assert other.board["node"] == 1
        page.ask("delete", node=1)
        assert other.until("document", lambda found: len(found["nodes"]) == 1)
        assert other.heard[0]["type"] == "board" and other.heard[0]["node"] == 0


def test_a_text_about_one_game_does_not_go_to_another(page):
    page.move("h2e2")
    before = page.document["doc"]
    page.ask("new")
    page.move("a0a1")
    refused = page.ask("annotate", doc=before, node=1, comment="of the other game")
    assert refused["code"] == "unknown-document"
    assert page.ask("header", doc=before, name="Red", value="x")["code"] == "unknown-document"


def test_the_list_reads_only_what_has_changed(tmp_path, monkeypatch):
    read = []
    peek = Store.peek
    monkeypatch.setattr(Store, "peek", lambda self, key: read.append(key) or peek(self, key))
    store = Store(tmp_path)
    keys = [store.save(n * 32, {"game": Game(headers={"Red": n}).to_dict(), "at": 0}) for n in "abc"]

    def listed():
        read.clear()
        return {line["doc"]: line["red"] for line in Workspace(BoardOptions(folder=tmp_path)).summaries()}

    assert listed() == dict(zip(keys, "abc", strict=True)) and len(read) == 3
    assert listed() == dict(zip(keys, "abc", strict=True)) and not read
    store.save(keys[1], {"game": Game(headers={"Red": "someone"}).to_dict(), "at": 0})
    store.delete(keys[0])
    assert listed() == {keys[1]: "someone", keys[2]: "c"} and read == [keys[1]]
    kept = json.loads((tmp_path / "summaries").read_text())
    forged = [{**kept, keys[1]: {**kept[keys[1]], "digest": digest}} for digest in ("zz", 7, "")]
    for damaged in ("", "[]", json.dumps({keys[1]: 1}), *map(json.dumps, forged)):
        (tmp_path / "summaries").write_text(damaged)
        assert listed() == {keys[1]: "someone", keys[2]: "c"} and keys[1] in read
    assert (tmp_path / "summaries").stat().st_mode & 0o077 == 0


def test_games_of_other_makes_are_kept_as_they_are(tmp_path):
    game = Game("4k4/9/9/9/9/9/9/9/9/3K5 b", headers={"Red": "x"})
    game.play("e9e8", comment="c")
    store = Store(tmp_path)
    key = store.save("a" * 32, {"game": game.to_dict(), "at": 1})
    with serving(tmp_path) as (client, _), paging(client, doc=key) as page:
        assert page.board["node"] == 1 and page.document["headers"] == {"Red": "x"}


@pytest.mark.parametrize("keep", [False, True])
def test_the_server_ends_when_no_page_has_looked_for_a_while(tmp_path, keep, monkeypatch):
    workspace = Workspace(BoardOptions(folder=tmp_path))
    monkeypatch.setattr(web, "IDLE_SECONDS", 0.35)
    server = web._make_server(workspace, keep=keep)

    def ends(ticks):
        return True in [asyncio.run(server.on_tick(1)) for _ in range(ticks)]

    assert not ends(100)  # the first page may take its time
    workspace.sockets = 1
    assert not ends(20)
    workspace.sockets = 0
    assert not ends(3)
    assert ends(2) is not keep


def test_lines_of_two_depths_are_put_in_order():
    def line(move, score, depth):
        return {"pv": [Move.from_iccs(move)], "score": PovScore(Cp(score), True), "depth": depth}

    old = [line("h2e2", 50, 9), line("h0g2", 40, 9), line("c3c4", 30, 9)]
    assert is_complete(old) and true_lines(old, [], 3) == old
    mixed = [line("c3c4", 45, 10), old[1], old[2]]  # its first line is of the new depth
    assert true_lines(mixed, old, 3) == [old[0], mixed[0], old[1]]
    assert not is_complete(true_lines(mixed, old, 3))
    black = [{**one, "score": PovScore(one["score"].relative, False)} for one in old]
    assert true_lines(black[::-1], [], 2) == black[:2]
    assert true_lines([{"depth": 1}], [], 3) == []


# The coach


def test_the_coach_warns_of_a_blunder_before_it_is_answered(page):
    page.ask("new", players={"red": None, "black": 0}, levels={"black": 0}, warn="blunders", moveTime=0.1)
    page.until("board")
    node = page.move("h2e2")
    game = page.game(lambda game: game["turn"] == "red" and game["node"] > node)
    assert game["judged"] is None  # a good move is answered at once, without a word
    page.ask("new", fen=HANGING, players={"red": None, "black": 0}, warn="blunders", moveTime=0.1)
    page.news.clear()
    node = page.move("a0b0")
    game = page.game(lambda game: game["judged"])
    judged = game["judged"]
    assert judged["held"] and judged["node"] == node and not game["thinking"]
    assert judged["mark"] == "blunder" and judged["loss"] >= 20
    assert judged["refutation"][0][0] == "b9b0" and judged["better"][0][0] != "a0b0"
    assert "mate" in judged["why"]["en"] and "杀" in judged["why"]["zh-Hans"]
    page.ask("game", action="takeback")
    game = page.game(lambda game: game["node"] == 0)
    assert game["judged"] is None and game["turn"] == "red"
    page.news.clear()
    page.move("a0b0")
    page.game(lambda game: game["judged"])
    page.ask("game", action="accept")
    game = page.game(lambda game: game["turn"] == "red")
    assert game["judged"]["mark"] == "blunder" and not game["judged"]["held"] and game["node"] > node


def test_practice_judges_each_move(page):
    """A bad move waits, and the move that was called better is judged good and answered."""
    page.ask("new", fen=HANGING, players={"red": None, "black": 0}, warn="each", moveTime=0.1)
    page.news.clear()
    page.move("a0b0")
    judged = page.game(lambda game: game["judged"])["judged"]
    assert judged["held"] and judged["loss"] >= 20
    page.ask("game", action="takeback")
    page.game(lambda game: game["node"] == 0)
    page.news.clear()
    node = page.move(judged["better"][0][0])
    game = page.game(lambda game: game["turn"] == "red" and game["node"] > node)
    judged = game["judged"]
    assert judged["node"] == node and not judged["held"] and judged["mark"] is None and judged["loss"] < 5


def test_practice_names_moves_of_the_book(tmp_path):
    with book.shipped() as masters, serving(tmp_path, book=masters) as (client, _), paging(client) as page:
        page.ask("new", players={"red": None, "black": 0}, warn="each", moveTime=0.05)
        page.news.clear()
        node = page.move("h2e2")
        judged = page.game(lambda game: game["judged"])["judged"]
        assert judged == {"node": node, "book": True, "held": False}


def test_engines_show_what_they_think(page):
    """Each engine has its level; score and line of its last move are there, the score also in the tree."""
    levels = {"red": 20, "black": 3}
    doc = page.ask("new", players={"red": 0, "black": 0}, levels=levels, moveTime=0.05)["doc"]
    found = page.game(lambda game: all(game["found"].values()))
    assert found["levels"] == levels
    for side in ("red", "black"):
        thought = found["found"][side]
        assert thought["depth"] >= 1 and thought["moves"] and 0 <= thought["win"] <= 1
    page.ask("game", action="stop")
    document = page.shown(doc)
    assert document["headers"]["Red"] == "eleengine, level 20"
    assert all("score" in node for node in document["nodes"] if node["id"])


HANGING = "1r1k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1"


@pytest.mark.parametrize(
    ("fen", "square", "reason"),
    [
        (STARTING_FEN, "a0", None),
        (STARTING_FEN, "e9", None),  # of the other side
        (STARTING_FEN, "e4", None),
        ("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4A4/RNBAK1BNR w - - 0 1", "d0", "blocked"),
        ("4k4/9/9/9/4r4/9/9/9/4A4/4K3R w - - 0 1", "e1", "shields"),
        ("3k5/9/9/9/4r4/9/9/9/9/4K3R w - - 0 1", "i0", "check"),
    ],
)
def test_a_piece_that_cannot_move_says_why(page, fen, square, reason):
    """The reasons why a move is illegal are those of eleengine.legality."""
    assert page.ask("why", node=0, square="h0", to="f1")["reason"] == "leg"
    assert page.ask("why", node=0, square="h2", to="e2")["reason"] is None
    page.ask("new", fen=fen)
    assert page.ask("why", node=0, square=square) == {"re": page.next, "reason": reason}


def test_the_colors_of_marks_are_those_of_the_library():
    """The style sheet, which is no template, has them once more: on light ground, and twice on dark."""
    text = (Path(document.__file__).parent / "page" / "style.css").read_text(encoding="utf-8")
    for mark in MARKS:
        if mark.words:
            assert re.findall(rf"--{mark.name}: (#\w+);", text) == [mark.color, mark.dark, mark.dark]
