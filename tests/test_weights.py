"""The weights of the evaluation: what can be read can be set, in the whole process, and kept in files."""

import json
import pickle
import random
from array import array
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import CHECKOUT, flip, mirror, raises, sample

from eleengine import Board, weights
from eleengine._core import (
    Context,
    Searcher,
    eval_trace,
)
from eleengine.weights import LIMIT, NUMBERS, TABLES, Weights, WeightsError, index_name

SHIPPED = Weights.shipped()
POSITIONS = sample(160)
PAWN_PAIR = "3ak4/9/9/3PP4/9/9/9/9/9/4K4 w"  # chance hardly ever makes one


def any_numbers(seed, chosen):
    values = random.Random(seed).choices(range(-LIMIT, LIMIT + 1), k=2 * NUMBERS)
    for place, value in chosen.items():
        values[place] = value
    return values


# Thousands of numbers: most of them out of a seed, some chosen.
numbers = st.builds(
    any_numbers,
    st.integers(0, 2**32),
    st.dictionaries(st.integers(0, 2 * NUMBERS - 1), st.sampled_from([-LIMIT, -1, 0, 1, LIMIT])),
)


def some_weights(seed=7):
    """Weights unlike the shipped ones, zero nowhere."""
    return Weights([(i * seed + 13) % 401 - 200 or 1 for i in range(2 * NUMBERS)])


def evaluations():
    searcher = Searcher(hash_mib=1)
    return [searcher.evaluate(Board(fen)) for fen in POSITIONS]


@given(numbers)
def test_what_is_set_is_read(values):
    weights = Weights(values)
    assert weights.numbers() == values
    assert weights.context().weights == array("h", values).tobytes()


def test_the_evaluation_is_made_of_the_weights_that_are_set():
    context = some_weights().context()
    for fen in POSITIONS:
        board = Board(fen)
        trace = eval_trace(board, context=context)
        for i, phase in ((4, "mg"), (5, "eg")):
            counted = sum((entry[2] - entry[3]) * entry[i] for entry in trace["counts"])
            assert counted == trace[phase], fen
        assert Searcher(hash_mib=1, context=context).evaluate(board) == trace["score"]


@pytest.fixture(scope="module")
def seen():
    return sample(1000, seed=2)


@pytest.mark.parametrize("name", TABLES)
def test_each_table_is_one_of_the_evaluation(name, seen):
    """A table alone, all others zero, makes some evaluation other than zero."""
    values = Weights([0] * (2 * NUMBERS)).numbers()
    first = next(i for i in range(NUMBERS) if index_name(i).split("[")[0] == f"mg.{name}")
    size = len(SHIPPED[name].mg)
    for start in (first, NUMBERS + first):
        values[start : start + size] = range(300, 300 + size)
    searcher = Searcher(hash_mib=1, context=Weights(values).context())
    assert any(searcher.evaluate(Board(fen)) for fen in [PAWN_PAIR, *seen])


def test_the_evaluation_stays_symmetric():
    searcher = Searcher(hash_mib=1, context=some_weights().context())
    for fen in POSITIONS:
        value = searcher.evaluate(Board(fen))
        assert searcher.evaluate(Board(mirror(fen))) == value, fen
        assert searcher.evaluate(Board(flip(fen))) == value, fen


def test_boards_from_before_are_evaluated_anew():
    board = Board()
    for move in ("h2e2", "h9g7", "h0g2", "b9c7"):
        board.push_iccs(move)
    fresh = Board(board.fen())
    context = some_weights().context()

    def searcher():
        return Searcher(hash_mib=1, context=context)

    assert searcher().evaluate(board) == searcher().evaluate(fresh)
    lines = [searcher().search(b, nodes=3000)[0] for b in (board.root(), Board())]
    assert (lines[0].score, lines[0].pv) == (lines[1].score, lines[1].pv)
    board.pop()
    traces = [eval_trace(b, context=context)["score"] for b in (board, Board(board.fen()))]
    assert traces[0] == traces[1]
    assert Searcher(hash_mib=1).evaluate(board) == Searcher(hash_mib=1).evaluate(Board(board.fen()))


def test_two_sets_take_turns_in_one_process():
    """A search finds the same whether others with other weights took place in between or not."""
    mine, board = some_weights().context(), Board()
    alone = [Searcher(hash_mib=1, context=mine).search(board, nodes=2000)[0].score] * 3
    ours, theirs = Searcher(hash_mib=1, context=mine), Searcher(hash_mib=1)
    found = []
    for _ in range(3):
        ours.clear()
        found.append(ours.search(board, nodes=2000)[0].score)
        theirs.search(board, nodes=2000)
    assert found == alone


