"""Pages that look on: they see what the owner of the board shows, and nothing that they say is done."""

import json
import secrets

import pytest
from webboard_support import HOST, ORIGIN, Page, listening, paging, serving

pytest.importorskip("starlette", reason="needs the extra board")

from starlette.websockets import WebSocketDisconnect

from eleengine.records import Game
from eleengine.webboard import app, server
from eleengine.webboard.handlers import HANDLERS
from eleengine.webboard.workspace import BoardOptions, Workspace

FIELDS = {
    "node": 0, "how": "main", "move": "h2e2", "moves": ["h2e2"], "text": "1. h2e2", "comment": "mine",
    "name": "Red", "value": "me", "format": "pgn", "what": "game", "seconds": 0.01, "lines": 1,
    "action": "resign", "settings": {}, "number": 0, "choose": "next",
    "language": "en", "players": {}, "game": 0, "ply": 0,
}  # fmt: skip


def test_who_looks_on_sees_each_step_of_the_owner(tmp_path):
    with serving(tmp_path) as (client, workspace):
        watch = workspace.options.watch_token
        assert watch != workspace.options.token and len(watch) >= 22
        with paging(client, token=watch) as pupil:
            assert pupil.welcome["watching"] is True and pupil.document["nodes"] == [{"id": 0}]
            with paging(client) as owner:
                node = owner.move("h2e2", "h9g7")
                assert pupil.until("board", lambda board: board["node"] == node)["last"] == "h9g7"
                owner.ask("annotate", node=node, comment="look here")
                assert pupil.until("node", lambda news: "comment" in news["node"])
                owner.ask("go", node=0)
                assert pupil.until("board")["node"] == 0
                owner.ask("new", fen="3k5/9/9/9/9/9/9/9/4R4/4K4 w")
                other = pupil.until("document")
                assert other["start"].startswith("3k5/") and pupil.until("board")["turn"] == "red"
                with paging(client, token=watch) as late:
                    assert late.document["doc"] == other["doc"]
            assert not any(document.has_pages for document in workspace.documents)


def test_who_looks_on_learns_nothing_of_the_owner(tmp_path):
    with serving(tmp_path) as (client, workspace):
        with paging(client) as owner:
            owner.ask("remember", settings={"theme": "dark"})
        with paging(client, token=workspace.options.watch_token, doc="0" * 32) as pupil:
            told = json.dumps([pupil.welcome, pupil.document])
            assert pupil.welcome["settings"] == {} and pupil.welcome["record"] == {}
            assert "secret" not in told and str(tmp_path) not in told


def test_nothing_that_is_said_is_done(tmp_path, monkeypatch):
    handled = []

    async def note(page, request):
        handled.append(request)

    for kind in HANDLERS:
        monkeypatch.setitem(HANDLERS, kind, note)
    game = Game()
    game.play_line(["h2e2", "h9g7"])
    before = game.to_dict()
    with serving(tmp_path) as (client, workspace):
        workspace.follow(workspace.create(game))
        for kind in [*HANDLERS, "hello"]:
            with (
                client.websocket_connect("/socket", headers={"origin": ORIGIN, "host": HOST}) as socket,
                pytest.raises(WebSocketDisconnect) as ended,
            ):
                pupil = Page(socket).start(workspace.options.watch_token)
                pupil.ask(kind, **FIELDS)
            assert ended.value.code == app.VIEW_ONLY
        assert not handled and game.to_dict() == before and not workspace.watchers
        with paging(client) as owner:
            owner.ask("documents")
        assert len(handled) == 1


def test_no_other_token_looks_on(tmp_path):
    with serving(tmp_path) as (client, _):
        for token in ("", "wrong", secrets.token_urlsafe(16), None):
            with pytest.raises(WebSocketDisconnect) as ended, paging(client, token=token):
                pass
            assert ended.value.code == app.WRONG_TOKEN


def test_a_class_does_not_shut_the_owner_out(tmp_path, monkeypatch):
    monkeypatch.setattr(app, "MAX_WATCHERS", 1)
    monkeypatch.setattr(app, "MAX_SOCKETS", 1)
    with serving(tmp_path) as (client, workspace):
        watch = workspace.options.watch_token
        with paging(client, token=watch), paging(client):
            assert workspace.sockets == 1  # who looks on does not keep the server
            with pytest.raises(WebSocketDisconnect) as ended, paging(client, token=watch):
                pass
            assert ended.value.code == app.TOO_MANY


def test_a_page_that_looks_on_sends_little(tmp_path):
    pytest.importorskip("uvicorn", reason="needs the extra board")
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    workspace = Workspace(BoardOptions(folder=tmp_path))
    with (
        listening(workspace) as port,
        connect(f"ws://127.0.0.1:{port}/socket", origin=f"http://127.0.0.1:{port}") as socket,
    ):
        socket.send(json.dumps({"type": "hello", "token": workspace.options.watch_token}))
        assert json.loads(socket.recv(10))[0]["watching"] is True
        socket.send("x" * (server.MAX_HELLO + 1))
        with pytest.raises(ConnectionClosed) as ended:
            while True:
                socket.recv(10)
    assert ended.value.rcvd.code == 1009  # too long
