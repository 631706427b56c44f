"""Handshake and pipe: items 1 to 22 of the conformance checklist (the numbers in the names)."""

import os
import signal
import subprocess
import time

import pytest
from ucci_client import COMMAND, DEAD, END, FOR_WINDOWS, M2, TERMINAL, Engine, within

from eleengine._core import checks_enabled

MUST = {"usemillisec", "batch", "debug", "ponder", "newgame", "hashsize"}


@pytest.fixture
def fresh():
    """A process that has heard nothing yet."""
    engine = Engine(dialect=None)
    yield engine
    engine.quit()


def handshake(engine, start=0):
    lines = engine.texts(start)
    return lines[: lines.index("ucciok") + 1]


@pytest.mark.system
def test_001_silent_and_idle_without_input(fresh):
    time.sleep(1)
    assert fresh.texts() == []
    before = fresh.cpu()
    time.sleep(0.5)
    assert fresh.cpu() - before <= 0.02


def test_002_004_005_the_handshake(fresh):
    fresh.send("ucci")
    fresh.expect("ucciok")
    *before, last = fresh.texts()
    assert last == "ucciok"
    assert all(line.startswith(("id ", "option ")) for line in before)
    ids = [line for line in before if line.startswith("id ")]
    assert ids[0] == "id name eleengine"
    assert {line.split()[1] for line in ids} >= {"name", "version", "author"}
    assert "option usemillisec type check default true" in before


@pytest.mark.parametrize(("words", "end"), [("ucci", "ucciok"), ("uci", "uciok")])
def test_the_first_choice_of_an_option_is_the_default(fresh, words, end):
    """uci2wb, which stands between xboard and the engine, sets the first choice whatever the default is."""
    fresh.send(words)
    fresh.expect(end)
    combos = [line.split() for line in fresh.texts() if " type combo " in line]
    assert combos
    for line in combos:
        assert line[line.index("default") + 1] == line[line.index("var") + 1]


@pytest.mark.system
def test_003_handshake_is_quick():
    times, work = [], []
    for _ in range(5):
        engine = Engine(command=COMMAND, hash_mib=0)
        times.append(engine.lines[-1][0] - engine.started)
        work.append(engine.cpu())
        engine.quit()
    assert min(times) < within(1.0)
    assert min(work) < within(1.0 if checks_enabled() else 0.3)


def test_006_options_are_well_formed(fresh):
    fresh.send("ucci")
    fresh.expect("ucciok")
    options = [line.split() for line in fresh.texts() if line.startswith("option ")]
    assert {words[1] for words in options} >= MUST
    for words in options:
        assert words[1].isalpha() and words[1].islower() and words[2] == "type"
        kind, rest = words[3], words[4:]
        if kind == "spin":
            assert rest[::2] == ["default", "min", "max"]
            default, low, high = map(int, rest[1::2])
            assert low <= default <= high
        elif kind == "combo":
            assert rest[0] == "default" and set(rest[2::2]) == {"var"} and rest[1] in rest[3::2]
        elif kind == "check":
            assert rest in (["default", "true"], ["default", "false"])
        elif kind == "string":
            assert rest in (["default", "masters"], ["default", "<internal>"], [])
        else:
            assert kind == "button" and rest == []


def test_007_008_lines_are_clean_ascii(engine):
    engine.send("setoption debug true", "setoption multipv 2", "hello w\xf6rld", "setoption hashsize lots")
    engine.best("go depth 5")
    engine.send("uci", "go depth 4")
    engine.expect("bestmove")
    for chunk in engine.chunks:
        assert all(byte in b"\r\n" or 32 <= byte <= 126 for byte in chunk)
    for line in engine.texts():
        assert line == line.strip() and line


ROUGH = [b"ucci\r\n", b"ucci\r\r\n", b"  \tucci\n", b"UCCI\n", b"ucci \t\n", b"uc\0ci\n"]


@pytest.mark.parametrize("first", ROUGH)
def test_009_forgiving_about_blanks_and_case(fresh, first):
    fresh.raw(first)
    fresh.expect("ucciok")


def test_010_uci_handshake(fresh):
    fresh.send("uci")
    fresh.expect("uciok")
    *before, last = fresh.texts()
    assert last == "uciok"
    assert all(line.startswith(("id name ", "id author ", "option name ")) for line in before)
    options = [line for line in before if line.startswith("option")]
    names = {line.split(" type ")[0].removeprefix("option name ") for line in options}
    assert names == {
        "Hash", "Threads", "Ponder", "MultiPV", "Clear Hash", "Move Overhead", "Skill Level", "UCI_ShowWDL",
        "Repetition Rule", "Natural Limit", "Parallel", "OwnBook", "BookFile", "Book Seed", "EvalFile",
        "TablePath", "TableMemory", "UCI_Variant", "UCI_LimitStrength", "UCI_Elo", "Debug Log File",
    }  # fmt: skip


