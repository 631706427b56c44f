"""The program from its start to its end, seen from the shell: signals, closed and full files."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import COMMAND, ENVIRONMENT, terminal

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(os.name == "nt", reason="the signals and shells of POSIX"),
]

# Interrupts the process when a module is about to be imported.
INTERRUPTER = """
import os, signal, sys
class Interrupter:
    def find_spec(self, name, path, target=None):
        if name == os.environ["INTERRUPT_AT"]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupter())
"""
ENGINE = [sys.executable, "-m", "eleengine.ucci"]


@pytest.mark.parametrize(
    ("command", "module"),
    [
        (COMMAND, "eleengine._internal.variants"),
        (COMMAND, "eleengine._core"),
        (COMMAND, "eleengine.rules"),
        (COMMAND, "eleengine.__main__"),
        (COMMAND, "eleengine.ucci.loop"),
        ([*COMMAND, "bench"], "eleengine.commands.bench"),
        (ENGINE, "eleengine._core"),
        (ENGINE, "eleengine.ucci.loop"),
    ],
)
def test_ctrl_c_before_the_program_is_ready_ends_it_quietly(tmp_path, command, module):
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTER)
    path = os.pathsep.join([str(tmp_path), ENVIRONMENT["PYTHONPATH"]])
    result = subprocess.run(
        command, env={**ENVIRONMENT, "PYTHONPATH": path, "INTERRUPT_AT": module}, capture_output=True,
        stdin=subprocess.DEVNULL, timeout=60,
    )  # fmt: skip
    assert (result.returncode, result.stderr) == (-signal.SIGINT, b"")


def test_a_program_that_imports_the_package_keeps_its_ctrl_c(tmp_path):
    asking = "import signal, eleengine.engines; print(signal.getsignal(2) is signal.default_int_handler)"
    script = tmp_path / "mine.py"
    script.write_text(asking)
    for command in (["-c", asking], [str(script)]):
        result = subprocess.run([sys.executable, *command], env=ENVIRONMENT, capture_output=True, text=True)
        assert (result.stdout, result.stderr) == ("True\n", "")


def ignored(pid):
    """The signals that a process ignores, as bits."""
    return int(re.search(r"SigIgn:\s*(\w+)", Path(f"/proc/{pid}/status").read_text())[1], 16)


@pytest.mark.parametrize("command", [[*COMMAND, "bench"], COMMAND, ENGINE])
def test_signals_that_the_parent_ignores_stay_ignored(command):
    process = subprocess.Popen(
        ["sh", "-c", 'trap "" INT HUP QUIT TERM; exec "$@"', "sh", *command], env=ENVIRONMENT,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not ignored(process.pid) >> signal.SIGINT - 1 & 1:
        time.sleep(0.01)  # the shell has not come so far
    if "bench" not in command:
        process.stdin.write("ucci\n")
        process.stdin.flush()
        while process.stdout.readline() != "ucciok\n":
            pass
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM):
        process.send_signal(number)
        time.sleep(0.1)
    out, err = process.communicate("isready\nquit\n", timeout=60)
    assert (process.returncode, err) == (0, "")
    assert "readyok" in out or "signature" in out


# Files that are closed or full


def shell(words, redirection):
    """(exit status, stdout, stderr) of a command line with a redirection, and without input."""
    script = f'"$@" {redirection}'
    result = subprocess.run(
        ["sh", "-c", script, "sh", *COMMAND, *words], env=ENVIRONMENT, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    return result.returncode, result.stdout, result.stderr


MATCH = ["match", "-e", "nodes=5", "-e", "nodes=6", "--pairs", "1", "--max-plies", "4"]
LINES = [
    ["--version"], ["--help"], ["analyse", "--depth", "1"], ["bench", "--depth", "1"], ["doctor"], ["eval"],
    ["judge"], MATCH, ["papers", "table", "--depth", "1", "--positions", "1"], ["perft", "--depth", "1"],
    ["play"], ["solve", "puzzles", "--depth", "1", "--limit", "1"],
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_no_command_trips_over_a_closed_or_full_file(words):
    plain = shell(words, "")[0]
    assert plain in (0, 1)
    for redirection in ("<&-", "2>&-", "<&- 2>&-"):
        assert shell(words, redirection)[0] == plain, redirection
    for redirection in (">&-", ">/dev/full", "<&- >&-"):
        status, _, err = shell(words, redirection)
        assert (status, err.splitlines()[-1].startswith("eleengine: output: ")) == (2, True), redirection
        assert "Traceback" not in err
    assert shell(words, "<&- >&- 2>&-")[0] == shell(words, ">/dev/full 2>/dev/full")[0] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="pipes always block there")
def test_a_pipe_that_does_not_block_is_waited_for():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    with subprocess.Popen(COMMAND, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=writer) as engine:
        os.close(writer)
        engine.stdin.write(b"uci\n" + b"d\n" * 1000 + b"isready\nquit\n")
        engine.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            engine.wait(1)  # nobody reads yet
        with open(reader, "rb") as answers:
            assert answers.read().endswith(b"readyok\n")
        assert engine.wait(100) == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no disk is always full here")
def test_an_engine_whose_log_is_full_says_so():
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            COMMAND, env=ENVIRONMENT, input=b"ucci\nquit\n", stdout=full, stderr=subprocess.PIPE, timeout=100
        )
    assert (result.returncode, result.stderr) == (2, b"eleengine: output: No space left on device\n")


@pytest.mark.parametrize("words", [["eval"], ["analyse", "--depth", "1"], ["--help"]], ids=" ".join)
def test_a_result_that_nobody_can_get_is_an_error(words):
    for redirection in (">&-", ">/dev/full"):
        status, _, err = shell(words, redirection)
        assert (status, err.startswith("eleengine: output: "), err.count("\n")) == (2, True, 1), err
    assert shell(words, ">&- 2>&-")[0] == 2


def test_a_file_is_not_taken_for_a_closed_output(tmp_path):
    """With stdout closed, the next file that is opened would be number 1, and get what is printed."""
    journal = tmp_path / "match.jsonl"
    assert shell([*MATCH, "--journal", str(journal)], ">&- 2>&-")[0] == 2
    assert all(line.startswith("{") for line in journal.read_text().splitlines())


def test_an_error_that_nobody_can_be_told_of_has_its_status():
    assert shell(["show", "/nowhere.pgn"], "2>/dev/full")[0] == 2
    assert shell(["show", "/nowhere.pgn"], "2>&-")[0] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudoterminal")
def test_who_starts_it_in_a_terminal_can_type_commands(tmp_path):
    """Before the first word of a protocol; a wrong one is named, and none ends the program."""
    status, text = terminal(
        cwd=tmp_path,
        then=[
            ("help for all commands", "help\n"),
            ("play against the engine in the terminal", "eleengine perft --depth 2\n"),
            ("1920", "perft --deep\n"),
            ("unrecognized arguments: --deep", 'nonsense "\n'),
            ("'nonsense' is no command; help lists them", "?\n"),
            ("commands:", "ucci\n"),
            ("ucciok", "perft 1\n"),
            ("info message note perft 1: 44", "quit\n"),
        ],
    )
    assert status == 0 and text.endswith("bye\r\n")
