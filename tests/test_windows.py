"""The Windows folder under Wine; `packaging/windows/check` unpacks it, tells where it is, and runs this."""

import fcntl
import io
import json
import os
import pty
import queue
import re
import shutil
import signal
import subprocess
import termios
import threading
import time
import tty
import urllib.request
import zipfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from support import CHECKOUT, wait_until

from eleengine import Board, Engine, Limit, Move

WINE = os.environ.get("ELEENGINE_TEST_WINE", "")
FOLDER = Path(os.environ.get("ELEENGINE_TEST_WINDOWS", "nowhere"))
EXE = FOLDER / "eleengine.exe"
# A python.exe with the library of the folder, for what only a program inside Windows can do.
PYTHON = Path(os.environ.get("ELEENGINE_TEST_WINDOWS_PYTHON", "nowhere"))
# Another engine for Windows, as a path inside Wine.
OPPONENT = os.environ.get("ELEENGINE_TEST_WINDOWS_OPPONENT", "")
TOOLS = "x86_64-w64-mingw32-"
# What Wine takes the code page from: 936, and the UTF-8 of languages that never had another.
LOCALES = {"zh_CN.UTF-8": "gbk", "hi_IN.UTF-8": "utf-8"}
CYCLES = int(os.environ.get("ELEENGINE_TEST_CYCLES", "25"))
SIGNATURE = (CHECKOUT / "tests" / "bench_signature.txt").read_text().strip()
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
VARIANTS = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
# What XQWizard says at the start, in its order; nothing of it is answered.
GREETING = [
    "setoption guiname XQWizard", "setoption usemillisec true", "setoption promotion false",
    "setoption usebook true", "setoption useegtb false", r"setoption bookfiles C:\books\BOOK.DAT",
    "setoption hashsize 0", "setoption threads 0", "setoption idle none", "setoption randomness none",
    "setoption style normal", "setoption newgame", "setoption ponder true",
]  # fmt: skip

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not (WINE and EXE.exists()), reason="needs Wine and the Windows folder"),
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("wine"),
]


def processes(exe=EXE, others=rb"starter\.exe|wine|python|timeout"):
    """The ids of the engines that run; Wine shows their command lines as ours."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = entry.read_bytes().replace(b"\0", b" ").replace(b"\\", b"/")
        except OSError:
            continue  # it has ended just now
        if os.fsencode(exe) in line and not re.search(others, line):
            found.append(int(entry.parent.name))
    return found


def run(*arguments, exe=EXE, text=True, data=None, **more):
    """A command of the Windows build: exit status, what it wrote on stdout and on stderr."""
    command = [WINE, str(exe), *map(str, arguments)]
    process = subprocess.Popen(command, env=os.environ | more, **PIPES)
    try:
        out, errors = process.communicate(data or b"", timeout=300)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    if process.returncode == 0:
        # A driver of Wine's own (ntoskrnl.exe) may crash, and tells it on the stderr that it has inherited; a
        # crash of ours has another exit status.
        errors = re.sub(rb"^wine: Unhandled page fault [^\n]*\n", b"", errors, flags=re.M)
    if text:
        out, errors = (part.decode("utf-8", "replace").replace("\r\n", "\n") for part in (out, errors))
    return process.returncode, out, errors


@pytest.fixture(scope="session")
def starter(tmp_path_factory):
    exe = tmp_path_factory.mktemp("starter") / "starter.exe"
    source = CHECKOUT / "tests" / "windows_starter.c"
    subprocess.run([f"{TOOLS}gcc", "-O2", "-Wall", "-municode", "-static", source, "-o", exe], check=True)
    return exe


def objdump(what, module):
    command = [f"{TOOLS}objdump", what, module]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Gui:
    """A GUI with XQWizard's way of starting engines."""

    def __init__(self, starter, exe=EXE):
        self.process = subprocess.Popen([WINE, str(starter), wine_path(exe)], **PIPES)
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

    def greet(self):
        """Begin to speak UCCI; what it says before its ucciok."""
        self.say("ucci")
        return self.hear("ucciok")[1]

    def quit(self):
        self.say("quit")
        self.hear("bye", seconds=5)
        self.process.stdin.close()
        assert self.process.wait(20) == 0
        self.process.stdout.close()
        self.process.stderr.close()

    def kill(self):
        self.process.kill()
        self.process.wait()


