"""How the Windows folder is put together, on file trees like those of the machines that make it."""

import importlib.util
import shutil
import zipfile

import pytest
from support import CHECKOUT

PACKAGING = CHECKOUT / "packaging/windows"
# The parts of python.org's text that the libraries are named in.
PYTHON_ORG = "Python Software Foundation\nMicrosoft Distributable Code\nOpenSSL\nlibffi\n"
# MSYS2's packages mingw-w64-ucrt-x86_64-gcc-libs and -winpthreads, 2026-08-22.
MSYS2 = {
    "share/licenses/gcc-libs/README": "read me",
    "share/licenses/gcc-libs/COPYING3": "GPL",
    "share/licenses/gcc-libs/COPYING.LIB": "LGPL",
    "share/licenses/gcc-libs/COPYING.RUNTIME": "GCC RUNTIME LIBRARY EXCEPTION",
    "share/licenses/winpthreads/COPYING": "MinGW-w64",
    "bin/gcc.exe": "",
}


@pytest.fixture
def bundle():
    spec = importlib.util.spec_from_file_location("bundle", PACKAGING / "bundle.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def trees(tmp_path, bundle, monkeypatch):
    """A wheel's metadata, an unpacked Python and MSYS2; nothing of Debian."""
    write(tmp_path / "info/licenses", {
        "LICENSE": "MIT", "src/eleengine/glyphs/OFL.txt": "OFL",
        "src/eleengine/book/masters.LICENCE.md": "book",
    })  # fmt: skip
    write(tmp_path / "python", {"LICENSE.txt": PYTHON_ORG})
    write(tmp_path / "ucrt64", MSYS2)
    places = {name: [place for place in all_ if place[0] == "."] for name, all_ in bundle.LICENCES.items()}
    monkeypatch.setattr(bundle, "LICENCES", places)
    monkeypatch.setattr(shutil, "which", lambda name: str(tmp_path / "ucrt64/bin/gcc.exe"))
    (tmp_path / "out").mkdir()
    return tmp_path


def test_licences_are_found_where_msys2_keeps_them(trees, bundle):
    bundle.copy_licences(trees / "out", trees / "python", trees / "info")
    texts = {path.name: path.read_text() for path in (trees / "out").iterdir()}
    assert texts == {
        "eleengine.txt": "MIT", "eleengine-glyphs.txt": "OFL", "eleengine-masters-book.txt": "book",
        "Python.txt": PYTHON_ORG, "GCC.txt": "GCC RUNTIME LIBRARY EXCEPTION", "MinGW-w64.txt": "MinGW-w64",
    }  # fmt: skip


def test_libraries_that_the_text_of_python_leaves_out_have_texts_of_their_own(trees, bundle, monkeypatch):
    """The Python that python.py gathers on Linux."""
    write(trees / "python", {"LICENSE.txt": "Python Software Foundation\n", "Microsoft-C-runtime.txt": "CRT"})
    write(trees / "doc", {"libssl3/copyright": "Apache", "libffi8/copyright": "libffi's"})
    monkeypatch.setattr(bundle, "LIBRARIES", {
        name: (words, place.replace("/usr/share/doc", str(trees / "doc")))
        for name, (words, place) in bundle.LIBRARIES.items()
    })  # fmt: skip
    bundle.copy_licences(trees / "out", trees / "python", trees / "info")
    names = ("OpenSSL", "libffi", "Microsoft-C-runtime")
    assert [(trees / f"out/{name}.txt").read_text() for name in names] == ["Apache", "libffi's", "CRT"]


@pytest.mark.parametrize("name", ["GCC", "MinGW-w64", "OpenSSL", "libffi", "Microsoft-C-runtime"])
def test_no_folder_is_made_without_a_licence(trees, bundle, name, monkeypatch):
    if name in bundle.LIBRARIES:
        words, _ = bundle.LIBRARIES[name]
        write(trees / "python", {"LICENSE.txt": PYTHON_ORG.replace(words, "")})
        monkeypatch.setitem(bundle.LIBRARIES, name, (words, "nowhere/copyright"))
    else:
        shutil.rmtree(trees / ("ucrt64/share/licenses/" + {"GCC": "gcc-libs"}.get(name, "winpthreads")))
    with pytest.raises(SystemExit, match=f"no licence for {name}"):
        bundle.copy_licences(trees / "out", trees / "python", trees / "info")


def test_a_click_opens_the_board_and_no_text_says_pip(bundle, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    bundle.write_texts(folder, "1.2.3")
    board = (folder / "象棋棋盘 board.cmd").read_bytes()
    assert board.isascii() and board.startswith(b'@"%~dp0eleengine.exe" board %*\r\n')
    readme = (folder / "README.txt").read_text(encoding="utf-8-sig")
    assert "象棋棋盘 board.cmd" in readme and "eleengine 1.2.3" in readme and "pip" not in readme
    with zipfile.ZipFile(bundle.pack(folder)) as archive:  # names in UTF-8 and marked so
        [info] = [info for info in archive.infolist() if "board.cmd" in info.filename]
        assert info.filename == "folder/象棋棋盘 board.cmd" and info.flag_bits & 0x800
