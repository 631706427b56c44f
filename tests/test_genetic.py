"""The genetic algorithm: formulas, operators, both phases, the command and its tables."""

import argparse
import random
import re
import sys
from pathlib import Path

import pytest
from support import CHECKOUT, ENVIRONMENT

from eleengine import STARTING_FEN
from eleengine.__main__ import main
from eleengine._internal.live import width
from eleengine.jobs.series import JobSeries
from eleengine.lab.match.stats import estimate
from eleengine.lab.tune.games import MatchSettings, TunedEngine
from eleengine.papers import genetic
from eleengine.papers import genetic_command as command
from eleengine.papers.genetic import (
    PIECES,
    THESIS_BEFORE,
    GeneticPlan,
    adapted,
    decode,
    evolve,
    points,
    tournament,
    version,
)
from eleengine.papers.language import LANGUAGE

pytest.importorskip("deap")

BEST = (120, 110, 300, 600, 280, 60)
CONTEST = MatchSettings(nodes=100, max_plies=100)


def distance(job, place):
    """How far a player of a job is from the best values; the sparring partner is not a version."""
    player = job["players"][place]
    if isinstance(player, list):
        return 1500
    values = [player[f"mg.material[{kind}]"] for kind in PIECES.values()]
    return sum(abs(a - b) for a, b in zip(values, BEST, strict=True))


class Judge:
    """Stands in for `Run`: whoever is nearer to the best values wins, the sooner the clearer."""

    def __init__(self):
        self.sizes = []
        self.nearest = []

    def results(self, function, jobs):
        self.sizes.append(len(jobs))
        flat = jobs if isinstance(jobs[0], dict) else [job for group in jobs for job in group]
        self.nearest.append(min(distance(job, place) for job in flat for place in (0, 1)))
        return [self.judge(job) if isinstance(job, dict) else [*map(self.judge, job)] for job in jobs]

    @staticmethod
    def judge(job):
        mine, other = distance(job, 0), distance(job, 1)
        result = 0.5 if mine == other else float(mine < other)
        plies = max(10.0, 100 - abs(mine - other) / 20)
        return [[[result, plies], [result, plies]] for _ in job["openings"]]


def run_with_judge(plan):
    judge = Judge()
    history = evolve(plan, CONTEST, ["cmd=partner"], lambda n: ["startpos"] * n, judge)
    return history, judge


def far(best):
    return sum(abs(a - b) for a, b in zip(best, BEST, strict=True))


def test_both_phases_come_nearer_to_the_best_values():
    plan = GeneticPlan(population=40, generations=80, first=40, groups=8)
    history, judge = run_with_judge(plan)
    assert [found.phase for found in history] == [1] * 40 + [2] * 40
    assert judge.sizes == [40] * 40 + [8] * 40
    first, middle, last = (far(history[number].best) for number in (0, 39, 79))
    assert last < middle < first / 2
    # Elitism: with a judge without chance the best never gets lost.
    assert judge.nearest == sorted(judge.nearest, reverse=True)


def test_a_run_repeats_exactly_and_the_seed_matters():
    plan = GeneticPlan(population=8, generations=10, first=5, groups=2)
    state = random.getstate()
    history, _ = run_with_judge(plan)
    random.setstate(state)
    random.random()
    assert run_with_judge(plan)[0] == history
    assert run_with_judge(GeneticPlan(population=8, generations=10, first=5, groups=2, seed=2))[0] != history


def test_groups_are_dealt_by_rank():
    plan = GeneticPlan(population=12, generations=2, first=1, groups=3)
    jobs_of = []

    class Watching(Judge):
        def results(self, function, jobs):
            jobs_of.append(jobs)
            return super().results(function, jobs)

    evolve(plan, CONTEST, ["cmd=partner"], lambda n: ["startpos"] * n, Watching())
    spar, groups = jobs_of
    assert [len(group) for group in groups] == [6, 6, 6]  # round robins of four
    members = [
        {tuple(sorted(player.items())) for job in group for player in job["players"]} for group in groups
    ]
    # The best of the first phase lives on unchanged, leads the ranking, and so is of the first group.
    best = min(spar, key=lambda job: distance(job, 0))["players"][0]
    assert tuple(sorted(best.items())) in members[0]


def test_groups_take_turns_down_the_ranking():
    """The first group has places 1, 4 and 7 of nine, whatever the order of the population."""
    breeder = genetic._Breeder(GeneticPlan(population=9, groups=3))
    population = breeder.create()
    places = [3, 7, 1, 9, 5, 2, 8, 6, 4]
    for individual, place in zip(population, places, strict=True):
        individual.rate(100.0 - place)
    place_of = {
        tuple(version(decode(individual)).items()): place
        for individual, place in zip(population, places, strict=True)
    }
    seen = []

    class Watching(Judge):
        def results(self, function, jobs):
            for group in jobs:
                players = {tuple(player.items()) for job in group for player in job["players"]}
                seen.append({place_of[player] for player in players})
            return super().results(function, jobs)

    genetic._compete(population, 3, CONTEST, ["startpos"], Watching(), version)
    assert seen == [{1, 4, 7}, {2, 5, 8}, {3, 6, 9}]


