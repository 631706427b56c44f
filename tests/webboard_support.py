"""A board server in this process or as its own, and a page that speaks to it without a browser."""

import base64
import http.client
import json
import os
import subprocess
import threading
from contextlib import contextmanager

from support import COMMAND

from eleengine.records import Game

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
PERSONS = {"red": None, "black": None}


class Live:
    def __init__(self, process, url, folder):
        self.process = process
        self.folder = folder
        self.url = url
        self.origin, self.token = url.split("/#")
        self.port = int(self.origin.rpartition(":")[2])

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path)
        return connection.getresponse()

    @contextmanager
    def page(self, **hello):
        """A page that speaks to this server."""
        from websockets.sync.client import connect

        with connect(f"ws://127.0.0.1:{self.port}/socket", origin=self.origin, max_size=None) as socket:
            socket.send_text = socket.send
            socket.receive_text = socket.recv
            yield Page(socket).start(self.token, **hello)

    def kill(self):
        self.process.kill()
        self.process.wait()


@contextmanager
def living(folder, *arguments, browser=None):
    """`eleengine board` with its documents in a folder; browser: what it opens its page with."""
    opens = [] if browser else ["--no-browser"]
    process = subprocess.Popen(
        [*COMMAND, "board", *opens, "--folder", folder, "--index", folder / "games.sqlite", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | ({"BROWSER": browser} if browser else {}),
    )
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), url
        yield Live(process, url, folder)
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


class Page:
    """A page that speaks to the server without a browser."""

    def __init__(self, socket):
        self.socket = socket
        self.next = 1
        self.heard = []  # of the last list, what has not been looked at
        self.news = []

    def start(self, token, **hello):
        self.say("hello", token=token, **hello)
        self.welcome = self.until("welcome")
        self.document = self.until("document")
        self.board = self.until("board")
        return self

    def say(self, type_, **message):
        self.socket.send_text(json.dumps({"type": type_, **message}))

    def hear(self):
        if not self.heard:
            self.heard = json.loads(self.socket.receive_text())
        message = self.heard.pop(0)
        self.news.append(message)
        return message

    def ask(self, type_, **message):
        """The answer; what comes before it is news."""
        self.next += 1
        self.say(type_, id=self.next, **message)
        while (message := self.hear()).get("re") != self.next:
            pass
        self.news.pop()
        return message

    def until(self, wanted, check=lambda message: True):
        """The next news of a type, looking at what has been heard first."""
        while True:
            for place, message in enumerate(self.news):
                if message.get("type") == wanted and check(message):
                    del self.news[: place + 1]
                    return message
            self.hear()

    def shown(self, doc=None):
        """A document as the server shows it now, the one that the page began with if none is named."""
        self.news.clear()
        self.ask("show", doc=doc or self.document["doc"])
        return self.until("document")

    def game(self, check=lambda game: True):
        """The next state of a game that passes a check."""
        return self.until("game", lambda message: check(message["game"]))["game"]

    def result(self):
        """The game when it is over."""
        return self.game(lambda game: game["result"])

    def open(self, name, data):
        """Open a file."""
        return self.ask("open", name=name, data=base64.b64encode(data).decode())

    def file(self, type_, **message):
        """The bytes of the file that the page would save."""
        return base64.b64decode(self.ask(type_, **message)["data"])

    def move(self, *moves, node=0):
        for text in moves:
            answer = self.ask("move", node=node, move=text)
            node = answer["node"]
        return node


def indexed_games(*lines):
    """Three games of some moves: two players, a Cup, three years and results."""
    about = (
        ("Hu Ronghua", "1960.04.01", "1-0"),
        ("Xu Yinchuan", "1999.01.01", "0-1"),
        ("Hu Ronghua", "2001.05.06", "1/2-1/2"),
    )
    games = []
    for text, (red, date, result) in zip(lines, about, strict=True):
        game = Game(headers={"Red": red, "Black": "Li", "Date": date, "Event": "Cup", "Result": result})
        game.play_line(text.split())
        games.append(game)
    return games


@contextmanager
def serving(folder, **options):
    from starlette.testclient import TestClient

    from eleengine.webboard.app import make_app
    from eleengine.webboard.workspace import BoardOptions, Workspace

    workspace = Workspace(
        BoardOptions(games=folder / "games.sqlite", token="secret", folder=folder, **options)
    )
    with TestClient(make_app(workspace), base_url=ORIGIN) as client:
        yield client, workspace


@contextmanager
def listening(workspace):
    """A board in a thread of this process that listens; its port."""
    from eleengine.webboard import app, server

    board = app._make_server(workspace, keep=True)
    with server.listen("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=board.run, kwargs={"sockets": [listener]})
        thread.start()
        yield listener.getsockname()[1]
        board.should_exit = True
        thread.join()


@contextmanager
def paging(client, token="secret", origin=ORIGIN, host=HOST, **hello):
    with client.websocket_connect("/socket", headers={"origin": origin, "host": host}) as socket:
        yield Page(socket).start(token, **hello)
