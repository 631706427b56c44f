"""The board loses nothing and lets nobody in: what is on the disk, who may read it, files made to do harm."""

import asyncio
import bz2
import errno
import gzip
import io
import json
import lzma
import multiprocessing.resource_tracker
import multiprocessing.spawn
import os
import random
import shutil
import signal
import socket
import stat
import sys
import threading
import time
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from support import call, examples, raises, wait_until

pytest.importorskip("starlette", reason="needs the extra board")
pytest.importorskip("httpx2", reason="Starlette's test client needs httpx2")

from webboard_support import PERSONS, listening, living, paging, serving

from eleengine import STARTING_FEN
from eleengine.webboard import app, document, files, server
from eleengine.webboard.document import Document
from eleengine.webboard.errors import RequestError
from eleengine.webboard.store import Store
from eleengine.webboard.workspace import BoardOptions, Workspace

posix = pytest.mark.skipif(sys.platform == "win32", reason="permissions and limits of POSIX")
KILLS = int(os.environ.get("ELEENGINE_TEST_KILLS", "20"))
SAVE_DELAY = document.SAVE_DELAY  # of servers of their own, whatever a test sets here


# Nothing lost


def content(data):
    """What a page shows of a document, with nodes by their index: ids are new after each start."""
    index = {node["id"]: n for n, node in enumerate(data["nodes"])}
    nodes = [
        {**node, "id": index[node["id"]], "parent": index[node.get("parent", 0)]} for node in data["nodes"]
    ]
    game = data["game"]
    if game is not None:
        kept = ("players", "levels", "clock", "moveTime", "result", "turn")
        game = {name: game[name] for name in kept} | {n: index[game[n]] for n in ("start", "node")}
    return {"nodes": nodes, "game": game} | {name: data[name] for name in ("headers", "start", "puzzle")}


def look(page):
    """Let the page show its document anew."""
    page.document = page.shown()


def shown_and_saved(page, folder):
    """What the page shows, and what a server would show that begins after this one is killed."""
    look(page)
    page.ask("show", doc=page.document["doc"])  # the loop has turned, so what was due is saved
    key = page.document["doc"]
    shown = content(page.document)
    if not (folder / f"{key}.json").exists():
        assert len(shown["nodes"]) == 1 and not shown["game"] and not shown["nodes"][0].get("comment")
        assert shown["start"] == STARTING_FEN or shown["puzzle"]
        return shown, shown
    return shown, content(Document.load(Store(folder), key).data())


KINDS = (
    ["move"] * 6 + ["delete"] * 3 + ["promote", "annotate", "header", "new", "game", "game", "play", "fen"]
    + ["resign", "stop", "takeback", "draw", "pause", "resume", "puzzle", "solution", "open", "line"]
)  # fmt: skip


def take(page, kind, which, what):
    """Ask for something; `which` and `what` choose among the possible."""
    look(page)
    nodes = [node["id"] for node in page.document["nodes"]]
    node = nodes[which % len(nodes)]
    game = page.document["game"]
    if kind == "move":
        if game and not game["result"]:
            node = game["node"]
        page.news.clear()
        page.ask("go", node=node)
        legal = sorted(a + b for a, ends in page.until("board")["legal"].items() for b in ends)
        if legal:
            page.ask("move", node=node, move=legal[what % len(legal)])
    elif kind == "line":
        page.ask("line", node=0, moves=["h2e2", "h9g7", "h0g2"][: what % 4])
    elif kind == "delete":
        page.ask("delete", node=node)
    elif kind == "promote":
        page.ask("promote", node=node, how=["main", "promote", "demote"][what % 3])
    elif kind == "annotate":
        page.ask("annotate", node=node, comment="text " * (what % 3), nags=[2, 4][: what % 3])
    elif kind == "header":
        page.ask("header", name=["Red", "Title"][what % 2], value=["", "Hu"][which % 2])
    elif kind in ("new", "game", "fen"):
        players = {"players": PERSONS} if kind == "game" else {}
        fen = {"fen": "3k5/R8/8R/9/9/9/9/9/9/5K3 w - - 0 1"} if kind == "fen" else {}
        page.document["doc"] = page.ask("new", **players, **fen)["doc"]
    elif kind == "play":
        page.ask("play", node=node, players=PERSONS)
    elif kind == "puzzle":
        page.ask("puzzle", number=which)
        page.document = page.until("document")
    elif kind == "solution":
        page.ask("solution")
    elif kind == "open":
        page.ask("open", text="1. h2e2 h9g7 2. h0g2 *")
        page.document = page.until("document")
    else:
        page.ask("game", action=kind)


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 60), st.integers(0, 60)), max_size=30))
@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_what_is_on_the_disk_is_what_the_page_shows(saving_at_once, steps):
    page, folder = saving_at_once
    page.document["doc"] = page.ask("new")["doc"]
    for kind, which, what in steps:
        take(page, kind, which, what)
        shown, saved = shown_and_saved(page, folder)
        assert saved == shown


