"""What the search does has not changed: the nodes of fixed searches with one thread are those on record.

They are the same on every machine and with every switch of the build. A change that is meant to alter the
search or the evaluation puts the new numbers, which the failing tests tell, into the files of this folder.
"""

from pathlib import Path

from support import call, classical

from eleengine import Board
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
