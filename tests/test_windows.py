"""The Windows folder under Wine; `packaging/windows/check` unpacks it, tells where it is, and runs this."""

import os
import queue
import re
import shutil
import signal
import subprocess
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import CHECKOUT

WINE = os.environ.get("ELEENGINE_TEST_WINE", "")
FOLDER = Path(os.environ.get("ELEENGINE_TEST_WINDOWS", "nowhere"))
EXE = FOLDER / "eleengine.exe"
TOOLS = "x86_64-w64-mingw32-"
CHINESE = "zh_CN.UTF-8"
CYCLES = int(os.environ.get("ELEENGINE_TEST_CYCLES", "25"))
SIGNATURE = (CHECKOUT / "tests" / "bench_signature.txt").read_text().strip()
VARIANTS = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
# What XQWizard says at the start, in its order; nothing of it is answered.
GREETING = [
    "setoption guiname XQWizard", "setoption usemillisec true", "setoption promotion false",
    "setoption usebook true", "setoption useegtb false", r"setoption bookfiles C:\books\BOOK.DAT",
    "setoption hashsize 0", "setoption threads 0", "setoption idle none", "setoption randomness none",
    "setoption style normal", "setoption newgame", "setoption ponder true",
]  # fmt: skip

pytestmark = [
    pytest.mark.skipif(not (WINE and EXE.exists()), reason="needs Wine and the Windows folder"),
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("wine"),
]


