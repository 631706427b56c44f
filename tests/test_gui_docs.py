"""docs/gui.md and docs/protocol.md in both languages: scripts run, the table of options is the engine's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import CHECKOUT

import eleengine
from eleengine.engines.engine_options import OPTIONS

PAGES = {
    end: "".join(
        (CHECKOUT / "docs" / f"{name}{end}").read_text(encoding="utf-8") for name in ("gui", "protocol")
    )
    for end in (".md", ".zh.md")
}


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


SCRIPTS = [
    pytest.param(block, id=f"{name}-{number}")
    for name, text in sorted(PAGES.items())[:1]  # the Chinese page refers to them
    for number, block in enumerate(blocks(text, "python"))
    if ">>>" not in block
]


def test_both_languages_have_the_same_commands():
    found = [blocks(text, r"\w*") for text in PAGES.values()]
    examples = {tuple(block for block in page if "import " not in block) for page in found}
    assert len(PAGES) == 2 and len(examples) == 1 and len(SCRIPTS) == 2


@pytest.mark.system
@pytest.mark.parametrize("script", SCRIPTS)
def test_script_prints_a_move(script, tmp_path):
    launcher = tmp_path / "eleengine"
    launcher.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m eleengine\n")
    launcher.chmod(0o755)
    (tmp_path / "script.py").write_text(script, encoding="utf-8")
    source = Path(eleengine.__file__).parent.parent
    result = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120,
        env=os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(source)},
    )  # fmt: skip
    assert result.returncode == 0 and result.stderr == ""
    assert re.fullmatch(r"([a-i][0-9]){2}( -?\d+)?\n", result.stdout)


@pytest.mark.parametrize("name", PAGES)
def test_table_of_options(name):
    """UCCI and UCI names, defaults and bounds are those of the handshake; the rest is named below it."""
    cells = re.findall(r"^\| *(`\w+`)? *\| *(`[\w ]+`)? *\| *`?([\w<>]*)`? *\| *(.*?) *\|", PAGES[name], re.M)
    table = {(ucci.strip("`"), uci.strip("`")): rest for ucci, uci, *rest in cells if ucci or uci}
    shown = {(option.ucci if option.shown else "", option.uci): option for option in OPTIONS}
    shown.pop(("", ""))  # those that no handshake shows
    assert table.keys() == shown.keys()
    for names, option in shown.items():
        default, values = table[names]
        assert default == option.word(option.default).lower()
        if option.type == "spin":
            assert re.findall(r"\d+", values) == [str(option.min), str(option.max)]
    for option in OPTIONS:
        assert f"`{option.ucci}`" in PAGES[name] or option.uci
