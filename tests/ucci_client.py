"""The GUI's side of the conversation, for tests: over real pipes, with an engine here or in a process."""

import io
import os
import shlex
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

import pytest

from eleengine._core import STARTING_FEN, BaseBoard, Move, checks_enabled
from eleengine._internal.pipes import read_lines
from eleengine.ucci.loop import LONGEST, Loop

# The command of another build, such as the one for Windows under Wine: CONTRIBUTING.md.
FOREIGN = shlex.split(os.environ.get("ELEENGINE_TEST_COMMAND", ""))
FOR_WINDOWS = bool(FOREIGN) and FOREIGN[-1].endswith(".exe")
COMMAND = FOREIGN or [sys.executable, "-m", "eleengine.ucci"]
START = f"position fen {STARTING_FEN}"
M2 = "position fen 4k4/9/9/9/9/9/9/9/3R5/R2K5 w - - 0 1"  # mate in two
DEAD = f"{M2} moves a0a8 e9f9 d1d9"
STALEMATE = "position fen 3k5/9/3P5/9/9/9/9/9/4R4/4K4 b - - 0 1"
MIDDLE = "position fen r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1"
# Seconds to answer at once and to end. The protocol asks for 50 ms; the league client forfeits after
# 200, which leaves room for busy machines. Builds with checks and sanitizers are slower still, as is Wine.
PROMPT, END = (1.5, 3.0) if checks_enabled() or FOREIGN else (0.2, 0.5)
# One thread finds the same every time.
THREADS = os.environ.get("ELEENGINE_TEST_THREADS", "1")
TERMINAL = ("bestmove", "nobestmove")

PATIENCE = 120.0  # seconds: no answer takes so long, not even with sanitizers on a busy machine


def busy():
    """How many programs share a processor: 1 on an idle machine."""
    running = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if (file := Path("/proc/loadavg")).exists():
        running = max(running, float(file.read_text().split()[3].split("/")[0]))  # at this moment
    return max(1.0, running / (os.cpu_count() or 1))


def within(seconds):
    """A limit on a time, longer where other programs share the processors."""
    return seconds * busy()


class Here:
    """The engine in threads of this process; to its user like the process of a program."""

    pid = os.getpid()

    def __init__(self, make):
        self.returncode = None
        self._over = threading.Condition()
        self._given, stdin = os.pipe()
        stdout, self._replies = os.pipe()
        self.stdin, self.stdout = io.FileIO(stdin, "w"), io.FileIO(stdout)
        self.stderr = io.BytesIO()
        threading.Thread(target=self._run, args=(make,), daemon=True).start()

    def _run(self, make):
        try:
            chunks = iter(lambda: os.read(self._given, 1 << 16), b"")
            make(self._write, end_process=self._end).run(read_lines(chunks, LONGEST))
        except BaseException:
            self.stderr = io.BytesIO(traceback.format_exc().encode())
        finally:
            self._end()
            os.close(self._given)

    def _write(self, reply):
        with self._over:
            while reply and self.returncode is None:
                reply = reply[os.write(self._replies, reply) :]

    def _end(self):
        with self._over:
            if self.returncode is None:
                self.returncode = 0
                os.close(self._replies)
                self._over.notify_all()

    def poll(self):
        return self.returncode

    def wait(self, timeout):
        with self._over:
            if not self._over.wait_for(lambda: self.returncode is not None, timeout):
                raise subprocess.TimeoutExpired("Loop", timeout)
        return self.returncode

    def kill(self):
        self._end()


