"""Build a wheel for another machine: python packaging/cross.py TARGET PYTHON OUT

TARGET  windows-x86-64 or linux-aarch64.
PYTHON  a folder with the target's Python: include/ with its headers and, for Windows, python3XX.dll.
OUT     the folder to put the wheel into.

This runs with the target's minor version of Python, with setuptools and Cython. How it works: Python answers
questions about its machine from a module whose name the environment may give; here it tells of the target.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHORT = "{}{}".format(*sys.version_info)
VERSION = "{}.{}".format(*sys.version_info)

# What setuptools takes from the environment before the target's own.
OF_THIS_MACHINE = {"CC", "CXX", "CPP", "CFLAGS", "CPPFLAGS", "LDFLAGS", "LDSHARED", "AR", "ARFLAGS"}


def windows(python: Path, folder: Path) -> dict[str, object]:
    # The linker takes a DLL for an import library; under this name it also does when it links statically.
    (folder / f"libpython{SHORT}.a").symlink_to(python / f"python{SHORT}.dll")
    gcc = "x86_64-w64-mingw32-gcc-posix"
    return {
        "CC": gcc,
        "CXX": gcc.replace("gcc", "g++"),
        "CFLAGS": "-DNDEBUG",
        "LDSHARED": f"{gcc} -shared",
        "LIBDIR": str(folder),
        "LDVERSION": SHORT,
        "Py_ENABLE_SHARED": 1,  # modules are linked with its library
        "EXT_SUFFIX": f".cp{SHORT}-win_amd64.pyd",
        "SOABI": f"cp{SHORT}-win_amd64",
    }


def aarch64(python: Path, folder: Path) -> dict[str, object]:
    gcc = "aarch64-linux-gnu-gcc"
    return {
        "CC": gcc,
        "CXX": gcc.replace("gcc", "g++"),
        "CFLAGS": "-DNDEBUG",
        "LDSHARED": f"{gcc} -shared",
        "Py_ENABLE_SHARED": 0,
        "EXT_SUFFIX": f".cpython-{SHORT}-aarch64-linux-gnu.so",
        "SOABI": f"cpython-{SHORT}-aarch64-linux-gnu",
    }


TARGETS = {"windows-x86-64": ("win-amd64", windows), "linux-aarch64": ("linux-aarch64", aarch64)}


def main() -> int:
    if len(sys.argv) != 4 or sys.argv[1] not in TARGETS:
        print(__doc__, file=sys.stderr)
        return 2
    platform, describe = TARGETS[sys.argv[1]]
    python, out = Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    include = str(python / "include")
    facts: dict[str, object] = {
        "CXXFLAGS": "",
        "CCSHARED": "-fPIC" if platform.startswith("linux") else "",
        "LDCXXSHARED": "",
        "AR": "ar",
        "ARFLAGS": "rcs",
        "SHLIB_SUFFIX": ".so",
        "INCLUDEPY": include,
        "CONFINCLUDEPY": include,
        "INCLUDEDIR": include,
        "py_version_nodot": SHORT,
        "VERSION": VERSION,
        "Py_GIL_DISABLED": 0,
    }
    with tempfile.TemporaryDirectory() as folder:
        facts |= describe(python, Path(folder))
        name = f"_sysconfigdata_{platform.replace('-', '_')}"
        Path(folder, f"{name}.py").write_text(f"build_time_vars = {facts!r}\n", encoding="utf-8")
        environment = {
            **{name: value for name, value in os.environ.items() if name not in OF_THIS_MACHINE},
            "PYTHONPATH": folder,
            "_PYTHON_SYSCONFIGDATA_NAME": name,
            "_PYTHON_HOST_PLATFORM": platform,
            "ELEENGINE_MARCH": "portable",
        }
        build = f"from setuptools.build_meta import build_wheel; build_wheel({str(out)!r})"
        return subprocess.run([sys.executable, "-c", build], cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
