"""Motifs: mates and tactics by name."""

import pytest
from support import sample

from eleengine import Board, Move
from eleengine.motifs import NAMES, explain, material, mating_patterns, tactics

# Black is mated.
MATES = {
    "double_cannons": "3akab2/9/9/9/9/9/9/4C4/4C4/4K4",
    "cannon_behind_horse": "4k4/9/4N4/9/9/9/9/4C4/9/3K5",
    "smothered_palace": "4ka2C/4a4/9/9/9/9/9/9/9/4K4",
    "smothered": "3aka3/2N1n4/9/9/9/9/9/9/9/4K4",
    "heaven_and_earth": "4ka2C/4a4/9/9/4C4/9/9/9/9/3K5",
    "iron_bolt": "4kR3/4a4/9/4p4/9/9/9/4C4/9/5K3",
    "opposite_corner_horse": "4Rk3/9/3N5/9/9/9/9/9/9/4K4",
    "angling_horse": "4k3R/9/2N6/9/9/9/9/9/9/5K3",
    "elbow_horse": "4k4/2N6/6N2/9/9/9/9/9/9/3K5",
    "corner_horse": "3aka3/8R/5N3/9/9/9/9/9/9/5K3",
    "two_horses": "3k5/1N7/9/2N6/9/9/9/9/9/4K4",
    "two_rooks": "5k2R/8R/9/9/9/9/9/9/9/4K4",
    "three_on_one_wing": "R2k5/CN7/9/9/9/9/9/9/9/5K3",
    "two_pawns_at_the_door": "4k4/3P1P3/9/4p4/9/9/9/4C4/9/4K4",
    "moon_from_the_sea": "4R4/2N1kr3/9/9/9/9/9/9/9/3K5",
    "facing_king": "3k5/9/9/9/9/9/9/9/9/3RK4",
    "double_check": "9/R3k4/9/9/9/9/9/9/9/3KR4",
    "stalemate": "3k5/9/3P5/9/9/9/9/9/9/4K4",
}
# The same kinds of mate with a piece moved, so that the definition no longer holds.
OTHERS = {
    "double_cannons": "4k4/9/4N4/9/9/9/9/4C4/9/3K5",
    "cannon_behind_horse": "3akab2/9/9/9/9/9/9/4C4/4C4/4K4",
    "smothered_palace": "4ka2C/4a4/9/9/4C4/9/9/9/9/3K5",
    "iron_bolt": "4Rk3/9/3N5/9/9/9/9/9/9/4K4",
    "elbow_horse": "3aka3/8R/5N3/9/9/9/9/9/9/5K3",
    "two_rooks": "9/R3k4/9/9/9/9/9/9/9/3KR4",
    "angling_horse": "4k4/2N6/6N2/9/9/9/9/9/9/3K5",
    "facing_king": "3akab2/9/9/9/9/9/9/4C4/4C4/4K4",
}


def black_to_move(fen):
    return Board(f"{fen} b - - 0 1")


def names(motifs):
    return [motif.name for motif in motifs]


@pytest.mark.parametrize("name", MATES)
def test_mates_have_their_names_from_every_side(name):
    board = black_to_move(MATES[name])
    found = mating_patterns(board)
    assert name in names(found)
    assert {motif.side for motif in found} == {not board.turn}
    for turned in (board.mirror_files(), board.mirror(), board.mirror().mirror_files()):
        assert names(mating_patterns(turned)) == names(found)


@pytest.mark.parametrize("name", OTHERS)
def test_other_mates_have_other_names(name):
    board = black_to_move(OTHERS[name])
    assert board.is_checkmate()
    assert name not in names(mating_patterns(board))


def test_only_an_end_has_a_pattern():
    for board in map(Board, sample(300)):
        ended = board.is_checkmate() or board.is_stalemate()
        assert ended or mating_patterns(board) == []


TACTICS = {
    "fork": ("5k3/1r3r3/9/9/4N4/9/9/9/9/4K4", "e5d7 b8b1 d7f8 f9f8"),
    "check_and_attack": ("4k4/1r7/9/9/4N4/9/9/9/9/3K5", "e5d7 e9f9 d7b8"),
    "discovered_check": ("4k4/9/9/9/2r6/4N4/9/4R4/9/3K5", "e4c5 e9f9"),
    "discovered_attack": ("5k3/c8/9/9/1p7/9/N8/9/9/R3K4", "a3b5 f9f8 a0a8"),
    "pin": ("4k4/9/4n4/p8/9/9/9/R8/9/3K5", "a2e2 a6a5 e2e7"),
    "deflection": ("r7r/4k4/9/9/4C4/9/9/9/9/3K4R", "e5a5 a9a5 i0i9"),
}


