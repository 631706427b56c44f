"""Make the Windows folder and its zip: python packaging/windows/bundle.py WHEEL PYTHON OUT

WHEEL   eleengine for 64-bit Windows, for the minor version of the Python that runs this.
PYTHON  the unpacked embeddable package of the same minor version. The headers come from its include/ or,
        if it has none, from the Python that runs this.
OUT     gets eleengine-VERSION-windows-x86-64/, the same as .zip, and the zip's .sha256.

pip fetches what `eleengine board` needs, the files that board.txt names with their sums. The launcher is made
on Linux by the cross compiler of MinGW-w64, on Windows by its gcc. The same input gives the same zip to the
byte; its dates are SOURCE_DATE_EPOCH, or the beginning of 2020.
"""

import glob
import hashlib
import os
import py_compile
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSION = "{}.{}".format(*sys.version_info)
SHORT = VERSION.replace(".", "")
PREFIX = "" if os.name == "nt" else "x86_64-w64-mingw32-"
GCC = "gcc" if os.name == "nt" else f"{PREFIX}gcc-posix"
# What eleengine does without; sums come from Python's own code. SSL stays, for the packages of the board
# import it. Wine lacks what _wmi needs.
DROPPED_FILES = {"_hashlib.pyd", "winsound.pyd", "_wmi.pyd", "_msi.pyd"}
DROPPED_PACKAGES = {
    "ensurepip", "idlelib", "lib2to3", "pydoc_data", "tkinter", "turtledemo", "venv"
}  # fmt: skip
# Where toolchains keep the licences of what they link in: Debian; MSYS2 relative to the compiler.
LICENCES = {
    "GCC.txt": [
        "/usr/share/doc/gcc-mingw-w64-base/copyright",
        "../share/licenses/gcc-libs/COPYING.RUNTIME",
    ],
    "MinGW-w64.txt": [
        "/usr/share/doc/mingw-w64-x86-64-dev/copyright",
        "../share/licenses/winpthreads/COPYING",
        "../share/licenses/libwinpthread/COPYING",
    ],
}
# Libraries that come with Python: the words that name each in python.org's text of licences, and where its
# text is if that has none: in Debian, or in the folder that python.py makes. SQLite is in the public domain.
LIBRARIES = {
    "OpenSSL": ("OpenSSL", "/usr/share/doc/libssl3*/copyright"),
    "libffi": ("libffi", "/usr/share/doc/libffi[0-9]*/copyright"),
    "Microsoft-C-runtime": ("Microsoft Distributable Code", "Microsoft-C-runtime.txt"),
}


def copy_python(python: Path, lib: Path) -> None:
    """Python's DLLs and modules, and its library without what nobody uses here."""
    for file in sorted(python.iterdir()):
        if file.suffix.lower() in (".dll", ".pyd") and file.name.lower() not in DROPPED_FILES:
            shutil.copyfile(file, lib / file.name.lower())
    with (
        zipfile.ZipFile(python / f"python{SHORT}.zip") as source,
        zipfile.ZipFile(lib / "python.zip", "w", zipfile.ZIP_DEFLATED) as target,
    ):
        for name in sorted(source.namelist()):
            if name.partition("/")[0] not in DROPPED_PACKAGES and not name.endswith("/"):
                target.writestr(entry(name), source.read(name))


