"""The page of the board in a real browser."""

import ast
import copy
import os
import random
import re
import time
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest
from support import CHECKOUT, CHROMIUM, CHROMIUM_FLAGS, needs_chromium
from webboard_support import living

from eleengine.games import GameIndex
from eleengine.legality import REASONS
from eleengine.records import Game
from eleengine.records.formats import _STRANGERS
from eleengine.webboard.puzzles import puzzles
from eleengine.webboard.store import Store

pytest.importorskip("starlette", reason="needs the extra board")
playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
expect = playwright.expect
PATIENCE = 120_000  # milliseconds: two cores that many tests share can be slow
expect.set_options(timeout=PATIENCE)

pytestmark = [pytest.mark.system, needs_chromium]


class Desk:
    """A page, with what went wrong on it."""

    def __init__(self, page, server):
        self.page = page
        self.server = server
        self.troubles = []
        page.on("console", lambda m: m.type == "error" and self.troubles.append(m.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda request: self._see(request.url))
        page.goto(server.url)
        expect(page.locator(".pieces .piece").first).to_be_visible()

    def _see(self, url):
        if not url.startswith((self.server.origin, "blob:", "data:")):
            self.troubles.append(f"request to {url}")

    def point(self, square):
        box = self.page.locator(".boardview").bounding_box()
        scale = box["width"] / 600
        file, rank = "abcdefghi".index(square[0]), int(square[1])
        return box["x"] + (60 + 60 * file) * scale, box["y"] + (60 + 60 * (9 - rank)) * scale

    def click(self, move):
        for square in (move[:2], move[2:4]):
            self.page.mouse.click(*self.point(square))

    def drag(self, move, button="left"):
        self.page.mouse.move(*self.point(move[:2]))
        self.page.mouse.down(button=button)
        self.page.mouse.move(*self.point(move[2:4]), steps=6)
        self.page.mouse.up(button=button)

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def tool(self, key):
        """Press a tool, which on a narrow screen may have another word or stand in the menu."""
        other = {"newGame": "barPlay", "open": "barOpen"}.get(key, key)
        menu = self.page.locator(".tools summary")
        if menu.count() and key not in ("newGame", "open", "puzzles"):
            menu.click()
        self.button(word(self, other if menu.count() else key)).click()

    def finish(self, name):
        """Press the button that ends a dialog; what is typed and clicked before it is gone goes nowhere."""
        self.button(name).click()
        expect(self.page.locator("dialog")).to_have_count(0)

    def new_game(self, sides, *, level=None, **choices):
        """Begin a game. level: of the only engine; choices: of lists, by their labels."""
        self.page.keyboard.press("n")
        dialog = self.page.locator("dialog")
        dialog.get_by_label("You play").select_option(sides)
        for label, value in choices.items():
            dialog.get_by_label(label).select_option(value)
        if level is not None:
            dialog.get_by_label("Level").fill(str(level))
        self.finish("Start")

    def open_text(self, text, *, pieces=None, moves=None):
        """Open a game or position, and wait until so many pieces or moves are shown."""
        self.page.keyboard.press("o")
        self.page.get_by_label("Game or FEN").fill(text)
        self.finish("Open this text")
        for places, count in ((".boardview .piece", pieces), (".mv", moves)):
            if count is not None:
                expect(self.page.locator(places)).to_have_count(count)

    def change(self, name):
        """Use the menu of the shown move."""
        self.page.get_by_label("Change this move").click()
        self.button(name).click()

    def here(self, text):
        """The move that is shown."""
        expect(self.page.locator(".mv.here")).to_contain_text(text)


@pytest.fixture
def server(tmp_path):
    """A server of its own for each test: documents and settings are the server's."""
    with living(tmp_path / "board") as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS, timeout=PATIENCE)
        yield found
        found.close()


@pytest.fixture
def opened(server, browser):
    """Opens pages: opened(width, height, locale); what goes wrong on any fails the test.

    settings: what the user has chosen before, ICCS moves if nothing else is said.
    """
    desks, contexts = [], []

    def make(width=1280, height=800, locale="en-US", settings=None, before=None, **options):
        Store(server.folder).keep("settings", {"notation": "iccs"} | (settings or {}))
        context = browser.new_context(viewport={"width": width, "height": height}, locale=locale, **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        if before is not None:
            before(page)
        desks.append(Desk(page, server))
        return desks[-1]

    yield make
    troubles = [trouble for desk in desks for trouble in desk.troubles]
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def desk(opened):
    """An empty board for analysis, in English with ICCS moves."""
    return opened()


@pytest.fixture
def page(desk):
    """The page of that board."""
    return desk.page


def test_moves_variations_and_arrows(desk, page):
    desk.click("h2e2")
    desk.here("H2E2")
    desk.drag("h9g7")
    desk.here("H9G7")
    desk.drag("h0h5")  # not legal: nothing happens
    desk.here("H9G7")
    page.keyboard.press("ArrowLeft")
    desk.here("H2E2")
    desk.click("h7e7")
    desk.here("H7E7")
    expect(page.locator(".variation .mv")).to_have_count(1)
    desk.change("Main line")
    expect(page.locator(".row .mv").nth(1)).to_have_text("H7E7")
    page.keyboard.press("ArrowDown")
    desk.here("H9G7")
    desk.drag("a0a3", button="right")
    expect(page.locator("polygon.arrow")).to_have_count(1)
    page.get_by_label("Comment on this move").fill('<b>& "x"</b>')
    page.keyboard.press("Tab")
    expect(page.locator(".note")).to_have_text('<b>& "x"</b>')
    desk.change("Delete")
    expect(page.locator(".variation")).to_have_count(0)
    page.reload()
    expect(page.locator(".row .mv")).to_have_count(2)
    desk.here("H2E2")


def test_a_selected_or_held_piece_outlives_news(desk, page):
    """What is drawn anew meanwhile, as by flipping the board, leaves it where it is."""
    page.mouse.click(*desk.point("h2"))
    page.keyboard.press("f")
    page.keyboard.press("f")
    page.mouse.click(*desk.point("e2"))
    desk.here("H2E2")
    page.mouse.move(*desk.point("b9"))
    page.mouse.down()
    page.mouse.move(*desk.point("c7"), steps=6)
    page.keyboard.press("f")
    page.keyboard.press("f")
    page.mouse.up()
    desk.here("B9C7")
    page.mouse.click(*desk.point("b0"))
    page.keyboard.press("ArrowLeft")
    desk.here("H2E2")
    page.mouse.click(*desk.point("c2"))  # another position: no longer selected
    page.keyboard.press("ArrowRight")
    desk.here("B9C7")
    expect(page.locator(".mv")).to_have_count(2)


def test_a_game_with_take_back_and_resignation(desk, page):
    desk.new_game("red", level=0)
    expect(page.locator("#game")).to_contain_text("Your turn")
    desk.click("h2e2")
    expect(page.locator(".mv")).to_have_count(2)
    expect(page.locator("#game")).to_contain_text("Your turn")
    desk.click("a3a4")  # whatever level 0 has replied, nothing is in its way
    expect(page.locator(".mv")).to_have_count(4)
    expect(page.locator("#game")).to_contain_text("Your turn")
    page.keyboard.press("Control+z")
    expect(page.locator(".mv").nth(1)).to_contain_class("here")
    expect(page.locator("#game")).to_contain_text("Your turn")  # the game has gone back with the board
    desk.click("i3i4")
    expect(page.locator(".variation")).to_have_count(1)
    expect(page.locator("#game")).to_contain_text("Your turn")
    page.get_by_role("button", name="Resign").click()
    desk.button("Yes").click()
    expect(page.locator("#game .result")).to_contain_text("Black wins by resignation")


def test_a_game_ends_with_a_mate(desk, page):
    desk.open_text("3k5/R8/8R/9/9/9/9/9/9/5K3 w - - 0 1", pieces=4)
    desk.new_game("red", From="here")
    expect(page.locator("#game")).to_contain_text("Your turn")
    desk.drag("i7i9")
    expect(page.locator("#game .result")).to_contain_text("Red wins by checkmate")
    expect(page.locator("#status")).to_contain_text("Red wins by checkmate")


def test_a_move_is_entered_ahead_by_finger_keyboard_and_mouse(opened):
    """Between two pages: it is played in its turn, dropped with the reason, or taken back."""
    one = opened()
    one.new_game("both")
    expect(one.page.locator("#game")).to_contain_text("Red to move")
    doc = one.page.evaluate("sessionStorage.doc")
    two = opened(has_touch=True, before=lambda page: page.add_init_script(f"sessionStorage.doc = '{doc}'"))
    ahead, notice = two.page.locator("polygon.arrow.premove"), two.page.locator("#notice")

    def tap(*squares):
        for square in squares:
            two.page.touchscreen.tap(*two.point(square))

    def enter(*squares):
        for square in squares:
            two.page.locator(f'[data-square="{square}"]').focus()
            two.page.keyboard.press("Enter")

    tap("h7", "e7")
    expect(ahead).to_have_count(1)
    expect(two.page.locator("circle.premove")).to_have_count(2)
    expect(two.page.locator("#game")).to_contain_text("Premove: black cannon h7 – e7")
    tap("e7")
    expect(ahead).to_have_count(0)
    tap("h7", "e7")
    expect(one.page.locator("polygon.arrow.premove")).to_have_count(0)
    one.click("h2e2")
    for desk in (one, two):
        desk.here("H7E7")
    enter("b9", "c7")
    expect(ahead).to_have_count(1)
    one.click("e2e6")  # check
    expect(notice).to_contain_text("The premove is dropped. You are in check, and this does not end it.")
    expect(ahead).to_have_count(0)
    two.here("E2E6")
    two.click("d9e8")
    two.drag("b9c7")
    expect(ahead).to_have_count(1)
    two.page.keyboard.press("Escape")
    expect(ahead).to_have_count(0)
    two.drag("a9b9")  # to protect the horse there
    expect(ahead).to_have_count(1)
    one.page.keyboard.press("Control+z")
    expect(notice).to_contain_text("a move was taken back")
    expect(one.page.locator(".mv")).to_have_count(4)


def test_a_move_is_entered_while_the_engine_thinks(desk, page):
    desk.new_game("red", level=20)  # which takes its two seconds
    expect(page.locator("#game")).to_contain_text("Your turn")
    desk.click("a3a4")
    expect(page.locator(".mv")).to_have_count(1)
    desk.click("i3i4")
    expect(page.locator(".mv").nth(2)).to_contain_text("I3I4")


def test_engines_play_each_other(desk, page):
    page.keyboard.press("n")
    page.get_by_label("You play").select_option("none")
    page.get_by_label("level, Red").fill("0")
    page.get_by_label("level, Black").fill("0")
    desk.finish("Start")
    expect(page.locator(".mv").nth(2)).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#game")).to_contain_text("Paused")
    page.get_by_role("button", name="Stop").click()
    desk.button("Yes").click()
    expect(page.locator("#game .result")).to_contain_text("stopped")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_whole_game_by_clicks(desk, page):
    """Random legal clicks against level 0, to the end that the rules say."""
    desk.new_game("red", level=0)
    rng = random.Random(2)
    for _ in range(250):
        expect(page.locator("#game")).to_contain_text(re.compile("Your turn|wins|Draw"))
        if page.locator("#game .result").count():
            break
        squares = [file + rank for file in "abcdefghi" for rank in "0123456789"]
        before = page.locator(".mv").count()
        rng.shuffle(squares)
        for square in squares:
            page.mouse.click(*desk.point(square))
            targets = page.locator("circle.target, circle.take")
            if targets.count():
                targets.nth(rng.randrange(targets.count())).click(force=True)
                break
        expect(page.locator(".mv").nth(before)).to_be_visible()
    expect(page.locator("#game .result")).to_contain_text(re.compile("wins|Draw"))


def test_analysis_shows_lines_and_arrows(page):
    page.keyboard.press("e")
    expect(page.locator(".lines li")).to_have_count(3)
    expect(page.locator("polygon.arrow.best")).to_have_count(1)
    page.keyboard.press("2")
    expect(page.locator(".lines li")).to_have_count(2)
    page.locator(".lines .score").first.click()
    expect(page.locator(".mv")).to_have_count(1)
    expect(page.locator(".lines li")).to_have_count(2)
    page.locator(".lines li").first.locator(".step").nth(2).hover()
    expect(page.locator("polygon.arrow")).to_have_count(0)  # the line is shown instead
    page.locator(".lines li").first.locator(".step").nth(2).click()
    expect(page.locator(".mv")).to_have_count(4)
    page.keyboard.press("e")
    expect(page.locator(".lines li")).to_have_count(0)


def test_keyboard_only(desk, page):
    page.keyboard.press("c")
    for text in ("炮二平五", "H8+7", "h0g2"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(page.get_by_label("Type a move: 炮二平五, C2.5, h2e2")).to_have_value("")
    expect(page.locator(".mv")).to_have_count(3)
    page.locator('[data-square="i9"]').focus()
    page.keyboard.press("Enter")
    expect(page.locator('[data-square="i9"]')).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.square") == "h9"
    page.keyboard.press("Enter")
    desk.here("I9H9")
    expect(page.locator("#status")).to_have_text("I9H9. Red to move")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("take back")


def test_every_point_has_a_name(desk):
    tree = desk.page.locator("[role=grid]").aria_snapshot()
    names = re.findall(r'gridcell "([^"]+)"', tree)
    assert len(names) == len(set(names)) == 90
    kinds = Counter(name.rpartition(" ")[0] for name in names)
    assert kinds["red pawn"] == 5 and kinds["black king"] == 1 and kinds["empty"] == 58
    unnamed = desk.page.evaluate(
        "[...document.querySelectorAll('button, select, input, textarea')].filter(e => e.checkVisibility() &&"
        " !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).length"
    )
    assert unnamed == 0


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("zh-CN", ("新对局", "轮到红方", "炮二平五")),
        ("zh-TW", ("新對局", "輪到紅方", "炮二平五")),
        ("en-US", ("New game", "Red to move", "C2.5")),
    ],
)
def test_languages_and_notations_follow_the_browser(browser, tmp_path, locale, words):
    with living(tmp_path) as server:
        context = browser.new_context(locale=locale)
        desk = Desk(context.new_page(), server)
        page = desk.page
        expect(page.locator(".tools")).to_contain_text(words[0])
        expect(page.locator("#status")).to_have_text(words[1])
        desk.click("h2e2")
        desk.here(words[2])
        assert page.evaluate("document.documentElement.lang")[:2] == locale[:2]
        assert desk.troubles == []
        context.close()


