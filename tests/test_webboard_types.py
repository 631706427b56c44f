"""The types of the page: tsc, which only developers need, reads the JSDoc of its modules."""

import shutil
import subprocess

import pytest
from support import CHECKOUT

PAGE = CHECKOUT / "src" / "eleengine" / "webboard" / "page"
TSC = shutil.which("tsc")
OPTIONS = [
    "--noEmit", "--allowJs", "--checkJs", "--target", "es2023", "--module", "esnext", "--strict",
]  # fmt: skip
OPTIONS += ["--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable"]

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(TSC is None, reason="needs tsc (npm install -g typescript)"),
]


def check(page):
    return subprocess.run([TSC, *OPTIONS, page / "main.js"], capture_output=True, text=True, timeout=300)


def test_the_page_fits_its_types():
    found = check(PAGE)
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("game.js", "const played = state.game;", "const played = state.gam;"),
        ("lessons.js", "app.preferences.flip(", "app.preferences.flop("),
        ("events.js", "state.at = message.node;", 'state.at = "start";'),
        ("actions.js", "answer?.right", "answer.right"),
        ("saving.js", 'fetch("gif"', 'fetch("film"'),
        ("view.js", "say(text) {", "say(text, loud) {"),
        ("main.js", "lines: 3,", "lines: true,"),
    ],
)
def test_what_does_not_fit_is_found(tmp_path, name, right, wrong):
    page = shutil.copytree(PAGE, tmp_path / "page")
    text = (page / name).read_text(encoding="utf-8")
    assert right in text
    (page / name).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    found = check(page)
    assert found.returncode != 0 and name in found.stdout
