"""Whole conversations at random: answers are legal moves, lines can be played, short mates are true.

ELEENGINE_TEST_SESSIONS: how many, 5 by default; ELEENGINE_TEST_SEED: 0 by default.
"""

import os
import random
import re
import time
from functools import cache

import pytest
from support import POSITIONS
from ucci_client import TERMINAL, Engine, field, pv_lines

from eleengine import Board, Move

pytestmark = pytest.mark.slow

SESSIONS = int(os.environ.get("ELEENGINE_TEST_SESSIONS", "5"))  # of each kind
SEED = int(os.environ.get("ELEENGINE_TEST_SEED", "0"))
SEARCHES = 25  # of a session
NUMBERS = "depth|seldepth|multipv|nodes|nps|time|hashfull|tbhits|currmovenumber"
MOVE = r"[a-i]\d[a-i]\d"
INFO = re.compile(
    rf"info (?:string .+|(?:(?:{NUMBERS}) \d+ ?|currmove {MOVE} ?|wdl \d+ \d+ \d+ ?"
    rf"|score (?:cp |mate )?-?\d+ ?|(?:upper|lower)bound ?)+(?:pv(?: {MOVE})+)?)"
)


@cache
def fens():
    files = ("openings", "middlegames", "endings", "quiet-mates")
    paths = [path for name in files for path in POSITIONS.glob(f"{name}.*")]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return re.findall(r"(?:[A-Za-z1-9]+/){9}[A-Za-z1-9]+ [wb]", texts)


def some_position(rng):
    """A board with legal moves, and the command that sets it up."""
    while True:
        board = Board() if rng.random() < 0.3 else Board(rng.choice(fens()))
        fen = board.fen()
        for _ in range(rng.choice((0, 0, 1, 4, 30))):
            if not board.legal_moves:
                break
            board.push(rng.choice(list(board.legal_moves)))
        if board.legal_moves:
            moves = " ".join(map(str, board.move_stack))
            return board, f"position fen {fen}" + f" moves {moves}" * bool(moves)


OPTIONS = {
    "Threads": (1, 2, 3),
    "Hash": (1, 2, 5),
    "MultiPV": (1, 1, 2, 4),
    "Skill Level": (3, 12, 20, 20),
    "Parallel": ("lazy", "split"),
}


def some_search(rng, dialect):
    """A go, and what follows it after some seconds."""
    clock = "time 60 increment 10" if dialect == "ucci" else "wtime 60 btime 60 winc 10 binc 10"
    wait = rng.choice((0, 0, rng.uniform(0, 0.05)))
    searches = [
        (f"go depth {rng.randrange(1, 7)}", []),
        (f"go nodes {rng.choice((1, 100, 3000))}", []),
        (f"go movetime {rng.choice((1, 20))}", []),
        (f"go {clock}", []),
        (f"go mate {rng.choice((1, 2))} depth 4", []),
        ("go infinite", [(wait, "stop")]),
        (f"go ponder {clock}", [(wait, "stop")]),
        (f"go ponder {clock}", [(wait, "ponderhit")]),
    ]
    if dialect == "uci":  # in UCCI a stop that comes too late is answered, too
        searches.append(("go depth 4", [(wait, "stop")]))
    return rng.choice(searches)


def wins(board, moves):
    """Can the side to move mate or stalemate in so many of its moves?"""
    for move in list(board.legal_moves):
        board.push(move)
        found = not board.legal_moves or (moves > 1 and loses(board, moves - 1))
        board.pop()
        if found:
            return True
    return False


def loses(board, moves):
    """Does the other side mate in so many moves whatever is played?"""
    for move in list(board.legal_moves):
        board.push(move)
        found = wins(board, moves)
        board.pop()
        if not found:
            return False
    return True


def check_lines(board, lines):
    """The number of short mates among them, all of which are true."""
    proven = 0
    for line in lines:
        assert not line.startswith("info") or INFO.fullmatch(line), line
    for line in pv_lines(lines):
        if line.startswith("info string"):
            continue
        after = board.copy()
        for word in line.partition(" pv ")[2].split():
            after.push(Move.from_iccs(word))  # IllegalMoveError
        if " score mate " in line and "bound" not in line and field(line, "multipv") == "1":
            moves = int(field(line, "mate"))
            if 0 < moves <= 2:
                assert wins(board, moves), line
            elif moves == -1:
                assert loses(board, 1), line
            proven += abs(moves) <= 2
    return proven


@pytest.mark.timeout(240 * SESSIONS)
@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_conversations(dialect):
    proven = 0
    for session in range(SEED, SEED + SESSIONS):
        rng = random.Random(f"{dialect} {session}")
        engine = Engine(dialect, hash_mib=1)
        for _ in range(SEARCHES):
            if rng.random() < 0.4:
                name = rng.choice(list(OPTIONS))
                engine.send(f"setoption name {name} value {rng.choice(OPTIONS[name])}")
            if rng.random() < 0.1:
                engine.send("setoption newgame" if dialect == "ucci" else "ucinewgame")
            board, position = some_position(rng)
            engine.skip()
            start = engine.mark()
            engine.send(position)
            banned = set()
            if dialect == "ucci" and rng.random() < 0.2 and board.legal_moves.count() > 3:
                banned = set(rng.sample(list(board.legal_moves), 3))
                engine.send("banmoves " + " ".join(map(str, banned)))
            go, rest = some_search(rng, dialect)
            engine.send(go)
            for wait, command in rest:
                time.sleep(wait)
                engine.send(command)
            words = engine.expect(*TERMINAL).split()
            engine.sync()
            context = (session, position, go, rest)
            assert words[0] == "bestmove", context
            move = Move.from_iccs(words[1])
            assert move in board.legal_moves and move not in banned, context
            if "ponder" in words:
                after = board.copy()
                after.push(move)
                assert Move.from_iccs(words[words.index("ponder") + 1]) in after.legal_moves, context
            lines = engine.texts(start)
            assert len([line for line in lines if line.startswith(TERMINAL)]) == 1, context
            proven += check_lines(board, [line for line in lines if line.startswith("info")])
        engine.quit()
    if dialect == "uci":
        assert proven
