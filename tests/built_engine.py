"""A UCI engine whose build is what build.json of its folder says: the same command may start other engines.

The keys are of `Context`: parameters, and network (a name or a file).
"""

import json
import sys

from eleengine import Board, Engine, Limit
from eleengine._core import Context
from eleengine.network import choose

with open("build.json", encoding="utf-8") as file:
    build = json.load(file)
context = Context(parameters=build.get("parameters", {}), network=choose(build.get("network", "<internal>")))
engine = Engine(threads=1, hash_mib=1, context=context)
board = Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("id name Built\nuciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "ucinewgame":
        engine.clear()
    elif words[0] == "position":
        moves = words[words.index("moves") + 1 :] if "moves" in words else []
        board = Board(" ".join(words[2:8]))
        for move in moves:
            board.push_uci(move)
    elif words[0] == "go":
        result = engine.play(board, Limit(**{words[1]: int(words[2])}))
        print(f"info depth {result.info['depth']} score cp 0 nodes {result.info['nodes']}")
        print(f"bestmove {result.move}")
    elif words[0] == "quit":
        break
    sys.stdout.flush()