def test_narrow_screens(opened):
    desk = opened(375, 740, has_touch=True, is_mobile=True)
    page = desk.page
    box = page.locator(".boardview").bounding_box()
    assert box["width"] >= 370 and box["width"] / 10 >= 36
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    for square in ("h2", "e2"):
        page.touchscreen.tap(*desk.point(square))
    desk.here("H2E2")
    small = page.evaluate(
        "[...document.querySelectorAll('button')].filter(e => e.checkVisibility()).map(e =>"
        " e.getBoundingClientRect()).filter(r => r.width < 24 || r.height < 24).length"
    )
    assert small == 0


SAMPLES = ["game.iccs.pgn", "tree.pgn", "tree.v18.xqf", "tree.cbr", "tree.dhtmlxq.txt"]


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_records_open(page, name):
    path = CHECKOUT / "tests" / "records" / name
    if not path.exists():
        pytest.skip(f"no {path}")
    page.keyboard.press("o")
    page.get_by_label("Choose files").set_input_files(str(path))
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".mv").nth(3)).to_be_visible()


def test_paste_save_and_copy(desk, page):
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.setData("text", '[Red "胡"]\\n\\n1. 炮二平五 马8进7 2. 马二进三 *');
            document.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
        }"""
    )
    expect(page.locator(".mv")).to_have_count(3)
    expect(page.locator("#below")).to_contain_text("胡")
    page.keyboard.press("s")
    page.get_by_label("Notation").select_option("wxf")
    with page.expect_download() as download:
        desk.button("Download").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert "C2.5" in text and "胡" in text


def test_the_editor_says_what_is_wrong(desk, page):
    desk.button("Set up").click()
    desk.button("Clear").click()
    page.locator('[data-piece="R"]').click()
    page.mouse.click(*desk.point("a4"))
    expect(page.locator(".boardview .piece")).to_have_count(4)
    desk.page.locator('[data-piece="R"]').click()
    desk.drag("e4d5")  # now the kings face each other
    expect(page.locator(".defects")).to_contain_text("The kings on e0 and e9 face each other")
    expect(desk.button("Analyse")).to_be_disabled()
    desk.drag("e0d0")
    expect(page.locator(".defects")).to_be_hidden()
    page.locator('[data-piece="p"]').click()
    page.mouse.click(*desk.point("i9"))  # where no pawn comes, but composers put it
    expect(page.locator(".defects")).to_contain_text("A black pawn can never stand on i9")
    desk.button("Analyse").click()
    expect(page.locator("#editor")).to_be_hidden()
    expect(page.locator(".boardview .piece")).to_have_count(5)


def test_the_editor_takes_pieces_by_drag_undoes_and_swaps(desk, page):
    desk.button("Set up").click()
    desk.button("Clear").click()
    field = page.get_by_label("FEN", exact=True)
    expect(field).to_have_value("4k4/9/9/9/9/4P4/9/9/9/4K4 w - - 0 1")
    box = page.locator('[data-piece="r"]').bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.down()
    page.mouse.move(*desk.point("d5"), steps=5)
    expect(page.locator("body > .ghost")).to_have_count(1)
    page.mouse.move(*desk.point("a5"), steps=5)
    page.mouse.up()
    expect(page.locator("body > .ghost")).to_have_count(0)
    with_rook = "4k4/9/9/9/r8/4P4/9/9/9/4K4 w - - 0 1"
    expect(field).to_have_value(with_rook)
    page.mouse.click(*desk.point("c5"))  # nothing is left in the hand
    expect(field).to_have_value(with_rook)
    desk.button("Swap colours").click()
    expect(field).to_have_value("4k4/9/9/9/4p4/R8/9/9/9/4K4 b - - 0 1")
    expect(page.get_by_label("To move")).to_have_value("b")
    page.keyboard.press("Control+z")
    expect(field).to_have_value(with_rook)
    desk.button("Undo").click()
    expect(field).to_have_value("4k4/9/9/9/9/4P4/9/9/9/4K4 w - - 0 1")
    desk.button("Undo").click()
    expect(desk.button("Undo")).to_be_disabled()
    expect(page.locator(".boardview .piece")).to_have_count(32)


def test_a_mate_is_asked_for_and_played_out(desk, page):
    desk.open_text("5k3/3Pa1P2/3a3n1/6N2/9/9/9/3A5/2p2p3/4K4 w")
    page.get_by_label("Engine settings").click()
    desk.button("Is there a mate?").click()
    expect(page.locator("#notice")).to_contain_text("Mate in ")
    page.locator("#notice").get_by_role("button", name="Show it").click()
    expect(page.locator(".mv")).to_have_count(9)


def test_a_puzzle(desk, page):
    desk.button("Puzzles").click()
    page.get_by_label("Show").select_option("two")
    page.locator("dialog .entry:visible").first.click()
    expect(page.locator("#puzzle")).to_contain_text("wins in 2 moves")
    desk.page.locator("#puzzle").get_by_role("button", name="Hint").click()
    expect(page.locator("circle.selected")).to_have_count(1)
    page.locator("#puzzle").get_by_role("button", name="Solution").click()
    expect(page.locator("#puzzle")).to_contain_text("The solution is in the moves")
    assert page.locator(".mv").count() >= 3


def test_an_ending_against_perfect_play(desk, page):
    desk.button("Puzzles").click()
    page.locator("dialog summary").click()
    page.locator("dialog .entry", has_text="Knight against an advisor").click()
    card = page.locator("#puzzle")
    expect(card).to_contain_text("Win against the best defence")
    card.get_by_role("button", name="Solution").click()
    expect(card).to_contain_text("The solution is in the moves")
    assert page.locator(".mv").count() >= 9
    card.get_by_role("button", name="Another position").click()
    expect(card).to_contain_text("Win against the best defence")


def test_analysis_says_what_the_table_knows(desk, page):
    desk.open_text("4Ck3/4a4/9/9/9/9/9/9/4A4/3K5 w")
    page.keyboard.press("e")
    expect(page.locator(".known")).to_have_text(
        "Table: Red wins in 25 plies. Only these moves keep it: E9A9 E9B9 E9C9"
    )


def test_a_review_marks_the_blunder(desk, page):
    desk.open_text(BLUNDER, moves=8)
    page.get_by_label("per move").select_option("0.1")
    desk.button("Review the game").click()
    expect(page.locator(".summary")).to_be_visible()
    expect(page.locator("#graph")).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    desk.here("E2E6")
    card = page.locator("#learn .why")
    expect(card).to_contain_text(re.compile(r"Costs \d+ %, loses a cannon.*\. Better: "))
    expect(page.locator("polygon.arrow.red")).to_have_count(1)
    expect(page.locator("polygon.arrow.green")).to_have_count(1)
    desk.button("The answer").click()
    expect(page.locator(".mv")).not_to_have_count(8)  # the answer goes on where the game ended
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(card).to_contain_text("H2E2: a move of the book.")
    page.keyboard.press("Shift+ArrowRight")
    desk.here("E2E6")
    desk.button("Try it").click()
    expect(page.locator("#learn")).to_contain_text("1/1")
    desk.button("Finish").click()
    desk.button("Find the better move").click()
    expect(page.locator("#learn")).to_contain_text("Find a better move")


@pytest.mark.parametrize(
    ("locale", "language", "words"),
    [
        ("zh-TW", "zh-Hant", ("錯失", "漏著", "應走", "炮五進四??")),
        ("zh-CN", "zh", ("错失", "漏着", "应走", "炮五进四??")),
        ("en-US", "en", ("Missed", "Blunder", "better", "C5+4??")),
    ],
)
def test_the_pages_of_a_review_and_a_game_are_in_the_language_of_the_board(
    browser, opened, tmp_path, locale, language, words
):
    desk = opened(locale=locale, settings={"notation": ""})
    page = desk.page
    page.evaluate(DROP, ["game.txt", BLUNDER])
    expect(page.locator(".mv")).to_have_count(8)
    page.locator("#learn select").first.select_option("0.1")
    page.locator("#learn button").first.click()
    expect(page.locator(".summary")).to_be_visible()
    page.locator("#learn summary").click()
    with page.expect_download() as download:
        page.locator("#learn .popup button").last.click()
    download.value.save_as(tmp_path / "review.html")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    with page.expect_download() as download:
        page.locator("dialog .buttons button").nth(4).click()
    download.value.save_as(tmp_path / "game.html")
    page = browser.new_page()
    for name in ("review.html", "game.html"):
        page.goto((tmp_path / name).as_uri())
        assert page.locator("html").get_attribute("lang") == language
        page.locator("#moves button").nth(2).click()
        assert page.locator("#moves button").nth(2).text_content() == words[3]
        assert words[1] in page.locator("#said").text_content()
        assert words[2] in page.locator("#said").text_content()
        assert words[0] in page.locator("#sums").text_content()
    page.close()


def test_two_tabs(opened):
    one, two = opened(), opened()
    for desk, move in ((one, "h2e2"), (two, "b2e2")):
        desk.click(move)
    one.here("H2E2")
    two.here("B2E2")
    one.page.keyboard.press("e")
    two.page.keyboard.press("e")
    for desk in (one, two):
        expect(desk.page.locator(".lines li").first).to_be_visible()


def test_a_killed_server_loses_nothing(browser, tmp_path):
    with living(tmp_path) as server:
        context = browser.new_context()
        desk = Desk(context.new_page(), server)
        desk.click("h2e2")
        desk.here("")
        desk.click("h9g7")
        expect(desk.page.locator(".mv")).to_have_count(2)
        saved_soon(tmp_path, "h9g7")
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
        deadline = time.monotonic() + 60
        while app.evaluate(kept) != 2 and time.monotonic() < deadline:
            time.sleep(0.1)
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


def test_a_page_that_is_not_installed_leaves_nothing_in_the_browser(desk):
    desk.click("h2e2")
    expect(desk.page.locator(".mv")).to_have_count(1)
    assert desk.page.evaluate("localStorage.length") == 0
    assert desk.page.evaluate("navigator.serviceWorker.getRegistrations().then((found) => found.length)") == 0
    assert not (desk.server.folder / "port").exists()


def test_the_page_is_light_and_fast(opened, server):
    sizes = []
    desk = opened()
    desk.page.on("response", lambda response: sizes.append(response))
    desk.page.reload()
    expect(desk.page.locator(".pieces .piece").first).to_be_visible()
    sent = sum(int(response.headers.get("content-length", 0)) for response in sizes)
    assert 10_000 < sent <= 120_000


# What fingers, resting mice and readers of Chinese meet


def test_a_finger_drags_a_piece_up_without_scrolling(opened):
    desk = opened(390, 844, has_touch=True, is_mobile=True)
    page = desk.page
    touch = page.context.new_cdp_session(page)

    def send(kind, *points):
        touch.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )

    for number, move in enumerate(("h0g2", "a9a7", "h2h6"), 1):
        (x, y), (to_x, to_y) = desk.point(move[:2]), desk.point(move[2:4])
        send("touchStart", (x, y))
        for step in range(1, 9):
            send("touchMove", (x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
        if number == 1:
            expect(page.locator("circle.aim")).to_have_count(1)
        send("touchEnd")
        desk.here(move.upper())
        assert page.evaluate("scrollY") == 0
    expect(page.locator(".mv")).to_have_count(3)


# Resolves when the page has not scrolled for a quarter of a second: it rolls on after a finger.
ROLLED_OUT = """() => new Promise((resolve) => {
  let last = setTimeout(resolve, 250);
  addEventListener("scroll", () => { clearTimeout(last); last = setTimeout(resolve, 250); });
})"""


class Fingers:
    """Fingers on a page, each with a number and a place: what is not named has been lifted."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)

    def __call__(self, kind, **places):
        points = [{"id": int(name[1:]), "x": x, "y": y} for name, (x, y) in places.items()]
        self.session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})


