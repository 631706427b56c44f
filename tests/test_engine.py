"""The engine in this process: moves, analyses, limits, threads, and errors that name what is wrong."""

import gc
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from itertools import accumulate, pairwise
from random import Random
from types import SimpleNamespace

import pytest
from support import CHECKOUT, raises, run_python, wait_until

from eleengine import BLACK, RED, Board, Engine, IllegalMoveError, Limit, Move, book
from eleengine._core import checks_enabled, openmp_enabled
from eleengine.engines import EngineTerminatedError
from eleengine.engines.settings import EngineSettings
from eleengine.engines.strength import LADDER, Strength, appraise, skill_of_elo
from eleengine.score import Cp, Mate, MateGiven, PovScore

MATE_IN_1 = "3k5/R8/8R/9/9/9/9/9/9/5K3 w"  # i7i9 is the only mate
MATED = "3k4R/R8/9/9/9/9/9/9/9/5K3 b"
QUICK = Limit(depth=5)
LONG = Limit(time=600)
SETTINGS = [
    name
    for name, value in vars(EngineSettings).items()
    if not name.startswith("_") and hasattr(value, "__set__") and getattr(value, "fset", True)
]


@pytest.fixture
def engine():
    with Engine(hash_mib=1) as engine:
        yield engine


def has_begun(analysis):
    return analysis.progress()["nodes"] > 0


# Moves and analyses


def test_plays_from_a_book_while_it_knows_the_position():
    with book.shipped() as masters, Engine(hash_mib=1, book=masters, seed=5) as engine:
        board = Board()
        games = []
        for seed in (5, 5, 6):
            engine.seed = seed
            played = [engine.play(board, QUICK).move for _ in range(20)]
            assert set(played) <= {entry.move for entry in masters.find_all(board) if entry.weight}
            games.append(played)
        assert games[0] == games[1] != games[2]
        assert engine.play(board, QUICK).info["book"].games > 0
        only = Move.from_iccs("h2e2")
        assert engine.play(board, QUICK, root_moves=[only]).info["book"].move == only
        assert "book" not in engine.play(board, QUICK, root_moves=[Move.from_iccs("a0a1")]).info
        assert "depth" in engine.play(Board(MATE_IN_1), QUICK).info
        assert "depth" in engine.analyse(board, QUICK)
        engine.book = None
        assert "depth" in engine.play(board, QUICK).info
        engine.book = masters
        engine.close()
        raises(EngineTerminatedError, "", engine.play, board, QUICK)


def test_plays_a_legal_move_and_expects_an_answer(engine):
    board = Board()
    result = engine.play(board, QUICK)
    assert result.move in board.legal_moves
    assert board == Board()
    board.push(result.move)
    assert result.ponder in board.legal_moves
    assert result.info["pv"][:2] == [result.move, result.ponder]


def test_an_info_tells_all_about_the_search(engine):
    info = engine.analyse(Board(), QUICK)
    assert info["depth"] == 5 <= info["seldepth"]
    assert info["nodes"] > 100
    assert 0 <= info["time"] < 60
    assert info["multipv"] == 1
    assert info["score"].turn == RED
    board = Board()
    for move in info["pv"]:
        board.push(move)


def test_mates_are_scored_for_both_sides(engine):
    board = Board(MATE_IN_1)
    info = engine.analyse(board, QUICK)
    assert info["pv"] == [Move.from_iccs("i7i9")]
    assert info["score"] == PovScore(Mate(1), RED) == PovScore(Mate(-1), BLACK)
    flipped = engine.analyse(board.swap_colors(), QUICK)
    assert flipped["score"] == PovScore(Mate(1), BLACK)


def test_a_lost_game_has_no_move_and_the_score_of_a_mate(engine):
    board = Board(MATED)
    assert engine.play(board, QUICK).move is None
    info = engine.analyse(board, QUICK)
    assert info["pv"] == []
    assert info["score"] == PovScore(Mate(0), BLACK)
    assert info["score"].red() == MateGiven


