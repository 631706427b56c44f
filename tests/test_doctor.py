"""`eleengine doctor`: what a report of a bug needs, and whether the files are whole."""

import shutil
import sys
import zlib

from support import call

import eleengine
from eleengine.commands import doctor


def test_it_tells_what_there_is():
    result = call("doctor")
    assert result.returncode == 0, result.stdout
    told = dict(line.split(None, 1) for line in result.stdout.splitlines() if not line.startswith("variable"))
    assert told["eleengine"].startswith(f"{eleengine.__version__}, commit ")
    assert sys.executable in told["Python"]
    assert {"built", "variant", "threads", "memory", "network", "book", "package"} <= told.keys()
    assert call("--version", "--verbose").stdout == f"eleengine {eleengine.__version__}\n{result.stdout}"
    assert call("--version").stdout == f"eleengine {eleengine.__version__}\n"


def test_a_damaged_file_is_named(tmp_path, monkeypatch):
    """In the Windows folder, where a list says what the files were."""
    package = tmp_path / "lib" / "eleengine"
    package.mkdir(parents=True)
    lines = []
    for name in ("good", "bad", "gone"):
        (package / name).write_text(name)
        lines.append(f"{zlib.crc32(name.encode()):08x} {len(name)} lib/eleengine/{name}\n")
    (tmp_path / "lib" / "files.txt").write_text("".join(lines))
    (package / "bad").write_text("BAD")
    (package / "gone").unlink()
    monkeypatch.setattr(doctor, "PACKAGE", str(package))
    assert [fault.split(":")[0] for fault in doctor.damaged_files()] == [
        "lib/eleengine/bad",
        "lib/eleengine/gone",
    ]
    shutil.rmtree(tmp_path / "lib")
    assert list(doctor.damaged_files()) == []


def test_a_broken_network_is_told(monkeypatch):
    monkeypatch.setattr(doctor, "network_text", lambda: 1 // 0)
    doctor.network_text.__name__ = "network_text"
    assert [fault for fault in doctor.faults() if fault.startswith("network: ")]