def test_011_both_handshakes_in_one_write(fresh):
    fresh.send("uci", "ucci")
    fresh.expect("uciok")
    fresh.expect("ucciok")
    fresh.best("go depth 3")
    assert " cp " not in " ".join(fresh.texts())


def test_012_013_before_the_handshake_strangers_are_ignored_and_isready_answered(fresh):
    fresh.send("xboard", "protover 2", "", "go depth 1", "stop", "position startpos", "setoption hashsize 1")
    assert fresh.quiet(0.5) == []
    fresh.send("isready")
    fresh.expect("readyok")
    fresh.send("ucci")
    fresh.expect("ucciok")


def test_014_second_handshake_changes_nothing(engine):
    engine.send("setoption multipv 2", "position startpos moves h2e2")
    mark = engine.mark()
    engine.send("ucci")
    engine.expect("ucciok")
    assert handshake(engine, mark)[0] == "id name eleengine"
    move = engine.best("go depth 3")
    assert move[1] in "6789"  # a black move, two lines of them
    assert any("multipv 2" in line for line in engine.texts())


def test_015_byte_by_byte(fresh):
    for byte in b"ucci\nposition startpos moves h2e2\ngo depth 2\n":
        fresh.raw(bytes([byte]))
    move = fresh.expect("bestmove").split()[1]
    assert move[1] in "6789"


def test_016_each_line_arrives_whole(engine):
    engine.best("go movetime 500")
    assert len(engine.chunks) > 3
    assert all(chunk.endswith(b"\n") for chunk in engine.chunks)


def test_017_stderr_stays_empty(fresh):
    # engine.quit(), which ends every test of this checklist, looks at stderr; here with rough input.
    fresh.raw(b"\xff\xfe\n\0\nucci\n\x80junk\nposition fen \xe9\ngo depth \xe9\nsetoption name\nd\neval\n")
    fresh.expect("nobestmove")


@pytest.mark.system
def test_018_end_of_input_in_idle(engine):
    began = time.monotonic()
    engine.process.stdin.close()
    assert engine.wait() == 0
    assert time.monotonic() - began < within(END)


@pytest.mark.system
def test_019_end_of_input_in_search(engine):
    engine.send("go infinite")
    engine.expect("info")
    began = time.monotonic()
    engine.process.stdin.close()
    assert engine.wait() == 0
    assert time.monotonic() - began < within(END)
    assert engine.terminals() == []


@pytest.mark.system
def test_020_reader_closes_stdout():
    ours, theirs = os.pipe()
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    process.stdin.write(b"ucci\ngo infinite\n")
    process.stdin.flush()
    os.read(ours, 100)
    os.close(ours)
    assert process.wait(30) == 0
    assert process.stderr.read() == b""
    process.stdin.close()
    process.stderr.close()


@pytest.mark.system
def test_021_quit_in_idle(engine):
    began = engine.send("quit")
    assert engine.wait() == 0
    assert time.monotonic() - began < within(END)
    assert engine.texts()[-1] == "bye"


@pytest.mark.system
def test_022_quit_in_search(engine):
    engine.send("go infinite")
    engine.expect("info")
    began = engine.send("quit")
    assert engine.wait() == 0
    assert time.monotonic() - began < within(END)
    assert engine.texts()[-1] == "bye"
    assert engine.texts()[-2].startswith("bestmove ")


def test_unterminated_last_line_is_obeyed(engine):
    engine.raw(b"quit")
    engine.process.stdin.close()
    assert engine.wait() == 0
    assert engine.texts()[-1] == "bye"


@pytest.mark.system
@pytest.mark.skipif(FOR_WINDOWS, reason="Windows has no such signals; test_windows.py has its Ctrl-C")
@pytest.mark.parametrize("signal", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_quietly(signal):
    engine = Engine(command=COMMAND)
    engine.send("go infinite")
    engine.expect("info")
    engine.process.send_signal(signal)
    assert engine.wait() == 0
    engine.quit()


@pytest.mark.system
def test_arguments_are_refused():
    done = subprocess.run([*COMMAND, "--fast"], capture_output=True, timeout=60)
    assert done.returncode == 2 and b"--fast" in done.stderr and b"Traceback" not in done.stderr


def test_the_last_word_on_a_mate_is_terminal(engine):
    engine.answer(DEAD, "go depth 3")
    assert [line for line in engine.texts() if line.startswith(TERMINAL)] == ["nobestmove"]
    assert engine.best(M2, "go depth 6") == "a0a8"
