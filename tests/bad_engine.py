"""A UCI engine of few virtues, for tests: plays the first legal move until it misbehaves.

python bad_engine.py FAULT [PLIES]: the fault comes in the first search of a position after that many moves.
A fault that begins with "score" is no fault: its words are what the engine says of each position.
"""

import os
import sys
import time

from eleengine._core import BaseBoard, Move

fault, plies = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 0
board = BaseBoard()
SAYS = {
    "illegal": "bestmove a0a9",
    "garbage": "bestmove Qxf7#",
    "none": "bestmove (none)",
    "resign": "bestmove a0a1 resign",
}


def answer():
    if board.ply >= plies:
        if fault == "crash":
            os._exit(3)
        if fault == "hang":
            time.sleep(3600)
        if fault == "late":
            time.sleep(0.5)
        if fault == "noisy":
            print("info string depth 3\n\ninfo\ninfo depth x score\nbanana \xff\ninfo pv h2 score cp 99")
        if fault in SAYS:
            return SAYS[fault]
    move = next(iter(board.legal_moves)).iccs()
    score = fault if fault.startswith("score") else "score cp 5"
    return f"info depth 1 {score} nodes 44 time 3 pv {move}\nbestmove {move}"


if fault == "dumb":
    time.sleep(3600)
if fault == "stillborn":
    sys.exit(1)
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name Bad\noption name Hash type spin default 16 min 1 max 64\nuciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
        board = BaseBoard(" ".join(words[2:8]))
        for move in moves:
            board.push(Move.from_iccs(move))
    elif words[0] == "go":
        print(answer())
    elif words[0] == "quit":
        break
    sys.stdout.flush()
