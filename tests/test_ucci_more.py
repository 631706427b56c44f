"""Bans, probe, batch mode, the UCI dialect: items 97 to 109 of the conformance checklist."""

import sys
import time

import pytest
from ucci_client import COMMAND, DEAD, FOREIGN, M2, Engine, board_after, field, is_legal, pv_lines

from eleengine._core import STARTING_FEN, checks_enabled
from eleengine.ucci.loop import Loop


def test_097_bans_hold_until_the_next_position(engine):
    first = engine.best("position startpos", "go depth 4")
    engine.send(f"banmoves {first}")
    wanted = f"go depth 4 searchmoves {first}"  # a ban counts for more
    assert engine.best("go depth 4") != first
    assert engine.best(wanted) != first
    assert engine.best("position startpos", wanted) == first


def test_098_bans_add_up(engine):
    engine.send("setoption threads 1")  # several may find another best move each time
    first = engine.best("go depth 4")
    second = engine.best(f"banmoves {first}", "go depth 4")
    assert engine.best(f"banmoves {second}", "go depth 4") not in (first, second)
    assert engine.best("setoption newgame", "banmoves", "go depth 4") == first


def test_099_junk_among_bans(engine):
    engine.send("banmoves zzzz a0a9 h2e2 b2e2")
    assert engine.sync() == ["info message warning ban zzzz ignored", "info message warning ban a0a9 ignored"]
    assert engine.best("go depth 3") not in ("h2e2", "b2e2")


def test_100_everything_banned(engine):
    moves = " ".join(map(str, board_after().legal_moves))
    assert engine.answer(f"banmoves {moves}", "go depth 3") == "nobestmove"
    assert engine.texts()[-2] == "info message note every legal move banned"


def test_101_probe(engine):
    engine.send("probe startpos moves a0a1")
    assert engine.sync() == ["pophash"]
    best = engine.best("go depth 8")
    engine.send("probe startpos")
    [reply] = engine.sync()
    assert reply.startswith(f"pophash bestmove {best} ") and "bound" in reply
    engine.send("position startpos moves h2e2", "go infinite")
    engine.expect("info")
    start = engine.mark()
    engine.send("probe startpos", "probe fen 3k5/9/9/9/9/9/9/9/9/4K4", "isready")
    engine.expect("readyok")
    replies = [line for line in engine.texts(start) if line.startswith("pophash")]
    assert len(replies) == 2 and replies[1] == "pophash"
    engine.send("stop")
    assert is_legal(engine.expect("bestmove").split()[1], "h2e2")


@pytest.mark.parametrize("place, text", [
    ("foo", "position incomplete"), ("", "position incomplete"), ("fen nonsense", "fen ranks"),
    ("startpos moves e0e5", "move e0e5 illegal ply 1"),
])  # fmt: skip
def test_102_probe_of_junk(engine, place, text):
    engine.send(f"probe {place}")
    assert engine.sync() == [f"info message error {text}", "pophash"]
    assert is_legal(engine.best("go depth 1"))


BATCH = """ucci
setoption batch true
position startpos
go depth 4
position startpos moves h2e2
go depth 4
"""


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_103_batch(end):
    engine = Engine(dialect=None)
    engine.raw((BATCH + end).encode())
    if not end:
        engine.process.stdin.close()
    assert engine.wait() == 0
    moves = [line.split()[1] for line in engine.terminals()]
    assert len(moves) == 2 and is_legal(moves[0]) and is_legal(moves[1], "h2e2")
    assert (engine.texts()[-1] == "bye") == bool(end)
    engine.quit()


def test_103_a_long_batch():
    engine = Engine(dialect=None)
    engine.raw(("ucci\nsetoption batch on\n" + "position startpos\ngo nodes 50\n" * 500 + "quit\n").encode())
    assert engine.wait() == 0
    assert len(engine.terminals()) == 500
    engine.quit()


def test_104_batch_hears_nothing_while_searching(engine):
    sent = engine.send("setoption batch true", "go time 1000 movestogo 1", "stop", "isready")
    came, _ = engine.expect_timed("bestmove")
    assert came - sent > 0.2
    engine.expect("readyok")


@pytest.mark.parametrize("go", ["infinite", "ponder time 1000", "depth infinite"])
def test_105_batch_cannot_be_unlimited(engine, go):
    assert engine.answer("setoption batch true", f"go {go}") == "nobestmove"
    assert engine.texts()[-2] == "info message error unlimited search in batch mode"


def test_106_uci_scores(uci):
    uci.best("position startpos", "go depth 5")
    assert all(" score cp " in line and " tbhits 0 time " in line for line in pv_lines(uci.texts()))
    start = uci.mark()
    uci.best(M2, "go depth 6")
    assert " score mate 2 " in pv_lines(uci.texts(start))[-1]
    start = uci.mark()
    uci.answer(DEAD, "go depth 3")
    assert uci.texts(start) == ["info depth 0 score mate 0", "bestmove (none)"]


@pytest.mark.system
def test_107_uci_idle_stop_and_quit(uci):
    uci.best("go depth 2")
    time.sleep(0.4)
    uci.send("stop")
    assert uci.quiet(0.3) == []
    uci.send("quit")
    assert uci.wait() == 0
    assert "bye" not in uci.texts()


