"""Sample files, each with what it contains in a JSON file beside it, as several programs agree.

ELEENGINE_RECORDS: a folder with more of them.
"""

import json
import os
from pathlib import Path

import pytest

from eleengine.records import read_games, scan_games
from eleengine.records.dhtmlxq import _NAMES
from eleengine.records.movetext import _HEADERS

FOLDERS = [Path(__file__).parent / "records", *map(Path, filter(None, [os.environ.get("ELEENGINE_RECORDS")]))]
SAMPLES = sorted(path for folder in FOLDERS for path in folder.iterdir() if path.suffix != ".json")
SAMPLES = [path for path in SAMPLES if path.with_name(f"{path.name}.json").exists()]
RESULTS = {"红胜": "1-0", "和局": "1/2-1/2", "和棋": "1/2-1/2", "未知": "*", "*": "*"}


def expected(path):
    return json.loads(path.with_name(f"{path.name}.json").read_text(encoding="utf-8"))


def text(comment):
    return comment.replace("\r\n", "\n").strip()


def check_headers(game, data):
    headers = {name: value.strip() for name, value in data.get("headers", {}).items() if name != "Game"}
    if data["format"] == "DhtmlXQ":
        headers = {_NAMES.get(name, name): value for name, value in headers.items()}
        if "result" in headers:
            assert game.result == RESULTS[headers.pop("result")]
        headers.pop("fen", None)
    elif data["format"].startswith("text"):
        headers = {_HEADERS[name]: value for name, value in headers.items()}
    elif data["format"].startswith("WXF"):
        assert game.headers["Red"] == "jugador rojo" and game.headers["RedElo"] == "1200"
        headers = {"Result": headers["RESULT"], "Date": headers["DATE"], "Event": headers["EVENT"]}
    elif data["format"] == "MXQ":
        headers.pop("Event")
    assert {name: game.headers.get(name) for name in headers} == headers


def tree_of(node):
    def data(child):
        found = {"move": child.move.iccs()}
        if child.comment:
            found["comment"] = child.comment
        if child.children:
            found["kids"] = [data(kid) for kid in child.children]
        return found

    return [data(child) for child in node.children]


def cleaned(kids):
    found = []
    for kid in kids:
        kid = dict(kid)
        if "comment" in kid:
            kid["comment"] = text(kid["comment"])
        if "kids" in kid:
            kid["kids"] = cleaned(kid["kids"])
        found.append({name: value for name, value in kid.items() if value})
    return found


def check(game, data):
    check_headers(game, data)
    assert [move.iccs() for move in game.mainline_moves()] == data["moves"]
    if "fen" in data:
        assert game.start.split()[:2] == data["fen"].split()[:2]
    nodes = list(game.nodes())
    if "nodes" in data:
        assert len(nodes) - 1 == data["nodes"]
    if "variations" in data:
        assert sum(max(0, len(node.children) - 1) for node in nodes) == data["variations"]
    if "comments" in data:
        assert sum(bool(node.comment) for node in nodes) == data["comments"]
    # The PGN file has spaces where the tree has line breaks; in attributes of XML they become spaces.
    spaces = " " if data["format"] in ("PGN", "PFC (XML)") else "\n"
    if "root_comment" in data:
        assert game.comment == text(data["root_comment"]).replace("\n", spaces)
    if "tree" in data:
        assert tree_of(game) == cleaned(data["tree"])


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_sample(path):
    data = expected(path)
    games = list(read_games(path))
    if "library" in data:
        entries = list(scan_games(path))
        assert (len(entries), len(games)) == (data["records"], data["live"])
        shown = [entry.game() for entry in entries]
        assert sum(sum(1 for _ in game.nodes()) - 1 for game in shown) == data["nodes"]
        for title in data["games"]:
            [entry] = [
                entry
                for entry in entries
                if entry.headers["Title"] == title["title"] and entry.deleted == title["deleted"]
            ]
            check(entry.game(), {"format": "CBL", **title})
        return
    if path.name == "game.vschess.che":  # files counted from the other side
        data["moves"] = [move.translate(str.maketrans("abcdefghi", "ihgfedcba")) for move in data["moves"]]
    if path.name == "xqf18-illegal.xqf":
        assert data["moves"].pop() in str(games[0].warnings[0])
        data["nodes"] -= 1
        del data["tree"]
    check(games[0], data)
    if "games" in data:
        assert len(games) == data["games"]
    assert bool(games[0].warnings) == (path.name == "xqf18-illegal.xqf")