def test_several_lines_come_best_first_of_the_moves_asked_for(engine):
    infos = engine.analyse(Board(), QUICK, multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    assert len({info["pv"][0] for info in infos}) == 4
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True)
    every = engine.analyse(Board(MATE_IN_1), QUICK, multipv=10**20)
    assert len(every) == Board(MATE_IN_1).legal_moves.count()
    only = [Move.from_iccs("a0a1"), Move.from_iccs("i0i1")]
    assert engine.play(Board(), QUICK, root_moves=only).move in only
    infos = engine.analyse(Board(), QUICK, multipv=5, root_moves=iter(only))
    assert {info["pv"][0] for info in infos} == set(only)


# Limits


def test_each_limit_ends_a_search(engine):
    assert engine.analyse(Board(), Limit(depth=3))["depth"] == 3
    assert engine.analyse(Board(), Limit(nodes=5000), game=1)["nodes"] <= 6000
    assert engine.analyse(Board(MATE_IN_1), Limit(mate=1))["score"].relative == Mate(1)
    clocks = Limit(red_clock=1, red_inc=0.1), Limit(red_clock=0.5, remaining_moves=3)
    for limit in (Limit(time=0.05), Limit(time=0), *clocks):
        start = time.monotonic()
        assert engine.play(Board(), limit).move
        assert time.monotonic() - start < 60


@pytest.mark.parametrize("limit", [Limit(), Limit(black_clock=5), Limit(time=math.inf)])
def test_a_search_that_would_never_end_is_refused(engine, limit):
    raises(ValueError, "never ends the search", engine.play, Board(), limit)
    raises(ValueError, "never ends the search", engine.analyse, Board(), limit)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        (Limit(depth=0), "limit depth must be at least 1, not 0"),
        (Limit(nodes=-5), "limit nodes must be at least 1, not -5"),
        (Limit(mate=0), "limit mate must be at least 1"),
        (Limit(time=-1), "limit time must be at least 0, not -1"),
        (Limit(time=float("nan")), "limit time must be at least 0, not nan"),
        (Limit(red_clock=-0.5), "limit red_clock must be at least 0"),
    ],
)
def test_a_limit_out_of_range_is_named(engine, limit, message):
    raises(ValueError, message, engine.play, Board(), limit)


# Analyses beside the program


def test_an_analysis_yields_its_infos_in_order_and_ends(engine):
    analysis = engine.analysis(Board(), Limit(depth=6))
    depths = [info["depth"] for info in analysis]
    assert depths == sorted(depths) and set(depths) == set(range(1, 7))
    assert analysis.is_done()
    assert analysis.wait().move == analysis.info["pv"][0]
    assert list(analysis) == [] and analysis.get() is None


def test_the_board_may_change_while_it_is_analysed(engine):
    board = Board()
    with engine.analysis(board) as analysis:
        board.push_iccs("h2e2")
        analysis.get()
    assert analysis.wait().move in Board().legal_moves


def test_progress_and_lines_can_be_watched(engine):
    with engine.analysis(Board(), multipv=3) as analysis:
        wait_until(lambda: len(analysis.multipv) == 3 and analysis.progress()["nodes"] > 2000)
        now = analysis.progress()
        assert now["time"] > 0 and now["nps"] > 0
        assert now["currmove"] in Board().legal_moves and 1 <= now["currmovenumber"] <= 44


def test_stop_ends_the_search_that_runs_and_those_that_wait(engine):
    analyses = [engine.analysis(Board(), LONG) for _ in range(3)]
    wait_until(has_begun, analyses[0])
    assert not any(analysis.is_done() for analysis in analyses)
    engine.stop()
    for analysis in analyses:
        assert analysis.wait().move in Board().legal_moves
    assert engine.analyse(Board(), QUICK)["depth"] == 5


def test_stopping_one_analysis_leaves_the_others(engine):
    first, second, third = (engine.analysis(Board(), LONG) for _ in range(3))
    second.stop()
    time.sleep(0.05)
    assert not first.is_done()
    first.stop()
    second.wait()
    wait_until(lambda: third.info)
    assert not third.is_done()
    third.stop()
    third.wait()


