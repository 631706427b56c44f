"""setup.py: what it refuses, and which compiler it takes on Windows. Only small probes are compiled."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig

import pytest
from support import CHECKOUT

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not (CHECKOUT / "setup.py").exists(), reason="needs the sources"),
    pytest.mark.skipif(sys.platform != "linux" or not shutil.which("gcc"), reason="needs gcc on Linux"),
]
pytest.importorskip("setuptools", minversion="77")
pytest.importorskip("Cython")


def build(tmp_path, **environment):
    """What the build of the extension says at its end; it must fail without a traceback."""
    result = subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", tmp_path, "--build-temp", tmp_path],
        cwd=CHECKOUT, env={**os.environ, **environment}, capture_output=True, text=True,
    )  # fmt: skip
    assert result.returncode != 0
    assert "Traceback" not in result.stderr
    assert not list(tmp_path.rglob("*.so"))
    return result.stderr.strip().splitlines()[-1]


MINGW = "i686-w64-mingw32-gcc"
BIG = "gcc -U__BYTE_ORDER__ -D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__"  # as a compiler for such a machine says it


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"CC": MINGW, "LDSHARED": f"{MINGW} -shared"}, "needs 128-bit integers"),
        ({"CC": "gcc -D__int128=none"}, "needs 128-bit integers"),
        ({"CC": BIG}, "needs a little-endian machine"),
        ({"CC": "false", "LDSHARED": "false"}, "needs a C compiler, and none works"),
    ],
    ids=["32 bits", "no 128 bits", "big endian", "no compiler"],
)  # fmt: skip
def test_machines_and_compilers_that_will_not_do_are_refused(tmp_path, environment, message):
    if not shutil.which(environment["CC"].split()[0]):
        pytest.skip(f"no {environment['CC']} here")
    assert message in build(tmp_path, **environment)


def test_free_threaded_python_is_refused(tmp_path):
    """Python answers questions about itself from a module that the environment may name."""
    name = "_sysconfigdata_free_threaded"
    facts = {**sysconfig.get_config_vars(), "Py_GIL_DISABLED": 1}
    (tmp_path / f"{name}.py").write_text(f"build_time_vars = {facts!r}\n")
    told = build(tmp_path, PYTHONPATH=str(tmp_path), _PYTHON_SYSCONFIGDATA_NAME=name)
    assert "not made for the free-threaded Python" in told


CHOICE = """
import os, runpy, setuptools, Cython.Build
from setuptools.command import build_ext, build_py  # before they meet another system than theirs
setuptools.setup = lambda **options: print(options["options"].get("build_ext"))
os.name = "nt"
runpy.run_path("setup.py")
"""


@pytest.mark.parametrize(
    ("with_gcc", "choice"), [(True, "{'compiler': 'mingw32'}"), (False, "None")], ids=["gcc", "no gcc"]
)
def test_windows_takes_mingw(tmp_path, with_gcc, choice):
    """setuptools would take MSVC there; without a gcc it does, and the build says what is needed."""
    if with_gcc:
        (tmp_path / "gcc").symlink_to(shutil.which("gcc"))
    environment = {name: value for name, value in os.environ.items() if name != "CC"}
    result = subprocess.run(
        [sys.executable, "-c", CHOICE], cwd=CHECKOUT, env={**environment, "PATH": str(tmp_path)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert (result.stdout.strip(), result.returncode) == (choice, 0), result.stderr


def test_the_source_distribution_has_every_folder():
    """Its tests read docs, examples and workflows of packaging; only the hosted ones stay behind."""
    if not (CHECKOUT / ".git").exists():
        pytest.skip("needs the checkout")
    tracked = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True)
    folders = {name.split("/")[0] for name in tracked.stdout.splitlines() if "/" in name}
    manifest = (CHECKOUT / "MANIFEST.in").read_text()
    assert folders - set(re.findall(r"^graft (\S+)", manifest, re.M)) == {".github"}
