"""Searches in virtual time: workers take turns as if each had a processor of its own."""

import subprocess
import sys

import pytest
from support import CHECKOUT, MIDDLEGAMES

from eleengine import Board
from eleengine._core import PARALLEL, Searcher, openmp_enabled
from eleengine.lab.match.journal import read_match

DEPTH = 9


def search(fen, threads, parallel="hybrid", virtual=True, **limits):
    """The searcher and its best line."""
    searcher = Searcher(hash_mib=4, threads=threads)
    searcher.parallel = parallel
    searcher.virtual_time = virtual
    [line] = searcher.search(Board(fen), **limits)
    return searcher, line


def test_one_thread_searches_as_in_real_time():
    for fen in MIDDLEGAMES[:3]:
        searcher, line = search(fen, 1, depth=DEPTH)
        real, real_line = search(fen, 1, depth=DEPTH, virtual=False)
        assert searcher.virtual_nodes == (sum(real.worker_nodes()), 0)
        assert line.pv == real_line.pv
        assert searcher.worker_nodes() == real.worker_nodes()


@pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")
@pytest.mark.parametrize("parallel", PARALLEL)
@pytest.mark.parametrize("threads", [2, 7])
def test_the_same_search_twice_is_the_same(threads, parallel):
    """Which worker is first is chance in real time, not here."""
    runs = []
    for _ in range(2):
        searcher, line = search(MIDDLEGAMES[0], threads, parallel, depth=DEPTH)
        runs.append((line.pv, line.score, searcher.virtual_nodes, searcher.worker_nodes()))
    assert runs[0] == runs[1]


@pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")
@pytest.mark.parametrize("parallel", PARALLEL)
def test_clocks_count_work_and_waits(parallel):
    """Together workers take less time than one, and no more than all their time is accounted for."""
    alone = together = 0
    for fen in MIDDLEGAMES[:4]:
        alone += search(fen, 1, depth=DEPTH)[0].virtual_nodes[0]
        searcher, _ = search(fen, 4, parallel, depth=DEPTH)
        time, waited = searcher.virtual_nodes
        nodes = searcher.worker_nodes()
        assert max(nodes) <= time
        assert sum(nodes) + waited <= 4 * time
        assert waited > 0
        together += time
    assert together < alone


@pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")
@pytest.mark.parametrize("parallel", PARALLEL)
def test_a_limit_of_nodes_is_one_of_time(parallel):
    searcher, _ = search(MIDDLEGAMES[0], 4, parallel, nodes=5000)
    assert 5000 <= searcher.virtual_nodes[0] < 5500
    assert sum(searcher.worker_nodes()) > 7500


@pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")
@pytest.mark.parametrize(
    ("threads", "parallel"), [(2, "hybrid"), (3, "hybrid"), (4, "abdada"), (40, "abdada")]
)
def test_the_default_is_one_mode_for_few_and_another_for_many(threads, parallel):
    """docs/parallel.md has the measurements. Virtual time makes equal searches equal."""
    assert Searcher(hash_mib=1).parallel == "auto"
    auto, one, other = (
        search(MIDDLEGAMES[0], threads, mode, depth=7)[0].worker_nodes()
        for mode in ("auto", parallel, "abdada" if parallel == "hybrid" else "hybrid")
    )
    assert auto == one != other


def test_real_time_counts_no_virtual_nodes():
    searcher, _ = search(MIDDLEGAMES[0], 1, virtual=False, depth=1)
    with pytest.raises(ValueError, match="virtual time"):
        _ = searcher.virtual_nodes


@pytest.mark.system
@pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")
def test_games_in_virtual_time_are_the_same_played_at_once_or_in_parts(tmp_path):
    """So a journal goes on, and the engines are in virtual time: in real time several threads vary."""

    def play(journal, pairs):
        command = [sys.executable, "tools/thread_games.py", str(tmp_path / journal), "--virtual"]
        command += ["--threads", "5", "--parallel", "hybrid", "--nodes", "400", "--pairs", str(pairs)]
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=300, check=True)
        games = read_match(tmp_path / journal).results.records
        return [(games[number].result, games[number].moves) for number in sorted(games)], done.stdout

    first, _ = play("parts", 1)
    parts, table = play("parts", 2)
    assert parts == play("at-once", 2)[0]
    assert parts[:2] == first
    assert len(parts) == 4
    assert table.startswith("5 hybrid")
