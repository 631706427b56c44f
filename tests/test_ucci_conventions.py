"""What GUIs and scripts expect beside the protocols: ranks 1 to 10, perft, boards, paths in any encoding."""

import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from support import COMMAND, ENVIRONMENT
from ucci_client import Engine, field, pv_lines

from eleengine import Board
from eleengine.ucci.position import parse_move

BOOKS = Path(__file__).parent / "books"


AFTER_TWO = Board("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2")


def test_a_gui_that_chooses_the_variant_gets_ranks_from_1(uci):
    uci.best("setoption name UCI_Variant value xiangqi", "position startpos moves h3e3 h10g8", "go depth 5")
    *_, best = [line for line in uci.texts() if line.startswith("bestmove")]
    *_, last = [line for line in uci.texts() if " pv " in line]
    assert AFTER_TWO.is_legal(parse_move(best.split()[1], first_rank=1))
    board = AFTER_TWO.copy()
    for text in last.partition(" pv ")[2].split():
        board.push(parse_move(text, first_rank=1))


def test_ranks_from_1_are_read_where_only_they_are_legal(uci):
    uci.best("position startpos moves h3e3 h10g8", "go depth 3")
    best = [line for line in uci.texts() if line.startswith("bestmove")][-1].split()[1]
    assert AFTER_TWO.is_legal(parse_move(best, first_rank=1))
    uci.best("position startpos moves h2e2 h9g7", "go depth 3")
    best = [line for line in uci.texts() if line.startswith("bestmove")][-1].split()[1]
    assert AFTER_TWO.is_legal(parse_move(best))


@pytest.mark.parametrize("first_rank", [0, 1])
def test_moves_written_with_either_first_rank_are_read_back(first_rank):
    for move in Board().legal_moves:
        assert parse_move(move.uci(first_rank=first_rank), first_rank) == move
    assert parse_move("h11g8", 1) is None and parse_move("h0g2", 1) is None


def test_go_perft_counts_each_move(uci):
    uci.send("position startpos", "go perft 3")
    uci.expect("Nodes searched")
    counts = dict(line.split(": ") for line in uci.texts() if line[2:3].isalpha() and line[4:6] == ": ")
    assert len(counts) == 44 and sum(map(int, counts.values())) == 79666
    assert any(line == "Nodes searched: 79666" for line in uci.texts())
    assert not any(line.startswith("bestmove") for line in uci.texts())


def test_d_shows_the_fen_as_scripts_look_for_it(uci):
    uci.send("position startpos moves h2e2", "d")
    uci.expect("Fen: ")
    assert f"Fen: {Board().fen().replace('1C5C1', '1C2C4').replace(' w - - 0', ' b - - 1')}" in uci.texts()


# Locales by what the environment says; that of zh_CN.GBK is made for the test.
LOCALES = {
    "C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},  # Python left alone would take UTF-8
    "C.UTF-8": {"LC_ALL": "C.UTF-8"},
    "zh_CN.GBK": {"LC_ALL": "zh_CN.GBK"},
}


@pytest.mark.system
@pytest.mark.skipif(sys.platform == "win32", reason="there the system decides about the code page")
@pytest.mark.parametrize("sent", ["utf-8", "gb18030"])
@pytest.mark.parametrize("locale", LOCALES)
def test_files_under_a_chinese_path_are_found(tmp_path, locale, sent):
    """The bytes of a path are UTF-8 or in the code page of the GUI, whatever the locale is."""
    environment = ENVIRONMENT | LOCALES[locale]
    if locale == "zh_CN.GBK":
        if shutil.which("localedef") is None:
            pytest.skip("needs localedef")
        subprocess.run(["localedef", "--quiet", "-i", "zh_CN", "-f", "GBK", tmp_path / locale], check=False)
        if not (tmp_path / locale / "LC_CTYPE").exists():
            pytest.skip("needs Debian's package locales")
        environment["LOCPATH"] = str(tmp_path)
    folder = tmp_path / "象棋 引擎"  # in UTF-8
    shipped = Path(str(files("eleengine")))
    for source, target in (
        (shipped / "shipped.nnue", "网络.nnue"), (BOOKS / "book.obk", "开局.obk"),
        (shipped / "tables/shipped/R-.table", "残局/R-.table"),
    ):  # fmt: skip
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, folder / target)
    said = subprocess.run(
        COMMAND,
        input=f"ucci\nsetoption debuglogfile {folder}/日志.txt\nsetoption evalfile {folder}/网络.nnue\n"
        f"setoption tablepath {folder}/残局\nsetoption bookfiles {folder}/开局.obk\n"
        "position startpos\ngo depth 2\nquit\n".encode(sent),
        capture_output=True, env=environment, timeout=120,
    ).stdout.decode()  # fmt: skip
    assert "error" not in said and "warning" not in said, said
    assert "note book move" in said
    assert ">> setoption evalfile" in (folder / "日志.txt").read_text(encoding=sent)


