"""UcciOptions: items 38 to 50 of the conformance checklist, and what else options do."""

import shutil

import pytest
from ucci_client import COMMAND, MIDDLE, START, Engine, field, is_legal, pv_lines, within

from eleengine._core import checks_enabled

XQWIZARD = [
    "setoption guiname XQWizard", "setoption usemillisec true", "setoption promotion false",
    "setoption usebook true", "setoption useegtb true", "setoption bookfiles D:\\XQ\\BOOK.DAT",
    "setoption hashsize 0", "setoption threads 0", "setoption idle none", "setoption randomness none",
    "setoption style normal", "setoption newgame", "setoption ponder false",
]  # fmt: skip


@pytest.mark.parametrize("line", [
    "setoption guiname XQWizard", "setoption nosuch 5", "setoption name No Such value 5",
    "setoption hashsize 0", "setoption name hashsize value 32", "setoption Hash 32",
    "SETOPTION HASHSIZE 32", "setoption name hash value 32", "setoption usebook off",
    "setoption usebook on", "setoption usebook false", "setoption usebook TRUE", "setoption newgame null",
    "setoption newgame", "setoption name Clear Hash", "setoption clear hash", "setoption name clear_hash",
    "newgame", "ucinewgame", "uccinewgame", "setoption name Move Overhead value 30",
    "setoption move overhead 30", "setoption Threads 2", "setoption randomness tiny", "setoption bookfiles",
    "setoption drawmoves 60", "setoption name Skill_Level value 20", "setoption repetition asianrule",
    "debug off", "# a comment", "",
])  # fmt: skip
def test_038_042_043_044_045_accepted_in_silence(engine, line):
    engine.send(line)
    assert engine.sync() == []


def test_039_the_burst_of_xqwizard(engine):
    engine.send(*XQWIZARD)
    assert engine.sync() == [
        "info message error book file unreadable: D:\\XQ\\BOOK.DAT: No such file or directory"
    ]


@pytest.mark.parametrize("line, text", [
    ("setoption hashsize abc", "error option hashsize bad value"),
    ("setoption hashsize 64 MB", "error option hashsize bad value"),
    ("setoption threads 1.5", "error option threads bad value"),
    ("setoption usebook maybe", "error option usebook bad value"),
    ("setoption idle lots", "error option idle bad value"),
    ("setoption hashsize", "error option hashsize needs value"),
    ("setoption name Hash", "error option hashsize needs value"),
    ("setoption", "error option needs value"),
    ("setoption name", "error option needs value"),
    ("setoption bookfiles " + "x" * 3000, "error option bookfiles bad value"),
    ("setoption multipv 500", "warning option multipv clamped to 128"),
    ("setoption multipv -" + "9" * 5000, "warning option multipv clamped to 1"),
    ("setoption moveoverhead -5", "warning option moveoverhead clamped to 0"),
    ("setoption promotion true", "warning promotion rule unsupported"),
    ("debug perhaps", "error option debug bad value"),
])  # fmt: skip
def test_040_041_unusable_values_are_told(engine, line, text):
    engine.send(line)
    assert engine.sync() == [f"info message {text}"]
    engine.best("go depth 3")


def test_041_huge_hash(engine):
    engine.send("setoption hashsize 99999999")
    assert engine.expect("info message") == "info message warning option hashsize clamped to 1048576"
    engine.send("setoption hashsize 1")
    told = engine.sync()
    assert told in ([], ["info message error hashsize 1048576 unavailable keeping 4"])  # by the machine
    engine.best("go depth 3")


@pytest.mark.system
@pytest.mark.skipif(not shutil.which("sh"), reason="needs a shell to limit the memory")
@pytest.mark.skipif(checks_enabled(), reason="sanitizers need all the address space")
def test_041_a_table_for_which_there_is_no_memory():
    command = ["sh", "-c", 'ulimit -v 3000000; exec "$0" "$@"', *COMMAND]
    engine = Engine(command=command)
    engine.send("setoption hashsize 4096")
    assert engine.sync() == ["info message error hashsize 4096 unavailable keeping 4"]
    engine.best("go depth 3")
    engine.send("setoption hashsize 8")
    assert engine.sync() == []
    engine.best("go depth 3")
    engine.quit()


@pytest.mark.system
@pytest.mark.parametrize("setting, go", [("false", "time 2 movestogo 1"), ("true", "time 2000 movestogo 1")])
def test_046_047_the_unit_of_time(engine, setting, go):
    sent = engine.send(f"setoption usemillisec {setting}", MIDDLE, f"go {go}")
    came, _ = engine.expect_timed("bestmove")
    assert 0.3 < came - sent < within(2.0)


def test_048_several_lines(engine):
    engine.best("setoption multipv 3", "go depth 5")
    last = [line for line in pv_lines(engine.texts()) if field(line, "depth") == "5"][-3:]
    assert [field(line, "multipv") for line in last] == ["1", "2", "3"]
    assert len({field(line, "pv") for line in last}) == 3
    scores = [int(field(line, "score")) for line in last]
    assert scores == sorted(scores, reverse=True)


def test_049_one_line(engine):
    engine.best("go depth 5")
    assert "multipv" not in " ".join(pv_lines(engine.texts()))


def test_050_debug_tells_of_unknown_options(engine):
    engine.send("setoption debug true", "setoption colour blue")
    assert engine.sync() == ["info message note unknown option colour"]
    engine.send("debug off", "setoption colour blue")
    assert engine.sync() == []


def test_skill_zero_is_weak_and_legal(engine):
    engine.send("setoption skilllevel 0")
    for _ in range(5):
        assert is_legal(engine.best("position startpos", "go depth 12"))
    assert max(int(field(line, "nodes")) for line in pv_lines(engine.texts())) <= 2000


@pytest.mark.parametrize("lines", [2, 3, 6])
def test_a_move_is_shown_once_where_chance_chooses(engine, lines):
    """The line that is played is the first, whatever the search had said."""
    engine.send("setoption skilllevel 3", f"setoption multipv {lines}")
    others = 0
    for _ in range(12):
        start = engine.mark()
        best = engine.best("setoption newgame", "position startpos", "go depth 4")
        shown = [(field(line, "multipv"), line.split(" pv ")[1].split()[0]) for line in
                 pv_lines(engine.texts(start))]  # fmt: skip
        last = dict(shown)
        assert last["1"] == best and len(set(last.values())) == len(last) == lines
        others += dict(reversed(shown))["1"] != best
    assert others


def test_randomness_varies_the_moves_and_the_last_line_shows_the_one_played(engine):
    engine.send("setoption randomness huge")
    moves = {engine.best("setoption newgame", "position startpos", "go depth 5") for _ in range(20)}
    assert len(moves) > 1
    for answer in engine.terminals():
        assert is_legal(answer.split()[1])
    engine.send("setoption randomness huge")
    for _ in range(10):
        start = engine.mark()
        move = engine.best("setoption newgame", START, "go depth 4")
        assert field(pv_lines(engine.texts(start))[-1], "pv") == move


def test_concede_after_four_hopeless_searches(engine):
    lost = "position fen 2b1ka3/4a4/4b4/9/9/9/9/4r3r/3n5/3K5 w - - 0 1"
    answers = [engine.answer(lost, "go depth 9") for _ in range(5)]
    assert not any("resign" in answer for answer in answers)
    engine.send("setoption newgame", "setoption concede true")
    answers = [engine.answer(lost, "go depth 9").endswith(" resign") for _ in range(5)]
    assert answers == [False, False, False, True, True]
