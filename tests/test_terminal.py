"""Nothing from a record, an engine, a file name or an argument commands the terminal."""

import io
import re
import sys

import pytest
from support import call

from eleengine._internal.files import write_whole
from eleengine._internal.terminal import printable, printable_output, write_controls
from eleengine.commands import ALIASES, COMMANDS
from eleengine.records import Game

EVIL = "\x1b]0;x\x07\x1b[2J\x9b31m\u202ertl\u2066"
NAME = EVIL.replace("\x1b]0;x\x07", "\x1b")  # as a file name
#: Commands that search or play when their arguments are right, or write to their file.
LONG = (
    "analyse", "analyze", "bench", "board", "datagen", "doctor", "genetic", "nnue", "openings", "papers",
    "play", "review", "solve", "spsa", "tune",
)  # fmt: skip
ENGINE = """
import sys
print("hello")
for line in sys.stdin:
    word = line.split()[:1]
    if word in (["ucci"], ["uci"]):
        print("id name " + %r); print("id author x" + %r); print(word[0] + "ok")
    elif word == ["isready"]:
        print("readyok")
    elif word == ["go"]:
        print("info string " + %r); print("bestmove " + %r)
    elif word == ["quit"]:
        break
    sys.stdout.flush()
"""


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory):
    """A record, and an engine; the name of the record is no better."""
    folder = tmp_path_factory.mktemp("poisoned")
    game = Game(headers={"Event": EVIL, "Red": EVIL, "Black": EVIL, "Result": "1-0", "Date": EVIL})
    game.play("h2e2", comment=EVIL)
    record = folder / f"{NAME if sys.platform != 'win32' else 'x'}.pgn"
    text = str(game).replace("\n\n", f'\n[{EVIL[1:3]} "{EVIL}"]\n\n', 1)
    record.write_text(text + f"\n\n{text} z9z9{EVIL}", encoding="utf-8")
    engine = folder / "engine.py"
    engine.write_text(ENGINE % ((EVIL.replace("\n", ""),) * 4), encoding="utf-8")
    return record, f"cmd={sys.executable} -X utf8 {engine}"


def is_printable(done):
    return not any(printable(text) != text for text in (done.stdout, done.stderr))


@pytest.mark.parametrize("command", [*COMMANDS, *ALIASES])
def test_no_command_writes_what_it_was_given_as_it_is(command, poisoned):
    record, _ = poisoned
    for words in (["--" + EVIL], [record], [f"{record}{EVIL}"], ["check", record], ["show", record]):
        if words == ["--" + EVIL] or command not in LONG:
            assert is_printable(call(command, *words)), (command, words)


def test_records_are_shown_as_text(poisoned, tmp_path):
    record, _ = poisoned
    index = tmp_path / "games.sqlite"
    assert call("games", "index", "--index", index, record).returncode in (0, 1)
    for words in (["show", record], ["show", record, 1], ["show", record, "--json"],
                  ["show", record, 1, "--json"], ["convert", record, tmp_path / f"{NAME}.xqf"],
                  ["games", "find", "--index", index, "startpos"], ["games", "info", "--index", index],
                  ["review", record, "--nodes", 10], ["judge", record]):  # fmt: skip
        done = call(*words)
        assert is_printable(done), words
        assert "\\u" in done.stdout + done.stderr or done.returncode == 2 or words[0] in ("games", "judge")


@pytest.mark.system
def test_an_engine_is_shown_as_text(poisoned):
    _, engine = poisoned
    for words in (
        ["match", "-e", engine, "nodes=10", "-e", "nodes=10", "--pairs", 1],
        ["compliance", engine],
    ):
        done = call(*words)
        assert is_printable(done) and re.search(r"\\u001b|\\x1b", done.stdout + done.stderr), words


class Terminal(io.TextIOWrapper):
    def isatty(self):
        return True


def test_data_that_goes_to_a_terminal_is_shown_as_text(monkeypatch):
    for kind, shown in ((Terminal, "\\u001b炮"), (io.TextIOWrapper, "\x1b炮")):
        raw = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", kind(raw, "utf-8", write_through=True))
        with printable_output():
            write_whole("-", "\x1b炮".encode())
        assert raw.getvalue().decode() == shown


def test_only_our_own_commands_reach_a_terminal(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", Terminal(raw, "utf-8", write_through=True))
    with printable_output(), printable_output():
        print("a\tb", EVIL)
        sys.stdout.writelines([EVIL])
        write_controls(sys.stdout, "\x1b[J")
    text = raw.getvalue().decode()
    assert text.startswith("a\tb \\u001b]0;x\\u0007") and text.count("\x1b") == 1 and text.endswith("\x1b[J")
