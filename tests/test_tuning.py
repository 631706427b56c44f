"""Tuning: the traces say what the evaluation does, the gradient is one, and known weights are found again."""

import importlib
import json
import random
import re
import subprocess
import sys
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ENVIRONMENT, call, play, raises

from eleengine import Board
from eleengine._core import NO_SCORE, Searcher, Traces, eval_trace
from eleengine.lab.data.gamefile import PackedGame, Reason, Writer, pack
from eleengine.weights import NUMBERS, Weights

np = pytest.importorskip("numpy")
pytest.importorskip("scipy")
gradient = importlib.import_module("eleengine.lab.tune.gradient")

SHIPPED = np.array(Weights.shipped().numbers(), float)


def random_games(count, seed=1, plies=80, score=lambda board, rng: rng.randrange(-900, 900)):
    """Legal random games with made-up scores and results."""
    rng = random.Random(seed)
    for _ in range(count):
        board, scores = Board(), []
        for _ in play(board, rng, plies, {"capture": 3}):
            scores.append(score(board, rng))
        moves = pack(board.move_stack)
        yield PackedGame(rng.randrange(3), Reason.UNKNOWN, moves, tuple(scores[: len(moves)]))


def hidden_weights():
    """Knights, rooks and cannons are worth something else."""
    found = Weights.shipped()
    for kind, change in ((4, 60), (5, -80), (6, 40)):
        table = found["material"]
        found = found.replace("material", kind, mg=table.mg[kind] + change, eg=table.eg[kind] + change)
    return found


def hidden_games(count, seed):
    """Random games whose scores, and the signs of the last ones as results, are by hidden weights."""
    searcher = Searcher(hash_mib=1, context=hidden_weights().context())
    for game in random_games(count, seed, plies=160, score=lambda board, rng: searcher.evaluate(board)):
        red = game.scores[-1] * (1 if len(game.scores) % 2 else -1)
        yield game._replace(result=1 + (red > 0) - (red < 0))


@pytest.fixture(scope="module")
def traces():
    found = Traces()
    for number, game in enumerate(random_games(25)):
        add(found, game, number)
    return found


def add(traces, game, number, **more):
    scores = None if game.scores is None else array("h", game.scores).tobytes()
    return traces.add(
        Board(game.start), array("H", game.moves).tobytes(), scores, game.result, number, **more
    )


def quiet_boards(game):
    """The positions of the game that are to be taken, with their scores for Red."""
    board, seen = Board(game.start), set()
    for move, score in zip(game.move_list(), game.scores, strict=True):
        if not (board.is_check() or board.is_capture(move) or board.key in seen or abs(score) > 2500):
            yield board, score if board.turn else -score
        seen.add(board.key)
        board.push(move)


def test_quiet_positions_are_taken_in_order(traces):
    wanted = []
    for number, game in enumerate(random_games(25)):
        for board, score in quiet_boards(game):
            value = eval_trace(board)["score"]
            wanted.append((number, score, value if board.turn else -value, game.result))
    found = list(zip(*(column.tolist() for column in gradient.columns(traces)), strict=True))
    assert found == wanted and len(wanted) > 500


def test_the_trace_gives_the_evaluation(traces):
    """To the rounding of the engine's whole numbers: less than three centipawns."""
    values = np.empty(len(traces))
    traces.evaluate(SHIPPED, values)
    _, _, evals, _ = gradient.columns(traces)
    assert np.abs(values - evals).max() < 3


def test_the_trace_gives_the_evaluation_by_other_weights():
    """One term at a time would hide a wrong index that is as common: all weights are unlike."""
    rng = random.Random(5)
    weights = Weights([rng.randrange(-60, 60) for _ in range(2 * NUMBERS)])
    found, context = Traces(), weights.context()
    for number, game in enumerate(random_games(10, seed=2)):
        add(found, game, number, context=context)
    values = np.empty(len(found))
    found.evaluate(np.array(weights.numbers(), float), values)
    _, _, evals, _ = gradient.columns(found)
    assert np.abs(values - evals).max() < 3
    assert np.abs(evals).max() > 300


def test_positions_without_scores_are_taken_if_nothing_can_be_won():
    [game] = random_games(1, seed=4)
    found = Traces()
    taken = add(found, game._replace(scores=None), 0)
    wanted = 0
    for board, _ in quiet_boards(game._replace(scores=(0,) * len(game.moves))):
        wanted += not any(board.is_capture(m) and board.see(m) >= 1 for m in board.legal_moves)
    assert taken == wanted == len(found) > 5
    assert set(gradient.columns(found)[1]) == {NO_SCORE}


