"""SPSA: gains, convergence on functions that are known, runs that are interrupted, the command."""

import json
import random
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from support import CHECKOUT, raises

from eleengine import __version__, _core
from eleengine.__main__ import main
from eleengine.jobs.series import JobSeries, SeriesJournal
from eleengine.lab.match.spec import ProgramSpec
from eleengine.lab.tune.games import (
    MatchSettings,
    TunedEngine,
    TunedProgram,
    play,
    random_openings,
    version,
)
from eleengine.lab.tune.spsa import SpsaPlan, Tunable, tune

SHIPPED = _core.search_parameters()["lmr_base"][0]

TUNABLES = (
    Tunable("a", 20, 0, 200, 8),
    Tunable("b", 150, 0, 200, 8),
    Tunable("c", 500, 0, 2000, 80),
    Tunable("d", -10, -100, 100, 4),
)
BEST = {"a": 80, "b": 100, "c": 1100, "d": 20}
SCALE = {t.name: t.step for t in TUNABLES}


def noisy_games(job):
    """Two games of each pair of sets: points as Elo tells, with much chance."""
    seed, pairs = job
    rng = random.Random(seed)
    found = []
    for plus, minus in pairs:
        elo = sum(
            ((minus[name] - best) ** 2 - (plus[name] - best) ** 2) / SCALE[name] ** 2
            for name, best in BEST.items()
        )
        chance = 1 / (1 + 10 ** (-elo / 400))
        found.append(sum((rng.random() < chance) * 2 - 1 for _ in range(2)))
    return found


def measure_by(run):
    calls = iter(range(10**9))
    return lambda pairs: run.results(noisy_games, [(next(calls), pairs)])[0]


def test_it_finds_the_optimum_through_the_noise_of_games():
    plan = SpsaPlan(TUNABLES, steps=12_000, batch=4, rate=0.01)
    found = plan.rounded(tune(plan, measure_by(JobSeries())))
    for t in TUNABLES:
        before, after = abs(t.start - BEST[t.name]), abs(found[t.name] - BEST[t.name])
        assert after < before / 3, (t, found)
        assert after < 2.5 * t.step, (t, found)


def test_it_goes_the_other_way_if_the_results_are_turned():
    plan = SpsaPlan(TUNABLES[:1], steps=300, rate=0.02)
    up = tune(plan, lambda pairs: [(plus["a"] - minus["a"]) / 8 for plus, minus in pairs])
    down = tune(plan, lambda pairs: [(minus["a"] - plus["a"]) / 8 for plus, minus in pairs])
    assert down[0] < 20 < up[0]


def test_the_last_step_is_the_rate_and_the_last_perturbation_the_step():
    plan = SpsaPlan(TUNABLES, steps=1000, rate=0.003)
    gain, spread = plan.gains(999)
    assert (round(gain, 9), round(spread, 9)) == (0.003, 1.0)
    # Perturbations and moves as Spall has them: c / k^gamma and a / (A + k)^alpha, the move of a number being
    # a_k / c_k for a point.
    for step in (0, 1, 99, 500):
        gain, spread = plan.gains(step)
        assert spread == pytest.approx((1000 / (step + 1)) ** 0.101)
        assert gain * spread == pytest.approx(0.003 * (1100 / (100 + step + 1)) ** 0.602)
    gains, spreads = zip(*map(plan.gains, range(100, 1000)), strict=True)
    assert list(gains) == sorted(gains, reverse=True)
    assert list(spreads) == sorted(spreads, reverse=True)


def test_sets_stay_in_range_and_differ_in_all_values():
    plan = SpsaPlan((Tunable("a", 0, 0, 9, 3), Tunable("b", 9, 0, 9, 3)), steps=200, rate=0.5)
    seen = []

    def measure(pairs):
        seen.extend(pairs)
        return [1 if plus["a"] > minus["a"] else -1 for plus, minus in pairs]

    tune(plan, measure)
    for plus, minus in seen:
        assert all(0 <= value <= 9 for value in (*plus.values(), *minus.values()))
        assert plus["a"] != minus["a"] and plus["b"] != minus["b"]


def test_rounding_to_whole_numbers_does_not_pull():
    """Up or down by chance: sets lie around the point, on the mean."""
    plan = SpsaPlan((Tunable("a", 20, 0, 40, 3),), steps=2000)
    middles = []

    def measure(pairs):
        middles.extend((plus["a"] + minus["a"]) / 2 for plus, minus in pairs)
        return [0] * len(pairs)

    tune(plan, measure)
    assert sum(middles) / 2000 == pytest.approx(20, abs=0.05)