def offspring(**chances):
    """A population, and what it breeds beside the one survivor."""
    breeder = genetic._Breeder(GeneticPlan(population=30, groups=2, **chances))
    population = breeder.create()
    for place, individual in enumerate(population):
        individual.rate(place + 1.0)
    survivors = breeder.best(population, 1)
    made = breeder.breed(population, survivors, breeder.roulette)
    assert len(made) == 30 and made[0] is survivors[0] is population[-1]
    return [list(parent) for parent in population], made[1:]


def test_mutation_flips_one_bit_of_each_gene():
    parents, children = offspring(crossover=(0.0, 0.0), mutation=(1.0, 1.0))
    for child in children:
        flips = [
            [sum(a != b for a, b in zip(*genes, strict=True)) for genes in zip(child, parent, strict=True)]
            for parent in parents
        ]
        assert [1] * len(PIECES) in flips


def test_crossover_cuts_each_gene_once_by_itself():
    parents, children = offspring(crossover=(1.0, 1.0), mutation=(0.0, 0.0))
    cuts = set()
    for child in children:
        found = [
            [cut for cut in range(1, 10) if child[0] == a[0][:cut] + b[0][cut:]]
            for a in parents
            for b in parents
            if all(
                any(gene == x[:cut] + y[cut:] for cut in range(1, 10))
                for gene, x, y in zip(child, a, b, strict=True)
            )
        ]
        assert found
        cuts.update(*found)
    assert len(cuts) > 3


def test_without_chances_children_are_copies():
    parents, children = offspring(crossover=(0.0, 0.0), mutation=(0.0, 0.0))
    assert all(child in parents for child in children)
    assert len({str(child) for child in children}) > 5


def test_decoding_and_versions():
    assert decode([[0, 0, 1, 1], [1, 0, 0, 0]]) == [3, 8]
    values = version(THESIS_BEFORE)
    assert values["mg.material[5]"] == values["eg.material[5]"] == 550
    assert len(values) == 12


def test_chances_fall_from_the_mean_to_the_best():
    chances = [adapted((0.1, 0.001), fitness, 10, 20) for fitness in (0, 9, 10, 15, 20)]
    assert chances[:3] == [0.1, 0.1, 0.1]
    assert chances[3] == pytest.approx(0.0505)
    assert chances[4] == pytest.approx(0.001)
    assert adapted((0.9, 0.6), 5, 5, 5) == 0.9


def test_a_win_is_better_soon_a_loss_late():
    games = [(1, 20), (1, 90), (0.5, 100), (0, 99), (0, 10)]
    found = [points(result, plies, 100) for result, plies in games]
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 5


def test_the_tournament_counts_every_game_twice():
    players = [("good", version(BEST)), ("bad", version((900,) * 6)), ("same", version(BEST))]
    rows = tournament(players, CONTEST, ["startpos", "startpos"], Judge())
    assert [(row.wins, row.losses, row.draws, row.points) for row in rows] == [
        (4, 0, 4, 12), (0, 8, 0, 0), (4, 0, 4, 12),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"population": 4, "groups": 3}, "4 individuals do not make 3 groups"),
        ({"first": 11}, "the first phase cannot have 11 of 10"),
        ({"groups": 1}, "two groups or more"),
        ({"bits": 14}, "1 to 13 bits"),
    ],
)
def test_plans_that_cannot_be_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        GeneticPlan(**{"population": 8, "generations": 10, "first": 5, "groups": 2, **changes})


# The command, with real games


COMMAND = [
    "papers", "genetic", "--population", "4", "--generations", "3", "--first", "2", "--groups", "2",
    "--nodes", "20",
]  # fmt: skip


def test_the_command_shows_both_tables_and_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(CHECKOUT)
    words = [*COMMAND, "--max-plies", "30", "--openings", "positions/openings.epd"]
    assert main([*words, "--journal", str(tmp_path / "j"), "--out", str(tmp_path / "v.json")]) == 0
    first = capsys.readouterr().out
    rows = {line[:20].strip(): line[20:].split() for line in first.splitlines()}
    assert rows["best of generation"] == ["1", "2", "3", "sparring"]
    totals = [int(rows["wins"][i]) + int(rows["losses"][i]) + int(rows["draws"][i]) for i in range(4)]
    assert totals == [6, 6, 6, 6]
    assert rows["thesis, after"][:6] == ["291", "284", "498", "823", "486", "85"]
    size = (tmp_path / "j").stat().st_size
    assert main([*words, "--journal", str(tmp_path / "j")]) == 0
    assert capsys.readouterr().out == first
    assert (tmp_path / "j").stat().st_size == size


def test_verified_weights_that_are_the_shipped_ones_score_half(monkeypatch, capsys):
    """Both sides play with the classical evaluation: against the network equal weights would lose."""
    monkeypatch.chdir(CHECKOUT)
    shipped = TunedEngine().untuned(version(THESIS_BEFORE))
    words = ["--verify", "8", "--nodes", "400", "--openings", "positions/openings.epd"]
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    settings = MatchSettings(nodes=400, max_plies=100)
    command.show_comparisons(parser.parse_args(words), JobSeries(), settings, shipped)
    assert "against the shipped weights: Elo +0.0" in capsys.readouterr().out