@contextmanager
def gui(starter, exe=EXE):
    client = Gui(starter, exe)
    try:
        yield client
    finally:
        if client.process.poll() is None:
            client.kill()
    wait_until(lambda: not processes())


def test_the_modules_need_only_windows_and_python():
    modules = [EXE, *FOLDER.glob("lib/eleengine/**/*.pyd")]
    assert len(modules) >= 3 + len(VARIANTS) - 1
    for module in modules:
        needed = {name.lower() for name in re.findall(r"DLL Name: (\S+)", objdump("-p", module))}
        others = {name for name in needed if not re.match(r"python3\d+\.dll|api-ms-win-crt-.*", name)}
        assert others <= {"kernel32.dll", "msvcrt.dll", "ucrtbase.dll"}, module


def test_no_wide_register_moves_aligned():
    """gcc does not align the stack to 32 bytes on Windows: such a move of a spilled register would crash."""
    for module in FOLDER.glob("lib/eleengine/variants/*/*.pyd"):
        code = objdump("-d", module)
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
        assert any(line.startswith("option usemillisec ") for line in client.greet())
        client.say(*GREETING)
        moves = []
        pondered = 0
        for turn in range(20):  # a line of one move has nothing to ponder on
            if pondered == 6:
                break
            place = f"position startpos moves {' '.join(moves)}".removesuffix(" moves ")
            client.say(place, "go time 4000 increment 0 opptime 4000 oppincrement 0")
            answer, before = client.hear("bestmove")
            if turn == 0:
                assert all(line.startswith("info ") for line in before)
            words = answer.split()
            moves.append(words[1])
            if words[2:3] != ["ponder"]:
                client.say(f"position startpos moves {' '.join(moves)}", "go depth 1")
                moves.append(client.hear("bestmove")[0].split()[1])
                continue
            pondered += 1
            client.say(
                f"position startpos moves {' '.join([*moves, words[3]])}",
                "go ponder time 3000 increment 0 opptime 3000 oppincrement 0",
            )
            time.sleep(0.2)
            asked = time.monotonic()
            if pondered % 2 == 0:
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
        assert pondered == 6
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
        client.quit()


def test_a_whole_game_with_clock_and_pondering(starter):
    """Until mate or a draw, against a weak player; the clock is kept as a GUI keeps it."""
    board, clock, hits = Board(), 30.0, 0
    with gui(starter) as client, Engine(skill=4, hash_mib=4) as opponent:
        client.greet()
        client.say(*GREETING, "setoption usebook false")
        expected = None
        while True:
            go = f"time {clock * 1000:.0f} increment 100 opptime 30000 oppincrement 100"
            began = time.monotonic()
            if expected is not None and board.peek() == expected:
                hits += 1
                client.say("ponderhit")
            else:
                if expected is not None:
                    client.say("stop")
                    client.hear("bestmove")
                    began = time.monotonic()
                moves = " ".join(move.iccs() for move in board.move_stack)
                client.say(f"position startpos moves {moves}".removesuffix(" moves "), f"go {go}")
            words = client.hear("bestmove")[0].split()
            clock -= time.monotonic() - began - 0.1
            assert clock > 0, "lost on time"
            move = Move.from_iccs(words[1])
            assert move in board.legal_moves
            board.push(move)
            if board.is_game_over() or board.ply >= 300:
                break
            expected = Move.from_iccs(words[3]) if words[2:3] == ["ponder"] else None
            if expected is not None:
                assert expected in board.legal_moves
                moves = " ".join(move.iccs() for move in [*board.move_stack, expected])
                client.say(f"position startpos moves {moves}", f"go ponder {go}")
            # Every other answer is the expected one, or chance would tell whether there is any.
            reply = opponent.play(board, Limit(nodes=300)).move
            board.push(expected if expected is not None and board.ply % 4 == 1 else reply)
            if board.is_game_over():
                if expected is not None:
                    client.say("stop")
                    client.hear("bestmove")
                break
        assert board.is_game_over()
        print(f"{board.result()} after {board.ply} plies, {hits} expected answers, {clock:.1f} s left")
        assert hits > 0
        client.quit()