def test_an_interrupted_run_ends_as_if_it_had_not_been(tmp_path):
    plan = SpsaPlan(TUNABLES, steps=60, batch=5, rate=0.02)
    whole = tune(plan, measure_by(JobSeries()))

    class Interruption(Exception):
        pass

    def interrupt(steps, point):
        if steps == 25:
            raise Interruption

    with SeriesJournal(tmp_path / "j", {}) as journal, pytest.raises(Interruption):
        tune(plan, measure_by(JobSeries(journal=journal)), interrupt)
    with SeriesJournal(tmp_path / "j", {}) as journal:
        run = JobSeries(journal=journal)
        assert tune(plan, measure_by(run)) == whole
        assert (run.known, run.jobs) == (5, 12)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tunables": ()}, "SPSA needs numbers"),
        ({"tunables": (*TUNABLES, TUNABLES[0])}, f"^{TUNABLES[0].name}: named twice"),
        ({"tunables": (Tunable("x", 5, 0, 4, 1),)}, "x: start 5, step 1 do not fit 0 to 4"),
        ({"tunables": (Tunable("x", 1, 0, 4, 0),)}, "x: start 1, step 0 do not fit"),
        ({"rate": 0}, "rate above 0"),
        ({"batch": 0}, "a batch of at least one"),
    ],
)
def test_plans_that_cannot_be_are_refused(changes, message):
    raises(ValueError, message, SpsaPlan, **{"tunables": TUNABLES, "steps": 5, **changes})


# Versions of the engine


def test_a_version_plays_with_its_numbers_and_leaves_the_others_alone():
    settings, openings = MatchSettings(nodes=150, max_plies=100), random_openings(2, seed=3)
    same = play(settings.job({}, {}, openings))
    assert play(settings.job({}, {}, openings)) == same
    for values in ({"quiescence_margin": 30}, {"mg.tempo": 200}):
        assert play(settings.job(values, {}, openings)) != same
    # Nor are games that are played beside it.
    changes = [{}, {"quiescence_margin": 30}, {"mg.tempo": 200}]
    alone = [play(settings.job(values, {}, openings)) for values in changes]
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda values: play(settings.job(values, {}, openings)), changes)) == alone
    # The opponent is not changed: against itself a version plays like one that both sides have.
    changed = {"quiescence_margin": 30, "mg.material[5]": 900}
    assert play(settings.job(changed, changed, openings)) != play(settings.job(changed, {}, openings))


def test_a_stronger_version_wins():
    blind = {f"{phase}.material[{kind}]": 0 for phase in ("mg", "eg") for kind in range(2, 8)}
    games = play(MatchSettings(nodes=300).job({}, blind, random_openings(4, seed=4)))
    assert sum(result for pair in games for result, _ in pair) >= 7


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"lmr_bass": 1}, "neither a search parameter nor a weight called 'lmr_bass'"),
        ({"lmr_base": 2401}, "lmr_base must be a whole number from 0 to 2400, not 2401"),
        ({"mg.tempo": 0.5}, "mg.tempo must be a whole number from -10000 to 10000, not 0.5"),
    ],
)
def test_numbers_that_cannot_be_are_refused(values, message):
    raises(ValueError, message, TunedEngine().check, values)
    raises(ValueError, message, version, values)


def test_weights_and_parameters_are_tunable():
    assert TunedEngine().tunable("lmr_base") == _core.search_parameters()["lmr_base"]
    assert TunedEngine().tunable("eg.material[5]")[0] > 500


# The command


def spsa(*words):
    return main(
        ["spsa", *words, "--nodes", "60", "--max-plies", "40", "--openings", "positions/openings.epd"]
    )


def test_the_command_runs_and_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(CHECKOUT)
    words = ["lmr_base", "mg.tempo=10", "--steps", "6", "--batch", "2", "--rate", "0.5"]
    words += ["--journal", str(tmp_path / "j")]
    out = tmp_path / "values.json"
    assert spsa(*words, "--out", str(out), "--verify", "2") == 0
    first = capsys.readouterr().out
    values = json.loads(out.read_text())
    rows = [line.split() for line in first.splitlines()[2:4]]
    assert values == {row[0]: int(row[2]) for row in rows}
    assert set(values) == {"lmr_base", "mg.tempo"}
    assert "0 of 3 jobs from the journal" in first and "4 games" in first.splitlines()[-1]
    lines = (tmp_path / "j").read_bytes()
    assert spsa(*words) == 0
    second = capsys.readouterr().out
    assert "3 of 3 jobs from the journal" in second
    assert second.splitlines()[1:] == first.splitlines()[1:-1]
    assert (tmp_path / "j").read_bytes() == lines
    assert spsa("lmr_base", "--steps", "0", "--start", str(out), "--verify", "2") == 0
    assert capsys.readouterr().out.splitlines()[-1] == first.splitlines()[-1]


OURS_AS_PROGRAM = [f"cmd={sys.executable} -m eleengine", "proto=ucci", "hash=1"]


