"""Analyses, reviews, puzzles and books on the page of the board, in a real browser."""

import re

import pytest
from support import needs_chromium
from webboard_desk import BLUNDER, GAME, expect

from eleengine.webboard.puzzles import puzzles

pytest_plugins = ("webboard_desk",)
pytestmark = [pytest.mark.system, needs_chromium]


def test_analysis_shows_lines_and_arrows(page):
    page.keyboard.press("e")
    expect(page.locator(".lines li")).to_have_count(3)
    expect(page.locator("polygon.arrow.best")).to_have_count(1)
    line = page.locator(".lines li").first
    expect(line.locator(".step").nth(7)).not_to_be_empty()
    for number, text in enumerate((r"^1\. \w{4}$", r"^\w{4}$", r"^2\. \w{4}$")):
        expect(line.locator(".step").nth(number)).to_have_text(re.compile(text))
    line.get_by_label("The whole line").click()
    expect(line).to_contain_class("unfolded")
    unfolded = "pv => getComputedStyle(pv).whiteSpace === 'normal' && pv.scrollWidth <= pv.clientWidth"
    assert line.locator(".pv").evaluate(unfolded)
    page.keyboard.press("2")
    expect(page.locator(".lines li")).to_have_count(2)
    line.locator(".score").click()
    expect(page.locator(".mv")).to_have_count(1)
    expect(page.locator(".lines li")).to_have_count(2)
    line.locator(".step").nth(2).hover()
    expect(page.locator("polygon.arrow")).to_have_count(0)  # the line is shown instead
    line.locator(".step").nth(2).click()
    expect(page.locator(".mv")).to_have_count(4)
    page.keyboard.press("e")
    expect(page.locator(".lines li")).to_have_count(0)


def test_a_mate_is_asked_for_and_played_out(desk, page):
    desk.open_text("5k3/3Pa1P2/3a3n1/6N2/9/9/9/3A5/2p2p3/4K4 w")
    page.get_by_label("Engine settings").click()
    desk.button("Is there a mate?").click()
    expect(page.locator("#notice")).to_contain_text("Mate in ")
    page.locator("#notice").get_by_role("button", name="Show it").click()
    expect(page.locator(".mv")).to_have_count(9)


@pytest.mark.parametrize(
    ("chosen", "name", "number"),
    [("engine-thesis", "engine-thesis", 2), ("/gone", "eleengine", 0), (9, "eleengine", 0)],
)
def test_the_engine_that_is_named_is_the_one_that_analyses(opened, chosen, name, number):
    """Also when the board was started with others since it was chosen."""
    _, page = opened(settings={"engine": chosen})
    expect(page.locator("#engine .switch")).to_have_text(f"Engine: {name}")
    asked = """import('/main.js').then(({app}) => {
        const asked = [];
        app.link.send = (type, {engine} = {}) => asked.push([type, engine]);
        app.engineOn = true;
        app.engine.follow();
        return asked;
    })"""
    assert page.evaluate(asked) == [["analyse", number]]


def test_analysis_says_what_the_table_knows(desk, page):
    desk.open_text("4Ck3/4a4/9/9/9/9/9/9/4A4/3K5 w")
    page.keyboard.press("e")
    expect(page.locator(".known")).to_have_text(
        "Table: Red wins in 25 plies. Only these moves keep it: E9A9 E9B9 E9C9"
    )


def test_lines_are_different_moves_best_first(desk, page):
    desk.press("5 e")
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
    desk.press("3 e")


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


