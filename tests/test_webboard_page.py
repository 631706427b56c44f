"""Games on the page of the board, in a real browser: moves, engines, the coach, words for all of it."""

import copy
import re

import pytest
from support import needs_chromium
from webboard_desk import HANGING, Desk, expect
from webboard_support import living

from eleengine.legality import REASONS
from eleengine.webboard.store import Store

pytest_plugins = ("webboard_desk",)
pytestmark = [pytest.mark.system, needs_chromium]


def test_moves_variations_and_arrows(desk, page):
    desk.play("h2e2")
    desk.drag("h9g7")
    desk.here("H9G7")
    desk.drag("h0h5")  # not legal: nothing happens
    desk.here("H9G7")
    page.keyboard.press("ArrowLeft")
    desk.here("H2E2")
    desk.play("h7e7")
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
    desk.press("f f")
    page.mouse.click(*desk.point("e2"))
    desk.here("H2E2")
    page.mouse.move(*desk.point("b9"))
    page.mouse.down()
    page.mouse.move(*desk.point("c7"), steps=6)
    desk.press("f f")
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
    one, _ = opened()
    one.new_game("both")
    expect(one.page.locator("#game")).to_contain_text("Red to move")
    doc = one.page.evaluate("sessionStorage.doc")
    two, _ = opened(has_touch=True, before=lambda page: page.add_init_script(f"sessionStorage.doc = '{doc}'"))
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


def test_engines_of_two_levels_play_and_show_what_they_think(desk, page):
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
    expect(page.locator(".mv").nth(2)).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#game")).to_contain_text("Paused")
    page.get_by_role("button", name="Stop").click()
    desk.button("Yes").click()
    expect(page.locator("#game .result")).to_contain_text("stopped")
    page.keyboard.press("s")
    text = desk.download("Download").path().read_text(encoding="utf-8")
    assert '[Result "*"]' in text and "1/2" not in text
    desk.press("Escape o")
    expect(page.locator("dialog .entry")).to_contain_text("eleengine · level 0 – eleengine · level 4")


def test_keyboard_only(desk, page):
    page.keyboard.press("c")
    for text in ("炮二平五", "H8+7", "h0g2"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(page.get_by_label("Type a move: 炮二平五, C2.5, h2e2")).to_have_value("")
    expect(page.locator(".mv")).to_have_count(3)
    desk.press("Escape ArrowLeft")
    desk.here("H9G7")
    page.keyboard.press("ArrowRight")
    desk.here("H0G2")
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


def test_two_tabs(opened):
    (one, _), (two, _) = opened(), opened()
    for desk, move in ((one, "h2e2"), (two, "b2e2")):
        desk.click(move)
    one.here("H2E2")
    two.here("B2E2")
    one.page.keyboard.press("e")
    two.page.keyboard.press("e")
    for desk in (one, two):
        expect(desk.page.locator(".lines li").first).to_be_visible()


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
    desk.play("b0c2")
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


def test_a_notice_goes_with_the_position(desk, page):
    desk.play("h2e2")
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


def test_the_board_is_turned_for_one_game_only(desk, page):
    desk.new_game("black")
    expect(page.locator("#below")).to_contain_text("You")
    expect(page.locator("#gauge")).to_have_class(re.compile("flipped"))
    page.keyboard.press("n")
    desk.finish("Board for analysis")
    expect(page.locator("#gauge")).not_to_have_class(re.compile("flipped"))


def test_the_status_line_follows_notation_and_language(desk, page):
    desk.click("h2e2")
    expect(page.locator("#status")).to_have_text("H2E2. Black to move")
    desk.button("Settings").click()
    page.get_by_label("Notation").select_option("wxf")
    expect(page.locator("#status")).to_have_text("C2.5. Black to move")
    page.locator("dialog select").first.select_option("zh-Hans")
    expect(page.locator("#status")).to_have_text("C2.5。轮到黑方")


def test_the_opening_is_named(opened):
    desk, page = opened(locale="zh-TW")
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


def test_the_coach_lets_a_blunder_be_played(desk, page):
    desk.open_text(HANGING, pieces=4)
    desk.new_game("red", From="here", Coach="blunders")
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
    desk, page = opened(locale="zh-CN")
    notice = page.locator("#notice")
    desk.click("b0d1")
    expect(notice).to_contain_text("蹩马腿")
    desk.drag("h2h7")
    expect(notice).to_contain_text("炮吃子须隔一个子")
    page.locator("[data-square=a3]").focus()
    desk.press("Enter ArrowRight Enter")
    expect(notice).to_contain_text("兵卒过河后才能横走")
    expect(page.locator(".mv")).to_have_count(0)
    desk.play("b0c2")
    expect(notice).to_be_hidden()
    texts = page.evaluate("import('/texts.js').then(({TEXTS}) => TEXTS)")
    assert all(len(set(texts[f"why_{reason}"])) >= 2 for reason in REASONS)


def test_changes_are_undone_by_button_notice_and_keys(opened):
    desk, page = opened(locale="zh-CN")
    desk.play("h2e2", "h9g7", "h0g2", "i9h9")
    desk.press("Home ArrowRight")
    desk.here("H2E2")
    page.get_by_label("调整着法").click()
    desk.button("删除").click()
    notice = page.locator("#notice")
    expect(notice).to_contain_text("已删除 4 着")
    expect(page.locator(".mv")).to_have_count(0)
    notice.get_by_role("button", name="撤销").click()
    expect(page.locator(".mv")).to_have_count(4)
    expect(notice).to_contain_text("已撤销：删除着法")
    comment = page.get_by_label("这一着的注解")
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


@pytest.mark.parametrize(("locale", "look"), [("en-US", "To look on"), ("zh-CN", "跟随教练（只看）")])
def test_a_page_that_looks_on_follows_and_changes_nothing(browser, tmp_path, locale, look):
    from eleengine.webboard import lan

    if not lan.lan_addresses():
        pytest.skip("this machine is in no network")
    with living(tmp_path / "board", "--lan") as server:
        Store(server.folder).keep("settings", {"notation": "iccs"})
        context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=locale)
        coach = Desk(context.new_page(), server)
        coach.play("h2e2")
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
        for control in ("#comment", "#engine", ".treetools", "#learn", "#game button"):
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
