"""Engines of other programs: both dialects, options, limits, and everything that they can do wrong."""

import logging
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import COMMAND, DEAF, ENVIRONMENT, FAIRY, raises, wait_until

from eleengine import Board, IllegalMoveError, Limit, Move
from eleengine.engines import (
    EngineError,
    EngineTerminatedError,
    EngineTimeoutError,
    ExternalEngine,
    IllegalReplyError,
    Option,
)
from eleengine.engines.external import dialect
from eleengine.engines.external.infos import Infos
from eleengine.engines.external.process import CHUNK, MAX_WAITING, EngineProcess
from eleengine.pieces import RED
from eleengine.score import Cp, Mate, PovScore

BAD = [sys.executable, str(Path(__file__).with_name("bad_engine.py"))]
MATE_IN_2 = "4k4/9/9/9/9/9/9/9/3R5/R2K5 w"


def bad(fault, plies=0):
    return ExternalEngine([*BAD, fault, str(plies)], protocol="uci", timeout=60)


@pytest.fixture(scope="module", params=["ucci", pytest.param("uci", marks=pytest.mark.system)])
def running(request):
    with ExternalEngine(COMMAND, protocol=request.param, timeout=60) as engine:
        engine.configure({"hash" if request.param == "uci" else "hashsize": 4, "threads": 1})
        engine.configure({"ownbook" if request.param == "uci" else "usebook": False})
        yield engine


@pytest.fixture
def engine(running):
    running.new_game()
    return running


def test_it_says_who_it_is_and_what_can_be_set(engine):
    assert engine.name.startswith("eleengine ")
    option = engine.options["MultiPV"]
    assert option is engine.options["multipv"] and "multiPV" in engine.options and 1 not in engine.options
    assert (option.type, option.min, option.max) == ("spin", 1, 128)
    combos = [option for option in engine.options.values() if option.type == "combo"]
    assert combos and all(option.default in option.var for option in combos)
    assert 0 <= engine.ping() < 60


@pytest.mark.parametrize(
    "limit",
    [Limit(nodes=500), Limit(depth=3), Limit(time=0.05), Limit(red_clock=1, black_clock=1, red_inc=0.1)],
)
def test_it_plays_within_any_limit(engine, limit):
    board = Board()
    board.push_iccs("h2e2")
    start = time.monotonic()
    result = engine.play(board, limit.replace(black_inc=0.1) if limit.red_clock else limit, timeout=20)
    assert result.move in board.legal_moves
    assert time.monotonic() - start < 30
    assert result.info["depth"] >= 1
    assert result.info["pv"][0] == result.move


def test_analysis_is_no_matter_for_a_book(engine):
    name = "ownbook" if engine.protocol == "uci" else "usebook"
    engine.configure({name: True})
    for _ in range(2):
        assert "nodes" not in engine.play(Board(), Limit(depth=3)).info
        assert engine.analyse(Board(), Limit(depth=3))["depth"] == 3
    engine.configure({name: False})
    assert engine.play(Board(), Limit(depth=3)).info["nodes"] > 0


def test_it_analyses(engine):
    news = []
    info = engine.analyse(Board(MATE_IN_2), Limit(depth=6), report=news.append)
    assert Board(MATE_IN_2).is_legal(info["pv"][0])
    assert info["score"] == PovScore(Mate(2), RED)
    assert news
    news.clear()
    engine.analyse(Board(), Limit(depth=6), report=news.append)
    assert len(news) > 1


@pytest.mark.parametrize(
    ("words", "score"),
    [
        ("score cp 37", Cp(37)),
        ("score cp -120", Cp(-120)),
        ("score mate 1", Mate(1)),
        ("score mate 7", Mate(7)),
        ("score mate -3", Mate(-3)),
        ("score cp 12 upperbound", None),
        ("score cp 12 lowerbound", None),
    ],
)
def test_scores_are_those_that_the_engine_tells(words, score):
    board = Board()
    with bad(words) as engine:
        for move in ("h2e2", "h9g7"):
            info = engine.play(board, Limit(nodes=1)).info
            assert info.get("score") == (score and PovScore(score, board.turn))
            board.push_iccs(move)


