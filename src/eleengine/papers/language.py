"""The language of the reports and the help: English, or Chinese by the words of zh.toml."""

from __future__ import annotations

import tomllib
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from typing import NamedTuple

LANGUAGES = ("en", "zh")
LANGUAGE: ContextVar[str] = ContextVar("LANGUAGE", default="en")


class Chinese(NamedTuple):
    """Chinese texts by the English ones; words: what `lab.match.spec.WORDS` says."""

    reports: dict[str, str]
    help: dict[str, str]
    words: str


@cache
def chinese() -> Chinese:
    """The texts of zh.toml."""
    found = Chinese(**tomllib.loads(files(__package__).joinpath("zh.toml").read_text(encoding="utf-8")))
    for english in ("{n} threads", "{n} threads, simulated"):
        text = found.reports.pop(english)
        found.reports.update((english.format(n=n), text.format(n=n)) for n in range(2, 257))
    return found


def tr(text: str) -> str:
    """A text of the reports in the language that is set; a text without a translation stays as it is."""
    return chinese().reports.get(text, text) if LANGUAGE.get() == "zh" else text
