"""Whole games of the engine's process against Debian's fairy-stockfish, at fixed nodes.

That engine knows perpetual check and chase, too, but judges some chases otherwise; pyffish is its
judge as a library.
"""

import json
import re

import pyffish
import pytest
from support import POSITIONS
from test_ucci_clients import program
from ucci_client import Engine

from eleengine import STARTING_FEN, Board, Move

# Positions of repetition.jsonl in which sooner or later somebody repeats.
PRONE = [
    *("chase-11", "chase-22", "chase-25", "chase-27", "chase-28", "chase-33", "chase-alternating-victims-04"),
    *("chase-while-offering-05", "chase-while-offering-06", "discovered-attack-05", "king-or-soldier-03"),
    *("king-or-soldier-08", "mate-threats-05", "move-limit-06", "offer-or-exchange-04", "pinned-piece-02"),
    *("offer-or-exchange-07", "perpetual-check-05", "perpetual-check-08", "pinned-piece-07"),
    *("pinned-piece-08", "protected-victim-03"),
]
BY_RULE = ("repetition", "perpetual_check", "perpetual_chase")


def to_fairy(move):
    """Ranks from 1."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def from_fairy(move):
    src, src_rank, dst, dst_rank = re.fullmatch(r"([a-i])(\d+)([a-i])(\d+)", move).groups()
    return f"{src}{int(src_rank) - 1}{dst}{int(dst_rank) - 1}"


class Fairy:
    """The other engine."""

    def __init__(self):
        # A sanitizer preloaded for our processes is none of its business.
        self.engine = Engine("uci", ["env", "-u", "LD_PRELOAD", program("fairy-stockfish")], hash_mib=None)
        self.engine.send("setoption name UCI_Variant value xiangqi", "setoption name Hash value 4")

    def forget(self):
        self.engine.send("ucinewgame")

    def best(self, fen, moves, nodes):
        line = " ".join(map(to_fairy, moves))
        self.engine.send(f"position fen {fen} moves {line}", f"go nodes {nodes}")
        return from_fairy(self.engine.expect("bestmove").split()[1])


class Eleengine:
    def __init__(self):
        self.engine = Engine()

    def forget(self):
        self.engine.send("setoption newgame")
        self.engine.sync()

    def best(self, fen, moves, nodes):
        return self.engine.best(f"position fen {fen} moves {' '.join(moves)}", f"go nodes {nodes}")


@pytest.fixture
def players():
    found = [Eleengine(), Fairy()]
    yield found
    for player in found:
        player.engine.quit()


def play(fen, red, black, nodes, max_plies):
    """The game, judged by the board: (board, moves). Nodes are given by side, Red's first."""
    for player in (red, black):
        player.forget()
    board, moves = Board(fen), []
    while len(moves) < max_plies and not board.is_game_over():
        player, limit = (red, nodes[0]) if board.turn else (black, nodes[1])
        moves.append(player.best(fen, moves, limit))
        board.push(Move.from_iccs(moves[-1]))  # raises if it is illegal
    return board, moves


def fairy_verdict(fen, moves):
    """That of the other engine's rules, or None if the game goes on by them."""
    ends, value = pyffish.is_optional_game_end("xiangqi", fen, [to_fairy(move) for move in moves])
    if not ends:
        return None
    red_to_move = (len(moves) % 2 == 0) == (fen.split()[1] == "w")
    return "draw" if value == 0 else "red_loses" if (value < 0) == red_to_move else "black_loses"


def test_games_that_end_by_the_rules_of_repetition(players):
    cases = map(json.loads, (POSITIONS / "repetition.jsonl").read_text(encoding="utf-8").splitlines())
    fens = {case["id"]: case["fen"] for case in cases}
    ours, theirs = players
    hashes, agreed, differed = [], 0, []
    for name in PRONE:
        for red, black, nodes in ((ours, theirs, (1000, 100)), (theirs, ours, (100, 1000))):
            board, moves = play(fens[name], red, black, nodes, 60)
            verdict = board.repetition()
            if verdict.reason not in BY_RULE:
                continue
            hashes.append(str(verdict))
            if fairy_verdict(fens[name], moves) == str(verdict):
                agreed += 1
            else:
                differed.append((name, moves, str(verdict)))
    draws = sum(verdict == "draw" for verdict in hashes)
    assert draws >= 4 and len(hashes) - draws >= 4, hashes
    assert {"red_loses", "black_loses"} <= set(hashes)
    assert agreed >= 0.8 * len(hashes), differed


def test_a_game_from_the_start(players):
    """To the end, against an engine that is given more nodes."""
    board, moves = play(STARTING_FEN, *players, (1000, 6000), 400)
    assert len(moves) > 40
    verdict = board.repetition()
    assert verdict or len(moves) == 400
    if verdict.reason == "checkmate":
        assert pyffish.legal_moves("xiangqi", STARTING_FEN, [to_fairy(move) for move in moves]) == []
