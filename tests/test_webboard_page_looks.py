"""The looks of the page of the board, in a real browser: sizes, fingers, languages, readers of screens."""

import ast
import os
import re
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest
from support import CHECKOUT, needs_chromium
from webboard_desk import BLUNDER, DROP, HANGING, Desk, expect, word
from webboard_support import living

from eleengine.records.formats import _STRANGERS

pytest_plugins = ("webboard_desk",)
pytestmark = [pytest.mark.system, needs_chromium]


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
    desk, page = opened(375, 740, has_touch=True, is_mobile=True)
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


@pytest.mark.parametrize(("locale", "language"), [("zh-TW", "zh-Hant"), ("zh-CN", "zh"), ("en-US", "en")])
def test_the_pages_of_a_review_and_a_game_are_in_the_language_of_the_board(
    browser, opened, tmp_path, locale, language
):
    """What they say in it, test_review.py checks."""
    desk, page = opened(locale=locale, settings={"notation": ""})
    page.evaluate(DROP, ["game.txt", BLUNDER])
    expect(page.locator(".mv")).to_have_count(8)
    page.locator("#learn select").first.select_option("0.1")
    page.locator("#learn button").first.click()
    expect(page.locator(".summary")).to_be_visible()
    page.locator("#learn summary").click()
    with page.expect_download() as download:
        page.locator("#learn .popup button").last.click()
    download.value.save_as(tmp_path / "review.html")
    desk.press("Escape s")
    with page.expect_download() as download:
        page.locator("dialog .buttons button").nth(4).click()
    download.value.save_as(tmp_path / "game.html")
    page = browser.new_page()
    for name in ("review.html", "game.html"):
        page.goto((tmp_path / name).as_uri())
        assert page.locator("html").get_attribute("lang") == language
        assert page.locator("#moves button").nth(2).text_content().endswith("??")
    page.close()


def test_a_finger_drags_a_piece_up_without_scrolling(opened):
    desk, page = opened(390, 844, has_touch=True, is_mobile=True)
    touch = Fingers(page)
    for number, move in enumerate(("h0g2", "a9a7", "h2h6"), 1):
        (x, y), (to_x, to_y) = desk.point(move[:2]), desk.point(move[2:4])
        touch("Start", f1=(x, y))
        for step in range(1, 9):
            touch("Move", f1=(x + (to_x - x) * step / 8, y + (to_y - y) * step / 8))
        if number == 1:
            expect(page.locator("circle.aim")).to_have_count(1)
        touch("End")
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
    desk, page = opened(390, 844, has_touch=True, is_mobile=True)
    touch = Fingers(page)

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
    desk, page = opened(390, 664, has_touch=True, is_mobile=True)
    touch = Fingers(page)
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
    desk, page = opened(390, 844, has_touch=True, is_mobile=True)
    touch = Fingers(page)
    touch("Start", f1=desk.point("h2"))
    touch("Move", f1=desk.point("g2"))
    touch("Start", f1=desk.point("g2"), f2=desk.point("b2"))
    touch("Move", f1=desk.point("f2"), f2=desk.point("b4"))
    touch("Move", f1=desk.point("e2"), f2=desk.point("b5"))
    touch("End")
    desk.here("H2E2")
    expect(page.locator(".lifted")).to_have_count(0)
    expect(page.locator(".mv")).to_have_count(1)


@pytest.mark.parametrize(
    ("size", "locale"), [((390, 844), "zh-TW"), ((640, 360), "en-US"), ((1280, 800), "zh-CN")]
)
def test_long_names_widen_nothing(opened, size, locale):
    desk, page = opened(*size, locale=locale)
    name, word_ = "超长的名字" * 30, "W" * 200
    desk.open_text(f'[Red "{name}"]\n[Black "{word_}"]\n[Event "{word_}"]\n\n1. h2e2 {{{word_}}} *')
    expect(page.locator(".note")).to_be_visible()
    desk.tool("open")
    expect(page.locator("dialog .entry")).to_be_visible()
    wide = page.evaluate(
        "[...document.querySelectorAll('dialog, .list, .side, .card')].filter(one => one.checkVisibility() &&"
        " one.scrollWidth > one.clientWidth + 1).map(one => `${one.id} ${one.className}`)"
    )
    assert wide == []


@pytest.mark.parametrize("size", [(1280, 800), (375, 667)])
def test_an_error_stands_in_the_dialog_that_caused_it(opened, size):
    desk, page = opened(*size)
    desk.enter("this is no game")
    expect(page.locator("dialog #notice")).to_be_visible()
    box = page.locator("#notice span").bounding_box()
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert page.evaluate("([x, y]) => Boolean(document.elementFromPoint(x, y).closest('#notice'))", middle)
    page.keyboard.press("Escape")
    expect(page.locator(".boardrow #notice")).to_be_visible()


def test_errors_and_scores_are_chinese_on_the_chinese_page(opened):
    desk, page = opened(locale="zh-CN")
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
        desk.enter(text)
        expect(page.locator("#notice")).to_contain_text(said)
        assert "/9/" not in page.locator("#notice").text_content()
        page.keyboard.press("Escape")
    said = page.evaluate(
        """() => import('/main.js').then(({app}) =>
            [{mate: 0}, {mate: "given"}, {mate: -1}, {cp: 35}].map((score) => app.words.scoreText(score)))"""
    )
    assert said == ["绝杀", "绝杀", "−#1", "+0.35"]


SOURCES = CHECKOUT / "src" / "eleengine"


SPEAKERS = {"Message", "RecordError", "warn", "fail", "_warn"}  # called with what readers say


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


FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def test_the_focus_is_where_it_was_when_a_game_begins(desk, page):
    """Its choices draw the tools anew."""
    desk.button("New game").focus()
    page.keyboard.press("Enter")
    desk.finish("Start")
    expect(desk.button("Resign")).to_be_visible()
    assert page.evaluate(FOCUSED) == "New game"


def test_the_focus_is_where_it_was_when_a_setting_is_altered(desk, page):
    """In another language the button has another name."""
    desk.button("Settings").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Language").first.select_option("zh-Hans")
    expect(page.get_by_role("dialog", name="设置")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate(FOCUSED) == "设置"


def test_the_focus_stays_where_it_is(desk, page):
    desk.play("h2e2")
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
    _, page = opened(*size)
    box = page.locator(".boardview").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= size[1] and box["x"] >= -1
    assert box["width"] >= min(0.48 * size[0], 0.75 * size[1]) or box["width"] >= size[0] - 1
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("size", [(375, 667), (320, 568)])
def test_the_coach_is_seen_on_a_phone(opened, size):
    """What it says and asks stands below the board, in sight."""
    desk, page = opened(*size, has_touch=True, is_mobile=True)
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


def test_a_phone_shows_both_clocks_words_and_whose_turn_it_is(opened):
    desk, page = opened(390, 844, has_touch=True, is_mobile=True, locale="zh-CN")
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


def test_check_is_called_in_large_type(opened):
    desk, page = opened(1920, 1080, locale="zh-CN", settings={"large": True})
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
    desk, _ = opened(
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
        desk.open_text(text, pieces=pieces)
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
    desk.press("Home Shift+ArrowRight")
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
    desk.press("Escape Escape")
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
