"""Endgame tables and the draws that need perpetual moves, against programs of their own."""

import random
from collections import Counter

import pytest
import slow_rules
from support import Board, Move

from eleengine import tables
from eleengine._core import EndgameTables
from eleengine.rules import RULE_SETS, judge

pytest.importorskip("numpy")
import array_tables

NAMES = ("R-N", "R-P", "R-CA")
GAMES = 300
LOSSES = ("red_loses", "black_loses")


def oracle(name):
    red, black = name.split("-")
    return array_tables.ending("".join(sorted(f"K{red}k{black.lower()}")))


def choose(ending, holder, side, number, chance):
    """A move from a draw to a draw, as the number of what it leads to; None for a capture.

    The holder makes idle moves where it can; what it cannot hold it plays by chance. The other side goes to
    draws with fewer idle moves.
    """
    plan, other = ending.plan[holder], 1 - holder
    found = ending.following(side, number)
    if side == holder:
        level = plan.level[side][number]
        if level == 0:
            return None if plan.idle[number] < 0 else plan.idle[number]
        if level > 0:
            found = [each for each in found if 0 <= plan.level[other][each] < level]
    elif plan.level[side][number] < 0:
        found = [each for each in found if 0 <= plan.most[holder][each] <= plan.most[side][number]]
    return chance.choice(found) if found else None


def play_out(ending, holder, side, number, chance):
    """What each rule set says of the first position that stands three times; {} if a capture comes before."""
    board, seen = Board(ending.fen(side, number)), Counter()
    while True:
        seen[side, number] += 1
        if seen[side, number] == 3:
            return {rules: str(judge(board, rules, no_capture_limit=None)) for rules in RULE_SETS}
        after = choose(ending, holder, side, number, chance)
        if after is None:
            return {}
        old, new = ending.pieces(number), ending.pieces(after)
        [src], [dst] = old.keys() - new.keys(), new.keys() - old.keys()
        move = Move.from_iccs("".join(f"{'abcdefghi'[file]}{rank}" for file, rank in (src, dst)))
        assert move in board.legal_moves
        board.push(move)
        side, number = 1 - side, after


@pytest.mark.parametrize(
    "name",
    [
        "R-N",
        *(pytest.param(name, marks=[pytest.mark.slow, pytest.mark.timeout(3600)]) for name in NAMES[1:]),
    ],
)
def test_values_and_perpetual_draws_follow_from_the_rules_alone(name, tmp_path):
    opened, loaded = tables.open_tables(tmp_path), EndgameTables()
    for each in tables.plan([name]):
        opened.make(each)
        table = opened.load([each])[each]
        loaded.add(table)
        counts = table.find_perpetual(loaded)
    ending, chance = oracle(name), random.Random(name)
    for side, found in enumerate(table.count()):
        assert {value: number for value, (number, _) in found.items()} == ending.counts(side)
        for _ in range(2000):
            number = int(chance.choice(ending.valid[side].nonzero()[0]))
            value, plies = int(ending.values[side][number]), opened.probe_dtm(Board(ending.fen(side, number)))
            assert plies == (0 if value == 0 else value - 1 if value % 2 == 0 else 1 - value)
    assert [number for number, _ in counts] == [ending.perpetual(side) for side in range(2)]
    for holder, (_, fen) in enumerate(counts):
        if fen:
            pieces, side = slow_rules.parse(fen)
            number = ending.number(pieces)
            assert ending.drawn[side][number] and not ending.held[holder][side][number]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ["R-N", "C-P"])
def test_draws_that_are_held_by_idle_moves_are_lost_under_no_rule_set(name):
    ending, chance, played = oracle(name), random.Random(name), 0
    for holder in range(2):
        held = ending.hold(holder)
        found = [held[side].nonzero()[0] for side in range(2)]
        verdicts = Counter()
        for number in range(GAMES):
            side = number % 2
            if len(found[side]):
                start = int(chance.choice(found[side]))
                verdicts.update(play_out(ending, holder, side, start, chance).items())
        print(name, "held by", ("red", "black")[holder], dict(verdicts))
        assert not any(verdict == LOSSES[holder] for _, verdict in verdicts)
        played += len(verdicts)
    assert played  # of R-N all draws that Black holds end by captures


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "holder"), [("R-N", 1), ("R-CA", 1)])
def test_perpetual_draws_are_lost_under_the_asian_rules(name, holder):
    ending, chance, verdicts = oracle(name), random.Random(name), Counter()
    perpetual = ending.drawn & ~ending.hold(holder)
    found = [perpetual[side].nonzero()[0] for side in range(2)]
    for number in range(GAMES):
        side = number % 2
        start = int(chance.choice(found[side]))
        verdicts.update(play_out(ending, holder, side, start, chance).items())
    print(name, "not held by", ("red", "black")[holder], dict(verdicts))
    assert verdicts["axf", LOSSES[holder]] > GAMES // 2
