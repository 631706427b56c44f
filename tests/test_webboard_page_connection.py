"""The page of the board and its connection, in a real browser: cut, late, new, or of an installed page."""

import random
import re

import pytest
from support import CHROMIUM, CHROMIUM_FLAGS, needs_chromium, wait_until
from webboard_desk import BLUNDER, GAME, PATIENCE, Desk, expect
from webboard_support import living

from eleengine.records import Game

pytest_plugins = ("webboard_desk",)
pytestmark = [pytest.mark.system, needs_chromium]


def test_a_killed_server_loses_nothing(browser, tmp_path):
    with living(tmp_path) as server:
        context = browser.new_context()
        desk = Desk(context.new_page(), server)
        desk.click("h2e2")
        desk.here("")
        desk.click("h9g7")
        expect(desk.page.locator(".mv")).to_have_count(2)
        files = tmp_path.glob
        wait_until(lambda: any("h9g7" in path.read_text(encoding="utf-8") for path in files("*.json")))
        server.kill()
        expect(desk.page.locator("#offline")).to_contain_text("go on in the page that it opens")
    with living(tmp_path, "--port", str(server.port)) as server:
        expect(desk.page.locator("#offline")).to_contain_text("not valid")  # with the token of before
        desk = Desk(context.new_page(), server)
        expect(desk.page.locator(".mv")).to_have_count(2)
        context.close()


def test_an_installed_page_finds_the_board_again(browser, tmp_path):
    """It keeps its port, and takes the token of the newest start; without the board it opens its games."""
    context = browser.browser_type.launch_persistent_context(
        tmp_path / "profile", executable_path=CHROMIUM, args=CHROMIUM_FLAGS, timeout=PATIENCE
    )
    with living(tmp_path / "board") as server:
        desk = Desk(context.new_page(), server)
        session = context.new_cdp_session(desk.page)
        assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        desk.page.evaluate("dispatchEvent(new Event('appinstalled'))")
        desk.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        app = context.new_page()
        app.goto(server.origin + "/")  # without the token
        expect(app.locator(".pieces .piece")).to_have_count(32)
        for text in ("1. h2e2 h9g7 2. e2e6 *", '[Red "Hu"]\n\n1. c3c4 c6c5 2. c4c5 (2. h2e2 {the other}) *'):
            app.evaluate(f"import('/main.js').then(({{app}}) => app.dialogs.openText({text!r}))")
            expect(app.locator(".mv")).to_have_count(3 if "Hu" not in text else 4)
        kept = "caches.match('/games/list').then((found) => found?.json()).then((found) => found?.length)"
        wait_until(lambda: app.evaluate(kept) == 2)
        desk.page.close()
        assert desk.troubles == []
    app.goto(server.origin + "/")
    offline = app.locator("#offline")
    expect(offline).to_contain_text("The board is not running")
    expect(app.locator(".mv")).to_have_count(4)
    expect(app.locator(".note")).to_contain_text("the other")
    for key, pieces in (("Home", 32), ("ArrowRight", 32), ("End", 31), ("ArrowUp", 31), ("ArrowLeft", 32)):
        app.keyboard.press(key)
        expect(app.locator(".boardview .pieces .piece")).to_have_count(pieces)
    app.keyboard.press("o")
    expect(app.locator("dialog .entry")).to_have_count(2)
    app.locator("dialog .entry").nth(1).click()
    expect(app.locator(".mv")).to_have_count(3)
    expect(app.locator("dialog")).to_have_count(0)
    app.get_by_role("switch").click()
    expect(app.locator("#notice")).to_contain_text("has to wait")
    expect(app.get_by_role("switch")).not_to_be_checked()
    with living(tmp_path / "board") as again:
        assert again.port == server.port and again.token != server.token
        app.goto(again.origin + "/")
        expect(app.locator("#offline")).to_contain_text("open the address that it printed last")
        desk = Desk(context.new_page(), again)
        expect(app.locator("#offline")).to_be_hidden()
        expect(app.locator(".pieces .piece")).to_have_count(32)
        assert desk.troubles == []
    context.close()


def test_a_page_is_light_and_leaves_nothing_in_a_browser_without_being_installed(desk, page):
    sizes = []
    page.on("response", lambda response: sizes.append(response))
    page.reload()
    expect(page.locator(".pieces .piece").first).to_be_visible()
    sent = sum(int(response.headers.get("content-length", 0)) for response in sizes)
    assert 10_000 < sent <= 120_000
    desk.click("h2e2")
    expect(page.locator(".mv")).to_have_count(1)
    assert page.evaluate("localStorage.length") == 0
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((found) => found.length)") == 0
    assert not (desk.server.folder / "port").exists()


