"""The statistics of the lab: published examples, an independent optimiser, and simulated matches."""

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import raises

from eleengine.lab.match import ratings as module
from eleengine.lab.match.ratings import ratings
from eleengine.lab.match.stats import Sprt, elo_of, estimate, expected_score
from eleengine.lab.match.stopping import OVERSHOOT, SHORT, RandomWalk

# fastchess, app/tests/sprt_test.cpp and elo_test.cpp (MIT); pairs with two draws or a win and a loss together
LLR_EXAMPLES = [
    (Sprt(0, 2, model="normalized"), [36027, 68692, 36433], 0.92),
    (Sprt(-1.75, 0.25, model="normalized"), [10650, 20431, 10871], 2.30),
    (Sprt(0.5, 2.5), [21184, 40708, 21404], -1.57),
    (Sprt(0, 2), [57030, 106593, 57433], -2.59),
    (Sprt(0, 2, model="normalized"), [365, 16618, 36229, 16974, 390], 2.25),
    (Sprt(-1.75, 0.25, model="normalized"), [127, 4883, 10712, 5150, 104], 3.01),
    (Sprt(0.5, 2.5), [223, 9863, 21279, 10037, 246], -3.07),
    (Sprt(0, 2), [871, 26175, 55983, 26678, 821], -4.98),
]
ELO_EXAMPLES = [  # counts, normalized Elo, Elo, half of the interval, LOS in per cent
    ([89, 123, 76], -20.76, None, None, 15.53),
    ([96, 111, 136], 49.77, 40.70, 30.43, 99.60),
    ([356, 0, 34], -508.44, None, None, None),
    ([34, 54, 63, 64, 75], 57.94, 55.58, 27.65, 100.00),
    ([332, 433, 498, 333, 334], -9.17, -8.64, 10.33, 5.05),
    ([7895, 8757, 5685, 568, 9999], -19.01, -21.04, 2.95, None),
]


@pytest.mark.parametrize("test, counts, llr", LLR_EXAMPLES)
def test_llr_is_that_of_fastchess(test, counts, llr):
    assert test.llr(counts) == pytest.approx(llr, abs=0.006)


def test_llr_is_that_of_fishtest():
    """The exact figure of fishtest's own program, fishtest issue 1737."""
    test = Sprt(-1.75, 0.25, model="normalized")
    assert test.llr([93, 18711, 58877, 18739, 100]) == pytest.approx(2.9420974720708513, abs=1e-8)


@pytest.mark.parametrize("counts, nelo, elo, half, los", ELO_EXAMPLES)
def test_elo_is_that_of_fastchess(counts, nelo, elo, half, los):
    """It takes the normal approximation, we take likelihoods: they differ by little for so many games."""
    found = estimate(counts)
    assert found.nelo == pytest.approx(nelo, abs=0.006)
    if elo is not None:
        assert found.elo == pytest.approx(elo, abs=0.006)
        assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.01)
    if los is not None:
        assert 100 * found.los == pytest.approx(los, abs=0.06)


def test_bounds_are_those_of_wald():
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(19), math.log(19)))
    assert Sprt(0, 5, 0.05, 0.10).bounds == pytest.approx((-2.2513, 2.8904), abs=1e-4)


@pytest.mark.parametrize("elo, score", [(0, 0.5), (100, 0.6401), (200, 0.7597), (400, 1 / 1.1)])
def test_expected_scores_are_those_of_the_elo_tables(elo, score):
    assert expected_score(elo) == pytest.approx(score, abs=1e-4)
    assert elo_of(expected_score(elo)) == pytest.approx(elo)


@given(st.lists(st.integers(0, 200), min_size=5, max_size=5))
def test_changing_sides_changes_signs(counts):
    found, other = estimate(counts), estimate(counts[::-1])
    assert found.elo == pytest.approx(-other.elo, abs=1e-6)
    assert found.low == pytest.approx(-other.high, abs=1e-3)
    assert found.los == pytest.approx(1 - other.los, abs=1e-9)
    test = Sprt(-7, 12)
    assert test.llr(counts) == pytest.approx(-Sprt(-12, 7).llr(counts[::-1]), abs=1e-6)


