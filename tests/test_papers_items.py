"""The pages of the five texts: every test, mutant and command on them is there."""

import argparse
import importlib.util
import re
import shlex
import sys

import pytest
from support import CHECKOUT

from eleengine.commands import import_command

TESTS = CHECKOUT / "tests"


def module(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


papers_items = module("papers_items", CHECKOUT / "tools" / "papers_items.py")
SOURCES = papers_items.read_sources()
ITEMS = [item for source in SOURCES for item in source["items"]]


@pytest.fixture
def mutants(monkeypatch):
    monkeypatch.syspath_prepend(TESTS / "mutants")
    return module("mutants_run", TESTS / "mutants" / "run.py")


def test_the_chinese_page_is_in_chinese():
    """Latin letters stay in code, and in names that Chinese papers write so."""
    text = re.sub(
        r"`[^`]*`|\(\S+\)|```.*?```", "", "".join(papers_items.pages("zh").values()), flags=re.DOTALL
    )
    known = {
        "Crafty", "Cut", "All", "English", "Exchange", "Fruit", "MB", "MTD", "OpenMP", "PV", "PVS", "UCCI",
        "PVM", "SSS", "ER", "PRBFM", "ThesisSearch", "Windows", "Zobrist", "br", "toctree", "fail-soft", "f",
        "perft", "OMP_NUM_THREADS", "OMP_SCHEDULE", "OMP_NESTED", "OMP_DYNAMIC", "Cython",
    }  # fmt: skip
    text = re.sub(r"--\w+( cmd=)?|\S+/\S+|\w+\.(md|py)", "", text)
    assert set(re.findall(r"[A-Za-z][A-Za-z_-]*", text)) <= known


def test_every_item_is_proved_or_says_why_not():
    """In both languages; by a test with a mutant, or by a reason of some words."""
    keys = {"section", "item", "zh", "test", "mutant", "command", "why", "why_zh", "here"}
    for item in ITEMS:
        assert item["section"] and item["item"] and item["zh"]
        assert item.keys() <= keys and item.get("here", True) in (True, False)
        if "mutant" in item:
            assert item["test"] and not {"why", "why_zh", "here"} & item.keys(), item
        else:
            assert len(item["why"].split()) >= 5 and len(item["why_zh"]) >= 6, item
        if not item.get("here", True):
            assert not {"test", "mutant", "command"} & item.keys(), item


def test_tests_and_mutants_are_there(mutants):
    names = {mutant.name for mutant in mutants.read_mutants()}
    for item in ITEMS:
        assert set(item.get("mutant", "").split()) <= names, item
        for test in item.get("test", "").split():
            file, _, name = test.partition("::")
            text = (TESTS / f"{file}.py").read_text(encoding="utf-8")
            assert re.search(rf"^def {name}\(", text, re.MULTILINE), item
    mine = {name for name in names if name.startswith("item-")}
    assert mine <= {name for item in ITEMS for name in item.get("mutant", "").split()}


def test_pairs_of_mutant_and_test_are_tried(mutants):
    """By the test of the item and no other; two items with one test and one mutant are one pair."""
    pairs = mutants.read_items()
    assert len({pair.name for pair in pairs}) == len(pairs) > 70
    one = next(pair for pair in pairs if pair.name.startswith("item-xor "))
    assert one.tests == "test_thesis_search.py::test_half_an_entry_of_another_position_is_rejected"
    assert one.alone
    texts = mutants.read_sources()
    numbers = mutants.weave_all(texts, pairs)[1]
    assert {pair.name for pair in pairs if pair.kind(texts) in mutants.CORE} == numbers.keys()


def test_commands_are_understood():
    for command in sorted({item["command"] for item in ITEMS if "command" in item}):
        name, *words = shlex.split(command)
        parser = argparse.ArgumentParser()
        import_command(name).add_arguments(parser)
        parser.parse_args(words)
