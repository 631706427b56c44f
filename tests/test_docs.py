"""Every example in the documentation runs and gives what it says."""

import doctest
import importlib
import inspect
import pkgutil
import runpy
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from support import CHECKOUT

import eleengine
from eleengine import _core
from eleengine.commands import COMMANDS

ROOT = Path(__file__).parent.parent
OTHER_SYSTEM = "posix" if sys.platform == "win32" else "windows"
PAGES = [*ROOT.glob("README*.md"), *ROOT.glob("docs/*.md")]


def run(test):
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_examples_in_docstrings():
    missing = set()
    for name in ["eleengine", *(m.name for m in pkgutil.walk_packages(eleengine.__path__, "eleengine."))]:
        if name.rpartition(".")[2] in ("_core", "_cpu", "__main__", OTHER_SYSTEM):
            continue
        try:
            module = importlib.import_module(name)
            if name == "eleengine.ml":  # imports it when it is used
                importlib.import_module("numpy")
        except ModuleNotFoundError as error:  # of an extra
            if str(error.name).startswith("eleengine"):
                raise
            missing.add(str(error.name))
            continue
        for test in doctest.DocTestFinder().find(module):
            run(test)
    if missing:
        pytest.skip(f"all but those that need {', '.join(sorted(missing))}")


def extension_docstrings():
    """What doctest does not find by itself: the compiled functions, classes and methods."""
    for name, thing in vars(_core).items():
        if inspect.isclass(thing) or callable(thing):
            yield name, thing.__doc__
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                yield f"{name}.{member}", getattr(value, "__doc__", None)


def test_examples_in_the_docstrings_of_the_extension():
    names = vars(eleengine) | vars(_core)
    tests = [
        doctest.DocTestParser().get_doctest(text, dict(names), name, None, None)
        for name, text in extension_docstrings()
        if text
    ]
    for test in tests:
        run(test)
    assert sum(len(test.examples) for test in tests) >= 2


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_on_the_page(page):
    if page.name == "ml.md":
        for name in ("numpy", "pettingzoo", "gymnasium"):
            pytest.importorskip(name)
    results = doctest.testfile(
        str(page), module_relative=False, encoding="utf-8", optionflags=doctest.ELLIPSIS
    )
    assert results.failed == 0


@pytest.mark.parametrize("page", ["commands.md", "commands.zh.md"])
def test_every_command_is_on_the_page(page):
    """In one of its tables, with a link to where it is described or its description alone."""
    rows = [
        line for line in (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines() if line[:1] == "|"
    ]
    assert [name for name in COMMANDS if not any(f"`{name}`" in row.split("|")[1] for row in rows)] == []


def test_the_pages_show_the_matches_that_are_written_down():
    strength = runpy.run_path(str(ROOT / "tools" / "strength.py"))
    for page in strength["HEADS"]:
        assert strength["written"](page) == (ROOT / page).read_text(encoding="utf-8")


def test_the_page_counts_the_mutants():
    page = (CHECKOUT / "docs" / "testing.md").read_text(encoding="utf-8")
    listed = (CHECKOUT / "tests" / "mutants" / "mutants.toml").read_text(encoding="utf-8")
    mutants = tomllib.loads(listed)["mutant"]
    kinds = Counter(mutant["name"].partition("-")[0] for mutant in mutants)
    movement, properties = kinds.pop("movement"), kinds.pop("property")
    assert f"`tests/mutants/mutants.toml` has {sum(kinds.values())} such mistakes" in page
    assert f"the file has {movement} wrong rules" in page
    assert f"it has {properties} of moves, edits, keys and repetitions" in page