class Sent(logging.Handler):
    """What the driver says to an engine."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.lines = []

    def emit(self, record):
        text = record.getMessage().partition(" ")[2]
        if not text.startswith("<< "):
            self.lines.append(text)


@pytest.fixture
def sent():
    logger, handler = logging.getLogger("eleengine.engines.external"), Sent()
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield handler.lines
    logger.setLevel(level)
    logger.removeHandler(handler)


def pairs(words):
    """The words of a UCI go, whose order does not matter."""
    names, numbers = words.split()[::2], words.split()[1::2]
    return dict(zip(names, numbers, strict=True))


CLOCKS = Limit(red_clock=61, black_clock=32, red_inc=0.5, black_inc=0.25)


@pytest.mark.parametrize(
    ("limit", "uci", "ucci_red", "ucci_black"),
    [
        (
            CLOCKS,
            "wtime 61000 btime 32000 winc 500 binc 250",
            "time 61000 increment 500 opptime 32000 oppincrement 250",
            "time 32000 increment 250 opptime 61000 oppincrement 500",
        ),
        (
            CLOCKS.replace(remaining_moves=9, red_inc=None, black_inc=None),
            "wtime 61000 btime 32000 movestogo 9",
            "time 61000 movestogo 9 opptime 32000",
            "time 32000 movestogo 9 opptime 61000",
        ),
        (Limit(nodes=300), "nodes 300", "nodes 300", "nodes 300"),
        (Limit(depth=2), "depth 2", "depth 2", "depth 2"),
        (Limit(time=0.06), "movetime 60", "infinite", "infinite"),
    ],
)
def test_each_side_is_told_its_own_clock(engine, sent, limit, uci, ucci_red, ucci_black):
    board = Board()
    for move, expected in (("h2e2", ucci_red), ("h9g7", ucci_black)):
        sent.clear()
        engine.play(board, limit.replace(time=limit.time or (0.2 if limit.red_clock else None)), timeout=30)
        [words] = [line.removeprefix("go ") for line in sent if line.startswith("go")]
        if engine.protocol == "uci":
            expected = uci + " movetime 200" * (limit.red_clock is not None)
            words, expected = pairs(words), pairs(expected)
        assert words == expected
        board.push_iccs(move)


def test_the_moves_before_count(engine):
    """The engine sees the repetitions of the game."""
    board = Board("4kab2/4a4/4b4/3rC2R1/9/9/4n4/4B4/4A4/4KAB1c w")
    for text in 2 * ["h6i6", "i0h0", "i6h6", "h0i0"]:
        board.push_iccs(text)
    assert engine.play(board, Limit(nodes=300)).move is not None


def test_bad_options_are_refused(engine):
    raises(ValueError, "no option 'colour'; it has", engine.configure, {"colour": "red"})
    raises(ValueError, r"(?i)multipv must be 1\.\.128, not 0", engine.configure, {"MultiPV": 0})
    raises(ValueError, "must be a whole number", engine.configure, {"multipv": "many"})
    raises(ValueError, r"must be one of auto, .* not 'shared'", engine.configure, {"parallel": "shared"})
    raises(ValueError, "must be true or false, not 'perhaps'", engine.configure, {"ponder": "perhaps"})
    assert engine.play(Board(), Limit(nodes=100)).move


@pytest.mark.parametrize("kind", [dialect.Uci, dialect.Ucci])
@pytest.mark.parametrize("word", ["time", "depth", "nodes", "score", "score cp", "score mate", "wdl 1 2"])
@pytest.mark.parametrize("number", ["1" + 400 * "0", "1" + 5000 * "0", "1_0", "nan"])
def test_numbers_that_no_program_means_are_no_news(kind, word, number):
    found = kind().read_info(f"info seldepth 3 {word} {number} multipv 1".split(), Board())
    assert found == {"seldepth": 3}


def test_numbers_that_no_program_means_are_no_options():
    def bound(text):
        return Option.read(f"option name Hash type spin default 1 min 1 max {text}").max

    assert bound(2**64) == 2**64
    assert bound("9" * 5000) is bound("10.5") is bound("1_0") is None
    option = Option("Hash", "spin", "1", 1, 1024)
    for text in ("9" * 5000, "1_0", "٣"):
        raises(ValueError, "must be a whole number, not '.{1,40}'$", option.text, text)


@pytest.mark.parametrize("word", ["time", "depth", "nodes", "nps", "hashfull", "tbhits"])
def test_a_count_below_zero_is_none(word):
    """A report had -1,000 nodes/s of it."""
    found = dialect.Uci().read_info(f"info seldepth 3 {word} -1 multipv 2".split(), Board())
    assert found == {"seldepth": 3, "multipv": 2}


@pytest.mark.system
def test_the_dialect_is_found(monkeypatch):
    monkeypatch.setattr("eleengine.engines.external.driver.GUESS_SECONDS", 60.0)  # for machines that are busy
    with ExternalEngine(COMMAND) as engine:
        assert engine.protocol == "uci"


@pytest.mark.system
@pytest.mark.skipif(not FAIRY, reason="needs fairy-stockfish")
def test_fairy_stockfish_counts_ranks_from_one():
    with ExternalEngine([FAIRY]) as engine:
        board = Board()
        board.push_iccs("h2e2")
        result = engine.play(board, Limit(nodes=2000))
        assert result.move in board.legal_moves
        for move in result.info["pv"]:
            assert move in board.legal_moves
            board.push(move)
        mate = engine.play(Board(MATE_IN_2), Limit(depth=8))
        assert mate.info["score"].relative == Mate(2)


def test_what_is_not_understood_is_passed_over_and_no_move_is_an_answer():
    with bad("noisy") as engine:
        result = engine.play(Board(), Limit(nodes=1))
        assert result.move in Board().legal_moves
        assert result.info["score"].relative == Cp(5)
    with bad("none") as engine:
        assert engine.play(Board(), Limit(nodes=1)).move is None
    with bad("resign") as engine:
        result = engine.play(Board(), Limit(nodes=1))
        assert (result.move, result.resigned) == (Move.from_iccs("a0a1"), True)


def test_lines_and_expected_answers_are_legal():
    """Whoever writes them in another notation, or plays them, need not check them."""
    with bad("pv") as engine:
        result = engine.play(Board(), Limit(nodes=1))
        assert result.info["pv"] == [result.move]
    with bad("answer") as engine:
        result = engine.play(Board(), Limit(nodes=1), ponder=True)
        assert result.move and result.ponder is None


@pytest.mark.parametrize("fault", ["illegal", "garbage"])
def test_illegal_moves_are_told(fault):
    with bad(fault) as engine:
        raises(IllegalReplyError, f"Bad played .* in {Board().fen()}", engine.play, Board(), Limit(nodes=1))
        assert engine.alive


def test_a_crash_is_told():
    with bad("crash") as engine:
        raises(EngineTerminatedError, "ended with status 3", engine.play, Board(), Limit(nodes=1))
        raises(EngineTerminatedError, "", engine.new_game)
    with bad("crash") as engine:
        analysis = engine.analysis(Board())
        raises(EngineTerminatedError, "", analysis.wait)
        raises(EngineTerminatedError, "", list, analysis)


@pytest.mark.system
def test_a_hanging_engine_is_ended():
    engine = bad("hang")
    engine.timeout = 0.3
    start = time.monotonic()
    raises(EngineTimeoutError, r"no move within 0\.4 s", engine.play, Board(), Limit(time=0.1))
    assert 0.3 < time.monotonic() - start < 30
    assert not engine.alive
    with bad("hang") as engine, pytest.raises(EngineTimeoutError):
        engine.play(Board(), Limit(nodes=5), timeout=0.2)


def test_a_search_can_be_killed():
    engine = bad("hang")
    threading.Timer(0.2, engine.kill).start()
    raises(EngineTerminatedError, "", engine.play, Board(), Limit(nodes=1))


def test_stderr_goes_to_the_log():
    raises(ValueError, "goes to the log", ExternalEngine, ["/nowhere/engine"], stderr=subprocess.PIPE)


@pytest.mark.system
@pytest.mark.parametrize(
    "command, part",
    [
        (["/nowhere/engine"], "cannot start /nowhere/engine"),
        ([*BAD, "stillborn"], "ended with status 1"),
        ([], "the command of the engine is empty"),
    ],
)
def test_programs_that_are_no_engines_are_told(command, part):
    raises(EngineError, part, ExternalEngine, command, protocol="uci", timeout=60)


@pytest.mark.system
def test_programs_that_say_nothing_are_told():
    with pytest.raises(EngineTimeoutError, match=r"gave no uciok within 0\.4 s"):
        ExternalEngine([*BAD, "dumb"], protocol="uci", timeout=0.4)


@pytest.mark.system
def test_folder_and_environment(tmp_path):
    script = "import os; open('here', 'w').write(os.environ['GREETING']); print('uciok', flush=True); input()"
    with ExternalEngine([sys.executable, "-c", script], cwd=tmp_path, env={"GREETING": "hi"}):
        assert (tmp_path / "here").read_text() == "hi"


def test_nothing_is_left_behind():
    engine = bad("good")
    process = engine._process._process
    del engine
    assert process.wait(60) is not None


class Interruption(BaseException):
    """What a user's Ctrl-C would be."""