def test_values_and_points_are_drawn(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(CHECKOUT)
    path = tmp_path / "way.svg"
    words = [*COMMAND, "--max-plies", "10", "--openings", "positions/openings.epd"]
    assert main([*words, "--plot", str(path)]) == 0
    assert path.read_text(encoding="utf-8").count('id="axes_') == 2


@pytest.mark.system
def test_other_programs_can_spar(capsys, monkeypatch):
    monkeypatch.chdir(CHECKOUT)
    partner = f"cmd={sys.executable} -m eleengine"
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
    words = ["--max-plies", "10", "--openings", "positions/openings.epd", "--sparring", partner, "nodes=20"]
    assert main([*COMMAND, *words]) == 0
    assert "sparring" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--population", "3"], "3 individuals do not make 8 groups"),
        (["--sparring", "nonsense"], "'nonsense': expected KEY=VALUE"),
        (["--sparring", "cmd=/no/engine"], "cannot start /no/engine"),
        (["--openings", "missing.epd"], "missing.epd: No such file"),
        (["--out", "/no/values.json"], "/no: No such directory"),
        (["--plot", "ways.doc"], "its ending must be one of"),
    ],
)
def test_wrong_arguments_are_named(words, message, capsys):
    assert main(["papers", "genetic", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.system
def test_a_partner_that_dies_ends_the_run(capsys, monkeypatch):
    monkeypatch.chdir(CHECKOUT)
    monkeypatch.setenv("PYTHONPATH", ENVIRONMENT["PYTHONPATH"])
    bad = f"cmd={sys.executable} {Path(__file__).with_name('bad_engine.py')} crash 2"
    words = ["--openings", "positions/openings.epd", "--sparring", bad, "proto=uci", "nodes=20"]
    assert main([*COMMAND, *words]) == 2
    assert "crash" in capsys.readouterr().err


def test_games_of_individuals_are_played_as_jobs():
    plan = GeneticPlan(population=4, generations=2, first=1, groups=2)
    run = JobSeries()
    settings = MatchSettings(nodes=20, max_plies=20)
    history = evolve(plan, settings, version(THESIS_BEFORE), lambda n: [STARTING_FEN] * n, run)
    assert (len(history), run.jobs) == (2, 4 + 2)
    assert all(0 <= score <= 3 for found in history for score in found.fitness)


def test_a_table_of_the_thesis_size_stands_beside_the_thesis_own(capsys):
    rows = [genetic.Row(str(n), wins=n, losses=2, draws=1) for n in range(len(genetic.THESIS_POINTS))]
    command.show_tournament(rows)
    shown = {line[:20].strip(): line[20:].split() for line in capsys.readouterr().out.splitlines()}
    assert shown["points"] == [str(2 * n + 1) for n in range(len(rows))]
    assert shown["thesis, table 5.4"] == [str(points) for points in genetic.THESIS_POINTS]
    command.show_tournament(rows[1:])
    assert "thesis" not in capsys.readouterr().out


def test_the_values_found_stand_beside_the_thesis_own(capsys):
    command.show_values((1, 2, 3, 4, 5, 6))
    shown = {line[:20].strip(): line[20:].split()[:6] for line in capsys.readouterr().out.splitlines()}
    assert shown["thesis, before"] == ["250", "250", "350", "550", "350", "100"]
    assert shown["thesis, after"] == ["291", "284", "498", "823", "486", "85"]
    assert shown["this run"] == list("123456")


def test_tables_are_in_chinese(capsys):
    """But for Elo and its like."""
    counts = estimate([0, 1, 3, 2, 0])
    before = LANGUAGE.set("zh")
    try:
        rows = [genetic.Row(str(n), wins=n, losses=2, draws=1) for n in range(10)]
        command.show_tournament([*rows, genetic.Row("sparring", wins=1, losses=2, draws=3)])
        command.show_values((1, 2, 3, 4, 5, 6))
        print(command.comparison_text(counts))
    finally:
        LANGUAGE.reset(before)
    text = capsys.readouterr().out
    for name in ("Elo", "LOS"):
        text = text.replace(name, "")
    assert not re.search("[A-Za-z]", text), text
    widths = {width(line) for line in text.splitlines()[:6]}
    assert len(widths) == 1 and "陪练" in text and "以车为 100" in text


@pytest.mark.system
def test_the_thesis_own_search_can_be_tuned(tmp_path, capsys):
    words = ["--search", "thesis", "--population", "4", "--generations", "1", "--first", "1"]
    words += ["--groups", "2", "--nodes", "100", "--max-plies", "6"]
    assert main(["papers", "genetic", *words]) == 0
    shown = capsys.readouterr().out
    assert "this run" in shown
    assert main(["papers", "genetic", *words, "--out", str(tmp_path / "values.json")]) == 2
    assert "not for --search thesis" in capsys.readouterr().err
