"""Write the pages of what the five source texts hold, in English and in Chinese, from docs/papers-items.toml.

python tools/papers_items.py          # docs/papers-items*.md
python tests/mutants/run.py --items   # does each test notice the mutant of its item?
"""

# ruff: noqa: E501 - lines of the pages
from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent.parent / "docs"
DATA = DOCS / "papers-items.toml"

HEAD = {
    "en": """# The five texts, item by item

Every algorithm, table, figure and wish of the five texts that [the papers' page](papers.md) names, and where it
is: a test that asserts it, or the reason why there is none, and the command that shows it. Behind each test stands
a mutant, a small change of the program that breaks the item and that the test must notice. This tries all of them:

```sh
python tests/mutants/run.py --items
```

The data is `docs/papers-items.toml`, from which `tools/papers_items.py` makes these pages. [中文](papers-items.zh.md)
""",
    "zh": """# 五篇文献逐条对照

[论文页](papers.zh.md)所列五篇文献中的每个算法、表、图和设想在哪里：验证它的测试，或者没有测试的原因，以及演示它的命令。
每个测试后面是一个变异：对程序的一处小改动，使该条不再成立，测试必须发现。下面的命令逐一检验：

```sh
python tests/mutants/run.py --items
```

各页由 `tools/papers_items.py` 从 `docs/papers-items.toml` 生成。[English](papers-items.md)
""",
}
WORDS = {
    "en": {
        "columns": "| Section | Item | Test, or why there is none | Mutant | Command |",
        "absent": "not here: {why}",
        "untested": "no test: {why}",
        "unbroken": "{tests}<br>no mutant: {why}",
        "sum": "{items} items: {proved} with test and mutant, {tested} with a test alone, {told} here without a "
        "test, {absent} not here.",
    },
    "zh": {
        "columns": "| 章节 | 内容 | 测试，或没有测试的原因 | 变异 | 命令 |",
        "absent": "没有：{why}",
        "untested": "没有测试：{why}",
        "unbroken": "{tests}<br>没有变异：{why}",
        "sum": "共 {items} 条：{proved} 条有测试和变异，{tested} 条只有测试，{told} 条有而没有测试，{absent} 条没有。",
    },
}
SECTIONS = {  # the words in the names of sections, in Chinese
    "tables": "表", "table": "表", "figures": "图", "figure": "图", "formulas": "公式", "formula": "公式",
    "conclusion": "结论", "references": "参考文献", "plan": "设想", " to ": "至", " and ": "、", ", ": "、",
}  # fmt: skip


def read_sources() -> list[dict[str, Any]]:
    with open(DATA, "rb") as file:
        sources: list[dict[str, Any]] = tomllib.load(file)["source"]
    return sources


def section_text(section: str, language: str) -> str:
    """The section, in the words of a language.

    >>> section_text("table 4.3, figures 4.5 to 4.7", "zh")
    '表 4.3、图 4.5至4.7'
    """
    if language == "zh":
        for word, chinese in SECTIONS.items():
            section = section.replace(word, chinese)
    return section


def proof(item: dict[str, Any], language: str) -> str:
    """Where the item is asserted, or why it is not."""
    words, why = WORDS[language], item.get("why_zh" if language == "zh" else "why", "")
    tests = ", ".join(f"`{test}`" for test in item.get("test", "").split())
    if not item.get("here", True):
        return words["absent"].format(why=why)
    if not tests:
        return words["untested"].format(why=why)
    return tests if "mutant" in item else words["unbroken"].format(tests=tests, why=why)


def pages(language: str) -> dict[str, str]:
    """The pages by their names: what they are about, and one for each source."""
    words, sources = WORDS[language], read_sources()
    end = ".zh" if language == "zh" else ""
    found = {}
    for number, source in enumerate(sources, 1):
        lines = [f"# {source['title_zh' if language == 'zh' else 'title']}", "", words["columns"]]
        lines.append("|---" * 5 + "|")
        for item in source["items"]:
            mutants = ", ".join(f"`{mutant}`" for mutant in item.get("mutant", "").split())
            command = f"`eleengine {item['command']}`" if "command" in item else ""
            cells = [section_text(item["section"], language), item["zh" if language == "zh" else "item"]]
            lines.append(f"| {' | '.join([*cells, proof(item, language), mutants, command])} |")
        found[f"papers-items-{number}{end}"] = "\n".join(lines) + "\n"
    items = [item for source in sources for item in source["items"]]
    proved = sum("mutant" in item for item in items)
    tested = sum("test" in item for item in items) - proved
    absent = sum(not item.get("here", True) for item in items)
    told = len(items) - proved - tested - absent
    total = words["sum"].format(items=len(items), proved=proved, tested=tested, told=told, absent=absent)
    listed = "\n".join(found)
    return {f"papers-items{end}": f"{HEAD[language]}\n{total}\n\n```{{toctree}}\n{listed}\n```\n"} | found


def write() -> None:
    """Write all pages, which the site has and git does not."""
    for language in WORDS:
        for name, text in pages(language).items():
            (DOCS / f"{name}.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
