"""Real clients play with the engine: packages of PyPI, and xboard through its adapter."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import cchess
import pytest
from cchess.engine import UcciEngine
from support import run_python
from ucci_client import board_after, is_legal

import eleengine

pytestmark = pytest.mark.system

PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games"))  # Debian's place for them


def program(name):
    """The path of a Debian program; without it the test is skipped."""
    found = shutil.which(name, path=PATH)
    if found is None:
        pytest.skip(f"{name} is not installed (Debian: apt install xboard uci2wb fairy-stockfish xvfb)")
    return found


@pytest.fixture
def launcher(tmp_path):
    """The engine as clients want it: one executable file without arguments."""
    source = Path(eleengine.__file__).parent.parent
    (tmp_path / "errors").touch()  # a test that is skipped starts no engine
    file = tmp_path / "eleengine"
    file.write_text(
        f"#!/bin/sh\nPYTHONPATH='{source}' exec '{sys.executable}' -m eleengine.ucci 2>>'{tmp_path}/errors'\n"
    )
    file.chmod(0o755)
    yield file
    assert (tmp_path / "errors").read_text() == ""


def test_cchess_plays_a_game(launcher):
    client = UcciEngine()
    assert client.load(str(launcher)) and client.wait_for_ready(timeout=60)
    assert client.ids["name"] == "eleengine" and len(client.options) > 5
    client.set_option("Hash", 4)
    theirs, moves = cchess.ChessBoard(cchess.FULL_INIT_FEN), []
    deadline = time.monotonic() + 60
    while len(moves) < 16 and time.monotonic() < deadline:
        client.go_from(theirs.to_fen(), {"depth": 4})
        while (action := client.get_action()) is None or action["action"] in ("ready", "info", "info_move"):
            time.sleep(0.005)
            assert time.monotonic() < deadline
        assert action["action"] == "bestmove" and action["moves"][0] == action["move"]
        assert is_legal(action["move"], *moves) and theirs.move_iccs(action["move"]) is not None
        theirs.next_turn()
        moves.append(action["move"])
    assert len(moves) == 16
    assert theirs.to_fen().split()[0] == board_after(*moves).board_fen()
    client.quit()
    assert client.process.wait(60) == 0
    client.running = False
    client.join(5)
    client.process.stdin.close()
    client.process.stdout.close()


@pytest.mark.parametrize("protocol", ["-x", "-c"])
def test_uci2wb_brings_moves_to_xboard(launcher, protocol):
    """UCCI (-x) and Cyclone UCI (-c) through the adapter, spoken to as xboard does."""
    adapter = subprocess.Popen(
        [program("uci2wb"), "-var", "xiangqi", protocol, launcher], text=True, bufsize=1,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip

    def send(*lines):
        adapter.stdin.write("".join(f"{line}\n" for line in lines))
        adapter.stdin.flush()

    def expect(pattern):
        for line in adapter.stdout:
            if found := re.match(pattern, line):
                return found
        pytest.fail(f"the adapter ended without {pattern}")

    try:
        send("xboard", "protover 2")
        expect("feature.* done=1")
        send("memory 8", "new", "variant xiangqi", "level 0 0:05 1", "post", "easy", "time 500", "otim 500")
        moves = []
        for ours in ("h2e2", "h0g2", "i0h0", "b0c2"):
            if not is_legal(ours, *moves):
                break
            send(f"usermove {ours}")
            theirs = expect(r"move (\w{4})$").group(1)
            moves.append(ours)
            assert is_legal(theirs, *moves)
            moves.append(theirs)
        assert len(moves) >= 4
        send("quit")
        adapter.wait(60)
    finally:
        adapter.kill()
        adapter.wait()
        adapter.stdin.close()
        adapter.stdout.close()


def test_python_chess_opens_the_engine(launcher):
    """It knows no Xiangqi, so it can greet, set options and ask whether the engine is there."""
    client = pytest.importorskip("chess.engine", reason="needs the package chess")
    with client.SimpleEngine.popen_uci(str(launcher), timeout=120) as engine:
        assert engine.id["name"].startswith("eleengine")
        assert engine.options["Hash"].default == 64 and engine.options["UCI_Variant"].var == ["xiangqi"]
        engine.configure({"Hash": 4, "Skill Level": 3, "Clear Hash": None})
        with pytest.raises(client.EngineError):
            engine.configure({"Skill Level": 21})
        engine.ping()


@pytest.mark.slow
def test_pikafish_terminal_plays_a_game(launcher):
    """It sends the position after the moves, and the moves too; its players write files as numbers."""
    if importlib.util.find_spec("pikafish_terminal") is None:
        pytest.skip("needs the package pikafish-terminal")
    client = subprocess.Popen(
        [sys.executable, "-uc", "from pikafish_terminal.cli import main; main()",
         "--engine", launcher, "--depth", "3"],
        text=True, bufsize=1, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    board = eleengine.Board()
    try:
        client.stdin.write("r\n")
        while not board.is_game_over() and len(board.move_stack) < 20:
            board.push(min(board.legal_moves, key=str))
            start, rank, end, to = board.peek().uci()
            client.stdin.write(f"{ord(start) - 96}{rank}{ord(end) - 96}{to}\n")
            for line in client.stdout:
                if found := re.search(r"Engine plays (\d)(\d)(\d)(\d)", line):
                    start, rank, end, to = found.groups()
                    board.push_uci(f"{chr(96 + int(start))}{rank}{chr(96 + int(end))}{to}")
                    break
                assert "Game Over" not in line and "Illegal" not in line, f"{line} {board.fen()}"
        assert len(board.move_stack) >= 10
        client.stdin.write("q\n")
        client.communicate(timeout=30)
    finally:
        client.kill()
        client.wait()


@pytest.mark.slow
def test_xiangqibench_finds_the_mates_of_its_cases(launcher):
    """119 old studies with a mate in 3 to 11 plies, at the depth that it takes for its opponent."""
    defender = pytest.importorskip("xiangqibench.defender")
    cases = pytest.importorskip("xiangqibench.cases").load_cases()
    found = 0
    with defender.PikafishEngine(path=str(launcher), hash_mb=64) as client:
        assert client.engine_id == f"eleengine {eleengine.__version__}"
        for case in cases:
            analysis = client.analyse(case.fen)
            assert is_legal(analysis.bestmove, fen=case.fen)
            if analysis.score_mate is not None:
                assert 2 * analysis.score_mate - 1 >= case.win_in_plies  # no mate is invented
                found += 2 * analysis.score_mate - 1 == case.win_in_plies
    assert len(cases) == 119 and found >= 110


NONEBOT = """
import asyncio, sys, nonebot
nonebot.init(driver="~none", sqlalchemy_database_url="sqlite+aiosqlite://", cchess_engine_path=sys.argv[1])
nonebot.load_plugin("nonebot_plugin_cchess")
from nonebot_plugin_cchess.game import AiPlayer, Game

