"""Several threads search together: same scores, same mates, any number of threads, ended at any moment."""

import ctypes
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from functools import cache

import pytest
from support import CHECKOUT, MIDDLEGAMES, full_width, run_program, run_python

from eleengine import Board, Engine, Limit
from eleengine._core import PARALLEL, BaseBoard, Context, Searcher, checks_enabled, openmp_enabled
from eleengine.commands.bench import POSITIONS as BENCH

pytestmark = pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")


@cache
def expected_score(fen, depth):
    """With one thread, for all tests of several."""
    return full_width_score(fen, depth)


def full_width_score(fen, depth, threads=1, parallel="auto", network=...):
    searcher = full_width(network, hash_mib=4, threads=threads)
    searcher.parallel = parallel
    [line] = searcher.search(BaseBoard(fen), depth=depth)
    return line.score


def test_a_full_width_score_is_that_of_the_best_move():
    """Also where it comes as a surprise: from depth 5 on a window is put around the score before."""
    board = BaseBoard("2n6/6N2/3k5/2P6/9/9/2p6/1C6C/4p1r2/5K3 w")
    before, best = full_width_score(board.fen(), 4, network=None), -20000
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -full_width_score(board.fen(), 4, network=None))
        board.pop()
    assert best > before + 100
    assert full_width_score(board.fen(), 5, network=None) == best


@pytest.mark.parametrize("parallel", PARALLEL)
@pytest.mark.parametrize("fen", MIDDLEGAMES)
def test_full_width_scores_do_not_depend_on_the_threads(fen, parallel):
    """Without pruning the score is a property of the position and the depth."""
    depth = 3 if checks_enabled() else 4
    expected = expected_score(fen, depth)
    for threads in (2, 3, 7):
        assert full_width_score(fen, depth, threads, parallel) == expected


@pytest.mark.parametrize("parallel", PARALLEL)
def test_a_helper_that_is_first_brings_the_result(parallel):
    """Who finishes an iteration first is chance: over many positions each worker is first now and then."""
    wrong = []
    for fen in BENCH[:: 9 if checks_enabled() else 3]:  # fewer will do for what only the checks see
        # Deep enough, where there is little on the board, for nodes below the root to be shared out.
        depth = 6 if sum(letter.isalpha() for letter in fen.split()[0]) <= 12 else 4
        depth -= checks_enabled()
        expected = expected_score(fen, depth)
        for threads in (2, 4):
            if full_width_score(fen, depth, threads, parallel) != expected:
                wrong.append((fen, threads))
    assert wrong == []


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("parallel", PARALLEL)
@pytest.mark.parametrize("fen", MIDDLEGAMES)
def test_deep_full_width_scores(fen, parallel):
    """Deep enough for the principal variation to be split, and for siblings to be searched again by all."""
    expected = expected_score(fen, 6)
    for threads in (2, 4):
        assert full_width_score(fen, 6, threads, parallel) == expected


@pytest.mark.parametrize("parallel", PARALLEL)
@pytest.mark.parametrize("threads", [1, 2, 5, 64])
def test_mates_are_found_with_every_number_of_threads(threads, parallel):
    board = Board("4k4/9/9/9/9/9/9/9/3R5/R2K5 w")
    searcher = Searcher(hash_mib=4, threads=threads)
    searcher.parallel = parallel
    [line] = searcher.search(board, depth=8)
    assert line.score == 30000 - 3
    assert [str(m) for m in line.pv] and len(line.pv) == 3


@pytest.mark.parametrize("parallel", PARALLEL)
def test_lines_are_legal_and_the_best_move_is_sane(parallel):
    """A rook hangs: any number of threads takes it."""
    board = Board("3ak4/9/9/4r4/9/9/4R4/9/9/4K4 w")
    for threads in (2, 3, 8):
        searcher = Searcher(hash_mib=8, threads=threads)
        searcher.parallel = parallel
        lines = searcher.search(board, depth=9, multipv=3)
        assert str(lines[0].pv[0]) == "e3e6"
        assert [line.multipv for line in lines] == [1, 2, 3]
        assert lines[0].score >= lines[1].score >= lines[2].score
        for line in lines:
            copy = board.copy()
            for move in line.pv:
                assert copy.is_legal(move)
                copy.push(move)


def test_split_shares_out_the_work():
    """In every mode other workers than the first one visit nodes; in virtual time they are never late."""
    board = Board(MIDDLEGAMES[0])
    alone = Searcher(hash_mib=16)
    [line] = alone.search(board, depth=10)
    for parallel in PARALLEL:
        searcher = Searcher(hash_mib=16, threads=3)
        searcher.parallel, searcher.virtual_time = parallel, True
        searcher.search(board, depth=10)
        assert sum(searcher.worker_nodes()[1:]) > 0
    assert alone.worker_nodes() == [line.nodes]