@given(st.lists(st.integers(0, 10_000), min_size=3, max_size=3), st.sampled_from(["logistic", "normalized"]))
def test_any_counts_give_finite_likelihoods(counts, model):
    found = estimate(counts)
    assert found.low <= found.elo <= found.high
    assert 0 <= found.los <= 1
    assert math.isfinite(Sprt(0, 10, model=model).llr(counts))


def test_one_sided_matches_have_intervals():
    """Ten pairs won out of ten: the likelihood of a score s is s ** 10."""
    found = estimate([0, 0, 0, 0, 10])
    assert found.elo == found.high == math.inf
    assert expected_score(found.low) == pytest.approx(math.exp(-(1.959964**2) / 20), abs=1e-3)
    assert estimate([0] * 5) == (0, 0.5, 0.0, -math.inf, math.inf, 0.0, 0.5)


def test_los_and_interval_say_the_same():
    for counts in ([3, 10, 20, 17, 10], [3, 10, 20, 16, 8]):
        found = estimate(counts)
        assert (found.los > 0.975) == (found.low > 0)


@pytest.mark.parametrize("bad", [[1, 2], [1, 2, 3, 4], [0, -1, 2], [1, 2, 3, 4, 5, 6]])
def test_other_counts_are_refused(bad):
    raises(ValueError, "three or five counts", estimate, bad)
    raises(ValueError, "three or five counts", Sprt(0, 5).llr, bad)


@pytest.mark.parametrize(
    "test, part",
    [
        (Sprt(5, 5), "elo0 must be below elo1"),
        (Sprt(float("nan"), 5), "elo0 must be below elo1"),
        (Sprt(0, float("inf")), "within -1000..1000"),
        (Sprt(0, 201, model="normalized"), "within -200..200"),
        (Sprt(0, 1e-9), "at least 0.01 above elo0"),
        (Sprt(0, 5, alpha=0), "alpha must be"),
        (Sprt(0, 5, alpha=1e-300), "alpha must be"),
        (Sprt(0, 5, beta=0.7), "beta must be"),
        (Sprt(0, 5, model="bayes"), "model must be"),
    ],
)
def test_other_tests_are_refused(test, part):
    raises(ValueError, part, test.check)


# Simulated matches


def chances(elo, draws, spread=0.1):
    """Of the five scores of a pair whose opening favours one colour: two games that depend on each other."""
    mean = expected_score(elo)
    found = [0.0] * 5
    for shift in (-spread, spread):  # which colour is favoured
        games = []
        for score in (mean + shift, mean - shift):
            win = score - draws / 2
            games.append((1 - win - draws, draws, win))
        for i, a in enumerate(games[0]):
            for j, b in enumerate(games[1]):
                found[i + j] += a * b / 2
    assert min(found) > 0
    return found


def run_sprt(test, law, rng, batch=4):
    """The verdict and the pairs it took. Looks after every fourth, to save time."""
    counts = [0] * 5
    for pairs in range(batch, 100_000, batch):
        for score in rng.choices(range(5), law, k=batch):
            counts[score] += 1
        if (verdict := test.verdict(counts)) is not None:
            return verdict, pairs
    raise AssertionError("no end")


def long(*values):
    """Parameters of a slow run."""
    return pytest.param(*values, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])  # on a busy machine


@pytest.mark.parametrize(
    "test, runs", [(Sprt(0, 80), 150), long(Sprt(-10, 50), 400), long(Sprt(-10, 50, 0.1, 0.02), 400)]
)
@pytest.mark.parametrize("true, wrong", [("elo0", "H1"), ("elo1", "H0")])
def test_sprt_errs_as_rarely_as_it_says(test, runs, true, wrong):
    bound = test.alpha if wrong == "H1" else test.beta
    rng, law = random.Random(1), chances(getattr(test, true), draws=0.3)
    rate = sum(run_sprt(test, law, rng)[0] == wrong for _ in range(runs)) / runs
    assert rate <= bound + 3 * math.sqrt(bound * (1 - bound) / runs)


def covered(elo, pairs, matches, seed):
    rng, law = random.Random(seed), chances(elo, draws=0.3)
    hits = 0
    for _ in range(matches):
        drawn = rng.choices(range(5), law, k=pairs)
        found = estimate([drawn.count(score) for score in range(5)])
        hits += found.low <= elo <= found.high
    return hits / matches


LONG = [long(elo, pairs, 1000, 0.02) for elo in (-150, 0, 30, 150) for pairs in (20, 100, 500)]