def test_a_finger_that_scrolls_the_page_moves_nothing(opened):
    """It begins on an empty point, where a selected piece could go, or one of the palette's."""
    desk = opened(390, 844, has_touch=True, is_mobile=True)
    page, touch = desk.page, Fingers(desk.page)

    def scroll(square):
        page.evaluate("scrollTo(0, 0)")
        x, y = desk.point(square)
        touch("Start", f1=(x, y))
        for step in range(1, 9):
            touch("Move", f1=(x, y - 12 * step))
        touch("End")
        page.wait_for_function("scrollY > 40")
        page.evaluate(ROLLED_OUT)  # a page in motion takes a tap elsewhere
        page.evaluate("scrollTo(0, 0)")

    page.touchscreen.tap(*desk.point("h2"))
    expect(page.locator("circle.selected")).to_have_count(1)
    scroll("h5")
    scroll("d4")
    expect(page.locator("circle.selected")).to_have_count(1)
    page.touchscreen.tap(*desk.point("h5"))
    desk.here("H2H5")
    expect(page.locator(".mv")).to_have_count(1)
    desk.tool("edit")
    page.locator('[data-piece="r"]').tap()
    scroll("e4")
    expect(page.locator(".boardview .piece")).to_have_count(32)
    page.touchscreen.tap(*desk.point("e4"))
    expect(page.locator(".boardview .piece")).to_have_count(33)


def test_a_finger_that_rests_draws_an_arrow(opened):
    """From a piece and from an empty point; it moves no piece and scrolls nothing."""
    desk = opened(390, 664, has_touch=True, is_mobile=True)
    page, touch = desk.page, Fingers(desk.page)
    for number, move in enumerate(("e3e6", "d4d7"), 1):
        (x, y), (to_x, to_y) = desk.point(move[:2]), desk.point(move[2:4])
        touch("Start", f1=(x, y))
        expect(page.locator("circle.ring-arrow")).to_have_count(1)
        for step in range(1, 9):
            touch("Move", f1=(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
        touch("End")
        expect(page.locator("circle.ring-arrow")).to_have_count(0)
        expect(page.locator("polygon.arrow.green")).to_have_count(number)
    assert page.evaluate("scrollY") == 0
    expect(page.locator(".mv")).to_have_count(0)
    expect(page.locator("circle.selected")).to_have_count(0)


def test_a_second_finger_leaves_the_piece_to_the_first(opened):
    desk = opened(390, 844, has_touch=True, is_mobile=True)
    page, touch = desk.page, Fingers(desk.page)
    touch("Start", f1=desk.point("h2"))
    touch("Move", f1=desk.point("g2"))
    touch("Start", f1=desk.point("g2"), f2=desk.point("b2"))
    touch("Move", f1=desk.point("f2"), f2=desk.point("b4"))
    touch("Move", f1=desk.point("e2"), f2=desk.point("b5"))
    touch("End")
    desk.here("H2E2")
    expect(page.locator(".lifted")).to_have_count(0)
    expect(page.locator(".mv")).to_have_count(1)


def test_a_drag_or_arrow_that_is_cancelled_leaves_nothing(desk, page):
    cancel = "new PointerEvent('pointercancel', {pointerId: 1, isPrimary: true, bubbles: true})"
    for button, trace in (("left", ".lifted, circle.aim"), ("right", "polygon.arrow")):
        page.mouse.move(*desk.point("h2"))
        page.mouse.down(button=button)
        page.mouse.move(*desk.point("e2"), steps=6)
        expect(page.locator(trace)).not_to_have_count(0)
        page.evaluate(f"document.querySelector('.boardview').dispatchEvent({cancel})")
        expect(page.locator(trace)).to_have_count(0)
        page.mouse.move(*desk.point("d2"), steps=3)
        page.mouse.up(button=button)
    desk.click("b0c2")
    desk.here("B0C2")
    expect(page.locator("polygon.arrow")).to_have_count(0)
    expect(page.locator(".mv")).to_have_count(1)


def test_the_keys_come_back_when_the_board_or_the_switch_is_used(desk, page):
    page.keyboard.press("c")
    page.keyboard.type("x")
    desk.drag("h2e2")
    desk.here("H2E2")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".mv.here")).to_have_count(0)
    page.locator("#engine [role=switch]").click()
    page.keyboard.press("ArrowRight")
    desk.here("H2E2")
    page.keyboard.press("Space")  # is the switch's own
    expect(page.locator("#engine [role=switch]")).not_to_be_checked()


def test_a_dialog_stays_for_a_selection_and_a_double_click(desk, page):
    desk.button("Open").dblclick()
    field = page.locator("dialog textarea")
    field.fill("a game that took long to type")
    box = field.bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(10, box["y"] + 12, steps=5)
    page.mouse.up()
    expect(field).to_have_value("a game that took long to type")
    page.mouse.click(10, box["y"] + 12)
    expect(page.locator("dialog")).to_have_count(0)


DROP = """([name, text, ...more]) => {
    const data = new DataTransfer();
    if (name) data.items.add(new File([text], name));
    else data.setData("text", text);
    for (const [name, text] of more) data.items.add(new File([text], name));
    const place = document.querySelector("dialog textarea") ?? document.body;
    return !place.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
}"""


def test_what_is_dropped_on_a_dialog_takes_its_place(desk, page):
    desk.button("Open").click()
    assert page.evaluate(DROP, [None, "words"]) is False  # the text field's
    assert page.evaluate(DROP, ["game.txt", "1. h2e2 h9g7"]) is True
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".mv")).to_have_count(2)
    desk.button("Open").click()
    page.evaluate(DROP, ["two.txt", "startpos moves h2e2\nstartpos moves c3c4\n"])
    expect(page.get_by_role("dialog", name="2 games in this file")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(1)


def test_a_folder_that_is_dropped_is_refused_in_words(desk):
    reading = "Promise.reject(new DOMException('a folder', 'NotFoundError'))"
    folder = f"{{name: 'games', size: 4096, arrayBuffer: () => {reading}}}"
    desk.page.evaluate(f"import('/main.js').then(({{app}}) => void app.dialogs.openFiles([{folder}]))")
    expect(desk.page.locator("#notice")).to_contain_text("Folders cannot be opened")


def test_all_files_that_are_dropped_are_opened(desk, page):
    """One after the other; the games of one that has more than one go to one's own games, all of them."""
    two = ["two.txt", "startpos moves h2e2\nstartpos moves c3c4\n"]
    page.evaluate(DROP, ["one.txt", "1. h2e2 h9g7", two, ["three.txt", "1. g3g4 g6g5 2. b0c2"]])
    expect(page.locator("#notice")).to_contain_text("3 of 3 files read")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".mv")).to_have_count(3)
    page.keyboard.press("o")
    plies = page.locator("dialog .list .entry small")
    expect(plies).to_have_count(2)
    assert [re.findall(r"\d plies", text) for text in plies.all_text_contents()] == [["3 plies"], ["2 plies"]]
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    desk.button("Games").click()
    expect(page.locator(".explorer [data-game]")).to_have_count(4)  # without being asked


def test_a_file_has_any_number_of_games(page, tmp_path):
    path = tmp_path / "many.pgn"
    game = '[Event "Cup"]\n[Date "1960.04.01"]\n[Red "R{}"]\n\n1. h2e2 h9g7 *\n\n'
    path.write_text("".join(map(game.format, range(1500))))
    page.keyboard.press("o")
    page.get_by_label("Choose files").set_input_files(path)
    box = page.get_by_role("dialog", name="1500 games in this file")
    entries = box.locator(".entry")
    expect(entries.first).to_contain_text("R0 ")
    expect(entries.first).to_contain_text("Central Cannon")
    assert entries.count() < 100
    page.evaluate("document.querySelector('.games').scrollTop = 1e6")
    expect(entries.last).to_contain_text("R1499 ")
    assert entries.count() < 100
    box.get_by_label("Search").fill("R77 ")
    expect(entries).to_have_count(1)
    box.get_by_label("Search").fill("")
    page.evaluate("document.querySelector('.games').scrollTop = 1e6")
    expect(entries.last).to_contain_text("R1499 ")
    entries.last.click()
    about = page.locator(".about")
    expect(about).to_contain_text("Cup · 1960.04.01")
    expect(about).to_contain_text("game 1500 of 1500")
    page.keyboard.press("PageUp")
    expect(about).to_contain_text("game 1499 of 1500")
    expect(page.locator(".player .name").filter(has_text="R1498")).to_be_visible()
    page.keyboard.press("PageDown")
    expect(about).to_contain_text("game 1500 of 1500")
    page.keyboard.press("PageDown")
    expect(page.locator("#notice")).to_contain_text("no further game")


