"""Limits on what the bytes of a record become: small packed files must not fill the memory."""

import lzma
import subprocess
import sys

import pytest

from eleengine._core import checks_enabled


@pytest.mark.system
@pytest.mark.skipif(checks_enabled(), reason="a sanitizer needs all addresses")
@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of the address space")
@pytest.mark.parametrize(
    ("name", "start", "piece", "count"),
    [
        ("moves.pgn.xz", b"", b"h2e2 h9g7 e2h2 g7h9\n", 3 << 20),
        ("moves8.pgn.xz", b"", b"h2e2 h9g7 e2h2 g7h9 " * 50, 8 << 10),
        ("comment.pgn.xz", b"1. {", b"a " * (1 << 19), 300),
        ("xml.cbf.xz", b"<ChineseChessRecord>", b"<a/>" * 1000, 4000),
        ("lines.txt.xz", b"1. h2e2", b"\n" * 1000, 20_000),
        ("positions.fen.xz", b"startpos moves", b" h2e2 h9g7 e2h2 g7h9" * 1000, 3000),
    ],
)
def test_small_packed_files_do_not_fill_the_memory(tmp_path, name, start, piece, count):
    path = tmp_path / name
    with lzma.open(path, "wb", preset=0) as file:
        file.write(start)
        for _ in range(0, count, max(1, count // 100)):
            file.write(piece * max(1, count // 100))
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))\n"
        "from eleengine.__main__ import main; sys.exit(main(['show', sys.argv[1]]))"
    )
    done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=False)
    assert "more than" in done.stderr and "memory" not in done.stderr
    assert done.returncode in (0, 2), done.stderr