def test_a_new_score_changes_its_row_alone(desk, page):
    desk.open_text(GAME, moves=25)
    desk.press("Home ArrowRight")
    page.evaluate("for (const row of document.querySelectorAll('.mv')) row.old = true")
    page.keyboard.press("e")
    # Only a score of some depth stays.
    expect(page.locator("#engine")).to_contain_text(re.compile(r"depth ([89]|\d\d)/"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mv").first.locator("small")).to_be_visible()
    assert page.evaluate("[...document.querySelectorAll('.mv')].every((row) => row.old)")
    expect(page.locator(".mv.here")).to_have_count(1)


def places(page):
    """Where the parts of the panel begin, and how high they are."""
    return page.evaluate(
        """["learn", "engine", "moves", "graph", "comment"].map((id) => {
            const {top, height} = document.getElementById(id).getBoundingClientRect();
            return [id, top, height];
        })"""
    )


def test_a_reviewed_game_with_three_lines_leaves_eight_rows_that_stay(desk, page):
    desk.review(GAME, moves=25)
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
    desk, page = opened(1280, 720, settings={"lines": 5})
    desk.review(GAME, moves=25)
    page.keyboard.press("e")
    expect(page.locator(".lines li:not(.blank)")).to_have_count(5)
    row, tree = page.locator(".row").first.bounding_box(), page.locator(".tree").bounding_box()
    assert row["height"] >= 24 and tree["height"] / row["height"] >= 8
    assert page.evaluate("(e => e.scrollHeight <= e.clientHeight)(document.querySelector('.side'))")


def test_a_review_marks_the_blunder(desk, page):
    desk.review(BLUNDER, moves=8)
    expect(page.locator("#graph")).to_be_visible()
    desk.press("Home Shift+ArrowRight")
    desk.here("E2E6")
    card = page.locator("#learn .why")
    expect(card).to_contain_text(re.compile(r"Costs \d+ %, loses a cannon.*\. Better: "))
    expect(page.locator("polygon.arrow.red")).to_have_count(1)
    expect(page.locator("polygon.arrow.green")).to_have_count(1)
    desk.button("The answer").click()
    expect(page.locator(".mv")).not_to_have_count(8)  # the answer goes on where the game ended
    desk.press("Home ArrowRight")
    expect(card).to_contain_text("H2E2: a move of the book.")
    page.keyboard.press("Shift+ArrowRight")
    desk.here("E2E6")
    desk.button("Try it").click()
    expect(page.locator("#learn")).to_contain_text("1/1")
    desk.button("Finish").click()
    desk.button("Find the better move").click()
    expect(page.locator("#learn")).to_contain_text("Find a better move")


def test_a_review_outlives_a_reload(desk, page):
    desk.review(f"{BLUNDER} 0-1", moves=8)
    expect(page.locator(".tree .outcome")).to_have_text("0 – 1")
    box = page.locator("#graph svg").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 3 / 8, box["y"] + 10)
    expect(page.locator("#graph output")).to_contain_text("2. E2E6")
    page.mouse.move(5, 5)
    expect(page.locator("#graph output")).to_be_empty()
    chips = page.locator(".chip").all_text_contents()
    page.reload()
    expect(page.locator(".chip")).to_have_text(chips)
    page.get_by_label("More about the review").click()
    assert "<!doctype html" in desk.download("As a page").path().read_text(encoding="utf-8").lower()


def test_a_variation_keeps_the_graph_and_has_a_score(desk, page):
    desk.review(BLUNDER, moves=8)
    desk.press("Home Shift+ArrowRight")
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


def test_finding_the_better_move_asks_shows_and_counts(desk, page):
    desk.review(BLUNDER, moves=8)
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


def test_a_lesson_ends_when_its_move_is_deleted(desk, page):
    desk.review(BLUNDER, moves=8)
    desk.button("Find the better move").click()
    expect(page.locator("#learn")).to_contain_text("Find a better move")
    page.keyboard.press("ArrowLeft")
    desk.here("H2E2")
    desk.change("Delete")
    expect(page.locator(".mv")).to_have_count(0)
    expect(page.locator("#learn")).not_to_contain_text("Find a better move")


def test_a_puzzle_and_what_was_solved(desk, page):
    desk.button("Puzzles").click()
    expect(page.locator("dialog")).to_contain_text("0 of ")
    page.get_by_label("Show").select_option("two")
    page.locator("dialog .entry:visible").first.click()
    card = page.locator("#puzzle")
    expect(card).to_contain_text("wins in 2 moves")
    card.get_by_role("button", name="Hint").click()
    expect(page.locator("circle.selected")).to_have_count(1)
    card.get_by_role("button", name="Solution").click()
    expect(card).to_contain_text("The solution is in the moves")
    assert page.locator(".mv").count() >= 3
    desk.button("Puzzles").click()
    expect(page.get_by_role("img", name="solved with help")).to_have_count(1)
    page.get_by_label("Show").select_option("studies")
    expect(page.locator("dialog .list .entry:visible").first).not_to_contain_text("mate")


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
    text = desk.download("Print").path().read_text(encoding="utf-8")
    assert text.count("<svg ") == len(wanted) == text.count("<li>") and "Solutions" in text
    desk.button("Solve").click()
    for place, number in enumerate(wanted, 1):
        expect(page.locator("#puzzle h2")).to_contain_text(f"{place}/{len(wanted)}")
        desk.click(key_move(number))
        expect(page.locator("#puzzle .state")).to_contain_text("smothered king")
        if place < len(wanted):
            desk.button("Next puzzle").click()
    n = len(wanted)
    expect(page.locator("#puzzle")).to_contain_text(f"{n} of {n} solved without a mistake")


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


def test_the_book_is_on_a_tab_with_heads(desk, page):
    before = page.locator("#moves").bounding_box()
    desk.button("Book").click()
    expect(page.locator(".book thead")).to_contain_text("Games")
    page.locator(".book [data-book]").first.click()
    expect(page.locator(".mv")).to_have_count(1)
    assert page.locator("#moves").bounding_box() == before
    desk.button("Moves").click()
    expect(page.locator(".mv").first).to_be_visible()


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
    _, page = opened(locale="zh-CN", settings={"notation": ""})
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
