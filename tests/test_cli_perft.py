"""`eleengine perft` counts, compares, and tells what is wrong with its input."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from support import COMMAND, PIPES, POSITIONS, START, call, fails, perft_cases, terminal

from eleengine._internal.live import Progress

KINGS = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"  # 2, 3, 6, 14 leaves


def suite(tmp_path, *lines):
    path = tmp_path / "suite.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n")
    return path


def test_counts_the_initial_position():
    result = call("perft", "--depth", 3)
    assert (result.returncode, result.stderr) == (0, "")
    assert re.fullmatch(r"leaves 79666\nseconds \d+\.\d{3}\nmillion leaves/s \d+\.\d\n", result.stdout)
    assert call("perft", "--depth", 0).stdout.startswith("leaves 1\n")


@pytest.mark.parametrize("fen", [[KINGS], KINGS.split(), KINGS.split()[:2]], ids=["quoted", "words", "short"])
def test_fen_is_one_argument_or_several(fen):
    assert call("perft", *fen, "--depth", 4).stdout.startswith("leaves 14\n")


def test_divide_prints_each_move_and_the_sum():
    lines = call("perft", "--depth", 2, "--divide", "--threads", 2).stdout.splitlines()
    counts = dict(line.split() for line in lines[:44])
    assert len(counts) == 44
    assert counts["h2e2"] == "45"
    assert lines[44] == "leaves 1920" == f"leaves {sum(map(int, counts.values()))}"


def test_suite_of_this_project_passes():
    result = call("perft", "--suite", POSITIONS / "perft.jsonl", "--max-leaves", 100_000, "--threads", 1)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len(lines) == len(perft_cases()) + 4
    assert lines[0] == "perft-001    ok     depth 3: 79666"
    assert all(line.split()[1] == "ok" for line in lines[:-4])
    assert lines[-4] == f"positions {len(perft_cases())}, wrong 0"


def test_suite_with_a_wrong_count_exits_1(tmp_path):
    path = suite(
        tmp_path,
        {"id": "good", "fen": KINGS, "perft": [2, 3]},
        {"id": "bad", "fen": KINGS, "perft": [2, 4, 6]},
        {"fen": START, "perft": [44, 1920]},
        {"id": "big", "fen": START, "perft": [1_000_000]},
    )
    result = call("perft", "--suite", path, "--max-leaves", 100)
    assert result.returncode == 1
    assert result.stdout.splitlines()[:5] == [
        "good         ok     depth 2: 3", "bad          wrong  depth 2: expected 4, found 3",
        "line 3       ok     depth 1: 44", "big          skip   all counts are over the limit",
        "positions 4, wrong 1",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--depth", "61"], "--depth: must be a whole number from 0 to 60, not '61'"),
        (["--depth", "-1"], "--depth: must be a whole number from 0 to 60, not '-1'"),
        (["--depth", "2", "--threads", "0"], "--threads: must be a whole number from 1 to 1024, not '0'"),
        (["--depth", "0", "--divide"], "--divide needs a depth of at least 1"),
        ([], "needs --depth N or --suite FILE"),
        (["--suite", "x", "--depth", "2"], "--suite goes without FEN, --depth and --divide"),
        (["--suite", "/nonexistent/suite"], "/nonexistent/suite: No such file or directory"),
        (["--suite", "/"], "/: Is a directory"),
    ],
)
def test_bad_arguments_are_named(args, message):
    assert message in fails("perft", *args)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("perft", "not JSON: Expecting value at column 1"),
        ('{"fen": ', "not JSON: Expecting value at column 9"),
        ("[" * 100_000, "not JSON: nested too deeply"),
        ([], "expected a JSON object"),
        ({"perft": [2]}, '"fen" must be a text'),
        ({"fen": KINGS}, '"perft" must be a list of 1 to 60 whole numbers'),
        ({"fen": KINGS, "perft": []}, '"perft" must be a list'),
        ({"fen": KINGS, "perft": [2, -3]}, '"perft" must be a list'),
        ({"fen": KINGS, "perft": [2, "3"]}, '"perft" must be a list'),
        ({"fen": KINGS, "perft": [True]}, '"perft" must be a list'),
        ({"fen": KINGS.replace("9", "8", 1), "perft": [2]}, "rank 8 has 8 points instead of 9"),
    ],
)
def test_bad_suite_lines_are_named_and_left_out(tmp_path, line, message):
    good = {"id": "after", "fen": KINGS, "perft": [2]}
    path = suite(tmp_path, {"fen": KINGS, "perft": [2]}, "", line, good)
    result = call("perft", "--suite", path)
    assert result.returncode == 1
    assert "after        ok     depth 1: 2\npositions 2, wrong 0\n" in result.stdout
    error = result.stderr
    assert f"{path}:3: " in error
    assert message in error


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "big5", "utf-16", "utf-16-le"])
def test_a_suite_in_any_encoding(tmp_path, encoding):
    path = tmp_path / "suite"
    path.write_bytes(f'{{"id": "对局", "fen": "{KINGS}", "perft": [2]}}\r\n'.encode(encoding, "replace"))
    result = call("perft", "--suite", path)
    assert result.returncode == 0 and "ok     depth 1: 2\n" in result.stdout


def test_a_suite_without_positions_or_text_is_refused(tmp_path):
    assert "no positions" in fails("perft", "--suite", suite(tmp_path))
    path = tmp_path / "binary"
    path.write_bytes(b"\xff\xfe\x00")
    assert f"{path}: not a text" in fails("perft", "--suite", path)


def test_help_names_the_commands_and_an_error_the_unknown_one():
    assert "invalid choice: 'dance'" in fails("dance")
    assert re.search(r"^  perft +count", call("--help").stdout, re.M)
    assert "--max-leaves" in call("perft", "--help").stdout


@pytest.mark.system
def test_a_closed_pipe_ends_quietly():
    command = [*COMMAND, "perft", "--depth", "2", "--divide"]
    with subprocess.Popen(command, **PIPES) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


@pytest.mark.system
def test_ctrl_c_ends_quietly(tmp_path):
    long = [44, 1920, 79666, 3290240, 133312995, 5392831844]
    path = suite(tmp_path, {"fen": KINGS, "perft": [2]}, {"fen": START, "perft": long})
    command = [*COMMAND, "perft", "--suite", path, "--threads", "1", "--max-leaves", str(10**12)]
    with subprocess.Popen(command, **PIPES) as process:
        process.stdout.readline()  # the first line is there: it runs
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
    assert process.returncode == 130


@pytest.mark.system
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs a list of the threads of a process")
def test_ctrl_c_ends_a_deep_count_soon():
    command = [*COMMAND, "perft", "--depth", "9", "--threads", "2"]
    with subprocess.Popen(command, **PIPES) as process:
        while len(os.listdir(f"/proc/{process.pid}/task")) < 2:
            time.sleep(0.01)  # its threads do not count yet
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.communicate() == (b"", b"")
        assert time.monotonic() - start < 10
    assert process.returncode == 130


def test_the_position_is_given_as_elsewhere():
    assert "leaves 1564" in call("perft", "startpos", "moves", "炮二平五", "--depth", "2").stdout


@pytest.mark.system
def test_short_runs_show_no_progress():
    assert terminal("perft", "--depth", 3, "--threads", 1)[1].startswith("leaves 79666\r\n")


class Screen(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


def run_of_four_seconds(monkeypatch, terminal):
    clock = iter([0.0, 0.25, 1.0, 1.125, 4.0])
    screen = Screen(terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    with Progress("test") as progress:
        for done in (10, 20, 21, 40):
            progress.show(done, 80, done * 1_000_000)
    return screen.getvalue()


def test_progress_is_one_line_rewritten_and_removed_for_terminals_only(monkeypatch):
    first = "test 20/80 jobs, 20,000,000 leaves, 20.0 million leaves/s, 3 s left"
    last = "test 40/80 jobs, 40,000,000 leaves, 10.0 million leaves/s, 4 s left"
    assert run_of_four_seconds(monkeypatch, True) == f"\r{first}\r\r{last}\r\r{' ' * len(last)}\r"
    assert run_of_four_seconds(monkeypatch, False) == ""