class Engine:
    """An engine; `lines` holds what it wrote, as (time, text).

    command: of a process to start; without one it runs in this process, if no other build is tested.
    make: what makes its end of the conversation in this process.
    """

    def __init__(self, dialect="ucci", command=None, hash_mib=4, book=False, make=Loop):
        self.started = time.monotonic()
        if command or (FOREIGN and make is Loop):
            pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
            self.process = subprocess.Popen(command or FOREIGN, bufsize=0, **pipes)
        else:
            self.process = Here(make)
        self.lines = []
        self.chunks = []
        self.seen = 0  # lines that expect() has passed
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        if dialect:
            self.send(dialect)
            self.expect(f"{dialect}ok")
            if not book:
                self.send("setoption usebook false")
            if hash_mib:
                self.send(f"setoption name Hash value {hash_mib}")
                self.send(f"setoption name Threads value {THREADS}", "isready")
                self.expect("readyok")

    def _read(self):
        rest = b""
        while chunk := os.read(self.process.stdout.fileno(), 1 << 16):
            now = time.monotonic()
            *whole, rest = (rest + chunk).split(b"\n")
            with self.news:
                self.chunks.append(chunk)
                if FOREIGN:  # lines end as they do there
                    whole = [line.removesuffix(b"\r") for line in whole]
                self.lines += [(now, line.decode("ascii")) for line in whole]
                self.news.notify_all()

    def raw(self, data):
        """Write bytes in one go; return the time before."""
        now = time.monotonic()
        self.process.stdin.write(data)
        return now

    def send(self, *lines):
        return self.raw("".join(f"{line}\n" for line in lines).encode())

    def expect(self, *starts, timeout=PATIENCE):
        """The next line that starts with one of these; fails if it does not come in time."""
        return self.expect_timed(*starts, timeout=timeout)[1]

    def expect_timed(self, *starts, timeout=PATIENCE):
        deadline = time.monotonic() + timeout
        with self.news:
            while True:
                while self.seen < len(self.lines):
                    self.seen += 1
                    if self.lines[self.seen - 1][1].startswith(starts):
                        return self.lines[self.seen - 1]
                left = deadline - time.monotonic()
                if left <= 0 or (not self.news.wait(left) and self.seen == len(self.lines)):
                    pytest.fail(f"no {' or '.join(starts)} within {timeout} s after {self.texts()[-8:]}")

    def texts(self, start=0):
        with self.news:
            return [text for _, text in self.lines[start:]]

    def mark(self):
        """How many lines there are so far."""
        with self.news:
            return len(self.lines)

    def quiet(self, seconds):
        """What has come since the last expect() when that time has passed."""
        time.sleep(seconds)
        return self.texts(self.seen)

    def skip(self):
        """Let expect() look only at what comes from now on."""
        self.seen = self.mark()

    def sync(self):
        """Wait until all commands so far took effect; return the lines that came since the last expect."""
        start = self.seen
        self.send("isready")
        self.expect("readyok")
        return self.texts(start)[:-1]

    def answer(self, *commands, timeout=PATIENCE):
        """The terminal line for commands that end with a `go`."""
        self.send(*commands)
        return self.expect(*TERMINAL, timeout=timeout)

    def best(self, *commands, timeout=PATIENCE):
        """The move of the terminal line, which must be one."""
        words = self.answer(*commands, timeout=timeout).split()
        assert words[0] == "bestmove", words
        return words[1]

    def terminals(self, start=0):
        return [text for text in self.texts(start) if text.startswith(TERMINAL)]

    def cpu(self):
        """Seconds of CPU the process has used."""
        if self.process.pid == os.getpid():
            return time.process_time()
        stat = Path(f"/proc/{self.process.pid}/stat")
        if not stat.exists():
            pytest.skip("no /proc to read CPU times from")
        fields = stat.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def wait(self, timeout=PATIENCE):
        """The exit status."""
        status = self.process.wait(timeout)
        self.reader.join(timeout)
        return status

    def quit(self):
        """End the process if it still runs; its stderr must be empty and its exit status 0."""
        if self.process.poll() is None:
            try:
                self.process.stdin.close()
                self.process.wait(10)
            except (OSError, subprocess.TimeoutExpired):
                self.process.kill()
                raise
        errors = self.process.stderr.read()
        # Who reads a number after its file was closed reads what is opened next: another engine's output.
        self.reader.join(10)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        assert errors == b""
        assert self.process.returncode == 0


def board_after(*moves, fen=STARTING_FEN):
    board = BaseBoard(fen)
    for move in moves:
        board.push(Move.from_iccs(move))
    return board


def is_legal(text, *moves, fen=STARTING_FEN):
    return Move.from_iccs(text) in board_after(*moves, fen=fen).legal_moves


def pv_lines(lines):
    return [line for line in lines if " pv " in line]


def field(line, name):
    """The word behind name."""
    words = line.split()
    return words[words.index(name) + 1]
