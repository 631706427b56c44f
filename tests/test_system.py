"""What differs between operating systems, as seen from this one."""

import os
import subprocess
import sys

import pytest
from support import call, raises, wait_until

from eleengine import Board, Engine
from eleengine._core import EndgameTable, Searcher, SelfPlay, ThesisSearch, ThesisTable
from eleengine._internal import system
from eleengine._internal.files import read_bytes
from eleengine.tables import SHIPPED
from eleengine.tables.file import TableFile

pytestmark = pytest.mark.system

# Starts a child of its own, and tells its id; both would stay.
FAMILY = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print(child.pid, flush=True)
time.sleep(60)
"""
LOCKS = """
import sys
from eleengine._internal import system
with open(sys.argv[1], "r+b") as file:
    print(system.lock_file(file), file.tell())
"""


def is_alive(pid):
    if sys.platform == "win32":
        import _winapi

        try:
            handle = _winapi.OpenProcess(0x100000, False, pid)
        except OSError:
            return False
        return _winapi.WaitForSingleObject(handle, 0) == _winapi.WAIT_TIMEOUT
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def locks(path):
    """What another process says of it: can it lock the file, and is it still at its beginning?"""
    return subprocess.run([sys.executable, "-c", LOCKS, path], capture_output=True, text=True).stdout.split()


def test_a_file_is_locked_once(tmp_path):
    path = tmp_path / "锁.dat"
    path.write_bytes(b"data")
    with open(path, "r+b") as file:
        assert system.lock_file(file)
        assert locks(path) == ["False", "0"]
        assert file.read() == path.read_bytes() == b"data"  # readers are not kept away
    assert locks(path) == ["True", "0"]


def test_a_program_ends_with_what_it_started():
    program = system.start_program([sys.executable, "-c", FAMILY], cwd=None, env=os.environ)
    child = int(program.stdout.readline())
    assert is_alive(child)
    system.kill_program(program, with_group=True)
    assert program.returncode is not None
    wait_until(lambda: not is_alive(child))
    system.kill_program(program, with_group=False)  # once more does no harm
    program.stdin.close()
    program.stdout.close()


@pytest.mark.parametrize("program", ["import sys; sys.stdin.read()", "import time; time.sleep(60)"])
def test_a_program_without_end_ends_with_its_killed_starter(program):
    """Whether it sees the end of its input or not."""
    starter = """
import os, sys, time
from eleengine._internal import system
program = system.start_program([sys.executable, "-c", sys.argv[1]], cwd=None, env=os.environ)
print(program.pid, flush=True)
time.sleep(60)
"""
    process = subprocess.Popen([sys.executable, "-c", starter, program], stdout=subprocess.PIPE)
    number = int(process.stdout.readline())
    assert is_alive(number)
    process.kill()
    process.wait()
    process.stdout.close()
    wait_until(lambda: not is_alive(number))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("engine", ["engine"]),
        ('"my engine" --level 3', ["my engine", "--level", "3"]),
        ('engine --book "红 黑.dat"', ["engine", "--book", "红 黑.dat"]),
        ("  ", []),
    ],
)
def test_command_lines_are_taken_apart(text, words):
    assert system.split_command(text) == words


@pytest.mark.skipif(sys.platform != "win32", reason="a backslash is a letter on Windows alone")
def test_paths_of_windows_keep_their_backslashes():
    assert system.split_command(r'"C:\象棋 引擎\e.exe" C:\b.dat') == [r"C:\象棋 引擎\e.exe", r"C:\b.dat"]


def test_memory_is_that_of_a_machine():
    assert 64 <= system.memory_mib() <= 1 << 26
    assert 0 < system.free_memory_mib() <= system.memory_mib()


@pytest.mark.skipif(sys.platform == "win32", reason="control groups of Linux")
def test_memory_is_what_the_control_groups_allow(tmp_path, monkeypatch):
    from eleengine._internal.system import posix

    monkeypatch.setattr(posix, "MOUNT", str(tmp_path))
    groups = tmp_path / "cgroup"
    groups.write_text("12:cpu,memory:/slurm/job\n3:cpu:/other\n0::/user.slice/a b.scope\n")
    for name, limit in {
        "memory/slurm/memory.limit_in_bytes": "400", "memory/slurm/job/memory.limit_in_bytes": "500",
        "user.slice/memory.max": "300\n", "user.slice/a b.scope/memory.max": "max\n", "memory.max": "900",
        "memory/other/memory.limit_in_bytes": "1", "other/memory.max": "2",
        "memory/slurm/job/memory.usage_in_bytes": "70",
        "memory/slurm/job/memory.stat": "inactive_file 1\ntotal_inactive_file 20\n",
        "user.slice/memory.current": "90\n", "user.slice/memory.stat": "inactive_file 30\n",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(limit)
    for membership, found in ((groups, [(300, 60), (400, 0), (500, 50), (900, 0)]), ("/nothing", [(900, 0)])):
        monkeypatch.setattr(posix, "MEMBERSHIP", str(membership))
        assert sorted(posix.memory_groups()) == found


def test_memory_that_is_not_free_is_refused_in_words(monkeypatch, tmp_path):
    """Whatever takes much by a number or a file of the user asks one function before."""
    large = tmp_path / "large.nnue"
    with open(large, "wb") as file:
        file.truncate(300 << 20)
    endgame = TableFile(SHIPPED / "N-A.dtm")
    endgame.memory = 300 << 20
    monkeypatch.setattr(system, "free_memory_mib", lambda: 200)
    searcher = Searcher(hash_mib=1)
    for ask in (
        lambda: Searcher(hash_mib=300),
        lambda: Engine(hash_mib=300),
        lambda: searcher.resize(300),
        lambda: ThesisSearch(hash_mib=300),
        lambda: ThesisTable(mib=300),
        lambda: SelfPlay(hash_mib=300),
        lambda: endgame.load(EndgameTable("N-A")),
    ):
        raises(MemoryError, "memory for", ask)
    raises(OSError, r"300 MiB, more memory than is free: .*large.nnue", read_bytes, large)
    for command in (["bench", "--hash", 300], ["analyse", "startpos", "--hash", 300]):
        done = call(*command)
        assert done.returncode == 2 and "300 MiB" in done.stderr
    assert searcher.hash_mib == 1 and searcher.search(Board(), depth=1)
    searcher.resize(130)
    searcher.resize(250)  # its own are given back
