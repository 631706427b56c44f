"""Each kind of build compiles from a copy of the sources and counts as it should."""

import os
import shutil
import subprocess
import sys

import pytest
from support import CHECKOUT, run_program, run_python

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not (CHECKOUT / "setup.py").exists(), reason="needs the sources"),
]

SMOKE = """
import os
from eleengine import _core
assert _core.__file__.startswith(os.path.join(os.getcwd(), "lib")), _core.__file__
board = _core.BaseBoard()
assert board.perft(4, threads=2) == 3290240
for move in board.legal_moves:
    board.push(move)
    assert [board.see(reply) for reply in board.legal_moves]
    board.pop()
print(_core.checks_enabled(), _core.openmp_enabled())
"""
# Claims of the core are tested in debug builds: this one, that we play a piece of our own, is false.
BROKEN_CLAIM = ("our piece moves", "piece != EMPTY and side_of(piece) == us", "side_of(piece) != us")


def copy_of_sources(folder):
    shutil.copytree(CHECKOUT / "src", folder / "src", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        if (CHECKOUT / name).exists():
            shutil.copy(CHECKOUT / name, folder)


def build(folder, **switches):
    """Build into folder/lib; the text that the compilers wrote."""
    command = [sys.executable, "setup.py", "build", "--build-lib", "lib"]
    result = run_program(*command, cwd=folder, env=switches, stderr=subprocess.STDOUT, timeout=None)
    assert result.returncode == 0, result.stdout
    return result.stdout


def run(folder, program, **environment):
    return run_python(
        program, cwd=folder, env={"PYTHONPATH": str(folder / "lib"), **environment}, timeout=None
    )


def sanitizer_environment():
    """The sanitizers must be loaded before Python is."""
    compiler = os.environ.get("CC", "gcc").split()[0]
    libraries = [
        subprocess.run([compiler, f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()
        for name in ("libasan.so", "libubsan.so")
    ]
    if not all(map(os.path.isabs, libraries)):
        pytest.skip("this compiler has no sanitizers to preload")
    return {"LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc"}


@pytest.mark.parametrize(
    ("switches", "checks", "openmp"),
    [
        ({}, False, True),
        ({"ELEENGINE_OPENMP": "0"}, False, False),
        ({"ELEENGINE_DEBUG": "1"}, True, True),
        ({"ELEENGINE_MARCH": "portable"}, False, True),
    ],
    ids=["default", "one thread", "debug", "portable"],
)
def test_build(tmp_path, switches, checks, openmp):
    copy_of_sources(tmp_path)
    told = build(tmp_path, **switches)
    result = run(tmp_path, SMOKE)
    assert result.returncode == 0, result.stderr
    if openmp and "no OpenMP found" in told:
        openmp = False
    assert result.stdout.split() == [str(checks), str(openmp)]


def test_sanitizers_find_nothing(tmp_path):
    environment = sanitizer_environment()
    copy_of_sources(tmp_path)
    build(tmp_path, ELEENGINE_SANITIZE="address,undefined", ELEENGINE_DEBUG="1")
    result = run(tmp_path, SMOKE, **environment)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.split()[0] == "True"


def test_a_debug_build_stops_at_a_broken_claim(tmp_path):
    copy_of_sources(tmp_path)
    source = tmp_path / "src" / "eleengine" / "core" / "board" / "position.pxi"
    what, claim, false_claim = BROKEN_CLAIM
    text = source.read_text(encoding="utf-8")
    assert text.count(claim) == 1
    source.write_text(text.replace(claim, false_claim), encoding="utf-8")
    build(tmp_path, ELEENGINE_DEBUG="1")
    result = run(tmp_path, "from eleengine._core import BaseBoard; BaseBoard().perft(2)")
    assert result.returncode < 0
    assert f"eleengine: broken claim: do_move: {what}" in result.stderr