@pytest.fixture(scope="module")
def saving_at_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("saving")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "SAVE_DELAY", 0.0)
        with serving(folder) as (client, _), paging(client) as page:
            yield page, folder


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_killed_server_has_lost_no_more_than_half_a_second(tmp_path):
    """Each document is as a page has shown it, not before the last time that it had to be on the disk."""
    rng = random.Random(1)
    shown = {}  # what a page saw of each document since it was last due on the disk; None: nothing to keep
    for _ in range(KILLS):
        with living(tmp_path) as live, live.page() as page:
            for key, seen in shown.items():
                saved = None
                if (tmp_path / f"{key}.json").exists():
                    page.ask("show", doc=key)
                    page.document = page.until("document", lambda found, key=key: found["doc"] == key)
                    saved = content(page.document)
                assert saved in seen
                shown[key] = [saved]
            for _ in range(rng.randrange(1, 40)):
                take(page, rng.choice(KINDS), rng.randrange(60), rng.randrange(60))
                look(page)
                shown.setdefault(page.document["doc"], [None]).append(content(page.document))
                if rng.random() < 0.1:
                    time.sleep(SAVE_DELAY + 0.1)
                    page.ask("documents")  # the loop has turned, so what was due is saved
                    for key, seen in shown.items():
                        shown[key] = seen[-1:] if (tmp_path / f"{key}.json").exists() else [None]
            time.sleep(rng.choice([0, rng.uniform(0, 1.2 * SAVE_DELAY)]))
            live.kill()


