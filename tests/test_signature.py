"""What the search does has not changed: the nodes of fixed searches are those on record.

They are the same on every machine and with every switch of the build. A change that is meant to alter the
search or the evaluation puts the new numbers, which the failing tests tell, into the files of this folder.
"""

from pathlib import Path

import pytest
from support import call, classical

from eleengine import Board
from eleengine._core import openmp_enabled
from eleengine.commands.bench import POSITIONS

HERE = Path(__file__).parent


def recorded(name):
    return int((HERE / name).read_text(encoding="utf-8"))


def test_bench_has_the_signature_on_record():
    expected = recorded("bench_signature.txt")
    result = call("bench", "--expect", expected)
    assert result.returncode == 0, f"{result.stdout}\nIf that is meant, write it into bench_signature.txt"


def test_deep_searches_of_endgames_have_theirs():
    """Bench is too shallow for what only deep searches do, such as the verification of null moves."""
    expected, found = recorded("deep_signature.txt"), 0
    searcher = classical(hash_mib=16)
    for fen in POSITIONS:
        if sum(letter.isalpha() for letter in fen.split()[0]) <= 12:
            searcher.clear()
            [line] = searcher.search(Board(fen), depth=18)
            found += line.nodes
    assert found == expected, f"If {found} is meant, write it into deep_signature.txt"


@pytest.mark.skipif(not openmp_enabled(), reason="built without OpenMP")
def test_threads_in_virtual_time_have_theirs():
    """Work that is wasted alters no score: a cutoff that calls nobody back, marks that fit other nodes."""
    expected, found = recorded("parallel_signature.txt"), 0
    searcher = classical(hash_mib=4, threads=3)
    searcher.virtual_time = True
    for searcher.parallel in ("abdada", "hybrid"):
        for fen in POSITIONS[::3]:
            searcher.clear()
            searcher.search(Board(fen), depth=8)
            found += sum(searcher.worker_nodes())
    assert found == expected, f"If {found} is meant, write it into parallel_signature.txt"