def test_searches_with_different_weights_run_beside_each_other():
    """Each finds what it finds alone."""
    contexts = [None, *(some_weights(seed).context() for seed in (1, 2))]

    def found(context):
        [line] = Searcher(hash_mib=1, context=context).search(Board(), nodes=60_000)
        return line.score, line.nodes, line.pv

    alone = [found(context) for context in contexts]
    assert len({(score, *line) for score, _, line in alone}) == 3
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(found, contexts)) == alone


def test_a_new_context_forgets_what_others_found():
    searcher = Searcher(hash_mib=1)
    searcher.search(Board(), depth=6)
    searcher.context = mine = some_weights().context()
    assert searcher.context is mine and searcher.probe(Board()) is None
    assert searcher.evaluate(Board()) == eval_trace(Board(), context=mine)["score"]


def test_contexts_can_be_sent_elsewhere():
    weights = some_weights().context().weights
    context = pickle.loads(pickle.dumps(Context(weights=weights, parameters={"deeper": 9})))
    assert context.weights == weights
    assert context.parameters == {**Context().parameters, "deeper": 9}


@pytest.mark.parametrize("size", [0, 1, 4 * NUMBERS - 2, 4 * NUMBERS + 2])
def test_the_core_refuses_another_number_of_weights(size):
    raises(ValueError, f"must be {4 * NUMBERS} bytes, not {size}", Context, weights=bytes(size))


def test_the_core_refuses_weights_beyond_the_limits():
    raises(ValueError, r"number 0 is 32639", Context, weights=b"\x7f" * (4 * NUMBERS))


@given(numbers)
def test_files_round_trip(values):
    weights = Weights(values)
    assert Weights.from_json(weights.to_json()) == weights
    assert pickle.loads(pickle.dumps(weights)) == weights


def test_files_on_disk(tmp_path):
    path = tmp_path / "weights.json"
    some_weights().save(path)
    assert Weights.load(path) == some_weights() != SHIPPED
    path = tmp_path / "w.json"
    path.write_bytes(b"\xff\xfe\x00")
    raises(WeightsError, "not UTF-8 text", Weights.load, path)


def damaged(change):
    data = json.loads(SHIPPED.to_json())
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "expected a JSON object"),
        (damaged(lambda d: d.pop("eleengine weights")), "no weights"),
        (damaged(lambda d: d.pop("eg")), "eg is missing"),
        (damaged(lambda d: d.update(mg=3)), "mg: must be an object"),
        (damaged(lambda d: d["mg"].pop("tempo")), "mg.tempo is missing"),
        (damaged(lambda d: d["mg"].update(charm=1)), "mg.charm is unknown"),
        (damaged(lambda d: d["mg"].update(tempo=1.5)), "mg.tempo: must be a whole number"),
        (damaged(lambda d: d["mg"].update(tempo=True)), "mg.tempo: must be a whole number"),
        (damaged(lambda d: d["eg"]["square"][7].append(1)), r"eg.square\[7\]: must be a list of 50 .* 51"),
        (damaged(lambda d: d["eg"]["square"].append(1)), r"eg.square: must be a list of 8 values, .* 9"),
        (damaged(lambda d: d["mg"]["material"].__setitem__(5, 10_001)), r"mg.material\[5\]: .* not 10001"),
        (damaged(lambda d: d["eg"].update(material=5)), "eg.material: must be a list of 8 values"),
    ],
)
def test_a_bad_file_is_refused_by_name_and_place(tmp_path, text, message):
    path = tmp_path / "w.json"
    path.write_text(text, encoding="utf-8")
    raises(WeightsError, f"{path}: {message}", Weights.load, path)


def test_replace_changes_one_number():
    changed = SHIPPED.replace("square", 5, 49, eg=77)
    assert changed["square"].eg[5 * 50 + 49] == 77 and changed["square"].mg == SHIPPED["square"].mg
    assert sum(a != b for a, b in zip(changed.numbers(), SHIPPED.numbers(), strict=True)) == 1
    assert repr(changed) == f"<Weights, 1 of {2 * NUMBERS} not as shipped>"
    raises(IndexError, "", SHIPPED.replace, "square", 5, 50, eg=77)
    raises(WeightsError, r"mg\.tempo: .* not 20000", SHIPPED.replace, "tempo", mg=20_000)


def test_the_file_of_the_shipped_weights_is_what_the_engine_has():
    assert Weights.load(CHECKOUT / "src/eleengine/core/eval/classic/shipped.json") == SHIPPED


def test_the_old_name_warns_and_is_the_new_one():
    with pytest.warns(DeprecationWarning, match=r"^eleengine\.weights\.Table is now WeightTable$"):
        assert weights.Table is weights.WeightTable
    with pytest.raises(AttributeError, match=r"'eleengine\.weights' has no attribute 'Tables'"):
        weights.Tables  # noqa: B018