@pytest.mark.parametrize("limit", [Limit(time=0.5), Limit(depth=40), Limit()])
def test_an_interrupted_search_leaves_the_engine_ready(engine, limit):
    def interrupt(news):
        if news.get("depth", 0) >= 3:
            raise Interruption

    raises(Interruption, "", engine.analyse, Board(), limit, report=interrupt)
    board = Board()
    board.push_iccs("a0a1")
    board.push_iccs("a9a8")
    result = engine.play(board, Limit(depth=2), timeout=30)
    assert result.move in board.legal_moves and result.info["depth"] == 2
    assert board.copy().variation_wxf(result.info["pv"])  # it is a line from there


def test_its_own_report_cannot_ask_for_more(engine):
    calls = (
        lambda: engine.play(Board(), Limit(depth=1)),
        lambda: engine.analyse(Board(), Limit(depth=1), game=2),
        lambda: engine.analysis(Board(), Limit(depth=1), multipv=2),
        lambda: engine.configure({}),
        engine.new_game,
        engine.ping,
    )
    for call in calls:
        with pytest.raises(RuntimeError, match="is searching: wait for the end"):
            engine.analyse(Board(), Limit(depth=20), report=lambda news, call=call: call())
    assert engine.analyse(Board(), Limit(depth=60), report=lambda news: engine.stop())["pv"]
    with engine.analysis(Board()), pytest.raises(RuntimeError, match="is searching"):
        engine.ping()
    assert engine.play(Board(), Limit(depth=2)).move in Board().legal_moves