def test_108_109_uci_without_position_and_with_options(uci):
    uci.send("startpos moves h2e2")
    assert uci.sync() == []
    assert is_legal(uci.best("go depth 1"), "h2e2")
    uci.send(f"fen {STARTING_FEN}")
    assert is_legal(uci.best("go depth 1"))
    uci.send("setoption name Clear Hash", "setoption name MultiPV value 2", "ucinewgame")
    assert uci.sync() == []
    uci.best("position startpos", "go depth 3")
    assert {field(line, "multipv") for line in pv_lines(uci.texts())} == {"1", "2"}


def test_uci_bare_go_is_infinite(uci):
    uci.send("go")
    assert not any(line.startswith("bestmove") for line in uci.quiet(0.5))
    uci.send("stop")
    uci.expect("bestmove")


def test_uci_chances_add_up(uci):
    uci.best("setoption name UCI_ShowWDL value true", "position startpos", "go depth 4")
    for line in pv_lines(uci.texts()):
        words = line.split()
        at = words.index("wdl")
        assert sum(map(int, words[at + 1 : at + 4])) == 1000 and words[at - 3 : at - 1] == ["score", "cp"]


def test_uci_messages_are_strings(uci):
    uci.send("hello", "position fen junk")
    assert uci.sync() == ["info string error unknown command hello", "info string error fen ranks"]
    assert uci.answer("go depth 1") == "bestmove (none)"


def test_developer_words(engine):
    engine.send("d", "eval", "perft 2", "perft 9", "perft")
    board, key, score, leaves, *bad = engine.sync()
    assert board == f"info message note fen {STARTING_FEN[:-8]}"
    assert key.startswith("info message note key ") and int(key.split()[-1], 16)
    assert score.startswith("info message note evaluation ")
    assert leaves == "info message note perft 2: 1920"
    assert bad == ["info message error perft: bad value"] * 2


# Too little of everything

LINUX = pytest.mark.skipif(not sys.platform.startswith("linux") or FOREIGN, reason="limits of Linux")
PLAIN = pytest.mark.skipif(checks_enabled(), reason="a sanitizer needs all addresses")


@pytest.mark.system
@LINUX
@PLAIN
def test_readyok_comes_with_too_little_memory():
    command = ["sh", "-c", f'ulimit -v {400 << 10}; exec "$@"', "sh", *COMMAND]
    engine = Engine(command=command, hash_mib=0)
    start = engine.mark()
    engine.send("setoption threads 200", "setoption hashsize 2048", "isready")
    engine.expect("readyok")
    told = [text for text in engine.texts(start) if "unavailable" in text]
    assert told[0].startswith("info message error hashsize 2048 unavailable keeping ")
    assert is_legal(engine.best("position startpos", "go nodes 1000"))
    engine.quit()


def test_a_hash_table_beyond_what_is_free_is_refused(monkeypatch):
    monkeypatch.setattr("eleengine._internal.system.free_memory_mib", lambda: 200)
    replies = []
    loop = Loop(lambda line: replies.append(line.decode().strip()))
    lines = (
        "ucci", "setoption hashsize 300", "setoption hashsize 100", "isready", "setoption hashsize 230",
        "quit",
    )  # fmt: skip
    loop.run([line.encode() for line in lines])
    refused = [reply for reply in replies if "unavailable" in reply]
    assert (
        len(refused) == 1 and "hashsize 300 unavailable" in refused[0]
    )  # the 100 MiB of its own are free, too


def test_without_any_memory_the_engine_answers_all_the_same(monkeypatch):
    def none(**options):
        raise MemoryError

    monkeypatch.setattr("eleengine.engines.local.Engine", none)
    replies = []
    loop = Loop(lambda line: replies.append(line.decode().strip()))
    loop.run([b"ucci", b"setoption batch on", b"isready", b"position startpos", b"go depth 3", b"quit"])
    assert replies[replies.index("ucciok") + 1 :] == [
        "info message error out of memory: a move is all there can be, without a search", "readyok",
        "info message error out of memory: a move is all there can be, without a search", "bestmove a0a1",
        "bye",
    ]  # fmt: skip


@pytest.mark.parametrize("start", ["position startpos moves", "go depth", "setoption x", "isready", "x", ""])
def test_a_line_without_end_is_refused_at_once(engine, start):
    """Of 2 MB; what it was remains: a position that is not known, a `go` that must be answered."""
    start_time = time.monotonic()
    engine.raw(start.encode() + b" h2e2" * 400_000 + b"\n")
    engine.send("go depth 1")
    word = "nobestmove" if start.startswith("position") else "bestmove"
    assert engine.expect("bestmove", "nobestmove").startswith(word)
    assert "info message error line too long" in engine.texts()
    assert time.monotonic() - start_time < 30
    assert engine.best("position startpos moves h2e2", "go depth 1")
    assert is_legal(engine.best("position startpos moves" + " h2e2 h9g7 e2h2 g7h9" * 2000, "go depth 1"))