def test_files_that_cannot_be_read_are_named(desk, page, tmp_path):
    paths = [tmp_path / name for name in ("bad.txt", "good.txt", "half.txt", "<b>empty.txt")]
    for path, text in zip(paths, ("no game", "1. h2e2 h9g7", "1. b0c2 h9g7 2. h2e3", ""), strict=True):
        path.write_text(text, encoding="utf-8")
    desk.button("Open").click()
    page.get_by_label("Choose files").set_input_files(paths)
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("2 of 4 files read")
    lines = box.locator(".files li").all_text_contents()
    assert [line.partition(":")[0] for line in lines] == ["bad.txt", "half.txt", "<b>empty.txt"]
    page.keyboard.press("Escape")
    expect(page.locator(".mv")).to_have_count(2)


def test_the_same_file_can_be_chosen_again(desk, page, tmp_path):
    path = tmp_path / "game.txt"
    desk.button("Open").click()
    for text in ("this is no game", "1. h2e2 h9g7"):
        path.write_text(text, encoding="utf-8")
        with page.expect_file_chooser() as chooser:
            page.get_by_label("Choose files").click()
        chooser.value.set_files(str(path))
        if text.startswith("this"):
            expect(page.locator("dialog #notice")).to_be_visible()
    expect(page.locator(".mv")).to_have_count(2)


def test_a_comment_is_kept_while_it_is_written(desk, page):
    desk.click("h2e2")
    desk.here("H2E2")
    page.get_by_label("Comment on this move").click()
    page.keyboard.type("half of a")
    expect(page.locator(".note")).to_have_text("half of a")
    page.get_by_label("Comment on this move").click()
    page.keyboard.type(" comment")
    page.reload()
    expect(page.locator(".note")).to_have_text("half of a comment")


def test_a_comment_that_begins_a_variation_stands_before_it(desk):
    desk.open_text("1. h2e2 h9g7 ({better} 1... b9c7 {so}) 2. h0g2 *", moves=4)
    [block] = desk.page.locator(".variation").all_inner_texts()
    assert block.split()[0] == "better" and block.split()[-1] == "so"


def test_a_comment_runs_as_its_letters_do(desk, page):
    desk.open_text("1. h2e2 {مرحبا!} h9g7 {Hello!} *", moves=2)
    ends = """notes => notes.map(note => {
        const place = (from) => {
            const range = document.createRange();
            range.setStart(note.firstChild, from);
            range.setEnd(note.firstChild, from + 1);
            return range.getBoundingClientRect().left;
        };
        return place(note.textContent.length - 1) > place(0);
    })"""
    assert page.locator(".note").evaluate_all(ends) == [False, True]


def test_a_browser_that_keeps_nothing(opened):
    forbidden = "{get() { throw new DOMException('denied', 'SecurityError'); }}"
    names = "['localStorage', 'sessionStorage']"
    script = f"for (const name of {names}) Object.defineProperty(window, name, {forbidden})"
    desk = opened(before=lambda page: page.add_init_script(script))
    desk.click("h2e2")
    desk.here("H2E2")


def test_the_address_of_a_new_start_in_an_old_window(desk, page, server):
    """Only what stands behind the # differs, for which browsers load nothing."""
    desk.click("h2e2")
    desk.here("H2E2")
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
    desk = opened(before=lambda page: page.route_web_socket("**/socket", cable.connect))
    cable.page = desk.page
    yield desk, desk.page, cable
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
    review(desk)
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
    desk.open_text(BLUNDER, moves=8)
    review(desk)
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
    desk.click("h2e2")
    desk.here("H2E2")
    page.keyboard.press("Home")
    desk.click("b2e2")
    desk.here("B2E2")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    desk.here("H2E2")
    desk.click("h9g7")
    desk.here("H9G7")
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
    desk.click("h2e2")
    desk.here("H2E2")
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
    desk.click("g7e6")
    desk.here("G7E6")


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


def test_a_lesson_ends_when_its_move_is_deleted(desk, page):
    desk.open_text(BLUNDER, moves=8)
    review(desk)
    desk.button("Find the better move").click()
    expect(page.locator("#learn")).to_contain_text("Find a better move")
    page.keyboard.press("ArrowLeft")
    desk.here("H2E2")
    desk.change("Delete")
    expect(page.locator(".mv")).to_have_count(0)
    expect(page.locator("#learn")).not_to_contain_text("Find a better move")


def test_a_clock_shows_tenths_from_ten_seconds_on(desk, page):
    desk.new_game("both", Clock="3+2")
    expect(page.locator("#below .clock")).to_be_visible()
    shown = page.evaluate(
        """() => import('/main.js').then(async ({app}) => {
            const found = [];
            for (const seconds of [0, 0.04, 9.94, 9.97, 10, 59.2, 59.9995, 3599.5]) {
                Object.assign(app.state.game.clock, {red: seconds, runs: null});
                app.game.update();
                found.push(document.querySelector("#below .clock").textContent);
            }
            return found;
        })"""
    )
    assert shown == ["0:00.0", "0:00.1", "0:10", "0:10", "0:10", "1:00", "1:00", "1:00:00"], shown


@pytest.mark.parametrize(
    ("size", "locale"), [((390, 844), "zh-TW"), ((640, 360), "en-US"), ((1280, 800), "zh-CN")]
)
def test_long_names_widen_nothing(opened, size, locale):
    desk = opened(*size, locale=locale)
    page = desk.page
    name, word_ = "超长的名字" * 30, "W" * 200
    page.keyboard.press("o")
    page.locator("dialog textarea").fill(
        f'[Red "{name}"]\n[Black "{word_}"]\n[Event "{word_}"]\n\n1. h2e2 {{{word_}}} *'
    )
    desk.finish(word(desk, "openText"))
    expect(page.locator(".note")).to_be_visible()
    desk.tool("open")
    expect(page.locator("dialog .entry")).to_be_visible()
    wide = page.evaluate(
        "[...document.querySelectorAll('dialog, .list, .side, .card')].filter(one => one.checkVisibility() &&"
        " one.scrollWidth > one.clientWidth + 1).map(one => `${one.id} ${one.className}`)"
    )
    assert wide == []


def test_lines_are_different_moves_best_first(page):
    page.keyboard.press("5")
    page.keyboard.press("e")
    expect(page.locator(".lines li:not(.blank)")).to_have_count(5)
    samples = page.evaluate(
        """async () => {
            const samples = [];
            for (let n = 0; n < 60; n++) {
                const rows = [...document.querySelectorAll(".lines li")];
                samples.push(rows.map((row) => [row.querySelector(".step").textContent,
                    Number(row.querySelector(".score").textContent.replace("−", "-"))]));
                await new Promise((done) => setTimeout(done, 50));
            }
            return samples;
        }"""
    )
    for rows in samples:
        moves, scores = [move.split()[-1] for move, _ in rows], [score for _, score in rows]
        assert len(set(moves)) == len(moves)
        assert scores == sorted(scores, reverse=True)
    page.keyboard.press("3")
    page.keyboard.press("e")


def test_a_mouse_that_rests_on_the_lines_shows_no_preview(page):
    page.keyboard.press("e")
    expect(page.locator(".lines li").nth(2)).to_be_visible()
    step = page.locator(".lines li").nth(1).locator(".step").nth(2)
    step.hover()
    expect(page.locator(".previewed")).to_be_visible()
    expect(page.locator(".previewed")).to_have_text("Preview +3")
    step.click()
    expect(page.locator(".mv")).to_have_count(3)
    fresh = page.locator(".lines:not(.stale) li:not(.blank)")
    expect(fresh).to_have_count(3)  # below the pointer
    assert page.locator(".previewed").is_hidden()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".mv").nth(1)).to_contain_class("here")
    expect(fresh).to_have_count(3)
    assert page.locator(".previewed").is_hidden()


def test_a_stopped_game_has_no_result(desk, page):
    desk.new_game("both")
    desk.click("h2e2")
    desk.here("H2E2")
    page.get_by_role("button", name="Stop").click()
    desk.button("Yes").click()
    expect(page.locator("#game .result")).to_contain_text("stopped")
    page.keyboard.press("s")
    with page.expect_download() as download:
        desk.button("Download").click()
    text = download.value.path().read_text(encoding="utf-8")
    assert '[Result "*"]' in text and "1/2" not in text


@pytest.mark.parametrize("size", [(1280, 800), (375, 667)])
def test_an_error_stands_in_the_dialog_that_caused_it(opened, size):
    desk = opened(*size)
    page = desk.page
    page.keyboard.press("o")
    page.get_by_label("Game or FEN").fill("this is no game")
    desk.button("Open this text").click()
    expect(page.locator("dialog #notice")).to_be_visible()
    box = page.locator("#notice span").bounding_box()
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert page.evaluate("([x, y]) => Boolean(document.elementFromPoint(x, y).closest('#notice'))", middle)
    page.keyboard.press("Escape")
    expect(page.locator(".boardrow #notice")).to_be_visible()


def test_errors_are_chinese_on_the_chinese_page(opened):
    desk = opened(locale="zh-CN")
    page = desk.page
    page.keyboard.press("c")
    for text, said in (("马二进九", "“马二进九”不合规则。"), ("hello", "“hello”不是着法")):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(page.locator("#notice")).to_contain_text(said)
        page.locator("#moves input").fill("")
    page.keyboard.press("Escape")
    for text, said in (
        ("hello world", "第 1 行：文本中没有着法"),
        ("3k5/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "照面"),
        ('[Red "x"]\n\n1. foo', "“foo”不是着法"),
    ):
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("o")
        page.locator("dialog textarea").fill(text)
        page.locator("dialog .body .primary").click()
        expect(page.locator("#notice")).to_contain_text(said)
        assert "/9/" not in page.locator("#notice").text_content()
        page.keyboard.press("Escape")


SOURCES = CHECKOUT / "src" / "eleengine"
SPEAKERS = {
    "Message",
    "RecordError",
    "warn",
    "fail",
    "_warn",
}  # what they are called with is what readers say


def called(paths, names):
    """The first text that each call of the functions has, in some modules."""
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).removeprefix("self.") in names:
                constants = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
                yield from [value for value in constants if isinstance(value, str) and value][:1]


def complaints():
    """The patterns of what the library says of positions, moves and records."""
    core = re.compile(r'(?:Message|fen_error|notes\.append\()\(\s*"((?:[^"\\]|\\.)+)"')
    found = {what for _, what in _STRANGERS}
    found.update(
        called([*(SOURCES / "records").glob("*.py"), SOURCES / "notation.py", SOURCES / "board.py"], SPEAKERS)
    )
    for path in (SOURCES / "core").rglob("*.pxi"):
        found.update(core.findall(path.read_text(encoding="utf-8")))
    return found


def test_every_complaint_of_the_library_has_a_translation(desk):
    said = complaints()
    assert len(said) > 100 and "{} has no king" in said and "the side to move is missing" in str(said)
    texts = desk.page.evaluate("import('/problems.js').then(({SAID}) => SAID)")
    assert said == texts.keys()
    for pattern, (simplified, traditional) in texts.items():
        places = [int(place) for place in re.findall(r"\$(\d)", simplified)]
        assert max(places, default=0) <= len(re.findall(r"\{[^{}]*\}", pattern)), pattern
        assert re.findall(r"\$\d", simplified) == re.findall(r"\$\d", traditional), pattern


