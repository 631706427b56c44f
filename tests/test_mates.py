"""The mates of positions/mates.jsonl: one key move each, proven here by trying all moves."""

import json
import sys

import pytest
from support import CHECKOUT

from eleengine import Board, Move
from eleengine.motifs import NAMES

sys.path.insert(0, str(CHECKOUT / "tools"))
from short_mates import keys

with open(CHECKOUT / "positions" / "mates.jsonl", encoding="utf-8") as file:
    MATES = [json.loads(line) for line in file]


def names(board, plies):
    return [move.iccs() for move in keys(board, plies)]


def test_there_are_enough_of_each_length():
    lengths = [mate["win_in_plies"] for mate in MATES]
    assert [lengths.count(plies) for plies in (1, 3, 5)] == [369, 420, 420] and len(lengths) == 1209
    assert len({mate["id"] for mate in MATES}) == len({mate["fen"] for mate in MATES}) == 1209


def test_every_line_is_played_to_a_mate_of_its_length():
    for mate in MATES:
        board = Board(mate["fen"])
        assert mate["best"] == mate["line"][:1] and len(mate["line"]) == mate["win_in_plies"]
        assert (mate["class"] == "checks") == board.gives_check(Move.from_iccs(mate["line"][0]))
        for text in mate["line"]:
            board.push_iccs(text)
        assert not any(board.legal_moves)
        assert set(mate["themes"]) <= NAMES.keys() and 1 <= mate["level"] <= 5


def test_mates_in_one_have_one_key_move():
    for mate in MATES:
        if mate["win_in_plies"] == 1:
            assert names(Board(mate["fen"]), 1) == mate["best"], mate["id"]


@pytest.mark.slow
@pytest.mark.parametrize(("plies", "step"), [(3, 1), (5, 14)])
def test_longer_mates_have_one_key_move_and_no_shorter_mate(plies, step):
    for mate in [mate for mate in MATES if mate["win_in_plies"] == plies][::step]:
        assert names(Board(mate["fen"]), plies) == mate["best"], mate["id"]
        assert keys(Board(mate["fen"]), plies - 2) == []