def test_an_analysis_without_end_gives_way_to_another_search(engine):
    endless = engine.analysis(Board())
    wait_until(has_begun, endless)
    assert engine.play(Board(), QUICK).move in Board().legal_moves
    assert endless.is_done() and endless.wait().move in Board().legal_moves


def test_an_analysis_that_has_been_read_is_empty_to_its_end(engine):
    analysis = engine.analysis(Board(), QUICK)
    analysis.wait()
    infos = []
    while not analysis.empty():
        infos.append(analysis.get())
    assert [info["depth"] for info in infos] == [1, 2, 3, 4, 5]
    assert analysis.get() is None and analysis.empty()


def test_an_analysis_keeps_its_engine():
    depths = [info["depth"] for info in Engine(hash_mib=1).analysis(Board(), QUICK)]
    assert depths == [1, 2, 3, 4, 5]


# Threads and instances


def test_two_threads_share_an_engine_one_search_at_a_time():
    results = []
    with Engine(hash_mib=1) as engine:

        def play():
            for _ in range(5):
                results.append(engine.play(Board(), QUICK).move)

        threads = [threading.Thread(target=play) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(results) == 20
    assert all(move in Board().legal_moves for move in results)


def test_several_engines_search_at_the_same_time():
    with Engine(hash_mib=1) as one, Engine(hash_mib=1) as two, one.analysis(Board()) as analysis:
        wait_until(has_begun, analysis)
        assert two.analyse(Board(MATE_IN_1), QUICK)["score"].relative == Mate(1)
        assert not analysis.is_done()


def test_searches_repeat_exactly_after_the_memory_is_cleared(engine):
    def nodes(**options):
        return engine.analyse(Board(), Limit(depth=7), **options)["nodes"]

    first = nodes()
    assert nodes() != first  # it remembers
    engine.clear()
    assert nodes() == first
    assert nodes(game="another") == first
    with Engine(hash_mib=1) as other:
        assert other.analyse(Board(), Limit(depth=7))["nodes"] == first


def test_a_closed_engine_says_so():
    engine = Engine(hash_mib=1)
    analysis = engine.analysis(Board())
    engine.close()
    engine.close()
    assert analysis.is_done()
    raises(EngineTerminatedError, "closed", engine.play, Board(), QUICK)
    for ask in (engine.clear, engine.new_game, engine.ping):
        raises(EngineTerminatedError, "closed", ask)
    for options in ({"Hash": 2}, {"Skill Level": 3}, {}):
        raises(EngineTerminatedError, "closed", engine.configure, options)
    for name in SETTINGS:
        raises(EngineTerminatedError, "closed", setattr, engine, name, getattr(engine, name))


def test_a_forgotten_engine_ends_its_thread():
    engine = Engine(hash_mib=1)
    engine.play(Board(), QUICK)
    thread = engine._thread
    del engine
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()


# Options


def test_options_are_attributes_and_have_the_names_of_uci(engine):
    options = {"hash_mib": 2, "threads": 1, "parallel": "hybrid", "skill": 3, "rule_set": "cxa", "multipv": 2}
    options["no_capture_limit"] = 100

    def values(engine):
        return {name: getattr(engine, name) for name in options}

    engine.configure(options)
    assert values(engine) == options
    engine.hash_mib, engine.skill = 4, 20
    assert values(engine) == options | {"hash_mib": 4, "skill": 20}
    with Engine(**options) as other:
        assert values(other) == options
        other.configure({"Hash": "3", "SKILL_LEVEL": 4, "Repetition Rule": "axf", "Natural Limit": 60})
        assert values(other) == options | {
            "hash_mib": 3, "skill": 4, "rule_set": "axf", "no_capture_limit": 60
        }  # fmt: skip
    assert {option.name for option in engine.options.values()} >= {"Hash", "Threads", "MultiPV", "EvalFile"}
    assert engine.play(Board(), QUICK).move


def test_chance_never_chooses_against_a_mate():
    """Neither is a mate missed by choice, nor is one walked into while there is another line."""
    mate, far, good, fair, lost = (SimpleNamespace(score=n) for n in (29_995, 29_900, 150, 120, -29_990))
    varied = Strength(variety=60)
    for best in (mate, far):
        assert all(varied.choose([best, good, fair], Random(seed)) is best for seed in range(50))
    assert varied.choose([lost, lost]) is lost
    assert {varied.choose([good, fair, lost], Random(seed)).score for seed in range(50)} == {150, 120}
    assert Strength().choose([good, fair]) is good
    strong = Strength(19)
    assert all(strong.choose([mate, good, fair], Random(seed)) is mate for seed in range(50))
    assert all(strong.choose([good, lost], Random(seed)) is good for seed in range(50))


def test_levels_mate_when_they_see_it():
    """From level 6 on in at most three moves; below, the nearer of two mates is the likelier one."""
    lines = [SimpleNamespace(score=30_000 - plies) for plies in (1, 3, 5, 7)]
    for level in range(6, 20):
        for n, near in enumerate(lines[:3]):
            assert all(Strength(level).choose(lines[n:], Random(seed)) is near for seed in range(30))
    far = [SimpleNamespace(score=30_000 - 7), SimpleNamespace(score=29_000)]
    assert {Strength(6).choose(far, Random(seed)).score for seed in range(400)} == {29_993, 29_000}
    chosen = [lines.index(Strength(3).choose(lines, Random(seed))) for seed in range(400)]
    assert chosen.count(0) > 2 * chosen.count(1) > 2 * chosen.count(3) > 0


@pytest.mark.parametrize("level", [0, 4, 11])
@pytest.mark.parametrize("best, loss", [(0, 10), (0, 100), (800, 100)])
def test_a_level_makes_mistakes_as_often_as_it_says(level, best, loss):
    lines = [SimpleNamespace(score=best), SimpleNamespace(score=best - loss)]
    weak, random, tries = Strength(level), Random(level), 4000
    mistakes = sum(weak.choose(lines, random) is lines[1] for _ in range(tries)) / tries
    odds = math.exp((appraise(best - loss) - appraise(best)) / weak.carelessness)
    assert mistakes == pytest.approx(odds / (1 + odds), abs=0.03)


def test_levels_rise_by_the_measured_steps():
    ladder = [Strength(level) for level in range(20)]
    for one, next_one in pairwise(ladder):
        assert next_one.carelessness <= one.carelessness
        assert next_one.nodes >= one.nodes
        assert (next_one.carelessness, next_one.nodes) != (one.carelessness, one.nodes)
    rows = re.findall(r"^\| (\d+) \|.*\| \+(\d+) \| \[", (CHECKOUT / "docs/levels.md").read_text(), re.M)
    assert [int(level) for level, _ in rows] == list(range(1, 20))
    assert (0, *accumulate(int(step) for _, step in rows)) == LADDER
    assert [skill_of_elo(elo) for elo in LADDER] == list(range(20))


def test_a_low_skill_searches_little_and_varies():
    with Engine(hash_mib=1, skill=0) as engine:
        results = [engine.play(Board(), Limit(time=10), game=i) for i in range(12)]
    assert all(result.info["nodes"] < 2000 for result in results)
    assert len({result.move for result in results}) > 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"style": 16}, "unknown option 'style': the engine has Hash, Threads, Parallel, "),
        ({"hash_mib": -1}, "hash_mib must be [01]..1048576, not -1"),
        ({"threads": 257}, "threads must be [01]..256, not 257"),
        ({"skill": 21}, "skill must be 0..20, not 21"),
        ({"multipv": 0}, "multipv must be 1..128, not 0"),
        ({"rule_set": "house"}, "rule_set must be one of axf, .*, not 'house'"),
        ({"no_capture_limit": -1}, "no_capture_limit must be [01]..100000, not -1"),
    ],
)
def test_a_bad_option_is_named(engine, options, message):
    raises(ValueError, message, engine.configure, options)
    if "style" not in options:
        raises(ValueError, message, Engine, **options)