def test_every_error_of_the_server_has_a_text(desk):
    paths = list((SOURCES / "webboard").glob("**/*.py"))
    codes = {*called(paths, {"RequestError"}), *called(paths, {"send_error"})}
    codes.update(
        re.findall(r'"code": "([a-z-]+)"', "".join(path.read_text(encoding="utf-8") for path in paths))
    )
    assert len(codes) > 20 and {"engine", "internal", "refused", "illegal-move"} <= codes
    texts = desk.page.evaluate("import('/texts.js').then(({TEXTS}) => TEXTS)")
    for code in codes:
        assert len(set(texts[f"error_{code}"])) >= 2 and all(texts[f"error_{code}"]), code


def test_a_notice_goes_with_the_position(desk, page):
    desk.click("h2e2")
    desk.here("H2E2")
    page.keyboard.press("h")
    expect(page.locator("#notice")).to_contain_text("Hint:")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#notice")).to_be_hidden()
    place = page.locator("#moves").bounding_box()
    page.keyboard.press("c")
    page.keyboard.type("x")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_be_visible()
    assert page.locator("#moves").bounding_box() == place  # it pushes nothing away


# A panel that holds still

GAME = (
    "1. C2.5 H8+7 2. H2+3 R9.8 3. R1.2 P7+1 4. R2+6 H2+3 5. P7+1 C8.9 6. R2.3 C9-1 7. H8+7 A4+5 "
    "8. C8.9 R1.2 9. R9.8 C9.7 10. R3.4 H7+8 11. P5+1 P3+1 12. R8+6 P3+1 13. R8.7 *"
)
BLUNDER = "1. h2e2 h9g7 2. e2e6 g7e6 3. h0g2 i9h9 4. i0h0 b9c7"


def saved_soon(folder, move):
    """Wait until a document with a move has been saved."""
    for _ in range(300):
        if any(move in path.read_text(encoding="utf-8") for path in folder.glob("*.json")):
            return
        time.sleep(0.1)
    raise AssertionError(f"{move} has not been saved")


def review(desk):
    page = desk.page
    page.get_by_label("per move").select_option("0.1")
    desk.button("Review the game").click()
    expect(page.locator(".summary")).to_be_visible()


def places(page):
    """Where the parts of the panel begin, and how high they are."""
    return page.evaluate(
        """["learn", "engine", "moves", "graph", "comment"].map((id) => {
            const {top, height} = document.getElementById(id).getBoundingClientRect();
            return [id, top, height];
        })"""
    )


def test_a_reviewed_game_with_three_lines_leaves_eight_rows_that_stay(desk, page):
    desk.open_text(GAME, moves=25)
    review(desk)
    page.keyboard.press("e")
    expect(page.locator(".lines li:not(.blank)")).to_have_count(3)
    rows = page.locator(".tree").bounding_box()["height"] / 28
    assert rows >= 8, rows
    side = page.evaluate("(e => [e.scrollHeight, e.clientHeight])(document.querySelector('.side'))")
    assert side[0] <= side[1]  # nothing to scroll away
    before = places(page)
    page.evaluate(
        """() => {
            window.seen = [];
            window.watch = setInterval(() => seen.push(Math.round(
                document.getElementById("moves").getBoundingClientRect().top)), 5);
        }"""
    )
    moves = page.locator(".row .mv")
    for key, place in (("Home", None), ("ArrowRight", 0), ("ArrowRight", 1), ("End", 24), ("ArrowLeft", 23)):
        page.keyboard.press(key)
        expect(page.locator(".mv.here")).to_have_count(0 if place is None else 1)
        if place is not None:
            expect(moves.nth(place)).to_contain_class("here")
        expect(page.locator(".lines:not(.stale) li:not(.blank)")).to_have_count(3)
    assert len(set(page.evaluate("(clearInterval(watch), seen)"))) == 1
    assert places(page) == before
    page.get_by_label("Comment on this move").focus()
    expect(page.locator(".marks button").first).to_be_visible()
    assert places(page) == before
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("e")


def test_a_low_window_with_a_review_and_five_lines_shows_eight_moves(opened):
    desk = opened(1280, 720, settings={"lines": 5})
    page = desk.page
    desk.open_text(GAME, moves=25)
    review(desk)
    page.keyboard.press("e")
    expect(page.locator(".lines li:not(.blank)")).to_have_count(5)
    row, tree = page.locator(".row").first.bounding_box(), page.locator(".tree").bounding_box()
    assert row["height"] >= 24 and tree["height"] / row["height"] >= 8
    assert page.evaluate("(e => e.scrollHeight <= e.clientHeight)(document.querySelector('.side'))")


def test_keys_that_come_faster_than_the_answers(opened):
    """Each step goes on from the one before, whatever the page shows yet."""
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

    desk = opened(before=lambda page: page.route_web_socket("**/socket", connect))
    page = desk.page
    desk.open_text(GAME, moves=25)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".row .mv").first).to_contain_class("here")
    holding = True
    for key in ("ArrowRight", "ArrowRight", "End", "ArrowLeft"):
        page.keyboard.press(key)
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
    return opened(before=lambda page: page.add_init_script(LATE_NEWS))


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


def test_a_review_outlives_a_reload(desk, page):
    desk.open_text(BLUNDER, moves=8)
    review(desk)
    chips = page.locator(".chip").all_text_contents()
    page.reload()
    expect(page.locator(".chip")).to_have_text(chips)
    page.get_by_label("More about the review").click()
    with page.expect_download() as download:
        desk.button("As a page").click()
    assert "<!doctype html" in download.value.path().read_text(encoding="utf-8").lower()


def test_a_variation_keeps_the_graph_and_has_a_score(desk, page):
    desk.open_text(BLUNDER, moves=8)
    review(desk)
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    desk.here("E2E6")
    curve = page.locator("#graph .curve").get_attribute("d")
    better = page.locator("#learn .said").inner_text().split("Better: ")[1].strip().lower()
    page.keyboard.press("ArrowLeft")
    desk.here("H9G7")
    desk.click(better)
    expect(page.locator(".variation .mv.here")).to_be_visible()
    assert page.locator("#graph .curve").get_attribute("d") == curve
    expect(page.locator("#graph .cursor")).to_have_count(1)
    expect(page.locator("#gauge")).not_to_have_class(re.compile("unknown"))