@pytest.mark.system
def test_what_another_program_lets_one_tune(monkeypatch):
    monkeypatch.chdir(CHECKOUT)
    engine = TunedProgram([*OURS_AS_PROGRAM, "option.multipv=2"])
    found = engine.tunables()
    assert found["skilllevel"] == (20, 0, 20) and found["multipv"] == (2, 1, 128) and "usebook" not in found
    engine.check({"skilllevel": 20})
    raises(ValueError, r"option skilllevel must be 0\.\.20, not 21", engine.check, {"skilllevel": 21})
    raises(ValueError, "no option 'nowhere' for whole numbers", engine.tunable, "nowhere")
    raises(ValueError, "cmd=PROGRAM", TunedProgram, ["hash=1"])


@pytest.mark.system
def test_options_of_another_program_are_tuned(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(CHECKOUT)
    start, out = tmp_path / "start.json", tmp_path / "values.json"
    start.write_text('{"skilllevel": 0}')
    words = ["skilllevel=2", "--start", str(start), "--steps", "1", "--rate", "0.1", "--out", str(out)]
    words += ["--engine", *OURS_AS_PROGRAM, "--journal", str(tmp_path / "j")]
    assert spsa(*words, "--verify", "3") == 0
    shown = capsys.readouterr().out.splitlines()
    assert json.loads(out.read_text()) == {"skilllevel": int(shown[2].split()[2])}
    assert shown[-1].startswith("against the engine's own values: Elo -") and "6 games" in shown[-1]
    # What varies from search to search is no other engine, what does not is one.
    identity = ProgramSpec.identity
    for changed, status in ({"nodes": "varies"}, 0), ({"move": "another"}, 2):
        monkeypatch.setattr(
            ProgramSpec, "identity", lambda spec, changed=changed: {**identity(spec), **changed}
        )
        assert spsa(*words) == status
        out, err = capsys.readouterr()
        assert status or "1 of 1 jobs from the journal" in out
    assert err.endswith(f"with other engines: eleengine {__version__} had another move\n")


def test_verified_weights_that_are_the_shipped_ones_score_half(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(CHECKOUT)
    names = ["mg.material[5]", "eg.material[5]"]
    start = tmp_path / "shipped.json"
    start.write_text(json.dumps({name: TunedEngine().tunable(name)[0] for name in names}))
    words = ["--steps", "0", "--start", str(start), "--nodes", "150", "--openings", "positions/openings.epd"]
    assert main(["spsa", *names, *words, "--verify", "10"]) == 0
    assert "against the shipped values: Elo +0.0" in capsys.readouterr().out


def test_the_result_may_be_the_mean_of_the_second_half(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(CHECKOUT)
    # The first set of each pair wins by chance of the seed: the way is not straight, but moves each time.
    monkeypatch.setattr(
        "eleengine.commands.spsa.play_many", lambda jobs: [[[[1.0, 20], [1.0, 20]]] for _ in jobs]
    )
    found = []
    for more in ([], ["--mean"]):
        out = tmp_path / "values.json"
        words = ["lmr_base", "mg.tempo=10", "--steps", "6", "--batch", "1", "--rate", "0.5", "--out"]
        assert spsa(*words, str(out), *more) == 0
        rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:4]]
        found.append(json.loads(out.read_text()))
    assert found[0] == {row[0]: int(row[2]) for row in rows}
    assert found[1] == {row[0]: int(row[3]) for row in rows} != found[0]


def test_an_interrupted_command_shows_how_far_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(CHECKOUT)
    calls = []

    def interrupt(jobs):
        calls.append(jobs)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return [[[[1.0, 20], [0.5, 20]]] for _ in jobs]

    monkeypatch.setattr("eleengine.commands.spsa.play_many", interrupt)
    out = tmp_path / "values.json"
    words = ["lmr_base", "--steps", "9", "--batch", "1", "--chunk", "1", "--rate", "0.5", "--out", str(out)]
    assert spsa(*words, "--verify", "5") == 130
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("2 steps, pairs of games [0, 0, 0, 2, 0]")
    assert json.loads(out.read_text())["lmr_base"] == int(shown[2].split()[2]) != SHIPPED
    assert len(shown) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["lmr_bass"], "neither a search parameter nor a weight called 'lmr_bass'"),
        (["lmr_base=x"], "lmr_base=x: expected NAME=STEP with a number"),
        (["lmr_base=9999"], f"lmr_base: start {SHIPPED}, step 9999 do not fit 0 to 2400"),
        (["--start", "missing.json"], "missing.json: No such file or directory"),
        (["--openings", "missing.epd"], "missing.epd: No such file or directory"),
    ],
)
def test_wrong_arguments_are_named(words, message, capsys):
    assert main(["spsa", *words]) == 2
    assert message in capsys.readouterr().err


def test_the_parameters_are_listed(capsys):
    assert main(["spsa", "--list"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert {r[0]: tuple(map(int, r[1:])) for r in rows} == _core.search_parameters()
