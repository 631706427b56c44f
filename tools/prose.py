"""Check the English of pages, docstrings and comments: proselint's checks, and patterns of this project.

    python tools/prose.py
    python tools/prose.py docs/nnue.md src/eleengine/board.py

Prints PATH:LINE: MESSAGE for each finding and exits with 1 if there is one. Code, links and quoted programs'
output are not read; nor are generated tables and Chinese pages unless they are named.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from proselint.checks import __register__
from proselint.registry import CheckRegistry
from proselint.tools import LintFile

ROOT = Path(__file__).resolve().parent.parent

PATTERNS = {
    r"\b(tell|tells|told|telling)\b(?![:(])": "name the exact verb: show, list, report, print, return, raise",
    r"\bso (many|much)\b(?! (that|as))": "give the number or its name",
    r"\b(another|the) one before\b|\banother one\b": "name it",
    r"\bwhat (could|can) ?not be\b": "say who does it: 'the page lists whatever it could not read'",
    r"\bwhoever is\b": "name the actor",
    r"\bit is not that\b": "the point first",
    r"\bof ((the|a|its) )?\w+ of ((the|a|its) )?\w+ of\b": "a chain of 'of': use a verb or two sentences",
}
PAGES = {  # in Markdown alone
    r"\bbesides?\b": "say 'and', 'compared with', 'next to' or 'while'",
    r"\bwhoever\b|(?<=[.;] )who\b(?![^.]*\?)|(?m:^who\b(?![^.]*\?))": "a person, or 'a side that'",
    r"\b(that|those) of (the|its) (one|ones|row|last|first|other|others|former|latter|same)\b": "name it",
    r"\bof (its|their) own\b": "'its', 'separate', 'another', or nothing",
    r"\bhas not been \w+ so\b|\ba good ply\b": "the number",
}
LONGEST = 30  # words of a sentence, or of its part up to a colon or semicolon
HISTORY = {r"\bbench \d{6,}\b": "figures of a build belong in docs/log.csv"}
WITH_BUILDS = {"README.md", "CHANGELOG.md", "docs/strength.md"}  # what was measured names its build
LEFT_OUT = ("docs/tables-results", "docs/papers-items")  # beginnings; made by docs/conf.py
CHECKS = {  # of proselint; typography is left to the writer
    "archaism": True,
    "cliches": True,
    "hedging": True,
    "industrial_language": True,
    "lexical_illusions": True,
    "malapropisms": True,
    "misc": True,
    "mixed_metaphors": True,
    "mondegreens": True,
    "nonwords": True,
    "oxymorons": True,
    "redundancy": True,
    "spelling": True,
    "terms": True,
    "uncomparables": True,
    "weasel_words": True,
}

# What is no prose, in Markdown and in docstrings; its characters are replaced, so that places stay.
NO_PROSE = re.compile(
    r"^```.*?^```|^>>> .*?(?=\n\n|\n>>>|\Z)|`[^`\n]+`"
    r"|\]\([^)\n]+\)|<[^>\n]+>|^ {4,}\S[^\n]*$|^\s*\|[\s|:-]+$",
    re.M | re.S,
)


def register() -> None:
    """Must be called once before findings()."""
    CheckRegistry().register_many(__register__)


class Finding(NamedTuple):
    line: int
    message: str


def blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", "#", match[0])


def check(text: str, patterns: dict[str, str]) -> Iterator[Finding]:
    """Findings in the prose of a text, with lines from 1."""
    prose = NO_PROSE.sub(blank, text)
    for pattern, message in patterns.items():
        for match in re.finditer(pattern, prose, re.I):
            yield Finding(prose.count("\n", 0, match.start()) + 1, f"{match[0]!r}: {message}")
    if prose.strip():
        for found in LintFile("text", prose).lint({"max_errors": 1000, "checks": CHECKS}):
            start, end = found.check_result.span
            words = f"\n{prose}\n"[start:end]
            if "\n\n" not in words and re.search(
                r"[^\W\d_]{2}", words
            ):  # a heading, equal numbers in a table
                yield Finding(found.pos[0], f"{' '.join(words.split())!r}: {found.check_result.message}")


def long_sentences(text: str) -> Iterator[Finding]:
    """Those of the paragraphs and lists of a page; tables and headings have none."""
    prose = re.sub(r"^```.*?^```|^[ ]*\|.*?$|^#.*?$|^>.*?$", blank_lines, text, flags=re.M | re.S)
    prose = re.sub(r"\]\([^)\n]+\)|`[^`\n]+`", lambda code: f" {'x' * (len(code[0]) - 1)}", prose)
    for part in re.finditer(r"(?:[^.!?:;\n]|[.!?:;](?!\s)|\n(?!\s*\n|\* |\d+\. ))+", prose):
        if (words := len(re.findall(r"[A-Za-z][\w'’-]*", part[0]))) > LONGEST:
            yield Finding(prose.count("\n", 0, part.start()) + 1, f"{words} words: make two sentences")


def blank_lines(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def comments(source: str) -> Iterator[tuple[int, str]]:
    """First lines and texts: comments on lines of their own that follow each other are one text."""
    block: list[str] = []
    for number, line in enumerate([*source.split("\n"), ""], 1):
        text = line.strip()
        if text.startswith("#"):
            block.append(text.lstrip("#: "))
            continue
        if block:
            yield number - len(block), "\n".join(block)
            block = []
        if end := re.search(r"  #:? (?=\w)", line):
            yield number, line[end.end() :]


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """First lines and texts, of Python and of Cython; of embedded C only the comments."""
    for match in re.finditer(r'^([^\n]*\n)?[ \t]*r?"""(.*?)"""', source, re.M | re.S):
        is_c = match[1] and "extern from" in match[1]
        for part in re.finditer(r"/\*(.*?)\*/" if is_c else r"(?s:.*)", match[2], re.S):
            yield source.count("\n", 0, match.start(2) + part.start()) + 1, part[1 if is_c else 0]


def findings(path: Path) -> list[Finding]:
    name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name
    text = path.read_text()
    if path.suffix == ".md":
        patterns = PATTERNS | PAGES | ({} if name in WITH_BUILDS else HISTORY)
        return sorted([*check(text, patterns), *long_sentences(text)])
    return sorted(
        Finding(first + line - 1, message)
        for first, prose in (*docstrings(text), *comments(text))
        for line, message in check("\n".join(part.strip() for part in prose.split("\n")), PATTERNS)
    )


def sources() -> list[Path]:
    found = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    found += sorted(path for path in (ROOT / "docs").glob("*.md") if not path.name.endswith(".zh.md"))
    found = [path for path in found if not path.relative_to(ROOT).as_posix().startswith(LEFT_OUT)]
    return found + sorted(
        path for end in ("py", "pyi", "pyx", "pxi") for path in (ROOT / "src").rglob(f"*.{end}")
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "files", nargs="*", type=Path, help="Markdown, Python or Cython (all pages and sources)"
    )
    args = parser.parse_args()
    register()
    total = 0
    for path in args.files or sources():
        for line, message in findings(path.resolve()):
            print(f"{path}:{line}: {message}")
            total += 1
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
