"""The documentation site builds without a warning, and its reference has every public name."""

import html
import importlib
import inspect
import json
import pkgutil
import re
import sys

import pytest
from support import CHECKOUT, run_program

import eleengine

pytestmark = pytest.mark.slow

pytest.importorskip("myst_parser", reason="needs the extra docs")
pytest.importorskip("furo", reason="needs the extra docs")

# Packages that are not for import by users: commands, the conversation, the lab's inside, builds.
PRIVATE = ("commands", "glyphs", "lab", "system", "ucci", "webboard", "conf")

SQUARE = re.compile("[A-I][0-9]")  # the ninety of them are explained together


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the built pages."""
    site = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-n", CHECKOUT / "docs", site]
    built = run_program(*command, timeout=280)
    assert (built.returncode, built.stderr) == (0, "")
    return site


@pytest.fixture(scope="module")
def documented(site):
    """All names that the reference explains."""
    from sphinx.util.inventory import InventoryFile

    with open(site / "objects.inv", "rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, path: path)
    return {name for kind in inventory for name in inventory[kind] if kind.startswith("py:")}


def public_modules():
    names = [eleengine.__name__]
    for module in pkgutil.walk_packages(eleengine.__path__, "eleengine."):
        parts = module.name.split(".")[1:]
        if not any(part.startswith("_") for part in parts) and parts[0] not in PRIVATE:
            names.append(module.name)
    return names


def test_no_page_is_overwritten(site):
    """The generator has pages of its own, such as search.html."""
    for source in sorted((CHECKOUT / "docs").rglob("*.md")):
        page = site / source.relative_to(CHECKOUT / "docs").with_suffix(".html")
        [heading] = re.findall("^# (.+)", source.read_text(encoding="utf-8"), re.MULTILINE)[:1]
        found = re.search("<h1>(.*?)<a ", page.read_text(encoding="utf-8"), re.DOTALL)
        plain = html.unescape(re.sub("<[^>]+>", "", found[1])) if found else None
        assert plain and plain.replace("’", "'") == re.sub("[`*]", "", heading), source


def test_the_search_finds_chinese_words(site):
    """A move whole, and words of two characters inside of longer runs."""
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    terms = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))["terms"]
    assert [word for word in ("炮二平五", "长捉", "残局", "开局", "复盘") if word not in terms] == []


def test_every_public_name_is_in_the_reference(documented):
    last = {name.rpartition(".")[2] for name in documented}
    missing = []
    for name in public_modules():
        try:
            module = importlib.import_module(name)
        except ModuleNotFoundError as error:  # of an extra
            assert not str(error.name).startswith("eleengine")
            continue
        for public in getattr(module, "__all__", ()):
            thing = getattr(module, public)
            if not inspect.ismodule(thing) and public not in last and not SQUARE.fullmatch(public):
                missing.append(f"{name}.{public}")
    assert missing == []