def processes():
    """The ids of the engines that run; Wine shows their command lines as ours."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ")
        except OSError:
            continue  # it has ended just now
        if b"eleengine.exe" in line and not re.search(rb"starter\.exe|wine|python|timeout", line):
            found.append(int(entry.parent.name))
    return found


def wait_for(condition, seconds=15):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def environment(**more):
    return {**os.environ, **more}


def run(*arguments, exe=EXE, text=True, data=None, **more):
    """A command of the Windows build: exit status, what it wrote on stdout and on stderr."""
    command = [WINE, str(exe), *map(str, arguments)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**more),
    )
    try:
        out, errors = process.communicate(data or b"", timeout=300)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    if text:
        out, errors = (part.decode("utf-8", "replace").replace("\r\n", "\n") for part in (out, errors))
    return process.returncode, out, errors


@pytest.fixture(scope="session")
def starter(tmp_path_factory):
    exe = tmp_path_factory.mktemp("starter") / "starter.exe"
    source = CHECKOUT / "tests" / "windows_starter.c"
    subprocess.run([f"{TOOLS}gcc", "-O2", "-Wall", "-municode", "-static", source, "-o", exe], check=True)
    return exe


class Gui:
    """A GUI with XQWizard's way of starting engines."""

    def __init__(self, starter):
        engine = wine_path(EXE)
        self.process = subprocess.Popen(
            [WINE, str(starter), engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines = queue.Queue()
        self.ends = set()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.ends.add(line[-2:])
            self.lines.put(line.decode("ascii").rstrip("\r\n"))
        self.lines.put(None)

    def say(self, *lines):
        self.process.stdin.write("".join(f"{line}\r\n" for line in lines).encode("gbk"))
        self.process.stdin.flush()

    def hear(self, *starts, seconds=60):
        """The next line that starts so, and those before it."""
        deadline, before = time.monotonic() + seconds, []
        while True:
            try:
                line = self.lines.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                pytest.fail(f"no {starts} within {seconds} s after {before[-3:]}")
            if line is None:
                pytest.fail(f"the engine has ended: {before[-5:]}")
            if line.startswith(starts):
                return line, before
            before.append(line)

    def end(self):
        self.process.stdin.close()
        status = self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


@contextmanager
def gui(starter):
    client = Gui(starter)
    try:
        yield client
    finally:
        if client.process.poll() is None:
            client.process.kill()
            client.process.wait()
    assert wait_for(lambda: not processes()), "the engine has outlived its GUI"


def test_the_modules_need_only_windows_and_python():
    modules = [EXE, *FOLDER.glob("lib/eleengine/**/*.pyd")]
    assert len(modules) >= 3 + len(VARIANTS) - 1
    for module in modules:
        told = subprocess.run(
            [f"{TOOLS}objdump", "-p", module], capture_output=True, text=True, check=True
        ).stdout
        needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)", told)}
        others = {name for name in needed if not re.match(r"python3\d+\.dll|api-ms-win-crt-.*", name)}
        assert others <= {"kernel32.dll", "msvcrt.dll", "ucrtbase.dll"}, module


def test_no_wide_register_moves_aligned():
    """gcc does not align the stack to 32 bytes on Windows: such a move of a spilled register would crash."""
    for module in FOLDER.glob("lib/eleengine/variants/*/*.pyd"):
        code = subprocess.run(
            [f"{TOOLS}objdump", "-d", module], capture_output=True, text=True, check=True
        ).stdout
        assert "vmovdqu" in code
        assert not re.search(
            r"\tvmov(?:ap[sd]|dqa\d*) .*[(%].*%[yz]mm.*\(|\tvmov(?:ap[sd]|dqa\d*) .*\(.*%[yz]mm", code
        )


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_signature_is_that_of_linux(variant):
    status, out, errors = run("bench", ELEENGINE_CPU=variant)
    if "this machine and build can run" in errors:
        pytest.skip(f"this machine does not run {variant}")
    assert (status, errors) == (0, "")
    assert out.split()[-2:] == ["signature", SIGNATURE]


def test_perft_counts():
    status, out, _ = run("perft", "--depth", 4, "--threads", 2)
    assert status == 0
    assert "3290240" in out


def test_a_game_as_xqwizard_plays_it(starter):
    """Its order of commands: the handshake, a game with pondering, hits and misses, analysis, and quit."""
    with gui(starter) as client:
        client.say("ucci")
        _, options = client.hear("ucciok")
        assert any(line.startswith("option usemillisec ") for line in options)
        client.say(*GREETING)
        moves = []
        for turn in range(6):
            place = f"position startpos moves {' '.join(moves)}".removesuffix(" moves ")
            client.say(place, "go time 4000 increment 0 opptime 4000 oppincrement 0")
            answer, before = client.hear("bestmove")
            if turn == 0:
                assert all(line.startswith("info ") for line in before)
            words = answer.split()
            moves.append(words[1])
            if words[2:3] != ["ponder"]:
                break
            client.say(
                f"position startpos moves {' '.join([*moves, words[3]])}",
                "go ponder time 3000 increment 0 opptime 3000 oppincrement 0",
            )
            time.sleep(0.2)
            asked = time.monotonic()
            if turn % 2:
                client.say("ponderhit")
                moves.append(words[3])
                moves.append(client.hear("bestmove")[0].split()[1])
                client.say(f"position startpos moves {' '.join(moves)}", "go nodes 216")
                moves.append(client.hear("bestmove")[0].split()[1])
            else:
                client.say("stop")
                client.hear("bestmove")
                assert time.monotonic() - asked < 2
                client.say(f"position startpos moves {' '.join(moves)}", "go depth 1")
                moves.append(client.hear("bestmove")[0].split()[1])
        assert len(moves) > 8
        client.say("position startpos", "banmoves h2e2", "go infinite")
        client.hear("info")
        client.say("stop")
        assert client.hear("bestmove")[0].split()[1] != "h2e2"
        client.say(
            "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r - - 0 1",
            "go draw depth 4",
        )
        client.hear("bestmove")
        assert client.ends == {b"\r\n"}
        client.say("quit")
        client.hear("bye", seconds=5)
        assert client.end() == 0


@pytest.mark.parametrize(
    "last", [(), ("position startpos", "go infinite"), ("position startpos", "go ponder time 9000")]
)
def test_the_engine_ends_with_its_gui(starter, last):
    """Whatever it does when the GUI is killed; its pipes never end, for it holds their other ends itself."""
    with gui(starter) as client:
        client.say("ucci")
        client.hear("ucciok")
        client.say(*last)
        if last:
            client.hear("info")
        assert processes()
        client.process.kill()
        client.process.wait()
        assert wait_for(lambda: not processes(), 10)


def test_a_gui_that_ends_is_no_end_when_told_so(starter):
    """A batch file that starts the engine and ends."""
    program = subprocess.Popen(
        [WINE, str(starter), wine_path(EXE)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(ELEENGINE_WATCH_PARENT="0"),
    )  # fmt: skip
    program.stdin.write(b"ucci\n")
    program.stdin.flush()
    while not program.stdout.readline().startswith(b"ucciok"):
        pass
    program.kill()
    program.wait()
    time.sleep(1)
    left = processes()
    for number in left:
        os.kill(number, signal.SIGKILL)
    assert left


def test_starting_and_ending_again_and_again():
    """No answer is lost, and nobody stays."""
    slowest = 0.0
    for cycle in range(CYCLES):
        began = time.monotonic()
        process = subprocess.Popen(
            [WINE, str(EXE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        go = ["go depth 1", "go infinite", "isready"][cycle % 3]
        process.stdin.write(f"ucci\nposition startpos\n{go}\n".encode())
        process.stdin.flush()
        wanted = {"go depth 1": b"bestmove", "go infinite": b"info", "isready": b"readyok"}[go]
        lines = []
        for line in process.stdout:
            if line.startswith(b"ucciok"):
                slowest = max(slowest, time.monotonic() - began)
            lines.append(line)
            if line.startswith(wanted):
                break
        assert any(line.startswith(b"ucciok") for line in lines)
        out, errors = process.communicate(b"quit\n", timeout=20)
        assert (out.splitlines()[-1], errors, process.returncode) == (b"bye", b"", 0)
    print(f"slowest ucciok: {slowest:.2f} s")
    assert wait_for(lambda: not processes())


def test_a_large_table():
    _, out, errors = run(
        data=b"ucci\nsetoption hashsize 4096\nisready\nposition startpos\ngo depth 6\nquit\n"
    )
    assert errors == ""
    assert "readyok" in out
    assert "error" not in out


def test_a_table_beyond_the_memory_is_refused():
    _, out, _ = run(data=b"ucci\nsetoption hashsize 65536\nisready\nquit\n")
    if "error hashsize" not in out:
        pytest.skip("this machine has that much memory")
    assert "readyok" in out


def test_variables_of_another_python_do_no_harm():
    status, out, errors = run("--version", PYTHONHOME=r"C:\nowhere", PYTHONPATH=r"C:\nothing")
    assert (status, errors) == (0, "")
    assert out.startswith("eleengine ")


def test_a_folder_that_nobody_may_write():
    for path in [FOLDER, *FOLDER.rglob("*")]:
        path.chmod(path.stat().st_mode & ~0o222)
    before = sorted(FOLDER.rglob("*"))
    try:
        status, out, errors = run(data=b"ucci\nposition startpos\ngo depth 4\nquit\n")
    finally:
        for path in [FOLDER, *FOLDER.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)
    assert (status, errors) == (0, "")
    assert "ucciok" in out
    assert sorted(FOLDER.rglob("*")) == before


def test_where_one_stands_does_not_matter(tmp_path):
    result = subprocess.run([WINE, str(EXE), "--version"], cwd=tmp_path, capture_output=True, timeout=60)
    assert result.returncode == 0


def test_chinese_moves_in_a_pipe():
    """A Chinese Windows has code page 936; Wine takes it from the locale."""
    status, out, errors = run("analyse", "--depth", 2, "--notation", "chinese", text=False, LC_ALL=CHINESE)
    if b"the output is" in errors:
        pytest.skip("no locale zh_CN.UTF-8 here")
    assert (status, errors) == (0, b"")
    assert re.search("[炮馬马相兵车車仕帅士象卒将]", out.decode("gbk"))


def damaged(tmp_path):
    copy = tmp_path / "象棋"
    shutil.copytree(FOLDER, copy)
    return copy


def small(path):
    path.write_bytes(path.read_bytes()[:1000])


def spoil(path):
    """Other bytes, as many."""
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[:middle] = bytes(middle)
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("file", "harm"),
    [
        ("lib/files.txt", Path.unlink),
        ("lib/files.txt", spoil),
        ("lib/python3*.dll", Path.unlink),
        ("lib/python3*.dll", small),
        ("lib/python3*.dll", spoil),
        ("lib/python.zip", Path.unlink),
        ("lib/python.zip", spoil),
        ("lib/vcruntime140.dll", Path.unlink),
        ("lib/eleengine/_core.*.pyd", Path.unlink),
        ("lib/eleengine/_cpu.*.pyd", spoil),
        ("lib/eleengine/ucci/__pycache__/loop.*.pyc", spoil),
    ],
)
def test_a_missing_or_damaged_file_is_named(tmp_path, file, harm):
    folder = damaged(tmp_path)
    [victim] = folder.glob(file)
    harm(victim)
    status, out, errors = run(exe=folder / "eleengine.exe", data=b"ucci\nquit\n")
    name = victim.relative_to(folder).as_posix()
    assert status != 0
    assert re.search(rf"info string error .*{re.escape(victim.name)}", out.replace("\\", "/")), (out, errors)
    assert name in errors.replace("\\", "/")


def wine_path(path):
    return "Z:" + str(path).replace("/", "\\")


MATCH = ["match", "-e", "name=program", f'cmd="{wine_path(EXE)}"', "proto=ucci", "-e", "name=inside",
         "--nodes", "500", "--max-plies", "20"]  # fmt: skip


def test_a_match_of_programs_leaves_nobody():
    status, out, errors = run(*MATCH, "--pairs", 1)
    assert status == 0, (out, errors)
    assert "program" in out
    assert wait_for(lambda: not processes())


def test_a_match_that_is_killed_leaves_nobody():
    match = subprocess.Popen(
        [WINE, str(EXE), *MATCH, "--pairs", "1000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    assert wait_for(lambda: len(processes()) > 1, 60)
    match.kill()
    match.wait()
    assert wait_for(lambda: not processes())