def test_a_browser_that_keeps_nothing(opened):
    forbidden = "{get() { throw new DOMException('denied', 'SecurityError'); }}"
    names = "['localStorage', 'sessionStorage']"
    script = f"for (const name of {names}) Object.defineProperty(window, name, {forbidden})"
    desk, _ = opened(before=lambda page: page.add_init_script(script))
    desk.play("h2e2")


def test_the_address_of_a_new_start_in_an_old_window(desk, page, server):
    """Only what stands behind the # differs, for which browsers load nothing."""
    desk.play("h2e2")
    page.evaluate("location.hash = 'token-of-the-last-start'")
    expect(page.locator("#offline")).to_contain_text("not valid")
    page.goto(server.url)
    expect(page.locator("#offline")).to_be_hidden()
    desk.here("H2E2")


def test_puzzles_without_a_connection_leave_no_empty_dialog(desk):
    desk.server.kill()
    expect(desk.page.locator("#offline")).to_be_visible()
    desk.button("Puzzles").click()
    expect(desk.page.locator("dialog")).to_have_count(0)
    desk.troubles.clear()  # sockets that are refused


class Cable:
    """The connection of a page, which can be cut as by a phone that sleeps."""

    def __init__(self):
        self.whole = True
        self.ends = []
        self.page = None

    def connect(self, socket):
        if self.whole:
            self.ends = [socket.connect_to_server(), socket]
        else:
            socket.close()

    def cut(self):
        self.whole = False
        for end in self.ends:
            end.close()
        expect(self.page.locator("#offline")).to_be_visible()

    def mend(self):
        self.whole = True
        expect(self.page.locator("#offline")).to_be_hidden()


@pytest.fixture
def wired(opened):
    """A desk, its page and the cable of that."""
    cable = Cable()
    desk, page = opened(before=lambda page: page.route_web_socket("**/socket", cable.connect))
    cable.page = page
    yield desk, page, cable
    # What the page was saying when the connection was cut comes back as an error of the browser.
    desk.troubles[:] = [text for text in desk.troubles if "CLOSING or CLOSED" not in text]


def test_a_phone_that_sleeps_ends_the_review_and_keeps_the_lesson(wired):
    desk, page, cable = wired
    desk.open_text(BLUNDER, moves=8)
    page.get_by_label("per move").select_option("10")
    desk.button("Review the game").click()
    expect(page.locator("#learn progress")).to_be_visible()
    cable.cut()
    cable.mend()
    expect(page.locator("#learn progress")).to_have_count(0)
    desk.start_review()
    desk.button("Find the better move").click()
    expect(page.locator("#learn")).to_contain_text("Find a better move")
    cable.cut()
    cable.mend()
    expect(page.locator("#learn")).to_contain_text("Find a better move")
    cable.cut()
    desk.click("h0g2")
    expect(page.locator("#notice")).to_contain_text("has to wait")
    expect(page.locator("#learn")).not_to_contain_text("Not better")


def test_a_review_that_cannot_begin_leaves_the_last_one(wired):
    desk, page, cable = wired
    desk.review(BLUNDER, moves=8)
    cable.cut()
    page.get_by_label("More about the review").click()
    desk.button("Review again").click()
    expect(page.locator("#notice")).to_contain_text("has to wait")
    expect(page.locator("#learn progress")).to_have_count(0)
    expect(page.locator(".summary")).to_be_visible()


def test_what_is_written_without_a_connection_is_kept(wired):
    """It goes to its move, which has a different number when the server has read the game again."""
    desk, page, cable = wired
    notice = page.locator("#notice")
    desk.play("h2e2")
    page.keyboard.press("Home")
    desk.play("b2e2")
    desk.press("Home ArrowRight")
    desk.here("H2E2")
    desk.play("h9g7")
    cable.cut()
    page.get_by_label("Comment on this move").fill("my horse")
    expect(notice).to_contain_text("kept on the page")
    expect(page.locator(".note")).to_have_text("my horse")
    notice.get_by_label("Close").click()
    page.get_by_label("Comment on this move").click()  # which brings the marks
    desk.button("!?").click()
    expect(notice).to_contain_text("kept on the page")
    desk.here("H9G7!?")
    desk.button("!?").click()
    desk.button("!").click()
    desk.here(re.compile("H9G7!$"))
    desk.drag("a0a3", button="right")
    desk.drag("b0c2", button="right")
    expect(page.locator("polygon.arrow")).to_have_count(2)
    page.keyboard.press("s")
    page.get_by_label("Title").fill("cut off")
    page.keyboard.press("Tab")
    expect(page.locator("dialog #notice")).to_contain_text("kept on the page")
    page.keyboard.press("Escape")
    cable.mend()
    expect(notice).to_contain_text("without a connection is saved")
    with desk.server.page(doc=page.evaluate("sessionStorage.getItem('doc')")) as truth:
        (node,) = [node for node in truth.document["nodes"] if node.get("move") == "h9g7"]
        assert node["id"] == 2  # it was 3
        assert node["comment"] == "my horse" and node["nags"] == [1] and len(node["arrows"]) == 2
        assert truth.document["headers"]["Title"] == "cut off"
    desk.here("H9G7!")
    expect(page.locator(".note")).to_have_text("my horse")