SLOW = """
import sys, time
for line in sys.stdin:
    if line.split()[0] == "uci": print("uciok", flush=True)
    if line.split()[0] == "isready":
        print("info string wait", file=sys.stderr, flush=True)
        time.sleep(1)
        print("readyok", flush=True)
    if line.split()[0] == "go": print("bestmove h2e2", flush=True)
"""


@pytest.mark.system
def test_another_thread_cannot_ask_meanwhile(tmp_path):
    """Not even before the search has begun: one of both waited for ever."""
    with ExternalEngine(program(tmp_path, SLOW), protocol="uci", timeout=30) as engine:
        found = []
        thread = threading.Thread(target=lambda: found.append(engine.play(Board(), Limit(depth=1)).move))
        thread.start()
        wait_until(lambda: engine._process._errors)  # it waits for readyok
        for call in (engine.ping, engine.new_game, lambda: engine.play(Board(), Limit(depth=1))):
            raises(RuntimeError, "is searching: wait for the end", call)
        thread.join()
        assert found == [Move.from_iccs("h2e2")] == [engine.play(Board(), Limit(depth=1)).move]


@pytest.mark.system
def test_an_interrupted_search_that_had_just_ended_is_no_answer_to_the_next(tmp_path, caplog):
    """The engine then takes the stop for one without a search, and says so, which is no fault of its own."""
    text = """
    if word == "go": print("info depth 3 pv h2e2\\nbestmove h2e2", flush=True)
    if word == "stop": print("nobestmove", flush=True)
"""

    def interrupt(news):
        raise Interruption

    with ExternalEngine(program(tmp_path, DEAF + text), protocol="ucci", timeout=30) as engine:
        raises(Interruption, "", engine.analyse, Board(), Limit(depth=3), report=interrupt)
        assert engine.play(Board(), Limit(depth=3)).move == Move.from_iccs("h2e2")
    assert "without a search" not in caplog.text


@pytest.mark.system
@pytest.mark.skipif(sys.platform == "win32", reason="select takes no pipes there")
@pytest.mark.parametrize("protocol", ["ucci", "uci"])
def test_the_last_iteration_is_searched_to_its_end(tmp_path, protocol):
    """A line of the depth asked for may be the first of several: the engine knows when it is done."""
    text = """
    if word == "go":
        print("info depth 3 nodes 10 pv h2e2", flush=True)
        stopped = select.select([sys.stdin], [], [], 0.5)[0]
        print("bestmove h2e2" if stopped else "info depth 3 nodes 20 pv b2e2\\nbestmove b2e2", flush=True)
"""
    with ExternalEngine(program(tmp_path, DEAF + text), protocol=protocol, timeout=30) as engine:
        for limit in (Limit(depth=3), Limit(nodes=10)):
            assert engine.play(Board(), limit).move == Move.from_iccs("b2e2")


def test_after_a_pass_the_position_is_sent(engine):
    board = Board()
    board.push(Move.null())
    assert board.is_legal(engine.play(board, Limit(depth=2)).move)


