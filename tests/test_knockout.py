"""Knockout tournaments: the bracket, who goes on, and that an interruption changes nothing."""

import json
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import call
from test_swiss import plan_of

from eleengine.lab.match.journal import MatchJournal, read_match
from eleengine.lab.match.knockout import EXTRA_PAIRS, bracket, open_meetings, stages
from eleengine.lab.match.play import play_match
from eleengine.lab.match.results import MatchResults


@pytest.mark.parametrize("players", range(2, 70))
def test_the_bracket_keeps_the_best_apart(players):
    """As in the draw of a tournament: of the best 2^n players no two meet before that many are left."""
    slots = bracket(players)
    size = len(slots)
    assert sorted(seed for seed in slots if seed is not None) == list(range(players))
    assert size & (size - 1) == 0 and size // 2 < players <= size
    best = 1
    while best <= size:
        parts = [slots[start : start + size // best] for start in range(0, size, size // best)]
        assert all(sum(seed is not None and seed < best for seed in part) <= 1 for part in parts)
        best *= 2
    byes = {a if b is None else b for a, b in zip(slots[::2], slots[1::2], strict=True) if None in (a, b)}
    assert byes == set(range(size - players))  # the best have them


def played(players, pairs, draw):
    """A whole tournament whose pairs of games have the points that draw() gives."""
    rounds, points = [], []
    while drawn := open_meetings(stages(players, pairs, rounds, points)):
        rounds.append(drawn)
        points += [draw() for _ in drawn]
    return rounds, points


@given(st.integers(2, 20), st.integers(1, 4), st.randoms(use_true_random=False))
def test_each_loses_one_meeting_and_the_last_one_none(players, pairs, chance):
    rounds, points = played(players, pairs, lambda: chance.choice((0, 0.5, 1, 1.5, 2)))
    found = stages(players, pairs, rounds, points)
    losers = [
        meeting.second if meeting.winner == meeting.first else meeting.first
        for stage in found
        for meeting in stage
        if meeting.second is not None
    ]
    champion = found[-1][0].winner
    assert sorted([*losers, champion]) == list(range(players))
    for before, after in pairwise(found):
        assert {m.winner for m in before} == {n for m in after for n in (m.first, m.second)}
        assert all(m.second is not None for m in after)
    for meeting in (meeting for stage in found for meeting in stage if meeting.second is not None):
        assert meeting.first < meeting.second
        assert meeting.first_points + meeting.second_points == 2 * meeting.played
        extra = meeting.played - pairs
        assert 0 <= extra <= EXTRA_PAIRS
        if meeting.first_points == meeting.second_points:
            assert extra == EXTRA_PAIRS and meeting.winner == meeting.first
        else:
            assert (meeting.winner == meeting.first) == (meeting.first_points > meeting.second_points)
    # With some pairs of the last round not yet played the meetings before are the same.
    cut = stages(players, pairs, rounds, points[:-1])
    assert cut[: len(found) - 1] == found[:-1]


@pytest.mark.parametrize("players", [2, 3, 6, 8, 13])
def test_the_better_seed_wins_where_all_is_drawn(players):
    rounds, points = played(players, 1, lambda: 1)
    assert stages(players, 1, rounds, points)[-1][0].winner == 0
    deepest = len(bracket(players)).bit_length() - 1
    assert len(rounds) == deepest * (1 + EXTRA_PAIRS)


def test_the_stronger_one_wins_more_often():
    chance = random.Random(3)
    champions = []
    for _ in range(200):
        rounds, points = [], []
        while drawn := open_meetings(stages(8, 2, rounds, points)):
            rounds.append(drawn)
            points += [2 if chance.random() < 0.5 + 0.05 * (second - first) else 0 for first, second in drawn]
        champions.append(stages(8, 2, rounds, points)[-1][0].winner)
    assert champions.count(0) > champions.count(3) > champions.count(7)


def test_a_tournament_repeats_and_goes_on(tmp_path):
    plan = plan_of(rounds=0, knockout=1)
    whole = play_match(plan)
    assert whole.done and len(whole.stages()) == 3 and whole.stages()[-1][0].winner is not None
    assert len(whole.games()) == 2 * sum(map(len, whole.plan.rounds)) == whole.plan.games
    assert play_match(plan, concurrency=2).games() == whole.games()
    path = tmp_path / "knockout.jsonl"
    with MatchJournal(path, plan) as journal:
        play_match(plan, journal=journal)
    lines = path.read_bytes().splitlines(keepends=True)
    for kept in (2, len(lines) // 2):
        path.write_bytes(b"".join(lines[:kept]))
        read = read_match(path)
        assert len(read.results.records) == kept - 1 and not read.results.done
        with MatchJournal(path, plan) as journal:
            again = play_match(plan, journal=journal)
        assert again.games() == whole.games() and again.stages() == whole.stages()
    assert read_match(path).results.stages() == whole.stages()


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"swiss": 2}, "either Swiss or knockout"),
        ({"pairs": 2}, "several pairs"),
        ({"gauntlet": True}, "neither gauntlet"),
    ],
)
def test_bad_plans_are_refused(changes, part):
    with pytest.raises(ValueError, match=part):
        plan_of(rounds=0, knockout=1, **changes)


def test_the_command(tmp_path):
    engines = [word for n in range(5) for word in ("-e", f"name=p{n}", f"nodes={250 - 50 * n}")]
    journal = tmp_path / "j.jsonl"
    words = ["tournament", *engines, "--openings", "openings", "--max-plies", 40, "--knockout", 1]
    found = call(*words, "--journal", journal, "--json")
    assert found.returncode == 0, found.stderr
    data = json.loads(found.stdout)
    assert data["games"] == data["planned"] >= 2 * 4
    assert [len(stage) for stage in data["stages"]] == [4, 2, 1]
    assert [m["winner"] for m in data["stages"][0] if m["players"][1] is None] == ["p0", "p1", "p2"]
    winner = data["stages"][-1][0]["winner"]
    again = call(*words, "--journal", journal).stdout.splitlines()
    assert f"winner: {winner}" in again and sum("has a bye" in line for line in again) == 1
    report = call("report", journal).stdout
    assert "knockout, meetings of 1 pairs of games" in report and f"| winner | {winner} |" in report
    theirs = ["-tournament", "knockout", "--json"]
    assert json.loads(call(*words[:-2], *theirs).stdout)["stages"] == data["stages"]
    for more, message in ((["--pairs", 2], "leave out --pairs"), (["--swiss", 2], "not allowed with")):
        refused = call(*words, *more)
        assert refused.returncode == 2 and message in refused.stderr


def test_games_in_progress_show_where_it_stands():
    plan = plan_of(rounds=0, knockout=1)
    results = MatchResults(plan)
    results.draw_rounds()
    assert not results.done and results.plan.games == 2 and results.plan.planned == 8
    assert [meeting.winner for meeting in results.stages()[0]] == [0, None, 1, 2]