@pytest.mark.parametrize("elo, pairs, matches, short", [(0, 20, 200, 0), (100, 60, 200, 0), *LONG])
def test_intervals_cover_the_truth(elo, pairs, matches, short):
    """Likelihood intervals of few pairs are a little short: long runs see it."""
    chance = 3 * math.sqrt(0.95 * 0.05 / matches)
    assert covered(elo, pairs, matches, seed=pairs) == pytest.approx(0.95, abs=short + chance)


@pytest.mark.parametrize("elo", [-5, 20, 45])
def test_the_course_of_a_test_is_that_of_simulations(elo):
    test, rng, law = Sprt(0, 40), random.Random(2), chances(elo, draws=0.3)
    mean = sum(p * i / 4 for i, p in enumerate(law))
    counts = [round(10_000 * p) for p in law]
    assert mean == pytest.approx(expected_score(elo))
    found = [run_sprt(test, law, rng) for _ in range(120)]
    chance, pairs = test.course(elo, counts)
    accepted = sum(verdict == "H1" for verdict, *_ in found) / len(found)
    assert accepted == pytest.approx(chance, abs=0.13)
    assert statistics.fmean(n for _, n, *_ in found) == pytest.approx(pairs, rel=0.3)


# What a test that has stopped says


def test_the_chances_of_a_walk_are_those_of_simulations():
    """Outcomes are better by the order of `stopping`: up early, then on the way by place, then down late."""
    rng, tries = random.Random(3), 1500
    for low, high, drift, steps, place in (
        (-3, 3, 0.05, 150, 3), (-3, 3, 0.05, 150, -3), (-2, 4, 0.0, 100, 1), (-3, 3, -0.02, 10, -1),
        (-3, 3, 0.3, 9, 3), (-3, 3, 0.1, 25, -3),
    ):  # fmt: skip
        better = 0
        for _ in range(tries):
            at, step = 0.0, 0
            while low < at < high and step < 10_000:
                at += rng.gauss(drift, 0.25)
                step += 1
                if step == steps and low < place < high:
                    break
            if low < place < high:
                better += at > place
            elif place >= high:
                better += at >= high and step <= steps
            else:
                better += at >= high or step > steps
        chance = RandomWalk(low, high, 0.25**2).chance_of_better(drift, steps, place)
        assert chance == pytest.approx(better / tries, abs=3.5 * math.sqrt(0.25 / tries))


@pytest.mark.parametrize("lean", [-40.0, -3.0, -1e-9, 0.0, 1.0, 40.0])
@pytest.mark.parametrize("place", [-3.0, -1.0, 0.0, 2.0, 3.0])
def test_short_and_long_walks_meet(lean, place):
    """The two ways to reckon agree where one takes over from the other."""
    walk = RandomWalk(-3, 3, 0.0001)
    width = 6 + 2 * OVERSHOOT * 0.01
    steps = int(SHORT * width**2 / 0.0001)
    one, other = (walk.chance_of_better(lean * 0.0001, n, place) for n in (steps - 20, steps + 20))
    assert one == pytest.approx(other, abs=2e-3)


def after_stopping(test, elo, runs, seed, law=None):
    """Shares of runs: the corrected interval holds, the plain one does, the estimate is too high."""
    rng, law = random.Random(seed), law or chances(elo, draws=0.3)
    held = plain = high = 0
    for _ in range(runs):
        counts = [0] * 5
        while test.verdict(counts) is None:
            counts[rng.choices(range(5), law)[0]] += 1
        middle, least, bound = test.corrected(counts)
        told = estimate(counts)
        held += least <= elo <= bound
        plain += told.low <= elo <= told.high
        high += middle > elo
    return held / runs, plain / runs, high / runs


LONG = [long(*bounds, part, 500) for bounds in ((0, 40), (-20, 20)) for part in (-1, 0, 0.5, 1, 2)]


@pytest.mark.parametrize("elo0, elo1, part, runs", [(0, 80, 0, 60), (0, 80, 1, 60), *LONG])
def test_the_interval_after_a_test_covers_the_truth(elo0, elo1, part, runs):
    held, plain, high = after_stopping(Sprt(elo0, elo1), elo0 + part * (elo1 - elo0), runs, seed=1)
    assert held >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)
    if 0 <= part <= 1:
        assert plain < 0.94 or runs < 500  # what is to be corrected
        assert high == pytest.approx(0.5, abs=3.5 * math.sqrt(0.25 / runs))