def test_moves_without_a_search_and_early_plies_are_left_out():
    [game] = random_games(1, seed=6)
    blind = game._replace(scores=(NO_SCORE,) * len(game.moves))
    assert add(Traces(), blind, 0) == 0
    later = game._replace(scores=(NO_SCORE,) * 30 + game.scores[30:])
    assert add(Traces(), game, 0, first_ply=30) == add(Traces(), later, 0) > 0


def test_bad_games_are_refused_and_leave_nothing(traces):
    n, entries = len(traces), traces.entries
    raises(ValueError, "ply 2: illegal move h2e2", add, traces, PackedGame(1, 0, pack(["h2e2", "h2e2"])), 0)
    raises(ValueError, "a result is 0, 1 or 2, not 3", add, traces, PackedGame(3, 0, ()), 0)
    raises(ValueError, "2 bytes of moves, but 0 bytes of scores", traces.add, Board(), b"ab", b"", 1, 0)
    assert (len(traces), traces.entries) == (n, entries)


def test_arrays_of_another_size_are_refused(traces):
    n = len(traces)
    with pytest.raises(ValueError, match=f"weights must have {2 * NUMBERS} numbers, not 5"):
        traces.evaluate(np.zeros(5), np.empty(n))
    with pytest.raises(ValueError, match=f"values must have {n} numbers, not {n + 1}"):
        traces.evaluate(SHIPPED, np.empty(n + 1))
    raises(ValueError, f"targets must have {n} numbers, not 0", traces.loss, SHIPPED, np.empty(0), 0.003)
    with pytest.raises(ValueError, match=f"gradient must have {2 * NUMBERS} numbers, not 1"):
        traces.loss(SHIPPED, np.empty(n), 0.003, np.empty(1))
    raises(ValueError, "there are no positions", Traces().loss, SHIPPED, np.empty(0), 0.003)


# The loss


@given(st.integers(0, 2**32 - 1))
def test_the_gradient_is_that_of_finite_differences(traces, seed):
    """Along a random direction, and along one weight that occurs."""
    rng = np.random.default_rng(seed)
    weights = SHIPPED + rng.normal(0, 20, 2 * NUMBERS)
    targets = rng.random(len(traces))
    gradient = np.empty(2 * NUMBERS)
    traces.loss(weights, targets, 0.003, gradient)
    one = np.zeros(2 * NUMBERS)
    one[rng.choice(np.flatnonzero(gradient))] = 1
    for direction in (rng.normal(0, 1, 2 * NUMBERS), one):
        step = 1e-3 * direction
        difference = traces.loss(weights + step, targets, 0.003) - traces.loss(weights - step, targets, 0.003)
        assert difference / 2e-3 == pytest.approx(gradient @ direction, rel=1e-5, abs=1e-7)


def test_the_loss_is_the_cross_entropy(traces):
    values = np.empty(len(traces))
    traces.evaluate(SHIPPED, values)
    targets = np.random.default_rng(1).random(len(traces))
    p = 1 / (1 + np.exp(-0.003 * values))
    wanted = -np.sum(targets * np.log(p) + (1 - targets) * np.log(1 - p))
    assert traces.loss(SHIPPED, targets, 0.003) == pytest.approx(wanted)


def test_extreme_evaluations_do_not_overflow(traces):
    targets = np.full(len(traces), 0.5)
    gradient = np.empty(2 * NUMBERS)
    assert np.isfinite(traces.loss(1e6 * SHIPPED, targets, 1.0, gradient))
    assert np.isfinite(gradient).all()


# Fitting


def test_known_weights_are_found_again():
    """A fit to scores alone, with hardly a prior, comes near the hidden evaluation and its piece values."""
    sets = gradient.divide(list(hidden_games(80, seed=3)))
    found = gradient.fit(sets, gradient.FitSettings(mix=1.0, prior=200, iterations=100, patience=100))
    _, scores, _, _ = gradient.columns(sets.held_out)
    errors = []
    for weights in (found.before, found.after):
        values = np.empty(len(sets.held_out))
        sets.held_out.evaluate(np.array(weights.numbers(), float), values)
        errors.append(float(np.abs(values - scores).mean()))
    assert errors[1] < 0.15 * errors[0]
    before, after = (gradient.piece_values(weights, sets.train) for weights in (found.before, found.after))
    for name, change in (("knight", 60), ("rook", -80), ("cannon", 40)):
        # Other terms that go with a piece take a part of its change.
        assert 0.5 < (after[name][0] - before[name][0]) / change < 1.1, name
    for name in ("advisor", "bishop", "pawn"):
        assert abs(after[name][0] - before[name][0]) < 5, name


def test_a_narrow_prior_holds_the_weights():
    sets = gradient.divide(list(hidden_games(40, seed=8)))
    wide = gradient.fit(sets, gradient.FitSettings(mix=1.0, prior=100, iterations=20))
    narrow = gradient.fit(sets, gradient.FitSettings(mix=1.0, prior=0.01, iterations=20))
    assert narrow.after == Weights.shipped() != wide.after