def test_all_workers_learn_from_the_principal_variation():
    """Helpers search nothing where the root has one move and no other node is deep enough to be split."""
    board = BaseBoard("rc1k2bnr/4a3c/b1n2a3/2p1p3p/p2C5/P5p2/2P1P1P1P/N2C4N/9/R1BAKAB1R b")
    [only] = board.legal_moves
    searcher = Searcher(hash_mib=4, threads=3)
    searcher.parallel = "hybrid"
    searcher.search(board, depth=4)
    assert searcher.worker_nodes()[1:] == [0, 0]
    assert min(searcher.histories(board, only)) > 0


def test_workers_share_what_they_learn_with_abdada_alone():
    """Their scores are those of the first worker then, also after searches in another mode."""
    board = BaseBoard(MIDDLEGAMES[0])
    quiet = [move for move in board.legal_moves if not board.is_capture(move)]
    searcher = Searcher(hash_mib=4, threads=3)
    searcher.virtual_time = True
    for parallel in ("hybrid", "abdada", "hybrid", "auto"):
        searcher.parallel = parallel
        searcher.search(board, depth=8)
        learned = [searcher.histories(board, move) for move in quiet]
        assert any(learned[0])
        shared = all(one == first for first, *others in learned for one in others)
        assert shared == (parallel == "abdada")
    searcher.clear()
    assert not any(any(searcher.histories(board, move)) for move in quiet)


@pytest.mark.parametrize(
    ("threads", "parallel"),
    [(1, "hybrid"), (2, "hybrid"), (3, "hybrid"), (4, "hybrid"), (3, "abdada")],
)
def test_root_moves_have_the_nodes_of_all_workers(threads, parallel):
    """The clock goes by them: a move that took all the nodes needs no more time."""
    no_proofs = Context(parameters={"proof_parts": 1_000_000_000})  # half of the nodes if a mate seems near
    searcher = Searcher(hash_mib=8, threads=threads, context=no_proofs)
    searcher.parallel, searcher.virtual_time = parallel, threads > 1  # in which it is the same each time
    for fen in MIDDLEGAMES:
        searcher.clear()
        searcher.search(BaseBoard(fen), depth=7 if checks_enabled() else 11)
        counted, searched = sum(searcher.root_nodes().values()), sum(searcher.worker_nodes())
        # The root itself is nobody's; mates by checks are looked for beside the iterations.
        assert 0.8 * searched <= counted <= searched


def test_a_mode_that_does_not_exist():
    with pytest.raises(ValueError, match=r"parallel must be one of abdada, hybrid, auto, not 'best'"):
        Searcher(hash_mib=1).parallel = "best"