def comment_without_a_connection(desk, cable):
    desk.play("h2e2")
    cable.cut()
    desk.page.get_by_label("Comment on this move").fill("many words")
    expect(desk.page.locator("#notice")).to_contain_text("kept on the page")


def test_what_is_written_about_a_move_that_is_gone_is_shown(wired):
    desk, page, cable = wired
    comment_without_a_connection(desk, cable)
    with desk.server.page(doc=page.evaluate("sessionStorage.getItem('doc')")) as other:
        other.ask("delete", node=1)
    cable.mend()
    expect(page.locator("#notice")).to_contain_text("could not be saved")
    expect(page.locator("#notice")).to_contain_text("many words")


def test_a_page_with_unsaved_words_asks_before_it_closes(wired):
    desk, page, cable = wired
    comment_without_a_connection(desk, cable)
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.accept()


def test_steps_without_a_connection(wired):
    """The pieces are those that the server shows; it goes on from there when it is back."""
    desk, page, cable = wired
    desk.open_text("1. h2e2 h9g7 2. e2e6 g7e6 3. h0g2 i9h9 *", moves=6)
    squares = "import('/main.js').then(({app}) => [...app.board.shown.pieces].sort().join() + app.tree.turn)"
    page.keyboard.press("Home")
    seen = [page.evaluate(squares)]
    for move in ("H2E2", "H9G7", "E2E6", "G7E6"):
        page.keyboard.press("ArrowRight")
        desk.here(move)
        seen.append(page.evaluate(squares))
    page.keyboard.press("Home")
    expect(page.locator(".mv.here")).to_have_count(0)
    cable.cut()
    for move, pieces in zip(("H2E2", "H9G7", "E2E6", "G7E6"), seen[1:], strict=True):
        page.keyboard.press("ArrowRight")
        desk.here(move)
        assert page.evaluate(squares) == pieces
    expect(page.locator(".boardview .pieces .piece")).to_have_count(30)
    page.keyboard.press("ArrowLeft")
    desk.here("E2E6")
    desk.click("g7e6")
    expect(page.locator("#notice")).to_contain_text("has to wait")
    cable.mend()
    desk.here("E2E6")
    desk.play("g7e6")


def test_what_cannot_be_done_without_a_connection_says_so(wired):
    """A move goes back to its place, a position stays in its editor."""
    desk, page, cable = wired
    notice = page.locator("#notice")
    cable.cut()
    desk.click("h2e2")
    expect(notice).to_contain_text("has to wait")
    expect(page.locator(".mv")).to_have_count(0)
    cable.mend()
    desk.button("Set up").click()
    desk.button("Clear").click()
    expect(page.locator(".boardview .piece")).to_have_count(3)
    desk.button("Play from here").click()
    cable.cut()
    desk.finish("Start")
    expect(notice).to_contain_text("has to wait")
    expect(page.locator("#editor")).to_be_visible()
    expect(page.locator(".boardview .piece")).to_have_count(3)


def test_a_setting_that_is_made_without_a_connection_is_kept(wired):
    desk, page, cable = wired
    cable.cut()
    desk.button("Settings").click()
    page.get_by_label("Language").first.select_option("zh-Hant")
    page.keyboard.press("Escape")
    cable.mend()
    expect(page.locator(".tools")).to_contain_text("新對局")
    page.reload()
    expect(page.locator(".tools")).to_contain_text("新對局")


def test_settings_of_two_pages_are_kept(opened):
    desk, one = opened()
    two = one.context.new_page()
    two.goto(desk.server.url)
    for page, choice in ((one, "dark"), (two, "zh-Hant")):
        page.locator(".tools button").nth(-2).click()
        page.locator("dialog select", has=page.locator(f"option[value={choice}]")).select_option(choice)
    expect(two.locator(".tools")).to_contain_text("新對局")
    one.reload()
    expect(one.locator(".tools")).to_contain_text("新對局")
    expect(one.locator("html")).to_have_attribute("data-theme", "dark")


