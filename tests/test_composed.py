"""Composed positions, with pieces where no game brings them and more of them than a game begins with.

Moves, checks and exchanges in them are tested with those of games: they are one of `support.KINDS`.
"""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import (
    COLORS,
    KING,
    RED,
    Board,
    Context,
    Searcher,
    call,
    flip,
    home,
    make_fen,
    mirror,
    random_composed,
    random_positions,
)

from eleengine import Move, notation
from eleengine._core import Samples, SelfPlay, Traces, default_context, eval_trace
from eleengine.engines import Engine, Limit
from eleengine.evaluation import evaluate
from eleengine.records import FORMATS, Game, RecordError, encode_game, read_game

# Sent by a GUI out of a collection of problems; it is mated in the end.
PROBLEM = "3k2p2/4P4/9/9/9/2B1cnN2/9/7CR/4p4/2Cp1K3 w - - 0 1"
MANY_MOVES = [  # 15 rooks, cannons, or both, placed by hill climbing: 184, 184 and 192 moves
    "pR4RpR/2R4R1/5k3/3R1p3/6R2/4R4/R7R/1R5R1/2RK1R3/p3R4 w - - 0 1",
    "4C2pp/1C5Cp/3k1C3/C5C2/3C5/2C5C/3pC4/7C1/C4C3/1C1K2C2 w - - 0 1",
    "pC6C/R6R1/3C1k2p/4Rp2R/5R3/2R6/6C2/5C3/R2K4C/pR5C1 w - - 0 1",
]
CROWDS = [  # 15 pieces of a kind on each side, and of many kinds
    "R3r3r/rr1r5/5k1rR/1R3r3/R1r3Rr1/1R3r2R/r2Rr1r2/R2K2R2/r1RR5/1RR2R2r b - - 0 1",
    "2ck1C3/4C4/c4C1cc/cc2C4/2c3CcC/6c1C/3C1C3/CcCc4c/1C2cK1c1/3cC1CC1 b - - 0 1",
    "n2kNnn2/2N5n/1n2n1nNN/3n1nN1N/nN5n1/nN3N1Nn/5NN1N/3nNn3/9/1N3K3 b - - 0 1",
    "a2kAaa2/2A5a/1a2a1aAA/3a1aA1A/aA5a1/aA3A1Aa/5AA1A/3aAa3/9/1A3K3 b - - 0 1",
    "2bk1B3/4B4/b4B1bb/bb2B4/2b3BbB/6b1B/3B1B3/BbBb4b/1B2bK1b1/3bB1BB1 b - - 0 1",
    "pp7/1P2k1p1P/3P2PP1/P1PP2ppP/P2P2p2/3Pp3p/1P4p2/3K5/1pp2ppPp/1P3p3 w - - 0 1",
    "PN2k4/rnP1p1p2/3Rp1cPR/2P4Pp/2N1n1N2/C1P6/3r2c2/9/2R1CC2r/pnc2K1p1 b - - 0 1",
]


@st.composite
def composed(draw, most=16):
    """A playable board of any pieces anywhere."""
    pieces = {}
    for color in COLORS:
        letters = draw(st.lists(st.sampled_from("AABBNRCPP"), max_size=most - 1))
        for letter in letters if color == RED else map(str.lower, letters):
            pieces.setdefault(draw(st.integers(0, 89)), letter)
    for color in COLORS:
        pieces[draw(st.sampled_from(home(KING, color)))] = "K" if color == RED else "k"
    board = Board(make_fen(pieces, draw(st.sampled_from(COLORS))), validate=False)
    if not board.is_playable():
        board.turn = not board.turn
    return board if board.is_playable() else Board(PROBLEM)


def searched(fen, network, nodes=2_000, threads=1):
    """A position, searched: the move, or None where there is none, and the score."""
    searcher = Searcher(hash_mib=1, threads=threads, context=Context() if network else Context(network=None))
    found = searcher.search(Board(fen), nodes=nodes, depth=12)
    return (found[0].pv[0], found[0].score) if found else (None, 0)