@pytest.mark.system
@posix
@pytest.mark.parametrize("name", ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"])
def test_a_signal_ends_the_server_in_order(tmp_path, capfd, name):
    number = getattr(signal, name)
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("ignored by what started the tests, as under nohup, and so by the server")
    with living(tmp_path) as live:
        with live.page() as page:
            page.move("h2e2", "h9g7")
            doc = page.document["doc"]
            live.process.send_signal(number)
            live.process.wait(60)
        assert live.process.returncode == (0 if name == "SIGINT" else 128 + number)
    assert len(Document.load(Store(tmp_path), doc).nodes) == 3
    assert capfd.readouterr().err == ""


@pytest.mark.system
@pytest.mark.parametrize("start", [0, 1])
def test_the_last_move_of_a_finished_game_is_deleted(tmp_path, start):
    with living(tmp_path) as server, server.page() as page:
        page.ask("new") if start else None
        page.move("b2e2")
        page.ask("play", node=start, players=PERSONS)
        node = page.ask("move", node=start, move="h9g7" if start else "h2e2")["node"]
        page.ask("game", action="resign")
        assert page.ask("delete", node=node)["node"] == start
        page.ask("annotate", node=start, comment="written after it")
        files, words = tmp_path.glob, "written after it"
        wait_until(lambda: any(words in file.read_text(encoding="utf-8") for file in files("*.json")))
        server.kill()
    with living(tmp_path) as server, server.page() as page:
        assert [node.get("comment") for node in page.document["nodes"]][start] == "written after it"
        assert page.document["game"]["result"]["reason"] == "resigned"


def test_a_finished_game_goes_with_its_start(tmp_path):
    with serving(tmp_path) as (client, _), paging(client) as page:
        page.move("h2e2", "h9g7")
        page.ask("play", node=2, players=PERSONS)
        page.ask("game", action="stop")
        page.ask("delete", node=1)
        assert page.until("document", lambda m: len(m["nodes"]) == 1)["game"] is None


def test_a_document_that_cannot_be_saved_is_kept_and_tried_again(tmp_path):
    folder = tmp_path / "games"
    folder.write_text("in the way")
    with serving(folder) as (client, _), paging(client) as page:
        page.move("h2e2")
        assert "games" in page.until("trouble")["message"]
        doc = page.document["doc"]
        with paging(client, doc=doc) as other:
            assert other.document["trouble"] and len(other.document["nodes"]) == 2
        folder.unlink()
        assert page.until("trouble")["message"] is None
        page.ask("annotate", node=1, comment="x")
    assert len(Document.load(Store(folder), doc).nodes) == 2


def test_a_document_without_a_page_stays_until_it_is_saved(tmp_path):
    folder = tmp_path / "games"
    folder.write_text("in the way")
    with serving(folder) as (client, workspace):
        with paging(client) as page:
            page.move("h2e2")
            doc = page.document["doc"]
            page.until("trouble")
        with paging(client, doc=doc) as page:
            assert len(page.document["nodes"]) == 2 and workspace.is_unsaved
        folder.unlink()
        wait_until(lambda: not workspace.is_unsaved)
    assert len(Document.load(Store(folder), doc).nodes) == 2


@pytest.mark.system
def test_an_engine_without_a_move_is_reported(tmp_path):
    """A game against a program that answers `bestmove (none)` pauses instead of thinking for ever."""
    mute = tmp_path / "mute.py"
    mute.write_text(
        "for line in iter(input, 'quit'):\n"
        "    answers = {'ucci': 'ucciok', 'uci': 'uciok', 'isready': 'readyok'}\n"
        "    print('bestmove (none)' if line.startswith('go') else answers.get(line, ''), flush=True)\n"
    )
    command = f"{sys.executable} {mute}"
    with serving(tmp_path / "games", engines=[command]) as (client, _), paging(client) as page:
        page.ask("new", players={"red": 1, "black": None}, moveTime=0.1)
        game = page.game(lambda game: game["paused"])
        assert not game["thinking"]
        assert page.until("error")["code"] == "engine"


# Nobody let in


@posix
def test_games_are_for_the_user_alone(tmp_path):
    folder = tmp_path / "games"
    with serving(folder) as (client, _), paging(client) as page:
        page.move("h2e2")
        page.ask("remember", settings={"sound": True})
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    found = list(folder.iterdir())
    assert len(found) == 2 and all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in found)


@posix
def test_a_symbolic_link_in_the_folder_is_not_written_through(tmp_path):
    target = tmp_path / "precious"
    target.write_text("untouched")
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / f"{'0' * 32}.json").symlink_to(target)
    (folder / "settings").symlink_to(target)
    store = Store(folder)
    store._stamps["0" * 32] = store._look(folder / f"{'0' * 32}.json")
    store.save("0" * 32, {"game": 1})
    store.keep("settings", {"sound": True})
    assert target.read_text() == "untouched"
    assert Store(folder).kept("settings") == {"sound": True}


@pytest.mark.system
@posix
def test_the_token_is_not_among_the_arguments_of_the_browser(tmp_path):
    """The browser stays in the foreground, as text browsers do, and the server answers all the same."""
    seen = tmp_path / "arguments"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$@" > {seen}.part; mv {seen}.part {seen}; exec sleep 100\n')
    script.chmod(0o700)
    with living(tmp_path / "games", browser=str(script)) as server:
        assert server.get("/").status == 200
        wait_until(seen.exists)
        uri = seen.read_text().strip()
        assert server.token not in uri and uri.startswith("file://")
        forward = uri.removeprefix("file://")
        assert stat.S_IMODE(os.stat(forward).st_mode) == 0o600
        with open(forward) as file:
            assert server.url in file.read()
    assert not os.path.exists(forward)


@pytest.mark.system
@posix
def test_no_text_browser_is_opened(tmp_path):
    seen = tmp_path / "opened"
    script = tmp_path / "w3m"
    script.write_text(f"#!/bin/sh\ntouch {seen}\n")
    script.chmod(0o700)
    with living(tmp_path / "games", browser=str(script)) as server:
        assert server.get("/").status == 200
        time.sleep(0.3)
    assert not seen.exists()


@pytest.fixture
def guest_server(tmp_path, monkeypatch):
    """A board in this process, its port, and how many bytes of a guest's answer wait in it."""
    monkeypatch.setattr(server, "GUEST_SECONDS", 0.5)
    monkeypatch.setattr(server, "MAX_GUESTS", 8)
    workspace = Workspace(BoardOptions(token="secret", folder=tmp_path))
    with listening(workspace) as port:
        yield port