def test_games_are_held_out_whole_in_whatever_order():
    sets = gradient.divide(random_games(60, seed=9))
    games = [set(gradient.columns(part)[0].tolist()) for part in sets]
    assert games[0] and games[1] and not games[0] & games[1]
    again = gradient.divide(list(random_games(60, seed=9)) * 2)
    assert len(again.held_out) == 2 * len(sets.held_out)
    games = list(random_games(60, seed=9))
    numbers = gradient.columns(gradient.divide(games).held_out)[0]
    backwards = gradient.columns(gradient.divide(games[::-1]).held_out)[0]
    assert set((59 - backwards).tolist()) == set(numbers.tolist()) != set()


def test_targets_lie_between_result_and_score():
    scores, results = np.array([0, 300, -300, NO_SCORE]), np.array([2, 0, 1, 2])
    targets = 1 / (1 + np.exp(-0.004 * 300))
    assert gradient.targets(scores, results, 0.004, 1.0) == pytest.approx([0.5, targets, 1 - targets, 1.0])
    assert gradient.targets(scores, results, 0.004, 0.0) == pytest.approx([1.0, 0.0, 0.5, 1.0])
    assert gradient.targets(scores, results, 0.004, 0.25)[1] == pytest.approx(targets / 4)


def test_the_scale_is_found_again():
    rng = np.random.default_rng(2)
    evals = rng.normal(0, 400, 50_000).astype(np.int16)
    results = 2 * (rng.random(50_000) < 1 / (1 + np.exp(-0.0035 * evals)))
    assert gradient.fit_scale(evals, results.astype(np.uint8)) == pytest.approx(0.0035, rel=0.05)
    with pytest.raises(ValueError, match="tells nothing of the results"):
        gradient.fit_scale(evals, 2 - results.astype(np.uint8))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"mix": 1.1}, "mix must be 0..1, not 1.1"),
        ({"mix": float("nan")}, "mix must be 0..1, not nan"),
        ({"prior": 0}, "prior must be above 0"),
        ({"iterations": 0}, "at least 1"),
    ],
)
def test_bad_settings_are_refused(values, message):
    raises(ValueError, re.escape(message), gradient.FitSettings, **values)


# The command


def tune(*args, cwd=None):
    return call("tune", *args, cwd=cwd)


@pytest.fixture(scope="module")
def games_file(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("games") / "a.games")
    with Writer(path, {"made by": "test"}) as writer:
        for game in hidden_games(40, seed=11):
            writer.append(game)
    return path


def test_fit_writes_weights_and_a_report(games_file, tmp_path):
    pytest.importorskip("matplotlib")
    out, report = tmp_path / "w.json", tmp_path / "report"
    done = tune("fit", games_file, "--out", out, "--report", report, "--iterations", 5)
    assert (done.returncode, done.stderr) == (0, ""), done
    assert Weights.load(out) != Weights.shipped()
    assert done.stdout.startswith((report / "report.txt").read_text(encoding="utf-8"))
    assert "rook" in done.stdout and "held out" in done.stdout
    found = json.loads((report / "fit.json").read_text(encoding="utf-8"))
    assert found["files"][0]["made by"] == "test" and len(found["curve"]) == 6
    assert (report / "fit.png").read_bytes().startswith(b"\x89PNG")


def test_fit_gives_the_same_again(games_file, tmp_path):
    for name in ("a", "b"):
        assert tune("fit", games_file, "--out", tmp_path / name, "--iterations", 8).returncode == 0
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("fit", "nowhere", "--out", "w"), "nowhere: No such file"),
        (("fit", "text", "--out", "w"), "text: not a file of games"),
        (("fit", "empty", "--out", "w"), "too few games"),
        (("fit", "empty", "--out", "w", "--mix", "2"), "--mix: must be a number from 0 to 1, not '2'"),
        (("fit", "empty", "--out", "w", "--start", "text"), "text: not JSON"),
        ((), "required: JOB"),
    ],
)
def test_bad_input_is_named(tmp_path, args, message):
    (tmp_path / "text").write_text("hello", encoding="utf-8")
    Writer(str(tmp_path / "empty"), {}).close()
    done = tune(*args, cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr
    assert not (tmp_path / "w").exists()


@pytest.mark.system
def test_a_missing_library_is_named(games_file, tmp_path):
    code = (
        "import sys; sys.modules['scipy'] = None; from eleengine.__main__ import main;"
        f"sys.exit(main(['tune', 'fit', {games_file!r}, '--out', 'w']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=ENVIRONMENT
    )
    assert (done.returncode, done.stderr) == (
        2,
        'eleengine: tune needs scipy: pip install "eleengine[lab]"\n',
    )
