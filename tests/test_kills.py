"""Work that is killed at random moments ends as if it had never been: nothing is lost, nothing doubled.

For each kind of work a whole run is made first. Then runs are killed with SIGKILL at moments that are spread
over the time of a whole one, and gone on with by the same command, until they are done; then the next begins.
`ELEENGINE_TEST_KILLS` says how many kills there are for each kind.
"""

import json
import os
import random
import shutil
import subprocess
import time

import pytest
from support import COMMAND, ENVIRONMENT, POSITIONS

from eleengine._core import Network
from eleengine.lab.data import gamefile
from eleengine.records import read_games

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("ELEENGINE_TEST_KILLS", "20"))
OPENINGS = ["--openings", POSITIONS / "openings.epd"]


def journal(path):
    """What the journals of equal runs have in common: the plan, and the results by number without clocks."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        line.pop("crc")
        if "notes" in line:  # score, depth, nodes, milliseconds
            line["notes"] = [note[:3] for note in line["notes"]]
        line.pop("time", None)
    numbers = [line.get("game", line.get("job")) for line in lines[1:]]
    assert len(set(numbers)) == len(numbers)
    return lines[0], sorted(lines[1:], key=lambda line: line.get("game", line.get("job")))


def games_of_match(folder):
    games = [(game.headers["Red"], *game.mainline_moves()) for game in read_games(folder / "games.pgn")]
    names = ("game", "red", "moves", "result", "reason", "notes")
    plan, lines = journal(folder / "journal")
    return plan, [[line[name] for name in names] for line in lines], sorted(games, key=repr)


def values(folder):
    return journal(folder / "journal"), json.loads((folder / "values.json").read_text())


def network(folder):
    data = (folder / "made" / "network.nnue").read_bytes()
    games = list(gamefile.read_games(str(folder / "made" / "games.games")))
    return Network(data).digest, data, games, (folder / "made" / "manifest.json").read_text()


RUNS = {
    "match": (
        ["match", "-e", "name=a", "nodes=300", "-e", "name=b", "nodes=200", *OPENINGS, "--pairs", 12,
         "--concurrency", 2, "--journal", "journal", "--pgn", "games.pgn"],
        games_of_match,
    ),
    "datagen": (
        ["datagen", "some.games", "--games", 150, "--nodes", 100, "--threads", 2, "--seed", 3],
        lambda folder: list(gamefile.read_games(str(folder / "some.games"))),
    ),
    "spsa": (
        ["spsa", "lmr_base", "mg.tempo=10", "--steps", 40, "--batch", 4, "--chunk", 1, "--rate", 0.5,
         *OPENINGS, "--nodes", 150, "--max-plies", 60, "--journal", "journal", "--out", "values.json"],
        values,
    ),
    "genetic": (
        ["papers", "genetic", "--population", 4, "--generations", 8, "--first", 4, "--groups", 2, *OPENINGS,
         "--nodes", 30, "--max-plies", 60, "--journal", "journal", "--out", "values.json"],
        values,
    ),
    "nnue": (
        ["nnue", "make", "made", "--nodes", 40, "--network", "classical", "--threads", 1, "--hidden", 64,
         "--epochs", 6, "--batch-size", 256, "--positions", 6000],
        network,
    ),
}  # fmt: skip


def start(words, folder):
    return subprocess.Popen(
        [*COMMAND, *map(str, words)], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finish(process, timeout):
    """Wait for the end; it must be a good one."""
    _, err = process.communicate(timeout=timeout)
    assert process.returncode == 0, err
    assert "Traceback" not in err


def outputs_are_whole(folder):
    """A file that has its name is complete, whenever the work was killed."""
    for path in (folder / "values.json", folder / "made" / "manifest.json"):
        if path.exists():
            json.loads(path.read_text())
    if (folder / "made" / "network.nnue").exists():
        Network((folder / "made" / "network.nnue").read_bytes())


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", RUNS)
def test_work_that_is_killed_ends_as_if_it_had_not_been(kind, tmp_path):
    words, result = RUNS[kind]
    if kind == "genetic":
        pytest.importorskip("deap")
    rng = random.Random(kind)
    whole, folder = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    began = time.monotonic()
    finish(start(words, whole), 600)
    duration = time.monotonic() - began
    wanted = result(whole)
    kills = rounds = since = 0
    folder.mkdir()
    while kills < KILLS or since:
        process = start(words, folder)
        try:
            process.wait(rng.uniform(0.1, 0.9) * duration if kills < KILLS else 600)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            kills += 1
            since += 1
            outputs_are_whole(folder)
            continue
        finish(process, 10)
        assert result(folder) == wanted
        shutil.rmtree(folder)
        folder.mkdir()
        rounds, since = rounds + 1, 0
    print(f"{kind}: {kills} kills in {rounds} runs")
    assert rounds >= 2