def connected(port, sends=b""):
    guest = socket.create_connection(("127.0.0.1", port), timeout=20)
    guest.sendall(sends)
    return guest


def is_ended(guest):
    """Has the server ended the connection, whatever it has sent before?"""
    try:
        while guest.recv(65536):
            pass
    except ConnectionResetError:
        pass
    guest.close()
    return True  # else recv would have timed out


def upgrade(port, *more):
    return "\r\n".join(
        ["GET /socket HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}",
         "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
         *more, "", ""]
    ).encode()  # fmt: skip


def frame(opcode, data):
    assert 125 < len(data) < 65536
    return bytes([0x80 | opcode, 0xFE, *len(data).to_bytes(2, "big"), 0, 0, 0, 0]) + data


def owner_loads(port):
    """The page and its socket with the token: does the owner get both?"""
    with connected(port, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()) as page:
        assert page.recv(12) == b"HTTP/1.1 200"
    with connected(port, upgrade(port)) as link:
        assert link.recv(4096).startswith(b"HTTP/1.1 101")
        link.sendall(frame(1, json.dumps({"type": "hello", "token": "secret", "pad": "x" * 200}).encode()))
        return b"welcome" in link.recv(65536)


@pytest.mark.parametrize("says", [b"", b"GET / HTTP/1.1\r\nHost: ", b"socket", b"unread"])
def test_guests_have_little_time_and_shut_nobody_out(guest_server, says):
    if says == b"socket":
        says = upgrade(guest_server)
    elif says == b"unread":
        says = f"GET /texts.js HTTP/1.1\r\nHost: 127.0.0.1:{guest_server}\r\n\r\n".encode() * 300
    guests = []
    for _ in range(30):
        with suppress(ConnectionResetError, BrokenPipeError):  # a later one has taken its place
            guests.append(connected(guest_server, says))
    assert owner_loads(guest_server)
    assert all(is_ended(guest) for guest in guests) and owner_loads(guest_server)


def test_the_address_with_most_guests_loses_one():
    class Guest:
        def __init__(self, host):
            self.host, self.ended = host, False

        def get_extra_info(self, name):
            return self.host, 1

        def get_write_buffer_size(self):
            return 0

        def close(self):
            self.ended = True

    async def come():
        guests = server._Guests()
        found = [Guest(host) for host in ["owner", *["other"] * server.MAX_GUESTS]]
        for guest in found:
            guests.let_in(guest)
        for guest in found:
            guests.leave(guest)
        return [guest.ended for guest in found]

    assert asyncio.run(come()) == [False, True, *[False] * (server.MAX_GUESTS - 1)]


@pytest.mark.parametrize(
    "sends", [frame(1, b"x" * 5000), frame(9, b"x" * 126) * 50, frame(0, b"x" * 126) * 50]
)
def test_a_guest_cannot_send_much(guest_server, sends, monkeypatch):
    monkeypatch.setattr(server, "GUEST_SECONDS", 1000)
    with connected(guest_server, upgrade(guest_server)) as guest:
        guest.recv(4096)
        with suppress(ConnectionResetError, BrokenPipeError):
            guest.sendall(sends)
        assert is_ended(guest)


def test_nothing_is_compressed(guest_server):
    wants = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    with connected(guest_server, upgrade(guest_server, wants)) as guest:
        answer = guest.recv(4096)
    assert answer.startswith(b"HTTP/1.1 101") and b"deflate" not in answer


def test_that_nothing_can_be_accepted_is_said_once(tmp_path, capsys):
    board = app._make_server(Workspace(BoardOptions(folder=tmp_path)), keep=True)
    loop = asyncio.new_event_loop()
    for _ in range(64):
        error = OSError(errno.EMFILE, "Too many open files")
        board._on_error(loop, {"message": "accept", "exception": error})
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "no connection can be accepted" in said and "Too many open files" in said
    loop.close()