def test_a_pipe_is_no_network(uci, tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with names here")
    os.mkfifo(tmp_path / "pipe")
    uci.best(f"setoption name EvalFile value {tmp_path / 'pipe'}", "position startpos", "go depth 2")
    assert any("unavailable" in line and "a pipe, not a file" in line for line in uci.texts())


@pytest.mark.system
def test_ucci_says_what_xqwizard_shows():
    done = subprocess.run(
        [sys.executable, "-m", "eleengine"], input="ucci\nquit\n", capture_output=True, text=True, timeout=60
    )
    lines = done.stdout.splitlines()
    assert any(line.startswith("id copyright ") for line in lines)
    assert any(line.startswith("id user ") for line in lines)


@pytest.mark.parametrize("rule", ["ComputerRule", "SkyRule"])
def test_rules_are_known_as_guis_for_pikafish_call_them(uci, rule):
    uci.send(f"setoption name Repetition Rule value {rule}")
    assert uci.sync() == []


def test_limited_strength_is_that_of_the_nearest_level(uci):
    """Levels limit the nodes: here those of level 0, 19 and none."""
    uci.send("setoption name UCI_LimitStrength value true", "setoption name Skill Level value 20")
    for elo, least, most in ((0, 100, 1999), (3102, 20_000, 60_000)):
        uci.send(f"setoption name UCI_Elo value {elo}", "setoption name Clear Hash")
        start = uci.mark()
        uci.best("position startpos", "go nodes 100000")
        nodes = max(int(field(line, "nodes")) for line in pv_lines(uci.texts(start)))
        assert least <= nodes <= most
    uci.send("setoption name UCI_LimitStrength value false", "setoption name Clear Hash")
    start = uci.mark()
    uci.best("position startpos", "go nodes 100000")
    assert max(int(field(line, "nodes")) for line in pv_lines(uci.texts(start))) > 60_000


@pytest.mark.parametrize("dialect, setting", [
    ("uci", "setoption name Debug Log File value"), ("ucci", "setoption debuglogfile"),
])  # fmt: skip
def test_the_debug_log_has_both_sides_of_the_conversation(dialect, setting, tmp_path):
    log = tmp_path / "对话 log.txt"
    log.write_text("what was there\n")
    engine = Engine(dialect)
    start = engine.mark()
    engine.send(f"{setting} {log}")
    engine.best("position startpos", "# a comment", "go depth 3")
    engine.send("isready")
    engine.expect("readyok")
    said = engine.texts(start)
    engine.send(setting)
    engine.sync()
    engine.quit()
    first, *lines = log.read_text(encoding="utf-8").splitlines()
    assert first == "what was there" and re.fullmatch(r"[\d:.]{12} -- eleengine \S+, [\d-]{10}", lines.pop(0))
    stamped = [re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3} (>>|<<) (.*)", line).groups() for line in lines]
    assert [text for mark, text in stamped if mark == "<<"] == said
    heard = [text for mark, text in stamped if mark == ">>"]
    assert heard == ["position startpos", "# a comment", "go depth 3", "isready", setting]


def test_a_log_that_cannot_be_written_is_named_and_the_game_goes_on(uci, tmp_path):
    uci.send(f"setoption name Debug Log File value {tmp_path}")
    assert uci.sync() == ["info string error debuglogfile unavailable: it is no file"]
    uci.send(f"setoption name Debug Log File value {tmp_path}/nowhere/log")
    [text] = uci.sync()
    assert text.startswith("info string error debuglogfile unavailable: ")
    if os.path.exists("/dev/full"):
        (tmp_path / "full").symlink_to("/dev/full")
        uci.send(f"setoption name Debug Log File value {tmp_path / 'full'}")
        assert "it is no file" in uci.sync()[0]
    uci.best("position startpos", "go depth 2")