def entry(hash_mib, key):
    """The two words of a position's entry, found in the memory of this process.

    A table is the only thing that, from the start of a large page on, has such words where the key
    belongs: lock ^ data == key, in one of the four entries of the cluster.
    """
    table = hash_mib << 20
    place = (key * (table // 64) >> 64) * 64
    with open("/proc/self/maps") as maps:
        regions = [line.split() for line in maps]
    for span, access, *_, file in regions:
        start, end = (int(word, 16) for word in span.split("-"))
        if access != "rw-p" or file.startswith("/") or not table <= end - start < 1 << 32:
            continue
        for base in range(start + -start % (2 << 20), end - table + 1, 2 << 20):
            cluster = (ctypes.c_uint64 * 8).from_address(base + place)
            for i in range(0, 8, 2):
                if cluster[i + 1] and cluster[i] ^ cluster[i + 1] == key:
                    return (ctypes.c_uint64 * 2).from_address(base + place + 8 * i)
    return None


@pytest.mark.skipif(sys.platform != "linux", reason="no way to find the table")
def test_a_torn_entry_is_rejected():
    """A store that another one has overtaken leaves half of each: the checksum does not fit."""
    board, other = Board(), Board(MIDDLEGAMES[0])
    searcher = Searcher(hash_mib=64)
    searcher.search(board, depth=4)
    searcher.search(other, depth=4)
    assert searcher.probe(board) is not None
    mine, theirs = entry(64, board.key), entry(64, other.key)
    mine[1] = theirs[1]
    assert searcher.probe(board) is None
    assert searcher.probe(other) is not None


@pytest.mark.system
def test_stop_is_prompt_in_every_mode():
    board = Board(MIDDLEGAMES[0])
    for parallel in PARALLEL:
        with Engine(hash_mib=8, threads=4, parallel=parallel) as engine:
            for _ in range(3):
                analysis = engine.analysis(board, Limit())
                time.sleep(random.Random(parallel).random() / 20)
                began = time.process_time()  # threads that go on searching use it, other programs do not
                analysis.stop()
                assert board.is_legal(analysis.wait().move)
                assert time.process_time() - began < (5 if checks_enabled() else 1)


def waiting_threads(work):
    """Threads of a process of its own after that work with an engine of two threads."""
    script = f"""
import os
from eleengine import Board, Engine, Limit
board = Board()
with Engine(hash_mib=16, threads=2) as engine:
    {work}
    engine.analyse(board, Limit(depth=4))
    print(len(os.listdir("/proc/self/task")), "libgomp" in open("/proc/self/maps").read())
"""
    found, by_gcc = run_python(script, check=True).stdout.split()
    if by_gcc == "False":
        pytest.skip("another OpenMP, where threads that wait are no burden")
    return int(found)


@pytest.mark.system
@pytest.mark.skipif(sys.platform != "linux", reason="no way to count threads")
@pytest.mark.parametrize("work", ["engine.hash_mib = 32", "engine.clear()", "board.perft(3, threads=4)"])
def test_only_the_team_of_the_search_waits_for_work(work):
    """Idle threads of other teams would keep those of the search from spinning: 7 % of the nodes a second."""
    assert waiting_threads(work) == 3  # the program's, the engine's, and the one that helps


def start_stop(cycles, seed):
    rng = random.Random(seed)
    boards = [Board(fen) for fen in MIDDLEGAMES]
    searcher = Searcher(hash_mib=1)
    for _ in range(cycles):
        if rng.random() < 0.2:
            searcher.threads = rng.choice((1, 2, 2, 3, 4, 7, 16, 64))
            searcher.parallel = rng.choice(PARALLEL)
        board = rng.choice(boards)
        searcher.arm()
        timer = threading.Timer(rng.random() ** 3 / 50, searcher.stop)
        timer.start()
        lines = searcher.search(board, nodes=0 if rng.random() < 0.7 else rng.randrange(1, 20000))
        timer.cancel()
        timer.join()
        assert board.is_legal(lines[0].pv[0])


def test_start_and_stop_with_any_number_of_threads():
    start_stop(40, seed=1)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_thousand_starts_and_stops():
    start_stop(10_000, seed=2)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_protocol_with_four_threads():
    """All tests of the protocol once more, with an engine that searches with four threads."""
    tests = sorted(str(path) for path in (CHECKOUT / "tests").glob("test_ucci_*.py"))
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-m", "not slow", *tests]
    done = run_program(*command, cwd=CHECKOUT, env={"ELEENGINE_TEST_THREADS": "4"}, timeout=1800)
    assert done.returncode == 0, done.stdout[-4000:]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_no_data_races(tmp_path):
    """The thread sanitizer has nothing to say of our code.

    The OpenMP runtime is not built with it, so what the runtime itself does is left out.
    """
    shutil.copytree(CHECKOUT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.so", "*.c"))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, tmp_path)
    env = os.environ | {"ELEENGINE_SANITIZE": "thread"}
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=tmp_path, env=env, check=True
    )
    program = f"""
import sys
import threading
sys.path.insert(0, {str(tmp_path / "src")!r})
from eleengine import Board
from eleengine._core import PARALLEL, Searcher, ThesisSearch
for parallel in PARALLEL:
    for threads in (2, 4):
        searcher = Searcher(hash_mib=1, threads=threads)
        searcher.parallel = parallel
        watched = threading.Event()

        def watch():
            while not watched.wait(0.001):
                searcher.progress()
                searcher.hashfull

        watcher = threading.Thread(target=watch)
        watcher.start()
        for fen in {MIDDLEGAMES!r}:
            searcher.search(Board(fen), depth=9)
            news = []
            searcher.search(Board(fen), nodes=60_000, multipv=2, report=news.append)
            assert news
            searcher.arm()
            timer = threading.Timer(0.3, searcher.stop)
            timer.start()
            searcher.search(Board(fen), report=news.append)
            timer.join()
        watched.set()
        watcher.join()
thesis = {{"shared_table": False, "schedule": "dynamic"}}
splits = [{{"split": split}} for split in ("tree", "window", "dts", "tasks", "openmp-tasks")]
for options in ({{}}, thesis, {{"own_order": True, "regroup": True}}, *splits):
    for threads in (2, 4):
        search = ThesisSearch(hash_mib=1, threads=threads, **options)
        for fen in {MIDDLEGAMES!r}:
            search.search(Board(fen), depth=6)
print("done")
"""
    gcc = ["gcc", "-fsanitize=thread", "-fopenmp", "-shared", "-fPIC", "-O1", "-o", tmp_path / "teams.so"]
    run_program(*gcc, CHECKOUT / "tests/teams.c", check=True)
    runtime = run_program("gcc", "-print-file-name=libtsan.so", check=True).stdout.strip()
    before = {"LD_PRELOAD": f"{runtime} {tmp_path / 'teams.so'}"}
    before["TSAN_OPTIONS"] = "ignore_noninstrumented_modules=1 exitcode=0"
    done = run_python(program, env=before, timeout=1800)
    assert done.stdout == "done\n", done.stderr[-2000:]
    assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
