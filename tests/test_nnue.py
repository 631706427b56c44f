"""Training of networks: the gradient is one, the loss falls, equal games and settings make equal bytes."""

import functools
import hashlib
import json
import math
import random
from array import array
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from support import POSITIONS, call, raises

from eleengine import Board, Move
from eleengine._core import SAMPLE_BYTES, Context, Network, Samples, Searcher, SelfPlay, Trainer
from eleengine.lab.data.datagen import DatagenPlan, generate
from eleengine.lab.data.gamefile import Writer, read_contents, read_games
from eleengine.lab.data.gametools import save
from eleengine.lab.network import samples, training
from eleengine.lab.network.checks import check
from eleengine.lab.network.file import quantised
from eleengine.lab.network.make import OWN_LICENSE, make, read_recipe, recipe_of
from eleengine.lab.network.samples import SampleSet, Split, collect, read_source
from eleengine.lab.network.training import TrainingSettings, rate_at, train

UNIT = 376.0
SMALL = TrainingSettings(hidden=64, passes=3, batch=256, rate=0.005)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of some games by the classical evaluation."""
    path = tmp_path_factory.mktemp("games") / "few.games"
    plan = DatagenPlan(3, limits={"nodes": 60}, context=Context(network=None))
    generate(str(path), plan, 60, threads=1)
    return str(path)


def samples_of(fen="", moves=(), scores=(), result=1):
    found = Samples()
    codes = array("H", [move.from_square | move.to_square << 7 for move in moves])
    found.add(Board(fen) if fen else Board(), codes.tobytes(), array("h", scores).tobytes(), result)
    return found


def test_samples_are_the_settled_positions(games):
    plan = DatagenPlan(3, limits={"nodes": 60}, context=Context(network=None))
    player = SelfPlay(plan.context, nodes=60)
    wanted = sum(plan.play(player, number)[1] for number in range(60))
    sets = collect([games])
    assert len(sets.train) + len(sets.held_out) == wanted
    assert len(sets.held_out) > 0
    later = collect([games], first_ply=30)
    assert 0 < len(later.train) < len(sets.train)


def test_samples_refuse_what_is_wrong():
    board = Board()
    move = next(iter(board.legal_moves))
    raises(ValueError, "ply 2: illegal", samples_of, moves=[move, move], scores=[0, 0])
    raises(ValueError, "bytes of scores", samples_of, moves=[move], scores=[0, 0])
    raises(ValueError, "a result", samples_of, moves=[move], scores=[0], result=3)


def test_a_sample_is_seen_from_the_side_to_move():
    """A position with colours exchanged gives the same output, and so does its mirror image."""
    rook = "3k5/9/9/9/9/9/9/9/4R4/4K4 w"
    boards = [Board(rook), Board(rook).swap_colors(), Board(rook).mirror_files()]
    outputs = []
    for board in boards:
        move = next(m for m in board.legal_moves if not board.is_capture(m))
        found = samples_of(board.fen(), [move], [400])
        assert len(found) == 1
        outputs.append(Trainer(found, hidden=64, unit_cp=UNIT, seed=4).outputs(found)[0])
    assert len(set(outputs)) == 1


def test_the_gradient_is_the_slope_of_the_loss(games):
    sets = collect([games])
    small = Samples()
    for number, game in enumerate(training_games(games)):
        if number < 2:
            small.add(*game)
    trainer = Trainer(small, hidden=64, unit_cp=UNIT, mix=0.7, seed=3)
    head = len(trainer.state) - 3 * len(trainer.parameters())
    numbers = array("f", trainer.parameters())
    slopes = array("f", trainer.gradient())
    rest = trainer.state[head + len(numbers) * 4 :]
    assert len(slopes) == len(numbers) and len(sets.train) > len(small)
    order = sorted(range(len(slopes)), key=lambda i: -abs(slopes[i]))
    tried = 0
    for i in order[:40] + order[40:4000:400]:
        step, found = 1e-3, []  # kinks of the activation are seldom so near
        for sign in (1, -1):
            changed = array("f", numbers)
            changed[i] += sign * step
            trainer.state = trainer.state[:head] + changed.tobytes() + rest
            found.append(trainer.losses(small)[0])
        quotient = (found[0] - found[1]) / (2 * step)
        assert quotient == pytest.approx(slopes[i], rel=0.03, abs=2e-5), i
        tried += 1
    assert tried > 40


def training_games(path):
    for game in read_games(path):
        yield (
            Board(game.start),
            array("H", game.moves).tobytes(),
            array("h", game.scores).tobytes(),
            game.result,
        )


@pytest.mark.parametrize(("seconds", "chosen"), [({2: 0.6, 1: 1.0}, 2), ({2: 1.7, 1: 1.0}, 1)])
def test_the_quicker_number_of_threads_trains(seconds, chosen):
    choice = training.ThreadChoice(2)
    used = []
    for _ in range(5000):
        used.append(choice.threads)
        choice.take(seconds[choice.threads])
    assert used[: training.TRIAL] == [2] * training.TRIAL
    assert used.count(chosen) > 0.97 * len(used) and used.count(3 - chosen) > training.TRIAL
    for _ in range(2 * training.TERM):  # the other program begins, or ends
        choice.take(seconds[3 - choice.threads])
    assert choice.threads == 3 - chosen


def test_training_learns_and_repeats_whatever_the_threads(games, tmp_path):
    # After 3 passes the loss of some sixty games is 0.95 of the first one, of others 0.4.
    settings = replace(SMALL, passes=16)
    one, run = make([games], settings, threads=1)
    assert make([games], settings, threads=2)[0] == one
    train_samples = collect([games]).train.part(0)
    # On what it was fitted to: the games held out of 60 are too few to tell.
    trainer = Trainer(train_samples, hidden=64, unit_cp=UNIT, seed=SMALL.seed)
    before, numbers = trainer.losses(train_samples)[0], trainer.parameters()
    head = len(trainer.state) - 3 * len(numbers)
    trainer.state = trainer.state[:head] + run.parameters + trainer.state[head + len(numbers) :]
    assert trainer.losses(train_samples)[0] < 0.6 * before


# Of the numbers below. A change means that only earlier builds make the networks of today again, to the bit:
# say so in docs/nnue.md, with the last commit that does.
TRAINED = "801fe67737228877"


def test_training_gives_the_same_numbers_as_ever():
    """Games that depend on no engine, from openings and from endings that count less than they seem."""
    rng = random.Random(16)
    sets = Split(SampleSet(), SampleSet())
    for line in "".join((POSITIONS / name).read_text() for name in ("bench.epd", "endings.epd")).splitlines():
        start = Board(" ".join(line.split()[:6]))
        board = start.copy()
        moves = array("H")
        while len(moves) < 40 and (legal := sorted(board.legal_moves, key=Move.iccs)):
            move = rng.choice(legal)
            moves.append(move.from_square | move.to_square << 7)
            board.push(move)
        scores = array("h", [rng.randrange(-600, 600) for _ in moves])
        part = sets.held_out if rng.random() < 0.1 else sets.train
        part.add(start, moves.tobytes(), scores.tobytes(), rng.randrange(3))
    run = train(sets, TrainingSettings(hidden=64, passes=4, batch=64))
    assert hashlib.sha256(run.parameters).hexdigest()[:16] == TRAINED


class Interrupted(Exception):
    pass


def interrupt(run, step):
    if step == run.steps * 2 // 3:
        raise Interrupted


def test_an_interrupted_training_is_the_same_as_one_without(games, tmp_path):
    sets = collect([games])
    whole = train(sets, SMALL)
    path = str(tmp_path / "checkpoint")
    raises(Interrupted, "", train, sets, SMALL, checkpoint=path, show=interrupt)
    steps = []
    resumed = train(sets, SMALL, checkpoint=path, show=lambda run, step: steps.append(step))
    assert 0 < len(steps) < whole.steps
    assert resumed.parameters == whole.parameters and resumed.curve == whole.curve
    other = replace(SMALL, seed=2)
    # The first one had ended.
    assert train(sets, other, checkpoint=path).parameters == train(sets, other).parameters
    raises(Interrupted, "", train, sets, SMALL, checkpoint=path, show=interrupt)
    raises(ValueError, "unfinished training with other settings", train, sets, other, checkpoint=path)
    damaged = tmp_path / "damaged"
    damaged.write_bytes(b"eletrain" + bytes(100))
    raises(ValueError, "not a checkpoint", train, sets, SMALL, checkpoint=str(damaged))


@pytest.fixture
def dealt(monkeypatch):
    """Sets of samples that keep some hundreds in memory, as big ones keep millions."""
    small = functools.partial(SampleSet, in_memory=700, chunk=150, files=8)
    monkeypatch.setattr(samples, "SampleSet", small)


def records_of(found):
    data = found.tobytes()
    assert len(data) == len(found) * SAMPLE_BYTES
    return [data[at : at + SAMPLE_BYTES] for at in range(0, len(data), SAMPLE_BYTES)]


def test_a_pass_over_samples_on_disk_has_each_once(games, tmp_path, dealt):
    with SampleSet() as in_memory:
        for game in training_games(games):
            in_memory.add(*game)
        whole = Counter(records_of(in_memory.part(0)))
    with samples.SampleSet(str(tmp_path)) as found:
        for game in training_games(games):
            found.add(*game)
        found.finish()
        assert len(found) == sum(whole.values()) and found.parts > 2
        passes = []
        for lap in range(2):
            parts = [records_of(found.part(lap * found.parts + place)) for place in range(found.parts)]
            assert all(len(part) < 1400 for part in parts)
            assert sum(map(Counter, parts), Counter()) == whole
            passes.append(parts)
        assert passes[0] != passes[1]
        assert [records_of(part) for part in found.one_pass()] == passes[0]
    assert not list(tmp_path.iterdir())


def test_training_from_disk_repeats_and_goes_on(games, tmp_path, dealt):
    settings = replace(SMALL, batch=128)
    whole = train(collect([games], folder=str(tmp_path)), settings)
    assert train(collect([games]), settings, threads=2).parameters == whole.parameters
    path = str(tmp_path / "checkpoint")
    raises(Interrupted, "", train, collect([games]), settings, checkpoint=path, show=interrupt)
    steps = []
    sets = collect([games])
    resumed = train(sets, settings, checkpoint=path, show=lambda run, step: steps.append(step))
    assert 0 < len(steps) < whole.steps and sets.train.parts > 1
    assert resumed.parameters == whole.parameters and resumed.curve == whole.curve


def test_what_is_no_sample_is_refused(games):
    good = collect([games]).held_out.part(0).tobytes()
    found = Samples()
    found.frombytes(good)
    assert found.tobytes() == good
    raises(ValueError, "no whole number of samples of 40", found.frombytes, good[:-1])
    refused = 0
    rng = random.Random(5)
    for _ in range(2000):
        at, bit = rng.randrange(len(good)), rng.randrange(8)
        damaged = bytearray(good)
        damaged[at] ^= 1 << bit
        try:
            found.clear()
            found.frombytes(damaged)
        except ValueError as error:
            assert str(error) == f"sample {at // SAMPLE_BYTES} is no position of a game"
            assert len(found) == 0
            refused += 1
        else:
            assert math.isfinite(Trainer(found, hidden=64, unit_cp=UNIT).losses(found)[0])
    assert 100 < refused < 1900


def test_the_file_is_the_network_that_was_trained(games):
    """In integers the outputs are those in floating point, but for rounding."""
    sets = collect([games])
    run = train(sets, SMALL)
    trainer = Trainer(sets.train.part(0), hidden=64, unit_cp=UNIT)
    state = trainer.state
    head = len(state) - 3 * len(run.parameters)
    trainer.state = state[:head] + run.parameters + state[head + len(run.parameters) :]
    network = Network(quantised(run.parameters, 64, UNIT, {}))
    errors = []
    for game in list(training_games(games))[:10]:
        board, moves, scores, result = game
        found = Samples()
        found.add(board, moves, scores, result)
        outputs = iter(trainer.outputs(found))
        for code, score in zip(array("H", moves), array("h", scores), strict=True):
            single = Samples()
            move = next(m for m in board.legal_moves if m.from_square | m.to_square << 7 == code)
            one, told = array("H", [code]).tobytes(), array("h", [score]).tobytes()
            if len(board.move_stack) < 40 and single.add(board.copy(stack=False), one, told, result):
                [real] = trainer.outputs(single)
                errors.append(abs(real - network.evaluate(board.copy(stack=False))))
            board.push(move)
        assert next(outputs) is not None
    assert len(errors) > 100
    assert sum(errors) / len(errors) < 5 and max(errors) < 25


def test_what_is_exported_is_what_the_trainer_sees(games, tmp_path):
    """A network in NumPy on the exported array has the outputs and the loss of ours, within rounding."""
    np = pytest.importorskip("numpy")

    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    array, text = tmp_path / "a.npy", tmp_path / "a.txt"
    for out in (array, text):
        result = call("nnue", "export", games, out)
        assert result.returncode == 0, result.stderr
    refused = call("nnue", "export", games, text)
    assert refused.returncode == 2 and "exists already" in refused.stderr
    sets = collect([games])
    ours = Samples()
    for part in sets:
        ours.frombytes(part.part(0).tobytes())
    found = np.load(array, mmap_mode="r")
    assert len(found) == len(ours) and found["held_out"].sum() == len(sets.held_out)
    assert not found["held_out"][: len(sets.train)].any()

    trainer = Trainer(ours, hidden=64, unit_cp=UNIT, mix=0.6, seed=2)
    numbers = np.frombuffer(trainer.parameters(), "f4")
    cuts = np.cumsum([2 * 692 * 64, 64, 8 * 8 * 2 * 64, 8 * 8, 8 * 16 * 32, 8 * 32])
    rows, bias, first_weights, first_bias, weights, second_bias, output_weights = np.split(numbers, cuts)
    rows = np.vstack([rows.reshape(2 * 692, 64), np.zeros((1, 64), "f4")])  # -1 is the last row
    seen, hanging = found["rows"].astype(int), found["hanging"][:, None]
    assert (hanging <= (seen >= 0)).all() and hanging.any()
    sums = (rows[seen] + rows[np.where(hanging, seen + 692, -1)]).sum(axis=2) + bias
    active = np.clip(sums, 0, 1) ** 2
    bucket = found["bucket"]
    active = active.reshape(len(active), 128)
    first = np.einsum("ni,nji->nj", active, first_weights.reshape(8, 8, 128)[bucket])
    first += first_bias.reshape(8, 8)[bucket]
    inputs = np.hstack([np.clip(first, 0, 1), np.clip(first, -1, 1) ** 2])
    second = np.einsum("ni,nik->nk", inputs, weights.reshape(8, 16, 32)[bucket])
    second = np.clip(second + second_bias.reshape(8, 32)[bucket], 0, 1)
    output = first[:, 0] + (second * output_weights.reshape(8, 32)[bucket]).sum(axis=1)
    shown = output * np.where(output > 0, found["scale"][:, 0], found["scale"][:, 1])
    assert np.allclose(shown * UNIT, trainer.outputs(ours), atol=0.01)
    target = 0.6 * sigmoid(found["score"] / UNIT) + 0.4 * found["result"] / 2

    def entropy(p, q):
        return -(p * np.log(q) + (1 - p) * np.log(1 - q)).mean()

    loss = entropy(target, sigmoid(shown)) - entropy(target, target)
    assert loss == pytest.approx(trainer.losses(ours)[0], abs=1e-5)
    by_result = entropy(found["result"] / 2, sigmoid(shown))
    assert by_result == pytest.approx(trainer.losses(ours)[1], abs=1e-5)
    by_hand = entropy(found["result"] / 2, sigmoid(found["classical"] / UNIT))
    assert by_hand == pytest.approx(trainer.losses(ours, classical=True)[1], abs=1e-5)

    lines = text.read_text().splitlines()
    assert len(lines) == len(found)
    searcher = Searcher(hash_mib=1, context=Context(network=None))
    for line, one in list(zip(lines, found, strict=True))[::7]:
        fen, score, result = line.split(" | ")
        board = Board(fen)
        assert fen == board.fen() and len(board.piece_map()) == one["pieces"]
        assert (int(score), float(result) * 2) == (one["score"], one["result"])
        assert searcher.evaluate(board) == one["classical"]


def test_training_goes_on_from_a_network(games, tmp_path):
    """Without a step worth mentioning it is the network that it was; its file tells the start."""
    first = tmp_path / "first.nnue"
    first.write_bytes(make([games], SMALL)[0])
    network = Network(first.read_bytes())
    data, run = make([games], replace(SMALL, rate=1e-6, passes=0.1), start=network)
    assert run.start == network.digest and read_recipe(data)[0].start == network.digest
    boards = [Board(line.split(" c0 ")[0]) for line in (POSITIONS / "endings.epd").read_text().splitlines()]
    pairs = [(network.evaluate(board), Network(data).evaluate(board)) for board in boards]
    assert max(abs(a - b) for a, b in pairs) <= 15 and len({a for a, _ in pairs}) > 20
    raises(ValueError, "64 hidden neurons, not 128", make, [games], replace(SMALL, hidden=128), start=network)

    settings = ["--hidden", 64, "--epochs", 1, "--batch-size", 256, "--threads", 1, "--start", first]
    folder = tmp_path / "made"
    result = call("nnue", "make", folder, "--games", games, *settings)
    assert result.returncode == 0, result.stderr
    again = ["nnue", "make", tmp_path / "again", "--games", games, "--from-manifest", folder / "network.nnue"]
    refused = call(*again)
    assert refused.returncode == 2 and f"began with the network {network.digest}" in refused.stderr
    same = call(*again, "--start", first)
    assert same.returncode == 0 and "the same network" in same.stdout, same.stdout + same.stderr


def label(data):
    """What a network file says of its licence and of the sources of its games."""
    text = json.loads(Network(data).text)
    return text.get("license"), text.get("sources")


def test_only_a_network_of_own_games_has_the_licence_of_the_project(games, tmp_path):
    """Others name their sources, through files made from files and the network that training began with."""
    quick = replace(SMALL, passes=0.1)
    one, shuffled, club, merged, alone, unknown = (str(tmp_path / f"{n}.games") for n in range(6))
    save(one, "import", read_games(games), [], source="masters.pgn")
    save(club, "import", read_games(games), [], source="a club")
    save(alone, "import", read_games(games), [])
    save(shuffled, "shuffle", read_games(games), [games], seed=1)
    save(merged, "merge", read_games(games), [shuffled, one, club, one])
    with Writer(unknown, {"made by": "somebody", "of": "no list"}) as writer:
        writer.append(next(read_games(games)))
    assert [label(make([path], quick)[0]) for path in (games, shuffled)] == [(OWN_LICENSE, None)] * 2
    assert recipe_of([one, merged, alone, unknown], quick).sources == (
        "masters.pgn", "a club", *(f"games {read_contents(path).sha256[:16]}" for path in (alone, unknown)),
    )  # fmt: skip

    assert '"file"' not in json.dumps([one.to_dict() for one in recipe_of([merged], quick).games])
    made = make([merged], quick)[0]
    assert label(made) == (None, ["masters.pgn", "a club"])
    assert label(make([merged], quick, again=read_recipe(made)[0])[0]) == label(made)
    given = Network(make([merged], quick, license="CC0")[0])
    assert label(given.file) == ("CC0", ["masters.pgn", "a club"])
    assert read_recipe(given.file)[0].license == "CC0"
    assert recipe_of([games], quick, start=given).sources == ("masters.pgn", "a club")
    assert recipe_of([games], quick, start=given).license == ""
    assert recipe_of([games], quick, start=Network(make([games], quick)[0])).license == OWN_LICENSE
    stranger = Network(quantised(train(collect([games]), quick).parameters, 64, UNIT, {"license": "GPL"}))
    assert recipe_of([games], quick, start=stranger).sources == (f"network {stranger.digest[:16]}",)


@pytest.mark.system
def test_a_training_says_whose_games_it_had(games, tmp_path):
    save(str(tmp_path / "some.games"), "import", read_games(games), [], source="masters.pgn")
    arguments = ["nnue", "train", tmp_path / "some.games", "--hidden", 64, "--epochs", 0.1, "--threads", 1]
    told = call(*arguments, "--out", tmp_path / "a.nnue").stdout.splitlines()
    assert "made from games of others: masters.pgn" in told
    assert "licence: none; --license gives one" in told
    told = call(*arguments, "--out", tmp_path / "b.nnue", "--license", "CC0").stdout.splitlines()
    assert "licence: CC0" in told
    again = ["nnue", "make", tmp_path / "again", "--from-manifest", tmp_path / "a.nnue", "--license", "CC0"]
    refused = call(*again, "--games", tmp_path / "some.games")
    assert refused.returncode == 2 and "is that of its manifest" in refused.stderr


def test_rates_rise_then_fall():
    settings = TrainingSettings(rate=1.0)
    rates = [rate_at(settings, i / 1000) for i in range(1000)]
    top = rates.index(max(rates))
    assert rates[0] == 0 and 15 <= top <= 25 and max(rates) == pytest.approx(1, abs=0.01)
    assert all(a >= b for a, b in zip(rates[top:], rates[top + 1 :], strict=False))
    assert rates[-1] == pytest.approx(training.LAST_RATE, abs=1e-3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hidden", 100),
        ("hidden", 2048),
        ("passes", 0),
        ("mix", 1.5),
        ("rate", math.nan),
        ("batch", 0),
        ("decay", -1),
        ("unit_cp", 0),
        ("seed", -1),
    ],
)
def test_settings_out_of_range(name, value):
    raises(ValueError, name, TrainingSettings, **{name: value})


@pytest.mark.system
def test_commands_make_check_show_compare(games, tmp_path):
    folder = tmp_path / "made"
    settings = ["--hidden", 64, "--epochs", 2, "--batch-size", 256, "--threads", 1]
    result = call("nnue", "make", folder, "--games", games, *settings)
    assert result.returncode == 0, result.stderr
    file = folder / "network.nnue"
    network = Network(file.read_bytes())
    assert {path.name for path in folder.iterdir()} >= {"network.nnue", "manifest.json", "report.txt"}
    recipe, digest = read_recipe(file.read_bytes())
    assert digest == network.digest and recipe.settings.hidden == 64
    losses = [
        float(line.split()[-2]) for line in result.stdout.splitlines() if line.startswith("  classical")
    ]
    losses.append(json.loads(network.text)["loss"]["held out"])
    assert ("warning: the network fits" in result.stdout) == (losses[1] > losses[0])
    assert read_recipe((folder / "manifest.json").read_bytes())[0] == recipe

    again = call("nnue", "make", tmp_path / "again", "--games", games, "--from-manifest", file)
    assert again.returncode == 0 and "the same network" in again.stdout, again.stdout + again.stderr
    assert (tmp_path / "again" / "network.nnue").read_bytes() == file.read_bytes()
    # Another version makes the same: what the file says of its maker is part of the recipe.
    text = json.loads((folder / "manifest.json").read_text())
    older = tmp_path / "older.json"
    older.write_text(json.dumps({**text, "made by": "eleengine 0.0 nnue"}))
    result = call("nnue", "make", tmp_path / "older", "--games", games, "--from-manifest", older)
    assert result.returncode == 0, result.stderr
    made = json.loads((tmp_path / "older" / "manifest.json").read_text())
    assert made == {**text, "made by": "eleengine 0.0 nnue"}
    missing = call("nnue", "make", tmp_path / "third", "--from-manifest", file)
    assert missing.returncode == 2 and "a file with the games of checksum" in missing.stderr

    shown = call("nnue", "show", "--json", file)
    assert json.loads(shown.stdout)["games"][0]["games_sha256"] == read_contents(games).sha256
    assert network.digest in call("nnue", "show", file).stdout
    assert call("nnue", "check", "<internal>", "--positions", 60).returncode == 0
    compared = call("nnue", "compare", "<internal>", file, "--pairs", 2, "--nodes", 100)
    assert "4 games at 100 nodes" in compared.stdout, compared.stderr
    # What a journal holds is not played again, nor taken for another network's.
    words = ["--nodes", 100, "--pairs", 2, "--journal", tmp_path / "journal"]
    assert call("nnue", "compare", "<internal>", file, *words).stdout == compared.stdout
    lines = (tmp_path / "journal").read_bytes()
    assert lines.count(b"\n") == 3
    assert call("nnue", "compare", "<internal>", file, *words).stdout == compared.stdout
    assert (tmp_path / "journal").read_bytes() == lines
    other = call("nnue", "compare", "<internal>", "classical", *words)
    assert other.returncode == 2 and "had another network, signature" in other.stderr
    damaged = tmp_path / "damaged.nnue"
    damaged.write_bytes(file.read_bytes()[:-3])
    for job in (["check", damaged], ["show", damaged], ["compare", damaged, "classical"]):
        result = call("nnue", *job)
        assert result.returncode == 2 and "checksum" in result.stderr


@pytest.mark.system
def test_networks_are_compared_in_several_processes():
    pytest.importorskip("distributed")
    words = ["nnue", "compare", "<internal>", "classical", "--nodes", 50, "--pairs", 3]
    assert call(*words, "--workers", 2).stdout == call(*words).stdout


def test_the_words_of_other_trainers_set_what_they_name(games, tmp_path):
    words = ["--epochs", 1, "--batch-size", 256, "--lr", 0.002, "--lambda", 0.75, "--weight-decay", 0.2]
    path = tmp_path / "network"
    found = call("nnue", "train", games, "--out", path, "--hidden", 64, *words, "--scale", 400)
    assert found.returncode == 0, found.stderr
    assert "positions/s; written to" in found.stdout and "lambda 0.75 (wdl 0.25)" in found.stdout
    said = json.loads(call("nnue", "show", path, "--json").stdout)
    wanted = {"passes": 1, "batch": 256, "rate": 0.002, "mix": 0.75, "decay": 0.2, "unit_cp": 400}
    assert wanted.items() <= said["settings"].items()


@pytest.mark.system
def test_make_plays_games_and_goes_on(tmp_path):
    folder = tmp_path / "made"
    arguments = ["nnue", "make", folder, "--nodes", 30, "--network", "classical", "--threads", 2,
                 "--hidden", 64, "--epochs", 1, "--batch-size", 128]  # fmt: skip
    first = call(*arguments, "--positions", 1500)
    assert first.returncode == 0, first.stderr
    data = (folder / "network.nnue").read_bytes()
    again = call(*arguments, "--positions", 1500)  # nothing left to do but to write it once more
    assert again.returncode == 0, again.stderr
    assert (folder / "network.nnue").read_bytes() == data
    for more in (["--positions", 2000], ["--positions", 2000, "--epochs", 2]):  # trained anew, with all games
        longer = call(*arguments, *more)
        assert longer.returncode == 0, longer.stderr
        recipe, digest = read_recipe((folder / "network.nnue").read_bytes())
        assert digest != Network(data).digest
        data = (folder / "network.nnue").read_bytes()
    assert recipe.settings.passes == 2
    assert recipe.games == [read_source(str(folder / "games.games"))]


def test_the_digest_is_that_of_the_games_however_they_were_interrupted(tmp_path):
    """Blocks of the file are of other sizes after an interruption; the games are the same."""
    folders = [tmp_path / "whole", tmp_path / "parts"]
    plan = DatagenPlan(3, limits={"nodes": 60}, context=Context(network=None))
    for folder, stops in zip(folders, ([60], [9, 13, 60]), strict=True):
        folder.mkdir()
        for games in stops:
            generate(str(folder / "few.games"), plan, games, threads=1)
    whole, parts = (str(folder / "few.games") for folder in folders)
    parts = str(Path(parts).rename(folders[1] / "renamed.games"))  # nor has its name
    assert Path(whole).read_bytes() != Path(parts).read_bytes()
    file = tmp_path / "network.nnue"
    file.write_bytes(make([whole], SMALL)[0])
    assert make([parts], SMALL)[0] == file.read_bytes()

    again = ["nnue", "make", tmp_path / "again", "--from-manifest", file, "--threads", 1]
    result = call(*again, "--games", parts)
    assert result.returncode == 0 and "the same network" in result.stdout, result.stdout + result.stderr
    # As the shipped network names its games.
    text = json.loads(Network(file.read_bytes()).text)
    text["games"][0]["file"] = "few.games"
    recipe, _ = read_recipe(json.dumps(text).encode())
    made = Network(make([whole], SMALL, again=recipe)[0])
    assert json.loads(made.text)["games"] == text["games"]
    generate(parts, plan, 61, threads=1)
    refused = call(*again, "--games", parts)
    assert refused.returncode == 2 and "a file with the games of checksum" in refused.stderr


def test_checks_notice_a_network_that_knows_nothing(games):
    sets = collect([games])
    trainer = Trainer(sets.train.part(0), hidden=64, unit_cp=UNIT)
    network = Network(quantised(trainer.parameters(), 64, UNIT, {}))
    findings = check(network, 60)
    assert findings.asymmetric == 0
    assert findings.fault is not None
