"""The help of `eleengine papers` in Chinese: every text is translated, shown, and fits the terminal."""

import argparse
import re

import pytest
from support import call

from eleengine._internal.live import width
from eleengine.papers import command
from eleengine.papers.help_zh import wrapped
from eleengine.papers.language import chinese as translations

JOBS = ["", *command.EXPERIMENTS, *command.GAMES, "play", "genetic", "engine"]
KEPT = {  # names, formats and words that are typed
    "ICCS", "EPD", "FEN", "JSON", "OpenMP", "UCCI", "UCI", "Dask", "MiB", "PV", "N", "matplotlib", "startpos",
    "classical", "internal", "published", "own", "thesis", "engine-thesis", "engine", "static", "pvs", "none",
    "wxf", "eleengine", "masters", "cmd", "eleeye", "depth", "match", "e", "csv", "png", "svg", "pdf", "docs",
    "papers", "zh", "md", "tuning-by-games",
}  # fmt: skip


@pytest.fixture
def chinese(monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")


def texts(parser):
    """All texts of a parser and of its jobs."""
    yield from (parser.description, parser.epilog)
    yield from (group.title for group in parser._action_groups)
    for action in parser._actions:
        yield action.help
        if isinstance(action, argparse._SubParsersAction):
            yield from (choice.help for choice in action._choices_actions)
            for job in action.choices.values():
                yield from texts(job)


def made():
    parser = argparse.ArgumentParser(description=command.__doc__)
    command.add_arguments(parser)
    return set(texts(parser)) - {None, argparse.SUPPRESS}


def test_every_text_is_translated_and_no_other(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    found = {text for text in made() if not text.startswith("words of a sparring partner:")}
    assert found == translations().help.keys()
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert made() == {*translations().help.values(), translations().words}


def test_texts_are_in_chinese_and_keep_their_places():
    place = re.compile(r"%\(\w+\)s")
    for text, chinese in translations().help.items():
        assert place.findall(chinese) == place.findall(text)
        words = place.sub("", chinese)
        assert set(re.findall(r"[A-Za-z][A-Za-z-]*", words)) <= KEPT, chinese
        assert re.search("[\u4e00-\u9fff]", words) or not re.search("[a-z]", place.sub("", text)), text


@pytest.mark.parametrize("job", JOBS)
def test_help_is_in_chinese(chinese, job, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    shown = call("papers", *([job] if job else []), "--help").stdout
    assert shown.startswith("用法：eleengine papers ") and "\n选项:\n" in shown
    assert not re.search("usage|options|arguments|default|show this", shown)
    if job != "genetic":  # whose words of a partner are set as they are
        assert all(width(line) <= 80 for line in shown.splitlines())


def test_an_output_without_chinese_characters_gets_english(chinese, monkeypatch):
    monkeypatch.setattr(command, "can_show", lambda what: False)
    assert command.language_of(None) == command.language_of("zh") == "en"
    assert "options" in made()


def test_lines_are_broken_between_words_and_before_no_punctuation():
    text = "线程分担什么：最左分支上的兄弟结点（论文，默认）、根结点的着法 OpenMP 的 PV-split 用法"
    for columns in range(12, 60):
        lines = wrapped(text, columns)
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(width(line) <= columns for line in lines)
        assert not any(line[0] in "，。：；、）" or line[-1] == "（" for line in lines)
        assert sum("OpenMP" in line for line in lines) == sum("PV-split" in line for line in lines) == 1
