"""Several threads beside other busy programs, and how many threads there are by default."""

import os
import subprocess
import sys
from contextlib import contextmanager

import pytest
from support import CHECKOUT, COMMAND, MIDDLEGAMES, run_program, run_python
from ucci_client import busy

from eleengine import Board
from eleengine._core import Searcher, checks_enabled, cpu_count, openmp_enabled
from eleengine._internal import openmp, processors

pytestmark = [pytest.mark.system, pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")]


@contextmanager
def busy_loops(n):
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def python(script, **env):
    """What a new process prints."""
    return run_python(script, env=env, check=True).stdout.strip()


# Before threads slept soon and splits became fewer, two of them had a tenth of the nodes of one thread here.
@pytest.mark.skipif(cpu_count() < 2, reason="one processor: several threads are not used")
@pytest.mark.skipif(checks_enabled(), reason="a build with checks: other times")
@pytest.mark.parametrize("loops", [1, 2])
def test_several_threads_are_no_worse_beside_busy_programs(loops):
    """As many nodes as one thread, about: both are measured in turns beside the same load."""
    if busy() > 3:
        pytest.skip("the machine is too busy with other programs")
    nodes = {1: 0, cpu_count(): 0}
    searchers = {n: Searcher(hash_mib=16, threads=n) for n in nodes}
    with busy_loops(loops * cpu_count()):
        for fen in MIDDLEGAMES[:4]:
            for n, searcher in searchers.items():
                searcher.search(Board(fen), maximum_ms=250)
                nodes[n] += sum(searcher.worker_nodes())
    assert nodes[cpu_count()] > 0.5 * nodes[1]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.skipif(cpu_count() < 2, reason="one processor: several threads are not used")
def test_default_threads_search_as_deep_as_one_beside_any_load():
    """The tool's table; nothing else should run meanwhile."""
    command = [sys.executable, "tools/thread_load.py", "--modes", "hybrid", "--first", "16"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=900, check=True)
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    late = {row[0]: float(row[6]) for row in rows if row[2] == "one"}
    for load, _, mode, _, ratio, depth, late_ms in rows:
        if mode == "hybrid":
            assert float(ratio) > (1.6 if load == "0" else 0.85), done.stdout
            assert float(depth) > (0 if load == "0" else -1.0), done.stdout
            assert float(late_ms) < late[load] + 30, done.stdout


def test_programs_do_not_inherit_how_threads_wait():
    script = "import os, eleengine; print('GOMP_SPINCOUNT' in os.environ, os.environ['OMP_STACKSIZE'])"
    assert python(script) == f"False {os.environ.get('OMP_STACKSIZE', openmp.STACK_SIZE)}"
    assert python(script, GOMP_SPINCOUNT="7").startswith("True")


USABLE = "from eleengine._internal.processors import usable_processors; print(usable_processors())"


def test_default_threads_are_those_that_can_run():
    assert python(USABLE, OMP_NUM_THREADS="1") == "1"
    assert python(USABLE, OMP_THREAD_LIMIT="1") == "1"
    assert int(python(USABLE, OMP_NUM_THREADS="4096")) == processors.usable_processors()
    if sys.platform == "linux":
        pinned = f"import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); {USABLE}"
        assert python(pinned) == "1"


@pytest.mark.parametrize(
    ("line", "files", "quota"),
    [
        ("0::/a/b", {"a/b/cpu.max": "max 100000", "a/cpu.max": "250000 100000"}, 2.5),
        ("0::/a/b", {"a/b/cpu.max": "50000 100000", "a/cpu.max": "250000 100000"}, 0.5),
        ("0::/gone", {"cpu.max": "150000 100000"}, 1.5),
        ("0::/", {"cpu.max": "max 100000"}, None),
        ("0::/", {}, None),
        ("0::/", {"cpu.max": "nonsense 0"}, None),
        ("4:cpu,cpuacct:/x", _v1 := {"cpu,cpuacct/x/cpu.cfs_quota_us": "300000\n",
                                     "cpu,cpuacct/x/cpu.cfs_period_us": "100000\n"}, 3.0),
        ("4:cpu:/x", _v1, None),
        ("4:memory:/x", {"memory/x/cpu.max": "100000 100000"}, None),
        ("1:cpu:/", {"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, None),
    ],
)  # fmt: skip
@pytest.mark.skipif(sys.platform == "win32", reason="control groups of Linux")
def test_quotas_of_control_groups(tmp_path, monkeypatch, line, files, quota):
    from eleengine._internal.system import posix

    for name, text in files.items():
        path = tmp_path / "groups" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "mine").write_text(f"9:name=systemd:/\n{line}\n")
    monkeypatch.setattr(posix, "MOUNT", str(tmp_path / "groups"))
    monkeypatch.setattr(posix, "MEMBERSHIP", str(tmp_path / "mine"))
    assert processors.cpu_quota() == quota


def test_the_engine_says_when_it_gets_fewer_threads():
    commands = "ucci\nsetoption usebook false\nsetoption batch true\nsetoption threads 4\nposition startpos\n"
    commands += 2 * "go depth 6\n" + "quit\n"
    done = run_program(*COMMAND, env={"OMP_THREAD_LIMIT": "2"}, input=commands, check=True)
    assert done.stdout.count("warning threads 4: the system gives no more than 2") == 1
    assert done.stdout.count("bestmove ") == 2
    script = """
import warnings
from eleengine import Board, Engine, Limit
with warnings.catch_warnings(record=True) as caught, Engine(threads=4) as engine:
    warnings.simplefilter("always")
    engine.analyse(Board(), Limit(depth=3))
print(*[warning.message for warning in caught])
"""
    assert python(script, OMP_THREAD_LIMIT="2") == "threads is 4, but the system gives 2"
