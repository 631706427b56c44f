"""tools/ablation can switch off every part of the search that it names."""

import importlib.util
import sys
from pathlib import Path

TOOL = Path(__file__).parent.parent / "tools" / "ablation" / "measure.py"


def test_every_part_has_its_place_in_the_source(monkeypatch):
    monkeypatch.setattr(sys, "path", sys.path[:])  # the tool adds to it, and processes inherit it
    spec = importlib.util.spec_from_file_location("ablation", TOOL)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    texts, numbers = tool.weave_parts()
    assert len(numbers) == len(tool.read_parts()) > 30
    assert not any(text == (TOOL.parents[2] / path).read_text("utf-8") for path, text in texts.items())