def test_keys_that_come_faster_than_the_answers(opened):
    """Each step begins where the last one ended, even before the page shows it."""
    sockets, answers = [], []
    holding = False

    def release():
        while answers and not holding:
            sockets[0].send(answers.pop(0))

    def hear(message):
        answers.append(message)
        release()

    def connect(socket):
        sockets.append(socket)
        socket.connect_to_server().on_message(hear)

    desk, page = opened(before=lambda page: page.route_web_socket("**/socket", connect))
    desk.open_text(GAME, moves=25)
    desk.press("Home ArrowRight")
    expect(page.locator(".row .mv").first).to_contain_class("here")
    holding = True
    desk.press("ArrowRight ArrowRight End ArrowLeft")
    holding = False
    release()
    expect(page.locator(".row .mv").nth(23)).to_contain_class("here")


# What the server says reaches the page 50 to 500 ms later, in its order.
LATE_NEWS = """
window.WebSocket = class extends WebSocket {
  set onmessage(handler) {
    const waiting = [];
    let due = 0;
    super.onmessage = (event) => {
      waiting.push(event);
      due = Math.max(due, performance.now() + 50 + 450 * Math.random());
      setTimeout(() => handler(waiting.shift()), due - performance.now());
    };
  }
};
"""


@pytest.fixture
def late(opened):
    """An empty board whose page hears everything late."""
    return opened(before=lambda page: page.add_init_script(LATE_NEWS))[0]


def random_input(rng, number):
    """Moves and steps in a tree, and where they lead: (actions, game, node)."""
    game = node = Game()
    steps = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]
    actions = []
    while len(actions) < number:
        siblings = node.parent.children if node.parent else [node]
        place = siblings.index(node)
        key = rng.choice([*steps, "f", *["move"] * 6])
        if key == "move":
            move = rng.choice(list(node.board().legal_moves))
            actions.append(move.iccs())
            node = node.child(move) or node.add(move)
            continue
        actions.append(key)
        if key == "ArrowLeft":
            node = node.parent or node
        elif key == "ArrowRight":
            node = node.children[0] if node.children else node
        elif key in ("ArrowUp", "ArrowDown"):
            place += -1 if key == "ArrowUp" else 1
            node = siblings[place] if 0 <= place < len(siblings) else node
        elif key == "Home":
            node = game
        elif key == "End":
            while node.children:
                node = node.children[0]
    return actions, game, node


@pytest.mark.parametrize(
    ("seed", "number"), [(1, 20), *(pytest.param(seed, 60, marks=pytest.mark.slow) for seed in range(2, 8))]
)
def test_input_that_comes_before_the_news(late, server, seed, number):
    """Clicks and keys without a pause end where they end on a quiet machine."""
    page = late.page
    actions, game, node = random_input(random.Random(seed), number)
    flipped = False
    for action in actions:
        if action[1:2].isdigit():
            for square in (action[:2], action[2:]):
                page.mouse.click(*late.point(turned(square) if flipped else square))
        else:
            page.keyboard.press(action)
            flipped ^= action == "f"
    expect(page.locator(".mv")).to_have_count(len(list(game.nodes())) - 1)
    fen = node.board().fen()
    at_rest = "import('./main.js').then(({app}) => app.input.run(() => app.state.position.fen))"
    assert page.evaluate(at_rest) == fen
    names = labels(page)
    with server.page(doc=page.evaluate("sessionStorage.getItem('doc')")) as truth:
        assert truth.board["fen"] == fen
        assert paths(truth.document["nodes"]) == {tuple(map(str, one.moves())) for one in game.nodes()}
    page.reload()
    expect(page.locator(".mv")).to_have_count(len(list(game.nodes())) - 1)
    assert labels(page) == names


def turned(square):
    return "ihgfedcba"["abcdefghi".index(square[0])] + str(9 - int(square[1]))


def labels(page):
    names = "cells => cells.map(cell => cell.getAttribute('aria-label')).sort()"
    return page.locator("[data-square]").evaluate_all(names)


def paths(nodes):
    found = {0: ()}
    for node in nodes[1:]:
        found[node["id"]] = (*found[node["parent"]], node["move"])
    return set(found.values())


def test_a_step_after_a_line_that_is_played(late):
    page = late.page
    page.keyboard.press("e")
    step = page.locator(".lines li:not(.blank)").nth(1).locator(".step").nth(2)
    step.click()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".mv")).to_have_count(3)
    expect(page.locator(".mv").nth(1)).to_contain_class("here")


def test_a_game_whose_news_come_late(late):
    page = late.page
    late.new_game("both")
    expect(page.locator("#game")).to_contain_text("Red to move")  # the board has its new size
    for move in ("h2e2", "h9g7", "h0g2", "i9h9"):
        late.click(move)
    expect(page.locator(".mv")).to_have_count(4)
    page.keyboard.press("Control+z")
    late.click("b9c7")
    expect(page.locator(".variation .mv")).to_have_text("I9H9")
    late.here("B9C7")
