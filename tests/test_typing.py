"""Programs as the guide shows them have no fault for pyright in its strict mode."""

import doctest
import importlib.util
import subprocess
import sys

import pytest
from support import CHECKOUT

pytestmark = pytest.mark.system

#: Whose programs are not for strict types: numpy, Gymnasium and PyTorch are only partly typed.
UNTYPED = ("ml.md", "train_network.py")
#: A page shows values as a prompt does, and may import names that it uses in words.
SHOWN = "reportUnusedExpression=false, reportUnusedImport=false, reportWildcardImportFromLibrary=false"


def programs():
    """The text of each program by the name of its page or file."""
    for page in [*CHECKOUT.glob("README*.md"), *CHECKOUT.glob("docs/*.md")]:
        examples = doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8"))
        if examples and page.name not in UNTYPED:
            yield page.name, f"# pyright: strict, {SHOWN}\n" + "".join(part.source for part in examples)
    for path in (CHECKOUT / "examples").glob("*.py"):
        if path.name not in UNTYPED:
            yield path.name, "# pyright: strict\n" + path.read_text(encoding="utf-8")


def pyright(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "pyright", *map(str, arguments)],
        capture_output=True, text=True, timeout=280, **options,
    )  # fmt: skip


def test_the_programs_of_the_guide_are_clean(tmp_path):
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("needs pyright")
    if pyright("--version").returncode:
        pytest.skip("pyright cannot be fetched")
    written = {name.replace(".", "_"): text for name, text in programs()}
    assert {"library_md", "engines_md", "records_md", "README_md", "bot_py"} <= written.keys()
    written["wrong"] = "# pyright: strict\nfrom eleengine import Board\nBoard().outcome().winner\n"
    for name, text in written.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    found = pyright("--pythonpath", sys.executable, tmp_path, cwd=tmp_path).stdout
    faults = [line for line in found.splitlines() if "- error:" in line]
    assert [line for line in faults if "wrong.py" not in line] == []
    assert faults, found  # it was at work