# Errors


def test_what_is_wrong_with_a_search_is_told_at_once(engine):
    raises(ValueError, "red has no king", engine.analysis, Board("4k4/9/9/9/9/9/9/9/9/9 w", validate=False))
    with pytest.raises(IllegalMoveError, match="illegal move a0a9"):
        engine.analysis(Board(), root_moves=[Move.from_iccs("a0a9")])
    raises(ValueError, "multipv must be at least 1, not 0", engine.analyse, Board(), QUICK, multipv=0)
    raises(TypeError, "'float' object", engine.analyse, Board(), QUICK, multipv=1.5)
    raises(ValueError, "root_moves is empty", engine.play, Board(), QUICK, root_moves=[])
    mated = Board("3k5/4P4/9/9/9/9/9/9/9/3RK4 b")
    assert engine.play(mated, QUICK, root_moves=[]).move is None
    assert engine.play(Board(), Limit(nodes=1e3)).info["nodes"] <= 1000


@pytest.mark.system
@pytest.mark.skipif(sys.platform == "win32", reason="a console is needed; test_windows.py has one")
def test_ctrl_c_interrupts_a_search():
    program = (
        "from eleengine import *; engine = Engine(hash_mib=1); print('ready', flush=True)\n"
        "try: engine.play(Board(), Limit(time=60))\n"
        "except KeyboardInterrupt: print('interrupted', bool(engine.play(Board(), Limit(depth=3)).move))"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=20)[0] == "interrupted True\n"
    assert process.returncode == 0


