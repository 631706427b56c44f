"""A desk with the board: its page in a real browser, and the fixtures that open it."""

import pytest
from support import CHROMIUM, CHROMIUM_FLAGS
from webboard_support import indexed_games, living

from eleengine.games import GameIndex
from eleengine.webboard.store import Store

pytest.importorskip("starlette", reason="needs the extra board")
playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
expect = playwright.expect
PATIENCE = 120_000  # milliseconds: two cores that many tests share can be slow
expect.set_options(timeout=PATIENCE)

GAME = (
    "1. C2.5 H8+7 2. H2+3 R9.8 3. R1.2 P7+1 4. R2+6 H2+3 5. P7+1 C8.9 6. R2.3 C9-1 7. H8+7 A4+5 "
    "8. C8.9 R1.2 9. R9.8 C9.7 10. R3.4 H7+8 11. P5+1 P3+1 12. R8+6 P3+1 13. R8.7 *"
)
BLUNDER = "1. h2e2 h9g7 2. e2e6 g7e6 3. h0g2 i9h9 4. i0h0 b9c7"
HANGING = "1r1k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1"
DROP = """([name, text, ...more]) => {
    const data = new DataTransfer();
    if (name) data.items.add(new File([text], name));
    else data.setData("text", text);
    for (const [name, text] of more) data.items.add(new File([text], name));
    const place = document.querySelector("dialog textarea") ?? document.body;
    return !place.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
}"""


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

    def play(self, *moves):
        """Click moves, each of which is shown before the next."""
        for move in moves:
            self.click(move)
            self.here(move.upper())

    def drag(self, move, button="left"):
        self.page.mouse.move(*self.point(move[:2]))
        self.page.mouse.down(button=button)
        self.page.mouse.move(*self.point(move[2:4]), steps=6)
        self.page.mouse.up(button=button)

    def press(self, keys):
        for key in keys.split():
            self.page.keyboard.press(key)

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

    def enter(self, text):
        """Enter a game or position in the dialog, in any language."""
        self.page.keyboard.press("o")
        self.page.locator("dialog textarea").fill(text)
        self.page.locator("dialog .body .primary").click()

    def open_text(self, text, *, pieces=None, moves=None):
        """Open a game or position. pieces, moves: how many the page must show before this returns."""
        self.enter(text)
        expect(self.page.locator("dialog")).to_have_count(0)
        for places, count in ((".boardview .piece", pieces), (".mv", moves)):
            if count is not None:
                expect(self.page.locator(places)).to_have_count(count)

    def review(self, text, *, moves):
        """Open a game and review it quickly."""
        self.open_text(text, moves=moves)
        self.start_review()

    def start_review(self):
        self.page.get_by_label("per move").select_option("0.1")
        self.button("Review the game").click()
        expect(self.page.locator(".summary")).to_be_visible()

    def download(self, name):
        """What the page saves when a button is pressed."""
        with self.page.expect_download() as download:
            self.button(name).click()
        return download.value

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
    """Opens pages: desk, page = opened(width, height, locale); what goes wrong on any fails the test.

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
        return desks[-1], page

    yield make
    troubles = [trouble for desk in desks for trouble in desk.troubles]
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def desk(opened):
    """An empty board for analysis, in English with ICCS moves."""
    return opened()[0]


@pytest.fixture
def page(desk):
    """The page of that board."""
    return desk.page


def word(desk, key, *values):
    """What the page calls something in its language."""
    return desk.page.evaluate(
        """async ([key, values]) => {
            const { texts } = await import("/texts.js");
            return texts(document.documentElement.lang, key, values);
        }""",
        [key, values],
    )


@pytest.fixture
def games(server):
    """An index of three games, of which two begin alike."""
    with GameIndex(server.folder / "games.sqlite", writable=True) as index:
        index.add_games(indexed_games("h2e2 h9g7 h0g2", "h2e2 b9c7", "g3g4"), source="my.pgn")