@pytest.mark.parametrize(
    ("model", "elo", "most", "runs"),
    [
        ("logistic", 200, 0.4, 40),
        ("logistic", 400, 0.15, 40),
        ("normalized", 200, 0.45, 25),
        ("normalized", 400, 0.4, 25),
        pytest.param("normalized", 200, 0.4, 100, marks=pytest.mark.slow),
        pytest.param("normalized", 400, 0.3, 100, marks=pytest.mark.slow),
    ],
)
def test_far_outside_the_bounds_the_interval_holds_and_the_estimate_is_low(model, elo, most, runs):
    """As docs/testing.md says: such a test stops at once and knows little."""
    test = Sprt(0, 40, model=model)
    held, _, high = after_stopping(test, elo, runs, seed=2, law=lopsided_chances(elo))
    assert held >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / runs)
    assert high < most


def test_corrections_without_news_and_of_extreme_results():
    assert Sprt(0, 10).corrected([0] * 5) == (0.0, -math.inf, math.inf)
    for counts in ([0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [0, 0, 500, 0, 0], [1, 0, 0]):
        for model in ("logistic", "normalized"):
            middle, low, high = Sprt(0, 5, model=model).corrected(counts)
            assert low <= middle <= high
            assert low < high


# Ratings


def lopsided_chances(elo, draws=0.3, spread=0.1):
    """As `chances`, of any difference: draws and the worth of the first move vanish as results get clear."""
    mean = expected_score(elo)
    found = [0.0] * 5
    open_ended = 4 * mean * (1 - mean)
    for shift in (-spread * open_ended, spread * open_ended):
        games = []
        for score in (mean + shift, mean - shift):
            drawn = draws * 4 * score * (1 - score)
            games.append((1 - score - drawn / 2, drawn, score - drawn / 2))
        for i, a in enumerate(games[0]):
            for j, b in enumerate(games[1]):
                found[i + j] += a * b / 2
    assert min(found) >= 0
    return found


def coverage(true, pairs, tries, seed=1):
    """How often the interval of each player holds the truth."""
    rng, inside = random.Random(seed), dict.fromkeys(true, 0)
    names = sorted(true)
    for _ in range(tries):
        results = {}
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                scores = rng.choices(range(5), lopsided_chances(true[a] - true[b]), k=pairs)
                results[a, b] = [scores.count(score) for score in range(5)]
        for row in ratings(results):
            assert row.low < row.elo < row.high
            inside[row.name] += row.low <= true[row.name] <= row.high
    return [n / tries for n in inside.values()]


@pytest.mark.parametrize(
    "true", [{"a": 100, "b": -100}, {"a": 350, "b": -350}, {"a": 350, "b": 200, "c": -150, "d": -400}]
)
@pytest.mark.parametrize("pairs", [10, 50])
def test_intervals_of_ratings_cover_the_truth_of_unequal_players_too(true, pairs):
    tries = 100
    assert min(coverage(true, pairs, tries)) >= 0.95 - 3.5 * math.sqrt(0.95 * 0.05 / tries)


def drawn_results(true, pairs, rng):
    names = sorted(true)
    results = {}
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            scores = rng.choices(range(5), chances(true[a] - true[b], draws=0.3), k=pairs)
            results[a, b] = [scores.count(score) for score in range(5)]
    return results


def test_ratings_find_the_truth():
    true = {"a": 90, "b": 10, "c": -20, "d": -80}
    rng, inside, tries = random.Random(5), 0, 12
    for _ in range(tries):
        table = ratings(drawn_results(true, 50, rng))
        assert [row.elo for row in table] == sorted((row.elo for row in table), reverse=True)
        inside += sum(row.low <= true[row.name] <= row.high for row in table)
        assert sum(row.elo for row in table) == pytest.approx(0, abs=1e-6)
        assert sum(row.points for row in table) == 6 * 50 * 2
    assert inside / (4 * tries) >= 0.85


def random_field(n, games, seed):
    """Results of games between players by chance, each of two who met at random."""
    rng = random.Random(seed)
    true = {f"p{i}": rng.uniform(-100, 100) for i in range(n)}
    names, results = list(true), {}
    for i in range(games):
        a, b = (names[i % n], rng.choice(names)) if i < n else rng.sample(names, 2)
        if a != b:
            [points] = rng.choices(range(5), chances(true[a] - true[b], draws=0.15))
            results.setdefault((a, b), [0] * 5)[points] += 1
    mean = sum(true.values()) / n
    return {name: elo - mean for name, elo in true.items()}, results


def test_intervals_of_many_players_are_those_of_few(monkeypatch):
    _, results = random_field(12, 800, seed=2)
    exact = ratings(results)
    monkeypatch.setattr(module, "MANY", 2)
    for one, other in zip(exact, ratings(results), strict=True):
        assert one.elo == pytest.approx(other.elo)
        width = one.high - one.low
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=0.01 * width)


