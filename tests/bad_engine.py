"""An engine of few virtues, for tests: it plays the first legal move of the alphabet until it misbehaves.

python bad_engine.py FAULT [PLIES] [uci|ucci]: a fault of a search comes in the first one of a position after
that many moves. What begins with "score" is no fault: these words are what the engine says of each position.
Nor is any other word that is not asked for below, such as "good".
"""

import os
import sys
import time

from eleengine._core import BaseBoard, Move

fault, plies, protocol, *_ = [*sys.argv[1:], *["", "0", "uci"][len(sys.argv) - 1 :]]
plies = int(plies)
board, allowed = BaseBoard(), None
endless = learnt = False
NO_MOVE = "nobestmove" if protocol == "ucci" else "bestmove (none)"
SAYS = {
    "illegal": "bestmove a0a9",
    "garbage": "bestmove Qxf7#",
    "none": "bestmove (none)",
    "resign": "bestmove a0a1 resign",
}


def say(text):
    print(text, flush=True)


def first_move(board):
    moves = sorted(move.iccs() for move in board.legal_moves)
    return next((move for move in moves if allowed is None or move in allowed), "")


def answer():
    """What is said of a position, and the move."""
    global learnt
    if board is None or not board.legal_moves:
        return say(NO_MOVE)
    if board.ply >= plies:
        if fault == "crash":
            os._exit(3)
        if fault == "hang":
            time.sleep(3600)
        if fault == "late":
            time.sleep(0.5)
        if fault == "noisy":
            say("info string depth 3\n\ninfo\ninfo depth x score\nbanana \xff\ninfo pv h2 score cp 99")
        if fault in SAYS:
            return say(SAYS[fault])
    move = first_move(board)
    score = fault if fault.startswith("score") else "score cp 5" if protocol == "uci" else "score 5"
    if fault == "number":
        say(f"info depth one {score}")
    if fault != "silent":
        pv = move + " a0a0" * (fault == "pv")
        say(f"info depth 1 {score} nodes {7 if learnt else 700} time 3 pv {pv}")
    learnt = fault == "memory"
    ponder = " ponder a0a9" if fault == "answer" else ""
    if fault == "ponders":
        board.push(Move.from_iccs(move))
        ponder = f" ponder {first_move(board)}"
    return say(f"bestmove {move}{ponder}")


def greet():
    say("id author nobody" if fault == "nameless" else "id name Bad\nid author nobody")
    option = "option name" if protocol == "uci" else "option"
    say(f"{option} Hash type spin default {0 if fault == 'range' else 16} min 1 max 64")
    if protocol == "ucci":
        say("option newgame type button")
    if fault != "ponderhit":
        say(f"{option} Ponder type check default false")
    say(f"{protocol}ok")


def set_up(words):
    global board, allowed
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    before, allowed = board, None
    try:
        board = BaseBoard() if words[1] == "startpos" else BaseBoard(" ".join(words[2:8]))
        for move in moves:
            board.push(Move.from_iccs(move))
    except ValueError:
        board = before if fault == "refused" else None
    if fault == "long" and len(moves) > 100:
        sys.exit(1)


if fault == "dumb":
    time.sleep(3600)
if fault == "stillborn":
    sys.exit(1)
for line in sys.stdin:
    words = line.split()
    if words == [protocol]:
        greet()
    elif words[0] == "isready":
        say("readyok")
    elif (fault == "options" and "Hash" in words) or (fault == "unknown" and words[0] == "xyzzy"):
        sys.exit(1)
    elif words[0] == "position":
        set_up(words)
    elif words[0] == "banmoves":
        allowed = [move.iccs() for move in board.legal_moves if move.iccs() not in words]
    elif words[0] == "go":
        if "searchmoves" in words and fault != "roots":
            allowed = words[words.index("searchmoves") + 1 :]
        if "movetime" in words and fault == "tardy":
            time.sleep(1.5)
        endless = "infinite" in words or "ponder" in words
        hasty = fault == "crash" or (fault == "hasty" and "infinite" in words) or fault in words
        if hasty or not endless:
            endless = False
            answer()
    elif words[0] == "probe" and protocol == "ucci" and fault != "probe":
        say("pophash bestmove " + ("a0a9" if fault == "probed" else "a9a8" if words[1] == "fen" else "h2e2"))
    elif (words[0] in ("stop", "ponderhit") and endless and fault != words[0]) or words[0] == fault == "stop":
        endless = False
        answer()
    elif words[0] == "quit":
        if fault == "quit":
            sys.exit(2)
        if protocol == "ucci":
            say("bye")
        break
