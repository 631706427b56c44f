"""Games of the engine against itself: lawful, the same again, and safe from kill -9."""

import itertools
import os
import random
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from support import COMMAND, ENVIRONMENT, PIPES, POSITIONS, call, raises, wait_until

from eleengine import Board
from eleengine._core import NO_SCORE, SELFPLAY_LIMITS, STARTING_FEN, Context, Searcher, SelfPlay
from eleengine.lab.data import datagen, gamefile, gametools
from eleengine.lab.data.datagen import DatagenPlan, generate
from eleengine.weights import Weights

QUICK = {"nodes": 150, "max_plies": 120}
PLAN = DatagenPlan(seed=3, limits=QUICK)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("made") / "a.games")
    generate(path, PLAN, 40)
    return path


def content(path):
    with open(path, "rb") as file:
        return file.read()


def test_games_keep_the_rules(made):
    assert gametools.check(made).games == 40


def test_games_end_as_the_limits_say(made):
    for game in gamefile.read_games(made):
        red = [s if i % 2 == 0 else -s for i, s in enumerate(game.scores)]
        if game.reason == gamefile.Reason.LENGTH:
            assert len(game.moves) == 120 and game.result == gamefile.DRAWN
        elif game.reason == gamefile.Reason.ADJUDICATION and game.result != gamefile.DRAWN:
            # The fifth score in a row ends the game before its move.
            assert all(s >= 1200 if game.result == gamefile.RED_WON else s <= -1200 for s in red[-4:])
    reasons = {game.reason for game in gamefile.read_games(made)}
    assert {gamefile.Reason.LENGTH, gamefile.Reason.ADJUDICATION} <= reasons


def test_openings_are_random_and_balanced(made):
    openings = set()
    for game in gamefile.read_games(made):
        first = next(i for i, score in enumerate(game.scores) if score != NO_SCORE)
        assert 6 <= first <= 10 and NO_SCORE not in game.scores[first:]
        assert abs(game.scores[first]) <= 300
        openings.add(game.moves[:first])
    assert len(openings) == 40


def test_usable_positions_are_what_they_should_be():
    result, reason, moves, scores, settled = SelfPlay(**QUICK).play(Board(), 7)
    codes, points = tuple(memoryview(moves).cast("H")), tuple(memoryview(scores).cast("h"))
    game = gamefile.PackedGame(result, reason, codes, points)
    board, seen, count = Board(), set(), 0
    for move, score in zip(game.move_list(), game.scores, strict=True):
        quiet = not board.is_check() and not board.is_capture(move)
        count += quiet and score != NO_SCORE and abs(score) <= 2500 and board.key not in seen
        seen.add(board.key)
        board.push(move)
    assert count == settled > 0


def test_the_number_of_threads_does_not_matter(made, tmp_path):
    path = str(tmp_path / "b.games")
    generate(path, PLAN, 40, threads=3)
    assert content(path) == content(made)


def test_threads_that_play_have_a_deep_stack(tmp_path, monkeypatch):
    """Some systems give a thread 512 KiB or less, which is not enough for every search."""
    sizes, start, usual = [], threading.Thread.start, threading.stack_size()

    def watched(thread):
        sizes.append(threading.stack_size(0))
        threading.stack_size(sizes[-1])
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", watched)
    plan = DatagenPlan(seed=3, limits={"nodes": 10, "max_plies": 12})
    generate(str(tmp_path / "a.games"), plan, 4, threads=2)
    assert len(sizes) >= 2 and min(sizes) >= 16 << 20
    assert threading.stack_size() == usual  # others get what they got before


def test_a_soft_limit_ends_a_search_after_an_iteration():
    """What it finds then is what a search to that depth finds."""
    no_proofs = Context(parameters={"proof_parts": 1_000_000_000})  # as in SelfPlay
    board, searcher = Board(), Searcher(hash_mib=2, tables=None, context=no_proofs)
    nodes, scores = {}, {}
    for depth in range(1, 9):
        (line,) = searcher.search(board, depth=depth, new_game=True)
        nodes[depth], scores[depth] = line.nodes, line.score
    assert nodes[8] > 1000
    one_move = {"random_min": 0, "random_max": 0, "max_plies": 1}
    for soft in (1, nodes[5], nodes[5] + 1, 1000):
        depth = min(d for d in nodes if nodes[d] >= soft)
        _, _, _, found, _ = SelfPlay(nodes=100_000, soft_nodes=soft, **one_move).play(board, 1)
        assert memoryview(found).cast("h")[0] == scores[depth]
    hard = SelfPlay(nodes=500, **one_move).play(board, 1)
    assert SelfPlay(nodes=500, soft_nodes=600, **one_move).play(board, 1) == hard