@given(composed())
def test_composed_boards_are_read_and_written_and_evaluated(board):
    assert Board(board.fen()) == board
    assert bool(board.status()) != board.is_valid()
    network = default_context().network.evaluate(board)
    classical = eval_trace(board)["score"]
    for twin in (Board(mirror(board.fen())), Board(flip(board.fen()))):
        assert default_context().network.evaluate(twin) == network
        assert eval_trace(twin)["score"] == classical
        assert twin.legal_moves.count() == board.legal_moves.count()
    found = evaluate(board)
    total = sum(term.total for term in found.terms) + sum(value for _, value in found.steps)
    assert found.score.red().score() == total


@given(composed())
@settings(max_examples=40, deadline=None)
def test_composed_boards_are_searched(board):
    for network in (True, False):
        move, score = searched(board.fen(), network, nodes=300)
        assert (move in board.legal_moves) if board.legal_moves else move is None
        assert -30_000 <= score <= 30_000


@given(composed())
@settings(deadline=None)
def test_every_move_of_a_composed_board_can_be_written_down(board):
    for move in board.legal_moves:
        for text in (notation.wxf(board, move), notation.chinese(board, move)):
            assert notation.parse(board, text) == move, (board.fen(), text)


@pytest.mark.parametrize("fen", [PROBLEM, *MANY_MOVES, *CROWDS])
def test_the_fullest_boards_are_counted_evaluated_and_searched(fen):
    board = Board(fen)
    moves = list(board.legal_moves)
    assert len(moves) == board.legal_moves.count() == board.perft(1)
    assert board.perft(2) == sum(board.divide(2).values())
    for move in moves:
        board.see(move)
        board.push(move)
        board.outcome()
        board.pop()
    for network in (True, False):
        for threads in (1, 2):
            move, _ = searched(fen, network, nodes=5_000, threads=threads)
            assert move in moves


def test_a_board_of_sliders_has_more_moves_than_a_game_ever_has():
    assert [Board(fen).legal_moves.count() for fen in MANY_MOVES] == [184, 184, 192]


def test_more_pieces_are_worth_more():
    """The tables end at what a game begins with, but the pieces go on counting."""
    for evaluation in (lambda board: eval_trace(board)["score"], default_context().network.evaluate):
        two, three, five = (
            evaluation(Board(f"3k5/9/9/9/9/9/{row}/9/9/4K4 w")) for row in ("R7R", "R3R3R", "R1R1R1R1R")
        )
        assert two < three < five


@pytest.mark.parametrize("rule_set", ["axf", "computer", "simple", "cxa"])
def test_games_of_composed_positions_are_judged(rule_set):
    for board in random_positions(7, 300, "composed"):
        board.repetition(rule_set, occurrences=2)


def test_composed_positions_are_good_for_data():
    game = SelfPlay(nodes=60, random_min=0, random_max=2, balance=10_000)
    for seed in range(3):
        board = random_composed(random.Random(seed))
        result, _, moves, scores, _ = game.play(board, seed)
        Traces().add(board, moves, scores, result, 0)
        Samples().add(board, moves, scores, result)


def test_the_engine_and_the_commands_take_them():
    with Engine(hash_mib=1) as engine:
        assert engine.play(Board(PROBLEM), Limit(nodes=200)).move in Board(PROBLEM).legal_moves
    for arguments in (["eval"], ["analyse", "--nodes", "200"], ["judge"], ["perft", "--depth", "2"]):
        result = call(*arguments, PROBLEM)
        assert (result.returncode, result.stderr) == (0, "")
    assert Board.from_epd(f"{PROBLEM} bm i2i9;")[1] == {"bm": [Move.from_iccs("i2i9")]}


@pytest.mark.parametrize("name", [name for name, one in FORMATS.items() if one.encode])
def test_records_hold_composed_positions_or_say_that_they_do_not(name, tmp_path):
    for number, fen in enumerate([PROBLEM, "3k5/9/9/9/9/9/RRR6/9/9/4K4 w - - 0 1"]):
        game = Game(fen)
        game.add(next(iter(Board(fen).legal_moves)))
        try:
            data = encode_game(game, name, losses=[])
        except RecordError as error:
            assert number == 1 and "too many pieces" in str(error)
            continue
        again = read_game(data, format=name, strict=True)
        assert again.start.split()[:2] == fen.split()[:2]
        assert list(again.mainline_moves()) == list(game.mainline_moves())
