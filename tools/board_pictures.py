"""Make the pictures of the board in docs/images anew: a reviewed game, the coach in Chinese, a phone.

    python tools/board_pictures.py [docs/images]

It needs the extras board and gif, playwright, Chromium and a font with Chinese characters. The engine plays
and reviews, so scores differ a little from one time to the next.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from eleengine import Engine, Limit
from eleengine.records import Game

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT / "tests"))
from support import CHROMIUM, CHROMIUM_FLAGS  # type: ignore[import-not-found]  # noqa: E402
from webboard_support import Live, living  # type: ignore[import-not-found]  # noqa: E402

OPENING = "C2.5 H8+7 H2+3 R9.8 R1.2 H2+3 P7+1 P7+1 R2+6 C8.9 R2.3 C9+4"  # the last one loses a piece
PLIES = 26
ASK = "({type, message}) => import('/main.js').then(({app}) => app.actions.act(type, message))"


def reviewed_game() -> str:
    """A game with a blunder, which the engine plays to its end."""
    game = Game(headers={"Red": "小林", "Black": "小陈", "Event": "Club", "Date": "2026.11.01"})
    node = game.play_line(OPENING.split())
    with Engine(skill=9) as engine:
        for _ in range(PLIES - len(OPENING.split())):
            move = engine.play(node.board(), Limit(nodes=20_000)).move
            assert move is not None
            node = node.add(move)
    return str(game)


def opened(browser: Browser, server: Live, width: int, height: int, **options: Any) -> Page:
    """A page of the board of this size."""
    phone = width < 600
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=phone, is_mobile=phone, **options
    )
    page = context.new_page()
    page.goto(server.url)
    expect(page.locator(".pieces .piece").first).to_be_visible()
    return page


def show_blunder(page: Page) -> None:
    """Go to the blunder."""
    page.evaluate(ASK, {"type": "go", "message": {"node": len(OPENING.split())}})
    expect(page.locator("#learn")).to_contain_text("Costs")
    page.wait_for_timeout(500)


def take(page: Page, path: Path) -> None:
    """Take the picture, without a ring of the focus, in 256 colours."""
    page.evaluate("document.activeElement.blur()")
    page.screenshot(path=path)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def main(folder: Path) -> None:
    """Write the pictures into a folder."""
    expect.set_options(timeout=120_000)
    with tempfile.TemporaryDirectory() as kept, living(Path(kept)) as server, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        page = opened(browser, server, 1280, 800, locale="en-US")
        page.evaluate(
            "text => import('/main.js').then(({app}) => app.dialogs.openText(text))", reviewed_game()
        )
        page.get_by_label("per move").select_option("0.5")
        page.get_by_role("button", name="Review the game").click()
        expect(page.locator(".summary")).to_be_visible()
        show_blunder(page)
        page.keyboard.press("e")
        expect(page.locator(".numbers")).to_contain_text("depth 1")
        page.wait_for_timeout(5000)
        take(page, folder / "board.png")
        page.context.close()
        page = opened(browser, server, 360, 740, locale="en-US")
        show_blunder(page)
        take(page, folder / "board-phone.png")
        page.context.close()
        page = opened(browser, server, 1280, 800, locale="zh-CN", color_scheme="dark")
        rules = {"players": {"red": None, "black": 0}, "levels": {"black": 5}, "warn": "mistakes"}
        page.evaluate(ASK, {"type": "new", "message": rules})
        for node, move in ((0, "h2e2"), (2, "e2e6")):
            expect(page.locator("#game")).to_contain_text("轮到您走")
            page.evaluate(ASK, {"type": "move", "message": {"node": node, "move": move}})
        expect(page.locator("#game .bad")).to_contain_text("会损失")
        page.wait_for_timeout(2500)  # until "check" has faded
        take(page, folder / "board-zh.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CHECKOUT / "docs" / "images")