async def main():
    game, player = Game(), AiPlayer(level=1)
    await player.engine.open()
    while len(game.moves) < 40 and not game.is_game_over():
        game.push(await player.get_move(game.position()))
    print(*game.moves)
    player.engine.close()
    await player.engine._process.wait()

asyncio.run(main())
"""


@pytest.mark.slow
def test_nonebot_plays_both_sides(launcher):
    if importlib.util.find_spec("nonebot_plugin_cchess") is None:
        pytest.skip("needs the package nonebot-plugin-cchess")
    done = run_python(NONEBOT, launcher)
    moves = done.stdout.splitlines()[-1].split()
    assert done.returncode == 0 and len(moves) == 40, done.stdout + done.stderr
    assert not board_after(*moves).is_checkmate()


@pytest.mark.slow
def test_xboard_match_against_fairy_stockfish(launcher, tmp_path):
    log, record = tmp_path / "xboard.debug", tmp_path / "games.pgn"
    subprocess.run([
        program("xvfb-run"), "-a", program("xboard"), "-variant", "xiangqi",
        "-fcp", f"{program('uci2wb')} -x {launcher}", "-scp", program("fairy-stockfish"),
        "-mg", "2", "-tc", "1", "-inc", "1", "-searchDepth", "4", "-matchPause", "100", "-xponder",
        "-popupExitMessage", "false", "-sgf", record, "-debug", "-nameOfDebugFile", log,
    ], timeout=280, check=True, env={**os.environ, "PATH": PATH})  # fmt: skip
    games = record.read_text()
    assert games.count("[Result ") == 2 and '[Result "*"]' not in games
    said = log.read_text(errors="replace")
    assert not re.search("illegal|forfeit|exited|hangs", games + said, re.IGNORECASE)
    assert len(re.findall(r"<first\s*: move [a-i]\d[a-i]\d$", said, re.MULTILINE)) > 10