def test_the_first_of_several_limits_ends_the_search(engine):
    info = engine.play(Board(), Limit(depth=3, nodes=10**8), timeout=30).info
    assert info["depth"] >= 3 and info["nodes"] < 10**6
    info = engine.play(Board(), Limit(depth=90, nodes=5000, time=30), timeout=60).info
    assert info["nodes"] < 10**6
    info = engine.play(Board(), Limit(red_clock=600, black_clock=600, depth=4), timeout=60).info
    assert info["depth"] >= 4 and info["nodes"] < 10**6


def test_positions_and_limits_are_checked_before_they_are_sent(engine):
    raises(ValueError, "never ends", engine.play, Board(), Limit())
    board = Board(MATE_IN_2)
    if engine.protocol == "uci":  # a mate alone ends a search there
        assert engine.play(board, Limit(mate=2), timeout=30).move in board.legal_moves
    else:
        raises(ValueError, "never ends the search", engine.play, board, Limit(mate=2))
    raises(ValueError, "cannot be played", engine.play, Board(None), Limit(depth=2))
    raises(ValueError, "nodes", engine.analyse, Board(), Limit(nodes=2**64))
    assert engine.play(Board(), Limit(nodes=1e3), timeout=30).info["nodes"] < 10**5


def program(tmp_path, text):
    path = tmp_path / "program.py"
    path.write_text(text)
    return [sys.executable, str(path)]


@pytest.mark.system
def test_a_flood_of_news_is_no_reason_to_wait_longer(tmp_path):
    flood = '    while word == "go": print("info depth 1 nodes 5 pv h2e2")'
    engine = ExternalEngine(program(tmp_path, DEAF + flood), protocol="uci", timeout=30)
    start = time.monotonic()
    raises(EngineTimeoutError, r"no move within 0\.5 s", engine.play, Board(), Limit(nodes=5), timeout=0.5)
    assert time.monotonic() - start < 10
    assert not engine.alive


MANY = """
    if word == "go":
        news = "info depth {} multipv {} score cp 31 nodes {} pv h2e2"
        sys.stdout.write("\\n".join(news.format(n % 60, n % 2 + 1, n) for n in range(20_000)))
        print("\\nbestmove h2e2", flush=True)
"""


@pytest.mark.system
def test_of_a_flood_of_infos_little_is_read_before_the_answer(tmp_path, monkeypatch):
    """Whoever iterates an analysis gets them all, and reads them himself."""
    count = 0

    def counted(self, words, board, read=dialect.Dialect.read_info):
        nonlocal count
        count += 1
        return read(self, words, board)

    monkeypatch.setattr(dialect.Dialect, "read_info", counted)
    with ExternalEngine(program(tmp_path, DEAF + MANY), protocol="uci", timeout=60) as engine:
        info = engine.play(Board(), Limit(nodes=5)).info
        assert (info["nodes"], info["depth"], info["multipv"]) == (19_998, 19_998 % 60, 1)
        assert 0 < count < 5_000
        with engine.analysis(Board(), Limit(nodes=5)) as analysis:
            assert analysis.wait().info == info == analysis.info and count < 10_000
            assert [line["nodes"] for line in analysis.multipv] == [19_998, 19_999]
            assert [info["nodes"] for info in analysis] == list(range(20_000))


def info_lines():
    """Lines of two ranks, some without a score, some with words of the engine's own."""
    number = st.integers(0, 99).map(str)
    part = st.one_of(
        st.tuples(st.sampled_from(["depth", "nodes", "time", "hashfull", "multipv", "score cp"]), number),
        st.sampled_from([("score mate", "2"), ("score cp", "7 lowerbound"), ("wdl", "1 2 3")]),
    ).map(" ".join)
    rank = st.sampled_from(["", " multipv 1", " multipv 2", " multipv x", " multipv"])
    end = st.sampled_from(["", " pv h2e2", " pv h2e2 h9g7", " string depth 3 multipv 2", " currmove h2e2"])
    return st.lists(
        st.builds(lambda rank, parts, end: f"info{rank} {' '.join(parts)}{end}", rank, st.lists(part), end)
    )


@given(info_lines())
def test_infos_that_are_read_at_once_are_those_that_are_read_one_by_one(lines):
    one_by_one, at_once = (Infos(lambda words: dialect.Uci().read_info(words, Board())) for _ in range(2))
    for line in lines:
        one_by_one.take(line)
    at_once.take_all(lines[:3])
    at_once.take_all(lines[3:])
    assert at_once.all() == one_by_one.all()