def unpack_wheel(wheel: Path, lib: Path) -> None:
    """The package, with its byte code beside it: the folder may be read-only."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(lib)
    for source in sorted((lib / "eleengine").rglob("*.py")):
        name = source.relative_to(lib).as_posix()
        compile_source(source, source.parent / "__pycache__" / f"{source.stem}.cpython-{SHORT}.pyc", name)


def compile_source(source: Path, target: Path, name: str) -> None:
    py_compile.compile(
        str(source), str(target), name, doraise=True,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )  # fmt: skip


def pack_board(lib: Path, licences: Path) -> None:
    """lib/board.zip, the packages of the board as byte code, and the licence of each."""
    with (
        tempfile.TemporaryDirectory() as folder,
        zipfile.ZipFile(lib / "board.zip", "w") as archive,
    ):
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes",
             "--no-compile", "--only-binary=:all:", "--platform", "any", "--implementation", "py",
             "--abi", "none", "--target", folder, "-r", HERE / "board.txt"],
            check=True,
        )  # fmt: skip
        packages, compiled = Path(folder), Path(folder, "module.pyc")
        for source in sorted(packages.rglob("*.py")):
            name = source.relative_to(packages).as_posix()
            compile_source(source, compiled, name)
            archive.writestr(entry(f"{name}c"), compiled.read_bytes())
        for dist_info in sorted(packages.glob("*.dist-info")):
            name = dist_info.name.partition("-")[0]
            [licence] = (dist_info / "licenses").iterdir()
            shutil.copyfile(licence, licences / f"{name}.txt")


def compile_launcher(target: Path, include: Path, version: str, *switches: str) -> None:
    """eleengine.exe with version and icon."""
    numbers = ",".join([*filter(str.isdigit, version.split(".")), "0", "0", "0"][:3])
    with tempfile.TemporaryDirectory() as folder:
        resources = os.path.join(folder, "launcher.o")
        subprocess.run(
            [f"{PREFIX}windres", f"-DVERSION_NUMBERS={numbers}", f'-DVERSION_TEXT=\\"{version}\\"',
             "launcher.rc", resources],
            check=True, cwd=HERE,
        )  # fmt: skip
        subprocess.run(
            [GCC, "-O2", "-s", "-Wall", "-Wextra", "-municode", "-mconsole", "-static",
             "-Wl,--no-insert-timestamp",
             "-Wl,--stack,16777216",  # threads of OpenMP have as much as the program
             *switches, "-I", include, "launcher.c", resources, "-o", target],
            check=True, cwd=HERE,
        )  # fmt: skip


def copy_licences(folder: Path, python: Path, dist_info: Path) -> None:
    """Ours with those of glyphs and book, Python's and its libraries', and those of the compiler."""
    ours = dist_info / "licenses"
    shutil.copyfile(ours / "LICENSE", folder / "eleengine.txt")
    shutil.copyfile(ours / "src/eleengine/glyphs/OFL.txt", folder / "eleengine-glyphs.txt")
    shutil.copyfile(ours / "src/eleengine/book/masters.LICENCE.md", folder / "eleengine-masters-book.txt")
    shutil.copyfile(python / "LICENSE.txt", folder / "Python.txt")
    texts = (python / "LICENSE.txt").read_text(encoding="utf-8", errors="replace")
    for name, (words, place) in LIBRARIES.items():
        if words in texts:
            continue
        found = sorted(glob.glob(os.path.join(python, place)))
        if not found:
            raise SystemExit(f"bundle: no licence for {name} in {python / 'LICENSE.txt'} or {place}")
        shutil.copyfile(found[0], folder / f"{name}.txt")
    beside = Path(shutil.which(GCC) or GCC).parent
    for name, places in LICENCES.items():
        found = [path for path in (beside / place for place in places) if path.is_file()]
        if not found:
            raise SystemExit(f"bundle: no licence for {name[:-4]} beside {beside}")
        shutil.copyfile(found[0], folder / name)


def write_texts(folder: Path, version: str) -> None:
    """The README, and what opens the board with one click for who has no GUI."""
    readme = (HERE / "README.txt").read_text(encoding="utf-8").replace("VERSION", version)
    readme.encode("gb18030")
    # The mark tells every Notepad that it is UTF-8.
    (folder / "README.txt").write_text(readme, encoding="utf-8-sig", newline="\r\n")
    board = '@"%~dp0eleengine.exe" board %*\n@if errorlevel 1 pause\n'  # so that what goes wrong can be read
    (folder / "象棋棋盘 board.cmd").write_text(board, encoding="ascii", newline="\r\n")


def write_list(lib: Path) -> None:
    """lib/files.txt, by which the launcher and `eleengine doctor` know a missing or damaged file."""
    lines = [
        f"{zlib.crc32(file.read_bytes()):08x} {file.stat().st_size} lib/{file.relative_to(lib).as_posix()}\n"
        for file in sorted(lib.rglob("*"))
        if file.is_file()
    ]
    (lib / "files.txt").write_text("".join(lines), encoding="utf-8", newline="\n")


def entry(name: str) -> zipfile.ZipInfo:
    """The head of a file in an archive, the same whenever it is made."""
    date = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", 1577836800)))
    info = zipfile.ZipInfo(name, date[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    info.create_system = 0
    return info


def pack(folder: Path) -> Path:
    target = folder.with_name(f"{folder.name}.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                name = f"{folder.name}/{file.relative_to(folder).as_posix()}"
                archive.writestr(entry(name), file.read_bytes(), compresslevel=9)
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    target.with_name(f"{target.name}.sha256").write_text(f"{digest}  {target.name}\n", newline="\n")
    return target


def main() -> int:
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    wheel, python, out = (Path(argument).resolve() for argument in sys.argv[1:])
    if f"-cp{SHORT}-" not in wheel.name or not (python / f"python{SHORT}.dll").exists():
        print(f"bundle: this is Python {VERSION}, which {wheel.name} or {python} is not for", file=sys.stderr)
        return 2
    version = wheel.name.split("-")[1]
    folder = out / f"eleengine-{version}-windows-x86-64"
    shutil.rmtree(folder, ignore_errors=True)
    lib, licences = folder / "lib", folder / "licences"
    lib.mkdir(parents=True)
    licences.mkdir()
    copy_python(python, lib)
    unpack_wheel(wheel, lib)
    pack_board(lib, licences)
    write_list(lib)
    include = python / "include" if (python / "include").is_dir() else Path(sysconfig.get_path("include"))
    compile_launcher(folder / "eleengine.exe", include, version)
    copy_licences(licences, python, next(lib.glob("eleengine-*.dist-info")))
    write_texts(folder, version)
    print(pack(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