def test_a_hundred_players_are_rated():
    """In a second; before, a limit of each interval took some ten solutions of a hundred equations."""
    true, results = random_field(100, 6000, seed=3)
    table = ratings(results)
    inside = sum(row.low <= true[row.name] <= row.high for row in table)
    assert inside >= 95 - 3.5 * math.sqrt(100 * 0.95 * 0.05)


def test_two_players_are_rated_as_by_their_score():
    [a, b] = ratings({("x", "y"): [200, 300, 500, 600, 400]})
    assert a.elo - b.elo == pytest.approx(estimate([200, 300, 500, 600, 400]).elo, abs=0.1)


def test_pairs_that_scatter_less_make_narrower_intervals():
    """Four times the variance of another result of the same mean, and twice the width."""
    wide, narrow = ([200, 0, 0, 0, 200], [0, 200, 0, 200, 0])
    widths = [row.high - row.low for counts in (wide, narrow) for row in ratings({("x", "y"): counts})[:1]]
    assert widths[0] == pytest.approx(2 * widths[1], rel=0.02)


def test_ratings_stay_finite():
    table = ratings({("x", "y"): [0, 0, 0, 0, 7], ("y", "z"): [0] * 5, ("x", "z"): [0] * 5})
    assert [row.name for row in table] == ["x", "z", "y"]
    assert all(math.isfinite(row.low) and math.isfinite(row.high) for row in table)


def test_anchors_hold_their_ratings_and_shift_the_others():
    results = {("a", "b"): [0, 2, 4, 6, 8], ("b", "c"): [1, 3, 8, 3, 1], ("a", "c"): [0, 3, 3, 7, 7]}
    free = {row.name: row for row in ratings(results)}
    held = {row.name: row for row in ratings(results, anchors={"b": 2000})}
    assert held["b"][1:4] == pytest.approx((2000, 2000, 2000), abs=1e-3)
    for name in "ac":
        assert held[name].elo - 2000 == pytest.approx(free[name].elo - free["b"].elo, abs=0.01)
        assert held[name].low < held[name].elo < held[name].high
    both = {row.name: row.elo for row in ratings(results, anchors={"a": 300, "c": 0})}
    assert (both["a"], both["c"]) == pytest.approx((300, 0), abs=0.01) and 0 < both["b"] < 300
    raises(ValueError, "no games of d", ratings, results, anchors={"d": 1})
    raises(ValueError, "no games link a with d, e", ratings, {**results, ("d", "e"): [1, 1, 1]})
    raises(ValueError, "no games to rate", ratings, {})


def test_single_games_are_rated_as_their_model_says():
    """Two players: the rating of the score, with half a win and half a loss more each."""
    [a, b] = ratings([(("a", "b"), [20, 30, 50])])
    score = (0.5 * 30 + 50 + 0.5) / 101
    assert a.elo - b.elo == pytest.approx(400 * math.log10(score / (1 - score)), abs=0.1)
    assert (a.points, a.games) == (65, 100)
    split = ratings([(("a", "b"), [12, 10, 30]), (("b", "a"), [20, 20, 8])])
    assert [row.elo for row in split] == pytest.approx([a.elo, b.elo], abs=1)
    # Pairs of games that are as scattered as single ones say no more and no less.
    rng = random.Random(1)
    games = [rng.choice((0, 1, 1, 2, 2)) for _ in range(4000)]
    singles = [games.count(n) for n in range(3)]
    sums = [x + y for x, y in zip(games[::2], games[1::2], strict=True)]
    pairs = [sums.count(n) for n in range(5)]
    [one, _], [two, _] = ratings({("a", "b"): singles}), ratings({("a", "b"): pairs})
    assert one[1:4] == pytest.approx(two[1:4], rel=0.05)