def test_a_soft_limit_is_part_of_the_plan(made, tmp_path):
    soft = DatagenPlan(seed=3, limits={**QUICK, "nodes": 600, "soft_nodes": 100})
    path = str(tmp_path / "a.games")
    generate(path, soft, 12, threads=2)
    assert gamefile.read_header(path)["soft_nodes"] == 100
    assert list(gamefile.read_games(path)) == [soft.play(SelfPlay(**soft.limits), n)[0] for n in range(12)]
    with pytest.raises(gamefile.GameFileError, match="made with soft_nodes 100"):
        generate(path, replace(soft, limits={**soft.limits, "soft_nodes": 101}), 13)


def test_games_do_not_depend_on_the_games_before():
    player, start = SelfPlay(**QUICK), Board()
    games = [player.play(start, seed) for seed in (1, 2, 1)]
    assert games[0] == games[2] != games[1]


def test_other_weights_make_other_games(made, tmp_path):
    usual = PLAN.play(SelfPlay(**QUICK), 0)
    others = replace(PLAN, context=Weights.shipped().replace("tempo", mg=300).context())
    assert others.play(SelfPlay(others.context, **QUICK), 0) != usual
    raises(gamefile.GameFileError, r"made with (network|signature|weights) ", generate, made, others, 41)
    assert PLAN.play(SelfPlay(**QUICK), 0) == usual


def test_work_goes_on_where_it_ended(made, tmp_path):
    path = str(tmp_path / "b.games")
    assert generate(path, PLAN, 64, show=lambda count: count.games < 7).games == 7
    count = generate(path, PLAN, 40)
    assert (count.games, count.played) == (40, 33)
    assert list(gamefile.read_games(path)) == list(gamefile.read_games(made))
    assert generate(path, PLAN, 40).played == 0


