"""Gather a Windows Python for trials on Linux: python packaging/windows/python.py OUT

OUT becomes a folder like the unpacked embeddable package of python.org, for the minor version that runs this:
python3XX.dll, its modules (.pyd), python3XX.zip with the standard library; and include/ for the compiler.
The DLLs come from panda3d's wheel for Windows, which carries those of CPython; library and headers are those
of the Python that runs this. Microsoft's terms for its C runtime come from the wheel of msvc-runtime.
A release is made with the package of python.org instead.
"""

import py_compile
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

VERSION = "{}.{}".format(*sys.version_info)
SHORT = VERSION.replace(".", "")
# What the embeddable package has not, either.
LEFT_OUT = {"test", "idlelib", "tkinter", "turtledemo", "lib2to3", "ensurepip", "venv", "lib-dynload",
            "site-packages", "__pycache__", "turtle.py"}  # fmt: skip
DLLS = {
    "vcruntime140.dll", "vcruntime140_1.dll", "libffi-8.dll", "sqlite3.dll",
    "libcrypto-3.dll", "libssl-3.dll",
}  # fmt: skip


def download(name: str, folder: Path) -> Path:
    """The wheel of a package for this minor version on Windows."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder,
         "--platform", "win_amd64", "--python-version", VERSION, "--only-binary=:all:", name],
        check=True,
    )  # fmt: skip
    [wheel] = folder.glob(f"{name.replace('-', '_')}-*.whl")
    return wheel


def unpack_dlls(wheel: Path, out: Path) -> None:
    wanted = {f"python{SHORT}.dll", *DLLS}
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.namelist():
            folder, _, name = entry.rpartition("/")
            # Those with another dot are for the free-threaded Python.
            is_module = name.endswith(".pyd") and name.count(".") == 1 and "tkinter" not in name
            if folder == "deploy_libs" and (name.lower() in wanted or is_module):
                (out / name.lower()).write_bytes(archive.read(entry))


def pack_library(library: Path, target: Path) -> None:
    """The standard library as byte code, in the layout of the embeddable package."""
    with (
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive,
        tempfile.TemporaryDirectory() as folder,
    ):
        compiled = Path(folder, "module.pyc")
        for source in sorted(library.rglob("*.py")):
            path = source.relative_to(library)
            if not LEFT_OUT.intersection(path.parts):
                py_compile.compile(
                    str(source), str(compiled), str(path), doraise=True,
                    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
                )  # fmt: skip
                archive.writestr(f"{path.as_posix()}c", compiled.read_bytes())


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        unpack_dlls(download("panda3d", Path(folder)), out)
        with zipfile.ZipFile(download("msvc-runtime", Path(folder))) as archive:
            [licence] = (name for name in archive.namelist() if name.endswith(".dist-info/licenses/LICENSE"))
            (out / "Microsoft-C-runtime.txt").write_bytes(archive.read(licence))
    library = Path(sysconfig.get_path("stdlib"))
    pack_library(library, out / f"python{SHORT}.zip")
    shutil.copy(library / "LICENSE.txt", out)
    shutil.copytree(sysconfig.get_path("include"), out / "include")
    shutil.copy(Path(__file__).with_name("pyconfig.h"), out / "include")
    return 0


if __name__ == "__main__":
    sys.exit(main())
