"""Files, positions and links on the page of the board, in a real browser: opened, edited, kept, saved."""

import re
from pathlib import Path

import pytest
from support import CHECKOUT, needs_chromium
from webboard_desk import DROP, GAME, expect

pytest_plugins = ("webboard_desk",)
pytestmark = [pytest.mark.system, needs_chromium]


SAMPLES = ["game.iccs.pgn", "tree.pgn", "tree.v18.xqf", "tree.cbr", "tree.dhtmlxq.txt"]


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_records_open(page, name):
    page.keyboard.press("o")
    page.get_by_label("Choose files").set_input_files(str(CHECKOUT / "tests" / "records" / name))
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".mv").nth(3)).to_be_visible()


def test_a_game_is_pasted_and_saved_under_its_name(desk, page):
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            const tags = '[Red "胡"]\\n[Black "Xu/Li"]\\n[Date "2026.01.02"]';
            data.setData("text", tags + '\\n\\n1. 炮二平五 马8进7 2. 马二进三 *');
            document.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true}));
        }"""
    )
    expect(page.locator(".mv")).to_have_count(3)
    expect(page.locator("#below")).to_contain_text("胡")
    page.keyboard.press("s")
    page.get_by_label("Notation").select_option("wxf")
    saved = desk.download("Download")
    assert saved.suggested_filename == "胡 – Xu_Li 2026-01-02.pgn"
    text = saved.path().read_text(encoding="utf-8")
    assert "C2.5" in text and "胡" in text


def test_the_dialog_says_what_cannot_be_read(desk, page, server):
    name = f"{7:032}.json"
    (server.folder / name).write_text("{")
    desk.enter("4k4/9/9/9/9/9/9/R8/3K5 w")
    expect(page.locator(".notice")).to_contain_text("10 ranks")
    expect(page.locator("dialog .defects")).to_contain_text(f"Damaged and not listed: 1. The files: {name}")
    (server.folder / name).unlink()
    desk.press("Escape o")
    expect(page.locator("dialog textarea")).to_be_visible()
    expect(page.locator("dialog .defects")).to_be_hidden()


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


def test_the_editor_keeps_the_numbers_of_a_position_and_names_a_text_that_is_none(desk, page):
    fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w - - 40 77"
    desk.open_text(fen, pieces=3)
    desk.button("Set up").click()
    field = page.get_by_label("FEN", exact=True)
    expect(field).to_have_value(fen)
    field.fill("4k4/9/9/9/9/9/9/R8/3K5 w")
    expect(page.locator(".defects")).to_contain_text("10 ranks")
    expect(desk.button("Analyse")).to_be_disabled()
    field.fill(fen.replace("40 77", "41 80"))
    expect(page.locator(".defects")).to_be_hidden()
    desk.button("Analyse").click()
    expect(page.locator("#editor")).to_be_hidden()
    desk.button("Set up").click()
    expect(field).to_have_value(fen.replace("40 77", "41 80"))
    desk.button("Mirror").click()
    expect(field).to_have_value("4k4/9/9/9/9/9/9/9/8R/5K3 w - - 0 1")
    desk.button("Undo").click()
    expect(field).to_have_value(fen.replace("40 77", "41 80"))


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


def test_what_is_dropped_on_a_dialog_takes_its_place_or_is_refused(desk, page):
    desk.button("Open").click()
    assert page.evaluate(DROP, [None, "words"]) is False  # the text field's
    assert page.evaluate(DROP, ["game.txt", "1. h2e2 h9g7"]) is True
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".mv")).to_have_count(2)
    desk.button("Open").click()
    page.evaluate(DROP, ["two.txt", "startpos moves h2e2\nstartpos moves c3c4\n"])
    expect(page.get_by_role("dialog", name="2 games in this file")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(1)
    page.keyboard.press("Escape")
    reading = "Promise.reject(new DOMException('a folder', 'NotFoundError'))"
    folder = f"{{name: 'games', size: 4096, arrayBuffer: () => {reading}}}"
    page.evaluate(f"import('/main.js').then(({{app}}) => void app.dialogs.openFiles([{folder}]))")
    expect(page.locator("#notice")).to_contain_text("Folders cannot be opened")


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
    desk.press("Escape Home")
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


UNREAD = '[Red "C"]\n[FEN "no board w"]\n\n1. h2e2 *\n\n'
WHOLE = '[Red "A"]\n\n1. h2e2 h9g7 *\n\n'
CUT = '[Red "B"]\n\n1. b2e2 b2e2 *\n\n'


def open_list(desk, text):
    """Open a text of several games, which are listed."""
    desk.enter(text)
    expect(desk.page.get_by_role("dialog", name="games in this file")).to_be_visible()


def test_what_is_left_out_of_a_file_of_several_games_is_named(desk, page):
    open_list(desk, CUT + UNREAD + WHOLE)
    notice = page.locator("#notice")
    expect(notice).to_contain_text("game 2: line 6: ")
    expect(notice).not_to_contain_text("game 1")
    page.locator("dialog .entry").first.click()
    expect(notice).to_contain_text("game 1: line 3: ")
    page.keyboard.press("PageDown")
    expect(page.locator(".about")).to_contain_text("game 2 of 2")
    expect(notice).to_be_hidden()
    open_list(desk, CUT + UNREAD + WHOLE)
    desk.button("Add all to my games").click()
    expect(notice).to_contain_text("2 games, 2 of them new")
    expect(notice).to_contain_text("game 1: line 3: ")


def test_of_several_files_those_with_several_games_name_what_is_left_out(page):
    page.evaluate(DROP, ["one.txt", "1. h2e2 h9g7", ["more.pgn", CUT + UNREAD + WHOLE]])
    box = page.get_by_role("dialog")
    expect(box).to_contain_text("2 of 2 files read")
    expect(box.locator(".files li")).to_have_count(1)
    for place in ("more.pgn: ", "game 1: line 3: ", "game 2: line 6: "):
        expect(box.locator(".files li")).to_contain_text(place)


def test_files_of_which_none_can_be_read_leave_the_board_as_it_is(desk, page):
    page.evaluate(DROP, ["one.txt", "1. h2e2 h9g7", ["two.txt", "1. c3c4 c6c5 2. b0c2"]])
    expect(page.locator("#notice")).to_contain_text("2 of 2 files read")
    desk.open_text("1. g3g4", moves=1)
    page.evaluate(DROP, ["one.txt", "no game", ["two.txt", "none"]])
    expect(page.get_by_role("dialog")).to_contain_text("0 of 2 files read")
    page.keyboard.press("Escape")
    expect(page.locator(".mv")).to_have_count(1)


def test_the_end_of_a_long_name_tells_the_format(desk, page, tmp_path):
    path = tmp_path / ("a" * 240 + ".che")
    path.write_bytes((CHECKOUT / "tests" / "records" / "game.che").read_bytes())
    page.keyboard.press("o")
    page.get_by_label("Choose files").set_input_files(path)
    expect(page.locator(".mv")).to_have_count(60)


def test_a_text_that_is_too_large_is_refused_before_it_is_sent(desk, page):
    page.evaluate(DROP, ["", "棋" * 4_500_000])
    expect(page.locator("#notice")).to_contain_text("larger than 8 MiB")


def test_a_game_from_elsewhere_has_no_place_in_the_file(desk, page):
    open_list(desk, "startpos moves h2e2\nstartpos moves c3c4\n")
    page.locator("dialog .entry").first.click()
    expect(page.locator(".about")).to_contain_text("game 1 of 2")
    desk.new_game("both")
    expect(page.locator(".mv")).to_have_count(0)
    expect(page.locator(".about")).not_to_contain_text("of 2")


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
    desk.play("h2e2")
    page.get_by_label("Comment on this move").click()
    page.keyboard.type("half of a")
    expect(page.locator(".note")).to_have_text("half of a")
    page.get_by_label("Comment on this move").click()
    page.keyboard.type(" comment")
    page.reload()
    expect(page.locator(".note")).to_have_text("half of a comment")


def test_a_comment_before_a_variation_is_changed_and_the_change_undone(desk, page):
    desk.open_text("1. h2e2 ({why not} 1. b2e2 {the left one}) h9g7 *", moves=3)
    field = page.get_by_label("Comment before this variation")
    page.locator(".mv").first.click()
    expect(field).to_be_hidden()
    page.locator(".variation .mv").click()
    expect(field).to_have_value("why not")
    expect(page.get_by_label("Comment on this move")).to_have_value("the left one")
    field.fill("because")
    expect(page.locator(".variation .note")).to_have_text(["because", "the left one"])
    desk.button("Undo").click()
    expect(page.locator(".variation .note")).to_have_text(["why not", "the left one"])
    expect(field).to_have_value("why not")


def test_a_file_that_changes_below_its_page_is_left_and_a_copy_kept(server, desk, page):
    desk.open_text("1. h2e2", moves=1)
    desk.press("End")
    desk.here("H2E2")
    (path,) = server.folder.glob("*.json")
    other = path.read_text(encoding="utf-8").replace("h2e2", "b2e2") + " "
    path.write_text(other, encoding="utf-8")
    desk.play("h9g7")
    expect(page.locator("#notice")).to_contain_text("Another program has changed")
    assert path.read_text(encoding="utf-8") == other
    page.reload()
    expect(page.locator(".mv")).to_have_text(["H2E2", "H9G7"])


def test_comments_stand_before_variations_and_run_as_their_letters_do(desk, page):
    desk.open_text("1. h2e2 {مرحبا!} h9g7 {Hello!} ({better} 1... b9c7 {so}) 2. h0g2 *", moves=4)
    [block] = page.locator(".variation").all_inner_texts()
    assert block.split()[0] == "better" and block.split()[-1] == "so"
    ends = """notes => notes.map(note => {
        const place = (from) => {
            const range = document.createRange();
            range.setStart(note.firstChild, from);
            range.setEnd(note.firstChild, from + 1);
            return range.getBoundingClientRect().left;
        };
        return place(note.textContent.length - 1) > place(0);
    })"""
    assert page.locator(".note").evaluate_all(ends)[:2] == [False, True]
    page.locator(".variation .mv").click()
    desk.change("Main line")
    expect(page.locator(".note")).to_have_text(["مرحبا!", "better", "so", "Hello!"])


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


def test_the_picture_is_saved_and_goes_to_the_clipboard(opened):
    """The page draws it: no extra is needed."""
    desk, page = opened(permissions=["clipboard-read", "clipboard-write"])
    desk.button("Save").click()
    saved = desk.download("PNG")
    assert saved.suggested_filename == "board.png"
    data = Path(saved.path()).read_bytes()
    assert data.startswith(b"\x89PNG") and len(data) > 50_000
    desk.press("Escape s")
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


def test_the_link_of_a_position_leads_back_to_it(desk, page):
    desk.play("h2e2", "h9g7")
    page.keyboard.press("s")
    page.locator("dialog").get_by_role("button", name="Link", exact=True).click()
    url = page.get_by_label("Address").input_value()
    assert url == f"{desk.server.url}&moves=h2e2.h9g7"


def test_what_a_format_cannot_hold_is_said_before_it_is_saved(opened):
    desk, page = opened(locale="zh-CN")
    desk.play("h2e2")
    page.keyboard.press("ArrowLeft")
    desk.play("b2e2")
    desk.button("保存").click()
    losses = page.locator(".losses")
    expect(losses).to_be_empty()
    page.get_by_label("格式").select_option("wxf")
    expect(losses).to_contain_text("不能保存这盘棋的全部内容")
    expect(losses).to_contain_text("不能保存变化：略去 1 个")
    page.get_by_label("格式").select_option("xqf")
    expect(losses).to_be_empty()
