"""Many mutants in one build: a changed statement stands beside the one it replaces, a variable chooses.

A core takes half a minute of processor time to build. So all mutants that change one statement, or the
condition of one `if` or `while`, are written into the source at once,

    if ele_mutant == 17:
        total += 2 * n
    else:
        total += n

and the environment variable ELEENGINE_MUTANT says at the start of a process which of them lives. Without
it the extension is the one of the source as it is.
"""

from __future__ import annotations

import io
import re
import textwrap
import tokenize
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

VARIABLE = "ELEENGINE_MUTANT"
CHOOSER = f'''
cdef extern from *:
    """
    #include <stdlib.h>
    static int ele_mutant;
    __attribute__((constructor)) static void ele_choose_mutant(void) {{
        const char *chosen = getenv("{VARIABLE}");
        ele_mutant = chosen ? atoi(chosen) : 0;
    }}
    """
    int ele_mutant

'''
OUTSIDE = {tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
CONDITION = re.compile(r"(if|elif|while) (.*):[ \t]*(#.*)?\Z", re.S)
NOT_ALONE = re.compile(
    r"(cdef|cpdef|def|class|for|else|elif|try|except|finally|with|@|[A-Z_0-9]+\b(?! *[\[.(]))"
)


class Change(NamedTuple):
    """text[start:end] of a file is replaced by new."""

    number: int
    path: Path
    start: int
    end: int
    new: str


def trimmed(change: Change, text: str) -> Change:
    """The same change without what both texts begin and end with."""
    number, path, start, end, new = change
    while new and start < end and text[start] == new[0]:
        start, new = start + 1, new[1:]
    while new and start < end and text[end - 1] == new[-1]:
        end, new = end - 1, new[:-1]
    return Change(number, path, start, end, new)


def statements(text: str) -> list[tuple[int, int]]:
    """Where each logical line begins (at its indentation) and ends (before its line feed), in characters."""
    offsets = [0]
    for line in text.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    found, first = [], None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in OUTSIDE:
            continue
        if first is None:
            first = token.start[0]
        if token.type == tokenize.NEWLINE:
            found.append((offsets[first - 1], offsets[token.start[0] - 1] + token.start[1]))
            first = None
    return found


def reindented(block: str, indent: str) -> str:
    return textwrap.indent(textwrap.dedent(block), indent)


def joined(block: str, changed: list[tuple[int, str]]) -> str | None:
    """One text for a block and its variants (number, text), or None if that is beyond this module."""
    indent = block[: len(block) - len(block.lstrip())]
    condition = CONDITION.match(block.strip())
    if condition:
        word, old, _ = condition.groups()
        cases, otherwise = [], [f"({old})"]
        for number, text in changed:
            other = CONDITION.match(re.sub(r"\Aelse:", "elif True:", text.strip()))
            if other is None or other[1] != word:
                return None
            cases.append(f"ele_mutant == {number} and ({other[2]})")
            otherwise.insert(0, f"ele_mutant != {number}")
        return f"{indent}{word} ({' or '.join([*cases, ' and '.join(otherwise)])}):"
    if NOT_ALONE.match(block.strip()) or '"""' in block or "\n" + indent + "else:" in block:
        return None
    parts, word = [], "if"
    for number, text in changed:
        parts += [f"{indent}{word} ele_mutant == {number}:", reindented(text, indent + "    ")]
        word = "elif"
    return "\n".join([*parts, f"{indent}else:", reindented(block, indent + "    ")])


def woven(texts: dict[Path, str], changes: list[Change], top: Path) -> tuple[dict[Path, str], set[int]]:
    """The changed texts, and the numbers of the mutants in them. top: the file that includes all others."""
    by_path: dict[Path, list[Change]] = defaultdict(list)
    for change in changes:
        by_path[change.path].append(trimmed(change, texts[change.path]))
    result: dict[Path, str] = {}
    numbers: set[int] = set()
    for path, its_changes in by_path.items():
        text = texts[path]
        lines = statements(text)
        blocks: dict[tuple[int, int], list[Change]] = defaultdict(list)
        for change in its_changes:
            touched = [(a, b) for a, b in lines if a < max(change.end, change.start + 1) and change.start < b]
            if touched:
                blocks[touched[0][0], touched[-1][1]].append(change)
        end = 0
        parts = []
        for (start, stop), members in sorted(blocks.items()):
            if start < end:
                continue  # inside of another one
            block = text[start:stop]
            variants = [
                (c.number, block[: c.start - start] + c.new + block[c.end - start :]) for c in members
            ]
            both = joined(block, variants)
            if both is not None:
                parts += [text[end:start], both]
                end = stop
                numbers |= {c.number for c in members}
        result[path] = "".join([*parts, text[end:]])
    head, found, rest = result.get(top, texts[top]).partition("\ninclude ")
    result[top] = head + CHOOSER + found + rest
    return result, numbers