@pytest.mark.timeout(120)
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs signal.setitimer")
def test_the_handler_of_a_signal_may_stop_the_engine_at_any_moment():
    """Also in the middle of a call that holds the engine's lock."""
    with Engine(hash_mib=1) as engine:
        stops = []

        def stop(*_):
            engine.stop()
            stops.append(1)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.0001)

        before = signal.signal(signal.SIGVTALRM, stop)
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.0001)
            while len(stops) < 25:
                engine.analyse(Board(), Limit(depth=2))
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


@pytest.mark.system
def test_the_engine_is_imported_when_it_is_asked_for():
    ask = "import sys, eleengine; print('eleengine.engines.local' in sys.modules, eleengine.Engine.__name__)"
    assert run_python(ask, check=True).stdout == "False Engine\n"


# Scores


def test_a_score_is_a_whole_number():
    for number in (1.5, math.nan, "1"):
        raises(TypeError, "cannot be interpreted as an integer", Cp, number)
        raises(TypeError, "cannot be interpreted as an integer", Mate, number)


def test_scores_are_ordered_from_mated_to_mating():
    scores = [Mate(0), Mate(-1), Mate(-9), Cp(-40), Cp(0), Cp(7), Mate(9), Mate(1), MateGiven]
    for i, a in enumerate(scores):
        for j, b in enumerate(scores):
            assert (a < b, a == b, a > b) == (i < j, i == j, i > j)
            assert (-a < -b) == (a > b)
    assert len(set(scores)) == len(scores)
    read = [PovScore.from_core(n, RED).relative for n in (30_000, 29_999, 29_995, 250, -29_996, -30_000)]
    assert read == [MateGiven, Mate(1), Mate(3), Cp(250), Mate(-2), Mate(0)]
    # Whom the rules make lose by the third move, a repetition, has one move of the opponent to live.
    assert PovScore.from_core(-29_997, RED).relative == Mate(-1)


@pytest.mark.parametrize(
    "limit", [Limit(nodes=2**64), Limit(mate=2**40), Limit(depth=1.5), Limit(nodes=float("inf"))]
)
def test_limits_beyond_what_is_counted_are_named(engine, limit):
    raises(ValueError, r"the limit \w+ must be a whole number up to", engine.play, Board(), limit)