@pytest.mark.system
@pytest.mark.skipif(os.name == "nt", reason="no such signals")
def test_ctrl_c_keeps_the_games(tmp_path):
    path = str(tmp_path / "a.games")
    command = [*COMMAND, "datagen", path, "--nodes", "20", "--max-plies", "60", "--threads", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    wait_until(lambda: os.path.exists(path) and os.path.getsize(path) > 500)  # some are there before the end
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    games = gametools.check(path).games
    assert process.returncode == 130
    assert games >= gamefile.BLOCK_GAMES and out.startswith(f"{games} games, ")


def test_openings_from_a_file(tmp_path):
    path = str(tmp_path / "a.games")
    args = [
        "--openings",
        POSITIONS / "openings.epd",
        "--random-min",
        "0",
        "--random-max",
        "2",
        "--games",
        "9",
    ]
    done = call("datagen", path, *args, "--nodes", 100)
    assert done.stdout.startswith("9/9 games, ")
    games = list(gamefile.read_games(path))
    assert len({game.start for game in games}) > 5
    assert STARTING_FEN not in {game.start for game in games}
    assert gametools.check(path).games == 9
    moves = tmp_path / "moves.epd"
    moves.write_text(f"{STARTING_FEN} moves h2e2 h9g7\n", encoding="utf-8")
    call("datagen", f"{path}2", "--openings", moves, *args[2:6], "--games", 1, "--nodes", 100)
    [game] = gamefile.read_games(f"{path}2")
    assert "1C2C4" in game.start


def test_progress_is_told_after_each_game(tmp_path):
    seen = []
    generate(str(tmp_path / "a"), PLAN, 5, threads=2, show=lambda count: seen.append(count) or True)
    assert [count.games for count in seen] == [1, 2, 3, 4, 5]
    assert all(0 < count.settled <= count.positions for count in seen)


def test_a_game_keeps_its_weights_to_the_end():
    """Whatever is played beside it."""
    limits = {"nodes": 3000, "max_plies": 20}
    alone = SelfPlay(Weights.shipped().context(), **limits).play(Board(), 1)
    others = Weights.shipped().replace("tempo", mg=200)
    assert SelfPlay(others.context(), **limits).play(Board(), 1) != alone
    with ThreadPoolExecutor(2) as pool:
        running = [
            pool.submit(SelfPlay(w.context(), **limits).play, Board(), 1) for w in (Weights.shipped(), others)
        ]
        assert running[0].result() == alone


@pytest.mark.parametrize("name", SELFPLAY_LIMITS)
def test_limits_out_of_range_are_refused(name):
    _, low, high = SELFPLAY_LIMITS[name]
    for value in (low - 1, high + 1):
        raises(ValueError, f"{name} must be {low}[.][.]{high}, not {value}", SelfPlay, **{name: value})


def test_other_bad_input_is_refused(tmp_path):
    raises(TypeError, "no limit 'knots'", SelfPlay, knots=3)
    raises(ValueError, "random_min is 9, more than random_max, 8", SelfPlay, random_min=9, random_max=8)
    raises(ValueError, r"hash_mib must be .*, not 0", SelfPlay, hash_mib=0)
    raises(ValueError, "seed must be ", DatagenPlan, seed=datagen.MAX_SEED)
    with pytest.raises(ValueError, match="no balanced opening found from 3k5/"):
        SelfPlay(nodes=20, random_min=0, random_max=1).play(Board("3k5/9/9/9/9/9/9/9/9/R3K3R w"), 1)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--nodes", "0"], "must be a whole number from 1"),
        (["--random-min", "11"], "random_min is 11, more than random_max, 10"),
        (["--openings", "nowhere.epd"], "nowhere.epd: No such file"),
        (["--openings", "bad.epd"], "bad.epd:1: "),
        (["--time", "0"], "must be seconds"),
    ],
)
def test_bad_arguments_are_named(tmp_path, args, message):
    (tmp_path / "bad.epd").write_text("hello\n", encoding="utf-8")
    done = call("datagen", "a.games", *args, cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr
    assert not (tmp_path / "a.games").exists()


def test_a_player_can_be_stopped():
    """Also in the middle of a long search."""
    player = SelfPlay(nodes=1_000_000_000)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(player.play, Board(), 1)
        while not running.running():
            time.sleep(0.001)
        time.sleep(0.1)
        player.stop()
        raises(InterruptedError, "stopped", running.result, timeout=20)
    raises(InterruptedError, "", player.play, Board(), 1)


@pytest.mark.system
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(
    "words", [["bench", "--depth", "60"], ["datagen", "FILE", "--nodes", "1000000000", "--threads", "2"]]
)
def test_long_searches_end_at_once_when_told_to(tmp_path, words, name):
    words = [str(tmp_path / "a.games") if word == "FILE" else word for word in words]
    process = subprocess.Popen([*COMMAND, *words], env=ENVIRONMENT, **PIPES)
    with process:
        time.sleep(1)
        process.send_signal(getattr(signal, name))
        start = time.monotonic()
        process.communicate(timeout=30)
        assert process.returncode != 0
        assert time.monotonic() - start < 5


def test_a_file_does_not_go_on_with_another_build(tmp_path, monkeypatch):
    path, plan = str(tmp_path / "file.games"), DatagenPlan(limits=QUICK)
    generate(path, plan, 1)
    other = {**datagen.engine_identity(), "constants": "others"}
    monkeypatch.setattr(datagen, "engine_identity", lambda context=None: other)
    with pytest.raises(gamefile.GameFileError, match=r"made with constants '.*', which cannot go on with"):
        generate(path, plan, 2)


def test_seen_games_take_few_bytes_and_none_is_taken_for_another():
    rng, seen, known = random.Random(3), gametools.MoveHashes(), set()
    for _ in range(20_000):
        mark = rng.choice([rng.randbytes(16), *itertools.islice(known, 1)])
        assert seen.add(mark) == (mark not in known)
        known.add(mark)
    assert len(seen._table) <= 48 * len(known)
