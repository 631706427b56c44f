"""tools/prose.py finds what the pages must not say, and nothing in code."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytest.importorskip("proselint", reason="needs the extra 'lint'")


@pytest.fixture(scope="module")
def prose():
    spec = importlib.util.spec_from_file_location("prose", ROOT / "tools" / "prose.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.register()
    return module


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("page.md", "A page.\n\nWhat could not be read is told.\n", [3, 3]),
        ("page.md", "It plays so many games.\nThey are so many that it learns.\n", [1]),
        ("page.md", "The build (bench 123456) is fast.", [1]),
        ("page.md", "It makes the the move.", [1]),
        ("page.md", "`told` and\n\n```\nit is told\n```\n\n    it is told\n", []),
        ("page.md", "| 1 | 1 |\n", []),
        ("module.py", 'def f():\n    """It.\n\n    Another one is told.\n    """\n    told = 1', [4, 4]),
        ("module.py", "a = 1  # told\n\n# It is\n# told.\n", [1, 4]),
        ("part.pxi", 'cdef int f():\n    """What is told."""\n    told = 1  # so many', [2, 3]),
        ("part.pxi", 'cdef extern from *:\n    """\n    /* told */\n    int told;\n    """\n', [3]),
    ],
)
def test_findings(prose, tmp_path, name, text, lines):
    path = tmp_path / name
    path.write_text(text)
    assert [found.line for found in prose.findings(path)] == lines


def test_it_reads_pages_docstrings_and_comments(prose):
    """That they have no findings is what `python tools/prose.py` says, one of the lints."""
    assert len(prose.sources()) > 200