@pytest.mark.system
def test_lines_that_nobody_reads_do_not_pile_up(tmp_path):
    text = "print('uciok', flush=True)\nwhile True: print('info string ' + 'x' * 200)"
    with ExternalEngine(program(tmp_path, text), protocol="uci", timeout=30) as engine:
        time.sleep(1)
        assert 0 < engine._process._lines._count < MAX_WAITING + CHUNK // 200


@pytest.mark.system
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("import sys\nfor line in sys.stdin: print(line, end='', flush=True)", "repeats what it is told"),
        ("while True: print('y')", "said 10000 lines but no"),
    ],
)
def test_programs_that_chatter_are_soon_told_from_engines(tmp_path, text, part):
    start = time.monotonic()
    raises(EngineError, part, ExternalEngine, program(tmp_path, text), protocol="uci", timeout=60)
    assert time.monotonic() - start < 20


@pytest.mark.system
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("how", ["close", "kill"])
def test_a_child_that_keeps_the_pipe_open_blocks_nobody(how):
    command = ["sh", "-c", f"sleep 60 & exec {shlex.join(COMMAND)}"]
    engine = ExternalEngine(command, protocol="uci", timeout=60)
    start = time.monotonic()
    getattr(engine, how)()
    assert time.monotonic() - start < 20
    assert not engine.alive


@pytest.mark.system
@pytest.mark.skipif(sys.platform != "linux", reason="of Linux alone")
def test_an_engine_ends_when_python_is_killed():
    text = (
        "import sys, time; from eleengine.engines import ExternalEngine\n"
        "engine = ExternalEngine(sys.argv[1:], protocol='uci')\n"
        "print(engine._process._process.pid, flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", text, *BAD, "hang"], stdout=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as python:
        pid = int(python.stdout.readline())
        os.kill(pid, signal.SIGSTOP)  # it cannot see the end of its input
        python.kill()
    there, state = Path(f"/proc/{pid}"), Path(f"/proc/{pid}/stat")
    wait_until(lambda: not there.exists() or ") Z " in state.read_text())


@pytest.mark.system
def test_a_thread_that_ends_does_not_take_its_engine_along():
    made = []
    thread = threading.Thread(target=lambda: made.append(ExternalEngine(COMMAND, protocol="uci", timeout=60)))
    thread.start()
    thread.join()
    time.sleep(0.2)
    with made[0] as engine:
        assert engine.play(Board(), Limit(nodes=10)).move


@pytest.mark.system
def test_scores_are_centipawns_in_either_protocol():
    found = []
    for protocol in ("uci", "ucci"):
        with ExternalEngine(COMMAND, protocol=protocol, timeout=60) as engine:
            engine.configure({"threads": 1})
            board = Board("r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/1NBAKABNR w")
            found.append(engine.play(board, Limit(nodes=3000)).info["score"].relative.score())
    assert abs(found[0]) > 100
    assert abs(found[0] - found[1]) <= 2


