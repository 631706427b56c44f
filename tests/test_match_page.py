"""The page of a match: what it shows, to whom, and how it looks in a real browser."""

import http.client
import json
import subprocess
from contextlib import contextmanager

import pytest
from support import CHROMIUM, CHROMIUM_FLAGS, COMMAND, call, needs_chromium

pytest.importorskip("starlette", reason="needs the extra board")


@pytest.fixture(scope="module")
def journal(tmp_path_factory):
    path = tmp_path_factory.mktemp("match") / "match.jsonl"
    words = ["-e", "name=<b>one", "nodes=60", "-e", "name=two", "nodes=30", "--max-plies", 60]
    found = call("match", *words, "--pairs", 4, "--sprt", 0, 10, "--journal", path, "--openings", "openings")
    assert found.returncode == 0, found.stderr
    return path


@contextmanager
def serving(path):
    command = [*COMMAND, "report", str(path), "--serve", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:"), url
        yield url
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def ask(url, path, *, method="GET", **headers):
    origin, _, token = url.partition("/#")
    given = {"Authorization": f"Bearer {token}", **headers}
    connection = http.client.HTTPConnection(origin.removeprefix("http://"), timeout=60)
    try:
        connection.request(method, path, headers={k: v for k, v in given.items() if v is not None})
        answer = connection.getresponse()
        return answer, answer.read().decode()
    finally:
        connection.close()


@pytest.mark.system
def test_the_page_shows_the_report_and_the_games(journal):
    lines = journal.read_text().splitlines()
    part = journal.with_name("part.jsonl")
    part.write_text("\n".join(lines[:3]) + "\n")
    with serving(part) as url:
        answer, text = ask(url, "/match")
        assert answer.status == 200
        found = json.loads(text)
        assert "<h2>Result</h2>" in found["report"] and "<svg" in found["report"]
        assert "&lt;b&gt;one" in found["report"] and "<b>one" not in found["report"]
        assert [number for number, _ in found["games"]] == [1, 0]
        game = json.loads(lines[1])
        shown = json.loads(ask(url, "/games/0")[1])
        assert [move for move, _ in shown["moves"]] == game["moves"].split()
        assert game["result"] in shown["title"] and shown["end"] == game["reason"]
        for ply in (0, len(shown["moves"])):
            assert json.loads(ask(url, f"/games/0/{ply}")[1])["svg"].startswith("<svg")
        for path in (f"/games/0/{len(shown['moves']) + 1}", "/games/2", "/games/99999", "/other"):
            assert ask(url, path)[0].status == 404
        part.write_text("\n".join(lines) + "\n")  # the match has gone on
        for _ in range(600):
            if len(json.loads(ask(url, "/match")[1])["games"]) == len(lines) - 1:
                break
        else:
            pytest.fail("the further games are not shown")
        part.write_text("{}\n")
        for _ in range(600):
            answer, text = ask(url, "/match")
            if answer.status == 500:
                break
        assert "not a journal of a match" in json.loads(text)["error"]


@pytest.mark.system
def test_the_page_is_for_whoever_has_the_token(journal):
    with serving(journal) as url:
        host = url.partition("/#")[0].removeprefix("http://")
        for path in ("/match", "/games/0", "/games/0/1"):
            for token in (None, "Bearer ", "Bearer x", "Bearer \xe9", url.partition("#")[2]):
                answer, text = ask(url, path, Authorization=token)
                assert answer.status == 403 and text == ""
            assert ask(url, path, Host="example.org")[0].status == 400
            assert ask(url, path, Host=f"localhost:{host.rpartition(':')[2]}")[0].status == 200
            # A foreign page may not send the header: its browser asks first, and is not allowed to.
            asked = {"Origin": "http://example.org", "Access-Control-Request-Method": "GET"}
            answer, _ = ask(url, path, method="OPTIONS", Authorization=None, **asked)
            assert answer.status == 405 and not answer.getheader("access-control-allow-origin")
            assert ask(url, path, method="POST")[0].status == 405
        for path in ("/", "/match.js", "/match.css", "/match"):
            headers = ask(url, path)[0].headers
            assert "default-src 'none'" in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
        for path in ("/../app.py", "/match/index.html", "/index.html", "/%2e%2e/app.py"):
            assert ask(url, path)[0].status == 404


@pytest.mark.system
def test_a_folder_is_a_list_of_its_matches(journal, tmp_path):
    (tmp_path / "<i>.jsonl").write_bytes(journal.read_bytes())
    (tmp_path / "secret").write_text("no journal")
    with serving(tmp_path) as url:
        found = json.loads(ask(url, "/match")[1])
        assert (found["games"], found["journals"]) == ([], ["<i>.jsonl"])
        assert "&lt;i&gt;.jsonl" in found["report"] and "<i>" not in found["report"]
        assert ask(url, "/games/0")[0].status == 404
        one = json.loads(ask(url, "/match?journal=%3Ci%3E.jsonl")[1])
        assert "<svg" in one["report"] and len(one["games"]) == 8 and one["journals"] == []
        assert json.loads(ask(url, "/games/7?journal=%3Ci%3E.jsonl")[1])["moves"]
        for name in ("secret", "none", "../match.jsonl", str(journal)):
            answer, text = ask(url, f"/match?journal={name}")
            assert answer.status == 500 and "no journal of" in json.loads(text)["error"]


def test_what_cannot_be_served_is_named(tmp_path, journal):
    found = call("report", tmp_path / "none.jsonl", "--serve", "--no-browser")
    assert found.returncode == 2 and "none.jsonl" in found.stderr
    found = call("report", journal, "--serve", "--out", tmp_path / "a.md")
    assert found.returncode == 2 and "leave out --out" in found.stderr


@pytest.mark.system
@needs_chromium
def test_the_page_in_a_browser(journal):
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    expect = playwright.expect
    lines = journal.read_text().splitlines()
    moves = json.loads(lines[-1])["moves"].split()
    with serving(journal) as url, playwright.sync_playwright() as found:
        browser = found.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        page = browser.new_page()
        troubles = []
        page.on("console", lambda m: m.type == "error" and troubles.append(m.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(url)
        expect(page.locator("#report h1")).to_have_text("<b>one v two")
        expect(page.locator("#report svg polyline")).to_have_count(1)
        expect(page.locator("#list button")).to_have_count(len(lines) - 1)
        page.locator("#list button").first.click()
        last = page.locator("#board").get_attribute("src")
        expect(page.locator("#note")).to_contain_text(f"{len(moves)}. {moves[-1]}")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#note")).to_contain_text(f"{len(moves) - 1}. {moves[-2]}")
        page.locator("#moves button").first.click()
        expect(page.locator("#note")).to_contain_text(f"1. {moves[0]}")
        page.get_by_role("button", name="first position").click()
        expect(page.locator("#note")).to_contain_text("0. opening")
        assert page.locator("#board").get_attribute("src") != last
        assert page.evaluate("document.getElementById('board').naturalWidth") > 0
        assert troubles == []
        with serving(journal.parent) as folder:
            page.goto(folder)
            page.get_by_role("button", name="match.jsonl").click()
            expect(page.locator("#report h1")).to_have_text("<b>one v two")
            page.locator("#list button").nth(1).click()
            expect(page.locator("#note")).to_contain_text(f"{len(moves)}. {moves[-1]}")
            page.get_by_role("button", name="All matches").click()
            expect(page.locator("#report h1")).to_contain_text("Matches in ")
        assert troubles == []
        page.goto(url.replace("#", "#x"))
        page.reload()
        expect(page.locator("#status")).to_have_text(
            "This address is not the one that eleengine has printed."
        )
        browser.close()