def test_the_list_ends_with_the_result_and_the_graph_names_its_moves(desk, page):
    desk.open_text("1. h2e2 h9g7 2. e2e6 g7e6 3. h0g2 i9h9 0-1", moves=6)
    expect(page.locator(".tree .outcome")).to_have_text("0 – 1")
    review(desk)
    box = page.locator("#graph svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 10)
    expect(page.locator("#graph output")).to_contain_text("2. E2E6")
    page.mouse.move(5, 5)
    expect(page.locator("#graph output")).to_be_empty()


def test_the_side_can_be_left_to_chance(desk, page):
    page.keyboard.press("n")
    page.get_by_label("You play").select_option("random")
    page.locator("dialog input[type=range]").fill("0")
    desk.finish("Start")
    expect(page.locator("#above")).to_contain_text("level 0")
    expect(page.locator("#below")).to_contain_text("You")


def test_only_one_button_reviews_a_finished_game(desk, page):
    desk.new_game("both")
    for number, move in enumerate(("h2e2", "h9g7", "h0g2", "i9h9", "i0h0"), 1):
        desk.click(move)
        expect(page.locator(".mv")).to_have_count(number)
    page.get_by_role("button", name="Resign").click()
    desk.button("Yes").click()
    expect(page.get_by_role("button", name="Review the game")).to_have_count(1)
    expect(page.get_by_role("button", name="Review the game")).to_be_enabled()


def test_the_editor_closes_for_a_puzzle(desk, page):
    desk.button("Set up").click()
    expect(page.locator("#editor")).to_be_visible()
    desk.button("Puzzles").click()
    page.locator("dialog .entry:visible").first.click()
    expect(page.locator("#puzzle")).to_be_visible()
    expect(page.locator("#editor")).to_be_hidden()
    desk.button("Set up").click()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Escape")
    expect(page.locator("#editor")).to_be_hidden()


FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def test_the_focus_stays_where_it_is(desk, page):
    desk.click("h2e2")
    desk.here("H2E2")
    page.locator("#engine [role=switch]").focus()
    page.keyboard.press("Space")
    expect(page.locator(".lines li:not(.blank)").first).to_be_visible()
    assert page.evaluate("document.activeElement.getAttribute('role')") == "switch"
    page.keyboard.press("Space")
    page.get_by_label("Engine settings").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Lines").select_option("2")
    page.get_by_label("Lines").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.tagName") == "SELECT"
    page.keyboard.press("Escape")
    expect(page.get_by_label("Lines")).to_be_hidden()
    assert page.evaluate(FOCUSED) == "Engine settings"
    page.get_by_label("Comment on this move").focus()
    page.locator(".marks button").nth(4).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".mv b")).to_have_text("?")
    assert page.evaluate(FOCUSED) == "?"
    page.locator(".mv").first.focus()
    desk.page.keyboard.press("ArrowLeft")
    expect(page.locator(".mv.here")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    desk.here("H2E2")
    assert "mv" in page.evaluate("document.activeElement.className")
    assert page.locator('.mv[tabindex="0"]').count() == 1  # one tab stop for all moves
    page.keyboard.press("3")


@pytest.mark.parametrize("size", [(844, 390), (640, 360), (960, 540), (320, 640), (375, 667), (1920, 1080)])
def test_the_whole_board_is_seen_in_every_window(opened, size):
    desk = opened(*size)
    page = desk.page
    box = page.locator(".boardview").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= size[1] and box["x"] >= -1
    assert box["width"] >= min(0.48 * size[0], 0.75 * size[1]) or box["width"] >= size[0] - 1
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_finding_the_better_move_asks_shows_and_counts(desk, page):
    desk.open_text(BLUNDER, moves=8)
    review(desk)
    page.get_by_label("More about the review").click()
    page.get_by_label("I played").select_option("red")
    page.get_by_label("More about the review").click()
    desk.button("Find the better move").click()
    expect(page.locator("#learn .state")).to_have_text("Red to move; E2E6 was played. Find a better move.")
    expect(page.locator("polygon.arrow.red")).to_have_count(1)
    desk.drag("a0a1")  # loses a cannon, too
    expect(page.locator("#learn .state")).to_contain_text("Not better")
    expect(page.locator("#learn .state")).to_contain_text("E2E6 was played")
    desk.button("Show it").click()
    expect(page.locator("#learn .state")).to_have_text("This was better.")
    desk.button("Finish").click()
    expect(page.locator("#learn .state")).to_contain_text("with help")
    desk.button("Finish").click()
    expect(page.locator("#moves .mv").first).to_be_visible()


def test_the_board_is_turned_for_one_game_only(desk, page):
    desk.new_game("black")
    expect(page.locator("#below")).to_contain_text("You")
    expect(page.locator("#gauge")).to_have_class(re.compile("flipped"))
    page.keyboard.press("n")
    desk.finish("Board for analysis")
    expect(page.locator("#gauge")).not_to_have_class(re.compile("flipped"))


def test_the_book_is_on_a_tab_with_heads(desk, page):
    before = page.locator("#moves").bounding_box()
    desk.button("Book").click()
    expect(page.locator(".book thead")).to_contain_text("Games")
    page.locator(".book [data-book]").first.click()
    expect(page.locator(".mv")).to_have_count(1)
    assert page.locator("#moves").bounding_box() == before
    desk.button("Moves").click()
    expect(page.locator(".mv").first).to_be_visible()


@pytest.fixture
def games(server):
    """An index of three games, of which two begin alike."""
    games = []
    for text, red, date, result in (
        ("h2e2 h9g7 h0g2", "Hu Ronghua", "1960.04.01", "1-0"),
        ("h2e2 b9c7", "Xu Yinchuan", "1999.01.01", "0-1"),
        ("g3g4", "Hu Ronghua", "2001.05.06", "1/2-1/2"),
    ):
        game = Game(headers={"Red": red, "Black": "Li", "Date": date, "Event": "Cup", "Result": result})
        game.play_line(text.split())
        games.append(game)
    with GameIndex(server.folder / "games.sqlite", writable=True) as index:
        index.add_games(games, source="my.pgn")
    return games


def test_own_games_are_explored(games, desk, page):
    """Moves with results and games on a tab that holds still; filters; a click opens the game there."""
    card = page.locator("#moves").bounding_box()
    desk.button("Games").click()
    explorer = page.locator(".explorer")
    moves, entries = explorer.locator("tbody tr"), explorer.locator("[data-game]")
    expect(moves).to_have_count(2)
    expect(moves.first).to_contain_text("H2E2")
    expect(moves.first).to_contain_text("Central Cannon")
    expect(moves.first.get_by_role("img")).to_have_accessible_name("Red won 1, drawn 0, Black won 1")
    widths = moves.first.locator("rect").evaluate_all("all => all.map(one => one.getAttribute('width'))")
    assert widths == ["50", "0", "50"]
    expect(entries).to_have_text([re.compile("Hu .*2001"), re.compile("Xu .*1999"), re.compile("Hu .*1960")])
    before = explorer.locator(".filters").bounding_box()
    explorer.get_by_label("Player").fill("ronghua")
    expect(entries).to_have_count(2)
    explorer.get_by_label("to year").fill("1990")
    expect(entries).to_have_count(1)
    explorer.get_by_label("to year").fill("")
    explorer.get_by_label("Result").select_option("0-1")
    expect(explorer).to_contain_text("None of your games was here.")
    explorer.get_by_label("Result").select_option("")
    explorer.get_by_label("Player").fill("")
    expect(entries).to_have_count(3)
    moves.first.get_by_role("button").click()
    expect(entries).to_have_count(2)
    expect(explorer.locator("[data-move]").first).to_have_text("B9C7")
    assert explorer.locator(".filters").bounding_box() == before
    assert page.locator("#moves").bounding_box() == card
    # A game opens at the position, and there is a way back.
    entries.filter(has_text="1960").click()
    desk.here("H2E2")
    expect(page).to_have_title(re.compile("Hu Ronghua – Li"))
    explorer.get_by_role("button", name="Back to where you were").click()
    expect(page).not_to_have_title(re.compile("Hu Ronghua"))
    desk.here("H2E2")


def test_own_games_by_keyboard_and_in_chinese(games, opened):
    page = opened(locale="zh-CN", settings={"notation": ""}).page
    page.keyboard.press("b")
    expect(page.get_by_role("button", name="开局库", exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("b")
    explorer = page.locator(".explorer")
    expect(explorer.locator("[data-move]").first).to_have_text("炮二平五")
    expect(explorer).to_contain_text("3 盘棋")
    explorer.locator("[data-game]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".mv")).to_have_count(1)
    expect(explorer.locator("[data-game]").first).to_be_attached()
    page.keyboard.press("b")
    expect(page.locator(".mv").first).to_have_text("兵三进一")


def test_a_file_is_added_to_own_games(server, desk, page):
    desk.button("Games").click()
    expect(page.locator(".explorer")).to_contain_text("No games yet")
    desk.button("Open").click()
    page.get_by_label("Game or FEN").fill("startpos moves h2e2\nstartpos moves c3c4 c6c5\n")
    desk.button("Open this text").click()
    desk.button("Add all to my games").click()
    expect(page.locator("#notice")).to_contain_text("2 games, 2 of them new")
    page.keyboard.press("Escape")
    expect(page.locator(".explorer [data-game]")).to_have_count(2)
    # A kept game is there by itself, with who played and when.
    headers = '[Black "eleengine, level 3"]\n[Date "2026.01.02"]\n[Event "Club"]\n[Result "0-1"]'
    desk.open_text(f"{headers}\n\n1. h2e2 h9g7 0-1", moves=2)
    expect(page.locator(".explorer [data-game]")).to_have_count(3)
    expect(page.locator(".explorer [data-game]").first).to_have_text(
        "You – eleengine · level 3" + "0-1 · 2026.01.02 · Club"
    )


def test_a_line_unfolds_and_is_numbered(page):
    page.keyboard.press("e")
    line = page.locator(".lines li").first
    expect(line.locator(".step").nth(7)).not_to_be_empty()
    for number, text in enumerate((r"^1\. \w{4}$", r"^\w{4}$", r"^2\. \w{4}$")):
        expect(line.locator(".step").nth(number)).to_have_text(re.compile(text))
    line.get_by_label("The whole line").click()
    expect(line).to_contain_class("unfolded")
    unfolded = "pv => getComputedStyle(pv).whiteSpace === 'normal' && pv.scrollWidth <= pv.clientWidth"
    assert line.locator(".pv").evaluate(unfolded)


def test_a_file_has_the_name_of_its_game(desk, page):
    desk.open_text('[Red "Hu"]\n[Black "Xu/Li"]\n[Date "2026.01.02"]\n\n1. h2e2 h9g7 *', moves=2)
    page.keyboard.press("s")
    with page.expect_download() as download:
        desk.button("Download").click()
    assert download.value.suggested_filename == "Hu – Xu_Li 2026-01-02.pgn"


def test_the_status_line_follows_notation_and_language(desk, page):
    desk.click("h2e2")
    expect(page.locator("#status")).to_have_text("H2E2. Black to move")
    desk.button("Settings").click()
    page.get_by_label("Notation").select_option("wxf")
    expect(page.locator("#status")).to_have_text("C2.5. Black to move")
    page.locator("dialog select").first.select_option("zh-Hans")
    expect(page.locator("#status")).to_have_text("C2.5。轮到黑方")


def test_a_png_needs_no_extra(desk):
    desk.button("Save").click()
    with desk.page.expect_download() as download:
        desk.button("PNG").click()
    assert download.value.suggested_filename == "board.png"
    data = Path(download.value.path()).read_bytes()
    assert data.startswith(b"\x89PNG") and len(data) > 50_000


def test_a_gif_says_how_far_it_is_until_it_is_there(desk, page):
    pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    desk.open_text(GAME, moves=25)
    page.evaluate(
        "window.told = []; new MutationObserver(() => told.push(document.querySelector('progress')?.value))"
        ".observe(document.querySelector('#notice'), { childList: true, subtree: true })"
    )
    page.keyboard.press("s")
    with page.expect_download() as download:
        desk.button("GIF").click()
        expect(page.locator("#notice")).to_contain_text("The GIF is being made")
        page.locator("dialog").get_by_role("button", name="Close").first.click()
        page.keyboard.press("Home")  # another position takes notices away, but not this one
    assert Path(download.value.path()).read_bytes()[:3] == b"GIF"
    told = [value for value in page.evaluate("told") if value is not None]
    assert len(set(told)) > 3 and 0.5 < max(told) < 1
    expect(page.locator("#notice")).to_be_hidden()


def test_the_picture_goes_to_the_clipboard(opened):
    desk = opened(permissions=["clipboard-read", "clipboard-write"])
    page = desk.page
    page.keyboard.press("s")
    desk.button("Copy the picture").click()
    expect(page.locator("#notice")).to_contain_text("Copied")
    size = page.evaluate(
        """async () => {
            const [item] = await navigator.clipboard.read();
            const picture = await createImageBitmap(await item.getType("image/png"));
            return [picture.width, picture.height];
        }"""
    )
    assert size[0] >= 1440 and size[1] > size[0]


def test_kept_games_are_searched_renamed_and_deleted(desk, page):
    desk.open_text('[Red "Hu"]\n[Black "Xu"]\n\n1. h2e2 h9g7 *', moves=2)
    desk.open_text('[Red "Li"]\n[Black "Ma"]\n\n1. b0c2 *', moves=1)
    page.keyboard.press("o")
    entries = page.locator("dialog .entry")
    expect(entries).to_have_count(2)
    expect(page.locator("dialog .thumbnail circle")).to_have_count(64)
    page.get_by_label("Search").fill("xu")
    expect(entries).to_have_count(1)
    desk.button("Rename").click()
    page.get_by_label("Title").fill("Final")
    page.keyboard.press("Enter")
    expect(entries).to_contain_text("Hu – Xu · Final")
    page.get_by_label("Search").fill("nobody")
    expect(page.locator("dialog .list")).to_contain_text("Nothing found")
    page.get_by_label("Search").fill("")
    page.get_by_label("Show").select_option("reviewed")
    expect(entries).to_have_count(0)
    page.get_by_label("Show").select_option("all")
    desk.button("Delete").click()
    desk.button("Yes").click()
    expect(entries).to_have_count(1)
    entries.click()
    expect(page.locator("#below")).to_contain_text("Li")


def test_puzzles_show_what_was_solved(desk, page):
    desk.button("Puzzles").click()
    expect(page.locator("dialog")).to_contain_text("0 of ")
    desk.button("Next unsolved").click()
    page.locator("#puzzle").get_by_role("button", name="Solution").click()
    expect(page.locator("#puzzle")).to_contain_text("The solution is in the moves")
    desk.button("Puzzles").click()
    expect(page.get_by_role("img", name="solved with help")).to_have_count(1)
    page.get_by_label("Show").select_option("studies")
    expect(page.locator("dialog .list .entry:visible").first).not_to_contain_text("mate")


def key_move(number):
    return puzzles()[number]["best"][0]


def test_a_set_of_puzzles_is_solved_and_printed(desk, page):
    desk.button("Puzzles").click()
    page.get_by_label("Pattern").select_option("smothered")
    page.get_by_label("Show").select_option("one")
    wanted = [
        number
        for number, one in enumerate(puzzles())
        if "smothered" in one.get("themes", ()) and one["win_in_plies"] == 1
    ]
    assert 1 < len(wanted) <= 12
    expect(page.locator("dialog .list .entry:visible")).to_have_count(len(wanted))
    with page.expect_download() as waiting:
        desk.button("Print").click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert text.count("<svg ") == len(wanted) == text.count("<li>") and "Solutions" in text
    desk.button("Solve").click()
    for place, number in enumerate(wanted, 1):
        expect(page.locator("#puzzle h2")).to_contain_text(f"{place}/{len(wanted)}")
        desk.click(key_move(number))
        expect(page.locator("#puzzle .state")).to_contain_text("smothered king")
        if place < len(wanted):
            desk.button("Next puzzle").click()
    expect(page.locator("#puzzle")).to_contain_text(
        f"{len(wanted)} of {len(wanted)} solved without a mistake"
    )


def test_a_streak_ends_at_the_first_mistake(desk, page):
    desk.button("Puzzles").click()
    desk.button("Streak").click()
    number = "import('/main.js').then(({app}) => app.state.puzzle.number)"
    for solved in range(2):
        expect(page.locator("#puzzle h2")).to_contain_text(f"{solved} in a row")
        expect(page.locator("#puzzle .state")).to_contain_text("one move")
        desk.click(key_move(page.evaluate(number)))
        desk.button("Next puzzle").click()
    expect(page.locator("#puzzle h2")).to_contain_text("2 in a row")
    page.locator("#puzzle").get_by_role("button", name="Solution").click()
    expect(page.locator("#puzzle")).to_contain_text("The streak is over: 2 in a row. Your best: 2.")
    desk.button("New streak").click()
    expect(page.locator("#puzzle h2")).to_contain_text("0 in a row")


@pytest.mark.parametrize(
    ("fragment", "seen"),
    [
        ("set=mate-1-002,mate-1-001", ("#puzzle h2", "1/2")),
        ("moves=h2e2.h9g7", (".mv.here", "H2E2")),
        ("fen=3k5/9/9/9/9/9/9/9/4R4/4K4%20w&moves=e1d1", (".mv.here", "E1D1")),
    ],
)
def test_a_link_opens_what_it_names(desk, page, fragment, seen):
    page.goto("about:blank")
    page.goto(f"{desk.server.url}&{fragment}")
    if seen[0] == ".mv.here":
        expect(page.locator(".mv").first).to_be_visible()
        page.keyboard.press("ArrowRight")
    expect(page.locator(seen[0])).to_contain_text(seen[1])
    assert page.evaluate("location.hash") == f"#{desk.server.token}"  # a reload goes on with what is there


def test_the_opening_is_named(opened):
    desk = opened(locale="zh-TW")
    page = desk.page
    name = page.locator(".navigation .opening")
    for move, text in [("b2e2", "中炮"), ("b9c7", "中炮"), ("b0c2", "中炮"), ("h9g7", "中炮對屏風馬")]:
        desk.click(move)
        desk.here(move.upper())
        expect(name).to_have_text(text)
    page.keyboard.press("Home")
    expect(name).to_have_text("")
    page.set_viewport_size({"width": 360, "height": 640})
    page.keyboard.press("End")
    expect(name).to_have_text("中炮對屏風馬")
    assert name.evaluate("e => e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth")


def test_the_link_of_a_position_leads_back_to_it(desk, page):
    for move in ("h2e2", "h9g7"):
        desk.click(move)
        desk.here(move.upper())
    page.keyboard.press("s")
    page.locator("dialog").get_by_role("button", name="Link", exact=True).click()
    url = page.get_by_label("Address").input_value()
    assert url == f"{desk.server.url}&moves=h2e2.h9g7"


def test_the_coach_on_the_page(desk, page):
    desk.open_text(HANGING, pieces=4)
    desk.new_game("red", From="here", Coach="blunders")
    expect(page.locator("#game")).to_contain_text("Your turn")
    desk.click("a0b0")
    expect(page.locator("#game [role=alert]")).to_contain_text("A0B0 costs")
    expect(page.locator("polygon.arrow.red")).to_have_count(1)
    page.locator("#game").get_by_role("button", name="Take back").click()
    expect(page.locator("#game")).to_contain_text("Your turn")
    desk.click("a0b0")
    desk.button("Play it all the same").click()
    expect(page.locator(".mv")).to_have_count(2)


def test_practice_from_a_position_judges_each_move(desk, page):
    """A mistake waits, with its cost, the answer and the better move; a good move is praised and answered."""
    desk.open_text(HANGING, pieces=4)
    desk.button("Practise from here").click()
    expect(page.get_by_label("Coach")).to_have_value("each")
    page.locator("dialog input[type=range]").fill("0")
    expect(page.locator("dialog output")).to_have_text("0 · beginner · Elo 0")
    desk.finish("Start")
    expect(page.locator("#game")).to_contain_text("Your turn")
    expect(page.locator("#above")).to_contain_text("level 0")
    desk.click("a0b0")
    expect(page.locator("#game [role=alert]")).to_contain_text("A0B0 costs")
    expect(page.locator("polygon.arrow.red")).to_have_count(1)
    page.locator("#game").get_by_role("button", name="Better move").click()
    better = page.locator("#game [role=status]").inner_text().removeprefix("Better: ").lower()
    page.locator("#game").get_by_role("button", name="Take back").click()
    expect(page.locator("#game")).to_contain_text("Your turn")
    desk.click(better)
    expect(page.locator("#game .judged.good")).to_contain_text(better.upper())
    expect(page.locator(".mv")).to_have_count(3)


def test_engines_have_levels_of_their_own_and_show_what_they_think(desk, page):
    page.keyboard.press("n")
    page.get_by_label("You play").select_option("none")
    expect(page.get_by_role("combobox", name="Black")).to_have_value("0")
    page.get_by_label("level, Red").fill("0")
    page.get_by_label("level, Black").fill("4")
    desk.finish("Start")
    expect(page.locator("#above")).to_contain_text("level 4")
    expect(page.locator("#below")).to_contain_text("level 0")
    expect(page.locator(".thoughts li")).to_have_count(2)
    expect(page.locator(".thoughts")).to_contain_text("depth")
    expect(page.locator(".mv small").first).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    desk.button("Yes").click()
    page.keyboard.press("o")
    expect(page.locator("dialog .entry")).to_contain_text("eleengine · level 0 – eleengine · level 4")


def test_a_piece_that_shields_the_king_says_so(desk, page):
    desk.open_text("4k4/9/9/9/4r4/9/9/9/4A4/4K3R w - - 0 1", pieces=5)
    page.mouse.click(*desk.point("e1"))
    expect(page.locator("#notice")).to_contain_text("shields your king")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#notice")).to_be_hidden()
    page.locator("[data-square=e1]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("shields your king")


def test_a_refused_move_says_why(opened):
    """By click, drag and keyboard, with a text for each reason in each language."""
    desk = opened(locale="zh-CN")
    page = desk.page
    notice = page.locator("#notice")
    desk.click("b0d1")
    expect(notice).to_contain_text("蹩马腿")
    desk.drag("h2h7")
    expect(notice).to_contain_text("炮吃子须隔一个子")
    page.locator("[data-square=a3]").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(notice).to_contain_text("兵卒过河后才能横走")
    expect(page.locator(".mv")).to_have_count(0)
    desk.click("b0c2")
    desk.here("B0C2")
    expect(notice).to_be_hidden()
    texts = page.evaluate("import('/texts.js').then(({TEXTS}) => TEXTS)")
    assert all(len(set(texts[f"why_{reason}"])) >= 2 for reason in REASONS)


@pytest.mark.parametrize("size", [(375, 667), (320, 568)])
def test_the_coach_is_seen_on_a_phone(opened, size):
    """What it says and asks stands below the board, in sight."""
    desk = opened(*size, has_touch=True, is_mobile=True)
    page = desk.page
    desk.tool("open")
    page.get_by_label("Game or FEN").fill(HANGING)
    desk.finish("Open this text")
    expect(page.locator(".boardview .piece")).to_have_count(4)
    desk.button("Practise from here").click()
    desk.finish("Start")
    expect(page.locator("#game")).to_contain_text("Your turn")
    page.evaluate("scrollTo(0, 0)")
    for square in ("a0", "b0"):
        page.touchscreen.tap(*desk.point(square))
    expect(page.locator("#game [role=alert]")).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#game").get_by_role("button", name="Take back")).to_be_in_viewport(ratio=0.9)


HANGING = "1r1k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1"


def word(desk, key, *values):
    """What the page calls something in its language."""
    return desk.page.evaluate(
        """async ([key, values]) => {
            const { texts } = await import("/texts.js");
            return texts(document.documentElement.lang, key, values);
        }""",
        [key, values],
    )


LOOKS = [
    ("light", "en-US", (1280, 800)), ("dark", "zh-CN", (390, 844)), ("dark", "en-US", (1280, 800)),
    ("light", "zh-CN", (1280, 800)), ("dark", "zh-TW", (1280, 800)), ("dark", "zh-CN", (320, 568)),
    ("light", "en-US", (320, 568)), ("light", "zh-TW", (844, 390)), ("dark", "en-US", (844, 390)),
    ("light", "zh-CN", (640, 360)), ("dark", "en-US", (640, 360)), ("light", "en-US", (390, 844)),
]  # fmt: skip
IN_EACH_LOOK = pytest.mark.parametrize(
    ("theme", "locale", "size"),
    [*LOOKS[:2], *(pytest.param(*look, marks=pytest.mark.slow) for look in LOOKS[2:])],
    ids=lambda value: "x".join(map(str, value)) if isinstance(value, tuple) else value,
)


class Inspector:
    """Looks at states of a page with axe-core, for what keeps a reader out, and whether it is too wide."""

    def __init__(self, desk, name):
        self.page = desk.page
        self.name = name
        self.found = []
        self.shots = os.environ.get("ELEENGINE_TEST_SHOTS")  # a folder for pictures of the states

    def look(self, state):
        page = self.page
        for violation in page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]:
            self.found.extend(
                f"{state}: {violation['id']}: {node['html'][:90]}" for node in violation["nodes"]
            )
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            self.found.append(f"{state}: the page is {wide} pixels too wide")
        if self.shots:
            page.screenshot(path=Path(self.shots) / f"{self.name}-{state.replace(' ', '-')}.png")

    def check(self):
        assert not self.found, "\n".join(self.found)


@pytest.fixture
def inspected(opened, theme, locale, size):
    """A page in a theme, language and size, and what looks at it."""
    package = pytest.importorskip("axe_playwright_python", reason="needs axe-playwright-python")
    desk = opened(
        *size, locale=locale, settings={"theme": theme}, bypass_csp=True,
        before=lambda page: page.add_init_script(path=resources.files(package) / "axe.min.js"),
    )  # fmt: skip
    return desk, Inspector(desk, f"{locale}-{theme}-{size[0]}x{size[1]}")


@pytest.mark.timeout(900)
@IN_EACH_LOOK
def test_nothing_keeps_a_reader_out(inspected):
    """axe-core finds nothing in any state, in light and dark, three languages, on phones and at 200 %."""
    desk, inspector = inspected
    page, look = desk.page, inspector.look
    look("start")
    page.evaluate("document.activeElement.blur()")
    for text, pieces in ((HANGING, 4), (BLUNDER, 32)):
        page.keyboard.press("o")
        page.locator("dialog textarea").fill(text)
        desk.finish(word(desk, "openText"))
        expect(page.locator(".boardview .piece")).to_have_count(pieces)
        if pieces == 4:
            desk.button(word(desk, "practice")).click()
            look("practice dialog")
            desk.finish(word(desk, "start"))
            expect(page.locator("#game .state")).to_contain_text(word(desk, "yourTurn"))
            page.evaluate("scrollTo(0, 0)")
            desk.click("a0b0")
            expect(page.locator("#game [role=alert]")).to_be_visible()
            look("coach")
    desk.button(word(desk, "review")).click()
    expect(page.locator(".chip.red")).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("e")
    expect(page.locator(".lines:not(.stale) li:not(.blank)")).to_have_count(3)
    look("review and lines")
    page.keyboard.press("e")
    for n, popup in enumerate(page.locator("details.popup:visible").all()):
        popup.locator("summary").click()
        look(f"menu {n}")
        page.keyboard.press("Escape")
    desk.button(word(desk, "learn")).click()
    look("find the better move")
    desk.button(word(desk, "finish")).click()
    for name in ("newGame", "open", "save", "puzzles", "settings", "help"):
        desk.tool(name)
        expect(page.locator("dialog .body")).to_be_visible()
        look(f"dialog {name}")
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
    desk.tool("edit")
    look("editor")
    page.keyboard.press("Escape")
    desk.tool("puzzles")
    desk.finish(word(desk, "nextUnsolved"))
    expect(page.locator("#puzzle")).to_be_visible()
    look("puzzle")
    inspector.check()


@pytest.mark.timeout(900)
@IN_EACH_LOOK
def test_nothing_keeps_a_reader_out_of_tabs_and_lists(games, inspected):
    desk, inspector = inspected
    page, look = desk.page, inspector.look

    def press(key):
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)

    press("b")
    expect(page.locator("[data-book]").first).to_be_visible()
    look("book")
    press("b")
    expect(page.locator(".explorer [data-move]").first).to_be_visible()
    look("games")
    page.locator(".explorer input[type=search]").fill("nobody")
    expect(page.locator(".explorer [role=status]")).to_have_text(word(desk, "noGamesHere"))
    look("no games")
    page.locator(".explorer input[type=search]").fill("")
    page.locator(".explorer [data-game]").first.click()
    expect(page.locator(".explorer .list .entry")).not_to_have_count(0)
    look("game of the index")
    press("o")
    page.locator("dialog textarea").fill("this is no game")
    desk.button(word(desk, "openText")).click()
    expect(page.locator("dialog #notice")).to_be_visible()
    look("error in a dialog")
    page.locator("dialog textarea").fill('[Red "x"]\n\n1. h2e2 *\n\n[Red "y"]\n\n1. h2e2 h9g7 *\n')
    desk.button(word(desk, "openText")).click()
    expect(page.get_by_role("dialog", name=word(desk, "gamesInFile", 2))).to_be_visible()
    look("games of a file")
    page.locator("dialog .entry").first.click()
    expect(page.locator("dialog")).to_have_count(0)
    press("o")
    page.get_by_label(word(desk, "rename")).first.click()
    look("rename")
    page.keyboard.press("Escape")
    page.get_by_label(word(desk, "delete"), exact=True).locator("visible=true").first.click()
    look("question")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    press("n")
    page.get_by_label(word(desk, "sides")).select_option("none")
    look("two engines")
    page.get_by_label(word(desk, "sides")).select_option("both")
    desk.finish(word(desk, "start"))
    page.evaluate("scrollTo(0, 0)")
    desk.click("h2e2")
    expect(page.locator(".mv.here")).to_have_count(1)
    look("game")
    page.locator("#game").get_by_role("button", name=word(desk, "resign")).click()
    desk.button(word(desk, "yes")).click()
    expect(page.locator("#game .result")).to_be_visible()
    look("end of a game")
    desk.button(word(desk, "puzzles")).click()
    page.locator("dialog summary").click()
    look("endings")
    page.locator("dialog .endings .entry:enabled").first.click()
    expect(page.locator("#puzzle .state")).to_be_visible()
    look("ending")
    desk.tool("edit")
    desk.button(word(desk, "clearBoard")).click()
    page.evaluate("scrollTo(0, 0)")
    desk.drag("e4e5")
    page.locator('[data-piece="p"]').click()
    page.evaluate("scrollTo(0, 0)")
    page.mouse.click(*desk.point("a9"))
    expect(page.locator(".defects li")).not_to_have_count(0)
    look("editor with defects")
    desk.server.kill()
    expect(page.locator("#offline")).to_be_visible()
    look("connection lost")
    desk.troubles.clear()  # sockets that are refused
    inspector.check()


def test_changes_are_undone_by_button_notice_and_keys(opened):
    desk = opened(locale="zh-CN")
    page = desk.page
    for move in ("h2e2", "h9g7", "h0g2", "i9h9"):
        desk.click(move)
        desk.here(move.upper())
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    desk.here("H2E2")
    page.get_by_label("调整着法").click()
    desk.button("删除").click()
    notice = page.locator("#notice")
    expect(notice).to_contain_text("已删除 4 着")
    expect(page.locator(".mv")).to_have_count(0)
    notice.get_by_role("button", name="撤销").click()
    expect(page.locator(".mv")).to_have_count(4)
    expect(notice).to_contain_text("已撤销：删除着法")
    comment = page.locator("#comment textarea")
    comment.fill("好棋\n第二行\n第三行\n第四行")
    page.locator('[data-mark="1"]').click()  # the first click counts, however high the field is
    expect(page.locator(".mv.here b")).to_have_text("!")
    page.locator(".mv.here").click()  # in the field Ctrl Z is the browser's
    page.keyboard.press("Control+z")
    expect(page.locator(".mv.here b")).to_have_count(0)
    page.keyboard.press("Control+z")
    expect(page.locator(".note")).to_have_count(0)
    page.keyboard.press("Control+y")
    expect(page.locator(".note")).to_contain_text("第四行")
    page.get_by_label("每着").select_option("0.1")
    page.locator(".mv.here").click()
    desk.button("复盘").click()
    expect(page.locator(".summary")).to_be_visible()
    expect(page.locator(".note")).to_contain_text("第四行")
    page.get_by_label("复盘选项").click()
    desk.button("隐藏复盘").click()
    expect(page.locator(".mv small")).to_have_count(0)
    desk.button("显示复盘").click()
    expect(page.locator(".mv small")).to_have_count(4)
    page.get_by_label("复盘选项").click()
    desk.button("移除复盘").click()
    expect(page.get_by_role("button", name="复盘", exact=True)).to_be_visible()
    desk.button("撤销").click()
    expect(page.locator(".summary")).to_be_visible()


def test_a_phone_shows_both_clocks_words_and_whose_turn_it_is(opened):
    desk = opened(390, 844, has_touch=True, is_mobile=True, locale="zh-CN")
    page = desk.page
    desk.button("对局").tap()
    page.get_by_label("您执").select_option("both")
    page.get_by_label("用时").select_option("3+2")
    desk.finish("开始")
    for width, height in ((320, 568), (360, 640), (375, 667), (390, 664), (390, 844), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        status = page.locator("#status").bounding_box()
        assert status["y"] + status["height"] <= height + 1
        for place in ("#above .clock", "#below .clock"):
            box = page.locator(place).bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= status["y"], (place, width, height)
        for said in ("对局", "残局", "打谱", "分析", "更多"):
            tool = page.locator(".tools > button, .tools summary").filter(has_text=said)
            outer, inner = tool.bounding_box(), tool.locator("span").bounding_box()
            assert inner["height"] > 8 and outer["x"] <= inner["x"]
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
            assert status["y"] + status["height"] <= outer["y"] + 1 and outer["y"] + outer["height"] <= height
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#status")).to_contain_text("轮到红方")
    page.set_viewport_size({"width": 360, "height": 640})
    desk.button("分析").tap()
    expect(page.locator("#notice")).to_contain_text("正在对局")
    page.locator(".tools summary").tap()
    for said in ("保存", "摆棋", "设置"):
        expect(desk.button(said)).to_be_in_viewport(ratio=1)
    desk.button("触屏操作").tap()
    expect(page.get_by_role("dialog")).to_contain_text("点棋子，再点落点")
    expect(page.locator("kbd")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("#game").get_by_role("button", name="结束").tap()
    desk.button("是").tap()
    desk.button("分析").tap()
    expect(page.locator(".lines li:not(.blank)").first).to_be_in_viewport()
    page.locator(".tools summary").tap()
    desk.button("摆棋").tap()
    expect(page.locator("#editor")).to_be_visible()
    expect(page.locator(".tools [open]")).to_have_count(0)


def test_a_mate_on_the_board_has_a_score_in_words(opened):
    desk = opened(locale="zh-CN")
    said = desk.page.evaluate(
        """() => import('/main.js').then(({app}) =>
            [{mate: 0}, {mate: "given"}, {mate: -1}, {cp: 35}].map((score) => app.words.scoreText(score)))"""
    )
    assert said == ["绝杀", "绝杀", "−#1", "+0.35"]


def test_what_a_format_cannot_hold_is_said_before_it_is_saved(opened):
    desk = opened(locale="zh-CN")
    page = desk.page
    desk.click("h2e2")
    desk.here("H2E2")
    page.keyboard.press("ArrowLeft")
    desk.click("b2e2")
    desk.here("B2E2")
    desk.button("保存").click()
    losses = page.locator(".losses")
    expect(losses).to_be_empty()
    page.get_by_label("格式").select_option("wxf")
    expect(losses).to_contain_text("不能保存这盘棋的全部内容")
    expect(losses).to_contain_text("不能保存变化：略去 1 个")
    page.get_by_label("格式").select_option("xqf")
    expect(losses).to_be_empty()


@pytest.mark.parametrize(("locale", "look"), [("en-US", "To look on"), ("zh-CN", "跟随教练（只看）")])
def test_a_page_that_looks_on_follows_and_changes_nothing(browser, tmp_path, locale, look):
    from eleengine.webboard import lan

    if not lan.lan_addresses():
        pytest.skip("this machine is in no network")
    with living(tmp_path / "board", "--lan") as server:
        Store(server.folder).keep("settings", {"notation": "iccs"})
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=locale)
        coach = Desk(context.new_page(), server)
        coach.click("h2e2")
        coach.here("H2E2")
        coach.page.locator(".tools .icononly").first.click()
        coach.button(look).click()
        expect(coach.page.locator(".qr")).to_have_count(len(lan.lan_addresses()))
        address = coach.page.locator("dialog input").first.input_value()
        outside = copy.copy(server)
        outside.url, outside.origin = address, address.split("/#")[0]
        assert server.token not in address
        coach.page.keyboard.press("Escape")
        phone = browser.new_context(
            viewport={"width": 390, "height": 664}, locale=locale, has_touch=True, is_mobile=True
        )
        pupil = Desk(phone.new_page(), outside)
        page = pupil.page
        expect(page.locator(".mv.here")).to_have_count(1)
        coach.click("h9g7")
        expect(page.locator(".mv.here")).to_contain_text("马8进7" if locale == "zh-CN" else "H8+7")
        expect(page.locator(".mv")).to_have_count(2)
        expect(page.locator(".tools").get_by_role("button")).to_have_count(2)  # settings and help
        for control in (
            "#comment",
            "#engine",
            ".treetools",
            "#learn",
            "#game button",
        ):
            expect(page.locator(control).locator("visible=true")).to_have_count(0)
        for square in ("b2", "e2", "h0", "g2"):
            page.touchscreen.tap(*pupil.point(square))
        for key in (" ", "e", "n", "o", "s", "h", "c", "b", "Control+z"):
            page.keyboard.press(key)
        expect(page.locator("dialog")).to_have_count(0)
        page.keyboard.press("ArrowLeft")
        expect(page.locator('.mv[data-id="1"].here')).to_have_count(1)
        pupil.drag("a0a3", button="right")
        page.evaluate("import('/main.js').then(({app}) => app.dialogs.openText('1. b2e2'))")
        expect(page.locator("#notice")).to_contain_text("只能观看" if locale == "zh-CN" else "only look on")
        coach.click("b0c2")
        expect(page.locator(".mv")).to_have_count(3)
        expect(page.locator('.mv[data-id="3"].here')).to_have_count(1)
        expect(coach.page.locator(".mv")).to_have_count(3)
        with server.page(doc=coach.page.evaluate("sessionStorage.getItem('doc')")) as truth:
            assert [node.get("move") for node in truth.document["nodes"]] == [None, "h2e2", "h9g7", "b0c2"]
            assert not any("arrows" in node for node in truth.document["nodes"])
        noted = "Cross-Origin-Opener-Policy header has been ignored"  # of any page by plain HTTP
        assert [said for said in coach.troubles + pupil.troubles if noted not in said] == []
        context.close()
        phone.close()


def test_check_is_called_in_large_type(opened):
    desk = opened(1920, 1080, locale="zh-CN", settings={"large": True})
    page = desk.page
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "20px"
    page.evaluate("import('/main.js').then(({app}) => app.dialogs.openText('4k4/9/9/9/9/9/9/9/R8/3K5 w'))")
    expect(page.locator(".boardview .piece")).to_have_count(3)
    expect(page.locator(".called")).to_have_text("")
    desk.click("a1e1")
    expect(page.locator(".called")).to_have_text("将军")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".called")).to_have_text("")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    desk.button("设置").click()
    page.get_by_label("大字（投影）").uncheck()
    expect(page.locator(".large")).to_have_count(0)


def test_a_new_score_changes_its_row_alone(desk, page):
    desk.open_text(GAME, moves=25)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.evaluate("for (const row of document.querySelectorAll('.mv')) row.old = true")
    page.keyboard.press("e")
    expect(page.locator(".lines li:not(.blank)").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mv").first.locator("small")).to_be_visible()
    assert page.evaluate("[...document.querySelectorAll('.mv')].every((row) => row.old)")
    expect(page.locator(".mv.here")).to_have_count(1)