@pytest.mark.system
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_an_engine_belongs_to_its_process(engine):
    engine.play(Board(), QUICK)
    child = os.fork()
    if child == 0:
        try:
            engine.play(Board(), QUICK)
        except EngineTerminatedError:
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


@pytest.mark.system
@pytest.mark.parametrize(
    "limit",
    [Limit(red_clock=0.0), Limit(red_clock=0.01), Limit(red_clock=0.02, red_inc=0.0),
     Limit(red_clock=0.004, red_inc=5.0), Limit(red_clock=0.01, remaining_moves=40)],
)  # fmt: skip
def test_a_clock_that_has_nearly_run_out_means_a_move_at_once(engine, limit):
    engine.play(Board(), Limit(nodes=1))
    start = time.process_time()  # a search is busy all the time: other programs make no difference
    assert engine.play(Board(), limit).move
    assert time.process_time() - start < 1


IN_A_CHILD = """
import os, signal, sys, time
from eleengine import Board, Engine, Limit
from eleengine._core import checks_enabled, openmp_enabled
from eleengine.engines import EngineTerminatedError

def refused(use):
    try:
        use()
    except EngineTerminatedError as error:
        return "forked" in str(error)

engine = Engine(hash_mib=1, threads=2)
analysis = engine.analysis(Board())
analysis.get()
child = os.fork()
if child == 0:
    signal.alarm(30)  # a child that hangs is killed
    uses = [engine.clear, lambda: engine.play(Board(), Limit(depth=1)), analysis.wait]
    names = ["hash_mib", "threads", "parallel", "rule_set", "no_capture_limit", "tables", "context", "skill"]
    uses += [lambda name=name: setattr(engine, name, getattr(engine, name)) for name in names]
    found = [refused(use) for use in uses]
    found.append(refused(lambda: [None for _ in range(10**6) if analysis.get() is None]))
    analysis.stop()
    analysis.__exit__()
    engine.stop()
    engine.close()
    with Engine(hash_mib=1, threads=2) as own:
        found.append(own.play(Board(), Limit(depth=5)).move is not None)
    del engine, analysis
    print(found.count(True), len(found), flush=True)
    sys.exit(0)
_, status = os.waitpid(child, 0)
print(status, not analysis.is_done())
analysis.stop()
print(analysis.wait().move is not None)
"""


@pytest.mark.system
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_nothing_hangs_in_a_child_of_a_process_that_searches():
    # Python 3.12 and later warn of a fork beside threads, which is what this is about.
    command = [sys.executable, "-W", "ignore:This process:DeprecationWarning", "-c", IN_A_CHILD]
    result = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert (result.stderr, result.stdout) == ("", "13 13\n0 True\nTrue\n")


# What limits the threads of a process in this way: more memory for their stacks than there may be.
FEW = {"OMP_STACKSIZE": "1G"}


@pytest.mark.system
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
@pytest.mark.skipif(checks_enabled() or not openmp_enabled(), reason="a sanitizer needs all addresses")
def test_a_search_does_with_the_threads_that_it_gets():
    script = """
import resource
from eleengine import Board, Engine, Limit
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
with Engine(hash_mib=1, threads=8) as engine:
    for parallel in ("hybrid", "abdada"):
        engine.parallel = parallel
        move = engine.play(Board(), Limit(depth=4)).move
        print(move is not None, 1 <= engine._searcher.team < 8, engine.threads)
    engine.clear()
print(Board().perft(4, threads=8))
"""
    result = run_python(script, env=FEW)
    assert result.stdout == "True True 8\nTrue True 8\n3290240\n"
    assert "RuntimeWarning: threads is 8, but the system gives" in result.stderr


def test_a_move_of_the_book_ends_the_thought_ahead():
    with Engine() as engine:
        engine.play(Board(), Limit(nodes=2000), ponder=True)
        ahead = engine._pondering
        with book.shipped() as masters:
            engine.book = masters
            assert "book" in engine.play(Board(), Limit(nodes=100)).info
        assert ahead is not None and ahead.feed.done.wait(30)
