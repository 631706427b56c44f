"""Whole games of the engine's process against Debian's fairy-stockfish, at fixed nodes.

That engine knows perpetual check and chase, too, but judges some chases otherwise; pyffish is its
judge as a library.
"""

import json

import pyffish
import pytest
from support import COMMAND, POSITIONS
from test_ucci_clients import program

from eleengine import Board, Limit
from eleengine.engines import ExternalEngine

# Positions of repetition.jsonl in which sooner or later somebody repeats.
PRONE = [
    *("chase-11", "chase-22", "chase-25", "chase-27", "chase-28", "chase-33", "chase-alternating-victims-04"),
    *("chase-while-offering-05", "chase-while-offering-06", "discovered-attack-05", "king-or-soldier-03"),
    *("king-or-soldier-08", "mate-threats-05", "move-limit-06", "offer-or-exchange-04", "pinned-piece-02"),
    *("offer-or-exchange-07", "perpetual-check-05", "perpetual-check-08", "pinned-piece-07"),
    *("pinned-piece-08", "protected-victim-03"),
]
BY_RULE = ("repetition", "perpetual_check", "perpetual_chase")


@pytest.fixture
def players():
    # A sanitizer preloaded for our processes is none of the other one's business.
    fairy = ["env", "-u", "LD_PRELOAD", program("fairy-stockfish")]
    with (
        ExternalEngine(COMMAND, protocol="ucci", timeout=60) as ours,
        ExternalEngine(fairy, protocol="uci", timeout=60) as theirs,
    ):
        ours.configure({"hash": 4, "threads": 1, "usebook": False})
        theirs.configure({"hash": 4})
        yield ours, theirs


def play(fen, red, black, nodes):
    """The game, judged by the board. Nodes are given by side, Red's first."""
    for player in (red, black):
        player.new_game()
    board = Board(fen)
    while board.ply < 60 and not board.is_game_over():
        player, limit = (red, nodes[0]) if board.turn else (black, nodes[1])
        board.push(player.play(board, Limit(nodes=limit)).move)
    return board


def fairy_verdict(board):
    """That of the other engine's rules, or None if the game goes on by them."""
    moves = [move.uci(first_rank=1) for move in board.move_stack]
    ends, value = pyffish.is_optional_game_end("xiangqi", board.root().fen(), moves)
    if not ends:
        return None
    return "draw" if value == 0 else "red_loses" if (value < 0) == board.turn else "black_loses"


def test_games_that_end_by_the_rules_of_repetition(players):
    cases = map(json.loads, (POSITIONS / "repetition.jsonl").read_text(encoding="utf-8").splitlines())
    fens = {case["id"]: case["fen"] for case in cases}
    ours, theirs = players
    hashes, agreed, differed = [], 0, []
    for name in PRONE:
        for red, black, nodes in ((ours, theirs, (1000, 100)), (theirs, ours, (100, 1000))):
            board = play(fens[name], red, black, nodes)
            verdict = board.repetition()
            if verdict.reason not in BY_RULE:
                continue
            hashes.append(str(verdict))
            if fairy_verdict(board) == str(verdict):
                agreed += 1
            else:
                differed.append((name, board.move_stack, str(verdict)))
    draws = sum(verdict == "draw" for verdict in hashes)
    assert draws >= 4 and len(hashes) - draws >= 4, hashes
    assert {"red_loses", "black_loses"} <= set(hashes)
    assert agreed >= 0.8 * len(hashes), differed
