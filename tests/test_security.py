"""SECURITY.md: every promise has a test."""

import ast
import functools
import re
import tomllib

import pytest
from support import CHECKOUT

if not (CHECKOUT / "SECURITY.md").is_file():
    pytest.skip("not in this distribution", allow_module_level=True)
TEXT = (CHECKOUT / "SECURITY.md").read_text(encoding="utf-8")
#: By a part of the row or sentence that promises something, the tests that would fail without it.
PROMISES = tomllib.loads((CHECKOUT / "tests/promises.toml").read_text(encoding="utf-8"))


def rows():
    """The rows of the two tables, and the sentences with promises behind them."""
    defended, _, limits = TEXT.partition("## What we do not defend")[0].partition("## Limits")
    for part in (defended, limits):
        for row in re.findall(r"^\| (.+?) \|", part, re.MULTILINE):
            if row not in ("Against whom", "What"):
                yield row
    yield from (line for line in limits.splitlines() if line and line[0] not in "|#W")


@functools.cache
def names_in(file):
    tree = ast.parse((CHECKOUT / f"tests/{file}.py").read_text(encoding="utf-8"))
    return {getattr(node, "name", "") for node in tree.body}


@pytest.mark.parametrize("row", list(rows()))
def test_a_promise_has_a_test(row):
    found = [part for part in PROMISES if row.startswith(part)]
    assert len(found) == 1, row
    for name in PROMISES[found[0]]:
        file, _, test = name.partition(".")
        assert test in names_in(file), name


def test_nothing_is_promised_that_is_not_written():
    assert all(any(row.startswith(part) for row in rows()) for part in PROMISES)