@pytest.mark.system
def test_odd_first_messages_are_no_faults_of_the_server(tmp_path, capfd):
    websockets = pytest.importorskip("websockets.sync.client")
    with living(tmp_path) as server:
        for first in ("[" * 4000, json.dumps({"type": "hello", "token": "\ud800"})):
            with websockets.connect(f"ws://127.0.0.1:{server.port}/socket", origin=server.origin) as one:
                one.send(first)
                raises(Exception, "440", one.recv)
        for more in (frame(1, b"\xff" * 200), b"nonsense"):
            with connected(server.port, upgrade(server.port)) as guest:
                guest.recv(4096)
                guest.sendall(more)
                assert is_ended(guest)
        assert is_ended(connected(server.port, b"nonsense\r\n\r\n"))
    assert not capfd.readouterr().err


# Files made to do harm


def packed(text, times):
    out = io.BytesIO()
    with lzma.open(out, "wb") as file:
        for _ in range(times):
            file.write(text)
    return out.getvalue()


@pytest.mark.system
@posix
@pytest.mark.parametrize(
    ("name", "text"), [("moves.pgn.xz", b"h2e2 h9g7 e2h2 g7h9 "), ("xml.cbf.xz", b"<a/>")]
)
def test_a_small_file_cannot_fill_the_memory(name, text):
    """Reading 48 MiB of this takes gigabytes: the process that reads ends, this one stays small."""
    import resource

    data = packed(text * (1 << 14), (48 << 20) // (len(text) << 14))
    assert len(data) < 100_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(RequestError) as error:
        files.open_games(data, name)
    assert error.value.code in ("too-large", "bad-record")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # KiB


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_damaged_packed_file_is_said_to_be_one(pack):
    data = bytearray(pack(b"1. h2e2 h9g7 *\n" * 100))
    for place in range(20, 40):
        data[place] ^= 90
    raises(RequestError, "the packed file is damaged", files.open_games, bytes(data), "game.pgn.packed")


@pytest.mark.parametrize("size", [1, 3000])
def test_files_are_read_alike_here_and_in_a_process_of_their_own(size):
    text = '[Red "Hu"]\n\n1. h2e2 h9g7 {a comment} 2. h0g2 *\n\n' * size
    games, left_out = files.open_games(text.encode(), "games.pgn")
    assert not left_out
    assert len(games) == size
    assert games[-1].plies == 3 and games[-1].headers["Red"] == "Hu"
    assert [node.comment for node in games[-1].game().nodes()] == ["", "", "a comment", ""]


@posix
def test_reading_tells_how_far_it_is_and_can_be_given_up(monkeypatch):
    text = '[Red "Hu"]\n\n1. h2e2 h9g7 {a comment} 2. h0g2 *\n\n' * 3000
    told = []
    assert len(files.open_games(text.encode(), "games.pgn", lambda n: told.append(n) or True).games) == 3000
    assert told == sorted(told) and {0, 100, 1500, 3000} <= set(told)
    with pytest.raises(RequestError) as given_up:
        files.open_games(text.encode(), "games.pgn", lambda n: n < 200)
    assert given_up.value.code == "cancelled"


@posix
def test_a_reader_that_ends_before_it_takes_a_file_is_not_waited_for(monkeypatch):
    """Its data are more than a pipe holds."""
    multiprocessing.resource_tracker.ensure_running()  # it is started with the same program
    monkeypatch.setattr(multiprocessing.spawn, "_python_exe", os.fsencode(shutil.which("false")))
    found = []

    def read():
        with pytest.raises(RequestError) as error:
            files.open_games(b"x" * (4 << 20), "games.pgn")
        found.append(error.value.code)

    reading = threading.Thread(target=read, daemon=True)
    reading.start()
    reading.join(30)
    assert found == ["too-large"]


# The local network


def test_the_local_network_is_let_in_only_if_that_is_wanted(tmp_path):
    from starlette.testclient import TestClient
    from starlette.websockets import WebSocketDisconnect

    from eleengine.webboard.workspace import BoardOptions, Workspace

    host = "192.168.7.7:8000"
    for lan in (False, True):
        hosts = ["10.1.2.3", "192.168.7.7"] if lan else []
        workspace = Workspace(BoardOptions(token="secret", folder=tmp_path, lan=hosts))
        with TestClient(app.make_app(workspace), base_url=f"http://{host}") as client:
            assert client.get("/").status_code == (200 if lan else 400)
            assert client.get("/", headers={"host": "10.1.2.3:8000"}).status_code == (200 if lan else 400)
            assert client.get("/", headers={"host": "192.168.7.8:8000"}).status_code == 400
            assert client.get("/", headers={"host": "evil.example"}).status_code == 400
            if not lan:
                continue
            with paging(client, origin=f"http://{host}", host=host) as page:
                assert page.board["fen"] == STARTING_FEN
            for origin, token in ((f"http://{host}", "wrong"), ("http://evil.example", "secret")):
                with (
                    pytest.raises(WebSocketDisconnect),
                    paging(client, token=token, origin=origin, host=host),
                ):
                    pass


@pytest.mark.parametrize(
    ("routed", "expected"),
    [
        ("10.8.0.2", ["192.168.77.1", "172.20.1.5", "10.8.0.2", "169.254.3.3", "172.17.0.1"]),  # a VPN
        ("172.20.1.5", ["172.20.1.5", "192.168.77.1", "10.8.0.2", "169.254.3.3", "172.17.0.1"]),
        (
            None,
            ["192.168.77.1", "172.20.1.5", "10.8.0.2", "169.254.3.3", "172.17.0.1"],
        ),  # a router without internet
        ("8.8.4.4", ["192.168.77.1", "172.20.1.5", "10.8.0.2", "169.254.3.3", "172.17.0.1"]),
    ],
)
def test_addresses_that_a_phone_reaches_come_first(monkeypatch, routed, expected):
    from eleengine.webboard import lan

    interfaces = {
        "127.0.0.1": "lo", "172.17.0.1": "docker0", "10.8.0.2": "tun0", "172.20.1.5": "eth0",
        "192.168.77.1": "wlan0", "169.254.3.3": "eth1", "8.8.4.4": "eth2",
    }  # fmt: skip
    monkeypatch.setattr(lan, "interface_addresses", lambda: dict(interfaces))
    monkeypatch.setattr(lan, "_routed_address", lambda: routed)
    found = lan.lan_addresses()
    assert found[:2] == expected[:2] and sorted(found) == sorted(expected)
    assert found.index("10.8.0.2") > 1 < found.index("172.17.0.1")


def test_an_address_of_another_machine_is_refused(tmp_path):
    pytest.importorskip("uvicorn", reason="needs the extra board")
    for address in ("203.0.113.9", "127.0.0.1", "0.0.0.0", "here", "::1"):
        done = call("board", "--no-browser", "--folder", tmp_path, "--lan", address)
        assert done.returncode == 2 and f"--lan {address}: this machine has no such address" in done.stderr


@pytest.mark.system
def test_the_board_is_reached_by_its_address_in_the_network(tmp_path):
    segno = pytest.importorskip("segno", reason="needs the extra board")
    from eleengine.webboard import lan

    if not lan.lan_addresses():
        pytest.skip("this machine is in no network")
    with living(tmp_path, "--lan") as server:
        line = server.process.stdout.readline()
        assert line.startswith("on the phone: http://")
        url = line.removeprefix("on the phone: ").strip()
        address = url.removeprefix("http://").partition(":")[0]
        with socket.create_connection((address, server.port), timeout=5):
            pass
        with server.page() as page:
            answer = page.ask("phone")
            answer = answer["addresses"][0]
            assert answer["url"] == url and url.endswith(f"#{server.token}")
            expected = segno.make(url, micro=False).matrix
            assert answer["rows"] == ["".join(str(int(dark)) for dark in row) for row in expected]
            assert page.welcome["phone"] is True
    with living(tmp_path) as server:
        with pytest.raises(OSError), socket.create_connection((address, server.port), timeout=5):
            pass
        with server.page() as page:
            assert page.ask("phone")["code"] == "refused" and page.welcome["phone"] is False


def test_the_port_of_an_installed_page_is_taken_again_if_it_is_free(tmp_path):
    store = Store(tmp_path)
    assert store.port() is None
    with app._listen("127.0.0.1", 0, store) as first:
        port = first.getsockname()[1]
        assert store.port() is None  # nothing is kept unasked
        store.keep("port", {"port": port})
        with app._listen("127.0.0.1", 0, store) as other:
            assert other.getsockname()[1] != port
    with app._listen("127.0.0.1", 0, store) as again:
        assert again.getsockname()[1] == port
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "port").stat().st_mode) == 0o600
    for damaged in ('{"port": 22}', '{"port": "x"}', '{"port": 1e9}', "[", ""):
        (tmp_path / "port").write_text(damaged)
        assert store.port() is None