@pytest.mark.parametrize("name", TACTICS)
def test_tactics_have_their_names(name):
    fen, line = TACTICS[name]
    for turn in (lambda board: board, lambda board: board.mirror_files()):
        board = turn(Board(f"{fen} w - - 0 1"))
        moves = [Move.from_iccs(text) for text in line.split()]
        if board.fen() != f"{fen} w - - 0 1":
            moves = [Move(mirrored(move.from_square), mirrored(move.to_square)) for move in moves]
        assert name in names(tactics(board, moves))
        assert tactics(board, moves[:1]) == [] or material(board, moves[:1]) > 0


def mirrored(square):
    return square + 8 - 2 * (square % 9)


def test_what_wins_nothing_is_no_tactic():
    board = Board("5k3/1r3r3/9/9/4N4/9/9/9/9/4K4 w - - 0 1")
    line = [Move.from_iccs(text) for text in ("e5d7", "b8b1", "d7f8", "b1b0")]
    assert names(tactics(board, line)) == ["fork"]
    assert tactics(board, line[:2]) == []
    taken = [Move.from_iccs(text) for text in ("e5d7", "b8b7", "e0e1", "b7d7")]
    assert tactics(board, taken) == []


# Why a move was a mistake


def explained(fen, move, refutation, better="", language="en"):
    line = [[Move.from_iccs(text) for text in texts.split()] for texts in (refutation, better)]
    found = explain(Board(fen), Move.from_iccs(move), *line)
    return found.text(language) if found else None


def test_why_in_words():
    hanging = ("1r1k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1", "a0b0", "b9b0")
    assert explained(*hanging) == "loses a rook"
    assert explained(*hanging, language="zh") == "失车"
    fork = ("4k4/1r7/9/9/4N4/9/9/p8/9/3K5 b - - 0 1", "a2a1", "e5d7 e9f9 d7b8")
    assert explained(*fork) == "loses a rook (check that wins a piece)"
    assert explained(*fork, language="zh-Hant") == "失車（將軍抽子）"
    missed = ("3k5/9/9/9/9/9/9/9/5R3/4K4 w - - 0 1", "f1f2", "d9d8", "f1d1")
    assert explained(*missed) == "misses a mate (facing king)"
    assert explained(*missed, language="zh") == "错失杀着（白脸将）"
    allowed = ("3k5/9/9/9/9/9/9/9/p4R3/4K4 b - - 0 1", "a1a0", "f1d1")
    assert explained(*allowed, language="zh") == "被杀（白脸将）"
    assert explained(*allowed) == "allows mate (facing king)"
    quiet = ("3k5/9/9/9/9/9/9/9/5R3/4K4 w - - 0 1", "f1f2", "d9d8", "f1f3")
    assert explained(*quiet) is None


def test_an_exchange_loses_nothing():
    fen = "3k5/9/9/1r7/9/9/9/1R7/9/1R3K3 w - - 0 1"
    assert explained(fen, "b2b6", "d9d8", "b2b3") is None  # takes a rook itself
    assert explained("1r1k5/1r7/9/9/9/9/9/1R7/9/1R3K3 b - - 0 1", "b8b7", "b2b7 b9b7 b0b7") == "loses a rook"


def test_every_name_is_there_in_three_languages():
    assert set(MATES) | set(TACTICS) <= set(NAMES)
    for texts in NAMES.values():
        assert len(texts) == 3 and all(texts)


def test_lines_show_what_the_last_position_does_not():
    dagger = ("3ak4/4aP3/2N6/9/4R4/9/9/9/p8/4RK3 b - - 0 1", "a1a0", "e5e8 d9e8 f8f9")
    assert explained(*dagger) == "allows mate (dagger to the heart)"
    home = ("9/4k4/9/4P4/9/9/9/9/p3RR3/3K5 b - - 0 1", "a1a0", "e6e7 e8e9 e7e8")
    assert explained(*home, language="zh") == "被杀（送佛归殿）"