def test_several_lines_and_some_moves_only(engine):
    board = Board()
    lines = engine.analyse(board, Limit(depth=5), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3
    wanted = [Move.from_iccs("a3a4"), Move.from_iccs("a0a1")]
    assert engine.play(board, Limit(depth=4), root_moves=wanted).move in wanted
    infos = engine.analyse(board, Limit(depth=4), multipv=2, root_moves=wanted)
    assert {info["pv"][0] for info in infos} == set(wanted)
    assert engine.analyse(board, Limit(depth=3)).get("multipv", 1) == 1  # and no more of them
    raises(IllegalMoveError, "", engine.play, board, Limit(depth=1), root_moves=[Move.from_iccs("a0a9")])
    raises(ValueError, "empty", engine.play, board, Limit(depth=1), root_moves=[])
    assert engine.play(board, Limit(depth=1)).move


def test_an_engine_without_the_option_has_one_line():
    with bad("score cp 3") as engine, pytest.raises(ValueError, match="multipv"):
        engine.analyse(Board(), Limit(depth=1), multipv=2)


def test_a_ponder_search_goes_on_when_the_answer_was_right(engine, sent):
    board, limit = Board(), Limit(red_clock=5, black_clock=5)
    result = engine.play(board, limit, ponder=True)
    assert result.ponder and any(line.startswith("go ponder") for line in sent)
    board.push(result.move)
    board.push(result.ponder)
    sent.clear()
    second = engine.play(board, limit, ponder=True)
    assert sent[0] == "ponderhit" and board.is_legal(second.move)
    # Another answer, another command, the end: the thought is stopped, and what comes of it is not mistaken.
    for other in (lambda: engine.play(Board(), Limit(nodes=100)), engine.ping, engine.new_game):
        board = Board()
        engine.play(board, limit, ponder=True)
        sent.clear()
        other()
        assert sent[0] == "stop"
    engine.play(Board(), limit, ponder=True)


STRANGE = """
import sys
from time import sleep
out = sys.stdout.buffer

def say(line):
    out.write(line + b"\\n")
    out.flush()

for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        say("id name 象棋引擎".encode("gbk"))
        say("id author José".encode("latin-1"))
        say(b"  option name Hash\\ttype  spin   default 16 min 1 max 1024  ")
        say(b"\\toption name\\tStyle type combo default Solid Play var Solid Play var Risky")
        say(b"option name Log File type string default")
        say(b"uciok")
    elif word == "isready":
        say(b"readyok")
    elif word == "go":
        say(b"info depth 3 score cp 20 wdl 100 850 50 nodes 7 tbhits 5 pv h2e2")
        say(b"info string thinking   of tea")
        say(b"bestmove h2e2")
    elif word == "quit":
        break
    elif word == "setoption" and "1024" in line:
        print("out of memory:\\n  1024 MiB", file=sys.stderr)
        sys.exit(3)
"""


@pytest.fixture
def strange(tmp_path):
    """An engine that writes white space, encodings and news as some real ones do."""
    file = tmp_path / "strange.py"
    file.write_text(STRANGE, encoding="utf-8")
    with ExternalEngine([sys.executable, str(file)], protocol="uci") as engine:
        yield engine


@pytest.mark.system
def test_white_space_encodings_and_news_of_engines(strange):
    assert strange.id == {"name": "象棋引擎", "author": "José"}
    hash_size, style, log = strange.options["hash"], strange.options["style"], strange.options["log file"]
    assert (hash_size.type, hash_size.default, hash_size.min, hash_size.max) == ("spin", "16", 1, 1024)
    assert style.var == ("Solid Play", "Risky") and log.default == ""
    info = strange.analyse(Board(), Limit(depth=3))
    assert info["wdl"].relative == (100, 850, 50) and info["wdl"].black().wins == 50
    assert info["tbhits"] == 5 and info["string"] == "thinking of tea"


@pytest.mark.system
def test_the_last_words_of_an_engine_are_in_the_error(strange, caplog):
    with pytest.raises(
        EngineTerminatedError, match=r"status 3; its last words: out of memory: \|   1024 MiB"
    ):
        strange.configure({"hash": 1024})
    assert "out of memory" in caplog.text


@pytest.mark.system
@pytest.mark.parametrize("value", ["a\nquit", "a\rquit", "a\x00b", "a\u2028quit", "a\x1b[2J"])
def test_no_value_becomes_a_command(strange, value):
    raises(ValueError, "control character", strange.configure, {"Log File": value})
    assert strange.ping() >= 0


@pytest.mark.system
def test_long_lines_that_nobody_reads_are_limited(tmp_path):
    """An engine that writes lines of a MiB waits, and memory stays small."""
    script = (
        "import sys\nfor line in sys.stdin:\n"
        "    if line.strip() == 'uci': print('uciok', flush=True); break\n"
        "while True: print('x' * ((1 << 20) - 1), flush=True)\n"
    )
    with ExternalEngine([sys.executable, "-c", script], protocol="uci") as engine:
        time.sleep(2)
        assert engine._process._lines._size < (1 << 24) + (2 << 20)


ODD = f"""{DEAF}
    if line.startswith(("go depth", "go wtime")):
        time.sleep(0.2)
        print("bestmove h2e2 ponder h9g7", flush=True)
    if word == "stop" and sys.argv[1:] != ["deaf"]:
        print("bestmove h2e2" if "ponder" in before else "nobestmove", flush=True)
    before = line
"""


@pytest.mark.system
def test_an_answer_that_comes_twice_is_no_answer_to_the_next(tmp_path, caplog):
    twice = f"""
moves = ["h2e2", "h0g2", "h0g2"]
{DEAF}
    if word == "go": print("bestmove", moves[0], flush=True), print("bestmove", moves.pop(0), flush=True)
"""
    with ExternalEngine(program(tmp_path, twice), protocol="uci") as engine:
        board = Board()
        board.push(engine.play(board, Limit(depth=1)).move)
        board.push_uci("h9g7")
        assert engine.play(board, Limit(depth=1)).move == Move.from_iccs("h0g2")
        engine.play(board, Limit(depth=1))
    assert caplog.text.count("says 'bestmove h2e2' without a search; such are passed over") == 1


@pytest.mark.system
def test_a_stop_without_a_search_is_no_answer_to_the_next(tmp_path):
    with ExternalEngine(program(tmp_path, ODD), protocol="ucci", timeout=30) as engine:
        for _ in range(2):
            engine.stop()
            assert engine.play(Board(), Limit(depth=1)).move == Move.from_iccs("h2e2")
        analysis = engine.analysis(Board())
        analysis.stop()
        analysis.stop()
        assert analysis.wait().move is None
        assert engine.play(Board(), Limit(depth=1)).move == Move.from_iccs("h2e2")


@pytest.mark.system
def test_ctrl_c_after_the_move_of_a_program_asks_for_no_other(tmp_path, monkeypatch, sent):
    """A UCI engine without a search does not answer a stop: it was waited for, and the program ended."""
    with ExternalEngine(program(tmp_path, ODD), protocol="uci", timeout=30) as engine:
        synchronise = engine._synchronise
        interrupts = [KeyboardInterrupt]

        def interrupted(*seconds):
            old = synchronise(*seconds)
            if interrupts:
                raise interrupts.pop()
            return old

        analysis = engine.analysis(Board())
        monkeypatch.setattr(engine, "_synchronise", interrupted)
        analysis.stop()
        raises(KeyboardInterrupt, "", analysis.wait)
        assert engine.alive and sent.count("stop") == 1
        assert engine.play(Board(), Limit(depth=1)).move == Move.from_iccs("h2e2")


@pytest.mark.system
def test_a_second_ctrl_c_ends_the_program(tmp_path, monkeypatch):
    """Otherwise the move of the old search would be that of the next."""
    with ExternalEngine(program(tmp_path, ODD), protocol="uci", timeout=30) as engine:
        engine.play(Board(), Limit(depth=1), ponder=True)

        def interrupted(deadline):
            raise KeyboardInterrupt

        monkeypatch.setattr(engine._process, "read", interrupted)
        raises(KeyboardInterrupt, "", engine.ping)
        assert not engine.alive


@pytest.mark.system
def test_a_program_that_does_not_stop_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("eleengine.engines.external.driver.STOP_SECONDS", 0.2)
    engine = ExternalEngine([*program(tmp_path, ODD), "deaf"], protocol="uci", timeout=30)
    analysis = engine.analysis(Board())
    analysis.stop()
    raises(EngineTimeoutError, "does not stop", analysis.wait)
    assert not engine.alive and analysis.is_done() and analysis.empty()
    raises(EngineTimeoutError, "does not stop", analysis.get, timeout=0)


@pytest.mark.system
def test_the_thought_ahead_has_the_clock_of_after_the_move(tmp_path, sent):
    limit = Limit(red_clock=9, black_clock=5, red_inc=0, black_inc=2, remaining_moves=3)
    with ExternalEngine(program(tmp_path, ODD), protocol="uci", timeout=30) as engine:
        engine.play(Board(), limit, ponder=True)
        engine.play(Board(), Limit(time=float("inf"), red_clock=float("inf"), depth=2))
    first, ahead, last = (
        pairs(line.removeprefix("go ").removeprefix("ponder ")) for line in sent if "go" in line
    )
    assert first == pairs("wtime 9000 btime 5000 winc 0 binc 2000 movestogo 3")
    assert int(ahead.pop("wtime")) < 8900
    assert ahead == pairs("btime 5000 winc 0 binc 2000 movestogo 2")
    assert last == {"depth": "2"}


@pytest.mark.system
def test_a_program_that_does_not_read_blocks_nobody(tmp_path):
    program = EngineProcess(
        [sys.executable, "-c", "input(); import time; time.sleep(60)"], cwd=None, env=os.environ
    )
    for _ in range(3):
        program.write("x" * 300_000)
    assert program.read(time.perf_counter() + 0.05) is None
    program.kill()
    raises(EngineTerminatedError, "", program.write, "x")


@pytest.mark.system
def test_lines_of_several_threads_come_whole():
    echo = [sys.executable, "-c", "import sys\nfor line in sys.stdin: print(len(line), flush=True)"]
    program = EngineProcess(echo, cwd=None, env=os.environ)
    writers = [threading.Thread(target=program.write, args=("x" * 300_000,)) for _ in range(4)]
    for thread in writers:
        thread.start()
    assert {program.read(time.perf_counter() + 60) for _ in writers} == {"300001"}
    program.kill()