@pytest.mark.parametrize(
    "last", [(), ("position startpos", "go infinite"), ("position startpos", "go ponder time 9000")]
)
def test_the_engine_ends_with_its_gui(starter, last):
    """Whatever it does when the GUI is killed; its pipes never end, for it holds their other ends itself."""
    with gui(starter) as client:
        client.greet()
        client.say(*last)
        if last:
            client.hear("info")
        assert processes()
        client.kill()
        wait_until(lambda: not processes(), seconds=10)


def test_the_engine_ends_with_a_gui_that_has_ended_before_it_was_ready(starter):
    subprocess.run([WINE, str(starter), wine_path(EXE), "end"], check=True, timeout=60)
    wait_until(lambda: not processes(), seconds=60)


def test_a_gui_that_ends_is_no_end_when_told_so(starter):
    """A batch file that starts the engine and ends."""
    program = subprocess.Popen(
        [WINE, str(starter), wine_path(EXE)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | {"ELEENGINE_WATCH_PARENT": "0"},
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


@pytest.mark.timeout(600 + 5 * CYCLES)
def test_starting_and_ending_again_and_again():
    """No answer is lost, and nobody stays."""
    slowest = 0.0
    for cycle in range(CYCLES):
        began = time.monotonic()
        process = subprocess.Popen([WINE, str(EXE)], **PIPES)
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
        assert any(line.startswith(b"ucciok") for line in lines), (cycle, lines)
        out, errors = process.communicate(b"quit\n", timeout=20)
        assert (out.splitlines()[-1], errors, process.returncode) == (b"bye", b"", 0)
    print(f"slowest ucciok: {slowest:.2f} s")
    wait_until(lambda: not processes())


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


CHINESE = ("analyse", "--depth", "2", "--notation", "chinese")
PIECES = "[炮馬马相兵车車仕帅士象卒将]"


@pytest.mark.parametrize("locale", LOCALES)
def test_chinese_moves_in_a_pipe(locale):
    status, out, errors = run(*CHINESE, text=False, LC_ALL=locale)
    if b"the output is" in errors:
        pytest.skip(f"no locale {locale} here")
    assert (status, errors) == (0, b"")
    assert re.search(PIECES, out.decode(LOCALES[locale]))


@pytest.mark.parametrize("encoding", ["gbk", "utf-8"])
def test_files_under_a_chinese_path(tmp_path, encoding):
    """XQWizard sends paths in the code page of the system, here 936; others send UTF-8."""
    locale = next(name for name, page in LOCALES.items() if page == "gbk")
    folder = tmp_path / "象棋 开局"
    tables = folder / "残局"
    tables.mkdir(parents=True)
    package = FOLDER / "lib/eleengine"
    shutil.copy(package / "shipped.nnue", folder / "网络.nnue")
    shutil.copy(package / "tables/shipped/R-.table", tables)
    shutil.copy(CHECKOUT / "tests/books/book.obk", folder / "开局.obk")
    talk = (
        f"ucci\nsetoption debuglogfile {wine_path(folder)}\\日志.txt\n"
        f"setoption evalfile {wine_path(folder)}\\网络.nnue\n"
        f"setoption tablepath {wine_path(tables)}\nsetoption bookfiles {wine_path(folder)}\\开局.obk\n"
        "position startpos\ngo depth 2\nquit\n"
    )
    status, out, errors = run(data=talk.encode(encoding), LC_ALL=locale)
    if status == 0 and run(*CHINESE, text=False, LC_ALL=locale)[2]:
        pytest.skip(f"no locale {locale} here")
    assert (status, errors) == (0, "")
    assert "error" not in out and "warning" not in out, out
    assert "note book move" in out
    assert ">> setoption tablepath" in (folder / "日志.txt").read_text(encoding=encoding)


class Console:
    """A program on a console, which Wine makes of a terminal; with a pipe for stdin on request."""

    def __init__(self, *arguments, pipe=False):
        self.screen, end = pty.openpty()
        if not pipe:
            tty.setraw(end)  # as Wine has it, which has not said so yet when we type
        self.process = subprocess.Popen(
            [WINE, str(EXE), *arguments],
            stdin=subprocess.PIPE if pipe else end, stdout=end, stderr=end,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(end)
        self.text = ""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            while data := os.read(self.screen, 1 << 16):
                self.text += data.decode("utf-8", "replace")
        except OSError:  # nobody is on the other end any more
            pass

    def type(self, data):
        os.write(self.screen, data)

    def expect(self, pattern):
        wait_until(lambda: re.search(pattern, self.text), seconds=60)


@contextmanager
def console(*arguments, pipe=False):
    program = Console(*arguments, pipe=pipe)
    try:
        yield program
    finally:
        if program.process.poll() is None:
            for number in processes():
                os.kill(number, signal.SIGKILL)
            program.process.kill()
            program.process.wait()
        os.close(program.screen)


def test_chinese_moves_on_a_console():
    with console(*CHINESE) as program:
        assert program.process.wait(60) == 0
        assert re.search(PIECES, program.text)


def test_the_language_is_that_of_windows(tmp_path):
    """Windows sets no variable for it, as the others do."""
    locale = next(name for name, page in LOCALES.items() if page == "gbk")
    batch = tmp_path / "play.cmd"
    batch.write_text(f'@set LC_ALL=\n@set LANG=\n@"{wine_path(EXE)}" play\n', encoding="gbk", newline="\r\n")
    status, out, errors = run(
        "/c", wine_path(batch), exe="cmd", text=False, data=b"help\nquit\n", LC_ALL=locale
    )
    if errors:
        pytest.skip(f"no locale {locale} here")
    assert status == 0
    assert "收回您的上一步" in out.decode("gbk")


def test_who_double_clicks_can_type_commands(tmp_path):
    with console() as program:
        program.expect("象棋界面")
        program.type(b"help\r")
        program.expect("commands:")
        program.type(b"nonsense\r")
        program.expect("没有这个命令")
        program.type(b"play startpos --level 0\r")
        program.expect("red>")
        program.type("炮二平五\r".encode())
        program.expect("eleengine plays")
        program.type(b"quit\r")
        program.expect("game is kept")
        program.type(f"board --no-browser --folder {wine_path(tmp_path)}\r".encode())
        program.expect(r"http://127\.0\.0\.1:\d+/#")
        # Wine hands Ctrl-C to nobody who does not read; the board stays until it is ended.


def test_a_click_opens_the_board(tmp_path):
    """The batch file of the folder, which hands its arguments on."""
    copy = tmp_path / "象棋 引擎"
    shutil.copytree(FOLDER, copy)
    [batch] = copy.glob("*.cmd")
    arguments = ["--no-browser", "--folder", wine_path(tmp_path)]
    exe = copy / "eleengine.exe"
    with board("cmd", "/c", wine_path(batch), *arguments, exe=exe, cwd=tmp_path) as address:
        with urllib.request.urlopen(address.partition("#")[0], timeout=60) as page:
            assert b"eleengine" in page.read()
        assert len(processes(exe)) == 1


@pytest.mark.parametrize("pipe", [False, True], ids=["console", "pipe"])
@pytest.mark.parametrize("go", ["isready", "go infinite"])
def test_ctrl_c_ends_the_engine(pipe, go):
    """Also while it waits for input that does not come."""
    with console(pipe=pipe) as program:
        talk = f"ucci\n{go}\n"
        if pipe:
            program.process.stdin.write(talk.encode())
            program.process.stdin.flush()
        else:
            program.expect("象棋界面")
            program.type(talk.replace("\n", "\r").encode())
        program.expect("readyok" if go == "isready" else "info depth")
        program.type(b"\x03")
        program.process.wait(20)
        wait_until(lambda: not processes())


@contextmanager
def board(*command, exe=EXE, **more):
    """A server of the board, and the address that it prints."""
    pipes = PIPES | {"stdin": subprocess.DEVNULL}
    server = subprocess.Popen([WINE, *command], text=True, **pipes, **more)
    try:
        yield server.stdout.readline().strip()
    finally:
        for number in processes(exe):
            os.kill(number, signal.SIGKILL)
        server.kill()
        server.communicate()


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


def test_the_board_in_the_browser(tmp_path):
    """The folder has the packages of the extra `board`."""
    client = pytest.importorskip("websockets.sync.client", reason="needs the extra board")
    with board(str(EXE), "board", "--no-browser", "--folder", wine_path(tmp_path)) as address:
        origin, _, token = address.partition("/#")
        with client.connect(f"{origin.replace('http', 'ws')}/socket", origin=origin, open_timeout=60) as page:
            page.send(json.dumps({"type": "hello", "token": token}))
            told = []
            while not any(message["type"] == "board" for message in told):
                told += json.loads(page.recv(timeout=60))
        assert [message["type"] for message in told] == ["welcome", "document", "board"]


# What a Windows program sees

needs_python = pytest.mark.skipif(not PYTHON.exists(), reason="needs a Python for Windows")
PRIORITIES = r"""
import ctypes, subprocess, sys
from ctypes import wintypes

class Thread(ctypes.Structure):
    names = "size usage id process base delta flags".split()
    _fields_ = [(name, wintypes.LONG if name in ("base", "delta") else wintypes.DWORD) for name in names]

kernel = ctypes.WinDLL("kernel32")
kernel.CreateToolhelp32Snapshot.restype = kernel.OpenThread.restype = ctypes.c_void_p
engine = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
engine.stdin.write(b"ucci\nsetoption threads 2\nposition startpos\ngo infinite\n")
engine.stdin.flush()
while b"depth 9 " not in engine.stdout.readline():
    pass
print("class", kernel.GetPriorityClass(ctypes.c_void_p(int(engine._handle))))
snapshot = ctypes.c_void_p(kernel.CreateToolhelp32Snapshot(4, 0))
thread = Thread(size=ctypes.sizeof(Thread))
more = kernel.Thread32First(snapshot, ctypes.byref(thread))
while more:
    if thread.process == engine.pid:
        handle = ctypes.c_void_p(kernel.OpenThread(0x40, False, thread.id))
        print("thread", kernel.GetThreadPriority(handle))
    more = kernel.Thread32Next(snapshot, ctypes.byref(thread))
engine.communicate(b"stop\nquit\n")
"""


@needs_python
def test_no_thread_has_more_than_normal_priority(tmp_path):
    (tmp_path / "priorities.py").write_text(PRIORITIES)
    status, out, errors = run(wine_path(tmp_path / "priorities.py"), wine_path(EXE), exe=PYTHON)
    assert (status, errors) == (0, "")
    told = [line.split() for line in out.splitlines()]
    assert [int(number) for what, number in told if what == "class"] in ([0x20], [0x40])  # normal, idle
    threads = [int(number) for what, number in told if what == "thread"]
    assert len(threads) >= 3  # two that search, one that reads
    assert set(threads) == {0}


CLOSE = """
import ctypes, sys, time
user = ctypes.WinDLL("user32")
while not (window := user.FindWindowW("WineConsoleClass", None)):
    time.sleep(0.1)
user.PostMessageW(ctypes.c_void_p(window), 0x10, 0, 0)  # WM_CLOSE
"""


@needs_python
def test_closing_the_window_of_the_console_ends_the_engine(tmp_path):
    if not shutil.which("Xvfb"):
        pytest.skip("needs Xvfb, for a screen")
    screen = subprocess.Popen(["Xvfb", "-displayfd", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    (tmp_path / "close.py").write_text(CLOSE)
    # The Wine of the other tests has no screen, and keeps to that.
    display = f":{screen.stdout.readline().decode().strip()}"
    own = os.environ | {"WINEPREFIX": str(tmp_path / "prefix"), "DISPLAY": display}
    try:
        subprocess.run([WINE, "wineboot", "-i"], env=own, stderr=subprocess.DEVNULL, check=True)
        engine = subprocess.Popen(
            [WINE, "wineconsole", str(EXE)], env=own, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_until(processes, seconds=60)
        assert run(wine_path(tmp_path / "close.py"), exe=PYTHON, **own)[0] == 0
        wait_until(lambda: not processes(), seconds=20)
        engine.wait(20)
    finally:
        subprocess.run(["wineserver", "-k"], env=own)
        screen.kill()
        screen.communicate()


@needs_python
def test_the_engine_behind_the_wrapper_of_pip_ends_with_its_gui(starter, tmp_path):
    """The wrapper starts Python and waits; nobody tells it that the GUI has gone."""
    distlib = pytest.importorskip("pip._vendor.distlib", reason="needs the wrapper that pip uses")
    start = Path(distlib.__file__).with_name("t64.exe")
    if not start.exists():
        pytest.skip("this pip has no wrapper for Windows")
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("__main__.py", "import sys\nfrom eleengine.__main__ import main\nsys.exit(main())\n")
    wrapper = tmp_path / "eleengine.exe"
    wrapper.write_bytes(start.read_bytes() + f"#!{wine_path(PYTHON)}\n".encode() + code.getvalue())

    def left():
        return processes(wrapper, rb"starter\.exe|wine|timeout")

    with gui(starter, wrapper) as client:
        client.greet()
        client.say("position startpos", "go infinite")
        client.hear("info")
        assert len(left()) == 2  # the wrapper, and Python with its name
        client.kill()
        try:
            wait_until(lambda: not left(), seconds=15)
        finally:
            for number in left():
                os.kill(number, signal.SIGKILL)


@pytest.mark.skipif(not OPPONENT, reason="needs another engine for Windows")
def test_a_match_against_another_engine():
    status, out, errors = run(
        "match", "-e", "name=eleengine", f'cmd="{wine_path(EXE)}"', "proto=ucci",
        "-e", "name=other", f'cmd="{OPPONENT}"', "proto=ucci", "--pairs", 2, "--tc", "10+0.1", "--margin", 1,
        "--openings", "openings", "--json",
    )  # fmt: skip
    assert status in (0, 1), (out, errors)  # 1: a game was lost by a fault, such as time
    result = json.loads(out)
    assert result["games"] == 4
    assert "eleengine" not in result["faults"], out
    wait_until(lambda: not processes())


def wine_path(path):
    return "Z:" + str(path).replace("/", "\\")


MATCH = ["match", "-e", "name=program", f'cmd="{wine_path(EXE)}"', "proto=ucci", "-e", "name=inside",
         "--nodes", "500", "--max-plies", "20"]  # fmt: skip


def test_a_match_of_programs_leaves_nobody():
    status, out, errors = run(*MATCH, "--pairs", 1)
    assert status == 0, (out, errors)
    assert "program" in out
    wait_until(lambda: not processes())


def test_a_match_that_is_killed_leaves_nobody():
    match = subprocess.Popen(
        [WINE, str(EXE), *MATCH, "--pairs", "1000"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    wait_until(lambda: len(processes()) > 1, seconds=60)
    match.kill()
    match.wait()
    wait_until(lambda: not processes())
